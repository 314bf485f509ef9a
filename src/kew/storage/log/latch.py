"""A door that many wait at and that is opened once for all of them."""

import threading


class Latch:
    """Closed until opened; the first who passes wakes the next, so opening costs one wake-up however many wait."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lock.acquire()

    def open(self) -> None:
        """Let all pass, those who wait and those who come."""
        self._lock.release()

    def wait(self) -> None:
        """Return once the gate is open."""
        with self._lock:  # who is interrupted here, by Ctrl-C, still wakes the next
            pass


class Wakeup:
    """Wakes the one thread that listens; a ring before it listens is kept."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lock.acquire()

    def ring(self) -> None:
        """Wake the listener; one ring for each `listen`."""
        self._lock.release()

    def listen(self) -> None:
        """Return once rung."""
        self._lock.acquire()
