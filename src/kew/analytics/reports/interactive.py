"""An interactive page: one file with its data and its program, which loads nothing from elsewhere.

The page shows data (`Overview`), which its program draws. The state of the page stands behind the # of its address, so
a view can be bookmarked and sent: `#m=0&from=...&to=...&q=...`.
"""

import html
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kew.analytics.reports.pagescript import SCRIPT, STYLE

MOST_LINES: Final = 24  # of one chart, which colours can tell apart

Json = Mapping[str, object]


class Overview:
    """The contents of the page; moments are milliseconds of local time since 1970."""

    def __init__(self, title: str, start: int, step: int) -> None:
        self.title = title
        self.start = start
        self.step = step  # milliseconds of one bucket of time
        self.managers: list[Json] = []  # key, label, system, first, last, records
        self.charts: list[Json] = []  # id, title, unit, limit, and series: m, o, t, v, gap
        self.findings: list[Json] = []  # severity, rule, m, subject, said, times, first, last, advice, chart
        self.tables: list[Json] = []  # title, columns, rows
        self.remarks: list[str] = []


def page_lines(overview: Overview) -> Iterator[str]:
    """Give the document."""
    title = html.escape(overview.title)
    data = {
        "start": overview.start,
        "step": overview.step,
        "managers": overview.managers,
        "charts": overview.charts,
        "findings": overview.findings,
        "tables": overview.tables,
        "remarks": overview.remarks,
    }
    yield "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>"
    yield "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src 'unsafe-inline';"
    yield " script-src 'unsafe-inline'\">"
    yield f"<title>{title}</title><style>{STYLE}</style></head><body><h1>{title}</h1>\n"
    yield "<p class='note'>Times are local times of each system. Drag over a chart to look at a span of time in all of"
    yield " them; double-click for everything. Lines are broken where there are no records.</p>\n"
    yield "<div id='page'></div>\n<script id='data' type='application/json'>"
    # No character of the data can end the element.
    yield json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    yield f"</script>\n<script>{SCRIPT}</script></body></html>\n"


def rounded(values: Sequence[float]) -> list[float]:
    """Round values to five digits, which is more than a chart shows."""
    return [float(f"{value:.5g}") for value in values]


def closest(found: Sequence[Json], most: int = MOST_LINES) -> tuple[list[Json], int]:
    """Give the series with the highest values, by queue manager and object, and how many are left out."""
    kept = sorted(found, key=lambda one: -_highest(one))[:most]
    return sorted(kept, key=lambda one: (str(one["m"]).zfill(6), str(one["o"]))), max(0, len(found) - most)


def _highest(series: Json) -> float:
    values = series["v"]
    assert isinstance(values, list)
    return max(values, default=0.0)
