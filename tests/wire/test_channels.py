"""Channels and listeners as commands see them: limits, status, START and STOP, quiesce."""

import asyncio
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread

import pytest
from tests.support.network import CHANNEL, NAME, Reachable, eventually, reachable

from kew import client
from kew.channels.protocol.negotiate import compression_list
from kew.channels.protocol.options import PutOptions
from kew.client.aio import connect as connect_async
from kew.client.effects import Established
from kew.client.link import Link
from kew.client.socketdriver import SocketDriver
from kew.client.verbs import Verbs
from kew.codes.errors import Broken, MQError
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPMO_FAIL_IF_QUIESCING
from kew.codes.reasons import (
    MQRC_CHANNEL_CONFIG_ERROR,
    MQRC_CHANNEL_NOT_AVAILABLE,
    MQRC_CONNECTION_QUIESCING,
    MQRC_MSG_TOO_BIG_FOR_CHANNEL,
    MQRC_Q_MGR_QUIESCING,
)
from kew.formats.mqmd import MessageDescriptor
from kew.objects.schema import object_type
from kew.qmgr.config import ChannelsConfiguration, Configuration, LogConfiguration, TCPConfiguration

QUEUE = "DEV.QUEUE.1"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Reachable]:
    with reachable(tmp_path) as running:
        yield running


def reason_of_connecting(site: Reachable, channel: str) -> int:
    with pytest.raises(MQError) as problem:
        site.connect(1, channel)
    return problem.value.reason


def test_instances_are_limited_by_channel_and_by_client(site: Reachable) -> None:
    site.define_channel("TWO", "MAXINST(2)")
    site.define_channel("ONE.EACH", "MAXINSTC(1)")
    with site.connect(1, "TWO"), site.connect(1, "TWO"):
        assert reason_of_connecting(site, "TWO") == MQRC_CHANNEL_NOT_AVAILABLE
    assert eventually(lambda: not site.network.channel_states())
    with site.connect(1, "TWO"), site.connect(1, "ONE.EACH"):
        assert reason_of_connecting(site, "ONE.EACH") == MQRC_CHANNEL_NOT_AVAILABLE


def test_channels_are_limited_in_all(tmp_path: Path) -> None:
    few = Configuration(log=LogConfiguration(file_pages=64), channels=ChannelsConfiguration(max_channels=2))
    with reachable(tmp_path, few) as site, site.connect(), site.connect():
        assert reason_of_connecting(site, CHANNEL) == MQRC_CHANNEL_NOT_AVAILABLE


def test_a_channel_of_another_type(site: Reachable) -> None:
    site.mqsc("DEFINE CHANNEL(TO.US) CHLTYPE(RCVR)")
    assert reason_of_connecting(site, "TO.US") == MQRC_CHANNEL_CONFIG_ERROR


def test_the_longest_message_of_a_channel(site: Reachable) -> None:
    site.define_channel("SHORT", "MAXMSGL(5000)")
    with site.connect() as wide, wide.open(QUEUE, MQOO_OUTPUT) as out:
        out.put(b"x" * 6000)
    with site.connect(1, "SHORT") as narrow, narrow.open(QUEUE, MQOO_INPUT_SHARED) as queue:
        with pytest.raises(MQError) as problem:
            queue.get()
        assert problem.value.reason == MQRC_MSG_TOO_BIG_FOR_CHANNEL
        assert site.depth(QUEUE) == 1
        with narrow.open(QUEUE, MQOO_OUTPUT) as out:
            for put in (out.put, partial(narrow.put1, QUEUE)):
                with pytest.raises(MQError) as problem:
                    put(b"x" * 5001)
                assert problem.value.reason == MQRC_MSG_TOO_BIG_FOR_CHANNEL
            out.put(b"x" * 5000)  # the connection is as before


def transmissions(site: Reachable) -> tuple[int, int]:
    shown = site.mqsc(f"DISPLAY CHSTATUS({CHANNEL}) BUFSRCVD BUFSSENT")
    received, sent = [re.findall(rf"{name}\((\d+)\)", shown)[0] for name in ("BUFSRCVD", "BUFSSENT")]
    return int(received), int(sent)


