"""The analyses by name, over dumps or a store."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from kew.analytics.jobs import comparisons, forecasts
from kew.analytics.jobs.anomalies import judged_on_spark
from kew.analytics.jobs.bursts import bursts, queue_messages
from kew.analytics.jobs.capacity import what_if
from kew.analytics.jobs.consumers import slow_consumers
from kew.analytics.jobs.costs import bill, user, who_pays
from kew.analytics.jobs.indexes import index_advice
from kew.analytics.jobs.logger import logger_saturation
from kew.analytics.jobs.metrics import Metric, columns_of, metrics_named
from kew.analytics.jobs.pagesets import days_to_full
from kew.analytics.jobs.points import points_on_spark
from kew.analytics.jobs.pools import buffer_pool_advice
from kew.analytics.jobs.regressions import compare, queue_costs
from kew.analytics.jobs.summaries import queues_summed, tasks_summed
from kew.analytics.jobs.tariffs import Tariff, pattern_of
from kew.analytics.smf.rows import frame_of
from kew.analytics.smf.selection import Selection
from kew.analytics.smf.tables import MANAGER, RECORD

QUEUE: Final = {"WQ": "BASENAME", "QQST": "QQSTQNAM"}  # the column that names the queue
TASKS: Final = ("WTAS", "WQ", "WTID")  # tables whose records have the user
AHEAD: Final = 90  # days that a forecast looks ahead


class Request:
    """The parameters of an analysis."""

    def __init__(
        self,
        spark: SparkSession,
        names: Sequence[str],
        by: str = "",
        split: datetime | None = None,
        releases: tuple[str, str] | None = None,
        metrics: Sequence[str] = (),
        zone: ZoneInfo | None = None,
        selection: Selection | None = None,
        queue: str = "",
        user_name: str = "",
        tariff: Tariff | None = None,
        ahead: int = AHEAD,
        limit: float | None = None,
        messages: float = 1.0,
        size: float = 1.0,
    ) -> None:
        self.spark = spark
        self.names = names
        self.by = by
        self.releases = releases
        self.metrics = metrics
        self.zone = zone
        self.queue = queue  # a name, or a generic one
        self.user_name = user_name
        self.tariff = tariff
        self.ahead = ahead
        self.limit = limit
        self.messages = messages
        self.size = size
        self._selection = selection or Selection()
        self._split = split

    def table(self, name: str, columns: Sequence[str] | None = None) -> DataFrame:
        """Give a table of the dumps or the store, with the selected rows of the named queue and user."""
        needed = columns
        if columns is not None:
            more = [*MANAGER, "written_local", *RECORD, "file", *([QUEUE[name]] if name in QUEUE else [])]
            if name == "WTID":
                more += ["WTIDTRAN", "WTIDOPID"]
            needed = list(dict.fromkeys([*columns, *more]))
        rows = frame_of(self.spark, self.names, name, needed, self._selection)
        if self.queue and name in QUEUE:
            rows = rows.where(_like(F.col(QUEUE[name]), self.queue))
        if self.user_name and name in TASKS:
            if name == "WTID":
                rows = rows.where(_like(user(), self.user_name))
            else:
                theirs = self.table("WTID", RECORD)
                rows = rows.join(theirs, list(RECORD), "leftsemi")
        return rows if columns is None else rows.select(*columns)

    def before(self, moment: datetime) -> Column:
        """Give the condition that a row was written before a local time."""
        # As text, so that the session's time zone has no effect.
        return F.col("written_local") < F.lit(moment.isoformat(sep=" ")).cast("timestamp_ntz")

    def halves(self, name: str) -> tuple[DataFrame, DataFrame]:
        """Give the rows of a table before the split and those from it on, by local time."""
        if self._split is None:
            raise ValueError("this analysis compares two periods: give the local time between them with --split")
        rows, early = self.table(name), self.before(self._split)
        return rows.where(early), rows.where(~early)

    def last_week(self, metrics: Sequence[Metric]) -> datetime:
        """Give the split; without one, the local time a week before the end of the data."""
        if self._split is not None:
            return self._split
        ends = [
            self.table(table, ["written_local"]).agg(F.max("written_local").cast("string")).collect()[0][0]
            for table in columns_of(metrics)
        ]
        last = [datetime.fromisoformat(end) for end in ends if end is not None]
        return max(last) - timedelta(days=7) if last else datetime(1970, 1, 1)

    def of_release(self, name: str, release: str) -> DataFrame:
        """Give the rows of a table that are of one release."""
        rows = self.table(name)
        there = sorted([row["release"] for row in rows.select("release").distinct().collect()])
        if release not in there:
            raise ValueError(f"no {name} records are of release {release}; they are of {', '.join(there) or 'none'}")
        return rows.where(F.col("release") == release)

    def chosen(self, usual: Sequence[str] | None = None) -> list[Metric]:
        """Give the metrics that were named, or the usual ones; with a queue or user given, only metrics that it has."""
        metrics = metrics_named(self.metrics or usual or ())
        if not self.queue and not self.user_name:
            return metrics
        allowed = [
            one
            for one in metrics
            if (not self.queue or one.table.name in QUEUE) and (not self.user_name or one.table.name in TASKS)
        ]
        if not allowed:
            raise ValueError("none of the metrics is of a queue or user: name one with --metric")
        return allowed

    def points(self, metrics: Sequence[Metric]) -> DataFrame:
        """Give the points of metrics."""
        rows = {table: self.table(table, columns) for table, columns in columns_of(metrics).items()}
        return points_on_spark(rows, metrics, self.zone)


def _like(column: Column, name: str) -> Column:
    return column.like(pattern_of(name))


def _costs(request: Request) -> DataFrame:
    tables = [request.table(name) for name in ("WTID", "WTAS", "WQ")]
    costs = who_pays(tables[0], tables[1], tables[2], request.by or "user", request.tariff)
    return costs.orderBy(F.desc("cpu_us"), *MANAGER, "payer")


def _bill(request: Request) -> DataFrame:
    if request.tariff is None:
        raise ValueError("a bill needs a tariff: name its file with --tariff")
    by = request.by or ("application" if request.tariff.applications else "user")
    return bill(request.table("WTID"), request.table("WTAS"), request.table("WQ"), request.tariff, by)


def _anomalies(request: Request) -> DataFrame:
    metrics = request.chosen()
    return judged_on_spark(request.points(metrics), metrics, request.last_week(metrics))


def _forecasts(request: Request) -> DataFrame:
    metrics = request.chosen(forecasts.USUAL)
    return forecasts.forecasts_on_spark(request.points(metrics), metrics, request.ahead, request.limit)


def _compared(request: Request) -> DataFrame:
    metrics = request.chosen([metric.text for metric in comparisons.all_metrics()])
    return comparisons.compared_on_spark(request.points(metrics), metrics, request.last_week(metrics))


def _capacity(request: Request) -> DataFrame:
    tables = [request.table(name) for name in ("WTAS", "WQ", "QJST", "QPST", "QIS1")]
    return what_if(tables[0], tables[1], tables[2], tables[3], tables[4], request.messages, request.size)


def _regressions(request: Request) -> DataFrame:
    if request.releases is None:
        before, after = request.halves("WQ")
        keys = [*MANAGER, "queue", "metric"]
    else:  # which may be those of different queue managers
        before, after = [request.of_release("WQ", release) for release in request.releases]
        keys = ["queue", "metric"]
    return compare(queue_costs(before), queue_costs(after), keys).orderBy(*keys)


def _tasks(request: Request) -> DataFrame:
    return tasks_summed(request.table("WTID"), request.table("WTAS"), request.table("WQ"), request.by or "job")


ANALYSES: Final[dict[str, Callable[[Request], DataFrame]]] = {
    "bursts": lambda request: bursts(queue_messages(request.table("QQST"))).orderBy(*MANAGER, "queue", "window_start"),
    "logger": lambda request: logger_saturation(request.table("QJST")).orderBy(*MANAGER, "interval_start"),
    "pools": lambda request: buffer_pool_advice(request.table("QPST")).orderBy(*MANAGER, "pool"),
    "indexes": lambda request: index_advice(request.table("WQ")).orderBy(F.desc("saved_cpu_us"), *MANAGER, "queue"),
    "costs": _costs,
    "bill": _bill,
    "tasksum": _tasks,
    "qsum": lambda request: queues_summed(request.table("WTID"), request.table("WQ")),
    "pagesets": lambda request: days_to_full(request.table("QIS1")).orderBy("days_to_full", *MANAGER, "page_set"),
    "regressions": _regressions,
    "anomalies": _anomalies,
    "forecast": _forecasts,
    "compare": _compared,
    "capacity": _capacity,
    "consumers": lambda request: slow_consumers(request.table("QQST")).orderBy(*MANAGER, "queue"),
}
