"""The channel initiator: the listeners of a queue manager and whoever comes in by them, started and stopped as one.

Programs on this machine come by a socket of the queue manager itself and are not its business. While it runs it tells,
as CSQX004I does on z/OS, how much storage is used and how much is left: when it starts, whenever that has changed by
more than two percent of the whole, and once an hour.
"""

import os
from typing import Final

from kew.channels.control import InitiatorState
from kew.codes.messages import Notices
from kew.objects import defaults
from kew.objects.administration import ObjectAdministration
from kew.qmgr.network import Network

LOOK: Final = 60.0  # seconds between looks at the storage
LOOKS: Final = 60  # after so many it is told in any case
CHANGE: Final = 0.02
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_MEGABYTE: Final = 1 << 20


def storage() -> tuple[int, int]:
    """Give the memory that this process uses and what the system could give it beyond, in megabytes."""
    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[1]) * _PAGE
    with open("/proc/meminfo", encoding="ascii") as file:
        figures = dict(line.split(":", 1) for line in file)
    free = int(figures["MemAvailable"].split()[0]) << 10
    return used // _MEGABYTE, free // _MEGABYTE


class ChannelInitiator:
    """Starts and stops what the network sees of a queue manager."""

    def __init__(self, network: Network, objects: ObjectAdministration, notices: Notices) -> None:
        self._network = network
        self._objects = objects
        self._notices = notices
        self._running = False
        self._port: int | None = None  # that the queue manager was started with
        self._round = 0  # of looks at the storage: those of an earlier one end by themselves
        self._told = 0  # megabytes
        self._looks = 0

    @property
    def running(self) -> bool:
        """Whether it does its work."""
        return self._running

    def open(self) -> None:
        """Begin without listeners: commands may start them."""
        self._running = True
        self._notices.tell("AMQ5022I", (os.getpid(),))
        self._network.start_triggers()
        self._round += 1
        self._looks = 0
        self._look_from_now_on(self._round)

    def listen(self, port: int | None) -> None:
        """Start the listeners that start with the queue manager, that of developers on the given port.

        Raises OSError where just that port cannot be had.
        """
        self._port = port
        if port is not None and self._objects.find("LISTENER", defaults.DEVELOPER_LISTENER) is None:
            self._network.listen(f"PORT.{port}", "", port)
            port = None
        self._network.start_listeners({} if port is None else {defaults.DEVELOPER_LISTENER: port})

    def start(self) -> None:
        """Begin, with the listeners that start with the queue manager; raises OSError."""
        self.open()
        try:
            self.listen(self._port)
        except OSError:
            self.stop()
            raise

    def stop(self) -> None:
        """End the listeners, and show out who came in by them."""
        self._running = False
        self._round += 1
        self._network.stop_triggers()
        for listener in self._network.listener_states():
            self._network.stop_listener(listener.name)
        self._network.show_out()
        self._notices.tell("AMQ5023I", (os.getpid(),))

    def state(self) -> InitiatorState:
        """Give what it has to do."""
        network = self._network
        return InitiatorState(
            network.workers,
            network.most_workers,
            len(network.channel_states()),
            network.most_channels,
            network.most_active,
            len(network.stopped_channels()),
        )

    def look(self) -> None:
        """Look at the storage, and tell of it where it has changed or has not been told for long."""
        used, free = storage()
        if not self._looks or abs(used - self._told) > CHANGE * (used + free):
            self._notices.tell("CSQX004I", (used, free))
            self._told = used
            self._looks = 0
        self._looks = (self._looks + 1) % LOOKS

    def _look_from_now_on(self, number: int) -> None:
        if number == self._round:
            self.look()
            self._network.later(LOOK, lambda: self._look_from_now_on(number))
