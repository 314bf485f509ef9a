"""What the network does to a server: connections cut anywhere, programs killed, floods, readers who do not read."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

import pytest
from tests.support.network import CHANNEL, NAME, Reachable, eventually, reachable

from kew import client
from kew.channels.protocol.delivery import RequestMessages
from kew.channels.protocol.events import Plain
from kew.channels.protocol.identity import Credentials, UserId
from kew.channels.protocol.lifecycle import ChannelStarted
from kew.channels.protocol.mqapi import Connect, Open
from kew.channels.protocol.segments import MQCMIT
from kew.channels.protocol.session import HANDSHAKE_SECONDS
from kew.client.link import Link
from kew.client.requests import queue_object
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPER_PERSISTENT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager

QUEUE = "DEV.QUEUE.1"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Reachable]:
    with reachable(tmp_path) as running:
        yield running


def nobody_left(site: Reachable) -> bool:
    return not site.network.agents.all and not site.clients()


class Recorder:
    """A socket to the queue manager that keeps what is written to it."""

    def __init__(self, site: Reachable) -> None:
        self.endpoint = socket.create_connection(("127.0.0.1", site.port), 10)
        self.written = b""

    def sendall(self, data: bytes) -> None:
        self.written += data
        self.endpoint.sendall(data)


def talk(site: Reachable) -> bytes:
    """Hold a whole conversation by hand; the bytes that the client sent."""
    wire = Recorder(site)
    session = Link(CHANNEL, NAME, 10, 300, 1 << 20).session
    wire.sendall(session.start())

    def until(kind: type) -> None:
        while True:
            events = session.receive(wire.endpoint.recv(65536))
            more = session.take_output()
            if more:
                wire.sendall(more)
            if any(isinstance(event, kind) for event in events):
                return

    until(ChannelStarted)
    wire.sendall(session.send(UserId(b"APP", b"app")) + session.send(Credentials(b"app", b"password")))
    call = Connect()
    call.body_size = 260  # at level 12
    call.fcno_version = 2
    wire.sendall(session.send(call))
    until(Connect)
    wire.sendall(session.send(Open(queue_object(QUEUE), MQOO_OUTPUT | MQOO_INPUT_SHARED)))
    until(Open)
    request = RequestMessages(1)
    wire.sendall(session.send(request) + session.send(Plain(MQCMIT)))
    until(Plain)
    wire.endpoint.close()
    return wire.written


def test_connections_cut_and_garbled_anywhere(site: Reachable) -> None:
    whole = talk(site)
    random = Random(7)
    with site.connect() as steady, steady.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED) as queue:
        for turn in range(150):
            data = bytearray(whole[: random.randrange(len(whole) + 1)])
            if turn % 2 and data:
                for _flip in range(random.randrange(1, 4)):
                    data[random.randrange(len(data))] = random.randrange(256)
            with socket.create_connection(("127.0.0.1", site.port), 10) as endpoint:
                try:
                    for start in range(0, len(data), 97):
                        endpoint.sendall(data[start : start + 97])
                except OSError:
                    pass  # shown out before it had said all
            if turn % 10 == 0:
                queue.put(b"steady")
                assert queue.get(30).data == b"steady"
        site.mqsc(f"CLEAR QLOCAL({QUEUE})")
    assert eventually(lambda: nobody_left(site))
    assert not list(Path(site.data).rglob("*.FDC"))


PROGRAM = """
import sys
from kew import client
from kew.formats.mqmd import MessageDescriptor
connection = client.connect("QM1", sys.argv[1], "DEV.APP.SVRCONN", "app", "password")
queue = connection.open("DEV.QUEUE.1", 18)
for number in range(5):
    queue.put(b"never", MessageDescriptor(persistence=number % 2), syncpoint=True)
