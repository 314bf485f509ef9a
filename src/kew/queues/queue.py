"""A local queue: its definition, open handles, waiting gets and counters. Its messages are in its store.

Depth counts as MQ's CURDEPTH does: up at a put, down at a get, whether committed or not.
"""

from collections.abc import Callable, Mapping
from typing import Final

from kew.codes.attributes import MQST_MUST_DUP
from kew.formats.mqmd import MessageDescriptor, decode_stored
from kew.objects.catalogue import AttributeValue
from kew.queues.cursor import Cursor, DueScan
from kew.queues.listeners import DepthListener, TriggerCondition
from kew.queues.marks import BrowseMarks
from kew.queues.match import Match
from kew.queues.monitor import QueueMonitor, seconds_of
from kew.queues.statistics import QueueStatistics
from kew.queues.store import QueueStore, Storing
from kew.queues.waiters import WaitList
from kew.storage.log import LogAddress
from kew.storage.message import HEAD, HEADERS, Description, MessageRef
from kew.storage.unit import Unit

PREDEFINED: Final = 1  # MQQDT_*
PERMANENT_DYNAMIC: Final = 2
TEMPORARY_DYNAMIC: Final = 3

NO_CAP: Final = -1

UNINDEXED_GETS: Final = 100  # gets by id that had to read past other messages, before the warning


class StreamQueue:
    """The stream queue of a queue (STREAMQ, STRMQOS). Its name is resolved at each put."""

    def __init__(self, name: str, must: bool) -> None:
        self.name = name
        self.must = must  # the message and its copy are both put, or neither is


def stream_queue_of(values: Mapping[str, AttributeValue]) -> StreamQueue | None:
    """Give the stream queue of a definition; None if it has none."""
    name = str(values["STREAMQ"])
    return StreamQueue(name, values["STRMQOS"] == MQST_MUST_DUP) if name else None


