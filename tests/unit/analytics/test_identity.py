"""Records are known by digest and offset, queue managers by system, subsystem, group and name."""

import tarfile
from pathlib import Path

import pyarrow.parquet as pq
from tests.support.smf import ROOT, frame

from kew.analytics.reports.catalogue import report_named
from kew.analytics.reports.findings import FINDINGS, RuleBook, find_here, summarise_here
from kew.analytics.reports.html import html_lines
from kew.analytics.reports.messages import text_lines
from kew.analytics.reports.run import run_here
from kew.analytics.smf.files import digest_of
from kew.analytics.smf.ingest import ingest_here
from kew.analytics.smf.read import load
from kew.analytics.smf.store import Store
from kew.analytics.smf.tables import MANAGER, QUARANTINE, RECORD, REMARKS, TABLES
from kew.formats.smf import Stamp, build_records
from kew.formats.smf.layouts.structure import Value

START = 1_656_504_000_000_000
MINUTE = 60_000_000


def adapters(path: Path, *busy: int, hour: int = 0, system: str = "SYS1") -> None:
    """A dump of one record in which each adapter task was busy for so many percent of a minute."""
    end = START + 60 * hour * MINUTE
    tasks: list[dict[str, Value]] = [{"QCTELTM": (MINUTE * percent // 100) << 12, "QCTREQN": 9999} for percent in busy]
    stamp = Stamp(system, "QM1", 90300, end - MINUTE, end)
    path.write_bytes(frame(build_records(115, 231, stamp, {"QCCT": [{}], "QCT_ADP": tasks})))


def test_every_table_has_the_identity_of_its_records(tmp_path: Path) -> None:
    for name, table in TABLES.items():
        assert set(RECORD) <= set(table.column), name
        assert name in (QUARANTINE, REMARKS) or set(MANAGER) <= set(table.column), name
    adapters(tmp_path / "dump", 10, 20)
    rows = load([str(tmp_path / "dump")], "QCT_ADP")
    assert set(rows["dump"].to_pylist()) == {digest_of(str(tmp_path / "dump"))[0]}


def test_a_dump_under_the_name_of_another_is_another(tmp_path: Path) -> None:
    path, store = tmp_path / "dump", str(tmp_path / "store")
    adapters(path, 80, 85)
    ingest_here([str(path)], store)
    adapters(path, 1, 0, hour=5)
    ingest_here([str(path)], store)
    rows = Store(store).read("QCT_ADP", ["file", "dump", "offset"])
    assert len(set(zip(rows["file"].to_pylist(), rows["offset"].to_pylist(), strict=True))) == 1
    assert len(set(zip(rows["dump"].to_pylist(), rows["offset"].to_pylist(), strict=True))) == 2
    # Taken together the least busy task would be idle, and nothing found.
    found = find_here([store], RuleBook()).to_pylist()
    assert [(row["rule"], row["value"]) for row in found if row["rule"] in ("CH01", "CH02")] == [
        ("CH01", 80.0),
        ("CH02", 80.0),
    ]


def test_queue_managers_of_one_name_are_shown_apart(tmp_path: Path) -> None:
    for system in ("SYS1", "SYS2"):
        adapters(tmp_path / system, 80, 90, system=system)
    names = [str(tmp_path / "SYS1"), str(tmp_path / "SYS2")]
    told = "\n".join(text_lines(summarise_here(names, RuleBook())))
    assert "CH02 SYS1,QM1 adapter tasks" in told
    assert "CH02 SYS2,QM1 adapter tasks" in told
    page = "".join(html_lines(run_here(report_named("CHINIT"), names)))
    assert "SYS1,QM1 0" in page  # the legend of the chart
    assert "SYS2,QM1 0" in page


def test_a_store_of_an_earlier_kew_is_read(tmp_path: Path) -> None:
    """The store was made before tables had digests; its two dumps had the same name."""
    with tarfile.open(ROOT / "tests/data/smf-store-decoder-2.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    store = Store(str(tmp_path / "store"))
    digests = {manifest.digest for manifest in store.manifests()}
    assert len(digests) == 2
    assert "dump" not in pq.read_schema(store.files("WQ")[0]).names
    for name in ("records", "QMST", "QIST", "QLST", "WTID", "WTAS", "WQ"):
        rows = store.read(name)
        assert rows.schema.names == store.schema(name).names
        assert set(rows["dump"].to_pylist()) == digests, name
        assert rows.num_rows == 7 * (2 if name == "records" else 1)
    assert find_here([str(store.folder)], RuleBook()).schema == FINDINGS
