"""Remote queues: what is counted where, what a stall and a failure leave, and what a transmission queue that goes does.

What programs see is in tests/conformance/verbs/remote.txt.
"""

from collections.abc import Iterator
from random import Random

import pytest
from tests.support.hosting import EVERYTHING, NAME, create, small
from tests.support.simdisk import SimDisk
from tests.support.threads import Background, until

from kew.accounting.account import Account
from kew.codes.attributes import MQQDT_TEMPORARY_DYNAMIC, MQUS_TRANSMISSION
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQCO_DELETE_PURGE,
    MQGMO_WAIT,
    MQOO_OUTPUT,
    MQPER_PERSISTENT,
    MQPMO_RESOLVE_LOCAL_Q,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import (
    MQRC_HOBJ_ERROR,
    MQRC_OBJECT_CHANGED,
    MQRC_PERSISTENT_NOT_ALLOWED,
    MQRC_Q_DELETED,
    MQRC_REMOTE_Q_NAME_ERROR,
    MQRC_UNKNOWN_REMOTE_Q_MGR,
)
from kew.formats import mqxqh
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.delivery.destination import addressed, resolve, unaddressed
from kew.mqi.local.connection import LocalConnection
from kew.mqi.puts.remote import resolved
from kew.qmgr.assemble import Host

FAR = "QM2"
LARGE = {"MAXDEPTH": 999_999_999, "MAXMSGL": 104_857_600}


class Site:
    """A queue manager, a program, a remote queue and the transmission queue that leads there."""

    def __init__(self) -> None:
        self.host: Host = create(SimDisk(), small(pool=400, log_pages=1024))
        self.program: LocalConnection = self.host.connect("test")
        self.host.administration.define("QLOCAL", FAR, {"USAGE": MQUS_TRANSMISSION, **LARGE})
        self.host.administration.define("QREMOTE", "R", {"RNAME": "Q", "RQMNAME": FAR})
        self.transmission = self.host.engine.queues.by_name[FAR]

    def open(self) -> Handle:
        return self.program.open("R", MQOO_OUTPUT)

    def put(self, handle: Handle, data: bytes, persistence: int = 0, options: int = 0) -> MessageDescriptor:
        descriptor = MessageDescriptor(persistence=persistence)
        self.program.put(handle, descriptor, data, options)
        return descriptor

    def sent(self) -> list[bytes]:
        """Take what waits to be sent; gives the data behind the headers."""
        handle = self.program.open(FAR, EVERYTHING)
        found: list[bytes] = []
        while True:
            try:
                got = self.program.get(handle)
            except NoMessage:
                break
            found.append(got.data[mqxqh.LENGTH :])
        self.program.close(handle)
        return found


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.host.stop()


def refused(reason: int, site: Site, handle: Handle, **more: int) -> None:
    with pytest.raises(MQError) as problem:
        site.put(handle, b"x", **more)
    assert problem.value.reason == reason


def test_an_open_counts_as_one_of_the_transmission_queue(site: Site) -> None:
    handle = site.open()
    assert (site.transmission.handles, site.transmission.output_handles) == (1, 1)
    assert handle.queue is None
    assert handle.put_to() is site.transmission
    site.program.close(handle)
    assert (site.transmission.handles, site.transmission.output_handles) == (0, 0)
    with pytest.raises(MQError) as problem:
        site.program.close(handle)
    assert problem.value.reason == MQRC_HOBJ_ERROR
    refused(MQRC_HOBJ_ERROR, site, handle)
    site.program.open("R", MQOO_OUTPUT)
    site.program.abandon()
    assert site.transmission.handles == 0


@pytest.mark.parametrize("size", [0, 3000, 3200, 3400, 3700, 4100, 20_000, 400_000])
@pytest.mark.parametrize("persistence", [0, 1])
@pytest.mark.parametrize("options", [0, MQPMO_SYNCPOINT])
def test_messages_of_every_length(site: Site, size: int, persistence: int, options: int) -> None:
    handle = site.open()
    data = Random(size).randbytes(size)
    site.put(handle, data, persistence, options)
    if options:
        assert site.sent() == []
        site.program.commit()
    assert site.sent() == [data]


def test_a_unit_that_is_backed_out_sends_nothing(site: Site) -> None:
    handle = site.open()
    site.put(handle, b"a" * 10_000, MQPER_PERSISTENT, MQPMO_SYNCPOINT)
    site.put(handle, b"b", 0, MQPMO_SYNCPOINT)
    site.program.backout()
    assert (site.sent(), site.transmission.depth) == ([], 0)


def test_a_get_that_waits_on_the_transmission_queue_is_served(site: Site) -> None:
    channel = site.host.connect("channel")
    handle = channel.open(FAR, EVERYTHING)
    waiting = Background(lambda: channel.get(handle, MQGMO_WAIT, 60_000))
    until(lambda: site.transmission.waiters.count == 1)
    put = site.put(site.open(), b"at once")
    got = waiting.result()
    assert got.descriptor.correlation_id == put.message_id
    assert got.data[mqxqh.LENGTH :] == b"at once"


