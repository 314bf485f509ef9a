"""MQPUT: checks a message, completes its descriptor, and puts it on a queue."""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQCCSI_Q_MGR,
    MQEI_UNLIMITED,
    MQMF_SEGMENTATION_ALLOWED,
    MQMT_DATAGRAM,
    MQMT_REQUEST,
    MQOO_PASS_ALL_CONTEXT,
    MQOO_PASS_IDENTITY_CONTEXT,
    MQOO_SET_ALL_CONTEXT,
    MQOO_SET_IDENTITY_CONTEXT,
    MQPER_NOT_PERSISTENT,
    MQPER_PERSISTENCE_AS_Q_DEF,
    MQPER_PERSISTENT,
    MQPMO_FAIL_IF_QUIESCING,
    MQPMO_LOGICAL_ORDER,
    MQPMO_NEW_CORREL_ID,
    MQPMO_NEW_MSG_ID,
    MQPMO_NO_CONTEXT,
    MQPMO_PASS_ALL_CONTEXT,
    MQPMO_PASS_IDENTITY_CONTEXT,
    MQPMO_SET_ALL_CONTEXT,
    MQPMO_SET_IDENTITY_CONTEXT,
    MQPMO_SYNCPOINT,
    MQPRI_PRIORITY_AS_Q_DEF,
)
from kew.codes.reasons import (
    MQRC_CONTEXT_HANDLE_ERROR,
    MQRC_CONTEXT_NOT_AVAILABLE,
    MQRC_EXPIRY_ERROR,
    MQRC_HOBJ_ERROR,
    MQRC_MISSING_REPLY_TO_Q,
    MQRC_MSG_TOO_BIG_FOR_Q,
    MQRC_MSG_TOO_BIG_FOR_Q_MGR,
    MQRC_MSG_TYPE_ERROR,
    MQRC_NOT_OPEN_FOR_OUTPUT,
    MQRC_NOT_OPEN_FOR_PASS_ALL,
    MQRC_NOT_OPEN_FOR_PASS_IDENT,
    MQRC_NOT_OPEN_FOR_SET_ALL,
    MQRC_NOT_OPEN_FOR_SET_IDENT,
    MQRC_OBJECT_DAMAGED,
    MQRC_PAGESET_FULL,
    MQRC_PERSISTENCE_ERROR,
    MQRC_PERSISTENT_NOT_ALLOWED,
    MQRC_PRIORITY_ERROR,
    MQRC_PUT_INHIBITED,
    MQRC_Q_DELETED,
    MQRC_Q_FULL,
)
from kew.formats.mqmd import MessageDescriptor, encode
from kew.mqi.connect import Connection, backed_out
from kew.mqi.handles import Handle
from kew.mqi.logical import Logical, place_put
from kew.mqi.options import check_put
from kew.mqi.reply import check_report
from kew.mqi.segments import LEAST_SEGMENT, split
from kew.mqi.triggering import put_trigger_message
from kew.queues.administration import FAMILY, REMOTE
from kew.queues.match import NO_ID
from kew.queues.private import NO_CAP, TEMPORARY_DYNAMIC, PrivateQueue
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.pages.blob import SINGLE_PAGE
from kew.storage.pages.items import PageSetFull, Storing
from kew.storage.unit import BEGIN, IN_BACKOUT, IN_FLIGHT, Unit

_PASS: Final = MQPMO_PASS_IDENTITY_CONTEXT | MQPMO_PASS_ALL_CONTEXT
_SET: Final = MQPMO_SET_IDENTITY_CONTEXT | MQPMO_SET_ALL_CONTEXT
# What a handle must have been opened for; the wider right includes the narrower.
_SETS_IDENTITY: Final = MQOO_SET_IDENTITY_CONTEXT | MQOO_SET_ALL_CONTEXT
_PASSES_ALL: Final = MQOO_PASS_ALL_CONTEXT | MQOO_SET_ALL_CONTEXT
_PASSES_IDENTITY: Final = MQOO_PASS_IDENTITY_CONTEXT | _PASSES_ALL | _SETS_IDENTITY
_HIGHEST_PRIORITY: Final = 9
_LOWEST_TYPE: Final = 1  # MQMT_SYSTEM_FIRST
_HIGHEST_TYPE: Final = 999999999  # MQMT_APPL_LAST


