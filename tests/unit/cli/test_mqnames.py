"""Commands of MQ are answered with what is typed here; each answer is a command that there is."""

import re
import shlex

import click
import pytest
from click.testing import CliRunner

from kew.cli import main
from kew.cli.mqnames import MQ_COMMANDS
from kew.commands.mqsc.parser import parse_text

TYPED = [
    (("runmqsc", "QM7"), "runmqsc QM7 is `kew mqsc QM7` here."),
    (("RUNMQSC",), "runmqsc is `kew mqsc QM1` here."),
    (("endmqm", "-i", "QM7"), "kew stop QM7 --immediate."),
    (("amqsput", "Q1", "QM7"), "`kew put QM7 Q1 TEXT`"),
    (("dmpmqcfg", "-m", "QM7", "-a"), "`kew dump QM7 --objects`"),
    (("amqsget", "Q 1"), "`kew get QM1 'Q 1'`"),
    (("strmqweb",), "strmqweb is not there: there is no web server"),
]


@pytest.mark.parametrize(("words", "said"), TYPED)
def test_a_command_of_mq_is_answered_with_what_is_typed_here(words: tuple[str, ...], said: str) -> None:
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code == 2
    assert said in done.output
    assert "Usage" not in done.output


def test_help_knows_commands_of_mq() -> None:
    done = CliRunner().invoke(main, ["help", "strmqm"])
    assert (done.exit_code, done.output) == (0, "strmqm is `kew start QM1` here.\n")
    assert "runmqsc" in CliRunner().invoke(main, ["help", "runmqsk"]).output


@pytest.mark.parametrize("name", MQ_COMMANDS)
def test_each_answer_is_a_command_that_there_is(name: str) -> None:
    known = MQ_COMMANDS[name]
    context = click.Context(main)
    assert main.get_command(context, name) is None
    if not known.here:
        assert known.remark
        return
    typed = re.search("`kew (.*)`", known.answer())
    assert typed is not None
    words = shlex.split(typed[1])
    command = main.get_command(context, words[0])
    assert command is not None
    if words[0] == "mqsc" and "-e" in words:
        parse_text(words[-1])
    if not isinstance(command, click.Group):
        command.make_context(words[0], words[1:])
