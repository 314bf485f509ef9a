"""The call queue of one conversation: calls are taken one at a time, replies leave in order and after the log.

A worker carries out a call that has to wait for the disk. Later calls of the conversation are queued meanwhile, and
while that queue is too long the socket is not read.
"""

from abc import abstractmethod
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final

from kew.channels.agents.acknowledgements import DurableListener
from kew.channels.agents.resources import AgentResources
from kew.channels.protocol.delivery import DESCRIPTOR_CHARGE
from kew.channels.protocol.events import Event
from kew.channels.protocol.server import ServerSession
from kew.channels.transport.tcp import LONG, Stream
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.log.ticket import LogTicket, Ticket
from kew.storage.stall import GiveWay, Stall

LONGEST_LINE: Final = 256  # calls in line from which on the socket is not read
LARGEST_LINE: Final = 1 << 20  # and the bytes of their messages

Job = Callable[[], None]
Then = Callable[[int], None]


class CallQueue(DurableListener):
    """The calls of one conversation that wait to be carried out, and its replies that wait to be sent."""

    def __init__(self, resources: AgentResources, session: ServerSession, stream: Stream) -> None:
        self.resources = resources
        self.session = session
        self.stream = stream
        self.busy = False  # a worker has the conversation's call
        self.over = False
        self._log = resources.engine.log
        self._line: deque[Event] = deque()
        self._line_size = 0
        self._barrier: LogAddress = NO_ADDRESS
        self._parked = 0
        self.parked_size = 0  # bytes that the messages that wait for the log will take of a read-ahead window

    # Supplied by the conversation.

    @abstractmethod
    def perform(self, event: Event) -> None:
        """Carry out a call."""

    @abstractmethod
    def disconnected(self) -> None:
        """Note that the program has disconnected; the conversation may connect again."""

    @abstractmethod
    def leave(self) -> None:
        """Clean up once the conversation is over and no worker has a call of it."""

    @abstractmethod
    def rested(self) -> None:
        """Note that no worker carries out a call of the conversation any more."""

    # Calls.

    def take(self, event: Event) -> None:
        """Take a call: the queue carries the call out at once, or after earlier calls."""
        if not self.busy:
            self.perform(event)
            return
        self._line.append(event)
        self._line_size += len(event.payload)
        if len(self._line) >= LONGEST_LINE or self._line_size >= LARGEST_LINE:
            self.stream.pause()

    def slowly(self, job: Job, then: Then) -> None:
        """Run a job that may wait in a worker, then continue in the loop with the reason code of the job."""
        self.busy = True
        self.resources.workers.submit(partial(self._work, job, then))

    def stalled(self, stall: Stall, again: Job, slowly: Job, then: Then) -> None:
        """Continue a stalled call: in the loop after a log force, an answer or a pause; in a worker for I/O."""
        resources = self.resources
        if isinstance(stall, LogTicket):
            self.busy = True
            resources.acknowledgements.call(stall.address, partial(self._resumed, again, slowly, then))
        elif isinstance(stall, Ticket):
            self.busy = True
            resumed = partial(self._resumed, again, slowly, then)
            stall.tell(partial(resources.loop.post, resumed))
        elif isinstance(stall, GiveWay):
            self.busy = True
            resources.searches.take(partial(self._resumed, again, slowly, then))
        else:
            self.slowly(slowly, then)

    def _resumed(self, again: Job, slowly: Job, then: Then) -> None:
        if self.over:  # a call that has begun is finished, and its reply is dropped
            self.slowly(slowly, then)
        else:
            self._worked(partial(_call, again), 0)

    def at_the_door(self, whose: str, job: Job, then: Then) -> None:
        """Run an authentication job in an authentication worker; each network has a line of its own."""
        self.busy = True
        self.resources.porters.submit(partial(self._at_the_door, job, then), whose)

    def _at_the_door(self, job: Job, then: Then) -> None:
        if self.over:  # the client has gone meanwhile, and other clients wait
            self.resources.loop.post(partial(self._worked, then, 0))
        else:
            self._work(job, then)

    def _work(self, job: Job, then: Then) -> None:
        reason = self.resources.outcome(job)
        self.resources.loop.post(partial(self._worked, then, reason))

    def _worked(self, then: Then, reason: int) -> None:
        self.busy = False
        if not self.over:
            then(reason)
        while self._line and not self.busy and not self.over:
            event = self._line.popleft()
            self._line_size -= len(event.payload)
            self.perform(event)
        if not self._line and not self.stream.congested:
            self.stream.resume()
        if not self.busy:
            self.rested()
            if self.over:
                self.leave()

    def end(self) -> None:
        """Take no more calls; the conversation is cleaned up once no worker has a call of it."""
        if self.over:
            return
        self.over = True
        self._line.clear()
        if not self.busy:
            self.leave()

    # Replies.

    def say(self, event: Event, address: LogAddress = NO_ADDRESS) -> None:
        """Send a reply once the log is on disk up to an address, and after all earlier replies."""
        if address > self._barrier:
            self._barrier = address
        if self._barrier:
            if self._parked or self._barrier > self._log.durable:
                self._parked += 1
                self.parked_size += DESCRIPTOR_CHARGE + len(event.payload)
                self.resources.acknowledgements.park(self._barrier, self, event)
                return
            self._barrier = NO_ADDRESS
        self._speak(event)

    def released(self, event: Event) -> None:
        """Send a reply that waited for the log."""
        self._parked -= 1
        self.parked_size -= DESCRIPTOR_CHARGE + len(event.payload)
        self._speak(event)

    def _speak(self, event: Event) -> None:
        if len(event.payload) < LONG:
            self.stream.write(self.session.send(event))
            return
        pieces = self.session.send_segments(event)
        # The first piece now: with it the message gets its place among the others.
        for piece in pieces:
            self.stream.write(piece)
            break
        self.stream.write_pieces(pieces, len(event.payload))


def _call(job: Job, _reason: int) -> None:
    job()
