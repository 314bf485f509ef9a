"""Regressions: two periods or releases compared, within the spread that repeated runs have.

Measurements of the same thing differ by a few percent from run to run; the seed's reports allow 6. So medians are
compared, a change within the tolerance counts as none, and where the repeats of one side differ among themselves by
more than the tolerance the verdict is `inconclusive`.
"""

from collections.abc import Sequence
from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from kew.analytics.jobs.columns import listed, manager, number, ratio
from kew.analytics.smf.tables import MANAGER

TOLERANCE: Final = 6.0


def queue_costs(queues: DataFrame) -> DataFrame:
    """Give measurements from WQ: the processor and elapsed time of a put and a get, by queue and record."""
    kinds = [
        ("put_cpu_us", number("PUTCT"), number("PUTN")),
        ("put_elapsed_us", number("PUTET"), number("PUTN")),
        ("get_cpu_us", number("GETCT"), number("GETN")),
        ("open_cpu_us", number("OPENCT"), number("OPENN")),
    ]
    measures = F.array(
        *(F.struct(F.lit(name).alias("metric"), ratio(top, bottom).alias("value")) for name, top, bottom in kinds)
    )
    exploded = queues.select(*manager(), "release", F.col("BASENAME").alias("queue"), F.explode(measures).alias("one"))
    return exploded.select(*MANAGER, "release", "queue", "one.metric", "one.value").where("value IS NOT NULL")


def compare(
    before: DataFrame,
    after: DataFrame,
    keys: Sequence[str],
    value: str = "value",
    tolerance: float = TOLERANCE,
    higher_is_better: bool = False,
) -> DataFrame:
    """Compare the medians of `value` by `keys` before and after; give the change in percent and a verdict.

    `verdict`: `same` within the tolerance, `better`, `worse`, `inconclusive` where repeats spread by more than the
    tolerance, `new` and `gone` where only one side has the key.
    """
    joined = _side(before, keys, value, "before").join(_side(after, keys, value, "after"), list(keys), "full")
    change = ratio(100 * (F.col("after") - F.col("before")), F.abs(F.col("before")))
    spread = F.greatest(F.col("before_spread"), F.col("after_spread"))
    # By the values, since there is no percentage of nothing.
    improved = (F.col("after") > F.col("before")) == F.lit(higher_is_better)
    # A change larger than both spreads is one, however restless the repeats are.
    drowned = (F.col("spread_percent") > tolerance) & (F.abs("change_percent") <= F.col("spread_percent"))
    return (
        joined.withColumn("change_percent", change)
        .withColumn("spread_percent", spread)
        .withColumn(
            "verdict",
            F.when(F.col("before").isNull(), "new")
            .when(F.col("after").isNull(), "gone")
            .when(drowned, "inconclusive")
            .when((F.abs("change_percent") <= tolerance) | (F.col("after") == F.col("before")), "same")
            .when(improved, "better")
            .otherwise("worse"),
        )
        .select(
            *listed(keys),
            "before",
            "after",
            "before_count",
            "after_count",
            "change_percent",
            "spread_percent",
            "verdict",
        )
    )


def _side(rows: DataFrame, keys: Sequence[str], value: str, name: str) -> DataFrame:
    """Give the median of one side, the number of values, and their interquartile range in percent of the median."""
    number_ = F.col(value).cast("double")
    quartiles = F.percentile(number_, F.array(F.lit(0.25), F.lit(0.5), F.lit(0.75)))
    grouped = rows.groupBy(*keys).agg(quartiles.alias("q"), F.count(number_).alias(f"{name}_count"))
    return grouped.select(
        *listed(keys),
        F.col("q")[1].alias(name),
        F.coalesce(ratio(100 * (F.col("q")[2] - F.col("q")[0]), F.abs(F.col("q")[1])), F.lit(0.0)).alias(
            f"{name}_spread"
        ),
        f"{name}_count",
    )
