"""The dead-letter handler and `kew dlq`, on a queue manager in this process."""

import io
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from kew import client
from kew.cli import main
from kew.codes.errors import NoMessage
from kew.codes.options import MQENC_NATIVE, MQFMT_DEAD_LETTER_HEADER, MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPER_PERSISTENT
from kew.codes.reasons import MQRC_PUT_INHIBITED, MQRC_Q_FULL
from kew.deadletters.handler import Handler
from kew.deadletters.moving import DeadLetterQueue
from kew.deadletters.rules import read_table
from kew.formats import mqdlh
from kew.formats.mqdlh import DeadLetterHeader
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.manager import QueueManager

ROOT = Path(__file__).parents[3]


@pytest.fixture
def qmgr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[QueueManager]:
    monkeypatch.setenv("KEW_DATA", str(tmp_path / "data"))
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)))
    with manager.start("QM1") as running:
        good("mqsc", "QM1", "-e", "DEFINE QLOCAL(DLQ)", "-e", "ALTER QMGR DEADQ(DLQ)")
        for name in ("A", "B", "LATER"):
            good("mqsc", "QM1", "-e", f"DEFINE QLOCAL({name})")
        yield running


def kew(*arguments: str, given: str = "") -> tuple[int, str]:
    result = CliRunner().invoke(main, list(arguments), input=given)
    return result.exit_code, result.output


def good(*arguments: str, given: str = "") -> str:
    code, said = kew(*arguments, given=given)
    assert code == 0, said
    return said


def bury(data: bytes, queue: str, reason: int = MQRC_Q_FULL, persistence: int = 0, number: int = 1) -> None:
    """Put messages on the dead-letter queue as if they could not be delivered."""
    with client.connect_local("QM1", "tests") as connection, connection.open("DLQ", MQOO_OUTPUT) as letters:
        for _ in range(number):
            header = DeadLetterHeader(
                reason, queue.encode(), b"QM1", MQENC_NATIVE, 1208, b"MQSTR   ", 6, b"tests", b"20261115", b"12000000"
            )
            descriptor = MessageDescriptor(format=MQFMT_DEAD_LETTER_HEADER, persistence=persistence)
            letters.put(mqdlh.encode(header) + data, descriptor)


def drained(queue: str) -> list[tuple[bytes, bytes]]:
    """Take all messages of a queue: format and data."""
    found = []
    with client.connect_local("QM1", "tests") as connection, connection.open(queue, MQOO_INPUT_SHARED) as opened:
        while opened.connection.verbs.link.ready:
            try:
                got = opened.get()
            except NoMessage:
                break
            found.append((got.descriptor.format, got.data))
    return found


def depth(qmgr: QueueManager, queue: str) -> int:
    return qmgr.host.engine.queues.by_name[queue].depth


def test_each_message_goes_where_the_first_rule_that_fits_says(qmgr: QueueManager) -> None:
    bury(b"retry me", "A")
    bury(b"forward me", "NOWHERE", MQRC_PUT_INHIBITED)
    bury(b"discard me", "B", 2035)
    bury(b"leave me", "B", 2030)
    good("put", "QM1", "DLQ", "no dead letter")
    rules = """wait(no)
reason(MQRC_Q_FULL) action(retry)
reason(MQRC_PUT_INHIBITED) action(fwd) fwdq(LATER) header(no)
reason(2035) action(discard)
destq(B) action(ignore)
action(discard)
"""
    said = good("dlqh", "QM1", given=rules)
    assert "1 discarded, 1 forwarded, 1 retried, 2 left on the queue." in said
    assert drained("A") == [(b"MQSTR   ", b"retry me")]
    assert drained("LATER") == [(b"MQSTR   ", b"forward me")]
    assert depth(qmgr, "DLQ") == 2


def test_a_rule_that_fails_gives_way_to_the_next(qmgr: QueueManager) -> None:
    bury(b"one", "NOWHERE", persistence=MQPER_PERSISTENT)
    said = good("dlqh", "QM1", "DLQ", given="wait(no)\ndestq(NOWHERE) action(retry)\naction(fwd) fwdq(&DESTQ)\n")
    assert "2085" in said
    assert "1 left" in said
    assert depth(qmgr, "DLQ") == 1
    good("dlqh", "QM1", given="wait(no)\ndestq(NOWHERE) action(retry)\naction(fwd) fwdq(LATER)\n")
    ((name, data),) = drained("LATER")
    assert name == MQFMT_DEAD_LETTER_HEADER
    assert data.endswith(b"one")


