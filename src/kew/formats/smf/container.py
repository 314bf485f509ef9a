"""Finds logical records in the bytes of a dump, in each of the framings that occur outside z/OS.

    RDW     each record, or segment of one, starts with a record descriptor word
              +0 u16 length with these 4 bytes   +2 u8 control   +3 zero
              control 0 whole record, 1 first, 3 middle, 2 last segment
    BDW     blocks of such records, each block with a block descriptor word in front
              +0 u16 length with these 4 bytes   +2 zero       (a set top bit makes it a 31-bit length)
    NORDW   records run together; each starts at its flag byte, and its length follows from its triplets

`Splitter` is fed chunks and returns `Batch`es: one buffer and the places of whole records in it, so that a reader can
decode thousands at a time without a copy. In the buffer every record starts with four bytes that stand for its RDW,
and the segments of a spanned record have been moved together. Zeros follow the last record, so that a vector reader
may take a short structure at its full length.

A dump is seldom clean. Bytes that cannot be a record are skipped up to the next place where records follow one
another again, and reported as `Damage` with their offset and length; nothing that a file contains ends the reading.

Splitting a file among readers: a reader of the range [start, end) owns the records that start in it. It begins at a
place that `find_start` gave (never in the middle of a record) and reads past `end` only to finish its last record.
"""

import re
from enum import Enum
from struct import Struct
from typing import Final

from kew.formats.smf.record import HEADER_LENGTH, SMALLEST, TRIPLET_LENGTH, DamagedRecord, product_triplets
from kew.formats.smf.records import ACCOUNTING, DUMP_HEADER, DUMP_TRAILER, STATISTICS

WHOLE: Final = 0
FIRST: Final = 1
LAST: Final = 2
MIDDLE: Final = 3

LONGEST_RECORD: Final = 1 << 20  # of all segments together; SMF itself stops below 64 KB
LONGEST_BARE: Final = 1 << 16
CHAIN: Final = 3  # records that must follow one another before a place counts as a record start
LOOKAHEAD: Final = 1 << 19  # bytes beyond a place that decide whether a record starts there
LONGEST_BLOCK: Final = 1 << 24
PADDING: Final = 8192  # zeros behind the records in a buffer, more than any structure is long

CUT_OFF: Final = "the file ends within the record"

_DESCRIPTOR: Final = Struct(">HBB")
_TRIPLET: Final = Struct(">IHH")

# Flag, type, time of day in hundredths (below 8,640,000 = 0x0083D600), packed date 0cyyddds from 1970 on.
_DIGITS: Final = rb"[\x00-\x09\x10-\x19\x20-\x29\x30-\x39\x40-\x49\x50-\x59\x60-\x69\x70-\x79\x80-\x89\x90-\x99]"
_YEAR: Final = rb"(?:\x01" + _DIGITS + rb"|\x00[\x70-\x79\x80-\x89\x90-\x99])"
_LAST_DIGIT: Final = b"".join(bytes([16 * digit + sign]) for digit in range(10) for sign in (0x0C, 0x0F))
_DAY: Final = rb"[\x00-\x09\x10-\x19\x20-\x29\x30-\x36][" + re.escape(_LAST_DIGIT) + rb"]"
_STAMP: Final = rb".{2}\x00[\x00-\x83].{2}" + _YEAR + _DAY
# The name of the system follows. Where a start is searched for it must be one, since the counters inside of records
# are rich in zeros and now and then look like a time and a date.
_NAME: Final = (
    rb"[\xC1-\xC9\xD1-\xD9\xE2-\xE9\xF0-\xF9\x5B\x7B\x7C][\xC1-\xC9\xD1-\xD9\xE2-\xE9\xF0-\xF9\x5B\x7B\x7C\x40]{3}"
)
_HEADER: Final = re.compile(_STAMP, re.DOTALL)
_RDW_START: Final = re.compile(rb"(?=.{2}[\x00\x01]\x00" + _STAMP + _NAME + rb")", re.DOTALL)
_BARE_START: Final = re.compile(rb"(?=" + _STAMP + _NAME + rb")", re.DOTALL)


class Framing(Enum):
    """The framing of a dump: how it marks where records begin and end."""

    RDW = "rdw"
    NORDW = "nordw"
    BDW = "bdw"


class Damage:
    """A range of bytes of a dump that could not be read as a record."""

    def __init__(self, offset: int, length: int, reason: str) -> None:
        self.offset = offset
        self.length = length
        self.reason = reason

    def __repr__(self) -> str:
        return f"Damage(offset={self.offset}, length={self.length}, reason={self.reason!r})"


