"""A dump of a million records gives on Spark what it gives in one process.

It takes minutes, so it runs on its own: make cluster
"""

import pytest
from pyspark.sql import SparkSession

from kew.analytics.reports.catalogue import REPORTS
from kew.analytics.reports.findings import RuleBook, find_here, find_on_spark
from kew.analytics.reports.rules import RULES, RowRule
from kew.analytics.reports.run import run_here, run_on_spark
from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.read import summarise

pytestmark = pytest.mark.cluster

RECORDS = 1_000_000
SMALL = {"pools": 1, "page_sets": 1, "queues": 2, "tasks": 6, "queues_per_task": 1, "channels": 1}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Generator, int]:
    """A dump, what made its content, and how often it has that."""
    generator = Generator(Profile([System("SYS1", "QM01", 90300), System("SYS2", "QM02", 100000)], **SMALL))
    block = b"".join(generator.intervals(50))
    times = -(-RECORDS // sum(generator.totals.records.values()))
    path = tmp_path_factory.mktemp("million") / "dump.dat"
    with open(path, "wb") as file:
        for _ in range(times):
            file.write(block)
    return str(path), generator, times


def test_counts_and_sums_are_those_that_were_written(spark: SparkSession, world: tuple[str, Generator, int]) -> None:
    path, generator, times = world
    here = summarise([path]).records
    frame = spark.read.format("kewsmf").load(path).groupBy("smf_type", "subtype").count()
    there = {(row["smf_type"], row["subtype"]): row["count"] for row in frame.collect()}
    assert here == there
    assert sum(count for (kind, _), count in here.items() if kind in (115, 116)) >= RECORDS
    sums = spark.read.format("kewsmf").option("table", "WQ").option("columns", "PUTN").load(path).groupBy().sum("PUTN")
    assert sums.collect()[0][0] == generator.totals.sums["WQ"]["PUTN"] * times


@pytest.mark.parametrize("name", ["LOG", "BUFF", "QSTAT"])
def test_reports_are_equal(name: str, spark: SparkSession, world: tuple[str, Generator, int]) -> None:
    here, there = run_here(REPORTS[name], [world[0]]), run_on_spark(REPORTS[name], spark, [world[0]])
    for part in REPORTS[name].parts:
        assert here.tables[part.name].num_rows > 1000
        assert here.tables[part.name].equals(there.tables[part.name]), part.name


def test_findings_are_equal(spark: SparkSession, world: tuple[str, Generator, int]) -> None:
    book = RuleBook(rules=[rule for rule in RULES if isinstance(rule, RowRule) and rule.table in ("QJST", "WTAS")])
    here = find_here([world[0]], book)
    assert here.num_rows > 1000
    assert here.equals(find_on_spark(spark, [world[0]], book))
