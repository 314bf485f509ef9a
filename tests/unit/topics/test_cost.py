"""What a publication touches depends on what it finds, and opening a topic on nothing that subscribes."""

from tests.support.hosting import create, small
from tests.support.simdisk import SimDisk

from kew.codes.options import MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.topics.index import SubscriptionIndex
from kew.topics.patterns import levels_of
from kew.topics.subscription import Subscription

MANY = 100_000


def test_a_publication_touches_only_what_it_finds() -> None:
    index: SubscriptionIndex[str] = SubscriptionIndex()
    topics = [f"price/{number % 100}/{number}" for number in range(MANY)]
    for topic in topics:
        index.add(topic, topic)
    index.add("price/7/#", "below")
    index.add("price/+/4207", "beside")
    assert sorted(index.match("price/7/4207")) == ["below", "beside", "price/7/4207"]
    assert len(index._reach(levels_of("price/7/4207"))) <= 4
    assert index.match("price/8/4207") == ["beside"]
    for topic in topics:
        index.remove(topic, topic)
    assert len(index) == 2
    assert sorted(index.match("price/7/4207")) == ["below", "beside"]


def test_a_put_tries_the_subscriptions_of_its_topic_alone() -> None:
    host = create(SimDisk(), small())
    connection = host.connect()
    space = host.engine.topics
    for number in range(MANY):
        space.add(Subscription(number.to_bytes(24, "big"), "", f"t/{number}"))
    handle = connection.open_topic("", "t/7", MQOO_OUTPUT)
    assert [publisher.found for publisher in space.publishers.values()] == [[]]  # the open has looked for nobody
    connection.put(handle, MessageDescriptor(), b"x")
    assert space.counters.failed == 1  # the one that wants it leads nowhere; no other was tried
    assert [[each.topic for each in publisher.found] for publisher in space.publishers.values()] == [["t/7"]]
    connection.close(handle)
    assert not space.publishers
