"""The registry of queues: it receives the outcome of operations from units of work, and serves the gets that wait."""

from collections.abc import Callable, Mapping
from typing import Final

from kew.objects.schema.values import Value
from kew.queues.match import Match
from kew.queues.queue import Queue
from kew.queues.store import QueueStore
from kew.queues.trigger import Triggers, no_process
from kew.storage.message import HEADERS, MessageRef
from kew.storage.pages.items import ItemStore
from kew.storage.stall import Stall

_MESSAGE_ID: Final = 48  # where it begins in a descriptor as it is stored; the correlation id follows


class QueueRegistry:
    """Queues by name and by number. Methods run under the engine lock."""

    def __init__(
        self,
        store: ItemStore,
        on_expired: Callable[[Queue, MessageRef], None] | None = None,
        on_unindexed: Callable[[Queue, str], None] | None = None,
        process_of: Callable[[str], Mapping[str, Value] | None] = no_process,
        on_trigger: Callable[[], None] | None = None,
    ) -> None:
        self.store = store
        self.by_name: dict[str, Queue] = {}
        self.by_id: dict[int, Queue] = {}
        self.triggers = Triggers(self.by_name, process_of, on_trigger)
        self.next_id = 16  # lower numbers are the queue manager's own
        self._on_expired = on_expired  # of every queue
        self._on_unindexed = on_unindexed
        self._fresh: list[tuple[Queue, MessageRef]] = []  # made available by the unit that is just ending
        self._serving = False  # gets that wait are being served

    def new(self, name: str, store: QueueStore) -> Queue:
        """Make a queue that reports expired messages and unindexed searches; `add` puts the queue in the registry."""
        return Queue(name, store, self._on_expired, self._on_unindexed)

    def add(self, queue: Queue) -> None:
        """Add a queue."""
        self.by_name[queue.name] = queue
        self.by_id[queue.id] = queue
        if queue.id >= self.next_id:
            self.next_id = queue.id + 1

    def drop(self, queue: Queue) -> None:
        """Remove a queue; another queue may have its name by now."""
        self.triggers.forget(queue)
        if self.by_name.get(queue.name) is queue:
            del self.by_name[queue.name]
        del self.by_id[queue.id]

    # -- what units of work tell --------------------------------------------------------------------------------------

    def put_committed(self, item: MessageRef) -> None:
        """Note a message that is visible, since its put was committed; waiting gets are served at `unit_ended`."""
        queue = self.by_id.get(item.queue)
        if queue is not None:
            queue.put_committed()
            if queue.waiters.count:
                self._fresh.append((queue, item))

    def get_committed(self, item: MessageRef) -> None:
        """Note that a message is removed, since its get was committed."""
        queue = self.by_id.get(item.queue)
        if queue is not None:
            queue.get_committed()

    def put_undone(self, item: MessageRef) -> None:
        """Note that a message is removed, since its put was undone."""
        queue = self.by_id.get(item.queue)
        if queue is not None:
            queue.put_undone()

    def get_undone(self, item: MessageRef) -> None:
        """Note a message that is available again, since its get was undone."""
        queue = self.by_id.get(item.queue)
        if queue is not None:
            queue.get_undone()
            if queue.waiters.count:
                self._fresh.append((queue, item))

    # -- waiting gets -------------------------------------------------------------------------------------------------

    def unit_ended(self) -> None:
        """Serve the gets that wait for messages which a unit has made available."""
        if self.triggers.in_units:
            self.triggers.unit_ended()
        self._serve_fresh()

    def item_available(self, queue: Queue, item: MessageRef) -> None:
        """Serve the gets that a message can satisfy.

        A get that is served may make a message available itself: a message that is too long for its buffer goes back.
        Gets that wait for that message are served after this get and not within it, however many they are.
        """
        self._fresh.append((queue, item))
        self._serve_fresh()

    def _serve_fresh(self) -> None:
        if self._serving:
            return
        self._serving = True
        try:
            while self._fresh:
                fresh, self._fresh = self._fresh, []
                for queue, item in fresh:
                    if queue.waiters.count:
                        self._serve(queue, item)
        finally:
            self._serving = False

    def _serve(self, queue: Queue, item: MessageRef) -> None:
        try:
            content = queue.describe(item, HEADERS).content
        except Stall:
            self.serve_all(queue)
            return
        ids = content[_MESSAGE_ID : _MESSAGE_ID + 48]
        self.available(queue, item, ids[:24], ids[24:])

    def available(self, queue: Queue, item: MessageRef, message_id: bytes, correlation_id: bytes) -> None:
        """Serve the gets that a message with these ids can satisfy, until one of them has taken it."""
        before = queue.available()
        for waiter in queue.waiters.candidates(message_id, correlation_id):
            match = waiter.match
            if match is not None and match.selector is not None and not _may_suit(queue, item, match):
                continue
            if waiter.serve():
                queue.waiters.remove(waiter)
                if queue.available() < before:
                    return

    def look_again(self, queue: Queue) -> bool:
        """Let every waiting get try again, since its conditions have changed."""
        for waiter in queue.waiters.all():
            if waiter.serve():
                queue.waiters.remove(waiter)
        return True

    def serve_all(self, queue: Queue) -> None:
        """Let every waiting get try again."""
        for waiter in queue.waiters.all():
            if not queue.available():
                return
            if waiter.serve():
                queue.waiters.remove(waiter)


def _may_suit(queue: Queue, item: MessageRef, match: Match) -> bool:
    """Say whether a message may match a get with a selector; where that needs a read, leave the check to the get."""
    try:
        return queue.matches(item, match)
    except Stall:
        return True
