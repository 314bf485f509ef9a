"""Delayed delivery: messages wait on the staging queue, survive what comes, and arrive when they are due."""

import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.crash.scenarios import KEEPS
from tests.support.engines import open_engine
from tests.support.simdisk import PowerLoss, SimDisk
from tests.support.world import NAME, PLACES, Told, create, small

from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQENC_NATIVE,
    MQGMO_WAIT,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQPER_PERSISTENT,
    MQPMO_NOT_OWN_SUBS,
    MQPMO_RETAIN,
    MQPMO_SYNCPOINT,
    MQSO_CREATE,
)
from kew.codes.reasons import MQRC_EXPIRY_ERROR, MQRC_OPTIONS_ERROR, MQRC_RFH_ERROR, MQRC_UNKNOWN_OBJECT_NAME
from kew.commands.actions.script import Script
from kew.formats import mqdlh
from kew.formats.binary import FormatError
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqrfh2 import RulesHeader, encode
from kew.formats.properties import RFH2_FORMAT
from kew.mqi.delivery.delay import QUEUE, unwrap
from kew.mqi.engine import Clock
from kew.mqi.local.connection import LocalConnection
from kew.mqi.subscribing.subscribe import SubscriptionRequest
from kew.qmgr import manager
from kew.qmgr.assemble import Host
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.workers.delays import LONGEST
from kew.topics import retained

SETTINGS = small(primary=2, secondary=2)


def started(disk: SimDisk, threads: bool = False, ahead: float = 0.0) -> Host:
    host = open_engine(disk, NAME, PLACES, SETTINGS, Told(), threads=threads)
    host.engine.clock = Clock(lambda: time.time() + ahead)
    return host


def furnished(disk: SimDisk) -> SimDisk:
    host = started(disk)
    for name in ("Q", QUEUE):
        host.administration.define("QLOCAL", name, {"MAXDEPTH": 100})
    host.crash()
    return disk.crash(keep="all")


@pytest.fixture
def disk() -> SimDisk:
    return furnished(create(SETTINGS))


def message(folder: str, data: bytes = b"data") -> bytes:
    return encode(RulesHeader(MQENC_NATIVE, 1208, b"MQSTR   ", folders=[folder])) + data


def put(connection: LocalConnection, delay: int, data: bytes = b"data", options: int = 0, **fields: int) -> None:
    handle = connection.open("Q", MQOO_OUTPUT)
    descriptor = MessageDescriptor(format=RFH2_FORMAT, persistence=MQPER_PERSISTENT, **fields)  # type: ignore[arg-type]
    body = message(f"<usr><KewDeliveryDelay dt='i8'>{delay}</KewDeliveryDelay></usr>", data)
    connection.put(handle, descriptor, body, options)
    connection.close(handle)


def taken(connection: LocalConnection, queue: str = "Q") -> list[bytes]:
    handle = connection.open(queue, MQOO_INPUT_SHARED)
    found = []
    while True:
        try:
            found.append(connection.get(handle).data[-4:])
        except NoMessage:
            connection.close(handle)
            return found


def depths(host: Host) -> tuple[int, int]:
    return host.queues.by_name[QUEUE].depth, host.queues.by_name["Q"].depth


@pytest.mark.parametrize("folder", ["<jms><Dly>400</Dly></jms>", "<usr><KewDeliveryDelay>400</KewDeliveryDelay></usr>"])
def test_a_message_arrives_when_it_is_due_and_not_before(disk: SimDisk, folder: str) -> None:
    host = started(disk, threads=True)
    connection = host.connect("program")
    handle = connection.open("Q", MQOO_OUTPUT | MQOO_INPUT_SHARED)
    before = time.time()  # the clock by which messages are due
    descriptor = MessageDescriptor(format=RFH2_FORMAT, correlation_id=b"c" * 24, priority=7)
    connection.put(handle, descriptor, message(folder))
    got = connection.get(handle, MQGMO_WAIT, 60000)
    assert time.time() - before >= 0.4
    assert got.data == message(folder)
    assert got.descriptor.message_id == descriptor.message_id
    assert (got.descriptor.correlation_id, got.descriptor.priority) == (b"c" * 24, 7)
    assert got.descriptor.put_time == descriptor.put_time
    host.stop()


def test_order_is_by_time_and_browsing_leaves_them_alone(disk: SimDisk) -> None:
    host = started(disk)
    host.engine.clock = Clock(lambda: 1_800_000_000.0)
    connection = host.connect("program")
    for delay, data in ((3000, b"last"), (1000, b"1st."), (2000, b"2nd.")):
        put(connection, delay, data)
    put(connection, 0, b"now.")
    browse = connection.open(QUEUE, MQOO_BROWSE)
    assert connection.get(browse, 16).length > 0
    assert host.delays.deliver_due() == 1.0
    host.engine.clock = Clock(lambda: 1_800_000_010.0)
    host.delays.deliver_due()
    assert taken(connection) == [b"now.", b"1st.", b"2nd.", b"last"]
    assert host.delays.deliver_due() is None


