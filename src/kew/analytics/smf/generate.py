"""SMF dumps of any size and release whose content is known: for tests, benchmarks and demonstrations.

A dump covers a number of intervals of a number of queue managers. Records are built once for each of a few distinct
intervals and then repeated with their times and numbers moved on, so that a gigabyte takes seconds. `Totals` holds, for
every table, the number of rows and the sum of every counter of what was written, by the generator's own arithmetic and
not by reading it back.
"""

from collections.abc import Iterator
from random import Random
from struct import Struct
from typing import Final

from kew.formats.smf import (
    RECORDS,
    STRUCTURES,
    DumpWriter,
    Framing,
    Sequences,
    Stamp,
    Structure,
    build_records,
    dump_marker,
    parse_record,
)
from kew.formats.smf.encoding import microseconds_to_tod, tod_to_datetime
from kew.formats.smf.layouts.structure import Field, Value
from kew.formats.smf.record import LONG_QWHS
from kew.formats.smf.writer import header

SECOND: Final = 1_000_000
_CLOCK: Final = Struct(">Q")
_NUMBER: Final = Struct(">I")

# Where a counter of a unit usually lies.
_RANGES: Final[dict[str, int]] = {
    "count": 10_000,
    "bytes": 4_000_000,
    "pages": 50_000,
    "buffers": 20_000,
    "blocks": 10_000,
    "msgs": 5_000,
    "us": 50_000,
    "tod": 400_000_000,
    "KiB": 5_000,
    "MiB": 900,
    "s": 3_600,
    "pct": 100,
}


class System:
    """A queue manager that writes records."""

    def __init__(self, system: str, qmgr: str, release: int, utc_offset: int = 0, qsg: str = "") -> None:
        self.system = system
        self.qmgr = qmgr
        self.release = release
        self.utc_offset = utc_offset
        self.qsg = qsg
        self.sequences = Sequences()


class Profile:
    """The contents of a dump: its queue managers, queues and tasks."""

    def __init__(
        self,
        systems: list[System],
        start: int = 1_656_504_000 * SECOND,
        interval: int = 60 * SECOND,
        pools: int = 4,
        page_sets: int = 5,
        queues: int = 20,
        tasks: int = 20,
        queues_per_task: int = 3,
        channels: int = 5,
        variety: int = 8,
        seed: int = 1,
    ) -> None:
        self.systems = systems
        self.start = start
        self.interval = interval
        self.pools = pools
        self.page_sets = page_sets
        self.queues = queues
        self.tasks = tasks
        self.queues_per_task = queues_per_task
        self.channels = channels
        self.variety = variety  # distinct intervals
        self.seed = seed


class Totals:
    """Rows of each table, and the sum of each number in them."""

    def __init__(self) -> None:
        self.records: dict[tuple[int, int], int] = {}
        self.rows: dict[str, int] = {}
        self.sums: dict[str, dict[str, int]] = {}
        self.bytes = 0

    def add(self, other: "Totals") -> None:
        """Add another's counts."""
        for key, count in other.records.items():
            self.records[key] = self.records.get(key, 0) + count
        for name, rows in other.rows.items():
            self.rows[name] = self.rows.get(name, 0) + rows
            sums = self.sums.setdefault(name, {})
            for field, value in other.sums[name].items():
                sums[field] = sums.get(field, 0) + value


class Template:
    """The records of one queue manager and interval, and the places of the values that change with time."""

    def __init__(self, records: list[bytes], totals: Totals) -> None:
        self.records = records
        self.totals = totals
        self.clocks: list[list[int]] = []
        self.numbers: list[int] = []
        for record in records:
            clocks, number = _moving(record)
            self.clocks.append(clocks)
            self.numbers.append(number)


