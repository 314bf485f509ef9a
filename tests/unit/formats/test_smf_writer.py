from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.smf import frame, records, split, structure_values

from kew.formats.smf import (
    RECORDS,
    STRUCTURES,
    Framing,
    Record,
    Sequences,
    Stamp,
    build_record,
    build_records,
    dump_marker,
    encode_structure,
    parse_record,
)
from kew.formats.smf.encoding import decode_date
from kew.formats.smf.layouts.structure import Value
from kew.formats.smf.record import decode_structure

MINUTE = 60_000_000
NOON = 1_656_504_000_000_000  # 2022-06-29 12:00 UTC
RELEASES = [80000, 90000, 90102, 90300, 90301, 90303, 90305, 90403, 90405, 100000]


def stamp(release: int = 90300, offset: int = 0) -> Stamp:
    return Stamp("MVAA", "VTS1", release, NOON, NOON + MINUTE, offset, "PERF")


@pytest.mark.parametrize("name", sorted(STRUCTURES))
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_every_structure_round_trips_at_every_length(name: str, data: st.DataObject) -> None:
    made = STRUCTURES[name]
    length = data.draw(st.sampled_from(sorted({size for _, size in made.lengths} | {made.size, made.size + 7})))
    values = data.draw(structure_values(made, length))
    raw = encode_structure(made, values, length)
    assert len(raw) == length
    decoded = decode_structure(made, raw, length)
    for field in made.fields:
        if field.name in values:
            assert decoded[field.name] == values[field.name]
        elif field.mark is not None:
            assert decoded[field.name] == (length if field.mark == "length" else field.mark)
    again = decode_structure(made, raw, length, reserved=True)
    assert encode_structure(made, again, length) == raw


@pytest.mark.parametrize("name", sorted(STRUCTURES))
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_any_bytes_of_a_structure_are_kept(name: str, data: st.DataObject) -> None:
    made = STRUCTURES[name]
    length = data.draw(st.integers(0, made.size + 9))
    raw = data.draw(st.binary(min_size=length, max_size=length))
    assert encode_structure(made, decode_structure(made, raw, length, reserved=True), length) == raw


@pytest.mark.parametrize("key", sorted(RECORDS))
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_every_record_round_trips_at_every_release(key: tuple[int, int], data: st.DataObject) -> None:
    kind, subtype = key
    release = data.draw(st.sampled_from(RELEASES))
    layout = RECORDS[key]
    given_values: dict[str, list[dict[str, Value]]] = {}
    for made in layout.structures.values():
        length = made.length_at(release)
        if length:
            most = 1 if made.size > 1000 else 3
            given_values[made.name] = data.draw(st.lists(structure_values(made, length), max_size=most))
    cut = stamp(release, data.draw(st.sampled_from([-300, 0, 60, 345])))
    built = build_records(kind, subtype, cut, given_values)
    found: dict[str, list[dict[str, Value]]] = {name: [] for name in given_values}
    for raw in built:
        record = parse_record(raw)
        assert (record.smf_type, record.subtype, record.system, record.qmgr) == (kind, subtype, "MVAA", "VTS1")
        assert record.release == release
        if record.form == "long":
            assert record.duration == MINUTE
        for section in record.sections:
            values = section.values()
            found[section.name].append({name: values[name] for name in given_values[section.name][0]})
    assert found == given_values


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_writing_what_was_read_gives_the_same_bytes(data: st.DataObject) -> None:
    kind, subtype = data.draw(st.sampled_from(sorted(RECORDS)))
    release = data.draw(st.sampled_from(RELEASES))
    layout = RECORDS[kind, subtype]
    values: dict[str, list[dict[str, Value]]] = {}
    for made in layout.structures.values():
        length = made.length_at(release)
        if length:
            values[made.name] = data.draw(st.lists(structure_values(made, length), max_size=2))
    first = build_records(kind, subtype, stamp(release), values)
    framing = data.draw(st.sampled_from(list(Framing)))
    segment = data.draw(st.sampled_from([32, 200, 4000, 32760]))
    dump = frame(first, framing, segment)
    read = [parse_record(bytes(4) + body) for body in records(split(dump, framing))]
    second = [rewrite(record) for record in read]
    assert [raw[4:] for raw in second] == [raw[4:] for raw in first]
    assert frame(second, framing, segment) == dump


