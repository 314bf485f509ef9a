"""Reservations: messages that are sent ahead to a client whose gets are in a unit of work.

A message that is on its way to its program is reserved: no other get finds the message, nothing is logged, and the
message belongs to no unit of work. Once the program has received it, the message is taken in the program's unit, as a
get would take it, before that unit is committed or backed out. Reserved messages that the program has not received when
it backs out, closes its handle or dies are available again, in their old order and with their old backout counts.
"""

from collections import deque

from kew.codes.errors import MQError
from kew.codes.options import MQGMO_SYNCPOINT
from kew.codes.reasons import MQRC_SYNCPOINT_LIMIT_REACHED
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle, Reservation
from kew.mqi.delivery.reports import confirms_delivery
from kew.mqi.gets.deliveryreport import take_with_report, undo_report
from kew.mqi.gets.request import GetRequest, offer
from kew.queues.queue import Queue
from kew.storage.message import MessageRef


def check_room(connection: Connection) -> None:
    """Refuse to reserve more messages than the unit of work could still take."""
    held = connection.reserved
    if connection.unit is not None:
        held += len(connection.unit.operations)
    if held >= connection.engine.max_uncommitted:
        raise MQError(MQRC_SYNCPOINT_LIMIT_REACHED, messages=held)


def reserve(
    request: GetRequest, queue: Queue, item: MessageRef, descriptor: MessageDescriptor, body: bytes, differs: bool
) -> None:
    """Reserve a message for the program that it is sent to."""
    handle = request.handle
    reserved = handle.reserved
    if reserved is None:
        reserved = handle.reserved = deque()
        request.connection.reserves = True
    queue.hold(item)
    queue.uncommitted += 1
    request.connection.reserved += 1
    if confirms_delivery(descriptor):  # the report needs them when the message is taken
        reserved.append(Reservation(item, descriptor, body, differs))
    else:
        reserved.append(Reservation(item, None, b"", False))


def release(connection: Connection, handle: Handle) -> None:
    """Release the messages that a handle has reserved. May stall, and is then called again."""
    reserved, queue = handle.reserved, handle.queue
    if reserved is None or queue is None:
        return
    while reserved:
        item = reserved[0].item
        queue.let_go(item)
        queue.uncommitted -= 1
        connection.reserved -= 1
        reserved.popleft()
        offer(connection, queue, item)


def release_all(connection: Connection) -> None:
    """Release the messages that all handles of a connection have reserved. May stall, and is then called again."""
    for handle in connection.handles.values():
        release(connection, handle)


class ReservedMessagesTaken:
    """The taking of reserved messages, in the program's unit of work, once the program has received them."""

    def __init__(self, connection: Connection, handle: Handle, count: int) -> None:
        self._connection = connection
        self._handle = handle
        self._left = count
        self._request: GetRequest | None = None  # of a message whose delivery is being confirmed

    def run(self) -> None:
        """Take the messages. May stall, and is then called again."""
        reserved, queue = self._handle.reserved, self._handle.queue
        if reserved is None or queue is None:
            return
        while self._left > 0 and reserved:
            self._take(queue, reserved[0])
            queue.uncommitted -= 1
            self._connection.reserved -= 1
            reserved.popleft()
            self._left -= 1

    def _take(self, queue: Queue, first: Reservation) -> None:
        unit = self._connection.unit_for_work()
        descriptor = first.descriptor
        if descriptor is None:
            queue.take(first.item, unit)
            return
        request = self._request
        if request is None:
            request = self._request = GetRequest(self._connection, self._handle, MQGMO_SYNCPOINT, None, -1)
        take_with_report(request, queue, first.item, descriptor, first.body, first.differs, unit)
        self._request = None

    def fail(self) -> None:
        """Back out the unit of work, since it lacks messages that its program has received. May stall."""
        connection = self._connection
        request = self._request
        if request is not None:
            undo_report(request)
        self._request = None
        unit = connection.unit
        if unit is None:
            unit = connection.unit = connection.engine.units.begin()
        if not unit.forced_out:
            connection.engine.units.backout(unit)
            unit.forced_out = True
        release_all(connection)
