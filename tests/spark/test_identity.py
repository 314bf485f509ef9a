"""Nobody pays for another's work: records of dumps that had one name, and queue managers that have one."""

import tarfile
from pathlib import Path

from pyspark.sql import SparkSession
from tests.support.smf import ROOT, frame

from kew.analytics.jobs.catalogue import ANALYSES, Request
from kew.analytics.smf.ingest import ingest_here
from kew.analytics.smf.store import Store
from kew.formats.smf import Stamp, build_records
from kew.formats.smf.layouts.structure import Value

START = 1_656_504_000_000_000
HOUR = 3_600_000_000


def task(user: str, microseconds: int, hour: int, system: str = "SYS1") -> bytes:
    """The record of a task that put one message to a queue."""
    end = START + hour * HOUR
    costs: dict[str, Value] = {"PUTN": 1, "VALIDPUT": 1, "PUTCT": microseconds << 12}
    queue: dict[str, Value] = {"BASENAME": "Q", **costs, "CORREL": bytes(16)}
    return frame(
        build_records(
            116,
            1,
            Stamp(system, "QM1", 90300, end - HOUR, end),
            {"WTID": [{"WTIDTRAN": user, "WTIDATYP": 2}], "WTAS": [{}], "WQ": [queue]},
        )
    )


def test_a_dump_written_over_does_not_move_costs(spark: SparkSession, tmp_path: Path) -> None:
    path, store = tmp_path / "dump", str(tmp_path / "store")
    expected: dict[str, float] = {}
    for hour, (user, cost) in enumerate([("ANN", 95_995), ("BOB", 12), ("CARL", 700)]):
        path.write_bytes(task(user, cost, hour))
        ingest_here([str(path)], store)
        expected[user] = cost
    found = ANALYSES["costs"](Request(spark, [store])).collect()
    assert {row["payer"]: row["cpu_us"] for row in found} == expected


def test_queue_managers_of_one_name_have_a_baseline_each(spark: SparkSession, tmp_path: Path) -> None:
    from datetime import datetime

    path = tmp_path / "dump"
    # On SYS1 a put became dearer and on SYS2 cheaper; together nothing would have changed.
    data = [task("ANN", 100, 0), task("ANN", 900, 0, "SYS2"), task("ANN", 900, 5), task("ANN", 100, 5, "SYS2")]
    path.write_bytes(b"".join(data))
    split = datetime(2022, 6, 29, 15)
    found = ANALYSES["regressions"](Request(spark, [str(path)], split=split)).where("metric = 'put_cpu_us'").collect()
    assert {row["system"]: row["verdict"] for row in found} == {"SYS1": "worse", "SYS2": "better"}


def test_spark_reads_a_store_of_an_earlier_kew(spark: SparkSession, tmp_path: Path) -> None:
    with tarfile.open(ROOT / "tests/data/smf-store-decoder-2.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    store = Store(str(tmp_path / "store"))
    frame_ = store.frame(spark, "WTID")
    assert {"date", "manager", "dump"} <= set(frame_.columns)
    assert {row["dump"] for row in frame_.collect()} == {manifest.digest for manifest in store.manifests()}
    costs = ANALYSES["costs"](Request(spark, [str(store.folder)])).collect()
    found = {(row["system"], row["payer"]): row["cpu_us"] for row in costs}
    assert found == {
        **{("SYS1", f"USER{at}"): 1100.0 + 2 * at for at in range(4)},
        **{("SYS2", f"USER{at}"): 1100.0 + 2 * at for at in range(3)},
    }
