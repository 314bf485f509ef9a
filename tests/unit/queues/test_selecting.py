"""Gets and browses with a selection string, with an index by property and without."""

from random import Random

import pytest
from tests.support.hosting import Notes, create, lasting, opened, passing, queue_of, small
from tests.support.properties import body, header, put, user
from tests.support.simdisk import SimDisk
from tests.support.stores import private
from tests.support.threads import Background, until

from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_NEXT,
    MQGMO_SYNCPOINT,
    MQGMO_WAIT,
    MQMO_MATCH_CORREL_ID,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import MQRC_SELECTOR_INVALID_FOR_TYPE, MQRC_SELECTOR_SYNTAX_ERROR
from kew.formats.mqmd import MessageDescriptor
from kew.formats.properties import RFH2_FORMAT
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import settle
from kew.mqi.local.connection import LocalConnection
from kew.queues.private import MOST_PASSED
from kew.queues.propertyindex import PropertyIndex, hash_value
from kew.queues.queue import UNINDEXED_GETS
from kew.storage.stall import Stall

BOTH = MQOO_INPUT_SHARED | MQOO_BROWSE
COLOURS = ("red", "green", "blue")
CUSTOMS = {"no index": "", "index": "PROPINDX(colour)"}
custom = pytest.mark.parametrize("custom", CUSTOMS.values(), ids=CUSTOMS)


def selecting(connection: LocalConnection, queue: Handle, text: str) -> Handle:
    return connection.open(queue.name, BOTH, selection=text)


def get(connection: LocalConnection, queue: Handle, options: int = 0, wait_interval: int = 0) -> bytes:
    return body(connection.get(queue, options, wait_interval).data)


@custom
def test_each_gets_what_it_selects_in_order(custom: str) -> None:
    connection, queue = queue_of(create(SimDisk(), small()), CUSTOM=custom)
    for number in range(90):
        descriptor = (lasting if number % 2 else passing)(bytes(24))
        put(connection, queue, b"%d" % number, 0, descriptor, colour=COLOURS[number % 3], size=number)
    connection.put(queue, passing(bytes(24)), b"plain")
    green = selecting(connection, queue, "colour = 'green'")
    large = selecting(connection, queue, "colour = 'green' and size > 50")
    none = selecting(connection, queue, "colour is null")
    assert [get(connection, green) for _ in range(3)] == [b"1", b"4", b"7"]
    assert [get(connection, large) for _ in range(3)] == [b"52", b"55", b"58"]
    assert get(connection, none) == b"plain"
    assert get(connection, queue) == b"0"
    assert [get(connection, green) for _ in range(24)] == [b"%d" % n for n in range(10, 90, 3) if n not in (52, 55, 58)]
    for handle in (green, large, none):
        with pytest.raises(NoMessage):
            get(connection, handle)


@custom
def test_priorities_and_units(custom: str) -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host, CUSTOM=custom)
    for number, priority in enumerate((2, 5, 5, 9, 0, 9)):
        put(connection, queue, b"%d" % number, 0, MessageDescriptor(priority=priority), colour="red")
    red = selecting(connection, queue, "colour = 'red'")
    assert get(connection, red, MQGMO_SYNCPOINT) == b"3"
    assert get(connection, red, MQGMO_SYNCPOINT) == b"5"
    other, others = opened(host)
    assert get(other, other.open(others.name, BOTH, selection="colour = 'red'")) == b"1"
    connection.backout()
    assert [get(connection, red) for _ in range(4)] == [b"3", b"5", b"2", b"0"]
    put(connection, queue, b"secret", MQPMO_SYNCPOINT, colour="blue")
    blue = selecting(connection, queue, "colour = 'blue'")
    with pytest.raises(NoMessage):
        get(connection, blue)
    connection.commit()
    assert get(connection, blue) == b"secret"
    put(connection, queue, b"gone", MQPMO_SYNCPOINT, colour="blue")
    connection.backout()
    with pytest.raises(NoMessage):
        get(connection, blue)


