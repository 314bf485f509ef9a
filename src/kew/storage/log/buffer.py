"""The log buffer: records that are appended and not yet on disk.

The engine appends records, one thread at a time, and never waits; the writer takes them. One lock, held for the time of
a list append, is between the two. A take empties the buffer; the records in the take can be read until they are on
disk.

With TripleWrite a take ends its page: the next record starts on a fresh one, so that a page that was acknowledged is
never written again. With SingleWrite the next record continues in the same page.

The buffer has two addresses: up to `on_disk` the copies on this machine hold the log, and up to `durable` the log may
be acknowledged. `durable` is never above `on_disk`.

A thread that waits for an address to be durable waits at the latch of the take that carries it. The latch is opened
once for all threads, and each thread that passes wakes the next. So a group commit costs the writer one wake-up, for
any number of threads.
"""

from bisect import bisect_left
from collections import deque
from collections.abc import Callable
from typing import Final

from librt.threading import Lock

from kew.storage.checksum import crc32
from kew.storage.log.errors import LogBroken, LogError, LogFull
from kew.storage.log.latch import Latch, Wakeup
from kew.storage.log.record import CHECKED_PART, RECORD_HEADER, RECORD_LIMIT, UNCHECKED_PART, LogRecord, parse
from kew.storage.logaddress import PAGE_SIZE, LogAddress, advance, next_page

PARTS: Final = 4
THRESHOLD_PAGES: Final = 256  # most pages pending before they are written although no thread waits

pack_checked: Final = CHECKED_PART.pack
pack_unchecked: Final = UNCHECKED_PART.pack


class Take:
    """The records that one writer step brings to disk."""

    def __init__(
        self,
        start: LogAddress,
        end: LogAddress,
        addresses: list[int],
        parts: list[bytes],
        size: int,
        latch: Latch,
    ) -> None:
        self.start = start
        # Where the next record goes: everything that ends at or before it is in this take or an earlier one.
        self.end = end
        self.addresses = addresses
        # Four parts for each record: size and checksum, rest of the header, head, body.
        self.parts = parts
        self.size = size
        self.latch = latch
        # When it was first asked to be written, or 0.
        self.requested = 0.0


