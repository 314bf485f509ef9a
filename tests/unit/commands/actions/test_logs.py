"""ARCHIVE LOG ends the extent under way and archives it; nothing is lost by it."""

from pathlib import Path

from tests.unit.commands.actions.running import LINEAR, answer, queue_manager
from tests.unit.commands.actions.test_move import put, take


def test_the_extent_is_ended_and_archived(tmp_path: Path) -> None:
    with queue_manager(tmp_path, LINEAR) as running:
        log = running.host.log
        extent = log.settings.extent_bytes
        before = log.next_address // extent
        assert f"log extent {before} is archived." in answer(running, "ARCHIVE LOG WAIT(YES)")
        assert log.next_address // extent == before + 1
        assert log.verify_archive(before)
        assert log.full_extents() == 0


def test_messages_survive_a_restart_behind_the_filling(tmp_path: Path) -> None:
    with queue_manager(tmp_path, LINEAR) as running:
        answer(running, "DEFINE QLOCAL(A)")
        put(running, "A", 4)
        answer(running, "ARCHIVE LOG", "RESET QMGR TYPE(ADVANCELOG)")
        put(running, "A", 2, first=4)
        running.host.crash()
    with queue_manager(tmp_path) as running:
        assert [data for data, *_ in take(running, "A", 3)] == [b"1", b"3", b"5"]


def test_a_circular_log_has_no_archive(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        address = running.host.log.next_address
        assert "the log is circular" in answer(running, "ARCHIVE LOG")
        assert "the log is circular" in answer(running, "RESET QMGR TYPE(ADVANCELOG)")
        assert running.host.log.next_address == address


def test_log_files_that_nothing_needs_are_given_back(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        assert "AMQ8005I" in answer(running, "RESET QMGR TYPE(REDUCELOG)")
        assert "REDUCE(AUTO) only" in answer(running, "RESET QMGR TYPE(REDUCELOG) REDUCE(ONE)")
