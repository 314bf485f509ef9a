"""The active units of work, and their commit and backout.

Commit and backout go in steps: the decision is one log record; then each operation is kept or undone by the participant
that made it, with a log record of its own where pages change. A stall between two steps leaves the unit IN COMMIT or IN
BACKOUT, and the next call continues from there; a crash leaves the unit so in the log, and restart continues from
there.

Most units have the pages for their only participant. Others enlist in a unit when they first work in it. Before the
decision each of them prepares, and its description of its part is logged (JOIN records); a restart gives the
description back to the participant.
"""

import time
from collections.abc import Iterable
from typing import Final

from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.pages import records
from kew.storage.pages.items import UNDO_RECORD, UNIT_RESERVE, ItemStore
from kew.storage.pages.participant import Observer, Pages
from kew.storage.unit import (
    BACKED_OUT,
    BEGIN,
    COMMITTED,
    IN_BACKOUT,
    IN_COMMIT,
    IN_DOUBT,
    IN_FLIGHT,
    PAGES,
    Operation,
    Participant,
    Unit,
)
from kew.storage.xid import owner_format


class UnknownParticipant(Exception):
    """The error of a log with work of a participant that this queue manager does not have."""


MAX_PARTICIPANT_DATA: Final = 4096  # bytes that a participant says of its part in a unit