def rewrite(record: Record) -> bytes:
    """Build a record again from what the reader made of it."""
    product = record.product
    start = NOON
    cut = Stamp(record.system, record.qmgr, record.release, start, start + MINUTE, 0, "PERF", Sequences())
    sections: dict[int, list[bytes]] = {}
    for section in record.sections:
        assert section.structure is not None
        raw = encode_structure(section.structure, section.values(reserved=True), len(section.data))
        sections.setdefault(section.triplet, []).append(raw)
    if product.get("QWHSWSEQ"):
        cut.sequences.written = cast(int, product["QWHSWSEQ"]) - 1
        cut.sequences.of_kind[record.smf_type, record.subtype] = cast(int, product["QWHSISEQ"]) - 1
    more = bool(cast(int, product.get("QWHSFLAG1", 0)) & 0x80)
    return build_record(record.smf_type, record.subtype, cut, sections, more)


def test_341_queues_of_84_bytes_fit_a_record() -> None:
    queues: list[dict[str, Value]] = [{"QQSTQNAM": f"LQ{number:04d}", "QQSTDPTH": number} for number in range(342)]
    built = [parse_record(raw) for raw in build_records(115, 216, stamp(90300), {"QQST": queues})]
    assert [len(record.sections) for record in built] == [341, 1]
    assert [cast(int, record.product["QWHSFLAG1"]) & 0x80 for record in built] == [0x80, 0]
    assert [record.product["QWHSWSEQ"] for record in built] == [1, 2]
    assert built[0].sections[340].values()["QQSTQNAM"] == "LQ0340"
    assert len(built[0].sections[0].data) == 84


@pytest.mark.parametrize(("release", "fit"), [(90301, 238), (90303, 51), (90403, 42)])
def test_fewer_queues_fit_at_later_releases(release: int, fit: int) -> None:
    queues: list[dict[str, Value]] = [{"QQSTQNAM": "Q"}] * 400
    built = [parse_record(raw) for raw in build_records(115, 216, stamp(release), {"QQST": queues})]
    assert len(built[0].sections) == fit
    assert sum(len(record.sections) for record in built) == 400


def test_the_queues_of_a_task_go_on_in_subtype_2() -> None:
    queues: list[dict[str, Value]] = [{"OBJNAME": f"Q{number}"} for number in range(25)]
    built = [
        parse_record(raw)
        for raw in build_records(
            116, 1, stamp(90303), {"WTID": [{"WTIDCCN": "JOB1"}], "WTAS": [{"WTASWQCT": 25}], "WQ": queues}
        )
    ]
    assert [record.subtype for record in built] == [1, 2, 2]
    names = [section.values()["OBJNAME"] for record in built for section in record.sections if section.name == "WQ"]
    assert names == [f"Q{number}" for number in range(25)]
    assert all(record.sections[0].values()["WTIDCCN"] == "JOB1" for record in built)
    assert built[0].sections[1].values()["WTASVER"] == 8
    assert built[0].sections[2].values()["WQVER"] == 9


def test_a_task_without_queues_has_three_triplets() -> None:
    (raw,) = build_records(116, 1, stamp(), {"WTID": [{}], "WTAS": [{}]})
    assert len(parse_record(raw).triplets) == 3


def test_the_channel_initiator_of_mq_8_does_not_count_its_last_triplet() -> None:
    tasks: dict[str, list[dict[str, Value]]] = {"QCCT": [{}], "QCT_DNS": [{"QCTREQN": 7}]}
    (old,) = build_records(115, 231, stamp(80000), tasks)
    (new,) = build_records(115, 231, stamp(90300), tasks)
    assert parse_record(old).product["QWHSNSDA"] == 5
    assert parse_record(new).product["QWHSNSDA"] == 6
    assert parse_record(old).sections[-1].values()["QCTREQN"] == 7


