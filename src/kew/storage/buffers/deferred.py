"""The deferred write processor: moves changed pages from the pools to the page sets.

A batch is written in five steps, none of them under the engine lock except the first and the last:

1. under the lock, take a copy of each chosen page; the frame counts as being written (a few such batches, each under
   a hold of the lock of its own, share the steps that follow, and so their syncs);
2. wait until the log is on disk up to the newest change among them (write-ahead);
3. write the copies of directory and map pages to the double-write file and sync it;
4. write all copies to their page sets and sync each page set;
5. under the lock, let the frames go: those that were not changed meanwhile are clean.

Pages of non-persistent messages are only written to their page sets: no log, no double write, no sync.

A crash before 3 leaves the old pages; between 3 and 4's sync, pages may be torn in the page set and restart takes them
from the double-write file; after that they are whole. Pages that hold messages need no double write: until step 5
restart begins at or before the record that filled such a page, and fills the whole page again, without reading its old
content.

A batch that fails is not retried: its frames stay as they are, the failure is reported to the queue manager, which
ends, and restart begins before the changes in these frames.
"""

import threading
import time
from collections.abc import Callable
from typing import Final

from librt.threading import Lock

from kew.storage.buffers.doublewrite import DoubleWrite
from kew.storage.buffers.frame import Frame
from kew.storage.buffers.pagefile import PageFile, seal, sealed
from kew.storage.buffers.pool import BufferPool
from kew.storage.log import LogAddress
from kew.storage.page import DATA, PAGE_SIZE, RUNS

BATCH_PAGES: Final = 128  # copied in one hold of the engine lock
MOST_BATCHES: Final = 4  # that share the syncs of one write
MOST_AT_RESTART: Final = 16  # the same while no program is there that would wait
PAGES_A_BATCH: Final = 1024  # of the pool: small ones are written in small pieces
AGE_IN_CHECKPOINTS: Final = 2


class _Copy:
    """A copy of a page, taken when the batch was made."""

    def __init__(self, pool: BufferPool, file: PageFile, frame: Frame) -> None:
        self.pool = pool
        self.file = file
        self.frame = frame
        self.number = frame.number
        self.address = frame.address
        self.volatile = frame.volatile
        self.refilled = frame.kind == DATA or frame.kind == RUNS  # restart fills it again without looking
        self.image = file.image(frame)


