"""Messages whose time is past: given to nobody, thrown away when met or by the scan, and capped by definitions."""

from collections.abc import Iterator

import pytest
from tests.support.hosting import DEEP, EVERYTHING, after_power_loss, create, small
from tests.support.simdisk import SimDisk

from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQEI_UNLIMITED,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT,
    MQGMO_LOCK,
    MQGMO_MSG_UNDER_CURSOR,
    MQGMO_SYNCPOINT,
    MQMO_MATCH_CORREL_ID,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import MQRC_NO_MSG_UNDER_CURSOR
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import Clock
from kew.mqi.local.connection import LocalConnection
from kew.objects.catalogue import AttributeValue
from kew.qmgr.assemble import Host
from kew.queues.expiry import scan


class Site:
    """A queue manager whose clock the test moves, and one program."""

    def __init__(self) -> None:
        self.disk = SimDisk()
        self.seconds = 1_700_000_000.0
        self.host: Host = create(self.disk, small())
        self.begin()

    def begin(self) -> None:
        self.host.engine.clock = Clock(lambda: self.seconds)
        self.program: LocalConnection = self.host.connect("test")

    def queue(self, name: str = "Q1", **values: AttributeValue) -> Handle:
        if name not in self.host.queues.by_name:
            self.host.administration.define("QLOCAL", name, {**DEEP, **values})
        return self.program.open(name, EVERYTHING)

    def put(self, queue: Handle, text: bytes, tenths: int = MQEI_UNLIMITED, options: int = 0, **md: int) -> None:
        self.program.put(queue, MessageDescriptor(expiry=tenths, **md), text, options)  # type: ignore[arg-type]

    def get(self, queue: Handle, options: int = 0) -> bytes:
        return self.program.get(queue, options).data

    def depth(self, name: str = "Q1") -> int:
        return self.host.queues.by_name[name].depth

    def scan(self) -> None:
        scan(self.host.engine.run, self.host.queues, int(self.seconds * 1000))


@pytest.fixture
def site() -> Iterator[Site]:
    yield (site := Site())
    site.host.stop()


@pytest.mark.parametrize("persistence", [0, 1])
@pytest.mark.parametrize("size", [10, 20_000])
def test_a_get_throws_away_what_has_expired_and_gives_the_next(site: Site, persistence: int, size: int) -> None:
    queue = site.queue()
    site.put(queue, b"a" * size, 50, persistence=persistence)
    site.put(queue, b"b" * size, 200, persistence=persistence)
    site.seconds += 5
    assert site.get(queue) == b"b" * size
    assert site.depth() == 0
    assert site.host.queues.by_name["Q1"].counters.expired == 1
    with pytest.raises(NoMessage):
        site.get(queue)


def test_the_last_moment_is_not_yet_past(site: Site) -> None:
    queue = site.queue()
    site.put(queue, b"just", 50)
    site.seconds += 4.99
    got = site.program.get(queue)
    assert got.descriptor.expiry == 1


def test_the_time_left_is_given_with_the_message(site: Site) -> None:
    queue = site.queue()
    site.put(queue, b"x", 600)
    site.put(queue, b"y")
    site.seconds += 10
    assert site.program.get(queue).descriptor.expiry == 500
    assert site.program.get(queue).descriptor.expiry == MQEI_UNLIMITED


def test_a_clock_that_is_set_moves_the_end_and_never_adds_to_the_life(site: Site) -> None:
    queue = site.queue()
    site.put(queue, b"x", 600)
    site.put(queue, b"y", 600)
    site.put(queue, b"z", 600)
    site.seconds -= 3600
    site.scan()
    assert site.program.get(queue).descriptor.expiry == 600
    site.seconds += 3600 + 59
    assert site.program.get(queue).descriptor.expiry == 10
    site.seconds += 7200
    site.seconds -= 7200  # there and back again between two looks: nobody has seen it
    assert site.depth() == 1
    site.seconds += 7200
    site.scan()
    assert site.depth() == 0


def test_browsing_passes_and_throws_away_what_has_expired(site: Site) -> None:
    queue = site.queue()
    for text, tenths in ((b"1", 10), (b"2", MQEI_UNLIMITED), (b"3", 10), (b"4", MQEI_UNLIMITED)):
        site.put(queue, text, tenths)
    site.seconds += 2
    assert site.get(queue, MQGMO_BROWSE_FIRST) == b"2"
    assert site.depth() == 3
    assert site.get(queue, MQGMO_BROWSE_NEXT) == b"4"
    assert site.depth() == 2


@pytest.mark.parametrize("options", [MQGMO_MSG_UNDER_CURSOR, MQGMO_BROWSE_MSG_UNDER_CURSOR])
def test_the_message_under_the_cursor_may_expire(site: Site, options: int) -> None:
    queue = site.queue()
    site.put(queue, b"1", 10)
    site.get(queue, MQGMO_BROWSE_FIRST)
    site.seconds += 2
    with pytest.raises(MQError) as refused:
        site.get(queue, options)
    assert refused.value.reason == MQRC_NO_MSG_UNDER_CURSOR
    assert site.depth() == 0


