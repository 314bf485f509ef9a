"""SMF as a stream: the tables of `kewsmf` from files that a running queue manager writes.

    spark.readStream.format("kewsmf").option("table", "QMST").load("/.../qmgrs/QM1/smf")

An offset says how far each file was read, always to the end of a whole record; what has come since is the next batch.
Files that a later start of the queue manager begins are found; those that it removes are forgotten. Only plain files
with RDWs can be read while they grow, which is what Kew writes unless Compress=YES in the stanza SMF of qm.ini.
"""

import os
from collections.abc import Iterator
from struct import Struct
from typing import Final

import pyarrow as pa
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadLimit, SupportsTriggerAvailableNow

from kew.analytics.smf.files import Dump, NoDumps, Piece, examine, find_dumps
from kew.analytics.smf.source import Settings, Share, SmfReader
from kew.formats.smf import Framing
from kew.formats.smf.container import LAST, WHOLE

_DESCRIPTOR: Final = Struct(">HB")
_STEP: Final = 1 << 20

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


class SmfStream(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Reads one table of files that grow."""

    def __init__(self, settings: Settings) -> None:
        if not settings.paths:
            raise ValueError("kewsmf reads dumps: give their paths to load()")
        self.paths = settings.paths
        self.reader = SmfReader(settings)
        self._target: Offset | None = None  # where AvailableNow ends

    def initialOffset(self) -> Offset:
        """The beginning of all files."""
        return {}

    def getDefaultReadLimit(self) -> ReadLimit:
        """All that is there."""
        return ReadAllAvailable()

    def prepareForTriggerAvailableNow(self) -> None:
        """Go to where the files end now, and no further."""
        self._target = self._ends({})

    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:
        """How far whole records go now."""
        return self._target if self._target is not None else self._ends(start)

    def _ends(self, start: Offset) -> Offset:
        try:
            files = find_dumps(self.paths)
        except NoDumps:
            return start  # nothing was recorded yet
        found: Offset = {}
        for path in files:
            dump = examine(path)
            if not dump.size:
                continue
            if dump.compression or dump.framing is not Framing.RDW:
                raise ValueError(f"{path}: only plain files with RDWs can be read while they grow")
            found[path] = whole_end(path, start.get(path, 0))
        return found

    def partitions(self, start: Offset, end: Offset) -> list[InputPartition]:
        """A part for each file that has grown; one that was removed meanwhile is passed over."""
        shares: list[InputPartition] = []
        for path, until in end.items():
            since = start.get(path, 0)
            if since < until and os.path.exists(path):
                dump = Dump(path, os.path.getsize(path), "", Framing.RDW)
                shares.append(Share([Piece(dump, since, until)]))
        return shares

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of one part."""
        return self.reader.read(partition)
