"""Restart: brings the files that a crash left to a state that has lost no acknowledged work.

1. Pages that are torn in their page sets are taken from the double-write file.
2. The newest checkpoint says where to begin; the log is read forward once. Every record from the redo point on is
   applied to the pages it belongs to, and every unit's records are followed.
3. Units IN COMMIT are finished, units IN FLIGHT or IN BACKOUT are undone, each step with a log record of its own, so a
   crash during restart is handled as any other. Units IN DOUBT are kept. So are decided units with participants
   other than the pages, of which only the pages' part is ended here.
4. The directory pages are read (through the space maps; message bodies are not) and put in order as chains.

A page set that cannot be used is left out: its file is kept aside by the caller and the rest starts. The log records
written for it meanwhile are complete, so that it can be recovered later.
"""

import gc
import time
from collections.abc import Callable

from kew.storage.buffers.doublewrite import DoubleWrite
from kew.storage.log import NO_ADDRESS, Log, LogAddress, LogRecord
from kew.storage.log.record import RECORD_HEADER
from kew.storage.page import DIRECTORY, PAGE_HEADER, PAGE_HEADER_SIZE, PAGE_SIZE
from kew.storage.pages import records
from kew.storage.pages.blob import parse_layout, parse_run_page
from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import (
    DIRECTORY_HEADER,
    DIRECTORY_HEADER_OFFSET,
    EMPTY,
    ENTRIES,
    LIVE,
    Directory,
    backout_at,
    entry_at,
    offset_of,
    state_at,
)
from kew.storage.pages.pageset import PageSet
from kew.storage.pages.spacemap import CATALOG
from kew.storage.recovery.checkpoint import unpack_checkpoint
from kew.storage.recovery.redo import Redo
from kew.storage.recovery.trail import Step, Trail
from kew.storage.stall import Damaged
from kew.storage.unit import IN_BACKOUT, IN_COMMIT, IN_DOUBT, IN_FLIGHT


class RestartReport:
    """The results of a restart, for messages to the operator."""

    def __init__(self) -> None:
        self.records = 0
        self.bytes_read = 0
        self.seconds = 0.0
        self.redone = 0
        self.finished = 0
        self.undone = 0
        self.in_doubt = 0
        self.torn_pages = 0
        self.directories = 0
        self.items = 0

    def megabytes_a_second(self) -> float:
        """Give the rate at which the log was read and applied."""
        return self.bytes_read / 1e6 / self.seconds if self.seconds else 0.0


def repair_torn_pages(double: DoubleWrite, page_sets: dict[int, PageSet]) -> int:
    """Write pages that are torn in their page sets again, from whole images in the double-write file; count them."""
    repaired: set[int] = set()
    count = 0
    for (set_number, number), image in double.images().items():
        page_set = page_sets.get(set_number)
        if page_set is None:
            continue
        there = page_set.read_pages(number, 1)
        if there and not page_set.check(number, there[0]):
            continue
        page_set.file.pwrite(image, number * PAGE_SIZE)
        repaired.add(set_number)
        count += 1
    for set_number in repaired:
        page_sets[set_number].file.sync()
    return count


