"""A queue that is deleted with its messages is there with all of them or gone with its pages, wherever power is lost.

So it is whether a close deletes it that others have open, or a command; also if the power is lost once more while the
start takes away what was left of it.
"""

from collections.abc import Callable
from random import Random

import pytest
from tests.support.audit import browse, check_space
from tests.support.hosting import EVERYTHING, after_power_loss, create, lasting, small, start
from tests.support.simdisk import Keep, PowerLoss, SimDisk

from kew.codes.attributes import MQQDT_PERMANENT_DYNAMIC
from kew.codes.options import MQCO_DELETE_PURGE, MQOO_INQUIRE
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.qmgr.assemble import Host

SETTINGS = small(pages=512)
KEEPS: list[tuple[Keep, int]] = [("none", 0), ("all", 0), ("random", 1), ("random", 2), ("random", 3), ("random", 4)]
NAME = "PERM"
OTHER = "OTHER"
SIZES = sorted([number * 700 for number in range(12)] + [10] * 120)


class Site:
    """A queue manager with two queues of the same messages, one of which is to be deleted."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.program: LocalConnection = host.connect()
        self.others: LocalConnection = host.connect()
        self.handle: Handle | None = None

    def open(self) -> None:
        """Let two programs have the queue open."""
        self.handle = self.program.open(NAME, MQOO_INQUIRE)
        self.others.open(NAME, EVERYTHING)

    def close_and_delete(self) -> None:
        """Delete it by a close, then let the other go."""
        self.open()
        assert self.handle is not None
        self.program.close(self.handle, MQCO_DELETE_PURGE)
        self.others.disconnect()

    def delete(self) -> None:
        """Delete it by a command."""
        self.host.administration.delete(NAME, purge=True)


def beginning() -> SimDisk:
    """Make the disk that every case begins with."""
    disk = SimDisk()
    host = create(disk, SETTINGS)
    host.administration.define("QMODEL", "MODEL", {"DEFTYPE": MQQDT_PERMANENT_DYNAMIC})
    connection = host.connect()
    for name in (OTHER, NAME):
        queue = connection.open("MODEL", EVERYTHING, name)
        for number, size in enumerate(SIZES):
            connection.put(queue, lasting(priority=number % 3), bytes(size))
    connection.disconnect()
    host.stop()
    return disk.crash(keep="all")


def lengths(host: Host, name: str) -> list[int]:
    """Give the lengths of a queue's messages."""
    connection = host.connect()
    found = sorted(len(seen.body) for seen in browse(connection, name))
    connection.disconnect()
    return found


def check(host: Host, told: bool) -> bool:
    """Look at what a restart shows; says whether the queue is gone."""
    check_space(host)
    assert lengths(host, OTHER) == SIZES
    gone = NAME not in host.queues.by_name
    if gone:
        assert host.administration.find(NAME) is None
        host.administration.define("QLOCAL", NAME, {})
        assert lengths(host, NAME) == [], "a queue of this name, or number, inherits nothing"
    else:
        assert not told, "the program was told that it is deleted"
        assert lengths(host, NAME) == SIZES
    return gone


@pytest.mark.parametrize("delete", [Site.close_and_delete, Site.delete], ids=["close", "command"])
def test_all_or_nothing_wherever_the_power_is_lost(delete: Callable[[Site], None]) -> None:
    made = beginning()
    gone: set[bool] = set()
    stop = 1
    while stop:
        disk = made.copy()
        site = Site(start(disk, SETTINGS))
        disk.stop_after(stop)
        told = True
        try:
            delete(site)
        except PowerLoss:
            told = False
        for keep, seed in KEEPS:
            gone.add(check(after_power_loss(disk, SETTINGS, keep, seed), told))
        stop = 0 if told else stop + 1
    assert gone == {True, False}, "some stops are before it is decided, and some after"


def test_what_is_left_of_it_is_taken_away_wherever_the_start_is_cut_short() -> None:
    disk = beginning()
    site = Site(start(disk, SETTINGS))
    site.open()
    assert site.handle is not None
    site.program.close(site.handle, MQCO_DELETE_PURGE)
    site.host.writer.flush()
    site.host.checkpointer.take()
    left = disk.crash(keep="all")  # deleted, and its messages still there, for the sake of those who have it open
    for keep, seed in KEEPS:
        stop = 1
        while stop:
            again = left.copy()
            again.stop_after(stop)
            try:
                start(again, SETTINGS)
                lost = False
            except PowerLoss:
                lost = True
            host = after_power_loss(again, SETTINGS, keep, seed + Random(stop).randrange(1000))
            assert check(host, told=True)
            stop = stop + 1 if lost else 0


def test_a_start_after_an_orderly_stop_finds_nothing_of_it() -> None:
    disk = beginning()
    site = Site(start(disk, SETTINGS))
    site.open()
    assert site.handle is not None
    site.program.close(site.handle, MQCO_DELETE_PURGE)
    site.host.stop()
    assert check(start(disk, SETTINGS), told=True)
