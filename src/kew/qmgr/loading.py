"""Loads the result of restart: definitions, queues, units of work in doubt, and topics, in this order."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from kew.mqi.engine import Engine
from kew.mqi.subscribing.managedqueues import drop_orphans
from kew.queues.administration import FAMILY, LOCAL, QueueAdministration, configure
from kew.queues.recoveredmessages import RecoveredMessages
from kew.storage.recovery.redo import resolve
from kew.storage.recovery.restart import Restart
from kew.storage.recovery.trail import Trail
from kew.storage.stall import Damaged, Stall
from kew.storage.unit import GET, IN_COMMIT, IN_DOUBT, MessageOperation, Unit
from kew.topics import retained

CATALOGUE_PAGE_SET: Final = 0


class Loading:
    """Loads an engine at its start, before any program connects."""

    def __init__(
        self,
        engine: Engine,
        administration: QueueAdministration,
        restart: Restart,
    ) -> None:
        self._engine = engine
        self._administration = administration
        self._store = engine.store
        self._queues = engine.queues
        self._catalogue = engine.catalogue
        self._restart = restart
        self._recovered = RecoveredMessages(restart, engine.store, engine.catalogue)

    def definitions(self, path: str, lost: Mapping[int, str]) -> None:
        """Load the catalogue from its page set, the file at `path`; if that page set is lost, the start fails."""
        home = self._store.page_sets.get(CATALOGUE_PAGE_SET)
        if home is None:
            why = lost.get(CATALOGUE_PAGE_SET, "is not configured")
            raise Damaged(path, 0, f"the definitions are lost: {why}")
        try:
            self._catalogue.load(self._recovered.definitions(home), self._run_alone)
        except Damaged as damage:
            self._engine.notices.tell("CSQP901E", (CATALOGUE_PAGE_SET, damage.page), (damage.path,))
            raise

    def _run_alone(self, step: Callable[[], bytes]) -> bytes:
        # As `engine.run`, but no program is connected yet to get a reason code.
        while True:
            try:
                with self._engine.lock:
                    return step()
            except Stall as stall:
                waiting = stall
            resolve(waiting)

    def local_queues(self) -> None:
        """Make every local queue, with the messages that restart found; remove the messages of deleted queues."""
        recovered = self._recovered
        for record in self._catalogue.records.values():
            if record.family != FAMILY or record.kind != LOCAL:
                continue
            self._queues.next_id = max(self._queues.next_id, record.number + 1)
            page_set = recovered.page_set_of(record.number)
            if page_set is None:
                number = self._administration.page_set_number(str(record.values["STGCLASS"]))
                page_set = self._store.page_sets.get(-1 if number is None else number)
            if page_set is None:
                continue  # its page set is lost: opening it gives MQRC_OBJECT_DAMAGED
            store = self._administration.make_store(record.number, page_set)
            recovered.fill(store)
            queue = self._queues.new(record.name, store)
            queue.depth = store.depth(0, False)
            self._engine.run(partial(configure, queue, record.values))
            self._queues.add(queue)
            self._queues.triggers.configure(queue, record.values)
        for owner in recovered.left():
            page_set = recovered.page_set_of(owner)
            assert page_set is not None
            store = self._administration.make_store(owner, page_set)
            recovered.fill(store)
            self._administration.reclaim(store)

    def units(self) -> None:
        """Restore the units of work in doubt, with their locks, and finish the decided ones.

        Restart has already committed or backed out a decided unit in the pages; its other participants follow here.
        """
        decided: list[Unit] = []
        for trail in self._restart.trails.values():
            unit = Unit(trail.id)
            unit.state = trail.state
            unit.first_address = trail.first_address
            unit.last_address = trail.last_address
            unit.xid = trail.xid
            unit.has_gotten = True
            operations = self._operations(trail)
            self._engine.units.restore(unit, operations, trail.described)
            if unit.state != IN_DOUBT:
                decided.append(unit)
        for unit in decided:
            unit.decided = self._engine.log.next_address
            end = self._engine.units.commit if unit.state == IN_COMMIT else self._engine.units.backout
            self._engine.run(partial(end, unit))

    def topics(self) -> None:
        """Load durable subscriptions and retained publications, and remove what other subscriptions left in a crash."""
        topics = self._engine.topics
        topics.load(self._catalogue)
        kept = self._queues.by_name.get(retained.QUEUE)
        if kept is not None:
            topics.retained.load(kept, self._run_alone)
        drop_orphans(self._engine, self._administration)

    def _operations(self, trail: Trail) -> list[MessageOperation]:
        operations: list[MessageOperation] = []
        for step in trail.steps:
            operation = self._engine.run(partial(self._recovered.locked, step))
            if operation is None:
                continue  # on a page set that is lost
            queue = self._queues.by_id.get(step.owner)
            if queue is not None:
                queue.uncommitted += 1
                if operation.kind == GET:
                    queue.depth -= 1
            operations.append(operation)
        return operations
