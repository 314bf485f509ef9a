"""Each kind of value: what it takes, what it refuses and says, and how it prints."""

import pytest

from kew.objects.schema import object_type
from kew.objects.schema.texts import ByteText, Hex, Name, Text, quoted
from kew.objects.schema.values import (
    COUNT,
    KEYWORD,
    LENGTH,
    MISSING,
    NUMBER,
    RANGE,
    REFUSED,
    BadValue,
    Bits,
    Choice,
    Interval,
    Kilobytes,
    Kind,
    ListOf,
    Number,
    Pair,
    Value,
)

STATISTICS = Interval(inherit=False)
ACCOUNTING = Interval(inherit=True)
COLOURS = Choice(
    {"RED": 1, "GREEN": 2}, synonyms={"ROUGE": "RED"}, refused={"BLUE": "blue is sold out"}, numbers=(10, 20)
)


def problem(kind: Kind, *words: str) -> str:
    with pytest.raises(BadValue) as caught:
        kind.parse(words)
    return caught.value.problem


@pytest.mark.parametrize(
    ("word", "seconds"),
    [
        ("0", 0),
        ("0.00", 0),
        ("0.01", 1),
        ("0.05", 5),
        ("1", 60),
        ("1.00", 60),
        ("0.59", 59),
        ("1440", 86400),
        ("1440.00", 86400),
    ],
)
def test_a_time_is_minutes_and_seconds(word: str, seconds: int) -> None:
    assert STATISTICS.parse([word]) == seconds


@pytest.mark.parametrize("word", ["0.60", ".05", "1440.01", "1441", "0.5", "-1", "", "0.005", "1.", "x", "00000.01"])
def test_a_time_out_of_form_is_refused(word: str) -> None:
    assert problem(STATISTICS, word) in (NUMBER, RANGE)


def test_only_accounting_follows_statistics() -> None:
    assert ACCOUNTING.parse(["-1"]) == -1
    assert ACCOUNTING.format(-1) == "-1"
    assert ACCOUNTING.format(5) == "0.05"
    assert ACCOUNTING.format(86400) == "1440.00"


def test_a_time_travels_as_two_numbers() -> None:
    statistics = object_type("SYSTEM")["STATIME"]
    assert list(statistics.to_pcf(65).values()) == [1, 5]
    assert statistics.from_pcf(statistics.to_pcf(65)) == 65
    accounting = object_type("SYSTEM")["ACCTIME"]
    assert accounting.from_pcf(accounting.to_pcf(-1)) == -1
    assert accounting.from_pcf({}) is None


def test_numbers_have_limits_and_special_words() -> None:
    depth = Number(0, 999999999)
    assert depth.parse(["+7"]) == 7
    assert problem(depth, "-1") == RANGE
    assert problem(depth, "1000000000") == RANGE
    assert problem(depth, "1e3") == NUMBER
    assert problem(depth, "٣") == NUMBER
    assert problem(depth, "9" * 400) == NUMBER
    assert problem(depth) == MISSING
    assert problem(depth, "1", "2") == COUNT
    expiry = Number(1, 99999999, {"OFF": 0})
    assert expiry.parse(["off"]) == 0
    assert expiry.format(0) == "OFF"
    assert expiry.parse(["0"]) == 0
    assert "OFF" in expiry.expected()
    age = Number(0, 10, blank_at=-1)
    assert age.format(-1) == " "
    assert age.parse([" "]) == -1


def test_choices_are_held_as_their_constants() -> None:
    assert COLOURS.parse(["green"]) == 2
    assert COLOURS.parse(["ROUGE"]) == 1
    assert COLOURS.parse(["15"]) == 15
    assert COLOURS.format(15) == "15"
    assert problem(COLOURS, "25") == KEYWORD
    assert problem(COLOURS, "PINK") == KEYWORD
    assert problem(COLOURS, "BLUE") == REFUSED
    assert problem(COLOURS) == MISSING
    with pytest.raises(BadValue, match="sold out"):
        COLOURS.parse(["blue"])


def test_sizes_in_kilobytes_keep_their_letter() -> None:
    size = Kilobytes(0, 64)
    assert size.parse(["32K"]) == 32
    assert size.parse(["0k"]) == 0
    assert size.to_pcf(32) == "32K"
    assert size.from_pcf("32K") == 32
    assert problem(size, "65K") == RANGE
    assert problem(size, "32M") == NUMBER


