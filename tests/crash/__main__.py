"""`python -m tests.crash`: histories with power losses and kills of a loaded queue manager, as many as asked for.

python -m tests.crash --histories 10000 --seed 1 --kills 1000 --network-kills 100
python -m tests.crash --histories 0 --kills 0 --network-kills 0 --concurrent 10000
python -m tests.crash history 4711                  one history again
python -m tests.crash scenario single put,commit --stop 2 --keep random --seed 1
python -m tests.crash exhaustive dual 3             every scenario of a length, on a kind of queue manager
"""

import argparse
import sys
import time

from tests.crash import concurrent, histories, kills, network, scenarios
from tests.crash.scenarios import BY_NAME, VARIANTS, Tally
from tests.support.cores import chunks, spread

from kew.version import is_compiled


def main() -> int:
    """Do what the command line asks for; 0 when nothing was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__, formatter_class=_Format)
    parser.add_argument("--histories", type=int, default=10000, help="random histories of 1,000 operations")
    parser.add_argument("--kills", type=int, default=1000, help="kill -9 of a loaded queue manager process")
    parser.add_argument("--network-kills", type=int, default=100, help="kill -9 of queue manager and clients over TCP")
    parser.add_argument("--concurrent", type=int, default=2000, help="histories of several programs at once")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    commands = parser.add_subparsers(dest="command")
    history = commands.add_parser("history", help="run one history again")
    history.add_argument("seed_of_history", type=int)
    scenario = commands.add_parser("scenario", help="run one case of a scenario again")
    scenario.add_argument("variant", choices=list(VARIANTS))
    scenario.add_argument("steps", help=f"of {', '.join(BY_NAME)}, with commas between")
    scenario.add_argument("--stop", type=int, default=0)
    scenario.add_argument("--keep", choices=("none", "all", "random"), default="none")
    scenario.add_argument("--seed", dest="case_seed", type=int, default=0)
    scenario.add_argument("--restart", type=int, default=0)
    scenario.add_argument("--again", choices=("none", "all", "random"), default="none")
    scenario.add_argument("--again-seed", type=int, default=0)
    exhaustive = commands.add_parser("exhaustive", help="run every scenario of up to a length")
    exhaustive.add_argument("variant", choices=list(VARIANTS))
    exhaustive.add_argument("length", type=int)
    asked = parser.parse_args()
    print(f"kew is {'compiled' if is_compiled() else 'interpreted'}")
    if asked.command == "history":
        histories.History(asked.seed_of_history).run()
        print("nothing lost")
        return 0
    if asked.command == "scenario":
        steps = tuple(BY_NAME[name] for name in asked.steps.split(","))
        scenarios.run_again(
            asked.variant, steps, asked.stop, asked.keep, asked.case_seed, asked.restart, asked.again, asked.again_seed
        )
        print("nothing lost")
        return 0
    if asked.command == "exhaustive":
        return _exhaustive(asked.variant, asked.length)
    failed = _long_run(asked.histories, asked.kills, asked.seed)
    if asked.network_kills:
        print(network.report(asked.network_kills, asked.seed))
    if asked.concurrent:
        failed |= _concurrent(asked.concurrent, asked.seed)
    return failed


def _concurrent(count: int, seed: int) -> int:
    """Judge histories of several programs at once; 0 when each has an order that explains it."""
    calls, problems = 0, list[str]()
    for part, found in spread(concurrent.run_some, chunks(seed, count, 20)):
        calls += part
        problems += found
    print(f"{count} histories of several programs at once, {calls} calls: {len(problems)} that no order explains")
    for problem in problems[:10]:
        print(problem)
    return int(bool(problems))


class _Format(argparse.RawDescriptionHelpFormatter):
    pass


def _long_run(count: int, kills_asked: int, seed: int) -> int:
    begun = time.monotonic()
    total = histories.Total()
    for part in spread(histories.run_some, chunks(seed, count, 20)):
        total.add(part)
        for failure in part.failures:
            print(failure, flush=True)
        if total.histories % 1000 == 0:
            print(f"{time.monotonic() - begun:.0f} s: {total}", flush=True)
    print(total)
    ledger = kills.run_all(seed, kills_asked)
    print(ledger)
    for failure in ledger.failures:
        print(failure)
    return 1 if total.failures or ledger.failures else 0


def _exhaustive(variant: str, length: int) -> int:
    scenarios.beginning(variant)
    total = Tally()
    for tally in spread(scenarios.stop_one, [(variant, steps) for steps in scenarios.scenarios(length)]):
        total.add(tally)
        for failure in tally.failures:
            print(failure, flush=True)
    print(
        f"{total.scenarios} scenarios, {total.stops} stops, {total.restarts} restarts, {len(total.failures)} failures"
    )
    return 1 if total.failures else 0


if __name__ == "__main__":
    sys.exit(main())
