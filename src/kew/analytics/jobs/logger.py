"""The limits of the logger: how near they are, and which comes next.

A log writer that is always busy is not yet at its limit: as long as its I/Os are far below 128 pages, more work makes
them longer and the data rate higher, though each unit of work then waits longer. So four limits are looked at: the time
of the task, the time of its I/O, the pages of an I/O, and the log buffers.
"""

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812

from kew.analytics.jobs.columns import manager, number, ratio, seconds
from kew.analytics.smf.tables import MANAGER

MOST_PAGES: Final = 128
BUSY: Final = 95.0
NEAR: Final = 70.0
LONG_IO: Final = 80.0  # percent of the longest I/O from which more work cannot share one


def _io(copy: int) -> Column:
    entries = [F.col("QJSTIO")[2 * (copy - 1) + kind] for kind in (0, 1)]
    times = [F.coalesce(entry["QJSTIOTOTIO"], F.lit(0.0)) for entry in entries]
    return times[0] + times[1]


def logger_saturation(log: DataFrame) -> DataFrame:
    """Compute the use of each limit in percent, the nearest limit and the next, and the headroom.

    `verdict`: `saturated`; `busy, room in I/O` where the task is busy but its I/Os are short; `near`; `room`.
    `headroom` is the factor by which the load could grow before the nearest limit is met.
    """
    second = F.col("QJSTIO")
    copies = F.when((second[2]["QJSTIOCOUNT"] + second[3]["QJSTIOCOUNT"]) > 0, 2).otherwise(1)
    measured = log.where("duration_us > 0").select(
        *manager(),
        "interval_start",
        seconds().alias("length"),
        (100 * (seconds() - number("QJSTSLPTU") / 1e6) / seconds()).alias("task_busy"),
        (F.greatest(_io(1), _io(2)) / 1e4 / seconds()).alias("io_busy"),
        ratio(number("QJSTCIWR"), number("QJSTLOGW")).alias("pages_per_io"),
        (number("QJSTCIWR") / copies / 256 / seconds()).alias("mb_per_second"),
        number("QJSTWTB").alias("buffer_waits"),
    )
    pages = F.coalesce(100 * F.col("pages_per_io") / MOST_PAGES, F.lit(0.0))
    limits = F.array(
        _limit("logger task", F.col("task_busy")),
        _limit("log I/O", F.col("io_busy")),
        _limit("pages per I/O", pages),
        _limit("log buffers", F.when(F.col("buffer_waits") > 0, 100.0).otherwise(0.0)),
    )
    ranked = measured.withColumn("limits", F.sort_array(limits, asc=False))
    return ranked.select(
        *MANAGER,
        "interval_start",
        "task_busy",
        "io_busy",
        "pages_per_io",
        "mb_per_second",
        "buffer_waits",
        F.col("limits")[0]["limit"].alias("nearest"),
        F.col("limits")[0]["used"].alias("nearest_used"),
        F.col("limits")[1]["limit"].alias("next"),
        F.col("limits")[1]["used"].alias("next_used"),
        F.when(F.col("limits")[0]["used"] > 0, F.greatest(100 / F.col("limits")[0]["used"], F.lit(1.0))).alias(
            "headroom"
        ),
        # The data rate of the same I/Os if each wrote the most pages that fit.
        ratio(F.col("mb_per_second") * MOST_PAGES, F.col("pages_per_io")).alias("mb_per_second_at_full_io"),
        F.when((F.col("task_busy") >= BUSY) & (pages < LONG_IO) & (F.col("buffer_waits") == 0), "busy, room in I/O")
        .when((F.col("task_busy") >= BUSY) | (F.col("buffer_waits") > 0), "saturated")
        .when(F.greatest(F.col("task_busy"), F.col("io_busy")) >= NEAR, "near")
        .otherwise("room")
        .alias("verdict"),
    )


def _limit(name: str, used: Column) -> Column:
    return F.struct(used.cast("double").alias("used"), F.lit(name).alias("limit"))
