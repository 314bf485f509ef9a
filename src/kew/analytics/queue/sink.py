"""Rows to a queue: each batch in one unit of work, with a marker that says which batch was put last.

Tasks only collect their rows and hand them to the driver; the driver puts them all, and the marker, and commits. A
batch that Spark tries again finds its number in the marker and is not put a second time. So a batch must fit the
driver's memory (spark.driver.maxResultSize) and the queue manager's MAXUMSGS.

The marker is a persistent message on the queue that the option `markerQueue` names, found by a correlation id that is
made of the option `id`, by default the checkpoint's location. A query that begins with a new checkpoint must have a new
id: its batches are numbered from 0 again, and the marker of the old one says more.
"""

import hashlib
import io
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import pyarrow as pa
from pyspark.sql.datasource import DataSourceArrowWriter, DataSourceStreamArrowWriter, WriterCommitMessage

from kew.analytics.queue.columns import message_of
from kew.analytics.queue.settings import Settings

if TYPE_CHECKING:
    from kew.client.blocking import Connection

_PERSISTENCE: Final = {"no": 0, "yes": 1, "queue": 2}  # MQPER_*


class Rows(WriterCommitMessage):
    """The rows of one task, as an Arrow stream."""

    def __init__(self, data: bytes) -> None:
        self.data = data


def collect(batches: Iterator[pa.RecordBatch]) -> Rows:
    """Take the rows of a task."""
    buffer = io.BytesIO()
    writer: pa.RecordBatchStreamWriter | None = None
    for batch in batches:
        if writer is None:
            writer = pa.ipc.new_stream(buffer, batch.schema)
        writer.write_batch(batch)
    if writer is not None:
        writer.close()
    return Rows(buffer.getvalue())


def put_rows(connection: "Connection", settings: Settings, messages: list[WriterCommitMessage | None]) -> int:
    """Put the rows of all tasks, in the order of the tasks, in the unit of work under way; gives how many."""
    from kew.codes.errors import MQError
    from kew.codes.options import MQOO_FAIL_IF_QUIESCING, MQOO_OUTPUT, MQSTAT_TYPE_ASYNC_ERROR

    persistence = _PERSISTENCE[settings.persistence]
    count = 0
    with connection.open(settings.queue, MQOO_OUTPUT | MQOO_FAIL_IF_QUIESCING) as queue:
        for message in messages:
            if not isinstance(message, Rows) or not message.data:
                continue
            for batch in pa.ipc.open_stream(message.data):
                for row in batch.to_pylist():
                    descriptor, data = message_of(row, persistence)
                    queue.put(data, descriptor, syncpoint=True, asynchronous=True)
                    count += 1
        report = connection.status(MQSTAT_TYPE_ASYNC_ERROR)
        if report.put_failures or report.put_successes != count:
            raise MQError(report.reason, queue=settings.queue, failed=report.put_failures)
    return count


class BatchSink(DataSourceArrowWriter):
    """Puts all rows of a DataFrame in one unit of work."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        """Collect the rows of a task."""
        return collect(iterator)

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        """Put everything."""
        with self.settings.connect() as connection:
            put_rows(connection, self.settings, messages)
            connection.commit()


class StreamSink(DataSourceStreamArrowWriter):
    """Puts each batch of a query in one unit of work."""

    def __init__(self, settings: Settings) -> None:
        if not settings.id:
            raise ValueError("kewmq needs the option id, or checkpointLocation, to know a batch again")
        self.settings = settings

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        """Collect the rows of a task."""
        return collect(iterator)

    def commit(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        """Put the batch and its marker, unless the marker says that it is there already."""
        settings = self.settings
        with settings.connect() as connection:
            last = self._take_marker(connection)
            if last == batchId:
                connection.back_out()
                return
            if last > batchId:
                connection.back_out()
                raise ValueError(
                    f"{settings.id} has put batch {last} and now comes with {batchId}: a query with a new checkpoint"
                    " needs another id"
                )
            put_rows(connection, settings, messages)
            self._put_marker(connection, batchId)
            connection.commit()

    def abort(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        """Nothing was put."""

    def _correlation(self) -> bytes:
        return hashlib.sha256(f"{self.settings.id}\0{self.settings.queue}".encode()).digest()[:24]

    def _take_marker(self, connection: "Connection") -> int:
        from kew.codes.errors import MQError, NoMessage
        from kew.codes.options import MQOO_INPUT_SHARED
        from kew.codes.reasons import MQRC_UNKNOWN_OBJECT_NAME

        name = self.settings.marker_queue
        try:
            with connection.open(name, MQOO_INPUT_SHARED) as queue:
                marker = queue.get(correlation_id=self._correlation(), syncpoint=True)
        except NoMessage:
            return -1
        except MQError as error:
            if error.reason == MQRC_UNKNOWN_OBJECT_NAME:
                raise ValueError(f"there is no queue for markers: DEFINE QLOCAL({name}) DEFPSIST(YES)") from error
            raise
        number = json.loads(marker.data)["batch"]
        return int(number)

    def _put_marker(self, connection: "Connection", batch: int) -> None:
        from kew.codes.options import MQPER_PERSISTENT
        from kew.formats.mqmd import MessageDescriptor

        descriptor = MessageDescriptor(
            correlation_id=self._correlation(), persistence=MQPER_PERSISTENT, format=b"MQSTR   ", ccsid=1208
        )
        said = json.dumps({"id": self.settings.id, "queue": self.settings.queue, "batch": batch})
        connection.put1(self.settings.marker_queue, said.encode(), descriptor, syncpoint=True)
