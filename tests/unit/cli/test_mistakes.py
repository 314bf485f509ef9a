"""What users do wrong is answered with what happened, to which object, and what to do; never with a traceback."""

import errno
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from kew.cli import main
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.storage.disk import DiskError

STOPPED = [
    (("put", "QM1", "Q", "x"), "AMQ8146E", "'kew start QM1' starts it"),
    (("get", "QM1", "Q"), "AMQ8146E", "'kew start QM1' starts it"),
    (("browse", "QM1", "Q"), "AMQ8146E", "'kew start QM1' starts it"),
    (("dump", "QM1", "Q"), "AMQ8146E", "'kew start QM1' starts it"),
    (("dump", "QM1", "--objects"), "AMQ8146E", "'kew start QM1' starts it"),
    (("mqsc", "QM1", "-e", "PING QMGR"), "AMQ8146E", "'kew start QM1' starts it"),
    (("stop", "QM1"), "QM1", "not running"),
    (("recover", "QM1", "0"), "psid00", "move it away first"),
    (("recover", "QM1", "77"), "QM1", "no page set 77"),
    (("image", "QM1", "77"), "QM1", "no page set 77"),
    (("resolve", "QM1", "aa", "--commit"), "aa", "kew units QM1 lists"),
    (("restore", "QM1", "nowhere"), "nowhere", "backup.json is missing"),
    (("backup", "QM1", "/proc/nowhere"), "/proc/nowhere", "No such file"),
    (("load", "QM1", "Q", "nofile"), "nofile", "No such file"),
    (("load", "QM1", "Q", "."), "'.'", "Is a directory"),
    (("put", "QM1", "Q", "-f", "nofile"), "nofile", "No such file"),
    (("help", "--write", "/proc/nowhere"), "/proc/nowhere", "No such file"),
    (("help", "MAXDEPHT"), "MAXDEPHT", "Did you mean MAXDEPTH"),
    (("strat", "QM1"), "'strat'", "Did you mean start"),
    (("user", "ad", "QM1"), "'ad'", "Did you mean add"),
    (("user", "delete", "QM1", "nobody"), "nobody", "kew user list QM1"),
    (("create", "QM1"), "QM1", "kew delete QM1"),
    (("status", "QM9"), "QM9", "kew create QM9"),
]
RUNNING = [
    (("put", "QM1", "NO.Q", "x"), "queue 'NO.Q'", "kew mqsc QM1 -e 'DISPLAY QUEUE(*)'"),
    (("get", "QM1", "NO.Q"), "queue 'NO.Q'", "kew mqsc QM1 -e 'DISPLAY QUEUE(*)'"),
    (("browse", "QM1", "NO.Q"), "queue 'NO.Q'", "kew mqsc QM1 -e 'DISPLAY QUEUE(*)'"),
    (("dump", "QM1", "NO.Q"), "queue 'NO.Q'", "kew mqsc QM1 -e 'DISPLAY QUEUE(*)'"),
    (("put", "QM1", "SHUT", "x"), "queue 'SHUT'", "ALTER QLOCAL(SHUT) PUT(ENABLED)"),
    (("get", "QM1", "SHUT"), "queue 'SHUT'", "ALTER QLOCAL(SHUT) GET(ENABLED)"),
    (("put", "QM1", "SMALL", "x" * 100), "queue 'SMALL'", "MAXMSGL"),
    (("put", "QM1", "FEW", "x", "y", "z"), "2 messages put on FEW.", "2053"),
    (("put", "QM1", "FEW", "x"), "kew: 2053", "make MAXDEPTH larger"),
    (("get", "QM1", "Q", "--wait", "long"), "--wait", "'long' is not a number of seconds"),
    (("dump", "QM1", "SMALL", "-o", "no/such/directory"), "no/such", "No such file"),
    (("put", "QM1", "Q", "--connect", "localhost(1)", "x"), "port 1", "kew status QM1"),
    (("delete", "QM1"), "QM1", "kew stop QM1"),
    (("image", "QM1", "77"), "QM1", "no page set 77"),
    (("restore", "QM1", "nowhere"), "nowhere", "backup.json is missing"),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a queue manager that is stopped."""
    path = tmp_path_factory.mktemp("mistakes")
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)), str(path / "data"))
    return path


@pytest.fixture(autouse=True)
def here(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEW_DATA", str(place / "data"))
    monkeypatch.chdir(place)


WITHOUT_SPARK = """
import sys
for name in ("pyarrow", "pyspark"):
    sys.modules[name] = None
from kew.cli import main
main(sys.argv[1:])
"""


def test_of_what_needs_spark_where_it_is_not_installed() -> None:
    command = [sys.executable, "-c", WITHOUT_SPARK, "perf", "report"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    said = "kew: pyarrow is not installed: pip install 'kew-mq[spark]', or make spark in a checkout of Kew\n"
    assert (done.stdout, done.stderr) == ("", said)


def said(*arguments: str) -> str:
    result = CliRunner().invoke(main, list(arguments))
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code
    return " ".join(result.output.split())


@pytest.mark.parametrize(
    ("arguments", "what", "remedy"), STOPPED, ids=lambda value: " ".join(value)[:40] if isinstance(value, tuple) else ""
)
def test_of_one_that_is_stopped(arguments: tuple[str, ...], what: str, remedy: str) -> None:
    text = said(*arguments)
    assert what in text
    assert remedy in text


def test_of_one_that_runs() -> None:
    with manager.start("QM1"):
        script = "DEFINE QLOCAL(SHUT) PUT(DISABLED) GET(DISABLED)\nDEFINE QLOCAL(SMALL) MAXMSGL(10)\n"
        script += "DEFINE QLOCAL(FEW) MAXDEPTH(2)\n"
        assert CliRunner().invoke(main, ["mqsc", "QM1"], input=script).exit_code == 0
        wrong = []
        for arguments, what, remedy in RUNNING:
            text = said(*arguments)
            if what not in text or remedy not in text:
                wrong.append((" ".join(arguments), text))
    assert wrong == []


def test_of_a_port_that_is_taken() -> None:
    from kew.cli.serve import serve

    with socket.create_server(("", 0)) as taken:
        port = taken.getsockname()[1]
        said = f"port {port} cannot be listened on: .* another one with --port"
        with pytest.raises(click.ClickException, match=said):
            serve("QM1", -1, False, port, grace=None)


def test_of_a_data_directory_that_is_a_file(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "file").write_text("")
    monkeypatch.setenv("KEW_DATA", str(place / "file"))
    assert str(place / "file") in said("create", "QM2")
    assert "FAIL data directory" in said("doctor")


def test_of_a_name_that_no_queue_manager_has() -> None:
    for command in ("create", "start", "delete", "status"):
        assert "'NO NAME' is not a valid name of a queue manager, which has 1 to 48 of" in said(command, "NO NAME")


def test_of_a_dump_that_is_none(place: Path) -> None:
    (place / "text").write_text("this is no SMF dump" * 100)
    assert "no SMF record was found" in said("smf", "decode", "text")
    result = CliRunner().invoke(main, ["smf", "report", "LOG", "text"])
    assert "'kew smf decode' shows what the dumps hold" in result.output


@pytest.mark.parametrize("redirected", ["</dev/null >/dev/full", ">&-", "<&- >&- 2>&-"])
def test_of_streams_that_are_full_or_closed(redirected: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{shlex.quote(sys.executable)} -m kew.cli list {redirected}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert "Traceback" not in done.stderr
    if "full" in redirected:
        assert (done.returncode, done.stderr) == (
            1,
            "kew: standard output cannot be written: No space left on device\n",
        )
    else:
        assert (done.returncode, done.stderr) == (0, "")


def test_of_commands_from_an_input_that_is_closed() -> None:
    with manager.start("QM1"):
        done = subprocess.run(
            ["bash", "-c", f"{shlex.quote(sys.executable)} -m kew.cli mqsc QM1 <&-"],
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert "No MQSC commands read." in done.stdout


def test_of_a_disk_that_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object) -> None:
        raise DiskError("/data/qmgrs/QM3.new/log", "allocate", errno.ENOSPC)

    monkeypatch.setattr(manager, "create", full)
    text = said("create", "QM3")
    assert "AMQ6708E: No space is left for /data/qmgrs/QM3.new/log." in text
    assert "Make room there" in text
