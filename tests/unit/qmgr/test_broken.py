"""A log that can no longer be written ends the work: nothing is acknowledged, and a restart finds what was."""

import errno
import threading

import pytest
from tests.support.engines import open_engine
from tests.support.simdisk import SimDisk

from kew.codes.errors import Broken, MQError
from kew.codes.options import MQGMO_WAIT, MQOO_INPUT_SHARED, MQOO_OUTPUT, MQWI_UNLIMITED
from kew.codes.reasons import MQRC_CONNECTION_BROKEN, MQRC_Q_MGR_STOPPING
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr.assemble import Host
from kew.qmgr.files import Places
from kew.qmgr.storageparts import EngineSettings, create_engine
from kew.storage.log import LogSettings, NoNotices

PLACES = Places("/qm")
SETTINGS = EngineSettings(log=LogSettings(file_pages=64), pools={0: 100, 1: 100})


@pytest.fixture
def disk() -> SimDisk:
    disk = SimDisk()
    create_engine(disk, "QM", PLACES, SETTINGS)
    return disk


def started(disk: SimDisk, threads: bool = False) -> Host:
    return open_engine(disk, "QM", PLACES, SETTINGS, NoNotices(), threads)


def test_a_put_whose_sync_fails_is_not_acknowledged_and_nothing_is_from_then_on(disk: SimDisk) -> None:
    host = started(disk)
    host.administration.define("QLOCAL", "Q", {})
    told: list[BaseException] = []
    host.on_broken.append(told.append)
    connection = host.connect()
    queue = connection.open("Q", MQOO_OUTPUT | MQOO_INPUT_SHARED)
    connection.put(queue, MessageDescriptor(persistence=1), b"kept")
    disk.fail_sync(1)
    with pytest.raises(Broken) as refused:
        connection.put(queue, MessageDescriptor(persistence=1), b"refused")
    assert refused.value.reason == MQRC_CONNECTION_BROKEN
    assert len(told) == 1
    with pytest.raises(Broken):
        connection.get(queue)
    host.stop()
    host = started(disk)
    connection = host.connect()
    queue = connection.open("Q", MQOO_INPUT_SHARED)
    assert connection.get(queue).data == b"kept"
    host.stop()


@pytest.mark.parametrize("broken", [True, False], ids=["the log breaks", "the queue manager stops"])
def test_waiting_gets_hear_of_the_end(disk: SimDisk, broken: bool) -> None:
    host = started(disk, threads=True)
    host.administration.define("QLOCAL", "Q", {})
    heard: list[int] = []

    def wait() -> None:
        connection = host.connect()
        queue = connection.open("Q", MQOO_INPUT_SHARED)
        try:
            connection.get(queue, MQGMO_WAIT, MQWI_UNLIMITED)
        except MQError as error:
            heard.append(error.reason)

    thread = threading.Thread(target=wait)
    thread.start()
    queue = host.queues.by_name["Q"]
    while not queue.waiters.count:
        thread.join(0.001)
    if broken:
        host.log.fail(OSError(errno.EIO, "gone"))
    host.stop()
    thread.join(60)
    assert heard == [MQRC_CONNECTION_BROKEN if broken else MQRC_Q_MGR_STOPPING]
