"""An instance of a sending channel: from its transmission queue to the partner's address, until it ends.

INITIALIZING  the transmission queue and the record are opened, CONNAME's addresses are tried in order
BINDING       the negotiation and the resynchronisation
RUNNING       batches
STOPPING      the current batch is brought to its end
then the keeper is told how it ended
"""

import random
import socket
import time
from functools import partial
from typing import Final

from kew.channels.agents.channels import BEYOND_HEARTBEAT
from kew.channels.mca.definition import MessageChannel
from kew.channels.mca.instance import Ending, Instance, Keeper
from kew.channels.mca.offer import offer_of
from kew.channels.mca.record import SENDING, RecordOwner, SyncRecord
from kew.channels.mca.sender import BINDING, OVER, RUNNING, Limits, SendingEnd
from kew.channels.mca.services import ChannelServices
from kew.channels.mca.transmission import TransmissionQueue
from kew.channels.protocol.batch import MessageChannel as ChannelSession
from kew.channels.protocol.dialect import name
from kew.channels.protocol.lifecycle import ChannelEnded, Failed, TimedOut
from kew.channels.protocol.resync import NUMBERS_DIFFER, SETTLED
from kew.channels.protocol.sending import SenderChannel
from kew.channels.protocol.states import NEW
from kew.channels.protocol.status import SEQUENCE_ERROR, describe
from kew.channels.transport.address import AddressError
from kew.channels.transport.loop import Timer
from kew.channels.transport.tcp import Stream
from kew.channels.transport.tls import KeyProblem, outcome, server_name
from kew.codes.attributes import (
    MQCHS_BINDING,
    MQCHS_RUNNING,
    MQCHS_STOPPING,
    MQCHSSTATE_END_OF_BATCH,
    MQCHSSTATE_IN_MQGET,
    MQCHSSTATE_NET_CONNECTING,
    MQCHSSTATE_RESYNCHING,
    MQCHSSTATE_SENDING,
    MQCHSSTATE_SSL_HANDSHAKING,
    MQQA_GET_ALLOWED,
    MQUS_TRANSMISSION,
)
from kew.codes.channels import MQKAI_AUTO
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_GET_INHIBITED, MQRC_OBJECT_IN_USE, reason_name
from kew.security.peers import BadName, PeerPattern
from kew.storage.disk import DiskError
from kew.storage.log import LogError

CONNECT_SECONDS: Final = 30
JITTER: Final = 0.1  # of a retry timer, so that channels to one hub do not all come back in one moment


def _fits(pattern: str, peer: str) -> bool:
    try:
        return PeerPattern(pattern).matches(peer)
    except BadName:
        return False


class Retry:
    """A sending channel that tries again: how often it may, and when next."""

    def __init__(self, channel: MessageChannel) -> None:
        self.channel = channel
        self.short = channel.short_retries
        self.long = channel.long_retries
        self.timer: Timer | None = None
        self.started = time.time()

    def next(self) -> float:
        """The seconds to the next try; negative where there is none left."""
        if self.short > 0:
            self.short -= 1
            seconds = float(self.channel.short_timer)
        elif self.long > 0:
            self.long -= 1
            seconds = float(self.channel.long_timer)
        else:
            return -1.0
        return seconds * (1 + random.uniform(-JITTER, JITTER))


