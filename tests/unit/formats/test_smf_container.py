from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.smf import chunks, frame, records, split

from kew.formats.smf import Framing, Splitter, Stamp, build_records, detect, dump_marker, find_start
from kew.formats.smf.encoding import decode_date
from kew.formats.smf.layouts.structure import Value

DAY = decode_date(bytes.fromhex("0122180f"))
FRAMINGS = list(Framing)


def some_records(count: int, size: int = 3) -> list[bytes]:
    """Records of several kinds between a dump header and trailer."""
    made = [dump_marker(2, "MVAA", DAY, 100)]
    stamp = Stamp("MVAA", "VTS1", 90303, 1_656_504_000_000_000, 1_656_504_060_000_000)
    for number in range(count):
        queues: list[dict[str, Value]] = [{"QQSTQNAM": f"Q{number}.{index}"} for index in range(size)]
        made += build_records(115, 216, stamp, {"QQST": queues})
        made += build_records(115, 7, stamp, {"QSRS": [{"QSRSAVAL": number}]})
        made += build_records(116, 1, stamp, {"WTID": [{}], "WTAS": [{"WTASCMN": number}], "WQ": [{}]})
    return [*made, dump_marker(3, "MVAA", DAY, 200)]


def bodies(made: list[bytes]) -> list[bytes]:
    return [record[4:] for record in made]


@pytest.mark.parametrize("framing", FRAMINGS)
@pytest.mark.parametrize("segment", [64, 1000, 32760])
def test_what_was_framed_is_split_again(framing: Framing, segment: int) -> None:
    made = some_records(4)
    dump = frame(made, framing, segment, 4096 if segment <= 1000 else 32760)
    batch = split(dump, framing)
    assert records(batch) == bodies(made)
    assert batch.damage == []
    assert detect(dump) is framing


@pytest.mark.parametrize("framing", FRAMINGS)
@settings(max_examples=25, deadline=None)
@given(sizes=st.lists(st.integers(1, 5000), min_size=1, max_size=5), segment=st.sampled_from([100, 700, 32760]))
def test_chunks_of_any_size_give_the_same_records(framing: Framing, sizes: list[int], segment: int) -> None:
    made = some_records(2)
    dump = frame(made, framing, segment)
    whole = split(dump, framing)
    splitter = Splitter(framing)
    found: list[bytes] = []
    offsets: list[int] = []
    for chunk in [*chunks(dump, sizes), b""]:
        batch = splitter.feed(chunk, not chunk)
        found += records(batch)
        offsets += batch.offsets
        assert batch.damage == []
    assert found == bodies(made)
    assert offsets == whole.offsets


def test_offsets_are_those_of_the_file() -> None:
    made = some_records(2)
    dump = frame(made, Framing.RDW, 700)
    batch = split(dump)
    for index, offset in enumerate(batch.offsets):
        assert dump[offset + 4 : offset + 18] == made[index][4:18]
    bare = frame(made, Framing.NORDW)
    for index, offset in enumerate(split(bare, Framing.NORDW).offsets):
        assert bare[offset : offset + 14] == made[index][4:18]


def test_segments_are_counted() -> None:
    made = some_records(1)
    batch = split(frame(made, Framing.RDW, 1000))
    assert batch.segments[0] == 1
    assert max(batch.segments) >= 3


def test_an_extended_block_descriptor_is_read() -> None:
    made = some_records(2)
    inner = frame(made, Framing.RDW)
    dump = (0x80000000 | len(inner) + 4).to_bytes(4, "big") + inner
    assert detect(dump) is Framing.BDW
    assert records(split(dump, Framing.BDW)) == bodies(made)


@pytest.mark.parametrize("framing", FRAMINGS)
def test_a_cut_off_tail_is_reported_and_the_rest_kept(framing: Framing) -> None:
    made = some_records(3)
    dump = frame(made, framing)
    for lost in (1, 17, 500, 2000):
        batch = split(dump[:-lost], framing)
        (damage,) = batch.damage
        assert damage.offset + damage.length == len(dump) - lost
        assert "ends within the record" in damage.reason
        kept = records(batch)
        assert kept == bodies(made)[: len(kept)]
        assert len(kept) >= len(made) - 3


def test_a_spanned_record_without_its_end_is_reported() -> None:
    made = some_records(2)
    segments: list[bytes] = []
    dump = frame(made, Framing.RDW, 700)
    at = 0
    while at < len(dump):
        length = int.from_bytes(dump[at : at + 2], "big")
        segments.append(dump[at : at + length])
        at += length
    last = [index for index, segment in enumerate(segments) if segment[2] == 2]
    del segments[last[0]]
    batch = split(b"".join(segments))
    (damage,) = batch.damage
    assert damage.reason == "the record ends without its last segment"
    assert len(batch.starts) == len(made) - 1


def test_a_segment_without_a_first_one_is_reported() -> None:
    made = some_records(1)
    whole = frame(made, Framing.RDW)
    stray = b"\x00\x40\x02\x00" + bytes(60)
    batch = split(stray + whole)
    assert [(damage.offset, damage.length) for damage in batch.damage] == [(0, 64)]
    assert records(batch) == bodies(made)


