"""Puts to a queue of this queue manager: the program's own, or a transmission queue for one that is elsewhere."""

from typing import Final

from kew.codes.options import MQEI_UNLIMITED, MQPER_PERSISTENT, MQRO_COA
from kew.formats.mqmd import LENGTH, MessageDescriptor, encode
from kew.mqi.consequences import put_with_consequences
from kew.mqi.delaying import stage
from kew.mqi.delivery import Delivery, expiry_moment, give, longest, refuse_unusable
from kew.mqi.longput import LongPut
from kew.mqi.putrequest import PutRequest
from kew.mqi.target import SingleTarget, inhibited
from kew.mqi.together import PassingPut, TogetherPut
from kew.queues.queue import Queue
from kew.queues.store import AT_ONCE
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.message import StoreFull
from kew.storage.unit import Unit


class Here(SingleTarget):
    """A queue of this queue manager, opened by its name or by an alias; the handle has the queue."""

    def admit(self, request: PutRequest) -> int:
        """Heed the alias, and refuse what the queue does not take."""
        handle = request.handle
        queue = handle.queue
        assert queue is not None
        if handle.alias_values is not None:
            handle.heed_alias(request.connection.engine.catalogue)
        return admitted(request, queue)

    def staged(self, request: PutRequest, delay: int, unit: Unit | None) -> Delivery:
        """Give the delivery of a message to where it waits for its time."""
        queue = request.handle.queue
        assert queue is not None
        return stage(request.connection.engine, queue, request.descriptor, request.data, delay, unit)

    def deliver(self, request: PutRequest, unit: Unit | None) -> LogAddress | LongPut:
        """Put a message on the queue."""
        queue = request.handle.queue
        assert queue is not None
        return put_on(queue, request, request.descriptor, request.data, unit)


HERE: Final = Here()


def admitted(request: PutRequest, queue: Queue) -> int:
    """Refuse what a queue does not take now; gives how long a message on it may be."""
    if queue.deleted or queue.damaged:
        refuse_unusable(queue)
    if not queue.put_allowed or not request.handle.put_allowed_by_alias:
        raise inhibited(request)
    return longest(request.connection.engine, queue)


def put_on(
    queue: Queue, request: PutRequest, descriptor: MessageDescriptor, data: bytes, unit: Unit | None
) -> LogAddress | LongPut:
    """Put a complete message on a queue, in a unit of work or at once, with what follows from it."""
    engine, handle = request.connection.engine, request.handle
    if queue.stream is not None or descriptor.report & MQRO_COA:
        result = put_with_consequences(request.connection, handle, queue, descriptor, data, unit)
        if handle.logical is not None:
            handle.logical.was_put()
        return result
    persistent = descriptor.persistence == MQPER_PERSISTENT
    if queue.trigger is not None:
        long = LENGTH + len(data) > AT_ONCE
        if long or queue.trigger.due(descriptor.priority):
            return TogetherPut(engine, [Delivery(engine, queue, descriptor, data, unit)], unit, handle.logical)
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
        delivery = Delivery(engine, queue, descriptor, data, unit)
        if unit is None and not persistent:
            return PassingPut(delivery, handle.logical)
        return TogetherPut(engine, [delivery], unit, handle.logical)
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
