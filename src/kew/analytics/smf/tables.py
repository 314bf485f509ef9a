"""The tables that SMF dumps become: names, columns, types, units and comments, all derived from the layouts.

Every table of a structure starts with the same columns, which say where a row came from and which interval it is of.
A field that a release does not have is null, never 0 or -1; so is one whose value means "none". Times of the TOD clock
are UTC timestamps, the local times of the headers are timestamps without a zone. Durations are microseconds with their
fraction: a call costs a few of them, and cutting each row to whole ones would hide percents of it. A double holds the
TOD units of 25 days exactly, so sums do not depend on their order. Other numbers keep their exact value too: an
unsigned 64-bit field is a decimal(20, 0), since Spark has no unsigned types.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import pyarrow as pa

from kew.formats.smf import CODES, RECORDS, STRUCTURES, Field, Structure
from kew.formats.smf.layouts.accounting import WTAS, WTID
from kew.formats.smf.layouts.headers import QWHC

MOMENT: Final = pa.timestamp("us", "UTC")
LOCAL: Final = pa.timestamp("us")
UNSIGNED: Final = pa.decimal128(20, 0)

RECORDS_TABLE: Final = "records"
QUARANTINE: Final = "quarantine"
REMARKS: Final = "remarks"

_TYPES: Final[dict[str, pa.DataType]] = {
    "u8": pa.int32(),
    "u16": pa.int32(),
    "u32": pa.int64(),
    "u64": UNSIGNED,
    "i16": pa.int32(),
    "i32": pa.int32(),
    "i64": pa.int64(),
    "stck": MOMENT,
    "todd": pa.float64(),
    "char": pa.string(),
    "bytes": pa.binary(),
}
_UNSEEN: Final = ("pad", "mark", "link")


class Column:
    """One column: its name and type, what it means, in which unit, and how it counts."""

    def __init__(
        self, name: str, kind: pa.DataType, text: str, unit: str = "", counts: str = "id", codes: str = ""
    ) -> None:
        self.name = name
        self.type = kind
        self.text = text
        self.unit = unit
        self.counts = counts
        self.codes = codes  # the code list that explains the values

    @property
    def comment(self) -> str:
        """Give the meaning, then the unit and the way of counting in parentheses."""
        notes = ", ".join(note for note in (self.unit, self.counts) if note and note != "id")
        return f"{self.text} ({notes})" if notes else self.text


class Table:
    """A named list of columns, filled from a structure or, without one, from the records themselves."""

    def __init__(self, name: str, title: str, columns: list[Column], structure: Structure | None = None) -> None:
        self.name = name
        self.title = title
        self.columns = columns
        self.structure = structure
        self.column: dict[str, Column] = {column.name: column for column in columns}

    def __reduce__(self) -> "tuple[Callable[[str], Table], tuple[str]]":
        """Pickle the table by its name."""
        return table_named, (self.name,)

    def schema(self, names: Sequence[str] | None = None) -> pa.Schema:
        """Give the Arrow schema of all columns, or of those named, in the order of the table."""
        if names is not None:
            for name in names:
                if name not in self.column:
                    raise ValueError(f"table {self.name} has no column {name}")
        fields = [
            pa.field(
                column.name,
                column.type,
                metadata={"comment": column.comment, "unit": column.unit, "kind": column.counts},
            )
            for column in self.columns
            if names is None or column.name in names
        ]
        return pa.schema(fields, metadata={"table": self.name, "title": self.title})


PLACE: Final = [
    Column("file", pa.string(), "The dump that the row is from, by the name it had"),
    Column(
        "dump", pa.string(), "Digest of the dump; with the offset it identifies the record, whatever files are called"
    ),
    Column("offset", pa.int64(), "Where the record starts in the dump, after decompression", "bytes"),
]
# The columns that identify a record in every join and key, and a queue manager in every group: names alone are used
# again.
RECORD: Final = ("dump", "offset")
MANAGER: Final = ("system", "subsystem", "qsg", "qmgr")


def manager_name(row: Mapping[str, object]) -> str:
    """Give a queue manager's name for outputs: system, name, the subsystem if it differs, and the group if any."""
    name = str(row["qmgr"])
    if row.get("subsystem") not in (None, "", name):
        name += f"/{row['subsystem']}"
    return f"{row['system']},{name}" + (f" of {row['qsg']}" if row.get("qsg") else "")


COMMON: Final = [
    *PLACE,
    Column("section", pa.int32(), "Index of the structure among those of its kind in the record"),
    Column("smf_type", pa.int32(), "SMF record type: 115 statistics, 116 accounting"),
    Column("subtype", pa.int32(), "SMF record subtype"),
    Column("system", pa.string(), "z/OS system (SMF) identifier"),
    Column("qmgr", pa.string(), "Queue manager"),
    Column("subsystem", pa.string(), "Subsystem that built the record, by its product section"),
    Column("qsg", pa.string(), "Queue sharing group, from MQ 10 on"),
    Column("release", pa.string(), "Release of the queue manager, as 9.3.0"),
    Column("vrm", pa.int32(), "Release as the number VVRRMM, 90300 for 9.3.0"),
    Column("written_local", LOCAL, "When SMF took the record, local time of the system"),
    Column("recorded", MOMENT, "When the record was built, UTC; the end of the interval for interval records"),
    Column("interval_start", MOMENT, "Start of the interval, UTC"),
    Column("interval_start_local", LOCAL, "Start of the interval, local time of the system"),
    Column("duration_us", pa.int64(), "Length of the interval", "us"),
    Column("utc_offset", pa.int32(), "Local time minus UTC", "minutes"),
    Column("leap_seconds", pa.int32(), "Seconds that the store clock was ahead of UTC, taken off all UTC times", "s"),
    Column("sequence", pa.int64(), "Running number of the record among all of its queue manager"),
]

