"""What a message becomes for a partner that takes less than Kew: no properties, no distribution headers."""

import pytest
from tests.unit.formats.test_mqdh import built

from kew.channels.mca.outward import Outward
from kew.codes.attributes import MQPROP_ALL, MQPROP_COMPATIBILITY, MQPROP_NONE
from kew.codes.errors import MQError
from kew.codes.options import MQENC_NATIVE, MQFMT_DIST_HEADER, MQFMT_RF_HEADER_2, MQFMT_STRING
from kew.codes.reasons import MQRC_FORMAT_ERROR
from kew.formats import mqxqh
from kew.formats.binary import FormatError
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqxqh import TransmissionHeader


def headed(descriptor: MessageDescriptor, queue: bytes = b"TARGET") -> TransmissionHeader:
    return TransmissionHeader(queue.ljust(48), b"QM2".ljust(48), descriptor)


def rfh2(folder: bytes) -> bytes:
    """An MQRFH2 with one folder before a string."""
    folder = folder.ljust(-(-len(folder) // 4) * 4)
    length = 36 + 4 + len(folder)
    words = [2, length, MQENC_NATIVE, 1208]
    head = b"RFH " + b"".join(word.to_bytes(4, "little") for word in words) + MQFMT_STRING
    return head + (0).to_bytes(4, "little") + (1208).to_bytes(4, "little") + len(folder).to_bytes(4, "little") + folder


USER = rfh2(b"<usr><colour>red</colour></usr>")
OTHER = rfh2(b'<mine content="properties"><size>1</size></mine>')


@pytest.mark.parametrize(
    ("control", "folder", "stays"),
    [
        (MQPROP_ALL, USER, True),
        (MQPROP_ALL, OTHER, True),
        (MQPROP_COMPATIBILITY, USER, True),
        (MQPROP_COMPATIBILITY, OTHER, False),
        (MQPROP_NONE, USER, False),
        (MQPROP_NONE, OTHER, False),
    ],
)
def test_properties_for_a_partner_that_knows_none(control: int, folder: bytes, stays: bool) -> None:
    outward = Outward()
    outward.takes_properties = False
    outward.property_control = control
    descriptor = MessageDescriptor(format=MQFMT_RF_HEADER_2, encoding=MQENC_NATIVE, ccsid=1208)
    (sent,) = outward.messages(headed(descriptor), folder + b"data")
    assert sent[mqxqh.LENGTH :] == (folder + b"data" if stays else b"data")
    assert mqxqh.decode(sent).descriptor.format == (MQFMT_RF_HEADER_2 if stays else MQFMT_STRING)


def test_a_distribution_header_is_split_for_a_partner_that_does_not() -> None:
    outward = Outward()
    outward.takes_lists = False
    descriptor = MessageDescriptor(format=MQFMT_DIST_HEADER, encoding=MQENC_NATIVE, ccsid=819)
    found = outward.messages(headed(descriptor, b""), built(count=3) + b"data")
    assert [mqxqh.decode(each).remote_queue.rstrip() for each in found] == [b"Q0", b"Q1", b"Q2"]
    assert [mqxqh.decode(each).remote_queue_manager.rstrip() for each in found] == [b"QM2"] * 3
    assert all(each[mqxqh.LENGTH :] == b"data" for each in found)
    with pytest.raises(FormatError, match="MQDH"):
        outward.messages(headed(descriptor, b""), b"DH  nothing")


def test_data_is_converted_and_what_cannot_be_says_why() -> None:
    outward = Outward()
    outward.converts = True
    outward.ccsid, outward.encoding = 500, 785
    (sent,) = outward.messages(headed(MessageDescriptor(format=MQFMT_STRING, ccsid=1208)), b"abc")
    descriptor = mqxqh.decode(sent).descriptor
    assert (sent[mqxqh.LENGTH :], descriptor.ccsid, descriptor.encoding) == (b"\x81\x82\x83", 500, 785)
    with pytest.raises(MQError) as raised:
        outward.messages(headed(MessageDescriptor(format=b"MINE    ", ccsid=1208)), b"abc")
    assert raised.value.reason == MQRC_FORMAT_ERROR


def test_group_fields_travel_behind_a_message_that_was_changed() -> None:
    outward = Outward()
    outward.converts = True
    outward.ccsid, outward.encoding = 1208, MQENC_NATIVE
    descriptor = MessageDescriptor(format=MQFMT_STRING, ccsid=819, message_flags=8, sequence_number=3)
    (sent,) = outward.messages(headed(descriptor), b"k\xe4se")
    assert sent[mqxqh.LENGTH : mqxqh.LENGTH + 4] == b"MDE "
    assert sent[mqxqh.LENGTH + 72 :] == "käse".encode()
