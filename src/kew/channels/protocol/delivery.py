"""Messages sent to a client on request: REQUEST_MSGS, ASYNC_MESSAGE and NOTIFICATION.

REQUEST_MSGS                                  ASYNC_MESSAGE
 0 i4 version 1         4 i4 handle            0 i4 version 1        4 i4 handle
 8 i4 bytes received   12 i4 bytes wanted      8 i4 index, handle   12 i4 index, conversation
16 i4 longest message  20 i4 MQGMO options    16 i4 data bytes here 20 u2 segment, 22 u2 selection
24 i4 wait, ms         28 i4 queue status     24 i4 reason          28 i4 total length
32 i4 flags            36 i4 last index       32 i4 actual length   36 b16 message token
with flag 0x10:                               52 u2 status          54 u1 name length, 55 name
40 u2 selection        42 u2 MQMD version     then padding to 4, MQMD, data
44 i4 CCSID            48 i4 encoding         segments after the first: 0..23, then data
52 i4 sequence         56 i4 offset
60 i4 match, then the ids it names            NOTIFICATION  i4 1, i4 handle, i4 code, i4 value
"""

from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import mypyc_attr

from kew.channels.protocol.descriptor import descriptor_size
from kew.channels.protocol.dialect import Dialect, need
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.segments import ASYNC_MESSAGE, CONFIRM_REQUEST, NOTIFICATION, REQUEST_MSGS
from kew.channels.protocol.status import LENGTH_ERROR, SEGMENT_NUMBER_ERROR
from kew.codes.reasons import MQRC_GET_INHIBITED, MQRC_TRUNCATED_MSG_ACCEPTED, MQRC_TRUNCATED_MSG_FAILED

SELECTION_PRESENT: Final = 0x10
SYNCHRONOUS_GET: Final = 0x08
FINAL_ATTEMPT: Final = 0x06  # with a request to confirm: send the available messages, the client waits no longer
RESERVE: Final = 0x100000  # Kew's own: send ahead what the program gets in its unit of work (see CONSUMED)
NEEDED: Final = 0x200000  # Kew's own: the program waits for the first message; others are sent ahead
CONSUMER: Final = 0x01  # for a message listener: the request stands until a message comes

MATCH_MESSAGE_ID: Final = 1
MATCH_CORRELATION_ID: Final = 2
MATCH_GROUP_ID: Final = 4
MATCH_TOKEN: Final = 0x20

GET_INHIBITED: Final = 1
GET_ALLOWED: Final = 2
CONN_STATE: Final = 3
CONN_STATE_REPLY: Final = 4
Q_STATE: Final = 5
Q_STATE_REPLY: Final = 6
QM_QUIESCING: Final = 7
TXN_ALLOWED: Final = 8
TXN_REVOKE: Final = 9
TXN_REVOKE_REPLY: Final = 10
CHECK_MSG: Final = 11
BROWSE_FIRST: Final = 12
MESSAGE_TOO_LARGE: Final = 13
STREAMING_FAILURE: Final = 14
CLIENT_ASYNC_EMPTY: Final = 15
STREAMING_TXN_PAUSED: Final = 16
RECONNECTION_COMPLETE: Final = 17
# Kew's own, of messages that were sent ahead: the program has had so many more of them; it will have none of the rest.
CONSUMED: Final = 0x4B455701
RELEASED: Final = 0x4B455702
# Kew's own: the state of asynchronous consumption, for DISPLAY CONN; of the connection if there is no handle.
CONSUMPTION: Final = 0x4B455703

ASYNCHRONOUS: Final = 1  # the request id of unsolicited segments to a client
MESSAGE_HEAD: Final = 24  # bytes that start every segment of a message
MESSAGE_DATA: Final = 16  # offset of the length of data in a segment
DESCRIPTOR_CHARGE: Final = 364  # bytes of a read-ahead window that a message takes besides its data

_FLAGS_AT: Final = 356  # the low byte of MsgFlags in a version 2 little-endian descriptor
_PLACE_FLAGS: Final = 0x1F  # may be segmented, is a segment, the last, is in a group, the last
_NO_TOKEN: Final = bytes(16)
_NO_ID: Final = bytes(24)
_FILLS: Final[tuple[bytes, ...]] = (b"", bytes(1), bytes(2), bytes(3))


