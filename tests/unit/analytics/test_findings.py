"""Each rule fires on data made for it, and not on quiet data."""

from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pytest
from tests.support.smf import frame, records, sample, split

from kew.analytics.reports.findings import FINDINGS, RuleBook, find_here, load_limits, summarise_findings
from kew.analytics.reports.rules import RULES, RowRule, SeriesRule
from kew.analytics.reports.series import DAY, FUNCTIONS, Series
from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.read import summarise
from kew.analytics.smf.tables import TABLES
from kew.formats.smf import Sequences, Stamp, build_records
from kew.formats.smf.layouts.structure import Value

START = 1_656_504_000_000_000
HOUR = 3_600_000_000
PLACES = {
    "QPST": (115, 215),
    "QJST": (115, 1),
    "QSST": (115, 1),
    "QIS1": (115, 201),
    "QSRS": (115, 7),
    "QEST": (115, 2),
    "QESD": (115, 2),
    "Q5ST": (115, 2),
    "QMST": (115, 2),
    "QQST": (115, 216),
    "QCCT": (115, 231),
    "QCT_ADP": (115, 231),
    "QCT_DSP": (115, 231),
    "QCT_SSL": (115, 231),
    "QCT_DNS": (115, 231),
    "QCST": (116, 10),
    "WQ": (116, 1),
    "WTAS": (116, 1),
}


def find(
    table: str, rows: list[list[dict[str, Value]]], folder: Path, step: int = HOUR, release: int = 100000
) -> list[dict[str, Any]]:
    """What is found in one record for each list of rows, an interval apart."""
    kind, subtype = PLACES[table]
    made: list[bytes] = []
    for number, values in enumerate(rows):
        end = START + (number + 1) * step
        sections: dict[str, list[dict[str, Value]]] = {table: values}
        if kind == 116 and subtype == 1:
            sections = {"WTID": [{}], "WTAS": [{}], **sections}
        stamp = Stamp("SYS1", "QM1", release, end - 60_000_000, end)
        stamp.sequences.written = number
        made += build_records(kind, subtype, stamp, sections)
    path = folder / "dump.dat"
    path.write_bytes(frame(made))
    return cast(list[dict[str, Any]], find_here([str(path)], RuleBook()).to_pylist())


def fired(found: list[dict[str, Any]], rule: str) -> list[tuple[str, str, float]]:
    return [(row["severity"], row["subject"], row["value"]) for row in found if row["rule"] == rule]


IO = [{"QJSTIOCOUNT": 100, "QJSTIOTOTIO": 80000 << 12}, {}, {"QJSTIOCOUNT": 100, "QJSTIOTOTIO": 200000 << 12}, {}]
LONG_IO = [{"QJSTIOMAXIO": 3000 << 12}, {}, {}, {}]
FULL_POOL: dict[str, Value] = {"QPSTPOOL": 3, "QPSTNBUF": 1000, "QPSTCBSL": 0, "QPSTGETP": 1000}
QUIET_POOL: dict[str, Value] = {"QPSTPOOL": 3, "QPSTNBUF": 1000, "QPSTCBSL": 900, "QPSTGETP": 1000}

