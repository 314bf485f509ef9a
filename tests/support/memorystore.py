"""A second store of messages: a list in memory, beside the page store. It outlives the queue manager, as a structure on
another machine would: what is persistent is there after a restart, and what a unit held that has not ended is undone
unless the restart tells of the unit.
"""

from collections.abc import Callable

from kew.codes.options import (
    MQMF_LAST_MSG_IN_GROUP,
    MQMF_LAST_SEGMENT,
    MQMF_MSG_IN_GROUP,
    MQMF_SEGMENT,
    MQRO_EXPIRATION,
)
from kew.formats.mqmd import MessageDescriptor
from kew.qmgr.assemble import Host
from kew.queues.cursor import Cursor, DueScan
from kew.queues.match import Match
from kew.queues.store import (
    AT_ONCE,
    HIGHEST_PRIORITY,
    INDEX_CORRELATION_ID,
    INDEX_GROUP_ID,
    INDEX_MESSAGE_ID,
    QueueStore,
    Storing,
    first_position,
)
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.log.ticket import LogTicket
from kew.storage.message import HEAD, NOTHING, Description, MessageRef
from kew.storage.pages.pageset import PageSet
from kew.storage.unit import GET, IN_FLIGHT, PUT, MessageOperation, Operation, Participant, Unit

NUMBER = 9
STEP = 40_000  # bytes of a long message that are stored in one step
_GROUPED = MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP | MQMF_SEGMENT | MQMF_LAST_SEGMENT


class Stored(MessageRef):
    """A message, and the reference to it."""

    def __init__(
        self, queue: int, priority: int, persistent: bool, sequence: int, descriptor: MessageDescriptor, content: bytes
    ) -> None:
        super().__init__(queue, priority, persistent, False, sequence, len(content))
        self.content = content
        self.grouped = bool(descriptor.message_flags & _GROUPED)
        self.continues = self.grouped and (descriptor.sequence_number != 1 or descriptor.offset != 0)
        self.expiry = 0
        self.expiry_reported = False
        self.backout_count = 0
        self.unit = 0  # that has put or got it
        self.kind = 0  # which of these
        self.held = False
        self.gone = False

    @property
    def available(self) -> bool:
        return not self.gone and not self.held and not self.unit

    def place(self) -> tuple[int, int]:
        return -self.priority, self.sequence


class Structure:
    """What outlives the queue manager: the messages of all queues, and what units hold that a crash has cut short."""

    def __init__(self) -> None:
        self.queues: dict[int, list[Stored]] = {}
        self.positions: dict[int, int] = {}
        self.cut_short: dict[int, list[Stored]] = {}

    def furnish(self, host: Host) -> None:
        """Be the store of all queues of a queue manager that starts."""
        self.cut_short.clear()
        for messages in self.queues.values():
            for each in messages[:]:
                each.held = False
                if each.unit and each.persistent:
                    self.cut_short.setdefault(each.unit, []).append(each)
                if not each.persistent or (each.unit and each.kind == PUT):
                    messages.remove(each)
                each.unit = 0
        participant = InMemory(host, self)
        host.units.register(participant)

        def make_store(number: int, page_set: PageSet) -> QueueStore:
            return MemoryStore(number, page_set, self, participant)

        host.administration.make_store = make_store


