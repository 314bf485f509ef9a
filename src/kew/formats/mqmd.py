"""The message descriptor, MQMD.

Character fields are bytes as wide as the field, padded with blanks; identifiers are padded with binary zeros.
Shorter values are padded when the descriptor is encoded. The storage engine keeps the canonical form: version 2,
little-endian, 364 bytes.

    offset  0 StrucId 'MD  '     40 Priority          240 ApplIdentityData 32
            4 Version            44 Persistence       272 PutApplType
            8 Report             48 MsgId 24          276 PutApplName 28
           12 MsgType            72 CorrelId 24       304 PutDate 8 'YYYYMMDD'
           16 Expiry             96 BackoutCount      312 PutTime 8 'HHMMSSTH'
           20 Feedback          100 ReplyToQ 48       320 ApplOriginData 4, end of version 1
           24 Encoding          148 ReplyToQMgr 48    324 GroupId 24
           28 CodedCharSetId    196 UserIdentifier 12 348 MsgSeqNumber  352 Offset
           32 Format 8          208 AccountingToken 32 356 MsgFlags     360 OriginalLength
"""

from struct import Struct
from typing import Final

from librt.strings import BytesWriter, read_i32_le, write_i32_le
from mypy_extensions import mypyc_attr

from kew.codes.options import (
    MQCCSI_Q_MGR,
    MQEI_UNLIMITED,
    MQENC_NATIVE,
    MQFB_NONE,
    MQMF_NONE,
    MQMT_DATAGRAM,
    MQOL_UNDEFINED,
    MQPER_PERSISTENCE_AS_Q_DEF,
    MQPRI_PRIORITY_AS_Q_DEF,
    MQRO_NONE,
)
from kew.formats.binary import BIG, LITTLE, FormatError, fit_bytes, fit_text

LENGTH: Final = 364
LENGTH_1: Final = 324

_FIELDS_1: Final = "4siiiiiii8sii24s24si48s48s12s32s32si28s8s8s4s"
_LITTLE: Final = Struct("<" + _FIELDS_1 + "24siiii")
_BIG: Final = Struct(">" + _FIELDS_1 + "24siiii")
_LITTLE_1: Final = Struct("<" + _FIELDS_1)
_BIG_1: Final = Struct(">" + _FIELDS_1)
_COMPLETED: Final = Struct("<40xii24s24s100x12s32s32si28s8s8s4s24siiii")  # the fields that a queue manager fills in
_FRAME: Final = Struct("<ii8s")  # Encoding, CodedCharSetId and Format
_EXPIRY: Final = 16
_ENCODING: Final = 24
_BACKOUT_COUNT: Final = 96

# The fields that version 2 adds, for a descriptor of version 1: no group, first and only segment.
_TAIL_LITTLE: Final = Struct("<24siiii").pack(bytes(24), 1, 0, MQMF_NONE, MQOL_UNDEFINED)
_TAIL_BIG: Final = Struct(">24siiii").pack(bytes(24), 1, 0, MQMF_NONE, MQOL_UNDEFINED)

_VERSION_1_LITTLE: Final = b"\1\0\0\0"
_VERSION_2_LITTLE: Final = b"\2\0\0\0"
_VERSION_1_BIG: Final = b"\0\0\0\1"
_VERSION_2_BIG: Final = b"\0\0\0\2"
_STRUC_ID: Final = b"MD  "
_STRUC_ID_EBCDIC: Final = b"\xd4\xc4\x40\x40"

_BLANK_4: Final = b" " * 4
_BLANK_8: Final = b" " * 8
_BLANK_12: Final = b" " * 12
_BLANK_28: Final = b" " * 28
_BLANK_32: Final = b" " * 32
_BLANK_48: Final = b" " * 48
_ZERO_24: Final = bytes(24)
_ZERO_32: Final = bytes(32)


