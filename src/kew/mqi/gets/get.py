"""MQGET: finds a message, gives it to the program, and takes it off the queue or, in a browse, leaves it there."""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQEI_UNLIMITED,
    MQGMO_ACCEPT_TRUNCATED_MSG,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT,
    MQGMO_COMPLETE_MSG,
    MQGMO_FAIL_IF_QUIESCING,
    MQGMO_LOCK,
    MQGMO_LOGICAL_ORDER,
    MQGMO_MSG_UNDER_CURSOR,
    MQGMO_SYNCPOINT,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
    MQGMO_UNLOCK,
    MQGMO_UNMARKED_BROWSE_MSG,
    MQGMO_WAIT,
    MQRO_COD,
)
from kew.codes.reasons import (
    MQRC_GET_INHIBITED,
    MQRC_HOBJ_ERROR,
    MQRC_INVALID_MSG_UNDER_CURSOR,
    MQRC_MSG_SEQ_NUMBER_ERROR,
    MQRC_NO_MSG_LOCKED,
    MQRC_NO_MSG_UNDER_CURSOR,
    MQRC_NONE,
    MQRC_NOT_OPEN_FOR_BROWSE,
    MQRC_NOT_OPEN_FOR_INPUT,
    MQRC_OBJECT_DAMAGED,
    MQRC_Q_DELETED,
    MQRC_TRUNCATED_MSG_ACCEPTED,
    MQRC_TRUNCATED_MSG_FAILED,
)
from kew.formats.mqmd import LENGTH, MessageDescriptor, decode_stored, restated
from kew.formats.properties import RFH2_FORMAT
from kew.mqi.connections import metering
from kew.mqi.connections.connection import Connection, backed_out
from kew.mqi.connections.handles import Handle
from kew.mqi.connections.logicalorder import Logical, check_get_order, was_got
from kew.mqi.delivery.reports import confirms_delivery
from kew.mqi.gets.browsemarks import MARK, MARKING, UNMARK, check_cooperation, mark, passes_over, token_of, unmark
from kew.mqi.gets.deliveryreport import take_with_report, undo_report
from kew.mqi.gets.groups import GROUPING, Assembly, GroupedSearch
from kew.mqi.gets.request import BROWSE, GetRequest, Got, as_program_sees, begin_long, offer
from kew.mqi.gets.reservations import check_room, reserve
from kew.mqi.gets.setaside import set_aside
from kew.mqi.messages.transform import BodyTransform, GetTransform, Rejected
from kew.mqi.options import check_get
from kew.queues.cursor import Cursor
from kew.queues.groups import SEGMENTED, member_of
from kew.queues.monitor import seconds_of
from kew.queues.queue import Queue
from kew.queues.store import AT_ONCE
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.message import WHOLE, Description, MessageRef
from kew.storage.recovery.attempt import Attempt
from kew.storage.stall import Stall

MOST_EXPIRED: Final = 100  # expired messages that one hold of the lock may remove


def get(request: GetRequest) -> Got | None:
    """Carry out a get; None if there is no message for it. May stall, and is then called again."""
    engine = request.connection.engine
    if not engine.metered:
        return _try_get(request)
    if engine.detailed:
        return _metered(request)
    calls = engine.calls
    try:
        got = _try_get(request)
    except Stall:
        calls.gets_with_read += 1
        raise
    except MQError:
        calls.gets += 1
        raise
    if got is not None:
        calls.gets += 1
        if request.options & BROWSE:
            calls.browsed += 1
        elif got.reason != MQRC_TRUNCATED_MSG_FAILED:
            calls.got += 1
            if request.options & (MQGMO_SYNCPOINT | MQGMO_SYNCPOINT_IF_PERSISTENT):
                calls.locked += 1
    return got