class Batch:
    """Whole records found in a chunk: their positions in `buffer`, and in the file."""

    def __init__(self, buffer: bytearray) -> None:
        self.buffer = buffer
        self.starts: list[int] = []
        self.lengths: list[int] = []
        self.offsets: list[int] = []
        self.segments: list[int] = []
        self.damage: list[Damage] = []

    def record(self, index: int) -> bytes:
        """Give the bytes of one record, with four bytes in front in place of the RDW."""
        start = self.starts[index]
        return bytes(self.buffer[start : start + self.lengths[index]])


class Splitter:
    """Cuts the bytes of a dump into logical records.

    The state between two chunks is the unread rest of the last one, from the start of an unfinished record on; it is
    bounded by `LONGEST_RECORD` and what one look ahead needs.
    """

    def __init__(self, framing: Framing, start: int = 0, end: int | None = None) -> None:
        self.framing = framing
        self.done = False  # the records that start before `end` are all delivered
        self._end = end
        self._base = start  # file offset of the first byte of `_rest`
        self._rest = b""
        self._entered = start > 0  # continuation segments at the front belong to the reader before us
        self._parts: list[tuple[int, int]] = []  # the segments of an unfinished record, as places in the buffer
        self._length = 0  # of that record so far
        self._block_start = 0  # file offsets of the current block
        self._block_end = 0
        self._rest_block: tuple[int, int] | None = None  # of the block in which the rest starts
        self._skipping = -1  # file offset where unreadable bytes began, -1 if there are none
        self._why = ""

    def feed(self, data: bytes, last: bool = False) -> Batch:
        """Take the next bytes of the file and give the records they complete; `last` says that the file ends here."""
        if self.framing is Framing.NORDW:
            return self._feed_bare(data, last)
        return self._feed_framed(data, last)

    # Framed records. `position` runs through the buffer; file offset = base + position.

    def _feed_framed(self, data: bytes, last: bool) -> Batch:
        buffer = bytearray().join((self._rest, data, bytes(PADDING)))
        batch = Batch(buffer)
        size = len(buffer) - PADDING
        position = 0
        self._parts = []
        blocked = self.framing is Framing.BDW
        if blocked and self._rest_block is not None:
            self._block_start, self._block_end = self._rest_block
        unpack = _DESCRIPTOR.unpack_from
        while not self.done:
            if self._skipping >= 0:
                found = self._resume(buffer, size, position, last, batch)
                if found < 0:
                    position = -found - 1
                    break
                position = found
                continue
            if size - position < 4:
                break
            if blocked and self._base + position >= self._block_end:
                position += self._enter_block(buffer, position)
                continue
            length, control, zero = unpack(buffer, position)
            problem = self._check(buffer, size, position, length, control, zero, last)
            if problem is None:
                break
            if problem:
                self._drop_parts(batch, "the record ends without its last segment")
                self._skip(self._base + position, problem)
                continue
            if control <= FIRST:
                self._drop_parts(batch, "the record ends without its last segment")
                if self._end is not None and self._base + position >= self._end:
                    self.done = True
                    break
                self._entered = False
            if control == WHOLE:
                batch.starts.append(position)
                batch.lengths.append(length)
                batch.offsets.append(self._base + position)
                batch.segments.append(1)
            elif control == FIRST:
                self._parts = [(position, position + length)]
                self._length = length
                self._rest_block = (self._block_start, self._block_end)
            elif self._parts:
                self._parts.append((position + 4, position + length))
                self._length += length - 4
                if self._length > LONGEST_RECORD:
                    self._drop_parts(batch, f"the record is longer than {LONGEST_RECORD} bytes")
                elif control == LAST:
                    self._join(batch)
            elif not self._entered:
                batch.damage.append(Damage(self._base + position, length, "a segment without a first segment"))
            position += length
        if last and not self.done:
            self._finish(batch, size, position)
        if self._parts:
            position = self._parts[0][0]
        else:
            self._rest_block = (self._block_start, self._block_end)
        self._rest = bytes(buffer[position:size])
        self._base += position
        return batch

    def _join(self, batch: Batch) -> None:
        """Join the segments of a record in the buffer, over the descriptors between them."""
        start, tail = self._parts[0]
        for begin, end in self._parts[1:]:
            batch.buffer[tail : tail + end - begin] = batch.buffer[begin:end]
            tail += end - begin
        batch.starts.append(start)
        batch.lengths.append(tail - start)
        batch.offsets.append(self._base + start)
        batch.segments.append(len(self._parts))
        self._parts = []

    def _check(
        self, buffer: bytearray, size: int, position: int, length: int, control: int, zero: int, last: bool
    ) -> str | None:
        """Check the segment at the position; gives "" if it is whole, None if more bytes are needed, else the error."""
        if length < 4 or control > MIDDLE or zero or (control == WHOLE and length < SMALLEST):
            return f"{length:04x}{control:02x}{zero:02x} is not a record descriptor"
        if self.framing is Framing.BDW and self._base + position + length > self._block_end:
            return "the record is longer than its block"
        if control <= FIRST and size - position >= SMALLEST and not _HEADER.match(buffer, position + 4):
            return "no SMF header follows the record descriptor"
        if position + length > size:
            return CUT_OFF if last else None
        return ""

    def _enter_block(self, buffer: bytearray, position: int) -> int:
        """Read a block descriptor; gives its size, or 0 if it is not valid or belongs to the next reader's range."""
        offset = self._base + position
        if self._end is not None and offset >= self._end and not self._parts:
            self.done = True
            return 0
        length = block_length(buffer, position)
        if not length:
            self._skip(offset, "not a block descriptor")
            return 0
        self._block_start = offset
        self._block_end = offset + length
        return 4

    # Bytes that are not records.

    def _skip(self, offset: int, why: str) -> None:
        first_in_block = self._block_end > 0 and offset == self._block_start + 4
        self._skipping = self._block_start if first_in_block else offset
        self._why = why

    def _resume(self, buffer: bytearray, size: int, position: int, last: bool, batch: Batch) -> int:
        """Find the next record behind damage; gives its position.

        If more bytes are needed, gives -1 - p, where p is the position before which there is no record.
        """
        position = max(position, self._skipping + 1 - self._base)
        found = find_start(buffer, self.framing, position, last, size)
        if found is None:
            keep = size if last else max(position, size - LOOKAHEAD)
            return -1 - keep
        offset = self._base + found
        if self._end is not None and offset >= self._end:
            offset = max(self._end, self._skipping)
            self.done = True
        batch.damage.append(Damage(self._skipping, offset - self._skipping, self._why))
        self._skipping = -1
        self._block_end = 0
        self._entered = False
        return found

    def _drop_parts(self, batch: Batch, why: str) -> None:
        if self._parts:
            start = self._parts[0][0]
            batch.damage.append(Damage(self._base + start, self._parts[-1][1] - start, why))
            self._parts = []

    def _finish(self, batch: Batch, size: int, position: int) -> None:
        end = self._base + size
        self._drop_parts(batch, CUT_OFF)
        if self._skipping >= 0:
            batch.damage.append(Damage(self._skipping, end - self._skipping, self._why))
            self._skipping = -1
        elif position < size:
            batch.damage.append(Damage(self._base + position, size - position, CUT_OFF))
        self.done = True

    # Bare records. Four bytes stand in front of the buffer, so that the record at file offset o is at o - base.

    def _feed_bare(self, data: bytes, last: bool) -> Batch:
        buffer = bytearray().join((bytes(4), self._rest, data, bytes(PADDING)))
        batch = Batch(buffer)
        size = len(buffer) - PADDING
        position = 0
        while not self.done:
            if self._skipping >= 0:
                found = self._resume(buffer, size, position, last, batch)
                if found < 0:
                    position = min(-found - 1, max(size - 4, 0))
                    break
                position = found
                continue
            if size - position < SMALLEST:
                break
            if self._end is not None and self._base + position >= self._end:
                self.done = True
                break
            length, problem = bare_length(buffer, position, size)
            if problem:
                if size - position < LOOKAHEAD and not last:
                    break
                self._skip(self._base + position, problem)
                continue
            if position + length > size:
                if not last:
                    break
                self._skip(self._base + position, CUT_OFF)
                continue
            batch.starts.append(position)
            batch.lengths.append(length)
            batch.offsets.append(self._base + position)
            batch.segments.append(1)
            position += length - 4
        if last and not self.done:
            self._finish(batch, size - 4, position)
        self._rest = bytes(buffer[position + 4 : size])
        self._base += position
        return batch


