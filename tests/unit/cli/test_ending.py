"""A queue manager ends when it is asked to: programs are told, have a grace period, and do not hold it up for ever."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.support.network import eventually

from kew import client
from kew.cli.ending import Ending, Request
from kew.client.requests import get_options
from kew.codes.errors import MQError
from kew.codes.options import MQGMO_FAIL_IF_QUIESCING, MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.codes.reasons import MQRC_CONNECTION_BROKEN, MQRC_Q_MGR_QUIESCING, MQRC_Q_MGR_STOPPING
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.existing import Condition, condition
from kew.storage.disk import RealDisk
from kew.storage.stall import Damaged

NAME = "QM1"
QUEUE = "Q1"
EMPTY = "Q2"
TOLD = {MQRC_Q_MGR_QUIESCING, MQRC_Q_MGR_STOPPING, MQRC_CONNECTION_BROKEN}
AGES = "100000"  # seconds of grace that no test waits for


class Served:
    """A queue manager in the foreground of a process of its own, as a terminal or systemd has it."""

    def __init__(self, data: Path, *options: str) -> None:
        self.data = str(data)
        self.errors = data / "qmgrs" / NAME / "errors" / "AMQERR01.LOG"
        self.ini = data / "qmgrs" / NAME / "qm.ini"
        self.environment = {**os.environ, "KEW_DATA": self.data}
        command = [sys.executable, "-m", "kew.cli", "start", NAME, "--foreground", *options]
        self.process = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout is not None
        while "Ctrl-C stops it" not in self.process.stdout.readline():
            assert self.process.poll() is None

    def kew(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "kew.cli", *words]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)

    def ended(self) -> int:
        """Wait for its end; its exit code."""
        return self.process.wait(120)


class Waiting:
    """A program with uncommitted work in a get that waits for ever without FAIL_IF_QUIESCING, and an idle one."""

    def __init__(self, data: str) -> None:
        self.reasons: list[int] = []
        self.idle = client.connect_local(NAME, "idle", data=data)
        self.connection = client.connect_local(NAME, "waiting", data=data)
        self.queue = self.connection.open(QUEUE, MQOO_OUTPUT)
        self.queue.put(b"uncommitted", MessageDescriptor(persistence=1), syncpoint=True)
        empty = self.connection.open(EMPTY, MQOO_INPUT_SHARED)
        self.thread = threading.Thread(target=self._get, args=(empty,), daemon=True)
        self.thread.start()
        with client.connect_local(NAME, "looking", data=data) as looking:
            assert eventually(lambda: self._waits(looking))

    def _waits(self, looking: client.Connection) -> bool:
        """Whether the get is under way: the other connection's word comes after it on the engine's lock."""
        with looking.open(EMPTY, 0x20) as queue:
            return queue.inquire([17])[17] == 1 and self.thread.is_alive()

    def _get(self, queue: client.Queue) -> None:
        how = get_options(-1, False, False)
        how.options &= ~MQGMO_FAIL_IF_QUIESCING
        try:
            queue.get(options=how)
        except MQError as error:
            self.reasons.append(error.reason)

    def told(self) -> bool:
        """Whether both programs learn of the end, in one of MQ's words for it."""
        self.thread.join(60)
        with pytest.raises(MQError) as refused:
            self.idle.open(QUEUE, MQOO_OUTPUT)
        return {*self.reasons, refused.value.reason} <= TOLD and len(self.reasons) == 1


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Served]]:
    started: list[Served] = []
    monkeypatch.setenv("KEW_DATA", str(tmp_path))
    manager.create(NAME, Configuration(log=LogConfiguration(file_pages=256)))
    with manager.start(NAME) as running:
        running.mqsc(f"DEFINE QLOCAL({QUEUE})", f"DEFINE QLOCAL({EMPTY})")

    def begin(*options: str) -> Served:
        started.append(Served(tmp_path, *options))
        return started[-1]

    yield begin
    for each in started:
        if each.process.poll() is None:
            each.process.kill()
        each.process.communicate()


def _depth(data: str) -> int:
    with manager.start(NAME, data) as again:
        return again.host.queues.by_name[QUEUE].depth


def test_programs_that_do_not_end_are_broken_off_after_the_grace(serve: Callable[..., Served]) -> None:
    served = serve("--grace", "0.2")
    programs = Waiting(served.data)
    served.process.send_signal(signal.SIGTERM)
    assert served.ended() == 0
    assert programs.told()
    said = served.errors.read_text()
    assert "CSQY907W" in said
    assert "with 2 connections that have not ended" in said
    (line,) = [each for each in said.splitlines() if each.startswith("CSQY907W")]
    assert "waiting (" in line, line
    assert _depth(served.data) == 0


def test_the_second_termination_is_immediate(serve: Callable[..., Served]) -> None:
    served = serve("--grace", AGES)
    programs = Waiting(served.data)
    served.process.send_signal(signal.SIGTERM)
    assert eventually(lambda: "CSQY901I" in served.errors.read_text())
    assert served.process.poll() is None
    served.process.send_signal(signal.SIGTERM)
    assert served.ended() == 0
    assert programs.told()


