"""Segments about the channel itself: status, heartbeat, ping, conversations on a socket."""

from typing import Final

from kew.channels.protocol.dialect import Dialect, need, pair, read_i4
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.segments import (
    CLOSE_CHANNEL,
    CONFIRM_REQUEST,
    ERROR,
    HEARTBEAT,
    PING_DATA,
    REQUEST_ACCEPTED,
    SOCKET_ACTION,
    STATUS_DATA,
    WHOLE,
)
from kew.channels.protocol.status import LENGTH_ERROR, SOCKET_ACTION_ERROR

START_CONVERSATION: Final = 1
END_CONVERSATION: Final = 2
ACCEPT_CONVERSATION: Final = 8

_STATUS: Final = pair("ii")
_ACTION: Final = pair("iiiii")


class Status(Event):
    """STATUS_DATA: an acceptance if it has no body, otherwise the reason why the channel ends."""

    def __init__(self, code: int, value: int | None = None, flags: int = ERROR | CLOSE_CHANNEL) -> None:
        super().__init__(STATUS_DATA, flags)
        self.code = code
        self.value = value

    def encode(self, dialect: Dialect) -> bytes:
        """Encode length, code and any value; an acceptance has no body."""
        if self.code == 0 and self.value is None:
            return b""
        if self.value is None:
            return _STATUS[dialect.order].pack(8, self.code)
        return _STATUS[dialect.order].pack(12, self.code) + dialect.word(self.value)


def accepted() -> Status:
    """Make the STATUS_DATA that acknowledges, which has no body."""
    return Status(0, None, REQUEST_ACCEPTED)


def decode_status(data: bytes, offset: int, end: int, dialect: Dialect) -> Status:
    """Read STATUS_DATA."""
    if offset == end:
        return Status(0)
    need(offset, 8, end, "a status body")
    length, code = _STATUS[dialect.order].unpack_from(data, offset)
    if (length != 8 and length != 12) or length != end - offset:
        raise ProtocolError(offset, f"a status length of 8 or 12 that is {end - offset}", length, LENGTH_ERROR)
    value = read_i4(data, offset + 8, end, dialect, "the status value") if length == 12 else None
    return Status(code, value)


class Heartbeat(Event):
    """HEARTBEAT, a segment without a body; the answer to a heartbeat must not be answered."""

    def __init__(self, flags: int = CONFIRM_REQUEST | WHOLE) -> None:
        super().__init__(HEARTBEAT, flags)


class Ping(Event):
    """PING_DATA: bytes to be echoed."""

    def __init__(self, data: bytes, flags: int = WHOLE) -> None:
        super().__init__(PING_DATA, flags)
        self.payload = data

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the length of the data that follows."""
        return dialect.word(len(self.payload))


def decode_ping(data: bytes, offset: int, end: int, dialect: Dialect) -> Ping:
    """Read PING_DATA."""
    length = read_i4(data, offset, end, dialect, "the ping length")
    if length != end - offset - 4:
        raise ProtocolError(offset, f"a ping length of {end - offset - 4}", length, LENGTH_ERROR)
    return Ping(data[offset + 4 : end])


class SocketAction(Event):
    """SOCKET_ACTION: starts, accepts or ends a conversation on a shared socket."""

    def __init__(self, action: int, conversation: int, parameter1: int = 0, parameter2: int = 0) -> None:
        super().__init__(SOCKET_ACTION)
        self.action = action
        self.conversation = conversation
        self.action_request: int = 0
        self.parameter1 = parameter1
        self.parameter2 = parameter2

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the five words of the body."""
        return _ACTION[dialect.order].pack(
            self.conversation, self.action_request, self.action, self.parameter1, self.parameter2
        )


def decode_socket_action(data: bytes, offset: int, end: int, dialect: Dialect) -> SocketAction:
    """Read SOCKET_ACTION."""
    if end - offset != 20:
        raise ProtocolError(offset, "20 bytes of SOCKET_ACTION", end - offset, SOCKET_ACTION_ERROR)
    conversation, request, action, parameter1, parameter2 = _ACTION[dialect.order].unpack_from(data, offset)
    event = SocketAction(action, conversation, parameter1, parameter2)
    event.action_request = request
    return event
