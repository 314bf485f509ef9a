"""Builds the index of a queue that has messages already: at restart, or when the index is changed.

The directories are read one after the other, so that a small buffer pool is enough. A build that has to wait for a page
continues where it stopped. Puts and gets continue meanwhile: the queue reports to the build each message that is stored
or removed in the part that was read already.
"""

from array import array

from kew.queues.index import IdIndex
from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import (
    Directory,
    hash_at,
    sequence_at,
    state_at,
)
from kew.storage.pages.item import Item
from kew.storage.pages.items import ItemStore


class IndexBuild:
    """The build of an index; it takes 20 bytes a message until it is done."""

    def __init__(self, store: ItemStore, chains: list[Chain], which: int) -> None:
        self._store = store
        self._chains = chains[:]  # those still to be read, the current one last
        self._chains.reverse()
        self._mixed = len(chains) > 1
        self._which = which  # of the hashes in an entry
        self._last: Directory | None = None  # the last directory of the current chain that was read
        self._sequences = array("Q")
        self._keys = array("I")
        self._places = array("Q")
        self._gone: set[int] = set()  # sequences of messages that were removed meanwhile

    def run(self) -> IdIndex:
        """Read some directories; gives the index when all are read. May stall, and is then called again."""
        while self._chains:
            chain = self._chains[-1]
            directory = self._next_of(chain)
            while directory is not None:
                self._collect(directory, self._store.frame_of(chain, directory).data)
                self._last = directory
                directory = directory.after
            self._chains.pop()
            self._last = None
        return self._finish()

    def _next_of(self, chain: Chain) -> Directory | None:
        last = self._last
        if last is None:
            return chain.first
        if chain.by_number.get(last.number) is last:
            return last.after
        directory = chain.first  # the last one read is gone
        while directory is not None and directory.position <= last.position:
            directory = directory.after
        return directory

    def _collect(self, directory: Directory, data: bytearray) -> None:
        for slot in range(directory.count):
            if state_at(data, slot):
                self._sequences.append(sequence_at(data, slot))
                self._keys.append(hash_at(data, slot, self._which))
                self._places.append(directory.number << 8 | slot)

    def _finish(self) -> IdIndex:
        index = IdIndex()
        order = list(range(len(self._sequences)))
        if self._mixed:
            order.sort(key=self._sequences.__getitem__)
        for at in order:
            if self._sequences[at] not in self._gone:
                index.add(self._keys[at], self._places[at])
        return index

    def stored(self, item: Item, key: int) -> None:
        """Add a message that was stored in a directory that was read already, or in a new chain."""
        if item.chain not in self._chains or self._was_read(item.chain, item.directory):
            self._sequences.append(item.sequence)
            self._keys.append(key)
            self._places.append(item.directory.number << 8 | item.slot)

    def _was_read(self, chain: Chain, directory: Directory) -> bool:
        return self._last is not None and chain is self._chains[-1] and directory.position <= self._last.position

    def removed(self, item: Item) -> None:
        """Remove a message that is gone."""
        self._gone.add(item.sequence)