def _metered(request: GetRequest) -> Got | None:
    connection, handle = request.connection, request.handle
    queue = handle.queue
    browse = request.options & BROWSE != 0
    tracing = connection.engine.trace is not None
    if tracing:
        metering.trace(connection, "MQGET", handle.opened_name, f"entry, options {request.options}")
    expired = 0 if queue is None else queue.counters.expired
    metering.enter(connection, queue)
    try:
        got = _try_get(request)
    except Stall as stall:
        connection.engine.calls.gets_with_read += 1
        metering.pause(connection)
        _count_searched(request, queue, expired)
        if tracing:
            metering.trace(connection, "MQGET", handle.opened_name, f"stall: {stall}")
        raise
    except MQError as error:
        metering.get_failed(connection, handle, browse, False, False, False)
        if tracing:
            metering.trace(connection, "MQGET", handle.opened_name, f"exit {error.reason}")
        raise
    if tracing:
        found = "nothing" if got is None else f"{len(got.data)} bytes, reason {got.reason}"
        metering.trace(connection, "MQGET", handle.opened_name, f"exit, {found}")
    _count_searched(request, queue, expired)
    if got is None:
        metering.idle(connection)
    elif got.reason == MQRC_TRUNCATED_MSG_FAILED:
        metering.get_failed(connection, handle, browse, False, True, False)
    elif queue is not None:
        in_unit = request.options & (MQGMO_SYNCPOINT | MQGMO_SYNCPOINT_IF_PERSISTENT) != 0
        specific = request.match is not None
        metering.got(connection, handle, queue, got.descriptor, len(got.data), browse, specific, in_unit)
    return got


def _count_searched(request: GetRequest, queue: Queue | None, before: int) -> None:
    """Count the messages that a get passed over; `before` is the queue's expired count when the get began."""
    if queue is not None and (request.match is not None or queue.counters.expired != before):
        expired = queue.counters.expired - before
        metering.searched(request.connection, request.handle, queue, request.match, expired)


def found_nothing(request: GetRequest) -> None:
    """Count a get that ends without a message; called by the edge."""
    connection, options = request.connection, request.options
    if connection.engine.metered:
        waited = options & MQGMO_WAIT != 0
        metering.get_failed(connection, request.handle, options & BROWSE != 0, True, False, waited)


def _try_get(request: GetRequest) -> Got | None:
    try:
        return _get(request)
    except MQError:
        if request.long is not None or request.assembly is not None:
            abandon_get(request)
        raise


def _get(request: GetRequest) -> Got | None:
    connection, handle, options = request.connection, request.handle, request.options
    connection.check()
    check_get(options)
    if options & MQGMO_FAIL_IF_QUIESCING:
        connection.refuse_if_quiescing()
    if handle.owner != connection.number:
        raise MQError(MQRC_HOBJ_ERROR, handle=handle.number)
    if handle.alias_values is not None:
        handle.refresh_alias(connection.engine.catalogue)
    queue = _check_queue(connection, handle, options)
    if options & MQGMO_SYNCPOINT and connection.unit is not None and connection.unit.forced_out:
        raise backed_out(connection.unit)
    if request.reserves:
        check_room(connection)
    if options & MQGMO_UNLOCK:
        reason = MQRC_NO_MSG_LOCKED if handle.cursor.locked is None else MQRC_NONE
        _unlock_if_locked(connection, handle, queue)
        return Got(MessageDescriptor(), b"", 0, reason, NO_ADDRESS)
    if request.assembly is not None:
        return _assemble(request, queue, request.assembly)
    if options & MARKING:
        check_cooperation(handle, options)
        if options & UNMARK:
            unmark(connection.engine, handle, queue, request.match, options)
            return Got(MessageDescriptor(), b"", 0, MQRC_NONE, NO_ADDRESS)
    long = request.long
    if long is not None and not long.held and not _is_there(handle, queue, long.item):
        long = request.long = request.turning = None
    if long is None:
        item = _choose(request, queue)
        if item is None:
            return None
        if request.ahead and (item.persistent or options & MQGMO_SYNCPOINT):
            request.held_back = True
            return None
        if options & MQGMO_COMPLETE_MSG and (assembly := _begin_assembly(request, queue, item)) is not None:
            return _assemble(request, queue, assembly)
        if item.length <= AT_ONCE:
            return _finish_stored(request, queue, item, queue.describe(item, WHOLE))
        request.make_room(item.length)
        long = begin_long(request, queue, item)
    if long.found is None:
        long.found = queue.describe(long.item, WHOLE)
    return _finish_stored(request, queue, long.item, long.found)


