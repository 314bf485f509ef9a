"""Replies that wait until the log is on disk, so that nobody is told of what a crash could still undo.

Replies of all conversations wait in one line, in the order of their log addresses as nearly as matters: whatever stands
before a reply is asked for too, so its turn comes. The log is asked once for everything that a turn of the loop has
brought, and its writer's word lets all leave together.

A loop that would go to sleep writes the log itself: handing it to the writer costs two changes of thread, and more when
both want the interpreter. While the disk is slow the writer has it, so that those who wait for no disk are served; a
sync that takes long now and then, as on every disk, does not make it a slow one.

Where several have waited together of late it pays to wait for as many again before the log is written, for as long as
writing takes: else the first to come has the disk to itself, and all others come too late for it. A program that gets,
puts and commits is back only after three exchanges, which is about that long.
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

SLOW: Final = 0.002  # seconds for the log to be written, on average, from which on the writer does it
STALL: Final = 4 * SLOW  # what takes longer counts as much
WARY: Final = 1.0  # seconds until it is tried here again
SHARED_CALLS: Final = 1.8  # calls that shared a sync on average, from which on others are waited for
SHORTEST_WAIT: Final = 0.00005  # for them, in seconds
LONGEST_WAIT: Final = 0.001

_NOTHING: Final = Event(0)


class DurableListener:
    """Whose reply waits."""

    @abstractmethod
    def released(self, event: Event) -> None:
        """Say it: the log is on disk."""


class Parked:
    """A reply that waits."""

    def __init__(self, address: LogAddress, listener: DurableListener, event: Event) -> None:
        self.address = address
        self.listener = listener
        self.event = event


class DeferredCall(DurableListener):
    """A call that goes on once the log is on disk."""

    def __init__(self, job: Callable[[], None]) -> None:
        self._job = job

    def released(self, event: Event) -> None:
        """Go on."""
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
        self._wary_until = 0.0  # until then the log is left to its writer
        self._alarm = Alarm(loop, self._ring)
        self._expecting = False  # the alarm is set
        self._due = False  # it has rung: nobody else is waited for
        self._gathered = 0  # calls that have had something logged since the log was last asked
        self._usual = 0.0  # how many of them there are on average
        self._writing = SLOW  # seconds that it takes to write the log
        log.on_durable.append(self._durable)
        loop.before_sleep.append(self._ask)

    def close(self) -> None:
        """Listen to the log no longer; what waits is never said."""
        self._log.on_durable.remove(self._durable)
        self._loop.before_sleep.remove(self._ask)
        self._line.clear()
        self._alarm.close()

    def park(self, address: LogAddress, listener: DurableListener, event: Event) -> None:
        """Let a reply wait until the log is on disk up to an address."""
        self._line.append(Parked(address, listener, event))
        if address > self._wanted:
            self._wanted = address
            self._gathered += 1
        elif address <= self._log.durable:  # the writer was done before there was anybody to tell
            self._release_soon()

    def call(self, address: LogAddress, job: Callable[[], None]) -> None:
        """Call something once the log is on disk up to an address."""
        self.park(address, DeferredCall(job), _NOTHING)

    def want(self, address: LogAddress) -> None:
        """See to it that the log gets to disk up to an address, though nobody waits for it."""
        if address > self._wanted:
            self._wanted = address

    def _ask(self) -> None:
        """Ask the log for what this turn has brought; what is on disk already leaves now."""
        if self._wanted <= self._asked or self._expects_more():
            return
        self._asked = self._wanted
        self._usual += (self._gathered - self._usual) / 8
        self._gathered = 0
        if self._expecting:
            self._alarm.cancel()  # it would have to be looked at, and the log left to its writer for that
        self._expecting = self._due = False
        try:
            if self._ask_log(self._wanted):
                self._release_soon()
        except LogError:
            self._line.clear()  # nothing is acknowledged any more; the queue manager has been told and ends

    def _expects_more(self) -> bool:
        """Say whether to wait for others before the log is asked; the alarm ends that."""
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
        """Have the log written up to an address, here or by its writer; whether it is."""
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
        """Called by whoever has written the log."""
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