@mypyc_attr(free_list_len=1)
class MessageDescriptor:
    """The fields of a version 2 MQMD, with MQ's defaults."""

    def __init__(
        self,
        report: int = MQRO_NONE,
        message_type: int = MQMT_DATAGRAM,
        expiry: int = MQEI_UNLIMITED,
        feedback: int = MQFB_NONE,
        encoding: int = MQENC_NATIVE,
        ccsid: int = MQCCSI_Q_MGR,
        format: bytes = _BLANK_8,
        priority: int = MQPRI_PRIORITY_AS_Q_DEF,
        persistence: int = MQPER_PERSISTENCE_AS_Q_DEF,
        message_id: bytes = _ZERO_24,
        correlation_id: bytes = _ZERO_24,
        backout_count: int = 0,
        reply_to_queue: bytes = _BLANK_48,
        reply_to_queue_manager: bytes = _BLANK_48,
        user_identifier: bytes = _BLANK_12,
        accounting_token: bytes = _ZERO_32,
        application_identity_data: bytes = _BLANK_32,
        put_application_type: int = 0,
        put_application_name: bytes = _BLANK_28,
        put_date: bytes = _BLANK_8,
        put_time: bytes = _BLANK_8,
        application_origin_data: bytes = _BLANK_4,
        group_id: bytes = _ZERO_24,
        sequence_number: int = 1,
        offset: int = 0,
        message_flags: int = MQMF_NONE,
        original_length: int = MQOL_UNDEFINED,
    ) -> None:
        self.report = report
        self.message_type = message_type
        self.expiry = expiry
        self.feedback = feedback
        self.encoding = encoding
        self.ccsid = ccsid
        self.format = format
        self.priority = priority
        self.persistence = persistence
        self.message_id = message_id
        self.correlation_id = correlation_id
        self.backout_count = backout_count
        self.reply_to_queue = reply_to_queue
        self.reply_to_queue_manager = reply_to_queue_manager
        self.user_identifier = user_identifier
        self.accounting_token = accounting_token
        self.application_identity_data = application_identity_data
        self.put_application_type = put_application_type
        self.put_application_name = put_application_name
        self.put_date = put_date
        self.put_time = put_time
        self.application_origin_data = application_origin_data
        self.group_id = group_id
        self.sequence_number = sequence_number
        self.offset = offset
        self.message_flags = message_flags
        self.original_length = original_length
        self.stored: bytes = b""  # canonical bytes of the latest put, for the reply to that put

    def copy(self) -> "MessageDescriptor":
        """Make a copy of the descriptor."""
        return MessageDescriptor(
            self.report,
            self.message_type,
            self.expiry,
            self.feedback,
            self.encoding,
            self.ccsid,
            self.format,
            self.priority,
            self.persistence,
            self.message_id,
            self.correlation_id,
            self.backout_count,
            self.reply_to_queue,
            self.reply_to_queue_manager,
            self.user_identifier,
            self.accounting_token,
            self.application_identity_data,
            self.put_application_type,
            self.put_application_name,
            self.put_date,
            self.put_time,
            self.application_origin_data,
            self.group_id,
            self.sequence_number,
            self.offset,
            self.message_flags,
            self.original_length,
        )

    def take_over(self, other: "MessageDescriptor") -> None:
        """Copy the fields that the queue manager sets in a put from the descriptor of the message as put."""
        complete(self, encode(other))
        self.report, self.reply_to_queue = other.report, other.reply_to_queue
        self.reply_to_queue_manager, self.expiry = other.reply_to_queue_manager, other.expiry

    def translate(self, table: bytes) -> None:
        """Translate every character field by a 256-byte table, for a peer with another single-byte code page."""
        self.format = self.format.translate(table)
        self.reply_to_queue = self.reply_to_queue.translate(table)
        self.reply_to_queue_manager = self.reply_to_queue_manager.translate(table)
        self.user_identifier = self.user_identifier.translate(table)
        self.application_identity_data = self.application_identity_data.translate(table)
        self.put_application_name = self.put_application_name.translate(table)
        self.put_date = self.put_date.translate(table)
        self.put_time = self.put_time.translate(table)
        self.application_origin_data = self.application_origin_data.translate(table)

    def pad(self) -> None:
        """Pad every character field and identifier to its full width; refuse one that is too long."""
        if len(self.format) != 8:
            self.format = fit_text(self.format, 8, "MQMD", "Format")
        if len(self.message_id) != 24:
            self.message_id = fit_bytes(self.message_id, 24, "MQMD", "MsgId")
        if len(self.correlation_id) != 24:
            self.correlation_id = fit_bytes(self.correlation_id, 24, "MQMD", "CorrelId")
        if len(self.reply_to_queue) != 48:
            self.reply_to_queue = fit_text(self.reply_to_queue, 48, "MQMD", "ReplyToQ")
        if len(self.reply_to_queue_manager) != 48:
            self.reply_to_queue_manager = fit_text(self.reply_to_queue_manager, 48, "MQMD", "ReplyToQMgr")
        if len(self.user_identifier) != 12:
            self.user_identifier = fit_text(self.user_identifier, 12, "MQMD", "UserIdentifier")
        if len(self.accounting_token) != 32:
            self.accounting_token = fit_bytes(self.accounting_token, 32, "MQMD", "AccountingToken")
        if len(self.application_identity_data) != 32:
            self.application_identity_data = fit_text(self.application_identity_data, 32, "MQMD", "ApplIdentityData")
        if len(self.put_application_name) != 28:
            self.put_application_name = fit_text(self.put_application_name, 28, "MQMD", "PutApplName")
        if len(self.put_date) != 8:
            self.put_date = fit_text(self.put_date, 8, "MQMD", "PutDate")
        if len(self.put_time) != 8:
            self.put_time = fit_text(self.put_time, 8, "MQMD", "PutTime")
        if len(self.application_origin_data) != 4:
            self.application_origin_data = fit_text(self.application_origin_data, 4, "MQMD", "ApplOriginData")
        if len(self.group_id) != 24:
            self.group_id = fit_bytes(self.group_id, 24, "MQMD", "GroupId")


