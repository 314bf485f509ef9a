"""A browse cursor: how far a handle has read through a queue without taking anything."""

from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import Directory
from kew.storage.pages.item import Item


class Place:
    """The last place a cursor has seen in one chain."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.directory: Directory | None = None
        self.slot = -1


class Cursor:
    """A position in the order in which a queue delivers: priority downward, then arrival."""

    def __init__(self) -> None:
        self.priority = 10  # of the message last returned; 10 before the first
        self.sequence = 0
        self.item: Item | None = None  # the message under the cursor, while it is there
        self.locked: Item | None = None  # the message the cursor has locked
        self.places: dict[Chain, Place] = {}

    def reset(self) -> None:
        """Go before the first message."""
        self.priority = 10
        self.sequence = 0
        self.item = None
        self.places.clear()
