"""Forecasts of a metric, with intervals, and the day when it meets its limit.

A series becomes one value a day: the mean of a rate, and the highest of any other metric, since a resource runs out at
the worst moment of a day. A straight line with a step for each weekday is fitted by least squares, with less weight for
days far outside (Huber). The line is fitted to the whole history, or to its later half or last quarter where such a
line would have forecast clearly better, since loads change.

The error of a forecast is measured on the history: as of some earlier days, the days that followed are forecast from
the data up to then and compared with their values. The interval of a straight line is widened until nine in ten of
those days lie within it. The error and the share of days that lay within the interval, each judged with the widening
that the other forecasts give, are part of the answer.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from kew.analytics.jobs.metrics import POINTS, SERIES, Metric, by_moment
from kew.analytics.jobs.points import groups, shaped

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

DAY: Final = 86_400_000_000
FEWEST: Final = 8  # days below which nothing is foretold
WEEKS: Final = 3  # of history from which weekdays differ
ORIGINS: Final = 8  # days from which the past is foretold
INSIDE: Final = 0.9  # share of days that an interval is to hold
LONGEST: Final = 3650  # days that are looked ahead for a limit
BETTER: Final = 0.8  # of the error of the whole history, to take less of it
FULL: Final = 100.0  # of a share in percent
_NORMAL: Final = 1.6449  # deviations that hold nine in ten
_EXACT: Final = 1e-9  # share of a value that is the computer's
_HUBER: Final = 1.345
_SEEN_WHOLE: Final = 0.5  # of the usual time of a day: the first and last may be parts

FORECASTS: Final = pa.schema(
    [
        *(POINTS.field(name) for name in SERIES),
        pa.field("days", pa.int64()),
        pa.field("last_day", pa.date32()),
        pa.field("now", pa.float64()),
        pa.field("per_day", pa.float64()),
        pa.field("per_day_low", pa.float64()),
        pa.field("per_day_high", pa.float64()),
        pa.field("ahead_days", pa.int64()),
        pa.field("forecast", pa.float64()),
        pa.field("forecast_low", pa.float64()),
        pa.field("forecast_high", pa.float64()),
        pa.field("limit", pa.float64()),
        pa.field("limit_earliest", pa.date32()),
        pa.field("limit_likely", pa.date32()),
        pa.field("limit_latest", pa.date32()),
        pa.field("error_percent", pa.float64()),
        pa.field("within_percent", pa.float64()),
        pa.field("foretold_days", pa.int64()),
        pa.field("verdict", pa.string()),
    ]
)
ORDER: Final = ("limit_likely", *SERIES)

# The metrics forecast by default: those with a limit, load and cost.
USUAL: Final = (
    "QIS1: 100 * (QIS1TOPG - QIS1UNPG) / QIS1TOPG",
    "QPST: 100 * (QPSTNBUF - QPSTCBSL) / QPSTNBUF",
    "QCCT: 100 * QCCTNOCC / QCCTMXCC",
    "QJST: QJSTCIWR",
    "QMST: QMSTPUT + QMSTPUT1",
    "QQST: QQSTDPTH",
    "WTAS: WTASCMCT + WTASBACT + WTASOTCT",
)


class Line:
    """A straight line with a step for each weekday, fitted to daily values."""

    def __init__(self, day: Numbers, value: Floats) -> None:
        self.origin = int(day[-1])
        self.weekly = int(day[-1] - day[0]) >= 7 * WEEKS
        rows = self._rows(day)
        weight = np.ones(len(day))
        for _ in range(6):
            scaled = rows * weight[:, None]
            inverse = np.linalg.pinv(scaled.T @ rows)
            self.factors = inverse @ (scaled.T @ value)
            rest = value - rows @ self.factors
            deviation = 1.4826 * float(np.median(np.abs(rest)))
            if deviation <= 0:
                break
            weight = np.minimum(1.0, _HUBER * deviation / np.maximum(np.abs(rest), 1e-300))
        self._inverse = inverse
        free = max(len(day) - rows.shape[1], 1)
        self.deviation = float(np.sqrt(np.sum(weight * rest**2) / free))

    def _rows(self, day: Numbers) -> Floats:
        since = (day - self.origin).astype(np.float64)
        columns = [np.ones(len(day)), since]
        if self.weekly:
            weekday = day % 7
            columns += [(weekday == one).astype(np.float64) - (weekday == 6) for one in range(6)]
        return np.stack(columns, axis=1)

    def at(self, day: Numbers) -> Floats:
        """Give the line's values on days."""
        return np.asarray(self._rows(day) @ self.factors)

    def error(self, day: Numbers) -> Floats:
        """Give the standard error of a value of each day."""
        rows = self._rows(day)
        return np.asarray(self.deviation * np.sqrt(1 + np.einsum("ij,jk,ik->i", rows, self._inverse, rows)))

    @property
    def slope(self) -> float:
        """Give the change of the value for each day."""
        return float(self.factors[1])

    @property
    def slope_error(self) -> float:
        """Give the standard error of the slope."""
        return float(self.deviation * np.sqrt(max(self._inverse[1, 1], 0.0)))


