"""Costs: the processor time of tasks by user, job, channel, queue or application, and its price.

A task's cost is that of its calls on queues and of its commits and other calls. A put to a queue with a streaming queue
also makes the copy: that share of the putter's time is shown separately, since nothing else explains why the put became
dearer. Rows of one record belong to one task, so task and queue are joined by the record they are in: the digest of its
dump and its offset, since names of dumps are used again.
"""

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812

from kew.analytics.jobs.columns import manager, number, ratio, record, total
from kew.analytics.jobs.tariffs import UNMAPPED, Tariff
from kew.analytics.smf.tables import MANAGER, RECORD

BY: Final = ("user", "job", "channel", "queue", "application")
SUMS: Final = (
    "cpu_us",
    "messages_put",
    "messages_got",
    "put_bytes",
    "got_bytes",
    "log_bytes",
    "streamed",
    "streaming_cpu_us",
)
QUEUE_CPU: Final = ("OPENCT", "CLOSECT", "GETCT", "PUTCT", "PUT1CT", "INQCT", "SETCT", "CBCT")
TOPIC_CPU: Final = ("TOPICOPENSRB", "TOPICPUTSRB", "TOPICPUT1SRB", "TOPICCLOSESRB")
TASK_CPU: Final = ("WTASCMCT", "WTASBACT", "WTASPRCT", "WTASOTCT", "WTASSUCT", "WTASSQCT", "WTASCTCT", "WTASSTCT")


def user() -> Column:
    """Give the user of a task, from WTID: that of the transaction where there is one."""
    return F.coalesce(F.nullif(F.col("WTIDTRAN"), F.lit("")), F.col("WTIDOPID"))


def cost_lines(identities: DataFrame, tasks: DataFrame, queues: DataFrame) -> DataFrame:
    """Give a row for each task and queue and one for the rest, with the task's identity, from WTID, WTAS and WQ."""
    who = identities.select(
        *record(),
        *manager(),
        user().alias("user"),
        F.col("WTIDCCN").alias("job"),
        F.col("WTIDCHL").alias("channel"),
    ).dropDuplicates(list(RECORD))
    copies = ratio(number("STREAMEDN"), number("STREAMEDN") + number("VALIDPUT"))
    calls = queues.select(
        *record(),
        "CORREL",
        "written_local",
        F.col("BASENAME").alias("queue"),
        total(*QUEUE_CPU, *TOPIC_CPU).alias("cpu_us"),
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
        "written_local",
        F.lit(None).cast("string").alias("queue"),
        total(*TASK_CPU).alias("cpu_us"),
        F.lit(0.0).alias("messages_put"),
        F.lit(0.0).alias("messages_got"),
        F.lit(0.0).alias("put_bytes"),
        F.lit(0.0).alias("got_bytes"),
        number("WTASJWB").alias("log_bytes"),
        F.lit(0.0).alias("streamed"),
        F.lit(0.0).alias("streaming_cpu_us"),
    )
    return calls.unionByName(rest).join(who, list(RECORD))


def who_pays(
    identities: DataFrame, tasks: DataFrame, queues: DataFrame, by: str = "user", tariff: Tariff | None = None
) -> DataFrame:
    """Sum the cost by user, job, channel, queue or application, with its share, from WTID, WTAS and WQ.

    By queue only the calls on queues count, since a commit does not belong to one queue.
    """
    if by not in BY:
        raise ValueError(f"costs can be shown by {', '.join(BY)}, not by {by}")
    lines = cost_lines(identities, tasks, queues)
    if by == "queue":
        lines = lines.where("queue IS NOT NULL")
    payer = _application(tariff or Tariff()) if by == "application" else F.col(by)
    grouped = lines.groupBy(*MANAGER, payer.alias("payer")).agg(
        F.countDistinct("CORREL").alias("tasks"), *(F.sum(name).alias(name) for name in SUMS)
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


def bill(identities: DataFrame, tasks: DataFrame, queues: DataFrame, tariff: Tariff, by: str = "user") -> DataFrame:
    """Give the bill of each payer for each month of local time: the price of each quantity, and the sum."""
    if by not in BY:
        raise ValueError(f"a bill can be made out by {', '.join(BY)}, not by {by}")
    lines = cost_lines(identities, tasks, queues)
    if by == "queue":
        payer = F.coalesce(F.col("queue"), F.lit("(no queue)"))
    else:
        payer = _application(tariff) if by == "application" else F.col(by)
    month = F.date_format("written_local", "yyyy-MM")
    quantities = {
        "cpu_seconds": F.sum("cpu_us") / 1e6,
        "messages": F.sum(F.col("messages_put") + F.col("messages_got")),
        "gigabytes": F.sum(F.col("put_bytes") + F.col("got_bytes")) / 1e9,
        "log_gigabytes": F.sum("log_bytes") / 1e9,
    }
    grouped = lines.groupBy(month.alias("month"), *MANAGER, payer.alias("payer")).agg(
        *(value.alias(name) for name, value in quantities.items())
    )
    amounts = {name: F.col(name) * F.lit(tariff.rates.get(name, 0.0)) for name in quantities}
    for name, amount in amounts.items():
        if name in tariff.rates:
            grouped = grouped.withColumn(f"{name}_amount", amount)
    whole = F.lit(0.0)
    for amount in amounts.values():
        whole = whole + amount
    everything = grouped.withColumn("amount", whole).withColumn("currency", F.lit(tariff.currency))
    return everything.orderBy("month", F.desc("amount"), *MANAGER, "payer")


def _application(tariff: Tariff) -> Column:
    """Give the application of a cost line: the first in the tariff that has its user, job, channel or queue."""
    found = F.lit(UNMAPPED)
    for application in reversed(tariff.applications):
        mine = F.lit(False)
        for column, patterns in application.names.items():
            for pattern in patterns:
                mine = mine | F.coalesce(F.col(column).like(pattern), F.lit(False))
        found = F.when(mine, F.lit(application.name)).otherwise(found)
    return found
