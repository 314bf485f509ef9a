"""The descriptor extension, MQMDE: the fields of version 2 for a message with a version 1 descriptor.

offset 0 StrucId 'MDE '   4 Version 2   8 StrucLength 72   12 Encoding   16 CodedCharSetId   20 Format 8
      28 Flags   32 GroupId 24   56 MsgSeqNumber   60 Offset   64 MsgFlags   68 OriginalLength   72 end
"""

from dataclasses import dataclass
from typing import Final

from kew.formats.binary import LITTLE, Reader, Writer, fit_bytes, version_order

LENGTH: Final = 72


@dataclass
class DescriptorExtension:
    """An MQMDE: group and segment fields; encoding, ccsid and format describe the data behind it."""

    encoding: int = 0
    ccsid: int = 0
    format: bytes = b""
    flags: int = 0
    group_id: bytes = bytes(24)
    sequence_number: int = 1
    offset: int = 0
    message_flags: int = 0
    original_length: int = -1


def encode(extension: DescriptorExtension, order: str = LITTLE) -> bytes:
    """Encode the extension in 72 bytes."""
    writer = Writer("MQMDE", order)
    writer.raw(b"MDE ")
    writer.i32(2, "Version")
    writer.i32(LENGTH, "StrucLength")
    writer.i32(extension.encoding, "Encoding")
    writer.i32(extension.ccsid, "CodedCharSetId")
    writer.text(extension.format, 8, "Format")
    writer.i32(extension.flags, "Flags")
    writer.raw(fit_bytes(extension.group_id, 24, "MQMDE", "GroupId"))
    writer.i32(extension.sequence_number, "MsgSeqNumber")
    writer.i32(extension.offset, "Offset")
    writer.i32(extension.message_flags, "MsgFlags")
    writer.i32(extension.original_length, "OriginalLength")
    return bytes(writer.out)


def decode(data: bytes, offset: int = 0) -> DescriptorExtension:
    """Decode the extension at an offset, in either byte order."""
    order = version_order("MQMDE", b"MDE ", (2,), data, offset)
    reader = Reader("MQMDE", data, offset, offset + LENGTH, order)
    reader.need(LENGTH, "the extension")
    reader.take(8, "StrucId and Version")
    length = reader.i32("StrucLength")
    if length != LENGTH:
        raise reader.fail(f"expected StrucLength {LENGTH}, found {length}", 4)
    return DescriptorExtension(
        reader.i32("Encoding"),
        reader.i32("CodedCharSetId"),
        reader.take(8, "Format"),
        reader.i32("Flags"),
        reader.take(24, "GroupId"),
        reader.i32("MsgSeqNumber"),
        reader.i32("Offset"),
        reader.i32("MsgFlags"),
        reader.i32("OriginalLength"),
    )
