"""A comparison of two periods over all metrics: the changes, their size, and their significance.

Each value is compared with the first period's values at the same weekday and hour, or at the same hour where the first
period is too short for weekdays: a Monday is compared with Mondays. Values of one hour resemble each other, so a day
counts as one observation. Where there are not three days on both sides, an hour counts as one, and else each interval.
A day of the first period is compared with its other days, so that the variance of both sides is measured in the same
way. Welch's test compares the means of the two sides. The significant changes are chosen among all series of a queue
manager together (Benjamini and Hochberg), so that at most one in twenty of those reported is expected to be there by
chance.

`effect` is the change divided by the standard deviation of an observation, `change_percent` the change in percent of
the usual value. Significant changes come first, and the largest effect first among them.
"""

import math
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kew.analytics.jobs.metrics import OBJECT, POINTS, SERIES, Metric, by_moment
from kew.analytics.jobs.points import groups, shaped
from kew.analytics.jobs.seasons import told
from kew.analytics.smf.tables import LOCAL, MANAGER, TABLES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

HOUR: Final = 3_600_000_000
DAY: Final = 24 * HOUR
FEWEST: Final = 3  # observations on each side
LEAST: Final = 0.01  # of what is usual: no spread is smaller, or a constant that moves by a hair would be certain
_KNOWN: Final = 0.8  # share of values that must have others of their kind, to compare by weekday

COMPARED: Final = pa.schema(
    [
        *(POINTS.field(name) for name in SERIES),
        pa.field("before", pa.float64()),
        pa.field("after", pa.float64()),
        pa.field("change_percent", pa.float64()),
        pa.field("effect", pa.float64()),
        pa.field("confidence_percent", pa.float64()),
        pa.field("before_count", pa.int64()),
        pa.field("after_count", pa.int64()),
        pa.field("counted", pa.string()),
        pa.field("verdict", pa.string()),
    ]
)
_PLACES: Final = {"higher": 0, "lower": 0, "new": 1, "gone": 1, "same": 2, "too little": 3}


# The cost of work: sums by the hour over rows of tasks.
COSTS: Final = (
    "WTAS: WTASCMCT + WTASBACT + WTASOTCT",
    "WQ: PUTCT / PUTN",
    "WQ: GETCT / GETN",
    "WQ: PUT1CT / PUT1N",
    "WQ: PUTET / PUTN",
    "WQ: GETBYTES / VALIDGET",
    "WQ: PUTBYTES / VALIDPUT",
)


def all_metrics() -> list[Metric]:
    """Give each counter, gauge and peak of the tables of intervals."""
    found = []
    for table in TABLES.values():
        if table.structure is None or table.name in ("WQ", "WTAS", "WTID", "QMAC", "QWAC", "QEST"):
            continue
        for column in table.columns:
            measured = column.counts in ("delta", "gauge", "peak") and not column.codes
            if measured and _is_number(column.type) and column.name != OBJECT.get(table.name):
                found.append(Metric(f"{table.name}: {column.name}"))
    return [*found, *map(Metric, COSTS)]


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def student(distance: float, freedom: float) -> float:
    """Give the probability that Student's t is at least this far from 0, on either side."""
    if not math.isfinite(distance):
        return 0.0
    return _incomplete_beta(freedom / (freedom + distance * distance), freedom / 2, 0.5)


def _incomplete_beta(share: float, first: float, second: float) -> float:
    """Give the regularised incomplete beta function, by its continued fraction."""
    if share <= 0 or share >= 1:
        return 0.0 if share <= 0 else 1.0
    if share > (first + 1) / (first + second + 2):
        return 1 - _incomplete_beta(1 - share, second, first)
    front = math.exp(
        math.lgamma(first + second)
        - math.lgamma(first)
        - math.lgamma(second)
        + first * math.log(share)
        + second * math.log1p(-share)
    )
    small = 1e-300
    upper, lower = 1.0, 1 / max(1 - (first + second) * share / (first + 1), small)
    value = lower
    for step in range(1, 300):
        for factor in (
            step * (second - step) * share / ((first + 2 * step - 1) * (first + 2 * step)),
            -(first + step) * (first + second + step) * share / ((first + 2 * step) * (first + 2 * step + 1)),
        ):
            lower = 1 / (1 + factor * lower or small)
            upper = 1 + factor / upper or small
            value *= upper * lower
        if abs(upper * lower - 1) < 1e-12:
            break
    return front * value / first


