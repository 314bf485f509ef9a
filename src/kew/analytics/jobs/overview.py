"""The data of the interactive page, by Spark: findings, series condensed to what a chart can show, and summaries."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from kew.analytics.jobs.costs import who_pays
from kew.analytics.jobs.metrics import POINTS, SERIES, Metric, by_moment, columns_of
from kew.analytics.jobs.points import points_on_spark, shaped
from kew.analytics.jobs.summaries import queues_summed, tasks_summed
from kew.analytics.reports.findings import RuleBook, find_on_spark, summarise_findings
from kew.analytics.reports.interactive import Overview, closest, rounded
from kew.analytics.reports.plain import plain
from kew.analytics.reports.rules import RULES
from kew.analytics.smf.remarks import Remarks
from kew.analytics.smf.rows import frame_of
from kew.analytics.smf.selection import Selection
from kew.analytics.smf.tables import LOCAL, MANAGER, RECORDS_TABLE, manager_name

BUCKETS: Final = 400  # of time, which is about a point for each two pixels
SHORTEST: Final = 1_000_000  # microseconds of a bucket
MOST_ROWS: Final = 500  # of a table or of findings
_GAP: Final = 1.5  # intervals without a record that break a line


class Drawn:
    """A chart: a metric, its title and unit, and the limit that it must not reach."""

    def __init__(self, title: str, metric: str, unit: str = "", limit: float | None = None) -> None:
        self.title = title
        self.metric = Metric(metric)
        self.unit = unit
        self.limit = limit


CHARTS: Final = (
    Drawn("Messages put", "QMST: QMSTPUT + QMSTPUT1", "a second"),
    Drawn("Messages got", "QMST: QMSTGET", "a second"),
    Drawn("Rows read and written by the data manager", "QIST: QISTDGET + QISTDPUT", "a second"),
    Drawn("Log written", "QJST: QJSTCIWR", "pages a second"),
    Drawn("Waits for log buffers", "QJST: QJSTWTB", "a second"),
    Drawn("Buffers in use", "QPST: 100 * (QPSTNBUF - QPSTCBSL) / QPSTNBUF", "%", 100.0),
    Drawn("Pages read", "QPST: QPSTRIO", "a second"),
    Drawn("Page sets in use", "QIS1: 100 * (QIS1TOPG - QIS1UNPG) / QIS1TOPG", "%", 100.0),
    Drawn("Coupling facility structures", "QEST: QESTCSEC + QESTCMEC", "requests a second"),
    Drawn("Shared message data sets", "QESD: 100 * QESDSMBU / QESDSMBT", "% of blocks", 100.0),
    Drawn("Depth of queues", "QQST: QQSTDPTH", "messages"),
    Drawn("Channels", "QCCT: 100 * QCCTNOCC / QCCTMXCC", "% of the limit", 100.0),
    Drawn("Messages of channels", "QCST: QCSTNMSG", "a second"),
    Drawn("Processor time of tasks", "WTAS: WTASCMCT + WTASBACT + WTASOTCT", "us a second"),
    Drawn("Processor time of calls on queues", "WQ: PUTCT + GETCT + PUT1CT", "us a second"),
)
# Where a finding is to be looked at: the first chart of the table that its rule reads, or what shows the same resource.
_SHOWN: Final = {"QCT_ADP": "QCCT", "QCT_DSP": "QCCT", "QCT_DNS": "QCCT", "QCT_SSL": "QCCT", "QCCT": "QCCT"}

_CONDENSED: Final = pa.schema(
    [
        *(POINTS.field(name) for name in SERIES),
        pa.field("bucket", pa.list_(pa.field("element", pa.int32()))),
        pa.field("value", pa.list_(pa.field("element", pa.float64()))),
        pa.field("gap", pa.float64()),
    ]
)


class Condenser:
    """Condenses series to buckets of time: the mean of a rate, the highest value of any other metric."""

    def __init__(self, metrics: Sequence[Metric], start: int, step: int) -> None:
        self._metrics = {metric.name: metric for metric in metrics}
        self._start = start
        self._step = step

    def condensed(self, points: pa.Table) -> pa.Table:
        """Condense one series."""
        metric = self._metrics[points.column("metric")[0].as_py()]
        made = by_moment(metric, points)
        if not made.num_rows:
            return _CONDENSED.empty_table()
        length = made.column("duration_us").to_numpy()
        local = made.column("start_local").cast(pa.int64()).to_numpy() + length // 2
        value = made.column("value").to_numpy()
        bucket, of_bucket = np.unique(np.maximum(local - self._start, 0) // self._step, return_inverse=True)
        if metric.rate:
            found = np.bincount(of_bucket, weights=value) / np.bincount(of_bucket)
        else:
            found = np.full(len(bucket), -np.inf)
            np.maximum.at(found, of_bucket, value)
        gap = _GAP * max(float(np.median(length)) / self._step, 1.0)
        row = {name: [points.column(name)[0].as_py()] for name in SERIES}
        columns = {**row, "bucket": [bucket.astype(np.int32).tolist()], "value": [found.tolist()], "gap": [gap]}
        return pa.table({field.name: pa.array(columns[field.name], field.type) for field in _CONDENSED}, _CONDENSED)


def overview(
    spark: SparkSession, names: Sequence[str], selection: Selection | None = None, title: str = "IBM MQ and Kew: SMF"
) -> tuple[Overview, Remarks]:
    """Give the data of the page, and the remarks on the dumps."""
    chosen = selection or Selection()
    remarks = Remarks()
    keys = list(MANAGER)

    def table(name: str, columns: Sequence[str] | None = None) -> DataFrame:
        needed = None if columns is None else list(dict.fromkeys([*columns, "system", "qmgr", "written_local"]))
        return frame_of(spark, names, name, needed, chosen)

    records = table(RECORDS_TABLE, [*keys, "written_local"]).where("qmgr IS NOT NULL")
    known = [F.coalesce(F.col(name), F.lit("")).alias(name) for name in keys]
    of_managers = (
        records.select(*known, "written_local")
        .groupBy("system", "qmgr")
        .agg(
            F.max("subsystem").alias("subsystem"),
            F.max("qsg").alias("qsg"),
            F.min("written_local").alias("first"),
            F.max("written_local").alias("last"),
            F.count("*").alias("records"),
        )
        .orderBy("system", "qmgr")
        .toArrow()
        .to_pylist()
    )
    start = min((_micros(row["first"]) for row in of_managers), default=0)
    end = max((_micros(row["last"]) for row in of_managers), default=0)
    lead = 3_600_000_000 if end - start > 86_400_000_000 else 0  # the first interval began before its record
    start -= lead or max(SHORTEST, (end - start) // BUCKETS)
    step = max(SHORTEST, -(-(end - start) // BUCKETS // SHORTEST) * SHORTEST)
    made = Overview(title, start // 1000, step // 1000)
    place: dict[tuple[object, ...], int] = {}
    for number, row in enumerate(of_managers):
        place[row["system"], row["qmgr"]] = number
        made.managers.append(
            {
                "label": manager_name(row),
                "system": row["system"],
                "first": _micros(row["first"]) // 1000,
                "last": _micros(row["last"]) // 1000,
                "records": row["records"],
            }
        )
    _charts(made, {name: table(name, list(columns)) for name, columns in _columns().items()}, place, start, step)
    _findings(made, summarise_findings(find_on_spark(spark, names, RuleBook(), chosen, remarks)), place)
    tasks, queues, identities = table("WTAS"), table("WQ"), table("WTID")
    _table(made, "Tasks by job", tasks_summed(identities, tasks, queues))
    _table(made, "Queues by processor time", queues_summed(identities, queues))
    _table(made, "Users by processor time", who_pays(identities, tasks, queues, "user").orderBy(F.desc("cpu_us")))
    made.remarks = list(remarks.lines())
    return made, remarks


def _columns() -> dict[str, list[str]]:
    return columns_of([chart.metric for chart in CHARTS])


def _charts(
    made: Overview, rows: dict[str, DataFrame], place: dict[tuple[object, ...], int], start: int, step: int
) -> None:
    from kew.analytics.smf.sparkreader import spark_schema

    metrics = [chart.metric for chart in CHARTS]
    needed = {name: frame.select(*_columns()[name]) for name, frame in rows.items()}
    condenser = Condenser(metrics, start, step)
    found = points_on_spark(needed, metrics).groupBy(*SERIES)
    series = found.applyInArrow(shaped(condenser.condensed, POINTS), spark_schema(_CONDENSED)).toArrow().to_pylist()
    series.sort(key=lambda row: tuple(str(row[name]) for name in SERIES))
    for number, chart in enumerate(CHARTS):
        lines: list[dict[str, object]] = [
            {
                "m": place[row["system"], row["qmgr"]],
                "o": row["object"],
                "t": row["bucket"],
                "v": rounded(row["value"]),
                "gap": round(row["gap"], 2),
            }
            for row in series
            if row["metric"] == chart.metric.name and (row["system"], row["qmgr"]) in place
        ]
        if lines:
            shown, left = closest(lines)
            about = {"id": f"chart{number}", "title": chart.title, "unit": chart.unit, "limit": chart.limit}
            made.charts.append({**about, "series": shown, "left": left})


def _findings(made: Overview, summary: pa.Table, place: dict[tuple[object, ...], int]) -> None:
    tables = {rule.name: rule.table for rule in RULES}
    charts: dict[str, object] = {}
    for number, chart in enumerate(CHARTS):
        if any(one["id"] == f"chart{number}" for one in made.charts):
            charts.setdefault(chart.metric.table.name, f"chart{number}")
    for row in summary.slice(0, MOST_ROWS).to_pylist():
        table = tables.get(row["rule"], "")
        limit = "" if row["limit"] is None else f" (limit {row['limit']:g} {row['unit'] or ''})".replace(" )", ")")
        made.findings.append(
            {
                "severity": row["severity"],
                "rule": row["rule"],
                "m": place.get((row["system"], row["qmgr"]), 0),
                "subject": row["subject"],
                "said": f"{row['worst']:g}{limit}",
                "times": row["times"],
                "first": _micros(row["first"]) // 1000,
                "last": _micros(row["last"]) // 1000,
                "advice": row["advice"],
                "chart": charts.get(_SHOWN.get(table, table), ""),
            }
        )


def _table(made: Overview, title: str, rows: DataFrame) -> None:
    found = rows.limit(MOST_ROWS).toArrow()
    names = [name for name in found.column_names if name not in ("subsystem", "qsg")]
    listed = [[_short(plain(row[name])) for name in names] for row in found.to_pylist()]
    if listed:
        made.tables.append({"title": title, "columns": names, "rows": listed})


def _short(value: object) -> object:
    return float(f"{value:.6g}") if isinstance(value, float) else "" if value is None else value


def _micros(moment: datetime) -> int:
    found: int = pa.scalar(moment, LOCAL).cast(pa.int64()).as_py()
    return found
