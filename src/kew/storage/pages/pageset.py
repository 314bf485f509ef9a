"""A page set: a file of pages with a header, space maps, and a rule for growing.

Page 0 is the header. The page begins as the header of every file does (`storage/fileheader.py`), then:

    offset  bytes  field
       128      4  pages when it was made
       132      1  expansion: 0 NONE, 1 USER, 2 SYSTEM
       133      3  unused
       136      4  secondary extent in pages (EXPAND(USER))
       140      4  unused
       144      8  log address before which this file needs no log (set when it is made or restored)
       152     16  of page set 0: a bit for each page set that was ever in use; 0 where that was not noted yet

The number of pages is that of the file, so growing needs no log record: a page beyond the end that restart has to write
makes the file longer again.
"""

import time
from collections.abc import Callable
from struct import Struct
from typing import Final

from kew.storage.buffers.doublewrite import DoubleWrite
from kew.storage.buffers.frame import Frame
from kew.storage.buffers.pagefile import PageFile, seal
from kew.storage.buffers.pool import BufferPool
from kew.storage.disk import Disk, DiskError, File
from kew.storage.fileheader import BODY, PAGE_SET, Identity, check_owner, header_page, read_header
from kew.storage.page import PAGE_HEADER, PAGE_HEADER_SIZE, PAGE_SIZE, SPACE_MAP
from kew.storage.pages.spacemap import GROUP, SpaceMap, map_page_of
from kew.storage.stall import Damaged, Stall

EXPAND_NONE: Final = 0
EXPAND_USER: Final = 1
EXPAND_SYSTEM: Final = 2
EXPAND_NAMES: Final = ("NONE", "USER", "SYSTEM")

MAXIMUM_PAGES: Final = 16 * 1024 * 1024  # 64 GB
MINIMUM_PAGES: Final = 16
RETRY_SECONDS: Final = 5.0  # after which a page set that the device had no room for tries to grow again

_FIELDS: Final = Struct("<IB3xI4xQ16s")
_SETS: Final = 16  # bytes of the bits of page sets


def header_image(
    number: int, pages: int, expand: int, secondary: int, address: int, owner: Identity, used: int = 0
) -> bytes:
    """Make the header page; `used` has a bit for each page set that was ever in use."""
    fields = _FIELDS.pack(pages, expand, secondary, address, used.to_bytes(_SETS, "little"))
    return header_page(PAGE_SET, owner, number, fields)


def never_in_use(image: bytes, number: int) -> bool:
    """Say whether, by the header of page set 0, another page set was never in use."""
    if len(image) < PAGE_SIZE or seal(image) != image:
        return False
    _pages, _expand, _secondary, address, sets = _FIELDS.unpack_from(image, BODY)
    used = int.from_bytes(sets, "little")
    # One that was put back from a backup may not know of the newest.
    return used != 0 and address == 0 and not used >> number & 1


def check_page_set(path: str, number: int, file: File, owner: Identity) -> None:
    """Refuse a file that is not this page set of this queue manager; a damaged one is accepted."""

    def behind() -> bool:
        page = file.pread(PAGE_SIZE, map_page_of(0) * PAGE_SIZE)
        return len(page) == PAGE_SIZE and not PageFile(number, path, file).check(map_page_of(0), page)

    found = read_header(path, file.pread(PAGE_SIZE, 0), PAGE_SET, number, behind)
    if found is not None:
        check_owner(path, found, owner)


def with_recovery_address(image: bytes, address: int) -> bytes:
    """Change a header page so that restart applies the log from an address on."""
    page = bytearray(image)
    pages, expand, secondary, _address, used = _FIELDS.unpack_from(page, BODY)
    _FIELDS.pack_into(page, BODY, pages, expand, secondary, address, used)
    return seal(bytes(page))


