"""The analyses by name, over dumps or a store."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from kew.analytics.jobs.anomalies import anomalies_on_spark
from kew.analytics.jobs.bursts import bursts, queue_messages
from kew.analytics.jobs.consumers import slow_consumers
from kew.analytics.jobs.costs import who_pays
from kew.analytics.jobs.indexes import index_advice
from kew.analytics.jobs.logger import logger_saturation
from kew.analytics.jobs.metrics import Metric, columns_of, metrics_named
from kew.analytics.jobs.pagesets import days_to_full
from kew.analytics.jobs.pools import buffer_pool_advice
from kew.analytics.jobs.regressions import compare, queue_costs
from kew.analytics.smf.rows import frame_of
from kew.analytics.smf.tables import MANAGER


class Request:
    """What an analysis is asked about."""

    def __init__(
        self,
        spark: SparkSession,
        names: Sequence[str],
        by: str = "user",
        split: datetime | None = None,
        releases: tuple[str, str] | None = None,
        metrics: Sequence[str] = (),
        zone: ZoneInfo | None = None,
    ) -> None:
        self.spark = spark
        self.names = names
        self.by = by
        self.releases = releases
        self.metrics = metrics
        self.zone = zone
        self._split = split

    def table(self, name: str) -> DataFrame:
        """A table of the dumps or the store."""
        return frame_of(self.spark, self.names, name)

    def halves(self, name: str) -> tuple[DataFrame, DataFrame]:
        """A table before and after the split, by local time."""
        if self._split is None:
            raise ValueError("this analysis compares two periods: give the local time between them with --split")
        rows = self.table(name)
        # As text, so that the session's time zone has no say in it.
        moment = F.lit(self._split.isoformat(sep=" ")).cast("timestamp_ntz")
        return rows.where(F.col("written_local") < moment), rows.where(F.col("written_local") >= moment)

    def last_week(self, metrics: Sequence[Metric]) -> datetime:
        """The split, or the local time a week before the end of what is there."""
        if self._split is not None:
            return self._split
        ends = [
            self.table(table).agg(F.max("written_local").cast("string")).collect()[0][0]
            for table in columns_of(metrics)
        ]
        last = [datetime.fromisoformat(end) for end in ends if end is not None]
        return max(last) - timedelta(days=7) if last else datetime(1970, 1, 1)

    def of_release(self, name: str, release: str) -> DataFrame:
        """A table of one release."""
        rows = self.table(name)
        there = sorted([row["release"] for row in rows.select("release").distinct().collect()])
        if release not in there:
            raise ValueError(f"no {name} records are of release {release}; they are of {', '.join(there) or 'none'}")
        return rows.where(F.col("release") == release)


def _costs(request: Request) -> DataFrame:
    costs = who_pays(request.table("WTID"), request.table("WTAS"), request.table("WQ"), request.by)
    return costs.orderBy(F.desc("cpu_us"))


def _anomalies(request: Request) -> DataFrame:
    metrics = metrics_named(request.metrics)
    return anomalies_on_spark(request.spark, request.names, metrics, request.last_week(metrics), request.zone)


def _regressions(request: Request) -> DataFrame:
    if request.releases is None:
        before, after = request.halves("WQ")
        keys = [*MANAGER, "queue", "metric"]
    else:  # which may be those of different queue managers
        before, after = [request.of_release("WQ", release) for release in request.releases]
        keys = ["queue", "metric"]
    return compare(queue_costs(before), queue_costs(after), keys).orderBy(*keys)


ANALYSES: Final[dict[str, Callable[[Request], DataFrame]]] = {
    "bursts": lambda request: bursts(queue_messages(request.table("QQST"))).orderBy(*MANAGER, "queue", "window_start"),
    "logger": lambda request: logger_saturation(request.table("QJST")).orderBy(*MANAGER, "interval_start"),
    "pools": lambda request: buffer_pool_advice(request.table("QPST")).orderBy(*MANAGER, "pool"),
    "indexes": lambda request: index_advice(request.table("WQ")).orderBy(F.desc("saved_cpu_us")),
    "costs": _costs,
    "pagesets": lambda request: days_to_full(request.table("QIS1")).orderBy("days_to_full", *MANAGER, "page_set"),
    "regressions": _regressions,
    "anomalies": _anomalies,
    "consumers": lambda request: slow_consumers(request.table("QQST")).orderBy(*MANAGER, "queue"),
}
