"""Decodes a batch of records into Arrow tables, thousands of records at a time.

The rules are those of `kew.formats.smf.record`, applied to arrays. A record that looks out of the ordinary here is
given to `parse_record`, which decides and, where it refuses the record, says why; so both find the same damage.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from isal.isal_zlib import crc32

from kew.analytics.smf.columns import Bytes, Mask, Numbers, StructureReader, gather, numbers, opaque, texts, words
from kew.analytics.smf.remarks import (
    DAMAGED,
    LOST,
    MARKERS,
    PASSED,
    Met,
    longer_name,
    section_name,
    subtype_name,
    type_name,
)
from kew.analytics.smf.tables import (
    CHECKSUM,
    CORRELATOR,
    LOCAL,
    MOMENT,
    QUARANTINE,
    RECORDS_TABLE,
    REMARKS,
    SOURCES,
    Table,
    table_named,
)
from kew.formats.smf import Batch, Damage, DamagedRecord, Record, Structure, parse_record
from kew.formats.smf.encoding import EXTENDED_RELEASE, TOD_EPOCH, release_name
from kew.formats.smf.layouts.accounting import WQ, WTID
from kew.formats.smf.layouts.headers import QWHC
from kew.formats.smf.layouts.statistics import QEST, QEST_ENTRY
from kew.formats.smf.record import HEADER_LENGTH, LONG_QWHS, MORE_FOLLOW, SHORT_QWHS, SMALLEST, TRIPLET_LENGTH
from kew.formats.smf.records import RECORDS, RMID_CHANNEL_INITIATOR, TINY, TINY_TRIPLETS, UNCOUNTED_TRIPLET

PRODUCT: Final = 144  # the longest product section
QUARTER: Final = 15 * 60_000_000
SECOND: Final = 1_000_000
_DAY: Final = 86_400_000_000
# Leap seconds that store clocks count, from each day on; none has been added since 2017.
_LEAPS: Final = (
    ("1972-01-01", 0),
    ("1996-01-01", 20),
    ("1997-07-01", 21),
    ("1999-01-01", 22),
    ("2006-01-01", 23),
    ("2009-01-01", 24),
    ("2012-07-01", 25),
    ("2015-07-01", 26),
    ("2017-01-01", 27),
)
LEAP_DAYS: Final = np.array([day for day, _ in _LEAPS], dtype="datetime64[us]").astype(np.int64)
LEAPS: Final = np.array([0, *(count for _, count in _LEAPS)], dtype=np.int64) * SECOND
LEAST_LEAD: Final = 5 * SECOND  # no record is built so long after SMF took it
TINY_TYPE: Final = 115
TINY_SUBTYPES: Final = [subtype for (_, subtype), layout in RECORDS.items() if layout.form == TINY]


Place = dict[str, str | None]  # the columns that say which dump a row is from


class Sections:
    """Structures of one kind in a batch: the record each is in, where it starts, how long it is, its index."""

    def __init__(self, record: Numbers, start: Numbers, length: Numbers, index: Numbers) -> None:
        self.record = record
        self.start = start
        self.length = length
        self.index = index

    def part(self, start: int, end: int) -> "Sections":
        """Give the entries from one index to another."""
        return Sections(self.record[start:end], self.start[start:end], self.length[start:end], self.index[start:end])


class Decoded:
    """The result of decoding a batch: a record batch for each requested table, and the damage."""

    def __init__(self) -> None:
        self.tables: dict[str, pa.RecordBatch] = {}
        self.damage: list[Damage] = []


class Decoder:
    """Decodes batches into the requested tables."""

    def __init__(
        self, names: Sequence[str], columns: Mapping[str, Sequence[str]] | None = None, checksums: bool = False
    ) -> None:
        """Decode the named tables, or only some columns; with `checksums` a structure has its record's checksum."""
        chosen = columns or {}
        self.tables: list[Table] = [table_named(name) for name in names]
        self.schemas: dict[str, pa.Schema] = {}
        self.readers: dict[str, StructureReader] = {}
        for table in self.tables:
            schema = table.schema(chosen.get(table.name))
            if checksums and table.structure is not None:
                schema = schema.append(CHECKSUM)
            self.schemas[table.name] = schema
            if table.structure is not None:
                source = QEST_ENTRY if table.structure is QEST else table.structure
                self.readers[table.name] = StructureReader(source, schema.names)
        self.empty: dict[str, pa.RecordBatch] = {
            name: pa.RecordBatch.from_arrays([pa.array([], kind) for kind in schema.types], schema=schema)
            for name, schema in self.schemas.items()
        }
        self._correlation = StructureReader(QWHC)

    @property
    def needs_digest(self) -> bool:
        """Say whether a requested table has the digest of the dump."""
        return any("dump" in schema.names for schema in self.schemas.values())

    def decode(self, batch: Batch, file: str, digest: str | None = None) -> Decoded:
        """Give the tables of one batch; `file` names the dump in them, and its digest identifies it."""
        place = {"file": file, "dump": digest}
        found = Decoded()
        found.damage = list(batch.damage)
        headers = Headers(batch)
        sections = headers.sections(found.damage)
        for table in self.tables:
            if table.name == RECORDS_TABLE:
                columns = headers.record_columns(self.schemas[table.name].names, place)
            elif table.name in (QUARANTINE, REMARKS):
                continue
            elif not any(source in sections for source in SOURCES[table.name]):
                found.tables[table.name] = self.empty[table.name]
                continue
            else:
                columns = self._structure(table, headers, sections, place)
            found.tables[table.name] = _batch(columns, self.schemas[table.name])
        if QUARANTINE in self.schemas:
            found.tables[QUARANTINE] = quarantine(found.damage, place, self.schemas[QUARANTINE])
        if REMARKS in self.schemas:
            headers.note_types(found.damage)
            found.tables[REMARKS] = remarks(headers.met, place, self.schemas[REMARKS])
        return found

    def _structure(
        self, table: Table, headers: "Headers", sections: "dict[tuple[int, int, int], Sections]", place: Place
    ) -> dict[str, pa.Array]:
        assert table.structure is not None
        schema = self.schemas[table.name]
        found = in_file_order([sections[source] for source in SOURCES[table.name] if source in sections])
        if table.structure is QEST:
            found = headers.used_entries(found)
        reader = self.readers[table.name]
        # The entries of a QEST are all of one length, which the block's own does not tell.
        lengths = None if table.structure is QEST else headers.filled(table.structure, found)
        ahead = headers.ahead[found.record] if headers.ahead.any() else None
        columns = reader.read(headers.buffer, found.start, lengths, ahead)
        columns.update(headers.common(found.record, schema.names, place))
        columns["section"] = numbers(found.index.astype(np.int32), pa.int32())
        if CHECKSUM.name in schema.names:
            columns[CHECKSUM.name] = numbers(headers.checksums()[found.record], pa.int64())
        if CORRELATOR.name in schema.names and table.structure is not WQ:
            columns[CORRELATOR.name] = headers.correlators(table.structure is WTID, found, sections)
        if "QWHCAID" in table.column:
            columns.update(self._correlation.read(headers.buffer, headers.correlation(found.record), None, None))
        return columns


