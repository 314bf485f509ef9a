"""The Spark data source `kewfindings`: findings in the records of a running queue manager, as a stream.

    spark.readStream.format("kewfindings").load("/.../qmgrs/QM1/smf")

Options: `limits`, other limits of rules in TOML; `history`, the bytes of records that rules look back on;
`startingOffsets`, `latest` for a new query that begins with the records to come.

A batch has the findings in the records between two offsets. Rules also need earlier records: the last `history` bytes
before the batch are read again, and no state is kept, so a batch that is tried again has the same findings. One task
reads a batch, since rules look at objects over time and a minute of records is small.
"""

from collections.abc import Iterator, Mapping

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.types import StructType

from kew.analytics.reports.findings import FINDINGS, RuleBook, load_limits
from kew.analytics.reports.live import HISTORY, FindingStream
from kew.analytics.smf.files import Piece
from kew.analytics.smf.growing import Offset, before, grown, rows_of
from kew.analytics.smf.live import GrowingFiles
from kew.analytics.smf.sparkreader import parse_size, paths_of, spark_schema


class Stretch(InputPartition):
    """The records of a batch, and the earlier ones that rules need."""

    def __init__(self, earlier: list[Piece], pieces: list[Piece]) -> None:
        super().__init__(None)
        self.earlier = earlier
        self.pieces = pieces


class FindingReader(GrowingFiles):
    """Reads findings."""

    def __init__(self, options: Mapping[str, str]) -> None:
        given = {name.lower(): value for name, value in options.items()}
        super().__init__(paths_of(given), given)
        self.book = RuleBook(load_limits(given.get("limits", "")))
        self.history = parse_size("history", given.get("history", str(HISTORY)))

    def partitions(self, start: Offset, end: Offset) -> list[InputPartition]:
        """Give one part, if there is new data."""
        pieces = grown(start, end)
        return [Stretch(before(start, self.history), pieces)] if pieces else []

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Give the findings of a batch."""
        if isinstance(partition, Stretch):
            stream = FindingStream(self.book)
            columns = stream.columns()
            stream.remember(rows_of(partition.earlier, columns))
            yield from stream.add(rows_of(partition.pieces, columns)).to_batches()


class FindingSource(DataSource):
    """The data source that Spark finds under the name `kewfindings`."""

    @classmethod
    def name(cls) -> str:
        """Give the name for format()."""
        return "kewfindings"

    def schema(self) -> StructType:
        """Give the columns of findings."""
        return spark_schema(FINDINGS)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:  # noqa: N802
        """Make a reader of findings as they arise."""
        return FindingReader(self.options)
