"""Distribution lists: authority at each destination, many of them, puts that stall, and what is counted."""

import pytest
from tests.support.authorities import admit
from tests.support.hosting import after_power_loss, create, lasting, opened, passing, queue_of, small
from tests.support.simdisk import SimDisk

from kew.codes.completion import MQCC_WARNING
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import MQOO_OUTPUT, MQPMO_SYNCPOINT
from kew.codes.reasons import MQRC_BACKED_OUT, MQRC_HOBJ_ERROR, MQRC_MULTIPLE_REASONS, MQRC_NOT_AUTHORIZED
from kew.mqi.local.connection import LocalConnection
from kew.mqi.objects.distribution import DistributionList, Member
from kew.qmgr.assemble import Host
from kew.storage.unit import IN_FLIGHT


def list_of(*names: str) -> DistributionList:
    return DistributionList([Member(name) for name in names])


def with_queues(count: int, pool: int = 200) -> tuple[Host, LocalConnection, list[str]]:
    host = create(SimDisk(), small(pool=pool))
    names = [f"Q{number}" for number in range(count)]
    for name in names:
        queue_of(host, name)
    return host, host.connect(), names


def contents(host: Host, name: str) -> list[bytes]:
    connection, queue = opened(host, name)
    found: list[bytes] = []
    try:
        while True:
            found.append(connection.get(queue).data)
    except NoMessage:
        return found
    finally:
        connection.disconnect()


def test_authority_is_asked_for_each_destination() -> None:
    host, _connection, _names = with_queues(2)
    admit(host, "app", "Q0", "PUT")
    destinations = list_of("Q0", "Q1")
    connection = host.connect(user="app")
    handle = connection.open_list(destinations, MQOO_OUTPUT)
    assert [member.reason for member in destinations.members] == [0, MQRC_NOT_AUTHORIZED]
    with pytest.raises(MQError) as warned:
        connection.put(handle, passing(), b"x")
    assert (warned.value.completion, warned.value.reason) == (MQCC_WARNING, MQRC_MULTIPLE_REASONS)
    assert (contents(host, "Q0"), contents(host, "Q1")) == ([b"x"], [])


def test_a_list_of_more_destinations_than_one_step_takes() -> None:
    host, connection, names = with_queues(150)
    destinations = list_of(*names)
    handle = connection.open_list(destinations, MQOO_OUTPUT)
    connection.put(handle, lasting(), b"short")
    connection.put(handle, passing(), b"in a unit", MQPMO_SYNCPOINT)
    connection.commit()
    assert destinations.known == 150
    assert [contents(host, name) for name in names] == [[b"short", b"in a unit"]] * 150
    connection.close(handle)
    assert not connection.connection.handles


def test_puts_that_stall_go_on_where_they_were() -> None:
    host, connection, names = with_queues(8, pool=24)
    handle = connection.open_list(list_of(*names), MQOO_OUTPUT)
    for number in range(20):
        connection.put(handle, passing(), b"%d" % number * 100)
    data = bytes(20_000)
    connection.put(handle, lasting(), data)
    expected = [b"%d" % number * 100 for number in range(20)] + [data]
    assert [contents(host, name) for name in names] == [expected] * 8


def test_what_is_acknowledged_is_there_after_a_power_loss() -> None:
    host, connection, names = with_queues(3)
    handle = connection.open_list(list_of(*names), MQOO_OUTPUT)
    connection.put(handle, lasting(), b"kept")
    connection.put(handle, lasting(), b"not committed", MQPMO_SYNCPOINT)
    assert isinstance(host.disk, SimDisk)
    again = after_power_loss(host.disk, small())
    assert [contents(again, name) for name in names] == [[b"kept"]] * 3


def test_a_handle_of_another_connection_and_a_unit_that_was_forced_out() -> None:
    host, connection, names = with_queues(2)
    handle = connection.open_list(list_of(*names), MQOO_OUTPUT)
    with pytest.raises(MQError) as foreign:
        host.connect().put(handle, passing(), b"x")
    assert foreign.value.reason == MQRC_HOBJ_ERROR
    connection.put(handle, passing(), b"x", MQPMO_SYNCPOINT)
    unit = connection.connection.unit
    assert unit is not None
    assert unit.state <= IN_FLIGHT
    unit.forced_out = True
    with pytest.raises(MQError) as gone:
        connection.put(handle, passing(), b"y", MQPMO_SYNCPOINT)
    assert gone.value.reason == MQRC_BACKED_OUT


def test_each_destination_is_counted_as_a_put_on_its_queue() -> None:
    host, connection, names = with_queues(3)
    host.engine.metered = True
    handle = connection.open_list(list_of(*names), MQOO_OUTPUT)
    before = host.engine.calls.puts
    connection.put(handle, passing(), b"x")
    assert host.engine.calls.puts == before + 3
    connection.close(handle)
    assert host.engine.calls.closes >= 3
