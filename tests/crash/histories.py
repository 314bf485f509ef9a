"""Random histories: a thousand operations of several programs, with the power lost now and then.

A history is a seed. The seed also draws what the queue manager is like: one log copy or two, circular or linear, how
small its pools and page sets are, how many programs use it.
"""

from random import Random

from tests.support.cores import chunks, spread
from tests.support.simdisk import Keep, PowerLoss
from tests.support.world import Program, World, create, small

OPERATIONS = 1000
QUEUES = (("Q1", False, "DEFAULT"), ("Q2", True, "DEFAULT"), ("Q3", False, "GROWS"), ("Q4", True, "GROWS"))
KEEPS: tuple[Keep, ...] = ("none", "all", "random", "random", "random", "random")


class History:
    """One history."""

    def __init__(self, seed: int, operations: int = OPERATIONS) -> None:
        self.seed = seed
        self.operations = operations
        self.random = random = Random(seed)
        self.crashes = 0
        self.restarts = 0
        self.done = 0
        self.disk_operations = 0
        settings = small(
            dual=random.random() < 0.25,
            linear=random.random() < 0.2,
            pool=random.choice((24, 40, 100)),
            pages=random.choice((128, 256)),
            primary=random.choice((3, 4)),
            secondary=random.choice((2, 3)),
        )
        # Some histories keep queues short, others let them fill the page sets.
        self.depth = random.choice((4, 20, 60))
        self.in_unit = random.choice((0.2, 0.5, 0.8))
        self.persistent = random.choice((0.5, 0.8, 1.0))
        self.loss = random.choice((0.0005, 0.002, 0.01))
        self.world = World(create(settings), settings, programs=random.choice((1, 2, 4)))
        for name, fifo, storage_class in QUEUES[: random.randint(1, 4)]:
            self.world.define(name, fifo, storage_class)

    def run(self) -> None:
        """Run to the end, and compare once more after a last power loss."""
        self._aim()
        for _ in range(self.operations):
            try:
                self._operate()
                self.done += 1
            except PowerLoss:
                self._lose_power()
        self.disk_operations += self.world.disk.operations
        self.world.disk.stop_after(0)
        if self.random.random() < 0.2:
            self.world.stop()
            self._restart("all")
        else:
            self._restart(self.random.choice(KEEPS))

    # -- power --------------------------------------------------------------------------------------------------------

    def _aim(self) -> None:
        """Choose the disk operation at which the power will go."""
        self.world.disk.stop_after(1 + int(self.random.expovariate(self.loss)))

    def _lose_power(self) -> None:
        self.crashes += 1
        self.disk_operations += self.world.disk.operations
        while True:
            keep = self.random.choice(KEEPS)
            if self.random.random() < 0.3:
                try:
                    self._restart(keep, self.random.randint(1, 30))
                except PowerLoss:
                    self.crashes += 1
                    continue
            else:
                self._restart(keep)
            break
        self._aim()

    def _restart(self, keep: Keep, stop: int = 0) -> None:
        self.restarts += 1
        before = self.world
        disk = before.disk.crash(self.random, keep, self.random.choice(("sector", "byte")))
        if stop:
            disk.stop_after(stop)
            before.disk = disk  # what a crash during restart leaves is the next thing to restart from
        self.world = World(disk, before.settings, len(before.programs), before.model)
        disk.stop_after(0)
        self.world.check()

    # -- operations ---------------------------------------------------------------------------------------------------

    def _operate(self) -> None:
        random, world = self.random, self.world
        program = random.choice(world.programs)
        draw = random.random()
        queues = world.model.queues
        if draw < 0.80 and queues:
            self._message(program, random.choice(queues))
        elif draw < 0.92:
            self._end_unit(program)
        elif draw < 0.94:
            in_doubt = list(world.model.in_doubt)
            if in_doubt:
                world.resolve(program, random.choice(in_doubt), random.random() < 0.6)
        elif draw < 0.96:
            world.checkpoint()
        elif draw < 0.985:
            random.choice((world.write_pages, world.write_due, world.maintain))()
        elif draw < 0.99:
            world.checkpoint()
            world.write_due()
            world.checkpoint()
            world.write_due()
        else:
            self._define_or_delete()

    def _message(self, program: Program, queue: str) -> None:
        random, world = self.random, self.world
        in_unit = random.random() < self.in_unit
        idle = program.connection.connection.unit is None
        if in_unit and idle and not program.xid and random.random() < 0.3:
            world.start_branch(program)
        depth = world.model.depth()
        if random.random() < (0.75 if depth < self.depth else 0.25):
            persistent = random.random() < self.persistent
            world.put(program, queue, self._size(), persistent, random.randint(0, 9), in_unit)
        else:
            world.get(program, queue, in_unit)

    def _size(self) -> int:
        draw = self.random.random()
        if draw < 0.85:
            return self.random.randint(0, 3000)
        if draw < 0.985:
            return self.random.randint(3000, 20000)
        return self.random.randint(20000, 300000)

    def _end_unit(self, program: Program) -> None:
        world = self.world
        draw = self.random.random()
        if program.xid:
            if draw < 0.6 and len(world.model.in_doubt) < 4:
                world.prepare(program)
            elif draw < 0.8:
                world.one_phase(program)
            else:
                world.roll_back(program)
        elif draw < 0.7:
            world.commit(program)
        else:
            world.backout(program)

    def _define_or_delete(self) -> None:
        name, fifo, storage_class = self.random.choice(QUEUES)
        if name not in self.world.model.queues:
            self.world.define(name, fifo, storage_class)
        elif not self.world.busy(name) and self.random.random() < 0.5:
            self.world.delete(name)


def replay(seed: int) -> str:
    """Give the command that runs a history again."""
    return f"python -m tests.crash history {seed}"


class Total:
    """What a number of histories came to."""

    def __init__(self) -> None:
        self.histories = 0
        self.operations = 0
        self.crashes = 0
        self.restarts = 0
        self.disk_operations = 0
        self.failures: list[str] = []

    def add(self, other: "Total") -> None:
        """Add up."""
        self.histories += other.histories
        self.operations += other.operations
        self.crashes += other.crashes
        self.restarts += other.restarts
        self.disk_operations += other.disk_operations
        self.failures += other.failures

    def __str__(self) -> str:
        return (
            f"{self.histories} histories of {self.operations} operations and {self.disk_operations} writes and syncs: "
            f"{self.crashes} power losses, {self.restarts} restarts, {len(self.failures)} failures"
        )


def run_some(seeds: range) -> Total:
    """Run the histories of some seeds."""
    total = Total()
    for seed in seeds:
        total.histories += 1
        history: History | None = None
        try:
            history = History(seed)
            history.run()
        except Exception as problem:
            where = f"after {history.done} operations" if history is not None else "at its beginning"
            total.failures.append(f"{replay(seed)}\n  {where}: {type(problem).__name__}: {problem}")
        if history is not None:
            total.operations += history.done
            total.crashes += history.crashes
            total.restarts += history.restarts
            total.disk_operations += history.disk_operations
    return total


def run_all(first: int, count: int) -> Total:
    """Run the histories of consecutive seeds, on all cores."""
    total = Total()
    for part in spread(run_some, chunks(first, count, 20)):
        total.add(part)
    return total
