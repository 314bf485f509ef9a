"""Anomalies: values of any metric that are unusual for their weekday and hour.

Each series is judged by its own history (`seasons.py`); of all series of a queue manager the least likely values of a
week are chosen together, and successive unusual values are reported as one anomaly. A series whose history is too short
is reported as such, since a series left out would be taken for one without anomalies.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kew.analytics.jobs.metrics import POINTS, SERIES, Metric, by_moment, columns_of
from kew.analytics.jobs.points import groups, shaped
from kew.analytics.jobs.seasons import LEVELS, UNKNOWN, judge, told
from kew.analytics.smf.rows import rows_here
from kew.analytics.smf.tables import LOCAL, MANAGER, MOMENT

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

WEEK: Final = 7 * 86_400_000_000
CANDIDATE: Final = 0.05  # chance above which no value is ever reported
_ORDER: Final = ("start_utc", *SERIES, "verdict")

# The result of stage one for a series: its candidates, and the number of values judged in each week.
_CANDIDATES: Final = pa.schema(
    [
        *(POINTS.field(name) for name in (*SERIES, "start", "start_local", "duration_us", "value")),
        pa.field("expected", pa.float64()),
        pa.field("score", pa.float64()),
        pa.field("chance", pa.float64()),
        pa.field("baseline", pa.string()),
        pa.field("place", pa.int64()),  # of the value in its series: neighbours are reported together
        pa.field("tests", pa.int64()),  # values judged in the week of `start`; then the row is no candidate
    ]
)
ANOMALIES: Final = pa.schema(
    [
        *(pa.field(name, pa.string()) for name in SERIES),
        pa.field("start_utc", MOMENT),
        pa.field("start_local", LOCAL),
        pa.field("end_local", LOCAL),
        pa.field("intervals", pa.int64()),
        pa.field("value", pa.float64()),
        pa.field("expected", pa.float64()),
        pa.field("score", pa.float64()),
        pa.field("chance", pa.float64()),
        pa.field("baseline", pa.string()),
        pa.field("verdict", pa.string()),
    ]
)


class Judge:
    """Finds anomalies in two stages: candidates in each series, then the choice among those of a queue manager."""

    def __init__(self, metrics: Sequence[Metric], split: datetime) -> None:
        self._metrics = {metric.name: metric for metric in metrics}
        self._split = pc.cast(pa.scalar(split, LOCAL), pa.int64()).as_py()

    def candidates(self, points: pa.Table) -> pa.Table:
        """Give the candidate anomalies of one series, with the number of values that were judged in each week."""
        metric = self._metrics[points.column("metric")[0].as_py()]
        points = by_moment(metric, points)
        local = points.column("start_local").cast(pa.int64()).to_numpy()
        middle = local + points.column("duration_us").to_numpy() // 2
        order = np.argsort(middle, kind="stable")
        points, middle = points.take(pa.array(order)), middle[order]
        values, quantum = points.column("value").to_numpy(), points.column("quantum").to_numpy()
        judged = judge(middle, values, quantum, self._split, metric.least)
        now = points.filter(pa.array(middle >= self._split))
        names = np.array([*LEVELS, UNKNOWN], dtype=object)
        table = pa.table(
            {
                **{name: now.column(name) for name in (*SERIES, "start", "start_local", "duration_us", "value")},
                "expected": judged.expected,
                "score": judged.score,
                "chance": judged.chance,
                "baseline": pa.array(names[judged.level], pa.string()),
                "place": np.arange(now.num_rows),
                "tests": np.zeros(now.num_rows, dtype=np.int64),
            },
            schema=_CANDIDATES,
        )
        known = judged.level >= 0
        week = (middle[middle >= self._split] - self._split)[known] // WEEK
        _, first, counts = np.unique(week, return_index=True, return_counts=True)
        tests = table.filter(pa.array(known)).take(pa.array(first))
        tests = tests.set_column(_CANDIDATES.get_field_index("tests"), _CANDIDATES.field("tests"), pa.array(counts))
        unlikely = table.filter(pa.array(known & (judged.chance <= CANDIDATE)))
        unknown = table.filter(pa.array(~known))
        if unknown.num_rows:
            unknown = unknown.slice(0, 1).set_column(
                _CANDIDATES.get_field_index("tests"), _CANDIDATES.field("tests"), pa.array([-unknown.num_rows])
            )
        return pa.concat_tables([tests, unlikely, unknown])

    def chosen(self, candidates: pa.Table) -> pa.Table:
        """Choose the anomalies of one queue manager, from the candidates of its series."""
        tests = candidates.column("tests").to_numpy()
        local = candidates.column("start_local").cast(pa.int64()).to_numpy()
        middle = local + candidates.column("duration_us").to_numpy() // 2
        week = (middle - self._split) // WEEK
        chance = candidates.column("chance").to_numpy()
        kept = np.zeros(len(tests), dtype=np.bool_)
        for one in np.unique(week).tolist():
            mine = np.flatnonzero((week == one) & (tests == 0))
            judged = int(tests[(week == one) & (tests > 0)].sum())
            kept[mine] = told(chance[mine], judged)
        return pa.concat_tables(
            [_told_together(candidates.filter(pa.array(kept))), _unknown(candidates.filter(pa.array(tests < 0)))]
        )


def _told_together(rows: pa.Table) -> pa.Table:
    """Merge successive anomalies of one series in the same direction into one row."""
    high = pc.greater(rows.column("score"), 0)
    rows = rows.append_column("high", high)
    rows = rows.take(pc.sort_indices(rows, [(name, "ascending") for name in (*SERIES, "high", "place")]))
    found: list[dict[str, object]] = []
    last: dict[str, object] = {}
    for row in rows.to_pylist():
        end = row["start_local"] + timedelta(microseconds=row["duration_us"])
        key = (*(row[name] for name in SERIES), row["high"])
        if last and key == last["key"] and row["place"] <= last["place"] + 2:  # type: ignore[operator]
            last |= {"place": row["place"], "end_local": end, "intervals": last["intervals"] + 1}  # type: ignore[operator]
            if abs(row["score"]) > abs(last["score"]):  # type: ignore[arg-type]
                last |= {name: row[name] for name in ("value", "expected", "score", "chance", "baseline")}
            continue
        last = {
            **row,
            "key": key,
            "start_utc": row["start"],
            "end_local": end,
            "intervals": 1,
            "verdict": "high" if row["high"] else "low",
        }
        found.append(last)
    return _table(found)


def _unknown(rows: pa.Table) -> pa.Table:
    found = []
    for row in rows.to_pylist():
        found.append(
            {
                **{name: row[name] for name in SERIES},
                "start_utc": row["start"],
                "start_local": row["start_local"],
                "intervals": -row["tests"],
                "value": row["value"],
                "verdict": UNKNOWN,
            }
        )
    return _table(found)


def _table(rows: "Sequence[dict[str, object]]") -> pa.Table:
    columns = {field.name: pa.array([row.get(field.name) for row in rows], field.type) for field in ANOMALIES}
    return pa.table(columns, schema=ANOMALIES)


def in_order(anomalies: pa.Table) -> pa.Table:
    """Sort anomalies by time, in an order that does not depend on how they were found."""
    return anomalies.take(pc.sort_indices(anomalies, [(name, "ascending") for name in _ORDER]))


def anomalies_of(points: pa.Table, metrics: Sequence[Metric], split: datetime) -> pa.Table:
    """Find the anomalies in the points of series, in this process."""
    judge_ = Judge(metrics, split)
    candidates = pa.concat_tables(
        [_CANDIDATES.empty_table(), *(judge_.candidates(one) for one in groups(points, SERIES))]
    )
    chosen = [judge_.chosen(one) for one in groups(candidates, MANAGER)]
    return in_order(pa.concat_tables([ANOMALIES.empty_table(), *chosen]))


def anomalies_here(
    names: Sequence[str], metrics: Sequence[Metric], split: datetime, zone: ZoneInfo | None = None
) -> pa.Table:
    """Find the anomalies from the local time `split` on, in dumps or a store, in this process."""
    points = [
        metric.points(batch.select(metric.columns), zone)
        for table, batch in rows_here(names, columns_of(metrics))
        for metric in metrics
        if metric.table.name == table
    ]
    return anomalies_of(pa.Table.from_batches(points, POINTS), metrics, split)


def judged_on_spark(points: "DataFrame", metrics: Sequence[Metric], split: datetime) -> "DataFrame":
    """Find the anomalies in the points of series, on Spark."""
    from kew.analytics.smf.sparkreader import spark_schema

    judge_ = Judge(metrics, split)
    candidates = points.groupBy(*SERIES).applyInArrow(shaped(judge_.candidates, POINTS), spark_schema(_CANDIDATES))
    found = candidates.groupBy(*MANAGER).applyInArrow(shaped(judge_.chosen, _CANDIDATES), spark_schema(ANOMALIES))
    return found.orderBy(*_ORDER)
