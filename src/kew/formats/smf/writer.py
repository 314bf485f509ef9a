"""Writes SMF records: structures from values, records from structures, dumps from records.

`encode_structure` fills in the constants of the layout (block id, length, eyecatcher), so callers give counters only.
`Stamp` has the writer and the interval of a record; `build_records` makes records from it and lists of structures.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from struct import Struct, error
from typing import Final

from kew.formats.smf.container import FIRST, LAST, MIDDLE, WHOLE, Framing
from kew.formats.smf.encoding import (
    BLANK,
    encode_date,
    encode_text,
    microseconds_to_tod,
    release_digits,
)
from kew.formats.smf.layouts.accounting import WQ, WTAS
from kew.formats.smf.layouts.headers import QWHC, QWHS, QWHX
from kew.formats.smf.layouts.structure import Field, Structure, Value, Values
from kew.formats.smf.record import (
    HEADER_LENGTH,
    LONG_QWHS,
    MORE_FOLLOW,
    SHORT_QWHS,
    TRIPLET_LENGTH,
)
from kew.formats.smf.records import (
    DUMP_HEADER,
    DUMP_TRAILER,
    LONG,
    RECORDS,
    RMID_CHANNEL_INITIATOR,
    SHORT,
    TINY_SECTION,
    UNCOUNTED_TRIPLET,
    RecordLayout,
)

FLAGS: Final = 0x5E
DUMP_FLAGS: Final = 0x1E
EXTENSION_FOLLOWS: Final = 0x40  # QWHSQWHX in QWHSFLAG1
OLDEST_RELEASE: Final = 80000
EXTENSION_RELEASE: Final = 100000
INSTRUMENTATION_RELEASE: Final = 0x10
COUNTED_DNS_RELEASE: Final = 90000  # from here on the channel initiator counts its sixth triplet
ROOM: Final = 28 * 1024  # bytes of repeated sections that go into one record: 341 queues of 84 bytes
LONGEST_SEGMENT: Final = 32760
BLOCK: Final = 32760

_HEADER: Final = Struct(">HHBBI4s4s4sH3sx")
_DUMP: Final = Struct(">HHBBI4s4s")
_TRIPLET: Final = Struct(">IHH")
_DESCRIPTOR: Final = Struct(">HBB")


class Sequences:
    """The sequence numbers of a queue manager's records: for each record type and subtype, and over all records."""

    def __init__(self) -> None:
        self.written = 0
        self.of_kind: dict[tuple[int, int], int] = {}

    def take(self, kind: int, subtype: int) -> tuple[int, int]:
        """Give the next number of a type and subtype, and the next of all records; both start at 1, modulo 2**32."""
        self.written = self.written + 1 & 0xFFFFFFFF
        own = self.of_kind.get((kind, subtype), 0) + 1 & 0xFFFFFFFF
        self.of_kind[kind, subtype] = own
        return own, self.written


class Stamp:
    """The queue manager that writes a record, and the record's interval.

    Moments are microseconds since 1970 in UTC; `utc_offset` gives local time, in minutes east.
    """

    def __init__(
        self,
        system: str,
        qmgr: str,
        release: int,
        start: int,
        end: int,
        utc_offset: int = 0,
        qsg: str = "",
        sequences: Sequences | None = None,
    ) -> None:
        if release < OLDEST_RELEASE:
            raise ValueError(f"records of release {release} cannot be written; the oldest is {OLDEST_RELEASE}")
        self.system = system
        self.qmgr = qmgr
        self.release = release
        self.start = start
        self.end = end
        self.utc_offset = utc_offset
        self.qsg = qsg
        self.sequences = sequences or Sequences()


def encode_structure(structure: Structure, values: Values, length: int | None = None) -> bytes:
    """Encode a structure: constants from the layout, then `values`, and blanks and zeros for the other fields.

    `length` shortens the structure to that of an older release, or lengthens it by the bytes under the key "".
    """
    packer = structure.packer(structure.size if length is None else length)
    known = 0
    raw: list[int | bytes] = []
    for field in packer.fields:
        value = values.get(field.name)
        if value is not None:
            known += 1
        if field.count and field.inner is None:
            raw.extend(_array(structure, field, value))
        else:
            raw.append(_raw(structure, field, value, packer.length))
    trailing = values.get("", b"")
    raw.append(trailing if isinstance(trailing, bytes) else b"")
    if known + ("" in values) != len(values):
        for name in values:
            if name and name not in structure.field:
                raise ValueError(f"{structure.name} has no field {name}")
    try:
        return packer.struct.pack(*raw)
    except error as problem:
        raise ValueError(f"{structure.name}: {_culprit(structure, values) or problem}") from None


