"""Replies that wait until the log is on disk: no reply reports work that a crash could still undo.

The replies of all conversations wait in one line, roughly in the order of their log addresses. The log is forced up to
the highest of these addresses, so the same force releases a reply that is out of order. There is one force for all
calls of a turn of the loop, and one notice of the log writer releases all their replies together.

This is the one place where the thread of the loop waits for a disk. A loop that would go to sleep, because there is no
post and no socket is ready, writes and syncs the log itself while the log writer sleeps: a handover of the work costs
two changes of thread, and more when both want the interpreter. For all other sockets this holds: a socket that was
ready is served before the sync; a socket that becomes ready during the sync waits for the rest of that sync, and is
served before the next. Nothing bounds the time of a single sync, but when the average of the last ones passes SLOW the
log writer does the work for a time (WARY), so that on a slow disk sockets that wait for no disk are served. One slow
sync now and then, which every disk has, does not make a disk slow.

If recent syncs were shared by several calls, the loop waits for as many calls again before the log is written, but no
longer than a write takes: otherwise the first call would be synced alone, and the others would wait for a second sync.
A program that gets, puts and commits sends its next commit after three exchanges, which takes about that long.
"""

import time
from abc import abstractmethod
from collections import deque
from collections.abc import Callable
from typing import Final

from kew.channels.protocol.events import Event
from kew.channels.transport.alarm import Alarm
from kew.channels.transport.loop import Loop
from kew.storage.log import NO_ADDRESS, Log, LogAddress, LogError

SLOW: Final = 0.002  # seconds that a write of the log takes on average, from which on the log writer does it
STALL: Final = 4 * SLOW  # a write that takes longer counts as this
WARY: Final = 1.0  # seconds until the loop writes the log itself again
SHARED_CALLS: Final = 1.8  # calls that shared a sync on average, from which on the loop waits for others
SHORTEST_WAIT: Final = 0.00005  # seconds that the loop waits for other calls
LONGEST_WAIT: Final = 0.001

_NOTHING: Final = Event(0)


class DurableListener:
    """Receives a call once the log is on disk up to an address."""

    @abstractmethod
    def released(self, event: Event) -> None:
        """Act on an event now that the log is on disk: send the reply, or continue the call."""


class Parked:
    """A reply that waits for the log."""

    def __init__(self, address: LogAddress, listener: DurableListener, event: Event) -> None:
        self.address = address
        self.listener = listener
        self.event = event


class DeferredCall(DurableListener):
    """A call that continues once the log is on disk."""

    def __init__(self, job: Callable[[], None]) -> None:
        self._job = job

    def released(self, event: Event) -> None:
        """Continue the call."""
        self._job()


class Acknowledgements:
    """The line of replies that wait for the log."""

    def __init__(self, log: Log, loop: Loop) -> None:
        self._log = log
        self._loop = loop
        self._line: deque[Parked] = deque()
        self._wanted = NO_ADDRESS
        self._asked = NO_ADDRESS
        self._coming = False  # a release is posted and has not run
        self._wary_until = 0.0  # until then the log writer writes
        self._alarm = Alarm(loop, self._ring)
        self._expecting = False  # the alarm is set
        self._due = False  # the alarm has rung: the log is forced now
        self._gathered = 0  # calls that have logged a record since the log was last forced
        self._usual = 0.0  # the average of _gathered
        self._writing = SLOW  # seconds that it takes to write the log
        log.on_durable.append(self._durable)
        loop.before_sleep.append(self._ask)

    def close(self) -> None:
        """Stop listening to the log; replies that still wait are never sent."""
        self._log.on_durable.remove(self._durable)
        self._loop.before_sleep.remove(self._ask)
        self._line.clear()
        self._alarm.close()

    def park(self, address: LogAddress, listener: DurableListener, event: Event) -> None:
        """Hold a reply until the log is on disk up to an address."""
        self._line.append(Parked(address, listener, event))
        if address > self._wanted:
            self._wanted = address
            self._gathered += 1
        elif address <= self._log.durable:  # the log writer was done before the reply was parked
            self._release_soon()

    def call(self, address: LogAddress, job: Callable[[], None]) -> None:
        """Call a function once the log is on disk up to an address."""
        self.park(address, DeferredCall(job), _NOTHING)

    def want(self, address: LogAddress) -> None:
        """Have the log forced up to an address for which no reply waits."""
        if address > self._wanted:
            self._wanted = address

    def _ask(self) -> None:
        """Force the log once for all calls of this turn of the loop; replies whose log is already on disk leave now."""
        if self._wanted <= self._asked or self._expects_more():
            return
        self._asked = self._wanted
        self._usual += (self._gathered - self._usual) / 8
        self._gathered = 0
        if self._expecting:
            self._alarm.cancel()  # a set alarm wakes the loop, and then the log would be left to the log writer
        self._expecting = self._due = False
        try:
            if self._ask_log(self._wanted):
                self._release_soon()
        except LogError:
            self._line.clear()  # nothing is acknowledged any more; the queue manager was notified and ends

    def _expects_more(self) -> bool:
        """Say whether to wait for further calls before the log is forced; an alarm limits that wait."""
        if self._due or self._usual < SHARED_CALLS or self._gathered >= self._usual:
            return False
        if not self._expecting:
            self._expecting = True
            self._alarm.set(min(max(self._writing, SHORTEST_WAIT), LONGEST_WAIT))
        return True

    def _ring(self) -> None:
        self._expecting = False
        self._due = self._wanted > self._asked

    def _ask_log(self, address: LogAddress) -> bool:
        """Have the log written up to an address, by this thread or by the log writer; say whether it is on disk."""
        loop = self._loop
        if loop.now < self._wary_until or not loop.idle():
            return self._log.request_force(address)
        begun = time.monotonic()
        written = self._log.force_or_request(address)
        if written:
            ended = time.monotonic()
            self._writing += (min(ended - begun, STALL) - self._writing) / 8
            if self._writing > SLOW:
                self._wary_until = ended + WARY
        return written

    def _durable(self, _address: LogAddress) -> None:
        """Release replies: the log is durable up to an address. Called by the thread that has written the log."""
        self._release_soon()

    def _release_soon(self) -> None:
        if self._line and not self._coming:
            self._coming = True
            self._loop.post(self._release)

    def _release(self) -> None:
        self._coming = False
        durable = self._log.durable
        line = self._line
        while line and line[0].address <= durable:
            parked = line.popleft()
            parked.listener.released(parked.event)
