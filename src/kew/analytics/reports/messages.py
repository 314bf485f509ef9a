"""The output of findings as text, CSV, JSON and HTML."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

import pyarrow as pa

from kew.analytics.reports.html import page, table_html, with_remarks
from kew.analytics.reports.plain import plain
from kew.analytics.smf.tables import MANAGER, manager_name

MOST_TOLD: Final = 10_000  # findings that a teller remembers
_SEVERITIES: Final = {"E": "Act now", "W": "Investigate", "I": "For information"}


def text_lines(summary: pa.Table) -> Iterator[str]:
    """Give a line for each rule and subject of a summary of findings, with the advice below."""
    if not summary.num_rows:
        yield "No findings."
        return
    severity = ""
    for row in summary.to_pylist():
        if row["severity"] != severity:
            if severity:
                yield ""
            severity = row["severity"]
            yield f"{_SEVERITIES[severity]}:"
        times = "once" if row["times"] == 1 else f"{row['times']} times"
        when = _span(row["first"], row["last"])
        about = f"{row['rule']} {manager_name(row)} {row['subject']}"
        worst = f"{_value(row['worst'])} {row['unit']}".rstrip()
        yield f"{about}: {worst} (limit {_value(row['limit'])}), {times}, {when}"
        yield f"     {row['advice']}"


class Teller:
    """Reports findings as they arise; a repeated one is reported again after a while, with its number of repeats."""

    def __init__(self, pause: float) -> None:
        self._pause = timedelta(seconds=pause)  # by the records' own time
        self._told: dict[tuple[str, ...], tuple[datetime, int]] = {}  # when, and how often it was found since

    def lines(self, findings: pa.Table) -> Iterator[str]:
        """Give the lines for findings in order of time."""
        for row in findings.to_pylist():
            key = tuple([row[name] for name in ("severity", "rule", *MANAGER, "subject")])
            told, since = self._told.pop(key, (None, 0))
            if told is not None and row["written_local"] < told + self._pause:
                self._told[key] = told, since + 1
                continue
            self._told[key] = row["written_local"], 0
            while len(self._told) > MOST_TOLD:
                del self._told[next(iter(self._told))]
            about = f"{row['severity']} {row['rule']} {manager_name(row)} {row['subject']}"
            value = f"{_value(row['value'])} {row['unit']}".rstrip()
            again = f", {since} times since {told:%H:%M:%S}" if told is not None and since else ""
            yield f"{_moment(row['written_local'])} {about}: {value} (limit {_value(row['limit'])}){again}"
            if told is None:
                yield f"     {row['advice']}"


def csv_lines(findings: pa.Table) -> Iterator[str]:
    """Give every finding as CSV, with a header row."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(findings.schema.names)
    for row in findings.to_pylist():
        writer.writerow([plain(value) for value in row.values()])
    yield buffer.getvalue()


def json_lines(findings: pa.Table) -> Iterator[str]:
    """Give every finding as JSON, a line each."""
    for row in findings.to_pylist():
        yield json.dumps({name: plain(value) for name, value in row.items()}) + "\n"


def html_lines(summary: pa.Table, remarks: Sequence[str] = ()) -> Iterator[str]:
    """Give a summary of findings as a document, coloured by severity, with the remarks on the dumps."""
    yield from page("Findings", with_remarks(_sections(summary), remarks))


def _sections(summary: pa.Table) -> Iterator[str]:
    if not summary.num_rows:
        yield "<p>No findings.</p>\n"
        return
    rows = summary.to_pylist()
    labels = ["Rule", "System", "Queue manager", "About", "Times", "Worst", "Limit", "Unit", "First", "Last", "Advice"]
    yield table_html(
        labels,
        [label in ("Times", "Worst", "Limit") for label in labels],
        (
            [
                row["rule"],
                row["system"],
                manager_name(row).partition(",")[2],
                row["subject"],
                str(row["times"]),
                _value(row["worst"]),
                _value(row["limit"]),
                row["unit"],
                _moment(row["first"]),
                _moment(row["last"]),
                row["advice"],
            ]
            for row in rows
        ),
        [row["severity"] for row in rows],
    )


def _value(number: float) -> str:
    return f"{number:.0f}" if number == int(number) else f"{number:.2f}"


def _moment(moment: datetime) -> str:
    return moment.strftime("%Y/%m/%d,%H:%M:%S")


def _span(first: datetime, last: datetime) -> str:
    return f"at {_moment(first)}" if first == last else f"from {_moment(first)} to {_moment(last)}"
