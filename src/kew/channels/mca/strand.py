"""A strand: the work of one channel, done by one worker at a time and in order; an idle channel holds no thread."""

import threading
from collections.abc import Callable

from kew.channels.transport.workers import Workers


class Strand:
    """Runs its work soon after each `kick`, never twice at once; all kicks during a run cause one further run."""

    def __init__(self, workers: Workers, work: Callable[[], None]) -> None:
        self._workers = workers
        self._work = work
        self._lock = threading.Lock()
        self._busy = False
        self._again = False

    def kick(self) -> None:
        """Have the work run soon. From any thread, also under the engine lock."""
        with self._lock:
            if self._busy:
                self._again = True
                return
            self._busy = True
        self._workers.submit(self._run)

    def _run(self) -> None:
        self._work()
        with self._lock:
            if not self._again:
                self._busy = False
                return
            self._again = False
        self._workers.submit(self._run)  # behind the work of other channels, which wait too
