"""An instance of a receiving channel: a partner has called, and has named the channel.

INITIALIZING  the channel, its security and the partner are checked; an instance of the same partner whose link
              has died is ended first, so that its unit of work is backed out before this one states its record
RUNNING       batches are put to queues
PAUSED        a queue is full or inhibited: its message is tried again
STOPPING      the sending end is asked to end the channel
"""

import time
from functools import partial
from typing import Final

from kew.channels.mca.calling import Ending
from kew.channels.mca.definition import RECEIVING_TYPES, MessageChannel
from kew.channels.mca.delivery import TargetQueues
from kew.channels.mca.instance import Instance
from kew.channels.mca.keeper import REFUSED, WAITS, Keeper
from kew.channels.mca.offer import request_of, terms_of
from kew.channels.mca.receiver import ReceivingEnd
from kew.channels.mca.record import RECEIVING, RecordOwner, SyncRecord
from kew.channels.mca.services import ChannelServices
from kew.channels.mca.syncqueue import SyncQueue
from kew.channels.protocol.batch import MessageChannel as ChannelSession
from kew.channels.protocol.dialect import name
from kew.channels.protocol.events import Event
from kew.channels.protocol.lifecycle import ChannelEnded, ChannelRequested, ChannelStarted, Failed, TimedOut
from kew.channels.protocol.negotiate import InitialData
from kew.channels.protocol.receiving import CallbackPromised, ReceiverChannel
from kew.channels.protocol.states import NEW
from kew.channels.protocol.status import (
    CANNOT_STORE,
    CHANNEL_UNAVAILABLE,
    CHANNEL_WRONG_TYPE,
    QUEUE_MANAGER_TERMINATING,
    SECURITY_FAILURE,
    describe,
)
from kew.channels.transport.tcp import Stream
from kew.codes.attributes import (
    MQCHS_BINDING,
    MQCHS_PAUSED,
    MQCHS_REQUESTING,
    MQCHS_RUNNING,
    MQCHS_STOPPING,
    MQCHSSTATE_IN_MQPUT,
    MQCHSSTATE_RECEIVING,
)
from kew.codes.errors import MQError
from kew.codes.reasons import reason_name
from kew.security.admission import ConnectionAttempt
from kew.storage.disk import DiskError
from kew.storage.log import LogError

APPLICATION: Final = "kew receiver"
CALLBACK_SECONDS: Final = 60.0  # in which a sender that was requested must call


