"""Reads the records of data sets that TSO's TRANSMIT has written (XMIT files, NETDATA).

    +0   length of the segment with these two bytes
    +1   0x80 first segment of a record, 0x40 last, 0x20 control record
    +2   data, at most 253 bytes

A control record begins with its name: INMR01 the file, INMR02 how it was unloaded, INMR03 what follows, INMR06 the end.
The contents of INMR02 are text units: u16 key, u16 count, and for each value a u16 length and the value. A sequential
data set, unloaded by INMCOPY, has its records as they are; those of variable length get their descriptor words back.
Where the data set was packed by AMATERSE before, it is unpacked too.
"""

from collections.abc import Iterator
from typing import BinaryIO, Final

from kew.analytics.smf.terse import HEADER, LONGEST, TerseStream, is_tersed

FIRST: Final = 0x80
LAST: Final = 0x40
CONTROL: Final = 0x20
NAME: Final = 6
UNLOADED: Final = 0x1028  # by which program
FORMAT: Final = 0x0049
VARIABLE: Final = 0x4000
FORMATS: Final = 0xC000
STEP: Final = 1 << 18


def is_netdata(start: bytes) -> bool:
    """Say whether a file begins with the control record INMR01."""
    return len(start) >= 8 and start[1] & 0xE0 == 0xE0 and start[2:8] == "INMR01".encode("cp037")


class NetdataStream:
    """The data of a transmitted file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._content: Content | TerseStream | None = None

    def read(self, size: int, /) -> bytes:
        """Give the next bytes; EOFError where the file is cut off."""
        if self._content is None:
            self._content = Content(self._file)
            if is_tersed(self._content.peek(HEADER.size)):
                self._content = TerseStream(self._content)
        return self._content.read(size)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class Content:
    """The data of the records, as a file."""

    def __init__(self, file: BinaryIO) -> None:
        self._blocks = _blocks(file)
        self._held = b""
        self._problem: EOFError | None = None

    def peek(self, size: int) -> bytes:
        """Give the next bytes and leave them there; fewer only at the end."""
        while len(self._held) < size and self._problem is None:
            try:
                more = next(self._blocks, b"")
            except EOFError as problem:
                self._problem = problem
                break
            if not more:
                break
            self._held += more
        return self._held[:size]

    def read(self, size: int, /) -> bytes:
        """Give the next bytes."""
        given = self.peek(min(size, STEP))
        self._held = self._held[len(given) :]
        if not given and self._problem is not None:
            raise self._problem
        return given

    def close(self) -> None:
        """Do nothing: the stream that has the file closes it."""


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    held = bytearray()
    try:
        for record in _data(file):
            held += record
            if len(held) >= STEP:
                yield bytes(held)
                held.clear()
    except EOFError:
        if held:
            yield bytes(held)
        raise
    if held:
        yield bytes(held)


def _data(file: BinaryIO) -> Iterator[bytes]:
    """Give the records of the data set."""
    variable = False
    for control, record in _records(file):
        if not control:
            yield _described(record) if variable else record
            continue
        name = record[:NAME].decode("cp037")
        if name == "INMR06":
            return
        if name == "INMR02":
            units = _text_units(record[NAME + 4 :])
            program = units.get(UNLOADED, b"").decode("cp037").rstrip()
            if program not in ("INMCOPY", ""):
                raise EOFError(f"the file was unloaded by {program}: it is not a sequential data set")
            variable = int.from_bytes(units.get(FORMAT, b"")[:2], "big") & FORMATS == VARIABLE
    raise EOFError("the transmitted file has no end: it is cut off")


def _described(record: bytes) -> bytes:
    """Give a record with its descriptor word, which some programs leave at its start."""
    if len(record) >= 4 and int.from_bytes(record[:2], "big") == len(record) and record[2] <= 3 and not record[3]:
        return record
    if len(record) > LONGEST:
        raise EOFError(f"a record in the transmitted file is longer than {LONGEST} bytes")
    return (len(record) + 4).to_bytes(2, "big") + b"\x00\x00" + record


def _records(file: BinaryIO) -> Iterator[tuple[bool, bytes]]:
    """Give the records, and whether each is a control record."""
    parts = bytearray()
    held = b""
    at = 0
    while True:
        if len(held) - at < 256:
            more = bytes(file.read(STEP))
            held = held[at:] + more
            at = 0
        if at + 2 > len(held):
            return
        length, flags = held[at], held[at + 1]
        if length < 2 or at + length > len(held):
            return
        if flags & FIRST:
            parts.clear()
        parts += held[at + 2 : at + length]
        if len(parts) > 1 << 24:
            raise EOFError("a record in the transmitted file has no end")
        at += length
        if flags & LAST:
            yield bool(flags & CONTROL), bytes(parts)
            parts.clear()


def _text_units(data: bytes) -> dict[int, bytes]:
    """Give the first value of each text unit."""
    found: dict[int, bytes] = {}
    at = 0
    while at + 4 <= len(data):
        key, count = int.from_bytes(data[at : at + 2], "big"), int.from_bytes(data[at + 2 : at + 4], "big")
        at += 4
        for _ in range(count):
            length = int.from_bytes(data[at : at + 2], "big")
            found.setdefault(key, data[at + 2 : at + 2 + length])
            at += 2 + length
            if at > len(data):
                return found
    return found
