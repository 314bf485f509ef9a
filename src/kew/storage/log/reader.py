"""Reading the log: records in order, from active files and archives alike."""

from typing import Final

from kew.storage.clock import Clock
from kew.storage.log.active import ActivePages
from kew.storage.log.archive import ArchiveStore
from kew.storage.log.counters import LogCounters
from kew.storage.log.errors import LogDamaged, LogError
from kew.storage.log.page import FRESH, NO_RECORD, check_page, follows
from kew.storage.log.record import RECORD_HEADER, RECORD_LIMIT, UNCHECKED_PART, LogRecord, parse
from kew.storage.logaddress import PAGE_HEADER, PAGE_MASK, PAGE_SIZE, boundary, page_start

CHUNK_PAGES: Final = 256


class PageSource:
    """The pages of the log, in active files or archives."""

    def __init__(
        self, active: ActivePages, archive: ArchiveStore, log_id: int, clock: Clock, counters: LogCounters
    ) -> None:
        self.log_id = log_id
        self._active = active
        self._archive = archive
        self._clock = clock
        self._counters = counters

    def chunk(self, address: int, pages: int) -> bytes:
        """Return up to that many pages from the page at `address` on, unchecked."""
        counters = self._counters
        started = self._clock.monotonic()
        if self._active.holds(address):
            data = self._active.chunk(address, pages)
            counters.reads_active += 1
        elif self._archive.holds(address):
            data = self._archive.chunk(address, pages)
            counters.reads_archive += 1
        else:
            raise LogError(f"log address {address:#018x} is in no log file and in no archive")
        counters.read_seconds += self._clock.monotonic() - started
        counters.read_bytes += len(data)
        counters.read_pages += len(data) // PAGE_SIZE
        return data

    def page(self, address: int) -> bytes:
        """Return the page at `address`, checked, where `chunk` gave an invalid one; else LogDamaged."""
        if self._active.holds(address):
            return self._active.page(address)
        if self._archive.holds(address):
            return self._archive.page(address, self.log_id)
        raise LogError(f"log address {address:#018x} is in no log file and in no archive")

    def path(self, address: int) -> str:
        """Return the file that holds an address."""
        if self._active.holds(address):
            return self._active.path(address)
        return self._archive.path_of(address)


class RecordReader:
    """An iterator over the records that start at or behind an address and before an end."""

    def __init__(self, source: PageSource, start: int, end: int, pages: int) -> None:
        self._source = source
        self._end = end
        # No page from here on has anything before the end.
        self._page_limit = boundary(end)
        self._pages = pages
        self._chunk = b""
        self._chunk_start = 0
        # The current page: its address, its place in the chunk, the read position in it and the end of its payload.
        self._page = -1
        self._base = 0
        self._position = 0
        self._page_end = 0
        self._flags = 0
        self._first = 0
        self._start = start

    def __iter__(self) -> "RecordReader":
        return self

    def __next__(self) -> LogRecord:
        record = self.next_record()
        if record is None:
            raise StopIteration
        return record

    def next_record(self) -> LogRecord | None:
        """Return the next record, or None at the end."""
        if self._page < 0:
            if self._start >= self._end or not self._load(page_start(self._start)):
                return None
            self._position = self._start & PAGE_MASK
            if self._position < PAGE_HEADER:
                # Only a page is named: begin with the first record that starts in it, or in one behind it.
                while self._first == NO_RECORD:
                    if not self._load(self._page + PAGE_SIZE):
                        return None
                self._position = self._first
        while True:
            if self._position >= self._page_end:
                if not self._load(self._page + PAGE_SIZE):
                    return None
                continue
            address = self._page + self._position
            if address >= self._end:
                return None
            header = self._gather(RECORD_HEADER)
            if header is None:
                if self._position:
                    continue
                return None
            size, _ = UNCHECKED_PART.unpack_from(header)
            if not RECORD_HEADER <= size <= RECORD_LIMIT:
                raise self._damage(address, f"a record of {size} bytes")
            payload = self._gather(size - RECORD_HEADER)
            if payload is None:
                if self._position:
                    continue
                return None
            record = parse(address, header, payload)
            if record is None:
                raise self._damage(address, "the checksum of the record is wrong")
            return record

    def _gather(self, size: int) -> bytes | None:
        """Return the next bytes of a record, from as many pages as it takes.

        Returns None where the record was never finished. The position is then 0 at the end of the log, and otherwise
        at the start of the life that came after.
        """
        position = self._position
        if position + size <= self._page_end:
            self._position = position + size
            base = self._base + position
            return self._chunk[base : base + size]
        parts = []
        while True:
            some = min(size, self._page_end - self._position)
            base = self._base + self._position
            parts.append(self._chunk[base : base + some])
            self._position += some
            size -= some
            if size == 0:
                return b"".join(parts)
            full = self._page_end == PAGE_SIZE
            address = self._page
            if not self._load(address + PAGE_SIZE):
                self._position = 0
                return None
            if self._flags & FRESH:
                return None
            if not full:
                raise self._damage(address, "a record continues behind a page that is not full")

    def _load(self, address: int) -> bool:
        """Move to the start of a page; return False where the log ends before it."""
        if address >= self._page_limit:
            return False
        offset = address - self._chunk_start
        if not 0 <= offset < len(self._chunk):
            self._chunk = self._source.chunk(address, self._pages)
            self._chunk_start = address
            self._pages = min(self._pages * 4, CHUNK_PAGES)
            offset = 0
        header = check_page(self._chunk, offset)
        if header is None or not follows(header, address, self._source.log_id, None):
            good = self._source.page(address)
            self._chunk = good
            self._chunk_start = address
            offset = 0
            header = check_page(good, 0)
            if header is None:
                raise self._damage(address, "the page cannot be read back")
        self._page = address
        self._base = offset
        self._position = PAGE_HEADER
        self._page_end = PAGE_HEADER + header.used
        self._flags = header.flags
        self._first = header.first
        return True

    def _damage(self, address: int, reason: str) -> LogDamaged:
        return LogDamaged(self._source.path(address), address, reason)
