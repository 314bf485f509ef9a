"""The store of definitions: items of one chain, read when the queue manager starts, added and removed in units of work.

The callers have a `MessageRef` to each definition and do not use pages.
"""

from collections.abc import Callable, Iterator

from kew.storage.message import MessageRef
from kew.storage.pages.blob import SINGLE_PAGE
from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import EMPTY, LIVE, PERSISTENT, Directory, Entry, state_at
from kew.storage.pages.item import Item
from kew.storage.pages.items import ItemStore, item_at
from kew.storage.pages.longitem import Storing, read_on
from kew.storage.unit import Unit

Run = Callable[[Callable[[], bool]], bool]
Read = Callable[[Callable[[], bytes]], bytes]


class DefinitionStore:
    """The definitions on one chain. Steps run under the engine lock, by the caller's `run`."""

    def __init__(self, items: ItemStore, chain: Chain, next_sequence: int) -> None:
        self._items = items
        self.chain = chain
        self._next_sequence = next_sequence

    def read(self, run: Read) -> Iterator[tuple[MessageRef, bytes]]:
        """Give all definitions."""
        directory = self.chain.first
        while directory is not None:
            page = self._page(run, directory)
            for slot in range(directory.count):
                if state_at(page, slot) != EMPTY:
                    item = item_at(self.chain, directory, slot, page)
                    yield item, self._content(run, item)
            directory = directory.after

    def _page(self, run: Read, directory: Directory) -> bytes:
        return run(lambda: bytes(self._items.frame_of(self.chain, directory).data))

    def _content(self, run: Read, item: Item) -> bytes:
        return run(lambda: read_on(self._items, item))

    def put(self, data: bytes, unit: Unit) -> "DefinitionPut":
        """Begin to add a definition in a unit of work; its steps store it."""
        entry = Entry(LIVE, PERSISTENT, 0, 0, 0, 0, self._next_sequence, 0, 0, 0, 0, 0)
        self._next_sequence += 1
        return DefinitionPut(self._items, self.chain, entry, data, unit)

    def take(self, item: MessageRef, unit: Unit) -> None:
        """Remove a definition in a unit of work. May stall, and is then called again."""
        assert isinstance(item, Item)
        self._items.load_runs(item)
        self._items.get(item, unit)


class DefinitionPut:
    """A definition that is being added, in steps."""

    def __init__(self, items: ItemStore, chain: Chain, entry: Entry, data: bytes, unit: Unit) -> None:
        self._items = items
        self._chain = chain
        self._entry = entry
        self._data = data
        self._unit = unit
        self._storing: Storing | None = None
        if len(data) > SINGLE_PAGE:
            self._storing = Storing(items, chain, entry, data, b"", unit)
        self.item: MessageRef | None = None  # once it is there

    def step(self) -> bool:
        """Take a step; says whether the definition is stored. May stall, and is then called again."""
        storing = self._storing
        if storing is None:
            self.item = self._items.put(self._chain, self._entry, self._data, b"", self._unit)
            return True
        if not storing.step():
            return False
        self.item = storing.result()
        return True
