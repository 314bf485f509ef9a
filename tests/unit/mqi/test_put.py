"""MQPUT and MQPUT1: what the queue manager fills in, what it refuses, and what a refusal leaves behind."""

import os
import time

import pytest
from tests.support.authorities import admit
from tests.support.hosting import EVERYTHING, create, lasting, opened, passing, queue_of, small, start
from tests.support.simdisk import SimDisk

from kew.codes.attributes import MQUS_TRANSMISSION
from kew.codes.completion import MQCC_FAILED, MQCC_WARNING
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQOO_PASS_ALL_CONTEXT,
    MQOO_PASS_IDENTITY_CONTEXT,
    MQOO_SAVE_ALL_CONTEXT,
    MQOO_SET_ALL_CONTEXT,
    MQOO_SET_IDENTITY_CONTEXT,
    MQPMO_DEFAULT_CONTEXT,
    MQPMO_NEW_CORREL_ID,
    MQPMO_NEW_MSG_ID,
    MQPMO_NO_CONTEXT,
    MQPMO_NO_SYNCPOINT,
    MQPMO_PASS_ALL_CONTEXT,
    MQPMO_PASS_IDENTITY_CONTEXT,
    MQPMO_SET_ALL_CONTEXT,
    MQPMO_SET_IDENTITY_CONTEXT,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import (
    MQRC_CONTEXT_HANDLE_ERROR,
    MQRC_CONTEXT_NOT_AVAILABLE,
    MQRC_EXPIRY_ERROR,
    MQRC_MSG_TOO_BIG_FOR_Q,
    MQRC_MSG_TOO_BIG_FOR_Q_MGR,
    MQRC_NOT_OPEN_FOR_OUTPUT,
    MQRC_NOT_OPEN_FOR_PASS_ALL,
    MQRC_NOT_OPEN_FOR_PASS_IDENT,
    MQRC_NOT_OPEN_FOR_SET_ALL,
    MQRC_NOT_OPEN_FOR_SET_IDENT,
    MQRC_OPTIONS_ERROR,
    MQRC_PERSISTENCE_ERROR,
    MQRC_PRIORITY_ERROR,
    MQRC_PRIORITY_EXCEEDS_MAXIMUM,
    MQRC_Q_FULL,
    MQRC_REPORT_OPTIONS_ERROR,
    MQRC_SYNCPOINT_LIMIT_REACHED,
    MQRC_UNKNOWN_OBJECT_NAME,
    MQRC_UNKNOWN_REPORT_OPTION,
)
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.connection import accounting_token
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.qmgr.assemble import Host


def refused(
    connection: LocalConnection,
    queue: Handle,
    descriptor: MessageDescriptor | None = None,
    data: bytes = b"x",
    options: int = 0,
    context: Handle | None = None,
) -> int:
    """Give the reason for which a put is refused."""
    with pytest.raises(MQError) as error:
        connection.put(queue, descriptor or passing(), data, options, context)
    return error.value.reason


def with_queue() -> tuple[Host, LocalConnection, Handle]:
    host = create(SimDisk(), small())
    return host, *queue_of(host)


# -- ids ---------------------------------------------------------------------------------------------------------------


def test_a_message_without_an_id_gets_one_that_no_other_has() -> None:
    _host, connection, queue = with_queue()
    descriptors = [passing() for _ in range(50)]
    for descriptor in descriptors:
        connection.put(queue, descriptor, b"x")
    ids = {descriptor.message_id for descriptor in descriptors}
    assert len(ids) == 50
    for each in ids:
        assert len(each) == 24
        assert each.startswith(b"AMQ QM1         ")
    assert [connection.get(queue).descriptor.message_id for _ in range(50)] == [each.message_id for each in descriptors]


def test_ids_are_not_used_again_after_a_restart() -> None:
    host, connection, queue = with_queue()
    descriptor = passing()
    connection.put(queue, descriptor, b"x")
    host.stop()
    assert isinstance(host.disk, SimDisk)
    connection, queue = opened(start(host.disk, small()))
    after = passing()
    connection.put(queue, after, b"x")
    assert after.message_id > descriptor.message_id