class BackTest:
    """The accuracy of forecasts that are made as of earlier days."""

    def __init__(self, day: Numbers, value: Floats, ahead: int, share: float) -> None:
        self.error = self.size = 0.0
        self.days = 0
        self._far: list[Floats] = []  # distances from the forecast in standard errors, by origin
        span = int(day[-1] - day[0]) + 1
        ahead = max(1, min(ahead, span // 3))
        origins = np.unique(np.linspace(day[0] + span // 2, day[-1] - 1, ORIGINS).astype(np.int64))
        for origin in origins.tolist():
            known, coming = _latest(day, value, origin, share), (day > origin) & (day <= origin + ahead)
            if len(known[0]) < FEWEST or not coming.any():
                continue
            line = Line(*known)
            distance = np.abs(value[coming] - line.at(day[coming]))
            self.error += float(distance.sum())
            self.size += float(np.abs(value[coming]).sum())
            self.days += len(distance)
            error = line.error(day[coming])
            self._far.append(distance / np.maximum(error, max(1e-9 * float(np.abs(value).max()), 1e-300)))

    @property
    def percent(self) -> float | None:
        """Give the sum of errors in percent of the sum of values."""
        return 100 * self.error / self.size if self.days and self.size else (0.0 if self.days else None)

    @property
    def factor(self) -> float:
        """Give the factor by which the interval of a straight line is to be widened."""
        return _widened(self._far)

    @property
    def within(self) -> float | None:
        """Give the percentage of days that lay within the interval that the other forecasts would have given."""
        if len(self._far) < 2:
            return None
        inside = count = 0
        for at, far in enumerate(self._far):
            others = self._far[:at] + self._far[at + 1 :]
            inside += int((far <= _NORMAL * _widened(others)).sum())
            count += len(far)
        return 100 * inside / count


def _widened(far: Sequence[Floats]) -> float:
    if not far:
        return 1.0
    return max(1.0, float(np.quantile(np.concatenate(far), INSIDE)) / _NORMAL)


def _latest(day: Numbers, value: Floats, origin: int, share: float) -> tuple[Numbers, Floats]:
    """Give the days up to `origin`, or the latest share of them."""
    known = (day <= origin) & (day > origin - max(share * (origin - day[0] + 1), 2 * FEWEST))
    if share == 1.0:
        known = day <= origin
    return day[known], value[known]


def daily(metric: Metric, points: pa.Table) -> tuple[Numbers, Floats]:
    """Give one value for each local day with data, without an incomplete first or last day."""
    points = by_moment(metric, points)
    local = points.column("start_local").cast(pa.int64()).to_numpy()
    length = points.column("duration_us").to_numpy().astype(np.float64)
    value = points.column("value").to_numpy()
    day, of_day = np.unique((local + length.astype(np.int64) // 2) // DAY, return_inverse=True)
    seen = np.bincount(of_day, weights=length, minlength=len(day))
    if metric.rate:
        weight = np.maximum(length, 1.0)
        found = np.bincount(of_day, weights=value * weight) / np.bincount(of_day, weights=weight)
    else:
        found = np.full(len(day), -np.inf)
        np.maximum.at(found, of_day, value)
    keep = np.ones(len(day), dtype=np.bool_)
    if len(day) > 2:
        keep[[0, -1]] = seen[[0, -1]] >= _SEEN_WHOLE * float(np.median(seen))
    return day[keep], found[keep]


class Foreteller:
    """Forecasts series, a number of days ahead."""

    def __init__(self, metrics: Sequence[Metric], ahead: int, limit: float | None = None) -> None:
        self._metrics = {metric.name: metric for metric in metrics}
        self._ahead = ahead
        self._limit = limit

    def forecast(self, points: pa.Table) -> pa.Table:
        """Give the forecast of one series."""
        metric = self._metrics[points.column("metric")[0].as_py()]
        day, value = daily(metric, points)
        row: dict[str, object] = {name: points.column(name)[0].as_py() for name in SERIES}
        limit = self._limit if self._limit is not None else FULL if metric.least else None
        row |= {"days": len(day), "limit": limit, "verdict": "too little history"}
        if len(day):
            row |= {"last_day": _date(int(day[-1])), "now": float(value[-1])}
        if len(day) >= FEWEST:
            row |= self._foretold(day, value, limit)
        return pa.table({field.name: pa.array([row.get(field.name)], field.type) for field in FORECASTS}, FORECASTS)

    def _foretold(self, day: Numbers, value: Floats, limit: float | None) -> dict[str, object]:
        share, test = 1.0, BackTest(day, value, self._ahead, 1.0)
        for less in (0.5, 0.25):
            other = BackTest(day, value, self._ahead, less)
            if other.days == test.days and other.error < BETTER * test.error:
                share, test = less, other
        line = Line(*_latest(day, value, int(day[-1]), share))
        width = _NORMAL * test.factor
        last = int(day[-1])
        goal = np.array([last + self._ahead])
        middle, around = float(line.at(goal)[0]), width * float(line.error(goal)[0])
        lowest = 0.0 if value.min() >= 0 else -np.inf
        slope, doubt = line.slope, width * line.slope_error + _EXACT * float(np.abs(value).max())
        row: dict[str, object] = {
            "per_day": slope,
            "per_day_low": slope - doubt,
            "per_day_high": slope + doubt,
            "ahead_days": self._ahead,
            "forecast": max(middle, lowest),
            "forecast_low": max(middle - around, lowest),
            "forecast_high": max(middle + around, lowest),
            "error_percent": test.percent,
            "within_percent": test.within,
            "foretold_days": test.days,
            "verdict": "grows" if slope > doubt else "falls" if -slope > doubt else "steady",
        }
        if limit is None:
            return row
        if value[-1] >= limit:
            return row | {"verdict": "at its limit", "limit_likely": _date(last), "limit_earliest": _date(last)}
        coming = last + np.arange(1, LONGEST + 1)
        foretold, error = line.at(coming), width * line.error(coming)
        likely = _first(coming, foretold, limit)
        earliest = _first(coming, foretold + error, limit)
        latest = _first(coming, foretold - error, limit)
        row |= {"limit_likely": likely, "limit_earliest": earliest, "limit_latest": latest}
        if slope > doubt and likely is not None:
            row["verdict"] = "meets its limit"
        elif slope <= doubt:  # a line that may as well be level says nothing of a day years ahead
            row |= {"limit_likely": None, "limit_latest": None}
        return row


def _first(day: Numbers, value: Floats, limit: float) -> date | None:
    over = np.flatnonzero(value >= limit - _EXACT * abs(limit))
    return _date(int(day[over[0]])) if len(over) else None


def _date(day: int) -> date:
    return date(1970, 1, 1) + timedelta(days=day)


def forecasts_of(points: pa.Table, metrics: Sequence[Metric], ahead: int, limit: float | None = None) -> pa.Table:
    """Give the forecasts of series, in this process."""
    foreteller = Foreteller(metrics, ahead, limit)
    return pa.concat_tables([FORECASTS.empty_table(), *(foreteller.forecast(one) for one in groups(points, SERIES))])


def forecasts_on_spark(
    points: "DataFrame", metrics: Sequence[Metric], ahead: int, limit: float | None = None
) -> "DataFrame":
    """Give the forecasts of series, on Spark; the series that meets its limit soonest comes first."""
    from pyspark.sql import functions as F  # noqa: N812

    from kew.analytics.smf.sparkreader import spark_schema

    foreteller = Foreteller(metrics, ahead, limit)
    found = points.groupBy(*SERIES).applyInArrow(shaped(foreteller.forecast, POINTS), spark_schema(FORECASTS))
    return found.orderBy(F.col("limit_likely").asc_nulls_last(), *SERIES)
