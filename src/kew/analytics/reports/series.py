"""The functions of series rules: the rows of one object over time, and the places worth a finding.

Each function takes the values in order of time and gives the places that are worth a finding, with the value to report.
"""

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from kew.analytics.smf.numbering import Numbers, missing

Floats = npt.NDArray[np.float64]
Hit = tuple[int, float]  # the row, and the value to report

DAY: Final = 86_400_000_000
FEW: Final = 5  # of something a day is too few to tell of
SLOWER: Final = 100.0  # microseconds: a network time that has risen by less is the same
RISEN: Final = 1.05  # factor of the former value: storage that has risen by less goes up and down
BACKLOG: Final = 100.0  # messages: a queue that has grown by less is at work
AROUND: Final = 2  # intervals before and after one, which say how long it should be
_DYNAMIC: Final = re.compile(r"^(AMQ\.|CSQ\.|.*\.?[0-9A-F]{16}$)")


class Series:
    """The rows of one object: times in microseconds, local and UTC, values, and further columns of a rule."""

    def __init__(self, time: Numbers, moment: Numbers, value: Floats, other: Floats, subject: Sequence[str]):
        self.time = time
        self.moment = moment
        self.value = value
        self.other = other
        self.subject = subject


def low_for_a_week(series: Series, limit: float) -> list[Hit]:
    """Give the highest value of a series that stayed below the limit for seven days or more."""
    long = len(series.time) > 1 and series.time[-1] - series.time[0] >= 7 * DAY - DAY // 8
    highest = float(series.value.max())
    return [(len(series.value) - 1, highest)] if long and highest < limit else []


def above_normal(series: Series, limit: float) -> list[Hit]:
    """Give the rows above the limit and, where there are rows enough for a median, above twice the median."""
    usual = 2 * float(np.median(series.value)) if len(series.value) >= 5 else 0.0
    return [(int(at), float(series.value[at])) for at in np.flatnonzero(series.value > max(limit, usual))]


def count_a_day(series: Series, limit: float) -> list[Hit]:
    """Give the number of rows above the limit on each day with at least FEW of them, at the last of them."""
    above = np.flatnonzero(series.value > limit)
    days = series.time[above] // DAY
    counted = [(int(above[days == day][-1]), float((days == day).sum())) for day in np.unique(days)]
    return [(at, count) for at, count in counted if count >= FEW]


def near_highest(series: Series, limit: float) -> list[Hit]:
    """Give the rows that reach `limit` percent of the highest of 24 or more rows before, if that was a peak."""
    highest = np.maximum.accumulate(series.value)
    hits: list[Hit] = []
    for at in range(24, len(series.value)):
        peak = highest[at - 1] > 2 * float(np.median(series.value[:at]))
        if peak and series.value[at] >= limit / 100 * highest[at - 1]:
            hits.append((at, float(100 * series.value[at] / highest[at - 1])))
    return hits


def rose(series: Series, limit: float) -> list[Hit]:
    """Give the rows that are higher than the row before by more than the limit."""
    grown = np.flatnonzero(np.diff(series.value) > limit) + 1
    return [(int(at), float(series.value[at])) for at in grown]


def falling_for_a_day(series: Series, limit: float) -> list[Hit]:
    """Give the ends of 24 hours without a rise in which the value fell by more than the limit."""
    hits: list[Hit] = []
    start = 0
    for at in range(1, len(series.value)):
        if series.value[at] > series.value[at - 1]:
            start = at
        elif series.time[at] - series.time[start] >= DAY and series.value[start] - series.value[at] > limit:
            hits.append((at, float(series.value[at])))
            start = at
    return hits


def rising_for_days(series: Series, limit: float) -> list[Hit]:
    """Give the days after `limit` or more successive rises of the day's highest value, to RISEN times the first."""
    days = series.time // DAY
    highest = [
        (float(series.value[days == day].max()), int(np.flatnonzero(days == day)[-1])) for day in np.unique(days)
    ]
    hits: list[Hit] = []
    run = 0
    start = 0.0
    for before, after in pairwise(highest):
        start = start if run else before[0]
        run = run + 1 if after[0] > before[0] else 0
        if run >= limit and after[0] >= RISEN * start:
            hits.append((after[1], after[0]))
    return hits


