"""What a subscriber's copy says of its publication, and in which header."""

from hypothesis import given
from hypothesis import strategies as st

from kew.codes.attributes import MQPSPROP_COMPAT, MQPSPROP_MSGPROP, MQPSPROP_NONE, MQPSPROP_RFH2
from kew.codes.options import MQGMO_NO_PROPERTIES
from kew.formats import mqrfh2
from kew.formats.mqmd import MessageDescriptor
from kew.formats.properties import RFH2_FORMAT, Framed, Property, take_apart, with_properties
from kew.mqi.messages.propertycontrol import apply_property_control
from kew.topics.copyproperties import RFH_FORMAT, CopyProperties

STRING = b"MQSTR   "


def publication() -> MessageDescriptor:
    return MessageDescriptor(format=STRING, ccsid=819, encoding=273)


def test_properties_are_in_a_header_of_their_own() -> None:
    copy = publication()
    data = CopyProperties("a/<b>").marked(copy, b"body", MQPSPROP_MSGPROP, "mine & yours", True)
    assert copy.format == RFH2_FORMAT
    carried = take_apart(copy.format, copy.ccsid, copy.encoding, data)
    assert {each.name: each.value for each in carried.properties} == {
        "mqps.Top": "a/<b>",
        "mqps.Sud": "mine & yours",
        "mqps.Ret": True,
    }
    assert (carried.format, carried.ccsid, carried.encoding, carried.data) == (STRING, 819, 273, b"body")


def test_a_program_that_asks_for_none_gets_the_publication_as_it_was() -> None:
    marks = CopyProperties("a/b")
    for body in (b"one", b"another"):  # the second by what is remembered of the first
        copy = publication()
        data = marks.marked(copy, body, MQPSPROP_MSGPROP, "", False)
        assert apply_property_control(MQGMO_NO_PROPERTIES, 0, copy, data) == body
        assert (copy.format, copy.ccsid, copy.encoding) == (STRING, 819, 273)


def test_a_header_that_is_there_gets_the_folder_added() -> None:
    framed = with_properties([Property("colour", 1024, "red")], Framed(STRING, 819, 273, b"body"), "<", 546)
    copy = MessageDescriptor(format=framed.format, ccsid=framed.ccsid, encoding=framed.encoding)
    data = CopyProperties("a/b").marked(copy, framed.data, MQPSPROP_MSGPROP, "", False)
    assert mqrfh2.encoded_length(data) == len(data) - len(b"body")
    carried = take_apart(copy.format, copy.ccsid, copy.encoding, data)
    assert {each.name: each.value for each in carried.properties} == {"colour": "red", "mqps.Top": "a/b"}
    assert carried.data == b"body"


def test_the_other_ways() -> None:
    copy = publication()
    assert CopyProperties("a b").marked(copy, b"body", MQPSPROP_NONE, "x", False) == b"body"
    assert copy.format == STRING
    data = CopyProperties("a b").marked(copy, b"body", MQPSPROP_RFH2, "", False)
    header = mqrfh2.decode(data)
    assert header.folders == ["<psc><Command>Publish</Command><Topic>a b</Topic></psc>"]
    assert (copy.format, header.format, header.ccsid) == (RFH2_FORMAT, STRING, 819)
    copy = publication()
    data = CopyProperties('a "b"').marked(copy, b"body", MQPSPROP_COMPAT, "", True)
    assert copy.format == RFH_FORMAT
    length = int.from_bytes(data[8:12], "little")
    text = b'MQPSCommand Publish MQPSPubOpts IsRetainedPub MQPSTopic "a ""b"""'
    assert data[32:length].rstrip() == text
    assert data[length:] == b"body"


@given(st.binary(max_size=80), st.sampled_from((b"", b"RFH \2\0\0\0", b"RFH \0\0\0\2")))
def test_whatever_a_publication_begins_with_its_bytes_are_there(body: bytes, start: bytes) -> None:
    copy = MessageDescriptor(format=RFH2_FORMAT)
    data = CopyProperties("t").marked(copy, start + body, MQPSPROP_MSGPROP, "", False)
    assert len(data) > len(start + body)
    assert data.endswith(body[-4:])


def test_what_is_remembered_is_bounded() -> None:
    marks = CopyProperties("t")
    for number in range(250):
        marks.marked(publication(), b"", MQPSPROP_MSGPROP, str(number), False)
    assert len(marks._headers) <= 100
