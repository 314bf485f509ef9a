"""Structures: packed byte for byte as C has them, and what programs do with their fields."""

import pickle
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew import ibmmq, pymqi
from kew.formats import mqmd
from kew.formats.mqmd import MessageDescriptor
from kew.ibmmq import CMQC, CMQXC

LENGTHS: list[tuple[type[Any], int]] = [
    (ibmmq.MD, CMQC.MQMD_LENGTH_2),
    (ibmmq.MDE, CMQC.MQMDE_LENGTH_2),
    (ibmmq.OD, CMQC.MQOD_CURRENT_LENGTH),
    (ibmmq.GMO, CMQC.MQGMO_LENGTH_4),
    (ibmmq.PMO, CMQC.MQPMO_LENGTH_3),
    (ibmmq.SD, CMQC.MQSD_LENGTH_1),
    (ibmmq.SRO, CMQC.MQSRO_LENGTH_1),
    (ibmmq.STS, CMQC.MQSTS_LENGTH_2),
    (ibmmq.CNO, CMQC.MQCNO_CURRENT_LENGTH),
    (ibmmq.CSP, CMQC.MQCSP_LENGTH_3),
    (ibmmq.SCO, CMQC.MQSCO_CURRENT_LENGTH),
    (ibmmq.CD, CMQXC.MQCD_CURRENT_LENGTH),
    (ibmmq.BNO, CMQC.MQBNO_LENGTH_1),
    (ibmmq.CBC, CMQC.MQCBC_LENGTH_2),
    (ibmmq.CBD, CMQC.MQCBD_LENGTH_1),
    (ibmmq.CTLO, CMQC.MQCTLO_LENGTH_1),
    (ibmmq.CMHO, CMQC.MQCMHO_LENGTH_1),
    (ibmmq.DMHO, CMQC.MQDMHO_LENGTH_1),
    (ibmmq.PD, CMQC.MQPD_LENGTH_1),
    (ibmmq.SMPO, CMQC.MQSMPO_LENGTH_1),
    (ibmmq.DMPO, CMQC.MQDMPO_LENGTH_1),
    (ibmmq.IMPO, CMQC.MQIMPO_LENGTH_1),
    (ibmmq.TM, CMQC.MQTM_LENGTH_1),
    (ibmmq.TMC2, CMQC.MQTMC2_LENGTH_2),
    (ibmmq.DLH, CMQC.MQDLH_LENGTH_1),
    (ibmmq.IIH, CMQC.MQIIH_LENGTH_1),
    (ibmmq.CIH, CMQC.MQCIH_LENGTH_2),
]


@pytest.mark.parametrize(("kind", "length"), LENGTHS, ids=lambda value: getattr(value, "__name__", ""))
def test_lengths_are_those_of_the_headers(kind: type[Any], length: int) -> None:
    structure = kind()
    assert structure.get_length() == length
    assert len(structure.pack()) == length


def test_message_descriptor_byte_for_byte() -> None:
    ids = (b"m" * 24, b"c" * 24, b"g" * 24)
    md = ibmmq.MD(Format="MQSTR   ", Priority=4, Persistence=1, MsgId=ids[0], CorrelId=ids[1], GroupId=ids[2])
    md.ReplyToQ = b"REPLY".ljust(48)
    md.MsgSeqNumber = 7
    other = MessageDescriptor(
        format=b"MQSTR   ", priority=4, persistence=1, message_id=ids[0], correlation_id=ids[1], group_id=ids[2]
    )
    other.reply_to_queue = b"REPLY".ljust(48)
    other.sequence_number = 7
    # Empty character fields are binary zeros in the one and blanks in the other: MQ takes both for empty.
    packed, encoded = md.pack(), mqmd.encode(other)
    assert [(a, b) for a, b in zip(packed, encoded, strict=True) if a != b and (a, b) != (0, 32)] == []


def test_known_offsets() -> None:
    gmo = ibmmq.GMO(Options=0x11223344, WaitInterval=5, MsgToken=b"t" * 16)
    packed = gmo.pack()
    assert packed[:4] == b"GMO "
    assert struct.unpack_from("iii", packed, 4) == (4, 0x11223344, 5)
    assert packed[72:76] == struct.pack("i", CMQC.MQMO_MATCH_MSG_ID | CMQC.MQMO_MATCH_CORREL_ID)
    assert packed[76:80] == b"    "
    assert packed[80:96] == b"t" * 16
    od = ibmmq.OD(ObjectName="Q1", DynamicQName="A.*")
    assert od.pack()[12:14] == b"Q1"
    assert od.pack()[108:111] == b"A.*"
    assert pymqi.OD().pack()[4:8] == struct.pack("i", 1)


