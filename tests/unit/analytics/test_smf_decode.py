"""The vector decoder gives what the plain reader gives, for every table."""

from random import Random
from typing import Any, cast

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fuzz.smf import damage, make_dump
from tests.support.smf import frame, sample, split, structure_values
from tests.support.smftables import expected_rows, utc

from kew.analytics.smf.decode import Decoded, Decoder
from kew.analytics.smf.generate import Generator, Profile, System
from kew.analytics.smf.tables import TABLES
from kew.formats.smf import (
    RECORDS,
    DamagedRecord,
    Framing,
    Splitter,
    Stamp,
    build_record,
    build_records,
    encode_structure,
    parse_record,
)
from kew.formats.smf.layouts.resources import QPST, QQST
from kew.formats.smf.layouts.structure import Value

NAMES = [name for name in TABLES if TABLES[name].structure is not None]
DECODER = Decoder(list(TABLES))
START = 1_656_504_000_000_000


def decode(dump: bytes, framing: Framing = Framing.RDW, decoder: Decoder = DECODER) -> Decoded:
    return decoder.decode(Splitter(framing).feed(dump, True), "dump")


def rows(decoded: Decoded, name: str) -> list[dict[str, Any]]:
    return cast(list[dict[str, Any]], utc(decoded.tables[name].to_pylist()))


def good_records(dump: bytes, framing: Framing) -> list[tuple[int, bytes]]:
    batch = split(dump, framing)
    found = []
    for index, offset in enumerate(batch.offsets):
        raw = batch.record(index)
        try:
            parse_record(raw)
        except DamagedRecord:
            continue
        found.append((offset, raw))
    return found


def check(dump: bytes, framing: Framing = Framing.RDW) -> Decoded:
    decoded = decode(dump, framing)
    good = good_records(dump, framing)
    for name in NAMES:
        decoded.tables[name].validate(full=True)
        assert rows(decoded, name) == expected_rows(name, "dump", good), name
    return decoded


@pytest.mark.parametrize("name", ["TEST115.dat", "TEST116.dat", "TESTCHL.dat"])
def test_real_dumps_decode_as_the_plain_reader_reads_them(name: str) -> None:
    decoded = check(sample(name))
    assert decoded.damage == []


@pytest.mark.parametrize("framing", list(Framing))
@pytest.mark.parametrize("release", [80000, 90300, 90305, 100000])
def test_generated_dumps_decode_as_the_plain_reader_reads_them(framing: Framing, release: int) -> None:
    generator = Generator(Profile([System("SYS1", "QM01", release, -330, "QSG1")], tasks=2, variety=2))
    decoded = check(b"".join(generator.intervals(2, framing, segment=3000)), framing)
    assert decoded.damage == []


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_any_values_decode_as_the_plain_reader_reads_them(data: st.DataObject) -> None:
    made: list[bytes] = []
    for _ in range(data.draw(st.integers(1, 3))):
        kind, subtype = data.draw(st.sampled_from(sorted(RECORDS)))
        release = data.draw(st.sampled_from([80000, 90301, 90403, 100000]))
        values: dict[str, list[dict[str, Value]]] = {}
        for structure in RECORDS[kind, subtype].structures.values():
            length = structure.length_at(release)
            if length and structure.name != "QEST":
                values[structure.name] = data.draw(st.lists(structure_values(structure, length), max_size=2))
        stamp = Stamp("SYS1", "QM1", release, START, START + data.draw(st.integers(0, 10**10)), 60)
        made += build_records(kind, subtype, stamp, values)
    check(frame(made))


@pytest.mark.parametrize("seed", range(60))
def test_damaged_dumps_decode_as_the_plain_reader_reads_them(seed: int) -> None:
    random = Random(seed)
    framing = random.choice(list(Framing))
    dump = damage(random, make_dump(random, framing))
    decoded = check(dump, framing)
    refused = []
    batch = split(dump, framing)
    for index, offset in enumerate(batch.offsets):
        try:
            parse_record(batch.record(index))
        except DamagedRecord as damaged:
            refused.append((offset, str(damaged)))
    found = [(one.offset, one.reason) for one in decoded.damage]
    assert sorted(found) == sorted(refused + [(one.offset, one.reason) for one in batch.damage])
    assert [(row["offset"], row["reason"]) for row in rows(decoded, "quarantine")] == found
    assert decoded.tables["records"].num_rows == len(batch.starts) - len(refused)


def queue_record(release: int, stated: int | None = None) -> bytes:
    values: dict[str, Value] = {"QQSTQNAM": "Q1", "QQSTDPTH": 5}
    if stated is not None:
        values["QQSTLL"] = stated
    raw = encode_structure(QQST, values, QQST.length_at(release))
    return build_record(115, 216, Stamp("SYS1", "QM1", release, START, START + 1_000_000), {1: [raw]})


def test_a_field_that_a_release_lacks_is_null() -> None:
    dump = frame([queue_record(90300), queue_record(90301), queue_record(90403), queue_record(100000, 84)])
    found = rows(decode(dump), "QQST")
    assert [row["QQSTDPTH"] for row in found] == [5, 5, 5, 5]
    assert [row["QQSTOPCT"] for row in found] == [None, 0, 0, None]
    assert [row["QQSTPUTS"] for row in found] == [None, None, 0, None]


