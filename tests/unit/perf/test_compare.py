"""Two sets of results beside each other."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from kew.cli import main
from kew.perf.compare import BETTER, NOISE, SAME, WORSE, compare, student
from kew.perf.results import Point, append


def points(*rates: float, run: str = "1", name: str = "s", **more: float) -> list[Point]:
    made = []
    for repeat, rate in enumerate(rates, 1):
        made.append(Point(run=run, scenario=name, variant="v", clients=4, repeat=repeat, rate=rate))
        for key, value in more.items():
            setattr(made[-1], key, value)
    return made


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ([100.0], [105.9], SAME),
        ([100.0], [107.0], BETTER),
        ([100.0], [93.0], WORSE),
        ([100, 101, 99], [90, 91, 89], WORSE),
        ([100, 140, 60], [85, 120, 50], NOISE),
        ([100, 101, 99], [97, 98, 96], SAME),
    ],
)
def test_a_difference_counts_if_it_is_large_and_no_noise(before: list[float], after: list[float], verdict: str) -> None:
    (difference,) = compare(points(*before), points(*after))
    assert difference.verdict == verdict
    assert difference.low <= difference.change <= difference.high


def test_a_longer_response_is_worse() -> None:
    (difference,) = compare(points(1, mean=1.0), points(1, mean=1.2), ("mean",))
    assert difference.verdict == WORSE


def test_only_what_both_have_and_of_the_newest_run() -> None:
    old = [*points(50, run="1"), *points(100, run="2"), *points(1, name="other")]
    assert [each.verdict for each in compare(old, points(100, run="3"))] == [SAME]


def test_partial_points_do_not_count() -> None:
    cut = points(50)
    cut[0].partial = True
    assert compare(points(100), cut) == []


def test_students_t() -> None:
    assert student(1) == 12.706
    assert student(4.7) == 2.776
    assert student(11) == 2.228
    assert student(5000) == 1.962


def test_the_command_fails_on_a_regression(tmp_path: Path) -> None:
    for name, rate in (("a", 100.0), ("b", 99.0), ("c", 90.0)):
        append(tmp_path / name, points(rate))
    same = CliRunner().invoke(main, ["perf", "compare", str(tmp_path / "a"), str(tmp_path / "b")])
    assert same.exit_code == 0, same.output
    assert "-1.0%" in same.output
    worse = CliRunner().invoke(main, ["perf", "compare", str(tmp_path / "a"), str(tmp_path / "c")])
    assert worse.exit_code == 1
    assert "1 compared, 1 worse" in worse.output
    tolerated = CliRunner().invoke(
        main, ["perf", "compare", str(tmp_path / "a"), str(tmp_path / "c"), "--tolerance", "20"]
    )
    assert tolerated.exit_code == 0


def test_what_is_no_result(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_bytes(b"rubbish")
    (tmp_path / "empty").mkdir()
    for place in ("x.parquet", "empty", "nothing"):
        done = CliRunner().invoke(main, ["perf", "compare", str(tmp_path / place), str(tmp_path / place)])
        assert done.exit_code in (1, 2)
        assert isinstance(done.exception, SystemExit)
