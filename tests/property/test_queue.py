"""A queue beside a list: several programs put, get, browse, lock and commit, through restarts and power losses.

The list is the model: messages in the order in which the queue delivers them, each with who has it. After every step
the queue manager must have answered as the list does.
"""

from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.support import memorystore
from tests.support.audit import check_space
from tests.support.hosting import create, opened, queue_of, small, start
from tests.support.simdisk import SimDisk

from kew.codes.errors import MQError
from kew.codes.options import (
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT,
    MQGMO_LOCK,
    MQGMO_MSG_UNDER_CURSOR,
    MQGMO_SYNCPOINT,
    MQGMO_UNLOCK,
    MQMO_MATCH_CORREL_ID,
    MQMO_MATCH_MSG_ID,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import MQRC_NO_MSG_AVAILABLE, MQRC_NO_MSG_UNDER_CURSOR, MQRC_TRUNCATED_MSG_FAILED
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.gets.request import Got
from kew.qmgr.assemble import Host

PROGRAMS = 3
SIZES = (0, 10, 3692, 3693, 9000, 60_000)
KEEPS = ("none", "all", "random")

programs = st.integers(0, PROGRAMS - 1)
flags = st.booleans()
# Of a message: persistent, priority, correlation id, size.
Kind = tuple[bool, int, int, int]
kinds = st.tuples(flags, st.integers(0, 2), st.integers(0, 2), st.sampled_from(SIZES))


class Message:
    """A message of the model."""

    def __init__(self, serial: int, priority: int, persistent: bool, correlation: int, data: bytes) -> None:
        self.serial = serial
        self.priority = priority  # 0 when the queue is first in, first out
        self.persistent = persistent
        self.correlation = correlation
        self.data = data
        self.put_by: object = None  # the unit that has put it and is not committed
        self.got_by: object = None  # the unit that has got it and is not committed
        self.locked_by: Program | None = None
        self.backouts: int | None = 0  # None: a crash makes it uncertain

    def live(self) -> bool:
        return self.put_by is None and self.got_by is None and self.locked_by is None

    def place(self) -> tuple[int, int]:
        return -self.priority, self.serial


class Unit:
    """A unit of work of the model."""

    def __init__(self, xid: bytes) -> None:
        self.xid = xid
        self.put: list[Message] = []
        self.got: list[Message] = []


class Program:
    """A connection with its handle, and where the model's cursor is."""

    def __init__(self, host: Host) -> None:
        self.connection, self.queue = opened(host)
        self.unit: Unit | None = None
        self.cursor: tuple[int, int] = (-10, 0)
        self.under: Message | None = None
        self.locked: Message | None = None


def text(serial: int, size: int) -> bytes:
    return b"%d " % serial + bytes([serial * 7 % 251]) * size


class QueueMachine(RuleBasedStateMachine):
    """The queue manager and the list, side by side."""

    in_memory = False

    @initialize(index=st.sampled_from((0, 1, 2)), fifo=flags, first=st.lists(kinds, min_size=3, max_size=25))
    def make(self, index: int, fifo: bool, first: list[Kind]) -> None:
        self.settings = small(pool=60, pages=2000, log_pages=256)
        self.disk = SimDisk()
        memorystore.use(self.in_memory)
        self.host = create(self.disk, self.settings)
        queue_of(self.host, INDXTYPE=index, MSGDLVSQ=int(fifo))[0].disconnect()
        self.fifo = fifo
        self.messages: list[Message] = []
        self.in_doubt: dict[bytes, Unit] = {}
        self.serial = 0
        self.programs = [Program(self.host) for _ in range(PROGRAMS)]
        for kind in first:
            self.put_one(self.programs[0], kind, False)

    # -- the model ----------------------------------------------------------------------------------------------------

    def free_for(self, program: Program) -> list[Message]:
        """Give what a program can see: what nobody has, and what it has locked itself."""
        return [each for each in self.messages if each.live() or each is program.locked]

    def first(self, fits: list[Message]) -> Message | None:
        return min(fits, key=Message.place, default=None)

    def remove(self, message: Message) -> None:
        self.messages.remove(message)

    def end(self, unit: Unit, commit: bool) -> None:
        for message in unit.put:
            message.put_by = None
            if not commit and message in self.messages:
                self.remove(message)
        for message in unit.got:
            message.got_by = None
            if commit:
                self.remove(message)
            elif message.backouts is not None:
                message.backouts += 1

    def unit_of(self, program: Program) -> Unit:
        if program.unit is None:
            program.unit = Unit(b"")
        return program.unit

    def take(self, program: Program, message: Message, syncpoint: bool) -> None:
        if program.locked is message:
            program.locked = None
            message.locked_by = None
        if syncpoint:
            unit = self.unit_of(program)
            message.got_by = unit
            unit.got.append(message)
        else:
            self.remove(message)

    def check(self, got: Got | None, message: Message | None) -> None:
        assert (got is None) == (message is None), f"expected {message and message.serial}"
        if got is not None and message is not None:
            assert got.data == message.data
            assert got.descriptor.message_id == b"%024d" % message.serial
            if message.backouts is not None:
                assert got.descriptor.backout_count == message.backouts
            else:
                message.backouts = got.descriptor.backout_count

    def attempt(
        self, program: Program, options: int, expected: int = MQRC_NO_MSG_AVAILABLE, **how: object
    ) -> Got | None:
        try:
            return program.connection.get(program.queue, options, **how)  # type: ignore[arg-type]
        except MQError as error:
            assert error.reason == expected
            return None

    # -- messages -----------------------------------------------------------------------------------------------------

    def put_one(self, program: Program, kind: Kind, syncpoint: bool) -> None:
        persistent, priority, correlation, size = kind
        self.serial += 1
        message = Message(self.serial, 0 if self.fifo else priority, persistent, correlation, text(self.serial, size))
        descriptor = MessageDescriptor(
            persistence=int(persistent),
            priority=priority,
            message_id=b"%024d" % self.serial,
            correlation_id=b"%024d" % (1000 + correlation),
        )
        program.connection.put(program.queue, descriptor, message.data, MQPMO_SYNCPOINT if syncpoint else 0)
        self.messages.append(message)
        if syncpoint:
            unit = self.unit_of(program)
            message.put_by = unit
            unit.put.append(message)

    @rule(who=programs, several=st.lists(kinds, min_size=1, max_size=8))
    def put(self, who: int, several: list[Kind]) -> None:
        for kind in several:
            self.put_one(self.programs[who], kind, False)

    @rule(who=programs, several=st.lists(kinds, min_size=1, max_size=8))
    def put_in_unit(self, who: int, several: list[Kind]) -> None:
        for kind in several:
            self.put_one(self.programs[who], kind, True)

    @rule(who=programs, syncpoint=flags)
    def get(self, who: int, syncpoint: bool) -> None:
        program = self.programs[who]
        message = self.first(self.free_for(program))
        got = self.attempt(program, MQGMO_SYNCPOINT if syncpoint else 0)
        self.check(got, message)
        if message is not None:
            self.take(program, message, syncpoint)

    @rule(who=programs, syncpoint=flags, correlation=st.integers(0, 2))
    def get_by_correlation(self, who: int, syncpoint: bool, correlation: int) -> None:
        program = self.programs[who]
        message = self.first([each for each in self.free_for(program) if each.correlation == correlation])
        wanted = MessageDescriptor(correlation_id=b"%024d" % (1000 + correlation))
        options = MQGMO_SYNCPOINT if syncpoint else 0
        got = self.attempt(program, options, match_options=MQMO_MATCH_CORREL_ID, wanted=wanted)
        self.check(got, message)
        if message is not None:
            self.take(program, message, syncpoint)

    @rule(who=programs, back=st.integers(0, 10))
    def get_by_message(self, who: int, back: int) -> None:
        program = self.programs[who]
        serial = self.serial - back
        message = self.first([each for each in self.free_for(program) if each.serial == serial])
        wanted = MessageDescriptor(message_id=b"%024d" % max(serial, 0))
        got = self.attempt(program, 0, match_options=MQMO_MATCH_MSG_ID, wanted=wanted)
        self.check(got, message)
        if message is not None:
            self.take(program, message, False)

    # -- browsing -----------------------------------------------------------------------------------------------------

    @rule(who=programs, first=flags, lock=flags, correlation=st.none() | st.integers(0, 2))
    def browse(self, who: int, first: bool, lock: bool, correlation: int | None) -> None:
        program = self.programs[who]
        cursor = (-10, 0) if first else program.cursor
        message = self.first(
            [
                each
                for each in self.messages
                if (each.live() or each is program.locked)
                and each.place() > cursor
                and correlation in (None, each.correlation)
            ]
        )
        options = (MQGMO_BROWSE_FIRST if first else MQGMO_BROWSE_NEXT) | (MQGMO_LOCK if lock else 0)
        wanted = MessageDescriptor(correlation_id=b"%024d" % (1000 + (correlation or 0)))
        match = MQMO_MATCH_CORREL_ID if correlation is not None else 0
        got = self.attempt(program, options, match_options=match, wanted=wanted)
        self.check(got, message)
        if message is None:
            self.unlock(program)
            if first:
                program.cursor, program.under = (-10, 0), None
            return
        if program.locked is not message or not lock:
            self.unlock(program)
        program.cursor, program.under = message.place(), message
        if lock:
            program.locked = message
            message.locked_by = program

    @rule(who=programs, first=flags)
    def browse_into_too_small_a_buffer(self, who: int, first: bool) -> None:
        program = self.programs[who]
        cursor = (-10, 0) if first else program.cursor
        message = self.first([each for each in self.free_for(program) if each.place() > cursor])
        got = self.attempt(program, MQGMO_BROWSE_FIRST if first else MQGMO_BROWSE_NEXT, buffer_length=1)
        assert (got is None) == (message is None)
        if got is not None and message is not None:
            assert (got.reason, got.length, got.data) == (
                MQRC_TRUNCATED_MSG_FAILED,
                len(message.data),
                message.data[:1],
            )
        else:
            self.unlock(program)
        if first:
            program.cursor, program.under = (-10, 0), None

    def unlock(self, program: Program) -> None:
        if program.locked is not None:
            program.locked.locked_by = None
            program.locked = None

    @rule(who=programs)
    def unlock_message(self, who: int) -> None:
        program = self.programs[who]
        got = program.connection.get(program.queue, MQGMO_UNLOCK)
        assert (got.reason == 0) == (program.locked is not None)
        self.unlock(program)

    @rule(who=programs, remove=flags, syncpoint=flags)
    def under_cursor(self, who: int, remove: bool, syncpoint: bool) -> None:
        program = self.programs[who]
        message = program.under
        if message not in self.messages or (message is not None and not (message.live() or message is program.locked)):
            message = None
        options = MQGMO_MSG_UNDER_CURSOR if remove else MQGMO_BROWSE_MSG_UNDER_CURSOR
        if remove and syncpoint:
            options |= MQGMO_SYNCPOINT
        got = self.attempt(program, options, MQRC_NO_MSG_UNDER_CURSOR)
        self.check(got, message)
        if message is not None and remove:
            self.take(program, message, syncpoint)
        elif message is not None:
            self.unlock(program)

    # -- units --------------------------------------------------------------------------------------------------------

    @rule(who=programs, commit=flags)
    def end_unit(self, who: int, commit: bool) -> None:
        program = self.programs[who]
        unit = program.unit
        if unit is not None and unit.xid:
            return
        if commit:
            program.connection.commit()
        else:
            program.connection.backout()
        if unit is not None:
            self.end(unit, commit)
            program.unit = None

    @rule(who=programs)
    def begin_branch(self, who: int) -> None:
        program = self.programs[who]
        if program.unit is None:
            self.serial += 1
            program.unit = Unit(b"branch %d" % self.serial)
            program.connection.start_branch(program.unit.xid)

    @rule(who=programs, outcome=st.sampled_from(("prepare", "commit", "back out")))
    def end_branch(self, who: int, outcome: str) -> None:
        program = self.programs[who]
        unit = program.unit
        if unit is None or not unit.xid:
            return
        program.connection.end_branch()
        program.unit = None
        if outcome == "prepare":
            program.connection.prepare(unit.xid)
            if unit.put or unit.got:
                self.in_doubt[unit.xid] = unit
        else:
            self.resolve_unit(program, unit, outcome == "commit")

    def resolve_unit(self, program: Program, unit: Unit, commit: bool) -> None:
        if commit:
            program.connection.commit_branch(unit.xid)
        else:
            program.connection.back_out_branch(unit.xid)
        self.end(unit, commit)

    @precondition(lambda self: self.in_doubt)
    @rule(who=programs, which=st.integers(0, 9), commit=flags)
    def resolve(self, who: int, which: int, commit: bool) -> None:
        xid = sorted(self.in_doubt)[which % len(self.in_doubt)]
        self.resolve_unit(self.programs[who], self.in_doubt.pop(xid), commit)

    # -- the queue manager --------------------------------------------------------------------------------------------

    @rule()
    def checkpoint(self) -> None:
        self.host.checkpointer.take()

    @rule()
    def write_pages(self) -> None:
        self.host.writer.flush()

    @rule(who=programs, orderly=flags)
    def reconnect(self, who: int, orderly: bool) -> None:
        program = self.programs[who]
        unit = program.unit
        if orderly:
            program.connection.disconnect()
        else:
            program.connection.abandon()
        self.unlock(program)
        if unit is not None:
            self.end(unit, orderly and not unit.xid)
        self.programs[who] = Program(self.host)

    @rule(index=st.sampled_from((0, 1, 2)))
    def change_index(self, index: int) -> None:
        self.host.administration.alter("Q1", {"INDXTYPE": index})

    @rule()
    def stop_and_start(self) -> None:
        self.host.stop()
        self.forget(certain=True)
        self.started()

    @rule(keep=st.sampled_from(KEEPS), seed=st.integers(0, 1000))
    def power_loss(self, keep: str, seed: int) -> None:
        self.disk = self.disk.crash(Random(seed), keep)  # type: ignore[arg-type]
        self.forget(certain=False)
        self.started()

    def forget(self, certain: bool) -> None:
        """What is in flight is backed out, and what is not persistent is gone."""
        for program in self.programs:
            self.unlock(program)
            if program.unit is not None:
                for message in program.unit.got:
                    if not certain:
                        message.backouts = None
                self.end(program.unit, False)
        for unit in self.in_doubt.values():
            unit.put = [message for message in unit.put if message.persistent]
            unit.got = [message for message in unit.got if message.persistent]
        self.messages = [message for message in self.messages if message.persistent]

    def started(self) -> None:
        self.host = start(self.disk, self.settings)
        check_space(self.host)
        self.programs = [Program(self.host) for _ in range(PROGRAMS)]
        assert sorted(self.programs[0].connection.recover()) == sorted(self.in_doubt)

    # -- after every step ---------------------------------------------------------------------------------------------

    @invariant()
    def counts_agree(self) -> None:
        if not hasattr(self, "messages"):
            return
        self.host.writer.write_due()
        queue = self.host.queues.by_name["Q1"]
        assert queue.depth == sum(1 for each in self.messages if each.got_by is None)
        assert queue.available() == sum(1 for each in self.messages if each.live())
        pool = self.host.pools[1]
        assert len(pool.frames) <= pool.size
        assert pool.only_writing == 0

    def teardown(self) -> None:
        """Take everything off: each message once, in order, with its bytes."""
        try:
            if hasattr(self, "messages"):
                self.take_everything()
        finally:
            memorystore.use(False)

    def take_everything(self) -> None:
        for program in self.programs:
            program.connection.abandon()
            self.unlock(program)
            if program.unit is not None:
                self.end(program.unit, False)
        program = Program(self.host)
        for xid, unit in sorted(self.in_doubt.items()):
            self.resolve_unit(program, unit, len(xid) % 2 == 0)
        for message in sorted(self.messages, key=Message.place):
            self.check(self.attempt(program, 0), message)
        assert self.attempt(program, 0) is None
        self.host.stop()
        self.host = start(self.disk, self.settings)
        check_space(self.host)
        assert self.host.queues.by_name["Q1"].depth == 0


QueueMachine.TestCase.settings = settings(
    max_examples=60,
    stateful_step_count=50,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
TestQueueMachine = QueueMachine.TestCase


class MemoryQueueMachine(QueueMachine):
    """The same with the messages in another store."""

    in_memory = True


MemoryQueueMachine.TestCase.settings = QueueMachine.TestCase.settings
TestMemoryQueueMachine = MemoryQueueMachine.TestCase


# Hypothesis finds small histories; long ones, in which directories fill and are used again, are walked at random.
WEIGHTS: dict[str, float] = {
    "put": 10,
    "put_in_unit": 6,
    "get": 22,
    "get_by_correlation": 6,
    "get_by_message": 4,
    "browse": 20,
    "browse_into_too_small_a_buffer": 3,
    "unlock_message": 2,
    "under_cursor": 8,
    "end_unit": 10,
    "begin_branch": 3,
    "end_branch": 4,
    "resolve": 3,
    "checkpoint": 2,
    "write_pages": 2,
    "reconnect": 1,
    "change_index": 1,
    "stop_and_start": 0.3,
    "power_loss": 0.5,
}


def some_kinds(random: Random, count: int) -> list[Kind]:
    sizes = (0, 0, 0, 10, 3692, 3693, 9000)
    return [
        (random.random() < 0.5, random.randrange(3), random.randrange(3), random.choice(sizes)) for _ in range(count)
    ]


def arguments(random: Random, step: str) -> dict[str, object]:
    """Choose what a step is called with."""

    def flag() -> bool:
        return random.random() < 0.5

    choices: dict[str, dict[str, object]] = {
        "put": {"several": some_kinds(random, random.choice((1, 3, 30)))},
        "put_in_unit": {"several": some_kinds(random, random.choice((1, 3, 30)))},
        "get": {"syncpoint": flag()},
        "get_by_correlation": {"syncpoint": flag(), "correlation": random.randrange(3)},
        "get_by_message": {"back": random.randrange(60)},
        "browse": {
            "first": random.random() < 0.15,
            "lock": random.random() < 0.3,
            "correlation": random.choice((None, None, 0, 1, 2)),
        },
        "browse_into_too_small_a_buffer": {"first": flag()},
        "under_cursor": {"remove": flag(), "syncpoint": flag()},
        "end_unit": {"commit": flag()},
        "end_branch": {"outcome": random.choice(("prepare", "commit", "back out"))},
        "resolve": {"which": random.randrange(10), "commit": flag()},
        "reconnect": {"orderly": flag()},
    }
    alone: dict[str, dict[str, object]] = {
        "checkpoint": {},
        "write_pages": {},
        "stop_and_start": {},
        "change_index": {"index": random.randrange(3)},
        "power_loss": {"keep": random.choice(KEEPS), "seed": random.randrange(1000)},
    }
    if step in alone:
        return alone[step]
    return {"who": random.randrange(PROGRAMS), **choices.get(step, {})}


@pytest.mark.parametrize("kind", [QueueMachine, MemoryQueueMachine])
@pytest.mark.parametrize("seed", range(10))
def test_a_long_walk(seed: int, kind: type[QueueMachine]) -> None:
    random = Random(seed)
    machine = kind()
    machine.make(random.randrange(3), random.random() < 0.3, some_kinds(random, 20))
    for _ in range(400):
        (step,) = random.choices(list(WEIGHTS), list(WEIGHTS.values()))
        if step == "resolve" and not machine.in_doubt:
            continue
        if random.random() < 0.04:  # so that directories are emptied and used again while cursors point into them
            while any(message.live() for message in machine.messages):
                machine.get(random.randrange(PROGRAMS), False)
        getattr(machine, step)(**arguments(random, step))
        machine.counts_agree()
    machine.teardown()
