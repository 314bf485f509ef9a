"""Ctrl-C in a program that hosts its queue manager: a verb ends, the queue manager does not."""

import signal
import threading
from collections.abc import Iterator

import pytest
from tests.support.hosting import after_power_loss, create, lasting, opened, queue_of, small
from tests.support.simdisk import SimDisk
from tests.support.threads import strike_when

from kew.codes.errors import NoMessage
from kew.codes.options import MQGMO_WAIT, MQPMO_SYNCPOINT, MQWI_UNLIMITED
from kew.mqi.engine import RUNNING


@pytest.fixture(autouse=True)
def _usual_handler() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.signal(signal.SIGINT, before) is signal.default_int_handler


@pytest.mark.parametrize("operation", ["write", "sync"])
def test_a_commit_that_meets_ctrl_c_is_a_commit(operation: str) -> None:
    disk, settings = SimDisk(), small()
    host = create(disk, settings, threads=True)
    connection, queue = queue_of(host)
    struck = 0

    def strike(done: str, path: str, _length: int) -> None:
        nonlocal struck
        here = threading.current_thread() is threading.main_thread()
        if here and done == operation and path.endswith(".LOG"):
            struck += 1
            signal.raise_signal(signal.SIGINT)

    disk.delay = strike
    interrupted = 0
    for number in range(20):
        connection.put(queue, lasting(), b"%d" % number, MQPMO_SYNCPOINT)
        try:
            connection.commit()
        except KeyboardInterrupt:
            interrupted += 1
        assert host.engine.state == RUNNING
    disk.delay = None
    assert interrupted == struck > 0
    connection.put(queue, lasting(), b"the last")
    host.crash()
    connection, queue = opened(after_power_loss(disk, settings))
    expected = [b"%d" % number for number in range(20)] + [b"the last"]
    assert [connection.get(queue).data for _ in expected] == expected
    with pytest.raises(NoMessage):
        connection.get(queue)


def test_a_get_that_waits_ends_and_takes_no_message_with_it() -> None:
    host = create(SimDisk(), small(), threads=True)
    connection, queue = queue_of(host)
    waiters = host.queues.by_name["Q1"].waiters
    striking = strike_when(lambda: bool(waiters.all()))
    with pytest.raises(KeyboardInterrupt):
        connection.get(queue, MQGMO_WAIT, MQWI_UNLIMITED)
    striking.result()
    assert not waiters.all()
    connection.put(queue, lasting(), b"for the next")
    assert connection.get(queue).data == b"for the next"
    host.stop()
