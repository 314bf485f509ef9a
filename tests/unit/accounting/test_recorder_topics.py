"""Publications in statistics and accounting: one put, and a copy for each that gets it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.accounting.test_recorder import World, number, values

from kew.codes.errors import MQError
from kew.codes.options import MQOO_OUTPUT, MQSO_CREATE, MQSO_DURABLE, MQSO_MANAGED
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.subscribing.subscribe import SubscriptionRequest
from kew.qmgr import manager
from kew.qmgr.config import Configuration, SMFConfiguration


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    manager.create("QM1", Configuration(smf=SMFConfiguration(level="9.4.0", system="TEST")), str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as host:
        yield World(host, Path(host.places.smf))


def test_publications_are_counted(world: World) -> None:
    world.run("ALTER QMGR STRSTPEV(DISABLED) ACCTQ(ON)", "DEFINE TOPIC(OFF) TOPICSTR('off') PUB(DISABLED)")
    world.run("START TRACE(STAT) CLASS(1,2,3,5)", "START TRACE(ACCTG) CLASS(1,3)")
    connection = world.host.connect("publisher")
    subscriptions = [
        connection.subscribe(SubscriptionRequest(MQSO_CREATE | MQSO_MANAGED, "a/#")),
        connection.subscribe(SubscriptionRequest(MQSO_CREATE | MQSO_MANAGED, "a/b")),
    ]
    topic = connection.open_topic("", "a/b", MQOO_OUTPUT)
    for _ in range(3):
        connection.put(topic, MessageDescriptor(), bytes(100))
    connection.publish("", "nobody", MessageDescriptor(), bytes(100))
    with pytest.raises(MQError):
        connection.publish("", "off", MessageDescriptor(), bytes(100))
    for made in subscriptions:
        assert connection.get(made.queue).data == bytes(100)
    with pytest.raises(MQError):
        connection.request_publications(subscriptions[0].handle)
    connection.disconnect()
    world.host.stop()
    taken = values(world.smf, 115, 2, "QMST")
    assert sum(number(each, "QMSTPUBS") for each in taken) == 6
    assert sum(number(each, "QMSTSUB") for each in taken) == 2
    assert sum(number(each, "QMSTSUBR") for each in taken) == 1
    topics = values(world.smf, 115, 2, "QTST")
    assert sum(number(each, "QTSTSTOT") for each in topics) == 2
    assert sum(number(each, "QTSTTMSG") for each in topics) == 6
    assert sum(number(each, "QTSTPNOS") for each in topics) == 1
    assert max(number(each, "QTSTSPHW") for each in topics) == 2
    assert topics[0]["QTSTPTOT"] == [4, 0, 0]
    assert topics[0]["QTSTSHIG"] == [2, 0, 0]
    assert 0 < number(topics[0], "QTSTETHW") <= number(topics[0], "QTSTETTO")
    of_topics = [each for each in values(world.smf, 116, 1, "WQ") if number(each, "FLAGS") & 0x4000]
    assert [(number(each, "PUBLISHEDN"), number(each, "VALIDPUT")) for each in of_topics][:1] == [(6, 3)]


def test_subscriptions_that_come_and_go_are_counted(world: World) -> None:
    world.run("START TRACE(STAT) CLASS(1)", "DEFINE QLOCAL(NEWS)", "DEFINE SUB(KEPT) TOPICSTR('a') DEST(NEWS)")
    connection = world.host.connect("subscriber")
    for name in ("ONE", "TWO"):
        options = MQSO_CREATE | MQSO_MANAGED | MQSO_DURABLE
        made = connection.subscribe(SubscriptionRequest(options, "a/b", name=name))
        connection.close(made.handle)
    connection.disconnect()
    world.run("RESET QMGR TYPE(STATISTICS)", "DELETE SUB(TWO)")
    world.host.stop()
    first, second, *_ = values(world.smf, 115, 2, "QTST")
    assert (first["QTSTSTOT"], first["QTSTSDUR"]) == (2, 2)
    assert (first["QTSTSHIG"], first["QTSTSLOW"]) == ([2, 1, 0], [0, 0, 0])
    assert (second["QTSTSTOT"], second["QTSTSHIG"], second["QTSTSLOW"]) == (0, [2, 1, 0], [1, 1, 0])
