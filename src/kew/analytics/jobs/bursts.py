"""Bursts: whether the messages of a minute are spread evenly over its seconds.

A minute with 100,000 messages can be 1,667 in each second, or all of them in three. Statistics at intervals of one to
five seconds show the difference; longer intervals cannot, and the verdict is then `too coarse`.
"""

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from kew.analytics.jobs.columns import listed, manager, ratio, seconds, total
from kew.analytics.smf.tables import MANAGER

BURST: Final = 2.0  # the busiest interval has at least this many times the mean rate
FEWEST: Final = 4  # intervals in a window that make a distribution


def queue_messages(queues: DataFrame) -> DataFrame:
    """Give the number of messages in each interval, by queue, from rows of QQST."""
    return queues.select(
        *manager(),
        F.col("QQSTQNAM").alias("queue"),
        F.col("interval_start"),
        seconds().alias("length"),
        total("QQSTPUTS", "QQSTPUT1", "QQSTSTRM").alias("messages"),
    )


def manager_messages(managers: DataFrame) -> DataFrame:
    """Give the number of messages in each interval, for the whole queue manager, from rows of QMST."""
    return managers.select(
        *manager(),
        F.lit("").alias("queue"),
        F.col("interval_start"),
        seconds().alias("length"),
        total("QMSTPUT", "QMSTPUT1").alias("messages"),
    )


def bursts(messages: DataFrame, window: int = 60) -> DataFrame:
    """Compute how the messages of each window of `window` seconds are spread over its intervals.

    `verdict` is `bursts` where the busiest interval has at least twice the mean rate, `even` where it has less, `idle`
    without messages, and `too coarse` where the window has fewer than four intervals.
    """
    keys = [*MANAGER, "queue"]
    rated = messages.where("length > 0").withColumn("rate", F.col("messages") / F.col("length"))
    counts = F.sort_array(F.collect_list("messages"), asc=False)
    busiest = F.max_by(F.col("interval_start"), F.struct(F.col("rate"), F.col("interval_start")))
    grouped = rated.groupBy(*keys, F.window("interval_start", f"{window} seconds").alias("span")).agg(
        F.count("*").alias("intervals"),
        F.sum("messages").alias("messages"),
        F.sum("length").alias("length"),
        F.max("rate").alias("peak_rate"),
        busiest.alias("peak_at"),
        F.coalesce(F.stddev_pop("rate"), F.lit(0.0)).alias("deviation"),
        counts.alias("counts"),
    )
    tenth = F.greatest(F.ceil(F.col("intervals") * 0.1), F.lit(1)).cast("int")
    top = F.aggregate(F.slice("counts", F.lit(1), tenth), F.lit(0.0), lambda sum_, one: sum_ + one)
    mean = F.col("messages") / F.col("length")
    answered = grouped.select(
        *listed(keys),
        F.col("span.start").alias("window_start"),
        "intervals",
        "messages",
        mean.alias("mean_rate"),
        "peak_rate",
        "peak_at",
        ratio(F.col("peak_rate"), mean).alias("peak_to_mean"),
        ratio(F.col("deviation"), mean).alias("variation"),
        ratio(100 * top, F.col("messages")).alias("busiest_tenth_percent"),
    )
    return answered.withColumn(
        "verdict",
        F.when(F.col("intervals") < FEWEST, "too coarse")
        .when(F.col("messages") == 0, "idle")
        .when(F.col("peak_to_mean") >= BURST, "bursts")
        .otherwise("even"),
    )
