"""Confirmation of delivery (COD): a report on a message that is got, sent in the unit of work that takes the message.

A report may take several steps. The message is locked meanwhile, and a get that is abandoned undoes the report.
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
    """The stall of a get between two steps of its report, so that other verbs have the lock."""

    def resolve(self) -> None:
        """Do nothing: other verbs had the lock before the get is called again."""


def undo_report(request: GetRequest) -> None:
    """Undo the report on a message that is not delivered, if there is one. May stall, and may be called twice."""
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
    """Send the COD report and take the message, in one unit of work; the message is locked meanwhile. May stall.

    The report quotes the stored message. `differs` says that the program receives a changed message: truncated, or the
    result of a transform.
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
    """Give a copy of the descriptor with format, encoding and character set of the stored message."""
    stored, copy = decode_stored(content, 0), descriptor.copy()
    copy.format, copy.encoding, copy.ccsid = stored.format, stored.encoding, stored.ccsid
    return copy
