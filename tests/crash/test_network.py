"""Real kill -9 of a queue manager and of its clients, over TCP; `make crash` has more of them."""

from pathlib import Path

from tests.crash.network import run

KILLS = 20


def test_kill_minus_nine_under_network_load(tmp_path: Path) -> None:
    servers, put, got = run(tmp_path, KILLS, 3)
    assert 0 < servers < KILLS
    assert put > KILLS
    assert got > KILLS
