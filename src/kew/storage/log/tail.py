"""The scan for the end of the log when it is opened.

The end is where the chain of pages ends: the first page, from the oldest that restart needs, that on no copy is the
valid successor of the page before it. After a crash that page is either the torn tail of a write that was never
acknowledged, or damage to an acknowledged one. Three sources tell them apart: the bootstrap file says how far the log
was durable when the file was saved; every page says how far the log was durable when the page was built; and a clean
shutdown says where the log ended. If the bad page lies before the durable end by any of them, the page is damaged.

The scan looks for such pages behind the bad page, as far as pages that were built after the bad page became durable can
lie, and somewhat further. A page of a tail that an earlier restart discarded cannot mislead: it was built when the log
was durable no further than that restart found its end.

The pages that the scan reads may be in the page cache only, and not on the device: a process that died between write
and sync, or with a failed sync, leaves such pages. So all that lies behind the last page's durable address is written
again, unchanged, and synced, before it is acknowledged.
"""

from typing import Final

from kew.storage.log.bootstrap import FREE, BootstrapState
from kew.storage.log.copies import LogCopy
from kew.storage.log.errors import LogDamaged
from kew.storage.log.extents import ExtentTable
from kew.storage.log.notices import COPY_REPAIRED, TAIL_DISCARDED, Notices
from kew.storage.log.page import PageHeader, check_page, follows, is_blank
from kew.storage.logaddress import PAGE_SIZE

CHUNK_PAGES: Final = 256
# How far behind a bad page witnesses are looked for, at least, in pages.
WITNESS_PAGES: Final = 4096


class TailScan:
    """One scan of the active log files; after `run` its attributes have the results."""

    def __init__(
        self, state: BootstrapState, extents: ExtentTable, copies: list[LogCopy], buffer_pages: int, notices: Notices
    ) -> None:
        # The address of the first page behind the log, and the last page of it, if there is one.
        self.end = 0
        self.last: PageHeader | None = None
        self.scanned = 0
        self._state = state
        self._extents = extents
        self._copies = copies
        self._witness_pages = max(4 * buffer_pages, WITNESS_PAGES)
        self._notices = notices
        self._repaired: list[int] = [0] * len(copies)
        self._first_repaired: list[tuple[str, int]] = [("", 0)] * len(copies)
        self._touched: set[tuple[int, int]] = set()

    def run(self, start: int) -> None:
        """Find the end, scanning from the page at `start`, and bring the copies in line."""
        self.end = start
        if start:
            self._find_predecessor(start - PAGE_SIZE)
        while self._scan_chunk():
            pass
        self._judge()
        self._settle()
        for index, pages in enumerate(self._repaired):
            if pages:
                path, address = self._first_repaired[index]
                self._notices.tell(COPY_REPAIRED, (self._copies[index].number, pages), (path, f"{address:#018x}"))

    def _find_predecessor(self, address: int) -> None:
        """Begin the chain with the page before the scan, where a file still holds it."""
        for data in self._read(address, 1):
            page = check_page(data, 0)
            if page is not None and follows(page, address, self._state.log_id, None):
                self.last = page

    def _scan_chunk(self) -> bool:
        """Follow the chain through the next chunk; return whether the chain continues behind the chunk."""
        address = self.end
        if self._state.clean and address >= self._state.end:
            return False
        datas = self._read(address, CHUNK_PAGES)
        if not datas:
            return False
        same = all(data == datas[0] for data in datas)
        length = len(datas[0])
        if self._state.clean:
            length = min(length, self._state.end - address)
        for offset in range(0, length, PAGE_SIZE):
            page = None
            good = b""
            for data in datas[:1] if same else datas:
                candidate = check_page(data, offset)
                if candidate is not None and follows(candidate, address + offset, self._state.log_id, self.last):
                    page = candidate
                    good = data[offset : offset + PAGE_SIZE]
                    break
            if page is None:
                return False
            if not same:
                self._repair(address + offset, offset, good, datas)
            self.last = page
            self.end += PAGE_SIZE
            self.scanned += 1
        return True

    def _read(self, address: int, pages: int) -> list[bytes]:
        """Return the same pages of every copy, unchecked; an empty list where no file holds them."""
        slot = self._extents.slot_of(address)
        if slot == FREE:
            return []
        extent_bytes = self._extents.extent_bytes
        offset = address % extent_bytes
        length = min(pages * PAGE_SIZE, extent_bytes - offset)
        return [copy.read(slot, offset, length) for copy in self._copies]

    def _repair(self, address: int, offset: int, good: bytes, datas: list[bytes]) -> None:
        slot = self._extents.slot_of(address)
        place = address % self._extents.extent_bytes
        for index, data in enumerate(datas):
            if data[offset : offset + PAGE_SIZE] != good:
                copy = self._copies[index]
                copy.rewrite(slot, place, good)
                self._touched.add((index, slot))
                if not self._repaired[index]:
                    self._first_repaired[index] = (copy.path(slot), address)
                self._repaired[index] += 1

    def _judge(self) -> None:
        """Decide whether the end of the chain is the end of the log; report a discarded tail, raise for damage."""
        end = self.end
        state = self._state
        slot = self._extents.slot_of(end)
        path = self._copies[0].path(slot) if slot != FREE else self._copies[0].directory
        place = end % self._extents.extent_bytes
        if state.clean:
            if end != state.end:
                raise LogDamaged(path, end, f"the log was closed at {state.end:#018x} and ends before it", place)
            datas = self._read(end, 1)
            for data in datas:
                page = check_page(data, 0)
                if page is not None and self.last is not None and follows(page, end, state.log_id, self.last):
                    raise LogDamaged(path, end, "the log goes on behind the end its bootstrap file names", place)
            return
        if state.durable > end:
            raise LogDamaged(path, end, f"the log was durable up to {state.durable:#018x}", place)
        if slot != FREE and not any(copy.readable(slot, place) for copy in self._copies):
            raise LogDamaged(path, end, "the device cannot read the page", place)
        discarded = 0
        address = end
        limit = end + self._witness_pages * PAGE_SIZE
        while address < limit:
            datas = self._read(address, CHUNK_PAGES)
            if not datas:
                break
            for offset in range(0, len(datas[0]), PAGE_SIZE):
                remains = 0
                for data in datas:
                    page = check_page(data, offset)
                    if page is None:
                        remains |= not is_blank(data, offset)
                    elif follows(page, address + offset, state.log_id, None):
                        remains = 1
                        if page.durable > end:
                            reason = (
                                f"the page at {page.address:#018x} says the log was durable up to {page.durable:#018x}"
                            )
                            raise LogDamaged(path, end, reason, place)
                discarded += remains
            address += len(datas[0])
        if discarded:
            self._notices.tell(TAIL_DISCARDED, (discarded * PAGE_SIZE,), (f"{end:#018x}",))

    def _settle(self) -> None:
        """Write again the pages that may never have reached the device, and sync all that was written."""
        last = self.last
        if last is not None and not self._state.clean:
            address = max(last.durable - last.durable % PAGE_SIZE, self.end - self.scanned * PAGE_SIZE)
            while address < self.end:
                pages = min(CHUNK_PAGES, (self.end - address) // PAGE_SIZE)
                datas = self._read(address, pages)
                slot = self._extents.slot_of(address)
                for index, copy in enumerate(self._copies):
                    copy.rewrite(slot, address % self._extents.extent_bytes, datas[index])
                    self._touched.add((index, slot))
                address += len(datas[0])
        for index, slot in sorted(self._touched):
            self._copies[index].sync(slot)
