"""One instance of a message channel: a socket, a session, and the end of the channel behind it.

The event loop only moves bytes: received bytes are queued and the strand of the instance is woken; output is posted to
the loop. Only the strand uses the session and the end. Queued bytes are counted, so that a partner that sends faster
than its messages are put, or that does not read, costs bounded memory.
"""

import socket
import time
from abc import abstractmethod
from collections import deque
from functools import partial
from typing import Final

from kew.channels.agents.channels import BEYOND_HEARTBEAT
from kew.channels.mca.calling import CallFailed, Ending, connect
from kew.channels.mca.definition import MessageChannel
from kew.channels.mca.services import ChannelServices
from kew.channels.mca.strand import Strand
from kew.channels.mca.waker import Waker
from kew.channels.protocol.batch import MessageChannel as ChannelSession
from kew.channels.transport.address import AddressError
from kew.channels.transport.loop import Timer
from kew.channels.transport.tcp import Receiver, Stream
from kew.codes.attributes import MQCHS_BINDING, MQCHS_INITIALIZING, MQCHSSTATE_NET_CONNECTING, MQCHSSTATE_OTHER
from kew.codes.channels import MQKAI_AUTO

MOST_UNREAD: Final = 1 << 20  # bytes that wait for the strand, from which on nothing more is read
LAST_WORDS: Final = 10.0  # seconds in which the other side must read the last bytes
TICKS: Final = 10  # in a heartbeat interval, so that a heartbeat is late by a tenth at most
SHORTEST_TICK: Final = 1.0
LONGEST_TICK: Final = 30.0