@pytest.mark.parametrize("framing", FRAMINGS)
@pytest.mark.parametrize("rubbish", [b"\x00" * 300, b"\xff" * 300, bytes(range(256)) * 3])
def test_rubbish_between_records_is_skipped(framing: Framing, rubbish: bytes) -> None:
    front, back = some_records(3), some_records(3)
    first, second = frame(front, framing), frame(back, framing)
    batch = split(first + rubbish + second, framing)
    assert records(batch) == bodies(front) + bodies(back)
    assert sum(damage.length for damage in batch.damage) == len(rubbish)
    assert batch.damage[0].offset == len(first)


@pytest.mark.parametrize("framing", [Framing.RDW, Framing.NORDW])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_one_broken_header_costs_one_record(framing: Framing, data: st.DataObject) -> None:
    made = some_records(4)
    dump = bytearray(frame(made, framing))
    offsets = split(bytes(dump), framing).offsets
    victim = data.draw(st.integers(0, len(made) - 1))
    stamp = offsets[victim] + (4 if framing is Framing.RDW else 0)
    dump[stamp + 6 : stamp + 10] = b"\xff\xff\xff\xff"  # the date
    chunk = data.draw(st.sampled_from([999, 5000, 1 << 20]))
    batch = split(bytes(dump), framing, chunk)
    assert records(batch) == [body for index, body in enumerate(bodies(made)) if index != victim]
    (damage,) = batch.damage
    assert damage.offset == offsets[victim]


@settings(max_examples=60, deadline=None)
@given(start=st.integers(0, 20000), segment=st.sampled_from([300, 32760]))
def test_a_start_found_anywhere_is_a_true_one(start: int, segment: int) -> None:
    made = some_records(6)
    dump = frame(made, Framing.RDW, segment)
    offsets = split(dump).offsets
    found = find_start(dump, Framing.RDW, start, True)
    later = [offset for offset in offsets if offset >= start]
    assert found == (later[0] if later else None)


@pytest.mark.parametrize("framing", FRAMINGS)
@settings(max_examples=40, deadline=None)
@given(cuts=st.lists(st.integers(1, 40000), max_size=4), chunk=st.sampled_from([777, 10000, 1 << 20]))
def test_ranges_share_a_file_without_gap_or_overlap(framing: Framing, cuts: list[int], chunk: int) -> None:
    made = some_records(6)
    dump = frame(made, framing, 900, 2048)
    view = bytes(4) + dump if framing is Framing.NORDW else dump
    starts = {0}
    for cut in cuts:
        found = find_start(view, framing, cut, True)
        if found is not None:
            starts.add(found)
    bounds = [*sorted(starts), len(dump)]
    found_records: list[bytes] = []
    for begin, end in pairwise(bounds):
        splitter = Splitter(framing, begin, end)
        at = begin
        while not splitter.done:
            batch = splitter.feed(dump[at : at + chunk], at + chunk >= len(dump))
            found_records += records(batch)
            assert batch.damage == []
            at += chunk
    assert found_records == bodies(made)


def test_records_of_other_types_come_through() -> None:
    other = b"\x00\x40\x00\x00\x1e\x1e" + bytes.fromhex("000012340122180f") + "SYS1".encode("cp037") + bytes(46)
    made = some_records(1)
    dump = other + frame(made, Framing.RDW) + other
    assert records(split(dump)) == [other[4:], *bodies(made), other[4:]]


def test_an_endless_spanned_record_is_given_up() -> None:
    first = b"\xff\xf0\x01\x00\x5e\x73" + bytes.fromhex("000012340122180f")
    first += bytes(0xFFF0 - len(first))
    middle = b"\xff\xf0\x03\x00" + bytes(0xFFEC)
    batch = split(first + middle * 20)
    assert batch.starts == []
    assert batch.damage[0].reason == "the record is longer than 1048576 bytes"


def test_counters_that_look_like_a_header_do_not_start_a_record() -> None:
    made = some_records(1)
    # The body of a cut off record holds what could be a descriptor, a time and a date, but no system.
    decoy = b"\x00\x40\x00\x00\x00\x32" + bytes.fromhex("00000c050122019f") + bytes(200)
    cut = made[1][:60] + decoy
    dump = frame(made[:1]) + (5000).to_bytes(2, "big") + b"\x00\x00" + cut[4:]
    batch = split(dump)
    assert len(batch.starts) == 1
    (damage,) = batch.damage
    assert damage.offset == 18


def test_an_empty_file_has_no_records() -> None:
    assert detect(b"") is Framing.RDW
    batch = split(b"")
    assert (batch.starts, batch.damage) == ([], [])


def test_a_file_of_rubbish_is_one_damage() -> None:
    batch = split(b"\x01" * 100_000, chunk=4096)
    assert batch.starts == []
    assert [(damage.offset, damage.length) for damage in batch.damage] == [(0, 100_000)]
