"""Streaming queues for clients: the copy is made wherever the put comes from."""

from collections.abc import Iterator

import pytest
from tests.support.network import Reachable, reachable

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


@pytest.mark.parametrize("size", [20, 3600, 200_000])
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
    for size in (20, 200_000):
        site.mqsc(f"ALTER QLOCAL({QUEUE}) STREAMQ({COPIES}) STRMQOS(MUSTDUP)")
        with pytest.raises(MQError) as of_put:
            queue.put(bytes(size))
        with pytest.raises(MQError) as of_put1:
            connection.put1(QUEUE, bytes(size))
        assert of_put.value.reason == of_put1.value.reason == MQRC_PUT_INHIBITED
        site.mqsc(f"ALTER QLOCAL({QUEUE}) STRMQOS(BESTEF)")
        queue.put(bytes(size))
        connection.put1(QUEUE, bytes(size))
    assert site.depth(QUEUE) == 4
    assert site.depth(COPIES) == 0
