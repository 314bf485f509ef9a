"""The client reconnects by itself: blocking and asyncio, by connection names and by tables."""

import asyncio
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.network import CHANNEL, NAME, Reachable, eventually, reachable

from kew import client
from kew.client import ConnectSettings, aio
from kew.codes.attributes import MQCA_Q_MGR_NAME
from kew.codes.errors import BackedOut, Broken, MQError
from kew.codes.options import (
    MQCNO_RECONNECT,
    MQCNO_RECONNECT_DISABLED,
    MQCNO_RECONNECT_Q_MGR,
    MQOO_INPUT_EXCLUSIVE,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQSO_CREATE,
    MQSO_DURABLE,
    MQSO_NEW_PUBLICATIONS_ONLY,
    MQSO_RESUME,
)
from kew.codes.reasons import (
    MQRC_CALL_INTERRUPTED,
    MQRC_CONNECTION_BROKEN,
    MQRC_HOBJ_ERROR,
    MQRC_HOST_NOT_AVAILABLE,
    MQRC_KEY_REPOSITORY_ERROR,
    MQRC_NO_RETAINED_MSG,
    MQRC_Q_MGR_NAME_ERROR,
    MQRC_RECONNECT_FAILED,
    MQRC_RECONNECT_Q_MGR_REQD,
    MQRC_RECONNECT_TIMED_OUT,
)
from kew.formats.mqmd import MessageDescriptor

QUEUE = "DEV.QUEUE.1"
BOTH = MQOO_OUTPUT | MQOO_INPUT_SHARED


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Reachable]:
    with reachable(tmp_path) as running:
        running.define_channel("OPEN", "")
        yield running


def settings(site: Reachable, options: int = MQCNO_RECONNECT, **more: object) -> ConnectSettings:
    wanted = ConnectSettings(NAME, site.address, "OPEN", options=options, application="tests")
    for key, value in more.items():
        setattr(wanted, key, value)
    return wanted


def cut(connection: client.Connection) -> None:
    """Break the socket under a connection, without the program's knowledge."""
    endpoint = connection.driver.endpoint
    assert isinstance(endpoint, socket.socket)
    endpoint.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("options", [MQCNO_RECONNECT, MQCNO_RECONNECT_Q_MGR])
@pytest.mark.parametrize("conversations", [0, 1])
def test_a_program_does_not_notice(site: Reachable, options: int, conversations: int) -> None:
    with client.connect_by(settings(site, options, conversations=conversations)) as connection:
        queue = connection.open(QUEUE, BOTH)
        made = connection.open("SYSTEM.DEFAULT.MODEL.QUEUE", MQOO_INPUT_EXCLUSIVE)
        name = made.name
        for number in range(4):
            cut(connection)
            queue.put(b"%d" % number, MessageDescriptor(persistence=0))
        assert made.name == name
        cut(connection)
        connection.put1(name, b"to the same name", MessageDescriptor(persistence=0))
        cut(connection)
        assert [queue.get(30).data for _turn in range(4)] == [b"0", b"1", b"2", b"3"]


def test_what_becomes_of_units_of_work(site: Reachable) -> None:
    with client.connect_by(settings(site)) as connection:
        queue = connection.open(QUEUE, BOTH)
        queue.put(b"lost", syncpoint=True)
        cut(connection)
        with pytest.raises(BackedOut):
            queue.put(b"lost too", syncpoint=True)
        assert eventually(lambda: site.depth(QUEUE) == 0)  # the new connection may be there before the old one is over
        queue.put(b"kept", syncpoint=True)
        connection.commit()
        queue.put(b"doubtful", syncpoint=True)
        cut(connection)
        with pytest.raises(MQError) as doubt:
            connection.commit()
        assert doubt.value.reason == MQRC_CALL_INTERRUPTED
        cut(connection)
        with pytest.raises(MQError) as doubt:
            queue.put(b"x", MessageDescriptor(persistence=1))
        assert doubt.value.reason == MQRC_CALL_INTERRUPTED
        cut(connection)
        connection.back_out()
        assert queue.get().data == b"kept"