def test_status_of_channels_connections_and_listeners(site: Reachable) -> None:
    assert "AMQ8420I" in site.mqsc("DISPLAY CHSTATUS(*)")
    with site.connect(10) as connection, connection.open(QUEUE, MQOO_OUTPUT) as queue:
        queue.put(b"x")
        shown = site.mqsc(f"DISPLAY CHSTATUS({CHANNEL}) ALL")
        for item in (
            f"CHANNEL({CHANNEL})",
            "CHLTYPE(SVRCONN)",
            "CONNAME(127.0.0.1)",
            f"LOCLADDR(127.0.0.1({site.port}))",
            "STATUS(RUNNING)",
            "SUBSTATE(RECEIVE)",
            "MCAUSER(app)",
            "RAPPLTAG(tests)",
            "MSGS(3)",  # MQCONN, MQOPEN, MQPUT
            "CURSHCNV(1)",
            "MAXSHCNV(10)",
            "HBINT(300)",
        ):
            assert item in shown
        before = transmissions(site)
        queue.put(b"y")
        assert transmissions(site) == (before[0] + 1, before[1] + 1)
        shown = site.mqsc("DISPLAY CONN(*) ALL")
        for item in (f"CHANNEL({CHANNEL})", "CONNAME(127.0.0.1)", "USERID(app)", "APPLTAG(tests)"):
            assert item in shown
        assert "OPPROCS(1)" in site.mqsc(f"DISPLAY QSTATUS({QUEUE}) OPPROCS")
        shown = site.mqsc("DISPLAY CONN(*) APPLTAG WHERE(APPLTYPE EQ USER)")
        assert re.findall(r"APPLTAG\((.*)\)", shown) == ["tests"]
    shown = site.mqsc("DISPLAY CONN(*) APPLTAG WHERE(APPLTYPE EQ SYSTEM)")
    assert {"kew command server", "kew queued pub/sub"} <= set(re.findall(r"APPLTAG\((.*?)\)", shown))
    shown = site.mqsc("DISPLAY LSSTATUS(*) ALL")
    assert "LISTENER(TEST)" in shown
    assert f"PORT({site.port})" in shown
    assert "BACKLOG(1024)" in shown  # what the system was asked for, as nobody said another number


def test_stopping_a_channel_by_force(site: Reachable) -> None:
    connection = site.connect()
    queue = connection.open(QUEUE, MQOO_OUTPUT)
    queue.put(b"never", syncpoint=True)
    assert "AMQ8019I" in site.mqsc(f"STOP CHANNEL({CHANNEL}) MODE(FORCE)")
    with pytest.raises(MQError):
        queue.put(b"x")
    assert eventually(lambda: site.depth(QUEUE) == 0)
    assert "STATUS(STOPPED)" in site.mqsc(f"DISPLAY CHSTATUS({CHANNEL})")
    assert reason_of_connecting(site, CHANNEL) == MQRC_CHANNEL_NOT_AVAILABLE
    assert "AMQ8018I" in site.mqsc(f"START CHANNEL({CHANNEL})")
    site.connect().disconnect()


def test_stopping_a_channel_lets_programs_finish(site: Reachable) -> None:
    with site.connect() as connection, connection.open(QUEUE, MQOO_OUTPUT) as queue:
        queue.put(b"kept", syncpoint=True)
        assert "AMQ8019I" in site.mqsc(f"STOP CHANNEL({CHANNEL})")
        assert "STATUS(STOPPING)" in site.mqsc(f"DISPLAY CHSTATUS({CHANNEL})")
        unless_ending = PutOptions()
        unless_ending.options = MQPMO_FAIL_IF_QUIESCING
        with pytest.raises(MQError) as told:
            queue.put(b"not begun", options=unless_ending)
        assert told.value.reason == MQRC_CONNECTION_QUIESCING
        connection.commit()
        assert connection.quiescing
    assert site.depth(QUEUE) == 1


def test_who_does_not_go_when_its_channel_stops_is_shown_out(site: Reachable) -> None:
    site.network.agents.stop_seconds = 0.05
    with site.connect() as connection, connection.open(QUEUE, MQOO_OUTPUT) as queue:
        queue.put(b"not committed", syncpoint=True)
        assert "AMQ8019I" in site.mqsc(f"STOP CHANNEL({CHANNEL})")
        assert eventually(lambda: site.clients() == 0)
        with pytest.raises(Broken):
            connection.commit()
    assert site.depth(QUEUE) == 0