class _Side:
    """The observations of one period: the mean distance from the usual value, by day, hour or interval."""

    def __init__(self, distance: Floats, unit: Numbers) -> None:
        known = np.isfinite(distance)
        _, of_unit = np.unique(unit[known], return_inverse=True)
        counts = np.bincount(of_unit)
        self.means = np.bincount(of_unit, weights=distance[known]) / np.maximum(counts, 1)

    def __len__(self) -> int:
        return len(self.means)


class Comparer:
    """Compares the two sides of series."""

    def __init__(self, metrics: Sequence[Metric], split: datetime) -> None:
        self._metrics = {metric.name: metric for metric in metrics}
        self._split = pc.cast(pa.scalar(split, LOCAL), pa.int64()).as_py()

    def compared(self, points: pa.Table) -> pa.Table:
        """Compare the two periods of one series; until `chosen`, the column of the confidence holds the chance."""
        metric = self._metrics[points.column("metric")[0].as_py()]
        points = by_moment(metric, points)
        if not points.num_rows:
            return COMPARED.empty_table()
        local = points.column("start_local").cast(pa.int64()).to_numpy()
        middle = local + points.column("duration_us").to_numpy() // 2
        value = points.column("value").to_numpy().astype(np.float64)
        first = middle < self._split
        row: dict[str, object] = {name: points.column(name)[0].as_py() for name in SERIES}
        row |= self._answer(middle, value, first, metric)
        return pa.table({field.name: pa.array([row.get(field.name)], field.type) for field in COMPARED}, COMPARED)

    def _answer(
        self, middle: Numbers, value: Floats, first: npt.NDArray[np.bool_], metric: Metric
    ) -> dict[str, object]:
        if not first.any() or first.all():
            name = "before" if first.any() else "after"
            verdict = "gone" if first.any() else "new"
            return {name: float(value.mean()), f"{name}_count": len(value), "counted": "interval", "verdict": verdict}
        unit, counted = _unit(middle, first)
        expected = _expected(middle, value, first, unit)
        before = _Side((value - expected)[first], unit[first])
        after = _Side((value - expected)[~first], unit[~first])
        usual = expected[~first]
        level = float(np.nanmean(usual)) if np.isfinite(usual).any() else 0.0
        row: dict[str, object] = {"before": float(value[first].mean()), "after": float(value[~first].mean())}
        row |= {"before_count": len(before), "after_count": len(after), "counted": counted}
        if min(len(before), len(after)) < FEWEST:
            return row | {"verdict": "too little"}
        change = float(after.means.mean() - before.means.mean())
        scale = max(abs(level), float(np.abs(value).mean()))
        floor = max(LEAST * scale, metric.least)
        spread = [max(float(side.means.var(ddof=1)), floor * floor) for side in (before, after)]
        part = [one / len(side) for one, side in zip(spread, (before, after), strict=True)]
        error = math.sqrt(sum(part)) or 1e-300
        freedom = sum(part) ** 2 / max(
            sum(one * one / (len(side) - 1) for one, side in zip(part, (before, after), strict=True)), 1e-300
        )
        deviation = math.sqrt(sum(spread) / 2) or 1e-300
        row |= {
            "change_percent": 100 * change / abs(level) if level else None,
            "effect": change / deviation if change else 0.0,
            "confidence_percent": student(change / error, max(freedom, 1.0)) if change else 1.0,
        }
        return row | {"verdict": "higher" if change > 0 else "lower" if change < 0 else "same"}

    def chosen(self, compared: pa.Table) -> pa.Table:
        """Give the significant changes of the series of one queue manager."""
        chance = compared.column("confidence_percent").to_numpy(zero_copy_only=False).astype(np.float64)
        judged = np.isfinite(chance)
        verdicts = compared.column("verdict").to_pylist()
        sure = np.zeros(len(chance), dtype=np.bool_)
        sure[judged] = told(chance[judged], int(judged.sum()))
        named = [
            "same" if one and not certain else verdict
            for verdict, one, certain in zip(verdicts, judged.tolist(), sure.tolist(), strict=True)
        ]
        confidence = pa.array(100 * (1 - chance), pa.float64(), mask=~judged)
        at = compared.schema.get_field_index
        compared = compared.set_column(at("confidence_percent"), COMPARED.field("confidence_percent"), confidence)
        return compared.set_column(at("verdict"), COMPARED.field("verdict"), pa.array(named, pa.string()))


