"""A message that does not meet the policy of its queue: it goes to the error queue of message protection.

    SYSTEM.PROTECTION.ERROR.QUEUE      the message as it is stored, behind an MQDLH that says why it is there

It is taken off its queue and put there in one unit of work of its own, whatever the program's unit of work does, so
that the program gets the next message with its next get. The error queue may be an alias. Where it does not take the
message, the message stays where it is.
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
    """The message on its way to the error queue, and nowhere else."""

    def step(self) -> bool:
        """Go on; says whether it is there. May stall, and is then called again; what the queue refuses is raised."""
        if self._delivery is None:
            self._delivery = self._begin()
        self.done = self._delivery.step()
        if self.done:
            self._delivery.announce()
        return self.done


def set_aside(request: GetRequest, queue: Queue, item: MessageRef, failure: Rejected) -> None:
    """Move a message that is locked to the error queue, and then raise why. May stall, and is then called again."""
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
