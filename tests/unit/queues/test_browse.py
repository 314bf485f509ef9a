"""Browsing: every message once, in order, from queues of any depth; cursors and locks of handles."""

from collections.abc import Callable

import pytest
from tests.support.hosting import create, lasting, opened, passing, queue_of, small
from tests.support.simdisk import SimDisk

from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQGMO_ACCEPT_TRUNCATED_MSG,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT,
    MQGMO_LOCK,
    MQGMO_MSG_UNDER_CURSOR,
    MQGMO_SYNCPOINT,
    MQGMO_UNLOCK,
    MQMO_MATCH_CORREL_ID,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import MQRC_NO_MSG_UNDER_CURSOR, MQRC_TRUNCATED_MSG_ACCEPTED, MQRC_TRUNCATED_MSG_FAILED
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.gets.get import get
from kew.mqi.gets.request import GetRequest, Got
from kew.mqi.local.connection import LocalConnection
from kew.qmgr.assemble import Host
from kew.storage.recovery.redo import resolve
from kew.storage.stall import Stall


def browse_all(connection: LocalConnection, queue: Handle, first: int = MQGMO_BROWSE_FIRST) -> list[bytes]:
    """Browse from the first message, or from the cursor, to the end."""
    found = []
    option = first
    while True:
        try:
            found.append(connection.get(queue, option).data)
        except NoMessage:
            return found
        option = MQGMO_BROWSE_NEXT


def with_messages(count: int, pool: int = 200) -> tuple[Host, LocalConnection, Handle]:
    """A queue of messages of both kinds, in turn."""
    host = create(SimDisk(), small(pool=pool, pages=6000))
    connection, queue = queue_of(host)
    for number in range(count):
        connection.put(queue, (lasting if number % 2 else passing)(), b"%d" % number)
    return host, connection, queue


def test_a_queue_deeper_than_its_pool_is_browsed_whole() -> None:
    _host, connection, queue = with_messages(700, pool=40)
    assert browse_all(connection, queue) == [b"%d" % number for number in range(700)]
    assert queue.queue is not None
    assert queue.queue.depth == 700


def test_browse_next_alone_begins_at_the_first() -> None:
    _host, connection, queue = with_messages(3)
    assert browse_all(connection, queue, MQGMO_BROWSE_NEXT) == [b"0", b"1", b"2"]


def test_priority_goes_before_arrival() -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    for number, priority in enumerate((1, 5, 5, 0, 9)):
        connection.put(queue, (lasting if number % 2 else passing)(priority=priority), b"%d" % number)
    assert browse_all(connection, queue) == [b"4", b"1", b"2", b"0", b"3"]


def test_what_comes_behind_the_cursor_is_seen_and_what_comes_before_it_is_not() -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    connection.put(queue, passing(priority=5), b"first")
    assert browse_all(connection, queue) == [b"first"]
    connection.put(queue, passing(priority=5), b"behind")
    connection.put(queue, passing(priority=9), b"before")
    assert browse_all(connection, queue, MQGMO_BROWSE_NEXT) == [b"behind"]
    assert browse_all(connection, queue) == [b"before", b"first", b"behind"]


@pytest.mark.parametrize("make", [lasting, passing])
@pytest.mark.parametrize("count", [5, 84, 100])
def test_a_cursor_sees_messages_that_take_the_place_of_those_it_has_seen(make: type, count: int) -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    for round_ in range(3):
        texts = [b"%d of round %d" % (number, round_) for number in range(count)]
        for text in texts:
            connection.put(queue, make(), text)
        assert browse_all(connection, queue, MQGMO_BROWSE_NEXT) == texts
        for text in texts:
            assert connection.get(queue).data == text


def test_a_cursor_whose_directory_is_gone_goes_on_behind_it() -> None:
    _host, connection, queue = with_messages(400)
    seen = [connection.get(queue, MQGMO_BROWSE_NEXT).data for _ in range(100)]
    for _ in range(300):
        connection.get(queue)
    assert seen[-1] == b"99"
    assert browse_all(connection, queue, MQGMO_BROWSE_NEXT) == [b"%d" % number for number in range(300, 400)]


