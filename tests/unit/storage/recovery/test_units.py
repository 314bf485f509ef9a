"""Units of work: what becomes visible when, what is undone, and what the log hears of it."""

import pytest
from tests.support.hosting import create, lasting, opened, passing, queue_of, small
from tests.support.simdisk import SimDisk

from kew.codes.errors import NoMessage
from kew.codes.options import MQGMO_SYNCPOINT, MQPMO_SYNCPOINT
from kew.qmgr.assemble import Host
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.pages import records
from kew.storage.pages.directory import LIVE, Entry
from kew.storage.recovery.units import Units
from kew.storage.unit import BACKED_OUT, COMMITTED, IN_BACKOUT, IN_COMMIT, IN_DOUBT, IN_FLIGHT, IllegalMove


def kinds(host: Host, start: int) -> list[str]:
    """Name the log records from an address on."""
    host.log.force(host.log.next_address)
    return [records.KIND_NAMES[record.kind] for record in host.log.read(LogAddress(start))]


def with_queue() -> Host:
    host = create(SimDisk(), small())
    queue_of(host)
    return host


def test_a_commit_of_puts_is_one_record_more() -> None:
    host = with_queue()
    connection, queue = opened(host)
    start = host.log.next_address
    for number in range(3):
        connection.put(queue, lasting(), b"%d" % number, MQPMO_SYNCPOINT)
    connection.commit()
    assert kinds(host, start) == ["PUT", "PUT", "PUT", "COMMIT"]


def test_a_commit_of_gets_removes_them_after_the_decision() -> None:
    host = with_queue()
    connection, queue = opened(host)
    connection.put(queue, lasting(), b"x")
    start = host.log.next_address
    connection.get(queue, MQGMO_SYNCPOINT)
    connection.commit()
    assert kinds(host, start) == ["GET", "COMMIT", "REMOVE", "END"]


def test_a_backout_undoes_in_reverse() -> None:
    host = with_queue()
    connection, queue = opened(host)
    connection.put(queue, lasting(), b"x")
    start = host.log.next_address
    connection.get(queue, MQGMO_SYNCPOINT)
    connection.put(queue, lasting(), b"y", MQPMO_SYNCPOINT)
    connection.backout()
    assert kinds(host, start) == ["GET", "PUT", "BACKOUT", "REMOVE", "UNGET", "END"]


def test_non_persistent_messages_cost_no_log_record() -> None:
    host = with_queue()
    connection, queue = opened(host)
    start = host.log.next_address
    connection.put(queue, passing(), b"x", MQPMO_SYNCPOINT)
    connection.commit()
    connection.get(queue, MQGMO_SYNCPOINT)
    connection.backout()
    connection.get(queue)
    assert host.log.next_address == start


def test_a_unit_without_log_records_waits_for_nothing() -> None:
    host = with_queue()
    connection, queue = opened(host)
    connection.put(queue, passing(), b"x", MQPMO_SYNCPOINT)
    unit = connection.connection.unit
    assert unit is not None
    with host.lock:
        assert host.units.commit(unit) == NO_ADDRESS


def test_the_commit_is_on_disk_when_it_returns() -> None:
    host = with_queue()
    connection, queue = opened(host)
    connection.put(queue, lasting(), b"x", MQPMO_SYNCPOINT)
    connection.commit()
    assert host.log.durable == host.log.next_address


@pytest.mark.parametrize("make", [lasting, passing])
def test_puts_are_seen_after_commit_and_gets_are_gone_at_once(make: type) -> None:
    host = with_queue()
    one, ones_queue = opened(host)
    two, twos_queue = opened(host)
    one.put(ones_queue, make(), b"x", MQPMO_SYNCPOINT)
    for connection, queue in ((one, ones_queue), (two, twos_queue)):
        with pytest.raises(NoMessage):
            connection.get(queue)
    one.commit()
    assert two.get(twos_queue, MQGMO_SYNCPOINT).data == b"x"
    with pytest.raises(NoMessage):
        one.get(ones_queue)
    two.backout()
    assert one.get(ones_queue).data == b"x"


def test_a_message_that_was_backed_out_keeps_its_place() -> None:
    host = with_queue()
    connection, queue = opened(host)
    for number in range(4):
        connection.put(queue, (lasting if number % 2 else passing)(), b"%d" % number)
    other, others_queue = opened(host)
    assert [other.get(others_queue, MQGMO_SYNCPOINT).data for _ in range(2)] == [b"0", b"1"]
    assert connection.get(queue).data == b"2"
    other.backout()
    assert [connection.get(queue).data for _ in range(3)] == [b"0", b"1", b"3"]


def test_depth_counts_what_is_not_committed() -> None:
    host = with_queue()
    queue = host.queues.by_name["Q1"]
    connection, handle = opened(host)
    connection.put(handle, lasting(), b"x")
    connection.put(handle, lasting(), b"y", MQPMO_SYNCPOINT)
    assert (queue.depth, queue.uncommitted) == (2, 1)
    connection.get(handle, MQGMO_SYNCPOINT)
    assert (queue.depth, queue.uncommitted) == (1, 2)
    connection.backout()
    assert (queue.depth, queue.uncommitted) == (1, 0)


