"""The verbs for a program that reaches its queue manager over a socket, by kew.client."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from kew.channels.protocol.dialect import CLIENT_DIALECT
from kew.channels.protocol.distribution import (
    decode_put_fields,
    encode_put_fields,
    put_fields,
    put_responses_of,
    responses_of,
    set_destinations,
    set_put_fields,
)
from kew.channels.protocol.options import GetOptions, PutOptions, put_record_size
from kew.channels.protocol.structures import ObjectDescriptor
from kew.client.blocking import Connection, Queue, Subscription
from kew.client.received import Received
from kew.codes.completion import MQCC_WARNING
from kew.codes.errors import MQError
from kew.codes.options import MQGMO_CONVERT, MQPMO_ASYNC_RESPONSE
from kew.codes.reasons import (
    MQRC_CHAR_ATTR_LENGTH_ERROR,
    MQRC_ENVIRONMENT_ERROR,
    MQRC_HCONN_ERROR,
    MQRC_HOBJ_ERROR,
    MQRC_MULTIPLE_REASONS,
    MQRC_NO_EXTERNAL_PARTICIPANTS,
    MQRC_NONE,
)
from kew.codes.selectors import character_length, is_character
from kew.faces.descriptors import criteria_of, descriptor_of, fill, name_field, tell_group
from kew.faces.records import is_list, names_of, object_records, put_records, respond, return_put_records
from kew.faces.subscriptions import completed_from, descriptor_for
from kew.faces.verbs import ConsumedMessage, Consumer, Message
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.messages.extension import absorb

UTF_8: Final = 1208  # the character set of programs that name none


class NetworkVerbs:
    """A connection over a socket; the client reconnects where that is wanted, and makes threads wait for each other.

    Handles are numbers of this connection, and stay the same when the objects behind them are opened again.
    """

    def __init__(self, connection: Connection, local: bool = False, shared: bool = False, ccsid: int = 0) -> None:
        connection.turns = None  # the face makes threads wait
        self._connection = connection
        self._local = local
        self._shared = shared
        # Character set of the program's text where its messages do not say (MQCCSI_Q_MGR); 0 if not set.
        self._ccsid = ccsid
        self._numbers = itertools.count(1)
        self._opened: dict[int, Queue | Subscription] = {}

    def _keep(self, opened: Queue | Subscription) -> int:
        number = next(self._numbers)
        self._opened[number] = opened
        return number

    def _object(self, handle: int) -> Queue | Subscription:
        found = self._opened.get(handle)
        if found is None:
            raise MQError(MQRC_HOBJ_ERROR, handle=handle)
        return found

    def _queue(self, handle: int) -> Queue:
        found = self._opened.get(handle)
        if not isinstance(found, Queue):
            raise MQError(MQRC_HOBJ_ERROR, handle=handle)
        return found

    # Objects.

    def open(self, od: Any, options: int) -> int:
        """MQOPEN."""
        if is_list(od):
            return self._open_list(od, options)
        queue = self._connection.open_object(_object_descriptor(od), options)
        target = queue.opened.target
        if od.Version >= 2:
            od.KnownDestCount, od.UnknownDestCount, od.InvalidDestCount = _counts(target)
        od.ObjectName = target.object_name
        od.ObjectQMgrName = target.queue_manager
        if od.Version >= 3 and target.version >= 3:
            od.ResolvedQName = target.resolved_queue
            od.ResolvedQMgrName = target.resolved_queue_manager
        if od.Version >= 4 and target.version >= 4:
            od.ResolvedType = target.resolved_type
        return self._keep(queue)

    def _open_list(self, od: Any, options: int) -> int:
        """MQOPEN of a distribution list; a destination that could not be opened is an error, like any warning."""
        target = _list_descriptor(od)
        try:
            queue = self._connection.open_object(target, options)
        except MQError as error:
            _tell_list(od, target, error.reason)
            raise
        opened = queue.opened.target
        number = self._keep(queue)
        od.KnownDestCount, od.UnknownDestCount, od.InvalidDestCount = _counts(opened)
        if opened.invalid:
            _tell_list(od, opened, MQRC_MULTIPLE_REASONS)
            raise MQError(MQRC_MULTIPLE_REASONS, completion=MQCC_WARNING)
        return number

    def property_control(self, handle: int) -> int:
        """Give PROPCTL of an open queue."""
        return self._queue(handle).opened.property_control

    def close(self, handle: int, options: int) -> None:
        """MQCLOSE; the queue of a subscription's publications stays open."""
        found = self._object(handle)
        try:
            self._connection.do(*found.closing(options))
        finally:
            if found.opened.closed:
                del self._opened[handle]

    def inquire(self, handle: int, selectors: Sequence[int]) -> dict[int, int | bytes]:
        """MQINQ."""
        found = self._connection.do(*self._queue(handle).inquiring(list(selectors)))
        if found.reason:
            raise MQError(found.reason, completion=MQCC_WARNING)
        result: dict[int, int | bytes] = {}
        for selector, value in found.items():
            if is_character(selector):
                result[selector] = str(value).encode().ljust(character_length(selector))
            else:
                result[selector] = int(value)
        return result

    def set(self, handle: int, values: dict[int, int | bytes]) -> None:
        """MQSET."""
        said: dict[int, int | str] = {}
        for key, value in values.items():
            if not isinstance(value, int) and len(value) > character_length(key):
                raise MQError(MQRC_CHAR_ATTR_LENGTH_ERROR, selector=key)
            said[key] = value if isinstance(value, int) else value.decode("latin-1")
        self._queue(handle).set(said)

    # Messages.

    def _outgoing(self, md: Any) -> MessageDescriptor:
        descriptor = descriptor_of(md)
        descriptor.ccsid = descriptor.ccsid or self._ccsid
        return descriptor

    def _criteria(self, md: Any, gmo: Any) -> MessageDescriptor:
        """Give the descriptor that a get matches, with the character set that the program wants."""
        return criteria_of(md, (self._ccsid or UTF_8) if gmo.Options & MQGMO_CONVERT else 0)

    def put(self, handle: int, md: Any, pmo: Any, data: bytes) -> None:
        """MQPUT."""
        queue = self._queue(handle)
        descriptor = self._outgoing(md)
        options = _put_options(pmo)
        if md.Version < 2:
            data = absorb(descriptor, data)
        try:
            queue.put(data, descriptor, options=options)
        except MQError as error:
            _tell_put(pmo, options, error.reason)
            raise
        finally:
            _completed(md, pmo, descriptor, options)
        _tell_put(pmo, options, MQRC_NONE)

    def put1(self, od: Any, md: Any, pmo: Any, data: bytes) -> None:
        """MQPUT1."""
        descriptor = self._outgoing(md)
        options = _put_options(pmo)
        if md.Version < 2:
            data = absorb(descriptor, data)
        target = _list_descriptor(od) if is_list(od) else _object_descriptor(od)
        connection = self._connection
        try:
            connection.do(*connection.putting_one(target, descriptor, options, data))
        except MQError as error:
            _tell_list(od, target, error.reason)
            _tell_put(pmo, options, error.reason)
            raise
        finally:
            _completed(md, pmo, descriptor, options)
        _tell_put(pmo, options, MQRC_NONE)

    def get(self, handle: int, md: Any, gmo: Any, length: int) -> Message:
        """MQGET."""
        queue = self._queue(handle)
        wanted, options = self._criteria(md, gmo), _get_options(md, gmo)
        received = queue.get(descriptor=wanted, options=options, max_length=length)
        return _received(md, gmo, received)

    # Units of work, and the end.

    def begin(self) -> None:
        """MQBEGIN, which a client may not use; on the same machine the absence of other participants is a warning."""
        self._connection.verbs.link.check()
        if not self._local:
            raise MQError(MQRC_ENVIRONMENT_ERROR, why="a client's unit of work begins with its first message")
        if self._shared:
            raise MQError(MQRC_HCONN_ERROR, why="MQBEGIN is for a handle that threads do not share")
        raise MQError(MQRC_NO_EXTERNAL_PARTICIPANTS, completion=MQCC_WARNING)

    def commit(self) -> None:
        """MQCMIT."""
        self._connection.commit()

    def back_out(self) -> None:
        """MQBACK."""
        self._connection.back_out()

    def status(self, kind: int, sts: Any) -> None:
        """MQSTAT."""
        report = self._connection.status(kind)
        sts.CompCode = report.completion
        sts.Reason = report.reason
        sts.PutSuccessCount = report.put_successes
        sts.PutWarningCount = report.put_warnings
        sts.PutFailureCount = report.put_failures
        sts.ObjectType = report.object_type
        sts.ObjectName = report.object_name
        sts.ObjectQMgrName = report.queue_manager
        sts.ResolvedObjectName = report.resolved_object
        sts.ResolvedQMgrName = report.resolved_queue_manager

    def idle(self) -> bool:
        """Say whether a verb could begin now."""
        return self._connection.idle

    def disconnect(self) -> None:
        """MQDISC; a broken connection is not made again for it."""
        self._connection.disconnect()

    # Callbacks.

    def consume(self, consumers: Sequence[Consumer], stopped: Callable[[], bool]) -> ConsumedMessage | None:
        """Wait for a message for one of several consumers."""
        wanted = [
            (
                self._queue(each.handle),
                self._criteria(each.md, each.gmo),
                _get_options(each.md, each.gmo),
                each.max_length,
            )
            for each in consumers
        ]
        connection = self._connection
        try:
            found = connection.do(*connection.consuming(wanted, stopped))
        except MQError as error:
            if "consumer" in error.facts:
                error.facts["consumer"] = consumers[cast("int", error.facts["consumer"])].handle
            raise
        if found is None:
            return None
        place, received = found
        consumer = consumers[place]
        md, gmo = type(consumer.md)(**consumer.md.get()), type(consumer.gmo)(**consumer.gmo.get())
        return ConsumedMessage(consumer, md, gmo, _received(md, gmo, received))

    def announce(self, handle: int, state: int) -> None:
        """Record the state of asynchronous consumption, for DISPLAY CONN of a queue manager of Kew."""
        connection = self._connection
        connection.do(*connection.announcing(self._queue(handle) if handle else None, state))

    def wake(self) -> None:
        """Do nothing: `consume` checks often enough by itself."""

    # Publish and subscribe.

    def subscribe(self, sd: Any, handle: int) -> tuple[int, int]:
        """MQSUB."""
        queue = self._queue(handle) if handle > 0 else None
        made = self._connection.subscribe_with(descriptor_for(sd), queue)
        completed_from(sd, made.answer)
        return handle if queue is not None else self._keep(made.queue), self._keep(made)

    def request(self, handle: int, action: int, sro: Any) -> None:
        """MQSUBRQ."""
        found = self._object(handle)
        if not isinstance(found, Subscription):
            raise MQError(MQRC_HOBJ_ERROR, handle=handle)
        sro.NumPubs = found.request_publications(action)


