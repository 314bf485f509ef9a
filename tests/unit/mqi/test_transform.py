"""Transforms of bodies: turned before a put counts and after a get has read, and never under the engine lock."""

from pathlib import Path
from threading import Event

import pytest
from tests.support.hosting import EVERYTHING, create, lasting, opened, passing, queue_of, small
from tests.support.network import reachable
from tests.support.simdisk import SimDisk
from tests.support.threads import Background, until

from kew.channels.agents.getcall import GetCall
from kew.channels.agents.getcalls import GetCalls
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQFB_COD,
    MQFMT_STRING,
    MQGMO_ACCEPT_TRUNCATED_MSG,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_NEXT,
    MQGMO_COMPLETE_MSG,
    MQGMO_LOGICAL_ORDER,
    MQGMO_MSG_UNDER_CURSOR,
    MQGMO_SYNCPOINT,
    MQGMO_WAIT,
    MQMF_SEGMENTATION_ALLOWED,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPMO_SYNCPOINT,
    MQRO_COD_WITH_FULL_DATA,
    MQWI_UNLIMITED,
)
from kew.codes.reasons import (
    MQRC_MSG_TOO_BIG_FOR_Q,
    MQRC_MULTIPLE_REASONS,
    MQRC_NONE,
    MQRC_SECURITY_ERROR,
    MQRC_TRUNCATED_MSG_ACCEPTED,
    MQRC_TRUNCATED_MSG_FAILED,
)
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import Engine
from kew.mqi.gets.request import Got
from kew.mqi.messages.transform import BodyTransform
from kew.mqi.objects.distribution import DistributionList, Member
from kew.qmgr.assemble import Host

QUEUE = "DEV.QUEUE.1"
SEAL = b"SEAL"
FORMAT = b"TESTSEAL"
CHARACTERS = 850


