"""Items of more than one page: stored chunk by chunk and read page by page, with stalls in between."""

from typing import Final

from kew.storage.page import DATA, PAGE_HEADER_SIZE, PAYLOAD_SIZE, RUNS
from kew.storage.pages import records
from kew.storage.pages.blob import FIRST_ROOM, SINGLE_PAGE, Layout, pages_of, run_pages_needed
from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import Entry
from kew.storage.pages.item import Item, Progress
from kew.storage.pages.items import FIRST_CONTENT, UNDO_RECORD, ItemStore
from kew.storage.pages.spacemap import ITEM, VOLATILE
from kew.storage.stall import GiveWay, Stall
from kew.storage.unit import IN_FLIGHT, Unit

CHUNK_PAGES: Final = 64  # pages of a long item stored in one hold of the lock, and logged in one record
MOST_AT_ONCE: Final = 128  # pages of it that are read in one hold
LONG_JOIN: Final = 1 << 20  # bytes from which on it is joined outside the lock


class Storing:
    """The storing of an item of more than one page, by chunks that fit into any pool and log buffer.

    Until `step` says that it is done the item is invisible; `abandon` gives its pages back. A page counts as one of a
    non-persistent message, which a crash frees, until the record that describes it is logged.
    """

    def __init__(
        self, store: ItemStore, chain: Chain, entry: Entry, prefix: bytes, body: bytes, unit: Unit | None
    ) -> None:
        self.store = store
        self.chain = chain
        self.entry = entry
        self.unit = unit
        self.content = prefix + body
        self.layout: Layout | None = None
        self.undo_next = unit.last_address if unit is not None else 0
        self.item: Item | None = None
        self._plan: list[tuple[int, int, int, int]] = []  # (kind, first page, count, offset of the bytes)
        self._done = 0
        self._run_payloads: list[bytes] = []

    def step(self) -> bool:
        """Store another chunk; say whether the item is complete. May stall, and then is called again."""
        if self.layout is None:
            self._allocate()
        if self._done < len(self._plan):
            self._store_chunk()
            return False
        self._finish()
        return True

    def result(self) -> Item:
        """Give the item, once it is complete."""
        assert self.item is not None
        return self.item

    def _allocate(self) -> None:
        store, chain = self.store, self.chain
        page_set = chain.page_set
        length = len(self.content)
        further = pages_of(length) - 1
        store.want_pages(page_set, further + 2 + run_pages_needed(further))
        first = page_set.space.take_one(VOLATILE)
        runs = page_set.space.take(further, VOLATILE)
        run_pages = [page_set.space.take_one(VOLATILE) for _ in range(run_pages_needed(len(runs)))]
        self.layout = Layout(length, first, runs, run_pages)
        if self.unit is not None:
            self.unit.unfinished = self
        chunk = max(1, min(CHUNK_PAGES, page_set.pool.size // 4))
        offset = FIRST_ROOM
        for start, count in runs:
            while count:
                size = min(count, chunk)
                self._plan.append((DATA, start, size, offset))
                start += size
                count -= size
                offset += size * PAYLOAD_SIZE
        self._run_payloads = self.layout.run_page_payloads()
        for place, number in enumerate(run_pages):
            self._plan.append((RUNS, number, 1, place))

    def _store_chunk(self) -> None:
        store, chain, unit = self.store, self.chain, self.unit
        page_set = chain.page_set
        pool = page_set.pool
        kind, first, count, where = self._plan[self._done]
        if kind == RUNS:
            payload = self._run_payloads[where]
        else:
            payload = self.content[where : where + count * PAYLOAD_SIZE]
        pool.ensure(count)
        address = 0
        if not chain.volatile:
            store.want_log(len(payload) + 256)
            store.begin()
            head = records.DATA_HEAD.pack(chain.owner, page_set.id, count, first, kind)
            address = store.append(records.DATA, unit, head, payload)
            if unit is not None:
                if unit.state == 0:
                    unit.move(IN_FLIGHT)
                store.reserve(unit, UNDO_RECORD)
        for place in range(count):
            frame = pool.new_page(page_set, first + place, kind, chain.owner, chain.volatile)
            part = payload[place * PAYLOAD_SIZE : (place + 1) * PAYLOAD_SIZE]
            frame.view[PAGE_HEADER_SIZE : PAGE_HEADER_SIZE + len(part)] = part
            if chain.volatile:
                pool.touch_volatile(frame)
            else:
                pool.touch(frame, address, store.mark)
        if not chain.volatile:
            page_set.space.mark(first, count, ITEM)
            page_set.touch_map(first, count, address, store.mark)
        store.counters.pages_taken += count
        self._done += 1

    def _finish(self) -> None:
        store, chain, unit, layout = self.store, self.chain, self.unit, self.layout
        assert layout is not None
        page_set = chain.page_set
        page_set.pool.ensure(2)
        directory = store.open_directory(chain, 0)
        if not chain.volatile:
            store.want_log(PAYLOAD_SIZE + 256)
        store.begin()
        entry = self.entry
        entry.length = layout.length
        entry.page = layout.first
        entry.pages = pages_of(layout.length) + len(layout.run_pages)
        head = layout.head()
        body = self.content[:FIRST_ROOM]
        frame = page_set.pool.new_page(page_set, layout.first, DATA, chain.owner, chain.volatile)
        frame.view[PAGE_HEADER_SIZE:FIRST_CONTENT] = head
        frame.view[FIRST_CONTENT:] = body
        item = store.enter(chain, directory, entry, unit, head, body, self.undo_next)
        item.runs = layout.all_runs()
        if chain.volatile:
            page_set.pool.touch_volatile(frame)
        else:
            page_set.pool.touch(frame, store.latest, store.mark)
            page_set.space.mark(layout.first, 1, ITEM)
            page_set.touch_map(layout.first, 1, store.latest, store.mark)
            if unit is not None:
                store.reserve(unit, len(item.runs) * records.RUN.size)
        if unit is not None:
            unit.unfinished = None
        store.counters.pages_taken += 1
        self.item = item

    def abandon(self) -> None:
        """Give back the pages of an item that will not be completed."""
        layout = self.layout
        if layout is None or self.item is not None:
            return
        store, chain, unit = self.store, self.chain, self.unit
        page_set = chain.page_set
        logged: list[tuple[int, int]] = []
        others = [(layout.first, 1)]
        for place, (_kind, first, count, _where) in enumerate(self._plan):
            if place < self._done and not chain.volatile:
                logged.append((first, count))
            else:
                others.append((first, count))
        if logged:
            store.begin()
            head = records.FREE_PAGES_HEAD.pack(page_set.id, len(logged), self.undo_next) + records.pack_runs(logged)
            address = store.append(records.FREE_PAGES, unit, head, b"")
            for first, count in logged:
                store.free_pages(page_set, first, count, address, False)
        for first, count in others:
            store.free_pages(page_set, first, count, 0, True)
        if unit is not None:
            unit.unfinished = None
        self.layout = None
        self._plan = []
        self._done = 0


class Joining(Stall):
    """The stall of a long item whose parts are read: joining them takes long, and is done outside the lock."""

    def __init__(self, progress: Progress) -> None:
        super().__init__("a long item is put together")
        self._progress = progress

    def resolve(self) -> None:
        """Join the parts."""
        self._progress.whole = b"".join(self._progress.parts)
        self._progress.parts.clear()


def read_on(store: ItemStore, item: Item) -> bytes:
    """Give an item's bytes, or stall; the next call then continues where this one stopped."""
    if item.length <= SINGLE_PAGE:
        return store.content(item)
    page_set = item.chain.page_set
    pool = page_set.pool
    progress = item.reading
    if progress is None:
        layout = store.layout_of(item)
        data = pool.find(page_set, item.page).data
        progress = Progress(layout, bytes(data[FIRST_CONTENT : FIRST_CONTENT + FIRST_ROOM]))
        item.reading = progress
        item.runs = layout.all_runs()
    runs = progress.layout.runs
    left = item.length - FIRST_ROOM - (len(progress.parts) - 1) * PAYLOAD_SIZE
    read = 0
    while progress.run < len(runs):
        first, count = runs[progress.run]
        while progress.place < count:
            data = pool.find(page_set, first + progress.place).data
            size = min(left, PAYLOAD_SIZE)
            progress.parts.append(bytes(data[PAGE_HEADER_SIZE : PAGE_HEADER_SIZE + size]))
            left -= size
            progress.place += 1
            read += 1
            if read == MOST_AT_ONCE and left:
                raise GiveWay("others shall have the lock before a long item is read on")
        progress.run += 1
        progress.place = 0
    if item.length >= LONG_JOIN and not progress.whole:
        raise Joining(progress)
    item.reading = None
    return progress.whole or b"".join(progress.parts)
