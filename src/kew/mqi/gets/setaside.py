"""Moves a message that does not meet the policy of its queue to the error queue of message protection.

    SYSTEM.PROTECTION.ERROR.QUEUE      the message as it is stored, behind an MQDLH with the reason

The message is taken off its queue and put on the error queue in a unit of work that is not the program's, so that the
program gets the next message with its next get. The error queue may be an alias. If the error queue does not accept the
message, the message stays on its queue.
"""

from typing import Final

from kew.codes.errors import MQError
from kew.formats.mqmd import LENGTH, decode_stored
from kew.mqi.delivery.deadletter import letter
from kew.mqi.delivery.reports import ReportDelivery
from kew.mqi.gets.deliveryreport import ReportGoesOn, undo_report
from kew.mqi.gets.request import GetRequest
from kew.mqi.messages.transform import Rejected
from kew.queues.queue import Queue
from kew.storage.message import WHOLE, MessageRef
from kew.storage.recovery.attempt import Attempt
from kew.storage.unit import IN_COMMIT

ERROR_QUEUE: Final = "SYSTEM.PROTECTION.ERROR.QUEUE"
APPLICATION: Final = "message protection"


class _SettingAside(ReportDelivery):
    """The delivery of the message to the error queue, and never to the dead-letter queue."""

    def step(self) -> bool:
        """Take a step; says whether the message is on the error queue. May stall; a refusal by that queue is raised."""
        if self._delivery is None:
            self._delivery = self._begin()
        self.done = self._delivery.step()
        if self.done:
            self._delivery.announce()
        return self.done


def set_aside(request: GetRequest, queue: Queue, item: MessageRef, failure: Rejected) -> None:
    """Move a locked message to the error queue, then raise its failure. May stall, and is then called again."""
    engine = request.connection.engine
    attempt = request.attempt
    if attempt is None:
        content = queue.describe(item, WHOLE).content
        dead, data = letter(
            engine,
            decode_stored(content, 0),
            content[LENGTH:],
            request.handle.opened_name,
            engine.name,
            failure.reason,
            APPLICATION,
        )
        attempt = request.attempt = Attempt(engine.units, None)
        request.confirmation = _SettingAside(engine, dead, data, ERROR_QUEUE, "", attempt.unit)
    try:
        if request.confirmation is not None and not request.confirmation.step():
            raise ReportGoesOn("a message of several pages is set aside")
    except MQError as refused:
        undo_report(request)
        failure.facts["not_moved"] = f"{ERROR_QUEUE}: {refused}"
        raise failure from refused
    if attempt.unit.state != IN_COMMIT:
        queue.take(item, attempt.unit)
    attempt.commit()
    request.confirmation = request.attempt = request.long = request.turning = None
    raise failure
