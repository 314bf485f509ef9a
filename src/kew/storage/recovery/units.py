"""The units of work there are, and how they end.

Commit and backout go in steps: the decision is one log record; then each operation is finished or undone, with a log
record of its own where pages change. A stall between two steps leaves the unit IN COMMIT or IN BACKOUT, and calling
again goes on from there; a crash leaves it so in the log, and restart goes on from there.
"""

import time
from collections.abc import Iterable
from typing import Protocol

from kew.storage import records
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.pages.directory import LIVE
from kew.storage.pages.item import Item
from kew.storage.pages.items import UNDO_RECORD, UNIT_RESERVE, ItemStore
from kew.storage.unit import (
    BACKED_OUT,
    BEGIN,
    COMMITTED,
    GET,
    IN_BACKOUT,
    IN_COMMIT,
    IN_DOUBT,
    IN_FLIGHT,
    PUT,
    Operation,
    Unit,
)
from kew.storage.xid import owner_format


class Observer(Protocol):
    """Whoever keeps the queues hears what becomes of operations."""

    def put_committed(self, item: Item) -> None:
        """A put item is now visible."""

    def removing(self, item: Item) -> None:
        """An item is about to go: one that was got, or one whose put is undone. May be said twice."""

    def get_committed(self, item: Item) -> None:
        """A got item is gone."""

    def put_undone(self, item: Item) -> None:
        """A put item is gone."""

    def get_undone(self, item: Item) -> None:
        """A got item is back."""

    def unit_ended(self) -> None:
        """A unit has ended: all of its operations have been told."""


class UnitCounters:
    """What became of units since the counters were last taken."""

    def __init__(self) -> None:
        self.begun = 0
        self.committed = 0
        self.backed_out = 0
        self.prepared = 0
        self.forced_out = 0


