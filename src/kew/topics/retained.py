"""Retained publications: the newest publication of each topic, kept for later subscriptions.

Retained publications are messages on SYSTEM.RETAINED.PUB.QUEUE. The descriptor is the publication's; the data are

    'KEWR' | correlation id 24 | length of the topic u32 | topic in UTF-8 | published data

where further names and values of a publisher of the queued interface follow the topic, behind a null character.
Retained publications behave as messages do: a persistent one survives a restart, and one that is published in a unit of
work is retained when, and if, the unit commits. The references to the messages of each topic are in memory, and are
read from the queue when the queue manager starts.

The newest committed message of a topic is the retained publication. Older messages are removed after the newest has
committed: a crash leaves one too many, never one too few.
"""

from collections.abc import Callable
from struct import Struct
from typing import Final

from kew.formats.mqmd import LENGTH as DESCRIPTOR_LENGTH
from kew.formats.mqmd import MessageDescriptor, decode_stored
from kew.queues.cursor import Cursor
from kew.queues.queue import Queue
from kew.storage.message import WHOLE, MessageRef
from kew.topics.index import SubscriptionIndex
from kew.topics.patterns import CharacterPattern

Run = Callable[[Callable[[], bytes]], bytes]

QUEUE: Final = "SYSTEM.RETAINED.PUB.QUEUE"
_HEAD: Final = Struct("<4s24sI")
_MARK: Final = b"KEWR"


class Retained:
    """A retained publication, as it was published."""

    def __init__(self, topic: str, descriptor: MessageDescriptor, data: bytes, expiry: int) -> None:
        self.topic, _, self.further = topic.partition("\0")
        self.descriptor = descriptor
        self.data = data
        self.expiry = expiry  # the moment at which it expires, in milliseconds since 1970; 0 for never


def wrap(topic: str, correlation_id: bytes, data: bytes, further: str = "") -> bytes:
    """Give the data of the message that holds a retained publication."""
    text = f"{topic}\0{further}".encode() if further else topic.encode()
    return _HEAD.pack(_MARK, correlation_id, len(text)) + text + data


def unwrap(stored: bytes, expiry: int) -> Retained | None:
    """Read a retained publication from its message; None if the data are not valid."""
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
    """The messages that may be retained publications, by topic. Methods run under the engine lock."""

    def __init__(self) -> None:
        self.queue: Queue | None = None
        self._items: dict[str, list[MessageRef]] = {}  # oldest first

    def load(self, queue: Queue, run: Run) -> None:
        """Read the topics that have retained publications from the queue, when the queue manager starts."""
        self.queue = queue
        read = _Stored(queue)
        stored = run(read.step)
        while stored:
            kept = unwrap(stored, 0)
            if kept is not None and read.item is not None:
                self.kept(kept.topic, read.item)
            stored = run(read.step)

    def topics(self) -> list[str]:
        """Give the topics that may have a retained publication."""
        return list(self._items)

    def kept(self, topic: str, item: MessageRef) -> None:
        """Add a message that was put for a topic, committed or not."""
        self._items.setdefault(topic, []).append(item)

    def newest(self, topic: str, now: int) -> MessageRef | None:
        """Give the message of the retained publication of a topic. May stall."""
        items = self._items.get(topic)
        if items is None:
            return None
        for item in reversed(items):
            if self._is_live(item) and not self._expired(item, now):
                return item
        return None

    def forget_gone(self, topic: str) -> None:
        """Remove references to messages that are gone from a topic, and the topic if none is left. May stall."""
        items = [item for item in self._items.get(topic, ()) if not self._is_gone(item)]
        if items:
            self._items[topic] = items
        else:
            self._items.pop(topic, None)

    def outdated(self, topic: str) -> list[MessageRef]:
        """Give the committed messages of a topic except the newest. May stall."""
        live = [item for item in self._items.get(topic, ()) if self._is_live(item)]
        return live[:-1]

    def live(self, topic: str) -> list[MessageRef]:
        """Give all committed messages of a topic. May stall."""
        return [item for item in self._items.get(topic, ()) if self._is_live(item)]

    def _is_live(self, item: MessageRef) -> bool:
        queue = self.queue
        return queue is not None and not queue.deleted and queue.describe(item).available

    def _is_gone(self, item: MessageRef) -> bool:
        queue = self.queue
        return queue is None or queue.deleted or queue.describe(item).gone

    def _expired(self, item: MessageRef, now: int) -> bool:
        queue = self.queue
        return queue is not None and queue.has_expired(item, now)


class _Stored:
    """The messages of the queue in order of arrival, read one in each step; a step that stalls is called again."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue
        self._cursor = Cursor()
        self._cursor.by_arrival = True
        self._cursor.everything = True
        self.item: MessageRef | None = None  # the one that was read last

    def step(self) -> bytes:
        """Give the bytes of the next message; None at the end."""
        item = self._queue.after(self._cursor)
        if item is None:
            return b""
        content = self._queue.describe(item, WHOLE).content
        self._cursor.move(item)
        self.item = item
        return content


def matching(topics: list[str], pattern: str, by_character: bool) -> list[str]:
    """Give the topics that match a pattern."""
    if by_character:
        parsed = CharacterPattern(pattern)
        return [topic for topic in topics if parsed.matches(topic)]
    index: SubscriptionIndex[bool] = SubscriptionIndex()
    index.add(pattern, True)
    return [topic for topic in topics if index.match(topic)]
