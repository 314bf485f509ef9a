"""Page sets as qm.ini names them: made when first named, grown to their pages, and lost where files are gone."""

import errno
import os
import re
from pathlib import Path

import pytest

from kew.codes.errors import MQError
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.codes.reasons import MQRC_OBJECT_DAMAGED
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import backup, manager
from kew.qmgr.config import BufferPoolConfiguration, Configuration, LogConfiguration, PageSetConfiguration
from kew.qmgr.manager import QueueManager
from kew.storage.pages.pageset import EXPAND_NONE, EXPAND_USER

PAGE = 4096


class Configured:
    """A queue manager whose qm.ini is changed between its starts."""

    def __init__(self, data: Path) -> None:
        self.data = str(data)
        self.root = data / "qmgrs" / "QM1"
        self.ini = self.root / "qm.ini"
        self.sets = self.root / "pagesets"
        pools = (BufferPoolConfiguration(0, 200), BufferPoolConfiguration(1, 400))
        sets = (PageSetConfiguration(0, 64), PageSetConfiguration(1, 64, buffer_pool=1))
        manager.create(
            "QM1", Configuration(LogConfiguration(file_pages=64), buffer_pools=pools, page_sets=sets), self.data
        )

    def add(self, *stanzas: str) -> None:
        """Write stanzas behind those of qm.ini."""
        self.ini.write_text(self.ini.read_text() + "".join([f"{each}\n" for each in stanzas]))

    def start(self) -> QueueManager:
        return manager.start("QM1", self.data)

    def told(self) -> str:
        return (self.root / "errors" / "AMQERR01.LOG").read_text()


@pytest.fixture
def configured(tmp_path: Path) -> Configured:
    return Configured(tmp_path)


def put_and_get(running: QueueManager, name: str, bodies: list[bytes]) -> None:
    connection = running.connect()
    queue = connection.open(name, MQOO_OUTPUT | MQOO_INPUT_SHARED)
    for body in bodies:
        connection.put(queue, MessageDescriptor(persistence=1), body)
    connection.disconnect()


def taken(running: QueueManager, name: str, count: int) -> list[bytes]:
    connection = running.connect()
    queue = connection.open(name, MQOO_INPUT_SHARED)
    found = [connection.get(queue).data for _ in range(count)]
    connection.disconnect()
    return found


@pytest.mark.parametrize("started_before", [False, True])
def test_a_page_set_is_made_when_qm_ini_names_it(configured: Configured, started_before: bool) -> None:
    if started_before:
        configured.start().stop()
    configured.add("BufferPool:\n Id=7\n Buffers=300", "PageSet:\n Id=42\n Pages=100\n Expand=NONE\n BufferPool=7")
    bodies = [b"%d" % number * 50 for number in range(20)]
    with configured.start() as running:
        assert not running.host.lost
        assert "PSID(42)" in running.mqsc("DISPLAY PSID(42)")
        running.mqsc("DEFINE STGCLASS(FAR) PSID(42)", "DEFINE QLOCAL(Q) STGCLASS(FAR)")
        put_and_get(running, "Q", bodies)
        made = running.host.store.page_sets[42]
        assert (made.space.pages, made.expand, made.pool.id) == (100, EXPAND_NONE, 7)
        assert made.space.free < 98
    assert (configured.sets / "psid42").stat().st_size == 100 * PAGE
    assert "CSQP906I: Page set 42 was made with 100 pages" in configured.told()
    with configured.start() as again:
        assert taken(again, "Q", 20) == bodies
    assert configured.told().count("CSQP906I: ") == 1


def test_the_file_may_be_anywhere(configured: Configured, tmp_path: Path) -> None:
    path = tmp_path / "other" / "device" / "fifth"
    configured.add(f"PageSet:\n Id=5\n Pages=64\n Path={path}")
    configured.start().stop()
    assert path.stat().st_size == 64 * PAGE


@pytest.mark.parametrize("number", [1, 42])
def test_a_page_set_that_was_in_use_is_lost_and_not_made_anew(configured: Configured, number: int) -> None:
    configured.add("PageSet:\n Id=42\n Pages=64")
    configured.start().stop()
    (configured.sets / f"psid{number:02d}").unlink()
    with configured.start() as running:
        assert running.host.lost == {number: "the file is missing"}
    assert not (configured.sets / f"psid{number:02d}").exists()
    assert "CSQP903E" in configured.told()


def test_a_page_set_named_and_gone_from_qm_ini_is_still_not_made_anew(configured: Configured) -> None:
    before = configured.ini.read_text()
    configured.add("PageSet:\n Id=42\n Pages=64")
    configured.start().stop()
    configured.ini.write_text(before)
    configured.start().stop()
    (configured.sets / "psid42").unlink()
    configured.add("PageSet:\n Id=42\n Pages=64")
    with configured.start() as running:
        assert 42 in running.host.lost


