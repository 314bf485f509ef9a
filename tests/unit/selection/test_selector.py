"""Selection strings: what they mean, and how those are refused that mean nothing."""

from time import monotonic

import pytest

from kew.codes.errors import MQError
from kew.codes.reasons import (
    MQRC_SELECTION_NOT_AVAILABLE,
    MQRC_SELECTION_STRING_ERROR,
    MQRC_SELECTOR_ALWAYS_FALSE,
    MQRC_SELECTOR_SYNTAX_ERROR,
)
from kew.formats import mqmd
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqrfh2 import RulesHeader, encode
from kew.formats.properties import RFH2_FORMAT, Scalar
from kew.selection.lexer import LONGEST
from kew.selection.selector import Selector, selector_of, stored_selector

PROPERTIES: dict[str, Scalar] = {
    "colour": "green",
    "size": 7,
    "weight": 2.5,
    "sold": True,
    "new": False,
    "tag": b"\x2f\x1c",
    "rate": "10%_x",
    "shop.till": 3,
    "zero": 0,
    "quote": "it's",
    "large": 1 << 62,
    "€uro": 8,
    "pr£ce": 9,
    "a‿b": 10,
    "Ⅷ": 11,
    "e\u0301te\u0301": 12,
    "क्षि": 13,
}
DESCRIPTOR = MessageDescriptor(
    message_type=2,
    priority=4,
    persistence=1,
    message_id=b"M" * 24,
    correlation_id=b"C" * 24,
    format=b"MQSTR   ",
    user_identifier=b"bob         ",
    put_date=b"19700102",
    put_time=b"00000150",
    expiry=10,
    reply_to_queue=b"R".ljust(48),
    reply_to_queue_manager=b"QM1".ljust(48),
)

TRUE = [
    "€uro = 8 and pr£ce = 9 and a‿b = 10 and Ⅷ = 11",
    "e\u0301te\u0301 = 12 and क्षि = 13",
    "$ is null and _ is null and ‿ is null and a\u200db is null",
    "colour = 'green'",
    "'green' = colour",
    "usr.colour = 'green'",
    "colour <> 'red'",
    "COLOUR IS NULL",
    "colour is not null",
    "size = 7",
    "size = 7.0",
    "size = 0x7 and size = 07 and size = 7L",
    "size > 6.5 AND size >= 7 AND size < 8 AND size <= 7",
    "weight = 2.5 or missing = 1",
    "weight = 25e-1 and weight = 2.5d and weight = .25E1",
    "size between 7 and 7",
    "size NOT BETWEEN 8 AND 9",
    "size + 1 = 8 and size - 1 = 6 and size * 2 = 14 and size / 2 = 3 and -size / 2 = -3",
    "size + 2 * 3 = 13 and (size + 2) * 3 = 27 and 10 - 4 - 3 = 3",
    "- -size = 7 and +size = 7 and -(-size) = 7",
    "weight * 2 = 5",
    "size / 2.0 = 3.5",
    "colour in ('red', 'green')",
    "colour NOT IN ('red', 'blue')",
    "colour like 'gr%' and colour like '%en' and colour like 'g___n' and colour like '%' and colour like 'green'",
    "colour like '%r%e%' and colour like '_%_' and colour not like 'gr' and colour not like '_gr%'",
    "colour like '%ee_' and colour like '%_r_%n'",
    r"rate like '10\%\__' escape '\'",
    "rate like '10x%x_xx' escape 'x' or rate like '10%%'",
    "sold",
    "sold = true and new = false and not new and sold <> new",
    'tag = "0x2F1C" and tag <> "0x2F1D"',
    "shop.till = 3",
    "not (missing is not null)",
    "missing = 1 or size = 7",
    "not (size = 'seven')",  # of different types: not equal
    "quote = 'it''s'",
    "large = 4611686018427387904 and large * 4 > large",
    "-9223372036854775808 < 0",
    "true",
    "((((size))) = (7))",
    "Root.MQMD.MsgType = 2 and Root.MQMD.Priority = 4 and Root.MQMD.Format = 'MQSTR'",
    f"Root.MQMD.MsgId = \"0x{(b'M' * 24).hex()}\" and Root.MQMD.UserIdentifier = 'bob'",
    "JMSPriority > 3 and JMSDeliveryMode = 'PERSISTENT' and JMSXDeliveryCount = 1 and not JMSRedelivered",
    f"JMSMessageID = 'ID:{(b'M' * 24).hex()}' and JMSCorrelationID like 'ID:43%'",
    "JMSTimestamp = 86401500 and JMSExpiration = 86402500 and JMSXUserID = 'bob' and JMSXGroupID is null",
    "JMSReplyTo = 'queue://QM1/R'",
    "größe is null and $a is null and _b is null",
]
# What is not true: false or unknown.
OTHER = [
    "colour = 'red'",
    "colour = 'Green'",
    "missing = 1",
    "missing <> 1",
    "not (missing = 1)",
    "missing = 1 and size = 7",
    "missing between 1 and 2",
    "not (missing in ('a'))",
    "missing like '%'",
    "missing",
    "not missing",
    "colour",
    "colour = 7",
    "colour <> 7",
    "colour > 6",
    "size = true",
    "sold = 1",
    "size / 0 = 1",
    "size / 0 <> 1",
    "size / zero = 1 or not (size / zero = 1)",
    "colour + 1 = 1",
    "-colour = 1",
    "+colour = 'green'",
    "sold + 1 = 2",
    "size in ('7')",
    "size like '7'",
    "false",
    "tag = 12060",
    "colour like ''",
    "colour like 'g%g%'",
    "colour like 'green_'",
    "colour like '%greens%'",
]


