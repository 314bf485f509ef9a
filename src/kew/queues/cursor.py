"""A browse cursor: how far a handle has read through a queue without taking anything."""

from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import Directory
from kew.storage.pages.item import Item


class Place:
    """The last place a cursor has seen in one chain; never changed, so that cursors may share it."""

    def __init__(self, directory: Directory, slot: int) -> None:
        self.directory = directory
        self.slot = slot
        self.resets = directory.resets  # the slot means something only while this is the directory's


class Cursor:
    """A position in the order in which a queue delivers: priority downward, then arrival."""

    def __init__(self) -> None:
        self.priority = 10  # of the message last seen; 10 before the first
        self.sequence = 0
        self.item: Item | None = None  # the message under the cursor, while it is there
        self.locked: Item | None = None  # the message the cursor has locked
        self.by_arrival = False  # goes in order of arrival, whatever the priorities
        self.places: dict[Chain, Place] = {}

    def copy(self) -> "Cursor":
        """Give a cursor at the same position, to search with."""
        other = Cursor()
        other.priority = self.priority
        other.sequence = self.sequence
        other.item = self.item
        other.locked = self.locked
        other.by_arrival = self.by_arrival
        other.places = self.places.copy()
        return other

    def move(self, item: Item) -> None:
        """Go to a message."""
        self.priority = item.chain.priority
        self.sequence = item.sequence
        self.places[item.chain] = Place(item.directory, item.slot)

    def reset(self) -> None:
        """Go before the first message."""
        self.priority = 10
        self.sequence = 0
        self.item = None
        self.places.clear()

    def has_locked(self, item: Item) -> bool:
        """Say whether a message is the one that the cursor has locked."""
        locked = self.locked
        return locked is not None and locked.directory is item.directory and locked.sequence == item.sequence
