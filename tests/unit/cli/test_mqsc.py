"""`kew mqsc` from an argument, a pipe and a prompt."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from kew.cli import main
from kew.cli.prompt import Past, Words, converse, folded, unfinished
from kew.commands.actions.script import Counts
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.control.client import ControlClient
from kew.storage.directories import directory_of


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("KEW_DATA", str(tmp_path))
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)))
    return str(tmp_path)


@pytest.fixture
def control(data: str) -> Iterator[ControlClient]:
    with manager.start("QM1"):
        opened = ControlClient(directory_of(data, "QM1"))
        yield opened
        opened.close()


def kew(*arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(main, list(arguments), input=given)


def test_commands_as_arguments(control: ControlClient) -> None:
    assert kew("mqsc", "QM1", "-e", "DEFINE QLOCAL(A)").output == "AMQ8006I: Kew queue created.\n"
    failed = kew("mqsc", "QM1", "-e", "DELETE QLOCAL(NONE)", "-e", "DEFINE QLOCAL(B)")
    assert failed.exit_code == 10
    assert failed.output == "AMQ8147E: Kew object NONE not found.\nAMQ8006I: Kew queue created.\n"
    assert kew("mqsc", "QM1", "-e", "NONSENSE").exit_code == 10


def test_a_script_from_a_file_is_read_as_from_a_pipe(control: ControlClient, tmp_path: Path) -> None:
    script = tmp_path / "script.mqsc"
    script.write_text("DEFINE QLOCAL(A)\nNONSENSE\n")
    done = kew("mqsc", "QM1", "-f", str(script))
    assert done.exit_code == 10
    assert done.output == kew("mqsc", "QM1", given="DEFINE QLOCAL(A) REPLACE\nNONSENSE\n").output.replace(
        " REPLACE", ""
    )
    both = kew("mqsc", "QM1", "-f", str(script), "-e", "PING QMGR")
    assert (both.exit_code, "exclude each other" in both.output) == (2, True)
    assert kew("mqsc", "QM1", "-f", "nofile").exit_code == 2


def test_commands_without_an_option_are_answered_with_the_option() -> None:
    done = kew("mqsc", "QM1", "DIS", "QLOCAL(A)")
    assert done.exit_code == 2
    assert "commands go behind -e: kew mqsc QM1 -e 'DIS QLOCAL(A)'" in done.output


def test_a_piped_script_is_repeated_and_counted(control: ControlClient) -> None:
    done = kew("mqsc", "QM1", given="* a comment\nDEFINE QLOCAL(A) +\n  MAXDEPTH(5)\nDISPLAY QLOCAL(A) MAXDEPTH\n")
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        "Starting MQSC for queue manager QM1.",
        "",
        "       : * a comment",
        "     1 : DEFINE QLOCAL(A) +",
        "       :   MAXDEPTH(5)",
        "AMQ8006I: Kew queue created.",
        "     2 : DISPLAY QLOCAL(A) MAXDEPTH",
        "AMQ8409I: Display Queue details.",
        "   QUEUE(A)                                TYPE(QLOCAL)",
        "   MAXDEPTH(5)",
        "2 MQSC commands read.",
        "No commands have a syntax error.",
        "All valid MQSC commands were processed.",
    ]


def test_json(control: ControlClient) -> None:
    done = kew("mqsc", "QM1", "--json", given="PING QMGR\nDISPLAY QUEUE(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH\n")
    first, second = [json.loads(line) for line in done.output.splitlines()]
    assert (first["ok"], first["message"]) == (True, "AMQ8415I")
    assert second["objects"] == [{"QUEUE": "SYSTEM.DEFAULT.LOCAL.QUEUE", "TYPE": "QLOCAL", "MAXDEPTH": 5000}]


def test_a_queue_manager_that_does_not_run(data: str) -> None:
    refused = kew("mqsc", "QM1", "-e", "PING QMGR")
    assert refused.exit_code == 20
    assert "AMQ8146E" in refused.output
    assert kew("mqsc", "OTHER", "-e", "PING QMGR").exit_code == 16


def test_a_conversation(control: ControlClient, capsys: pytest.CaptureFixture[str]) -> None:
    counts = Counts()
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        keys.send_text("define qlocal(c) +\n maxdepth(7)\nDEFINE QLOCAL(C) MAXDEPTH ?\ndisplay ql(c) maxdepth\nend\n")
        converse("QM1", control, counts, as_json=False)
    said = capsys.readouterr().out
    assert "AMQ8006I: Kew queue created.\n" in said
    assert "MAXDEPTH: Most messages the queue holds." in said
    assert "   MAXDEPTH(7)\n" in said
    assert (counts.read, counts.failed, counts.ended) == (2, 0, True)


def test_completion_knows_keywords_and_names(control: ControlClient) -> None:
    words = Words(control)

    def offered(text: str) -> list[str]:
        return [found.text for found in words.get_completions(Document(text), CompleteEvent())]

    assert offered("DEFINE QLO") == ["QLOCAL"]
    assert offered("DISPLAY QLOCAL(SYSTEM.DEFAULT.LO") == ["SYSTEM.DEFAULT.LOCAL.QUEUE"]
    assert offered("DEFINE QLOCAL(A) +\n  MAXD") == ["MAXDEPTH"]
    assert offered("DEFINE QLOCAL(A) DEFPSIST(") == ["NO", "YES"]


@pytest.mark.parametrize(
    ("text", "goes_on"),
    [("DEFINE QLOCAL(A) +", True), ("DEFINE QLOCAL(A) + \n DESCR(x)", False), ("DEFINE +\n ?", False), ("", False)],
)
def test_a_command_goes_on_after_a_plus(text: str, goes_on: bool) -> None:
    assert unfinished(text) is goes_on


def test_long_help_keeps_its_columns() -> None:
    lines = folded(["   WORD  a text that is longer than the screen", "short", ""], 24)
    assert lines == ["   WORD  a text that is", "         longer than the", "         screen", "short", ""]


def test_history_keeps_no_passwords(tmp_path: Path) -> None:
    past = Past(str(tmp_path / "past"))
    past.store_string("DISPLAY QMGR")
    past.store_string("DEFINE CHANNEL(A) CHLTYPE(SDR) password('x')")
    assert list(past.load_history_strings()) == ["DISPLAY QMGR"]


def test_dev_makes_the_queue_manager_that_is_missing(tmp_path: Path) -> None:
    environment = {**os.environ, "KEW_DATA": str(tmp_path)}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "kew.cli", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)

    assert run("start", "DEV1", "--dev").returncode == 0
    try:
        shown = run("mqsc", "DEV1", "-e", "DISPLAY QMGR DEADQ", "-e", "DISPLAY QLOCAL(DEV.QUEUE.1) PUT")
        assert shown.returncode == 0
        assert "DEADQ(DEV.DEAD.LETTER.QUEUE)" in shown.stdout
    finally:
        assert run("mqsc", "DEV1", "-e", "STOP QMGR MODE(FORCE)").returncode == 0