class Units:
    """The active units. Every method runs under the engine lock."""

    def __init__(self, store: ItemStore, observer: Observer) -> None:
        self.store = store
        self.observer = observer
        self.active: dict[int, Unit] = {}
        self.next_id = 1
        self.counters = UnitCounters()

    def begin(self) -> Unit:
        """Start a unit of work."""
        unit = Unit(self.next_id)
        self.next_id += 1
        unit.started = time.time()
        self.active[unit.id] = unit
        self.counters.begun += 1
        return unit

    def prepare(self, unit: Unit, xid: bytes) -> LogAddress:
        """Move a unit in doubt; gives the log address that must be on disk before the vote is told."""
        unit.move(IN_DOUBT)
        unit.xid = xid
        self.counters.prepared += 1
        return self.store.append(records.PREPARE, unit, xid, b"")

    def commit(self, unit: Unit) -> LogAddress:
        """Commit; gives the log address that must be on disk before it is told, 0 when nothing was logged.

        May stall, and is then called again.
        """
        store = self.store
        if unit.state == BEGIN:
            self._forget(unit)
            return NO_ADDRESS
        if unit.state != IN_COMMIT:
            unit.move(IN_COMMIT)
            if unit.first_address:
                flags = 0 if unit.has_gotten else records.ENDS
                unit.decided = store.append(records.COMMIT, unit, b"", b"", flags)
        operations = unit.operations
        while unit.done < len(operations):
            operation = operations[unit.done]
            item = operation.item
            if operation.kind == PUT:
                store.set_state(item, LIVE)
                if not item.chain.volatile:
                    store.fresh.add(item, unit.decided)
                self.observer.put_committed(item)
            else:
                self.observer.removing(item)
                store.remove(item, unit)
                self.observer.get_committed(item)
            unit.done += 1
        self._end(unit, COMMITTED)
        self.counters.committed += 1
        self.observer.unit_ended()
        return unit.decided

    def backout(self, unit: Unit) -> None:
        """Undo everything the unit has done; nobody needs to wait for the log. May stall, and is then called again."""
        store = self.store
        if unit.state == BEGIN:
            self._forget(unit)
            return
        if unit.state != IN_BACKOUT:
            unit.move(IN_BACKOUT)
            if unit.first_address:
                store.append(records.BACKOUT, unit, b"", b"")
        if unit.unfinished is not None:
            unit.unfinished.abandon()
        operations = unit.operations
        while unit.done < len(operations):
            self._undo(unit, operations[len(operations) - 1 - unit.done])
            unit.done += 1
        self._end(unit, BACKED_OUT)
        self.counters.backed_out += 1
        self.observer.unit_ended()

    def undo_to(self, unit: Unit, count: int) -> None:
        """Undo all operations of a unit in flight but its first so many; it goes on from there.

        May stall, and is then called again. Each step is logged as a step of a backout is, so a crash in between leaves
        a unit that is undone from there.
        """
        if unit.unfinished is not None:
            unit.unfinished.abandon()
        while len(unit.operations) > count:
            self._undo(unit, unit.operations[-1])
            unit.operations.pop()

    def _undo(self, unit: Unit, operation: Operation) -> None:
        store = self.store
        item = operation.item
        if operation.kind == PUT:
            store.load_runs(item)
            self.observer.removing(item)
            store.remove(item, unit, operation.undo_next)
            self.observer.put_undone(item)
        else:
            store.unget(item, unit, operation.undo_next)
            self.observer.get_undone(item)

    def _end(self, unit: Unit, state: int) -> None:
        unit.move(state)
        if unit.first_address and (unit.has_gotten or state == BACKED_OUT):
            self.store.append(records.END, unit, b"", b"")
        self.store.reserved -= unit.reserved
        unit.reserved = 0
        del self.active[unit.id]

    def _forget(self, unit: Unit) -> None:
        """Drop a unit that has done nothing; whoever still has it cannot use it any more."""
        if unit.unfinished is not None:
            unit.unfinished.abandon()
        unit.move(IN_FLIGHT)
        unit.move(IN_BACKOUT)
        unit.move(BACKED_OUT)
        self.store.reserved -= unit.reserved
        unit.reserved = 0
        del self.active[unit.id]

    def in_doubt(self) -> list[Unit]:
        """Give the units that wait to be resolved."""
        return [unit for unit in self.active.values() if unit.state == IN_DOUBT]

    def prepared(self, format_id: int) -> list[Unit]:
        """Give the units in doubt of the part of the queue manager that names them in this format.

        They come in the order in which they were begun, before a restart or after it. Their owner alone ends them.
        """
        found = [unit for unit in self.in_doubt() if owner_format(unit.xid) == format_id]
        found.sort(key=_number)
        return found

    def oldest_in_flight(self) -> Unit | None:
        """Give the unit in flight whose first log record is the oldest."""
        oldest: Unit | None = None
        for unit in self.active.values():
            pins = unit.state == IN_FLIGHT and unit.first_address
            if pins and (oldest is None or unit.first_address < oldest.first_address):
                oldest = unit
        return oldest

    def oldest_address(self, otherwise: int) -> int:
        """Give the log address from which the records of active units are needed."""
        lowest = otherwise
        for unit in self.active.values():
            if unit.first_address and unit.first_address < lowest:
                lowest = unit.first_address
        return lowest

    def relog(self, unit: Unit) -> None:
        """Write the records of a unit in doubt again, at the end of the log."""
        unit.first_address = 0
        unit.last_address = 0
        for operation in unit.operations:
            item = operation.item
            if item.chain.volatile:
                continue
            head = records.RELOG_HEAD.pack(operation.kind, item.length, item.page)
            before = unit.last_address
            self.store.append(records.RELOG, unit, head + self.store.get_head(item), b"")
            operation.address = unit.last_address
            operation.undo_next = before
        self.store.append(records.PREPARE, unit, unit.xid, b"")

    def restore(self, unit: Unit, operations: Iterable[Operation]) -> None:
        """Take over a unit in doubt from restart."""
        for operation in operations:
            unit.operations.append(operation)
        unit.reserved = UNIT_RESERVE + 2 * UNDO_RECORD * len(unit.operations)
        self.store.reserved += unit.reserved
        self.active[unit.id] = unit


def _number(unit: Unit) -> int:
    return unit.id


__all__ = ["GET", "PUT", "Observer", "Unit", "Units"]
