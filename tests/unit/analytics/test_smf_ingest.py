"""Ingestion: idempotent, incremental, and whole after a crash at any step."""

import gzip
import json
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.ingest import ingest_here
from kew.analytics.smf.read import load
from kew.analytics.smf.store import Store, safe_name
from kew.analytics.smf.tables import TABLES

DAY = 86_400_000_000


def make(path: Path, intervals: int = 2, start: int = 1_656_504_000_000_000, seed: int = 1) -> Generator:
    systems = [System("SYS1", "QM01", 90300), System("SYS2", "QM02", 100000, 60, "QSG1")]
    generator = Generator(Profile(systems, start=start, tasks=3, queues=4, seed=seed))
    path.write_bytes(b"".join(generator.intervals(intervals)))
    return generator


def counts(store: Store) -> dict[str, int]:
    return {name: store.read(name).num_rows for name in TABLES if store.read(name).num_rows}


def content(store: Store, table: str) -> list[tuple[object, ...]]:
    """The rows of a table without where they are from."""
    rows = store.read(table)
    kept = rows.drop_columns(["file", "dump", "offset"])
    return sorted((tuple(map(str, row.values())) for row in kept.to_pylist()), key=str)


def test_tables_hold_what_the_dump_holds(tmp_path: Path) -> None:
    generator = make(tmp_path / "dump")
    done = ingest_here([str(tmp_path / "dump")], str(tmp_path / "store"))
    assert [manifest.name for manifest in done.taken] == [str(tmp_path / "dump")]
    store = Store(str(tmp_path / "store"))
    for name, rows in generator.totals.rows.items():
        assert store.read(name).num_rows == rows == store.rows(name), name
    for field, total in generator.totals.sums["WQ"].items():
        assert pc.sum(store.read("WQ", [field]).column(0)).as_py() == total
    expected = load([str(tmp_path / "dump")], "QJST")
    found = store.read("QJST").drop_columns(["checksum"]).sort_by([("offset", "ascending")])
    assert found.equals(expected.replace_schema_metadata(None))


def test_files_lie_by_day_and_queue_manager(tmp_path: Path) -> None:
    make(tmp_path / "dump", start=1_656_504_000_000_000 + 43_140_000_000)
    ingest_here([str(tmp_path / "dump")], str(tmp_path / "store"))
    leaves = {
        str(path.parent.relative_to(tmp_path / "store/tables/QMST"))
        for path in (tmp_path / "store/tables/QMST").rglob("*.parquet")
    }
    assert leaves == {
        "date=2022-06-30/manager=QM01",
        "date=2022-06-30/manager=QM02",
    }
    assert {path.name for path in (tmp_path / "store/tables/records").iterdir()} >= {
        "date=2022-06-29",
        "date=2022-06-30",
    }


def test_the_same_input_twice_gives_the_same_rows(tmp_path: Path) -> None:
    make(tmp_path / "dump")
    store = Store(str(tmp_path / "store"))
    ingest_here([str(tmp_path / "dump")], str(store.folder))
    before = counts(store)
    again = ingest_here([str(tmp_path / "dump")], str(store.folder))
    assert (again.taken, again.known) == ([], [str(tmp_path / "dump")])
    (tmp_path / "copy").write_bytes((tmp_path / "dump").read_bytes())
    renamed = ingest_here([str(tmp_path / "copy"), str(tmp_path / "dump")], str(store.folder))
    assert renamed.taken == []
    assert counts(store) == before


def test_late_files_are_added(tmp_path: Path) -> None:
    day = 1_656_504_000_000_000
    for number, start in enumerate((day + DAY, day)):
        make(tmp_path / str(number), start=start)
        ingest_here([str(tmp_path / str(number))], str(tmp_path / "store"))
    store = Store(str(tmp_path / "store"))
    assert not store.overlaps()
    assert store.read("QMST").num_rows == 8
    assert len({path.parent.parent.name for path in map(Path, store.files("QMST"))}) == 2


