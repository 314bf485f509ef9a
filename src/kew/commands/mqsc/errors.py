"""Syntax errors of commands: the message number, the place, the expected form, and a suggestion."""

import difflib
from collections.abc import Iterable

from kew.commands.mqsc import messages
from kew.commands.mqsc.grammar import VERBS, CommandSpec
from kew.commands.mqsc.help import syntax
from kew.objects.schema import ObjectType


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word most like a mistyped one, empty if none is near."""
    found = difflib.get_close_matches(word[:40].upper(), list(known), 1, 0.6)
    return found[0] if found else ""


class MQSCError(Exception):
    """The error of a command that is not valid; the command has changed nothing."""

    def __init__(
        self,
        message_id: str,
        detail: str,
        *,
        keyword: str = "",
        position: int = 0,
        segment: str = "",
        expected: str = "",
        suggestion: str = "",
    ) -> None:
        super().__init__(f"{message_id}: {detail}")
        self.message_id = message_id
        self.detail = detail  # one sentence, naming the keyword
        self.keyword = keyword
        self.position = position  # offset in the command, counted from 0
        self.segment = segment  # the command up to the end of the error
        self.expected = expected
        self.suggestion = suggestion
        self.spec: CommandSpec | None = None  # the command whose syntax would help, and for which type of object
        self.kind: ObjectType | None = None
        self.verbs = False  # whether a list of the verbs would help
        self.line = 0  # where in the input the position is, counted from 1; the reader of the input sets them
        self.column = 0

    def of(self, spec: CommandSpec, kind: ObjectType | None = None) -> "MQSCError":
        """Add the command of the grammar that was recognised, so that its syntax can be shown."""
        self.spec = spec
        self.kind = kind
        return self

    @property
    def place(self) -> str:
        """Return the place of the error, in words."""
        return f"line {self.line}, column {self.column}" if self.line else f"column {self.position + 1}"

    def lines(self) -> list[str]:
        """Return the lines to print: the message as runmqsc prints it, then the exact place and advice."""
        shown = [messages.text_of(messages.SYNTAX), self.segment, ""]
        if self.message_id != messages.SYNTAX:
            shown.append(messages.text_of(self.message_id))
        advice = f" Did you mean {self.suggestion}?" if self.suggestion else ""
        shown.append(f"{messages.ADVICE}: At {self.place}: {self.detail}.{advice}")
        if self.verbs:
            shown.extend([messages.text_of(messages.VALID_COMMANDS), *[f"   {verb}" for verb in VERBS]])
        elif self.spec is not None:
            shown.extend([messages.text_of(messages.VALID_SYNTAX), "", *syntax(self.spec, self.kind)])
        return shown
