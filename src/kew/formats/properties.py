"""Message properties, and the folders of an MQRFH2 in which they travel at the front of a message.

A property `colour` is the element `colour` of the folder `usr`; `shop.till` is `till` of the folder `shop`, and further
dots make elements within elements. Its type is the attribute `dt`; text has no `dt`, nor have the numbers of the folder
`jms`, whose types JMS defines. The fields of the property's descriptor are the attributes `context`, `copy` and, in the
folder `mq` alone, `sa`, `sr` and `sx`. A folder other than MQ's own has the attribute content='properties'; without it
the folder is data.

    <usr><colour>red</colour><size dt='i4' copy='all'>7</size></usr>
    <shop content='properties'><till><number dt='i8'>3</number></till></shop>

A message may begin with several such headers. Selection reads a folder only when it needs one of its properties; a flat
folder, the usual case, is read without building a tree.
"""

import math
from struct import Struct
from struct import error as StructError  # noqa: N812
from typing import Final

from kew.codes.options import (
    MQCOPY_ALL,
    MQCOPY_DEFAULT,
    MQCOPY_FORWARD,
    MQCOPY_NONE,
    MQCOPY_PUBLISH,
    MQCOPY_REPLY,
    MQCOPY_REPORT,
    MQPD_NO_CONTEXT,
    MQPD_SUPPORT_OPTIONAL,
    MQPD_SUPPORT_REQUIRED,
    MQPD_SUPPORT_REQUIRED_IF_LOCAL,
    MQPD_USER_CONTEXT,
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
)
from kew.formats import charset, mqrfh2
from kew.formats.binary import BIG, LITTLE, FormatError
from kew.formats.mqrfh2 import Element, RulesHeader

Scalar = str | int | float | bool | bytes | None

RFH2_FORMAT: Final = b"MQHRF2  "
USER: Final = "usr"
MQ: Final = "mq"
OWN_FOLDERS: Final = frozenset(
    (USER, "jms", "mcd", MQ, "mq_usr", "mqema", "mqext", "mqps", "sib", "sib_usr", "sib_context")
)
MOST_HEADERS: Final = 16  # at the front of one message
UNSAID: Final = (0, -2)  # MQCCSI_UNDEFINED and MQCCSI_INHERIT of a header: what follows has the header's character set