def test_messages_in_units_of_work_are_passed_over() -> None:
    host, connection, queue = with_messages(4)
    other, others_queue = opened(host)
    other.put(others_queue, lasting(), b"put", MQPMO_SYNCPOINT)
    other.get(others_queue, MQGMO_SYNCPOINT)
    assert browse_all(connection, queue) == [b"1", b"2", b"3"]
    other.backout()
    assert browse_all(connection, queue) == [b"0", b"1", b"2", b"3"]


def test_handles_have_cursors_of_their_own() -> None:
    _host, connection, queue = with_messages(3)
    assert queue.queue is not None
    second = connection.open("Q1", queue.options)
    assert connection.get(queue, MQGMO_BROWSE_NEXT).data == b"0"
    assert connection.get(queue, MQGMO_BROWSE_NEXT).data == b"1"
    assert connection.get(second, MQGMO_BROWSE_NEXT).data == b"0"
    assert connection.get(queue, MQGMO_BROWSE_MSG_UNDER_CURSOR).data == b"1"


# -- under the cursor --------------------------------------------------------------------------------------------------


def under_cursor(connection: LocalConnection, queue: Handle, option: int = MQGMO_BROWSE_MSG_UNDER_CURSOR) -> bytes:
    return connection.get(queue, option).data


def test_the_message_under_the_cursor_may_be_looked_at_again_and_taken_once() -> None:
    _host, connection, queue = with_messages(3)
    connection.get(queue, MQGMO_BROWSE_FIRST)
    connection.get(queue, MQGMO_BROWSE_NEXT)
    assert under_cursor(connection, queue) == b"1"
    assert under_cursor(connection, queue, MQGMO_MSG_UNDER_CURSOR) == b"1"
    for option in (MQGMO_MSG_UNDER_CURSOR, MQGMO_BROWSE_MSG_UNDER_CURSOR):
        with pytest.raises(MQError) as error:
            under_cursor(connection, queue, option)
        assert error.value.reason == MQRC_NO_MSG_UNDER_CURSOR
    assert connection.get(queue, MQGMO_BROWSE_NEXT).data == b"2"


def test_there_is_no_message_under_a_cursor_that_was_not_moved() -> None:
    _host, connection, queue = with_messages(1)
    with pytest.raises(MQError) as error:
        under_cursor(connection, queue)
    assert error.value.reason == MQRC_NO_MSG_UNDER_CURSOR


def test_there_is_no_message_under_the_cursor_while_another_has_it() -> None:
    host, connection, queue = with_messages(2)
    other, others_queue = opened(host)
    connection.get(queue, MQGMO_BROWSE_FIRST)
    other.get(others_queue, MQGMO_SYNCPOINT)
    with pytest.raises(MQError) as error:
        under_cursor(connection, queue, MQGMO_MSG_UNDER_CURSOR)
    assert error.value.reason == MQRC_NO_MSG_UNDER_CURSOR
    other.backout()
    assert under_cursor(connection, queue, MQGMO_MSG_UNDER_CURSOR) == b"0"


def test_a_message_in_the_place_of_the_one_under_the_cursor_is_not_taken_for_it() -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    connection.put(queue, passing(), b"old")
    connection.get(queue, MQGMO_BROWSE_FIRST)
    connection.get(queue)
    connection.put(queue, passing(), b"new")
    with pytest.raises(MQError) as error:
        under_cursor(connection, queue, MQGMO_MSG_UNDER_CURSOR)
    assert error.value.reason == MQRC_NO_MSG_UNDER_CURSOR


# -- truncation --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1000, 20000], ids=["one page", "several pages"])
def test_a_message_that_was_cut_and_not_accepted_leaves_the_cursor_where_it_was(size: int) -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    connection.put(queue, lasting(), b"short")
    connection.put(queue, lasting(), b"x" * size)
    connection.get(queue, MQGMO_BROWSE_FIRST)
    got = connection.get(queue, MQGMO_BROWSE_NEXT, buffer_length=10)
    assert (got.reason, got.length, got.data) == (MQRC_TRUNCATED_MSG_FAILED, size, b"x" * 10)
    assert under_cursor(connection, queue) == b"short"
    got = connection.get(queue, MQGMO_BROWSE_NEXT | MQGMO_ACCEPT_TRUNCATED_MSG, buffer_length=10)
    assert (got.reason, got.length) == (MQRC_TRUNCATED_MSG_ACCEPTED, size)
    assert under_cursor(connection, queue) == b"x" * size


