"""Name resolution: from the name of a queue, and of a queue manager, to the local queue that takes the message.

The queue found is a local queue, perhaps behind an alias, or a transmission queue. A message for another queue manager
goes to a transmission queue behind an MQXQH with its destination. Opens of programs (`puts/remote.py`) and messages of
the queue manager itself (copies, reports, dead letters) are resolved here. These names lead to a transmission queue, as
in MQ:

    a local definition of a remote queue    its XMITQ; else the queue named as its RQMNAME; else DEFXMITQ
    a queue manager alias, which is such    the same, with the name that the program gave for the queue; its RQMNAME may
    a definition without RNAME              be this queue manager, and then the queue is local
    the name of another queue manager       the queue of that name, else DEFXMITQ
"""

from typing import Final

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
    MQRC_DEF_XMIT_Q_TYPE_ERROR,
    MQRC_DEF_XMIT_Q_USAGE_ERROR,
    MQRC_OBJECT_DAMAGED,
    MQRC_PUT_INHIBITED,
    MQRC_REMOTE_Q_NAME_ERROR,
    MQRC_UNKNOWN_ALIAS_BASE_Q,
    MQRC_UNKNOWN_DEF_XMIT_Q,
    MQRC_UNKNOWN_OBJECT_NAME,
    MQRC_UNKNOWN_REMOTE_Q_MGR,
    MQRC_UNKNOWN_XMIT_Q,
    MQRC_XMIT_Q_TYPE_ERROR,
    MQRC_XMIT_Q_USAGE_ERROR,
)
from kew.formats import mqmde, mqxqh
from kew.formats.binary import FormatError
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqmde import DescriptorExtension
from kew.formats.mqxqh import TransmissionHeader
from kew.mqi.engine import Engine
from kew.mqi.messages.extension import absorb
from kew.objects.catalogue import Record
from kew.objects.schema.custom import cap_on_expiry
from kew.queues.administration import ALIAS, FAMILY, LOCAL, MODEL, REMOTE
from kew.queues.match import NO_ID
from kew.queues.queue import NO_CAP, Queue

NAME_LENGTH: Final = 48


class Destination:
    """A local queue, the definitions that led to it, and the remote destination of the message, if it has one."""

    def __init__(self, queue: Queue, way: list[Record]) -> None:
        self.queue = queue
        self.way = way  # aliases and definitions of remote queues, in the order in which names led through them
        self.expiry_cap = lowest_cap(way)
        self.remote_queue = ""
        self.remote_manager = ""  # not blank: the queue is a transmission queue


def lowest_cap(way: list[Record]) -> int:
    """Give the lowest CAPEXPRY of the definitions that led to a queue; NO_CAP if none has one."""
    lowest = NO_CAP
    for record in way:
        cap = record.values["CAPEXPRY"]
        assert isinstance(cap, int)
        effective = cap_on_expiry(str(record.values["CUSTOM"]), cap)
        if effective is not None and (lowest == NO_CAP or effective < lowest):
            lowest = effective
    return lowest


def find(engine: Engine, name: str, manager: str = "") -> Destination:
    """Find the queue for a message of the queue manager itself; refused if a definition on the way inhibits puts."""
    found = resolve(engine, name, manager)
    for record in found.way:
        if record.values["PUT"] != 0:
            raise MQError(MQRC_PUT_INHIBITED, queue=record.name)
    return found


def elsewhere(engine: Engine, manager: str) -> str:
    """Give the remote queue manager that a name means; blank if the name, or its alias, means this queue manager."""
    if not manager or manager == engine.name:
        return ""
    record = engine.catalogue.records.get((FAMILY, manager))
    if record is None or record.kind != REMOTE:
        return manager
    return "" if not record.values["RNAME"] and record.values["RQMNAME"] == engine.name else manager


def resolve(engine: Engine, name: str, manager: str = "") -> Destination:
    """Find the queue for a name, on this queue manager or, by way of a transmission queue, on another."""
    if elsewhere(engine, manager):
        return _elsewhere(engine, name, manager)
    queue = engine.queues.by_name.get(name)
    if queue is not None:
        return Destination(queue, [])
    record = engine.catalogue.records.get((FAMILY, name))
    if record is None:
        raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=name)
    if record.kind == ALIAS:
        return _alias(engine, record)
    if record.kind == REMOTE:
        return _remote(engine, record, [record])
    raise MQError(MQRC_OBJECT_DAMAGED if record.kind == LOCAL else MQRC_UNKNOWN_OBJECT_NAME, name=name)


def _alias(engine: Engine, record: Record) -> Destination:
    base = str(record.values["TARGET"])
    queue = engine.queues.by_name.get(base)
    if queue is not None:
        return Destination(queue, [record])
    target = engine.catalogue.records.get((FAMILY, base))
    if target is None:
        raise MQError(MQRC_UNKNOWN_ALIAS_BASE_Q, alias=record.name, target=base)
    if target.kind == REMOTE:
        return _remote(engine, target, [record, target])
    reason = MQRC_OBJECT_DAMAGED if target.kind == LOCAL else MQRC_ALIAS_BASE_Q_TYPE_ERROR
    raise MQError(reason, alias=record.name, target=base)