def _object_descriptor(od: Any) -> ObjectDescriptor:
    target = ObjectDescriptor()
    target.version = min(max(od.Version, 1), 4)
    target.object_type = od.ObjectType
    target.object_name = name_field(od.ObjectName, 48)
    target.queue_manager = name_field(od.ObjectQMgrName, 48)
    target.dynamic_name = name_field(od.DynamicQName, 48)
    target.alternate_user = name_field(od.AlternateUserId, 12)
    if target.version >= 4:
        target.set_strings(od.get_vs("ObjectString") or b"", od.get_vs("SelectionString") or b"")
    return target


def _counts(target: ObjectDescriptor) -> tuple[int, int, int]:
    return target.known, target.unknown, target.invalid


def _list_descriptor(od: Any) -> ObjectDescriptor:
    target = _object_descriptor(od)
    set_destinations(target, names_of(object_records(od)), CLIENT_DIALECT)
    return target


def _tell_list(od: Any, target: ObjectDescriptor, reason: int) -> None:
    """Write the outcome of each destination to a list's response records, if the reasons differ."""
    if reason == MQRC_MULTIPLE_REASONS and is_list(od):
        respond(od, responses_of(target, CLIENT_DIALECT).answers)


def _tell_put(pmo: Any, options: PutOptions, reason: int) -> None:
    """Write the records of a put to a list back into the program's memory, with the outcomes if the reasons differ."""
    if options.records_present:
        fields, records = options.record_fields, put_fields(options, CLIENT_DIALECT)
        written = [encode_put_fields(record, fields, CLIENT_DIALECT) for record in records]
        return_put_records(pmo, b"".join(written))
        if reason == MQRC_MULTIPLE_REASONS:
            respond(pmo, put_responses_of(options, CLIENT_DIALECT).answers)


