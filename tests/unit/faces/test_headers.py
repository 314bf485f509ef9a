"""MQRFH2 headers and PCF messages, against the codecs of kew.formats."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kew import ibmmq, pymqi
from kew.codes.attributes import MQCA_Q_DESC, MQCA_Q_NAME, MQIA_CURRENT_Q_DEPTH, MQIACF_Q_ATTRS
from kew.codes.commands import MQCMD_INQUIRE_Q
from kew.faces import pcfcommands
from kew.faces.rfh2 import read_headers
from kew.formats import mqrfh2
from kew.ibmmq import CMQC, CMQCFC

FACES: list[Any] = [ibmmq, pymqi]


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("encoding", [CMQC.MQENC_NATIVE, 273])
def test_folders(face: Any, encoding: int) -> None:
    header = face.RFH2(Format=b"MQSTR   ", NameValueCCSID=1208)
    header.add_folder(b"<usr><a>1</a></usr>")
    header.add_folder(b"<mcd/>")
    packed = header.pack(encoding)
    assert header.StrucLength == len(packed)
    decoded = mqrfh2.decode(packed)
    assert decoded.folders == ["<usr><a>1</a></usr>", "<mcd/>"]
    read = face.RFH2()
    read.unpack(packed + b"body", encoding)
    assert read["usr"].rstrip() == b"<usr><a>1</a></usr>"
    assert read.usrLength == 20
    assert read.get_folders() == ["usr", "mcd"]
    headers, rest = read_headers(face.RFH2, packed + b"body", b"MQHRF2  ", b"MQHRF2  ")
    assert (len(headers), rest) == (1, b"body")


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"XYZ " + bytes(40), "not MQRFH_STRUC_ID"),
        (b"RFH " + bytes(10), "Buffer too short"),
        (b"RFH \2\0\0\0\xff\xff\xff\xff" + bytes(40), "negative"),
        (b"RFH \2\0\0\0\xff\0\0\0" + bytes(40), "Buffer too short"),
        (b"RFH \2\0\0\0\x26\0\0\0" + bytes(40), "Buffer too short"),
        (b"RFH \2\0\0\0\x2c\0\0\0" + bytes(24) + b"\xff\xff\xff\xff" + bytes(4), "negative"),
        (b"RFH \2\0\0\0\x2c\0\0\0" + bytes(24) + b"\4\0\0\0" + b"<<<<", "not well formed"),
    ],
)
def test_bytes_that_are_no_header(face: Any, data: bytes, text: str) -> None:
    with pytest.raises(face.PYIFError, match=text):
        face.RFH2().unpack(data)


def test_a_header_without_length_is_not_read_for_ever() -> None:
    header = ibmmq.RFH2(Format=b"MQHRF2  ")
    assert header.StrucLength == 0
    with pytest.raises(ibmmq.PYIFError, match="StrucLength is 0"):
        read_headers(ibmmq.RFH2, header.pack() * 3, b"MQHRF2  ", b"MQHRF2  ")


def test_folders_that_are_not_whole_xml() -> None:
    folder = b"<usr><x:a>1</x:a></usr>"
    header = ibmmq.RFH2()
    header.add_folder(folder)
    assert header.get_folders() == ["usr"]
    assert ibmmq.RFH2.get_folder_name(folder) == "usr"
    with pytest.raises(pymqi.PYIFError, match="not well formed"):
        pymqi.RFH2().add_folder(folder)
    with pytest.raises(TypeError, match="Convert to bytes"):
        header.add_folder("<a/>")  # type: ignore[arg-type]


@given(st.binary(max_size=120))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for face in FACES:
        try:
            face.RFH2().unpack(b"RFH " + data)
        except face.PYIFError:
            continue


def request_of(arguments: Any, filters: Any = ()) -> bytes:
    return pcfcommands.command_message("MQCMD_INQUIRE_Q", arguments, filters, "utf8")


def test_a_command_and_its_parameters() -> None:
    message = request_of(
        {
            MQCA_Q_NAME: "DEV.*",
            MQIACF_Q_ATTRS: MQIA_CURRENT_Q_DEPTH,
            3001: ["one", b"three"],
            1110: [1, 2, 3],
            7001: pcfcommands.ByteString(b"\1\2"),
            1111: 5,
        },
        [ibmmq.Filter(MQIA_CURRENT_Q_DEPTH).greater(3), ibmmq.Filter(MQCA_Q_DESC).like(b"A*")],
    )
    found, cfh = ibmmq.PCFExecute.unpack(message)
    assert (cfh.Command, cfh.ParameterCount, cfh.Version) == (MQCMD_INQUIRE_Q, 8, 3)
    assert found[MQCA_Q_NAME] == b"DEV.*"
    assert found[MQIACF_Q_ATTRS] == [MQIA_CURRENT_Q_DEPTH]
    assert found[3001] == [b"one\0\0\0\0\0", b"three\0\0\0"]
    assert (found[1110], found[1111]) == ([1, 2, 3], 5)
    assert found[7001][:2] == b"\1\2"
    assert found[MQIA_CURRENT_Q_DEPTH] == (CMQCFC.MQCFOP_GREATER, 3)
    assert found[MQCA_Q_DESC][0] == CMQCFC.MQCFOP_LIKE
    named = ibmmq.PCFExecute.stringify_keys({MQCA_Q_NAME: b"x", MQIA_CURRENT_Q_DEPTH: 1, 99999: 2})
    assert named == {"MQCA_Q_NAME": b"x", "MQIA_CURRENT_Q_DEPTH": 1, 99999: 2}


def test_padding_of_characters_differs() -> None:
    message = request_of({MQCA_Q_NAME: b"ABCDE"})
    assert ibmmq.PCFExecute.unpack(message)[0][MQCA_Q_NAME] == b"ABCDE"
    assert pymqi.PCFExecute.unpack(message)[0][MQCA_Q_NAME] == b"ABCDE\0\0\0"


def test_groups() -> None:
    body = ibmmq.CFGR(Parameter=8001, ParameterCount=2).pack()
    body += ibmmq.CFIN(Parameter=1, Value=2).pack() + ibmmq.CFIN64(Parameter=3, Value=1 << 40).pack()
    body += ibmmq.CFGR(Parameter=8001, ParameterCount=1).pack() + ibmmq.CFIL64(Parameter=4, Values=[5, 6]).pack()
    body += ibmmq.CFIN(Parameter=9, Value=9).pack()
    message = ibmmq.CFH(Type=CMQCFC.MQCFT_RESPONSE, ParameterCount=3).pack() + body
    found, _ = ibmmq.PCFExecute.unpack(message)
    assert found == {8001: [{1: 2, 3: 1 << 40}, {4: [5, 6]}], 9: 9}


def test_a_failed_command_is_raised() -> None:
    message = ibmmq.CFH(CompCode=2, Reason=CMQC.MQRC_UNKNOWN_OBJECT_NAME).pack()
    with pytest.raises(ibmmq.MQMIError) as failure:
        ibmmq.PCFExecute.unpack(message)
    assert str(failure.value) == "MQI Error. Comp 2, Reason 2085: FAILED: MQRC_UNKNOWN_OBJECT_NAME"


def test_filters() -> None:
    assert repr(ibmmq.Filter(MQCA_Q_NAME).equal(b"x")).startswith("<StringFilter at 0x")
    with pytest.raises(ibmmq.Error, match=r"Operator \[smells_like\] is not supported"):
        ibmmq.Filter(MQCA_Q_NAME).smells_like(b"x")
    with pytest.raises(ibmmq.Error, match="unsupported type"):
        ibmmq.Filter(99999).equal(1)
    with pytest.raises(pymqi.Error, match="unsupported type"):
        pymqi.Filter(7000).equal(b"1")
    assert isinstance(ibmmq.Filter(7000).equal(b"1"), ibmmq.ByteStringFilter)
    with pytest.raises(TypeError, match="Convert to bytes"):
        ibmmq.Filter(MQCA_Q_NAME).like("text")


@given(st.binary(max_size=90), st.integers(0, 4))
def test_any_bytes_after_a_pcf_header_are_read_or_refused(data: bytes, count: int) -> None:
    try:
        ibmmq.PCFExecute.unpack(ibmmq.CFH(ParameterCount=count).pack() + data)
    except (ValueError, NotImplementedError):
        return


def test_what_pcf_cannot_carry() -> None:
    with pytest.raises(TypeError, match="which PCF cannot carry"):
        request_of({1: 2.5})
    with pytest.raises(KeyError):
        pcfcommands.command_message("MQCMD_NO_SUCH", {}, [], "utf8")


@pytest.mark.parametrize("encoding", [16, 768, 273, 785, 546])
def test_pymqi_knows_big_endian_encodings_by_a_list_of_its_own(encoding: int) -> None:
    version = pymqi.RFH2(Format=b"MQSTR   ").pack(encoding)[4:8]
    assert version == (2).to_bytes(4, "big" if encoding in (16, 768, 273) else "little")
