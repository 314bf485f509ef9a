"""The dead-letter header, MQDLH: why a message was not delivered, and its original destination.

offset 0 StrucId 'DLH '   8 Reason   12 DestQName 48   60 DestQMgrName 48   108 Encoding   112 CodedCharSetId
     116 Format 8       124 PutApplType   128 PutApplName 28   156 PutDate 8   164 PutTime 8   172 end
"""

from dataclasses import dataclass
from typing import Final

from kew.formats.binary import LITTLE, Reader, Writer, version_order

LENGTH: Final = 172


@dataclass
class DeadLetterHeader:
    """The header of a message on a dead-letter queue."""

    reason: int = 0
    destination_queue: bytes = b""
    destination_queue_manager: bytes = b""
    encoding: int = 0
    ccsid: int = 0
    format: bytes = b""
    put_application_type: int = 0
    put_application_name: bytes = b""
    put_date: bytes = b""
    put_time: bytes = b""


def encode(header: DeadLetterHeader, order: str = LITTLE) -> bytes:
    """Encode the header in 172 bytes."""
    writer = Writer("MQDLH", order)
    writer.raw(b"DLH ")
    writer.i32(1, "Version")
    writer.i32(header.reason, "Reason")
    writer.text(header.destination_queue, 48, "DestQName")
    writer.text(header.destination_queue_manager, 48, "DestQMgrName")
    writer.i32(header.encoding, "Encoding")
    writer.i32(header.ccsid, "CodedCharSetId")
    writer.text(header.format, 8, "Format")
    writer.i32(header.put_application_type, "PutApplType")
    writer.text(header.put_application_name, 28, "PutApplName")
    writer.text(header.put_date, 8, "PutDate")
    writer.text(header.put_time, 8, "PutTime")
    return bytes(writer.out)


def decode(data: bytes, offset: int = 0) -> DeadLetterHeader:
    """Decode the header at an offset, in either byte order; character fields keep their padding."""
    order = version_order("MQDLH", b"DLH ", (1,), data, offset)
    reader = Reader("MQDLH", data, offset, offset + LENGTH, order)
    reader.need(LENGTH, "the header")
    reader.take(8, "StrucId and Version")
    return DeadLetterHeader(
        reader.i32("Reason"),
        reader.take(48, "DestQName"),
        reader.take(48, "DestQMgrName"),
        reader.i32("Encoding"),
        reader.i32("CodedCharSetId"),
        reader.take(8, "Format"),
        reader.i32("PutApplType"),
        reader.take(28, "PutApplName"),
        reader.take(8, "PutDate"),
        reader.take(8, "PutTime"),
    )