class LongPut:
    """A put of several steps, between two of them: of a message of more than one page, or one that triggers."""

    def __init__(
        self, queue: PrivateQueue, storing: Storing | None, length: int, unit: Unit | None, own_unit: bool
    ) -> None:
        self.queue = queue
        self.storing = storing  # None: the message is stored, and what it brings about is to be done
        self.length = length
        self.unit = unit
        self.own_unit = own_unit  # the unit exists for this put alone
        self.logical: Logical | None = None  # goes on in its group when the message is stored
        self.further: list[tuple[MessageDescriptor, bytes]] = []  # segments that are still to be stored, the next last
        self.persistent = False  # of these, and when they expire
        self.expiry = 0
        self.triggers = False  # it has made a trigger event, whose message is to be put in the same unit


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
    connection.check()
    check_put(options)
    queue = handle.queue
    if handle.owner != connection.number:
        raise MQError(MQRC_HOBJ_ERROR, handle=handle.number)
    if not handle.output or queue is None:
        raise handle.refusal(MQRC_NOT_OPEN_FOR_OUTPUT)
    if options & MQPMO_FAIL_IF_QUIESCING:
        connection.refuse_if_quiescing()
    engine = connection.engine
    if handle.alias_values is not None:
        handle.heed_alias(engine.catalogue)
    most = _check_queue(handle, queue, len(data), connection, descriptor.message_flags)
    persistent = _complete(connection, handle, queue, descriptor, options, context, len(data))
    expiry = 0
    if queue.expiry_cap != NO_CAP or handle.expiry_cap != NO_CAP:
        _cap_expiry(handle, queue, descriptor)
    if descriptor.expiry != MQEI_UNLIMITED:
        expiry = int(engine.clock.now() * 1000) + descriptor.expiry * 100
    unit = connection.unit_for_work() if options & MQPMO_SYNCPOINT else None
    if len(data) > most:
        return _put_segments(connection, handle, queue, descriptor, data, most, persistent, expiry, unit, options)
    direct = unit is None and not persistent and queue.trigger is None
    if queue.waiters.count and direct and _hand_over(queue, descriptor, data):
        if queue.monitor is not None:
            now = engine.clock.now()
            queue.monitor.put(now)
            queue.monitor.got(now, now)
        return NO_ADDRESS
    prefix = encode(descriptor)
    if len(prefix) + len(data) > SINGLE_PAGE:
        own_unit = unit is None and (persistent or queue.trigger is not None)
        if own_unit:
            unit = engine.units.begin()
        storing = queue.storing(descriptor, prefix, data, persistent, expiry, unit)
        long_put = LongPut(queue, storing, len(data), unit, own_unit)
        long_put.logical = handle.logical
        return long_put
    if queue.trigger is not None and queue.trigger.due(descriptor.priority):
        triggering = _put_and_trigger(connection, queue, descriptor, prefix, data, persistent, expiry, unit)
        if handle.logical is not None:
            handle.logical.was_put()
        return triggering
    try:
        item = queue.put(descriptor, prefix, data, persistent, expiry, unit)
    except PageSetFull as full:
        raise MQError(MQRC_PAGESET_FULL, queue=queue.name, page_set=full.page_set.id) from full
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


def _put_and_trigger(
    connection: Connection,
    queue: PrivateQueue,
    descriptor: MessageDescriptor,
    prefix: bytes,
    data: bytes,
    persistent: bool,
    expiry: int,
    unit: Unit | None,
) -> LongPut:
    """Store a message of one page that makes a trigger event; the trigger message follows in the same unit."""
    engine = connection.engine
    own_unit = unit is None
    if unit is None:
        unit = engine.units.begin()
    stored = False
    try:
        queue.put(descriptor, prefix, data, persistent, expiry, unit)
        stored = True
    except PageSetFull as full:
        raise MQError(MQRC_PAGESET_FULL, queue=queue.name, page_set=full.page_set.id) from full
    finally:
        if own_unit and not stored:
            engine.units.forget(unit)
    if queue.monitor is not None:
        queue.monitor.put(engine.clock.now())
    long_put = LongPut(queue, None, len(data), unit, own_unit)
    _triggered(connection, long_put)
    return long_put


def _put_segments(
    connection: Connection,
    handle: Handle,
    queue: PrivateQueue,
    descriptor: MessageDescriptor,
    data: bytes,
    most: int,
    persistent: bool,
    expiry: int,
    unit: Unit | None,
    options: int,
) -> LongPut:
    """Begin to put a message as segments, all or none: in the program's unit or in one of their own."""
    engine = connection.engine
    segments = split(descriptor.copy(), data, most, engine.ids, options & MQPMO_NEW_MSG_ID != 0)
    if queue.depth + len(segments) > queue.max_depth:
        raise MQError(MQRC_Q_FULL, queue=queue.name, depth=queue.depth)
    own_unit = unit is None
    if unit is None:
        unit = engine.units.begin()
    long_put = LongPut(queue, None, len(data), unit, own_unit)
    long_put.logical = handle.logical
    long_put.further = segments
    long_put.persistent = persistent
    long_put.expiry = expiry
    return long_put


