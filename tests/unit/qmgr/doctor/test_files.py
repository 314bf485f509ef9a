"""Directories, room and syncs; and one queue manager with its leftovers, its port and its error log."""

import errno
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kew.qmgr import manager
from kew.qmgr.config import Configuration, LogConfiguration
from kew.qmgr.doctor import FAIL, OK, WARN, Finding, Machine
from kew.qmgr.doctor.files import check_files, check_sync, mount_of
from kew.qmgr.doctor.instance import check_queue_manager, listeners
from kew.qmgr.doctor.machine import Space
from kew.storage.directories import directory_of
from kew.storage.disk import DiskError, File, RealDisk

FIRST = "# Kew qm.ini 2 of queue manager QM1\n"


class Full(Machine):
    def __init__(self, free_bytes: int, free_files: int) -> None:
        self.left = Space(free_bytes, free_files, 1000000)

    def space(self, path: str) -> Space:
        return self.left


def by_name(findings: Iterator[Finding]) -> dict[str, Finding]:
    return {finding.name: finding for finding in findings}


def test_a_directory_in_order_is_left_as_it_was(tmp_path: Path) -> None:
    found = by_name(check_files(Full(10 << 30, 100000), str(tmp_path)))
    assert found["data directory"].level == OK
    assert found["free space"].found == "10240 MB"
    assert "ms in the middle" in found["sync of 4 KB"].found
    assert os.listdir(tmp_path) == []


def test_a_directory_that_is_to_be_made(tmp_path: Path) -> None:
    found = by_name(check_files(Machine(), str(tmp_path / "a" / "b")))
    assert found["data directory"].found.endswith("b, to be made")
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize(
    ("space", "name", "level"),
    [
        ((1 << 30, 100000), "free space", WARN),
        ((1 << 20, 100000), "free space", FAIL),
        ((10 << 30, 5000), "free inodes", WARN),
        ((10 << 30, 5), "free inodes", FAIL),
    ],
)
def test_too_little_room(tmp_path: Path, space: tuple[int, int], name: str, level: str) -> None:
    finding = by_name(check_files(Full(*space), str(tmp_path)))[name]
    assert finding.level == level
    assert "KEW_DATA" in finding.remedy


