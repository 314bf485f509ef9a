"""The table of the resident trace: the newest steps of calls (GLOBAL) or of channels (CHINIT), in a ring in memory.

    14:02:11.123456      17 MQPUT      APP.IN            entry
    14:02:11.123471      17 MQPUT      APP.IN            stall: page 118 of page set 1 is not in buffer pool 1
    14:02:11.123802      17 MQPUT      APP.IN            exit 0

The table is kept while a trace runs. When the last trace of its kind is stopped it is written to a file.
"""

import time
from collections import deque
from typing import Final

ENTRIES: Final = 10000


class TraceTable:
    """The newest entries of a trace; the methods may be called from any thread."""

    def __init__(self, most: int = ENTRIES) -> None:
        self._entries: deque[tuple[float, int, str, str, str]] = deque(maxlen=most)
        self.taken = 0  # entries there ever were

    def note(self, connection: int, step: str, where: str, detail: str) -> None:
        """Add an entry; the oldest is dropped."""
        self._entries.append((time.time(), connection, step, where, detail))
        self.taken += 1

    def lines(self) -> list[str]:
        """Give the entries as text, oldest first."""
        found: list[str] = []
        for moment, connection, step, where, detail in list(self._entries):
            clock = time.strftime("%H:%M:%S", time.localtime(moment))
            micros = int(moment * 1e6) % 1_000_000
            found.append(f"{clock}.{micros:06d} {connection:7d} {step:<10} {where:<48} {detail}".rstrip())
        return found
