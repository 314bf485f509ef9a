"""The reader never passes its end, the writer never writes what does not fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.codes.options import MQENC_INTEGER_NORMAL, MQENC_INTEGER_REVERSED, MQENC_NATIVE
from kew.formats.binary import BIG, LITTLE, FormatError, Reader, Writer, fit_bytes, fit_text, order_of_encoding

ORDERS = st.sampled_from([LITTLE, BIG])


@given(ORDERS, st.integers(-(1 << 31), (1 << 31) - 1), st.integers(-(1 << 63), (1 << 63) - 1), st.binary(max_size=9))
def test_round_trip(order: str, small: int, large: int, text: bytes) -> None:
    writer = Writer("TEST", order)
    writer.i32(small, "small")
    writer.i64(large, "large")
    writer.text(text, 9, "text")
    data = bytes(writer.out)
    assert len(data) == 21
    reader = Reader("TEST", data, 0, len(data), order)
    assert (reader.i32("small"), reader.i64("large"), reader.take(9, "text")) == (small, large, text.ljust(9))
    assert reader.left() == 0


def test_writer_uses_the_byte_order() -> None:
    for order, expected in ((LITTLE, b"\1\0\0\0"), (BIG, b"\0\0\0\1")):
        writer = Writer("TEST", order)
        writer.i32(1, "one")
        assert writer.out == expected


def test_reader_stops_at_its_end_even_where_data_goes_on() -> None:
    reader = Reader("TEST", bytes(100), 2, 9, LITTLE)
    reader.i32("first")
    with pytest.raises(FormatError, match="TEST at offset 6: second needs 4 bytes, 3 remain"):
        reader.i32("second")
    with pytest.raises(FormatError, match="long needs 8 bytes, 3 remain"):
        reader.i64("long")
    with pytest.raises(FormatError, match="expected 0 or more"):
        reader.take(-1, "text")


@pytest.mark.parametrize("offset", [-1, 11])
def test_reader_refuses_to_start_outside_the_data(offset: int) -> None:
    with pytest.raises(FormatError, match="within the 10 bytes"):
        Reader("TEST", bytes(10), offset, 20, LITTLE)


def test_values_that_do_not_fit() -> None:
    writer = Writer("TEST", BIG)
    with pytest.raises(FormatError, match="32-bit"):
        writer.i32(1 << 31, "value")
    with pytest.raises(FormatError, match="64-bit"):
        writer.i64(-(1 << 63) - 1, "value")
    with pytest.raises(FormatError, match="name has 5 bytes, expected at most 4"):
        fit_text(b"12345", 4, "TEST", "name")
    with pytest.raises(FormatError, match="id has 5 bytes, expected at most 4"):
        fit_bytes(b"12345", 4, "TEST", "id")


def test_byte_order_of_encodings() -> None:
    assert order_of_encoding(MQENC_NATIVE) == LITTLE
    assert order_of_encoding(MQENC_INTEGER_REVERSED) == LITTLE
    assert order_of_encoding(MQENC_INTEGER_NORMAL) == BIG
    assert order_of_encoding(273) == BIG
    assert order_of_encoding(0) == BIG
