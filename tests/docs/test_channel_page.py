"""The page on channels that do not start names messages that there are, and commands that are understood."""

import re

import pytest

from kew.codes.messages import MESSAGES
from kew.commands.mqsc.messages import TEXTS
from kew.commands.mqsc.parser import parse_text
from tests.docs.session import ROOT

PAGE = (ROOT / "docs" / "howto" / "channel-start.md").read_text()
ROWS = re.findall(r"^\| ((?:AMQ|CSQ)\w+) \| (.+) \| (.+) \|$", PAGE, re.MULTILINE)
COMMANDS = [command for _message, _cause, remedy in ROWS for command in re.findall(r"`([A-Z][^`]+)`", remedy)]


def test_each_message_is_there_once() -> None:
    named = [row[0] for row in ROWS]
    assert len(named) == len(set(named)) > 20
    for name in named:
        assert name in MESSAGES or name in TEXTS, name


@pytest.mark.parametrize("command", [each for each in COMMANDS if not each.startswith("ACTION")])
def test_each_command_is_understood(command: str) -> None:
    parse_text(command.replace("number", "10"))
