"""A blocking socket with TLS, from which records are read and to which they are written without anything between.

Python's SSLSocket keeps a time limit itself: before it writes, and before it reads, it asks the system whether the
socket is ready. Here the time limit is the kernel's (SO_RCVTIMEO), which costs nothing: Python takes the socket for one
that does not block, while the system does, until the limit.
"""

import os
import socket
import ssl
from typing import Final

from kew.channels.transport import openssl

# Nothing came yet: of a plain socket, and of one with TLS.
NOT_YET: Final = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class SecureSocket:
    """The client's end; takes over a socket that is connected. For one thread at a time."""

    def __init__(self, endpoint: socket.socket, context: ssl.SSLContext, host: str) -> None:
        self.session = context.wrap_socket(endpoint, server_hostname=host, do_handshake_on_connect=False)
        self.recv, self._give = openssl.records(self.session)  # an end that was not announced is an SSLEOFError

    def shake_hands(self) -> None:
        """Go through the handshake."""
        self.session.do_handshake()

    def renew_keys(self) -> bool:
        """Have the keys renewed; whether that was possible, which it is not on a closed socket."""
        if self.fileno() < 0 or not openssl.renew(self.session):
            return False
        self.session.do_handshake()
        return True

    def pending(self) -> bool:
        """Say whether something can be read without the system being asked."""
        return self.session.pending() > 0

    def sendall(self, data: bytes) -> None:
        """Send all of it."""
        while True:
            try:
                self._give(data)
            except ssl.SSLWantReadError:  # the other side has asked for new keys, which come first
                continue
            return

    def settimeout(self, seconds: float | None) -> None:
        """Wait so long; with None as long as the kernel does."""
        self.session.settimeout(seconds or 0.0)
        if seconds is None:
            os.set_blocking(self.fileno(), True)

    def setsockopt(self, level: int, option: int, value: bytes) -> None:
        """Set an option of the socket."""
        self.session.setsockopt(level, option, value)

    def fileno(self) -> int:
        """The descriptor, which is -1 once it is closed."""
        return self.session.fileno()

    def close(self) -> None:
        """Close the socket."""
        self.session.close()
