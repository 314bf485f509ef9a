"""Segments made from events: one when the event fits the agreed length, else several.

A long call continues in segments that repeat the header and then carry raw bytes; its call length, in the first one,
counts the whole call with one header. A long message continues in segments that each have the short message head.
"""

from collections.abc import Iterator
from typing import Final

from librt.strings import BytesWriter

from kew.channels.protocol.delivery import MESSAGE_HEAD, Message
from kew.channels.protocol.dialect import Dialect
from kew.channels.protocol.events import API_SIZE, Call, Event
from kew.channels.protocol.packing import Packing
from kew.channels.protocol.segments import (
    ASYNC_MESSAGE,
    FIRST,
    FORM_MULTIPLEXED,
    HEADER_SIZES,
    LAST,
    REPLY,
    WHOLE,
    encode_header,
    put_u4,
    write_header,
)
from kew.channels.protocol.xa import XaCall

_FILLS: Final[tuple[bytes, ...]] = (b"", bytes(3), bytes(2), bytes(1))


def frame(event: Event, form: int, dialect: Dialect, max_segment: int, packing: Packing | None = None) -> bytes:
    """Give the segments of an event; packing, if given, compresses calls and messages."""
    if packing is not None:
        if isinstance(event, Call):
            return b"".join(list(_packed_call(event, form, dialect, max_segment, packing)))
        if isinstance(event, Message):
            return b"".join(list(_packed_message(event, form, dialect, max_segment, packing)))
    body = event.encode(dialect)
    payload = event.payload
    if isinstance(event, Call):
        total = HEADER_SIZES[form] + API_SIZE + len(body) + len(payload)
        fill = _call_fill(event, form, total)
        if total + len(fill) > max_segment:
            return b"".join(list(_cut_call(event, form, dialect, max_segment, body, True)))
        head = _call_head(event, form, total + len(fill), total, WHOLE, dialect)
        return b"%b%b%b%b" % (head, body, payload, fill)
    total = HEADER_SIZES[form] + len(body) + len(payload)
    fill = _fill(form, total) if isinstance(event, Message) or isinstance(event, XaCall) else b""  # noqa: SIM101 (compiled)
    total += len(fill)
    if total > max_segment:
        if isinstance(event, Message):
            return b"".join(list(_cut_message(event, form, dialect, max_segment, True)))
        raise ValueError(f"a segment of type 0x{event.kind:02X} must fit {max_segment} bytes, not {total}")
    head = encode_header(form, total, event.conversation_id, event.request_id, event.kind, event.flags, dialect)
    return b"%b%b%b%b" % (head, body, payload, fill)


def cut(event: Event, form: int, dialect: Dialect, max_segment: int, packing: Packing | None = None) -> Iterator[bytes]:
    """Give the segments of an event one by one, so that a long event is not copied whole."""
    if isinstance(event, Message):
        if packing is not None:
            yield from _packed_message(event, form, dialect, max_segment, packing)
        else:
            yield from _cut_message(event, form, dialect, max_segment, True)
    elif isinstance(event, Call):
        if packing is not None:
            yield from _packed_call(event, form, dialect, max_segment, packing)
        else:
            yield from _cut_call(event, form, dialect, max_segment, event.encode(dialect), True)
    else:
        yield frame(event, form, dialect, max_segment)


def _packed_call(call: Call, form: int, dialect: Dialect, max_segment: int, packing: Packing) -> Iterator[bytes]:
    """Give the segments of a call, each compressed on its own; compressed calls are not filled to a multiple of 4."""
    body = call.encode(dialect)
    first = True
    for segment in _cut_call(call, form, dialect, max_segment, body, False):
        if not first:
            yield packing.pack_later(segment, form, 0)
        elif len(body) > max_segment - HEADER_SIZES[form] - API_SIZE:
            yield segment
        else:
            yield packing.pack_first(segment, form, API_SIZE, len(body))
        first = False