@mypyc_attr(free_list_len=1)
class Selection:
    """The messages that a handle asks for, and their form; in force until the handle sends another."""

    def __init__(self) -> None:
        self.index: int = 0
        self.descriptor_version: int = 2
        self.ccsid: int = 1208
        self.encoding: int = 273
        self.sequence_number: int = 0
        self.offset: int = 0
        self.match_options: int = 0
        self.message_id: bytes = _NO_ID
        self.correlation_id: bytes = _NO_ID
        self.group_id: bytes = _NO_ID
        self.token: bytes = _NO_TOKEN

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the selection block of a REQUEST_MSGS."""
        out = BytesWriter()
        dialect.put_u2(out, self.index)
        dialect.put_u2(out, self.descriptor_version)
        dialect.put_i4(out, self.ccsid)
        dialect.put_i4(out, self.encoding)
        dialect.put_i4(out, self.sequence_number)
        dialect.put_i4(out, self.offset)
        dialect.put_i4(out, self.match_options)
        match = self.match_options
        if match & MATCH_MESSAGE_ID:
            out.write(self.message_id)
        if match & MATCH_CORRELATION_ID:
            out.write(self.correlation_id)
        if match & MATCH_GROUP_ID:
            out.write(self.group_id)
        if match & MATCH_TOKEN:
            out.write(self.token)
        return out.getvalue()


@mypyc_attr(free_list_len=1)
class RequestMessages(Event):
    """REQUEST_MSGS: a client asks for messages of a handle, and acknowledges the messages that it has taken."""

    def __init__(self, handle: int) -> None:
        super().__init__(REQUEST_MSGS)
        self.request_id = 1
        self.version: int = 1
        self.handle = handle
        self.received_bytes: int = 0
        self.requested_bytes: int = 1
        self.max_length: int = -1
        self.options: int = 0
        self.wait_interval: int = 0
        self.queue_status: int = 0
        self.request_flags: int = SYNCHRONOUS_GET
        self.last_index: int = 0
        self.selection: Selection | None = None  # the selection in this request; the session supplies the one in force

    @property
    def confirm(self) -> bool:
        """True if the client asks for a Q_STATE_REPLY when there is no further message."""
        return self.flags & CONFIRM_REQUEST != 0

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the request, with its selection block when it has one."""
        flags = self.request_flags & ~SELECTION_PRESENT
        selection = self.selection
        if selection is not None:
            flags |= SELECTION_PRESENT
        out = BytesWriter()
        dialect.put_i4(out, self.version)
        dialect.put_i4(out, self.handle)
        dialect.put_i4(out, self.received_bytes)
        dialect.put_i4(out, self.requested_bytes)
        dialect.put_i4(out, self.max_length)
        dialect.put_i4(out, self.options)
        dialect.put_i4(out, self.wait_interval)
        dialect.put_i4(out, self.queue_status)
        dialect.put_i4(out, flags)
        dialect.put_i4(out, self.last_index)
        if selection is not None:
            out.write(selection.encode(dialect))
        return out.getvalue()


def decode_request_messages(data: bytes, offset: int, end: int, dialect: Dialect) -> RequestMessages:
    """Read REQUEST_MSGS."""
    need(offset, 40, end, "REQUEST_MSGS")
    version = dialect.i4(data, offset)
    if version != 1:
        raise ProtocolError(offset, "REQUEST_MSGS version 1", version)
    request = RequestMessages(dialect.i4(data, offset + 4))
    request.received_bytes = dialect.i4(data, offset + 8)
    request.requested_bytes = dialect.i4(data, offset + 12)
    request.max_length = dialect.i4(data, offset + 16)
    request.options = dialect.i4(data, offset + 20)
    request.wait_interval = dialect.i4(data, offset + 24)
    request.queue_status = dialect.i4(data, offset + 28)
    request.request_flags = dialect.i4(data, offset + 32)
    request.last_index = dialect.i4(data, offset + 36)
    offset += 40
    if request.request_flags & SELECTION_PRESENT:
        need(offset, 24, end, "the selection block")
        selection = Selection()
        selection.index = dialect.u2(data, offset)
        selection.descriptor_version = dialect.u2(data, offset + 2)
        selection.ccsid = dialect.i4(data, offset + 4)
        selection.encoding = dialect.i4(data, offset + 8)
        selection.sequence_number = dialect.i4(data, offset + 12)
        selection.offset = dialect.i4(data, offset + 16)
        selection.match_options = dialect.i4(data, offset + 20)
        offset += 24
        match = selection.match_options
        if match & MATCH_MESSAGE_ID:
            selection.message_id = _identifier(data, offset, end, 24)
            offset += 24
        if match & MATCH_CORRELATION_ID:
            selection.correlation_id = _identifier(data, offset, end, 24)
            offset += 24
        if match & MATCH_GROUP_ID:
            selection.group_id = _identifier(data, offset, end, 24)
            offset += 24
        if match & MATCH_TOKEN:
            selection.token = _identifier(data, offset, end, 16)
            offset += 16
        request.selection = selection
    if offset != end:
        raise ProtocolError(offset, "the end of REQUEST_MSGS", f"{end - offset} more bytes", LENGTH_ERROR)
    return request