def _array(structure: Structure, field: Field, value: Value | None) -> list[int]:
    if value is None:
        return [0] * field.count
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)) or len(value) != field.count:
        raise ValueError(f"{structure.name}.{field.name} takes {field.count} numbers")
    return [item for item in value if isinstance(item, int)]


def _raw(structure: Structure, field: Field, value: Value | None, length: int) -> int | bytes:
    if value is None:
        if field.mark is not None:
            value = length if field.mark == "length" else field.mark
        elif field.none is not None:
            value = field.none
        elif field.type == "char":
            return BLANK * field.length
        elif field.inner is not None:
            return encode_structure(field.inner, {}) * max(field.count, 1)
        else:
            return bytes(field.length) if field.type in ("bytes", "packed", "pad") else 0
    if isinstance(value, str):
        return encode_text(value, field.length)
    if isinstance(value, int):
        return value
    if isinstance(value, bytes):
        if len(value) > field.length:
            raise ValueError(f"{structure.name}.{field.name} holds {field.length} bytes, not {len(value)}")
        return value
    if field.inner is None:
        raise ValueError(f"{structure.name}.{field.name} is a single {field.type}")
    items = [encode_structure(field.inner, item) for item in value if isinstance(item, Mapping)]
    if len(items) > field.count:
        raise ValueError(f"{structure.name}.{field.name} holds {field.count} entries, not {len(items)}")
    items += [encode_structure(field.inner, {})] * (field.count - len(items))
    return b"".join(items)


