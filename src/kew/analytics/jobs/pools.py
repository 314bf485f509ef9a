"""Buffer pools: how long messages stay in each, and advice on its size."""

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from kew.analytics.jobs.columns import manager, number
from kew.analytics.reports.rules import SMALLEST_POOL
from kew.analytics.smf.tables import MANAGER

THRESHOLD: Final = 0.85  # of the buffers in use: from here on pages are written behind the program's back
SPARE: Final = 0.7  # of the buffers in use at the worst moment that a new size aims at
MANY: Final = 100  # page gets or reads below which they say nothing
LITTLE: Final = 0.1  # of the buffers in use at the worst moment: the pool could be smaller
SPAN: Final = 7 - 1 / 8  # days that say what a pool is used for: no pool is made smaller for what one night showed


def buffer_pool_advice(pools: DataFrame) -> DataFrame:
    """Give for each pool its class, its performance, and the number of buffers it should have.

    `class`: `short-lived` messages never leave the pool; `long-lived` ones are written and read back; `mixed` are
    written but hardly read; `idle` was not used. A short-lived pool gets buffers until its worst moment is below the
    threshold; for a long-lived one more buffers gain little unless programs had to wait. A pool is made smaller only
    where a week of records says that it can be.
    """
    grouped = (
        pools.where("QPSTNBUF > 0")
        .groupBy(*manager(), F.col("QPSTPOOL").alias("pool"))
        .agg(
            F.count("*").alias("intervals"),
            ((F.max(F.unix_micros("recorded")) - F.min(F.unix_micros("interval_start"))) / 86_400e6).alias("days"),
            F.max_by("QPSTNBUF", "interval_start").alias("buffers"),
            F.max(F.col("QPSTNBUF") - F.col("QPSTCBSL")).alias("most_used"),
            F.max(1 - F.col("QPSTCBSL") / F.col("QPSTNBUF")).alias("worst"),
            F.sum(number("QPSTGETP") + number("QPSTGETN")).alias("gets"),
            F.sum(number("QPSTRIO")).alias("reads"),
            F.sum(number("QPSTTPW")).alias("writes"),
            F.sum(number("QPSTDWT")).alias("deferred"),
            F.sum(number("QPSTDMC")).alias("synchronous"),
            F.sum(number("QPSTSOS")).alias("short"),
        )
    )
    kind = (
        F.when(F.col("gets") == 0, "idle")
        .when((F.col("reads") >= MANY) & (F.col("reads") > 0.01 * F.col("gets")), "long-lived")
        .when((F.col("deferred") == 0) & (F.col("reads") == 0), "short-lived")
        .otherwise("mixed")
    )
    classed = grouped.withColumn("class", kind)
    fitting = F.greatest(F.ceil(F.col("most_used") / SPARE), F.lit(SMALLEST_POOL)).cast("long")
    doubled = (F.col("buffers") * 2).cast("long")
    half_more = F.ceil(F.col("buffers") * 1.5).cast("long")
    waited = (F.col("short") > 0) | (F.col("synchronous") > 0)
    oversized = (F.col("worst") < LITTLE) & (fitting < F.col("buffers") * 0.5)
    shrink = oversized & (F.col("days") >= SPAN)
    enlarge = (F.col("class") != "long-lived") & (F.col("worst") >= THRESHOLD) & (F.col("gets") >= MANY)
    # A pool that met the threshold hides how much it would have liked: the step is a guess, to be looked at again.
    advised = (
        F.when(waited, doubled)
        .when(enlarge, F.greatest(half_more, fitting))
        .when(shrink, fitting)
        .otherwise(F.col("buffers").cast("long"))
    )
    reason = (
        F.when(waited, "programs waited for buffers or for their pages to be written")
        .when(enlarge, "the pool passed 85 percent in use and messages were written that need not have been")
        .when(shrink, "most buffers were never used")
        .when(oversized, "most buffers were never used, in less than a week")
        .when(F.col("class") == "long-lived", "messages stay long: more buffers would not keep them")
        .otherwise("large enough")
    )
    return classed.select(
        *MANAGER,
        "pool",
        "class",
        "intervals",
        "buffers",
        "most_used",
        (100 * F.col("worst")).alias("worst_percent"),
        "reads",
        "writes",
        "deferred",
        "synchronous",
        "short",
        advised.alias("advised_buffers"),
        reason.alias("reason"),
    )
