"""Results are kept whole, with their circumstances."""

import json
from pathlib import Path

import pytest

from kew.perf.results import Keeper, Point, ResultsError, Sample, VerbTime, append, describe_host, new_run, read


def test_a_point_comes_back_as_it_was(tmp_path: Path) -> None:
    point = Point(run=new_run(), scenario="s", variant="v", clients=3, rate=1.5, partial=True, host=describe_host())
    point.samples = [Sample(0.5, 10.0, 7)]
    point.histogram = {3: 4, 900: 1}
    point.verbs = [VerbTime("MQPUT", 2, 0.1, 0.1, 0.2)]
    append(tmp_path / "new", [point, Point(run="x")])
    back, other = read(tmp_path / "new")
    assert back == point
    assert back.name == "s/v"
    assert other.samples == []


def test_runs_are_added_and_leave_nothing_half(tmp_path: Path) -> None:
    for run in ("a", "b"):
        append(tmp_path, [Point(run=run)])
    assert sorted(point.run for point in read(tmp_path)) == ["a", "b"]
    assert {path.suffix for path in tmp_path.iterdir()} == {".parquet"}


def test_what_was_measured_is_kept_with_each_point(tmp_path: Path) -> None:
    keeper = Keeper(tmp_path / "new")
    for clients in (1, 2, 3):
        keeper.add(Point(run="a", clients=clients))
        assert [point.clients for point in read(tmp_path / "new")] == list(range(1, clients + 1))
    assert len(list((tmp_path / "new").iterdir())) == 1


def test_runs_sort_by_time() -> None:
    assert new_run()[:9] <= new_run()[:9]
    assert new_run() != new_run()


def test_the_host_is_described() -> None:
    host = json.loads(describe_host())
    assert host["cores"] >= 1
    assert host["build"] in ("compiled", "interpreted")


def test_an_empty_folder_has_no_results(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="holds no results"):
        read(tmp_path)
