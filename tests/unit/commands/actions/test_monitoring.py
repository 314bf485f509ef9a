"""MONQ fills the monitored values of DISPLAY QSTATUS, for one queue or for all that leave it to the queue manager."""

from pathlib import Path

from tests.unit.commands.actions.running import answer, queue_manager

from kew.codes.options import MQGMO_WAIT, MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr.manager import QueueManager

MONITOR = "DISPLAY QSTATUS(A) MONITOR"


def use(running: QueueManager, size: int = 10) -> None:
    connection = running.connect()
    handle = connection.open("A", MQOO_OUTPUT | MQOO_INPUT_SHARED)
    for priority in (1, 5, 3):
        connection.put(handle, MessageDescriptor(persistence=1, priority=priority), b"x" * size)
    connection.get(handle)
    connection.disconnect()


def test_nothing_is_known_while_it_is_off(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        answer(running, "DEFINE QLOCAL(A)")
        use(running)
        said = answer(running, MONITOR)
        assert "MONQ(OFF)" in said
        for blank in ("LGETTIME( )", "LPUTTIME( )", "MSGAGE( )", "QTIME( , )"):
            assert blank in said


def test_a_queue_is_monitored_by_its_own_word(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        answer(running, "DEFINE QLOCAL(A) MONQ(HIGH)")
        assert "MSGAGE(0)" in answer(running, MONITOR)
        for size in (10, 10000):
            use(running, size)
            said = answer(running, MONITOR)
            assert "MONQ(HIGH)" in said
            assert "LGETTIME( )" not in said
            assert "LPUTDATE( )" not in said
            assert "QTIME( , )" not in said
            age = int(said.split("MSGAGE(")[1].split(")")[0])
            assert age < 60
        answer(running, "ALTER QLOCAL(A) MONQ(OFF)")
        assert "LGETTIME( )" in answer(running, MONITOR)


def test_the_queue_manager_speaks_for_the_rest_also_after_a_restart(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        answer(running, "DEFINE QLOCAL(A)", "ALTER QMGR MONQ(LOW)")
        assert "MONQ(LOW)" in answer(running, MONITOR)
        answer(running, "DEFINE QLOCAL(B)")
        assert "MONQ(LOW)" in answer(running, "DISPLAY QSTATUS(B) MONQ")
    with queue_manager(tmp_path) as running:
        assert "MONQ(LOW)" in answer(running, MONITOR)
        answer(running, "ALTER QLOCAL(A) MONQ(MEDIUM)", "ALTER QMGR MONQ(NONE)")
        assert "MONQ(OFF)" in answer(running, MONITOR)
        answer(running, "ALTER QMGR MONQ(OFF)")
        assert "MONQ(MEDIUM)" in answer(running, MONITOR)


def test_a_message_handed_to_a_waiting_getter_counts(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        answer(running, "DEFINE QLOCAL(A) MONQ(HIGH)")
        queue = running.host.engine.queues.by_name["A"]
        taker = running.connect()
        handle = taker.open("A", MQOO_INPUT_SHARED)
        assert queue.monitor is not None
        assert queue.monitor.last_get == 0.0
        running.connect().put1("A", MessageDescriptor(), b"x")
        taker.get(handle, MQGMO_WAIT, 60000)
        assert queue.monitor.last_get >= queue.monitor.last_put > 0.0
