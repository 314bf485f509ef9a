"""The files of mq-smf-csv: one CSV for each structure, in its columns and conventions.

Text is quoted at its full width, and what looks like a number gets an equals sign before it, so that a spreadsheet does
not change it. A duration is a column of seconds and one of microseconds, a time one of the date and one of the time
with a comma before the microseconds. Every line ends with a comma. A field that a release does not have is -1, dots, or
1970; with `empty` it is left empty instead. Where the original is known to be wrong the value is right here.

Lines are made a column of thousands of rows at a time. A column that is the same in all of them, as most counters are,
is written once and not formatted again.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from typing import BinaryIO, Final, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kew.analytics.smf.columns import Bytes, Mask, Numbers, gather
from kew.analytics.smf.csvcolumns import CODE_NAMES, FILES, IO_HEADINGS, REQUEST_ARRAYS, REQUEST_SLOTS, REQUESTS
from kew.analytics.smf.csvtexts import (
    Block,
    Text,
    absent_where,
    character_texts,
    duration_texts,
    each_distinct,
    each_number,
    hexadecimal_texts,
    joined,
    local_texts,
    moment_texts,
    number_texts,
    quoted,
    spread,
)
from kew.analytics.smf.decode import QUARTER, Headers, Sections, in_file_order
from kew.analytics.smf.files import examine, find_dumps, read_batches, whole
from kew.analytics.smf.remarks import Met, Remarks
from kew.analytics.smf.tables import SOURCES
from kew.formats.smf import STRUCTURES, Batch, Field, Structure
from kew.formats.smf.encoding import CODE_PAGE
from kew.formats.smf.layouts.headers import QWHC
from kew.formats.smf.records import RMID_CHANNEL_INITIATOR

ABSENT: Final = '"....."'
WORKERS: Final = max(1, min(4, os.cpu_count() or 1))  # threads; their work is mostly outside the interpreter
ROWS: Final = 4096  # that are formatted at a time
CORRELATOR: Final = 16  # bytes that join the rows of a task
_EXTRA: Final = -1  # in the place of the end of a field: bytes that are not of the structure
_HEADINGS: Final = "Date,Time,LPAR,QMgr,QSG,MQ_Version,"
_INTERVAL: Final = "Interval_Start (DATE),Interval_Start (TIME),Interval_Duration,"


class Spot:
    """A field, or an element of one, and where it is in the rows of a block."""

    def __init__(self, field: Field, start: int, end: int) -> None:
        self.field = field
        self.start = start
        self.end = end  # rows whose structure ends before do not have it

    def element(self, index: int) -> "Spot":
        """Give one element of an array."""
        return Spot(self.field, self.start + index * self.field.element_length, self.end)

    def inner(self, part: Field) -> "Spot":
        """Give a field of the structure that this spot holds."""
        return Spot(part, self.start + part.offset, self.end)


class CsvColumn:
    """One or two columns: their headings, and their texts for the rows of a block."""

    def __init__(self, headings: list[str], texts: Callable[[Block], list[Text]]) -> None:
        self.headings = headings
        self.texts = texts


class CsvFile:
    """The lines of one structure's file."""

    def __init__(self, name: str, empty: bool = False) -> None:
        self.name = name
        known = {"QCTADP": "QCT_ADP", "QCTDNS": "QCT_DNS", "QCTDSP": "QCT_DSP", "QCTSSL": "QCT_SSL"}
        self.table = known.get(name, name)
        self.structure = STRUCTURES["QEST_ENTRY" if name == "QEST" else self.table]
        self.columns: list[CsvColumn] = []
        self._empty = empty
        spots = {field.name: Spot(field, field.offset, field.end) for field in self.structure.fields}
        for field in self.structure.fields:
            if field.inner is not None and field.count == 1:
                for part in field.inner.fields:
                    spots[part.name] = spots[field.name].inner(part)
        if name == "QMAC":
            extra = {field.name: Spot(field, self.structure.size + field.offset, _EXTRA) for field in QWHC.fields}
            spots = {**extra, **spots}
        turn: dict[str, int] = {}
        for token in FILES[name].split():
            self.columns += self._columns(token, spots, turn)

    def headings(self, with_interval: bool) -> str:
        """Give the first line of the file."""
        own = ",".join(heading for column in self.columns for heading in column.headings)
        return f"{_HEADINGS}{_INTERVAL if with_interval else ''}{own},\n"

    def lines(self, block: Block, prefix: pa.Array) -> pa.Array:
        """Give the lines of rows; `prefix` has the columns that all files have."""
        own = [text for column in self.columns for text in column.texts(block)]
        return joined([prefix, *own, "\n"], len(block))

    def _columns(self, token: str, spots: dict[str, Spot], turn: dict[str, int]) -> list[CsvColumn]:
        if token.startswith("@"):
            return self._array(token[1:], spots)
        heading, _, source = token.partition("=")
        name, _, rest = source.partition(":")
        if name == "#index":
            return [CsvColumn([heading], lambda block: [number_texts(block.index)])]
        if name == "#correlator":
            return [self._correlator(heading)]
        spot = spots[name]
        if rest in ("char", "us"):
            return [self._odd(heading, spot, rest)]
        if rest:
            return [self._flag(heading, spot, rest, spots)]
        if name == "QSPHDSPNM":
            return [self._data_space(heading, spot, spots["QSPHFLAGS"])]
        if not spot.field.count:
            return [self._column(heading, "", spot)]
        index = turn.get(name, 0)
        turn[name] = index + 1
        return [self._column(heading, "", spot.element(index))]

    def _array(self, name: str, spots: dict[str, Spot]) -> list[CsvColumn]:
        """Make the columns of every element of an array."""
        if name == "latches":
            made: list[CsvColumn] = []
            for index in range(32):
                made.append(self._column("Latch_Wait_Time", str(index + 1), spots["WTASLWET"].element(index)))
                made.append(self._column("Latch_Wait_Count", str(index + 1), spots["WTASLWN"].element(index)))
            return made
        if name == "longest":
            return [
                self._column("Longest_Latch", str(index + 1), spots["WTASLMAX"].element(index)) for index in range(32)
            ]
        if name == "QJSTIO":
            return [self._used(spots["QJSTIO"], self._io(spots["QJSTIO"]))]
        made = []
        for number, verb in enumerate(REQUEST_ARRAYS[name]):
            for kind, request in enumerate(REQUESTS):
                if name != "MQCFREQ" and request == "ReadList":
                    continue
                made += self._counters(spots[name].element(number * REQUEST_SLOTS + kind), f"{verb}_{request}")
        return [self._used(spots[name], made)]

    def _io(self, spot: Spot) -> list[CsvColumn]:
        """Make the columns of the log copies, by class of I/O."""
        inner = cast(Structure, spot.field.inner)
        made: list[CsvColumn] = []
        for index, label in enumerate(("1.1", "1.2", "2.1", "2.2")):
            for heading, part in zip(IO_HEADINGS, inner.fields, strict=True):
                made.append(self._column(heading, label, spot.element(index).inner(part)))
        return made

    def _counters(self, spot: Spot, label: str) -> list[CsvColumn]:
        inner = cast(Structure, spot.field.inner)
        names = ("CFCount", "CFSync", "CFSync", "CFAsync", "CFAsync")
        labels = (label, label, f"{label}_ET", label, f"{label}_ET")
        return [self._column(names[at], labels[at], spot.inner(part)) for at, part in enumerate(inner.fields)]

    def _used(self, spot: Spot, columns: list[CsvColumn]) -> CsvColumn:
        """Make one column of an array that hardly any row uses; only the rows that use it are formatted."""
        start, end = spot.start, spot.start + spot.field.length

        def text(block: Block) -> Text:
            return joined([text for column in columns for text in column.texts(block)], len(block))

        nothing = np.zeros((1, self.structure.size), dtype=np.uint8)
        zero = text(Block(nothing, None, np.zeros(1, dtype=np.int64)))
        lacking = text(Block(nothing, np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)))
        assert isinstance(zero, str)
        assert isinstance(lacking, str)

        def texts(block: Block) -> list[Text]:
            used = np.asarray(block.rows[:, start:end].any(axis=1))
            shown: Text = zero
            if used.any():
                some = Block(block.rows[used], None, block.index[used])
                some.shift = None if block.shift is None else block.shift[used]
                shown = pc.replace_with_mask(spread(zero, len(block)), pa.array(used), spread(text(some), len(some)))
            return [absent_where(block.missing(spot.end), shown, lacking)]

        return CsvColumn([heading for column in columns for heading in column.headings], texts)

    def _column(self, heading: str, label: str, spot: Spot) -> CsvColumn:
        """Make a column by the type of its field."""
        field = spot.field
        spaced = f"{heading} {{{label}}}" if label else heading
        close = f"{heading}{{{label}}}" if label else heading
        if field.type in ("todd", "stck"):
            return self._pair(close, spot)
        texts: Callable[[Block], Text]
        absent = "" if self._empty else ABSENT
        if field.type == "bytes":
            texts = lambda block: hexadecimal_texts(block.raw(spot.start, field.length))  # noqa: E731
        elif field.type == "char":
            texts = lambda block: character_texts(block.raw(spot.start, field.length), field.length)  # noqa: E731
        elif field.codes in CODE_NAMES:
            names = CODE_NAMES[field.codes]
            texts = lambda block: each_number(block.values(field, spot.start), lambda code: _code(names, code))  # noqa: E731
        else:
            none = {"QCSTETMN": 0, "QCSTNTMN": 0}.get(field.name, -1)
            texts = lambda block: number_texts(block.values(field, spot.start), field.none, none)  # noqa: E731
            absent = "" if self._empty else "-1"
        return CsvColumn([spaced], lambda block: [absent_where(block.missing(spot.end), texts(block), absent)])

    def _pair(self, heading: str, spot: Spot) -> CsvColumn:
        """Make the two columns of a duration or a time."""
        if spot.field.type == "todd":
            headings, absent = [f"{heading}(S)", f"{heading}(US)"], ("-1", " -1 ")
        else:
            headings, absent = [f"{heading} (DATE)", f"{heading} (TIME)"], ('"1970/01/01"', '"00:00:00,000000"')
        if self._empty:
            absent = ("", "")

        def texts(block: Block) -> list[Text]:
            values = block.values(spot.field, spot.start)
            pair = duration_texts(values) if spot.field.type == "todd" else moment_texts(values, block.shift)
            missing = block.missing(spot.end)
            return [absent_where(missing, text, other) for text, other in zip(pair, absent, strict=True)]

        return CsvColumn(headings, texts)

    def _correlator(self, heading: str) -> CsvColumn:
        start = self.structure.size

        def texts(block: Block) -> list[Text]:
            return [absent_where(block.missing(_EXTRA), hexadecimal_texts(block.raw(start, CORRELATOR)), ABSENT)]

        return CsvColumn([heading], texts)

    def _flag(self, heading: str, spot: Spot, rest: str, spots: dict[str, Spot]) -> CsvColumn:
        choice, _, mask = rest.partition(":")
        on, _, off = ("Yes/No" if choice == "yes" else choice).partition("/")
        bit = int(mask, 0)
        absent = "" if self._empty else ABSENT
        # The last flag came with a later release than the word it is in.
        end = spots["QQSTOPCT"].end if heading == "Uncommitted" else spot.end

        def texts(block: Block) -> list[Text]:
            shown = each_number(block.values(spot.field, spot.start), lambda word: f'"{on if word & bit else off}"')
            return [absent_where(block.missing(end), shown, absent)]

        return CsvColumn([heading], texts)

    def _data_space(self, heading: str, spot: Spot, flags: Spot) -> CsvColumn:
        """Make the column of a data space's name, which is there only if a flag is set."""

        def texts(block: Block) -> list[Text]:
            name = character_texts(block.raw(spot.start, 8), 8)
            there: Mask = block.values(flags.field, flags.start) & 0x20 != 0
            if len(there) == 1:
                return [name if there[0] else quoted("", 8)]
            return [pc.if_else(pa.array(there), pa.scalar(name) if isinstance(name, str) else name, quoted("", 8))]

        return CsvColumn([heading], texts)

    def _odd(self, heading: str, spot: Spot, kind: str) -> CsvColumn:
        field = spot.field
        if kind == "us":
            absent = "" if self._empty else "-1"

            def whole(block: Block) -> list[Text]:
                microseconds = block.values(field, spot.start).astype(np.uint64) >> np.uint64(12)
                return [absent_where(block.missing(spot.end), number_texts(microseconds), absent)]

            return CsvColumn([heading], whole)
        lacking = "" if self._empty else ABSENT

        def texts(block: Block) -> list[Text]:
            shown = character_texts(block.raw(spot.start, field.length), field.length, "")
            return [absent_where(block.missing(spot.end), shown, lacking)]

        return CsvColumn([heading], texts)


