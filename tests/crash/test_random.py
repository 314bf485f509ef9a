"""Random histories of a thousand operations, with the power lost now and then."""

import sys

from tests.crash.histories import run_all

HISTORIES = 2000


def test_random_histories() -> None:
    total = run_all(1, HISTORIES)
    print(total, file=sys.stderr)
    assert not total.failures, "\n".join([f"{len(total.failures)} failures", *total.failures[:10]])
    assert total.histories == HISTORIES
    assert total.crashes > HISTORIES
