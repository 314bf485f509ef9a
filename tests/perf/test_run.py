"""Scenarios run end to end, with processes and a queue manager of their own."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kew.cli import main
from kew.perf.drive import Progress
from kew.perf.ports import free_port
from kew.perf.results import Point, read
from kew.perf.show import Screen
from kew.qmgr import manager

QUICK = ["--quick", "--seconds", "0.2", "--warm-up", "0.05"]


def run(tmp_path: Path, *arguments: str) -> list[Point]:
    results = tmp_path / "results"
    options = [*QUICK, "--data", str(tmp_path / "data"), "--results", str(results)]
    done = CliRunner().invoke(main, ["perf", "run", *options, *arguments])
    assert done.exit_code == 0, done.output
    assert list((tmp_path / "data").iterdir()) == []  # nothing is left of the queue manager
    return read(results)


def test_every_kind_of_work_keeps_its_books(tmp_path: Path) -> None:
    names = (
        "bindings/local_np_trusted",
        "bindings/local_np_normal",
        "client/clpm_sc1",
        "streaming/pm_mustdup",
        "streaming/np_expiring",
        "selector/indexed",
        "mqi/np_2K",
    )
    points = {point.name: point for point in run(tmp_path, *names)}
    assert set(points) == set(names)
    for point in points.values():
        assert (point.ledger, point.ledger_copies, point.failures) == (0, 0, 0), point.name
        assert point.puts >= point.units > 0, point.name
        assert 0 < point.p50 <= point.p99 <= point.longest
        assert sum(point.histogram.values()) > 0  # not `units`: those are read a moment later, while everybody works
        assert point.rss > 1
        assert point.overhead > 0
        assert point.samples
    assert points["client/clpm_sc1"].log_syncs > 0
    assert points["bindings/local_np_trusted"].log_syncs == 0
    assert points["streaming/pm_mustdup"].copies == points["streaming/pm_mustdup"].puts
    expiring = points["streaming/np_expiring"]
    assert expiring.depth_copies + expiring.expired == expiring.puts
    assert [verb.verb for verb in points["mqi/np_2K"].verbs][:3] == ["MQCONN", "MQOPEN", "MQPUT"]


def test_a_slow_log_is_slow(tmp_path: Path) -> None:
    settings = ["--set", "log_delay=20000", "--clients", "1"]
    (point,) = run(tmp_path, "bindings/local_pm_trusted", *settings)
    assert point.mean > 0.040  # at least two syncs of a round trip, one after the other
    assert json.loads(point.settings)["log_delay"] == 20000


def test_a_program_that_fails_ends_the_run_with_its_reason(tmp_path: Path) -> None:
    options = [*QUICK, "--data", str(tmp_path / "data"), "--results", str(tmp_path / "results")]
    done = CliRunner().invoke(main, ["perf", "run", "selector/selector", *options, "--set", "selector=colour ="])
    assert done.exit_code == 1
    assert "2459" in done.output  # MQRC_SELECTOR_SYNTAX_ERROR
    assert list((tmp_path / "data").iterdir()) == []


def test_ctrl_c_leaves_what_was_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def impatient(_screen: Screen, progress: Progress) -> None:
        if progress.phase == "steady":
            raise KeyboardInterrupt

    monkeypatch.setattr(Screen, "watch", impatient)
    options = ["--data", str(tmp_path / "data"), "--results", str(tmp_path / "results"), "--seconds", "60"]
    done = CliRunner().invoke(main, ["perf", "run", "bindings/local_np_trusted", "--clients", "2,4", *options])
    assert done.exit_code == 130, done.output
    assert "partial" in done.output
    (point,) = read(tmp_path / "results")
    assert point.partial
    assert point.units > 0
    assert point.ledger == 0
    assert list((tmp_path / "data").iterdir()) == []


def test_a_queue_manager_elsewhere_is_driven_over_tcp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manager.create("QM9", data=str(tmp_path / "data"))
    monkeypatch.setenv("KEW_PASSWORD", "password")
    results = tmp_path / "results"
    with manager.start("QM9", str(tmp_path / "data"), developer=True) as running:
        port = free_port()
        running.listen(port)
        where = ["--host", f"127.0.0.1({port})", "--qmgr", "QM9", "--user", "admin"]
        done = CliRunner().invoke(
            main, ["perf", "run", "rr_cc/pm_2K", *QUICK, *where, "--results", str(results), "--set", "queues=1"]
        )
        assert done.exit_code == 0, done.output
        assert running.host.objects.find("QLOCAL", "KEW.PERF.REQUEST1") is None  # it was made, and taken away again
    (point,) = read(results)
    assert (point.ledger, point.failures) == (0, 0)
    assert point.units > 0
