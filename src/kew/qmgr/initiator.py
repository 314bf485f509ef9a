"""The channel initiator: the listeners and network channels of a queue manager, started and stopped as one.

Programs on this machine use a socket of the queue manager itself and are not affected. While the channel initiator runs
it reports, as CSQX004I does on z/OS, the storage used and left: at its start, whenever that has changed by more than
two percent of the whole, and once an hour.
"""

import os
from typing import Final

from kew.channels.control import InitiatorState
from kew.codes.messages import Notices
from kew.objects import defaults
from kew.objects.administration import ObjectAdministration
from kew.qmgr.network import Network

LOOK: Final = 60.0  # seconds between looks at the storage
LOOKS: Final = 60  # checks after which the storage is reported in any case
CHANGE: Final = 0.02
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")
_MEGABYTE: Final = 1 << 20


def storage() -> tuple[int, int]:
    """Give the memory that this process uses and the memory that is left, in megabytes."""
    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[1]) * _PAGE
    with open("/proc/meminfo", encoding="ascii") as file:
        figures = dict(line.split(":", 1) for line in file)
    free = int(figures["MemAvailable"].split()[0]) << 10
    return used // _MEGABYTE, free // _MEGABYTE


class ChannelInitiator:
    """Starts and stops the network side of a queue manager."""

    def __init__(self, network: Network, objects: ObjectAdministration, notices: Notices) -> None:
        self._network = network
        self._objects = objects
        self._notices = notices
        self._running = False
        self._port: int | None = None  # port that the queue manager was started with
        self._round = 0  # generation of the checks: those of an earlier start end by themselves
        self._told = 0  # megabytes
        self._looks = 0

    @property
    def running(self) -> bool:
        """Say whether the channel initiator runs."""
        return self._running

    def open(self) -> None:
        """Start without listeners, which commands may start later."""
        self._running = True
        self._notices.tell("AMQ5022I", (os.getpid(),))
        self._network.start_triggers()
        self._round += 1
        self._looks = 0
        self._look_from_now_on(self._round)

    def listen(self, port: int | None) -> None:
        """Start the listeners that start with the queue manager, that of --dev on the given port.

        Raises OSError if the given port is in use; a defined port that is in use is only reported.
        """
        self._port = port
        if port is not None and self._objects.find("LISTENER", defaults.DEVELOPER_LISTENER) is None:
            self._network.listen(f"PORT.{port}", "", port)
            port = None
        self._network.start_listeners({} if port is None else {defaults.DEVELOPER_LISTENER: port})

    def start(self) -> None:
        """Start, with the listeners that start with the queue manager; raises OSError if the given port is in use."""
        self.open()
        try:
            self.listen(self._port)
        except OSError:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop the listeners, and end the channels from the network."""
        self._running = False
        self._round += 1
        self._network.stop_triggers()
        for listener in self._network.listener_states():
            self._network.stop_listener(listener.name)
        self._network.show_out()
        self._notices.tell("AMQ5023I", (os.getpid(),))

    def state(self) -> InitiatorState:
        """Give the state for DISPLAY CHINIT."""
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
        """Check the storage, and report it if it has changed or the last report is an hour old."""
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
