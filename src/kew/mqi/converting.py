"""Conversion of message data for a get that asks for it (MQGMO_CONVERT).

The edges do this, outside the engine lock: the message is off the queue by then. One that cannot be converted is given
as it is, with a warning that says why; one whose headers could not be converted with the rest is given with a warning
too.
"""

from kew.codes.options import MQCCSI_Q_MGR, MQENC_NATIVE
from kew.codes.reasons import MQRC_CONVERTED_MSG_TOO_BIG, MQRC_NONE, MQRC_PARTIALLY_CONVERTED
from kew.formats import conversion
from kew.formats.conversion import OWN_CCSID, Data, NotConverted
from kew.formats.mqmd import MessageDescriptor


class Converted:
    """The data as the program gets it, and the reason for a warning where it is not what was asked for."""

    def __init__(self, data: bytes, reason: int) -> None:
        self.data = data
        self.reason = reason


def convert(descriptor: MessageDescriptor, data: bytes, ccsid: int, encoding: int, room: int) -> Converted:
    """Turn a message into a character set and an encoding, if its format says how; the descriptor then says so too.

    `room` is the length of the program's buffer, -1 for one that is as long as it must be.
    """
    if ccsid == MQCCSI_Q_MGR:
        ccsid = OWN_CCSID
    try:
        turned = conversion.convert(
            Data(descriptor.format, descriptor.ccsid, descriptor.encoding, data), ccsid, encoding or MQENC_NATIVE
        )
    except NotConverted as problem:
        return Converted(data, problem.reason)
    if 0 <= room < len(turned.data):
        return Converted(data, MQRC_CONVERTED_MSG_TOO_BIG)
    descriptor.ccsid, descriptor.encoding = turned.ccsid, turned.encoding
    return Converted(turned.data, MQRC_PARTIALLY_CONVERTED if turned.partial else MQRC_NONE)
