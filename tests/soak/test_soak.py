"""The soak run goes through its cycles: load, backup, kill, media recovery, ledger, figures."""

from pathlib import Path

from tests.soak.__main__ import Soak


def test_a_cycle_with_a_kill_and_one_with_media_recovery(tmp_path: Path) -> None:
    soak = Soak(tmp_path, 3600.0, 2.0)
    soak.run(most=2)
    assert (soak.kills, soak.recoveries) == (2, 1)
    assert soak.committed > 0
    assert soak.got > 0
    assert soak.report().startswith("2 cycles, 2 kills, 1 page sets recovered: ")
    soak.write(tmp_path / "out")
    rows = (tmp_path / "out" / "soak.csv").read_text().splitlines()
    assert rows[0] == "second,memory,p99_ms,probes"
    assert len(rows) - 1 == sum(len(cycle) for cycle in soak.cycles) > 0
    picture = (tmp_path / "out" / "soak.svg").read_text()
    assert picture.count("<polyline") == 2
