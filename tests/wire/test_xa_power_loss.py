"""XA over a channel, the power lost at every write and sync of the log: what a transaction manager is told holds.

A transaction manager goes through a transaction over TCP. Before each operation of the disk, and after each answer, a
picture is taken of what a power loss at this moment leaves. Each picture is started, and a new connection recovers.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from tests.support.network import NAME, SMALL, Reachable
from tests.support.simdisk import Keep, SimDisk
from tests.wire.test_transactions import BRANCH, QUEUE, xa

from kew import client
from kew.channels.protocol.segments import XA_COMMIT, XA_END, XA_PREPARE, XA_RECOVER, XA_ROLLBACK, XA_START
from kew.channels.protocol.xa import TMENDRSCAN, TMONEPHASE, TMSTARTRSCAN, TMSUCCESS, XA_OK
from kew.codes.errors import NoMessage
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import manager
from kew.qmgr.config import format_configuration
from kew.qmgr.files import Places
from kew.qmgr.manager import QueueManager, engine_settings
from kew.qmgr.storageparts import create_engine

LASTING = MessageDescriptor(persistence=1)
BOTH = MQOO_OUTPUT | MQOO_INPUT_SHARED

# The calls that end a branch, and what the queue holds before and after it.
ENDINGS: dict[str, list[tuple[int, int]]] = {
    "two phases": [(XA_PREPARE, 0), (XA_COMMIT, 0)],
    "rolled back": [(XA_PREPARE, 0), (XA_ROLLBACK, 0)],
    "one phase": [(XA_COMMIT, TMONEPHASE)],
    "rolled back unprepared": [(XA_ROLLBACK, 0)],
}
AFTER = {XA_PREPARE: "in doubt", XA_COMMIT: "new", XA_ROLLBACK: "old"}


class Picture:
    """What a power loss leaves, and what may be found there."""

    def __init__(self, disk: SimDisk, allowed: set[str]) -> None:
        self.disk = disk
        self.allowed = allowed


class Camera:
    """Takes pictures of a disk that is in use."""

    def __init__(self, disk: SimDisk, keep: Keep) -> None:
        self.disk = disk
        self.keep = keep
        self.allowed: set[str] = {"old"}  # what the transaction manager has been told, and what it has asked for
        self.pictures: list[Picture] = []

    def take(self) -> None:
        """Take one, in one go: no other thread works on the disk meanwhile."""
        usual = sys.getswitchinterval()
        sys.setswitchinterval(100.0)
        try:
            left = self.disk.crash(Random(len(self.pictures)), self.keep)
        finally:
            sys.setswitchinterval(usual)
        self.pictures.append(Picture(left, set(self.allowed)))

    def watch(self, operation: str, path: str, _length: int) -> None:
        """Take one before each change of the log."""
        if operation != "read" and "log" in path.lower():
            self.take()


def started(disk: SimDisk, data: str) -> QueueManager:
    """Start the queue manager on a simulated disk; its sockets are real."""
    running = manager.start(NAME, data, disk, developer=True)
    running.open_network(SMALL, running.host.gate)
    return running


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Reachable, SimDisk]]:
    root = tmp_path / "qmgrs" / NAME
    root.mkdir(parents=True)  # for the sockets
    disk = SimDisk()
    places = Places(str(root), SMALL)
    owner = create_engine(disk, NAME, places, engine_settings(SMALL))
    disk.make_directory(places.errors)
    ini = disk.open(places.ini, create=True)
    ini.pwrite(format_configuration(SMALL, owner).encode(), 0)
    ini.sync()
    ini.close()
    disk.sync_directory(str(root))
    with started(disk, str(tmp_path)) as running:
        yield Reachable(running, str(tmp_path)), disk


def transaction(site: Reachable, camera: Camera, ending: list[tuple[int, int]]) -> None:
    """Get a message and put another in a branch, and end it; pictures are taken all the way."""
    with site.connect() as connection:
        queue = connection.open(QUEUE, BOTH)
        queue.put(b"old", LASTING)
        camera.disk.delay = camera.watch
        assert xa(connection, XA_START).return_value == XA_OK
        assert queue.get(syncpoint=True).data == b"old"
        queue.put(b"new", LASTING, syncpoint=True)
        assert xa(connection, XA_END, flags=TMSUCCESS).return_value == XA_OK
        camera.take()
        for kind, flags in ending:
            camera.allowed.add(AFTER[kind])
            assert xa(connection, kind, flags=flags).return_value == XA_OK
            prepared = "in doubt" in camera.allowed
            camera.allowed = {AFTER[kind]}
            if kind == XA_ROLLBACK and prepared:
                camera.allowed.add("in doubt")  # nobody waits for a rollback: it is found again, and rolled back again
            camera.take()
        camera.disk.delay = None


def found(picture: Picture, data: str) -> str:
    """Start a picture and recover as a transaction manager does; says what became of the branch."""
    with started(picture.disk, data) as running:
        site = Reachable(running, data)
        with site.connect() as connection:
            xids = xa(connection, XA_RECOVER, None, TMSTARTRSCAN | TMENDRSCAN).xids
            queue = connection.open(QUEUE, MQOO_INPUT_SHARED)
            if not xids:
                return b",".join(messages(queue)).decode()
            assert [(each.global_id, each.branch) for each in xids] == [(BRANCH.global_id, BRANCH.branch)]
            assert messages(queue) == [], "a message of a branch in doubt is there for others"
            commits = len(picture.allowed) % 2 == 1
            assert xa(connection, XA_COMMIT if commits else XA_ROLLBACK).return_value == XA_OK
            assert messages(queue) == [b"new" if commits else b"old"]
            return "in doubt"


def messages(queue: client.Queue) -> list[bytes]:
    """Get all that is there."""
    there: list[bytes] = []
    while True:
        try:
            there.append(queue.get().data)
        except NoMessage:
            return there


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_a_transaction_manager_is_told_survives_the_power(
    site: tuple[Reachable, SimDisk], tmp_path: Path, ending: str
) -> None:
    reachable, disk = site
    camera = Camera(disk, "none" if ending in ("two phases", "one phase") else "random")
    transaction(reachable, camera, ENDINGS[ending])
    reachable.manager.stop()
    seen: set[str] = set()
    for picture in camera.pictures:
        outcome = found(picture, str(tmp_path))
        assert outcome in picture.allowed, f"{outcome} where only {picture.allowed} may be"
        seen.add(outcome)
    assert len(camera.pictures) >= 2
    assert {AFTER[kind] for kind, _flags in ENDINGS[ending] if kind != XA_ROLLBACK} <= seen