def test_puts_are_counted_at_the_transmission_queue(site: Site) -> None:
    engine = site.host.engine
    site.program.connection.account = account = Account(site.host.log, 0.0, 0.0)
    engine.metered = engine.detailed = True
    handle = site.program.open("R", MQOO_OUTPUT)
    site.put(handle, b"twelve bytes")
    with pytest.raises(MQError):
        site.program.put(handle, MessageDescriptor(priority=-2), b"x")
    site.program.put1("R", MessageDescriptor(), b"once")
    site.program.close(handle)
    assert (engine.calls.opens, engine.calls.closes) == (1, 1)
    [counted] = account.queues.values()
    assert (counted.opened_name, counted.name, counted.handles) == ("R", FAR, 0)
    assert (counted.valid_puts, counted.put.calls, counted.put1.calls) == (2, 2, 1)
    assert (counted.open.calls, counted.close.calls) == (1, 1)


def test_where_a_message_goes(site: Site) -> None:
    handle = site.open()
    found = resolved(handle, NAME)
    assert (found.queue, found.manager, found.counts()) == ("Q", FAR, (0, 1, 0))
    here = resolved(handle, NAME, local=True)
    assert (here.queue, here.manager, here.counts()) == (FAR, NAME, (0, 1, 0))
    told = site.program.put1("R", MessageDescriptor(), b"", MQPMO_RESOLVE_LOCAL_Q)
    assert (told.queue, told.manager) == (FAR, NAME)
    told = site.program.put1(FAR, MessageDescriptor(), b"")
    assert (told.queue, told.manager, told.counts()) == (FAR, NAME, (1, 0, 0))


def test_a_queue_that_is_no_transmission_queue_any_more(site: Site) -> None:
    handle = site.open()
    site.host.administration.alter(FAR, {"USAGE": 0})
    refused(MQRC_OBJECT_CHANGED, site, handle)
    site.program.close(handle)


def test_a_definition_that_is_gone(site: Site) -> None:
    handle = site.open()
    site.host.administration.delete("R")
    refused(MQRC_OBJECT_CHANGED, site, handle)
    site.program.close(handle)
    assert site.transmission.handles == 0


def test_a_temporary_transmission_queue(site: Site) -> None:
    values = {"DEFTYPE": MQQDT_TEMPORARY_DYNAMIC, "USAGE": MQUS_TRANSMISSION, **LARGE}
    site.host.administration.define("QMODEL", "MODEL", values)
    owner = site.host.connect("owner")
    made = owner.open("MODEL", EVERYTHING, "SHORT.LIVED")
    handle = site.program.open("Q", MQOO_OUTPUT, manager="SHORT.LIVED")
    site.put(handle, b"x")
    refused(MQRC_PERSISTENT_NOT_ALLOWED, site, handle, persistence=1)
    owner.close(made, MQCO_DELETE_PURGE)
    refused(MQRC_Q_DELETED, site, handle)
    site.program.close(handle)
    with pytest.raises(MQError) as problem:
        site.program.open("Q", MQOO_OUTPUT, manager="SHORT.LIVED")
    assert problem.value.reason == MQRC_UNKNOWN_REMOTE_Q_MGR


def test_names_that_fit_in_no_header(site: Site) -> None:
    for name in ("", "x" * 49, "é" * 25):
        with pytest.raises(MQError) as problem:
            site.program.open(name, MQOO_OUTPUT, manager=FAR)
        assert problem.value.reason == MQRC_REMOTE_Q_NAME_ERROR
    with pytest.raises(MQError) as problem:
        site.program.open("Q", MQOO_OUTPUT, manager="x" * 49)
    assert problem.value.reason == MQRC_UNKNOWN_REMOTE_Q_MGR


def test_a_message_comes_out_of_its_header_as_it_went_in(site: Site) -> None:
    engine = site.host.engine
    destination = resolve(engine, "R")
    for more in ({}, {"group_id": b"g" * 24, "message_flags": 24, "sequence_number": 3}):
        put = MessageDescriptor(message_id=b"m" * 24, format=b"MQSTR   ", ccsid=819, priority=3, **more)  # type: ignore[arg-type]
        outer, body = addressed(engine, destination, put, b"data")
        inner, data = unaddressed(outer, body)
        assert data == b"data"
        assert (inner.message_id, inner.format, inner.ccsid, inner.priority) == (b"m" * 24, b"MQSTR   ", 819, 3)
        assert (inner.group_id, inner.message_flags) == (put.group_id, put.message_flags)
    wrong = MessageDescriptor(format=b"MQXMIT  ")
    assert unaddressed(wrong, b"no header") == (wrong, b"no header")