def test_browsing_sees_what_is_selected() -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    for number in range(9):
        put(connection, queue, b"%d" % number, colour=COLOURS[number % 3])
    blue = selecting(connection, queue, "colour = 'blue'")
    assert get(connection, blue, MQGMO_BROWSE_FIRST) == b"2"
    assert get(connection, blue, MQGMO_BROWSE_NEXT) == b"5"
    assert get(connection, blue, MQGMO_BROWSE_NEXT) == b"8"
    with pytest.raises(NoMessage):
        get(connection, blue, MQGMO_BROWSE_NEXT)


def test_ids_and_selector_together() -> None:
    connection, queue = queue_of(create(SimDisk(), small()), CUSTOM="PROPINDX(colour)")
    for number in range(6):
        put(
            connection,
            queue,
            b"%d" % number,
            0,
            passing(bytes(24), b"%024d" % (number % 2)),
            colour=COLOURS[number % 3],
        )
    red = selecting(connection, queue, "colour = 'red'")
    wanted = MessageDescriptor(correlation_id=b"%024d" % 1)
    assert body(connection.get(red, match_options=MQMO_MATCH_CORREL_ID, wanted=wanted).data) == b"3"


def test_a_long_search_lets_others_go_first() -> None:
    connection, queue = queue_of(create(SimDisk(), small(pool=60)), MAXDEPTH=5000)
    for _ in range(2 * MOST_PASSED // 100):
        connection.put(queue, passing(bytes(24)), bytes(10))
    for number in range(100):
        put(connection, queue, b"%d" % number, colour="red")
    put(connection, queue, b"at last", colour="blue")
    assert get(connection, selecting(connection, queue, "colour = 'blue'")) == b"at last"


@custom
@pytest.mark.parametrize("size", [10, 5000, 40000])
def test_headers_longer_than_a_page(custom: str, size: int) -> None:
    connection, queue = queue_of(create(SimDisk(), small()), CUSTOM=custom)
    for colour in COLOURS:
        put(connection, queue, colour.encode() * 3000, pad="x" * size, colour=colour)
    blue = selecting(connection, queue, "colour = 'blue'")
    assert get(connection, blue) == b"blue" * 3000
    with pytest.raises(NoMessage):
        get(connection, blue)


@custom
@pytest.mark.parametrize("persistent", [False, True])
def test_who_waits_gets_what_it_selects(custom: str, persistent: bool) -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host, CUSTOM=custom)
    other, others = opened(host)
    blue = other.open(others.name, MQOO_INPUT_SHARED, selection="colour = 'blue'")
    waiting = Background(lambda: get(other, blue, MQGMO_WAIT, wait_interval=20000))
    until(lambda: queue.queue is not None and queue.queue.waiters.count == 1)
    for colour in ("red", "green", "blue", "blue"):
        descriptor = lasting(bytes(24)) if persistent else passing(bytes(24))
        put(connection, queue, colour.encode(), 0, descriptor, colour=colour)
    assert waiting.result() == b"blue"
    assert [get(connection, queue) for _ in range(3)] == [b"red", b"green", b"blue"]


def test_what_is_refused() -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    for options, text, reason in (
        (MQOO_OUTPUT, "a = 1", MQRC_SELECTOR_INVALID_FOR_TYPE),
        (BOTH, "a = ", MQRC_SELECTOR_SYNTAX_ERROR),
    ):
        with pytest.raises(MQError) as refused:
            connection.open(queue.name, options, selection=text)
        assert refused.value.reason == reason
    assert queue.queue is not None
    assert queue.queue.handles == 1
    assert connection.open(queue.name, MQOO_OUTPUT, selection="  ").selector is None


def test_the_operator_is_told_once_of_an_index_that_would_help() -> None:
    notes = Notes()
    connection, queue = queue_of(create(SimDisk(), small(), notes))
    put(connection, queue, b"in the way", colour="red")
    green = selecting(connection, queue, "size > 0 and colour = 'green'")
    for _ in range(2 * UNINDEXED_GETS):
        put(connection, queue, b"", colour="green", size=1)
        get(connection, green)
    assert notes.about("CSQI902I") == [((UNINDEXED_GETS,), (queue.name, "PROPINDX(colour)"))]


