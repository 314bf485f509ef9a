"""Consumers that do not keep up: queues that grow, hold old messages, or have no consumer."""

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from kew.analytics.jobs.columns import manager, number, ratio, seconds, total
from kew.analytics.smf.tables import MANAGER

BEHIND: Final = 0.95  # gets for a put below which a consumer falls behind
OLD: Final = 300  # seconds that a message may wait


def slow_consumers(queues: DataFrame, old: int = OLD) -> DataFrame:
    """Compute for each queue the rates of puts and gets, the change of depth, and a verdict.

    `verdict`: `no consumer` where messages wait and no program has the queue open for input; `stalled` where a program
    has it open and gets nothing; `falling behind`; `old messages` where the oldest waits too long although gets keep up
    with puts; `keeping up`.
    """
    grouped = queues.groupBy(*manager(), F.col("QQSTQNAM").alias("queue")).agg(
        F.count("*").alias("intervals"),
        F.sum(seconds()).alias("length"),
        F.min_by("QQSTDPTH", "interval_start").alias("first_depth"),
        F.max_by("QQSTDPTH", "interval_start").alias("depth"),
        F.max_by("QQSTIPCT", "interval_start").alias("consumers"),
        F.max_by("QQSTMAGE", "interval_start").alias("oldest_seconds"),
        F.sum(total("QQSTPUTS", "QQSTPUT1", "QQSTSTRM")).alias("puts"),
        F.sum(total("QQSTGETS", "QQSTEXPR")).alias("gets"),
        F.sum(number("QQSTRBGT")).alias("rolled_back"),
        F.max("QQSTQTST").alias("time_on_queue_us"),
    )
    growing = (F.col("depth") > F.col("first_depth")) & (F.col("gets") < F.col("puts") * BEHIND)
    return grouped.select(
        *MANAGER,
        "queue",
        "intervals",
        ratio(F.col("puts"), F.col("length")).alias("puts_per_second"),
        ratio(F.col("gets"), F.col("length")).alias("gets_per_second"),
        "first_depth",
        "depth",
        ratio(F.col("puts") - F.col("gets"), F.col("length")).alias("growth_per_second"),
        ratio(F.col("depth").cast("double"), F.col("gets") / F.col("length")).alias("drain_seconds"),
        "consumers",
        "oldest_seconds",
        "time_on_queue_us",
        "rolled_back",
        F.when((F.col("depth") > 0) & (F.col("consumers") == 0), "no consumer")
        .when((F.col("depth") > 0) & (F.col("gets") == 0), "stalled")
        .when(growing, "falling behind")
        .when(F.col("oldest_seconds") > old, "old messages")
        .otherwise("keeping up")
        .alias("verdict"),
    )