def _culprit(structure: Structure, values: Values) -> str:
    """Describe the first value that does not fit its field; empty if all fit."""
    for field in structure.fields:
        value = values.get(field.name)
        numbers = value if isinstance(value, Sequence) and field.count else [value]
        for number in numbers:
            if isinstance(number, int) and field.type[0] in "ui":
                bits = 8 * field.element_length
                low, high = (0, 2**bits - 1) if field.type[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
                if not low <= number <= high:
                    return f"{field.name} takes {low} to {high}, not {number}"
            elif isinstance(number, int) and field.type in ("stck", "todd") and not 0 <= number < 2**64:
                return f"{field.name} takes 0 to {2**64 - 1}, not {number}"
            elif number is not None and isinstance(number, (str, bytes)) != (field.type in ("char", "bytes", "pad")):
                return f"{field.name} is a {field.type}, not {number!r}"
    return ""


def header(kind: int, subtype: int, stamp: Stamp, length: int) -> bytes:
    """Make the 28-byte SMF header."""
    local = datetime(1970, 1, 1) + timedelta(microseconds=stamp.end, minutes=stamp.utc_offset)
    centiseconds = ((local.hour * 60 + local.minute) * 60 + local.second) * 100 + local.microsecond // 10000
    return _HEADER.pack(
        length & 0xFFFF,
        0,
        FLAGS,
        kind,
        centiseconds,
        encode_date(local.date()),
        encode_text(stamp.system, 4),
        encode_text(stamp.qmgr, 4),
        subtype,
        encode_text(release_digits(stamp.release), 3),
    )


def product_section(
    layout: RecordLayout, stamp: Stamp, numbers: tuple[int, int], triplets: int, more: bool, correlation: Values
) -> bytes:
    """Make the product section of the stamp's release, which begins with the QWHS; `numbers` come from `Sequences`."""
    extended = stamp.release >= EXTENSION_RELEASE
    extension = b""
    if extended:
        extension = encode_structure(QWHX, {"QWHXQSG": stamp.qsg, "QWHXREL": f"{stamp.release:06d}"})
    if layout.form not in (LONG, SHORT):
        return TINY_SECTION + extension
    length = LONG_QWHS if layout.form == LONG else SHORT_QWHS
    duration = stamp.end - stamp.start
    values: dict[str, Value] = {
        "QWHSLEN": length,
        "QWHSRMID": layout.resource_manager,
        "QWHSIID": layout.ifcid,
        "QWHSNSDA": triplets,
        "QWHSRN": 0 if layout.resource_manager == RMID_CHANNEL_INITIATOR else INSTRUMENTATION_RELEASE,
        "QWHSSSID": stamp.qmgr,
        "QWHSSTCK": microseconds_to_tod(stamp.end),
        "QWHSISEQ": numbers[0],
        "QWHSWSEQ": numbers[1],
        "QWHSFLAG1": (MORE_FOLLOW if more else 0) | (EXTENSION_FOLLOWS if extended else 0),
    }
    if layout.form == SHORT:
        return encode_structure(QWHS, values, length) + encode_structure(QWHC, correlation) + extension
    values["QWHSTIME"] = microseconds_to_tod(stamp.start + stamp.utc_offset * 60_000_000)
    values["QWHSDURN"] = duration << 12 if layout.resource_manager == RMID_CHANNEL_INITIATOR else duration
    return encode_structure(QWHS, values, length) + extension


def build_record(
    kind: int,
    subtype: int,
    stamp: Stamp,
    sections: Mapping[int, Sequence[bytes]],
    more: bool = False,
    correlation: Values | None = None,
) -> bytes:
    """Make one record with the sections of each triplet; those of one triplet have one length."""
    layout = RECORDS[kind, subtype]
    places = layout.triplets
    if kind == 116 and subtype == 1 and not sections.get(3):
        places = 3  # a task that used no queue
    counted = 5 if (kind, subtype) == UNCOUNTED_TRIPLET and stamp.release < COUNTED_DNS_RELEASE else places
    # The channel initiator does not number its records, nor do the storage records have a place for it.
    numbered = layout.form in (LONG, SHORT) and layout.resource_manager != RMID_CHANNEL_INITIATOR
    numbers = stamp.sequences.take(kind, subtype) if numbered else (0, 0)
    product = product_section(layout, stamp, numbers, counted, more, correlation or {})
    offset = HEADER_LENGTH + TRIPLET_LENGTH * places
    body: list[bytes] = []
    table: list[bytes] = []
    for index in range(1, places):
        instances = sections.get(index) or ()
        if not instances:
            table.append(_TRIPLET.pack(0, 0, 0))
            continue
        length = len(instances[0])
        if any(len(instance) != length for instance in instances):
            raise ValueError(f"{kind}-{subtype} triplet {index}: sections differ in length")
        table.append(_TRIPLET.pack(offset, length, len(instances)))
        body.extend(instances)
        offset += length * len(instances)
    if any(index >= places for index in sections):
        raise ValueError(f"{kind}-{subtype} has {places} triplets, not {max(sections) + 1}")
    triplets = _TRIPLET.pack(offset, len(product), 1) + b"".join(table)
    return header(kind, subtype, stamp, offset + len(product)) + triplets + b"".join(body) + product


def build_records(
    kind: int,
    subtype: int,
    stamp: Stamp,
    structures: Mapping[str, Sequence[Values]],
    room: int = ROOM,
    correlation: Values | None = None,
) -> list[bytes]:
    """Make as many records as the given structures need, each structure at its length in the stamp's release.

    Structures that the release does not have are left out. A list that does not fit into one record continues in the
    next, and every record but the last has the flag that more follow; the queues of a task continue in records of
    subtype 2. The QWHC of accounting records gets the values of `correlation`.
    """
    layout = RECORDS[kind, subtype]
    sections: dict[int, list[bytes]] = {}
    unknown = set(structures)
    for index, structure in layout.structures.items():
        length = structure.length_at(stamp.release)
        unknown.discard(structure.name)
        if length and structures.get(structure.name):
            version = _version(structure, stamp.release)
            sections[index] = [
                encode_structure(structure, {**version, **values}, length) for values in structures[structure.name]
            ]
    if unknown:
        raise ValueError(f"{kind}-{subtype} has no structure {', '.join(sorted(unknown))}")
    if kind == 116 and subtype in (1, 2):
        return _task_records(subtype, stamp, sections, room)
    return _spill(kind, subtype, stamp, sections, room, correlation)


def _version(structure: Structure, release: int) -> dict[str, Value]:
    """Give the version field of the task and queue blocks of a release."""
    if structure is WTAS:
        return {"WTASVER": 8}
    if structure is WQ:
        return {"WQVER": 9 if release >= 90302 else 8}
    return {}


def _spill(
    kind: int,
    subtype: int,
    stamp: Stamp,
    sections: dict[int, list[bytes]],
    room: int,
    correlation: Values | None,
) -> list[bytes]:
    parts: list[dict[int, list[bytes]]] = [{}]
    left = room
    for index in sorted(sections):
        for section in sections[index]:
            if len(section) > left and parts[-1]:
                parts.append({})
                left = room
            parts[-1].setdefault(index, []).append(section)
            left -= len(section)
    records: list[bytes] = []
    for number, part in enumerate(parts):
        records.append(build_record(kind, subtype, stamp, part, number < len(parts) - 1, correlation))
    return records


def _task_records(subtype: int, stamp: Stamp, sections: dict[int, list[bytes]], room: int) -> list[bytes]:
    """Make a task's record, and records of subtype 2 for the queues that do not fit into it."""
    place = 3 if subtype == 1 else 2
    queues = sections.pop(place, [])
    used = sum(len(section) for instances in sections.values() for section in instances)
    identity = sections.get(1, [])
    records: list[bytes] = []
    kind = subtype
    while queues or not records:
        fit = max((room - used) // len(queues[0]), 1) if queues else 0
        part = dict(sections)
        if queues:
            part[3 if kind == 1 else 2] = queues[:fit]
        queues = queues[fit:]
        records.append(build_record(116, kind, stamp, part, more=bool(queues)))
        kind = 2
        sections = {1: identity}
        used = sum(len(section) for section in identity)
    return records


def dump_marker(kind: int, system: str, day: date, centiseconds: int) -> bytes:
    """Make the record that begins (type 2) or ends (type 3) a dump."""
    if kind not in (DUMP_HEADER, DUMP_TRAILER):
        raise ValueError(f"type {kind} does not begin or end a dump")
    return _DUMP.pack(18, 0, DUMP_FLAGS, kind, centiseconds, encode_date(day), encode_text(system, 4))


class DumpWriter:
    """The writer of a dump's framing; `add` and `finish` return the bytes that are ready to be written."""

    def __init__(self, framing: Framing = Framing.RDW, segment: int = LONGEST_SEGMENT, block: int = BLOCK) -> None:
        if not 32 <= segment <= 65535 or segment > block or not 36 <= block <= 65535:
            raise ValueError(f"segments of {segment} bytes in blocks of {block} cannot be written")
        self.framing = framing
        self._segment = min(segment, block - 4)
        self._block_size = block
        self._block = bytearray()

    def add(self, record: bytes) -> bytes:
        """Frame one record, which has four bytes in the place of its RDW."""
        if self.framing is Framing.NORDW:
            return record[4:]
        segments = self._segments(record[4:])
        if self.framing is Framing.RDW:
            return b"".join(segments)
        ready = b""
        for segment in segments:
            if len(self._block) + len(segment) + 4 > self._block_size:
                ready += self._flush()
            self._block += segment
        return ready

    def finish(self) -> bytes:
        """Give the remaining bytes, such as an unfinished block."""
        return self._flush()

    def _flush(self) -> bytes:
        if not self._block:
            return b""
        block = _DESCRIPTOR.pack(len(self._block) + 4, 0, 0) + bytes(self._block)
        self._block = bytearray()
        return block

    def _segments(self, body: bytes) -> list[bytes]:
        step = self._segment - 4
        if len(body) <= step:
            return [_DESCRIPTOR.pack(len(body) + 4, WHOLE, 0) + body]
        segments: list[bytes] = []
        for at in range(0, len(body), step):
            part = body[at : at + step]
            control = FIRST if at == 0 else LAST if at + step >= len(body) else MIDDLE
            segments.append(_DESCRIPTOR.pack(len(part) + 4, control, 0) + part)
        return segments
