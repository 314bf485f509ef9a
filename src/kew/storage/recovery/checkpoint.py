"""Checkpoints: the log address from which restart has to read.

A checkpoint writes no pages. The record of a checkpoint says where restart must begin to redo (before the oldest change
that is not yet in a page set) and where the oldest record of an active unit is. The payload of a CHECKPOINT record:

    redo u64 | restart u64 | next unit u64 | number of units u32, then for each unit: id u64 | first u64

`restart` is the lower of `redo` and the units' first records: restart reads the log from there, once, forward.

Order matters: the record is forced, then named in the bootstrap file, and only then may the log before `restart` be
reused. After a crash between any two of these steps the older checkpoint is used, whose log is still there.
"""

import threading
from collections.abc import Callable
from struct import Struct
from typing import Final

from librt.threading import Lock

from kew.storage.buffers.deferred import DeferredWriter
from kew.storage.log import Log, LogAddress
from kew.storage.pages import records
from kew.storage.pages.items import HEADROOM, ItemStore
from kew.storage.recovery.redo import resolve
from kew.storage.recovery.units import Units
from kew.storage.stall import Stall
from kew.storage.unit import IN_DOUBT, Unit

LONGEST_INTERVAL: Final = 128 * 1024 * 1024  # bytes of log between checkpoints
MOST_RECORDS: Final = 500000  # records between checkpoints, LOGLOAD

_HEAD: Final = Struct("<QQQI")
_UNIT: Final = Struct("<QQ")


class CheckpointRecord:
    """The fields of a checkpoint."""

    def __init__(self, redo: int, restart: int, next_unit: int, units: list[tuple[int, int]]) -> None:
        self.redo = redo
        self.restart = restart
        self.next_unit = next_unit
        self.units = units

    def pack(self) -> bytes:
        """Give the payload."""
        head = _HEAD.pack(self.redo, self.restart, self.next_unit, len(self.units))
        return head + b"".join([_UNIT.pack(number, first) for number, first in self.units])


def unpack_checkpoint(payload: bytes) -> CheckpointRecord:
    """Read a payload."""
    redo, restart, next_unit, count = _HEAD.unpack_from(payload)
    units: list[tuple[int, int]] = []
    for place in range(count):
        number, first = _UNIT.unpack_from(payload, _HEAD.size + place * _UNIT.size)
        units.append((number, first))
    return CheckpointRecord(redo, restart, next_unit, units)


class LogSpaceExhausted(Exception):
    """The log is full, and neither writing pages nor backing out units has freed any of it."""


class Checkpointer:
    """Takes checkpoints, and makes room in a log that is full."""

    def __init__(
        self,
        lock: Lock,
        log: Log,
        store: ItemStore,
        units: Units,
        writer: DeferredWriter,
        on_forced_backout: Callable[[Unit], None],
        oldest_image: Callable[[], LogAddress | None] | None = None,
        most_records: int = MOST_RECORDS,
    ) -> None:
        self.lock = lock
        self.log = log
        self.store = store
        self.units = units
        self.writer = writer
        self.on_forced_backout = on_forced_backout
        self.last = 0  # log address of the newest checkpoint
        self.most_records = most_records
        self._appended = log.appended  # records there were at the newest checkpoint
        # Four checkpoints while the primary files fill once, so that two full ones fit with room to spare; but not so
        # rarely that a restart would have much to read.
        self.interval = min(log.settings.extent_bytes * log.settings.primary // 4, LONGEST_INTERVAL)
        self.oldest_image = oldest_image  # from where the log can bring back a lost page set
        self._one = threading.Lock()  # one checkpoint at a time; taken before the engine lock
        self._room = threading.Lock()  # one thread at a time makes room; taken before the other two

    def limit_records(self, most: int) -> None:
        """Set the number of log records after which a checkpoint is taken (LOGLOAD)."""
        self.most_records = most

    def due(self) -> bool:
        """Say whether enough was logged since the last checkpoint for another one."""
        return self.log.next_address - self.last >= self.interval or self.records_since() >= self.most_records

    def records_since(self) -> int:
        """Count the records that were logged since the last checkpoint."""
        return self.log.appended - self._appended

    def take(self) -> None:
        """Take a checkpoint."""
        with self._one:
            with self.lock:
                self._relog_old_units()
                redo: int = self.log.next_address
                for pool in self.writer.pools:
                    redo = min(redo, pool.redo_address(redo))
                    pool.checkpoint += 1
                restart = self.units.oldest_address(redo)
                listed = [(unit.id, unit.first_address) for unit in self.units.active.values() if unit.first_address]
                payload = CheckpointRecord(redo, restart, self.units.next_id, listed).pack()
                address = self.log.append(records.CHECKPOINT, 0, 0, payload)
                self._appended = self.log.appended
                end = self.log.next_address
            self.log.force_to_disk(end)
            self.log.set_checkpoint(address)
            self.last = address
            self.log.set_needed(LogAddress(restart), self.oldest_image() if self.oldest_image is not None else None)
        self.writer.wake()

    def _relog_old_units(self) -> None:
        # A unit in doubt may wait for days. Writing its records anew keeps it from holding the whole log.
        for unit in list(self.units.active.values()):
            if unit.state == IN_DOUBT and unit.first_address and unit.first_address < self.last:
                self.units.relog(unit)

    def make_room(self, size: int = 0) -> None:
        """Free log space: by writing old pages, and if that is not enough by backing out the oldest unit.

        There is room afterwards for a record of a size, and for a good number of small ones.
        """
        with self._room:
            # Many threads meet a full log at once, and what one of them frees may be enough for all.
            if not self._has_room(size):
                self._make_room(size)

    def _has_room(self, size: int) -> bool:
        return self.log.space_room(size, self.store.reserved + HEADROOM)

    def _make_room(self, size: int) -> None:
        with self.lock:
            needed = self.log.next_address
        self.writer.flush_recoverable(needed)
        for _ in range(2):  # the second one logs again the records that units in doubt had before the first
            self.take()
            self.log.maintain()
            if self._has_room(size):
                break
        while not self._has_room(max(size, self.log.settings.extent_bytes // 4)):
            with self.lock:
                unit = self.units.oldest_in_flight()
                if unit is None:
                    if self._has_room(size):
                        return
                    why = self.log.archive_trouble or "the log is too small for the work that is active"
                    raise LogSpaceExhausted(why)
                unit.forced_out = True
                self.units.counters.forced_out += 1
            self._back_out(unit)
            self.on_forced_backout(unit)
            self.take()
            self.log.maintain()

    def _back_out(self, unit: Unit) -> None:
        while True:
            try:
                with self.lock:
                    if unit.id in self.units.active:
                        self.units.backout(unit)
                    return
            except Stall as stall:
                waiting = stall
            resolve(waiting)