class MemoryStore(QueueStore):
    """The messages of one queue in a list, in order of delivery."""

    def __init__(self, queue: int, page_set: PageSet, structure: Structure, participant: "InMemory") -> None:
        super().__init__(queue, page_set)
        self.messages = structure.queues.setdefault(queue, [])
        self.participant = participant
        self.next_sequence = max([first_position(), *[each.sequence + 1 for each in self.messages]])

    def put(
        self,
        descriptor: MessageDescriptor,
        prefix: bytes,
        body: bytes,
        persistent: bool,
        expiry: int,
        unit: Unit | None,
    ) -> MessageRef | Storing:
        priority = min(descriptor.priority, HIGHEST_PRIORITY) if self.by_priority else 0
        stored = Stored(self.queue, priority, persistent, 0, descriptor, prefix + body)
        stored.expiry = expiry
        stored.may_expire = expiry != 0
        stored.expiry_reported = expiry != 0 and bool(descriptor.report & MQRO_EXPIRATION)
        if stored.length > AT_ONCE:
            return InSteps(self, stored, unit)
        self.insert(stored, unit)
        return stored

    def insert(self, stored: Stored, unit: Unit | None) -> None:
        """Take in a message."""
        stored.sequence = self.next_sequence
        self.next_sequence += 1
        if unit is not None:
            self.participant.work(unit, PUT, stored)
        self.add(stored)

    def add(self, stored: Stored) -> None:
        """Put a message where it belongs."""
        self.rooted = True
        self.messages.append(stored)
        self.messages.sort(key=Stored.place)

    def find(self, match: Match | None) -> MessageRef | None:
        first: MessageRef | None = None
        passed = False
        for each in self.messages:
            if not each.available:
                continue
            if match is None:
                return each
            if fits(each, match):
                if first is None:
                    first = each
                if match.gathered is None:
                    break
                match.gather(each)
            else:
                passed = True
                match.skipped += 1
        if match is not None and passed and match.gathered is None:
            match.lacking = self._lacking(match)
        return first

    def _lacking(self, match: Match) -> str:
        selector = match.selector
        if selector is not None:
            names = [name for name, _ in selector.equalities if not name.startswith(("JMS", "Root."))]
            return f"PROPINDX({names[0]})" if names and self.indexed_property not in names else ""
        if match.message_id is not None:
            return "" if self.index_type == INDEX_MESSAGE_ID else "MSGID"
        if match.correlation_id is not None:
            return "" if self.index_type == INDEX_CORRELATION_ID else "CORRELID"
        if match.group_id is not None:
            return "" if self.index_type == INDEX_GROUP_ID else "GROUPID"
        return ""

    def browse(self, cursor: Cursor, match: Match | None) -> MessageRef | None:
        if cursor.by_arrival:
            after = [each for each in self.messages if each.sequence > cursor.sequence]
            after.sort(key=lambda each: each.sequence)
        else:
            after = [each for each in self.messages if each.place() > (-cursor.priority, cursor.sequence)]
        for each in after:
            if not each.available and each is not cursor.locked and not cursor.everything:
                continue
            if match is None or fits(each, match):
                return each
            cursor.move(each)
            match.skipped += 1
        return None

    def take(self, item: MessageRef, unit: Unit | None, hold: bool = False) -> LogAddress:
        assert isinstance(item, Stored)
        if hold:
            item.held = True
        elif unit is not None:
            self.participant.work(unit, GET, item)
            item.held = False
        else:
            self.remove(item)
        return NO_ADDRESS

    def remove(self, item: Stored) -> None:
        """Take a message away for good."""
        item.gone = True
        self.messages.remove(item)

    def undo(self, item: MessageRef) -> None:
        assert isinstance(item, Stored)
        item.held = False

    def describe(self, item: MessageRef, extent: int) -> Description:
        assert isinstance(item, Stored)
        if item.gone:
            return NOTHING
        return Description(
            False,
            item.available,
            item.grouped,
            item.continues,
            item.expiry,
            item.expiry_reported,
            item.backout_count,
            NO_ADDRESS,
            b"" if extent == HEAD else item.content,
        )

    def depth(self, least_priority: int, available: bool) -> int:
        return sum(each.priority >= least_priority and (each.available or not available) for each in self.messages)

    def due(self, scan: DueScan) -> list[MessageRef]:
        found: list[MessageRef] = []
        for each in self.messages:
            if each.available and each.expiry and each.expiry <= scan.now:
                found.append(each)
            elif each.expiry:
                scan.note(each.expiry)
        scan.done = True
        return found

    def arrange(self) -> None:
        """There is nothing to index."""

    def drop(self) -> None:
        self.messages.clear()