def all_structures() -> list[type[Any]]:
    return [
        kind
        for package in (ibmmq, pymqi)
        for kind in vars(package).values()
        if isinstance(kind, type) and issubclass(kind, ibmmq.MQOpts | pymqi.MQOpts) and "_layout" in vars(kind)
    ]


@given(data=st.data())
def test_unpack_is_the_inverse_of_pack(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from([each for each in all_structures() if each.__name__ != "RFH2"]))
    packed = data.draw(st.binary(min_size=kind().get_length(), max_size=kind().get_length()))
    first = kind()
    first.unpack(packed)
    second = kind()
    second.unpack(first.pack())
    assert second.get() == first.get()


def test_fields_by_attribute_item_and_keyword() -> None:
    md = ibmmq.MD()
    md.set(Priority=3, Format="MQSTR")
    md["ReplyToQ"] = "R"
    assert (md["Priority"], md.Format, md.ReplyToQ) == (3, b"MQSTR", b"R")
    assert md.get()["Priority"] == 3
    assert "Priority: 3" in str(md)
    assert repr(md) == str(md.pack())
    with pytest.raises(AttributeError):
        md.set(NoField=1)
    with pytest.raises(AttributeError):
        md["NoField"] = 1


def test_lists_are_not_shared_between_structures() -> None:
    first = ibmmq.CD()
    first.HdrCompList[0] = 8
    assert ibmmq.CD().HdrCompList == [0, -1]
    assert ibmmq.CD().unpack(first.pack()).HdrCompList == [8, -1]
    assert len(ibmmq.CD().unpack(first.pack()).MsgCompList) == 16


def test_text_in_ibmmq() -> None:
    md = ibmmq.MD(MsgId=b"x" * 24)
    md.MsgId = "text"
    with pytest.raises(TypeError, match="MsgId must be a byte array"):
        md.pack()
    md = ibmmq.MD()
    md.ReplyToQ = None
    with pytest.raises(TypeError, match="Class:MD Field:ReplyToQ must not be None"):
        md.pack()
    dlh = ibmmq.DLH(DestQName=b"Q1".ljust(48), Format=b"MQSTR   ")
    assert dlh.to_string().DestQName == "Q1"
    with pytest.raises(TypeError, match="unicode"):
        ibmmq.MD().unpack("text")  # type: ignore[arg-type]


def test_text_in_pymqi() -> None:
    with pytest.raises(TypeError, match="Convert to bytes"):
        pymqi.MD(Format="MQSTR")
    md = pymqi.MD()
    md.Format = "MQSTR"
    with pytest.raises(TypeError, match="Convert to bytes"):
        md.pack()
    assert pymqi.MD().unpack(pymqi.MD().pack()) is None


def test_structures_of_a_program_s_own() -> None:
    own = ibmmq.MQOpts([["A", 1, "i"], ["B", b"x", "3s"], ["C", [1, 2], "h", 2]], A=5)
    assert own.pack() == struct.pack("i3shh", 5, b"x", 1, 2)
    own.unpack(struct.pack("i3shh", 9, b"yyy", 3, 4))
    assert own.get() == {"A": 9, "B": b"yyy", "C": [3, 4]}


def test_variable_strings() -> None:
    od = ibmmq.OD()
    assert od.get_vs("ObjectString") is None
    od.set_vs("ObjectString", "a/b")
    assert od.get_vs("ObjectString") == b"a/b"
    assert od.ObjectStringVSLength == 3
    assert od.ObjectStringVSPtr != 0
    assert od.get_vs("ObjectStringVSPtr") == b"a/b"
    sd = pymqi.SD()
    sd.set_vs("SubName", "me", vs_ccsid=1208)
    assert (sd.get_vs("SubName"), sd.SubNameVSCCSID) == (b"me", 1208)


def test_headers_in_front_of_messages() -> None:
    dlh = ibmmq.DLH(Reason=2085, DestQName="LOST")
    body = dlh.pack() + b"rest"
    assert ibmmq.DLH().get_header(body).Reason == 2085
    md = ibmmq.MD(Version=1, Priority=2)
    message = ibmmq.XQH(RemoteQName="FAR").pack() + md.pack()[: CMQC.MQMD_LENGTH_1] + b"rest"
    assert ibmmq.XQH().get_header(message).RemoteQName.rstrip(b"\0") == b"FAR"
    embedded = ibmmq.XQH().get_embedded_md(message)
    assert embedded.Priority == 2
    assert "GroupId" not in embedded.get()


@pytest.mark.parametrize("face", [ibmmq, pymqi])
def test_an_error_goes_through_a_pickle(face: Any) -> None:
    error = face.MQMIError(2, 2033)
    assert error.args == (2, 2033)
    back = pickle.loads(pickle.dumps(error))
    assert (type(back), back.comp, back.reason, str(back)) == (face.MQMIError, 2, 2033, str(error))
