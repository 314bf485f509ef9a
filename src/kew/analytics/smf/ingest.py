"""Ingests dumps into a store: each is decoded once into all tables, which the decoding task writes as Parquet.

The rows never cross into the JVM: a Spark task reads its share of a dump, decodes it with numpy, writes Parquet with
pyarrow, and gives back only the names of what it wrote. Reading the dumps through Spark's rows and its Parquet writer
costs several times the processor time.
"""

import json
import os
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from kew.analytics.smf.decode import Decoder
from kew.analytics.smf.files import Piece, digest_of, examine, find_dumps, read_batches
from kew.analytics.smf.plan import SHARE, cut
from kew.analytics.smf.remarks import Remarks
from kew.analytics.smf.scan import digests_on_spark
from kew.analytics.smf.store import DECODER, UNKNOWN, Manifest, Output, Span, Store, safe_name
from kew.analytics.smf.tables import QUARANTINE, RECORDS_TABLE, REMARKS, TABLES

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROW_GROUP: Final = 131_072
PENDING: Final = 48 << 20  # bytes of one table that wait to be written together

_WRITTEN: Final = pa.schema(
    [
        ("input", pa.int32()),
        ("table", pa.string()),
        ("part", pa.string()),
        ("path", pa.string()),
        ("rows", pa.int64()),
        ("damaged", pa.int64()),
        ("spans", pa.string()),
    ]
)


class Input:
    """A dump to ingest, identified by its content."""

    def __init__(self, name: str, digest: str, size: int) -> None:
        self.name = name
        self.digest = digest
        self.size = size


class Job:
    """One piece of one input, numbered within it."""

    def __init__(self, source: int, digest: str, number: int, piece: Piece) -> None:
        self.source = source
        self.digest = digest
        self.number = number
        self.piece = piece


class Ingestion:
    """The result of an ingestion: the inputs that were added, and those that the store already had."""

    def __init__(self) -> None:
        self.taken: list[Manifest] = []
        self.known: list[str] = []


def ingest_here(names: Sequence[str], folder: str, share: int = SHARE) -> Ingestion:
    """Ingest dumps in this process."""

    def write(jobs: list[Job], store: Store) -> list[dict[str, object]]:
        return [row for job in jobs for row in write_piece(job, str(store.folder))]

    return _ingest(names, folder, share, lambda paths: [digest_of(path) for path in paths], write)


def ingest_on_spark(spark: "SparkSession", names: Sequence[str], folder: str, share: int = SHARE) -> Ingestion:
    """Ingest dumps with Spark's tasks; all tasks must be able to reach the dumps and the store."""
    from kew.analytics.smf.sparkreader import spark_schema

    def digest(paths: list[str]) -> list[tuple[str, int]]:
        return digests_on_spark(spark, paths)

    def write(jobs: list[Job], store: Store) -> list[dict[str, object]]:
        shares = _shares(jobs, share)
        task = WriteTask(shares, str(store.folder))
        tasks = spark.range(0, len(shares), 1, len(shares)).mapInArrow(task, spark_schema(_WRITTEN))
        rows: list[dict[str, object]] = tasks.toArrow().to_pylist()
        return rows

    return _ingest(names, folder, share, digest, write)


def _ingest(
    names: Sequence[str],
    folder: str,
    share: int,
    digest: Callable[[list[str]], list[tuple[str, int]]],
    write: Callable[[list[Job], Store], list[dict[str, object]]],
) -> Ingestion:
    store = Store(folder)
    store.create()
    done = Ingestion()
    with store.locked():
        store.sweep()
        known = {manifest.digest for manifest in store.manifests() if manifest.decoder == DECODER}
        known.update(digest for compaction in store.compactions() for digest in compaction.inputs)
        paths = find_dumps(names)
        inputs: list[Input] = []
        for path, (hashed, size) in zip(paths, digest(paths), strict=True):
            if hashed in known:
                done.known.append(path)
            else:
                inputs.append(Input(path, hashed, size))
                known.add(hashed)
        jobs: list[Job] = []
        for number, one in enumerate(inputs):
            for piece_number, piece in enumerate(cut(examine(one.name), share)):
                jobs.append(Job(number, one.digest, piece_number, piece))
        if jobs:
            written = write(jobs, store)
            for number, one in enumerate(inputs):
                done.taken.append(_publish(store, one, [row for row in written if row["input"] == number]))
    return done


