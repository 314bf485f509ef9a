"""Finds the queue onto which a message for a name is put here: a local one, one behind an alias, a transmission queue.

A message for another queue manager goes to a transmission queue behind a header that says where it is to go. This is
for what the queue manager itself sends (copies, reports, dead letters).
"""

from kew.codes.attributes import MQUS_TRANSMISSION
from kew.codes.errors import MQError
from kew.codes.options import (
    MQAT_QMGR,
    MQENC_NATIVE,
    MQFMT_MD_EXTENSION,
    MQFMT_XMIT_Q_HEADER,
    MQMF_NONE,
    MQOL_UNDEFINED,
    MQRO_ACCEPT_UNSUP_IF_XMIT_MASK,
)
from kew.codes.reasons import (
    MQRC_ALIAS_BASE_Q_TYPE_ERROR,
    MQRC_OBJECT_DAMAGED,
    MQRC_PUT_INHIBITED,
    MQRC_UNKNOWN_ALIAS_BASE_Q,
    MQRC_UNKNOWN_OBJECT_NAME,
    MQRC_UNKNOWN_REMOTE_Q_MGR,
    MQRC_UNKNOWN_XMIT_Q,
    MQRC_XMIT_Q_TYPE_ERROR,
    MQRC_XMIT_Q_USAGE_ERROR,
)
from kew.formats import mqmde, mqxqh
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqmde import DescriptorExtension
from kew.formats.mqxqh import TransmissionHeader
from kew.mqi.engine import Engine
from kew.objects.catalogue import Record
from kew.objects.custom import cap_on_expiry
from kew.queues.administration import ALIAS, FAMILY, LOCAL, REMOTE
from kew.queues.match import NO_ID
from kew.queues.private import NO_CAP, PrivateQueue


class Destination:
    """A queue here, what an alias on the way says, and where the message goes from there."""

    def __init__(self, queue: PrivateQueue) -> None:
        self.queue = queue
        self.expiry_cap = NO_CAP  # of the alias
        self.remote_queue = ""  # blank with a manager below: what the program named is the queue manager's to know
        self.remote_manager = ""  # not blank: the queue is a transmission queue


def find(engine: Engine, name: str, manager: str = "") -> Destination:
    """Find the queue for a name, on this queue manager or, by way of a transmission queue, on another."""
    if manager and manager != engine.name:
        return _transmission(engine, name, manager, _alias_of_manager(engine, manager))
    queue = engine.queues.by_name.get(name)
    if queue is not None:
        return Destination(queue)
    record = engine.catalogue.records.get((FAMILY, name))
    if record is None:
        raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=name)
    if record.kind == ALIAS:
        return _alias(engine, record)
    if record.kind == REMOTE:
        remote = str(record.values["RNAME"])
        where = str(record.values["RQMNAME"])
        if where == engine.name and remote != name:
            return find(engine, remote)
        return _transmission(engine, remote, where, record)
    raise MQError(MQRC_OBJECT_DAMAGED if record.kind == LOCAL else MQRC_UNKNOWN_OBJECT_NAME, name=name)


def _alias(engine: Engine, record: Record) -> Destination:
    base = str(record.values["TARGET"])
    if record.values["PUT"] != 0:
        raise MQError(MQRC_PUT_INHIBITED, queue=record.name)
    target = engine.catalogue.records.get((FAMILY, base))
    queue = engine.queues.by_name.get(base)
    if queue is not None:
        found = Destination(queue)
    elif target is None:
        raise MQError(MQRC_UNKNOWN_ALIAS_BASE_Q, alias=record.name, target=base)
    elif target.kind == REMOTE:
        found = find(engine, base)
    else:
        reason = MQRC_OBJECT_DAMAGED if target.kind == LOCAL else MQRC_ALIAS_BASE_Q_TYPE_ERROR
        raise MQError(reason, alias=record.name, target=base)
    cap = record.values["CAPEXPRY"]
    assert isinstance(cap, int)
    lowest = cap_on_expiry(str(record.values["CUSTOM"]), cap)
    found.expiry_cap = NO_CAP if lowest is None else lowest
    return found


def _alias_of_manager(engine: Engine, manager: str) -> Record | None:
    record = engine.catalogue.records.get((FAMILY, manager))
    return record if record is not None and record.kind == REMOTE and not record.values["RNAME"] else None


def _transmission(engine: Engine, name: str, manager: str, record: Record | None) -> Destination:
    named = ""
    if record is not None:
        named = str(record.values["XMITQ"])
        manager = str(record.values["RQMNAME"])
    queue = engine.queues.by_name.get(named or manager)
    if queue is None:
        if named and (FAMILY, named) in engine.catalogue.records:
            raise MQError(MQRC_XMIT_Q_TYPE_ERROR, transmission_queue=named)
        reason = MQRC_UNKNOWN_XMIT_Q if named else MQRC_UNKNOWN_REMOTE_Q_MGR
        raise MQError(reason, name=name, queue_manager=manager)
    if queue.definition.get("USAGE") != MQUS_TRANSMISSION:
        reason = MQRC_XMIT_Q_USAGE_ERROR if named else MQRC_UNKNOWN_REMOTE_Q_MGR
        raise MQError(reason, name=name, queue_manager=manager, transmission_queue=queue.name)
    found = Destination(queue)
    found.remote_queue = name
    found.remote_manager = manager
    return found


def addressed(
    engine: Engine, destination: Destination, descriptor: MessageDescriptor, data: bytes
) -> tuple[MessageDescriptor, bytes]:
    """Give a message as it stands on the destination's queue: behind a header, if that is a transmission queue."""
    if not destination.remote_manager:
        return descriptor, data
    inner = descriptor.copy()
    extension = b""
    segmented = inner.message_flags != MQMF_NONE or inner.offset or inner.original_length != MQOL_UNDEFINED
    if segmented or inner.group_id != NO_ID or inner.sequence_number != 1:
        extension = mqmde.encode(
            DescriptorExtension(
                inner.encoding,
                inner.ccsid,
                inner.format,
                0,
                inner.group_id,
                inner.sequence_number,
                inner.offset,
                inner.message_flags,
                inner.original_length,
            )
        )
        inner.format = MQFMT_MD_EXTENSION
        inner.encoding = MQENC_NATIVE
        inner.ccsid = engine.ccsid
    inner.pad()
    header = TransmissionHeader(destination.remote_queue.encode(), destination.remote_manager.encode(), inner)
    engine.clock.now()
    outer = MessageDescriptor(
        report=descriptor.report & ~MQRO_ACCEPT_UNSUP_IF_XMIT_MASK,
        expiry=descriptor.expiry,
        ccsid=engine.ccsid,
        format=MQFMT_XMIT_Q_HEADER,
        priority=descriptor.priority,
        persistence=descriptor.persistence,
        message_id=engine.ids.next(),
        correlation_id=descriptor.message_id,
        user_identifier=descriptor.user_identifier,
        accounting_token=descriptor.accounting_token,
        application_identity_data=descriptor.application_identity_data,
        put_application_type=MQAT_QMGR,
        put_application_name=engine.name.encode()[:28].ljust(28),
        put_date=engine.clock.date,
        put_time=engine.clock.time,
    )
    return outer, mqxqh.encode(header) + extension + data