def _check_queue(connection: Connection, handle: Handle, options: int) -> Queue:
    queue = handle.queue
    if queue is None:
        raise handle.refusal(MQRC_NOT_OPEN_FOR_INPUT)
    if options & (BROWSE | MQGMO_MSG_UNDER_CURSOR) and not handle.browse:
        raise MQError(MQRC_NOT_OPEN_FOR_BROWSE, queue=handle.name)
    if not handle.input and not (handle.browse and options & (BROWSE | MQGMO_UNLOCK | UNMARK)):
        raise MQError(MQRC_NOT_OPEN_FOR_INPUT, queue=handle.name)
    if queue.deleted:
        raise MQError(MQRC_Q_DELETED, queue=queue.name)
    if queue.damaged:
        raise MQError(MQRC_OBJECT_DAMAGED, queue=queue.name)
    if not queue.get_allowed or not handle.get_allowed_by_alias:
        connection.engine.events.inhibited(MQRC_GET_INHIBITED, handle.opened_name, connection.application)
        raise MQError(MQRC_GET_INHIBITED, queue=handle.opened_name)
    return queue


class ManyExpired(Stall):
    """The stall of a get that has removed many expired messages, so that other verbs have the lock."""

    def resolve(self) -> None:
        """Do nothing: other verbs had the lock before the get is called again."""


def _choose(request: GetRequest, queue: Queue) -> MessageRef | None:
    """Find the message for a get; expired messages that it meets are removed."""
    item = _search(request, queue)
    if item is None or not item.may_expire:
        return item
    now = int(request.connection.engine.clock.now() * 1000)
    for _ in range(MOST_EXPIRED):
        if item is None or not queue.has_expired(item, now):
            return item
        queue.expire(item)
        item = _search(request, queue)
    raise ManyExpired("a get has met many messages whose time is past")


def _search(request: GetRequest, queue: Queue) -> MessageRef | None:
    options, handle = request.options, request.handle
    if options & (MQGMO_MSG_UNDER_CURSOR | MQGMO_BROWSE_MSG_UNDER_CURSOR):
        return _under_cursor(handle, queue)
    match = request.match
    if match is not None and match.sequence_number == 0:
        raise MQError(MQRC_MSG_SEQ_NUMBER_ERROR, sequence_number=0)  # they begin with 1
    if options & GROUPING:
        return _search_groups(request, queue)
    if options & (MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT):
        return _browse(request, queue)
    item = queue.next() if match is None else queue.find(match)
    locked = handle.cursor.locked
    if locked is not None and _goes_before(locked, item) and (match is None or queue.matches(locked, match)):
        return locked
    return item


def _goes_before(locked: MessageRef, item: MessageRef | None) -> bool:
    """Say whether the message locked by the handle precedes another one, so that the get takes the locked one."""
    if item is None or locked.priority > item.priority:
        return True
    return locked.priority == item.priority and locked.sequence < item.sequence


def _browse(request: GetRequest, queue: Queue) -> MessageRef | None:
    handle = request.handle
    search = request.search
    if search is None:
        search = handle.cursor.copy()
        if request.options & MQGMO_BROWSE_FIRST:
            search.reset()
        request.search = search
    item = queue.browse(search, request.match)
    if request.options & MQGMO_UNMARKED_BROWSE_MSG:
        while item is not None and passes_over(request.connection, handle, queue, item):
            search.move(item)
            item = queue.browse(search, request.match)
    if item is None:
        request.search = None
        if request.options & MQGMO_BROWSE_FIRST:
            handle.cursor.reset()
        _unlock_if_locked(request.connection, handle, queue)
    return item


