"""The page store: messages in the page set of their queue's storage class.

A queue has up to ten chains for persistent messages and ten for the others, one for each priority in use (one only with
MSGDLVSQ(FIFO)). The next message is decided by priority, then by the arrival number, which both kinds share.
"""

from typing import Final

from kew.codes.options import (
    MQMF_LAST_MSG_IN_GROUP,
    MQMF_LAST_SEGMENT,
    MQMF_MSG_IN_GROUP,
    MQMF_SEGMENT,
    MQRO_EXPIRATION,
)
from kew.formats.mqmd import MessageDescriptor
from kew.queues.content import content_of
from kew.queues.cursor import Cursor, DueScan
from kew.queues.index import IdIndex
from kew.queues.indexing import IndexBuild
from kew.queues.match import Match, Searched, hash_id
from kew.queues.propertyindex import PropertyIndex
from kew.queues.selectorscans import SelectorScan, SelectorScans
from kew.queues.store import (
    AT_ONCE,
    HIGHEST_PRIORITY,
    INDEX_CORRELATION_ID,
    INDEX_GROUP_ID,
    INDEX_MESSAGE_ID,
    INDEX_NONE,
    QueueStore,
    Storing,
    first_position,
)
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.message import HEADERS, NOTHING, WHOLE, Description, MessageRef
from kew.storage.pages.blob import SINGLE_PAGE
from kew.storage.pages.chain import Chain, ChainKeeper
from kew.storage.pages.directory import (
    BROWSE_LOCKED,
    CONTINUES,
    CORRELATION_HASH,
    EMPTY,
    EXPIRY_REPORTED,
    GROUP_HASH,
    GROUPED,
    LIVE,
    MESSAGE_HASH,
    PERSISTENT,
    Directory,
    Entry,
    backout_at,
    expiry_at,
    find_hash,
    flags_at,
    hash_at,
    sequence_at,
    state_at,
)
from kew.storage.pages.item import Item
from kew.storage.pages.items import CONTENT, FIRST_CONTENT, ItemStore, item_at
from kew.storage.pages.longitem import Storing as ItemStoring
from kew.storage.pages.longitem import read_on
from kew.storage.pages.pageset import PageSet
from kew.storage.stall import GiveWay
from kew.storage.unit import Unit

GLANCES: Final = 1000  # directories that are not due and may be passed in one hold of the lock
# Limits of a search in one hold of the lock: some hundred microseconds in all.
MOST_PASSED: Final = 32  # messages that are matched with a selector
MOST_DIRECTORIES: Final = 12  # directory pages that are searched for an id

_IN_GROUP: Final = MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP | MQMF_SEGMENT | MQMF_LAST_SEGMENT


class Passed(Searched):
    """The last directory of each chain that a search has passed before it had to wait for a page.

    The search continues behind it, else a queue with more directories than its pool has frames could not be searched.
    """

    def __init__(self) -> None:
        self.last: dict[Chain, Directory] = {}
        self.directories = 0  # searched in this hold of the lock


class Indexes(ChainKeeper):
    """The indexes of one queue, updated with each message that is stored or removed."""

    def __init__(self, store: ItemStore, which: int) -> None:
        self.store = store
        self.which = which  # of the hashes in an entry, 0 for none
        self.by_id: IdIndex | None = None
        self.building: IndexBuild | None = None  # the index on its way
        self.by_property: PropertyIndex | None = None
        self.scans: SelectorScans | None = None  # once a get has searched by selector

    def there_are_any(self) -> bool:
        """Say whether the queue has any index."""
        return self.which != 0 or self.by_property is not None or self.scans is not None

    def became_available(self, item: MessageRef) -> None:
        """Note a message that is available again, for searches by selector that have passed the message."""
        if self.scans is not None:
            assert isinstance(item, Item)
            self.scans.became_available(item)

    def stored(self, item: Item, entry: Entry) -> None:
        """Add a message."""
        if self.which == MESSAGE_HASH:
            key = entry.message_hash
        elif self.which == CORRELATION_HASH:
            key = entry.correlation_hash
        else:
            key = entry.group_hash
        if self.by_id is not None:
            self.by_id.add(key, item.directory.number << 8 | item.slot)
        elif self.building is not None:
            self.building.stored(item, key)

    def removing(self, item: MessageRef) -> None:
        """Remove a message that is about to go; its directory page is in a frame."""
        assert isinstance(item, Item)
        if self.by_id is not None:
            data = self.store.frame_of(item.chain, item.directory).data
            self.by_id.remove(hash_at(data, item.slot, self.which), item.directory.number << 8 | item.slot)
        elif self.building is not None:
            self.building.removed(item)
        if self.by_property is not None:
            self.by_property.removed(item)