ROWS: list[tuple[str, str, dict[str, Value], tuple[str, str, float]]] = [
    ("BP01", "QPST", QUIET_POOL | {"QPSTSOS": 2}, ("E", "buffer pool 3", 2)),
    ("BP02", "QPST", QUIET_POOL | {"QPSTDMC": 4}, ("E", "buffer pool 3", 4)),
    ("BP03", "QPST", QUIET_POOL | {"QPSTIMW": 900}, ("I", "buffer pool 3", 900)),
    ("BP04", "QPST", QUIET_POOL | {"QPSTDWT": 1}, ("W", "buffer pool 3", 1)),
    ("BP05", "QPST", QUIET_POOL | {"QPSTCBSL": 100}, ("W", "buffer pool 3", 10)),
    ("BP06", "QPST", FULL_POOL | {"QPSTRIO": 100}, ("W", "buffer pool 3", 10)),
    ("BP08", "QPST", QUIET_POOL | {"QPSTSTL": 500, "QPSTSTLA": 200}, ("I", "buffer pool 3", 200)),
    ("LG01", "QJST", {"QJSTWTB": 1}, ("E", "log", 1)),
    ("LG02", "QJST", {"QJSTTVC": 2, "QJSTRACT": 100}, ("W", "log", 2)),
    ("LG03", "QJST", {"QJSTRARH": 10, "QJSTRACT": 90}, ("W", "log", 10)),
    ("LG04", "QJST", {"QJSTBPAG": 1}, ("W", "log", 1)),
    ("LG05", "QJST", {"QJSTSLPTU": 12_000_000}, ("W", "log", 80)),
    ("LG05", "QJST", {"QJSTSLPTU": 3_000_000}, ("E", "log", 95)),
    ("LG06", "QJST", {"QJSTIO": IO}, ("W", "log", 2000)),
    ("LG08", "QJST", {"QJSTIO": IO}, ("W", "log", 150)),
    ("LG10", "QJST", {"QJSTLLCP": 3}, ("W", "log", 3)),
    ("LG11", "QJST", {"QJSTHLSCIW": 100, "QJSTHLSCIF": 20}, ("W", "log", 20)),
    ("PS01", "QIS1", {"QIS1PSNO": 4, "QIS1TOPG": 100, "QIS1UNPG": 90, "QIS1FULL": 1}, ("E", "page set 4", 1)),
    ("PS02", "QIS1", {"QIS1PSNO": 4, "QIS1TOPG": 100, "QIS1UNPG": 10}, ("W", "page set 4", 90)),
    ("PS02", "QIS1", {"QIS1PSNO": 4, "QIS1TOPG": 100, "QIS1UNPG": 2}, ("E", "page set 4", 98)),
    ("PS04", "QIS1", {"QIS1PSNO": 4, "QIS1GETN": 100, "QIS1GETT": 2_000_000 << 12}, ("W", "page set 4", 20_000)),
    ("ST01", "QSST", {"QSSTCRIT": 1, "QSSTABND": 1}, ("E", "storage", 2)),
    ("ST02", "QSST", {"QSSTRCNZ": 3}, ("W", "storage", 3)),
    ("ST03", "QSRS", {"QSRSESIZA": 1 << 30, "QSRSAVAL": 100 << 20}, ("W", "31-bit storage", 100)),
    ("ST04", "QSRS", {"QSRSMEMLIM": 1000, "QSRSAVAL64": 50 << 20, "QSRSAVAL": 999 << 20}, ("W", "64-bit storage", 5)),
    ("CF01", "QEST", {"QESTSTUC": [{"QESTSTR": "APP1", "QESTSFUL": 1}]}, ("E", "structure APP1", 1)),
    ("CF02", "QEST", {"QESTSTUC": [{"QESTSTR": "APP1", "QESTCSEC": 500, "QESTRSEC": 20}]}, ("W", "structure APP1", 4)),
    (
        "CF03",
        "QEST",
        {"QESTSTUC": [{"QESTSTR": "APP1", "QESTCSEC": 100, "QESTSSTC": 6000 << 12}]},
        ("W", "structure APP1", 60),
    ),
    ("SD01", "QESD", {"QESDSTR": "APP1", "QESDSMFL": 1}, ("E", "structure APP1", 1)),
    ("SD02", "QESD", {"QESDSTR": "APP1", "QESDBFTO": 10, "QESDBFMF": 3, "QESDBFWP": 2}, ("W", "structure APP1", 2)),
    ("DB01", "Q5ST", {"ABNDCNT": 1}, ("W", "Db2", 1)),
    ("DB02", "Q5ST", {"NUMTASK": 4, "DHIGMAX": 6}, ("W", "Db2", 2)),
    ("CH03", "QCT_DSP", {"QCTREQN": 100, "QCTCPTM": 1 << 12, "QCTELTM": 8 << 12}, ("W", "dispatcher 0", 8)),
    ("CH04", "QCT_DNS", {"QCTREQN": 20, "QCTELTM": 30_000_000 << 12}, ("W", "DNS task", 50)),
    (
        "CH06",
        "QCCT",
        {"QCCTNOAC": 96, "QCCTMXAC": 100, "QCCTMXTP": 100, "QCCTNOCC": 1, "QCCTMXCC": 99},
        ("W", "channels", 96),
    ),
    (
        "CL01",
        "QCST",
        {"QCSTCHNM": "C", "QCSTCHTY": 1, "QCSTNMSG": 480, "QCSTBATC": 10, "QCSTCBSZ": 50},
        ("W", "channel C", 96),
    ),
    (
        "CL02",
        "QCST",
        {"QCSTCHNM": "C", "QCSTCHTY": 1, "QCSTNMSG": 6000, "QCSTBATC": 3000, "QCSTCBSZ": 50, "QCSTQETC": 2900},
        ("I", "channel C", 0),
    ),
    ("CL03", "QCST", {"QCSTCHNM": "C", "QCSTPTRC": 2}, ("W", "channel C", 2)),
    ("CL05", "QCST", {"QCSTCHNM": "C", "QCSTETMX": 200_000}, ("W", "channel C", 200_000)),
    (
        "CL06",
        "QCST",
        {"QCSTCHNM": "C", "QCSTCNNM": "1.2.3.4", "QCSTRQMN": "APP", "QCSTRVER": "08000005"},
        ("I", "channel C, APP at 1.2.3.4", 8000005),
    ),
    ("TQ01", "WQ", {"BASENAME": "Q", "GETS": 2, "GETSMSG": 100, "INDXTYPE": 0}, ("W", "queue Q", 50)),
    ("TQ02", "WQ", {"BASENAME": "Q", "GETS": 2, "GETSMSG": 100, "INDXTYPE": 1}, ("W", "queue Q", 50)),
    ("TQ03", "WQ", {"BASENAME": "Q", "GETN": 100, "GETEPAGE": 1000}, ("W", "queue Q", 10)),
    ("TQ04", "WQ", {"BASENAME": "Q", "GETN": 1000, "VALIDGET": 10}, ("W", "queue Q", 100)),
    ("TQ05", "WQ", {"BASENAME": "Q", "GETPSN": 700}, ("W", "queue Q", 700)),
    ("TQ06", "WQ", {"BASENAME": "Q", "GETEXMSG": 700}, ("I", "queue Q", 700)),
    (
        "TQ07",
        "WQ",
        {"BASENAME": "Q", "GETN": 100, "GETET": 4000 << 12, "GETCT": 100 << 12, "GETPSET": 9 << 12},
        ("W", "queue Q", 40),
    ),
    ("TQ10", "WQ", {"BASENAME": "Q", "MAXLATNT": 90_000_000 << 12}, ("W", "queue Q", 90)),
    ("TQ11", "WQ", {"BASENAME": "Q", "GETN": 100, "GETERR": 80}, ("W", "queue Q", 80)),
    ("TQ12", "WQ", {"BASENAME": "Q", "OPENN": 100, "VALIDPUT": 100}, ("I", "queue Q", 1)),
    ("QS02", "QQST", {"QQSTQNAM": "Q", "QQSTDPTH": 400}, ("W", "queue Q", 400)),
    ("QS03", "QQST", {"QQSTQNAM": "Q", "QQSTMAGE": 5000}, ("W", "queue Q", 5000)),
    ("QS04", "QQST", {"QQSTQNAM": "Q", "QQSTFLPT": 2, "QQSTFLP1": 1}, ("W", "queue Q", 3)),
    ("QS06", "QQST", {"QQSTQNAM": "Q", "QQSTEXPR": 2}, ("I", "queue Q", 2)),
    ("QS07", "QQST", {"QQSTQNAM": "Q", "QQSTFLAG": 0x40000000}, ("W", "queue Q", 1)),
    ("QS08", "QQST", {"QQSTQNAM": "Q", "QQSTNMAG": 500, "QQSTGETS": 10}, ("W", "queue Q", 50)),
]


