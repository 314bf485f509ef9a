"""The model of a report: parts, each a table of cells with a label and a formula.

A part turns rows of one SMF table into rows of the report, without looking at other rows. The same function therefore
serves a chunk of a dump in this process and a partition on Spark, and both give the same numbers.
"""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kew.analytics.reports.expressions import Formula
from kew.analytics.smf.tables import MANAGER, RECORD, Table, table_named
from kew.formats.smf import CODES

CellValue = int | float | str | bytes | bool | datetime | Decimal | None

# The first columns of every row of a report, and its order.
KEYS: Final = (
    "system",
    "qmgr",
    "subsystem",
    "qsg",
    "release",
    "vrm",
    "written_local",
    "recorded",
    "interval_start",
    "interval_start_local",
    "duration_us",
    "utc_offset",
    "file",
    "dump",
    "offset",
    "section",
)
ORDER: Final = ("written_local", *MANAGER, "file", *RECORD, "section")


class Cell:
    """One value of a row.

    `formula` is a column's name, taken as it is, or a formula, whose value is a number. `show` is how text and HTML
    write it: a format of Python's, or `text`, `code`, `time`, `yes` (a number as Yes or No), `hex`, `us` (cut to whole
    microseconds), `short` (two decimals below ten, none above).
    """

    def __init__(self, name: str, label: str, formula: str, show: str = "d", unit: str = "") -> None:
        self.name = name
        self.label = label
        self.formula = formula
        self.show = show
        self.unit = unit

    @property
    def numeric(self) -> bool:
        """Say whether the value is a number, which tables align to the right."""
        return self.show not in ("text", "code", "time", "yes", "hex")


class Part:
    """A list of cells over one SMF table; `when` keeps only the rows where it holds."""

    def __init__(self, name: str, title: str, table: str, cells: Sequence[Cell], when: str = "", lines: bool = False):
        self.name = name
        self.title = title
        self.table: Table = table_named(table)
        self.cells = list(cells)
        self.lines = lines  # shown as lines of label and value, not as a table
        self._when = Formula(when) if when else None
        self._formulas: dict[str, Formula] = {}
        self._needed: set[str] = {key for key in KEYS if key in self.table.column}
        for cell in self.cells:
            if cell.formula in self.table.column:
                self._needed.add(cell.formula)
            else:
                formula = Formula(cell.formula)
                self._formulas[cell.name] = formula
                self._needed |= formula.columns
        if self._when is not None:
            self._needed |= self._when.columns
        for column in self._needed:
            if column not in self.table.column:
                raise ValueError(f"report part {name}: table {self.table.name} has no column {column}")
        names = [*KEYS, *(cell.name for cell in self.cells)]
        if len(set(names)) != len(names):
            raise ValueError(f"report part {name} has a cell twice")

    @property
    def columns(self) -> list[str]:
        """Give the columns of the SMF table that the part needs, in the table's order."""
        return [column for column in self.table.column if column in self._needed]

    @property
    def schema(self) -> pa.Schema:
        """Give the schema of the part's rows."""
        fields = [pa.field(key, self.table.column[key].type) for key in KEYS]
        for cell in self.cells:
            fields.append(pa.field(cell.name, self._type(cell)))
        return pa.schema(fields)

    def _type(self, cell: Cell) -> pa.DataType:
        if cell.name in self._formulas:
            return pa.float64()
        return pa.string() if cell.show == "code" else self.table.column[cell.formula].type

    def apply(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Make the part's rows from rows of the table."""
        if self._when is not None:
            batch = batch.filter(pa.array(self._when.holds(batch)))
        arrays = [batch.column(key) for key in KEYS]
        for cell in self.cells:
            formula = self._formulas.get(cell.name)
            if formula is not None:
                value = formula.evaluate(batch)
                arrays.append(pa.array(value, mask=np.isnan(value)))
            elif cell.show == "code":
                arrays.append(_coded(batch.column(cell.formula), self.table.column[cell.formula].codes))
            else:
                arrays.append(batch.column(cell.formula))
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)


def _coded(column: pa.Array, codelist: str) -> pa.Array:
    """Give the names of codes; a code without a name is shown as a number."""
    codes = CODES[codelist]
    encoded = column.dictionary_encode()
    names = [codes.get(code, str(code)) for code in encoded.dictionary.to_pylist()]
    return pa.array(names, pa.string()).take(encoded.indices)


class Chart:
    """A line over time: a cell of a part, one line for each object."""

    def __init__(self, title: str, part: str, cell: str, label: str, each: str = "") -> None:
        self.title = title
        self.part = part
        self.cell = cell
        self.label = label
        self.each = each  # the cell that names the object; empty for one line for each queue manager


class Report:
    """A named set of parts."""

    def __init__(self, name: str, title: str, parts: Sequence[Part], charts: Sequence[Chart] = ()) -> None:
        self.name = name
        self.title = title
        self.parts = list(parts)
        self.charts = list(charts)
        cells = {part.name: {cell.name for cell in part.cells} for part in self.parts}
        for chart in self.charts:
            if not {chart.cell, chart.each or chart.cell} <= cells[chart.part]:
                raise ValueError(f"report {name}: chart {chart.title} names no cell of {chart.part}")


class Result:
    """A report with its rows, by part, in order."""

    def __init__(self, report: Report, tables: dict[str, pa.Table]) -> None:
        self.report = report
        self.tables = tables

    def rows(self, part: str) -> list[dict[str, CellValue]]:
        """Give the rows of a part."""
        rows: list[dict[str, CellValue]] = self.tables[part].to_pylist()
        return rows


def ordered(table: pa.Table) -> pa.Table:
    """Sort rows by time, then by origin, in an order that does not depend on how they were computed."""
    order = pc.sort_indices(table, [(key, "ascending") for key in ORDER])
    return table.take(order)
