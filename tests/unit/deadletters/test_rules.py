"""The rules table of the dead-letter handler: its syntax, what is refused, and which messages a rule fits."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.codes.options import MQAT_QMGR, MQFB_COA, MQMT_REPORT, MQPER_PERSISTENT
from kew.codes.reasons import MQRC_PUT_INHIBITED, MQRC_Q_FULL
from kew.deadletters.letters import Letter
from kew.deadletters.rules import FOREVER, Table, TableError, fits_pattern, read_table
from kew.formats.mqdlh import DeadLetterHeader
from kew.formats.mqmd import MessageDescriptor


def table(text: str) -> Table:
    return read_table(io.StringIO(text))


def letter(queue: bytes = b"APP.Q", reason: int = MQRC_Q_FULL, format: bytes = b"MQSTR   ") -> Letter:
    descriptor = MessageDescriptor(
        message_type=MQMT_REPORT,
        feedback=MQFB_COA,
        persistence=MQPER_PERSISTENT,
        reply_to_queue=b"REPLIES".ljust(48),
        reply_to_queue_manager=b"QM1".ljust(48),
        user_identifier=b"alice".ljust(12),
        application_identity_data=b"identity".ljust(32),
        put_application_name=b"program".ljust(28),
        put_application_type=MQAT_QMGR,
    )
    return Letter(descriptor, DeadLetterHeader(reason, queue.ljust(48), b"QM1".ljust(48), 0, 0, format), b"")


def test_control_data_and_rules() -> None:
    read = table(
        """* how undelivered orders are dealt with

inputqm(QM1) INPUTQ('MY.DLQ') retryint(30), wait(10)
   * a comment
PERSIST(MQPER_PERSISTENT) REASON (MQRC_PUT_INHIBITED) +
    ACTION (RETRY) RETRY (3)
DESTQ('A''B') ACT-
ION(FWD) fwdq(&REPLYQ) FWDQM(&REPLYQM) header(no) putaut(ctx)
action(ignore)
"""
    )
    assert (read.manager, read.queue, read.retry_interval, read.wait) == ("QM1", "MY.DLQ", 30, 10)
    first, second, third = read.rules
    assert (first.action, first.attempts, first.line) == ("RETRY", 3, 5)
    assert (second.action, second.forward_queue, second.forward_manager) == ("FWD", "&REPLYQ", "&REPLYQM")
    assert (second.keeps_header, second.as_sender) == (False, True)
    assert second.fits(letter(b"A'B"))
    assert (third.action, third.attempts, third.keeps_header) == ("IGNORE", 1, True)


def test_defaults() -> None:
    read = table("action(discard)")
    assert (read.queue, read.manager, read.retry_interval, read.wait) == ("", "", 60, FOREVER)
    assert table("wait(no)\naction(discard)").wait == 0
    assert table("inputq(' ')\naction(discard)").queue == ""


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("", 0, "no rule"),
        ("wait(yes)", 0, "no rule"),
        ("action(discard)\nwait(yes)", 2, "WAIT is control data"),
        ("wait(yes) action(discard)", 1, "WAIT is control data"),
        ("reason(2053)", 1, "needs ACTION"),
        ("action(burn)", 1, "expected DISCARD"),
        ("action(fwd)", 1, "FWDQ"),
        ("action(fwd) fwdq(' ')", 1, "FWDQ"),
        ("action(retry) fwdq(A)", 1, "go with ACTION(FWD)"),
        ("action(retry) retry(0)", 1, "RETRY(0)"),
        ("action(retry) retry(many)", 1, "RETRY(many)"),
        ("wait(maybe)\naction(discard)", 1, "WAIT(MAYBE)"),
        ("retryint(0)\naction(discard)", 1, "RETRYINT(0)"),
        ("action(discard) colour(red)", 1, "no keyword COLOUR"),
        ("action(discard) action(retry)", 1, "twice"),
        ("destq('') action(discard)", 1, "no value"),
        ("destq() action(discard)", 1, "expected KEYWORD(value)"),
        ("destq(A action(discard)", 1, "expected KEYWORD(value)"),
        ("reason(MQRC_NO_SUCH) action(discard)", 1, "neither a number nor a name"),
        ("reason(MQPER_PERSISTENT) action(discard)", 1, "neither a number nor a name"),
        ("persist(20?3) action(discard)", 1, "neither a number nor a name"),
        ("format(MUCHTOOLONG) action(discard)", 1, "longer than 8"),
        ("\n\naction(discard) +", 3, "should go on"),
        ("x" * 2_000_000, 0, "longer than"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, line: int, why: str) -> None:
    with pytest.raises(TableError) as caught:
        table(text)
    assert caught.value.line == line
    assert why in str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("destq(APP.Q)", True),
        ("destq('APP.*')", True),
        ("destq('?PP.Q*')", True),
        ("destq(APP)", False),
        ("destqm(QM1) replyq(REPLIES) replyqm(QM?) userid(alice) applname(prog*) applidat(identity)", True),
        ("userid(ali)", False),
        ("reason(2053)", True),
        ("reason(MQRC_Q_FULL) feedback(MQFB_COA) msgtype(MQMT_REPORT) appltype(MQAT_QMGR) persist(1)", True),
        (f"reason({MQRC_PUT_INHIBITED})", False),
        ("reason(*) msgtype(*)", True),
        ("format(MQSTR)", True),
        ("format(' ')", False),
    ],
)
def test_which_messages_a_rule_fits(pattern: str, fits: bool) -> None:
    (rule,) = table(f"{pattern} action(discard)").rules
    assert rule.fits(letter()) is fits


@given(st.text("ab*?", max_size=12), st.text("ab", max_size=12))
def test_patterns_are_those_of_a_shell(pattern: str, value: str) -> None:
    expression = "".join({"*": ".*", "?": "."}.get(each, each) for each in re.sub(r"\*+", "*", pattern))
    assert fits_pattern(pattern, value) is bool(re.fullmatch(expression, value))


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        assert table(text).rules
    except TableError as refused:
        assert str(refused)
