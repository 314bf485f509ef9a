"""Media images of a queue manager that runs: by page set or by queue, and a page set comes back from them."""

import threading
from pathlib import Path

import pytest

from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import backup, manager
from kew.qmgr.config import BufferPoolConfiguration, Configuration, LogConfiguration, PageSetConfiguration
from kew.qmgr.control.client import ControlClient
from kew.qmgr.control.images import ImageRefused
from kew.qmgr.manager import QueueManager


@pytest.fixture
def data(tmp_path: Path) -> str:
    configuration = Configuration(
        log=LogConfiguration(log_type="linear", file_pages=256),
        buffer_pools=(BufferPoolConfiguration(0, 200), BufferPoolConfiguration(1, 100)),
        page_sets=tuple([PageSetConfiguration(number, 64, buffer_pool=int(number > 0)) for number in range(3)]),
    )
    manager.create("QM1", configuration, str(tmp_path))
    return str(tmp_path)


def started(data: str) -> QueueManager:
    running = manager.start("QM1", data)
    running.mqsc("DEFINE STGCLASS(TWO) PSID(2) REPLACE", "DEFINE QLOCAL(Q) STGCLASS(TWO) REPLACE")
    return running


def put(running: QueueManager, bodies: list[bytes]) -> None:
    connection = running.connect()
    queue = connection.open("Q", MQOO_OUTPUT)
    for body in bodies:
        connection.put(queue, MessageDescriptor(persistence=1), body)
    connection.disconnect()


def test_the_page_sets_that_are_meant(data: str) -> None:
    with started(data) as running, ControlClient(running.places.root) as control:
        put(running, [b"a", b"b"])
        assert [number for number, _ in control.images([], [])] == [0, 1, 2]
        assert list(control.images([2], [])) == [(2, 3)]  # two messages and their directory
        assert list(control.images([], ["Q"])) == [(2, 3)]
        assert [number for number, _ in control.images([2, 0], ["Q"])] == [0, 2]


def test_what_is_not_there_is_refused_before_anything_is_recorded(data: str) -> None:
    with started(data) as running, ControlClient(running.places.root) as control:
        before = running.host.log.appended
        with pytest.raises(ImageRefused, match="queue manager QM1 has no page set 9"):
            list(control.images([0, 9], []))
        with pytest.raises(ImageRefused, match=r"queue manager QM1 has no local queue NO\.SUCH"):
            list(control.images([], ["NO.SUCH"]))
        assert running.host.log.appended == before


def test_a_page_set_comes_back_from_an_image_taken_under_load(data: str) -> None:
    bodies = [b"%d " % number * 500 for number in range(300)]
    running = started(data)
    path = Path(running.places.page_set(2))
    worker = threading.Thread(target=put, args=(running, bodies))
    worker.start()
    with ControlClient(running.places.root) as control:
        for _ in range(3):
            assert [number for number, _ in control.images([], [])] == [0, 1, 2]
    worker.join()
    running.stop()
    path.unlink()
    backup.recover_page_set("QM1", 2, data)
    with manager.start("QM1", data) as again:
        connection = again.connect()
        queue = connection.open("Q", MQOO_INPUT_SHARED)
        assert [connection.get(queue).data for _ in bodies] == bodies
