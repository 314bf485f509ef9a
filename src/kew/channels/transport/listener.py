"""A listener: a socket that accepts connections, over TCP or in the file system."""

import contextlib
import errno
import os
import socket
import stat
import time
from collections.abc import Callable
from typing import Final

from kew.channels.transport.loop import READABLE, Handler, Loop

BACKLOG: Final = 1024
ACCEPTS: Final = 64  # connections accepted in a row before other sockets have their turn
PAUSE: Final = 0.5  # seconds of rest when the process has no descriptors left

Welcome = Callable[[socket.socket, str, int], None]


class Listener(Handler):
    """Accepts connections and hands each to a function, with the address and port of the other side."""

    def __init__(
        self,
        loop: Loop,
        endpoint: socket.socket,
        welcome: Welcome,
        on_trouble: Callable[[OSError], None] | None = None,
        address: str = "",
        backlog: int = 0,
    ) -> None:
        super().__init__()
        self.loop = loop
        self.endpoint = endpoint
        self.welcome = welcome
        self.closed = False
        self._on_trouble = on_trouble  # called once each time that connections cannot be accepted
        self._troubled = False
        self.address = address
        self.backlog = backlog
        self.started = time.time()
        endpoint.setblocking(False)
        self._descriptor = endpoint.fileno()
        name = endpoint.getsockname()
        self.port = int(name[1]) if isinstance(name, tuple) else 0  # port in use; 0 for a socket in the file system

    def open(self) -> None:
        """Begin to accept connections; from the loop's thread, or before it starts."""
        self.loop.add(self._descriptor, self, READABLE)

    def close(self) -> None:
        """Stop accepting connections."""
        if not self.closed:
            self.closed = True
            self.loop.remove(self._descriptor)
            self.endpoint.close()

    def ready(self, events: int) -> None:
        """Accept the waiting connections."""
        for _turn in range(ACCEPTS):
            try:
                endpoint, address = self.endpoint.accept()
            except BlockingIOError:
                return
            except OSError as problem:
                if problem.errno in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
                    self._rest(problem)
                return
            self._troubled = False
            host, port = (str(address[0]), int(address[1])) if isinstance(address, tuple) else ("", 0)
            host = host.removeprefix("::ffff:")
            self.welcome(endpoint, host, port)

    def _rest(self, problem: OSError) -> None:
        """Accept no connections for a while: waiting connections are not lost, and the loop does not spin."""
        if self._on_trouble is not None and not self._troubled:
            self._on_trouble(problem)
        self._troubled = True
        self.loop.change(self._descriptor, 0)
        self.loop.later(PAUSE, self._wake)

    def _wake(self) -> None:
        if not self.closed:
            self.loop.change(self._descriptor, READABLE)

    def flush(self) -> None:
        """Do nothing: a listener writes nothing."""

    def failed(self, problem: Exception) -> None:
        """Do nothing: an unexpected error with a new connection does not end the listener."""


def listen_tcp(
    address: str, port: int, backlog: int = 0, send_buffer: int = 0, receive_buffer: int = 0
) -> socket.socket:
    """Make a socket that listens on an address (blank for all) and port (0 for any free one).

    Connections inherit its buffers, in bytes; 0 leaves them to the system.
    """
    family = socket.AF_INET6 if ":" in address or (not address and socket.has_dualstack_ipv6()) else socket.AF_INET
    endpoint = socket.socket(family, socket.SOCK_STREAM)
    try:
        endpoint.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if send_buffer:
            endpoint.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
        if receive_buffer:
            endpoint.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        if family == socket.AF_INET6 and not address:
            endpoint.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        endpoint.bind((address, port))
        endpoint.listen(backlog or BACKLOG)
    except OSError:
        endpoint.close()
        raise
    return endpoint


def listen_unix(directory: str, name: str) -> socket.socket:
    """Make a socket in a directory that only its owner may open; a socket left by an earlier run is replaced.

    A path may be longer than a socket's name can be, so the socket is named through the directory's descriptor.
    """
    path = os.path.join(directory, name)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    endpoint = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    folder = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        endpoint.bind(f"/proc/self/fd/{folder}/{name}")
        os.chmod(path, stat.S_IRUSR | stat.S_IWUSR)  # connections are refused until it listens
        endpoint.listen(BACKLOG)
    except OSError:
        endpoint.close()
        raise
    finally:
        os.close(folder)
    return endpoint