def bare_length(buffer: bytes | bytearray, position: int, end: int) -> tuple[int, str]:
    """Give the length of the record at `position`, its four stand-in bytes included, or 0 and the error."""
    if not _HEADER.match(buffer, position + 4):
        return 0, "no SMF header"
    kind = buffer[position + 5]
    if kind in (DUMP_HEADER, DUMP_TRAILER):
        return SMALLEST, ""
    if kind not in (STATISTICS, ACCOUNTING):
        return 0, f"a record of type {kind} without a record descriptor"
    if end - position < HEADER_LENGTH + TRIPLET_LENGTH:
        return 0, CUT_OFF
    try:
        triplets = product_triplets(buffer, position, min(end, position + LONGEST_BARE))
    except DamagedRecord as damaged:
        offset, size, _ = _TRIPLET.unpack_from(buffer, position + HEADER_LENGTH)
        return 0, CUT_OFF if end - position < offset + size <= LONGEST_BARE else damaged.problem
    length = HEADER_LENGTH + TRIPLET_LENGTH * triplets
    if end - position < length:
        return 0, CUT_OFF
    for index in range(triplets):
        offset, size, count = _TRIPLET.unpack_from(buffer, position + HEADER_LENGTH + TRIPLET_LENGTH * index)
        if count:
            length = max(length, offset + size * count)
    return (length, "") if length <= LONGEST_BARE else (0, f"triplets describe {length} bytes")


