"""Events: the base class of every segment body, and of every MQI call and its reply.

Each kind of body is a class that both sides use: one side fills and sends it, the other receives it decoded. `encode`
gives the body without its message data; `payload` is that data, which is copied only once, into the segments.
"""

from typing import Final

from kew.channels.protocol.dialect import Dialect
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.segments import REPLY, WHOLE
from kew.channels.protocol.status import LENGTH_ERROR, MESSAGE_LENGTH_ERROR

NO_HANDLE: Final = -1
OK: Final = 0
WARNING: Final = 1
FAILED: Final = 2

API_SIZE: Final = 16


class Event:
    """An event of a conversation: a segment's body, or a conclusion from several segments."""

    def __init__(self, kind: int, flags: int = WHOLE) -> None:
        self.kind = kind
        self.flags = flags
        self.conversation_id: int = 1
        self.request_id: int = 0
        self.epoch: int = 0  # epoch of the conversation's number; 0 for any
        self.dialect: Dialect | None = None  # dialect of its segment; None when made here
        self.payload: bytes = b""

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the body, without message data, in a peer's dialect."""
        return b""


class Call(Event):
    """An MQI call or its reply: completion, reason and handle, then a body by kind."""

    def __init__(self, kind: int) -> None:
        super().__init__(kind)
        self.completion: int = OK
        self.reason: int = 0
        self.handle: int = 0
        self.room: int = 0  # bytes the caller announces beyond the call itself, for the reply

    def answers(self, call: "Call") -> None:
        """Make this event the reply to a call: same conversation, request, dialect and handle."""
        self.conversation_id = call.conversation_id
        self.request_id = call.request_id
        self.epoch = call.epoch
        self.dialect = call.dialect
        self.handle = call.handle

    def fail(self, reason: int, completion: int = FAILED) -> None:
        """Set the outcome of a reply."""
        self.completion = completion
        self.reason = reason


class Plain(Call):
    """A call or reply of an API header only: MQDISC, MQCMIT, MQBACK, and several replies."""


def plain_reply(call: Call, completion: int = OK, reason: int = 0) -> Plain:
    """Make the reply without a body to a call."""
    reply = Plain(call.kind + REPLY)
    reply.answers(call)
    reply.completion = completion
    reply.reason = reason
    return reply


def decode_plain(kind: int, data: bytes, offset: int, end: int) -> Plain:
    """Read a call without a body."""
    if offset != end:
        raise ProtocolError(offset, "the end of the call", f"{end - offset} more bytes", LENGTH_ERROR)
    return Plain(kind)


def take_payload(data: bytes, offset: int, end: int, rest: list[bytes], length: int, what: str) -> bytes:
    """Give the message data that ends a call: the bytes left in its first piece, and the later pieces.

    IBM's Java client fills a call up to a multiple of 4, so up to 3 bytes after the data are ignored.
    """
    if rest:
        joined = b"".join([data[offset:end], *rest])
        if length < 0 or not length <= len(joined) <= length + 3:
            raise ProtocolError(offset, f"{length} bytes of {what}", len(joined), MESSAGE_LENGTH_ERROR)
        return joined if len(joined) == length else joined[:length]
    if length < 0 or not length <= end - offset <= length + 3:
        raise ProtocolError(offset, f"{length} bytes of {what}", end - offset, MESSAGE_LENGTH_ERROR)
    return data[offset : offset + length]
