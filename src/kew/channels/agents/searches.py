"""Searches of deep queues, a part at a time: between two parts the loop serves whoever has something to say.

A search gives way after some hundred microseconds. It goes on in the thread of the loop and in no worker: one part of
one search in each turn of the loop, however many there are, so another call waits for one part at most.
"""

from collections import deque
from collections.abc import Callable

from kew.channels.transport.loop import Loop

Part = Callable[[], None]


class Searches:
    """The searches that wait for their turn."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._line: deque[Part] = deque()

    def take(self, part: Part) -> None:
        """Have a search go on when those before it have had a turn. Called by the thread of the loop."""
        self._line.append(part)
        if len(self._line) == 1:
            self._loop.later(0.0, self._next)

    def _next(self) -> None:
        part = self._line[0]
        if len(self._line) > 1:
            self._loop.later(0.0, self._next)
        self._line.popleft()
        part()
