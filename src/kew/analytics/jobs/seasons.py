"""Seasons: the usual values at each hour of the week, and how unlikely a value is.

The usual value is the median, over the days of the history, of what that hour held: on the same weekday; on any working
day or weekend day where there are too few of that weekday; on any day where there are too few of those as well. Days
are counted and not intervals, since the intervals of one hour resemble each other. The deviations of the history are
measured in the same way as those of new values: each day of the history against the other days, never against itself. A
steady trend over the history is continued.

The distance is divided by the usual distance: the median at that hour of the week, averaged with that of all hours
where there are few days. The usual distance is never smaller than a share of the value, than the random variation of a
count, or than a share of the values in the busiest hours. The probability of a distance is estimated from the distances
of the history: their tail is fitted by a Pareto distribution, so a metric that often jumps has a long tail and needs a
larger jump to be unusual. Values of the history that lie far outside of all others are left out of that fit.

Among many values some are unlikely by chance. The anomalies of a week and queue manager are therefore chosen together,
so that at most the share `FALSE` of the reported values is expected to be false (Benjamini and Hochberg).

Times are local microseconds since 1970: people work by local time, in winter and in summer.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

HOUR: Final = 3_600_000_000
DAY: Final = 24 * HOUR
FEWEST: Final = 3  # days that make something usual
FALSE: Final = 0.05  # the share of false findings among those reported
FEWEST_EVENTS: Final = 10  # counted things, seen or usual, below which nothing is unusual
LEVELS: Final = ("weekday and hour", "kind of day and hour", "hour")
UNKNOWN: Final = "too little history"

_NORMAL: Final = 1.4826  # makes a median distance the deviation of a normal distribution
_SHARE: Final = 0.05  # of the usual value, and
_BUSY: Final = 0.01  # of the busiest hours: no spread is smaller
_LENT: Final = 8.0  # days for which the spread of all hours counts beside that of one
_TAIL: Final = 0.1  # the share of distances that makes the tail
_LEAST_TAIL: Final = 20  # distances that make a shape
_LEAST_EXCESS: Final = 0.3  # in usual distances: thinner than the tail of a normal distribution
_LONGEST: Final = 0.4  # shape of the tail
_FAR: Final = 3.0  # times the 99th hundredth: outside of all others
_TREND_DAYS: Final = 14
_TREND_CERTAIN: Final = 4.0  # deviations of the count of rising pairs
_TREND_LEAST: Final = 0.05  # of the value over the history
_MOST_DAYS: Final = 400  # that a trend is read from


class Judged:
    """The judged values: for each the expected value, the distance in usual distances, and the chance."""

    def __init__(self, expected: Floats, score: Floats, chance: Floats, level: npt.NDArray[np.int8]) -> None:
        self.expected = expected
        self.score = score  # distance from `expected` in usual distances
        self.chance = chance  # of a value at least as far away on either side
        self.level = level  # which of LEVELS, -1 for none


def judge(local: Numbers, values: Floats, quantum: Floats, split: int, least: float = 0.0) -> Judged:
    """Judge the values from the local time `split` on by those before it.

    The values are in order of time. `quantum` is what one counted thing adds to a value, 0 where nothing is counted;
    no spread is smaller than `least`.
    """
    old = local < split
    past, now = _Past(local[old], values[old], quantum[old], least), _Place(local[~old])
    current = values[~old]
    if not len(past.values):
        nothing = np.full(len(current), np.nan)
        return Judged(nothing, nothing, np.ones(len(current)), np.full(len(current), -1, np.int8))
    expected, spread, level = past.usual(now, quantum[~old])
    score = _scores(current, expected, spread)
    chance = np.minimum(1.0, 2 * np.where(score > 0, past.above.chance(score), past.below.chance(-score)))
    chance[~np.isfinite(score)] = 1.0
    few = (quantum[~old] > 0) & (np.maximum(np.abs(current), np.abs(expected)) < FEWEST_EVENTS * quantum[~old])
    chance[few] = 1.0
    return Judged(expected, score, chance, level)


def told(chance: Floats, tests: int, false: float = FALSE) -> Mask:
    """Choose the values whose chance is too small to be expected among `tests` values (Benjamini and Hochberg)."""
    order = np.argsort(chance, kind="stable")
    ranks = np.arange(1, len(chance) + 1)
    below = np.flatnonzero(chance[order] <= false * ranks / max(tests, 1))
    chosen = np.zeros(len(chance), dtype=np.bool_)
    if len(below):
        chosen[order[: below[-1] + 1]] = True
    return chosen


class _Place:
    """The day and hour of moments, and their keys: by hour of the week, of a working or weekend day, and of the day."""

    def __init__(self, local: Numbers) -> None:
        self.day = local // DAY
        self.hour = local % DAY // HOUR
        weekday = (self.day + 3) % 7  # 1970 began on a Thursday
        self.keys = (weekday * 24 + self.hour, (weekday >= 5) * 24 + self.hour, self.hour)


class _Tail:
    """The tail of the distances of the history: a Pareto distribution, which gives the probability of a distance."""

    def __init__(self, distances: Floats, days: Numbers) -> None:
        inner = _inner(distances)
        distances, days = distances[inner], days[inner]
        count = max(len(distances), 1)
        self.start = max(float(np.quantile(distances, 1 - _TAIL)) if len(distances) else 0.0, 1.0)
        beyond = distances > self.start
        excess = np.sort(distances[beyond]) - self.start
        self.share = max(len(excess), 1) / count
        self.shape = 0.0
        self.scale = float(excess.mean()) if len(excess) else 0.0
        if len(excess) >= _LEAST_TAIL:
            # Probability-weighted moments: robust where the tail is long.
            upper = 1 - (np.arange(1, len(excess) + 1) - 0.35) / len(excess)
            first, second = float(excess.mean()), float((excess * upper).mean())
            if first > 2 * second > 0:
                shape = 2 - first / (first - 2 * second)
                if shape > 0:
                    self.shape = min(shape, _LONGEST)
                    self.scale = first * (1 - self.shape)
        # Values of one day resemble each other: the tail is known from so many days.
        self.scale = max(self.scale, _LEAST_EXCESS) * (1 + 1 / np.sqrt(max(len(np.unique(days[beyond])), 1)))

    def chance(self, distance: Floats) -> Floats:
        """Give the probability of a distance at least this large."""
        beyond = np.maximum(np.nan_to_num(distance) - self.start, 0.0) / self.scale
        if self.shape:
            found = self.share * (1 + self.shape * beyond) ** (-1 / self.shape)
        else:
            found = self.share * np.exp(-beyond)
        return np.where(beyond > 0, found, 0.5)


class _Past:
    """The history of one series."""

    def __init__(self, local: Numbers, values: Floats, quantum: Floats, least: float) -> None:
        self.values = values
        if not len(values):
            return
        self.place = _Place(local)
        self.busy = max(_BUSY * float(np.quantile(np.abs(values), 0.9)), least)
        self.slope = 0.0
        self.middle = 0.0
        self._learn(quantum)
        if self._trend():
            self.values = self._level(values, self.place.day, -1)
            self._learn(quantum)
        known = np.isfinite(self._tested)
        self.above = _Tail(self._tested[known], self.place.day[known])
        self.below = _Tail(-self._tested[known], self.place.day[known])

    def usual(self, place: _Place, quantum: Floats) -> tuple[Floats, Floats, npt.NDArray[np.int8]]:
        """Give the usual values at other moments, the usual distance from them, and the level used."""
        expected = np.full(len(place.day), np.nan)
        own = np.full(len(place.day), np.nan)
        days = np.zeros(len(place.day))
        level = np.full(len(place.day), -1, np.int8)
        for number, known in enumerate(self._levels):
            at = known.places(place.keys[number])
            fits = (level < 0) & (at >= 0)
            fits[fits] = known.days[at[fits]] >= FEWEST
            expected[fits], own[fits], days[fits] = known.median[at[fits]], known.spread[at[fits]], known.days[at[fits]]
            level[fits] = number
        spread = self._spread(expected, own, days, quantum)
        if self.slope:
            risen = self._level(expected, place.day, 1)
            spread *= np.maximum(np.abs(risen), self.busy) / np.maximum(np.abs(expected), self.busy)
            expected = risen
        return expected, spread, level

    def _learn(self, quantum: Floats) -> None:
        """Learn the usual values and distances, and the distances of the history's own values."""
        place = self.place
        cells, of_cell = np.unique(place.day * 24 + place.hour, return_inverse=True)
        middle = _medians(of_cell, self.values, len(cells))
        first = np.unique(of_cell, return_index=True)[1]
        self._levels: list[_Level] = []
        expected = np.full(len(self.values), np.nan)
        level = np.full(len(self.values), -1, np.int8)
        for number, keys in enumerate(place.keys):
            known = _Level(keys[first], middle)
            self._levels.append(known)
            others = known.without_self[of_cell]
            fits = (level < 0) & (known.days[known.of_cell][of_cell] >= FEWEST)
            expected[fits], level[fits] = others[fits], number
        self._expected = expected
        distance = np.abs(self.values - expected)
        self._share = _NORMAL * _median(distance / np.maximum(np.abs(expected), max(self.busy, 1e-300)))
        own = np.full(len(self.values), np.nan)
        days = np.zeros(len(self.values))
        for number, known in enumerate(self._levels):
            mine = level == number
            known.spread = _NORMAL * _medians(known.of_cell[of_cell][mine], distance[mine], len(known.keys))
            own[mine] = known.spread[known.of_cell[of_cell]][mine]
            days[mine] = known.days[known.of_cell[of_cell]][mine]
        self._tested = _scores(self.values, expected, self._spread(expected, own, days, quantum))

    def _spread(self, expected: Floats, own: Floats, days: Floats, quantum: Floats) -> Floats:
        """Give the usual distance: that of the hour combined with that of all hours, never below a least distance."""
        general = self._share * np.maximum(np.abs(expected), self.busy)
        known = np.where(np.isfinite(own), own, general)
        drawn = np.sqrt((days * known**2 + _LENT * general**2) / (days + _LENT))
        counted = np.sqrt(np.abs(expected) * quantum + quantum**2)
        floor = np.maximum(np.maximum(_SHARE * np.abs(expected), self.busy), counted)
        return np.asarray(np.fmax(drawn, floor))

    def _trend(self) -> bool:
        """Find a steady rise or fall by day, in shares of the value, by the median slope of all pairs of days."""
        base = max(self.busy, 1e-300)
        known = np.isfinite(self._expected) & (self.values >= 0) & (self._expected >= 0)
        days, of_day = np.unique(self.place.day[known], return_inverse=True)
        if len(days) < _TREND_DAYS:
            return False
        ratio = np.log((self.values[known] + base) / (self._expected[known] + base))
        level = _medians(of_day, ratio, len(days))[-_MOST_DAYS:]
        days = days[-_MOST_DAYS:]
        first, second = np.triu_indices(len(days), 1)
        rise = level[second] - level[first]
        count = len(days)
        deviation = np.sqrt(count * (count - 1) * (2 * count + 5) / 18)
        slope = float(np.median(rise / (days[second] - days[first])))
        certain = abs(float(np.sign(rise).sum())) > _TREND_CERTAIN * deviation
        if not certain or abs(slope) * float(days[-1] - days[0]) < _TREND_LEAST:
            return False
        self.slope, self.middle = slope, float(np.median(days))
        return True

    def _level(self, values: Floats, day: Numbers, direction: int) -> Floats:
        """Remove the trend from values (direction -1), or add it to them (1)."""
        base = self.busy
        risen = (values + base) * np.exp(direction * self.slope * (day - self.middle)) - base
        return np.asarray(np.where(values >= 0, np.maximum(risen, 0.0), values))