def _search_groups(request: GetRequest, queue: Queue) -> MessageRef | None:
    """Find the message for a get with options for groups or segments."""
    options, handle = request.options, request.handle
    browsing = options & (MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT)
    if handle.logical is None:
        handle.logical = Logical()
    check_get_order(handle.logical, options)
    if options & MQGMO_BROWSE_FIRST:
        handle.logical.browsed = None
    seek = request.seek
    if seek is None:
        cursor = Cursor()
        if browsing:
            start = handle.logical.anchor if options & MQGMO_LOGICAL_ORDER else None
            cursor = handle.cursor.copy() if start is None else start.copy()
            if options & MQGMO_BROWSE_FIRST:
                cursor.reset()
            request.search = cursor
        cursor.locked = handle.cursor.locked
        seek = request.seek = GroupedSearch(cursor, request.match)
    item = seek.find(queue, options, handle.logical)
    if item is None:
        request.seek = None
        request.search = None
        if options & MQGMO_BROWSE_FIRST:
            handle.cursor.reset()
        if browsing:
            _unlock_if_locked(request.connection, handle, queue)
    return item


def _under_cursor(handle: Handle, queue: Queue) -> MessageRef:
    item = handle.cursor.item
    if item is None or not _is_there(handle, queue, item):
        raise MQError(MQRC_NO_MSG_UNDER_CURSOR, queue=queue.name)
    return item


def _is_there(handle: Handle, queue: Queue, item: MessageRef) -> bool:
    return handle.cursor.has_locked(item) or queue.still_there(item)


def _unlock_if_locked(connection: Connection, handle: Handle, queue: Queue) -> None:
    locked = handle.cursor.locked
    if locked is not None:
        queue.let_go(locked)
        handle.cursor.locked = None
        offer(connection, queue, locked)


def _begin_assembly(request: GetRequest, queue: Queue, item: MessageRef) -> Assembly | None:
    """Begin to reassemble a logical message, if it has several segments."""
    if not queue.describe(item).grouped:
        return None
    first = member_of(queue, item)
    if not first.flags & SEGMENTED:
        return None
    if first.offset:
        if request.options & (MQGMO_MSG_UNDER_CURSOR | MQGMO_BROWSE_MSG_UNDER_CURSOR):
            raise MQError(MQRC_INVALID_MSG_UNDER_CURSOR, queue=queue.name)
        return None
    if request.seek is None:
        request.seek = GroupedSearch(Cursor(), None)
    segments = request.seek.groups.message(queue, first.group_id, first.sequence)
    if segments is None:
        return None
    assembly = Assembly(queue, segments, request.options & BROWSE != 0)
    request.assembly = assembly
    return assembly


def _assemble(request: GetRequest, queue: Queue, assembly: Assembly) -> Got | None:
    """Give a logical message of several segments. May stall, and is then called again."""
    first = assembly.segments[0].item
    if not assembly.taken:
        request.make_room(sum([segment.item.length for segment in assembly.segments]))
        if not assembly.hold():
            _leave_assembly(request, assembly)
            return _get(request)  # another get was faster
        assembly.read()
        _bring_up_to_date(request, queue, queue.describe(first), assembly.descriptor)
        for segment in assembly.segments:
            request.seen = max(request.seen, queue.describe(segment.item).address)
    return _finish(request, queue, first, assembly.descriptor.copy(), assembly.data(), None)


def _leave_assembly(request: GetRequest, assembly: Assembly) -> None:
    """Unlock segments that the get does not take after all. May stall, and is then called again."""
    if assembly.attempt is not None:
        assembly.attempt.give_up()
    request.assembly = None
    request.turning = None
    request.seek = None
    request.search = None
    freed = [segment.item for segment in assembly.segments[assembly.taken : assembly.locked]]
    assembly.release()
    for item in freed:
        offer(request.connection, assembly.queue, item)


