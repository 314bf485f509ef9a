"""SMF as a stream: the tables of `kewsmf` from files that a running queue manager writes.

    spark.readStream.format("kewsmf").option("table", "QMST").load("/.../qmgrs/QM1/smf")

A new query begins with all records that are there, or with those to come where option `startingOffsets` is `latest`.
`growing.py` says what an offset is and which files can be read so. A file that cannot be read so is set aside: the
query continues, its log reports the file, and a stream of the table `quarantine` has a row for it.
"""

import logging
import os
from collections.abc import Iterator, Mapping

import pyarrow as pa
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadLimit, SupportsTriggerAvailableNow

from kew.analytics.smf.decode import quarantine
from kew.analytics.smf.growing import Aside, Offset, beginning, ends, grown, set_aside
from kew.analytics.smf.sparkreader import Settings, Share, SmfReader
from kew.analytics.smf.tables import QUARANTINE
from kew.formats.smf import Damage


class GrowingFiles(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """The progress of a stream over growing files; subclasses read them."""

    def __init__(self, paths: list[str], options: Mapping[str, str]) -> None:
        if not paths:
            raise ValueError("what is to be read? Give the directory of the SMF files to load()")
        self.paths = paths
        self.starting = options.get("startingoffsets", "earliest").lower()
        if self.starting not in ("earliest", "latest"):
            raise ValueError(f"option startingOffsets takes earliest or latest, not {self.starting}")
        self._target: Offset | None = None  # where AvailableNow ends

    def initialOffset(self) -> Offset:
        """Give the offset of the beginning of all files, or of their end."""
        return ends(self.paths, {}) if self.starting == "latest" else {}

    def getDefaultReadLimit(self) -> ReadLimit:
        """Set no limit: a batch reads all records that are there."""
        return ReadAllAvailable()

    def prepareForTriggerAvailableNow(self) -> None:
        """Set the end of the stream to the present end of the files."""
        self._target = ends(self.paths, {})

    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:
        """Give the end of whole records now; unreadable files are reported when they are set aside."""
        end = self._target if self._target is not None else ends(self.paths, start)
        for one in set_aside(start, end):
            logging.getLogger(__name__).warning("%s", one)
        return end


class Refused(InputPartition):
    """The part of a batch that lists the files set aside."""

    def __init__(self, files: list[Aside]) -> None:
        super().__init__(None)
        self.files = files


class SmfStream(GrowingFiles):
    """Reads one table of files that grow."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings.paths, settings.given)
        self.reader = SmfReader(settings)

    def partitions(self, start: Offset, end: Offset) -> list[InputPartition]:
        """Give a part for each file that has grown; for the table `quarantine` one part for the files set aside."""
        parts: list[InputPartition] = [Share([piece]) for piece in grown(start, end)]
        aside = set_aside(start, end) if self.reader.table == QUARANTINE else []
        return [*parts, Refused(aside)] if aside else parts

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Give the rows of one part."""
        if isinstance(partition, Refused):
            schema = self.reader.schema()
            for one in partition.files:
                size = os.path.getsize(one.path) if os.path.exists(one.path) else one.at
                damage = [Damage(one.at, size - one.at, one.reason)]
                yield quarantine(damage, {"file": one.path, "dump": beginning(one.path)}, schema)
            return
        yield from self.reader.read(partition)
