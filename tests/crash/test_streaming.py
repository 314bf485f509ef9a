"""STRMQOS(MUSTDUP) across a crash: both messages or neither, whatever the disk kept; and nothing leaks.

Each case ends with the power lost at each of the disk operations of its last step in turn. Messages of steps that were
acknowledged are certain, those that were refused or backed out are gone, those of the last step uncertain.
"""

from collections.abc import Callable
from random import Random

import pytest
from tests.support.audit import browse, check_space
from tests.support.engines import open_engine
from tests.support.simdisk import Keep, PowerLoss, SimDisk
from tests.support.world import NAME, PLACES, Told, create, small

from kew.codes.attributes import MQST_MUST_DUP
from kew.codes.errors import MQError
from kew.codes.options import MQOO_OUTPUT, MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor
from kew.objects.catalogue import AttributeValue
from kew.qmgr.assemble import Host
from kew.storage.pages.pageset import EXPAND_NONE, EXPAND_SYSTEM

SETTINGS = small(primary=2, secondary=2)
KEEPS: tuple[tuple[Keep, int], ...] = (("none", 0), ("all", 0), ("random", 1), ("random", 2), ("random", 3))
QUEUE, COPIES, ALONE = "Q", "S", "ALONE"


class Site:
    """A queue manager with a queue, the queue of its copies, and one without a stream."""

    def __init__(self, disk: SimDisk) -> None:
        self.disk = disk
        self.host: Host = open_engine(disk, NAME, PLACES, SETTINGS, Told(), threads=False)
        self.program = self.host.connect("program")
        self.serial = 0
        self.certain: set[int] = set()  # on both queues
        self.gone: set[int] = set()
        self.unit: set[int] = set()

    def define(self) -> None:
        streaming: dict[str, AttributeValue] = {"STREAMQ": COPIES, "STRMQOS": MQST_MUST_DUP}
        self.host.administration.define("QLOCAL", COPIES, {"STGCLASS": "GROWS"})
        self.host.administration.define("QLOCAL", QUEUE, streaming)
        self.host.administration.define("QLOCAL", ALONE, {})

    def put(self, size: int, options: int = 0, queue: str = QUEUE) -> None:
        """Put a persistent message; it is acknowledged, in the unit, or refused and gone."""
        self.serial += 1
        serial = self.serial
        handle = self.program.open(queue, MQOO_OUTPUT)
        descriptor = MessageDescriptor(persistence=1, priority=4, message_id=serial.to_bytes(24, "big"))
        try:
            self.program.put(handle, descriptor, body(serial, size), options)
        except MQError:
            if self.disk.lost:
                raise PowerLoss from None
            self.gone.add(serial)
            return
        finally:
            if not self.disk.lost:
                self.program.close(handle)
        if queue == QUEUE:
            (self.unit if options else self.certain).add(serial)

    def copies(self, allowed: bool) -> None:
        self.host.administration.alter(COPIES, {"PUT": 0 if allowed else 1})

    def commit(self) -> None:
        self.program.commit()
        self.certain |= self.unit
        self.unit = set()

    def backout(self) -> None:
        self.program.backout()
        self.gone |= self.unit
        self.unit = set()


def body(serial: int, size: int) -> bytes:
    """Give the bytes of a message."""
    return Random(serial * 100_003 + size).randbytes(size)


def short(site: Site) -> None:
    """Put a message and its copy out of syncpoint."""
    site.put(600)


def long(site: Site) -> None:
    """The same, of several pages."""
    site.put(9000)


def in_unit(site: Site) -> None:
    """Put a short and a long one in the unit."""
    site.put(600, MQPMO_SYNCPOINT)
    site.put(9000, MQPMO_SYNCPOINT)


def refused(site: Site) -> None:
    """Have puts in and out of the unit refused because there can be no copy, and go on with the unit."""
    site.put(50, MQPMO_SYNCPOINT, ALONE)
    site.copies(False)
    site.put(600, MQPMO_SYNCPOINT)
    site.put(9000, MQPMO_SYNCPOINT)
    site.put(600)
    site.copies(True)
    site.put(70, MQPMO_SYNCPOINT)


def full(site: Site) -> None:
    """Have a copy refused for lack of room after the message is there: of both many pages are to be given back."""
    page_set = site.host.store.page_sets[2]
    page_set.expand = EXPAND_NONE
    before = len(site.gone)
    while len(site.gone) == before:
        site.put(12_000, MQPMO_SYNCPOINT)
    site.put(12_000)
    page_set.expand = EXPAND_SYSTEM


def commit(site: Site) -> None:
    """Commit."""
    site.commit()


def backout(site: Site) -> None:
    """Back out."""
    site.backout()


def write_pages(site: Site) -> None:
    """Write all changed pages."""
    site.host.writer.flush()


def checkpoint(site: Site) -> None:
    """Take a checkpoint."""
    site.host.checkpointer.take()


Step = Callable[[Site], None]
CASES: tuple[tuple[Step, ...], ...] = (
    (short,),
    (long,),
    (short, long, write_pages),
    (in_unit, write_pages),
    (in_unit, commit),
    (in_unit, backout),
    (refused,),
    (refused, write_pages),
    (refused, commit),
    (refused, backout),
    (refused, checkpoint, refused, write_pages),
    (in_unit, refused, checkpoint, commit),
    (full, write_pages),
    (full, commit),
    (full, backout),
)


def beginning() -> SimDisk:
    """Make the disk with which every case begins."""
    disk = create(SETTINGS)
    site = Site(disk)
    site.define()
    site.host.checkpointer.take()
    site.host.crash()
    return disk.crash(keep="none")


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(step.__name__ for step in case))
def test_both_or_neither_wherever_the_power_is_lost(case: tuple[Step, ...]) -> None:
    start = beginning()
    stop, restarts, lost = 1, 0, True
    while lost:
        site = Site(start.copy())
        for step in case[:-1]:
            step(site)
        before = set(site.certain)
        site.disk.stop_after(stop)
        try:
            case[-1](site)
            lost = False
        except (PowerLoss, MQError):
            lost = site.disk.lost
            assert lost
        certain = before if lost else site.certain
        for keep, seed in KEEPS:
            check(Site(site.disk.crash(Random(seed), keep)), certain, site.gone, site.serial)
            restarts += 1
        stop += 1
    assert restarts >= len(KEEPS)


def check(after: Site, certain: set[int], gone: set[int], serial: int) -> None:
    """Compare the queues of a restarted queue manager with each other, and with what must and must not be there."""
    originals, copies = (browse(after.program, name) for name in (QUEUE, COPIES))
    assert [(each.serial, each.body) for each in originals] == [(each.serial, each.body) for each in copies]
    found = {each.serial for each in originals}
    assert certain <= found
    assert not found & gone
    assert max(found, default=0) <= serial
    for each in originals:
        assert each.body == body(each.serial, len(each.body))
    check_space(after.host)
    after.host.crash()
