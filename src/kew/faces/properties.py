"""Message properties: what a message handle holds, and how it travels in an MQRFH2 at the front of the message.

A property `colour` is the element `colour` of the folder `usr`; `shop.till` is `till` of the folder `shop`. Its type is
the attribute `dt`; text has none. Folders other than MQ's own say content='properties', without which they are data.

A queue manager sees only the header. So a put with a handle writes one and a get into a handle takes it off again, here
at the program's side, as MQ's client does.
"""

import itertools
import math
import re
import struct
import threading
from typing import Any, ClassVar, Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQDMPO_DEL_PROP_UNDER_CURSOR,
    MQENC_NATIVE,
    MQFMT_RF_HEADER_2,
    MQIMPO_CONVERT_TYPE,
    MQIMPO_INQ_NEXT,
    MQIMPO_INQ_PROP_UNDER_CURSOR,
    MQTYPE_AS_SET,
    MQTYPE_BOOLEAN,
    MQTYPE_BYTE_STRING,
    MQTYPE_FLOAT32,
    MQTYPE_FLOAT64,
    MQTYPE_INT8,
    MQTYPE_INT16,
    MQTYPE_INT32,
    MQTYPE_INT64,
    MQTYPE_NULL,
    MQTYPE_STRING,
    MQVL_NULL_TERMINATED,
)
from kew.codes.reasons import (
    MQRC_HMSG_ERROR,
    MQRC_PROP_CONV_NOT_SUPPORTED,
    MQRC_PROP_NUMBER_FORMAT_ERROR,
    MQRC_PROPERTY_NAME_ERROR,
    MQRC_PROPERTY_NAME_TOO_BIG,
    MQRC_PROPERTY_NOT_AVAILABLE,
    MQRC_PROPERTY_TYPE_ERROR,
    MQRC_PROPERTY_VALUE_TOO_BIG,
)
from kew.faces.face import Face
from kew.formats import mqrfh2
from kew.formats.binary import BIG, FormatError, order_of_encoding
from kew.formats.mqrfh2 import Element, RulesHeader

USER: Final = "usr"
UTF_8: Final = 1208
MAX_NAME: Final = 4095
_STRUC_LENGTH: Final = slice(8, 12)
_OWN_FOLDERS: Final = frozenset({USER, "jms", "mcd", "mq", "mqema", "mqext", "mqps", "sib", "sib_usr", "sib_context"})
_NAME: Final = re.compile(r"[^\W\d][\w$]*(\.[^\W\d][\w$]*)*|\$[\w$]*")

# Type, the name of it in an MQRFH2, the bytes that a value takes.
_KINDS: Final = {
    MQTYPE_BOOLEAN: ("boolean", 4),
    MQTYPE_BYTE_STRING: ("bin.hex", 0),
    MQTYPE_INT8: ("i1", 1),
    MQTYPE_INT16: ("i2", 2),
    MQTYPE_INT32: ("i4", 4),
    MQTYPE_INT64: ("i8", 8),
    MQTYPE_FLOAT32: ("r4", 4),
    MQTYPE_FLOAT64: ("r8", 8),
    MQTYPE_STRING: ("string", 0),
    MQTYPE_NULL: ("", 0),
}
_BY_NAME: Final = {name: kind for kind, (name, _) in _KINDS.items() if name} | {"int": MQTYPE_INT32, "": MQTYPE_STRING}
_INTEGERS: Final = frozenset({MQTYPE_INT8, MQTYPE_INT16, MQTYPE_INT32, MQTYPE_INT64})
_FLOATS: Final = frozenset({MQTYPE_FLOAT32, MQTYPE_FLOAT64})


class Property:
    """One property: name (without `usr.`), type and value."""

    def __init__(self, name: str, kind: int, value: Any) -> None:
        self.name = name
        self.kind = kind
        self.value = value

    def length(self) -> int:
        """The bytes that the value takes in a program's buffer."""
        if self.kind == MQTYPE_STRING:
            return len(self.value.encode("utf-8"))
        if self.kind == MQTYPE_BYTE_STRING:
            return len(self.value)
        return _KINDS[self.kind][1]


