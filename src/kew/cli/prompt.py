"""The MQSC prompt: completion from the tables and the queue manager, history, help, commands over several lines."""

import os
import re
import shutil
import textwrap
from collections.abc import Iterable
from typing import Final

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory
from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from kew.cli.screen import show
from kew.commands.actions.script import Counts
from kew.commands.mqsc.complete import complete
from kew.commands.mqsc.help import help_on
from kew.commands.mqsc.lexer import CommandReader
from kew.commands.mqsc.printer import summary
from kew.objects.secrets import SECRETS
from kew.qmgr.control.client import ControlClient, NotRunning
from kew.storage.directories import data_directory

_CONTINUED: Final = re.compile(r"[+-]?[ \t]*\n[ \t]*")
_SECOND_COLUMN: Final = re.compile(r"(\s*\S+(?: \S+)*\s{2,})\S")
_SECRET: Final = re.compile("|".join(sorted(SECRETS)), re.IGNORECASE)


def one_line(text: str) -> str:
    """Join the lines of a continued command, for the history."""
    return _CONTINUED.sub(" ", text)


class Words(Completer):
    """The completer of commands, keywords, values and the names of existing objects."""

    def __init__(self, control: ControlClient) -> None:
        self._visitor = control

    def get_completions(self, document: Document, _event: CompleteEvent) -> Iterable[Completion]:
        """Give the words that may stand at the cursor."""
        text = one_line(document.text_before_cursor)
        for found in complete(text, None, self._names):
            yield Completion(found.text, found.start - len(text), display_meta=found.help_text)

    def _names(self, family: str, beginning: str) -> Iterable[str]:
        try:
            return self._visitor.names(family, beginning.upper())
        except NotRunning:
            return []


class Past(FileHistory):
    """The command history in the user's own file, without commands that have a password."""

    def store_string(self, string: str) -> None:
        """Keep a command in the history."""
        if not _SECRET.search(string):
            super().store_string(string)


def _history() -> Past:
    path = os.path.join(data_directory(), "mqsc_history")
    os.close(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600))
    return Past(path)


def unfinished(text: str) -> bool:
    """Say whether the typed command continues on a further line."""
    if text.rstrip().endswith("?"):
        return False
    reader = CommandReader()
    for line in text.split("\n"):
        reader.feed(line)
    return reader.open


def _keys() -> KeyBindings:
    """Bind the Enter key, which accepts a completion, continues an unfinished command, or submits the command."""
    bindings = KeyBindings()

    @bindings.add("enter")
    def _enter(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if buffer.complete_state is not None:
            buffer.complete_state = None
        elif buffer.document.is_cursor_at_the_end and unfinished(buffer.text):
            buffer.insert_text("\n")
        else:
            buffer.validate_and_handle()

    return bindings


def folded(lines: list[str], width: int) -> list[str]:
    """Fold lines that are too long for the screen, so that the text of the second column stays in its column."""
    shown: list[str] = []
    for line in lines:
        column = _SECOND_COLUMN.match(line)
        indent = " " * (len(column[1]) if column and len(column[1]) <= width // 2 else 3)
        shown.extend(textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False) or [""])
    return shown


def _typed_ahead(session: PromptSession[str]) -> bool:
    """Say whether keys typed after the last command were read and are not processed yet."""
    keys = get_typeahead(session.input)
    store_typeahead(session.input, keys)
    return bool(keys)


def converse(name: str, control: ControlClient, counts: Counts, as_json: bool) -> None:
    """Read commands until END or the end of input, and print the reply to each."""
    session: PromptSession[str] = PromptSession(
        f"{name}> ",
        history=_history(),
        completer=Words(control),
        complete_while_typing=False,
        multiline=True,
        prompt_continuation="    > ",
        key_bindings=_keys(),
    )
    click.echo(f"Starting MQSC for queue manager {name}. TAB completes, ? helps, END ends.")
    while not counts.ended:
        try:
            text = session.prompt()
        except KeyboardInterrupt:
            continue
        except EOFError:
            break
        if text.rstrip().endswith("?"):
            show(folded(help_on(one_line(text)), shutil.get_terminal_size().columns), not _typed_ahead(session))
        elif text.strip():
            wrong = counts.failed + counts.syntax_errors
            said = [line for part in control.run(text, counts, as_json) for line in part]
            # An error stays on the screen, above the next prompt.
            show(said, counts.failed + counts.syntax_errors == wrong and not _typed_ahead(session))
    click.echo("\n".join(summary(counts.read, counts.syntax_errors, counts.failed)))
