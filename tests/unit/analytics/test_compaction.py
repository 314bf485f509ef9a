"""Compaction: fewer files, the same rows, whole after a crash at any step."""

import lzma
import os
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from click.testing import CliRunner
from tests.unit.analytics.test_smf_ingest import make

from kew.analytics.reports.catalogue import report_named
from kew.analytics.reports.run import run_here
from kew.analytics.smf.compaction import compact
from kew.analytics.smf.ingest import ingest_here
from kew.analytics.smf.store import Store
from kew.analytics.smf.tables import TABLES
from kew.cli.smf import smf

INTERVAL = 60_000_000
OLD = Path(__file__).parents[2] / "data/smf-store-decoder-2.tar.xz"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Five dumps, the last of which has the fourth's records too, as a file has that grew."""
    start = 1_656_504_000_000_000
    for number in range(5):
        make(tmp_path / f"dump{number}", 2, start + 2 * number * INTERVAL)
    (tmp_path / "dump4").write_bytes((tmp_path / "dump3").read_bytes() + (tmp_path / "dump4").read_bytes())
    for number in range(5):
        ingest_here([str(tmp_path / f"dump{number}")], str(tmp_path / "store"))
    return Store(str(tmp_path / "store"))


def rows(store: Store, names: Sequence[str] = tuple(TABLES)) -> dict[str, list[str]]:
    return {name: sorted(str(row) for row in store.read(name).to_pylist()) for name in names}


def leaves(store: Store) -> dict[str, int]:
    found: dict[str, int] = {}
    for output, _ in store.outputs():
        leaf = os.path.dirname(output.path)
        found[leaf] = found.get(leaf, 0) + 1
    return found


def test_each_day_of_a_queue_manager_becomes_one_file(store: Store) -> None:
    before, counts = rows(store), {name: store.rows(name) for name in TABLES}
    report = run_here(report_named("LOG"), [str(store.folder)]).tables["LOG"]
    assert max(leaves(store).values()) == 5
    done = compact(str(store.folder))
    assert set(leaves(store).values()) == {1}
    assert len(done.replaced) == 5 * len(done.outputs)
    assert rows(store) == before
    assert {name: store.rows(name) for name in TABLES} == counts
    assert run_here(report_named("LOG"), [str(store.folder)]).tables["LOG"].equals(report)
    assert compact(str(store.folder)).outputs == []


def test_large_files_stay_as_they_are(store: Store) -> None:
    before = leaves(store)
    assert compact(str(store.folder), 1).outputs == []
    assert leaves(store) == before


@pytest.mark.parametrize("stop", [1, 7])
def test_a_crash_before_the_end_leaves_the_store_as_it_was(
    store: Store, monkeypatch: pytest.MonkeyPatch, stop: int
) -> None:
    before, files = rows(store), leaves(store)
    steps = []
    real = os.replace

    def replace(source: str, target: str) -> None:
        steps.append(target)
        if len(steps) == stop:
            raise OSError("the machine stops")
        real(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", replace)
        with pytest.raises(OSError, match="the machine stops"):
            compact(str(store.folder))
    assert (rows(store), leaves(store)) == (before, files)
    compact(str(store.folder))
    assert rows(store) == before


def test_readers_that_have_begun_go_on_and_the_next_ingestion_sweeps(store: Store, tmp_path: Path) -> None:
    known = store.files("WQ")
    compact(str(store.folder))
    assert all(os.path.exists(path) for path in known)
    make(tmp_path / "more", 1, 1_656_504_000_000_000 + 20 * INTERVAL, seed=9)
    ingest_here([str(tmp_path / "more")], str(store.folder))
    assert not any(os.path.exists(path) for path in known)
    assert all(os.path.exists(path) for path in store.files("WQ"))
    before = rows(store)
    compact(str(store.folder))
    assert (rows(store), set(leaves(store).values())) == (before, {1})


def test_what_was_compacted_is_known(store: Store, tmp_path: Path) -> None:
    compact(str(store.folder))
    done = ingest_here([str(tmp_path / "dump0")], str(store.folder))
    assert (done.known, done.taken) == ([str(tmp_path / "dump0")], [])


def test_files_of_an_earlier_kew_get_todays_columns(tmp_path: Path) -> None:
    with lzma.open(OLD) as data, tarfile.open(fileobj=data) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = [path.parent for path in tmp_path.rglob("inputs")]
    old = Store(str(folder))
    make(tmp_path / "new", 2, 1_656_504_000_000_000)
    ingest_here([str(tmp_path / "new")], str(folder))
    before = rows(old)
    compact(str(folder))
    assert rows(old) == before
    assert old.read("QJST").column("dump").null_count == 0


def test_the_command(store: Store, tmp_path: Path) -> None:
    result = CliRunner().invoke(smf, ["compact", str(store.folder)])
    assert (result.exit_code, result.output.endswith(" files became " + str(len(leaves(store))) + "\n")) == (0, True)
    result = CliRunner().invoke(smf, ["compact", str(tmp_path)])
    assert (result.exit_code, "is not a store" in result.output) == (1, True)
    assert isinstance(store.read("WQ"), pa.Table)
