"""`kew user` keeps the users of a queue manager, running or not, and says clearly what it cannot do."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kew.cli import main
from kew.qmgr import manager
from kew.qmgr.files import Places
from kew.storage.directories import directory_of

NAME = "QM1"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("KEW_DATA", str(tmp_path))
    manager.create(NAME)
    return str(tmp_path)


def kew(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, ["user", *arguments], input=typed)


def listed() -> dict[str, list[str]]:
    done = kew("list", NAME, "--json")
    assert done.exit_code == 0
    return {row["user"]: row["groups"] for row in json.loads(done.output)}


@pytest.mark.usefixtures("data")
def test_a_user_comes_changes_and_goes() -> None:
    assert listed() == {}
    assert kew("add", NAME, "alice", "-g", "payments", "-g", "staff", typed="secret\n").exit_code == 0
    assert kew("add", NAME, "boss", "--admin", "--password-stdin", typed="secret\n").exit_code == 0
    assert listed() == {"alice": ["payments", "staff"], "boss": ["mqm"]}
    assert "USER(boss)  GROUPS(mqm)" in kew("list", NAME).output
    assert kew("set", NAME, "alice", "--group", "other").exit_code == 0
    assert kew("set", NAME, "boss", "--no-groups").exit_code == 0
    assert listed() == {"alice": ["other"], "boss": []}
    assert kew("delete", NAME, "boss").exit_code == 0
    assert listed() == {"alice": ["other"]}


@pytest.mark.usefixtures("data")
def test_users_that_are_added_at_once_are_all_there() -> None:
    wanted = [f"user{number}" for number in range(6)]
    command = [sys.executable, "-m", "kew.cli", "user", "add", NAME]
    adding = [subprocess.Popen([*command, who], stdin=subprocess.PIPE, text=True) for who in wanted]
    for each in adding:
        each.communicate("secret\n")
    assert [each.returncode for each in adding] == [0] * 6
    assert sorted(listed()) == wanted


def test_the_file_is_for_its_owner_only(data: str) -> None:
    assert kew("add", NAME, "alice", typed="secret\n").exit_code == 0
    path = Places(directory_of(data, NAME)).users
    assert os.stat(path).st_mode & 0o077 == 0
    assert "secret" not in Path(path).read_text(encoding="utf-8")


def test_a_running_queue_manager_knows_at_once(data: str) -> None:
    with manager.start(NAME, data) as running:
        directory = running.host.directory
        assert kew("add", NAME, "alice", "-g", "staff", typed="one\n").exit_code == 0
        assert directory.accepts("alice", "one")
        assert running.host.authority.groups_of("alice") == ("staff",)
        assert kew("set", NAME, "alice", "--password", "--admin", typed="two\n").exit_code == 0
        assert not directory.accepts("alice", "one")
        assert directory.accepts("alice", "two")
        assert running.host.authority.is_administrator("alice")
        assert kew("delete", NAME, "alice").exit_code == 0
        assert not directory.accepts("alice", "two")
        assert not running.host.authority.is_administrator("alice")


WRONG = [
    (("add", "NO.SUCH", "alice"), "x\n", "NO.SUCH"),
    (("add", NAME, "a:b"), "x\n", "not a valid name of a user"),
    (("add", NAME, "alice", "-g", "st*ff"), "x\n", "not a valid name of a group"),
    (("add", NAME, "alice"), "\n", "password"),
    (("add", NAME, "alice"), "x" * 2000 + "\n", "password"),
    (("set", NAME, "nobody"), "", "no user 'nobody'"),
    (("delete", NAME, "nobody"), "", "no user 'nobody'"),
    (("add", NAME), "", "Missing argument"),
]


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(("arguments", "typed", "expected"), WRONG)
def test_what_cannot_be_done_is_said(arguments: tuple[str, ...], typed: str, expected: str) -> None:
    done = kew(*arguments, typed=typed)
    assert done.exit_code != 0
    assert expected in done.output
    assert "Traceback" not in done.output


@pytest.mark.usefixtures("data")
def test_what_makes_no_sense_together_is_refused() -> None:
    kew("add", NAME, "alice", typed="x\n")
    assert kew("add", NAME, "alice", typed="x\n").exit_code != 0
    assert kew("set", NAME, "alice").exit_code != 0
    assert kew("set", NAME, "alice", "--no-groups", "--admin").exit_code != 0


def test_a_damaged_file_is_named_and_left_alone(data: str) -> None:
    path = Path(Places(directory_of(data, NAME)).users)
    text = f"# Kew users 2 of queue manager {NAME}\nrubbish\n"
    path.write_text(text, encoding="utf-8")
    done = kew("add", NAME, "alice", typed="x\n")
    assert done.exit_code != 0
    assert "line 2" in done.output
    assert path.read_text(encoding="utf-8") == text
    with manager.start(NAME, data) as running:  # nobody of the file is there, and it starts
        assert not running.host.directory.knows("alice")
