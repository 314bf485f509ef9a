"""A latch: threads wait at it, and it is opened once for all of them."""

import threading


class Latch:
    """A latch; each thread that passes wakes the next, so opening costs one wake-up for any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lock.acquire()

    def open(self) -> None:
        """Open the latch: threads that wait, and later ones, pass."""
        self._lock.release()

    def wait(self) -> None:
        """Return once the latch is open."""
        with self._lock:  # a thread that is interrupted here, by Ctrl-C, still wakes the next
            pass


class Wakeup:
    """A wake-up for one thread; if it comes before the thread listens, the thread does not sleep."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lock.acquire()

    def ring(self) -> None:
        """Wake the thread; one ring for each `listen`."""
        self._lock.release()

    def listen(self) -> None:
        """Return once the thread is woken."""
        self._lock.acquire()
