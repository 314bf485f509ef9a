"""Units of work that a part of the queue manager prepares, finds again after a restart, and ends itself."""

from collections.abc import Callable
from functools import partial

import pytest
from tests.support.hosting import after_power_loss, create, lasting, opened, queue_of, small, start
from tests.support.simdisk import SimDisk

from kew.codes.errors import MQError, NoMessage
from kew.codes.options import MQGMO_SYNCPOINT, MQPMO_SYNCPOINT
from kew.codes.reasons import (
    MQRC_BACKED_OUT,
    MQRC_ENVIRONMENT_ERROR,
    MQRC_UOW_ENLISTMENT_ERROR,
    MQRC_UOW_NOT_AVAILABLE,
)
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.mqi.transactions import units
from kew.qmgr.assemble import Host
from kew.storage.unit import Unit
from kew.storage.xid import CHANNEL_BATCH, pack, unpack


def batch(number: int) -> bytes:
    return pack(CHANNEL_BATCH, b"key of a channel", number.to_bytes(4, "big"))


def prepare_batch(connection: LocalConnection, queue: Handle, number: int) -> Unit:
    """Get a message and put one that says so, prepared and on disk."""
    connection.get(queue, MQGMO_SYNCPOINT)
    connection.put(queue, lasting(), b"after %d" % number, MQPMO_SYNCPOINT)
    unit, address = connection.engine.run(partial(units.prepare_own, connection.connection, batch(number)))
    connection.engine.log.force(address)
    return unit


def with_batches(disk: SimDisk, count: int) -> tuple[Host, LocalConnection, Handle]:
    host = create(disk, small())
    connection, queue = queue_of(host)
    for number in range(count):
        connection.put(queue, lasting(), b"before %d" % number)
    for number in range(count):
        prepare_batch(connection, queue, number)
    return host, connection, queue


def reason_of(call: Callable[[], object]) -> int:
    with pytest.raises(MQError) as error:
        call()
    return error.value.reason


def told(host: Host) -> list[tuple[int, bytes, bytes] | None]:
    return [unpack(unit.xid) for unit in host.units.prepared(CHANNEL_BATCH)]


def all_messages(host: Host) -> list[bytes]:
    connection, queue = opened(host)
    found: list[bytes] = []
    while True:
        try:
            found.append(connection.get(queue).data)
        except NoMessage:
            return found


@pytest.mark.parametrize("how", ["running", "stopped", "power loss", "two power losses"])
def test_the_owner_finds_its_units_in_their_order_and_ends_them(how: str) -> None:
    disk = SimDisk()
    host, connection, _queue = with_batches(disk, 4)
    connection.disconnect()
    if how == "stopped":
        host.stop()
        host = start(disk, small())
    elif how == "power loss":
        host = after_power_loss(disk, small())
    elif how == "two power losses":
        host = after_power_loss(disk, small())
        assert isinstance(host.disk, SimDisk)
        host = after_power_loss(host.disk, small())
    assert told(host) == [(CHANNEL_BATCH, b"key of a channel", n.to_bytes(4, "big")) for n in range(4)]
    assert all_messages(host) == []
    for unit in host.units.prepared(CHANNEL_BATCH)[:2]:
        host.engine.run(partial(host.units.commit, unit))
    for unit in reversed(host.units.prepared(CHANNEL_BATCH)):
        host.engine.run(partial(host.units.backout, unit))
    assert told(host) == []
    assert sorted(all_messages(host)) == [b"after 0", b"after 1", b"before 2", b"before 3"]


def test_a_checkpoint_that_writes_them_anew_keeps_their_order() -> None:
    disk = SimDisk()
    host, _connection, _queue = with_batches(disk, 3)
    other, filler = queue_of(host, "FILLER")
    for _ in range(300):
        other.put(filler, lasting(), bytes(2000))
        other.get(filler)
    before = told(host)
    assert len(before) == 3
    assert told(after_power_loss(disk, small())) == before


def test_a_transaction_manager_is_not_offered_them_and_cannot_touch_them() -> None:
    disk = SimDisk()
    host, connection, queue = with_batches(disk, 1)
    connection.put(queue, lasting(), b"mine")
    connection.start_branch(b"branch")
    connection.get(queue, MQGMO_SYNCPOINT)
    connection.end_branch()
    connection.prepare(b"branch")
    for each in (host, after_power_loss(disk, small())):
        manager = each.connect()
        assert manager.recover() == [b"branch"]
        for call in (manager.prepare, manager.commit_branch, manager.back_out_branch):
            assert reason_of(partial(call, batch(0))) == MQRC_UOW_NOT_AVAILABLE
        assert len(told(each)) == 1


def test_no_branch_begins_in_a_format_of_the_queue_manager() -> None:
    host = create(SimDisk(), small())
    assert reason_of(partial(host.connect().start_branch, batch(9))) == MQRC_UOW_ENLISTMENT_ERROR


def test_a_connection_goes_on_with_its_next_unit() -> None:
    host, connection, queue = with_batches(SimDisk(), 1)
    connection.put(queue, lasting(), b"next", MQPMO_SYNCPOINT)
    connection.backout()
    connection.abandon()
    assert len(told(host)) == 1


def test_what_cannot_be_prepared_is_refused() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    prepare = partial(units.prepare_own, connection.connection)
    with pytest.raises(ValueError, match="is not the name"):
        prepare(pack(1, b"a transaction manager's", b"branch"))
    assert reason_of(partial(prepare, batch(0))) == MQRC_UOW_NOT_AVAILABLE
    connection.begin()
    assert reason_of(partial(prepare, batch(0))) == MQRC_UOW_NOT_AVAILABLE
    connection.put(queue, lasting(), b"x", MQPMO_SYNCPOINT)
    units.spoil(connection.connection)
    assert reason_of(partial(prepare, batch(0))) == MQRC_BACKED_OUT
    connection.start_branch(b"branch")
    connection.put(queue, lasting(), b"x", MQPMO_SYNCPOINT)
    assert reason_of(partial(prepare, batch(0))) == MQRC_ENVIRONMENT_ERROR
    assert told(host) == []
