"""What restart has found becomes definitions, queues, units of work in doubt, and topics, in this order."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from kew.mqi.engine import Engine
from kew.mqi.managed import drop_orphans
from kew.objects.catalogue import CATALOGUE_OWNER
from kew.queues.administration import FAMILY, LOCAL, QueueAdministration, configure
from kew.queues.private import PrivateStore
from kew.queues.queue import Queue
from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import GET_LOCKED, PUT_LOCKED
from kew.storage.pages.item import Item
from kew.storage.pages.shelf import Shelf
from kew.storage.records import PUT
from kew.storage.recovery.redo import resolve
from kew.storage.recovery.restart import Restart
from kew.storage.recovery.trail import Trail
from kew.storage.stall import Damaged, Stall
from kew.storage.unit import GET as GET_OPERATION
from kew.storage.unit import IN_COMMIT, IN_DOUBT, PAGES, MessageOperation, Unit
from kew.storage.unit import PUT as PUT_OPERATION
from kew.topics import retained

CATALOGUE_PAGE_SET: Final = 0


class Loading:
    """Fills an engine at its start, before any program is there."""

    def __init__(
        self,
        engine: Engine,
        administration: QueueAdministration,
        on_unindexed: Callable[[Queue, str], None],
    ) -> None:
        self._engine = engine
        self._administration = administration
        self._on_unindexed = on_unindexed
        self._store = engine.store
        self._queues = engine.queues
        self._catalogue = engine.catalogue

    def definitions(self, restart: Restart, path: str, lost: Mapping[int, str]) -> None:
        """Load the catalogue from its page set, the file at `path`; without it there is no start."""
        home = self._store.page_sets.get(CATALOGUE_PAGE_SET)
        if home is None:
            why = lost.get(CATALOGUE_PAGE_SET, "is not configured")
            raise Damaged(path, 0, f"the definitions are lost: {why}")
        chain = restart.chains.pop((CATALOGUE_OWNER, 0), None)
        if chain is None:
            chain = Chain(home, CATALOGUE_OWNER, 0, False)
        try:
            shelf = Shelf(self._store, chain, restart.next_sequence.get(CATALOGUE_OWNER, 1))
            self._catalogue.load(shelf, self._run_alone)
        except Damaged as damage:
            self._engine.notices.tell("CSQP901E", (CATALOGUE_PAGE_SET, damage.page), (damage.path,))
            raise

    def _run_alone(self, step: Callable[[], bytes]) -> bytes:
        # As `engine.run`, but there is no program yet that would understand a reason code.
        while True:
            try:
                with self._engine.lock:
                    return step()
            except Stall as stall:
                waiting = stall
            resolve(waiting)

    def local_queues(self, restart: Restart) -> None:
        """Give every local queue the messages that restart found; those of queues that were deleted go."""
        chains: dict[int, list[Chain]] = {}
        for (owner, _priority), chain in restart.chains.items():
            chains.setdefault(owner, []).append(chain)
        for record in self._catalogue.records.values():
            if record.family != FAMILY or record.kind != LOCAL:
                continue
            self._queues.next_id = max(self._queues.next_id, record.number + 1)
            found = chains.pop(record.number, [])
            number = self._administration.page_set_number(str(record.values["STGCLASS"]))
            page_set = found[0].page_set if found else self._store.page_sets.get(-1 if number is None else number)
            if page_set is None:
                continue  # its page set is lost: opening it gives MQRC_OBJECT_DAMAGED
            store = PrivateStore(record.number, page_set, self._store)
            store.take_over(found, restart.next_sequence.get(record.number, 1))
            queue = Queue(record.name, store)
            queue.depth = store.depth(0, False)
            queue.on_unindexed = self._on_unindexed
            self._engine.run(partial(configure, queue, record.values))
            self._queues.add(queue)
            self._queues.triggers.configure(queue, record.values)
        for owner, left in chains.items():
            self._administration.reclaim(owner, left)

    def units(self, restart: Restart) -> None:
        """Take over the units of work that are in doubt, with what they hold locked, and end those that are decided.

        Of these the pages' part is done; their other participants hear of the decision.
        """
        decided: list[Unit] = []
        for trail in restart.trails.values():
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
        """Take over durable subscriptions and retained publications, and drop what a crash has left of others."""
        topics = self._engine.topics
        topics.load(self._catalogue)
        kept = self._queues.by_name.get(retained.QUEUE)
        if kept is not None:
            topics.retained.load(kept, self._run_alone)
        drop_orphans(self._engine, self._administration)

    def _operations(self, trail: Trail) -> list[MessageOperation]:
        operations: list[MessageOperation] = []
        for step in trail.steps:
            queue = self._queues.by_id.get(step.owner)
            chain = self._find_chain(step.owner, step.page_set, step.directory)
            if chain is None:
                continue  # on a page set that is lost
            item = Item(chain, chain.by_number[step.directory], step.slot, step.sequence, step.length, step.page)
            item.runs = step.runs if len(step.runs) > 1 or step.runs[0][1] > 1 else []
            put = step.kind == PUT
            state = PUT_LOCKED if put else GET_LOCKED
            self._engine.run(partial(self._store.set_state, item, state))
            item.length = self._engine.run(partial(self._store.entry_of, item)).length
            if queue is not None:
                queue.uncommitted += 1
                if not put:
                    queue.depth -= 1
            operations.append(
                MessageOperation(PAGES, PUT_OPERATION if put else GET_OPERATION, item, step.address, step.undo_next)
            )
        return operations

    def _find_chain(self, owner: int, page_set: int, directory: int) -> Chain | None:
        if owner == CATALOGUE_OWNER:
            return None if self._catalogue.shelf is None else self._catalogue.shelf.chain
        queue = self._queues.by_id.get(owner)
        if queue is None or not isinstance(queue.store, PrivateStore):
            return None
        return queue.store.chain_of(page_set, directory)
