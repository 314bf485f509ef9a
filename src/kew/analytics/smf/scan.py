"""One pass over dumps or a store for many outputs: every record is read and decoded once.

A work names the tables that it needs and makes rows of several outputs from them, one share at a time and independently
of other shares. A share is read by this process, by processes of its own, or by a Spark task. Rows travel between them
as packed tables, which cost a fraction of what the same rows cost as rows of Spark.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import reduce
from multiprocessing import get_context
from typing import TYPE_CHECKING, Final

import pyarrow as pa

from kew.analytics.smf.decode import Decoder
from kew.analytics.smf.files import Dump, Piece, digest_of, examine, find_dumps, identified, read_batches
from kew.analytics.smf.plan import SHARE, shares_of
from kew.analytics.smf.remarks import Remarks
from kew.analytics.smf.rows import frame_of, rows_here, store_of
from kew.analytics.smf.selection import Selection
from kew.analytics.smf.tables import REMARKS, table_named

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

CHUNK: Final = 8 << 20  # bytes of a dump that are decoded at a time where several processes do so
MUCH: Final = 256 << 20  # bytes of dumps that are worth the start of other processes
TOGETHER: Final = 16 << 20  # bytes of rows that travel together
REMARKED: Final = table_named(REMARKS).schema(["file", "offset", "kind", "what", "count", "bytes"])
PACKED: Final = pa.schema([("output", pa.string()), ("bucket", pa.int32()), ("rows", pa.binary())])
_DIGESTS: Final = pa.schema([("at", pa.int64()), ("digest", pa.string()), ("size", pa.int64())])

Rows = Iterable[tuple[str, pa.RecordBatch]]
Made = tuple[str, int, pa.Table]  # the name of an output, the bucket that its rows belong to, and the rows


class Work(ABC):
    """A computation over the selected rows of tables, with outputs of several kinds."""

    selection: Selection

    @abstractmethod
    def columns(self) -> dict[str, list[str]]:
        """Give the tables that the work reads, and the columns that it needs of each."""

    @abstractmethod
    def outputs(self, rows: Rows) -> Iterator[Made]:
        """Give rows of the outputs from the rows of a share, which may be of any table and in any order."""


class Remarking(Work):
    """A work that adds the remarks on the dumps to the outputs of another work."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.selection = work.selection

    def columns(self) -> dict[str, list[str]]:
        """Give the columns that the work needs, and those of the remarks."""
        return {**self.work.columns(), REMARKS: REMARKED.names}

    def outputs(self, rows: Rows) -> Iterator[Made]:
        """Give the outputs of the work, and the remarks."""
        met: list[pa.RecordBatch] = []

        def others() -> Iterator[tuple[str, pa.RecordBatch]]:
            for table, batch in rows:
                if table == REMARKS:
                    met.append(batch)
                else:
                    yield table, batch

        yield from self.work.outputs(others())
        if met:
            yield REMARKS, 0, pa.Table.from_batches(met)


def remarked(made: Iterator[Made], remarks: Remarks | None) -> Iterator[Made]:
    """Give the outputs of the work inside a Remarking; its remarks are added to `remarks`."""
    for output, bucket, rows in made:
        if output != REMARKS:
            yield output, bucket, rows
        elif remarks is not None:
            remarks.add(rows)


def scan_here(names: Sequence[str], work: Work, workers: int = 1) -> Iterator[Made]:
    """Give the outputs of dumps or a store, in this process, or of large dumps in several processes of its own.

    A process is started anew and imports the main module, which must not do its work on import (`if __name__ == ...`).
    """
    if workers > 1 and store_of(names) is None:
        dumps = [examine(path) for path in find_dumps(names)]
        if sum(dump.size for dump in dumps) >= MUCH:
            yield from _scan_apart(dumps, work, workers)
            return
    yield from work.outputs(rows_here(names, work.columns(), work.selection))


def _scan_apart(dumps: list[Dump], work: Work, workers: int) -> Iterator[Made]:
    """Give the outputs of shares, read by a few processes; at most twice as many results as processes wait."""
    if _identified(work):
        for dump in dumps:
            identified(dump)
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=_begin, initargs=(work,)) as pool:
        waiting: deque[Future[list[tuple[str, int, bytes]]]] = deque()
        try:
            for share in shares_of(dumps, SHARE):
                waiting.append(pool.submit(_share, share))
                if len(waiting) > 2 * workers:
                    yield from _taken(waiting.popleft())
            while waiting:
                yield from _taken(waiting.popleft())
        finally:
            pool.shutdown(cancel_futures=True)


def _taken(result: "Future[list[tuple[str, int, bytes]]]") -> Iterator[Made]:
    for output, bucket, data in result.result():
        yield output, bucket, pa.ipc.open_stream(data).read_all()


_works: list[Work] = []  # of this process, where it was started for one


def _begin(work: Work) -> None:
    _works[:] = [work]


def _share(pieces: list[Piece]) -> list[tuple[str, int, bytes]]:
    """Give the packed outputs of a share, in a process started for the work."""
    (work,) = _works
    batches = packed_outputs(work, rows_of_share(pieces, work))
    return [(row["output"], row["bucket"], row["rows"]) for batch in batches for row in batch.to_pylist()]


