"""Columns of text for CSV, thousands of rows at a time: a text that all rows share, or one for each row."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kew.analytics.smf.columns import Bytes, Mask, Numbers
from kew.formats.smf import Field
from kew.formats.smf.encoding import CODE_PAGE, TOD_EPOCH

Text: TypeAlias = str | pa.Array
Values: TypeAlias = npt.NDArray[Any]  # numbers of any width
_SEEMS_NUMBER: Final = frozenset("0123456789ABCDEFabcdef ")
SMALL: Final = 100_000
_DAY: Final = 86_400_000_000
_HEX: Final = np.frombuffer(b"0123456789ABCDEF", dtype=np.uint8)
_NUMPY: Final = {
    "u8": "u1",
    "u16": ">u2",
    "i16": ">i2",
    "u32": ">u4",
    "i32": ">i4",
    "u64": ">u8",
    "i64": ">i8",
    "stck": ">u8",
    "todd": ">u8",
}


class Block:
    """Structures of one kind: their bytes as rows, and which of their bytes hold the same in every row."""

    def __init__(self, rows: Bytes, lengths: Numbers | None, index: Numbers) -> None:
        self.rows = rows
        self.lengths = lengths  # the part of each that holds fields, None where all do
        self.index = index  # of each among those of its record
        self.shift: Numbers | None = None  # microseconds that moments are moved by
        self.extra_missing: Mask | None = None  # the rows that lack the bytes behind the structure
        self.varies: Mask = (rows != rows[0]).any(axis=0)

    def __len__(self) -> int:
        return len(self.rows)

    def same(self, start: int, end: int) -> bool:
        """Say whether all rows have the same bytes between two places."""
        return not self.varies[start:end].any()

    def missing(self, end: int) -> Mask | None:
        """Give the mask of rows that end before a field does, None if there are none."""
        if end < 0:
            return self.extra_missing
        if self.lengths is None:
            return None
        short: Mask = self.lengths < end
        return short if short.any() else None

    def raw(self, start: int, length: int) -> Bytes:
        """Give the bytes of every row, or those of one row where all have the same."""
        rows = self.rows[:1] if self.same(start, start + length) else self.rows
        return np.ascontiguousarray(rows[:, start : start + length])

    def values(self, field: Field, start: int) -> Values:
        """Give the numbers of a field, or a single one where all rows have the same."""
        kind = _NUMPY[field.type]
        size = int(kind[-1])
        values: Values = self.raw(start, size).view(kind)[:, 0]
        return values.astype(values.dtype.newbyteorder("="))


def joined(pieces: list[Text], count: int, between: str = ",") -> Text:
    """Join columns; neighbours that are the same in all rows are joined once."""
    merged: list[Text] = []
    for piece in pieces:
        if merged and isinstance(piece, str) and isinstance(merged[-1], str):
            merged[-1] += between + piece
        else:
            merged.append(piece)
    if len(merged) == 1:
        return merged[0]
    return pc.binary_join_element_wise(*merged, between) if count else pa.array([], pa.string())


def spread(text: Text, count: int) -> pa.Array:
    """Give a text for each row."""
    return pa.repeat(pa.scalar(text, pa.string()), count) if isinstance(text, str) else text


def absent_where(missing: Mask | None, text: Text, absent: str) -> Text:
    """Give the text, and `absent` for rows that lack the field."""
    if missing is None:
        return text
    if missing.all():
        return absent
    return pc.if_else(pa.array(missing), pa.scalar(absent), pa.scalar(text) if isinstance(text, str) else text)


def number_texts(values: Values, none: int | None = None, shown: int = -1) -> Text:
    """Give numbers as text, with `shown` for the value `none`."""
    texts = _plain(values)
    if none is not None:
        is_none = values == values.dtype.type(none)
        if is_none.any():
            texts = pc.if_else(pa.array(is_none), pa.scalar(str(shown)), texts)
    return _same(texts)


def duration_texts(values: Values) -> tuple[Text, Text]:
    """Give the two columns of a duration: whole seconds, and the other microseconds with a blank on either side."""
    microseconds = values.astype(np.uint64) >> np.uint64(12)
    seconds = microseconds // np.uint64(1_000_000)
    rest = (microseconds - seconds * np.uint64(1_000_000)).astype(np.int32)
    return _same(_plain(seconds.astype(np.int64))), _same(_blanked().take(pa.array(rest)))


def _plain(values: Values) -> pa.Array:
    """Give numbers as text; small ones, as most counters are, are looked up, which takes half the time."""
    if len(values) > 1 and values.max() < SMALL and values.min() >= 0:
        return _small().take(pa.array(values.astype(np.int32)))
    return pa.array(values).cast(pa.string())


@cache
def _small() -> pa.Array:
    """Give the texts of the numbers below SMALL."""
    return pa.array(np.arange(SMALL, dtype=np.int32)).cast(pa.string())


@cache
def _blanked() -> pa.Array:
    """Give the texts of the microseconds of a second, each between two blanks."""
    numbers = pa.array(np.arange(1_000_000, dtype=np.int32)).cast(pa.string())
    return pc.binary_join_element_wise(" ", numbers, " ", "")


def moment_texts(values: Values, shift: Numbers | None) -> tuple[Text, Text]:
    """Give the date and the time of TOD clock values, moved by microseconds; a clock that is not set is empty."""
    microseconds = (values.astype(np.uint64) >> np.uint64(12)).astype(np.int64) - TOD_EPOCH
    if shift is not None:
        microseconds = microseconds + shift
        values = np.broadcast_to(values, len(microseconds))
    day, time = local_texts(microseconds)
    unset = values == 0
    if not unset.any():
        return day, time
    return absent_where(unset, day, '""'), absent_where(unset, time, '""')


def local_texts(microseconds: Numbers) -> tuple[Text, Text]:
    """Give the date and the time of microseconds since 1970."""
    days = microseconds // _DAY
    encoded = pa.array(days).dictionary_encode()
    names = [f'"{np.datetime64(day, "D").astype(str).replace("-", "/")}"' for day in encoded.dictionary.to_pylist()]
    left = microseconds - days * _DAY
    cells = np.empty((len(left), 17), dtype=np.uint8)
    cells[:] = np.frombuffer(b'"00:00:00,000000"', dtype=np.uint8)
    seconds, left = left // 1_000_000, (left % 1_000_000).astype(np.int32)
    for at in range(15, 9, -1):
        tenth = left // 10
        cells[:, at] += (left - tenth * 10).astype(np.uint8)
        left = tenth
    for at, unit, most in ((7, 1, 60), (4, 60, 60), (1, 3600, 24)):
        value = (seconds // unit % most).astype(np.uint8)
        cells[:, at] += value // 10
        cells[:, at + 1] += value % 10
    return _same(pa.array(names, pa.string()).take(encoded.indices)), _same(_fixed(cells))


def hexadecimal_texts(rows: Bytes) -> Text:
    """Give bytes as hexadecimal digits, marked as text for a spreadsheet."""
    width = rows.shape[1]
    cells = np.empty((len(rows), 2 * width + 3), dtype=np.uint8)
    cells[:, :2] = np.frombuffer(b'="', dtype=np.uint8)
    cells[:, 2:-1:2] = _HEX[rows >> 4]
    cells[:, 3:-1:2] = _HEX[rows & 15]
    cells[:, -1] = ord('"')
    return _same(_fixed(cells))


def character_texts(rows: Bytes, width: int, stripped: str = " ") -> Text:
    """Give EBCDIC text at its full width; each distinct text is decoded once."""
    return each_distinct(rows, lambda raw: quoted(raw.decode(CODE_PAGE).rstrip(stripped), width))


def each_distinct(rows: Bytes, text: Callable[[bytes], str]) -> Text:
    """Give a text for each row, made once for equal rows."""
    data = np.ascontiguousarray(rows)
    kind = pa.binary(rows.shape[1])
    encoded = pa.Array.from_buffers(kind, len(rows), [None, pa.py_buffer(data)]).dictionary_encode()
    return _same(pa.array([text(raw) for raw in encoded.dictionary.to_pylist()], pa.string()).take(encoded.indices))


def each_number(values: Values, text: Callable[[int], str]) -> Text:
    """Give a text for each number, made once for equal numbers."""
    encoded = pa.array(values).dictionary_encode()
    return _same(
        pa.array([text(number) for number in encoded.dictionary.to_pylist()], pa.string()).take(encoded.indices)
    )


def quoted(value: str, width: int) -> str:
    """Give a text in quotes at its full width, with an equals sign before what looks like a number."""
    shown = "".join(letter if letter.isprintable() and letter != '"' else "." for letter in value).ljust(width)
    return f'{"=" if _SEEMS_NUMBER.issuperset(shown) else ""}"{shown}"'


def _fixed(cells: npt.NDArray[np.uint8]) -> pa.Array:
    """Make an array of texts of one length."""
    count, width = cells.shape
    offsets = np.arange(0, (count + 1) * width, width, dtype=np.int32)
    return pa.Array.from_buffers(pa.string(), count, [None, pa.py_buffer(offsets), pa.py_buffer(cells)])


def _same(texts: pa.Array) -> Text:
    """Give the single text where there is only one, which stands for all rows."""
    return str(texts[0]) if len(texts) == 1 else texts
