"""A put request, and its completion: defaults of the target, ids, context and the reply-to queue manager."""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQCCSI_Q_MGR,
    MQEI_UNLIMITED,
    MQFB_SYSTEM_FIRST,
    MQMT_DATAGRAM,
    MQMT_REQUEST,
    MQOO_PASS_ALL_CONTEXT,
    MQOO_PASS_IDENTITY_CONTEXT,
    MQOO_SET_ALL_CONTEXT,
    MQOO_SET_IDENTITY_CONTEXT,
    MQPER_NOT_PERSISTENT,
    MQPER_PERSISTENCE_AS_Q_DEF,
    MQPER_PERSISTENT,
    MQPMO_LOGICAL_ORDER,
    MQPMO_NEW_CORREL_ID,
    MQPMO_NEW_MSG_ID,
    MQPMO_NO_CONTEXT,
    MQPMO_PASS_ALL_CONTEXT,
    MQPMO_PASS_IDENTITY_CONTEXT,
    MQPMO_SET_ALL_CONTEXT,
    MQPMO_SET_IDENTITY_CONTEXT,
    MQPRI_PRIORITY_AS_Q_DEF,
)
from kew.codes.reasons import (
    MQRC_CONTEXT_HANDLE_ERROR,
    MQRC_CONTEXT_NOT_AVAILABLE,
    MQRC_EXPIRY_ERROR,
    MQRC_FEEDBACK_ERROR,
    MQRC_MISSING_REPLY_TO_Q,
    MQRC_MSG_TYPE_ERROR,
    MQRC_NOT_OPEN_FOR_PASS_ALL,
    MQRC_NOT_OPEN_FOR_PASS_IDENT,
    MQRC_NOT_OPEN_FOR_SET_ALL,
    MQRC_NOT_OPEN_FOR_SET_IDENT,
    MQRC_PERSISTENCE_ERROR,
    MQRC_PRIORITY_ERROR,
    MQRC_PRIORITY_EXCEEDS_MAXIMUM,
    MQRC_UNKNOWN_REPORT_OPTION,
)
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.connections.logicalorder import Logical, place_put
from kew.mqi.messages.reply import KNOWN_REPORTS, REPORTS, check_unknown
from kew.mqi.messages.transform import PutTransform
from kew.queues.administration import FAMILY, REMOTE
from kew.queues.match import NO_ID
from kew.queues.store import HIGHEST_PRIORITY

OVER: Final = -1
_PASS: Final = MQPMO_PASS_IDENTITY_CONTEXT | MQPMO_PASS_ALL_CONTEXT
_SET: Final = MQPMO_SET_IDENTITY_CONTEXT | MQPMO_SET_ALL_CONTEXT
# Open options that the context options of a put need; the wider option includes the narrower.
_SETS_IDENTITY: Final = MQOO_SET_IDENTITY_CONTEXT | MQOO_SET_ALL_CONTEXT
_PASSES_ALL: Final = MQOO_PASS_ALL_CONTEXT | MQOO_SET_ALL_CONTEXT
_PASSES_IDENTITY: Final = MQOO_PASS_IDENTITY_CONTEXT | _PASSES_ALL | _SETS_IDENTITY
_LOWEST_TYPE: Final = 1  # MQMT_SYSTEM_FIRST
_HIGHEST_TYPE: Final = 999999999  # MQMT_APPL_LAST
_HIGHEST_FEEDBACK: Final = 999999999  # MQFB_APPL_LAST
_BLANK_48: Final = b" " * 48
_BLANK_32: Final = b" " * 32
_BLANK_28: Final = b" " * 28
_BLANK_12: Final = b" " * 12
_BLANK_8: Final = b" " * 8
_BLANK_4: Final = b" " * 4


class PutRequest:
    """A put request: the message, its handle and its options."""

    def __init__(
        self,
        connection: Connection,
        handle: Handle,
        descriptor: MessageDescriptor,
        data: bytes,
        options: int = 0,
        context: Handle | None = None,
        delay: int = 0,
    ) -> None:
        self.connection = connection
        self.handle = handle
        self.descriptor = descriptor  # comes back completed
        self.data = data
        self.options = options
        self.context = context  # the input handle whose context is passed on, if any
        self.turning: PutTransform | None = None  # its body, where the handle has a transform
        self.delay = delay  # milliseconds before the delivery; OVER: the delay that the message requests is over


