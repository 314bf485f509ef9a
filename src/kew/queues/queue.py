"""A private queue: messages in the page set of its storage class, in priority or arrival order.

A queue has up to ten chains for persistent messages and ten for the others, one for each priority in use (one alone
when delivery is FIFO). Which message is next is decided by priority, then by the arrival sequence, which both kinds
share.

Depth counts as MQ's CURDEPTH does: up at a put, down at a get, whether committed or not.
"""

import time
from collections.abc import Callable, Mapping
from typing import Final

from kew.codes.options import (
    MQMF_LAST_MSG_IN_GROUP,
    MQMF_LAST_SEGMENT,
    MQMF_MSG_IN_GROUP,
    MQMF_SEGMENT,
    MQRO_EXPIRATION,
)
from kew.formats.mqmd import MessageDescriptor
from kew.objects.catalogue import AttributeValue
from kew.queues.cursor import Cursor, DueScan
from kew.queues.index import IdIndex
from kew.queues.indexing import IndexBuild
from kew.queues.marks import Marks
from kew.queues.match import Match, content_of, hash_id
from kew.queues.monitor import QueueMonitor
from kew.queues.propertyindex import PropertyIndex
from kew.queues.statistics import QueueStatistics
from kew.queues.stream import Stream
from kew.queues.waiters import WaitList
from kew.queues.watch import Trigger, Watch
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.message import HEAD, HEADERS, WHOLE, Description, MessageRef
from kew.storage.pages.blob import SINGLE_PAGE
from kew.storage.pages.chain import Chain
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
from kew.storage.pages.longitem import Storing, read_on
from kew.storage.pages.pageset import PageSet
from kew.storage.stall import Stall
from kew.storage.unit import Unit

INDEX_NONE: Final = 0
INDEX_MESSAGE_ID: Final = 1
INDEX_CORRELATION_ID: Final = 2
INDEX_GROUP_ID: Final = 5

PREDEFINED: Final = 1  # MQQDT_*
PERMANENT_DYNAMIC: Final = 2
TEMPORARY_DYNAMIC: Final = 3

NO_CAP: Final = -1
HIGHEST_PRIORITY: Final = 9  # MaxPriority of a queue manager

_IN_GROUP: Final = MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP | MQMF_SEGMENT | MQMF_LAST_SEGMENT

GLANCES: Final = 1000  # directories that are not due and may be passed in one hold of the lock
NOTHING: Final = Description(True, False, False, False, 0, 0, b"")

MOST_PASSED: Final = 500  # messages that one hold of the lock may ask a selector of
UNINDEXED_GETS: Final = 100  # gets by id that had to read past other messages, before the warning


class ManyPassed(Stall):
    """A search by selector has passed many messages: others shall have the lock before it goes on."""

    def resolve(self) -> None:
        """Let others go first."""


class QueueCounters:
    """What happened to a queue since the counters were last taken."""

    def __init__(self) -> None:
        self.puts = 0  # copies put by streaming queues among them
        self.streamed = 0  # those copies alone
        self.gets = 0
        self.browses = 0
        self.put_bytes = 0
        self.got_bytes = 0
        self.handed_over = 0  # given straight to a waiting getter
        self.expired = 0
        self.highest_depth = 0
        self.lowest_depth = 0
        self.since = 0.0  # when a command last took them; 0 for never


