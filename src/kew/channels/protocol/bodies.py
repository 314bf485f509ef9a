"""The codecs of segment bodies, by kind of segment."""

from kew.channels.protocol.control import Heartbeat, decode_ping, decode_socket_action, decode_status
from kew.channels.protocol.delivery import decode_message, decode_notification, decode_request_messages
from kew.channels.protocol.dialect import Dialect
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import API_SIZE, FAILED, Call, Event, Plain, decode_plain
from kew.channels.protocol.identity import decode_credentials, decode_user_id
from kew.channels.protocol.messages import (
    decode_get,
    decode_get_reply,
    decode_put,
    decode_put1,
    decode_put1_reply,
    decode_put_reply,
)
from kew.channels.protocol.mqapi import (
    decode_attributes,
    decode_close,
    decode_connect,
    decode_open,
    decode_stat,
    decode_subscribe,
    decode_subscription_request,
)
from kew.channels.protocol.negotiate import decode_initial_data
from kew.channels.protocol.segments import (
    ASYNC_MESSAGE,
    CONAUTH_INFO,
    FORM_MULTIPLEXED,
    HEARTBEAT,
    INITIAL_DATA,
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
    SOCKET_ACTION,
    SPI,
    STATUS_DATA,
    USERID_DATA,
    XA_COMPLETE,
    XA_START,
    Segment,
    u4,
)
from kew.channels.protocol.spi import decode_spi
from kew.channels.protocol.status import LENGTH_ERROR, SEGMENT_TYPE_ERROR
from kew.channels.protocol.xa import decode_xa


def decode_call(
    kind: int, data: bytes, offset: int, end: int, dialect: Dialect, rest: list[bytes], length: int
) -> Call:
    """Read an MQI call or reply from its API header on; length is that of the whole call with one header."""
    if offset + API_SIZE > end:
        raise ProtocolError(offset, "an API header (16 bytes)", f"{end - offset} bytes", LENGTH_ERROR)
    stated = u4(data, offset)
    completion = dialect.i4(data, offset + 4)
    body = offset + API_SIZE
    call: Call
    if kind == MQPUT:
        call = decode_put(data, body, end, dialect, rest)
    elif kind & REPLY and completion == FAILED and body == end and not rest:
        call = Plain(kind)
    elif kind == MQPUT + REPLY:
        call = decode_put_reply(data, body, end, dialect)
    elif kind == MQPUT1:
        call = decode_put1(data, body, end, dialect, rest)
    elif kind == MQGET + REPLY:
        call = decode_get_reply(data, body, end, dialect, rest)
    elif kind == MQGET:
        call = decode_get(data, body, end, dialect)
    else:
        call = _decode_other(kind, data, body, end, dialect)
    call.completion = completion
    call.reason = dialect.i4(data, offset + 8)
    call.handle = dialect.i4(data, offset + 12)
    call.room = stated - length
    if -3 <= call.room < 0 and kind in (MQPUT, MQPUT1):
        # The bytes that fill a call up to a multiple of 4 do not count.
        call.room = 0
    return call


def carries_message(kind: int) -> bool:
    """Say whether a kind of call ends with message data, which a long call brings in many pieces."""
    return kind in (MQPUT, MQPUT1, MQGET + REPLY)


def _decode_other(kind: int, data: bytes, offset: int, end: int, dialect: Dialect) -> Call:
    base = kind & ~REPLY
    if kind in (MQDISC, MQCMIT, MQBACK, MQDISC + REPLY, MQCMIT + REPLY, MQBACK + REPLY, MQCLOSE + REPLY, MQSET + REPLY):
        return decode_plain(kind, data, offset, end)
    if base == MQCONN:
        return decode_connect(kind, data, offset, end, dialect)
    if base == MQOPEN:
        return decode_open(kind, data, offset, end, dialect)
    if kind == MQCLOSE:
        return decode_close(data, offset, end, dialect)
    if base in (MQINQ, MQSET):
        return decode_attributes(kind, data, offset, end, dialect)
    if base == SPI:
        return decode_spi(kind, data, offset, end, dialect)
    if kind == MQPUT1 + REPLY:
        return decode_put1_reply(data, offset, end, dialect)
    if base == MQSTAT:
        return decode_stat(kind, data, offset, end, dialect)
    if base == MQSUB:
        return decode_subscribe(kind, data, offset, end, dialect)
    if base == MQSUBRQ:
        return decode_subscription_request(kind, data, offset, end, dialect)
    raise unknown(kind)


def decode_other_body(kind: int, data: bytes, offset: int, end: int, dialect: Dialect) -> Event:
    """Read the body of a segment of one conversation that is not an MQI call."""
    if kind == REQUEST_MSGS:
        return decode_request_messages(data, offset, end, dialect)
    if kind == NOTIFICATION:
        return decode_notification(data, offset, end, dialect)
    if XA_START <= kind & ~REPLY <= XA_COMPLETE:
        return decode_xa(kind, data, offset, end, dialect)
    if kind == USERID_DATA:
        return decode_user_id(data, offset, end, dialect)
    if kind == CONAUTH_INFO:
        return decode_credentials(data, offset, end, dialect)
    if kind == PING_DATA:
        return decode_ping(data, offset, end, dialect)
    raise unknown(kind)


def decode_body(segment: Segment) -> Event:
    """Give the event of one whole segment, whatever its kind, outside any session."""
    kind = segment.kind
    data = segment.data
    body = segment.body
    end = segment.end
    dialect = segment.dialect
    event: Event
    if is_call(kind):
        length = end - segment.start
        if kind & REPLY and segment.form == FORM_MULTIPLEXED:
            length -= 8
        event = decode_call(kind, data, body, end, dialect, [], length)
    elif kind == INITIAL_DATA:
        event = decode_initial_data(data, body, end, dialect)
    elif kind == STATUS_DATA:
        event = decode_status(data, body, end, dialect)
    elif kind == SOCKET_ACTION:
        event = decode_socket_action(data, body, end, dialect)
    elif kind == HEARTBEAT:
        event = Heartbeat()
    elif kind == ASYNC_MESSAGE:
        event, _ = decode_message(data, body, end, dialect)
    else:
        event = decode_other_body(kind, data, body, end, dialect)
    event.conversation_id = segment.conversation_id
    event.request_id = segment.request_id
    event.dialect = dialect
    event.flags = segment.flags
    return event


def is_call(kind: int) -> bool:
    """Say whether a kind of segment has an API header: the MQI calls and their replies."""
    return MQCONN <= kind <= MQSUBRQ or MQCONN + REPLY <= kind <= MQSUBRQ + REPLY


def unknown(kind: int) -> ProtocolError:
    """Make the error for a kind of segment without meaning here."""
    return ProtocolError(0, "a known segment type", f"type 0x{kind:02X}", SEGMENT_TYPE_ERROR)
