"""MQRFH2 and its folders: round trips, and rubbish refused with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.formats import mqrfh2
from kew.formats.binary import BIG, LITTLE, FormatError
from kew.formats.mqrfh2 import MAX_DEPTH, Element, RulesHeader

INTEGERS = st.integers(-(1 << 31), (1 << 31) - 1)
CHARACTERS = st.characters(exclude_categories=["Cs"])
FOLDERS = st.text(CHARACTERS).map(lambda text: text.rstrip(" \0"))
HEADERS = st.builds(
    RulesHeader,
    INTEGERS,
    INTEGERS,
    st.binary(max_size=8).map(lambda value: value.ljust(8)),
    INTEGERS,
    st.sampled_from(mqrfh2.NAME_VALUE_CCSIDS),
    st.lists(FOLDERS, max_size=3),
)
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.:-]{0,8}", fullmatch=True)
LEAVES = st.builds(Element, NAMES, st.text(CHARACTERS), st.dictionaries(NAMES, st.text(CHARACTERS), max_size=2))
ELEMENTS = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        Element,
        NAMES,
        st.just(""),
        st.dictionaries(NAMES, st.text(CHARACTERS), max_size=2),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)


def test_jms_header_bytes() -> None:
    folders = ["<mcd><Msd>jms_text</Msd></mcd>", "<jms><Dst>queue:///Q1</Dst><Dlv>2</Dlv></jms>"]
    data = mqrfh2.encode(RulesHeader(546, 1208, b"MQSTR", 0, 1208, folders), BIG)
    assert data[:12] == b"RFH \0\0\0\2\0\0\0\x7c"
    assert len(data) == 0x7C
    assert data[36:40] == b"\0\0\0\x20"
    assert data[40:72] == b"<mcd><Msd>jms_text</Msd></mcd>  "
    assert mqrfh2.decode(data).folders == folders
    assert mqrfh2.encoded_length(data + b"payload") == len(data)


@given(HEADERS, st.sampled_from([LITTLE, BIG]), st.integers(0, 5))
def test_header_round_trip(header: RulesHeader, order: str, shift: int) -> None:
    data = mqrfh2.encode(header, order)
    assert len(data) % 4 == 0
    assert mqrfh2.decode(bytes(shift) + data + b"payload", shift) == header


@given(ELEMENTS)
def test_folder_round_trip(element: Element) -> None:
    assert mqrfh2.parse_folders(mqrfh2.format_folder(element)) == [element]


@given(st.text(st.sampled_from("<>/='\"& ab;#x1\n")))
def test_no_text_crashes_the_folder_parser(text: str) -> None:
    try:
        elements = mqrfh2.parse_folders(text)
    except FormatError as problem:
        assert 0 <= problem.offset <= len(text)
    else:
        again = "".join(mqrfh2.format_folder(element) for element in elements)
        assert mqrfh2.parse_folders(again) == elements


@given(HEADERS, st.integers(0, 200), st.binary(max_size=6), st.integers(0, 300))
def test_no_bytes_crash_decode(header: RulesHeader, at: int, noise: bytes, length: int) -> None:
    data = bytearray(mqrfh2.encode(header))
    data[at : at + len(noise)] = noise
    try:
        mqrfh2.decode(bytes(data[:length]))
    except FormatError as problem:
        assert problem.expectation


def test_folder_forms_that_mq_writes() -> None:
    text = "<usr><n dt='i4'>5</n><e xsi:nil=\"true\"/><t>a &lt; b &#38; &#x41;</t></usr>  "
    (folder,) = mqrfh2.parse_folders(text)
    assert folder.name == "usr"
    assert [child.name for child in folder.children] == ["n", "e", "t"]
    assert folder.children[0] == Element("n", "5", {"dt": "i4"})
    assert folder.children[1].attributes == {"xsi:nil": "true"}
    assert folder.children[2].text == "a < b & A"


@pytest.mark.parametrize(
    ("text", "offset", "expectation"),
    [
        ("usr", 0, "expected '<'"),
        ("<usr>", 5, "expected the end of element 'usr'"),
        ("<usr></jms>", 5, "expected the end of element 'usr', found that of 'jms'"),
        ("<a>x<b/></a>", 0, "found both"),
        ("<a b></a>", 4, "expected '=' after attribute 'b'"),
        ("<a b=1></a>", 5, "in quotes"),
        ("<a b='1></a>", 5, "in quotes"),
        ("<a b='1' b='2'/>", 11, "expected attribute 'b' once"),
        ("<a b='1'c='2'/>", 8, "expected a blank before an attribute"),
        ("<a>&nbsp;</a>", 3, "expected one of &lt;"),
        ("<a>&#xD800;</a>", 3, "expected one of &lt;"),
        ("<a>& b</a>", 3, "expected one of &lt;"),
        ("<!DOCTYPE a><a/>", 1, "expected the name of an element"),
        ("<a/ >", 2, "expected '>' or '/>'"),
        ("<a></a", 6, "expected '>'"),
    ],
)
def test_folder_refusals_say_where(text: str, offset: int, expectation: str) -> None:
    with pytest.raises(FormatError) as caught:
        mqrfh2.parse_folders(text)
    assert caught.value.offset == offset
    assert expectation in caught.value.expectation


def test_depth_is_limited_both_ways() -> None:
    deep = "<a>" * (MAX_DEPTH + 1)
    with pytest.raises(FormatError, match="at most 64 levels"):
        mqrfh2.parse_folders(deep)
    allowed = "<a>" * MAX_DEPTH + "</a>" * MAX_DEPTH
    (element,) = mqrfh2.parse_folders(allowed)
    assert mqrfh2.format_folder(element) == allowed
    with pytest.raises(FormatError, match="at most 64 levels"):
        mqrfh2.format_folder(Element("top", children=[element]))


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(FormatError, match="cannot be the name"):
        mqrfh2.format_folder(Element("a b"))
    with pytest.raises(FormatError, match="found both"):
        mqrfh2.format_folder(Element("a", "text", {}, [Element("b")]))
    with pytest.raises(FormatError, match="NameValueCCSID is 850"):
        mqrfh2.encode(RulesHeader(name_value_ccsid=850))


def test_lengths_are_checked() -> None:
    data = mqrfh2.encode(RulesHeader(folders=["<a/>"]))
    with pytest.raises(FormatError, match="StrucLength is 44, only 43 bytes remain"):
        mqrfh2.decode(data[:-1])
    with pytest.raises(FormatError, match="multiple of 4, found 35"):
        mqrfh2.decode(data[:8] + b"\x23\0\0\0" + data[12:])
    with pytest.raises(FormatError, match="offset 36: NameValueLength is 3, expected a multiple of 4"):
        mqrfh2.decode(data[:36] + b"\3\0\0\0" + data[40:])
    with pytest.raises(FormatError, match="NameValueData needs 400 bytes, 4 remain"):
        mqrfh2.decode(data[:36] + b"\x90\1\0\0" + data[40:])
    with pytest.raises(FormatError, match="offset 41: expected characters of the set, found byte 255"):
        mqrfh2.decode(data[:40] + b"<\xff/>")
