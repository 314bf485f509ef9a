"""Points of metrics, and what is told about them in this process."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pytest
from tests.support.weeks import DAY, HOUR, Weeks

from kew.analytics.jobs.anomalies import anomalies_here, anomalies_of
from kew.analytics.jobs.metrics import Metric, by_moment, metrics_named, zone_named
from kew.analytics.jobs.seasons import UNKNOWN
from kew.analytics.reports.expressions import BadFormula
from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.tables import LOCAL, table_named

PUTS = Metric("QMST: QMSTPUT + QMSTPUT1")
BERLIN = ZoneInfo("Europe/Berlin")


def moment(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1e6, UTC).replace(tzinfo=None)


def test_an_anomaly_is_told_once_with_what_was_usual() -> None:
    series = [Weeks(seed, 8, 900) for seed in range(3)]
    start = series[1].split + 2 * DAY + 10 * HOUR
    series[1].plant(start, 2 * HOUR, 4.0)
    points = pa.concat_tables([one.points(f"QM{number}", PUTS.name, one.values()) for number, one in enumerate(series)])
    found = anomalies_of(points, [PUTS], moment(series[0].split)).to_pylist()
    (row,) = found
    assert (row["qmgr"], row["verdict"], row["intervals"], row["metric"]) == ("QM1", "high", 8, PUTS.name)
    assert row["start_local"] == moment(start)
    assert row["end_local"] == moment(start + 2 * HOUR)
    assert row["start_utc"] == moment(start).replace(tzinfo=UTC)
    assert row["baseline"] == "weekday and hour"
    assert 2 < row["value"] / row["expected"] < 8
    assert row["chance"] < 1e-3


def test_a_series_that_is_too_young_is_told_as_such() -> None:
    series = Weeks(1, 3, 3600)
    points = series.points("QM1", PUTS.name, series.values())
    found = anomalies_of(points, [PUTS], moment(series.local[0].item() + DAY)).to_pylist()
    assert [(row["verdict"], row["expected"]) for row in found] == [(UNKNOWN, None)]
    assert found[0]["intervals"] == 20 * 24
    assert anomalies_of(points.slice(0, 0), [PUTS], moment(0)).num_rows == 0


def test_people_work_by_the_clock_on_the_wall() -> None:
    """Six weeks of winter, two of summer: the load moves an hour of UTC, and that is not unusual."""
    series = Weeks(3, 8, 3600, start=datetime(2024, 2, 19, tzinfo=UTC))  # clocks change on March 31
    values = series.values()
    points = series.points("QM1", PUTS.name, values, BERLIN)
    split = moment(series.split)
    assert anomalies_of(points, [PUTS], split).num_rows <= 1
    utc = points.set_column(
        points.schema.get_field_index("start_local"), "start_local", points.column("start").cast(LOCAL)
    )
    assert anomalies_of(utc, [PUTS], split).num_rows > 5  # as a system whose clock ignores summer time has it


def rows(count: int, **columns: object) -> pa.RecordBatch:
    schema = table_named("QMST").schema()
    start = datetime(2024, 3, 31, 0, 30, tzinfo=UTC)
    common: dict[str, object] = {"system": "S", "qmgr": "Q", "duration_us": 1_800_000_000, "utc_offset": 0}
    made = []
    for number in range(count):
        at = start + timedelta(minutes=30 * number)
        made.append(common | {"interval_start": at, "written_local": at.replace(tzinfo=None)} | columns)
    return pa.RecordBatch.from_arrays(
        [pa.array([row.get(field.name) for row in made], field.type) for field in schema], schema=schema
    )


def test_counters_become_rates_and_the_zone_gives_local_times() -> None:
    batch = rows(3, QMSTPUT=1800, QMSTPUT1=0)
    points = PUTS.points(batch)
    assert points.column("value").to_pylist() == [1.0] * 3
    assert points.column("quantum").to_pylist() == [1 / 1800] * 3
    berlin = PUTS.points(batch, zone_named("Europe/Berlin"))
    hours = [(at.hour, at.minute) for at in berlin.column("start_local").to_pylist()]
    assert hours == [(1, 30), (3, 0), (3, 30)]  # two o'clock is skipped
    level = Metric("QMST: QMSTPUT / (QMSTPUT + QMSTPUT1)").points(batch)
    assert level.column("value").to_pylist() == [1.0] * 3
    assert level.column("quantum").to_pylist() == [0.0] * 3
    assert PUTS.points(rows(2, QMSTPUT=None, QMSTPUT1=None)).num_rows == 0


def test_tasks_are_summed_by_the_hour() -> None:
    metric = Metric("WTAS: WTASCMN")
    assert (metric.rate, metric.hourly) == (True, True)
    series = Weeks(1, 3, 900)
    points = series.points("QM1", metric.name, np.full(len(series.local), 900.0))
    summed = by_moment(metric, points)
    assert summed.num_rows == 21 * 24 - 2  # the hours at the ends may not be whole
    assert set(summed.column("value").to_pylist()) == {1.0}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("QMSTPUT", "is not a metric: the form is TABLE: FORMULA"),
        ("QMST: NOTHING", "table QMST has no column NOTHING"),
        ("QQST: QQSTDPTH by NAME", "table QQST has no column NAME"),
        ("records: length", "has no values of intervals"),
    ],
)
def test_what_is_not_a_metric_is_refused(text: str, problem: str) -> None:
    with pytest.raises(BadFormula, match=problem):
        Metric(text)


def test_what_is_not_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="'Mars' is not a time zone; the form is Europe/Berlin"):
        zone_named("Mars")


def test_the_usual_metrics_of_dumps(tmp_path: Path) -> None:
    start = int(datetime(2024, 1, 1, tzinfo=UTC).timestamp()) * 1_000_000
    profile = Profile([System("SYS1", "QM01", 100000)], start, interval=HOUR // 2, tasks=2, queues=3)
    (tmp_path / "dump.dat").write_bytes(b"".join(Generator(profile).intervals(48 * 5)))
    found = anomalies_here([str(tmp_path)], metrics_named([]), datetime(2024, 1, 5))
    assert set(found.column("verdict").to_pylist()) <= {"high", "low"}
    unknown = anomalies_here([str(tmp_path)], metrics_named([]), datetime(2024, 1, 2))
    assert set(unknown.column("verdict").to_pylist()) == {UNKNOWN}
    assert len(set(unknown.column("metric").to_pylist())) == len(metrics_named([]))
