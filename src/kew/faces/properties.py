"""Message handles, as numbers, and their properties in MQRFH2 headers.

A queue manager sees properties in a header before the data. So a put with a message handle writes a header, and a get
into a handle takes the header off again, on the program's side, as MQ's client does.
"""

import itertools
import threading
from abc import abstractmethod
from typing import Any, ClassVar, Final

from kew.codes.errors import MQError
from kew.codes.options import MQENC_NATIVE, MQFMT_RF_HEADER_2, MQSMPO_SET_FIRST, MQTYPE_STRING, MQVL_NULL_TERMINATED
from kew.codes.reasons import MQRC_HMSG_ERROR, MQRC_PROPERTY_NAME_ERROR
from kew.faces.descriptors import descriptor_of
from kew.faces.face import Face
from kew.formats import mqrfh2
from kew.formats.binary import FormatError, order_of_encoding
from kew.formats.charset import UTF_8
from kew.formats.properties import Framed, Property, take_apart, with_properties, without_properties
from kew.mqi.messages.messagehandles import Description, MessageHandle, combined
from kew.selection.fields import DESCRIPTOR_FIELDS

_STRUC_LENGTH: Final = slice(8, 12)


def write(md: Any, data: bytes, items: list[Property]) -> bytes:
    """Give the message with its properties in front of it; the descriptor then describes the header."""
    encoding: int = md.Encoding or MQENC_NATIVE
    # The queue manager gives its own character set in the descriptor, and the header has it from here on.
    message = Framed(_format(md.Format), md.CodedCharSetId or UTF_8, md.Encoding, data)
    try:
        framed = with_properties(items, message, order_of_encoding(encoding), encoding)
    except FormatError as problem:  # its handle was made without checking of names
        raise MQError(MQRC_PROPERTY_NAME_ERROR, why=str(problem)) from problem
    md.Format, md.CodedCharSetId, md.Encoding = framed.format, framed.ccsid, framed.encoding
    return framed.data


def _format(value: bytes | str) -> bytes:
    raw = value.encode("ascii") if isinstance(value, str) else value
    return raw.partition(b"\0")[0].ljust(8)


def header_length(md: Any, data: bytes) -> int:
    """Give the length of the header in front of a message from its first bytes; 0 if there is none."""
    if _format(md.Format) != MQFMT_RF_HEADER_2:
        return 0
    if len(data) < _STRUC_LENGTH.stop:
        return mqrfh2.LENGTH_FIXED  # the shortest header
    return int.from_bytes(data[_STRUC_LENGTH], "big" if data[4] == 0 else "little")


def read(md: Any, data: bytes, into: MessageHandle | None) -> bytes:
    """Give the message without its properties, which go into a handle if there is one; an invalid header stays."""
    if into is not None:
        into.clear()
        into.descriptor = descriptor_of(md)
    if _format(md.Format) != MQFMT_RF_HEADER_2:
        return data
    try:
        carried = take_apart(MQFMT_RF_HEADER_2, md.CodedCharSetId, md.Encoding, data)
    except FormatError:
        return data
    framed = without_properties(carried, md.CodedCharSetId, md.Encoding)
    if into is not None:
        into.items.extend(carried.properties)
    md.Format, md.CodedCharSetId, md.Encoding = framed.format, framed.ccsid, framed.encoding
    return framed.data


def to_be_put(action: int, original: int, new: int) -> list[Property]:
    """Give the properties of a message that is put with an original message handle, a new one, or both."""
    return combined(action, handle(original) if original else None, handle(new) if new else None)


def fill_descriptor(md: Any, original: int, new: int) -> None:
    """Make the descriptor of a message from the properties of handles (MQPMO_MD_FOR_OUTPUT_ONLY)."""
    values: dict[str, Any] = {}
    if original:
        source = handle(original)
        if source.descriptor is not None:
            values.update({name: getattr(source.descriptor, own) for name, own in DESCRIPTOR_FIELDS.items()})
        values.update(source.fields)
    if new:
        values.update(handle(new).fields)
    version2 = ("GroupId", "MsgSeqNumber", "Offset", "MsgFlags", "OriginalLength")
    for name, value in values.items():
        if name not in version2 or md.Version >= 2:
            setattr(md, name, value.encode() if isinstance(value, str) else value)


def description(pd: Any) -> Description | None:
    """Give the description of a property from a program's property descriptor, if it gave one."""
    return Description(pd.Support, pd.Context, pd.CopyOptions, pd.Options) if pd else None


def describe(pd: Any, found: Property) -> None:
    """Fill a program's property descriptor."""
    pd.Support, pd.Context, pd.CopyOptions = found.support, found.context, found.copies


# Handles are numbers, as in C: a structure carries the number of a handle from one call to another.

_HANDLES: Final[dict[int, MessageHandle]] = {}
_NUMBERS: Final = itertools.count(1)
_LOCK: Final = threading.Lock()


def create_handle(options: int = 0) -> int:
    """MQCRTMH: make a message handle."""
    made = MessageHandle(options)
    with _LOCK:
        number = next(_NUMBERS)
        _HANDLES[number] = made
    return number


def handle(number: int) -> MessageHandle:
    """Give the properties of a message handle."""
    found = _HANDLES.get(number)
    if found is None:
        raise MQError(MQRC_HMSG_ERROR, handle=number)
    return found


def delete_handle(number: int) -> None:
    """MQDLTMH: delete a message handle."""
    with _LOCK:
        if _HANDLES.pop(number, None) is None:
            raise MQError(MQRC_HMSG_ERROR, handle=number)


class PropertiesBase:
    """The properties of one message handle, for both packages."""

    _face: ClassVar[Face]

    def __init__(self, conn_handle: int, msg_handle: int) -> None:
        self.conn_handle = conn_handle
        self.msg_handle = msg_handle

    def __getitem__(self, name: str | bytes) -> Any:
        value = self.get(name)
        if not value:
            raise KeyError(f"No such property [{name!r}]")
        return value

    def __setitem__(self, name: str | bytes, value: Any) -> None:
        self.set(name, value)

    @abstractmethod
    def get(self, name: str | bytes) -> Any:
        """MQINQMP, for which each package has its own arguments."""

    def set(
        self,
        name: str | bytes,
        value: Any,
        property_type: int = MQTYPE_STRING,
        value_length: int = MQVL_NULL_TERMINATED,
        pd: Any = None,
        smpo: Any = None,
    ) -> None:
        """MQSETMP: make or change a property."""
        try:
            options = smpo.Options if smpo else MQSMPO_SET_FIRST
            handle(self.msg_handle).set(name, value, property_type, value_length, options, description(pd))
        except MQError as error:
            self._face.fail(error)
