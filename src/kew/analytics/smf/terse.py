"""Reads the records of data sets that AMATERSE (earlier TRSMAIN) has packed.

    +0   version: 2 PACK, 5 SPACK
    +1   1 where records are of variable length, 0 where not
    +2   u16 record length
    +4   flags: 0x04 written by z/OS, 0x10 spanned records
    +5   ratio
    +6   u16 block size
    +8   u32 record length, where the first is too short for it
    +12  codes of 12 bits until a code 0

Codes 1 to 256 are the bytes 0 to 255, 257 is the end of a record of variable length, and those from 258 on are places
in a dictionary that both sides build as they go. PACK adds a string with the first byte of the next one, SPACK joins
two neighbouring strings; both reuse the place that has been unused for the longest time. In the text here a byte is the
character of its number, and the end of a record character 256.
"""

from collections.abc import Iterable, Iterator
from struct import Struct
from typing import BinaryIO, Final, Protocol

import numpy as np

PACK: Final = 2
SPACK: Final = 5
HEADER: Final = Struct(">BBHBBHI")
MARK: Final = chr(256)
LONGEST: Final = 65_531  # bytes of a record whose descriptor can say its length
FIRST: Final = 258  # place in the dictionary
PLACES: Final = 4096
SPACE: Final = 0x40  # with which the places of PACK begin
KEPT: Final = 2048  # characters of a joined string that is kept whole
STEP: Final = 3 << 14  # bytes of codes that are read at once

LONGEST_STRING: Final = 1 << 24  # characters of one string: more is no data set

_FROM_ZOS: Final = 0x04
_PRINT_CONTROL: Final = 0x60
_END: Final = 0
_NONE: Final = -1
_STRANGE: Final = "the tersed data names a string that is not there"


class Source(Protocol):
    """The source of the packed bytes."""

    def read(self, size: int, /) -> bytes:
        """Give the next bytes, none at the end."""

    def close(self) -> None:
        """Close the source."""


def is_tersed(start: bytes) -> bool:
    """Say whether a file begins as AMATERSE writes one, and not as a record of SMF of 512 or 1280 bytes."""
    if len(start) < HEADER.size:
        return False
    version, variable, length, flags, _, _, longer = HEADER.unpack_from(start)
    if version not in (PACK, SPACK) or variable > 1 or not flags & _FROM_ZOS or flags & _PRINT_CONTROL:
        return False
    return bool(0 < (length or longer) <= 0xFFFF and (not length or longer in (0, length)))


class TerseStream:
    """The records of a tersed data set with their descriptor words, or its bytes where they have one length."""

    def __init__(self, source: Source | BinaryIO) -> None:
        self._source = source
        self._pieces: Iterator[bytes] | None = None
        self._held = b""
        self._given = 0  # of what is held

    def read(self, size: int, /) -> bytes:
        """Give the next bytes; EOFError where the packed data ends before its end."""
        if self._pieces is None:
            self._pieces = self._unpacked()
        while not self._held:
            piece = next(self._pieces, None)
            if piece is None:
                return b""
            self._held, self._given = piece, 0
        given = self._held[self._given : self._given + size]
        self._given += len(given)
        if self._given == len(self._held):
            self._held = b""
        return given

    def close(self) -> None:
        """Close the file."""
        self._source.close()

    def _unpacked(self) -> Iterator[bytes]:
        start = _exactly(self._source, HEADER.size)
        if len(start) < HEADER.size:
            raise EOFError("the header of the tersed data is cut off")
        version, variable = start[:2]
        blocks = _blocks((packed if version == PACK else joined)(_codes(self._source)))
        return _records(blocks) if variable else (text.replace(MARK, "").encode("latin-1") for text in blocks)


def _exactly(source: Source | BinaryIO, size: int) -> bytes:
    held = b""
    while len(held) < size:
        more = bytes(source.read(size - len(held)))
        if not more:
            break
        held += more
    return held