def test_stop_gives_programs_the_time_that_it_is_told(serve: Callable[..., Served]) -> None:
    served = serve("--grace", AGES)
    programs = Waiting(served.data)
    early = served.kew("stop", NAME, "--wait", "0")
    assert (early.returncode, early.stdout) == (1, "")
    assert "--immediate ends it at once" in early.stderr
    done = served.kew("stop", NAME, "--grace", "0.1")
    assert done.stdout == f"Queue manager '{NAME}' ended.\n", done.stderr
    assert served.ended() == 0
    assert programs.told()


def test_the_grace_of_qm_ini_holds_where_nobody_says_another(serve: Callable[..., Served], tmp_path: Path) -> None:
    ini = tmp_path / "qmgrs" / NAME / "qm.ini"
    assert "QuiesceGrace=10" in ini.read_text()
    ini.write_text(ini.read_text().replace("QuiesceGrace=10", "QuiesceGrace=0"))
    served = serve()
    programs = Waiting(served.data)
    assert served.kew("stop", NAME).returncode == 0
    assert programs.told()


def test_a_hangup_has_the_configuration_read_again_and_ends_nothing(serve: Callable[..., Served]) -> None:
    served = serve()
    ini = served.ini.read_text()
    served.ini.write_text(ini.replace("ExcludeMessage=", "ExcludeMessage=CSQY901"))
    served.process.send_signal(signal.SIGHUP)
    assert eventually(lambda: "CSQY908I" in served.errors.read_text())
    served.ini.write_text(f"# Kew qm.ini 2 of queue manager {NAME}\nQMErrorLog:\n   ErrorLogSize=many\n")
    served.process.send_signal(signal.SIGHUP)
    assert eventually(lambda: "AMQ9224E" in served.errors.read_text())
    assert "PING" not in served.kew("mqsc", NAME, "-e", "PING QMGR").stderr
    served.ini.write_text(ini)
    assert served.kew("stop", NAME).returncode == 0
    assert served.ended() == 0
    assert "CSQY901I" not in served.errors.read_text()  # left out since the first hangup


def test_the_state_is_told_in_the_words_of_dspmq(serve: Callable[..., Served]) -> None:
    served = serve("--grace", AGES)
    idle = client.connect_local(NAME, "idle", data=served.data)
    assert condition(NAME, served.data) == Condition("Running", served.process.pid)
    served.process.send_signal(signal.SIGTERM)
    assert eventually(lambda: condition(NAME, served.data) == Condition("Quiescing", served.process.pid))
    assert "STATUS(QUIESCING)" in served.kew("status", NAME).stdout
    idle.disconnect()
    assert served.ended() == 0
    assert served.kew("list").stdout.startswith(f"QMNAME({NAME})  STATUS(Ended normally)  /")
    manager.start(NAME).stop()
    assert condition(NAME, served.data) == Condition("Ended immediately", 0)
    served = serve("--grace", "0.01")
    programs = Waiting(served.data)
    served.process.send_signal(signal.SIGTERM)
    assert served.ended() == 0
    assert programs.told()
    assert condition(NAME, served.data) == Condition("Ended immediately", 0)
    served = serve()
    served.process.kill()
    served.ended()
    assert condition(NAME, served.data) == Condition("Ended unexpectedly", 0)


def test_other_holders_of_the_lock_and_failed_starts_leave_the_state(tmp_path: Path) -> None:
    data = str(tmp_path)
    manager.create(NAME, Configuration(log=LogConfiguration(file_pages=256)), data)
    assert condition(NAME, data) == Condition("Ended immediately", 0)  # as crtmqm leaves it
    root = tmp_path / "qmgrs" / NAME
    lock = RealDisk().lock(str(root / "lock"))
    assert condition(NAME, data) == Condition("Ended immediately", 0)
    lock.write_note("Starting")
    assert condition(NAME, data) == Condition("Starting", os.getpid())
    lock.release()
    assert condition(NAME, data) == Condition("Ended unexpectedly", 0)
    page_set = root / "pagesets" / "psid00"
    page_set.write_bytes(page_set.read_bytes()[:5000] + b"damaged" + page_set.read_bytes()[5007:])
    lock = RealDisk().lock(str(root / "lock"))
    lock.write_note("Ended normally")
    lock.release()
    with pytest.raises(Damaged):
        manager.start(NAME, data)
    assert condition(NAME, data) == Condition("Ended normally", 0)


def test_requests_are_heeded_in_their_order() -> None:
    ending = Ending(5.0)
    reread: list[int] = []
    assert ending.ask(False) == 5.0
    assert ending.ask(False, 7.0) == 7.0
    assert ending.ask(True) == 0.0
    first = ending.wait(lambda: reread.append(1))
    assert first == Request(False, 5.0)
    assert not ending.let_finish(first, lambda: True, lambda: reread.append(1))
    assert ending.let_finish(Request(False, 5.0), lambda: False, lambda: None)
    assert not reread