# Type, the name of it in a folder, the bytes that a value takes.
KINDS: Final = {
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
_BY_NAME: Final = {name: kind for kind, (name, _) in KINDS.items() if name} | {"int": MQTYPE_INT32, "": MQTYPE_STRING}
# Numbers that are written without their type.
_JMS: Final = "jms."
_JMS_NUMBERS: Final = {
    "jms.Dlv": MQTYPE_INT32,
    "jms.Pri": MQTYPE_INT32,
    "jms.Seq": MQTYPE_INT32,
    "jms.Exp": MQTYPE_INT64,
    "jms.Tms": MQTYPE_INT64,
}
_BITS: Final = {MQTYPE_INT8: 7, MQTYPE_INT16: 15, MQTYPE_INT32: 31, MQTYPE_INT64: 63}
FLOATS: Final = frozenset((MQTYPE_FLOAT32, MQTYPE_FLOAT64))
_SINGLE: Final = Struct("<f")
_COPIES: Final = (
    ("forward", MQCOPY_FORWARD),
    ("publish", MQCOPY_PUBLISH),
    ("reply", MQCOPY_REPLY),
    ("report", MQCOPY_REPORT),
)
_COPY_WORDS: Final = {**dict(_COPIES), "all": MQCOPY_ALL, "none": MQCOPY_NONE, "default": MQCOPY_DEFAULT}
_FIXED_LITTLE: Final = Struct("<iii8sii")
_FIXED_BIG: Final = Struct(">iii8sii")
_WORD_LITTLE: Final = Struct("<i")
_WORD_BIG: Final = Struct(">i")
_STRUC_ID: Final = b"RFH "
_USER_TAG: Final = b"<usr>"
_VERSION_LITTLE: Final = b"\2\0\0\0"
_VERSION_BIG: Final = b"\0\0\0\2"


class Property:
    """One property: name (without `usr.`), type, value, and descriptor."""

    def __init__(self, name: str, kind: int, value: Scalar) -> None:
        self.name = name
        self.kind = kind
        self.value: Scalar = value
        self.support: int = MQPD_SUPPORT_OPTIONAL
        self.context: int = MQPD_NO_CONTEXT
        self.copies: int = MQCOPY_DEFAULT

    def length(self) -> int:
        """Give the length of the value in a program's buffer, in bytes."""
        value = self.value
        if isinstance(value, str):
            return len(value.encode("utf-8"))
        if isinstance(value, bytes):
            return len(value)
        size: int = KINDS[self.kind][1]
        return size

    def like(self, other: "Property") -> "Property":
        """Copy the property descriptor of another property; gives this property."""
        self.support = other.support
        self.context = other.context
        self.copies = other.copies
        return self


class Folder:
    """One folder of a header: its name, and its bytes as received."""

    def __init__(self, name: str, raw: bytes, ccsid: int, order: str, holds_properties: bool) -> None:
        self.name = name
        self.raw = raw
        self.ccsid = ccsid
        self.order = order
        self.holds_properties = holds_properties

    def text(self) -> str:
        """Give the text of the folder, without the padding behind it."""
        if self.ccsid == charset.UTF_8:
            try:
                return self.raw.decode("utf-8").rstrip(" \0")
            except UnicodeDecodeError as problem:
                raise FormatError("MQRFH2 folder", problem.start, "expected UTF-8") from problem
        return charset.decode(self.raw, self.ccsid, self.order).rstrip(" \0")

    def properties(self) -> list[Property]:
        """Give the properties in the folder; FormatError if its text breaks the format."""
        text = self.text()
        found: list[Property] = []
        prefix = "" if self.name == USER else self.name + "."
        if not _read_flat(text, self.name, prefix, found):
            found.clear()
            elements = mqrfh2.parse_folders(text)
            if len(elements) != 1:
                raise FormatError("MQRFH2 folder", 0, f"expected one folder, found {len(elements)}")
            _collect(elements[0], prefix, found)
        return found


class Header:
    """An MQRFH2 in a message; encoding, ccsid and format describe the data behind it."""

    def __init__(self, order: str, length: int, encoding: int, ccsid: int, format: bytes, flags: int) -> None:
        self.order = order
        self.length = length
        self.encoding = encoding
        self.ccsid = ccsid
        self.format = format
        self.flags = flags
        self.folders: list[Folder] = []


def header_at(data: bytes, offset: int) -> Header:
    """Read the header at an offset, with its folders separated and not parsed."""
    version = data[offset + 4 : offset + 8]
    if data[offset : offset + 4] != _STRUC_ID or (version != _VERSION_LITTLE and version != _VERSION_BIG):
        raise FormatError("MQRFH2", offset, "expected 'RFH ' and version 2")
    if len(data) - offset < mqrfh2.LENGTH_FIXED:
        raise FormatError("MQRFH2", offset, f"expected {mqrfh2.LENGTH_FIXED} bytes, {len(data) - offset} remain")
    little = version == _VERSION_LITTLE
    fixed = _FIXED_LITTLE if little else _FIXED_BIG
    order = LITTLE if little else BIG
    length, encoding, ccsid, format, flags, text_ccsid = fixed.unpack_from(data, offset + 8)
    if length < mqrfh2.LENGTH_FIXED or length > len(data) - offset:
        raise FormatError("MQRFH2", offset + 8, f"StrucLength is {length}, {len(data) - offset} bytes remain")
    if text_ccsid not in mqrfh2.NAME_VALUE_CCSIDS:
        raise FormatError("MQRFH2", offset + 32, f"NameValueCCSID is {text_ccsid}")
    header = Header(order, length, encoding, ccsid, format, flags)
    word = _WORD_LITTLE if little else _WORD_BIG
    place = offset + mqrfh2.LENGTH_FIXED
    end = offset + length
    while place + 4 <= end:
        size: int = word.unpack_from(data, place)[0]
        place += 4
        if size < 0 or size > end - place:
            raise FormatError("MQRFH2", place - 4, f"NameValueLength is {size}, {end - place} bytes remain")
        header.folders.append(_folder(data[place : place + size], text_ccsid, order))
        place += size
    if place != end:
        raise FormatError("MQRFH2", place, "expected a NameValueLength")
    return header


def _folder(raw: bytes, ccsid: int, order: str) -> Folder:
    """Read a folder's name from its first tag, and whether the folder holds properties."""
    if ccsid == charset.UTF_8:
        if raw.startswith(_USER_TAG):  # by far the most frequent
            return Folder(USER, raw, ccsid, order, True)
        end = raw.find(b">")
        tag = raw[: end + 1].decode("utf-8", "replace")
    else:
        tag = charset.decode(raw, ccsid, order)
        tag = tag[: tag.find(">") + 1]
    tag = tag.strip().removeprefix("<").removesuffix(">").removesuffix("/")
    parts = tag.split(None, 1)
    name = parts[0] if parts else ""
    holds = name in OWN_FOLDERS
    if not holds and len(parts) > 1:
        said = parts[1].replace(" ", "").replace('"', "'")
        holds = "content='properties'" in said
    return Folder(name, raw, ccsid, order, holds)


def _read_flat(text: str, root: str, prefix: str, found: list[Property]) -> bool:
    """Read a folder without nested elements, entities, and attributes other than `dt`; say whether it was so flat."""
    place = text.find(">") + 1
    end = len(text) - len(root) - 3
    if end < place or not text.endswith("</" + root + ">") or "&" in text or text[place - 2] == "/":
        return False
    while place < end:
        if text[place] != "<":
            return False
        close = text.find(">", place)
        if close < 0 or close >= end:
            return False
        tag = text[place + 1 : close]
        kind = MQTYPE_STRING
        blank = tag.find(" ")
        if blank < 0 and prefix == _JMS:
            kind = _JMS_NUMBERS.get(prefix + tag, MQTYPE_STRING)
        if blank >= 0:
            said = tag[blank + 1 :]
            tag = tag[:blank]
            if len(said) < 5 or said[:3] != "dt=" or said[3] not in "'\"" or said[-1] != said[3]:
                return False
            named = _BY_NAME.get(said[4:-1])
            if named is None:
                return False
            kind = named
        start = close + 1
        stop = text.find("<", start)
        if not tag or tag[0] == "/" or tag[-1] == "/" or not text.startswith("</" + tag + ">", stop):
            return False
        value = text[start:stop]
        found.append(Property(prefix + tag, kind, value if kind == MQTYPE_STRING else value_of(value, kind)))
        place = stop + len(tag) + 3
    return place == end


def _collect(element: Element, prefix: str, found: list[Property]) -> None:
    for child in element.children:
        if child.children:
            _collect(child, prefix + child.name + ".", found)
            continue
        attributes = child.attributes
        if attributes.get("xsi:nil") == "true":
            made = Property(prefix + child.name, MQTYPE_NULL, None)
        else:
            kind = _BY_NAME.get(attributes.get("dt", ""), MQTYPE_STRING)
            if kind == MQTYPE_STRING and "dt" not in attributes:
                kind = _JMS_NUMBERS.get(prefix + child.name, MQTYPE_STRING)
            made = Property(prefix + child.name, kind, value_of(child.text, kind))
        if attributes.get("context") == "user":
            made.context = MQPD_USER_CONTEXT
        copies = attributes.get("copy")
        if copies is not None:
            made.copies = _copies_of(copies)
        if attributes.get("sr") == "required":
            made.support = MQPD_SUPPORT_REQUIRED
        elif attributes.get("sx") == "local":
            made.support = MQPD_SUPPORT_REQUIRED_IF_LOCAL
        found.append(made)


def _copies_of(text: str) -> int:
    copies = 0
    for word in text.split(","):
        copies |= _COPY_WORDS.get(word.strip(), 0)
    return copies


def value_of(text: str, kind: int) -> Scalar:
    """Convert an element's text to the value of a property type."""
    try:
        if kind == MQTYPE_STRING:
            return text
        if kind == MQTYPE_BOOLEAN:
            return text.strip().lower() in ("1", "true")
        if kind == MQTYPE_BYTE_STRING:
            return bytes.fromhex(text)
        if kind in FLOATS:
            return float(text)
        number = int(text) if len(text) < 40 else 1 << 64
    except ValueError as problem:
        raise FormatError("MQRFH2 folder", 0, f"{text[:40]!r} is not a value of type {KINDS[kind][0]}") from problem
    limit = 1 << _BITS[kind]
    if not -limit <= number < limit:
        raise FormatError("MQRFH2 folder", 0, f"{number} is not a value of type {KINDS[kind][0]}")
    return number


def text_of(item: Property) -> str:
    """Format a property's value as the text of an element."""
    value = item.value
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, bytes):
        return value.hex().upper()
    if isinstance(value, float):
        return str(value) if math.isfinite(value) else repr(value).upper()
    return str(value)


