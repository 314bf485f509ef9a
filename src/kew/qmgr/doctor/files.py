"""Checks of a directory of queue managers: permissions, space, the file system, and the time of a sync."""

import os
import posixpath
import stat
import statistics
import time
from collections.abc import Iterator
from typing import Final

from kew.qmgr.doctor.finding import FAIL, OK, WARN, Finding, at_least
from kew.qmgr.doctor.machine import Machine
from kew.storage.disk import Disk, DiskError, RealDisk

FILES: Final = "Files"
SPACE_WANTED: Final = 2 << 30
SPACE_NEEDED: Final = 256 << 20
INODES_WANTED: Final = 10000
INODES_NEEDED: Final = 100
SYNCS: Final = 40
PAGE: Final = 4096
SLOW_SYNC: Final = 0.005  # seconds; a rotating disk without a cache takes about 8 ms
FAKE_SYNC: Final = 0.000005  # faster than any device that keeps data without power
VOLATILE: Final = frozenset({"tmpfs", "ramfs"})
REMOTE: Final = frozenset({"nfs", "cifs", "smb3", "9p", "fuse.sshfs"})


def existing_part(path: str) -> str:
    """Give the path, or the nearest directory above it that exists."""
    while not os.path.exists(path):
        path = posixpath.dirname(path)
    return path


def check_files(machine: Machine, directory: str, disk: Disk | None = None) -> Iterator[Finding]:
    """Check the directory of queue managers; a missing one is judged by the nearest existing directory."""
    place = existing_part(directory)
    usable = os.path.isdir(place) and os.access(place, os.W_OK | os.X_OK)
    remedy = "" if usable else f"chown {os.getuid()} {place}, or set KEW_DATA to a directory of your own"
    found = directory if place == directory else f"{directory}, to be made"
    yield Finding(FILES, "data directory", found, "writable", OK if usable else FAIL, remedy)
    if place == directory:
        yield _rights(directory)
    space = machine.space(place)
    more = f"make room on the file system of {place}, or set KEW_DATA to another"
    yield at_least(FILES, "free space", space.free_bytes >> 20, SPACE_WANTED >> 20, more, SPACE_NEEDED >> 20, "MB")
    if space.all_files:  # some file systems allocate inodes as needed, and report none
        yield at_least(FILES, "free inodes", space.free_files, INODES_WANTED, more, INODES_NEEDED)
    yield from _file_system(machine, place)
    if usable:
        yield check_sync(place, disk or RealDisk())


def _rights(directory: str) -> Finding:
    mode = stat.S_IMODE(os.stat(directory).st_mode)
    loose = mode & stat.S_IWOTH
    remedy = f"chmod o-w {directory}: anybody can replace your queue managers" if loose else ""
    return Finding(FILES, "rights", f"{mode:04o}", "not writable by others", WARN if loose else OK, remedy)


def mount_of(mounts: str, path: str) -> tuple[str, str]:
    """Give type and options of the file system of a path, from the text of /proc/self/mounts."""
    best, kind, options = "", "", ""
    for line in mounts.splitlines():
        words = line.split()
        if len(words) < 4:
            continue
        point = words[1].replace("\\040", " ")
        inside = path == point or path.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind, options = point, words[2], words[3]
    return kind, options


def _file_system(machine: Machine, place: str) -> Iterator[Finding]:
    kind, options = mount_of(machine.read("/proc/self/mounts"), os.path.realpath(place))
    if not kind:
        return
    remedy = ""
    if kind in VOLATILE:
        remedy = "its files are gone when the host stops: set KEW_DATA to a disk"
    elif kind.rstrip("4") in REMOTE:
        remedy = "prefer a local disk: a lock and a sync on a remote file system are only as good as its server"
    elif {"nobarrier", "barrier=0"} & set(options.split(",")):
        remedy = "mount it with barriers: a sync must reach the device"
    yield Finding(FILES, "file system", kind, "a local disk with write barriers", WARN if remedy else OK, remedy)


def check_sync(directory: str, disk: Disk) -> Finding:
    """Measure the time until an overwritten page of a log is on disk."""
    name = "sync of 4 KB"
    wanted = f"<= {SLOW_SYNC * 1000:g} ms in the middle"
    path = posixpath.join(directory, f".kew-doctor-{os.getpid()}")
    try:
        middle, longest = _sync_times(path, disk)
    except DiskError as failure:
        return Finding(FILES, name, str(failure), wanted, FAIL, "a queue manager here would end at its first commit")
    found = f"{middle * 1000:.2f} ms in the middle, {longest * 1000:.2f} ms at most of {SYNCS}"
    if middle > SLOW_SYNC:
        remedy = "put the data, or LogPath in qm.ini, on a faster device: each commit waits for one sync"
        return Finding(FILES, name, found, wanted, WARN, remedy)
    if middle < FAKE_SYNC:
        remedy = "nothing syncs so fast: what is committed may be lost when the power goes"
        return Finding(FILES, name, found, wanted, WARN, remedy)
    return Finding(FILES, name, found, wanted, OK)


def _sync_times(path: str, disk: Disk) -> tuple[float, float]:
    file = disk.open(path, create=True)
    try:
        file.pwrite(bytes(PAGE * 16), 0)
        file.sync()
        times = []
        for number in range(SYNCS):
            begun = time.perf_counter()
            file.pwrite(number.to_bytes(4, "big") * (PAGE // 4), PAGE * (number % 16))
            file.sync()
            times.append(time.perf_counter() - begun)
    finally:
        file.close()
        disk.remove(path)
    return statistics.median(times), max(times)
