"""The client of the control socket: gives commands to a queue manager that runs in another process."""

import socket
from collections.abc import Iterator, Sequence

from kew.commands.actions.script import Counts
from kew.qmgr.control.frames import Frame, FrameError, receive, send, socket_name
from kew.qmgr.control.images import ImageRefused


class NotRunning(Exception):
    """The error of a connection to a queue manager that does not run, or has ended meanwhile."""


class ControlClient:
    """A connection to a running queue manager."""

    def __init__(self, root: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with socket_name(root) as name:
                self._socket.connect(name)
        except OSError as problem:
            self._socket.close()
            raise NotRunning(str(problem)) from problem

    def __enter__(self) -> "ControlClient":
        return self

    def __exit__(self, *_failure: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _answer(self) -> Frame:
        frame = receive(self._socket)
        if frame is None:
            raise NotRunning("the queue manager has ended")
        if "error" in frame:
            raise NotRunning(str(frame["error"]))
        return frame

    def run(self, script: str, counts: Counts, as_json: bool = False, echo: bool = False) -> Iterator[list[str]]:
        """Carry commands out; gives the lines of the replies and counts successes and failures."""
        try:
            send(self._socket, {"script": script, "json": as_json, "echo": echo})
            while True:
                frame = self._answer()
                lines = frame.get("lines")
                if not isinstance(lines, list):
                    break
                yield [str(line) for line in lines]
        except (OSError, FrameError) as problem:
            raise NotRunning(str(problem)) from problem
        counts.read += _number(frame, "read")
        counts.syntax_errors += _number(frame, "syntax_errors")
        counts.failed += _number(frame, "failed")
        counts.ended = counts.ended or frame.get("ended") is True

    def definitions(self, everything: bool) -> Iterator[list[str]]:
        """Give the commands that define the queue manager's objects, one object at a time."""
        try:
            send(self._socket, {"definitions": everything})
            while True:
                lines = self._answer().get("lines")
                if not isinstance(lines, list):
                    return
                yield [str(line) for line in lines]
        except (OSError, FrameError) as problem:
            raise NotRunning(str(problem)) from problem

    def images(self, numbers: Sequence[int], queues: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Have media images recorded; gives each page set with its pages once its image is in the log."""
        try:
            send(self._socket, {"images": list(numbers), "queues": list(queues)})
            while True:
                frame = self._answer()
                if "refused" in frame:
                    raise ImageRefused(str(frame["refused"]))
                if "page_set" not in frame:
                    return
                yield _number(frame, "page_set"), _number(frame, "pages")
        except (OSError, FrameError) as problem:
            raise NotRunning(str(problem)) from problem

    def names(self, family: str, beginning: str) -> list[str]:
        """Give names of objects, for completion."""
        try:
            send(self._socket, {"names": family, "beginning": beginning})
            found = self._answer().get("names")
        except (OSError, FrameError) as problem:
            raise NotRunning(str(problem)) from problem
        return [str(name) for name in found] if isinstance(found, list) else []


def _number(frame: Frame, key: str) -> int:
    value = frame.get(key)
    return value if isinstance(value, int) else 0
