"""Where the messages of a queue are kept: the seam between a queue and its store.

A queue has the definition, the handles, the gets that wait, the counters, the trigger and the stream; its store has the
messages. A store is told apart by nothing but its seven operations: what a `MessageRef` refers to, only the store knows
that gave it. The page store (`private.py`) is one; `tests/support/memorystore.py` is another.

Every method runs under the engine lock. A method that may stall does so before it has changed anything, and is then
called again; what it has learnt meanwhile it keeps in the cursor, match, scan or reference that it was given.
What a unit of work does in a store is kept or undone by a participant of the unit, which tells the `QueueRegistry` what
becomes of each operation.
"""

import time
from abc import abstractmethod
from typing import Final

from mypy_extensions import mypyc_attr

from kew.formats.mqmd import MessageDescriptor
from kew.queues.cursor import Cursor, DueScan
from kew.queues.match import Match
from kew.storage.log import LogAddress
from kew.storage.message import Description, MessageRef
from kew.storage.pages.blob import SINGLE_PAGE
from kew.storage.pages.pageset import PageSet
from kew.storage.unit import Unit

AT_ONCE: Final = SINGLE_PAGE  # bytes of descriptor and data that every store takes in one step
HIGHEST_PRIORITY: Final = 9  # MaxPriority of a queue manager

INDEX_NONE: Final = 0  # MQIT_*
INDEX_MESSAGE_ID: Final = 1
INDEX_CORRELATION_ID: Final = 2
INDEX_GROUP_ID: Final = 5


@mypyc_attr(allow_interpreted_subclasses=True)
class Storing:
    """The storing of a message of more than AT_ONCE bytes, in steps; others work between two of them."""

    item: MessageRef | None = None  # once it is stored

    @abstractmethod
    def step(self) -> bool:
        """Go on; says whether the message is stored. May stall, and is then called again."""

    @abstractmethod
    def abandon(self) -> None:
        """Give it up: nothing of it remains. Does no harm when it is stored."""

    def result(self) -> MessageRef:
        """Give the message, once it is stored."""
        assert self.item is not None
        return self.item


@mypyc_attr(allow_interpreted_subclasses=True)
class QueueStore:
    """The messages of one queue, in order of priority and arrival."""

    def __init__(self, queue: int, page_set: PageSet) -> None:
        self.queue = queue  # its number
        self.page_set = page_set  # to which the storage class of the queue leads
        self.rooted = False  # it has stored messages, and stays where it is
        self.by_priority = True  # False: all messages count as being of priority 0
        self.index_type = INDEX_NONE
        self.indexed_property = ""  # none
        self.next_sequence = 1  # in order of arrival

    # -- messages -----------------------------------------------------------------------------------------------------

    @abstractmethod
    def put(
        self,
        descriptor: MessageDescriptor,
        prefix: bytes,
        body: bytes,
        persistent: bool,
        expiry: int,
        unit: Unit | None,
    ) -> MessageRef | Storing:
        """Store a message: visible at once without a unit, locked until it commits with one.

        `prefix` is the descriptor as it is stored. What this gives for one of more than AT_ONCE bytes stores it.
        """

    @abstractmethod
    def find(self, match: Match | None) -> MessageRef | None:
        """Give the message that the next get takes: the first that fits, of those that are available.

        Where others were passed that an index would have left out, `match.lacking` says which index that is. Where
        `match.gathered` is not None, all that fit are put there by their place in order of arrival.
        """

    @abstractmethod
    def browse(self, cursor: Cursor, match: Match | None) -> MessageRef | None:
        """Give the next message after a cursor that fits. The cursor is not moved to it.

        The cursor is moved past messages that do not fit, so that a search that stalls goes on from there.
        """

    @abstractmethod
    def take(self, item: MessageRef, unit: Unit | None, hold: bool = False) -> LogAddress:
        """Take a message: for good; with a unit, if it commits; with `hold`, until `undo`. It may be held already.

        Gives the log address to wait for, 0 if there is none.
        """

    @abstractmethod
    def undo(self, item: MessageRef) -> None:
        """Let go of a message that is held: it is where it was, for everybody."""

    @abstractmethod
    def describe(self, item: MessageRef, extent: int) -> Description:
        """Say what a message is, with as much of its content as `extent` says: HEAD, HEADERS or WHOLE."""

    @abstractmethod
    def depth(self, least_priority: int, available: bool) -> int:
        """Count the messages of a priority and above: all that are stored, or those that a get could take."""

    # -- the store itself ---------------------------------------------------------------------------------------------

    @abstractmethod
    def due(self, scan: DueScan) -> list[MessageRef]:
        """Give messages that are available and whose time is past, some at a time; `scan` says when that is all."""

    @abstractmethod
    def arrange(self) -> None:
        """Bring the indexes into line with `index_type` and `indexed_property`."""

    @abstractmethod
    def drop(self) -> None:
        """Give back what is left of a store that has no messages. Never stalls."""


def first_position() -> int:
    """Give an arrival number above all that a queue has given before: the microseconds since 1970.

    No queue takes a million messages a second, so what it counts up to is always behind the clock at the next start.
    """
    return time.time_ns() // 1000