class SendingInstance(Instance):
    """One instance of an SDR, SVR or CLUSSDR channel that calls its partner."""

    def __init__(self, services: ChannelServices, channel: MessageChannel, keeper: Keeper) -> None:
        super().__init__(services, channel, channel.connection_name)
        self.owner = RecordOwner(SENDING, channel.name, channel.transmission_queue)
        self.session: SenderChannel | None = None
        self.end: SendingEnd | None = None
        self.queue: TransmissionQueue | None = None
        self.record: SyncRecord | None = None
        self.retry: Retry | None = None  # how often the channel has tried in vain
        self.enables_get = False  # START CHANNEL allows gets from the transmission queue again
        self.wants_end = ""  # the message that says why the channel is to end after its batch
        self._keeper = keeper
        self._tls_failure: Ending | None = None
        self._failure = ""  # why no address could be reached
        self._last = time.monotonic()  # when a message was moved
        self._moved = 0

    def start(self) -> None:
        """Begin; in the strand's time."""
        self.strand.kick()

    def finish(self, message: str) -> None:
        """Have the channel end after its current batch, from any thread; the message says why."""
        if not self.wants_end:
            self.wants_end = message
        self.strand.kick()

    # The connection.

    def _open(self) -> None:
        """Open the transmission queue and read the record, then connect."""
        channel, services = self.channel, self.services
        self._keeper.starting(self)
        found = services.engine.queues.by_name.get(channel.transmission_queue)
        if self.enables_get and found is not None and not found.get_allowed:
            services.administration.alter(found.name, {"GET": MQQA_GET_ALLOWED})
        if found is not None and found.definition.get("USAGE") != MQUS_TRANSMISSION:
            self._finish_with(Ending("AMQ9531E", (), (channel.name, channel.transmission_queue)))
            return
        local = services.connect_own(channel.name)
        local.connection.channel = channel.name
        try:
            queue = TransmissionQueue(local, channel.transmission_queue, self.owner, self.waker)
            queue.uses_dead_letter_queue = channel.uses_dead_letter_queue
            self.record = queue.sync.load()
        except BaseException:
            local.abandon()
            raise
        self.queue = queue
        session = SenderChannel(offer_of(services, channel), self.record.kept(queue.doubtful))
        self.session = session
        self.end = SendingEnd(
            session,
            queue,
            self.record,
            time.time(),
            Limits(channel.batch_limit, channel.batch_interval, channel.batch_heartbeat),
        )
        self.substate = MQCHSSTATE_NET_CONNECTING
        services.connectors.submit(self._connect)

    def _connect(self) -> None:
        """Try the addresses in order, in a thread that may wait."""
        tried: list[str] = []
        try:
            for host, port in self.channel.addresses():
                try:
                    endpoint = socket.create_connection(
                        (host, port), self.services.connect_timeout or CONNECT_SECONDS, self._source()
                    )
                except OSError as problem:
                    tried.append(f"{host}({port}): {problem.strerror or problem}")
                    continue
                endpoint.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.address = f"{host}({port})"
                secured = self._secured(endpoint)
                if secured is not None:
                    self.services.loop.post(partial(self._connected, secured))
                return
        except (AddressError, ValueError) as problem:
            tried.append(str(problem))
        self._failure = "; ".join(tried) or "CONNAME is blank"
        self.strand.kick()

    def _secured(self, endpoint: socket.socket) -> socket.socket | None:
        """Shake hands where the channel has an SSLCIPH; None where that came to nothing, and the strand is told."""
        channel, keys = self.channel, self.services.keys
        if not channel.cipher:
            return endpoint
        self.substate = MQCHSSTATE_SSL_HANDSHAKING
        try:
            if keys is None:
                raise KeyProblem("the queue manager has no key repository (SSLKEYR)")
            context = keys.context(channel.cipher)
            secure = context.wrap_socket(endpoint, server_hostname=server_name(channel.name) or None)
        except (KeyProblem, OSError) as problem:
            endpoint.close()
            self._tls_failure = Ending("AMQ9620E", (), (self.address, str(problem)))
            self.strand.kick()
            return None
        found = outcome(secure)
        if channel.peer and not _fits(channel.peer, found.peer):
            secure.close()
            self._tls_failure = Ending("AMQ9636E", (), (channel.name, self.address, found.peer, channel.peer))
            self.strand.kick()
            return None
        return secure

    def _source(self) -> tuple[str, int] | None:
        """The address of this side, where LOCLADDR says one."""
        local = self.channel.local_address
        if not local:
            return None
        host, _, ports = local.partition("(")
        first = ports.rstrip(")").split(",")[0]
        return host.strip(), int(first) if first else 0

    def _connected(self, endpoint: socket.socket) -> None:
        """Begin to talk, in the loop's thread."""
        if self.over:
            endpoint.close()
            return
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
        """Seconds of silence after which the system probes the partner (KAINT); 0 for never."""
        if not self.services.keep_alive:
            return 0
        channel = self.channel
        if channel.keep_alive != MQKAI_AUTO:
            return channel.keep_alive
        return channel.heartbeat + BEYOND_HEARTBEAT if channel.heartbeat else 0

    # The strand.

    def said_by(self) -> ChannelSession | None:
        """The session of the instance, once there is one."""
        return self.session

    def turn(self) -> None:
        """Do all that can be done now."""
        if self.queue is None:
            if self._cut or self.wants_end:
                self._finish_with(Ending(self.wants_end or "AMQ9528I", (), (self.channel.name,), error=False))
                return
            self._open()
            return
        end, session = self.end, self.session
        assert end is not None
        assert session is not None
        if self._failure:
            self._finish_with(Ending("AMQ9202E", (), (self.channel.name, self._failure)))
            return
        if self._tls_failure is not None:
            self._finish_with(self._tls_failure)
            return
        if self._cut:
            end.lost()
            self._finish_with(Ending(self._cut, (), (self.channel.name,), error=False))
            return
        if self.stream is None:
            return
        if session.state == NEW:
            self.services.loop.post(partial(self._write, session.start(), False))
        for data in self.take_arrived():
            end.received(session.receive(data))
        now = time.monotonic()
        end.received(session.tick(now))
        self._settle_limits()
        if self.wants_end:
            end.finish()
            self.status = MQCHS_STOPPING
        if not self._blocked or end.state == BINDING:
            end.run(time.time())
        if self._gone and end.state != OVER:
            end.lost()
        self._look(end, session, now)
        self.say(end.more)
        if end.state == OVER:
            self._finish_with(self._ending())
        elif self.channel.disconnect and end.idle and now - self._last >= self.channel.disconnect:
            self.finish("AMQ9545I")
        else:
            self._sleep(end, now)

    def _settle_limits(self) -> None:
        """Tell the transmission queue what both ends have agreed to."""
        session, queue = self.session, self.queue
        if session is not None and queue is not None and session.established and not queue.longest:
            queue.fast = session.fast
            queue.longest = session.longest
            offer = session.agreed
            self.partner = name(offer.queue_manager) if offer is not None else ""

    def _look(self, end: SendingEnd, session: SenderChannel, now: float) -> None:
        """Bring what is shown of the instance up to date."""
        if end.messages != self._moved:
            self._moved = end.messages
            self._last = now
            self.last_message = time.time()
        if end.state != RUNNING:
            self.substate = MQCHSSTATE_RESYNCHING
            return
        if self.status == MQCHS_BINDING:
            self.status = MQCHS_RUNNING
            self._last = now
            self._keeper.began(self)
        if end.unsettled:
            self.substate = MQCHSSTATE_END_OF_BATCH
        else:
            self.substate = MQCHSSTATE_IN_MQGET if end.idle else MQCHSSTATE_SENDING

    def _sleep(self, end: SendingEnd, now: float) -> None:
        when = now + self.tick()
        wake = end.wake_at()
        if wake:
            when = min(when, now + max(wake - time.time(), 0.0))
        if self.channel.disconnect and end.idle:
            when = min(when, self._last + self.channel.disconnect)
        self.wake_at(when)

    # The end.

    def _ending(self) -> Ending:
        """Why the connection is over."""
        end, channel = self.end, self.channel
        assert end is not None
        assert self.session is not None
        if self.wants_end and end.ended is None and not self._gone:
            return Ending(self.wants_end, (), (channel.name,), error=False)
        verdict = end.verdict
        if verdict is not None and verdict.cause != SETTLED:
            if verdict.cause == NUMBERS_DIFFER:
                return Ending("AMQ9526E", (self.session.number + 1, verdict.expected + 1), (channel.name, self.partner))
            return Ending("AMQ9507E", (), (channel.name, self.partner))
        ended = end.ended
        if isinstance(ended, ChannelEnded):
            if not ended.code:
                return Ending("AMQ9001I", (), (channel.name,), error=False)
            if ended.code == SEQUENCE_ERROR:
                return Ending("AMQ9526E", (self.session.number + 1, ended.value), (channel.name, self.partner))
            return Ending("AMQ9999E", (ended.code,), (channel.name, self.address, describe(ended.code)))
        if isinstance(ended, Failed):
            return Ending("AMQ9504E", (ended.error.status,), (channel.name, self.address, str(ended.error)))
        if isinstance(ended, TimedOut):
            return Ending("AMQ9259E", (), (channel.name, self.address, ended.what))
        if end.finishing and not self._gone:
            return Ending("AMQ9001I", (), (channel.name,), error=False)
        return Ending("AMQ9209E", (), (self.address, channel.name))

    def failed(self, problem: Exception) -> None:
        """End the instance: a call has failed."""
        end = self.end
        if end is not None and end.state != OVER:
            end.state = OVER
        name_ = self.channel.name
        if isinstance(problem, MQError):
            if problem.reason == MQRC_OBJECT_IN_USE and self.queue is None:
                ending = Ending("AMQ9514E", (), (name_, self.channel.transmission_queue))
            elif problem.reason == MQRC_GET_INHIBITED:
                ending = Ending("AMQ9549E", (), (name_, self.channel.transmission_queue))
            else:
                queue = self.channel.transmission_queue
                ending = Ending("AMQ9510E", (problem.reason,), (name_, queue, reason_name(problem.reason)))
        elif isinstance(problem, LogError | DiskError):
            ending = Ending("AMQ9510E", (0,), (name_, self.channel.transmission_queue, str(problem)))
        else:
            self.services.trouble(problem)
            ending = Ending("AMQ9510E", (0,), (name_, self.channel.transmission_queue, str(problem)))
        self._finish_with(ending)

    def _finish_with(self, ending: Ending) -> None:
        self.over = True
        self.say()
        self.close_socket()
        left = 0
        if self.queue is not None:
            left = self.queue.close()
        self._keeper.ended(self, ending, left)
