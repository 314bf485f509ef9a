"""Active log files: the part of the stream that each holds, and the making of further ones.

The stream is cut into extents of one file's size, numbered from 0. A file is identified by its slot, and holds one
extent or is free. The table is kept in the bootstrap file, and a slot is given to an extent durably before the first
page of that extent is written to it: so after a crash every page is found.

A slot is free again once its extent is not needed: for a circular log when the extent lies before `needed`; for a
linear one when it is archived, too. The old pages stay in the slot's file, and are not mistaken for new ones because of
their addresses.

Where no slot is free, a secondary file is formatted, as long as the settings allow. Secondary files are formatted
ahead, before the buffer could need them, so that a full device shows as "log full", which backs out units of work, and
never as a failed write, which ends the queue manager. A secondary is given back as soon as it is free and not soon
needed.

Locks: `lock` is held through preparing and releasing, which format and remove files; inside it the bootstrap's lock is
taken for changes of the table. Reading the table needs none.
"""

import threading
from typing import Final

from kew.storage.clock import Clock
from kew.storage.disk import DiskError
from kew.storage.log.bootstrap import FREE, Bootstrap
from kew.storage.log.copies import LogCopy, file_name
from kew.storage.log.counters import LogCounters
from kew.storage.log.errors import LogFull
from kew.storage.log.notices import CANNOT_EXTEND, SECONDARY_FORMATTED, SECONDARY_RELEASED, Notices
from kew.storage.log.settings import LogSettings

UNLIMITED: Final = 1 << 62
RETRY_SECONDS: Final = 5.0


class ExtentTable:
    """The active log files and the extents they hold."""

    def __init__(
        self,
        settings: LogSettings,
        bootstrap: Bootstrap,
        copies: list[LogCopy],
        clock: Clock,
        notices: Notices,
        counters: LogCounters,
    ) -> None:
        self.extent_bytes = settings.extent_bytes
        self.lock = threading.RLock()
        self.needed: int = bootstrap.state.needed
        self._settings = settings
        self._bootstrap = bootstrap
        self._copies = copies
        self._clock = clock
        self._notices = notices
        self._counters = counters
        # Extent number -> slot.
        self._slots: dict[int, int] = {}
        self._next_number = 0
        for slot, number in bootstrap.state.extents.items():
            if number != FREE:
                self._slots[number] = slot
                self._next_number = max(self._next_number, number + 1)
        # Every page before it has its place in a file.
        self.ready_end = self._next_number * self.extent_bytes
        # Whether the last attempt to make a file failed, and when to try again.
        self._cannot_extend = False
        self._retry_at = 0.0

    def slot_of(self, address: int) -> int:
        """Return the slot that holds an address, or FREE where no active file does."""
        return self._slots.get(address // self.extent_bytes, FREE)

    def numbers(self) -> list[int]:
        """Return the numbers of the extents in the active files, oldest first."""
        return sorted(self._slots)

    def lowest(self) -> int:
        """Return the lowest number of an extent in the active files."""
        return min(self._slots, default=0)

    def count(self) -> int:
        """Return the number of log files."""
        return len(self._bootstrap.state.extents)

    def limit(self) -> int:
        """Return the address up to which there is space for records, counting files that could still be made."""
        if self._cannot_extend:
            return self.ready_end + len(self._free_slots()) * self.extent_bytes
        if self._settings.linear:
            return UNLIMITED
        files = max(self._settings.primary + self._settings.secondary, self.count())
        return (self.needed // self.extent_bytes + files) * self.extent_bytes

    def ensure(self, end: int) -> None:
        """Assign every page before `end` to a log file; raises LogFull where no file is left."""
        if end > self.ready_end:
            with self.lock:
                while end > self.ready_end:
                    self._assign_next()

    def prepare(self, end: int) -> None:
        """Assign the pages before `end` to log files ahead of need, as far as that is possible now."""
        if min(end, self.limit()) <= self.ready_end:
            return
        with self.lock:
            while min(end, self.limit()) > self.ready_end:
                if not self._free_slots() and self._clock.monotonic() < self._retry_at:
                    return
                try:
                    self._assign_next()
                except LogFull:
                    return

    def release(self, end: int) -> None:
        """Remove secondary files that are free and not needed to place the pages before `end`."""
        with self.lock:
            free = self._free_slots()
            while (
                free
                and self.count() > self._settings.primary
                and self.ready_end + (len(free) - 1) * self.extent_bytes >= end
            ):
                slot = free.pop(free.index(max(free)))
                with self._bootstrap.lock:
                    number = self._bootstrap.state.extents.pop(slot)
                    self._slots.pop(number, None)
                    self._bootstrap.save()
                for copy in self._copies:
                    copy.remove(slot)
                self._notices.tell(SECONDARY_RELEASED, (self.count(),), (file_name(slot),))

    def format_primary(self) -> None:
        """Make the primary files that the settings ask for and that do not exist yet."""
        with self.lock:
            while self.count() < self._settings.primary:
                slot = self._new_slot()
                self._format(slot)
                with self._bootstrap.lock:
                    self._bootstrap.state.extents[slot] = FREE
                    self._bootstrap.save()

    def _unneeded(self, number: int) -> bool:
        end = (number + 1) * self.extent_bytes
        if end > self.needed:
            return False
        if not self._settings.linear:
            return True
        if self._settings.archive:
            return number in self._bootstrap.state.archives
        return end <= self._bootstrap.state.media

    def _free_slots(self) -> list[int]:
        """Return the slots that a new extent may take: never used ones first, then those unneeded for longest."""
        free = []
        for slot, number in list(self._bootstrap.state.extents.items()):
            if number == FREE or self._unneeded(number):
                free.append((number, slot))
        free.sort()
        return [slot for _, slot in free]

    def _assign_next(self) -> None:
        free = self._free_slots()
        slot = free[0] if free else self._format_secondary()
        number = self._next_number
        with self._bootstrap.lock:
            extents = self._bootstrap.state.extents
            self._slots.pop(extents.get(slot, FREE), None)
            extents[slot] = number
            self._bootstrap.save()
        self._slots[number] = slot
        self._next_number = number + 1
        self.ready_end = self._next_number * self.extent_bytes
        for copy in self._copies:
            copy.counters.new_files += 1

    def _new_slot(self) -> int:
        slot = 0
        while slot in self._bootstrap.state.extents:
            slot += 1
        return slot

    def _format_secondary(self) -> int:
        """Make one more file; it enters the table with the extent it is made for."""
        most = self._settings.primary + self._settings.secondary
        if not self._settings.linear and self.count() >= most:
            raise LogFull(f"all {self.count()} log files hold records that restart needs")
        slot = self._new_slot()
        try:
            self._format(slot)
        except DiskError as error:
            self._cannot_extend = True
            self._retry_at = self._clock.monotonic() + RETRY_SECONDS
            self._notices.tell(CANNOT_EXTEND, (error.errno or 0,), (error.path.removesuffix(".NEW"), str(error)))
            raise LogFull(f"no further log file could be made: {error}") from error
        self._cannot_extend = False
        self._counters.secondary_formatted += 1
        if not self._settings.linear:
            self._notices.tell(SECONDARY_FORMATTED, (self.count() + 1,), (file_name(slot),))
        return slot

    def _format(self, slot: int) -> None:
        done = []
        try:
            for copy in self._copies:
                copy.format(slot)
                done.append(copy)
        except DiskError:
            for copy in done:
                copy.remove(slot)
            raise
