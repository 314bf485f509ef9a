"""SMF as a stream: the tables of `kewsmf` from files that a running queue manager writes.

    spark.readStream.format("kewsmf").option("table", "QMST").load("/.../qmgrs/QM1/smf")

A new query begins with all records that are there, or with those to come where option `startingOffsets` is `latest`.
`growing.py` says what an offset is and which files can be read so.
"""

from collections.abc import Iterator, Mapping

import pyarrow as pa
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadLimit, SupportsTriggerAvailableNow

from kew.analytics.smf.growing import Offset, ends, grown
from kew.analytics.smf.source import Settings, Share, SmfReader


class GrowingFiles(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """How far a stream over files that grow has come; what is read of them is up to its heirs."""

    def __init__(self, paths: list[str], options: Mapping[str, str]) -> None:
        if not paths:
            raise ValueError("what is to be read? Give the directory of the SMF files to load()")
        self.paths = paths
        self.starting = options.get("startingoffsets", "earliest").lower()
        if self.starting not in ("earliest", "latest"):
            raise ValueError(f"option startingOffsets takes earliest or latest, not {self.starting}")
        self._target: Offset | None = None  # where AvailableNow ends

    def initialOffset(self) -> Offset:
        """The beginning of all files, or their end."""
        return ends(self.paths, {}) if self.starting == "latest" else {}

    def getDefaultReadLimit(self) -> ReadLimit:
        """All that is there."""
        return ReadAllAvailable()

    def prepareForTriggerAvailableNow(self) -> None:
        """Go to where the files end now, and no further."""
        self._target = ends(self.paths, {})

    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:
        """How far whole records go now."""
        return self._target if self._target is not None else ends(self.paths, start)


class SmfStream(GrowingFiles):
    """Reads one table of files that grow."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings.paths, settings.given)
        self.reader = SmfReader(settings)

    def partitions(self, start: Offset, end: Offset) -> list[InputPartition]:
        """A part for each file that has grown."""
        return [Share([piece]) for piece in grown(start, end)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of one part."""
        return self.reader.read(partition)
