"""Performance events of one queue: how deep it is, and how long its messages wait to be got.

The queue calls its watch after each put and get, under the engine lock, and only while performance events are switched
on. An event switches itself off and its counterpart on, as in MQ: depth high enables depth low and full, depth low
enables depth high and full, full enables depth low; service interval high and OK take turns.
"""

import time
from collections.abc import Mapping
from typing import Final

from kew.accounting.events import Events
from kew.codes.attributes import MQEVR_DISABLED, MQEVR_ENABLED, MQQSIE_HIGH, MQQSIE_NONE, MQQSIE_OK
from kew.codes.reasons import (
    MQRC_Q_DEPTH_HIGH,
    MQRC_Q_DEPTH_LOW,
    MQRC_Q_FULL,
    MQRC_Q_SERVICE_INTERVAL_HIGH,
    MQRC_Q_SERVICE_INTERVAL_OK,
)
from kew.objects.schema.values import Value
from kew.queues.queue import Queue, QueueCounters

SWITCHES: Final = ("QDPMAXEV", "QDPHIEV", "QDPLOEV", "QSVCIEV")
LIMITS: Final = ("MAXDEPTH", "QDEPTHHI", "QDEPTHLO", "QSVCINT")


class PerformanceWatch:
    """Watches one queue."""

    def __init__(self, events: Events, queue: Queue, values: Mapping[str, Value]) -> None:
        self._events = events
        self._queue = queue
        self._defined = [_number(values, keyword) for keyword in SWITCHES]
        full, high, low, self._service = self._defined
        self._full = full == MQEVR_ENABLED
        self._high = high == MQEVR_ENABLED
        self._low = low == MQEVR_ENABLED
        most, high_percent, low_percent, milliseconds = [_number(values, keyword) for keyword in LIMITS]
        self._high_limit = most * high_percent / 100
        self._low_limit = most * low_percent / 100
        self._interval = milliseconds / 1000
        self._waiting_since = time.monotonic() if queue.depth else 0.0  # since when no message was got; 0 when empty
        self._counted: QueueCounters = queue.counters
        self._puts = queue.counters.puts
        self._gets = queue.counters.gets
        self._highest = queue.depth
        self._reset = time.monotonic()

    def follow(self, before: "PerformanceWatch") -> None:
        """Continue an earlier watch, if the definition did not change the switches."""
        if before._defined == self._defined:
            self._full, self._high, self._low = before._full, before._high, before._low
            self._service = before._service

    def shown(self) -> dict[str, int]:
        """Give the switches as they are now, for displays."""
        states = [MQEVR_ENABLED if each else MQEVR_DISABLED for each in (self._full, self._high, self._low)]
        return dict(zip(SWITCHES, [*states, self._service], strict=True))

    def stored(self, depth: int) -> None:
        """Check the depth after a message was put."""
        self._highest = max(self._highest, depth)
        if self._high and depth >= self._high_limit:
            self._high, self._low, self._full = False, True, True
            self._tell(MQRC_Q_DEPTH_HIGH)
        if self._service != MQQSIE_NONE:
            now = time.monotonic()
            if not self._waiting_since:
                self._waiting_since = now
            elif self._service == MQQSIE_HIGH and now - self._waiting_since > self._interval:
                self._service = MQQSIE_OK
                self._tell(MQRC_Q_SERVICE_INTERVAL_HIGH)

    def taken(self, depth: int) -> None:
        """Check the depth and the service interval after a message was got."""
        if self._low and depth <= self._low_limit:
            self._low, self._high, self._full = False, True, True
            self._tell(MQRC_Q_DEPTH_LOW)
        if self._service != MQQSIE_NONE:
            now = time.monotonic()
            late = now - self._waiting_since > self._interval if self._waiting_since else False
            self._waiting_since = now if depth else 0.0
            if late and self._service == MQQSIE_HIGH:
                self._service = MQQSIE_OK
                self._tell(MQRC_Q_SERVICE_INTERVAL_HIGH)
            elif not late and self._service == MQQSIE_OK:
                self._service = MQQSIE_HIGH
                self._tell(MQRC_Q_SERVICE_INTERVAL_OK)

    def refused(self) -> None:
        """Check the switches after a put found the queue full."""
        if self._full:
            self._full, self._low = False, True
            self._tell(MQRC_Q_FULL)

    def _tell(self, reason: int) -> None:
        counters = self._queue.counters
        if counters is not self._counted:  # RESET QSTATS began anew
            self._counted, self._puts, self._gets = counters, 0, 0
        now = time.monotonic()
        self._events.of_performance(
            reason,
            self._queue.name,
            int(now - self._reset),
            self._highest,
            counters.puts - self._puts,
            counters.gets - self._gets,
        )
        self._puts, self._gets, self._highest, self._reset = counters.puts, counters.gets, self._queue.depth, now


def watch_of(events: Events, queue: Queue, values: Mapping[str, Value]) -> PerformanceWatch | None:
    """Give the watch that a queue needs, None if no event is enabled."""
    if not events.performance or not any(_number(values, keyword) for keyword in SWITCHES):
        return None
    watch = PerformanceWatch(events, queue, values)
    if isinstance(queue.watch, PerformanceWatch):
        watch.follow(queue.watch)
    return watch


def _number(values: Mapping[str, Value], keyword: str) -> int:
    value = values[keyword]
    assert isinstance(value, int)
    return value
