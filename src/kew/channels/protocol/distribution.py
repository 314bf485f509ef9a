"""The records of distribution lists, behind MQOD and MQPMO at the offsets in these structures.

MQOR    0 ObjectName 48     48 ObjectQMgrName 48
MQRR    0 CompCode i4        4 Reason i4
MQPMR   MsgId 24, CorrelId 24, GroupId 24, Feedback i4, AccountingToken 32: fields that PutMsgRecFields names
"""

from typing import Final

from kew.channels.protocol.dialect import Dialect, name, padded, pair
from kew.channels.protocol.options import PutOptions, put_record_size
from kew.channels.protocol.structures import ObjectDescriptor
from kew.codes.options import (
    MQPMRF_ACCOUNTING_TOKEN,
    MQPMRF_CORREL_ID,
    MQPMRF_FEEDBACK,
    MQPMRF_GROUP_ID,
    MQPMRF_MSG_ID,
)
from kew.formats.mqpmr import PutRecord

OBJECT_RECORD: Final = 96
RESPONSE_RECORD: Final = 8
_NAME: Final = 48
_RESPONSE: Final = pair("ii")


class Responses:
    """MQRR: completion and reason for each destination."""

    def __init__(self, answers: list[tuple[int, int]]) -> None:
        self.answers = answers


def encode_put_fields(record: PutRecord, fields: int, dialect: Dialect) -> bytes:
    """Encode one MQPMR with the named fields."""
    out = b""
    if fields & MQPMRF_MSG_ID:
        out += record.message_id.ljust(24, b"\0")
    if fields & MQPMRF_CORREL_ID:
        out += record.correlation_id.ljust(24, b"\0")
    if fields & MQPMRF_GROUP_ID:
        out += record.group_id.ljust(24, b"\0")
    if fields & MQPMRF_FEEDBACK:
        out += dialect.word(record.feedback)
    if fields & MQPMRF_ACCOUNTING_TOKEN:
        out += record.accounting_token.ljust(32, b"\0")
    return out


def decode_put_fields(data: bytes, offset: int, fields: int, dialect: Dialect) -> PutRecord:
    """Read one MQPMR; the caller has checked that it is there."""
    record = PutRecord()
    if fields & MQPMRF_MSG_ID:
        record.message_id = data[offset : offset + 24]
        offset += 24
    if fields & MQPMRF_CORREL_ID:
        record.correlation_id = data[offset : offset + 24]
        offset += 24
    if fields & MQPMRF_GROUP_ID:
        record.group_id = data[offset : offset + 24]
        offset += 24
    if fields & MQPMRF_FEEDBACK:
        record.feedback = dialect.i4(data, offset)
        offset += 4
    if fields & MQPMRF_ACCOUNTING_TOKEN:
        record.accounting_token = data[offset : offset + 32]
    return record


def is_list(target: ObjectDescriptor) -> bool:
    """Say whether the descriptor names a distribution list, or tries to."""
    return target.version >= 2 and target.records_present != 0


# Behind MQOD.


def set_destinations(target: ObjectDescriptor, names: list[tuple[str, str]], dialect: Dialect) -> None:
    """Add a list's queues with their queue managers to an object descriptor, and room for the responses."""
    target.version = max(target.version, 2)
    target.records_present = len(names)
    target.object_record_offset = target.size
    for queue, manager in names:
        target.extra += dialect.text_out(padded(queue, _NAME) + padded(manager, _NAME))
    target.response_record_offset = target.size
    target.extra += bytes(RESPONSE_RECORD * len(names))


def destinations(target: ObjectDescriptor, dialect: Dialect) -> list[tuple[str, str]]:
    """Give the queues of a list with their queue managers; empty if the records are missing."""
    if not target.object_record_offset:
        return []
    start = target.object_record_offset - target.fixed
    found: list[tuple[str, str]] = []
    for place in range(target.records_present):
        at = start + place * OBJECT_RECORD
        record = dialect.text_in(target.extra[at : at + OBJECT_RECORD])
        found.append((name(record[:_NAME]), name(record[_NAME:])))
    return found


def set_responses(target: ObjectDescriptor, responses: Responses, dialect: Dialect) -> None:
    """Write the responses where the program has left room for them."""
    if target.response_record_offset:
        start = target.response_record_offset - target.fixed
        target.extra = _with_responses(target.extra, start, responses, dialect)


def responses_of(target: ObjectDescriptor, dialect: Dialect) -> Responses:
    """Read the responses behind an MQOD; none where there is no room for them."""
    start = target.response_record_offset - target.fixed if target.response_record_offset else -1
    return _responses(target.extra, start, target.records_present, dialect)


# Behind MQPMO.


def set_put_fields(options: PutOptions, count: int, fields: int, records: list[PutRecord], dialect: Dialect) -> None:
    """Add put message records to put options, default ones where too few are given, and room for the responses."""
    options.version = max(options.version, 2)
    options.records_present = count
    options.record_fields = fields
    options.record_offset = options.size if records else 0
    for place in range(count if records else 0):
        record = records[place] if place < len(records) else PutRecord()
        options.extra += encode_put_fields(record, fields, dialect)
    options.response_offset = options.size
    options.extra += bytes(RESPONSE_RECORD * count)


def put_fields(options: PutOptions, dialect: Dialect) -> list[PutRecord]:
    """Read the put message records behind an MQPMO; none where it has none."""
    size = put_record_size(options.record_fields)
    if options.version < 2 or not options.record_offset:
        return []
    start = options.record_offset - options.fixed
    return [
        decode_put_fields(options.extra, start + place * size, options.record_fields, dialect)
        for place in range(options.records_present)
    ]


def return_put_fields(options: PutOptions, records: list[PutRecord], dialect: Dialect) -> None:
    """Write put message records back to their place behind the MQPMO."""
    if records and options.record_offset:
        start = options.record_offset - options.fixed
        written = b"".join([encode_put_fields(record, options.record_fields, dialect) for record in records])
        options.extra = options.extra[:start] + written + options.extra[start + len(written) :]


def set_put_responses(options: PutOptions, responses: Responses, dialect: Dialect) -> None:
    """Write the responses where the program has left room for them; further ones are dropped."""
    if options.version >= 2 and options.response_offset:
        start = options.response_offset - options.fixed
        told = Responses(responses.answers[: options.records_present])
        options.extra = _with_responses(options.extra, start, told, dialect)


def put_responses_of(options: PutOptions, dialect: Dialect) -> Responses:
    """Read the responses behind an MQPMO; none where there is no room for them."""
    start = options.response_offset - options.fixed if options.response_offset else -1
    return _responses(options.extra, start, options.records_present, dialect)


def _with_responses(extra: bytes, start: int, responses: Responses, dialect: Dialect) -> bytes:
    written = b"".join([_RESPONSE[dialect.order].pack(*answer) for answer in responses.answers])
    return extra[:start] + written + extra[start + len(written) :]


def _responses(extra: bytes, start: int, count: int, dialect: Dialect) -> Responses:
    if start < 0:
        return Responses([])
    form = _RESPONSE[dialect.order]
    return Responses([form.unpack_from(extra, start + RESPONSE_RECORD * place) for place in range(count)])
