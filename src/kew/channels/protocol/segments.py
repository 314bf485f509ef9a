"""Segments: the header that starts everything on the wire, and the cutting of a byte stream into them.

    TSH, TSHC (28 bytes)                          TSHM (36 bytes)
     0  "TSH " or "TSHC"                           0  "TSHM"
     4  u4 length of the whole segment, big        4  u4 length, big
                                                   8  u4 conversation, big
                                                  12  u4 request, big
     8  u1 byte order: 1 big, 2 little            16  from here as the short form from 8
     9  u1 type            10 u1 flags
    11  u1 more flags      12 b8 unit of work
    20  u4 encoding        24 u2 CCSID   26 u2 0

The integers from the encoding on follow the byte order of the segment; so does its body.
"""

from typing import Final

from librt.strings import BytesWriter, read_i32_be, read_i64_be, write_i32_be
from mypy_extensions import i64, mypyc_attr

from kew.channels.protocol.dialect import Dialect, read_dialect
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.status import LENGTH_ERROR, SEGMENT_ERROR

FORM_PLAIN: Final = 0
FORM_MULTIPLEXED: Final = 1
FORM_SOCKET: Final = 2
EYES: Final[tuple[bytes, ...]] = (b"TSH ", b"TSHM", b"TSHC")
EBCDIC_EYES: Final[tuple[bytes, ...]] = (b"\xe3\xe2\xc8\x40", b"\xe3\xe2\xc8\xd4", b"\xe3\xe2\xc8\xc3")
HEADER_SIZES: Final[tuple[int, ...]] = (28, 36, 28)

INITIAL_DATA: Final = 0x01
RESYNC_DATA: Final = 0x02
RESET_DATA: Final = 0x03
MESSAGE_DATA: Final = 0x04
STATUS_DATA: Final = 0x05
SECURITY_DATA: Final = 0x06
PING_DATA: Final = 0x07
USERID_DATA: Final = 0x08
HEARTBEAT: Final = 0x09
CONAUTH_INFO: Final = 0x0A
RENEGOTIATE_DATA: Final = 0x0B
SOCKET_ACTION: Final = 0x0C
ASYNC_MESSAGE: Final = 0x0D
REQUEST_MSGS: Final = 0x0E
NOTIFICATION: Final = 0x0F
MQCONN: Final = 0x81
MQDISC: Final = 0x82
MQOPEN: Final = 0x83
MQCLOSE: Final = 0x84
MQGET: Final = 0x85
MQPUT: Final = 0x86
MQPUT1: Final = 0x87
MQSET: Final = 0x88
MQINQ: Final = 0x89
MQCMIT: Final = 0x8A
MQBACK: Final = 0x8B
SPI: Final = 0x8C
MQSTAT: Final = 0x8D
MQSUB: Final = 0x8E
MQSUBRQ: Final = 0x8F
REPLY: Final = 0x10
XA_START: Final = 0xA1
XA_END: Final = 0xA2
XA_OPEN: Final = 0xA3
XA_CLOSE: Final = 0xA4
XA_PREPARE: Final = 0xA5
XA_COMMIT: Final = 0xA6
XA_ROLLBACK: Final = 0xA7
XA_FORGET: Final = 0xA8
XA_RECOVER: Final = 0xA9
XA_COMPLETE: Final = 0xAA

CONFIRM_REQUEST: Final = 0x01
ERROR: Final = 0x02
REQUEST_CLOSE: Final = 0x04
CLOSE_CHANNEL: Final = 0x08
FIRST: Final = 0x10
LAST: Final = 0x20
WHOLE: Final = 0x30
REQUEST_ACCEPTED: Final = 0x40
DLQ_USED: Final = 0x80

HEADER_COMPRESSED: Final = 0x01
DATA_COMPRESSED: Final = 0x02
COMPRESSION_HEADER: Final = 0x04
COMMIT_INTERVAL: Final = 0x08

NO_UNIT: Final = bytes(8)
MAX_BEFORE_AGREEMENT: Final = 32768

_TSHM: Final = 0x5453484D


@mypyc_attr(free_list_len=1)
class Segment:
    """One whole segment where it lies in the bytes received: header fields, and the bounds of its body."""

    def __init__(
        self,
        form: int,
        conversation_id: int,
        request_id: int,
        kind: int,
        flags: int,
        more_flags: int,
        dialect: Dialect,
        data: bytes,
        start: int,
        body: int,
        end: int,
    ) -> None:
        self.form = form
        self.conversation_id = conversation_id
        self.request_id = request_id
        self.kind = kind
        self.flags = flags
        self.more_flags = more_flags
        self.dialect = dialect
        self.data = data
        self.start = start
        self.body = body
        self.end = end

    @property
    def unit(self) -> bytes:
        """The unit of work that the header names."""
        return self.data[self.body - 16 : self.body - 8]


def encode_header(
    form: int,
    length: int,
    conversation_id: int,
    request_id: int,
    kind: int,
    flags: int,
    dialect: Dialect,
    more_flags: int = 0,
    unit: bytes = NO_UNIT,
) -> bytes:
    """Encode the header of a segment whose whole length, header included, is given."""
    out = BytesWriter()
    write_header(out, form, length, conversation_id, request_id, kind, flags, dialect, more_flags, unit)
    return out.getvalue()


