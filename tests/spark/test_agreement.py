"""No two rules or analyses contradict each other: on the real dumps, and on dumps made to be ambiguous."""

from collections import defaultdict
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from tests.support.smf import frame, sample
from tests.support.verdicts import OPPOSITES, SAYS, of_index, of_logger, of_pool

from kew.analytics.jobs.catalogue import ANALYSES, Request
from kew.analytics.reports.findings import RuleBook, find_here
from kew.formats.smf import Stamp, build_records
from kew.formats.smf.layouts.structure import Value

START = 1_656_504_000_000_000
HOUR = 3_600_000_000


def said(spark: SparkSession, path: str) -> dict[tuple[object, ...], set[str]]:
    """Give what is said of each object."""
    words: dict[tuple[object, ...], set[str]] = defaultdict(set)
    for row in find_here([path], RuleBook()).to_pylist():
        if row["rule"] in SAYS:
            when = row["written_local"] if row["rule"].startswith("LG") else None
            words[row["system"], row["qmgr"], row["subject"], when].add(SAYS[row["rule"]])
    request = Request(spark, [path])
    for row in ANALYSES["pools"](request).toArrow().to_pylist():
        words[row["system"], row["qmgr"], f"buffer pool {row['pool']}", None].add(of_pool(row))
    for row in ANALYSES["indexes"](request).toArrow().to_pylist():
        words[row["system"], row["qmgr"], f"queue {row['queue']}", None].add(of_index(row))
    # Of the logger the analysis has a row for each interval, as the rules have.
    logs = request.table("QJST").select("system", "qmgr", "interval_start", "written_local").toArrow().to_pylist()
    when_written = {(row["system"], row["qmgr"], row["interval_start"]): row["written_local"] for row in logs}
    for row in ANALYSES["logger"](request).toArrow().to_pylist():
        when = when_written[row["system"], row["qmgr"], row["interval_start"]]
        words[row["system"], row["qmgr"], "log", when].add(of_logger(row))
    return words


def contradictions(words: dict[tuple[object, ...], set[str]]) -> list[tuple[object, ...]]:
    return [(*about, sorted(pair)) for about, told in words.items() for pair in OPPOSITES if pair <= told]


@pytest.mark.parametrize("name", ["TEST115.dat", "TEST116.dat", "TESTCHL.dat"])
def test_real_dumps_are_told_one_thing(name: str, spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(sample(name))
    words = said(spark, str(path))
    print(f"{name}: {sum(map(len, words.values()))} statements on {len(words)} objects")
    assert contradictions(words) == []


POOLS: list[dict[str, Value]] = [
    {"QPSTPOOL": 0, "QPSTNBUF": 1000, "QPSTCBSL": 999, "QPSTGETP": 10, "QPSTRIO": 3},
    {"QPSTPOOL": 1, "QPSTNBUF": 1500, "QPSTCBSL": 1499, "QPSTGETP": 1000},
    {"QPSTPOOL": 2, "QPSTNBUF": 50_000, "QPSTCBSL": 49_999, "QPSTGETP": 50},
    {"QPSTPOOL": 3, "QPSTNBUF": 5000, "QPSTCBSL": 0, "QPSTGETP": 9000, "QPSTRIO": 900, "QPSTTPW": 900},
    {"QPSTPOOL": 4, "QPSTNBUF": 5000, "QPSTCBSL": 0, "QPSTGETP": 9000, "QPSTDMC": 2, "QPSTSOS": 1},
    {"QPSTPOOL": 5, "QPSTNBUF": 5000, "QPSTCBSL": 700, "QPSTGETP": 9000, "QPSTDWT": 2},
    {"QPSTPOOL": 6, "QPSTNBUF": 5000, "QPSTCBSL": 600, "QPSTGETP": 20},
]
QUEUES: list[dict[str, Value]] = [
    {"BASENAME": "MIXED", "GETS": 10, "GETSMSG": 900, "VALIDGET": 10},
    {"BASENAME": "MIXED", "GETS": 9000, "GETSMSG": 0, "VALIDGET": 9000},
    {"BASENAME": "BROWSED", "GETBRWS": 500, "GETS": 1, "GETSMSG": 900},
    {"BASENAME": "FEW", "GETS": 1, "GETSMSG": 90},
    {"BASENAME": "WRONG", "GETS": 10, "GETSMSG": 900, "INDXTYPE": 2},
]


@pytest.mark.parametrize("hours", [1, 24 * 7 + 1])
def test_ambiguous_dumps_are_told_one_thing(hours: int, spark: SparkSession, tmp_path: Path) -> None:
    made: list[bytes] = []
    for number in range(hours):
        end = START + (number + 1) * HOUR
        stamp = Stamp("SYS1", "QM1", 100000, end - HOUR, end)
        made += build_records(115, 215, stamp, {"QPST": POOLS})
        idle = 3_600_000_000 * (number % 10) // 10
        made += build_records(115, 1, stamp, {"QJST": [{"QJSTSLPTU": idle, "QJSTWTB": number % 7 == 3}]})
        if number == 0:
            made += build_records(116, 1, stamp, {"WTID": [{}], "WTAS": [{}], "WQ": QUEUES})
    path = tmp_path / "dump.dat"
    path.write_bytes(frame(made))
    words = said(spark, str(path))
    assert contradictions(words) == []
    spoken = set().union(*words.values())
    assert {"enlarge the pool", "keep the pool", "index the queue", "leave the index"} <= spoken
    assert ("shrink the pool" in spoken) == (hours > 1)
