"""A scan decodes each record once, and gives in shares what it gives of the whole."""

import gc
from collections import Counter
from multiprocessing import active_children
from pathlib import Path

import pyarrow as pa
import pytest

from kew.analytics.reports.catalogue import REPORTS
from kew.analytics.reports.findings import (
    FINDINGS,
    FOUND,
    NARROW,
    FindingWork,
    RuleBook,
    find_here,
    in_order,
    summarise_findings,
    summarise_here,
)
from kew.analytics.reports.run import ReportWork, run_here
from kew.analytics.smf import scan
from kew.analytics.smf.decode import Decoded, Decoder
from kew.analytics.smf.files import Piece, examine, identified
from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.plan import shares_of
from kew.formats.smf import Batch


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("dumps") / "dump.dat"
    systems = [System("SYS1", "QM01", 90300, -300), System("SYS2", "QM02", 100000, 60, "QSG1")]
    path.write_bytes(b"".join(Generator(Profile(systems, tasks=6)).intervals(4)))
    return str(path)


def packed_rows(work: scan.Work, shares: list[list[Piece]]) -> pa.Table:
    """What the tasks of a Spark job give, in this process."""
    numbers = pa.RecordBatch.from_pydict({"id": list(range(len(shares)))})
    return pa.Table.from_batches(list(scan.ShareTask(work, shares)(iter([numbers]))), scan.PACKED)


def test_findings_of_shares_are_those_of_the_whole(dump: str) -> None:
    work = FindingWork(RuleBook(), buckets=7)
    shares = shares_of([identified(examine(dump))], 100_000)
    assert len(shares) > 3
    rows = packed_rows(work, shares)
    found = [scan.unpacked(rows, FOUND, FINDINGS)]
    buckets = set(rows.column("bucket").to_pylist())
    assert len(buckets) > 3
    for bucket in buckets:
        mine = rows.filter(pa.array([number == bucket for number in rows.column("bucket").to_pylist()]))
        narrow = scan.unpacked(mine, NARROW, FINDINGS)
        found.append(work.finish(narrow))
    assert in_order(pa.concat_tables(found)).equals(find_here([dump], RuleBook()))


@pytest.mark.parametrize("name", ["LOG", "CHINIT", "TASK"])
def test_reports_of_shares_are_those_of_the_whole(name: str, dump: str) -> None:
    shares = shares_of([identified(examine(dump))], 100_000)
    rows = packed_rows(ReportWork(REPORTS[name]), shares)
    here = run_here(REPORTS[name], [dump])
    for part in REPORTS[name].parts:
        assert scan.unpacked(rows, part.name, part.schema).num_rows == here.tables[part.name].num_rows > 0


def test_every_record_is_decoded_once(dump: str, monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: Counter[int] = Counter()
    decode = Decoder.decode

    def counted(self: Decoder, batch: Batch, file: str, digest: str | None = None) -> Decoded:
        decoded.update(batch.offsets)
        return decode(self, batch, file, digest)

    monkeypatch.setattr(Decoder, "decode", counted)
    packed_rows(FindingWork(RuleBook(), buckets=7), shares_of([identified(examine(dump))], 100_000))
    assert len(decoded) > 100
    assert set(decoded.values()) == {1}


def test_what_travels_together_is_bounded(dump: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = packed_rows(FindingWork(RuleBook()), shares_of([identified(examine(dump))]))
    monkeypatch.setattr("kew.analytics.reports.findings.TOGETHER", 1)
    monkeypatch.setattr(scan, "TOGETHER", 1)
    many = packed_rows(FindingWork(RuleBook()), shares_of([identified(examine(dump))]))
    assert many.num_rows > whole.num_rows
    assert in_order(scan.unpacked(many, FOUND, FINDINGS)).equals(in_order(scan.unpacked(whole, FOUND, FINDINGS)))


def test_processes_find_what_one_finds(dump: str, monkeypatch: pytest.MonkeyPatch) -> None:
    here = find_here([dump], RuleBook())
    monkeypatch.setattr(scan, "MUCH", 1)
    monkeypatch.setattr(scan, "SHARE", 100_000)
    assert find_here([dump], RuleBook(), None, 2).equals(here)
    assert summarise_here([dump], RuleBook(), None, 2).equals(summarise_findings(here))
    apart = run_here(REPORTS["LOG"], [dump], None, 2).tables
    assert apart == run_here(REPORTS["LOG"], [dump]).tables


def test_a_scan_that_is_left_leaves_no_process(dump: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan, "MUCH", 1)
    monkeypatch.setattr(scan, "SHARE", 100_000)
    made = scan.scan_here([dump], FindingWork(RuleBook()), 2)
    next(made)
    assert active_children()
    made.close()  # type: ignore[attr-defined]
    assert not active_children()


def test_a_scan_holds_no_more_of_many_dumps_than_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kew.analytics.reports.findings.TOGETHER", 1 << 20)
    generator = Generator(Profile([System("SYS1", "QM01", 90300, -300)], tasks=60))
    path = tmp_path / "dump.dat"
    path.write_bytes(b"".join(generator.megabytes(4)))

    def most(names: list[str]) -> int:
        gc.collect()
        before, highest = pa.total_allocated_bytes(), 0
        for output, _, _ in scan.scan_here(names, FindingWork(RuleBook(), None, 4)):
            assert output in (FOUND, NARROW)
            highest = max(highest, pa.total_allocated_bytes() - before)
        return highest

    once = most([str(path)])
    copies = [tmp_path / f"{number}.dat" for number in range(4)]
    for copy in copies:
        copy.write_bytes(path.read_bytes())
    assert most([str(copy) for copy in copies]) < 1.5 * once
