"""Files that a queue manager is writing: how far whole records go, and what has come since.

An offset says how far each file was read, always to the end of a whole record; what has come since is read next. Files
that a later start of the queue manager begins are found; those that it removes are forgotten. Only plain files with
RDWs can be read while they grow, which is what Kew writes unless Compress=YES in the stanza SMF of qm.ini.
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
from kew.formats.smf.container import LAST, WHOLE

_DESCRIPTOR: Final = Struct(">HB")
_STEP: Final = 1 << 20
_NUMBER: Final = re.compile(r"\d+(\.\w+)?$")

Offset = dict[str, int]  # by file


def whole_end(path: str, start: int) -> int:
    """Give where the last whole record ends that begins at or after a place, which is the start of one."""
    end = at = start
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
            if length < 4 or at + length > size:
                break
            at += length
            if control in (WHOLE, LAST):
                end = at
    return end


def ends(names: Sequence[str], start: Offset) -> Offset:
    """Give how far whole records go now in the named files, which were read up to `start`."""
    try:
        files = find_dumps(names)
    except NoDumps:
        return start  # nothing was recorded yet
    found: Offset = {}
    for path in files:
        try:
            dump = examine(path)
            if not dump.size:
                continue
            if dump.compression or dump.framing is not Framing.RDW:
                raise ValueError(f"{path}: only plain files with RDWs can be read while they grow")
            found[path] = whole_end(path, start.get(path, 0))
        except FileNotFoundError:
            continue  # removed since it was found
    return found


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
    """Give what lies between two offsets; a file that was removed meanwhile is passed over."""
    return [
        Piece(Dump(path, os.path.getsize(path), "", Framing.RDW, beginning(path)), start.get(path, 0), until)
        for path, until in end.items()
        if start.get(path, 0) < until and os.path.exists(path)
    ]


def before(end: Offset, size: int) -> list[Piece]:
    """Give the records that come last before an offset, at most so many bytes of each series of files."""
    pieces: list[Piece] = []
    left: dict[str, int] = {}
    for path in sorted(end, reverse=True):
        series = _NUMBER.sub("", path)
        room, until = left.get(series, size), end[path]
        if room <= 0 or not until or not os.path.exists(path):
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
    """Give the rows that pieces have of some tables, a chunk of a file at a time."""
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

    def look(self) -> Iterator[tuple[str, pa.RecordBatch]]:
        """Give the new rows; they count as read once all were taken."""
        end = ends(self._names, self.offset)
        yield from rows_of(grown(self.offset, end), self._columns)
        self.offset = end
