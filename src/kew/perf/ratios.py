"""The ratios of the MQ performance reports, and whether Kew's ratios agree with them.

Machines differ, so only ratios between two scenarios of one run are compared. Some ratios have bounds that a queue
manager of this kind must keep; the others are shown beside the report's value and judged by their distance from it.

The name of a scenario means its peak; NAME/VARIANT@CLIENTS means its point with that number of clients. Without a
second scenario the figure of the first is the ratio.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Final

NEAR: Final = 1.25  # a ratio within this factor of the report's is as the report has it
METRICS: Final = (
    "rate",
    "megabytes",
    "mean",
    "cpu_qmgr",
    "cpu_clients",
    "log_bytes_unit",
    "kilobytes_client",
    "depth_formula",  # depth of a queue whose messages expire, of that which the formula of `kew capacity` gives
)
HOLDS: Final = "holds"
FAILS: Final = "does not hold"


@dataclass(frozen=True)
class Ratio:
    """A ratio of two scenarios in a published report."""

    table: str
    text: str
    over: str
    under: str = ""
    metric: str = "rate"
    seed: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def bounds(self) -> str:
        """Give the bounds as text."""
        if self.low is not None and self.high is not None:
            return f"{self.low:g} to {self.high:g}"
        if self.low is not None:
            return f"at least {self.low:g}"
        return f"at most {self.high:g}" if self.high is not None else ""


@dataclass(frozen=True)
class Judged:
    """A ratio, the one measured here, and the verdict."""

    ratio: Ratio
    ours: float
    verdict: str


def load_ratios() -> list[Ratio]:
    """Read all ratios."""
    text = (resources.files("kew.perf") / "ratios.toml").read_text(encoding="utf-8")
    return [Ratio(**row) for row in tomllib.loads(text)["ratio"]]


def judge(ratio: Ratio, ours: float) -> Judged:
    """Say whether a ratio is within its bounds, or how it compares with the report's."""
    if ratio.bounds:
        kept = (ratio.low is None or ours >= ratio.low) and (ratio.high is None or ours <= ratio.high)
        return Judged(ratio, ours, HOLDS if kept else FAILS)
    if ratio.seed is None:
        return Judged(ratio, ours, "shown")
    if ratio.seed / NEAR <= ours <= ratio.seed * NEAR:
        return Judged(ratio, ours, "as in the report")
    return Judged(ratio, ours, "higher" if ours > ratio.seed else "lower")


def judge_all(measured: Mapping[str, Mapping[str, float]]) -> list[Judged]:
    """Judge every ratio of which both scenarios were measured; `measured` has metrics by scenario."""
    found = []
    for ratio in load_ratios():
        above = _figure(measured, ratio.over, ratio.metric)
        below = _figure(measured, ratio.under, ratio.metric) if ratio.under else 1.0
        if above and below:
            found.append(judge(ratio, above / below))
    return found


def _figure(measured: Mapping[str, Mapping[str, float]], name: str, metric: str) -> float:
    """Give a metric of a scenario; 0 where it was not measured."""
    return measured.get(name, {}).get(metric) or 0.0