def find_start(
    buffer: bytes | bytearray, framing: Framing, position: int, last: bool, end: int | None = None
) -> int | None:
    """Give the first position, from `position` on, where a record starts; a chain of valid records must follow it.

    For a dump with blocks it is the position of a block descriptor; for a dump without descriptors it is four bytes
    before the record, where its stand-in descriptor is. Gives None if the buffer has no such position.
    """
    pattern = _BARE_START if framing is Framing.NORDW else _RDW_START
    ahead = 0 if framing is Framing.RDW else 4
    size = len(buffer) if end is None else end
    limit = size if last else size - LOOKAHEAD
    for match in pattern.finditer(buffer, position + ahead, size):
        found = match.start() - ahead
        if found >= limit and not last:
            return None
        seen, ended = _follow(buffer, framing, found, last, size)
        if seen >= CHAIN or (seen and ended):
            return found
    return None


def _follow(buffer: bytes | bytearray, framing: Framing, position: int, last: bool, size: int) -> tuple[int, bool]:
    """Count the records in a row from `position` on, up to `CHAIN`; say whether the data ends cleanly before that.

    A file also ends cleanly where its last record is cut off, and where only zeros are left. Descriptors that stay
    valid over the whole look-ahead, as those of a long spanned record do, count as an end too. A block is counted only
    if its records fill it exactly.
    """
    far = position + LOOKAHEAD
    seen = 0
    while seen < CHAIN and position < far:
        if framing is Framing.NORDW:
            if size - position < SMALLEST:
                return seen, last
            length, problem = bare_length(buffer, position, size)
            if problem:
                return seen, last and (problem == CUT_OFF or not any(buffer[position + 4 : size]))
            seen += 1
            position += length - 4
        elif framing is Framing.BDW:
            if size - position < 8:
                return seen, last
            length = block_length(buffer, position)
            if not length:
                return seen, last and not any(buffer[position:size])
            if position + length > size:
                return seen, last
            if not _fills_block(buffer, position + 4, position + length):
                return seen, False
            seen += 1
            position += length
        else:
            if size - position < 4:
                return seen, last
            length, control, zero = _DESCRIPTOR.unpack_from(buffer, position)
            if length < 4 or control > MIDDLE or zero:
                return seen, last and not any(buffer[position:size])
            if control <= FIRST:
                if size - position >= SMALLEST and (length < SMALLEST or not _HEADER.match(buffer, position + 4)):
                    return seen, False
                seen += 1
            position += length
        if position > size:
            return seen - 1, last
    return seen, True


def _fills_block(buffer: bytes | bytearray, position: int, end: int) -> bool:
    """Say whether segments fill a block exactly, from `position` to `end`."""
    while position + 4 <= end:
        length, control, zero = _DESCRIPTOR.unpack_from(buffer, position)
        if length < 4 or control > MIDDLE or zero:
            return False
        if control <= FIRST and (length < SMALLEST or not _HEADER.match(buffer, position + 4)):
            return False
        position += length
    return position == end


def block_length(buffer: bytes | bytearray, position: int) -> int:
    """Give the length in the block descriptor at `position`, 0 if there is none."""
    word = int.from_bytes(buffer[position : position + 4], "big")
    if word & 0x80000000:
        length = word & 0x7FFFFFFF
    else:
        length = 0 if word & 0xFFFF else word >> 16
    return length if 8 <= length <= LONGEST_BLOCK else 0


def detect(head: bytes, last: bool = True) -> Framing:
    """Detect the framing of a dump from its first bytes; `last` means that these are all of it."""
    best = Framing.RDW
    most = 0
    for framing in (Framing.RDW, Framing.BDW, Framing.NORDW):
        view = bytes(4) + head if framing is Framing.NORDW else head
        seen, _ = _follow(view, framing, 0, last, len(view))
        if seen > most:
            best, most = framing, seen
    if most:
        return best
    places: dict[Framing, int] = {}
    for framing in (Framing.RDW, Framing.BDW, Framing.NORDW):
        view = bytes(4) + head if framing is Framing.NORDW else head
        found = find_start(view, framing, 0, last)
        if found is not None:
            places[framing] = found
    return min(places, key=lambda framing: places[framing]) if places else Framing.RDW
