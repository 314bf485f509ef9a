"""The log: append, force, read, and its start and end."""

import os
import secrets
import threading
from collections.abc import Callable, Mapping
from typing import NoReturn

from kew.storage.clock import Clock, SystemClock
from kew.storage.disk import Disk, DiskError
from kew.storage.fileheader import NOBODY, Identity
from kew.storage.log import interrupts
from kew.storage.log.active import ActivePages
from kew.storage.log.archive import ArchiveStore
from kew.storage.log.bootstrap import (
    FREE,
    Bootstrap,
    BootstrapState,
    bootstrap_path,
    create_bootstrap,
    open_bootstrap,
    read_bootstrap,
)
from kew.storage.log.buffer import LogBuffer
from kew.storage.log.copies import LogCopies, LogCopy, Rule, file_name, held_by_all
from kew.storage.log.counters import LogCounters
from kew.storage.log.delay import FirstFailure, SlowIo, slow_io
from kew.storage.log.errors import LogBroken, LogDamaged, LogError, LogSettingsError
from kew.storage.log.extents import ExtentTable
from kew.storage.log.headers import check_log
from kew.storage.log.maintenance import Maintenance
from kew.storage.log.notices import (
    BROKEN,
    COPY_RECREATED,
    NoNotices,
    Notices,
)
from kew.storage.log.reader import PageSource, RecordReader
from kew.storage.log.record import RECORD_HEADER, LogRecord
from kew.storage.log.settings import LogDirectories, LogSettings
from kew.storage.log.tail import TailScan
from kew.storage.log.writer import LogWriter, PageFramer
from kew.storage.logaddress import (
    PAGE_HEADER,
    PAGE_PAYLOAD,
    PAGE_SIZE,
    LogAddress,
    boundary,
    next_page,
    page_start,
)