Formatted = tuple[list[tuple[CsvFile, bool, pa.Array]], Met]


class CsvFormatter:
    """Turns batches of records into lines of files."""

    def __init__(self, local: bool = False, empty: bool = False) -> None:
        self._local = local
        self._empty = empty
        self._files = {name: CsvFile(name, empty) for name in FILES}

    def lines(self, batch: Batch) -> "Formatted":
        """Give the lines of a batch: their file, whether it has the columns of an interval, and some lines."""
        made: list[tuple[CsvFile, bool, pa.Array]] = []
        headers = Headers(batch)
        damage = list(batch.damage)
        sections = headers.sections(damage)
        headers.note_types(damage)
        prefix: pa.Array | None = None
        for file in self._files.values():
            places = [sections[source] for source in SOURCES[file.table] if source in sections]
            if not places:
                continue
            if prefix is None:
                prefix, has_interval = self._prefix(headers)
            found = in_file_order(places)
            if file.name == "QEST":
                found = headers.used_entries(found)
            lengths = headers.filled(STRUCTURES[file.table], found) if file.name != "QEST" else None
            for start in range(0, len(found.record), ROWS):
                some = found.part(start, start + ROWS)
                cut = None if lengths is None else lengths[start : start + ROWS]
                block = self._block(file, headers, some, cut, sections)
                lines = file.lines(block, prefix.take(pa.array(some.record)))
                made.append((file, bool(has_interval[some.record[0]]), lines))
        return made, headers.met

    def _block(
        self,
        file: CsvFile,
        headers: Headers,
        found: Sections,
        lengths: Numbers | None,
        sections: dict[tuple[int, int, int], Sections],
    ) -> Block:
        """Gather the rows of structures, with the other bytes that their file shows."""
        size = file.structure.size
        rows = gather(headers.buffer, found.start, size)
        missing: Mask | None = None
        if file.name == "QMAC":
            rows = np.hstack([rows, gather(headers.buffer, headers.correlation(found.record), QWHC.size)])
            missing = ~headers.has_correlation[found.record]
        elif file.name in ("WTID", "WTAS"):
            places = headers.correlator_places(file.name == "WTID", found, sections)
            rows = np.hstack([rows, gather(headers.buffer, np.maximum(places, 0), CORRELATOR)])
            missing = places < 0
        block = Block(rows, lengths, found.index)
        block.extra_missing = missing if missing is not None and missing.any() else None
        if self._local:
            off = np.round((headers.local - headers.end) / QUARTER).astype(np.int64) * QUARTER
            block.shift = np.where(headers.has_end, off, 0)[found.record]
        return block

    def _prefix(self, headers: Headers) -> tuple[pa.Array, Mask]:
        """Give the columns that all files have, for each record, and the mask of records that have an interval."""
        count = len(headers.starts)
        # Records of other products have any bytes in these places, but no lines either.
        good = headers.good
        local = np.where(good, headers.local, 0)
        groups = absent_where(~headers.extended, character_texts(headers.extension[:, 4:8], 4), self._no_group())
        numbers = each_number(headers.release, lambda release: quoted(f"{release:06d}", 0))
        digits = each_distinct(headers.head[:, 24:27], lambda raw: quoted(raw.decode(CODE_PAGE), 0))
        versions = pc.if_else(pa.array(headers.extended), spread(numbers, count), spread(digits, count))
        names = [character_texts(headers.head[:, at : at + 4], 4, " \x00") for at in (14, 18)]
        prefix = spread(joined([*local_texts(local), *names, groups, versions], count), count)
        has_interval: Mask = (headers.type == 115) & headers.long
        if not has_interval.any():
            return prefix, has_interval
        start = moment_texts(_clock(headers.product, 36), None)
        raw = _clock(headers.product, 44)
        chinit = headers.product[:, 3] == RMID_CHANNEL_INITIATOR
        seconds = np.where(chinit, raw >> np.uint64(12), raw) // np.uint64(1_000_000)
        longer = spread(joined([prefix, *start, number_texts(seconds)], count), count)
        return pc.if_else(pa.array(has_interval), longer, prefix), has_interval

    def _no_group(self) -> str:
        return "" if self._empty else '"...."'


