"""Response times in buckets: exact to 1.6 %, added in a few instructions, and merged by adding.

A time is kept in units of 100 ns. Below 128 units each has a bucket; above, every doubling has 64. The buckets lie in
any sequence of integers, so that a worker's can be in memory which the driver reads while the worker counts.
"""

from collections.abc import MutableSequence, Sequence
from typing import Final

UNIT: Final = 100  # nanoseconds
_DIRECT: Final = 128
_STEPS: Final = 64
_OCTAVES: Final = 24
BUCKETS: Final = _DIRECT + _OCTAVES * _STEPS  # up to 214 seconds; longer times count as that


def bucket_of(nanoseconds: int) -> int:
    """Give the bucket of a time."""
    units = nanoseconds // UNIT
    if units < _DIRECT:
        return units if units > 0 else 0
    shift = units.bit_length() - 7
    index = shift * _STEPS + (units >> shift)
    return index if index < BUCKETS else BUCKETS - 1


def seconds_of(bucket: int) -> float:
    """Give the time in the middle of a bucket."""
    if bucket < _DIRECT:
        return (bucket + 0.5) * UNIT / 1e9
    shift = bucket // _STEPS - 1
    return ((bucket - shift * _STEPS) + 0.5) * (1 << shift) * UNIT / 1e9


def add(buckets: MutableSequence[int], nanoseconds: int) -> None:
    """Count a time."""
    buckets[bucket_of(nanoseconds)] += 1


class Histogram:
    """A distribution of times."""

    def __init__(self, counts: Sequence[int] = ()) -> None:
        self.counts = list(counts) or [0] * BUCKETS

    def since(self, earlier: "Histogram") -> "Histogram":
        """Give the counts since an earlier copy."""
        return Histogram([now - then for now, then in zip(self.counts, earlier.counts, strict=True)])

    @property
    def total(self) -> int:
        """Count the times."""
        return sum(self.counts)

    def mean(self) -> float:
        """Give the mean in seconds; 0 of none."""
        total = self.total
        return sum(count * seconds_of(at) for at, count in enumerate(self.counts) if count) / total if total else 0.0

    def percentile(self, percent: float) -> float:
        """Give the time in seconds that `percent` percent of the times do not exceed; 0 without counts."""
        wanted = self.total * percent / 100
        seen = 0
        for at, count in enumerate(self.counts):
            seen += count
            if count and seen >= wanted:
                return seconds_of(at)
        return 0.0

    def longest(self) -> float:
        """Give the longest time in seconds; 0 of none."""
        return max((seconds_of(at) for at, count in enumerate(self.counts) if count), default=0.0)

    def sparse(self) -> dict[int, int]:
        """Give the buckets that are not empty."""
        return {at: count for at, count in enumerate(self.counts) if count}
