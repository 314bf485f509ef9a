"""A batch that is larger than a unit of work may be: every message is put once, wherever it was cut short."""

from collections.abc import Callable, Iterator

import pyarrow as pa
import pytest

pytest.importorskip("pyspark")

from pyspark.sql.datasource import WriterCommitMessage

from kew.analytics.queue import sink
from kew.analytics.queue.settings import Settings
from kew.analytics.queue.sink import StreamSink, collect
from kew.client.blocking import Connection
from kew.codes.errors import NoMessage
from kew.codes.options import MQOO_INPUT_SHARED
from kew.qmgr import manager
from kew.qmgr.manager import QueueManager

MOST = 12  # uncommitted messages: ten rows and the marker


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def host(data: str) -> Iterator[QueueManager]:
    manager.create("QM1", data=data)
    started = manager.start("QM1", data)
    started.mqsc("DEFINE QLOCAL(OUT)", f"ALTER QMGR MAXUMSGS({MOST})")
    try:
        yield started
    finally:
        started.stop()


@pytest.fixture
def settings(host: QueueManager, data: str, request: pytest.FixtureRequest) -> Settings:
    options = {"queueManager": "QM1", "queue": "OUT", "dataDirectory": data}
    return Settings({**options, "id": request.node.name})


def rows(texts: list[str]) -> list[WriterCommitMessage | None]:
    """The rows of two tasks."""
    half = len(texts) // 2
    made: list[WriterCommitMessage | None] = [
        collect(iter([pa.RecordBatch.from_pydict({"data": pa.array(part)})])) for part in (texts[:half], texts[half:])
    ]
    return made


def drain(host: QueueManager) -> list[str]:
    connection = host.connect("test")
    handle = connection.open("OUT", MQOO_INPUT_SHARED)
    found: list[str] = []
    try:
        while True:
            found.append(connection.get(handle).data.decode())
    except NoMessage:
        return found
    finally:
        connection.disconnect()


@pytest.mark.parametrize("count", [0, 1, 9, 10, 11, 20, 35])
def test_a_batch_of_any_size_is_put_once(count: int, host: QueueManager, settings: Settings) -> None:
    texts = [f"m{number:03d}" for number in range(count)]
    StreamSink(settings).commit(rows(texts), 0)
    StreamSink(settings).commit(rows(texts), 0)
    assert drain(host) == texts
    StreamSink(settings).commit(rows(["next"]), 1)
    assert drain(host) == ["next"]


class Cut(Exception):
    """The driver is gone."""


def cut_after(units: int, monkeypatch: pytest.MonkeyPatch) -> None:
    commit: Callable[[Connection], None] = Connection.commit
    left = [units]

    def committed(self: Connection) -> None:
        if not left[0]:
            raise Cut
        left[0] -= 1
        commit(self)

    monkeypatch.setattr(Connection, "commit", committed)


@pytest.mark.parametrize("units", range(5))
def test_a_batch_that_was_cut_short_goes_on_behind_what_is_there(
    units: int, host: QueueManager, settings: Settings
) -> None:
    texts = [f"m{number:03d}" for number in range(45)]
    with pytest.MonkeyPatch.context() as patched:
        cut_after(units, patched)
        with pytest.raises(Cut):
            StreamSink(settings).commit(rows(texts), 7)
    StreamSink(settings).commit(rows(texts), 7)
    assert drain(host) == texts


def test_rows_in_another_order_are_refused(host: QueueManager, settings: Settings) -> None:
    texts = [f"m{number:03d}" for number in range(45)]
    with pytest.MonkeyPatch.context() as patched:
        cut_after(2, patched)
        with pytest.raises(Cut):
            StreamSink(settings).commit(rows(texts), 0)
    with pytest.raises(ValueError, match=r"20 rows of batch 0 of .* were put, and the batch now comes with others"):
        StreamSink(settings).commit(rows(texts[::-1]), 0)
    with pytest.raises(ValueError, match="were put"):
        StreamSink(settings).commit(rows(texts[:15]), 0)
    StreamSink(settings).commit(rows(texts), 0)
    assert drain(host) == texts


def test_the_limit_is_the_queue_managers(host: QueueManager, settings: Settings) -> None:
    with settings.connect() as connection:
        assert sink.room_of_a_unit(connection) == MOST - sink.MARKED