def test_ids_that_are_given_are_kept_and_those_asked_for_are_new() -> None:
    _host, connection, queue = with_queue()
    given = passing(b"message".ljust(24), b"correlation".ljust(24))
    connection.put(queue, given, b"x")
    got = connection.get(queue).descriptor
    assert (got.message_id, got.correlation_id) == (b"message".ljust(24), b"correlation".ljust(24))
    connection.put(queue, given, b"x", MQPMO_NEW_MSG_ID | MQPMO_NEW_CORREL_ID)
    got = connection.get(queue).descriptor
    assert got.message_id not in (b"message".ljust(24), bytes(24))
    assert got.correlation_id not in (b"correlation".ljust(24), bytes(24), got.message_id)


# -- what the message says ---------------------------------------------------------------------------------------------


def test_defaults_come_from_the_queue() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host, DEFPRTY=6, DEFPSIST=1)
    connection.put(queue, MessageDescriptor(), b"x")
    got = connection.get(queue).descriptor
    assert (got.priority, got.persistence) == (6, 1)


def test_a_priority_is_not_negative() -> None:
    _host, connection, queue = with_queue()
    assert refused(connection, queue, passing(priority=-2)) == MQRC_PRIORITY_ERROR


def test_a_priority_above_9_is_a_warning_and_counts_as_9() -> None:
    host, connection, queue = with_queue()
    connection.put(queue, MessageDescriptor(persistence=1, priority=9), b"first")
    for priority, data in ((300, b"second"), (10, b"third")):
        with pytest.raises(MQError) as told:
            connection.put(queue, MessageDescriptor(persistence=1, priority=priority), data)
        assert (told.value.completion, told.value.reason) == (MQCC_WARNING, MQRC_PRIORITY_EXCEEDS_MAXIMUM)
    connection.put(queue, MessageDescriptor(persistence=1, priority=9), b"last")
    host.stop()
    assert isinstance(host.disk, SimDisk)
    connection, queue = opened(start(host.disk, small()))
    got = [connection.get(queue) for _ in range(4)]
    assert [each.data for each in got] == [b"first", b"second", b"third", b"last"]
    assert [each.descriptor.priority for each in got] == [9, 300, 10, 9]  # as the program said


def test_a_warning_is_told_once_and_not_of_a_put_that_failed() -> None:
    _host, connection, queue = with_queue()
    assert refused(connection, queue, MessageDescriptor(priority=10, expiry=0)) == MQRC_EXPIRY_ERROR
    connection.put(queue, passing(priority=9), b"x")


@pytest.mark.parametrize(
    ("report", "reason"),
    [
        (0x8, MQRC_UNKNOWN_REPORT_OPTION),
        (-(1 << 31), MQRC_UNKNOWN_REPORT_OPTION),
        (0x8 | 0x10000000, MQRC_REPORT_OPTIONS_ERROR),
        (0x8000, MQRC_REPORT_OPTIONS_ERROR),
    ],
)
def test_report_options_that_nobody_knows_pass_where_mq_lets_them(report: int, reason: int) -> None:
    _host, connection, queue = with_queue()
    with pytest.raises(MQError) as told:
        connection.put(queue, MessageDescriptor(report=report), b"x")
    assert told.value.reason == reason
    passed = reason == MQRC_UNKNOWN_REPORT_OPTION
    assert told.value.completion == (MQCC_WARNING if passed else MQCC_FAILED)
    assert queue.queue is not None
    assert queue.queue.depth == int(passed)


def test_more_report_options_pass_on_the_way_to_another_queue_manager() -> None:
    host, connection, _queue = with_queue()
    host.administration.define("QLOCAL", "XMIT", {"USAGE": MQUS_TRANSMISSION})
    away = connection.open("FAR", MQOO_OUTPUT, manager="XMIT")
    with pytest.raises(MQError) as told:
        connection.put(away, MessageDescriptor(report=0x8000), b"x")
    assert (told.value.completion, told.value.reason) == (MQCC_WARNING, MQRC_UNKNOWN_REPORT_OPTION)


