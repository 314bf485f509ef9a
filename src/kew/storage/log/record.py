"""Log records: the frame around the data that a resource manager logs.

     0       4       8     9      10      12            20            28
     +-------+-------+-----+------+-------+-------------+-------------+---------
     | size  | crc   |kind |flags | zero  | unit        | previous    | payload
     +-------+-------+-----+------+-------+-------------+-------------+---------

Little-endian. `size` counts the whole frame. `unit` is the unit of recovery, `previous` the address of that unit's
record before this one (0 for none). The checksum runs over kind to payload, and starts from the size and the low half
of the record's address, so that a record is valid only in its place.
"""

import struct
from typing import Final

from kew.storage.checksum import crc32
from kew.storage.logaddress import LogAddress, advance

RECORD_HEADER: Final = 28
RECORD_PAYLOAD_LIMIT: Final = 1 << 20
RECORD_LIMIT: Final = RECORD_HEADER + RECORD_PAYLOAD_LIMIT

CHECKED_PART: Final = struct.Struct("<BBHQQ")
UNCHECKED_PART: Final = struct.Struct("<II")
WHOLE_HEADER: Final = struct.Struct("<IIBBHQQ")


class LogRecord:
    """A record read back from the log."""

    def __init__(
        self, address: LogAddress, size: int, kind: int, flags: int, unit: int, previous: LogAddress, payload: bytes
    ) -> None:
        self.address = address
        self.next_address = advance(address, size)
        self.kind = kind
        self.flags = flags
        self.unit = unit
        self.previous = previous
        self.payload = payload

    def __repr__(self) -> str:
        return (
            f"LogRecord(address={self.address:#x}, kind={self.kind}, flags={self.flags}, unit={self.unit}, "
            f"previous={self.previous:#x}, payload={len(self.payload)} bytes)"
        )


def seed(size: int, address: int) -> int:
    """Return the start value of a record's checksum."""
    return (size ^ address) & 0xFFFFFFFF


def parse(address: int, header: bytes, payload: bytes) -> LogRecord | None:
    """Return the record made of a whole header and payload, or None where its checksum is wrong."""
    size, crc, kind, flags, _, unit, previous = WHOLE_HEADER.unpack(header)
    if crc32(payload, crc32(header[8:], seed(size, address))) != crc:
        return None
    return LogRecord(LogAddress(address), size, kind, flags, unit, LogAddress(previous), payload)
