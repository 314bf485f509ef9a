"""A few threads for what the event loop may not do: wait for the disk, check a password."""

import threading
from collections import deque
from collections.abc import Callable
from typing import Final

WORKERS: Final = 8


class Workers:
    """Threads that are started when there is more to do than those that run can take at once."""

    def __init__(self, name: str, most: int = WORKERS) -> None:
        self._name = name
        self.most = most
        self._jobs: deque[Callable[[], None]] = deque()
        self._change = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._idle = 0
        self._stopping = False

    def submit(self, job: Callable[[], None]) -> None:
        """Have a job done; it must not raise."""
        with self._change:
            self._jobs.append(job)
            if self._idle >= len(self._jobs):
                self._change.notify()
            elif len(self._threads) < self.most:
                thread = threading.Thread(target=self._run, name=f"{self._name}-{len(self._threads)}", daemon=True)
                self._threads.append(thread)
                thread.start()

    @property
    def started(self) -> int:
        """How many threads there are."""
        return len(self._threads)

    def stop(self) -> None:
        """End the threads, after all jobs are done."""
        with self._change:
            self._stopping = True
            self._change.notify_all()
        for thread in self._threads:
            thread.join()

    def _run(self) -> None:
        while True:
            with self._change:
                self._idle += 1
                while not self._jobs:
                    if self._stopping:
                        return
                    self._change.wait()
                self._idle -= 1
                job = self._jobs.popleft()
            job()
