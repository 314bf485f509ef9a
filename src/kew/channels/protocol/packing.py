"""Compression on the wire: which bytes of a segment it covers, as IBM's Java client has it (docs/protocol.md).

    call, first segment     header, 16 bytes of API header, CSH, structures, message data
    call, later segments    header, message data
    message, first          header, 24 bytes of head, CSH, structures, message data
    message, later          header, 24 bytes of head, message data
    message channel, first  header, 20 bytes of MSH, CSH, MQXQH, message data (between two Kews only)
    message channel, later  header, 20 bytes of MSH, message data
    CSH, 4 bytes, big       u2 where the message data begins, counted with a header of 28 bytes; u2 its method

A message is cut into segments first and each segment's data compressed on its own, so that no segment expands to more
than the agreed length. Of the second flags byte, 1 says that the structures are compressed (always by runs), 2 that the
data is, 4 that the CSH is there. Data that would not become shorter is sent as it is.

Up to three bytes may pad a compressed segment to a multiple of 4 (`compression.py`); in IBM's clients these bytes are
left over in the buffer. Every segment of a call but its last is full before it is compressed, so any excess over a full
segment is padding; in the last segment the length of the call shows the padding.
"""

from struct import Struct
from typing import Final

from kew.channels.protocol.bodies import carries_message, is_call
from kew.channels.protocol.compression import (
    LZ4FAST,
    LZ4HIGH,
    MOST_PADDING,
    NONE,
    SYSTEM,
    CompressionRate,
    compress,
    expand,
)
from kew.channels.protocol.delivery import MESSAGE_DATA, MESSAGE_HEAD
from kew.channels.protocol.dialect import need
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import API_SIZE
from kew.channels.protocol.segments import (
    ASYNC_MESSAGE,
    COMPRESSION_HEADER,
    DATA_COMPRESSED,
    FIRST,
    FORM_MULTIPLEXED,
    HEADER_COMPRESSED,
    HEADER_SIZES,
    LAST,
    Segment,
    u4,
)
from kew.channels.protocol.segments import MESSAGE_DATA as CHANNEL_MESSAGE
from kew.channels.protocol.status import LENGTH_ERROR

COMPRESSED: Final = HEADER_COMPRESSED | DATA_COMPRESSED | COMPRESSION_HEADER
CHANNEL_HEAD: Final = 20  # bytes of the MSH in a message of a message channel
SHORTEST: Final = 64  # less data than this is not worth the attempt

_CSH: Final = Struct(">HH")
_CSH_SIZE: Final = 4


