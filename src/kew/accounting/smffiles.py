"""The destinations of SMF records: files in a directory of the queue manager, and a ring in memory for live readers.

    smf/SMF00001.smf                      all records; or, where they are kept apart,
    smf/SMF115.00001.smf  SMF116.00001.smf
    smf/SMF00001.smf.gz                   where files are compressed: gzip members, one for each batch

A file begins with a type 2 record and, once it is full or the queue manager ends, is closed by one of type 3. A file is
never continued by another run: after a crash its last record may be torn, which readers pass over.

The recorder hands records over and does not wait. Records wait in memory, at most `backlog` bytes of them, and a thread
writes them. Records for which there is no room, or which cannot be written, are lost, counted and reported (CSQW133E).
"""

import gzip
import posixpath
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from kew.codes.messages import Notices
from kew.formats.smf import DumpWriter, dump_marker
from kew.formats.smf.records import ACCOUNTING, DUMP_HEADER, DUMP_TRAILER, STATISTICS
from kew.storage.disk import Disk, DiskError, File

RING_BYTES: Final = 4 << 20
TOLD_EVERY: Final = 60.0  # seconds between two messages about lost records
_DIGITS: Final = 5


@dataclass(frozen=True)
class SmfSettings:
    """The settings of SMF files."""

    release: int = 90300
    system: str = "KEW"
    file_size: int = 64 << 20
    files: int = 20  # kept of each kind; 0 for all
    compress: bool = False
    separate: bool = False
    backlog: int = 16 << 20


def system_id(wanted: str = "") -> str:
    """Give the four characters of the SMF system id: those configured, else the start of the host's name."""
    given = wanted or socket.gethostname().partition(".")[0]
    return "".join([each if each.isascii() and each.isalnum() else "" for each in given]).upper()[:4] or "KEW"


class Ring:
    """The newest records, numbered from 1; the methods may be called from any thread."""

    def __init__(self, most: int = RING_BYTES) -> None:
        self._most = most
        self._records: deque[bytes] = deque()
        self._bytes = 0
        self._taken = 0  # records there ever were
        self._change = threading.Condition()

    def add(self, record: bytes) -> None:
        """Add a record; the oldest are dropped."""
        with self._change:
            self._records.append(record)
            self._bytes += len(record)
            self._taken += 1
            while self._bytes > self._most and len(self._records) > 1:
                self._bytes -= len(self._records.popleft())
            self._change.notify_all()

    def since(self, number: int, seconds: float = 0.0) -> tuple[int, list[bytes]]:
        """Give the records after a number, and the last number; wait for a record up to `seconds`."""
        with self._change:
            if number >= self._taken and seconds > 0:
                self._change.wait(seconds)
            wanted = min(max(0, self._taken - number), len(self._records))
            newest = [self._records[place] for place in range(len(self._records) - wanted, len(self._records))]
            return self._taken, newest


class _Stream:
    """One series of files."""

    def __init__(self, files: "SmfFiles", prefix: str) -> None:
        self._files = files
        self.prefix = prefix
        self._dump = DumpWriter()
        self._file: File | None = None
        self._size = 0

    def write(self, records: list[bytes]) -> None:
        """Write records, to as many files as they need."""
        data = bytearray()
        for record in records:
            if self._file is None:
                self._open()
                data += self._marker(opens=True)
            data += self._dump.add(record)
            if self._size + len(data) >= self._files.settings.file_size:
                self._put(data + self._marker(opens=False))
                data = bytearray()
                self._finish()
        if data:
            self._put(data)

    def close(self) -> None:
        """End the file."""
        if self._file is not None:
            self._put(bytearray(self._marker(opens=False)))
            self._finish()

    def _marker(self, opens: bool) -> bytes:
        now = datetime.now()
        centiseconds = ((now.hour * 60 + now.minute) * 60 + now.second) * 100 + now.microsecond // 10000
        kind = DUMP_HEADER if opens else DUMP_TRAILER
        return self._dump.add(dump_marker(kind, self._files.settings.system, now.date(), centiseconds))

    def _put(self, data: bytearray) -> None:
        assert self._file is not None
        self._size += len(data)
        written = gzip.compress(bytes(data), 1) if self._files.settings.compress else bytes(data)
        self._file.pwrite(written, self._file.size())

    def _open(self) -> None:
        files = self._files
        there = files.numbers(self.prefix)
        files.disk.make_directory(files.directory)
        self._file = files.disk.open(files.path(self.prefix, (there[-1] if there else 0) + 1), create=True)
        self._size = 0
        keep = files.settings.files
        for number in there[: len(there) + 1 - keep] if keep else []:
            for path in files.paths(self.prefix, number):
                files.disk.remove(path)

    def _finish(self) -> None:
        if self._file is not None:
            self._file.sync()
            self._file.close()
        self._file = None

    def give_up(self) -> None:
        """Abandon a file that could not be written; the next record begins another."""
        if self._file is not None:
            self._file.close()
        self._file = None


