"""Put targets: local queues, remote queues, topics and distribution lists, and the steps that all puts share.

Every put takes the same steps, for a local queue, a remote queue, a topic, or an alias of any of them.

    request     the verb has checked it (`puts/put.py`)
    admitted    the target takes over its definitions as they are now; it refuses a put that they forbid, and a message
                that is too long and may not be segmented
    completed   persistence and priority, ids, group, context (`puts/request.py`); then the expiry is capped
    delivered   after its delay, as segments, or as the target delivers it

A single target implements its special steps: `admit`, and `addressed` for a remote queue, `staged` and `publish` for a
topic. A distribution list has a target for each destination and puts the message to each of them.
"""

from abc import abstractmethod
from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQEI_UNLIMITED,
    MQMF_LAST_SEGMENT,
    MQMF_SEGMENT,
    MQMF_SEGMENTATION_ALLOWED,
    MQPER_PERSISTENT,
    MQPMO_FAIL_IF_QUIESCING,
    MQPMO_NEW_MSG_ID,
    MQPMO_SYNCPOINT,
    MQRO_COA,
)
from kew.codes.reasons import (
    MQRC_NOT_OPEN_FOR_OUTPUT,
    MQRC_OFFSET_ERROR,
    MQRC_PUT_INHIBITED,
    MQRC_SYNCPOINT_LIMIT_REACHED,
)
from kew.formats.mqmd import LENGTH, MessageDescriptor, encode
from kew.formats.properties import RFH2_FORMAT
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle, OutputTarget
from kew.mqi.delivery.atomicput import AtomicPut, NonpersistentPut
from kew.mqi.delivery.delay import delay_of, stage
from kew.mqi.delivery.delivery import (
    QueueDelivery,
    cap_expiry,
    expiry_moment,
    give,
    refuse_full,
    refuse_persistent,
    refuse_unusable,
    too_long,
)
from kew.mqi.delivery.followups import put_with_followups
from kew.mqi.delivery.longput import LongPut
from kew.mqi.engine import Engine, IdGenerator
from kew.mqi.messages.propertycontrol import check_properties
from kew.mqi.options import NOT_FOR_QUEUES, check_close_plain
from kew.mqi.puts.request import PutRequest, complete, settle
from kew.queues.match import NO_ID
from kew.queues.queue import NO_CAP, TEMPORARY_DYNAMIC, Queue
from kew.queues.store import AT_ONCE
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.message import StoreFull
from kew.storage.unit import Unit

LEAST_SEGMENT: Final = 16  # segments but the last are a multiple of this long, so that no number or character is cut
_HIGHEST: Final = 999999999


class PutTarget(OutputTarget):
    """The target of the puts through one handle."""

    def __init__(self) -> None:
        super().__init__()
        self.not_allowed = NOT_FOR_QUEUES  # options of a put
        self.copies = 0  # messages that the latest put has made
        self.counts_itself = False  # its puts are counted by the target itself

    @abstractmethod
    def put(self, request: PutRequest) -> LogAddress | LongPut:
        """Put a message that was checked. Stalls only with nothing changed."""

    def close(self, connection: Connection, handle: Handle, options: int) -> None:
        """MQCLOSE of the handle."""
        check_close_plain(options, handle.opened_name)
        self.let_go(connection.engine)
        handle.close()
        handle.outlet = None
        del connection.handles[handle.number]

    def let_go(self, engine: Engine) -> None:
        """Undo the effect of the open on its target, such as the count of open handles."""