def test_a_unit_decides_about_delayed_messages_too(disk: SimDisk) -> None:
    host = started(disk)
    connection = host.connect("program")
    put(connection, 1, options=MQPMO_SYNCPOINT)
    host.engine.clock = Clock(lambda: time.time() + 10)
    host.delays.deliver_due()
    assert depths(host) == (1, 0)
    connection.backout()
    assert depths(host) == (0, 0)
    put(connection, 1, options=MQPMO_SYNCPOINT)
    connection.commit()
    host.engine.clock = Clock(lambda: time.time() + 20)
    host.delays.deliver_due()
    assert depths(host) == (0, 1)


def test_a_life_shorter_than_the_delay_and_bad_delays_are_refused(disk: SimDisk) -> None:
    host = started(disk)
    host.engine.clock = Clock(lambda: 1_800_000_000.0)
    connection = host.connect("program")
    with pytest.raises(MQError) as refused:
        put(connection, 1000, expiry=10)
    assert refused.value.reason == MQRC_EXPIRY_ERROR
    put(connection, 1000, expiry=11)
    handle = connection.open("Q", MQOO_OUTPUT)
    for value in ("soon", "-5", "9999999999999"):
        body = message(f"<usr><KewDeliveryDelay>{value}</KewDeliveryDelay></usr>")
        with pytest.raises(MQError) as refused:
            connection.put(handle, MessageDescriptor(format=RFH2_FORMAT), body)
        assert refused.value.reason == MQRC_RFH_ERROR
    assert depths(host) == (1, 0)


def test_what_its_queue_does_not_take_is_a_dead_letter_or_stays(disk: SimDisk) -> None:
    host = started(disk)
    connection = host.connect("program")
    put(connection, 1)
    host.administration.alter("Q", {"MAXDEPTH": 0})
    host.engine.clock = Clock(lambda: time.time() + 10)
    host.delays.deliver_due()
    assert depths(host) == (1, 0)
    told = host.notices
    assert isinstance(told, Told)
    assert "CSQM913W" in told.ids()
    host.administration.alter("Q", {"MAXDEPTH": 5})
    host.delays.deliver_due()
    assert depths(host) == (0, 1)


def test_a_dead_letter_says_where_it_should_have_gone(tmp_path: Path) -> None:
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)), str(tmp_path))
    with manager.start("QM1", str(tmp_path)) as running:
        host = running.host
        for name in ("Q", "DEAD"):
            host.administration.define("QLOCAL", name, {})
        list(Script(host.commands).run(["ALTER QMGR DEADQ(DEAD)"]))
        connection = running.connect()
        put(connection, 60_000)
        host.administration.delete("Q")
        host.engine.clock = Clock(lambda: time.time() + 120)
        host.delays.deliver_due()
        handle = connection.open("DEAD", MQOO_INPUT_SHARED)
        got = connection.get(handle, MQGMO_WAIT, 60000)
        header = mqdlh.decode(got.data)
        assert (header.reason, header.destination_queue.rstrip()) == (MQRC_UNKNOWN_OBJECT_NAME, b"Q")
        assert header.format == RFH2_FORMAT
        assert got.data.endswith(b"data")
        connection.disconnect()


def short(connection: LocalConnection) -> None:
    put(connection, 5000)


def long(connection: LocalConnection) -> None:
    put(connection, 5000, bytes(9000) + b"data")


@pytest.mark.parametrize("act", [short, long])
def test_power_lost_anywhere_while_putting_or_delivering(disk: SimDisk, act: Callable[[LocalConnection], None]) -> None:
    """After every stop the message is on one of the two queues, if its put was acknowledged; never on both."""
    for delivering in (False, True):
        stop, lost = 1, True
        while lost:
            host = started(disk.copy())
            here = host.disk
            assert isinstance(here, SimDisk)
            connection = host.connect("program")
            try:
                if not delivering:
                    here.stop_after(stop)
                act(connection)
                if delivering:
                    here.stop_after(stop)
                    host.engine.clock = Clock(lambda: time.time() + 10)
                    host.delays.deliver_due()
                lost = False
            except PowerLoss:
                pass
            for keep, seed in KEEPS:
                after = started(here.crash(Random(seed), keep), ahead=10)
                staged, there = depths(after)
                assert staged + there == 1 or (staged + there == 0 and lost and not delivering)
                after.delays.deliver_due()
                assert taken(after.connect("afterwards")) == [b"data"] * (staged + there)
            stop += 1
        assert stop > 2