class Log:
    """The log of a queue manager; `Log.create` makes one, `Log.open` starts it."""

    def __init__(
        self,
        settings: LogSettings,
        bootstrap: Bootstrap,
        copies: list[LogCopy],
        extents: ExtentTable,
        archive: ArchiveStore,
        end: int,
        chain: int,
        clock: Clock,
        notices: Notices,
        counters: LogCounters,
        rule: Rule,
    ) -> None:
        state = bootstrap.state
        rewrites = settings.write_integrity == "SingleWrite"
        start = LogAddress(end + PAGE_HEADER)
        self.settings = settings
        # Called with a durable address after each step, by the thread that made it. Steps of two threads may be told
        # in either order: what counts is the highest.
        self.on_durable: list[Callable[[LogAddress], None]] = []
        # Called once, with what happened, when the log breaks.
        self.on_failure: list[Callable[[BaseException], None]] = []
        self._counters = counters
        self._clock = clock
        self._notices = notices
        self._bootstrap = bootstrap
        self._copies = LogCopies(copies, rule, start)
        self._extents = extents
        self._archive = archive
        self._buffer = LogBuffer(start, settings.buffer_pages, rewrites, clock.monotonic)
        framer = PageFramer(state.log_id, state.life, chain, rewrites)
        self._writer = LogWriter(self._buffer, framer, extents, self._copies, counters, clock.monotonic, clock.time)
        self._active = ActivePages(copies, extents, state.log_id, self._writer, notices)
        self._source = PageSource(self._active, archive, state.log_id, clock, counters)
        self._maintenance = Maintenance(settings, self._buffer, extents, bootstrap, self._active, archive, notices)
        # Held through each writer step.
        self._step_lock = threading.Lock()
        self._runner: threading.Thread | None = None

    # Making and starting.

    @staticmethod
    def create(
        disk: Disk,
        settings: LogSettings,
        directories: LogDirectories,
        log_id: int | None = None,
        owner: Identity = NOBODY,
    ) -> None:
        """Make a new log; the directories must hold none. Files of a creation that a crash ended are used again."""
        places = _places(settings, directories)
        for place in places:
            if disk.exists(bootstrap_path(place)):
                raise LogError(f"{place} holds a log already")
        drawn = secrets.randbits(32) if log_id is None else log_id
        state = BootstrapState(drawn, settings.file_pages, settings.linear, owner)
        state.copies = len(places)
        state.clean = True
        clock = SystemClock()
        slow = SlowIo(0, NoNotices())
        counters = LogCounters()
        copies = [
            LogCopy(index + 1, place, disk, settings.extent_bytes, clock, slow, counters.copies[index], owner)
            for index, place in enumerate(places)
        ]
        try:
            for copy in copies:
                disk.make_directory(copy.directory)
                for slot in range(settings.primary):
                    copy.format(slot)
                    state.extents[slot] = FREE
            if settings.linear and settings.archive:
                disk.make_directory(directories.archive)
            create_bootstrap(disk, places, state)
        except DiskError:
            for copy in copies:
                copy.discard(settings.primary)
            raise
        for copy in copies:
            copy.close()

    @staticmethod
    def open(
        disk: Disk,
        settings: LogSettings,
        directories: LogDirectories,
        notices: Notices | None = None,
        clock: Clock | None = None,
        environment: Mapping[str, str] | None = None,
        first_failure: FirstFailure | None = None,
        rule: Rule = held_by_all,
    ) -> "Log":
        """Start a log: find its end, bring its copies in line, and make it ready for records.

        `rule` computes the address that may be acknowledged from the address that each copy holds.
        """
        notices = NoNotices() if notices is None else notices
        clock = SystemClock() if clock is None else clock
        slow = slow_io(os.environ if environment is None else environment, notices, first_failure)
        places = _places(settings, directories)
        damaged = check_log(disk, places, directories.archive)
        state, stale = read_bootstrap(disk, places, notices)
        _check_fixed(settings, state)
        counters = LogCounters()
        bootstrap = open_bootstrap(disk, places, state)
        copies = [
            LogCopy(index + 1, place, disk, settings.extent_bytes, clock, slow, counters.copies[index], state.owner)
            for index, place in enumerate(places)
        ]
        archive = ArchiveStore(disk, directories.archive, bootstrap, settings.extent_bytes, counters, notices, clock)
        try:
            for each in damaged:
                each.mend(disk, state.owner, notices)
            extents = ExtentTable(settings, bootstrap, copies, clock, notices, counters)
            _restore_files(state, extents, copies, stale, notices)
            scan = TailScan(state, extents, copies, settings.buffer_pages, notices)
            started = clock.monotonic()
            scan.run(page_start(state.needed))
            counters.read_seconds += clock.monotonic() - started
            counters.read_pages += scan.scanned
            counters.read_bytes += scan.scanned * PAGE_SIZE
            state.life += 1
            state.clean = False
            state.copies = len(copies)
            state.durable = scan.end
            bootstrap.save()
            chain = scan.last.crc if scan.last is not None else 0
            log = Log(settings, bootstrap, copies, extents, archive, scan.end, chain, clock, notices, counters, rule)
            extents.format_primary()
            log.maintain()
        except BaseException:
            _close(copies, archive, bootstrap)
            raise
        return log

    # Appending.

    @property
    def buffer(self) -> LogBuffer:
        """Return the buffer, for verbs that read its counters."""
        return self._buffer

    @property
    def next_address(self) -> LogAddress:
        """Return the address of the next record; directly after an append, the end of the record."""
        return self._buffer.next_address

    @property
    def life(self) -> int:
        """Return the number of starts of the log, which never falls, even if the clock is set back."""
        return self._bootstrap.state.life

    @property
    def on_disk(self) -> LogAddress:
        """Return the address up to which all is on disk, on all copies of this machine; restart will find it."""
        return self._buffer.on_disk

    @property
    def durable(self) -> LogAddress:
        """Return the address up to which the log may be acknowledged."""
        return self._buffer.durable

    @property
    def broken(self) -> BaseException | None:
        """Return the error that broke the log, or None."""
        return self._buffer.failure

    @property
    def owner(self) -> Identity:
        """Return the queue manager that has the log."""
        return self._bootstrap.state.owner

    @property
    def appended(self) -> int:
        """Return how many records were appended since the start."""
        return self._buffer.appended

    @property
    def counters(self) -> LogCounters:
        """Return the counters of the log, up to date."""
        counters = self._counters
        buffer = self._buffer
        counters.write_requests_nowait = buffer.appended
        counters.write_requests_force = buffer.forces
        counters.write_requests_wait = buffer.waits
        counters.suspends = buffer.waits
        counters.threshold_writes = buffer.threshold_reached
        counters.bytes_appended = buffer.bytes_appended
        counters.bootstrap_accesses = self._bootstrap.saves
        return counters

    def append(self, kind: int, unit: int, previous: int, head: bytes, body: bytes = b"", flags: int = 0) -> LogAddress:
        """Add a record and return its address; one thread at a time, no I/O, no waiting."""
        return self._buffer.append(kind, unit, previous, head, body, flags)

    def room(self, size: int) -> bool:
        """Return whether a record of that payload size may be appended now."""
        return self.buffer_room(size) and self.space_room(size, 0)

    def buffer_room(self, size: int) -> bool:
        """Return whether the log buffer has room for a record of that payload size."""
        if self._buffer.room(size):
            return True
        self._counters.buffer_waits += 1
        return False

    def space_room(self, size: int, reserve: int) -> bool:
        """Return whether the active log has space for a record of that payload size and `reserve` bytes behind it."""
        return space_needed(size + reserve) <= self.space_left()

    def space_left(self) -> int:
        """Return how many bytes of the stream can still be written before a file must be given up."""
        buffer = self._buffer
        return max(0, buffer.limit - buffer.next_address)

    # Making durable.

    def set_write_threshold(self, pages: int) -> None:
        """Set the number of pending pages at which the log is written although no thread waits for it."""
        self._buffer.threshold = min(self._buffer.capacity // 2, pages * PAGE_SIZE)

    @property
    def write_threshold(self) -> int:
        """Return the number of pending pages at which the log is written although no thread waits for it."""
        return self._buffer.threshold // PAGE_SIZE

    def request_force(self, address: LogAddress) -> bool:
        """Ask for the log to become durable up to `address`, without waiting; return whether that is so already."""
        self._buffer.want(address)
        return self._buffer.durable >= address

    def force_or_request(self, address: LogAddress) -> bool:
        """As `request_force`, but the caller runs a writer step itself while the writer sleeps."""
        if self._buffer.resting() and self._step_alone(address):
            return self._buffer.durable >= address
        return self.request_force(address)

    def force(self, address: LogAddress) -> None:
        """Return once the log is durable up to `address`.

        While the writer thread sleeps the caller runs a writer step itself, which saves two changes of thread.
        Otherwise the caller waits for the writer, whose next step serves all callers that wait.
        """
        buffer = self._buffer
        if address <= buffer.durable:
            return
        if not buffer.resting() or not self._step_alone(address):
            latch = buffer.want(address)
            if latch is not None:
                latch.wait()
        while buffer.durable < address:
            if buffer.failure is not None:
                raise LogBroken(f"the log acknowledges nothing: {buffer.failure}")
            if not self.write_pending() and buffer.on_disk >= address:
                latch = buffer.want(address)
                if latch is not None:
                    latch.wait()

    def force_to_disk(self, address: LogAddress) -> None:
        """Return once the copies on this machine hold the log up to `address`, whether it may be acknowledged or not.

        Called before a page is written, and for a record that does not fit into the buffer. A commit must not be
        acknowledged after this call alone.
        """
        buffer = self._buffer
        while buffer.on_disk < address:
            if buffer.failure is not None:
                raise LogBroken(f"the log writes nothing: {buffer.failure}")
            if address > buffer.next_address:
                raise LogError(f"the log ends at {buffer.next_address:#x}, before {address:#x}")
            self.write_pending()

    def _step_alone(self, address: LogAddress) -> bool:
        """Run a writer step for a caller, unless another thread is in one; return whether it was run."""
        held = interrupts.hold()
        try:
            if not self._step_lock.acquire(False):
                return False
            try:
                self._buffer.want(address, ring=False)
            except LogError:
                self._step_lock.release()
                raise
            self._step()
            return True
        finally:
            if held:
                interrupts.release()

    def write_pending(self) -> bool:
        """Do one writer step: make everything pending durable; return whether there was anything."""
        held = interrupts.hold()
        try:
            self._step_lock.acquire()
            return self._step()
        finally:
            if held:
                interrupts.release()

    def _step(self) -> bool:
        """Run a writer step and release the step lock, which the caller has taken."""
        try:
            taken = self._buffer.take()
            if taken is None:
                return False
            try:
                self._writer.write(taken)
                if self._maintenance.due():
                    self._maintenance.ask()
            except BaseException as failure:
                self._broken_by(failure)
        finally:
            self._step_lock.release()
        self.acknowledge()
        return True

    def acknowledge(self) -> None:
        """Wake the threads that wait for what may now be acknowledged; called when a copy holds more."""
        self._buffer.acknowledge(self._copies.acknowledged())
        durable = self._buffer.durable
        try:
            for callback in self.on_durable:
                callback(durable)
        except BaseException as failure:
            # Threads that wait for it would never be woken.
            self._broken_by(failure)

    def _broken_by(self, failure: BaseException) -> NoReturn:
        self.fail(failure)
        if isinstance(failure, (DiskError, LogError)):
            raise LogBroken(f"the log is broken: {failure}") from failure
        raise failure

    def fail(self, failure: BaseException) -> None:
        """Break the log: nothing more is accepted or acknowledged, and every thread that waits gets the error."""
        if not self._buffer.fail(failure):
            return
        if isinstance(failure, DiskError):
            self._notices.tell(BROKEN, (failure.errno or 0,), (failure.path, str(failure)))
        for callback in self.on_failure:
            callback(failure)

    def start_writer(self) -> None:
        """Run writer steps, and the maintenance beside them, in threads of their own."""
        if self._runner is not None:
            return
        self._copies.start()
        self._maintenance.start(self.fail)
        self._buffer.start()
        self._runner = threading.Thread(target=self._write_loop, name="kew-log-writer", daemon=True)
        self._runner.start()

    def stop_writer(self) -> None:
        """End the threads, after the requested steps are done."""
        thread = self._runner
        if thread is None:
            return
        self._buffer.stop()
        thread.join()
        self._runner = None
        self._maintenance.stop()
        self._copies.stop()

    def _write_loop(self) -> None:
        while self._buffer.idle():
            try:
                self.write_pending()
            except LogBroken:
                # The log is broken, and all threads that wait have the error.
                return

    def busy_seconds(self) -> float:
        """Return the seconds spent writing the copy that took longest, since the log was opened."""
        return max([copy.busy_seconds for copy in self._counters.copies])

    # Keeping and giving up.

    @property
    def checkpoint(self) -> LogAddress:
        """Return the address of the last checkpoint, 0 for none."""
        return self._bootstrap.state.checkpoint

    @property
    def needed(self) -> LogAddress:
        """Return the oldest address that restart needs."""
        return LogAddress(self._extents.needed)

    def set_checkpoint(
        self, address: LogAddress, needed: LogAddress | None = None, media: LogAddress | None = None
    ) -> None:
        """Record durably that restart begins at the checkpoint at `address`, which must be durable.

        With `needed` the same write also records the oldest addresses that restart and media recovery need, as
        `set_needed` does.
        """
        if address >= self.on_disk:
            raise LogError(f"the checkpoint at {address:#x} is not on disk")
        bootstrap = self._bootstrap
        try:
            with bootstrap.lock:
                bootstrap.state.checkpoint = address
                bootstrap.state.durable = boundary(self.on_disk)
                if needed is not None:
                    self._move_needed(needed, media)
                bootstrap.save()
        except BaseException as failure:
            self._broken_by(failure)
        self._counters.checkpoints += 1
        if needed is not None:
            self._ask_for_maintenance()

    def set_needed(self, address: LogAddress, media: LogAddress | None = None) -> None:
        """Set the oldest address that restart needs, and that of media recovery; extents before it are given up.

        Must follow the `set_checkpoint` after which restart no longer needs older extents. No I/O is done while the
        threads run.
        """
        self._move_needed(address, media)
        self._ask_for_maintenance()

    def _move_needed(self, address: LogAddress, media: LogAddress | None) -> None:
        state = self._bootstrap.state
        if state.checkpoint:
            address = min(address, state.checkpoint)
        state.needed = max(address, state.needed)
        self._extents.needed = state.needed
        if media is not None:
            state.media = media

    def _ask_for_maintenance(self) -> None:
        try:
            self._maintenance.ask()
        except BaseException as failure:
            self._broken_by(failure)
        self._buffer.set_limit(self._extents.limit())

    def maintain(self) -> None:
        """Do the work of the maintenance thread now: prepare, archive and give back log files."""
        try:
            self._maintenance.step()
        except BaseException as failure:
            self._broken_by(failure)

    def watch_files(self, told: Callable[[str, str, str], None]) -> None:
        """Set a listener, which must not wait, for changes of the files that a linear log needs."""
        self._maintenance.watch_files(told)

    # Reading.

    def read(self, start: LogAddress, end: LogAddress | None = None) -> RecordReader:
        """Return an iterator over the records on disk that start at or behind `start` and before `end`."""
        on_disk = self.on_disk
        stop = on_disk if end is None else min(end, on_disk)
        return RecordReader(self._source, start, stop, 256)

    def record_at(self, address: LogAddress) -> LogRecord:
        """Return the record at `address`, on disk or not yet."""
        if address >= self.on_disk:
            record = self._buffer.find(address)
            if record is not None:
                self._counters.reads_buffer += 1
                return record
        record = RecordReader(self._source, address, self.on_disk, 1).next_record()
        if record is None:
            raise LogError(f"no log record starts at {address:#x}")
        return record

    @property
    def oldest_address(self) -> LogAddress:
        """Return the first address from which on the log can be read without a gap, in active files and archives."""
        number = self._extents.lowest()
        while number - 1 in self._bootstrap.state.archives:
            number -= 1
        return LogAddress(number * self._extents.extent_bytes)

    def is_archived(self, number: int) -> bool:
        """Return whether an extent is in the archive."""
        return number in self._bootstrap.state.archives

    def full_extents(self) -> int:
        """Return how many full extents wait to be archived."""
        return len(self._unarchived())

    def oldest_unarchived(self) -> LogAddress:
        """Return the start of the oldest full extent not yet archived, else of the extent that is being written."""
        extent = self._extents.extent_bytes
        return LogAddress(min(self._unarchived(), default=self.on_disk // extent) * extent)

    def _unarchived(self) -> list[int]:
        if not (self.settings.linear and self.settings.archive):
            return []
        archives = self._bootstrap.state.archives
        before = self.on_disk // self._extents.extent_bytes
        return [number for number in self._extents.numbers() if number < before and number not in archives]

    def reusable_extents(self) -> int:
        """Return the number of log files without records that are needed."""
        return self._extents.count() - len(self._extents.numbers())

    def file_of(self, address: int) -> str:
        """Return the name of the active log file that holds an address, empty where none does."""
        slot = self._extents.slot_of(address)
        return file_name(slot) if slot != FREE else ""

    @property
    def media_needed(self) -> LogAddress:
        """Return the oldest address that media recovery needs, 0 if it is not known."""
        return LogAddress(self._bootstrap.state.media)

    @property
    def archive_trouble(self) -> str:
        """Return the reason why full extents cannot be archived and so not be reused; empty if there is none."""
        return self._archive.trouble

    def verify_archive(self, number: int) -> bool:
        """Return whether all pages of an extent's archive are as they were written."""
        return self._archive.verify(number)

    def remove_archive(self, number: int) -> None:
        """Forget the archive of an extent and remove its file."""
        self._archive.remove(number)

    def close(self) -> None:
        """End the log in order: everything durable, and the end recorded."""
        self.stop_writer()
        try:
            if self._buffer.failure is None:
                while self.write_pending():
                    pass
                self._record_end()
        finally:
            self.abandon()

    def _record_end(self) -> None:
        bootstrap = self._bootstrap
        try:
            with bootstrap.lock:
                end = boundary(next_page(self.next_address))
                bootstrap.state.durable = bootstrap.state.end = end
                bootstrap.state.clean = True
                bootstrap.save()
        except BaseException as failure:
            self._broken_by(failure)

    def abandon(self) -> None:
        """Close the files and leave all else as a crash would."""
        _close(self._copies.copies, self._archive, self._bootstrap)


def _close(copies: list[LogCopy], archive: ArchiveStore, bootstrap: Bootstrap) -> None:
    for copy in copies:
        copy.close()
    archive.close()
    bootstrap.close()


def space_needed(size: int) -> int:
    """Return how many bytes of the stream a payload of that size takes at most, its page rounded up."""
    return (size + RECORD_HEADER) // PAGE_PAYLOAD * PAGE_SIZE + 2 * PAGE_SIZE


def _places(settings: LogSettings, directories: LogDirectories) -> list[str]:
    if not settings.dual:
        return [directories.copy1]
    if directories.copy1 == directories.copy2:
        raise LogSettingsError("copy2", directories.copy2, "the copies of a dual log have directories of their own")
    return [directories.copy1, directories.copy2]


def _check_fixed(settings: LogSettings, state: BootstrapState) -> None:
    if settings.file_pages != state.file_pages:
        raise LogSettingsError("file_pages", settings.file_pages, f"the log was created with {state.file_pages}")
    if settings.linear != state.linear:
        kind = "linear" if state.linear else "circular"
        raise LogSettingsError("log_type", settings.log_type, f"the log was created as {kind}")


def _restore_files(
    state: BootstrapState, extents: ExtentTable, copies: list[LogCopy], stale: list[int], notices: Notices
) -> None:
    """Make every log file exist on every copy, from the other copy where one has lost it."""
    for slot, number in sorted(state.extents.items()):
        whole = [copy for index, copy in enumerate(copies) if index not in stale and copy.whole(slot)]
        for index, copy in enumerate(copies):
            if copy in whole:
                continue
            if whole:
                whole[0].duplicate(slot, copy)
            elif number == FREE or (number + 1) * extents.extent_bytes <= state.needed:
                copy.format(slot)
            else:
                raise LogDamaged(copy.path(slot), number * extents.extent_bytes, "the file is missing or cut short")
            notices.tell(COPY_RECREATED, (index + 1,), (copy.path(slot),))