def _takes_in_unit(options: int, item: MessageRef) -> bool:
    persistent = options & MQGMO_SYNCPOINT_IF_PERSISTENT and item.persistent
    return bool(options & MQGMO_SYNCPOINT or persistent)


def _note_order(request: GetRequest, got: Got) -> None:
    """Note the position of the handle in its group; gives a warning if a group was left incomplete."""
    logical = request.handle.logical
    request.seek = None
    if logical is not None:
        reason = was_got(logical, request.options, got.descriptor, got.length, request.handle.cursor)
        if got.reason == MQRC_NONE:
            got.reason = reason


def abandon_get(request: GetRequest) -> None:
    """Abandon a get that was not finished; the message is as it was before. May stall, and may be called twice."""
    undo_report(request)
    if request.assembly is not None:
        _leave_assembly(request, request.assembly)
    long = request.long
    request.long = None
    request.turning = None
    request.search = None
    request.seek = None
    if long is not None and long.lets_go:
        long.queue.let_go(long.item)
        offer(request.connection, long.queue, long.item)


def _finish_stored(request: GetRequest, queue: Queue, item: MessageRef, found: Description) -> Got:
    """Complete the get of a stored message that was read in full."""
    content = found.content
    descriptor = decode_stored(content, 0)
    _bring_up_to_date(request, queue, found, descriptor)
    return _finish(request, queue, item, descriptor, content[LENGTH:], content[:LENGTH])


def _finish(
    request: GetRequest,
    queue: Queue,
    item: MessageRef,
    descriptor: MessageDescriptor,
    data: bytes,
    stored: bytes | None,
) -> Got:
    """Complete the get of a message that was read in full; `stored` is its stored descriptor, if that is known."""
    if request.handle.transform is not None:
        data = _turned_back(request, queue, item, descriptor, data, request.handle.transform)
        stored = None
    if descriptor.format == RFH2_FORMAT or request.extends:
        data = as_program_sees(request, descriptor, data)
        stored = None
    got = _complete(request, queue, item, descriptor, data)
    if stored is not None:
        got.stored = restated(stored, descriptor)
    request.long = None
    request.turning = None
    return got


def _turned_back(
    request: GetRequest,
    queue: Queue,
    item: MessageRef,
    descriptor: MessageDescriptor,
    data: bytes,
    transform: BodyTransform,
) -> bytes:
    """Transform a stored body into the program's. Stalls, since a transform runs outside the lock."""
    turning = request.turning
    if turning is None:
        if request.long is None and request.assembly is None:
            begin_long(request, queue, item)  # no other get finds it meanwhile
        turning = request.turning = GetTransform(transform, descriptor.copy(), data)
    try:
        data = turning.turned()
    except Rejected as failure:
        if not request.options & BROWSE:
            if request.assembly is None:
                set_aside(request, queue, item, failure)
        elif request.search is not None:
            _move_cursor(request, queue, item)  # the next browse goes on behind it
        raise
    made = turning.descriptor
    descriptor.format, descriptor.encoding, descriptor.ccsid = made.format, made.encoding, made.ccsid
    return data


def _bring_up_to_date(request: GetRequest, queue: Queue, found: Description, descriptor: MessageDescriptor) -> None:
    """Set the backout count and the remaining expiry in the descriptor of a message that was read."""
    request.seen = found.address
    descriptor.backout_count = found.backout_count
    if descriptor.expiry != MQEI_UNLIMITED:
        left = (queue.expiry_of(found) - int(request.connection.engine.clock.now() * 1000)) // 100
        descriptor.expiry = max(1, min(left, descriptor.expiry))  # never more, though the clock was set back


