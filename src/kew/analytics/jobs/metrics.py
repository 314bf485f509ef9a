"""Metrics over time: a formula over a table, one series for each queue manager and object.

    QMST: QMSTPUT + QMSTPUT1
    QQST: QQSTDPTH by QQSTQNAM
    QPST: 100 * (QPSTNBUF - QPSTCBSL) / QPSTNBUF

A formula whose columns all count events of the interval becomes a rate per second, unless it divides; any other is a
value as it is. One that begins with `100 *` is a share in percent. Without `by` the object is the one that a row of the
table describes.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kew.analytics.reports.expressions import BadFormula, Formula
from kew.analytics.smf.tables import LOCAL, MANAGER, MOMENT, table_named

Numbers = npt.NDArray[np.int64]

OBJECT: Final = {
    "QQST": "QQSTQNAM",
    "QPST": "QPSTPOOL",
    "QIS1": "QIS1PSNO",
    "QCST": "QCSTCHNM",
    "QESD": "QESDSTR",
    "QEST": "QESTSTR",
    "QSPH": "QSPHNAME",
    "QSGM": "QSGMCSECT",
    "QCT_ADP": "QCTTSKN",
    "QCT_DNS": "QCTTSKN",
    "QCT_DSP": "QCTTSKN",
    "QCT_SSL": "QCTTSKN",
    "QWAC": "QWHCCN",
    "QMAC": "QWHCCN",
    "WQ": "BASENAME",
}
HOURLY: Final = ("QMAC", "QWAC", "WQ", "WTAS", "WTID")  # rows are of tasks, which end when they do: by the hour

# A value of a series: its time in UTC and local time, its size, and the size of one counted thing in it.
POINTS: Final = pa.schema(
    [
        *(pa.field(name, pa.string()) for name in MANAGER),
        pa.field("metric", pa.string()),
        pa.field("object", pa.string()),
        pa.field("start", MOMENT),
        pa.field("start_local", LOCAL),
        pa.field("duration_us", pa.int64()),
        pa.field("value", pa.float64()),
        pa.field("quantum", pa.float64()),
    ]
)
SERIES: Final = (*MANAGER, "metric", "object")
_HOUR: Final = 3_600_000_000


class Metric:
    """A formula over a table, and the column that names the object."""

    def __init__(self, text: str) -> None:
        """Read `TABLE: formula by COLUMN`."""
        self.text = text
        table, colon, rest = text.partition(":")
        if not colon:
            raise BadFormula(f"{text!r} is not a metric: the form is TABLE: FORMULA, or TABLE: FORMULA by COLUMN")
        formula, by, column = rest.partition(" by ")
        self.table = table_named(table.strip())
        if self.table.structure is None:
            raise BadFormula(f"{text!r}: the table {self.table.name} has no values of intervals")
        self.formula = Formula(formula)
        self.object = column.strip() if by else OBJECT.get(self.table.name, "")
        self.name = f"{self.table.name}: {formula.strip()}"
        for name in (*self.formula.columns, *([self.object] if self.object else [])):
            if name not in self.table.column:
                raise BadFormula(f"{text!r}: table {self.table.name} has no column {name}")
        kinds = {self.table.column[name].counts for name in self.formula.columns}
        self.rate = kinds == {"delta"} and "/" not in formula
        self.counted = "/" not in formula and all(pa.types.is_integer(kind) for kind in self._types())
        self.least = 1.0 if formula.strip().startswith("100 *") else 0.0  # points: no spread is smaller
        self.hourly = self.table.name in HOURLY

    @property
    def columns(self) -> list[str]:
        """Give the columns of the table that the metric reads."""
        needed = self.formula.columns | {self.object} | set(_COMMON)
        return [name for name in self.table.column if name in needed]

    def _types(self) -> list[pa.DataType]:
        return [self.table.column[name].type for name in self.formula.columns]

    def points(self, rows: pa.RecordBatch, zone: ZoneInfo | None = None) -> pa.RecordBatch:
        """Give the values of rows of the table; local times are the system's, or those of a time zone."""
        length = pc.fill_null(rows.column("duration_us"), 0)
        written = rows.column("written_local").cast(pa.int64())
        offset = pc.multiply(pc.fill_null(rows.column("utc_offset"), 0).cast(pa.int64()), 60_000_000)
        start = pc.coalesce(
            rows.column("interval_start").cast(pa.int64()),
            pc.subtract(rows.column("recorded").cast(pa.int64()), length),
            pc.subtract(pc.subtract(written, offset), length),
        )
        if zone is not None:
            offset = pa.array(_offsets(start.to_numpy(zero_copy_only=False), zone))
        value = self.formula.evaluate(rows)
        seconds = length.to_numpy(zero_copy_only=False) / 1e6
        quantum = np.full(len(value), 1.0 if self.counted else 0.0)
        if self.rate and not self.hourly:
            with np.errstate(all="ignore"):
                quantum = np.where(seconds > 0, 1 / seconds, np.nan)
            value = value * quantum
        named = rows.column(self.object).cast(pa.string()) if self.object else pa.repeat("", rows.num_rows)
        made = pa.RecordBatch.from_arrays(
            [
                *(pc.fill_null(rows.column(name), "") for name in MANAGER),
                pa.repeat(self.name, rows.num_rows),
                pc.fill_null(named, ""),
                start.cast(MOMENT),
                pc.add(start, offset).cast(LOCAL),
                length,
                pa.array(value),
                pa.array(quantum),
            ],
            schema=POINTS,
        )
        known = np.isfinite(value) & np.isfinite(quantum)
        return made.filter(pc.and_(pa.array(known), pc.is_valid(made.column("start"))))


