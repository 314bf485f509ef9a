"""Reports: the examples of MQ's own performance report as golden files, and every report on every release."""

import csv
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.support.smf import ROOT, frame, sample

from kew.analytics.reports.catalogue import REPORTS, report_named
from kew.analytics.reports.html import html_lines
from kew.analytics.reports.model import Cell, Part, Report
from kew.analytics.reports.plain import csv_lines, json_lines
from kew.analytics.reports.run import run_here
from kew.analytics.reports.text import TextReport
from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.selection import Selection
from kew.formats.smf import Stamp, build_records
from kew.formats.smf.encoding import microseconds_to_tod
from kew.formats.smf.layouts.structure import Value

GOLDEN = ROOT / "tests/data/golden"


def at(text: str) -> int:
    moment = datetime.fromisoformat(text).replace(tzinfo=UTC)
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def text_of(name: str, dump: bytes, folder: Path, utc: bool = False) -> list[str]:
    path = folder / "dump.dat"
    path.write_bytes(dump)
    return list(TextReport(run_here(report_named(name), [str(path)]), utc).lines())


def test_qstat_is_as_mq_shows_it(tmp_path: Path) -> None:
    end = at("2022-06-29T21:13:21")
    private = Stamp("MVAA", "VTS1", 90300, end - 1_000_000, end)
    end = at("2022-07-01T01:26:23")
    shared = Stamp("MVAA", "VTS1", 90300, end - 1_000_000, end)
    queues: list[dict[str, Value]] = [
        {"QQSTQNAM": "LQ1001", "QQSTPSID": 1, "QQSTBPID": 1, "QQSTDPTH": 4},
        {"QQSTQNAM": "SIXC01", "QQSTFLAG": 0x80000000, "QQSTQSGN": "PERF", "QQSTCFST": "APPLICATION1", "QQSTDPTH": 100},
    ]
    first = build_records(115, 216, private, {"QQST": queues[:1]})
    second = build_records(115, 216, shared, {"QQST": queues[1:]})
    # In the second example the product section names another subsystem than the header does.
    second = [record.replace("VTS1".encode("cp037"), "VKW1".encode("cp037")) for record in second]
    second = [record[:18] + "VTS1".encode("cp037") + record[22:] for record in second]
    assert text_of("QSTAT", frame(first + second), tmp_path) == (GOLDEN / "QSTAT.txt").read_text().splitlines()


def test_log_lines_are_as_mq_shows_them(tmp_path: Path) -> None:
    end = at("2022-07-07T10:42:00")
    log: dict[str, Value] = {
        "QJSTCIWR": 220 * 2 * 256 * 60,
        "QJSTLOGW": 220 * 2 * 256 * 60 // 11,
        "QJSTSLPTU": 60_000,
        "QJSTIO": [
            {"QJSTIOCOUNT": 10_000, "QJSTIOTOTIO": 1_000_000 << 12},
            {"QJSTIOCOUNT": 297_200, "QJSTIOTOTIO": 55_796_000 << 12},
            {"QJSTIOCOUNT": 10_000, "QJSTIOTOTIO": 900_000 << 12},
            {"QJSTIOCOUNT": 297_200, "QJSTIOTOTIO": 50_000_000 << 12},
        ],
    }
    stamp = Stamp("MVAA", "VTS1", 90300, end - 60_000_000, end)
    lines = text_of("LOG", frame(build_records(115, 1, stamp, {"QJST": [log]})), tmp_path)
    golden = (GOLDEN / "LOG.txt").read_text().splitlines()
    assert [line for line in lines if line in golden] == golden


def task_dump(
    pages: tuple[int, int], open_time: float, open_cpu: float, close: float, put: float, put_cpu: float
) -> bytes:
    moment = microseconds_to_tod(at("2022-07-07T10:42:09"))
    queue: dict[str, Value] = {
        "OBJNAME": "LQ1000",
        "BASENAME": "LQ1000",
        "QTYPE": 1,
        "OPENTIME": moment,
        "CLOSTIME": moment,
        "NPS": 3,
        "NBUFFPOOL": 3,
        "TOTAL_USE": 12,
        "OPENN": 1,
        "OPENET": int(open_time * 4096),
        "OPENCT": int(open_cpu * 4096),
        "CLOSEN": 1,
        "CLOSEET": int(close * 4096),
        "CLOSECT": int(close * 4096),
        "PUTN": 10,
        "PUTET": int(put * 4096),
        "PUTCT": int(put_cpu * 4096),
        "VALIDPUT": 10,
        "PUTBYTES": 10240,
        "PUTMAXMS": 1024,
        "PUTMINMS": 1024,
    }
    identity: dict[str, Value] = {"WTIDATYP": 2, "WTIDCCN": "R001", "WTIDOPID": "PERFTASK"}
    task: dict[str, Value] = {"WTASGPO": pages[0], "WTASGPN": pages[1], "WTASWQCT": 1}
    end = at("2022-07-07T10:42:10")
    stamp = Stamp("MVAA", "VTS1", 90300, end, end)
    return frame(build_records(116, 1, stamp, {"WTID": [identity], "WTAS": [task], "WQ": [queue]}))


@pytest.mark.parametrize(
    ("golden", "dump"),
    [
        ("TASK-without.txt", task_dump((32, 11), 39.5, 37.6, 8.9, 111.0, 109.4)),
        ("TASK-with.txt", task_dump((64, 22), 44.0, 44.0, 10.0, 182.0, 180.0)),
    ],
)
def test_task_is_as_mq_shows_it(golden: str, dump: bytes, tmp_path: Path) -> None:
    lines = [" | ".join(re.split(r"\s{2,}", line)) for line in text_of("TASK", dump, tmp_path)]
    expected = (GOLDEN / golden).read_text().splitlines()
    found = iter(lines)
    missing = [line for line in expected if line not in found]
    assert missing == []