def _remote(engine: Engine, record: Record, way: list[Record]) -> Destination:
    """Follow a local definition of a remote queue; it must name a queue at another queue manager."""
    name, manager = str(record.values["RNAME"]), str(record.values["RQMNAME"])
    if not name:
        raise MQError(MQRC_REMOTE_Q_NAME_ERROR, name=record.name)
    if not manager or manager == engine.name:
        raise MQError(MQRC_UNKNOWN_REMOTE_Q_MGR, name=record.name, queue_manager=manager)
    return _transmission(engine, name, manager, str(record.values["XMITQ"]), way)


def _elsewhere(engine: Engine, name: str, manager: str) -> Destination:
    """Follow the name of another queue manager, or of an alias of one."""
    if not name or len(name.encode()) > NAME_LENGTH:
        raise MQError(MQRC_REMOTE_Q_NAME_ERROR, name=name, queue_manager=manager)
    if len(manager.encode()) > NAME_LENGTH:
        raise MQError(MQRC_UNKNOWN_REMOTE_Q_MGR, name=name, queue_manager=manager)
    record = engine.catalogue.records.get((FAMILY, manager))
    if record is None or record.kind not in (REMOTE, MODEL):
        return _transmission(engine, name, manager, "", [])
    where = str(record.values["RQMNAME"]) if record.kind == REMOTE and not record.values["RNAME"] else ""
    if not where:
        raise MQError(MQRC_UNKNOWN_REMOTE_Q_MGR, name=name, queue_manager=manager)
    return _transmission(engine, name, where, str(record.values["XMITQ"]), [record])


def _transmission(engine: Engine, name: str, manager: str, named: str, way: list[Record]) -> Destination:
    """Find the transmission queue: the one named in the definition, that with the queue manager's name, or DEFXMITQ."""
    through = named or manager
    if through in engine.queues.by_name:
        found = Destination(_usable(engine, through, MQRC_XMIT_Q_USAGE_ERROR), way)
    elif named:
        known = (FAMILY, named) in engine.catalogue.records
        reason = MQRC_XMIT_Q_TYPE_ERROR if known else MQRC_UNKNOWN_XMIT_Q
        raise MQError(reason, name=name, queue_manager=manager, transmission_queue=named)
    elif way and (FAMILY, manager) in engine.catalogue.records:
        raise MQError(MQRC_XMIT_Q_TYPE_ERROR, name=name, queue_manager=manager, transmission_queue=manager)
    else:
        found = Destination(_default(engine, name, manager), way)
    found.remote_queue = name
    found.remote_manager = manager
    return found


def _usable(engine: Engine, name: str, reason: int) -> Queue:
    queue = engine.queues.by_name[name]
    if queue.definition.get("USAGE") != MQUS_TRANSMISSION:
        raise MQError(reason, transmission_queue=name)
    return queue


def _default(engine: Engine, name: str, manager: str) -> Queue:
    """Give DEFXMITQ, the transmission queue for queue managers that have none of their own."""
    record = engine.catalogue.records.get(("QMGR", engine.name))
    default = "" if record is None else str(record.values.get("DEFXMITQ", ""))
    if not default:
        raise MQError(MQRC_UNKNOWN_REMOTE_Q_MGR, name=name, queue_manager=manager)
    if default in engine.queues.by_name:
        return _usable(engine, default, MQRC_DEF_XMIT_Q_USAGE_ERROR)
    known = (FAMILY, default) in engine.catalogue.records
    reason = MQRC_DEF_XMIT_Q_TYPE_ERROR if known else MQRC_UNKNOWN_DEF_XMIT_Q
    raise MQError(reason, name=name, queue_manager=manager, transmission_queue=default)


def addressed(
    engine: Engine, destination: Destination, descriptor: MessageDescriptor, data: bytes
) -> tuple[MessageDescriptor, bytes]:
    """Give a message as it is stored on the destination's queue: behind an MQXQH if that is a transmission queue."""
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
        message_type=descriptor.message_type,
        expiry=descriptor.expiry,
        feedback=descriptor.feedback,
        ccsid=engine.ccsid,
        format=MQFMT_XMIT_Q_HEADER,
        priority=descriptor.priority,
        persistence=descriptor.persistence,
        message_id=engine.ids.next(),
        correlation_id=descriptor.message_id,
        reply_to_queue=descriptor.reply_to_queue,
        reply_to_queue_manager=descriptor.reply_to_queue_manager,
        user_identifier=descriptor.user_identifier,
        accounting_token=descriptor.accounting_token,
        application_identity_data=descriptor.application_identity_data,
        put_application_type=MQAT_QMGR,
        put_application_name=engine.name.encode()[:28].ljust(28),
        put_date=engine.clock.date,
        put_time=engine.clock.time,
    )
    outer.pad()
    return outer, mqxqh.encode(header) + extension + data


def unaddressed(descriptor: MessageDescriptor, data: bytes) -> tuple[MessageDescriptor, bytes]:
    """Give a message as it was put, without the MQXQH that it has on a transmission queue."""
    if descriptor.format != MQFMT_XMIT_Q_HEADER:
        return descriptor, data
    try:
        original = mqxqh.decode(data).descriptor
        return original, absorb(original, data[mqxqh.LENGTH :])
    except (FormatError, MQError):
        return descriptor, data  # a program has put it there without a valid MQXQH
