"""The asyncio client against the toy queue manager: the same verbs, several connections on one socket."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest
from tests.support.responder import ToyQueueManager
from tests.support.toyserver import ToyServer

from kew.client.aio import AsyncConnection, connect
from kew.client.link import Operation, Step
from kew.codes.attributes import MQCA_Q_MGR_NAME, MQIA_CURRENT_Q_DEPTH
from kew.codes.errors import Broken, MQError, NoMessage
from kew.codes.options import MQOO_BROWSE, MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.codes.reasons import MQRC_HOST_NOT_AVAILABLE, MQRC_NOT_AUTHORIZED, MQRC_UNKNOWN_OBJECT_NAME

ALL = MQOO_INPUT_SHARED | MQOO_OUTPUT | MQOO_BROWSE


@pytest.fixture(params=[0, 1, 10], ids=["sharecnv-0", "sharecnv-1", "sharecnv-10"])
def server(request: pytest.FixtureRequest) -> Iterator[ToyServer]:
    queue_manager = ToyQueueManager("DEV.QUEUE.1", "DEV.QUEUE.2")
    queue_manager.terms.conversations = request.param
    with ToyServer(queue_manager) as running:
        yield running


async def client(server: ToyServer, password: str = "passw0rd") -> AsyncConnection:
    return await connect("QM1", server.connection_name, "APP.SVRCONN", "app", password)


def run(server: ToyServer, story: Callable[[AsyncConnection], Awaitable[None]]) -> None:
    async def play() -> None:
        async with await client(server) as connection:
            await story(connection)

    asyncio.run(play())


def test_put_get_and_browse(server: ToyServer) -> None:
    async def story(connection: AsyncConnection) -> None:
        async with await connection.open("DEV.QUEUE.1", ALL) as queue:
            for size in (0, 5, 100_000):
                await queue.put(bytes(size))
            assert [len(received.data) async for received in queue.browse()] == [0, 5, 100_000]
            assert [len((await queue.get()).data) for _ in range(3)] == [0, 5, 100_000]
            with pytest.raises(NoMessage):
                await queue.get(wait=0.05)

    run(server, story)


def test_units_of_work(server: ToyServer) -> None:
    async def story(connection: AsyncConnection) -> None:
        await connection.put1("DEV.QUEUE.1", b"gone", syncpoint=True)
        await connection.back_out()
        await connection.put1("DEV.QUEUE.1", b"kept", syncpoint=True)
        await connection.commit()
        queue = await connection.open("DEV.QUEUE.1", ALL)
        assert (await queue.get()).data == b"kept"

    run(server, story)


def test_the_other_verbs(server: ToyServer) -> None:
    async def story(connection: AsyncConnection) -> None:
        assert await connection.inquire([MQCA_Q_MGR_NAME]) == {MQCA_Q_MGR_NAME: "QM1"}
        queue = await connection.open("DEV.QUEUE.1", ALL)
        await queue.set({MQIA_CURRENT_Q_DEPTH: 3})
        await queue.put(b"x", asynchronous=True)
        assert (await connection.status()).put_successes == 1
        subscription = await connection.subscribe("a/b")
        topic = await connection.open_topic("a/b", MQOO_OUTPUT)
        await topic.put(b"news")
        assert (await subscription.get(wait=5)).data == b"news"
        assert await subscription.request_publications() == 0
        await subscription.close()
        with pytest.raises(MQError) as refused:
            await connection.open("NO.SUCH", MQOO_OUTPUT)
        assert refused.value.reason == MQRC_UNKNOWN_OBJECT_NAME

    run(server, story)


def test_a_waiting_get_and_a_put_side_by_side(server: ToyServer) -> None:
    async def story(connection: AsyncConnection) -> None:
        other = await client(server)
        queue = await connection.open("DEV.QUEUE.1", ALL)
        received, _ = await asyncio.gather(queue.get(wait=30), other.put1("DEV.QUEUE.1", b"hello"))
        assert received.data == b"hello"
        await other.disconnect()

    run(server, story)


def test_conversations_on_one_socket(server: ToyServer) -> None:
    async def story(connection: AsyncConnection) -> None:
        room = max(server.queue_manager.terms.conversations - 1, 0)
        assert connection.room == room
        others = [await connection.share("app", "passw0rd") for _ in range(room)]
        if not others:
            with pytest.raises(ValueError, match="no further"):
                await connection.share("app", "passw0rd")
            return
        assert connection.room == 0
        queues = [await other.open("DEV.QUEUE.2", ALL) for other in others]
        gets = [asyncio.create_task(queue.get(wait=30)) for queue in queues]
        for number in range(len(gets)):
            await connection.put1("DEV.QUEUE.2", b"%d" % number)
        got = sorted([(await get).data for get in gets])
        assert got == sorted([b"%d" % number for number in range(len(gets))])
        for other in others:
            await other.disconnect()
        assert len(server.responders) == 1

    run(server, story)


def test_refusals(server: ToyServer) -> None:
    async def play() -> None:
        with pytest.raises(MQError) as refused:
            await client(server, "wrong")
        assert refused.value.reason == MQRC_NOT_AUTHORIZED
        with pytest.raises(MQError) as refused:
            await connect("QM1", "127.0.0.1(1)", timeout=60)
        assert refused.value.reason == MQRC_HOST_NOT_AVAILABLE

    asyncio.run(play())


def test_a_connection_that_is_cut(server: ToyServer) -> None:
    async def play() -> None:
        connection = await client(server)
        queue = await connection.open("DEV.QUEUE.1", ALL)
        waiting = asyncio.create_task(queue.get(wait=30))
        server.drop_connections()
        with pytest.raises(Broken):
            await waiting
        with pytest.raises(Broken):
            await connection.commit()
        await connection.disconnect()

    asyncio.run(play())


def test_what_comes_for_one_conversation_does_not_wake_the_verbs_of_another() -> None:
    woken: list[bool] = []

    def waits() -> Operation[None]:
        woken.append((yield Step(b"")))

    async def story(connection: AsyncConnection) -> None:
        other = await connection.share("app", "passw0rd")
        waiting = asyncio.create_task(other.run(waits()))
        queue = await connection.open("DEV.QUEUE.1", ALL)
        for _ in range(10):
            await queue.put(b"for the first only")
            await queue.get()
        assert woken == []
        toy.drop_connections()
        await waiting
        assert woken == [True], "the end of the link concerns everybody"
        await connection.protocol.closed()

    queue_manager = ToyQueueManager("DEV.QUEUE.1")
    queue_manager.terms.conversations = 2
    with ToyServer(queue_manager) as toy:

        async def play() -> None:
            await story(await client(toy))

        asyncio.run(play())
