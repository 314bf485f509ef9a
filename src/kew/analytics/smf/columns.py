"""Converts big-endian rows into Arrow columns, a structure at a time.

Structures stay where they are in the buffer until a stretch of them is wanted; it is then gathered as a matrix of
bytes, one row each, and its 32-bit words are swapped and transposed in one pass, which costs a fraction of reading
field by field. Columns that are not asked for, and arrays of counters that are all zero, are not copied.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from kew.analytics.smf.tables import UNSIGNED, field_type, seen_fields
from kew.formats.smf import Field, Structure
from kew.formats.smf.encoding import CODE_PAGE, TOD_EPOCH

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

BLOCK: Final = 128  # rows that stay in the processor's cache while they are looked at
_WORDS: Final = ("u32", "i32", "u64", "i64", "stck", "todd")


def gather(buffer: Bytes, starts: Numbers, size: int) -> Bytes:
    """Gather `size` bytes from each start, as the rows of a matrix."""
    windows: Bytes = np.ndarray((len(buffer) - size + 1, size), np.uint8, buffer, strides=(1, 1))
    return windows[starts]


def words(rows: Bytes) -> npt.NDArray[np.uint32]:
    """Give the 32-bit words of rows whose length is a multiple of four, one array for each word."""
    return rows.view(">u4").T.astype(np.uint32, order="C")


def validity(missing: Mask | None) -> pa.Buffer | None:
    """Make the Arrow bitmap for a mask of missing values."""
    if missing is None:
        return None
    return pa.py_buffer(np.packbits(~missing, bitorder="little"))


def numbers(values: npt.NDArray[np.generic], kind: pa.DataType, missing: Mask | None = None) -> pa.Array:
    """Make an Arrow array over a contiguous numpy one, without a copy."""
    return pa.Array.from_buffers(kind, len(values), [validity(missing), pa.py_buffer(values)])


def unsigned(values: npt.NDArray[np.uint64], missing: Mask | None = None) -> pa.Array:
    """Make exact decimals of unsigned 64-bit numbers, which are the low half of a 128-bit integer."""
    halves = np.zeros((len(values), 2), dtype=np.uint64)
    halves[:, 0] = values
    return pa.Array.from_buffers(UNSIGNED, len(values), [validity(missing), pa.py_buffer(halves)])


def opaque(rows: Bytes, missing: Mask | None = None) -> pa.Array:
    """Make an array of byte strings of one length."""
    return _fixed(rows, missing).cast(pa.binary())


def texts(rows: Bytes, missing: Mask | None = None) -> pa.Array:
    """Make an array of EBCDIC names without their padding; each distinct name is decoded once."""
    encoded = _fixed(rows, missing).dictionary_encode()
    names = [raw.decode(CODE_PAGE).rstrip(" \x00") for raw in encoded.dictionary.to_pylist()]
    return pa.array(names, pa.string()).take(encoded.indices)


def _fixed(rows: Bytes, missing: Mask | None) -> pa.Array:
    data = np.ascontiguousarray(rows)
    kind = pa.binary(rows.shape[1])
    return pa.Array.from_buffers(kind, len(rows), [validity(missing), pa.py_buffer(data)])


def lists(values: pa.Array, count: int, missing: Mask | None = None) -> pa.Array:
    """Make an array of lists of one length."""
    rows = len(values) // count
    offsets = np.arange(0, len(values) + 1, count, dtype=np.int32)
    kind = pa.list_(pa.field("element", values.type))
    return pa.Array.from_buffers(kind, rows, [validity(missing), pa.py_buffer(offsets)], children=[values])


class StructureReader:
    """Reads the wanted fields of one structure."""

    def __init__(self, structure: Structure, wanted: Iterable[str] | None = None) -> None:
        self.structure = structure
        self.size = structure.size
        names = None if wanted is None else set(wanted)
        self.simple: list[Field] = []  # single numbers of 4 or 8 bytes
        self.other: list[Field] = []
        self.spread: list[tuple[Field, StructureReader]] = []
        for field in seen_fields(structure):
            if field.inner is not None and field.count == 1:
                self.spread.append((field, StructureReader(field.inner, names)))
            elif names is None or field.name in names:
                (self.simple if field.type in _WORDS and not field.count else self.other).append(field)
        self.spread = [(field, reader) for field, reader in self.spread if reader.simple or reader.other]
        self.runs = _runs(self.simple)

    def read(
        self, buffer: Bytes, starts: Numbers, lengths: Numbers | None, ahead: Numbers | None
    ) -> dict[str, pa.Array]:
        """Read the structures at `starts` as columns; a field beyond the end of its structure (`lengths`) is null.

        The store clock of each structure is `ahead` microseconds fast, which are subtracted from its moments.
        """
        shortest = self.size if lengths is None or not len(lengths) else int(lengths.min())
        columns: dict[str, pa.Array] = {}
        for start, end, fields in self.runs:
            block = words(gather(buffer, starts + start, end - start))
            for field in fields:
                missing = _missing(field, lengths, shortest)
                columns[field.name] = _number(field, block, (field.offset - start) // 4, missing, ahead)
        for field in self.other:
            missing = _missing(field, lengths, shortest)
            if field.inner is not None:
                columns[field.name] = _entries(field, field.inner, buffer, starts + field.offset, missing, ahead)
            else:
                columns[field.name] = _value(field, gather(buffer, starts + field.offset, field.length), missing)
        for field, reader in self.spread:
            cut = None if lengths is None or shortest >= field.end else lengths - field.offset
            columns.update(reader.read(buffer, starts + field.offset, cut, ahead))
        return columns


def _runs(fields: list[Field]) -> list[tuple[int, int, list[Field]]]:
    """Give the runs of fields whose words are worth transposing together."""
    runs: list[tuple[int, int, list[Field]]] = []
    for field in fields:
        if runs and field.offset - runs[-1][1] <= 64:
            start, _, held = runs[-1]
            runs[-1] = (start, field.end, [*held, field])
        else:
            runs.append((field.offset, field.end, [field]))
    return runs


def _missing(field: Field, lengths: Numbers | None, shortest: int) -> Mask | None:
    return None if lengths is None or shortest >= field.end else lengths < field.end


def _number(
    field: Field, block: npt.NDArray[np.uint32], at: int, missing: Mask | None, ahead: Numbers | None = None
) -> pa.Array:
    low = block[at]
    if field.type == "u32":
        value = low.astype(np.int64)
        return numbers(value, pa.int64(), _or_none(field, value, missing))
    if field.type == "i32":
        signed = low.view(np.int32)
        return numbers(signed, pa.int32(), _or_none(field, signed, missing))
    high, low = low, block[at + 1]
    if field.type == "todd":
        return numbers(high * 2.0**20 + low * 2.0**-12, pa.float64(), missing)
    if field.type == "stck":
        microseconds = (high.astype(np.int64) << 20) | (low >> 12)
        unset = (high | low) == 0
        if ahead is not None:
            microseconds -= ahead
        return numbers(microseconds - TOD_EPOCH, field_type(field), unset if missing is None else unset | missing)
    whole = (high.astype(np.uint64) << np.uint64(32)) | low
    return unsigned(whole, missing) if field.type == "u64" else numbers(whole.view(np.int64), pa.int64(), missing)


def _or_none(field: Field, value: npt.NDArray[np.generic], missing: Mask | None) -> Mask | None:
    if field.none is None:
        return missing
    none: Mask = np.asarray(value == field.none)
    return none if missing is None else none | missing


def _value(field: Field, rows: Bytes, missing: Mask | None) -> pa.Array:
    """Read a field that is not one word or two: text, bytes, a small number, or an array."""
    if field.type == "char":
        return texts(rows, missing)
    if field.type == "bytes":
        return opaque(rows, missing)
    if field.count:
        flat = rows.reshape(-1, field.element_length)
        single = Field(0, field.element_length, field.kind, field.unit, field.name, "")
        single.type = field.type
        return lists(_number(single, words(flat), 0, None), field.count, missing)
    narrow = {"u8": "u1", "u16": ">u2", "i16": ">i2"}[field.type]
    value = rows.view(narrow)[:, 0].astype(np.int32)
    return numbers(value, pa.int32(), _or_none(field, value, missing))


def _entries(
    field: Field, inner: Structure, buffer: Bytes, starts: Numbers, missing: Mask | None, ahead: Numbers | None
) -> pa.Array:
    """Read an array of structures; an array of counters is decoded only where one of them is not 0."""
    entry = field_type(field).value_type
    if all(part.type == pa.int64() for part in entry):
        values = _counters(field, inner, buffer, starts, entry)
    else:
        places = (starts[:, None] + inner.size * np.arange(field.count, dtype=np.int64)).ravel()
        repeated = None if ahead is None else np.repeat(ahead, field.count)
        columns = _reader(inner).read(buffer, places, None, repeated)
        values = pa.StructArray.from_arrays([columns[part.name] for part in entry], fields=list(entry))
    return lists(values, field.count, missing)


def _counters(field: Field, inner: Structure, buffer: Bytes, starts: Numbers, entry: pa.StructType) -> pa.Array:
    """Read entries of unsigned 32-bit counters, a few rows at a time and only where a counter is not 0."""
    total = len(starts) * field.count
    found: npt.NDArray[np.int64] | None = None
    for first in range(0, len(starts), BLOCK):
        rows = gather(buffer, starts[first : first + BLOCK], field.length)
        if rows.any():
            if found is None:
                found = np.zeros((entry.num_fields, len(starts), field.count), dtype=np.int64)
            counted = np.flatnonzero(rows.any(axis=1))
            entries = rows[counted].reshape(len(counted), field.count, inner.size).view(">u4")
            found[:, first + counted] = entries.transpose(2, 0, 1)
    if found is None:
        return _nothing(entry, total)
    columns = found.reshape(entry.num_fields, total)
    return pa.StructArray.from_arrays([numbers(column, pa.int64()) for column in columns], fields=list(entry))


_READERS: Final[dict[str, StructureReader]] = {}
_NOTHING: Final[dict[str, pa.Array]] = {}


def _reader(structure: Structure) -> StructureReader:
    if structure.name not in _READERS:
        _READERS[structure.name] = StructureReader(structure)
    return _READERS[structure.name]


def _nothing(entry: pa.StructType, count: int) -> pa.Array:
    """Give zeroed entries, shared between chunks: a slice of one array that grows to the largest need."""
    known = _NOTHING.get(str(entry))
    if known is None or len(known) < count:
        zeros = numbers(np.zeros(count, dtype=np.int64), pa.int64())
        known = pa.StructArray.from_arrays([zeros] * entry.num_fields, fields=list(entry))
        _NOTHING[str(entry)] = known
    return known.slice(0, count)
