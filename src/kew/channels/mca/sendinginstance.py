"""An instance of a sending channel: from its transmission queue to the partner's address, until it ends.

INITIALIZING  the transmission queue and the record are opened, CONNAME's addresses are tried in order
BINDING       the negotiation and the resynchronisation
RUNNING       batches
STOPPING      the current batch is brought to its end
then the keeper is notified of the end and its reason
"""

import random
import time
from functools import partial
from typing import Final

from kew.channels.mca.calling import Ending
from kew.channels.mca.definition import MessageChannel
from kew.channels.mca.instance import Instance
from kew.channels.mca.keeper import Keeper
from kew.channels.mca.monitor import ChannelMonitor
from kew.channels.mca.offer import offer_of, terms_of
from kew.channels.mca.record import SENDING, RecordOwner, SyncRecord
from kew.channels.mca.sender import BINDING, OVER, RUNNING, Limits, SendingEnd
from kew.channels.mca.services import ChannelServices
from kew.channels.mca.transmission import TransmissionQueue
from kew.channels.protocol.batch import MessageChannel as ChannelSession
from kew.channels.protocol.dialect import name
from kew.channels.protocol.events import Event
from kew.channels.protocol.lifecycle import ChannelEnded, ChannelRequested, Failed, TimedOut
from kew.channels.protocol.negotiate import DIST_LIST, MSG_PROP, InitialData
from kew.channels.protocol.resync import NUMBERS_DIFFER, SETTLED
from kew.channels.protocol.sending import SenderChannel
from kew.channels.protocol.states import NEW
from kew.channels.protocol.status import SECURITY_FAILURE, SEQUENCE_ERROR, describe
from kew.channels.transport.loop import Timer
from kew.channels.transport.tcp import Stream
from kew.codes.attributes import (
    MQCHS_BINDING,
    MQCHS_INITIALIZING,
    MQCHS_RUNNING,
    MQCHS_STOPPING,
    MQCHSSTATE_END_OF_BATCH,
    MQCHSSTATE_IN_MQGET,
    MQCHSSTATE_RESYNCHING,
    MQCHSSTATE_SENDING,
    MQIACF_CONV_REASON_CODE,
    MQMON_NONE,
    MQMON_OFF,
    MQQA_GET_ALLOWED,
    MQUS_TRANSMISSION,
)
from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_CHANNEL_CONV_ERROR, MQRC_GET_INHIBITED, MQRC_OBJECT_IN_USE, reason_name
from kew.formats import pcf
from kew.security.admission import ConnectionAttempt
from kew.storage.disk import DiskError
from kew.storage.log import LogError

CONNECT_SECONDS: Final = 30
JITTER: Final = 0.1  # of a retry timer, so that channels to one hub do not all come back in one moment


