"""MOVE QLOCAL takes each message once, in order, with all that its descriptor says."""

from pathlib import Path

from tests.unit.commands.actions.running import answer, queue_manager

from kew.codes.options import MQOO_BROWSE, MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr.manager import QueueManager


def put(running: QueueManager, queue: str, count: int, first: int = 0) -> list[bytes]:
    connection = running.connect()
    handle = connection.open(queue, MQOO_OUTPUT)
    ids = []
    for number in range(first, first + count):
        descriptor = MessageDescriptor(persistence=number % 2, priority=3, correlation_id=b"%024d" % number)
        connection.put(handle, descriptor, b"%d" % number)
        ids.append(descriptor.message_id)
    connection.disconnect()
    return ids


def take(running: QueueManager, queue: str, count: int) -> list[tuple[bytes, bytes, bytes, int]]:
    connection = running.connect()
    handle = connection.open(queue, MQOO_INPUT_SHARED)
    found = []
    for _ in range(count):
        got = connection.get(handle)
        descriptor = got.descriptor
        found.append((got.data, descriptor.message_id, descriptor.correlation_id, descriptor.persistence))
    connection.disconnect()
    return found


def test_every_message_goes_once_and_in_order(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        answer(running, "DEFINE QLOCAL(A)", "DEFINE QLOCAL(B)")
        ids = put(running, "A", 130)
        assert "130 messages moved." in answer(running, "MOVE QLOCAL(A) TOQLOCAL(B)")
        assert "CURDEPTH(0)" in answer(running, "DISPLAY QLOCAL(A) CURDEPTH")
        moved = take(running, "B", 130)
        assert moved == [(b"%d" % n, ids[n], b"%024d" % n, n % 2) for n in range(130)]


def test_add_goes_behind_what_is_there_and_move_wants_an_empty_queue(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        answer(running, "DEFINE QLOCAL(A)", "DEFINE QLOCAL(B)")
        put(running, "B", 1)
        put(running, "A", 2, first=1)
        assert answer(running, "MOVE QLOCAL(A) TOQLOCAL(B)") == "AMQ8143E: Kew queue B not empty."
        assert "2 messages moved." in answer(running, "MOVE QLOCAL(A) TOQLOCAL(B) TYPE(ADD)")
        assert [data for data, *_ in take(running, "B", 3)] == [b"0", b"1", b"2"]


def test_a_queue_in_use_is_left_alone(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        answer(running, "DEFINE QLOCAL(A)", "DEFINE QLOCAL(B)")
        connection = running.connect()
        handle = connection.open("B", MQOO_BROWSE | MQOO_OUTPUT)
        assert answer(running, "MOVE QLOCAL(A) TOQLOCAL(B)") == "AMQ8148E: Kew object B in use."
        connection.put(handle, MessageDescriptor(), b"uncommitted", MQPMO_SYNCPOINT)
        connection.close(handle)
        assert answer(running, "MOVE QLOCAL(B) TOQLOCAL(A)") == "AMQ8148E: Kew object B in use."
        connection.disconnect()
        assert "1 messages moved." in answer(running, "MOVE QLOCAL(B) TOQLOCAL(A)")


def test_what_does_not_fit_stays(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        answer(running, "DEFINE QLOCAL(A)", "DEFINE QLOCAL(B) MAXDEPTH(60)")
        put(running, "A", 70)
        connections = set(running.host.engine.connections)
        said = answer(running, "MOVE QLOCAL(A) TOQLOCAL(B)")
        assert "MQRC_Q_FULL" in said
        assert "50 messages were moved" in said
        assert "CURDEPTH(20)" in answer(running, "DISPLAY QLOCAL(A) CURDEPTH")
        assert "CURDEPTH(50)" in answer(running, "DISPLAY QLOCAL(B) CURDEPTH")
        assert set(running.host.engine.connections) == connections
