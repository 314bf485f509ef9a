"""A socket with TLS over a plain one: records as they come, the end of a connection, keys that are renewed."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.certificates import certify, found

from kew.channels.transport import openssl
from kew.channels.transport.tls import server_context
from kew.client.securesocket import NOT_YET, SecureSocket
from kew.client.tls import client_context

PATIENCE = 60.0
LONG = bytes(range(256)) * 4096  # more than the system takes at a time


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    certify(folder, "qm", "/O=Kew/CN=QM1", found(folder, "ca", "/O=Kew/CN=Authority"))
    return folder


class Peer:
    """The other end: shakes hands, then does what a test wants, in a thread of its own."""

    def __init__(self, keys: Path, endpoint: socket.socket) -> None:
        self._context = server_context(str(keys / "qm"))
        self._endpoint = endpoint
        self._thread: threading.Thread | None = None
        self.refused: ssl.SSLError | None = None  # what came of a handshake that failed

    def does(self, work: Callable[[ssl.SSLSocket], None]) -> None:
        def run() -> None:
            self._endpoint.settimeout(PATIENCE)
            try:
                secure = self._context.wrap_socket(self._endpoint, server_side=True)
            except ssl.SSLError as problem:
                self.refused = problem
                return
            with secure:
                work(secure)

        self._thread = threading.Thread(target=run)
        self._thread.start()

    def done(self) -> None:
        assert self._thread is not None
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


@pytest.fixture(params=["ANY_TLS13", "ANY_TLS12"])
def ends(keys: Path, request: pytest.FixtureRequest) -> Iterator[tuple[SecureSocket, Peer]]:
    ours, theirs = socket.socketpair()
    context = client_context(request.param, str(keys / "ca.crt"))
    with theirs, closing(SecureSocket(ours, context, "localhost")) as secure:
        secure.settimeout(PATIENCE)
        yield secure, Peer(keys, theirs)


def echo(endpoint: ssl.SSLSocket) -> None:
    while True:
        data = endpoint.recv(16384)
        if not data:
            return
        endpoint.sendall(data)


def received(endpoint: SecureSocket, size: int, step: int = 65536) -> bytes:
    data = b""
    while len(data) < size:
        came = endpoint.recv(step)
        assert came
        data += came
    return data


def test_what_is_sent_comes_back(ends: tuple[SecureSocket, Peer]) -> None:
    secure, peer = ends
    peer.does(echo)
    secure.shake_hands()
    for size in (1, 2048, 16384, 50000):
        secure.sendall(LONG[:size])
        assert received(secure, size) == LONG[:size]
    assert not secure.pending()
    secure.close()
    peer.done()


def test_a_record_may_be_taken_in_parts(ends: tuple[SecureSocket, Peer]) -> None:
    secure, peer = ends
    peer.does(echo)
    secure.shake_hands()
    secure.sendall(LONG[:1000])
    assert secure.recv(300) == LONG[:300]
    assert secure.pending()
    assert received(secure, 700, 100) == LONG[300:1000]
    secure.sendall(b"next")
    assert secure.recv(300) == b"next"
    secure.close()
    peer.done()


def test_a_long_message_is_sent_whole(ends: tuple[SecureSocket, Peer]) -> None:
    secure, peer = ends
    came: list[bytes] = []

    def collect(endpoint: ssl.SSLSocket) -> None:
        while sum(map(len, came)) < len(LONG):
            came.append(endpoint.recv(16384))
        endpoint.sendall(LONG)

    peer.does(collect)
    secure.shake_hands()
    secure.sendall(LONG)
    assert received(secure, len(LONG)) == LONG
    peer.done()
    assert b"".join(came) == LONG


@pytest.mark.parametrize("announced", [True, False])
def test_an_end_that_was_not_announced_is_an_error(ends: tuple[SecureSocket, Peer], announced: bool) -> None:
    secure, peer = ends

    def end(endpoint: ssl.SSLSocket) -> None:
        endpoint.sendall(b"last")
        if announced:
            endpoint.settimeout(0.0)
            with pytest.raises(ssl.SSLWantReadError):  # the other side's word is not waited for
                endpoint.unwrap()

    peer.does(end)
    secure.shake_hands()
    assert received(secure, 4) == b"last"
    peer.done()
    if announced:
        assert secure.recv(100) == b""
    else:
        with pytest.raises(ssl.SSLEOFError):
            secure.recv(100)


def test_keys_are_renewed_by_either_side(ends: tuple[SecureSocket, Peer]) -> None:
    secure, peer = ends

    def renewing(endpoint: ssl.SSLSocket) -> None:
        for _turn in range(3):
            data = endpoint.recv(16384)
            assert openssl.renew(endpoint)
            endpoint.sendall(data)
        echo(endpoint)

    peer.does(renewing)
    secure.shake_hands()
    for turn in range(6):
        if turn >= 3 and secure.session.version() == "TLSv1.3":  # in TLS 1.2 the echo would have to read meanwhile
            assert secure.renew_keys()
        secure.sendall(b"%d" % turn * 1000)
        assert received(secure, 1000) == b"%d" % turn * 1000
    secure.close()
    peer.done()
    assert not secure.renew_keys()


def test_who_hangs_up_in_the_handshake_is_told_from_the_end_of_data(keys: Path) -> None:
    ours, theirs = socket.socketpair()
    with closing(SecureSocket(ours, client_context("ANY_TLS13", str(keys / "ca.crt")), "localhost")) as secure:
        secure.settimeout(PATIENCE)
        theirs.close()
        with pytest.raises(OSError, match=r"EOF|Broken pipe|reset"):
            secure.shake_hands()


def test_a_certificate_of_somebody_else_is_refused(keys: Path, tmp_path: Path) -> None:
    found(tmp_path, "ca", "/O=Kew/CN=Another")
    ours, theirs = socket.socketpair()
    peer = Peer(keys, theirs)
    context = client_context("ANY_TLS13", str(tmp_path / "ca.crt"))
    with theirs, closing(SecureSocket(ours, context, "localhost")) as secure:
        secure.settimeout(PATIENCE)
        peer.does(echo)
        with pytest.raises(ssl.SSLCertVerificationError):
            secure.shake_hands()
        peer.done()
    assert "alert" in str(peer.refused).lower()


def test_nothing_there_is_said_at_once_to_who_does_not_wait(ends: tuple[SecureSocket, Peer]) -> None:
    secure, peer = ends
    peer.does(echo)
    secure.shake_hands()
    secure.settimeout(0.0)
    with pytest.raises(NOT_YET):  # what TLS 1.3 says after the handshake is no data
        secure.recv(100)
    secure.settimeout(PATIENCE)
    secure.sendall(b"again")
    assert received(secure, 5) == b"again"
    secure.close()
    peer.done()
