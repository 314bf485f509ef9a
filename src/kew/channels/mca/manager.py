"""All message channels of a queue manager: running, retrying, stopped.

    INACTIVE --start, trigger--> an instance --ended well--> INACTIVE, or another instance if messages are left
                             --> STARTING, where as many channels as ACTCHL are active, until one of them has ended
                                 an instance --failed-->     RETRYING --timer--> an instance
                                 SHORTRTY and LONGRTY used up --> STOPPED
    STOP CHANNEL ends an instance or a wait; the channel is STOPPED until START CHANNEL, or INACTIVE with
    STATUS(INACTIVE), the default where the command names a partner

Methods are called from any thread. One lock guards the tables, and no thread waits while it holds that lock.
"""

import threading
import time
from collections import deque
from functools import partial
from typing import Final

from kew.channels.agents.channels import Channels
from kew.channels.agents.messagechannels import MessageChannelAcceptor
from kew.channels.control import MessageChannelState
from kew.channels.mca.adoption import Adoptions
from kew.channels.mca.calling import Ending
from kew.channels.mca.definition import MESSAGE_TYPES, RECEIVING_TYPES, SENDING_TYPES, MessageChannel
from kew.channels.mca.instance import Instance
from kew.channels.mca.keeper import ENTERS, REFUSED, WAITS, Keeper
from kew.channels.mca.receivinginstance import ReceivingInstance
from kew.channels.mca.remembered import STOPPED, WANTED, RememberedStates
from kew.channels.mca.sendinginstance import Retry, SendingInstance
from kew.channels.mca.services import ChannelServices
from kew.channels.mca.states import receiving_state, retrying_state, saved_state, sending_state, starting_state
from kew.channels.mca.syncqueue import SyncQueue, all_records
from kew.channels.protocol.dialect import SERVER_DIALECT
from kew.channels.protocol.segments import (
    FORM_PLAIN,
    HEADER_SIZES,
    NO_UNIT,
    REQUEST_ACCEPTED,
    STATUS_DATA,
    encode_header,
)
from kew.channels.protocol.status import (
    CHANNEL_UNAVAILABLE,
    CHANNEL_WRONG_TYPE,
    QUEUE_MANAGER_TERMINATING,
    USER_CLOSED,
)
from kew.channels.transport.tcp import Stream
from kew.codes.attributes import (
    MQCHS_REQUESTING,
    MQQA_GET_INHIBITED,
    MQRQ_CHANNEL_STOPPED_DISABLED,
    MQRQ_CHANNEL_STOPPED_ERROR,
    MQRQ_CHANNEL_STOPPED_OK,
    MQRQ_CHANNEL_STOPPED_RETRY,
)
from kew.codes.errors import MQError
from kew.codes.reasons import (
    MQRC_CHANNEL_ACTIVATED,
    MQRC_CHANNEL_NOT_ACTIVATED,
    MQRC_CHANNEL_STARTED,
    MQRC_CHANNEL_STOPPED,
    MQRC_OBJECT_DAMAGED,
)
from kew.objects.catalogue import Record

STOPPED_MESSAGE: Final = "AMQ9528I"
CLOSE_SECONDS: Final = 10.0


class ChannelActive(Exception):
    """The channel runs already, or waits to run."""


class ChannelLimit(Exception):
    """The limit on current channels is reached."""


class Starting:
    """A sending channel that waits until one more channel may be active."""

    def __init__(self, channel: MessageChannel, retry: Retry | None, enables_get: bool) -> None:
        self.channel = channel
        self.retry = retry
        self.enables_get = enables_get


