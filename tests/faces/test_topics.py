"""Topics and subscriptions of programs of the two packages, in process, by a socket and over TCP."""

from typing import Any

import pytest
from tests.support.programs import Site


def subscribed(site: Site, manager: Any, topic: str, options: int = 0, name: str = "", queue: Any = None) -> Any:
    face, cmqc = site.face, site.face.CMQC
    sd = face.SD(Options=options or cmqc.MQSO_CREATE | cmqc.MQSO_MANAGED | cmqc.MQSO_NON_DURABLE)
    if topic:
        sd.set_vs("ObjectString", topic.encode())
    if name:
        sd.set_vs("SubName", name.encode())
    subscription = face.Subscription(manager)
    subscription.sub(sub_desc=sd, sub_queue=queue)
    return subscription


def reason_of(site: Site, call: Any, *arguments: Any) -> int:
    with pytest.raises(site.face.MQMIError) as refused:
        call(*arguments)
    reason: int = refused.value.reason
    return reason


def test_who_subscribes_gets_what_is_published(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    first, second = subscribed(site, manager, "dev/news/#"), subscribed(site, manager, "dev/+/sport")
    topic = face.Topic(manager, topic_string="dev/news/sport")
    topic.open(open_opts=cmqc.MQOO_OUTPUT)
    md = face.MD()
    topic.pub(b"one", md)
    other = face.MD()
    assert first.get(None, other) == second.get() == b"one"
    assert other.MsgId != md.MsgId
    assert other.CorrelId != bytes(24)
    by_object = face.Topic(manager, "DEV.BASE.TOPIC", "news")
    by_object.pub(b"two")
    assert first.get() == b"two"
    assert reason_of(site, second.get) == cmqc.MQRC_NO_MSG_AVAILABLE
    topic.close()
    first.close(close_sub_queue=True)
    by_object.pub(b"three")
    second.close(close_sub_queue=True)
    assert "not found" in site.place.mqsc("DISPLAY QLOCAL(SYSTEM.MANAGED*)")


def test_a_long_publication(site: Site) -> None:
    face = site.face
    manager = site.connect()
    first, second = subscribed(site, manager, "dev/long"), subscribed(site, manager, "dev/#")
    data = bytes(range(256)) * 1000
    face.Topic(manager, topic_string="dev/long").pub(data)
    assert first.get() == second.get() == data


def test_put1_to_a_topic(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    subscription = subscribed(site, manager, "dev/once")
    od = face.OD(Version=cmqc.MQOD_VERSION_4, ObjectType=cmqc.MQOT_TOPIC)
    od.set_vs("ObjectString", b"dev/once")
    for data in (b"short", bytes(10000)):
        manager.put1(od, data, face.MD(), face.PMO())
        assert subscription.get() == data


def test_a_durable_subscription_is_taken_up_again(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    lasting = cmqc.MQSO_CREATE | cmqc.MQSO_RESUME | cmqc.MQSO_MANAGED | cmqc.MQSO_DURABLE
    subscription = subscribed(site, manager, "dev/lasting", lasting, "MINE")
    assert reason_of(site, subscribed, site, manager, "dev/lasting", lasting, "MINE") == 2429
    subscription.close(close_sub_queue=True)
    manager.disconnect()
    again = site.connect()
    face.Topic(again, topic_string="dev/lasting").pub(b"meanwhile")
    subscription = subscribed(site, again, "", cmqc.MQSO_RESUME, "MINE")
    assert subscription.get() == b"meanwhile"
    subscription.close(cmqc.MQCO_REMOVE_SUB, close_sub_queue=True)
    assert reason_of(site, subscribed, site, again, "", cmqc.MQSO_RESUME, "MINE") == cmqc.MQRC_NO_SUBSCRIPTION


def test_a_queue_of_the_programs_own(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    queue = site.queue(manager=manager)
    subscription = subscribed(site, manager, "dev/own", cmqc.MQSO_CREATE, queue=queue)
    face.Topic(manager, topic_string="dev/own").pub(b"here")
    assert queue.get() == b"here"
    subscription.close()


def test_retained_publications(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    topic = face.Topic(manager, topic_string="dev/kept")
    topic.pub(b"old", face.MD(), face.PMO(Options=cmqc.MQPMO_RETAIN))
    topic.pub(b"new", face.MD(), face.PMO(Options=cmqc.MQPMO_RETAIN))
    subscription = subscribed(site, manager, "dev/kept")
    assert subscription.get() == b"new"
    if face.__name__.endswith("ibmmq"):
        sro = face.SRO()
        subscription.subrq(sro=sro)
        assert sro.NumPubs == 1
        assert subscription.get() == b"new"
    site.place.mqsc("CLEAR TOPICSTR('dev/kept') CLRTYPE(RETAINED)")


def test_a_unit_of_work(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    subscription = subscribed(site, manager, "dev/unit")
    topic = face.Topic(manager, topic_string="dev/unit")
    pmo = face.PMO(Options=cmqc.MQPMO_SYNCPOINT)
    topic.pub(b"not yet", face.MD(), pmo)
    assert reason_of(site, subscription.get) == cmqc.MQRC_NO_MSG_AVAILABLE
    manager.backout()
    topic.pub(b"now", face.MD(), pmo)
    manager.commit()
    assert subscription.get() == b"now"


def test_what_is_refused(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    unknown = face.Topic(manager, "NO.SUCH.TOPIC")
    assert reason_of(site, unknown.pub, b"x") == cmqc.MQRC_UNKNOWN_OBJECT_NAME
    options = cmqc.MQSO_CREATE | cmqc.MQSO_MANAGED | cmqc.MQSO_DURABLE
    assert reason_of(site, subscribed, site, manager, "dev/x", options) == cmqc.MQRC_SUB_NAME_ERROR
    assert reason_of(site, subscribed, site, manager, "dev/x", cmqc.MQSO_CREATE) == cmqc.MQRC_HOBJ_ERROR
    if site.way in ("shared", "alone"):  # a program that is not the owner of the queue manager
        assert reason_of(site, subscribed, site, manager, "secret/x") == cmqc.MQRC_NOT_AUTHORIZED
        forbidden = face.Topic(manager, topic_string="secret/x")
        assert reason_of(site, forbidden.pub, b"x") == cmqc.MQRC_NOT_AUTHORIZED


def test_the_warning_that_nobody_wants_it(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    topic = face.Topic(manager, topic_string="dev/nobody")
    pmo = face.PMO(Options=cmqc.MQPMO_WARN_IF_NO_SUBS_MATCHED)
    with pytest.raises(face.MQMIError) as warning:
        topic.pub(b"x", face.MD(), pmo)
    assert (warning.value.comp, warning.value.reason) == (cmqc.MQCC_WARNING, cmqc.MQRC_NO_SUBS_MATCHED)


def test_what_a_copy_says_of_its_publication(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    subscription = subscribed(site, manager, "dev/said/#")
    face.Topic(manager, topic_string="dev/said/here").pub(b"body", face.MD(), face.PMO(Options=cmqc.MQPMO_RETAIN))
    handle = face.MessageHandle(manager)
    gmo = face.GMO(Version=cmqc.MQGMO_VERSION_4, Options=cmqc.MQGMO_PROPERTIES_IN_HANDLE)
    gmo.MsgHandle = handle.msg_handle
    assert subscription.get(None, face.MD(), gmo) == b"body"
    assert handle.properties.get("mqps.Top") == "dev/said/here"
    assert handle.properties.get("MQTopicString") == "dev/said/here"
    later = subscribed(site, manager, "dev/said/here")
    assert later.get(None, face.MD(), gmo) == b"body"
    assert handle.properties.get("mqps.Ret") is True
    assert handle.properties.get("MQIsRetained") is True
    site.place.mqsc("CLEAR TOPICSTR('dev/said/here') CLRTYPE(RETAINED)")


def test_who_resumes_is_told_what_the_subscription_is_like(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    options = cmqc.MQSO_CREATE | cmqc.MQSO_MANAGED | cmqc.MQSO_DURABLE
    subscribed(site, manager, "dev/resumed", options, "RESUMED").close(cmqc.MQCO_KEEP_SUB)
    sd = face.SD(Options=cmqc.MQSO_RESUME)
    sd.set_vs("SubName", b"RESUMED")
    again = face.Subscription(manager)
    again.sub(sub_desc=sd)
    assert sd.Options & (cmqc.MQSO_MANAGED | cmqc.MQSO_DURABLE) == cmqc.MQSO_MANAGED | cmqc.MQSO_DURABLE
    again.close(cmqc.MQCO_REMOVE_SUB)