def test_programs_that_came_by_a_channel_that_was_deleted_can_be_stopped(site: Reachable) -> None:
    site.define_channel("MINE", "")
    connection = site.connect(1, "MINE")
    assert "AMQ8015I" in site.mqsc("DELETE CHANNEL(MINE)")
    connection.put1(QUEUE, b"who is in stays")
    assert "AMQ8019I" in site.mqsc("STOP CHANNEL(MINE) MODE(FORCE)")
    assert eventually(lambda: not site.network.channel_states())
    with pytest.raises(MQError):
        connection.open(QUEUE, MQOO_OUTPUT)
    assert "AMQ8420I" in site.mqsc("DISPLAY CHSTATUS(MINE)")
    assert "AMQ8227E" in site.mqsc("STOP CHANNEL(MINE)")


def test_a_channel_that_is_defined_anew_is_not_stopped(site: Reachable) -> None:
    site.define_channel("MINE", "")
    site.mqsc("STOP CHANNEL(MINE)")
    assert reason_of_connecting(site, "MINE") == MQRC_CHANNEL_NOT_AVAILABLE
    site.mqsc("DELETE CHANNEL(MINE)")
    assert "AMQ8420I" in site.mqsc("DISPLAY CHSTATUS(MINE)")
    site.mqsc("DEFINE CHANNEL(MINE) CHLTYPE(SVRCONN) MCAUSER('app')")
    site.connect(1, "MINE").disconnect()


def test_commands_that_do_not_fit(site: Reachable) -> None:
    assert "AMQ8227E" in site.mqsc("STOP CHANNEL(NO.SUCH)")
    assert "AMQ9533W" in site.mqsc(f"STOP CHANNEL({CHANNEL}) STATUS(INACTIVE)")
    assert "AMQ8019I" in site.mqsc(f"STOP CHANNEL({CHANNEL}) STATUS(INACTIVE) IGNSTATE(YES)")
    assert "AMQ8147E" in site.mqsc("START LISTENER(NO.SUCH)")
    assert "AMQ8731I" in site.mqsc("STOP LISTENER(DEV.LISTENER.TCP)")


def test_listeners_come_and_go(site: Reachable) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        site.mqsc(f"DEFINE LISTENER(MINE) TRPTYPE(TCP) PORT({port}) IPADDR('127.0.0.1')")
        assert "cannot be listened on" in site.mqsc("START LISTENER(MINE)")
    assert "AMQ8021I" in site.mqsc("START LISTENER(MINE)")
    assert "AMQ8730I" in site.mqsc("START LISTENER(MINE)")
    assert "AMQ8021I" in site.mqsc("START LISTENER(MINE) IGNSTATE(YES)")
    assert "AMQ8148E" in site.mqsc("DELETE LISTENER(MINE)")  # nobody could stop it any more
    connection = client.connect(NAME, f"127.0.0.1({port})", CHANNEL, "app", "password")
    assert "AMQ8706I" in site.mqsc("STOP LISTENER(MINE)")
    assert "AMQ8731I" in site.mqsc("STOP LISTENER(MINE)")
    assert "AMQ8706I" in site.mqsc("STOP LISTENER(MINE) IGNSTATE(YES)")
    with pytest.raises(MQError):
        client.connect(NAME, f"127.0.0.1({port})", CHANNEL, "app", "password")
    connection.put1(QUEUE, b"those who are in stay")
    connection.disconnect()
    assert "AMQ8628I" in site.mqsc("DELETE LISTENER(MINE)")


def test_the_channel_initiator_takes_listeners_and_channels_with_it(site: Reachable) -> None:
    site.mqsc("DEFINE LISTENER(MINE) TRPTYPE(TCP) PORT(1) IPADDR('127.0.0.1')")
    connection = site.connect()
    with site.connect() as other, other.open(QUEUE, MQOO_OUTPUT) as queue:
        queue.put(b"not committed", syncpoint=True)
        assert "CSQX840I: 2 channel connections current" in site.mqsc("DISPLAY CHINIT")
        assert "NORMAL COMPLETION" in site.mqsc("STOP CHINIT")
        with pytest.raises(MQError):
            queue.put(b"too late")
    with pytest.raises(MQError):
        connection.put1(QUEUE, b"too late")
    assert not site.network.listener_states()
    assert eventually(lambda: not site.network.channel_states())
    assert "CSQX903E" in site.mqsc("START LISTENER(MINE)")
    local = site.manager.connect()
    local.put1(QUEUE, MessageDescriptor(), b"programs on this machine go on")
    local.disconnect()
    assert eventually(lambda: site.depth(QUEUE) == 1)
    assert "AMQ8024I" in site.mqsc("START CHINIT")
    assert "CSQX840I: 0 channel connections current" in site.mqsc("DISPLAY CHINIT")


