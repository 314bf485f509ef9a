"""Messages that a channel cannot deliver: exception reports, and the dead-letter queue of this queue manager."""

from functools import partial
from typing import Final

from kew.codes.options import MQPER_NOT_PERSISTENT, MQPER_PERSISTENT, MQRO_DISCARD_MSG
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.delivery.deadletter import grave, letter
from kew.mqi.delivery.delivery import QueueDelivery
from kew.mqi.delivery.destination import addressed
from kew.mqi.delivery.reports import asked_for, deliver, report
from kew.mqi.engine import Engine
from kew.storage.unit import Unit

HIGHEST_PRIORITY: Final = 9


class Undelivered:
    """A message without its MQXQH, and where the message was to go."""

    def __init__(self, descriptor: MessageDescriptor, data: bytes, queue: str, manager: str) -> None:
        self.descriptor = descriptor
        self.data = data
        self.queue = queue
        self.manager = manager


def _complete(descriptor: MessageDescriptor) -> None:
    """Set priority and persistence to valid values, since a program may put an MQXQH of its own with any values."""
    if not 0 <= descriptor.priority <= HIGHEST_PRIORITY:
        descriptor.priority = 0
    if descriptor.persistence not in (MQPER_NOT_PERSISTENT, MQPER_PERSISTENT):
        descriptor.persistence = MQPER_PERSISTENT


def send_report(engine: Engine, message: Undelivered, reason: int, unit: Unit | None) -> bool:
    """Send the exception report that a message asks for; say whether the message is then to be discarded."""
    if not asked_for(message.descriptor.report, reason):
        return False
    _complete(message.descriptor)
    sending = report(engine, message.descriptor, message.data, reason, unit)
    while not engine.run(sending.step):
        continue
    return message.descriptor.report & MQRO_DISCARD_MSG != 0


def bury(engine: Engine, message: Undelivered, reason: int, unit: Unit | None, application: str) -> None:
    """Put a message on the dead-letter queue, or raise the MQError of a failure."""
    delivery = engine.run(partial(_begin, engine, message, reason, unit, application))
    try:
        while not engine.run(delivery.step):
            continue
    except BaseException:
        engine.run(delivery.abandon)
        raise
    engine.run(delivery.announce)


def _begin(engine: Engine, message: Undelivered, reason: int, unit: Unit | None, application: str) -> QueueDelivery:
    destination = grave(engine)
    _complete(message.descriptor)
    dead, body = letter(engine, message.descriptor, message.data, message.queue, message.manager, reason, application)
    dead, body = addressed(engine, destination, dead, body)
    return deliver(engine, destination, dead, body, unit)