class Queue:
    """The messages of one local queue. Every method runs under the engine lock."""

    def __init__(self, number: int, name: str, page_set: PageSet, store: ItemStore) -> None:
        self.id = number
        self.name = name
        self.creator = ""  # of a dynamic queue: the user who may do everything with it
        self.page_set = page_set
        self.store = store
        self.definition: Mapping[str, AttributeValue] = {}  # as it is now; what follows is taken from it
        self.by_priority = True
        self.index_type = INDEX_NONE
        self.max_depth = 5000
        self.max_length = 4194304
        self.put_allowed = True
        self.get_allowed = True
        self.default_priority = 0
        self.default_persistence = 0
        self.default_input = 2  # MQOO_INPUT_SHARED
        self.shareable = True
        self.dynamic = PREDEFINED
        self.expiry_cap = NO_CAP  # tenths of a second
        self.holds_back = False  # its messages do not expire: their time is when they are delivered elsewhere
        self.property_control = 0  # MQPROP_COMPATIBILITY
        # who has it open
        self.handles = 0  # of any kind
        self.input_handles = 0
        self.output_handles = 0
        self.exclusive = False
        self.deleted = False
        # the messages
        self.chains: list[Chain] = []  # those there are, highest priority first
        self._lasting: list[Chain | None] = [None] * (HIGHEST_PRIORITY + 1)
        self._passing: list[Chain | None] = [None] * (HIGHEST_PRIORITY + 1)
        self.depth = 0
        self.uncommitted = 0
        self.next_sequence = 1
        self.trimmed = 0  # the position before which messages were taken away, since the start
        self.index: IdIndex | None = None
        self.building: IndexBuild | None = None  # the index on its way
        self.property_index: PropertyIndex | None = None
        self.damaged = False
        self.waiters = WaitList()
        self.unindexed_gets = 0
        self.warned = False
        self.on_unindexed: Callable[[Queue, str], None] | None = None
        self.on_expired: Callable[[Queue, MessageRef], None] | None = None  # lets a unit throw away what is reported
        self.counters = QueueCounters()
        self.monitor: QueueMonitor | None = None  # None: it is not monitored
        self.stream: Stream | None = None  # None: its messages are not copied
        self.marks: Marks | None = None  # of browsed messages
        self.watch: Watch | None = None  # told of each put and get while events are switched on
        self.trigger: Trigger | None = None  # None: it is defined without TRIGGER
        self.statistics: QueueStatistics | None = None  # while they are recorded

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
            chain = Chain(self.page_set, self.id, priority, volatile)
            self.add_chain(chain)
        return chain

    def add_chain(self, chain: Chain) -> None:
        """Take over a chain, new or from restart."""
        table = self._passing if chain.volatile else self._lasting
        table[chain.priority] = chain
        self.chains.append(chain)
        self.chains.sort(key=_delivery_order)

    def recovered(self, chains: list[Chain], next_sequence: int) -> None:
        """Take over what restart found."""
        for chain in chains:
            self.add_chain(chain)
            self.depth += chain.used
        self.next_sequence = max(next_sequence, first_position())

    def set_index(self, index_type: int) -> None:
        """Index the queue by another id, or not at all; may stall, and is then called again."""
        if index_type != self.index_type:
            self.index = None
            self.building = None
            self.index_type = index_type
            self.warned = False
            self.unindexed_gets = 0
        if index_type == INDEX_NONE or self.index is not None:
            return
        if self.building is None:
            self.building = IndexBuild(self.store, self.chains, self._indexed_hash())
        self.index = self.building.run()
        self.building = None

    def set_property_index(self, name: str) -> None:
        """Index the queue by another property, or not at all; it is built when it is first asked for."""
        old = self.property_index
        if not name:
            self.property_index = None
        elif old is None or old.name != name:
            self.property_index = PropertyIndex(name)
            self.warned = False
            self.unindexed_gets = 0

    def _indexed_hash(self) -> int:
        if self.index_type == INDEX_MESSAGE_ID:
            return MESSAGE_HASH
        if self.index_type == INDEX_CORRELATION_ID:
            return CORRELATION_HASH
        return GROUP_HASH

    # -- putting ------------------------------------------------------------------------------------------------------

    def put(
        self,
        descriptor: MessageDescriptor,
        prefix: bytes,
        body: bytes,
        persistent: bool,
        expiry: int,
        unit: Unit | None,
    ) -> Item:
        """Store a message that fits into one page."""
        entry = self._entry(descriptor, persistent, expiry)
        item = self.store.put(self.chain(descriptor.priority, not persistent), entry, prefix, body, unit)
        self.stored(item, entry, len(body), unit)
        if self.property_index is not None:
            self.property_index.stored(item, prefix + body)
        return item

    def storing(
        self,
        descriptor: MessageDescriptor,
        prefix: bytes,
        body: bytes,
        persistent: bool,
        expiry: int,
        unit: Unit | None,
    ) -> Storing:
        """Begin to store a longer message; when its steps are done, call `stored`."""
        entry = self._entry(descriptor, persistent, expiry)
        chain = self.chain(descriptor.priority, not persistent)
        return Storing(self.store, chain, entry, prefix, body, unit)

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

    def stored(self, item: Item, entry: Entry, length: int, unit: Unit | None) -> None:
        """Count a message that is now on the queue."""
        self.next_sequence = entry.sequence + 1
        self.depth += 1
        if unit is not None:
            self.uncommitted += 1
        if self.index_type != INDEX_NONE:
            self._add_to_index(item, entry)
        counters = self.counters
        counters.puts += 1
        counters.put_bytes += length
        if self.depth > counters.highest_depth:
            counters.highest_depth = self.depth
        watch = self.watch
        if watch is not None:
            watch.stored(self.depth)

    def _add_to_index(self, item: Item, entry: Entry) -> None:
        if self.index_type == INDEX_MESSAGE_ID:
            key = entry.message_hash
        elif self.index_type == INDEX_CORRELATION_ID:
            key = entry.correlation_hash
        else:
            key = entry.group_hash
        if self.index is not None:
            self.index.add(key, item.directory.number << 8 | item.slot)
        elif self.building is not None:
            self.building.stored(item, key)

    # -- taking -------------------------------------------------------------------------------------------------------

    def take(self, item: MessageRef, unit: Unit | None) -> LogAddress:
        """Take a message off, or let a unit get it; gives the log address to wait for, 0 if there is none.

        May stall, and is then called again.
        """
        assert isinstance(item, Item)
        self.store.load_runs(item)
        address = NO_ADDRESS
        if unit is None:
            self._remove(item)
            if not item.chain.volatile:
                address = self.store.latest
        else:
            self.store.get(item, unit)
            self.uncommitted += 1
        self._one_less()
        if self.marks is not None:
            self.marks.gone(item.sequence)
        self.counters.gets += 1
        watch = self.watch
        if watch is not None:
            watch.taken(self.depth)
        return address

    def _remove(self, item: Item) -> None:
        key = 0 if self.index is None else self._key_of(item)
        self.store.remove(item, None)
        if self.index is not None:
            self.index.remove(key, item.directory.number << 8 | item.slot)
        elif self.building is not None:
            self.building.removed(item)
        if self.property_index is not None:
            self.property_index.removed(item)

    def _one_less(self) -> None:
        self.depth -= 1
        if self.depth < self.counters.lowest_depth:
            self.counters.lowest_depth = self.depth

    # -- locking ------------------------------------------------------------------------------------------------------

    def hold(self, item: MessageRef) -> None:
        """Keep a message from everybody until it is taken or let go of. May stall."""
        assert isinstance(item, Item)
        self.store.set_state(item, BROWSE_LOCKED)

    def let_go(self, item: MessageRef) -> None:
        """Let everybody have a message that was held. May stall."""
        assert isinstance(item, Item)
        self.store.set_state(item, LIVE)

    # -- describing ---------------------------------------------------------------------------------------------------

    def describe(self, item: MessageRef, extent: int = HEAD) -> Description:
        """Say what a message is and what has become of it; `extent` says how much of its content is wanted, too.

        May stall, and is then called again: it goes on where it stopped.
        """
        assert isinstance(item, Item)
        directory, slot = item.directory, item.slot
        if not item.has_place():
            return NOTHING
        data = self.store.frame_of(item.chain, directory).data
        state = state_at(data, slot)
        flags = flags_at(data, slot)
        expiry = expiry_at(data, slot) if item.may_expire else 0
        backout_count = backout_at(data, slot)
        content = b""  # last: once all of it is read nothing may stall, else it would be read again
        if extent == WHOLE:
            content = read_on(self.store, item)
        elif extent == HEADERS:
            content = content_of(self.store, item, None)
        return Description(
            state == EMPTY,
            state == LIVE,
            flags & GROUPED != 0,
            flags & CONTINUES != 0,
            expiry,
            backout_count,
            content,
        )

    # -- expiring -----------------------------------------------------------------------------------------------------

    def expiry_of(self, found: Description) -> int:
        """Give the moment at which a message expires, in milliseconds since 1970; 0 for never."""
        return 0 if self.holds_back else found.expiry

    def seen_from(self, item: MessageRef) -> LogAddress:
        """Give the log address from which on a message may be seen: its put cannot be undone by a crash any more."""
        if not item.persistent:
            return NO_ADDRESS
        assert isinstance(item, Item)
        return self.store.fresh.address_of(item)

    def has_expired(self, item: MessageRef, now: int) -> bool:
        """Say whether a message is past its time and nobody has it locked."""
        if not item.may_expire or self.holds_back:
            return False
        assert isinstance(item, Item)
        if not item.has_place():
            return False
        data = self.store.frame_of(item.chain, item.directory).data
        moment = expiry_at(data, item.slot)
        return moment != 0 and moment <= now and state_at(data, item.slot) == LIVE

    def due(self, scan: DueScan) -> list[MessageRef]:
        """Give messages that nobody has locked and whose time is past, some at a time; `scan` says when that is all.

        May stall, and is then called again: it goes on where it stopped.
        """
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
        data = self.store.frame_of(chain, directory).data
        found: list[MessageRef] = []
        soonest = 0
        for slot in range(directory.count):
            state = state_at(data, slot)
            moment = expiry_at(data, slot) if state != EMPTY else 0
            if not moment:
                continue
            if not soonest or moment < soonest:
                soonest = moment
            if moment > scan.now:
                scan.note(moment)
            elif state == LIVE:
                found.append(item_at(chain, directory, slot, data))
            else:
                scan.note(moment)
        directory.soonest = soonest
        return found

    def expire(self, item: MessageRef) -> None:
        """Throw a message away whose time is past. May stall, and is then called again."""
        assert isinstance(item, Item)
        self.store.load_runs(item)
        if self.on_expired is None or not self._is_reported(item):
            self._remove(item)
            self._one_less()
        else:
            self.on_expired(self, item)
        self.counters.expired += 1

    def _is_reported(self, item: Item) -> bool:
        data = self.store.frame_of(item.chain, item.directory).data
        return flags_at(data, item.slot) & EXPIRY_REPORTED != 0

    def expire_in(self, item: MessageRef, unit: Unit) -> None:
        """Let a unit throw a message away whose time is past, together with what it does about it. May stall."""
        assert isinstance(item, Item)
        self.store.get(item, unit)
        self.uncommitted += 1
        self._one_less()

    def _key_of(self, item: Item) -> int:
        data = self.store.frame_of(item.chain, item.directory).data
        return hash_at(data, item.slot, self._indexed_hash())

    # -- what becomes of units ----------------------------------------------------------------------------------------

    def put_committed(self) -> None:
        """A message put by a unit is now visible."""
        self.uncommitted -= 1

    def removing(self, item: MessageRef) -> None:
        """A message that a unit got, or put and takes back, is about to go."""
        assert isinstance(item, Item)
        if self.index is not None:
            self.index.remove(self._key_of(item), item.directory.number << 8 | item.slot)
        elif self.building is not None:
            self.building.removed(item)
        if self.property_index is not None:
            self.property_index.removed(item)

    def get_committed(self) -> None:
        """A message got by a unit is gone."""
        self.uncommitted -= 1

    def put_undone(self) -> None:
        """A message put by a unit is gone."""
        self.uncommitted -= 1
        self.depth -= 1
        if self.statistics is not None:
            self.statistics.puts_undone += 1

    def get_undone(self) -> None:
        """A message got by a unit is back."""
        self.uncommitted -= 1
        self.depth += 1
        if self.statistics is not None:
            self.statistics.gets_undone += 1

    # -- finding ------------------------------------------------------------------------------------------------------

    def available(self) -> int:
        """Count the messages that a get could take."""
        total = 0
        for chain in self.chains:
            total += chain.available
        return total

    def next(self) -> Item | None:
        """Give the message that the next get without conditions takes."""
        best: Item | None = None
        for chain in self.chains:
            if best is not None and chain.priority < best.chain.priority:
                break
            if chain.available:
                item = self.store.first_available(chain)
                if item is not None and (best is None or item.sequence < best.sequence):
                    best = item
        return best

    def find(self, match: Match) -> Item | None:
        """Give the first message with given ids, or that a selector selects."""
        if match.selector is not None:
            return self._find_selected(match)
        index = self.index
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

    def _find_selected(self, match: Match) -> Item | None:
        properties = self.property_index
        if properties is not None and properties.can_find(match):
            return self._find_indexed(properties.ready(self.store, self.chains), match.value_hash, match)
        cursor = match.passed
        if cursor is None:
            cursor = Cursor()
            match.passed = cursor
        item = self.browse(cursor, match)
        match.passed = None
        if cursor.sequence and not self.warned:
            self._could_be_indexed(match)
        return item

    def _could_be_indexed(self, match: Match) -> None:
        """Take note of a search that passed messages which an index by property would not have."""
        selector = match.selector
        if selector is None:
            return
        for name, _ in selector.equalities:
            if not name.startswith(("JMS", "Root.")):
                self._passed_others(f"PROPINDX({name})")
                return

    def _find_indexed(self, index: IdIndex, key: int, match: Match) -> Item | None:
        head = index.first(key)
        node = head
        best: Item | None = None
        while node:
            item = self._at(index.place(node), match, -1 if best is None else best.chain.priority)
            if item is not None and self._suits(item, match):
                best = item
                if self.chains[0].priority == self.chains[-1].priority:
                    return best
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
                data = self.store.frame_of(chain, directory).data
                if state_at(data, slot) != LIVE or not match.may_fit(data, slot):
                    return None
                return item_at(chain, directory, slot, data)
        return None

    def matches(self, item: MessageRef, match: Match) -> bool:
        """Compare a stored message's ids and ask the selector.

        May stall, and is then called again.
        """
        assert isinstance(item, Item)
        if not match.may_fit(self.store.frame_of(item.chain, item.directory).data, item.slot):
            return False
        return self._suits(item, match)

    def _suits(self, item: Item, match: Match) -> bool:
        # The hashes in its entry have been compared.
        offset = CONTENT if item.length <= SINGLE_PAGE else FIRST_CONTENT
        if not match.accepts_stored(self.store.first_page(item).data, offset):
            return False
        selector = match.selector
        return selector is None or selector.wants_stored(content_of(self.store, item, match))

    def _find_by_scan(self, match: Match) -> Item | None:
        if match.message_id is not None:
            pattern, which, name = match.message_hash, MESSAGE_HASH, "MSGID"
        elif match.correlation_id is not None:
            pattern, which, name = match.correlation_hash, CORRELATION_HASH, "CORRELID"
        else:
            pattern, which, name = match.group_hash, GROUP_HASH, "GROUPID"
        best: Item | None = None
        passed = False
        for chain in self.chains:
            if best is not None and chain.priority < best.chain.priority:
                break
            if chain.available:
                item = self._scan_chain(chain, pattern.to_bytes(4, "little"), which, match)
                passed = passed or item is None or item.directory is not chain.first or item.slot > 0
                if item is not None and (best is None or item.sequence < best.sequence):
                    best = item
        match.searched.clear()
        if passed and not self.warned:
            self._passed_others(name)
        return best

    def _passed_others(self, name: str) -> None:
        self.unindexed_gets += 1
        if self.unindexed_gets >= UNINDEXED_GETS:
            self.warned = True
            if self.on_unindexed is not None:
                self.on_unindexed(self, name)

    def _scan_chain(self, chain: Chain, pattern: bytes, which: int, match: Match) -> Item | None:
        directory = chain.first
        searched = match.searched.get(chain)
        if searched is not None and chain.by_number.get(searched.number) is searched:
            directory = searched.after
        while directory is not None:
            if directory.available:
                item = self._scan_directory(chain, directory, pattern, which, match)
                if item is not None:
                    match.skipped += max(0, min(item.slot - directory.hint, directory.available - 1))
                    return item
                match.skipped += directory.available
                if directory.after is not None:  # the last one may still get messages
                    match.searched[chain] = directory
            directory = directory.after
        return None

    def _scan_directory(
        self, chain: Chain, directory: Directory, pattern: bytes, which: int, match: Match
    ) -> Item | None:
        data = self.store.frame_of(chain, directory).data
        slot = find_hash(data, which, pattern, directory.hint, directory.count)
        while slot >= 0:
            if state_at(data, slot) == LIVE and match.may_fit(data, slot):
                item = item_at(chain, directory, slot, data)
                if self._suits(item, match):
                    return item
            slot = find_hash(data, which, pattern, slot + 1, directory.count)
        return None

    # -- browsing -----------------------------------------------------------------------------------------------------

    def browse(self, cursor: Cursor, match: Match | None) -> Item | None:
        """Give the next message after a cursor. The cursor is not moved to it.

        The cursor is moved past messages that do not match, so that a search that stalls goes on from there.
        """
        passed = 0
        while True:
            item = self.after(cursor)
            if item is None:
                return None
            if match is None:
                return item
            data = self.store.frame_of(item.chain, item.directory).data
            if match.may_fit(data, item.slot) and self._suits(item, match):
                return item
            cursor.move(item)
            passed += 1
            match.skipped += 1
            if passed == MOST_PASSED and match.selector is not None:
                raise ManyPassed("a search by selector has passed many messages")

    def after(self, cursor: Cursor) -> Item | None:
        """Give the next message after a cursor, in order of delivery or, if it asks for that, of arrival."""
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
        if isinstance(seen, Item) and seen.chain is chain and not seen.directory.removed:
            directory = seen.directory
            if directory.resets == seen.resets:
                slot = seen.slot + 1
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
        # What others have locked is passed over; what the cursor itself has locked, in the slot `own`, is not.
        data = self.store.frame_of(chain, directory).data
        while slot < directory.count:
            state = state_at(data, slot)
            seen = state == LIVE or (slot == own and state == BROWSE_LOCKED) or (everything and state != EMPTY)
            if seen and sequence_at(data, slot) >= least:
                return item_at(chain, directory, slot, data)
            slot += 1
        return None

    def still_there(self, item: MessageRef) -> bool:
        """Say whether a message that was found earlier is still on the queue and free to be taken."""
        assert isinstance(item, Item)
        if not item.has_place():
            return False
        data = self.store.frame_of(item.chain, item.directory).data
        return state_at(data, item.slot) == LIVE


def first_position() -> int:
    """Give an arrival number above all that a queue has given before: the microseconds since 1970.

    No queue takes a million messages a second, so what it counts up to is always behind the clock at the next start.
    """
    return time.time_ns() // 1000


def _delivery_order(chain: Chain) -> tuple[int, bool]:
    return -chain.priority, chain.volatile