def _plain(name: bytes | str) -> str:
    """The name as it is kept: text, without the folder for what users make."""
    try:
        text = name.decode("utf-8") if isinstance(name, bytes) else name
    except UnicodeDecodeError as problem:
        raise MQError(MQRC_PROPERTY_NAME_ERROR, name=name) from problem
    return text.rstrip("\0 ").removeprefix(USER + ".")


class Properties:
    """What a message handle holds: properties in their order, and a cursor to ask for one after the other."""

    def __init__(self) -> None:
        self.items: list[Property] = []
        self.cursor: int = -1

    def clear(self) -> None:
        """Forget everything."""
        self.items.clear()
        self.cursor = -1

    def find(self, name: str) -> int:
        """The place of a property, -1 where there is none."""
        for place, item in enumerate(self.items):
            if item.name == name:
                return place
        return -1

    def set(self, name: bytes | str, value: Any, kind: int, length: int = MQVL_NULL_TERMINATED) -> None:
        """MQSETMP: make or change a property."""
        plain = _plain(name)
        if len(plain) > MAX_NAME:
            raise MQError(MQRC_PROPERTY_NAME_TOO_BIG, length=len(plain))
        if not _NAME.fullmatch(plain):
            raise MQError(MQRC_PROPERTY_NAME_ERROR, name=plain)
        item = Property(plain, kind, _checked(value, kind, length))
        place = self.find(plain)
        if place < 0:
            self.items.append(item)
        else:
            self.items[place] = item

    def inquire(self, name: bytes | str, options: int, kind: int = MQTYPE_AS_SET) -> Property:
        """MQINQMP: a property by its name, or the first or next that a name ending in % fits."""
        plain = _plain(name)
        if options & MQIMPO_INQ_PROP_UNDER_CURSOR:
            place = self.cursor
        elif plain.endswith("%"):
            start = self.cursor + 1 if options & MQIMPO_INQ_NEXT else 0
            place = self._fitting(plain.removesuffix("%"), start)
        else:
            place = self.find(plain)
        if not 0 <= place < len(self.items):
            raise MQError(MQRC_PROPERTY_NOT_AVAILABLE, name=plain)
        self.cursor = place
        found = self.items[place]
        if kind in (MQTYPE_AS_SET, found.kind):
            return found
        if not options & MQIMPO_CONVERT_TYPE:
            raise MQError(MQRC_PROPERTY_TYPE_ERROR, name=found.name)
        return Property(found.name, kind, _converted(found, kind))

    def _fitting(self, prefix: str, start: int) -> int:
        for place in range(start, len(self.items)):
            name = self.items[place].name
            if not prefix or name.startswith(prefix):
                return place
        return -1

    def delete(self, name: bytes | str, options: int) -> None:
        """MQDLTMP: forget a property."""
        place = self.cursor if options & MQDMPO_DEL_PROP_UNDER_CURSOR else self.find(_plain(name))
        if not 0 <= place < len(self.items):
            raise MQError(MQRC_PROPERTY_NOT_AVAILABLE, name=_plain(name))
        del self.items[place]
        if self.cursor >= place:
            self.cursor -= 1


def fit(found: Property, room: int) -> None:
    """Refuse a value that a program's buffer does not hold."""
    if found.length() > room and (found.kind in (MQTYPE_STRING, MQTYPE_BYTE_STRING) or room > 0):
        raise MQError(MQRC_PROPERTY_VALUE_TOO_BIG, name=found.name, length=found.length())


