"""The delivery of one message to one queue, in as many steps as its length and the pages in memory require.

Puts of programs to queues with a stream, and all puts of the queue manager itself (copies, reports, dead letters), are
deliveries. A message delivered in a unit of work appears when the unit commits.
"""

from abc import abstractmethod

from kew.codes.errors import MQError
from kew.codes.options import MQEI_UNLIMITED, MQPER_PERSISTENT, MQRO_COD
from kew.codes.reasons import (
    MQRC_MSG_TOO_BIG_FOR_Q,
    MQRC_MSG_TOO_BIG_FOR_Q_MGR,
    MQRC_OBJECT_DAMAGED,
    MQRC_PERSISTENT_NOT_ALLOWED,
    MQRC_PUT_INHIBITED,
    MQRC_Q_DELETED,
    MQRC_Q_FULL,
)
from kew.formats.descriptortemplate import DescriptorTemplate
from kew.formats.mqmd import MessageDescriptor, encode
from kew.mqi.delivery.triggermessages import trigger_message_follows
from kew.mqi.engine import Engine
from kew.queues.queue import NO_CAP, TEMPORARY_DYNAMIC, Queue
from kew.queues.store import AT_ONCE, Storing
from kew.storage.message import MessageRef, StoreFull
from kew.storage.unit import Unit


def refuse(engine: Engine, queue: Queue, length: int, persistent: bool) -> None:
    """Refuse a message of the queue manager itself (a copy, a report) that its queue cannot accept now."""
    refuse_unusable(queue)
    if not queue.put_allowed:
        raise MQError(MQRC_PUT_INHIBITED, queue=queue.name)
    most = longest(engine, queue)
    if length > most:
        raise too_long(engine, queue, length, most)
    refuse_persistent(queue, persistent)
    refuse_full(queue, 1)


def refuse_unusable(queue: Queue) -> None:
    """Refuse a put to a queue that is deleted or damaged."""
    if queue.deleted:
        raise MQError(MQRC_Q_DELETED, queue=queue.name)
    if queue.damaged:
        raise MQError(MQRC_OBJECT_DAMAGED, queue=queue.name)


def longest(engine: Engine, queue: Queue) -> int:
    """Give the greatest length of a message on a queue: the lower of MAXMSGL of the queue and of the queue manager."""
    most = queue.max_length
    return most if most <= engine.max_message_length else engine.max_message_length


def too_long(engine: Engine, queue: Queue | None, length: int, most: int) -> MQError:
    """Give the error for a message that is longer than MAXMSGL of its queue or of the queue manager."""
    if queue is None or length > engine.max_message_length:
        return MQError(MQRC_MSG_TOO_BIG_FOR_Q_MGR, length=length, most=engine.max_message_length)
    return MQError(MQRC_MSG_TOO_BIG_FOR_Q, queue=queue.name, length=length, most=most)


def refuse_persistent(queue: Queue, persistent: bool) -> None:
    """Refuse a persistent message on a temporary dynamic queue."""
    if persistent and queue.dynamic == TEMPORARY_DYNAMIC:
        raise MQError(MQRC_PERSISTENT_NOT_ALLOWED, queue=queue.name)


def refuse_full(queue: Queue, messages: int) -> None:
    """Refuse messages that exceed MAXDEPTH of a queue."""
    if queue.depth + messages > queue.max_depth:
        if queue.watch is not None:
            queue.watch.refused()
        raise MQError(MQRC_Q_FULL, queue=queue.name, depth=queue.depth)


def cap_expiry(descriptor: MessageDescriptor, cap: int) -> None:
    """Lower the expiry of a message to CAPEXPRY, if a definition on its way sets that."""
    if cap != NO_CAP and (descriptor.expiry == MQEI_UNLIMITED or descriptor.expiry > cap):
        descriptor.expiry = cap


def expiry_moment(engine: Engine, descriptor: MessageDescriptor) -> int:
    """Give the time at which a message put now expires, in milliseconds since 1970; 0 for never."""
    if descriptor.expiry == MQEI_UNLIMITED:
        return 0
    return int(engine.clock.now() * 1000) + descriptor.expiry * 100


class DeliverySteps:
    """The steps that bring a message to its destination."""

    done: bool

    @abstractmethod
    def step(self) -> bool:
        """Take a step; says whether the message is stored. May stall, and is then called again."""

    def announce(self) -> None:
        """Serve the gets that wait for a message put out of syncpoint."""

    @abstractmethod
    def abandon(self) -> None:
        """Abandon the delivery between two steps; nothing of the message remains."""


