"""Programs of the two packages, and the ways they reach a queue manager: in process, by a socket, over TCP."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from tests.support.network import CHANNEL, NAME, Reachable

from kew import ibmmq, pymqi

FACES: tuple[ModuleType, ...] = (ibmmq, pymqi)
WAYS = ("process", "socket", "shared", "alone")  # of TCP: with shared conversations, and without


class Site:
    """A queue manager, one of the packages and one of the ways."""

    def __init__(self, place: Reachable, face: Any, way: str) -> None:
        self.place = place
        self.face = face
        self.way = way
        self.managers: list[Any] = []

    def connect(self) -> Any:
        """Connect as a program would that knows its way."""
        manager = self.face.QueueManager(None)
        if self.way in ("shared", "alone"):
            cd = self.face.CD(SharingConversations=10 if self.way == "shared" else 0)
            manager.connect_tcp_client(NAME, cd, CHANNEL, self.place.address, "app", "password")
        elif self.way == "socket":
            with elsewhere(self.place):
                manager.connect(NAME)
        else:
            manager.connect(NAME)
        self.managers.append(manager)
        return manager

    def queue(self, name: str = "DEV.QUEUE.1", options: int | None = None, manager: Any = None) -> Any:
        """A queue, open for everything."""
        cmqc = self.face.CMQC
        everything = cmqc.MQOO_OUTPUT | cmqc.MQOO_INPUT_SHARED | cmqc.MQOO_BROWSE | cmqc.MQOO_INQUIRE
        return self.face.Queue(manager or self.connect(), name, everything if options is None else options)

    def end(self) -> None:
        """End all connections."""
        for manager in self.managers:
            if manager._verbs is not None:
                manager.disconnect()


@contextmanager
def elsewhere(place: Reachable) -> Iterator[None]:
    """Have programs of this process look for the queue manager as those of another would."""
    from kew.qmgr import manager

    before = os.environ.get("KEW_DATA")
    os.environ["KEW_DATA"] = place.data
    hosted = manager._RUNNING.pop(NAME)
    try:
        yield
    finally:
        manager._RUNNING[NAME] = hosted
        if before is None:
            del os.environ["KEW_DATA"]
        else:
            os.environ["KEW_DATA"] = before
