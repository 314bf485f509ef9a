import bz2
import gzip
import lzma
import os
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.smf import split

from kew.analytics.smf import files
from kew.analytics.smf.files import NoDumps, Piece, examine, find_dumps, read_batches, whole
from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.plan import cut, next_start, plan
from kew.analytics.smf.read import decode_dumps, load, summarise
from kew.formats.smf import Framing

FRAMINGS = list(Framing)


def make(framing: Framing = Framing.RDW, intervals: int = 8, segment: int = 32760) -> bytes:
    systems = [System("SYS1", "QM01", 90300), System("SYS2", "QM02", 100000, 60, "QSG1")]
    return b"".join(Generator(Profile(systems, tasks=10)).intervals(intervals, framing, segment))


@pytest.fixture(scope="module")
def dumps(tmp_path_factory: pytest.TempPathFactory) -> dict[Framing, str]:
    folder = tmp_path_factory.mktemp("dumps")
    paths = {}
    for framing in FRAMINGS:
        path = folder / f"{framing.value}.dat"
        path.write_bytes(make(framing, segment=5000))
        paths[framing] = str(path)
    return paths


def offsets(pieces: list[Piece], chunk: int) -> list[int]:
    found: list[int] = []
    for piece in pieces:
        for batch in read_batches(piece, chunk):
            assert batch.damage == []
            found += batch.offsets
    return found


@pytest.mark.parametrize("framing", FRAMINGS)
def test_framings_are_recognised(framing: Framing, dumps: dict[Framing, str]) -> None:
    dump = examine(dumps[framing])
    assert (dump.framing, dump.compression) == (framing, "")
    assert dump.size == os.path.getsize(dumps[framing])


@pytest.mark.parametrize("framing", FRAMINGS)
@settings(max_examples=15, deadline=None)
@given(share=st.integers(10_000, 1_000_000), chunk=st.sampled_from([50_000, 1 << 20]))
def test_the_pieces_of_a_dump_are_all_of_it_once(
    framing: Framing, share: int, chunk: int, dumps: dict[Framing, str]
) -> None:
    dump = examine(dumps[framing])
    expected = split(Path(dump.path).read_bytes(), framing).offsets
    pieces = cut(dump, share)
    assert offsets(pieces, chunk) == expected
    if share < 100_000:
        assert len(pieces) > 2


@settings(max_examples=40, deadline=None)
@given(wish=st.integers(1, 900_000))
def test_a_cut_is_the_next_record(wish: int, dumps: dict[Framing, str]) -> None:
    for framing in (Framing.RDW, Framing.NORDW):
        dump = examine(dumps[framing])
        starts = split(Path(dump.path).read_bytes(), framing).offsets
        later = [offset for offset in starts if offset >= wish]
        assert next_start(dump, wish) == (later[0] if later else None)


COMPRESSIONS = ["gzip", "bz2", "xz", "zstd", "lz4"]


def packed(raw: bytes, name: str) -> bytes:
    if name == "gzip":
        return gzip.compress(raw)
    if name == "bz2":
        return bz2.compress(raw, 1)
    if name == "xz":
        return lzma.compress(raw)
    sink = pa.BufferOutputStream()
    stream = pa.CompressedOutputStream(sink, name)
    stream.write(raw)
    stream.close()
    return bytes(sink.getvalue())


def test_the_files_of_a_zip_archive_are_read_in_their_order(tmp_path: Path) -> None:
    raw = make(intervals=2)
    middle = split(raw).offsets[20]
    path = tmp_path / "dump.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("smf")
        archive.writestr("smf/first", raw[:middle])
        archive.writestr("smf/second", raw[middle:])
    dump = examine(str(path))
    assert dump.compression == "zip"
    assert offsets([whole(dump)], 30_000) == split(raw).offsets


def test_a_zip_archive_without_its_directory_is_told(tmp_path: Path) -> None:
    path = tmp_path / "dump.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("first", make(intervals=1))
    path.write_bytes(path.read_bytes()[:-10])
    summary = summarise([str(path)])
    assert summary.remarks.lost
    assert "the compressed data cannot be read on: File is not a zip file" in summary.quarantine[-1][3]


@pytest.mark.parametrize("name", COMPRESSIONS)
def test_compressed_dumps_are_read(name: str, tmp_path: Path) -> None:
    raw = make(intervals=2)
    path = tmp_path / "dump"
    path.write_bytes(packed(raw, name))
    dump = examine(str(path))
    assert dump.compression == name
    assert [(piece.start, piece.end) for piece in cut(dump, 100)] == [(0, None)]
    assert offsets([whole(dump)], 30_000) == split(raw).offsets


def unpackable(name: str, broken: bytes) -> int:
    """How many bytes of a cut-off file a decompressor gives that is fed byte by byte, where there is one."""
    if name == "gzip":
        return len(zlib.decompressobj(31).decompress(broken))
    if name == "bz2":
        return len(bz2.BZ2Decompressor().decompress(broken))
    if name == "xz":
        return len(lzma.LZMADecompressor().decompress(broken))
    stream = pa.CompressedInputStream(pa.BufferReader(broken), name)
    count = 0
    with suppress(OSError):
        while stream.read(1):
            count += 1
    return count


