"""Conversion of a message for a get with MQGMO_CONVERT: its data, truncated to a buffer or not, and its descriptor.

A message that cannot be converted is given unchanged, with a warning that has the reason; if only its headers are
converted, there is a warning too. If a message is truncated, before or by conversion, the remaining part is converted.
"""

from typing import Final

from kew.codes.options import MQCCSI_Q_MGR, MQENC_NATIVE, MQFMT_STRING
from kew.codes.reasons import (
    MQRC_CONVERTED_MSG_TOO_BIG,
    MQRC_NONE,
    MQRC_NOT_CONVERTED,
    MQRC_PARTIALLY_CONVERTED,
    MQRC_TRUNCATED_MSG_ACCEPTED,
)
from kew.formats import charset, conversion
from kew.formats.conversion import OWN_CCSID, Data, NotConverted
from kew.formats.mqmd import MessageDescriptor

_LONGEST_CHARACTER: Final = 4  # bytes


class Converted:
    """The converted data, and the reason of the warning if the conversion is not complete."""

    def __init__(self, data: bytes, length: int, reason: int) -> None:
        self.data = data
        self.length = length  # length of the whole: the original one if only a part was converted
        self.reason = reason


def convert(
    descriptor: MessageDescriptor,
    data: bytes,
    ccsid: int,
    encoding: int,
    room: int,
    length: int = -1,
    cuts: bool = False,
) -> Converted:
    """Convert a message to a character set and an encoding, if its format is known; the descriptor then names them.

    `room` is the length of the program's buffer, -1 for no limit. `data` is a part of the message if `length` is
    greater. With `cuts` (MQGMO_ACCEPT_TRUNCATED_MSG) converted data that has grown is truncated to fit; else the
    message stays unconverted.
    """
    if ccsid == MQCCSI_Q_MGR:
        ccsid = OWN_CCSID
    cut = length > len(data)
    message = Data(descriptor.format, descriptor.ccsid, descriptor.encoding, data)
    try:
        turned = _convert_cut(message, ccsid, encoding or MQENC_NATIVE, _LONGEST_CHARACTER if cut else 0)
    except NotConverted as problem:
        return Converted(data, max(length, len(data)), MQRC_TRUNCATED_MSG_ACCEPTED if cut else problem.reason)
    if 0 <= room < len(turned.data) and not cuts:
        return Converted(data, len(data), MQRC_CONVERTED_MSG_TOO_BIG)
    descriptor.ccsid, descriptor.encoding = turned.ccsid, turned.encoding
    if cut or 0 <= room < len(turned.data):
        whole = length if cut else len(turned.data)
        return Converted(_fitted(turned, room), whole, MQRC_TRUNCATED_MSG_ACCEPTED)
    return Converted(turned.data, len(turned.data), MQRC_PARTIALLY_CONVERTED if turned.partial else MQRC_NONE)


def _convert_cut(message: Data, ccsid: int, encoding: int, spare: int) -> Data:
    """Convert a message that may end within a character of several bytes, and leave such an end out."""
    whole = message.data
    while True:
        try:
            return conversion.convert(message, ccsid, encoding)
        except NotConverted as problem:
            if problem.reason != MQRC_NOT_CONVERTED or spare <= 1 or not message.data:
                raise
        spare -= 1
        message.data = whole[: len(message.data) - 1]


def _fitted(turned: Data, room: int) -> bytes:
    """Truncate data to the buffer: text after its last whole character, with null bytes for the rest."""
    if room < 0:
        return turned.data
    data = turned.data[:room]
    if turned.format == MQFMT_STRING and len(data) < len(turned.data):
        order = conversion.order_of(turned.encoding)
        for spare in range(min(_LONGEST_CHARACTER, len(data) + 1)):
            whole = data[: len(data) - spare]
            if charset.is_text(whole, turned.ccsid, order):
                data = whole
                break
    return data.ljust(room, b"\0")
