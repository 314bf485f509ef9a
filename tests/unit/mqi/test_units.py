"""MQBEGIN, MQCMIT, MQBACK and MQDISC, and the calls of a transaction manager."""

import pytest
from tests.support.hosting import after_power_loss, create, lasting, opened, passing, queue_of, small, start
from tests.support.simdisk import SimDisk

from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQGMO_COMPLETE_MSG,
    MQGMO_NO_SYNCPOINT,
    MQGMO_SYNCPOINT,
    MQMF_LAST_SEGMENT,
    MQMF_SEGMENT,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import (
    MQRC_ENVIRONMENT_ERROR,
    MQRC_RESOURCE_PROBLEM,
    MQRC_UOW_ENLISTMENT_ERROR,
    MQRC_UOW_IN_PROGRESS,
    MQRC_UOW_NOT_AVAILABLE,
)
from kew.mqi.connections.handles import Handle
from kew.mqi.gets.get import abandon_get, get
from kew.mqi.gets.request import GetRequest
from kew.mqi.local.connection import LocalConnection
from kew.mqi.transactions import units
from kew.qmgr.assemble import Host
from kew.storage.log.record import RECORD_HEADER
from kew.storage.pages import records
from kew.storage.pages.items import LogBusy
from kew.storage.unit import IN_DOUBT

XID = b"a global transaction"


def with_queue() -> tuple[Host, LocalConnection, Handle]:
    host = create(SimDisk(), small())
    return host, *queue_of(host)


def reason_of(call: object) -> int:
    assert callable(call)
    with pytest.raises(MQError) as error:
        call()
    return error.value.reason


def branch(connection: LocalConnection, queue: Handle, xid: bytes = XID) -> None:
    """A branch that gets a message and puts another, detached from its connection."""
    connection.put(queue, lasting(), b"got")
    connection.start_branch(xid)
    connection.get(queue, MQGMO_SYNCPOINT)
    connection.put(queue, lasting(), b"put", MQPMO_SYNCPOINT)
    connection.end_branch()


# -- a program's own units ---------------------------------------------------------------------------------------------


def test_commit_and_backout_of_nothing_do_nothing() -> None:
    host, connection, _queue = with_queue()
    connection.commit()
    connection.backout()
    connection.begin()
    connection.commit()
    connection.begin()
    connection.backout()
    assert not host.units.active


def test_begin_is_refused_in_a_unit() -> None:
    _host, connection, queue = with_queue()
    connection.begin()
    assert reason_of(connection.begin) == MQRC_UOW_IN_PROGRESS
    connection.backout()
    connection.put(queue, passing(), b"x", MQPMO_SYNCPOINT)
    assert reason_of(connection.begin) == MQRC_UOW_IN_PROGRESS


def test_disconnecting_commits() -> None:
    host, connection, queue = with_queue()
    connection.put(queue, lasting(), b"x", MQPMO_SYNCPOINT)
    connection.disconnect()
    connection, queue = opened(host)
    assert connection.get(queue).data == b"x"


def test_a_program_that_dies_is_backed_out() -> None:
    host, connection, queue = with_queue()
    connection.put(queue, lasting(), b"got")
    connection.get(queue, MQGMO_SYNCPOINT)
    connection.put(queue, lasting(), b"put", MQPMO_SYNCPOINT)
    connection.abandon()
    connection.abandon()
    connection, queue = opened(host)
    assert connection.get(queue).data == b"got"
    with pytest.raises(NoMessage):
        connection.get(queue)


def test_stopping_the_queue_manager_backs_out() -> None:
    host, connection, queue = with_queue()
    connection.put(queue, lasting(), b"got")
    connection.get(queue, MQGMO_SYNCPOINT)
    host.stop()
    assert isinstance(host.disk, SimDisk)
    connection, queue = opened(start(host.disk, small()))
    got = connection.get(queue)
    assert (got.data, got.descriptor.backout_count) == (b"got", 1)


def test_several_connections_have_units_of_their_own() -> None:
    host, one, ones_queue = with_queue()
    two, twos_queue = opened(host)
    one.put(ones_queue, lasting(), b"one", MQPMO_SYNCPOINT)
    two.put(twos_queue, lasting(), b"two", MQPMO_SYNCPOINT)
    one.backout()
    two.commit()
    assert one.get(ones_queue).data == b"two"


# -- branches of global transactions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("prepare", [True, False], ids=["two-phase", "one-phase"])
def test_a_branch_is_committed_by_its_name(prepare: bool) -> None:
    host, connection, queue = with_queue()
    branch(connection, queue)
    if prepare:
        connection.prepare(XID)
        assert connection.recover() == [XID]
    host.connect().commit_branch(XID)
    assert connection.recover() == []
    assert connection.get(queue).data == b"put"
    assert reason_of(lambda: connection.commit_branch(XID)) == MQRC_UOW_NOT_AVAILABLE


