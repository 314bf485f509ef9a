"""Conversion of message data for a get that asks for it (MQGMO_CONVERT): text in the program's character set."""

from struct import Struct
from typing import Final

from kew.codes.reasons import (
    MQRC_CONVERTED_STRING_TOO_BIG,
    MQRC_FORMAT_ERROR,
    MQRC_NONE,
    MQRC_SOURCE_CCSID_ERROR,
    MQRC_TARGET_CCSID_ERROR,
)
from kew.formats import charset
from kew.formats.binary import BIG, LITTLE, FormatError

STRING: Final = b"MQSTR   "
_FIELDS: Final = Struct("<ii8s")  # encoding, character set and format of a stored descriptor, from offset 24
_AT: Final = 24


class Converted:
    """Descriptor and data as the program gets them, and the reason for a warning where they are as they were."""

    def __init__(self, descriptor: bytes, data: bytes, reason: int) -> None:
        self.descriptor = descriptor
        self.data = data
        self.reason = reason


def convert(descriptor: bytes, data: bytes, ccsid: int, encoding: int, room: int) -> Converted:
    """Turn a message into a character set, if that is needed and its format says how."""
    source_encoding, source, format_name = _FIELDS.unpack_from(descriptor, _AT)
    if ccsid <= 0 or ccsid == source or not data:
        return Converted(descriptor, data, MQRC_NONE)
    if format_name != STRING:
        return Converted(descriptor, data, MQRC_FORMAT_ERROR)
    if not charset.is_known(source):
        return Converted(descriptor, data, MQRC_SOURCE_CCSID_ERROR)
    if not charset.is_known(ccsid):
        return Converted(descriptor, data, MQRC_TARGET_CCSID_ERROR)
    try:
        text = charset.decode(data, source, _order(source_encoding))
    except FormatError:
        return Converted(descriptor, data, MQRC_SOURCE_CCSID_ERROR)
    try:
        turned = charset.encode(text, ccsid, _order(encoding))
    except FormatError:
        return Converted(descriptor, data, MQRC_TARGET_CCSID_ERROR)
    if 0 <= room < len(turned):
        return Converted(descriptor, data, MQRC_CONVERTED_STRING_TOO_BIG)
    head = descriptor[:_AT] + _FIELDS.pack(encoding, ccsid, format_name) + descriptor[_AT + _FIELDS.size :]
    return Converted(head, turned, MQRC_NONE)


def _order(encoding: int) -> str:
    return LITTLE if encoding & 0xF == 2 else BIG
