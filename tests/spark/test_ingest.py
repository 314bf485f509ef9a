"""Ingestion by Spark's tasks gives the store that one process makes."""

from datetime import timedelta
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.support.pooldumps import DAY, dump

from kew.analytics.reports.catalogue import REPORTS
from kew.analytics.reports.run import run_here, run_on_spark
from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.ingest import ingest_here, ingest_on_spark
from kew.analytics.smf.rows import frame_of
from kew.analytics.smf.selection import Selection
from kew.analytics.smf.store import Store


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Generator]:
    folder: Path = tmp_path_factory.mktemp("dumps")
    systems = [System("SYS1", "QM01", 90300, -300), System("SYS2", "QM02", 100000, 60, "QSG1")]
    generator = Generator(Profile(systems, tasks=6))
    for number in range(3):
        (folder / f"{number}.dat").write_bytes(b"".join(generator.intervals(2)))
    return str(folder), generator


def test_the_store_is_the_same(spark: SparkSession, dumps: tuple[str, Generator], tmp_path: Path) -> None:
    folder, generator = dumps
    here, there = Store(str(tmp_path / "here")), Store(str(tmp_path / "there"))
    ingest_here([folder], str(here.folder))
    done = ingest_on_spark(spark, [folder], str(there.folder), share=1_000_000)
    assert len(done.taken) == 3
    assert sorted(here.files("WQ")) == [path.replace("/there/", "/here/") for path in sorted(there.files("WQ"))]
    for name in ("WQ", "QJST", "records"):
        keys = [("file", "ascending"), ("offset", "ascending")]
        keys += [] if name == "records" else [("section", "ascending")]
        assert here.read(name).sort_by(keys).equals(there.read(name).sort_by(keys)), name
    assert there.rows("WQ") == generator.totals.rows["WQ"]
    again = ingest_on_spark(spark, [folder], str(there.folder))
    assert (len(again.taken), len(again.known)) == (0, 3)


def test_a_store_is_read_as_dumps_are(spark: SparkSession, dumps: tuple[str, Generator], tmp_path: Path) -> None:
    folder, generator = dumps
    store = Store(str(tmp_path / "store"))
    ingest_here([folder], str(store.folder))
    # The generator begins each dump at the same time, so these overlap without having a record in common.
    assert store.overlaps()
    frame = store.frame(spark, "QQST")
    assert frame.count() == generator.totals.rows["QQST"]
    assert {"date", "manager", "checksum"} <= set(frame.columns)
    assert frame.schema["QQSTDPTH"].metadata["comment"].startswith("Depth when the record was cut")
    report = REPORTS["LOG"]
    here = run_here(report, [folder]).tables["LOG"]
    assert run_here(report, [str(store.folder)]).tables["LOG"].equals(here)
    assert run_on_spark(report, spark, [str(store.folder)]).tables["LOG"].equals(here)


def test_overlaps_are_read_once(spark: SparkSession, dumps: tuple[str, Generator], tmp_path: Path) -> None:
    folder, _ = dumps
    store = Store(str(tmp_path / "store"))
    whole = Path(folder, "0.dat").read_bytes()
    (tmp_path / "part.dat").write_bytes(whole[: len(whole) // 3])
    ingest_here([str(Path(folder, "0.dat"))], str(store.folder))
    before = store.frame(spark, "WQ").count()
    ingest_here([str(tmp_path / "part.dat")], str(store.folder))
    assert store.rows("WQ") > before
    assert store.frame(spark, "WQ").count() == before == store.read("WQ").num_rows


def test_a_selection_reads_only_the_files_that_may_hold_it(spark: SparkSession, tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    for day in range(4):
        (tmp_path / str(day)).mkdir()
        dump(tmp_path / str(day) / "dump", 1, "QM1" if day % 2 else "QM2", day)
    ingest_here([str(tmp_path / str(day)) for day in range(4)], str(store.folder))
    chosen = Selection("QM1", DAY, DAY + timedelta(days=2))
    frame = frame_of(spark, [str(store.folder)], "QPST", None, chosen)
    assert len(frame.inputFiles()) == 1
    assert frame.count() == 24
    here = run_here(REPORTS["BUFF"], [str(store.folder)], chosen).tables["BUFF"]
    assert here.equals(run_on_spark(REPORTS["BUFF"], spark, [str(store.folder)], chosen).tables["BUFF"])
