"""What programs of the two packages do: in process, by a socket on the machine, over TCP with and without sharing."""

from functools import partial
from typing import Any

import pytest
from tests.support.programs import Site

from kew import ibmmq


def refused(site: Site, call: Any) -> Any:
    with pytest.raises(site.face.MQMIError) as failure:
        call()
    return failure.value


def test_a_message_and_its_descriptor(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    md, pmo = face.MD(), face.PMO()
    md.Persistence = cmqc.MQPER_PERSISTENT
    md.ReplyToQ = b"REPLIES"
    queue.put("grün", md, pmo)
    assert md.MsgId.startswith(b"AMQ QM1 ")
    assert len(md.MsgId) == 24
    assert md.ReplyToQ.rstrip(b"\0 ") == b"REPLIES"
    assert pmo.ResolvedQName.rstrip() == b"DEV.QUEUE.1"
    got = face.MD()
    assert queue.get(None, got) == "grün".encode()
    assert (got.MsgId, got.Format, got.CodedCharSetId) == (md.MsgId, b"MQSTR   ", 1208)
    assert (got.Persistence, got.ReplyToQ) == (1, b"REPLIES".ljust(48))
    assert len(got.PutApplName) == 28
    error = refused(site, queue.get)
    assert (error.comp, error.reason) == (cmqc.MQCC_FAILED, cmqc.MQRC_NO_MSG_AVAILABLE)
    comma = ":" if site.face is not ibmmq else ""
    assert str(error) == f"MQI Error. Comp{comma} 2, Reason 2033: FAILED: MQRC_NO_MSG_AVAILABLE"


def test_queues_open_when_they_are_first_used(site: Site) -> None:
    manager = site.connect()
    queue = site.face.Queue(manager, "DEV.QUEUE.1")
    assert queue.get_handle() is None
    queue.put(b"one")
    assert queue.get_handle()
    queue.close()
    with pytest.raises(site.face.PYIFError, match="not open"):
        queue.close()
    with pytest.raises(site.face.PYIFError, match="The Queue Descriptor has not been set"):
        queue.put(b"x")
    queue.open("DEV.QUEUE.1")
    assert queue.get() == b"one"
    with pytest.raises(site.face.PYIFError, match="The Queue is already open"):
        queue.open("DEV.QUEUE.1")
    with pytest.raises(TypeError, match="Too many args"):
        site.face.Queue(manager, "DEV.QUEUE.1", 1, 2)


def test_messages_that_do_not_fit(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    queue.put(b"0123456789")
    error = refused(site, lambda: queue.get(4))
    assert (error.comp, error.reason) == (cmqc.MQCC_WARNING, cmqc.MQRC_TRUNCATED_MSG_FAILED)
    assert (error.message, error.original_length) == (b"0123", 10)
    assert queue.get(10) == b"0123456789"
    queue.put(b"0123456789")
    gmo = face.GMO(Options=cmqc.MQGMO_ACCEPT_TRUNCATED_MSG)
    error = refused(site, lambda: queue.get(4, face.MD(), gmo))
    assert (error.reason, error.message) == (cmqc.MQRC_TRUNCATED_MSG_ACCEPTED, b"0123")
    refused(site, queue.get)
    long = bytes(range(256)) * 2000
    queue.put(long)
    assert queue.get() == long


def test_matching_browsing_and_waiting(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    wanted = face.MD(CorrelId=b"c" * 24)
    queue.put(b"first")
    queue.put(b"second", face.MD(CorrelId=b"c" * 24))
    browse = face.GMO(Options=cmqc.MQGMO_BROWSE_FIRST)
    assert queue.get(None, face.MD(), browse) == b"first"
    browse.Options = cmqc.MQGMO_BROWSE_NEXT
    assert queue.get(None, face.MD(), browse) == b"second"
    assert queue.get(None, wanted) == b"second"
    assert wanted.CorrelId == b"c" * 24
    wait = face.GMO(Options=cmqc.MQGMO_WAIT, WaitInterval=20)
    assert refused(site, lambda: queue.get(None, face.MD(CorrelId=b"d" * 24), wait)).reason == 2033
    assert queue.get(None, face.MD(), wait) == b"first"


def test_units_of_work(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    queue = site.queue(manager=manager)
    under = face.PMO(Options=cmqc.MQPMO_SYNCPOINT)
    queue.put(b"undone", face.MD(), under)
    manager.backout()
    refused(site, queue.get)
    queue.put(b"done", face.MD(), under)
    manager.commit()
    got = face.MD()
    assert queue.get(None, got, face.GMO(Options=cmqc.MQGMO_SYNCPOINT)) == b"done"
    manager.backout()
    again = face.MD()
    assert queue.get(None, again, face.GMO(Options=cmqc.MQGMO_SYNCPOINT)) == b"done"
    assert again.BackoutCount == 1
    manager.commit()
    refused(site, queue.get)


def test_put1(site: Site) -> None:
    manager = site.connect()
    md = site.face.MD()
    manager.put1("DEV.QUEUE.2", b"bytes", md)
    assert md.MsgId.strip(b"\0")
    manager.put1(site.face.OD(ObjectName=b"DEV.QUEUE.2"), "text")
    queue = site.queue("DEV.QUEUE.2", manager=manager)
    assert [queue.get(), queue.get()] == [b"bytes", b"text"]
    assert refused(site, lambda: manager.put1("NO.SUCH.QUEUE", b"x")).reason == site.face.CMQC.MQRC_UNKNOWN_OBJECT_NAME
    with pytest.raises(TypeError, match="Message type is <class 'int'>"):
        manager.put1("DEV.QUEUE.2", 5)


def test_inquire_and_set(site: Site) -> None:
    cmqc = site.face.CMQC
    manager = site.connect()
    assert manager.inquire(cmqc.MQCA_Q_MGR_NAME) == b"QM1".ljust(48)
    assert manager.inquire(cmqc.MQIA_MAX_MSG_LENGTH) == 4194304
    queue = site.queue(manager=manager)
    queue.put(b"x")
    assert queue.inquire(cmqc.MQIA_CURRENT_Q_DEPTH) == 1
    assert queue.inquire(cmqc.MQCA_Q_NAME) == b"DEV.QUEUE.1".ljust(48)
    assert refused(site, lambda: queue.inquire(99999)).reason == cmqc.MQRC_SELECTOR_ERROR
    setter = site.queue("DEV.QUEUE.1", cmqc.MQOO_SET | cmqc.MQOO_INQUIRE, manager)
    setter.set(cmqc.MQIA_INHIBIT_PUT, cmqc.MQQA_PUT_INHIBITED)
    assert setter.inquire(cmqc.MQIA_INHIBIT_PUT) == cmqc.MQQA_PUT_INHIBITED
    assert refused(site, lambda: queue.put(b"y")).reason == cmqc.MQRC_PUT_INHIBITED


def test_dynamic_queues(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    od = face.OD(ObjectName=b"SYSTEM.DEFAULT.MODEL.QUEUE", DynamicQName=b"REPLY.*")
    queue = face.Queue(manager, od, cmqc.MQOO_INPUT_EXCLUSIVE | cmqc.MQOO_OUTPUT)
    name = od.ObjectName.rstrip()
    assert name.startswith(b"REPLY.")
    manager.put1(name, b"answer")
    assert queue.get() == b"answer"
    queue.close(cmqc.MQCO_DELETE_PURGE)
    assert refused(site, lambda: manager.put1(name, b"late")).reason == cmqc.MQRC_UNKNOWN_OBJECT_NAME


def test_properties(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    queue = site.queue(manager=manager)
    handle = face.MessageHandle(manager)
    handle.properties.set("colour", "red")
    handle.properties.set("size", 7, property_type=cmqc.MQTYPE_INT32)
    pmo = face.PMO(Version=cmqc.MQPMO_VERSION_3)
    pmo.OriginalMsgHandle = handle.msg_handle
    md = face.MD()
    for _ in range(3):
        queue.put(b"body", md, pmo)
        assert md.Format.rstrip(b"\0 ") == b""
        md = face.MD()
    into = face.MessageHandle(manager)
    gmo = face.GMO(Version=cmqc.MQGMO_VERSION_4, Options=cmqc.MQGMO_PROPERTIES_IN_HANDLE)
    gmo.MsgHandle = into.msg_handle
    got = face.MD()
    assert queue.get(4, got, gmo) == b"body"
    assert (into.properties.get("colour"), into.properties.get("size")) == ("red", 7)
    assert got.Format == b" " * 8
    error = refused(site, lambda: queue.get(3, face.MD(), gmo))
    assert (error.reason, error.message) == (cmqc.MQRC_TRUNCATED_MSG_FAILED, b"bod")
    assert queue.get_no_rfh2() == b"body"
    headers: list[Any] = []
    assert queue.get_rfh2(None, face.MD(), face.GMO(), headers) == b"body"
    assert headers[0]["usr"].startswith(b"<usr><colour>red</colour>")
    gmo.MsgHandle = 123456789
    assert refused(site, lambda: queue.get(None, face.MD(), gmo)).reason == cmqc.MQRC_HMSG_ERROR


def test_conversion(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    convert = face.GMO(Options=cmqc.MQGMO_CONVERT)
    queue.put("grün".encode("cp500"), face.MD(Format=cmqc.MQFMT_STRING, CodedCharSetId=500))
    got = face.MD()
    assert queue.get(None, got, convert) == "grün".encode()
    assert got.CodedCharSetId == 1208
    queue.put("grün", face.MD())
    got = face.MD(CodedCharSetId=819)
    assert queue.get(None, got, convert) == "grün".encode("latin-1")
    assert got.CodedCharSetId == 819
    queue.put(b"\0\1", face.MD(CodedCharSetId=500))
    error = refused(site, lambda: queue.get(None, face.MD(), convert))
    assert (error.comp, error.reason) == (cmqc.MQCC_WARNING, cmqc.MQRC_FORMAT_ERROR)
    assert error.message == b"\0\1"


def test_conversion_of_what_does_not_fit(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    accept = cmqc.MQGMO_CONVERT | cmqc.MQGMO_ACCEPT_TRUNCATED_MSG
    cases = [  # the text, its character set, the room, the wanted character set, and what comes
        ("äöü", 819, 4, 1208, "äö".encode()),  # grows
        ("äöü", 819, 5, 1208, "äö".encode() + b"\0"),  # and half a character is none
        ("äöü", 819, 5, 1200, "äö".encode("utf-16-le") + b"\0"),
        ("äöü", 1208, 3, 819, "ä".encode("latin-1") + b"\0\0"),  # was cut in the middle of a character, and shrinks
        ("äöü", 1208, 4, 500, "äö".encode("cp500") + b"\0\0"),
    ]
    for text, ccsid, room, wanted, expected in cases:
        data = text.encode({819: "latin-1", 1208: "utf-8"}[ccsid])
        queue.put(data, face.MD(Format=cmqc.MQFMT_STRING, CodedCharSetId=ccsid))
        got = face.MD(CodedCharSetId=wanted)
        cut = refused(site, partial(queue.get, room, got, face.GMO(Options=accept)))
        assert cut.reason == cmqc.MQRC_TRUNCATED_MSG_ACCEPTED
        assert (cut.message, got.CodedCharSetId) == (expected, wanted)
    queue.put("äöü".encode("latin-1"), face.MD(Format=cmqc.MQFMT_STRING, CodedCharSetId=819))
    error = refused(site, lambda: queue.get(4, face.MD(), face.GMO(Options=cmqc.MQGMO_CONVERT)))
    assert (error.reason, error.message) == (cmqc.MQRC_CONVERTED_MSG_TOO_BIG, "äöü".encode("latin-1"))


def test_a_message_that_is_converted_keeps_its_token(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    queue.put("ä".encode("cp500"), face.MD(Format=cmqc.MQFMT_STRING, CodedCharSetId=500))
    tokens = []
    for convert in (0, cmqc.MQGMO_CONVERT):
        gmo = face.GMO(Version=cmqc.MQGMO_VERSION_3, Options=cmqc.MQGMO_BROWSE_FIRST | convert)
        queue.get(None, face.MD(), gmo)
        tokens.append(bytes(gmo.MsgToken))
    assert tokens[0] == tokens[1] != bytes(16)
    queue.get(None, face.MD(), face.GMO())


@pytest.mark.parametrize("ccsid", [1200, 13488, 17584])
def test_conversion_to_a_character_set_that_no_header_can_have(site: Site, ccsid: int) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    header = face.RFH2(Format=b"MQSTR   ", CodedCharSetId=1208, Encoding=cmqc.MQENC_NATIVE, NameValueCCSID=1208)
    header.add_folder(b"<other><a>1</a></other>")
    queue.put_rfh2("grün".encode(), face.MD(Format=b"MQHRF2  ", CodedCharSetId=819), face.PMO(), [header])
    got = face.MD(CodedCharSetId=ccsid, Encoding=273)
    error = refused(site, lambda: queue.get(None, got, face.GMO(Options=cmqc.MQGMO_CONVERT)))
    assert (error.comp, error.reason) == (cmqc.MQCC_WARNING, cmqc.MQRC_PARTIALLY_CONVERTED)
    assert (got.CodedCharSetId, got.Encoding, got.Format) == (1208, cmqc.MQENC_NATIVE, b"MQHRF2  ")
    found = face.RFH2()
    found.unpack(error.message)
    assert (found["CodedCharSetId"], found["Encoding"]) == (ccsid, 273)
    assert error.message[found["StrucLength"] :] == "grün".encode("utf-16-be")


def test_headers_of_a_program_s_own(site: Site) -> None:
    face = site.face
    queue = site.queue()
    header = face.RFH2(Format=b"MQSTR   ")
    header.add_folder(b"<psc><Command>Publish</Command></psc>")
    queue.put_rfh2(b"body", face.MD(Format=b"MQHRF2  "), face.PMO(), [header, None])
    headers: list[Any] = []
    got = face.MD()
    assert queue.get_rfh2(None, got, face.GMO(), headers) == b"body"
    assert headers[0].get_folders() == ["psc"]
    with pytest.raises(TypeError, match="should be a list"):
        queue.put_rfh2(b"x", face.MD(), face.PMO(), header)
    with pytest.raises(TypeError, match="Convert to bytes"):
        queue.put_rfh2("text")


def test_a_message_that_is_put_with_a_warning_is_told_of_all_the_same(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    queue = site.queue("DEV.QUEUE.1", cmqc.MQOO_OUTPUT | cmqc.MQOO_INPUT_SHARED, manager)
    for put in (queue.put, lambda *what: manager.put1("DEV.QUEUE.1", *what)):
        md, pmo = face.MD(Priority=77), face.PMO()
        told = refused(site, partial(put, b"urgent", md, pmo))
        assert (told.comp, told.reason) == (cmqc.MQCC_WARNING, cmqc.MQRC_PRIORITY_EXCEEDS_MAXIMUM)
        got = face.MD()
        assert queue.get(None, got) == b"urgent"
        assert (got.MsgId, got.Priority) == (md.MsgId, 77)


def test_a_program_that_acts_for_another_may_do_what_he_may(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    site.place.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(ALTUSR)")
    manager = site.connect()
    opening = cmqc.MQOO_OUTPUT | cmqc.MQOO_ALTERNATE_USER_AUTHORITY
    putting = face.PMO(Options=cmqc.MQPMO_ALTERNATE_USER_AUTHORITY)
    allowed = face.OD(ObjectName=b"DEV.QUEUE.1", AlternateUserId=b"app")
    face.Queue(manager, allowed, opening).put(b"opened")
    manager.put1(allowed, b"at once", face.MD(), putting)
    queue = site.queue("DEV.QUEUE.1", manager=manager)
    assert [queue.get(), queue.get()] == [b"opened", b"at once"]
    refused_to = face.OD(ObjectName=b"DEV.QUEUE.1", AlternateUserId=b"nobody")
    assert refused(site, lambda: face.Queue(manager, refused_to, opening)).reason == cmqc.MQRC_NOT_AUTHORIZED
    assert refused(site, lambda: manager.put1(refused_to, b"x", face.MD(), putting)).reason == cmqc.MQRC_NOT_AUTHORIZED


def test_context_that_is_to_be_passed_on_from_nowhere(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue(options=cmqc.MQOO_OUTPUT | cmqc.MQOO_PASS_ALL_CONTEXT)
    pmo = face.PMO(Options=cmqc.MQPMO_PASS_ALL_CONTEXT)
    pmo.Context = 4711
    for put in (queue.put, partial(site.managers[0].put1, "DEV.QUEUE.1")):
        with pytest.raises(face.MQMIError) as refused:
            put(b"whose?", face.MD(), pmo)
        assert refused.value.reason == cmqc.MQRC_CONTEXT_HANDLE_ERROR


def test_wrong_use(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    assert refused(site, lambda: site.queue("NO.SUCH", manager=manager)).reason == cmqc.MQRC_UNKNOWN_OBJECT_NAME
    only_put = site.queue("DEV.QUEUE.1", cmqc.MQOO_OUTPUT, manager)
    assert refused(site, only_put.get).reason == cmqc.MQRC_NOT_OPEN_FOR_INPUT
    assert refused(site, lambda: only_put.put(b"x", face.MD(Priority=-2))).reason == cmqc.MQRC_PRIORITY_ERROR
    assert refused(site, lambda: only_put.put(b"x", face.MD(Expiry=1 << 40))).reason == cmqc.MQRC_MD_ERROR
    elsewhere = face.OD(ObjectName=b"DEV.QUEUE.1", ObjectQMgrName=b"NOWHERE")
    assert refused(site, lambda: face.Queue(manager, elsewhere, 16)).reason == cmqc.MQRC_UNKNOWN_REMOTE_Q_MGR
    lost = site.queue("DEV.QUEUE.1", cmqc.MQOO_OUTPUT, manager)
    lost.set_handle(4711)
    assert refused(site, lambda: lost.put(b"x")).reason == cmqc.MQRC_HOBJ_ERROR
    manager.disconnect()
    with pytest.raises(face.PYIFError, match="not connected"):
        manager.disconnect()
    with pytest.raises(face.PYIFError, match="not connected"):
        manager.get_handle()
    assert refused(site, manager.commit).reason == cmqc.MQRC_HCONN_ERROR
    with pytest.raises(face.PYIFError, match="not connected"):
        only_put.put(b"x")


def test_topics_that_are_not_open(site: Site) -> None:
    manager = site.connect()
    topic = site.face.Topic(manager, topic_string="news/sport")
    with pytest.raises(site.face.PYIFError, match=r"Topic not open\."):
        topic.close()
    with pytest.raises(site.face.PYIFError, match="ObjectType is not MQOT_TOPIC"):
        site.face.Topic(manager, topic_desc=site.face.OD())


def test_a_manager_that_goes_ends_its_connection(site: Site) -> None:
    engine = site.place.manager.host.engine
    before = len(engine.connections)
    manager = site.connect()
    site.managers.clear()
    assert len(engine.connections) == before + 1
    del manager
    from tests.support.network import eventually

    assert eventually(lambda: len(engine.connections) == before)


def test_attributes_that_a_queue_does_not_have(site: Site) -> None:
    cmqc = site.face.CMQC
    site.place.mqsc("DEFINE QALIAS(DEV.ALIAS) TARGET(DEV.QUEUE.1) REPLACE")
    manager = site.connect()
    alias = site.queue("DEV.ALIAS", cmqc.MQOO_INQUIRE, manager)
    told = refused(site, lambda: alias.inquire(cmqc.MQIA_CURRENT_Q_DEPTH))
    assert (told.comp, told.reason) == (cmqc.MQCC_WARNING, cmqc.MQRC_SELECTOR_NOT_FOR_TYPE)
    assert refused(site, lambda: manager.inquire(cmqc.MQIA_CURRENT_Q_DEPTH)).reason == cmqc.MQRC_SELECTOR_ERROR
    assert manager.inquire(cmqc.MQCA_VERSION).strip()


def test_setting_text(site: Site) -> None:
    cmqc = site.face.CMQC
    queue = site.queue("DEV.QUEUE.1", cmqc.MQOO_SET | cmqc.MQOO_INQUIRE)
    queue.set(cmqc.MQCA_TRIGGER_DATA, b"what to do".ljust(64))
    assert queue.inquire(cmqc.MQCA_TRIGGER_DATA) == b"what to do".ljust(64)
    assert refused(site, lambda: queue.set(cmqc.MQCA_Q_DESC, b"no".ljust(64))).reason == cmqc.MQRC_SELECTOR_ERROR
    queue.set(cmqc.MQCA_TRIGGER_DATA, b"".ljust(64))


def test_structures_of_versions_that_there_are_not(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    for md, pmo, reason in (
        (face.MD(Version=9), face.PMO(), cmqc.MQRC_MD_ERROR),
        (face.MD(), face.PMO(Version=9), cmqc.MQRC_PMO_ERROR),
    ):
        assert refused(site, lambda md=md, pmo=pmo: queue.put(b"x", md, pmo)).reason == reason
    for md, gmo, reason in (
        (face.MD(Version=0), face.GMO(), cmqc.MQRC_MD_ERROR),
        (face.MD(), face.GMO(Version=9), cmqc.MQRC_GMO_ERROR),
    ):
        assert refused(site, lambda md=md, gmo=gmo: queue.get(None, md, gmo)).reason == reason
    assert queue.inquire(cmqc.MQIA_CURRENT_Q_DEPTH) == 0


def test_begin(site: Site) -> None:
    cmqc = site.face.CMQC
    told = refused(site, site.connect().begin)
    if site.way in ("shared", "alone"):
        assert (told.comp, told.reason) == (cmqc.MQCC_FAILED, cmqc.MQRC_ENVIRONMENT_ERROR)
    else:
        assert (told.comp, told.reason) == (cmqc.MQCC_WARNING, cmqc.MQRC_NO_EXTERNAL_PARTICIPANTS)
