"""Streaming queues: a copy of each message put to a queue goes to another one.

The copy is the message but for what would make the queue manager send reports (those options are taken out) and for its
expiry (unlimited, or the cap of the queue it goes to). A copy is not copied again.

    STRMQOS(BESTEF)     the message is put whatever becomes of its copy
    STRMQOS(MUSTDUP)    both are put or neither is: they are in one unit of work, the program's or one of their own

`consequences.py` puts the message and its copy. What a crash leaves: with MUSTDUP both or neither, since the unit is
whole or undone. With BESTEF and out of syncpoint perhaps the message without its copy, of neither of which the program
had been told.
"""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQEI_UNLIMITED,
    MQRO_ACTIVITY,
    MQRO_COA_WITH_FULL_DATA,
    MQRO_COD_WITH_FULL_DATA,
    MQRO_EXCEPTION_WITH_FULL_DATA,
    MQRO_EXPIRATION_WITH_FULL_DATA,
)
from kew.codes.reasons import MQRC_NONE, MQRC_SYNCPOINT_LIMIT_REACHED, reason_name
from kew.mqi.delivery import Delivery, cap_expiry, refusal
from kew.mqi.destination import addressed, find
from kew.mqi.engine import Engine
from kew.mqi.handles import Handle
from kew.queues.private import NO_CAP, PrivateQueue
from kew.queues.stream import Stream

# Reports that the queue manager makes; those that programs make (PAN, NAN) stay.
GENERATING: Final = (
    MQRO_EXCEPTION_WITH_FULL_DATA
    | MQRO_EXPIRATION_WITH_FULL_DATA
    | MQRO_COA_WITH_FULL_DATA
    | MQRO_COD_WITH_FULL_DATA
    | MQRO_ACTIVITY
)


def copy_of(engine: Engine, stream: Stream, original: Delivery) -> Delivery:
    """Begin the delivery of the copy of a message that was put; raises the reason for which there can be none."""
    unit = original.unit
    if unit is not None and len(unit.operations) >= engine.max_uncommitted:
        raise MQError(MQRC_SYNCPOINT_LIMIT_REACHED, messages=len(unit.operations))
    destination = find(engine, stream.name)
    queue = destination.queue
    descriptor, data = original.descriptor, original.data
    capped = queue.expiry_cap != NO_CAP or destination.expiry_cap != NO_CAP
    if capped or descriptor.report & GENERATING or descriptor.expiry != MQEI_UNLIMITED:
        descriptor = descriptor.copy()
        descriptor.report &= ~GENERATING
        descriptor.expiry = MQEI_UNLIMITED
        cap_expiry(descriptor, queue.expiry_cap)
        cap_expiry(descriptor, destination.expiry_cap)
    if destination.remote_manager:
        descriptor, data = addressed(engine, destination, descriptor, data)
    reason = refusal(engine, queue, len(data), original.persistent)
    if reason != MQRC_NONE:
        raise MQError(reason, queue=queue.name)
    copy = Delivery(engine, queue, descriptor, data, unit)
    if descriptor is original.descriptor:
        copy.prefix = original.prefix
    return copy


def tell_of_failure(engine: Engine, handle: Handle, queue: PrivateQueue, stream: Stream, reason: int) -> None:
    """Tell the operator that a message was not copied, once for a handle and a reason."""
    if reason not in handle.stream_failures:
        handle.stream_failures.append(reason)
        engine.notices.tell("CSQM587E", (reason,), (stream.name, queue.name, reason_name(reason)))
