"""Confirmation of delivery: the report on a message that is got, sent in one unit of work with taking the message.

A report may take several steps; the message is locked meanwhile, and a get that is given up takes the report back.
"""

from kew.codes.options import MQFB_COD
from kew.formats.mqmd import LENGTH, MessageDescriptor, decode_stored
from kew.mqi.connections.connection import backed_out
from kew.mqi.delivery.reports import report
from kew.mqi.gets.request import GetRequest, begin_long
from kew.queues.queue import Queue
from kew.storage.log import LogAddress
from kew.storage.message import WHOLE, MessageRef
from kew.storage.recovery.attempt import Attempt
from kew.storage.stall import Stall
from kew.storage.unit import IN_COMMIT, Unit


class ReportGoesOn(Stall):
    """A get is between two of its steps: others shall have the lock before it goes on."""

    def resolve(self) -> None:
        """Let others go first."""


def undo_report(request: GetRequest) -> None:
    """Undo a report whose message is not delivered, if there is one. May stall, and does no harm twice."""
    if request.confirmation is not None:
        request.confirmation.abandon()
    if request.attempt is not None:
        request.attempt.give_up()
    request.confirmation = None
    request.attempt = None


def take_with_report(
    request: GetRequest,
    queue: Queue,
    item: MessageRef,
    descriptor: MessageDescriptor,
    body: bytes,
    differs: bool,
    unit: Unit | None,
) -> LogAddress:
    """Send the confirmation of delivery and take the message, in one unit; it is locked meanwhile. May stall.

    What the report quotes is the message as it is stored where that `differs` from what the program is given: it is cut
    to a buffer, or a transform has made something else of it.
    """
    engine = request.connection.engine
    attempt = request.attempt
    if attempt is None:
        if differs:
            content = queue.describe(item, WHOLE).content
            descriptor, body = _as_stored(descriptor, content), content[LENGTH:]
        if request.long is None:
            begin_long(request, queue, item)
        attempt = request.attempt = Attempt(engine.units, unit)
        request.confirmation = report(engine, descriptor, body, MQFB_COD, attempt.unit)
    if attempt.unit.forced_out:
        raise backed_out(attempt.unit)
    if request.confirmation is not None and not request.confirmation.step():
        raise ReportGoesOn("a report of several pages goes on")
    if attempt.unit.state != IN_COMMIT:
        queue.take(item, attempt.unit)
    address = attempt.commit()
    request.confirmation = None
    request.attempt = None
    request.long = None
    return address


def _as_stored(descriptor: MessageDescriptor, content: bytes) -> MessageDescriptor:
    """Give a descriptor that says of the data what the stored one says of them."""
    stored, copy = decode_stored(content, 0), descriptor.copy()
    copy.format, copy.encoding, copy.ccsid = stored.format, stored.encoding, stored.ccsid
    return copy