def _complete(request: GetRequest, queue: Queue, item: MessageRef, descriptor: MessageDescriptor, data: bytes) -> Got:
    """Complete the get of a message in the form the program sees: leave it, browse it or take it."""
    options, handle, assembly = request.options, request.handle, request.assembly
    length = len(data)
    reason = MQRC_NONE if assembly is None else assembly.reason()
    limit = request.buffer_length
    cut = 0 <= limit < length
    if cut:
        data = data[:limit]
        reason = MQRC_TRUNCATED_MSG_ACCEPTED
        if not options & MQGMO_ACCEPT_TRUNCATED_MSG:
            abandon_get(request)
            if options & MQGMO_BROWSE_FIRST:
                handle.cursor.reset()
            return Got(descriptor, data, length, MQRC_TRUNCATED_MSG_FAILED, NO_ADDRESS)
    if options & BROWSE:
        got = _look_at(request, queue, item, Got(descriptor, data, length, reason, request.seen))
    else:
        if assembly is not None:
            address = _take_segments(request, queue, assembly)
        elif request.reserves:
            reserve(request, queue, item, descriptor, data, cut or handle.transform is not None)
            address = request.seen
        else:
            address = _take(request, queue, item, descriptor, data, cut or handle.transform is not None)
        if handle.cursor.locked is not None and handle.cursor.has_locked(item):
            handle.cursor.locked = None
        queue.counters.got_bytes += len(data)
        monitor = queue.monitor
        if monitor is not None:
            put = seconds_of(descriptor.put_date, descriptor.put_time)
            monitor.got(request.connection.engine.clock.now(), put)
        handle.save_context(descriptor)
        got = Got(descriptor, data, length, reason, address)
    if handle.logical is not None:
        _note_order(request, got)
    if assembly is not None:
        request.assembly = None
        request.seek = None
    return got


def _look_at(request: GetRequest, queue: Queue, item: MessageRef, got: Got) -> Got:
    """End a browse: move the cursor, mark the message, and give its token or position."""
    handle, options = request.handle, request.options
    _move_cursor(request, queue, item)
    handle.saved_context = None  # there is context to pass on only while the last message was got
    queue.counters.browses += 1
    if request.assembly is not None:
        return got
    if handle.cursor.by_arrival:
        got.position = item.sequence
    if options & MARK:
        got.token = mark(request.connection, handle, queue, item, options)
    elif not handle.cursor.by_arrival:
        got.token = token_of(queue, item)
    return got


def _take(
    request: GetRequest, queue: Queue, item: MessageRef, descriptor: MessageDescriptor, body: bytes, differs: bool
) -> LogAddress:
    """Take a message off its queue, in a unit of work if the get asks for one; gives the log address to wait for."""
    unit = request.connection.unit_for_work() if _takes_in_unit(request.options, item) else None
    if descriptor.report & MQRO_COD and confirms_delivery(descriptor):
        address = take_with_report(request, queue, item, descriptor, body, differs, unit)
    else:
        address = queue.take(item, unit)
    return address if address and unit is None else request.seen


def _take_segments(request: GetRequest, queue: Queue, assembly: Assembly) -> LogAddress:
    """Take the segments of a message off their queue: all or none. May stall, and is then called again."""
    connection, first = request.connection, assembly.segments[0].item
    attempt = assembly.attempt
    if attempt is None:
        unit = connection.unit_for_work() if _takes_in_unit(request.options, first) else None
        attempt = assembly.attempt = Attempt(connection.engine.units, unit)
    if attempt.unit.forced_out:
        raise backed_out(attempt.unit)
    assembly.take(attempt.unit)
    return attempt.commit() or request.seen


def _move_cursor(request: GetRequest, queue: Queue, item: MessageRef) -> None:
    handle = request.handle
    search = request.search
    locked = handle.cursor.locked
    freed: MessageRef | None = None
    if locked is not None and not (request.options & MQGMO_LOCK and handle.cursor.has_locked(item)):
        queue.let_go(locked)
        freed, locked = locked, None
    if search is not None:
        search.move(item)
        search.item = item
        handle.cursor = search
        request.search = None
    handle.cursor.locked = locked
    if request.options & MQGMO_LOCK and not handle.cursor.has_locked(item):
        queue.hold(item)
        handle.cursor.locked = item
    if freed is not None:
        offer(request.connection, queue, freed)
