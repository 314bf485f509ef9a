"""What several programs are told at once, across losses of power, has an order that explains it."""

import sys

from tests.crash.concurrent import Concurrent, run_some
from tests.support.cores import chunks, spread
from tests.support.linear import NotLinearizable

HISTORIES = 60


def test_concurrent_histories_have_an_order() -> None:
    results = list(spread(run_some, chunks(1, HISTORIES, 20)))
    problems = [problem for _calls, found in results for problem in found]
    print(f"{HISTORIES} histories, {sum(calls for calls, _found in results)} calls", file=sys.stderr)
    assert not problems, "\n".join([f"{len(problems)} have none", *problems[:2]])


def test_an_edge_that_does_not_wait_for_the_log_is_noticed() -> None:
    for seed in range(1, 31):
        try:
            Concurrent(seed, waits=False).run()
        except NotLinearizable:
            return
    raise AssertionError("nobody noticed that programs are told of what the power can undo")
