"""An index of a queue's messages by the value of one property: CUSTOM('PROPINDX(colour)').

IBM MQ has no such index. With the index a get whose selection string has the condition `colour = 'green'`, alone or
joined to other conditions by AND, finds its message as a get by correlation id does.

The index is in memory only, an `IdIndex` of hashes of values. A message without the property is not in the index. A
table keeps the index node of each message by its place, in four bytes, so that a message need not be read again when it
is removed. In all, the index takes 40 to 50 bytes a message.

The index is built when a get first uses it, so it does not lengthen a restart: the headers of all messages are read
once, and a get that has to wait for a page continues where it stopped. Puts and gets continue meanwhile: the queue
reports to the build each message that is stored or removed in the part that was read already.
"""

from array import array
from typing import Final

from kew.formats.mqmd import LENGTH
from kew.formats.properties import Scalar
from kew.queues.content import content_of
from kew.queues.index import IdIndex
from kew.queues.match import Match
from kew.selection.fields import MessageFields
from kew.storage.checksum import crc32
from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import ENTRIES, Directory, state_at
from kew.storage.pages.item import Item
from kew.storage.pages.items import ItemStore, item_at

_SLOT: Final = 255
_NO_NODES: Final = bytes(4 * (ENTRIES + 1))


def hash_value(value: Scalar) -> int:
    """Hash a value so that values which compare as equal have the same hash."""
    if isinstance(value, str):
        return crc32(b"s" + value.encode("utf-8", "surrogatepass"))
    if isinstance(value, bool):
        return crc32(b"t" if value else b"f")
    if isinstance(value, bytes):
        return crc32(b"b" + value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return crc32(b"n" + str(value).encode())


class PropertyIndex:
    """The index of one queue by one property. Methods run under the engine lock."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._index = IdIndex()
        self._nodes: dict[int, array[int]] = {}  # of each directory, by slot; behind them how many there are
        self._build: PropertyBuild | None = None
        self._built = False

    def memory(self) -> int:
        """Count the bytes the index takes."""
        return self._index.memory() + len(self._nodes) * (len(_NO_NODES) + 64)

    def size(self) -> int:
        """Count the messages in the index."""
        return self._index.size

    def can_find(self, match: Match) -> bool:
        """Say whether the selector of a match compares the property with a value, so that the index can be used."""
        if match.indexed != self.name:
            self._prepare(match)
        return match.lookup

    def _prepare(self, match: Match) -> None:
        match.indexed = self.name
        match.lookup = False
        selector = match.selector
        if selector is None:
            return
        for name, value in selector.equalities:
            if name == self.name:
                match.lookup = True
                match.value_hash = hash_value(value)
                return

    def ready(self, store: ItemStore, chains: list[Chain]) -> IdIndex:
        """Give the index, building it first if necessary. May stall, and is then called again."""
        if not self._built:
            if self._build is None:
                self._build = PropertyBuild(store, chains, self.name)
            for key, place in self._build.run():
                self._add(key, place)
            self._build = None
            self._built = True
        return self._index

    def _add(self, key: int, place: int) -> None:
        node = self._index.add(key, place)
        nodes = self._nodes.get(place >> 8)
        if nodes is None:
            nodes = array("I", _NO_NODES)
            self._nodes[place >> 8] = nodes
        nodes[place & _SLOT] = node
        nodes[ENTRIES] += 1

    def stored(self, item: Item, content: bytes) -> None:
        """Add a message that was put."""
        if self._built:
            key = value_hash(self.name, content)
            if key >= 0:
                self._add(key, item.directory.number << 8 | item.slot)
        elif self._build is not None:
            self._build.stored(item, content)

    def removed(self, item: Item) -> None:
        """Remove a message that has left the queue."""
        if self._built:
            number = item.directory.number
            nodes = self._nodes.get(number)
            if nodes is not None and nodes[item.slot]:
                self._index.take_out(nodes[item.slot])
                nodes[item.slot] = 0
                nodes[ENTRIES] -= 1
                if not nodes[ENTRIES]:
                    del self._nodes[number]
        elif self._build is not None:
            self._build.removed(item)


def value_hash(name: str, content: bytes) -> int:
    """Hash the value of a property in a stored message; -1 if the message does not have the property."""
    value = MessageFields(None, content, LENGTH).property(name)
    return -1 if value is None else hash_value(value)


class PropertyBuild:
    """The build of a property index: all messages are read, chain by chain."""

    def __init__(self, store: ItemStore, chains: list[Chain], name: str) -> None:
        self._store = store
        self._name = name
        self._chains = chains[:]  # those still to be read, the current one last
        self._chains.reverse()
        self._directory: Directory | None = None  # the one being read
        self._slot = 0  # the next to be read of it
        self._found: list[tuple[int, int, int]] = []  # sequence, hash and place
        self._gone: set[int] = set()  # sequences of messages that were removed meanwhile
        self._reading: Item | None = None  # the one being read, whose headers are not in its first page

    def run(self) -> list[tuple[int, int]]:
        """Read some messages; gives hash and place of all messages with the property, by arrival. May stall."""
        while self._chains:
            chain = self._chains[-1]
            if self._directory is None:
                self._directory = chain.first
                self._slot = 0
            while self._directory is not None:
                self._read(chain, self._directory)
                self._advance(chain)
            self._chains.pop()
        self._found.sort()
        return [(key, place) for sequence, key, place in self._found if sequence not in self._gone]

    def _read(self, chain: Chain, directory: Directory) -> None:
        if chain.by_number.get(directory.number) is not directory:
            return  # emptied meanwhile
        data = self._store.frame_of(chain, directory).data
        while self._slot < directory.count:
            if state_at(data, self._slot):
                item = self._reading
                if item is None or item.directory is not directory or item.slot != self._slot:
                    item = self._reading = item_at(chain, directory, self._slot, data)
                key = value_hash(self._name, content_of(self._store, item))
                self._reading = None
                if key >= 0:
                    self._found.append((item.sequence, key, directory.number << 8 | self._slot))
                data = self._store.frame_of(chain, directory).data
            self._slot += 1

    def _advance(self, chain: Chain) -> None:
        last = self._directory
        assert last is not None
        if chain.by_number.get(last.number) is last:
            following = last.after
        else:
            following = chain.first
            while following is not None and following.position <= last.position:
                following = following.after
        self._directory = following
        self._slot = 0

    def stored(self, item: Item, content: bytes) -> None:
        """Add a message that was stored in a part that was read already, or in a new chain."""
        if item.chain in self._chains and not self._was_read(item):
            return
        key = value_hash(self._name, content)
        if key >= 0:
            self._found.append((item.sequence, key, item.directory.number << 8 | item.slot))

    def _was_read(self, item: Item) -> bool:
        current = self._directory
        if current is None or item.chain is not self._chains[-1]:
            return False
        if item.directory is current:
            return item.slot < self._slot
        return item.directory.position < current.position

    def removed(self, item: Item) -> None:
        """Note a message that has left the queue."""
        self._gone.add(item.sequence)