@pytest.mark.parametrize("chunk", [20_000, files.CHUNK])
@pytest.mark.parametrize("name", COMPRESSIONS)
def test_broken_compression_costs_only_what_is_behind_it(name: str, chunk: int, tmp_path: Path) -> None:
    raw = make(intervals=8)
    whole_file = packed(raw, name)
    path = tmp_path / "dump.gz"
    path.write_bytes(whole_file[: len(whole_file) * 3 // 4])
    there = unpackable(name, path.read_bytes())
    batches = list(read_batches(whole(examine(str(path))), chunk))
    found = [offset for batch in batches for offset in batch.offsets]
    expected = split(raw[:there]).offsets
    assert len(expected) > 10
    assert found == expected
    end = batches[-1].damage[-1]
    assert "the compressed data cannot be read on" in end.reason
    assert end.offset == there


def test_files_are_found_by_name_folder_and_pattern(tmp_path: Path) -> None:
    for name in ("b.dat", "a.dat", "sub/c.dat", ".hidden", "_SUCCESS", "sub/.part/x"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    names = [str(tmp_path / name) for name in ("a.dat", "b.dat", "sub/c.dat")]
    assert find_dumps([str(tmp_path)]) == names
    assert find_dumps([str(tmp_path / "*.dat")]) == names[:2]
    assert find_dumps([str(tmp_path / "**/*.dat")]) == names
    assert find_dumps([names[1], str(tmp_path)]) == [names[1], names[0], names[2]]
    assert find_dumps([f"file://{tmp_path}"]) == [f"file://{name}" for name in names]


def test_remote_dumps_are_read_through_their_file_system(tmp_path: Path) -> None:
    raw = make(intervals=1)
    (tmp_path / "dump.dat").write_bytes(raw)
    assert load([f"file://{tmp_path}/dump.dat"], "records", ["offset"])["offset"].to_pylist() == split(raw).offsets


def test_nothing_found_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(NoDumps, match=r"nowhere: there is no such file"):
        find_dumps([str(tmp_path / "nowhere")])
    with pytest.raises(NoDumps, match="no file in it"):
        find_dumps([str(tmp_path)])


def test_small_dumps_share_a_task_and_big_ones_are_cut(tmp_path: Path) -> None:
    raw = make(intervals=2)
    for number in range(6):
        (tmp_path / f"{number}.dat").write_bytes(raw)
    shares = plan([str(tmp_path)], share=3 * len(raw))
    assert [len(pieces) for pieces in shares] == [3, 3]
    shares = plan([str(tmp_path)], share=len(raw) // 2)
    assert len(shares) >= 12
    assert [at for pieces in shares for at in offsets(pieces, 1 << 20)] == split(raw).offsets * 6


def test_rubbish_is_quarantined_and_not_fatal(tmp_path: Path) -> None:
    (tmp_path / "a.dat").write_bytes(b"This is not a dump at all. " * 1000)
    (tmp_path / "b.dat").write_bytes(b"")
    (tmp_path / "c.dat").write_bytes(make(intervals=1))
    summary = summarise([str(tmp_path)])
    assert summary.damaged == 1
    assert summary.quarantine[0][1:3] == (0, 27000)
    assert summary.records[115, 216] == 2


def test_the_summary_counts_records_and_gaps(tmp_path: Path) -> None:
    system = System("SYS1", "QM01", 90300)
    generator = Generator(Profile([system], tasks=3))
    first = b"".join(generator.intervals(2))
    system.sequences.of_kind[115, 1] += 2  # records that never came
    system.sequences.of_kind[116, 1] += 3
    later = Generator(Profile([system], generator.profile.start + 2 * generator.profile.interval, tasks=3))
    second = b"".join(later.intervals(2))
    generator.totals.add(later.totals)
    (tmp_path / "a.dat").write_bytes(first)
    (tmp_path / "b.dat").write_bytes(second)
    summary = summarise([str(tmp_path)])
    assert summary.gaps() == {("SYS1", "QM01"): 5}
    assert summary.records[2, None] == 2
    assert {key: count for key, count in summary.records.items() if key[1] is not None} == generator.totals.records
    assert (summary.damaged, summary.damaged_bytes) == (0, 0)


def test_chunks_name_their_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(make(intervals=1))
    paths = [path for path, _ in decode_dumps([str(tmp_path)], ["records"])]
    assert [os.path.basename(path) for path in paths] == ["a", "b"]


def test_what_is_no_place_of_dumps_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NoDumps, match="neither a file nor a directory"):
        find_dumps([str(tmp_path / "pipe")])
    with pytest.raises(NoDumps, match="no file in it"):  # opening it would wait for ever
        find_dumps([str(tmp_path)])
    for number in range(4):
        (tmp_path / f"{number}.dat").write_bytes(b"")
    monkeypatch.setattr(files, "MOST_FILES", 3)
    with pytest.raises(NoDumps, match="more than 3 files below"):
        find_dumps([str(tmp_path)])
