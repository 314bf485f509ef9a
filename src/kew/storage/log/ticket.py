"""Tickets: stalls of a verb that waits for an answer from elsewhere, or for the log.

A participant of a unit of work may keep its changes elsewhere (in another process, on another machine). The participant
sends its request, keeps it, and raises a `Ticket`. Like every `Stall` a ticket leaves the engine lock, and the verb is
called again afterwards; but the request has been sent, and the verb continues with the answer in the participant. A
ticket needs no I/O by the caller: a thread may wait for the ticket, and an event loop is called when the ticket is due.

The participant promises that its ticket becomes due: by an answer, by a failure or by a timeout.
"""

import threading
from collections.abc import Callable

from kew.storage.log import Log, LogAddress
from kew.storage.stall import Stall

Told = Callable[[], None]


class Ticket(Stall):
    """A stall that ends when an answer comes from elsewhere."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self._lock = threading.Lock()
        self._due = False
        self._told: list[Told] = []

    def due(self) -> None:
        """Mark the ticket as due: the answer has come, or is no longer expected. May be called twice."""
        with self._lock:
            if self._due:
                return
            self._due = True
            told, self._told = self._told, []
        for each in told:
            each()

    def tell(self, told: Told) -> None:
        """Set a function to call when the ticket is due."""
        with self._lock:
            if not self._due:
                self._told.append(told)
                return
        told()

    def resolve(self) -> None:
        """Wait until the ticket is due."""
        there = threading.Event()
        self.tell(there.set)
        there.wait()


class LogTicket(Stall):
    """A stall until the log is durable up to an address: only then does a participant act on a decision."""

    def __init__(self, log: Log, address: LogAddress) -> None:
        super().__init__("the log is not durable yet")
        self.log = log
        self.address = address

    def resolve(self) -> None:
        """Force the log."""
        self.log.force(self.address)
