"""Message handles: names, places, types, descriptors, and what a put makes of two of them."""

import pytest
from tests.support.properties import header

from kew.codes import options as o
from kew.codes.errors import MQError
from kew.codes.reasons import (
    MQRC_ACTION_ERROR,
    MQRC_CMHO_ERROR,
    MQRC_DMPO_ERROR,
    MQRC_IMPO_ERROR,
    MQRC_MHBO_ERROR,
    MQRC_PD_ERROR,
    MQRC_PROPERTY_NAME_ERROR,
    MQRC_PROPERTY_NOT_AVAILABLE,
    MQRC_RFH_FORMAT_ERROR,
    MQRC_SMPO_ERROR,
    MQRC_UNSUPPORTED_PROPERTY,
)
from kew.formats.mqmd import MessageDescriptor
from kew.formats.properties import RFH2_FORMAT, Framed, Property, folders_of, take_apart
from kew.mqi.messages.messagehandles import Description, MessageHandle, combined


def handle(**values: str) -> MessageHandle:
    made = MessageHandle()
    for name, value in values.items():
        made.set(name, value, o.MQTYPE_STRING)
    return made


def names(items: list[Property]) -> list[str]:
    return [item.name for item in items]


def reason(call: object) -> int:
    with pytest.raises(MQError) as refused:
        call()  # type: ignore[operator]
    return refused.value.reason


@pytest.mark.parametrize(
    "name",
    [
        "JMSSomething",
        "usr.JMSx",
        "JMSPriority",
        "and",
        "Null",
        "Body.x",
        "Root.x",
        "Root.MQMD.x",
        "mqps.a.b",
        "a.b.c",
        "",
        "1a",
        "a²",
        "a..b",
    ],
)
def test_names_that_are_refused(name: str) -> None:
    made = MessageHandle()
    made.set("a.b", "value", o.MQTYPE_STRING)
    assert reason(lambda: made.set(name, "x", o.MQTYPE_STRING)) == MQRC_PROPERTY_NAME_ERROR


@pytest.mark.parametrize("name", ["€uro", "pr£ce", "a‿b", "Ⅷ", "e\u0301te\u0301", "$a.$b", "_", "a٣"])
def test_names_are_identifiers_of_java(name: str) -> None:
    made = MessageHandle()
    made.set(name, "x", o.MQTYPE_STRING)
    assert made.inquire(name, o.MQIMPO_INQ_FIRST).value == "x"


def test_a_handle_that_does_not_validate() -> None:
    made = MessageHandle(o.MQCMHO_NO_VALIDATION)
    made.set("JMSSomething", "x", o.MQTYPE_STRING)
    made.set("and", "x", o.MQTYPE_STRING)
    assert reason(lambda: MessageHandle(3)) == MQRC_CMHO_ERROR
    assert reason(lambda: MessageHandle(8)) == MQRC_CMHO_ERROR
    assert MessageHandle(o.MQCMHO_VALIDATE).validates


def test_where_a_property_is_set() -> None:
    made = handle(a="1", b="2", c="3")
    made.set("d", "4", o.MQTYPE_STRING, options=o.MQSMPO_APPEND_PROPERTY)
    made.set("a", "5", o.MQTYPE_STRING, options=o.MQSMPO_APPEND_PROPERTY)
    assert names(made.items) == ["a", "b", "c", "d", "a"]
    assert made.inquire("b", o.MQIMPO_INQ_FIRST).value == "2"
    made.set("after", "", o.MQTYPE_STRING, options=o.MQSMPO_SET_PROP_AFTER_CURSOR)
    made.set("before", "", o.MQTYPE_STRING, options=o.MQSMPO_SET_PROP_BEFORE_CURSOR)
    made.set("under", "", o.MQTYPE_STRING, options=o.MQSMPO_SET_PROP_UNDER_CURSOR)
    assert names(made.items) == ["a", "before", "under", "after", "c", "d", "a"]
    assert made.inquire("a", o.MQIMPO_INQ_FIRST).value == "1"
    assert made.inquire("a", o.MQIMPO_INQ_NEXT).value == "5"
    assert reason(lambda: made.inquire("a", o.MQIMPO_INQ_NEXT)) == MQRC_PROPERTY_NOT_AVAILABLE
    assert reason(lambda: made.set("x", "", o.MQTYPE_STRING, options=3)) == MQRC_SMPO_ERROR
    assert reason(lambda: made.inquire("x", 1)) == MQRC_IMPO_ERROR
    assert reason(lambda: made.delete("x", 2)) == MQRC_DMPO_ERROR
    made.delete("", o.MQDMPO_DEL_PROP_UNDER_CURSOR)
    assert names(made.items) == ["a", "before", "under", "after", "c", "d"]
    late = o.MQSMPO_SET_PROP_UNDER_CURSOR
    assert reason(lambda: made.set("x", "", o.MQTYPE_STRING, options=late)) == MQRC_PROPERTY_NOT_AVAILABLE


