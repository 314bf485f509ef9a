"""Retained publications: the newest of each topic on which something was published to be retained.

They are messages on SYSTEM.RETAINED.PUB.QUEUE. Its descriptor is the publication's, its data are

    'KEWR' | correlation id 24 | length of the topic u32 | topic in UTF-8 | what was published

where what a publisher by the queued interface said beside the topic follows the topic, behind a null character. So
everything that holds of messages holds of them: a persistent one survives, and one that is published in a unit of work
is retained when, and if, the unit commits. Which topic has which messages is kept in memory and is read from the queue
when the queue manager starts.

The newest message of a topic that is committed is the retained one. The older ones go when that is certain: a crash
leaves one too many, never one too few.
"""

from collections.abc import Callable
from struct import Struct
from typing import Final

from kew.formats.mqmd import LENGTH as DESCRIPTOR_LENGTH
from kew.formats.mqmd import MessageDescriptor, decode_stored
from kew.objects.catalogue import Reader
from kew.queues.queue import Queue
from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import EMPTY, LIVE, Directory, state_at
from kew.storage.pages.item import Item
from kew.storage.pages.items import item_at
from kew.topics.index import SubscriptionIndex
from kew.topics.patterns import CharacterPattern

Run = Callable[[Callable[[], bytes]], bytes]

QUEUE: Final = "SYSTEM.RETAINED.PUB.QUEUE"
_HEAD: Final = Struct("<4s24sI")
_MARK: Final = b"KEWR"


class Retained:
    """A retained publication as it was published."""

    def __init__(self, topic: str, descriptor: MessageDescriptor, data: bytes, expiry: int) -> None:
        self.topic, _, self.further = topic.partition("\0")
        self.descriptor = descriptor
        self.data = data
        self.expiry = expiry  # the moment at which it expires, in milliseconds since 1970; 0 for never


def wrap(topic: str, correlation_id: bytes, data: bytes, further: str = "") -> bytes:
    """Give the data of the message that keeps a publication."""
    text = f"{topic}\0{further}".encode() if further else topic.encode()
    return _HEAD.pack(_MARK, correlation_id, len(text)) + text + data


def unwrap(stored: bytes, expiry: int) -> Retained | None:
    """Read such a message, descriptor and data; None if it is none."""
    start = DESCRIPTOR_LENGTH + _HEAD.size
    if len(stored) < start:
        return None
    mark, correlation_id, length = _HEAD.unpack_from(stored, DESCRIPTOR_LENGTH)
    if mark != _MARK or start + length > len(stored):
        return None
    descriptor = decode_stored(stored[:DESCRIPTOR_LENGTH], 0)
    descriptor.correlation_id = correlation_id
    topic = stored[start : start + length].decode("utf-8", "replace")
    return Retained(topic, descriptor, stored[start + length :], expiry)


class RetainedPublications:
    """Topics, and the messages that may be their retained publication. Every method runs under the engine lock."""

    def __init__(self) -> None:
        self.queue: Queue | None = None
        self._items: dict[str, list[Item]] = {}  # oldest first

    def load(self, queue: Queue, run: Run) -> None:
        """Read which topics have retained publications, when the queue manager starts."""
        self.queue = queue
        found: list[tuple[int, str, Item]] = []
        for chain in queue.chains:
            directory = chain.first
            while directory is not None:
                for slot in range(directory.count):
                    read = _Stored(queue, chain, directory, slot)
                    stored = run(read.step)
                    if read.item is not None:
                        kept = unwrap(stored, 0)
                        if kept is not None:
                            found.append((read.item.sequence, kept.topic, read.item))
                directory = directory.after
        for _sequence, topic, item in sorted(found, key=_by_sequence):
            self.kept(topic, item)

    def topics(self) -> list[str]:
        """Give the topics that may have a retained publication."""
        return list(self._items)

    def kept(self, topic: str, item: Item) -> None:
        """Take note of a message that was put for a topic, committed or not."""
        self._items.setdefault(topic, []).append(item)

    def newest(self, topic: str, now: int) -> Item | None:
        """Give the message that is the retained publication of a topic. May stall."""
        items = self._items.get(topic)
        if items is None:
            return None
        for item in reversed(items):
            if self._state(item) == LIVE and not self._expired(item, now):
                return item
        return None

    def forget_gone(self, topic: str) -> None:
        """Forget messages of a topic that are no more, and the topic if none is left. May stall."""
        items = [item for item in self._items.get(topic, ()) if self._state(item) != EMPTY]
        if items:
            self._items[topic] = items
        else:
            self._items.pop(topic, None)

    def outdated(self, topic: str) -> list[Item]:
        """Give the committed messages of a topic but the newest. May stall."""
        live = [item for item in self._items.get(topic, ()) if self._state(item) == LIVE]
        return live[:-1]

    def live(self, topic: str) -> list[Item]:
        """Give all committed messages of a topic. May stall."""
        return [item for item in self._items.get(topic, ()) if self._state(item) == LIVE]

    def _state(self, item: Item) -> int:
        """Give the state of an item's entry; EMPTY once another message has its place."""
        queue, chain = self.queue, item.chain
        if queue is None or queue.deleted or chain not in queue.chains:
            return EMPTY
        if chain.by_number.get(item.directory.number) is not item.directory or item.slot >= item.directory.count:
            return EMPTY
        entry = queue.store.entry_of(item)
        return EMPTY if entry.sequence != item.sequence else entry.state

    def _expired(self, item: Item, now: int) -> bool:
        queue = self.queue
        return queue is not None and queue.has_expired(item, now)


class _Stored:
    """A message on the queue, read in a step that may stall and is then done again."""

    def __init__(self, queue: Queue, chain: Chain, directory: Directory, slot: int) -> None:
        self._queue = queue
        self._chain = chain
        self._directory = directory
        self._slot = slot
        self._reader: Reader | None = None
        self.item: Item | None = None  # None where the slot is empty

    def step(self) -> bytes:
        """Give its bytes."""
        store = self._queue.store
        if self._reader is None:
            data = store.frame_of(self._chain, self._directory).data
            if state_at(data, self._slot) == EMPTY:
                return b""
            self.item = item_at(self._chain, self._directory, self._slot, data)
            self._reader = Reader(store, self.item)
        return self._reader.step()


def _by_sequence(found: tuple[int, str, Item]) -> int:
    return found[0]


def matching(topics: list[str], pattern: str, by_character: bool) -> list[str]:
    """Give those of some topics that a pattern stands for."""
    if by_character:
        parsed = CharacterPattern(pattern)
        return [topic for topic in topics if parsed.matches(topic)]
    index: SubscriptionIndex[bool] = SubscriptionIndex()
    index.add(pattern, True)
    return [topic for topic in topics if index.match(topic)]