def test_a_fraction_of_a_millisecond_is_not_taken_off(disk: SimDisk) -> None:
    host = started(disk)
    connection = host.connect("program")
    host.engine.clock = Clock(lambda: 1_800_000_000.0007)
    put(connection, 400)
    host.engine.clock = Clock(lambda: 1_800_000_000.4005)
    host.delays.deliver_due()
    assert depths(host) == (1, 0)
    host.engine.clock = Clock(lambda: 1_800_000_000.4011)
    host.delays.deliver_due()
    assert depths(host) == (0, 1)


def test_a_clock_that_is_set_is_looked_at_within_a_minute(disk: SimDisk) -> None:
    host = started(disk)
    connection = host.connect("program")
    host.engine.clock = Clock(lambda: 1_800_000_000.0)
    put(connection, 3_600_000)
    assert host.delays.deliver_due() == LONGEST == 60.0
    host.engine.clock = Clock(lambda: 1_800_000_000.0 - 7200)  # back: it waits longer
    assert host.delays.deliver_due() == LONGEST
    assert depths(host) == (1, 0)
    host.engine.clock = Clock(lambda: 1_800_000_000.0 + 3600)  # forward: it is due
    host.delays.deliver_due()
    assert depths(host) == (0, 1)


# -- publications ------------------------------------------------------------------------------------------------------


def publish(connection: LocalConnection, delay: int, options: int = 0) -> None:
    descriptor = MessageDescriptor(format=RFH2_FORMAT, persistence=MQPER_PERSISTENT)
    body = message(f"<usr><KewDeliveryDelay dt='i8'>{delay}</KewDeliveryDelay></usr>")
    connection.publish("", "fruit/pear", descriptor, body, options)


def subscribed(host: Host, connection: LocalConnection, name: str) -> None:
    host.administration.define("QLOCAL", name, {"MAXDEPTH": 100})
    queue = connection.open(name, MQOO_OUTPUT | MQOO_INPUT_SHARED)
    connection.subscribe(SubscriptionRequest(MQSO_CREATE, "fruit/#"), queue)


def test_a_publication_goes_to_those_who_subscribe_when_it_is_due(disk: SimDisk) -> None:
    host = started(disk)
    connection = host.connect("program")
    subscribed(host, connection, "EARLY")
    publish(connection, 1000)
    subscribed(host, connection, "LATER")
    host.delays.deliver_due()
    assert (taken(connection, "EARLY"), taken(connection, "LATER")) == ([], [])
    host.engine.clock = Clock(lambda: time.time() + 10)
    host.delays.deliver_due()
    assert (taken(connection, "EARLY"), taken(connection, "LATER")) == ([b"data"], [b"data"])
    assert host.queues.by_name[QUEUE].depth == 0


def test_a_delayed_publication_is_retained_when_it_is_due(disk: SimDisk) -> None:
    host = started(disk)
    host.administration.define("QLOCAL", retained.QUEUE, {"MAXDEPTH": 100})
    connection = host.connect("program")
    publish(connection, 1000, MQPMO_RETAIN)
    assert host.queues.by_name[retained.QUEUE].depth == 0
    host.engine.clock = Clock(lambda: time.time() + 10)
    host.delays.deliver_due()
    assert host.queues.by_name[retained.QUEUE].depth == 1
    subscribed(host, connection, "AFTERWARDS")
    assert taken(connection, "AFTERWARDS") == [b"data"]


def test_a_delayed_publication_goes_with_its_unit(disk: SimDisk) -> None:
    host = started(disk)
    connection = host.connect("program")
    subscribed(host, connection, "SUB")
    publish(connection, 1, MQPMO_SYNCPOINT)
    connection.backout()
    publish(connection, 1, MQPMO_SYNCPOINT)
    connection.commit()
    host.engine.clock = Clock(lambda: time.time() + 10)
    host.delays.deliver_due()
    assert taken(connection, "SUB") == [b"data"]


def test_whose_subscriptions_they_are_is_not_known_when_it_is_due(disk: SimDisk) -> None:
    connection = started(disk).connect("program")
    with pytest.raises(MQError) as refused:
        publish(connection, 1, MQPMO_NOT_OWN_SUBS)
    assert refused.value.reason == MQRC_OPTIONS_ERROR


def test_what_is_no_staged_message_is_told_apart() -> None:
    for data in (b"", b"DLY " + bytes(500), b"DLY \2\0\0\0" + bytes(56) + b"\xff" * 12 + bytes(400)):
        with pytest.raises(FormatError):
            unwrap(data)
