"""A buffer pool: a fixed number of frames, shared by the page sets that use it.

Dirty frames stand in one of two queues in the order in which they became dirty: `dirty` for pages that recovery needs
(written behind the log) and `spilled` for pages of non-persistent messages (written only to make room). The first entry
of `dirty` therefore has the lowest `first_change` of them.

A frame leaves its queue when a copy of it is taken to be written, and stands in `writing` until the copy is on disk. A
change meanwhile makes the frame dirty again, from that change on: so a page that is changed all the time does not hold
back the log address at which restart would have to begin.

Frames are replaced by the clock algorithm: a clean frame that was not used since the hand last passed is taken.
"""

import threading
from typing import Final, Protocol

from librt.threading import Lock

from kew.storage.buffers.dirty import DirtyQueue
from kew.storage.buffers.frame import NO_PAGE, Frame
from kew.storage.buffers.pagefile import PageFile
from kew.storage.stall import Damaged, Stall

DEFERRED_WRITE_PERCENT: Final = 85
SYNCHRONOUS_WRITE_PERCENT: Final = 95
READ_AHEAD: Final = 16


class PoolCounters:
    """Counters of the pool since they were last taken."""

    def __init__(self) -> None:
        self.hits = 0  # page found in the pool
        self.new_pages = 0  # page taken without reading
        self.reads = 0  # pages read from a page set
        self.read_requests = 0
        self.pages_written = 0
        self.write_requests = 0
        self.pages_set_dirty = 0
        self.synchronous_writes = 0  # batches that a put had to write itself
        self.aged_writes = 0  # pages written because two checkpoints had passed
        self.deferred_threshold = 0  # times 85 % was passed
        self.synchronous_threshold = 0  # times a put met 95 %
        self.steals = 0
        self.no_frames = 0  # times there was no frame at all
        self.lowest_free = 0


class Emptier(Protocol):
    """The interface to the deferred writer, which writes a pool's dirty pages."""

    def wake(self) -> None:
        """Write soon, from the writer's own thread."""

    def make_room(self, pool: "BufferPool") -> None:
        """Write a batch of a pool's pages now, in the calling thread, outside the engine lock."""

    def fail(self, failure: BaseException) -> None:
        """Report that a page set could not be written: nothing may be acknowledged any more."""


