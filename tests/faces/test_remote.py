"""Remote queues by both packages: put by either name, and read again on the transmission queue."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.support.network import NAME, Reachable
from tests.support.programs import Site

from kew.formats import mqxqh

FAR = b"QM2"


@pytest.fixture(autouse=True)
def _definitions(place: Reachable) -> Iterator[None]:
    place.mqsc("DEFINE QLOCAL(QM2) USAGE(XMITQ) REPLACE")
    place.mqsc("DEFINE QREMOTE(R) RNAME(FAR.Q) RQMNAME(QM2) REPLACE")
    yield
    place.mqsc("CLEAR QLOCAL(QM2)")


def _sent(site: Site, manager: Any) -> list[tuple[bytes, bytes, bytes]]:
    """Take what waits to be sent: queue, queue manager and data."""
    found = []
    queue = site.queue("QM2", site.face.CMQC.MQOO_INPUT_SHARED, manager)
    for _time in range(site.place.depth("QM2")):
        md = site.face.MD()
        data = queue.get(None, md)
        assert md.Format == site.face.CMQC.MQFMT_XMIT_Q_HEADER
        header = mqxqh.decode(data)
        found.append((header.remote_queue.rstrip(), header.remote_queue_manager.rstrip(), data[mqxqh.LENGTH :]))
    queue.close()
    return found


def test_puts_by_either_name(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    for name, where, queue in ((b"R", b"", b"FAR.Q"), (b"Q", FAR, b"Q")):
        od = face.OD(Version=cmqc.MQOD_VERSION_3, ObjectName=name, ObjectQMgrName=where)
        opened = face.Queue(manager, od, cmqc.MQOO_OUTPUT)
        assert (od.ResolvedQName.rstrip(), od.ResolvedQMgrName.rstrip()) == (queue, FAR)
        assert (od.KnownDestCount, od.UnknownDestCount) == (0, 1)
        pmo = face.PMO()
        opened.put(b"one", face.MD(), pmo)
        assert (pmo.ResolvedQName.rstrip(), pmo.ResolvedQMgrName.rstrip()) == (queue, FAR)
        assert (pmo.KnownDestCount, pmo.UnknownDestCount) == (0, 1)
        opened.close()
        once = face.PMO(Options=cmqc.MQPMO_RESOLVE_LOCAL_Q)
        manager.put1(face.OD(ObjectName=name, ObjectQMgrName=where), b"two", face.MD(), once)
        assert (once.ResolvedQName.rstrip(), once.ResolvedQMgrName.rstrip()) == (FAR, NAME.encode())
        assert _sent(site, manager) == [(queue, FAR, b"one"), (queue, FAR, b"two")]


def test_a_definition_is_inquired_about(site: Site) -> None:
    cmqc = site.face.CMQC
    queue = site.queue("R", cmqc.MQOO_INQUIRE)
    assert queue.inquire(cmqc.MQCA_REMOTE_Q_NAME).rstrip() == b"FAR.Q"
    assert queue.inquire(cmqc.MQCA_REMOTE_Q_MGR_NAME).rstrip() == FAR
    assert queue.inquire(cmqc.MQIA_Q_TYPE) == cmqc.MQQT_REMOTE
    queue.close()


def test_what_cannot_be(site: Site) -> None:
    face, cmqc = site.face, site.face.CMQC
    manager = site.connect()
    nameless = face.OD(ObjectName=b"", ObjectQMgrName=FAR)
    cases: list[tuple[Callable[[], Any], int]] = [
        (lambda: site.queue("R", cmqc.MQOO_INPUT_SHARED, manager), cmqc.MQRC_OPTION_NOT_VALID_FOR_TYPE),
        (lambda: face.Queue(manager, nameless, cmqc.MQOO_OUTPUT), cmqc.MQRC_REMOTE_Q_NAME_ERROR),
        (
            lambda: manager.put1(face.OD(ObjectName=b"Q", ObjectQMgrName=b"NOWHERE"), b"x"),
            cmqc.MQRC_UNKNOWN_REMOTE_Q_MGR,
        ),
    ]
    for attempt, reason in cases:
        with pytest.raises(face.MQMIError) as problem:
            attempt()
        assert problem.value.reason == reason
