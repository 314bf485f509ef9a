"""STOP CONN reaches programs that came over a socket: their unit is backed out, their waits end, they are told 2009."""

from pathlib import Path
from threading import Thread

import pytest
from tests.support.network import Reachable, eventually, reachable

from kew import client
from kew.codes.errors import MQError
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.codes.reasons import MQRC_CONNECTION_BROKEN
from kew.formats.mqmd import MessageDescriptor

QUEUE = "DEV.QUEUE.1"


def name_of(site: Reachable) -> str:
    """The connection of the program under test, the newest."""
    return f"{max(site.manager.host.engine.connections):016X}"


@pytest.mark.parametrize("conversations", [0, 1, 10])
def test_a_client_is_stopped(tmp_path: Path, conversations: int) -> None:
    with reachable(tmp_path) as site:
        connection = site.connect(conversations)
        queue = connection.open(QUEUE, MQOO_OUTPUT)
        queue.put(b"uncommitted", MessageDescriptor(persistence=1), syncpoint=True)
        assert "AMQ8457I" in site.mqsc(f"STOP CONN({name_of(site)})")
        assert "UNCOM(0)" in site.mqsc(f"DISPLAY QSTATUS({QUEUE}) UNCOM")
        with pytest.raises(MQError) as refused:
            queue.put(b"more", MessageDescriptor())
        assert refused.value.reason == MQRC_CONNECTION_BROKEN
        assert site.depth(QUEUE) == 0
        connection.disconnect()
        with site.connect(conversations) as another, another.open(QUEUE, MQOO_OUTPUT) as again:
            again.put(b"works", MessageDescriptor())
        assert eventually(lambda: site.depth(QUEUE) == 1)


def test_a_get_that_waits_is_ended(tmp_path: Path) -> None:
    with reachable(tmp_path) as site:
        connection = site.connect()
        queue = connection.open(QUEUE, MQOO_INPUT_SHARED)
        reasons: list[int] = []

        def wait(handle: client.Queue) -> None:
            try:
                handle.get(wait=60)
            except MQError as error:
                reasons.append(error.reason)

        getter = Thread(target=wait, args=(queue,))
        getter.start()
        waiters = site.manager.host.queues.by_name[QUEUE].waiters
        assert eventually(lambda: waiters.count == 1)
        site.mqsc(f"STOP CONN({name_of(site)})")
        getter.join(30)
        assert reasons == [MQRC_CONNECTION_BROKEN]
        assert waiters.count == 0
        connection.disconnect()
