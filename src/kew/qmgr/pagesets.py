"""Page sets at a start: opens them, and sets damaged ones aside so that the queue manager starts without them."""

import posixpath
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kew.codes.messages import Notices
from kew.qmgr.files import Places
from kew.qmgr.loading import CATALOGUE_PAGE_SET
from kew.storage.buffers.pool import BufferPool
from kew.storage.disk import Disk, DiskError
from kew.storage.fileheader import Identity, first_page
from kew.storage.logaddress import NO_ADDRESS
from kew.storage.page import PAGE_SIZE
from kew.storage.pages.pageset import EXPAND_SYSTEM, PageSet, never_in_use
from kew.storage.stall import Damaged

PAUSES: Final = (0.1, 0.4, 0.0)  # seconds before a page set is opened again whose device has failed


@dataclass(frozen=True)
class PageSetSettings:
    """The size, growth and buffer pool of a page set."""

    pages: int = 1024
    expand: int = EXPAND_SYSTEM
    secondary: int = 0
    pool: int = 0


class PageSetFiles:
    """The files of a queue manager's page sets."""

    def __init__(
        self,
        disk: Disk,
        owner: Identity,
        places: Places,
        pools: Mapping[int, BufferPool],
        wanted: Mapping[int, PageSetSettings],
        notices: Notices,
    ) -> None:
        self._disk = disk
        self._wanted = wanted
        self._owner = owner
        self._places = places
        self._pools = pools  # by the number of the page set
        self._notices = notices
        self.lost: dict[int, str] = {}  # lost page sets, with the reason

    def open(self, new: bool) -> dict[int, PageSet]:
        """Open the files; a missing file is created if its page set was never in use, else the page set is lost."""
        found: dict[int, PageSet] = {}
        for number, pool in sorted(self._pools.items()):
            path = self._places.page_set(number)
            if not self._disk.exists(path) and number and (new or self._never_in_use(number)):
                self._make(number, path)
            if not self._disk.exists(path):
                if new:
                    raise Damaged(path, 0, f"the file of page set {number} is missing")
                self.lost[number] = "the file is missing"
                self._notices.tell("CSQP903E", (number,), (path,))
                continue
            page_set = PageSet(number, path, self._disk.open(path), pool, self._owner)
            try:
                self._check_device(page_set)
            except DiskError as failure:
                self._lose_device(page_set, failure)
            else:
                found[number] = page_set
        return found

    def _never_in_use(self, number: int) -> bool:
        first = self._places.page_set(0)
        return self._disk.exists(first) and never_in_use(first_page(self._disk, first), number)

    def _make(self, number: int, path: str) -> None:
        """Create the file of a page set that is new in qm.ini."""
        wanted = self._wanted[number]
        self._disk.make_directory(posixpath.dirname(path))
        PageSet.create(self._disk, path, number, wanted.pages, wanted.expand, wanted.secondary, self._owner, NO_ADDRESS)
        self._notices.tell("CSQP906I", (number, wanted.pages), (path,))

    def _apply_settings(self, page_set: PageSet) -> None:
        """Apply the settings of qm.ini to a page set: its growth, and its initial size."""
        wanted = self._wanted[page_set.id]
        page_set.expand, page_set.secondary = wanted.expand, wanted.secondary
        have = page_set.file.size() // PAGE_SIZE
        if wanted.pages < page_set.created_pages:
            self._notices.tell("CSQP907W", (page_set.id, have, wanted.pages), (page_set.path,))
        if wanted.pages <= have:
            return
        try:
            page_set.file.allocate(wanted.pages * PAGE_SIZE)
            page_set.file.sync()
        except DiskError as failure:
            self._notices.tell("CSQP908E", (page_set.id, wanted.pages), (page_set.path, str(failure)))
            if not failure.full:
                raise

    def open_maps(self, page_sets: dict[int, PageSet]) -> None:
        """Read headers and space maps; removes damaged page sets, and those with failing devices, from `page_sets`."""
        for number, page_set in list(page_sets.items()):
            try:
                page_set.open_header()
                self._apply_settings(page_set)
                page_set.open_maps()
            except Damaged as damage:
                del page_sets[number]
                self.lose(page_set, damage)
            except DiskError as failure:
                del page_sets[number]
                self._lose_device(page_set, failure)

    def _lose_device(self, page_set: PageSet, failure: DiskError) -> None:
        """Continue without a page set whose device fails; raise the error for page set 0, which has the definitions."""
        if failure.full or page_set.id == CATALOGUE_PAGE_SET:
            raise failure
        self._notices.tell("CSQP004E", (), (failure.path, str(failure)))
        self.lose(page_set, Damaged(page_set.path, 0, str(failure)))

    def _check_device(self, page_set: PageSet) -> None:
        """Read and write the header of a page set, to check the device; after a failure, retry with pauses."""
        for pause in PAUSES:
            try:
                page_set.rewrite_header()
                return
            except DiskError as failure:
                if failure.full or not pause:
                    raise
                time.sleep(pause)

    def lose(self, page_set: PageSet, damage: Damaged) -> None:
        """Rename the file of a damaged page set, and continue without that page set."""
        aside = page_set.path + ".damaged"
        self._notices.tell("CSQP901E", (page_set.id, damage.page), (page_set.path,))
        page_set.file.close()
        self._disk.rename(page_set.path, aside)
        self._disk.sync_directory(self._places.page_sets)
        self._notices.tell("CSQP902W", (page_set.id,), (page_set.path, aside))
        self.lost[page_set.id] = damage.why
        page_set.forget_pages()