@pytest.mark.parametrize("persistence", [-1, 3])
def test_a_message_is_persistent_or_not(persistence: int) -> None:
    _host, connection, queue = with_queue()
    assert refused(connection, queue, MessageDescriptor(persistence=persistence)) == MQRC_PERSISTENCE_ERROR


@pytest.mark.parametrize("expiry", [0, -2])
def test_an_expiry_is_a_time_or_none(expiry: int) -> None:
    _host, connection, queue = with_queue()
    assert refused(connection, queue, MessageDescriptor(expiry=expiry)) == MQRC_EXPIRY_ERROR


def test_priority_order_and_arrival_order() -> None:
    host, connection, queue = with_queue()
    fifo, fifo_queue = queue_of(host, "FIFO", MSGDLVSQ=1)
    for number, priority in enumerate((3, 9, 3, 0, 9)):
        for each, handle in ((connection, queue), (fifo, fifo_queue)):
            each.put(handle, (lasting if number % 2 else passing)(priority=priority), b"%d" % number)
    assert [connection.get(queue).data for _ in range(5)] == [b"1", b"4", b"0", b"2", b"3"]
    assert [fifo.get(fifo_queue).data for _ in range(5)] == [b"0", b"1", b"2", b"3", b"4"]


# -- context -----------------------------------------------------------------------------------------------------------


def test_default_context_says_who_when_and_where() -> None:
    host = create(SimDisk(), small())
    queue_of(host)
    admit(host, "somebody")
    connection = host.connect("a-program", "somebody")
    queue = connection.open("Q1", EVERYTHING)
    for options in (0, MQPMO_DEFAULT_CONTEXT):
        before = time.gmtime()
        connection.put(queue, passing(), b"x", options)
        got = connection.get(queue).descriptor
        assert got.user_identifier == b"somebody".ljust(12)
        assert got.put_application_name == b"a-program".ljust(28)
        assert got.put_application_type == 6
        assert got.put_date in (
            time.strftime("%Y%m%d", before).encode(),
            time.strftime("%Y%m%d", time.gmtime()).encode(),
        )
        assert len(got.put_time) == 8
        assert got.put_time.isdigit()


def test_the_accounting_token_is_the_number_of_the_user() -> None:
    assert accounting_token(1001) == b"\x041001" + bytes(26) + b"\x06"
    connection, queue = queue_of(create(SimDisk(), small()))
    descriptor = passing()
    connection.put(queue, descriptor, b"x")
    assert descriptor.accounting_token == accounting_token(os.getuid())


def test_no_context_says_nothing() -> None:
    _host, connection, queue = with_queue()
    connection.put(queue, passing(), b"x", MQPMO_NO_CONTEXT)
    got = connection.get(queue).descriptor
    assert (got.user_identifier, got.put_application_name) == (b" " * 12, b" " * 28)
    assert (got.put_application_type, got.put_date, got.put_time) == (0, b" " * 8, b" " * 8)


def foreign() -> MessageDescriptor:
    """A message from somewhere else."""
    descriptor = passing()
    descriptor.user_identifier = b"far-away".ljust(12)
    descriptor.accounting_token = b"account".ljust(32)
    descriptor.application_identity_data = b"identity".ljust(32)
    descriptor.put_application_type = 11
    descriptor.put_application_name = b"other-program".ljust(28)
    descriptor.put_date = b"20010203"
    descriptor.put_time = b"04050607"
    descriptor.application_origin_data = b"orig"
    return descriptor


def identity(descriptor: MessageDescriptor) -> tuple[bytes, bytes, bytes]:
    return descriptor.user_identifier, descriptor.accounting_token, descriptor.application_identity_data


