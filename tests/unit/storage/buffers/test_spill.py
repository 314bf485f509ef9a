"""Pages of non-persistent messages: written to make room, read back, and never a burden after that."""

from tests.support.hosting import create, opened, passing, queue_of, small
from tests.support.simdisk import SimDisk

from kew.qmgr.assemble import Host
from kew.storage.log import NO_ADDRESS


def spilled(messages: int) -> Host:
    """A queue manager whose pool has 40 frames, with more messages than that put and got."""
    host = create(SimDisk(), small(pool=40, pages=4000))
    connection, queue = queue_of(host)
    for number in range(messages):
        connection.put(queue, passing(), b"message %d" % number)
    for number in range(messages):
        assert connection.get(queue).data == b"message %d" % number
    return host


def test_pages_come_back_from_disk_in_order_and_their_frames_become_clean() -> None:
    host = spilled(1000)
    pool = host.pools[1]
    assert pool.counters.reads > 500
    host.writer.flush()
    assert pool.in_use() == 0
    assert not pool.spilled.count
    assert not pool.dirty.count


def test_pages_that_were_read_back_cost_no_log_and_no_double_write() -> None:
    host = spilled(10)
    host.writer.flush()
    before = host.log.next_address, len(host.double.images())
    connection, handle = opened(host)
    for number in range(400):
        connection.put(handle, passing(), b"message %d" % number)
    for _ in range(400):
        assert connection.get(handle).address == NO_ADDRESS
    host.writer.flush()
    assert (host.log.next_address, len(host.double.images())) == before
