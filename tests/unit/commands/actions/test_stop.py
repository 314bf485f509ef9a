"""STOP CONN breaks a connection off: its unit is backed out, its waits end, its verbs give 2009."""

import threading
from pathlib import Path

import pytest
from tests.unit.commands.actions.running import answer, queue_manager

from kew.codes.errors import Broken, MQError
from kew.codes.options import MQGMO_WAIT, MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPMO_SYNCPOINT
from kew.codes.reasons import MQRC_CONNECTION_BROKEN
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.local.connection import LocalConnection


def name_of(connection: LocalConnection) -> str:
    return f"{connection.connection.number:016X}"


def test_the_unit_is_backed_out_and_every_verb_says_broken(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        answer(running, "DEFINE QLOCAL(A)")
        connection = running.connect()
        handle = connection.open("A", MQOO_OUTPUT)
        connection.put(handle, MessageDescriptor(persistence=1), b"x", MQPMO_SYNCPOINT)
        assert "UOWLOG(S0000000.LOG)" in answer(running, f"DISPLAY CONN({name_of(connection)}) UOWLOG")
        told: list[str] = []
        connection.connection.on_stopped = lambda: told.append("stopped")
        assert answer(running, f"STOP CONN({name_of(connection)})") == "AMQ8457I: Kew connection stopped."
        assert told == ["stopped"]
        assert "UNCOM(0)" in answer(running, "DISPLAY QSTATUS(A) UNCOM")
        assert "OPPROCS(0)" in answer(running, "DISPLAY QSTATUS(A) OPPROCS")
        verbs = (
            lambda: connection.put(handle, MessageDescriptor(), b"y"),
            lambda: connection.open("A", MQOO_OUTPUT),
            connection.commit,
            connection.backout,
            connection.disconnect,
        )
        for verb in verbs:
            with pytest.raises(Broken) as refused:
                verb()
            assert refused.value.reason == MQRC_CONNECTION_BROKEN
        assert answer(running, f"STOP CONN({name_of(connection)})").startswith("AMQ8147E")


def test_a_get_that_waits_is_ended(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        answer(running, "DEFINE QLOCAL(A)")
        connection = running.connect()
        handle = connection.open("A", MQOO_INPUT_SHARED)
        reasons: list[int] = []

        def wait() -> None:
            try:
                connection.get(handle, MQGMO_WAIT, 60000)
            except MQError as error:
                reasons.append(error.reason)

        getter = threading.Thread(target=wait)
        getter.start()
        queue = running.host.engine.queues.by_name["A"]
        while not queue.waiters.count:
            assert getter.is_alive()
        assert "HSTATE(ACTIVE)" in answer(running, "DISPLAY QSTATUS(A) TYPE(HANDLE) HSTATE")
        answer(running, f"STOP CONN({name_of(connection)})")
        getter.join(30)
        assert reasons == [MQRC_CONNECTION_BROKEN]
        assert queue.waiters.count == 0


def test_only_the_connection_that_is_named_is_stopped(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        answer(running, "DEFINE QLOCAL(A)")
        first, second = running.connect(), running.connect()
        assert answer(running, f"STOP CONN({name_of(first)}) EXTCONN({'00' * 16})").startswith("AMQ8147E")
        answer(running, f"STOP CONN({name_of(first)})")
        second.put1("A", MessageDescriptor(), b"x")
        assert first.connection.number not in running.host.engine.connections
        assert second.connection.number in running.host.engine.connections
