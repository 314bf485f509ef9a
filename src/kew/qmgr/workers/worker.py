"""A background worker: a thread that works when its bell is rung, for example when there are messages to put."""

import threading
from abc import abstractmethod

from kew.codes.errors import Broken


class Worker:
    """The thread of a worker: it waits for the bell, and then works."""

    def __init__(self, name: str, wait: float | None = None, bell: threading.Event | None = None) -> None:
        self._wait = wait  # seconds after which there may be work without the bell; None: never
        self._bell = bell or threading.Event()  # another part may have made the bell already
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Finish the waiting work, and end."""
        self._stopping = True
        self._bell.set()
        if self._thread.is_alive():
            self._thread.join()

    def wake(self) -> None:
        """Ring the bell, so that the worker checks for work."""
        self._bell.set()

    def _run(self) -> None:
        while True:
            self._bell.wait(self._wait)
            self._bell.clear()
            try:
                self._wait = self.attend(self._stopping)
            except Broken:
                return  # the queue manager has ended
            if self._stopping:
                return

    @abstractmethod
    def attend(self, stopping: bool) -> float | None:
        """Do the waiting work; gives the seconds until the next call without a bell, None for no such call."""