def encode(md: MessageDescriptor) -> bytes:
    """Encode the descriptor in its canonical form: 364 bytes, version 2, little-endian."""
    md.pad()
    out = BytesWriter()
    out.write(_STRUC_ID)
    out.write(_VERSION_2_LITTLE)
    try:
        write_i32_le(out, md.report)
        write_i32_le(out, md.message_type)
        write_i32_le(out, md.expiry)
        write_i32_le(out, md.feedback)
        write_i32_le(out, md.encoding)
        write_i32_le(out, md.ccsid)
        out.write(md.format)
        write_i32_le(out, md.priority)
        write_i32_le(out, md.persistence)
        out.write(md.message_id)
        out.write(md.correlation_id)
        write_i32_le(out, md.backout_count)
        out.write(md.reply_to_queue)
        out.write(md.reply_to_queue_manager)
        out.write(md.user_identifier)
        out.write(md.accounting_token)
        out.write(md.application_identity_data)
        write_i32_le(out, md.put_application_type)
        out.write(md.put_application_name)
        out.write(md.put_date)
        out.write(md.put_time)
        out.write(md.application_origin_data)
        out.write(md.group_id)
        write_i32_le(out, md.sequence_number)
        write_i32_le(out, md.offset)
        write_i32_le(out, md.message_flags)
        write_i32_le(out, md.original_length)
    except ValueError as problem:
        raise FormatError("MQMD", 0, f"every integer must fit 32 bits ({problem})") from problem
    return out.getvalue()


def complete(md: MessageDescriptor, canonical: bytes) -> None:
    """Set the fields of a put's descriptor that the queue manager filled in, from the canonical bytes in its reply."""
    (
        md.priority,
        md.persistence,
        md.message_id,
        md.correlation_id,
        md.user_identifier,
        md.accounting_token,
        md.application_identity_data,
        md.put_application_type,
        md.put_application_name,
        md.put_date,
        md.put_time,
        md.application_origin_data,
        md.group_id,
        md.sequence_number,
        md.offset,
        md.message_flags,
        md.original_length,
    ) = _COMPLETED.unpack(canonical)


def reframed(stored: bytes, md: MessageDescriptor) -> bytes:
    """Give canonical bytes with encoding, character set and format replaced by those of the descriptor."""
    return stored[:_ENCODING] + _FRAME.pack(md.encoding, md.ccsid, md.format) + stored[_ENCODING + _FRAME.size :]


def restated(stored: bytes, md: MessageDescriptor) -> bytes:
    """Give the canonical bytes of a descriptor that differs from `stored` in expiry and backout count at most."""
    if read_i32_le(stored, _EXPIRY) == md.expiry and read_i32_le(stored, _BACKOUT_COUNT) == md.backout_count:
        return stored
    return encode(md)


