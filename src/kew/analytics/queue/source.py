"""The Spark data source `kewmq`: reads a queue as a table or as a stream, and writes rows to a queue.

    spark.read.format("kewmq").option("queueManager", "QM1").option("queue", "APP.IN").load()
    spark.readStream.format("kewmq")...    df.write.format("kewmq")...    df.writeStream.format("kewmq")...

A queue manager on this machine is reached by its socket (option `dataDirectory` where it is not in the usual place),
one elsewhere by `connection`, such as host(1414), and `channel`, with `user` and `password`. Option `columns`, a list
with commas, names the columns to read.

How the stream is exactly once: an offset is a position on the queue (see kew/codes/positions.py). A batch is browsed
from position to position, so a batch that is tried again reads the same messages. Spark reports a batch as committed
when it forms the next one; the messages before the end of the committed batch are then taken off the queue, and a
repeated report does no harm. Spark's own checkpoint remembers the offsets. So the last batch of a query that has
stopped is still on the queue, and is removed when the query is started again. Reading stops before uncommitted
messages, so no message appears later at a position before those read. The queue must have no other reader, and messages
that expire unread are not seen.

A batch read gives the messages of the queue and leaves them there.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.datasource import (
    DataSource,
    DataSourceReader,
    DataSourceStreamReader,
    DataSourceStreamWriter,
    DataSourceWriter,
    InputPartition,
)
from pyspark.sql.streaming.datasource import ReadLimit, ReadMaxRows, SupportsTriggerAvailableNow
from pyspark.sql.types import StructType

from kew.analytics.queue.columns import SCHEMA, Message, batch_of, check_written, schema_of
from kew.analytics.queue.settings import Settings
from kew.analytics.queue.sink import BatchSink, StreamSink
from kew.analytics.smf.sparkreader import spark_schema

if TYPE_CHECKING:
    from kew.client.blocking import Connection, Queue

ROWS = 2000  # in one Arrow batch


class Stretch(InputPartition):
    """The positions that one task reads: the first is included, the last is not."""

    def __init__(self, start: int, end: int) -> None:
        super().__init__(None)
        self.start = start
        self.end = end


def stretches(start: int, end: int, count: int) -> list[InputPartition]:
    """Cut a range of positions into about equal parts, none of them empty."""
    count = max(1, min(count, end - start))
    cuts = [start + (end - start) * place // count for place in range(count + 1)]
    return [Stretch(one, other) for one, other in pairwise(cuts) if one < other]


class Positions:
    """The positions of a queue: of its next message, of its end, and of the trimmed part."""

    def __init__(self, following: int, end: int, trimmed: int) -> None:
        self.following = following
        self.end = end
        self.trimmed = trimmed


def look(queue: "Queue", start: int) -> Positions:
    """Inquire the positions of a queue, browsing from a position on."""
    from kew.codes.positions import BROWSE, KEWCA_POSITIONS, halves, parse_positions

    high, low = halves(start)
    queue.set({BROWSE[0]: high, BROWSE[1]: low})
    return Positions(*parse_positions(str(queue.inquire([KEWCA_POSITIONS])[KEWCA_POSITIONS])))


def browse(settings: Settings, stretch: Stretch) -> Iterator[pa.RecordBatch]:
    """Browse the messages of a range with read-ahead, and give the wanted columns of each."""
    from kew.client.requests import browse_options
    from kew.codes.errors import NoMessage
    from kew.codes.options import (
        MQGMO_PROPERTIES_FORCE_MQRFH2,
        MQOO_BROWSE,
        MQOO_FAIL_IF_QUIESCING,
        MQOO_INQUIRE,
    )

    options = MQOO_BROWSE | MQOO_INQUIRE | MQOO_FAIL_IF_QUIESCING
    with settings.connect() as connection, connection.open(settings.queue, options, read_ahead=True) as queue:
        look(queue, stretch.start)
        wanted = browse_options(False, 0.0)
        wanted.options |= MQGMO_PROPERTIES_FORCE_MQRFH2
        schema = schema_of(settings.columns or SCHEMA.names)
        messages: list[Message] = []
        while True:
            try:
                got = queue.get(options=wanted)
            except NoMessage:
                break
            position = int.from_bytes(got.token, "big")
            if position >= stretch.end:
                break
            messages.append(Message(position, got.descriptor, got.data))
            if len(messages) == ROWS:
                yield batch_of(messages, schema)
                messages = []
        if messages:
            yield batch_of(messages, schema)


class QueueReader(DataSourceReader):
    """Reads the messages on a queue and leaves them there."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def partitions(self) -> list[InputPartition]:
        """Give the ranges of the present messages."""
        from kew.codes.options import MQOO_BROWSE, MQOO_INQUIRE

        settings = self.settings
        with settings.connect() as connection, connection.open(settings.queue, MQOO_BROWSE | MQOO_INQUIRE) as queue:
            there = look(queue, 0)
        return stretches(there.following, there.end, settings.partitions)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Give the messages of one range."""
        if isinstance(partition, Stretch):
            yield from browse(self.settings, partition)


class QueueStream(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """Reads a queue batch by batch, and removes the messages that Spark has committed."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._target: int | None = None  # where AvailableNow ends
        self._connection: Connection | None = None
        self._queue: Queue | None = None

    def __getstate__(self) -> dict[str, object]:
        return {"settings": self.settings, "_target": None, "_connection": None, "_queue": None}

    def _opened(self) -> "Queue":
        """Give the queue, open for exclusive input while the query runs; it is opened again after a failure."""
        from kew.codes.options import MQOO_BROWSE, MQOO_FAIL_IF_QUIESCING, MQOO_INPUT_EXCLUSIVE, MQOO_INQUIRE

        queue = self._queue
        if queue is None or not queue.connection.verbs.link.ready:
            options = MQOO_BROWSE | MQOO_INQUIRE | MQOO_INPUT_EXCLUSIVE | MQOO_FAIL_IF_QUIESCING
            self._connection = self.settings.connect()
            queue = self._connection.open(self.settings.queue, options)
            self._queue = queue
        return queue

    def _look(self, start: int) -> Positions:
        from kew.codes.errors import Broken

        try:
            return look(self._opened(), start)
        except Broken:
            self._queue = None
            return look(self._opened(), start)

    def initialOffset(self) -> dict[str, int]:
        """Give the position of the first message."""
        return {"position": self._look(0).following}

    def getDefaultReadLimit(self) -> ReadLimit:
        """Give the greatest number of messages in a batch, from the option."""
        return ReadMaxRows(self.settings.most)

    def prepareForTriggerAvailableNow(self) -> None:
        """Set the end of the query to the present end of the queue."""
        self._target = self._look(0).end

    def latestOffset(self, start: dict[str, int], limit: ReadLimit) -> dict[str, int]:
        """Give the end of the next batch, or `start` if there are no new messages."""
        position = start["position"]
        there = self._look(position)
        end = there.end if self._target is None else min(there.end, self._target)
        if there.following >= end:
            return start
        most = limit.max_rows if isinstance(limit, ReadMaxRows) else self.settings.most
        return {"position": min(end, there.following + most)}

    def partitions(self, start: dict[str, int], end: dict[str, int]) -> list[InputPartition]:
        """Give the parts of a batch, which may have been formed before the query was last started."""
        there = self._look(start["position"])
        if start["position"] < there.trimmed:
            raise ValueError(
                f"queue {self.settings.queue} holds nothing before position {there.trimmed} any more and the"
                f" checkpoint asks for {start['position']}: it is older than what was committed"
            )
        first = min(max(start["position"], there.following), end["position"])
        return stretches(first, end["position"], self.settings.partitions)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Give the messages of one range."""
        if isinstance(partition, Stretch):
            yield from browse(self.settings, partition)

    def commit(self, end: dict[str, int]) -> None:
        """Remove the messages that were read; a second call does no harm."""
        from kew.codes.errors import Broken
        from kew.codes.positions import TRIM, halves

        high, low = halves(end["position"])
        try:
            self._opened().set({TRIM[0]: high, TRIM[1]: low})
        except Broken:
            self._queue = None
            self._opened().set({TRIM[0]: high, TRIM[1]: low})

    def stop(self) -> None:
        """Close the queue."""
        if self._connection is not None:
            self._connection.driver.close()
        self._connection = self._queue = None


class QueueSource(DataSource):
    """The data source that Spark finds under the name `kewmq`."""

    @classmethod
    def name(cls) -> str:
        """Give the name for format()."""
        return "kewmq"

    def _settings(self) -> Settings:
        options: Mapping[str, str] = self.options
        return Settings(options)

    def _reading(self, schema: StructType) -> Settings:
        settings = self._settings()
        settings.columns = schema.fieldNames()
        return settings

    def schema(self) -> StructType:
        """Give the columns of messages, or those that the option names."""
        return spark_schema(schema_of(self._settings().columns or SCHEMA.names))

    def reader(self, schema: StructType) -> DataSourceReader:
        """Make a reader of the messages on the queue."""
        return QueueReader(self._reading(schema))

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        """Make a reader of the messages as they come."""
        return QueueStream(self._reading(schema))

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceWriter:
        """Make a writer that puts all rows in one unit of work."""
        if overwrite:
            raise ValueError("a queue cannot be overwritten: use mode append")
        check_written(schema.fieldNames())
        return BatchSink(self._settings())

    def streamWriter(self, schema: StructType, overwrite: bool) -> DataSourceStreamWriter:
        """Make a writer that puts each batch in one unit of work, with its marker."""
        if overwrite:
            raise ValueError("a queue cannot be overwritten: use output mode append")
        check_written(schema.fieldNames())
        return StreamSink(self._settings())
