"""A blocking socket with TLS whose records are taken from the plain socket, and given to it, as a whole.

Python's SSLSocket keeps a time limit itself: before it writes, and before it reads, it asks the system whether the
socket is ready; and OpenSSL reads the head of a record and the rest of it apart. Here a record goes with one system
call and comes with one, and the time limit is the kernel's, which costs nothing.
"""

import contextlib
import socket
import ssl
from typing import Final

from kew.channels.transport import openssl

READ_SIZE: Final = 65536
WRITE_SIZE: Final = 1 << 18  # bytes that are made secret at a time: a long message need not exist twice

_receive: Final = socket.socket.recv
_send_all: Final = socket.socket.sendall


class SecureSocket(socket.socket):
    """The client's end; takes over a socket that is connected. For one thread at a time."""

    def __init__(self, endpoint: socket.socket, context: ssl.SSLContext, host: str) -> None:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        session = context.wrap_bio(incoming, outgoing, server_hostname=host)
        limit = endpoint.gettimeout()
        super().__init__(endpoint.family, endpoint.type, endpoint.proto, endpoint.detach())
        self.settimeout(limit)
        self._incoming = incoming  # records that came
        self._outgoing = outgoing  # and those to be sent
        self._cut = False  # the last read may have left a part of a record behind
        self.session = session
        self._take, self._give = openssl.records(session)

    def shake_hands(self) -> None:
        """Go through a handshake, the first or one that renews keys."""
        while True:
            try:
                self.session.do_handshake()
            except ssl.SSLWantReadError:
                self._exchange()
            except OSError:
                with contextlib.suppress(OSError):
                    self._flush()  # the other side is told why
                raise
            else:
                self._flush()
                return

    def renew_keys(self) -> bool:
        """Have the keys renewed; whether that was possible, which it is not on a closed socket."""
        if self.fileno() < 0 or not openssl.renew(self.session):
            return False
        self.shake_hands()
        return True

    @property
    def pending(self) -> bool:
        """Whether something can be read without the system being asked."""
        return self._cut or self._incoming.pending > 0

    def recv(self, bufsize: int, flags: int = 0) -> bytes:
        """What came in the next record; nothing when the other side has closed the connection."""
        while True:
            if not self._cut and not self._incoming.pending:
                came = _receive(self, READ_SIZE, flags)
                if not came:
                    return b""
                self._incoming.write(came)
            try:
                data = self._take(bufsize)
            except ssl.SSLWantReadError:  # a part of a record, or one that is not for the program
                self._cut = False
                self._flush()
                continue
            self._cut = len(data) == bufsize
            return data

    def sendall(self, data: bytes, flags: int = 0) -> None:  # type: ignore[override]
        """Send all of it."""
        if len(data) > WRITE_SIZE:
            for at in range(0, len(data), WRITE_SIZE):
                self.sendall(data[at : at + WRITE_SIZE])
            return
        while True:
            try:
                self._give(data)
                break
            except ssl.SSLWantReadError:  # the other side has asked for new keys, which come first
                self._exchange()
        _send_all(self, self._outgoing.read())

    def _exchange(self) -> None:
        self._flush()
        came = _receive(self, READ_SIZE)
        if not came:
            raise ssl.SSLEOFError(ssl.SSL_ERROR_EOF, "the other side has closed the connection in a handshake")
        self._incoming.write(came)

    def _flush(self) -> None:
        if self._outgoing.pending:
            _send_all(self, self._outgoing.read())
