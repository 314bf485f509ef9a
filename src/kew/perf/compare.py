"""Compares two sets of results: which differences are more than noise, and which of those are for the worse.

Points of the same scenario, variant and number of clients are set beside each other. A difference of more than 6 %, the
tolerance of the MQ reports, counts if it is also outside the confidence interval of the repeats (Welch's, 95 %). With a
single measurement on a side there is no such interval, and the tolerance alone decides.
"""

import math
import statistics
from dataclasses import dataclass
from typing import Final

from kew.perf.results import Point

TOLERANCE: Final = 0.06
SAME: Final = "same"
NOISE: Final = "noise"
BETTER: Final = "better"
WORSE: Final = "worse"

# Student's t for 95 %, two-sided, by degrees of freedom; between two the smaller, which is the wider, is taken.
_STUDENT: Final = {
    1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228,
    12: 2.179, 15: 2.131, 20: 2.086, 30: 2.042, 60: 2.000, 1000: 1.962,
}  # fmt: skip

# The quantities compared, and whether more is better.
METRICS: Final = {"rate": True, "mean": False, "cpu_qmgr": False}


@dataclass(frozen=True)
class Difference:
    """A metric of one point in two sets."""

    name: str
    clients: int
    metric: str
    before: float
    after: float
    low: float  # confidence interval of the change, as a share of `before`
    high: float
    repeats: tuple[int, int]
    verdict: str

    @property
    def change(self) -> float:
        """Give the change as a share."""
        return self.after / self.before - 1


def compare(
    before: list[Point], after: list[Point], metrics: tuple[str, ...] = ("rate",), tolerance: float = TOLERANCE
) -> list[Difference]:
    """Compare the points that both sets have; partial points are left out."""
    ours, theirs = _groups(before), _groups(after)
    return [
        _difference(
            key, metric, [getattr(p, metric) for p in ours[key]], [getattr(p, metric) for p in theirs[key]], tolerance
        )
        for key in sorted(ours.keys() & theirs.keys())
        for metric in metrics
        if statistics.fmean(getattr(p, metric) for p in ours[key]) > 0
    ]


def _groups(points: list[Point]) -> dict[tuple[str, int], list[Point]]:
    """Give the points of the newest run of each scenario."""
    newest: dict[str, str] = {}
    for point in points:
        newest[point.name] = max(point.run, newest.get(point.name, ""))
    found: dict[tuple[str, int], list[Point]] = {}
    for point in points:
        if not point.partial and point.run == newest[point.name]:
            found.setdefault((point.name, point.clients), []).append(point)
    return found


def _difference(
    key: tuple[str, int], metric: str, before: list[float], after: list[float], tolerance: float
) -> Difference:
    first, second = statistics.fmean(before), statistics.fmean(after)
    change = second / first - 1
    half = _half_width(before, after) / first
    verdict = SAME
    if abs(change) > tolerance:
        if abs(change) <= half:
            verdict = NOISE
        else:
            verdict = BETTER if (change > 0) == METRICS[metric] else WORSE
    repeats = len(before), len(after)
    return Difference(key[0], key[1], metric, first, second, change - half, change + half, repeats, verdict)


def _half_width(before: list[float], after: list[float]) -> float:
    """Give half of Welch's interval of the difference of two means; 0 if there are too few values."""
    if len(before) < 2 or len(after) < 2:
        return 0.0
    parts = [statistics.variance(some) / len(some) for some in (before, after)]
    error = sum(parts)
    if error == 0:
        return 0.0
    freedom = error**2 / sum(part**2 / (len(some) - 1) for part, some in zip(parts, (before, after), strict=True))
    return student(freedom) * math.sqrt(error)


def student(freedom: float) -> float:
    """Give the quantile of Student's t for 95 %."""
    fitting = [value for degrees, value in _STUDENT.items() if degrees <= max(freedom, 1)]
    return fitting[-1]
