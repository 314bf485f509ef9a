"""The copies of the log: the files of one directory each, with timing and counting around every read and write.

Pages are written to all copies at the same time: to the first by the writer's thread, to each other by a thread of its
own. A rule computes the address that may be acknowledged from the address that each copy holds: today's rule is that
all copies must hold it.
"""

import contextlib
import posixpath
import threading
from collections.abc import Callable
from typing import Final

from kew.storage.clock import Clock
from kew.storage.disk import ZEROS, Disk, DiskError
from kew.storage.fileheader import LOG_FILE, NOBODY, BehindHeader, Identity, draft, header_page, publish
from kew.storage.log.counters import CopyCounters
from kew.storage.log.delay import SlowIo
from kew.storage.log.latch import Wakeup
from kew.storage.logaddress import NO_ADDRESS, PAGE_SIZE, LogAddress

# The most pages that go into one write.
WRITE_PAGES: Final = 128


class PageWrite:
    """Pages to be written at an offset of a log file."""

    def __init__(self, slot: int, offset: int, data: bytes) -> None:
        self.slot = slot
        self.offset = offset
        self.data = data


def file_name(slot: int) -> str:
    """Return the name of the log file of a slot."""
    return f"S{slot:07d}.LOG"


class LogCopy:
    """The log files of one directory; copies are numbered from 1."""

    def __init__(
        self,
        number: int,
        directory: str,
        disk: Disk,
        extent_bytes: int,
        clock: Clock,
        slow: SlowIo,
        counters: CopyCounters,
        owner: Identity = NOBODY,
    ) -> None:
        self.number = number
        self.directory = directory
        self.counters = counters
        # Everything that ends at or before it is on disk in this copy; it moves by whole takes.
        self.held = NO_ADDRESS
        # The pages, by path and offset, that the device refused to read.
        self.unreadable: set[tuple[str, int]] = set()
        self._disk = disk
        self._extent_bytes = extent_bytes
        self._clock = clock
        self._slow = slow
        self._owner = owner
        self._files: dict[int, BehindHeader] = {}

    def path(self, slot: int) -> str:
        """Return the path of a slot's file."""
        return posixpath.join(self.directory, file_name(slot))

    def whole(self, slot: int) -> bool:
        """Return whether a slot's file exists at its full size."""
        return self._disk.exists(self.path(slot)) and self.file(slot).size() == self._extent_bytes

    def file(self, slot: int) -> BehindHeader:
        """Return a slot's open file, which begins behind its header."""
        file = self._files.get(slot)
        if file is None:
            file = BehindHeader(self._disk.open(self.path(slot)))
            self._files[slot] = file
        return file

    def format(self, slot: int) -> None:
        """Make a slot's file, complete and durable or not at all: blocks reserved, written once, then named."""
        path = self.path(slot)
        file: BehindHeader | None = None
        try:
            file = draft(self._disk, path, header_page(LOG_FILE, self._owner, slot))
            file.allocate(self._extent_bytes)
            for offset in range(0, self._extent_bytes, len(ZEROS)):
                file.pwrite(ZEROS[: self._extent_bytes - offset], offset)
            self._files[slot] = publish(self._disk, path, file)
        except DiskError:
            if file is not None:
                file.close()
            for left in (path, path + ".NEW"):
                with contextlib.suppress(DiskError):
                    self._disk.remove(left)
            raise

    def duplicate(self, slot: int, other: "LogCopy") -> None:
        """Copy the file of a slot to another copy of the log."""
        other.format(slot)
        for offset in range(0, self._extent_bytes, len(ZEROS)):
            other.rewrite(slot, offset, self.read(slot, offset, min(len(ZEROS), self._extent_bytes - offset)))
        other.sync(slot)

    def remove(self, slot: int) -> None:
        """Remove a slot's file, durably."""
        file = self._files.pop(slot, None)
        if file is not None:
            file.close()
        path = self.path(slot)
        if self._disk.exists(path):
            self._disk.remove(path)
            self._disk.sync_directory(self.directory)

    def discard(self, slots: int) -> None:
        """Remove the files of a creation that failed, as far as the device allows."""
        for slot in range(slots):
            with contextlib.suppress(DiskError):
                self.remove(slot)
        with contextlib.suppress(DiskError):
            self._disk.remove_directory(self.directory)

    def write(self, writes: list[PageWrite]) -> None:
        """Write pages and make them durable, one sync for each file; its time counts for the file's last write."""
        clock = self._clock
        started = clock.monotonic()
        last = len(writes) - 1
        for index, write in enumerate(writes):
            file = self.file(write.slot)
            file.pwrite(write.data, write.offset)
            if index == last or writes[index + 1].slot != write.slot:
                file.sync()
                self.counters.syncs += 1
            ended = clock.monotonic()
            self._count(write, ended - started)
            started = ended

    def _count(self, write: PageWrite, seconds: float) -> None:
        counters = self.counters
        pages = len(write.data) // PAGE_SIZE
        io = counters.class_of(pages)
        io.written(pages, seconds)
        counters.busy_seconds += seconds
        microseconds = int(seconds * 1e6)
        counters.square_microseconds += microseconds * microseconds
        if seconds > io.longest:
            io.longest = seconds
            io.longest_when = self._clock.time()
            io.longest_file = file_name(write.slot)
        if seconds > self._slow.threshold:
            self._slow.report("W", self.path(write.slot), len(write.data), seconds)

    def rewrite(self, slot: int, offset: int, data: bytes) -> None:
        """Write pages without a sync; `sync` follows."""
        self.file(slot).pwrite(data, offset)

    def sync(self, slot: int) -> None:
        """Make a slot's file durable."""
        self.file(slot).sync()

    def read(self, slot: int, offset: int, length: int) -> bytes:
        """Return bytes of a slot's file; bytes that cannot be read come back as zeros."""
        started = self._clock.monotonic()
        file = self.file(slot)
        try:
            data = file.pread(length, offset)
        except DiskError:
            data = self._read_pages(file, offset, length)
        seconds = self._clock.monotonic() - started
        if seconds > self._slow.threshold:
            self._slow.report("R", self.path(slot), length, seconds)
        if len(data) < length:
            data += bytes(length - len(data))
        return data

    def _read_pages(self, file: BehindHeader, offset: int, length: int) -> bytes:
        """Read page by page around a spot that the device cannot read."""
        pages = []
        for position in range(offset, offset + length, PAGE_SIZE):
            try:
                pages.append(file.pread(PAGE_SIZE, position))
            except DiskError:
                pages.append(bytes(PAGE_SIZE))
                self.unreadable.add((file.path, position))
        return b"".join(pages)

    def readable(self, slot: int, offset: int) -> bool:
        """Return whether the device gave the page at that offset when it was last read."""
        return (self.path(slot), offset) not in self.unreadable

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            file.close()
        self._files.clear()


