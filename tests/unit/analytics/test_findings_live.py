"""Findings as they arise are those of the report, each told when its row comes, however the records come."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.support.smf import frame

from kew.analytics.reports import live
from kew.analytics.reports.findings import RuleBook, find_here
from kew.analytics.reports.live import FindingFollower, FindingStream, is_live
from kew.analytics.reports.messages import Teller
from kew.analytics.reports.rules import RULES
from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.growing import Follower, before, ends, rows_of
from kew.formats.smf import Stamp, build_records
from kew.formats.smf.layouts.structure import Value

SECOND = 1_000_000
START = 1_656_504_000 * SECOND
BOOK = RuleBook()


def interval(number: int, depth: int, failed: int = 0, qmgr: str = "QM1") -> bytes:
    """A record about one queue with nobody to get from it, a second after the one before."""
    end = START + (number + 1) * SECOND
    row: dict[str, Value] = {"QQSTQNAM": "ORDERS", "QQSTDPTH": depth, "QQSTIPCT": 1, "QQSTFLPT": failed}
    stamp = Stamp("SYS1", qmgr, 90400, end - SECOND, end)
    return frame(build_records(115, 216, stamp, {"QQST": [row]}))


def found(table: pa.Table) -> list[tuple[str, str, float]]:
    return [(row["rule"], row["subject"], row["value"]) for row in table.to_pylist()]


def test_each_finding_is_told_once_when_its_row_comes(tmp_path: Path) -> None:
    path = tmp_path / "SMF00001.smf"
    watch = FindingFollower([str(tmp_path)], BOOK)
    assert found(watch.look()) == []  # the queue manager has not even made the file
    told: list[list[tuple[str, str, float]]] = []
    for number in range(7):
        with open(path, "ab") as file:
            file.write(interval(number, depth=100 * number, failed=int(number == 2)))
        told.append(found(watch.look()))
        assert found(watch.look()) == []
    growing = [("QS01", "queue ORDERS", 500.0)], [("QS01", "queue ORDERS", 600.0)]
    assert told == [[], [], [("QS04", "queue ORDERS", 1.0)], [], [], *growing]


def test_a_watch_knows_what_was_before_it_and_does_not_tell_it(tmp_path: Path) -> None:
    path = tmp_path / "SMF00001.smf"
    path.write_bytes(b"".join([interval(number, depth=100 * number, failed=1) for number in range(5)]))
    watch = FindingFollower([str(tmp_path)], BOOK)
    (tmp_path / "SMF00002.smf").write_bytes(interval(5, depth=500))
    assert found(watch.look()) == [("QS01", "queue ORDERS", 500.0)]
    assert [rule for rule, _, _ in found(FindingFollower([str(tmp_path)], BOOK, whole=True).look())] == ["QS04"] * 5 + [
        "QS01"
    ]


def rows(table: pa.Table, rules: set[str]) -> list[dict[str, Any]]:
    # A file that grows is known by its first record, a whole one by all of it.
    return [row for row in table.drop_columns("dump").to_pylist() if row["rule"] in rules]


def test_records_at_once_and_one_by_one_give_the_findings_of_the_report(tmp_path: Path) -> None:
    systems = [System("SYS1", "QM01", 90400), System("SYS2", "QM02", 100000, 60)]
    path = tmp_path / "dump.dat"
    path.write_bytes(b"".join(Generator(Profile(systems, tasks=3)).intervals(8)))
    report = find_here([str(path)], BOOK)
    stream = FindingStream(BOOK)
    columns = stream.columns()
    left = [rule for rule in RULES if not is_live(rule)]
    assert sorted({rule.name for rule in left}) == ["DQ01", "DQ02", "TQ13"]
    at_once = stream.add(Follower([str(path)], columns, {}).look())
    names = {rule.name for rule in RULES} - {rule.name for rule in left}
    assert rows(at_once, names) == rows(report, names) != []
    # Rules that compare with rows to come may differ; those of single rows cannot.
    data, steady = path.read_bytes(), {name for name in names if name[:2] in ("BP", "LG", "PS", "WQ", "QS")}
    piecemeal = FindingFollower([str(path)], BOOK, whole=True)
    told: list[pa.Table] = []
    for size in range(0, len(data), len(data) // 7):
        path.write_bytes(data[:size])
        told.append(piecemeal.look())
    path.write_bytes(data)
    told.append(piecemeal.look())
    order = [(name, "ascending") for name in ("written_local", "system", "qmgr", "rule", "subject", "offset", "value")]
    steady -= {"LG03", "LG07"}
    assert rows(pa.concat_tables(told).sort_by(order), steady) == rows(report.sort_by(order), steady) != []


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(live, "KEPT", 3)
    monkeypatch.setattr(live, "MOST_OBJECTS", 4)
    stream = FindingStream(BOOK)
    path = tmp_path / "SMF00001.smf"
    for number in range(6):
        path.write_bytes(interval(number, depth=number, qmgr=f"QM{number % 3}"))
        stream.add(rows_of(before({str(path): path.stat().st_size}, 1 << 20), stream.columns()))
        assert len(stream._before) <= 4
        assert all(table.num_rows <= 3 for table in stream._before.values())


def test_what_is_read_again_is_the_newest_of_each_series_of_files(tmp_path: Path) -> None:
    one = interval(0, 1)
    for name in ("SMF115.00001", "SMF115.00002", "SMF116.00001"):
        (tmp_path / f"{name}.smf").write_bytes(one * 40)
    end = ends([str(tmp_path)], {})
    pieces = before(end, len(one) * 50)
    seen = [(Path(piece.dump.path).name, piece.start // len(one), (piece.end or 0) // len(one)) for piece in pieces]
    assert seen == [("SMF115.00001.smf", 30, 40), ("SMF115.00002.smf", 0, 40), ("SMF116.00001.smf", 0, 40)]
    assert before({}, 1000) == []


def test_the_same_finding_is_told_again_after_a_while(tmp_path: Path) -> None:
    path = tmp_path / "SMF00001.smf"
    path.write_bytes(b"".join([interval(number, depth=1, failed=3) for number in range(130)]))
    lines = list(Teller(60).lines(FindingFollower([str(path)], BOOK, whole=True).look()))
    assert lines == [
        "2022/06/29,12:00:01 W QS04 SYS1,QM1 queue ORDERS: 3 (limit 0)",
        "     Puts failed",
        "2022/06/29,12:01:01 W QS04 SYS1,QM1 queue ORDERS: 3 (limit 0), 59 times since 12:00:01",
        "2022/06/29,12:02:01 W QS04 SYS1,QM1 queue ORDERS: 3 (limit 0), 59 times since 12:01:01",
    ]
