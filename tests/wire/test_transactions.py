"""XA over a channel, as a transaction manager in a client's program speaks it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.network import NAME, Reachable, reachable

from kew import client
from kew.channels.protocol.segments import (
    XA_COMMIT,
    XA_END,
    XA_OPEN,
    XA_PREPARE,
    XA_RECOVER,
    XA_ROLLBACK,
    XA_START,
)
from kew.channels.protocol.xa import (
    TMJOIN,
    TMONEPHASE,
    TMSTARTRSCAN,
    TMSUCCESS,
    XA_OK,
    XA_RBROLLBACK,
    XA_RDONLY,
    XAER_INVAL,
    XAER_NOTA,
    XaCall,
    Xid,
)
from kew.client.link import Operation, Step
from kew.client.verbs import Verbs
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPER_PERSISTENT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager

QUEUE = "DEV.QUEUE.1"
BRANCH = Xid(1, b"global", b"branch")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Reachable]:
    with reachable(tmp_path) as running:
        yield running


def _said(verbs: Verbs, call: XaCall) -> Operation[XaCall]:
    verbs.inbox.reply = None
    data = verbs._say(call)
    while verbs.inbox.reply is None:
        yield Step(data, True, 10.0)
        data = b""
        verbs.link.check()
    reply = verbs.inbox.reply
    assert isinstance(reply, XaCall)
    return reply


def xa(connection: client.Connection, kind: int, xid: Xid | None = BRANCH, flags: int = 0) -> XaCall:
    call = XaCall(kind)
    call.xa_flags = flags
    call.count = 10 if kind == XA_RECOVER else 0
    call.xids = [xid] if xid is not None else []
    return connection.driver.run(_said(connection.verbs, call))


def test_two_phases(site: Reachable) -> None:
    with site.connect() as first, site.connect() as second:
        queue = first.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
        assert xa(first, XA_OPEN, None).return_value == XA_OK
        assert xa(first, XA_START).return_value == XA_OK
        queue.put(b"x", MessageDescriptor(persistence=MQPER_PERSISTENT), syncpoint=True)
        assert xa(first, XA_END, flags=TMSUCCESS).return_value == XA_OK
        assert xa(second, XA_PREPARE).return_value == XA_OK
        found = xa(second, XA_RECOVER, None, TMSTARTRSCAN)
        assert [(xid.format_id, xid.global_id, xid.branch) for xid in found.xids] == [(1, b"global", b"branch")]
        assert xa(second, XA_COMMIT).return_value == XA_OK
        assert queue.get().data == b"x"
        assert xa(second, XA_COMMIT).return_value == XAER_NOTA
        assert xa(second, XA_COMMIT, None).return_value == XAER_INVAL


def test_one_phase_joining_and_rolling_back(site: Reachable) -> None:
    with site.connect() as first, site.connect() as second:
        for connection, flags in ((first, 0), (second, TMJOIN)):
            assert xa(connection, XA_START, flags=flags).return_value == XA_OK
            connection.open(QUEUE, MQOO_OUTPUT).put(b"x", syncpoint=True)
            assert xa(connection, XA_END, flags=TMSUCCESS).return_value == XA_OK
        assert xa(first, XA_COMMIT, flags=TMONEPHASE).return_value == XA_OK
        assert site.depth(QUEUE) == 2
        assert xa(first, XA_START).return_value == XA_OK
        first.open(QUEUE, MQOO_OUTPUT).put(b"never", syncpoint=True)
        assert xa(first, XA_END, flags=TMSUCCESS).return_value == XA_OK
        assert xa(first, XA_ROLLBACK).return_value == XA_OK
        assert site.depth(QUEUE) == 2
        assert xa(first, XA_START).return_value == XA_OK
        assert xa(first, XA_END, flags=TMSUCCESS).return_value == XA_OK
        assert xa(first, XA_PREPARE).return_value == XA_RDONLY


@pytest.mark.parametrize(("ending", "flags"), [(XA_PREPARE, 0), (XA_COMMIT, TMONEPHASE)])
def test_a_branch_with_a_put_that_failed_unanswered_is_rolled_back(site: Reachable, ending: int, flags: int) -> None:
    site.mqsc("ALTER QLOCAL(DEV.QUEUE.2) PUT(DISABLED)")
    with site.connect() as connection:
        queue, shut = [connection.open(name, MQOO_OUTPUT) for name in (QUEUE, "DEV.QUEUE.2")]
        assert xa(connection, XA_START).return_value == XA_OK
        queue.put(b"with it", syncpoint=True)
        shut.put(b"refused", syncpoint=True, asynchronous=True)
        assert xa(connection, XA_END, flags=TMSUCCESS).return_value == XA_OK
        assert xa(connection, ending, flags=flags).return_value == XA_RBROLLBACK
        assert xa(connection, XA_COMMIT).return_value == XAER_NOTA
        assert site.depth(QUEUE) == 0


def test_a_prepared_branch_survives_its_program_and_a_restart(tmp_path: Path) -> None:
    with reachable(tmp_path) as site, site.connect() as connection:
        assert xa(connection, XA_START).return_value == XA_OK
        message = MessageDescriptor(persistence=MQPER_PERSISTENT)
        connection.open(QUEUE, MQOO_OUTPUT).put(b"x", message, syncpoint=True)
        assert xa(connection, XA_END, flags=TMSUCCESS).return_value == XA_OK
        assert xa(connection, XA_PREPARE).return_value == XA_OK
    with manager.start(NAME, str(tmp_path), developer=True) as running:
        again = Reachable(running, str(tmp_path))
        with again.connect() as connection:
            assert len(xa(connection, XA_RECOVER, None, TMSTARTRSCAN).xids) == 1
            assert xa(connection, XA_COMMIT).return_value == XA_OK
            assert connection.open(QUEUE, MQOO_INPUT_SHARED).get().data == b"x"
