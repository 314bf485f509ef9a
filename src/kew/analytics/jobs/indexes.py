"""Queues that should be indexed: gets that look for one message and skip many others."""

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from kew.analytics.jobs.columns import manager, number, ratio

MANY: Final = 10.0  # messages skipped for a specific get
LEAST: Final = 100  # messages skipped by one task below which they say nothing


def index_advice(queues: DataFrame, many: float = MANY) -> DataFrame:
    """Give each queue with skipped messages: skips for each get, their cost, and advice.

    A queue should be indexed where some task skips many messages for each of its gets, whatever others do: a task that
    takes the next message skips none. The processor time that an index would save is estimated as the share of skipped
    among all messages looked at.
    """
    specific = number("GETS") + number("GETBRWS")
    of_task = F.when(number("GETSMSG") >= LEAST, ratio(number("GETSMSG"), specific))
    grouped = queues.groupBy(*manager(), F.col("BASENAME").alias("queue")).agg(
        F.max("INDXTYPE").alias("index_type"),
        F.sum(specific).alias("specific_gets"),
        F.sum(number("VALIDGET")).alias("messages_got"),
        F.sum(number("GETSMSG")).alias("skipped"),
        F.sum(number("GETCT")).alias("get_cpu_us"),
        F.max("MAXQDPTH").alias("deepest"),
        F.max(of_task).alias("worst_skipped_per_get"),
        F.countDistinct("CORREL").alias("tasks"),
    )
    skipped_for_one = ratio(F.col("skipped"), F.col("specific_gets"))
    saving = F.col("get_cpu_us") * ratio(F.col("skipped"), F.col("skipped") + F.col("messages_got"))
    advice = (
        F.when(
            (F.col("worst_skipped_per_get") > many) & (F.col("index_type") == 0), "index by message or correlation id"
        )
        .when(
            (F.col("worst_skipped_per_get") > many) & (F.col("index_type") > 0),
            "index is of another type than the gets need",
        )
        .otherwise("none")
    )
    return (
        grouped.where("skipped > 0")
        .withColumn("skipped_per_get", skipped_for_one)
        .withColumn("saved_cpu_us", F.coalesce(saving, F.lit(0.0)))
        .withColumn("advice", advice)
    )