class DeferredWriter:
    """Writes batches of dirty pages, in its own thread or in that of a put that found no free frame."""

    def __init__(
        self,
        lock: Lock,
        force: Callable[[LogAddress], None],
        double: DoubleWrite,
        on_failure: Callable[[BaseException], None] | None = None,
    ) -> None:
        self.lock = lock
        self.force = force
        self.double = double
        self.pools: list[BufferPool] = []
        self.on_failure = on_failure  # called when a page set could not be written
        self._io = threading.Lock()  # one batch at a time; taken before the engine lock, never under it
        self._wanted = threading.Event()
        self._stopping = False
        self._runner: threading.Thread | None = None

    def add_pool(self, pool: BufferPool) -> None:
        """Add a pool."""
        pool.emptier = self
        self.pools.append(pool)

    def start(self) -> None:
        """Start the writer's own thread."""
        self._runner = threading.Thread(target=self._run, name="kew-deferred-write", daemon=True)
        self._runner.start()

    def stop(self) -> None:
        """End the thread."""
        self._stopping = True
        self._wanted.set()
        if self._runner is not None:
            self._runner.join()
            self._runner = None

    def wake(self) -> None:
        """Wake the thread, so that it checks the pools."""
        if not self._wanted.is_set():
            self._wanted.set()

    def _run(self) -> None:
        while True:
            self._wanted.wait()
            if self._stopping:
                return
            self._wanted.clear()
            try:
                self.write_due()
            except Exception:
                if self.on_failure is None:
                    raise
                return  # the listener was notified

    def write_due(self) -> int:
        """Write until no pool is above its threshold and no page is older than two checkpoints; count the pages."""
        total = 0
        for pool in self.pools:
            while not self._stopping:
                done = self._write(pool, self._choose_due, _batches(pool, MOST_BATCHES))
                total += done
                if not done:
                    break
        return total

    def make_room(self, pool: BufferPool) -> None:
        """Write one batch of a pool now, during restart several, since most of the time goes to the syncs."""
        self._write(pool, self._choose_oldest, 1 if self._runner is not None else _batches(pool, MOST_AT_RESTART))

    def fail(self, failure: BaseException) -> None:
        """Report that a page set could not be written."""
        if self.on_failure is not None:
            self.on_failure(failure)

    def flush(self) -> None:
        """Write every changed page of every pool."""
        for pool in self.pools:
            while self._write(pool, self._choose_oldest):
                pass

    def flush_recoverable(self, before: int) -> None:
        """Write every page whose oldest unwritten change is before a log address."""
        for pool in self.pools:
            while self._write_before(pool, before):
                pass

    def _write(self, pool: BufferPool, choose: Callable[[BufferPool], list[Frame]], batches: int = 1) -> int:
        with self._io:
            copies: list[_Copy] = []
            for _ in range(batches):
                with self.lock:
                    some = _copy(pool, choose(pool))
                copies += some
                if len(some) < BATCH_PAGES:
                    break
            self._write_copies(copies)
        return len(copies)

    def _write_before(self, pool: BufferPool, before: int) -> int:
        with self._io:
            with self.lock:
                frames = [frame for frame in pool.dirty.oldest(BATCH_PAGES) if frame.first_change < before]
                copies = _copy(pool, frames)
            self._write_copies(copies)
        return len(copies)

    def _choose_oldest(self, pool: BufferPool) -> list[Frame]:
        queue = pool.spilled if pool.spilled.count > pool.dirty.count else pool.dirty
        return queue.oldest(BATCH_PAGES)

    def _choose_due(self, pool: BufferPool) -> list[Frame]:
        if pool.in_use() >= pool.deferred_limit:
            return self._choose_oldest(pool)
        aged: list[Frame] = []
        for queue in (pool.dirty, pool.spilled):
            for frame in queue.oldest(BATCH_PAGES - len(aged)):
                if pool.checkpoint - frame.since < AGE_IN_CHECKPOINTS:
                    break
                aged.append(frame)
        pool.counters.aged_writes += len(aged)
        return aged

    def _write_copies(self, copies: list[_Copy]) -> None:
        if not copies:
            return
        try:
            self._put_on_disk(copies)
        except BaseException as failure:
            self.fail(failure)
            raise
        for start in range(0, len(copies), BATCH_PAGES):
            with self.lock:
                for copy in copies[start : start + BATCH_PAGES]:
                    copy.pool.counters.pages_written += 1
                    copy.pool.written(copy.frame)

    def _put_on_disk(self, copies: list[_Copy]) -> None:
        recoverable = [copy for copy in copies if not copy.volatile]
        if recoverable:
            self.force(LogAddress(max([copy.address for copy in recoverable])))
            self._protect([seal(copy.image) for copy in recoverable if not copy.refilled])
        self._write_home(copies)
        for file in {copy.file.id: copy.file for copy in recoverable}.values():
            file.file.sync()

    def _protect(self, images: list[bytes]) -> None:
        if images:
            self.double.protect(images)

    def _write_home(self, copies: list[_Copy]) -> None:
        copies.sort(key=lambda copy: (copy.file.id, copy.number))
        start = 0
        for place in range(1, len(copies) + 1):
            first, last = copies[start], copies[place - 1]
            if place < len(copies) and copies[place].file is first.file and copies[place].number == last.number + 1:
                continue
            pieces: list[bytes | memoryview] = []
            for copy in copies[start:place]:
                pieces.extend(sealed(copy.image))
            begun = time.perf_counter()
            first.file.file.pwrite(b"".join(pieces), first.number * PAGE_SIZE)
            first.pool.counters.write_requests += 1
            counters = first.file.counters
            counters.writes += 1
            counters.pages_written += place - start
            counters.write_seconds += time.perf_counter() - begun
            start = place


def _batches(pool: BufferPool, most: int) -> int:
    return min(most, 1 + pool.size // PAGES_A_BATCH)


def _copy(pool: BufferPool, frames: list[Frame]) -> list[_Copy]:
    copies: list[_Copy] = []
    for frame in frames:
        copies.append(_Copy(pool, pool.files[frame.file], frame))
        pool.begin_write(frame)
    return copies
