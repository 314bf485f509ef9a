"""Selection strings and properties of programs of the two packages, in process, by a socket and over TCP."""

from typing import Any

import pytest
from tests.support.programs import Site


def selecting(site: Site, text: str, options: int | None = None) -> Any:
    face, cmqc = site.face, site.face.CMQC
    od = face.OD(Version=cmqc.MQOD_VERSION_4, ObjectName=b"DEV.QUEUE.1")
    od.set_vs("SelectionString", text.encode(), 0, len(text.encode()))
    queue = face.Queue(site.connect())
    queue.open(od, cmqc.MQOO_INPUT_SHARED | cmqc.MQOO_BROWSE if options is None else options)
    return queue


def put(site: Site, queue: Any, data: bytes, **values: str) -> None:
    face, cmqc = site.face, site.face.CMQC
    handle = face.MessageHandle()
    for name, value in values.items():
        handle.properties.set(name.encode(), value.encode())
    pmo = face.PMO(Version=cmqc.MQPMO_VERSION_3)
    pmo.OriginalMsgHandle = handle.msg_handle
    queue.put(data, face.MD(), pmo)


def test_gets_browses_and_waits_select(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    for number, colour in enumerate(("red", "green", "blue", "green")):
        put(site, queue, b"%d" % number, colour=colour)
    green = selecting(site, "colour = 'green' AND Root.MQMD.Priority >= 0")
    gmo = face.GMO(Options=cmqc.MQGMO_BROWSE_FIRST | cmqc.MQGMO_NO_PROPERTIES)
    assert green.get(None, face.MD(), gmo) == b"1"
    gmo = face.GMO(Options=cmqc.MQGMO_NO_PROPERTIES | cmqc.MQGMO_WAIT, WaitInterval=50)
    assert green.get(None, face.MD(), gmo) == b"1"
    assert green.get(None, face.MD(), gmo) == b"3"
    with pytest.raises(face.MQMIError) as none:
        green.get(None, face.MD(), gmo)
    assert none.value.reason == cmqc.MQRC_NO_MSG_AVAILABLE


def test_selection_strings_that_are_refused(site: Site) -> None:
    cmqc = site.face.CMQC
    for text, options, reason in (
        ("colour = ", None, cmqc.MQRC_SELECTOR_SYNTAX_ERROR),
        ("Root.XML.a = 1", None, cmqc.MQRC_SELECTION_NOT_AVAILABLE),
        ("a = 1", cmqc.MQOO_OUTPUT, cmqc.MQRC_SELECTOR_INVALID_FOR_TYPE),
        ("a = 1" + " " * 11000, None, cmqc.MQRC_SELECTION_STRING_ERROR),
    ):
        with pytest.raises(site.face.MQMIError) as refused:
            selecting(site, text, options)
        assert refused.value.reason == reason, text


def test_properties_go_into_a_handle_or_stay(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    for control, there in (("COMPAT", True), ("NONE", True), ("ALL", True), ("FORCE", False)):
        site.place.mqsc(f"ALTER QLOCAL(DEV.QUEUE.1) PROPCTL({control})")
        queue = site.queue()
        put(site, queue, b"body", colour="red")
        handle = face.MessageHandle()
        gmo = face.GMO(Version=cmqc.MQGMO_VERSION_4, MsgHandle=handle.msg_handle)
        data = queue.get(None, face.MD(), gmo)
        if there:
            assert data == b"body"
            assert handle.properties.get(b"colour") == "red"
            assert handle.properties.get(b"Root.MQMD.MsgType") == cmqc.MQMT_DATAGRAM
        else:
            assert data.startswith(b"RFH ")
    site.place.mqsc("ALTER QLOCAL(DEV.QUEUE.1) PROPCTL(NONE)")
    put(site, queue, b"body", colour="red")
    assert queue.get() == b"body"
    site.place.mqsc("ALTER QLOCAL(DEV.QUEUE.1) PROPCTL(COMPAT)")
    put(site, queue, b"body", colour="red")
    assert queue.get().startswith(b"RFH ")
    with pytest.raises(face.MQMIError) as refused:
        queue.get(None, face.MD(), face.GMO(Options=cmqc.MQGMO_PROPERTIES_IN_HANDLE))
    assert refused.value.reason == cmqc.MQRC_HMSG_ERROR


def test_a_message_is_forwarded_with_what_goes_along(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    original, new = face.MessageHandle(), face.MessageHandle()
    original.properties.set(b"kept", b"1", pd=face.PD(CopyOptions=cmqc.MQCOPY_FORWARD))
    original.properties.set(b"left", b"2", pd=face.PD(CopyOptions=cmqc.MQCOPY_REPLY))
    original.properties.set(b"Root.MQMD.Priority", 7, property_type=cmqc.MQTYPE_INT32)
    new.properties.set(b"more", b"3")
    pmo = face.PMO(
        Version=cmqc.MQPMO_VERSION_3,
        OriginalMsgHandle=original.msg_handle,
        NewMsgHandle=new.msg_handle,
        Action=cmqc.MQACTP_FORWARD,
        Options=cmqc.MQPMO_MD_FOR_OUTPUT_ONLY,
    )
    queue.put(b"body", face.MD(), pmo)
    handle, md, pd = face.MessageHandle(), face.MD(), face.PD()
    gmo = face.GMO(Version=cmqc.MQGMO_VERSION_4, MsgHandle=handle.msg_handle)
    assert queue.get(None, md, gmo) == b"body"
    assert md.Priority == 7
    assert handle.properties.get(b"kept", pd=pd) == "1"
    assert pd.CopyOptions == cmqc.MQCOPY_FORWARD
    assert handle.properties.get(b"more") == "3"
    with pytest.raises(face.MQMIError) as refused:
        handle.properties.get(b"left")
    assert refused.value.reason == cmqc.MQRC_PROPERTY_NOT_AVAILABLE
    pmo.Action = 9
    mistakes: list[tuple[Any, int]] = [
        (lambda: queue.put(b"x", face.MD(), pmo), cmqc.MQRC_ACTION_ERROR),
        (lambda: face.MessageHandle(cmho=face.CMHO(Options=3)), cmqc.MQRC_CMHO_ERROR),
        (lambda: new.properties.set(b"a", b"b", pd=face.PD(Support=5)), cmqc.MQRC_PD_ERROR),
        (lambda: new.properties.set(b"a", b"b", smpo=face.SMPO(Options=99)), cmqc.MQRC_SMPO_ERROR),
    ]
    for call, reason in mistakes:
        with pytest.raises(face.MQMIError) as refused:
            call()
        assert refused.value.reason == reason


def test_data_is_converted_for_who_asks(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    put(site, queue, "grün".encode("cp500"), colour="rot")
    queue.put("grün".encode("cp500"), face.MD(Format=cmqc.MQFMT_STRING, CodedCharSetId=500, Encoding=785))
    queue.put(b"abc", face.MD(Format=b"MINE    ", CodedCharSetId=500, Encoding=785))
    queue.put("grün".encode("latin-1"), face.MD(Format=cmqc.MQFMT_STRING, CodedCharSetId=819))
    convert = face.GMO(Options=cmqc.MQGMO_CONVERT | cmqc.MQGMO_NO_PROPERTIES)
    queue.get(None, face.MD(), face.GMO(Options=cmqc.MQGMO_NO_PROPERTIES))
    md = face.MD(CodedCharSetId=1208)
    assert queue.get(None, md, convert) == "grün".encode()
    assert (md.CodedCharSetId, md.Encoding) == (1208, cmqc.MQENC_NATIVE)
    with pytest.raises(face.MQMIError) as warned:
        queue.get(None, face.MD(CodedCharSetId=1208), convert)
    assert (warned.value.reason, warned.value.message) == (cmqc.MQRC_FORMAT_ERROR, b"abc")
    with pytest.raises(face.MQMIError) as warned:
        queue.get(4, face.MD(CodedCharSetId=1208), convert)
    assert warned.value.reason == cmqc.MQRC_CONVERTED_MSG_TOO_BIG
    assert warned.value.message == "grün".encode("latin-1")