class Generator:
    """Writes dumps; `totals` counts what was written so far."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.totals = Totals()
        self._templates: dict[tuple[int, int], Template] = {}

    def intervals(self, count: int, framing: Framing = Framing.RDW, segment: int = 32760) -> Iterator[bytes]:
        """Make a dump of `count` intervals, in pieces."""
        yield from self._dump(count, 1 << 62, framing, segment)

    def megabytes(self, size: float, framing: Framing = Framing.RDW, segment: int = 32760) -> Iterator[bytes]:
        """Make a dump of at least `size` million bytes, in pieces."""
        yield from self._dump(1 << 62, int(size * 1e6), framing, segment)

    def _dump(self, count: int, size: int, framing: Framing, segment: int) -> Iterator[bytes]:
        writer = DumpWriter(framing, segment)
        first = tod_to_datetime(microseconds_to_tod(self.profile.start))
        assert first is not None
        yield self._counted(writer.add(dump_marker(2, self.profile.systems[0].system, first.date(), 0)))
        number = 0
        while number < count and self.totals.bytes < size:
            for which, system in enumerate(self.profile.systems):
                template = self._template(which, number % self.profile.variety)
                piece = [writer.add(record) for record in self._moved(template, system, number)]
                self.totals.add(template.totals)
                yield self._counted(b"".join(piece))
            number += 1
        yield self._counted(writer.add(dump_marker(3, self.profile.systems[0].system, first.date(), 1)))
        yield self._counted(writer.finish())

    def _counted(self, piece: bytes) -> bytes:
        self.totals.bytes += len(piece)
        return piece

    def _moved(self, template: Template, system: System, number: int) -> Iterator[bytes]:
        """Give the records of a template, moved to another interval."""
        shift = number * self.profile.interval
        end = self.profile.start + shift + self.profile.interval
        stamp = Stamp(system.system, system.qmgr, system.release, end - self.profile.interval, end, system.utc_offset)
        for record, clocks, place in zip(template.records, template.clocks, template.numbers, strict=True):
            moved = bytearray(record)
            moved[4:14] = header(record[5], 0, stamp, len(record))[4:14]
            for at in clocks:
                _CLOCK.pack_into(moved, at, _CLOCK.unpack_from(record, at)[0] + (shift << 12))
            if place:
                own, written = system.sequences.take(record[5], int.from_bytes(record[22:24], "big"))
                _NUMBER.pack_into(moved, place, own)
                _NUMBER.pack_into(moved, place + 4, written)
            yield bytes(moved)

    def _template(self, which: int, variant: int) -> Template:
        key = (which, variant)
        if key not in self._templates:
            self._templates[key] = build_template(self.profile, self.profile.systems[which], variant)
        return self._templates[key]


def build_template(profile: Profile, system: System, variant: int) -> Template:
    """Build the records of one distinct interval."""
    random = Random(f"{profile.seed}.{system.system}.{system.qmgr}.{variant}")
    stamp = Stamp(
        system.system,
        system.qmgr,
        system.release,
        profile.start,
        profile.start + profile.interval,
        system.utc_offset,
        system.qsg,
    )
    totals = Totals()
    records: list[bytes] = []
    for (kind, subtype), sections in _interval(profile, system, random):
        usable = {name: rows for name, rows in sections.items() if STRUCTURES[name].length_at(system.release)}
        if not usable:
            continue
        made = build_records(kind, subtype, stamp, usable)
        records += made
        for record in made:
            key = (kind, int.from_bytes(record[22:24], "big"))
            totals.records[key] = totals.records.get(key, 0) + 1
        for name, rows in usable.items():
            identity = len(made) if name == "WTID" else 1  # repeated in each record of a task
            _count(totals, STRUCTURES[name], rows * identity, system.release)
    return Template(records, totals)


Sections = dict[str, list[dict[str, Value]]]


def _interval(profile: Profile, system: System, random: Random) -> Iterator[tuple[tuple[int, int], Sections]]:
    """Give the records that one queue manager writes at the end of an interval."""
    end = profile.start + profile.interval

    def rows(name: str, count: int = 1, **known: list[int] | list[str]) -> list[dict[str, Value]]:
        made = [random_values(STRUCTURES[name], random, end, system.release) for _ in range(count)]
        for field, values in known.items():
            for index, row in enumerate(made[: len(values)]):
                row[field] = values[index]
        return made

    yield (115, 1), {"QSST": rows("QSST"), "QJST": rows("QJST")}
    manager = {name: rows(name) for name in ("QMST", "QIST", "QLST", "QTST")}
    if system.qsg:
        manager |= {"Q5ST": rows("Q5ST"), "QEST": rows("QEST"), "QESD": rows("QESD", 2, QESDSTR=["APP1", "APP2"])}
    yield (115, 2), manager
    yield (115, 5), {"QSPH": rows("QSPH", 3, QSPHNAME=["POOL.A", "POOL.B", "POOL.C"])}
    yield (115, 6), {"QSGM": rows("QSGM", 2, QSGMCSECT=["CSQSTORA", "CSQSTORB"])}
    yield (115, 7), {"QSRS": rows("QSRS")}
    numbers = list(range(max(profile.pools, profile.page_sets)))
    yield (115, 201), {"QIS1": rows("QIS1", profile.page_sets, QIS1PSNO=numbers)}
    yield (115, 215), {"QPST": rows("QPST", profile.pools, QPSTPOOL=numbers)}
    names = [f"APP.QUEUE.{number:04d}" for number in range(profile.queues)]
    yield (115, 216), {"QQST": rows("QQST", profile.queues, QQSTQNAM=names)}
    yield (
        (115, 231),
        {
            "QCCT": rows("QCCT", QCCTJOBN=[f"{system.qmgr}CHIN"], QCCTQSGN=[system.qsg]),
            "QCT_DSP": rows("QCT_DSP", 5),
            "QCT_ADP": rows("QCT_ADP", 8),
            "QCT_SSL": rows("QCT_SSL", 2),
            "QCT_DNS": rows("QCT_DNS"),
        },
    )
    yield (116, 0), {"QWAC": rows("QWAC"), "QMAC": rows("QMAC")}
    for task in range(profile.tasks):
        correlator = _correlator(profile, system, task)
        identity = rows("WTID", WTIDATYP=[2], WTIDCCN=[f"JOB{task:05d}"], WTIDOPID=[f"USER{task % 7}"])
        used = [names[(task + step) % len(names)] for step in range(profile.queues_per_task)] if names else []
        queues = rows("WQ", len(used), OBJNAME=used, BASENAME=used)
        for queue in queues:
            queue["CORREL"] = correlator
        accounts = rows("WTAS", WTASWQCT=[len(queues)])
        accounts[0] |= {
            "WTASSTRT": int.from_bytes(correlator[:8], "big"),
            "WTASMTHR": int.from_bytes(correlator[8:12], "big"),
            "WTASWTAS": int.from_bytes(correlator[12:], "big"),
            "WTASINTS": microseconds_to_tod(profile.start),
            "WTASINTE": microseconds_to_tod(end),
        }
        yield (116, 1), {"WTID": identity, "WTAS": accounts, "WQ": queues}
    channels = [f"CHL.{number:03d}" for number in range(profile.channels)]
    yield (116, 10), {"QCST": rows("QCST", profile.channels, QCSTCHNM=channels)}


def _correlator(profile: Profile, system: System, task: int) -> bytes:
    started = microseconds_to_tod(profile.start - (task + 1) * SECOND)
    return started.to_bytes(8, "big") + task.to_bytes(4, "big") + system.qmgr.encode("cp037").ljust(4)[:4]


def random_values(structure: Structure, random: Random, end: int, release: int) -> dict[str, Value]:
    """Make plausible values for every field of the release; a peak is never below its trough."""
    length = structure.length_at(release) or structure.size
    values: dict[str, Value] = {}
    for field in structure.packer(length).fields:
        if field.kind in ("pad", "mark") or field.type in ("char", "bytes") or field.name.endswith("VER"):
            continue  # names come from the caller, version numbers from the release
        if field.inner is not None:
            values[field.name] = _entries(field, field.inner, random, end)
        elif field.count:
            values[field.name] = [_number(field, random, end) for _ in range(field.count)]
        else:
            values[field.name] = _number(field, random, end)
    return values


def _entries(field: Field, inner: Structure, random: Random, end: int) -> list[dict[str, Value]]:
    """Make a few used entries and unused others; few queues are in a coupling facility."""
    used = min(4, field.count) if inner.name != "CFSTAT_ENTRY" or random.random() < 0.01 else 0
    made = [random_values(inner, random, end, 80000) for _ in range(used)]
    for number, entry in enumerate(made):
        if inner.name == "QEST_ENTRY":
            entry["QESTSTR"] = f"APP{number}"
    empty: dict[str, Value] = {"QESTSTR": "\x00" * 12} if inner.name == "QEST_ENTRY" else {}
    return made + [empty] * (field.count - used)


def _number(field: Field, random: Random, end: int) -> int:
    if field.type == "stck":
        return microseconds_to_tod(end - random.randrange(SECOND))
    if field.codes or field.kind in ("id", "link"):
        return 1
    if field.name.endswith(("FLAG", "FLAGS")):
        return 0
    most = _RANGES.get(field.unit, 1000)
    if field.type == "todd":
        return random.randrange(most) & ~0xFFF
    share = {"trough": 0.2, "peak": 1.0}.get(field.kind, 0.6)
    low = int(most * 0.8) if field.kind == "peak" else 0
    return min(random.randint(low, max(int(most * share), low)), (1 << (8 * field.element_length - 1)) - 1)


def _count(totals: Totals, structure: Structure, rows: list[dict[str, Value]], release: int) -> None:
    """Add the rows of a structure to the totals; durations are whole microseconds, and are counted in microseconds."""
    if structure.name == "QEST":
        entries = [entry for row in rows for entry in _used(row["QESTSTUC"])]
        _count(totals, STRUCTURES["QEST_ENTRY"], entries, release)
        totals.rows["QEST"] = totals.rows.pop("QEST_ENTRY")
        totals.sums["QEST"] = totals.sums.pop("QEST_ENTRY")
        return
    totals.rows[structure.name] = totals.rows.get(structure.name, 0) + len(rows)
    sums = totals.sums.setdefault(structure.name, {})
    length = structure.length_at(release)
    for field in structure.packer(length).fields:
        if (
            field.count
            or field.kind in ("pad", "mark", "link", "id")
            or field.type not in ("u32", "i32", "u64", "i64", "todd")
        ):
            continue
        for row in rows:
            value = row.get(field.name, 0)
            if isinstance(value, int):
                sums[field.name] = sums.get(field.name, 0) + (value >> 12 if field.type == "todd" else value)


def _used(entries: Value) -> list[dict[str, Value]]:
    if not isinstance(entries, list):
        return []
    return [entry for entry in entries if isinstance(entry, dict) and not str(entry["QESTSTR"]).startswith("\x00")]


def _moving(record: bytes) -> tuple[list[int], int]:
    """Give the places of clock values that move with the interval, and of the running numbers (0 if there are none)."""
    parsed = parse_record(record)
    clocks: list[int] = []
    numbered = 0
    offset = parsed.triplets[0][0]
    if "QWHSSTCK" in parsed.product:
        clocks.append(offset + 16)
        if parsed.product.get("QWHSLEN") == LONG_QWHS:
            clocks.append(offset + 36)
        if parsed.product.get("QWHSWSEQ"):
            numbered = offset + 24
    layout = RECORDS[parsed.smf_type, parsed.subtype]
    for triplet, (start, length, count) in enumerate(parsed.triplets):
        structure = layout.structures.get(triplet)
        if structure is None or not triplet:
            continue
        for field in structure.packer(length).fields:
            if field.type == "stck" and field.name != "WTASSTRT":
                clocks += [start + length * index + field.offset for index in range(count)]
    return clocks, numbered