def test_none_is_null_and_not_a_number() -> None:
    (row,) = rows(decode(frame([queue_record(90300)])), "QQST")
    assert row["QQSTPSID"] is None
    stamp = Stamp("SYS1", "QM1", 90300, START, START + 1)
    tasks = build_records(116, 1, stamp, {"WTID": [{}], "WTAS": [{}], "WQ": [{}]})
    (queue,) = rows(decode(frame(tasks)), "WQ")
    assert queue["GETMINMS"] is None
    assert queue["CLOSTIME"] is None


def test_unsigned_numbers_keep_their_top_bit() -> None:
    stamp = Stamp("SYS1", "QM1", 90303, START, START + 1)
    big = 2**64 - 1
    (record,) = build_records(115, 216, stamp, {"QQST": [{"QQSTPUTB": big, "QQSTDPHI": 2**32 - 1}]})
    (row,) = rows(decode(frame([record])), "QQST")
    assert (int(row["QQSTPUTB"]), row["QQSTDPHI"]) == (big, 2**32 - 1)


@pytest.mark.parametrize("offset", [-720, -330, 0, 60, 345, 840])
@pytest.mark.parametrize(("kind", "subtype", "name"), [(115, 215, "QPST"), (115, 231, "QCCT"), (116, 10, "QCST")])
def test_times_are_right_in_every_zone_and_by_every_cutter(offset: int, kind: int, subtype: int, name: str) -> None:
    stamp = Stamp("SYS1", "QM1", 90300, START, START + 15_000_000, offset)
    (row,) = rows(decode(frame(build_records(kind, subtype, stamp, {name: [{}]}))), name)
    assert row["duration_us"] == 15_000_000
    assert row["interval_start"].isoformat() == "2022-06-29T12:00:00+00:00"
    assert row["recorded"].isoformat() == "2022-06-29T12:00:15+00:00"
    assert row["utc_offset"] == offset
    local = (row["interval_start_local"] - row["interval_start"].replace(tzinfo=None)).total_seconds()
    assert local == offset * 60
    assert (row["written_local"] - row["interval_start_local"]).total_seconds() == 15


def test_only_the_wanted_columns_are_decoded() -> None:
    decoder = Decoder(["WQ", "QJST"], {"WQ": ["OBJNAME", "PUTN"], "QJST": ["qmgr", "QJSTCMPREQ", "QJSTIO"]})
    generator = Generator(Profile([System("SYS1", "QM01", 90300)], tasks=1))
    decoded = decode(b"".join(generator.intervals(1)), decoder=decoder)
    assert decoded.tables["WQ"].schema.names == ["OBJNAME", "PUTN"]
    assert decoded.tables["QJST"].schema.names == ["qmgr", "QJSTCMPREQ", "QJSTIO"]
    assert decoded.tables["WQ"].num_rows == 3


def test_unknown_tables_and_columns_are_named() -> None:
    with pytest.raises(ValueError, match="there is no table QXST; tables are records, quarantine, remarks, Q5ST"):
        Decoder(["QXST"])
    with pytest.raises(ValueError, match="table WQ has no column NOSUCH"):
        Decoder(["WQ"], {"WQ": ["NOSUCH"]})


def test_records_of_every_type_are_listed() -> None:
    other = b"\x00\x40\x00\x00\x1e\x1e" + bytes.fromhex("000012340122180f") + "SYS9".encode("cp037") + bytes(46)
    stamp = Stamp("SYS1", "QM1", 90300, START, START + 1)
    strange = bytearray(build_records(115, 215, stamp, {"QPST": [{}, {}]})[0])
    strange[22:24] = b"\x01\xff"
    found = rows(decode(other + frame([bytes(strange), queue_record(90300)])), "records")
    assert [(row["smf_type"], row["subtype"], row["system"], row["qmgr"]) for row in found] == [
        (30, None, "SYS9", None),
        (115, 511, "SYS1", "QM1"),
        (115, 216, "SYS1", "QM1"),
    ]
    assert [row["sections"] for row in found] == [None, 2, 1]
    assert [row["offset"] for row in found] == [0, 64, 64 + len(strange)]


def test_the_checksum_does_not_depend_on_the_framing() -> None:
    generator = Generator(Profile([System("SYS1", "QM01", 90300)], tasks=1))
    made = [generator.intervals(1, framing, segment) for framing in Framing for segment in (500, 32760)]
    sums: list[list[int]] = []
    for dump in made:
        raw = b"".join(dump)
        framing = [Framing.RDW, Framing.RDW, Framing.NORDW, Framing.NORDW, Framing.BDW, Framing.BDW][len(sums)]
        # Running numbers go on from dump to dump, so compare records that have none.
        table = pa.Table.from_batches([decode(raw, framing).tables["records"]])
        plain = table.filter(pa.compute.equal(table["subtype"], 231))
        sums.append(plain["checksum"].to_pylist())
    assert sums[0]
    assert all(one == sums[0] for one in sums)


def test_a_longer_triplet_than_the_known_structure_is_a_stride() -> None:
    made = [encode_structure(QPST, {"QPSTPOOL": number}, 120) for number in range(3)]
    record = build_record(115, 215, Stamp("SYS1", "QM1", 100000, START, START + 1), {1: made})
    assert [row["QPSTPOOL"] for row in rows(decode(frame([record])), "QPST")] == [0, 1, 2]
