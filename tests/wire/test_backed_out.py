"""A unit of work that cannot be committed, seen by a program on the network."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.network import Reachable, reachable

from kew.codes.completion import MQCC_FAILED, MQCC_WARNING
from kew.codes.errors import BackedOut, NoMessage
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPER_PERSISTENT
from kew.codes.reasons import MQRC_PUT_INHIBITED
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
