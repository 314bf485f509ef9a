"""The dialect of a peer: byte order, encoding word, character set.

Codecs use Latin-1 text and one of two Struct objects, by byte order. If a peer writes EBCDIC, the text ranges of a
structure are converted when the structure is received and before it is sent, so no other code handles EBCDIC. Names of
programs and users may have letters outside the characters that all character sets share: `words`, `from_peer` and
`to_peer` convert such names between the peer's character set and the queue manager's, UTF-8.
"""

from struct import Struct
from typing import Final

from librt.strings import (
    BytesWriter,
    read_i16_be,
    read_i16_le,
    read_i32_be,
    read_i32_le,
    write_i16_be,
    write_i16_le,
    write_i32_be,
    write_i32_le,
)

from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.status import CCSID_NOT_SUPPORTED, LENGTH_ERROR
from kew.formats.binary import FormatError
from kew.formats.charset import LATIN_1, UTF_8, decode, encode, is_ebcdic, is_known, translation

BIG: Final = 1
LITTLE: Final = 2

ENC_NORMAL: Final = 0x111
ENC_REVERSED: Final = 0x222
ENC_ZOS: Final = 0x311

SUBSTITUTE: Final = "\x1a"  # substitute for a character that a set lacks
LONGEST_CHARACTER: Final = 4  # bytes

_TWO_BYTES: Final = (1200, 1202, 13488, 17584, 61952)

StructPair = tuple[Struct, ...]
Ranges = tuple[tuple[int, int], ...]  # range of text in a structure


def pair(layout: str) -> StructPair:
    """Give the big-endian and the little-endian Struct of one layout, indexed by Dialect.order."""
    return Struct(">" + layout), Struct("<" + layout)


_TAIL: Final = pair("IHH")


class Dialect:
    """The byte order and character set of a segment, with the 8 header bytes that state them."""

    def __init__(self, byte_order: int, encoding: int, ccsid: int, ebcdic: bool, reserved: int = 0) -> None:
        self.byte_order = byte_order
        self.order = 1 if byte_order == LITTLE else 0
        self.encoding = encoding
        self.ccsid = ccsid
        self.ebcdic = ebcdic
        self.tail = _TAIL[self.order].pack(encoding, ccsid, reserved)
        self.page = ccsid if is_known(ccsid) else LATIN_1  # the character set of names
        self.to_latin: bytes = b""
        self.from_latin: bytes = b""
        if ebcdic:
            self.page = ccsid if is_ebcdic(ccsid) else 500
            self.to_latin = translation(self.page, LATIN_1)
            self.from_latin = translation(LATIN_1, self.page)

    def i4(self, data: bytes, offset: int) -> int:
        """Read the 32-bit integer at an offset; the caller checks that it lies within the data."""
        return read_i32_le(data, offset) if self.order else read_i32_be(data, offset)

    def put_i4(self, out: BytesWriter, value: int) -> None:
        """Write a 32-bit integer."""
        if self.order:
            write_i32_le(out, value)
        else:
            write_i32_be(out, value)

    def word(self, value: int) -> bytes:
        """Encode a 32-bit integer in four bytes."""
        if self.order:
            return value.to_bytes(4, "little", signed=True)
        return value.to_bytes(4, "big", signed=True)

    def u2(self, data: bytes, offset: int) -> int:
        """Read the unsigned 16-bit integer at an offset."""
        value: int = read_i16_le(data, offset) if self.order else read_i16_be(data, offset)
        return value & 0xFFFF

    def put_u2(self, out: BytesWriter, value: int) -> None:
        """Write an unsigned 16-bit integer."""
        signed = value if value < 0x8000 else value - 0x10000
        if self.order:
            write_i16_le(out, signed)
        else:
            write_i16_be(out, signed)

    def latin(self, data: bytes, offset: int, size: int, ranges: Ranges) -> bytes:
        """Copy a structure, with its text ranges converted from EBCDIC to Latin-1."""
        return _translated(data[offset : offset + size], ranges, self.to_latin)

    def native(self, structure: bytes, ranges: Ranges) -> bytes:
        """Give a structure as this dialect sends it: unchanged, or with its text ranges converted to EBCDIC."""
        if not self.ebcdic:
            return structure
        return _translated(structure, ranges, self.from_latin)

    def text_in(self, text: bytes) -> bytes:
        """Convert text from the peer to Latin-1 bytes."""
        return text.translate(self.to_latin) if self.ebcdic else text

    def text_out(self, text: bytes) -> bytes:
        """Convert Latin-1 bytes to the peer's text."""
        return text.translate(self.from_latin) if self.ebcdic else text