def _identifier(data: bytes, offset: int, end: int, size: int) -> bytes:
    need(offset, size, end, "an identifier to match")
    return data[offset : offset + size]


@mypyc_attr(free_list_len=1)
class Message(Event):
    """ASYNC_MESSAGE: a message for a handle; a reason code in it is a warning, such as truncation."""

    def __init__(self, handle: int, descriptor: bytes, data: bytes) -> None:
        super().__init__(ASYNC_MESSAGE)
        self.version: int = 1
        self.handle = handle
        self.message_index: int = 0
        self.global_index: int = 0
        self.selection_index: int = 0
        self.reason: int = 0
        self.total_length: int = len(data)
        self.token: bytes = _NO_TOKEN
        self.status: int = 1
        self.resolved_name: bytes = b""
        self.descriptor = descriptor
        self.payload = data

    def head(self, dialect: Dialect, segment_index: int, length: int) -> bytes:
        """Encode the 24 bytes that start each segment, for the given number of data bytes in the segment."""
        out = BytesWriter()
        self._write_head(out, dialect, segment_index, length)
        return out.getvalue()

    def _write_head(self, out: BytesWriter, dialect: Dialect, segment_index: int, length: int) -> None:
        dialect.put_i4(out, self.version)
        dialect.put_i4(out, self.handle)
        dialect.put_i4(out, self.message_index)
        dialect.put_i4(out, self.global_index)
        dialect.put_i4(out, length)
        dialect.put_u2(out, segment_index)
        dialect.put_u2(out, self.selection_index)

    def first(self, dialect: Dialect, length: int) -> bytes:
        """Encode the beginning of the first segment: the head, then reason, lengths, token, name and descriptor."""
        name = dialect.text_out(self.resolved_name)
        total, actual = self.total_length, len(self.payload)
        if self.reason in (MQRC_TRUNCATED_MSG_ACCEPTED, MQRC_TRUNCATED_MSG_FAILED):
            total, actual = actual, total  # otherwise IBM's Java client searches its own memory for ever
        out = BytesWriter()
        self._write_head(out, dialect, 0, length)
        dialect.put_i4(out, self.reason)
        dialect.put_i4(out, total)
        dialect.put_i4(out, actual)
        out.write(self.token)
        dialect.put_u2(out, self.status)
        out.append(len(name))
        out.write(name)
        out.write(_FILLS[-(3 + len(name)) & 3])
        return out.getvalue() + self.descriptor

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the body of a message that fits one segment, without its data."""
        return self.first(dialect, len(self.payload))


class MessagePart:
    """A segment of an ASYNC_MESSAGE after its first."""

    def __init__(self, handle: int, segment_index: int, data: bytes) -> None:
        self.handle = handle
        self.segment_index = segment_index
        self.data = data


def status_of(canonical: bytes) -> int:
    """Give the status of a message: bit 1, and the descriptor flags that a client needs for its group status."""
    return 1 | (canonical[_FLAGS_AT] & _PLACE_FLAGS) << 1


def decode_message(data: bytes, offset: int, end: int, dialect: Dialect) -> tuple[Message, int]:
    """Read the first segment of an ASYNC_MESSAGE; also gives the length of all its data."""
    need(offset, 55, end, "ASYNC_MESSAGE")
    version = dialect.i4(data, offset)
    here = dialect.i4(data, offset + 16)
    segment_index = dialect.u2(data, offset + 20)
    total = dialect.i4(data, offset + 28)
    actual = dialect.i4(data, offset + 32)
    name_length = data[offset + 54]
    if version != 1:
        raise ProtocolError(offset, "ASYNC_MESSAGE version 1", version)
    if segment_index != 0:
        raise ProtocolError(offset + 20, "segment 0", segment_index, SEGMENT_NUMBER_ERROR)
    if here < 0 or actual < here or total < here:
        raise ProtocolError(offset + 16, "a message at least as long as its segment", (here, actual, total))
    at = offset + 55
    padded_length = name_length + (-(3 + name_length) & 3)
    need(at, padded_length, end, "the queue name")
    resolved_name = dialect.text_in(data[at : at + name_length])
    at += padded_length
    descriptor = b""
    # An ended get has no descriptor; only the bytes left show that, not the reason.
    if end - at > here + 3:
        size = descriptor_size(data, at, end, dialect)
        descriptor = data[at : at + size]
        at += size
    if not here <= end - at <= here + 3:
        raise ProtocolError(at, f"{here} bytes of message data", end - at, LENGTH_ERROR)
    message = Message(dialect.i4(data, offset + 4), descriptor, data[at : at + here])
    message.message_index = dialect.i4(data, offset + 8)
    message.global_index = dialect.i4(data, offset + 12)
    message.selection_index = dialect.u2(data, offset + 22)
    message.reason = dialect.i4(data, offset + 24)
    message.total_length = max(total, actual)
    message.token = data[offset + 36 : offset + 52]
    message.status = dialect.u2(data, offset + 52)
    message.resolved_name = resolved_name
    return message, min(total, actual)


def decode_message_part(data: bytes, offset: int, end: int, dialect: Dialect) -> MessagePart:
    """Read a later segment of an ASYNC_MESSAGE."""
    need(offset, 24, end, "ASYNC_MESSAGE")
    version = dialect.i4(data, offset)
    here = dialect.i4(data, offset + 16)
    if version != 1:
        raise ProtocolError(offset, "ASYNC_MESSAGE version 1", version)
    if not 0 <= end - offset - 24 - here <= 3:
        raise ProtocolError(offset + 16, f"a segment length of {end - offset - 24}", here, LENGTH_ERROR)
    handle = dialect.i4(data, offset + 4)
    segment_index = dialect.u2(data, offset + 20)
    return MessagePart(handle, segment_index, data[offset + 24 : offset + 24 + here])


class Notification(Event):
    """NOTIFICATION: a change of state for the other side."""

    def __init__(self, handle: int, code: int, value: int) -> None:
        super().__init__(NOTIFICATION)
        self.version: int = 1
        self.handle = handle
        self.code = code
        self.value = value

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the four words of the body."""
        out = BytesWriter()
        dialect.put_i4(out, self.version)
        dialect.put_i4(out, self.handle)
        dialect.put_i4(out, self.code)
        dialect.put_i4(out, self.value)
        return out.getvalue()