def test_without_the_option_a_break_is_told(site: Reachable) -> None:
    for options in (0, MQCNO_RECONNECT | MQCNO_RECONNECT_DISABLED):
        connection = client.connect_by(settings(site, options))
        cut(connection)
        with pytest.raises(Broken) as broken:
            connection.put1(QUEUE, b"x")
        assert broken.value.reason == MQRC_CONNECTION_BROKEN


def test_when_it_is_given_up(site: Reachable) -> None:
    connection = client.connect_by(settings(site))
    site.mqsc("SET CHLAUTH(OPEN) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS) ACTION(REPLACE)")
    cut(connection)
    with pytest.raises(Broken) as broken:
        connection.put1(QUEUE, b"x", MessageDescriptor(persistence=0))
    assert broken.value.reason == MQRC_RECONNECT_FAILED
    connection.driver.close()
    site.mqsc("SET CHLAUTH(OPEN) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) ACTION(REPLACE)")
    connection = client.connect_by(settings(site), timeout=0.1)
    site.network.stop_listener("TEST")
    cut(connection)
    with pytest.raises(Broken) as broken:
        connection.put1(QUEUE, b"x", MessageDescriptor(persistence=0))
    assert broken.value.reason == MQRC_RECONNECT_TIMED_OUT
    connection.driver.close()


def test_another_address_of_the_list(site: Reachable) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        listed = f"127.0.0.1({nobody.getsockname()[1]}),{site.address}"
        with client.connect_by(settings(site, connection_name=listed)) as connection:
            cut(connection)
            connection.put1(QUEUE, b"x", MessageDescriptor(persistence=0))
        with pytest.raises(MQError) as problem:
            client.connect_by(settings(site, connection_name=listed.partition(",")[0]))
        assert problem.value.reason == MQRC_HOST_NOT_AVAILABLE


def table(site: Reachable, path: Path, *channels: dict[str, object]) -> str:
    made = []
    for number, channel in enumerate(channels):
        where = [{"host": "127.0.0.1", "port": channel.get("port", site.port)}]
        named = {"connection": where, "queueManager": channel.get("group", NAME)}
        entry = {"name": channel.get("name", "OPEN"), "type": "clientConnection", "clientConnection": named}
        entry["connectionManagement"] = {"clientWeight": number and 1, "affinity": channel.get("affinity", "none")}
        if "cipher" in channel:
            entry["transmissionSecurity"] = {"cipherSpecification": channel["cipher"]}
        made.append(entry)
    path.write_text(json.dumps({"channel": made}))
    return str(path)


