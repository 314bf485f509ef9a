"""Capacity: the use of each resource if messages were more numerous or larger, computed from measured data.

Each resource is examined in its busiest hour or at its worst moment. The cost of a message is divided into a part for
each message and one for each byte, by a straight line through the costs of tasks whose messages differ in size. If all
messages have one size, the two parts cannot be separated, and the whole cost counts as a cost for each message. Bytes
grow with both factors, messages with the first only. `basis` names the data that an answer rests on, and `room` is the
factor by which the load could grow.
"""

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812

from kew.analytics.jobs.columns import manager, number, ratio, total
from kew.analytics.jobs.costs import QUEUE_CPU, TASK_CPU, TOPIC_CPU
from kew.analytics.jobs.logger import logger_saturation
from kew.analytics.smf.tables import MANAGER

NEAR: Final = 85.0  # percent of a limit
OVER: Final = 100.0
SIMILAR: Final = 1.2  # sizes that differ by less than that say nothing of bytes
FEWEST: Final = 20  # tasks that make a line
COLUMNS: Final = (
    *MANAGER,
    "resource",
    "object",
    "now",
    "unit",
    "then",
    "limit",
    "now_percent",
    "then_percent",
    "room",
    "verdict",
    "basis",
)


def what_if(
    tasks: DataFrame,
    queues: DataFrame,
    log: DataFrame,
    pools: DataFrame,
    page_sets: DataFrame,
    messages: float = 1.0,
    size: float = 1.0,
) -> DataFrame:
    """Compute the use of each resource now and with more or larger messages, nearest its limit first."""
    for name, factor in (("messages", messages), ("size", size)):
        if not 0 < factor < 1e6:
            raise ValueError(f"the factor of {name} is a number above 0, not {factor}")
    answers = [
        _processor(tasks, queues, messages, size),
        _log(log, tasks, queues, messages, size),
        _pools(pools, messages, size),
        _page_sets(page_sets, messages, size),
    ]
    whole = answers[0]
    for answer in answers[1:]:
        whole = whole.unionByName(answer)
    judged = (
        whole.withColumn("now_percent", ratio(100 * F.col("now"), F.col("limit")))
        .withColumn("then_percent", ratio(100 * F.col("then"), F.col("limit")))
        .withColumn("room", ratio(F.col("limit"), F.col("now")))
        .withColumn(
            "verdict",
            F.when(F.col("limit").isNull(), "no limit known")
            .when(F.col("then_percent") >= OVER, "does not fit")
            .when(F.col("then_percent") >= NEAR, "near its limit")
            .otherwise("fits"),
        )
    )
    return judged.select(*COLUMNS).orderBy(F.col("then_percent").desc_nulls_last(), *MANAGER, "resource", "object")


def _answer(
    rows: DataFrame, resource: str, object_: Column, now: Column, unit: str, then: Column, limit: Column, basis: Column
) -> DataFrame:
    return rows.select(
        *MANAGER,
        F.lit(resource).alias("resource"),
        object_.cast("string").alias("object"),
        now.cast("double").alias("now"),
        F.lit(unit).alias("unit"),
        then.cast("double").alias("then"),
        limit.cast("double").alias("limit"),
        basis.alias("basis"),
    )


