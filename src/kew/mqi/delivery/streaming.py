"""Streaming queues: each message put to a queue is copied to a second queue.

The copy equals the message, but has no report options for the queue manager, and its expiry is unlimited, or the cap of
the second queue. A copy is not copied again. A copy for an alias of a topic is published there, from the queue manager,
with a message id of its own for each subscriber.

    STRMQOS(BESTEF)     the message is put whatever becomes of its copy
    STRMQOS(MUSTDUP)    both are put or neither is: they are in one unit of work, the program's or one of their own

`followups.py` puts the message and its copy. With MUSTDUP a crash leaves both or neither, since they are in one unit.
With BESTEF and out of syncpoint a crash may leave the message without its copy; the put was not yet acknowledged to the
program.
"""

from abc import abstractmethod
from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQAT_QMGR,
    MQEI_UNLIMITED,
    MQOT_TOPIC,
    MQRO_ACTIVITY,
    MQRO_COA_WITH_FULL_DATA,
    MQRO_COD_WITH_FULL_DATA,
    MQRO_EXCEPTION_WITH_FULL_DATA,
    MQRO_EXPIRATION_WITH_FULL_DATA,
)
from kew.codes.reasons import MQRC_PUT_INHIBITED, MQRC_SYNCPOINT_LIMIT_REACHED, reason_name
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.connection import Connection
from kew.mqi.delivery.delivery import DeliverySteps, QueueDelivery, cap_expiry, refuse
from kew.mqi.delivery.destination import addressed, find
from kew.mqi.engine import Engine
from kew.objects.catalogue import Record
from kew.objects.schema.custom import cap_on_expiry
from kew.queues.administration import ALIAS, FAMILY
from kew.queues.queue import NO_CAP, Queue, StreamQueue

# Reports that the queue manager makes; those that programs make (PAN, NAN) stay.
GENERATING: Final = (
    MQRO_EXCEPTION_WITH_FULL_DATA
    | MQRO_EXPIRATION_WITH_FULL_DATA
    | MQRO_COA_WITH_FULL_DATA
    | MQRO_COD_WITH_FULL_DATA
    | MQRO_ACTIVITY
)


class TopicStreams:
    """The interface that publishes stream copies to aliases of topics; `publishing/topicstream.py` implements it."""

    @abstractmethod
    def copy(
        self, connection: Connection, alias: Record, descriptor: MessageDescriptor, original: QueueDelivery
    ) -> DeliverySteps:
        """Begin the publication of a copy on the topic of an alias."""


def copy_of(connection: Connection, stream: StreamQueue, original: QueueDelivery) -> DeliverySteps:
    """Begin the delivery of the copy of a message that was put; raises an MQError if no copy can be made."""
    engine, unit = connection.engine, original.unit
    if unit is not None and len(unit.operations) >= engine.max_uncommitted:
        raise MQError(MQRC_SYNCPOINT_LIMIT_REACHED, messages=len(unit.operations))
    if stream.name not in engine.queues.by_name:
        alias = engine.catalogue.records.get((FAMILY, stream.name))
        if alias is not None and alias.kind == ALIAS and alias.values["TARGTYPE"] == MQOT_TOPIC:
            return _published(connection, alias, original)
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
    refuse(engine, queue, len(data), original.persistent)
    return QueueDelivery(engine, queue, descriptor, data, unit)


def _published(connection: Connection, alias: Record, original: QueueDelivery) -> DeliverySteps:
    """Begin the publication of the copy, with the queue manager as its publisher."""
    engine = connection.engine
    if alias.values["PUT"] != 0:
        raise MQError(MQRC_PUT_INHIBITED, queue=alias.name)
    assert isinstance(engine.topic_streams, TopicStreams)
    descriptor = original.descriptor.copy()
    descriptor.report &= ~GENERATING
    descriptor.expiry = MQEI_UNLIMITED
    cap = alias.values["CAPEXPRY"]
    assert isinstance(cap, int)
    lowest = cap_on_expiry(str(alias.values["CUSTOM"]), cap)
    if lowest is not None:
        cap_expiry(descriptor, lowest)
    descriptor.put_application_type = MQAT_QMGR
    descriptor.put_application_name = engine.name.encode()[:28].ljust(28)
    return engine.topic_streams.copy(connection, alias, descriptor, original)


def tell_of_failure(engine: Engine, told: list[int], queue: Queue, stream: StreamQueue, reason: int) -> None:
    """Report to the operator that a message was not copied, once for each reason; `told` has the reported reasons."""
    if reason not in told:
        told.append(reason)
        engine.notices.tell("CSQM587E", (reason,), (stream.name, queue.name, reason_name(reason)))
