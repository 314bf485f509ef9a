"""Calls that a program breaks off: by Ctrl-C in a blocking call, by cancelling a task."""

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.network import CHANNEL, NAME, Reachable, eventually, reachable

from kew.client import Connection, aio
from kew.client.blocking import Queue
from kew.codes.attributes import MQCA_Q_MGR_NAME, MQIA_CURRENT_Q_DEPTH
from kew.codes.errors import Broken, NoMessage
from kew.codes.options import MQOO_BROWSE, MQOO_INPUT_SHARED, MQOO_INQUIRE, MQOO_OUTPUT

QUEUE = "DEV.QUEUE.1"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reachable]:
    with reachable(Path(tmp_path_factory.mktemp("broken-off"))) as running:
        yield running


def interrupted_get(site: Reachable, connection: Connection) -> Queue:
    """Wait for a message and have Ctrl-C come meanwhile."""
    queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
    waiters = site.manager.host.queues.by_name[QUEUE].waiters

    def interrupt() -> None:
        if eventually(lambda: waiters.count == 1):
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        queue.get(30.0)
    thread.join()
    return queue


def test_a_get_without_sharing_takes_the_connection_with_it(site: Reachable) -> None:
    """The queue manager still waits on its behalf, and would give it what is put next."""
    connection = site.connect(0)
    interrupted_get(site, connection)
    with pytest.raises(Broken):
        connection.put1(QUEUE, b"lost")
    assert eventually(lambda: site.manager.host.queues.by_name[QUEUE].waiters.count == 0)
    with site.connect(0) as other:
        other.put1(QUEUE, b"kept")
        assert other.open(QUEUE, MQOO_INPUT_SHARED).get().data == b"kept"


@pytest.mark.parametrize("conversations", [1, 10])
def test_a_get_with_sharing_leaves_it(site: Reachable, conversations: int) -> None:
    with site.connect(conversations) as connection:
        queue = interrupted_get(site, connection)
        queue.put(b"mine")
        assert queue.get().data == b"mine"


def test_the_answer_to_a_cancelled_call_is_not_taken_for_another(site: Reachable) -> None:
    async def run() -> None:
        connection = await aio.connect(NAME, site.address, CHANNEL, "app", "password", conversations=10)
        queue = await connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED | MQOO_INQUIRE | MQOO_BROWSE)
        for number in range(3):
            puts = [asyncio.create_task(queue.put(b"x")) for _ in range(number)]
            commit = asyncio.create_task(connection.commit())
            await asyncio.sleep(0)
            for task in (*puts, commit):
                task.cancel()
            await asyncio.gather(*puts, commit, return_exceptions=True)
            assert (await connection.inquire([MQCA_Q_MGR_NAME])) == {MQCA_Q_MGR_NAME: NAME}
            depth = (await queue.inquire([MQIA_CURRENT_Q_DEPTH]))[MQIA_CURRENT_Q_DEPTH]
            assert len([message async for message in queue.browse()]) == depth
            for _ in range(int(depth)):
                await queue.get()
            with pytest.raises(NoMessage):
                await queue.get()
        await connection.disconnect()

    asyncio.run(run())


def test_a_cancelled_call_without_sharing_ends_the_connection(site: Reachable) -> None:
    async def run() -> None:
        connection = await aio.connect(NAME, site.address, CHANNEL, "app", "password", conversations=0)
        commit = asyncio.create_task(connection.commit())
        await asyncio.sleep(0)
        commit.cancel()
        with pytest.raises(asyncio.CancelledError):
            await commit
        with pytest.raises(Broken):
            await connection.commit()
        await connection.disconnect()

    asyncio.run(run())