@pytest.mark.parametrize("text", TRUE)
def test_selected(text: str) -> None:
    assert Selector(text).matches(PROPERTIES, DESCRIPTOR)


@pytest.mark.parametrize("text", OTHER)
def test_not_selected(text: str) -> None:
    assert not Selector(text).matches(PROPERTIES, DESCRIPTOR)


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("colour = ", 9),
        ("colour == 'x'", 8),
        ("colour = 'x", 9),
        ('colour = "green"', 9),
        ('colour = "0xF"', 9),
        ('colour = "0x"', 9),
        ("= 1", 0),
        ("(a = 1", 6),
        ("a = 1)", 5),
        ("a = 1 b = 2", 6),
        ("a = 1 and", 9),
        ("a and 7", 7),
        ("7", 1),
        ("a + 1", 5),
        ("'text'", 6),
        ("a = 1 = 2", 6),
        ("(a = 1) = 2", 0),
        ("a < 'x'", 2),
        ("a >= true", 2),
        ("a between 'b' and 'c'", 10),
        ("a between 1", 11),
        ("a in ()", 6),
        ("a in (1)", 6),
        ("a in ('x'", 9),
        ("1 in ('x')", 2),
        ("a like b", 7),
        ("'a' like 'b'", 4),
        ("a like 'b' escape 'cc'", 18),
        (r"a like 'b\' escape '\'", 7),
        (r"a like '\b' escape '\'", 7),
        ("a is 1", 5),
        ("a not 1", 6),
        ("1 is null", 2),
        ("null = a", 0),
        ("a = null", 4),
        ("a = 9223372036854775808", 4),
        ("a = 99999999999999999999999999999999", 4),
        ("a = 1e400", 4),
        ("a = 1e", 5),
        ("a = 08", 4),
        ("a = 0x", 4),
        ("a = 1x", 5),
        ("a.1 = 2", 2),
        ("a..b = 2", 2),
        ("a. = 2", 2),
        ("a ; b", 2),
        ("\u0301e = 1", 0),
        ("²a = 1", 0),
        ("a² = 1", 1),
        ("a\u20dd = 1", 1),
        ("a\x01 = 1", 1),
        ("a.٣ = 1", 2),
        ("'a' + 1 = 2", 0),
        ("Root.MQMD.Nothing = 1", 0),
        ("(" * 200 + "a" + ")" * 200, 101),
        ("not " * 200 + "a", 404),
    ],
)
def test_refused_with_the_place(text: str, position: int) -> None:
    with pytest.raises(MQError) as refused:
        Selector(text)
    assert refused.value.reason == MQRC_SELECTOR_SYNTAX_ERROR
    assert refused.value.facts["position"] == position
    assert refused.value.facts["expected"]


@pytest.mark.parametrize("text", ["Root.XMLNSC.a = 1", "Body.a = 1"])
def test_what_only_extended_selection_could_tell(text: str) -> None:
    with pytest.raises(MQError) as refused:
        Selector(text)
    assert refused.value.reason == MQRC_SELECTION_NOT_AVAILABLE


def test_the_longest() -> None:
    text = "a = 1 or ".ljust(LONGEST - 5) + "b = 2"
    assert Selector(text).matches({"b": 2}, DESCRIPTOR)
    with pytest.raises(MQError) as refused:
        Selector(text + " ")
    assert refused.value.reason == MQRC_SELECTION_STRING_ERROR


def test_rows_may_be_long() -> None:
    assert Selector(" or ".join(["a = 1"] * 1000)).matches({"a": 1}, DESCRIPTOR)
    assert Selector("a = " + "+".join(["1"] * 4000)).matches({"a": 4000}, DESCRIPTOR)


def test_blanks_select_everything() -> None:
    assert selector_of("  ") is None
    assert selector_of("a = 1") is not None


@pytest.mark.parametrize("text", ["FALSE", "1 = 2", "TRUE <> TRUE", "not (2 between 1 and 3)"])
def test_what_can_never_be_true_is_refused(text: str) -> None:
    with pytest.raises(MQError) as refused:
        selector_of(text)
    assert refused.value.reason == MQRC_SELECTOR_ALWAYS_FALSE
    assert stored_selector(text) is not None  # such as a subscription that was made before this was refused


