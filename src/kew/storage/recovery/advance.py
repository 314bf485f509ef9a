"""Advances the log: fills the extent that is being written, so that it can be archived.

FILLER records change nothing and belong to no unit; restart passes over them. FILLER records go through the log buffer
like all others, so a crash on the way leaves an extent that is filled in part, which is harmless.
"""

from collections.abc import Callable
from typing import Final

from kew.storage.log import Log
from kew.storage.pages import records
from kew.storage.pages.items import ItemStore

PIECE: Final = 32 * 1024  # bytes of a filler record


class Advance:
    """The advance of the log past one extent."""

    def __init__(self, log: Log, store: ItemStore) -> None:
        self.log = log
        self.store = store
        extent = log.settings.extent_bytes
        self.number = log.next_address // extent
        self.end = (self.number + 1) * extent

    def run(self, run: Callable[[Callable[[], bool]], bool]) -> None:
        """Fill the extent and wait until it is on disk."""
        while not run(self.step):
            pass
        self.log.force_to_disk(self.log.next_address)

    def step(self) -> bool:
        """Append a piece of filling, or stall; says whether the extent is full."""
        left = self.end - self.log.next_address
        if left <= 0:
            return True
        size = min(left, PIECE)
        self.store.want_log(size)
        self.log.append(records.FILLER, 0, 0, b"", bytes(size))
        return False