def test_overlapping_dumps_are_read_once(tmp_path: Path) -> None:
    generator = make(tmp_path / "whole", 6)
    store = Store(str(tmp_path / "store"))
    ingest_here([str(tmp_path / "whole")], str(store.folder))
    expected = {name: content(store, name) for name in ("WQ", "QSPH", "QQST", "QCST")}
    # The same records in another dump: cut off, and compressed.
    part = (tmp_path / "whole").read_bytes()
    (tmp_path / "part.gz").write_bytes(gzip.compress(part[: len(part) // 2 - 100]))
    done = ingest_here([str(tmp_path / "part.gz")], str(store.folder))
    assert len(done.taken) == 1
    assert done.taken[0].damaged == 1
    assert store.overlaps()
    assert store.rows("WQ") > generator.totals.rows["WQ"]
    for name, rows in expected.items():
        assert content(store, name) == rows, name
    assert store.read("WQ", ["PUTN"]).num_rows == generator.totals.rows["WQ"]


def test_a_growing_dump_is_taken_in_again_without_doubling(tmp_path: Path) -> None:
    path = tmp_path / "current.dat"
    generator = make(path, 4)
    whole = path.read_bytes()
    store = Store(str(tmp_path / "store"))
    for share in (0.3, 0.7, 1.0):
        path.write_bytes(whole[: int(len(whole) * share)])
        ingest_here([str(path)], str(store.folder))
    assert store.read("WQ").num_rows == generator.totals.rows["WQ"]
    assert store.read("records").num_rows == sum(generator.totals.records.values()) + 2


def test_big_dumps_are_ingested_in_pieces(tmp_path: Path) -> None:
    generator = make(tmp_path / "dump", 6)
    ingest_here([str(tmp_path / "dump")], str(tmp_path / "store"), share=100_000)
    store = Store(str(tmp_path / "store"))
    assert len(store.files("WQ")) > 4
    assert {name: store.rows(name) for name in generator.totals.rows} == generator.totals.rows


class Crash(Exception):
    """The process ends here."""


def test_a_crash_at_any_step_leaves_the_store_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "first")
    make(tmp_path / "second", start=1_656_504_000_000_000 + DAY)
    store = Store(str(tmp_path / "store"))
    ingest_here([str(tmp_path / "first")], str(store.folder))
    before = counts(store)
    real = os.replace
    crashed = 0
    while True:
        left = crashed

        def replace(old: object, new: object) -> None:
            nonlocal left
            if left == 0:
                raise Crash
            left -= 1
            real(old, new)  # type: ignore[arg-type]

        monkeypatch.setattr(os, "replace", replace)
        try:
            ingest_here([str(tmp_path / "second")], str(store.folder))
            break
        except Crash:
            assert counts(store) == before
            crashed += 20
    assert crashed > 40
    assert counts(store)["QMST"] == before["QMST"] * 2
    monkeypatch.undo()
    with store.locked():
        assert store.sweep() == 0


def test_what_a_failed_task_left_is_swept(tmp_path: Path) -> None:
    make(tmp_path / "dump")
    store = Store(str(tmp_path / "store"))
    ingest_here([str(tmp_path / "dump")], str(store.folder))
    stray = [store.tables / "WQ/.0123.tmp", store.tables / "WQ/date=2022-06-29/manager=QM01/other.parquet"]
    for path in stray:
        path.write_bytes(b"left behind")
    before = counts(store)
    make(tmp_path / "more", start=1_656_504_000_000_000 + DAY)
    ingest_here([str(tmp_path / "more")], str(store.folder))
    assert not any(path.exists() for path in stray)
    assert counts(store)["WQ"] == before["WQ"] * 2


def test_one_ingestion_at_a_time(tmp_path: Path) -> None:
    make(tmp_path / "dump")
    store = Store(str(tmp_path / "store"))
    store.create()
    with store.locked(), pytest.raises(RuntimeError, match="another ingestion is running"):
        ingest_here([str(tmp_path / "dump")], str(store.folder))


def test_damage_is_kept_in_its_table(tmp_path: Path) -> None:
    make(tmp_path / "dump")
    with open(tmp_path / "dump", "ab") as file:
        file.write(b"rubbish")
    done = ingest_here([str(tmp_path / "dump")], str(tmp_path / "store"))
    assert done.taken[0].damaged == 1
    (row,) = Store(str(tmp_path / "store")).read("quarantine").to_pylist()
    assert row["length"] == 7


def test_a_name_from_a_record_cannot_leave_the_store() -> None:
    assert safe_name("../x") == "%2E%2E%2Fx"
    assert safe_name("") == "%"
    assert safe_name("QM01") == "QM01"


def test_a_manifest_of_another_decoder_is_taken_in_again(tmp_path: Path) -> None:
    make(tmp_path / "dump")
    store = Store(str(tmp_path / "store"))
    ingest_here([str(tmp_path / "dump")], str(store.folder))
    (path,) = store.inputs.glob("*.json")
    known = json.loads(path.read_text())
    known["decoder"] = 0
    path.write_text(json.dumps(known))
    before = counts(store)
    assert len(ingest_here([str(tmp_path / "dump")], str(store.folder)).taken) == 1
    assert counts(store) == before


def test_an_empty_store_has_empty_tables(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "store"))
    assert not Store.is_store(str(tmp_path))
    store.create()
    assert Store.is_store(str(store.folder))
    assert store.read("WQ").num_rows == 0
    assert store.read("WQ", ["PUTN"]).schema.names == ["PUTN"]


def test_files_tell_spark_the_comments(tmp_path: Path) -> None:
    make(tmp_path / "dump")
    ingest_here([str(tmp_path / "dump")], str(tmp_path / "store"))
    schema = pq.read_schema(Store(str(tmp_path / "store")).files("QJST")[0])
    spark = json.loads(schema.metadata[b"org.apache.spark.sql.parquet.row.metadata"])
    by_name = {field["name"]: field for field in spark["fields"]}
    assert by_name["QJSTLOGW"]["metadata"]["comment"].endswith("(count, delta)")
    assert by_name["QJSTIOSQU"]["type"] == {"type": "array", "elementType": "decimal(20,0)", "containsNull": True}
    assert schema.field("QJSTSLPTU").type == pa.decimal128(20, 0)