def test_a_first_message_that_was_cut_leaves_the_cursor_before_it() -> None:
    _host, connection, queue = with_messages(2)
    connection.get(queue, MQGMO_BROWSE_FIRST)
    connection.get(queue, MQGMO_BROWSE_NEXT)
    assert connection.get(queue, MQGMO_BROWSE_FIRST, buffer_length=0).reason == MQRC_TRUNCATED_MSG_FAILED
    assert connection.get(queue, MQGMO_BROWSE_NEXT).data == b"0"


# -- by id -------------------------------------------------------------------------------------------------------------


def by_correlation(connection: LocalConnection, queue: Handle, option: int, correlation_id: bytes) -> bytes:
    wanted = MessageDescriptor(correlation_id=correlation_id)
    return connection.get(queue, option, match_options=MQMO_MATCH_CORREL_ID, wanted=wanted).data


def test_browsing_by_id_passes_over_the_others_in_a_queue_deeper_than_its_pool() -> None:
    connection, queue = queue_of(create(SimDisk(), small(pool=40, pages=6000)))
    for number in range(600):
        connection.put(queue, passing(correlation_id=b"%024d" % (number % 100)), b"%d" % number)
    found = [by_correlation(connection, queue, MQGMO_BROWSE_NEXT, b"%024d" % 42) for _ in range(6)]
    assert found == [b"42", b"142", b"242", b"342", b"442", b"542"]
    with pytest.raises(NoMessage):
        by_correlation(connection, queue, MQGMO_BROWSE_NEXT, b"%024d" % 42)
    assert connection.get(queue, MQGMO_BROWSE_NEXT).data == b"543", "a search in vain leaves the cursor"


# -- locks -------------------------------------------------------------------------------------------------------------


def test_a_locked_message_is_for_its_handle_alone() -> None:
    host, connection, queue = with_messages(2)
    other, others_queue = opened(host)
    assert connection.get(queue, MQGMO_BROWSE_FIRST | MQGMO_LOCK).data == b"0"
    assert browse_all(other, others_queue) == [b"1"]
    assert other.get(others_queue).data == b"1"
    with pytest.raises(NoMessage):
        other.get(others_queue)
    assert under_cursor(connection, queue) == b"0"
    assert under_cursor(connection, queue, MQGMO_MSG_UNDER_CURSOR | MQGMO_SYNCPOINT) == b"0"
    connection.backout()
    assert other.get(others_queue).data == b"0"


def test_unlocking_gives_the_message_to_others() -> None:
    host, connection, queue = with_messages(1)
    other, others_queue = opened(host)
    connection.get(queue, MQGMO_BROWSE_FIRST | MQGMO_LOCK)
    connection.get(queue, MQGMO_UNLOCK)
    assert other.get(others_queue).data == b"0"


def test_closing_the_handle_unlocks() -> None:
    host, connection, queue = with_messages(1)
    other, others_queue = opened(host)
    connection.get(queue, MQGMO_BROWSE_FIRST | MQGMO_LOCK)
    connection.close(queue)
    assert other.get(others_queue).data == b"0"


@pytest.mark.parametrize("lock", [0, MQGMO_LOCK], ids=["without lock", "with lock"])
def test_browsing_on_unlocks_the_message_before(lock: int) -> None:
    host, connection, queue = with_messages(2)
    other, others_queue = opened(host)
    connection.get(queue, MQGMO_BROWSE_FIRST | MQGMO_LOCK)
    connection.get(queue, MQGMO_BROWSE_NEXT | lock)
    assert browse_all(other, others_queue) == ([b"0"] if lock else [b"0", b"1"])


def test_browsing_to_the_end_unlocks() -> None:
    host, connection, queue = with_messages(1)
    other, others_queue = opened(host)
    connection.get(queue, MQGMO_BROWSE_FIRST | MQGMO_LOCK)
    with pytest.raises(NoMessage):
        connection.get(queue, MQGMO_BROWSE_NEXT)
    assert other.get(others_queue).data == b"0"


