"""Stores, finds, reads and removes items: the part of the data manager that queues work with.

Every method runs under the engine lock. A method that may stall does so before it has changed anything. Each change of
a recoverable page is described by exactly one log record, is applied in the same hold of the lock in which the record
is appended, and carries the record's address.
"""

from collections.abc import Callable
from typing import Final

from kew.storage.buffers.frame import Frame
from kew.storage.log import NO_ADDRESS, Log, LogAddress
from kew.storage.message import StoreFull
from kew.storage.page import DATA, DIRECTORY, PAGE_HEADER_SIZE, PAYLOAD_SIZE
from kew.storage.pages import records
from kew.storage.pages.blob import (
    BLOB_HEAD,
    BLOB_HEAD_SIZE,
    LIST_SIZE,
    SINGLE_PAGE,
    Layout,
    parse_layout,
    parse_run_page,
)
from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import (
    DIRECTORY_HEADER,
    DIRECTORY_HEADER_OFFSET,
    EMPTY,
    ENTRIES,
    ENTRY_SIZE,
    GET_LOCKED,
    LIVE,
    PLACE,
    PUT_LOCKED,
    Directory,
    Entry,
    backout_at,
    entry_at,
    expiry_at,
    offset_of,
    set_backout_at,
)
from kew.storage.pages.item import Item
from kew.storage.pages.pageset import PageSet, PageSetMustGrow
from kew.storage.pages.spacemap import CATALOG, FREE, ITEM, VOLATILE
from kew.storage.pages.unforced import UnforcedItems
from kew.storage.stall import Stall
from kew.storage.unit import GET, IN_FLIGHT, PAGES, PUT, MessageOperation, Unit

CONTENT: Final = PAGE_HEADER_SIZE + BLOB_HEAD_SIZE  # where the bytes of a one-page item begin
FIRST_CONTENT: Final = CONTENT + LIST_SIZE  # where those of a longer one begin
# Log space kept free, so that what must be logged always can be. A force ends its page, so small records that are
# forced one by one take a page each.
UNDO_RECORD: Final = 128  # for undoing one operation
UNIT_RESERVE: Final = 2 * 4096  # for the records that end a unit
HEADROOM: Final = 32 * 4096  # for checkpoints


class LogBusy(Stall):
    """The stall of a full log buffer."""

    def __init__(self, log: Log) -> None:
        super().__init__("the log buffer is full")
        self.log = log
        self.address = log.next_address

    def resolve(self) -> None:
        """Wait until the current content is written."""
        self.log.force_to_disk(self.address)


class LogBehind(Stall):
    """The stall of free pages whose freeing log records are not yet on disk."""

    def __init__(self, log: Log) -> None:
        super().__init__("freed pages wait for the log")
        self.log = log
        self.address = log.next_address

    def resolve(self) -> None:
        """Wait for the log."""
        self.log.force_to_disk(self.address)


class LogFull(Stall):
    """The stall of an active log without room for a record."""

    def __init__(self, make_room: Callable[[int], None], size: int) -> None:
        super().__init__("the active log is full")
        self.make_room = make_room
        self.size = size

    def resolve(self) -> None:
        """Free log space for the record, by the recovery manager."""
        self.make_room(self.size)


def _no_room(_size: int) -> None:
    raise RuntimeError("the log is full and nothing can free it")


class ItemCounters:
    """Counters of the data manager since they were last taken."""

    def __init__(self) -> None:
        self.items_put = 0
        self.items_removed = 0
        self.pages_taken = 0
        self.pages_freed = 0
        self.directories_made = 0
        self.directories_freed = 0