@pytest.mark.parametrize(("rule", "table", "row", "expected"), ROWS, ids=[f"{row[0]}-{row[3][0]}" for row in ROWS])
def test_a_rule_fires(
    rule: str, table: str, row: dict[str, Value], expected: tuple[str, str, float], tmp_path: Path
) -> None:
    assert fired(find(table, [[row]], tmp_path), rule) == [pytest.approx(expected)]


@pytest.mark.parametrize(
    ("rule", "table", "rows", "values"),
    [
        ("BP07", "QPST", [[{"QPSTPOOL": 1, "QPSTNBUF": 10_000, "QPSTCBSL": 9_500}]] * (24 * 7 + 1), [5]),
        ("LG07", "QJST", [[{"QJSTIO": LONG_IO}]] * 5, [5]),
        ("LG09", "QJST", [[{"QJSTCIWR": 60 * 256 * n}] for n in [10] * 2 + [100] + [10] * 30 + [90]], [90]),
        ("PS03", "QIS1", [[{"QIS1PSNO": 2, "QIS1EXPN": n}] for n in (1, 1, 2)], [2]),
        ("ST03", "QSRS", [[{"QSRSESIZA": 1 << 30, "QSRSAVAL": (900 - n) << 20}] for n in range(26)], [876]),
        ("CH01", "QCT_ADP", [[{"QCTELTM": 3_000_000 << 12}] * 8], [5]),
        ("CH02", "QCT_ADP", [[{"QCTELTM": 48_000_000 << 12}] * 8], [80]),
        ("CH05", "QCT_SSL", [[{"QCTELTM": 48_000_000 << 12}] * 2], [80]),
        ("CH07", "QCCT", [[{"QCCTSTUS": 100 + n}] for n in range(24 * 5)], [182, 206, 219]),
        (
            "CL04",
            "QCST",
            [[{"QCSTCHNM": "C", "QCSTNTAV": n, "QCSTNMSG": 50}] for n in (100, 110, 100, 90, 100, 250)],
            [250],
        ),
        ("QS01", "QQST", [[{"QQSTQNAM": "Q", "QQSTDPTH": n}] for n in (50, 10, 40, 60, 80, 100, 120, 120)], [120]),
        ("QS05", "QQST", [[{"QQSTQNAM": "Q", "QQSTDPTH": 1, "QQSTRBGT": n}] for n in (1, 0, 1, 3)], [3]),
        ("DQ02", "WQ", [[{"BASENAME": "Q", "VALIDPUT": 100, "VALIDGET": 50}]] * 2, [50]),
        ("TQ13", "WQ", [[{"BASENAME": f"AMQ.{n:016X}"}] for n in range(1100)], [1100]),
    ],
)
def test_a_series_rule_fires(
    rule: str, table: str, rows: list[list[dict[str, Value]]], values: list[float], tmp_path: Path
) -> None:
    step = 1_000_000 if rule == "TQ13" else HOUR
    found = [value for _, _, value in fired(find(table, rows, tmp_path, step), rule)]
    assert found == pytest.approx(values)


