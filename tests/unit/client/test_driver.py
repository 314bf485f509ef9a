"""The driver between a blocking socket and a link: heartbeats while idle, broken sockets, TLS."""

import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.certificates import certify, found
from tests.support.responder import ToyQueueManager
from tests.support.toyserver import ToyServer

from kew.channels.protocol import mqapi
from kew.channels.protocol.negotiate import Terms
from kew.channels.protocol.options import GetOptions
from kew.channels.protocol.segments import REQUEST_ACCEPTED
from kew.channels.protocol.server import ServerSession
from kew.channels.protocol.structures import ObjectDescriptor
from kew.client import connect
from kew.client.link import Link
from kew.client.openobject import OpenObject
from kew.client.socketdriver import SocketDriver
from kew.client.verbs import Verbs
from kew.codes.errors import Broken, MQError
from kew.codes.options import MQGMO_WAIT, MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.codes.reasons import MQRC_HOST_NOT_AVAILABLE, MQRC_SSL_INITIALIZATION_ERROR
from kew.formats.mqmd import MessageDescriptor


class Wire:
    """A connected driver, and the server's end of its socket."""

    def __init__(self) -> None:
        ours, self.far = socket.socketpair()
        self.link = Link("APP.SVRCONN", "QM1", 1, 300, 4194304)
        self.driver = SocketDriver(self.link, ours)
        self.verbs = Verbs(self.link)
        self.server = ServerSession()
        session = self.link.session
        self.server.receive(session.start())
        data, _ = self.server.accept(Terms("QM1", "QM1_ID"))
        self.link.receive(data)
        self.server.receive(self.link.take_output())
        self.link.receive(self.server.take_output())
        call = self.server.receive(session.send(mqapi.Connect()))[0]
        assert isinstance(call, mqapi.Connect)
        self.link.receive(self.server.send(mqapi.connect_reply(call, bytes(24), b"")))
        self.verbs.connected = True

    def close(self) -> None:
        self.driver.close()
        self.far.close()


@pytest.fixture
def wire() -> Iterator[Wire]:
    made = Wire()
    yield made
    made.close()


def test_the_answer_to_the_last_request_of_a_get_is_waited_for(wire: Wire) -> None:
    """When its time is up a get asks once more, and once only, however late the answer comes."""
    options = GetOptions()
    options.options, options.wait_interval = MQGMO_WAIT, 20
    get = wire.verbs.get(OpenObject(1, ObjectDescriptor(), 0), MessageDescriptor(), options)
    first = next(get)
    assert (bool(first.data), first.seconds, first.same_limit) == (True, 0.02, False)
    last = get.send(False)
    assert (bool(last.data), last.seconds, last.same_limit) == (True, None, False)
    later = get.send(True)
    assert (later.data, later.seconds, later.same_limit) == (b"", None, False)
    get.close()


def test_an_idle_connection_answers_heartbeats(wire: Wire) -> None:
    wire.far.sendall(_beat(wire.server))
    wire.driver.idle()
    answer = wire.far.recv(1000)
    assert len(answer) == 28
    assert answer[10] == REQUEST_ACCEPTED
    assert wire.link.failure is None


def _beat(server: ServerSession) -> bytes:
    server.tick(0.0)
    server.tick(305.0)
    return server.take_output()


def test_an_idle_connection_notices_that_it_is_closed(wire: Wire) -> None:
    wire.far.close()
    wire.driver.idle()
    with pytest.raises(Broken):
        wire.driver.run(wire.verbs.commit())
    assert wire.driver.closed


def test_idle_leaves_a_busy_connection_alone(wire: Wire) -> None:
    wire.far.sendall(_beat(wire.server))
    with wire.driver.lock:
        wire.driver.idle()
        wire.far.setblocking(False)
        with pytest.raises(BlockingIOError):
            wire.far.recv(1000)


def test_rubbish_from_the_server_breaks_the_connection(wire: Wire) -> None:
    wire.far.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    with pytest.raises(Broken) as broken:
        wire.driver.run(wire.verbs.commit())
    assert "segment header" in str(broken.value)


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    certify(tmp_path, "server", "/CN=localhost", found(tmp_path, "authority", "/CN=Authority"), with_rsa=False)
    return tmp_path


def test_tls(certificate: Path) -> None:
    inside = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    inside.load_cert_chain(certificate / "server.pem")
    outside = ssl.create_default_context(cafile=str(certificate / "authority.crt"))
    with ToyServer(ToyQueueManager("DEV.QUEUE.1"), inside) as server:
        with connect("QM1", server.connection_name, "APP.SVRCONN", "app", "passw0rd", tls=outside) as connection:
            queue = connection.open("DEV.QUEUE.1", MQOO_INPUT_SHARED | MQOO_OUTPUT)
            queue.put(bytes(200_000))
            assert len(queue.get().data) == 200_000
            connection.driver.idle()
            assert connection.verbs.link.failure is None
        with pytest.raises(MQError) as refused:
            connect("QM1", server.connection_name, "APP.SVRCONN", tls=ssl.create_default_context())
        assert refused.value.reason in (MQRC_SSL_INITIALIZATION_ERROR, MQRC_HOST_NOT_AVAILABLE)
