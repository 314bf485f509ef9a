"""Online monitoring of a queue (MONQ): the times of the last put and get, and how long messages stay.

The two indicators of QTIME are moving averages in microseconds, over a short and a long run of messages. The time that
a message stayed is counted from its PutDate and PutTime, so it is exact to a hundredth of a second.
"""

from typing import Final

SHORT_RUN: Final = 8.0  # messages
LONG_RUN: Final = 128.0
NOTHING_YET: Final = -1.0
_DAY: Final = 86400
_ZERO: Final = 48  # the digit


class QueueMonitor:
    """The monitoring data of one queue since monitoring was switched on. Used under the engine lock."""

    def __init__(self, level: int) -> None:
        self.level = level  # MQMON_LOW, MQMON_MEDIUM or MQMON_HIGH
        self.last_put = 0.0  # seconds since 1970; 0 for never
        self.last_get = 0.0
        self.short_stay = NOTHING_YET  # microseconds
        self.long_stay = NOTHING_YET

    def put(self, now: float) -> None:
        """Note a put."""
        self.last_put = now

    def got(self, now: float, put: float) -> None:
        """Note a get of a message, with the time of the message's put; 0 if that is unknown."""
        self.last_get = now
        if put <= 0.0:
            return
        stay = max(0.0, now - put) * 1e6
        if self.short_stay < 0.0:
            self.short_stay = self.long_stay = stay
            return
        self.short_stay += (stay - self.short_stay) / SHORT_RUN
        self.long_stay += (stay - self.long_stay) / LONG_RUN


def seconds_of(date: bytes, time: bytes) -> float:
    """Give the seconds since 1970 of a PutDate (YYYYMMDD) and PutTime (HHMMSSTH) in GMT; 0 if they are not valid."""
    if not (date.isdigit() and time.isdigit() and len(date) == 8 and len(time) == 8):
        return 0.0
    year, month, day = _two(date, 0) * 100 + _two(date, 2), _two(date, 4), _two(date, 6)
    if month < 1 or month > 12 or day < 1 or day > 31:
        return 0.0
    seconds = _two(time, 0) * 3600 + _two(time, 2) * 60 + _two(time, 4)
    return float(_days(year, month, day) * _DAY + seconds) + float(_two(time, 6)) / 100.0


def _two(text: bytes, at: int) -> int:
    """Give the number in two digits of a text."""
    return (text[at] - _ZERO) * 10 + text[at + 1] - _ZERO


def _days(year: int, month: int, day: int) -> int:
    """Count the days from 1 January 1970; years begin in March, so that a leap day is the last day of its year."""
    if month <= 2:
        year -= 1
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * (month - 3 if month > 2 else month + 9) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468
