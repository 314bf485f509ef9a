"""A publication for a queue with STRMQOS(MUSTDUP) across a crash: it is on both queues, or on neither."""

from random import Random

import pytest
from tests.crash.test_streaming import COPIES, KEEPS, QUEUE, Site, beginning, body
from tests.support.audit import browse, check_space
from tests.support.simdisk import PowerLoss, SimDisk

from kew.codes.errors import MQError
from kew.codes.options import MQOO_INPUT_SHARED, MQPMO_SYNCPOINT, MQSO_CREATE, MQSO_DURABLE
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.subscribing.subscribe import SubscriptionRequest

TOPIC = "fruit/pear"


def subscribed() -> SimDisk:
    """Make the disk with which every case begins: two queues, of which one has a stream, subscribe to a topic."""
    site = Site(beginning())
    site.host.administration.define("QLOCAL", "OTHER", {})
    for name in (QUEUE, "OTHER"):
        handle = site.program.open(name, MQOO_INPUT_SHARED)
        request = SubscriptionRequest(MQSO_CREATE | MQSO_DURABLE, TOPIC, "", f"FOR.{name}")
        site.program.subscribe(request, handle)
    site.host.checkpointer.take()
    site.host.crash()
    return site.disk.crash(keep="all")


@pytest.mark.parametrize("size", [600, 9000])
@pytest.mark.parametrize("unit", [False, True], ids=["alone", "in a unit"])
def test_a_publication_and_its_copy(size: int, unit: bool) -> None:
    start = subscribed()
    stop, lost = 1, True
    while lost:
        site = Site(start.copy())
        site.disk.stop_after(stop)
        data = body(stop, size)
        try:
            descriptor = MessageDescriptor(persistence=1)
            site.program.publish("", TOPIC, descriptor, data, MQPMO_SYNCPOINT if unit else 0)
            if unit:
                site.program.commit()
            lost = False
        except (PowerLoss, MQError):
            lost = site.disk.lost
            assert lost
        for keep, seed in KEEPS:
            after = Site(site.disk.crash(Random(seed), keep))
            found = [[each.body for each in browse(after.program, name)] for name in (QUEUE, COPIES, "OTHER")]
            assert found in ([[data]] * 3, [[]] * 3)
            assert lost or found[0] == [data]
            check_space(after.host)
        stop += 1
    assert stop > 2
