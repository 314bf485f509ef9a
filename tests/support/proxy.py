"""A proxy between programs and a queue manager, which keeps what was said, or cuts or holds the line at any byte."""

import contextlib
import select
import socket
from collections.abc import Callable
from threading import Event, Thread

PIECE = 65536


class Line:
    """One connection through the proxy: what was said, and how many bytes it may have yet."""

    def __init__(self, left: int) -> None:
        self.left = left  # bytes in both directions until the line is cut; negative for never
        self.pieces: list[tuple[bool, bytes]] = []  # in order, and whether it was the program who said it
        self.was_cut = False

    @property
    def said(self) -> bytes:
        """What the program said."""
        return b"".join([data for of_program, data in self.pieces if of_program])


class Proxy:
    """Takes programs to a port of this machine; `limit` says of each line after how many bytes it is cut."""

    def __init__(self, port: int, limit: Callable[[], int] = lambda: -1, holds: bool = False) -> None:
        self._target = port
        self._holds = holds  # nothing more goes by a line that would be cut, and it stays open
        self._free = Event()
        self._limit = limit
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.lines: list[Line] = []
        self._closing = False
        self._broken = False
        self._left = 0  # how often lines towards the programs were closed
        self._kept: list[socket.socket] = []
        self._thread = Thread(target=self._accept, daemon=True)

    def __enter__(self) -> "Proxy":
        self._thread.start()
        return self

    def __exit__(self, *_problem: object) -> None:
        self._closing = True
        self._free.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()
        for kept in self._kept:
            kept.close()

    @property
    def address(self) -> str:
        return f"127.0.0.1({self.port})"

    def cut(self) -> None:
        """Cut all lines: nothing that is read from now on gets through, and new lines are cut at once."""
        self._broken = True

    def leave(self) -> None:
        """Close the lines towards the programs, and keep those towards the queue manager open until the end."""
        self._left += 1

    def mend(self) -> None:
        """Carry lines that begin from now on."""
        self._broken = False

    def _accept(self) -> None:
        carriers: list[Thread] = []
        while not self._closing:
            try:
                near, _address = self._listener.accept()
            except OSError:
                break
            if self._broken:
                near.close()
                continue
            line = Line(self._limit())
            self.lines.append(line)
            carrier = Thread(target=self._carry, args=(near, line), daemon=True)
            carrier.start()
            carriers.append(carrier)
        for carrier in carriers:
            carrier.join(10)

    def _carry(self, near: socket.socket, line: Line) -> None:
        with near:
            try:
                far = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                return
            left = self._left
            with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
                stack.callback(lambda: None if self._left > left else far.close())
                while not self._closing:
                    ready, _, _ = select.select([near, far], [], [], 0.2)
                    if self._left > left:
                        self._kept.append(far)
                        return
                    if self._broken:
                        line.was_cut = True
                        return
                    for source in ready:
                        if not self._pass_on(source, far if source is near else near, source is near, line):
                            if self._holds and line.was_cut:
                                self._free.wait()
                            return

    def _pass_on(self, source: socket.socket, target: socket.socket, of_program: bool, line: Line) -> bool:
        data = source.recv(PIECE)
        if self._broken:
            return False
        if 0 <= line.left < len(data):
            data = data[: line.left]
            line.was_cut = True
        line.pieces.append((of_program, data))
        target.sendall(data)
        if line.left >= 0:
            line.left -= len(data)
        return bool(data) and not line.was_cut
