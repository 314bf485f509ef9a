"""Services: programs that are started, watched and stopped, by command and with the queue manager."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.unit.commands.actions.running import answer, queue_manager

from kew.qmgr.manager import QueueManager

SLEEPER = """
import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
print("up", flush=True)
time.sleep(60)
"""


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def define(running: QueueManager, path: Path, more: str = "") -> Path:
    program = path / "sleeper.py"
    program.write_text(SLEEPER, encoding="utf-8")
    said = answer(
        running,
        f"DEFINE SERVICE(S) SERVTYPE(SERVER) STARTCMD('{sys.executable}') STARTARG('{program}') + ",
        f" STDOUT('{path}/+QMNAME+.out') STDERR('{path}/err') {more}",
    )
    assert said == "AMQ8625I: Kew service created."
    return path / "QM1.out"


def test_a_server_is_started_once_shown_and_stopped(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        output = define(running, tmp_path)
        assert answer(running, "DISPLAY SVSTATUS(*)").startswith("AMQ8147E")
        assert answer(running, "START SERVICE(S)") == "AMQ8733I: Request to start Kew service accepted."
        until(lambda: output.exists() and output.read_text(encoding="utf-8") == "up\n")
        assert "the service is running." in answer(running, "START SERVICE(S)")
        assert "AMQ8733I" in answer(running, "START SERVICE(S) IGNSTATE(YES)")
        shown = answer(running, "DISPLAY SVSTATUS(S) ALL")
        assert "STATUS(RUNNING)" in shown
        process = int(shown.split("PID(")[1].split(")")[0])
        os.kill(process, 0)
        assert answer(running, "DELETE SERVICE(S)").startswith("AMQ8148E")  # nobody could stop it any more
        assert answer(running, "STOP SERVICE(S)") == "AMQ8734I: Request to stop Kew service accepted."
        until(lambda: "AMQ8147E" in answer(running, "DISPLAY SVSTATUS(S)"))
        assert "the service is not running." in answer(running, "STOP SERVICE(S)")


def test_services_start_and_stop_with_the_queue_manager(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        output = define(running, tmp_path, "CONTROL(QMGR)")
        assert not output.exists()
    with queue_manager(tmp_path) as running:
        until(lambda: output.exists() and output.read_text(encoding="utf-8") == "up\n")
        process = int(answer(running, "DISPLAY SVSTATUS(S) PID").split("PID(")[1].split(")")[0])
    assert not os.path.exists(f"/proc/{process}")


def test_a_stop_program_is_told_the_process(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        output = define(running, tmp_path, "STOPCMD('/bin/kill') STOPARG('+MQ_SERVER_PID+')")
        answer(running, "START SERVICE(S)")
        until(lambda: output.exists() and output.read_text(encoding="utf-8") == "up\n")
        answer(running, "STOP SERVICE(S)")
        until(lambda: "AMQ8147E" in answer(running, "DISPLAY SVSTATUS(S)"))


def test_what_cannot_be_started_is_refused(tmp_path: Path) -> None:
    with queue_manager(tmp_path) as running:
        answer(running, "DEFINE SERVICE(NONE)", "DEFINE SERVICE(WRONG) STARTCMD('/nowhere/program') CONTROL(QMGR)")
        answer(running, "DEFINE SERVICE(QUOTE) STARTCMD('/bin/true') STARTARG('\"')")
        assert "STARTCMD is blank." in answer(running, "START SERVICE(NONE)")
        assert "/nowhere/program cannot be started" in answer(running, "START SERVICE(WRONG)")
        assert "STARTARG: No closing quotation." in answer(running, "START SERVICE(QUOTE)")
        assert "AMQ8147E" in answer(running, "START SERVICE(MISSING)")
        assert "it has no STOPCMD" in answer(running, "STOP SERVICE(NONE)")
    with queue_manager(tmp_path) as running:
        assert running.running
