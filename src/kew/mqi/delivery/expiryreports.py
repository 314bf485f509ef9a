"""Expiration reports: each is sent in the unit of work that removes the expired message.

A get, a browse or the expiry scan that meets an expired message removes the message in a unit of work, so that no other
get finds it, and continues its search. A thread then reads the message, sends the report and commits. After a crash
before the commit the message is there again, still expired, and is handled again: there is one report, or the message.
"""

import threading
from collections import deque

from kew.codes.errors import Broken, MQError
from kew.codes.options import MQFB_EXPIRATION
from kew.formats.mqmd import LENGTH, decode_stored
from kew.mqi.delivery.destination import unaddressed
from kew.mqi.delivery.reports import ReportDelivery, report
from kew.mqi.engine import Engine
from kew.queues.queue import Queue
from kew.storage.message import WHOLE, MessageRef
from kew.storage.recovery.attempt import Attempt
from kew.storage.stall import Stall


class Expired:
    """An expired message that a unit of work removes, and the state of its report."""

    def __init__(self, engine: Engine, queue: Queue, item: MessageRef, attempt: Attempt) -> None:
        self.attempt = attempt
        self._engine = engine
        self._queue = queue
        self._item = item
        self._sending: ReportDelivery | None = None
        self._mute = False

    def step(self) -> bool:
        """Take a step; says whether the message is removed and its report sent. May stall, and is then called again."""
        unit = self.attempt.unit
        if unit.forced_out:
            return True  # the message is back, and will be met again
        if not self._mute:
            if self._sending is None:
                content = self._queue.describe(self._item, WHOLE).content
                message, data = unaddressed(decode_stored(content, 0), content[LENGTH:])
                self._sending = report(self._engine, message, data, MQFB_EXPIRATION, unit)
            if not self._sending.step():
                return False
        self.attempt.commit()
        return True

    def give_up(self) -> bool:
        """Remove the message without a report, since it cannot be read."""
        if self._sending is not None:
            self._sending.abandon()
        self._mute = True
        return True


class ExpiryReporter:
    """The thread that sends expiration reports."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._line: deque[Expired] = deque()
        self._bell = threading.Event()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="kew-expired", daemon=True)

    def expired(self, queue: Queue, item: MessageRef) -> None:
        """Remove a message in a unit of work; called under the engine lock. Stalls with nothing changed."""
        attempt = Attempt(self._engine.units, None)
        try:
            queue.expire_in(item, attempt.unit)
        except Stall:
            attempt.give_up()
            raise
        self._line.append(Expired(self._engine, queue, item, attempt))
        self._bell.set()

    def work(self) -> None:
        """Handle all messages in the list; called outside the lock, by one thread at a time."""
        run = self._engine.run
        while self._line:
            first = self._line[0]
            try:
                while not run(first.step):
                    pass
            except Broken:
                return
            except MQError:
                run(first.give_up)
                continue
            self._line.popleft()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread, after the messages in the list are handled."""
        self._stopping = True
        self._bell.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self._bell.wait()
            self._bell.clear()
            self.work()
            if self._stopping:
                return
