"""Those who are not admitted take no places of channels, and a flood of them keeps nobody out."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Event as Flag
from threading import Thread

import pytest
from tests.support.certificates import certify, found
from tests.support.network import CHANNEL, NAME, Reachable, eventually, reachable
from tests.support.server import ServerProcess
from tests.support.stranger import Stranger

from kew import client
from kew.channels.agents.registry import MOST_PENDING
from kew.channels.protocol.control import START_CONVERSATION, Heartbeat, SocketAction
from kew.channels.protocol.framing import frame
from kew.channels.protocol.lifecycle import ChannelEnded
from kew.channels.protocol.mqapi import Connect
from kew.channels.protocol.segments import FORM_SOCKET
from kew.channels.protocol.server import MOST_UNCONNECTED
from kew.channels.protocol.status import CHANNEL_UNAVAILABLE
from kew.client.link import Link
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_NOT_AUTHORIZED
from kew.qmgr.config import ChannelsConfiguration, Configuration, LogConfiguration
from kew.security.identity import AT_ONCE

FEW = Configuration(log=LogConfiguration(file_pages=64), channels=ChannelsConfiguration(max_channels=2))
QUEUE = "DEV.QUEUE.1"
FLOOD = 20_000  # connections at most, should a test never end


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Reachable]:
    """A queue manager that has room for two channels, and keys for TLS."""
    certify(tmp_path, "qm", "/O=Kew/CN=QM1", found(tmp_path, "ca", "/O=Kew/CN=Authority"))
    with reachable(tmp_path / "data", FEW) as running:
        running.mqsc(f"ALTER QMGR SSLKEYR('{tmp_path}/qm')")
        running.mqsc("REFRESH SECURITY TYPE(SSL)")
        yield running


def client_hello() -> bytes:
    """The first words of a handshake of TLS."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.create_default_context()
    context.check_hostname = False
    with suppress(ssl.SSLWantReadError):
        context.wrap_bio(incoming, outgoing).do_handshake()
    return outgoing.read()


STOPS = ("silent", "first bytes", "half an offer", "offered", "negotiated", "half a call", "half TLS", "TLS begun")