def _codes(source: Source | BinaryIO) -> Iterator[int]:
    """Give the codes before the one that ends them."""
    while data := _exactly(source, STEP):
        triples = np.frombuffer(data[: len(data) // 3 * 3], np.uint8).reshape(-1, 3).astype(np.uint16)
        codes = np.empty((len(triples), 2), np.uint16)
        codes[:, 0] = triples[:, 0] << 4 | triples[:, 1] >> 4
        codes[:, 1] = (triples[:, 1] & 15) << 8 | triples[:, 2]
        known = codes.ravel().tolist()
        if len(data) % 3 == 2:
            known.append(data[-2] << 4 | data[-1] >> 4)
        for code in known:
            if code == _END:
                return
            yield code
    raise EOFError("the tersed data has no end: the file is cut off")


def _blocks(strings: Iterable[str]) -> Iterator[str]:
    """Join the strings into longer ones; before a fault, the text up to it is given."""
    held: list[str] = []
    size = 0
    try:
        for text in strings:
            held.append(text)
            size += len(text)
            if size >= STEP:
                yield "".join(held)
                held, size = [], 0
    except EOFError:
        yield "".join(held)
        raise
    yield "".join(held)


def _records(blocks: Iterable[str]) -> Iterator[bytes]:
    """Give records with their descriptors, from text in which a mark ends each."""
    left = ""
    for block in blocks:
        *whole, left = (left + block).split(MARK)
        yield b"".join(map(_described, whole))
        if len(left) > LONGEST:
            _described(left)
    if left:
        yield _described(left)


def _described(text: str) -> bytes:
    if len(text) > LONGEST:
        raise EOFError(f"a record in the tersed data is longer than {LONGEST} bytes")
    return (len(text) + 4).to_bytes(2, "big") + b"\x00\x00" + text.encode("latin-1")


def packed(codes: Iterable[int]) -> Iterator[str]:
    """Give the strings of PACK: each is a known one and the first byte of what follows it."""
    parent = [0, *range(1, FIRST), 1 + SPACE, *range(FIRST, PLACES - 1)]
    last = [SPACE] * PLACES  # the character that a place adds to its parent
    newer = list(range(-1, PLACES - 1))  # a ring through place 0, from the newest to the oldest
    older = list(range(1, PLACES + 1))
    newer[FIRST], older[PLACES - 1] = 0, 0
    older[0], newer[0] = FIRST, PLACES - 1
    open_place = 0  # which waits for its last character
    for code in codes:
        free = newer[0]
        newer[0] = newer[free]
        older[newer[0]] = 0
        chain: list[int] = []
        front = free
        at = code
        while (
            at >= FIRST and len(chain) < PLACES
        ):  # what the string is made of is used now, and so is newer than its end
            after, before = older[at], newer[at]
            older[before], newer[after] = after, before
            older[at], newer[front] = front, at
            front = at
            chain.append(at)
            at = parent[at]
        if at >= FIRST:
            raise EOFError(_STRANGE)
        after = older[0]
        older[free], newer[after] = after, free
        older[0], newer[front] = front, 0
        last[open_place] = at - 1
        open_place = free
        parent[free] = code
        yield chr(at - 1) + "".join([chr(last[place]) for place in reversed(chain)])


class _Joined:
    """The dictionary of SPACK: pairs of strings. The pairs that are part of no other are replaced first, in order."""

    def __init__(self) -> None:
        self.left = [0] * PLACES
        self.right = [0] * PLACES
        self.text: list[str | None] = ["", *map(chr, range(257)), *[None] * (PLACES - FIRST)]
        self.length = [0, *[1] * 257, *[0] * (PLACES - FIRST)]
        self.uses = [0] * PLACES
        self.waiting: dict[int, None] = {}  # in the order in which they came into the line
        self.free = list(range(PLACES - 1, FIRST - 1, -1))

    def make_room(self) -> None:
        """Free the place of the oldest pair that is part of no other, if every place is used."""
        if self.free:
            return
        oldest = next(iter(self.waiting))
        del self.waiting[oldest]
        for part in (self.left[oldest], self.right[oldest]):
            self.uses[part] -= 1
            if part >= FIRST and not self.uses[part]:
                self.waiting[part] = None
        self.free.append(oldest)

    def join(self, left: int, right: int) -> None:
        """Add the string of two neighbours."""
        place = self.free.pop()
        length = self.length[left] + self.length[right]
        if length > LONGEST_STRING:
            raise EOFError(_STRANGE)
        self.length[place] = length
        first, second = self.text[left], self.text[right]
        for part in (left, right):
            self.uses[part] += 1
            self.waiting.pop(part, None)
        self.left[place], self.right[place] = left, right
        self.uses[place] = 0
        self.waiting[place] = None
        whole = first is not None and second is not None and length <= KEPT
        self.text[place] = f"{first}{second}" if whole else None

    def strings(self, code: int) -> Iterator[str]:
        """Give a string, in parts where it is long."""
        waiting = [code]
        while waiting:
            at = waiting.pop()
            text = self.text[at]
            if text is not None:
                yield text
                continue
            if len(waiting) > PLACES or at in (self.left[at], self.right[at]) or not self.left[at]:
                raise EOFError(_STRANGE)
            waiting += (self.right[at], self.left[at])


def joined(codes: Iterable[int]) -> Iterator[str]:
    """Give the strings of SPACK: each pair of neighbours is a new one."""
    known = _Joined()
    before = _NONE
    for code in codes:
        if before == _NONE:
            yield from known.strings(code)
            before = code
            continue
        known.make_room()
        yield from known.strings(code)
        known.join(before, code)
        before = code