def test_a_directory_that_anybody_may_write(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    finding = by_name(check_files(Machine(), str(tmp_path)))["rights"]
    assert (finding.level, finding.found) == (WARN, "0777")


def test_which_file_system_holds_a_path() -> None:
    mounts = "/dev/a / ext4 rw 0 0\ntmpfs /tmp tmpfs rw,size=1 0 0\nsrv:/x /data\\040one nfs4 rw,hard 0 0\nnonsense\n"
    assert mount_of(mounts, "/var/x") == ("ext4", "rw")
    assert mount_of(mounts, "/tmp/x") == ("tmpfs", "rw,size=1")
    assert mount_of(mounts, "/tmpx") == ("ext4", "rw")
    assert mount_of(mounts, "/data one/q") == ("nfs4", "rw,hard")


@pytest.mark.parametrize(
    ("mount", "said"),
    [("tmpfs / tmpfs rw", "gone when the host stops"), ("s:/ / nfs4 rw", "remote"), ("d / ext4 rw,nobarrier", "barri")],
)
def test_file_systems_that_do_not_keep_what_they_were_given(tmp_path: Path, mount: str, said: str) -> None:
    class Mounted(Machine):
        def read(self, path: str) -> str:
            return mount + " 0 0\n" if path == "/proc/self/mounts" else ""

    finding = by_name(check_files(Mounted(), str(tmp_path)))["file system"]
    assert finding.level == WARN
    assert said in finding.remedy


def test_a_disk_that_cannot_sync(tmp_path: Path) -> None:
    class Broken(RealDisk):
        def open(self, path: str, create: bool = False) -> File:
            raise DiskError(path, "open", errno.EIO)

    assert check_sync(str(tmp_path), Broken()).level == FAIL


@pytest.fixture
def root(tmp_path: Path) -> Path:
    manager.create("QM1", Configuration(log=LogConfiguration(file_pages=64)), data=str(tmp_path))
    return Path(directory_of(str(tmp_path), "QM1"))


def look(root: Path, machine: Machine | None = None) -> dict[str, Finding]:
    return by_name(check_queue_manager(machine or Machine(), "QM1", str(root)))


def test_a_queue_manager_in_order(root: Path) -> None:
    found = look(root)
    assert found["process"].found == "not running"
    assert [finding.level for name, finding in found.items() if name != "port"] == [OK] * (len(found) - 1)


def test_a_running_one_and_one_that_was_killed(root: Path) -> None:
    program = (
        f"import kew, os, time; kew.start('QM1', {str(root.parents[1])!r}); print('up', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == b"up\n"
        assert look(root)["process"].found == f"running as {process.pid}"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    found = look(root)
    assert found["process"].found == "not running"
    assert found["control socket"].remedy == "the next start removes it"


def test_a_running_one_without_its_socket(root: Path) -> None:
    with manager.start("QM1", str(root.parents[1])):
        (root / "control").unlink()
        assert look(root)["control socket"].level == FAIL


def test_passwords_that_cannot_be_checked(root: Path) -> None:
    with manager.start("QM1", str(root.parents[1])) as running:
        assert look(root)["password checks"].found == "SYSTEM.DEFAULT.AUTHINFO.IDPWOS"
        running.mqsc("DEFINE AUTHINFO(CRL) AUTHTYPE(CRLLDAP) CONNAME(' ')", "ALTER QMGR CONNAUTH(CRL)")
        assert look(root)["password checks"].found == "CONNAUTH(CRL) is CRLLDAP"
        running.mqsc("ALTER QMGR CONNAUTH('Gone')")
        found = look(root)["password checks"]
        assert (found.level, found.found) == (FAIL, "CONNAUTH(Gone) is nothing")
        assert "DEFINE AUTHINFO('Gone') AUTHTYPE(IDPWOS)" in found.remedy
        running.mqsc("ALTER QMGR CONNAUTH(' ')")
        assert look(root)["password checks"].level == OK


def test_a_bad_configuration(root: Path) -> None:
    (root / "qm.ini").write_text(FIRST + "Log:\n   LogFilePages=1\n")
    found = look(root)
    assert list(found) == ["qm.ini"]
    assert found["qm.ini"].level == FAIL
    assert "LogFilePages" in found["qm.ini"].found


def test_keys_without_effect_and_a_log_that_is_not_there(root: Path, tmp_path: Path) -> None:
    with (root / "qm.ini").open("a") as ini:
        ini.write("ExitPath:\n   ExitsDefaultPath=/exits\n")
    assert look(root)["qm.ini ExitPath"].level == WARN
    (root / "qm.ini").write_text(FIRST + f"Log:\n   LogFilePages=64\n   LogPath={tmp_path}/gone\n")
    found = look(root)
    assert found["log directory"].level == FAIL
    assert "LogPath" in found["log directory"].remedy


def test_rights_leftovers_and_failures(root: Path) -> None:
    root.chmod(0o755)
    Path(f"{root}.deleted").mkdir()
    (root / "errors" / "AMQ00001.0.FDC").write_text("")
    (root / "errors" / "AMQERR01.LOG").write_text("AMQ8003I: fine\nAMQ7472E: Object X damaged.\n")
    found = look(root)
    assert "chmod 700" in found["rights"].remedy
    assert "rm -r" in found["leftovers"].remedy
    assert found["first failures"].found == "1 files"
    assert found["error log"].found == "1 errors, the last AMQ7472E: Object X damaged."


def test_a_port_that_another_has(root: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert port in listeners(Machine())
        (root / "qm.ini").write_text(FIRST + f"Log:\n   LogFilePages=64\nTCP:\n   Port={port}\n")
        assert look(root)["port"].found == f"{port} is used by another process"
        with manager.start("QM1", str(root.parents[1])):
            assert look(root)["port"].found == f"{port} is ours"
    assert look(root)["port"].found == f"{port} is free"


def test_too_little_room_for_the_log(root: Path) -> None:
    (root / "qm.ini").write_text(FIRST + "Log:\n   LogFilePages=65535\n   LogSecondaryFiles=10\n")
    assert look(root, Full(1 << 30, 1))["room for the log"].level == WARN
