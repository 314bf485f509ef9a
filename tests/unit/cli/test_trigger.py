"""`kew trigger`: programs are started as trigger messages say, and only those on the list."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kew.cli import main
from kew.cli.trigger import Refused, check_allowed, words_of
from kew.formats.mqtm import LENGTH_CHARACTER, TriggerMessage, decode_character
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration, TriggerMonitorConfiguration
from kew.qmgr.manager import QueueManager


def kew(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.fixture
def qmgr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[QueueManager]:
    monkeypatch.setenv("KEW_DATA", str(tmp_path / "data"))
    allowed = TriggerMonitorConfiguration("/somewhere/else/*, /bin/true")
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64), trigger_monitor=allowed))
    with manager.start("QM1") as running:
        yield running


def program(tmp_path: Path) -> Path:
    """A program that writes down its arguments."""
    path = tmp_path / "serve"
    path.write_text(
        f"#!{sys.executable}\nimport sys\nopen({str(tmp_path / 'said')!r}, 'w').write('|'.join(sys.argv))\n"
    )
    path.chmod(0o755)
    return path


def mqsc(*commands: str) -> None:
    for command in commands:
        result = kew("mqsc", "QM1", "-e", command)
        assert result.exit_code == 0, result.output


def define(program: str, environment: str = "") -> None:
    mqsc(
        f"DEFINE PROCESS(P) APPLICID('{program}') ENVRDATA('{environment}') USERDATA('fast') REPLACE",
        "DEFINE QLOCAL(Q) TRIGGER INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE) PROCESS(P) TRIGDATA('orders') REPLACE",
    )


def test_a_program_gets_the_trigger_message_as_one_argument(qmgr: QueueManager, tmp_path: Path) -> None:
    serve = program(tmp_path)
    define(str(serve), "further words")
    assert kew("put", "QM1", "Q", "an order").exit_code == 0
    result = kew("trigger", "QM1", "--allow", str(tmp_path / "*"), "-n", "1")
    assert result.exit_code == 0, result.output
    assert "started" in result.output
    assert "ended with 0" in result.output
    name, structure, *rest = (tmp_path / "said").read_text().split("|")
    assert name == str(serve)
    assert rest == ["further", "words"]
    assert len(structure) == LENGTH_CHARACTER
    message = decode_character(structure.encode())
    shown = [message.queue, message.process, message.trigger_data, message.user_data, message.queue_manager]
    assert [field.rstrip() for field in shown] == [b"Q", b"P", b"orders", b"fast", b"QM1"]


def test_what_is_not_on_the_list_is_not_started(qmgr: QueueManager, tmp_path: Path) -> None:
    define(str(program(tmp_path)))
    assert kew("put", "QM1", "Q", "an order").exit_code == 0
    result = kew("trigger", "QM1", "-n", "1")
    assert result.exit_code == 0
    assert "nothing is started for queue Q" in result.output
    assert "not on the list" in result.output
    assert not (tmp_path / "said").exists()


def test_the_list_may_stand_in_the_configuration(qmgr: QueueManager) -> None:
    define("/bin/true", "&")
    assert kew("put", "QM1", "Q", "an order").exit_code == 0
    result = kew("trigger", "QM1", "-n", "1")
    assert "started /bin/true for queue Q" in result.output
    assert "ended" not in result.output


def test_other_messages_and_missing_programs_are_told(qmgr: QueueManager, tmp_path: Path) -> None:
    mqsc("DEFINE QLOCAL(INIT)")
    assert kew("put", "QM1", "INIT", "not a trigger message").exit_code == 0
    result = kew("trigger", "QM1", "-q", "INIT", "--allow", "/bin/*", "-n", "1")
    assert result.exit_code == 0
    assert "not a trigger message" in result.output
    define(str(tmp_path / "missing"))
    assert kew("put", "QM1", "Q", "an order").exit_code == 0
    result = kew("trigger", "QM1", "--allow", str(tmp_path / "missing"), "-n", "1")
    assert result.exit_code == 0
    assert "No such file" in result.output


def test_an_empty_list_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEW_DATA", str(tmp_path))
    result = kew("trigger", "QM1")
    assert result.exit_code == 2
    assert "--allow" in result.output


@pytest.mark.parametrize("path", ["serve", "./serve", "/opt/app/../../bin/sh", "/bin//sh", "/bin/sh"])
def test_only_whole_paths_that_match_are_allowed(path: str) -> None:
    with pytest.raises(Refused):
        check_allowed(path, ("/opt/app/*", "serve", "./serve", "/bin//sh"))


def test_no_shell_sees_a_trigger_message() -> None:
    message = TriggerMessage(b"Q", b"P", b"$(id)", 6, b"/bin/serve '; rm -rf /'", b"`id` &")
    words, waits = words_of(message, "QM1")
    assert words[:2] == ["/bin/serve", "; rm -rf /"]
    assert words[3:] == ["`id`"]
    assert not waits
    for bad in (b"", b"/bin/'unfinished", b"/bin/\xff"):
        with pytest.raises(Refused):
            words_of(TriggerMessage(b"Q", b"P", application_id=bad), "QM1")
