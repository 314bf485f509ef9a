"""Dead letters: messages that cannot be delivered, behind an MQDLH, on the queue manager's dead-letter queue."""

from kew.codes.errors import MQError
from kew.codes.options import MQAT_QMGR, MQENC_NATIVE, MQFMT_DEAD_LETTER_HEADER
from kew.codes.reasons import MQRC_UNKNOWN_OBJECT_NAME
from kew.formats import mqdlh
from kew.formats.mqdlh import DeadLetterHeader
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.delivery.destination import Destination, find
from kew.mqi.engine import Engine


def dead_letter_queue(engine: Engine) -> str:
    """Give the name of the dead-letter queue, blank if the queue manager has none."""
    record = engine.catalogue.records.get(("QMGR", engine.name))
    return "" if record is None else str(record.values["DEADQ"])


def grave(engine: Engine) -> Destination:
    """Find the dead-letter queue, as a destination; None where there is no usable one."""
    name = dead_letter_queue(engine)
    if not name:
        raise MQError(MQRC_UNKNOWN_OBJECT_NAME, why="the queue manager has no dead-letter queue")
    return find(engine, name)


def letter(
    engine: Engine,
    descriptor: MessageDescriptor,
    data: bytes,
    queue: str,
    manager: str,
    reason: int,
    application: str = "",
) -> tuple[MessageDescriptor, bytes]:
    """Give a message behind an MQDLH that has the reason and the original destination.

    `application` is the PutApplName of the MQDLH: the part of the queue manager that could not deliver the message.
    """
    engine.clock.now()
    header = DeadLetterHeader(
        reason,
        queue.encode(),
        manager.encode(),
        descriptor.encoding,
        descriptor.ccsid,
        descriptor.format,
        MQAT_QMGR,
        (application or engine.name).encode()[:28],
        engine.clock.date,
        engine.clock.time,
    )
    dead = descriptor.copy()
    dead.format = MQFMT_DEAD_LETTER_HEADER
    dead.encoding = MQENC_NATIVE
    dead.ccsid = engine.ccsid
    return dead, mqdlh.encode(header) + data
