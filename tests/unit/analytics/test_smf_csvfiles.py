"""The files of mq-smf-csv: its columns, its conventions, and right values where it is wrong."""

import csv
import tempfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fuzz.smf import damage, make_dump
from tests.support import csvrows
from tests.support.smf import frame, sample, structure_values

from kew.analytics.smf.csvcolumns import FILES
from kew.analytics.smf.csvfiles import CsvFile, write_csv
from kew.analytics.smf.generate import Generator, Profile, System
from kew.formats.smf import RECORDS, Framing, Stamp, build_records
from kew.formats.smf.layouts.structure import Value

# Columns of each file with one empty one behind the last comma, as the original writes them.
WIDTHS = {
    "Q5ST": 173,
    "QCCT": 21,
    "QCST": 56,
    "QCTADP": 19,
    "QCTDNS": 23,
    "QCTDSP": 20,
    "QCTSSL": 23,
    "QESD": 88,
    "QEST": 23,
    "QIS1": 37,
    "QIST": 25,
    "QJST": 136,
    "QLST": 13,
    "QMAC": 24,
    "QMST": 61,
    "QPST": 28,
    "QQST": 100,
    "QSGM": 15,
    "QSPH": 20,
    "QSRS": 51,
    "QSST": 26,
    "QTST": 31,
    "WQ": 508,
    "WTAS": 403,
    "WTID": 20,
}
START = 1_656_504_000_000_000


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    with open(folder / f"SMF-{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


def lines(folder: Path, name: str) -> list[str]:
    return (folder / f"SMF-{name}.csv").read_text().splitlines()


def write(
    kind: int,
    subtype: int,
    sections: dict[str, list[dict[str, Value]]],
    folder: Path,
    release: int = 100000,
    empty: bool = False,
) -> Path:
    stamp = Stamp("SYS1", "QM1", release, START, START + 60_000_000)
    (folder / "dump").write_bytes(frame(build_records(kind, subtype, stamp, sections)))
    write_csv([str(folder / "dump")], str(folder), empty=empty)
    return folder


def test_every_file_has_the_columns_of_the_original(tmp_path: Path) -> None:
    generator = Generator(Profile([System("SYS1", "QM01", 100000, 60, "QSG1")], tasks=2))
    (tmp_path / "dump").write_bytes(b"".join(generator.intervals(2)))
    counts = write_csv([str(tmp_path / "dump")], str(tmp_path))
    assert set(counts) == set(FILES) == set(WIDTHS)
    for name, width in WIDTHS.items():
        made = list(csv.reader(lines(tmp_path, name)))
        assert {len(row) for row in made} == {width}, name
        assert len(made) == counts[name] + 1
        assert len(set(made[0])) == width
    structures = {"QCTADP": "QCT_ADP", "QCTDNS": "QCT_DNS", "QCTDSP": "QCT_DSP", "QCTSSL": "QCT_SSL"}
    assert counts == {name: generator.totals.rows[structures.get(name, name)] for name in counts}


@pytest.mark.parametrize(
    ("name", "headings"),
    [
        ("QLST", "Get_Lock_Requests,Get_Lock_Held,Release_Lock,"),
        ("QCTDSP", "Task_Wait_Time(S),Task_Wait_Time(US),Task_Channel_Count,"),
        ("QJST", "IO_Count {1.1},IO_CI {1.1},IO_Total_Time{1.1}(S),IO_Total_Time{1.1}(US),"),
        ("QJST", "IO_Max_Time{2.2} (DATE),IO_Max_Time{2.2} (TIME),IO_Max_Log_ID {2.2},"),
        ("WTAS", "Latch_Wait_Time{32}(S),Latch_Wait_Time{32}(US),Latch_Wait_Count {32},Longest_Latch,"),
        ("WTAS", "CFCount {Cmit_StopMon},CFSync {Cmit_StopMon},CFSync {Cmit_StopMon_ET},"),
        ("WTAS", "CFAsync {Cmit_StopMon_ET},CFCount {Cmit_New},"),
        ("WQ", "CFAsync {Open_StopMon_ET},CFCount {Open_ReadList},"),
        ("WTID", "WTAS_Correlator,Appl_Type,Connection_Name,Operator_ID,NID,Correl(HEX),Correl(CHAR),"),
        ("QTST", "Subs_High_Water_API,Subs_High_Water_Admin,Subs_High_Water_Proxy,"),
    ],
)
def test_headings(name: str, headings: str) -> None:
    assert headings in CsvFile(name).headings(True)


def test_a_line_of_a_real_dump(tmp_path: Path) -> None:
    (tmp_path / "dump").write_bytes(sample("TEST116.dat"))
    write_csv([str(tmp_path / "dump")], str(tmp_path))
    line = lines(tmp_path, "WQ")[1]
    assert line.startswith(
        '"2015/11/23","11:00:00,020000","H019","MQPC","....",="800",="CFE487072A9A55785DDEF7A06276BDE8",'
        '"ENT.LGR.AUDITTLG.OUTPUT                         ","SYSTEM.CLUSTER.TRANSMIT.QUEUE                   ",'
        '"2015/11/23","16:59:58,193482","2015/11/23","16:59:58,193785","Alias","CorrelId","QMgr",'
        "0, 88 ,0, 83 ,1,0, 10 ,0, 10 ,1,"
    )
    (queue, _) = rows(tmp_path, "WQ")
    assert (queue["Get_Min_Msg_Size"], queue["Put_Min_Msg_Size"], queue["Streamed_Msgs"]) == ("-1", "354", "-1")


def test_what_a_release_lacks(tmp_path: Path) -> None:
    write(115, 216, {"QQST": [{"QQSTQNAM": "Q1"}]}, tmp_path, 90300)
    (old,) = rows(tmp_path, "QQST")
    assert (old["Output_Handles"], old["Last_Put (DATE)"], old["Uncommitted"]) == ("-1", "1970/01/01", ".....")
    write(115, 216, {"QQST": [{"QQSTQNAM": "Q1"}]}, tmp_path, 90300, empty=True)
    (empty,) = rows(tmp_path, "QQST")
    assert (empty["Output_Handles"], empty["Last_Put (DATE)"], empty["Uncommitted"]) == ("", "", "")
    assert empty["Current_Depth"] == "0"


def test_flags_in_words(tmp_path: Path) -> None:
    queues: list[dict[str, Value]] = [{"QQSTQNAM": "A"}, {"QQSTQNAM": "B", "QQSTFLAG": 0xE0000000}]
    write(115, 216, {"QQST": queues}, tmp_path)
    found = [(row["Queue_Disp"], row["Record"], row["Uncommitted"]) for row in rows(tmp_path, "QQST")]
    assert found == [("PRIVATE", "FULL", "NO"), ("SHARED", "PARTIAL", "YES")]
    write(115, 215, {"QPST": [{}, {"QPSTFLAG": 0xC0000000}]}, tmp_path)
    assert [(row["LOC"], row["FIX"]) for row in rows(tmp_path, "QPST")] == [("Below", "Paged"), ("Above", "Fixed")]


def test_what_looks_like_a_number_is_kept_as_text(tmp_path: Path) -> None:
    names = ["12345", "1E5", "QUEUE.1", "-5", ""]
    write(115, 216, {"QQST": [{"QQSTQNAM": name} for name in names]}, tmp_path)
    shown = [line.split(",")[11] for line in lines(tmp_path, "QQST")[1:]]
    assert [text.startswith("=") for text in shown] == [True, True, False, False, True]


def test_values_are_right_where_the_original_is_wrong(tmp_path: Path) -> None:
    queue: dict[str, Value] = {"QQSTQNAM": "Q", "QQSTNPDG": 1, "QQSTPDG": 2, "QQSTNPBR": 3, "QQSTPBR": 4}
    write(115, 216, {"QQST": [queue]}, tmp_path)
    (row,) = rows(tmp_path, "QQST")
    assert (row["Get_NP"], row["Get_P"], row["Browse_NP"], row["Browse_P"]) == ("1", "2", "3", "4")
    write(115, 2, {"QESD": [{"QESDFLAG": 0x80000000, "QESDBFBT": 1234 << 12}]}, tmp_path)
    (structure,) = rows(tmp_path, "QESD")
    assert (structure["Encrypted"], structure["Buffer_Wait_Time"]) == ("Yes", "1234")
    write(115, 7, {"QSRS": [{"QSRSAVAL64": 2**64 - 1}]}, tmp_path)
    assert rows(tmp_path, "QSRS")[0]["Avail_64"] == str(2**64 - 1)


def test_the_dns_task_of_mq_8_is_there(tmp_path: Path) -> None:
    (tmp_path / "dump").write_bytes(sample("TESTCHL.dat"))
    assert write_csv([str(tmp_path / "dump")], str(tmp_path))["QCTDNS"] == 16


def test_times_in_local_time_on_request(tmp_path: Path) -> None:
    (tmp_path / "dump").write_bytes(sample("TESTCHL.dat"))
    write_csv([str(tmp_path / "dump")], str(tmp_path), local=True)
    assert rows(tmp_path, "QCST")[0]["Collection_Time (TIME)"] == "18:03:47,235659"


def agree(dump: bytes, local: bool = False, empty: bool = False) -> int:
    """Compare the files with those made a value at a time; give the number of lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "dump.dat")
        path.write_bytes(dump)
        counts = write_csv([str(path)], f"{folder}/columns", local, empty)
        assert counts == csvrows.write_csv([str(path)], f"{folder}/rows", local, empty)
        for name in counts:
            assert lines(Path(folder, "columns"), name) == lines(Path(folder, "rows"), name), name
        return sum(counts.values())


@pytest.mark.parametrize("name", ["TEST115.dat", "TEST116.dat", "TESTCHL.dat"])
def test_columns_of_real_dumps_are_those_made_a_value_at_a_time(name: str) -> None:
    for local in (False, True):
        assert agree(sample(name), local, not local) > 0


@pytest.mark.parametrize("framing", list(Framing))
@pytest.mark.parametrize("release", [80000, 90300, 90305, 100000])
def test_columns_of_generated_dumps_are_those_made_a_value_at_a_time(framing: Framing, release: int) -> None:
    generator = Generator(Profile([System("SYS1", "QM01", release, -330, "QSG1")], tasks=2, variety=2))
    assert agree(b"".join(generator.intervals(2, framing, segment=3000)), local=True) > 50


def test_lines_of_many_blocks_and_dumps_come_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kew.analytics.smf.csvfiles.ROWS", 3)
    generator = Generator(Profile([System("SYS1", "QM01", 90300), System("SYS2", "QM02", 100000)], tasks=5))
    dumps = [tmp_path / f"{number}.dat" for number in range(6)]
    for path in dumps:
        path.write_bytes(b"".join(generator.intervals(1)))
    columns, values = str(tmp_path / "columns"), str(tmp_path / "rows")
    counts = write_csv([str(path) for path in dumps], columns)
    assert counts == csvrows.write_csv([str(path) for path in dumps], values)
    for name in counts:
        assert lines(Path(columns), name) == lines(Path(values), name)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_columns_of_any_values_are_those_made_a_value_at_a_time(data: st.DataObject) -> None:
    made: list[bytes] = []
    for _ in range(data.draw(st.integers(1, 3))):
        kind, subtype = data.draw(st.sampled_from(sorted(RECORDS)))
        release = data.draw(st.sampled_from([80000, 90301, 90403, 100000]))
        values: dict[str, list[dict[str, Value]]] = {}
        for structure in RECORDS[kind, subtype].structures.values():
            length = structure.length_at(release)
            if length and structure.name != "QEST":
                values[structure.name] = data.draw(st.lists(structure_values(structure, length), max_size=2))
        stamp = Stamp("SYS1", "QM1", release, START, START + data.draw(st.integers(0, 10**10)), 60)
        made += build_records(kind, subtype, stamp, values)
    agree(frame(made), data.draw(st.booleans()), data.draw(st.booleans()))


@pytest.mark.parametrize("seed", range(60))
def test_columns_of_damaged_dumps_are_those_made_a_value_at_a_time(seed: int) -> None:
    random = Random(seed)
    agree(damage(random, make_dump(random, random.choice(list(Framing)))), seed % 2 == 0, seed % 3 == 0)


def test_a_task_without_its_accounting_block_is_joined_by_its_queues() -> None:
    stamp = Stamp("SYS1", "QM1", 80000, START, START, 60)
    values: dict[str, list[dict[str, Value]]] = {"WTID": [{}], "WQ": [{"CORREL": bytes(range(0xC1, 0xD1))}]}
    agree(frame(build_records(116, 1, stamp, values)), False, False)
