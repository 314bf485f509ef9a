"""The distribution header, MQDH: one message on its way to several queues behind one transmission queue.

    offset 0 StrucId 'DH  '   4 Version 1   8 StrucLength   12 Encoding   16 CodedCharSetId   20 Format 8   28 Flags
      32 PutMsgRecFields   36 RecsPresent   40 ObjectRecOffset   44 PutMsgRecOffset   48 records

Each destination has an MQOR (ObjectName 48, ObjectQMgrName 48) and, if PutMsgRecOffset is not 0, an MQPMR with the
fields that PutMsgRecFields names. StrucLength includes all records.
"""

from typing import Final

from kew.codes.options import (
    MQPMRF_ACCOUNTING_TOKEN,
    MQPMRF_CORREL_ID,
    MQPMRF_FEEDBACK,
    MQPMRF_GROUP_ID,
    MQPMRF_MSG_ID,
)
from kew.formats import charset
from kew.formats.binary import FormatError, Reader, version_order
from kew.formats.mqpmr import PutRecord

LENGTH: Final = 48
MOST_DESTINATIONS: Final = 10000
_NAME: Final = 48
_OBJECT: Final = 2 * _NAME
_IDS: Final = 24
_TOKEN: Final = 32
_EYE: Final = b"DH  "


class Destination:
    """One destination of the message: its queue, and the descriptor fields of its MQPMR."""

    def __init__(self, queue: bytes, queue_manager: bytes, record: PutRecord, fields: int) -> None:
        self.queue = queue
        self.queue_manager = queue_manager
        self.record = record
        self.fields = fields  # MQPMRF_* that the record has


class DistributionHeader:
    """An MQDH: the destinations, and the format of the data behind the header."""

    def __init__(self, encoding: int, ccsid: int, format: bytes, flags: int, length: int) -> None:
        self.encoding = encoding
        self.ccsid = ccsid
        self.format = format
        self.flags = flags
        self.length = length  # of the header with its records
        self.destinations: list[Destination] = []


def decode(data: bytes, ccsid: int) -> DistributionHeader:
    """Decode the header at the start of the data, in either byte order; EBCDIC names (in `ccsid`) become Latin-1."""
    order = version_order("MQDH", _EYE, (1,), data, 0)
    ebcdic = data[:4] != _EYE
    page = ccsid if charset.is_ebcdic(ccsid) else 500

    def text(field: bytes) -> bytes:
        return charset.convert(field, page, charset.LATIN_1) if ebcdic else field

    reader = Reader("MQDH", data, 0, len(data), order)
    reader.need(LENGTH, "the header")
    reader.take(8, "StrucId and Version")
    length, encoding, following = reader.i32("StrucLength"), reader.i32("Encoding"), reader.i32("CodedCharSetId")
    format_ = text(reader.take(8, "Format"))
    flags, fields = reader.i32("Flags"), reader.i32("PutMsgRecFields")
    count, objects, records = reader.i32("RecsPresent"), reader.i32("ObjectRecOffset"), reader.i32("PutMsgRecOffset")
    if not LENGTH <= length <= len(data):
        raise FormatError("MQDH", 8, f"expected a StrucLength of {LENGTH} to {len(data)}, found {length}")
    if not 0 < count <= MOST_DESTINATIONS:
        raise FormatError("MQDH", 36, f"expected 1 to {MOST_DESTINATIONS} records, found {count}")
    width = _width(fields)
    _check("ObjectRecOffset", 40, objects, count * _OBJECT, length)
    if records and width:
        _check("PutMsgRecOffset", 44, records, count * width, length)
    header = DistributionHeader(encoding, following, format_, flags, length)
    for index in range(count):
        at = objects + index * _OBJECT
        own = _record(data, records + index * width, fields, order) if records and width else PutRecord()
        queue, manager = text(data[at : at + _NAME]), text(data[at + _NAME : at + _OBJECT])
        header.destinations.append(Destination(queue, manager, own, fields if records else 0))
    return header


def _check(name: str, place: int, offset: int, size: int, length: int) -> None:
    if offset < LENGTH or offset + size > length:
        raise FormatError("MQDH", place, f"expected {name} with {size} bytes within {length}, found {offset}")


def _width(fields: int) -> int:
    width = 0
    for field, size in (
        (MQPMRF_MSG_ID, _IDS),
        (MQPMRF_CORREL_ID, _IDS),
        (MQPMRF_GROUP_ID, _IDS),
        (MQPMRF_FEEDBACK, 4),
        (MQPMRF_ACCOUNTING_TOKEN, _TOKEN),
    ):
        width += size if fields & field else 0
    return width


def _record(data: bytes, at: int, fields: int, order: str) -> PutRecord:
    reader = Reader("MQPMR", data, at, at + _width(fields), order)
    record = PutRecord()
    if fields & MQPMRF_MSG_ID:
        record.message_id = reader.take(_IDS, "MsgId")
    if fields & MQPMRF_CORREL_ID:
        record.correlation_id = reader.take(_IDS, "CorrelId")
    if fields & MQPMRF_GROUP_ID:
        record.group_id = reader.take(_IDS, "GroupId")
    if fields & MQPMRF_FEEDBACK:
        record.feedback = reader.i32("Feedback")
    if fields & MQPMRF_ACCOUNTING_TOKEN:
        record.accounting_token = reader.take(_TOKEN, "AccountingToken")
    return record
