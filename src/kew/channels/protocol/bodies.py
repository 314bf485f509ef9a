"""From a segment's kind to the codec of its body."""

from struct import Struct
from typing import Final

from kew.channels.protocol.control import decode_ping
from kew.channels.protocol.delivery import decode_notification, decode_request_messages
from kew.channels.protocol.dialect import Dialect
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import API_SIZE, API_WORDS, FAILED, Call, Event, Plain, decode_plain
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
from kew.channels.protocol.segments import (
    CONAUTH_INFO,
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
    SPI,
    USERID_DATA,
    XA_COMPLETE,
    XA_START,
)
from kew.channels.protocol.spi import decode_spi
from kew.channels.protocol.status import LENGTH_ERROR, SEGMENT_TYPE_ERROR
from kew.channels.protocol.xa import decode_xa

_LENGTH: Final = Struct(">I")


def decode_call(
    kind: int, data: bytes, offset: int, end: int, dialect: Dialect, rest: list[bytes], length: int
) -> Call:
    """Read an MQI call or reply from its API header on; length is that of the whole call with one header."""
    if offset + API_SIZE > end:
        raise ProtocolError(offset, "an API header (16 bytes)", f"{end - offset} bytes", LENGTH_ERROR)
    stated: int = _LENGTH.unpack_from(data, offset)[0]
    completion, reason, handle = API_WORDS[dialect.order].unpack_from(data, offset + 4)
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
    call.reason = reason
    call.handle = handle
    call.room = stated - length
    return call


def carries_message(kind: int) -> bool:
    """Whether a kind of call ends with message data, which a long call brings in many pieces."""
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
    """Read the body of a segment that is no MQI call and concerns one conversation."""
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


def is_call(kind: int) -> bool:
    """Whether a kind of segment has an API header: the MQI calls and their replies."""
    return MQCONN <= kind <= MQSUBRQ or MQCONN + REPLY <= kind <= MQSUBRQ + REPLY


def unknown(kind: int) -> ProtocolError:
    """The error for a kind of segment that has no meaning here."""
    return ProtocolError(0, "a known segment type", f"type 0x{kind:02X}", SEGMENT_TYPE_ERROR)