RECORD_COLUMNS: Final = [
    *(column for column in COMMON if column.name != "section"),
    Column("length", pa.int32(), "Length of the whole record with its descriptor", "bytes"),
    Column("segments", pa.int32(), "Segments that the record came in", "count"),
    Column("ifcid", pa.int32(), "Instrumentation record id"),
    Column("resource_manager", pa.int32(), "Writer of the record: 26 queue manager, 231 channel initiator, 247 tasks"),
    Column("kind_sequence", pa.int64(), "Running number among those of its subtype; a gap shows lost records"),
    Column("more_follow", pa.bool_(), "Whether another record of the same interval and subtype follows"),
    Column("sections", pa.int32(), "Structures in the record", "count"),
    Column("checksum", pa.int64(), "CRC-32 of the record without its descriptor"),
]

QUARANTINE_COLUMNS: Final = [
    *PLACE,
    Column("length", pa.int64(), "Bytes that could not be read as a record", "bytes"),
    Column("reason", pa.string(), "Kind of damage"),
]

REMARK_COLUMNS: Final = [
    *PLACE,
    Column("kind", pa.string(), "lost: was to be read and cannot be; not decoded: newer than Kew, or not for it"),
    Column("what", pa.string(), "What was met"),
    Column("count", pa.int64(), "How often, in this part of the dump", "count", "delta"),
    Column("bytes", pa.int64(), "How many bytes that is", "bytes", "delta"),
]

# A further column of a store: equal records of two overlapping dumps have the same checksum.
CHECKSUM: Final = pa.field("checksum", pa.int64(), metadata={"comment": "CRC-32 of the record without its descriptor"})

CORRELATOR: Final = Column("CORREL", pa.binary(), "Correlator that joins the rows of one task")


def field_type(field: Field) -> pa.DataType:
    """Give the Arrow type of a field's column."""
    if field.inner is not None:
        inner = [pa.field(part.name, field_type(part)) for part in field.inner.fields if part.kind not in _UNSEEN]
        return pa.list_(pa.field("element", pa.struct(inner)))
    return pa.list_(pa.field("element", _TYPES[field.type])) if field.count else _TYPES[field.type]


def seen_fields(structure: Structure) -> list[Field]:
    """Give the fields that tables show: not reserved ones, marks of the block, or internal addresses."""
    return [field for field in structure.fields if field.kind not in _UNSEEN]


def _field_column(field: Field) -> Column:
    unit = {"todd": "us", "stck": "UTC"}.get(field.type, field.unit)
    text = field.text
    if field.codes:
        codes = ", ".join(f"{code} {name}" for code, name in CODES[field.codes].items() if name)
        text = f"{text}: {codes}"
    return Column(field.name, field_type(field), text, unit, field.kind, field.codes)


def structure_columns(structure: Structure) -> list[Column]:
    """Give the columns of a structure's own fields; a single inner structure is spread into its fields."""
    columns: list[Column] = []
    for field in seen_fields(structure):
        if field.inner is not None and field.count == 1:
            columns += structure_columns(field.inner)
        else:
            columns.append(_field_column(field))
    return columns


def _structure_table(structure: Structure) -> Table:
    own = structure_columns(STRUCTURES["QEST_ENTRY"] if structure.name == "QEST" else structure)
    if structure in (WTID, WTAS):
        own = [CORRELATOR, *own]
    if structure.name in ("QMAC", "QWAC"):
        own = [*structure_columns(QWHC), *own]
    return Table(structure.name, structure.title, [*COMMON, *own], structure)


def _all_tables() -> dict[str, Table]:
    tables = [
        Table(RECORDS_TABLE, "One row for each record", RECORD_COLUMNS),
        Table(QUARANTINE, "Places that could not be read as records", QUARANTINE_COLUMNS),
        Table(REMARKS, "Records and fields that are in no other table", REMARK_COLUMNS),
    ]
    structures = {used.name: used for layout in RECORDS.values() for used in layout.structures.values()}
    tables += [_structure_table(structures[name]) for name in sorted(structures)]
    return {table.name: table for table in tables}


TABLES: Final = _all_tables()
# Where each structure is found: type, subtype and triplet.
SOURCES: Final[dict[str, list[tuple[int, int, int]]]] = {
    name: [
        (kind, subtype, triplet)
        for (kind, subtype), layout in RECORDS.items()
        for triplet, used in layout.structures.items()
        if used.name == name
    ]
    for name in TABLES
}


def table_named(name: str) -> Table:
    """Give a table by its name, in upper or lower case."""
    for known, table in TABLES.items():
        if known.lower() == name.lower():
            return table
    raise ValueError(f"there is no table {name}; tables are {', '.join(TABLES)}")