def _translated(structure: bytes, ranges: Ranges, table: bytes) -> bytes:
    copy = bytearray(structure)
    for start, end in ranges:
        copy[start:end] = copy[start:end].translate(table)
    return bytes(copy)


def read_dialect(byte_order: int, tail: bytes, ebcdic_eye: bool, offset: int) -> Dialect:
    """Read the dialect of a segment header; refuses unsupported byte orders and character sets."""
    if byte_order != BIG and byte_order != LITTLE:
        raise ProtocolError(offset, "byte order 1 or 2", byte_order)
    encoding, ccsid, reserved = _TAIL[1 if byte_order == LITTLE else 0].unpack(tail)
    if ccsid in _TWO_BYTES:
        raise ProtocolError(offset, "a character set of one byte a character", ccsid, CCSID_NOT_SUPPORTED)
    return Dialect(byte_order, encoding, ccsid, ebcdic_eye or is_ebcdic(ccsid), reserved)


def need(offset: int, size: int, end: int, what: str) -> None:
    """Check that `size` bytes are left before `end`."""
    if size < 0 or offset + size > end:
        raise ProtocolError(offset, f"{what} ({size} bytes)", f"{end - offset} bytes", LENGTH_ERROR)


def read_i4(data: bytes, offset: int, end: int, dialect: Dialect, what: str) -> int:
    """Read a 32-bit integer, which must lie before `end`."""
    if offset + 4 > end:
        raise ProtocolError(offset, what, f"{end - offset} bytes", LENGTH_ERROR)
    return dialect.i4(data, offset)


def eye_version(data: bytes, offset: int, end: int, dialect: Dialect, eye: bytes) -> int:
    """Read the version word behind an eye-catcher, which must be the given one."""
    if offset + 8 > end:
        raise ProtocolError(offset, f"structure {eye!r}", f"{end - offset} bytes", LENGTH_ERROR)
    found = data[offset : offset + 4]
    if dialect.ebcdic:
        found = found.translate(dialect.to_latin)
    if found != eye:
        raise ProtocolError(offset, f"structure {eye!r}", found)
    return dialect.i4(data, offset + 4)


def padded(text: str | bytes, width: int) -> bytes:
    """Encode a name as a field of the wire: Latin-1, blank padded, cut to the field's width."""
    raw = text.encode("latin-1", "replace") if isinstance(text, str) else text
    return raw[:width].ljust(width)


def name(field: bytes) -> str:
    """Decode a field of the wire as a name; trailing blanks and binary zeros are cut."""
    return field.rstrip(b" \0").decode("latin-1")


def words(field: bytes, dialect: Dialect | None) -> str:
    """Decode a peer's field as text in the peer's character set; trailing blanks and zeros are cut."""
    return letters(field.rstrip(b" \0"), dialect)


def letters(text: bytes, dialect: Dialect | None) -> str:
    """Decode a peer's text with its trailing blanks; the text of an EBCDIC peer is already converted to Latin-1."""
    if text.isascii() or dialect is None or dialect.ebcdic:
        return text.decode("latin-1")
    return _read(text, dialect.page)


def _read(text: bytes, page: int) -> str:
    """Decode text in a character set; the last character may be cut, and invalid bytes are taken for Latin-1."""
    for cut in range(min(len(text), LONGEST_CHARACTER)):
        try:
            return decode(text[: len(text) - cut], page)
        except FormatError:
            continue
    return text.decode("latin-1")


def from_peer(field: bytes, dialect: Dialect) -> bytes:
    """Convert a peer's field to the queue manager's character set, in the same length."""
    return _fitting(_read(field, dialect.page), UTF_8, len(field))


def to_peer(field: bytes, dialect: Dialect) -> bytes:
    """Convert a field to the peer's character set; bytes that are not text stay as they are."""
    try:
        return _fitting(decode(field, UTF_8), dialect.page, len(field))
    except FormatError:
        return field


def _fitting(text: str, page: int, width: int) -> bytes:
    """Encode text in a character set to a fixed length: cut after a whole character, or filled with blanks."""
    written = [_character(letter, page) for letter in text.rstrip(" \0")]
    while sum([len(letter) for letter in written]) > width:
        written.pop()
    return b"".join(written).ljust(width, _character(" ", page))


def _character(letter: str, page: int) -> bytes:
    """Encode one character in a character set, or its substitute."""
    try:
        return encode(letter, page)
    except FormatError:
        return encode(SUBSTITUTE, page)


SERVER_DIALECT: Final = Dialect(LITTLE, ENC_REVERSED, 819, False)
CLIENT_DIALECT: Final = Dialect(LITTLE, ENC_NORMAL, 819, False)
