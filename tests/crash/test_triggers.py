"""No trigger is lost: puts on queues with TRIGGER, stopped at every write and sync, restarted and looked at."""

from collections.abc import Callable
from random import Random

import pytest
from tests.crash.scenarios import KEEPS
from tests.support.engines import open_engine
from tests.support.simdisk import PowerLoss, SimDisk
from tests.support.world import NAME, PLACES, Told, create, small

from kew.codes.attributes import MQTC_ON, MQTT_EVERY, MQTT_FIRST
from kew.codes.errors import NoMessage
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT, MQPER_PERSISTENT, MQPMO_SYNCPOINT
from kew.formats.mqmd import MessageDescriptor
from kew.formats.mqtm import decode
from kew.mqi.local.connection import LocalConnection
from kew.objects.catalogue import AttributeValue, Record
from kew.objects.schema import object_type
from kew.qmgr.assemble import Host

SETTINGS = small(primary=2, secondary=2)


def started(disk: SimDisk) -> Host:
    return open_engine(disk, NAME, PLACES, SETTINGS, Told(), threads=False)


def beginning(kind: int) -> SimDisk:
    """A queue that triggers, an initiation queue whose messages last, and a process."""
    disk = create(SETTINGS)
    host = started(disk)
    process = {**object_type("PROCESS").defaults, "APPLICID": "serve"}
    host.administration.install([], [Record("PROCESS", "PROCESS", "P", 0, process)])
    host.administration.define("QLOCAL", "INIT", {"DEFPSIST": MQPER_PERSISTENT})
    values: dict[str, AttributeValue] = {"TRIGGER": MQTC_ON, "TRIGTYPE": kind, "INITQ": "INIT", "PROCESS": "P"}
    host.administration.define("QLOCAL", "Q", values)
    host.crash()
    return disk.crash(keep="all")


def put(connection: LocalConnection, size: int, options: int) -> None:
    handle = connection.open("Q", MQOO_OUTPUT)
    connection.put(handle, MessageDescriptor(persistence=MQPER_PERSISTENT), bytes(size), options)
    connection.close(handle)


def short(connection: LocalConnection) -> None:
    put(connection, 100, 0)


def long(connection: LocalConnection) -> None:
    put(connection, 9000, 0)


def unit(connection: LocalConnection) -> None:
    put(connection, 100, MQPMO_SYNCPOINT)
    put(connection, 9000, MQPMO_SYNCPOINT)
    connection.commit()


def taken(connection: LocalConnection, queue: str) -> list[bytes]:
    handle = connection.open(queue, MQOO_INPUT_SHARED)
    found = []
    while True:
        try:
            found.append(connection.get(handle).data)
        except NoMessage:
            connection.close(handle)
            return found


@pytest.mark.parametrize("act", [short, long, unit])
@pytest.mark.parametrize("kind", [MQTT_EVERY, MQTT_FIRST])
def test_a_message_and_its_trigger_are_both_there_or_neither(kind: int, act: Callable[[LocalConnection], None]) -> None:
    first = beginning(kind)
    stop = 1
    lost = True
    while lost:
        host = started(first.copy())
        disk = host.disk
        assert isinstance(disk, SimDisk)
        monitor = host.connect("monitor")
        monitor.open("INIT", MQOO_INPUT_SHARED)
        disk.stop_after(stop)
        try:
            act(host.connect("program"))
            lost = False
        except PowerLoss:
            pass
        for keep, seed in KEEPS:
            after = started(disk.crash(Random(seed), keep))
            program = after.connect("afterwards")
            triggers = taken(program, "INIT")
            messages = taken(program, "Q")
            assert lost or len(messages) == (2 if act is unit else 1)
            wanted = len(messages) if kind == MQTT_EVERY else min(len(messages), 1)
            assert len(triggers) == wanted
            assert all(decode(data).queue.rstrip() == b"Q" for data in triggers)
        stop += 1
    assert stop > 2


def test_what_a_second_look_found_is_found_again_after_a_crash() -> None:
    host = started(beginning(MQTT_FIRST))
    short(host.connect("program"))  # nobody has the initiation queue open
    host.connect("monitor").open("INIT", MQOO_INPUT_SHARED)
    assert list(host.queues.triggers.due)  # and the crash comes before it is put
    disk = host.disk
    assert isinstance(disk, SimDisk)
    after = started(disk.crash(keep="none"))
    monitor = after.connect("monitor")
    handle = monitor.open("INIT", MQOO_INPUT_SHARED)
    after.trigger_writer.write_pending()
    assert decode(monitor.get(handle).data).process.rstrip() == b"P"