def _next_segment(connection: Connection, long_put: LongPut) -> None:
    """Store the next segment, or begin to. May stall, and is then called again."""
    queue, unit = long_put.queue, long_put.unit
    if unit is not None and unit.forced_out:
        raise backed_out(unit)
    descriptor, data = long_put.further[-1]
    prefix = encode(descriptor)
    long_put.length = len(data)
    if len(prefix) + len(data) > SINGLE_PAGE:
        long_put.storing = queue.storing(descriptor, prefix, data, long_put.persistent, long_put.expiry, unit)
        long_put.further.pop()
        return
    triggers = queue.trigger is not None and queue.trigger.due(descriptor.priority)
    try:
        queue.put(descriptor, prefix, data, long_put.persistent, long_put.expiry, unit)
    except PageSetFull as full:
        raise MQError(MQRC_PAGESET_FULL, queue=queue.name, page_set=full.page_set.id) from full
    long_put.storing = None
    long_put.further.pop()
    if triggers:
        _triggered(connection, long_put)


def _triggered(connection: Connection, long_put: LongPut) -> None:
    long_put.triggers = True
    connection.engine.queues.triggers.happened(long_put.queue, long_put.unit)


def continue_put(connection: Connection, long_put: LongPut) -> tuple[bool, LogAddress]:
    """Do another step of a long put; says whether it is done and, if so, the log address to wait for."""
    engine = connection.engine
    storing, queue, unit = long_put.storing, long_put.queue, long_put.unit
    if storing is not None and storing.item is None:
        if unit is not None and unit.forced_out:
            raise backed_out(unit)
        storing.entry.sequence = queue.next_sequence
        triggers = queue.trigger is not None and queue.trigger.due(storing.entry.priority)
        try:
            if not storing.step():
                return False, NO_ADDRESS
        except PageSetFull as full:
            abandon_put(connection, long_put)
            raise MQError(MQRC_PAGESET_FULL, queue=queue.name, page_set=full.page_set.id) from full
        queue.stored(storing.result(), storing.entry, long_put.length, unit)
        if queue.monitor is not None:
            queue.monitor.put(engine.clock.now())
        if triggers:
            _triggered(connection, long_put)
    if long_put.triggers:
        if unit is not None and unit.forced_out:
            raise backed_out(unit)
        if put_trigger_message(engine, queue, unit):
            engine.queues.triggers.put_later(queue)  # who may wait tries again, and tells the operator
        long_put.triggers = False
    if long_put.further:
        _next_segment(connection, long_put)
        return False, NO_ADDRESS
    if long_put.logical is not None:
        long_put.logical.was_put()
    address = NO_ADDRESS
    if long_put.own_unit and unit is not None:
        address = engine.units.commit(unit)
        engine.queues.unit_ended()
    elif unit is None and storing is not None and queue.waiters.count:
        engine.queues.item_available(queue, storing.result())
    return True, address


def abandon_put(connection: Connection, long_put: LongPut) -> None:
    """Give up a long put that is not decided yet; nothing of it remains. May stall, and does no harm twice."""
    unit = long_put.unit
    if unit is not None and unit.forced_out:
        return  # given up with its unit
    storing = long_put.storing
    if not long_put.own_unit or unit is None:
        if storing is not None:
            storing.abandon()
    elif unit.state == BEGIN:
        if storing is not None:
            storing.abandon()
        connection.engine.units.forget(unit)
        long_put.unit = None
    elif unit.state == IN_FLIGHT or unit.state == IN_BACKOUT:
        connection.engine.units.backout(unit)