def origin(descriptor: MessageDescriptor) -> tuple[int, bytes, bytes, bytes, bytes]:
    return (
        descriptor.put_application_type,
        descriptor.put_application_name,
        descriptor.put_date,
        descriptor.put_time,
        descriptor.application_origin_data,
    )


def test_context_is_set_whole_or_in_part() -> None:
    host, connection, _queue = with_queue()
    queue = connection.open("Q1", EVERYTHING | MQOO_SET_ALL_CONTEXT | MQOO_SET_IDENTITY_CONTEXT)
    connection.put(queue, foreign(), b"x", MQPMO_SET_ALL_CONTEXT)
    got = connection.get(queue).descriptor
    assert (identity(got), origin(got)) == (identity(foreign()), origin(foreign()))
    connection.put(queue, foreign(), b"x", MQPMO_SET_IDENTITY_CONTEXT)
    got = connection.get(queue).descriptor
    assert identity(got) == identity(foreign())
    assert origin(got) != origin(foreign())
    assert host.queues.by_name["Q1"].depth == 0


def test_context_is_passed_whole_or_in_part() -> None:
    host, connection, _queue = with_queue()
    queue_of(host, "Q2")
    source = connection.open("Q1", EVERYTHING | MQOO_SAVE_ALL_CONTEXT | MQOO_SET_ALL_CONTEXT)
    target = connection.open("Q2", EVERYTHING | MQOO_PASS_ALL_CONTEXT)
    connection.put(source, foreign(), b"x", MQPMO_SET_ALL_CONTEXT)
    connection.get(source)
    connection.put(target, passing(), b"x", MQPMO_PASS_ALL_CONTEXT, source)
    got = connection.get(target).descriptor
    assert (identity(got), origin(got)) == (identity(foreign()), origin(foreign()))
    connection.put(target, passing(), b"x", MQPMO_PASS_IDENTITY_CONTEXT, source)
    got = connection.get(target).descriptor
    assert identity(got) == identity(foreign())
    assert origin(got) != origin(foreign())


def test_context_can_be_passed_only_from_where_it_was_saved() -> None:
    _host, connection, plain = with_queue()
    target = connection.open("Q1", EVERYTHING | MQOO_PASS_ALL_CONTEXT)
    saving = connection.open("Q1", MQOO_INPUT_SHARED | MQOO_SAVE_ALL_CONTEXT)
    put = MQPMO_PASS_ALL_CONTEXT
    assert refused(connection, target, options=put) == MQRC_CONTEXT_HANDLE_ERROR
    assert refused(connection, target, options=put, context=plain) == MQRC_CONTEXT_HANDLE_ERROR
    assert refused(connection, target, options=put, context=saving) == MQRC_CONTEXT_NOT_AVAILABLE


@pytest.mark.parametrize(
    ("opened_for", "options", "reason"),
    [
        (0, MQPMO_PASS_IDENTITY_CONTEXT, MQRC_NOT_OPEN_FOR_PASS_IDENT),
        (MQOO_PASS_IDENTITY_CONTEXT, MQPMO_PASS_ALL_CONTEXT, MQRC_NOT_OPEN_FOR_PASS_ALL),
        (MQOO_PASS_ALL_CONTEXT, MQPMO_SET_IDENTITY_CONTEXT, MQRC_NOT_OPEN_FOR_SET_IDENT),
        (MQOO_SET_IDENTITY_CONTEXT, MQPMO_SET_ALL_CONTEXT, MQRC_NOT_OPEN_FOR_SET_ALL),
        (MQOO_SET_IDENTITY_CONTEXT, MQPMO_PASS_ALL_CONTEXT, MQRC_NOT_OPEN_FOR_PASS_ALL),
    ],
)
def test_a_handle_does_with_context_what_it_was_opened_for(opened_for: int, options: int, reason: int) -> None:
    host, _connection, _queue = with_queue()
    connection, queue = opened(host, options=MQOO_OUTPUT | opened_for)
    assert refused(connection, queue, options=options) == reason


