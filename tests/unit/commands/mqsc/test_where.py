"""Conditions choose objects by their attributes."""

import pytest

from kew.codes import commands
from kew.commands.mqsc.where import OPERATORS, Filter, is_generic, make_filter, matches, operators_of
from kew.objects.schema import object_type
from kew.objects.schema.values import BadValue, Value

QUEUE = object_type("QLOCAL")


def test_generic_names() -> None:
    assert is_generic("A*")
    assert not is_generic("A")
    assert matches("*", "ANY")
    assert matches("APP.*", "APP.Q")
    assert not matches("APP.*", "OTHER")
    assert matches("APP.Q", "APP.Q")
    assert not matches("APP.Q", "APP.Q2")


@pytest.mark.parametrize(
    ("operator", "accepted"),
    [("LT", [4]), ("GT", [6]), ("EQ", [5]), ("NE", [4, 6]), ("LE", [4, 5]), ("GE", [5, 6])],
)
def test_numbers_are_ordered(operator: str, accepted: list[int]) -> None:
    condition = make_filter(QUEUE["CURDEPTH"], operator, ["5"])
    assert [depth for depth in (4, 5, 6) if condition.accepts(depth)] == accepted
    assert not condition.accepts(None)


@pytest.mark.parametrize(
    ("operator", "value", "accepted"),
    [
        ("EQ", "B", ["B"]),
        ("NE", "B", ["A", "BC"]),
        ("LT", "B", ["A"]),
        ("GT", "B", ["BC"]),
        ("LE", "B", ["A", "B"]),
        ("GE", "B", ["B", "BC"]),
        ("LK", "B*", ["B", "BC"]),
        ("NL", "B*", ["A"]),
    ],
)
def test_texts_are_ordered_and_begin_alike(operator: str, value: str, accepted: list[str]) -> None:
    condition = make_filter(QUEUE["DESCR"], operator, [value])
    assert [text for text in ("A", "B", "BC") if condition.accepts(text)] == accepted


@pytest.mark.parametrize(
    ("operator", "value", "accepted"),
    [("CT", "B", [1, 2]), ("EX", "B", [0]), ("CTG", "B*", [1, 2]), ("EXG", "B*", [0]), ("CTG", "BC*", [2])],
)
def test_lists_contain(operator: str, value: str, accepted: list[int]) -> None:
    lists: list[Value] = [("A",), ("A", "B"), ("B", "BCD")]
    condition = make_filter(object_type("NAMELIST")["NAMES"], operator, [value])
    assert [index for index, names in enumerate(lists) if condition.accepts(names)] == accepted


def test_keywords_are_equal_or_not() -> None:
    condition = make_filter(QUEUE["PUT"], "EQ", ["DISABLED"])
    assert condition.accepts(1)
    assert not condition.accepts(0)
    with pytest.raises(BadValue, match="operator"):
        make_filter(QUEUE["PUT"], "GT", ["DISABLED"])
    with pytest.raises(BadValue):
        make_filter(QUEUE["PUT"], "EQ", ["MAYBE"])
    compression = make_filter(object_type("SVRCONN")["COMPMSG"], "CT", ["ZLIBFAST"])
    assert compression.accepts((0, 2))
    assert operators_of(object_type("SVRCONN")["COMPMSG"]) == ("CT", "EX")
    assert operators_of(object_type("QSTATUS")["QTIME"]) == ()


@pytest.mark.parametrize(("operator", "words"), [("CT", ["A", "B"]), ("CTG", ["A"]), ("CT", [])])
def test_lists_need_one_value(operator: str, words: list[str]) -> None:
    with pytest.raises(BadValue):
        make_filter(object_type("NAMELIST")["NAMES"], operator, words)


def test_operators_are_those_of_pcf() -> None:
    assert len(OPERATORS) == 12
    assert OPERATORS["GT"] == commands.MQCFOP_GREATER
    assert Filter(QUEUE["CURDEPTH"], "GT", 0) == make_filter(QUEUE["CURDEPTH"], "GT", ["0"])
    assert Filter(QUEUE["CURDEPTH"], "GT", 0) != Filter(QUEUE["CURDEPTH"], "GT", 1)
    assert "CURDEPTH GT 0" in repr(Filter(QUEUE["CURDEPTH"], "GT", 0))
    assert not Filter(QUEUE["CURDEPTH"], "GT", 0).accepts("text")