def test_log_space_kept_for_undoing_is_given_back() -> None:
    host = with_queue()
    connection, queue = opened(host)
    for end in (connection.commit, connection.backout):
        for _ in range(10):
            connection.put(queue, lasting(), bytes(9000), MQPMO_SYNCPOINT)
        assert host.store.reserved > 10 * 100
        end()
        assert host.store.reserved == 0


# -- the units themselves ----------------------------------------------------------------------------------------------


class Deaf:
    """An observer that keeps no queues."""

    def put_committed(self, item: object) -> None:
        pass

    def get_committed(self, item: object) -> None:
        pass

    def put_undone(self, item: object) -> None:
        pass

    def get_undone(self, item: object) -> None:
        pass

    def unit_ended(self) -> None:
        pass


def units_of(host: Host) -> Units:
    return Units(host.store, Deaf())


def worked(host: Host, units: Units, number: int = 1) -> int:
    """Begin a unit and let it put something; gives its id."""
    unit = units.begin()
    assert host.catalogue.store is not None
    chain = host.catalogue.store.chain
    entry = Entry(LIVE, 1, 0, 0, 0, 0, 1000 + number, 0, 0, 0, 0, 0)
    host.store.put(chain, entry, b"", b"x", unit)
    return unit.id


def test_ids_rise_and_end_with_the_unit() -> None:
    host = with_queue()
    units = units_of(host)
    first, second = worked(host, units, 1), worked(host, units, 2)
    assert second == first + 1
    assert list(units.active) == [first, second]
    units.commit(units.active[first])
    units.backout(units.active[second])
    assert not units.active
    assert (units.counters.begun, units.counters.committed, units.counters.backed_out) == (2, 1, 1)


def test_a_unit_that_did_nothing_is_forgotten() -> None:
    host = with_queue()
    units = units_of(host)
    units.backout(units.begin())
    assert not units.active
    assert host.store.reserved == 0


@pytest.mark.parametrize("state", [IN_COMMIT, COMMITTED, IN_BACKOUT, BACKED_OUT, IN_DOUBT])
def test_only_a_unit_in_flight_can_be_prepared(state: int) -> None:
    host = with_queue()
    units = units_of(host)
    unit = units.active[worked(host, units)]
    unit.state = state
    with pytest.raises(IllegalMove):
        units.prepare(unit, b"xid")


def test_a_unit_in_doubt_can_still_go_both_ways() -> None:
    host = with_queue()
    units = units_of(host)
    for end, state in ((units.commit, COMMITTED), (units.backout, BACKED_OUT)):
        unit = units.active[worked(host, units)]
        address = units.prepare(unit, b"xid")
        assert address == host.log.next_address
        assert units.in_doubt() == [unit]
        end(unit)
        assert unit.state == state
        assert not units.in_doubt()


@pytest.mark.parametrize("ended", ["commit", "backout"])
def test_an_ended_unit_cannot_be_ended_again(ended: str) -> None:
    host = with_queue()
    units = units_of(host)
    unit = units.active[worked(host, units)]
    if ended == "commit":
        units.commit(unit)
    else:
        units.backout(unit)
    for again in (units.commit, units.backout):
        with pytest.raises(IllegalMove):
            again(unit)


def test_the_oldest_unit_in_flight_is_the_one_with_the_oldest_record() -> None:
    host = with_queue()
    units = units_of(host)
    idle = units.begin()
    first, second, third = (units.active[worked(host, units, number)] for number in range(3))
    assert units.oldest_in_flight() is first
    assert units.oldest_address(1 << 60) == first.first_address
    units.prepare(first, b"xid")
    assert units.oldest_in_flight() is second
    units.commit(second)
    assert units.oldest_in_flight() is third
    assert third.state == IN_FLIGHT
    units.commit(third)
    assert units.oldest_in_flight() is None
    assert units.oldest_address(1 << 60) == first.first_address, "a unit in doubt needs its records"
    units.commit(first)
    assert units.oldest_address(1 << 60) == 1 << 60
    units.backout(idle)


def test_records_written_anew_are_chained_from_the_end_of_the_log() -> None:
    host = with_queue()
    connection, queue = opened(host)
    connection.put(queue, lasting(), b"got")
    connection.start_branch(b"xid")
    connection.put(queue, lasting(), bytes(20000), MQPMO_SYNCPOINT)
    connection.put(queue, passing(), b"passing", MQPMO_SYNCPOINT)
    connection.get(queue, MQGMO_SYNCPOINT)
    connection.end_branch()
    connection.prepare(b"xid")
    unit = host.units.in_doubt()[0]
    start = host.log.next_address
    with host.lock:
        host.units.relog(unit)
    assert kinds(host, start) == ["RELOG", "RELOG", "PREPARE"]
    assert unit.first_address == start
    assert [operation.address >= start for operation in unit.operations] == [True, False, True]
    read = list(host.log.read(LogAddress(start)))
    assert [record.previous for record in read] == [0, read[0].address, read[1].address]
