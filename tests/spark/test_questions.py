"""Bills, summaries, selections and what-ifs against recounts of rows that are known."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyspark.sql import DataFrame, SparkSession
from tests.support.weeks import Weeks

from kew.analytics.jobs.capacity import what_if
from kew.analytics.jobs.catalogue import ANALYSES, Request
from kew.analytics.jobs.comparisons import compared_of, compared_on_spark
from kew.analytics.jobs.forecasts import forecasts_of, forecasts_on_spark
from kew.analytics.jobs.metrics import Metric
from kew.analytics.jobs.questions import QUESTIONS
from kew.analytics.jobs.tariffs import read_tariff
from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.ingest import ingest_here
from kew.analytics.smf.read import load
from kew.analytics.smf.selection import Selection
from kew.analytics.smf.tables import TABLES
from kew.cli.smf import smf

Row = dict[str, Any]
NOON = datetime(2024, 1, 30, 12, tzinfo=UTC)
TARIFF = """
currency = "EUR"
[rates]
cpu_seconds = 2.5
messages = 0.001
log_gigabytes = 4
[[application]]
name = "Orders"
queues = ["APP.QUEUE.0000"]
[[application]]
name = "Payments"
users = ["USER1", "USER2"]
[[application]]
name = "Rest"
jobs = ["JOB*"]
"""
QUEUE_CPU = ("OPENCT", "CLOSECT", "GETCT", "PUTCT", "PUT1CT", "INQCT", "SETCT", "CBCT")
TOPIC_CPU = ("TOPICOPENSRB", "TOPICPUTSRB", "TOPICPUT1SRB", "TOPICCLOSESRB")
TASK_CPU = ("WTASCMCT", "WTASBACT", "WTASPRCT", "WTASOTCT", "WTASSUCT", "WTASSQCT", "WTASCTCT", "WTASSTCT")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two months of two systems whose queue managers have one name."""
    folder = tmp_path_factory.mktemp("questions")
    systems = [System("SYS1", "QM01", 90303), System("SYS2", "QM01", 100000)]
    start = int(datetime(2024, 1, 31, 22, tzinfo=UTC).timestamp()) * 1_000_000
    profile = Profile(systems, tasks=8, queues=4, start=start, interval=3_600_000_000)
    path = folder / "dump.dat"
    path.write_bytes(b"".join(Generator(profile).intervals(4)))
    ingest_here([str(path)], str(folder / "store"))
    return str(folder / "store")


def lines_of(store: str) -> list[Row]:
    """What each task did, with who it was, in this process and row by row."""
    from kew.analytics.smf.store import Store

    tables = {name: Store(store).read(name).to_pylist() for name in ("WTID", "WTAS", "WQ")}
    who = {(row["dump"], row["offset"]): row for row in tables["WTID"]}
    lines = []
    for name, columns in (("WQ", (*QUEUE_CPU, *TOPIC_CPU)), ("WTAS", TASK_CPU)):
        for row in tables[name]:
            identity = who[row["dump"], row["offset"]]
            lines.append(
                {
                    "key": (row["system"], row["qmgr"]),
                    "month": f"{row['written_local']:%Y-%m}",
                    "user": identity["WTIDTRAN"] or identity["WTIDOPID"],
                    "job": identity["WTIDCCN"],
                    "queue": row.get("BASENAME"),
                    "cpu": sum(row[column] or 0 for column in columns),
                    "messages": (row.get("VALIDPUT") or 0) + (row.get("VALIDGET") or 0),
                    "log": row.get("WTASJWB") or 0,
                    "correlator": row["CORREL"],
                }
            )
    return lines


def application(line: Row) -> str:
    if line["queue"] == "APP.QUEUE.0000":
        return "Orders"
    return "Payments" if line["user"] in ("USER1", "USER2") else "Rest"


def test_a_bill_is_what_a_recount_gives(spark: SparkSession, store: str) -> None:
    tariff = read_tariff(TARIFF)
    found = ANALYSES["bill"](Request(spark, [store], tariff=tariff)).toArrow().to_pylist()
    expected: dict[tuple[str, ...], float] = defaultdict(float)
    for line in lines_of(store):
        money = line["cpu"] / 1e6 * 2.5 + line["messages"] * 0.001 + line["log"] / 1e9 * 4
        expected[line["month"], *line["key"], application(line)] += money
    got = {(row["month"], row["system"], row["qmgr"], row["payer"]): row["amount"] for row in found}
    assert got == pytest.approx(dict(expected))
    assert {row["month"] for row in found} == {"2024-01", "2024-02"}
    assert {row["currency"] for row in found} == {"EUR"}
    for row in found:
        parts = [row[name] for name in ("cpu_seconds_amount", "messages_amount", "log_gigabytes_amount")]
        assert row["amount"] == pytest.approx(sum(parts))
    by_user = ANALYSES["bill"](Request(spark, [store], "user", tariff=tariff)).toArrow().column("amount").to_pylist()
    assert sum(by_user) == pytest.approx(sum(expected.values()))
    with pytest.raises(ValueError, match="a bill needs a tariff"):
        ANALYSES["bill"](Request(spark, [store]))


