"""The legal transitions of channels, as tables: the segments that each side may send in each state.

A channel has one socket: its caller and its responder negotiate once, whatever the kind of channel. Then a client
channel carries conversations, each of which is one connection of an application: it identifies itself, connects, calls,
and disconnects. A message channel carries batches. Two rules:

1. A segment is legal only if the table of its side has an entry for the state and the segment's kind; the entry is
   the state that follows. Anything else is a protocol error.
2. HEARTBEAT, STATUS_DATA and SOCKET_ACTION are outside the tables: they may come at any time once the channel is ready.

    channel       NEW -caller offers-> OFFERED -responder counters-> COUNTERED -caller agrees-> AGREED
                  OFFERED, AGREED -responder accepts-> READY
    conversation  STARTED -MQCONN-> CONNECTING -accepted-> CONNECTED -MQDISC-> DISCONNECTING -reply-> STARTED
                                    CONNECTING -refused-> STARTED

    batches       READY -sender resynchronises-> RESYNCING -receiver does-> MOVING
                  READY -message, towards a partner that does not resynchronise-> MOVING
                  READY -sender pings-> PINGED -receiver echoes-> PINGED, and both end the channel
"""

from typing import Final

from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.segments import (
    ASYNC_MESSAGE,
    CONAUTH_INFO,
    INITIAL_DATA,
    MESSAGE_DATA,
    MQBACK,
    MQCLOSE,
    MQCMIT,
    MQCONN,
    MQDISC,
    MQGET,
    MQINQ,
    MQOPEN,
    MQPUT,
    MQPUT1,
    MQSET,
    MQSTAT,
    MQSUB,
    MQSUBRQ,
    NOTIFICATION,
    PING_DATA,
    REPLY,
    REQUEST_MSGS,
    RESET_DATA,
    RESYNC_DATA,
    SPI,
    STATUS_DATA,
    USERID_DATA,
    XA_CLOSE,
    XA_COMMIT,
    XA_COMPLETE,
    XA_END,
    XA_FORGET,
    XA_OPEN,
    XA_PREPARE,
    XA_RECOVER,
    XA_ROLLBACK,
    XA_START,
)
from kew.channels.protocol.status import SEGMENT_TYPE_ERROR

NEW: Final = 0
OFFERED: Final = 1
COUNTERED: Final = 2
AGREED: Final = 3
READY: Final = 4
CLOSED: Final = 5

STARTED: Final = 6
CONNECTING: Final = 7
CONNECTED: Final = 8
DISCONNECTING: Final = 9

RESYNCING: Final = 10
MOVING: Final = 11
PINGED: Final = 12

NAMES: Final = (
    "new",
    "offered",
    "countered",
    "agreed",
    "ready",
    "closed",
    "started",
    "connecting",
    "connected",
    "disconnecting",
    "resynchronising",
    "moving messages",
    "pinged",
)

ACCEPTING: Final = 0xF1  # an INITIAL_DATA of the responder that changes nothing
REFUSING: Final = 0xF2  # a reply to MQCONN that refuses
CONFIRM: Final = 0xF3  # a segment of the sender that asks for the batch to be confirmed

_CALLS: Final = (
    *(MQOPEN, MQCLOSE, MQGET, MQPUT, MQPUT1, MQSET, MQINQ, MQCMIT, MQBACK, SPI, MQSTAT, MQSUB, MQSUBRQ),
    *(XA_START, XA_END, XA_OPEN, XA_CLOSE, XA_PREPARE, XA_COMMIT, XA_ROLLBACK, XA_FORGET, XA_RECOVER, XA_COMPLETE),
)

CALLER_SAYS: Final[dict[tuple[int, int], int]] = {
    (NEW, INITIAL_DATA): OFFERED,
    (COUNTERED, INITIAL_DATA): AGREED,
}

RESPONDER_SAYS: Final[dict[tuple[int, int], int]] = {
    (OFFERED, INITIAL_DATA): COUNTERED,
    (OFFERED, ACCEPTING): READY,
    (AGREED, ACCEPTING): READY,
}

CLIENT_SAYS: Final[dict[tuple[int, int], int]] = {
    (STARTED, USERID_DATA): STARTED,
    (STARTED, CONAUTH_INFO): STARTED,
    (STARTED, MQCONN): CONNECTING,
    (CONNECTED, MQDISC): DISCONNECTING,
    (CONNECTED, REQUEST_MSGS): CONNECTED,
    (CONNECTED, NOTIFICATION): CONNECTED,
    **{(CONNECTED, call): CONNECTED for call in _CALLS},
}

