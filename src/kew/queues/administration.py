"""Makes, changes and deletes queues: the definition in the catalogue and the queue that is in use, in step.

These functions may wait for the disk, so they are called outside the engine lock. A lock of their own keeps two changes
of definitions from meeting; it is taken before the engine lock.
"""

import threading
from collections.abc import Callable, Mapping
from typing import Final

from kew.codes.attributes import (
    MQQDT_PREDEFINED,
    MQQDT_TEMPORARY_DYNAMIC,
)
from kew.codes.errors import MQError
from kew.codes.reasons import (
    MQRC_GET_INHIBITED,
    MQRC_OBJECT_ALREADY_EXISTS,
    MQRC_OBJECT_IN_USE,
    MQRC_OBJECT_NAME_ERROR,
    MQRC_PAGESET_ERROR,
    MQRC_Q_DELETED,
    MQRC_Q_NOT_EMPTY,
    MQRC_STORAGE_CLASS_ERROR,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from kew.objects.catalogue import AttributeValue, Catalogue, Record
from kew.queues.private import INDEX_NONE, PrivateQueue
from kew.queues.registry import QueueRegistry
from kew.storage.pages.items import ItemStore
from kew.storage.pages.pageset import PageSet

FAMILY: Final = "QUEUE"
LOCAL: Final = "QLOCAL"
ALIAS: Final = "QALIAS"
MODEL: Final = "QMODEL"
DEFAULT_STORAGE_CLASS: Final = "DEFAULT"

_NAME_CHARACTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./_%")
_NAME_LENGTH: Final = 48

Runner = Callable[[Callable[[], bool]], bool]


def check_name(name: str) -> None:
    """Refuse a name that no object may have."""
    if not name or len(name) > _NAME_LENGTH or not set(name) <= _NAME_CHARACTERS:
        raise MQError(MQRC_OBJECT_NAME_ERROR, name=name)


def configure(queue: PrivateQueue, values: Mapping[str, AttributeValue]) -> None:
    """Bring a queue into line with its definition. May stall (to build an index), and is then called again."""

    def number(keyword: str, otherwise: int) -> int:
        value = values.get(keyword, otherwise)
        return value if isinstance(value, int) else otherwise

    queue.put_allowed = number("PUT", 0) == 0
    queue.get_allowed = number("GET", 0) == 0
    queue.max_depth = number("MAXDEPTH", 5000)
    queue.max_length = number("MAXMSGL", 4194304)
    queue.default_priority = number("DEFPRTY", 0)
    queue.default_persistence = number("DEFPSIST", 0)
    queue.default_input = number("DEFSOPT", 2)
    queue.shareable = number("SHARE", 1) == 1
    queue.by_priority = number("MSGDLVSQ", 0) == 0
    queue.dynamic = number("DEFTYPE", MQQDT_PREDEFINED)
    if not queue.get_allowed:
        for waiter in queue.waiters.all():
            queue.waiters.remove(waiter)
            waiter.fail(MQRC_GET_INHIBITED)
    queue.set_index(number("INDXTYPE", INDEX_NONE))


class QueueAdministration:
    """The one place where queues come into being and go."""

    def __init__(
        self,
        run: Runner,
        store: ItemStore,
        registry: QueueRegistry,
        catalogue: Catalogue,
        on_unindexed: Callable[[PrivateQueue, str], None],
    ) -> None:
        self.run = run
        self.store = store
        self.registry = registry
        self.catalogue = catalogue
        self.on_unindexed = on_unindexed
        self.storage_classes: dict[str, int] = {DEFAULT_STORAGE_CLASS: 1}
        self.temporary: dict[str, dict[str, AttributeValue]] = {}  # the attributes of temporary dynamic queues
        self._retired: list[PrivateQueue] = []  # temporary queues that are deleted and that somebody still has open
        self.lock = threading.RLock()

    def find(self, name: str) -> Record | None:
        """Give the definition of a queue of any type."""
        return self.catalogue.records.get((FAMILY, name))

    def page_set_for(self, values: Mapping[str, AttributeValue]) -> PageSet:
        """Give the page set that a storage class leads to."""
        name = str(values.get("STGCLASS", DEFAULT_STORAGE_CLASS)) or DEFAULT_STORAGE_CLASS
        number = self.storage_classes.get(name)
        if number is None:
            raise MQError(MQRC_STORAGE_CLASS_ERROR, storage_class=name)
        page_set = self.store.page_sets.get(number)
        if page_set is None:
            raise MQError(MQRC_PAGESET_ERROR, page_set=number)
        return page_set

    def define(self, kind: str, name: str, values: dict[str, AttributeValue], replace: bool = False) -> None:
        """Define a queue of any type, durably."""
        check_name(name)
        with self.lock:
            old = self.find(name)
            if name in self.temporary or (old is not None and not (replace and old.kind == kind)):
                raise MQError(MQRC_OBJECT_ALREADY_EXISTS, name=name)
            if old is not None:
                self.alter(name, values)
                return
            number = 0
            if kind == LOCAL:
                page_set = self.page_set_for(values)
                number = self.registry.next_id
                self.registry.next_id += 1
            record = Record(FAMILY, kind, name, number, values)
            self.catalogue.change(self.run, [record], [])
            if kind == LOCAL:
                self._bring_up(PrivateQueue(number, name, page_set, self.store), values)

    def define_temporary(self, name: str, values: dict[str, AttributeValue]) -> PrivateQueue:
        """Make a temporary dynamic queue: it is in no catalogue and gone after a restart."""
        check_name(name)
        with self.lock:
            if self.find(name) is not None or name in self.registry.by_name:
                raise MQError(MQRC_OBJECT_ALREADY_EXISTS, name=name)
            queue = PrivateQueue(self.registry.next_id, name, self.page_set_for(values), self.store)
            self.registry.next_id += 1
            values = dict(values)
            values["DEFTYPE"] = MQQDT_TEMPORARY_DYNAMIC
            self._bring_up(queue, values)
            self.temporary[name] = values
            return queue

    def _bring_up(self, queue: PrivateQueue, values: Mapping[str, AttributeValue]) -> None:
        def step() -> bool:
            configure(queue, values)
            queue.on_unindexed = self.on_unindexed
            self.registry.add(queue)
            return True

        self.run(step)

    def alter(self, name: str, values: Mapping[str, AttributeValue]) -> None:
        """Change some attributes of a queue, durably."""
        with self.lock:
            record = self.find(name)
            queue = self.registry.by_name.get(name)
            if queue is not None and name in self.temporary:
                self._alter_temporary(queue, values)
                return
            if record is None:
                raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=name)
            merged = {**record.values, **values}
            if queue is not None:
                self._check_move(queue, merged)
            changed = Record(FAMILY, record.kind, name, record.number, merged)
            self.catalogue.change(self.run, [changed], [])
            if queue is not None:
                found = queue

                def step() -> bool:
                    configure(found, merged)
                    if found.depth == 0:
                        found.page_set = self.page_set_for(merged)
                    return True

                self.run(step)

    def _alter_temporary(self, queue: PrivateQueue, values: Mapping[str, AttributeValue]) -> None:
        merged = {**self.temporary[queue.name], **values}
        self._check_move(queue, merged)

        def step() -> bool:
            configure(queue, merged)
            return True

        self.run(step)
        self.temporary[queue.name] = merged

    def _check_move(self, queue: PrivateQueue, values: Mapping[str, AttributeValue]) -> None:
        if self.page_set_for(values) is not queue.page_set and (queue.depth or queue.chains):
            raise MQError(MQRC_OBJECT_IN_USE, name=queue.name, attribute="STGCLASS")

    def delete(self, name: str, purge: bool = False) -> None:
        """Delete a queue, with its messages if it is purged."""
        with self.lock:
            record = self.find(name)
            queue = self.registry.by_name.get(name)
            if record is None and queue is None:
                raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=name)
            if queue is not None:
                self._close_down(queue, purge)
            if record is not None:
                self.catalogue.change(self.run, [], [record.key])

    def retire(self, queue: PrivateQueue) -> None:
        """Delete a temporary queue with its messages: from now on for everybody, its pages when nobody needs them."""

        def step() -> bool:
            queue.deleted = True
            queue.put_allowed = False
            del self.registry.by_name[queue.name]
            for waiter in queue.waiters.all():
                queue.waiters.remove(waiter)
                waiter.fail(MQRC_Q_DELETED)
            return True

        with self.lock:
            self.run(step)
            del self.temporary[queue.name]
            self._retired.append(queue)
            self.sweep()

    def sweep(self) -> None:
        """Give back the pages of retired queues that nobody has open and no unit of work has messages of."""
        with self.lock:
            for queue in self._retired[:]:
                if not queue.handles and not queue.uncommitted:
                    self._retired.remove(queue)
                    self._give_back(queue)

    def _close_down(self, queue: PrivateQueue, purge: bool) -> None:
        def refuse() -> bool:
            if queue.handles or queue.uncommitted:
                raise MQError(MQRC_OBJECT_IN_USE, name=queue.name)
            if queue.depth and not purge:
                raise MQError(MQRC_Q_NOT_EMPTY, name=queue.name, depth=queue.depth)
            queue.deleted = True
            queue.put_allowed = False
            return True

        self.run(refuse)
        self._give_back(queue)

    def _give_back(self, queue: PrivateQueue) -> None:
        self._remove_all(queue)

        def drop() -> bool:
            for chain in queue.chains:
                self.store.drop_chain(chain)
            self.registry.drop(queue)
            return True

        self.run(drop)

    def clear(self, name: str) -> int:
        """Remove all messages of a queue that nobody has open; gives their number."""
        queue = self.registry.by_name.get(name)
        if queue is None:
            raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=name)
        found = queue

        def refuse() -> bool:
            if found.handles or found.uncommitted:
                raise MQError(MQRC_OBJECT_IN_USE, name=name)
            return True

        with self.lock:
            self.run(refuse)
            return self._remove_all(found)

    def _remove_all(self, queue: PrivateQueue) -> int:
        removed = 0

        def step() -> bool:
            item = queue.next()
            if item is None:
                return False
            self.store.load_runs(item)
            queue.take(item, None)
            return True

        while self.run(step):
            removed += 1
        return removed
