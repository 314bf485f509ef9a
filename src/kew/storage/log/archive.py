"""Archive logs: copies of full extents of a linear log, kept after the active file is used again.

An archive file is a header and the extent, page for page, under the extent's number. The file is written under a
temporary name, synced, renamed, and its directory synced, before the bootstrap file names it with the checksum of all
of its pages. A crash between these steps leaves at worst a file that is written again.
"""

import contextlib
import posixpath
import threading
from typing import Final

from kew.storage.checksum import crc32
from kew.storage.clock import Clock
from kew.storage.disk import Disk, DiskError
from kew.storage.fileheader import ARCHIVE, BehindHeader, header_page
from kew.storage.log.active import ActivePages
from kew.storage.log.bootstrap import Bootstrap
from kew.storage.log.counters import LogCounters
from kew.storage.log.errors import LogDamaged, LogError
from kew.storage.log.notices import ARCHIVED, CANNOT_ARCHIVE, Notices
from kew.storage.log.page import check_page, follows
from kew.storage.logaddress import PAGE_SIZE

CHUNK_PAGES: Final = 256
OPEN_FILES: Final = 4
# Seconds between two messages that the archive takes nothing.
TOLD_EVERY: Final = 60.0


def archive_name(number: int) -> str:
    """Return the name of an extent's archive."""
    return f"A{number:07d}.LOG"


class ArchiveStore:
    """The archive directory of a log."""

    def __init__(
        self,
        disk: Disk,
        directory: str,
        bootstrap: Bootstrap,
        extent_bytes: int,
        counters: LogCounters,
        notices: Notices,
        clock: Clock,
    ) -> None:
        # Why the archive took no extent the last time, empty where it did.
        self.trouble = ""
        self._clock = clock
        self._told_at = -TOLD_EVERY
        self._disk = disk
        self._directory = directory
        self._bootstrap = bootstrap
        self._extent_bytes = extent_bytes
        self._counters = counters
        self._notices = notices
        self._lock = threading.Lock()
        self._open: dict[int, BehindHeader] = {}

    def path(self, number: int) -> str:
        """Return the path of an extent's archive."""
        return posixpath.join(self._directory, archive_name(number))

    def path_of(self, address: int) -> str:
        """Return the path of the archive of an address."""
        return self.path(address // self._extent_bytes)

    def holds(self, address: int) -> bool:
        """Return whether the extent of an address is archived."""
        return address // self._extent_bytes in self._bootstrap.state.archives

    def offload(self, number: int, active: ActivePages) -> bool:
        """Archive a full extent; if the device fails, the operator is notified and the extent stays active."""
        path = self.path(number)
        temporary = path + ".NEW"
        try:
            self._disk.make_directory(self._directory)
            crc = self._write(number, active, temporary)
            self._disk.rename(temporary, path)
            self._disk.sync_directory(self._directory)
        except DiskError as error:
            self._counters.archive_failures += 1
            self.trouble = f"the archive {self._directory} takes no log file: {error.detail}"
            now = self._clock.monotonic()
            if now - self._told_at >= TOLD_EVERY:
                self._told_at = now
                self._notices.tell(CANNOT_ARCHIVE, (error.errno or 0,), (path, str(error)))
            with contextlib.suppress(DiskError):
                self._disk.remove(temporary)
            return False
        self.trouble = ""
        with self._bootstrap.lock:
            self._bootstrap.state.archives[number] = crc
            self._bootstrap.save()
        self._counters.archive_writes += 1
        self._counters.pages_offloaded += self._extent_bytes // PAGE_SIZE
        first = number * self._extent_bytes
        self._notices.tell(ARCHIVED, (), (path, f"{first:#018x}", f"{first + self._extent_bytes - 1:#018x}"))
        return True

    def _write(self, number: int, active: ActivePages, path: str) -> int:
        file = BehindHeader(self._disk.open(path, create=True))
        try:
            file.truncate(0)
            file.write_header(header_page(ARCHIVE, self._bootstrap.state.owner, number))
            file.allocate(self._extent_bytes)
            crc = 0
            start = number * self._extent_bytes
            for offset in range(0, self._extent_bytes, CHUNK_PAGES * PAGE_SIZE):
                data = self._checked(start + offset, active)
                crc = crc32(data, crc)
                file.pwrite(data, offset)
            file.sync()
        finally:
            file.close()
        return crc

    def _checked(self, address: int, active: ActivePages) -> bytes:
        data = active.chunk(address, CHUNK_PAGES)
        pages = []
        for offset in range(0, len(data), PAGE_SIZE):
            header = check_page(data, offset)
            if header is not None and header.address == address + offset:
                pages.append(data[offset : offset + PAGE_SIZE])
            else:
                pages.append(active.page(address + offset))
        return b"".join(pages)

    def chunk(self, address: int, pages: int) -> bytes:
        """Return up to that many pages from `address` on, unchecked."""
        number = address // self._extent_bytes
        offset = address % self._extent_bytes
        length = min(pages * PAGE_SIZE, self._extent_bytes - offset)
        return self._file(number, address).pread(length, offset)

    def page(self, address: int, log_id: int) -> bytes:
        """Return the page at `address`, checked."""
        data = self.chunk(address, 1)
        header = check_page(data, 0)
        if header is None or not follows(header, address, log_id, None):
            path = self.path(address // self._extent_bytes)
            raise LogDamaged(path, address, "the archived page cannot be read back", address % self._extent_bytes)
        return data

    def verify(self, number: int) -> bool:
        """Return whether all pages of an archive file are as they were written."""
        crc = 0
        start = number * self._extent_bytes
        for offset in range(0, self._extent_bytes, CHUNK_PAGES * PAGE_SIZE):
            crc = crc32(self.chunk(start + offset, CHUNK_PAGES), crc)
        return crc == self._bootstrap.state.archives.get(number)

    def remove(self, number: int) -> None:
        """Forget an archive and then remove its file."""
        with self._bootstrap.lock:
            if self._bootstrap.state.archives.pop(number, None) is None:
                raise LogError(f"extent {number} is not archived")
            self._bootstrap.save()
        with self._lock:
            file = self._open.pop(number, None)
            if file is not None:
                file.close()
        self._disk.remove(self.path(number))
        self._disk.sync_directory(self._directory)

    def _file(self, number: int, address: int) -> BehindHeader:
        with self._lock:
            file = self._open.get(number)
            if file is None:
                try:
                    file = BehindHeader(self._disk.open(self.path(number)))
                except DiskError as error:
                    raise LogDamaged(self.path(number), address, str(error)) from error
                self._counters.archive_reads += 1
                while len(self._open) >= OPEN_FILES:
                    # Closing is left to the last reader: another thread may be in the middle of a read.
                    del self._open[next(iter(self._open))]
                self._open[number] = file
            return file

    def close(self) -> None:
        """Close the files."""
        with self._lock:
            for file in self._open.values():
                file.close()
            self._open.clear()
