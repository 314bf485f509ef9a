"""The files of mq-smf-csv a value at a time, from the plain reader: a second opinion on the columns."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import datetime, timedelta
from typing import Final, TextIO, cast

from kew.analytics.smf.csvcolumns import CODE_NAMES, FILES, IO_HEADINGS, REQUEST_ARRAYS, REQUEST_SLOTS, REQUESTS
from kew.analytics.smf.files import examine, find_dumps, read_batches, whole
from kew.formats.smf import STRUCTURES, DamagedRecord, Field, Record, Section, Structure, parse_record, tod_to_datetime
from kew.formats.smf.encoding import CODE_PAGE
from kew.formats.smf.layouts.headers import QWHC
from kew.formats.smf.layouts.structure import Value
from kew.formats.smf.record import LONG_QWHS

Values = dict[str, Value]
ABSENT: Final = "....."
_SEEMS_NUMBER: Final = frozenset("0123456789ABCDEFabcdef ")
_HEADINGS: Final = "Date,Time,LPAR,QMgr,QSG,MQ_Version,"
_INTERVAL: Final = "Interval_Start (DATE),Interval_Start (TIME),Interval_Duration,"


class Row:
    """What the columns of one line are made from."""

    def __init__(self, values: Values, section: Section, record: Record, shift: timedelta) -> None:
        self.values = values
        self.section = section
        self.record = record
        self.shift = shift


class CsvColumn:
    """One or two columns: their headings, and their text for a row."""

    def __init__(self, headings: list[str], text: Callable[[Row], str]) -> None:
        self.headings = headings
        self.text = text


class CsvFile:
    """The lines of one structure."""

    def __init__(self, name: str, empty: bool = False) -> None:
        self.name = name
        known = {"QCTADP": "QCT_ADP", "QCTDNS": "QCT_DNS", "QCTDSP": "QCT_DSP", "QCTSSL": "QCT_SSL"}
        structure = STRUCTURES[known.get(name, name)]
        self.structure = structure
        self.columns: list[CsvColumn] = []
        self._empty = empty
        fields = dict(structure.field)
        for inner in (field.inner for field in structure.fields if field.inner is not None and field.count == 1):
            fields |= inner.field
        if name == "QEST":
            fields |= STRUCTURES["QEST_ENTRY"].field
        if name == "QMAC":
            fields |= QWHC.field
        turn: dict[str, int] = {}
        for token in FILES[name].split():
            self.columns += self._columns(token, fields, turn)

    def headings(self, with_interval: bool) -> str:
        """The first line of the file."""
        own = ",".join(heading for column in self.columns for heading in column.headings)
        return f"{_HEADINGS}{_INTERVAL if with_interval else ''}{own},\n"

    def line(self, row: Row) -> str:
        """The line of a row, without the columns that all files have."""
        return "".join([column.text(row) for column in self.columns])

    def _columns(self, token: str, fields: dict[str, Field], turn: dict[str, int]) -> list[CsvColumn]:
        if token.startswith("@"):
            return self._array(token[1:], fields)
        heading, _, source = token.partition("=")
        name, _, rest = source.partition(":")
        if name == "#index":
            return [CsvColumn([heading], lambda row: f"{row.section.index},")]
        if name == "#correlator":
            return [CsvColumn([heading], lambda row: _hexadecimal(correlator(row.section, row.record)))]
        field = fields[name]
        if rest in ("char", "us"):
            return [self._odd(heading, field, rest)]
        if rest:
            return [self._flag(heading, field, rest)]
        if name == "QSPHDSPNM":
            return [self._data_space(heading)]
        if not field.count:
            return [self._column(heading, "", field, lambda row: row.values.get(name))]
        index = turn.get(name, 0)
        turn[name] = index + 1
        return [self._column(heading, "", field, lambda row: _element(row.values.get(name), index))]

    def _array(self, name: str, fields: dict[str, Field]) -> list[CsvColumn]:
        """The columns of every element of an array."""
        if name == "latches":
            made: list[CsvColumn] = []
            for index in range(32):
                made += self._elements("Latch_Wait_Time", fields["WTASLWET"], index)
                made += self._elements("Latch_Wait_Count", fields["WTASLWN"], index)
            return made
        if name == "longest":
            return [one for index in range(32) for one in self._elements("Longest_Latch", fields["WTASLMAX"], index)]
        if name == "QJSTIO":
            return self._io(fields["QJSTIO"])
        made = []
        for number, verb in enumerate(REQUEST_ARRAYS[name]):
            for kind, request in enumerate(REQUESTS):
                if name != "MQCFREQ" and request == "ReadList":
                    continue
                made += self._counters(fields[name], number * REQUEST_SLOTS + kind, f"{verb}_{request}")
        return made

    def _elements(self, heading: str, field: Field, index: int) -> list[CsvColumn]:
        return [self._column(heading, str(index + 1), field, lambda row: _element(row.values.get(field.name), index))]

    def _io(self, field: Field) -> list[CsvColumn]:
        """The figures of the log copies, by class of I/O."""
        inner = cast(Structure, field.inner)
        made: list[CsvColumn] = []
        for index, label in enumerate(("1.1", "1.2", "2.1", "2.2")):
            for heading, part in zip(IO_HEADINGS, inner.fields, strict=True):
                made.append(self._column(heading, label, part, _entry_reader(field.name, index, part.name)))
        return made

    def _counters(self, field: Field, index: int, label: str) -> list[CsvColumn]:
        inner = cast(Structure, field.inner)
        names = ("CFCount", "CFSync", "CFSync", "CFAsync", "CFAsync")
        labels = (label, label, f"{label}_ET", label, f"{label}_ET")
        return [
            self._column(names[at], labels[at], part, _entry_reader(field.name, index, part.name))
            for at, part in enumerate(inner.fields)
        ]

    def _column(self, heading: str, label: str, field: Field, value: Callable[[Row], Value | None]) -> CsvColumn:
        """A column by the type of its field."""
        spaced = f"{heading} {{{label}}}" if label else heading
        close = f"{heading}{{{label}}}" if label else heading
        missing = "" if self._empty else None
        if field.type == "todd":
            absent = ",," if missing == "" else "-1, -1 ,"
            return CsvColumn([f"{close}(S)", f"{close}(US)"], lambda row: _duration(value(row), absent))
        if field.type == "stck":
            absent = ",," if missing == "" else '"1970/01/01","00:00:00,000000",'
            return CsvColumn([f"{close} (DATE)", f"{close} (TIME)"], lambda row: _time(value(row), row.shift, absent))
        absent_text = "," if missing == "" else f'"{ABSENT}",'
        if field.type == "bytes":
            return CsvColumn([spaced], lambda row: _hexadecimal(cast(bytes | None, value(row)), absent_text))
        if field.type == "char":
            width = field.length
            return CsvColumn([spaced], lambda row: _text(cast(str | None, value(row)), width, absent_text))
        if field.codes in CODE_NAMES:
            names = CODE_NAMES[field.codes]
            return CsvColumn([spaced], lambda row: _code(cast(int | None, value(row)), names, absent_text))
        none = {"QCSTETMN": 0, "QCSTNTMN": 0}.get(field.name, -1)
        absent_number = "," if missing == "" else "-1,"
        return CsvColumn([spaced], lambda row: _number(value(row), field.none, none, absent_number))

    def _flag(self, heading: str, field: Field, rest: str) -> CsvColumn:
        words, _, mask = rest.partition(":")
        on, _, off = ("Yes/No" if words == "yes" else words).partition("/")
        bit = int(mask, 0)
        absent = "," if self._empty else f'"{ABSENT}",'
        # The last flag came with a later release than the word it is in.
        later = "QQSTOPCT" if heading == "Uncommitted" else ""

        def text(row: Row) -> str:
            value = row.values.get(field.name)
            if value is None or (later and later not in row.values):
                return absent
            return f'"{on if cast(int, value) & bit else off}",'

        return CsvColumn([heading], text)

    def _data_space(self, heading: str) -> CsvColumn:
        """The name of a data space is only there when a flag says that there is one."""

        def text(row: Row) -> str:
            there = cast(int, row.values.get("QSPHFLAGS", 0)) & 0x20
            return _text(cast(str, row.values.get("QSPHDSPNM", "")) if there else "", 8, "")

        return CsvColumn([heading], text)

    def _odd(self, heading: str, field: Field, kind: str) -> CsvColumn:
        width = field.length

        def text(row: Row) -> str:
            value = row.values.get(field.name)
            if kind == "us":
                return ("," if self._empty else "-1,") if value is None else f"{cast(int, value) >> 12},"
            if value is None:
                return "," if self._empty else f'"{ABSENT}",'
            return _text(cast(bytes, value).decode(CODE_PAGE), width, "")

        return CsvColumn([heading], text)


class CsvFormatter:
    """Turns records into lines of files."""

    def __init__(self, local: bool = False, empty: bool = False) -> None:
        self._local = local
        self._empty = empty
        self._files = {name: CsvFile(name, empty) for name in FILES}

    def lines(self, record: Record) -> list[tuple[str, str, str]]:
        """For each structure of a record: its file, the headings of that, and the line."""
        made: list[tuple[str, str, str]] = []
        shift = self._zone(record) if self._local else timedelta(0)
        interval = self._interval(record)
        common = self._common(record) + interval
        for section in record.sections:
            file = self._files.get(section.name.replace("_", ""))
            if file is None:
                continue
            headings = file.headings(bool(interval))
            for values in _rows(section, record):
                made.append((file.name, headings, common + file.line(Row(values, section, record, shift)) + "\n"))
        return made

    def _common(self, record: Record) -> str:
        written = record.written
        date, time = f'"{written:%Y/%m/%d}",', f'"{written:%H:%M:%S},{written.microsecond:06d}",'
        group = record.product.get("QWHXQSG")
        old = record.data[24:27].decode(CODE_PAGE)
        version = f"{record.release:06d}" if group is not None else old
        qsg = _text(str(group), 4, "") if group is not None else ("," if self._empty else '"....",')
        return f"{date}{time}{_text(record.system, 4, '')}{_text(record.qmgr, 4, '')}{qsg}{_text(version, 0, '')}"

    def _interval(self, record: Record) -> str:
        """The columns of the interval, which only statistics records with one have."""
        if record.smf_type != 115 or record.product.get("QWHSLEN") != LONG_QWHS:
            return ""
        start = _time(record.product["QWHSTIME"], timedelta(0), ",,")
        return f"{start}{(record.duration or 0) // 1_000_000},"

    def _zone(self, record: Record) -> timedelta:
        recorded = tod_to_datetime(cast(int, record.product.get("QWHSSTCK", 0)))
        if recorded is None:
            return timedelta(0)
        off = record.written - recorded.replace(tzinfo=None)
        return round(off / timedelta(minutes=15)) * timedelta(minutes=15)


def write_csv(names: Sequence[str], folder: str, local: bool = False, empty: bool = False) -> dict[str, int]:
    """Write the files of all dumps into a folder; the number of lines of each."""
    formatter = CsvFormatter(local, empty)
    os.makedirs(folder, exist_ok=True)
    files: dict[str, TextIO] = {}
    counts: dict[str, int] = {}
    with ExitStack() as opened:
        for record in _records(names):
            for name, headings, line in formatter.lines(record):
                if name not in files:
                    path = os.path.join(folder, f"SMF-{name}.csv")
                    files[name] = opened.enter_context(open(path, "w", encoding="utf-8"))
                    files[name].write(headings)
                files[name].write(line)
                counts[name] = counts.get(name, 0) + 1
    return counts


def _records(names: Sequence[str]) -> Iterator[Record]:
    """The records of type 115 and 116 that are in order."""
    for path in find_dumps(names):
        for batch in read_batches(whole(examine(path))):
            for index in range(len(batch.starts)):
                raw = batch.record(index)
                if raw[5] in (115, 116):
                    try:
                        yield parse_record(raw)
                    except DamagedRecord:
                        continue


def correlator(section: Section, record: Record) -> bytes | None:
    """The 16 bytes that join the rows of a task."""
    if section.name == "WTAS":
        return section.data[8:24]
    for other in record.sections:
        if other.name == "WTAS":
            return other.data[8:24]
        if other.name == "WQ":
            return other.data[16:32]
    return None


def _rows(section: Section, record: Record) -> list[Values]:
    values = section.values()
    if section.name == "QMAC":
        return [{**record.product, **values}]
    if section.name == "QEST":
        entries = cast(list[Values], values.get("QESTSTUC", []))
        return [entry for entry in entries if not cast(str, entry["QESTSTR"]).startswith("\x00")]
    if section.name == "QJST" and "QJSTCOMPR" in values:
        return [{**values, **cast(list[Values], values["QJSTCOMPR"])[0]}]
    return [values]


def _element(values: Value | None, index: int) -> int | None:
    return None if values is None else cast(list[int], values)[index]


def _entry_reader(array: str, index: int, name: str) -> Callable[[Row], Value | None]:
    def read(row: Row) -> Value | None:
        entries = row.values.get(array)
        return None if entries is None else cast(list[Values], entries)[index][name]

    return read


def _number(value: Value | None, none: int | None, shown: int, absent: str) -> str:
    if value is None:
        return absent
    return f"{shown}," if none is not None and value == none else f"{value},"


def _duration(value: Value | None, absent: str) -> str:
    if value is None:
        return absent
    seconds, microseconds = divmod(cast(int, value) >> 12, 1_000_000)
    return f"{seconds}, {microseconds} ,"


def _time(value: Value | None, shift: timedelta, absent: str) -> str:
    if value is None:
        return absent
    moment: datetime | None = tod_to_datetime(cast(int, value))
    if moment is None:
        return '"","",'
    moment += shift
    return f'"{moment:%Y/%m/%d}","{moment:%H:%M:%S},{moment.microsecond:06d}",'


def _text(value: str | None, width: int, absent: str) -> str:
    if value is None:
        return absent
    shown = "".join(letter if letter.isprintable() and letter != '"' else "." for letter in value).ljust(width)
    return f'{"=" if _SEEMS_NUMBER.issuperset(shown) else ""}"{shown}",'


def _hexadecimal(value: bytes | None, absent: str = '".....",') -> str:
    return absent if value is None else f'="{value.hex().upper()}",'


def _code(value: int | None, names: dict[int, str], absent: str) -> str:
    if value is None:
        return absent
    name = names.get(value, "")
    return f'{"" if name else "="}"{name}",'