@pytest.mark.parametrize("options", [MQPMO_SET_ALL_CONTEXT, MQPMO_SET_IDENTITY_CONTEXT], ids=["all", "identity"])
def test_put1_asks_for_the_context_it_needs(options: int) -> None:
    _host, connection, queue = with_queue()
    connection.put1("Q1", foreign(), b"x", options)
    assert identity(connection.get(queue).descriptor) == identity(foreign())


# -- refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        MQPMO_SYNCPOINT | MQPMO_NO_SYNCPOINT,
        MQPMO_SET_ALL_CONTEXT | MQPMO_NO_CONTEXT,
        MQPMO_DEFAULT_CONTEXT | MQPMO_PASS_ALL_CONTEXT,
        1 << 30,
    ],
)
def test_options_that_make_no_sense(options: int) -> None:
    _host, connection, queue = with_queue()
    assert refused(connection, queue, options=options) == MQRC_OPTIONS_ERROR


def test_the_handle_must_be_open_for_output() -> None:
    host, _connection, _queue = with_queue()
    connection, queue = opened(host, options=MQOO_INPUT_SHARED)
    assert refused(connection, queue) == MQRC_NOT_OPEN_FOR_OUTPUT


def test_a_full_queue_refuses_and_takes_again_when_one_is_gone() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host, MAXDEPTH=3)
    for _ in range(3):
        connection.put(queue, passing(), b"x")
    assert refused(connection, queue) == MQRC_Q_FULL
    assert refused(connection, queue, options=MQPMO_SYNCPOINT) == MQRC_Q_FULL
    connection.get(queue)
    connection.put(queue, passing(), b"x", MQPMO_SYNCPOINT)
    assert refused(connection, queue) == MQRC_Q_FULL, "what is not committed counts"
    connection.backout()
    connection.put(queue, passing(), b"x")


@pytest.mark.parametrize("limit", [0, 10, 5000])
def test_a_message_may_be_as_long_as_the_queue_allows(limit: int) -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host, MAXMSGL=limit)
    connection.put(queue, passing(), bytes(limit))
    assert refused(connection, queue, data=bytes(limit + 1)) == MQRC_MSG_TOO_BIG_FOR_Q


def test_a_message_may_be_as_long_as_the_queue_manager_allows() -> None:
    host, connection, queue = with_queue()
    host.engine.max_message_length = 6000
    connection.put(queue, passing(), bytes(6000))
    assert refused(connection, queue, data=bytes(6001)) == MQRC_MSG_TOO_BIG_FOR_Q_MGR


def test_a_unit_has_room_for_so_many_messages() -> None:
    host, connection, queue = with_queue()
    host.engine.max_uncommitted = 3
    for _ in range(3):
        connection.put(queue, passing(), b"x", MQPMO_SYNCPOINT)
    assert refused(connection, queue, options=MQPMO_SYNCPOINT) == MQRC_SYNCPOINT_LIMIT_REACHED
    connection.put(queue, passing(), b"out of it")
    connection.commit()
    assert host.queues.by_name["Q1"].depth == 4


def test_put1_opens_puts_and_closes() -> None:
    host, connection, queue = with_queue()
    handles = len(connection.connection.handles)
    connection.put1("Q1", lasting(), b"x")
    connection.put1("Q1", passing(), b"y", MQPMO_SYNCPOINT)
    assert len(connection.connection.handles) == handles
    assert connection.get(queue).data == b"x"
    with pytest.raises(NoMessage):
        connection.get(queue)
    connection.commit()
    assert connection.get(queue).data == b"y"
    with pytest.raises(MQError) as error:
        connection.put1("NOWHERE", passing(), b"x")
    assert error.value.reason == MQRC_UNKNOWN_OBJECT_NAME
    host.engine.max_message_length = 1
    with pytest.raises(MQError):
        connection.put1("Q1", passing(), b"xx")
    assert len(connection.connection.handles) == handles, "also when the put is refused"
