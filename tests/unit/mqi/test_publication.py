"""A publication to very many goes in steps, and what cannot be put takes the rest back."""

import pytest
from tests.support.hosting import DEEP, create, lasting, passing, small
from tests.support.simdisk import SimDisk

from kew.codes.errors import MQError
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPMO_SYNCPOINT
from kew.codes.reasons import MQRC_PUBLICATION_FAILURE
from kew.mqi import put as putting
from kew.mqi.local import LocalConnection
from kew.mqi.longput import LongPut
from kew.objects.definition import Definition
from kew.qmgr.assemble import Host
from kew.storage.pages.pageset import EXPAND_NONE
from kew.topics.subscription import Subscription

MANY = 1000


def subscribe(host: Host, queue: str, count: int, durable: bool = False) -> None:
    for _ in range(count):
        subscription = Subscription(host.engine.ids.next(), "", "t")
        subscription.destination = queue
        subscription.durable = durable
        host.engine.topics.add(subscription)


def deep(host: Host, *names: str) -> LocalConnection:
    for name in names:
        host.administration.define("QLOCAL", name, DEEP)
    return host.connect()


@pytest.mark.parametrize("make", [lasting, passing])
def test_the_lock_is_let_go_between_the_copies_for_many(make: type) -> None:
    host = create(SimDisk(), small(pool=3000, pages=4000, log_pages=1024))
    connection = deep(host, "Q1")
    subscribe(host, "Q1", MANY)
    topic = connection.open_topic("", "t", MQOO_OUTPUT)
    with host.lock:
        publication = putting.put(connection.connection, topic, make(), b"x", 0, None)
    assert isinstance(publication, LongPut)
    assert 0 < host.queues.by_name["Q1"].depth < MANY
    connection.finish_put(publication)
    assert host.queues.by_name["Q1"].depth == MANY
    assert host.engine.topics.counters.copies == MANY
    assert not host.units.active


def test_what_ends_meanwhile_gets_nothing() -> None:
    host = create(SimDisk(), small(pool=3000, pages=4000))
    connection = deep(host, "Q1")
    subscribe(host, "Q1", MANY, durable=True)
    topic = connection.open_topic("", "t", MQOO_OUTPUT)
    with host.lock:
        publication = putting.put(connection.connection, topic, passing(), b"x", 0, None)
        last = list(host.engine.topics.by_id.values())[-1]
        host.engine.topics.remove(last)
    assert isinstance(publication, LongPut)
    connection.finish_put(publication)
    assert host.queues.by_name["Q1"].depth == MANY - 1


@pytest.mark.parametrize("size", [10, 9000])
@pytest.mark.parametrize("options", [0, MQPMO_SYNCPOINT])
def test_no_room_for_the_last_copy_takes_the_others_back(size: int, options: int) -> None:
    host = create(SimDisk(), small(pool=400, pages=100, expand=EXPAND_NONE, log_pages=256))
    definition = Definition.of("TOPIC", "T", {"TOPICSTR": "t", "PMSGDLV": "ALL", "USEDLQ": "NO"})
    host.objects.place(definition)
    connection = deep(host, "Q1", "OTHER")
    subscribe(host, "Q1", 200)
    other = connection.open("OTHER", MQOO_OUTPUT | MQOO_INPUT_SHARED)
    connection.put(other, lasting(), b"before", options)
    free = host.store.page_sets[1].space.available()
    with pytest.raises(MQError) as failed:
        connection.publish("", "t", lasting(), bytes(size), options)
    assert failed.value.reason == MQRC_PUBLICATION_FAILURE
    assert host.queues.by_name["Q1"].depth == 0
    host.log.force(host.log.next_address)
    assert host.store.page_sets[1].space.available() >= free - 1  # an empty directory may stay
    connection.put(other, lasting(), b"after", options)
    connection.commit()
    assert [connection.get(other).data for _ in range(2)] == [b"before", b"after"]
    assert not host.units.active
