"""The layout of a structure: named fields at fixed offsets; later releases add fields at the end.

A structure is declared as a text table, one field a line:

    offset length type kind unit name meaning
           | meaning continued

type  u8 u16 u32 u64 i16 i32 i64   big-endian numbers
      stck                          64-bit TOD clock, bit 51 is one microsecond, epoch 1900; 0 is "not set"
      todd                          a duration in the same unit, 4096 to the microsecond
      char bytes packed pad         EBCDIC text, opaque bytes, packed decimal, reserved
      NAME                          another structure
      ...*N                         an array of N
      ...:NAME                      a code of the list NAME (see `codelists`)
      ...?N                         the value N means that there is none
kind  delta gauge peak trough       counted in the interval; value at its end; highest and lowest in it
      config id                     a definition; identification
      link pad                      an internal address; ignore
      mark                          constant that the unit column gives: `=length`, `=0xD40F`, `=QMST`
unit  count bytes pages us ...      `-` for none
"""

from collections.abc import Mapping, Sequence
from struct import Struct
from typing import Final, TypeAlias

Value: TypeAlias = int | str | bytes | Sequence[int] | Sequence["Values"]
Values: TypeAlias = Mapping[str, Value]

NUMBERS: Final = {
    "u8": "B",
    "u16": "H",
    "u32": "I",
    "u64": "Q",
    "i16": "h",
    "i32": "i",
    "i64": "q",
    "stck": "Q",
    "todd": "Q",
}
OPAQUE: Final = ("char", "bytes", "packed", "pad")


class Field:
    """One field of a structure."""

    def __init__(self, offset: int, length: int, kind: str, unit: str, name: str, text: str) -> None:
        self.offset = offset
        self.length = length
        self.kind = kind
        self.unit = unit
        self.name = name
        self.text = text
        self.type = ""
        self.count = 0  # 0 for a single value, else the size of the array
        self.codes = ""  # the code list that explains the value
        self.none: int | None = None  # the value that means "none"
        self.inner: Structure | None = None
        self.mark: int | str | None = None  # constant; "length" stands for the length of the block

    @property
    def end(self) -> int:
        """Give the offset of the first byte after the field."""
        return self.offset + self.length

    @property
    def element_length(self) -> int:
        """Give the length of one element of an array field, or of another field."""
        return self.length // self.count if self.count else self.length


class Structure:
    """A named layout, with its length at each release that changed it."""

    def __init__(
        self, name: str, title: str, size: int, fields: list[Field], lengths: tuple[tuple[int, int], ...]
    ) -> None:
        self.name = name
        self.title = title
        self.size = size
        self.fields = fields
        self.lengths = lengths
        self.field: dict[str, Field] = {field.name: field for field in fields}
        self.has_length = any(field.mark == "length" for field in fields)
        self.length_offset = next((field.offset for field in fields if field.mark == "length"), -1)
        self._packers: dict[int, Packer] = {}

    def length_at(self, release: int) -> int:
        """Give the length at a release, 0 if the release does not have the structure."""
        length = 0
        for since, size in self.lengths:
            if release >= since:
                length = size
        return length

    def packer(self, length: int) -> "Packer":
        """Give the codec of the first `length` bytes."""
        packer = self._packers.get(length)
        if packer is None:
            packer = Packer(self, length)
            # Damaged files can name thousands of lengths: only the plausible few are worth keeping.
            if len(self._packers) < 64:
                self._packers[length] = packer
        return packer


class Packer:
    """The codec of a structure at a given length: the fields within it, and one `struct` for all of them."""

    def __init__(self, structure: Structure, length: int) -> None:
        self.length = length
        self.fields = [field for field in structure.fields if field.end <= length]
        known = max([field.end for field in self.fields], default=0)
        self.trailing = length - known
        form = ">"
        for field in self.fields:
            code = NUMBERS.get(field.type)
            if code is None:
                form += f"{field.length}s"
            else:
                form += f"{field.count or ''}{code}"
        self.struct = Struct(f"{form}{self.trailing}s")


BY_NAME: Final[dict[str, Structure]] = {}


def structure(
    name: str, title: str, size: int, table: str, lengths: tuple[tuple[int, int], ...] | None = None
) -> Structure:
    """Declare a structure from its text table; the table must cover every byte once."""
    fields: list[Field] = []
    for line in table.strip("\n").split("\n"):
        text = line.strip()
        if text.startswith("|"):
            fields[-1].text += " " + text[1:].strip()
        else:
            fields.append(_field(text))
    offset = 0
    for field in fields:
        if field.offset != offset:
            raise ValueError(f"{name}.{field.name} is at {field.offset}, the field before it ends at {offset}")
        offset = field.end
    if offset != size:
        raise ValueError(f"{name} ends at {offset}, its size is {size}")
    made = Structure(name, title, size, fields, lengths or ((0, size),))
    BY_NAME[name] = made
    return made


def _field(line: str) -> Field:
    parts = line.split(None, 6)
    kind, unit, name = parts[3], parts[4], parts[5]
    field = Field(int(parts[0]), int(parts[1]), kind, "" if unit == "-" else unit, name, parts[6])
    base, _, none = parts[2].partition("?")
    base, _, field.codes = base.partition(":")
    base, _, count = base.partition("*")
    field.type = base
    field.count = int(count or 0)
    if none:
        field.none = int(none, 0)
    if base not in NUMBERS and base not in OPAQUE:
        field.type = "struct"
        field.inner = BY_NAME[base]
    if kind == "mark":
        field.unit = ""
        field.mark = unit[1:] if base == "char" or unit == "=length" else int(unit[1:], 0)
    return field
