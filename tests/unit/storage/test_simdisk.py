"""The simulated disk forgets what a real one may forget, and nothing else."""

import errno
from random import Random

import pytest
from tests.support.simdisk import PowerLoss, SimDisk

from kew.storage.disk import DiskError


def disk_with(data: bytes) -> SimDisk:
    disk = SimDisk()
    disk.make_directory("d")
    file = disk.open("d/f", create=True)
    file.pwrite(data, 0)
    file.sync()
    disk.sync_directory("d")
    return disk


def test_a_synced_write_survives_and_an_unsynced_one_may_not() -> None:
    disk = disk_with(b"old" * 1000)
    disk.open("d/f").pwrite(b"new" * 1000, 0)
    assert disk.content("d/f") == b"new" * 1000
    assert disk.crash(keep="none").content("d/f") == b"old" * 1000
    assert disk.crash(keep="all").content("d/f") == b"new" * 1000
    outcomes = {disk.crash(Random(seed)).content("d/f") for seed in range(400)}
    assert len(outcomes) > 5
    for outcome in outcomes:
        for start in range(0, 3000, 512):
            sector = outcome[start : start + 512]
            assert sector in ((b"old" * 1000)[start : start + 512], (b"new" * 1000)[start : start + 512])


def test_a_byte_tear_cuts_one_write_anywhere() -> None:
    disk = disk_with(bytes(100))
    disk.open("d/f").pwrite(b"x" * 100, 0)
    lengths = {disk.crash(Random(seed), tear="byte").content("d/f").count(b"x") for seed in range(100)}
    assert len(lengths) > 20


def test_writes_survive_in_any_combination() -> None:
    disk = disk_with(bytes(1536))
    file = disk.open("d/f")
    for index in range(3):
        file.pwrite(bytes([index + 1]) * 512, index * 512)
    outcomes = {disk.crash(Random(seed)).content("d/f")[::512] for seed in range(200)}
    assert len(outcomes) == 8


def test_a_name_needs_its_directory_synced() -> None:
    disk = SimDisk()
    disk.make_directory("d")
    file = disk.open("d/f", create=True)
    file.pwrite(b"data", 0)
    file.sync()
    assert disk.crash(keep="none").files == {}
    assert {tuple(disk.crash(Random(seed)).files) for seed in range(20)} == {(), ("d/f",)}
    disk.sync_directory("d")
    assert disk.crash(keep="none").content("d/f") == b"data"
    disk.rename("d/f", "d/g")
    assert disk.crash(keep="none").files == {"d/f": 4}
    assert {tuple(disk.crash(Random(seed)).files) for seed in range(20)} == {("d/f",), ("d/g",)}
    disk.sync_directory("d")
    disk.remove("d/g")
    assert disk.crash(keep="none").files == {"d/g": 4}
    assert disk.crash(keep="all").files == {}
    disk.sync_directory("d")
    assert disk.crash(keep="none").files == {}


def test_syncing_one_directory_takes_along_the_changes_it_builds_on() -> None:
    disk = SimDisk()
    disk.make_directory("a")
    disk.make_directory("b")
    disk.open("a/f", create=True)
    disk.rename("a/f", "b/f")
    disk.open("a/other", create=True)
    disk.sync_directory("b")
    assert disk.crash(keep="none").files == {"b/f": 0}


def test_a_change_of_size_may_be_lost() -> None:
    disk = disk_with(b"12345678")
    disk.open("d/f").truncate(3)
    assert disk.crash(keep="none").content("d/f") == b"12345678"
    assert disk.crash(keep="all").content("d/f") == b"123"
    disk = disk_with(b"1")
    disk.open("d/f").pwrite(b"x" * 2000, 0)
    sizes = {disk.crash(Random(seed)).files["d/f"] for seed in range(60)}
    assert 1 in sizes
    assert 2000 in sizes
    assert len(sizes) > 3


