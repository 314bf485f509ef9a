"""Confirmation of delivery: the report on a message that is got, sent in one unit of work with taking the message.

A report may take several steps; the message is locked meanwhile, and a get that is given up takes the report back.
"""

from kew.codes.options import MQFB_COD
from kew.formats.mqmd import LENGTH, MessageDescriptor
from kew.mqi.connect import backed_out
from kew.mqi.getrequest import GetRequest, begin_long
from kew.mqi.reports import Sending, report
from kew.queues.queue import Queue
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.pages.item import Item
from kew.storage.pages.longitem import Reading
from kew.storage.stall import Stall
from kew.storage.unit import BEGIN, IN_BACKOUT, IN_COMMIT, IN_FLIGHT, Unit


class MoreToDo(Stall):
    """A get is between two of its steps: others shall have the lock before it goes on."""

    def resolve(self) -> None:
        """Let others go first."""


def take_back(request: GetRequest, confirmation: Sending) -> None:
    """Undo a report whose message is not delivered."""
    confirmation.abandon()
    units, own, unit = request.connection.engine.units, request.own_unit, confirmation.unit
    if own is None:
        if unit is not None and unit.state == IN_FLIGHT and not unit.forced_out:
            units.undo_to(unit, request.before)
    elif own.state == BEGIN:
        units.forget(own)
    elif own.state == IN_FLIGHT or own.state == IN_BACKOUT:
        units.backout(own)
    request.confirmation = None
    request.own_unit = None


def take_confirmed(
    request: GetRequest,
    queue: Queue,
    item: Item,
    descriptor: MessageDescriptor,
    body: bytes,
    cut: bool,
    unit: Unit | None,
) -> LogAddress:
    """Send the confirmation of delivery and take the message, in one unit; it is locked meanwhile. May stall."""
    engine = request.connection.engine
    confirmation = request.confirmation
    if confirmation is None:
        whole = Reading(queue.store, item).finish()[LENGTH:] if cut else body
        if request.long is None:
            begin_long(request, queue, item)
        if unit is None:
            unit = engine.units.begin()
            request.own_unit = unit
        request.before = len(unit.operations)
        confirmation = report(engine, descriptor, whole, MQFB_COD, unit)
        request.confirmation = confirmation
    own = request.own_unit
    if own is not None and own.forced_out:
        raise backed_out(own)
    if not confirmation.step():
        raise MoreToDo("a report of several pages goes on")
    address = NO_ADDRESS
    if own is None or own.state != IN_COMMIT:
        address = queue.take(item, confirmation.unit)
    if own is not None:
        address = engine.units.commit(own)
        engine.queues.unit_ended()
    request.confirmation = None
    request.own_unit = None
    request.long = None
    return address
