"""The messages that restart has found: they go to the page stores, and messages of units in doubt are locked again."""

from kew.objects.catalogue import CATALOGUE_OWNER, Catalogue
from kew.queues.private import PrivateStore
from kew.queues.store import QueueStore
from kew.storage.pages.chain import Chain
from kew.storage.pages.definitionstore import DefinitionStore
from kew.storage.pages.directory import GET_LOCKED, PUT_LOCKED
from kew.storage.pages.item import Item
from kew.storage.pages.items import ItemStore
from kew.storage.pages.pageset import PageSet
from kew.storage.pages.records import PUT as PUT_RECORD
from kew.storage.recovery.restart import Restart
from kew.storage.recovery.trail import Step
from kew.storage.unit import GET, PAGES, PUT, MessageOperation


class RecoveredMessages:
    """The chains that restart has found, by queue."""

    def __init__(self, restart: Restart, items: ItemStore, catalogue: Catalogue) -> None:
        self._items = items
        self._catalogue = catalogue
        self._next_sequence = restart.next_sequence
        self._chains: dict[int, list[Chain]] = {}
        for (owner, _priority), chain in restart.chains.items():
            self._chains.setdefault(owner, []).append(chain)
        self._stores: dict[int, PrivateStore] = {}

    def definitions(self, page_set: PageSet) -> DefinitionStore:
        """Give the store of the definitions; a new one if there was none."""
        found = self._chains.pop(CATALOGUE_OWNER, [])
        chain = found[0] if found else Chain(page_set, CATALOGUE_OWNER, 0, False)
        return DefinitionStore(self._items, chain, self._next_sequence.get(CATALOGUE_OWNER, 1))

    def page_set_of(self, queue: int) -> PageSet | None:
        """Give the page set that has messages of a queue; None if there are none."""
        found = self._chains.get(queue)
        return found[0].page_set if found else None

    def fill(self, store: QueueStore) -> None:
        """Give a store the messages of its queue."""
        if isinstance(store, PrivateStore):
            number = store.queue
            store.take_over(self._chains.pop(number, []), self._next_sequence.get(number, 1))
            self._stores[number] = store

    def left(self) -> list[int]:
        """Give the numbers of the queues whose messages no store has taken: queues that were deleted."""
        return list(self._chains)

    def locked(self, step: Step) -> MessageOperation | None:
        """Lock the message of a logged operation again; None if its page set is lost. May stall."""
        chain = self._chain_of(step)
        if chain is None:
            return None
        item = Item(chain, chain.by_number[step.directory], step.slot, step.sequence, step.length, step.page)
        item.runs = step.runs if len(step.runs) > 1 or step.runs[0][1] > 1 else []
        put = step.kind == PUT_RECORD
        item.length = self._items.entry_of(item).length
        self._items.set_state(item, PUT_LOCKED if put else GET_LOCKED)
        return MessageOperation(PAGES, PUT if put else GET, item, step.address, step.undo_next)

    def _chain_of(self, step: Step) -> Chain | None:
        if step.owner == CATALOGUE_OWNER:
            return None if self._catalogue.store is None else self._catalogue.store.chain
        store = self._stores.get(step.owner)
        return None if store is None else store.chain_of(step.page_set, step.directory)