def test_equal_values_have_equal_hashes() -> None:
    assert hash_value(7) == hash_value(7.0)
    assert len({hash_value(value) for value in (7, "7", True, "True", b"7", 7.5, 1, "t")}) == 8


def index_of(queue: Handle) -> PropertyIndex:
    assert queue.queue is not None
    index = private(queue.queue).indexes.by_property
    assert index is not None
    return index


@pytest.mark.pages
def test_an_index_holds_what_is_there_and_little_memory() -> None:
    connection, queue = queue_of(create(SimDisk(), small(pool=400, pages=2048)), CUSTOM="PROPINDX(size)", MAXDEPTH=5000)
    seven = selecting(connection, queue, "size = 7")
    with pytest.raises(NoMessage):
        get(connection, seven)  # which builds the index
    for number in range(1000):
        put(connection, queue, b"", size=number)
    connection.put(queue, passing(bytes(24)), b"plain")
    assert index_of(queue).size() == 1000
    assert index_of(queue).memory() <= 136 * 1000
    get(connection, seven)
    assert index_of(queue).size() == 999
    for _ in range(1000):
        connection.get(queue)
    assert index_of(queue).size() == 0
    assert not index_of(queue)._nodes


@pytest.mark.pages
def test_messages_that_are_there_already_are_indexed_when_first_asked_for() -> None:
    disk = SimDisk()
    host = create(disk, small(pool=30))
    connection, queue = queue_of(host, MAXDEPTH=5000)
    for number in range(120):
        put(connection, queue, b"%d" % number, 0, lasting(bytes(24), priority=number % 3), colour=COLOURS[number % 3])
    host.administration.alter(queue.name, {"CUSTOM": "PROPINDX(colour)"})
    green = selecting(connection, queue, "colour = 'green'")
    assert get(connection, green) == b"1"
    assert index_of(queue).size() == 119
    host.administration.alter(queue.name, {"CUSTOM": ""})
    assert get(connection, green) == b"4"
    host.administration.alter(queue.name, {"CUSTOM": "PROPINDX(usr.colour)"})
    assert get(connection, green) == b"7"


@pytest.mark.pages
@pytest.mark.parametrize("seed", range(6))
def test_work_goes_on_while_an_index_is_built(seed: int) -> None:
    """Whatever is put and got between two steps of a build, the index holds what the queue holds."""
    random = Random(seed)
    host = create(SimDisk(), small(pool=30))
    connection, queue = queue_of(host, MAXDEPTH=5000)
    for number in range(150):
        put(connection, queue, b"%d" % number, 0, passing(bytes(24), priority=number % 2), colour=COLOURS[number % 3])
    host.administration.alter(queue.name, {"CUSTOM": "PROPINDX(colour)"})
    index = index_of(queue)
    inside = queue.queue
    assert inside is not None
    for _ in range(2000):
        try:
            index.ready(host.store, private(inside).chains)
            break
        except Stall as stall:
            settle(host.engine, inside, stall)
        if random.random() < 0.5:
            connection.get(queue)
        else:
            put(connection, queue, b"new", 0, passing(bytes(24), priority=random.randrange(3)), colour="red")
    assert index.size() == inside.depth
    blue = selecting(connection, queue, "colour = 'blue'")
    red = selecting(connection, queue, "colour = 'red'")
    seen = 0
    for handle in (blue, red, selecting(connection, queue, "colour = 'green'")):
        while True:
            try:
                get(connection, handle)
            except NoMessage:
                break
            seen += 1
    assert (inside.depth, index.size()) == (0, 0)
    assert seen > 0


def test_a_property_of_another_folder() -> None:
    connection, queue = queue_of(create(SimDisk(), small()), CUSTOM="PROPINDX(shop.till)")
    for number in range(3):
        folder = f"<shop content='properties'><till dt='i4'>{number}</till></shop>"
        data = header(user(a=1), folder) + b"%d" % number
        connection.put(queue, MessageDescriptor(format=RFH2_FORMAT), data)
    assert get(connection, selecting(connection, queue, "shop.till = 2")) == b"2"