class LogBuffer:
    """The records that are not yet on disk, and the addresses up to which the log is on disk and durable."""

    def __init__(self, start: LogAddress, pages: int, rewrites: bool, monotonic: Callable[[], float]) -> None:
        # Where the next record goes.
        self.next_address = start
        # Everything that ends at or before it is on disk, on all copies of this machine.
        self.on_disk = start
        # Everything that ends at or before it may be acknowledged.
        self.durable = start
        # No record may end behind it; 0 once the log is broken, so that one comparison guards both.
        self.limit = 0
        self.failure: BaseException | None = None
        self.capacity = pages * PAGE_SIZE
        self.appended = 0
        self.bytes_appended = 0
        self.threshold_reached = 0
        # How often a thread asked for the log to become durable, and then waited for the writer.
        self.forces = 0
        self.waits = 0
        self._rewrites = rewrites
        self._monotonic = monotonic
        self._lock = Lock()
        self._start = start
        self._addresses: list[int] = []
        self._parts: list[bytes] = []
        self._pending = 0
        self._taken: Take | None = None
        self._taken_size = 0
        self._latch = Latch()
        # Takes that are on disk and not yet durable, oldest first.
        self._behind: deque[Take] = deque()
        # Whether a step is wanted, since when, and whether the writer sleeps until it is.
        self._wanted = False
        self._requested = 0.0
        self._sleeping = False
        self._wakeup = Wakeup()
        self.stopped = True
        # Bytes pending from which on a step is wanted although no thread waits.
        self.threshold = min(self.capacity // 2, THRESHOLD_PAGES * PAGE_SIZE)

    # The engine's side.

    def append(self, kind: int, unit: int, previous: int, head: bytes, body: bytes, flags: int) -> LogAddress:
        """Add a record and return its address."""
        size = RECORD_HEADER + len(head) + len(body)
        if size > RECORD_LIMIT:
            raise LogError(
                f"a log record of {size - RECORD_HEADER} bytes is longer than {RECORD_LIMIT - RECORD_HEADER}"
            )
        checked = pack_checked(kind, flags, 0, unit, previous)
        self._lock.acquire()
        try:
            address = self.next_address
            end = advance(address, size)
            if end > self.limit:
                raise self._refusal(size)
            crc = crc32(head, crc32(checked, (size ^ address) & 0xFFFFFFFF))
            if body:
                crc = crc32(body, crc)
            parts = self._parts
            parts.append(pack_unchecked(size, crc))
            parts.append(checked)
            parts.append(head)
            parts.append(body)
            self._addresses.append(address)
            self.next_address = end
            self._pending += size
            self.appended += 1
            self.bytes_appended += size
            if self._pending > self.threshold and not self._wanted:
                self.threshold_reached += 1
                self._want(True)
        finally:
            self._lock.release()
        return address

    def _refusal(self, size: int) -> LogError:
        if self.failure is not None:
            return LogBroken(f"the log takes no records: {self.failure}")
        return LogFull(f"no active log space is left for a record of {size} bytes at {self.next_address:#x}")

    def room(self, size: int) -> bool:
        """Return whether a payload of that size fits into the buffer; into an empty one any does."""
        held = self._pending + self._taken_size
        return held == 0 or held + size + RECORD_HEADER <= self.capacity

    def want(self, address: int, ring: bool = True) -> Latch | None:
        """Ask for the log to become durable up to `address`; return the latch to wait at.

        Returns None if the log is durable up to there, if no writer thread runs, and if the caller is to run a writer
        step itself.
        """
        if self.durable >= address:
            return None
        self._lock.acquire()
        try:
            if self.durable >= address:
                return None
            if self.failure is not None:
                raise LogBroken(f"the log acknowledges nothing: {self.failure}")
            if address > self.next_address:
                raise LogError(f"the log ends at {self.next_address:#x}, before {address:#x}")
            self.forces += 1
            if self.on_disk >= address:
                self.waits += 1
                return self._latch_behind(address)
            taken = self._taken
            if taken is not None and taken.end >= address:
                latch = taken.latch
            else:
                latch = self._latch
                if not self._wanted:
                    self._want(ring)
            if self.stopped or not ring:
                return None
            self.waits += 1
            return latch
        finally:
            self._lock.release()

    def _latch_behind(self, address: int) -> Latch:
        for taken in self._behind:
            if taken.end >= address:
                return taken.latch
        raise LogError(f"no take ends behind {address:#x} and waits to be acknowledged")

    def _want(self, ring: bool) -> None:
        self._wanted = True
        self._requested = self._monotonic()
        if ring and self._sleeping:
            self._sleeping = False
            self._wakeup.ring()

    def find(self, address: int) -> LogRecord | None:
        """Return the record at `address` if it is not yet on disk."""
        self._lock.acquire()
        taken = self._taken
        if address >= self._start:
            addresses, parts = self._addresses, self._parts
        elif taken is not None and address >= taken.start:
            addresses, parts = taken.addresses, taken.parts
        else:
            self._lock.release()
            return None
        index = bisect_left(addresses, address)
        found = index < len(addresses) and addresses[index] == address
        base = index * PARTS
        pieces = parts[base : base + PARTS] if found else []
        self._lock.release()
        if not found:
            raise LogError(f"no log record starts at {address:#x}")
        return parse(address, pieces[0] + pieces[1], pieces[2] + pieces[3])

    def resting(self) -> bool:
        """Return whether the writer thread sleeps, so that a caller does better to run a writer step itself."""
        return self._sleeping

    # The writer's side.

    def take(self) -> Take | None:
        """Return all that is pending, to be written, or None."""
        self._lock.acquire()
        if not self._addresses or self.failure is not None:
            self._wanted = False
            self._lock.release()
            return None
        if not self._rewrites:
            self.next_address = next_page(self.next_address)
        taken = Take(self._start, self.next_address, self._addresses, self._parts, self._pending, self._latch)
        taken.requested = self._requested if self._wanted else 0.0
        self._start = self.next_address
        self._addresses = []
        self._parts = []
        self._taken = taken
        self._taken_size = self._pending
        self._pending = 0
        self._latch = Latch()
        self._wanted = False
        self._lock.release()
        return taken

    def written(self, taken: Take) -> None:
        """Note that a take is on disk, on all copies of this machine."""
        self._lock.acquire()
        if self.failure is None:
            self.on_disk = taken.end
            self._taken = None
            self._taken_size = 0
            self._behind.append(taken)
        self._lock.release()

    def acknowledge(self, address: LogAddress) -> None:
        """Note that the log may be acknowledged up to an address, and wake the threads that wait for that."""
        self._lock.acquire()
        if self.failure is None:
            address = min(address, self.on_disk)
            if address > self.durable:
                self.durable = address
            behind = self._behind
            while behind and behind[0].end <= address:
                behind.popleft().latch.open()
        self._lock.release()

    def fail(self, failure: BaseException) -> bool:
        """Refuse everything from now on, and wake all threads that wait; return whether this was the first failure."""
        self._lock.acquire()
        first = self.failure is None
        if first:
            self.failure = failure
            self.limit = 0
            if self._taken is not None:
                self._taken.latch.open()
            for taken in self._behind:
                taken.latch.open()
            self._latch.open()
        self._lock.release()
        return first

    def idle(self) -> bool:
        """Sleep until a step is wanted; return False if the writer is to stop and no step is wanted."""
        while True:
            self._lock.acquire()
            if self._wanted or self.stopped:
                wanted = self._wanted
                self._lock.release()
                return wanted
            self._sleeping = True
            self._lock.release()
            # Another thread may have written what was wanted before this thread runs: check again.
            self._wakeup.listen()

    def start(self) -> None:
        """Note that a writer thread runs."""
        self.stopped = False

    def stop(self) -> None:
        """Let the writer thread end once no step is wanted; callers run writer steps themselves from now on."""
        self._lock.acquire()
        self.stopped = True
        if self._sleeping:
            self._sleeping = False
            self._wakeup.ring()
        self._lock.release()

    def set_limit(self, limit: int) -> None:
        """Set the address beyond which no record may extend."""
        self._lock.acquire()
        if self.failure is None:
            self.limit = limit
        self._lock.release()