def test_wildcards_and_folders() -> None:
    made = MessageHandle()
    for name in ("shop.till", "colour", "shop.open", "size"):
        made.set(name, name, o.MQTYPE_STRING)
    found = []
    options = o.MQIMPO_INQ_FIRST
    while True:
        try:
            found.append(made.inquire("usr.%", options).name)
        except MQError:
            break
        options = o.MQIMPO_INQ_NEXT
    assert found == ["colour", "size"]
    assert made.inquire("shop.%", o.MQIMPO_INQ_FIRST).name == "shop.till"
    assert made.inquire("shop.%", o.MQIMPO_INQ_NEXT).name == "shop.open"
    assert made.inquire("%", o.MQIMPO_INQ_PROP_UNDER_CURSOR).name == "shop.open"


def test_synonyms_and_fields_of_the_descriptor() -> None:
    made = handle(JMSCorrelationID="mine")
    assert names(made.items) == ["jms.Cid"]
    assert made.inquire("JMSCorrelationID", 0).value == "mine"
    assert reason(lambda: made.inquire("Root.MQMD.Priority", 0)) == MQRC_PROPERTY_NOT_AVAILABLE
    made.descriptor = MessageDescriptor(priority=7, message_id=b"m" * 24, format=b"MQSTR   ")
    assert made.inquire("Root.MQMD.Priority", 0).value == 7
    assert made.inquire("Root.MQMD.MsgId", 0).kind == o.MQTYPE_BYTE_STRING
    assert made.inquire(b"Root.MQMD.Format", 0).value == "MQSTR"
    assert made.inquire("JMSPriority", 0).value == 7
    made.set("Root.MQMD.Priority", 3, o.MQTYPE_INT32)
    assert made.inquire("Root.MQMD.Priority", 0).value == 3
    made.delete("Root.MQMD.Priority", 0)
    assert made.inquire("Root.MQMD.Priority", 0).value == 7
    assert made.inquire("JMSRedelivered", o.MQIMPO_CONVERT_TYPE, o.MQTYPE_STRING).value == "FALSE"


@pytest.mark.parametrize("more", ["", "<Cid>a &lt; b</Cid>"])
def test_numbers_of_jms_need_no_type(more: str) -> None:
    folder = f"<jms><Dst>queue:///Q</Dst><Exp>0</Exp><Tms>5</Tms><Pri>4</Pri><Dlv>2</Dlv><Seq>1</Seq>{more}</jms>"
    made = MessageHandle()
    made.take(Framed(RFH2_FORMAT, 1208, 546, header(folder)))
    assert made.inquire("JMSTimestamp", 0).kind == made.inquire("JMSExpiration", 0).kind == o.MQTYPE_INT64
    for name in ("jms.Pri", "jms.Dlv", "JMSXGroupSeq"):
        assert made.inquire(name, 0).kind == o.MQTYPE_INT32, name
    assert folders_of(made.items) == [folder]
    made.set("JMSXGroupSeq", "1", o.MQTYPE_STRING)
    assert "<Seq dt='string'>1</Seq>" in folders_of(made.items)[0]


@pytest.mark.parametrize(
    "description", [{"support": 2}, {"context": 2}, {"copies": 32}, {"copies": 3}, {"options": 1}], ids=str
)
def test_descriptors_that_are_refused(description: dict[str, int]) -> None:
    assert reason(lambda: Description(**description)) == MQRC_PD_ERROR


