"""Distinguished encoding (DER) of the parts of CMS: writing, and reading with every length checked.

A length is read in its one canonical form only, so that no bit of it can be changed unnoticed. Only tags of one byte
occur. Data of other programs with indefinite lengths is first brought into this form by asn1crypto.
"""

from typing import Final

from kew.protection.errors import HEADER, Unprotectable

INTEGER: Final = 0x02
BIT_STRING: Final = 0x03
OCTET_STRING: Final = 0x04
NULL: Final = b"\x05\x00"
OBJECT: Final = 0x06
SEQUENCE: Final = 0x30
SET: Final = 0x31
CONTEXT: Final = 0x80  # a context tag, primitive
EXPLICIT: Final = 0xA0  # a context tag, constructed

Span = tuple[int, int]  # where a value begins and ends


def head(tag: int, length: int) -> bytes:
    """Encode tag and length of a value."""
    if length < 0x80:
        return bytes((tag, length))
    size = (length.bit_length() + 7) // 8
    return bytes((tag, 0x80 | size)) + length.to_bytes(size, "big")


def value(tag: int, *parts: bytes) -> bytes:
    """Encode a value with its tag and length."""
    body = b"".join(parts)
    return head(tag, len(body)) + body


def oid(dotted: str) -> bytes:
    """Encode an object identifier."""
    first, second, *rest = [int(each) for each in dotted.split(".")]
    body = bytearray()
    for number in (first * 40 + second, *rest):
        group = [number & 0x7F]
        while number > 0x7F:
            number >>= 7
            group.append(0x80 | number & 0x7F)
        body.extend(reversed(group))
    return value(OBJECT, bytes(body))


def integer(number: int) -> bytes:
    """Encode an integer that is not negative."""
    return value(INTEGER, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def set_of(*members: bytes) -> bytes:
    """Encode a set, with its members in the order of DER."""
    return value(SET, *sorted(members))


class Reader:
    """Reads the values between two offsets, one after the other."""

    def __init__(self, data: bytes, start: int, end: int) -> None:
        self.data = data
        self.place = start
        self.end = end

    def peek(self) -> int:
        """Give the tag of the next value, 0 where there is none."""
        return self.data[self.place] if self.place < self.end else 0

    def take(self, tag: int) -> Span:
        """Take the next value, which must have this tag; gives the offsets of its beginning and end."""
        data, place, end = self.data, self.place, self.end
        if end - place < 2 or data[place] != tag:
            raise Unprotectable(HEADER, f"expected the tag 0x{tag:02X} at {place} of the CMS structure")
        length = data[place + 1]
        place += 2
        if length >= 0x80:
            size = length & 0x7F
            if not 1 <= size <= 4 or end - place < size:
                raise Unprotectable(HEADER, f"a length at {place} of the CMS structure is not canonical")
            length = int.from_bytes(data[place : place + size], "big")
            if length < 0x80 or length >> 8 * (size - 1) == 0:
                raise Unprotectable(HEADER, f"a length at {place} of the CMS structure is not canonical")
            place += size
        if length > end - place:
            raise Unprotectable(HEADER, f"a value at {place} of the CMS structure is longer than what holds it")
        self.place = place + length
        return place, place + length

    def whole(self, tag: int) -> bytes:
        """Take the next value; gives it with its tag and length."""
        start = self.place
        self.take(tag)
        return self.data[start : self.place]

    def body(self, tag: int) -> bytes:
        """Take the next value; gives it without its tag and length."""
        start, end = self.take(tag)
        return self.data[start:end]

    def inside(self, tag: int) -> "Reader":
        """Take the next value; gives a reader of the values in it."""
        return Reader(self.data, *self.take(tag))

    def expect(self, wanted: bytes, what: str) -> None:
        """Skip a value, which must be equal to `wanted`."""
        found = self.data[self.place : self.place + len(wanted)]
        if found != wanted or self.place + len(wanted) > self.end:
            raise Unprotectable(HEADER, f"expected {what} at {self.place} of the CMS structure")
        self.place += len(wanted)

    def done(self) -> None:
        """Refuse bytes after the last value."""
        if self.place != self.end:
            raise Unprotectable(HEADER, f"{self.end - self.place} bytes too many at {self.place} of the CMS structure")
