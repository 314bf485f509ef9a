"""Points: values of metrics in series, made and grouped by series in this process or by Spark's tasks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kew.analytics.jobs.metrics import POINTS, Metric

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class PointTask:
    """Makes the points of metrics from a Spark task's rows of a table."""

    def __init__(self, metrics: Sequence[Metric], zone: ZoneInfo | None) -> None:
        self._metrics = metrics
        self._zone = zone

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Give the points of a partition."""
        for batch in batches:
            for metric in self._metrics:
                yield metric.points(batch.select(metric.columns), self._zone)


def points_on_spark(
    rows: "Mapping[str, DataFrame]", metrics: Sequence[Metric], zone: ZoneInfo | None = None
) -> "DataFrame":
    """Give the points of metrics from the columns that they need of their tables."""
    from kew.analytics.smf.sparkreader import spark_schema

    points: DataFrame | None = None
    for table, frame in rows.items():
        task = PointTask([metric for metric in metrics if metric.table.name == table], zone)
        some = frame.mapInArrow(task, spark_schema(POINTS))
        points = some if points is None else points.union(some)
    assert points is not None
    return points


def shaped(function: Callable[[pa.Table], pa.Table], schema: pa.Schema) -> Callable[[pa.Table], pa.Table]:
    """Wrap a function so that its argument has the columns and types of a schema, which Spark does not guarantee."""

    def apply(rows: pa.Table) -> pa.Table:
        return function(rows.select(schema.names).cast(schema))

    return apply


def groups(rows: pa.Table, keys: Sequence[str]) -> Iterator[pa.Table]:
    """Give the rows of each key."""
    if not rows.num_rows:
        return
    ordered = rows.take(pc.sort_indices(rows, [(name, "ascending") for name in keys]))
    change = np.zeros(ordered.num_rows - 1, dtype=np.bool_)
    for name in keys:
        codes = ordered.column(name).combine_chunks().dictionary_encode().indices.to_numpy()
        change |= np.diff(codes) != 0
    bounds = [0, *(np.flatnonzero(change) + 1).tolist(), ordered.num_rows]
    for start, end in pairwise(bounds):
        yield ordered.slice(start, end - start)
