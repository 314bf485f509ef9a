"""A blocking socket with TLS that reads and writes TLS records directly.

Python's SSLSocket keeps a time limit itself: before it writes or reads, it asks the system whether the socket is ready.
Here the time limit is the kernel's (SO_RCVTIMEO), which costs no system call: Python treats the socket as non-blocking,
while the system blocks until the limit.
"""

import os
import socket
import ssl
from typing import Final

from kew.channels.transport import openssl

# Raised while no bytes have come, by a plain socket and by one with TLS.
NOT_YET: Final = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)


class SecureSocket:
    """The client's end of a TLS connection; takes over a connected socket. For one thread at a time."""

    def __init__(self, endpoint: socket.socket, context: ssl.SSLContext, host: str) -> None:
        self.session = context.wrap_socket(endpoint, server_hostname=host, do_handshake_on_connect=False)
        self.recv, self._give = openssl.records(self.session)  # an end without close_notify is an SSLEOFError

    def shake_hands(self) -> None:
        """Carry out the handshake."""
        self.session.do_handshake()

    def renew_keys(self) -> bool:
        """Renew the keys; says whether that was possible, which it is not on a closed socket."""
        if self.fileno() < 0 or not openssl.renew(self.session):
            return False
        self.session.do_handshake()
        return True

    def pending(self) -> bool:
        """Say whether bytes can be read without a system call."""
        return self.session.pending() > 0

    def sendall(self, data: bytes) -> None:
        """Send all of the bytes."""
        while True:
            try:
                self._give(data)
            except ssl.SSLWantReadError:  # the other side has asked for new keys, which come first
                continue
            return

    def settimeout(self, seconds: float | None) -> None:
        """Set the time limit of reads; None for the kernel's."""
        self.session.settimeout(seconds or 0.0)
        if seconds is None:
            os.set_blocking(self.fileno(), True)

    def setsockopt(self, level: int, option: int, value: bytes) -> None:
        """Set an option of the socket."""
        self.session.setsockopt(level, option, value)

    def fileno(self) -> int:
        """Give the descriptor; -1 once the socket is closed."""
        return self.session.fileno()

    def close(self) -> None:
        """Close the socket."""
        self.session.close()
