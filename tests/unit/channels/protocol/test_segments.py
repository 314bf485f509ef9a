"""The header of a segment: what is written is read back, whatever its numbers, and each segment has its own dialect."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.channels.protocol.dialect import BIG, ENC_ZOS, LITTLE, Dialect
from kew.channels.protocol.segments import (
    FORM_MULTIPLEXED,
    FORM_PLAIN,
    FORM_SOCKET,
    HEADER_SIZES,
    Segment,
    SegmentReader,
    encode_header,
)

DIALECTS = [
    Dialect(BIG, 0x111, 819, False),
    Dialect(LITTLE, 0x222, 1208, False),
    Dialect(BIG, ENC_ZOS, 500, True),
    Dialect(LITTLE, 0x222, 1047, True),
]
u4 = st.integers(0, 2**32 - 1)
u1 = st.integers(0, 0xFF)


def read(data: bytes) -> list[Segment]:
    segments: list[Segment] = []
    SegmentReader().feed(data, segments)
    return segments


@given(st.sampled_from([FORM_PLAIN, FORM_MULTIPLEXED, FORM_SOCKET]), st.sampled_from(DIALECTS), u4, u4, st.data())
def test_a_header_is_read_back(
    form: int, dialect: Dialect, conversation: int, request: int, data: st.DataObject
) -> None:
    kind, flags, more = data.draw(u1), data.draw(u1), data.draw(u1)
    unit = data.draw(st.binary(min_size=8, max_size=8))
    length = HEADER_SIZES[form] + 5
    header = encode_header(form, length, conversation, request, kind, flags, dialect, more, unit)
    (segment,) = read(header + b"12345")
    assert (segment.form, segment.kind, segment.flags, segment.more_flags) == (form, kind, flags, more)
    assert segment.unit == unit
    assert segment.data[segment.body : segment.end] == b"12345"
    assert (segment.dialect.order, segment.dialect.tail) == (dialect.order, dialect.tail)
    if form == FORM_MULTIPLEXED:
        assert (segment.conversation_id, segment.request_id) == (conversation, request)


def test_each_segment_has_the_dialect_that_its_header_says() -> None:
    headers = [encode_header(FORM_MULTIPLEXED, 36, 1, 2, 9, 0x30, dialect) for dialect in DIALECTS]
    found = read(b"".join(headers + headers))
    assert [(each.dialect.order, each.dialect.tail) for each in found] == [
        (each.order, each.tail) for each in DIALECTS * 2
    ]


def test_two_dialects_in_turn_are_read_once_each() -> None:
    one, other, third = [encode_header(FORM_MULTIPLEXED, 36, 1, 2, 9, 0x30, dialect) for dialect in DIALECTS[:3]]
    found = [each.dialect for each in read(b"".join([one, other, one, other, third, other, one]))]
    assert found[0] is found[2]
    assert found[1] is found[3] is found[5]
    assert [each.tail for each in found[4:]] == [DIALECTS[2].tail, DIALECTS[1].tail, DIALECTS[0].tail]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("value", [0, 1, -1, 2**31 - 1, -(2**31)])
def test_a_word_is_four_bytes(dialect: Dialect, value: int) -> None:
    assert dialect.word(value) == value.to_bytes(4, "little" if dialect.order else "big", signed=True)
    assert dialect.i4(b"x" + dialect.word(value), 1) == value
