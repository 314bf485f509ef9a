"""Wakes a channel once the log is on disk up to an address."""

from collections.abc import Callable
from functools import partial
from typing import Final

from kew.channels.agents.acknowledgements import Acknowledgements, DurableListener
from kew.channels.protocol.events import Event
from kew.channels.transport.loop import Loop
from kew.storage.log import LogAddress

_WAKE: Final = Event(0)


class Waker(DurableListener):
    """Calls the owner once the log is on disk up to an address."""

    def __init__(self, loop: Loop, line: Acknowledgements, wake: Callable[[], None]) -> None:
        self._loop = loop
        self._line = line
        self.wake = wake
        self._asked: LogAddress | None = None

    def at(self, address: LogAddress) -> None:
        """Have the owner called once the log is on disk up to an address; repeated calls are harmless."""
        if self._asked is None or address > self._asked:
            self._asked = address
            self._loop.post(partial(self._line.park, address, self, _WAKE))

    def released(self, event: Event) -> None:
        """Call the owner."""
        self.wake()
