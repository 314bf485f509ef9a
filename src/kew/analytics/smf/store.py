"""A store of decoded dumps: Parquet tables, and a manifest of what went into them.

    STORE/inputs/<hash>.json                                    what was ingested, and the files it became
    STORE/compacted/<n>.json                                    which files took the place of which
    STORE/tables/<table>/date=<day>/manager=<qmgr>/<hash>-<n>.parquet

Rules:
1. A file belongs to the store when a manifest or a compaction lists it and no later compaction replaced it. Any other
   file there, such as one of a task that failed or ran twice, is not read, and the next ingestion removes it.
2. A manifest is written last and in one step. A crash before it leaves the store as it was; ingesting the same input
   again writes the same names.
3. An input is known by its content: under another name, or a second time, it is not ingested again.
4. Columns that came with a later Kew are null in files of an earlier one; the digest of the dump is taken from the
   manifest, since record identity must hold for all. Ingesting the input again decodes it anew, unless its files have
   been compacted with those of others.
5. Dumps may overlap, as a growing file does with its earlier self. Where the time spans of two inputs do, rows are read
   once: by system, queue manager, kind, time, checksum of the record, and place in it.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from kew.analytics.smf.selection import Selection
from kew.analytics.smf.tables import CHECKSUM, QUARANTINE, RECORD, REMARKS, table_named

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

DECODER: Final = 4  # raised when the same input would give other tables
IDENTIFIED: Final = 3  # the decoder from which on tables have the digest of the dump
UNKNOWN: Final = "unknown"
IDENTITY: Final = ("system", "qmgr", "smf_type", "subtype", "written_local", "recorded", "checksum")


class Output:
    """One file of a table."""

    def __init__(self, table: str, path: str, rows: int) -> None:
        self.table = table
        self.path = path  # below the store
        self.rows = rows


class Span:
    """The time that an input covers for one queue manager, in microseconds of local time."""

    def __init__(self, system: str, qmgr: str, first: int, last: int) -> None:
        self.system = system
        self.qmgr = qmgr
        self.first = first
        self.last = last


class Manifest:
    """The manifest of one input."""

    def __init__(self, digest: str, name: str, size: int) -> None:
        self.digest = digest
        self.name = name
        self.size = size
        self.decoder = DECODER
        self.damaged = 0
        self.outputs: list[Output] = []
        self.spans: list[Span] = []

    def to_json(self) -> str:
        """Give the text of the manifest file."""
        return json.dumps(
            {
                "digest": self.digest,
                "name": self.name,
                "size": self.size,
                "decoder": self.decoder,
                "damaged": self.damaged,
                "outputs": [[output.table, output.path, output.rows] for output in self.outputs],
                "spans": [[span.system, span.qmgr, span.first, span.last] for span in self.spans],
            },
            indent=1,
        )

    @classmethod
    def from_json(cls, text: str) -> "Manifest":
        """Read a manifest from its text."""
        known = json.loads(text)
        manifest = cls(known["digest"], known["name"], known["size"])
        manifest.decoder = known["decoder"]
        manifest.damaged = known["damaged"]
        manifest.outputs = [Output(*output) for output in known["outputs"]]
        manifest.spans = [Span(*span) for span in known["spans"]]
        return manifest


class Compaction:
    """Files that took the place of others."""

    def __init__(self) -> None:
        self.outputs: list[Output] = []
        self.replaced: list[str] = []  # paths below the store
        self.inputs: list[str] = []  # digests of all inputs whose rows may be in the outputs

    def to_json(self) -> str:
        """Give the text of the compaction file."""
        outputs = [[output.table, output.path, output.rows] for output in self.outputs]
        return json.dumps({"outputs": outputs, "replaced": self.replaced, "inputs": self.inputs}, indent=1)

    @classmethod
    def from_json(cls, text: str) -> "Compaction":
        """Read a compaction from its text."""
        known = json.loads(text)
        compaction = cls()
        compaction.outputs = [Output(*output) for output in known["outputs"]]
        compaction.replaced = known["replaced"]
        compaction.inputs = known["inputs"]
        return compaction


class Store:
    """A folder with tables and manifests."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self.inputs = self.folder / "inputs"
        self.tables = self.folder / "tables"
        self.compacted = self.folder / "compacted"

    @staticmethod
    def is_store(folder: str) -> bool:
        """Say whether a folder holds a store."""
        return (Path(folder) / "inputs").is_dir() and (Path(folder) / "tables").is_dir()

    def create(self) -> None:
        """Make the folders."""
        self.inputs.mkdir(parents=True, exist_ok=True)
        self.tables.mkdir(exist_ok=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock of the store, which keeps other ingestions out."""
        with open(self.folder / ".lock", "w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise RuntimeError(f"{self.folder}: another ingestion is running; wait until it ends") from None
            yield

    def manifests(self) -> list[Manifest]:
        """Give the manifests of all inputs, in the order of their names."""
        found = [Manifest.from_json(path.read_text()) for path in sorted(self.inputs.glob("*.json"))]
        return sorted(found, key=lambda manifest: (manifest.name, manifest.digest))

    def compactions(self) -> list[Compaction]:
        """Give the merged files with those they replaced, oldest first."""
        return [Compaction.from_json(path.read_text()) for path in sorted(self.compacted.glob("[0-9]*.json"))]

    def publish(self, manifest: Manifest) -> None:
        """Make an input part of the store."""
        _write_whole(self.inputs, f"{manifest.digest}.json", manifest.to_json())

    def publish_compaction(self, compaction: Compaction) -> None:
        """Make a compaction part of the store, which replaces files by others; the caller holds the lock."""
        self.compacted.mkdir(exist_ok=True)
        _write_whole(self.compacted, f"{len(self.compactions()) + 1:06d}.json", compaction.to_json())

    def sweep(self) -> int:
        """Remove files that are not listed, and give their number; the caller holds the lock."""
        listed = {str(self.folder / output.path) for output, _ in self.outputs()}
        stray = [path for path in self.tables.rglob("*") if path.is_file() and str(path) not in listed]
        for path in stray:
            path.unlink()
        return len(stray)

    def outputs(self) -> list[tuple[Output, str]]:
        """Give the files to read, each with the digest of its dump, empty for a merged file."""
        # Compactions first: what is compacted between the two reads is listed by a manifest still.
        compactions = self.compactions()
        replaced = {path for compaction in compactions for path in compaction.replaced}
        found = [(output, manifest.digest) for manifest in self.manifests() for output in manifest.outputs]
        found += [(output, "") for compaction in compactions for output in compaction.outputs]
        return [(output, digest) for output, digest in found if output.path not in replaced]

    def files(self, table: str) -> list[str]:
        """Give the paths of a table's files."""
        return list(self.origins(table))

    def origins(self, table: str) -> dict[str, str]:
        """Give the paths of a table's files, each with the digest of its dump, empty for a merged file."""
        name = table_named(table).name
        return {str(self.folder / output.path): digest for output, digest in self.outputs() if output.table == name}

    def rows(self, table: str) -> int:
        """Give how many rows the files of a table have, duplicates counted."""
        name = table_named(table).name
        return sum(output.rows for output, _ in self.outputs() if output.table == name)

    def overlaps(self) -> bool:
        """Say whether two inputs cover the same time of a queue manager."""
        spans: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for manifest in self.manifests():
            for span in manifest.spans:
                spans.setdefault((span.system, span.qmgr), []).append((span.first, span.last))
        for known in spans.values():
            known.sort()
            if any(later[0] <= earlier[1] for earlier, later in pairwise(known)):
                return True
        return False

    def schema(self, table: str, columns: Sequence[str] | None = None) -> pa.Schema:
        """Give the columns of a table in the store."""
        known = table_named(table)
        schema = known.schema(columns)
        return schema.append(CHECKSUM) if known.structure is not None and columns is None else schema

    def read(self, table: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Read a table whole into memory, each row once."""
        schema = self.schema(table, columns)
        schema = pa.schema([pa.field(field.name, field.type) for field in schema])
        return pa.Table.from_batches(self.batches(table, columns, Selection()), schema)

    def batches(self, table: str, columns: Sequence[str] | None, selection: Selection) -> Iterator[pa.RecordBatch]:
        """Give the selected rows of a table, each once, a day of a queue manager at a time.

        Rows of the same record are of the same day and queue manager, so that no more has to be in memory to find
        duplicates.
        """
        name = table_named(table).name
        schema = self.schema(name)
        wanted = schema.names if columns is None else list(columns)
        overlapping = self.overlaps() and "checksum" in schema.names
        needed = list(
            dict.fromkeys([*wanted, *(("system", "qmgr", "written_local") if not selection.everything else ())])
        )
        if overlapping:
            needed = list(dict.fromkeys([*needed, *_identity(schema), *RECORD]))
        for leaf in self._leaves(name, selection).values():
            parts = (read_file(file, digest, schema, needed, selection) for file, digest in leaf)
            for rows in [once(pa.concat_tables(parts))] if overlapping else parts:
                for batch in rows.to_batches():
                    chosen = selection.rows(batch).select(wanted)
                    if chosen.num_rows:
                        yield chosen

    def _leaves(self, table: str, selection: Selection) -> dict[str, list[tuple[str, str]]]:
        """Give the files that may hold selected rows, by day and queue manager, with the digests of their dumps."""
        leaves: dict[str, list[tuple[str, str]]] = {}
        for file, digest in self.origins(table).items():
            folder = os.path.dirname(file)
            if table in (QUARANTINE, REMARKS) or _may_hold(folder, selection):
                leaves.setdefault(folder, []).append((file, digest))
        return leaves

    def frame(self, spark: "SparkSession", table: str, selection: Selection | None = None) -> "DataFrame":
        """Give a table, each row once, as a DataFrame with the partition columns `date` and `manager`.

        Files without selected rows are left out; the other files still give all their rows.
        """
        from pyspark.sql import functions as F  # noqa: N812

        from kew.analytics.smf.sparkreader import spark_schema

        name = table_named(table).name
        chosen = selection or Selection()
        files = [file for leaf in self._leaves(name, chosen).values() for file, _ in leaf]
        schema = self.schema(name)
        if not files:
            return spark.createDataFrame([], spark_schema(schema))
        # The schema is given, so files of an earlier Kew have null in the columns that they lack.
        leaf = [pa.field("date", pa.string()), pa.field("manager", pa.string())]
        whole = spark_schema(pa.schema([*schema, *leaf]))
        frame = spark.read.schema(whole).option("basePath", str(self.tables / name)).parquet(*files)
        frame = frame.withColumn("date", F.expr(f"CASE WHEN date <> '{UNKNOWN}' THEN CAST(date AS DATE) END"))
        if any(manifest.decoder < IDENTIFIED for manifest in self.manifests()):
            named = F.regexp_extract(F.col("_metadata.file_name"), "^([0-9a-f]+)-", 1)
            frame = frame.withColumn("dump", F.coalesce("dump", named))
        if not self.overlaps() or "checksum" not in schema.names:
            return frame
        return once_on_spark(frame, _identity(schema))


def _write_whole(folder: Path, name: str, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    part = folder / f".{name}.tmp"
    with open(part, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, folder / name)
    place = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)


def _may_hold(folder: str, selection: Selection) -> bool:
    """Say whether the files of a day and queue manager may hold selected rows, by the names of their folders."""
    day, manager = [part.partition("=")[2] for part in folder.split(os.sep)[-2:]]
    if selection.qmgr and manager != safe_name(selection.qmgr):
        return False
    if day == UNKNOWN:  # the time is not known there, and so not in any span
        return selection.since is None and selection.until is None
    return selection.has_day(date.fromisoformat(day))


def safe_name(name: str) -> str:
    """Give a queue manager's name as part of a path; a damaged record may have any bytes there."""
    return "".join(letter if letter.isascii() and letter.isalnum() else f"%{ord(letter):02X}" for letter in name) or "%"


def read_file(file: str, digest: str, schema: pa.Schema, columns: Sequence[str], selection: Selection) -> pa.Table:
    """Read columns of a file, from the row groups that may hold selected rows; columns that it lacks are null.

    The digest of the dump is taken from the manifest where the file does not have it.
    """
    with pq.ParquetFile(file) as parquet:
        there = set(parquet.schema_arrow.names)
        groups = [at for at in range(parquet.num_row_groups) if _group_may_hold(parquet, at, selection)]
        rows = parquet.read_row_groups(groups, columns=[name for name in columns if name in there])
        count = sum(parquet.metadata.row_group(at).num_rows for at in groups)
    arrays: list[pa.ChunkedArray | pa.Array] = []
    for name in columns:
        kind = schema.field(name).type
        if name in there:
            arrays.append(rows.column(name).cast(kind))
        else:
            arrays.append(pa.repeat(pa.scalar(digest if name == "dump" else None, kind), count))
    return pa.table(arrays, pa.schema([pa.field(name, schema.field(name).type) for name in columns]))


def _group_may_hold(parquet: pq.ParquetFile, at: int, selection: Selection) -> bool:
    """Say whether a row group may hold selected rows, by the least and the greatest time in it."""
    if selection.since is None and selection.until is None:
        return True
    group = parquet.metadata.row_group(at)
    for number in range(group.num_columns):
        column = group.column(number)
        if column.path_in_schema == "written_local":
            known = column.statistics
            if known is None or not known.has_min_max:
                return True
            return selection.has_span(known.min, known.max)
    return True


def _identity(schema: pa.Schema) -> list[str]:
    return [*IDENTITY, "section"] if "section" in schema.names else list(IDENTITY)


def once(rows: pa.Table) -> pa.Table:
    """Drop repeated rows of the same record; those of the first file stay."""
    keys = _identity(rows.schema)
    order = [(key, "ascending") for key in (*keys, *RECORD)]
    ordered = rows.take(pc.sort_indices(rows, order))
    if ordered.num_rows < 2:
        return ordered
    new = np.zeros(ordered.num_rows, dtype=np.bool_)
    new[0] = True
    for key in keys:
        codes = ordered.column(key).combine_chunks().dictionary_encode(null_encoding="encode").indices.to_numpy()
        new[1:] |= np.diff(codes) != 0
    return ordered.filter(pa.array(new))


def once_on_spark(frame: "DataFrame", keys: Sequence[str]) -> "DataFrame":
    """Drop repeated rows of the same record, as `once` does, in a DataFrame of Spark."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F  # noqa: N812

    first = Window.partitionBy(*keys).orderBy(*RECORD)
    return frame.withColumn("_n", F.row_number().over(first)).where("_n = 1").drop("_n")
