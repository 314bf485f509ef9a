"""The sending end of a message channel: batches out of a transmission queue, each a prepared unit of work.

A batch goes through these steps, each with what a crash leaves:

1. Messages are got in the batch's unit and sent as they are got. A crash backs the unit out; the partner, whose unit
   never survives its connection, does the same.
2. The batch is closed: the unit, with the record that the batch leads to, is prepared. From the time that this is on
   disk, the batch is in doubt until step 4.
3. Only then the confirmation is requested. Messages of the next batch are got before, but sent only after the request.
4. The partner confirms: the unit is committed, without waiting for the log. If a crash loses that commit, the unit
   is prepared again, and the partner's record says that the batch has arrived.

Fast messages leave the queue as they are got and are in no unit; fast messages on their way when the connection breaks
are lost, and are counted.

Calls of the outbox may raise a Stall before they have changed anything: `run` is then called again, and continues.
"""

from abc import abstractmethod
from collections import deque
from typing import Final

from mypy_extensions import mypyc_attr

from kew.channels.mca.monitor import ChannelMonitor
from kew.channels.mca.record import SyncRecord, first_luwid, next_luwid
from kew.channels.protocol.batch import BatchConfirmed, CloseRequested
from kew.channels.protocol.events import Event
from kew.channels.protocol.lifecycle import ChannelEnded, ChannelStarted, Failed, TimedOut
from kew.channels.protocol.resync import SETTLED, Batch, Verdict
from kew.channels.protocol.segments import NO_UNIT
from kew.channels.protocol.sending import Alive, Resolved, SenderChannel
from kew.channels.protocol.states import CLOSED
from kew.storage.log import NO_ADDRESS, LogAddress

MOST_HELD: Final = 4 << 20  # bytes of messages that are held for the batch before them
MOST_SAID: Final = 1 << 20  # bytes of messages that one run puts into the output
_LEAST_WAIT: Final = 1.0  # seconds that the answer to a BATCHHB heartbeat may take in any case

_PERSISTENCE: Final = 148  # of the descriptor in an MQXQH
_NOT_PERSISTENT: Final = bytes(4)

# The substates of DISPLAY CHSTATUS.
BINDING: Final = 0
RESYNCHRONISING: Final = 1
RUNNING: Final = 2
OVER: Final = 3


class Outgoing:
    """A message got from the transmission queue: MQXQH and data, and whether it has left the queue for good."""

    def __init__(self, data: bytes, fast: bool) -> None:
        self.data = data
        self.fast = fast


@mypyc_attr(allow_interpreted_subclasses=True)
class Outbox:
    """The transmission queue, the units of work of a sending end and its records."""

    @abstractmethod
    def get(self) -> Outgoing | None:
        """Get the next message in the open unit, or none. After none, the owner calls `run` when there may be one."""

    @abstractmethod
    def prepare(self, batch: Batch, record: SyncRecord) -> LogAddress:
        """Prepare the open unit with the record that commits with it; gives the log address to wait for."""

    @abstractmethod
    def commit(self, record: SyncRecord) -> None:
        """Commit the oldest prepared unit, whose record is given, without waiting for the log."""

    @abstractmethod
    def withdraw(self) -> None:
        """Back the open unit out."""

    @abstractmethod
    def resolve(self, arrived: int) -> None:
        """Commit the first `arrived` of the prepared units and back out the others, newest first."""

    @abstractmethod
    def store(self, record: SyncRecord) -> LogAddress:
        """Store a record that belongs to no batch; gives the log address to wait for."""

    @abstractmethod
    def on_disk(self, address: LogAddress) -> bool:
        """Say whether the log is on disk up to an address; if not, the owner calls `run` once it is."""


class Limits:
    """The limits of a batch, besides the agreed number of messages."""

    def __init__(self, size: int = 0, interval: float = 0.0, heartbeat: float = 0.0) -> None:
        self.size = size  # BATCHLIM in bytes, 0 for none
        self.interval = interval  # BATCHINT in seconds
        self.heartbeat = heartbeat  # BATCHHB in seconds, 0 for none


class Asked:
    """A closed batch: the record of its unit, if it has one, and the number of fast messages sent up to its end."""

    def __init__(self, batch: Batch, record: SyncRecord | None, fast: int) -> None:
        self.at: float = 0.0  # when the confirmation was requested
        self.batch = batch
        self.record = record
        self.fast = fast


