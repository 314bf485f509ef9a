"""Creation, change and deletion of queues: the definition in the catalogue and the queue in use change together.

These functions may wait for the disk, so they are called outside the engine lock. Changes of definitions have a lock of
their own, which is taken before the engine lock.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

from kew.codes.attributes import (
    MQMON_HIGH,
    MQMON_LOW,
    MQMON_MEDIUM,
    MQMON_NONE,
    MQMON_OFF,
    MQMON_Q_MGR,
    MQQDT_TEMPORARY_DYNAMIC,
    MQTC_OFF,
)
from kew.codes.errors import Broken, MQError
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
from kew.objects.caller import NOBODY, Caller
from kew.objects.catalogue import AttributeValue, Catalogue, Decision, Record
from kew.objects.definition import altered, created
from kew.objects.schema import object_type
from kew.objects.schema.custom import cap_on_expiry, property_to_index
from kew.queues.listeners import DepthListener
from kew.queues.monitor import QueueMonitor
from kew.queues.private import PrivateStore
from kew.queues.queue import NO_CAP, Queue, stream_queue_of
from kew.queues.registry import QueueRegistry
from kew.queues.store import QueueStore, first_position
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.pages.items import ItemStore
from kew.storage.pages.pageset import PageSet

FAMILY: Final = "QUEUE"
LOCAL: Final = "QLOCAL"
ALIAS: Final = "QALIAS"
MODEL: Final = "QMODEL"
REMOTE: Final = "QREMOTE"
STORAGE_CLASS: Final = "STGCLASS"
DEFAULT_STORAGE_CLASS: Final = "DEFAULT"
DELAYS: Final = "SYSTEM.DDELAY.LOCAL.QUEUE"  # on which messages wait whose delivery is delayed

_NAME_CHARACTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./_%")
_NAME_LENGTH: Final = 48

Runner = Callable[[Callable[[], bool]], bool]
Described = tuple[str, str, Mapping[str, AttributeValue]]  # type, name and values of a queue


def check_name(name: str) -> None:
    """Refuse a name that no object may have."""
    if not name or len(name) > _NAME_LENGTH or not set(name) <= _NAME_CHARACTERS:
        raise MQError(MQRC_OBJECT_NAME_ERROR, name=name)


def configure(queue: Queue, values: Mapping[str, AttributeValue]) -> None:
    """Apply a definition to its queue. May stall (to build an index), and is then called again."""
    configure_at_once(queue, values)
    build_index(queue, values)


def configure_at_once(queue: Queue, values: Mapping[str, AttributeValue]) -> None:
    """Apply a definition to its queue, except for the index; never stalls."""

    def number(keyword: str) -> int:
        value = values[keyword]
        assert isinstance(value, int)
        return value

    queue.definition = values
    queue.holds_back = queue.name == DELAYS
    queue.put_allowed = number("PUT") == 0
    queue.get_allowed = number("GET") == 0
    queue.max_depth = number("MAXDEPTH")
    queue.max_length = number("MAXMSGL")
    queue.default_priority = number("DEFPRTY")
    queue.default_persistence = number("DEFPSIST")
    queue.default_input = number("DEFSOPT")
    queue.shareable = number("SHARE") == 1
    queue.store.by_priority = number("MSGDLVSQ") == 0
    queue.dynamic = number("DEFTYPE")
    cap = cap_on_expiry(str(values["CUSTOM"]), number("CAPEXPRY"))
    queue.expiry_cap = NO_CAP if cap is None else cap
    queue.property_control = number("PROPCTL")
    queue.stream = stream_queue_of(values)
    if not queue.get_allowed:
        for waiter in queue.waiters.all():
            queue.waiters.remove(waiter)
            waiter.fail(MQRC_GET_INHIBITED)


def build_index(queue: Queue, values: Mapping[str, AttributeValue]) -> bool:
    """Build the index that a definition asks for. May stall, and is then called again."""
    index_type = values["INDXTYPE"]
    assert isinstance(index_type, int)
    queue.set_index(index_type, property_to_index(str(values["CUSTOM"])))
    return True


class _Change(Decision):
    """The decision to change a queue: the caller's guard or the state of the queue may refuse it."""

    def __init__(
        self,
        administration: "QueueAdministration",
        queue: Queue | None,
        values: Mapping[str, AttributeValue],
        guard: Callable[[], None] | None,
    ) -> None:
        self.administration = administration
        self.queue = queue
        self.values = values
        self.guard = guard

    def check(self) -> None:
        """Refuse a change by the caller's guard, or of the page set of a queue with messages."""
        if self.guard is not None:
            self.guard()
        queue = self.queue
        if queue is None or self.administration.page_set_for(self.values) is queue.store.page_set:
            return
        if queue.depth or queue.store.rooted:
            raise MQError(MQRC_OBJECT_IN_USE, name=queue.name, attribute="STGCLASS")

    def apply(self) -> None:
        """Apply the definition to the queue."""
        if self.queue is not None:
            configure_at_once(self.queue, self.values)
            self.administration.monitor(self.queue)
            self.administration.watch(self.queue, self.values)
            self.administration.registry.triggers.configure(self.queue, self.values)
            if self.queue.depth == 0:
                self.queue.store.page_set = self.administration.page_set_for(self.values)


