"""The space map beside a set, through writing to a page set and reading it again, and the index beside a dictionary."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from librt.threading import Lock
from tests.support.simdisk import SimDisk

from kew.queues.index import IdIndex
from kew.storage.buffers.pagefile import seal
from kew.storage.buffers.pool import BufferPool
from kew.storage.fileheader import NOBODY
from kew.storage.page import PAGE_SIZE
from kew.storage.pages.pageset import EXPAND_USER, PageSet, PageSetMustGrow
from kew.storage.pages.spacemap import FREE, GROUP, ITEM, VOLATILE

PATH = "/sets/psid03"


class SpaceMachine(RuleBasedStateMachine):
    """A page set whose pages are taken and given back, and the sets of pages that ought to be free."""

    @initialize(pages=st.sampled_from((40, GROUP - 3, GROUP + 20)))
    def make(self, pages: int) -> None:
        self.disk = SimDisk()
        self.disk.make_directory("/sets")
        PageSet.create(self.disk, PATH, 3, pages, EXPAND_USER, 30, NOBODY, 0)
        self.held: list[tuple[int, int, int]] = []  # first page, count, state
        self.waiting: list[tuple[int, int, int]] = []  # log address, first page, count
        self.address = 0
        self.open()
        self.free = {number for number, state in enumerate(self.page_set.space.states) if state == FREE}

    def open(self) -> None:
        self.page_set = PageSet(3, PATH, self.disk.open(PATH), BufferPool(1, 20, Lock()), NOBODY)
        self.page_set.open_header()
        self.page_set.open_maps()

    def hold(self, runs: list[tuple[int, int]], state: int) -> None:
        for first, count in runs:
            for number in range(first, first + count):
                self.free.remove(number)
            self.held.append((first, count, state))

    @rule(lasting=st.booleans())
    def take_one(self, lasting: bool) -> None:
        state = ITEM if lasting else VOLATILE
        number = self.page_set.space.take_one(state)
        assert (number < 0) == (not self.free)
        if number >= 0:
            self.hold([(number, 1)], state)

    @rule(count=st.integers(1, 5000), lasting=st.booleans())
    def take(self, count: int, lasting: bool) -> None:
        state = ITEM if lasting else VOLATILE
        runs = self.page_set.space.take(count, state)
        assert sum(size for _first, size in runs) == (count if count <= len(self.free) else 0)
        self.hold(runs, state)

    @rule(which=st.integers(0, 1000))
    def give_back(self, which: int) -> None:
        if not self.held:
            return
        first, count, state = self.held.pop(which % len(self.held))
        if state == VOLATILE:
            self.page_set.space.mark(first, count, FREE)
            self.free.update(range(first, first + count))
        else:
            self.address += 10
            self.page_set.space.release_after(self.address, first, count)
            self.waiting.append((self.address, first, count))

    @rule(behind=st.integers(0, 40))
    def log_is_written(self, behind: int) -> None:
        durable = self.address - behind
        self.page_set.space.release(durable)
        while self.waiting and self.waiting[0][0] <= durable:
            _address, first, count = self.waiting.pop(0)
            self.free.update(range(first, first + count))

    @rule()
    def grow(self) -> None:
        before = self.page_set.space.pages
        PageSetMustGrow(self.page_set, 1).resolve()
        maps = {frame.number for frame in self.page_set.maps}
        self.free.update(set(range(before, self.page_set.space.pages)) - maps)

    @rule()
    def restart(self) -> None:
        for frame in self.page_set.maps:
            self.page_set.file.pwrite(seal(self.page_set.image(frame)), frame.number * PAGE_SIZE)
        self.open()
        for first, count, state in self.held:
            if state == VOLATILE:
                self.free.update(range(first, first + count))
        self.held = [each for each in self.held if each[2] == ITEM]
        for _address, first, count in self.waiting:
            self.free.update(range(first, first + count))
        self.waiting.clear()

    @invariant()
    def agrees(self) -> None:
        if hasattr(self, "free"):
            space = self.page_set.space
            assert {number for number, state in enumerate(space.states) if state == FREE} == self.free
            assert space.free == len(self.free)
            assert space.available() == len(self.free) + sum(count for _, _, count in self.waiting)


class IndexMachine(RuleBasedStateMachine):
    """The index by id and a dictionary of lists. Few keys, many of which share a bucket."""

    keys = st.integers(0, 5) | st.integers(0, 40).map(lambda number: 64 * number) | st.integers(0, 2**32 - 1)

    def __init__(self) -> None:
        super().__init__()
        self.index = IdIndex()
        self.model: dict[int, list[int]] = {}
        self.next_place = 1

    @rule(several=st.lists(keys, min_size=1, max_size=60))
    def add(self, several: list[int]) -> None:
        for key in several:
            self.index.add(key, self.next_place)
            self.model.setdefault(key, []).append(self.next_place)
            self.next_place += 1

    @rule(which=st.integers(0, 1000), count=st.integers(1, 40))
    def remove(self, which: int, count: int) -> None:
        for step in range(count):
            held = [key for key, places in self.model.items() if places]
            if not held:
                return
            key = held[(which + step) % len(held)]
            place = self.model[key].pop((which * 7 + step) % len(self.model[key]))
            assert self.index.remove(key, place)
            assert not self.index.remove(key, place)

    @rule(key=keys)
    def look(self, key: int) -> None:
        assert self.places(key) == self.model.get(key, [])

    def places(self, key: int) -> list[int]:
        found = []
        head = node = self.index.first(key)
        while node:
            found.append(self.index.place(node))
            node = self.index.following(node, head)
        return found

    @invariant()
    def agrees(self) -> None:
        assert self.index.size == sum(len(places) for places in self.model.values())

    def teardown(self) -> None:
        for key, places in self.model.items():
            assert self.places(key) == places


COMMON = settings(max_examples=60, stateful_step_count=40, deadline=None, database=None)
SpaceMachine.TestCase.settings = COMMON
IndexMachine.TestCase.settings = COMMON
TestSpaceMachine = SpaceMachine.TestCase
TestIndexMachine = IndexMachine.TestCase
