"""Units of work: their states, the legal moves between them, and their operations.

The states and moves are those of IBM MQ:

    one-phase commit    BEGIN -> IN FLIGHT -> IN COMMIT -> COMMITTED
    one-phase backout   BEGIN -> IN FLIGHT -> IN BACKOUT -> BACKED OUT
    two-phase commit    BEGIN -> IN FLIGHT -> IN DOUBT -> IN COMMIT -> COMMITTED

and a unit in doubt may also be backed out. Each move of a unit that has logged anything is a log record.

A unit holds the operations of participants: the pages, and whatever else has changes that are kept or undone together
with them. All operations are in one list, in the order in which they were done; undoing goes through it backwards.
"""

from abc import abstractmethod
from typing import Final, Protocol

from mypy_extensions import mypyc_attr

from kew.storage.logaddress import NO_ADDRESS
from kew.storage.message import MessageRef

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
    """The error of a move between states of a unit of work that the state tables do not have."""


PAGES: Final = 0  # number of the participant that every queue manager has


class Operation:
    """One change that a participant has made in a unit."""

    def __init__(self, participant: int, address: int, undo_next: int) -> None:
        self.participant = participant  # its number
        self.address = address  # of its log record; 0 when it was not logged
        self.undo_next = undo_next  # the unit's log record before this operation


class MessageOperation(Operation):
    """One put or get of a message, in a store of any kind."""

    def __init__(self, participant: int, kind: int, item: MessageRef, address: int, undo_next: int) -> None:
        super().__init__(participant, address, undo_next)
        self.kind = kind
        self.item = item


class Unfinished(Protocol):
    """An operation of several steps, between two of them."""

    def abandon(self) -> None:
        """Give back what the operation has taken so far; nothing of it remains."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Participant:
    """A part of the queue manager whose changes units of work commit or undo. Methods run under the engine lock.

    A method that stalls has changed nothing, or continues where it was when it is called again. A participant that
    keeps its changes elsewhere commits or undoes none before the log is durable up to `decided` of the unit
    (`LogTicket`): a crash could still reverse the decision. Such a participant uses a `Ticket` for its requests.
    """

    def __init__(self, number: int) -> None:
        self.number = number  # in operations and log records: it never changes, and no other participant has it

    @abstractmethod
    def prepare(self, unit: "Unit") -> bytes:
        """Prepare for commit or undo; gives the description of the participant's part, for `restore`.

        Called before the unit is prepared or, without a prepare, committed. The description is kept in the log.
        """

    @abstractmethod
    def commit(self, unit: "Unit", operation: Operation) -> None:
        """Commit one operation: the unit is decided."""

    @abstractmethod
    def undo(self, unit: "Unit", operation: Operation) -> None:
        """Undo one operation, the latest of those that remain."""

    @abstractmethod
    def ended(self, unit: "Unit") -> None:
        """A unit has ended: all of its operations are committed, or all are undone."""

    @abstractmethod
    def restore(self, unit: "Unit", description: bytes) -> list[Operation]:
        """Give the operations that a restart has found in a unit, from the description that `prepare` gave.

        The unit is IN DOUBT, or it is decided and its end continues. A crash may have come after some or all of the
        operations were committed or undone: `commit` or `undo` is called again for them.
        """


class Unit:
    """A unit of work."""

    def __init__(self, number: int) -> None:
        self.id = number
        self.state = BEGIN
        self.operations: list[Operation] = []
        self.enlisted: list[Participant] | None = None  # all participants but the pages; most units have none
        self.described: dict[int, bytes] | None = None  # the participants' descriptions of their parts, by number
        self.first_address = 0  # of its first log record; 0 while it has none
        self.last_address = 0
        self.has_gotten = False  # some of its gets are logged, so its end will be too
        self.xid = b""  # set when it is a branch of a global transaction
        self.begun_by = ""  # the user who began the branch
        self.held = 0  # by so many connections that have begun to work in the branch and not ended it
        self.ended_by = 0  # number of the connection that was the last to end it
        self.reserved = 0  # bytes of log kept free so that it can always be backed out
        self.done = 0  # operations already finished or undone while ending
        self.decided = NO_ADDRESS  # where the record of its decision ends: COMMIT or BACKOUT
        self.spoiled = False  # work in the unit has failed: the unit can only be backed out
        self.forced_out = False  # backed out by the queue manager: reported to its owner at the next verb in the unit
        self.unfinished: Unfinished | None = None  # an operation that is to be given up before the rest is undone
        self.started = 0.0

    def move(self, state: int) -> None:
        """Move to another state, if the tables allow it."""
        if state not in MOVES[self.state]:
            raise IllegalMove(f"unit {self.id}: {STATE_NAMES[self.state]} to {STATE_NAMES[state]}")
        self.state = state
