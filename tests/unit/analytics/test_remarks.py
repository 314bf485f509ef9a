"""Nothing in a dump is left out in silence: what every output says of what it does not have."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.support.smf import frame

from kew.analytics.smf.read import load
from kew.analytics.smf.remarks import Remarks, type_name
from kew.cli.smf import smf
from kew.formats.smf import STRUCTURES, Stamp, build_records

MINUTE = 60_000_000
START = 1_656_504_000_000_000
STAMP = Stamp("SYS1", "QM1", 90300, START, START + MINUTE)


def good() -> list[bytes]:
    return build_records(115, 2, STAMP, {"QMST": [{"QMSTPUT": 5}], "QIST": [{}], "QLST": [{}], "QTST": [{}]})


def of_type(kind: int, record: bytes) -> bytes:
    return record[:5] + bytes([kind]) + record[6:]


def of_subtype(number: int, record: bytes) -> bytes:
    return record[:22] + number.to_bytes(2, "big") + record[24:]


def longer(record: bytes) -> bytes:
    """The record with 8 bytes more in its only QMST than any release that is known, as a later one might write it."""
    offset = int.from_bytes(record[36:40], "big")
    length = int.from_bytes(record[40:42], "big")
    newer = STRUCTURES["QMST"].size + 8
    block = record[offset : offset + 2] + newer.to_bytes(2, "big") + record[offset + 4 : offset + length]
    triplet = len(record).to_bytes(4, "big") + newer.to_bytes(2, "big") + b"\x00\x01"
    made = record[:36] + triplet + record[44:] + block.ljust(newer, b"x")
    return len(made).to_bytes(2, "big") + made[2:]


@pytest.fixture
def dump(tmp_path: Path) -> str:
    (record,) = good()
    records = [
        record,
        of_type(180, record),
        of_type(123, record),
        of_type(123, record),
        of_subtype(99, record),
        of_subtype(240, record),
        longer(record),
    ]
    path = tmp_path / "dump"
    path.write_bytes(frame(records))
    return str(path)


@pytest.fixture
def damaged(dump: str, tmp_path: Path) -> str:
    data = bytearray(Path(dump).read_bytes())
    path = tmp_path / "damaged"
    path.write_bytes(data + data[: len(good()[0]) - 20])  # cut off
    return str(path)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(smf, list(arguments), prog_name="kew smf")


def test_everything_that_is_not_in_a_table_is_remarked(dump: str, damaged: str) -> None:
    rows = {row["what"]: (row["kind"], row["count"]) for row in load([damaged], "remarks").to_pylist()}
    (longer_qmst,) = [what for what in rows if what.startswith("sections QMST of ")]
    assert rows == {
        type_name(180): ("not decoded", 1),
        "records of type 123 (z/OS Connect)": ("not decoded", 2),
        "records 115-99": ("not decoded", 1),
        "records 115-240 (internal)": ("not decoded", 1),
        longer_qmst: ("not decoded", 1),
        "damaged places": ("lost", 1),
    }
    assert "MQ Advanced Message Security" in type_name(180)
    assert not {row["kind"] for row in load([dump], "remarks").to_pylist()} & {"lost"}


def test_a_dump_that_is_whole_has_no_remarks(tmp_path: Path) -> None:
    (tmp_path / "dump").write_bytes(frame(good()))
    assert load([str(tmp_path / "dump")], "remarks").num_rows == 0


def outputs(path: str, tmp_path: Path) -> list[Result]:
    return [
        run("decode", path, "--table", "QMST", "--columns", "QMSTPUT"),
        run("report", "MSGM", path),
        run("report", "MSGM", path, "--format", "csv"),
        run("report", "MSGM", path, "--format", "json"),
        run("report", "FINDINGS", path),
        run("report", "FINDINGS", path, "--format", "json"),
        run("csv", path, "-o", str(tmp_path / "csv")),
        run("ingest", path, "--to", str(tmp_path / "store"), "--engine", "process"),
        run("report", "MSGM", str(tmp_path / "store"), "--engine", "process"),
    ]


def test_every_output_says_that_there_is_more(dump: str, tmp_path: Path) -> None:
    for result in outputs(dump, tmp_path):
        assert result.exit_code == 0, result.output
        assert "Not decoded: 6 records or sections of 5 kinds; 'kew smf decode' names them" in result.stderr


def test_every_output_says_what_is_lost_and_ends_with_1(damaged: str, tmp_path: Path) -> None:
    for result in outputs(damaged, tmp_path):
        assert result.exit_code == 1, result.output
        assert "kew: Lost: 1 damaged places" in result.stderr


def test_the_summary_names_them(dump: str, damaged: str) -> None:
    result = run("decode", dump)
    assert result.exit_code == 0
    assert "Not decoded: 2 records of type 123 (z/OS Connect), " in result.stdout
    result = run("decode", damaged)
    assert result.exit_code == 1
    assert "Damaged: " in result.stdout


def test_pages_name_them(dump: str) -> None:
    for name in ("MSGM", "FINDINGS"):
        page = run("report", name, dump, "--format", "html").stdout
        assert "What the dumps hold besides" in page
        assert "records of type 123 (z/OS Connect)" in page


def test_what_is_written_is_not_mixed_with_remarks(dump: str) -> None:
    result = run("report", "MSGM", dump, "--format", "json")
    assert len(json.loads(result.stdout)["parts"]["MSGM"]) == 2


def test_remarks_add_up() -> None:
    remarks = Remarks()
    assert (remarks.brief(), remarks.lost) == ([], False)
