"""The ratios of the reports."""

import pytest

from kew.perf.ratios import FAILS, HOLDS, METRICS, Ratio, judge, judge_all, load_ratios
from kew.perf.scenario import load

NAMES = {each.name for each in load()}


@pytest.mark.parametrize("ratio", load_ratios(), ids=lambda each: f"{each.table}: {each.text}")
def test_every_ratio_is_between_two_scenarios(ratio: Ratio) -> None:
    assert ratio.over in NAMES
    assert ratio.under in NAMES
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
