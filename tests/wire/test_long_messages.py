"""Messages of more than one page: those of a few are stored by the loop, the others by a worker, and none is lost."""

from pathlib import Path
from threading import Event, Thread

import pytest
from tests.support.network import SMALL, eventually, reachable

from kew import client
from kew.codes.errors import MQError
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.codes.reasons import MQRC_PAGESET_FULL
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr.config import BufferPoolConfiguration, Configuration, PageSetConfiguration

QUEUE = "DEV.QUEUE.1"
BOTH_WAYS = MQOO_OUTPUT | MQOO_INPUT_SHARED
FEW, MANY = 20_000, 200_000  # bytes
SUBSCRIPTIONS = 20


@pytest.mark.parametrize("persistence", [0, 1])
def test_a_message_of_a_few_pages_needs_no_worker(tmp_path: Path, persistence: int) -> None:
    with reachable(tmp_path) as site, site.connect() as connection:
        workers = site.network.resources.workers
        queue = connection.open(QUEUE, BOTH_WAYS)
        before = workers.started
        for turn in range(5):
            queue.put(bytes([turn]) * FEW, MessageDescriptor(persistence=persistence))
        assert workers.started == before
        queue.put(bytes(MANY), MessageDescriptor(persistence=persistence))
        assert workers.started > before
        assert [queue.get(30).data for _ in range(5)] == [bytes([turn]) * FEW for turn in range(5)]
        assert len(queue.get(30).data) == MANY


def test_copies_for_many_are_left_to_a_worker(tmp_path: Path) -> None:
    with reachable(tmp_path) as site, site.connect() as publisher:
        site.mqsc("SET AUTHREC PROFILE(SYSTEM.BASE.TOPIC) OBJTYPE(TOPIC) PRINCIPAL('app') AUTHADD(PUB)")
        for number in range(SUBSCRIPTIONS):
            site.mqsc(f"DEFINE SUB(S{number}) TOPICSTR('many') DEST({QUEUE})")
        topic = publisher.open_topic("many", MQOO_OUTPUT)
        release = Event()

        def idle() -> None:
            release.wait()

        for _ in range(site.network.resources.workers.most):
            site.network.resources.workers.submit(idle)  # so that no worker is to be had
        putting = Thread(target=lambda: topic.put(bytes(FEW), MessageDescriptor(persistence=0)))
        putting.start()
        (caller,) = [each for agent in site.network.agents.all for each in agent.callers.values()]
        try:
            assert eventually(lambda: caller.busy, 20)
            assert site.depth(QUEUE) == 0
        finally:
            release.set()
            putting.join()
        assert site.depth(QUEUE) == SUBSCRIPTIONS


def _fill(queue: client.Queue, persistence: int) -> int:
    """Put messages until there is no room; how many there was room for."""
    count = 0
    try:
        while True:
            queue.put(bytes([count]) * FEW, MessageDescriptor(persistence=persistence))
            count += 1
    except MQError as refused:
        assert refused.reason == MQRC_PAGESET_FULL
    return count


@pytest.mark.parametrize("persistence", [0, 1])
def test_a_full_page_set_refuses_them_and_keeps_no_page_of_what_it_refused(tmp_path: Path, persistence: int) -> None:
    page_sets = (PageSetConfiguration(0), PageSetConfiguration(1, 200, expand="NONE", buffer_pool=1))
    with (
        reachable(tmp_path, Configuration(log=SMALL.log, page_sets=page_sets)) as site,
        site.connect() as connection,
        connection.open(QUEUE, BOTH_WAYS) as queue,
    ):
        taken: list[int] = []
        for _turn in range(2):  # as many as the first time
            count = _fill(queue, persistence)
            taken.append(count)
            assert [queue.get(30).data[0] for _ in range(count)] == list(range(count))
        assert taken[0] == taken[1] > 10


@pytest.mark.parametrize("persistence", [0, 1])
def test_a_pool_that_is_full_is_waited_for(tmp_path: Path, persistence: int) -> None:
    pools = (BufferPoolConfiguration(0, 1024), BufferPoolConfiguration(1, 100))
    with (
        reachable(tmp_path, Configuration(log=SMALL.log, buffer_pools=pools)) as site,
        site.connect() as connection,
        connection.open(QUEUE, BOTH_WAYS) as queue,
    ):
        for turn in range(60):  # 300 pages
            queue.put(bytes([turn]) * FEW, MessageDescriptor(persistence=persistence))
        for turn in range(60):
            assert queue.get(30).data == bytes([turn]) * FEW