class QueueCounters:
    """The counters of a queue since they were last taken."""

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
    """The messages of one local queue. Methods run under the engine lock."""

    def __init__(
        self,
        name: str,
        store: QueueStore,
        on_expired: "Callable[[Queue, MessageRef], None] | None" = None,
        on_unindexed: "Callable[[Queue, str], None] | None" = None,
    ) -> None:
        self.id = store.queue
        self.name = name
        self.creator = ""  # of a dynamic queue: the user who may do everything with it
        self.store = store
        self.definition: Mapping[str, AttributeValue] = {}  # as it is now; what follows is taken from it
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
        # open handles
        self.handles = 0  # of any kind
        self.input_handles = 0
        self.output_handles = 0
        self.exclusive = False
        self.deleted = False
        # the messages
        self.depth = 0
        self.uncommitted = 0
        self.trimmed = 0  # the position before which messages were taken away, since the start
        self.damaged = False
        self.waiters = WaitList()
        self.unindexed_gets = 0
        self.warned = False
        self.on_unindexed = on_unindexed
        self.on_expired = on_expired  # removes in a unit a message whose expiry is reported
        self.counters = QueueCounters()
        self.monitor: QueueMonitor | None = None  # None: it is not monitored
        self.stream: StreamQueue | None = None  # None: its messages are not copied
        self.marks: BrowseMarks | None = None  # of browsed messages
        self.watch: DepthListener | None = None  # called for each put and get while events are switched on
        self.trigger: TriggerCondition | None = None  # None: it is defined without TRIGGER
        self.statistics: QueueStatistics | None = None  # while they are recorded

    # -- putting ------------------------------------------------------------------------------------------------------

    def put(
        self,
        descriptor: MessageDescriptor,
        prefix: bytes,
        body: bytes,
        persistent: bool,
        expiry: int,
        unit: Unit | None,
    ) -> MessageRef:
        """Store a message of at most AT_ONCE bytes."""
        item = self.store.put(descriptor, prefix, body, persistent, expiry, unit)
        assert isinstance(item, MessageRef)
        self.stored(len(body), unit)
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
        """Begin to store a longer message in steps; when they are done, `stored` is called."""
        storing = self.store.put(descriptor, prefix, body, persistent, expiry, unit)
        assert isinstance(storing, Storing)
        return storing

    def stored(self, length: int, unit: Unit | None) -> None:
        """Count a message that is now on the queue."""
        self.depth += 1
        if unit is not None:
            self.uncommitted += 1
        counters = self.counters
        counters.puts += 1
        counters.put_bytes += length
        if self.depth > counters.highest_depth:
            counters.highest_depth = self.depth
        watch = self.watch
        if watch is not None:
            watch.stored(self.depth)

    # -- taking -------------------------------------------------------------------------------------------------------

    def take(self, item: MessageRef, unit: Unit | None) -> LogAddress:
        """Take a message, for good or in a unit; gives the log address to wait for, 0 if there is none.

        May stall, and is then called again.
        """
        address = self.store.take(item, unit)
        if unit is not None:
            self.uncommitted += 1
        self._one_less()
        if self.marks is not None:
            self.marks.gone(item.sequence)
        self.counters.gets += 1
        watch = self.watch
        if watch is not None:
            watch.taken(self.depth)
        return address

    def _one_less(self) -> None:
        self.depth -= 1
        if self.depth < self.counters.lowest_depth:
            self.counters.lowest_depth = self.depth

    def hold(self, item: MessageRef) -> None:
        """Lock a message until `take` or `let_go`. May stall."""
        self.store.take(item, None, True)

    def let_go(self, item: MessageRef) -> None:
        """Release a message that was locked. May stall."""
        self.store.undo(item)

    # -- describing ---------------------------------------------------------------------------------------------------

    def describe(self, item: MessageRef, extent: int = HEAD) -> Description:
        """Give the state of a message; `extent` says how much of its content is wanted, too.

        May stall, and is then called again: it continues where it stopped.
        """
        return self.store.describe(item, extent)

    def expiry_of(self, found: Description) -> int:
        """Give the time at which a message expires, in milliseconds since 1970; 0 for never."""
        return 0 if self.holds_back else found.expiry

    def still_there(self, item: MessageRef) -> bool:
        """Say whether a message that was found earlier is still on the queue and available."""
        return self.store.describe(item, HEAD).available

    # -- expiring -----------------------------------------------------------------------------------------------------

    def has_expired(self, item: MessageRef, now: int) -> bool:
        """Say whether a message has expired and is not locked."""
        if not item.may_expire or self.holds_back:
            return False
        found = self.store.describe(item, HEAD)
        return found.available and found.expiry != 0 and found.expiry <= now

    def expire(self, item: MessageRef) -> None:
        """Remove a message that has expired. May stall, and is then called again."""
        if self.on_expired is None or not self.store.describe(item, HEAD).expiry_reported:
            self.store.take(item, None)
            self._one_less()
        else:
            self.on_expired(self, item)
        self.counters.expired += 1

    def expire_in(self, item: MessageRef, unit: Unit) -> None:
        """Remove an expired message in a unit of work, together with the unit's other operations. May stall."""
        self.store.take(item, unit)
        self.uncommitted += 1
        self._one_less()

    def due(self, scan: DueScan) -> list[MessageRef]:
        """Give some messages that have expired and are not locked; `scan` says when there are no more.

        May stall, and is then called again: it continues where it stopped.
        """
        return self.store.due(scan)

    # -- what becomes of units ----------------------------------------------------------------------------------------

    def put_committed(self) -> None:
        """Note that a message put in a unit of work is now visible."""
        self.uncommitted -= 1

    def get_committed(self) -> None:
        """Note that a message got in a unit of work is removed, since the get was committed."""
        self.uncommitted -= 1

    def put_undone(self) -> None:
        """Note that a message put in a unit of work is removed, since the put was undone."""
        self.uncommitted -= 1
        self.depth -= 1
        if self.statistics is not None:
            self.statistics.puts_undone += 1

    def get_undone(self) -> None:
        """Note that a message got in a unit of work is available again, since the get was undone."""
        self.uncommitted -= 1
        self.depth += 1
        if self.statistics is not None:
            self.statistics.gets_undone += 1

    # -- finding ------------------------------------------------------------------------------------------------------

    def available(self) -> int:
        """Count the messages that are available to gets."""
        return self.store.depth(0, True)

    def next(self) -> MessageRef | None:
        """Give the message for the next get without match criteria."""
        return self.store.find(None)

    def find(self, match: Match) -> MessageRef | None:
        """Give the first message that matches."""
        item = self.store.find(match)
        if match.lacking:
            if not self.warned:
                self._passed_others(match.lacking)
            match.lacking = ""
        return item

    def _passed_others(self, name: str) -> None:
        self.unindexed_gets += 1
        if self.unindexed_gets >= UNINDEXED_GETS:
            self.warned = True
            if self.on_unindexed is not None:
                self.on_unindexed(self, name)

    def matches(self, item: MessageRef, match: Match) -> bool:
        """Say whether a message matches the criteria of a get.

        May stall, and is then called again.
        """
        if match.arrival and item.sequence != match.arrival:
            return False
        reading = match.reading
        if reading is None or reading.sequence != item.sequence:
            reading = match.reading = item
        content = self.store.describe(reading, HEADERS).content
        match.reading = None
        if not content or not match.accepts_stored(content, 0):
            return False
        selector = match.selector
        return selector is None or selector.wants_stored(content)

    def browse(self, cursor: Cursor, match: Match | None) -> MessageRef | None:
        """Give the next matching message after a cursor; the cursor is not moved to it.

        The cursor is moved past messages that do not match, so that a search that stalls continues from there.
        """
        return self.store.browse(cursor, match)

    def after(self, cursor: Cursor) -> MessageRef | None:
        """Give the next message after a cursor, in order of delivery or, if the cursor asks for it, of arrival."""
        return self.store.browse(cursor, None)

    # -- indexes ------------------------------------------------------------------------------------------------------

    def set_index(self, index_type: int, indexed_property: str) -> None:
        """Set the id and property to index by. May stall, and is then called again."""
        store = self.store
        if index_type != store.index_type or indexed_property != store.indexed_property:
            self.warned = False
            self.unindexed_gets = 0
        store.index_type = index_type
        store.indexed_property = indexed_property
        store.arrange()


def oldest_put(queue: Queue) -> float:
    """Give the time at which the oldest available message was put, in seconds since 1970; 0 if there is none.

    Runs under the engine lock. May stall, and is then called again.
    """
    cursor = Cursor()
    cursor.by_arrival = True
    oldest = queue.after(cursor)
    if oldest is None:
        return 0.0
    descriptor = decode_stored(queue.describe(oldest, HEADERS).content, 0)
    return seconds_of(descriptor.put_date, descriptor.put_time)