def test_by_a_table(site: Reachable, tmp_path: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        down = nobody.getsockname()[1]
        location = table(site, tmp_path / "ccdt.json", {"port": down, "group": "GROUP"}, {"group": "GROUP"})
        wish = ConnectSettings("*GROUP", options=MQCNO_RECONNECT, application="tests")
        with client.connect_by_table(location, wish) as connection:
            cut(connection)
            connection.put1(QUEUE, b"x", MessageDescriptor(persistence=0))
    for unknown in ("NO.SUCH", "*OTHERS"):
        with pytest.raises(MQError) as problem:
            client.connect_by_table(location, ConnectSettings(unknown))
        assert problem.value.reason == MQRC_Q_MGR_NAME_ERROR
    secret = table(site, tmp_path / "secret.json", {"cipher": "ANY_TLS13"})
    with pytest.raises(MQError) as problem:
        client.connect_by_table(secret, ConnectSettings(NAME))
    assert problem.value.reason == MQRC_KEY_REPOSITORY_ERROR


async def _by_a_table(location: str) -> bytes:
    wish = ConnectSettings("*GROUP", options=MQCNO_RECONNECT, application="tests")
    async with await aio.connect_by_table(location, wish) as connection:
        assert connection.protocol.transport is not None
        connection.protocol.transport.abort()
        await connection.put1(QUEUE, b"x", MessageDescriptor(persistence=0))
        async with await connection.open(QUEUE, BOTH) as queue:
            return (await queue.get(30)).data


def test_by_a_table_in_asyncio(site: Reachable, tmp_path: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        down = nobody.getsockname()[1]
        location = table(site, tmp_path / "ccdt.json", {"port": down, "group": "GROUP"}, {"group": "GROUP"})
        assert asyncio.run(_by_a_table(location)) == b"x"
    with pytest.raises(MQError) as problem:
        asyncio.run(aio.connect_by_table(location, ConnectSettings("*OTHERS")))
    assert problem.value.reason == MQRC_Q_MGR_NAME_ERROR


async def _asynchronously(site: Reachable) -> list[bytes]:
    connection = await aio.connect(NAME, site.address, "OPEN", options=MQCNO_RECONNECT_Q_MGR)
    queue = await connection.open(QUEUE, BOTH)

    def cut_off() -> None:
        assert connection.protocol.transport is not None
        connection.protocol.transport.abort()

    for number in range(3):
        cut_off()
        await queue.put(b"%d" % number, MessageDescriptor(persistence=0))
    await queue.put(b"lost", syncpoint=True)
    cut_off()
    with pytest.raises(BackedOut):
        await queue.put(b"lost too", syncpoint=True)
    await queue.put(b"doubtful", syncpoint=True)
    cut_off()
    with pytest.raises(MQError):
        await connection.commit()
    cut_off()
    got = [(await queue.get(30)).data for _turn in range(3)]
    await connection.disconnect()
    return got


def test_asyncio(site: Reachable) -> None:
    assert asyncio.run(_asynchronously(site)) == [b"0", b"1", b"2"]


def publish(connection: client.Connection, topic: str, data: bytes) -> None:
    with connection.open_topic(topic, MQOO_OUTPUT) as opened:
        opened.put(data, MessageDescriptor(persistence=0))


def test_subscriptions_are_made_again(site: Reachable) -> None:
    with client.connect_by(settings(site)) as connection, client.connect_by(settings(site)) as other:
        managed = connection.subscribe("dev/a", selector="Root.MQMD.MsgType = 8")
        only_queue = connection.subscribe("dev/b", options=MQSO_CREATE | MQSO_NEW_PUBLICATIONS_ONLY).queue
        queue = connection.open(QUEUE, BOTH)
        into = connection.subscribe("dev/c", queue=queue)
        closed = connection.open("DEV.QUEUE.2", MQOO_INPUT_SHARED)
        connection.subscribe("dev/d", queue=closed)
        closed.close()
        publish(other, "dev/a", b"lost with the queue")
        for turn in (b"1", b"2"):
            cut(connection)
            assert connection.inquire([MQCA_Q_MGR_NAME])[MQCA_Q_MGR_NAME] == NAME
            assert eventually(lambda: site.clients() == 2)  # the old connection is over, with its subscriptions
            for topic in ("dev/a", "dev/b", "dev/c", "dev/d"):
                publish(other, topic, topic.encode() + turn)
            assert managed.get(30).data == b"dev/a" + turn
            assert only_queue.get(30).data == b"dev/b" + turn
            assert into.get(30).data == b"dev/c" + turn
            assert site.depth("DEV.QUEUE.2") == int(turn)
        with pytest.raises(MQError) as none:
            managed.request_publications()
        assert none.value.reason == MQRC_NO_RETAINED_MSG
        managed.close()
        into.close()
        cut(connection)
        connection.inquire([MQCA_Q_MGR_NAME])
        publish(other, "dev/a", b"nobody listens")
        publish(other, "dev/c", b"nobody listens")
        assert site.depth(QUEUE) == 0


def test_publications_are_known_by_the_same_correlation_id(site: Reachable) -> None:
    with client.connect_by(settings(site)) as connection, client.connect_by(settings(site)) as other:
        queue = connection.open(QUEUE, BOTH)
        connection.subscribe("dev/a", queue=queue)
        publish(other, "dev/a", b"1")
        known_by = queue.get(30).descriptor.correlation_id
        cut(connection)
        connection.inquire([MQCA_Q_MGR_NAME])
        assert eventually(lambda: site.clients() == 2)
        publish(other, "dev/a", b"2")
        assert queue.get(30, correlation_id=known_by).data == b"2"


def test_a_queue_without_its_subscription_is_no_more(site: Reachable) -> None:
    with client.connect_by(settings(site)) as connection:
        subscription = connection.subscribe("dev/a")
        connection.do(lambda verbs: verbs.close(subscription.opened))
        connection.open(QUEUE, BOTH).put(b"for another handle", MessageDescriptor(persistence=0))
        other = connection.open(QUEUE, BOTH)  # which may have the number that the handle had
        cut(connection)
        for _turn in range(2):
            with pytest.raises(MQError) as gone:
                subscription.get(1)
            assert gone.value.reason == MQRC_HOBJ_ERROR
        assert other.get(30).data == b"for another handle"


def test_durable_subscriptions_need_the_same_queue_manager(site: Reachable) -> None:
    durable = MQSO_CREATE | MQSO_RESUME | MQSO_DURABLE
    with client.connect_by(settings(site)) as connection:
        for options in (durable, MQSO_RESUME):
            with pytest.raises(MQError) as refused:
                connection.subscribe("dev/a", name="KEPT", options=options)
            assert refused.value.reason == MQRC_RECONNECT_Q_MGR_REQD
    with client.connect_by(settings(site, MQCNO_RECONNECT_Q_MGR)) as connection:
        subscription = connection.subscribe("dev/a", name="KEPT", options=MQSO_CREATE | MQSO_DURABLE)
        for turn in (b"1", b"2"):
            with client.connect_by(settings(site)) as other:
                publish(other, "dev/a", turn)
            cut(connection)
            assert subscription.get(30).data == turn


async def _subscribed(site: Reachable) -> list[bytes]:
    got = []
    async with await aio.connect(NAME, site.address, "OPEN", options=MQCNO_RECONNECT) as connection:
        queue = await connection.open(QUEUE, BOTH)
        managed, into = await connection.subscribe("dev/a"), await connection.subscribe("dev/b", queue=queue)
        topics = [await connection.open_topic(topic, MQOO_OUTPUT) for topic in ("dev/a", "dev/b")]
        for turn in (b"1", b"2"):
            assert connection.protocol.transport is not None
            connection.protocol.transport.abort()
            await connection.inquire([MQCA_Q_MGR_NAME])
            assert await asyncio.to_thread(eventually, lambda: site.clients() == 1)
            for topic in topics:
                await topic.put(turn, MessageDescriptor(persistence=0))
            got += [(await managed.get(30)).data, (await into.get(30)).data]
    return got


def test_subscriptions_in_asyncio(site: Reachable) -> None:
    assert asyncio.run(_subscribed(site)) == [b"1", b"1", b"2", b"2"]


def test_the_system_looks_whether_the_other_side_is_there(site: Reachable) -> None:
    async def asked(keep_alive: bool) -> int:
        async with await aio.connect(NAME, site.address, "OPEN", keep_alive=keep_alive) as connection:
            assert connection.protocol.transport is not None
            endpoint = connection.protocol.transport.get_extra_info("socket")
            found: int = endpoint.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            return found

    assert [asyncio.run(asked(wanted)) for wanted in (False, True)] == [0, 1]


def test_passwords_are_given_again(site: Reachable) -> None:
    wish = settings(site, channel=CHANNEL, user="app", password="password")
    with client.connect_by(wish) as connection:
        cut(connection)
        connection.put1(QUEUE, b"x", MessageDescriptor(persistence=0))