def test_a_message_that_was_cut_keeps_the_lock_of_the_one_before() -> None:
    host, connection, queue = with_messages(2)
    other, others_queue = opened(host)
    connection.get(queue, MQGMO_BROWSE_FIRST | MQGMO_LOCK)
    assert connection.get(queue, MQGMO_BROWSE_NEXT, buffer_length=0).reason == MQRC_TRUNCATED_MSG_FAILED
    assert browse_all(other, others_queue) == [b"1"]


@pytest.mark.parametrize("again", [MQGMO_LOCK, 0], ids=["with lock", "without lock"])
def test_a_handle_sees_the_message_that_it_has_locked_itself(again: int) -> None:
    host, connection, queue = with_messages(2)
    other, others_queue = opened(host)
    connection.get(queue, MQGMO_BROWSE_FIRST | MQGMO_LOCK)
    assert connection.get(queue, MQGMO_BROWSE_FIRST | again).data == b"0"
    assert browse_all(other, others_queue) == ([b"1"] if again else [b"0", b"1"])


def test_a_locked_message_that_does_not_fit_stays_locked() -> None:
    host, connection, queue = with_messages(1)
    other, others_queue = opened(host)
    connection.get(queue, MQGMO_BROWSE_FIRST | MQGMO_LOCK)
    got = connection.get(queue, MQGMO_MSG_UNDER_CURSOR, buffer_length=0)
    assert got.reason == MQRC_TRUNCATED_MSG_FAILED
    with pytest.raises(NoMessage):
        other.get(others_queue)
    assert under_cursor(connection, queue, MQGMO_MSG_UNDER_CURSOR) == b"0"


def test_a_long_locked_message_that_does_not_fit_stays_locked() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    other, others_queue = opened(host)
    connection.put(queue, lasting(), b"x" * 50000)
    connection.get(queue, MQGMO_BROWSE_FIRST | MQGMO_LOCK)
    assert connection.get(queue, MQGMO_MSG_UNDER_CURSOR, buffer_length=9).reason == MQRC_TRUNCATED_MSG_FAILED
    with pytest.raises(NoMessage):
        other.get(others_queue)
    assert under_cursor(connection, queue, MQGMO_MSG_UNDER_CURSOR) == b"x" * 50000


# -- long messages -----------------------------------------------------------------------------------------------------


def interrupted(host: Host, request: GetRequest, stalls: int, action: Callable[[], None]) -> Got | None:
    """Carry out a get, and something else after it has stalled some times."""
    while True:
        try:
            with host.lock:
                return get(request)
        except Stall as stall:
            waiting = stall
        resolve(waiting)
        stalls -= 1
        if stalls == 0:
            action()


@pytest.mark.pages
def test_a_long_message_that_goes_while_it_is_browsed_is_passed_over() -> None:
    host = create(SimDisk(), small(pool=40, pages=6000))
    connection, queue = queue_of(host)
    other, others_queue = opened(host)
    connection.put(queue, passing(), b"a" * 300_000)
    connection.put(queue, passing(), b"b" * 300_000)

    def replace() -> None:
        assert other.get(others_queue).data == b"a" * 300_000
        other.put(others_queue, passing(), b"c" * 300_000)

    request = GetRequest(connection.connection, queue, MQGMO_BROWSE_FIRST, None, -1)
    got = interrupted(host, request, 10, replace)
    assert got is not None
    assert got.data == b"b" * 300_000
    assert connection.get(queue, MQGMO_BROWSE_NEXT).data == b"c" * 300_000
    assert queue.queue is not None
    assert not queue.queue.damaged


@pytest.mark.pages
def test_a_long_message_that_goes_from_under_the_cursor_while_it_is_browsed() -> None:
    host = create(SimDisk(), small(pool=40, pages=6000))
    connection, queue = queue_of(host)
    other, others_queue = opened(host)
    connection.put(queue, passing(), b"a" * 300_000)
    connection.get(queue, MQGMO_BROWSE_FIRST)

    def take() -> None:
        other.get(others_queue)

    request = GetRequest(connection.connection, queue, MQGMO_BROWSE_MSG_UNDER_CURSOR, None, -1)
    with pytest.raises(MQError) as error:
        interrupted(host, request, 10, take)
    assert error.value.reason == MQRC_NO_MSG_UNDER_CURSOR
