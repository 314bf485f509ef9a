"""Reports for programs: CSV with one header row, and JSON."""

import csv
import io
import json
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal

from kew.analytics.reports.model import CellValue, Result


def csv_lines(result: Result, part: str) -> Iterator[str]:
    """Give one part as CSV: a header row, then a line for each row; an empty value is not available."""
    table = result.tables[part]
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(table.schema.names)
    yield _taken(buffer)
    for batch in table.to_batches(max_chunksize=1000):
        for row in batch.to_pylist():
            writer.writerow([plain(value) for value in row.values()])
        yield _taken(buffer)


def json_lines(result: Result) -> Iterator[str]:
    """Give all parts as one JSON object, a line for each row."""
    yield json.dumps({"report": result.report.name, "title": result.report.title})[:-1] + ', "parts": {\n'
    for number, (name, table) in enumerate(result.tables.items()):
        yield f"{',' if number else ''}{json.dumps(name)}: [\n"
        first = True
        for batch in table.to_batches(max_chunksize=1000):
            for row in batch.to_pylist():
                text = json.dumps({key: plain(value) for key, value in row.items()})
                yield text + "\n" if first else "," + text + "\n"
                first = False
        yield "]\n"
    yield "}}\n"


def plain(value: CellValue) -> int | float | str | bool | None:
    """Give a value for CSV and JSON: times in ISO 8601, whole numbers exact, bytes in hexadecimal."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value)
    if isinstance(value, bytes):
        return value.hex().upper()
    return value


def nested(value: object) -> object:
    """Give a value with lists and structures in it, for JSON."""
    if isinstance(value, list):
        return [nested(item) for item in value]
    if isinstance(value, dict):
        return {key: nested(item) for key, item in value.items()}
    return plain(value)  # type: ignore[arg-type]


def _taken(buffer: io.StringIO) -> str:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text