def test_attempts_are_made_at_intervals(qmgr: QueueManager) -> None:
    bury(b"one", "A")
    qmgr.host.administration.alter("A", {"PUT": 1})
    seconds = [100.0]
    with client.connect_local("QM1", "tests") as connection:
        rules = "retryint(30) wait(no)\naction(retry) retry(3)\naction(fwd) fwdq(LATER) header(no)\n"
        table = read_table(io.StringIO(rules))
        complaints: list[str] = []
        handler = Handler(DeadLetterQueue(connection, ""), table, complaints.append, lambda: seconds[0])
        assert handler.look() == 130.0
        assert handler.look() == 130.0
        assert len(complaints) == 1
        seconds[0] = 130.0
        assert handler.look() == 160.0
        assert len(complaints) == 2
        seconds[0] = 160.0
        assert handler.look() is None
        assert len(complaints) == 3
    assert drained("LATER") == [(b"MQSTR   ", b"one")]


def test_it_waits_for_more_and_ends_when_gets_are_inhibited(qmgr: QueueManager) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "kew.cli", "dlqh", "QM1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stdin is not None
    process.stdin.write("action(retry)\n")
    process.stdin.close()
    bury(b"one", "A")
    _until(lambda: depth(qmgr, "A") == 1)
    bury(b"two", "A")
    _until(lambda: depth(qmgr, "A") == 2)
    qmgr.host.administration.alter("DLQ", {"GET": 1})
    assert process.wait(60) == 0
    assert process.stdout is not None
    assert "2 retried" in process.stdout.read()
    process.stdout.close()


def _moved(qmgr: QueueManager, process: subprocess.Popen[bytes], wanted: int) -> bool:
    return depth(qmgr, "A") > wanted or process.poll() is not None


def _until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_bad_rules_are_refused_before_anything_is_touched(qmgr: QueueManager) -> None:
    bury(b"one", "A")
    code, said = kew("dlqh", "QM1", given="action(retry)\naction(burn)\n")
    assert code == 1
    assert "line 2" in said
    assert depth(qmgr, "DLQ") == 1


def test_letters_are_listed_by_reason(qmgr: QueueManager) -> None:
    assert "No messages on DLQ." in good("dlq", "list", "QM1")
    bury(b"one", "A", number=2)
    bury(b"two", "B")
    bury(b"three", "B", MQRC_PUT_INHIBITED)
    good("put", "QM1", "DLQ", "no dead letter")
    lines = good("dlq", "list", "QM1").splitlines()
    assert lines[1].split()[:4] == ["2053", "MQRC_Q_FULL", "3", "2026-11-15"]
    assert lines[1].endswith("A (2), B (1)")
    assert "(no dead letter)" in "\n".join(lines)
    rows = [json.loads(line) for line in good("dlq", "list", "QM1", "--json").splitlines()]
    assert [(row["reason"], row["count"]) for row in rows] == [(2053, 3), (None, 1), (2051, 1)]
    shown = good("dlq", "show", "QM1", "--reason", "MQRC_PUT_INHIBITED")
    assert "three" in shown
    assert "one" not in shown
    assert len(good("dlq", "show", "QM1", "--json").splitlines()) == 5
    assert depth(qmgr, "DLQ") == 5


def test_replay_by_reason(qmgr: QueueManager) -> None:
    bury(b"one", "A", number=3)
    bury(b"two", "B", MQRC_PUT_INHIBITED)
    bury(b"three", "NOWHERE")
    assert "1 message replayed, 0 could" in good("dlq", "replay", "QM1", "--reason", "2051")
    assert "2 messages replayed" in good("dlq", "replay", "QM1", "--limit", "2")
    code, said = kew("dlq", "replay", "QM1", "DLQ")
    assert code == 1
    assert "1 message replayed, 1 could not be put" in said
    assert drained("A") == [(b"MQSTR   ", b"one")] * 3
    assert drained("B") == [(b"MQSTR   ", b"two")]
    good("dlq", "replay", "QM1", "--to", "LATER")
    assert drained("LATER") == [(b"MQSTR   ", b"three")]
    assert depth(qmgr, "DLQ") == 0
    assert kew("dlq", "replay", "QM1", "--reason", "HUNGER")[0] == 2


def test_replay_killed_at_any_moment_loses_and_doubles_nothing(qmgr: QueueManager) -> None:
    bury(b"x", "A", persistence=MQPER_PERSISTENT, number=300)
    command = [sys.executable, "-m", "kew.cli", "dlq", "replay", "QM1"]
    kills = 0
    while depth(qmgr, "DLQ") and kills < 6:
        before = depth(qmgr, "A")
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
            _until(partial(_moved, qmgr, process, before + 5))
            process.send_signal(signal.SIGKILL)
        kills += 1
        _until(lambda: not qmgr.host.engine.queues.by_name["DLQ"].uncommitted)
        assert depth(qmgr, "A") + depth(qmgr, "DLQ") == 300
    good("dlq", "replay", "QM1")
    assert len(drained("A")) == 300
    assert depth(qmgr, "DLQ") == 0