class Restart:
    """One restart. `page_sets` has the usable page sets only, their headers and maps read."""

    def __init__(self, log: Log, page_sets: dict[int, PageSet], lose: Callable[[PageSet, Damaged], None]) -> None:
        self.log = log
        self.page_sets = page_sets
        self.lose = lose  # called with a page set that is found damaged
        self.redo = Redo(page_sets)
        self.trails: dict[int, Trail] = {}
        self.chains: dict[tuple[int, int], Chain] = {}  # by owner and priority
        self.next_unit = 1
        self.next_sequence: dict[int, int] = {}  # by owner
        self.report = RestartReport()

    def run(self) -> None:
        """Redo, finish, undo, and read the directories."""
        collecting = gc.isenabled()
        gc.disable()  # no cycles arise here, and the collector would go through all there is again and again
        try:
            self._run()
        finally:
            if collecting:
                gc.enable()

    def _run(self) -> None:
        begun = time.monotonic()
        self._forward()
        self._end_units()
        self._judge_suspects()
        self.report.seconds = time.monotonic() - begun
        self._read_directories()
        self.report.in_doubt = sum([trail.state == IN_DOUBT for trail in self.trails.values()])
        self.report.redone = self.redo.applied

    # -- the log ------------------------------------------------------------------------------------------------------

    def _forward(self) -> None:
        start: int = self.log.needed
        redo = start
        if self.log.checkpoint:
            checkpoint = unpack_checkpoint(self.log.record_at(self.log.checkpoint).payload)
            start, redo = checkpoint.restart, checkpoint.redo
            self.next_unit = checkpoint.next_unit
        for page_set in self.page_sets.values():
            if page_set.recover_from:
                start = min(start, page_set.recover_from)
                redo = min(redo, page_set.recover_from)
        end = start
        for record in self.log.read(LogAddress(start)):
            self.report.records += 1
            end = record.next_address
            if record.unit:
                self._follow(record)
            if record.address >= redo:
                self._apply(record)
        self.report.bytes_read = end - start

    def _follow(self, record: LogRecord) -> None:
        number = record.unit
        if number >= self.next_unit:
            self.next_unit = number + 1
        if record.kind == records.END or (record.kind == records.COMMIT and record.flags & records.ENDS):
            self.trails.pop(number, None)
            return
        trail = self.trails.get(number)
        if trail is None:
            trail = Trail(number, record.address)
            self.trails[number] = trail
        trail.follow(record)

    def _apply(self, record: LogRecord) -> None:
        try:
            self.redo.apply(record)
        except Damaged as damage:
            self._lose(damage)

    def _lose(self, damage: Damaged) -> None:
        for number, page_set in list(self.page_sets.items()):
            if page_set.path == damage.path:
                del self.page_sets[number]
                self.lose(page_set, damage)

    def _judge_suspects(self) -> None:
        for (set_number, number), why in self.redo.suspects.items():
            page_set = self.page_sets.get(set_number)
            if page_set is not None and page_set.space.states[number] == CATALOG:
                self._lose(Damaged(page_set.path, number, why))

    # -- units that were active ---------------------------------------------------------------------------------------

    def _end_units(self) -> None:
        for trail in sorted(self.trails.values(), key=lambda each: -each.last_address):
            if trail.state == IN_DOUBT:
                self._learn_runs(trail)
                continue
            if trail.state == IN_COMMIT:
                for step in trail.steps:
                    if step.kind == records.GET and not step.finished:
                        self._write(trail, records.REMOVE, _remove_payload(step, 0))
                self.report.finished += 1
            else:
                if trail.state == IN_FLIGHT:
                    self._write(trail, records.BACKOUT, b"")
                for step in reversed(trail.steps):
                    self._undo(trail, step)
                self.report.undone += 1
                trail.state = IN_BACKOUT
            if trail.described:
                trail.steps = []
                continue
            self._write(trail, records.END, b"")
            del self.trails[trail.id]

    def _undo(self, trail: Trail, step: Step) -> None:
        if step.kind == records.PUT:
            self._runs_of(step)
            self._write(trail, records.REMOVE, _remove_payload(step, step.undo_next))
        elif step.kind == records.GET:
            payload = records.UNGET_HEAD.pack(
                step.owner,
                step.page_set,
                self._backout_count(step) + 1,
                step.directory,
                step.slot,
                step.undo_next,
            )
            self._write(trail, records.UNGET, payload)
        else:
            head = records.FREE_PAGES_HEAD.pack(step.page_set, len(step.runs), step.undo_next)
            self._write(trail, records.FREE_PAGES, head + records.pack_runs(step.runs))

    def _backout_count(self, step: Step) -> int:
        page_set = self.page_sets.get(step.page_set)
        if page_set is None:
            return 0
        frame = self.redo.page(page_set, step.directory, step.owner)
        return min(backout_at(frame.data, step.slot), 65534)

    def _write(self, trail: Trail, kind: int, payload: bytes) -> None:
        while not self.log.buffer_room(len(payload)):
            self.log.force_to_disk(self.log.next_address)
        address = self.log.append(kind, trail.id, trail.last_address, payload)
        previous = LogAddress(trail.last_address)
        record = LogRecord(address, RECORD_HEADER + len(payload), kind, 0, trail.id, previous, payload)
        trail.last_address = address
        self._apply(record)

    def _learn_runs(self, trail: Trail) -> None:
        for step in trail.steps:
            self._runs_of(step)

    def _runs_of(self, step: Step) -> None:
        if step.runs:
            return
        page_set = self.page_sets.get(step.page_set)
        if page_set is None:
            step.runs = [(step.page, 1)]
            return
        data = self.redo.any_page(page_set, step.page).data
        layout = parse_layout(data, PAGE_HEADER_SIZE, step.page)
        if layout.run_pages:
            run_count = parse_run_count(data)
            for place, number in enumerate(layout.run_pages):
                page = self.redo.any_page(page_set, number)
                layout.runs.extend(parse_run_page(page.data, PAGE_HEADER_SIZE, place, run_count))
        step.runs = layout.all_runs()

    # -- directories --------------------------------------------------------------------------------------------------

    def _read_directories(self) -> None:
        for page_set in list(self.page_sets.values()):
            try:
                found = self._directories_of(page_set)
            except Damaged as damage:
                self._lose(damage)
                continue
            self._build_chains(page_set, found)

    def _directories_of(self, page_set: PageSet) -> list[tuple[int, int, int, Directory]]:
        found: list[tuple[int, int, int, Directory]] = []
        states = page_set.space.states
        number = states.find(CATALOG)
        while number >= 0:
            frame = page_set.frame(number)
            if frame is not None:
                data: bytes | bytearray = frame.data
                kind = frame.kind
            else:
                data = page_set.read_checked(number)
                kind = PAGE_HEADER.unpack_from(data)[1]
            if kind != DIRECTORY:
                raise Damaged(page_set.path, number, "is not a directory page")
            owner, position, priority = DIRECTORY_HEADER.unpack_from(data, DIRECTORY_HEADER_OFFSET)
            directory = Directory(number, position)
            self._count(directory, data, owner)
            found.append((owner, priority, position, directory))
            number = states.find(CATALOG, number + 1)
        return found

    def _count(self, directory: Directory, data: bytes | bytearray, owner: int) -> None:
        highest = self.next_sequence.get(owner, 1)
        for slot in range(ENTRIES):
            entry = entry_at(data, slot)
            if entry.state != EMPTY:
                if not directory.used:
                    directory.hint = slot
                directory.used += 1
                directory.count = slot + 1
                if entry.expiry:
                    directory.will_expire(entry.expiry)
                if entry.sequence >= highest:
                    highest = entry.sequence + 1
                if entry.state != LIVE:
                    directory.available -= 1  # a lock of the earlier life; `unlock` takes it off
        directory.available += directory.used
        self.next_sequence[owner] = highest
        self.report.directories += 1
        self.report.items += directory.used

    def _build_chains(self, page_set: PageSet, found: list[tuple[int, int, int, Directory]]) -> None:
        found.sort(key=lambda each: each[:3])
        for owner, priority, _position, directory in found:
            chain = self.chains.get((owner, priority))
            if chain is None:
                chain = Chain(page_set, owner, priority, False)
                self.chains[owner, priority] = chain
            if directory.available != directory.used:
                self._unlock(chain, directory)
            if not directory.used:
                self._free_directory(chain, directory)
                continue
            chain.append(directory)
            chain.used += directory.used
            chain.available += directory.available
            chain.expiring += directory.expiring

    def _unlock(self, chain: Chain, directory: Directory) -> None:
        frame = self.redo.page(chain.page_set, directory.number, chain.owner)
        for slot in range(directory.count):
            if state_at(frame.data, slot) != EMPTY:
                frame.data[offset_of(slot)] = LIVE
        chain.page_set.pool.touch(frame, frame.address, self.log.next_address)
        directory.available = directory.used

    def _free_directory(self, chain: Chain, directory: Directory) -> None:
        payload = records.FREE_DIRECTORY_HEAD.pack(chain.page_set.id, directory.number)
        address = self.log.append(records.FREE_DIRECTORY, 0, 0, payload)
        size = RECORD_HEADER + len(payload)
        self._apply(LogRecord(address, size, records.FREE_DIRECTORY, 0, 0, NO_ADDRESS, payload))


def parse_run_count(data: bytes | bytearray) -> int:
    """Read the number of runs from a first page."""
    return int.from_bytes(data[PAGE_HEADER_SIZE + 4 : PAGE_HEADER_SIZE + 6], "little")


def _remove_payload(step: Step, undo_next: int) -> bytes:
    return records.GET_HEAD.pack(
        step.owner,
        step.page_set,
        step.chain,
        0,
        step.directory,
        step.slot,
        len(step.runs),
        step.sequence,
        undo_next,
    ) + records.pack_runs(step.runs)


__all__ = ["IN_BACKOUT", "Restart", "RestartReport", "repair_torn_pages"]
