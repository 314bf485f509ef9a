"""The error log, AMQERR01.LOG to AMQERR03.LOG, in MQ's form.

`tell` may be called from anywhere, also under the engine lock: it only formats an entry and keeps it. Files are written
by `write_pending`, which is called by a thread of the log's own (`start`, `stop`), and by code that ends the process.
An entry looks like this; the last line has the package that sent the message, and the message's number:

    25/02/25 14:32:14 - Process(1234.4) User(mqperf) Program(kew)
                       Host(server1) Installation(Installation1)
                       VRMF(0.1.0.0) QMgr(QM1)
                       Time(2025-02-25T14:32:14.804Z)
                       ArithInsert1(4096)
                       CommentInsert1(W)

    AMQ6729W: Log I/O operation (W) exceeded threshold (7000 microseconds).

    EXPLANATION:
    ...
    ACTION:
    ...
    ----- storage/log : 6729 -----

A full or broken disk of the error log never stops the queue manager: entries that cannot be written go to standard
error.
"""

import getpass
import itertools
import os
import posixpath
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from kew.codes.messages import MESSAGES, format_message
from kew.qmgr.config import ErrorLogConfiguration
from kew.storage.clock import Clock
from kew.storage.disk import Disk, DiskError, File
from kew.version import VERSION

FILES: Final = ("AMQERR01.LOG", "AMQERR02.LOG", "AMQERR03.LOG")
MAX_PENDING: Final = 1000
MAX_INSERT: Final = 1024
SYNC_FROM_SEVERITY: Final = 30
SYNC_INTERVAL: Final = 1.0  # seconds between two syncs by the thread that writes, at least
# Entries that unauthenticated clients cause are limited in number, or they could fill the log and keep the writer busy.
CAUSED_BY_OTHERS: Final = ("channels", "security")
MOST_ALIKE: Final = 50
ALIKE_SECONDS: Final = 10
_INDENT: Final = " " * 19


@dataclass(frozen=True)
class Identity:
    """The sender of an entry: queue manager, host and installation."""

    queue_manager: str
    user: str
    program: str
    host: str
    installation: str = "Installation1"
    vrmf: str = f"{VERSION}.0"


def this_process(queue_manager: str, program: str = "kew") -> Identity:
    """Give the identity of the calling process."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = str(os.getuid())
    return Identity(queue_manager, user, program, socket.gethostname())


class _ThreadNumbers(threading.local):
    """Small numbers for threads, in the order of their first entries."""

    _next = itertools.count(1)

    def __init__(self) -> None:
        self.number = next(self._next)


_THREADS: Final = _ThreadNumbers()


def process_and_thread() -> str:
    """Give the process id and the thread's number, as MQ writes them."""
    return f"{os.getpid()}.{_THREADS.number}"


def timestamp(seconds: float) -> tuple[str, str]:
    """Give a time in local time, in the form of an entry's first line, and in UTC, in the form of ISO 8601."""
    moment = datetime.fromtimestamp(seconds, UTC)
    iso = moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"
    return moment.astimezone().strftime("%d/%m/%y %H:%M:%S"), iso


def clean(text: str) -> str:
    """Give an insert as one line of limited length, so that no text from outside can forge an entry."""
    return "".join([character if character.isprintable() else "?" for character in text[:MAX_INSERT]])


def format_entry(
    identity: Identity, process: str, seconds: float, message_id: str, arith: Sequence[int], comments: Sequence[str]
) -> str:
    """Format one entry of the error log."""
    comments = [clean(comment) for comment in comments]
    local, iso = timestamp(seconds)
    lines = [
        f"{local} - Process({process}) User({identity.user}) Program({identity.program})",
        f"{_INDENT}Host({identity.host}) Installation({identity.installation})",
        f"{_INDENT}VRMF({identity.vrmf}) QMgr({identity.queue_manager})",
        f"{_INDENT}Time({iso})",
    ]
    lines += [f"{_INDENT}ArithInsert{index}({value})" for index, value in enumerate(arith, 1)]
    lines += [f"{_INDENT}CommentInsert{index}({comment})" for index, comment in enumerate(comments, 1)]
    message = format_message(message_id, arith, comments)
    row = MESSAGES.get(message_id)
    lines += ["", f"{message_id}: {message.text}", "", "EXPLANATION:", message.explanation, "ACTION:", message.action]
    number = "".join(filter(str.isdigit, message_id))
    lines.append(f"----- {row.source if row else 'kew'} : {number} -----")
    return "\n".join(lines) + "\n"


