"""PCF: every structure in both byte orders, and bounds that no count or length gets past."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew.codes import attributes, commands, reasons
from kew.formats import pcf
from kew.formats.binary import BIG, LITTLE, FormatError
from kew.formats.pcf import (
    ByteString,
    ByteStringFilter,
    Group,
    Header,
    Integer,
    Integer64,
    Integer64List,
    IntegerFilter,
    IntegerList,
    Parameter,
    PCFError,
    PCFMessage,
    String,
    StringFilter,
    StringList,
)

I32 = st.integers(-(1 << 31), (1 << 31) - 1)
I64 = st.integers(-(1 << 63), (1 << 63) - 1)
BYTES = st.binary(max_size=20)


def padded(values: list[bytes]) -> list[bytes]:
    width = max([1, *map(len, values)])
    return [value.ljust(width) for value in values]


LEAVES: st.SearchStrategy[Parameter] = st.one_of(
    st.builds(Integer, I32, I32),
    st.builds(Integer64, I32, I64),
    st.builds(String, I32, BYTES, I32),
    st.builds(ByteString, I32, BYTES),
    st.builds(IntegerList, I32, st.lists(I32, max_size=5)),
    st.builds(Integer64List, I32, st.lists(I64, max_size=5)),
    st.builds(StringList, I32, st.lists(BYTES, max_size=4).map(padded), I32),
    st.builds(IntegerFilter, I32, I32, I32),
    st.builds(StringFilter, I32, I32, BYTES, I32),
    st.builds(ByteStringFilter, I32, I32, BYTES),
)
PARAMETERS = st.recursive(LEAVES, lambda inner: st.builds(Group, I32, st.lists(inner, max_size=4)), max_leaves=10)
MESSAGES = st.builds(PCFMessage, st.builds(Header, I32, I32, I32, I32, I32, I32, I32), st.lists(PARAMETERS, max_size=6))


def test_inquire_queue_command_bytes() -> None:
    message = PCFMessage(
        Header(command=commands.MQCMD_INQUIRE_Q),
        [
            String(attributes.MQCA_Q_NAME, b"DEV.*", 819),
            IntegerList(attributes.MQIACF_Q_ATTRS, [attributes.MQIACF_ALL]),
        ],
    )
    data = pcf.encode(message, BIG)
    words = [int.from_bytes(data[at : at + 4], "big") for at in range(0, len(data), 4)]
    assert words[:9] == [1, 36, 3, 13, 1, 1, 0, 0, 2]
    assert words[9:14] == [4, 28, 2016, 819, 5]
    assert data[56:64] == b"DEV.*\0\0\0"
    assert words[16:] == [5, 20, 1002, 1, 1009]
    assert pcf.decode(data) == message


@given(MESSAGES, st.sampled_from([LITTLE, BIG]))
def test_round_trip(message: PCFMessage, order: str) -> None:
    data = pcf.encode(message, order)
    assert len(data) % 4 == 0
    assert pcf.message_order(data) == order
    assert pcf.decode(data) == message


@given(MESSAGES, st.integers(0, 9), st.binary(max_size=9))
def test_message_inside_other_data(message: PCFMessage, shift: int, tail: bytes) -> None:
    data = pcf.encode(message)
    assert pcf.read_message(bytes(shift) + data + tail, shift) == (message, shift + len(data))


@given(MESSAGES, st.data())
def test_no_input_crashes_decode(message: PCFMessage, draw: st.DataObject) -> None:
    good = pcf.encode(message)
    bad = bytearray(good)
    at = draw.draw(st.integers(0, len(good)))
    noise = draw.draw(st.binary(max_size=8))
    bad[at : at + len(noise)] = noise
    length = draw.draw(st.integers(0, len(bad)))
    for candidate in (bytes(bad), bytes(bad[:length]), noise):
        try:
            pcf.decode(candidate)
        except FormatError as problem:
            assert isinstance(problem, PCFError)
            assert reasons.reason_name(problem.reason).startswith("MQRCCF_")
            assert 0 <= problem.offset <= len(candidate)


def test_every_truncation_is_refused() -> None:
    message = PCFMessage(
        Header(),
        [Integer(1, 2), Group(3, [String(4, b"abcde"), Integer64List(5, [6])]), StringList(7, [b"a", b"b"])],
    )
    data = pcf.encode(message)
    for length in range(len(data)):
        with pytest.raises(PCFError):
            pcf.decode(data[:length])


def words(*values: int) -> bytes:
    return b"".join(value.to_bytes(4, "little", signed=True) for value in values)


def body(*values: int, count: int = 1) -> bytes:
    return words(1, 36, 3, 13, 1, 1, 0, 0, count) + words(*values)


@pytest.mark.parametrize(
    ("data", "reason", "expectation"),
    [
        (bytes(36), reasons.MQRCCF_CFH_LENGTH_ERROR, "StrucLength to be 36"),
        (bytes(35), reasons.MQRCCF_CFH_LENGTH_ERROR, "header of 36 bytes, 35 remain"),
        (body(count=-1), reasons.MQRCCF_CFH_PARM_COUNT_ERROR, "ParameterCount is -1"),
        (body(3, 16, 1, 1, count=1 << 30), reasons.MQRCCF_PARM_COUNT_TOO_BIG, "hold fewer"),
        (body(4, 20, 1, 0, 0, 0, 0, 0, count=2), reasons.MQRCCF_PARM_COUNT_TOO_SMALL, "another parameter"),
        (body(3, 16, 1, 1, 0), reasons.MQRCCF_MSG_LENGTH_ERROR, "4 bytes remain"),
        (body(99, 16, 1, 1), reasons.MQRCCF_STRUCTURE_TYPE_ERROR, "found structure type 99"),
        (body(3, 20, 1, 1, 1), reasons.MQRCCF_CFIN_LENGTH_ERROR, "is 20, expected 16"),
        (body(4, 22, 1, 1, 1, 1), reasons.MQRCCF_CFST_LENGTH_ERROR, "multiple of 4"),
        (body(4, 2000, 1, 0, 4, 1), reasons.MQRCCF_CFST_LENGTH_ERROR, "only 24 bytes remain"),
        (body(4, 24, 1, 0, 5, 1), reasons.MQRCCF_CFST_STRING_LENGTH_ERR, "length is 5, 4 bytes are there"),
        (body(9, 20, 1, -1, 1), reasons.MQRCCF_CFBS_STRING_LENGTH_ERR, "length is -1"),
        (body(5, 20, 1, 1 << 30, 1), reasons.MQRCCF_CFIL_COUNT_ERROR, "Count is 1073741824"),
        (body(25, 20, 1, 1, 1), reasons.MQRCCF_CFIL_COUNT_ERROR, "the list has 4 bytes"),
        (body(6, 28, 1, 0, 2, 3, 1), reasons.MQRCCF_CFSL_COUNT_ERROR, "2 strings of 3 bytes"),
        (body(6, 24, 1, 0, 1 << 30, 0), reasons.MQRCCF_CFSL_STRING_LENGTH_ERR, "StringLength is 0"),
        (body(14, 28, 1, 2, 0, 9, 1), reasons.MQRCCF_CFSF_FILTER_VAL_LEN_ERR, "length is 9"),
        (body(15, 24, 1, 2, 9, 1), reasons.MQRCCF_CFBF_FILTER_VAL_LEN_ERR, "length is 9"),
        (body(20, 16, 1, 5), reasons.MQRCCF_PARM_COUNT_TOO_BIG, "ParameterCount is 5"),
        (body(20, 16, 1, -5), reasons.MQRCCF_CFGR_PARM_COUNT_ERROR, "ParameterCount is -5"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refusals_carry_the_reason_for_the_sender(data: bytes, reason: int, expectation: str) -> None:
    with pytest.raises(PCFError) as caught:
        pcf.decode(data)
    assert caught.value.reason == reason
    assert expectation in caught.value.expectation


def test_groups_nest_only_so_deep() -> None:
    deep: Parameter = Integer(1, 1)
    for _ in range(pcf.MAX_DEPTH - 1):
        deep = Group(2, [deep])
    data = pcf.encode(PCFMessage(Header(), [deep]))
    assert pcf.decode(data).parameters == [deep]
    with pytest.raises(PCFError, match="at most 32 deep"):
        pcf.encode(PCFMessage(Header(), [Group(2, [deep])]))
    nested = body(*(20, 16, 1, 1) * 40, 3, 16, 1, 1)
    with pytest.raises(PCFError, match="at most 32 deep"):
        pcf.decode(nested)


def test_text_in_its_character_set() -> None:
    assert String(1, "GRÖSSE  ".encode("cp500"), 500).text() == "GRÖSSE"
    assert String(1, b"Q1\0\0", 0).text() == "Q1"
    assert StringList(1, [b"A  ", b"BCD"], 819).texts() == ["A", "BCD"]
    assert StringFilter(1, 1, b"\xe4*", 0).text(819) == "ä*"


def test_find() -> None:
    parameters: list[Parameter] = [Integer(1, 5), Integer(2, 6), Integer(2, 7)]
    assert pcf.find(parameters, 2) == Integer(2, 6)
    assert pcf.find(parameters, 3) is None


def test_values_that_do_not_fit() -> None:
    with pytest.raises(FormatError, match="32-bit"):
        pcf.encode(PCFMessage(Header(), [Integer(1, 1 << 31)]))
