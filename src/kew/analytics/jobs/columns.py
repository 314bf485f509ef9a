"""Small expressions that the analyses share."""

from collections.abc import Sequence

from pyspark.sql import Column
from pyspark.sql import functions as F  # noqa: N812


def number(name: str) -> Column:
    """Give a counter as a double, 0 where the release does not have it."""
    return F.coalesce(F.col(name).cast("double"), F.lit(0.0))


def total(*names: str) -> Column:
    """Give the sum of counters in one row."""
    result = number(names[0])
    for name in names[1:]:
        result = result + number(name)
    return result


def ratio(top: Column, bottom: Column) -> Column:
    """Give a quotient, null where the divisor is 0."""
    return F.when(bottom != 0, top / bottom)


def manager() -> list[Column]:
    """Give the identity of a queue manager, never null, so that rows group and join by it."""
    known = F.coalesce(F.col("subsystem"), F.lit("")), F.coalesce(F.col("qsg"), F.lit(""))
    return [F.col("system"), known[0].alias("subsystem"), known[1].alias("qsg"), F.col("qmgr")]


def record() -> list[Column]:
    """Give the identity of a record; the name of the dump replaces a digest that is not known."""
    return [F.coalesce(F.col("dump"), F.col("file")).alias("dump"), F.col("offset")]


def seconds() -> Column:
    """Give the length of the interval in seconds."""
    return F.col("duration_us").cast("double") / 1e6


def listed(names: Sequence[str]) -> list[Column]:
    """Give the columns of these names."""
    return [F.col(name) for name in names]
