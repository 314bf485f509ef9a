"""A power loss between a command of queued publish/subscribe and the commit of its unit leaves the command alone."""

import pytest
from tests.support.hosting import Notes, after_power_loss, create, small
from tests.support.queued import CONTROL, STREAM, first
from tests.support.simdisk import SimDisk

from kew.codes.options import MQGMO_SYNCPOINT, MQMT_REQUEST, MQOO_INPUT_SHARED, MQOO_SAVE_ALL_CONTEXT, MQPER_PERSISTENT
from kew.commands.actions.script import Script
from kew.commands.queued.interface import Broker
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.local.connection import LocalConnection
from kew.qmgr.assemble import Host

QUEUES = (CONTROL, STREAM, "SUBSCRIBER", "REPLIES")


def attended(host: Host, queue: str, text: str) -> LocalConnection:
    """Have a persistent command carried out and answered, and not yet committed."""
    connection = host.connect("program")
    descriptor = MessageDescriptor(format=b"MQHRF   ", ccsid=1208, message_type=MQMT_REQUEST)
    descriptor.persistence = MQPER_PERSISTENT
    descriptor.reply_to_queue = b"REPLIES"
    connection.put1(queue, descriptor, first(text, b"body"))
    handle = connection.open(queue, MQOO_INPUT_SHARED | MQOO_SAVE_ALL_CONTEXT)
    got = connection.get(handle, MQGMO_SYNCPOINT)
    Broker(host.engine, host.connect, Notes(), queue).attend(connection, handle, got)
    return connection


def depths(host: Host) -> list[int]:
    return [host.queues.by_name[name].depth for name in QUEUES]


@pytest.mark.parametrize("commits", [False, True])
def test_publishing_and_registering(commits: bool) -> None:
    disk, settings = SimDisk(), small(log_pages=256)
    host = create(disk, settings)
    script = Script(host.commands)
    list(script.run([f"DEFINE QLOCAL({name}) DEFPSIST(YES)" for name in QUEUES]))
    assert script.counts.failed == 0
    register = "MQPSCommand RegSub MQPSQName SUBSCRIBER MQPSTopic t"
    attended(host, CONTROL, register).commit()
    connection = attended(host, STREAM, "MQPSCommand Publish MQPSTopic t")
    if commits:
        connection.commit()
    again = after_power_loss(disk, settings)
    assert depths(again) == ([0, 0, 1, 2] if commits else [0, 1, 0, 1])
    assert len(again.engine.topics.registered) == 1
    attended(again, CONTROL, register)  # a registration that was made before its command was committed
    assert isinstance(again.disk, SimDisk)
    last = after_power_loss(again.disk, settings)
    assert len(last.engine.topics.registered) == 1
    assert depths(last)[0] == 1
    last.crash()
    again.crash()
    host.crash()
