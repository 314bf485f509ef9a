"""Publish/subscribe across a crash: copies are all there or none is, what is retained is the old or the new, durable
subscriptions are there once their making was acknowledged, and nothing is left of those that were not.

Each case ends with the power lost at each of the disk operations of its last step in turn.
"""

from collections.abc import Callable
from random import Random

import pytest
from tests.support.audit import browse, check_space
from tests.support.engines import open_engine
from tests.support.simdisk import Keep, PowerLoss, SimDisk
from tests.support.world import NAME, PLACES, Told, create, small

from kew.codes.attributes import MQQDT_PERMANENT_DYNAMIC
from kew.codes.errors import MQError
from kew.codes.options import (
    MQCO_REMOVE_SUB,
    MQOO_INPUT_SHARED,
    MQPMO_RETAIN,
    MQPMO_SYNCPOINT,
    MQSO_CREATE,
    MQSO_DURABLE,
    MQSO_MANAGED,
    MQSO_RESUME,
)
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.subscribing.retained import _Found
from kew.mqi.subscribing.subscribe import SubscriptionRequest
from kew.qmgr.assemble import Host
from kew.topics.retained import QUEUE as RETAINED
from kew.topics.space import MANAGED

SETTINGS = small(primary=2, secondary=2)
KEEPS: tuple[tuple[Keep, int], ...] = (("none", 0), ("all", 0), ("random", 1), ("random", 2))
QUEUES = ("Q1", "Q2", "Q3")
TOPIC = "news/sport"
MINE = "MINE"


class Site:
    """A queue manager with three durable subscriptions to one topic, each with a queue of its own."""

    def __init__(self, disk: SimDisk) -> None:
        self.disk = disk
        self.host: Host = open_engine(disk, NAME, PLACES, SETTINGS, Told(), threads=False)
        self.program = self.host.connect("program")
        self.serial = 0
        self.certain: set[int] = set()  # on all three queues
        self.gone: set[int] = set()
        self.unit: set[int] = set()
        self.retained: set[int] = {0}  # what may be the retained publication; 0 is none
        self.kept_in_unit = 0
        self.subscribed: set[bool] = {False}  # whether MINE may be there

    def define(self) -> None:
        self.host.administration.define("QLOCAL", RETAINED, {})
        model = {"DEFTYPE": MQQDT_PERMANENT_DYNAMIC, "MAXDEPTH": 999_999_999}
        self.host.administration.define("QMODEL", "SYSTEM.DURABLE.MODEL.QUEUE", model)
        for name in QUEUES:
            self.host.administration.define("QLOCAL", name, {})
            queue = self.program.open(name, MQOO_INPUT_SHARED)
            request = SubscriptionRequest(MQSO_CREATE | MQSO_DURABLE, "news/#", name=name)
            made = self.program.subscribe(request, queue)
            self.program.close(made.handle)
            self.program.close(queue)

    def publish(self, size: int, options: int = 0) -> None:
        """Publish a persistent message; it is acknowledged, in the unit, or refused and gone."""
        self.serial += 1
        serial = self.serial
        before = self.retained
        if options & MQPMO_RETAIN and not options & MQPMO_SYNCPOINT:
            self.retained = {*before, serial}
        try:
            self.program.publish("", TOPIC, MessageDescriptor(persistence=1, priority=4), body(serial, size), options)
        except MQError:
            if self.disk.lost:
                raise PowerLoss from None
            self.gone.add(serial)
            self.retained = before
            return
        if options & MQPMO_SYNCPOINT:
            self.unit.add(serial)
            if options & MQPMO_RETAIN:
                self.kept_in_unit = serial
        else:
            self.certain.add(serial)
            if options & MQPMO_RETAIN:
                self.retained = {serial}

    def commit(self) -> None:
        if self.kept_in_unit:
            self.retained = {*self.retained, self.kept_in_unit}
        self.program.commit()
        self.certain |= self.unit
        self.unit = set()
        if self.kept_in_unit:
            self.retained = {self.kept_in_unit}

    def backout(self) -> None:
        self.program.backout()
        self.gone |= self.unit
        self.unit = set()

    def closed(self, allowed: bool) -> None:
        """Have one of the queues take messages or not."""
        self.host.administration.alter("Q3", {"PUT": 0 if allowed else 1})