def single(value: float) -> float:
    """Round a number to single precision; raises OverflowError if it is too large."""
    try:
        number: float = _SINGLE.unpack(_SINGLE.pack(value))[0]
    except StructError as problem:
        raise OverflowError(str(problem)) from problem
    return number


# Reading and writing messages.


class Carried:
    """A message separated into properties, folders that are data, and the data behind the headers."""

    def __init__(self, format: bytes, ccsid: int, encoding: int, data: bytes) -> None:
        self.format = format
        self.ccsid = ccsid
        self.encoding = encoding
        self.data = data
        self.properties: list[Property] = []
        self.others: list[tuple[Header, list[Folder]]] = []  # headers in which something other than properties is left


def take_apart(format: bytes, ccsid: int, encoding: int, data: bytes) -> Carried:
    """Separate properties from a message; raises FormatError if the headers are not valid."""
    found = Carried(format, ccsid, encoding, data)
    offset = 0
    for _ in range(MOST_HEADERS):
        if found.format != RFH2_FORMAT:
            break
        header = header_at(data, offset)
        left: list[Folder] = []
        for folder in header.folders:
            if folder.holds_properties:
                found.properties.extend(folder.properties())
            else:
                left.append(folder)
        if left:
            found.others.append((header, left))
        offset += header.length
        found.format, found.encoding = header.format, header.encoding
        if header.ccsid not in UNSAID:
            found.ccsid = header.ccsid
    found.data = data[offset:]
    return found


