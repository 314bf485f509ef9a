"""Message properties: handles, and the header in which they travel."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew import ibmmq, pymqi
from kew.codes.errors import MQError
from kew.faces import properties
from kew.formats import mqrfh2
from kew.formats.properties import Property
from kew.ibmmq import CMQC
from kew.mqi.messages.messagehandles import MessageHandle

VALUES: list[tuple[int, Any]] = [
    (CMQC.MQTYPE_STRING, "grün <&> 'x'"),
    (CMQC.MQTYPE_STRING, ""),
    (CMQC.MQTYPE_BYTE_STRING, b"\0\1\xff"),
    (CMQC.MQTYPE_BOOLEAN, True),
    (CMQC.MQTYPE_BOOLEAN, False),
    (CMQC.MQTYPE_INT8, -128),
    (CMQC.MQTYPE_INT16, -32768),
    (CMQC.MQTYPE_INT32, 2147483647),
    (CMQC.MQTYPE_INT64, -(1 << 63)),
    (CMQC.MQTYPE_FLOAT32, 0.5),
    (CMQC.MQTYPE_FLOAT64, 1e300),
    (CMQC.MQTYPE_FLOAT64, float("inf")),
    (CMQC.MQTYPE_NULL, None),
]


def travelled(items: list[Property], md: Any, body: bytes = b"body") -> tuple[bytes, MessageHandle]:
    into = MessageHandle()
    return properties.read(md, properties.write(md, body, items), into), into


@pytest.mark.parametrize(("kind", "value"), VALUES)
@pytest.mark.parametrize("name", ["colour", "usr.colour", "shop.till.colour"])
@pytest.mark.parametrize("encoding", [0, 273, 546])
def test_every_type_travels(kind: int, value: Any, name: str, encoding: int) -> None:
    sent = MessageHandle()
    sent.set(name, value, kind)
    md = ibmmq.MD(Format="MQSTR", CodedCharSetId=819, Encoding=encoding)
    body, got = travelled(sent.items, md)
    assert body == b"body"
    assert (md.Format, md.CodedCharSetId, md.Encoding) == (b"MQSTR   ", 819, encoding)
    found = got.inquire(name, 0)
    assert (found.kind, found.value, type(found.value)) == (kind, value, type(value))


NAMES = st.from_regex(r"p[a-z0-9_]{0,8}(\.[a-z][a-z0-9_]{0,8}){0,2}", fullmatch=True)
TEXTS = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=20)


@given(st.dictionaries(NAMES, st.one_of(TEXTS, st.integers(-(1 << 31), (1 << 31) - 1)), max_size=6))
def test_many_travel_together(values: dict[str, Any]) -> None:
    sent = MessageHandle()
    for name, value in values.items():
        if any(
            f"{name}.".startswith(f"{other}.") or f"{other}.".startswith(f"{name}.")
            for other in values
            if other != name
        ):
            continue  # a value and a group of one name are refused
        sent.set(name, value, CMQC.MQTYPE_STRING if isinstance(value, str) else CMQC.MQTYPE_INT32)
    md = ibmmq.MD()
    try:
        body, got = travelled(sent.items, md)
    except MQError:
        pytest.fail("properties that can be set can be sent")
    if len({item.name.split(".")[0] for item in sent.items}) == len(sent.items):
        assert {item.name: item.value for item in got.items} == {item.name: item.value for item in sent.items}
    assert body == b"body"


def test_a_header_says_in_which_character_set_the_data_is() -> None:
    for stated, said in ((0, 1208), (1208, 1208), (500, 500)):
        md = ibmmq.MD(CodedCharSetId=stated)
        written = properties.write(md, b"body", [Property("colour", CMQC.MQTYPE_STRING, "red")])
        assert mqrfh2.decode(written).ccsid == said
        assert (properties.read(md, written, None), md.CodedCharSetId) == (b"body", said)


def test_folders_of_others_stay() -> None:
    header = mqrfh2.RulesHeader(546, 1208, b"MQSTR   ", folders=["<usr><a>1</a></usr>", "<mine><b>2</b></mine>"])
    md = ibmmq.MD(Format=CMQC.MQFMT_RF_HEADER_2)
    into = MessageHandle()
    rest = properties.read(md, mqrfh2.encode(header) + b"body", into)
    assert [item.name for item in into.items] == ["a"]
    assert md.Format == CMQC.MQFMT_RF_HEADER_2
    assert mqrfh2.decode(rest).folders == ["<mine><b>2</b></mine>"]
    assert rest.endswith(b"body")


@pytest.mark.parametrize("data", [b"", b"RFH ", b"RFH \2\0\0\0\xff\xff\0\0" + bytes(30)])
def test_a_header_that_is_none_is_left_alone(data: bytes) -> None:
    md = ibmmq.MD(Format=CMQC.MQFMT_RF_HEADER_2)
    assert properties.read(md, data, MessageHandle()) == data


def reason_of(call: Any) -> int:
    with pytest.raises(ibmmq.MQMIError) as failure:
        call()
    reason: int = failure.value.reason
    return reason


def test_handles_in_ibmmq() -> None:
    handle = ibmmq.MessageHandle()
    handle.properties["colour"] = "red"
    handle.properties.set("size", 7, property_type=CMQC.MQTYPE_INT32, value_length=4)
    handle.properties.set("shop.till", "x")
    assert handle.properties["colour"] == "red"
    assert handle.properties.get("usr.size") == 7
    assert handle.properties.get("%") == ("red", "colour")
    following = ibmmq.IMPO(Options=CMQC.MQIMPO_INQ_NEXT)
    assert handle.properties.get("%", impo=following) == (7, "size")
    assert handle.properties.get("shop.%") == ("x", "shop.till")
    assert reason_of(lambda: handle.properties.get("%", impo=following)) == CMQC.MQRC_PROPERTY_NOT_AVAILABLE
    as_text = ibmmq.IMPO(Options=CMQC.MQIMPO_CONVERT_TYPE)
    assert handle.properties.get("size", impo=as_text, property_type=CMQC.MQTYPE_STRING) == "7"
    assert reason_of(lambda: handle.properties.get("size", property_type=CMQC.MQTYPE_STRING)) == 2473
    assert reason_of(lambda: handle.properties.get("colour", max_value_length=2)) == CMQC.MQRC_PROPERTY_VALUE_TOO_BIG
    handle.properties.dlt("colour")
    assert reason_of(lambda: handle.properties.get("colour")) == CMQC.MQRC_PROPERTY_NOT_AVAILABLE
    assert reason_of(lambda: handle.properties.dlt("colour")) == CMQC.MQRC_PROPERTY_NOT_AVAILABLE
    again = ibmmq.MessageHandle(dup_handle=handle.get_handle())
    assert again.properties.get("size") == 7
    assert reason_of(again.dlt) == CMQC.MQRC_HMSG_ERROR
    handle.dlt()
    assert reason_of(lambda: handle.properties.get("size")) == CMQC.MQRC_HMSG_ERROR
    assert reason_of(lambda: again.properties.get("size")) == CMQC.MQRC_HMSG_ERROR


def test_handles_in_pymqi() -> None:
    handle = pymqi.MessageHandle()
    handle.properties.set(b"colour", b"red")
    assert handle.properties.get(b"colour") == "red"
    with pytest.raises(pymqi.MQMIError) as failure:
        handle.properties.get("colour", max_value_length=1)
    error: Any = failure.value
    assert (error.reason, error.dataLength) == (CMQC.MQRC_PROPERTY_VALUE_TOO_BIG, 3)
    with pytest.raises(pymqi.MQMIError):
        handle.properties["none"]


@pytest.mark.parametrize(
    ("name", "value", "kind", "reason"),
    [
        ("", "x", CMQC.MQTYPE_STRING, CMQC.MQRC_PROPERTY_NAME_ERROR),
        ("a b", "x", CMQC.MQTYPE_STRING, CMQC.MQRC_PROPERTY_NAME_ERROR),
        ("a..b", "x", CMQC.MQTYPE_STRING, CMQC.MQRC_PROPERTY_NAME_ERROR),
        ("1a", "x", CMQC.MQTYPE_STRING, CMQC.MQRC_PROPERTY_NAME_ERROR),
        (b"\xff", "x", CMQC.MQTYPE_STRING, CMQC.MQRC_PROPERTY_NAME_ERROR),
        ("a" * 5000, "x", CMQC.MQTYPE_STRING, CMQC.MQRC_PROPERTY_NAME_LENGTH_ERR),
        ("a", "x", 3, CMQC.MQRC_PROPERTY_TYPE_ERROR),
        ("a", 128, CMQC.MQTYPE_INT8, CMQC.MQRC_PROP_NUMBER_FORMAT_ERROR),
        ("a", 1 << 70, CMQC.MQTYPE_INT64, CMQC.MQRC_PROP_NUMBER_FORMAT_ERROR),
        ("a", "five", CMQC.MQTYPE_INT32, CMQC.MQRC_PROP_NUMBER_FORMAT_ERROR),
        ("a", 1e300, CMQC.MQTYPE_FLOAT32, CMQC.MQRC_PROP_NUMBER_FORMAT_ERROR),
    ],
)
def test_what_cannot_be_set(name: Any, value: Any, kind: int, reason: int) -> None:
    handle = ibmmq.MessageHandle()
    assert reason_of(lambda: handle.properties.set(name, value, property_type=kind)) == reason


def test_values_of_a_wrong_kind() -> None:
    handle = ibmmq.MessageHandle()
    with pytest.raises(TypeError, match="is str or bytes, not int"):
        handle.properties.set("a", 5)
    with pytest.raises(TypeError, match="is bytes, not str"):
        handle.properties.set("a", "x", property_type=CMQC.MQTYPE_BYTE_STRING)
