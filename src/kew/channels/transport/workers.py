"""Worker threads, for jobs that the event loop may not do: waiting for the disk, checking a password."""

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

WORKERS: Final = 8


class WorkerCounts:
    """The counters of one thread, times in seconds."""

    def __init__(self) -> None:
        self.jobs = 0
        self.busy = 0.0
        self.processor = 0.0


class Workers:
    """Threads that are started as jobs need them.

    A job may have an owner: the jobs of one owner are done in order, and owners take turns.
    """

    def __init__(self, name: str, most: int = WORKERS) -> None:
        self._name = name
        self.most = most
        self._lines: dict[str, deque[Callable[[], None]]] = {}  # jobs by owner
        self._turns: deque[str] = deque()  # owners with jobs, in the order of their turns
        self._waiting = 0  # number of waiting jobs
        self._change = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._counts: list[WorkerCounts] = []  # of each thread
        self._idle = 0
        self._stopping = False

    def submit(self, job: Callable[[], None], whose: str = "") -> None:
        """Queue a job for a thread; the job must not raise."""
        with self._change:
            line = self._lines.get(whose)
            if line is None:
                line = self._lines[whose] = deque()
                self._turns.append(whose)
            line.append(job)
            self._waiting += 1
            if self._idle >= self._waiting:
                self._change.notify()
            elif len(self._threads) < self.most:
                number = len(self._threads)
                counts = WorkerCounts()
                thread = threading.Thread(target=self._run, args=(counts,), name=f"{self._name}-{number}", daemon=True)
                self._threads.append(thread)
                self._counts.append(counts)
                thread.start()

    @property
    def started(self) -> int:
        """The number of threads."""
        return len(self._threads)

    def counts(self) -> list[WorkerCounts]:
        """Give the counters of each thread, also of threads that are not yet started."""
        found: list[WorkerCounts] = []
        with self._change:
            for one in self._counts:
                copy = WorkerCounts()
                copy.jobs, copy.busy, copy.processor = one.jobs, one.busy, one.processor
                found.append(copy)
        while len(found) < self.most:
            found.append(WorkerCounts())
        return found

    def stop(self) -> None:
        """End the threads, after all jobs are done."""
        with self._change:
            self._stopping = True
            self._change.notify_all()
        for thread in self._threads:
            thread.join()

    def _run(self, counts: WorkerCounts) -> None:
        while True:
            with self._change:
                self._idle += 1
                while not self._waiting:
                    if self._stopping:
                        return
                    self._change.wait()
                self._idle -= 1
                job = self._next()
            began, processor = time.perf_counter(), time.thread_time()
            job()
            counts.jobs += 1
            counts.busy += time.perf_counter() - began
            counts.processor += time.thread_time() - processor

    def _next(self) -> Callable[[], None]:
        """Take the next job, by the turns of owners."""
        whose = self._turns.popleft()
        line = self._lines[whose]
        job = line.popleft()
        self._waiting -= 1
        if line:
            self._turns.append(whose)
        else:
            del self._lines[whose]
        return job