def _checked(value: Any, kind: int, length: int) -> Any:
    if kind not in _KINDS:
        raise MQError(MQRC_PROPERTY_TYPE_ERROR, type=kind)
    if kind == MQTYPE_NULL:
        return None
    if kind == MQTYPE_STRING:
        if not isinstance(value, str | bytes):
            raise TypeError(f"a property of type MQTYPE_STRING is str or bytes, not {type(value).__name__}")
        text = value.encode("utf-8") if isinstance(value, str) else value
        text = text.partition(b"\0")[0] if length < 0 else text[:length]
        return text.decode("utf-8", "replace")
    if kind == MQTYPE_BYTE_STRING:
        if not isinstance(value, bytes | bytearray):
            raise TypeError(f"a property of type MQTYPE_BYTE_STRING is bytes, not {type(value).__name__}")
        return bytes(value) if length < 0 else bytes(value)[:length]
    if kind == MQTYPE_BOOLEAN:
        return bool(value)
    return _number(value, kind)


def _number(value: Any, kind: int) -> Any:
    width = _KINDS[kind][1]
    try:
        if kind in _FLOATS:
            form = "<f" if kind == MQTYPE_FLOAT32 else "<d"
            (number,) = struct.unpack(form, struct.pack(form, value))
            return number
        if isinstance(value, float) and not value.is_integer():
            raise ValueError(value)
        return int.from_bytes(int(value).to_bytes(width, "little", signed=True), "little", signed=True)
    except (ValueError, OverflowError, struct.error) as problem:
        raise MQError(MQRC_PROP_NUMBER_FORMAT_ERROR, value=value) from problem


def _converted(found: Property, kind: int) -> Any:
    value = found.value
    if found.kind == MQTYPE_NULL or kind == MQTYPE_NULL or kind not in _KINDS:
        raise MQError(MQRC_PROP_CONV_NOT_SUPPORTED, name=found.name)
    if kind == MQTYPE_STRING:
        return _text(found)
    if found.kind == MQTYPE_BYTE_STRING or kind == MQTYPE_BYTE_STRING:
        raise MQError(MQRC_PROP_CONV_NOT_SUPPORTED, name=found.name)
    if kind == MQTYPE_BOOLEAN:
        return value.lower() in ("true", "1") if isinstance(value, str) else bool(value)
    if isinstance(value, str):
        try:
            value = float(value) if kind in _FLOATS else int(value)
        except ValueError as problem:
            raise MQError(MQRC_PROP_NUMBER_FORMAT_ERROR, name=found.name, value=value) from problem
    return _number(value, kind)


# In a header.


def _text(item: Property) -> str:
    if item.kind == MQTYPE_BOOLEAN:
        return "1" if item.value else "0"
    if item.kind == MQTYPE_BYTE_STRING:
        return bytes(item.value).hex().upper()
    if item.kind in _FLOATS:
        return str(item.value) if math.isfinite(item.value) else repr(item.value).upper()
    return str(item.value)


def _folders(items: list[Property]) -> list[str]:
    roots: dict[str, Element] = {}
    for item in items:
        path = item.name.split(".")
        folder = path.pop(0) if len(path) > 1 else USER
        root = roots.get(folder)
        if root is None:
            root = roots[folder] = Element(folder)
            if folder not in _OWN_FOLDERS:
                root.attributes["content"] = "properties"
        for step in path[:-1]:
            within = next((child for child in root.children if child.name == step and not child.text), None)
            if within is None:
                within = Element(step)
                root.children.append(within)
            root = within
        leaf = Element(path[-1])
        if item.kind == MQTYPE_NULL:
            leaf.attributes["xsi:nil"] = "true"
        else:
            leaf.text = _text(item)
            if item.kind != MQTYPE_STRING:
                leaf.attributes["dt"] = _KINDS[item.kind][0]
        root.children.append(leaf)
    return [mqrfh2.format_folder(root) for root in roots.values()]


def write(md: Any, data: bytes, items: list[Property]) -> bytes:
    """The message with its properties in front of it; the descriptor then speaks of the header."""
    header = RulesHeader(md.Encoding, md.CodedCharSetId, _format(md.Format), name_value_ccsid=UTF_8)
    header.folders = _folders(items)
    order = order_of_encoding(md.Encoding) if md.Encoding else order_of_encoding(MQENC_NATIVE)
    md.Format = MQFMT_RF_HEADER_2
    md.CodedCharSetId = UTF_8
    md.Encoding = md.Encoding or MQENC_NATIVE
    return mqrfh2.encode(header, order) + data