def _packed_message(
    message: Message, form: int, dialect: Dialect, max_segment: int, packing: Packing
) -> Iterator[bytes]:
    """Give the segments of a message, each compressed on its own and then filled to a multiple of 4."""
    structures = len(message.encode(dialect)) - MESSAGE_HEAD
    first = True
    for segment in _cut_message(message, form, dialect, max_segment, False):
        if first:
            packed = packing.pack_first(segment, form, MESSAGE_HEAD, structures)
        else:
            packed = packing.pack_later(segment, form, MESSAGE_HEAD)
        first = False
        fill = _fill(form, len(packed))
        if fill:
            packed = b"%b%b%b%b" % (packed[:4], (len(packed) + len(fill)).to_bytes(4, "big"), packed[8:], fill)
        yield packed


def _cut_call(call: Call, form: int, dialect: Dialect, max_segment: int, body: bytes, filled: bool) -> Iterator[bytes]:
    header_size = HEADER_SIZES[form]
    payload = call.payload
    total = header_size + API_SIZE + len(body) + len(payload)
    room = max_segment - header_size
    first = body[: room - API_SIZE]
    fill = _call_fill(call, form, total) if filled else b""
    rest = payload + fill if fill else payload
    position = min(len(rest), room - API_SIZE - len(first))
    first += rest[:position]
    if len(body) > room - API_SIZE:
        rest = body[room - API_SIZE :] + rest
    end = len(rest)
    flags = FIRST if position < end else WHOLE
    yield _call_head(call, form, header_size + API_SIZE + len(first), total, flags, dialect) + first
    while position < end:
        size = min(room, end - position)
        flags = LAST if position + size == end else 0
        yield (
            encode_header(form, header_size + size, call.conversation_id, call.request_id, call.kind, flags, dialect)
            + rest[position : position + size]
        )
        position += size


def _fill(form: int, total: int) -> bytes:
    """Give the bytes that fill a segment up to a multiple of 4 on a shared socket.

    IBM's Java client reads segments where they lie in its buffer, and misreads one behind a segment that was not
    filled.
    """
    return _FILLS[total & 3] if form == FORM_MULTIPLEXED else b""


def _call_fill(call: Call, form: int, total: int) -> bytes:
    """Give the bytes that fill a call with message data up to a multiple of 4; the call's length excludes them."""
    return b"" if call.kind & REPLY or not call.payload else _fill(form, total)


def _cut_message(message: Message, form: int, dialect: Dialect, max_segment: int, filled: bool) -> Iterator[bytes]:
    room = (max_segment & ~3) - HEADER_SIZES[form]  # the longest fill
    payload = message.payload
    end = len(payload)
    position = min(end, room - len(message.encode(dialect)))
    body = message.first(dialect, position) + payload[:position]
    flags = FIRST if position < end else WHOLE
    index = 0
    while True:
        length = HEADER_SIZES[form] + len(body)
        fill = _fill(form, length) if filled else b""
        head = encode_header(
            form,
            length + len(fill),
            message.conversation_id,
            message.request_id,
            ASYNC_MESSAGE,
            flags,
            dialect,
        )
        yield b"%b%b%b" % (head, body, fill)
        if position >= end:
            return
        index += 1
        size = min(room - MESSAGE_HEAD, end - position)
        flags = LAST if position + size == end else 0
        body = message.head(dialect, index & 0xFFFF, size) + payload[position : position + size]
        position += size


def _call_head(call: Call, form: int, length: int, total: int, flags: int, dialect: Dialect) -> bytes:
    """Encode segment header and API header; the call length between them is big-endian in every dialect."""
    stated = total + call.room
    # Replies on a shared socket are counted as if their header had 28 bytes.
    if form == FORM_MULTIPLEXED and call.kind & REPLY:
        stated -= 8
    out = BytesWriter()
    write_header(out, form, length, call.conversation_id, call.request_id, call.kind, flags, dialect)
    put_u4(out, stated & 0xFFFFFFFF)
    dialect.put_i4(out, call.completion)
    dialect.put_i4(out, call.reason)
    dialect.put_i4(out, call.handle)
    return out.getvalue()