def _unit(middle: Numbers, first: npt.NDArray[np.bool_]) -> tuple[Numbers, str]:
    """Give for each value the number of its observation, and the unit of observations: day, hour or interval."""
    for length, name in ((DAY, "day"), (HOUR, "hour")):
        unit = middle // length
        if min(len(np.unique(unit[first])), len(np.unique(unit[~first]))) >= FEWEST:
            return unit, name
    return np.arange(len(middle)), "interval"


def _expected(middle: Numbers, value: Floats, first: npt.NDArray[np.bool_], unit: Numbers) -> Floats:
    """Give for each value the first period's mean at such a time; a unit of that period is not compared with itself."""
    hour = middle // HOUR % 24
    weekday = (middle // DAY + 3) % 7
    expected = np.full(len(value), np.nan)
    for key in (weekday * 24 + hour, (weekday >= 5) * 24 + hour, hour, np.zeros(len(hour), dtype=np.int64)):
        expected = np.where(np.isfinite(expected), expected, _means(key, value, first, unit))
        if key is hour or np.isfinite(expected).mean() >= 1:
            continue
        if np.isfinite(expected).mean() < _KNOWN:
            expected[:] = np.nan  # by weekday for a few and by hour for the rest would compare unlike things
    return expected


def _means(key: Numbers, value: Floats, first: npt.NDArray[np.bool_], unit: Numbers) -> Floats:
    """Give for each value the first period's mean of its key, over units; a value's own unit is left out of it."""
    count = int(key.max()) + 1
    units, of_unit = np.unique(unit, return_inverse=True)
    cell = key * len(units) + of_unit
    cells, of_cell = np.unique(cell[first], return_inverse=True)
    sums = np.bincount(of_cell, weights=value[first])
    means = sums / np.bincount(of_cell)
    of_key = cells // len(units)
    total = np.bincount(of_key, weights=means, minlength=count)
    number = np.bincount(of_key, minlength=count).astype(np.float64)
    expected = np.full(len(value), np.nan)
    with np.errstate(all="ignore"):
        expected[~first] = np.where(number >= 1, total / number, np.nan)[key[~first]]
        own = means[of_cell]
        left = number[key[first]] - 1
        expected[first] = np.where(left >= 1, (total[key[first]] - own) / left, np.nan)
    return expected


def in_order(compared: pa.Table) -> pa.Table:
    """Sort changes: the significant ones first, and among them the largest effect first."""
    place = pa.array([_PLACES[verdict] for verdict in compared.column("verdict").to_pylist()], pa.int64())
    size = pc.abs(compared.column("effect"))
    keyed = compared.append_column("place", place).append_column("size", size)
    order = [("place", "ascending"), ("size", "descending"), *((name, "ascending") for name in SERIES)]
    return keyed.take(pc.sort_indices(keyed, order)).select(compared.column_names)


def compared_of(points: pa.Table, metrics: Sequence[Metric], split: datetime) -> pa.Table:
    """Compare series before and after a local time, in this process."""
    comparer = Comparer(metrics, split)
    found = pa.concat_tables([COMPARED.empty_table(), *(comparer.compared(one) for one in groups(points, SERIES))])
    chosen = [comparer.chosen(one) for one in groups(found, MANAGER)]
    return in_order(pa.concat_tables([COMPARED.empty_table(), *chosen]))


def compared_on_spark(points: "DataFrame", metrics: Sequence[Metric], split: datetime) -> "DataFrame":
    """Compare series before and after a local time."""
    from pyspark.sql import functions as F  # noqa: N812

    from kew.analytics.smf.sparkreader import spark_schema

    comparer = Comparer(metrics, split)
    schema = spark_schema(COMPARED)
    found = points.groupBy(*SERIES).applyInArrow(shaped(comparer.compared, POINTS), schema)
    chosen = found.groupBy(*MANAGER).applyInArrow(shaped(comparer.chosen, COMPARED), schema)
    place = F.create_map(*[F.lit(one) for pair in _PLACES.items() for one in pair])[F.col("verdict")]
    return chosen.orderBy(place, F.abs("effect").desc_nulls_last(), *SERIES)
