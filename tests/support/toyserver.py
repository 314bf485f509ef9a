"""The toy queue manager behind a real socket on the loopback address, for clients that bring sockets of their own."""

import contextlib
import selectors
import socket
import ssl
import threading
import time
import traceback
from functools import partial
from types import TracebackType

from tests.support.responder import Responder, ToyQueueManager


class ToyServer:
    """Listens on a free port and serves until it is left; one thread, and no waits but in select."""

    def __init__(self, queue_manager: ToyQueueManager, tls: ssl.SSLContext | None = None) -> None:
        self.queue_manager = queue_manager
        self.tls = tls
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.problems: list[BaseException] = []
        self.responders: list[Responder] = []
        self._selector = selectors.DefaultSelector()
        self._wake_read, self._wake_write = socket.socketpair()
        self._stopping = False
        self._dropping = False
        self._thread = threading.Thread(target=self._run, name="toy-server")

    @property
    def connection_name(self) -> str:
        return f"127.0.0.1({self.port})"

    def __enter__(self) -> "ToyServer":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping = True
        self._wake()
        self._thread.join()
        self._wake_write.close()
        assert not self.problems, self.problems

    def drop_connections(self) -> None:
        """Cut every connection, as a failed network does."""
        self._dropping = True
        self._wake()

    def _wake(self) -> None:
        # A server thread that has failed has closed its end; its problem is reported when the server is left.
        with contextlib.suppress(BrokenPipeError):
            self._wake_write.send(b".")

    def _run(self) -> None:
        self._selector.register(self.listener, selectors.EVENT_READ, None)
        self._selector.register(self._wake_read, selectors.EVENT_READ, None)
        try:
            while not self._stopping:
                for key, _ in self._selector.select(0.02):
                    if key.fileobj is self.listener:
                        self._accept()
                    elif key.fileobj is self._wake_read:
                        self._wake_read.recv(100)
                    elif isinstance(key.fileobj, socket.socket):
                        self._serve(key.fileobj, key.data)
                if self._dropping:
                    self._dropping = False
                    self._close_all()
                now = time.monotonic()
                for responder in list(self.queue_manager.responders):
                    responder.tick(now)
        except BaseException as problem:
            traceback.print_exc()
            self.problems.append(problem)
        finally:
            self._close_all()
            self.listener.close()
            self._wake_read.close()
            self._selector.close()

    def _close_all(self) -> None:
        for key in list(self._selector.get_map().values()):
            if isinstance(key.data, Responder) and isinstance(key.fileobj, socket.socket):
                self._forget(key.fileobj, key.data)

    def _accept(self) -> None:
        endpoint, _ = self.listener.accept()
        endpoint.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.tls is not None:
            try:
                endpoint = self.tls.wrap_socket(endpoint, server_side=True)
            except OSError:
                endpoint.close()
                return
        responder = Responder(self.queue_manager, partial(_write, endpoint))
        responder.now = time.monotonic()
        self.responders.append(responder)
        self._selector.register(endpoint, selectors.EVENT_READ, responder)

    def _serve(self, endpoint: socket.socket, responder: Responder) -> None:
        try:
            data = endpoint.recv(65536)
            while isinstance(endpoint, ssl.SSLSocket) and endpoint.pending():
                data += endpoint.recv(65536)
            if data:
                responder.receive(data)
        except OSError:
            data = b""
        if not data or responder.closed:
            self._forget(endpoint, responder)

    def _forget(self, endpoint: socket.socket, responder: Responder) -> None:
        self._selector.unregister(endpoint)
        endpoint.close()
        responder.lost()


def _write(endpoint: socket.socket, data: bytes) -> None:
    """A client that has gone shows when its socket is read next, whoever wrote to it meanwhile."""
    with contextlib.suppress(OSError):
        endpoint.sendall(data)