class Packing:
    """The compression that two ends have agreed on, and its rate."""

    def __init__(self, header_method: int, message_method: int, extended: bool) -> None:
        self.header_method = header_method
        self.message_method = message_method
        # IBM's Java client keeps the descriptor of such a message for a put of its own.
        self.packs_message_heads = extended
        self.rate = CompressionRate()
        self.header_rate = CompressionRate()

    @property
    def active(self) -> bool:
        """True if anything is compressed."""
        return self.header_method != NONE or self.message_method != NONE

    def pack_first(self, segment: bytes, form: int, before: int, structures: int) -> bytes:
        """Compress the first segment of a call or message, which has structures before the data."""
        start = HEADER_SIZES[form] + before
        head = segment[start : start + structures]
        data = segment[start + structures :]
        flags = 0
        packed_head = head
        if self.header_method != NONE and (before == API_SIZE or self.packs_message_heads):
            packed_head = compress(SYSTEM, head)
            if len(packed_head) + _CSH_SIZE < len(head):
                flags |= HEADER_COMPRESSED
            else:
                packed_head = head
            self.header_rate.count(len(head), len(packed_head))
        packed_data = self._pack_data(data)
        if len(packed_data) < len(data):
            flags |= DATA_COMPRESSED
        if flags == 0:
            return segment
        begins = start + _CSH_SIZE + len(packed_head)
        if form == FORM_MULTIPLEXED:
            begins -= 8
        method = self.message_method if flags & DATA_COMPRESSED else NONE
        csh = _CSH.pack(begins, method)
        return _finished(segment[:start], form, flags | COMPRESSION_HEADER, csh + packed_head + packed_data)

    def pack_later(self, segment: bytes, form: int, before: int) -> bytes:
        """Compress a later segment of a call or message, which has only message data."""
        start = HEADER_SIZES[form] + before
        data = segment[start:]
        packed = self._pack_data(data)
        if len(packed) >= len(data):
            return segment
        return _finished(segment[:start], form, DATA_COMPRESSED, packed)

    def _pack_data(self, data: bytes) -> bytes:
        if self.message_method == NONE or len(data) < SHORTEST:
            return data
        packed = compress(self.message_method, data)
        if len(packed) + _CSH_SIZE >= len(data):
            packed = data
        self.rate.count(len(data), len(packed))
        return packed

    def unpack(self, segment: Segment, full: int) -> None:
        """Expand a compressed segment; the result may not be longer than a full segment."""
        limit = full + 8  # by which the long header exceeds the short one
        flags = segment.more_flags
        data = segment.data
        if not self.active or (flags & HEADER_COMPRESSED and not flags & COMPRESSION_HEADER):
            raise ProtocolError(segment.start, "no compression that was not agreed", f"flags 0x{flags:02X}")
        csh = segment.body + _before(segment)
        most = limit
        if segment.kind == ASYNC_MESSAGE:
            need(csh, 0, segment.end, "compressed data")
            if self.message_method in (LZ4FAST, LZ4HIGH):
                most = min(max(segment.dialect.i4(data, segment.body + MESSAGE_DATA), 0), limit)
        if flags & COMPRESSION_HEADER:
            need(csh, _CSH_SIZE, segment.end, "CSH")
            begins, method = _CSH.unpack_from(data, csh)
            middle = segment.start + begins + (8 if segment.form == FORM_MULTIPLEXED else 0)
            if middle < csh + _CSH_SIZE or middle > segment.end:
                raise ProtocolError(csh, "the place of the message data in the segment", begins, LENGTH_ERROR)
            head = data[csh + _CSH_SIZE : middle]
            if (
                not (carries_message(segment.kind) or segment.kind in (ASYNC_MESSAGE, CHANNEL_MESSAGE))
                and segment.end - middle <= MOST_PADDING
            ):
                segment.end = middle
            if flags & HEADER_COMPRESSED:
                head = expand(SYSTEM, head, limit)
            whole = (
                data[segment.start : csh] + head + self._unpack_data(data[middle : segment.end], method, flags, most)
            )
        else:
            need(csh, 0, segment.end, "compressed data")
            tail = self._unpack_data(data[csh : segment.end], self.message_method, flags, most)
            whole = data[segment.start : csh] + tail
        if segment.flags & LAST == 0 and full < len(whole) <= full + MOST_PADDING:
            whole = whole[:full]
        if len(whole) > limit:
            raise ProtocolError(segment.start, f"at most {limit} bytes once expanded", len(whole), LENGTH_ERROR)
        segment.data = whole
        segment.body -= segment.start
        segment.start = 0
        segment.end = len(whole)
        segment.more_flags &= ~COMPRESSED

    def _unpack_data(self, data: bytes, method: int, flags: int, limit: int) -> bytes:
        if not flags & DATA_COMPRESSED:
            return data
        if method != self.message_method:
            raise ProtocolError(0, f"compression method {self.message_method}", method)
        expanded = expand(method, data, limit)
        self.rate.count(len(expanded), len(data))
        return expanded


def _before(segment: Segment) -> int:
    """Give the length of the uncompressed beginning of a segment's body."""
    if segment.kind == CHANNEL_MESSAGE:
        return CHANNEL_HEAD
    if segment.kind == ASYNC_MESSAGE:
        return MESSAGE_HEAD
    return API_SIZE if is_call(segment.kind) and segment.flags & FIRST != 0 else 0


def cut_padding(segment: Segment, rest: list[bytes], length: int) -> int:
    """Cut the padding of a compressed call that was received with this length; gives the length of the padding.

    The length that the call states counts neither this padding nor the fill of up to three bytes that was there before
    compression.
    """
    if segment.end - segment.body < API_SIZE:
        return 0
    padding = length - ((u4(segment.data, segment.body) + 3) & ~3)
    if not 0 < padding <= MOST_PADDING:
        return 0
    if rest:
        rest[-1] = rest[-1][: max(len(rest[-1]) - padding, 0)]
    else:
        segment.end = max(segment.end - padding, segment.body + API_SIZE)
    return padding


def _finished(header: bytes, form: int, flags: int, body: bytes) -> bytes:
    """Set the length and the second flags byte of a segment."""
    out = bytearray(header + body)
    out[4:8] = len(out).to_bytes(4, "big")
    out[19 if form == FORM_MULTIPLEXED else 11] |= flags
    return bytes(out)
