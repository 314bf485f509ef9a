"""The log disk test: the speed of a directory under the writes of a queue manager's log.

Files are made as the log makes its own: blocks reserved, written once, synced. Then blocks are written one after the
other through them, each followed by the sync that a commit waits for, and each timed whole. Nothing is shared with
other writers, so the rate of one block size is what one waiting program at a time would see; with group commit many
programs share a block, which is what the larger sizes show.
"""

import posixpath
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from kew.perf.histogram import Histogram, add
from kew.storage.disk import ZEROS, Disk, DiskError, File

SMALLEST: Final = 512
LARGEST: Final = 128 * 4096  # the most that the log puts into one write
Progress = Callable[[int, float], None]


@dataclass(frozen=True)
class LogDiskSettings:
    """The files to write, and where."""

    directory: str
    prefix: str = "mqtestfile"
    block_sizes: tuple[int, ...] = (4096,)
    file_size: int = 16 << 20
    files: int = 3
    seconds: float = 10.0


@dataclass
class BlockResult:
    """The result of writing blocks of one size."""

    block_size: int
    writes: int
    seconds: float
    fastest_second: int  # bytes
    slowest_second: int
    longest: int  # nanoseconds
    longest_number: int
    shortest: int
    shortest_number: int
    total_nanoseconds: int
    histogram: Histogram

    @property
    def bytes_written(self) -> int:
        """Give the number of bytes written."""
        return self.writes * self.block_size


def run(
    settings: LogDiskSettings,
    disk: Disk,
    clock: Callable[[], int] = time.perf_counter_ns,
    progress: Progress | None = None,
) -> Iterator[BlockResult]:
    """Make the files, write through them in each block size, and remove them."""
    _check(settings, disk)
    files: list[File] = []
    try:
        for number in range(settings.files):
            files.append(_make(disk, _path(settings, number), settings.file_size))
        for size in settings.block_sizes:
            yield _write(files, size, settings, clock, progress)
    finally:
        for number, file in enumerate(files):
            file.close()
            disk.remove(_path(settings, number))


def _check(settings: LogDiskSettings, disk: Disk) -> None:
    for size in settings.block_sizes:
        if not SMALLEST <= size <= min(LARGEST, settings.file_size):
            limit = min(LARGEST, settings.file_size)
            raise ValueError(f"a block has {SMALLEST} to {limit:,} bytes, not {size:,}")
    for number in range(settings.files):
        path = _path(settings, number)
        if disk.exists(path):  # it may be the log of a queue manager
            raise ValueError(f"{path} is there already; give another --file-prefix or remove it")
    wanted = settings.files * settings.file_size
    free = disk.free_bytes(settings.directory)
    if free < wanted:
        raise ValueError(f"{settings.directory} has room for {free:,} bytes; the files take {wanted:,}")


def _path(settings: LogDiskSettings, number: int) -> str:
    return posixpath.join(settings.directory, f"{settings.prefix}{number}")


def _make(disk: Disk, path: str, size: int) -> File:
    file = disk.open(path, create=True)
    try:
        file.allocate(size)
        for offset in range(0, size, len(ZEROS)):
            file.pwrite(ZEROS[: size - offset], offset)
        file.sync()
    except DiskError:
        file.close()
        disk.remove(path)
        raise
    return file


def _write(
    files: list[File], size: int, settings: LogDiskSettings, clock: Callable[[], int], progress: Progress | None
) -> BlockResult:
    block = bytes(range(256)) * (size // 256) + bytes(size % 256)
    histogram = Histogram()
    result = BlockResult(size, 0, 0.0, 0, 0, 0, 0, 1 << 62, 0, 0, histogram)
    seconds: list[int] = []  # bytes of each whole second
    began = clock()
    limit = began + int(settings.seconds * 1e9)
    next_second = began + 1_000_000_000
    here = 0
    at = offset = 0
    now = began
    while now < limit:
        if offset + size > settings.file_size:
            at, offset = (at + 1) % len(files), 0
        file = files[at]
        before = clock()
        file.pwrite(block, offset)
        file.sync()
        now = clock()
        offset += size
        result.writes += 1
        _time(result, now - before)
        here += size
        while now >= next_second:
            seconds.append(here)
            here = 0
            next_second += 1_000_000_000
            if progress is not None:
                progress(size, (now - began) / 1e9)
    result.seconds = (now - began) / 1e9
    average = int(result.bytes_written / result.seconds)
    result.fastest_second = max(seconds, default=average)
    result.slowest_second = min(seconds, default=average)
    return result


def _time(result: BlockResult, nanoseconds: int) -> None:
    add(result.histogram.counts, nanoseconds)
    result.total_nanoseconds += nanoseconds
    if nanoseconds > result.longest:
        result.longest, result.longest_number = nanoseconds, result.writes
    if nanoseconds < result.shortest:
        result.shortest, result.shortest_number = nanoseconds, result.writes
