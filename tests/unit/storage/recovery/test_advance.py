"""Ending a log extent: it is on disk whole before anybody is told, so that it can be archived at once."""

from tests.support.hosting import create, lasting, queue_of, small
from tests.support.simdisk import SimDisk

from kew.storage.recovery.advance import Advance


def test_an_extent_that_was_ended_is_on_disk() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    connection.put(queue, lasting(), b"x")
    advance = Advance(host.log, host.engine.store)
    assert host.log.next_address < advance.end
    advance.run(host.engine.run)
    assert host.log.next_address >= advance.end
    assert host.log.durable == host.log.next_address
    connection.put(queue, lasting(), b"y")
    assert [connection.get(queue).data for _ in range(2)] == [b"x", b"y"]
