"""The end of a queue manager's process: requests to end, and the grace period of programs."""

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Final

POLL: Final = 0.02


@dataclass(frozen=True)
class Request:
    """A request to end the queue manager; `grace` is the time that programs have to finish, in seconds."""

    immediate: bool
    grace: float


class Ending:
    """Collects the requests to end that signals and commands make.

    A signal handler may interrupt the main thread at any moment, so it only puts to a SimpleQueue, whose put may be
    interrupted by another put.
    """

    def __init__(self, grace: float) -> None:
        self.grace = grace
        self.broken = False  # the log or a page set can no longer be written
        self._asked: SimpleQueue[Request | None] = SimpleQueue()  # None: read the configuration again
        self._terminations = 0

    def heed_signals(self) -> None:
        """Set the signal handlers: SIGTERM quiesces; a second SIGTERM or SIGINT ends at once; SIGHUP rereads qm.ini."""
        signal.signal(signal.SIGTERM, self._terminated)
        signal.signal(signal.SIGINT, self._interrupted)
        signal.signal(signal.SIGHUP, self._hung_up)

    def _terminated(self, _number: int, _frame: object) -> None:
        self._terminations += 1
        self._asked.put(Request(self._terminations > 1, self.grace))

    def _interrupted(self, _number: int, _frame: object) -> None:
        self._asked.put(Request(True, 0.0))

    def _hung_up(self, _number: int, _frame: object) -> None:
        self._asked.put(None)

    def ask(self, immediate: bool, grace: float | None = None) -> float:
        """Request the end; gives the seconds that programs have to finish."""
        seconds = 0.0 if immediate else self.grace if grace is None else grace
        self._asked.put(Request(immediate, seconds))
        return seconds

    def broke(self) -> None:
        """Request the end of a queue manager whose log or page set can no longer be written."""
        self.broken = True
        self._asked.put(Request(True, 0.0))

    def wait(self, reread: Callable[[], None]) -> Request:
        """Wait for a request to end; `reread` is called at each SIGHUP."""
        while True:
            request = self._asked.get()
            if request is not None:
                return request
            reread()

    def let_finish(self, request: Request, connected: Callable[[], bool], reread: Callable[[], None]) -> bool:
        """Wait while programs are connected, up to the grace period; say whether all have ended in time."""
        until = time.monotonic() + request.grace
        while connected():
            left = until - time.monotonic()
            if left <= 0:
                return False
            try:
                further = self._asked.get(timeout=min(POLL, left))
            except Empty:
                continue
            if further is None:
                reread()
            elif further.immediate:
                return False
            else:
                until = time.monotonic() + further.grace
        return True
