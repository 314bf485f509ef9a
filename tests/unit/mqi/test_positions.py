"""A queue read by position: where reading may go, a browse that can be made again, and the end of what was read."""

import contextlib

import pytest
from tests.support.hosting import EVERYTHING, Notes, after_power_loss, create, small
from tests.support.simdisk import SimDisk

from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQGMO_BROWSE_NEXT,
    MQGMO_SYNCPOINT,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_INQUIRE,
    MQOO_OUTPUT,
    MQPER_PERSISTENT,
    MQPMO_SYNCPOINT,
)
from kew.codes.positions import (
    BROWSE,
    KEWCA_POSITIONS,
    TRIM,
    format_positions,
    halves,
    parse_positions,
    whole,
)
from kew.codes.reasons import MQRC_NOT_OPEN_FOR_BROWSE, MQRC_NOT_OPEN_FOR_INPUT, MQRC_SELECTOR_ERROR
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection


def opened(disk: SimDisk) -> tuple[LocalConnection, Handle]:
    host = create(disk, small(), Notes(), threads=True)
    host.administration.define("QLOCAL", "Q", {})
    connection = host.connect()
    return connection, connection.open("Q", EVERYTHING)


def positions(connection: LocalConnection, queue: Handle) -> tuple[int, int, int]:
    return parse_positions(str(connection.inquire(queue, [KEWCA_POSITIONS])[KEWCA_POSITIONS]))


def go(connection: LocalConnection, queue: Handle, pair: tuple[int, int], position: int) -> None:
    connection.set(queue, dict(zip(pair, halves(position), strict=True)))


def browse(connection: LocalConnection, queue: Handle) -> list[tuple[int, bytes]]:
    found: list[tuple[int, bytes]] = []
    with contextlib.suppress(NoMessage):
        while True:
            got = connection.get(queue, MQGMO_BROWSE_NEXT)
            found.append((got.position, got.data))
    return found


@pytest.mark.parametrize("position", [0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1_800_000_000_000_000, (1 << 64) - 1])
def test_a_position_survives_its_halves(position: int) -> None:
    assert whole(*halves(position)) == position
    assert all(-(1 << 31) <= half < 1 << 31 for half in halves(position))
    assert parse_positions(format_positions(position, 2, 3)) == (position, 2, 3)


def test_a_range_is_read_again_and_again_in_order_of_arrival() -> None:
    connection, queue = opened(SimDisk())
    for place in range(10):
        connection.put(queue, MessageDescriptor(priority=place % 3, persistence=place % 2), b"%d" % place)
    start, end, trimmed = positions(connection, queue)
    assert (end - start, trimmed) == (10, 0)
    for _ in range(2):
        go(connection, queue, BROWSE, start + 4)
        assert browse(connection, queue) == [(start + place, b"%d" % place) for place in range(4, 10)]
    go(connection, queue, BROWSE, start + 4)
    assert positions(connection, queue)[0] == start + 4
    go(connection, queue, TRIM, start + 6)
    go(connection, queue, TRIM, start + 6)
    assert positions(connection, queue) == (start + 6, end, start + 6)
    go(connection, queue, BROWSE, 0)
    assert [data for _, data in browse(connection, queue)] == [b"6", b"7", b"8", b"9"]


def test_uncommitted_work_holds_the_end_back() -> None:
    connection, queue = opened(SimDisk())
    connection.put(queue, MessageDescriptor(), b"0")
    connection.put(queue, MessageDescriptor(), b"1", MQPMO_SYNCPOINT)
    connection.put(queue, MessageDescriptor(), b"2")
    start, end, _ = positions(connection, queue)
    assert end - start == 1
    connection.commit()
    assert positions(connection, queue)[1] - start == 3
    connection.get(queue, MQGMO_SYNCPOINT)
    following, end, _ = positions(connection, queue)
    assert following == end == start
    connection.backout()
    assert positions(connection, queue)[:2] == (start, start + 3)


def test_positions_do_not_come_again_after_a_restart() -> None:
    disk = SimDisk()
    connection, queue = opened(disk)
    for _ in range(5):
        connection.put(queue, MessageDescriptor(persistence=MQPER_PERSISTENT), b"x")
    start, end, _ = positions(connection, queue)
    go(connection, queue, TRIM, start + 5)
    again = after_power_loss(disk, small()).connect()
    handle = again.open("Q", EVERYTHING)
    following, new_end, _ = positions(again, handle)
    assert following == new_end
    assert new_end > end


def test_who_may_not_read_or_take_is_refused() -> None:
    connection, queue = opened(SimDisk())
    only_out = connection.open("Q", MQOO_OUTPUT | MQOO_INQUIRE)
    with pytest.raises(MQError) as refused:
        go(connection, only_out, BROWSE, 1)
    assert refused.value.reason == MQRC_NOT_OPEN_FOR_BROWSE
    only_browse = connection.open("Q", MQOO_BROWSE)
    with pytest.raises(MQError) as refused:
        go(connection, only_browse, TRIM, 1)
    assert refused.value.reason == MQRC_NOT_OPEN_FOR_INPUT
    with pytest.raises(MQError) as refused:
        connection.set(queue, {TRIM[0]: 1})
    assert refused.value.reason == MQRC_SELECTOR_ERROR
    connection.administration.define("QALIAS", "A", {"TARGET": "Q"})
    alias = connection.open("A", MQOO_BROWSE | MQOO_INPUT_SHARED)
    with pytest.raises(MQError) as refused:
        go(connection, alias, TRIM, 1)
    assert refused.value.reason == MQRC_SELECTOR_ERROR