def write_header(
    out: BytesWriter,
    form: int,
    length: int,
    conversation_id: int,
    request_id: int,
    kind: int,
    flags: int,
    dialect: Dialect,
    more_flags: int = 0,
    unit: bytes = NO_UNIT,
) -> None:
    """Write the header of a segment whose whole length, header included, is given."""
    out.write(EBCDIC_EYES[form] if dialect.ebcdic else EYES[form])
    put_u4(out, length)
    if form == FORM_MULTIPLEXED:
        put_u4(out, conversation_id)
        put_u4(out, request_id)
    out.append(dialect.byte_order)
    out.append(kind)
    out.append(flags)
    out.append(more_flags)
    out.write(unit)
    out.write(dialect.tail)


def u4(data: bytes, offset: int) -> int:
    """Read an unsigned 32-bit integer of a header, which is big-endian in every dialect."""
    value: int = read_i32_be(data, offset)
    return value if value >= 0 else value + (1 << 32)


def put_u4(out: BytesWriter, value: int) -> None:
    """Write an unsigned 32-bit integer of a header."""
    write_i32_be(out, value if value < 1 << 31 else value - (1 << 32))


class SegmentReader:
    """Cuts the byte stream of a socket into segments, keeping at most one incomplete segment."""

    def __init__(self) -> None:
        self.max_segment: int = MAX_BEFORE_AGREEMENT
        self._partial = bytearray()
        self._wanted: int = 0  # length of the incomplete segment, 0 while not even that is known
        self._eye: int = 0  # which eye-catcher the segment that comes has
        self._dialect: Dialect | None = None
        self._dialect_eye: int = -1
        self._dialect_order: int = 0
        self._dialect_tail: i64 = 0
        # And the one before it: a client gets answers in its own dialect and messages in the server's.
        self._former: Dialect | None = None
        self._former_eye: int = -1
        self._former_order: int = 0
        self._former_tail: i64 = 0

    @property
    def waiting(self) -> int:
        """Bytes held of a segment that is not yet whole."""
        return len(self._partial)

    def feed(self, data: bytes, segments: "list[Segment]") -> None:
        """Append the segments that these bytes complete, in order; segments before a malformed one are kept."""
        position = 0
        if self._partial:
            position = self._fill(data)
            if self._wanted == 0 or len(self._partial) < self._wanted:
                return
            whole = bytes(self._partial)
            self._partial = bytearray()
            self._wanted = 0
            segments.append(self._parse(whole, 0, len(whole)))
        end = len(data)
        while end - position >= 8:
            length = self._length(data, position)
            if end - position < length:
                self._wanted = length
                break
            segments.append(self._parse(data, position, length))
            position += length
        if position < end:
            if end - position < 8:
                check_eye(data, position, end)
            self._partial += data[position:end]

    def _fill(self, data: bytes) -> int:
        """Complete the incomplete segment as far as these bytes go; gives the number of bytes used."""
        position = 0
        if self._wanted == 0:
            position = min(8 - len(self._partial), len(data))
            self._partial += data[:position]
            head = bytes(self._partial)
            if len(head) < 8:
                check_eye(head, 0, len(head))
                return position
            self._wanted = self._length(head, 0)
        take = min(self._wanted - len(self._partial), len(data) - position)
        self._partial += data[position : position + take]
        return position + take

    def _length(self, data: bytes, offset: int) -> int:
        """Give the length of the segment that starts here, and keep the index of its eye-catcher for `_parse`."""
        self._eye = FORM_MULTIPLEXED if read_i32_be(data, offset) == _TSHM else check_eye(data, offset, offset + 4)
        length = u4(data, offset + 4)
        size = HEADER_SIZES[self._eye % 3]
        # The 8 bytes by which the long header exceeds the short one may lie outside the agreed maximum.
        if length < size or length > self.max_segment + 8:
            raise ProtocolError(4, f"a segment length of {size} to {self.max_segment + 8}", length, LENGTH_ERROR)
        return length

    def _parse(self, data: bytes, start: int, length: int) -> Segment:
        eye = self._eye
        form = eye % 3
        conversation_id = 0
        request_id = 0
        at = start + 8
        if form == FORM_MULTIPLEXED:
            conversation_id = u4(data, at)
            request_id = u4(data, at + 4)
            at += 8
        order = data[at]
        tail = read_i64_be(data, at + 12)
        dialect = self._dialect
        if dialect is None or order != self._dialect_order or eye != self._dialect_eye or tail != self._dialect_tail:
            former = self._former
            if former is None or order != self._former_order or eye != self._former_eye or tail != self._former_tail:
                former = read_dialect(order, data[at + 12 : at + 20], eye >= 3, at - start)
            self._former = dialect
            self._former_eye = self._dialect_eye
            self._former_order = self._dialect_order
            self._former_tail = self._dialect_tail
            dialect = self._dialect = former
            self._dialect_eye = eye
            self._dialect_order = order
            self._dialect_tail = tail
        return Segment(
            form,
            conversation_id,
            request_id,
            data[at + 1],
            data[at + 2],
            data[at + 3],
            dialect,
            data,
            start,
            at + 20,
            start + length,
        )


def check_eye(data: bytes, offset: int, end: int) -> int:
    """Give the index of the eye-catcher: 0..2 in ASCII, 3..5 in EBCDIC; if incomplete, check only its beginning."""
    found = data[offset : min(offset + 4, end)]
    if len(found) == 4:
        if found in EYES:
            return EYES.index(found)
        if found in EBCDIC_EYES:
            return EBCDIC_EYES.index(found) + 3
    else:
        for eye in EYES + EBCDIC_EYES:
            if eye.startswith(found):
                return 0
    raise ProtocolError(0, "a segment header", found, SEGMENT_ERROR)
