"""Every scenario of up to three operations, stopped at every write and sync, restarted and compared with the model."""

import sys
from random import Random

import pytest
from tests.crash import scenarios
from tests.crash.scenarios import BY_NAME, Tally
from tests.support.cores import spread
from tests.support.simdisk import PowerLoss
from tests.support.world import World, create, small

# What is in the log, the pools and the page sets when restart meets it; every kind of record and page is there.
TELLING = (
    "put_in_unit,write_pages",
    "get_in_unit,write_pages",
    "put_in_unit,commit",
    "get_in_unit,commit",
    "get_in_unit,backout",
    "put_in_unit,prepare",
    "get_in_unit,prepare,checkpoint",
    "put_in_unit,switch,write_pages",
    "put_long,get,write_pages",
    "resolve_commit,write_pages",
    "resolve_backout,checkpoint",
    "define,delete,write_pages",
    "switch,switch,checkpoint",
)


def _judge(tallies: list[Tally], least: int) -> None:
    total = Tally()
    for tally in tallies:
        total.add(tally)
    print(f"{total.scenarios} scenarios, {total.stops} stops, {total.restarts} restarts", file=sys.stderr)
    assert not total.failures, "\n".join([f"{len(total.failures)} failures", *total.failures[:10]])
    assert total.restarts >= least


def test_every_scenario_of_three_operations() -> None:
    scenarios.beginning("single")
    cases = [("single", steps) for steps in scenarios.scenarios(3)]
    _judge(list(spread(scenarios.stop_one, cases)), 2 * len(cases))


@pytest.mark.parametrize("variant", ["dual", "linear", "singlewrite"])
def test_every_scenario_of_two_operations(variant: str) -> None:
    scenarios.beginning(variant)
    cases = [(variant, steps) for steps in scenarios.scenarios(2)]
    _judge(list(spread(scenarios.stop_one, cases)), 2 * len(cases))


@pytest.mark.parametrize("variant", ["single", "dual"])
def test_power_lost_again_during_restart(variant: str) -> None:
    scenarios.beginning(variant)
    cases = [(variant, tuple(BY_NAME[name] for name in names.split(","))) for names in TELLING]
    _judge(list(spread(scenarios.stop_restart_one, cases)), 20 * len(cases))


def test_a_long_unit_in_doubt_is_written_anew_whole_or_not_at_all() -> None:
    settings = small(pool=100)
    world = World(create(settings), settings)
    world.define("Q1")
    program = world.programs[0]
    for _ in range(5):
        world.put(program, "Q1", 10, True, 3, False)
    world.start_branch(program, b"long")
    for _ in range(60):
        world.put(program, "Q1", 50, True, 5, True)
    world.get(program, "Q1", True)
    world.prepare(program)
    world.checkpoint()
    world.disk.stop_after(1)
    with pytest.raises(PowerLoss):
        world.checkpoint()
    for seed in range(150):
        after = World(world.disk.crash(Random(seed)), settings, model=world.model.copy())
        after.check()
        after.resolve(after.programs[0], b"long", seed % 2 == 0)
        after.checkpoint()
        scenarios.restart(after, after.disk.crash(keep="none"))
