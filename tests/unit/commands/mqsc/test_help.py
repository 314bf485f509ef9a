"""Help and completion come from the tables."""

import pytest

from kew.commands.mqsc import messages
from kew.commands.mqsc.complete import REFERENCES, complete
from kew.commands.mqsc.grammar import COMMANDS, VERBS, all_commands
from kew.commands.mqsc.help import describe, help_on, syntax
from kew.objects.schema import FAMILIES, object_type

OBJECTS = {"QUEUE": ["APP.Q1", "APP.Q2", "Mixed.Case"], "AUTHINFO": ["DEV.AUTHINFO"], "CHANNEL": ["TO.QM2"]}


def names(family: str, prefix: str) -> list[str]:
    return [name for name in OBJECTS.get(family, []) if name.upper().startswith(prefix.upper())]


def words(text: str, cursor: int | None = None) -> list[str]:
    return [candidate.text for candidate in complete(text, cursor, names)]


def test_syntax_lists_every_parameter() -> None:
    lines = syntax(COMMANDS["DEFINE"]["QLOCAL"])
    assert lines[0] == "DEFINE QLOCAL( name )"
    assert "   [ REPLACE | NOREPLACE ]" in lines
    assert "   [ MAXDEPTH( 0..999999999 ) ]" in lines
    assert "   [ SHARE | NOSHARE ]" in lines
    assert not any("CURDEPTH" in line for line in lines)
    shown = syntax(COMMANDS["DISPLAY"]["QUEUE"])
    assert shown[0] == "DISPLAY QUEUE( generic_name )"
    assert "   [ CURDEPTH ]" in shown
    assert "   [ WHERE( attribute operator value ) ]" in shown
    assert "   CFSTRUCT( string )" in syntax(COMMANDS["ALTER"]["SMDS"])
    sender = syntax(COMMANDS["DEFINE"]["CHANNEL"], object_type("SDR"))
    assert any("XMITQ" in line for line in sender)
    assert not any("SHARECNV" in line for line in sender)


def test_every_command_has_syntax_and_help() -> None:
    for spec in all_commands():
        assert syntax(spec)[0].startswith(spec.title)
        assert help_on(spec.title)[0].startswith(spec.title)


def test_help_follows_the_command() -> None:
    assert help_on("?")[0] == "Commands:"
    assert help_on("DEFINE ?")[0] == "DEFINE may be followed by:"
    lines = help_on("DEFINE QLOCAL ?")
    assert lines[0] == "DEFINE QLOCAL: Creates: A queue that this queue manager holds."
    assert any(line.strip().startswith("MAXDEPTH") for line in lines)
    assert help_on("DEFINE QLOCAL(X) MAXDEPTH ?")[:3] == [
        "MAXDEPTH: Most messages the queue holds.",
        "   Values: a whole number from 0 to 999999999",
        "   Default: 5000",
    ]
    assert "FORCE" in "\n".join(help_on("ALTER QL(X) NOSHARE ?"))
    assert help_on("NOSUCH")[0] == "NOSUCH is not a valid command."
    assert help_on("DEFINE NOSUCH")[0] == "DEFINE may be followed by:"
    assert "CSQN" not in "\n".join(help_on("DEFINE CHANNEL(X) CHLTYPE(SDR) ?"))
    assert not any(line.strip().startswith("SHARECNV") for line in help_on("DEFINE CHANNEL(X) CHLTYPE(SDR) ?"))


def test_what_is_not_done_is_said() -> None:
    assert "Only the default" in "\n".join(describe(object_type("SVRCONN")["SCYEXIT"]))
    assert "Not taken: LU62" in "\n".join(describe(object_type("SDR")["TRPTYPE"]))


def test_completion_of_verbs_and_targets() -> None:
    assert words("") == list(VERBS)
    assert words("DE") == ["DEFINE", "DELETE"]
    assert "QLOCAL" in words("DEFINE ")
    assert words("def ql") == ["QLOCAL"]
    assert words("NOSUCH ") == []
    assert words("DEFINE NOSUCH ") == []


