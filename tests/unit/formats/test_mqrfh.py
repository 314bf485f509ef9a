"""The rules and formatting header of version 1."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.formats import mqrfh
from kew.formats.binary import BIG, LITTLE, FormatError
from kew.formats.mqrfh import FirstHeader

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
PAIRS = st.lists(st.tuples(WORDS, WORDS), max_size=6)


def test_names_and_values() -> None:
    text = 'MQPSCommand RegSub  MQPSTopic "a b"  MQPSSubUserData "" MQPSQName "say ""when""" '
    assert mqrfh.parse_pairs(text) == [
        ("MQPSCommand", "RegSub"),
        ("MQPSTopic", "a b"),
        ("MQPSSubUserData", ""),
        ("MQPSQName", 'say "when"'),
    ]
    assert mqrfh.parse_pairs("") == []


@pytest.mark.parametrize("text", ["lonely", 'a "unfinished', 'a "b"c', '"'])
def test_what_is_no_list_of_names_and_values(text: str) -> None:
    with pytest.raises(FormatError):
        mqrfh.parse_pairs(text)


def test_the_text_ends_at_a_null_character() -> None:
    data = mqrfh.encode(FirstHeader(273, 1208, b"MQSTR", 0, [("a", "b")]))
    assert len(data) % 4 == 0
    assert mqrfh.text_of(data[:32] + b"a b\0" + data[36:], 1208) == "a b"


@pytest.mark.parametrize("length", [0, 31, 37, -1])
def test_a_length_that_does_not_fit(length: int) -> None:
    data = bytearray(mqrfh.encode(FirstHeader(pairs=[("a", "b")])))
    data[8:12] = length.to_bytes(4, "little", signed=True)
    with pytest.raises(FormatError):
        mqrfh.decode(bytes(data))


@given(PAIRS, st.sampled_from([LITTLE, BIG]), st.binary(max_size=8))
def test_what_is_written_is_read(pairs: mqrfh.Pairs, order: str, body: bytes) -> None:
    header = FirstHeader(546, 1208, b"MQSTR   ", 7, pairs)
    assert mqrfh.decode(mqrfh.encode(header, order) + body) == header


@given(st.binary(max_size=80))
def test_no_bytes_break_it(data: bytes) -> None:
    for start in (b"", b"RFH \1\0\0\0", b"RFH \0\0\0\1", b"RFH \1\0\0\0\x24\0\0\0"):
        try:
            mqrfh.decode(start + data)
        except FormatError:
            continue
