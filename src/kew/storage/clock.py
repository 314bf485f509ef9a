"""Clocks for the storage packages; tests have their own."""

import time
from typing import Protocol


class Clock(Protocol):
    """A source of elapsed and of calendar time, in seconds."""

    def monotonic(self) -> float:
        """Return seconds that never go back."""

    def time(self) -> float:
        """Return seconds since 1970, UTC."""


class SystemClock:
    """The clock of the machine: the system's own functions, since each write of the log calls them several times."""

    def __init__(self) -> None:
        self.monotonic = time.perf_counter
        self.time = time.time
