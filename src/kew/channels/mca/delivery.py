"""The queues that a receiving channel puts messages to: names, authority and units of work for `receiver.py`.

Messages are put under the authority of the MCA user, which is checked for each queue and for setting context. With
PUTAUT(CTX) the authority to put is that of the user in the message's descriptor. Records are put by a connection of the
queue manager itself, in the same unit of work.
"""

from collections import OrderedDict
from functools import partial
from typing import Final

from kew.channels.mca.deadletters import Undelivered, bury, send_report
from kew.channels.mca.definition import MessageChannel
from kew.channels.mca.distribution import FORMAT as DISTRIBUTION
from kew.channels.mca.distribution import split
from kew.channels.mca.receiver import CannotStore, Inbox, Paused
from kew.channels.mca.record import SyncRecord
from kew.channels.mca.syncqueue import SyncQueue
from kew.channels.mca.waker import Waker
from kew.channels.protocol.batch import Transfer
from kew.channels.protocol.status import CANNOT_STORE, MESSAGE_HEADER_ERROR, TARGET_QUEUE_UNKNOWN
from kew.codes.channels import MQPA_ALTERNATE_OR_MCA, MQPA_CONTEXT
from kew.codes.errors import Broken, MQError
from kew.codes.options import (
    MQFB_XMIT_Q_MSG_ERROR,
    MQOO_ALTERNATE_USER_AUTHORITY,
    MQOO_OUTPUT,
    MQOO_SET_ALL_CONTEXT,
    MQPMO_NO_SYNCPOINT,
    MQPMO_SET_ALL_CONTEXT,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import (
    MQRC_ALIAS_BASE_Q_TYPE_ERROR,
    MQRC_MDE_ERROR,
    MQRC_OBJECT_CHANGED,
    MQRC_PAGESET_FULL,
    MQRC_PUT_INHIBITED,
    MQRC_Q_DELETED,
    MQRC_Q_FULL,
    MQRC_UNKNOWN_ALIAS_BASE_Q,
    MQRC_UNKNOWN_OBJECT_NAME,
    MQRC_UNKNOWN_REMOTE_Q_MGR,
    MQRC_UNKNOWN_XMIT_Q,
)
from kew.formats import mqxqh
from kew.formats.binary import FormatError
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.mqi.messages.extension import absorb
from kew.mqi.transactions import units
from kew.storage.log import LogAddress

MOST_OPEN: Final = 64  # queues that are kept open for the next message
RETRIED: Final = frozenset({MQRC_Q_FULL, MQRC_PUT_INHIBITED, MQRC_PAGESET_FULL})
UNKNOWN: Final = frozenset(
    {
        MQRC_UNKNOWN_OBJECT_NAME,
        MQRC_UNKNOWN_REMOTE_Q_MGR,
        MQRC_UNKNOWN_ALIAS_BASE_Q,
        MQRC_ALIAS_BASE_Q_TYPE_ERROR,
        MQRC_UNKNOWN_XMIT_Q,
    }
)
_STALE: Final = frozenset({MQRC_OBJECT_CHANGED, MQRC_Q_DELETED})


class TargetQueues(Inbox):
    """The target queues of one receiving channel."""

    def __init__(
        self, channel: MessageChannel, local: LocalConnection, own: LocalConnection, sync: SyncQueue, waker: Waker
    ) -> None:
        self.dead_letters: int = 0
        self.discarded: int = 0  # fast messages that no queue took
        self.all_retries: int = 0  # puts that were tried again
        self.retries: int = 0  # of the message that is tried now
        self.reason: int = 0  # why the latest message was not delivered to its queue
        self.target: str = ""  # that queue
        self._channel = channel
        self._local = local
        self._own = own
        self._engine = local.engine
        self._sync = sync
        self._waker = waker
        self._open: OrderedDict[tuple[str, str, str], Handle] = OrderedDict()
        self._served: int = 0  # destinations of the MQDH that is under way
        self._dead_served: bool = False

    # Messages.

    def put(self, message: Transfer) -> bool:
        """Put a message to the queue of its MQXQH; say whether it went to the dead-letter queue."""
        try:
            header = mqxqh.decode(message.payload)
            descriptor = header.descriptor
            data = absorb(descriptor, message.payload[mqxqh.LENGTH :])
        except (FormatError, MQError) as problem:
            whole = Undelivered(MessageDescriptor(), message.payload, "", "")
            if isinstance(problem, MQError) and problem.reason == MQRC_MDE_ERROR:
                data = message.payload[mqxqh.LENGTH :]
                whole = Undelivered(descriptor, data, _name(header.remote_queue), _name(header.remote_queue_manager))
            return self._undelivered(whole, MQFB_XMIT_Q_MSG_ERROR, message.fast)
        target = Undelivered(descriptor, data, _name(header.remote_queue), _name(header.remote_queue_manager))
        if descriptor.format == DISTRIBUTION and not target.queue:
            return self._distribute(target, message.fast)
        return self._deliver(target, message.fast)

    def _distribute(self, message: Undelivered, fast: bool) -> bool:
        """Deliver a message to each destination of its MQDH; after a pause, skip those that have it already."""
        try:
            found = split(message.descriptor, message.data)
        except FormatError:
            return self._undelivered(message, MQFB_XMIT_Q_MSG_ERROR, fast)
        while self._served < len(found):
            each = found[self._served]
            each.manager = each.manager or message.manager
            self._dead_served |= self._deliver(each, fast)
            self._served += 1
        self._served = 0
        dead, self._dead_served = self._dead_served, False
        return dead

    def _deliver(self, target: Undelivered, fast: bool) -> bool:
        """Put a message to its queue; say whether it went to the dead-letter queue."""
        options = MQPMO_SET_ALL_CONTEXT | (MQPMO_NO_SYNCPOINT if fast else MQPMO_SYNCPOINT)
        try:
            self._put(target, options)
        except Broken:
            raise
        except MQError as error:
            self.target = target.queue
            if error.reason in RETRIED and self.retries < self._channel.retry_count:
                self.retries += 1
                self.all_retries += 1
                self.reason = error.reason
                raise Paused from error
            return self._undelivered(target, error.reason, fast)
        self.retries = 0
        return False

    def _put(self, target: Undelivered, options: int) -> None:
        key = (target.queue, target.manager, self._user(target.descriptor))
        handle = self._open.get(key)
        if handle is not None:
            self._open.move_to_end(key)
            try:
                self._local.put(handle, target.descriptor.copy(), target.data, options)
                return
            except MQError as error:
                if error.reason not in _STALE:
                    raise
                del self._open[key]
                self._local.close(handle)
        handle = self._find(*key)
        self._open[key] = handle
        if len(self._open) > MOST_OPEN:
            self._local.close(self._open.popitem(last=False)[1])
        self._local.put(handle, target.descriptor.copy(), target.data, options)

    def _user(self, descriptor: MessageDescriptor) -> str:
        """Give the user whose authority to put is checked (PUTAUT); blank for the MCA user."""
        if self._channel.put_authority not in (MQPA_CONTEXT, MQPA_ALTERNATE_OR_MCA):
            return ""
        return descriptor.user_identifier.rstrip(b" \0").decode("utf-8", "replace")

    def _find(self, queue: str, manager: str, user: str) -> Handle:
        options = MQOO_OUTPUT | MQOO_SET_ALL_CONTEXT
        if user:
            # Looked up here, so that no call waits for the system under the lock.
            self._engine.authority.groups_of(user)
            options |= MQOO_ALTERNATE_USER_AUTHORITY
        return self._local.open(queue, options, alternate_user=user, manager=manager)

    def _undelivered(self, message: Undelivered, reason: int, fast: bool) -> bool:
        """Handle a message that its queue does not take, by the options of message and channel."""
        self.retries = 0
        self.reason = reason
        engine, connection = self._engine, self._local.connection
        unit = None
        if not fast:
            with engine.lock:
                unit = connection.unit_for_work()
        if send_report(engine, message, reason, unit):
            return False
        try:
            if not self._channel.uses_dead_letter_queue:
                raise MQError(reason, queue=message.queue, why="the channel has USEDLQ(NO)")
            bury(engine, message, reason, unit, engine.name)
        except Broken:
            raise
        except MQError as error:
            if fast:
                self.discarded += 1
                return False
            code = TARGET_QUEUE_UNKNOWN if reason in UNKNOWN else CANNOT_STORE
            raise CannotStore(MESSAGE_HEADER_ERROR if reason == MQFB_XMIT_Q_MSG_ERROR else code) from error
        self.dead_letters += 1
        return True

    # Units.

    def commit(self, record: SyncRecord) -> LogAddress:
        """Commit the unit with the record that belongs to it; gives the log address to wait for."""
        connection, engine = self._local.connection, self._engine
        if connection.unit is None or not connection.unit.forced_out:
            connection.unit = self._sync.put_in(connection.unit, record)
        address: LogAddress = engine.run(partial(units.commit, connection))
        self._sync.committed(record.serial)
        return address

    def back_out(self) -> None:
        """Back the unit out."""
        self.retries = 0
        self._served = 0
        self._engine.run(partial(units.backout, self._local.connection))

    def store(self, record: SyncRecord) -> LogAddress:
        """Store a record that belongs to no batch; gives the log address to wait for."""
        return self._sync.store(record)

    def on_disk(self, address: LogAddress) -> bool:
        """Say whether the log is on disk up to an address; if not, the strand runs again once it is."""
        if self._engine.log.durable >= address:
            return True
        self._waker.at(address)
        return False

    def close(self) -> None:
        """Close the queues and back uncommitted work out."""
        self._open.clear()
        self._local.abandon()
        self._own.abandon()


def _name(field: bytes) -> str:
    return field.rstrip(b" \0").decode("ascii", "replace").replace("\ufffd", "?")  # a name keeps its length