class BufferPool:
    """Frames, the queues of dirty frames, and the thresholds. All methods run under the engine lock."""

    def __init__(self, number: int, size: int, lock: Lock) -> None:
        self.id = number
        self.size = size
        self.lock = lock
        self.frames: list[Frame] = []
        self.free: list[Frame] = []
        self.dirty = DirtyQueue(False)
        self.spilled = DirtyQueue(True)
        self.writing: dict[int, Frame] = {}
        self.only_writing = 0  # of these, how many are not dirty again
        self.files: dict[int, PageFile] = {}
        self.checkpoint = 0
        self.hand = 0
        self.retiring = 0  # frames to give up after the pool was made smaller
        self.above_deferred = False
        self.emptier: Emptier | None = None
        self.counters = PoolCounters()
        self.deferred_limit = 0
        self.synchronous_limit = 0
        self._set_limits()

    def _set_limits(self) -> None:
        self.deferred_limit = max(1, self.size * DEFERRED_WRITE_PERCENT // 100)
        self.synchronous_limit = max(2, self.size * SYNCHRONOUS_WRITE_PERCENT // 100)
        self.counters.lowest_free = self.size

    def resize(self, size: int) -> None:
        """Grow at once; shrink by clean frames at once, and by others as their pages are written or freed."""
        self.size = size
        self._set_limits()
        self.retiring = max(0, len(self.frames) - size)
        while self.retiring and self.free:
            self._retire(self.free.pop())
        while self.retiring:
            victim = self._steal()
            if victim is None:
                break
            self._retire(victim)
        if self.in_use() >= self.deferred_limit and self.emptier is not None:
            self.emptier.wake()

    def _retire(self, frame: Frame) -> None:
        last = self.frames.pop()
        if last is not frame:  # keep `slot` the index of the frame in `frames`
            self.frames[frame.slot] = last
            self._rename(last, frame.slot)
        self.retiring -= 1

    def _rename(self, frame: Frame, slot: int) -> None:
        old = frame.slot
        frame.slot = slot
        if old in self.writing:
            del self.writing[old]
            self.writing[slot] = frame

    def attach(self, file: PageFile) -> None:
        """Let a page set use this pool."""
        self.files[file.id] = file

    def in_use(self) -> int:
        """Count the frames whose page has changes in memory that are not yet on disk."""
        return self.dirty.count + self.spilled.count + self.only_writing

    def ensure(self, count: int) -> None:
        """Make sure that `count` frames can be taken, or stall."""
        used = self.dirty.count + self.spilled.count + self.only_writing
        if used + count > self.synchronous_limit:
            self.counters.synchronous_threshold += 1
            raise PoolFull(self)
        if len(self.free) < count:
            self._refill(count)

    def _refill(self, count: int) -> None:
        while len(self.free) < count:
            if len(self.frames) < self.size:
                frame = Frame(len(self.frames))
                self.frames.append(frame)
                self.free.append(frame)
                continue
            victim = self._steal()
            if victim is None:
                self.counters.no_frames += 1
                raise PoolFull(self)
            self.free.append(victim)

    def _steal(self) -> Frame | None:
        frames = self.frames
        total = len(frames)
        for _ in range(2 * total):
            if self.hand >= total:
                self.hand = 0
            frame = frames[self.hand]
            self.hand += 1
            if frame.dirty or frame.writing or frame.number == NO_PAGE:
                continue
            if frame.referenced:
                frame.referenced = False
                continue
            self.files[frame.file].resident[frame.number] = None
            frame.number = NO_PAGE
            frame.file = NO_PAGE
            self.counters.steals += 1
            return frame
        return None

    def find(self, file: PageFile, number: int) -> Frame:
        """Give the frame that holds a page, or stall until it is read."""
        resident = file.resident
        frame = resident[number] if number < len(resident) else None
        if frame is None:
            raise PageMissing(self, file, number)
        frame.referenced = True
        self.counters.hits += 1
        return frame

    def new_page(self, file: PageFile, number: int, kind: int, owner: int, volatile: bool) -> Frame:
        """Take a free frame for a page whose old content does not matter. The caller has called `ensure`."""
        if file.reading:
            file.reading.pop(number, None)
        frame = file.frame(number)
        if frame is None:
            frame = self.free.pop()
            frame.file = file.id
            frame.number = number
            file.hold(number, frame)
        else:
            self._clean(frame)
        frame.kind = kind
        frame.owner = owner
        frame.address = 0
        frame.volatile = volatile
        frame.referenced = True
        self.counters.new_pages += 1
        return frame

    def touch(self, frame: Frame, address: int, before: int) -> None:
        """Note a logged change at `address`; `before` is where its log record begins."""
        frame.address = address
        if not frame.dirty:
            frame.dirty = True
            frame.first_change = before
            frame.since = self.checkpoint
            self.dirty.add(frame)
            self._more_dirty(frame)

    def touch_volatile(self, frame: Frame) -> None:
        """Note a change that is not logged."""
        if not frame.dirty:
            frame.dirty = True
            frame.since = self.checkpoint
            self.spilled.add(frame)
            self._more_dirty(frame)

    def _more_dirty(self, frame: Frame) -> None:
        if frame.writing:
            self.only_writing -= 1
        used = self.dirty.count + self.spilled.count + self.only_writing
        left = self.size - used
        if left < self.counters.lowest_free:
            self.counters.lowest_free = left
        self.counters.pages_set_dirty += 1
        if used < self.deferred_limit:
            self.above_deferred = False
        else:
            if not self.above_deferred:
                self.above_deferred = True
                self.counters.deferred_threshold += 1
            if self.emptier is not None:
                self.emptier.wake()

    def _clean(self, frame: Frame) -> None:
        # The content of the frame is no longer needed, neither the page nor the copy of it that is being written.
        if frame.writing:
            frame.writing = False
            del self.writing[frame.slot]
            if not frame.dirty:
                self.only_writing -= 1
        if frame.dirty:
            frame.dirty = False
            if frame.volatile:
                self.spilled.remove()
            else:
                self.dirty.remove()

    def discard(self, file: PageFile, number: int) -> None:
        """Free the frame of a page whose content is no longer needed."""
        if file.reading:
            file.reading.pop(number, None)
        frame = file.frame(number)
        if frame is not None:
            self._clean(frame)
            self._let_go(file, frame)

    def forget(self, frame: Frame) -> None:
        """Remove a frame that the pool does not own (a map page) from those to be written."""
        self._clean(frame)

    def begin_write(self, frame: Frame) -> None:
        """Note that a copy of a dirty frame is on its way to disk; one batch at a time."""
        frame.dirty = False
        frame.writing = True
        if frame.volatile:
            self.spilled.remove()
        else:
            self.dirty.remove()
            frame.written_from = frame.first_change
        self.writing[frame.slot] = frame
        self.only_writing += 1

    def written(self, frame: Frame) -> None:
        """Note that the copy is on disk; the frame may have been given to another page meanwhile."""
        if frame.writing:
            frame.writing = False
            del self.writing[frame.slot]
            if not frame.dirty:
                self.only_writing -= 1
                if self.retiring and frame.slot >= 0:
                    self._let_go(self.files[frame.file], frame)

    def _let_go(self, file: PageFile, frame: Frame) -> None:
        file.resident[frame.number] = None
        frame.number = NO_PAGE
        frame.file = NO_PAGE
        if self.retiring:
            self._retire(frame)
        else:
            self.free.append(frame)

    def redo_address(self, otherwise: int) -> int:
        """Give the log address at which restart would have to begin for this pool's pages."""
        lowest = otherwise
        for frame in self.dirty.oldest(1):
            lowest = frame.first_change
        for frame in self.writing.values():
            if not frame.volatile and frame.written_from < lowest:
                lowest = frame.written_from
        return lowest


def redo_address_of(pool: BufferPool, file: int, otherwise: int) -> int:
    """Give the log address at which restart would have to begin for the pages of one page set."""
    lowest = otherwise
    for frame in pool.dirty.oldest(pool.dirty.count):
        if frame.file == file and frame.first_change < lowest:
            lowest = frame.first_change
    for frame in pool.writing.values():
        if frame.file == file and not frame.volatile and frame.written_from < lowest:
            lowest = frame.written_from
    return lowest


class PageMissing(Stall):
    """The stall for a page that is on disk and not in the pool."""

    def __init__(self, pool: BufferPool, file: PageFile, number: int) -> None:
        super().__init__(f"page {number} of page set {file.id} is not in buffer pool {pool.id}")
        self.pool = pool
        self.file = file
        self.number = number

    def resolve(self) -> None:
        """Read the page, and those behind it that are likely to be wanted next."""
        pool, file, first = self.pool, self.file, self.number
        ticket = threading.Event()
        other: threading.Event | None = None
        with pool.lock:
            if pool.in_use() >= pool.synchronous_limit:
                # Changes to pages that were there have left few clean frames. Two pages that are wanted together
                # would take turns in the last of them, for ever.
                raise PoolFull(pool)
            wanted = READ_AHEAD if pool.size - pool.in_use() > 8 * READ_AHEAD else 1
            last = first
            for number in range(first, first + wanted):
                if file.frame(number) is not None or number in file.reading:
                    if number == first:
                        other = file.reading.get(number, ticket)
                    break
                file.reading[number] = ticket
                last = number
        if other is not None:
            if other is not ticket:
                other.wait()  # another thread is reading it
            return
        try:
            images = file.read_pages(first, last - first + 1)
        except BaseException:
            with pool.lock:
                self._forget(first, last, ticket)
            ticket.set()
            raise
        with pool.lock:
            try:
                self._install(first, images, ticket)
            finally:
                self._forget(first, last, ticket)
                ticket.set()

    def _forget(self, first: int, last: int, ticket: threading.Event) -> None:
        reading = self.file.reading
        for number in range(first, last + 1):
            if reading.get(number) is ticket:
                del reading[number]

    def _install(self, first: int, images: list[bytes], ticket: threading.Event) -> None:
        pool, file = self.pool, self.file
        pool.counters.read_requests += 1
        if not images:
            raise Damaged(file.path, first, "the file ends before it")
        for place, image in enumerate(images):
            number = first + place
            if file.reading.get(number) is not ticket:
                continue  # freed or written anew while it was being read
            why = file.check(number, image)
            if why:
                if place == 0:
                    raise Damaged(file.path, number, why)
                continue  # read ahead only; a read that is needed will meet the error
            try:
                if not pool.free:
                    pool._refill(1)
            except PoolFull:
                if place == 0:
                    raise
                return
            file.install(pool.free.pop(), number, image)
            pool.counters.reads += 1


class PoolFull(Stall):
    """The stall of a pool in which too many pages wait to be written."""

    def __init__(self, pool: BufferPool) -> None:
        super().__init__(f"buffer pool {pool.id} has no clean buffer")
        self.pool = pool

    def resolve(self) -> None:
        """Write pages in the caller's thread, so that puts slow down to the speed of the disk."""
        emptier = self.pool.emptier
        if emptier is None:
            raise RuntimeError(f"buffer pool {self.pool.id} is full and has no writer")
        self.pool.counters.synchronous_writes += 1
        emptier.make_room(self.pool)
