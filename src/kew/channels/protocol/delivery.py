"""Messages pushed to a client: REQUEST_MSGS, ASYNC_MESSAGE and NOTIFICATION.

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

from kew.channels.protocol.descriptor import descriptor_size
from kew.channels.protocol.dialect import Dialect, need, pair
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.segments import ASYNC_MESSAGE, CONFIRM_REQUEST, NOTIFICATION, REQUEST_MSGS
from kew.channels.protocol.status import LENGTH_ERROR, SEGMENT_NUMBER_ERROR
from kew.codes.reasons import MQRC_GET_INHIBITED, MQRC_TRUNCATED_MSG_FAILED

SELECTION_PRESENT: Final = 0x10
SYNCHRONOUS_GET: Final = 0x08
FINAL_ATTEMPT: Final = 0x06  # with a request to confirm: send what there is, the client waits no longer
RESERVE: Final = 0x100000  # Kew's own: send ahead what the program gets in its unit of work (see CONSUMED)
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
CONSUMED: Final = 0x4B455743  # Kew's own: the program has had so many more of the messages that were sent ahead

ASYNCHRONOUS: Final = 1  # the request id of what is sent to a client without being the answer to a call
DESCRIPTOR_CHARGE: Final = 364  # what a message costs of a read-ahead window besides its data

_REQUEST: Final = pair("iiiiiiiiii")
_SELECTION: Final = pair("HHiiiii")
_MESSAGE_HEAD: Final = pair("iiiiiHH")
_MESSAGE_MORE: Final = pair("iii16sHB")
_NOTIFICATION: Final = pair("iiii")
_NO_TOKEN: Final = bytes(16)


class Selection:
    """Which messages a handle asks for, and in what form; kept until the handle sends another."""

    def __init__(self) -> None:
        self.index: int = 0
        self.descriptor_version: int = 2
        self.ccsid: int = 1208
        self.encoding: int = 273
        self.sequence_number: int = 0
        self.offset: int = 0
        self.match_options: int = 0
        self.message_id: bytes = bytes(24)
        self.correlation_id: bytes = bytes(24)
        self.group_id: bytes = bytes(24)
        self.token: bytes = _NO_TOKEN

    def encode(self, dialect: Dialect) -> bytes:
        """The selection block of a REQUEST_MSGS."""
        out: bytes = _SELECTION[dialect.order].pack(
            self.index,
            self.descriptor_version,
            self.ccsid,
            self.encoding,
            self.sequence_number,
            self.offset,
            self.match_options,
        )
        match = self.match_options
        if match & MATCH_MESSAGE_ID:
            out += self.message_id
        if match & MATCH_CORRELATION_ID:
            out += self.correlation_id
        if match & MATCH_GROUP_ID:
            out += self.group_id
        if match & MATCH_TOKEN:
            out += self.token
        return out


class RequestMessages(Event):
    """REQUEST_MSGS: a client asks for messages of a handle, and acknowledges those it has taken."""

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
        self.selection: Selection | None = None  # what came with this request; the session supplies the one in force

    @property
    def confirm(self) -> bool:
        """Whether the client is to be told, by Q_STATE_REPLY, that there is nothing more: no wait, or no longer."""
        return self.flags & CONFIRM_REQUEST != 0

    def encode(self, dialect: Dialect) -> bytes:
        """The request, with its selection block when it has one."""
        flags = self.request_flags & ~SELECTION_PRESENT
        selection = self.selection
        if selection is not None:
            flags |= SELECTION_PRESENT
        out: bytes = _REQUEST[dialect.order].pack(
            self.version,
            self.handle,
            self.received_bytes,
            self.requested_bytes,
            self.max_length,
            self.options,
            self.wait_interval,
            self.queue_status,
            flags,
            self.last_index,
        )
        return out + selection.encode(dialect) if selection is not None else out


def decode_request_messages(data: bytes, offset: int, end: int, dialect: Dialect) -> RequestMessages:
    """Read REQUEST_MSGS."""
    need(offset, 40, end, "REQUEST_MSGS")
    request = RequestMessages(0)
    (
        request.version,
        request.handle,
        request.received_bytes,
        request.requested_bytes,
        request.max_length,
        request.options,
        request.wait_interval,
        request.queue_status,
        request.request_flags,
        request.last_index,
    ) = _REQUEST[dialect.order].unpack_from(data, offset)
    if request.version != 1:
        raise ProtocolError(offset, "REQUEST_MSGS version 1", request.version)
    offset += 40
    if request.request_flags & SELECTION_PRESENT:
        need(offset, 24, end, "the selection block")
        selection = Selection()
        (
            selection.index,
            selection.descriptor_version,
            selection.ccsid,
            selection.encoding,
            selection.sequence_number,
            selection.offset,
            selection.match_options,
        ) = _SELECTION[dialect.order].unpack_from(data, offset)
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


class Message(Event):
    """ASYNC_MESSAGE: a message for a handle; with a reason a warning, such as that it was cut."""

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
        """The 24 bytes that start each segment, for the given number of data bytes in it."""
        return _MESSAGE_HEAD[dialect.order].pack(
            self.version,
            self.handle,
            self.message_index,
            self.global_index,
            length,
            segment_index,
            self.selection_index,
        )

    def more(self, dialect: Dialect) -> bytes:
        """What only the first segment has: reason, lengths, token, name and descriptor."""
        name = dialect.text_out(self.resolved_name)
        first, second = self.total_length, len(self.payload)
        if self.reason == MQRC_TRUNCATED_MSG_FAILED:
            first, second = second, first  # else IBM's Java client asks its own memory for ever
        return (
            _MESSAGE_MORE[dialect.order].pack(self.reason, first, second, self.token, self.status, len(name))
            + name
            + bytes(-(3 + len(name)) & 3)
            + self.descriptor
        )

    def encode(self, dialect: Dialect) -> bytes:
        """The body, without data, of a message that fits one segment."""
        return self.head(dialect, 0, len(self.payload)) + self.more(dialect)


class MessagePart:
    """A segment of an ASYNC_MESSAGE after its first."""

    def __init__(self, handle: int, segment_index: int, data: bytes) -> None:
        self.handle = handle
        self.segment_index = segment_index
        self.data = data


def decode_message(data: bytes, offset: int, end: int, dialect: Dialect) -> tuple[Message, int]:
    """Read the first segment of an ASYNC_MESSAGE; also answers how long its data is to become."""
    need(offset, 55, end, "ASYNC_MESSAGE")
    version, handle, message_index, global_index, here, segment_index, selection_index = _MESSAGE_HEAD[
        dialect.order
    ].unpack_from(data, offset)
    reason, total, actual, token, status, name_length = _MESSAGE_MORE[dialect.order].unpack_from(data, offset + 24)
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
    # An ended get has no descriptor; only the bytes left tell, not the reason.
    if end - at > here + 3:
        size = descriptor_size(data, at, end, dialect)
        descriptor = data[at : at + size]
        at += size
    if not here <= end - at <= here + 3:
        raise ProtocolError(at, f"{here} bytes of message data", end - at, LENGTH_ERROR)
    message = Message(handle, descriptor, data[at : at + here])
    message.message_index = message_index
    message.global_index = global_index
    message.selection_index = selection_index
    message.reason = reason
    message.total_length = max(total, actual)
    message.token = token
    message.status = status
    message.resolved_name = resolved_name
    return message, min(total, actual)


def decode_message_part(data: bytes, offset: int, end: int, dialect: Dialect) -> MessagePart:
    """Read a later segment of an ASYNC_MESSAGE."""
    need(offset, 24, end, "ASYNC_MESSAGE")
    version, handle, _, _, here, segment_index, _ = _MESSAGE_HEAD[dialect.order].unpack_from(data, offset)
    if version != 1:
        raise ProtocolError(offset, "ASYNC_MESSAGE version 1", version)
    if not 0 <= end - offset - 24 - here <= 3:
        raise ProtocolError(offset + 16, f"a segment length of {end - offset - 24}", here, LENGTH_ERROR)
    return MessagePart(handle, segment_index, data[offset + 24 : offset + 24 + here])


class Notification(Event):
    """NOTIFICATION: a change of state that the other side should know."""

    def __init__(self, handle: int, code: int, value: int) -> None:
        super().__init__(NOTIFICATION)
        self.version: int = 1
        self.handle = handle
        self.code = code
        self.value = value

    def encode(self, dialect: Dialect) -> bytes:
        """The four words of the body."""
        return _NOTIFICATION[dialect.order].pack(self.version, self.handle, self.code, self.value)


def queue_state_reply(request: RequestMessages, value: int = 0) -> Notification:
    """The answer to a request that wants to be confirmed: whatever there was to send has been sent before it."""
    reply = Notification(request.handle, Q_STATE_REPLY, value)
    reply.conversation_id = request.conversation_id
    reply.request_id = request.request_id
    reply.epoch = request.epoch
    return reply


def get_failure(request: RequestMessages, reason: int) -> Notification:
    """The end of a get for another reason than that no message came; one that is to be confirmed still is."""
    code = GET_INHIBITED if reason == MQRC_GET_INHIBITED else STREAMING_FAILURE
    failure = Notification(request.handle, code, reason)
    failure.conversation_id = request.conversation_id
    failure.request_id = ASYNCHRONOUS
    failure.epoch = request.epoch
    return failure


def paused(request: RequestMessages) -> Notification:
    """Word that no more is sent ahead until the program has had what is on its way, or has ended its unit of work."""
    pause = Notification(request.handle, STREAMING_TXN_PAUSED, 0)
    pause.conversation_id = request.conversation_id
    pause.request_id = ASYNCHRONOUS
    pause.epoch = request.epoch
    return pause


def state_reply(asked: Notification, value: int) -> Notification:
    """The answer to CONN_STATE, Q_STATE or TXN_REVOKE, for one that wants to be confirmed."""
    reply = Notification(asked.handle, asked.code + 1, value)
    reply.conversation_id = asked.conversation_id
    reply.request_id = asked.request_id
    reply.epoch = asked.epoch
    return reply


def decode_notification(data: bytes, offset: int, end: int, dialect: Dialect) -> Notification:
    """Read NOTIFICATION."""
    if end - offset != 16:
        raise ProtocolError(offset, "16 bytes of NOTIFICATION", end - offset, LENGTH_ERROR)
    version, handle, code, value = _NOTIFICATION[dialect.order].unpack_from(data, offset)
    if version != 1:
        raise ProtocolError(offset, "NOTIFICATION version 1", version)
    return Notification(handle, code, value)
