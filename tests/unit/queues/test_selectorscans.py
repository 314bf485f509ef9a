"""A queue remembers what a selection string has rejected: nothing is asked twice, and nothing is overlooked."""

from random import Random

import pytest
from tests.support.hosting import create, lasting, opened, passing, queue_of, small
from tests.support.properties import body, put
from tests.support.simdisk import SimDisk

from kew.codes.errors import NoMessage
from kew.codes.options import (
    MQGMO_BROWSE_NEXT,
    MQGMO_LOCK,
    MQGMO_SYNCPOINT,
    MQGMO_UNLOCK,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQPMO_SYNCPOINT,
)
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.qmgr.assemble import Host
from kew.queues.match import Match
from kew.queues.selectorscans import MAX_RECHECKED, MAX_SCANS
from kew.selection.selector import Selector

COLOURS = ("red", "green", "blue")


def selecting(connection: LocalConnection, colour: str) -> Handle:
    return connection.open("Q1", MQOO_INPUT_SHARED | MQOO_BROWSE, selection=f"colour = '{colour}'")


def texts(connection: LocalConnection, handle: Handle, options: int = 0) -> list[bytes]:
    """Get all that a handle selects."""
    found: list[bytes] = []
    while True:
        try:
            found.append(body(connection.get(handle, options).data))
        except NoMessage:
            return found


def take(host: Host, text: str) -> int:
    """Take the next message that a string selects off the queue; gives how many were passed for it."""
    queue = host.queues.by_name["Q1"]
    match = Match()
    match.selector = Selector(text)

    def step() -> bool:
        item = queue.find(match)
        assert item is not None
        queue.take(item, None)
        return True

    host.engine.run(step)
    return match.skipped


@pytest.mark.pages
@pytest.mark.parametrize("depth", [300, 1500])
def test_what_was_rejected_is_not_asked_again(depth: int) -> None:
    host = create(SimDisk(), small(pool=2000, pages=8000))
    connection, queue = queue_of(host)
    for number in range(depth):
        put(connection, queue, b"%d" % number, 0, passing(bytes(24)), colour=COLOURS[number % 3])
    assert [take(host, "colour = 'green'") for _ in range(depth // 3)] == [1] + [2] * (depth // 3 - 1)
    assert take(host, "colour = 'blue'") == depth // 3 - depth // 3 + 1


def test_what_comes_before_the_rejected_is_found() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    other, others = opened(host)
    green = selecting(connection, "green")
    put(other, others, b"late", MQPMO_SYNCPOINT, lasting(bytes(24), priority=4), colour="green")
    for number in range(5):
        put(
            connection,
            queue,
            b"%d" % number,
            0,
            passing(bytes(24), priority=4),
            colour="green" if number == 2 else "red",
        )
    assert body(connection.get(green, MQGMO_SYNCPOINT).data) == b"2"
    with pytest.raises(NoMessage):
        connection.get(green)
    other.commit()
    connection.backout()
    put(connection, queue, b"low", 0, passing(bytes(24), priority=1), colour="green")
    put(connection, queue, b"high", 0, passing(bytes(24), priority=9), colour="green")
    assert texts(connection, green) == [b"high", b"late", b"2", b"low"]


def test_a_message_that_a_cursor_has_let_go_of_is_found() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    other, others = opened(host)
    for colour in ("green", "red", "red"):
        put(connection, queue, colour.encode(), colour=colour)
    other.get(others, MQGMO_BROWSE_NEXT | MQGMO_LOCK)
    green = selecting(connection, "green")
    assert texts(connection, green) == []
    other.get(others, MQGMO_UNLOCK)
    assert texts(connection, green) == [b"green"]


def test_many_that_come_back_are_found_in_order() -> None:
    host = create(SimDisk(), small(pool=400, pages=4000))
    connection, queue = queue_of(host)
    other, others = opened(host)
    count = 3 * MAX_RECHECKED
    for number in range(count):
        put(connection, queue, b"%d" % number, colour="green" if number % 2 else "red")
    put(connection, queue, b"last", colour="red")
    for _ in range(count):
        other.get(others, MQGMO_SYNCPOINT)
    green = selecting(connection, "green")
    assert texts(connection, green) == []
    other.backout()
    assert texts(connection, green) == [b"%d" % number for number in range(1, count, 2)]


def test_more_strings_than_are_remembered() -> None:
    host = create(SimDisk(), small(pool=400, pages=4000))
    connection, queue = queue_of(host)
    count = MAX_SCANS + 5
    for number in range(2 * count):
        put(connection, queue, b"%d" % number, colour=f"c{number % count}")
    handles = [selecting(connection, f"c{number}") for number in range(count)]
    for round_ in range(2):
        for number, handle in enumerate(handles):
            assert body(connection.get(handle).data) == b"%d" % (round_ * count + number)


def test_an_order_of_delivery_that_is_changed() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    put(connection, queue, b"0", 0, passing(bytes(24), priority=5), colour="red")
    green = selecting(connection, "green")
    assert texts(connection, green) == []
    host.administration.alter("Q1", {"MSGDLVSQ": 1})
    put(connection, queue, b"1", 0, passing(bytes(24), priority=9), colour="green")
    host.administration.alter("Q1", {"MSGDLVSQ": 0})
    put(connection, queue, b"2", 0, passing(bytes(24), priority=7), colour="green")
    assert texts(connection, green) == [b"2", b"1"]


@pytest.mark.parametrize("seed", range(8))
def test_any_work_agrees_with_a_list(seed: int) -> None:
    """Several programs put, get, commit and back out; each get gives the first of the list that it selects."""
    random = Random(seed)
    host = create(SimDisk(), small(pool=200, pages=4000, log_pages=512))
    first, queue = queue_of(host)
    programs = [first, host.connect(), host.connect()]
    out = [queue, *[each.open("Q1", MQOO_INPUT_SHARED | MQOO_BROWSE | 16) for each in programs[1:]]]
    handles = [{colour: selecting(each, colour) for colour in COLOURS} for each in programs]
    free: dict[tuple[int, int], tuple[str, bytes]] = {}  # by place in the order of delivery
    putting: list[dict[tuple[int, int], tuple[str, bytes]]] = [{}, {}, {}]
    getting: list[dict[tuple[int, int], tuple[str, bytes]]] = [{}, {}, {}]
    for serial in range(600):
        who = random.randrange(3)
        step = random.random()
        colour = random.choice(COLOURS)
        if step < 0.5:
            priority = random.choice((0, 4, 4, 4, 9))
            made: MessageDescriptor = random.choice((lasting, passing))(bytes(24), priority=priority)
            unit = random.random() < 0.4
            put(programs[who], out[who], b"%d" % serial, MQPMO_SYNCPOINT if unit else 0, made, colour=colour)
            (putting[who] if unit else free)[(-priority, serial)] = (colour, b"%d" % serial)
        elif step < 0.9:
            places = sorted(place for place, (has, _) in free.items() if has == colour)
            unit = random.random() < 0.5
            try:
                got = programs[who].get(handles[who][colour], MQGMO_SYNCPOINT if unit else 0)
            except NoMessage:
                assert not places
                continue
            assert body(got.data) == free[places[0]][1]
            message = free.pop(places[0])
            if unit:
                getting[who][places[0]] = message
        else:
            commit = random.random() < 0.5
            (programs[who].commit if commit else programs[who].backout)()
            free.update(putting[who] if commit else getting[who])
            putting[who].clear()
            getting[who].clear()
