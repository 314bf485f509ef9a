from typing import cast

import pytest

from kew.formats.smf import CODES, RECORDS, STRUCTURES
from kew.formats.smf.layouts.structure import structure

# Sizes at 9.3.0 and at 10.0 that a formatter of these records publishes.
SIZES = {
    "Q5ST": (672, 672),
    "QCCT": (48, 64),
    "QCT_DSP": (36, 36),
    "QCT_ADP": (32, 32),
    "QCT_SSL": (48, 48),
    "QCT_DNS": (48, 48),
    "QCST": (324, 340),
    "QEST": (4104, 4104),
    "QESD": (336, 336),
    "QIST": (80, 80),
    "QIS1": (104, 104),
    "QJST": (596, 720),
    "QLST": (32, 32),
    "QMAC": (48, 48),
    "QMST": (104, 328),
    "QPST": (104, 104),
    "QQST": (84, 672),
    "QSGM": (48, 48),
    "QSPH": (88, 88),
    "QSRS": (232, 232),
    "QWHC": (92, 92),
    "QWHS": (52, 52),
    "WTAS": (2344, 2344),
    "WTID": (208, 208),
}


@pytest.mark.parametrize("name", sorted(SIZES))
def test_sizes_at_two_releases(name: str) -> None:
    assert (STRUCTURES[name].length_at(90300), STRUCTURES[name].length_at(100000)) == SIZES[name]


@pytest.mark.parametrize(
    ("name", "field", "offset"),
    [
        ("QJST", "QJSTLOGW", 84),
        ("QJST", "QJSTIO", 264),
        ("QJST", "QJSTSLPTU", 552),
        ("QMST", "QMSTSPP", 72),
        ("QPST", "QPSTSOS", 68),
        ("QQST", "QQSTDPTH", 80),
        ("QQST", "QQSTRBGT", 544),
        ("WTAS", "WTASLMAX", 2088),
        ("WTAS", "WTASCMN", 488),
        ("WQ", "MAXQDPTH", 588),
        ("WQ", "MQCFREQ", 736),
        ("WQ", "STREAMEDN", 2792),
        ("QCST", "QCSTRPID", 324),
        ("QWHS", "QWHSDURN", 44),
    ],
)
def test_offsets(name: str, field: str, offset: int) -> None:
    assert STRUCTURES[name].field[field].offset == offset


def test_a_length_at_a_release_is_that_of_the_last_change_before_it() -> None:
    queue = STRUCTURES["QQST"]
    assert [queue.length_at(release) for release in (90200, 90300, 90301, 90302, 90303, 90402, 90403, 100000)] == [
        0,
        84,
        120,
        120,
        552,
        552,
        672,
        672,
    ]


def test_every_release_cuts_a_structure_between_two_fields() -> None:
    within = {
        (made.name, length)
        for made in STRUCTURES.values()
        for _, length in made.lengths
        if length not in {field.end for field in made.fields}
    }
    assert within == {("QWAC", 96)}  # as it is in records of MQ 10


def test_every_structure_of_a_record_has_a_mark_or_is_known_not_to() -> None:
    without = {used.name for layout in RECORDS.values() for used in layout.structures.values() if not used.has_length}
    assert without == {"QWAC", "QCT_DSP", "QCT_ADP", "QCT_SSL", "QCT_DNS"}


def test_coded_fields_have_a_code_list() -> None:
    lists = {field.codes for made in STRUCTURES.values() for field in made.fields if field.codes}
    assert lists
    assert lists <= set(CODES)


def test_fields_say_what_they_mean_in_a_unit() -> None:
    counted = [
        (made.name, field.name)
        for made in STRUCTURES.values()
        for field in made.fields
        if field.kind == "delta" and not field.unit and field.inner is None
    ]
    assert counted == []
    assert all(field.text for made in STRUCTURES.values() for field in made.fields)


def test_marks_are_what_real_blocks_carry() -> None:
    queue = STRUCTURES["WQ"]
    assert cast(int, queue.field["WQID"].mark) == 0xF702
    assert queue.field["WQEYE"].mark == "WQST"
    assert queue.field["WQLL"].mark == "length"


def test_a_table_with_a_hole_is_refused() -> None:
    with pytest.raises(ValueError, match=r"T\.B is at 8, the field before it ends at 4"):
        structure("T", "a test", 12, "0 4 u32 id - A one\n8 4 u32 id - B two")


def test_a_table_that_ends_early_is_refused() -> None:
    with pytest.raises(ValueError, match="T ends at 4, its size is 8"):
        structure("T", "a test", 8, "0 4 u32 id - A one")
