"""Queues of other queue managers: MQOPEN, MQPUT and MQCLOSE of what `destination.py` resolves to a transmission queue.

A handle of such a queue has no queue but an outlet, and messages put through it wait on the transmission queue behind
an MQXQH, in the program's unit of work, until a channel takes them. What a program leaves open in its descriptor is
filled in as for a queue here, with the defaults of the first definition on the way; confirmations of arrival are made
at the other end. A definition that is opened only to inquire about it, or to set it, need not lead anywhere.
"""

from typing import Final

from kew.codes.attributes import MQUS_TRANSMISSION
from kew.codes.errors import MQError
from kew.codes.options import (
    MQMF_SEGMENTATION_ALLOWED,
    MQOO_BROWSE,
    MQOO_INQUIRE,
    MQOO_OUTPUT,
    MQOO_SET,
    MQOT_Q,
    MQPER_PERSISTENT,
    MQPMO_FAIL_IF_QUIESCING,
    MQPMO_NEW_MSG_ID,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import (
    MQRC_HOBJ_ERROR,
    MQRC_NOT_OPEN_FOR_OUTPUT,
    MQRC_OBJECT_CHANGED,
    MQRC_OPTION_NOT_VALID_FOR_TYPE,
    MQRC_SYNCPOINT_LIMIT_REACHED,
)
from kew.codes.structures import MQ_MSG_HEADER_LENGTH
from kew.formats.mqmd import MessageDescriptor
from kew.formats.properties import RFH2_FORMAT
from kew.mqi.completing import complete, settle_defaults
from kew.mqi.connect import Connection
from kew.mqi.consequences import put_with_consequences
from kew.mqi.delaying import delay_of, stage
from kew.mqi.delivery import Delivery, cap_expiry, refuse_full, refuse_persistent, too_long
from kew.mqi.destination import Destination, addressed, lowest_cap, resolve
from kew.mqi.engine import Engine
from kew.mqi.handles import Handle
from kew.mqi.longput import LongPut
from kew.mqi.options import INPUT, check_close_plain, check_put
from kew.mqi.outlet import PutOutlet
from kew.mqi.put import check_queue
from kew.mqi.segments import LEAST_SEGMENT, split
from kew.mqi.shaping import check_properties
from kew.mqi.together import TogetherPut
from kew.objects.catalogue import AttributeValue, Record
from kew.queues.administration import ALIAS, FAMILY, REMOTE
from kew.queues.queue import NO_CAP, Queue
from kew.security.opening import authorise_open
from kew.storage.log import LogAddress
from kew.storage.unit import Unit

_LEADS: Final = ("TARGET", "RNAME", "RQMNAME", "XMITQ")  # what a name leads to by a definition


class RemoteOutlet(PutOutlet):
    """A queue of another queue manager that a program has open, by the definitions on the way to it."""

    def __init__(self, way: list[Record], destination: Destination | None) -> None:
        super().__init__()
        self.kind = way[0].kind if way else ""  # of what was opened
        self.names = [record.name for record in way]
        self.destination = destination  # None: not open for puts
        if destination is not None:
            self.queue = destination.queue
        self._values: list[dict[str, AttributeValue]] = [{} for _record in way]
        self._expiry_cap = NO_CAP

    def take_over(self, handle: Handle, way: list[Record]) -> None:
        """Let what the definitions say now count: the defaults of the first, what any of them forbids or caps."""
        self._values = [record.values for record in way]
        self._expiry_cap = lowest_cap(way)
        handle.put_allowed_by_alias = True
        for record in way:
            if record.values["PUT"] != 0:
                handle.put_allowed_by_alias = False
        if way:
            first = way[0].values
            handle.alias_values = first
            persistence, priority = first["DEFPSIST"], first["DEFPRTY"]
            assert isinstance(persistence, int)
            assert isinstance(priority, int)
            handle.alias_persistence = persistence
            handle.alias_priority = priority

    def heed(self, engine: Engine, handle: Handle) -> None:
        """Look whether the definitions have changed; one that leads elsewhere now makes the handle useless."""
        queue = self.queue
        if queue is not None and queue.definition.get("USAGE") != MQUS_TRANSMISSION:
            raise MQError(MQRC_OBJECT_CHANGED, queue=queue.name)
        records = engine.catalogue.records
        changed = False
        way: list[Record] = []
        for place, name in enumerate(self.names):
            record = records.get((FAMILY, name))
            before = self._values[place]
            if record is None:
                raise MQError(MQRC_OBJECT_CHANGED, queue=name)
            if record.values is not before:
                for keyword in _LEADS:
                    if record.values.get(keyword) != before.get(keyword):
                        raise MQError(MQRC_OBJECT_CHANGED, queue=name, attribute=keyword)
                changed = True
            way.append(record)
        if changed:
            self.take_over(handle, way)

    def put(
        self,
        connection: Connection,
        handle: Handle,
        descriptor: MessageDescriptor,
        data: bytes,
        options: int,
        context: Handle | None,
    ) -> LogAddress | LongPut:
        """Put a message on the transmission queue; gives the log address to wait for, or a put to be continued."""
        check_put(options)
        if handle.owner != connection.number:
            raise MQError(MQRC_HOBJ_ERROR, handle=handle.number)
        destination = self.destination
        if not handle.output or destination is None:
            raise handle.refusal(MQRC_NOT_OPEN_FOR_OUTPUT)
        if options & MQPMO_FAIL_IF_QUIESCING:
            connection.refuse_if_quiescing()
        engine, queue = connection.engine, destination.queue
        self.heed(engine, handle)
        most = _most(connection, handle, queue, len(data), descriptor.message_flags)
        if engine.max_properties_length >= 0 and descriptor.format == RFH2_FORMAT:
            check_properties(engine.max_properties_length, descriptor, data)
        self._settle(handle, queue, descriptor)
        complete(connection, handle, descriptor, options, context, len(data))
        cap_expiry(descriptor, self._expiry_cap)
        cap_expiry(descriptor, queue.expiry_cap)
        unit = connection.unit_for_work() if options & MQPMO_SYNCPOINT else None
        self.copies = 1
        if handle.delay or descriptor.format == RFH2_FORMAT:
            delay = handle.delay or delay_of(descriptor, data)
            if delay > 0:
                outer, body = addressed(engine, destination, descriptor, data)
                staged = stage(engine, queue, outer, body, delay, unit)
                return TogetherPut(engine, [staged], unit, handle.logical, engine.on_delayed)
        if len(data) > most:
            new_ids = options & MQPMO_NEW_MSG_ID != 0
            return _put_segments(engine, handle, destination, descriptor, data, most, unit, new_ids)
        outer, body = addressed(engine, destination, descriptor, data)
        if queue.trigger is not None:
            return TogetherPut(engine, [Delivery(engine, queue, outer, body, unit)], unit, handle.logical)
        result = put_with_consequences(connection, handle, queue, outer, body, unit)
        if handle.logical is not None:
            handle.logical.was_put()
        return result

    def _settle(self, handle: Handle, queue: Queue, descriptor: MessageDescriptor) -> None:
        """Settle what the program leaves to the first definition on the way, or else to the transmission queue."""
        if self.names:
            settle_defaults(handle, descriptor, handle.alias_persistence, handle.alias_priority)
        else:
            settle_defaults(handle, descriptor, queue.default_persistence, queue.default_priority)
        refuse_persistent(queue, descriptor.persistence == MQPER_PERSISTENT)

    def close(self, connection: Connection, handle: Handle, options: int) -> None:
        """MQCLOSE."""
        check_close_plain(options, handle.opened_name)
        if self.queue is not None:
            self.queue.handles -= 1
            self.queue.output_handles -= 1
        handle.close()
        handle.outlet = None
        del connection.handles[handle.number]


def _most(connection: Connection, handle: Handle, queue: Queue, length: int, flags: int) -> int:
    """Refuse what the transmission queue does not take; gives how long a message may be, room for headers left."""
    most = check_queue(handle, queue, 0, connection, flags) - MQ_MSG_HEADER_LENGTH
    if length > most and not (flags & MQMF_SEGMENTATION_ALLOWED and most >= LEAST_SEGMENT):
        raise too_long(connection.engine, queue, length, most)
    return most


def _put_segments(
    engine: Engine,
    handle: Handle,
    destination: Destination,
    descriptor: MessageDescriptor,
    data: bytes,
    most: int,
    unit: Unit | None,
    new_ids: bool,
) -> LongPut:
    """Begin to put a message as segments, each behind a header of its own."""
    queue = destination.queue
    segments = split(descriptor.copy(), data, most, engine.ids, new_ids)
    refuse_full(queue, len(segments))
    if unit is not None and len(unit.operations) + len(segments) > engine.max_uncommitted:
        raise MQError(MQRC_SYNCPOINT_LIMIT_REACHED, messages=len(unit.operations))
    deliveries: list[Delivery] = []
    for described, part in segments:
        outer, body = addressed(engine, destination, described, part)
        deliveries.append(Delivery(engine, queue, outer, body, unit))
    return TogetherPut(engine, deliveries, unit, handle.logical)


# -- MQOPEN -----------------------------------------------------------------------------------------------------------


def leads_away(engine: Engine, record: Record) -> bool:
    """Say whether a definition is one of a remote queue, or an alias of one."""
    if record.kind != ALIAS:
        return record.kind == REMOTE
    target = engine.catalogue.records.get((FAMILY, str(record.values["TARGET"])))
    return target is not None and target.kind == REMOTE


def open_remote(connection: Connection, record: Record, options: int, alternate_user: str = "") -> Handle:
    """MQOPEN of a local definition of a remote queue, or of an alias of one; the request was checked."""
    engine = connection.engine
    destination = resolve(engine, record.name) if options & MQOO_OUTPUT else None
    if options & (INPUT | MQOO_BROWSE):
        raise MQError(MQRC_OPTION_NOT_VALID_FOR_TYPE, name=record.name, options=options)
    authorise_open(engine.authority, connection.principal, alternate_user, MQOT_Q, record.name, options)
    return _opened(connection, [record] if destination is None else destination.way, destination, record.name, options)


def open_elsewhere(connection: Connection, name: str, manager: str, options: int, alternate_user: str = "") -> Handle:
    """MQOPEN of a queue of another queue manager, by both names; its transmission queue counts for authority."""
    engine = connection.engine
    destination = resolve(engine, name, manager)
    if options & (INPUT | MQOO_BROWSE | MQOO_INQUIRE | MQOO_SET):
        raise MQError(MQRC_OPTION_NOT_VALID_FOR_TYPE, name=name, queue_manager=manager, options=options)
    authorise_open(engine.authority, connection.principal, alternate_user, MQOT_Q, destination.queue.name, options)
    return _opened(connection, destination.way, destination, name, options)


def _opened(
    connection: Connection, way: list[Record], destination: Destination | None, name: str, options: int
) -> Handle:
    handle = Handle(0, name if destination is None else destination.queue.name, options, None)
    handle.opened_name = name
    handle.output = options & MQOO_OUTPUT != 0
    handle.inquire = options & MQOO_INQUIRE != 0
    handle.set = options & MQOO_SET != 0
    outlet = RemoteOutlet(way, destination)
    connection.add_handle(handle)
    handle.outlet = outlet
    outlet.take_over(handle, way)
    if destination is not None:
        destination.queue.handles += 1
        destination.queue.output_handles += 1
    return handle


class Resolved:
    """What a program is told of where its messages go."""

    def __init__(self, queue: str, manager: str, away: bool) -> None:
        self.queue = queue  # ResolvedQName
        self.manager = manager  # ResolvedQMgrName
        self.away = away  # at another queue manager: not a known destination but an unknown one

    def counts(self) -> tuple[int, int, int]:
        """Give KnownDestCount, UnknownDestCount and InvalidDestCount of a call that has succeeded."""
        return (0, 1, 0) if self.away else (1, 0, 0)


def is_elsewhere(handle: Handle) -> bool:
    """Say whether what is put through a handle goes to another queue manager."""
    return isinstance(handle.outlet, RemoteOutlet)


def resolved(handle: Handle, queue_manager: str, local: bool = False) -> Resolved:
    """Give where messages that are put through a handle end or, on request, where they wait here."""
    outlet = handle.outlet
    if outlet is None:
        return Resolved(handle.name, queue_manager, False)
    if not isinstance(outlet, RemoteOutlet):
        return Resolved("", queue_manager, False)
    destination = outlet.destination
    if destination is None:
        return Resolved("", "", True)
    if local:
        return Resolved(destination.queue.name, queue_manager, True)
    return Resolved(destination.remote_queue, destination.remote_manager, True)
