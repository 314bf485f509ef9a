"""Reading ahead and asynchronous puts of programs: over a network as MQ's clients have them, on the machine not."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.support.programs import Site

QUEUE = "DEV.QUEUE.1"
MANY = 5


@pytest.fixture(autouse=True)
def _plain_again(site: Site) -> Iterator[None]:
    yield
    site.place.mqsc(f"ALTER QLOCAL({QUEUE}) DEFREADA(NO) DEFPRESP(SYNC)")


def put(site: Site) -> None:
    queue = site.queue(options=site.face.CMQC.MQOO_OUTPUT)
    for number in range(MANY):
        queue.put(b"%d" % number)


def refused(site: Site, call: Any) -> tuple[int, int]:
    with pytest.raises(site.face.MQMIError) as failure:
        call()
    return failure.value.comp, failure.value.reason


def test_an_option_of_mqopen_or_the_queue_has_messages_read_ahead(site: Site) -> None:
    cmqc = site.face.CMQC
    for defined, options in (("NO", cmqc.MQOO_READ_AHEAD), ("YES", cmqc.MQOO_READ_AHEAD_AS_Q_DEF)):
        site.place.mqsc(f"ALTER QLOCAL({QUEUE}) DEFREADA({defined})")
        put(site)
        queue = site.queue(options=cmqc.MQOO_INPUT_SHARED | options)
        assert queue.get() == b"0"
        assert site.place.depth(QUEUE) == (0 if site.way == "shared" else MANY - 1)
        md = site.face.MD()
        for number in range(1, MANY):
            md.MsgId = md.CorrelId = bytes(24)
            assert queue.get(None, md) == b"%d" % number  # whatever else the message before has left in the MD
        queue.close()


def test_a_buffer_too_short_and_properties_in_a_handle(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    out = site.queue(options=cmqc.MQOO_OUTPUT, manager=manager)
    handle = face.MessageHandle(manager)
    handle.properties.set("colour", "red")
    pmo = face.PMO(Version=cmqc.MQPMO_VERSION_3, OriginalMsgHandle=handle.msg_handle)
    for _ in range(2):
        out.put(b"0123456789", face.MD(), pmo)
    queue = site.queue(options=cmqc.MQOO_INPUT_SHARED | cmqc.MQOO_READ_AHEAD, manager=manager)
    into = face.MessageHandle(manager)
    gmo = face.GMO(Version=cmqc.MQGMO_VERSION_4, MsgHandle=into.msg_handle)
    assert refused(site, lambda: queue.get(4, face.MD(), gmo)) == (1, cmqc.MQRC_TRUNCATED_MSG_FAILED)
    for _ in range(2):
        assert queue.get(10, face.MD(), gmo) == b"0123456789"
        assert into.properties.get("colour") in (b"red", "red")


def test_closing_a_handle_with_messages_read_ahead(site: Site) -> None:
    cmqc = site.face.CMQC
    put(site)
    queue = site.queue(options=cmqc.MQOO_INPUT_SHARED | cmqc.MQOO_READ_AHEAD)
    queue.get()
    if site.way != "shared":
        queue.close(cmqc.MQCO_QUIESCE)
        assert site.place.depth(QUEUE) == MANY - 1
        return
    assert refused(site, lambda: queue.close(cmqc.MQCO_QUIESCE)) == (1, cmqc.MQRC_READ_AHEAD_MSGS)
    assert [queue.get() for _ in range(1, MANY)] == [b"%d" % number for number in range(1, MANY)]
    assert refused(site, queue.get) == (2, cmqc.MQRC_HOBJ_QUIESCED_NO_MSGS)
    queue.close(cmqc.MQCO_QUIESCE)


def test_options_that_do_not_go_with_it(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    put(site)
    queue = site.queue(options=cmqc.MQOO_INPUT_SHARED | cmqc.MQOO_READ_AHEAD)
    assert queue.get() == b"0"
    for options, reason in (
        (cmqc.MQGMO_SYNCPOINT, cmqc.MQRC_OPTIONS_ERROR),
        (cmqc.MQGMO_ACCEPT_TRUNCATED_MSG, cmqc.MQRC_OPTIONS_CHANGED),
    ):
        gmo = face.GMO(Options=options)
        if site.way == "shared":
            assert refused(site, lambda gmo=gmo: queue.get(10, face.MD(), gmo)) == (2, reason)
        else:
            assert queue.get(10, face.MD(), gmo)


def test_a_queue_may_have_puts_not_waited_for(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    site.place.mqsc(f"ALTER QLOCAL({QUEUE}) DEFPRESP(ASYNC)")
    manager = site.connect()
    queue = site.queue(options=cmqc.MQOO_OUTPUT | cmqc.MQOO_INPUT_SHARED, manager=manager)
    md, pmo = face.MD(), face.PMO()
    queue.put(b"x", md, pmo)
    assert pmo.Options == face.PMO().Options
    assert (md.PutDate.strip(b" \0") == b"") == (site.way in ("shared", "alone"))
    got = face.MD()
    assert queue.get(None, got, face.GMO(Options=cmqc.MQGMO_WAIT, WaitInterval=30000)) == b"x"
    assert (got.MsgId, got.PutApplName) == (md.MsgId, md.PutApplName)
    assert got.MsgId.startswith(b"AMQ QM1")
