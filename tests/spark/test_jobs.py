"""Each analysis on data made so that the answer is known."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession
from tests.support.weeks import DAY, HOUR, Weeks

from kew.analytics.jobs.anomalies import anomalies_of, judged_on_spark
from kew.analytics.jobs.bursts import bursts, manager_messages, queue_messages
from kew.analytics.jobs.catalogue import ANALYSES, Request
from kew.analytics.jobs.consumers import slow_consumers
from kew.analytics.jobs.costs import who_pays
from kew.analytics.jobs.indexes import index_advice
from kew.analytics.jobs.logger import logger_saturation
from kew.analytics.jobs.metrics import Metric
from kew.analytics.jobs.pagesets import days_to_full
from kew.analytics.jobs.pools import buffer_pool_advice
from kew.analytics.jobs.regressions import compare, queue_costs
from kew.analytics.jobs.tariffs import Tariff
from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.ingest import ingest_here
from kew.analytics.smf.tables import TABLES
from kew.cli.smfanalyse import answer_lines

NOON = datetime(2022, 6, 29, 12, tzinfo=UTC)
Row = dict[str, Any]


def frame(spark: SparkSession, table: str, rows: Sequence[Row], step: float = 1.0) -> DataFrame:
    """Rows of a table, one interval of `step` seconds after the other, with what is not given null."""
    schema = TABLES[table].schema()
    made = []
    for number, row in enumerate(rows):
        start = NOON + timedelta(seconds=step * number)
        common = {"system": "SYS1", "qmgr": "QM1", "file": "dump", "offset": number, "section": 0}
        common |= {"interval_start": start, "recorded": start + timedelta(seconds=step), "duration_us": int(step * 1e6)}
        made.append(common | row)
    columns = {field.name: pa.array([row.get(field.name) for row in made], field.type) for field in schema}
    return spark.createDataFrame(pa.table(columns, schema=schema))


def answers(result: DataFrame, key: str) -> dict[Any, Row]:
    return {row[key]: row for row in result.toArrow().to_pylist()}


def test_bursts_in_a_minute(spark: SparkSession) -> None:
    second = {"steady": [1667] * 60, "bursts": ([33_000] + [20] * 19) * 3, "idle": [0] * 60}
    made = [
        {"QQSTQNAM": name, "QQSTPUTS": count, "QQSTPUT1": 0, "interval_start": NOON + timedelta(seconds=at)}
        for name, counts in second.items()
        for at, count in enumerate(counts)
    ]
    found = answers(bursts(queue_messages(frame(spark, "QQST", made))), "queue")
    assert {queue: row["verdict"] for queue, row in found.items()} == {
        "steady": "even",
        "bursts": "bursts",
        "idle": "idle",
    }
    assert found["steady"]["messages"] == 100_020
    assert found["steady"]["peak_to_mean"] == pytest.approx(1)
    assert found["bursts"]["messages"] == 100_140
    assert found["bursts"]["peak_rate"] == 33_000
    assert found["bursts"]["busiest_tenth_percent"] == pytest.approx(100 * (99_000 + 3 * 20) / 100_140)
    assert found["bursts"]["peak_at"] == NOON + timedelta(seconds=40)


def test_long_intervals_cannot_show_bursts(spark: SparkSession) -> None:
    rows = [{"QMSTPUT": 100_000, "QMSTPUT1": 0}] * 2
    found = bursts(manager_messages(frame(spark, "QMST", rows, step=60))).collect()
    assert [row["verdict"] for row in found] == ["too coarse"] * 2


def io(count: int, microseconds: float) -> Row:
    return {"QJSTIOCOUNT": count, "QJSTIOTOTIO": microseconds}


def log_row(pages: int, ios: int, idle: float, io_time: float, waits: int = 0) -> Row:
    blank = io(0, 0.0)
    return {
        "QJSTCIWR": pages,
        "QJSTLOGW": ios,
        "QJSTSLPTU": int(idle * 1e6),
        "QJSTWTB": waits,
        "QJSTIO": [blank, io(ios // 2, io_time * 1e6), blank, io(ios // 2, io_time * 0.9e6)],
    }


def test_the_logger_of_the_seed_is_busy_with_room_in_its_io(spark: SparkSession) -> None:
    dual = 220 * 256 * 60 * 2
    rows = [
        log_row(dual, dual // 11, 0.06, 56.796),  # 220 MB/s per copy, 11 pages an I/O, 99.9 % busy
        log_row(dual, dual // 120, 0.06, 56.796),
        log_row(1000, 500, 54.0, 3.0),
        log_row(dual // 2, dual // 10, 12.0, 45.0),
        log_row(1000, 500, 54.0, 3.0, waits=5),
    ]
    found = sorted(
        logger_saturation(frame(spark, "QJST", rows, step=60)).collect(), key=lambda row: row["interval_start"]
    )
    assert [row["verdict"] for row in found] == ["busy, room in I/O", "saturated", "room", "near", "saturated"]
    busy = found[0]
    assert busy["mb_per_second"] == pytest.approx(220)
    assert (busy["task_busy"], busy["io_busy"]) == (pytest.approx(99.9), pytest.approx(94.66))
    assert (busy["nearest"], busy["next"]) == ("logger task", "log I/O")
    assert busy["mb_per_second_at_full_io"] == pytest.approx(2560)
    assert found[2]["headroom"] == pytest.approx(10)
    assert (found[4]["nearest"], found[4]["nearest_used"]) == ("log buffers", 100)


def pool(number: int, **values: int) -> Row:
    counters = dict.fromkeys(("QPSTRIO", "QPSTTPW", "QPSTDWT", "QPSTDMC", "QPSTSOS", "QPSTGETN"), 0)
    return {"QPSTPOOL": number, "QPSTNBUF": 10_000, "QPSTGETP": 1000, **counters, **values}


def test_buffer_pools_are_classed_and_sized(spark: SparkSession) -> None:
    rows = [
        pool(0, QPSTCBSL=5_000),
        pool(1, QPSTCBSL=400, QPSTDWT=3, QPSTTPW=500),
        pool(2, QPSTCBSL=0, QPSTDWT=9, QPSTDMC=4, QPSTSOS=1, QPSTRIO=500),
        pool(3, QPSTCBSL=9_900),
        pool(4, QPSTCBSL=1_000, QPSTDWT=9, QPSTRIO=900, QPSTTPW=900),
        pool(5, QPSTCBSL=10_000, QPSTGETP=0),
    ]
    found = answers(buffer_pool_advice(frame(spark, "QPST", rows)), "pool")
    assert {number: (row["class"], row["advised_buffers"]) for number, row in found.items()} == {
        0: ("short-lived", 10_000),
        1: ("mixed", 15_000),
        2: ("long-lived", 20_000),
        3: ("short-lived", 10_000),
        4: ("long-lived", 10_000),
        5: ("idle", 10_000),
    }
    assert found[1]["worst_percent"] == pytest.approx(96)


def test_queues_that_should_be_indexed(spark: SparkSession) -> None:
    rows = [
        {"BASENAME": "REPLY", "INDXTYPE": 0, "GETS": 100, "VALIDGET": 100, "GETSMSG": 9_900, "GETCT": 10_000.0},
        {"BASENAME": "REPLY", "INDXTYPE": 0, "GETS": 100, "VALIDGET": 100, "GETSMSG": 9_900, "GETCT": 10_000.0},
        {"BASENAME": "WRONG", "INDXTYPE": 1, "GETS": 10, "VALIDGET": 10, "GETSMSG": 500, "GETCT": 100.0},
        {"BASENAME": "FEW", "INDXTYPE": 0, "GETS": 100, "VALIDGET": 100, "GETSMSG": 50, "GETCT": 100.0},
        {"BASENAME": "FIFO", "INDXTYPE": 0, "GETA": 100, "VALIDGET": 100, "GETSMSG": 0, "GETCT": 100.0},
    ]
    found = answers(index_advice(frame(spark, "WQ", rows)), "queue")
    assert {queue: row["advice"] for queue, row in found.items()} == {
        "REPLY": "index by message or correlation id",
        "WRONG": "index is of another type than the gets need",
        "FEW": "none",
    }
    assert found["REPLY"]["skipped_per_get"] == pytest.approx(99)
    assert found["REPLY"]["saved_cpu_us"] == pytest.approx(20_000 * 19_800 / 20_000)


def test_who_pays_with_the_share_of_streaming(spark: SparkSession) -> None:
    who = [
        {"WTIDTRAN": "ALICE", "WTIDOPID": "", "WTIDCCN": "JOB1", "WTIDCHL": ""},
        {"WTIDTRAN": "", "WTIDOPID": "BOB", "WTIDCCN": "CHIN", "WTIDCHL": "TO.QM1"},
    ]
    tasks = [
        {"CORREL": b"1", "WTASCMCT": 100.0, "WTASOTCT": 50.0, "WTASJWB": 7000},
        {"CORREL": b"2", "WTASCMCT": 10.0},
    ]
    queues = [
        {"CORREL": b"1", "BASENAME": "A", "PUTCT": 600.0, "OPENCT": 50.0, "VALIDPUT": 10, "STREAMEDN": 10, "offset": 0},
        {"CORREL": b"1", "BASENAME": "B", "GETCT": 200.0, "VALIDGET": 10, "offset": 0, "section": 1},
        {"CORREL": b"2", "BASENAME": "A", "GETCT": 190.0, "VALIDGET": 10, "offset": 1},
    ]
    identities, accounts = frame(spark, "WTID", who), frame(spark, "WTAS", tasks)
    used = frame(spark, "WQ", queues)
    users = answers(who_pays(identities, accounts, used, "user"), "payer")
    assert (users["ALICE"]["cpu_us"], users["BOB"]["cpu_us"]) == (1000, 200)
    assert users["ALICE"]["streaming_cpu_us"] == pytest.approx(300)
    assert users["ALICE"]["streaming_percent"] == pytest.approx(30)
    assert users["ALICE"]["cpu_us_per_message"] == pytest.approx(50)
    assert (users["ALICE"]["log_bytes"], users["ALICE"]["tasks"]) == (7000, 1)
    assert users["BOB"]["share_percent"] == pytest.approx(100 / 6)
    by_queue = answers(who_pays(identities, accounts, used, "queue"), "payer")
    assert {queue: row["cpu_us"] for queue, row in by_queue.items()} == {"A": 840, "B": 200}
    by_channel = answers(who_pays(identities, accounts, used, "channel"), "payer")
    assert by_channel["TO.QM1"]["messages_got"] == 10
    with pytest.raises(ValueError, match="by user, job, channel, queue, application, not by moon"):
        who_pays(identities, accounts, used, "moon")


def test_days_to_full(spark: SparkSession) -> None:
    day = 86_400
    rows = [
        {"QIS1PSNO": number, "QIS1TOPG": 10_000, "QIS1UNPG": free(at), "recorded": NOON + timedelta(seconds=day * at)}
        for number, free in ((1, lambda at: 9_000 - 500 * at), (2, lambda at: 5_000), (3, lambda at: 1_000 + 10 * at))
        for at in range(11)
    ]
    found = answers(days_to_full(frame(spark, "QIS1", rows)), "page_set")
    assert found[1]["pages_per_day"] == pytest.approx(500)
    assert found[1]["days_to_full"] == pytest.approx(8)
    assert found[1]["fit"] == pytest.approx(1)
    assert (found[2]["days_to_full"], found[3]["days_to_full"]) == (None, None)
    assert found[2]["used_percent"] == pytest.approx(50)


def test_regressions_beyond_six_percent(spark: SparkSession) -> None:
    before = {
        "same": [100, 101, 99],
        "worse": [100, 100, 101],
        "better": [100, 99, 100],
        "noisy": [80, 100, 140],
        "nothing": [0, 0],
        "first": [0, 0],
        "gone": [1],
    }
    after = {
        "same": [105, 104, 106],
        "worse": [108, 107, 107],
        "better": [90, 91, 90],
        "noisy": [120, 90, 110],
        "nothing": [0],
        "first": [5],
        "new": [1],
    }

    def side(values: dict[str, list[int]]) -> DataFrame:
        rows = [(name, float(value)) for name, many in values.items() for value in many]
        return spark.createDataFrame(
            pa.table({"name": [name for name, _ in rows], "value": [value for _, value in rows]})
        )

    found = answers(compare(side(before), side(after), ["name"]), "name")
    assert {name: row["verdict"] for name, row in found.items()} == {
        "same": "same",
        "worse": "worse",
        "better": "better",
        "noisy": "inconclusive",
        "nothing": "same",
        "first": "worse",
        "gone": "gone",
        "new": "new",
    }
    assert found["worse"]["change_percent"] == pytest.approx(7)
    rates = answers(compare(side(before), side(after), ["name"], higher_is_better=True), "name")
    assert [rates[name]["verdict"] for name in ("worse", "better", "first")] == ["better", "worse", "better"]


def test_two_releases_are_compared_wherever_they_ran(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"qmgr": qmgr, "release": release, "BASENAME": "Q", "PUTN": 10, "PUTCT": cost * 10.0, "GETN": 10, "GETCT": 5.0}
        for qmgr, release, cost in (("QM1", "9.3.0", 20), ("QM1", "9.4.0", 25), ("QM2", "9.4.0", 25))
    ]
    made = frame(spark, "WQ", rows)
    monkeypatch.setattr("kew.analytics.jobs.catalogue.frame_of", lambda *_: made)
    found = answers(ANALYSES["regressions"](Request(spark, [], releases=("9.3.0", "9.4.0"))), "metric")
    assert {name: row["verdict"] for name, row in found.items()} == {
        "put_cpu_us": "worse",
        "put_elapsed_us": "same",
        "get_cpu_us": "same",
    }
    assert found["put_cpu_us"]["change_percent"] == pytest.approx(25)


def test_costs_of_calls_are_measured_for_comparison(spark: SparkSession) -> None:
    rows = [{"BASENAME": "Q", "release": "9.3.0", "PUTN": 10, "PUTCT": 180.0, "PUTET": 182.0, "GETN": 0, "GETCT": 0.0}]
    found = answers(queue_costs(frame(spark, "WQ", rows)), "metric")
    assert {metric: row["value"] for metric, row in found.items()} == {"put_cpu_us": 18.0, "put_elapsed_us": 18.2}


def test_anomalies_are_those_that_this_process_finds(spark: SparkSession) -> None:
    metric = Metric("QMST: QMSTPUT + QMSTPUT1")
    series = [Weeks(seed, 6, 3600) for seed in range(4)]
    series[2].plant(series[2].split + 2 * DAY + 10 * HOUR, 2 * HOUR, 4.0)
    points = pa.concat_tables(
        [one.points(f"QM{number}", metric.name, one.values()) for number, one in enumerate(series)]
    )
    split = datetime.fromtimestamp(series[0].split / 1e6, UTC).replace(tzinfo=None)
    expected = anomalies_of(points, [metric], split)
    found = judged_on_spark(spark.createDataFrame(points), [metric], split).toArrow().cast(expected.schema)
    assert found.to_pylist() == expected.to_pylist()
    assert ("QM2", "high") in {(row["qmgr"], row["verdict"]) for row in found.to_pylist()}


def queue(name: str, depths: list[int], puts: int, gets: int, consumers: int = 1, age: int = 0) -> list[Row]:
    return [
        {
            "QQSTQNAM": name,
            "QQSTDPTH": depth,
            "QQSTPUTS": puts,
            "QQSTGETS": gets,
            "QQSTIPCT": consumers,
            "QQSTMAGE": age,
            "interval_start": NOON + timedelta(seconds=at),
        }
        for at, depth in enumerate(depths)
    ]


def test_slow_consumers(spark: SparkSession) -> None:
    rows = [
        *queue("GOOD", [5, 4, 6], 100, 100),
        *queue("BEHIND", [10, 60, 110], 100, 50),
        *queue("NOBODY", [5, 15, 25], 10, 0, consumers=0),
        *queue("STALLED", [5, 5, 5], 0, 0),
        *queue("OLD", [3, 3, 3], 10, 10, age=1000),
    ]
    found = answers(slow_consumers(frame(spark, "QQST", rows)), "queue")
    assert {name: row["verdict"] for name, row in found.items()} == {
        "GOOD": "keeping up",
        "BEHIND": "falling behind",
        "NOBODY": "no consumer",
        "STALLED": "stalled",
        "OLD": "old messages",
    }
    assert found["BEHIND"]["growth_per_second"] == pytest.approx(50)
    assert found["BEHIND"]["drain_seconds"] == pytest.approx(2.2)


def test_every_analysis_runs_on_a_store(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "dump.dat"
    systems = [System("SYS1", "QM01", 90303), System("SYS2", "QM02", 100000)]
    path.write_bytes(b"".join(Generator(Profile(systems, tasks=2, queues=3)).intervals(3)))
    store = str(tmp_path / "store")
    ingest_here([str(path)], store)
    split = datetime(2022, 6, 29, 12, 2)
    for name, analysis in ANALYSES.items():
        columns = analysis(Request(spark, [store], split=split, tariff=Tariff())).columns
        assert len(columns) > 5, name
    costs = ANALYSES["costs"](Request(spark, [store], "queue")).toArrow()
    assert costs.num_rows == 6
    verdicts = ANALYSES["regressions"](Request(spark, [store], split=split)).toArrow().column("verdict").to_pylist()
    assert set(verdicts) <= {"same", "better", "worse", "inconclusive"}
    releases = ANALYSES["regressions"](Request(spark, [store], releases=("9.3.3", "10.0.0"))).toArrow()
    assert releases.column_names[:2] == ["queue", "metric"]
    assert set(releases.column("verdict").to_pylist()) <= {"same", "better", "worse", "inconclusive"}
    with pytest.raises(ValueError, match=r"no WQ records are of release 9.9.9; they are of 10.0.0, 9.3.3"):
        ANALYSES["regressions"](Request(spark, [store], releases=("9.9.9", "10.0.0")))
    with pytest.raises(ValueError, match="give the local time between them with --split"):
        ANALYSES["regressions"](Request(spark, [store]))


def test_answers_are_written_in_three_forms(spark: SparkSession) -> None:
    rows = [{"QIS1PSNO": 1, "QIS1TOPG": 100, "QIS1UNPG": 50}]
    answer = days_to_full(frame(spark, "QIS1", rows)).toArrow()
    heading, line = "".join(answer_lines(answer, "text")).splitlines()
    assert heading.split()[:3] == ["system", "qmgr", "page_set"]
    assert line.split()[:5] == ["SYS1", "QM1", "1", "1", "0.00"]
    assert "".join(answer_lines(answer, "csv")).splitlines()[1].startswith("SYS1,QM1,1,1,0.0,50,100,50.0,")
    assert json.loads("".join(answer_lines(answer, "json")))["days_to_full"] is None
