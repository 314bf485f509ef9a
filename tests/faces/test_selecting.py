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