class Framed:
    """The data of a message with its headers, and the descriptor's format, CCSID and encoding for it."""

    def __init__(self, format: bytes, ccsid: int, encoding: int, data: bytes) -> None:
        self.format = format
        self.ccsid = ccsid
        self.encoding = encoding
        self.data = data


def without_properties(carried: Carried, ccsid: int, encoding: int) -> Framed:
    """Give the message with only those folders that are data; ccsid and encoding are those of the original message."""
    framed = Framed(carried.format, carried.ccsid, carried.encoding, carried.data)
    for header, folders in reversed(carried.others):
        kept = RulesHeader(framed.encoding, framed.ccsid, framed.format, header.flags, folders[0].ccsid)
        kept.folders = [folder.text() for folder in folders]
        framed.data = mqrfh2.encode(kept, header.order) + framed.data
        framed.format, framed.ccsid, framed.encoding = RFH2_FORMAT, ccsid, encoding
    return framed


def with_properties(items: list[Property], framed: Framed, order: str, encoding: int) -> Framed:
    """Put a header with properties in front of the message."""
    if not items:
        return framed
    header = RulesHeader(framed.encoding, framed.ccsid, framed.format, name_value_ccsid=charset.UTF_8)
    header.folders = folders_of(items)
    return Framed(RFH2_FORMAT, charset.UTF_8, encoding, mqrfh2.encode(header, order) + framed.data)


def folders_of(items: list[Property]) -> list[str]:
    """Give the folders that carry properties, in the order of the first property of each."""
    roots: dict[str, Element] = {}
    for item in items:
        path = item.name.split(".")
        name = path.pop(0) if len(path) > 1 else USER
        root = roots.get(name)
        if root is None:
            root = roots[name] = Element(name)
            if name not in OWN_FOLDERS:
                root.attributes["content"] = "properties"
        for step in path[:-1]:
            root = _within(root, step)
        root.children.append(_element(item, path[-1], name))
    return [mqrfh2.format_folder(root) for root in roots.values()]


def _within(root: Element, step: str) -> Element:
    for child in root.children:
        if child.name == step and child.children:
            return child
    made = Element(step)
    root.children.append(made)
    return made


def _element(item: Property, name: str, folder: str) -> Element:
    leaf = Element(name)
    if item.kind == MQTYPE_NULL:
        leaf.attributes["xsi:nil"] = "true"
    else:
        leaf.text = text_of(item)
        if item.kind != _JMS_NUMBERS.get(item.name, MQTYPE_STRING):
            leaf.attributes["dt"] = KINDS[item.kind][0]
    if item.context == MQPD_USER_CONTEXT:
        leaf.attributes["context"] = "user"
    if item.copies != MQCOPY_DEFAULT:
        words = [word for word, bit in _COPIES if item.copies & bit]
        leaf.attributes["copy"] = "all" if item.copies & MQCOPY_ALL else ",".join(words) or "none"
    if folder == MQ and item.support == MQPD_SUPPORT_REQUIRED:
        leaf.attributes["sr"] = "required"
    elif folder == MQ and item.support == MQPD_SUPPORT_REQUIRED_IF_LOCAL:
        leaf.attributes["sx"] = "local"
    return leaf


def total_length(items: list[Property]) -> int:
    """Give the length of properties as MAXPROPL counts it: names and values in bytes."""
    total = 0
    for item in items:
        total += len(item.name.encode("utf-8")) + item.length()
    return total
