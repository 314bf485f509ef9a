"""Streaming queues for clients: the copy is made wherever the put comes from."""

from collections.abc import Iterator
from threading import Thread

import pytest
from tests.support.network import Reachable, eventually, reachable

from kew import client
from kew.codes.errors import MQError
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPER_PERSISTENT
from kew.codes.reasons import MQRC_PUT_INHIBITED
from kew.formats.mqmd import MessageDescriptor

QUEUE, COPIES = "DEV.QUEUE.1", "DEV.QUEUE.2"
BOTH_WAYS = MQOO_OUTPUT | MQOO_INPUT_SHARED


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reachable]:
    with reachable(tmp_path_factory.mktemp("qm")) as running:
        yield running


@pytest.fixture
def connection(site: Reachable) -> Iterator[client.Connection]:
    with site.connect() as connected:
        yield connected


@pytest.mark.parametrize("size", [20, 3600, 20_000, 200_000])
@pytest.mark.parametrize("persistence", [0, MQPER_PERSISTENT])
@pytest.mark.parametrize("qos", ["BESTEF", "MUSTDUP"])
def test_put_and_put1(site: Reachable, connection: client.Connection, qos: str, persistence: int, size: int) -> None:
    site.mqsc(f"ALTER QLOCAL({QUEUE}) STREAMQ({COPIES}) STRMQOS({qos})")
    queue, copies = connection.open(QUEUE, BOTH_WAYS), connection.open(COPIES, MQOO_INPUT_SHARED)
    data = b"\x5a" * size
    queue.put(data, MessageDescriptor(persistence=persistence))
    connection.put1(QUEUE, data, MessageDescriptor(persistence=persistence))
    for _ in range(2):
        original, copy = queue.get(30), copies.get(30)
        assert original.data == copy.data == data
        assert original.descriptor.message_id == copy.descriptor.message_id


def test_a_refused_copy(site: Reachable, connection: client.Connection) -> None:
    queue = connection.open(QUEUE, BOTH_WAYS)
    site.mqsc(f"ALTER QLOCAL({COPIES}) PUT(DISABLED)")
    for size in (20, 20_000, 200_000):
        site.mqsc(f"ALTER QLOCAL({QUEUE}) STREAMQ({COPIES}) STRMQOS(MUSTDUP)")
        with pytest.raises(MQError) as of_put:
            queue.put(bytes(size))
        with pytest.raises(MQError) as of_put1:
            connection.put1(QUEUE, bytes(size))
        assert of_put.value.reason == of_put1.value.reason == MQRC_PUT_INHIBITED
        site.mqsc(f"ALTER QLOCAL({QUEUE}) STRMQOS(BESTEF)")
        queue.put(bytes(size))
        connection.put1(QUEUE, bytes(size))
    assert site.depth(QUEUE) == 6
    assert site.depth(COPIES) == 0


def test_publications_reach_those_who_wait_as_each_queue_shows_properties(
    site: Reachable, connection: client.Connection
) -> None:
    shown = {COPIES: "COMPAT", QUEUE: "ALL", "DEV.QUEUE.3": "NONE"}
    for name, control in shown.items():
        site.mqsc(f"ALTER QLOCAL({name}) PUT(ENABLED) STREAMQ(' ') PROPCTL({control})")
        site.mqsc(f"CLEAR QLOCAL({name})")
        site.mqsc(f"DEFINE SUB({name}) TOPICSTR('dev/news') DEST({name})")
    got: dict[str, client.Received] = {}

    def wait(name: str) -> None:
        with site.connect() as getter:
            got[name] = getter.open(name, MQOO_INPUT_SHARED).get(60)

    getters = [Thread(target=wait, args=(name,)) for name in shown]
    for thread in getters:
        thread.start()
    queues = [site.manager.host.queues.by_name[name] for name in shown]
    assert eventually(lambda: all(queue.waiters.count for queue in queues))
    before = [queue.counters.handed_over for queue in queues]
    published = MessageDescriptor(persistence=0)
    connection.open_topic("dev/news", MQOO_OUTPUT).put(b"news", published)
    for thread in getters:
        thread.join()
    assert [queue.counters.handed_over - count for queue, count in zip(queues, before, strict=True)] == [1, 1, 1]
    assert got[COPIES].data == got["DEV.QUEUE.3"].data == b"news"
    assert got[QUEUE].data.endswith(b"news")
    assert b"<Top>dev/news</Top>" in got[QUEUE].data
    assert [got[name].descriptor.format for name in shown] == [b" " * 8, b"MQHRF2  ", b" " * 8]
    assert len({each.descriptor.correlation_id for each in got.values()}) == 3  # each subscription has its own
    assert len({each.descriptor.message_id for each in got.values()} | {published.message_id}) == 4