class Headers:
    """The headers of all records of a batch, as arrays; row i is record i."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.buffer: Bytes = np.frombuffer(batch.buffer, dtype=np.uint8)
        self.starts: Numbers = np.array(batch.starts, dtype=np.int64)
        self.lengths: Numbers = np.array(batch.lengths, dtype=np.int64)
        self.offsets: Numbers = np.array(batch.offsets, dtype=np.int64)
        head = gather(self.buffer, self.starts, HEADER_LENGTH)
        self.head = head
        self.type = head[:, 5].astype(np.int32)
        has_subtype = (head[:, 4] & 0x40 != 0) & (self.lengths >= HEADER_LENGTH)
        self.subtype = np.where(has_subtype, head[:, 22].astype(np.int32) << 8 | head[:, 23], -1).astype(np.int32)
        self.is_mq: Mask = ((self.type == 115) | (self.type == 116)) & has_subtype
        self.local, self.good_time = _local_times(head)
        self.good: Mask = self.is_mq & self.good_time & (self.lengths >= HEADER_LENGTH + TRIPLET_LENGTH)
        self.met = Met()
        self._common: dict[str, pa.Array] = {}
        self._checksums: Numbers | None = None
        self._read_product()

    def _read_product(self) -> None:
        """Read triplet 0, and the product section it points to."""
        first = gather(self.buffer, self.starts + HEADER_LENGTH, TRIPLET_LENGTH)
        offset = _u32(first, 0)
        length = _u16(first, 4)
        inside = (_u16(first, 6) > 0) & (offset >= HEADER_LENGTH) & (offset + length <= self.lengths)
        self.product_offset = np.where(inside & self.good, offset, 0)
        self.product_length = length
        self.product = gather(self.buffer, self.starts + self.product_offset, PRODUCT)
        stated = _u16(self.product, 0)
        self.tiny: Mask = (self.type == TINY_TYPE) & np.isin(self.subtype, TINY_SUBTYPES)
        long = ~self.tiny & (stated == LONG_QWHS)
        short = ~self.tiny & (stated == SHORT_QWHS)
        room = (self.product_offset - HEADER_LENGTH) // TRIPLET_LENGTH
        counted = self.product[:, 6].astype(np.int64)
        self.triplets = np.where(self.tiny, TINY_TRIPLETS, counted)
        sane = (long | short) & (stated <= length) & (length >= 7) & (counted >= 1) & (counted <= room)
        digits = self.head[:, 24:27]
        self.good &= inside & (sane | self.tiny) & ((digits >= 0xF0) & (digits <= 0xF9)).all(axis=1)
        self.long: Mask = long & self.good
        self.short: Mask = short & self.good
        self._read_release(digits, length)
        self._read_interval()

    def _read_release(self, digits: Bytes, length: Numbers) -> None:
        value = digits.astype(np.int32) - 0xF0
        header = value[:, 0] * 10000 + value[:, 1] * 100 + value[:, 2]
        extended = self.good & (value[:, 0] * 100 + value[:, 1] * 10 + value[:, 2] >= EXTENDED_RELEASE)
        base = np.where(self.tiny, 4, np.where(self.long, LONG_QWHS, SHORT_QWHS + QWHC.size)).astype(np.int64)
        extended &= length >= base + 16
        self.extension = gather(self.buffer, self.starts + self.product_offset + np.where(extended, base, 0), 16)
        numerals = self.extension[:, 8:14]
        extended_digits = extended & ((numerals >= 0xF0) & (numerals <= 0xF9)).all(axis=1)
        release = (numerals.astype(np.int32) - 0xF0) @ np.array([100000, 10000, 1000, 100, 10, 1], dtype=np.int32)
        self.extended: Mask = extended
        self.release = np.where(extended_digits, release, header).astype(np.int32)

    def _read_interval(self) -> None:
        """Read the interval: its start is local time, its end is UTC, and with its length the zone follows."""
        stck, self.has_end = _clock(self.product, 16)
        self.has_end &= self.long | self.short
        self.end = stck
        start, has_start = _clock(self.product, 36)
        self.has_interval: Mask = self.long & has_start
        self.start_local = start
        raw = self.product[:, 44:52].copy().view(">u8")[:, 0].astype(np.uint64)
        chinit = self.product[:, 3] == RMID_CHANNEL_INITIATOR
        self.duration = np.where(chinit, raw >> np.uint64(12), raw).astype(np.int64)
        ended = np.where(self.has_interval, self.start_local + self.duration, self.local)
        self.zone = np.round((ended - self.end) / QUARTER).astype(np.int64) * QUARTER
        self.has_zone: Mask = self.has_end & self.good_time
        self._read_ahead()

    def _read_ahead(self) -> None:
        """Subtract leap seconds: a system that uses them has a store clock ahead of UTC, but not a local time ahead.

        A record cannot be taken by SMF seconds before it was built. The local start of an interval is made from the
        store clock, and some releases take the leap seconds off it and some do not.
        """
        taken = self.local - self.zone
        leap = LEAPS[np.searchsorted(LEAP_DAYS, taken, side="right")]
        lead = self.end - taken
        ahead = self.has_zone & self.good & (lead >= LEAST_LEAD) & (lead <= leap + SECOND)
        self.ahead: Numbers = np.where(ahead, leap, 0)
        if ahead.any():
            self.end = self.end - self.ahead
            late = self.start_local + self.duration - self.zone - self.end
            self.start_local = np.where(
                ahead & (np.abs(late - leap) < leap // 2), self.start_local - leap, self.start_local
            )

    def sections(self, damage: list[Damage]) -> "dict[tuple[int, int, int], Sections]":
        """Give the structures of every valid record; the other records are added to `damage`."""
        found: dict[tuple[int, int, int], Sections] = {}
        self.section_count = np.zeros(len(self.starts), dtype=np.int32)
        doubtful = self.is_mq & ~self.good
        keys = self.type.astype(np.int64) << 16 | (self.subtype & 0xFFFF)
        present = set(np.unique(keys[self.good]).tolist())
        for (kind, subtype), layout in RECORDS.items():
            key = kind << 16 | subtype
            if key not in present:
                continue
            mine = np.flatnonzero(self.good & (keys == key))
            if not layout.structures:
                size = int(self.lengths[mine].sum())
                self.met.add(PASSED, subtype_name(kind, subtype), len(mine), size, int(self.offsets[mine[0]]))
            table = gather(self.buffer, self.starts[mine] + HEADER_LENGTH, TRIPLET_LENGTH * layout.triplets)
            counted = self.triplets[mine].copy()
            if (kind, subtype) == UNCOUNTED_TRIPLET:
                counted[_uncounted(table, counted)] = 6
            for triplet in range(1, layout.triplets):
                at = TRIPLET_LENGTH * triplet
                offset, length, count = _u32(table, at), _u16(table, at + 4), _u16(table, at + 6)
                count = np.where(triplet < counted, count, 0)
                there = count > 0
                wrong = there & (
                    (length == 0) | (offset < HEADER_LENGTH) | (offset + length * count > self.lengths[mine])
                )
                doubtful[mine[wrong]] = True
                there &= ~wrong
                self.section_count[mine] += np.where(there, count, 0).astype(np.int32)
                if not there.any():
                    continue
                if triplet in layout.structures:
                    made = _expand(mine[there], self.starts[mine[there]] + offset[there], length[there], count[there])
                    found[kind, subtype, triplet] = made
                    self._note_longer(layout.structures[triplet], made)
                elif layout.structures:
                    self._note_sections(section_name(kind, subtype, triplet), mine[there], length[there], count[there])
            doubtful[mine[counted > layout.triplets]] = True
        known = {kind << 16 | subtype for kind, subtype in RECORDS}
        if present - known:
            doubtful |= self.good & ~np.isin(keys, list(known))
        refused = self._decide(np.flatnonzero(doubtful), damage)
        if len(refused):
            self.is_mq[refused] = False
            self.good[refused] = False
            found = {key: _without(sections, refused) for key, sections in found.items()}
        return found

    def _decide(self, doubtful: Numbers, damage: list[Damage]) -> Numbers:
        """Decide which of the doubtful records are damaged, with the plain reader, which knows the reason."""
        refused: list[int] = []
        for record in doubtful.tolist():
            try:
                parsed = parse_record(self.batch.record(record))
                self.section_count[record] = len(parsed.sections)
                self._note_doubtful(parsed, record)
            except DamagedRecord as damaged:
                damage.append(Damage(int(self.offsets[record]), int(self.lengths[record]), str(damaged)))
                refused.append(record)
        self.refused = np.array(refused, dtype=np.int64)
        return self.refused

    # Remarks on input that no table has.

    def _note_sections(self, what: str, records: Numbers, length: Numbers, count: Numbers) -> None:
        offset = int(self.offsets[records[0]])
        self.met.add(PASSED, what, int(count.sum()), int((length * count).sum()), offset)

    def _note_longer(self, structure: Structure, sections: Sections) -> None:
        """Note structures longer than Kew's layouts; the length in the block counts, if it has one."""
        longer = sections.length > structure.size
        at = structure.length_offset
        if not longer.any():
            return
        length = sections.length
        if at >= 0 and structure is not QEST:
            length = np.minimum(_u16(gather(self.buffer, sections.start, at + 2), at), length)
        for one in np.unique(length[longer & (length > structure.size)]).tolist():
            these = np.flatnonzero(length == one)
            first = int(self.offsets[sections.record[these[0]]])
            size = (one - structure.size) * len(these)
            self.met.add(PASSED, longer_name(structure.name, one), len(these), size, first)

    def _note_doubtful(self, parsed: Record, record: int) -> None:
        """Note the unknown parts of a valid record."""
        offset = int(self.offsets[record])
        layout = RECORDS.get((parsed.smf_type, parsed.subtype))
        if layout is None:
            name = subtype_name(parsed.smf_type, parsed.subtype)
            self.met.add(PASSED, name, 1, int(self.lengths[record]), offset)
            return
        for triplet in range(layout.triplets, len(parsed.triplets)) if layout.structures else ():
            _, length, count = parsed.triplets[triplet]
            self.met.add(PASSED, section_name(parsed.smf_type, parsed.subtype, triplet), count, length * count, offset)

    def note_types(self, damage: list[Damage]) -> None:
        """Note records of other products, and damage."""
        others = np.flatnonzero((self.type != 115) & (self.type != 116) & ~np.isin(self.type, MARKERS))
        for kind in np.unique(self.type[others]).tolist():
            these = others[self.type[others] == kind]
            size = int(self.lengths[these].sum())
            self.met.add(PASSED, type_name(kind), len(these), size, int(self.offsets[these[0]]))
        if damage:
            first = min(one.offset for one in damage)
            self.met.add(LOST, DAMAGED, len(damage), sum(one.length for one in damage), first)

    # Columns.

    def common(self, record: Numbers, names: Sequence[str], place: Place) -> dict[str, pa.Array]:
        """Give the columns that every table has, for the records with these numbers."""
        if not self._common:
            self._common = self._all_common()
        wanted = [name for name in names if name in self._common]
        taken = pa.RecordBatch.from_arrays([self._common[name] for name in wanted], wanted)
        if len(record) != len(self.starts) or not np.array_equal(record, np.arange(len(record))):
            taken = taken.take(numbers(record, pa.int64()))
        columns = dict(zip(wanted, taken.columns, strict=True))
        columns.update(_places(place, names, len(record)))
        return columns

    def _all_common(self) -> dict[str, pa.Array]:
        """Make the columns that every table has, for all records of the batch."""
        not_mq = ~self.is_mq
        not_good = ~self.good
        no_end = ~self.has_end
        no_interval = ~self.has_interval
        start = self.start_local - self.zone
        zone = (self.zone // 60_000_000).astype(np.int32)
        return {
            "offset": numbers(self.offsets, pa.int64()),
            "smf_type": numbers(self.type, pa.int32()),
            "subtype": numbers(self.subtype, pa.int32(), self.subtype < 0),
            "system": texts(self.head[:, 14:18], self.lengths < SMALLEST),
            "qmgr": texts(self.head[:, 18:22], not_mq),
            "subsystem": texts(self.product[:, 12:16], no_end),
            "qsg": texts(self.extension[:, 4:8], ~self.extended),
            "release": _releases(self.release, not_good),
            "vrm": numbers(self.release, pa.int32(), not_good),
            "written_local": numbers(self.local, LOCAL, ~self.good_time),
            "recorded": numbers(self.end, MOMENT, no_end),
            "interval_start": numbers(start, MOMENT, no_interval | no_end),
            "interval_start_local": numbers(self.start_local, LOCAL, no_interval),
            "duration_us": numbers(self.duration, pa.int64(), ~self.long),
            "utc_offset": numbers(zone, pa.int32(), ~self.has_zone),
            "leap_seconds": numbers((self.ahead // SECOND).astype(np.int32), pa.int32(), ~self.has_zone),
            "sequence": numbers(_u32(self.product, 28), pa.int64(), no_end),
        }

    def record_columns(self, names: Sequence[str], place: Place) -> dict[str, pa.Array]:
        """Give the table of records: all that were found, of any type, except damaged ones."""
        keep = np.ones(len(self.starts), dtype=np.bool_)
        keep[self.refused] = False
        record = np.flatnonzero(keep)
        columns = self.common(record, names, place)
        columns["length"] = numbers(self.lengths[record].astype(np.int32), pa.int32())
        segments = np.array(self.batch.segments, dtype=np.int32)
        columns["segments"] = numbers(segments[record], pa.int32())
        missing = ~(self.long | self.short)[record]
        product = self.product[record]
        columns["ifcid"] = numbers(_u16(product, 4).astype(np.int32), pa.int32(), missing)
        columns["resource_manager"] = numbers(product[:, 3].astype(np.int32), pa.int32(), missing)
        columns["kind_sequence"] = numbers(_u32(product, 24), pa.int64(), missing)
        columns["more_follow"] = pa.array(product[:, 32] & MORE_FOLLOW != 0, mask=missing)
        columns["sections"] = numbers(self.section_count[record], pa.int32(), ~self.good[record])
        if "checksum" in names:
            columns["checksum"] = numbers(self.checksums()[record], pa.int64())
        return columns

    def checksums(self) -> Numbers:
        """Give the CRC-32 of each record without its descriptor word, so it does not depend on the dump's framing."""
        if self._checksums is None:
            view = memoryview(self.batch.buffer)
            sums = [
                crc32(view[start + 4 : start + length])
                for start, length in zip(self.batch.starts, self.batch.lengths, strict=True)
            ]
            self._checksums = np.array(sums, dtype=np.int64)
        return self._checksums

    @property
    def has_correlation(self) -> Mask:
        """Give the mask of records that have a correlation header."""
        there: Mask = self.short & (self.product_length >= SHORT_QWHS + QWHC.size)
        return there

    def correlation(self, record: Numbers) -> Numbers:
        """Give the offsets of the correlation headers of class 1 accounting records."""
        return (self.starts + self.product_offset)[record] + SHORT_QWHS

    def filled(self, structure: Structure, found: Sections) -> Numbers | None:
        """Give the length of each structure's fields, by its own length field; None if all are whole."""
        lengths = found.length
        if structure.length_offset >= 0 and len(found.start):
            at = structure.length_offset
            stated = _u16(gather(self.buffer, found.start, at + 2), at)
            lengths = np.where(found.length >= at + 2, np.minimum(stated, found.length), found.length)
        return None if len(lengths) == 0 or int(lengths.min()) >= structure.size else lengths

    def correlators(
        self, is_identity: bool, found: Sections, sections: "dict[tuple[int, int, int], Sections]"
    ) -> pa.Array:
        """Give the 16 bytes that join the rows of a task, from its own block or from its first queue block."""
        start = self.correlator_places(is_identity, found, sections)
        return opaque(gather(self.buffer, np.maximum(start, 0), 16), start < 0)

    def correlator_places(
        self, is_identity: bool, found: Sections, sections: "dict[tuple[int, int, int], Sections]"
    ) -> Numbers:
        """Give the offsets of the tasks' correlators, negative where there is none."""
        if not is_identity:
            return found.start + 8
        place = np.full(len(self.starts), -1, dtype=np.int64)
        for source, at in (((116, 1, 3), 16), ((116, 2, 2), 16), ((116, 1, 2), 8)):
            if source in sections:
                other = sections[source]
                first = other.index == 0
                place[other.record[first]] = other.start[first] + at
        return np.asarray(place[found.record])

    def used_entries(self, blocks: Sections) -> Sections:
        """Give the coupling facility structures in use, of the 64 that each block has room for."""
        field = QEST.field["QESTSTUC"]
        index = np.arange(field.count, dtype=np.int64)
        end = field.offset + QEST_ENTRY.size * (index + 1)
        start = (blocks.start[:, None] + field.offset + QEST_ENTRY.size * index[None, :]).ravel()
        record = np.repeat(blocks.record, field.count)
        there = (blocks.length[:, None] >= end[None, :]).ravel()
        used = there & (self.buffer[start] != 0)
        length = np.full(int(used.sum()), QEST_ENTRY.size, dtype=np.int64)
        return Sections(record[used], start[used], length, np.tile(index, len(blocks.start))[used])


def _places(place: Place, names: Sequence[str], count: int) -> dict[str, pa.Array]:
    return {name: pa.repeat(pa.scalar(value, pa.string()), count) for name, value in place.items() if name in names}


def quarantine(damage: list[Damage], place: Place, schema: pa.Schema) -> pa.RecordBatch:
    """Give damage as rows of the table `quarantine`."""
    columns = {
        **_places(place, schema.names, len(damage)),
        "offset": pa.array([one.offset for one in damage], pa.int64()),
        "length": pa.array([one.length for one in damage], pa.int64()),
        "reason": pa.array([one.reason for one in damage], pa.string()),
    }
    return _batch(columns, schema)


def remarks(met: Met, place: Place, schema: pa.Schema) -> pa.RecordBatch:
    """Give the remarks on the batch, as rows of the table `remarks`."""
    found = list(met.found.items())
    columns = {
        **_places(place, schema.names, len(found)),
        "offset": pa.array([offset for _, (_, _, offset) in found], pa.int64()),
        "kind": pa.array([kind for (kind, _), _ in found], pa.string()),
        "what": pa.array([what for (_, what), _ in found], pa.string()),
        "count": pa.array([count for _, (count, _, _) in found], pa.int64()),
        "bytes": pa.array([size for _, (_, size, _) in found], pa.int64()),
    }
    return _batch(columns, schema)


def _batch(columns: dict[str, pa.Array], schema: pa.Schema) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([columns[name] for name in schema.names], schema=schema)


def _expand(record: Numbers, start: Numbers, length: Numbers, count: Numbers) -> Sections:
    """Give one entry for each instance that a triplet counts."""
    if (count == 1).all():
        return Sections(record, start, length, np.zeros(len(record), dtype=np.int64))
    total = int(count.sum())
    first = np.cumsum(count) - count
    index = np.arange(total, dtype=np.int64) - np.repeat(first, count)
    each = np.repeat(length, count)
    return Sections(np.repeat(record, count), np.repeat(start, count) + each * index, each, index)


def in_file_order(places: list[Sections]) -> Sections:
    """Bring structures from several kinds of record into the order of the file."""
    if len(places) == 1:
        return places[0]
    if not places:
        nothing = np.zeros(0, dtype=np.int64)
        return Sections(nothing, nothing, nothing, nothing)
    record = np.concatenate([place.record for place in places])
    order = np.argsort(record, kind="stable")
    return Sections(
        record[order],
        np.concatenate([place.start for place in places])[order],
        np.concatenate([place.length for place in places])[order],
        np.concatenate([place.index for place in places])[order],
    )


def _without(sections: Sections, refused: Numbers) -> Sections:
    keep = ~np.isin(sections.record, refused)
    return Sections(sections.record[keep], sections.start[keep], sections.length[keep], sections.index[keep])


def _uncounted(table: Bytes, counted: Numbers) -> Mask:
    """Find the MQ 8 channel initiator records that have a sixth triplet but count only five."""
    lowest = np.full(len(table), 1 << 40, dtype=np.int64)
    for triplet in range(5):
        at = TRIPLET_LENGTH * triplet
        used = _u16(table, at + 6) > 0
        lowest = np.where(used, np.minimum(lowest, _u32(table, at)), lowest)
    there: Mask = (counted == 5) & (lowest >= HEADER_LENGTH + TRIPLET_LENGTH * 6)
    return there


def _u32(rows: Bytes, at: int) -> Numbers:
    word: Numbers = words(np.ascontiguousarray(rows[:, at : at + 4]))[0].astype(np.int64)
    return word


def _u16(rows: Bytes, at: int) -> Numbers:
    high: Numbers = rows[:, at].astype(np.int64)
    return high << 8 | rows[:, at + 1]


def _clock(rows: Bytes, at: int) -> tuple[Numbers, Mask]:
    """Give TOD clock values in microseconds since 1970, and the mask of those that are set."""
    high, low = words(np.ascontiguousarray(rows[:, at : at + 8]))
    microseconds = (high.astype(np.int64) << 20) | (low >> 12)
    return microseconds - TOD_EPOCH, (high | low) != 0


def _local_times(head: Bytes) -> tuple[Numbers, Mask]:
    """Give the headers' local times in microseconds since 1970, and the mask of valid ones."""
    time = _u32(head, 6)
    digits = np.stack([head[:, 10 + index // 2] >> (4 if index % 2 == 0 else 0) & 15 for index in range(8)])
    number = digits.astype(np.int64)
    sign = (digits[7] == 12) | (digits[7] == 15)
    year = 1900 + 1000 * number[0] + 100 * number[1] + 10 * number[2] + number[3]
    day = 100 * number[4] + 10 * number[5] + number[6]
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    good = (digits[:7] <= 9).all(axis=0) & sign & (day >= 1) & (day <= 365 + leap) & (time < 8_640_000)
    new_year = (year - 1970).astype("datetime64[Y]").astype("datetime64[D]").astype(np.int64)
    return (new_year + day - 1) * _DAY + time * 10_000, np.asarray(good, dtype=np.bool_)


def _releases(release: npt.NDArray[np.int32], missing: Mask) -> pa.Array:
    encoded = numbers(release, pa.int32(), missing).dictionary_encode()
    names = [release_name(number) for number in encoded.dictionary.to_pylist()]
    return pa.array(names, pa.string()).take(encoded.indices)