Rule = Callable[[list[LogAddress]], LogAddress]


def held_by_all(held: list[LogAddress]) -> LogAddress:
    """Give the address that every copy holds: up to there the log is acknowledged."""
    return min(held)


class LogCopies:
    """All copies of the log, and the rule for the address up to which the log may be acknowledged."""

    def __init__(self, copies: list[LogCopy], rule: Rule, start: LogAddress) -> None:
        self.copies = copies
        self._rule = rule
        self._others: list[CopyThread] = []
        for copy in copies:
            copy.held = start

    def start(self) -> None:
        """Give each copy but the first a thread that writes it."""
        self._others = [CopyThread(copy) for copy in self.copies[1:]]

    def stop(self) -> None:
        """End the threads; all copies are written one after the other from now on."""
        for other in self._others:
            other.stop()
        self._others = []

    def write(self, writes: list[PageWrite], end: LogAddress) -> None:
        """Make pages durable on every copy, which then holds the log up to `end`."""
        others = self._others
        if len(others) + 1 < len(self.copies):  # no threads run
            for copy in self.copies:
                copy.write(writes)
        elif others:
            self._write_together(writes)
        else:
            self.copies[0].write(writes)
        for copy in self.copies:
            copy.held = end

    def _write_together(self, writes: list[PageWrite]) -> None:
        for other in self._others:
            other.start(writes)
        try:
            self.copies[0].write(writes)
        finally:
            failures = [failure for failure in [other.wait() for other in self._others] if failure is not None]
        if failures:
            raise failures[0]

    def acknowledged(self) -> LogAddress:
        """Return the address up to which the log may be acknowledged."""
        return self._rule([copy.held for copy in self.copies])


class CopyThread:
    """A thread that writes one copy while the writer writes the first."""

    def __init__(self, copy: LogCopy) -> None:
        self._copy = copy
        self._writes: list[PageWrite] = []
        self._failure: BaseException | None = None
        self._go = Wakeup()
        self._done = Wakeup()
        self._stopping = False
        self._runner = threading.Thread(target=self._run, name=f"kew-log-copy{copy.number}", daemon=True)
        self._runner.start()

    def start(self, writes: list[PageWrite]) -> None:
        """Let the thread write."""
        self._writes = writes
        self._failure = None
        self._go.ring()

    def wait(self) -> BaseException | None:
        """Wait until the thread has written; gives the error it met."""
        self._done.listen()
        return self._failure

    def stop(self) -> None:
        """End the thread."""
        self._stopping = True
        self._go.ring()
        self._runner.join()

    def _run(self) -> None:
        while True:
            self._go.listen()
            if self._stopping:
                return
            try:
                self._copy.write(self._writes)
            except BaseException as failure:
                self._failure = failure
            self._done.ring()