class ReceivingInstance(Instance):
    """One instance of an RCVR or CLUSRCVR channel."""

    def __init__(
        self,
        services: ChannelServices,
        channel: MessageChannel,
        keeper: Keeper,
        stream: Stream | None = None,
        address: str = "",
    ) -> None:
        super().__init__(services, channel, address or channel.connection_name)
        if stream is not None:
            self.attach(stream)
        self.user = ""
        self.owner: RecordOwner | None = None
        self.identifier = ""  # QMID of the partner
        self.end: ReceivingEnd | None = None
        self.targets: TargetQueues | None = None
        self.record: SyncRecord | None = None
        self.session = ReceiverChannel(offer=request_of(services, channel) if stream is None else None)
        self.refused_because = ""  # an earlier instance of the same partner stays
        self._keeper = keeper
        self._called = False
        self._offer: InitialData | None = None  # of the partner, or its answer to ours
        self._waits = False  # for an earlier instance of the same partner to end
        self._quiescing = False
        self._retry_at = 0.0
        self._moved = 0
        self._refusal: Ending | None = None

    def start(self) -> None:
        """Begin: the strand of a requester calls the partner."""
        self.strand.kick()

    def finish(self) -> None:
        """Ask the sending end to end the channel after its batch, from any thread."""
        self.stopping = True
        self.strand.kick()

    def quiesce(self) -> None:
        """End the channel once no batch is open, from any thread: the queue manager is about to end."""
        self._quiescing = True
        self.strand.kick()

    def go_on(self) -> None:
        """Continue: the earlier instance of the same partner has ended."""
        self._waits = False
        self.strand.kick()

    # The strand.

    def said_by(self) -> ChannelSession | None:
        """Give the session of the instance."""
        return self.session

    def turn(self) -> None:
        """Do all work that is possible now."""
        if self._waits:
            if self._gone or self._cut:
                self._finish_with(Ending("AMQ9209E", (), (self.address, self.channel.name)))
            return
        session, end = self.session, self.end
        if self.stream is None:
            self._call_first()
            return
        if self.status == MQCHS_REQUESTING:
            self._wait_for_callback()
            return
        if session.offer is not None and session.state == NEW:
            self.services.loop.post(partial(self._write, session.start(), False))
        if self._offer is not None and end is None:
            self._begin(self._offer)
            end = self.end
        gone = self._gone != ""  # before the last bytes are taken
        for data in self.take_arrived():
            self._take(session.receive(data))
            end = self.end
            if self._waits:
                return
        now = time.monotonic()
        self._take(session.tick(now))
        if end is not None:
            if self.stopping and not session.closing and self.status != MQCHS_STOPPING:
                end.finish()
                self.status = MQCHS_STOPPING
            if self._cut and not end.over:
                session.end(self._code)
                end.lost()
            if now >= self._retry_at:
                end.run()
            if self._quiescing and end.settled and not end.over:
                self._cut = "AMQ9001I"
                session.end(QUEUE_MANAGER_TERMINATING)
                end.lost()
            if gone and not end.over:
                end.lost()
            self._look(end, now)
        self.say()
        if self._refusal is not None:
            self._finish_with(self._refusal)
        elif end is not None and end.over:
            self._finish_with(self._ending(end))
        elif gone or self._cut:
            self._finish_with(Ending("AMQ9209E", (), (self.address, self.channel.name)))
        else:
            when = now + self.tick()
            self.wake_at(min(when, self._retry_at) if self._retry_at > now else when)

    def _call_first(self) -> None:
        """Call the partner, as a requester does."""
        if self.call_failure is not None:
            self._finish_with(self.call_failure)
        elif self._cut or self.stopping:
            self._finish_with(Ending(self._cut or "AMQ9528I", (), (self.channel.name,), error=False))
        elif not self._called:
            self._called = True
            self.call()

    def _wait_for_callback(self) -> None:
        """Wait until the partner calls back; another instance takes that call."""
        now = time.monotonic()
        if self._cut or self.stopping:
            self._finish_with(Ending(self._cut or "AMQ9528I", (), (self.channel.name,), error=False))
        elif now >= self._retry_at:
            self._finish_with(Ending("AMQ9259E", (), (self.channel.name, self.address, "the call of the sender")))
        else:
            self.wake_at(self._retry_at)

    def _take(self, events: list[Event]) -> None:
        passed: list[Event] = []
        for event in events:
            if isinstance(event, ChannelRequested):
                self._offer = event.offer
                self._begin(event.offer)
            elif isinstance(event, CallbackPromised):
                self.status = MQCHS_REQUESTING
                self._retry_at = time.monotonic() + CALLBACK_SECONDS
                self.wake_at(self._retry_at)
            elif isinstance(event, ChannelStarted):
                if self._called:
                    self._offer = event.agreed
                    self._begin(event.agreed)
                self._started()
            elif self.end is not None:
                passed.append(event)
            elif isinstance(event, Failed):
                self._refusal = Ending(
                    "AMQ9504E", (event.error.status,), (self.channel.name, self.address, str(event.error))
                )
            elif isinstance(event, TimedOut):
                self._refusal = Ending("AMQ9259E", (), (self.channel.name, self.address, event.what))
            elif isinstance(event, ChannelEnded):
                self._refusal = self._ended(event)
        if passed and self.end is not None:
            self.end.received(passed)

    # Coming in.

    def _begin(self, offer: InitialData) -> None:
        """Admit the partner, and answer its offer once no earlier instance of that partner is left."""
        channel, services = self.channel, self.services
        self.partner = name(offer.queue_manager)
        self.identifier = name(offer.queue_manager_id) or self.partner
        self.owner = RecordOwner(RECEIVING, channel.name, self.identifier, self.partner)
        if channel.kind not in RECEIVING_TYPES:
            self._refuse(CHANNEL_WRONG_TYPE, Ending("AMQ9547E", (), (channel.name, self.address, channel.kind)))
            return
        stream = self.stream
        assert stream is not None
        secured = stream.secured
        peer, issuer = (secured.peer, secured.issuer) if secured is not None else ("", "")
        host = self.address.partition("(")[0]
        arrival = ConnectionAttempt(channel.name, host, "", None, peer, issuer, self.partner)
        try:
            self.user = services.doorkeeper.admit(arrival)
        except MQError:
            self._refuse(SECURITY_FAILURE, Ending("AMQ9777E", (), (channel.name, host)))
            return
        entrance = self._keeper.entering(self)
        self._waits = entrance == WAITS
        if entrance == REFUSED:
            self._refuse(
                CHANNEL_UNAVAILABLE, Ending("CSQX906E", (), (channel.name, self.partner, host, self.refused_because))
            )
        elif not self._waits:
            self._answer()

    def _answer(self) -> None:
        """Open the queues, state the record and answer the partner's offer."""
        channel, services, session = self.channel, self.services, self.session
        local = services.connect_as(self.user, channel.name, self.address, APPLICATION)
        own = services.connect_own(channel.name)
        own.connection.channel = channel.name
        assert self.owner is not None
        sync = SyncQueue(own, self.owner)
        targets = TargetQueues(channel, local, own, sync, self.waker)
        self.targets = targets
        self.record = sync.load()
        services.engine.log.force(services.engine.log.next_address)
        self.end = ReceivingEnd(session, targets, self.record)
        if self.status != MQCHS_RUNNING:
            self.status = MQCHS_BINDING
        if self.stream is not None and not self._called:
            self.services.loop.post(partial(self.stream.keep_alive, self._probes_after()))
        self.end.received(session.keep(self.record.kept()))
        if not self._called:
            data, events = session.accept(terms_of(services, channel))
            services.loop.post(partial(self._write, data, False))
            self._take(events)

    def _refuse(self, code: int, ending: Ending) -> None:
        self.session.end(code)
        self.say()
        self._refusal = ending

    def _started(self) -> None:
        self.session.silence = self.services.settings.silence(self.session.heartbeat)
        self.status = MQCHS_RUNNING
        self.substate = MQCHSSTATE_RECEIVING
        self._keeper.began(self)

    def _look(self, end: ReceivingEnd, now: float) -> None:
        """Update the displayed state of the instance, and set the time at which a paused put is tried again."""
        if end.messages != self._moved:
            self._moved = end.messages
            self.last_message = time.time()
        if end.paused:
            if self.status != MQCHS_STOPPING:
                self.status = MQCHS_PAUSED
            self.substate = MQCHSSTATE_IN_MQPUT
            if self._retry_at <= now:
                self._retry_at = now + max(self.channel.retry_interval, 0.001)
        elif self.status == MQCHS_PAUSED:
            self.status = MQCHS_RUNNING
            self.substate = MQCHSSTATE_RECEIVING
            self._retry_at = 0.0

    # The end.

    def _ending(self, end: ReceivingEnd) -> Ending:
        channel, ended = self.channel, end.ended
        targets = self.targets
        if end.failure:
            reason = targets.reason if targets is not None else 0
            target = targets.target if targets is not None else ""
            return Ending("AMQ9565E", (reason,), (channel.name, target, reason_name(reason)))
        if isinstance(ended, ChannelEnded):
            return self._ended(ended)
        if isinstance(ended, Failed):
            return Ending("AMQ9504E", (ended.error.status,), (channel.name, self.address, str(ended.error)))
        if isinstance(ended, TimedOut):
            return Ending("AMQ9259E", (), (channel.name, self.address, ended.what))
        if self._cut:
            return Ending(self._cut, (), (channel.name,), error=False)
        return Ending("AMQ9209E", (), (self.address, channel.name))

    def _ended(self, event: ChannelEnded) -> Ending:
        if not event.code:
            return Ending("AMQ9001I", (), (self.channel.name,), error=False)
        return Ending("AMQ9999E", (event.code,), (self.channel.name, self.address, describe(event.code)))

    def failed(self, problem: Exception) -> None:
        """End the instance, whose work has raised an exception."""
        name_ = self.channel.name
        self.session.end(CANNOT_STORE)
        self.say()
        if isinstance(problem, MQError):
            ending = Ending("AMQ9511E", (problem.reason,), (name_, str(problem)))
        else:
            if not isinstance(problem, LogError | DiskError):
                self.services.trouble(problem)
            ending = Ending("AMQ9511E", (0,), (name_, str(problem)))
        self._finish_with(ending)

    def _finish_with(self, ending: Ending) -> None:
        self.over = True
        self.close_socket()
        if self.targets is not None:
            self.targets.close()
        self._keeper.ended(self, ending, 0)
