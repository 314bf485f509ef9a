"""The tables of attributes: what a line gives, and errors that name row and column."""

import pytest

from kew.codes.attributes import MQCA_BACKOUT_REQ_Q_NAME, MQIA_TRIGGER_DEPTH
from kew.objects.schema.grid import BadTable, read, rows
from kew.objects.schema.model import FORCE, LIVE, SET, Row
from kew.objects.schema.texts import Hex, Name, Text
from kew.objects.schema.values import Choice, Number, Pair

HEAD = "keyword | pcf | kind | default | types | notes | meaning\n"
KINDS = {"yes-no": Choice({"NO": 0, "YES": 1})}
REASONS = {"no-exits": "no exit programs are loaded"}


def one(line: str) -> Row:
    return rows(KINDS, HEAD + line, reasons=REASONS)[0]


def test_a_line_gives_a_row() -> None:
    row = one(
        "BOQNAME | MQCA_BACKOUT_REQ_Q_NAME | yes-no | NO | QLOCAL QMODEL "
        "| force group=LOG refused=no-exits synonym=BQ default:QMODEL=YES repeat seconds=MQIA_TRIGGER_DEPTH | a | b."
    )
    assert (row.keyword, row.pcf, row.kind, row.default) == ("BOQNAME", MQCA_BACKOUT_REQ_Q_NAME, KINDS["yes-no"], "NO")
    assert (row.types, row.role, row.change, row.group) == (["QLOCAL", "QMODEL"], SET, FORCE, "LOG")
    assert (row.refused, row.synonyms, row.defaults) == ("no exit programs are loaded", ("BQ",), {"QMODEL": "YES"})
    assert (row.repeat, row.pcf_seconds, row.help_text) == (True, MQIA_TRIGGER_DEPTH, "a | b.")


@pytest.mark.parametrize(
    ("words", "kind"),
    [("text 64", Text), ("name 48", Name), ("hex 24", Hex), ("pair", Pair), ("number 0..99", Number)],
)
def test_kinds_with_a_size_need_no_name(words: str, kind: type) -> None:
    assert isinstance(one(f"ABC | | {words} | | | live | Says.").kind, kind)
    assert one(f"ABC | | {words} | | | live | Says.").role == LIVE


def test_a_number_may_have_words() -> None:
    kind = one("ABC | | number 0..99 AUTO=-1 DEPTH=MQIA_TRIGGER_DEPTH | | | | Says.").kind
    assert isinstance(kind, Number)
    assert (kind.low, kind.high, kind.specials) == (0, 99, {"AUTO": -1, "DEPTH": MQIA_TRIGGER_DEPTH})


def test_a_keyword_alone_is_a_shared_row() -> None:
    shared = one("ABC | | pair | | | | Says.")
    assert rows(KINDS, HEAD + "ABC", shared={"ABC": shared}) == (shared,)


@pytest.mark.parametrize(
    ("line", "column", "problem"),
    [
        ("ABC", "keyword", "not one of the shared rows"),
        ("abc | | pair | | | | Says.", "keyword", "'abc' is not a keyword in capitals"),
        ("ABC | MQIA_NOTHING | pair | | | | Says.", "pcf", "'MQIA_NOTHING' is not a constant of MQ"),
        ("ABC | | nmber 0..9 | | | | Says.", "kind", "named kinds are yes-no"),
        ("ABC | | number 0..9 AUTO=MQ_X | | | | Says.", "kind", "'MQ_X' is not a constant of MQ"),
        ("ABC | | pair | | | refused=exits | Says.", "notes", "'refused=exits' is not a note; reasons are no-exits"),
        ("ABC | | pair | | | seconds=MQ_X | Says.", "notes", "'MQ_X' is not a constant of MQ"),
        ("ABC | | pair | | | |", "meaning", "nothing is said"),
        ("ABC | | pair | |", "notes", "5 columns, not 7"),
    ],
)
def test_an_error_names_row_and_column(line: str, column: str, problem: str) -> None:
    with pytest.raises(BadTable) as caught:
        one(line)
    assert f"row {line.strip()[:40]!r}, column {column}: " in str(caught.value)
    assert problem in str(caught.value)


def test_the_heading_names_the_columns() -> None:
    with pytest.raises(BadTable, match="the heading must be keyword"):
        rows(KINDS, "keyword | kind\nABC | pair")


def test_any_table_is_read_by_the_names_of_its_columns() -> None:
    (cells,) = read("command | object | meaning\nSTOP QMGR | QMGR | Ends | it.")
    assert (cells["command"], cells["object"], cells["meaning"]) == ("STOP QMGR", "QMGR", "Ends | it.")
    assert str(cells.bad("object", "is wrong")) == "row 'STOP QMGR | QMGR | Ends | it.', column object: is wrong"


def test_a_line_without_all_columns_names_the_first_that_is_missing() -> None:
    with pytest.raises(BadTable, match="column object: 1 columns, not 2"):
        read("command | object\nSTOP QMGR")