def _processor(tasks: DataFrame, queues: DataFrame, messages: float, size: float) -> DataFrame:
    """Compute the processor time of MQ calls in the busiest hour; MQ's records do not hold the machine's limit."""
    hour = F.date_trunc("hour", "written_local")
    calls = queues.select(
        *manager(),
        hour.alias("hour"),
        total(*QUEUE_CPU, *TOPIC_CPU).alias("cpu"),
        (number("VALIDPUT") + number("VALIDGET")).alias("messages"),
        (number("PUTBYTES") + number("GETBYTES")).alias("bytes"),
    )
    rest = tasks.select(
        *manager(),
        hour.alias("hour"),
        total(*TASK_CPU).alias("cpu"),
        F.lit(0.0).alias("messages"),
        F.lit(0.0).alias("bytes"),
    )
    hours = calls.unionByName(rest).groupBy(*MANAGER, "hour").agg(*(F.sum(one).alias(one) for one in _SUMMED))
    busiest = hours.groupBy(*MANAGER).agg(F.max_by(F.struct(*_SUMMED), F.struct("cpu", "hour")).alias("most"))
    busiest = busiest.select(*MANAGER, *(F.col(f"most.{one}").alias(one) for one in _SUMMED))
    mean = ratio(F.col("bytes"), F.col("messages"))
    each = ratio(F.col("cpu"), F.col("messages"))
    lines = (
        calls.where("messages > 0")
        .groupBy(*MANAGER)
        .agg(
            F.count("*").alias("count"),
            F.regr_slope(each, mean).alias("slope"),
            F.regr_intercept(each, mean).alias("intercept"),
            F.percentile(mean, F.lit(0.1)).alias("small"),
            F.percentile(mean, F.lit(0.9)).alias("large"),
        )
    )
    told = (
        (F.col("count") >= FEWEST)
        & (F.col("large") > SIMILAR * F.col("small"))
        & (F.col("slope") > 0)
        & (F.col("intercept") >= 0)
    )
    of_bytes = F.when(F.coalesce(told, F.lit(False)), F.col("slope") * F.col("bytes")).otherwise(0.0)
    share = F.least(F.coalesce(ratio(of_bytes, F.col("cpu")), F.lit(0.0)), F.lit(1.0))
    then = F.col("cpu") * messages * (1 - share + share * size)
    basis = F.when(
        F.coalesce(told, F.lit(False)),
        F.format_string("%.0f %% of the processor time of the busiest hour grows with bytes", 100 * share),
    ).otherwise(F.lit("sizes of messages do not tell what bytes cost: only their number counts"))
    joined = busiest.join(lines, list(MANAGER), "left")
    return _answer(
        joined,
        "processor time of calls",
        F.lit(""),
        F.col("cpu") / 3.6e9,
        "processors",
        then / 3.6e9,
        F.lit(None),
        basis,
    )


_SUMMED: Final = ("cpu", "messages", "bytes")


def _log(log: DataFrame, tasks: DataFrame, queues: DataFrame, messages: float, size: float) -> DataFrame:
    """Compute the log's highest data rate, in relation to the rate of the same I/Os if each were full."""
    measured = logger_saturation(log).where("mb_per_second > 0")
    busiest = measured.groupBy(*MANAGER).agg(
        F.max("mb_per_second").alias("now"),
        F.max_by("mb_per_second_at_full_io", "mb_per_second").alias("limit"),
    )
    put = queues.groupBy(*manager()).agg(F.sum(number("PUTBYTES")).alias("put"))
    written = tasks.groupBy(*manager()).agg(F.sum(number("WTASJWB")).alias("written"))
    share = F.least(ratio(F.col("put"), F.col("written")), F.lit(1.0))
    known = busiest.join(put, list(MANAGER), "left").join(written, list(MANAGER), "left")
    part = F.coalesce(share, F.lit(1.0))
    basis = F.when(
        share.isNotNull(), F.format_string("%.0f %% of the bytes in the log are taken for data of messages", 100 * part)
    ).otherwise(F.lit("without accounting of tasks all bytes in the log are taken for data of messages"))
    return _answer(
        known,
        "log",
        F.lit(""),
        F.col("now"),
        "MB a second",
        F.col("now") * messages * (1 - part + part * size),
        F.col("limit"),
        basis,
    )


def _pools(pools: DataFrame, messages: float, size: float) -> DataFrame:
    rows = pools.where("QPSTNBUF > 0").select(
        *manager(),
        F.col("QPSTPOOL").alias("object"),
        (F.col("QPSTNBUF") - F.col("QPSTCBSL")).cast("double").alias("used"),
        F.col("QPSTNBUF").cast("double").alias("limit"),
    )
    worst = rows.groupBy(*MANAGER, "object").agg(F.max("used").alias("now"), F.max("limit").alias("limit"))
    return _answer(
        worst,
        "buffer pool",
        F.col("object"),
        F.col("now"),
        "buffers",
        F.col("now") * messages * size,
        F.col("limit"),
        F.lit("messages wait as long as now, and take pages by their bytes"),
    )


def _page_sets(page_sets: DataFrame, messages: float, size: float) -> DataFrame:
    rows = page_sets.where("QIS1TOPG > 0").select(
        *manager(),
        F.col("QIS1PSNO").alias("object"),
        (F.col("QIS1TOPG") - F.col("QIS1UNPG")).cast("double").alias("used"),
        F.col("QIS1TOPG").cast("double").alias("limit"),
    )
    worst = rows.groupBy(*MANAGER, "object").agg(F.max("used").alias("now"), F.max("limit").alias("limit"))
    return _answer(
        worst,
        "page set",
        F.col("object"),
        F.col("now"),
        "pages",
        F.col("now") * messages * size,
        F.col("limit"),
        F.lit("messages wait as long as now, and take pages by their bytes"),
    )
