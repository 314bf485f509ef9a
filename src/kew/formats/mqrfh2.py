"""The rules and formatting header, MQRFH2, and the folders in it that carry message properties.

    offset 0 StrucId 'RFH '   4 Version 2   8 StrucLength   12 Encoding   16 CodedCharSetId   20 Format 8   28 Flags
          32 NameValueCCSID   36 repeated: NameValueLength, then that many bytes of folder text padded with blanks

A folder is a subset of XML: elements, attributes, text, the five named entities and numeric ones, and no mixture of
text and elements. Folders come from outside, so their depth is limited and they have no external references.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from kew.formats import charset
from kew.formats.binary import LITTLE, FormatError, Reader, Writer, version_order

LENGTH_FIXED: Final = 36
MAX_DEPTH: Final = 64
NAME_VALUE_CCSIDS: Final = (1208, 1200, 13488, 17584)

_NAME: Final = re.compile(r"[^\s<>&\"'=/;!?]+")
_BLANKS: Final = re.compile(r"\s*")
_TEXT: Final = re.compile(r"[^<]*")
_ENTITY: Final = re.compile(r"&([^;&\s]{1,10});|&")
_ENTITIES: Final = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
_ESCAPES: Final = {ord(character): f"&{name};" for name, character in _ENTITIES.items()}


@dataclass
class RulesHeader:
    """An MQRFH2; encoding, ccsid and format describe the data that follows it."""

    encoding: int = 0
    ccsid: int = 0
    format: bytes = b""
    flags: int = 0
    name_value_ccsid: int = charset.UTF_8
    folders: list[str] = field(default_factory=list)


@dataclass
class Element:
    """A folder, or an element in it, with either text or elements inside."""

    name: str
    text: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Element"] = field(default_factory=list)


def encode(header: RulesHeader, order: str = LITTLE) -> bytes:
    """Encode the header with its folders, each padded with blanks to a multiple of four bytes."""
    if header.name_value_ccsid not in NAME_VALUE_CCSIDS:
        allowed = ", ".join(map(str, NAME_VALUE_CCSIDS))
        raise FormatError("MQRFH2", 32, f"NameValueCCSID is {header.name_value_ccsid}, expected one of {allowed}")
    blank = charset.encode(" ", header.name_value_ccsid, order)
    texts = []
    for folder in header.folders:
        text = charset.encode(folder, header.name_value_ccsid, order)
        texts.append(text + blank * (-len(text) % 4 // len(blank)))
    writer = Writer("MQRFH2", order)
    writer.raw(b"RFH ")
    writer.i32(2, "Version")
    writer.i32(LENGTH_FIXED + sum(4 + len(text) for text in texts), "StrucLength")
    writer.i32(header.encoding, "Encoding")
    writer.i32(header.ccsid, "CodedCharSetId")
    writer.text(header.format, 8, "Format")
    writer.i32(header.flags, "Flags")
    writer.i32(header.name_value_ccsid, "NameValueCCSID")
    for text in texts:
        writer.i32(len(text), "NameValueLength")
        writer.raw(text)
    return bytes(writer.out)


def encoded_length(data: bytes, offset: int = 0) -> int:
    """Give the StrucLength of the header at an offset; refuse one that is longer than the data."""
    order = version_order("MQRFH2", b"RFH ", (2,), data, offset)
    reader = Reader("MQRFH2", data, offset + 8, len(data), order)
    length = reader.i32("StrucLength")
    if length < LENGTH_FIXED or length % 4:
        raise reader.fail(f"expected a StrucLength of 36 or more that is a multiple of 4, found {length}", 4)
    if length > len(data) - offset:
        raise reader.fail(f"StrucLength is {length}, only {len(data) - offset} bytes remain", 4)
    return length


def format_of(data: bytes, offset: int = 0) -> bytes:
    """Give the format of the data behind the header at an offset."""
    version_order("MQRFH2", b"RFH ", (2,), data, offset)
    if len(data) - offset < LENGTH_FIXED:
        raise FormatError("MQRFH2", offset, f"expected {LENGTH_FIXED} bytes, {len(data) - offset} remain")
    return data[offset + 20 : offset + 28]


def with_following(data: bytes, offset: int, encoding: int, ccsid: int, text: bytes) -> bytes:
    """Replace encoding, character set and format in the header at an offset; gives the new data."""
    order = version_order("MQRFH2", b"RFH ", (2,), data, offset)
    writer = Writer("MQRFH2", order)
    writer.i32(encoding, "Encoding")
    writer.i32(ccsid, "CodedCharSetId")
    writer.text(text, 8, "Format")
    changed = bytes(writer.out)
    return data[: offset + 12] + changed + data[offset + 12 + len(changed) :]


def following(data: bytes, offset: int = 0) -> tuple[int, int, bytes]:
    """Give encoding, character set and format of the data behind the header at an offset."""
    text = format_of(data, offset)
    order = version_order("MQRFH2", b"RFH ", (2,), data, offset)
    reader = Reader("MQRFH2", data, offset + 12, offset + LENGTH_FIXED, order)
    return reader.i32("Encoding"), reader.i32("CodedCharSetId"), text


def decode(data: bytes, offset: int = 0) -> RulesHeader:
    """Decode the header at an offset, in either byte order, with its folders as text without padding."""
    length = encoded_length(data, offset)
    order = version_order("MQRFH2", b"RFH ", (2,), data, offset)
    reader = Reader("MQRFH2", data, offset + 12, offset + length, order)
    header = RulesHeader(
        reader.i32("Encoding"),
        reader.i32("CodedCharSetId"),
        reader.take(8, "Format"),
        reader.i32("Flags"),
        reader.i32("NameValueCCSID"),
    )
    if header.name_value_ccsid not in NAME_VALUE_CCSIDS:
        allowed = ", ".join(map(str, NAME_VALUE_CCSIDS))
        raise reader.fail(f"NameValueCCSID is {header.name_value_ccsid}, expected one of {allowed}", 4)
    while reader.left():
        count = reader.i32("NameValueLength")
        if count % 4:
            raise reader.fail(f"NameValueLength is {count}, expected a multiple of 4", 4)
        place = reader.offset
        text = reader.take(count, "NameValueData")
        try:
            folder = charset.decode(text, header.name_value_ccsid, order)
        except FormatError as problem:
            raise FormatError("MQRFH2", place + problem.offset, problem.expectation) from problem
        header.folders.append(folder.rstrip(" \0"))
    return header


def parse_folders(text: str) -> list[Element]:
    """Parse folder text into its elements, usually one."""
    elements = []
    place = _skip(text, 0)
    while place < len(text):
        element, place = _parse_element(text, place, 1)
        elements.append(element)
        place = _skip(text, place)
    return elements


def format_folder(element: Element) -> str:
    """Format an element as folder text, the inverse of parse_folders."""
    return "".join(_format_parts(element, 1))


def is_name(text: str) -> bool:
    """Say whether an element can have this name."""
    return _NAME.fullmatch(text) is not None


def _skip(text: str, place: int) -> int:
    found = _BLANKS.match(text, place)
    return found.end() if found else place


def _parse_name(text: str, place: int, what: str) -> tuple[str, int]:
    found = _NAME.match(text, place)
    if found is None:
        raise FormatError("MQRFH2 folder", place, f"expected {what}")
    return found.group(), found.end()


def _parse_element(text: str, start: int, depth: int) -> tuple[Element, int]:
    if depth > MAX_DEPTH:
        raise FormatError("MQRFH2 folder", start, f"expected at most {MAX_DEPTH} levels")
    if text[start : start + 1] != "<":
        raise FormatError("MQRFH2 folder", start, "expected '<'")
    name, place = _parse_name(text, start + 1, "the name of an element")
    element = Element(name)
    place = _parse_attributes(text, place, element)
    if text.startswith("/>", place):
        return element, place + 2
    if text[place : place + 1] != ">":
        raise FormatError("MQRFH2 folder", place, "expected '>' or '/>'")
    place += 1
    texts: list[str] = []
    while not text.startswith("</", place):
        found = _TEXT.match(text, place)
        if found and found.group():
            texts.append(_unescape(found.group(), place))
            place = found.end()
        elif place < len(text):
            child, place = _parse_element(text, place, depth + 1)
            element.children.append(child)
        else:
            raise FormatError("MQRFH2 folder", place, f"expected the end of element '{name}'")
    content = "".join(texts)
    if not element.children:
        element.text = content
    elif content.strip():
        raise FormatError("MQRFH2 folder", start, f"expected text or elements in '{name}', found both")
    ending, after = _parse_name(text, place + 2, "the name of the element that ends")
    if ending != name:
        raise FormatError("MQRFH2 folder", place, f"expected the end of element '{name}', found that of '{ending}'")
    after = _skip(text, after)
    if text[after : after + 1] != ">":
        raise FormatError("MQRFH2 folder", after, "expected '>'")
    return element, after + 1


def _parse_attributes(text: str, start: int, element: Element) -> int:
    place = _skip(text, start)
    while place < len(text) and text[place] not in "/>":
        if place == start:
            raise FormatError("MQRFH2 folder", place, "expected a blank before an attribute")
        name, place = _parse_name(text, place, "the name of an attribute")
        place = _skip(text, place)
        if text[place : place + 1] != "=":
            raise FormatError("MQRFH2 folder", place, f"expected '=' after attribute '{name}'")
        place = _skip(text, place + 1)
        quote = text[place : place + 1]
        end = text.find(quote, place + 1) if quote in ("'", '"') and quote else -1
        if end < 0:
            raise FormatError("MQRFH2 folder", place, f"expected the value of attribute '{name}' in quotes")
        if name in element.attributes:
            raise FormatError("MQRFH2 folder", place, f"expected attribute '{name}' once")
        element.attributes[name] = _unescape(text[place + 1 : end], place + 1)
        start = end + 1
        place = _skip(text, start)
    return place


def _unescape(text: str, place: int) -> str:
    if "&" not in text:
        return text
    parts = []
    last = 0
    for found in _ENTITY.finditer(text):
        parts.append(text[last : found.start()])
        parts.append(_entity(found.group(1) or "", place + found.start()))
        last = found.end()
    parts.append(text[last:])
    return "".join(parts)


def _entity(name: str, place: int) -> str:
    if name in _ENTITIES:
        return _ENTITIES[name]
    digits = name[2:] if name[:2] in ("#x", "#X") else name[1:]
    base = 16 if name[:2] in ("#x", "#X") else 10
    if name.startswith("#") and digits.isascii() and digits.isalnum():
        try:
            code = int(digits, base)
        except ValueError:
            code = -1
        if 0 < code < 0xD800 or 0xDFFF < code <= 0x10FFFF:
            return chr(code)
    raise FormatError("MQRFH2 folder", place, "expected one of &lt; &gt; &amp; &quot; &apos; or a character's number")


def _format_parts(element: Element, depth: int) -> list[str]:
    if depth > MAX_DEPTH:
        raise FormatError("MQRFH2 folder", 0, f"expected at most {MAX_DEPTH} levels")
    if element.children and element.text:
        raise FormatError("MQRFH2 folder", 0, f"expected text or elements in '{element.name}', found both")
    parts = [f"<{_checked(element.name)}"]
    parts += [f" {_checked(name)}='{value.translate(_ESCAPES)}'" for name, value in element.attributes.items()]
    parts.append(">")
    parts.append(element.text.translate(_ESCAPES))
    for child in element.children:
        parts += _format_parts(child, depth + 1)
    parts.append(f"</{element.name}>")
    return parts


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise FormatError("MQRFH2 folder", 0, f"{name!r} cannot be the name of an element or attribute")
    return name