def test_every_rule_is_tried_and_every_function_used() -> None:
    tried = {row[0] for row in ROWS}
    series = {rule.function for rule in RULES if isinstance(rule, SeriesRule)}
    assert series == set(FUNCTIONS)
    rows = {rule.name for rule in RULES if isinstance(rule, RowRule)}
    assert rows - tried == {"TQ08", "TQ09"}
    assert len({rule.name for rule in RULES}) == 70


def test_rules_name_columns_that_exist() -> None:
    for rule in RULES:
        assert rule.columns <= set(TABLES[rule.table].column), rule.name
        assert rule.advice
        assert rule.severity in "EWI"


def test_latches_and_forces_of_a_task(tmp_path: Path) -> None:
    end = START + 60_000_000
    tod = (end + 2_208_988_800_000_000) << 12
    task: dict[str, Value] = {
        "WTASINTS": tod - (60_000_000 << 12),
        "WTASINTE": tod,
        "WTASLWET": [0] * 6 + [6_000_000 << 12] + [0] * 25,
        "WTASJCN": 150,
    }
    stamp = Stamp("SYS1", "QM1", 90300, START, end)
    path = tmp_path / "dump.dat"
    path.write_bytes(frame(build_records(116, 1, stamp, {"WTID": [{}], "WTAS": [task]})))
    found = find_here([str(path)], RuleBook()).to_pylist()
    assert fired(found, "TQ08") == [("W", "task", 10)]
    assert "mostly latch class 7" in next(row["advice"] for row in found if row["rule"] == "TQ08")
    assert fired(found, "TQ09") == [("I", "task", 150)]