def least_of_all(series: Series, limit: float) -> list[Hit]:
    """Give the least value of a series of several rows, if it is above the limit."""
    least = float(series.value.min())
    return [(0, least)] if len(series.value) > 1 and least > limit else []


def times_weekly_median(series: Series, limit: float) -> list[Hit]:
    """Give the rows at `limit` times the median of the week before and SLOWER above it; five rows are needed."""
    hits: list[Hit] = []
    for at in range(5, len(series.value)):
        week = series.value[:at][series.time[:at] >= series.time[at] - 7 * DAY]
        usual = float(np.median(week)) if len(week) >= 5 else 0.0
        if series.value[at] >= limit * usual > 0 and series.value[at] - usual >= SLOWER:
            hits.append((at, float(series.value[at])))
    return hits


def growing(series: Series, limit: float) -> list[Hit]:
    """Give the rows that end `limit` or more successive rises, of at least BACKLOG together."""
    hits: list[Hit] = []
    run = 0
    for at in range(1, len(series.value)):
        run = run + 1 if series.value[at] > series.value[at - 1] else 0
        if run >= limit and series.value[at] - series.value[at - run] >= BACKLOG:
            hits.append((at, float(series.value[at])))
    return hits


def repeating(series: Series, limit: float) -> list[Hit]:
    """Give the rows that end `limit` or more successive rows above zero."""
    hits: list[Hit] = []
    run = 0
    for at, value in enumerate(series.value):
        run = run + 1 if value > 0 else 0
        if run >= limit:
            hits.append((at, float(value)))
    return hits


def gaps(series: Series, limit: float) -> list[Hit]:
    """Give how many sequence numbers are missing, at the first record after each gap."""
    found = missing(series.moment, series.value.astype(np.int64))
    return [(at, float(lost)) for at, lost in found if lost > limit]


def odd_interval(series: Series, limit: float) -> list[Hit]:
    """Give the intervals whose length, or the gap before them, deviates by over `limit` percent of the usual length."""
    if len(series.value) < 3:
        return []
    hits: list[Hit] = []
    for at, value in enumerate(series.value):
        first = min(max(0, at - AROUND), max(0, len(series.value) - 2 * AROUND - 1))
        usual = float(np.median(series.value[first : first + 2 * AROUND + 1]))
        if usual <= 0 or (at == 0 and value < usual):  # a trace is started in the middle of an interval
            continue
        off = 100 * abs(float(value) - usual) / usual
        absent = 0.0
        if at:
            between = (series.moment[at] - series.moment[at - 1]) / 1e6 - float(value)
            absent = 100 * between / usual if between > usual / 2 else 0.0
        if max(off, absent) > limit:
            hits.append((at, max(off, absent)))
    return hits


def dynamic_queues_a_day(series: Series, limit: float) -> list[Hit]:
    """Give the days with more distinct names of temporary dynamic queues than the limit."""
    days: dict[int, dict[str, int]] = {}
    for at, name in enumerate(series.subject):
        if _DYNAMIC.match(name.removeprefix("queue ")):
            days.setdefault(int(series.time[at] // DAY), {})[name] = at
    return [(max(names.values()), float(len(names))) for names in days.values() if len(names) > limit]


def unbalanced(series: Series, limit: float) -> list[Hit]:
    """Give the difference of the sums of two values, in percent of the larger, if it is above the limit."""
    first, second = float(series.value.sum()), float(series.other.sum())
    larger = max(first, second)
    off = 100 * abs(first - second) / larger if larger >= 100 else 0.0
    return [(len(series.value) - 1, off)] if off > limit else []


FUNCTIONS: Final[dict[str, Callable[[Series, float], list[Hit]]]] = {
    function.__name__: function
    for function in (
        low_for_a_week,
        above_normal,
        count_a_day,
        near_highest,
        rose,
        falling_for_a_day,
        rising_for_days,
        least_of_all,
        times_weekly_median,
        growing,
        repeating,
        gaps,
        odd_interval,
        dynamic_queues_a_day,
        unbalanced,
    )
}