def test_tasks_and_queues_are_summed(spark: SparkSession, store: str) -> None:
    lines = lines_of(store)
    tasks = ANALYSES["tasksum"](Request(spark, [store])).toArrow().to_pylist()
    cpu: dict[tuple[str, str], float] = defaultdict(float)
    there: dict[tuple[str, str], set[bytes]] = defaultdict(set)
    for line in lines:
        cpu[line["key"][0], line["job"]] += line["cpu"]
        there[line["key"][0], line["job"]].add(line["correlator"])
    assert {(row["system"], row["job"]): row["cpu_us"] for row in tasks} == pytest.approx(dict(cpu))
    assert {(row["system"], row["job"]): row["tasks"] for row in tasks} == {key: len(one) for key, one in there.items()}
    queues = ANALYSES["qsum"](Request(spark, [store])).toArrow().to_pylist()
    users: dict[tuple[str, str], set[str]] = defaultdict(set)
    messages: dict[tuple[str, str], float] = defaultdict(float)
    for line in lines:
        if line["queue"] is not None:
            users[line["key"][0], line["queue"]].add(line["user"])
            messages[line["key"][0], line["queue"]] += line["messages"]
    assert {(row["system"], row["queue"]): row["users"] for row in queues} == {
        key: len(one) for key, one in users.items()
    }
    got = {(row["system"], row["queue"]): row["messages_put"] + row["messages_got"] for row in queues}
    assert got == pytest.approx(dict(messages))


def test_selections_hold_in_every_analysis(spark: SparkSession, store: str) -> None:
    lines = lines_of(store)
    chosen = Selection("QM01", datetime(2024, 2, 1), None, "SYS2")
    request = Request(spark, [store], "queue", selection=chosen, queue="APP.QUEUE.000*", user_name="USER1")
    rows = ANALYSES["costs"](request).toArrow().to_pylist()
    expected: dict[str, float] = defaultdict(float)
    for line in lines:
        if line["key"][0] == "SYS2" and line["month"] == "2024-02" and line["user"] == "USER1" and line["queue"]:
            expected[line["queue"]] += line["cpu"]
    assert {row["payer"]: row["cpu_us"] for row in rows} == pytest.approx(dict(expected))
    assert QUESTIONS.keys() == ANALYSES.keys()
    tariff = read_tariff(TARIFF)
    split = datetime(2024, 2, 1)
    for name, question in QUESTIONS.items():
        asked = Request(
            spark,
            [store],
            split=split,
            selection=Selection(system="SYS1"),
            queue="APP.QUEUE.0001" if question.queue else "",
            metrics=["QQST: QQSTDPTH"] if name in ("anomalies", "compare", "forecast") else [],
            tariff=tariff,
        )
        answer = ANALYSES[name](asked).toArrow()
        if "system" in answer.column_names:
            assert set(answer.column("system").to_pylist()) <= {"SYS1"}, name
        for column in ("queue", "object"):
            if question.queue and column in answer.column_names:
                assert set(answer.column(column).to_pylist()) <= {"APP.QUEUE.0001"}, name


def test_the_command_takes_the_choices(spark: SparkSession, store: str) -> None:
    assert spark is not None  # whose session the command takes
    words = ["analyse", "tasksum", store, "--by", "user", "--top", "2", "--system", "SYS1", "--format", "csv"]
    result = CliRunner().invoke(smf, words)
    assert (result.exit_code, len(result.stdout.splitlines())) == (0, 3), result.output
    result = CliRunner().invoke(smf, ["analyse", "pools", store, "--queue", "A"])
    assert (result.exit_code, "pools does not look at queues" in result.output) == (1, True)


def made(spark: SparkSession, table: str, rows: Sequence[Row]) -> DataFrame:
    schema = TABLES[table].schema()
    common = {"system": "SYS1", "qmgr": "QM1", "file": "dump", "section": 0, "duration_us": 60_000_000}
    whole = [
        common | {"offset": number, "written_local": NOON.replace(tzinfo=None), "interval_start": NOON} | row
        for number, row in enumerate(rows)
    ]
    columns = {field.name: pa.array([row.get(field.name) for row in whole], field.type) for field in schema}
    return spark.createDataFrame(pa.table(columns, schema=schema))


