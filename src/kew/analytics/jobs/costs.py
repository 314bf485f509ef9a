"""Who pays: the processor time of tasks, by user, job, channel or queue.

A task's cost is that of its calls on queues and of its commits and other calls. A queue with a streaming queue gives
its putter the work of the copy: that share of the putter's time is shown beside the rest, since nothing else tells why
a put became dearer. Rows of one record belong to one task, so task and queue are joined by
the record they are in: the digest of its dump and its offset, since names of dumps are used again.
"""

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from kew.analytics.jobs.columns import manager, number, ratio, record, total
from kew.analytics.smf.tables import MANAGER, RECORD

BY: Final = ("user", "job", "channel", "queue")
_QUEUE_CPU: Final = ("OPENCT", "CLOSECT", "GETCT", "PUTCT", "PUT1CT", "INQCT", "SETCT", "CBCT")
_TOPIC_CPU: Final = ("TOPICOPENSRB", "TOPICPUTSRB", "TOPICPUT1SRB", "TOPICCLOSESRB")
_TASK_CPU: Final = ("WTASCMCT", "WTASBACT", "WTASPRCT", "WTASOTCT", "WTASSUCT", "WTASSQCT", "WTASCTCT", "WTASSTCT")


def who_pays(identities: DataFrame, tasks: DataFrame, queues: DataFrame, by: str = "user") -> DataFrame:
    """Cost by user, job, channel or queue, dearest first by `share_percent`, from WTID, WTAS and WQ.

    By queue only the calls on queues count, since a commit is not of one queue.
    """
    if by not in BY:
        raise ValueError(f"costs can be shown by {', '.join(BY)}, not by {by}")
    who = identities.select(
        *record(),
        *manager(),
        F.coalesce(F.nullif(F.col("WTIDTRAN"), F.lit("")), F.col("WTIDOPID")).alias("user"),
        F.col("WTIDCCN").alias("job"),
        F.col("WTIDCHL").alias("channel"),
    ).dropDuplicates(list(RECORD))
    copies = ratio(number("STREAMEDN"), number("STREAMEDN") + number("VALIDPUT"))
    calls = queues.select(
        *record(),
        "CORREL",
        F.col("BASENAME").alias("queue"),
        total(*_QUEUE_CPU, *_TOPIC_CPU).alias("cpu_us"),
        number("VALIDPUT").alias("messages_put"),
        number("VALIDGET").alias("messages_got"),
        number("PUTBYTES").alias("put_bytes"),
        number("GETBYTES").alias("got_bytes"),
        F.lit(0.0).alias("log_bytes"),
        number("STREAMEDN").alias("streamed"),
        F.coalesce(total("PUTCT", "PUT1CT") * copies, F.lit(0.0)).alias("streaming_cpu_us"),
    )
    rest = tasks.select(
        *record(),
        "CORREL",
        F.lit(None).cast("string").alias("queue"),
        total(*_TASK_CPU).alias("cpu_us"),
        F.lit(0.0).alias("messages_put"),
        F.lit(0.0).alias("messages_got"),
        F.lit(0.0).alias("put_bytes"),
        F.lit(0.0).alias("got_bytes"),
        number("WTASJWB").alias("log_bytes"),
        F.lit(0.0).alias("streamed"),
        F.lit(0.0).alias("streaming_cpu_us"),
    )
    lines = calls if by == "queue" else calls.unionByName(rest)
    joined = lines.join(who, list(RECORD))
    grouped = joined.groupBy(*MANAGER, F.col(by).alias("payer")).agg(
        F.countDistinct("CORREL").alias("tasks"),
        *(
            F.sum(name).alias(name)
            for name in (
                "cpu_us",
                "messages_put",
                "messages_got",
                "put_bytes",
                "got_bytes",
                "log_bytes",
                "streamed",
                "streaming_cpu_us",
            )
        ),
    )
    everything = grouped.groupBy(*MANAGER).agg(F.sum("cpu_us").alias("all_cpu_us"))
    messages = F.col("messages_put") + F.col("messages_got")
    return (
        grouped.join(everything, list(MANAGER))
        .withColumn("cpu_us_per_message", ratio(F.col("cpu_us"), messages))
        .withColumn("streaming_percent", ratio(100 * F.col("streaming_cpu_us"), F.col("cpu_us")))
        .withColumn("share_percent", ratio(100 * F.col("cpu_us"), F.col("all_cpu_us")))
        .drop("all_cpu_us")
    )