SERVER_SAYS: Final[dict[tuple[int, int], int]] = {
    (CONNECTING, MQCONN + REPLY): CONNECTED,
    (CONNECTING, REFUSING): STARTED,
    (DISCONNECTING, MQDISC + REPLY): STARTED,
    (CONNECTED, ASYNC_MESSAGE): CONNECTED,
    (CONNECTED, NOTIFICATION): CONNECTED,
    # Segments on their way when the client sent MQDISC still arrive.
    (DISCONNECTING, ASYNC_MESSAGE): DISCONNECTING,
    (DISCONNECTING, NOTIFICATION): DISCONNECTING,
    **{(CONNECTED, call + REPLY): CONNECTED for call in _CALLS},
    **{(DISCONNECTING, call + REPLY): DISCONNECTING for call in _CALLS},
}

SENDER_SAYS: Final[dict[tuple[int, int], int]] = {
    (READY, RESYNC_DATA): RESYNCING,
    (READY, RESET_DATA): READY,
    (READY, PING_DATA): PINGED,
    (READY, MESSAGE_DATA): MOVING,
    (READY, CONFIRM): MOVING,
    (MOVING, RESET_DATA): MOVING,
    (MOVING, MESSAGE_DATA): MOVING,
    (MOVING, CONFIRM): MOVING,
}

RECEIVER_SAYS: Final[dict[tuple[int, int], int]] = {
    (PINGED, PING_DATA): PINGED,
    (RESYNCING, RESYNC_DATA): MOVING,
    (MOVING, STATUS_DATA): MOVING,
}

_ILLEGAL: Final = 255


def _rows(table: dict[tuple[int, int], int]) -> list[bytes]:
    """Give the table as one row of 256 next states for each state: two index operations on the hot path."""
    rows: list[bytes] = []
    for state in range(len(NAMES)):
        rows.append(bytes([table.get((state, kind), _ILLEGAL) for kind in range(256)]))
    return rows


_CALLER_ROWS: Final = _rows(CALLER_SAYS)
_RESPONDER_ROWS: Final = _rows(RESPONDER_SAYS)
_CLIENT_ROWS: Final = _rows(CLIENT_SAYS)
_SERVER_ROWS: Final = _rows(SERVER_SAYS)
_SENDER_ROWS: Final = _rows(SENDER_SAYS)
_RECEIVER_ROWS: Final = _rows(RECEIVER_SAYS)


def after_caller(state: int, kind: int) -> int:
    """Give the state of a channel after a segment of its caller, or raise a protocol error."""
    following = _CALLER_ROWS[state][kind]
    if following == _ILLEGAL:
        raise illegal(state, kind)
    return following


def after_responder(state: int, kind: int) -> int:
    """Give the state of a channel after a segment of its responder, or raise a protocol error."""
    following = _RESPONDER_ROWS[state][kind]
    if following == _ILLEGAL:
        raise illegal(state, kind)
    return following


def after_client(state: int, kind: int) -> int:
    """Give the state of a conversation after a segment of the client, or raise a protocol error."""
    following = _CLIENT_ROWS[state][kind]
    if following == _ILLEGAL:
        raise illegal(state, kind)
    return following


def after_server(state: int, kind: int) -> int:
    """Give the state of a conversation after a segment of the server, or raise a protocol error."""
    following = _SERVER_ROWS[state][kind]
    if following == _ILLEGAL:
        raise illegal(state, kind)
    return following


def after_sender(state: int, kind: int) -> int:
    """Give the state of a message channel after a segment of its sender, or raise a protocol error."""
    following = _SENDER_ROWS[state][kind]
    if following == _ILLEGAL:
        raise illegal(state, kind)
    return following


def after_receiver(state: int, kind: int) -> int:
    """Give the state of a message channel after a segment of its receiver, or raise a protocol error."""
    following = _RECEIVER_ROWS[state][kind]
    if following == _ILLEGAL:
        raise illegal(state, kind)
    return following


def illegal(state: int, kind: int) -> ProtocolError:
    """Make the error for a segment that is not legal in a state."""
    return ProtocolError(0, f"a segment that is legal when {NAMES[state]}", f"type 0x{kind:02X}", SEGMENT_TYPE_ERROR)
