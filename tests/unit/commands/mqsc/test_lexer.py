"""Lines become commands, and commands become tokens, by MQSC's rules."""

import pytest

from kew.commands.mqsc.errors import MQSCError
from kew.commands.mqsc.lexer import COMMAND_LIMIT, LINE_LIMIT, STRING, WORD, CommandReader, CommandText, tokens


def read(*lines: str) -> list[CommandText]:
    reader = CommandReader()
    found = [command for line in lines for command in reader.feed(line)]
    return found + reader.end()


def texts(*lines: str) -> list[str]:
    return [command.text.strip() for command in read(*lines)]


def test_a_line_is_a_command() -> None:
    assert texts("DEFINE QL(A)\n", "DEFINE QL(B)\r\n") == ["DEFINE QL(A)", "DEFINE QL(B)"]


def test_plus_goes_on_with_the_first_character_that_is_not_blank() -> None:
    assert texts("DEFINE QL(A) +", "     PUT(ENABLED)") == ["DEFINE QL(A) PUT(ENABLED)"]
    assert texts("DESCR('Fr+", "    ed')") == ["DESCR('Fred')"]


def test_minus_goes_on_with_the_very_first_character() -> None:
    assert texts("DESCR('Fr-", "ed')") == ["DESCR('Fred')"]
    assert texts("DESCR('Fr-", "    ed')") == ["DESCR('Fr    ed')"]


def test_blanks_before_the_mark_stay_and_those_after_it_go() -> None:
    assert texts("DESCR('Fr  +   ", "  ed')") == ["DESCR('Fr  ed')"]


def test_comments_and_blank_lines_say_nothing_even_within_a_command() -> None:
    assert texts("* a comment", "", "   ", "DEFINE QL(A) +", "* PUT(DISABLED) +", "", "  GET(DISABLED)") == [
        "DEFINE QL(A) GET(DISABLED)"
    ]


def test_an_asterisk_elsewhere_is_no_comment() -> None:
    assert texts(" * PUT") == ["* PUT"]


def test_a_semicolon_ends_a_command_though_a_mark_follows() -> None:
    assert texts("DEFINE QL(A); DEFINE QL(B) ;+", "DEFINE QL(C)") == ["DEFINE QL(A)", "DEFINE QL(B)", "DEFINE QL(C)"]
    assert texts("DEFINE QL(A) DESCR('a;b')") == ["DEFINE QL(A) DESCR('a;b')"]
    assert texts("DEFINE QL(A) DESCR('a+", ";b')") == ["DEFINE QL(A) DESCR('a;b')"]
    assert texts(";;; ;") == []


def test_a_byte_order_mark_is_skipped() -> None:
    assert texts("\ufeffPING QMGR") == ["PING QMGR"]


def test_input_that_ends_within_a_command_is_an_error() -> None:
    found = read("DEFINE QL(A) +")
    assert [command.error.message_id for command in found if command.error] == ["AMQ8406E"]
    assert [command.error for command in read("PING QMGR", "+")] == [None]


def test_a_reader_knows_that_a_command_goes_on() -> None:
    reader = CommandReader()
    reader.feed("DEFINE QL(A) +")
    assert reader.open
    reader.feed("PUT(ENABLED)")
    assert not reader.open


def test_lines_and_commands_have_limits() -> None:
    found = read("DEFINE QL(A) DESCR('" + "x" * LINE_LIMIT + "')", "PING QMGR")
    assert found[0].error is not None
    assert found[0].error.message_id == "CSQN901E"
    assert str(LINE_LIMIT) in found[0].error.detail
    assert found[1].error is None
    assert read("x" * LINE_LIMIT)[0].error is None
    reader = CommandReader()
    most = 0
    refused = False
    for _ in range(300):
        refused = refused or any(command.error for command in reader.feed("x" * (LINE_LIMIT - 1) + "-"))
        most = max(most, len(reader.pending.text) if reader.pending else 0)
    assert refused
    assert most <= COMMAND_LIMIT + LINE_LIMIT
    with pytest.raises(MQSCError, match="CSQN901E"):
        tokens("x" * (COMMAND_LIMIT + 1))


def test_places_lead_back_to_the_input() -> None:
    command = read("* comment", "DEFINE QL(A) +", "   PUT(ENABLED) +", "   GET(DISABLED)")[0]
    assert command.place(command.text.index("DEFINE")) == (2, 1)
    assert command.place(command.text.index("PUT")) == (3, 4)
    assert command.place(command.text.index("DISABLED")) == (4, 8)


def test_words_are_in_capitals_and_texts_are_not() -> None:
    found = tokens("define ql('Account' ) descr(\"it's\"),trigdpth ( 1)")
    assert [token.text for token in found] == [
        "DEFINE", "QL", "(", "Account", ")", "DESCR", "(", "it's", ")", "TRIGDPTH", "(", "1", ")",
    ]  # fmt: skip
    assert [token.kind for token in found if token.text in ("QL", "Account")] == [WORD, STRING]
    assert found[0].start == 0
    assert found[0].end == 6


def test_marks_inside_texts_are_doubled() -> None:
    assert [token.text for token in tokens("'it''s' \"say \"\"no\"\"\" ''")] == ["it's", 'say "no"', ""]


@pytest.mark.parametrize("text", ["DESCR('abc)", "RQMNAME(QMB')", "'a''b", 'DESCR("abc)', "'", "'abc'\"d\""])
def test_a_lone_quotation_mark_is_an_error(text: str) -> None:
    with pytest.raises(MQSCError, match="quotation mark") as caught:
        tokens(text)
    assert caught.value.message_id == "AMQ8405I"
