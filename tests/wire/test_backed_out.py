"""A unit of work that cannot be committed, seen by a program on the network."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.network import CHANNEL, NAME, Reachable, reachable

from kew.client import aio
from kew.codes.completion import MQCC_FAILED, MQCC_WARNING
from kew.codes.errors import BackedOut, MQError, NoMessage
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPER_PERSISTENT
from kew.codes.reasons import MQRC_HCONN_ERROR, MQRC_PUT_INHIBITED
from kew.formats.mqmd import MessageDescriptor

QUEUE = "DEV.QUEUE.1"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Reachable]:
    with reachable(tmp_path) as running:
        yield running


def force_out(site: Reachable) -> None:
    """Do what the queue manager does when the log is full: back out the oldest unit."""
    engine = site.manager.host.engine
    with engine.lock:
        unit = engine.units.oldest_in_flight()
        assert unit is not None
        unit.forced_out = True
        engine.units.backout(unit)


@pytest.mark.parametrize("conversations", [0, 10])
def test_a_commit_says_that_the_unit_was_backed_out(site: Reachable, conversations: int) -> None:
    with site.connect(conversations) as connection:
        queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
        queue.put(b"lost", MessageDescriptor(persistence=MQPER_PERSISTENT), syncpoint=True)
        force_out(site)
        with pytest.raises(BackedOut) as told:
            connection.commit()
        assert told.value.completion == MQCC_WARNING
        with pytest.raises(NoMessage):
            queue.get()
        queue.put(b"kept", syncpoint=True)
        connection.commit()
        assert queue.get().data == b"kept"


@pytest.mark.parametrize("first", [True, False])
def test_a_unit_with_a_put_that_failed_unanswered_is_not_committed(site: Reachable, first: bool) -> None:
    site.mqsc("ALTER QLOCAL(DEV.QUEUE.2) PUT(DISABLED)")
    with site.connect() as connection:
        queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
        shut = connection.open("DEV.QUEUE.2", MQOO_OUTPUT)
        if not first:
            queue.put(b"with it", MessageDescriptor(persistence=MQPER_PERSISTENT), syncpoint=True)
        shut.put(b"refused", syncpoint=True, asynchronous=True)
        with pytest.raises(BackedOut) as told:
            connection.commit()
        assert told.value.completion == MQCC_WARNING
        report = connection.status()
        assert (report.put_failures, report.completion, report.reason) == (1, MQCC_FAILED, MQRC_PUT_INHIBITED)
        with pytest.raises(NoMessage):
            queue.get()
        shut.put(b"refused", syncpoint=True, asynchronous=True)
        connection.back_out()
        shut.put(b"refused out of it", asynchronous=True)
        queue.put(b"kept", syncpoint=True)
        connection.commit()
        assert queue.get().data == b"kept"


@pytest.mark.parametrize("conversations", [0, 10])
def test_a_backout_of_such_a_unit_is_what_was_asked_for(site: Reachable, conversations: int) -> None:
    with site.connect(conversations) as connection:
        queue = connection.open(QUEUE, MQOO_OUTPUT)
        queue.put(b"lost", MessageDescriptor(persistence=MQPER_PERSISTENT), syncpoint=True)
        force_out(site)
        connection.back_out()
        queue.put(b"kept", syncpoint=True)
        connection.commit()


@pytest.mark.parametrize("conversations", [0, 10])
def test_a_program_that_disconnects_is_told_and_is_disconnected(site: Reachable, conversations: int) -> None:
    """MQDISC gives the warning of the commit that is part of it."""
    connection = site.connect(conversations)
    queue = connection.open(QUEUE, MQOO_OUTPUT)
    queue.put(b"lost", MessageDescriptor(persistence=MQPER_PERSISTENT), syncpoint=True)
    force_out(site)
    with pytest.raises(BackedOut) as told:
        connection.disconnect()
    assert told.value.completion == MQCC_WARNING
    assert connection.driver.closed
    with pytest.raises(MQError) as after:
        connection.commit()
    assert after.value.reason == MQRC_HCONN_ERROR
    connection.disconnect()


def test_the_same_for_asyncio(site: Reachable) -> None:
    async def run() -> None:
        connection = await aio.connect(NAME, site.address, CHANNEL, "app", "password", conversations=10)
        other = await connection.share("app", "password")
        queue = await connection.open(QUEUE, MQOO_OUTPUT)
        await queue.put(b"lost", MessageDescriptor(persistence=MQPER_PERSISTENT), syncpoint=True)
        force_out(site)
        with pytest.raises(BackedOut) as told:
            await connection.disconnect()
        assert told.value.completion == MQCC_WARNING
        await other.put1(QUEUE, b"the socket is still there")
        await other.disconnect()

    asyncio.run(run())