def settle(handle: Handle, descriptor: MessageDescriptor, persistence: int, priority: int) -> None:
    """Replace defaults in the descriptor (persistence, priority) by those of the opened alias, or of the target."""
    asked = descriptor.persistence
    if asked == MQPER_PERSISTENCE_AS_Q_DEF:
        descriptor.persistence = persistence if handle.alias_values is None else handle.alias_persistence
    elif asked != MQPER_NOT_PERSISTENT and asked != MQPER_PERSISTENT:
        raise MQError(MQRC_PERSISTENCE_ERROR, persistence=asked)
    asked = descriptor.priority
    if asked == MQPRI_PRIORITY_AS_Q_DEF:
        descriptor.priority = priority if handle.alias_values is None else handle.alias_priority
    elif asked < 0:
        raise MQError(MQRC_PRIORITY_ERROR, priority=asked)
    elif asked > HIGHEST_PRIORITY:  # it counts as the highest, and stays in the descriptor as it is
        handle.warning = MQRC_PRIORITY_EXCEEDS_MAXIMUM


def complete(request: PutRequest) -> None:
    """Complete the fields of the descriptor that do not depend on the destination."""
    connection, handle, descriptor, options = request.connection, request.handle, request.descriptor, request.options
    engine = connection.engine
    descriptor.stored = b""  # of an earlier put, or of an attempt that stalled
    if descriptor.report:
        if descriptor.report & ~KNOWN_REPORTS:
            check_unknown(descriptor.report, handle.outlet is not None and handle.outlet.queue is not None)
            handle.warning = MQRC_UNKNOWN_REPORT_OPTION
        if descriptor.report & REPORTS and not descriptor.reply_to_queue.rstrip(b" \0"):
            raise MQError(MQRC_MISSING_REPLY_TO_Q, report=descriptor.report)
    if descriptor.message_type != MQMT_DATAGRAM:
        _check_type(descriptor)
    if descriptor.feedback and not (MQFB_SYSTEM_FIRST <= descriptor.feedback <= _HIGHEST_FEEDBACK):
        raise MQError(MQRC_FEEDBACK_ERROR, feedback=descriptor.feedback)
    expiry = descriptor.expiry
    if expiry != MQEI_UNLIMITED and expiry <= 0:
        raise MQError(MQRC_EXPIRY_ERROR, expiry=expiry)
    if options & MQPMO_NEW_MSG_ID or descriptor.message_id == NO_ID:
        descriptor.message_id = engine.ids.next()
    if options & MQPMO_NEW_CORREL_ID:
        descriptor.correlation_id = engine.ids.next()
    if handle.logical is None:
        grouped = descriptor.message_flags or descriptor.group_id != NO_ID
        if grouped or descriptor.sequence_number != 1 or descriptor.offset or options & MQPMO_LOGICAL_ORDER:
            handle.logical = Logical()
    if handle.logical is not None:
        told = place_put(handle.logical, engine.ids, descriptor, options, len(request.data))
        if told:
            handle.warning = told
    if descriptor.ccsid == MQCCSI_Q_MGR:
        descriptor.ccsid = engine.ccsid
    if descriptor.reply_to_queue != _BLANK_48:
        _resolve_reply(connection, descriptor)
    descriptor.backout_count = 0
    engine.clock.now()
    if options & (_SET | _PASS | MQPMO_NO_CONTEXT):
        _check_context(handle, options)
        _context(connection, request.context, descriptor, options)
    else:
        descriptor.user_identifier = connection.user
        descriptor.accounting_token = connection.accounting_token
        descriptor.application_identity_data = _BLANK_32
        _origin(connection, descriptor)


def _check_type(descriptor: MessageDescriptor) -> None:
    kind = descriptor.message_type
    if not (_LOWEST_TYPE <= kind <= _HIGHEST_TYPE):
        raise MQError(MQRC_MSG_TYPE_ERROR, message_type=kind)
    if kind == MQMT_REQUEST and not descriptor.reply_to_queue.rstrip(b" \0"):
        raise MQError(MQRC_MISSING_REPLY_TO_Q)


def _resolve_reply(connection: Connection, descriptor: MessageDescriptor) -> None:
    """Complete the reply-to queue manager: that of the reply-to queue's definition, else this queue manager."""
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
