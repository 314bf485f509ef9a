"""Several programs at once, of whose calls many wait for the log when the power is lost; `linear.py` judges.

No threads and no clock: a seed draws what happens next. A program calls, and waits if the log has to be on disk before
it is told; the log gets to disk, as far as one of the programs needs; a program is told; the power is lost. So calls of
different programs overlap in all ways, and the same seed is the same history.
"""

from random import Random

from tests.support.hosting import DEEP, after_power_loss, create, lasting, opened, passing, small
from tests.support.linear import EMPTY, Call, History, Message, NotLinearizable, judge
from tests.support.simdisk import Keep, SimDisk

from kew.codes.options import (
    MQGMO_BROWSE_FIRST,
    MQGMO_NO_SYNCPOINT,
    MQGMO_SYNCPOINT,
    MQPMO_NO_SYNCPOINT,
    MQPMO_SYNCPOINT,
)
from kew.mqi.gets.get import get
from kew.mqi.gets.request import GetRequest
from kew.mqi.local.waiter import LocalWaiter
from kew.mqi.puts.put import put
from kew.mqi.puts.request import PutRequest
from kew.mqi.transactions import units
from kew.qmgr.assemble import Host
from kew.storage.log import NO_ADDRESS, LogAddress

QUEUE = "Q1"
KEEPS: tuple[Keep, ...] = ("none", "none", "random", "all")


class Program:
    """A program, and the call it is at."""

    def __init__(self, name: str, host: Host) -> None:
        self.name = name
        self.connection, self.handle = opened(host, QUEUE)
        self.unit = 0  # number of the unit that it has open
        self.call: Call | None = None
        self.answer = ""
        self.needs: LogAddress = NO_ADDRESS  # the log, before it is told
        self.waiter: LocalWaiter | None = None  # of a get that waits for a message


class Concurrent:
    """One history."""

    def __init__(self, seed: int, programs: int = 4, steps: int = 400, waits: bool = True) -> None:
        self.random = Random(seed)
        self.count = programs
        self.steps = steps
        self.waits = waits  # for the log, as every edge must
        self.history = History()
        self.settings = small()
        self.disk = SimDisk()
        self.host = create(self.disk, self.settings)
        self.host.administration.define("QLOCAL", QUEUE, DEEP)
        self.numbers = 0
        self.lives = 0
        self.calls = 0
        self._connect()

    def _connect(self) -> None:
        self.lives += 1
        self.programs = [Program(f"program {self.lives}.{number}", self.host) for number in range(self.count)]

    def run(self) -> int:
        """Run it to its end, read what is left, and judge; gives the number of calls."""
        for _ in range(self.steps):
            self._step()
        self._lose_power()
        program = self.programs[0]
        while program.answer != EMPTY:
            self._call(program, "get", 0)
            self._force(self.host.log.next_address)
            self._tell(program)
        judge(self.history)
        return self.calls

    def _step(self) -> None:
        random = self.random
        drawn = random.random()
        program = random.choice(self.programs)
        if drawn < 0.02:
            self._lose_power()
        elif drawn < 0.15:
            waiting = [each.needs for each in self.programs if each.call is not None and each.needs]
            if waiting:
                self._force(random.choice(waiting))
        elif program.call is None:
            self._begin(program)
        elif program.waiter is not None:
            self._look(program, program.waiter)
        elif not self.waits or program.needs <= self.host.log.durable:
            self._tell(program)

    def _look(self, program: Program, waiter: LocalWaiter) -> None:
        """See whether a get that waits was served; now and then its time is up."""
        assert waiter.error is None
        assert not waiter.again, "nothing here has to be read from disk"
        if waiter.got is not None:
            program.answer, program.needs = waiter.got.data.decode(), waiter.got.address
        elif self.random.random() < 0.2:
            with self.host.lock:
                self.host.queues.by_name[QUEUE].waiters.remove(waiter)
            program.answer, program.needs = EMPTY, NO_ADDRESS
        else:
            return
        program.waiter = None

    def _begin(self, program: Program) -> None:
        random = self.random
        if program.unit and random.random() < 0.3:
            self._call(program, random.choice(("commit", "commit", "backout")), program.unit)
            return
        if not program.unit and random.random() < 0.5:
            self.numbers += 1
            program.unit = self.numbers
        unit = program.unit if random.random() < 0.8 else 0
        self._call(program, random.choice(("put", "put", "put", "get", "wait", "wait", "browse")), unit)

    def _call(self, program: Program, verb: str, unit: int) -> None:
        self.calls += 1
        message = None
        if verb == "put":
            self.numbers += 1
            message = Message(f"m{self.numbers}", self.random.choice((0, 0, 5)), self.random.random() < 0.8)
        told = "get" if verb == "wait" else verb
        program.call = self.history.begin(Call(program.name, told, 0 if verb == "browse" else unit, message))
        program.answer, program.needs = self.host.engine.run(lambda: self._carry_out(program, verb, unit, message))

    def _carry_out(self, program: Program, verb: str, unit: int, message: Message | None) -> tuple[str, LogAddress]:
        connection, handle = program.connection.connection, program.handle
        if verb == "put":
            assert message is not None
            descriptor = (lasting if message.persistent else passing)(priority=message.priority)
            options = MQPMO_SYNCPOINT if unit else MQPMO_NO_SYNCPOINT
            address = put(PutRequest(connection, handle, descriptor, message.name.encode(), options))
            assert isinstance(address, int)
            return "", address
        if verb == "commit":
            program.unit = 0
            return "", units.commit(connection)
        if verb == "backout":
            program.unit = 0
            units.backout(connection)
            return "", NO_ADDRESS
        options = MQGMO_BROWSE_FIRST if verb == "browse" else MQGMO_SYNCPOINT if unit else MQGMO_NO_SYNCPOINT
        request = GetRequest(connection, handle, options, None, -1)
        got = get(request)
        if got is None and verb == "wait":
            program.waiter = LocalWaiter(request)
            self.host.queues.by_name[QUEUE].waiters.add(program.waiter)
        return (EMPTY, NO_ADDRESS) if got is None else (got.data.decode(), got.address)

    def _force(self, address: LogAddress) -> None:
        self.host.log.force(address)

    def _tell(self, program: Program) -> None:
        assert program.call is not None
        self.history.end(program.call, program.answer)
        program.call = None

    def _lose_power(self) -> None:
        self.history.lose_power()
        self.host = after_power_loss(self.disk, self.settings, self.random.choice(KEEPS), self.random.getrandbits(32))
        assert isinstance(self.host.disk, SimDisk)
        self.disk = self.host.disk
        self._connect()


def run_some(seeds: range) -> tuple[int, list[str]]:
    """Run histories; gives how many calls they had, and what is wrong with those that have no explanation."""
    calls, problems = 0, []
    for seed in seeds:
        try:
            calls += Concurrent(seed).run()
        except NotLinearizable as problem:
            problems.append(f"seed {seed}: {problem}")
    return calls, problems
