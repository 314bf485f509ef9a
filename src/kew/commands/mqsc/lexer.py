"""The lexer of MQSC: from lines to commands, and from a command to tokens.

Lines make commands by these rules:

1. A line whose first character is * is a comment; blank lines are ignored. Both may stand inside a continued command.
2. A line whose last non-blank character is + continues with the next line's first non-blank character; one that ends
   in - continues with the very first character of the next line. Both may split a word or a quoted text.
3. Any other line ends its command. So does a semicolon outside quotation marks; the text after it is a new command.
4. A line has at most 2048 characters. A command has at most 262144, so that no input can fill the memory.

Within a command blanks and commas separate; words are in capitals whatever was typed; a text in single or double
quotation marks is kept as it is, with a mark inside it doubled.
"""

import re
from typing import Final

from kew.commands.mqsc import messages
from kew.commands.mqsc.errors import MQSCError

LINE_LIMIT: Final = 2048
COMMAND_LIMIT: Final = 262144

WORD: Final = "word"
STRING: Final = "string"
OPEN: Final = "("
CLOSE: Final = ")"

_MARK: Final = re.compile(r"""['";]""")
_TOKEN: Final = re.compile(
    r"""  (?P<word>[^\s,()'"]+)
      | (?P<open>\()
      | (?P<close>\))
      | '(?P<single>[^']*(?:''[^']*)*)'
      | "(?P<double>[^"]*(?:""[^"]*)*)"
      | (?P<bad>['"])""",
    re.VERBOSE,
)


class Token:
    """One piece of a command: a word in capitals, a text as quoted, or a parenthesis."""

    def __init__(self, kind: str, text: str, start: int, end: int) -> None:
        self.kind = kind
        self.text = text
        self.start = start
        self.end = end

    def __repr__(self) -> str:
        return f"Token({self.kind}, {self.text!r}, {self.start}, {self.end})"


class CommandText:
    """One command as a single string, with the places of its parts in the input."""

    def __init__(self) -> None:
        self.length = 0
        self.pieces: list[tuple[int, int, int]] = []  # offset in text, line, column: where each piece begins
        self._parts: list[str] = []
        self.error: MQSCError | None = None  # a line that was too long to read

    def add(self, piece: str, line: int, column: int) -> None:
        """Append part of a line that began at a place of the input."""
        self.pieces.append((self.length, line, column))
        self._parts.append(piece)
        self.length += len(piece)

    @property
    def text(self) -> str:
        """Return the command as one string."""
        if len(self._parts) != 1:
            self._parts = ["".join(self._parts)]
        return self._parts[0]

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column, counted from 1, of an offset in the text."""
        found = (0, 1, 1)
        for piece in self.pieces:
            if piece[0] > offset:
                break
            found = piece
        return found[1], found[2] + offset - found[0]

    def located(self, error: MQSCError) -> MQSCError:
        """Set the place in the input of an error."""
        error.line, error.column = self.place(error.position)
        return error


class CommandReader:
    """The reader that joins lines to commands; it keeps the beginning of a command that continues."""

    def __init__(self) -> None:
        self.number = 0
        self.pending: CommandText | None = None
        self._quote = ""  # the quotation mark that is open
        self._skip_blanks = False

    def feed(self, line: str) -> list[CommandText]:
        """Take a line and return the commands that it completes."""
        self.number += 1
        line = line.rstrip("\r\n")
        if self.number == 1:
            line = line.removeprefix("\ufeff")
        if line.startswith("*") or not line.strip():
            return []
        if len(line) > LINE_LIMIT:
            return self._refuse(f"the line has {len(line)} characters, {LINE_LIMIT} are allowed", line)
        done: list[CommandText] = []
        body = line.rstrip()
        mark = body[-1] if body[-1] in "+-" else ""
        body = body[:-1] if mark else line
        column = 1
        if self._skip_blanks:
            column += len(body) - len(body.lstrip())
            body = body.lstrip()
        start = 0
        if mark or self._quote or ";" in body:
            for match in _MARK.finditer(body):
                character = match.group()
                if self._quote:
                    if character == self._quote:
                        self._quote = ""
                elif character == ";":
                    self._append(body[start : match.start()], column + start)
                    done.extend(self.finish())
                    start = match.end()
                else:
                    self._quote = character
        self._append(body[start:], column + start)
        if self.pending is not None and self.pending.length > COMMAND_LIMIT:
            return done + self._refuse(f"a command may have {COMMAND_LIMIT} characters", line)
        self._skip_blanks = mark == "+"
        if not mark:
            done.extend(self.finish())
        return done

    def finish(self) -> list[CommandText]:
        """Return the command that is not ended yet, if there is one, and forget it."""
        pending = self.pending
        self.pending = None
        self._quote = ""
        self._skip_blanks = False
        if pending is None or (pending.error is None and not pending.text.strip()):
            return []
        return [pending]

    def end(self) -> list[CommandText]:
        """Return the command that the end of the input has cut off, marked as incomplete."""
        cut = self.finish()
        for command in cut:
            if command.error is None:
                command.error = MQSCError(
                    messages.UNEXPECTED_END,
                    "the last line says that the command goes on, but there is no more input",
                    position=len(command.text),
                    segment=command.text,
                    expected="another line",
                )
                command.located(command.error)
        return cut

    @property
    def open(self) -> bool:
        """Return whether the last line continues its command."""
        return self.pending is not None

    def _append(self, piece: str, column: int) -> None:
        if self.pending is None:
            self.pending = CommandText()
        self.pending.add(piece, self.number, column)

    def _refuse(self, detail: str, line: str) -> list[CommandText]:
        self._append("", 1)
        assert self.pending is not None
        if self.pending.error is None:
            shown = (self.pending.text + line)[:80] + "…"
            self.pending.error = MQSCError(messages.TOO_LONG, detail, segment=shown)
            self.pending.error.line = self.number
            self.pending.error.column = 1
        return self.finish()


def tokens(text: str) -> list[Token]:
    """Return the tokens of one command, or raise MQSCError for a lone quotation mark; line ends are blanks."""
    if len(text) > COMMAND_LIMIT:
        raise MQSCError(messages.TOO_LONG, f"a command may have {COMMAND_LIMIT} characters", segment=text[:80] + "…")
    found: list[Token] = []
    for match in _TOKEN.finditer(text):  # what no branch takes is blanks and commas
        start, position = match.span()
        kind = match.lastgroup
        if kind == "word":
            found.append(Token(WORD, match.group().upper(), start, position))
        elif kind == "open":
            found.append(Token(OPEN, "(", start, position))
        elif kind == "close":
            found.append(Token(CLOSE, ")", start, position))
        elif kind == "bad" or (found and found[-1].end == start and found[-1].kind in (WORD, STRING)):
            raise MQSCError(
                messages.SYNTAX,
                "a quotation mark has no partner; enclose the whole text in quotation marks and double those inside it",
                position=start,
                segment=text[: start + 1],
                expected="a closing quotation mark",
            )
        elif kind == "single":
            found.append(Token(STRING, match.group("single").replace("''", "'"), start, position))
        else:
            found.append(Token(STRING, match.group("double").replace('""', '"'), start, position))
    return found
