"""A selection on a store reads only the files and row groups that may hold it."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from tests.support.pooldumps import DAY, dump

from kew.analytics.reports.catalogue import REPORTS
from kew.analytics.reports.run import run_here
from kew.analytics.smf import store as stores
from kew.analytics.smf.ingest import ingest_here
from kew.analytics.smf.selection import Selection
from kew.analytics.smf.store import Store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Ten days of two queue managers; the second dump of QM1 overlaps the first by two days."""
    folder = tmp_path_factory.mktemp("dumps")
    names = [dump(folder / "1", 6, "QM1"), dump(folder / "2", 6, "QM1", 4), dump(folder / "3", 10, "QM2")]
    made = Store(str(folder / "store"))
    ingest_here(names, str(made.folder))
    return made


SELECTIONS = [
    Selection(),
    Selection("QM2"),
    Selection("NONE"),
    Selection("", DAY + timedelta(days=3, hours=5), DAY + timedelta(days=5, hours=1)),
    Selection("QM1", DAY + timedelta(days=5)),
    Selection("", None, DAY + timedelta(days=1)),
    Selection("", DAY + timedelta(days=40)),
]


@pytest.mark.parametrize("selection", SELECTIONS)
def test_the_selected_rows_are_read_once(selection: Selection, store: Store) -> None:
    rows = list(store.batches("QPST", ["QPSTNBUF", "qmgr", "written_local"], selection))
    found = sorted((row["qmgr"], row["QPSTNBUF"]) for batch in rows for row in batch.to_pylist())
    expected = []
    for manager in ("QM1", "QM2"):
        for number in range(240):
            written = DAY + timedelta(hours=number, minutes=30)
            if (
                selection.qmgr in ("", manager)
                and (selection.since is None or written >= selection.since)
                and (selection.until is None or written < selection.until)
            ):
                expected.append((manager, 1000 + number))
    assert found == expected


def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are read from now on."""
    files: list[str] = []
    read = stores.read_file

    def counted(file: str, *rest: Any) -> pa.Table:
        files.append(file)
        return read(file, *rest)

    monkeypatch.setattr(stores, "read_file", counted)
    return files


def test_only_files_of_the_days_and_queue_managers_are_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    files = opened(monkeypatch)
    chosen = Selection("QM1", DAY + timedelta(days=4), DAY + timedelta(days=5))
    result = run_here(REPORTS["BUFF"], [str(store.folder)], chosen)
    assert result.tables["BUFF"].num_rows == 24
    assert len(files) == 2  # of the two dumps that have the day
    assert all("date=2022-07-03/manager=QM1" in file for file in files)
    assert len(store.files("QPST")) == 22


def test_only_row_groups_of_the_span_are_read(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kew.analytics.smf.ingest.ROW_GROUP", 4)
    ingest_here([dump(tmp_path / "one", 1, "QM1")], str(tmp_path / "store"))
    groups = Store(str(tmp_path / "store"))
    (file,) = groups.files("QPST")
    chosen = Selection("", DAY + timedelta(hours=9), DAY + timedelta(hours=10))
    rows = stores.read_file(file, "", groups.schema("QPST"), ["written_local"], chosen)
    assert rows.num_rows == 4
    assert chosen.rows(rows).num_rows == 1


def test_a_day_in_memory_finds_what_the_whole_finds(store: Store) -> None:
    whole = store.read("QPST")
    assert whole.num_rows == 480
    assert pc.count_distinct(whole.column("QPSTNBUF")).as_py() == 240
