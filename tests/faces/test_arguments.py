"""What programs give to the verbs that is not quite what was meant, and what becomes of it."""

from typing import Any

import pytest
from tests.support.programs import Site


def refused(site: Site, call: Any) -> int:
    with pytest.raises(site.face.MQMIError) as failure:
        call()
    reason: int = failure.value.reason
    return reason


def test_a_context_is_looked_at_where_it_is_passed_on(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    queue = site.queue()
    queue.put(b"x", face.MD(), face.PMO(Context=99))
    queue._manager.put1("DEV.QUEUE.1", b"y", face.MD(), face.PMO(Context=99))
    assert [queue.get(), queue.get()] == [b"x", b"y"]
    passing = site.queue("DEV.QUEUE.2", cmqc.MQOO_OUTPUT | cmqc.MQOO_PASS_ALL_CONTEXT, queue._manager)
    for wrong in (0, 99):
        pmo = face.PMO(Options=cmqc.MQPMO_PASS_ALL_CONTEXT, Context=wrong)
        assert refused(site, lambda pmo=pmo: passing.put(b"x", face.MD(), pmo)) == cmqc.MQRC_CONTEXT_HANDLE_ERROR


def test_a_length_below_nothing(site: Site) -> None:
    queue = site.queue()
    queue.put(b"stays")
    assert refused(site, lambda: queue.get(-1)) == site.face.CMQC.MQRC_BUFFER_LENGTH_ERROR
    assert queue.get() == b"stays"


def test_put1_is_for_queues_and_topics(site: Site) -> None:
    cmqc = site.face.CMQC
    queue = site.queue()
    for kind in (cmqc.MQOT_PROCESS, cmqc.MQOT_NAMELIST, cmqc.MQOT_Q_MGR):
        od = site.face.OD(ObjectType=kind, ObjectName=b"DEV.QUEUE.1")
        assert refused(site, lambda od=od: queue._manager.put1(od, b"x")) == cmqc.MQRC_OBJECT_TYPE_ERROR
    assert refused(site, queue.get) == cmqc.MQRC_NO_MSG_AVAILABLE
