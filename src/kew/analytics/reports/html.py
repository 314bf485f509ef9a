"""A report as one HTML file: tables and charts, nothing to load from elsewhere."""

import html
import io
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from kew.analytics.reports.model import CellValue, Chart, Part, Result
from kew.analytics.reports.text import release_digits, said, show
from kew.analytics.smf.tables import manager_name

MOST_ROWS: Final = 2000  # of a table; the other forms of a report have them all
MOST_LINES: Final = 12  # of a chart

_EPOCH: Final = datetime(1970, 1, 1)
_STYLE: Final = """
body { font: 14px system-ui, sans-serif; margin: 2em; color: #222; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin-top: 2em; }
table { border-collapse: collapse; font-size: 12px; display: block; overflow-x: auto; }
th, td { padding: 2px 8px; border-bottom: 1px solid #ddd; white-space: nowrap; text-align: left; }
th { position: sticky; top: 0; background: #f3f3f3; } .n { text-align: right; }
.E { background: #fbd5d5; } .W { background: #fdf0cf; } .I { background: #e4eefb; }
svg { max-width: 100%; height: auto; }
"""


def page(title: str, sections: Iterator[str]) -> Iterator[str]:
    """Give a whole document around sections."""
    yield "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>"
    yield f"<title>{html.escape(title)}</title><style>{_STYLE}</style></head><body>\n"
    yield f"<h1>{html.escape(title)}</h1>\n"
    yield from sections
    yield "</body></html>\n"


def html_lines(result: Result, remarks: Sequence[str] = ()) -> Iterator[str]:
    """Give the report as a document, with the remarks on the dumps."""
    yield from page(f"{result.report.name}: {result.report.title}", with_remarks(sections(result), remarks))


def with_remarks(parts: Iterator[str], remarks: Sequence[str]) -> Iterator[str]:
    """Give the sections of a document, and remarks behind them."""
    yield from parts
    if remarks:
        yield "<h2>What the dumps hold besides</h2>\n"
        yield from (f"<p>{html.escape(said(line))}</p>\n" for line in remarks)


def sections(result: Result) -> Iterator[str]:
    """Give the charts, then the tables of the parts."""
    for chart in result.report.charts:
        yield chart_svg(result, chart)
    for part in result.report.parts:
        yield from _part(result, part)


def _part(result: Result, part: Part) -> Iterator[str]:
    table = result.tables[part.name]
    yield f"<h2>{html.escape(part.title)}</h2>\n"
    if not table.num_rows:
        yield "<p>No records.</p>\n"
        return
    # Cells that no row has, because no release in the data does, would only be empty columns.
    cells = [cell for cell in part.cells if table.column(cell.name).null_count < table.num_rows]
    head = ["System", "Queue manager", "Release", "Local time"]
    labels = [f"{cell.label} {cell.unit}".strip() for cell in cells]
    yield table_html(
        [*head, *labels],
        [False] * 4 + [cell.numeric for cell in cells],
        (
            [
                str(row["system"]),
                str(row["qmgr"]),
                release_digits(row["vrm"]),
                _time(row["written_local"]),
                *(show(cell, row[cell.name]) for cell in cells),
            ]
            for row in table.slice(0, MOST_ROWS).to_pylist()
        ),
    )
    if table.num_rows > MOST_ROWS:
        yield f"<p>The first {MOST_ROWS} of {table.num_rows} rows.</p>\n"


def table_html(
    labels: Sequence[str], numeric: Sequence[bool], rows: Iterator[list[str]], classes: Sequence[str] | None = None
) -> str:
    """Give an HTML table; `classes` gives a class to each row."""
    marks = [" class='n'" if number else "" for number in numeric]
    text = io.StringIO()
    text.write("<table><tr>")
    for label, mark in zip(labels, marks, strict=True):
        text.write(f"<th{mark}>{html.escape(label)}</th>")
    text.write("</tr>\n")
    for number, row in enumerate(rows):
        text.write(f"<tr class='{classes[number]}'>" if classes else "<tr>")
        for value, mark in zip(row, marks, strict=True):
            text.write(f"<td{mark}>{html.escape(value)}</td>")
        text.write("</tr>\n")
    text.write("</table>\n")
    return text.getvalue()


def chart_svg(result: Result, chart: Chart) -> str:
    """Draw a chart as an SVG element, empty when there is nothing to draw."""
    lines: dict[str, list[tuple[datetime, float]]] = {}
    for row in result.rows(chart.part):
        when, value = row["written_local"], row[chart.cell]
        if isinstance(when, datetime) and value is not None:
            name = f"{manager_name(row)} {said(row[chart.each])}" if chart.each else manager_name(row)
            lines.setdefault(name, []).append((when, float(value)))  # type: ignore[arg-type]
    if not lines:
        return ""
    # Where there are more lines than a reader can tell apart, the highest matter.
    names = sorted(lines, key=lambda name: max(value for _, value in lines[name]), reverse=True)
    shown = sorted(names[:MOST_LINES])
    note = f" (the {MOST_LINES} highest of {len(names)})" if len(names) > MOST_LINES else ""
    return draw(chart.title + note, chart.label, {name: lines[name] for name in shown})


def draw(title: str, label: str, lines: dict[str, list[tuple[datetime, float]]]) -> str:
    """Draw lines over time as an SVG element."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "kew"
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3), layout="constrained")
    axes = figure.subplots()
    axes.xaxis_date()
    for name, points in lines.items():
        days = [(when - _EPOCH) / timedelta(days=1) for when, _ in points]
        axes.plot(days, [value for _, value in points], label=name, marker=".", linewidth=1)
    axes.set_title(title, fontsize=10, loc="left")
    axes.set_ylabel(label)
    axes.set_ylim(bottom=0)
    axes.grid(visible=True, alpha=0.3)
    axes.tick_params(labelsize=7)
    figure.autofmt_xdate()
    if len(lines) > 1:
        axes.legend(fontsize=7, ncols=3)
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    svg = out.getvalue()
    return svg[svg.index("<svg") :] + "\n"


def _time(value: CellValue) -> str:
    return value.strftime("%Y-%m-%d %H:%M:%S") if isinstance(value, datetime) else ""
