"""Computing reports: from dumps or from an ingested store, in this process or on Spark."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from kew.analytics.reports.model import Part, Report, Result, ordered
from kew.analytics.smf.rows import frame_of, rows_here

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Selection:
    """Which rows a report is of: a queue manager, and a span of local time."""

    def __init__(self, qmgr: str = "", since: datetime | None = None, until: datetime | None = None) -> None:
        self.qmgr = qmgr
        self.since = since
        self.until = until

    def rows(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Those of a batch that were selected."""
        if self.qmgr:
            batch = batch.filter(pc.equal(batch.column("qmgr"), self.qmgr))
        if self.since is not None:
            batch = batch.filter(
                pc.greater_equal(batch.column("written_local"), pa.scalar(self.since, pa.timestamp("us")))
            )
        if self.until is not None:
            batch = batch.filter(pc.less(batch.column("written_local"), pa.scalar(self.until, pa.timestamp("us"))))
        return batch


def needed_columns(parts: Sequence[Part]) -> dict[str, list[str]]:
    """What the parts need of each SMF table."""
    needed: dict[str, list[str]] = {}
    for part in parts:
        known = needed.setdefault(part.table.name, [])
        known += [column for column in part.columns if column not in known]
    return needed


def run_here(report: Report, names: Sequence[str], selection: Selection | None = None) -> Result:
    """A report on dumps or a store, in this process; of a dump only a chunk is in memory, beside the report's rows."""
    chosen = selection or Selection()
    found: dict[str, list[pa.RecordBatch]] = {part.name: [] for part in report.parts}
    for table, batch in rows_here(names, needed_columns(report.parts)):
        for part in report.parts:
            if part.table.name == table:
                found[part.name].append(part.apply(chosen.rows(batch.select(part.columns))))
    return Result(
        report, {part.name: ordered(pa.Table.from_batches(found[part.name], part.schema)) for part in report.parts}
    )


def run_on_spark(
    report: Report, spark: "SparkSession", names: Sequence[str], selection: Selection | None = None
) -> Result:
    """The same report on the same rows, decoded and computed by Spark's tasks."""
    tables: dict[str, pa.Table] = {}
    for part in report.parts:
        tables[part.name] = collect(part, frame_of(spark, names, part.table.name, part.columns), selection)
    return Result(report, tables)


def collect(part: Part, frame: "DataFrame", selection: Selection | None = None) -> pa.Table:
    """The rows of a part from a DataFrame of its table."""
    from kew.analytics.smf.source import spark_schema

    rows = frame.select(*part.columns).mapInArrow(PartTask(part, selection or Selection()), spark_schema(part.schema))
    return ordered(rows.toArrow().cast(part.schema))


class PartTask:
    """What a Spark task does with its rows of a part's table."""

    def __init__(self, part: Part, selection: Selection) -> None:
        self.part = part
        self.selection = selection

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The rows of the part that a partition gives."""
        for batch in batches:
            yield self.part.apply(self.selection.rows(batch))
