"""Between the MD of a Python program and the message descriptor of a queue manager, in both directions.

Names that C would end with a binary zero are padded with blanks; ids are padded with binary zeros. What comes back has
the full width of its field, as a C structure has it.
"""

from typing import Any, Final

from kew.formats.mqmd import MessageDescriptor

_BLANKS: Final = {width: b" " * width for width in (4, 8, 12, 28, 32, 48)}
_ZEROS: Final = {width: bytes(width) for width in (24, 32)}


def name_field(value: Any, width: int) -> bytes:
    """Characters as a queue manager has them: up to a binary zero, padded with blanks, no longer than the field."""
    if not value:
        return b" " * width
    raw: bytes = value.encode("ascii") if isinstance(value, str) else value
    if len(raw) == width and 0 not in raw:
        return raw
    return raw[:width].partition(b"\0")[0].ljust(width)


def id_field(value: Any, width: int) -> bytes:
    """Bytes as wide as the field, padded with binary zeros."""
    if not value:
        return _ZEROS[width]
    if isinstance(value, str):
        raise TypeError("identifiers and tokens are bytes, not text")
    raw: bytes = value
    return raw if len(raw) == width else raw[:width].ljust(width, b"\0")


def descriptor_of(md: Any) -> MessageDescriptor:
    """The descriptor that an MD describes; of a version 1 MD the fields of version 2 are left alone."""
    values = md.__dict__
    blanks = _BLANKS
    zeros = _ZEROS
    # Most fields are empty in most messages, so the empty value is asked for before any call.
    descriptor = MessageDescriptor(
        values["Report"],
        values["MsgType"],
        values["Expiry"],
        values["Feedback"],
        values["Encoding"],
        values["CodedCharSetId"],
        name_field(value, 8) if (value := values["Format"]) else blanks[8],
        values["Priority"],
        values["Persistence"],
        id_field(value, 24) if (value := values["MsgId"]) else zeros[24],
        id_field(value, 24) if (value := values["CorrelId"]) else zeros[24],
        values["BackoutCount"],
        name_field(value, 48) if (value := values["ReplyToQ"]) else blanks[48],
        name_field(value, 48) if (value := values["ReplyToQMgr"]) else blanks[48],
        name_field(value, 12) if (value := values["UserIdentifier"]) else blanks[12],
        id_field(value, 32) if (value := values["AccountingToken"]) else zeros[32],
        name_field(value, 32) if (value := values["ApplIdentityData"]) else blanks[32],
        values["PutApplType"],
        name_field(value, 28) if (value := values["PutApplName"]) else blanks[28],
        name_field(value, 8) if (value := values["PutDate"]) else blanks[8],
        name_field(value, 8) if (value := values["PutTime"]) else blanks[8],
        name_field(value, 4) if (value := values["ApplOriginData"]) else blanks[4],
    )
    if values["Version"] >= 2 and "GroupId" in values:
        if value := values["GroupId"]:
            descriptor.group_id = id_field(value, 24)
        descriptor.sequence_number = values["MsgSeqNumber"]
        descriptor.offset = values["Offset"]
        descriptor.message_flags = values["MsgFlags"]
        descriptor.original_length = values["OriginalLength"]
    return descriptor


def fill(md: Any, descriptor: MessageDescriptor) -> None:
    """Give an MD what a queue manager's descriptor says."""
    md.__dict__.update(
        Report=descriptor.report,
        MsgType=descriptor.message_type,
        Expiry=descriptor.expiry,
        Feedback=descriptor.feedback,
        Encoding=descriptor.encoding,
        CodedCharSetId=descriptor.ccsid,
        Format=descriptor.format,
        Priority=descriptor.priority,
        Persistence=descriptor.persistence,
        MsgId=descriptor.message_id,
        CorrelId=descriptor.correlation_id,
        BackoutCount=descriptor.backout_count,
        ReplyToQ=descriptor.reply_to_queue,
        ReplyToQMgr=descriptor.reply_to_queue_manager,
        UserIdentifier=descriptor.user_identifier,
        AccountingToken=descriptor.accounting_token,
        ApplIdentityData=descriptor.application_identity_data,
        PutApplType=descriptor.put_application_type,
        PutApplName=descriptor.put_application_name,
        PutDate=descriptor.put_date,
        PutTime=descriptor.put_time,
        ApplOriginData=descriptor.application_origin_data,
    )
    if md.Version >= 2 and "GroupId" in md.__dict__:
        md.__dict__.update(
            GroupId=descriptor.group_id,
            MsgSeqNumber=descriptor.sequence_number,
            Offset=descriptor.offset,
            MsgFlags=descriptor.message_flags,
            OriginalLength=descriptor.original_length,
        )