class _Level:
    """The history by one kind of key (see LEVELS), with the usual value of each; a cell is one hour of one day."""

    def __init__(self, keys: Numbers, middle: Floats) -> None:
        self.keys, self.of_cell = np.unique(keys, return_inverse=True)
        self.days = np.bincount(self.of_cell, minlength=len(self.keys)).astype(np.float64)
        self.median = _medians(self.of_cell, middle, len(self.keys))
        self.without_self = _medians_of_others(self.of_cell, middle)
        self.spread: Floats = np.full(len(self.keys), np.nan)

    def places(self, keys: Numbers) -> Numbers:
        """Give the index of each key, -1 for an unknown key."""
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.asarray(np.where(self.keys[at] == keys, at, -1), dtype=np.int64)


def _scores(values: Floats, expected: Floats, spread: Floats) -> Floats:
    """Divide deviations by the usual deviations, or by _SHARE of themselves where those are 0."""
    distance = values - expected
    safe = np.where(spread > 0, spread, np.maximum(_SHARE * np.abs(distance), 1e-300))
    return np.asarray(distance / safe)


def _inner(distances: Floats) -> Mask:
    """Say which distances are used for the tail: all, except the few that lie far outside of the others."""
    if len(distances) < 2 * _LEAST_TAIL:
        return np.ones(len(distances), dtype=np.bool_)
    near = distances <= _FAR * max(float(np.quantile(distances, 0.98)), 1.0)
    return near if near.mean() >= 0.98 else np.ones(len(distances), dtype=np.bool_)


