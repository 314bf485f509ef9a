"""Events into segments: one when it fits the agreed length, else several.

A long call goes on in segments that repeat the header and then carry raw bytes; its call length, in the first one,
counts the whole call with one header. A long message goes on in segments that each have the short message head.
"""

from collections.abc import Iterator
from struct import Struct
from typing import Final

from kew.channels.protocol.delivery import Message
from kew.channels.protocol.dialect import Dialect
from kew.channels.protocol.events import API_SIZE, API_WORDS, Call, Event
from kew.channels.protocol.packing import Packing
from kew.channels.protocol.segments import (
    ASYNC_MESSAGE,
    EBCDIC_EYES,
    EYES,
    FIRST,
    FORM_MULTIPLEXED,
    FORM_PLAIN,
    HEADER_SIZES,
    LAST,
    NO_UNIT,
    REPLY,
    WHOLE,
    encode_header,
)

_CALL_HEADER: Final = Struct(">4sIIIBBBB8s8sI")
_FILLS: Final = (b"", bytes(3), bytes(2), bytes(1))
_PLAIN_CALL_HEADER: Final = Struct(">4sIBBBB8s8sI")


def frame(event: Event, form: int, dialect: Dialect, max_segment: int, packing: Packing | None = None) -> bytes:
    """An event as the bytes of its segments; packing, where it is given, compresses calls."""
    if packing is not None and isinstance(event, Call):
        return b"".join(list(_packed_call(event, form, dialect, max_segment, packing)))
    body = event.encode(dialect)
    payload = event.payload
    header_size: int = HEADER_SIZES[form]
    if isinstance(event, Call):
        total = header_size + API_SIZE + len(body) + len(payload)
        fill = _fill(event, form, total)
        if total + len(fill) > max_segment:
            return b"".join(list(_cut_call(event, form, dialect, max_segment, body, True)))
        words = API_WORDS[dialect.order].pack(event.completion, event.reason, event.handle)
        header = _call_header(event, form, total + len(fill), total, WHOLE, dialect)
        return b"".join((header, words, body, payload, fill))
    total = header_size + len(body) + len(payload)
    if total > max_segment:
        if isinstance(event, Message):
            return b"".join(list(_cut_message(event, form, dialect, max_segment)))
        raise ValueError(f"a segment of type 0x{event.kind:02X} must fit {max_segment} bytes, not {total}")
    header = encode_header(form, total, event.conversation_id, event.request_id, event.kind, event.flags, dialect)
    return b"".join((header, body, payload))


def cut(event: Event, form: int, dialect: Dialect, max_segment: int, packing: Packing | None = None) -> Iterator[bytes]:
    """An event as its segments one by one, so that a long one need not exist twice."""
    if isinstance(event, Message):
        yield from _cut_message(event, form, dialect, max_segment)
    elif isinstance(event, Call):
        if packing is not None:
            yield from _packed_call(event, form, dialect, max_segment, packing)
        else:
            yield from _cut_call(event, form, dialect, max_segment, event.encode(dialect), True)
    else:
        yield frame(event, form, dialect, max_segment)


def _packed_call(call: Call, form: int, dialect: Dialect, max_segment: int, packing: Packing) -> Iterator[bytes]:
    """The segments of a call, each compressed on its own; a call that is compressed is not filled up."""
    body = call.encode(dialect)
    first = True
    for segment in _cut_call(call, form, dialect, max_segment, body, False):
        if not first:
            yield packing.pack_later(segment, form)
        elif len(body) > max_segment - HEADER_SIZES[form] - API_SIZE:
            yield segment
        else:
            yield packing.pack_first(segment, form, len(body))
        first = False


def _cut_call(call: Call, form: int, dialect: Dialect, max_segment: int, body: bytes, filled: bool) -> Iterator[bytes]:
    header_size: int = HEADER_SIZES[form]
    payload = call.payload
    head = API_WORDS[dialect.order].pack(call.completion, call.reason, call.handle) + body
    total = header_size + 4 + len(head) + len(payload)
    room = max_segment - header_size
    first = head[: room - 4]
    fill = _fill(call, form, total) if filled else b""
    rest = payload + fill if fill else payload
    position = min(len(rest), room - 4 - len(first))
    first += rest[:position]
    if len(head) > room - 4:
        rest = head[room - 4 :] + rest
    end = len(rest)
    flags = FIRST if position < end else WHOLE
    yield _call_header(call, form, header_size + 4 + len(first), total, flags, dialect) + first
    while position < end:
        size = min(room, end - position)
        flags = LAST if position + size == end else 0
        yield (
            encode_header(form, header_size + size, call.conversation_id, call.request_id, call.kind, flags, dialect)
            + rest[position : position + size]
        )
        position += size


def _fill(call: Call, form: int, total: int) -> bytes:
    """On a shared socket clients fill a call with message data up to a multiple of 4, which its length leaves out."""
    if form != FORM_MULTIPLEXED or call.kind & REPLY or not call.payload:
        return b""
    fill: bytes = _FILLS[total & 3]
    return fill


def _cut_message(message: Message, form: int, dialect: Dialect, max_segment: int) -> Iterator[bytes]:
    room = max_segment - HEADER_SIZES[form]
    more = message.more(dialect)
    payload = message.payload
    end = len(payload)
    position = min(end, room - 24 - len(more))
    body = message.head(dialect, 0, position) + more + payload[:position]
    flags = FIRST if position < end else WHOLE
    index = 0
    while True:
        yield (
            encode_header(
                form,
                HEADER_SIZES[form] + len(body),
                message.conversation_id,
                message.request_id,
                ASYNC_MESSAGE,
                flags,
                dialect,
            )
            + body
        )
        if position >= end:
            return
        index += 1
        size = min(room - 24, end - position)
        flags = LAST if position + size == end else 0
        body = message.head(dialect, index & 0xFFFF, size) + payload[position : position + size]
        position += size


def _call_header(call: Call, form: int, length: int, total: int, flags: int, dialect: Dialect) -> bytes:
    """Segment header and call length in one piece: both are big-endian whatever the dialect."""
    stated = total + call.room
    if form == FORM_MULTIPLEXED:
        # Replies are counted as if their header had 28 bytes.
        if call.kind & REPLY:
            stated -= 8
        return _CALL_HEADER.pack(
            EBCDIC_EYES[FORM_MULTIPLEXED] if dialect.ebcdic else EYES[FORM_MULTIPLEXED],
            length,
            call.conversation_id,
            call.request_id,
            dialect.byte_order,
            call.kind,
            flags,
            0,
            NO_UNIT,
            dialect.tail,
            stated & 0xFFFFFFFF,
        )
    eye = EBCDIC_EYES[FORM_PLAIN] if dialect.ebcdic else EYES[FORM_PLAIN]
    return _PLAIN_CALL_HEADER.pack(
        eye, length, dialect.byte_order, call.kind, flags, 0, NO_UNIT, dialect.tail, stated & 0xFFFFFFFF
    )