def test_the_worked_example_of_the_log_report(tmp_path: Path) -> None:
    lines = text_of("LOG", sample("TEST115.dat"), tmp_path)
    assert lines[:2] == [
        "H019,MQPC,2015/11/23,21:10:04,VRM:800,",
        "From 2015/11/23,20:40:12 to 2015/11/23,21:10:04, duration 1793 seconds.",
    ]
    for line in (
        "Total write requests:    1758730",
        "Pages written per I/O:   1.17",
        "I/O per second per copy: 71.0",
        "Log write rate:          0.32MB/s per copy",
        "Logger task busy:        9.3%",
        "Copy 1, 1 page: average I/O: 1064 uS",
        "Copy 1, 1 page: longest I/O: 40109 uS",
    ):
        assert line in lines, line


def test_task_tables_of_the_channel_initiator_end_with_a_sum(tmp_path: Path) -> None:
    lines = text_of("CHINIT", sample("TESTCHL.dat"), tmp_path)
    start = lines.index("Dispatcher tasks")
    table = [line.split() for line in lines[start + 2 : start + 8]]
    assert [row[0] for row in table] == ["0", "1", "2", "3", "4", "Summ"]
    assert [row[1] for row in table] == ["20", "47", "0", "0", "0", "67"]
    assert table[-1][3:] == ["0.000969", "0.0", "14", "14", "1"]


def test_all_in_utc_on_request(tmp_path: Path) -> None:
    local = text_of("DATA", sample("TEST115.dat"), tmp_path)
    utc = text_of("DATA", sample("TEST115.dat"), tmp_path, utc=True)
    assert utc[0] == "H019,MQPC,2015/11/24,03:10:04,VRM:800,"
    assert utc[1].startswith("From 2015/11/24,02:40:12 to 2015/11/24,03:10:04")
    assert local[2:] == utc[2:]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> str:
    systems = [
        System("SYS1", f"QM{number}", release, 60 * number, "QSG1")
        for number, release in enumerate((80000, 90300, 90303, 90403, 100000))
    ]
    path = tmp_path_factory.mktemp("dump") / "dump.dat"
    path.write_bytes(b"".join(Generator(Profile(systems, tasks=3, queues=4)).intervals(3)))
    return str(path)


@pytest.mark.parametrize("name", sorted(REPORTS))
def test_every_report_in_every_form(name: str, world: str) -> None:
    result = run_here(REPORTS[name], [world])
    lines = list(TextReport(result).lines())
    assert len(lines) > 10
    assert lines[0].startswith("SYS1,QM")
    for part in REPORTS[name].parts:
        rows = list(csv.reader("".join(csv_lines(result, part.name)).splitlines()))
        assert len(rows) == result.tables[part.name].num_rows + 1 > 1
        assert len({len(row) for row in rows}) == 1
    document = json.loads("".join(json_lines(result)))
    assert document["report"] == name
    assert {part: len(rows) for part, rows in document["parts"].items()} == {
        part.name: result.tables[part.name].num_rows for part in REPORTS[name].parts
    }
    page = "".join(html_lines(result))
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("<svg") == len(REPORTS[name].charts)
    assert not re.search(r"(src|href)=['\"]https?:", page)


def test_not_available_is_null_and_zero_is_zero(world: str) -> None:
    rows = run_here(REPORTS["MSGM"], [world]).rows("MSGM")
    by_release = {row["vrm"]: row for row in rows}
    assert by_release[80000]["persistent_puts"] is None
    assert by_release[80000]["put_rate"] is None
    assert by_release[90300]["persistent_puts"] is not None
    assert by_release[90300]["otel_put"] is None


def test_rows_can_be_selected(world: str) -> None:
    everything = run_here(REPORTS["BUFF"], [world]).tables["BUFF"]
    one = run_here(REPORTS["BUFF"], [world], Selection("QM1")).tables["BUFF"]
    assert set(one.column("qmgr").to_pylist()) == {"QM1"}
    assert one.num_rows * 5 == everything.num_rows
    times = sorted(set(one.column("written_local").to_pylist()))
    part = run_here(REPORTS["BUFF"], [world], Selection("QM1", times[1], times[2])).tables["BUFF"]
    assert set(part.column("written_local").to_pylist()) == {times[1]}


def test_html_escapes_what_records_say(tmp_path: Path) -> None:
    stamp = Stamp("MVAA", "VTS1", 90300, at("2022-06-29T00:00:00"), at("2022-06-29T00:00:01"))
    path = tmp_path / "dump.dat"
    path.write_bytes(frame(build_records(115, 216, stamp, {"QQST": [{"QQSTQNAM": "<b>&Q"}]})))
    page = "".join(html_lines(run_here(REPORTS["QSTAT"], [str(path)])))
    assert "&lt;b&gt;&amp;Q" in page
    assert "<b>" not in page


def test_mistakes_in_a_report_are_named() -> None:
    with pytest.raises(ValueError, match="there is no report nosuch; reports are MSGM"):
        report_named("nosuch")
    with pytest.raises(ValueError, match="table QPST has no column QXST"):
        Part("P", "p", "QPST", [Cell("a", "A", "QXST + 1")])
    with pytest.raises(ValueError, match="has a cell twice"):
        Part("P", "p", "QPST", [Cell("a", "A", "QPSTPOOL"), Cell("a", "A", "QPSTPOOL")])
    assert isinstance(report_named("log"), Report)
