"""What is told as unusual, of series in which it is known: how much of it is true, and how much is found."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.weeks import DAY, HOUR, Weeks

from kew.analytics.jobs.seasons import _medians_of_others, judge, told

WEEK = 7 * DAY
MANAGERS = 20
CASES = [(60, 6), (900, 6), (1800, 5), (3600, 10), (3600, 5)]  # seconds of an interval, weeks with the two in question


def chosen(series: Weeks) -> tuple[np.ndarray, np.ndarray]:
    """Which of the values in question are told, and in which week they are."""
    judged = judge(series.local, series.values(), series.quantum, series.split)
    week = (series.local[series.local >= series.split] - series.split) // WEEK
    found = np.zeros(len(week), dtype=np.bool_)
    for one in np.unique(week):
        mine = week == one
        found[mine] = told(judged.chance[mine], int(mine.sum()))
    return found, week


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
@pytest.mark.parametrize(("step", "weeks"), CASES)
def test_stationary_series_hardly_ever_raise_an_alarm(step: int, weeks: int, scale: float) -> None:
    alarms = []
    for seed in range(MANAGERS):
        found, week = chosen(Weeks(seed, weeks, step, scale))
        alarms += [int(found[week == one].sum()) for one in (0, 1)]
    share = np.mean(np.array(alarms) > 0)
    print(f"intervals of {step} s, {weeks} weeks, scale {scale}: {np.mean(alarms):.3f} false alarms a week")
    assert np.mean(alarms) <= 0.6
    assert share <= (0.3 if weeks < 6 else 0.1)


@pytest.mark.parametrize(("step", "weeks"), CASES)
def test_planted_anomalies_are_found_and_little_else(step: int, weeks: int) -> None:
    planted = hit = true = all_told = 0
    for seed in range(MANAGERS):
        series = Weeks(1000 + seed, weeks, step)
        for factor in (3.0, 0.0, 2.5, 0.2):  # for two hours of a working day
            day = int(series.random.choice([0, 1, 2, 3, 4, 7, 8, 9, 10, 11]))
            series.plant(series.split + day * DAY + int(series.random.integers(9, 16)) * HOUR, 2 * HOUR, factor)
        found, _ = chosen(series)
        odd = series.odd[series.local >= series.split]
        planted += int(odd.sum())
        hit += int((found & odd).sum())
        all_told += int(found.sum())
        true += int((found & odd).sum())
    precision, recall = true / all_told, hit / planted
    print(f"intervals of {step} s, {weeks} weeks: precision {precision:.3f}, recall {recall:.3f}")
    assert precision >= (0.85 if weeks < 6 else 0.93)
    assert recall >= 0.85


def test_days_that_are_all_the_same_have_no_anomalies() -> None:
    local = np.arange(22 * 24, dtype=np.int64) * HOUR
    values = np.asarray(1000.0 + 10 * (local % DAY // HOUR), dtype=np.float64)
    judged = judge(local, values, np.full(len(local), 1 / 3600), 21 * DAY)
    assert not told(judged.chance, 24).any()
    assert (judged.score == 0).all()
    values[21 * 24 + 5] *= 1.5
    judged = judge(local, values, np.full(len(local), 1 / 3600), 21 * DAY)
    assert np.flatnonzero(told(judged.chance, 24)).tolist() == [5]
    assert judged.score[5] < 100


def test_a_trend_goes_on_and_is_no_anomaly() -> None:
    series = Weeks(7, 10, 3600, trend=0.01)  # doubles in ten weeks
    found, _ = chosen(series)
    assert found.sum() <= 1
    series.plant(series.split + 2 * DAY + 10 * HOUR, 2 * HOUR, 2.5)
    found, _ = chosen(series)
    assert found[series.odd[series.local >= series.split]].all()


def test_one_bad_monday_does_not_make_the_next_look_normal() -> None:
    series = Weeks(8, 8, 3600)
    series.plant(series.split - 7 * DAY + 10 * HOUR, 4 * HOUR, 5.0)  # in the history
    series.odd[:] = False
    series.plant(series.split + 10 * HOUR, 4 * HOUR, 3.0)
    found, _ = chosen(series)
    assert found[series.odd[series.local >= series.split]].all()


def test_hardly_anything_counted_is_nothing_unusual() -> None:
    local = np.arange(28 * 24, dtype=np.int64) * HOUR
    values = np.zeros(len(local))
    values[27 * 24 + 3] = 9 / 3600
    values[27 * 24 + 9] = 40 / 3600
    judged = judge(local, values, np.full(len(local), 1 / 3600), 27 * DAY)
    assert np.flatnonzero(told(judged.chance, 24)).tolist() == [9]


def test_what_is_not_known_is_not_judged() -> None:
    local = np.arange(3 * 24, dtype=np.int64) * HOUR
    judged = judge(local, np.ones(len(local)), np.zeros(len(local)), 2 * DAY)
    assert (judged.level == -1).all()
    assert (judged.chance == 1).all()
    judged = judge(local, np.ones(len(local)), np.zeros(len(local)), 0)
    assert (judged.level == -1).all()


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), min_size=1, max_size=40))
def test_the_median_of_the_others(pairs: list[tuple[int, int]]) -> None:
    groups = np.array([group for group, _ in pairs], dtype=np.int64)
    values = np.array([value for _, value in pairs], dtype=np.float64)
    found = _medians_of_others(groups, values)
    for at, group in enumerate(groups):
        others = np.delete(values, at)[np.delete(groups, at) == group]
        assert (np.isnan(found[at]) and not len(others)) or found[at] == np.median(others)


def test_false_discoveries_are_a_small_share() -> None:
    random = np.random.default_rng(5)
    false = total = 0
    for _ in range(400):
        chance = random.uniform(size=500)
        chance[:10] = 1e-7
        found = told(chance, 500)
        assert found[:10].all()
        false += int(found[10:].sum())
        total += int(found.sum())
    assert false / total <= 0.06