def described(name: str, copies: int, context: int = 0) -> MessageHandle:
    made = MessageHandle()
    made.set(name, name, o.MQTYPE_STRING, description=Description(context=context, copies=copies))
    return made


def test_descriptors_travel() -> None:
    items = described("a", o.MQCOPY_REPLY | o.MQCOPY_REPORT, o.MQPD_USER_CONTEXT).items
    items += described("b", o.MQCOPY_NONE).items + described("c", o.MQCOPY_ALL).items + described("d", 22).items
    (folder,) = folders_of(items)
    assert "copy='reply,report'" in folder
    assert "copy='none'" in folder
    assert "context='user'" in folder
    found = take_apart(RFH2_FORMAT, 1208, 546, header(folder)).properties
    assert [(item.name, item.copies, item.context) for item in found] == [
        ("a", o.MQCOPY_REPLY | o.MQCOPY_REPORT, o.MQPD_USER_CONTEXT),
        ("b", o.MQCOPY_NONE, 0),
        ("c", o.MQCOPY_ALL, 0),
        ("d", o.MQCOPY_DEFAULT, 0),
    ]


def test_what_goes_along_when_a_message_is_put_again() -> None:
    original = described("forward", o.MQCOPY_FORWARD)
    for name, copies in (("reply", o.MQCOPY_REPLY), ("report", o.MQCOPY_REPORT), ("all", 1), ("none", 0), ("gone", 1)):
        original.items += described(name, copies).items
    new = handle(all="new", more="x")
    new.set("gone", None, o.MQTYPE_NULL)
    for action, expected in (
        (o.MQACTP_NEW, ["forward", "reply", "report", "none", "all", "more"]),
        (o.MQACTP_FORWARD, ["forward", "all", "more"]),
        (o.MQACTP_REPLY, ["reply", "all", "more"]),
        (o.MQACTP_REPORT, ["report", "all", "more"]),
    ):
        found = combined(action, original, new)
        assert names(found) == expected
        assert [item.value for item in found if item.name == "all"] == ["new"]
    assert names(combined(o.MQACTP_NEW, None, new)) == ["all", "more", "gone"]
    assert reason(lambda: combined(9, original, new)) == MQRC_ACTION_ERROR
    required = Description(support=o.MQPD_SUPPORT_REQUIRED)
    new.set("mq.unheard", "x", o.MQTYPE_STRING, description=required)
    assert reason(lambda: combined(o.MQACTP_NEW, None, new)) == MQRC_UNSUPPORTED_PROPERTY


def test_from_a_buffer_and_back() -> None:
    folders = ("<usr><a>1</a><b dt='i4'>2</b></usr>", "<data><x>3</x></data>")
    message = Framed(RFH2_FORMAT, 819, 546, header(*folders) + b"body")
    made = MessageHandle()
    assert made.take(message) is message
    assert names(made.items) == ["a", "b"]
    rest = made.take(message, o.MQBMHO_DELETE_PROPERTIES)
    assert (rest.format, rest.ccsid) == (RFH2_FORMAT, 819)
    assert rest.data == header("<data><x>3</x></data>") + b"body"
    again = made.written(Framed(b"MQSTR   ", 1208, 546, b"body"), o.MQMHBO_PROPERTIES_IN_MQRFH2, "<")
    assert again.data == header(folders[0]) + b"body"
    delete = o.MQMHBO_PROPERTIES_IN_MQRFH2 | o.MQMHBO_DELETE_PROPERTIES
    only = made.written(Framed(b"MQSTR   ", 1208, 546, b"body"), delete, "<", "b")
    assert only.data == header("<usr><b dt='i4'>2</b></usr>") + b"body"
    assert names(made.items) == ["a"]
    assert reason(lambda: made.written(only, 0, "<")) == MQRC_MHBO_ERROR
    assert reason(lambda: made.take(Framed(RFH2_FORMAT, 0, 0, b"RFH "))) == MQRC_RFH_FORMAT_ERROR
