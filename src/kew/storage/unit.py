"""Units of work: their states, the legal moves between them, and what they have done.

The states and moves are those of the internals slides:

    one-phase commit    BEGIN -> IN FLIGHT -> IN COMMIT -> COMMITTED
    one-phase backout   BEGIN -> IN FLIGHT -> IN BACKOUT -> BACKED OUT
    two-phase commit    BEGIN -> IN FLIGHT -> IN DOUBT -> IN COMMIT -> COMMITTED

and a unit in doubt may also be told to back out. Each move of a unit that has logged anything is a log record.
"""

from typing import Final, Protocol

from kew.storage.log import NO_ADDRESS
from kew.storage.pages.item import Item

BEGIN: Final = 0
IN_FLIGHT: Final = 1
IN_DOUBT: Final = 2
IN_COMMIT: Final = 3
COMMITTED: Final = 4
IN_BACKOUT: Final = 5
BACKED_OUT: Final = 6

STATE_NAMES: Final = ("BEGIN", "IN FLIGHT", "IN DOUBT", "IN COMMIT", "COMMITTED", "IN BACKOUT", "BACKED OUT")

MOVES: Final = {
    BEGIN: (IN_FLIGHT,),
    IN_FLIGHT: (IN_DOUBT, IN_COMMIT, IN_BACKOUT),
    IN_DOUBT: (IN_COMMIT, IN_BACKOUT),
    IN_COMMIT: (COMMITTED,),
    IN_BACKOUT: (BACKED_OUT,),
    COMMITTED: (),
    BACKED_OUT: (),
}

PUT: Final = 1
GET: Final = 2


class IllegalMove(Exception):
    """A unit of work was told to make a move that the state tables do not have."""


class Operation:
    """One put or get of a unit."""

    def __init__(self, kind: int, item: Item, address: int, undo_next: int) -> None:
        self.kind = kind
        self.item = item
        self.address = address  # of its log record; 0 when it was not logged
        self.undo_next = undo_next  # the unit's log record before this operation


class Unfinished(Protocol):
    """An operation that takes several steps and is between two of them."""

    def abandon(self) -> None:
        """Give back what it has taken so far; nothing of it remains."""


class Unit:
    """A unit of work."""

    def __init__(self, number: int) -> None:
        self.id = number
        self.state = BEGIN
        self.operations: list[Operation] = []
        self.first_address = 0  # of its first log record; 0 while it has none
        self.last_address = 0
        self.has_gotten = False  # some of its gets are logged, so its end will be too
        self.xid = b""  # set when it is a branch of a global transaction
        self.begun_by = ""  # the user who began the branch
        self.held = 0  # by so many connections that have begun to work in the branch and not ended it
        self.ended_by = 0  # number of the connection that was the last to end it
        self.reserved = 0  # bytes of log kept free so that it can always be backed out
        self.done = 0  # operations already finished or undone while ending
        self.decided = NO_ADDRESS  # where its COMMIT record ends
        self.spoiled = False  # a put in it has failed of which its owner was not told: it can only be backed out
        self.forced_out = False  # backed out by the queue manager: its owner is told when it next works in it
        self.unfinished: Unfinished | None = None  # an operation that is to be given up before the rest is undone
        self.started = 0.0

    def move(self, state: int) -> None:
        """Go to another state, if the tables allow it."""
        if state not in MOVES[self.state]:
            raise IllegalMove(f"unit {self.id}: {STATE_NAMES[self.state]} to {STATE_NAMES[state]}")
        self.state = state