class SendingEnd:
    """One connection of a sending end."""

    def __init__(self, session: SenderChannel, outbox: Outbox, record: SyncRecord, now: float, limits: Limits) -> None:
        self.session = session
        self.record = record  # committed
        self.limits = limits
        self.state: int = BINDING
        self.finishing: bool = False
        self.verdict: Verdict | None = None  # of the resynchronisation
        self.ended: Event | None = None  # what the partner or the protocol said at the end
        self.messages: int = 0  # moved, fast ones too
        self.fast_out: int = 0  # fast messages that have left the queue
        self.fast_arrived: int = 0  # of those, the ones sent before something that the partner has answered
        self.fast_lost: int = 0  # at most, once the connection has broken
        self.batches: int = 0
        self.batch_sum: int = 0  # messages of all batches
        self.full_batches: int = 0  # that had as many messages as both ends agreed to
        self.bytes_moved: int = 0  # of messages, with their headers
        self.persistent: int = 0  # messages
        self.persistent_bytes: int = 0
        self.found_empty: int = 0  # how often nothing was left on the queue
        self.monitor: ChannelMonitor | None = None  # while MONCHL asks for it
        self.dead_letter_batches: int = 0  # in which the partner has put a message on its dead-letter queue
        self.idle: bool = False  # the queue is empty, nothing is on its way
        self.more: bool = False  # there is more to send once the output has left
        self._outbox = outbox
        self._now = now
        self._events: deque[Event] = deque()
        self._doubtful: tuple[Batch, ...] = session.kept.doubtful
        self._luwid: bytes = first_luwid(int(now), max([record.newest, *[b.luwid for b in self._doubtful]]))
        self._next_record = record  # after all batches that are prepared
        self._asked: deque[Asked] = deque()
        self._closed: Asked | None = None  # prepared, not yet asked about
        self._address: LogAddress = NO_ADDRESS  # that must be on disk before the next request
        self._open: bool = False
        self._begun: bool = False  # the open batch is known to the session
        self._held: list[Outgoing] = []
        self._held_size: int = 0
        self._said: int = 0  # bytes of messages put into the output by this run
        self._count: int = 0  # messages of the open batch
        self._in_unit: int = 0
        self._fast: int = 0
        self._size: int = 0
        self._opened: float = 0.0
        self._heard: float = now
        self._asked_life: float = 0.0
        self._beats: int = 0  # heartbeats sent
        self._out_at_beat: int = 0  # fast messages that had gone out in front of the last one

    @property
    def fast_unconfirmed(self) -> int:
        """Fast messages that may be lost if the connection breaks now."""
        return self.fast_out - self.fast_arrived

    @property
    def open_count(self) -> int:
        """Messages of the open batch (CURMSGS)."""
        return self._count

    @property
    def current_luwid(self) -> bytes:
        """The LUWID of the open batch; zero where none is open."""
        return self._luwid if self._open else NO_UNIT

    @property
    def in_doubt(self) -> tuple[Batch, ...]:
        """Batches in doubt: the partner has not reported their outcome."""
        return self._doubtful

    @property
    def unsettled(self) -> int:
        """Batches whose confirmation is requested and has not come."""
        return len(self.session.unconfirmed)

    def received(self, events: list[Event]) -> None:
        """Queue the session's events, for `run` to act on."""
        self._events.extend(events)

    def finish(self) -> None:
        """End the channel after the current batch."""
        self.finishing = True

    def lost(self) -> None:
        """End: the connection is broken; unprepared work is backed out, prepared batches are in doubt."""
        self.fast_lost = self.fast_unconfirmed
        self._outbox.withdraw()
        self.state = OVER

    def wake_at(self) -> float:
        """Give the time at which `run` is to be called even if nothing has happened; 0 for never."""
        if self._asked_life:
            return self._asked_life + max(self.limits.heartbeat, _LEAST_WAIT)
        if self._open and self.limits.interval:
            return self._opened + self.limits.interval
        return 0.0

    def run(self, now: float) -> None:
        """Do all work that is possible now. Segments to send are in the session's output."""
        self._now = now
        self._said = 0
        self.more = False
        if self.session.heartbeats_sent != self._beats:
            self._beats = self.session.heartbeats_sent
            self._out_at_beat = self.fast_out - (self._fast if self._open and not self._begun else 0)
        while self._events and self.state != OVER:
            self._event(self._events[0])
            self._events.popleft()
        if self.state != RUNNING:
            return
        while self._step():
            pass
        if self.finishing and not self._open and self._closed is None and not self.session.unconfirmed:
            self.session.end()
            self.state = OVER

    # Events of the partner.

    def _event(self, event: Event) -> None:
        self._heard = self._now
        if isinstance(event, BatchConfirmed):
            asked = self._asked[0]
            if self.monitor is not None:
                self.monitor.confirmed(self._now - asked.at)
            if asked.record is not None:
                self._outbox.commit(asked.record)
                self.record = asked.record
            self._asked.popleft()
            self.batches += 1
            self.fast_arrived = max(self.fast_arrived, asked.fast)
            self.dead_letter_batches += event.dead_letters
        elif isinstance(event, CloseRequested):
            self.finishing = True
        elif isinstance(event, Alive):
            self._asked_life = 0.0
            self.fast_arrived = max(self.fast_arrived, self._out_at_beat)
        elif isinstance(event, ChannelStarted):
            self._started()
        elif isinstance(event, Resolved):
            self._resolved(event)
        elif isinstance(event, ChannelEnded | Failed | TimedOut):
            self.ended = event
            self.lost()

    def _started(self) -> None:
        if self.state != BINDING or self.session.state == CLOSED:
            return  # what closed the session comes next
        self.state = RESYNCHRONISING
        session = self.session
        if self.record.reset:
            session.numbers_matter = False
            if not self._doubtful:
                session.reset(self.record.reset)
        self._events.extend(session.resynchronise())

    def _resolved(self, event: Resolved) -> None:
        verdict = event.verdict
        record = self.record
        if verdict.settled and self._doubtful:
            self._outbox.resolve(verdict.arrived)
            for batch in self._doubtful[: verdict.arrived]:
                record = record.after(batch)
            self.record = record = record.changed(newest=self._doubtful[-1].luwid)
            self._doubtful = ()
        if verdict.settled and event.partner != record.partner and self.session.kew:
            record = record.changed(partner=event.partner)
        if verdict.cause == SETTLED and self.session.number != record.last.number and not record.reset:
            record = record.changed(number=self.session.number)
        if record is not self.record or verdict.arrived:
            self._address = self._outbox.store(record)
            self.record = record
        self._next_record = record
        self.verdict = verdict
        if verdict.cause == SETTLED:
            differs = self.session.number != max(record.reset - 1, 0)
            if record.reset and differs and self.session.state != CLOSED:
                self.session.reset(record.reset)
            self.state = RUNNING
        else:
            self.session.end()
            self.state = OVER

    # Batches.

    def _step(self) -> bool:
        """Do one step of work, if there is one."""
        if self._closed is not None and self._outbox.on_disk(self._address):
            self._ask()
            return True
        ready = self._closed is None
        if self._open and not self._begun and ready and self.session.may_begin():
            self._begin()
            return True
        if self._open and self._full():
            return ready and self._begun and self._alive() and self._close()
        if not self.finishing and self._held_size < MOST_HELD:
            if self._said >= MOST_SAID:
                self.more = True
                return False
            message = self._outbox.get()
            if message is not None:
                self._move(message)
                return True
            if not self.idle:
                self.found_empty += 1
        if not self._open:
            self.idle = ready and not self.session.unconfirmed
            return False
        return ready and self._begun and self._may_close() and self._close()

    def _move(self, message: Outgoing) -> None:
        self.idle = False
        if not self._open:
            self._open = True
            self._opened = self._now
            self._count = self._in_unit = self._fast = self._size = 0
            if self._closed is None and self.session.may_begin():
                self._begin()
        self._count += 1
        self._size += len(message.data)
        if message.fast:
            self._fast += 1
            self.fast_out += 1
        else:
            self._in_unit += 1
        if self._begun:
            self._say(message)
        else:
            self._held.append(message)
            self._held_size += len(message.data)

    def _say(self, message: Outgoing) -> None:
        self.session.move(message.data)
        self._said += len(message.data)
        self.bytes_moved += len(message.data)
        if not message.fast and message.data[_PERSISTENCE : _PERSISTENCE + 4] != _NOT_PERSISTENT:
            self.persistent += 1
            self.persistent_bytes += len(message.data)
        self.messages += 1

    def _begin(self) -> None:
        """Begin the open batch in the session, and send the held messages."""
        self.session.begin_batch(self._luwid)
        self._begun = True
        for message in self._held:
            self._say(message)
        self._held = []
        self._held_size = 0

    def _full(self) -> bool:
        return self._count >= self.session.batch_size or (0 < self.limits.size <= self._size)

    def _may_close(self) -> bool:
        """Say whether the batch ends though it is not full: the queue is empty, and nothing makes the batch wait.

        While a confirmation is outstanding, more messages may join the batch, so that a steady load makes large
        batches.
        """
        if not self.finishing and (self.session.unconfirmed or self._now - self._opened < self.limits.interval):
            return False
        return self._alive()

    def _alive(self) -> bool:
        """Check that the partner is there, as BATCHHB asks, before the batch can become in doubt."""
        limit = self.limits.heartbeat
        if not limit or self._in_unit == 0 or self._now - self._heard < limit:
            return True
        if not self._asked_life:
            self._asked_life = self._now
            self.session.ask_for_life()
            self._beats = self.session.heartbeats_sent
            self._out_at_beat = self.fast_out
        elif self._now - self._asked_life >= max(limit, _LEAST_WAIT):
            self.ended = TimedOut("the answer to a heartbeat")
            self.session.end()
            self.lost()
        return False

    def _close(self) -> bool:
        """End the open batch and prepare its unit."""
        batch = Batch(self.session.number, self._luwid, self._in_unit)
        record: SyncRecord | None = None
        if self._in_unit:
            record = self._next_record.after(batch)
            self._address = self._outbox.prepare(batch, record)
            self._next_record = record
        self.session.close_batch()
        self._closed = Asked(batch, record, self.fast_out)
        self._luwid = next_luwid(self._luwid)
        self.batch_sum += self._count
        self.full_batches += self._count >= self.session.batch_size
        self._open = self._begun = False
        self._count = self._in_unit = self._fast = 0
        return True

    def _ask(self) -> None:
        """Request the confirmation of the closed batch, whose unit is prepared on disk."""
        closed = self._closed
        assert closed is not None
        self._closed = None
        if closed.record is None and not self.session.confirms_fast:
            self.batches += 1
        else:
            closed.at = self._now
            self.session.ask_to_confirm(closed.batch.luwid)
            self._asked.append(closed)