def stop_at(stranger: Stranger, stop: str) -> None:
    """Go as far as that and no further."""
    if stop == "first bytes":
        stranger.say(b"TSH")
    elif stop in ("half an offer", "offered"):
        offer = stranger.session.start()
        stranger.say(offer[: len(offer) // 2] if stop == "half an offer" else offer)
    elif stop in ("negotiated", "half a call"):
        stranger.negotiate()
        if stop == "half a call":
            stranger.say(stranger.ask()[:-100])
    elif stop in ("half TLS", "TLS begun"):
        hello = client_hello()
        stranger.say(hello[: len(hello) // 2] if stop == "half TLS" else hello)


@pytest.mark.parametrize("stop", STOPS)
def test_who_stops_half_way_keeps_nobody_out(site: Reachable, stop: str) -> None:
    site.define_channel("ONE", "MAXINST(1) MAXINSTC(1)")
    strangers = [Stranger(site.port, channel) for channel in (CHANNEL, CHANNEL, "ONE", "ONE")]
    for stranger in strangers:
        stop_at(stranger, stop)
    assert eventually(lambda: len(site.network.agents.pending) == len(strangers))
    with site.connect(1, "ONE"), site.connect() as connection:
        connection.put1(QUEUE, b"in")
        with pytest.raises(MQError):
            site.connect()  # the places there are, are taken
    for stranger in strangers:
        stranger.endpoint.close()
    assert eventually(lambda: not site.network.agents.all)
    assert site.network.channels._total == 0


def test_places_are_given_when_somebody_is_admitted(site: Reachable) -> None:
    site.define_channel("ONE", "MAXINST(1)")
    first, second = Stranger(site.port, "ONE"), Stranger(site.port, "ONE")
    for stranger in (first, second):
        stranger.negotiate()
    shown = site.mqsc("DISPLAY CHSTATUS(ONE)")
    assert shown.count("STATUS(BINDING)") == 2
    first.say(first.ask())
    first.until(Connect)
    assert site.mqsc("DISPLAY CHSTATUS(ONE)").count("STATUS(RUNNING)") == 1
    second.say(second.ask())
    ended = second.until(ChannelEnded)
    assert isinstance(ended, ChannelEnded)
    assert ended.code == CHANNEL_UNAVAILABLE
    for stranger in (first, second):
        stranger.endpoint.close()
    assert eventually(lambda: not site.network.agents.all)
    with site.connect(1, "ONE"):
        pass  # the place was given back once


@pytest.mark.parametrize("source", ["127.0.0.1", "127.0.0.2"])
def test_a_sustained_flood_keeps_nobody_out(tmp_path: Path, source: str) -> None:
    over = Flag()
    made = 0

    def flood(port: int) -> None:
        nonlocal made
        held: list[socket.socket] = []
        offer = Link(CHANNEL, NAME, 10, 300, 1 << 20).session.start()
        while not over.is_set() and made < FLOOD:
            made += 1
            if made % 10 == 0:
                over.wait(0.005)  # 2000 a second; faster, and this process hardly lets its own client have a turn
            with suppress(OSError):
                stranger = socket.create_connection(("127.0.0.1", port), 30, (source, 0))
                held.append(stranger)
                stranger.sendall(offer if made % 2 else b"T")
            if len(held) > MOST_PENDING:
                held.pop(0).close()
        for stranger in held:
            stranger.close()

    with ServerProcess(tmp_path) as server:
        attacker = Thread(target=flood, args=(server.port,))
        attacker.start()
        try:
            assert eventually(lambda: made > 2 * MOST_PENDING)
            for _turn in range(10):
                before = made
                with client.connect(NAME, server.address, "DEV.APP.SVRCONN", "app", "password") as connection:
                    connection.put1(QUEUE, b"in")
                assert eventually(lambda since=before: made > since + 20)  # type: ignore[misc]
        finally:
            over.set()
            attacker.join()
        assert made < FLOOD
        log = "".join([path.read_text() for path in sorted(tmp_path.rglob("AMQERR0*.LOG"))])
        assert 0 < log.count("CSQX902W: ") <= made // 10 + 100


def test_who_waits_for_passwords_and_goes_holds_nobody_up(site: Reachable) -> None:
    turns = site.manager.host.directory._turns
    site.connect().disconnect()  # so that this password is known
    with ExitStack() as held:
        for _ in range(AT_ONCE):  # as if as many passwords were checked, for as long as this takes
            held.enter_context(turns)
        strangers = [Stranger(site.port) for _ in range(AT_ONCE + 20)]
        for number, stranger in enumerate(strangers):
            stranger.negotiate()
            stranger.say(stranger.ask(b"wrong%d" % number))
        assert eventually(lambda: site.network._porters._waiting == 20)
        site.connect().disconnect()  # who is known does not stand in that line
        for stranger in strangers:
            stranger.endpoint.close()
        assert eventually(lambda: not site.network.agents.all)
    assert eventually(lambda: not site.network._porters._waiting)
    with pytest.raises(MQError) as caught:
        site.connect(password="wrong")
    assert caught.value.reason == MQRC_NOT_AUTHORIZED

    def looked_at() -> int:
        return sum([path.read_text().count("AMQ5534E: ") for path in Path(site.data).rglob("AMQERR01.LOG")])

    assert eventually(lambda: looked_at() > AT_ONCE)
    assert looked_at() == AT_ONCE + 1  # and not the passwords of those who had gone


def test_a_stranger_opens_few_conversations(site: Reachable) -> None:
    site.define_channel("MANY", "SHARECNV(999999)")
    stranger = Stranger(site.port, "MANY", conversations=999999)
    stranger.negotiate()
    with suppress(OSError):
        for number in range(3, 4000, 2):
            start = SocketAction(START_CONVERSATION, number)
            stranger.say(frame(start, FORM_SOCKET, stranger.session.dialect, stranger.session.max_segment))
            for agent in list(site.network.agents.all):
                assert len(agent.callers) <= MOST_UNCONNECTED
    assert eventually(lambda: not site.network.agents.all)
    stranger.endpoint.close()
    with client.connect(NAME, site.address, "MANY", conversations=999999):
        pass


def test_a_stranger_who_does_not_read_is_told_little(site: Reachable) -> None:
    stranger = Stranger(site.port)
    stranger.endpoint.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    stranger.negotiate()
    session = stranger.session
    beats = frame(Heartbeat(), FORM_SOCKET, session.dialect, session.max_segment) * 1000
    agent = next(iter(site.network.agents.all))
    with suppress(OSError):
        for _turn in range(2000):
            stranger.say(beats)
            assert agent.stream.pending < 1 << 17
    assert eventually(lambda: not site.network.agents.all)
    stranger.endpoint.close()
