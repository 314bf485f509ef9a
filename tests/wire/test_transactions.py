"""XA over a channel, as a transaction manager in a client's program speaks it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.network import NAME, Reachable, eventually, reachable

from kew import client
from kew.channels.protocol.segments import (
    XA_COMMIT,
    XA_END,
    XA_FORGET,
    XA_OPEN,
    XA_PREPARE,
    XA_RECOVER,
    XA_ROLLBACK,
    XA_START,
)
from kew.channels.protocol.xa import (
    TMENDRSCAN,
    TMFAIL,
    TMJOIN,
    TMONEPHASE,
    TMRESUME,
    TMSTARTRSCAN,
    TMSUCCESS,
    TMSUSPEND,
    XA_OK,
    XA_RBROLLBACK,
    XA_RDONLY,
    XAER_INVAL,
    XAER_NOTA,
    XAER_OUTSIDE,
    XAER_PROTO,
    XaCall,
    Xid,
)
from kew.client.link import Operation, Step
from kew.client.verbs import Verbs
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPER_PERSISTENT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager
from kew.storage.xid import CHANNEL_BATCH

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


def xa(connection: client.Connection, kind: int, xid: Xid | None = BRANCH, flags: int = 0, most: int = 10) -> XaCall:
    call = XaCall(kind)
    call.xa_flags = flags
    call.count = most if kind == XA_RECOVER else 0
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


def branched(connection: client.Connection, xid: Xid = BRANCH) -> None:
    """Begin a branch and work in it."""
    assert xa(connection, XA_START, xid).return_value == XA_OK
    connection.open(QUEUE, MQOO_OUTPUT).put(b"x", MessageDescriptor(persistence=MQPER_PERSISTENT), syncpoint=True)


def test_a_branch_that_somebody_works_in_is_not_resolved(site: Reachable) -> None:
    with site.connect() as first, site.connect() as second:
        branched(first)
        for kind, flags in ((XA_PREPARE, 0), (XA_COMMIT, 0), (XA_COMMIT, TMONEPHASE), (XA_ROLLBACK, 0)):
            assert xa(second, kind, flags=flags).return_value == XAER_PROTO
        assert xa(first, XA_END, flags=TMSUSPEND).return_value == XA_OK
        assert xa(second, XA_COMMIT, flags=TMONEPHASE).return_value == XAER_PROTO
        assert xa(second, XA_START, flags=TMRESUME).return_value == XAER_PROTO  # not here
        assert xa(first, XA_START, flags=TMRESUME).return_value == XA_OK
        assert xa(second, XA_START, flags=TMJOIN).return_value == XA_OK
        assert xa(first, XA_END, flags=TMSUCCESS).return_value == XA_OK
        assert xa(first, XA_PREPARE).return_value == XAER_PROTO
        assert xa(second, XA_END, flags=TMSUCCESS).return_value == XA_OK
        assert xa(first, XA_PREPARE).return_value == XA_OK
        assert xa(first, XA_START, flags=TMJOIN).return_value == XAER_PROTO
        assert xa(first, XA_COMMIT).return_value == XA_OK
        assert site.depth(QUEUE) == 1


def test_a_branch_is_ended_where_it_was_begun(site: Reachable) -> None:
    other = Xid(1, b"global", b"other")
    with site.connect() as first, site.connect() as second:
        branched(first)
        assert xa(first, XA_END, other, TMSUCCESS).return_value == XAER_NOTA
        assert xa(second, XA_END, flags=TMSUCCESS).return_value == XAER_PROTO
        assert xa(first, XA_END, flags=TMSUSPEND).return_value == XA_OK
        assert xa(first, XA_END, flags=TMSUSPEND).return_value == XAER_PROTO
        branched(first, other)
        assert xa(first, XA_END, flags=TMSUCCESS).return_value == XA_OK  # the one that is suspended
        assert xa(first, XA_END, other, TMSUCCESS).return_value == XA_OK
        for xid in (BRANCH, other):
            assert xa(second, XA_COMMIT, xid, TMONEPHASE).return_value == XA_OK
        assert site.depth(QUEUE) == 2


def test_a_commit_says_rightly_whether_the_branch_is_prepared(site: Reachable) -> None:
    with site.connect() as connection:
        branched(connection)
        assert xa(connection, XA_END, flags=TMSUCCESS).return_value == XA_OK
        assert xa(connection, XA_COMMIT).return_value == XAER_PROTO
        assert xa(connection, XA_FORGET).return_value == XAER_PROTO
        assert xa(connection, XA_PREPARE).return_value == XA_OK
        assert xa(connection, XA_PREPARE).return_value == XAER_PROTO
        assert xa(connection, XA_COMMIT, flags=TMONEPHASE).return_value == XAER_PROTO
        assert xa(connection, XA_COMMIT).return_value == XA_OK
        assert xa(connection, XA_FORGET).return_value == XAER_NOTA


@pytest.mark.parametrize("flags", [0, TMJOIN, TMRESUME])
def test_no_branch_begins_while_there_is_work_outside(site: Reachable, flags: int) -> None:
    with site.connect() as connection:
        connection.open(QUEUE, MQOO_OUTPUT).put(b"outside", syncpoint=True)
        assert xa(connection, XA_START, flags=flags).return_value == XAER_OUTSIDE
        connection.commit()
        assert xa(connection, XA_START).return_value == XA_OK


@pytest.mark.parametrize(
    "xid", [Xid(-1, b"", b""), Xid(1, b"g" * 65, b"b"), Xid(1, b"g", b"b" * 65), Xid(CHANNEL_BATCH, b"g", b"b")]
)
@pytest.mark.parametrize("kind", [XA_START, XA_COMMIT])
def test_an_xid_that_can_name_no_branch_is_refused(site: Reachable, kind: int, xid: Xid) -> None:
    with site.connect() as connection:
        assert xa(connection, kind, xid).return_value == XAER_INVAL
        longest = Xid(1, b"g" * 64, b"b" * 64)
        assert xa(connection, XA_START, longest).return_value == XA_OK


@pytest.mark.parametrize(("ending", "flags"), [(XA_PREPARE, 0), (XA_COMMIT, TMONEPHASE)])
@pytest.mark.parametrize("works", [True, False])
def test_a_branch_whose_work_has_failed_is_rolled_back(site: Reachable, works: bool, ending: int, flags: int) -> None:
    with site.connect() as connection:
        if works:
            branched(connection)
        else:
            assert xa(connection, XA_START).return_value == XA_OK
        assert xa(connection, XA_END, flags=TMFAIL).return_value == XA_OK
        assert xa(connection, ending, flags=flags).return_value == XA_RBROLLBACK
        assert site.depth(QUEUE) == 0


@pytest.mark.parametrize("flags", [TMSUSPEND, TMSUCCESS], ids=["suspended", "ended"])
def test_a_branch_that_is_not_prepared_goes_with_its_program(site: Reachable, flags: int) -> None:
    connection = site.connect()
    branched(connection)
    assert xa(connection, XA_END, flags=flags).return_value == XA_OK
    connection.driver.close()
    assert eventually(lambda: site.depth(QUEUE) == 0)
    with site.connect() as other:
        assert xa(other, XA_ROLLBACK).return_value == XAER_NOTA


def test_branches_in_doubt_are_told_a_few_at_a_time(site: Reachable) -> None:
    names = [b"%02d" % number for number in range(23)]
    with site.connect() as connection:
        assert xa(connection, XA_RECOVER, None).return_value == XAER_INVAL  # no scan has begun
        for name in names:
            branched(connection, Xid(1, name, b"b"))
            assert xa(connection, XA_END, Xid(1, name, b"b"), TMSUCCESS).return_value == XA_OK
            assert xa(connection, XA_PREPARE, Xid(1, name, b"b")).return_value == XA_OK
        replies = [xa(connection, XA_RECOVER, None, flags) for flags in (TMSTARTRSCAN, 0, 0, TMENDRSCAN)]
        assert [len(reply.xids) for reply in replies] == [10, 10, 3, 0]
        assert sorted([xid.global_id for reply in replies for xid in reply.xids]) == names
        assert xa(connection, XA_RECOVER, None).return_value == XAER_INVAL
        assert len(xa(connection, XA_RECOVER, None, TMSTARTRSCAN | TMENDRSCAN).xids) == 10
        for name in names:
            assert xa(connection, XA_ROLLBACK, Xid(1, name, b"b")).return_value == XA_OK


def test_a_scan_tells_as_many_branches_as_a_segment_holds(site: Reachable) -> None:
    names = [b"%03d" % number + b"g" * 61 for number in range(250)]
    with site.connect() as connection:
        for name in names:
            branched(connection, Xid(1, name, b"b" * 64))
            assert xa(connection, XA_END, Xid(1, name, b"b" * 64), TMSUCCESS).return_value == XA_OK
            assert xa(connection, XA_PREPARE, Xid(1, name, b"b" * 64)).return_value == XA_OK
        first, second = [xa(connection, XA_RECOVER, None, flags, 1000) for flags in (TMSTARTRSCAN, TMENDRSCAN)]
        assert len(first.xids) > 200
        assert sorted([xid.global_id for xid in first.xids + second.xids]) == names
        for name in names:
            assert xa(connection, XA_ROLLBACK, Xid(1, name, b"b" * 64)).return_value == XA_OK


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