@pytest.mark.parametrize("prepare", [True, False], ids=["prepared", "not prepared"])
def test_a_branch_is_rolled_back_by_its_name(prepare: bool) -> None:
    host, connection, queue = with_queue()
    branch(connection, queue)
    if prepare:
        connection.prepare(XID)
    host.connect().back_out_branch(XID)
    assert connection.recover() == []
    assert connection.get(queue).data == b"got"
    assert reason_of(lambda: connection.back_out_branch(XID)) == MQRC_UOW_NOT_AVAILABLE


def test_a_prepared_branch_outlives_its_program_and_the_queue_manager() -> None:
    disk, settings = SimDisk(), small()
    host = create(disk, settings)
    connection, queue = queue_of(host)
    branch(connection, queue)
    connection.prepare(XID)
    connection.disconnect()
    assert [unit.state for unit in host.units.active.values()] == [IN_DOUBT]
    host = after_power_loss(disk, settings)
    connection, queue = opened(host)
    assert connection.recover() == [XID]
    with pytest.raises(NoMessage):
        connection.get(queue)
    connection.commit_branch(XID)
    assert connection.get(queue).data == b"put"


def test_a_prepared_branch_survives_an_orderly_stop() -> None:
    disk, settings = SimDisk(), small()
    host = create(disk, settings)
    connection, queue = queue_of(host)
    branch(connection, queue)
    connection.prepare(XID)
    host.stop()
    connection, queue = opened(start(disk, settings))
    assert connection.recover() == [XID]
    connection.back_out_branch(XID)
    assert connection.get(queue).data == b"got"


def test_a_branch_that_is_not_prepared_dies_with_its_program_while_it_is_attached() -> None:
    host, connection, queue = with_queue()
    connection.start_branch(XID)
    connection.put(queue, lasting(), b"x", MQPMO_SYNCPOINT)
    connection.abandon()
    assert not host.units.active


@pytest.mark.parametrize("how", ["died", "stopped"])
def test_a_branch_that_is_ended_and_not_prepared_dies_with_its_program(how: str) -> None:
    host, connection, queue = with_queue()
    branch(connection, queue)
    connection.abandon() if how == "died" else connection.break_off()
    assert not host.units.active
    other, queue = opened(host)
    assert other.get(queue).data == b"got"
    assert reason_of(lambda: other.prepare(XID)) == MQRC_UOW_NOT_AVAILABLE


def test_a_branch_that_is_ended_outlives_a_program_that_disconnects() -> None:
    host, connection, queue = with_queue()
    branch(connection, queue)
    connection.disconnect()
    other, queue = opened(host)
    other.prepare(XID)
    other.commit_branch(XID)
    assert other.get(queue).data == b"put"


def test_a_branch_that_another_has_gone_on_with_does_not_die_with_the_first() -> None:
    host, connection, queue = with_queue()
    branch(connection, queue)
    other, same = opened(host)
    other.engine.run(lambda: units.join_branch(other.connection, XID))
    connection.abandon()
    other.put(same, lasting(), b"more", MQPMO_SYNCPOINT)
    other.end_branch()
    other.commit_branch(XID)
    assert [other.get(same).data for _ in range(2)] == [b"put", b"more"]


def test_a_branch_cannot_be_begun_twice_or_in_a_unit() -> None:
    host, connection, queue = with_queue()
    connection.start_branch(XID)
    assert reason_of(lambda: connection.start_branch(b"another")) == MQRC_UOW_IN_PROGRESS
    assert reason_of(lambda: host.connect().start_branch(XID)) == MQRC_UOW_ENLISTMENT_ERROR
    connection.end_branch()
    connection.put(queue, lasting(), b"x", MQPMO_SYNCPOINT)
    assert reason_of(lambda: connection.start_branch(b"another")) == MQRC_UOW_IN_PROGRESS


def test_a_user_leaves_only_so_many_branches_behind() -> None:
    host, connection, queue = with_queue()
    branch(connection, queue, b"prepared")
    connection.prepare(b"prepared")
    for number in range(units.MOST_BRANCHES):
        connection.start_branch(b"%032d" % number)
        connection.end_branch()
    assert reason_of(lambda: host.connect().start_branch(XID)) == MQRC_RESOURCE_PROBLEM
    connection.put(queue, lasting(), b"x", MQPMO_SYNCPOINT)  # units that are no branches are others' business
    connection.commit()
    connection.back_out_branch(b"%032d" % 0)
    connection.start_branch(XID)


