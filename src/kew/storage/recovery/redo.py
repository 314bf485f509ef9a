"""Applies log records to pages: restart, media recovery and the undoing of units all use this module.

A directory or map page is changed only if its address is lower than the end of the record, so applying a record twice
does no harm. The pages of items are written whole and without looking: every later record for such a page is applied
too, so the last one wins.
"""

from kew.storage.buffers.frame import Frame
from kew.storage.log import LogRecord
from kew.storage.page import DATA, DIRECTORY, PAGE_HEADER, PAGE_HEADER_SIZE, PAYLOAD_SIZE, SPACE_MAP
from kew.storage.pages import records
from kew.storage.pages.directory import (
    EMPTY,
    ENTRY_SIZE,
    LIVE,
    PLACE,
    offset_of,
    sequence_at,
    set_backout_at,
)
from kew.storage.pages.items import format_directory
from kew.storage.pages.pageset import PageSet
from kew.storage.pages.spacemap import CATALOG, FREE, GROUP, ITEM
from kew.storage.recovery.media import pages_of_image
from kew.storage.stall import Damaged, Stall


class Redo:
    """Changes pages as log records say. Runs alone: before the queue manager accepts work."""

    def __init__(self, page_sets: dict[int, PageSet]) -> None:
        self.page_sets = page_sets
        self.applied = 0
        self.suspects: dict[tuple[int, int], str] = {}  # directory pages with invalid content

    def apply(self, record: LogRecord) -> None:
        """Apply one record; kinds that change no page are passed over."""
        kind = record.kind
        if kind == records.PUT:
            self._put(record)
        elif kind == records.DATA:
            self._data(record)
        elif kind == records.REMOVE:
            self._remove(record)
        elif kind == records.UNGET:
            self._unget(record)
        elif kind == records.FREE_DIRECTORY:
            number, page = records.FREE_DIRECTORY_HEAD.unpack_from(record.payload)
            self.suspects.pop((number, page), None)
            self._free(number, [(page, 1)], record)
        elif kind == records.FREE_PAGES:
            number, count, _undo_next = records.FREE_PAGES_HEAD.unpack_from(record.payload)
            self._free(number, records.unpack_runs(record.payload, records.FREE_PAGES_HEAD.size, count), record)
        elif kind == records.IMAGE:
            self._image(record)
        else:
            return
        self.applied += 1

    def _image(self, record: LogRecord) -> None:
        set_number, images = pages_of_image(record.payload)
        page_set = self.page_sets.get(set_number)
        if page_set is None or not page_set.recover_from or record.address < page_set.recover_from:
            return
        for image in images:
            _crc, kind, _set, number, owner, _address = PAGE_HEADER.unpack_from(image)
            if kind == SPACE_MAP:
                group = number // GROUP
                page_set.cover(number)
                if page_set.maps[group].address < record.next_address:
                    page_set.space.load(group, image[PAGE_HEADER_SIZE:])
                    page_set.pool.touch(page_set.maps[group], record.next_address, record.address)
            else:
                page_set.cover(number)
                self._fill(page_set, number, kind, owner, image[PAGE_HEADER_SIZE:], record)
                self.suspects.pop((set_number, number), None)

    def page(self, page_set: PageSet, number: int, owner: int) -> Frame:
        """Give the frame of a directory page, reading it if need be.

        The page may since have been freed and used for non-persistent messages, so its content on disk may be anything,
        even torn. Such content does no harm if a later record frees the page, and is damage if none does: so such a
        page is noted as suspect.
        """
        while True:
            try:
                frame = page_set.pool.find(page_set, number)
                break
            except Stall as stall:
                waiting = stall
            try:
                resolve(waiting)
            except Damaged as damage:
                return self._suspect(page_set, number, owner, damage.why)
        if frame.kind != DIRECTORY or frame.owner != owner or frame.volatile:
            return self._suspect(page_set, number, owner, f"is not a directory page of queue {owner}")
        return frame

    def _suspect(self, page_set: PageSet, number: int, owner: int, why: str) -> Frame:
        self.suspects[page_set.id, number] = why
        frame = self._fresh(page_set, number, DIRECTORY, owner)
        format_directory(frame, owner, 0, 0)
        return frame

    def any_page(self, page_set: PageSet, number: int) -> Frame:
        """Give the frame of a page of any kind, reading it if need be."""
        while True:
            try:
                return page_set.pool.find(page_set, number)
            except Stall as stall:
                waiting = stall
            resolve(waiting)

    def _fresh(self, page_set: PageSet, number: int, kind: int, owner: int) -> Frame:
        while True:
            try:
                page_set.pool.ensure(1)
                return page_set.pool.new_page(page_set, number, kind, owner, False)
            except Stall as stall:
                waiting = stall
            resolve(waiting)

    def _put(self, record: LogRecord) -> None:
        payload = record.payload
        fields = records.PUT_HEAD.unpack_from(payload)
        owner, set_number, chain, flags, directory, slot, position, _undo_next = fields
        page_set = self.page_sets.get(set_number)
        if page_set is None:
            return
        end = record.next_address
        if flags & records.NEW_DIRECTORY:
            self._mark(page_set, directory, 1, CATALOG, record)
            frame = self._fresh(page_set, directory, DIRECTORY, owner)
            self.suspects.pop((set_number, directory), None)
            format_directory(frame, owner, position, chain)
        else:
            frame = self.page(page_set, directory, owner)
        if frame.address < end:
            offset = offset_of(slot)
            entry = payload[records.PUT_ENTRY_OFFSET : records.PUT_PAGE_OFFSET]
            frame.view[offset : offset + ENTRY_SIZE] = entry
            frame.data[offset] = LIVE
            page_set.pool.touch(frame, end, record.address)
        _length, first, _sequence = PLACE.unpack_from(payload, records.PUT_ENTRY_OFFSET)
        self._mark(page_set, first, 1, ITEM, record)
        self._fill(page_set, first, DATA, owner, payload[records.PUT_PAGE_OFFSET :], record)

    def _data(self, record: LogRecord) -> None:
        payload = record.payload
        owner, set_number, count, first, kind = records.DATA_HEAD.unpack_from(payload)
        page_set = self.page_sets.get(set_number)
        if page_set is None:
            return
        self._mark(page_set, first, count, ITEM, record)
        start = records.DATA_HEAD.size
        for place in range(count):
            part = payload[start + place * PAYLOAD_SIZE : start + (place + 1) * PAYLOAD_SIZE]
            self._fill(page_set, first + place, kind, owner, part, record)

    def _fill(self, page_set: PageSet, number: int, kind: int, owner: int, part: bytes, record: LogRecord) -> None:
        frame = self._fresh(page_set, number, kind, owner)
        frame.view[PAGE_HEADER_SIZE:] = part.ljust(PAYLOAD_SIZE, b"\0")
        page_set.pool.touch(frame, record.next_address, record.address)

    def _remove(self, record: LogRecord) -> None:
        payload = record.payload
        fields = records.GET_HEAD.unpack_from(payload)
        owner, set_number, _chain, _flags, directory, slot, run_count, sequence, _undo_next = fields
        page_set = self.page_sets.get(set_number)
        if page_set is None:
            return
        frame = self.page(page_set, directory, owner)
        if frame.address < record.next_address:
            if sequence_at(frame.data, slot) == sequence:
                frame.data[offset_of(slot)] = EMPTY
            page_set.pool.touch(frame, record.next_address, record.address)
        self._free(set_number, records.unpack_runs(payload, records.GET_HEAD.size, run_count), record)

    def _unget(self, record: LogRecord) -> None:
        fields = records.UNGET_HEAD.unpack_from(record.payload)
        owner, set_number, count, directory, slot, _undo_next = fields
        page_set = self.page_sets.get(set_number)
        if page_set is None:
            return
        frame = self.page(page_set, directory, owner)
        if frame.address < record.next_address:
            set_backout_at(frame.data, slot, count)
            page_set.pool.touch(frame, record.next_address, record.address)

    def _free(self, set_number: int, runs: list[tuple[int, int]], record: LogRecord) -> None:
        page_set = self.page_sets.get(set_number)
        if page_set is None:
            return
        for first, count in runs:
            self._mark(page_set, first, count, FREE, record)
            for number in range(first, first + count):
                page_set.pool.discard(page_set, number)

    def _mark(self, page_set: PageSet, first: int, count: int, state: int, record: LogRecord) -> None:
        page_set.cover(first + count - 1)
        end = record.next_address
        while count:
            group = first // GROUP
            size = min(count, (group + 1) * GROUP - first)
            if page_set.maps[group].address <= end:  # a record may change a map more than once
                page_set.space.mark(first, size, state)
                page_set.pool.touch(page_set.maps[group], end, record.address)
            first += size
            count -= size


def resolve(stall: Stall) -> None:
    """Do the I/O that a stall asks for, and the I/O of stalls within it."""
    stall.__traceback__ = None  # it leads to the frames, and the message, of the verb that had to give up
    waiting: Stall | None = stall
    while waiting is not None:
        try:
            waiting.resolve()
            waiting = None
        except Stall as another:
            another.resolve()