def _to_standard_error(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class _Alike:
    """The count of one message since the beginning of an interval."""

    def __init__(self, since: float) -> None:
        self.since = since
        self.count = 0
        self.withheld = 0


class ErrorLog:
    """The error log: three files, and the entries that wait to be written; an implementation of Notices."""

    def __init__(
        self,
        disk: Disk,
        directory: str,
        identity: Identity,
        clock: Clock,
        settings: ErrorLogConfiguration | None = None,
        fallback: Callable[[str], None] = _to_standard_error,
    ) -> None:
        # Messages dropped so far, and the number of them that the log has already reported.
        self.lost = 0
        self._admitted = 0
        self._disk = disk
        self._paths = [posixpath.join(directory, name) for name in FILES]
        self._directory = directory
        self._identity = identity
        self._clock = clock
        self._settings = settings or ErrorLogConfiguration()
        self._by_command: tuple[str, ...] = ()  # messages that a command excludes, besides the settings
        self._excluded = frozenset(self._settings.excluded)
        self._fallback = fallback
        self._file: File | None = None
        self._end = 0
        self._unsynced = False  # a severe entry is written that is not yet on disk
        self._synced = -SYNC_INTERVAL  # time of the thread's last sync
        # Guarded by _gate: entries with their severity, and when a suppressed message was last kept.
        self._gate = threading.Condition()
        self._pending: deque[tuple[int, str]] = deque()
        self._kept: dict[str, float] = {}
        self._alike: dict[str, _Alike] = {}
        self._stopping = False
        # Held while files are written, so that entries stay in order when two threads flush.
        self._writing = threading.Lock()
        self._thread: threading.Thread | None = None

    def exclude(self, operator_messages: Iterable[str]) -> None:
        """Exclude messages from now on, named as in SET SYSTEM EXCLMSG, besides those of qm.ini."""
        self._by_command = tuple(["CSQ" + each for each in operator_messages])
        self._excluded = frozenset([*self._settings.excluded, *self._by_command])

    def configure(self, settings: ErrorLogConfiguration) -> None:
        """Use other settings from now on."""
        self._settings = settings
        self._excluded = frozenset([*settings.excluded, *self._by_command])

    def tell(self, message_id: str, arith: Sequence[int] = (), comments: Sequence[str] = ()) -> None:
        """Keep a message until it is written; if MAX_PENDING messages wait, count and drop it."""
        now = self._clock.time()
        trunk = message_id[:-1]
        if trunk in self._excluded:
            return
        row = MESSAGES.get(message_id)
        with self._gate:
            if trunk in self._settings.suppressed:
                before = self._kept.get(trunk)
                if before is not None and 0 <= now - before < self._settings.suppress_interval:
                    return
                self._kept[trunk] = now
            if row is not None and row.source in CAUSED_BY_OTHERS and self._too_often(message_id, now):
                return
            if len(self._pending) >= MAX_PENDING:
                self.lost += 1
                return
        entry = self._format(message_id, arith, comments)
        with self._gate:
            self._pending.append((row.severity if row else 0, entry))
            self._gate.notify()

    def _too_often(self, message_id: str, now: float) -> bool:
        """Count a message; say whether it is withheld, since it came too often in the interval."""
        alike = self._alike.get(message_id)
        if alike is None or (not alike.withheld and not 0 <= now - alike.since < ALIKE_SECONDS):
            alike = self._alike[message_id] = _Alike(now)
        alike.count += 1
        if alike.count <= MOST_ALIKE:
            return False
        alike.withheld += 1
        return True

    def _withheld(self, all_of_them: bool) -> list[tuple[int, str]]:
        """Give entries with the counts of withheld messages, of ended intervals or of all."""
        now = self._clock.time()
        found: list[tuple[int, str]] = []
        for message_id, alike in list(self._alike.items()):
            if all_of_them or not 0 <= now - alike.since < ALIKE_SECONDS:
                del self._alike[message_id]
                if alike.withheld:
                    found.append((0, self._format("CSQY906W", (alike.withheld, ALIKE_SECONDS), (message_id,))))
        return found

    def write_pending(self, now: float | None = None) -> None:
        """Write the waiting entries; an entry that the disk refuses goes to the fallback.

        Without `now` severe entries are on disk when the method returns. The error log's thread gives `now`, and syncs
        at most once in SYNC_INTERVAL: otherwise clients that cause entries could slow down the recovery log.
        """
        with self._writing:
            with self._gate:
                entries = list(self._pending)
                self._pending.clear()
                dropped = self.lost - self._admitted
                self._admitted = self.lost
                entries += self._withheld(now is None)
            if dropped:
                entries.append((0, self._format("CSQY903W", (dropped,), ())))
            for severity, entry in entries:
                self._unsynced = self._unsynced or severity >= SYNC_FROM_SEVERITY
                self._write(entry)
            if self._unsynced and (now is None or now - self._synced >= SYNC_INTERVAL):
                self._sync()
                if now is not None:
                    self._synced = now

    def _sync(self) -> None:
        self._unsynced = False
        if self._file is not None:
            try:
                self._file.sync()
            except DiskError as problem:
                self._give_up(problem)

    def start(self) -> None:
        """Start the thread that writes."""
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="kew-error-log", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Write the waiting entries, end the thread and close the file."""
        with self._gate:
            self._stopping = True
            self._gate.notify()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self.write_pending()
        if self._file is not None:
            self._file.close()
            self._file = None

    def _format(self, message_id: str, arith: Sequence[int], comments: Sequence[str]) -> str:
        return format_entry(self._identity, process_and_thread(), self._clock.time(), message_id, arith, comments)

    def _run(self) -> None:
        while True:
            with self._gate:
                while not self._pending and not self._stopping:
                    if not self._gate.wait(SYNC_INTERVAL if self._unsynced or self._alike else None):
                        break  # no entry came, and a sync or a report of withheld messages is due
                if self._stopping:
                    return
            self.write_pending(time.monotonic())

    def _write(self, entry: str) -> None:
        data = entry.encode("utf-8", errors="replace")
        try:
            if self._file is None:
                self._open()
            if self._end and self._end + len(data) > self._settings.size:
                self._rotate()
            if self._file is not None:
                self._file.pwrite(data, self._end)
                self._end += len(data)
        except DiskError as problem:
            self._give_up(problem)
            self._fallback(entry)

    def _open(self) -> None:
        self._disk.make_directory(self._directory)
        self._file = self._disk.open(self._paths[0], create=True)
        self._end = self._file.size()

    def _rotate(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        for old, new in zip(reversed(self._paths[:-1]), reversed(self._paths[1:]), strict=True):
            if self._disk.exists(old):
                self._disk.rename(old, new)
        self._open()

    def _give_up(self, problem: DiskError) -> None:
        """Report that the error log cannot be written; the next entry opens the file again."""
        self._fallback(f"The error log cannot be written: {problem}")
        if self._file is not None:
            self._file.close()
            self._file = None
