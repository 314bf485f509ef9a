"""Remote queues: MQOPEN, MQPUT and MQCLOSE of names that resolve to a transmission queue.

The handle of a remote queue has a put target instead of a queue. Messages put through the handle wait on the
transmission queue behind an MQXQH, put in the program's unit of work, until a channel sends them. The descriptor is
completed as for a local queue, with the defaults of the first definition on the way; confirmations of arrival are made
by the other queue manager. A definition that is opened only for MQINQ or MQSET need not lead to a queue.
"""

from typing import Final

from kew.codes.attributes import MQUS_TRANSMISSION
from kew.codes.errors import MQError
from kew.codes.options import (
    MQOO_BROWSE,
    MQOO_INQUIRE,
    MQOO_OUTPUT,
    MQOO_SET,
    MQOT_Q,
)
from kew.codes.reasons import (
    MQRC_OBJECT_CHANGED,
    MQRC_OPTION_NOT_VALID_FOR_TYPE,
)
from kew.codes.structures import MQ_MSG_HEADER_LENGTH
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.delivery.destination import Destination, addressed, lowest_cap, resolve
from kew.mqi.engine import Engine
from kew.mqi.options import INPUT
from kew.mqi.puts.request import PutRequest
from kew.mqi.puts.target import SingleTarget
from kew.objects.catalogue import AttributeValue, Record
from kew.queues.administration import ALIAS, FAMILY, REMOTE
from kew.security.openauthority import authorise_open

_LEADS: Final = ("TARGET", "RNAME", "RQMNAME", "XMITQ")  # the name that a definition leads to


class RemoteOutlet(SingleTarget):
    """A remote queue that a program has open, with the definitions that lead to it."""

    def __init__(self, way: list[Record], destination: Destination | None) -> None:
        super().__init__()
        self.kind = way[0].kind if way else ""  # of what was opened
        self.names = [record.name for record in way]
        self.headers = MQ_MSG_HEADER_LENGTH
        self.destination = destination  # None: not open for puts
        if destination is not None:
            self.queue = destination.queue
        self._values: list[dict[str, AttributeValue]] = [{} for _record in way]

    def take_over(self, handle: Handle, way: list[Record]) -> None:
        """Take over the attributes of the definitions: defaults of the first, inhibition and caps of all."""
        self._values = [record.values for record in way]
        handle.expiry_cap = lowest_cap(way)
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

    def admit(self, request: PutRequest) -> None:
        """Take over the definitions as they are now."""
        self.refresh_definitions(request.connection.engine, request.handle)

    def refresh_definitions(self, engine: Engine, handle: Handle) -> None:
        """Take over changed definitions; one that leads to another queue now makes the handle unusable (2041)."""
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

    def addressed(self, engine: Engine, descriptor: MessageDescriptor, data: bytes) -> tuple[MessageDescriptor, bytes]:
        """Give a message as it is stored on the transmission queue."""
        destination = self.destination
        assert destination is not None
        return addressed(engine, destination, descriptor, data)

    def let_go(self, engine: Engine) -> None:
        """Count one open fewer of the transmission queue."""
        if self.queue is not None:
            self.queue.handles -= 1
            self.queue.output_handles -= 1


# -- MQOPEN -----------------------------------------------------------------------------------------------------------


def leads_away(engine: Engine, record: Record) -> bool:
    """Say whether a definition is that of a remote queue, or an alias of one."""
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
    """MQOPEN by the names of queue and queue manager; authority is checked on the transmission queue."""
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
    """The resolved names and destination counts that MQOPEN, MQPUT and MQPUT1 return."""

    def __init__(self, queue: str, manager: str, away: bool) -> None:
        self.queue = queue  # ResolvedQName
        self.manager = manager  # ResolvedQMgrName
        self.away = away  # at another queue manager: not a known destination but an unknown one

    def counts(self) -> tuple[int, int, int]:
        """Give KnownDestCount, UnknownDestCount and InvalidDestCount of a call that has succeeded."""
        return (0, 1, 0) if self.away else (1, 0, 0)


def is_elsewhere(handle: Handle) -> bool:
    """Say whether messages put through a handle go to another queue manager."""
    return isinstance(handle.outlet, RemoteOutlet)


def resolved(handle: Handle, queue_manager: str, local: bool = False) -> Resolved:
    """Give the resolved names of a handle: those of the destination or, on request, of the local queue."""
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
