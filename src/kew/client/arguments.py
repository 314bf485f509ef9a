"""Checks of a program's arguments: a value that cannot be written to the wire is refused before a byte is sent."""

import struct
from typing import Final

from kew.channels.protocol.events import Event
from kew.channels.protocol.segments import ASYNC_MESSAGE, MQCONN, MQGET, MQPUT, MQPUT1, MQSUB, REQUEST_MSGS
from kew.codes.errors import MQError
from kew.codes.reasons import (
    MQRC_BUFFER_ERROR,
    MQRC_CNO_ERROR,
    MQRC_GMO_ERROR,
    MQRC_OPTIONS_ERROR,
    MQRC_PMO_ERROR,
    MQRC_SD_ERROR,
)

UNFIT: Final = (OverflowError, struct.error, TypeError, ValueError)  # raised by the codecs
_LARGEST_WORD: Final = (1 << 31) - 1
_REASONS: Final = {
    MQCONN: MQRC_CNO_ERROR,
    MQGET: MQRC_GMO_ERROR,
    MQPUT: MQRC_PMO_ERROR,
    MQPUT1: MQRC_PMO_ERROR,
    MQSUB: MQRC_SD_ERROR,
    REQUEST_MSGS: MQRC_GMO_ERROR,
    ASYNC_MESSAGE: MQRC_GMO_ERROR,
}


def check_word(value: int, reason: int, what: str) -> None:
    """Refuse a number that does not fit the 32 bits of an MQLONG."""
    if not isinstance(value, int) or not -_LARGEST_WORD - 1 <= value <= _LARGEST_WORD:
        raise MQError(reason, argument=what, found=repr(value), expected="a whole number of 32 bits")


def body_of(data: object) -> bytes:
    """Give message data as bytes; data that is not made of bytes is refused."""
    if isinstance(data, bytes):
        return data
    if isinstance(data, (bytearray, memoryview)):
        return bytes(data)
    raise MQError(MQRC_BUFFER_ERROR, data=type(data).__name__, expected="bytes")


def text_of(text: str, reason: int, what: str) -> bytes:
    """Encode a text in UTF-8; a text with unpaired surrogates is refused."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as problem:
        raise MQError(reason, argument=what, found=ascii(text), expected="text that UTF-8 can hold") from problem


def refusal(event: Event, problem: Exception) -> MQError:
    """Make the error of a call with arguments that do not fit the call's structures."""
    return MQError(_REASONS.get(event.kind, MQRC_OPTIONS_ERROR), why=str(problem))