def test_a_backup_leaves_out_a_page_set_that_is_not_made_yet(configured: Configured, tmp_path: Path) -> None:
    configured.start().stop()
    configured.add("PageSet:\n Id=42\n Pages=64")
    taken_now = backup.back_up("QM1", str(tmp_path / "b"), configured.data)
    assert taken_now.page_sets.keys() == {0, 1}
    backup.restore("QM1", str(tmp_path / "b"), configured.data)
    with configured.start() as running:  # a header that was put back may not know which were in use
        assert running.host.lost.keys() == {42}
    with configured.start() as running:
        assert not running.host.lost


def test_a_page_set_grows_to_its_pages(configured: Configured) -> None:
    configured.start().stop()
    text = configured.ini.read_text()
    configured.ini.write_text(text.replace(" Pages=64", " Pages=3000").replace("Expand=SYSTEM", "Expand=USER"))
    with configured.start() as running:
        page_set = running.host.store.page_sets[1]
        assert (page_set.space.pages, page_set.expand, page_set.secondary) == (3000, EXPAND_USER, 1024)
        running.mqsc("DEFINE QLOCAL(Q)")
        put_and_get(running, "Q", [bytes(3000)] * 2500)
        assert page_set.expansions == 0
    with configured.start() as again:
        assert again.host.store.page_sets[1].space.pages == 3000
        assert len(taken(again, "Q", 2500)) == 2500


def test_a_page_set_becomes_no_smaller_and_that_is_told(configured: Configured) -> None:
    configured.start().stop()
    configured.ini.write_text(configured.ini.read_text().replace(" Pages=64", " Pages=20"))
    with configured.start() as running:
        assert running.host.store.page_sets[1].space.pages == 64
    assert "CSQP907W: Page set 1 has 64 pages, and Pages=20 in qm.ini makes it no smaller." in configured.told()


def test_a_file_that_cannot_grow_is_told_and_used_as_it_is(
    configured: Configured, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured.start().stop()
    configured.ini.write_text(configured.ini.read_text().replace(" Pages=64", f" Pages={16 << 20}"))
    monkeypatch.setattr("kew.storage.disk.os.posix_fallocate", _full)
    with configured.start() as running:
        assert running.host.store.page_sets[1].space.pages == 64
    assert "CSQP908E: Page set 1 could not be made as large as qm.ini says" in configured.told()


def _full(_descriptor: int, _offset: int, _length: int) -> None:
    raise OSError(28, "No space left on device")


def failing_device(monkeypatch: pytest.MonkeyPatch, call: str, failures: int) -> list[int]:
    """Let a call for the file of page set 1 fail so often; the list has one entry for each failure."""
    real, failed = getattr(os, call), list[int]()

    def fails(descriptor: int, *rest: int) -> object:
        if os.readlink(f"/proc/self/fd/{descriptor}").endswith("psid01") and len(failed) < failures:
            failed.append(errno.EIO)
            raise OSError(errno.EIO, "Input/output error")
        return real(descriptor, *rest)

    monkeypatch.setattr(f"kew.storage.disk.os.{call}", fails)
    return failed


@pytest.mark.parametrize("call", ["pread", "pwrite", "fdatasync"])
def test_a_page_set_whose_device_fails_is_set_aside_and_the_rest_starts(
    configured: Configured, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    configured.add("PageSet:", "   Id=2", "   Pages=64", "   BufferPool=1")
    with configured.start() as running:
        running.mqsc("DEFINE STGCLASS(TWO) PSID(2)\nDEFINE QLOCAL(Q1)\nDEFINE QLOCAL(Q2) STGCLASS(TWO)")
        put_and_get(running, "Q1", [b"gone with its page set"])
        put_and_get(running, "Q2", [b"still there"])
    failing_device(monkeypatch, call, 1 << 30)
    with configured.start() as running:
        assert running.host.lost.keys() == {1}
        assert taken(running, "Q2", 1) == [b"still there"]
        with pytest.raises(MQError) as refused:
            taken(running, "Q1", 1)
        assert refused.value.reason == MQRC_OBJECT_DAMAGED
    assert {"CSQP004E", "CSQP902W"} <= set(re.findall(r"CSQP\d+.", configured.told()))


def test_a_device_that_fails_once_is_asked_again(configured: Configured, monkeypatch: pytest.MonkeyPatch) -> None:
    with configured.start() as running:
        running.mqsc("DEFINE QLOCAL(Q1)")
        put_and_get(running, "Q1", [b"kept"])
    failed = failing_device(monkeypatch, "pwrite", 1)
    with configured.start() as running:
        assert failed
        assert not running.host.lost
        assert taken(running, "Q1", 1) == [b"kept"]
