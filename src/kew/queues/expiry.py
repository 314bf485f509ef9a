"""The expiry scan: removes expired messages, so that their pages are free even if no program gets from the queue.

Gets and browses remove the expired messages that they meet, so an expired message is never given to a program, however
seldom the scan runs. The scan reads directory pages only, and only those with an entry that may be due: each directory
remembers the earliest expiry of its entries. The engine lock is held for one directory at a time.
"""

import threading
from collections.abc import Callable

from kew.queues.cursor import DueScan
from kew.queues.queue import Queue
from kew.queues.registry import QueueRegistry
from kew.storage.message import MessageRef

Runner = Callable[[Callable[[], bool]], bool]


class QueueScan:
    """The expiry scan of one queue."""

    def __init__(self, queue: Queue, now: int) -> None:
        self._queue = queue
        self._scan = DueScan(now)
        self._found: list[MessageRef] = []  # and not yet removed, in reverse order

    def step(self) -> bool:
        """Remove some expired messages; says whether there may be more.

        May stall, and is then called again.
        """
        queue, scan = self._queue, self._scan
        if queue.deleted:
            return False
        if not self._found:
            self._found = queue.due(scan)
            self._found.reverse()
        while self._found:
            item = self._found[-1]
            if queue.has_expired(item, scan.now):  # still, if it had to wait for a page
                queue.expire(item)
            self._found.pop()
        return not scan.done


def scan(run: Runner, registry: QueueRegistry, now: int) -> None:
    """Remove the expired messages of all queues; called outside the lock."""
    for queue in list(registry.by_id.values()):
        scan_queue(run, queue, now)


def scan_queue(run: Runner, queue: Queue, now: int) -> None:
    """Remove the expired messages of a queue; called outside the lock."""
    if not queue.holds_back:
        search = QueueScan(queue, now)
        while run(search.step):
            pass


class ExpiryScanner:
    """The thread that scans at an interval."""

    def __init__(
        self,
        run: Runner,
        registry: QueueRegistry,
        now: Callable[[], int],
        failed: type[Exception],
        also: Callable[[], None] | None = None,
    ) -> None:
        self._run_step = run
        self._registry = registry
        self._now = now
        self._failed = failed  # what a step raises when the queue manager takes no work any more
        self._interval = 0
        self._change = threading.Event()
        self._stopping = False
        self._runner = threading.Thread(target=self._run, name="kew-expiry", daemon=True)
        self._also = also  # done with each scan
        self.scans = 0

    def start(self) -> None:
        """Start the thread."""
        self._runner.start()

    def set_interval(self, seconds: int) -> None:
        """Set the interval of the scan in seconds; 0 switches it off."""
        if seconds != self._interval:
            self._interval = seconds
            self._change.set()

    def stop(self) -> None:
        """End the thread."""
        self._stopping = True
        self._change.set()
        self._runner.join()

    def _run(self) -> None:
        while not self._stopping:
            changed = self._change.wait(self._interval or None)
            self._change.clear()
            if changed or self._stopping:
                continue
            try:
                scan(self._run_step, self._registry, self._now())
                if self._also is not None:
                    self._also()
            except self._failed:
                return  # the listener of the log was notified
            self.scans += 1
