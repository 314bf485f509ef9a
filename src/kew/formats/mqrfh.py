"""The rules and formatting header of version 1, MQRFH, and the names and values in it.

    offset 0 StrucId 'RFH '   4 Version 1   8 StrucLength   12 Encoding   16 CodedCharSetId   20 Format 8   28 Flags
          32 names and values as text, up to StrucLength

The text is names and values in turn, separated by blanks. A value with blanks in it, or an empty one, stands in
quotation marks, and a mark within is doubled. The text ends at a null character, or is padded with blanks to a multiple
of four bytes. Its character set is that which the descriptor, or the header before this one, gives.
"""

from dataclasses import dataclass, field
from typing import Final

from kew.formats import charset
from kew.formats.binary import LITTLE, FormatError, Reader, Writer, version_order

FORMAT: Final = b"MQHRF   "
LENGTH_FIXED: Final = 32

Pairs = list[tuple[str, str]]


@dataclass
class FirstHeader:
    """An MQRFH; encoding, ccsid and format describe the data that follows it."""

    encoding: int = 0
    ccsid: int = 0
    format: bytes = b""
    flags: int = 0
    pairs: Pairs = field(default_factory=list)


def encode(header: FirstHeader, order: str = LITTLE, ccsid: int = charset.UTF_8) -> bytes:
    """Encode the header, with its text in a character set."""
    text = charset.encode(format_pairs(header.pairs), ccsid, order)
    blank = charset.encode(" ", ccsid, order)
    text += blank * (-len(text) % 4 // len(blank))
    writer = Writer("MQRFH", order)
    writer.raw(b"RFH ")
    writer.i32(1, "Version")
    writer.i32(LENGTH_FIXED + len(text), "StrucLength")
    writer.i32(header.encoding, "Encoding")
    writer.i32(header.ccsid, "CodedCharSetId")
    writer.text(header.format, 8, "Format")
    writer.i32(header.flags, "Flags")
    writer.raw(text)
    return bytes(writer.out)


def encoded_length(data: bytes) -> int:
    """Give the StrucLength of the header at the beginning of data; refuse one that is longer than the data."""
    order = version_order("MQRFH", b"RFH ", (1,), data, 0)
    reader = Reader("MQRFH", data, 8, len(data), order)
    length = reader.i32("StrucLength")
    if not LENGTH_FIXED <= length <= len(data):
        raise reader.fail(f"expected a StrucLength from {LENGTH_FIXED} to {len(data)}, found {length}", 4)
    return length


def text_of(data: bytes, ccsid: int) -> str:
    """Give the text of the header at the beginning of data, in either byte order."""
    length = encoded_length(data)
    order = version_order("MQRFH", b"RFH ", (1,), data, 0)
    text = charset.decode(data[LENGTH_FIXED:length], ccsid, order)
    return text.partition("\0")[0].rstrip(" ")


def decode(data: bytes, ccsid: int = charset.UTF_8) -> FirstHeader:
    """Decode the header at the beginning of data, in either byte order, with its text in a character set."""
    length = encoded_length(data)
    order = version_order("MQRFH", b"RFH ", (1,), data, 0)
    reader = Reader("MQRFH", data, 12, length, order)
    header = FirstHeader(reader.i32("Encoding"), reader.i32("CodedCharSetId"), reader.take(8, "Format"))
    header.flags = reader.i32("Flags")
    header.pairs = parse_pairs(text_of(data, ccsid))
    return header


def parse_pairs(text: str) -> Pairs:
    """Parse text into names and values, in their order."""
    words: list[str] = []
    place = 0
    while True:
        while place < len(text) and text[place] == " ":
            place += 1
        if place == len(text):
            break
        word, place = _word(text, place)
        words.append(word)
    if len(words) % 2:
        raise FormatError("MQRFH", len(text), f"expected a value behind the name {words[-1]!r}")
    return list(zip(words[::2], words[1::2], strict=True))


def _word(text: str, place: int) -> tuple[str, int]:
    if text[place] != '"':
        end = text.find(" ", place)
        end = len(text) if end < 0 else end
        return text[place:end], end
    start = place + 1
    while True:
        end = text.find('"', start)
        if end < 0:
            raise FormatError("MQRFH", place, "expected a second quotation mark")
        if text[end : end + 2] != '""':
            break
        start = end + 2
    if text[end + 1 : end + 2] not in ("", " "):
        raise FormatError("MQRFH", end, "expected a blank behind the quotation mark")
    return text[place + 1 : end].replace('""', '"'), end + 1


def format_pairs(pairs: Pairs) -> str:
    """Format names and values as text, the inverse of parse_pairs."""
    return " ".join([f"{quoted(name)} {quoted(value)}" for name, value in pairs])


def quoted(word: str) -> str:
    """Write a name or value as a word of the text, quoted if it is empty or has blanks or quotation marks."""
    if word and " " not in word and '"' not in word:
        return word
    return '"' + word.replace('"', '""') + '"'