def test_what_a_cursor_has_locked_does_not_expire(site: Site) -> None:
    queue = site.queue()
    site.put(queue, b"1", 10)
    site.get(queue, MQGMO_BROWSE_FIRST | MQGMO_LOCK)
    site.seconds += 2
    site.scan()
    assert site.get(queue, MQGMO_MSG_UNDER_CURSOR) == b"1"


@pytest.mark.parametrize("index", [0, 2])
def test_a_get_by_id_passes_what_has_expired(site: Site, index: int) -> None:
    queue = site.queue(INDXTYPE=index)
    wanted = MessageDescriptor(correlation_id=b"c" * 24)
    for text, tenths in ((b"old", 10), (b"new", 100)):
        site.program.put(queue, MessageDescriptor(expiry=tenths, correlation_id=b"c" * 24), text)
    site.seconds += 2
    assert site.program.get(queue, 0, 0, MQMO_MATCH_CORREL_ID, wanted).data == b"new"
    assert site.depth() == 0


def test_a_message_in_a_unit_expires_only_when_it_is_back(site: Site) -> None:
    queue = site.queue()
    site.put(queue, b"got", 10, persistence=1)
    assert site.get(queue, MQGMO_SYNCPOINT) == b"got"
    site.put(queue, b"put", 10, MQPMO_SYNCPOINT, persistence=1)
    site.seconds += 2
    site.scan()
    assert site.host.queues.by_name["Q1"].counters.expired == 0
    site.program.backout()
    assert site.depth() == 1
    site.scan()
    assert site.depth() == 0


def test_the_scan_takes_what_is_due_and_leaves_the_rest(site: Site) -> None:
    queue = site.queue()
    for number in range(500):
        site.put(queue, b"%d" % number, 10 if number % 3 else MQEI_UNLIMITED, persistence=number % 2)
    site.put(queue, b"later", 1000)
    site.scan()
    assert site.depth() == 501
    site.seconds += 2
    site.scan()
    assert site.depth() == 168
    assert [site.get(queue) for _ in range(167)] == [b"%d" % number for number in range(0, 500, 3)]
    assert site.get(queue) == b"later"
    site.seconds += 200
    site.scan()
    assert site.depth() == 0


def test_a_directory_that_was_scanned_once_is_scanned_again_when_the_next_of_it_is_due(site: Site) -> None:
    queue = site.queue()
    for tenths in (10, 30, 20):
        site.put(queue, b"x", tenths)
    left = []
    for _ in range(4):
        site.scan()
        left.append(site.depth())
        site.seconds += 1
    assert left == [3, 2, 1, 0]


def test_a_get_that_meets_many_lets_others_in_between(site: Site) -> None:
    queue = site.queue()
    for _ in range(1000):
        site.put(queue, b"x", 10)
    site.put(queue, b"last")
    site.seconds += 2
    assert site.get(queue) == b"last"
    assert site.depth() == 0


def test_expiry_survives_a_crash(site: Site) -> None:
    queue = site.queue()
    site.put(queue, b"short", 10, persistence=1)
    site.put(queue, b"long", 1000, persistence=1)
    site.host = after_power_loss(site.disk, small())
    site.begin()
    queue = site.queue()
    site.seconds += 2
    site.scan()
    assert site.depth() == 1
    assert site.program.get(queue).descriptor.expiry == 980


def test_what_expired_stays_away_after_a_crash(site: Site) -> None:
    queue = site.queue()
    site.put(queue, b"short", 10, persistence=1)
    site.seconds += 2
    site.scan()
    site.put(queue, b"next", persistence=1)  # forces the log
    site.host = after_power_loss(site.disk, small())
    site.begin()
    assert site.depth() == 1


@pytest.mark.parametrize(
    ("cap", "asked", "expected"),
    [(100, MQEI_UNLIMITED, 100), (100, 50, 50), (100, 200, 100), (-1, 200, 200), (-1, MQEI_UNLIMITED, MQEI_UNLIMITED)],
)
@pytest.mark.parametrize("spelling", ["CAPEXPRY", "CUSTOM"])
def test_a_cap_shortens_the_life_of_later_messages(
    site: Site, spelling: str, cap: int, asked: int, expected: int
) -> None:
    queue = site.queue()
    site.put(queue, b"before")
    value: AttributeValue = cap if spelling == "CAPEXPRY" else ("" if cap < 0 else f"CAPEXPRY({cap})")
    site.host.administration.alter("Q1", {spelling: value})
    site.put(queue, b"after", asked)
    assert site.program.get(queue).descriptor.expiry == MQEI_UNLIMITED
    assert site.program.get(queue).descriptor.expiry == expected


def test_the_lower_cap_of_alias_and_queue_counts(site: Site) -> None:
    site.queue(CAPEXPRY=100)
    for name, cap in (("A1", 50), ("A2", 200)):
        site.host.administration.define("QALIAS", name, {"TARGET": "Q1", "CAPEXPRY": cap})
        alias = site.program.open(name, MQOO_OUTPUT | MQOO_INPUT_SHARED)
        site.put(alias, b"x")
        assert site.program.get(alias).descriptor.expiry == min(cap, 100)