def remarks_on(folder: str, taken: Sequence[Manifest]) -> Remarks:
    """Give the remarks on dumps that a store has ingested."""
    remarks = Remarks()
    rows = Store(folder).read(REMARKS) if taken else None
    if rows is not None:
        digests = pa.array([manifest.digest for manifest in taken])
        remarks.add(rows.filter(pc.is_in(rows.column("dump"), digests)))
    return remarks


def _publish(store: Store, source: Input, written: list[dict[str, object]]) -> Manifest:
    """Rename the files of an input to their final names, then publish its manifest."""
    manifest = Manifest(source.digest, source.name, source.size)
    spans: dict[tuple[str, str], tuple[int, int]] = {}
    for row in written:
        assert isinstance(row["rows"], int)
        assert isinstance(row["damaged"], int)
        manifest.damaged += row["damaged"]
        for system, qmgr, first, last in json.loads(str(row["spans"])):
            low, high = spans.get((system, qmgr), (first, last))
            spans[system, qmgr] = (min(low, first), max(high, last))
        if row["part"]:
            os.replace(store.folder / str(row["part"]), store.folder / str(row["path"]))
            manifest.outputs.append(Output(str(row["table"]), str(row["path"]), row["rows"]))
    manifest.spans = [Span(*key, *value) for key, value in sorted(spans.items())]
    store.publish(manifest)
    return manifest


def _shares(jobs: list[Job], share: int) -> list[list[Job]]:
    """Group small pieces, so that a task has enough work."""
    shares: list[list[Job]] = []
    room = 0
    for job in jobs:
        if job.piece.size > room or not shares:
            shares.append([])
            room = share
        shares[-1].append(job)
        room -= job.piece.size
    return shares


