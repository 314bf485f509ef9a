"""Messages that are held for the end of their program."""

from collections.abc import Iterator

import pytest
from tests.support.hosting import Notes, create, small
from tests.support.simdisk import SimDisk

from kew.codes.errors import MQError
from kew.codes.options import (
    MQOO_BROWSE,
    MQOO_OUTPUT,
    MQPMO_FAIL_IF_QUIESCING,
    MQPMO_NEW_CORREL_ID,
    MQPMO_PASS_ALL_CONTEXT,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import (
    MQRC_FUNCTION_NOT_SUPPORTED,
    MQRC_MSG_TOO_BIG_FOR_Q_MGR,
    MQRC_NOT_OPEN_FOR_OUTPUT,
    MQRC_PUT_INHIBITED,
    MQRC_RESOURCE_PROBLEM,
)
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.local.connection import LocalConnection
from kew.mqi.transactions import deferredputs
from kew.qmgr.assemble import Host

NOTES = Notes()


@pytest.fixture
def host() -> Iterator[Host]:
    NOTES.told.clear()
    running = create(SimDisk(), small(), NOTES)
    running.administration.define("QLOCAL", "Q", {})
    yield running
    running.crash()


def hold(connection: LocalConnection, data: bytes = b"x", options: int = 0, opened: int = MQOO_OUTPUT) -> bytes:
    handle = connection.open("Q", opened)
    descriptor = MessageDescriptor()
    connection.engine.run(lambda: deferredputs.defer(connection.connection, handle, descriptor, data, options))
    return descriptor.correlation_id


@pytest.mark.parametrize("ends", [LocalConnection.disconnect, LocalConnection.abandon, LocalConnection.break_off])
def test_it_is_put_however_the_program_ends(host: Host, ends: object) -> None:
    connection = host.connect("program")
    assert hold(connection, options=MQPMO_NEW_CORREL_ID | MQPMO_SYNCPOINT).startswith(b"AMQ QM1")
    assert callable(ends)
    ends(connection)
    assert host.queues.by_name["Q"].depth == 1
    assert len(host.engine.connections) == 0


def test_it_is_put_while_the_queue_manager_is_about_to_end(host: Host) -> None:
    connection = host.connect("program")
    hold(connection, options=MQPMO_FAIL_IF_QUIESCING)
    host.quiesce()
    connection.abandon()
    assert host.queues.by_name["Q"].depth == 1


def test_what_is_not_held(host: Host) -> None:
    connection = host.connect("program")
    for data, options, opened, reason in (
        (b"x", 0, MQOO_BROWSE, MQRC_NOT_OPEN_FOR_OUTPUT),
        (b"x", MQPMO_PASS_ALL_CONTEXT, MQOO_OUTPUT, MQRC_FUNCTION_NOT_SUPPORTED),
        (bytes(host.engine.max_message_length + 1), 0, MQOO_OUTPUT, MQRC_MSG_TOO_BIG_FOR_Q_MGR),
        (bytes(deferredputs.MAX_DEFERRED_BYTES + 1), 0, MQOO_OUTPUT, MQRC_RESOURCE_PROBLEM),
    ):
        with pytest.raises(MQError) as refused:
            hold(connection, data, options, opened)
        assert refused.value.reason == reason
    assert not connection.connection.held


def test_the_operator_is_told_of_one_that_is_lost(host: Host) -> None:
    connection = host.connect("program")
    hold(connection)
    host.administration.alter("Q", {"PUT": 1})
    connection.abandon()
    assert NOTES.about("CSQM903W") == [((MQRC_PUT_INHIBITED,), ("Q", "MQRC_PUT_INHIBITED"))]
