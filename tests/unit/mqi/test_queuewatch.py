"""A watch: it rings when a queue may have a message, and takes none."""

import threading

from tests.support.hosting import create, opened, passing, queue_of, small
from tests.support.simdisk import SimDisk

from kew.codes.options import MQGMO_WAIT
from kew.mqi.local.queuewatch import QueueWatch


def test_it_rings_for_any_of_its_queues() -> None:
    host = create(SimDisk(), small())
    first, one = queue_of(host, "Q1")
    second, two = queue_of(host, "Q2")
    watch = QueueWatch(host.engine)
    for handle in (one, two):
        assert handle.queue is not None
        watch.add(handle.queue)
    assert not watch.wait(0)
    first.put(one, passing(), b"a")
    assert watch.wait(0)
    assert not watch.wait(0)
    second.put(two, passing(), b"b")
    assert watch.wait(0)
    assert (first.get(one).data, second.get(two).data) == (b"a", b"b")
    watch.stop()
    first.put(one, passing(), b"c")
    assert not watch.wait(0)
    assert one.queue is not None
    assert one.queue.waiters.count == 0


def test_a_message_goes_to_those_who_wait_for_it() -> None:
    host = create(SimDisk(), small())
    connection, handle = queue_of(host)
    watch = QueueWatch(host.engine)
    assert handle.queue is not None
    watch.add(handle.queue)
    getter, other = opened(host)
    got: list[bytes] = []
    thread = threading.Thread(target=lambda: got.append(getter.get(other, MQGMO_WAIT, 20_000).data))
    thread.start()
    while handle.queue.waiters.count < 2:
        pass
    connection.put(handle, passing(), b"for the getter")
    thread.join()
    assert got == [b"for the getter"]
    assert handle.queue.depth == 0


def test_it_can_be_rung_by_hand() -> None:
    host = create(SimDisk(), small())
    watch = QueueWatch(host.engine)
    thread = threading.Thread(target=watch.ring)
    thread.start()
    assert watch.wait(-1)
    thread.join()
