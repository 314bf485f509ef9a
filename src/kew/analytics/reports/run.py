"""Computes reports from dumps or from an ingested store, in this process or on Spark."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from kew.analytics.reports.model import Part, Report, Result, ordered
from kew.analytics.smf.remarks import Remarks
from kew.analytics.smf.scan import REMARKED, Made, Remarking, Rows, Work, remarked, scan_here, scan_on_spark, unpacked
from kew.analytics.smf.selection import Selection
from kew.analytics.smf.tables import REMARKS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def needed_columns(parts: Sequence[Part]) -> dict[str, list[str]]:
    """Give the columns that the parts need of each SMF table."""
    needed: dict[str, list[str]] = {}
    for part in parts:
        known = needed.setdefault(part.table.name, [])
        known += [column for column in part.columns if column not in known]
    return needed


class ReportWork(Work):
    """Computes the parts of a report from rows; each part is an output."""

    def __init__(self, report: Report, selection: Selection | None = None) -> None:
        self.report = report
        self.selection = selection or Selection()

    def columns(self) -> dict[str, list[str]]:
        """Give the columns that the parts need of each table."""
        return needed_columns(self.report.parts)

    def outputs(self, rows: Rows) -> Iterator[Made]:
        """Give the rows of the parts."""
        for table, batch in rows:
            for part in self.report.parts:
                if part.table.name == table:
                    yield part.name, 0, pa.Table.from_batches([part.apply(batch.select(part.columns))])


def run_here(
    report: Report,
    names: Sequence[str],
    selection: Selection | None = None,
    workers: int = 1,
    remarks: Remarks | None = None,
) -> Result:
    """Make a report on dumps or a store, in this process, or of large dumps in several processes.

    Only a chunk of the dump and the report's rows are in memory.
    """
    found = {part.name: [part.schema.empty_table()] for part in report.parts}
    work = Remarking(ReportWork(report, selection))
    for output, _, rows in remarked(scan_here(names, work, workers), remarks):
        found[output].append(rows)
    return Result(report, {name: ordered(pa.concat_tables(tables)) for name, tables in found.items()})


def run_on_spark(
    report: Report,
    spark: "SparkSession",
    names: Sequence[str],
    selection: Selection | None = None,
    remarks: Remarks | None = None,
) -> Result:
    """Make the same report on the same rows, decoded once and computed by Spark's tasks in one job for all parts."""
    rows = scan_on_spark(spark, names, Remarking(ReportWork(report, selection))).toArrow()
    if remarks is not None:
        remarks.add(unpacked(rows, REMARKS, REMARKED))
    return Result(report, {part.name: ordered(unpacked(rows, part.name, part.schema)) for part in report.parts})
