"""What a verb runs into when it needs something that only I/O can give.

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
    """A verb cannot go on before some I/O is done; nothing has been changed."""

    @abstractmethod
    def resolve(self) -> None:
        """Do the I/O, outside the engine lock; afterwards the verb is run again."""


class GiveWay(Stall):
    """A search has had the lock for a few hundred microseconds: others shall have it before the search goes on."""

    def resolve(self) -> None:
        """Let others go first. Searches pause one after the other: the more there are, the longer is each pause."""
        with _pausing:
            time.sleep(PAUSE)


class Damaged(Exception):
    """A page fails its checksum or is not the page that belongs there."""

    def __init__(self, path: str, page: int, why: str) -> None:
        super().__init__(f"{path}: page {page}: {why}")
        self.path = path
        self.page = page
        self.why = why
