"""Retained publications that a restart reads from their queue."""

import pytest
from tests.support.hosting import after_power_loss, create, lasting, queue_of, small
from tests.support.simdisk import SimDisk

from kew.qmgr.assemble import Host
from kew.storage.message import WHOLE
from kew.topics.retained import QUEUE, unwrap, wrap

NOW = 0


def newest(host: Host, topic: str) -> bytes:
    """Give what is retained on a topic."""
    retained = host.engine.topics.retained
    item = host.engine.run(lambda: retained.newest(topic, NOW))
    assert item is not None
    queue = retained.queue
    assert queue is not None
    kept = unwrap(host.engine.run(lambda: queue.describe(item, WHOLE)).content, 0)
    assert kept is not None
    return kept.data


@pytest.mark.parametrize("priorities", [(0, 9), (9, 0), (4, 4), (9, 0, 5), (0, 9, 5)])
def test_the_one_that_was_put_last_is_retained_whatever_its_priority(priorities: tuple[int, ...]) -> None:
    disk = SimDisk()
    host = create(disk, small())
    connection, queue = queue_of(host, QUEUE)
    for number, priority in enumerate(priorities):  # a crash can leave older ones
        connection.put(queue, lasting(priority=priority), wrap("a/b", bytes(24), b"%d" % number))
        connection.put(queue, lasting(priority=priority), wrap("other", bytes(24), b"of another topic"))
    again = after_power_loss(disk, small())
    assert newest(again, "a/b") == b"%d" % (len(priorities) - 1)
    outdated = again.engine.run(lambda: again.engine.topics.retained.outdated("a/b"))
    assert [each.sequence for each in outdated] == sorted(each.sequence for each in outdated)
    assert len(outdated) == len(priorities) - 1