queue.get(5, syncpoint=True, message_id=b"m" * 24)
print("ready", flush=True)
queue.get(60, correlation_id=b"x" * 24)
"""


def test_a_killed_program_leaves_nothing(site: Reachable) -> None:
    with site.connect() as connection, connection.open(QUEUE, MQOO_OUTPUT) as queue:
        queue.put(b"kept", MessageDescriptor(persistence=MQPER_PERSISTENT, message_id=b"m" * 24))
    program = subprocess.Popen([sys.executable, "-c", PROGRAM, site.address], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    assert program.stdout.readline() == "ready\n"
    assert site.depth(QUEUE) == 5
    os.kill(program.pid, signal.SIGKILL)
    program.wait()
    program.stdout.close()
    assert eventually(lambda: site.depth(QUEUE) == 1 and nobody_left(site))
    assert site.manager.host.queues.by_name[QUEUE].waiters.count == 0
    with site.connect() as connection, connection.open(QUEUE, MQOO_INPUT_SHARED) as queue:
        got = queue.get()
        assert (got.data, got.descriptor.backout_count) == (b"kept", 1)


def test_a_flood_of_silent_connections(site: Reachable) -> None:
    site.network.agents.most_pending = 20
    silent = [socket.create_connection(("127.0.0.1", site.port), 10) for _turn in range(100)]
    for endpoint in silent[::2]:
        endpoint.sendall(b"TSH ")
    try:
        assert eventually(lambda: len(site.network.agents.all) == 20)
        with site.connect() as connection:
            connection.put1(QUEUE, b"somebody real")
        assert len(site.network.agents.all) <= 20
    finally:
        for endpoint in silent:
            endpoint.close()
    assert eventually(lambda: nobody_left(site))


def test_who_does_not_shake_hands_is_shown_out(site: Reachable) -> None:
    with socket.create_connection(("127.0.0.1", site.port), 10) as endpoint:
        endpoint.sendall(b"TSH ")
        assert eventually(lambda: len(site.network.agents.all) == 1)
        agent = next(iter(site.network.agents.all))
        loop = site.network.loop
        for later in (0.0, HANDSHAKE_SECONDS):
            loop.post(partial(agent.tick, loop.now + later))
        with suppress(ConnectionResetError):  # what it sent may not have been read, and then the end is a reset
            assert endpoint.recv(100) == b""
    assert eventually(lambda: nobody_left(site))


def test_who_does_not_read_costs_little_and_loses_nothing(site: Reachable) -> None:
    site.mqsc(f"ALTER QLOCAL({QUEUE}) MAXDEPTH(100000)")
    with site.connect() as writer, site.connect() as reader, writer.open(QUEUE, MQOO_OUTPUT) as out:
        queue = reader.open(QUEUE, MQOO_INPUT_SHARED, read_ahead=True)
        queue.opened.window = 1 << 30  # it asks for more than it will take
        for number in range(600):
            out.put(b"%04d" % number + bytes(20_000), asynchronous=True)
        assert queue.get(30).data.startswith(b"0000")
        agents = list(site.network.agents.all)
        for number in range(600, 650):
            out.put(b"%04d" % number + bytes(20_000))  # others go on meanwhile
            assert max([agent.stream.pending for agent in agents]) < 1 << 20
        for number in range(1, 650):
            assert queue.get(30).data[:4] == b"%04d" % number


def test_idle_programs_are_shown_out_after_the_disconnect_interval(site: Reachable) -> None:
    site.define_channel("IDLE", "DISCINT(1)")
    connection = site.connect(1, "IDLE")
    assert eventually(lambda: nobody_left(site))
    connection.driver.close()


def test_heartbeats_keep_quiet_programs_alive(site: Reachable) -> None:
    site.define_channel("BEAT", "HBINT(1)")
    with client.connect(NAME, site.address, "BEAT", "app", "password", heartbeat=1) as connection:
        agent = next(iter(site.network.agents.all))
        before = agent.session.bytes_received
        assert eventually(lambda: agent.session.bytes_received > before)
        connection.put1(QUEUE, b"still there")


def test_the_queue_manager_ends_with_programs_connected(tmp_path: Path) -> None:
    with reachable(tmp_path) as site:
        connection = site.connect()
        queue = connection.open(QUEUE, MQOO_OUTPUT)
        queue.put(b"kept", MessageDescriptor(persistence=MQPER_PERSISTENT))
        queue.put(b"never", MessageDescriptor(persistence=MQPER_PERSISTENT), syncpoint=True)
    connection.driver.close()
    with manager.start(NAME, site.data, developer=True) as again:
        assert again.host.queues.by_name[QUEUE].depth == 1
