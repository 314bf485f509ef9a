"""Reports and findings on Spark are those that one process computes."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from kew.analytics.reports.catalogue import REPORTS
from kew.analytics.reports.findings import RuleBook, find_here, find_on_spark
from kew.analytics.reports.rules import RULES
from kew.analytics.reports.run import run_here, run_on_spark
from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.ingest import ingest_here
from kew.analytics.smf.selection import Selection


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder: Path = tmp_path_factory.mktemp("dumps")
    systems = [System("SYS1", "QM01", 90300, -300), System("SYS2", "QM02", 100000, 60, "QSG1")]
    generator = Generator(Profile(systems, tasks=6))
    for number in range(3):
        (folder / f"{number}.dat").write_bytes(b"".join(generator.intervals(3)))
    return [str(folder)]


@pytest.mark.parametrize("name", ["LOG", "CHINIT", "TASK"])
def test_reports_are_equal(name: str, spark: SparkSession, dumps: list[str]) -> None:
    here = run_here(REPORTS[name], dumps)
    there = run_on_spark(REPORTS[name], spark, dumps)
    for part in REPORTS[name].parts:
        assert here.tables[part.name].num_rows > 0
        assert here.tables[part.name].equals(there.tables[part.name]), part.name


def test_selections_are_equal(spark: SparkSession, dumps: list[str]) -> None:
    chosen = Selection("QM02")
    here = run_here(REPORTS["BUFF"], dumps, chosen).tables["BUFF"]
    assert here.num_rows == 36
    assert here.equals(run_on_spark(REPORTS["BUFF"], spark, dumps, chosen).tables["BUFF"])


def test_findings_are_equal(spark: SparkSession, dumps: list[str]) -> None:
    tables = {"QPST", "QCT_ADP", "WQ"}
    book = RuleBook(rules=[rule for rule in RULES if rule.table in tables])
    here = find_here(dumps, book)
    assert {"BP06", "TQ05"} <= set(here.column("rule").to_pylist())
    assert here.equals(find_on_spark(spark, dumps, book))


def test_findings_of_a_store_are_equal(spark: SparkSession, dumps: list[str], tmp_path: Path) -> None:
    store = [str(tmp_path / "store")]
    ingest_here(dumps, store[0])
    here = find_here(store, RuleBook())
    assert here.num_rows > 0
    assert here.equals(find_on_spark(spark, store, RuleBook()))


def test_all_findings_are_a_few_jobs(spark: SparkSession, dumps: list[str]) -> None:
    """The digests, the scan, and bringing objects together: not a job for each of the tables that rules look at."""
    spark.sparkContext.setJobGroup("findings", "all rules")
    find_on_spark(spark, dumps, RuleBook())
    jobs = spark.sparkContext.statusTracker().getJobIdsForGroup("findings")
    spark.sparkContext.setLocalProperty("spark.jobGroup.id", "")
    assert 0 < len(jobs) <= 3
    assert len(RuleBook().tables()) > 10