def test_twice_the_messages_and_the_size(spark: SparkSession) -> None:
    """A message costs 20 us and 0.01 us a byte, which is known here and found there."""
    random = np.random.default_rng(4)
    queues: list[dict[str, Any]] = []
    tasks: list[dict[str, Any]] = []
    for _ in range(60):
        count, size = int(random.integers(50, 500)), int(random.integers(100, 9000))
        cost = count * (20 + 0.01 * size)
        queues.append({"BASENAME": "Q", "VALIDPUT": count, "PUTBYTES": count * size, "PUTCT": cost})
        tasks.append({"WTASJWB": count * (size + 500)})
    entry = {"QJSTIOCOUNT": 100, "QJSTIOCI": 6400, "QJSTIOTOTIO": 3e6, "QJSTIOTOTSUS": 0.0}
    idle = {"QJSTIOCOUNT": 0, "QJSTIOCI": 0, "QJSTIOTOTIO": 0.0, "QJSTIOTOTSUS": 0.0}
    log = [
        {"QJSTCIWR": 6400, "QJSTLOGW": 100, "QJSTSLPTU": 50_000_000, "QJSTWTB": 0, "QJSTIO": [entry, idle, idle, idle]}
    ]
    pools = [{"QPSTPOOL": 3, "QPSTNBUF": 1000, "QPSTCBSL": 700}, {"QPSTPOOL": 3, "QPSTNBUF": 1000, "QPSTCBSL": 900}]
    sets = [{"QIS1PSNO": 4, "QIS1TOPG": 1000, "QIS1UNPG": 800}]
    frames = [
        made(spark, *one) for one in (("WTAS", tasks), ("WQ", queues), ("QJST", log), ("QPST", pools), ("QIS1", sets))
    ]
    answer = what_if(frames[0], frames[1], frames[2], frames[3], frames[4], messages=2, size=2).toArrow().to_pylist()
    rows = {row["resource"]: row for row in answer}
    payload = sum(row["PUTBYTES"] for row in queues)
    number = sum(row["VALIDPUT"] for row in queues)
    cpu = rows["processor time of calls"]
    assert cpu["now"] == pytest.approx((20 * number + 0.01 * payload) / 3.6e9)
    assert cpu["then"] == pytest.approx(2 * (20 * number + 2 * 0.01 * payload) / 3.6e9)
    assert (cpu["limit"], cpu["verdict"]) == (None, "no limit known")
    share = payload / sum(row["WTASJWB"] for row in tasks)
    assert rows["log"]["then"] == pytest.approx(rows["log"]["now"] * 2 * (1 + share))
    assert rows["log"]["limit"] == pytest.approx(rows["log"]["now"] * 2)  # 64 of 128 pages in an I/O
    assert rows["log"]["verdict"] == "does not fit"
    assert (rows["buffer pool"]["now"], rows["buffer pool"]["then"], rows["buffer pool"]["verdict"]) == (
        300,
        1200,
        "does not fit",
    )
    assert (rows["page set"]["then_percent"], rows["page set"]["room"], rows["page set"]["verdict"]) == (
        pytest.approx(80),
        pytest.approx(5),
        "fits",
    )
    with pytest.raises(ValueError, match="the factor of size is a number above 0, not 0"):
        what_if(frames[0], frames[1], frames[2], frames[3], frames[4], size=0)


def test_what_bytes_cost_is_not_guessed(spark: SparkSession) -> None:
    queues = [{"BASENAME": "Q", "VALIDPUT": 10, "PUTBYTES": 10_000, "PUTCT": 300.0 + at} for at in range(40)]
    frames = [
        made(spark, name, rows)
        for name, rows in (("WTAS", [{}]), ("WQ", queues), ("QJST", []), ("QPST", []), ("QIS1", []))
    ]
    (row,) = what_if(frames[0], frames[1], frames[2], frames[3], frames[4], 1, 3).toArrow().to_pylist()
    assert row["then"] == pytest.approx(row["now"])
    assert "do not tell what bytes cost" in row["basis"]


def test_forecasts_and_comparisons_are_those_of_this_process(spark: SparkSession) -> None:
    metric = Metric("QMST: QMSTPUT + QMSTPUT1")
    tables = []
    split = datetime(2024, 1, 1)
    for number in range(4):
        weeks = Weeks(number, 6, 3600, trend=0.01 * number)
        split = datetime.fromtimestamp(weeks.split / 1e6, UTC).replace(tzinfo=None)
        tables.append(weeks.points(f"QM{number}", metric.name, weeks.values()))
    points = pa.concat_tables(tables)
    frame = spark.createDataFrame(points)
    expected = forecasts_of(points, [metric], 30)
    found = forecasts_on_spark(frame, [metric], 30).toArrow().cast(expected.schema)
    assert found.sort_by("qmgr").to_pylist() == expected.sort_by("qmgr").to_pylist()
    compared = compared_of(points, [metric], split)
    assert compared_on_spark(frame, [metric], split).toArrow().cast(compared.schema).to_pylist() == compared.to_pylist()


def test_a_dump_is_asked_like_a_store(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "dump.dat"
    path.write_bytes(b"".join(Generator(Profile([System("SYS1", "QM01", 90303)], tasks=3)).intervals(2)))
    rows = ANALYSES["tasksum"](Request(spark, [str(path)], user_name="USER0")).toArrow().to_pylist()
    tasks = load([str(path)], "WTID").to_pylist()
    assert {row["job"] for row in rows} == {row["WTIDCCN"] for row in tasks if row["WTIDOPID"] == "USER0"}
    assert timedelta(0) < timedelta(microseconds=rows[0]["cpu_us"])
