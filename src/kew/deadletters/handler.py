"""The dead-letter handler: carries out the first rule that matches each message.

A rule is tried as often as its RETRY says, RETRYINT seconds apart; if that fails, the next rule that matches is tried.
A message stays on the queue if no rule succeeds, and so does a message that is not a dead letter.
"""

import time
from collections.abc import Callable

from kew.client import Received
from kew.codes.errors import MQError
from kew.codes.reasons import (
    MQRC_CONNECTION_QUIESCING,
    MQRC_GET_INHIBITED,
    MQRC_Q_MGR_QUIESCING,
    MQRC_Q_MGR_STOPPING,
)
from kew.deadletters.letters import Letter, read, text
from kew.deadletters.moving import DeadLetterQueue
from kew.deadletters.rules import FOREVER, Rule, Table

Key = tuple[bytes, bytes, bytes, bytes]
_ENDS = (MQRC_GET_INHIBITED, MQRC_Q_MGR_QUIESCING, MQRC_CONNECTION_QUIESCING, MQRC_Q_MGR_STOPPING)
_BREATH = 60.0  # seconds for which one call waits


class Progress:
    """The state of the handler for a message that is still on the queue."""

    def __init__(self) -> None:
        self.rule = 0  # index of the current rule
        self.attempts = 0  # of the current rule
        self.due = 0.0  # time of the next attempt
        self.left = False  # the message stays: no rule is tried any more


class Handler:
    """The handler of one dead-letter queue."""

    def __init__(
        self,
        queue: DeadLetterQueue,
        table: Table,
        say: Callable[[str], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.counts = {"discarded": 0, "forwarded": 0, "retried": 0}
        self.left = 0
        self._queue = queue
        self._table = table
        self._say = say
        self._now = now
        self._known: dict[Key, Progress] = {}

    def run(self) -> None:
        """Handle messages until none comes for the time in WAIT, the queue is inhibited, or the queue manager ends."""
        try:
            while True:
                due = self.look()
                if due is None and self._table.wait == 0:
                    return
                if not self._wait(due) and due is None:
                    return
        except MQError as error:
            if error.reason not in _ENDS:
                raise

    def _wait(self, due: float | None) -> bool:
        """Wait for a message or for the time of the next attempt; say False if the time in WAIT ended first."""
        begun = self._now()
        until = float("inf") if self._table.wait == FOREVER or due is not None else begun + self._table.wait
        if due is not None:
            until = min(until, due)
        while True:
            left = until - self._now()
            if left <= 0:
                return due is not None
            if self._queue.wait(max(0.001, min(left, _BREATH))):
                return True

    def look(self) -> float | None:
        """Handle each message on the queue once; gives the time of the earliest retry, None without a retry."""
        known, self._known = self._known, {}
        due: float | None = None
        self.left = 0
        for received in self._queue.messages():
            letter = read(received.descriptor, received.data)
            if letter is None:
                self.left += 1
                continue
            key = _key(received)
            progress = known.get(key, Progress())
            if not progress.left and progress.due <= self._now() and self._handle(received, letter, progress):
                continue
            self._known[key] = progress
            self.left += 1
            if not progress.left and (due is None or progress.due < due):
                due = progress.due
        return due

    def _handle(self, received: Received, letter: Letter, progress: Progress) -> bool:
        """Try the rules on a message; say whether the message has left the queue."""
        rules = self._table.rules
        while progress.rule < len(rules):
            rule = rules[progress.rule]
            if rule.fits(letter):
                if rule.action == "IGNORE":
                    break
                failure = self._act(rule, received, letter)
                if failure is None:
                    return True
                progress.attempts += 1
                self._say(f"rule of line {rule.line}, message for {letter.queue}: {failure}")
                if progress.attempts < rule.attempts:
                    progress.due = self._now() + self._table.retry_interval
                    return False
            progress.rule += 1
            progress.attempts = 0
        progress.left = True
        return False

    def _act(self, rule: Rule, received: Received, letter: Letter) -> MQError | None:
        user = letter.descriptor.user_identifier if rule.as_sender else b""
        if rule.action == "DISCARD":
            self._queue.discard()
            self.counts["discarded"] += 1
            return None
        if rule.action == "RETRY":
            failure = self._queue.move(letter.original(), letter.data, letter.queue, letter.manager, user)
            self.counts["retried"] += failure is None
            return failure
        descriptor, data = received.descriptor, received.data
        if not rule.keeps_header:
            descriptor, data = letter.original(), letter.data
        names = {
            "&DESTQ": letter.queue,
            "&REPLYQ": text(letter.descriptor.reply_to_queue),
            "&DESTQM": letter.manager,
            "&REPLYQM": text(letter.descriptor.reply_to_queue_manager),
        }
        queue = names.get(rule.forward_queue.upper(), rule.forward_queue)
        manager = names.get(rule.forward_manager.upper(), rule.forward_manager)
        failure = self._queue.move(descriptor, data, queue, manager, user)
        self.counts["forwarded"] += failure is None
        return failure


def _key(received: Received) -> Key:
    descriptor = received.descriptor
    return descriptor.message_id, descriptor.correlation_id, descriptor.put_date, descriptor.put_time
