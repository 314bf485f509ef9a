"""What runs short is told to the operator, once and not for each call that meets it."""

import errno
from collections.abc import Sequence

import pytest
from tests.support.engines import open_engine
from tests.support.simdisk import SimDisk

from kew.codes.errors import MQError
from kew.codes.messages import MESSAGES, format_message
from kew.codes.options import MQOO_OUTPUT
from kew.codes.reasons import MQRC_PAGESET_FULL, MQRC_RESOURCE_PROBLEM
from kew.commands.actions.script import Script
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.shortages import Shortages
from kew.qmgr.assemble import Host
from kew.qmgr.files import Places
from kew.qmgr.pagesets import PageSetSettings
from kew.qmgr.storageparts import EngineSettings, create_engine
from kew.storage.buffers.pool import PoolFull
from kew.storage.disk import DiskError
from kew.storage.log import LogSettings
from kew.storage.pages.pageset import EXPAND_NONE, EXPAND_USER


class Told:
    """Keeps what the operator is told."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def tell(self, message_id: str, arith: Sequence[int] = (), comments: Sequence[str] = ()) -> None:
        """Keep a message."""
        assert message_id in MESSAGES
        message = format_message(message_id, arith, comments)
        assert "<" not in "".join(message), "an insert is missing"
        self.texts.append(f"{message_id}: {message.text}")

    def of(self, message_id: str) -> list[str]:
        """The messages of one number."""
        return [text for text in self.texts if text.startswith(message_id)]


def _host(told: Told, expand: int) -> Host:
    disk, places = SimDisk(), Places("/qm")
    settings = EngineSettings(
        log=LogSettings(file_pages=128, primary=4),
        pools={0: 200, 1: 400},
        page_sets={0: PageSetSettings(pool=0), 1: PageSetSettings(64, expand, 32, pool=1)},
    )
    create_engine(disk, "QM1", places, settings)
    host = open_engine(disk, "QM1", places, settings, told, threads=False)
    host.administration.define("QLOCAL", "Q", {})
    return host


def _fill(host: Host, messages: int) -> list[int]:
    connection = host.connect()
    queue = connection.open("Q", MQOO_OUTPUT)
    reasons: list[int] = []
    for _ in range(messages):
        try:
            connection.put(queue, MessageDescriptor(persistence=0), b"x" * 1000)
        except MQError as error:
            reasons.append(error.reason)
    return reasons


def test_the_reason_of_a_full_log_names_the_archive_that_takes_nothing() -> None:
    disk, places = SimDisk(), Places("/qm")
    settings = EngineSettings(
        log=LogSettings(file_pages=64, primary=2, secondary=1, log_type="linear"),
        pools={0: 200, 1: 2000},
        page_sets={0: PageSetSettings(pool=0), 1: PageSetSettings(4096, pool=1)},
    )
    create_engine(disk, "QM1", places, settings)
    host = open_engine(disk, "QM1", places, settings, Told(), threads=False)
    host.administration.define("QLOCAL", "Q", {})

    def full(operation: str, path: str, length: int) -> None:
        if operation in ("write", "allocate") and path.endswith(".LOG.NEW"):  # an archive, or one more log file
            raise DiskError(path, operation, errno.ENOSPC)

    disk.delay = full
    connection = host.connect()
    queue = connection.open("Q", MQOO_OUTPUT)

    def put_many(count: int) -> None:
        for _ in range(count):
            connection.put(queue, MessageDescriptor(persistence=1), bytes(2000))

    with pytest.raises(MQError) as error:
        put_many(2000)
    assert error.value.reason == MQRC_RESOURCE_PROBLEM
    assert "the archive /qm/log/archive takes no log file: No space left on device" in str(error.value)
    disk.delay = None
    host.log.maintain()
    put_many(100)
    host.crash()


def test_a_page_set_that_is_full_is_told_once() -> None:
    told = Told()
    host = _host(told, EXPAND_NONE)
    reasons = _fill(host, 100)
    assert len(reasons) > 1
    assert set(reasons) == {MQRC_PAGESET_FULL}
    assert told.of("CSQP016E") == ["CSQP016E: Page set 1 is full: all 64 pages are in use."]
    host.crash()


def test_each_expansion_is_told() -> None:
    told = Told()
    host = _host(told, EXPAND_USER)
    assert _fill(host, 100) == []
    assert told.of("CSQP013I") == [
        "CSQP013I: Page set 1 was expanded by 32 pages and now has 96.",
        "CSQP013I: Page set 1 was expanded by 32 pages and now has 128.",
    ]
    host.crash()


def test_a_restart_says_what_it_did() -> None:
    told = Told()
    host = _host(told, EXPAND_NONE)
    assert [text[:8] for text in told.texts if text.startswith("CSQR")] == ["CSQR001I", "CSQR002I"]
    host.crash()


def test_a_pool_and_a_log_are_told_once() -> None:
    told = Told()
    host = _host(Told(), EXPAND_NONE)
    shortages = Shortages(told, "QM1")
    for _ in range(3):
        shortages.settled(PoolFull(host.pools[1]))
        assert shortages.log_full("too small").reason == MQRC_RESOURCE_PROBLEM
    shortages.settled(PoolFull(host.pools[0]))
    assert [text[:8] for text in told.texts] == ["CSQP020E", "AMQ6709E", "CSQP020E"]
    assert "Buffer pool 1 is too small" in told.texts[0]
    host.crash()


@pytest.mark.parametrize("number", [0, 1])
def test_a_pool_that_is_resized_is_told(number: int) -> None:
    told = Told()
    host = _host(told, EXPAND_NONE)
    list(Script(host.commands).run([f"ALTER BUFFPOOL({number}) BUFFERS(500)\n"]))
    assert told.of("CSQP023I") == [f"CSQP023I: Buffer pool {number} now has 500 buffers."]
    host.crash()