def test_texts_lose_trailing_blanks_and_keep_the_rest() -> None:
    text = Text(8)
    assert text.parse(["  ab  "]) == "  ab"
    assert text.parse([]) == ""
    assert text.format("") == " "
    assert text.define("it's") == "'it''s'"
    assert quoted("") == "' '"
    assert problem(text, "123456789") == LENGTH
    assert problem(text, "éééééé") == LENGTH
    assert problem(text, "a\nb") == "characters"
    assert problem(text, "\ud800") == "characters"
    assert text.from_pcf("ab \0\0") == "ab"


def test_names_have_their_own_letters() -> None:
    assert Name(20).parse(["APP.Q_1/%x"]) == "APP.Q_1/%x"
    assert problem(Name(20), "A B") == "name"
    assert problem(Name(20), "A*") == "name"
    assert Name(20, generic=True).parse(["A*"]) == "A*"
    assert problem(Name(4), "ABCDE") == LENGTH


def test_bytes_are_written_in_hexadecimal() -> None:
    identifier = Hex(4)
    assert identifier.parse(["0aFf"]) == b"\x0a\xff\x00\x00"
    assert identifier.parse([]) == bytes(4)
    assert identifier.format(b"\x0a\xff\x00\x00") == "0AFF0000"
    assert identifier.from_pcf(b"\x01") == b"\x01\0\0\0"
    assert problem(identifier, "xyz") == NUMBER
    assert problem(identifier, "0102030405") == LENGTH
    assert problem(identifier, "01 02") == NUMBER


def test_lists_count_and_check_their_items() -> None:
    names = ListOf(Name(4), 2)
    assert names.parse(["A", "B"]) == ("A", "B")
    assert names.parse([]) == ()
    assert names.parse([" "]) == ()
    assert names.format(("A", "B")) == "A,B"
    assert names.format(()) == " "
    assert problem(names, "A", "B", "C") == COUNT
    assert problem(names, "A", "ABCDE") == LENGTH
    assert names.from_pcf("A") == ("A",)
    classes = ListOf(Number(1, 32), 8)
    assert classes.read("1,3,4") == (1, 3, 4)
    assert classes.to_json((1, 3)) == [1, 3]
    assert names.to_json(("A",)) == ["A"]


def test_bits_print_their_names() -> None:
    bits = Bits({"READ": 1, "WRITE": 2}, "NONE")
    assert bits.format(3) == "READ,WRITE"
    assert bits.format(0) == "NONE"
    assert bits.read("write,read") == 3
    assert bits.parse(["NONE"]) == 0
    assert problem(bits, "EXECUTE") == KEYWORD
    with pytest.raises(BadValue):
        bits.check(4)


def test_indicators_are_blank_while_monitoring_is_off() -> None:
    pair = Pair()
    assert pair.format((-1, -1)) == " , "
    assert pair.read("12, 40") == (12, 40)
    assert pair.read("12, ") == (12, -1)
    assert pair.parse([]) == (-1, -1)
    assert problem(pair, "1") == NUMBER
    assert pair.to_json((1, 2)) == [1, 2]


def test_identifiers_that_pcf_carries_as_bytes() -> None:
    unit = ByteText(16)
    assert unit.to_pcf("0.28672") == b"0.28672"
    assert unit.from_pcf(b"0.28672\0") == "0.28672"
    assert unit.from_pcf(b"\xff\x01") == "FF01"


WRONG: list[tuple[Kind, Value]] = [
    (Number(0, 1), "a"),
    (COLOURS, "RED"),
    (Text(4), 1),
    (Hex(2), "00"),
    (Hex(2), b"1"),
    (ListOf(Name(4), 2), "A"),
    (Pair(), (1,)),
    (Pair(), (1, -2)),
    (Kilobytes(0, 1), "0K"),
    (STATISTICS, "x"),
]


@pytest.mark.parametrize(("kind", "value"), WRONG)
def test_a_value_of_another_type_is_refused(kind: Kind, value: Value) -> None:
    with pytest.raises(BadValue):
        kind.check(value)
