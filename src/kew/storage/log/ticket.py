"""What a verb waits for that is no I/O of its own: an answer that somebody else brings, or the log.

A participant of a unit of work may keep its changes elsewhere (in another process, on another machine). It asks there,
keeps in itself what it has asked, and raises a `Ticket`. Like every `Stall` a ticket leads out of the engine lock, and
the verb is called again afterwards; but something has been changed, and the verb goes on with the answer that it finds
in the participant. Nobody has to do anything for a ticket: a thread may wait for it, and a loop is told when it is due.

Whoever gives a ticket out promises that it becomes due, with an answer, with a failure or when time is up: which of
these it was is for the participant to know.
"""

import threading
from collections.abc import Callable

from kew.storage.log import Log, LogAddress
from kew.storage.stall import Stall

Told = Callable[[], None]


class Ticket(Stall):
    """An answer that somebody brings."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self._lock = threading.Lock()
        self._due = False
        self._told: list[Told] = []

    def due(self) -> None:
        """Take note that the answer is there, or will never be; does no harm twice."""
        with self._lock:
            if self._due:
                return
            self._due = True
            told, self._told = self._told, []
        for each in told:
            each()

    def tell(self, told: Told) -> None:
        """Call something when the answer is there."""
        with self._lock:
            if not self._due:
                self._told.append(told)
                return
        told()

    def resolve(self) -> None:
        """Wait for the answer."""
        there = threading.Event()
        self.tell(there.set)
        there.wait()


class LogTicket(Stall):
    """The log: a decision must be durable before a participant acts on it."""

    def __init__(self, log: Log, address: LogAddress) -> None:
        super().__init__("the log is not durable yet")
        self.log = log
        self.address = address

    def resolve(self) -> None:
        """Have the log written."""
        self.log.force(self.address)
