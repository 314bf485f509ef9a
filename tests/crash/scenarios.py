"""Scenarios of a few operations, stopped at every write and sync.

A scenario runs once to count what its last operation does to the disk, then once for each of these, with the power lost
there. (A stop in an earlier operation is the stop of a shorter scenario.) A stop before a sync finds the same on the
disk as the stop at the write before it; if nothing was acknowledged between them either it is looked at once. What the
disk then holds is drawn several ways: nothing that was not synced, all of it, or any part of it, torn. Each is
restarted and compared with the model.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from random import Random

from tests.support.audit import observe
from tests.support.model import Model, Observation
from tests.support.simdisk import Keep, PowerLoss, SimDisk
from tests.support.world import World, create, small

from kew.qmgr.storageparts import EngineSettings

QUEUE = "Q1"
OTHER = "Q2"
SPARE = "SPARE"
BOUND = b"bound"  # the unit that is in doubt from the beginning

# How a crash leaves what was not synced, and with which seed.
KEEPS: tuple[tuple[Keep, int], ...] = (("none", 0), ("all", 0), ("random", 1), ("random", 2))


def put(world: World) -> None:
    """Put a persistent message."""
    world.put(world.programs[0], QUEUE, 700, True, 4, False)


def put_long(world: World) -> None:
    """Put a persistent message of several pages."""
    world.put(world.programs[0], QUEUE, 9000, True, 4, False)


def put_volatile(world: World) -> None:
    """Put a message that is not persistent, of several pages."""
    world.put(world.programs[0], QUEUE, 5000, False, 4, False)


def _other(world: World) -> str:
    return OTHER if OTHER in world.model.queues else QUEUE  # it may have been deleted


def put_in_unit(world: World) -> None:
    """Put persistent messages, a short and a long one, in a unit of work."""
    world.put(world.programs[0], QUEUE, 40, True, 4, True)
    world.put(world.programs[0], _other(world), 9000, True, 0, True)


def get(world: World) -> None:
    """Get a message out of syncpoint."""
    world.get(world.programs[1], QUEUE, False)


def get_in_unit(world: World) -> None:
    """Get two messages, of which one is long, in a unit of work."""
    world.get(world.programs[0], QUEUE, True)
    world.get(world.programs[0], _other(world), True)


def commit(world: World) -> None:
    """Commit the unit of work, in one phase."""
    program = world.programs[0]
    if program.xid:
        world.one_phase(program)
    else:
        world.commit(program)


def backout(world: World) -> None:
    """Back out the unit of work."""
    program = world.programs[0]
    if program.xid:
        world.roll_back(program)
    else:
        world.backout(program)


def prepare(world: World) -> None:
    """Prepare the unit of work."""
    if world.programs[0].xid:
        world.prepare(world.programs[0])


def resolve_commit(world: World) -> None:
    """Commit the unit in doubt that was prepared last."""
    for xid in list(world.model.in_doubt)[-1:]:
        world.resolve(world.programs[1], xid, True)


def resolve_backout(world: World) -> None:
    """Back out the unit in doubt that was prepared last."""
    for xid in list(world.model.in_doubt)[-1:]:
        world.resolve(world.programs[1], xid, False)


def checkpoint(world: World) -> None:
    """Take a checkpoint."""
    world.checkpoint()


def switch(world: World) -> None:
    """Go on to the next log file."""
    world.fill_log(66)


def write_pages(world: World) -> None:
    """Write all changed pages."""
    world.write_pages()


def define(world: World) -> None:
    """Define a queue that was not there."""
    if SPARE not in world.model.queues:
        world.define(SPARE, storage_class="GROWS")


def delete(world: World) -> None:
    """Delete a queue with its messages."""
    for name in (SPARE, OTHER):
        if name in world.model.queues and not world.busy(name):
            world.delete(name)
            return


Step = Callable[[World], None]
STEPS: tuple[Step, ...] = (
    put,
    put_long,
    put_volatile,
    put_in_unit,
    get,
    get_in_unit,
    commit,
    backout,
    prepare,
    resolve_commit,
    resolve_backout,
    checkpoint,
    switch,
    write_pages,
    define,
    delete,
)
BY_NAME = {step.__name__: step for step in STEPS}
IN_UNIT = (put_in_unit, get_in_unit)


def scenarios(length: int) -> Iterator[tuple[Step, ...]]:
    """Give every sequence of operations up to a length."""
    for count in range(1, length + 1):
        yield from product(STEPS, repeat=count)


class Variant:
    """A queue manager to run scenarios on."""

    def __init__(self, settings: EngineSettings, keeps: tuple[tuple[Keep, int], ...] = KEEPS) -> None:
        self.settings = settings
        self.keeps = keeps


VARIANTS = {
    "single": Variant(small(primary=2, secondary=2)),
    "dual": Variant(small(dual=True, primary=2, secondary=2)),
    "linear": Variant(small(linear=True, primary=2)),
    # A device that never tears a page is what this mode asks for.
    "singlewrite": Variant(small(single_write=True, primary=2, secondary=2), (("none", 0), ("all", 0))),
}


@cache
def beginning(variant: str) -> tuple[SimDisk, Model]:
    """Make the disk that every scenario begins with: messages of all kinds, a unit in doubt, a log that was round."""
    settings = VARIANTS[variant].settings
    world = World(create(settings), settings)
    world.define(QUEUE)
    world.define(OTHER, fifo=True, storage_class="GROWS")
    first, second = world.programs
    for size in (0, 100, 9000, 3000, 20):
        world.put(first, QUEUE, size, True, 4, False)
        world.put(first, OTHER, size, True, 9 - size % 7, False)
    for _ in range(4):
        world.fill_log(60)
        world.checkpoint()
        world.write_pages()
    world.start_branch(second, BOUND)
    world.put(second, QUEUE, 9000, True, 9, True)
    world.get(second, QUEUE, True)
    world.put(second, OTHER, 10, True, 9, True)
    world.prepare(second)
    world.host.crash()
    return world.disk.crash(keep="none"), world.model


@cache
def _shown(variant: str) -> Observation:
    """What a queue manager shows at the beginning, every time the same: it is looked through once."""
    disk, model = beginning(variant)
    world = World(disk.copy(), VARIANTS[variant].settings, model=model.copy())
    world.check()
    return observe(world.host)


def start(variant: str) -> World:
    """Start a queue manager at the beginning."""
    disk, model = beginning(variant)
    world = World(disk.copy(), VARIANTS[variant].settings, model=model.copy())
    problem = world.model.restarted(_shown(variant))
    if problem:
        raise AssertionError(problem)
    return world


def run(world: World, steps: tuple[Step, ...], stop: int) -> bool:
    """Run a scenario, with the power lost at the n-th disk operation of its last step (0: never); says if it was."""
    if prepare in steps:
        world.start_branch(world.programs[0])
    for step in steps[:-1]:
        step(world)
    if stop:
        world.disk.stop_after(stop)
    try:
        steps[-1](world)
    except PowerLoss:
        return True
    return False


def restart(world: World, disk: SimDisk) -> World:
    """Restart on a disk and compare with the model of the world before."""
    after = World(disk, world.settings, model=world.model.copy())
    after.check()
    return after


class Tally:
    """How much was done."""

    def __init__(self) -> None:
        self.scenarios = 0
        self.stops = 0
        self.restarts = 0
        self.failures: list[str] = []

    def add(self, other: "Tally") -> None:
        """Add up."""
        self.scenarios += other.scenarios
        self.stops += other.stops
        self.restarts += other.restarts
        self.failures += other.failures


def name_of(variant: str, steps: tuple[Step, ...], stop: int, keep: Keep, seed: int) -> str:
    """Give the command that runs one case again."""
    names = ",".join(step.__name__ for step in steps)
    return f"python -m tests.crash scenario {variant} {names} --stop {stop} --keep {keep} --seed {seed}"


def stop_everywhere(variant: str, steps: tuple[Step, ...], tally: Tally) -> None:
    """Run a scenario once for each disk operation of its last step."""
    tally.scenarios += 1
    stop = 1
    before = ""
    while stop:
        world = start(variant)
        lost = run(world, steps, stop)
        tally.stops += 1
        now = _situation(world)
        for keep, seed in _keeps(variant, world.disk) if now != before else ():
            tally.restarts += 1
            try:
                restart(world, world.disk.crash(Random(seed), keep))
            except Exception as problem:
                command = name_of(variant, steps, stop, keep, seed)
                tally.failures.append(f"{command}\n  {type(problem).__name__}: {problem}")
        stop = stop + 1 if lost else 0
        before = now


def _situation(world: World) -> str:
    """What decides what a restart may show: two runs of a scenario that agree in it leave the same."""
    return f"{world.disk.changed} {world.model.acknowledgements} {world.model.pending}"


def _keeps(variant: str, disk: SimDisk) -> tuple[tuple[Keep, int], ...]:
    return VARIANTS[variant].keeps if disk.unsynced() else KEEPS[:1]


def stop_restart_everywhere(variant: str, steps: tuple[Step, ...], tally: Tally) -> None:
    """Run a scenario, lose power at its end, and lose it again at each disk operation of the restart."""
    tally.scenarios += 1
    world = start(variant)
    run(world, steps, 0)
    for keep, seed in _keeps(variant, world.disk):
        stop = 1
        while stop:
            disk = world.disk.crash(Random(seed), keep)
            disk.stop_after(stop)
            tally.stops += 1
            try:
                World(disk, world.settings)
                lost = False
            except PowerLoss:
                lost = True
            for again, again_seed in _keeps(variant, disk):
                tally.restarts += 2
                try:
                    after = restart(world, disk.crash(Random(again_seed), again))
                    after.host.crash()
                    restart(after, after.disk.crash(keep="none"))
                except Exception as problem:
                    command = name_of(variant, steps, 0, keep, seed)
                    again_at = f"--restart {stop} --again {again} --again-seed {again_seed}"
                    tally.failures.append(f"{command} {again_at}\n  {type(problem).__name__}: {problem}")
            stop = stop + 1 if lost else 0


def run_again(
    variant: str, steps: tuple[Step, ...], stop: int, keep: Keep, seed: int, second: int, again: Keep, again_seed: int
) -> None:
    """Run the one case that a failure named; with `second`, also with the power lost in the restart."""
    world = start(variant)
    run(world, steps, stop)
    disk = world.disk.crash(Random(seed), keep)
    if second:
        disk.stop_after(second)
        try:
            World(disk, world.settings)
        except PowerLoss:
            pass
        disk = disk.crash(Random(again_seed), again)
    after = restart(world, disk)
    after.host.crash()
    restart(after, after.disk.crash(keep="none"))


def stop_one(case: tuple[str, tuple[Step, ...]]) -> Tally:
    """Run one scenario, stopped everywhere."""
    tally = Tally()
    stop_everywhere(*case, tally)
    return tally


def stop_restart_one(case: tuple[str, tuple[Step, ...]]) -> Tally:
    """Run one scenario, its restart stopped everywhere."""
    tally = Tally()
    stop_restart_everywhere(*case, tally)
    return tally