def _check_queue(handle: Handle, queue: PrivateQueue, length: int, connection: Connection, flags: int) -> int:
    """Refuse what the queue does not take; gives how long a message on it may be."""
    if queue.deleted:
        raise MQError(MQRC_Q_DELETED, queue=queue.name)
    if queue.damaged:
        raise MQError(MQRC_OBJECT_DAMAGED, queue=queue.name)
    if not queue.put_allowed or not handle.put_allowed_by_alias:
        connection.engine.events.inhibited(MQRC_PUT_INHIBITED, handle.opened_name, connection.application)
        raise MQError(MQRC_PUT_INHIBITED, queue=handle.opened_name)
    most = queue.max_length
    if connection.engine.max_message_length < most:
        most = connection.engine.max_message_length
    if length > most and not (flags & MQMF_SEGMENTATION_ALLOWED and most >= LEAST_SEGMENT):
        if length > connection.engine.max_message_length:
            raise MQError(MQRC_MSG_TOO_BIG_FOR_Q_MGR, length=length, most=connection.engine.max_message_length)
        raise MQError(MQRC_MSG_TOO_BIG_FOR_Q, queue=queue.name, length=length, most=queue.max_length)
    if queue.depth >= queue.max_depth:
        if queue.watch is not None:
            queue.watch.refused()
        raise MQError(MQRC_Q_FULL, queue=queue.name, depth=queue.depth)
    return most


def _cap_expiry(handle: Handle, queue: PrivateQueue, descriptor: MessageDescriptor) -> None:
    """Shorten the life of a message to the lowest cap of the definitions on its way."""
    for cap in (queue.expiry_cap, handle.expiry_cap):
        if cap != NO_CAP and (descriptor.expiry == MQEI_UNLIMITED or descriptor.expiry > cap):
            descriptor.expiry = cap


def _complete(
    connection: Connection,
    handle: Handle,
    queue: PrivateQueue,
    descriptor: MessageDescriptor,
    options: int,
    context: Handle | None,
    length: int,
) -> bool:
    """Fill in what the program left to the queue manager; says whether the message is persistent."""
    engine = connection.engine
    persistence = descriptor.persistence
    if persistence == MQPER_PERSISTENCE_AS_Q_DEF:
        persistence = queue.default_persistence if handle.alias_values is None else handle.alias_persistence
        descriptor.persistence = persistence
    elif persistence != MQPER_NOT_PERSISTENT and persistence != MQPER_PERSISTENT:
        raise MQError(MQRC_PERSISTENCE_ERROR, persistence=persistence)
    persistent = persistence == MQPER_PERSISTENT
    if persistent and queue.dynamic == TEMPORARY_DYNAMIC:
        raise MQError(MQRC_PERSISTENT_NOT_ALLOWED, queue=queue.name)
    priority = descriptor.priority
    if priority == MQPRI_PRIORITY_AS_Q_DEF:
        descriptor.priority = queue.default_priority if handle.alias_values is None else handle.alias_priority
    elif priority < 0 or priority > _HIGHEST_PRIORITY:
        raise MQError(MQRC_PRIORITY_ERROR, priority=priority)
    if descriptor.report:
        check_report(descriptor.report)
    if descriptor.message_type != MQMT_DATAGRAM:
        _check_type(descriptor)
    expiry = descriptor.expiry
    if expiry != MQEI_UNLIMITED and expiry <= 0:
        raise MQError(MQRC_EXPIRY_ERROR, expiry=expiry)
    if options & MQPMO_NEW_MSG_ID or descriptor.message_id == NO_ID:
        descriptor.message_id = engine.ids.next()
    if options & MQPMO_NEW_CORREL_ID:
        descriptor.correlation_id = engine.ids.next()
    grouped = descriptor.message_flags or descriptor.group_id != NO_ID
    if grouped or descriptor.sequence_number != 1 or descriptor.offset or options & MQPMO_LOGICAL_ORDER:
        if handle.logical is None:
            handle.logical = Logical()
        place_put(handle.logical, engine.ids, descriptor, options, length, persistent)
    elif handle.logical is not None:
        place_put(handle.logical, engine.ids, descriptor, options, length, persistent)
    if descriptor.ccsid == MQCCSI_Q_MGR:
        descriptor.ccsid = engine.ccsid
    if descriptor.reply_to_queue != _BLANK_48:
        _resolve_reply(connection, descriptor)
    descriptor.backout_count = 0
    engine.clock.now()
    if options & (_SET | _PASS | MQPMO_NO_CONTEXT):
        _check_context(handle, options)
        _context(connection, context, descriptor, options)
    else:
        descriptor.user_identifier = connection.user
        descriptor.accounting_token = connection.accounting_token
        descriptor.application_identity_data = _BLANK_32
        _origin(connection, descriptor)
    return persistent


_BLANK_48: Final = b" " * 48
_BLANK_32: Final = b" " * 32
_BLANK_28: Final = b" " * 28
_BLANK_12: Final = b" " * 12
_BLANK_8: Final = b" " * 8
_BLANK_4: Final = b" " * 4