class InSteps(Storing):
    """The storing of a long message."""

    def __init__(self, store: MemoryStore, stored: Stored, unit: Unit | None) -> None:
        self.store = store
        self.stored = stored
        self.unit = unit
        self.left = stored.length
        self.item = None

    def step(self) -> bool:
        """Go on; says whether the message is stored."""
        if self.left > 0:
            self.left -= STEP
            return False
        self.store.insert(self.stored, self.unit)
        self.item = self.stored
        return True

    def abandon(self) -> None:
        """Give it up: nothing was stored before the last step."""


class InMemory(Participant):
    """What units of work do to the lists."""

    def __init__(self, host: Host, structure: Structure) -> None:
        super().__init__(NUMBER)
        self.host = host
        self.structure = structure

    def work(self, unit: Unit, kind: int, stored: Stored) -> None:
        """Let a unit have a message."""
        self.host.units.enlist(unit, self)
        stored.unit = unit.id
        stored.kind = kind
        unit.operations.append(MessageOperation(NUMBER, kind, stored, 0, 0))

    def prepare(self, unit: Unit) -> bytes:
        return b"in memory"

    def commit(self, unit: Unit, operation: Operation) -> None:
        stored, store = self._of(operation)
        self._decided(unit)
        stored.unit = 0
        if stored.kind == PUT:
            self.host.queues.put_committed(stored)
        else:
            store.remove(stored)
            self.host.queues.get_committed(stored)

    def undo(self, unit: Unit, operation: Operation) -> None:
        stored, store = self._of(operation)
        if unit.state != IN_FLIGHT:
            self._decided(unit)
        stored.unit = 0
        if stored.kind == PUT:
            store.remove(stored)
            self.host.queues.put_undone(stored)
        else:
            stored.backout_count += 1
            self.host.queues.get_undone(stored)

    def _of(self, operation: Operation) -> tuple[Stored, MemoryStore]:
        assert isinstance(operation, MessageOperation)
        stored = operation.item
        assert isinstance(stored, Stored)
        store = self.host.queues.by_id[stored.queue].store
        assert isinstance(store, MemoryStore)
        return stored, store

    def _decided(self, unit: Unit) -> None:
        """Wait until no crash can turn round what was decided."""
        log = self.host.log
        if unit.decided > log.durable:
            raise LogTicket(log, unit.decided)

    def ended(self, unit: Unit) -> None:
        self.host.queues.unit_ended()

    def restore(self, unit: Unit, description: bytes) -> list[Operation]:
        assert description == b"in memory"
        operations: list[Operation] = []
        for stored in self.structure.cut_short.pop(unit.id, []):
            queue = self.host.queues.by_id[stored.queue]
            assert isinstance(queue.store, MemoryStore)
            stored.unit = unit.id
            queue.uncommitted += 1
            if stored.kind == PUT:
                queue.store.add(stored)
                queue.depth += 1
            else:
                queue.depth -= 1
            operations.append(MessageOperation(NUMBER, stored.kind, stored, 0, 0))
        return operations


def fits(stored: Stored, match: Match) -> bool:
    """Say whether a message is one that a get asks for."""
    if match.arrival and stored.sequence != match.arrival:
        return False
    if not match.accepts_stored(stored.content, 0):
        return False
    return match.selector is None or match.selector.wants_stored(stored.content)


# -- which store the queue managers of a test have ---------------------------------------------------------------------

_in_use = False
_structure = Structure()


def use(memory: bool) -> None:
    """Let the queues of queue managers that tests make be in memory, or in pages."""
    global _in_use
    _in_use = memory


def new() -> None:
    """Begin with no messages: a queue manager is made."""
    global _structure
    _structure = Structure()


def furnish() -> Callable[[Host], None] | None:
    """Give what furnishes a queue manager that starts."""
    return _structure.furnish if _in_use else None
