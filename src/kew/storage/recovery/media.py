"""Media images: a page set written into the log, so that the log alone can bring back a page set that was lost.

An image is a run of IMAGE records of one page set. The first (flag BEGIN) says where it starts; each further one holds
pages as they are when it is appended; the last (flag END) makes it complete. Other work continues meanwhile: a page's
image is right for the log address at which the image stands, and later records are applied to it as always. The
payload:

    page set u16 | flags u16 | pages u32 | address of BEGIN u64, then `pages` whole pages

Recovery makes an empty page set file whose header says "needs the log from the BEGIN on"; the next restart does the
rest. With linear logging, the log is kept from the oldest image on that is still needed; a circular log cannot promise
that.
"""

from collections.abc import Callable
from struct import Struct
from typing import Final

from librt.threading import Lock

from kew.storage.log import Log, LogAddress
from kew.storage.page import PAGE_SIZE
from kew.storage.pages import records
from kew.storage.pages.items import ItemStore
from kew.storage.pages.pageset import PageSet
from kew.storage.pages.spacemap import CATALOG, ITEM

IMAGE_HEAD: Final = Struct("<HHIQ")
BEGIN: Final = 1
END: Final = 2
_BATCH: Final = 32


class Imager:
    """Records images of page sets."""

    def __init__(self, lock: Lock, log: Log, store: ItemStore, run: Callable[[Callable[[], bool]], bool]) -> None:
        self.lock = lock
        self.log = log
        self.store = store
        self.run = run
        self.newest: dict[int, int] = {}  # page set: where its newest complete image begins

    def record(self, page_set: PageSet) -> int:
        """Write an image of a page set into the log; gives the number of pages."""
        with self.lock:
            begun = self.log.append(records.IMAGE, 0, 0, IMAGE_HEAD.pack(page_set.id, BEGIN, 0, 0))
        total = 0
        number = 0
        while number < page_set.space.pages:
            batch = _Batch(self, page_set, begun, number)
            self.run(batch.step)
            total += batch.count
            number = batch.end
        with self.lock:
            maps = [page_set.image(frame) for frame in page_set.maps]
            for image in maps:
                self.log.append(records.IMAGE, 0, 0, IMAGE_HEAD.pack(page_set.id, 0, 1, begun), image)
            self.log.append(records.IMAGE, 0, 0, IMAGE_HEAD.pack(page_set.id, END, 0, begun))
            end = self.log.next_address
        self.log.force_to_disk(end)
        self.newest[page_set.id] = begun
        return total

    def oldest_needed(self, page_sets: dict[int, PageSet]) -> LogAddress | None:
        """Give the log address from which every page set can be recovered, if all have had an image since the start."""
        if not self.newest.keys() >= page_sets.keys():
            return None
        return LogAddress(min([self.newest[number] for number in page_sets]))


class _Batch:
    """Some pages of an image; stalls and is called again until they are all in memory at once."""

    def __init__(self, imager: Imager, page_set: PageSet, begun: int, first: int) -> None:
        self.imager = imager
        self.page_set = page_set
        self.begun = begun
        self.first = first
        self.end = first
        self.count = 0

    def step(self) -> bool:
        """Append the images of the next pages that are in use."""
        page_set = self.page_set
        states = page_set.space.states
        images: list[bytes] = []
        number = self.first
        while number < len(states) and len(images) < _BATCH:
            if states[number] == ITEM or states[number] == CATALOG:
                images.append(page_set.image(page_set.pool.find(page_set, number)))
            number += 1
        if images:
            body = b"".join(images)
            self.imager.store.want_log(len(body) + 64)
            head = IMAGE_HEAD.pack(page_set.id, 0, len(images), self.begun)
            self.imager.log.append(records.IMAGE, 0, 0, head, body)
        self.end = number
        self.count = len(images)
        return True


def find_image(log: Log, start: LogAddress, page_set: int) -> int:
    """Give where the newest complete image of a page set begins, 0 if there is none."""
    newest = 0
    for record in log.read(start):
        if record.kind == records.IMAGE:
            number, flags, _pages, begun = IMAGE_HEAD.unpack_from(record.payload)
            if number == page_set and flags == END:
                newest = begun
    return newest


def pages_of_image(payload: bytes) -> tuple[int, list[bytes]]:
    """Give the page set and the pages of an IMAGE record."""
    number, _flags, count, _begun = IMAGE_HEAD.unpack_from(payload)
    start = IMAGE_HEAD.size
    return number, [payload[start + place * PAGE_SIZE : start + (place + 1) * PAGE_SIZE] for place in range(count)]
