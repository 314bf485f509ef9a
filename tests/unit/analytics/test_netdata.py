from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.tersed import Pack, codes_to_bytes, header, symbols
from tests.support.transmitted import transmitted

from kew.analytics.smf.files import examine, read_batches, whole
from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.netdata import NetdataStream
from kew.analytics.smf.read import summarise
from kew.formats.smf import Framing

VBS = 0x5800
FB = 0x9000


def dump_records() -> list[bytes]:
    dump = b"".join(Generator(Profile([System("SYS1", "QM01", 90300)], tasks=2)).intervals(1, Framing.RDW))
    records: list[bytes] = []
    while dump:
        length = int.from_bytes(dump[:2], "big")
        records.append(dump[:length])
        dump = dump[length:]
    return records


def content(path: Path, size: int = 1 << 20) -> bytes:
    stream = NetdataStream(path.open("rb"))
    found = b""
    while data := stream.read(size):
        found += data
    stream.close()
    return found


@settings(max_examples=40, deadline=None)
@given(
    records=st.lists(st.binary(min_size=1, max_size=700), max_size=12),
    size=st.sampled_from([1, 100, 1 << 20]),
    variable=st.booleans(),
)
def test_records_come_back(
    records: list[bytes], size: int, variable: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("xmit") / "file"
    path.write_bytes(transmitted(records, VBS if variable else FB))
    described = [(len(record) + 4).to_bytes(2, "big") + bytes(2) + record for record in records]
    assert content(path, size) == b"".join(described if variable else records)


@pytest.mark.parametrize("with_descriptors", [True, False])
def test_a_transmitted_dump_is_read_like_any(with_descriptors: bool, tmp_path: Path) -> None:
    records = dump_records()
    path = tmp_path / "dump.xmi"
    path.write_bytes(transmitted([one if with_descriptors else one[4:] for one in records], VBS))
    assert (examine(str(path)).compression, examine(str(path)).framing) == ("xmit", Framing.RDW)
    found = summarise([str(path)])
    assert sum(found.records.values()) == len(records)
    assert not found.remarks.lost


def test_a_tersed_data_set_that_was_transmitted_is_unpacked_too(tmp_path: Path) -> None:
    records = dump_records()[:5]
    tersed = header(2, True, 32760) + codes_to_bytes(Pack().compress(symbols([one[4:] for one in records], True)))
    pieces = [tersed[at : at + 1024] for at in range(0, len(tersed), 1024)]
    path = tmp_path / "dump.xmi"
    path.write_bytes(transmitted(pieces, FB))
    found = summarise([str(path)])
    assert (sum(found.records.values()), found.remarks.lost) == (len(records), False)


def test_a_cut_off_file_gives_what_precedes_the_cut(tmp_path: Path) -> None:
    data = transmitted([one[4:] for one in dump_records()], VBS)
    path = tmp_path / "dump.xmi"
    path.write_bytes(data[: len(data) // 2])
    batches = list(read_batches(whole(examine(str(path)))))
    assert sum(len(batch.starts) for batch in batches) > 3
    assert any("no end: it is cut off" in one.reason for batch in batches for one in batch.damage)


def test_a_library_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "library.xmi"
    path.write_bytes(transmitted([b"X" * 100], FB, "IEBCOPY"))
    (batch,) = read_batches(whole(examine(str(path))))
    assert "the file was unloaded by IEBCOPY: it is not a sequential data set" in batch.damage[0].reason


@settings(max_examples=60, deadline=None)
@given(tail=st.binary(max_size=600))
def test_nothing_behind_the_first_record_breaks_the_reader(
    tail: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("xmit") / "file"
    path.write_bytes(b"\x08\xe0" + "INMR01".encode("cp037") + tail)
    for batch in read_batches(whole(examine(str(path)))):
        assert batch.starts is not None
