"""Conversion between the MD of a Python program and the message descriptor of a queue manager.

Names that C would end with a binary zero are padded with blanks; ids are padded with binary zeros. Fields given back
have their full width, as in a C structure.
"""

from typing import Any, Final

from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.logicalorder import group_status, segment_status, segmentation

_BLANK_4: Final = b" " * 4
_BLANK_8: Final = b" " * 8
_BLANK_12: Final = b" " * 12
_BLANK_28: Final = b" " * 28
_BLANK_32: Final = b" " * 32
_BLANK_48: Final = b" " * 48
_ZERO_24: Final = bytes(24)
_ZERO_32: Final = bytes(32)


def name_field(value: Any, width: int) -> bytes:
    """Give characters in the queue manager's form: up to a binary zero, padded with blanks or cut to the field."""
    if not value:
        return b" " * width
    raw: bytes = value.encode("ascii") if isinstance(value, str) else value
    if len(raw) == width and 0 not in raw:
        return raw
    return raw[:width].partition(b"\0")[0].ljust(width)


def id_field(value: Any, width: int) -> bytes:
    """Give bytes padded with binary zeros to the field's width."""
    if not value:
        return bytes(width)
    if isinstance(value, str):
        raise TypeError("identifiers and tokens are bytes, not text")
    raw: bytes = value
    return raw if len(raw) == width else raw[:width].ljust(width, b"\0")


def descriptor_of(md: Any) -> MessageDescriptor:
    """Make the descriptor of an MD; the version 2 fields of a version 1 MD are left alone."""
    values: dict[str, Any] = md.__dict__
    # Most fields are empty in most messages, so the empty value is tested before any call.
    descriptor = MessageDescriptor(
        values["Report"],
        values["MsgType"],
        values["Expiry"],
        values["Feedback"],
        values["Encoding"],
        values["CodedCharSetId"],
        name_field(value, 8) if (value := values["Format"]) else _BLANK_8,
        values["Priority"],
        values["Persistence"],
        id_field(value, 24) if (value := values["MsgId"]) else _ZERO_24,
        id_field(value, 24) if (value := values["CorrelId"]) else _ZERO_24,
        values["BackoutCount"],
        name_field(value, 48) if (value := values["ReplyToQ"]) else _BLANK_48,
        name_field(value, 48) if (value := values["ReplyToQMgr"]) else _BLANK_48,
        name_field(value, 12) if (value := values["UserIdentifier"]) else _BLANK_12,
        id_field(value, 32) if (value := values["AccountingToken"]) else _ZERO_32,
        name_field(value, 32) if (value := values["ApplIdentityData"]) else _BLANK_32,
        values["PutApplType"],
        name_field(value, 28) if (value := values["PutApplName"]) else _BLANK_28,
        name_field(value, 8) if (value := values["PutDate"]) else _BLANK_8,
        name_field(value, 8) if (value := values["PutTime"]) else _BLANK_8,
        name_field(value, 4) if (value := values["ApplOriginData"]) else _BLANK_4,
    )
    if values["Version"] >= 2 and "GroupId" in values:
        if value := values["GroupId"]:
            descriptor.group_id = id_field(value, 24)
        descriptor.sequence_number = values["MsgSeqNumber"]
        descriptor.offset = values["Offset"]
        descriptor.message_flags = values["MsgFlags"]
        descriptor.original_length = values["OriginalLength"]
    return descriptor


def criteria_of(md: Any, ccsid: int) -> MessageDescriptor:
    """Give the descriptor that a get with an MD matches, with the character set wanted if the MD has none."""
    values: dict[str, Any] = md.__dict__
    descriptor = MessageDescriptor()
    descriptor.encoding = values["Encoding"]
    descriptor.ccsid = values["CodedCharSetId"] or ccsid
    if value := values["MsgId"]:
        descriptor.message_id = id_field(value, 24)
    if value := values["CorrelId"]:
        descriptor.correlation_id = id_field(value, 24)
    if values["Version"] >= 2 and "GroupId" in values:
        if value := values["GroupId"]:
            descriptor.group_id = id_field(value, 24)
        descriptor.sequence_number = values["MsgSeqNumber"]
        descriptor.offset = values["Offset"]
    return descriptor


def fill(md: Any, descriptor: MessageDescriptor) -> None:
    """Fill an MD from a queue manager's descriptor."""
    values: dict[str, Any] = md.__dict__
    values["Report"] = descriptor.report
    values["MsgType"] = descriptor.message_type
    values["Expiry"] = descriptor.expiry
    values["Feedback"] = descriptor.feedback
    values["Encoding"] = descriptor.encoding
    values["CodedCharSetId"] = descriptor.ccsid
    values["Format"] = descriptor.format
    values["Priority"] = descriptor.priority
    values["Persistence"] = descriptor.persistence
    values["MsgId"] = descriptor.message_id
    values["CorrelId"] = descriptor.correlation_id
    values["BackoutCount"] = descriptor.backout_count
    values["ReplyToQ"] = descriptor.reply_to_queue
    values["ReplyToQMgr"] = descriptor.reply_to_queue_manager
    values["UserIdentifier"] = descriptor.user_identifier
    values["AccountingToken"] = descriptor.accounting_token
    values["ApplIdentityData"] = descriptor.application_identity_data
    values["PutApplType"] = descriptor.put_application_type
    values["PutApplName"] = descriptor.put_application_name
    values["PutDate"] = descriptor.put_date
    values["PutTime"] = descriptor.put_time
    values["ApplOriginData"] = descriptor.application_origin_data
    if values["Version"] >= 2 and "GroupId" in values:
        values["GroupId"] = descriptor.group_id
        values["MsgSeqNumber"] = descriptor.sequence_number
        values["Offset"] = descriptor.offset
        values["MsgFlags"] = descriptor.message_flags
        values["OriginalLength"] = descriptor.original_length


def tell_group(gmo: Any, descriptor: MessageDescriptor) -> None:
    """Fill a GMO with the group and segment status of the message got."""
    if gmo.Version >= 2:
        flags = descriptor.message_flags
        gmo.GroupStatus = group_status(flags)
        gmo.SegmentStatus = segment_status(flags)
        gmo.Segmentation = segmentation(flags)