class WriteTask:
    """Decodes and writes pieces in Spark tasks."""

    def __init__(self, shares: list[list[Job]], folder: str) -> None:
        self.shares = shares
        self.folder = folder

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Give one row for each file written."""
        for batch in batches:
            for number in batch.column(0).to_pylist():
                rows = [row for job in self.shares[number] for row in write_piece(job, self.folder)]
                yield pa.RecordBatch.from_pylist(rows, schema=_WRITTEN)


def write_piece(job: Job, folder: str) -> list[dict[str, object]]:
    """Decode a piece and write all its tables; give a row for each file, and one for the piece itself."""
    decoder = Decoder(list(TABLES), checksums=True)
    writers = {name: TableWriter(name, decoder.schemas[name], job, folder) for name in TABLES}
    damaged = 0
    spans: dict[tuple[str, str], tuple[int, int]] = {}
    for batch in read_batches(job.piece):
        decoded = decoder.decode(batch, job.piece.dump.path, job.digest)
        damaged += len(decoded.damage)
        _add_spans(spans, decoded.tables[RECORDS_TABLE])
        for name, rows in decoded.tables.items():
            if rows.num_rows:
                writers[name].add(rows)
    written = [row for writer in writers.values() for row in writer.finish()]
    whole = {"input": job.source, "table": "", "part": "", "path": "", "rows": 0, "damaged": damaged}
    whole["spans"] = json.dumps([[*key, *value] for key, value in sorted(spans.items())])
    return [*written, whole]


def _add_spans(spans: dict[tuple[str, str], tuple[int, int]], records: pa.RecordBatch) -> None:
    mq = pa.Table.from_batches([records.select(["system", "qmgr", "written_local"])])
    mq = mq.filter(pc.is_valid(mq.column("qmgr")))
    grouped = mq.group_by(["system", "qmgr"]).aggregate([("written_local", "min"), ("written_local", "max")])
    first = grouped.column("written_local_min").cast(pa.int64()).to_pylist()
    last = grouped.column("written_local_max").cast(pa.int64()).to_pylist()
    for at, key in enumerate(zip(grouped["system"].to_pylist(), grouped["qmgr"].to_pylist(), strict=True)):
        low, high = spans.get(key, (first[at], last[at]))
        spans[key] = (min(low, first[at]), max(high, last[at]))


class TableWriter:
    """Writes one table of one piece: a file for each day and queue manager in it."""

    def __init__(self, name: str, schema: pa.Schema, job: Job, folder: str) -> None:
        self.name = name
        self.schema = with_spark_schema(schema)
        self.job = job
        self.folder = folder
        self._pending: dict[tuple[str, str], list[pa.RecordBatch]] = {}
        self._bytes = 0
        self._files: dict[tuple[str, str], tuple[pq.ParquetWriter, str, str]] = {}
        self._rows: dict[tuple[str, str], int] = {}
        # Names repeat, counters do not: a dictionary of the latter costs time and saves nothing.
        self._dictionary = [field.name for field in schema if field.type in (pa.string(), pa.binary())]

    def add(self, rows: pa.RecordBatch) -> None:
        """Take rows; they are written when enough have come together."""
        for key, part in _by_leaf(self.name, rows):
            self._pending.setdefault(key, []).append(part)
            self._bytes += part.nbytes
        if self._bytes > PENDING:
            self._write()

    def finish(self) -> list[dict[str, object]]:
        """Write the remaining rows, and give a row for each file."""
        self._write()
        rows: list[dict[str, object]] = []
        for key, (writer, part, path) in self._files.items():
            writer.close()
            rows.append(
                {
                    "input": self.job.source,
                    "table": self.name,
                    "part": part,
                    "path": path,
                    "rows": self._rows[key],
                    "damaged": 0,
                    "spans": "[]",
                }
            )
        return rows

    def _write(self) -> None:
        for key, batches in self._pending.items():
            table = pa.Table.from_batches(batches).cast(self.schema)
            if key not in self._files:
                self._files[key] = self._open(key)
                self._rows[key] = 0
            self._files[key][0].write_table(table, row_group_size=ROW_GROUP)
            self._rows[key] += table.num_rows
        self._pending = {}
        self._bytes = 0

    def _open(self, key: tuple[str, str]) -> tuple[pq.ParquetWriter, str, str]:
        day, qmgr = key
        leaf = f"tables/{self.name}/date={day}/manager={qmgr}"
        path = f"{leaf}/{self.job.digest}-{self.job.number}.parquet"
        part = f"{leaf}/.{uuid.uuid4().hex}.tmp"
        os.makedirs(os.path.join(self.folder, leaf), exist_ok=True)
        writer = pq.ParquetWriter(
            os.path.join(self.folder, part),
            self.schema,
            compression="zstd",
            compression_level=1,
            use_dictionary=self._dictionary,
            write_statistics=[name for name in ("recorded", "written_local") if name in self.schema.names],
        )
        return writer, part, path


def _by_leaf(name: str, rows: pa.RecordBatch) -> Iterator[tuple[tuple[str, str], pa.RecordBatch]]:
    """Give the rows of each day and queue manager."""
    if name in (QUARANTINE, REMARKS):
        yield (UNKNOWN, UNKNOWN), rows
        return
    days = rows.column("written_local").cast(pa.date32()).dictionary_encode()
    names = rows.column("qmgr").dictionary_encode()
    day = np.asarray(days.indices.fill_null(-1))
    qmgr = np.asarray(names.indices.fill_null(-1))
    code = (day.astype(np.int64) + 1) << 32 | (qmgr + 1)
    for one in np.unique(code).tolist():
        day_at, qmgr_at = (one >> 32) - 1, (one & 0xFFFFFFFF) - 1
        leaf = (
            days.dictionary[day_at].as_py().isoformat() if day_at >= 0 else UNKNOWN,
            safe_name(names.dictionary[qmgr_at].as_py()) if qmgr_at >= 0 else UNKNOWN,
        )
        chosen = code == one
        yield leaf, rows if chosen.all() else rows.filter(pa.array(chosen))


def with_spark_schema(schema: pa.Schema) -> pa.Schema:
    """Give a schema with the comments of columns where Spark looks for them in Parquet files."""
    fields = [
        {
            "name": field.name,
            "type": _spark_name(field.type),
            "nullable": True,
            "metadata": {"comment": (field.metadata or {}).get(b"comment", b"").decode()},
        }
        for field in schema
    ]
    text = json.dumps({"type": "struct", "fields": fields})
    return schema.with_metadata({"org.apache.spark.sql.parquet.row.metadata": text})


def _spark_name(kind: pa.DataType) -> object:
    if pa.types.is_list(kind):
        return {"type": "array", "elementType": _spark_name(kind.value_type), "containsNull": True}
    if pa.types.is_struct(kind):
        parts = [{"name": part.name, "type": _spark_name(part.type), "nullable": True, "metadata": {}} for part in kind]
        return {"type": "struct", "fields": parts}
    if pa.types.is_timestamp(kind):
        return "timestamp" if kind.tz else "timestamp_ntz"
    if pa.types.is_decimal(kind):
        return f"decimal({kind.precision},{kind.scale})"
    return {"int32": "integer", "int64": "long", "bool": "boolean"}.get(str(kind), str(kind))
