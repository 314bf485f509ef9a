"""Bounds-checked reading and writing of fixed-width fields, and the one error that every codec raises."""

from struct import Struct
from typing import Final

from librt.strings import BytesWriter, write_i32_le, write_i64_le
from mypy_extensions import mypyc_attr

LITTLE: Final = "<"
BIG: Final = ">"

_I32_LITTLE: Final = Struct("<i")
_I32_BIG: Final = Struct(">i")
_I64_LITTLE: Final = Struct("<q")
_I64_BIG: Final = Struct(">q")

# Identifiers of structures are blanks, capitals and digits, which all EBCDIC pages have in the same places.
_TO_EBCDIC: Final = bytes(range(256)).decode("latin-1").encode("cp500")

_MIN_I32: Final = -(1 << 31)
_MAX_I32: Final = (1 << 31) - 1
_MIN_I64: Final = -(1 << 63)
_MAX_I64: Final = (1 << 63) - 1


@mypyc_attr(allow_interpreted_subclasses=True)
class FormatError(ValueError):
    """The error for bytes that do not have the expected format, or for a value that does not fit its field."""

    def __init__(self, structure: str, offset: int, expectation: str) -> None:
        super().__init__(f"{structure} at offset {offset}: {expectation}")
        self.structure = structure
        self.offset = offset
        self.expectation = expectation


def fit_text(value: bytes, width: int, structure: str, field: str) -> bytes:
    """Pad a value with blanks to the width of its field; refuse a longer one."""
    if len(value) > width:
        raise FormatError(structure, 0, f"{field} has {len(value)} bytes, expected at most {width}")
    return value.ljust(width)


def fit_bytes(value: bytes, width: int, structure: str, field: str) -> bytes:
    """Pad a value with binary zeros to the width of its field; refuse a longer one."""
    if len(value) > width:
        raise FormatError(structure, 0, f"{field} has {len(value)} bytes, expected at most {width}")
    return value.ljust(width, b"\0")


def write_u32_le(out: BytesWriter, value: int) -> None:
    """Write an unsigned 32-bit integer, little-endian."""
    write_i32_le(out, value if value <= _MAX_I32 else value - (1 << 32))


def write_u64_le(out: BytesWriter, value: int) -> None:
    """Write an unsigned 64-bit integer, little-endian; only values from 2**61 on need Python's long integers."""
    if value < 1 << 61:
        write_i64_le(out, value)
    else:
        out.write(value.to_bytes(8, "little"))


def order_of_encoding(encoding: int) -> str:
    """Give the byte order of integers in data with an MQENC value: 2 (reversed) is little-endian, all else big."""
    return LITTLE if encoding & 0xF == 2 else BIG


def version_order(structure: str, struc_id: bytes, versions: tuple[int, ...], data: bytes, offset: int) -> str:
    """Check the StrucId and version of a structure, and give the byte order in which its version is a known one."""
    if offset < 0 or len(data) - offset < 8:
        raise FormatError(structure, offset, f"expected at least 8 bytes, {max(len(data) - offset, 0)} remain")
    found = data[offset : offset + 4]
    if found not in (struc_id, struc_id.translate(_TO_EBCDIC)):
        raise FormatError(structure, offset, f"expected StrucId {struc_id.decode('ascii')!r}, found {found!r}")
    for order, fixed in ((LITTLE, _I32_LITTLE), (BIG, _I32_BIG)):
        if fixed.unpack_from(data, offset + 4)[0] in versions:
            return order
    allowed = " or ".join(map(str, versions))
    raise FormatError(structure, offset + 4, f"expected version {allowed}, found {data[offset + 4 : offset + 8].hex()}")


class Reader:
    """The reader of the fields of one structure, in order and never past its end."""

    def __init__(self, structure: str, data: bytes, offset: int, end: int, order: str) -> None:
        if offset < 0 or offset > len(data):
            raise FormatError(structure, offset, f"expected an offset within the {len(data)} bytes of data")
        self.structure = structure
        self.data = data
        self.offset = offset
        self.end = min(end, len(data))
        self.big = order == BIG

    def left(self) -> int:
        """Give the number of bytes that remain."""
        return self.end - self.offset

    def need(self, count: int, what: str) -> None:
        """Refuse a structure that ends before the next field, of `count` bytes, does."""
        if count < 0:
            raise FormatError(self.structure, self.offset, f"{what} has the length {count}, expected 0 or more")
        if count > self.end - self.offset:
            left = self.end - self.offset
            raise FormatError(self.structure, self.offset, f"{what} needs {count} bytes, {left} remain")

    def i32(self, what: str) -> int:
        """Read the next signed 32-bit integer."""
        self.need(4, what)
        at = self.offset
        self.offset = at + 4
        value: int = (_I32_BIG if self.big else _I32_LITTLE).unpack_from(self.data, at)[0]
        return value

    def i64(self, what: str) -> int:
        """Read the next signed 64-bit integer."""
        self.need(8, what)
        at = self.offset
        self.offset = at + 8
        value: int = (_I64_BIG if self.big else _I64_LITTLE).unpack_from(self.data, at)[0]
        return value

    def take(self, count: int, what: str) -> bytes:
        """Read the next `count` bytes."""
        self.need(count, what)
        at = self.offset
        self.offset = at + count
        return self.data[at : at + count]

    def fail(self, expectation: str, back: int = 0) -> FormatError:
        """Make the error for a field that was just read, `back` bytes before the current offset."""
        return FormatError(self.structure, self.offset - back, expectation)


class Writer:
    """The writer of the fields of one structure, in one byte order."""

    def __init__(self, structure: str, order: str) -> None:
        self.structure = structure
        self.big = order == BIG
        self.out = bytearray()

    def i32(self, value: int, what: str) -> None:
        """Add a signed 32-bit integer."""
        if value < _MIN_I32 or value > _MAX_I32:
            raise FormatError(self.structure, len(self.out), f"{what} is {value}, expected a signed 32-bit integer")
        self.out += (_I32_BIG if self.big else _I32_LITTLE).pack(value)

    def i64(self, value: int, what: str) -> None:
        """Add a signed 64-bit integer."""
        if value < _MIN_I64 or value > _MAX_I64:
            raise FormatError(self.structure, len(self.out), f"{what} is {value}, expected a signed 64-bit integer")
        self.out += (_I64_BIG if self.big else _I64_LITTLE).pack(value)

    def text(self, value: bytes, width: int, what: str) -> None:
        """Add a character field, padded with blanks."""
        self.out += fit_text(value, width, self.structure, what)

    def raw(self, value: bytes) -> None:
        """Add bytes as they are."""
        self.out += value