class PagedStoring(Storing):
    """The storing of a message of more than one page."""

    def __init__(self, store: "PrivateStore", storing: ItemStoring) -> None:
        self._store = store
        self._storing = storing
        self.item = None

    def step(self) -> bool:
        """Take a step; says whether the message is stored. May stall, and is then called again."""
        storing, store = self._storing, self._store
        storing.entry.sequence = store.next_sequence
        if not storing.step():
            return False
        item = storing.result()
        store.stored(item, storing.entry, storing.content)
        self.item = item
        return True

    def abandon(self) -> None:
        """Abandon the storing: nothing of the message remains. May be called when it is stored."""
        self._storing.abandon()


class PrivateStore(QueueStore):
    """The messages of one queue in its page set."""

    def __init__(self, queue: int, page_set: PageSet, items: ItemStore) -> None:
        super().__init__(queue, page_set)
        self.items = items
        self.chains: list[Chain] = []  # those there are, highest priority first
        self._lasting: list[Chain | None] = [None] * (HIGHEST_PRIORITY + 1)
        self._passing: list[Chain | None] = [None] * (HIGHEST_PRIORITY + 1)
        self.indexes = Indexes(items, 0)

    # -- chains -------------------------------------------------------------------------------------------------------

    def chain(self, priority: int, volatile: bool) -> Chain:
        """Give the chain for messages of a priority."""
        if not self.by_priority:
            priority = 0
        elif priority > HIGHEST_PRIORITY:
            priority = HIGHEST_PRIORITY
        table = self._passing if volatile else self._lasting
        chain = table[priority]
        if chain is None:
            chain = Chain(self.page_set, self.queue, priority, volatile)
            self._add_chain(chain)
        return chain

    def _add_chain(self, chain: Chain) -> None:
        table = self._passing if chain.volatile else self._lasting
        table[chain.priority] = chain
        self._keep(chain)
        self.chains.append(chain)
        self.chains.sort(key=_delivery_order)
        self.rooted = True

    def _keep(self, chain: Chain) -> None:
        """Make the indexes the listener of a chain, if the queue has any."""
        chain.keeper = self.indexes if self.indexes.there_are_any() else None

    def take_over(self, chains: list[Chain], next_sequence: int) -> None:
        """Take over the chains that restart has found."""
        for chain in chains:
            self._add_chain(chain)
        self.next_sequence = max(next_sequence, first_position())

    def chain_of(self, page_set: int, directory: int) -> Chain | None:
        """Give the chain of a directory page."""
        for chain in self.chains:
            if chain.page_set.id == page_set and directory in chain.by_number:
                return chain
        return None

    # -- putting ------------------------------------------------------------------------------------------------------

    def put(
        self,
        descriptor: MessageDescriptor,
        prefix: bytes,
        body: bytes,
        persistent: bool,
        expiry: int,
        unit: Unit | None,
    ) -> MessageRef | Storing:
        """Store a message of one page; for a longer one, give its storing in steps."""
        chain = self.chain(descriptor.priority, not persistent)
        entry = self._entry(descriptor, persistent, expiry)
        if len(prefix) + len(body) > AT_ONCE:
            return PagedStoring(self, ItemStoring(self.items, chain, entry, prefix, body, unit))
        item = self.items.put(chain, entry, prefix, body, unit)
        self.next_sequence = entry.sequence + 1
        indexes = self.indexes
        if indexes.which:
            indexes.stored(item, entry)
        if indexes.by_property is not None:
            indexes.by_property.stored(item, prefix + body)
        if indexes.scans is not None and unit is None:
            indexes.scans.became_available(item)
        return item

    def _entry(self, descriptor: MessageDescriptor, persistent: bool, expiry: int) -> Entry:
        flags = PERSISTENT if persistent else 0
        if expiry and descriptor.report & MQRO_EXPIRATION:
            flags |= EXPIRY_REPORTED
        if descriptor.message_flags & _IN_GROUP:
            flags |= GROUPED if descriptor.sequence_number == 1 and not descriptor.offset else GROUPED | CONTINUES
        return Entry(
            LIVE,
            flags,
            min(descriptor.priority, HIGHEST_PRIORITY),
            0,
            0,
            0,
            self.next_sequence,
            hash_id(descriptor.message_id),
            hash_id(descriptor.correlation_id),
            hash_id(descriptor.group_id),
            expiry,
            0,
        )

    def stored(self, item: Item, entry: Entry, content: bytes) -> None:
        """Note that a message of several pages is stored."""
        self.next_sequence = entry.sequence + 1
        indexes = self.indexes
        if indexes.which:
            indexes.stored(item, entry)
        if indexes.by_property is not None:
            indexes.by_property.stored(item, content)
        if indexes.scans is not None:
            indexes.scans.became_available(item)  # in a unit it is not yet: a search sees that it is locked

    # -- taking -------------------------------------------------------------------------------------------------------

    def take(self, item: MessageRef, unit: Unit | None, hold: bool = False) -> LogAddress:
        """Take a message: for good, in a unit, or until `undo`; gives the log address to wait for, 0 for none."""
        assert isinstance(item, Item)
        items = self.items
        if hold:
            items.set_state(item, BROWSE_LOCKED)
            return NO_ADDRESS
        items.load_runs(item)
        if unit is not None:
            items.get(item, unit)
            return NO_ADDRESS
        items.remove(item, None)
        return items.latest if item.persistent else NO_ADDRESS

    def undo(self, item: MessageRef) -> None:
        """Release a message that was held."""
        assert isinstance(item, Item)
        self.items.set_state(item, LIVE)

    # -- describing ---------------------------------------------------------------------------------------------------

    def describe(self, item: MessageRef, extent: int) -> Description:
        """Give the state of a message, and as much of its content as is wanted."""
        assert isinstance(item, Item)
        if not item.has_place():
            return NOTHING
        items, slot = self.items, item.slot
        data = items.frame_of(item.chain, item.directory).data
        expiry = expiry_at(data, slot) if item.may_expire else 0
        backout_count = backout_at(data, slot)
        address = items.unforced.address_of(item)
        if extent == WHOLE:
            # Last: once all of it is read nothing may stall, else it would be read again.
            content = items.content(item) if item.length <= SINGLE_PAGE else read_on(items, item)
            return Description(False, False, False, False, expiry, False, backout_count, address, content)
        state = state_at(data, slot)
        flags = flags_at(data, slot)
        return Description(
            state == EMPTY,
            state == LIVE,
            flags & GROUPED != 0,
            flags & CONTINUES != 0,
            expiry,
            flags & EXPIRY_REPORTED != 0,
            backout_count,
            address,
            content_of(items, item) if extent == HEADERS else b"",
        )

    def depth(self, least_priority: int, available: bool) -> int:
        """Count the messages of a priority and above: all of them, or only those that are available."""
        total = 0
        for chain in self.chains:
            if chain.priority < least_priority:
                break
            total += chain.available if available else chain.used
        return total

    # -- finding ------------------------------------------------------------------------------------------------------

    def find(self, match: Match | None) -> MessageRef | None:
        """Give the message for the next get."""
        if match is None:
            return self._next()
        if match.selector is not None:
            return self._find_selected(match)
        index = self.indexes.by_id
        if index is not None:
            if self.index_type == INDEX_MESSAGE_ID and match.message_id is not None:
                return self._find_indexed(index, match.message_hash, match)
            if self.index_type == INDEX_CORRELATION_ID and match.correlation_id is not None:
                return self._find_indexed(index, match.correlation_hash, match)
            if self.index_type == INDEX_GROUP_ID and match.group_id is not None:
                return self._find_indexed(index, match.group_hash, match)
        if match.message_id is None and match.correlation_id is None and match.group_id is None:
            return self._find_selected(match)
        return self._find_by_scan(match)

    def _next(self) -> Item | None:
        best: Item | None = None
        for chain in self.chains:
            if best is not None and chain.priority < best.chain.priority:
                break
            if chain.available:
                item = self.items.first_available(chain)
                if item is not None and (best is None or item.sequence < best.sequence):
                    best = item
        return best

    def _find_selected(self, match: Match) -> MessageRef | None:
        properties = self.indexes.by_property
        if properties is not None and properties.can_find(match):
            return self._find_indexed(properties.ready(self.items, self.chains), match.value_hash, match)
        selector = match.selector
        if selector is not None and match.is_selection():
            return self._look(match, selector.text)
        cursor = match.passed
        if cursor is None:
            cursor = Cursor()
            match.passed = cursor
        item = self.browse(cursor, match)
        match.passed = None
        if cursor.sequence:
            _could_be_indexed(match)
        return item

    def _look(self, match: Match, text: str) -> MessageRef | None:
        """Find a message that a selector selects; messages that the selector has rejected before are passed over."""
        scan = match.scan
        if not isinstance(scan, SelectorScan):
            if self.indexes.scans is None:
                self.indexes.scans = SelectorScans()
                for chain in self.chains:
                    self._keep(chain)
            scan = match.scan = self.indexes.scans.of(text)
        item: MessageRef | None = self._ask_again(scan, match)
        if item is None:
            item = self.browse(scan.cursor, match)
        match.scan = None
        if scan.cursor.sequence:
            _could_be_indexed(match)
        return item

    def _ask_again(self, scan: SelectorScan, match: Match) -> Item | None:
        """Match the messages that have become available again; give the first that is selected."""
        again = scan.again
        while again:
            item = again[0]
            if item.has_place():
                data = self.items.frame_of(item.chain, item.directory).data
                if state_at(data, item.slot) == LIVE and self._suits(item, match):
                    return item
                match.skipped += 1
            del again[0]  # it is rejected, or gone, or locked: then it is here again when it is free
        return None

    def _find_indexed(self, index: IdIndex, key: int, match: Match) -> Item | None:
        head = index.first(key)
        node = head
        best: Item | None = None
        gathers = match.gathered is not None
        while node:
            item = self._at(index.place(node), match, -1 if best is None or gathers else best.chain.priority)
            if item is not None and self._suits(item, match):
                if gathers:
                    match.gather(item)
                elif self.chains[0].priority == self.chains[-1].priority:
                    return item
                best = item
            node = index.following(node, head)
        return best

    def _at(self, place: int, match: Match, above: int) -> Item | None:
        # Pages are looked at last, so that a search past many messages needs few of them at once.
        number, slot = place >> 8, place & 255
        for chain in self.chains:
            directory = chain.by_number.get(number)
            if directory is not None:
                if chain.priority <= above or not directory.available:
                    return None
                data = self.items.frame_of(chain, directory).data
                if state_at(data, slot) != LIVE or not may_fit(match, data, slot):
                    return None
                return item_at(chain, directory, slot, data)
        return None

    def _suits(self, item: Item, match: Match) -> bool:
        # The hashes in its entry have been compared.
        offset = CONTENT if item.length <= SINGLE_PAGE else FIRST_CONTENT
        if not match.accepts_stored(self.items.first_page(item).data, offset):
            return False
        selector = match.selector
        if selector is None:
            return True
        reading = match.reading
        if not isinstance(reading, Item) or reading.sequence != item.sequence:
            reading = match.reading = item
        content = content_of(self.items, reading)
        match.reading = None
        return selector.wants_stored(content)

    def _find_by_scan(self, match: Match) -> Item | None:
        if match.message_id is not None:
            pattern, which, name = match.message_hash, MESSAGE_HASH, "MSGID"
        elif match.correlation_id is not None:
            pattern, which, name = match.correlation_hash, CORRELATION_HASH, "CORRELID"
        else:
            pattern, which, name = match.group_hash, GROUP_HASH, "GROUPID"
        best: Item | None = None
        gathers = match.gathered is not None
        searched = match.searched
        if isinstance(searched, Passed):
            searched.directories = 0
        passed = False
        for chain in self.chains:
            if best is not None and chain.priority < best.chain.priority and not gathers:
                break
            if chain.available:
                item = self._scan_chain(chain, pattern.to_bytes(4, "little"), which, match)
                passed = passed or item is None or item.directory is not chain.first or item.slot > 0
                if item is not None and (best is None or item.sequence < best.sequence):
                    best = item
        match.searched = None
        if passed and not gathers:
            match.lacking = name
        return best

    def _scan_chain(self, chain: Chain, pattern: bytes, which: int, match: Match) -> Item | None:
        directory = chain.first
        passed = match.searched
        if isinstance(passed, Passed):
            searched = passed.last.get(chain)
            if searched is not None and not searched.removed:
                directory = searched.after
        else:
            passed = match.searched = Passed()
        while directory is not None:
            if directory.available:
                item = self._scan_directory(chain, directory, pattern, which, match)
                if item is not None:
                    match.skipped += max(0, min(item.slot - directory.hint, directory.available - 1))
                    return item
                match.skipped += directory.available
                if directory.after is not None:  # the last one may still get messages
                    passed.last[chain] = directory
                    passed.directories += 1
                    if passed.directories == MOST_DIRECTORIES:
                        raise GiveWay("a search by id has been through many directories")
            directory = directory.after
        return None

    def _scan_directory(
        self, chain: Chain, directory: Directory, pattern: bytes, which: int, match: Match
    ) -> Item | None:
        data = self.items.frame_of(chain, directory).data
        slot = find_hash(data, which, pattern, directory.hint, directory.count)
        while slot >= 0:
            if state_at(data, slot) == LIVE and may_fit(match, data, slot):
                item = item_at(chain, directory, slot, data)
                if self._suits(item, match):
                    if match.gathered is None:
                        return item
                    match.gather(item)
            slot = find_hash(data, which, pattern, slot + 1, directory.count)
        return None

    # -- browsing -----------------------------------------------------------------------------------------------------

    def browse(self, cursor: Cursor, match: Match | None) -> MessageRef | None:
        """Give the next matching message after a cursor; the cursor is not moved to it."""
        passed = 0
        while True:
            item = self._after(cursor)
            if item is None or match is None:
                return item
            data = self.items.frame_of(item.chain, item.directory).data
            if may_fit(match, data, item.slot) and self._suits(item, match):
                return item
            cursor.move(item)
            passed += 1
            match.skipped += 1
            if passed == MOST_PASSED and match.selector is not None:
                raise GiveWay("a search by selector has passed many messages")

    def _after(self, cursor: Cursor) -> Item | None:
        best: Item | None = None
        if cursor.by_arrival:
            for chain in self.chains:
                item = self._after_in(chain, cursor, cursor.sequence + 1)
                if item is not None and (best is None or item.sequence < best.sequence):
                    best = item
            return best
        for chain in self.chains:
            if chain.priority > cursor.priority:
                continue
            if best is not None and chain.priority < best.chain.priority:
                break
            least = cursor.sequence + 1 if chain.priority == cursor.priority else 0
            item = self._after_in(chain, cursor, least)
            if item is not None and (best is None or item.sequence < best.sequence):
                best = item
        return best

    def _after_in(self, chain: Chain, cursor: Cursor, least: int) -> Item | None:
        directory = chain.first
        slot = 0
        seen = cursor.seen.get(chain.lane)
        if isinstance(seen, Item) and seen.chain is chain:
            if not seen.directory.removed:
                directory = seen.directory
                if directory.resets == seen.resets:
                    slot = seen.slot + 1
            else:
                while directory is not None and directory.position < seen.directory.position:
                    directory = directory.after
        everything = cursor.everything
        locked = cursor.locked
        own_directory: Directory | None = None
        own_slot = -1
        if isinstance(locked, Item):
            own_directory = locked.directory
            own_slot = locked.slot
        while directory is not None:
            own = own_slot if directory is own_directory else -1
            if directory.available or own >= 0 or (everything and directory.used):
                item = self._first_from(chain, directory, slot, least, own, everything)
                if item is not None:
                    return item
            directory = directory.after
            slot = 0
        return None

    def _first_from(
        self, chain: Chain, directory: Directory, slot: int, least: int, own: int, everything: bool
    ) -> Item | None:
        # Messages locked by others are skipped; the one that this cursor has locked, in the slot `own`, is not.
        data = self.items.frame_of(chain, directory).data
        while slot < directory.count:
            state = state_at(data, slot)
            seen = state == LIVE or (slot == own and state == BROWSE_LOCKED) or (everything and state != EMPTY)
            if seen and sequence_at(data, slot) >= least:
                return item_at(chain, directory, slot, data)
            slot += 1
        return None

    # -- what is due --------------------------------------------------------------------------------------------------

    def due(self, scan: DueScan) -> list[MessageRef]:
        """Give available messages that have expired, from one directory after the other."""
        while scan.lane < len(self.chains):
            chain = self.chains[scan.lane]
            directory = chain.first if chain.expiring else None
            glances = 0
            while directory is not None:
                if directory.position > scan.position and directory.soonest:
                    if directory.soonest <= scan.now:
                        found = self._due_in(chain, directory, scan)
                        scan.position = directory.position
                        return found
                    scan.note(directory.soonest)
                    glances += 1
                    if glances == GLANCES:
                        scan.position = directory.position
                        return []
                directory = directory.after
            scan.lane += 1
            scan.position = 0
        scan.done = True
        return []

    def _due_in(self, chain: Chain, directory: Directory, scan: DueScan) -> list[MessageRef]:
        data = self.items.frame_of(chain, directory).data
        found: list[MessageRef] = []
        soonest = 0
        for slot in range(directory.count):
            state = state_at(data, slot)
            moment = expiry_at(data, slot) if state != EMPTY else 0
            if not moment:
                continue
            if not soonest or moment < soonest:
                soonest = moment
            if state == LIVE and moment <= scan.now:
                found.append(item_at(chain, directory, slot, data))
            else:
                scan.note(moment)
        directory.soonest = soonest
        return found

    # -- the store itself ---------------------------------------------------------------------------------------------

    def arrange(self) -> None:
        """Build or drop indexes, so that they agree with `index_type` and `indexed_property`.

        An index by id is built here, which may stall; an index by property is built when a get first uses it.
        """
        indexes = self.indexes
        indexes.scans = None
        name = self.indexed_property
        if not name:
            indexes.by_property = None
        elif indexes.by_property is None or indexes.by_property.name != name:
            indexes.by_property = PropertyIndex(name)
        which = _HASHES[self.index_type]
        if which != indexes.which:
            indexes.by_id = None
            indexes.building = None
            indexes.which = which
        for chain in self.chains:
            self._keep(chain)
        if not which or indexes.by_id is not None:
            return
        if indexes.building is None:
            indexes.building = IndexBuild(self.items, self.chains, which)
        indexes.by_id = indexes.building.run()
        indexes.building = None

    def drop(self) -> None:
        """Give back the directory pages."""
        for chain in self.chains:
            self.items.drop_chain(chain)


def may_fit(match: Match, data: bytes | bytearray, slot: int) -> bool:
    """Say whether a message may have the wanted ids, by the hashes in its entry of the directory page."""
    if match.arrival and sequence_at(data, slot) != match.arrival:
        return False
    if match.message_id is not None and hash_at(data, slot, MESSAGE_HASH) != match.message_hash:
        return False
    if match.correlation_id is not None and hash_at(data, slot, CORRELATION_HASH) != match.correlation_hash:
        return False
    return match.group_id is None or hash_at(data, slot, GROUP_HASH) == match.group_hash


def _could_be_indexed(match: Match) -> None:
    """Set `match.lacking` to the index by property that the search could have used."""
    selector = match.selector
    if selector is None:
        return
    for name, _ in selector.equalities:
        if not name.startswith(("JMS", "Root.")):
            match.lacking = f"PROPINDX({name})"
            return


_HASHES: Final = {
    INDEX_NONE: 0,
    INDEX_MESSAGE_ID: MESSAGE_HASH,
    INDEX_CORRELATION_ID: CORRELATION_HASH,
    INDEX_GROUP_ID: GROUP_HASH,
}


def _delivery_order(chain: Chain) -> tuple[int, bool]:
    return -chain.priority, chain.volatile
