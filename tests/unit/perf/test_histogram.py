"""Response times in buckets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.perf.histogram import BUCKETS, Histogram, add, bucket_of, seconds_of


@given(st.integers(0, 200_000_000_000))
def test_a_bucket_is_close_to_its_times(nanoseconds: int) -> None:
    middle = seconds_of(bucket_of(nanoseconds)) * 1e9
    assert abs(middle - nanoseconds) <= max(51, nanoseconds * 0.0081)


@given(st.integers(0, 1 << 40), st.integers(0, 1 << 40))
def test_buckets_are_in_order(one: int, other: int) -> None:
    assert (bucket_of(one) <= bucket_of(other)) == (one <= other) or bucket_of(one) == bucket_of(other)


def test_the_longest_times_share_the_last_bucket() -> None:
    assert bucket_of(1 << 60) == BUCKETS - 1
    assert bucket_of(-5) == 0


def test_percentiles_mean_and_longest() -> None:
    histogram = Histogram()
    for milliseconds in range(1, 101):
        add(histogram.counts, milliseconds * 1_000_000)
    assert histogram.total == 100
    assert histogram.percentile(50) == pytest.approx(0.050, rel=0.02)
    assert histogram.percentile(99) == pytest.approx(0.099, rel=0.02)
    assert histogram.longest() == pytest.approx(0.100, rel=0.02)
    assert histogram.mean() == pytest.approx(0.0505, rel=0.02)


def test_what_came_since_an_earlier_look() -> None:
    one, other = Histogram(), Histogram()
    add(one.counts, 1000)
    add(other.counts, 5000)
    before = Histogram(one.counts)
    add(one.counts, 5000)
    assert one.total == 2
    assert one.since(before).counts == other.counts
    assert one.sparse() == {at: count for at, count in enumerate(one.counts) if count}


def test_of_nothing() -> None:
    assert (Histogram().mean(), Histogram().percentile(99), Histogram().longest()) == (0.0, 0.0, 0.0)
