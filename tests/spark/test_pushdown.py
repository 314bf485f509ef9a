"""Selections that the reader of dumps takes: the same rows as without, and fewer that leave the tasks."""

from datetime import datetime

import pytest
from pyspark.sql import SparkSession

from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.pushdown import SelectingReader, options_of, selection_of
from kew.analytics.smf.rows import frame_of
from kew.analytics.smf.selection import Selection
from kew.analytics.smf.sparkreader import Settings

CHOSEN = [
    Selection("QM01"),
    Selection(system="SYS2"),
    Selection("NONE"),
    Selection("QM01", datetime(2022, 6, 29, 12, 2), datetime(2022, 6, 29, 12, 4), "SYS1"),
    Selection(since=datetime(2022, 6, 29, 13, 2)),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    systems = [System("SYS1", "QM01", 90303), System("SYS2", "QM02", 100000, 60, "QSG1")]
    path = tmp_path_factory.mktemp("dump") / "dump.dat"
    path.write_bytes(b"".join(Generator(Profile(systems, tasks=1, queues=6)).intervals(5)))
    return str(path)


def test_rows_are_the_same(spark: SparkSession, path: str) -> None:
    whole = spark.read.format("kewsmf").option("table", "QQST").load(path)
    for chosen in CHOSEN:
        rows = frame_of(spark, [path], "QQST", None, chosen).orderBy("offset", "section").toArrow()
        assert rows.equals(chosen.frame(whole).orderBy("offset", "section").toArrow())
        few = frame_of(spark, [path], "QQST", ["system", "qmgr", "written_local", "QQSTDPTH"], chosen)
        assert few.count() == rows.num_rows


def test_two_filters_over_one_frame_stay_apart(spark: SparkSession, path: str) -> None:
    rows = frame_of(spark, [path], "QQST", None, Selection("QM01"))
    deep, flat = rows.where("QQSTDPTH > 500"), rows.where("QQSTDPTH <= 500")
    assert deep.count() > 0
    both = deep.selectExpr("1 AS side").union(flat.selectExpr("2 AS side")).groupBy("side").count().collect()
    assert {row["side"]: row["count"] for row in both} == {1: deep.count(), 2: flat.count()}


def test_rows_that_nobody_wants_stay_in_the_task(path: str) -> None:
    for chosen, count in zip(CHOSEN, (30, 30, 0, 12, 24), strict=True):
        given = options_of(chosen)
        reader = SelectingReader(Settings({"table": "QQST", "path": path, **given}), selection_of(given))
        (share,) = reader.partitions()
        assert sum(batch.num_rows for batch in reader.read(share)) == count
    with pytest.raises(ValueError, match="option from takes a local time such as"):
        selection_of({"from": "yesterday"})
