"""Writes rows to a queue: each batch in units of work with a marker of the progress.

Tasks only collect their rows and hand them to the driver; the driver puts them and the marker, and commits. A batch
that Spark tries again finds its number in the marker and is not put a second time. A batch must fit the driver's memory
(spark.driver.maxResultSize). A batch of more messages than a unit of work may have (MAXUMSGS) takes several units; the
marker then has the number of rows put and their digest, and a batch that is tried again continues after those rows. If
the rows then come in another order, the batch is refused, since Kew cannot know which of them are on the queue.

The marker is a persistent message on the queue that the option `markerQueue` names, found by a correlation id that is
made of the option `id`, by default the checkpoint's location. A query that begins with a new checkpoint must have a new
id: its batches are numbered from 0 again, and the marker of the old one has a higher number.
"""

import hashlib
import io
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

import pyarrow as pa
from pyspark.sql.datasource import DataSourceArrowWriter, DataSourceStreamArrowWriter, WriterCommitMessage

from kew.analytics.queue.columns import message_of
from kew.analytics.queue.settings import Settings

if TYPE_CHECKING:
    from kew.client.blocking import Connection
    from kew.formats.mqmd import MessageDescriptor

USUAL_ROOM: Final = 10_000  # MAXUMSGS unless it was altered, for a user that may not ask
MARKED: Final = 2  # messages of a unit of work that are its marker: the old one got, the new one put
_PERSISTENCE: Final = {"no": 0, "yes": 1, "queue": 2}  # MQPER_*


class Rows(WriterCommitMessage):
    """The rows of one task, as an Arrow stream."""

    def __init__(self, data: bytes) -> None:
        self.data = data


def collect(batches: Iterator[pa.RecordBatch]) -> Rows:
    """Collect the rows of a task."""
    buffer = io.BytesIO()
    writer: pa.RecordBatchStreamWriter | None = None
    for batch in batches:
        if writer is None:
            writer = pa.ipc.new_stream(buffer, batch.schema)
        writer.write_batch(batch)
    if writer is not None:
        writer.close()
    return Rows(buffer.getvalue())


Put = tuple["MessageDescriptor", bytes]


def to_put(settings: Settings, messages: list[WriterCommitMessage | None]) -> Iterator[Put]:
    """Give the rows of all tasks as messages to put, in the order of the tasks."""
    persistence = _PERSISTENCE[settings.persistence]
    for message in messages:
        if isinstance(message, Rows) and message.data:
            for batch in pa.ipc.open_stream(message.data):
                for row in batch.to_pylist():
                    yield message_of(row, persistence)


def put_rows(connection: "Connection", settings: Settings, rows: Iterable[Put]) -> int:
    """Put messages in the unit of work under way, and give their number."""
    from kew.codes.errors import MQError
    from kew.codes.options import MQOO_FAIL_IF_QUIESCING, MQOO_OUTPUT, MQSTAT_TYPE_ASYNC_ERROR

    count = 0
    with connection.open(settings.queue, MQOO_OUTPUT | MQOO_FAIL_IF_QUIESCING) as queue:
        for descriptor, data in rows:
            queue.put(data, descriptor, syncpoint=True, asynchronous=True)
            count += 1
        report = connection.status(MQSTAT_TYPE_ASYNC_ERROR)
        if report.put_failures or report.put_successes != count:
            raise MQError(report.reason, queue=settings.queue, failed=report.put_failures)
    return count


def room_of_a_unit(connection: "Connection") -> int:
    """Give the number of messages that fit in a unit of work beside its marker, by the queue manager's MAXUMSGS."""
    from kew.codes.attributes import MQIA_MAX_UNCOMMITTED_MSGS
    from kew.codes.errors import MQError
    from kew.codes.reasons import MQRC_NOT_AUTHORIZED

    most = USUAL_ROOM
    try:
        most = int(connection.inquire([MQIA_MAX_UNCOMMITTED_MSGS])[MQIA_MAX_UNCOMMITTED_MSGS])
    except MQError as error:
        if error.reason != MQRC_NOT_AUTHORIZED:
            raise
    return max(1, most - MARKED)


