from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.tersed import Pack, Spack, codes_to_bytes, header, symbols

from kew.analytics.smf.files import examine, read_batches, whole
from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.read import summarise
from kew.analytics.smf.terse import TerseStream, is_tersed, joined, packed
from kew.formats.smf import Framing

METHODS: dict[int, type[Pack] | type[Spack]] = {2: Pack, 5: Spack}


def tersed(version: int, records: list[bytes], variable: bool = True) -> bytes:
    return header(version, variable, 32760) + codes_to_bytes(METHODS[version]().compress(symbols(records, variable)))


def dump_records(intervals: int = 1) -> list[bytes]:
    dump = b"".join(Generator(Profile([System("SYS1", "QM01", 90300)], tasks=2)).intervals(intervals, Framing.RDW))
    records: list[bytes] = []
    while dump:
        length = int.from_bytes(dump[:2], "big")
        records.append(dump[4:length])
        dump = dump[length:]
    return records


def described(records: list[bytes]) -> bytes:
    return b"".join((len(record) + 4).to_bytes(2, "big") + bytes(2) + record for record in records)


def unpacked(path: Path, size: int = 1 << 20) -> bytes:
    stream = TerseStream(path.open("rb"))
    found = b""
    while data := stream.read(size):
        found += data
    stream.close()
    return found


@pytest.mark.parametrize("version", METHODS)
@settings(max_examples=40, deadline=None)
@given(
    records=st.lists(st.binary(min_size=1, max_size=80) | st.sampled_from([b"@@@@", b"AAAAAAAAAAAA"]), max_size=30),
    size=st.sampled_from([1, 7, 4096]),
    variable=st.booleans(),
)
def test_records_come_back(
    version: int, records: list[bytes], size: int, variable: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("terse") / "tersed"
    path.write_bytes(tersed(version, records, variable))
    assert unpacked(path, size) == (described(records) if variable else b"".join(records))


@pytest.mark.parametrize("version", METHODS)
def test_more_strings_than_places_give_up_the_oldest(version: int, tmp_path: Path) -> None:
    random = Random(7)
    words = [random.randbytes(random.randrange(1, 6)) for _ in range(300)]
    records = [random.randbytes(4) + b"".join(random.choices(words, k=12)) for _ in range(450)]
    path = tmp_path / "tersed"
    path.write_bytes(tersed(version, records))
    assert unpacked(path) == described(records)
    assert len(path.read_bytes()) > 3 * 4096 // 2  # more codes than there are places


@pytest.mark.parametrize("version", METHODS)
def test_a_tersed_dump_is_read_like_any(version: int, tmp_path: Path) -> None:
    records = dump_records()[:6]
    path = tmp_path / "dump.trs"
    path.write_bytes(tersed(version, records))
    assert (examine(str(path)).compression, examine(str(path)).framing) == ("terse", Framing.RDW)
    assert sum(summarise([str(path)]).records.values()) == len(records)
    assert not summarise([str(path)]).remarks.lost


@pytest.mark.parametrize("version", METHODS)
def test_a_cut_off_file_gives_what_precedes_the_cut(version: int, tmp_path: Path) -> None:
    records = dump_records()[:6]
    data = tersed(version, records)
    used = data.rstrip(b"\x00")
    path = tmp_path / "dump.trs"
    path.write_bytes(used[: len(used) * 2 // 3])
    found, damage = 0, []
    for batch in read_batches(whole(examine(str(path)))):
        found += len(batch.starts)
        damage += [one.reason for one in batch.damage]
    assert 0 < found < len(records)
    assert any("the tersed data has no end: the file is cut off" in reason for reason in damage)


@pytest.mark.parametrize("unpack", [packed, joined])
@settings(max_examples=60, deadline=None)
@given(codes=st.lists(st.integers(1, 4095) | st.integers(1, 300), max_size=400))
def test_no_codes_hang_or_break_the_reader(unpack: object, codes: list[int]) -> None:
    assert callable(unpack)
    try:
        size = sum(len(text) for text in unpack(codes))
    except EOFError as problem:
        assert str(problem) == "the tersed data names a string that is not there"
    else:
        assert size >= len(codes)


@pytest.mark.parametrize("framing", list(Framing))
def test_a_dump_is_not_taken_for_a_tersed_one(framing: Framing) -> None:
    for segment in (513, 516, 1280, 1281, 1284, 32760):
        dump = b"".join(Generator(Profile([System("SYS1", "QM01", 90300)], tasks=2)).intervals(1, framing, segment))
        assert not is_tersed(dump[:12])
        at = 0
        while framing is Framing.RDW and at < len(dump):
            assert not is_tersed(dump[at : at + 12])
            at += int.from_bytes(dump[at : at + 2], "big")