class SingleTarget(PutTarget):
    """A target other than a list: a local queue, a remote queue or a topic."""

    def __init__(self) -> None:
        super().__init__()
        self.headers = 0  # bytes that a message grows by before it is on its queue
        # Attributes of a target without a queue.
        self.expiry_cap = NO_CAP
        self.default_persistence = 0
        self.default_priority = 0

    @abstractmethod
    def admit(self, request: PutRequest) -> None:
        """Take over the definitions as they are now; refuse a put that they make impossible."""

    def addressed(self, engine: Engine, descriptor: MessageDescriptor, data: bytes) -> tuple[MessageDescriptor, bytes]:
        """Give a message as it is stored on the queue."""
        return descriptor, data

    def staged(self, request: PutRequest, queue: Queue | None, delay: int, unit: Unit | None) -> QueueDelivery:
        """Give the delivery of a delayed message to the staging queue."""
        assert queue is not None
        engine = request.connection.engine
        outer, body = self.addressed(engine, request.descriptor, request.data)
        return stage(engine, queue, outer, body, delay, unit)

    def publish(self, request: PutRequest, unit: Unit | None) -> LogAddress | LongPut:
        """Publish a complete message, where the target is a topic."""
        raise request.handle.refusal(MQRC_NOT_OPEN_FOR_OUTPUT)

    def put(self, request: PutRequest) -> LogAddress | LongPut:
        """Put a message: admit, complete and deliver it."""
        connection, handle, descriptor = request.connection, request.handle, request.descriptor
        engine, options = connection.engine, request.options
        if options & MQPMO_FAIL_IF_QUIESCING:
            connection.refuse_if_quiescing()
        self.admit(request)
        queue: Queue | None = handle.queue
        if queue is None:
            queue = self.queue
        length = len(request.data)
        most = engine.max_message_length
        if queue is None:
            if length > most:
                raise too_long(engine, queue, length, most)
        else:
            if queue.deleted or queue.damaged:
                refuse_unusable(queue)
            if not queue.put_allowed or not handle.put_allowed_by_alias:
                raise put_inhibited(request)
            if queue.max_length < most:
                most = queue.max_length
            most -= self.headers
            if length > most and not _may_be_cut(descriptor, most):
                raise too_long(engine, queue, length, most)
            if queue.depth >= queue.max_depth:
                refuse_full(queue, 1)
        rfh2 = descriptor.format == RFH2_FORMAT
        if rfh2 and engine.max_properties_length >= 0:
            check_properties(engine.max_properties_length, descriptor, request.data)
        if queue is None:
            settle(handle, descriptor, self.default_persistence, self.default_priority)
            cap = self.expiry_cap
        else:
            settle(handle, descriptor, queue.default_persistence, queue.default_priority)
            if queue.dynamic == TEMPORARY_DYNAMIC:
                refuse_persistent(queue, descriptor.persistence == MQPER_PERSISTENT)
            cap = queue.expiry_cap
        complete(request)
        if cap != NO_CAP:
            cap_expiry(descriptor, cap)
        if handle.expiry_cap != NO_CAP:
            cap_expiry(descriptor, handle.expiry_cap)
        unit = connection.unit_for_work() if options & MQPMO_SYNCPOINT else None
        if rfh2 or request.delay:
            delay = request.delay or delay_of(descriptor, request.data)
            if delay > 0:
                staged = self.staged(request, queue, delay, unit)
                return AtomicPut(engine, [staged], unit, handle.logical, engine.listener.delayed)
        if queue is None:
            return self.publish(request, unit)
        if length > most:
            return self._put_segments(request, queue, most, unit)
        if not self.headers:
            return put_on(queue, request, descriptor, request.data, unit)
        outer, body = self.addressed(engine, descriptor, request.data)
        return put_on(queue, request, outer, body, unit)

    def _put_segments(self, request: PutRequest, queue: Queue, most: int, unit: Unit | None) -> LongPut:
        """Begin to put a message as segments."""
        engine = request.connection.engine
        new_ids = request.options & MQPMO_NEW_MSG_ID != 0
        segments = split(request.descriptor.copy(), request.data, most, engine.ids, new_ids)
        refuse_full(queue, len(segments))
        if unit is not None and len(unit.operations) + len(segments) > engine.max_uncommitted:
            raise MQError(MQRC_SYNCPOINT_LIMIT_REACHED, messages=len(unit.operations))
        deliveries: list[QueueDelivery] = []
        for described, part in segments:
            outer, body = self.addressed(engine, described, part)
            deliveries.append(QueueDelivery(engine, queue, outer, body, unit))
        return AtomicPut(engine, deliveries, unit, request.handle.logical)


def put_inhibited(request: PutRequest) -> MQError:
    """Make the event of a put to a target that inhibits puts; gives the error."""
    connection, name = request.connection, request.handle.opened_name
    connection.engine.events.inhibited(MQRC_PUT_INHIBITED, name, connection.application)
    return MQError(MQRC_PUT_INHIBITED, name=name)


