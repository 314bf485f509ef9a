"""Shortages of page sets, buffer pools and the log, reported to the operator once a minute at most."""

import time
from typing import Final

from kew.codes.errors import MQError
from kew.codes.messages import Notices
from kew.codes.reasons import MQRC_PAGESET_FULL, MQRC_RESOURCE_PROBLEM
from kew.storage.buffers.pool import PoolFull
from kew.storage.message import StoreFull
from kew.storage.pages.pageset import PageSetMustGrow
from kew.storage.stall import Stall

INTERVAL: Final = 60.0  # seconds between two messages of one kind about one object


class Shortages:
    """Reports page sets that grow or are full, buffer pools that are too small, and a log that is full."""

    def __init__(self, notices: Notices, queue_manager: str) -> None:
        self._notices = notices
        self._queue_manager = queue_manager
        self._told: dict[tuple[str, int], float] = {}  # time of the last report, by message and number of the object
        self._pages: dict[int, int] = {}  # pages of each page set when its last growth was reported

    def _due(self, message_id: str, number: int) -> bool:
        now = time.monotonic()
        before = self._told.get((message_id, number))
        if before is not None and now - before < INTERVAL:
            return False
        self._told[(message_id, number)] = now
        return True

    def settled(self, stall: Stall) -> None:
        """Report the shortage behind a stall that was resolved, if there was one; called outside the lock."""
        if isinstance(stall, PoolFull):
            pool = stall.pool
            if self._due("CSQP020E", pool.id):
                self._notices.tell("CSQP020E", (pool.id, pool.size))
        elif isinstance(stall, PageSetMustGrow):
            page_set = stall.page_set
            pages = page_set.space.pages
            if pages <= stall.pages:
                if self._due("CSQP014E", page_set.id):
                    self._notices.tell("CSQP014E", (page_set.id,), (page_set.path,))
            elif self._pages.get(page_set.id, 0) < pages:
                self._pages[page_set.id] = pages
                self._notices.tell("CSQP013I", (page_set.id, pages, pages - stall.pages))

    def store_full(self, queue: str, full: StoreFull) -> MQError:
        """Report a page set that has no room for a message; gives the error for the program."""
        if self._due("CSQP016E", full.page_set):
            self._notices.tell("CSQP016E", (full.page_set, full.pages))
        return MQError(MQRC_PAGESET_FULL, queue=queue, page_set=full.page_set)

    def log_full(self, why: str) -> MQError:
        """Report a log in which no space can be released; gives the error for the program."""
        if self._due("AMQ6709E", 0):
            self._notices.tell("AMQ6709E", (), (self._queue_manager,))
        return MQError(MQRC_RESOURCE_PROBLEM, why=why)
