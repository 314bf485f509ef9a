"""A scenario that does everything once, run again and again with one disk operation failing each time.

After the failure nothing may be acknowledged that is not durable. Where the log or a page could not be written the
queue manager is broken and says so to every program; where it can go on (a page set that cannot expand, a log file that
cannot be made, an archive that cannot be written) it does, and tells the operator. A restart on the healed disk then
shows what the model has.
"""

import errno
from collections.abc import Callable
from functools import partial
from random import Random

from tests.crash import scenarios
from tests.crash.scenarios import OTHER, QUEUE
from tests.support.simdisk import Keep
from tests.support.world import Faulted, World

from kew.codes.errors import Broken, MQError
from kew.codes.reasons import MQRC_CONNECTION_BROKEN
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.engine import BROKEN, RUNNING

Fault = str  # one of FAULTS
FAULTS = ("EIO", "ENOSPC", "short")
KEEPS: tuple[Keep, ...] = ("none", "all", "random")


def _grow(world: World) -> None:
    for _ in range(16):
        world.put(world.programs[0], OTHER, 9000, True, 0, False)


def _big(world: World) -> None:
    world.put(world.programs[0], QUEUE, 300000, True, 5, False)
    world.put(world.programs[1], QUEUE, 100000, False, 5, False)


def _unit(world: World) -> None:
    scenarios.put_in_unit(world)
    scenarios.get_in_unit(world)


def _branch(world: World) -> None:
    world.start_branch(world.programs[1])
    world.put(world.programs[1], QUEUE, 5000, True, 5, True)
    world.get(world.programs[1], QUEUE, True)
    world.prepare(world.programs[1])


STEPS: tuple[Callable[[World], None], ...] = (
    scenarios.put,
    scenarios.put_volatile,
    _unit,
    scenarios.write_pages,
    scenarios.commit,
    _grow,
    scenarios.get,
    _big,
    scenarios.checkpoint,
    scenarios.switch,
    _unit,
    scenarios.backout,
    _branch,
    scenarios.switch,
    scenarios.checkpoint,
    World.maintain,
    scenarios.switch,
    scenarios.resolve_commit,
    scenarios.define,
    scenarios.delete,
    scenarios.resolve_backout,
    World.write_due,
    scenarios.checkpoint,
)


def run(world: World) -> None:
    """Run the scenario to its end, or until the queue manager is broken."""
    for step in STEPS:
        step(world)


def count(variant: str) -> list[tuple[str, str]]:
    """Give the disk operations of the scenario, with their paths."""
    world = scenarios.start(variant)
    done: list[tuple[str, str]] = []

    def note(operation: str, path: str, _length: int) -> None:
        if operation != "read":
            done.append((operation, path))

    world.disk.delay = note
    run(world)
    return done


class Outcome:
    """What came of one failed disk operation."""

    def __init__(self, variant: str, number: int, fault: Fault) -> None:
        self.variant = variant
        self.number = number
        self.fault = fault
        self.operation = ""
        self.path = ""
        self.broken = False
        self.problem = ""

    def __str__(self) -> str:
        where = f"{self.operation} of {self.path}"
        return f"{self.variant}: {self.fault} at disk operation {self.number}, {where}: {self.problem}"


def fail_at(case: tuple[str, int, Fault]) -> Outcome:
    """Run the scenario with its n-th disk operation failing."""
    outcome = Outcome(*case)
    try:
        _fail_at(outcome)
    except Exception as problem:
        outcome.problem = f"{type(problem).__name__}: {problem}"
    return outcome


def _fail_at(outcome: Outcome) -> None:
    world = scenarios.start(outcome.variant)
    disk = world.disk
    if outcome.fault == "short":
        disk.short_write(outcome.number)
    else:
        disk.fail(outcome.number, getattr(errno, outcome.fault))
    try:
        run(world)
    except Faulted as faulted:
        outcome.broken = True
        if faulted.verb and not isinstance(faulted.told, MQError):
            raise AssertionError(f"a program was told {faulted.told!r}") from faulted
    if not disk.failures:
        return  # the operation is not one that this fault can meet
    outcome.operation, outcome.path = disk.failures[0]
    _check_state(world, outcome)
    world.host.stop()
    for keep in KEEPS:
        scenarios.restart(world, disk.crash(Random(outcome.number), keep))


def _check_state(world: World, outcome: Outcome) -> None:
    state = world.host.engine.state
    if outcome.broken:
        if state != BROKEN:
            raise AssertionError(f"a program was told of the failure, and the queue manager is in state {state}")
        _check_refusals(world)
        return
    if state != RUNNING:
        raise AssertionError(f"the queue manager is in state {state}, and nobody was told")
    told = world.told.ids()
    path = outcome.path
    page_set = "pagesets/psid" in path and outcome.operation == "allocate"
    log_file = ("/log/copy" in path and path.endswith((".LOG", ".LOG.NEW", "copy1", "copy2"))) and "CSQJ907E" in told
    archive = "/archive" in path and "CSQJ909E" in told
    if not (page_set or log_file or archive):
        raise AssertionError("the queue manager goes on as if nothing had happened")


def _check_refusals(world: World) -> None:
    for program in world.programs:
        connection = program.connection
        handle = program.handles.get(QUEUE)
        attempts: list[Callable[[], object]] = [connection.commit]
        if handle is not None:
            attempts.append(partial(connection.put, handle, MessageDescriptor(persistence=1), b"late"))
            attempts.append(partial(connection.get, handle))
        for attempt in attempts:
            try:
                attempt()
            except Broken as refusal:
                if refusal.reason != MQRC_CONNECTION_BROKEN:
                    raise
            else:
                raise AssertionError("a broken queue manager accepts work")