class UnitCounters:
    """Counters of units since they were last taken."""

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
        self.pages = Pages(store, observer)
        self.participants: dict[int, Participant] = {PAGES: self.pages}
        self.active: dict[int, Unit] = {}
        self.next_id = 1
        self.counters = UnitCounters()

    def begin_at(self, number: int) -> None:
        """Set the number of the next unit, above all those that restart has found."""
        self.next_id = number

    def begin(self) -> Unit:
        """Start a unit of work."""
        unit = Unit(self.next_id)
        self.next_id += 1
        unit.started = time.time()
        self.active[unit.id] = unit
        self.counters.begun += 1
        return unit

    def register(self, participant: Participant) -> None:
        """Add a participant. Each participant with work in the log must be added before restart."""
        if participant.number in self.participants:
            raise ValueError(f"there is a participant {participant.number} already")
        self.participants[participant.number] = participant

    def enlist(self, unit: Unit, participant: Participant) -> None:
        """Add a participant to a unit; called before its first operation in it, or before each."""
        enlisted = unit.enlisted
        if enlisted is None:
            unit.enlisted = enlisted = []
        if participant not in enlisted:
            enlisted.append(participant)
        if unit.state == BEGIN:
            unit.move(IN_FLIGHT)

    def _describe(self, unit: Unit, enlisted: list[Participant]) -> None:
        """Prepare the participants, and log their parts for restart. Logs nothing if a participant stalls."""
        described: dict[int, bytes] = {}
        size = 0
        for participant in enlisted:
            said = participant.prepare(unit)
            if len(said) > MAX_PARTICIPANT_DATA:
                raise ValueError(
                    f"participant {participant.number} said {len(said)} bytes, more than {MAX_PARTICIPANT_DATA}"
                )
            described[participant.number] = said
            size += len(said) + 64
        self.store.want_log(size)
        unit.has_gotten = True  # its end will be logged, however it ends
        unit.described = described
        self._log_described(unit)

    def _log_described(self, unit: Unit) -> None:
        described = unit.described
        if described is None:
            return
        for number, said in described.items():
            self.store.append(records.JOIN, unit, records.JOIN_HEAD.pack(number), said)

    def prepare(self, unit: Unit, xid: bytes) -> LogAddress:
        """Prepare a unit, which is then in doubt; gives the log address that must be on disk before the vote is given.

        May stall if there are participants other than the pages, and is then called again.
        """
        if unit.enlisted is not None and unit.state == IN_FLIGHT:
            self._describe(unit, unit.enlisted)
        unit.move(IN_DOUBT)
        unit.xid = xid
        self.counters.prepared += 1
        return self.store.append(records.PREPARE, unit, xid, b"")

    def commit(self, unit: Unit) -> LogAddress:
        """Commit; gives the log address that must be on disk before the acknowledgement, 0 if nothing was logged.

        May stall, and is then called again.
        """
        store = self.store
        if unit.state == BEGIN:
            self._forget(unit)
            return NO_ADDRESS
        if unit.state != IN_COMMIT:
            if unit.enlisted is not None and unit.state == IN_FLIGHT:
                self._describe(unit, unit.enlisted)
            unit.move(IN_COMMIT)
            if unit.first_address:
                flags = 0 if unit.has_gotten else records.ENDS
                unit.decided = store.append(records.COMMIT, unit, b"", b"", flags)
        operations = unit.operations
        while unit.done < len(operations):
            operation = operations[unit.done]
            if operation.participant == PAGES:
                self.pages.commit(unit, operation)
            else:
                self.participants[operation.participant].commit(unit, operation)
            unit.done += 1
        self._end(unit, COMMITTED)
        self.counters.committed += 1
        self._tell_ended(unit)
        return unit.decided

    def backout(self, unit: Unit) -> None:
        """Undo all operations of the unit, without a wait for the log. May stall, and is then called again."""
        store = self.store
        if unit.state == BEGIN:
            self._forget(unit)
            return
        if unit.state != IN_BACKOUT:
            unit.move(IN_BACKOUT)
            if unit.first_address:
                unit.decided = store.append(records.BACKOUT, unit, b"", b"")
        if unit.unfinished is not None:
            unit.unfinished.abandon()
        operations = unit.operations
        while unit.done < len(operations):
            self._undo(unit, operations[len(operations) - 1 - unit.done])
            unit.done += 1
        self._end(unit, BACKED_OUT)
        self.counters.backed_out += 1
        self._tell_ended(unit)

    def _tell_ended(self, unit: Unit) -> None:
        self.pages.ended(unit)
        if unit.enlisted is not None:
            for participant in unit.enlisted:
                participant.ended(unit)

    def undo_to(self, unit: Unit, count: int) -> None:
        """Undo all operations of a unit in flight except the first `count`; the unit continues.

        May stall, and is then called again. Each step is logged as a step of a backout is, so a crash in between leaves
        a unit that is undone from there.
        """
        if unit.unfinished is not None:
            unit.unfinished.abandon()
        while len(unit.operations) > count:
            self._undo(unit, unit.operations[-1])
            unit.operations.pop()

    def _undo(self, unit: Unit, operation: Operation) -> None:
        self.participants[operation.participant].undo(unit, operation)

    def _end(self, unit: Unit, state: int) -> None:
        unit.move(state)
        if unit.first_address and (unit.has_gotten or state == BACKED_OUT):
            self.store.append(records.END, unit, b"", b"")
        self.store.reserved -= unit.reserved
        unit.reserved = 0
        del self.active[unit.id]

    def _forget(self, unit: Unit) -> None:
        """Drop a unit without operations; it cannot be used any more."""
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
        """Give the units in doubt of the part of the queue manager that uses this format of names.

        The units are in the order in which they were begun, before a restart or after it. Only their owner ends them.
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
            if operation.participant == PAGES:
                self.pages.relog(unit, operation)
        self._log_described(unit)
        self.store.append(records.PREPARE, unit, unit.xid, b"")

    def restore(self, unit: Unit, operations: Iterable[Operation], described: dict[int, bytes]) -> None:
        """Take over a unit from restart: the pages' operations, and the descriptions by its other participants.

        The pages' part of a decided unit is already ended. Such a unit has only operations of its other participants;
        the caller ends it by `commit` or `backout`.
        """
        for operation in operations:
            unit.operations.append(operation)
        self.active[unit.id] = unit
        if described:
            unit.described = described
        for number, said in described.items():
            participant = self.participants.get(number)
            if participant is None:
                raise UnknownParticipant(
                    f"unit of work {unit.id} has work of participant {number}, which this queue manager does not have; "
                    "start it with the version and the configuration of Kew that made the unit"
                )
            self._take_over(unit, participant, said)
        unit.reserved = UNIT_RESERVE + 2 * UNDO_RECORD * len(unit.operations)
        self.store.reserved += unit.reserved

    def _take_over(self, unit: Unit, participant: Participant, said: bytes) -> None:
        if unit.enlisted is None:
            unit.enlisted = []
        unit.enlisted.append(participant)
        for operation in participant.restore(unit, said):
            unit.operations.append(operation)


def _number(unit: Unit) -> int:
    return unit.id


__all__ = ["Observer", "Unit", "Units", "UnknownParticipant"]