def _put_options(pmo: Any) -> PutOptions:
    options = PutOptions()
    options.version = min(max(pmo.Version, 1), 3)
    options.options = pmo.Options
    options.context = pmo.Context
    if options.version >= 3:
        options.action = pmo.Action
        options.publish_level = pmo.PubLevel
    if pmo.Version >= 2 and pmo.RecsPresent:
        records = put_records(pmo)
        fields: int = pmo.PutMsgRecFields
        size = put_record_size(fields)
        starts = range(0, len(records), size) if size else range(0)
        given = [decode_put_fields(records, at, fields, CLIENT_DIALECT) for at in starts]
        set_put_fields(options, pmo.RecsPresent, fields, given, CLIENT_DIALECT)
    return options


def _completed(md: Any, pmo: Any, descriptor: MessageDescriptor, options: PutOptions) -> None:
    fill(md, descriptor)
    if not pmo.Options & MQPMO_ASYNC_RESPONSE:
        pmo.KnownDestCount = options.known
        pmo.UnknownDestCount = options.unknown
        pmo.InvalidDestCount = options.invalid
        pmo.ResolvedQName = options.resolved_queue
        pmo.ResolvedQMgrName = options.resolved_queue_manager


def _get_options(md: Any, gmo: Any) -> GetOptions:
    options = GetOptions()
    options.descriptor_version = 1 if md.Version < 2 else 2
    options.version = min(max(gmo.Version, 1), 4)
    options.options = gmo.Options
    options.wait_interval = gmo.WaitInterval
    options.match_options = gmo.MatchOptions
    options.message_token = bytes(gmo.MsgToken).ljust(16, b"\0")
    return options


def _received(md: Any, gmo: Any, received: Received) -> Message:
    fill(md, received.descriptor)
    gmo.ResolvedQName = received.resolved_queue.encode().ljust(48)
    tell_group(gmo, received.descriptor)
    if gmo.Version >= 3:
        gmo.MsgToken = received.token
        gmo.ReturnedLength = len(received.data)
    return Message(received.data, received.full_length, received.reason)
