"""Property control: the form in which a get sees message properties, by its options or by PROPCTL of the queue.

A message keeps its properties in MQRFH2 headers before its data, as they were put. A program with a message handle gets
these headers, and its client moves the properties to the handle. Other programs see:

    FORCE, ALL, V6COMPAT   the headers as they are
    NONE                   no properties
    COMPAT                 the headers, if a folder among them is one that JMS or a user made (mcd, jms, usr, mqext);
                           else no properties

Folders that do not hold properties are data and always stay. Headers that cannot be read stay too.
"""

from typing import Final

from kew.codes.attributes import MQPROP_COMPATIBILITY, MQPROP_NONE
from kew.codes.errors import MQError
from kew.codes.options import (
    MQGMO_NO_PROPERTIES,
    MQGMO_PROPERTIES_COMPATIBILITY,
    MQGMO_PROPERTIES_FORCE_MQRFH2,
    MQGMO_PROPERTIES_IN_HANDLE,
)
from kew.codes.reasons import MQRC_PROPERTIES_TOO_BIG
from kew.formats.binary import FormatError
from kew.formats.mqmd import MessageDescriptor
from kew.formats.properties import (
    MOST_HEADERS,
    RFH2_FORMAT,
    UNSAID,
    header_at,
    take_apart,
    total_length,
    without_properties,
)

PROPERTY_OPTIONS: Final = (
    MQGMO_PROPERTIES_FORCE_MQRFH2 | MQGMO_NO_PROPERTIES | MQGMO_PROPERTIES_IN_HANDLE | MQGMO_PROPERTIES_COMPATIBILITY
)
_LENGTH_PLACE: Final = 8  # of StrucLength in an MQRFH2
_CCSID_PLACE: Final = 16  # of CodedCharSetId
_LONGEST_REMEMBERED: Final = 1000
_MOST_REMEMBERED: Final = 1000
_REMEMBERED: Final[dict[bytes, tuple[bytes, int, int]]] = {}  # header -> format, ccsid and encoding of what follows
_FOR_OLD_PROGRAMS: Final = frozenset(("mcd", "jms", "usr", "mqext"))


def apply_property_control(options: int, control: int, descriptor: MessageDescriptor, data: bytes) -> bytes:
    """Give the data of an MQHRF2 message in the form that the options or PROPCTL request."""
    if options & (MQGMO_PROPERTIES_FORCE_MQRFH2 | MQGMO_PROPERTIES_IN_HANDLE):
        return data
    without = options & MQGMO_NO_PROPERTIES != 0
    compatible = options & MQGMO_PROPERTIES_COMPATIBILITY != 0
    if not without and not compatible:
        without = control == MQPROP_NONE
        compatible = control == MQPROP_COMPATIBILITY
    if not without and not compatible:
        return data
    head = data[: int.from_bytes(data[_LENGTH_PLACE : _LENGTH_PLACE + 4], "little")]
    known = _REMEMBERED.get(head)
    if known is not None:
        descriptor.format, descriptor.ccsid, descriptor.encoding = known
        return data[len(head) :]
    try:
        for_old_programs = _is_for_old_programs(data)
        if without or not for_old_programs:
            bare = _stripped(descriptor, data)
            if not for_old_programs and descriptor.format != RFH2_FORMAT and len(bare) == len(data) - len(head):
                _remember(head, descriptor)
            return bare
    except FormatError:
        pass
    return data


def _remember(head: bytes, descriptor: MessageDescriptor) -> None:
    """Cache the result for an MQRFH2 that holds only properties: copies of a publication have the same header."""
    says_so = int.from_bytes(head[_CCSID_PLACE : _CCSID_PLACE + 4], "little", signed=True) not in UNSAID
    if says_so and len(head) <= _LONGEST_REMEMBERED:
        if len(_REMEMBERED) >= _MOST_REMEMBERED:
            _REMEMBERED.clear()
        _REMEMBERED[head] = (descriptor.format, descriptor.ccsid, descriptor.encoding)


def _is_for_old_programs(data: bytes) -> bool:
    offset = 0
    for _ in range(MOST_HEADERS):
        header = header_at(data, offset)
        for folder in header.folders:
            if folder.name in _FOR_OLD_PROGRAMS:
                return True
        offset += header.length
        if header.format != RFH2_FORMAT:
            break
    return False


def _stripped(descriptor: MessageDescriptor, data: bytes) -> bytes:
    carried = take_apart(descriptor.format, descriptor.ccsid, descriptor.encoding, data)
    framed = without_properties(carried, descriptor.ccsid, descriptor.encoding)
    descriptor.format, descriptor.ccsid, descriptor.encoding = framed.format, framed.ccsid, framed.encoding
    return framed.data


def check_properties(most: int, descriptor: MessageDescriptor, data: bytes) -> None:
    """Refuse a message with more bytes of properties than MAXPROPL; headers that cannot be read count as none."""
    try:
        carried = take_apart(descriptor.format, descriptor.ccsid, descriptor.encoding, data)
    except FormatError:
        return
    length = total_length(carried.properties)
    if length > most:
        raise MQError(MQRC_PROPERTIES_TOO_BIG, length=length, most=most)
