"""MQPUT: checks a message, completes its descriptor, and puts it on a queue."""

from time import perf_counter

from kew.codes.errors import MQError
from kew.codes.options import (
    MQEI_UNLIMITED,
    MQMF_SEGMENTATION_ALLOWED,
    MQPER_NOT_PERSISTENT,
    MQPER_PERSISTENCE_AS_Q_DEF,
    MQPER_PERSISTENT,
    MQPMO_FAIL_IF_QUIESCING,
    MQPMO_NEW_MSG_ID,
    MQPMO_SYNCPOINT,
    MQPRI_PRIORITY_AS_Q_DEF,
    MQRO_COA,
)
from kew.codes.reasons import (
    MQRC_HOBJ_ERROR,
    MQRC_NONE,
    MQRC_NOT_OPEN_FOR_OUTPUT,
    MQRC_PERSISTENCE_ERROR,
    MQRC_PUT_INHIBITED,
    MQRC_SYNCPOINT_LIMIT_REACHED,
)
from kew.formats.mqmd import LENGTH, MessageDescriptor, encode
from kew.formats.properties import RFH2_FORMAT
from kew.mqi import metering
from kew.mqi.completing import check_priority, complete
from kew.mqi.connect import Connection
from kew.mqi.consequences import put_with_consequences
from kew.mqi.delaying import delay_of, stage
from kew.mqi.delivery import (
    Delivery,
    cap_expiry,
    give,
    longest,
    refuse_full,
    refuse_persistent,
    refuse_unusable,
    too_long,
)
from kew.mqi.handles import Handle
from kew.mqi.longput import LongPut, PagedPut
from kew.mqi.options import check_put
from kew.mqi.outlet import PutOutlet
from kew.mqi.segments import LEAST_SEGMENT, split
from kew.mqi.shaping import check_properties
from kew.mqi.together import TogetherPut
from kew.queues.queue import HIGHEST_PRIORITY, Queue
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.pages.blob import SINGLE_PAGE
from kew.storage.pages.items import PageSetFull
from kew.storage.recovery.attempt import Attempt
from kew.storage.stall import Stall
from kew.storage.unit import Unit


def put(
    connection: Connection,
    handle: Handle,
    descriptor: MessageDescriptor,
    data: bytes,
    options: int,
    context: Handle | None,
) -> LogAddress | LongPut:
    """Put a message; `context` is the input handle whose context is passed on, if any.

    Gives the log address to wait for (none: 0), or a put that is to be continued.
    """
    engine = connection.engine
    if not engine.metered:
        return _put(connection, handle, descriptor, data, options, context)
    if handle.queue is None and isinstance(handle.outlet, PutOutlet) and handle.outlet.counts_itself:
        return _put(connection, handle, descriptor, data, options, context)
    if engine.detailed or handle.queue is None:
        return _metered(connection, handle, descriptor, data, options, context)
    try:
        result = _put(connection, handle, descriptor, data, options, context)
    except MQError:
        engine.calls.put_failed(handle.single)
        raise
    persistent = descriptor.persistence == MQPER_PERSISTENT
    engine.calls.put(len(data), persistent, handle.single, options & MQPMO_SYNCPOINT != 0)
    return result


