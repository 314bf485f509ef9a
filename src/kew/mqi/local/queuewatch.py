"""Waits until one of several queues may have a message, and takes none: for those who consume from many at once."""

import threading

from kew.formats.mqmd import MessageDescriptor
from kew.mqi.engine import Engine
from kew.queues.queue import Queue
from kew.queues.waiters import Waiter


class WakingWaiter(Waiter):
    """Stands among the waiters of a queue and only rings: the message stays for whoever gets it."""

    def __init__(self, event: threading.Event) -> None:
        super().__init__(None)
        self._event = event

    def takes_directly(self) -> bool:
        """Never: it takes nothing."""
        return False

    def hand_over(self, descriptor: MessageDescriptor, data: bytes) -> bool:
        """Decline."""
        return False

    def serve(self) -> bool:
        """Ring, and let the next waiter have the message."""
        self._event.set()
        return False

    def fail(self, reason: int) -> None:
        """Ring: the get that follows is told the reason."""
        self._event.set()


class QueueWatch:
    """Bells on some queues, all ringing the same event."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._event = threading.Event()
        self._bells: list[tuple[Queue, WakingWaiter]] = []

    def add(self, queue: Queue) -> None:
        """Watch a queue from now on. Whoever then looks before waiting misses no message."""
        bell = WakingWaiter(self._event)
        with self._engine.lock:
            queue.waiters.add(bell)
        self._bells.append((queue, bell))

    def wait(self, seconds: float) -> bool:
        """Wait for a bell, at most for a time (negative: for ever); says whether one rang since the last time."""
        rang = self._event.wait(None if seconds < 0 else seconds)
        self._event.clear()
        return rang

    def ring(self) -> None:
        """End a wait."""
        self._event.set()

    def stop(self) -> None:
        """Watch no longer."""
        with self._engine.lock:
            for queue, bell in self._bells:
                queue.waiters.remove(bell)
        self._bells.clear()
