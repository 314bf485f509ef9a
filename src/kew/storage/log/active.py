"""Reads the active log files; the second copy replaces pages that the first has lost."""

from kew.storage.log.bootstrap import FREE
from kew.storage.log.copies import LogCopy
from kew.storage.log.errors import LogDamaged
from kew.storage.log.extents import ExtentTable
from kew.storage.log.notices import COPY_REPAIRED, Notices
from kew.storage.log.page import check_page, follows
from kew.storage.log.writer import LogWriter
from kew.storage.logaddress import PAGE_SIZE


class ActivePages:
    """The pages in the active log files."""

    def __init__(
        self, copies: list[LogCopy], extents: ExtentTable, log_id: int, writer: LogWriter, notices: Notices
    ) -> None:
        self._copies = copies
        self._extents = extents
        self._log_id = log_id
        self._writer = writer
        self._notices = notices

    def holds(self, address: int) -> bool:
        """Return whether an active file holds an address."""
        return self._extents.slot_of(address) != FREE

    def path(self, address: int) -> str:
        """Return the file of the first copy that holds an address."""
        return self._copies[0].path(self._extents.slot_of(address))

    def chunk(self, address: int, pages: int) -> bytes:
        """Return up to that many pages from `address` on, unchecked, from the file that holds it."""
        extent_bytes = self._extents.extent_bytes
        offset = address % extent_bytes
        length = min(pages * PAGE_SIZE, extent_bytes - offset)
        return self._copies[0].read(self._extents.slot_of(address), offset, length)

    def page(self, address: int) -> bytes:
        """Return the page at `address`, checked, from any copy that has it; copies that have lost it are repaired."""
        # With SingleWrite the last page may have been in the middle of being written again; not so under this lock.
        with self._writer.io_lock:
            return self._page(address)

    def _page(self, address: int) -> bytes:
        slot = self._extents.slot_of(address)
        offset = address % self._extents.extent_bytes
        bad = []
        good = b""
        for copy in self._copies:
            data = copy.read(slot, offset, PAGE_SIZE)
            if self._valid(data, address):
                good = good or data
            else:
                bad.append(copy)
        if not good:
            raise LogDamaged(self._copies[0].path(slot), address, "the page cannot be read back", offset)
        for copy in bad:
            copy.rewrite(slot, offset, good)
            copy.sync(slot)
            self._notices.tell(COPY_REPAIRED, (copy.number, 1), (copy.path(slot), f"{address:#018x}"))
        return good

    def _valid(self, data: bytes, address: int) -> bool:
        header = check_page(data, 0)
        return header is not None and follows(header, address, self._log_id, None)
