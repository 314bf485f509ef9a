"""A participant of units of work that keeps its changes elsewhere: things on a shelf, which no crash here touches.

What a unit adds or takes is held there until the unit ends. The shelf outlives the queue manager; what it holds for a
unit that a restart does not tell it of again is undone, as another machine would do that notices the crash.
"""

from kew.storage.log import Log
from kew.storage.log.ticket import LogTicket, Ticket
from kew.storage.unit import IN_DOUBT, Operation, Participant, Unit

NUMBER = 7


class Shelf:
    """The things, and what units that have not ended hold."""

    def __init__(self) -> None:
        self.things: set[str] = set()
        self.held: dict[int, list[str]] = {}  # by unit: '+thing' is to be added, '-thing' is taken
        self.ended: list[int] = []

    def copy(self) -> "Shelf":
        """Give the shelf as it is now."""
        other = Shelf()
        other.things = set(self.things)
        other.held = {unit: list(changes) for unit, changes in self.held.items()}
        return other


class ShelfParticipant(Participant):
    """One life of the queue manager with the shelf. If it is slow, each change waits until `answer` is called."""

    def __init__(self, shelf: Shelf, log: Log, slow: bool = False) -> None:
        super().__init__(NUMBER)
        self.shelf = shelf
        self.log = log
        self.slow = slow
        self.asked: list[Ticket] = []
        self.answered: set[str] = set()
        self.restored: list[int] = []
        self._changes: dict[int, str] = {}  # by operation
        self._kept: list[Operation] = []

    def work(self, unit: Unit, change: str) -> Operation:
        """Hold a change for a unit."""
        self.shelf.held.setdefault(unit.id, []).append(change)
        return self._operation(change)

    def _operation(self, change: str) -> Operation:
        operation = Operation(NUMBER, 0, 0)
        self._kept.append(operation)
        self._changes[id(operation)] = change
        return operation

    def answer(self) -> None:
        """Bring the answers to all that was asked."""
        asked, self.asked = self.asked, []
        for ticket in asked:
            self.answered.add(str(ticket))
            ticket.due()

    def _ask(self, what: str) -> None:
        if self.slow and what not in self.answered:
            ticket = Ticket(what)
            self.asked.append(ticket)
            raise ticket

    def prepare(self, unit: Unit) -> bytes:
        self._ask(f"prepare {unit.id}")
        return "|".join(self.shelf.held.get(unit.id, [])).encode()

    def commit(self, unit: Unit, operation: Operation) -> None:
        if self.log.durable < unit.decided:
            raise LogTicket(self.log, unit.decided)
        change = self._changes[id(operation)]
        self._ask(f"commit {change}")
        held = self.shelf.held.get(unit.id, [])
        if change not in held:
            return  # kept before the crash
        held.remove(change)
        if change[0] == "+":
            self.shelf.things.add(change[1:])
        else:
            self.shelf.things.discard(change[1:])

    def undo(self, unit: Unit, operation: Operation) -> None:
        if self.log.durable < unit.decided:
            raise LogTicket(self.log, unit.decided)
        change = self._changes[id(operation)]
        self._ask(f"undo {change}")
        held = self.shelf.held.get(unit.id, [])
        if change in held:
            held.remove(change)

    def ended(self, unit: Unit) -> None:
        assert not self.shelf.held.pop(unit.id, []), "something is still held for a unit that has ended"
        self.shelf.ended.append(unit.id)

    def restore(self, unit: Unit, description: bytes) -> list[Operation]:
        self.restored.append(unit.id)
        if unit.state == IN_DOUBT:
            assert self.shelf.held.get(unit.id), "what a unit in doubt holds is gone"
        return [self._operation(change) for change in description.decode().split("|") if change]

    def restarted(self) -> None:
        """Undo what is held for units that the restart knows nothing of."""
        for unit in list(self.shelf.held):
            if unit not in self.restored:
                del self.shelf.held[unit]
