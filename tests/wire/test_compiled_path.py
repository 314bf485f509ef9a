"""What every message passes is compiled: a module that is missing from the list in setup.py shows itself here."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType

import pytest
from tests.support.network import Reachable, reachable

from kew.client import Queue
from kew.codes.options import (
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQOO_READ_AHEAD,
    MQPER_NOT_PERSISTENT,
    MQPER_PERSISTENT,
)
from kew.formats.mqmd import MessageDescriptor
from kew.version import is_compiled

QUEUE = "DEV.QUEUE.1"
ENOUGH = 8
# Once for each write of the log, not for each message: the files, and a look whether a checkpoint is due.
FOR_EACH_SYNC = {"kew.storage.disk", "kew.qmgr.workers.housekeeper"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("qm")) as running:
        yield running


def answered(queue: Queue, persistence: int) -> None:
    """Put and get with each call answered, the get by correlation id."""
    queue.put(b"request", MessageDescriptor(persistence=persistence, correlation_id=b"k" * 24))
    assert queue.get(10, correlation_id=b"k" * 24).data == b"request"


def in_units(queue: Queue, persistence: int) -> None:
    """Put and get in units of work, asynchronously."""
    queue.put(b"request", MessageDescriptor(persistence=persistence), syncpoint=True, asynchronous=True)
    queue.connection.commit()
    assert queue.get(10, syncpoint=True).data == b"request"
    queue.connection.commit()


@contextmanager
def watched(site: Reachable, called: set[str]) -> Iterator[None]:
    """Take note of the interpreted functions that the thread of all sockets calls."""

    def note(frame: FrameType, event: str, _argument: object) -> None:
        module = frame.f_globals["__name__"]
        if event == "call" and module.startswith("kew."):
            called.add(module)

    def in_its_thread(work: Callable[[], None]) -> None:
        done = Event()
        site.network.loop.post(work)
        site.network.loop.post(done.set)
        assert done.wait(30)

    in_its_thread(lambda: sys.setprofile(note))
    try:
        yield
    finally:
        in_its_thread(lambda: sys.setprofile(None))


@pytest.mark.parametrize("work", [answered, in_units])
@pytest.mark.parametrize("read_ahead", [0, MQOO_READ_AHEAD])
@pytest.mark.parametrize("persistence", [MQPER_NOT_PERSISTENT, MQPER_PERSISTENT])
def test_no_function_on_the_way_of_a_message_is_interpreted(
    site: Reachable, work: Callable[[Queue, int], None], read_ahead: int, persistence: int
) -> None:
    called: set[str] = set()
    with site.connect() as connection, connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED | read_ahead) as queue:
        work(queue, persistence)  # what happens but once has happened
        with watched(site, called):
            for _ in range(ENOUGH):
                work(queue, persistence)
    if persistence == MQPER_PERSISTENT:
        called -= FOR_EACH_SYNC
    if is_compiled():
        assert called == set()
    else:
        assert "kew.channels.agents.program" in called
