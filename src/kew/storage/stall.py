"""Stalls: raised by a verb that needs I/O before it can continue.

Nothing in the engine waits. Code that runs under the engine lock and finds a page missing, no frame free or no room in
the log raises a `Stall` *before it has changed anything*. The edge (a local caller, a channel agent) leaves the lock,
calls `resolve()`, which does the I/O, and runs the verb again from its beginning.
"""

import threading
import time
from abc import abstractmethod
from typing import Final

PAUSE: Final = 0.0002  # seconds in which a search leaves the lock and the processor to others

_pausing: Final = threading.Lock()


class Stall(Exception):
    """Raised by a verb that needs I/O before it can continue; nothing has been changed."""

    @abstractmethod
    def resolve(self) -> None:
        """Do the I/O, outside the engine lock; afterwards the verb is run again."""


class GiveWay(Stall):
    """Raised by a search that has had the lock for a few hundred microseconds, so that other verbs have it first."""

    def resolve(self) -> None:
        """Pause, so that other verbs get the lock. Searches pause in turn: the more searches, the longer each pause."""
        with _pausing:
            time.sleep(PAUSE)


class Damaged(Exception):
    """Raised for a page that fails its checksum or is not the page that belongs there."""

    def __init__(self, path: str, page: int, why: str) -> None:
        super().__init__(f"{path}: page {page}: {why}")
        self.path = path
        self.page = page
        self.why = why