def test_quiescing_ends_waits_and_refuses_newcomers(site: Reachable) -> None:
    found: list[int] = []
    with site.connect() as connection, connection.open(QUEUE, MQOO_INPUT_SHARED) as queue:

        def wait() -> None:
            try:
                queue.get(30)
            except MQError as error:
                found.append(error.reason)

        thread = Thread(target=wait)
        thread.start()
        assert eventually(lambda: site.manager.host.queues.by_name[QUEUE].waiters.count == 1)
        site.manager.quiesce()
        thread.join()
        assert found == [MQRC_Q_MGR_QUIESCING]
        assert reason_of_connecting(site, CHANNEL) == MQRC_Q_MGR_QUIESCING

        def told() -> bool:  # a program reads what it was told at its next call
            with suppress(MQError):
                queue.get()
            return connection.quiescing

        assert eventually(told)


@pytest.mark.parametrize("conversations", [0, 1])
@pytest.mark.parametrize("method", ["RLE", "ZLIBFAST", "ZLIBHIGH", "LZ4FAST", "LZ4HIGH"])
def test_compression_is_agreed_and_saves_bytes(site: Reachable, method: str, conversations: int) -> None:
    site.define_channel("PACKED", "COMPMSG(ANY) COMPHDR(SYSTEM)")
    code = object_type("SVRCONN")["COMPMSG"].read(method)
    assert isinstance(code, tuple)
    link = Link("PACKED", NAME, conversations, 300, 1 << 22)
    offer = link.session.offer
    assert offer is not None
    offer.message_compression = compression_list([int(str(code[0]))], 16)
    offer.header_compression = compression_list([8], 2)
    driver = SocketDriver(link, socket.create_connection(("127.0.0.1", site.port), 10))
    verbs = Verbs(link)
    driver.run(verbs.negotiate())
    driver.run(verbs.connect(NAME, "app", "password", "tests"))
    data = b'{"name": "value", "blank": "                    "}' * 2000
    with client.Connection(Established(driver, verbs)) as connection:
        queue = connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
        queue.put(data)
        assert queue.get(30).data == data
        state = site.network.channel_states()[0]
        assert state.bytes_received < len(data)
        if conversations:  # else the first MQGET is answered with what its buffer holds
            assert state.bytes_sent < len(data)
        assert f"COMPMSG({method}" in site.mqsc("DISPLAY CHSTATUS(PACKED) ALL")


@pytest.mark.parametrize(
    ("attributes", "seconds"),
    [("HBINT(600)", 660), ("KAINT(45)", 45), ("KAINT(0)", 0), ("KAINT(AUTO) HBINT(0)", 0), ("KAINT(99999)", 32767)],
)
def test_idle_connections_are_probed(tmp_path: Path, attributes: str, seconds: int) -> None:
    probing = Configuration(log=LogConfiguration(file_pages=64), tcp=TCPConfiguration(keep_alive=True))
    with reachable(tmp_path, probing) as site:
        site.define_channel("PROBED", attributes)
        with site.connect(1, "PROBED"):
            (agent,) = list(site.network.agents.all)
            endpoint = agent.stream.endpoint
            assert endpoint.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == int(seconds > 0)
            if seconds:
                assert endpoint.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == seconds


async def _share(site: Reachable) -> list[bytes]:
    first = await connect_async(NAME, site.address, CHANNEL, "app", "password", "tests", conversations=10)
    connections = [first]
    for _turn in range(9):
        connections.append(await first.share("app", "password"))
    assert "CURSHCNV(10)" in site.mqsc(f"DISPLAY CHSTATUS({CHANNEL}) CURSHCNV")
    got = []
    for number, connection in enumerate(connections):
        await connection.put1(QUEUE, b"%d" % number)
        queue = await connection.open(QUEUE, MQOO_INPUT_SHARED)
        got.append((await queue.get(30)).data)
        await queue.close()
    for connection in connections:
        await connection.disconnect()
    return got


def test_ten_conversations_share_a_socket(site: Reachable) -> None:
    assert asyncio.run(_share(site)) == [b"%d" % number for number in range(10)]
    assert eventually(lambda: not site.network.channel_states())
    assert eventually(lambda: not site.clients())
