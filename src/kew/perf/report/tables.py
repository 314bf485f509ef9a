"""The Spark job: from all points that were ever measured to the curves and peaks of a report.

The newest run of each scenario counts, or the runs of one label. Repeats of a point become their median; the peak is
the point of a curve with the highest rate.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_MEDIANS: Final = (
    "rate",
    "megabytes",
    "mean",
    "p50",
    "p95",
    "p99",
    "longest",
    "cpu_qmgr",
    "cpu_clients",
    "cores_qmgr",
    "cores_others",
    "rss",
    "rss_before",
    "log_busy",
    "overhead",
)
_SUMS: Final = ("puts", "gets", "copies", "expired", "failures", "units", "log_bytes", "log_syncs")
_FIRST: Final = (
    "title",
    "source",
    "picture",
    "kind",
    "binding",
    "persistent",
    "size",
    "settings",
    "host",
    "label",
    "run",
)


@dataclass
class Tables:
    """The tables of a report."""

    curves: list[dict[str, Any]]  # a row for each scenario, variant and number of clients
    peaks: list[dict[str, Any]]  # the best of each
    points: list[dict[str, Any]]  # the points of the peaks, with samples and histograms


def load_points(session: "SparkSession", folder: Path, label: str = "") -> "DataFrame":
    """Read the newest run of each scenario."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    points = session.read.parquet(str(folder))
    if label:
        points = points.filter(f.col("label") == label)
    newest = Window.partitionBy("scenario", "variant")
    return points.withColumn("newest", f.max("run").over(newest)).filter("run = newest").drop("newest")


def curves_of(points: "DataFrame") -> "DataFrame":
    """Give the median of the repeats of each point, with figures per client and per message."""
    from pyspark.sql import functions as f

    grouped = points.groupBy("scenario", "variant", "clients").agg(
        *[f.median(name).alias(name) for name in _MEDIANS],
        *[f.sum(name).alias(name) for name in _SUMS],
        *[f.first(name).alias(name) for name in _FIRST],
        f.count("*").alias("repeats"),
        f.coalesce(f.stddev("rate") / f.avg("rate"), f.lit(0.0)).alias("spread"),
        f.sum(f.abs("ledger") + f.abs("ledger_copies")).alias("missing"),
        f.max("depth_copies").alias("depth_copies"),
        f.max(f.col("partial").cast("int")).alias("partial"),
    )
    return (
        grouped.withColumn("log_bytes_unit", f.col("log_bytes") / f.greatest(f.col("units"), f.lit(1)))
        .withColumn("syncs_unit", f.col("log_syncs") / f.greatest(f.col("units"), f.lit(1)))
        .withColumn("kilobytes_client", (f.col("rss") - f.col("rss_before")) * 1000 / f.col("clients"))
    )


def peaks_of(curves: "DataFrame") -> "DataFrame":
    """Give the number of clients at which each scenario has its highest rate."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    best = Window.partitionBy("scenario", "variant").orderBy(f.desc("rate"), "clients")
    return curves.withColumn("place", f.row_number().over(best)).filter("place = 1").drop("place")


def make_tables(session: "SparkSession", folder: Path, label: str = "") -> Tables:
    """Compute all tables; the result is small."""
    points = load_points(session, folder, label).cache()
    curves = curves_of(points).cache()
    peaks = peaks_of(curves)
    keys = ["scenario", "variant", "clients"]
    detailed = points.join(peaks.select(*keys), keys).filter("repeat = 1")
    columns = [*keys, "samples", "histogram", "verbs"]
    return Tables(
        [row.asDict(recursive=True) for row in curves.orderBy(*keys).collect()],
        [row.asDict(recursive=True) for row in peaks.orderBy(*keys).collect()],
        [row.asDict(recursive=True) for row in detailed.select(*columns).orderBy(*keys).collect()],
    )