def queue_state_reply(request: RequestMessages, value: int = 0) -> Notification:
    """Make the answer to a request for confirmation: all available messages were sent before it."""
    reply = Notification(request.handle, Q_STATE_REPLY, value)
    reply.conversation_id = request.conversation_id
    reply.request_id = request.request_id
    reply.epoch = request.epoch
    return reply


def get_failure(request: RequestMessages, reason: int) -> Notification:
    """Make the notification that a get failed with a reason code; a request for confirmation is answered besides."""
    code = GET_INHIBITED if reason == MQRC_GET_INHIBITED else STREAMING_FAILURE
    failure = Notification(request.handle, code, reason)
    failure.conversation_id = request.conversation_id
    failure.request_id = ASYNCHRONOUS
    failure.epoch = request.epoch
    return failure


def paused(request: RequestMessages) -> Notification:
    """Make the notification that no more messages are sent ahead until the program has had those on their way."""
    pause = Notification(request.handle, STREAMING_TXN_PAUSED, 0)
    pause.conversation_id = request.conversation_id
    pause.request_id = ASYNCHRONOUS
    pause.epoch = request.epoch
    return pause


def state_reply(asked: Notification, value: int) -> Notification:
    """Make the answer to a CONN_STATE, Q_STATE or TXN_REVOKE that asks for confirmation."""
    reply = Notification(asked.handle, asked.code + 1, value)
    reply.conversation_id = asked.conversation_id
    reply.request_id = asked.request_id
    reply.epoch = asked.epoch
    return reply


def decode_notification(data: bytes, offset: int, end: int, dialect: Dialect) -> Notification:
    """Read NOTIFICATION."""
    if end - offset != 16:
        raise ProtocolError(offset, "16 bytes of NOTIFICATION", end - offset, LENGTH_ERROR)
    version = dialect.i4(data, offset)
    if version != 1:
        raise ProtocolError(offset, "NOTIFICATION version 1", version)
    return Notification(dialect.i4(data, offset + 4), dialect.i4(data, offset + 8), dialect.i4(data, offset + 12))
