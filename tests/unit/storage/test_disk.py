import errno
import fcntl
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.simdisk import SimDisk

from kew.storage.disk import Disk, DiskError, LockedError, LockFile, RealDisk

Place = tuple[Disk, str]


@pytest.fixture(params=["real", "simulated"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A disk and a directory on it; both kinds must behave the same."""
    if request.param == "real":
        return RealDisk(), str(tmp_path)
    disk = SimDisk()
    disk.make_directory("/there")
    return disk, "/there"


def test_what_is_written_is_read_and_reads_are_short_only_at_the_end(place: Place) -> None:
    disk, root = place
    file = disk.open(f"{root}/a", create=True)
    file.pwrite(b"hello", 10)
    assert file.size() == 15
    assert file.pread(7, 8) == b"\0\0hello"
    assert file.pread(100, 12) == b"llo"
    assert file.pread(10, 15) == b""
    file.truncate(12)
    assert file.pread(100, 0) == bytes(10) + b"he"
    file.allocate(20)
    assert file.size() == 20
    file.allocate(5)
    assert file.size() == 20
    file.sync()
    file.close()
    assert disk.open(f"{root}/a").pread(20, 10) == b"he" + bytes(8)


def test_names_are_made_moved_and_removed(place: Place) -> None:
    disk, root = place
    disk.make_directory(f"{root}/x/y")
    disk.make_directory(f"{root}/x/y")
    disk.open(f"{root}/x/b", create=True).pwrite(b"b", 0)
    disk.open(f"{root}/x/a", create=True).pwrite(b"a", 0)
    assert disk.list_directory(f"{root}/x") == ["a", "b", "y"]
    disk.rename(f"{root}/x/a", f"{root}/x/b")
    assert disk.list_directory(f"{root}/x") == ["b", "y"]
    assert disk.open(f"{root}/x/b").pread(9, 0) == b"a"
    disk.sync_directory(f"{root}/x")
    assert disk.exists(f"{root}/x/b")
    with pytest.raises(DiskError) as full:
        disk.remove_directory(f"{root}/x")
    assert full.value.errno == errno.ENOTEMPTY
    disk.remove(f"{root}/x/b")
    assert not disk.exists(f"{root}/x/b")
    disk.remove_directory(f"{root}/x/y")
    disk.remove_directory(f"{root}/x")
    assert disk.list_directory(root) == []
    assert disk.free_bytes(root) > 0


@pytest.mark.parametrize("operation", ["open", "remove", "rename", "list_directory", "sync_directory"])
def test_a_missing_file_is_named_in_the_error(place: Place, operation: str) -> None:
    disk, root = place
    path = f"{root}/none"
    calls: dict[str, Callable[[], object]] = {
        "open": lambda: disk.open(path),
        "remove": lambda: disk.remove(path),
        "rename": lambda: disk.rename(path, f"{root}/other"),
        "list_directory": lambda: disk.list_directory(path),
        "sync_directory": lambda: disk.sync_directory(path),
    }
    with pytest.raises(DiskError) as failed:
        calls[operation]()
    assert failed.value.path == path
    assert failed.value.errno == errno.ENOENT
    assert path in str(failed.value)
    assert "ENOENT" in str(failed.value)


def test_a_directory_that_cannot_be_made_is_an_error(place: Place) -> None:
    disk, root = place
    disk.open(f"{root}/file", create=True)
    with pytest.raises(DiskError):
        disk.make_directory(f"{root}/file/below")
    with pytest.raises(DiskError):
        disk.open(root)


def test_a_lock_is_held_once_and_names_its_owner(place: Place) -> None:
    disk, root = place
    lock = disk.lock(f"{root}/lock")
    with pytest.raises(LockedError) as held:
        disk.lock(f"{root}/lock")
    assert held.value.owner in (os.getpid(), 1)
    assert str(held.value.owner) in str(held.value)
    lock.release()
    lock.release()
    disk.lock(f"{root}/lock").release()


def test_the_note_in_a_lock_file_outlives_its_holder(place: Place) -> None:
    disk, root = place
    path = f"{root}/lock"
    assert disk.look_at_lock(path) == LockFile(0, "")
    assert not disk.exists(path)
    lock = disk.lock(path)
    lock.write_note("Running")
    assert disk.look_at_lock(path).note == "Running"
    assert disk.look_at_lock(path).owner in (os.getpid(), 1)
    lock.write_note("Up")
    lock.release()
    assert disk.look_at_lock(path) == LockFile(0, "Up")
    with_note = disk.lock(path)
    assert with_note.note() == "Up"
    with_note.release()


def test_a_lock_can_be_looked_at_where_nothing_may_be_written(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = RealDisk().lock(str(path))
    lock.write_note("Running")
    lock.release()
    before = path.read_bytes()
    path.chmod(0o400)
    assert RealDisk().look_at_lock(str(path)) == LockFile(0, "Running")
    assert path.read_bytes() == before


def test_a_look_at_a_lock_does_not_stand_in_the_way_of_taking_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(tmp_path / "lock")
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    flock = fcntl.flock
    flock(descriptor, fcntl.LOCK_SH)  # as a look has it for a moment
    attempts: list[int] = []

    def flocked(file: int, kind: int) -> None:
        attempts.append(kind)
        if len(attempts) == 3:
            os.close(descriptor)
        flock(file, kind)

    monkeypatch.setattr(fcntl, "flock", flocked)
    RealDisk().lock(path).release()
    assert len(attempts) == 3


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    program = (
        "import sys, time\n"
        "from kew.storage.disk import RealDisk\n"
        f"lock = RealDisk().lock({path!r})\n"
        "print('held', flush=True)\n"
        "sys.stdin.read()\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == b"held\n"
    with pytest.raises(LockedError) as held:
        RealDisk().lock(path)
    assert held.value.owner == process.pid
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()
    RealDisk().lock(path).release()


def test_a_full_device_is_an_error_with_its_number() -> None:
    file = RealDisk().open("/dev/full")
    with pytest.raises(DiskError) as failed:
        file.pwrite(b"x" * 4096, 0)
    assert failed.value.full
    assert (failed.value.path, failed.value.operation, failed.value.errno) == ("/dev/full", "write", errno.ENOSPC)


def test_short_writes_and_reads_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = RealDisk().open(str(tmp_path / "a"), create=True)
    real_write, real_read = os.pwrite, os.pread
    monkeypatch.setattr(os, "pwrite", lambda fd, data, offset: real_write(fd, data[:7], offset))
    monkeypatch.setattr(os, "pread", lambda fd, length, offset: real_read(fd, min(length, 5), offset))
    data = bytes(range(100))
    file.pwrite(data, 3)
    assert file.pread(100, 3) == data
    assert file.pread(100, 53) == data[50:]


def test_a_write_that_makes_no_progress_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = RealDisk().open(str(tmp_path / "a"), create=True)
    monkeypatch.setattr(os, "pwrite", lambda fd, data, offset: 0)
    with pytest.raises(DiskError, match="accepts no more"):
        file.pwrite(b"data", 0)


def test_a_write_cut_by_the_system_raises_after_what_fitted(tmp_path: Path) -> None:
    file = RealDisk().open(str(tmp_path / "a"), create=True)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(DiskError) as failed:
            file.pwrite(b"x" * 4096, 0)
        with pytest.raises(DiskError):
            file.allocate(5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert failed.value.errno == errno.EFBIG
    assert file.size() == 1000


@pytest.mark.parametrize("refusal", [errno.EOPNOTSUPP, errno.EINVAL])
def test_blocks_are_written_where_they_cannot_be_reserved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: int
) -> None:
    def refuse(descriptor: int, offset: int, length: int) -> None:
        raise OSError(refusal, "no")

    monkeypatch.setattr(os, "posix_fallocate", refuse)
    file = RealDisk().open(str(tmp_path / "a"), create=True)
    file.pwrite(b"abc", 0)
    file.allocate(3_000_000)
    assert file.size() == 3_000_000
    assert file.pread(4, 0) == b"abc\0"


def test_a_closed_file_is_an_error(place: Place) -> None:
    disk, root = place
    file = disk.open(f"{root}/a", create=True)
    file.close()
    file.close()
    for call in (lambda: file.pread(1, 0), lambda: file.pwrite(b"x", 0), file.sync, file.size):
        with pytest.raises(DiskError) as failed:
            call()
        assert failed.value.errno == errno.EBADF


def test_syncs_reach_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    monkeypatch.setattr(os, "fdatasync", lambda fd: synced.append(os.readlink(f"/proc/self/fd/{fd}")))
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(os.readlink(f"/proc/self/fd/{fd}")))
    disk = RealDisk()
    file = disk.open(str(tmp_path / "a"), create=True)
    file.sync()
    assert synced == [str(tmp_path / "a")]
    disk.sync_directory(str(tmp_path))
    assert synced[1:] == [str(tmp_path)]
    disk.make_directory(str(tmp_path / "x" / "y"))
    assert synced[2:] == [str(tmp_path), str(tmp_path / "x")]


def test_a_sync_that_fails_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(errno.EIO, "no")

    file = RealDisk().open(str(tmp_path / "a"), create=True)
    monkeypatch.setattr(os, "fdatasync", fail)
    monkeypatch.setattr(os, "fsync", fail)
    for call in (file.sync, lambda: RealDisk().sync_directory(str(tmp_path))):
        with pytest.raises(DiskError) as failed:
            call()
        assert failed.value.errno == errno.EIO
        assert failed.value.operation.startswith("sync")