def test_a_branch_is_not_the_programs_to_end() -> None:
    _host, connection, queue = with_queue()
    connection.start_branch(XID)
    connection.put(queue, lasting(), b"x", MQPMO_SYNCPOINT)
    assert reason_of(connection.commit) == MQRC_ENVIRONMENT_ERROR
    assert reason_of(connection.backout) == MQRC_ENVIRONMENT_ERROR
    assert reason_of(connection.begin) == MQRC_ENVIRONMENT_ERROR


def test_a_branch_that_did_nothing_needs_no_second_phase() -> None:
    host, connection, _queue = with_queue()
    connection.start_branch(XID)
    connection.end_branch()
    connection.prepare(XID)
    assert connection.recover() == []
    assert not host.units.active
    assert reason_of(lambda: connection.commit_branch(XID)) == MQRC_UOW_NOT_AVAILABLE


def test_a_branch_is_prepared_once() -> None:
    _host, connection, queue = with_queue()
    branch(connection, queue)
    connection.prepare(XID)
    assert reason_of(lambda: connection.prepare(XID)) == MQRC_UOW_IN_PROGRESS
    assert connection.recover() == [XID]


@pytest.mark.parametrize("end", ["prepare", "commit", "roll back"])
@pytest.mark.parametrize("work", [True, False], ids=["with work", "without work"])
def test_a_program_that_is_still_attached_cannot_go_on_in_a_branch_that_is_decided(end: str, work: bool) -> None:
    host, connection, queue = with_queue()
    connection.start_branch(XID)
    if work:
        connection.put(queue, lasting(), b"first", MQPMO_SYNCPOINT)
    manager = host.connect()
    {"prepare": manager.prepare, "commit": manager.commit_branch, "roll back": manager.back_out_branch}[end](XID)
    late = reason_of(lambda: connection.put(queue, lasting(), b"late", MQPMO_SYNCPOINT))
    assert late == MQRC_UOW_NOT_AVAILABLE
    connection.end_branch()
    connection.put(queue, lasting(), b"own", MQPMO_SYNCPOINT)
    connection.commit()
    connection.disconnect()
    assert len(host.units.active) == (end == "prepare" and work)


def test_a_program_attached_to_a_branch_that_is_ended_can_leave() -> None:
    host, connection, queue = with_queue()
    connection.start_branch(XID)
    connection.put(queue, lasting(), b"x", MQPMO_SYNCPOINT)
    host.connect().commit_branch(XID)
    connection.disconnect()
    assert host.queues.by_name["Q1"].depth == 1


def test_many_branches_at_once() -> None:
    disk, settings = SimDisk(), small()
    host = create(disk, settings)
    connection, queue = queue_of(host)
    for number in range(20):
        connection.start_branch(b"%d" % number)
        connection.put(queue, lasting(), b"%d" % number, MQPMO_SYNCPOINT)
        connection.end_branch()
        connection.prepare(b"%d" % number)
    connection, queue = opened(after_power_loss(disk, settings))
    assert sorted(connection.recover(), key=int) == [b"%d" % number for number in range(20)]
    for number in range(20):
        if number % 2:
            connection.commit_branch(b"%d" % number)
        else:
            connection.back_out_branch(b"%d" % number)
    assert [connection.get(queue).data for _ in range(10)] == [b"%d" % number for number in range(1, 20, 2)]
    assert connection.recover() == []


@pytest.mark.parametrize("in_unit", [True, False])
def test_a_get_given_up_between_two_segments_leaves_all_of_them(in_unit: bool) -> None:
    host = create(SimDisk(), small(buffer_pages=24))
    connection, handle = queue_of(host)
    for place in range(3):
        flags = MQMF_LAST_SEGMENT if place == 2 else MQMF_SEGMENT
        descriptor = lasting()
        descriptor.group_id, descriptor.offset, descriptor.message_flags = bytes([1]) * 24, 10 * place, flags
        connection.put(handle, descriptor, bytes(10))
    connection.put(handle, lasting(), b"kept", MQPMO_SYNCPOINT)
    options = MQGMO_COMPLETE_MSG | (MQGMO_SYNCPOINT if in_unit else MQGMO_NO_SYNCPOINT)
    request = GetRequest(connection.connection, handle, options, None, -1)
    log = host.log
    while log.buffer_room(8192):
        log.append(records.FILLER, 0, 0, bytes(4096))
    most = next(size for size in range(8192) if not log.buffer_room(size)) - 1
    log.append(records.FILLER, 0, 0, bytes(most - RECORD_HEADER - 150))  # there is room for the record of one get
    with host.lock:
        with pytest.raises(LogBusy):
            get(request)
        abandon_get(request)
    log.force(log.next_address)
    found = [connection.get(handle, MQGMO_SYNCPOINT).data for _ in range(3)]
    assert found == [bytes(10)] * 3
    connection.commit()
    assert connection.get(handle).data == b"kept"
    assert not host.units.active