def _metered(
    connection: Connection,
    handle: Handle,
    descriptor: MessageDescriptor,
    data: bytes,
    options: int,
    context: Handle | None,
) -> LogAddress | LongPut:
    queue = handle.put_to()
    handed_over = 0 if queue is None else queue.counters.handed_over
    tracing = connection.engine.trace is not None
    begun = perf_counter() if queue is None else 0.0
    if tracing:
        metering.trace(connection, _verb(handle), handle.opened_name, f"entry, {len(data)} bytes, options {options}")
    metering.enter(connection, queue)
    try:
        result = _put(connection, handle, descriptor, data, options, context)
    except Stall as stall:
        metering.pause(connection)
        if tracing:
            metering.trace(connection, _verb(handle), handle.opened_name, f"stall: {stall}")
        raise
    except MQError as error:
        metering.put_failed(connection, handle, queue)
        if tracing:
            metering.trace(connection, _verb(handle), handle.opened_name, f"exit {error.reason}")
        raise
    in_unit = options & MQPMO_SYNCPOINT != 0
    if queue is None:
        outlet = handle.outlet
        copies = outlet.copies if isinstance(outlet, PutOutlet) else 0
        seconds = perf_counter() - begun
        metering.published(connection, handle, descriptor, len(data), copies, in_unit, seconds)
        if tracing:
            metering.trace(connection, _verb(handle), handle.opened_name, f"exit 0, {copies} copies")
        return result
    direct = queue.counters.handed_over != handed_over
    metering.put_done(connection, handle, queue, descriptor, len(data), direct, in_unit)
    if tracing:
        how = "to a waiting getter" if direct else f"depth {queue.depth}"
        log = f", then the log to {result:X}" if isinstance(result, int) and result else ""
        metering.trace(connection, _verb(handle), handle.opened_name, f"exit 0, {how}{log}")
    return result


def _verb(handle: Handle) -> str:
    return "MQPUT1" if handle.single else "MQPUT"


def _put(
    connection: Connection,
    handle: Handle,
    descriptor: MessageDescriptor,
    data: bytes,
    options: int,
    context: Handle | None,
) -> LogAddress | LongPut:
    connection.check()
    handle.warning = MQRC_NONE
    queue = handle.queue
    if queue is None and isinstance(handle.outlet, PutOutlet):
        return handle.outlet.put(connection, handle, descriptor, data, options, context)
    check_put(options)
    if handle.owner != connection.number:
        raise MQError(MQRC_HOBJ_ERROR, handle=handle.number)
    if not handle.output or queue is None:
        raise handle.refusal(MQRC_NOT_OPEN_FOR_OUTPUT)
    if options & MQPMO_FAIL_IF_QUIESCING:
        connection.refuse_if_quiescing()
    engine = connection.engine
    if handle.alias_values is not None:
        handle.heed_alias(engine.catalogue)
    most = check_queue(handle, queue, len(data), connection, descriptor.message_flags)
    if engine.max_properties_length >= 0 and descriptor.format == RFH2_FORMAT:
        check_properties(engine.max_properties_length, descriptor, data)
    persistent = _complete(connection, handle, queue, descriptor, options, context, len(data))
    expiry = 0
    cap_expiry(descriptor, queue.expiry_cap)
    cap_expiry(descriptor, handle.expiry_cap)
    if descriptor.expiry != MQEI_UNLIMITED:
        expiry = int(engine.clock.now() * 1000) + descriptor.expiry * 100
    unit = connection.unit_for_work() if options & MQPMO_SYNCPOINT else None
    if handle.delay or descriptor.format == RFH2_FORMAT:
        delay = handle.delay or delay_of(descriptor, data)
        if delay > 0:
            return _put_later(connection, handle, queue, descriptor, data, delay, unit)
    if len(data) > most:
        return _put_segments(connection, handle, queue, descriptor, data, most, unit, options)
    if queue.stream is not None or descriptor.report & MQRO_COA:
        result = put_with_consequences(connection, handle, queue, descriptor, data, unit)
        if handle.logical is not None:
            handle.logical.was_put()
        return result
    if queue.trigger is not None:
        long = LENGTH + len(data) > SINGLE_PAGE
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
    if len(prefix) + len(data) > SINGLE_PAGE:
        attempt = Attempt(engine.units, None) if unit is None and persistent else None
        if attempt is not None:
            unit = attempt.unit
        storing = queue.storing(descriptor, prefix, data, persistent, expiry, unit)
        long_put = PagedPut(queue, storing, len(data), unit, attempt)
        long_put.logical = handle.logical
        return long_put
    try:
        item = queue.put(descriptor, prefix, data, persistent, expiry, unit)
    except PageSetFull as full:
        raise engine.shortages.page_set_full(queue.name, full) from full
    if queue.monitor is not None:
        queue.monitor.put(engine.clock.now())
    if handle.logical is not None:
        handle.logical.was_put()
    if unit is not None:
        return NO_ADDRESS
    address = engine.store.latest if persistent else NO_ADDRESS
    if queue.waiters.count:
        engine.queues.item_available(queue, item)
    return address


