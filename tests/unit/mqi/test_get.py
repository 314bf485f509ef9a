"""MQGET: what it gives, how it ends, and that a get which fails leaves the message as it was."""

import pytest
from tests.support.hosting import create, lasting, opened, passing, queue_of, small
from tests.support.simdisk import SimDisk

from kew.codes.completion import MQCC_OK, MQCC_WARNING
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQGMO_ACCEPT_TRUNCATED_MSG,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT,
    MQGMO_LOCK,
    MQGMO_MSG_UNDER_CURSOR,
    MQGMO_SYNCPOINT,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
    MQGMO_UNLOCK,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
)
from kew.codes.reasons import (
    MQRC_NO_MSG_LOCKED,
    MQRC_NONE,
    MQRC_NOT_OPEN_FOR_BROWSE,
    MQRC_NOT_OPEN_FOR_INPUT,
    MQRC_TRUNCATED_MSG_ACCEPTED,
    MQRC_TRUNCATED_MSG_FAILED,
)
from kew.storage.log import NO_ADDRESS

SIZES = [0, 1, 100, 3692, 3693, 3180, 3181, 4064, 8000, 300_000]


def reason_of(error: pytest.ExceptionInfo[MQError]) -> int:
    return error.value.reason


@pytest.mark.parametrize("make", [lasting, passing])
@pytest.mark.parametrize("size", SIZES)
def test_a_message_of_any_size_comes_back_byte_for_byte(make: type, size: int) -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    data = bytes(number * 7 % 256 for number in range(size))
    connection.put(queue, make(), data)
    got = connection.get(queue)
    assert (got.data, got.length, got.reason, got.completion) == (data, size, MQRC_NONE, MQCC_OK)
    with pytest.raises(NoMessage):
        connection.get(queue)


@pytest.mark.parametrize("size", [1000, 50_000], ids=["one page", "several pages"])
@pytest.mark.parametrize("room", [0, 1, 999])
def test_a_message_that_does_not_fit_stays_with_a_warning(size: int, room: int) -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    data = bytes(number % 256 for number in range(size))
    connection.put(queue, lasting(), data)
    for options in (0, MQGMO_SYNCPOINT):
        got = connection.get(queue, options, buffer_length=room)
        assert (got.data, got.length) == (data[:room], size)
        assert (got.reason, got.completion) == (MQRC_TRUNCATED_MSG_FAILED, MQCC_WARNING)
    got = connection.get(queue, MQGMO_ACCEPT_TRUNCATED_MSG, buffer_length=room)
    assert (got.data, got.length) == (data[:room], size)
    assert (got.reason, got.completion) == (MQRC_TRUNCATED_MSG_ACCEPTED, MQCC_WARNING)
    with pytest.raises(NoMessage):
        connection.get(queue)


def test_a_buffer_of_just_the_right_size_is_no_truncation() -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    connection.put(queue, lasting(), b"12345")
    assert connection.get(queue, buffer_length=5).reason == MQRC_NONE


def test_unlocking_nothing_is_a_warning() -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    got = connection.get(queue, MQGMO_UNLOCK)
    assert (got.reason, got.completion) == (MQRC_NO_MSG_LOCKED, MQCC_WARNING)
    connection.put(queue, passing(), b"x")
    connection.get(queue, MQGMO_BROWSE_FIRST | MQGMO_LOCK)
    assert connection.get(queue, MQGMO_UNLOCK).reason == MQRC_NONE
    assert connection.get(queue, MQGMO_UNLOCK).reason == MQRC_NO_MSG_LOCKED


@pytest.mark.parametrize(
    ("opened_for", "options", "reason"),
    [
        (MQOO_OUTPUT, 0, MQRC_NOT_OPEN_FOR_INPUT),
        (MQOO_BROWSE, 0, MQRC_NOT_OPEN_FOR_INPUT),
        (MQOO_BROWSE, MQGMO_MSG_UNDER_CURSOR, MQRC_NOT_OPEN_FOR_INPUT),
        (MQOO_INPUT_SHARED, MQGMO_BROWSE_FIRST, MQRC_NOT_OPEN_FOR_BROWSE),
        (MQOO_INPUT_SHARED, MQGMO_BROWSE_NEXT, MQRC_NOT_OPEN_FOR_BROWSE),
        (MQOO_INPUT_SHARED, MQGMO_BROWSE_MSG_UNDER_CURSOR, MQRC_NOT_OPEN_FOR_BROWSE),
        (MQOO_INPUT_SHARED, MQGMO_MSG_UNDER_CURSOR, MQRC_NOT_OPEN_FOR_BROWSE),
    ],
)
def test_a_handle_gives_what_it_was_opened_for(opened_for: int, options: int, reason: int) -> None:
    host = create(SimDisk(), small())
    queue_of(host)
    connection, queue = opened(host, options=opened_for)
    with pytest.raises(MQError) as error:
        connection.get(queue, options)
    assert reason_of(error) == reason


def test_syncpoint_if_persistent_is_for_persistent_messages() -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    connection.put(queue, passing(), b"passing")
    connection.put(queue, lasting(), b"lasting")
    assert connection.get(queue, MQGMO_SYNCPOINT_IF_PERSISTENT).data == b"passing"
    assert connection.get(queue, MQGMO_SYNCPOINT_IF_PERSISTENT).data == b"lasting"
    connection.backout()
    assert connection.get(queue).data == b"lasting"


def test_only_a_persistent_message_out_of_syncpoint_waits_for_the_log() -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    for make in (lasting, lasting, passing):
        connection.put(queue, make(), b"x")
    assert connection.get(queue, MQGMO_SYNCPOINT).address == NO_ADDRESS
    assert connection.get(queue).address > NO_ADDRESS
    assert connection.get(queue).address == NO_ADDRESS


@pytest.mark.parametrize("size", [10, 50_000], ids=["one page", "several pages"])
@pytest.mark.parametrize("make", [lasting, passing])
def test_the_backout_count_rises_with_each_backout(make: type, size: int) -> None:
    connection, queue = queue_of(create(SimDisk(), small()))
    connection.put(queue, make(), bytes(size))
    for count in range(4):
        assert connection.get(queue, MQGMO_SYNCPOINT).descriptor.backout_count == count
        connection.backout()
    assert connection.get(queue, MQGMO_BROWSE_FIRST).descriptor.backout_count == 4
