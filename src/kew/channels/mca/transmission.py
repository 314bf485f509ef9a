"""The transmission queue of a sending channel, with queues, units of work and the log for `sender.py`.

The connection is the queue manager's own. Every method runs in the strand of the channel; the engine lock is taken for
each step. While the channel waits for a message, a waiter on the queue wakes the strand; the waiter itself gets
nothing.
"""

import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final

from kew.channels.mca.deadletters import Undelivered, bury, send_report
from kew.channels.mca.doubt import batch_of, name_of, units_in_doubt
from kew.channels.mca.monitor import ChannelMonitor
from kew.channels.mca.outward import Outward
from kew.channels.mca.record import RecordOwner, SyncRecord
from kew.channels.mca.sender import Outbox, Outgoing
from kew.channels.mca.syncqueue import SyncQueue
from kew.channels.mca.waker import Waker
from kew.channels.protocol.resync import Batch
from kew.codes.errors import MQError
from kew.codes.options import (
    MQEI_UNLIMITED,
    MQFB_XMIT_Q_MSG_ERROR,
    MQFMT_XMIT_Q_HEADER,
    MQGMO_NO_PROPERTIES,
    MQGMO_SYNCPOINT,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
    MQOO_INPUT_EXCLUSIVE,
    MQOO_INQUIRE,
    MQPER_PERSISTENT,
)
from kew.codes.reasons import MQRC_MSG_TOO_BIG_FOR_CHANNEL
from kew.formats import mqxqh
from kew.formats.binary import FormatError
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqxqh import TransmissionHeader
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import broken_by, settle
from kew.mqi.gets import get as getting
from kew.mqi.gets.request import GetRequest, Got
from kew.mqi.local.connection import LocalConnection
from kew.mqi.transactions import units
from kew.queues.monitor import seconds_of
from kew.queues.waiters import Waiter
from kew.storage.log import LogAddress, LogError
from kew.storage.stall import Stall
from kew.storage.unit import Unit

_EXPIRY: Final = 104 + 16  # of the descriptor in an MQXQH
_PERSISTENCE: Final = 104 + 44


def _ignored(_reason: int) -> None:
    """Do nothing."""


class Arrival(Waiter):
    """The channel's wait for a message on its transmission queue."""

    def __init__(self, owner: int, wake: Callable[[int], None]) -> None:
        super().__init__(None, owner)
        self._wake = wake

    def takes_directly(self) -> bool:
        """Accept no message directly: the channel gets by itself."""
        return False

    def hand_over(self, descriptor: MessageDescriptor, data: bytes) -> bool:
        """Refuse the message: the channel gets by itself."""
        return False

    def serve(self) -> bool:
        """Wake the channel; the wait is over."""
        self._wake(0)
        return True

    def fail(self, reason: int) -> None:
        """Wake the channel, whose next get gives the reason."""
        self._wake(reason)


