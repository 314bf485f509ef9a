"""Conversion of message data for a get that asks for it (MQGMO_CONVERT).

The edges convert, outside the engine lock, after the message was taken off its queue. `formats/dataconversion.py` has
the conversion itself, and the rules for a message that cannot be converted.
"""

from kew.codes.options import MQGMO_ACCEPT_TRUNCATED_MSG
from kew.codes.reasons import MQRC_NONE, MQRC_TRUNCATED_MSG_ACCEPTED
from kew.formats.dataconversion import convert
from kew.formats.mqmd import decode_stored
from kew.mqi.gets.request import Got


def convert_got(got: Got, ccsid: int, encoding: int, room: int, options: int) -> None:
    """Convert a message that was got to a character set and an encoding; one that did not fit stays unchanged."""
    if got.reason not in (MQRC_NONE, MQRC_TRUNCATED_MSG_ACCEPTED):
        return
    descriptor = decode_stored(got.stored, 0) if got.stored else got.descriptor
    length = got.length if got.reason else -1
    turned = convert(descriptor, got.data, ccsid, encoding, room, length, options & MQGMO_ACCEPT_TRUNCATED_MSG != 0)
    got.descriptor, got.stored = descriptor, b""
    got.data, got.length, got.reason = turned.data, turned.length, turned.reason