class MessageChannels(Keeper, MessageChannelAcceptor):
    """The message channels of a queue manager."""

    def __init__(self, services: ChannelServices, channels: Channels) -> None:
        self.services = services
        self.sending: dict[str, SendingInstance] = {}
        self.receiving: dict[ReceivingInstance, None] = {}
        self.retries: dict[str, Retry] = {}
        self.most_ended = 0  # instances whose last state is kept for records
        self._ended: deque[tuple[MessageChannelState, float]] = deque()
        self.held: dict[str, Starting] = {}  # channels that wait for others to end, in the order of their starts
        self._channels = channels
        self._remembered = RememberedStates(services)
        self._waiting: dict[bytes, list[ReceivingInstance]] = {}  # for an earlier instance of the same partner to end
        self._lock = threading.RLock()
        self._adoptions = Adoptions(services.settings)
        self._closed = False

    def keep_ended(self, most: int) -> None:
        """Keep the final state of up to so many instances that end; 0 keeps none."""
        self.most_ended = most

    def definition(self, name: str) -> MessageChannel | None:
        """Give the definition of a message channel; None if there is none."""
        record = self._channels.find(name)
        return MessageChannel(record) if record is not None and record.kind in MESSAGE_TYPES else None

    # Starting.

    def open(self) -> None:
        """Restore stopped channels, and start those that ran or retried when the queue manager ended."""
        try:
            states = self._remembered.load()
        except MQError as problem:
            if problem.reason != MQRC_OBJECT_DAMAGED:
                raise
            return  # the page set of SYSTEM.CHANNEL.SYNCQ is set aside, which was reported; the rest starts
        for name, state in states.items():
            if self._channels.find(name) is None:
                self._remembered.forget(name)
            elif state == STOPPED:
                self._channels.stopped.add(name)
            else:
                with self._lock:
                    self._try(name, None)

    def start(self, record: Record) -> None:
        """START CHANNEL: allow the use of a stopped channel again, and start the channel if it calls its partner."""
        channel = MessageChannel(record)
        self._channels.stopped.discard(channel.name)
        if channel.kind == "RQSTR":
            self._remembered.forget(channel.name)
            self._request(channel)
            return
        if channel.kind in RECEIVING_TYPES or not channel.connection_name:
            self._remembered.forget(channel.name)
            return
        with self._lock:
            self._forget_retry(channel.name)
            self._begin(channel, None, enables_get=True)

    def forget(self, name: str) -> None:
        """Forget a channel whose definition is deleted, with its synchronisation records."""
        self._remembered.forget(name)
        local = self.services.connect_own("kew channel command")
        try:
            for owner, _ in all_records(local):
                if owner.channel == name:
                    SyncQueue(local, owner).remove_all()
        finally:
            local.abandon()

    def trigger(self, name: str, queue: str) -> None:
        """Start the channel that a trigger message names, or the first that serves the transmission queue."""
        channel = self.definition(name) if name else self._serving(queue)
        if channel is None or channel.kind not in SENDING_TYPES or channel.name in self._channels.stopped:
            return
        with self._lock:
            waits = channel.name in self.retries or channel.name in self.held
            if channel.name not in self.sending and not waits and not self._closed:
                self._begin(channel, None)

    def _serving(self, queue: str) -> MessageChannel | None:
        for record in self.services.engine.catalogue.of_family("CHANNEL"):
            if record.kind in ("SDR", "SVR") and str(record.values.get("XMITQ", "")) == queue:
                return MessageChannel(record)
        return None

    def _begin(self, channel: MessageChannel, retry: Retry | None, enables_get: bool = False) -> None:
        """Make an instance, or have the channel wait until one more may be active; under the lock."""
        if channel.name in self.sending or channel.name in self.held:
            raise ChannelActive
        self._check_limit(channel)
        most = self.services.settings.most_active
        if self._channels.total >= most:
            self.held[channel.name] = Starting(channel, retry, enables_get)
            self.services.notices.tell("AMQ9573E", (most,), (channel.name,))
            self._event(MQRC_CHANNEL_NOT_ACTIVATED, channel)
            return
        instance = SendingInstance(self.services, channel, self)
        instance.retry = retry
        instance.enables_get = enables_get
        self.sending[channel.name] = instance
        self.services.notices.tell("AMQ9002I", (), (channel.name,))
        self.services.loop.post(self._channels.joined)
        instance.start()

    def _request(self, channel: MessageChannel) -> None:
        """Have a requester call its partner."""
        with self._lock:
            if any(each.channel.name == channel.name for each in self.receiving):
                raise ChannelActive
            self._check_limit(channel)
            instance = ReceivingInstance(self.services, channel, self)
            self.receiving[instance] = None
        self.services.notices.tell("AMQ9002I", (), (channel.name,))
        self.services.loop.post(self._channels.joined)
        instance.start()

    def _check_limit(self, channel: MessageChannel) -> None:
        most = self.services.settings.most_current
        if self._channels.total + len(self.retries) + len(self.held) >= most:
            self.services.notices.tell("AMQ9513E", (most,), (channel.name, channel.connection_name))
            raise ChannelLimit

    def place_free(self) -> None:
        """Start the channel that has waited longest for another channel to end; in the loop's thread."""
        with self._lock:
            if not self.held or self._closed:
                return
            name = next(iter(self.held))
            waited = self.held.pop(name)
            channel = self.definition(name)
            if channel is None or channel.kind not in SENDING_TYPES:
                return
            self.services.notices.tell("AMQ9574I", (), (name,))
            self._event(MQRC_CHANNEL_ACTIVATED, channel)
            try:
                self._begin(channel, waited.retry, waited.enables_get)
            except (ChannelActive, ChannelLimit):
                return

    def _event(self, reason: int, channel: MessageChannel) -> None:
        self.services.engine.events.channel(
            reason, channel.name, None, channel.connection_name, channel.transmission_queue
        )

    def accept_partner(self, record: Record, stream: Stream, address: str, opening: bytes, requests: bool) -> int:
        """Accept a partner that has called and named a channel; `opening` has its first bytes. In the loop's thread."""
        channel = MessageChannel(record)
        if requests != (channel.kind in ("SDR", "SVR")):
            self.services.notices.tell("AMQ9547E", (), (channel.name, address, channel.kind))
            return CHANNEL_WRONG_TYPE
        if not requests:
            self._receive(channel, stream, address, opening)
        elif channel.kind == "SVR":
            return self._serve(channel, stream, address, opening)
        else:
            return self._call_back(channel, stream, address)
        return 0

    def _receive(self, channel: MessageChannel, stream: Stream, address: str, opening: bytes) -> None:
        """Begin an instance for a sender that has called."""
        instance = ReceivingInstance(self.services, channel, self, stream, address)
        with self._lock:
            for other in self.receiving:
                if other.channel.name == channel.name and other.status == MQCHS_REQUESTING:
                    other.cut("AMQ9001I")  # this is the call that it waits for
            self.receiving[instance] = None
        stream.receiver = instance
        self._channels.joined()
        instance.received(opening)

    def _serve(self, channel: MessageChannel, stream: Stream, address: str, opening: bytes) -> int:
        """Send to a requester on the socket of the requester's call; gives the status code of a refusal, 0 for none."""
        with self._lock:
            if channel.name in self.sending or self._closed:
                return CHANNEL_UNAVAILABLE
            self._forget_retry(channel.name)
            instance = SendingInstance(self.services, channel, self, stream, address)
            self.sending[channel.name] = instance
        stream.receiver = instance
        self._channels.joined()
        instance.received(opening)
        return 0

    def _call_back(self, channel: MessageChannel, stream: Stream, address: str) -> int:
        """Accept a requester's call, close the socket and call the requester; gives the status code of a refusal."""
        with self._lock:
            if channel.name in self.sending or self._closed:
                return CHANNEL_UNAVAILABLE
            self._forget_retry(channel.name)
            try:
                self._begin(channel, None)
            except ChannelLimit:
                return CHANNEL_UNAVAILABLE
        stream.receiver = None
        stream.write(
            encode_header(
                FORM_PLAIN, HEADER_SIZES[FORM_PLAIN], 0, 0, STATUS_DATA, REQUEST_ACCEPTED, SERVER_DIALECT, 0, NO_UNIT
            )
        )
        stream.finish()
        return 0

    # Reports of instances.

    def entering(self, instance: Instance) -> int:
        """Decide whether a receiving instance continues, waits for an earlier one of its partner, or is refused.

        The connection of the earlier instance is cut. Two queue managers of the same name would end each other's
        instances for ever, so the number of these cuts is limited, and further calls are refused.
        """
        assert isinstance(instance, ReceivingInstance)
        owner = instance.owner
        assert owner is not None
        with self._lock:
            for other in self.receiving:
                if other is not instance and other.owner is not None and other.owner.key == owner.key:
                    instance.refused_because = self._adoptions.objection(instance, other)
                    if instance.refused_because:
                        return REFUSED
                    self._waiting.setdefault(owner.key, []).append(instance)
                    other.cut("AMQ9524E", CHANNEL_UNAVAILABLE)
                    return WAITS
        return ENTERS

    def starting(self, instance: Instance) -> None:
        """Note that a sending instance begins."""
        if isinstance(instance, SendingInstance) and not instance.requested:
            self._remembered.set(instance.channel.name, WANTED)

    def began(self, instance: Instance) -> None:
        """Note that an instance runs: the records of both ends agree."""
        channel = instance.channel
        self.services.engine.events.channel(
            MQRC_CHANNEL_STARTED, channel.name, None, instance.address, channel.transmission_queue
        )

    def ended(self, instance: Instance, ending: Ending, left: int) -> None:
        """Note that an instance has ended, with so many messages left on its transmission queue."""
        self.services.notices.tell(ending.message, ending.arith, ending.texts)
        with self._lock:
            if self.most_ended:
                state = receiving_state(instance) if isinstance(instance, ReceivingInstance) else None
                state = sending_state(instance) if isinstance(instance, SendingInstance) else state
                if state is not None:
                    self._ended.append((state, time.time()))
                while len(self._ended) > self.most_ended:
                    self._ended.popleft()
        if isinstance(instance, ReceivingInstance):
            self._receiver_ended(instance, ending)
        elif isinstance(instance, SendingInstance):
            self._sender_ended(instance, ending, left)

    def _receiver_ended(self, instance: ReceivingInstance, ending: Ending) -> None:
        with self._lock:
            self.receiving.pop(instance, None)
            waiting = self._waiting.pop(instance.owner.key, []) if instance.owner is not None else []
        self.services.loop.post(self._channels.left)
        self._tell(instance, MQRQ_CHANNEL_STOPPED_ERROR if ending.error else MQRQ_CHANNEL_STOPPED_OK)
        for other in waiting:
            other.go_on()

    def _sender_ended(self, instance: SendingInstance, ending: Ending, left: int) -> None:
        channel = instance.channel
        lost = instance.end.fast_lost if instance.end is not None else 0
        if lost:
            self.services.notices.tell("CSQX905W", (lost,), (channel.name,))
        self.services.loop.post(self._channels.left)
        if self._closed:
            self.sending.pop(channel.name, None)
            return
        if instance.stopping and channel.name in self._channels.stopped:
            self._inhibit(channel.transmission_queue)
        elif instance.stopping or instance.requested or not ending.error:
            self._remembered.forget(channel.name)
        with self._lock:
            self.sending.pop(channel.name, None)
            if instance.stopping:
                qualifier = MQRQ_CHANNEL_STOPPED_OK
            elif ending.error and not instance.requested:
                qualifier = self._retry(instance)
            else:
                qualifier = MQRQ_CHANNEL_STOPPED_OK
                if left and not instance.requested and channel.name not in self._channels.stopped:
                    self._try(channel.name, None)
        if qualifier == MQRQ_CHANNEL_STOPPED_DISABLED:
            self._remembered.set(channel.name, STOPPED)
            self._inhibit(channel.transmission_queue)
        self._tell(instance, qualifier)

    def _tell(self, instance: Instance, qualifier: int) -> None:
        channel = instance.channel
        self.services.engine.events.channel(
            MQRC_CHANNEL_STOPPED, channel.name, qualifier, instance.address, channel.transmission_queue
        )

    # Trying again.

    def _retry(self, instance: SendingInstance) -> int:
        """Schedule a retry of a channel, under the lock; gives the qualifier of the event of its end."""
        channel = instance.channel
        retry = instance.retry or Retry(channel)
        seconds = retry.next()
        if seconds < 0:
            self._channels.stopped.add(channel.name)
            self.services.notices.tell("CSQX904W", (), (channel.name,))
            return MQRQ_CHANNEL_STOPPED_DISABLED
        self.retries[channel.name] = retry
        self.services.loop.post(partial(self._wait, channel.name, retry, seconds))
        return MQRQ_CHANNEL_STOPPED_RETRY

    def _wait(self, name: str, retry: Retry, seconds: float) -> None:
        retry.timer = self.services.loop.later(seconds, partial(self._due, name, retry))

    def _due(self, name: str, retry: Retry) -> None:
        with self._lock:
            if self.retries.get(name) is retry and not self._closed:
                del self.retries[name]
                self._try(name, retry)

    def _try(self, name: str, retry: Retry | None) -> None:
        """Start a channel again by its current definition, if it still exists."""
        channel = self.definition(name)
        if channel is None or channel.kind not in SENDING_TYPES or self._closed:
            return
        try:
            self._begin(channel, retry)
        except ChannelActive:
            return
        except ChannelLimit:
            retry = retry or Retry(channel)
            self.retries[name] = retry
            self.services.loop.post(partial(self._wait, name, retry, float(channel.short_timer)))

    def _forget_retry(self, name: str) -> bool:
        retry = self.retries.pop(name, None)
        if retry is not None and retry.timer is not None:
            retry.timer.cancelled = True
        return retry is not None

    # Stopping.

    def stop(self, name: str, address: str, partner: str, force: bool, stay: bool) -> int:
        """STOP CHANNEL: end instances, those of one partner or all; gives their number. `stay` is STATUS(STOPPED)."""
        count = 0
        inhibits = ends = False
        if stay:
            self._channels.stopped.add(name)
            self._remembered.set(name, STOPPED)
        with self._lock:
            sender = self.sending.get(name)
            receivers = [each for each in self.receiving if each.channel.name == name]
            if sender is not None and _is(sender, address, partner):
                count += 1
                sender.stopping = True
                if force:
                    sender.cut(STOPPED_MESSAGE)
                else:
                    sender.finish(STOPPED_MESSAGE)
            elif self.held.pop(name, None) is not None or self._forget_retry(name):
                count += 1
                inhibits = stay
                ends = not stay
            for receiver in receivers:
                if _is(receiver, address, partner):
                    count += 1
                    receiver.stopping = True
                    if force:
                        receiver.cut(STOPPED_MESSAGE, USER_CLOSED)
                    else:
                        receiver.finish()
        if ends:
            self._remembered.forget(name)
        channel = self.definition(name) if inhibits else None
        if channel is not None:
            self._inhibit(channel.transmission_queue)
        return count

    def active(self, name: str) -> bool:
        """Say whether a channel has an instance, or retries."""
        with self._lock:
            named = any(each.channel.name == name for each in self.receiving)
            return named or name in self.sending or name in self.retries or name in self.held

    def instances(self) -> list[Instance]:
        """Give all instances."""
        with self._lock:
            return [*self.sending.values(), *self.receiving]

    def states(self) -> list[MessageChannelState]:
        """Give the states of instances, and of channels that retry."""
        with self._lock:
            found = [sending_state(each) for each in self.sending.values()]
            found += [receiving_state(each) for each in self.receiving]
            found += [starting_state(each.channel) for each in self.held.values()]
            return found + [retrying_state(each) for each in self.retries.values()]

    def take_ended(self) -> list[tuple[MessageChannelState, float]]:
        """Give the instances that have ended since the last call, with the time of each end."""
        with self._lock:
            found = list(self._ended)
            self._ended.clear()
            return found

    def saved(self) -> list[MessageChannelState]:
        """Give the states in the synchronisation records."""
        local = self.services.connect_own("kew channel status")
        try:
            records = all_records(local)
        finally:
            local.abandon()
        engine = self.services.engine
        return [saved_state(engine, owner, record, self.definition(owner.channel)) for owner, record in records]

    def quiesce(self) -> None:
        """End every channel after its batch: the queue manager is about to end."""
        self._closed = True
        for instance in self.instances():
            instance.stopping = True
            if isinstance(instance, SendingInstance):
                instance.finish("AMQ9001I")
            elif isinstance(instance, ReceivingInstance):
                instance.quiesce()

    def close(self) -> None:
        """End every channel at once, and wait until each has backed out its uncommitted work."""
        self._closed = True
        with self._lock:
            self.held.clear()
            for name in list(self.retries):
                self._forget_retry(name)
        for instance in self.instances():
            instance.stopping = True
            instance.cut("AMQ9001I", QUEUE_MANAGER_TERMINATING)
        deadline = time.monotonic() + CLOSE_SECONDS
        while self.instances() and time.monotonic() < deadline:
            time.sleep(0.002)
        self.services.stop()

    # Transmission queues.

    def _inhibit(self, name: str) -> None:
        """Inhibit gets from the transmission queue of a stopped channel, so that it triggers nothing. May wait."""
        if name not in self.services.engine.queues.by_name:
            return
        try:
            self.services.administration.alter(name, {"GET": MQQA_GET_INHIBITED})
        except MQError as error:
            self.services.notices.tell("AMQ9510E", (error.reason,), ("", name, str(error)))


def _is(instance: Instance, address: str, partner: str) -> bool:
    host = instance.address.partition("(")[0]
    return address in ("", instance.address, host) and partner in ("", instance.partner)


__all__ = ["ChannelActive", "ChannelLimit", "MessageChannels"]