def _format(value: bytes | str) -> bytes:
    raw = value.encode("ascii") if isinstance(value, str) else value
    return raw.partition(b"\0")[0].ljust(8)


def header_length(md: Any, data: bytes) -> int:
    """How long the header at the front of a message is, of which the first bytes are there; 0 where there is none."""
    if _format(md.Format) != MQFMT_RF_HEADER_2:
        return 0
    if len(data) < _STRUC_LENGTH.stop:
        return mqrfh2.LENGTH_FIXED  # it has at least these
    return int.from_bytes(data[_STRUC_LENGTH], "big" if data[4] == 0 else "little")


def read(md: Any, data: bytes, into: Properties | None) -> bytes:
    """The message without its properties, which go into a handle where there is one; a header that is none stays."""
    if _format(md.Format) != MQFMT_RF_HEADER_2:
        return data
    try:
        length = mqrfh2.encoded_length(data)
        header = mqrfh2.decode(data)
        parsed = [(folder, mqrfh2.parse_folders(folder)) for folder in header.folders]
        found: list[Property] = []
        kept: list[str] = []
        for folder, elements in parsed:
            if len(elements) == 1 and _holds_properties(elements[0]):
                _collect(elements[0], "" if elements[0].name == USER else elements[0].name + ".", found)
            else:
                kept.append(folder)
    except (FormatError, ValueError):
        return data
    if into is not None:
        into.clear()
        into.items.extend(found)
    rest = data[length:]
    if kept:
        big = data[4:8] == b"\0\0\0\2"
        header.folders = kept
        return mqrfh2.encode(header, BIG) + rest if big else mqrfh2.encode(header) + rest
    md.Format = header.format
    md.Encoding = header.encoding
    md.CodedCharSetId = header.ccsid
    return rest


def _holds_properties(folder: Element) -> bool:
    return folder.name in _OWN_FOLDERS or folder.attributes.get("content") == "properties"


def _collect(element: Element, prefix: str, found: list[Property]) -> None:
    for child in element.children:
        if child.children:
            _collect(child, prefix + child.name + ".", found)
        elif child.attributes.get("xsi:nil") == "true":
            found.append(Property(prefix + child.name, MQTYPE_NULL, None))
        else:
            kind = _BY_NAME.get(child.attributes.get("dt", ""), MQTYPE_STRING)
            found.append(Property(prefix + child.name, kind, _value(child.text, kind)))


def _value(text: str, kind: int) -> Any:
    if kind == MQTYPE_STRING:
        return text
    if kind == MQTYPE_BOOLEAN:
        return text in ("1", "true", "TRUE")
    if kind == MQTYPE_BYTE_STRING:
        return bytes.fromhex(text)
    return float(text) if kind in _FLOATS else int(text)


# Handles are numbers, as in C: a structure carries the number of a handle from one call to another.

_HANDLES: Final[dict[int, Properties]] = {}
_NUMBERS: Final = itertools.count(1)
_LOCK: Final = threading.Lock()


def create_handle() -> int:
    """MQCRTMH: a new message handle."""
    with _LOCK:
        number = next(_NUMBERS)
        _HANDLES[number] = Properties()
    return number


def handle(number: int) -> Properties:
    """What a message handle holds."""
    found = _HANDLES.get(number)
    if found is None:
        raise MQError(MQRC_HMSG_ERROR, handle=number)
    return found


def delete_handle(number: int) -> None:
    """MQDLTMH: the handle is of no further use."""
    with _LOCK:
        if _HANDLES.pop(number, None) is None:
            raise MQError(MQRC_HMSG_ERROR, handle=number)


class PropertiesBase:
    """The properties of one message handle, as both packages have them."""

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

    def get(self, name: str | bytes) -> Any:
        """MQINQMP, which the packages have with arguments of their own."""
        raise NotImplementedError

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
            handle(self.msg_handle).set(name, value, property_type, value_length)
        except MQError as error:
            self._face.fail(error)