def _put_later(
    connection: Connection,
    handle: Handle,
    queue: Queue,
    descriptor: MessageDescriptor,
    data: bytes,
    delay: int,
    unit: Unit | None,
) -> LongPut:
    """Begin to put a message where it waits until it is to be delivered."""
    engine = connection.engine
    staged = stage(engine, queue, descriptor, data, delay, unit)
    return TogetherPut(engine, [staged], unit, handle.logical, engine.on_delayed)


def _put_segments(
    connection: Connection,
    handle: Handle,
    queue: Queue,
    descriptor: MessageDescriptor,
    data: bytes,
    most: int,
    unit: Unit | None,
    options: int,
) -> LongPut:
    """Begin to put a message as segments."""
    engine = connection.engine
    segments = split(descriptor.copy(), data, most, engine.ids, options & MQPMO_NEW_MSG_ID != 0)
    refuse_full(queue, len(segments))
    if unit is not None and len(unit.operations) + len(segments) > engine.max_uncommitted:
        raise MQError(MQRC_SYNCPOINT_LIMIT_REACHED, messages=len(unit.operations))
    deliveries = [Delivery(engine, queue, described, part, unit) for described, part in segments]
    return TogetherPut(engine, deliveries, unit, handle.logical)


def continue_put(connection: Connection, long_put: LongPut) -> tuple[bool, LogAddress]:
    """Do another step of a long put; says whether it is done and, if so, the log address to wait for."""
    if not connection.engine.metered:
        return long_put.step(connection)
    metering.enter(connection, None)
    try:
        return long_put.step(connection)
    finally:
        metering.step(connection)


def abandon_put(connection: Connection, long_put: LongPut) -> None:
    """Give up a long put that is not decided yet; nothing of it remains. May stall, and does no harm twice."""
    long_put.abandon(connection)


def check_queue(handle: Handle, queue: Queue, length: int, connection: Connection, flags: int) -> int:
    """Refuse what the queue does not take; gives how long a message on it may be."""
    refuse_unusable(queue)
    if not queue.put_allowed or not handle.put_allowed_by_alias:
        connection.engine.events.inhibited(MQRC_PUT_INHIBITED, handle.opened_name, connection.application)
        raise MQError(MQRC_PUT_INHIBITED, queue=handle.opened_name)
    most = longest(connection.engine, queue)
    if length > most and not (flags & MQMF_SEGMENTATION_ALLOWED and most >= LEAST_SEGMENT):
        raise too_long(connection.engine, queue, length, most)
    refuse_full(queue, 1)
    return most


def _complete(
    connection: Connection,
    handle: Handle,
    queue: Queue,
    descriptor: MessageDescriptor,
    options: int,
    context: Handle | None,
    length: int,
) -> bool:
    """Fill in what the program left to the queue manager; says whether the message is persistent."""
    persistence = descriptor.persistence
    if persistence == MQPER_PERSISTENCE_AS_Q_DEF:
        persistence = queue.default_persistence if handle.alias_values is None else handle.alias_persistence
        descriptor.persistence = persistence
    elif persistence != MQPER_NOT_PERSISTENT and persistence != MQPER_PERSISTENT:
        raise MQError(MQRC_PERSISTENCE_ERROR, persistence=persistence)
    persistent = persistence == MQPER_PERSISTENT
    refuse_persistent(queue, persistent)
    priority = descriptor.priority
    if priority == MQPRI_PRIORITY_AS_Q_DEF:
        descriptor.priority = queue.default_priority if handle.alias_values is None else handle.alias_priority
    elif priority < 0 or priority > HIGHEST_PRIORITY:
        check_priority(handle, priority)
    complete(connection, handle, descriptor, options, context, length)
    return persistent
