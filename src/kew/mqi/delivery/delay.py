"""Delivery delay: a delayed message waits on SYSTEM.DDELAY.LOCAL.QUEUE until it is due.

A program asks for a delay with a property, as JMS 2 does: `Dly` in the folder `jms` of the MQRFH2, or the user property
KewDeliveryDelay, which any program can set; both are milliseconds from the put on. The message is put on the staging
queue instead of its destination, in the same unit of work and with the same persistence, behind a header with its
destination and its time:

    offset 0 StrucId 'DLY '   4 Version 1   8 Moment, milliseconds since 1970   16 QName 48   64 MQMD of the message 364

A publication waits as one message, and goes to the subscriptions that exist when it is due. Its header has, before
MQMD,

    64 put options   68 level   72 length of the topic string   76 the string in UTF-8, to a multiple of 4 with zeros

and version 2. The moment is also kept in the directory entry, in the place of the time of expiry, so that due messages
are found from directories alone, after a restart too. `qmgr/workers/delays.py` brings messages to their queues when
they are due.
"""

from math import ceil
from struct import Struct
from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import MQEI_UNLIMITED, MQENC_NATIVE, MQRO_NONE
from kew.codes.reasons import MQRC_EXPIRY_ERROR, MQRC_RFH_ERROR, MQRC_UNKNOWN_OBJECT_NAME
from kew.formats.binary import FormatError
from kew.formats.mqmd import LENGTH, MessageDescriptor, decode, encode
from kew.formats.properties import RFH2_FORMAT, take_apart
from kew.mqi.delivery.delivery import QueueDelivery, refuse
from kew.mqi.engine import Engine
from kew.queues.administration import DELAYS
from kew.queues.queue import Queue
from kew.storage.unit import Unit

QUEUE: Final = DELAYS
FORMAT: Final = b"KEWDELAY"
PROPERTIES: Final = ("jms.Dly", "KewDeliveryDelay")
LONGEST: Final = 999999999999  # milliseconds

_HEAD: Final = Struct("<4siq48s")
_TOPIC: Final = Struct("<iii")
_STRUC_ID: Final = b"DLY "
_WORDS: Final = (b"Dly", b"KewDeliveryDelay")  # as they stand in a folder in UTF-8


class Delayed:
    """A message from the staging queue: its destination and its body without the header."""

    def __init__(self, moment: int, queue: str, descriptor: MessageDescriptor, data: bytes) -> None:
        self.moment = moment
        self.queue = queue
        self.topic = ""  # of a publication, which has no queue
        self.options = 0
        self.level = 0
        self.descriptor = descriptor
        self.data = data

    @property
    def destination(self) -> str:
        """Give the name of the destination: the queue, or the topic string."""
        return self.queue or self.topic


def delay_of(descriptor: MessageDescriptor, data: bytes) -> int:
    """Give the milliseconds by which a message is to be delayed, 0 for none."""
    if descriptor.format != RFH2_FORMAT or not any(word in data for word in _WORDS):
        return 0
    try:
        carried = take_apart(descriptor.format, descriptor.ccsid, descriptor.encoding, data)
    except FormatError as problem:
        raise MQError(MQRC_RFH_ERROR, why=str(problem)) from problem
    for each in carried.properties:
        if each.name in PROPERTIES:
            try:
                delay = int(str(each.value))
            except ValueError as no_number:
                raise MQError(MQRC_RFH_ERROR, property=each.name, value=str(each.value)) from no_number
            if not 0 <= delay <= LONGEST:
                raise MQError(MQRC_RFH_ERROR, property=each.name, value=delay)
            return delay
    return 0


def stage(
    engine: Engine, queue: Queue, descriptor: MessageDescriptor, data: bytes, delay: int, unit: Unit | None
) -> QueueDelivery:
    """Begin the delivery of a message to the staging queue; refuses a delay that is not shorter than the expiry."""
    moment = _due(engine, delay)
    return _staged(
        engine, _HEAD.pack(_STRUC_ID, 1, moment, queue.name.encode().ljust(48)), moment, descriptor, data, delay, unit
    )


def stage_publication(
    engine: Engine,
    topic: str,
    options: int,
    level: int,
    descriptor: MessageDescriptor,
    data: bytes,
    delay: int,
    unit: Unit | None,
) -> QueueDelivery:
    """Begin the delivery of a publication to the staging queue."""
    moment = _due(engine, delay)
    text = topic.encode()
    head = _HEAD.pack(_STRUC_ID, 2, moment, b" " * 48) + _TOPIC.pack(options, level, len(text))
    return _staged(engine, head + text + bytes(-len(text) & 3), moment, descriptor, data, delay, unit)


def _due(engine: Engine, delay: int) -> int:
    return ceil(engine.clock.now() * 1000) + delay  # never a fraction of a millisecond early


def _staged(
    engine: Engine, head: bytes, moment: int, descriptor: MessageDescriptor, data: bytes, delay: int, unit: Unit | None
) -> QueueDelivery:
    staging = engine.queues.by_name.get(QUEUE)
    if staging is None:
        raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=QUEUE)
    if descriptor.expiry != MQEI_UNLIMITED and descriptor.expiry * 100 <= delay:
        raise MQError(MQRC_EXPIRY_ERROR, expiry=descriptor.expiry, delay=delay)
    kept = descriptor.copy()
    if kept.expiry != MQEI_UNLIMITED:
        kept.expiry -= delay // 100
    body = head + encode(kept) + data
    staged = descriptor.copy()
    staged.message_id = engine.ids.next()
    staged.report = MQRO_NONE
    staged.expiry = MQEI_UNLIMITED
    staged.format = FORMAT
    staged.encoding = MQENC_NATIVE
    staged.message_flags = 0
    refuse(engine, staging, len(body), descriptor.persistence != 0)
    delivery = QueueDelivery(engine, staging, staged, body, unit)
    delivery.expiry = moment
    return delivery


def unwrap(data: bytes) -> Delayed:
    """Read a message of the staging queue; FormatError if its header is not valid."""
    if len(data) < _HEAD.size + LENGTH:
        raise FormatError("DLY", 0, f"expected {_HEAD.size + LENGTH} bytes, {len(data)} are there")
    struc_id, version, moment, name = _HEAD.unpack_from(data, 0)
    if struc_id != _STRUC_ID or version not in (1, 2):
        raise FormatError("DLY", 0, f"expected StrucId 'DLY ' and version 1 or 2, found {struc_id!r} and {version}")
    if version == 1:
        descriptor = decode(data, _HEAD.size)
        return Delayed(moment, name.rstrip().decode("ascii", "replace"), descriptor, data[_HEAD.size + LENGTH :])
    options, level, length = _TOPIC.unpack_from(data, _HEAD.size)
    start = _HEAD.size + _TOPIC.size
    end = start + length + (-length & 3)
    if length < 0 or len(data) < end + LENGTH:
        raise FormatError("DLY", _HEAD.size, f"expected a topic of {length} bytes and MQMD, {len(data)} are there")
    publication = Delayed(moment, "", decode(data, end), data[end + LENGTH :])
    publication.topic = data[start : start + length].decode("utf-8", "replace")
    publication.options = options
    publication.level = level
    return publication