def test_missing_records_and_odd_intervals_are_found(tmp_path: Path) -> None:
    made: list[bytes] = []
    for number, minute in enumerate((0, 1, 2, 3, 7)):
        end = START + minute * 60_000_000
        stamp = Stamp("SYS1", "QM1", 90300, end - 60_000_000, end)
        stamp.sequences.of_kind[115, 2] = number + (10 if number == 4 else 0)
        made += build_records(115, 2, stamp, {"QMST": [{}]})
    path = tmp_path / "dump.dat"
    path.write_bytes(frame(made))
    found = [row for row in find_here([str(path)], RuleBook()).to_pylist() if row["rule"] == "DQ01"]
    assert [(row["subject"], row["value"]) for row in found] == [("interval", 300), ("records 115-2", 10)]


def test_the_other_type_in_another_file_is_no_loss(tmp_path: Path) -> None:
    generator = Generator(Profile([System("SYS1", "QM01", 90300)], tasks=3))
    made = records(split(b"".join(generator.intervals(4))))
    path = tmp_path / "statistics.dat"
    path.write_bytes(frame([record for record in made if record[1] != 116]))
    assert fired(find_here([str(path)], RuleBook()).to_pylist(), "DQ01") == []
    assert summarise([str(path)]).gaps() == {}


def test_a_change_of_summer_time_or_of_the_interval_is_no_loss(tmp_path: Path) -> None:
    made: list[bytes] = []
    sequences, end = Sequences(), START
    for number in range(24):
        length = 1800_000_000 if number < 12 else 60_000_000  # STATIME changed in the middle
        length -= 0 if number else 1234_000_000  # and the trace was started in an interval
        zone = 60 if number < 6 else 120 if number < 18 else 60
        made += build_records(
            115,
            2,
            Stamp("SYS1", "QM1", 90300, end, end + length, zone, sequences=sequences),
            {"QMST": [{}]},
        )
        end += length
    path = tmp_path / "dump.dat"
    path.write_bytes(frame(made))
    assert fired(find_here([str(path)], RuleBook()).to_pylist(), "DQ01") == []


def test_limits_can_be_changed(tmp_path: Path) -> None:
    stamp = Stamp("SYS1", "QM1", 90300, START, START + 60_000_000)
    path = tmp_path / "dump.dat"
    path.write_bytes(frame(build_records(115, 1, stamp, {"QJST": [{"QJSTSLPTU": 30_000_000}]})))
    assert "LG05" not in find_here([str(path)], RuleBook()).column("rule").to_pylist()
    assert "LG05" in find_here([str(path)], RuleBook(load_limits("LG05 = 40"))).column("rule").to_pylist()


@pytest.mark.parametrize(
    ("text", "problem"), [("XX99 = 1", "XX99 is not a rule"), ("LG05 = 'high'", "must be a number, not 'high'")]
)
def test_bad_limits_are_named(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        load_limits(text)


def test_findings_are_summed_up(tmp_path: Path) -> None:
    path = tmp_path / "TESTCHL.dat"
    path.write_bytes(sample("TESTCHL.dat"))
    findings = find_here([str(path)], RuleBook())
    assert findings.schema == FINDINGS
    summary = summarise_findings(findings)
    assert sum(summary.column("times").to_pylist()) == findings.num_rows
    ranks = ["EWI".index(severity) for severity in summary.column("severity").to_pylist()]
    assert ranks == sorted(ranks)


def series(values: list[float], step: int = HOUR) -> Series:
    time = np.arange(len(values), dtype=np.int64) * step
    value = np.array(values, dtype=np.float64)
    return Series(time, time, value, value, [""] * len(values))


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
@pytest.mark.parametrize("values", [[0.0], [1.0, 1.0], [0.0] * 40, [5.0] * 40])
def test_level_series_are_quiet(name: str, values: list[float]) -> None:
    assert FUNCTIONS[name](series(values, 5_000_000), 100.0) == []


def test_a_week_is_seven_days() -> None:
    low = FUNCTIONS["low_for_a_week"]
    assert low(series([1.0] * 24 * 6), 10) == []
    assert low(series([1.0] * (24 * 7 + 1)), 10) == [(24 * 7, 1.0)]
    assert DAY == 24 * HOUR


def test_no_dump_no_findings(tmp_path: Path) -> None:
    path = tmp_path / "empty.dat"
    path.write_bytes(b"")
    assert find_here([str(path)], RuleBook()).num_rows == 0
    assert isinstance(summarise_findings(FINDINGS.empty_table()), pa.Table)