def test_the_duration_of_the_channel_initiator_is_in_tod_units() -> None:
    (chinit,) = build_records(115, 231, stamp(), {"QCCT": [{}]})
    (manager,) = build_records(115, 215, stamp(), {"QPST": [{}]})
    assert parse_record(chinit).product["QWHSDURN"] == MINUTE * 4096
    assert parse_record(manager).product["QWHSDURN"] == MINUTE
    assert parse_record(chinit).duration == parse_record(manager).duration == MINUTE


def test_the_header_is_byte_correct() -> None:
    (raw,) = build_records(115, 216, stamp(90300, 120), {"QQST": [{"QQSTQNAM": "LQ1001", "QQSTDPTH": 4}]})
    assert raw[:4] == len(raw).to_bytes(2, "big") + b"\x00\x00"
    assert raw[4:6] == b"\x5e\x73"
    assert int.from_bytes(raw[6:10], "big") == (14 * 60 + 1) * 6000  # 14:01 local
    assert decode_date(raw[10:14]).isoformat() == "2022-06-29"
    assert raw[14:28] == "MVAAVTS1".encode("cp037") + b"\x00\xd8" + "930".encode("cp037") + b"\x00"
    assert raw[28:36] == (44 + 84).to_bytes(4, "big") + b"\x00\x34\x00\x01"
    assert raw[36:44] == (44).to_bytes(4, "big") + b"\x00\x54\x00\x01"
    assert raw[44:52] == b"\xd8\x0f\x00\x54" + "QQST".encode("cp037")
    assert len(raw) == 44 + 84 + 52


def test_the_product_section_grows_with_mq_10() -> None:
    (raw,) = build_records(115, 215, stamp(100000), {"QPST": [{}]})
    record = parse_record(raw)
    assert record.triplets[0][1] == 68
    assert record.product["QWHXQSG"] == "PERF"
    (tiny,) = build_records(115, 7, stamp(100000), {"QSRS": [{}]})
    assert parse_record(tiny).triplets[0][1] == 20
    assert parse_record(tiny).release == 100000


def test_the_bytes_of_a_dump_marker() -> None:
    day = decode_date(bytes.fromhex("0122180f"))
    assert dump_marker(2, "MVAA", day, 0x1234) == bytes.fromhex("001200001e02000012340122180f") + "MVAA".encode("cp037")
    with pytest.raises(ValueError, match="type 5 does not begin or end a dump"):
        dump_marker(5, "MVAA", day, 0)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"QPSTPOOL": 2**31}, "QPSTPOOL takes -2147483648 to 2147483647, not 2147483648"),
        ({"NOSUCH": 1}, "QPST has no field NOSUCH"),
        ({"QPSTEYEC": "LONGER"}, "longer than the 4 characters"),
        ({"FILL1": bytes(29)}, "FILL1 holds 28 bytes, not 29"),
    ],
)
def test_values_that_do_not_fit_are_refused(values: dict[str, Value], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        encode_structure(STRUCTURES["QPST"], values)


def test_arrays_must_have_their_size() -> None:
    with pytest.raises(ValueError, match=r"QTST\.QTSTSHIG takes 3 numbers"):
        encode_structure(STRUCTURES["QTST"], {"QTSTSHIG": [1, 2]})
    with pytest.raises(ValueError, match=r"QJSTIO holds 4 entries, not 5"):
        encode_structure(STRUCTURES["QJST"], {"QJSTIO": [{}] * 5})


def test_a_structure_of_another_record_is_refused() -> None:
    with pytest.raises(ValueError, match="115-215 has no structure QMST"):
        build_records(115, 215, stamp(), {"QMST": [{}]})


def test_releases_before_8_are_not_written() -> None:
    with pytest.raises(ValueError, match="the oldest is 80000"):
        Stamp("S", "Q", 70100, 0, 1)


def test_none_is_written_as_the_records_write_it() -> None:
    values = decode_structure(STRUCTURES["WQ"], encode_structure(STRUCTURES["WQ"], {}), 2800)
    assert values["GETMINMS"] == 0x0FFFFFFF
    assert decode_structure(STRUCTURES["QCST"], encode_structure(STRUCTURES["QCST"], {}), 340)["QCSTNTMN"] == 0x8FFFFFFF
