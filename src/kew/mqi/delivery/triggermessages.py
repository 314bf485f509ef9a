"""Trigger messages: put on initiation queues by a put that triggers, or by the trigger thread."""

from typing import Final

from kew.codes.options import MQAT_QMGR, MQENC_NATIVE, MQFMT_TRIGGER, MQPER_PERSISTENT
from kew.codes.reasons import (
    MQRC_MSG_TOO_BIG_FOR_Q,
    MQRC_NONE,
    MQRC_PAGESET_FULL,
    MQRC_PUT_INHIBITED,
    MQRC_Q_FULL,
    MQRC_RESOURCE_PROBLEM,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from kew.formats.mqmd import MessageDescriptor, encode
from kew.mqi.engine import Engine
from kew.queues.queue import Queue
from kew.storage.message import StoreFull
from kew.storage.stall import Stall
from kew.storage.unit import Unit

_BLANK_12: Final = b" " * 12
_BLANK_32: Final = b" " * 32


def trigger_descriptor(engine: Engine, priority: int, persistence: int) -> MessageDescriptor:
    """Give the descriptor of a trigger message: the queue manager's context, the initiation queue's defaults."""
    engine.clock.now()
    name = engine.name.encode()
    return MessageDescriptor(
        encoding=MQENC_NATIVE,
        ccsid=engine.ccsid,
        format=MQFMT_TRIGGER,
        priority=priority,
        persistence=persistence,
        message_id=engine.ids.next(),
        reply_to_queue_manager=name,
        user_identifier=_BLANK_12,
        application_identity_data=_BLANK_32,
        put_application_type=MQAT_QMGR,
        put_application_name=name[:28].ljust(28),
        put_date=engine.clock.date,
        put_time=engine.clock.time,
    )


def put_trigger_message(engine: Engine, queue: Queue, unit: Unit | None) -> int:
    """Put the trigger message of a queue, in a unit of work or at once; gives the reason if it cannot be put.

    Runs under the engine lock; may stall, and is then called again.
    """
    triggers = engine.queues.triggers
    initiation = triggers.initiation_queue(queue)
    if initiation is None:
        return MQRC_UNKNOWN_OBJECT_NAME
    data = triggers.message(queue)
    if not initiation.put_allowed:
        return MQRC_PUT_INHIBITED
    if initiation.depth >= initiation.max_depth:
        return MQRC_Q_FULL
    if len(data) > initiation.max_length:
        return MQRC_MSG_TOO_BIG_FOR_Q
    descriptor = trigger_descriptor(engine, initiation.default_priority, initiation.default_persistence)
    persistent = descriptor.persistence == MQPER_PERSISTENT
    try:
        item = initiation.put(descriptor, encode(descriptor), data, persistent, 0, unit)
    except StoreFull:
        return MQRC_PAGESET_FULL
    if unit is None and initiation.waiters.count:
        engine.queues.item_available(initiation, item)
    return MQRC_NONE


def trigger_message_follows(engine: Engine, queue: Queue, unit: Unit | None) -> None:
    """Put the trigger message for a message that was just stored; where that would stall, leave it to the thread."""
    triggers = engine.queues.triggers
    triggers.happened(queue, unit)
    try:
        reason = put_trigger_message(engine, queue, unit)
    except Stall:
        reason = MQRC_RESOURCE_PROBLEM
    if reason:
        triggers.put_later(queue)  # the trigger thread, which may wait, tries again, and tells the operator