def _identified(work: Work) -> bool:
    """Say whether a work needs the digest of the dump that a row is from."""
    return any("dump" in columns for columns in work.columns().values())


def scan_on_spark(spark: "SparkSession", names: Sequence[str], work: Work, share: int = SHARE) -> "DataFrame":
    """Give the outputs as packed rows of a DataFrame; one job reads all tables, however many outputs there are."""
    from kew.analytics.smf.sparkreader import spark_schema

    schema = spark_schema(PACKED)
    if store_of(names) is not None:
        frames = [
            frame_of(spark, names, table, columns, work.selection).mapInArrow(TableTask(work, table), schema)
            for table, columns in work.columns().items()
        ]
        return reduce(lambda one, other: one.union(other), frames)
    dumps = [examine(path) for path in find_dumps(names)]
    if _identified(work):
        for dump, (digest, _) in zip(dumps, digests_on_spark(spark, [dump.path for dump in dumps]), strict=True):
            dump.digest = digest
    shares = shares_of(dumps, share)
    return spark.range(0, len(shares), 1, len(shares)).mapInArrow(ShareTask(work, shares), schema)


def digests_on_spark(spark: "SparkSession", paths: Sequence[str]) -> list[tuple[str, int]]:
    """Compute the digests of files and their sizes, by Spark's tasks."""
    from kew.analytics.smf.sparkreader import spark_schema

    if not paths:
        return []
    tasks = spark.range(0, len(paths), 1, len(paths)).mapInArrow(DigestTask(paths), spark_schema(_DIGESTS))
    rows = sorted(tasks.toArrow().to_pylist(), key=lambda row: row["at"])
    return [(row["digest"], row["size"]) for row in rows]


def rows_of_share(pieces: Sequence[Piece], work: Work) -> Rows:
    """Give the rows of pieces of dumps that a work needs, each record decoded once."""
    columns = work.columns()
    decoder = Decoder(list(columns), columns)
    for piece in pieces:
        for batch in read_batches(piece, CHUNK):
            decoded = decoder.decode(batch, piece.dump.path, piece.dump.digest)
            for table in columns:
                rows = work.selection.of(table).rows(decoded.tables[table])
                if rows.num_rows:
                    yield table, rows


class ShareTask:
    """A work on shares of dumps, in Spark's tasks."""

    def __init__(self, work: Work, shares: list[list[Piece]]) -> None:
        self.work = work
        self.shares = shares

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Give the outputs of the shares whose numbers arrive."""
        for batch in batches:
            for number in batch.column(0).to_pylist():
                yield from packed_outputs(self.work, rows_of_share(self.shares[number], self.work))


class TableTask:
    """A work on rows of one table of a store, in Spark's tasks."""

    def __init__(self, work: Work, table: str) -> None:
        self.work = work
        self.table = table

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Give the outputs of a partition."""
        yield from packed_outputs(self.work, ((self.table, batch) for batch in batches))


class DigestTask:
    """Hashes files in Spark tasks."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = list(paths)

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Give one row for each file."""
        for batch in batches:
            at = batch.column(0).to_pylist()
            digests = [digest_of(self.paths[number]) for number in at]
            yield pa.RecordBatch.from_pydict(
                {"at": at, "digest": [one for one, _ in digests], "size": [size for _, size in digests]}
            )


def packed_outputs(work: Work, rows: Rows) -> Iterator[pa.RecordBatch]:
    """Give the outputs of a work as packed rows: small tables of one output together, up to about TOGETHER bytes."""
    waiting: dict[tuple[str, int], list[pa.Table]] = {}
    sizes: dict[tuple[str, int], int] = {}
    for output, bucket, table in work.outputs(rows):
        if table.num_rows:
            key = (output, bucket)
            waiting.setdefault(key, []).append(table)
            sizes[key] = sizes.get(key, 0) + table.nbytes
            if sizes[key] > TOGETHER:
                yield _packed(key, waiting.pop(key))
                del sizes[key]
    for key, tables in waiting.items():
        yield _packed(key, tables)


def _packed(key: tuple[str, int], tables: list[pa.Table]) -> pa.RecordBatch:
    arrays = [pa.array([key[0]]), pa.array([key[1]], pa.int32()), pa.array([packed(pa.concat_tables(tables))])]
    return pa.RecordBatch.from_arrays(arrays, schema=PACKED)


def packed(table: pa.Table) -> bytes:
    """Pack a table into bytes, with its schema."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="lz4")) as writer:
        writer.write_table(table.combine_chunks())
    return bytes(sink.getvalue())


def unpacked(rows: pa.Table, output: str, schema: pa.Schema) -> pa.Table:
    """Unpack the rows of one output from a table of packed rows."""
    tables = [
        pa.ipc.open_stream(data).read_all()
        for name, data in zip(rows.column("output").to_pylist(), rows.column("rows"), strict=True)
        for data in ([data.as_buffer()] if name == output else [])
    ]
    return pa.concat_tables(tables) if tables else schema.empty_table()
