"""The ratios of the reports."""

import json

import pytest

from kew.perf.ratios import FAILS, HOLDS, METRICS, Ratio, judge, judge_all, load_ratios
from kew.perf.report.tables import Tables
from kew.perf.report.write import measured_of
from kew.perf.scenario import load

WORKLOADS = {each.name: each.workload for each in load()}


@pytest.mark.parametrize("ratio", load_ratios(), ids=lambda each: f"{each.table}: {each.text}")
def test_every_ratio_is_between_two_scenarios(ratio: Ratio) -> None:
    for name in filter(None, (ratio.over, ratio.under)):
        scenario, _at, clients = name.partition("@")
        assert scenario in WORKLOADS
        assert not clients or int(clients) in WORKLOADS[scenario].clients
    assert ratio.metric in METRICS


def test_verdicts() -> None:
    bounded = Ratio("t", "x", "a", "b", low=0.5, high=0.8, seed=0.6)
    assert [judge(bounded, ours).verdict for ours in (0.4, 0.5, 0.8, 0.9)] == [FAILS, HOLDS, HOLDS, FAILS]
    assert bounded.bounds == "0.5 to 0.8"
    shown = Ratio("t", "x", "a", "b", seed=1.0)
    assert [judge(shown, ours).verdict for ours in (0.5, 1.2, 2.0)] == ["lower", "as in the report", "higher"]


def test_what_was_not_measured_is_not_judged() -> None:
    metrics = dict.fromkeys(METRICS, 2.0)
    both = {"bindings/local_np_trusted": metrics, "bindings/local_np_shared": metrics}
    assert [each.ours for each in judge_all(both)] == [1.0]
    assert judge_all({}) == []


def test_points_of_a_curve_and_figures_that_are_ratios() -> None:
    measured: dict[str, dict[str, float]] = {
        "streaming/pm_baseline@1": {"rate": 100.0},
        "streaming/pm_baseline@41": {"rate": 600.0},
        "expiry/test1": {"depth_formula": 1.01},
        "expiry/test2": {"depth_formula": 0.0},  # it did not run long enough
    }
    judged = {each.ratio.text: (each.ours, each.verdict) for each in judge_all(measured)}
    assert judged == {"persistent, 41 putters / 1": (6.0, HOLDS), "depth / formula, test 1": (1.01, HOLDS)}


@pytest.mark.parametrize(("seconds", "ours"), [(8.0, 1.0125), (5.9, 0.0)])
def test_the_depth_is_that_of_the_formula_once_a_peak_was_seen(seconds: float, ours: float) -> None:
    settings = json.dumps({"capexpry": 20, "rate": 40.0, "mqsc": ["ALTER QMGR EXPRYINT(2)"]})
    key = {"scenario": "expiry", "variant": "test1", "clients": 5}
    peak = {**key, "settings": settings, "rate": 200.0}
    samples = [{"seconds": at, "depth": depth} for at, depth in ((1.0, 200), (4.0, 810), (seconds, 500))]
    measured = measured_of(Tables([peak], [peak], [{**key, "samples": samples}]))
    assert measured["expiry/test1"]["depth_formula"] == ours  # of (2 + 2) s x 200/s
    assert measured["expiry/test1@5"]["rate"] == 200.0
