"""Calls that a program breaks off: by Ctrl-C in a blocking call, by cancelling a task."""

import asyncio
import os
import signal
import threading
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.network import CHANNEL, NAME, Reachable, eventually, reachable

from kew.client import Connection, aio, requests
from kew.client.blocking import Queue
from kew.client.consume import Wanted, consume
from kew.codes.attributes import MQCA_Q_MGR_NAME, MQIA_CURRENT_Q_DEPTH
from kew.codes.errors import BackedOut, Broken, NoMessage
from kew.codes.options import MQOO_BROWSE, MQOO_INPUT_SHARED, MQOO_INQUIRE, MQOO_OUTPUT
from kew.codes.reasons import MQRC_TRUNCATED_MSG_FAILED

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
        if eventually(lambda: waiters.count == 1 and connection.driver._resting):
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


@pytest.mark.parametrize("conversations", [1, 10])
def test_a_get_that_nobody_waits_for_is_withdrawn(site: Reachable, conversations: int) -> None:
    with site.connect(conversations) as connection:
        queue = interrupted_get(site, connection)
        assert eventually(lambda: site.manager.host.queues.by_name[QUEUE].waiters.count == 0, 20.0)
        site_puts(site, b"for whoever comes")
        assert site.depth(QUEUE) == 1
        assert queue.get(30).data == b"for whoever comes"


@pytest.mark.parametrize("conversations", [1, 10])
def test_a_get_of_something_else_may_follow(site: Reachable, conversations: int) -> None:
    with site.connect(conversations) as connection:
        queue = interrupted_get(site, connection)
        with pytest.raises(NoMessage):
            queue.get(0.1, message_id=b"another")
        site_puts(site, b"mine")
        assert queue.get(30).data == b"mine"


def site_puts(site: Reachable, data: bytes) -> None:
    with site.connect_local() as other:
        other.put1(QUEUE, data)


async def cancelled(site: Reachable, queue: aio.AsyncQueue, syncpoint: bool = False, browse: bool = False) -> None:
    """Cancel a get to which a message has gone already."""
    options = requests.browse_options(True, 30) if browse else None
    waiting = asyncio.create_task(queue.get(30, syncpoint=syncpoint, options=options))
    waiters = site.manager.host.queues.by_name[QUEUE].waiters
    while not waiters.count:
        await asyncio.sleep(0.001)
    site_puts(site, b"on its way")
    assert eventually(lambda: waiters.count == 0)  # and the event loop of the program has not looked yet
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


ALL = MQOO_OUTPUT | MQOO_INPUT_SHARED | MQOO_BROWSE


def connected(site: Reachable) -> Coroutine[Any, Any, aio.AsyncConnection]:
    return aio.connect(NAME, site.address, CHANNEL, "app", "password")


def test_a_message_on_its_way_is_for_the_next_get(site: Reachable) -> None:
    async def run() -> None:
        async with await connected(site) as connection:
            queue = await connection.open(QUEUE, ALL)
            await cancelled(site, queue)
            with pytest.raises(NoMessage):
                await queue.get(0.1, message_id=b"another")
            assert [message async for message in queue.browse()] == []
            cut = await queue.get(max_length=2)
            assert (cut.data, cut.reason) == (b"on", MQRC_TRUNCATED_MSG_FAILED)
            assert (await queue.get(syncpoint=True)).data == b"on its way"
            await connection.commit()
            await cancelled(site, queue, browse=True)
            assert (await queue.get()).data == b"on its way"
            with pytest.raises(NoMessage):
                await queue.get()

    asyncio.run(run())


@pytest.mark.parametrize("then", ["commit", "back out", "get", "close", "disconnect"])
def test_a_message_on_its_way_in_a_unit_of_work(site: Reachable, then: str) -> None:
    """A commit is not for what the program has not seen."""

    async def run() -> None:
        connection = await connected(site)
        queue = await connection.open(QUEUE, ALL)
        await cancelled(site, queue, syncpoint=True)
        if then == "get":
            assert (await queue.get(syncpoint=True)).data == b"on its way"
            await connection.commit()
            await queue.put(b"on its way")
        elif then == "back out":
            await connection.back_out()
        elif then == "disconnect":
            with pytest.raises(BackedOut):
                await connection.disconnect()
            connection = await connected(site)
            queue = await connection.open(QUEUE, ALL)
        else:
            if then == "close":
                await queue.close()
                queue = await connection.open(QUEUE, ALL)
            with pytest.raises(BackedOut):
                await connection.commit()
        await connection.commit()
        assert (await queue.get()).data == b"on its way"
        with pytest.raises(NoMessage):
            await queue.get()
        await connection.disconnect()

    asyncio.run(run())


def test_callbacks_that_are_broken_off_are_withdrawn(site: Reachable) -> None:
    """Ctrl-C while several queues are waited on, as MQOP_START_WAIT does."""
    with site.connect() as connection:
        opened = [connection.open(name, MQOO_INPUT_SHARED).opened for name in (QUEUE, "DEV.QUEUE.2")]
        queues = [site.manager.host.queues.by_name[name] for name in (QUEUE, "DEV.QUEUE.2")]

        def interrupt() -> None:
            waiting = eventually(lambda: all(queue.waiters.count == 1 for queue in queues))
            if waiting and eventually(lambda: connection.driver._resting):
                os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        wanted = [
            Wanted(each, requests.matching(b"", b""), requests.get_options(-1, False, False), -1) for each in opened
        ]
        with pytest.raises(KeyboardInterrupt):
            connection.driver.run(consume(connection.verbs, wanted, lambda: False))
        thread.join()
        assert eventually(lambda: all(queue.waiters.count == 0 for queue in queues), 20.0)
        site_puts(site, b"mine")
        assert site.depth(QUEUE) == 1
        found = connection.driver.run(consume(connection.verbs, wanted, lambda: False))
        assert found is not None
        assert found[1].data == b"mine"


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
