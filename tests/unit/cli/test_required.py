"""An option that a command needs is asked for: without it nothing is done, and the exit code is 2."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from kew.cli import main
from kew.codes.options import MQOO_OUTPUT, MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration

WRONG_USAGE = 2
XID = b"a branch"


def _commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from _commands(command, (*path, name))
        else:
            yield (*path, name), command


def _word_for(parameter: click.Parameter, place: Path) -> list[str]:
    """Words that give a parameter an acceptable value."""
    kind = parameter.type
    if isinstance(kind, click.Path):
        value = str(place)
    elif isinstance(kind, click.Choice):
        value = str(kind.choices[0])
    elif kind.name == "qmgr":
        value = "QM1"
    else:
        value = "1"
    if isinstance(parameter, click.Argument):
        return [value]
    assert isinstance(parameter, click.Option)
    return [parameter.opts[0]] if parameter.is_flag else [parameter.opts[0], value]


CASES = [
    (path, command, missing)
    for path, command in _commands(main)
    for missing in command.params
    if missing.required and isinstance(missing, click.Option)
]


@pytest.mark.parametrize(("path", "command", "missing"), CASES, ids=lambda value: getattr(value, "name", None))
def test_a_required_option_is_required(
    path: tuple[str, ...],
    command: click.Command,
    missing: click.Option,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("KEW_DATA", str(tmp_path / "data"))
    words = [
        word for each in command.params if each.required and each is not missing for word in _word_for(each, tmp_path)
    ]
    result = CliRunner().invoke(main, [*path, *words])
    assert result.exit_code == WRONG_USAGE, result.output
    assert "Missing option" in result.stderr
    assert missing.opts[0] in result.stderr
    assert not (tmp_path / "data").exists()


@pytest.fixture
def in_doubt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stopped queue manager with a unit of work in doubt."""
    monkeypatch.setenv("KEW_DATA", str(tmp_path))
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)))
    with manager.start("QM1") as running:
        running.host.administration.define("QLOCAL", "Q", {})
        connection = running.connect()
        connection.start_branch(XID)
        queue = connection.open("Q", MQOO_OUTPUT)
        connection.put(queue, MessageDescriptor(persistence=1), b"data", MQPMO_SYNCPOINT)
        connection.end_branch()
        connection.prepare(XID)
        connection.disconnect()


@pytest.mark.usefixtures("in_doubt")
@pytest.mark.parametrize("decision", [[], ["--commit", "--backout"], ["--backout", "--commit"]])
def test_a_unit_of_work_is_not_resolved_without_a_decision(decision: list[str]) -> None:
    result = CliRunner().invoke(main, ["resolve", "QM1", XID.hex(), *decision])
    assert result.exit_code == WRONG_USAGE, result.output
    assert "--commit" in result.stderr
    assert "--backout" in result.stderr
    assert XID.hex() in CliRunner().invoke(main, ["units", "QM1"]).stdout