class PageSet(PageFile):
    """A page set that is in use."""

    def __init__(self, number: int, path: str, file: File, pool: BufferPool, owner: Identity) -> None:
        super().__init__(number, path, file)
        self.pool = pool
        self.owner = owner
        self.created_pages = 0
        self.expand = EXPAND_NONE
        self.secondary = 0
        self.recover_from = 0
        self.used = 0  # of page set 0: a bit for each page set that was ever in use
        self.space = SpaceMap(0)
        self.maps: list[Frame] = []
        self.expansions = 0
        self.failed_expansions = 0
        self.clock: Callable[[], float] = time.monotonic
        self.grows_again = 0.0  # when it tries to grow next, after an attempt for which the device had no room
        pool.attach(self)

    @staticmethod
    def create(
        disk: Disk, path: str, number: int, pages: int, expand: int, secondary: int, owner: Identity, address: int
    ) -> None:
        """Make the file of a new page set; it exists whole or not at all."""
        draft = path + ".new"
        file = disk.open(draft, create=True)
        file.truncate(0)
        file.allocate(pages * PAGE_SIZE)
        file.pwrite(header_image(number, pages, expand, secondary, address, owner), 0)
        space = SpaceMap(pages)
        for group in range(space.groups()):
            page = bytearray(PAGE_SIZE)
            PAGE_HEADER.pack_into(page, 0, 0, SPACE_MAP, number, map_page_of(group), 0, 0)
            page[PAGE_HEADER_SIZE:] = space.image(group)
            file.pwrite(seal(bytes(page)), map_page_of(group) * PAGE_SIZE)
        file.sync()
        file.close()
        disk.rename(draft, path)
        disk.sync_directory(path.rpartition("/")[0])

    def open_header(self) -> None:
        """Read and check the header page."""
        check_page_set(self.path, self.id, self.file, self.owner)
        image = self.read_checked(0)
        fields = _FIELDS.unpack_from(image, BODY)
        self.created_pages, self.expand, self.secondary, self.recover_from, used = fields
        self.used = int.from_bytes(used, "little")

    def rewrite_header(self) -> None:
        """Write the header page unchanged and sync, to learn whether the device takes writes before one is needed."""
        self.file.pwrite(self.file.pread(PAGE_SIZE, 0), 0)
        self.file.sync()

    def open_maps(self) -> None:
        """Read the space maps."""
        self.space = SpaceMap(max(self.file.size() // PAGE_SIZE, self.created_pages))
        self.maps = []
        for group in range(self.space.groups()):
            frame = self._new_map_frame(group)
            pages = self.read_pages(map_page_of(group), 1)
            if map_page_of(group) >= self.created_pages and (not pages or not any(pages[0])):
                continue  # the file grew here and the map was not yet written
            if not pages:
                raise Damaged(self.path, map_page_of(group), "the file ends before it")
            image = pages[0]
            why = self.check(map_page_of(group), image)
            if why:
                raise Damaged(self.path, map_page_of(group), why)
            frame.address = PAGE_HEADER.unpack_from(image)[5]
            self.space.load(group, image[PAGE_HEADER_SIZE:])

    def _new_map_frame(self, group: int) -> Frame:
        # Map frames are outside the pool's count: their slots are negative and never those of a pool's frame.
        frame = Frame(-1 - self.id * 65536 - group)
        frame.file = self.id
        frame.number = map_page_of(group)
        frame.kind = SPACE_MAP
        self.maps.append(frame)
        return frame

    def image(self, frame: Frame) -> bytes:
        """Give a page as bytes; those of a map page are made from the space map."""
        if frame.kind == SPACE_MAP:
            frame.view[PAGE_HEADER_SIZE:] = self.space.image(frame.number // GROUP)
        return super().image(frame)

    def recovered(self, double: DoubleWrite) -> None:
        """Note in the header that the page set is recovered and needs no older log."""
        self.recover_from = 0
        self._write_header(double)

    def note_used(self, numbers: list[int], double: DoubleWrite) -> None:
        """Note in the header of page set 0 which page sets are in use, in addition to those noted before."""
        used = self.used
        for number in numbers:
            used |= 1 << number
        if used != self.used:
            self.used = used
            self._write_header(double)

    def _write_header(self, double: DoubleWrite) -> None:
        image = header_image(
            self.id, self.created_pages, self.expand, self.secondary, self.recover_from, self.owner, self.used
        )
        double.protect([image])
        self.file.pwrite(image, 0)
        self.file.sync()

    def forget_pages(self) -> None:
        """Drop every page in memory, since the file is not used any more."""
        for number in self.in_memory():
            self.pool.discard(self, number)
        for frame in self.maps:
            self.pool.forget(frame)

    def touch_map(self, first: int, count: int, address: int, before: int) -> None:
        """Note a logged change of the states of some pages."""
        for group in range(first // GROUP, (first + count - 1) // GROUP + 1):
            self.pool.touch(self.maps[group], address, before)

    def cover(self, number: int) -> None:
        """Make sure that the map describes a page (restart may meet pages beyond the end of the file)."""
        if number >= self.space.pages:
            self._grown(number + 1)

    def _grown(self, pages: int) -> None:
        self.space.extend(pages)
        while len(self.maps) < self.space.groups():
            self._new_map_frame(len(self.maps))

    def may_expand(self) -> bool:
        """Say whether the page set may become larger; after an attempt that failed, not for some seconds."""
        if self.expand == EXPAND_NONE or self.space.pages >= MAXIMUM_PAGES:
            return False
        return not self.grows_again or self.clock() >= self.grows_again

    def expansion(self) -> int:
        """Give the number of pages by which the page set would grow."""
        if self.expand == EXPAND_USER and self.secondary:
            step = self.secondary
        else:
            step = max(self.space.pages // 10, 256)
        return min(step, MAXIMUM_PAGES - self.space.pages)


class PageSetMustGrow(Stall):
    """A page set is full and may expand."""

    def __init__(self, page_set: PageSet, wanted: int) -> None:
        super().__init__(f"page set {page_set.id} must expand")
        self.page_set = page_set
        self.wanted = wanted
        self.pages = page_set.space.pages

    def resolve(self) -> None:
        """Make the file longer, then describe the new pages."""
        page_set = self.page_set
        step = max(page_set.expansion(), self.wanted)
        pages = min(self.pages + step, MAXIMUM_PAGES)
        try:
            page_set.file.allocate(pages * PAGE_SIZE)
        except DiskError:
            with page_set.pool.lock:
                page_set.failed_expansions += 1
                # The verb will now report that the page set is full; a later one finds out whether there is room again.
                page_set.grows_again = page_set.clock() + RETRY_SECONDS
            return
        try:
            # Before the new pages are described: a map must not speak of pages that the file has lost.
            page_set.file.sync()
        except DiskError as failure:
            # It may have taken the error of pages that the deferred writer is about to sync, which would then seem
            # to be on disk.
            if page_set.pool.emptier is not None:
                page_set.pool.emptier.fail(failure)
            raise
        with page_set.pool.lock:
            if page_set.space.pages < pages:
                page_set._grown(pages)
                page_set.expansions += 1
                page_set.grows_again = 0.0
