"""Rows of tables from dumps, or from a store that dumps were ingested into."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from kew.analytics.smf.read import decode_dumps
from kew.analytics.smf.selection import Selection
from kew.analytics.smf.store import Store

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def store_of(names: Sequence[str]) -> Store | None:
    """Give the store that `names` name, None where they name dumps; a mixture is refused."""
    stores = [name for name in names if Store.is_store(name)]
    if stores and len(names) > 1:
        raise ValueError(f"{stores[0]} is a store: it cannot be read together with other files")
    return Store(stores[0]) if stores else None


def rows_here(
    names: Sequence[str], columns: Mapping[str, Sequence[str]], selection: Selection | None = None
) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Give batches of selected rows with the wanted columns, in this process; of a store only their files are read."""
    chosen = selection or Selection()
    store = store_of(names)
    if store is None:
        for _, decoded in decode_dumps(names, list(columns), columns):
            for table in columns:
                rows = chosen.of(table).rows(decoded.tables[table])
                if rows.num_rows:
                    yield table, rows
        return
    for table, wanted in columns.items():
        for batch in store.batches(table, list(wanted), chosen.of(table)):
            yield table, batch


def frame_of(
    spark: "SparkSession",
    names: Sequence[str],
    table: str,
    columns: Sequence[str] | None = None,
    selection: Selection | None = None,
) -> "DataFrame":
    """Give the selected rows of a table as a DataFrame."""
    chosen = (selection or Selection()).of(table)
    store = store_of(names)
    if store is not None:
        frame = chosen.frame(store.frame(spark, table, chosen))
        return frame if columns is None else frame.select(*columns)
    from kew.analytics.smf.pushdown import options_of

    reader = spark.read.format("kewsmf").option("table", table).options(**options_of(chosen))
    if columns is not None:
        reader = reader.option("columns", ",".join(columns))
    return chosen.frame(reader.load(list(names)))
