"""Looks for messages whose time is past and throws them away: their room is free though nobody gets them.

Gets and browses throw away what they meet by themselves, so a message that has expired is never given to anybody,
however seldom the scan runs. The scan reads directory pages only, and of these only such as hold an entry that may be
due: each directory remembers the soonest moment of its entries. The engine lock is held for one directory at a time.
"""

import threading
from collections.abc import Callable
from typing import Final

from kew.queues.queue import Queue
from kew.queues.registry import QueueRegistry
from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import LIVE, Directory, entry_at
from kew.storage.pages.items import item_at

GLANCES: Final = 1000  # directories that are not due and may be passed in one hold of the lock

Runner = Callable[[Callable[[], bool]], bool]


class ChainScan:
    """The scan of one chain, from its oldest directory to its newest."""

    def __init__(self, queue: Queue, chain: Chain, now: int) -> None:
        self._queue = queue
        self._chain = chain
        self._now = now
        self._position = 0  # of the last directory that was dealt with

    def step(self) -> bool:
        """Go on to the next directory that may be due and deal with it; says whether there was one.

        May stall, and is then called again.
        """
        if self._queue.deleted:
            return False
        directory = self._chain.first
        glances = 0
        while directory is not None:
            if directory.position > self._position:
                if directory.soonest and directory.soonest <= self._now:
                    self._expire(directory)
                    self._position = directory.position
                    return True
                glances += 1
                if glances == GLANCES:
                    self._position = directory.position
                    return True
            directory = directory.after
        return False

    def _expire(self, directory: Directory) -> None:
        queue, chain = self._queue, self._chain
        frame = queue.store.frame_of(chain, directory)
        soonest = 0
        for slot in range(directory.count):
            entry = entry_at(frame.data, slot)
            moment = entry.expiry
            if not entry.state or not moment:
                continue
            if moment <= self._now and entry.state == LIVE:
                queue.expire(item_at(chain, directory, slot, frame.data))
                if not directory.used:
                    return  # it is no longer a directory of this chain
            elif not soonest or moment < soonest:
                soonest = moment
        directory.soonest = soonest


def scan(run: Runner, registry: QueueRegistry, now: int) -> None:
    """Throw away everything on all queues that has expired; called outside the lock."""
    for queue in list(registry.by_id.values()):
        scan_queue(run, queue, now)


def scan_queue(run: Runner, queue: Queue, now: int) -> None:
    """Throw away everything on a queue that has expired; called outside the lock."""
    for chain in queue.chains[:]:
        if chain.expiring and not queue.holds_back:
            search = ChainScan(queue, chain, now)
            while run(search.step):
                pass


class ExpiryScanner:
    """A thread that scans at an interval."""

    def __init__(self, run: Runner, registry: QueueRegistry, now: Callable[[], int], failed: type[Exception]) -> None:
        self._run_step = run
        self._registry = registry
        self._now = now
        self._failed = failed  # what a step raises when the queue manager takes no work any more
        self._interval = 0
        self._change = threading.Event()
        self._stopping = False
        self._runner = threading.Thread(target=self._run, name="kew-expiry", daemon=True)
        self.also: Callable[[], None] | None = None  # done with each scan
        self.scans = 0

    def start(self) -> None:
        """Start the thread."""
        self._runner.start()

    def set_interval(self, seconds: int) -> None:
        """Scan every so many seconds from now on; 0 never."""
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
                if self.also is not None:
                    self.also()
            except self._failed:
                return  # whoever listens to the log has been told
            self.scans += 1
