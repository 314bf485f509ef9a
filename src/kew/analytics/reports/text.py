"""Reports as text: one group for each record, with the lines that MQ's own reports begin with.

    MVAA,VTS1,2022/06/29,21:13:21,VRM:930,
    From 2022/06/29,21:13:20 to 2022/06/29,21:13:21, duration 1 seconds.

Times of headers are shown in local time and clock values inside records in UTC, unless all times are to be in UTC. A
field that a release does not have is left out of lines, and is a dash in tables.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import groupby
from typing import Final

from kew.analytics.reports.model import ORDER, Cell, CellValue, Part, Result

Row = dict[str, CellValue]

LABEL: Final = 25  # where values start
TASK_TABLES: Final = {"DISP", "ADAP", "SSL", "DNS"}
_DAY: Final = "%Y/%m/%d"
_CLOCK: Final = "%H:%M:%S"


class TextReport:
    """Writes the text of one report."""

    def __init__(self, result: Result, utc: bool = False) -> None:
        self.result = result
        self.utc = utc

    def lines(self) -> Iterator[str]:
        """Give the whole report, line by line."""
        parts = self.result.report.parts
        tagged = [
            (tuple(_sortable(row[key]) for key in ORDER[:-1]), index, row)
            for index, part in enumerate(parts)
            for row in self.result.rows(part.name)
        ]
        tagged.sort(key=lambda item: (item[0], item[1]))
        first = True
        for _, group in groupby(tagged, key=lambda item: item[0]):
            members = list(group)
            if not first:
                yield ""
            first = False
            rows = [[row for _, index, row in members if index == number] for number in range(len(parts))]
            yield from self._group(rows)

    def _group(self, rows: list[list[Row]]) -> Iterator[str]:
        some = next(part[0] for part in rows if part)
        name = self.result.report.name
        if name == "TASK":
            yield self.heading(some, "qmgr")
            yield from self._task(rows)
            return
        yield self.heading(some, "qmgr")
        span = self.span(some)
        if span:
            yield span
        for part, members in zip(self.result.report.parts, rows, strict=True):
            if not members:
                continue
            if name in ("QSTAT", "QSTATCSV"):
                for row in members:
                    yield from self._queue(part, row)
            elif part.lines:
                for row in members:
                    yield from self._lines(part, row)
            else:
                yield from self._table(part, members)

    def heading(self, row: Row, qmgr: str) -> str:
        """Give the heading as MQ's reports begin: system, queue manager, date, time and release."""
        written = row["written_local"]
        if self.utc and isinstance(written, datetime):
            written -= timedelta(minutes=_number(row["utc_offset"]))
        stamp = _moment(written, ",")
        return f"{said(row['system'])},{said(row[qmgr])},{stamp},VRM:{release_digits(row['vrm'])},"

    def span(self, row: Row) -> str:
        """Give the interval of a row, empty where the record has none."""
        start = row["interval_start"] if self.utc else row["interval_start_local"]
        duration = row["duration_us"]
        if not isinstance(start, datetime) or duration is None:
            return ""
        end = start + timedelta(microseconds=_number(duration))
        return f"From {_moment(start, ',')} to {_moment(end, ',')}, duration {round(_number(duration) / 1e6)} seconds."

    def _lines(self, part: Part, row: Row) -> Iterator[str]:
        for cell in part.cells:
            value = show(cell, row[cell.name])
            if value:
                label = f"{cell.label}:"
                yield f"{label if len(label) < LABEL else label + ' ':<{LABEL}}{value}{_unit(cell)}"

    def _table(self, part: Part, rows: list[Row]) -> Iterator[str]:
        yield part.title
        cells = [cell for cell in part.cells if cell.name not in ("cpu", "elapsed") or part.name not in TASK_TABLES]
        table = [[show(cell, row[cell.name]) or "-" for cell in cells] for row in rows]
        if part.name in TASK_TABLES:
            table.append([value or "-" for value in _summary(cells, rows)])
        widths = [max(len(cell.label), *(len(line[at]) for line in table)) for at, cell in enumerate(cells)]
        head = [_set(cell.label, widths[at], cell.numeric) for at, cell in enumerate(cells)]
        yield "  ".join(head).rstrip()
        for line in table:
            yield "  ".join(_set(line[at], widths[at], cell.numeric) for at, cell in enumerate(cells)).rstrip()

    def _queue(self, part: Part, row: Row) -> Iterator[str]:
        """Give the lines of a queue as in report QSTAT."""
        complete = "PARTIAL RECORD" if row["partial"] else "COMPLETE RECORD"
        yield f"= Queue Name {said(row['queue'])}      {complete}      {self.heading(row, 'subsystem')}"
        if row["shared"]:
            yield f"> Disposition Shared QSG Name {said(row['group'])}      CF Struct Name {said(row['structure'])}"
        else:
            place = [show_number(row[name], "d") or "none" for name in ("page_set", "pool")]
            yield f"> Disposition Private Pageset ID {place[0]}      Bufferpool ID {place[1]}"
        for cell in part.cells:
            if cell.name in ("queue", "shared", "partial", "page_set", "pool", "group", "structure", "uncommitted"):
                continue
            value = show(cell, row[cell.name])
            if value:
                yield f"{cell.label} {value}{_spaced(cell)}"

    def _task(self, rows: list[list[Row]]) -> Iterator[str]:
        """Give the lines of a task and its queues as in report TASK."""
        identities, tasks, queues = rows
        for row in identities:
            user = row["user"] or row["operator"]
            line = f"{said(row['qmgr'])} {said(row['kind'])} Jobname:{said(row['job'])} Userid:{said(user)}"
            yield f"{line} Channel:{said(row['channel'])} {said(row['partner'])}".rstrip() if row["channel"] else line
        for row in tasks:
            yield from self._columns(self.result.report.parts[1], row, "", ("correlator",))
        for row in queues:
            yield f"{'Open name':<32}{said(row['open_name'])}"
            if row["base_name"] != row["open_name"]:
                yield f"{'Base name':<32}{said(row['base_name'])}"
            skip = ("correlator", "open_name", "base_name")
            yield from self._columns(self.result.report.parts[2], row, str(row["open_name"]), skip)

    def _columns(self, part: Part, row: Row, name: str, skip: tuple[str, ...]) -> Iterator[str]:
        """Give lines of label, value and queue; the average of a call that was not made has no line."""
        for cell in part.cells:
            value = show(cell, row[cell.name], ", ")
            if cell.name in skip or not value:
                continue
            yield f"{cell.label:<32}{value + _spaced(cell):>22}  {name}".rstrip()


