"""Gets that wait for a message.

The verb that makes a message available serves the waiters, under the engine lock: it carries out the get for the waiter
and hands the result over. So no wake-up is lost, no get overtakes another, and a get that is woken never finds the
queue empty again.

Waiters for a certain correlation or message id are kept by that id: a put to a reply queue on which a thousand
requesters wait checks and wakes one waiter only.
"""

from abc import abstractmethod

from kew.formats.mqmd import MessageDescriptor
from kew.queues.match import Match


class Waiter:
    """A get that waits on one queue; each edge has its own kind."""

    def __init__(self, match: Match | None, owner: int = 0) -> None:
        self.match = match
        self.owner = owner  # number of the connection that waits, where that can be broken off from outside

    @abstractmethod
    def takes_directly(self) -> bool:
        """Say whether a put may hand a message directly to the get (out of syncpoint, not browsing)."""

    @abstractmethod
    def hand_over(self, descriptor: MessageDescriptor, data: bytes) -> bool:
        """Hand over a message that was never on the queue; the get may decline one that is too long for its buffer."""

    @abstractmethod
    def serve(self) -> bool:
        """Try the get again; says whether its wait is over."""

    @abstractmethod
    def fail(self, reason: int) -> None:
        """End the wait with a reason."""


class WaitList:
    """The waiters of one queue."""

    def __init__(self) -> None:
        self.count = 0
        self._any: list[Waiter] = []
        self._by_id: dict[bytes, list[Waiter]] = {}

    def add(self, waiter: Waiter) -> None:
        """Add a get that waits."""
        key = _key(waiter)
        if key is None:
            self._any.append(waiter)
        else:
            self._by_id.setdefault(key, []).append(waiter)
        self.count += 1

    def remove(self, waiter: Waiter) -> bool:
        """Remove a get; says whether it was waiting."""
        key = _key(waiter)
        waiting = self._any if key is None else self._by_id.get(key, [])
        if waiter not in waiting:
            return False
        waiting.remove(waiter)
        if key is not None and not waiting:
            del self._by_id[key]
        self.count -= 1
        return True

    def candidates(self, message_id: bytes, correlation_id: bytes) -> list[Waiter]:
        """Give the waiters that a message might satisfy, those that match its ids first."""
        if not self._by_id:
            return self._any[:]
        found: list[Waiter] = []
        found.extend(self._by_id.get(correlation_id, []))
        if message_id != correlation_id:
            found.extend(self._by_id.get(message_id, []))
        found.extend(self._any)
        return found

    def all(self) -> list[Waiter]:
        """Give every waiter."""
        found = self._any[:]
        for waiting in self._by_id.values():
            found.extend(waiting)
        return found


def _key(waiter: Waiter) -> bytes | None:
    match = waiter.match
    if match is None:
        return None
    return match.message_id if match.correlation_id is None else match.correlation_id