def body(serial: int, size: int) -> bytes:
    """Give the bytes of a publication, which say which it is."""
    return serial.to_bytes(4, "big") + Random(serial * 100_003 + size).randbytes(size)


def short(site: Site) -> None:
    """Publish out of syncpoint."""
    site.publish(600)


def long(site: Site) -> None:
    """The same, of several pages."""
    site.publish(9000)


def huge(site: Site) -> None:
    """The same, so long that the log is written between two copies."""
    site.publish(50_000)


def retain(site: Site) -> None:
    """Publish to be retained, short and long."""
    site.publish(500, MQPMO_RETAIN)
    site.publish(7000, MQPMO_RETAIN)


def in_unit(site: Site) -> None:
    """Publish a short and a long one in the unit, the second to be retained."""
    site.publish(600, MQPMO_SYNCPOINT)
    site.publish(9000, MQPMO_SYNCPOINT | MQPMO_RETAIN)


def refused(site: Site) -> None:
    """Have publications in and out of the unit refused because one who must get them cannot, and go on."""
    site.publish(50, MQPMO_SYNCPOINT)
    site.closed(False)
    site.publish(600, MQPMO_SYNCPOINT)
    site.publish(9000)
    site.closed(True)
    site.publish(70, MQPMO_SYNCPOINT)


def commit(site: Site) -> None:
    """Commit."""
    site.commit()


def backout(site: Site) -> None:
    """Back out."""
    site.backout()


def subscribe(site: Site) -> None:
    """Make a durable subscription with a queue of its own."""
    site.subscribed = {False, True}
    request = SubscriptionRequest(MQSO_CREATE | MQSO_MANAGED | MQSO_DURABLE, "other/+", name=MINE)
    made = site.program.subscribe(request)
    site.subscribed = {True}
    site.program.close(made.handle)
    site.program.close(made.queue)
    site.program.publish("", "other/x", MessageDescriptor(persistence=1), b"for it")


def unsubscribe(site: Site) -> None:
    """End it."""
    made = site.program.subscribe(SubscriptionRequest(MQSO_RESUME, name=MINE))
    site.program.close(made.queue)
    site.subscribed = {False, True}
    site.program.close(made.handle, MQCO_REMOVE_SUB)
    site.subscribed = {False}


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
    (huge,),
    (huge, write_pages),
    (retain,),
    (retain, write_pages),
    (retain, checkpoint, retain),
    (in_unit, write_pages),
    (in_unit, commit),
    (retain, in_unit, commit),
    (in_unit, backout),
    (refused,),
    (refused, commit),
    (refused, backout),
    (refused, checkpoint, refused, write_pages),
    (subscribe,),
    (subscribe, checkpoint, unsubscribe),
    (subscribe, write_pages),
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
def test_wherever_the_power_is_lost(case: tuple[Step, ...]) -> None:
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
            check(Site(site.disk.crash(Random(seed), keep)), site, certain)
            restarts += 1
        stop += 1
    assert restarts >= len(KEEPS)


def check(after: Site, site: Site, certain: set[int]) -> None:
    """Compare what a restarted queue manager has with what must and must not be there."""
    queues = [[each.body for each in browse(after.program, name)] for name in QUEUES]
    assert queues[0] == queues[1] == queues[2]
    found = {int.from_bytes(each[:4], "big") for each in queues[0]}
    assert certain <= found
    assert not found & site.gone
    assert max(found, default=0) <= site.serial
    for each in queues[0]:
        assert each == body(int.from_bytes(each[:4], "big"), len(each) - 4)
    engine = after.host.engine
    kept = engine.run(_Found(engine, TOPIC).read)
    assert (0 if kept is None else int.from_bytes(kept.data[:4], "big")) in site.retained
    assert set(QUEUES) <= set(engine.topics.by_name)
    subscription = engine.topics.by_name.get(MINE)
    assert (subscription is not None) in site.subscribed
    managed = {name for name in engine.queues.by_name if name.startswith(MANAGED)}
    assert managed == (set() if subscription is None else {subscription.destination})
    check_space(after.host)
    after.host.crash()