class Retry:
    """The retries of a sending channel: how many are left, and the timer of the next."""

    def __init__(self, channel: MessageChannel) -> None:
        self.channel = channel
        self.short = channel.short_retries
        self.long = channel.long_retries
        self.timer: Timer | None = None
        self.started = time.time()

    def next(self) -> float:
        """Give the seconds to the next retry; negative if there is none left."""
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
    """One instance of an SDR, SVR or CLUSSDR channel: it calls its partner, or a requester has called an SVR."""

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
        self.owner = RecordOwner(SENDING, channel.name, channel.transmission_queue)
        self.session: SenderChannel | None = None
        self.end: SendingEnd | None = None
        self.queue: TransmissionQueue | None = None
        self.record: SyncRecord | None = None
        self.retry: Retry | None = None  # how often the channel has tried in vain
        self.requested = stream is not None  # by a partner: the channel does not try again by itself
        self.enables_get = False  # START CHANNEL allows gets from the transmission queue again
        self.wants_end = ""  # the message that says why the channel is to end after its batch
        self._keeper = keeper
        self._last = time.monotonic()  # when a message was moved
        self._moved = 0
        self.monitor = ChannelMonitor()
        self._told_of = 0  # batches with dead letters

    def start(self) -> None:
        """Begin: wake the strand, which does the work."""
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
            name = channel.transmission_queue
            queue = TransmissionQueue(local, name, self.owner, self.waker, self._unconverted)
            queue.uses_dead_letter_queue = channel.uses_dead_letter_queue
            self.record = queue.sync.load()
        except BaseException:
            local.abandon()
            raise
        self.queue = queue
        self._begin(queue, self.record)
        if self.stream is None:
            self.call()
        else:
            self.strand.kick()  # the requester's offer has come

    def _begin(self, queue: TransmissionQueue, record: SyncRecord) -> None:
        """Make the session and the sending end of a connection."""
        channel = self.channel
        queue.longest = 0  # nothing is agreed
        offer = offer_of(self.services, channel) if self.stream is None else None
        session = SenderChannel(offer, record.kept(queue.doubtful))
        self.session = session
        self.end = SendingEnd(
            session,
            queue,
            record,
            time.time(),
            Limits(channel.batch_limit, channel.batch_interval, channel.batch_heartbeat),
        )

    # The strand.

    def said_by(self) -> ChannelSession | None:
        """Give the session of the instance; None before there is one."""
        return self.session

    def turn(self) -> None:
        """Do all work that is possible now."""
        if self.queue is None:
            if self._cut or self.wants_end:
                self._finish_with(Ending(self.wants_end or "AMQ9528I", (), (self.channel.name,), error=False))
                return
            self._open()
            return
        end, session = self.end, self.session
        assert end is not None
        assert session is not None
        if self.call_failure is not None:
            self._finish_with(self.call_failure)
            return
        if self._cut:
            end.lost()
            self._finish_with(Ending(self._cut, (), (self.channel.name,), error=False))
            return
        if self.stream is None:
            if self.wants_end:
                self._finish_with(Ending(self.wants_end, (), (self.channel.name,), error=False))
            return
        if session.offer is not None and session.state == NEW:
            self._last = time.monotonic()
            self.services.loop.post(partial(self._write, session.start(), False))
        gone = self._gone != ""  # now, and not once the partner has answered what this turn says
        for data in self.take_arrived():
            end.received(self._requested(session.receive(data)))
        if self.call_failure is not None:
            self._finish_with(self.call_failure)
            return
        now = time.monotonic()
        end.received(session.tick(now))
        self._settle_limits()
        if self.wants_end:
            end.finish()
            self.status = MQCHS_STOPPING
        if not self._blocked or end.state == BINDING:
            end.run(time.time())
        if gone and end.state != OVER:
            end.lost()
        self._look(end, session, now)
        self.say(end.more)
        if end.state == OVER:
            ending = self._ending(gone)
            if self._another(ending, end):
                return
            self._finish_with(ending)
        elif self.channel.disconnect and end.idle and now - self._last >= self.channel.disconnect:
            self.finish("AMQ9545I")
        else:
            self._sleep(end, now)

    def _requested(self, events: list[Event]) -> list[Event]:
        """Answer the offer of a requester that has called; gives the other events."""
        session, channel = self.session, self.channel
        assert session is not None
        left: list[Event] = []
        for event in events:
            if not isinstance(event, ChannelRequested):
                left.append(event)
                continue
            self.partner = name(event.offer.queue_manager)
            stream = self.stream
            secured = stream.secured if stream is not None else None
            peer, issuer = (secured.peer, secured.issuer) if secured is not None else ("", "")
            arrival = ConnectionAttempt(channel.name, self.address, "", None, peer, issuer, self.partner)
            try:
                self.services.doorkeeper.admit(arrival)
            except MQError:
                session.end(SECURITY_FAILURE)
                self.call_failure = Ending("AMQ9777E", (), (channel.name, self.address))
                return []
            data, more = session.accept(terms_of(self.services, channel))
            self.services.loop.post(partial(self._write, data, False))
            left += more
        return left

    def _settle_limits(self) -> None:
        """Set the limits that both ends agreed on for the transmission queue."""
        session, queue = self.session, self.queue
        if session is not None and queue is not None and session.established and not queue.longest:
            queue.fast = session.fast
            queue.longest = session.longest
            session.silence = self.services.settings.silence(session.heartbeat)
            other = session.agreed if session.offer is None or session.reply is None else session.offer
            self.partner = name(other.queue_manager) if other is not None else ""
            queue.sync.owner.partner = self.partner
            if other is not None:
                self._suit(queue, session, other)

    def _suit(self, queue: TransmissionQueue, session: SenderChannel, other: InitialData) -> None:
        """Set the abilities of the partner for the transmission queue."""
        outward, channel = queue.outward, self.channel
        outward.takes_lists = other.capabilities2 & DIST_LIST != 0
        outward.takes_properties = other.capabilities3 & MSG_PROP != 0
        outward.property_control = channel.property_control
        outward.converts = channel.converts
        outward.ccsid, outward.encoding = other.ccsid, session.peer.encoding

    def _unconverted(self, reason: int) -> None:
        """Report that a message could not be converted for the partner."""
        channel = self.channel
        queue = channel.transmission_queue
        self.services.notices.tell("AMQ9541E", (reason,), (channel.name, queue, reason_name(reason)))
        more = [pcf.Integer(MQIACF_CONV_REASON_CODE, reason)]
        self.services.engine.events.channel(MQRC_CHANNEL_CONV_ERROR, channel.name, None, self.address, queue, more)

    def _look(self, end: SendingEnd, session: SenderChannel, now: float) -> None:
        """Update the displayed state of the instance."""
        watched = self.monitoring not in (MQMON_OFF, MQMON_NONE)
        end.monitor = self.monitor if watched else None
        if self.queue is not None:
            self.queue.monitor = end.monitor
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
        if self.retry is not None and (end.idle or end.batches):
            self.retry = None  # the channel does its work again, so that the next failure has all its tries
        if end.dead_letter_batches != self._told_of:
            self._told_of = end.dead_letter_batches
            self.services.notices.tell("AMQ9544W", (), (self.channel.name, self.partner))
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

    def _another(self, ending: Ending, end: SendingEnd) -> bool:
        """Call the next address of CONNAME if the partner did not start the channel; say whether there is one."""
        queue, record = self.queue, self.record
        verdict = end.verdict
        if not ending.error or self.requested or self.status not in (MQCHS_INITIALIZING, MQCHS_BINDING):
            return False
        if self._cut or self.wants_end or verdict is not None or queue is None or record is None:
            return False
        if not self.may_call_another():
            return False
        self.services.notices.tell(ending.message, ending.arith, ending.texts)
        self.say()
        self.call_another()
        self._begin(queue, record)
        return True

    # The end.

    def _ending(self, gone: bool) -> Ending:
        """Give the reason why the connection is over."""
        end, channel = self.end, self.channel
        assert end is not None
        assert self.session is not None
        if self.wants_end and end.ended is None and not gone:
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
        if end.finishing and not gone:
            return Ending("AMQ9001I", (), (channel.name,), error=False)
        return Ending("AMQ9209E", (), (self.address, channel.name))

    def failed(self, problem: Exception) -> None:
        """End the instance, whose work has raised an exception."""
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
