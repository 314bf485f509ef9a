"""What SET SYSTEM and SET LOG change is heeded at once, and gone after the next start; qm.ini holds for good."""

from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

from tests.unit.commands.actions.running import SMALL, answer, queue_manager

from kew.accounting.traces import ACCOUNTING, STATISTICS
from kew.codes.options import MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr.config import SystemConfiguration, format_configuration, parse_configuration

SYSTEM = SystemConfiguration(30, 5, statistics=("1", "5"), accounting=("3",), log_load=300)


def test_the_file_says_how_it_starts(tmp_path: Path) -> None:
    configuration = replace(SMALL, system=SYSTEM)
    assert parse_configuration("qm.ini", format_configuration(configuration).encode()) == configuration
    with queue_manager(tmp_path, configuration) as running:
        context = running.host.commands
        assert context.times.statistics.length() == 30
        assert context.times.accounting.length() == 5
        assert context.traces.collects(STATISTICS, 5)
        assert context.traces.collects(ACCOUNTING, 3)
        assert not context.traces.collects(ACCOUNTING, 1)
        assert context.checkpointer.most_records == 300


def test_a_checkpoint_is_taken_after_so_many_log_records(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        answer(running, "DEFINE QLOCAL(A)", "SET SYSTEM LOGLOAD(200)")
        counters = running.host.log.counters
        before = counters.checkpoints
        connection = running.connect()
        handle = connection.open("A", MQOO_OUTPUT)
        for _ in range(220):
            connection.put(handle, MessageDescriptor(persistence=1), b"x")
        until = monotonic() + 60
        while counters.checkpoints == before:
            assert monotonic() < until
            sleep(0.01)
        connection.disconnect()


def test_messages_are_left_out_of_the_error_log(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        answer(running, "SET SYSTEM EXCLMSG(Y904)")
        running.errors.tell("CSQY904E", (), ("HIDDEN", "x"))
        answer(running, "SET SYSTEM DEFAULT")
        running.errors.tell("CSQY904E", (), ("SEEN", "x"))
        running.errors.write_pending()
        written = Path(running.places.errors, "AMQERR01.LOG").read_text(encoding="utf-8")
        assert "SEEN" in written
        assert "HIDDEN" not in written


def test_the_write_threshold_of_the_log(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        answer(running, "SET LOG WRTHRSH(40)")
        assert running.host.log.write_threshold == 40
        answer(running, "SET LOG DEFAULT")
        assert running.host.log.write_threshold == 256