_COMMON: Final = (*MANAGER, "written_local", "recorded", "interval_start", "duration_us", "utc_offset")

# The metrics examined by default: load, response of the logger, storage, depth, channels, cost of work.
USUAL: Final = (
    "QMST: QMSTPUT + QMSTPUT1",
    "QMST: QMSTGET",
    "QMST: QMSTPBP + QMSTNBP",
    "QJST: QJSTCIWR",
    "QPST: QPSTRIO",
    "QPST: 100 * (QPSTNBUF - QPSTCBSL) / QPSTNBUF",
    "QIS1: QIS1TOPG - QIS1UNPG",
    "QQST: QQSTPUTS + QQSTPUT1",
    "QQST: QQSTGETS",
    "QQST: QQSTDPTH",
    "QCST: QCSTNMSG",
    "WTAS: WTASCMCT + WTASBACT + WTASOTCT",
)


def metrics_named(texts: Sequence[str]) -> list[Metric]:
    """Read metrics, or give the usual ones."""
    return [Metric(text) for text in texts or USUAL]


def zone_named(name: str) -> ZoneInfo:
    """Give a time zone by its name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise ValueError(f"{name!r} is not a time zone; the form is Europe/Berlin") from None


def columns_of(metrics: Sequence[Metric]) -> dict[str, list[str]]:
    """Give the columns that metrics need of each table."""
    needed: dict[str, list[str]] = {}
    for metric in metrics:
        known = needed.setdefault(metric.table.name, [])
        known += [name for name in metric.columns if name not in known]
    return needed


def by_moment(metric: Metric, points: pa.Table) -> pa.Table:
    """Give one value for each object and moment, in order of time.

    Tasks are summed over the hour in which their records begin, without the first and last hour, which are not whole.
    """
    start = points.column("start").cast(pa.int64())
    local = points.column("start_local").cast(pa.int64())
    duration = points.column("duration_us")
    quantum = points.column("quantum")
    if metric.hourly:
        start, local = _floor(start), _floor(local)
        duration = pa.array(np.full(len(start), _HOUR))
        quantum = pa.array(np.full(len(start), 1 / 3600 if metric.rate else float(metric.counted)))
    keyed = points.select([*SERIES, "value"]).append_column("start", start).append_column("start_local", local)
    keyed = keyed.append_column("duration_us", duration).append_column("quantum", quantum)
    moments = [*SERIES, "start", "start_local"]
    sums = "sum" if metric.rate else "mean"
    grouped = keyed.group_by(moments).aggregate([("value", sums), ("duration_us", "max"), ("quantum", "max")])
    value = grouped.column(f"value_{sums}")
    made = pa.table(
        {
            **{name: grouped.column(name) for name in SERIES},
            "start": grouped.column("start").cast(MOMENT),
            "start_local": grouped.column("start_local").cast(LOCAL),
            "duration_us": grouped.column("duration_us_max"),
            "value": pc.divide(value, 3600.0) if metric.hourly and metric.rate else value,
            "quantum": grouped.column("quantum_max"),
        },
        schema=POINTS,
    )
    if metric.hourly and made.num_rows:
        ends = pc.min_max(made.column("start")).as_py()
        inside = pc.and_(pc.greater(made.column("start"), ends["min"]), pc.less(made.column("start"), ends["max"]))
        made = made.filter(inside)
    return made.take(pc.sort_indices(made, [("start", "ascending")]))


def _floor(moments: pa.ChunkedArray) -> pa.ChunkedArray:
    """Give the hours of moments."""
    return pc.multiply(pc.divide(moments, _HOUR), _HOUR)


def _offsets(start: Numbers, zone: ZoneInfo) -> Numbers:
    """Give the local time minus UTC of moments in a zone; it changes at whole quarters of an hour."""
    quarters, at = np.unique(start // (_HOUR // 4), return_inverse=True)
    found = []
    for quarter in quarters.tolist():
        offset = datetime.fromtimestamp(quarter * 900, UTC).astimezone(zone).utcoffset()
        found.append(int(offset.total_seconds()) * 1_000_000 if offset is not None else 0)
    return np.array(found, dtype=np.int64)[at]
