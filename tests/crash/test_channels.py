"""Real kill -9 of either end of a channel under load; `python -m tests.crash.channels` has more of them."""

from pathlib import Path

import pytest
from tests.crash.channels import run

KILLS = 6


@pytest.mark.parametrize("window", [1, 4])
def test_kill_minus_nine_of_either_end_of_a_channel(tmp_path: Path, window: int) -> None:
    outcome = run(tmp_path, KILLS, window, window)
    assert outcome.faults == []
    assert outcome.committed > KILLS
    assert all(outcome.kills)
