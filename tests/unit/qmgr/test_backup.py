"""Backups, restores and media recovery bring back exactly what was committed."""

import os
from pathlib import Path

import pytest

from kew.codes.errors import NoMessage
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr import backup, manager
from kew.qmgr.config import BufferPoolConfiguration, Configuration, LogConfiguration, PageSetConfiguration
from kew.qmgr.existing import QueueManagerError
from kew.qmgr.manager import QueueManager
from kew.storage.directories import directory_of

NAME = "BACKUP.QM"


def configuration(log_type: str) -> Configuration:
    return Configuration(
        log=LogConfiguration(log_type="linear" if log_type == "linear" else "circular", file_pages=128),
        buffer_pools=(BufferPoolConfiguration(0, 100), BufferPoolConfiguration(1, 300)),
        page_sets=(PageSetConfiguration(0, 64), PageSetConfiguration(1, 64, buffer_pool=1)),
    )


@pytest.fixture
def data(tmp_path: Path) -> str:
    return str(tmp_path)


def put(manager: QueueManager, *bodies: bytes) -> None:
    connection = manager.connect()
    queue = connection.open("Q", MQOO_OUTPUT)
    for body in bodies:
        connection.put(queue, MessageDescriptor(persistence=1), body)
    connection.disconnect()


def drain(manager: QueueManager) -> list[bytes]:
    connection = manager.connect()
    queue = connection.open("Q", MQOO_INPUT_SHARED)
    found = []
    while True:
        try:
            found.append(connection.get(queue).data)
        except NoMessage:
            connection.disconnect()
            return found


def made(data: str, log_type: str) -> QueueManager:
    manager.create(NAME, configuration(log_type), data)
    running = manager.start(NAME, data)
    running.host.administration.define("QLOCAL", "Q", {})
    return running


BEFORE = [b"before %d" % number * 300 for number in range(40)]
AFTER = [b"after %d" % number * 300 for number in range(40)]


def test_full_backup_and_the_log_bring_everything_back(data: str, tmp_path: Path) -> None:
    running = made(data, "linear")
    put(running, *BEFORE)
    running.stop()
    taken = backup.back_up(NAME, str(tmp_path / "copy"), data)
    assert taken.kind == "full"
    running = manager.start(NAME, data)
    put(running, *AFTER)
    page_set = running.places.page_set(1)
    running.stop()
    os.remove(page_set)
    backup.restore(NAME, str(tmp_path / "copy"), data)
    running = manager.start(NAME, data)
    assert drain(running) == BEFORE + AFTER
    running.stop()


def test_full_backup_needs_no_log(data: str, tmp_path: Path) -> None:
    running = made(data, "circular")
    put(running, *BEFORE)
    running.stop()
    backup.back_up(NAME, str(tmp_path / "copy"), data)
    running = manager.start(NAME, data)
    put(running, *AFTER)
    running.stop()
    backup.restore(NAME, str(tmp_path / "copy"), data, without_log=True)
    running = manager.start(NAME, data)
    assert drain(running) == BEFORE
    put(running, *AFTER)
    running.stop()
    running = manager.start(NAME, data)
    assert drain(running) == AFTER
    running.stop()


def test_fuzzy_backup_under_load_and_the_log_bring_everything_back(data: str, tmp_path: Path) -> None:
    running = made(data, "linear")
    put(running, *BEFORE)
    taken = backup.back_up(NAME, str(tmp_path / "copy"), data)
    assert taken.kind == "fuzzy"
    put(running, *AFTER)
    page_set = running.places.page_set(1)
    running.stop()
    os.remove(page_set)
    backup.restore(NAME, str(tmp_path / "copy"), data)
    running = manager.start(NAME, data)
    assert drain(running) == BEFORE + AFTER
    running.stop()


