"""The MQSC prompt: completion from the tables and the queue manager, history, help, commands over several lines."""

import os
import re
from collections.abc import Iterable
from typing import Final

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory

from kew.cli.screen import show
from kew.commands.actions.script import Counts
from kew.commands.mqsc.complete import complete
from kew.commands.mqsc.help import help_on
from kew.commands.mqsc.lexer import CommandReader
from kew.commands.mqsc.printer import SECRETS, summary
from kew.qmgr.names import data_directory
from kew.qmgr.visitor import NotRunning, Visitor

_SECRET: Final = re.compile("|".join(sorted(SECRETS)), re.IGNORECASE)


class Words(Completer):
    """Completes commands, keywords, values and the names of objects there are."""

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self.before = ""  # the lines of this command that were already typed

    def get_completions(self, document: Document, _event: CompleteEvent) -> Iterable[Completion]:
        """Give the words that may stand at the cursor."""
        text = self.before + document.text_before_cursor
        for found in complete(text, None, self._names):
            yield Completion(found.text, found.start - len(text), display_meta=found.help_text)

    def _names(self, family: str, beginning: str) -> Iterable[str]:
        try:
            return self._visitor.names(family, beginning.upper())
        except NotRunning:
            return []


class Past(FileHistory):
    """History in a file of the user's own, without commands that carry a password."""

    def store_string(self, string: str) -> None:
        """Keep a command for the next time."""
        if not _SECRET.search(string):
            super().store_string(string)


def _history() -> Past:
    path = os.path.join(data_directory(), "mqsc_history")
    os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
    return Past(path)


def converse(name: str, visitor: Visitor, counts: Counts, as_json: bool) -> None:
    """Read commands until END or the end of input, and answer each."""
    words = Words(visitor)
    session: PromptSession[str] = PromptSession(history=_history(), completer=words, complete_while_typing=False)
    click.echo(f"Starting MQSC for queue manager {name}. TAB completes, ? helps, END ends.")
    reader = CommandReader()
    typed: list[str] = []
    while not counts.ended:
        words.before = " ".join([line.rstrip().rstrip("+-") for line in typed])
        try:
            line = session.prompt("    > " if reader.open else f"{name}> ")
        except KeyboardInterrupt:
            reader.finish()
            typed.clear()
            continue
        except EOFError:
            break
        if line.rstrip().endswith("?"):
            show(help_on(words.before + line))
            continue
        typed.append(line)
        if not reader.feed(line) and reader.open:
            continue
        lines = [said for part in visitor.run("\n".join(typed), counts, as_json) for said in part]
        typed.clear()
        show(lines)
    click.echo("\n".join(summary(counts.read, counts.syntax_errors, counts.failed)))
