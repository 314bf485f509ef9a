"""Damaged sessions over sockets, for some seconds; `make fuzz` has more time."""

from pathlib import Path

from tests.fuzz import partners
from tests.fuzz.sessions import run


def test_damaged_sessions_harm_nobody(tmp_path: Path) -> None:
    count, _grown = run(tmp_path, 5.0, 11)
    assert count > 50


def test_hostile_partners_harm_nobody(tmp_path: Path) -> None:
    attack = partners.run(tmp_path, 8.0, 2)
    assert attack.problems == []
    assert attack.count > 10
    assert attack.answered > 10
