"""The store of a queue's messages: the interface between a queue and its storage.

A queue has the definition, the handles, the gets that wait, the counters, the trigger and the stream; its store has the
messages. A queue uses its store only by these operations: only the store that gave a `MessageRef` can find the message
for it. The page store (`private.py`) is one; `tests/support/memorystore.py` is another.

Every method runs under the engine lock. A method that may stall does so before it has changed anything, and is then
called again; the results of its search are kept in the cursor, match, scan or reference that it was given. The
operations of a unit of work in a store are committed or undone by a participant of the unit, which tells the
`QueueRegistry` the outcome of each operation.
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
    """The storing of a message of more than AT_ONCE bytes, in steps; other verbs run between two of them."""

    item: MessageRef | None = None  # once it is stored

    @abstractmethod
    def step(self) -> bool:
        """Take a step; says whether the message is stored. May stall, and is then called again."""

    @abstractmethod
    def abandon(self) -> None:
        """Abandon the storing: nothing of the message remains. May be called when it is stored."""

    def result(self) -> MessageRef:
        """Give the message once it is stored."""
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

        `prefix` is the stored form of the descriptor. For a message of more than AT_ONCE bytes the result is its
        storing in steps.
        """

    @abstractmethod
    def find(self, match: Match | None) -> MessageRef | None:
        """Give the message for the next get: the first available one that matches.

        If messages were passed that an index would have left out, `match.lacking` names that index. If `match.gathered`
        is not None, all matching messages are put there by their arrival.
        """

    @abstractmethod
    def browse(self, cursor: Cursor, match: Match | None) -> MessageRef | None:
        """Give the next matching message after a cursor; the cursor is not moved to it.

        The cursor is moved past messages that do not match, so that a search that stalls continues from there.
        """

    @abstractmethod
    def take(self, item: MessageRef, unit: Unit | None, hold: bool = False) -> LogAddress:
        """Take a message: for good; with a unit, if it commits; with `hold`, until `undo`. A held message may be taken.

        Gives the log address to wait for, 0 if there is none.
        """

    @abstractmethod
    def undo(self, item: MessageRef) -> None:
        """Release a message that is held: it is available again, at its old place."""

    @abstractmethod
    def describe(self, item: MessageRef, extent: int) -> Description:
        """Give the state of a message, with as much of its content as `extent` says: HEAD, HEADERS or WHOLE."""

    @abstractmethod
    def depth(self, least_priority: int, available: bool) -> int:
        """Count the messages of a priority and above: all of them, or only those that are available."""

    # -- the store itself ---------------------------------------------------------------------------------------------

    @abstractmethod
    def due(self, scan: DueScan) -> list[MessageRef]:
        """Give some available messages that have expired; `scan` says when there are no more."""

    @abstractmethod
    def arrange(self) -> None:
        """Build or drop indexes as `index_type` and `indexed_property` say."""

    @abstractmethod
    def drop(self) -> None:
        """Give back the pages of a store without messages. Never stalls."""


def first_position() -> int:
    """Give the first arrival number for a queue, above all earlier ones: the microseconds since 1970.

    A queue takes fewer than a million messages a second, so its numbers are always behind the clock at the next start.
    """
    return time.time_ns() // 1000
