"""Reads one logical record from bytes: its headers, and its sections as raw values.

Values are exact: numbers as they stand (TOD units, not microseconds), text without its trailing blanks. A field exists
in a section only when it ends within both the length of the triplet and the length that the block itself states, so
records of older and newer releases read alike.
"""

from datetime import date, datetime, timedelta
from struct import Struct
from typing import Final

from kew.formats.smf.encoding import CODE_PAGE, EXTENDED_RELEASE, decode_date, release_of, text
from kew.formats.smf.layouts.headers import QWHC, QWHS, QWHX
from kew.formats.smf.layouts.structure import Field, Structure, Value
from kew.formats.smf.records import (
    ACCOUNTING,
    RECORDS,
    RMID_CHANNEL_INITIATOR,
    SHORT,
    STATISTICS,
    TINY,
    TINY_TRIPLETS,
    UNCOUNTED_TRIPLET,
)

HEADER_LENGTH: Final = 28
TRIPLET_LENGTH: Final = 8
LONG_QWHS: Final = 52
SHORT_QWHS: Final = 36
SMALLEST: Final = 18  # a dump header or trailer, with its RDW
HAS_SUBTYPE: Final = 0x40
MORE_FOLLOW: Final = 0x80  # QWHSSMFC in QWHSFLAG1

_HEADER: Final = Struct(">HHBBI4s4s4sH3sx")
_TRIPLET: Final = Struct(">IHH")


class DamagedRecord(ValueError):
    """The error of a damaged record, with the offset of the damage."""

    def __init__(self, offset: int, problem: str) -> None:
        super().__init__(f"at byte {offset}: {problem}")
        self.offset = offset
        self.problem = problem


class Section:
    """One instance of a structure in a record."""

    def __init__(self, structure: Structure | None, triplet: int, index: int, data: bytes) -> None:
        self.structure = structure  # None where the layout of the section is not known
        self.triplet = triplet
        self.index = index
        self.data = data

    @property
    def name(self) -> str:
        """Give the name of the structure, or the place of a section without a known structure."""
        return self.structure.name if self.structure is not None else f"triplet{self.triplet}"

    @property
    def length(self) -> int:
        """Give the number of bytes with fields: the section's length, or less by the block's own length field."""
        return stated_length(self.structure, self.data)

    def values(self, reserved: bool = False) -> dict[str, Value]:
        """Give the fields that are present; `reserved` adds reserved bytes, to write the section again."""
        if self.structure is None:
            return {"": self.data}
        return decode_structure(self.structure, self.data, len(self.data) if reserved else self.length, reserved)


class Record:
    """A record of type 115 or 116."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.smf_type = 0
        self.subtype = 0
        self.system = ""
        self.qmgr = ""
        self.release = 0
        self.written = datetime.min  # local time, from the SMF header
        self.form = ""
        self.product: dict[str, Value] = {}  # QWHS, and QWHC and QWHX where present
        self.triplets: list[tuple[int, int, int]] = []
        self.sections: list[Section] = []

    @property
    def duration(self) -> int | None:
        """Give the length of the interval in microseconds, None if the record has no interval."""
        raw = self.product.get("QWHSDURN")
        if not isinstance(raw, int):
            return None
        return raw >> 12 if self.product["QWHSRMID"] == RMID_CHANNEL_INITIATOR else raw


def stated_length(structure: Structure | None, data: bytes) -> int:
    """Give the length of the part of a section that has fields: at most the value of the block's own length field."""
    if structure is None or structure.length_offset < 0:
        return len(data)
    at = structure.length_offset
    if len(data) < at + 2:
        return len(data)
    stated = int.from_bytes(data[at : at + 2], "big")
    return min(stated, len(data))


def decode_structure(structure: Structure, data: bytes, length: int, reserved: bool = False) -> dict[str, Value]:
    """Give the values of a structure's fields in the first `length` bytes of `data`."""
    packer = structure.packer(length)
    raw = packer.struct.unpack_from(data)
    values: dict[str, Value] = {}
    at = 0
    for field in packer.fields:
        if field.type == "pad":
            if reserved:
                values[field.name] = raw[at]
            at += 1
        elif field.count and field.inner is None:
            values[field.name] = list(raw[at : at + field.count])
            at += field.count
        else:
            values[field.name] = _value(field, raw[at], reserved)
            at += 1
    if reserved and packer.trailing:
        values[""] = raw[at]
    return values


def _value(field: Field, raw: int | bytes, reserved: bool) -> Value:
    if isinstance(raw, int):
        return raw
    if field.type == "char":
        return raw.decode(CODE_PAGE).rstrip(" ")
    if field.inner is None:
        return raw
    size = field.element_length
    return [decode_structure(field.inner, raw[at : at + size], size, reserved) for at in range(0, field.length, size)]


def parse_time(centiseconds: int, packed_date: bytes) -> datetime:
    """Give the local date and time of an SMF header."""
    day: date = decode_date(packed_date)
    if centiseconds >= 8_640_000:
        raise ValueError(f"time of day {centiseconds} is past midnight")
    return datetime(day.year, day.month, day.day) + timedelta(milliseconds=10 * centiseconds)


