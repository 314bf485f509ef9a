"""The pages as a participant of units of work: puts and gets of items are committed or undone."""

from typing import Protocol

from kew.storage.message import MessageRef
from kew.storage.pages import records
from kew.storage.pages.directory import LIVE
from kew.storage.pages.item import Item
from kew.storage.pages.items import ItemStore
from kew.storage.unit import PAGES, PUT, MessageOperation, Operation, Participant, Unit


class Observer(Protocol):
    """The listener for the outcome of operations; the queue registry is one."""

    def put_committed(self, item: MessageRef) -> None:
        """A message is now visible, since its put was committed."""

    def get_committed(self, item: MessageRef) -> None:
        """A message was removed, since its get was committed."""

    def put_undone(self, item: MessageRef) -> None:
        """A message was removed, since its put was undone."""

    def get_undone(self, item: MessageRef) -> None:
        """A message is available again, since its get was undone."""

    def unit_ended(self) -> None:
        """A unit has ended; the outcome of each of its operations was reported before."""


class Pages(Participant):
    """The items of all page sets. Each operation has a log record, so restart needs no description of the part."""

    def __init__(self, store: ItemStore, observer: Observer) -> None:
        super().__init__(PAGES)
        self.store = store
        self.observer = observer

    def prepare(self, unit: Unit) -> bytes:
        """Do nothing, since each operation was logged with all that restart needs."""
        return b""

    def commit(self, unit: Unit, operation: Operation) -> None:
        """Make an item that was put visible, or remove an item that was got."""
        assert isinstance(operation, MessageOperation)
        store = self.store
        item = operation.item
        assert isinstance(item, Item)
        if operation.kind == PUT:
            store.set_state(item, LIVE)
            if unit.decided:
                # A non-persistent item too: a get of it depends on the other work of the unit.
                store.unforced.add(item, unit.decided)
            self.observer.put_committed(item)
        else:
            store.remove(item, unit)
            self.observer.get_committed(item)

    def undo(self, unit: Unit, operation: Operation) -> None:
        """Remove an item that was put, or make an item that was got available again."""
        assert isinstance(operation, MessageOperation)
        store = self.store
        item = operation.item
        assert isinstance(item, Item)
        if operation.kind == PUT:
            store.load_runs(item)
            store.remove(item, unit, operation.undo_next)
            self.observer.put_undone(item)
        else:
            store.unget(item, unit, operation.undo_next)
            self.observer.get_undone(item)

    def ended(self, unit: Unit) -> None:
        """Let the queues serve gets that wait for messages that have become available."""
        self.observer.unit_ended()

    def restore(self, unit: Unit, description: bytes) -> list[Operation]:
        """Give none: restart reads the operations from their records, and the queue registry restores them."""
        return []

    def relog(self, unit: Unit, operation: Operation) -> None:
        """Write the record of an operation again, at the end of the log."""
        assert isinstance(operation, MessageOperation)
        store = self.store
        item = operation.item
        assert isinstance(item, Item)
        if item.chain.volatile:
            return
        head = records.RELOG_HEAD.pack(operation.kind, item.length, item.page)
        before = unit.last_address
        store.append(records.RELOG, unit, head + store.get_head(item), b"")
        operation.address = unit.last_address
        operation.undo_next = before