class CsvFolder:
    """Writes lines to the files of a folder, each file from its first line on."""

    def __init__(self, folder: str, opened: ExitStack) -> None:
        self._folder = folder
        self._opened = opened
        self._files: dict[str, BinaryIO] = {}
        self.counts: dict[str, int] = {}

    def write(self, made: list[tuple[CsvFile, bool, pa.Array]]) -> None:
        """Write the lines of a batch."""
        for file, with_interval, lines in made:
            self._add(file, with_interval, lines)

    def _add(self, file: CsvFile, with_interval: bool, lines: pa.Array) -> None:
        """Write lines."""
        if file.name not in self._files:
            path = os.path.join(self._folder, f"SMF-{file.name}.csv")
            made = self._opened.enter_context(open(path, "wb"))  # noqa: SIM115
            self._files[file.name] = made
            made.write(file.headings(with_interval).encode())
            self.counts[file.name] = 0
        _, ends, data = lines.buffers()
        bounds = np.frombuffer(ends, dtype=np.int32)
        first, last = int(bounds[lines.offset]), int(bounds[lines.offset + len(lines)])
        self._files[file.name].write(memoryview(data)[first:last])
        self.counts[file.name] += len(lines)


def write_csv(
    names: Sequence[str], folder: str, local: bool = False, empty: bool = False, remarks: Remarks | None = None
) -> dict[str, int]:
    """Write the files of all dumps into a folder, and give the number of lines of each."""
    formatter = CsvFormatter(local, empty)
    os.makedirs(folder, exist_ok=True)
    with ExitStack() as opened:
        files = CsvFolder(folder, opened)
        workers = opened.enter_context(ThreadPoolExecutor(WORKERS))
        waiting: deque[tuple[str, Future[Formatted]]] = deque()

        def write(path: str, made: "Future[Formatted]") -> None:
            lines, met = made.result()
            files.write(lines)
            if remarks is not None:
                remarks.add_met(path, met)

        for path, batch in _batches(names):
            waiting.append((path, workers.submit(formatter.lines, batch)))
            if len(waiting) > WORKERS:
                write(*waiting.popleft())
        for path, made in waiting:
            write(path, made)
    return files.counts


def _batches(names: Sequence[str]) -> Iterator[tuple[str, Batch]]:
    for path in find_dumps(names):
        for batch in read_batches(whole(examine(path))):
            yield path, batch


def _clock(rows: Bytes, at: int) -> "np.ndarray[tuple[int], np.dtype[np.uint64]]":
    return np.ascontiguousarray(rows[:, at : at + 8]).view(">u8")[:, 0].astype(np.uint64)


def _code(names: dict[int, str], code: int) -> str:
    name = names.get(code, "")
    return f'{"" if name else "="}"{name}"'