class Marker:
    """The progress of a batch: its number and the rows that were put."""

    def __init__(self, batch: int, rows: int = 0, digest: str = "") -> None:
        self.batch = batch
        self.rows = rows  # of a batch that is not whole yet; 0 where it is
        self.digest = digest  # of those rows


class BatchSink(DataSourceArrowWriter):
    """Puts all rows of a DataFrame in one unit of work."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        """Collect the rows of a task."""
        return collect(iterator)

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        """Put the rows of all tasks."""
        with self.settings.connect() as connection:
            put_rows(connection, self.settings, to_put(self.settings, messages))
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
        """Put the missing rows of the batch in units of work, each with the marker."""
        settings = self.settings
        with settings.connect() as connection:
            last = self._take_marker(connection)
            if last.batch == batchId and not last.rows:
                connection.back_out()
                return
            if last.batch > batchId:
                connection.back_out()
                raise ValueError(
                    f"{settings.id} has put batch {last.batch} and now comes with {batchId}: a query with a new"
                    " checkpoint needs another id"
                )
            rows = to_put(settings, messages)
            digest = hashlib.sha256()
            done = 0
            if last.batch == batchId:
                for row in islice(rows, last.rows):
                    _add(digest, row)
                    done += 1
                if done < last.rows or digest.hexdigest() != last.digest:
                    connection.back_out()
                    raise ValueError(
                        f"{last.rows} rows of batch {batchId} of {settings.id} were put, and the batch now comes with"
                        " others or in another order: order the rows, or let a batch be one unit of work, with a"
                        f" larger MAXUMSGS of queue manager {settings.queue_manager}"
                    )
            room = room_of_a_unit(connection)
            while True:
                unit = list(islice(rows, room))
                for row in unit:
                    _add(digest, row)
                done += put_rows(connection, settings, unit)
                more = len(unit) == room
                self._put_marker(connection, Marker(batchId, done, digest.hexdigest()) if more else Marker(batchId))
                connection.commit()
                if not more:
                    return
                self._take_marker(connection)

    def abort(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        """Do nothing: no row was put."""

    def _correlation(self) -> bytes:
        return hashlib.sha256(f"{self.settings.id}\0{self.settings.queue}".encode()).digest()[:24]

    def _take_marker(self, connection: "Connection") -> Marker:
        from kew.codes.errors import MQError, NoMessage
        from kew.codes.options import MQOO_INPUT_SHARED
        from kew.codes.reasons import MQRC_UNKNOWN_OBJECT_NAME

        name = self.settings.marker_queue
        try:
            with connection.open(name, MQOO_INPUT_SHARED) as queue:
                marker = queue.get(correlation_id=self._correlation(), syncpoint=True)
        except NoMessage:
            return Marker(-1)
        except MQError as error:
            if error.reason == MQRC_UNKNOWN_OBJECT_NAME:
                raise ValueError(f"there is no queue for markers: DEFINE QLOCAL({name}) DEFPSIST(YES)") from error
            raise
        said = json.loads(marker.data)
        return Marker(int(said["batch"]), int(said.get("rows", 0)), str(said.get("digest", "")))

    def _put_marker(self, connection: "Connection", marker: Marker) -> None:
        from kew.codes.options import MQPER_PERSISTENT
        from kew.formats.mqmd import MessageDescriptor

        descriptor = MessageDescriptor(
            correlation_id=self._correlation(), persistence=MQPER_PERSISTENT, format=b"MQSTR   ", ccsid=1208
        )
        said = {"id": self.settings.id, "queue": self.settings.queue, "batch": marker.batch}
        if marker.rows:
            said |= {"rows": marker.rows, "digest": marker.digest}
        connection.put1(self.settings.marker_queue, json.dumps(said).encode(), descriptor, syncpoint=True)


def _add(digest: "hashlib._Hash", row: Put) -> None:
    """Add a message to the digest of the messages put."""
    from kew.formats.mqmd import encode

    descriptor, data = row
    for part in (encode(descriptor), data):
        digest.update(len(part).to_bytes(4, "big"))
        digest.update(part)