def test_completion_of_names() -> None:
    assert words("DISPLAY QLOCAL(") == ["APP.Q1", "APP.Q2", "'Mixed.Case'"]
    assert words("DISPLAY QLOCAL(app") == ["APP.Q1", "APP.Q2"]
    assert words("DISPLAY QLOCAL('Mix") == ["Mixed.Case"]
    assert words("START CHANNEL(") == ["TO.QM2"]
    assert [candidate.text for candidate in complete("DISPLAY QLOCAL(")] == []


def test_completion_of_keywords_leaves_out_those_given() -> None:
    first = words("DEFINE QLOCAL(A) ")
    assert "MAXDEPTH" in first
    assert "SHARE" in first
    assert "NOSHARE" in first
    assert "CURDEPTH" not in first
    then = words("DEFINE QLOCAL(A) NOSHARE MAXDEPTH(5) ")
    assert "MAXDEPTH" not in then
    assert "SHARE" not in then
    assert words("DEFINE QLOCAL(A) MAXD") == ["MAXDEPTH"]
    assert "XMITQ" not in words("DEFINE CHANNEL(A) CHLTYPE(SVRCONN) ")
    assert "SHARECNV" in words("DEFINE CHANNEL(A) CHLTYPE(SVRCONN) ")
    display = words("DISPLAY QLOCAL(*) ")
    assert "WHERE" in display
    assert "CURDEPTH" in display
    assert "CLUSINFO" in display


def test_completion_of_values() -> None:
    assert words("DEFINE QLOCAL(A) PUT(") == ["ENABLED", "DISABLED"]
    assert words("DEFINE QLOCAL(A) PUT(D") == ["DISABLED"]
    assert words("DEFINE CHANNEL(A) CHLTYPE(S") == ["SDR", "SVR", "SVRCONN"]
    assert words("ALTER QL(A) STREAMQ(") == ["APP.Q1", "APP.Q2", "'Mixed.Case'"]
    assert words("ALTER QMGR CONNAUTH(") == ["DEV.AUTHINFO"]
    assert words("DEFINE QL(B) LIKE(APP.Q1") == ["APP.Q1"]
    assert words("SET AUTHREC PROFILE(X) AUTHADD(PUT, G") == ["GET"]
    assert words("DEFINE QL(A) NOSUCH(") == []


def test_completion_of_conditions() -> None:
    assert "CURDEPTH" in words("DISPLAY QL(*) WHERE(")
    assert words("DISPLAY QL(*) WHERE(CURDEPTH ") == ["LT", "GT", "EQ", "NE", "LE", "GE"]
    assert words("DISPLAY QL(*) WHERE(PUT EQ ") == ["ENABLED", "DISABLED"]
    assert words("DISPLAY QL(*) WHERE(NOSUCH ") == []


def test_completion_replaces_the_word_under_the_cursor() -> None:
    text = "PING QMGR; DEFINE QLO(A)"
    found = complete(text, text.index("(A)"))
    assert [(candidate.text, candidate.start) for candidate in found] == [("QLOCAL", text.index("QLO"))]
    assert "QLOCAL" in repr(found[0])


@pytest.mark.parametrize("keyword", REFERENCES)
def test_references_are_real(keyword: str) -> None:
    assert REFERENCES[keyword] in FAMILIES
    owners = [members for members in FAMILIES.values() if members.find(keyword)]
    assert owners or keyword == "TOQLOCAL"


def test_every_reply_a_command_can_give_has_a_text() -> None:
    for spec in all_commands():
        if spec.done:
            assert messages.text_of(spec.done, spec.title).startswith(spec.done)
    assert messages.text_of("CSQ9022I", "DEFINE PSID") == "CSQ9022I: 'DEFINE PSID' NORMAL COMPLETION"
