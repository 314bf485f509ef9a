"""Page sets at a start: opened, or set aside with the rest of the queue manager going on without them."""

from collections.abc import Mapping

from kew.codes.messages import Notices
from kew.qmgr.places import Places
from kew.storage.buffers.pool import BufferPool
from kew.storage.disk import Disk
from kew.storage.fileheader import Identity
from kew.storage.pages.pageset import PageSet
from kew.storage.stall import Damaged


class PageSetFiles:
    """The files of a queue manager's page sets."""

    def __init__(
        self, disk: Disk, owner: Identity, places: Places, pools: Mapping[int, BufferPool], notices: Notices
    ) -> None:
        self._disk = disk
        self._owner = owner
        self._places = places
        self._pools = pools  # by the number of the page set
        self._notices = notices
        self.lost: dict[int, str] = {}  # page sets that could not be used, and why

    def open(self, new: bool) -> dict[int, PageSet]:
        """Open the files; one that is missing is lost, but of a new queue manager all must be there."""
        found: dict[int, PageSet] = {}
        for number, pool in sorted(self._pools.items()):
            path = self._places.page_set(number)
            if not self._disk.exists(path):
                if new:
                    raise Damaged(path, 0, f"the file of page set {number} is missing")
                self.lost[number] = "the file is missing"
                self._notices.tell("CSQP903E", (number,), (path,))
                continue
            page_set = PageSet(number, path, self._disk.open(path), pool, self._owner)
            found[number] = page_set
        return found

    def open_maps(self, page_sets: dict[int, PageSet]) -> None:
        """Read headers and space maps; takes those that are damaged out of `page_sets`."""
        for number, page_set in list(page_sets.items()):
            try:
                page_set.open_header()
                page_set.open_maps()
            except Damaged as damage:
                del page_sets[number]
                self.lose(page_set, damage)

    def lose(self, page_set: PageSet, damage: Damaged) -> None:
        """Keep a damaged page set aside under another name, and go on without it."""
        aside = page_set.path + ".damaged"
        self._notices.tell("CSQP901E", (page_set.id, damage.page), (page_set.path,))
        page_set.file.close()
        self._disk.rename(page_set.path, aside)
        self._disk.sync_directory(self._places.page_sets)
        self._notices.tell("CSQP902W", (page_set.id,), (page_set.path, aside))
        self.lost[page_set.id] = damage.why
        page_set.forget_pages()
