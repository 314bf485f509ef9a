"""A new queue manager has the objects that MQ's have, and heeds its own attributes."""

from pathlib import Path

import pytest

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_HANDLE_NOT_AVAILABLE, MQRC_STORAGE_CLASS_ERROR
from kew.mqi.local.connection import LocalConnection
from kew.objects import defaults
from kew.objects.administration import key_of
from kew.objects.definition import Definition
from kew.qmgr import manager
from kew.qmgr.config import BufferPoolConfiguration, Configuration, LogConfiguration, PageSetConfiguration
from kew.qmgr.manager import QueueManager

SMALL = Configuration(
    log=LogConfiguration(file_pages=64, primary_files=3),
    buffer_pools=(BufferPoolConfiguration(0, 200), BufferPoolConfiguration(1, 200)),
    page_sets=(
        PageSetConfiguration(0, 512, buffer_pool=0),
        PageSetConfiguration(1, 64, buffer_pool=1),
        PageSetConfiguration(2, 64, buffer_pool=1),
    ),
)


@pytest.fixture
def data(tmp_path: Path) -> str:
    manager.create("QM1", SMALL, str(tmp_path))
    return str(tmp_path)


def started(data: str, developer: bool = False) -> QueueManager:
    return manager.start("QM1", data, developer=developer)


def keys(running: QueueManager) -> set[tuple[str, str]]:
    return set(running.host.catalogue.records)


def test_the_first_start_makes_the_system_objects_and_the_next_keeps_them(data: str) -> None:
    with started(data) as running:
        expected = {key_of(each) for each in defaults.system_objects() if each.kind.family not in ("PSID", "BUFFPOOL")}
        assert keys(running) == expected | {("QMGR", "QM1")}
        queue = running.host.queues.by_name["SYSTEM.CHANNEL.SYNCQ"]
        assert (queue.max_depth, queue.store.index_type, queue.default_persistence) == (999999999, 1, 1)
        identifier = running.host.catalogue.records["QMGR", "QM1"].values["QMID"]
        assert str(identifier).startswith("QM1_")
    with started(data) as running:
        assert running.host.catalogue.records["QMGR", "QM1"].values["QMID"] == identifier
        assert keys(running) == expected | {("QMGR", "QM1")}


def test_developers_get_their_objects_and_keep_what_they_changed(data: str) -> None:
    with started(data, developer=True) as running:
        assert ("QUEUE", "DEV.QUEUE.1") in keys(running)
        assert running.host.catalogue.records["QMGR", "QM1"].values["DEADQ"] == "DEV.DEAD.LETTER.QUEUE"
        running.host.administration.alter("DEV.QUEUE.1", {"MAXDEPTH": 3})
    with started(data, developer=True) as running:
        assert running.host.queues.by_name["DEV.QUEUE.1"].max_depth == 3


def test_storage_classes_decide_the_page_set(data: str) -> None:
    with started(data) as running:
        host = running.host
        host.log.force(host.objects.place(Definition.of("STGCLASS", "FAST", {"PSID": "2"})))
        host.administration.define("QLOCAL", "Q", {"STGCLASS": "FAST"})
        with pytest.raises(MQError) as refused:
            host.administration.define("QLOCAL", "R", {"STGCLASS": "NONE"})
        assert refused.value.reason == MQRC_STORAGE_CLASS_ERROR
        assert host.queues.by_name["Q"].store.page_set.id == 2
        assert host.queues.by_name["SYSTEM.DEFAULT.LOCAL.QUEUE"].store.page_set.id == 1
    with started(data) as running:
        assert running.host.queues.by_name["Q"].store.page_set.id == 2


def test_the_queue_managers_attributes_are_heeded(data: str) -> None:
    with started(data) as running:
        host = running.host
        record = host.objects.find("QMGR", "QM1")
        assert record is not None
        host.objects.change(record, {"MAXHANDS": 1, "MAXUMSGS": 5, "MAXMSGL": 40000})
        host.apply_definition()
        assert (host.engine.max_message_length, host.engine.max_uncommitted) == (40000, 5)
        connection: LocalConnection = host.connect()
        connection.open("SYSTEM.DEFAULT.LOCAL.QUEUE", 16)
        with pytest.raises(MQError) as refused:
            connection.open("SYSTEM.DEFAULT.LOCAL.QUEUE", 16)
        assert refused.value.reason == MQRC_HANDLE_NOT_AVAILABLE
        assert host.queues.by_name["SYSTEM.DEFAULT.LOCAL.QUEUE"].output_handles == 1
