"""A publication to very many goes in steps, and what cannot be put takes the rest back."""

import contextlib

import pytest
from tests.support.hosting import DEEP, create, lasting, passing, small
from tests.support.simdisk import SimDisk

from kew.codes.attributes import MQPSPROP_NONE, MQQDT_PERMANENT_DYNAMIC
from kew.codes.errors import MQError
from kew.codes.options import (
    MQCO_DELETE,
    MQEI_UNLIMITED,
    MQGMO_PROPERTIES_FORCE_MQRFH2,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import MQRC_PUBLICATION_FAILURE
from kew.formats.properties import RFH2_FORMAT
from kew.mqi.delivery.longput import LongPut
from kew.mqi.gets.request import GetRequest
from kew.mqi.local.connection import LocalConnection
from kew.mqi.local.waiter import LocalWaiter
from kew.mqi.puts import put as putting
from kew.mqi.puts.request import PutRequest
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
        publication = putting.put(PutRequest(connection.connection, topic, make(), b"x", 0))
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
        publication = putting.put(PutRequest(connection.connection, topic, passing(), b"x", 0))
        last = list(host.engine.topics.by_id.values())[-1]
        host.engine.topics.remove(last)
    assert isinstance(publication, LongPut)
    connection.finish_put(publication)
    assert host.queues.by_name["Q1"].depth == MANY - 1


@pytest.mark.parametrize("make", [lasting, passing])
def test_a_queue_that_is_deleted_under_a_long_copy_gets_nothing(make: type) -> None:
    host = create(SimDisk(), small(pool=400, pages=400))
    connection, other = deep(host, "Q1"), host.connect()
    host.administration.define("QMODEL", "MODEL", {"DEFTYPE": MQQDT_PERMANENT_DYNAMIC})
    free = host.store.page_sets[1].space.free
    provided = other.open("MODEL", MQOO_INPUT_SHARED, "PERM")
    subscribe(host, "PERM", 1)
    topic = connection.open_topic("", "t", MQOO_OUTPUT)
    publication = host.engine.run(
        lambda: putting.put(PutRequest(connection.connection, topic, make(), bytes(300000), 0))
    )
    assert isinstance(publication, LongPut)
    found = provided.queue
    assert found is not None
    other.close(provided, MQCO_DELETE)
    with contextlib.suppress(MQError):
        connection.finish_put(publication)
    assert found.depth == 0
    host.administration.sweep()
    assert found.id not in host.queues.by_id
    host.log.force(host.log.next_address)
    assert host.store.page_sets[1].space.available() == free


@pytest.mark.parametrize("options", [0, MQPMO_SYNCPOINT])
def test_no_room_for_the_only_copy_of_one_who_may_miss_it(options: int) -> None:
    host = create(SimDisk(), small(pool=400, pages=100, expand=EXPAND_NONE, log_pages=256))
    connection = deep(host, "Q1")
    subscribe(host, "Q1", 1)
    connection.publish("", "t", lasting(), bytes(600000), options)
    connection.commit()
    assert host.queues.by_name["Q1"].depth == 0
    assert not host.units.active


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


def test_copies_of_one_publication_keep_what_is_their_own() -> None:
    host = create(SimDisk(), small(pool=400, pages=400))
    connection = deep(host, "Q1", "Q2", "Q3", "Q4", "Q5")
    host.administration.alter("Q3", {"CAPEXPRY": 50})
    made: list[Subscription] = []
    for number in range(1, 6):
        subscription = Subscription(host.engine.ids.next(), "", "t")
        subscription.destination = f"Q{number}"
        subscription.user_identifier = b"user%d       " % number
        subscription.accounting_token = bytes([number]) * 32
        subscription.identity_data = (b"data%d" % number).ljust(32)
        host.engine.topics.add(subscription)
        made.append(subscription)
    made[1].correlation_id = b"c" * 24
    made[1].priority = 7
    made[3].properties = MQPSPROP_NONE
    made[4].user_data = "mine"
    descriptor = lasting()
    descriptor.correlation_id = b"p" * 24
    descriptor.reply_to_queue = b"ANSWERS"
    connection.publish("", "t", descriptor, b"news")
    ids = {descriptor.message_id}
    for number in range(1, 6):
        queue = connection.open(f"Q{number}", MQOO_INPUT_SHARED)
        copy = connection.get(queue, options=MQGMO_PROPERTIES_FORCE_MQRFH2)
        ids.add(copy.descriptor.message_id)
        assert copy.descriptor.user_identifier == made[number - 1].user_identifier
        assert copy.descriptor.accounting_token == made[number - 1].accounting_token
        assert copy.descriptor.application_identity_data == made[number - 1].identity_data
        assert copy.descriptor.correlation_id == (b"c" * 24 if number == 2 else b"p" * 24)
        assert copy.descriptor.priority == (7 if number == 2 else 0)
        assert (copy.descriptor.expiry != MQEI_UNLIMITED) == (number == 3)
        assert copy.descriptor.format == (b" " * 8 if number == 4 else RFH2_FORMAT)
        assert (b"<Sud>mine</Sud>" in copy.data) == (number == 5)
        assert copy.descriptor.reply_to_queue.rstrip() == b"ANSWERS"
        assert copy.data.endswith(b"news")
    assert len(ids) == 6


def test_getters_that_wait_are_handed_copies_of_their_own() -> None:
    host = create(SimDisk(), small(pool=400, pages=400))
    publisher = deep(host, "Q1", "Q2", "Q3")
    waiters: list[LocalWaiter] = []
    for number in range(1, 4):
        subscription = Subscription(host.engine.ids.next(), "", "t")
        subscription.destination = f"Q{number}"
        subscription.correlation_id = bytes([number]) * 24
        host.engine.topics.add(subscription)
        getter = host.connect()
        queue = getter.open(f"Q{number}", MQOO_INPUT_SHARED)
        waiter = LocalWaiter(GetRequest(getter.connection, queue, 0, None, -1))
        host.queues.by_name[f"Q{number}"].waiters.add(waiter)
        waiters.append(waiter)
    publisher.publish("", "t", passing(), b"news")
    taken = [waiter.got for waiter in waiters]
    assert [got.descriptor.correlation_id[0] for got in taken if got is not None] == [1, 2, 3]
    assert len({got.descriptor.message_id for got in taken if got is not None}) == 3
    assert [got.data for got in taken if got is not None] == [b"news"] * 3
    assert [host.queues.by_name[f"Q{number}"].depth for number in range(1, 4)] == [0, 0, 0]
