"""EIO, ENOSPC and short writes at every disk operation of a scenario that does everything once."""

import sys
from collections import Counter
from random import Random

import pytest
from tests.crash import scenarios
from tests.crash.scenarios import OTHER
from tests.fault.faults import FAULTS, count, fail_at
from tests.support.cores import spread
from tests.support.simdisk import Keep
from tests.support.world import World, create, small

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_PAGESET_FULL
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.engine import RUNNING

KINDS = ("/log/copy1/S", "BOOTSTRAP", "pagesets/psid", "doublewrite")


@pytest.mark.parametrize("variant", ["single", "dual", "linear"])
def test_every_disk_operation_that_can_fail(variant: str) -> None:
    operations = count(variant)
    cases = [
        (variant, number, fault)
        for number, (operation, _path) in enumerate(operations, 1)
        for fault in FAULTS
        if fault != "short" or operation == "write"
    ]
    outcomes = list(spread(fail_at, cases))
    problems = [str(outcome) for outcome in outcomes if outcome.problem]
    assert not problems, "\n".join([f"{len(problems)} of {len(cases)} failures", *problems[:10]])
    broken = Counter(outcome.operation for outcome in outcomes if outcome.broken)
    print(f"{variant}: {len(operations)} operations, {len(cases)} faults, broken by {dict(broken)}", file=sys.stderr)
    for kind in KINDS:
        for operation in ("write", "sync"):
            assert any(kind in each.path and each.operation == operation for each in outcomes), (kind, operation)


@pytest.mark.parametrize("size", [1000, 9000, 200000])
def test_a_device_that_is_full_ends_in_page_set_full_and_nothing_is_lost(size: int) -> None:
    world = scenarios.start("single")
    program = world.programs[0]
    world.disk.capacity = sum(world.disk.files.values()) + 300 * 4096
    page_set = world.host.store.page_sets[2]
    acknowledged = 0
    while not page_set.failed_expansions:  # the log cannot grow either: some long puts are backed out for that
        acknowledged += world.put(program, OTHER, size, True, 0, False)
    assert world.host.engine.state == RUNNING
    with pytest.raises(MQError) as refused:
        program.connection.put(program.handle(OTHER), MessageDescriptor(persistence=1), bytes(size))
    assert refused.value.reason == MQRC_PAGESET_FULL
    assert page_set.failed_expansions == 1
    while world.get(program, OTHER, False) is not None:
        acknowledged -= 1
    assert acknowledged < 0  # those of the beginning are gone, too
    assert world.put(program, OTHER, size, True, 0, False)
    scenarios.restart(world, world.disk.crash(keep="none"))


@pytest.mark.parametrize("keep", ["none", "random"])
@pytest.mark.parametrize("dual", [False, True])
@pytest.mark.parametrize("linear", [False, True])
def test_a_queue_manager_that_was_made_is_there_after_a_power_loss(dual: bool, linear: bool, keep: Keep) -> None:
    settings = small(dual=dual, linear=linear)
    for seed in range(10):
        World(create(settings).crash(Random(seed), keep), settings).check()
