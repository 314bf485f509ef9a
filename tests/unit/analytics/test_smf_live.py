"""Files that grow are read record by record, each once, however they were cut in between."""

from pathlib import Path

import pytest

pytest.importorskip("pyspark")

from pyspark.sql.streaming.datasource import ReadAllAvailable

from kew.analytics.smf.growing import Offset, whole_end
from kew.analytics.smf.live import SmfStream
from kew.analytics.smf.source import Settings
from kew.formats.smf import DumpWriter, Stamp, build_records
from kew.formats.smf.layout import Values


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


def test_compressed_files_are_refused(tmp_path: Path) -> None:
    import gzip

    (tmp_path / "SMF00001.smf.gz").write_bytes(gzip.compress(records(0, 1)))
    stream = SmfStream(Settings({"table": "QQST", "path": str(tmp_path)}))
    with pytest.raises(ValueError, match="only plain files"):
        stream.latestOffset({}, ReadAllAvailable())