class _Deletion(Decision):
    """The decision to delete a queue: refused if it is open or has messages, else the queue is unusable at once."""

    def __init__(self, administration: "QueueAdministration", queue: Queue, purge: bool) -> None:
        self.administration = administration
        self.queue = queue
        self.purge = purge
        self.though_open = False
        self.though_uncommitted = False

    def check(self) -> None:
        """Refuse the deletion of a queue that is open or in use, or that has messages and is not purged."""
        queue = self.queue
        if not self.though_open and (queue.handles or queue.uncommitted):
            raise MQError(MQRC_OBJECT_IN_USE, name=queue.name)
        uncommitted = 0 if self.though_uncommitted else queue.uncommitted
        if uncommitted or (queue.depth and not self.purge):
            raise MQError(MQRC_Q_NOT_EMPTY, name=queue.name, depth=queue.depth, uncommitted=uncommitted)

    def apply(self) -> None:
        """Mark the queue as deleted."""
        self.administration.withdraw(self.queue)

    def carry_out(self) -> bool:
        """Check and apply the deletion of a temporary queue, which has no definition in the catalogue."""
        self.check()
        self.apply()
        return True


class QueueAdministration:
    """The administration of queues: every queue is created, changed and deleted here."""

    def __init__(
        self,
        run: Runner,
        store: ItemStore,
        registry: QueueRegistry,
        catalogue: Catalogue,
        watch_of: Callable[[Queue, Mapping[str, AttributeValue]], DepthListener | None] | None = None,
        storage_classes: Mapping[str, int] | None = None,
    ) -> None:
        self.run = run
        self.store = store
        self.registry = registry
        self.catalogue = catalogue
        self.make_store = self._private_store
        self.watch_of = watch_of  # gives the depth listener that a queue's definition requires
        # For an engine without STGCLASS objects: a queue manager has these and nothing here.
        self.storage_classes = dict(storage_classes or {DEFAULT_STORAGE_CLASS: 1})
        self.temporary: dict[str, Record] = {}  # definitions of temporary dynamic queues, which are in no catalogue
        self._retired: list[Queue] = []  # deleted queues whose pages are still in use
        self.lock = catalogue.lock
        self.monitoring = MQMON_OFF  # of queues that leave it to the queue manager

    def _private_store(self, number: int, page_set: PageSet) -> QueueStore:
        return PrivateStore(number, page_set, self.store)

    def set_monitoring(self, level: int) -> None:
        """Set the monitoring level of queues with MONQ(QMGR); MQMON_NONE switches monitoring off for all queues."""
        with self.lock:
            self.monitoring = level
            for queue in list(self.registry.by_name.values()):
                self.run(partial(self.monitor, queue))

    def monitor(self, queue: Queue) -> bool:
        """Switch monitoring of a queue on or off, by its MONQ and the queue manager's; under the engine lock."""
        wanted = queue.definition.get("MONQ", MQMON_Q_MGR)
        level = self.monitoring if wanted == MQMON_Q_MGR else wanted
        if self.monitoring == MQMON_NONE or level not in (MQMON_LOW, MQMON_MEDIUM, MQMON_HIGH):
            queue.monitor = None
            return True
        assert isinstance(level, int)
        if queue.monitor is None:
            queue.monitor = QueueMonitor(level)
        queue.monitor.level = level
        return True

    def watch(self, queue: Queue, values: Mapping[str, AttributeValue]) -> None:
        """Set the depth listener of a queue as its definition asks; called under the engine lock."""
        if self.watch_of is not None:
            queue.watch = self.watch_of(queue, values)

    def find(self, name: str) -> Record | None:
        """Give the definition of a queue of any type."""
        return self.catalogue.records.get((FAMILY, name))

    def page_set_for(self, values: Mapping[str, AttributeValue]) -> PageSet:
        """Give the page set of a storage class."""
        name = str(values.get("STGCLASS", DEFAULT_STORAGE_CLASS)) or DEFAULT_STORAGE_CLASS
        number = self.page_set_number(name)
        if number is None:
            raise MQError(MQRC_STORAGE_CLASS_ERROR, storage_class=name)
        page_set = self.store.page_sets.get(number)
        if page_set is None:
            raise MQError(MQRC_PAGESET_ERROR, page_set=number)
        return page_set

    def page_set_number(self, storage_class: str) -> int | None:
        """Give the number of the page set of a storage class; None if there is no such class."""
        record = self.catalogue.records.get((STORAGE_CLASS, storage_class))
        if record is None:
            return self.storage_classes.get(storage_class)
        number = record.values["PSID"]
        return number if isinstance(number, int) else None

    def define(self, kind: str, name: str, values: Mapping[str, AttributeValue], replace: bool = False) -> None:
        """Define a queue of any type, durably; attributes that are not in `values` have the defaults of the type."""
        self.catalogue.wait(self.place(kind, name, values, replace))

    def place(
        self,
        kind: str,
        name: str,
        values: Mapping[str, AttributeValue],
        replace: bool = False,
        guard: Callable[[], None] | None = None,
        by: Caller = NOBODY,
    ) -> LogAddress:
        """Define a queue; gives the log address to wait for.

        If the definition replaces another one, `guard` is as for `change`.
        """
        check_name(name)
        with self.lock:
            old = self.find(name)
            if name in self.temporary or (old is not None and not (replace and old.kind == kind)):
                raise MQError(MQRC_OBJECT_ALREADY_EXISTS, name=name)
            complete = {**object_type(kind).defaults, **values}
            if old is not None:
                return self.change(name, complete, guard, by)
            if kind == LOCAL:
                self.page_set_for(complete)
            record = self._new(kind, name, complete)
            address = self.catalogue.commit(self.run, [record], [], by=by)
            self._start(record)
            return address

    def _new(self, kind: str, name: str, values: Mapping[str, AttributeValue]) -> Record:
        number = 0
        if kind == LOCAL:
            number = self.registry.next_id
            self.registry.next_id += 1
        return Record(FAMILY, kind, name, number, created(values, time.time()))

    def _start(self, record: Record) -> None:
        if record.kind == LOCAL:
            page_set = self.page_set_for(record.values)
            self._bring_up(self.registry.new(record.name, self.make_store(record.number, page_set)), record.values)

    def install(self, queues: Iterable[Described], others: Iterable[Record]) -> None:
        """Create many objects, all or none: queues with complete values, and records of other kinds."""
        with self.lock:
            records = []
            for kind, name, values in queues:
                check_name(name)
                records.append(self._new(kind, name, values))
            self.catalogue.change(self.run, [*others, *records], [])
            for record in records:
                self._start(record)

    def define_temporary(self, name: str, values: Mapping[str, AttributeValue]) -> Queue:
        """Create a temporary dynamic queue, which is not in the catalogue and is gone after a restart."""
        check_name(name)
        with self.lock:
            if self.find(name) is not None or name in self.registry.by_name:
                raise MQError(MQRC_OBJECT_ALREADY_EXISTS, name=name)
            complete = {**object_type(LOCAL).defaults, **values, "DEFTYPE": MQQDT_TEMPORARY_DYNAMIC}
            queue = self.registry.new(name, self.make_store(self.registry.next_id, self.page_set_for(complete)))
            queue.store.next_sequence = first_position()
            self.registry.next_id += 1
            record = Record(FAMILY, LOCAL, name, queue.id, created(complete, time.time()))
            self._bring_up(queue, record.values)
            self.temporary[name] = record
            return queue

    def _bring_up(self, queue: Queue, values: Mapping[str, AttributeValue]) -> None:
        def step() -> bool:
            configure(queue, values)
            self.monitor(queue)
            self.watch(queue, values)
            self.registry.triggers.configure(queue, values)
            self.registry.add(queue)
            return True

        self.run(step)

    def alter(self, name: str, values: Mapping[str, AttributeValue]) -> None:
        """Change some attributes of a queue, durably."""
        self.catalogue.wait(self.change(name, values))

    def change(
        self,
        name: str,
        values: Mapping[str, AttributeValue],
        guard: Callable[[], None] | None = None,
        by: Caller = NOBODY,
    ) -> LogAddress:
        """Change some attributes of a queue; gives the log address to wait for.

        `guard` may refuse the change by raising. It is called in the hold of the engine lock that decides the change,
        so that no program opens the queue in between.
        """
        with self.lock:
            record = self.find(name) or self.temporary.get(name)
            queue = self.registry.by_name.get(name)
            if record is None:
                raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=name)
            before = record.values
            if self.run(partial(self.registry.triggers.take_spent, queue)):
                before = {**before, "TRIGGER": MQTC_OFF}
            merged = altered(before, values, time.time())
            changed = Record(FAMILY, record.kind, name, record.number, merged)
            decision = _Change(self, queue, merged, guard)
            if name in self.temporary:
                self.run(partial(self._change_temporary, changed, decision))
                address = NO_ADDRESS
            else:
                address = self.catalogue.commit(self.run, [changed], [], decision, by)
            if queue is not None:
                self.run(partial(build_index, queue, merged))
            elif record.kind == ALIAS:
                self._look_again(str(before["TARGET"]))
            return address

    def switch_off_triggers(self) -> None:
        """Switch TRIGGER off in the definitions of DEPTH queues that have made their trigger message."""
        while True:
            with self.lock:
                queue = self.registry.triggers.next_spent()
                if queue is None:
                    return
                address = NO_ADDRESS
                if queue.deleted:
                    self.run(partial(self.registry.triggers.take_spent, queue))
                else:
                    address = self.change(queue.name, {})
            if address:
                self.catalogue.wait(address)

    def _look_again(self, name: str) -> None:
        """Let the gets that wait on a queue try again, since the alias that they use may have changed."""
        queue = self.registry.by_name.get(name)
        if queue is not None and queue.waiters.count:
            self.run(partial(self.registry.look_again, queue))

    def _change_temporary(self, changed: Record, decision: _Change) -> bool:
        decision.check()
        self.temporary[changed.name] = changed
        decision.apply()
        return True

    def delete(self, name: str, purge: bool = False) -> None:
        """Delete a queue durably; with `purge`, its messages too."""
        self.catalogue.wait(self.remove(name, purge))

    def remove(
        self, name: str, purge: bool = False, guard: Callable[[], None] | None = None, by: Caller = NOBODY
    ) -> LogAddress:
        """Delete a queue; gives the log address to wait for.

        `guard` may refuse the deletion of an alias or a remote queue, as for `change`; a local queue has checks of its
        own.
        """
        with self.lock:
            record = self.find(name)
            queue = self.registry.by_name.get(name)
            if queue is not None:
                return self._delete(queue, _Deletion(self, queue, purge), by)
            if record is None:
                raise MQError(MQRC_UNKNOWN_OBJECT_NAME, name=name)
            return self.catalogue.commit(self.run, [], [record.key], _Change(self, None, {}, guard), by)

    def discard(self, queue: Queue, purge: bool) -> LogAddress:
        """Delete a permanent dynamic queue, even while it is open; gives the log address to wait for.

        Handles of the queue fail from now on. Its messages are removed when the last handle is closed.
        """
        with self.lock:
            if queue.deleted:
                return self.store.latest  # another thread was first
            decision = _Deletion(self, queue, purge)
            decision.though_open = True
            return self._delete(queue, decision)

    def retire(self, queue: Queue) -> None:
        """Delete a temporary queue with its messages: it is unusable at once; its pages are given back later."""
        with self.lock:
            if queue.deleted:
                return
            decision = _Deletion(self, queue, purge=True)
            decision.though_open = decision.though_uncommitted = True
            self._delete(queue, decision)

    def _delete(self, queue: Queue, decision: "_Deletion", by: Caller = NOBODY) -> LogAddress:
        # The definition is deleted first. Messages that a crash then leaves are removed by the next start.
        record = self.find(queue.name)
        address = NO_ADDRESS
        if record is None:
            self.run(decision.carry_out)
        else:
            address = self.catalogue.commit(self.run, [], [record.key], decision, by)
        self.temporary.pop(queue.name, None)
        self._retired.append(queue)
        self.sweep()
        return address

    def withdraw(self, queue: Queue) -> None:
        """Make a queue unusable; called under the engine lock."""
        queue.deleted = True
        queue.put_allowed = False
        del self.registry.by_name[queue.name]
        for waiter in queue.waiters.all():
            queue.waiters.remove(waiter)
            waiter.fail(MQRC_Q_DELETED)

    def reclaim(self, store: QueueStore) -> None:
        """Remove the messages of a queue whose definition was deleted before a crash."""
        with self.lock:
            queue = Queue("", store)
            queue.depth = store.depth(0, False)
            queue.deleted = True
            self.registry.by_id[queue.id] = queue
            self.registry.next_id = max(self.registry.next_id, queue.id + 1)
            self._retired.append(queue)
            self.sweep()

    def sweep(self) -> None:
        """Give back the pages of deleted queues that are not open and have no messages in units of work.

        Pages that cannot be given back now, since a page is damaged or the log is full, are given back by the next
        sweep or start. The queue is deleted all the same, so this is not reported.
        """
        with self.lock:
            for queue in self._retired[:]:
                if queue.handles or queue.uncommitted:
                    continue
                try:
                    self._give_back(queue)
                except Broken:
                    raise
                except MQError:
                    continue
                self._retired.remove(queue)

    def _give_back(self, queue: Queue) -> None:
        self._remove_all(queue)

        def drop() -> bool:
            queue.store.drop()
            self.registry.drop(queue)
            return True

        self.run(drop)

    def clear(self, name: str) -> int:
        """Remove all messages of a queue that is not open; gives their number."""
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

    def _remove_all(self, queue: Queue) -> int:
        removed = 0

        def step() -> bool:
            item = queue.next()
            if item is None:
                return False
            queue.take(item, None)
            return True

        while self.run(step):
            removed += 1
        return removed