class TransmissionQueue(Outbox):
    """A transmission queue that one channel has open."""

    def __init__(
        self,
        local: LocalConnection,
        queue: str,
        owner: RecordOwner,
        waker: Waker,
        on_unconverted: Callable[[int], None] = _ignored,
    ) -> None:
        self._local = local
        self._engine = local.engine
        self._connection = local.connection
        self._key = owner.key
        self._waker = waker
        self._wake: Callable[[], None] = waker.wake
        self.handle: Handle = local.open(queue, MQOO_INPUT_EXCLUSIVE | MQOO_INQUIRE)
        self.sync = SyncQueue(local, owner)
        self.fast: bool = False  # agreed with the partner, like `longest`
        self.longest: int = 0
        self.dead_letters: int = 0  # messages that this end has put on the dead-letter queue
        self.uses_dead_letter_queue: bool = True
        self._on_unconverted: Callable[[int], None] = on_unconverted  # with the reason why a message was not converted
        self.outward = Outward()
        self.monitor: ChannelMonitor | None = None  # while MONCHL asks for it
        self._ready: deque[Outgoing] = deque()  # made from one message of the queue, and not yet taken
        self._got: int = 0  # messages of the open unit that go to the partner
        self._request: GetRequest | None = None
        self._arrival: Arrival | None = None
        with self._engine.lock:
            self._prepared: deque[Unit] = deque(units_in_doubt(self._engine, owner.key))

    @property
    def doubtful(self) -> tuple[Batch, ...]:
        """The batches in doubt, oldest first."""
        return tuple([batch_of(unit) for unit in self._prepared])

    @property
    def depth(self) -> int:
        """Give the number of messages on the queue."""
        queue = self.handle.queue
        return queue.depth if queue is not None else 0

    # Messages.

    def get(self) -> Outgoing | None:
        """Get the next message in the open unit, or none; after none, the strand runs when there may be one."""
        while not self._ready:
            got = self._next()
            if got is None:
                return None
            self._make(got)
        return self._ready.popleft()

    def _next(self) -> Got | None:
        engine = self._engine
        request = self._request
        if request is None:
            option = MQGMO_SYNCPOINT_IF_PERSISTENT if self.fast else MQGMO_SYNCPOINT
            request = GetRequest(self._connection, self.handle, option | MQGMO_NO_PROPERTIES, None, -1)
            self._request = request
        queue = self.handle.queue
        assert queue is not None
        while True:
            try:
                with engine.lock:
                    got = getting.get(request)
                    if got is None and self._arrival is None:
                        self._arrival = Arrival(self._connection.number, self._arrived)
                        queue.waiters.add(self._arrival)
            except Stall as stall:
                waiting = stall
            except LogError as broken:
                raise broken_by(broken) from broken
            else:
                self._request = None
                return got
            settle(engine, queue, waiting)

    def _arrived(self, _reason: int) -> None:
        self._arrival = None
        self._wake()

    def _make(self, got: Got) -> None:
        """Make the messages to send from a message got; there is none if it went to the dead-letter queue."""
        descriptor, data = got.descriptor, got.data
        if self.monitor is not None:
            put = seconds_of(descriptor.put_date, descriptor.put_time)
            if put:
                self.monitor.left_queue(time.time() - put)
        fast = self.fast and descriptor.persistence != MQPER_PERSISTENT
        try:
            if descriptor.format != MQFMT_XMIT_Q_HEADER:
                raise FormatError("MQXQH", 0, f"the format of the message is {descriptor.format!r}")
            header = mqxqh.decode(data)
        except FormatError:
            self._refuse(Undelivered(descriptor, data, self.handle.name, ""), MQFB_XMIT_Q_MSG_ERROR, fast)
            return
        if self.outward.changes(header):
            whole = _without_header(header, data)
            try:
                found = self.outward.messages(header, data[mqxqh.LENGTH :])
            except FormatError:
                self._refuse(whole, MQFB_XMIT_Q_MSG_ERROR, fast)
                return
            except MQError as problem:
                self._on_unconverted(problem.reason)
                self._refuse(whole, problem.reason, fast)
                return
        else:
            found = [data if data[4] == 1 else mqxqh.encode(header) + data[mqxqh.LENGTH :]]
        for each in found:
            if len(each) > self.longest:
                self._refuse(_without_header(header, each), MQRC_MSG_TOO_BIG_FOR_CHANNEL, fast)
            else:
                self._ready.append(self._outgoing(descriptor, header.descriptor, each, fast))

    def _outgoing(self, descriptor: MessageDescriptor, inner: MessageDescriptor, data: bytes, fast: bool) -> Outgoing:
        """Make a message to send, with the remaining expiry and the persistence it has on the transmission queue."""
        if descriptor.expiry != MQEI_UNLIMITED or inner.persistence != descriptor.persistence:
            expiry = descriptor.expiry if descriptor.expiry != MQEI_UNLIMITED else inner.expiry
            data = (
                data[:_EXPIRY]
                + expiry.to_bytes(4, "little", signed=True)
                + data[_EXPIRY + 4 : _PERSISTENCE]
                + descriptor.persistence.to_bytes(4, "little", signed=True)
                + data[_PERSISTENCE + 4 :]
            )
        if not fast:
            self._got += 1
        return Outgoing(data, fast)

    def _refuse(self, message: Undelivered, reason: int, fast: bool) -> None:
        """Put a message that cannot be sent on this side's dead-letter queue; raises MQError if that is impossible."""
        engine, connection = self._engine, self._connection
        unit = None if fast else connection.unit
        try:
            discarded = send_report(engine, message, reason, unit)
            if not discarded:
                if not self.uses_dead_letter_queue:
                    raise MQError(reason, queue=self.handle.name, why="the channel has USEDLQ(NO)")
                bury(engine, message, reason, unit, engine.name)
                self.dead_letters += 1
        except MQError:
            if not fast:
                raise
        if unit is not None and not self._got:
            engine.run(partial(units.commit, connection))

    # Units.

    def prepare(self, batch: Batch, record: SyncRecord) -> LogAddress:
        """Prepare the open unit with the record that commits with it; gives the log address to wait for."""
        connection, engine = self._connection, self._engine
        connection.unit = self.sync.put_in(connection.unit, record)
        unit, address = engine.run(lambda: units.prepare_own(connection, name_of(self._key, batch)))
        self._got = 0
        self._prepared.append(unit)
        return address

    def commit(self, record: SyncRecord) -> None:
        """Commit the oldest prepared unit, whose record is given, without waiting for the log."""
        unit = self._prepared[0]
        self._engine.run(lambda: self._engine.units.commit(unit))
        self._prepared.popleft()
        self.sync.committed(record.serial)

    def withdraw(self) -> None:
        """Back the open unit out."""
        if self._request is not None:
            self._engine.run(partial(getting.abandon_get, self._request))
            self._request = None
        self._engine.run(partial(units.backout, self._connection))
        self._ready.clear()
        self._got = 0

    def resolve(self, arrived: int) -> None:
        """Commit the first `arrived` of the prepared units and back out the others, newest first."""
        engine = self._engine
        for _ in range(arrived):
            unit = self._prepared[0]
            engine.run(partial(engine.units.commit, unit))
            self._prepared.popleft()
        while self._prepared:
            unit = self._prepared[-1]
            engine.run(partial(engine.units.backout, unit))
            self._prepared.pop()
        self.sync.find()

    def store(self, record: SyncRecord) -> LogAddress:
        """Store a record that belongs to no batch; gives the log address to wait for."""
        return self.sync.store(record)

    def on_disk(self, address: LogAddress) -> bool:
        """Say whether the log is on disk up to an address; if not, the strand runs again once it is."""
        if self._engine.log.durable >= address:
            return True
        self._waker.at(address)
        return False

    def close(self) -> int:
        """Close the queue; gives the number of messages left on it that are in no batch in doubt."""
        if self._arrival is not None:
            queue = self.handle.queue
            if queue is not None:
                with self._engine.lock:
                    queue.waiters.remove(self._arrival)
            self._arrival = None
        if self._request is not None:
            self._engine.run(partial(getting.abandon_get, self._request))
        queue = self.handle.queue
        self._local.abandon()
        return queue.available() if queue is not None else 0


def _without_header(header: TransmissionHeader, data: bytes) -> Undelivered:
    return Undelivered(
        header.descriptor,
        data[mqxqh.LENGTH :],
        header.remote_queue.rstrip(b" \0").decode("ascii", "replace").replace("\ufffd", "?"),
        header.remote_queue_manager.rstrip(b" \0").decode("ascii", "replace").replace("\ufffd", "?"),
    )
