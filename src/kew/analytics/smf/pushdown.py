"""Filters that Spark leaves to the reader of dumps: rows that nobody wants are not decoded, and never leave the task.

Taken are comparisons of names, whole numbers and local times with a value, and that a column is there. Everything else
stays with Spark. The columns of the filters are decoded first; a batch of which no row is left is not decoded further.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import (
    EqualTo,
    Filter,
    GreaterThan,
    GreaterThanOrEqual,
    In,
    InputPartition,
    IsNotNull,
    LessThan,
    LessThanOrEqual,
    StringStartsWith,
)

from kew.analytics.smf.sparkreader import ROWS, Settings, Share, SmfReader
from kew.analytics.smf.tables import LOCAL, table_named

ENABLED: Final = "spark.sql.python.filterPushdown.enabled"  # without it a reader that takes filters cannot be read
OPTION: Final = "pushdown"

_COMPARED: Final[dict[type[Filter], Callable[[pa.Array, pa.Scalar], pa.Array]]] = {
    EqualTo: pc.equal,
    GreaterThan: pc.greater,
    GreaterThanOrEqual: pc.greater_equal,
    LessThan: pc.less,
    LessThanOrEqual: pc.less_equal,
}


class Condition:
    """A condition on one column."""

    def __init__(self, column: str, one: Filter) -> None:
        self.column = column
        self._filter = one

    def holds(self, values: pa.Array) -> pa.Array:
        """Give for each value whether it is so; null is not."""
        one = self._filter
        if isinstance(one, IsNotNull):
            return pc.is_valid(values)
        if isinstance(one, In):
            return pc.is_in(values, pa.array(list(one.value), values.type))
        if isinstance(one, StringStartsWith):
            return pc.fill_null(pc.starts_with(values, one.value), False)
        compare = _COMPARED[type(one)]
        return pc.fill_null(compare(values, pa.scalar(one.value, values.type)), False)  # type: ignore[attr-defined]


def condition_of(one: Filter, schema: pa.Schema) -> Condition | None:
    """Give the condition that a filter is, None where it is one for Spark."""
    path: list[str] = list(getattr(one, "attribute", ()))
    if len(path) != 1 or path[0] not in schema.names:
        return None
    kind = schema.field(path[0]).type
    if isinstance(one, IsNotNull):
        return Condition(path[0], one)
    if isinstance(one, In):
        fits = all(_fits(value, kind) for value in one.value)
    elif isinstance(one, StringStartsWith):
        fits = pa.types.is_string(kind)
    else:
        fits = type(one) in _COMPARED and _fits(one.value, kind)  # type: ignore[attr-defined]
    return Condition(path[0], one) if fits else None


def _fits(value: object, kind: pa.DataType) -> bool:
    """Say whether a value has the type that makes a comparison here the same as one of Spark's."""
    if pa.types.is_string(kind):
        return isinstance(value, str)
    if pa.types.is_integer(kind):
        bits = kind.bit_width - 1
        return isinstance(value, int) and not isinstance(value, bool) and -(1 << bits) <= value < 1 << bits
    return kind == LOCAL and isinstance(value, datetime) and value.tzinfo is None


class FilteringReader(SmfReader):
    """A reader of dumps that takes filters."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.conditions: list[Condition] = []

    def pushFilters(self, filters: list[Filter]) -> Iterator[Filter]:  # noqa: N802
        """Take filters; gives those that Spark is to apply."""
        schema = table_named(self.table).schema()
        for one in filters:
            condition = condition_of(one, schema)
            if condition is None:
                yield one
            else:
                self.conditions.append(condition)

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The rows of one share that fulfil the conditions."""
        if not self.conditions:
            yield from super().read(partition)
        elif isinstance(partition, Share):
            yield from self._read_some(partition)

    def _read_some(self, share: Share) -> Iterator[pa.RecordBatch]:
        from kew.analytics.smf.decode import Decoder
        from kew.analytics.smf.files import read_batches

        asked = list(dict.fromkeys(condition.column for condition in self.conditions))
        first = Decoder([self.table], {self.table: asked})
        whole = Decoder([self.table], None if self.columns is None else {self.table: self.columns})
        for piece in share.pieces:
            for batch in read_batches(piece):
                tested = first.decode(batch, piece.dump.path, piece.dump.digest).tables[self.table]
                wanted = fulfilled(self.conditions, tested)
                if not pc.any(wanted).as_py():
                    continue
                rows = whole.decode(batch, piece.dump.path, piece.dump.digest).tables[self.table].filter(wanted)
                for at in range(0, rows.num_rows, ROWS):
                    yield rows.slice(at, ROWS)

    def _identified(self) -> bool:
        return super()._identified() or any(condition.column == "dump" for condition in self.conditions)


def fulfilled(conditions: Sequence[Condition], rows: pa.RecordBatch) -> pa.Array:
    """Give for each row whether it fulfils all conditions."""
    held = [condition.holds(rows.column(condition.column)) for condition in conditions]
    found = held[0]
    for one in held[1:]:
        found = pc.and_(found, one)
    return found