def parse_record(data: bytes) -> Record:
    """Read a logical record of type 115 or 116 that starts with its RDW, or four bytes in its place."""
    record = Record(data)
    if len(data) < HEADER_LENGTH + TRIPLET_LENGTH:
        raise DamagedRecord(0, f"{len(data)} bytes are too few for a header and a triplet")
    _, _, flags, kind, time, day, system, qmgr, subtype, digits = _HEADER.unpack_from(data)
    if kind not in (STATISTICS, ACCOUNTING):
        raise DamagedRecord(5, f"record type {kind} is not 115 or 116")
    if not flags & HAS_SUBTYPE:
        raise DamagedRecord(4, f"flags {flags:#04x} say that there is no subtype")
    record.smf_type = kind
    record.subtype = subtype
    record.system = text(system.decode(CODE_PAGE))
    record.qmgr = text(qmgr.decode(CODE_PAGE))
    try:
        record.written = parse_time(time, day)
    except ValueError as problem:
        raise DamagedRecord(6, str(problem)) from None
    try:
        _read_product(record, text(digits.decode(CODE_PAGE)))
        _read_sections(record)
    except DamagedRecord:
        # An undocumented subtype need have nothing beyond its header.
        if (kind, subtype) in RECORDS:
            raise
        record.sections.clear()
    return record


def product_triplets(data: bytes | bytearray, start: int, end: int) -> int:
    """Give the number of triplets of the record at `start`, from its product section, which must lie before `end`."""
    layout = RECORDS.get((data[start + 5], int.from_bytes(data[start + 22 : start + 24], "big")))
    if layout is not None and layout.form == TINY:
        return TINY_TRIPLETS
    offset, length, count = _TRIPLET.unpack_from(data, start + HEADER_LENGTH)
    if not count or length < 7 or start + offset + length > end or offset < HEADER_LENGTH:
        raise DamagedRecord(HEADER_LENGTH, f"product section of {length} bytes at {offset} is not in the record")
    triplets: int = data[start + offset + 6]
    if not 1 <= triplets <= (offset - HEADER_LENGTH) // TRIPLET_LENGTH:
        raise DamagedRecord(offset + 6, f"{triplets} triplets do not fit before the product section")
    return triplets


def _read_product(record: Record, digits: str) -> None:
    data = record.data
    triplets = product_triplets(data, 0, len(data))
    offset, length, _ = _TRIPLET.unpack_from(data, HEADER_LENGTH)
    if offset + length > len(data):
        raise DamagedRecord(HEADER_LENGTH, f"product section of {length} bytes at {offset} is not in the record")
    layout = RECORDS.get((record.smf_type, record.subtype))
    section = data[offset : offset + length]
    if layout is not None and layout.form == TINY:
        record.form = TINY
        at = 4
    else:
        at = int.from_bytes(section[:2], "big")
        if at not in (LONG_QWHS, SHORT_QWHS) or at > length:
            raise DamagedRecord(offset, f"product section says that it is {at} bytes long, triplet 0 says {length}")
        record.form = "long" if at == LONG_QWHS else SHORT
        record.product = decode_structure(QWHS, section, at)
        if at == SHORT_QWHS and length >= at + QWHC.size:
            record.product.update(decode_structure(QWHC, section[at:], QWHC.size))
            at += QWHC.size
    extension = ""
    if digits.isdigit() and int(digits) >= EXTENDED_RELEASE and length >= at + QWHX.size:
        record.product.update(decode_structure(QWHX, section[at:], QWHX.size))
        extension = text(str(record.product["QWHXREL"]))
    try:
        record.release = release_of(digits, extension)
    except ValueError as problem:
        raise DamagedRecord(24, str(problem)) from None
    for index in range(triplets):
        record.triplets.append(_TRIPLET.unpack_from(data, HEADER_LENGTH + TRIPLET_LENGTH * index))
    if (record.smf_type, record.subtype) == UNCOUNTED_TRIPLET and triplets == 5:
        _read_uncounted(record)


def _read_uncounted(record: Record) -> None:
    """Read the sixth triplet of an MQ 8 channel initiator record, which the triplet count does not include."""
    end = HEADER_LENGTH + TRIPLET_LENGTH * 6
    if min(offset for offset, _, count in record.triplets if count) >= end:
        record.triplets.append(_TRIPLET.unpack_from(record.data, end - TRIPLET_LENGTH))


def _read_sections(record: Record) -> None:
    layout = RECORDS.get((record.smf_type, record.subtype))
    for index, (offset, length, count) in enumerate(record.triplets):
        if index == 0 or not count:
            continue
        if not length or offset < HEADER_LENGTH or offset + length * count > len(record.data):
            raise DamagedRecord(
                HEADER_LENGTH + TRIPLET_LENGTH * index,
                f"{count} sections of {length} bytes at {offset} are not in the record of {len(record.data)} bytes",
            )
        structure = layout.structures.get(index) if layout is not None else None
        for instance in range(count):
            start = offset + length * instance
            record.sections.append(Section(structure, index, instance, record.data[start : start + length]))