@pytest.mark.parametrize("text", ["TRUE", "1 = 1", "a = 1 and a = 2", "a is null", "Root.MQMD.Priority = 3"])
def test_what_depends_on_messages_is_taken(text: str) -> None:
    assert selector_of(text) is not None


def test_what_an_index_can_be_asked_for() -> None:
    assert Selector("colour = 'green'").equalities == [("colour", "green")]
    assert Selector("7 = usr.size and (colour = 'x' and a > 1) and b").equalities == [("size", 7), ("colour", "x")]
    assert Selector("colour = 'green' or size = 7").equalities == []
    assert Selector("not (colour = 'green')").equalities == []


def message(*folders: str, ccsid: int = 1208, order: str = "<") -> tuple[MessageDescriptor, bytes]:
    header = RulesHeader(546, 1208, b"MQSTR   ", 0, ccsid, list(folders))
    return MessageDescriptor(format=RFH2_FORMAT), encode(header, order) + b"body"


@pytest.mark.parametrize("ccsid", [1208, 1200])
@pytest.mark.parametrize("order", ["<", ">"])
def test_properties_are_read_from_the_header(ccsid: int, order: str) -> None:
    descriptor, data = message(
        "<mcd><Msd>jms_text</Msd><Type>order</Type></mcd>",
        "<jms><Dst>queue:///Q</Dst><Cid>mine</Cid><Tms>5</Tms><Gid>g</Gid><Seq>2</Seq></jms>",
        "<usr><colour>gr\u00fcn</colour><size dt='i4'>7</size><x>a &lt; b</x><n xsi:nil='true'></n></usr>",
        "<shop content='properties'><till><number dt='i8'>3</number></till></shop>",
        "<data><a>1</a></data>",
        ccsid=ccsid,
        order=order,
    )
    for text in (
        "colour = 'gr\u00fcn' and size = 7 and n is null",
        "x = 'a < b' and JMSType = 'order' and JMSCorrelationID = 'mine'",
        "JMSTimestamp = 5 and JMSXGroupSeq between 1 and 2 and JMSXGroupID = 'g'",
        "shop.till.number = 3 and jms.Dst = 'queue:///Q' and data.a is null",
    ):
        assert Selector(text).wants(descriptor, data), text
        assert Selector(text).wants_stored(mqmd.encode(descriptor) + data), text


@pytest.mark.parametrize("folder", ["<usr><a>g&#114;een</a></usr>", "<usr><a>green</a></usr>"])
@pytest.mark.parametrize("ccsid", [1208, 1200, 13488])
@pytest.mark.parametrize("order", ["<", ">"])
def test_a_text_is_found_however_it_is_written(folder: str, ccsid: int, order: str) -> None:
    descriptor, data = message(folder, ccsid=ccsid, order=order)
    assert Selector("a = 'green' and b is null").wants_stored(mqmd.encode(descriptor) + data)
    assert not Selector("a = 'red'").wants_stored(mqmd.encode(descriptor) + data)
    behind = RulesHeader(546, 1208, RFH2_FORMAT, 0, 1208, ["<usr><x>1</x></usr>"])
    assert Selector("a = 'green'").wants_stored(mqmd.encode(descriptor) + encode(behind) + data)


def test_of_several_headers_the_first_counts() -> None:
    _, second = message("<usr><a>2</a><b>3</b></usr>")
    header = RulesHeader(546, 1208, RFH2_FORMAT, 0, 1208, ["<usr><a>1</a></usr>"])
    assert Selector("a = '1' and b = '3'").wants(MessageDescriptor(format=RFH2_FORMAT), encode(header) + second)


@pytest.mark.parametrize(
    "data",
    [b"", b"RFH \2\0\0\0", b"garbage" * 10, message("<usr><a>1</a>")[1], message("<usr><a dt='i4'>x</a></usr>")[1]],
)
def test_a_header_that_cannot_be_read_holds_nothing(data: bytes) -> None:
    assert Selector("a is null").wants(MessageDescriptor(format=RFH2_FORMAT), data)


def test_a_message_without_a_header_has_no_properties() -> None:
    assert Selector("colour is null").wants(MessageDescriptor(), b"RFH \2\0\0\0")


@pytest.mark.parametrize("piece", ["a_" * 2500 + "b", "a" * 2500 + "_" + "a" * 2500 + "b", "_b" + "_" * 5000 + "c"])
def test_no_pattern_takes_the_product_of_its_length_and_the_texts(piece: str) -> None:
    selector = Selector(f"tag LIKE '%{piece}%'")
    begun = monotonic()
    assert not selector.matches({"tag": "a" * 300_000 + "dd" + "b" * 100_000}, MessageDescriptor())
    assert monotonic() - begun < 10  # else minutes, for which everybody else waits