def _median(values: Floats) -> float:
    known = values[np.isfinite(values)]
    return float(np.median(known)) if len(known) else 0.0


def _sorted(groups: Numbers, values: Floats) -> tuple[Numbers, Numbers, Numbers]:
    """Give the order by group and value, and where each group starts and ends in it."""
    order = np.lexsort((values, groups))
    count = int(groups.max()) + 1 if len(groups) else 0
    ends = np.cumsum(np.bincount(groups, minlength=count))
    return order, np.concatenate([[0], ends[:-1]]).astype(np.int64), ends


def _medians(groups: Numbers, values: Floats, count: int) -> Floats:
    """Give the median of each group, NaN for an empty one; NaN values are left out."""
    known = np.isfinite(values)
    groups, values = groups[known], values[known]
    found = np.full(count, np.nan)
    if len(groups):
        order, starts, ends = _sorted(groups, values)
        there = np.flatnonzero(ends > starts)
        size = ends[there] - starts[there]
        low = values[order[starts[there] + (size - 1) // 2]]
        found[there] = (low + values[order[starts[there] + size // 2]]) / 2
    return found


def _medians_of_others(groups: Numbers, values: Floats) -> Floats:
    """Give for each value the median of the others in its group, NaN if there are none."""
    order, starts, ends = _sorted(groups, values)
    group = groups[order]
    place = np.arange(len(order)) - starts[group]
    left = ends[group] - starts[group] - 1  # others
    found = np.full(len(values), np.nan)
    some = left > 0
    low, high = (left - 1) // 2, left // 2  # places among the others, which close ranks behind the value
    low = starts[group] + low + (low >= place)
    high = starts[group] + high + (high >= place)
    ordered = values[order]
    found[order[some]] = (ordered[low[some]] + ordered[high[some]]) / 2
    return found
