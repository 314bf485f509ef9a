"""Delayed messages against a model: any order of puts, units, time that passes, deliveries, gets and restarts."""

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.support.engines import open_engine
from tests.support.simdisk import SimDisk
from tests.support.world import NAME, PLACES, Told, create, small

from kew.codes.errors import NoMessage
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.delivery.delay import QUEUE
from kew.mqi.engine import Clock

SETTINGS = small(pool=60, primary=2, secondary=2)
flags = st.booleans()


class Sent:
    """A message of the model."""

    def __init__(self, number: int, due: int, persistent: bool) -> None:
        self.number = number
        self.due = due  # milliseconds, by the machine's clock
        self.persistent = persistent


class DelayMachine(RuleBasedStateMachine):
    """One queue, a program with a unit of work; the model knows what waits and what has arrived."""

    @initialize()
    def make(self) -> None:
        self.milliseconds = 1_800_000_000_000
        self.disk: SimDisk = create(SETTINGS)
        self.begin()
        for name in ("Q", QUEUE):
            self.host.administration.define("QLOCAL", name, {})
        self.attach()
        self.number = 0
        self.waiting: list[Sent] = []
        self.unit: list[Sent] = []
        self.there: list[Sent] = []

    def begin(self) -> None:
        self.host = open_engine(self.disk, NAME, PLACES, SETTINGS, Told(), threads=False)
        self.host.engine.clock = Clock(lambda: self.milliseconds / 1000)

    def attach(self) -> None:
        self.program = self.host.connect("program")
        self.handle = self.program.open("Q", MQOO_OUTPUT | MQOO_INPUT_SHARED)

    @rule(delay=st.integers(0, 3000), syncpoint=flags, persistent=flags, long=flags)
    def put(self, delay: int, syncpoint: bool, persistent: bool, long: bool) -> None:
        self.number += 1
        data = b"%d" % self.number + bytes(5000 if long else 0)
        options = MQPMO_SYNCPOINT if syncpoint else 0
        descriptor = MessageDescriptor(persistence=int(persistent))
        self.program.put_later(self.handle, descriptor, data, options, None, delay)
        sent = Sent(self.number, self.milliseconds + delay, persistent)
        if syncpoint:
            self.unit.append(sent)
        elif delay:
            self.waiting.append(sent)
        else:
            self.there.append(sent)
        sent.due = 0 if not delay else sent.due

    @precondition(lambda self: self.unit)
    @rule(commit=flags)
    def end_unit(self, commit: bool) -> None:
        if commit:
            self.program.commit()
            self.waiting.extend([sent for sent in self.unit if sent.due])
            self.there.extend([sent for sent in self.unit if not sent.due])
            self.there.sort(key=lambda sent: (sent.due, sent.number))
        else:
            self.program.backout()
        self.unit.clear()

    @rule(milliseconds=st.integers(0, 2000))
    def wait(self, milliseconds: int) -> None:
        self.milliseconds += milliseconds
        self.host.delays.deliver_due()
        due = sorted([sent for sent in self.waiting if sent.due <= self.milliseconds], key=lambda sent: sent.due)
        self.waiting = [sent for sent in self.waiting if sent.due > self.milliseconds]
        self.there.extend(due)

    @rule()
    def get(self) -> None:
        try:
            data = self.program.get(self.handle).data
        except NoMessage:
            assert not self.there
            return
        number = int(data.rstrip(b"\0"))
        assert number in [sent.number for sent in self.there]
        self.there = [sent for sent in self.there if sent.number != number]

    @rule(crash=flags)
    def restart(self, crash: bool) -> None:
        if crash:
            self.host.crash()
            self.disk = self.disk.crash(keep="all")
        else:
            self.program.backout()
            self.host.stop()
        self.unit.clear()
        self.waiting = [sent for sent in self.waiting if sent.persistent]
        self.there = [sent for sent in self.there if sent.persistent]
        self.begin()
        self.attach()

    @invariant()
    def depths_agree(self) -> None:
        assert self.host.queues.by_name["Q"].depth == len(self.there) + len(
            [each for each in self.unit if not each.due]
        )
        staged = len(self.waiting) + len([each for each in self.unit if each.due])
        assert self.host.queues.by_name[QUEUE].depth == staged

    def teardown(self) -> None:
        if hasattr(self, "host"):
            self.host.crash()


DelayMachine.TestCase.settings = settings(
    max_examples=25, stateful_step_count=25, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
TestDelays = DelayMachine.TestCase
