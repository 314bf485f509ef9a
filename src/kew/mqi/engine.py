"""The parts of a running queue manager that verbs work with, and the one lock around them."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

from librt.threading import Lock
from mypy_extensions import mypyc_attr

from kew.accounting.calls import CallCounters
from kew.accounting.events import Events
from kew.accounting.program import Program
from kew.accounting.tracetable import TraceTable
from kew.codes.errors import Broken, MQError
from kew.codes.messages import Notices
from kew.codes.reasons import (
    MQRC_CONNECTION_BROKEN,
    MQRC_OBJECT_DAMAGED,
    MQRC_PAGESET_ERROR,
)
from kew.mqi.shortages import Shortages
from kew.objects.catalogue import Catalogue
from kew.queues.queue import Queue
from kew.queues.registry import QueueRegistry
from kew.security.authority import Authority
from kew.storage.disk import DiskError
from kew.storage.log import Log, LogAddress, LogError
from kew.storage.pages.items import ItemStore
from kew.storage.recovery.checkpoint import LogSpaceExhausted
from kew.storage.recovery.redo import resolve
from kew.storage.recovery.units import Units
from kew.storage.stall import Damaged, Stall
from kew.topics.space import TopicSpace

T = TypeVar("T")

RUNNING: Final = 0
QUIESCING: Final = 1
STOPPING: Final = 2
STOPPED: Final = 3
BROKEN: Final = 4


_COUNTED: Final = 44  # bits of a message id's number that count; a year has 2^35 milliseconds
_LIVES: Final = 0xFF000  # the first byte of a number is never 255: ids that `reserve` gives have that


class Clock:
    """The time in the form of message descriptors, computed at most a hundred times a second."""

    def __init__(self, source: Callable[[], float] = time.time, elapsed: Callable[[], float] = time.monotonic) -> None:
        self._source = source
        self.elapsed = elapsed  # seconds since some moment; it only rises, whatever is done to the clock
        self._hundredth = -1
        self.date = b"        "
        self.time = b"        "

    def now(self) -> float:
        """Give the seconds since 1970, and bring `date` and `time` up to date."""
        now = self._source()
        hundredth = int(now * 100)
        if hundredth != self._hundredth:
            self._hundredth = hundredth
            parts = time.gmtime(now)
            self.date = b"%04d%02d%02d" % (parts.tm_year, parts.tm_mon, parts.tm_mday)
            self.time = b"%02d%02d%02d%02d" % (parts.tm_hour, parts.tm_min, parts.tm_sec, hundredth % 100)
        return now


class IdGenerator:
    """Makes message ids: 'AMQ ', twelve characters of the queue manager's name, and a number that is never used again.

    The number begins with the count of starts of the log, so ids stay unique when the clock is set back between two
    starts. The rest counts up from the time of the start, so ids stay unique when a new log begins its count again.
    """

    def __init__(self, queue_manager: str, life: int, milliseconds: int) -> None:
        self._prefix = b"AMQ " + queue_manager.encode()[:12].ljust(12)
        self._next = life % _LIVES << _COUNTED | milliseconds
        self._reserved = life % (1 << 12) << 20  # about a million for each of four thousand starts

    def next(self) -> bytes:
        """Give a new id of 24 bytes."""
        self._next += 1
        return self._prefix + self._next.to_bytes(8, "big")

    def reserve(self) -> bytes:
        """Reserve a range of ids; gives the first, and the caller counts up in its last three bytes."""
        self._reserved += 1
        return self._prefix + b"\xff" + (self._reserved & 0xFFFFFFFF).to_bytes(4, "big") + bytes(3)

    def number(self) -> int:
        """Give a number that no message id has."""
        self._next += 1
        return self._next


@mypyc_attr(allow_interpreted_subclasses=True)
class EngineListener:
    """A listener for actions of programs that concern other parts; called under the engine lock, must not wait."""

    def entered(self, program: Program) -> None:
        """A program has connected."""

    def left(self, program: Program) -> None:
        """A program has disconnected."""

    def delayed(self) -> None:
        """A message was put that is delivered later."""


class Engine:
    """The resource managers that verbs work with, built by `qmgr/assemble.py`, and the engine lock.

    Fields are read and changed under `lock` unless their comment says otherwise.
    """

    def __init__(
        self,
        name: str,
        lock: Lock,
        log: Log,
        store: ItemStore,
        units: Units,
        queues: QueueRegistry,
        catalogue: Catalogue,
        notices: Notices,
        authority: Authority,
        events: Events,
        listener: EngineListener,
        topic_streams: object = None,
    ) -> None:
        self.name = name
        self.lock = lock
        self.log = log
        self.store = store
        self.units = units
        self.queues = queues
        self.catalogue = catalogue
        self.notices = notices
        self.authority = authority
        self.shortages = Shortages(notices, name)
        self.clock = Clock()
        self.ids = IdGenerator(name, log.life, time.time_ns() // 1_000_000)
        self.state = RUNNING
        self.ccsid = 1208  # character set of messages whose program left it to the queue manager
        self.max_message_length = 104857600
        self.max_properties_length = -1  # of one message; -1 for no limit
        self.max_uncommitted = 10000
        self.max_handles = 256
        self.mark_interval = 5000  # MARKINT, milliseconds; -1 for ever
        self.next_connection = 1
        self.events = events
        self.listener = listener
        self.topics = TopicSpace(catalogue)
        self.connections: dict[int, Program] = {}
        self.metered = False  # something is recorded: verbs count what they do (metering.py)
        self.detailed = False  # more than how often all programs call: accounts, a trace, or statistics of queues
        self.calls = CallCounters()
        self.trace: TraceTable | None = None  # steps of calls, while a global trace runs
        self.channel_trace: TraceTable | None = None  # of channels, while a trace of them runs
        self.topic_streams = topic_streams  # publishes the copies of streaming queues: see `delivery/streaming.py`

    def latest(self) -> LogAddress:
        """Give the log address after the newest record of a message."""
        return self.store.latest

    def damaged(self, queue: Queue | None, damage: Damaged) -> None:
        """Mark a queue as damaged, since its pages cannot be read, and notify the operator; called outside the lock."""
        with self.lock:
            if queue is None or queue.damaged:
                return
            queue.damaged = True
        self.notices.tell("AMQ7472E", (damage.page,), (f"QLOCAL({queue.name})", str(damage)))

    def enter(self, program: Program) -> None:
        """Take note of a new connection."""
        self.connections[program.number] = program
        self.listener.entered(program)

    def leave(self, connection: int) -> None:
        """Forget a connection that has ended."""
        left = self.connections.pop(connection, None)
        if left is not None:
            self.listener.left(left)

    def change_state(self, state: int) -> None:
        """Set the state of the queue manager, from RUNNING to BROKEN, which decides whether verbs are accepted."""
        self.state = state

    def limit(self, message_length: int, properties_length: int, uncommitted: int, handles: int, marks: int) -> None:
        """Set the limits of the queue manager: MAXMSGL, MAXPROPL, MAXUMSGS, MAXHANDS and MARKINT."""
        self.max_message_length = message_length
        self.max_properties_length = properties_length
        self.max_uncommitted = uncommitted
        self.max_handles = handles
        self.mark_interval = marks

    def measure(self, metered: bool, detailed: bool) -> None:
        """Switch counters of verbs on or off, in total and by program and queue (`detailed`); under the lock."""
        self.metered = metered
        self.detailed = detailed

    def trace_calls(self, table: TraceTable | None) -> None:
        """Set the table in which steps of verbs are traced; None ends the trace."""
        self.trace = table

    def trace_channels(self, table: TraceTable | None) -> None:
        """Set the table in which steps of channels are traced; None ends the trace."""
        self.channel_trace = table

    def run(self, step: Callable[[], T]) -> T:
        """Run a step under the engine lock, and again after each stall; for callers that may block."""
        while True:
            try:
                with self.lock:
                    return step()
            except Stall as stall:
                waiting = stall
            except LogError as broken:
                raise broken_by(broken) from broken
            settle(self, None, waiting)


def broken_by(failure: BaseException) -> Broken:
    """Give the error of every verb, 2009, once the log accepts and acknowledges no more records."""
    return Broken(MQRC_CONNECTION_BROKEN, why=str(failure))


def settle(engine: Engine, queue: Queue | None, stall: Stall) -> None:
    """Do the I/O that a verb waits for, outside the lock; an I/O error becomes MQ's reason."""
    try:
        resolve(stall)
        engine.shortages.settled(stall)
    except Damaged as damage:
        engine.damaged(queue, damage)
        raise MQError(MQRC_OBJECT_DAMAGED, why=str(damage)) from damage
    except LogError as broken:
        raise broken_by(broken) from broken
    except LogSpaceExhausted as exhausted:
        raise engine.shortages.log_full(str(exhausted)) from exhausted
    except DiskError as failure:
        engine.notices.tell("CSQP004E", (), (failure.path, str(failure)))
        raise MQError(MQRC_PAGESET_ERROR, why=str(failure)) from failure


def wait_for_log(engine: Engine, address: LogAddress) -> None:
    """Wait until the log is on disk up to an address; on an error the verb's changes may be lost."""
    try:
        engine.log.force(address)
    except LogError as broken:
        raise broken_by(broken) from broken