def _check_type(descriptor: MessageDescriptor) -> None:
    kind = descriptor.message_type
    if not (_LOWEST_TYPE <= kind <= _HIGHEST_TYPE):
        raise MQError(MQRC_MSG_TYPE_ERROR, message_type=kind)
    if kind == MQMT_REQUEST and not descriptor.reply_to_queue.rstrip(b" \0"):
        raise MQError(MQRC_MISSING_REPLY_TO_Q)


def _resolve_reply(connection: Connection, descriptor: MessageDescriptor) -> None:
    """Say on which queue manager the reply-to queue is, if the program does not: here, or where its definition says."""
    if descriptor.reply_to_queue_manager.rstrip(b" \0"):
        return
    name = descriptor.reply_to_queue.rstrip(b" \0").decode("ascii", "replace")
    if not name:
        return
    manager = connection.engine.name
    record = connection.engine.catalogue.records.get((FAMILY, name))
    if record is not None and record.kind == REMOTE:
        descriptor.reply_to_queue = str(record.values["RNAME"]).encode()
        manager = str(record.values["RQMNAME"])
    descriptor.reply_to_queue_manager = manager.encode()


def _origin(connection: Connection, descriptor: MessageDescriptor) -> None:
    clock = connection.engine.clock
    descriptor.put_application_type = connection.application_type
    descriptor.put_application_name = connection.application
    descriptor.put_date = clock.date
    descriptor.put_time = clock.time
    descriptor.application_origin_data = _BLANK_4


def _check_context(handle: Handle, options: int) -> None:
    opened = handle.options
    if options & MQPMO_SET_ALL_CONTEXT and not opened & MQOO_SET_ALL_CONTEXT:
        raise MQError(MQRC_NOT_OPEN_FOR_SET_ALL, queue=handle.name)
    if options & MQPMO_SET_IDENTITY_CONTEXT and not opened & _SETS_IDENTITY:
        raise MQError(MQRC_NOT_OPEN_FOR_SET_IDENT, queue=handle.name)
    if options & MQPMO_PASS_ALL_CONTEXT and not opened & _PASSES_ALL:
        raise MQError(MQRC_NOT_OPEN_FOR_PASS_ALL, queue=handle.name)
    if options & MQPMO_PASS_IDENTITY_CONTEXT and not opened & _PASSES_IDENTITY:
        raise MQError(MQRC_NOT_OPEN_FOR_PASS_IDENT, queue=handle.name)


def _context(connection: Connection, context: Handle | None, descriptor: MessageDescriptor, options: int) -> None:
    if options & MQPMO_SET_ALL_CONTEXT:
        return
    if options & MQPMO_SET_IDENTITY_CONTEXT:
        _origin(connection, descriptor)
        return
    if options & MQPMO_NO_CONTEXT:
        descriptor.user_identifier = _BLANK_12
        descriptor.accounting_token = bytes(32)
        descriptor.application_identity_data = _BLANK_32
        descriptor.put_application_type = 0
        descriptor.put_application_name = _BLANK_28
        descriptor.put_date = _BLANK_8
        descriptor.put_time = _BLANK_8
        descriptor.application_origin_data = _BLANK_4
        return
    if context is None or not context.saves_context or context.owner != connection.number:
        raise MQError(MQRC_CONTEXT_HANDLE_ERROR)
    source = context.saved_context
    if source is None:
        raise MQError(MQRC_CONTEXT_NOT_AVAILABLE)
    descriptor.user_identifier = source.user_identifier
    descriptor.accounting_token = source.accounting_token
    descriptor.application_identity_data = source.application_identity_data
    if options & MQPMO_PASS_ALL_CONTEXT:
        descriptor.put_application_type = source.put_application_type
        descriptor.put_application_name = source.put_application_name
        descriptor.put_date = source.put_date
        descriptor.put_time = source.put_time
        descriptor.application_origin_data = source.application_origin_data
    else:
        _origin(connection, descriptor)


def _hand_over(queue: PrivateQueue, descriptor: MessageDescriptor, data: bytes) -> bool:
    """Give a message straight to a getter that waits for it, without touching the queue."""
    for waiter in queue.waiters.candidates(descriptor.message_id, descriptor.correlation_id):
        match = waiter.match
        suits = waiter.takes_directly() and (match is None or match.accepts(descriptor))
        if suits and waiter.hand_over(descriptor, data):
            queue.waiters.remove(waiter)
            counters = queue.counters
            counters.puts += 1
            counters.gets += 1
            counters.handed_over += 1
            counters.put_bytes += len(data)
            return True
    return False
