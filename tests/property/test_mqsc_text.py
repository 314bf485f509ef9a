"""No text can bring the command language down: it is a command, or it is refused with an error that says where."""

from hypothesis import given, settings
from hypothesis import strategies as st

from kew.commands.mqsc.complete import complete
from kew.commands.mqsc.errors import MQSCError
from kew.commands.mqsc.grammar import COMMANDS, VERBS, all_commands
from kew.commands.mqsc.help import help_on
from kew.commands.mqsc.lexer import CommandReader
from kew.commands.mqsc.parser import Command, parse, parse_text
from kew.objects.schema import OBJECT_TYPES

KEYWORDS = sorted({word for kind in OBJECT_TYPES.values() for word in kind.by_word})
OPTIONS = sorted({word for spec in all_commands() for word in spec.by_word})
TARGETS = sorted({word for targets in COMMANDS.values() for word in targets})
LOOSE = [
    "(",
    ")",
    "'",
    '"',
    ",",
    ";",
    "+",
    "-",
    "*",
    "?",
    " ",
    "\n",
    "WHERE",
    "EQ",
    "LK",
    "'a b'",
    "1",
    "-1",
    "NO",
    "0.05",
]
PIECES = st.sampled_from([*VERBS, *TARGETS, *KEYWORDS, *OPTIONS, *LOOSE])


def try_lines(text: str) -> None:
    reader = CommandReader()
    found = [command for line in text.split("\n") for command in reader.feed(line)] + reader.end()
    for command in found:
        try:
            assert isinstance(parse(command), Command)
        except MQSCError as error:
            assert error.lines()
            assert 1 <= error.line <= text.count("\n") + 1
            assert error.column >= 1


@given(st.text(max_size=200))
@settings(max_examples=500)
def test_any_text(text: str) -> None:
    try_lines(text)
    assert isinstance(complete(text), list)
    assert help_on(text)


@given(st.lists(PIECES, max_size=15).map(" ".join))
@settings(max_examples=1000, deadline=None)
def test_any_words_of_the_language(text: str) -> None:
    try_lines(text)
    complete(text)
    assert help_on(text)


@given(st.sampled_from(all_commands()), st.lists(PIECES, max_size=12).map("".join))
@settings(max_examples=1000, deadline=None)
def test_any_tail_of_any_command(spec: object, tail: str) -> None:
    title = getattr(spec, "title", "")
    text = f"{title}(A) {tail}"
    try:
        assert parse_text(text).text
    except MQSCError as error:
        assert 0 <= error.position <= len(text)
        assert error.detail
