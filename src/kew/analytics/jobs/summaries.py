"""Summaries over tasks: TASKSUM by job, user or channel, and QSUM by queue."""

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from kew.analytics.jobs.columns import manager, number, ratio, record, total
from kew.analytics.jobs.costs import QUEUE_CPU, TASK_CPU, TOPIC_CPU, user
from kew.analytics.smf.tables import MANAGER, RECORD

TASKS_BY: Final = ("job", "user", "channel")
_TASK_ELAPSED: Final = ("WTASCMET", "WTASBAET", "WTASPRET", "WTASOTET", "WTASSUET", "WTASSQET")
_TASK_CALLS: Final = ("WTASCMN", "WTASBAN", "WTASPRN", "WTASOTN", "WTASSUN", "WTASSQN")
_QUEUE_ELAPSED: Final = ("OPENET", "CLOSEET", "GETET", "PUTET", "PUT1ET", "INQET", "SETET", "CBET")
_QUEUE_CALLS: Final = ("OPENN", "CLOSEN", "GETN", "PUTN", "PUT1N", "INQN", "SETN", "CBN")


def tasks_summed(identities: DataFrame, tasks: DataFrame, queues: DataFrame, by: str = "job") -> DataFrame:
    """Give TASKSUM: tasks, elapsed and processor time, calls, messages and log bytes, from WTID, WTAS and WQ."""
    if by not in TASKS_BY:
        raise ValueError(f"tasks are summed by {', '.join(TASKS_BY)}, not by {by}")
    name = {"job": F.col("WTIDCCN"), "user": user(), "channel": F.col("WTIDCHL")}[by]
    who = identities.select(*record(), *manager(), name.alias(by)).dropDuplicates(list(RECORD))
    none = F.lit(0.0)
    lines = tasks.select(
        *record(),
        "CORREL",
        total(*_TASK_ELAPSED).alias("elapsed_us"),
        total(*TASK_CPU).alias("cpu_us"),
        total(*_TASK_CALLS).alias("calls"),
        number("WTASCMN").alias("commits"),
        number("WTASBAN").alias("backouts"),
        none.alias("messages_put"),
        none.alias("messages_got"),
        number("WTASJWB").alias("log_bytes"),
        number("WTASJCN").alias("log_forces"),
    ).unionByName(
        queues.select(
            *record(),
            "CORREL",
            total(*_QUEUE_ELAPSED).alias("elapsed_us"),
            total(*QUEUE_CPU, *TOPIC_CPU).alias("cpu_us"),
            total(*_QUEUE_CALLS).alias("calls"),
            none.alias("commits"),
            none.alias("backouts"),
            number("VALIDPUT").alias("messages_put"),
            number("VALIDGET").alias("messages_got"),
            none.alias("log_bytes"),
            none.alias("log_forces"),
        )
    )
    sums = [name for name in lines.columns if name not in (*RECORD, "CORREL")]
    grouped = (
        lines.join(who, list(RECORD))
        .groupBy(*MANAGER, by)
        .agg(F.countDistinct("CORREL").alias("tasks"), *(F.sum(name).alias(name) for name in sums))
    )
    messages = F.col("messages_put") + F.col("messages_got")
    return grouped.withColumn("cpu_us_per_message", ratio(F.col("cpu_us"), messages)).orderBy(
        F.desc("cpu_us"), *MANAGER, by
    )


def queues_summed(identities: DataFrame, queues: DataFrame) -> DataFrame:
    """Give QSUM: the operations on each queue, and the number of its users, from WTID and WQ."""
    who = identities.select(*record(), user().alias("user")).dropDuplicates(list(RECORD))
    rows = queues.select(
        *record(),
        *manager(),
        F.col("BASENAME").alias("queue"),
        (number("PUTN") + number("PUT1N")).alias("puts"),
        number("GETN").alias("gets"),
        number("VALIDPUT").alias("messages_put"),
        number("VALIDGET").alias("messages_got"),
        number("PUTBYTES").alias("put_bytes"),
        number("GETBYTES").alias("got_bytes"),
        total(*QUEUE_CPU, *TOPIC_CPU).alias("cpu_us"),
        number("GETSMSG").alias("skipped"),
        number("GETEXMSG").alias("expired"),
        number("TOTLATNT").alias("on_queue_us"),
        F.col("MAXLATNT").alias("longest_on_queue_us"),
        F.col("MAXQDPTH").alias("deepest"),
    ).join(who, list(RECORD), "left")
    sums = ("puts", "gets", "messages_put", "messages_got", "put_bytes", "got_bytes", "cpu_us", "skipped", "expired")
    return (
        rows.groupBy(*MANAGER, "queue")
        .agg(
            *(F.sum(name).alias(name) for name in sums),
            ratio(F.sum("on_queue_us"), F.sum("messages_got")).alias("mean_on_queue_us"),
            F.max("longest_on_queue_us").alias("longest_on_queue_us"),
            F.max("deepest").alias("deepest"),
            F.countDistinct("user").alias("users"),
        )
        .orderBy(F.desc("cpu_us"), *MANAGER, "queue")
    )