class Instance(Receiver):
    """The part that both ends of a message channel share."""

    def __init__(self, services: ChannelServices, channel: MessageChannel, address: str) -> None:
        self.services = services
        self.channel = channel
        self.address = address  # of the partner: host(port) at a sending end, the host alone at a receiving end
        self.local_address = ""
        self.partner = ""  # the name of the queue manager there
        self.started = time.time()
        self.last_message = 0.0
        self.status = MQCHS_INITIALIZING
        self.substate = MQCHSSTATE_OTHER
        self.stopping = False  # STOP CHANNEL has asked for the end
        self.over = False
        self.reads = 0
        self.stream: Stream | None = None
        self.strand = Strand(services.workers, self._work)
        self.waker = Waker(services.loop, services.line, self.strand.kick)
        self.call_failure: Ending | None = None  # why no partner was reached
        self._arrived: deque[bytes] = deque()
        self._unread = 0  # bytes of them
        self._paused = False  # nothing is read for now
        self._blocked = False  # the partner does not read
        self._gone = ""  # why the socket is gone
        self._cut = ""  # why this side wants the socket gone
        self._code = 0  # that tells the partner so
        self._timer: Timer | None = None
        self._timer_at = 0.0
        self._next_address = 0  # of CONNAME, tried if the partner that was reached does not do

    @property
    def monitoring(self) -> int:
        """The level of online monitoring in force (MONCHL)."""
        return self.services.settings.level("MONCHL", self.channel.monitoring)

    @property
    def statistics(self) -> int:
        """The level of statistics in force (STATCHL)."""
        return self.services.settings.level("STATCHL", self.channel.statistics)

    # The call of this side.

    def call(self) -> None:
        """Call the partner; the strand is woken when the call has succeeded or failed."""
        self.substate = MQCHSSTATE_NET_CONNECTING
        self.services.connectors.submit(self._call)

    def _call(self) -> None:
        """Connect, in a thread that may wait."""
        try:
            called = connect(self.services, self.channel, self._next_address)
        except CallFailed as failed:
            self.call_failure = failed.ending
            self.strand.kick()
            return
        self._next_address = called.following
        self.services.loop.post(partial(self._connected, called.endpoint, called.address))

    def may_call_another(self) -> bool:
        """Say whether CONNAME has an untried address."""
        try:
            return 0 < self._next_address < len(self.channel.addresses())
        except AddressError:
            return False

    def call_another(self) -> None:
        """Disconnect from the partner that was reached, and call the next address; in the strand."""
        self.services.loop.post(partial(self._leave, self.stream))
        self.stream = None
        self.status = MQCHS_INITIALIZING

    def _leave(self, stream: Stream | None) -> None:
        """Disconnect from a partner and call the next address, in the loop's thread."""
        if stream is not None:
            stream.receiver = None
            stream.close()
        self._arrived.clear()
        self._unread = 0
        self._paused = self._blocked = False
        self._gone = ""
        self.call()

    def _connected(self, endpoint: socket.socket, address: str) -> None:
        """Begin the session, in the loop's thread."""
        if self.over:
            endpoint.close()
            return
        self.address = address
        stream = Stream(self.services.loop, endpoint)
        keys = self.services.keys
        if keys is not None and stream.secured is not None:
            stream.renew_after = keys.renew_after
        stream.keep_alive(self._probes_after())
        self.attach(stream)
        stream.open(self)
        self.status = MQCHS_BINDING
        self.strand.kick()

    def _probes_after(self) -> int:
        """Give the seconds of silence after which TCP probes the partner (KAINT); 0 for never."""
        if not self.services.settings.keep_alive:
            return 0
        channel = self.channel
        if channel.keep_alive != MQKAI_AUTO:
            return channel.keep_alive
        return channel.heartbeat + BEYOND_HEARTBEAT if channel.heartbeat else 0

    # In the loop's thread.

    def received(self, data: bytes) -> None:
        """Queue received bytes for the strand."""
        self.reads += 1
        self._arrived.append(data)
        self._unread += len(data)
        if self._unread >= MOST_UNREAD and self.stream is not None:
            self._paused = True
            self.stream.pause()
        self.strand.kick()

    def relieved(self) -> None:
        """Continue: the partner reads again."""
        if self._blocked:
            self._blocked = False
            self.strand.kick()

    def lost(self, why: str) -> None:
        """Note that the socket is closed, and wake the strand."""
        self._gone = why
        self.strand.kick()

    def attach(self, stream: Stream) -> None:
        """Take over a socket that is open."""
        self.stream = stream
        found = stream.endpoint.getsockname()
        self.local_address = f"{found[0]}({found[1]})"

    def _write(self, data: bytes, more: bool) -> None:
        stream = self.stream
        if stream is None:
            return
        stream.write(data)
        if stream.congested:
            self._blocked = True
        elif more:
            self.strand.kick()

    def _resume(self) -> None:
        if self._paused and self.stream is not None:
            self._paused = False
            self.stream.resume()

    def _finish(self) -> None:
        """Send the remaining bytes, and close."""
        stream = self.stream
        if stream is not None and not stream.closed:
            stream.finish()
            self.services.loop.later(LAST_WORDS, stream.close)

    def _set_timer(self, when: float) -> None:
        if self._timer is not None:
            self._timer.cancelled = True
        self._timer = self.services.loop.later(max(when - self.services.loop.now, 0.0), self._ring)

    def _ring(self) -> None:
        self._timer_at = 0.0
        self.strand.kick()

    # In the strand.

    def cut(self, why: str, code: int = 0) -> None:
        """Break the connection, from any thread; `why` is the message of the reason, `code` the partner's status."""
        self._cut = why
        self._code = code
        self.strand.kick()

    def say(self, more: bool = False) -> None:
        """Post the session's output to the loop; with `more`, the strand runs again once the output is written."""
        session = self.said_by()
        data = session.take_output() if session is not None else b""
        if data or more:
            self.services.loop.post(partial(self._write, data, more))

    def take_arrived(self) -> list[bytes]:
        """Take the bytes that came since the last call."""
        taken: list[bytes] = []
        while self._arrived:
            taken.append(self._arrived.popleft())
        self._unread = 0
        if self._paused:
            self.services.loop.post(self._resume)
        return taken

    def wake_at(self, when: float) -> None:
        """Have the strand run at the latest at a time of the monotonic clock."""
        if not self._timer_at or when < self._timer_at - 0.001:
            self._timer_at = when
            self.services.loop.post(partial(self._set_timer, when))

    def tick(self) -> float:
        """Give the seconds between two checks of the clock."""
        session = self.said_by()
        if session is None or not session.established:
            return SHORTEST_TICK
        return min(max(session.heartbeat / TICKS, SHORTEST_TICK), LONGEST_TICK) if session.heartbeat else LONGEST_TICK

    def close_socket(self) -> None:
        """Close the socket once its output is written."""
        self.services.loop.post(self._finish)

    def _work(self) -> None:
        if self.over:
            return
        try:
            self.turn()
        except Exception as problem:
            try:
                self.failed(problem)
            except Exception as another:  # a mistake of ours costs one channel, not the worker
                self.services.trouble(another)

    @abstractmethod
    def said_by(self) -> ChannelSession | None:
        """Give the session of the instance; None before there is one."""

    @abstractmethod
    def turn(self) -> None:
        """Do all work that is possible now."""

    @abstractmethod
    def failed(self, problem: Exception) -> None:
        """End the instance, whose work has raised an exception."""
