"""Splits a message with an MQDH on its way: one message for each of its destinations."""

from typing import Final

from kew.channels.mca.deadletters import Undelivered
from kew.codes.options import (
    MQDHF_NEW_MSG_IDS,
    MQFMT_DIST_HEADER,
    MQMI_NONE,
    MQPMRF_ACCOUNTING_TOKEN,
    MQPMRF_CORREL_ID,
    MQPMRF_FEEDBACK,
    MQPMRF_GROUP_ID,
    MQPMRF_MSG_ID,
)
from kew.formats import mqdh
from kew.formats.mqmd import MessageDescriptor

FORMAT: Final = MQFMT_DIST_HEADER


def split(descriptor: MessageDescriptor, data: bytes) -> list[Undelivered]:
    """Give the messages of the destinations, in the order of the header; raises FormatError."""
    header = mqdh.decode(data, descriptor.ccsid)
    body = data[header.length :]
    found: list[Undelivered] = []
    for destination in header.destinations:
        own = descriptor.copy()
        own.encoding, own.ccsid, own.format = header.encoding, header.ccsid, header.format
        record, fields = destination.record, destination.fields
        if fields & MQPMRF_MSG_ID:
            own.message_id = record.message_id
        elif header.flags & MQDHF_NEW_MSG_IDS:
            own.message_id = MQMI_NONE
        if fields & MQPMRF_CORREL_ID:
            own.correlation_id = record.correlation_id
        if fields & MQPMRF_GROUP_ID:
            own.group_id = record.group_id
        if fields & MQPMRF_FEEDBACK:
            own.feedback = record.feedback
        if fields & MQPMRF_ACCOUNTING_TOKEN:
            own.accounting_token = record.accounting_token
        found.append(Undelivered(own, body, _name(destination.queue), _name(destination.queue_manager)))
    return found


def _name(field: bytes) -> str:
    return field.rstrip(b" \0").decode("ascii", "replace").replace("\ufffd", "?")  # a name keeps its length