class Sealing(BodyTransform):
    """Turns bodies round behind a header that keeps the format; refuses what has none, and never under the lock."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.calls = 0

    def before_put(self, descriptor: MessageDescriptor, data: bytes) -> bytes:
        self._check_lock()
        head = SEAL + descriptor.format + descriptor.ccsid.to_bytes(4, "big")
        descriptor.format, descriptor.ccsid = FORMAT, CHARACTERS
        return head + data[::-1]

    def after_get(self, descriptor: MessageDescriptor, data: bytes) -> bytes:
        self._check_lock()
        if not data.startswith(SEAL):
            raise MQError(MQRC_SECURITY_ERROR, why="the body has no seal")
        descriptor.format, descriptor.ccsid = data[4:12], int.from_bytes(data[12:16], "big")
        return data[:15:-1]

    def _check_lock(self) -> None:
        self.calls += 1
        until(lambda: self.engine.lock.acquire(False))
        self.engine.lock.release()


class Site:
    """A queue, a program whose handle seals, and one that sees what is stored."""

    def __init__(self) -> None:
        self.host = create(SimDisk(), small(pool=400, pages=6000))
        self.plain, self.bare = queue_of(self.host)
        self.program, self.handle = opened(self.host)
        self.transform = self.handle.transform = Sealing(self.host.engine)

    def put(self, data: bytes, descriptor: MessageDescriptor | None = None, options: int = 0) -> MessageDescriptor:
        descriptor = MessageDescriptor(format=MQFMT_STRING) if descriptor is None else descriptor
        self.program.put(self.handle, descriptor, data, options)
        return descriptor

    def get(self, options: int = 0, room: int = -1) -> Got:
        return self.program.get(self.handle, options, buffer_length=room)


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.mark.parametrize("size", [0, 10, 5000, 200_000])
@pytest.mark.parametrize("persistence", [0, 1])
def test_what_is_put_is_stored_turned_and_got_as_it_was(site: Site, size: int, persistence: int) -> None:
    body = bytes(range(250)) * (size // 250) + bytes(range(size % 250))
    put = site.put(body, MessageDescriptor(format=MQFMT_STRING, persistence=persistence))
    assert (put.format, put.ccsid) == (MQFMT_STRING, site.host.engine.ccsid)
    assert put.message_id != bytes(24)
    assert put.put_date.strip()
    seen = site.plain.get(site.bare, MQGMO_BROWSE_FIRST)
    assert (seen.descriptor.format, seen.descriptor.ccsid) == (FORMAT, CHARACTERS)
    assert seen.data == SEAL + MQFMT_STRING + site.host.engine.ccsid.to_bytes(4, "big") + body[::-1]
    assert seen.descriptor.message_id == put.message_id
    for options in (MQGMO_BROWSE_FIRST, 0):
        got = site.get(options)
        assert (got.data, got.length, got.reason) == (body, len(body), MQRC_NONE)
        assert (got.descriptor.format, got.descriptor.ccsid) == (MQFMT_STRING, site.host.engine.ccsid)
    assert site.transform.calls == 3


def test_the_length_that_counts_for_the_queue_is_that_of_what_is_stored(site: Site) -> None:
    site.host.administration.alter("Q1", {"MAXMSGL": 20})
    site.put(b"abcd")
    with pytest.raises(MQError) as refused:
        site.put(b"abcde")
    assert refused.value.reason == MQRC_MSG_TOO_BIG_FOR_Q
    assert site.bare.queue is not None
    assert site.bare.queue.depth == 1


def test_the_length_that_counts_for_the_buffer_is_that_of_what_is_got(site: Site) -> None:
    site.put(b"0123456789")
    failed = site.get(room=9)
    assert (failed.reason, failed.data, failed.length) == (MQRC_TRUNCATED_MSG_FAILED, b"012345678", 10)
    assert site.get(MQGMO_BROWSE_FIRST, 10).data == b"0123456789"
    cut = site.get(MQGMO_ACCEPT_TRUNCATED_MSG, 3)
    assert (cut.reason, cut.data, cut.length) == (MQRC_TRUNCATED_MSG_ACCEPTED, b"012", 10)
    with pytest.raises(NoMessage):
        site.get()


def test_units_of_work_browses_and_cursors_see_what_they_would(site: Site) -> None:
    for number in range(3):
        site.put(b"%d" % number, lasting(), MQPMO_SYNCPOINT)
    site.program.commit()
    assert [site.get(MQGMO_BROWSE_NEXT).data for _ in range(2)] == [b"0", b"1"]
    assert site.get(MQGMO_MSG_UNDER_CURSOR | MQGMO_SYNCPOINT).data == b"1"
    assert site.get(MQGMO_SYNCPOINT).data == b"0"
    site.program.backout()
    again = site.get(MQGMO_SYNCPOINT)
    assert (again.data, again.descriptor.backout_count) == (b"0", 1)
    site.program.commit()
    assert [site.get().data for _ in range(2)] == [b"1", b"2"]


def test_what_cannot_be_turned_back_stays_for_others(site: Site) -> None:
    site.plain.put(site.bare, passing(), b"no seal")
    for options in (0, MQGMO_BROWSE_FIRST, MQGMO_SYNCPOINT, MQGMO_COMPLETE_MSG):
        with pytest.raises(MQError) as refused:
            site.get(options)
        assert refused.value.reason == MQRC_SECURITY_ERROR
    assert site.plain.get(site.bare).data == b"no seal"


@pytest.mark.parametrize("persistence", [0, 1])
def test_a_get_that_waits_has_what_comes_turned_back(site: Site, persistence: int) -> None:
    queue = site.host.queues.by_name["Q1"]
    waiting = Background(lambda: site.program.get(site.handle, MQGMO_WAIT, MQWI_UNLIMITED))
    until(lambda: queue.waiters.count > 0)
    other, handle = opened(site.host)
    handle.transform = Sealing(site.host.engine)
    other.put(handle, MessageDescriptor(persistence=persistence), b"awaited")
    assert waiting.result().data == b"awaited"
    assert queue.counters.handed_over == 0
    assert queue.depth == 0


def test_a_message_is_cut_into_segments_after_it_is_turned(site: Site) -> None:
    site.host.administration.alter("Q1", {"MAXMSGL": 1000})
    body = bytes(range(200)) * 20
    site.put(body, MessageDescriptor(message_flags=MQMF_SEGMENTATION_ALLOWED, format=MQFMT_STRING))
    assert site.host.queues.by_name["Q1"].depth == 5
    assert site.get(MQGMO_COMPLETE_MSG | MQGMO_LOGICAL_ORDER | MQGMO_BROWSE_FIRST).data == body
    whole = site.get(MQGMO_COMPLETE_MSG | MQGMO_SYNCPOINT)
    assert (whole.data, whole.descriptor.format) == (body, MQFMT_STRING)
    site.program.backout()
    assert site.get(MQGMO_COMPLETE_MSG).data == body
    assert site.host.queues.by_name["Q1"].depth == 0


def test_a_report_quotes_what_is_stored(site: Site) -> None:
    site.host.administration.define("QLOCAL", "REPLIES", {})
    asked = MessageDescriptor(format=MQFMT_STRING, report=MQRO_COD_WITH_FULL_DATA, reply_to_queue=b"REPLIES")
    site.put(b"confidential", asked)
    assert site.get().data == b"confidential"
    _, replies = opened(site.host, "REPLIES")
    quoted = LocalGetter(site.host, replies).get()
    assert (quoted.descriptor.feedback, quoted.descriptor.format) == (MQFB_COD, FORMAT)
    assert b"confidential"[::-1] in quoted.data


class LocalGetter:
    """Gets from a queue by its name."""

    def __init__(self, host: Host, handle: Handle) -> None:
        self.connection, self.handle = opened(host, handle.name)

    def get(self) -> Got:
        return self.connection.get(self.handle)


def test_each_destination_of_a_list_has_a_transform_of_its_own(site: Site) -> None:
    site.host.administration.define("QLOCAL", "Q2", {})
    site.host.administration.define("QLOCAL", "Q3", {"MAXMSGL": 4})
    members = [Member("Q1"), Member("Q2"), Member("Q3")]
    destinations = DistributionList(members)
    handle = site.program.open_list(destinations, MQOO_OUTPUT)
    for member in (members[0], members[2]):
        assert member.handle is not None
        member.handle.transform = Sealing(site.host.engine)
    with pytest.raises(MQError) as told:
        site.program.put(handle, MessageDescriptor(format=MQFMT_STRING), b"many")
    assert told.value.reason == MQRC_MULTIPLE_REASONS
    assert [member.reason for member in members] == [MQRC_NONE, MQRC_NONE, MQRC_MSG_TOO_BIG_FOR_Q]
    assert site.plain.get(site.bare).data.startswith(SEAL)
    assert LocalGetter(site.host, opened(site.host, "Q2")[1]).get().data == b"many"


def sealing(host: Host, transform: Sealing) -> None:
    """Give the handles that clients have of the queue a transform."""
    for program in list(host.engine.connections.values()):
        assert isinstance(program, Connection)
        for handle in program.handles.values():
            if handle.opened_name == QUEUE:
                handle.transform = transform


def test_clients_pass_the_same_stages(tmp_path: Path) -> None:
    with reachable(tmp_path) as site, site.connect() as connection:
        host = site.manager.host
        queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
        transform = Sealing(host.engine)
        sealing(host, transform)
        for persistence in (0, 1):
            queue.put(b"by wire", MessageDescriptor(persistence=persistence, format=MQFMT_STRING))
            got = queue.get(10)
            assert (got.data, got.descriptor.format) == (b"by wire", MQFMT_STRING)
        waiting = Background(lambda: queue.get(60))
        until(lambda: host.queues.by_name[QUEUE].waiters.count > 0)
        local = host.connect()
        sealed = local.open(QUEUE, EVERYTHING)
        sealed.transform = Sealing(host.engine)
        local.put(sealed, passing(), b"to one who waits")
        assert waiting.result().data == b"to one who waits"
        assert transform.calls == 5


def test_a_get_that_is_withdrawn_while_its_body_is_to_be_turned_lets_go_of_the_message(tmp_path: Path) -> None:
    with reachable(tmp_path) as site, site.connect() as connection:
        host, loop = site.manager.host, site.network.loop
        queue = connection.open(QUEUE, MQOO_INPUT_SHARED)
        sealing(host, Sealing(host.engine))
        waiting = Background(lambda: queue.get(0.5))
        waiters = host.queues.by_name[QUEUE].waiters
        until(lambda: waiters.count > 0)
        get = waiters.all()[0]
        assert isinstance(get, GetCall)
        calls = get.gets
        assert isinstance(calls, GetCalls)
        gate = Event()
        loop.post(lambda: until(gate.is_set))
        loop.post(lambda: calls.closing(get.request.handle))
        local = host.connect()
        handle = local.open(QUEUE, EVERYTHING)
        local.put(handle, passing(), b"for another")
        assert get.again
        gate.set()
        assert local.get(handle, MQGMO_WAIT, 10_000).data == b"for another"
        with pytest.raises(NoMessage):
            waiting.result()
