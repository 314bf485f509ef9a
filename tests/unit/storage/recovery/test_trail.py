"""What restart learns of a unit from its records: which operations count, and which are undone or finished already."""

from kew.storage.log import LogAddress, LogRecord
from kew.storage.pages import records
from kew.storage.pages.directory import LIVE, Entry
from kew.storage.recovery.trail import Trail
from kew.storage.unit import GET, IN_BACKOUT, IN_COMMIT, IN_DOUBT, IN_FLIGHT, PUT

PAGE_SET = 1
DIRECTORY = 9


class Follower:
    """A unit whose records are at 100, 200, 300..."""

    def __init__(self) -> None:
        self.trail = Trail(5, 100)
        self.last = 0
        self.next = 100

    def follow(self, kind: int, payload: bytes, anew: bool = False) -> int:
        """Let the trail see the next record; gives the record's address."""
        address = self.next
        previous = 0 if anew else self.last
        self.trail.follow(LogRecord(LogAddress(address), 50, kind, 0, 5, LogAddress(previous), payload))
        self.last = address
        self.next += 100
        return address

    def put(self, slot: int, undo_next: int | None = None, length: int = 10) -> int:
        after = self.last if undo_next is None else undo_next
        entry = Entry(LIVE, 1, 0, length, 40 + slot, 1, 1000 + slot, 0, 0, 0, 0, 0)
        head = records.PUT_HEAD.pack(20, PAGE_SET, 0, 0, DIRECTORY, slot, 1, after)
        return self.follow(records.PUT, head + entry.pack() + bytes(10))

    def data(self, first: int) -> int:
        return self.follow(records.DATA, records.DATA_HEAD.pack(20, PAGE_SET, 3, first, 4))

    def get(self, slot: int, kind: int = records.GET, undo_next: int = 0) -> int:
        return self.follow(kind, about(slot, undo_next))

    def relog(self, kind: int, slot: int, anew: bool = False) -> int:
        return self.follow(records.RELOG, records.RELOG_HEAD.pack(kind, 10, 40 + slot) + about(slot), anew)

    def slots(self) -> list[tuple[int, int]]:
        return [(step.kind, step.slot) for step in self.trail.steps]


def about(slot: int, undo_next: int = 0) -> bytes:
    head = records.GET_HEAD.pack(20, PAGE_SET, 0, 0, DIRECTORY, slot, 1, 1000 + slot, undo_next)
    return head + records.pack_runs([(40 + slot, 1)])


def test_puts_and_gets_are_steps_in_their_order() -> None:
    unit = Follower()
    unit.put(1)
    unit.get(2)
    assert unit.slots() == [(records.PUT, 1), (records.GET, 2)]
    assert unit.trail.state == IN_FLIGHT
    first, second = unit.trail.steps
    assert (first.owner, first.page_set, first.directory, first.sequence, first.page) == (20, 1, 9, 1001, 41)
    assert (first.undo_next, second.undo_next) == (0, 100)
    assert second.runs == [(42, 1)]


def test_the_decision_is_the_state() -> None:
    for kind, state in ((records.COMMIT, IN_COMMIT), (records.BACKOUT, IN_BACKOUT), (records.PREPARE, IN_DOUBT)):
        unit = Follower()
        unit.put(1)
        unit.follow(kind, b"xid")
        assert unit.trail.state == state
    assert unit.trail.xid == b"xid"


def test_the_data_of_a_long_put_is_part_of_it_once_it_is_complete() -> None:
    unit = Follower()
    unit.get(1)
    unit.data(100)
    unit.data(103)
    assert [step.kind for step in unit.trail.steps] == [records.GET, records.DATA, records.DATA]
    unit.put(2, undo_next=100, length=20000)
    assert unit.slots() == [(records.GET, 1), (records.PUT, 2)]
    assert unit.trail.steps[1].runs == [], "they are in its first page"


def test_pages_that_were_given_back_are_not_given_back_again() -> None:
    unit = Follower()
    unit.get(1)
    unit.data(100)
    unit.follow(records.FREE_PAGES, records.FREE_PAGES_HEAD.pack(PAGE_SET, 0, 100))
    assert unit.slots() == [(records.GET, 1)]


def test_what_was_undone_before_the_crash_is_not_undone_again() -> None:
    unit = Follower()
    first = unit.put(1)
    second = unit.get(2)
    unit.put(3)
    unit.follow(records.BACKOUT, b"")
    unit.get(3, records.REMOVE, undo_next=second)
    assert unit.slots() == [(records.PUT, 1), (records.GET, 2)]
    unit.follow(records.UNGET, records.UNGET_HEAD.pack(20, PAGE_SET, 1, DIRECTORY, 2, first))
    assert unit.slots() == [(records.PUT, 1)]
    unit.get(1, records.REMOVE, undo_next=0)
    assert unit.slots() == []


def test_what_was_finished_before_the_crash_is_marked() -> None:
    unit = Follower()
    unit.get(1)
    unit.get(2)
    unit.follow(records.COMMIT, b"")
    unit.get(1, records.REMOVE)
    assert [step.finished for step in unit.trail.steps] == [True, False]


def in_doubt() -> Follower:
    unit = Follower()
    unit.put(1)
    unit.get(2)
    unit.follow(records.PREPARE, b"xid")
    return unit


def test_records_written_anew_take_the_place_of_the_old_ones() -> None:
    unit = in_doubt()
    begin = unit.relog(PUT, 1, anew=True)
    unit.relog(GET, 2)
    unit.follow(records.PREPARE, b"xid")
    assert unit.slots() == [(records.PUT, 1), (records.GET, 2)]
    assert [step.address for step in unit.trail.steps] == [begin, begin + 100]
    assert [step.undo_next for step in unit.trail.steps] == [0, begin]
    assert unit.trail.first_address == begin
    assert unit.trail.state == IN_DOUBT


def test_records_written_anew_and_cut_off_by_a_crash_do_not_count() -> None:
    unit = in_doubt()
    unit.relog(PUT, 1, anew=True)
    assert unit.slots() == [(records.PUT, 1), (records.GET, 2)]
    assert [step.address for step in unit.trail.steps] == [100, 200]
    assert unit.trail.first_address == 100


def test_records_written_anew_twice() -> None:
    unit = in_doubt()
    unit.relog(PUT, 1, anew=True)  # cut off by a crash
    unit.relog(PUT, 1, anew=True)
    unit.relog(GET, 2)
    unit.follow(records.PREPARE, b"xid")
    begin = unit.relog(PUT, 1, anew=True)
    unit.relog(GET, 2)
    unit.follow(records.PREPARE, b"xid")
    assert unit.slots() == [(records.PUT, 1), (records.GET, 2)]
    assert unit.trail.first_address == begin


def test_a_log_that_begins_with_records_written_anew() -> None:
    unit = Follower()
    unit.relog(PUT, 1, anew=True)
    unit.relog(GET, 2)
    unit.follow(records.PREPARE, b"xid")
    assert unit.slots() == [(records.PUT, 1), (records.GET, 2)]
    assert unit.trail.steps[0].runs == [(41, 1)]
