"""Files that a queue manager is writing: the end of whole records, and new records since an offset.

An offset says how far each file was read, always to the end of a whole record; later records are read next. Files that
a later start of the queue manager begins are found; those that it removes are forgotten. Only plain files with RDWs can
be read while they grow, which is what Kew writes unless Compress=YES in the stanza SMF of qm.ini.

A file that cannot be read while it grows, or not beyond some damage, is set aside: the offset has an entry for the
file, under its name with a mark before it, with the place from which on it is not read; the other files are still read.
The file is reported once. When the file is repaired, reading of it continues.
"""

import hashlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from struct import Struct
from typing import Final

import pyarrow as pa

from kew.analytics.smf.decode import Decoder
from kew.analytics.smf.files import DIGEST, Dump, NoDumps, Piece, examine, find_dumps, read_batches
from kew.analytics.smf.plan import next_start
from kew.formats.smf import Framing
from kew.formats.smf.container import FIRST, LAST, MIDDLE, WHOLE

_DESCRIPTOR: Final = Struct(">HB")
_CONTROLS: Final = (WHOLE, FIRST, LAST, MIDDLE)
_STEP: Final = 1 << 20
_NUMBER: Final = re.compile(r"\d+(\.\w+)?$")

_ASIDE: Final = "!"  # before the name of a file that is set aside

Offset = dict[str, int]  # by file


def whole_end(path: str, start: int) -> int:
    """Give the end of the last whole record; `start` is where a record begins."""
    return _whole_end(path, start)[0]


def _whole_end(path: str, start: int) -> tuple[int, bool]:
    """Give where the last whole record ends, and whether the bytes behind it are damaged."""
    end = at = start
    damaged = False
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        window, first = b"", 0
        while at + 4 <= size:
            if at + 4 > first + len(window):
                file.seek(at)
                window, first = file.read(_STEP), at
                if len(window) < 4:
                    break
            length, control = _DESCRIPTOR.unpack_from(window, at - first)
            if length < 4 or control not in _CONTROLS:
                damaged = True
                break
            if at + length > size:
                break
            at += length
            if control in (WHOLE, LAST):
                end = at
    return end, damaged


def ends(names: Sequence[str], start: Offset) -> Offset:
    """Give the ends of the whole records in the named files, which were read up to `start`."""
    try:
        files = find_dumps(names)
    except NoDumps:
        return start  # nothing was recorded yet
    found: Offset = {}
    for path in files:
        try:
            if refusal(path):
                found[_ASIDE + path] = 0
                continue
            if not os.path.getsize(path):
                continue
            found[path], damaged = _whole_end(path, start.get(path, 0))
            if damaged:
                found[_ASIDE + path] = found[path]
        except FileNotFoundError:
            continue  # removed since it was found
        except OSError:
            found[_ASIDE + path] = start.get(path, 0)
            if path in start:
                found[path] = start[path]
    return found


def refusal(path: str) -> str:
    """Give the reason why a file cannot be read while it grows; empty if it can."""
    dump = examine(path)
    if dump.size and (dump.compression or dump.framing is not Framing.RDW):
        return "only plain files with RDWs can be read while they grow"
    return ""


class Aside:
    """A file that was set aside, with the place and the reason."""

    def __init__(self, path: str, at: int, reason: str) -> None:
        self.path = path
        self.at = at
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path} is set aside from {self.at} on: {self.reason}"


def set_aside(start: Offset, end: Offset) -> list[Aside]:
    """Give the files that were set aside between two offsets."""
    return [
        Aside(name[len(_ASIDE) :], at, _reason(name[len(_ASIDE) :]))
        for name, at in end.items()
        if name.startswith(_ASIDE) and start.get(name) != at
    ]


def _reason(path: str) -> str:
    try:
        return refusal(path) or "what follows is not a record"
    except OSError as problem:
        return problem.strerror or str(problem)


def beginning(path: str) -> str | None:
    """Give the digest of the first record, which identifies a file that still grows; None while there is none."""
    try:
        with open(path, "rb") as file:
            descriptor = file.read(_DESCRIPTOR.size + 1)
            if len(descriptor) <= _DESCRIPTOR.size:
                return None
            first = descriptor + file.read(max(0, _DESCRIPTOR.unpack_from(descriptor)[0] - len(descriptor)))
    except FileNotFoundError:
        return None
    return hashlib.sha256(first).hexdigest()[:DIGEST]


def grown(start: Offset, end: Offset) -> list[Piece]:
    """Give the pieces of files between two offsets; a file that was removed meanwhile is passed over."""
    return [
        Piece(Dump(path, os.path.getsize(path), "", Framing.RDW, beginning(path)), start.get(path, 0), until)
        for path, until in end.items()
        if not path.startswith(_ASIDE) and start.get(path, 0) < until and os.path.exists(path)
    ]


def before(end: Offset, size: int) -> list[Piece]:
    """Give the last records before an offset, at most `size` bytes of each series of files."""
    pieces: list[Piece] = []
    left: dict[str, int] = {}
    for path in sorted(end, reverse=True):
        series = _NUMBER.sub("", path)
        room, until = left.get(series, size), end[path]
        if path.startswith(_ASIDE) or room <= 0 or not until or not os.path.exists(path):
            continue
        dump = Dump(path, until, "", Framing.RDW, beginning(path))
        start = next_start(dump, until - room) if until > room else 0
        if start is not None:
            pieces.append(Piece(dump, start, until))
        left[series] = room - until
    return pieces[::-1]


def rows_of(
    pieces: Sequence[Piece], columns: Mapping[str, Sequence[str] | None]
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Give the rows of some tables from pieces, a chunk of a file at a time."""
    wanted = {table: names for table, names in columns.items() if names is not None}
    decoder = Decoder(list(columns), wanted)
    for piece in pieces:
        for batch in read_batches(piece):
            for table, rows in decoder.decode(batch, piece.dump.path, piece.dump.digest).tables.items():
                if rows.num_rows:
                    yield table, rows


class Follower:
    """Reads tables of files that grow: each look gives the rows that have come since the last."""

    def __init__(self, names: Sequence[str], columns: Mapping[str, Sequence[str] | None], offset: Offset) -> None:
        self._names = names
        self._columns = columns
        self.offset = offset
        self.aside: list[Aside] = []  # the files that the last look set aside

    def look(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Give the new rows; they count as read once all were taken."""
        end = ends(self._names, self.offset)
        self.aside = set_aside(self.offset, end)
        yield from rows_of(grown(self.offset, end), self._columns)
        self.offset = end
