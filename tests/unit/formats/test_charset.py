"""Character sets: known characters in known places, and conversions that lose nothing silently."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.formats import charset, iconv
from kew.formats.binary import BIG, LITTLE, FormatError

SINGLE = [37, 273, 277, 278, 280, 284, 285, 297, 437, 500, 819, 850, 858, 871, 923, 924, 1047, 1140, 1141, 1148, 1252]
INVARIANT = "ABCXYZabcxyz0189 .,()*+-/:;<=>?%_&'"


@pytest.mark.parametrize("ccsid", SINGLE)
def test_names_of_objects_read_the_same_everywhere(ccsid: int) -> None:
    assert charset.is_known(ccsid)
    assert charset.decode(charset.encode(INVARIANT, ccsid), ccsid) == INVARIANT


@pytest.mark.parametrize(
    "ccsid", [37, 273, 277, 278, 280, 284, 285, 297, 500, 871, 924, 1047, 1140, *range(1141, 1150)]
)
def test_ebcdic_pages_have_256_different_characters(ccsid: int) -> None:
    characters = charset.page(ccsid)
    assert characters is not None
    assert len(set(characters)) == 256
    assert charset.is_ebcdic(ccsid)
    assert charset.encode("MD  ", ccsid) == b"\xd4\xc4\x40\x40"


@pytest.mark.parametrize(
    ("ccsid", "byte", "character"),
    [
        (37, 0xBA, "["),
        (500, 0x4A, "["),
        (1047, 0xAD, "["),
        (1047, 0xBD, "]"),
        (1047, 0x5F, "^"),
        (1047, 0xB0, "¬"),
        (273, 0x63, "["),
        (277, 0x5B, "Å"),
        (278, 0x71, "\\"),
        (285, 0x5B, "£"),
        (297, 0xC0, "é"),
        (871, 0x4A, "Þ"),
        (1140, 0x9F, "€"),
        (1141, 0x9F, "€"),
        (1142, 0x5A, "€"),
        (1148, 0x9F, "€"),
        (924, 0x9F, "€"),
        (924, 0xBE, "Ž"),
        (437, 0x9B, "¢"),
        (819, 0xE4, "ä"),
        (850, 0x84, "ä"),
        (858, 0xD5, "€"),
        (923, 0xA4, "€"),
        (1252, 0x80, "€"),
        (5348, 0x80, "€"),
    ],
)
def test_character_in_its_place(ccsid: int, byte: int, character: str) -> None:
    assert charset.decode(bytes([byte]), ccsid) == character
    assert charset.encode(character, ccsid) == bytes([byte])


@given(st.sampled_from(SINGLE), st.sampled_from(SINGLE), st.binary())
def test_translation_agrees_with_conversion(source: int, target: int, data: bytes) -> None:
    translated = data.translate(charset.translation(source, target))
    assert len(translated) == len(data)
    try:
        assert charset.convert(data, source, target) == translated
    except FormatError:
        substitute = charset.encode("\x1a", target)
        assert substitute in translated


@given(st.binary())
def test_latin_1_and_1047_translate_back_and_forth(data: bytes) -> None:
    there = data.translate(charset.translation(819, 1047))
    assert there.translate(charset.translation(1047, 819)) == data


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from([1200, 1201, 1202, 1208, 13488, 5488]))
def test_unicode_round_trip(text: str, ccsid: int) -> None:
    for order in (LITTLE, BIG):
        assert charset.decode(charset.encode(text, ccsid, order), ccsid, order) == text


def test_utf_16_takes_the_byte_order_of_the_message() -> None:
    assert charset.encode("A", 1200, BIG) == b"\0A"
    assert charset.encode("A", 1200, LITTLE) == b"A\0"
    assert charset.encode("A", 1201, LITTLE) == b"\0A"
    assert charset.encode("A", 1202, BIG) == b"A\0"


@given(st.binary(max_size=30), st.integers(-5, 70000))
def test_no_bytes_and_no_ccsid_crash(data: bytes, ccsid: int) -> None:
    try:
        text = charset.decode(data, ccsid)
    except FormatError as problem:
        assert str(ccsid) in str(problem)
    else:
        assert isinstance(text, str)


def test_refusals_name_the_character_set() -> None:
    with pytest.raises(FormatError, match="CCSID 4711 at offset 0: expected a character set that is known here"):
        charset.decode(b"x", 4711)
    with pytest.raises(FormatError, match="CCSID 4711"):
        charset.encode("x", 4711)
    with pytest.raises(FormatError, match=r"text in CCSID 1208 at offset 1: .* found byte 255"):
        charset.decode(b"a\xff", 1208)
    with pytest.raises(FormatError, match=r"text in CCSID 500 at offset 2: .* found '€'"):
        charset.encode("ab€", 500)
    with pytest.raises(FormatError, match="CCSID 1208 at offset 0: expected a known single-byte"):
        charset.translation(500, 1208)
    assert not charset.is_known(4711)
    assert not charset.is_ebcdic(819)


MIXED = {
    930: ("注文 ORDER 日本語", "0e494445ca0f40d6d9c4c5d9400e4562456648e70f"),
    939: ("注文 order 日本語", "0e494445ca0f40969984859940" + "0e4562456648e70f"),
    933: ("한국어 abc", "0ed0658a82b4e10f40818283"),
    935: ("中文 abc", "0e5bcf57c30f40818283"),
    937: ("中文 abc", "0e4c844cc50f40818283"),
}


@pytest.mark.parametrize("ccsid", MIXED)
def test_mixed_sets_of_mainframes_are_those_of_the_c_library(ccsid: int) -> None:
    text, raw = MIXED[ccsid][0], bytes.fromhex(MIXED[ccsid][1])
    if not iconv.knows(ccsid):  # an image may do without the modules of the library
        assert not charset.is_known(ccsid)
        with pytest.raises(FormatError, match="known here"):
            charset.encode(text, ccsid)
        return
    assert charset.encode(text, ccsid) == raw
    assert charset.decode(raw, ccsid) == text
    assert charset.convert(raw * 20_000, ccsid, charset.UTF_8) == text.encode() * 20_000
    for broken, at in ((b"\xc1\x0e\x42", 2), (b"\xc1\xc1\x0e\xff\xff\x0f", 3)):
        with pytest.raises(FormatError, match=f"at offset {at}: expected characters"):
            charset.decode(broken, ccsid)
    with pytest.raises(FormatError, match="at offset 2: expected characters of the set, found '😀'"):
        charset.encode("ab😀", ccsid)


@pytest.mark.parametrize("ccsid", [-3, 0, 9, 64999, 99_999])
def test_numbers_that_are_no_character_set_are_not_known(ccsid: int) -> None:
    assert not iconv.knows(ccsid)
    assert not charset.is_known(ccsid)


def test_without_the_c_library_the_sets_are_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iconv, "_library", None)
    iconv.knows.cache_clear()
    assert not charset.is_known(930)
    iconv.knows.cache_clear()