def _may_be_cut(descriptor: MessageDescriptor, most: int) -> bool:
    return descriptor.message_flags & MQMF_SEGMENTATION_ALLOWED != 0 and most >= LEAST_SEGMENT


# -- queues here -------------------------------------------------------------------------------------------------------


class LocalQueueTarget(SingleTarget):
    """A local queue, opened by its name or by an alias."""

    def admit(self, request: PutRequest) -> None:
        """Take over the attributes of the alias."""
        handle = request.handle
        if handle.alias_values is not None:
            handle.refresh_alias(request.connection.engine.catalogue)


LOCAL_QUEUE: Final = LocalQueueTarget()


def put_on(
    queue: Queue, request: PutRequest, descriptor: MessageDescriptor, data: bytes, unit: Unit | None
) -> LogAddress | LongPut:
    """Put a complete message on a queue, in a unit of work or at once, with its follow-up messages."""
    engine, handle = request.connection.engine, request.handle
    if queue.stream is not None or descriptor.report & MQRO_COA:
        result = put_with_followups(request.connection, handle, queue, descriptor, data, unit)
        if handle.logical is not None:
            handle.logical.was_put()
        return result
    persistent = descriptor.persistence == MQPER_PERSISTENT
    if queue.trigger is not None:
        long = LENGTH + len(data) > AT_ONCE
        if long or queue.trigger.due(descriptor.priority):
            return AtomicPut(engine, [QueueDelivery(engine, queue, descriptor, data, unit)], unit, handle.logical)
    elif queue.waiters.count and unit is None and not persistent and give(queue, descriptor, data):
        if queue.monitor is not None:
            now = engine.clock.now()
            queue.monitor.put(now)
            queue.monitor.got(now, now)
        return NO_ADDRESS
    prefix = encode(descriptor)
    descriptor.stored = prefix
    expiry = 0 if descriptor.expiry == MQEI_UNLIMITED else expiry_moment(engine, descriptor)
    if len(prefix) + len(data) > AT_ONCE:
        delivery = QueueDelivery(engine, queue, descriptor, data, unit)
        if unit is None and not persistent:
            return NonpersistentPut(delivery, handle.logical)
        return AtomicPut(engine, [delivery], unit, handle.logical)
    try:
        item = queue.put(descriptor, prefix, data, persistent, expiry, unit)
    except StoreFull as full:
        raise engine.shortages.store_full(queue.name, full) from full
    if queue.monitor is not None:
        queue.monitor.put(engine.clock.now())
    if handle.logical is not None:
        handle.logical.was_put()
    if unit is not None:
        return NO_ADDRESS
    address = engine.latest() if persistent else NO_ADDRESS
    if queue.waiters.count:
        engine.queues.item_available(queue, item)
    return address


def split(
    descriptor: MessageDescriptor, data: bytes, most: int, ids: IdGenerator, new_ids: bool
) -> list[tuple[MessageDescriptor, bytes]]:
    """Give the segments of a message; the descriptor of the first is the one given.

    All segments have the message's id, unless the put requests new ids. A message that is a segment itself is cut
    further.
    """
    size = most // LEAST_SEGMENT * LEAST_SEGMENT
    start = descriptor.offset
    ends = not descriptor.message_flags & MQMF_SEGMENT or descriptor.message_flags & MQMF_LAST_SEGMENT
    if start + len(data) > _HIGHEST:
        raise MQError(MQRC_OFFSET_ERROR, offset=start, length=len(data))
    if descriptor.group_id == NO_ID:
        descriptor.group_id = ids.next()
    descriptor.message_flags = descriptor.message_flags & ~MQMF_LAST_SEGMENT | MQMF_SEGMENT
    segments = [(descriptor, data[:size])]
    for offset in range(size, len(data), size):
        segment = descriptor.copy()
        segment.offset = start + offset
        if new_ids:
            segment.message_id = ids.next()
        if ends and offset + size >= len(data):
            segment.message_flags |= MQMF_LAST_SEGMENT
        segments.append((segment, data[offset : offset + size]))
    return segments
