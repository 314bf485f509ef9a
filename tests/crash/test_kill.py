"""Real kill -9 of a loaded queue manager process."""

import sys

from tests.crash.kills import run_all

KILLS = 52


def test_kill_minus_nine() -> None:
    ledger = run_all(1, KILLS)
    print(ledger, file=sys.stderr)
    assert not ledger.failures, "\n".join([str(ledger), *ledger.failures[:20]])
    assert (ledger.lost, ledger.twice, ledger.phantom, ledger.order, ledger.wrong) == (0, 0, 0, 0, 0)
    assert ledger.kills == KILLS
    assert ledger.acknowledged > KILLS
