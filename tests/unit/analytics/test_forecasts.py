"""Forecasts of made series: what comes is known, and so is the day on which a limit is met."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest

from kew.analytics.jobs.forecasts import USUAL, forecasts_of
from kew.analytics.jobs.metrics import POINTS, Metric

SHARE = Metric("QIS1: 100 * (QIS1TOPG - QIS1UNPG) / QIS1TOPG")
LOAD = Metric("QMST: QMSTPUT + QMSTPUT1")
MONDAY = datetime(2024, 1, 1, tzinfo=UTC)
Floats = npt.NDArray[np.floating[Any]]


def points(values: Floats, metric: Metric = SHARE, by_day: int = 1, name: str = "1") -> pa.Table:
    """A value for each part of a day."""
    step = timedelta(days=1) / by_day
    starts = [MONDAY + step * number for number in range(len(values))]
    texts = {"system": "S", "subsystem": "Q", "qsg": "", "qmgr": "Q", "metric": metric.name, "object": name}
    columns = {key: pa.array([text] * len(values)) for key, text in texts.items()}
    columns |= {
        "start": pa.array(starts, POINTS.field("start").type),
        "start_local": pa.array([one.replace(tzinfo=None) for one in starts]),
        "duration_us": pa.array([int(step.total_seconds() * 1e6)] * len(values)),
        "value": pa.array(values),
        "quantum": pa.array(np.zeros(len(values))),
    }
    return pa.table(columns, schema=POINTS)


def forecast(table: pa.Table, metric: Metric = SHARE, ahead: int = 30) -> dict[str, Any]:
    (row,) = forecasts_of(table, [metric], ahead).to_pylist()
    return dict(row)


def test_a_straight_line_is_followed_to_its_limit() -> None:
    row = forecast(points(20 + 0.5 * np.arange(60)))
    assert row["per_day"] == pytest.approx(0.5)
    assert row["forecast"] == pytest.approx(20 + 0.5 * 89)
    assert row["limit_likely"] == date(2024, 1, 1) + timedelta(days=160)
    assert (row["verdict"], row["days"]) == ("meets its limit", 60)
    assert row["error_percent"] == pytest.approx(0, abs=1e-6)


def test_what_does_not_grow_meets_no_limit() -> None:
    random = np.random.default_rng(1)
    row = forecast(points(40 + random.normal(0, 3, 90)))
    assert (row["verdict"], row["limit_likely"], row["limit_latest"]) == ("steady", None, None)
    assert forecast(points(90 - 0.4 * np.arange(90)))["verdict"] == "falls"
    assert forecast(points(np.full(30, 7.0)))["verdict"] == "steady"
    assert forecast(points(np.array([50.0, 101.0, *[100.0] * 12])))["verdict"] == "at its limit"


def test_little_history_is_told_as_such() -> None:
    row = forecast(points(np.arange(7.0)))
    assert (row["verdict"], row["forecast"], row["limit_likely"]) == ("too little history", None, None)


def test_the_worst_moment_of_a_day_counts_for_a_share_and_the_mean_for_a_load() -> None:
    hours = np.tile(np.array([10.0] * 23 + [60.0]), 20)
    assert forecast(points(hours, by_day=24))["forecast"] == pytest.approx(60)
    row = forecast(points(hours, LOAD, 24), LOAD)
    assert row["forecast"] == pytest.approx((10 * 23 + 60) / 24)
    assert row["limit"] is None


def test_a_load_that_takes_another_course_is_foretold_from_there() -> None:
    values = np.concatenate([np.full(200, 10.0), 10 + 0.5 * np.arange(100)])
    values += np.random.default_rng(5).normal(0, 0.3, len(values))
    assert forecast(points(values))["per_day"] == pytest.approx(0.5, abs=0.05)


def made(seed: int, days: int, ahead: int) -> tuple[Floats, Floats]:
    """A history with growth, weekdays, noise that lasts for days, and odd days; and what came behind it."""
    random = np.random.default_rng(seed)
    count = days + ahead
    noise = np.zeros(count)
    for at in range(1, count):
        noise[at] = 0.5 * noise[at - 1] + random.normal(0, 1.5)
    weekday = random.normal(0, 3, 7)[np.arange(count) % 7]
    values = 40 + random.uniform(-0.05, 0.15) * np.arange(count) + weekday + noise
    odd = random.integers(0, days, 3)
    values[odd] += 25
    return values[:days], values[days:]


def test_intervals_hold_what_they_promise_and_the_back_test_says_the_error(capsys: pytest.CaptureFixture[str]) -> None:
    inside = errors = said = 0.0
    within = []
    runs = 60
    for seed in range(runs):
        history, coming = made(seed, 120, 30)
        row = forecast(points(history), ahead=30)
        inside += row["forecast_low"] <= coming[-1] <= row["forecast_high"]
        errors += abs(row["forecast"] - coming[-1]) / coming[-1]
        said += row["error_percent"] / 100
        within.append(row["within_percent"])
    share = inside / runs
    with capsys.disabled():
        print(
            f"\nforecasts 30 days ahead: {share:.0%} within the interval that promises 90 %, error {errors / runs:.1%},"
            f" back-tested error {said / runs:.1%}, back-tested within {np.mean(within):.0f} %"
        )
    assert 0.8 <= share <= 1.0
    assert errors / runs < 0.12
    assert 0.5 < (errors / runs) / (said / runs) < 2


def test_the_day_of_the_limit_lies_within_its_interval(capsys: pytest.CaptureFixture[str]) -> None:
    right = 0
    runs = 40
    for seed in range(runs):
        random = np.random.default_rng(1000 + seed)
        slope = random.uniform(0.15, 0.4)
        truth = 40 + slope * np.arange(600)
        row = forecast(points(truth[:100] + random.normal(0, 1.0, 100)))
        met = date(2024, 1, 1) + timedelta(days=int(np.flatnonzero(truth >= 100)[0]))
        assert row["verdict"] == "meets its limit"
        latest = row["limit_latest"]
        right += row["limit_earliest"] <= met and (latest is None or met <= latest)
    with capsys.disabled():
        print(f"day of the limit within earliest and latest: {right} of {runs}")
    assert right >= 0.85 * runs


def test_gaps_and_parts_of_days_do_not_matter() -> None:
    whole = points(20 + 0.5 * np.arange(60))
    gaps = whole.filter(pa.array([number % 9 != 4 and not 20 <= number < 27 for number in range(60)]))
    assert forecast(gaps)["per_day"] == pytest.approx(0.5)
    hours = np.repeat(20 + 0.5 * np.arange(30), 24)
    hours[-3:] = 0  # the last day has only begun
    begun = points(hours[: 29 * 24 + 3], LOAD, 24)
    assert forecast(begun, LOAD)["days"] == 29


def test_the_usual_metrics_are_metrics() -> None:
    assert [Metric(text).name for text in USUAL] == list(USUAL)
