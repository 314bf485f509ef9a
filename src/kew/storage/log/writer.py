"""The log writer: builds pages from pending records and makes them durable, with one sync for all of them.

A step takes everything pending, builds the pages, writes them to each copy in I/Os of 1 to 128 pages, syncs, and only
then moves `on_disk`. A failed write or sync is never retried, since the content of the device is then unknown.
"""

import threading
from collections.abc import Callable

from kew.storage.log.buffer import LogBuffer, Take
from kew.storage.log.copies import WRITE_PAGES, LogCopies, PageWrite, file_name
from kew.storage.log.counters import LogCounters
from kew.storage.log.extents import ExtentTable
from kew.storage.log.page import FRESH, NO_RECORD, PIECES, build_page
from kew.storage.logaddress import PAGE_MASK, PAGE_PAYLOAD, PAGE_SIZE, boundary, page_start


class PageFramer:
    """Builds the pages of takes, with the chain from page to page."""

    def __init__(self, log_id: int, life: int, chain: int, rewrites: bool) -> None:
        self._log_id = log_id
        self._life = life
        self._rewrites = rewrites
        # The crc of the page before the next one, and the flags of the next one.
        self._chain = chain
        self._flags = FRESH
        # SingleWrite: the payload of the last page if it is not full, and its first record.
        self._tail = b""
        self._tail_first = NO_RECORD

    def frame(self, taken: Take, on_disk: int) -> list[bytes | memoryview]:
        """Return the pages of a take, each in its pieces; the first is at the page of its start."""
        pieces: list[bytes | memoryview] = []
        joined = b"".join(taken.parts)
        position = 0
        address = page_start(taken.start)
        addresses = taken.addresses
        index = 0
        records = len(addresses)
        first = NO_RECORD
        if self._tail:
            joined = self._tail + joined
            first = self._tail_first
        payload = memoryview(joined)
        length = len(joined)
        while position < length:
            # `index` is the first record at or behind this page.
            while index < records and addresses[index] < address:
                index += 1
            if first == NO_RECORD and index < records and addresses[index] < address + PAGE_SIZE:
                first = addresses[index] & PAGE_MASK
            piece = payload[position : position + PAGE_PAYLOAD]
            position += PAGE_PAYLOAD
            crc = build_page(
                pieces, piece, self._flags, first, address, boundary(on_disk), self._chain, self._life, self._log_id
            )
            if self._rewrites and len(piece) < PAGE_PAYLOAD:
                self._tail = bytes(piece)
                self._tail_first = first
            else:
                self._tail = b""
                self._chain = crc
                self._flags = 0
            first = NO_RECORD
            address += PAGE_SIZE
        return pieces


class LogWriter:
    """Writes takes to the copies, one step at a time."""

    def __init__(
        self,
        buffer: LogBuffer,
        framer: PageFramer,
        extents: ExtentTable,
        copies: LogCopies,
        counters: LogCounters,
        monotonic: Callable[[], float],
        time: Callable[[], float],
    ) -> None:
        # Held while pages are written: its holder sees no page half written.
        self.io_lock = threading.Lock()
        self._buffer = buffer
        self._framer = framer
        self._extents = extents
        self._copies = copies
        self._counters = counters
        self._monotonic = monotonic
        self._time = time

    def write(self, taken: Take) -> None:
        """Make a take durable on every copy."""
        buffer = self._buffer
        counters = self._counters
        pieces = self._framer.frame(taken, buffer.on_disk)
        pages = len(pieces) // PIECES
        start = page_start(taken.start)
        self._extents.ensure(start + pages * PAGE_SIZE)
        writes = self._plan(start, pages, pieces)
        counters.pages_created += pages
        if boundary(taken.start) & PAGE_MASK:
            counters.pages_rewritten += 1
        copies = len(self._copies.copies)
        counters.io_requests += len(writes) * copies
        counters.pages_written += pages * copies
        with self.io_lock:
            self._copies.write(writes, taken.end)
        buffer.written(taken)
        counters.buffer_writes += 1
        if taken.requested:
            self._count_suspension(taken, pages, writes[-1].slot)

    def _plan(self, start: int, pages: int, pieces: list[bytes | memoryview]) -> list[PageWrite]:
        """Cut pages into writes that neither cross a file's end nor exceed the most pages of an I/O."""
        writes = []
        extent_bytes = self._extents.extent_bytes
        index = 0
        while index < pages:
            address = start + index * PAGE_SIZE
            offset = address % extent_bytes
            some = min(pages - index, WRITE_PAGES, (extent_bytes - offset) // PAGE_SIZE)
            data = b"".join(pieces[index * PIECES : (index + some) * PIECES])
            writes.append(PageWrite(self._extents.slot_of(address), offset, data))
            index += some
        return writes

    def _count_suspension(self, taken: Take, pages: int, slot: int) -> None:
        seconds = self._monotonic() - taken.requested
        for copy in self._copies.copies:
            io = copy.counters.class_of(pages)
            io.suspended += seconds
            if seconds > io.longest_suspended:
                io.longest_suspended = seconds
                io.longest_suspended_when = self._time()
                io.longest_suspended_file = file_name(slot)