class ItemStore:
    """The items of all page sets."""

    def __init__(self, log: Log, make_log_room: Callable[[int], None] = _no_room) -> None:
        self.log = log
        self.page_sets: dict[int, PageSet] = {}
        self.reserved = 0  # log space kept for undoing the units there are
        self.latest = NO_ADDRESS  # where the newest record ends
        self.unforced = UnforcedItems(log)
        self.mark = 0  # a log address at or before that of the next change: see `begin`
        self.make_log_room = make_log_room  # resolves a stall for want of log space
        self.counters = ItemCounters()

    def open(self, page_sets: dict[int, PageSet]) -> None:
        """Set the page sets that a start has opened."""
        self.page_sets = page_sets

    # -- small parts --------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Note the current log address: redo of the next change begins there."""
        # It only ever rises, so the pools' tables stay sorted by it.
        self.mark = self.log.next_address

    def frame_of(self, chain: Chain, directory: Directory) -> Frame:
        """Give the frame of a directory page, or stall."""
        frame = directory.frame
        page_set = chain.page_set
        if frame.number == directory.number and frame.file == page_set.id:
            frame.referenced = True
            return frame
        frame = page_set.pool.find(page_set, directory.number)
        directory.frame = frame
        return frame

    def want_log(self, size: int) -> None:
        """Make sure that a record of a size can be appended, or stall."""
        log = self.log
        if not log.buffer_room(size):
            raise LogBusy(log)
        if not log.space_room(size, self.reserved + HEADROOM):
            raise LogFull(self.make_log_room, size)

    def want_pages(self, page_set: PageSet, count: int) -> None:
        """Make sure that a page set has a number of free pages; else stall, or raise StoreFull."""
        space = page_set.space
        if space.releasing:
            space.release(self.log.on_disk)
        if space.free < count:
            if space.available() >= count:
                raise LogBehind(self.log)
            if page_set.may_expand():
                raise PageSetMustGrow(page_set, count - space.free)
            page_set.counters.full += 1
            raise StoreFull(page_set.id, page_set.space.pages)

    def append(self, kind: int, unit: Unit | None, head: bytes, body: bytes, flags: int = 0) -> LogAddress:
        """Append a log record, in a unit's chain if it has one; gives the address where the record ends."""
        log = self.log
        if unit is None:
            log.append(kind, 0, 0, head, body, 0)
        else:
            address = log.append(kind, unit.id, unit.last_address, head, body, flags)
            if not unit.first_address:
                unit.first_address = address
                self.reserve(unit, UNIT_RESERVE)
            unit.last_address = address
        self.latest = log.next_address
        return self.latest

    def reserve(self, unit: Unit, size: int) -> None:
        """Keep log space free for undoing a unit."""
        unit.reserved += size
        self.reserved += size

    def touch_hint(self, chain: Chain, frame: Frame) -> None:
        """Note an unlogged change of a directory page (a lock)."""
        pool = chain.page_set.pool
        if chain.volatile:
            pool.touch_volatile(frame)
        else:
            pool.touch(frame, frame.address, self.mark)

    # -- storing ------------------------------------------------------------------------------------------------------

    def put(self, chain: Chain, entry: Entry, prefix: bytes, body: bytes, unit: Unit | None) -> Item:
        """Store an item of one page: visible at once without a unit, locked until commit with one."""
        length = len(prefix) + len(body)
        if length > SINGLE_PAGE:
            raise ValueError("the item needs more than one page")
        page_set = chain.page_set
        page_set.pool.ensure(2)
        directory = self.open_directory(chain, 1)
        blob_head = BLOB_HEAD.pack(length, 0, 0)
        if not chain.volatile:
            self.want_log(length + 256)
        self.begin()
        state = ITEM if not chain.volatile else VOLATILE
        page = page_set.space.take_one(state)
        entry.length = length
        entry.page = page
        entry.pages = 1
        frame = page_set.pool.new_page(page_set, page, DATA, chain.owner, chain.volatile)
        view = frame.view
        head = blob_head + prefix
        middle = PAGE_HEADER_SIZE + len(head)
        view[PAGE_HEADER_SIZE:middle] = head
        view[middle : middle + len(body)] = body
        undo_next = 0 if unit is None else unit.last_address
        item = self.enter(chain, directory, entry, unit, head, body, undo_next)
        if chain.volatile:
            page_set.pool.touch_volatile(frame)
        else:
            page_set.pool.touch(frame, self.latest, self.mark)
            page_set.touch_map(page, 1, self.latest, self.mark)
        self.counters.pages_taken += 1
        return item

    def open_directory(self, chain: Chain, pages: int) -> Directory | None:
        """Give the directory for the next item, None for a new one; stalls for its page or for free pages."""
        directory = chain.last
        if directory is not None and directory.count == ENTRIES:
            if chain.volatile and directory.used == 0:
                directory.reset()
            else:
                directory = None
        if directory is not None:
            self.frame_of(chain, directory)
            self.want_pages(chain.page_set, pages)
        else:
            self.want_pages(chain.page_set, pages + 1)
        return directory

    def enter(
        self,
        chain: Chain,
        directory: Directory | None,
        entry: Entry,
        unit: Unit | None,
        head: bytes,
        body: bytes,
        undo_next: int,
    ) -> Item:
        """Write the entry, and the PUT record when the chain is recoverable."""
        page_set = chain.page_set
        flags = 0
        if directory is None:
            flags = records.NEW_DIRECTORY
            directory = self._new_directory(chain)
            frame = directory.frame
        else:
            frame = self.frame_of(chain, directory)
        slot = directory.count
        packed = entry.pack()
        address = NO_ADDRESS
        if not chain.volatile:
            start = records.PUT_HEAD.pack(
                chain.owner, page_set.id, chain.priority, flags, directory.number, slot, directory.position, undo_next
            )
            address = self.append(records.PUT, unit, start + packed + head, body)
            page_set.pool.touch(frame, address, self.mark)
            if flags:
                page_set.touch_map(directory.number, 1, address, self.mark)
        else:
            page_set.pool.touch_volatile(frame)
        offset = offset_of(slot)
        frame.view[offset : offset + ENTRY_SIZE] = packed
        if unit is not None:
            frame.data[offset] = PUT_LOCKED
        directory.count = slot + 1
        directory.used += 1
        chain.used += 1
        if entry.expiry:
            directory.will_expire(entry.expiry)
            chain.expiring += 1
        item = Item(chain, directory, slot, entry.sequence, entry.length, entry.page)
        if unit is None:
            if address:
                self.unforced.add(item, address)
            directory.available += 1
            chain.available += 1
        else:
            if unit.state == 0:
                unit.move(IN_FLIGHT)
            unit.operations.append(MessageOperation(PAGES, PUT, item, unit.last_address if address else 0, undo_next))
            if address:
                self.reserve(unit, UNDO_RECORD)
        self.counters.items_put += 1
        return item

    def _new_directory(self, chain: Chain) -> Directory:
        page_set = chain.page_set
        number = page_set.space.take_one(VOLATILE if chain.volatile else CATALOG)
        directory = Directory(number, chain.next_position)
        directory.frame = page_set.pool.new_page(page_set, number, DIRECTORY, chain.owner, chain.volatile)
        format_directory(directory.frame, chain.owner, directory.position, chain.priority)
        chain.append(directory)
        self.counters.directories_made += 1
        return directory

    # -- locks --------------------------------------------------------------------------------------------------------

    def entry_of(self, item: Item) -> Entry:
        """Read an item's entry."""
        frame = self.frame_of(item.chain, item.directory)
        return entry_at(frame.data, item.slot)

    def set_state(self, item: Item, state: int) -> None:
        """Set the state of an item's entry, locked or not, and adjust the counts of available items."""
        directory = item.directory
        frame = self.frame_of(item.chain, directory)
        self.begin()
        offset = offset_of(item.slot)
        before = frame.data[offset]
        if before == state:
            return
        frame.data[offset] = state
        self.touch_hint(item.chain, frame)
        if before == LIVE:
            directory.available -= 1
            item.chain.available -= 1
        elif state == LIVE:
            directory.available += 1
            item.chain.available += 1
            if item.slot < directory.hint:
                directory.hint = item.slot
            if item.chain.keeper is not None:
                item.chain.keeper.became_available(item)

    def get(self, item: Item, unit: Unit) -> None:
        """Let a unit get an item: the item stays, locked, until the unit ends."""
        chain = item.chain
        self.frame_of(chain, item.directory)
        address = 0
        before = unit.last_address
        if not chain.volatile:
            head = self.get_head(item)
            self.want_log(len(head) + 64)
            self.begin()
            address = self.append(records.GET, unit, head, b"")
            unit.has_gotten = True
            self.reserve(unit, UNDO_RECORD + len(head))
        if unit.state == 0:
            unit.move(IN_FLIGHT)
        unit.operations.append(MessageOperation(PAGES, GET, item, unit.last_address if address else 0, before))
        self.set_state(item, GET_LOCKED)

    def get_head(self, item: Item, undo_next: int = 0) -> bytes:
        """Make the payload of a GET or REMOVE record from an item and its pages."""
        chain = item.chain
        runs = item.runs or [(item.page, 1)]
        return records.GET_HEAD.pack(
            chain.owner,
            chain.page_set.id,
            chain.priority,
            0,
            item.directory.number,
            item.slot,
            len(runs),
            item.sequence,
            undo_next,
        ) + records.pack_runs(runs)

    # -- removing -----------------------------------------------------------------------------------------------------

    def remove(self, item: Item, unit: Unit | None, undo_next: int = 0) -> None:
        """Remove an item for good; with a unit, as part of its commit or backout."""
        chain = item.chain
        directory = item.directory
        page_set = chain.page_set
        frame = self.frame_of(chain, directory)
        address = 0
        if not chain.volatile:
            head = self.get_head(item, undo_next)
            if unit is None:
                self.want_log(len(head) + 64)
            if chain.keeper is not None:
                chain.keeper.removing(item)
            self.begin()
            address = self.append(records.REMOVE, unit, head, b"")
            page_set.pool.touch(frame, address, self.mark)
        else:
            if chain.keeper is not None:
                chain.keeper.removing(item)
            page_set.pool.touch_volatile(frame)
        offset = offset_of(item.slot)
        if frame.data[offset] == LIVE:
            directory.available -= 1
            chain.available -= 1
        frame.data[offset] = EMPTY
        if directory.expiring and expiry_at(frame.data, item.slot):
            directory.was_removed()
            chain.expiring -= 1
        directory.used -= 1
        chain.used -= 1
        if item.runs:
            for first, count in item.runs:
                self.free_pages(page_set, first, count, address, chain.volatile)
        else:
            self.free_pages(page_set, item.page, 1, address, chain.volatile)
        self.counters.items_removed += 1
        if directory.used == 0:
            self._directory_empty(chain, directory)

    def free_pages(self, page_set: PageSet, first: int, count: int, address: int, volatile: bool) -> None:
        """Give pages back: at once, or when the record that frees them is on disk."""
        pool = page_set.pool
        for number in range(first, first + count):
            pool.discard(page_set, number)
        if volatile:
            page_set.space.mark(first, count, FREE)
        else:
            page_set.space.release_after(address, first, count)
            page_set.touch_map(first, count, address, self.mark)
        self.counters.pages_freed += count

    def _directory_empty(self, chain: Chain, directory: Directory) -> None:
        page_set = chain.page_set
        if chain.volatile:
            if directory is chain.last:
                directory.reset()
                return
            address = 0
        else:
            if directory is chain.last and directory.count < ENTRIES:
                return  # the next items go there
            self.begin()
            head = records.FREE_DIRECTORY_HEAD.pack(page_set.id, directory.number)
            address = self.append(records.FREE_DIRECTORY, None, head, b"")
        chain.remove(directory)
        self.free_pages(page_set, directory.number, 1, address, chain.volatile)
        self.counters.directories_freed += 1

    def drop_chain(self, chain: Chain) -> None:
        """Give back the directory pages of a chain that has no items."""
        directory = chain.first
        while directory is not None:
            after = directory.after
            address = 0
            if not chain.volatile:
                self.begin()
                head = records.FREE_DIRECTORY_HEAD.pack(chain.page_set.id, directory.number)
                address = self.append(records.FREE_DIRECTORY, None, head, b"")
            chain.remove(directory)
            self.free_pages(chain.page_set, directory.number, 1, address, chain.volatile)
            directory = after

    def unget(self, item: Item, unit: Unit, undo_next: int) -> int:
        """Undo a get: the item is back, its backout count one higher; gives the new count."""
        chain = item.chain
        directory = item.directory
        frame = self.frame_of(chain, directory)
        count = min(backout_at(frame.data, item.slot) + 1, 65535)
        if not chain.volatile:
            self.begin()
            head = records.UNGET_HEAD.pack(
                chain.owner, chain.page_set.id, count, directory.number, item.slot, undo_next
            )
            address = self.append(records.UNGET, unit, head, b"")
            chain.page_set.pool.touch(frame, address, self.mark)
        set_backout_at(frame.data, item.slot, count)
        self.set_state(item, LIVE)
        return count

    # -- finding ------------------------------------------------------------------------------------------------------

    def first_available(self, chain: Chain) -> Item | None:
        """Give the oldest item that a get may take."""
        directory = chain.first
        while directory is not None:
            if directory.available:
                data = self.frame_of(chain, directory).data
                slot = directory.hint
                offset = offset_of(slot)
                while slot < directory.count:
                    if data[offset] == LIVE:
                        directory.hint = slot
                        return item_at(chain, directory, slot, data)
                    slot += 1
                    offset += ENTRY_SIZE
                raise RuntimeError(f"directory page {directory.number} counts an item that it does not have")
            directory = directory.after
        return None

    # -- reading ------------------------------------------------------------------------------------------------------

    def first_page(self, item: Item) -> Frame:
        """Give the frame of an item's first page, or stall."""
        page_set = item.chain.page_set
        return page_set.pool.find(page_set, item.page)

    def load_runs(self, item: Item) -> None:
        """Read the page runs of an item, or stall."""
        if item.runs or item.length <= SINGLE_PAGE:
            return
        item.runs = self.layout_of(item).all_runs()

    def layout_of(self, item: Item) -> Layout:
        """Read the layout of an item of more than one page, or stall."""
        page_set = item.chain.page_set
        pool = page_set.pool
        layout = parse_layout(pool.find(page_set, item.page).data, PAGE_HEADER_SIZE, item.page)
        if layout.run_pages:
            run_count = BLOB_HEAD.unpack_from(pool.find(page_set, item.page).data, PAGE_HEADER_SIZE)[1]
            for place, number in enumerate(layout.run_pages):
                data = pool.find(page_set, number).data
                layout.runs.extend(parse_run_page(data, PAGE_HEADER_SIZE, place, run_count))
        return layout

    def content(self, item: Item) -> bytes:
        """Read an item of one page, or stall."""
        return bytes(self.first_page(item).view[CONTENT : CONTENT + item.length])


def item_at(chain: Chain, directory: Directory, slot: int, data: bytes | bytearray) -> Item:
    """Make the item for an entry."""
    length, page, sequence = PLACE.unpack_from(data, offset_of(slot))
    return Item(chain, directory, slot, sequence, length, page)


def format_directory(frame: Frame, owner: int, position: int, priority: int) -> None:
    """Make a frame an empty directory page."""
    frame.view[PAGE_HEADER_SIZE:] = bytes(PAYLOAD_SIZE)
    DIRECTORY_HEADER.pack_into(frame.data, DIRECTORY_HEADER_OFFSET, owner, position, priority)