def release_digits(vrm: CellValue) -> str:
    """Give a release as the digits of report headings, such as 930."""
    number = int(_number(vrm))
    return f"{number // 10000}{number // 100 % 100}{number % 100}"


def show(cell: Cell, value: CellValue, between: str = " ") -> str:
    """Give a value as text, empty for null."""
    if value is None:
        return ""
    if cell.show == "time":
        return _moment(value, between)
    if cell.show == "yes":
        return "Yes" if value else "No"
    if cell.show in ("text", "code", "hex"):
        return said(value)
    return show_number(value, cell.show)


def said(value: CellValue) -> str:
    """Give a name as it is, bytes in hexadecimal, empty for null."""
    if isinstance(value, bytes):
        return value.hex().upper()
    return "" if value is None else str(value)


def show_number(value: CellValue, form: str) -> str:
    """Give a number in a format, empty for null."""
    if value is None:
        return ""
    number = _number(value)
    if form in ("d", "us"):
        return str(int(number))
    if form in ("short", "short3"):
        digits = f"{number:.0f}" if number >= 10 else f"{number:.2f}"
        return digits.rjust(3) if form == "short3" else digits
    return format(number, form)


def _summary(cells: list[Cell], rows: list[Row]) -> list[str]:
    """Give the last line of a table of tasks: sums, averages over the tasks, and averages from the sums."""

    def total(name: str) -> float:
        return sum(_number(row[name]) for row in rows if row[name] is not None)

    requests = total("requests")
    values: Row = {
        "task": None,
        "requests": int(requests),
        "busy": total("busy") / len(rows),
        "cpu_seconds": total("cpu_seconds"),
        "cpu_share": total("cpu_share") / len(rows),
        "cpu_average": total("cpu") / requests if requests else None,
        "elapsed_average": total("elapsed") / requests if requests else None,
    }
    if "longest" in rows[0]:
        values["longest"] = max(_number(row["longest"]) for row in rows)
        values["longest_at"] = None
    if "channels" in rows[0]:
        values["channels"] = int(total("channels"))
    return ["Summ" if cell.name == "task" else show(cell, values[cell.name]) for cell in cells]


def _moment(value: CellValue, between: str) -> str:
    if not isinstance(value, datetime):
        return ""
    if value.tzinfo is not None:
        value = value.astimezone(UTC)
    return value.strftime(_DAY) + between + value.strftime(_CLOCK)


def _number(value: CellValue) -> float:
    if isinstance(value, int | float):
        return value
    return int(value) if isinstance(value, Decimal) else 0


def _sortable(value: CellValue) -> tuple[bool, CellValue]:
    return (value is not None, value)


def _unit(cell: Cell) -> str:
    return f" {cell.unit}" if cell.unit not in ("", "%", "MB/s per copy") else cell.unit


def _spaced(cell: Cell) -> str:
    return f" {cell.unit}" if cell.unit not in ("", "%") else cell.unit


def _set(text: str, width: int, right: bool) -> str:
    return text.rjust(width) if right else text.ljust(width)