class QueueDelivery(DeliverySteps):
    """The delivery of one message, with a complete descriptor, to one queue."""

    def __init__(
        self, engine: Engine, queue: Queue, descriptor: MessageDescriptor, data: bytes, unit: Unit | None
    ) -> None:
        self.engine = engine
        self.queue = queue
        self.descriptor = descriptor
        self.data = data
        self.unit = unit
        self.persistent = descriptor.persistence == MQPER_PERSISTENT
        self.expiry = expiry_moment(engine, descriptor)
        self.prefix = b""  # the descriptor as it is stored, once it was needed
        self.template: DescriptorTemplate | None = None  # of the copies of one publication, which have like descriptors
        self.done = False
        self.item: MessageRef | None = None  # None too if the message was handed directly to a get
        self._storing: Storing | None = None

    def step(self) -> bool:
        """Take a step; says whether the message is stored. May stall, and is then called again."""
        queue, unit = self.queue, self.unit
        if queue.deleted:  # since it was asked, or since the step before
            self.abandon()
            raise MQError(MQRC_Q_DELETED, queue=queue.name)
        storing = self._storing
        if storing is None:
            direct = unit is None and not self.persistent and queue.trigger is None
            if queue.waiters.count and direct:
                if self.template is not None:
                    self.prefix = self._encoded()
                if hand_over(self):
                    self.done = True
                    return True
            if not self.prefix:
                self.prefix = self._encoded()
            try:
                if len(self.prefix) + len(self.data) <= AT_ONCE:
                    triggers = self._triggers()
                    self.item = queue.put(self.descriptor, self.prefix, self.data, self.persistent, self.expiry, unit)
                    self._put(triggers)
                    return True
            except StoreFull as full:
                raise self.engine.shortages.store_full(queue.name, full) from full
            storing = queue.storing(self.descriptor, self.prefix, self.data, self.persistent, self.expiry, unit)
            self._storing = storing
            queue.handles += 1  # so that no command deletes it in between
        triggers = self._triggers()
        try:
            if not storing.step():
                return False
        except StoreFull as full:
            self.abandon()
            raise self.engine.shortages.store_full(queue.name, full) from full
        queue.handles -= 1
        self.item = storing.result()
        queue.stored(len(self.data), unit)
        self._put(triggers)
        return True

    def _encoded(self) -> bytes:
        """Give the stored form of the descriptor, which is encoded only once."""
        descriptor = self.descriptor
        if not descriptor.stored:
            descriptor.stored = encode(descriptor) if self.template is None else self.template.encode(descriptor)
        return descriptor.stored

    def _triggers(self) -> bool:
        trigger = self.queue.trigger
        return trigger is not None and trigger.due(self.descriptor.priority)

    def _put(self, triggers: bool) -> None:
        self.done = True
        if triggers:
            trigger_message_follows(self.engine, self.queue, self.unit)
        if self.queue.monitor is not None:
            self.queue.monitor.put(self.engine.clock.now())

    def announce(self) -> None:
        """Serve the gets that wait for a message that was put out of syncpoint."""
        if self.unit is None and self.item is not None and self.queue.waiters.count:
            self.engine.queues.item_available(self.queue, self.item)

    def abandon(self) -> None:
        """Abandon the delivery between two steps; nothing of the message remains."""
        storing = self._storing
        if storing is not None and not self.done:
            storing.abandon()
            self._storing = None
            self.queue.handles -= 1


def hand_over(delivery: QueueDelivery) -> bool:
    """Hand a message directly to a waiting get, without storing it on the queue; says whether a get took it."""
    queue, descriptor, data = delivery.queue, delivery.descriptor, delivery.data
    if not give(queue, descriptor, data):
        return False
    if queue.monitor is not None:
        now = delivery.engine.clock.now()
        queue.monitor.put(now)
        queue.monitor.got(now, now)
    return True


def give(queue: Queue, descriptor: MessageDescriptor, data: bytes) -> bool:
    """Hand a message to the first waiting get that accepts it, and count both; says whether a get took it."""
    if descriptor.report & MQRO_COD:
        return False  # it is the get that confirms it
    for waiter in queue.waiters.candidates(descriptor.message_id, descriptor.correlation_id):
        match = waiter.match
        suits = waiter.takes_directly() and (match is None or match.accepts(descriptor))
        if suits and match is not None and match.selector is not None:
            suits = match.selector.wants(descriptor, data)
        if suits and waiter.hand_over(descriptor, data):
            queue.waiters.remove(waiter)
            counters = queue.counters
            counters.puts += 1
            counters.gets += 1
            counters.handed_over += 1
            counters.put_bytes += len(data)
            return True
    return False
