"""Every command: found in a section, with an example in its help, and clear about arguments that are wrong."""

import json
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from kew.cli import SECTIONS, main
from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration


def commands(group: click.Group = main, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """All commands with their names, those of groups too."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


ALL = list(commands())
LEAVES = [(path, command) for path, command in ALL if not isinstance(command, click.Group)]


def names(path: object) -> str:
    return " ".join(path) if isinstance(path, tuple) else ""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KEW_DATA", str(tmp_path / "data"))
    deep = tmp_path / "so" / "deep"  # what is written to ../.. stays below the test's own directory
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    return tmp_path / "data"


def kew(*arguments: str, given: str = "") -> Result:
    return CliRunner().invoke(main, list(arguments), input=given)


def test_help_has_every_command_under_its_section() -> None:
    shown = kew("--help").output
    assert not [line for line in shown.splitlines()[1:] if line.endswith("...")], "a sentence is cut"
    at = 0
    for title, section in SECTIONS.items():
        at = shown.index(f"\n{title}:\n", at)
        for name in section:
            at = shown.index(f"\n  {name} ", at)


@pytest.mark.parametrize(("path", "command"), ALL, ids=names)
def test_every_help_has_a_short_text_and_leaves_have_an_example(path: tuple[str, ...], command: click.Command) -> None:
    result = kew(*path, "--help")
    assert result.exit_code == 0
    assert command.get_short_help_str()
    if not isinstance(command, click.Group):
        assert "Example" in result.output
        assert f"kew {' '.join(path)}" in result.output.partition("Example")[2]


@pytest.mark.parametrize(("path", "command"), LEAVES, ids=names)
def test_options_and_arguments_are_explained(path: tuple[str, ...], command: click.Command) -> None:
    silent = [
        option.opts[0]
        for option in command.params
        if isinstance(option, click.Option) and not option.help and not option.hidden
    ]
    assert silent == []


@pytest.mark.parametrize(("path", "command"), ALL, ids=names)
def test_an_unknown_option_is_named(path: tuple[str, ...], command: click.Command) -> None:
    result = kew(*path, "--no-such-option")
    assert result.exit_code == 2
    assert "--no-such-option" in result.output


@pytest.mark.parametrize(("path", "command"), LEAVES, ids=names)
def test_too_many_and_too_few_arguments_are_refused(path: tuple[str, ...], command: click.Command) -> None:
    arguments = [param for param in command.params if isinstance(param, click.Argument)]
    if not any(argument.nargs == -1 for argument in arguments):
        result = kew(*path, *["1"] * (len(arguments) + 1))
        assert result.exit_code == 2, result.output
    if any(argument.required for argument in arguments):
        result = kew(*path)
        assert result.exit_code == 2
        assert "Missing argument" in result.output


WRONG = ("", "NOT.THERE", "bad name", "../../etc", "\N{SNOWMAN}" * 60, "-1", "0", "1e9", "\x01")


@pytest.mark.parametrize("word", WRONG, ids=ascii)
@pytest.mark.parametrize(("path", "command"), LEAVES, ids=names)
def test_wrong_words_end_in_a_message_and_never_in_a_traceback(
    path: tuple[str, ...], command: click.Command, word: str, data: Path
) -> None:
    arguments = [param for param in command.params if isinstance(param, click.Argument)]
    if not arguments:
        return
    options = [
        [option.opts[0], *([] if option.is_flag else [word])]
        for option in command.params
        if isinstance(option, click.Option) and option.required
    ]
    words = [part for option in options for part in option]
    result = kew(*path, *words, "--", *[word] * len(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    if result.exit_code:
        assert result.output.strip()


@pytest.mark.parametrize("word", ["", "\x01", "-1", "99999999999999999999", "nan", "a=b=c", "no/such/file"], ids=ascii)
@pytest.mark.parametrize(("path", "command"), LEAVES, ids=names)
def test_wrong_values_of_options_end_in_a_message(path: tuple[str, ...], command: click.Command, word: str) -> None:
    arguments = ["NOT.THERE"] * sum(isinstance(param, click.Argument) for param in command.params)
    for option in command.params:
        if isinstance(option, click.Option) and not option.is_flag and not option.hidden:
            result = kew(*path, f"{option.opts[-1]}={word}", *arguments)
            assert isinstance(result.exception, SystemExit | None), (option.opts, result.exception)


@pytest.mark.parametrize("name", ["", ".", "..", "/", "x/../QM1"])
def test_no_name_reaches_beyond_its_own_queue_manager(name: str, data: Path) -> None:
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)))
    before = sorted(data.rglob("*"))
    assert kew("delete", "--", name).exit_code == (16 if name else 2)
    assert sorted(data.rglob("*")) == before


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell: str) -> None:
    result = kew("completion", shell)
    assert result.exit_code == 0
    assert f"_KEW_COMPLETE={shell}_complete" in result.output
    assert "kew" in result.output


def completed(words: str) -> list[str]:
    typed = words.split(" ")
    environment = {"_KEW_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(typed) - 1)}
    result = CliRunner().invoke(main, [], env=environment, prog_name="kew")
    return [line.partition(",")[2] for line in result.output.splitlines()]


def test_completion_of_commands_options_and_names(data: Path) -> None:
    for name in ("QM1", "QM2", "OTHER"):
        manager.create(name, Configuration(log=LogConfiguration(file_pages=64)))
    assert completed("kew st") == ["start", "stop", "status"]
    assert completed("kew smf re") == ["report"]
    assert completed("kew stop --i") == ["--immediate"]
    assert completed("kew status QM") == ["QM1", "QM2"]
    assert completed("kew completion f") == ["fish"]


def test_doctor_shows_what_it_found_and_wants(data: Path) -> None:
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)))
    result = kew("doctor", "QM1", "--json")
    told = json.loads(result.output)
    assert result.exit_code == (1 if told["level"] == "FAIL" else 0)
    assert {"group", "name", "found", "wanted", "level", "remedy"} == set(told["checks"][0])
    assert "Queue manager QM1" in {check["group"] for check in told["checks"]}
    shown = kew("doctor", "QM1").output
    assert f"{len(told['checks'])} checks: " in shown
    assert "OK    qm.ini" in shown
    assert "OK    qm.ini" not in kew("doctor", "QM1", "-q").output


def test_doctor_of_none_that_exists() -> None:
    result = kew("doctor", "NOT.THERE")
    assert result.exit_code == 16
    assert "AMQ8118E" in result.output


def test_doctor_fails_where_a_queue_manager_cannot_start(data: Path) -> None:
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)))
    (data / "qmgrs" / "QM1" / "qm.ini").write_text("# Kew qm.ini 2 of queue manager QM1\nLog:\n   LogFilePages=1\n")
    result = kew("doctor", "QM1")
    assert result.exit_code == 1
    assert "FAIL  qm.ini" in result.output
