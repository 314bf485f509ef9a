"""The control socket: a Unix domain socket in the queue manager's directory, for commands of its owner.

Only the user who runs the queue manager may connect: the socket has mode 0600, and the peer's credentials are checked.
The path may be longer than a socket address allows, so the socket is bound by its directory's file descriptor.
"""

import contextlib
import os
import socket
import stat
import struct
import threading
from typing import Final

from kew.codes.errors import MQError
from kew.commands.actions.context import Context
from kew.commands.actions.definitionscript import written
from kew.commands.actions.display import names_of
from kew.commands.actions.script import Script
from kew.qmgr.control.frames import CONTROL_SOCKET, Frame, FrameError, receive, send, socket_name
from kew.qmgr.control.images import ImageRefused, record_images

MOST_CLIENTS: Final = 32
MOST_NAMES: Final = 500
FRAME_SECONDS: Final = 30.0  # seconds in which the rest of a frame must come, and a reply be read
PAUSE: Final = 0.5  # seconds without accepting when the process has no descriptors left
_PEER: Final = struct.Struct("3i")


class ControlServer:
    """The server of the control socket, with a thread for each connection."""

    def __init__(self, context: Context, root: str) -> None:
        self._context = context
        self._root = root
        self._path = os.path.join(root, CONTROL_SOCKET)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._connections: dict[socket.socket, threading.Thread] = {}
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._accept, name="kew-control", daemon=True)

    def open(self) -> None:
        """Begin to serve; an existing socket is replaced, since the caller has the queue manager's lock."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path)
        with socket_name(self._root) as name:
            self._listener.bind(name)
        os.chmod(self._path, stat.S_IRUSR | stat.S_IWUSR)  # connections are refused until it listens
        self._listener.listen(MOST_CLIENTS)
        self._thread.start()

    def close(self) -> None:
        """End: send the replies to current requests, then close every connection."""
        self._stopping.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path)
        with self._lock:
            connections = dict(self._connections)
        for connection, thread in connections.items():
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RD)
            if thread is not threading.current_thread():
                thread.join(FRAME_SECONDS)

    def _accept(self) -> None:
        while not self._stopping.is_set():
            try:
                connection, _address = self._listener.accept()
            except OSError:
                # Descriptors may become free; the command that frees them comes by this socket.
                self._stopping.wait(PAUSE)
                continue
            with self._lock:
                full = len(self._connections) >= MOST_CLIENTS
                if not full and not self._stopping.is_set() and _is_owner(connection):
                    thread = threading.Thread(
                        target=self._serve, args=(connection,), name="kew-control-connection", daemon=True
                    )
                    self._connections[connection] = thread
                    thread.start()
                    continue
            connection.close()

    def _serve(self, connection: socket.socket) -> None:
        try:
            while not self._stopping.is_set():
                request = receive(connection, FRAME_SECONDS)
                if request is None:
                    return
                connection.settimeout(FRAME_SECONDS)
                self._answer(connection, request)
        except (OSError, FrameError):
            return  # the connection has ended, or sent an invalid frame
        except MQError as broken:
            with contextlib.suppress(OSError, FrameError):
                send(connection, {"error": str(broken)})
        finally:
            with self._lock:
                self._connections.pop(connection, None)
            connection.close()

    def _answer(self, connection: socket.socket, request: Frame) -> None:
        text = request.get("script")
        family = request.get("names")
        everything = request.get("definitions")
        if isinstance(text, str):
            script = Script(self._context, request.get("json") is True, request.get("echo") is True)
            for lines in script.run(text.split("\n")):
                if lines:
                    send(connection, {"lines": lines})
            counts = script.counts
            end: Frame = {"read": counts.read, "syntax_errors": counts.syntax_errors, "failed": counts.failed}
            send(connection, {**end, "ended": counts.ended})
        elif isinstance(family, str):
            found = names_of(self._context, family, str(request.get("beginning", "")), MOST_NAMES)
            send(connection, {"names": found})
        elif isinstance(everything, bool):
            for lines in written(self._context, everything):
                send(connection, {"lines": lines})
            send(connection, {"ended": True})
        elif isinstance(request.get("images"), list):
            self._record(connection, request)
        elif isinstance(request.get("end"), bool):
            send(connection, self._end(request["end"] is True, request.get("grace")))
        else:
            send(connection, {"error": "a request has a script, or asks for names, definitions, images or the end"})

    def _record(self, connection: socket.socket, request: Frame) -> None:
        numbers, queues = request["images"], request.get("queues")
        try:
            if not isinstance(numbers, list) or not isinstance(queues, list):
                raise ImageRefused("images are asked for by lists of page sets and of queues")
            wanted = [each for each in numbers if isinstance(each, int)]
            for number, pages in record_images(self._context, wanted, [str(name) for name in queues]):
                send(connection, {"page_set": number, "pages": pages})
            send(connection, {"ended": True})
        except ImageRefused as problem:
            send(connection, {"refused": str(problem)})

    def _end(self, immediate: bool, grace: object) -> Frame:
        given = grace if isinstance(grace, int | float) else None
        seconds = self._context.operations.end_process(immediate, given)
        if seconds is None:
            return {"error": "the program that hosts the queue manager ends it"}
        return {"grace": seconds}


def _is_owner(connection: socket.socket) -> bool:
    _process, user, _group = _PEER.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))
    return user in (0, os.geteuid())