def test_fuzzy_backup_without_its_log_is_refused(data: str, tmp_path: Path) -> None:
    running = made(data, "circular")
    put(running, *BEFORE)
    backup.back_up(NAME, str(tmp_path / "copy"), data)
    for _ in range(20):  # the circular log comes round
        put(running, *AFTER)
        drain(running)
    running.stop()
    with pytest.raises(backup.BackupError, match="log no longer has address"):
        backup.restore(NAME, str(tmp_path / "copy"), data)
    with pytest.raises(backup.BackupError, match="fuzzy backup needs the log"):
        backup.restore(NAME, str(tmp_path / "copy"), data, without_log=True)


def test_an_image_in_the_log_brings_back_a_lost_page_set(data: str) -> None:
    running = made(data, "linear")
    put(running, *BEFORE)
    assert running.host.record_image(0) > 0
    assert running.host.record_image(1) > 0
    put(running, *AFTER)
    page_set = running.places.page_set(1)
    running.stop()
    os.remove(page_set)
    with pytest.raises(backup.BackupError, match="no page set 7"):
        backup.recover_page_set(NAME, 7, data)
    backup.recover_page_set(NAME, 1, data)
    running = manager.start(NAME, data)
    assert drain(running) == BEFORE + AFTER
    running.stop()


def test_a_lost_page_set_is_named_and_the_rest_starts(data: str) -> None:
    running = made(data, "circular")
    put(running, *BEFORE)
    page_set = running.places.page_set(1)
    running.stop()
    os.remove(page_set)
    running = manager.start(NAME, data)
    assert running.host.lost == {1: "the file is missing"}
    running.stop()


def test_a_damaged_copy_is_found(data: str, tmp_path: Path) -> None:
    running = made(data, "linear")
    put(running, *BEFORE)
    running.stop()
    backup.back_up(NAME, str(tmp_path / "copy"), data)
    path = tmp_path / "copy" / "psid01"
    content = bytearray(path.read_bytes())
    content[9000] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises(backup.BackupError, match="checksum does not match"):
        backup.restore(NAME, str(tmp_path / "copy"), data)
    with pytest.raises(backup.BackupError, match="holds a backup already"):
        backup.back_up(NAME, str(tmp_path / "copy"), data)


def test_qm_ini_and_users_come_back_where_they_are_missing(data: str, tmp_path: Path) -> None:
    made(data, "circular").stop()
    root = Path(directory_of(data, NAME))
    ini = (root / "qm.ini").read_text()
    first = ini.partition("\n")[0].replace("qm.ini", "users")
    (root / "users").write_text(f"{first}\n# kept\n")
    backup.back_up(NAME, str(tmp_path / "b"), data)
    (root / "qm.ini").unlink()
    (root / "users").write_text(f"{first}\n# newer\n")
    backup.restore(NAME, str(tmp_path / "b"), data)
    assert (root / "qm.ini").read_text() == ini
    assert (root / "users").read_text() == f"{first}\n# newer\n"
    (root / "users").unlink()
    backup.restore(NAME, str(tmp_path / "b"), data)
    assert (root / "users").read_text() == f"{first}\n# kept\n"
    assert oct((root / "users").stat().st_mode)[-3:] == "600"


def test_a_damaged_copy_of_qm_ini_is_refused(data: str, tmp_path: Path) -> None:
    made(data, "circular").stop()
    backup.back_up(NAME, str(tmp_path / "b"), data)
    Path(directory_of(data, NAME), "qm.ini").unlink()
    (tmp_path / "b" / "qm.ini").write_text("Log:\n")
    with pytest.raises(backup.BackupError, match=r"qm\.ini is damaged"):
        backup.restore(NAME, str(tmp_path / "b"), data)


def test_a_full_backup_makes_the_queue_manager_anew_on_another_machine(data: str, tmp_path: Path) -> None:
    running = made(data, "circular")
    put(running, *BEFORE)
    running.stop()
    backup.back_up(NAME, str(tmp_path / "b"), data)
    elsewhere = str(tmp_path / "elsewhere")
    with pytest.raises(QueueManagerError):
        backup.restore(NAME, str(tmp_path / "b"), elsewhere)
    backup.restore(NAME, str(tmp_path / "b"), elsewhere, without_log=True)
    with manager.start(NAME, elsewhere) as again:
        assert drain(again) == BEFORE
