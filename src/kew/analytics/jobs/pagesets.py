"""The date when a page set will be full, from a straight line through its use."""

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from kew.analytics.jobs.columns import manager, ratio
from kew.analytics.smf.tables import MANAGER

DAY: Final = 86_400.0
FEWEST: Final = 3


def days_to_full(page_sets: DataFrame) -> DataFrame:
    """Compute the growth of each page set by linear fit, and the days until it is full, null where it does not grow.

    `fit` is the share of the variation that the line explains; near 0 the forecast means nothing.
    """
    used = (F.col("QIS1TOPG") - F.col("QIS1UNPG")).cast("double")
    when = F.col("recorded").cast("double") / DAY
    rows = page_sets.where("QIS1TOPG > 0").select(
        *manager(),
        F.col("QIS1PSNO").alias("page_set"),
        when.alias("day"),
        used.alias("used"),
        F.col("QIS1TOPG").cast("double").alias("total"),
    )
    grouped = rows.groupBy(*MANAGER, "page_set").agg(
        F.count("*").alias("intervals"),
        (F.max("day") - F.min("day")).alias("days_seen"),
        F.max_by("used", "day").alias("used"),
        F.max_by("total", "day").alias("total"),
        F.regr_slope("used", "day").alias("slope"),
        F.regr_r2("used", "day").alias("fit"),
    )
    enough = (F.col("intervals") >= FEWEST) & (F.col("slope") > 1e-9)
    return grouped.select(
        *MANAGER,
        "page_set",
        "intervals",
        "days_seen",
        F.col("used").cast("long").alias("used_pages"),
        F.col("total").cast("long").alias("total_pages"),
        ratio(100 * F.col("used"), F.col("total")).alias("used_percent"),
        F.col("slope").alias("pages_per_day"),
        "fit",
        F.when(enough, (F.col("total") - F.col("used")) / F.col("slope")).alias("days_to_full"),
    )