def test_the_power_goes_in_the_operation_asked_for() -> None:
    disk = disk_with(b"old")
    file = disk.open("d/f")
    disk.stop_after(2)
    file.pwrite(b"new", 0)
    with pytest.raises(PowerLoss):
        file.sync()
    for call in (
        lambda: file.pwrite(b"x", 0),
        lambda: file.pread(1, 0),
        lambda: disk.open("d/f"),
        file.sync,
        file.size,
    ):
        with pytest.raises(PowerLoss):
            call()
    assert disk.crash(keep="none").content("d/f") == b"old"
    assert disk.crash(keep="all").content("d/f") == b"new"


def test_the_write_that_meets_the_power_loss_may_still_arrive() -> None:
    disk = disk_with(b"old")
    disk.stop_after(1)
    with pytest.raises(PowerLoss):
        disk.open("d/f").pwrite(b"new", 0)
    assert disk.crash(keep="all").content("d/f") == b"new"
    disk = disk_with(b"old")
    disk.stop_after(1)
    with pytest.raises(PowerLoss):
        disk.open("d/g", create=True)
    assert disk.crash(keep="all").files == {"d/f": 3, "d/g": 0}


def test_a_failed_sync_is_never_made_good() -> None:
    disk = disk_with(b"old")
    file = disk.open("d/f")
    file.pwrite(b"new", 0)
    disk.fail_sync(1)
    with pytest.raises(DiskError) as failed:
        file.sync()
    assert (failed.value.operation, failed.value.errno) == ("sync", errno.EIO)
    file.sync()
    assert file.pread(3, 0) == b"new"
    assert disk.crash(keep="none").content("d/f") == b"old"
    file.pwrite(b"new", 0)
    file.sync()
    assert disk.crash(keep="none").content("d/f") == b"new"


def test_faults_come_at_the_operation_asked_for() -> None:
    disk = disk_with(b"old!")
    file = disk.open("d/f")
    disk.fail(2, errno.ENOSPC)
    file.pwrite(b"1", 0)
    with pytest.raises(DiskError) as failed:
        file.pwrite(b"2", 0)
    assert failed.value.full
    assert file.pread(4, 0) == b"1ld!"
    disk.short_write(1)
    with pytest.raises(DiskError):
        file.pwrite(b"NEW?", 0)
    assert file.pread(4, 0) == b"NEd!"
    disk.flip("d/f", 0, 5)
    assert file.pread(1, 0) == b"n"


def test_capacity_is_limited() -> None:
    disk = SimDisk(capacity=1000)
    disk.make_directory("d")
    file = disk.open("d/f", create=True)
    file.allocate(900)
    assert disk.free_bytes("d") == 100
    with pytest.raises(DiskError) as failed:
        file.pwrite(b"x" * 200, 850)
    assert failed.value.full
    with pytest.raises(DiskError):
        file.allocate(1001)


def test_a_copy_is_independent() -> None:
    disk = disk_with(b"one")
    disk.open("d/f").pwrite(b"two", 0)
    other = disk.copy()
    other.open("d/f").pwrite(b"six", 0)
    other.open("d/f").sync()
    assert disk.content("d/f") == b"two"
    assert disk.crash(keep="none").content("d/f") == b"one"
    assert other.crash(keep="none").content("d/f") == b"six"


def test_delay_sees_every_operation() -> None:
    disk = disk_with(b"data")
    seen = []
    disk.delay = lambda operation, path, length: seen.append((operation, path, length))
    file = disk.open("d/f")
    file.pread(4, 0)
    file.pwrite(b"12", 0)
    file.sync()
    disk.sync_directory("d")
    assert seen == [("read", "d/f", 4), ("write", "d/f", 2), ("sync", "d/f", 0), ("sync directory", "d", 0)]


def test_a_spoiled_page_cannot_be_read_until_it_is_written() -> None:
    disk = disk_with(bytes(3 * 4096))
    file = disk.open("d/f")
    disk.spoil("d/f", 4096)
    assert file.pread(4096, 0) == bytes(4096)
    for offset in (4095, 4096, 8191):
        with pytest.raises(DiskError) as failed:
            file.pread(2, offset)
        assert failed.value.errno == errno.EIO
    file.pwrite(b"x" * 4096, 4096)
    assert file.pread(2, 8191) == b"x\0"
