"""Files that grow are read record by record, each once, however they were cut in between."""

import gzip
from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from pyspark.sql.streaming.datasource import ReadAllAvailable

from kew.analytics.smf.growing import Follower, Offset, whole_end
from kew.analytics.smf.live import SmfStream
from kew.analytics.smf.sparkreader import Settings
from kew.formats.smf import DumpWriter, Stamp, build_records
from kew.formats.smf.layouts.structure import Values


def records(first: int, count: int, queues: int = 1) -> bytes:
    stamp = Stamp("TEST", "QM1", 90300, 1_700_000_000_000_000, 1_700_000_060_000_000)
    writer = DumpWriter(segment=4096)
    made: list[bytes] = []
    for number in range(first, first + count):
        rows: list[Values] = [{"QQSTQNAM": f"Q{number}", "QQSTDPTH": number} for _ in range(queues)]
        made += [writer.add(record) for record in build_records(115, 216, stamp, {"QQST": rows})]
    return b"".join(made)


def depths(stream: SmfStream, start: Offset, end: Offset) -> list[int]:
    return [
        depth
        for part in stream.partitions(start, end)
        for batch in stream.read(part)
        for depth in batch.column("QQSTDPTH").to_pylist()
    ]


@pytest.mark.parametrize("queues", [1, 100])  # 100 make a record of several segments
def test_every_cut_of_a_file_gives_whole_records(tmp_path: Path, queues: int) -> None:
    data = records(0, 3, queues)
    path = tmp_path / "SMF00001.smf"
    ends = set()
    for size in range(0, len(data) + 1, 37 if queues > 1 else 1):
        path.write_bytes(data[:size])
        ends.add(whole_end(str(path), 0))
    path.write_bytes(data)
    ends.add(whole_end(str(path), 0))
    assert ends == {len(data) * part // 3 for part in range(4)}


def test_what_has_come_since_is_the_next_batch(tmp_path: Path) -> None:
    stream = SmfStream(Settings({"table": "QQST", "path": str(tmp_path)}))
    zero = stream.initialOffset()
    assert stream.latestOffset(zero, ReadAllAvailable()) == {}
    path = tmp_path / "SMF00001.smf"
    whole, part = records(0, 4), records(4, 2)
    path.write_bytes(whole + part[:50])
    first = stream.latestOffset(zero, ReadAllAvailable())
    assert depths(stream, zero, first) == [0, 1, 2, 3]
    assert stream.latestOffset(first, ReadAllAvailable()) == first
    path.write_bytes(whole + part)
    (tmp_path / "SMF00002.smf").write_bytes(records(6, 1))
    second = stream.latestOffset(first, ReadAllAvailable())
    assert depths(stream, first, second) == [4, 5, 6]
    assert depths(stream, first, second) == [4, 5, 6]
    path.unlink()
    assert depths(stream, first, second) == [6]


def test_available_now_ends_where_the_files_end(tmp_path: Path) -> None:
    stream = SmfStream(Settings({"table": "QQST", "path": str(tmp_path)}))
    path = tmp_path / "SMF00001.smf"
    path.write_bytes(records(0, 2))
    stream.prepareForTriggerAvailableNow()
    path.write_bytes(records(0, 5))
    end = stream.latestOffset({}, ReadAllAvailable())
    assert depths(stream, {}, end) == [0, 1]
    assert stream.latestOffset(end, ReadAllAvailable()) == end


def refused(stream: SmfStream, start: Offset, end: Offset) -> list[tuple[str, int, int, str]]:
    return [
        (Path(row["file"]).name, row["offset"], row["length"], row["reason"])
        for part in stream.partitions(start, end)
        for batch in stream.read(part)
        for row in batch.to_pylist()
    ]


def test_files_that_cannot_be_read_are_set_aside_and_told_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    packed = gzip.compress(records(0, 1))
    (tmp_path / "a.smf.gz").write_bytes(packed)
    (tmp_path / "b.smf").write_bytes(b"this is no dump, and does not become one\n" * 9)
    (tmp_path / "c.smf").write_bytes(records(0, 2))
    stream = SmfStream(Settings({"table": "QQST", "path": str(tmp_path)}))
    first = stream.latestOffset({}, ReadAllAvailable())
    assert depths(stream, {}, first) == [0, 1]
    assert "a.smf.gz is set aside from 0 on: only plain files" in caplog.text
    assert "b.smf is set aside from 0 on" in caplog.text
    caplog.clear()
    (tmp_path / "c.smf").write_bytes(records(0, 3))
    second = stream.latestOffset(first, ReadAllAvailable())
    assert depths(stream, first, second) == [2]
    assert caplog.text == ""
    damage = SmfStream(Settings({"table": "quarantine", "path": str(tmp_path)}))
    places = refused(damage, {}, first)
    assert [place[:3] for place in places] == [("a.smf.gz", 0, len(packed)), ("b.smf", 0, 369)]
    assert refused(damage, first, second) == []


def test_a_damaged_file_is_read_up_to_the_damage_and_on_once_it_is_put_right(tmp_path: Path) -> None:
    path = tmp_path / "SMF00001.smf"
    good = records(0, 2)
    path.write_bytes(good + bytes(100))
    stream = SmfStream(Settings({"table": "QQST", "path": str(tmp_path)}))
    first = stream.latestOffset({}, ReadAllAvailable())
    assert depths(stream, {}, first) == [0, 1]
    damage = SmfStream(Settings({"table": "quarantine", "path": str(tmp_path)}))
    assert refused(damage, {}, first) == [(path.name, len(good), 100, "what follows is not a record")]
    assert stream.latestOffset(first, ReadAllAvailable()) == first
    path.write_bytes(good + records(2, 1))
    second = stream.latestOffset(first, ReadAllAvailable())
    assert depths(stream, first, second) == [2]
    assert refused(damage, first, second) == []


def test_a_watch_goes_on_beside_a_bad_file(tmp_path: Path) -> None:
    (tmp_path / "a.smf.gz").write_bytes(gzip.compress(records(0, 1)))
    (tmp_path / "b.smf").write_bytes(records(0, 1))
    follower = Follower([str(tmp_path)], {"QQST": None}, {})
    assert sum(rows.num_rows for _, rows in follower.look()) == 1
    assert [Path(one.path).name for one in follower.aside] == ["a.smf.gz"]
    assert list(follower.look()) == []
    assert follower.aside == []
