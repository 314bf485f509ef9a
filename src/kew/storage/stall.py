"""What a verb runs into when it needs something that only I/O can give.

Nothing in the engine waits. Code that runs under the engine lock and finds a page missing, no frame free or no room in
the log raises a `Stall` *before it has changed anything*. The edge (a local caller, a channel agent) leaves the lock,
calls `resolve()`, which does the I/O, and runs the verb again from its beginning.
"""

from abc import abstractmethod


class Stall(Exception):
    """A verb cannot go on before some I/O is done; nothing has been changed."""

    @abstractmethod
    def resolve(self) -> None:
        """Do the I/O, outside the engine lock; afterwards the verb is run again."""


class Damaged(Exception):
    """A page fails its checksum or is not the page that belongs there."""

    def __init__(self, path: str, page: int, why: str) -> None:
        super().__init__(f"{path}: page {page}: {why}")
        self.path = path
        self.page = page
        self.why = why
