"""Filters that the reader of dumps takes: the same rows as without, and fewer that leave the tasks."""

from datetime import datetime
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.pushdown import FilteringReader
from kew.analytics.smf.rows import frame_of
from kew.analytics.smf.selection import Selection
from kew.analytics.smf.sparkreader import Settings

CONDITIONS = [
    "qmgr = 'QM02'",
    "qmgr = 'NONE'",
    "system LIKE 'SYS%' AND QQSTQNAM LIKE 'APP.QUEUE.000%'",
    "QQSTQNAM IN ('APP.QUEUE.0001', 'APP.QUEUE.0003')",
    "written_local >= TIMESTAMP_NTZ '2022-06-29 12:02:00' AND written_local < TIMESTAMP_NTZ '2022-06-29 13:03:00'",
    "QQSTDPTH > 500 AND QQSTDPTH <= 800",
    "recorded >= TIMESTAMP '2022-06-29 12:02:00Z'",
    "qsg = '' OR QQSTDPTH > 10",
    "QQSTPSID IS NOT NULL AND QQSTDPTH % 2 = 0",
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    systems = [System("SYS1", "QM01", 90303), System("SYS2", "QM02", 100000, 60, "QSG1")]
    path = tmp_path_factory.mktemp("dump") / "dump.dat"
    path.write_bytes(b"".join(Generator(Profile(systems, tasks=1, queues=6)).intervals(5)))
    return str(path)


def frame(spark: SparkSession, path: str, pushed: str) -> DataFrame:
    return spark.read.format("kewsmf").option("table", "QQST").option("pushdown", pushed).load(path)


def test_rows_are_the_same(spark: SparkSession, path: str) -> None:
    for condition in CONDITIONS:
        with_, without = (
            frame(spark, path, pushed).where(condition).orderBy("offset", "section").toArrow()
            for pushed in ("true", "false")
        )
        assert with_.equals(without), condition
        assert condition == CONDITIONS[1] or with_.num_rows, condition


def test_what_is_taken_has_left_the_plan(spark: SparkSession, path: str) -> None:
    def plan(condition: str) -> str:
        return str(frame(spark, path, "true").where(condition)._jdf.queryExecution().executedPlan().toString())

    for condition in CONDITIONS[:6]:
        assert "Filter (" not in plan(condition), condition
    assert "Filter (" in plan(CONDITIONS[8])


def test_selections_of_commands_are_taken(spark: SparkSession, path: str) -> None:
    chosen = Selection("QM01", datetime(2022, 6, 29, 12, 2), datetime(2022, 6, 29, 12, 4), "SYS1")
    rows = frame_of(spark, [path], "QQST", None, chosen)
    assert "Filter (" not in str(rows._jdf.queryExecution().executedPlan().toString())
    assert {(row["qmgr"], row["written_local"].minute) for row in rows.collect()} == {("QM01", 2), ("QM01", 3)}


def test_rows_that_nobody_wants_stay_in_the_task(path: str) -> None:
    from pyspark.sql.datasource import EqualTo

    reader = FilteringReader(Settings({"table": "QQST", "path": path}))
    assert list(reader.pushFilters([EqualTo(("QQSTQNAM",), "APP.QUEUE.0002")])) == []
    (share,) = reader.partitions()
    assert sum(batch.num_rows for batch in reader.read(share)) == 10
    assert Path(path).stat().st_size > 0
