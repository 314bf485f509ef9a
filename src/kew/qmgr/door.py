"""The control door: a Unix domain socket in the queue manager's directory, by which its owner gives it commands.

Only the user who runs the queue manager may open it (mode 0600, and the peer is asked who it is). It carries MQSC text
and replies, nothing else. A path may be longer than a socket's name can be, so the socket is named through the
directory's file descriptor.
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
from kew.qmgr.frames import DOOR, Frame, FrameError, door_of, receive, send
from kew.qmgr.images import ImageRefused, record_images

MOST_VISITORS: Final = 32
MOST_NAMES: Final = 500
PATIENCE: Final = 30.0  # seconds in which a frame that has begun must come, and a reply be taken
PAUSE: Final = 0.5  # seconds to take nobody when the process has no descriptors left
_PEER: Final = struct.Struct("3i")


class Door:
    """Serves those who come in by the socket, each in a thread of its own."""

    def __init__(self, context: Context, root: str) -> None:
        self._context = context
        self._root = root
        self._path = os.path.join(root, DOOR)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._visitors: dict[socket.socket, threading.Thread] = {}
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._welcome, name="kew-door", daemon=True)

    def open(self) -> None:
        """Begin to serve. The queue manager's lock is held, so a socket that is there already is a leftover."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path)
        with door_of(self._root) as name:
            self._listener.bind(name)
        os.chmod(self._path, stat.S_IRUSR | stat.S_IWUSR)  # nobody can come in before it listens
        self._listener.listen(MOST_VISITORS)
        self._thread.start()

    def close(self) -> None:
        """End: replies that are under way are given, then everybody is shown out."""
        self._stopping.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path)
        with self._lock:
            visitors = dict(self._visitors)
        for visitor, thread in visitors.items():
            with contextlib.suppress(OSError):
                visitor.shutdown(socket.SHUT_RD)
            if thread is not threading.current_thread():
                thread.join(PATIENCE)

    def _welcome(self) -> None:
        while not self._stopping.is_set():
            try:
                visitor, _address = self._listener.accept()
            except OSError:
                # The descriptors may come back; whoever must end what uses them up comes in by this door.
                self._stopping.wait(PAUSE)
                continue
            with self._lock:
                full = len(self._visitors) >= MOST_VISITORS
                if not full and not self._stopping.is_set() and _is_owner(visitor):
                    thread = threading.Thread(target=self._serve, args=(visitor,), name="kew-visitor", daemon=True)
                    self._visitors[visitor] = thread
                    thread.start()
                    continue
            visitor.close()

    def _serve(self, visitor: socket.socket) -> None:
        try:
            while not self._stopping.is_set():
                request = receive(visitor, PATIENCE)
                if request is None:
                    return
                visitor.settimeout(PATIENCE)
                self._answer(visitor, request)
        except (OSError, FrameError):
            return  # the visitor is gone, or does not speak as we do
        except MQError as broken:
            with contextlib.suppress(OSError, FrameError):
                send(visitor, {"error": str(broken)})
        finally:
            with self._lock:
                self._visitors.pop(visitor, None)
            visitor.close()

    def _answer(self, visitor: socket.socket, request: Frame) -> None:
        text = request.get("script")
        family = request.get("names")
        everything = request.get("definitions")
        if isinstance(text, str):
            script = Script(self._context, request.get("json") is True, request.get("echo") is True)
            for lines in script.run(text.split("\n")):
                if lines:
                    send(visitor, {"lines": lines})
            counts = script.counts
            end: Frame = {"read": counts.read, "syntax_errors": counts.syntax_errors, "failed": counts.failed}
            send(visitor, {**end, "ended": counts.ended})
        elif isinstance(family, str):
            found = names_of(self._context, family, str(request.get("beginning", "")), MOST_NAMES)
            send(visitor, {"names": found})
        elif isinstance(everything, bool):
            for lines in written(self._context, everything):
                send(visitor, {"lines": lines})
            send(visitor, {"ended": True})
        elif isinstance(request.get("images"), list):
            self._record(visitor, request)
        elif isinstance(request.get("end"), bool):
            send(visitor, self._end(request["end"] is True, request.get("grace")))
        else:
            send(visitor, {"error": "a request has a script, or asks for names, definitions, images or the end"})

    def _record(self, visitor: socket.socket, request: Frame) -> None:
        numbers, queues = request["images"], request.get("queues")
        try:
            if not isinstance(numbers, list) or not isinstance(queues, list):
                raise ImageRefused("images are asked for by lists of page sets and of queues")
            wanted = [each for each in numbers if isinstance(each, int)]
            for number, pages in record_images(self._context, wanted, [str(name) for name in queues]):
                send(visitor, {"page_set": number, "pages": pages})
            send(visitor, {"ended": True})
        except ImageRefused as problem:
            send(visitor, {"refused": str(problem)})

    def _end(self, immediate: bool, grace: object) -> Frame:
        if self._context.stop is None:
            return {"error": "the program that hosts the queue manager ends it"}
        return {"grace": self._context.stop(immediate, grace if isinstance(grace, int | float) else None)}


def _is_owner(visitor: socket.socket) -> bool:
    _process, user, _group = _PEER.unpack(visitor.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))
    return user in (0, os.geteuid())