def encode_as(md: MessageDescriptor, order: str = LITTLE, version: int = 2) -> bytes:
    """Encode the descriptor in either byte order and version; version 1 leaves group and segment fields out."""
    canonical = encode(md)
    if order == LITTLE:
        return canonical if version == 2 else _STRUC_ID + _VERSION_1_LITTLE + canonical[8:LENGTH_1]
    if version == 2:
        return _BIG.pack(*_LITTLE.unpack(canonical))
    (_, _, *rest) = _LITTLE_1.unpack_from(canonical, 0)
    return _BIG_1.pack(_STRUC_ID, 1, *rest)


def encoded_length(data: bytes, offset: int = 0) -> int:
    """Give the length of the descriptor at an offset: 324 for version 1, 364 for version 2."""
    version = data[offset + 4 : offset + 8]
    if version in (_VERSION_2_LITTLE, _VERSION_2_BIG):
        return LENGTH
    if version in (_VERSION_1_LITTLE, _VERSION_1_BIG):
        return LENGTH_1
    raise FormatError("MQMD", offset + 4, f"expected version 1 or 2, found {version.hex() or 'nothing'}")


def byte_order(data: bytes, offset: int = 0) -> str:
    """Give the byte order of the descriptor at an offset, from its version field."""
    encoded_length(data, offset)
    return LITTLE if data[offset + 4] else BIG


def decode(data: bytes, offset: int = 0) -> MessageDescriptor:
    """Decode the descriptor at an offset, of either version and byte order."""
    if offset < 0:
        raise FormatError("MQMD", offset, "expected an offset of 0 or more")
    length = LENGTH
    big = False
    if data[offset + 4 : offset + 8] != _VERSION_2_LITTLE:
        length = encoded_length(data, offset)
        big = byte_order(data, offset) == BIG
    if len(data) - offset < length:
        raise FormatError("MQMD", offset, f"expected {length} bytes, {len(data) - offset} remain")
    struc_id = data[offset : offset + 4]
    if struc_id != _STRUC_ID and struc_id != _STRUC_ID_EBCDIC:
        raise FormatError("MQMD", offset, f"expected StrucId 'MD  ', found {struc_id!r}")
    if length == LENGTH_1:
        return _decode_1(data, offset, big)
    if big:
        return decode_stored(_LITTLE.pack(*_BIG.unpack_from(data, offset)), 0)
    return decode_stored(data, offset)


def decode_stored(data: bytes | bytearray, offset: int) -> MessageDescriptor:
    """Decode a descriptor in the canonical form that the engine stores, without checks."""
    if isinstance(data, bytearray):
        md = bytes(data[offset : offset + LENGTH])
    else:
        md = data[offset : offset + LENGTH] if offset else data
    return MessageDescriptor(
        report=read_i32_le(md, 8),
        message_type=read_i32_le(md, 12),
        expiry=read_i32_le(md, 16),
        feedback=read_i32_le(md, 20),
        encoding=read_i32_le(md, 24),
        ccsid=read_i32_le(md, 28),
        format=md[32:40],
        priority=read_i32_le(md, 40),
        persistence=read_i32_le(md, 44),
        message_id=md[48:72],
        correlation_id=md[72:96],
        backout_count=read_i32_le(md, 96),
        reply_to_queue=md[100:148],
        reply_to_queue_manager=md[148:196],
        user_identifier=md[196:208],
        accounting_token=md[208:240],
        application_identity_data=md[240:272],
        put_application_type=read_i32_le(md, 272),
        put_application_name=md[276:304],
        put_date=md[304:312],
        put_time=md[312:320],
        application_origin_data=md[320:324],
        group_id=md[324:348],
        sequence_number=read_i32_le(md, 348),
        offset=read_i32_le(md, 352),
        message_flags=read_i32_le(md, 356),
        original_length=read_i32_le(md, 360),
    )


def _decode_1(data: bytes, offset: int, big: bool) -> MessageDescriptor:
    """Decode a version 1 descriptor, with the defaults for the fields of version 2."""
    head = data[offset : offset + 4] + (_VERSION_2_BIG if big else _VERSION_2_LITTLE)
    return decode(head + data[offset + 8 : offset + LENGTH_1] + (_TAIL_BIG if big else _TAIL_LITTLE))
