"""When statistics and accounting are collected: STATIME and ACCTIME.

A new length holds from the end of the interval under way, or at once where that end is further off than the new length.
The caller gives the time, so that the same object serves the collector, which checks whether an interval has ended, and
DISPLAY SYSTEM, which shows the lengths in force.
"""

from typing import Final

GLOBAL_SECONDS: Final = 1800  # the meaning of 0: the default interval of z/OS's SMF
AS_STATISTICS: Final = -1  # ACCTIME that follows STATIME


class CollectionInterval:
    """An interval of statistics or of accounting."""

    def __init__(self, seconds: int, now: float) -> None:
        self.setting = seconds  # as it was given, and in force
        self.wanted = seconds  # in force from the end of the interval under way
        self.begun = now

    def length(self) -> int:
        """Give the seconds of the interval under way."""
        return self.setting or GLOBAL_SECONDS

    def end(self) -> float:
        """Give when the interval under way ends."""
        return self.begun + self.length()

    def shorten(self, now: float, end: float) -> bool:
        """Begin an interval of the new length now, if that would end before `end`; say whether it was begun."""
        if self.wanted == AS_STATISTICS or (self.wanted or GLOBAL_SECONDS) >= end - now:
            return False
        self.begun = now
        self.setting = self.wanted
        return True

    def look(self, now: float) -> bool:
        """Begin the next interval if the current one is over; say whether it was."""
        if now < self.end():
            return False
        self.begun = self.end()
        self.setting = self.wanted
        missed = int((now - self.begun) // self.length()) if self.setting != AS_STATISTICS else 0
        self.begun += missed * self.length()
        return True


class CollectionTimes:
    """The intervals of statistics and of accounting; used under the owner's lock."""

    def __init__(self, statistics: int, accounting: int, now: float) -> None:
        self.statistics = CollectionInterval(statistics, now)
        self.accounting = CollectionInterval(accounting, now)

    def change(self, statistics: int, accounting: int, now: float) -> None:
        """Set new lengths: from the end of an interval, or at once where that end is further off than a new one."""
        self.look(now)
        self.statistics.wanted = statistics
        self.accounting.wanted = accounting
        sooner = self.statistics.shorten(now, self.statistics.end())
        if (
            not self.accounting.shorten(now, self.accounting_end())
            and sooner
            and self.accounting.setting == AS_STATISTICS
        ):
            self.accounting.begun = now
            self.accounting.setting = accounting

    def accounting_end(self) -> float:
        """Give when the accounting interval under way ends."""
        return (self.statistics if self.accounting.setting == AS_STATISTICS else self.accounting).end()

    def look(self, now: float) -> tuple[bool, bool]:
        """Say whether the statistics and the accounting interval have ended, and begin the next."""
        over = self.statistics.look(now)
        accounting = self.accounting
        if accounting.setting != AS_STATISTICS:
            return over, accounting.look(now)
        if over:
            accounting.begun = self.statistics.begun
            accounting.setting = accounting.wanted
        return over, over