class SmfFiles:
    """Takes records from any thread and writes them."""

    def __init__(self, disk: Disk, directory: str, settings: SmfSettings, notices: Notices) -> None:
        self.disk = disk
        self.directory = directory
        self.settings = settings
        self.ring = Ring()
        self.lost = 0  # since the start
        self.written = 0
        self._notices = notices
        self._untold = 0
        self._told = -TOLD_EVERY
        self._waiting: list[bytes] = []
        self._bytes = 0
        self._change = threading.Condition()
        self._writing = threading.Lock()
        self._stopping = False
        self._streams = {
            STATISTICS: _Stream(self, "SMF115." if settings.separate else "SMF"),
            ACCOUNTING: _Stream(self, "SMF116."),
        }
        if not settings.separate:
            self._streams[ACCOUNTING] = self._streams[STATISTICS]
        self._thread = threading.Thread(target=self._run, name="kew-smf", daemon=True)

    # -- names --------------------------------------------------------------------------------------------------------

    def path(self, prefix: str, number: int) -> str:
        """Give the path of a file."""
        ending = ".smf.gz" if self.settings.compress else ".smf"
        return posixpath.join(self.directory, f"{prefix}{number:0{_DIGITS}d}{ending}")

    def paths(self, prefix: str, number: int) -> list[str]:
        """Give the existing files of a number, compressed or not."""
        plain = posixpath.join(self.directory, f"{prefix}{number:0{_DIGITS}d}.smf")
        return [path for path in (plain, plain + ".gz") if self.disk.exists(path)]

    def numbers(self, prefix: str) -> list[int]:
        """Give the numbers of the existing files, in order."""
        if not self.disk.exists(self.directory):
            return []
        found: set[int] = set()
        for name in self.disk.list_directory(self.directory):
            number = name[len(prefix) :].partition(".")[0]
            if name.startswith(prefix) and number.isdigit():
                found.add(int(number))
        return sorted(found)

    # -- records ------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start writing."""
        self._thread.start()

    def offer(self, records: list[bytes]) -> None:
        """Take records, as far as there is room for them; never waits for the disk."""
        with self._change:
            for record in records:
                if self._bytes + len(record) > self.settings.backlog:
                    self.lost += 1
                    self._untold += 1
                else:
                    self._waiting.append(record)
                    self._bytes += len(record)
            self._change.notify()
        self._tell(time.monotonic())  # the writer itself may be stuck
        for record in records:
            self.ring.add(record)

    def lose(self, count: int) -> None:
        """Count records that were lost before they were offered."""
        with self._change:
            self.lost += count
            self._untold += count
            self._change.notify()

    def stop(self) -> None:
        """Write the waiting records, and close the files."""
        with self._change:
            self._stopping = True
            self._change.notify()
        if self._thread.is_alive():
            self._thread.join()
        self.write_pending()
        with self._writing:
            for stream in {id(stream): stream for stream in self._streams.values()}.values():
                self._try(stream.close, stream, 0)
        self._tell(time.monotonic() + TOLD_EVERY)

    def abandon(self) -> None:
        """End as a crash would: unwritten records are lost."""
        with self._change:
            self._stopping = True
            self._waiting = []
            self._change.notify()
        if self._thread.is_alive():
            self._thread.join()
        for stream in self._streams.values():
            stream.give_up()

    def _run(self) -> None:
        while True:
            with self._change:
                while not self._waiting and not self._untold and not self._stopping:
                    self._change.wait()
                stopping = self._stopping
            self.write_pending()
            self._tell(time.monotonic())
            if stopping:
                return
            with self._change:
                if not self._waiting and self._untold and not self._stopping:
                    self._change.wait(TOLD_EVERY)

    def write_pending(self) -> None:
        """Write the pending records."""
        with self._writing:
            with self._change:
                records, self._waiting = self._waiting, []
                self._bytes = 0
            for kind in (STATISTICS, ACCOUNTING) if self.settings.separate else (STATISTICS,):
                chosen = [record for record in records if not self.settings.separate or record[5] == kind]
                if chosen:
                    stream = self._streams[kind]
                    self._try(partial(stream.write, chosen), stream, len(chosen))

    def _try(self, work: Callable[[], None], stream: _Stream, count: int) -> None:
        try:
            work()
            self.written += count
        except DiskError:
            stream.give_up()
            with self._change:
                self.lost += count
                self._untold += count

    def _tell(self, now: float) -> None:
        with self._change:
            if not self._untold or now - self._told < TOLD_EVERY:
                return
            lost, self._untold = self._untold, 0
            self._told = now
        self._notices.tell("CSQW133E", (lost,), (f"SMF in {self.directory}",))
