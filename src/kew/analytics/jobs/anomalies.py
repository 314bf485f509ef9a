"""What is unusual for its day of the week and hour?

The baseline is the median of the same weekday and hour in the history, and the usual distance from it. Both are robust:
one bad Monday does not make the next one look normal.
"""

from collections.abc import Sequence
from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from kew.analytics.jobs.columns import listed

THRESHOLD: Final = 4.0  # distances from the baseline
FEWEST: Final = 3  # values that make a baseline
_STEADY: Final = 0.05  # of the baseline: no value is so steady that a change below this is one


def anomalies(
    history: DataFrame,
    current: DataFrame,
    keys: Sequence[str],
    value: str,
    time: str = "recorded",
    threshold: float = THRESHOLD,
) -> DataFrame:
    """The rows of `current` whose value is far from what `history` has for the weekday and hour.

    Where a weekday and hour has too little history the hour of any day stands in. `score` is the distance from
    `expected` in usual distances, with its sign.
    """
    past = _keyed(history, keys, value, time)
    now = _keyed(current, keys, value, time)
    weekly = _baseline(past, [*keys, "_weekday", "_hour"], "weekly")
    daily = _baseline(past, [*keys, "_hour"], "daily")
    joined = now.join(weekly, [*keys, "_weekday", "_hour"], "left").join(daily, [*keys, "_hour"], "left")
    expected = F.coalesce(F.col("weekly_median"), F.col("daily_median"))
    distance = F.greatest(
        F.coalesce(F.col("weekly_distance"), F.col("daily_distance")), F.abs(expected) * _STEADY, F.lit(1e-9)
    )
    scored = joined.withColumn("expected", expected).withColumn("score", (F.col("_value") - expected) / distance)
    return scored.where(F.abs("score") > threshold).select(
        *listed(keys),
        F.col("_time").alias(time),
        F.col("_value").alias("value"),
        "expected",
        "score",
        F.when(F.col("weekly_median").isNotNull(), "weekday and hour").otherwise("hour").alias("baseline"),
        F.when(F.col("score") > 0, "high").otherwise("low").alias("direction"),
    )


def _keyed(rows: DataFrame, keys: Sequence[str], value: str, time: str) -> DataFrame:
    moment = F.col(time)
    return rows.select(
        *listed(keys),
        moment.alias("_time"),
        F.dayofweek(moment).alias("_weekday"),
        F.hour(moment).alias("_hour"),
        F.col(value).cast("double").alias("_value"),
    ).where("_value IS NOT NULL AND _time IS NOT NULL")


def _baseline(past: DataFrame, by: Sequence[str], name: str) -> DataFrame:
    """The median and the median distance from it, scaled to the deviation of a bell curve."""
    medians = past.groupBy(*by).agg(F.median("_value").alias("_median"), F.count("*").alias("_count"))
    return (
        past.join(medians.where(F.col("_count") >= FEWEST), list(by))
        .groupBy(*by)
        .agg(
            F.first("_median").alias(f"{name}_median"),
            (1.4826 * F.median(F.abs(F.col("_value") - F.col("_median")))).alias(f"{name}_distance"),
        )
    )
