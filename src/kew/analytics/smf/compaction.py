"""Compaction: merges the many small files of a table, day and queue manager into a few large ones, from any inputs.

A compaction file lists the large files and the small ones that they replace. Like a manifest it is written last and in
one step: until then the store is as it was, and from then on the large files are read and the small ones are not. The
next ingestion or compaction removes the small files, so that a reader that has begun with them can continue until then.
"""

import hashlib
import os
import uuid
from collections.abc import Sequence
from typing import Final

import pyarrow.parquet as pq

from kew.analytics.smf.ingest import ROW_GROUP, with_spark_schema
from kew.analytics.smf.selection import Selection
from kew.analytics.smf.store import Compaction, Output, Store, read_file

TARGET: Final = 128 << 20  # bytes of a file that is large enough


def compact(folder: str, target: int = TARGET) -> Compaction:
    """Merge the small files of a store; give the merged files with those they replace."""
    if not Store.is_store(folder):
        raise ValueError(f"{folder} is not a store; 'kew smf ingest' makes one")
    store = Store(folder)
    done = Compaction()
    with store.locked():
        store.sweep()
        leaves: dict[tuple[str, str], list[tuple[Output, str]]] = {}
        for output, digest in store.outputs():
            leaves.setdefault((output.table, os.path.dirname(output.path)), []).append((output, digest))
        for (table, leaf), files in sorted(leaves.items()):
            for group in _groups(store, files, target):
                done.outputs.append(_merge(store, table, leaf, group))
                done.replaced += [output.path for output, _ in group]
        done.inputs = sorted({manifest.digest for manifest in store.manifests()})
        if done.outputs:
            store.publish_compaction(done)
    return done


def _groups(store: Store, files: list[tuple[Output, str]], target: int) -> list[list[tuple[Output, str]]]:
    """Give groups of files that together are at most as large as the target; large files are left out."""
    found: list[list[tuple[Output, str]]] = []
    room = 0
    for output, digest in sorted(files, key=lambda one: one[0].path):
        size = os.path.getsize(store.folder / output.path)
        if size >= target:
            continue
        if size > room or not found:
            found.append([])
            room = target
        found[-1].append((output, digest))
        room -= size
    return [group for group in found if len(group) > 1]


def _merge(store: Store, table: str, leaf: str, files: Sequence[tuple[Output, str]]) -> Output:
    schema = store.schema(table)
    names = "\n".join(output.path for output, _ in files)
    path = f"{leaf}/compacted-{hashlib.sha256(names.encode()).hexdigest()[:16]}.parquet"
    part = store.folder / leaf / f".{uuid.uuid4().hex}.tmp"
    rows = 0
    writer = pq.ParquetWriter(
        part,
        with_spark_schema(schema),
        compression="zstd",
        use_dictionary=[field.name for field in schema if str(field.type) in ("string", "binary")],
        write_statistics=[name for name in ("recorded", "written_local") if name in schema.names],
    )
    with writer:
        for output, digest in files:
            read = read_file(str(store.folder / output.path), digest, schema, schema.names, Selection())
            writer.write_table(read.cast(writer.schema), row_group_size=ROW_GROUP)
            rows += read.num_rows
    with open(part, "rb") as file:
        os.fsync(file.fileno())
    os.replace(part, store.folder / path)
    return Output(table, path, rows)
