"""Browse cursors, and the position of a scan for expired messages."""

from kew.storage.message import MessageRef, lane_of


class Cursor:
    """A position in the delivery order of a queue: priority downward, then arrival."""

    def __init__(self) -> None:
        self.priority = 10  # of the message last seen; 10 before the first
        self.sequence = 0
        self.item: MessageRef | None = None  # the message under the cursor, while it is there
        self.locked: MessageRef | None = None  # the message the cursor has locked
        self.by_arrival = False  # goes in order of arrival, whatever the priorities
        self.everything = False  # sees also what units of work and other cursors have locked
        # The message last seen of each priority, of those that are persistent and of the others: a store that knows
        # where it is, or was, goes on there.
        self.seen: dict[int, MessageRef] = {}

    def copy(self) -> "Cursor":
        """Give a cursor at the same position, to search with."""
        other = Cursor()
        other.priority = self.priority
        other.sequence = self.sequence
        other.item = self.item
        other.locked = self.locked
        other.by_arrival = self.by_arrival
        other.everything = self.everything
        other.seen = self.seen.copy()
        return other

    def move(self, item: MessageRef) -> None:
        """Move to a message."""
        self.priority = item.priority
        self.sequence = item.sequence
        self.seen[lane_of(item.priority, item.persistent)] = item

    def reset(self) -> None:
        """Move before the first message."""
        self.priority = 10
        self.sequence = 0
        self.item = None
        self.seen.clear()

    def has_locked(self, item: MessageRef) -> bool:
        """Say whether a message is the one that the cursor has locked."""
        locked = self.locked
        return locked is not None and locked.sequence == item.sequence


class DueScan:
    """The position of a scan for messages that have expired."""

    def __init__(self, now: int) -> None:
        self.now = now  # milliseconds since 1970
        self.done = False
        self.soonest = 0  # of the messages that were left: the moment of the one that is due next; 0 when there is none
        # The place, as the store understands it.
        self.lane = 0
        self.position = 0

    def note(self, moment: int) -> None:
        """Note the expiry time of a message that is left."""
        if not self.soonest or moment < self.soonest:
            self.soonest = moment
