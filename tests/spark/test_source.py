"""The data source `kewsmf`: found without registration, exact, tolerant, and split among tasks."""

from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import to_arrow_schema
from tests.support.smf import sample

from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.read import load
from kew.analytics.smf.sparkreader import Settings, spark_schema
from kew.analytics.smf.tables import TABLES


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Generator]:
    systems = [System("SYS1", "QM01", 90300, -300), System("SYS2", "QM02", 100000, 60, "QSG1")]
    generator = Generator(Profile(systems, tasks=10))
    path = tmp_path_factory.mktemp("dump") / "dump.dat"
    path.write_bytes(b"".join(generator.intervals(4)) + b"\x00\x07 cut off")
    return str(path), generator


def test_schemas_are_those_that_spark_expects() -> None:
    for table in TABLES.values():
        schema = table.schema()
        assert to_arrow_schema(spark_schema(schema), timezone="UTC").equals(schema), table.name


def test_records_are_the_default_table(spark: SparkSession, world: tuple[str, Generator]) -> None:
    path, generator = world
    counted = spark.read.format("kewsmf").load(path).groupBy("smf_type", "subtype").count().collect()
    found = {(row["smf_type"], row["subtype"]): row["count"] for row in counted}
    assert (found.pop((2, None)), found.pop((3, None))) == (1, 1)
    assert found == generator.totals.records


def test_a_table_in_pieces_is_the_table_read_at_once(spark: SparkSession, world: tuple[str, Generator]) -> None:
    path, generator = world
    reader = spark.read.format("kewsmf").option("share", "400k")
    for name in ("WQ", "QJST"):
        frame = reader.option("table", name).load(path)
        assert frame.rdd.getNumPartitions() > 1
        rows = frame.orderBy("offset", "section").toArrow()
        expected = load([path], name)
        assert rows.num_rows == generator.totals.rows[name]
        assert rows.cast(expected.schema).equals(expected.replace_schema_metadata(rows.schema.metadata)), name


def test_columns_carry_their_comments(spark: SparkSession, world: tuple[str, Generator]) -> None:
    frame = spark.read.format("kewsmf").option("table", "QJST").load(world[0])
    assert frame.schema["QJSTLOGW"].metadata["comment"].endswith("(count, delta)")


def test_fewer_columns_can_be_asked_for(spark: SparkSession, world: tuple[str, Generator]) -> None:
    frame = spark.read.format("kewsmf").option("table", "WQ").option("columns", "qmgr, PUTN").load(world[0])
    assert frame.columns == ["qmgr", "PUTN"]
    assert frame.groupBy().sum("PUTN").collect()[0][0] == world[1].totals.sums["WQ"]["PUTN"]


def test_damage_is_quarantined_with_its_place(spark: SparkSession, world: tuple[str, Generator]) -> None:
    path, _ = world
    (row,) = spark.read.format("kewsmf").option("table", "quarantine").load(path).collect()
    assert row["offset"] + row["length"] == Path(path).stat().st_size
    assert row["file"] == path


def test_sql_reads_dumps(spark: SparkSession, world: tuple[str, Generator]) -> None:
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW pools USING kewsmf OPTIONS (path '{world[0]}', table 'QPST')")
    assert spark.sql("SELECT count(DISTINCT QPSTPOOL) FROM pools").collect()[0][0] == 4


def test_real_dumps_decode(spark: SparkSession, tmp_path: Path) -> None:
    for name in ("TEST115.dat", "TEST116.dat", "TESTCHL.dat"):
        (tmp_path / name).write_bytes(sample(name))
    paths = [str(tmp_path / name) for name in ("TEST115.dat", "TESTCHL.dat")]
    frame = spark.read.format("kewsmf").option("table", "QPST").load(paths)
    assert frame.count() == 391
    one = spark.read.format("kewsmf").option("table", "WTAS").load(str(tmp_path / "TEST116.dat"))
    (row,) = one.select("WTASCMN", "WTASCMET", "WTASWQCT").collect()
    assert tuple(row) == (1, 4990676 / 4096, 2)


def test_mistakes_are_named(spark: SparkSession, world: tuple[str, Generator]) -> None:
    with pytest.raises(PySparkException, match="there is no table QXST"):
        spark.read.format("kewsmf").option("table", "QXST").load(world[0])
    with pytest.raises(PySparkException, match="there is no such file"):
        spark.read.format("kewsmf").load("/nowhere/at/all").count()
    with pytest.raises(ValueError, match="option share takes a number of bytes such as 64m, not 'many'"):
        Settings({"share": "many"})
    with pytest.raises(ValueError, match="option framing takes rdw, nordw or bdw, not vbs"):
        Settings({"framing": "vbs"})
