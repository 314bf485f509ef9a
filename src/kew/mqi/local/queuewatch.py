"""A wait for a message on any of several queues, without getting it, for programs that consume from many queues."""

import threading

from kew.formats.mqmd import MessageDescriptor
from kew.mqi.engine import Engine
from kew.queues.queue import Queue
from kew.queues.waiters import Waiter


class WakingWaiter(Waiter):
    """A waiter that wakes a program when a message arrives, and leaves the message on the queue."""

    def __init__(self, event: threading.Event) -> None:
        super().__init__(None)
        self._event = event

    def takes_directly(self) -> bool:
        """Give False: this waiter takes no message."""
        return False

    def hand_over(self, descriptor: MessageDescriptor, data: bytes) -> bool:
        """Decline the message."""
        return False

    def serve(self) -> bool:
        """Set the event, and let the next waiter have the message."""
        self._event.set()
        return False

    def fail(self, reason: int) -> None:
        """Set the event; the reason is reported by the get that follows."""
        self._event.set()


class QueueWatch:
    """Waiters on some queues that all set the same event."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._event = threading.Event()
        self._bells: list[tuple[Queue, WakingWaiter]] = []

    def add(self, queue: Queue) -> None:
        """Watch a queue from now on; a program that then checks the queue, and waits, misses no message."""
        bell = WakingWaiter(self._event)
        with self._engine.lock:
            queue.waiters.add(bell)
        self._bells.append((queue, bell))

    def wait(self, seconds: float) -> bool:
        """Wait for the event, at most for a time (negative: no limit); says whether it was set since the last wait."""
        rang = self._event.wait(None if seconds < 0 else seconds)
        self._event.clear()
        return rang

    def ring(self) -> None:
        """End the wait of another thread."""
        self._event.set()

    def stop(self) -> None:
        """Remove the waiters from their queues."""
        with self._engine.lock:
            for queue, bell in self._bells:
                queue.waiters.remove(bell)
        self._bells.clear()
