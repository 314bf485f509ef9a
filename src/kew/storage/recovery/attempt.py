"""Attempts: operations of one verb in a unit of work, all of which are done or none.

A verb that does several things (a message and its copy, the segments of a message, a message and its report) does them
in the program's unit of work, or in one of its own where the program has none. When it fails, or is given up between
two steps, the unit is brought back to where it was: the program's unit continues without these operations, and a unit
of the verb's own is backed out.

Undoing may stall too. The error that caused it is kept meanwhile: a verb that is called again continues undoing, and
does not repeat the operation that failed.
"""

from typing import NoReturn

from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.recovery.units import Units
from kew.storage.unit import BEGIN, IN_BACKOUT, IN_FLIGHT, Unit


class Attempt:
    """The operations of one verb in a unit of work, from where the unit stands now."""

    def __init__(self, units: Units, unit: Unit | None) -> None:
        self.own = unit is None  # the unit exists for this verb alone
        if unit is None:
            unit = units.begin()
        self.unit = unit
        self.before = len(unit.operations)  # the unit's operations before the attempt
        self.failure: Exception | None = None  # for which all of it is undone
        self._units = units

    def check(self) -> None:
        """After a failure, undo the remaining operations and raise the failure again. May stall."""
        if self.failure is not None:
            self.fail(self.failure)

    def fail(self, failure: Exception) -> NoReturn:
        """Undo the operations and raise the error. When undoing stalls, `check` continues it."""
        self.failure = failure
        self.give_up()
        raise failure

    def give_up(self) -> None:
        """Undo the operations, unless the unit is decided. May stall, and is then called again; may be called twice."""
        unit = self.unit
        if unit.forced_out:
            return  # the command or verb that forces it out undoes all of it
        state = unit.state
        if not self.own:
            if state in (BEGIN, IN_FLIGHT):
                self._units.undo_to(unit, self.before)
        elif state in (BEGIN, IN_FLIGHT, IN_BACKOUT):
            self._units.backout(unit)

    def commit(self) -> LogAddress:
        """Commit the operations; gives the log address to wait for if the unit is the verb's own, which ends here.

        May stall, and is then called again.
        """
        return self._units.commit(self.unit) if self.own else NO_ADDRESS
