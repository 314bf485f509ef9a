import pytest

from kew.formats.smf import DamagedRecord, Stamp, build_record, build_records, encode_structure, parse_record
from kew.formats.smf.layouts.resources import QPST, QQST

START = 1_656_504_000_000_000


def pools(release: int = 90300) -> bytes:
    stamp = Stamp("MVAA", "VTS1", release, START, START + 1_000_000)
    return build_records(115, 215, stamp, {"QPST": [{"QPSTPOOL": 1}, {"QPSTPOOL": 2}]})[0]


def patch(record: bytes, offset: int, data: bytes) -> bytes:
    return record[:offset] + data + record[offset + len(data) :]


@pytest.mark.parametrize(
    ("offset", "data", "problem"),
    [
        (4, b"\x1e", "say that there is no subtype"),
        (5, b"\x1e", "record type 30 is not 115 or 116"),
        (6, b"\x7f", "is past midnight"),
        (10, b"\x01\x22\x99\x9f", "names day 999 of 2022"),
        (24, b"\x40\x40\x40", "is not three digits"),
        (28, b"\x00\x00\xff\xff", "product section of 52 bytes at 65535 is not in the record"),
        (28, b"\x7f", "is not in the record"),
        (32, b"\x00\x04", "product section of 4 bytes"),
        (34, b"\x00\x00", "product section of 52 bytes"),
        (36, b"\x00\x00\x00\x04", "2 sections of 104 bytes at 4 are not in the record"),
        (40, b"\x00\x00", "2 sections of 0 bytes"),
        (42, b"\xff\xff", "65535 sections of 104 bytes"),
        (44 + 208, b"\x00\x35", "says that it is 53 bytes long, triplet 0 says 52"),
        (44 + 208 + 6, b"\xff", "255 triplets do not fit before the product section"),
        (44 + 208 + 6, b"\x00", "0 triplets do not fit"),
    ],
)
def test_what_cannot_be_true_is_named(offset: int, data: bytes, problem: str) -> None:
    with pytest.raises(DamagedRecord, match=problem):
        parse_record(patch(pools(), offset, data))


def test_a_record_without_room_for_a_triplet_is_refused() -> None:
    with pytest.raises(DamagedRecord, match="35 bytes are too few"):
        parse_record(pools()[:35])


def test_unknown_subtypes_keep_their_header() -> None:
    record = parse_record(patch(pools(), 22, b"\x00\xfa"))
    assert (record.subtype, record.qmgr, record.release) == (250, "VTS1", 90300)
    assert [section.structure for section in record.sections] == [None, None]
    assert record.sections[0].name == "triplet1"
    broken = patch(patch(pools(), 22, b"\x00\xfa"), 28, b"\x7f")
    assert parse_record(broken).sections == []


def test_a_block_shorter_than_its_triplet_has_only_its_own_fields() -> None:
    raw = encode_structure(QQST, {"QQSTQNAM": "A", "QQSTLL": 84})
    stamp = Stamp("MVAA", "VTS1", 100000, START, START + 1)
    section = parse_record(build_record(115, 216, stamp, {1: [raw]})).sections[0]
    assert (len(section.data), section.length) == (672, 84)
    assert "QQSTDPTH" in section.values()
    assert "QQSTOPCT" not in section.values()


def test_a_triplet_longer_than_the_known_block_is_read() -> None:
    raw = encode_structure(QPST, {"QPSTPOOL": 9}, 120)
    stamp = Stamp("MVAA", "VTS1", 100000, START, START + 1)
    section = parse_record(build_record(115, 215, stamp, {1: [raw, raw]})).sections[1]
    assert section.values()["QPSTPOOL"] == 9
    assert section.values()["QPSTLL"] == 120


def test_an_older_release_lacks_fields_rather_than_having_zeros() -> None:
    stamp = Stamp("MVAA", "VTS1", 80000, START, START + 1)
    values = parse_record(build_records(115, 2, stamp, {"QMST": [{"QMSTPUT": 3}]})[0]).sections[0].values()
    assert values["QMSTPUT"] == 3
    assert "QMSTSPP" not in values
