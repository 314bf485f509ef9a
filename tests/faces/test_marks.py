"""Browsing with marks, as programs of both packages do it, by every way."""

import pytest
from tests.support.programs import Site


def test_two_programs_browse_together(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    queue.put(b"one")
    queue.put(b"two")
    browsers = [site.queue("DEV.QUEUE.1", cmqc.MQOO_BROWSE | cmqc.MQOO_CO_OP) for _ in range(2)]
    seen = []
    for browser in browsers:
        gmo = face.GMO(Version=4)
        gmo.Options = cmqc.MQGMO_BROWSE_FIRST | cmqc.MQGMO_UNMARKED_BROWSE_MSG | cmqc.MQGMO_MARK_BROWSE_CO_OP
        seen.append((browser.get(None, face.MD(), gmo), gmo.MsgToken))
    assert [data for data, _token in seen] == [b"one", b"two"]
    gmo = face.GMO(Version=4, MatchOptions=cmqc.MQMO_MATCH_MSG_TOKEN, MsgToken=seen[1][1])
    gmo.Options = cmqc.MQGMO_NO_SYNCPOINT
    assert queue.get(None, face.MD(), gmo) == b"two"
    gmo = face.GMO(Version=4)
    gmo.Options = cmqc.MQGMO_BROWSE_FIRST | cmqc.MQGMO_UNMARKED_BROWSE_MSG
    with pytest.raises(face.MQMIError) as none:
        browsers[0].get(None, face.MD(), gmo)
    assert none.value.reason == cmqc.MQRC_NO_MSG_AVAILABLE


def test_a_browse_that_waits_sees_a_message_when_its_mark_runs_out(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    queue.put(b"one")
    browsers = [site.queue("DEV.QUEUE.1", cmqc.MQOO_BROWSE | cmqc.MQOO_CO_OP) for _ in range(2)]
    site.place.mqsc("ALTER QMGR MARKINT(50)")
    marking = cmqc.MQGMO_BROWSE_FIRST | cmqc.MQGMO_UNMARKED_BROWSE_MSG | cmqc.MQGMO_MARK_BROWSE_CO_OP
    assert browsers[0].get(None, face.MD(), face.GMO(Version=4, Options=marking)) == b"one"
    waiting = face.GMO(Version=4, Options=marking | cmqc.MQGMO_WAIT, WaitInterval=60000)
    assert browsers[1].get(None, face.MD(), waiting) == b"one"
    site.place.mqsc("ALTER QMGR MARKINT(5000)")


def test_what_was_browsed_is_got_by_its_token(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    for data in (b"one", b"two", b"three"):
        queue.put(data)
    browse = face.GMO(Version=4, Options=cmqc.MQGMO_BROWSE_NEXT)
    queue.get(None, face.MD(), browse)
    assert queue.get(None, face.MD(), browse) == b"two"
    wanted = face.GMO(Version=4, MatchOptions=cmqc.MQMO_MATCH_MSG_TOKEN, MsgToken=browse.MsgToken)
    wanted.Options = cmqc.MQGMO_NO_SYNCPOINT
    assert queue.get(None, face.MD(), wanted) == b"two"
    with pytest.raises(face.MQMIError) as none:
        queue.get(None, face.MD(), wanted)
    assert none.value.reason == cmqc.MQRC_NO_MSG_AVAILABLE
    assert [queue.get(), queue.get()] == [b"one", b"three"]
