"""A toy queue manager behind the server's side of the protocol: enough for clients to talk to, all of it in memory."""

from collections.abc import Callable

from kew.channels.protocol import mqapi, spi
from kew.channels.protocol.delivery import (
    CONSUMER,
    MATCH_CORRELATION_ID,
    MATCH_MESSAGE_ID,
    QM_QUIESCING,
    Message,
    Notification,
    RequestMessages,
    Selection,
    get_failure,
    queue_state_reply,
    state_reply,
)
from kew.channels.protocol.descriptor import Origin, completed, from_canonical, to_canonical
from kew.channels.protocol.dialect import Dialect, name, padded
from kew.channels.protocol.events import FAILED, WARNING, Call, Event, Plain, plain_reply
from kew.channels.protocol.identity import Credentials
from kew.channels.protocol.lifecycle import (
    ChannelEnded,
    ChannelRequested,
    ConversationEnded,
    Failed,
    TimedOut,
)
from kew.channels.protocol.messages import Get, Put, Put1, get_reply, put1_reply, put_reply
from kew.channels.protocol.negotiate import InitialData, Terms
from kew.channels.protocol.segments import CONFIRM_REQUEST, MQBACK, MQCMIT, MQDISC, MQSET
from kew.channels.protocol.server import ServerSession
from kew.channels.protocol.states import CLOSED
from kew.channels.protocol.structures import ObjectDescriptor, StatusReport
from kew.channels.protocol.subscription import SubscriptionDescriptor
from kew.codes.options import (
    MQGMO_ACCEPT_TRUNCATED_MSG,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_NEXT,
    MQGMO_SYNCPOINT,
    MQGMO_WAIT,
    MQOT_Q_MGR,
    MQOT_TOPIC,
    MQPMO_ASYNC_RESPONSE,
    MQPMO_NEW_CORREL_ID,
    MQPMO_NEW_MSG_ID,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import (
    MQRC_CALL_IN_PROGRESS,
    MQRC_FUNCTION_NOT_SUPPORTED,
    MQRC_HOBJ_ERROR,
    MQRC_NO_MSG_AVAILABLE,
    MQRC_NONE,
    MQRC_NOT_AUTHORIZED,
    MQRC_SELECTOR_ERROR,
    MQRC_TRUNCATED_MSG_ACCEPTED,
    MQRC_TRUNCATED_MSG_FAILED,
    MQRC_UNKNOWN_OBJECT_NAME,
)


class Stored:
    def __init__(self, descriptor: bytes, data: bytes) -> None:
        self.descriptor = descriptor
        self.data = data

    @property
    def message_id(self) -> bytes:
        return self.descriptor[48:72]

    @property
    def correlation_id(self) -> bytes:
        return self.descriptor[72:96]


class ToyQueueManager:
    """Queues by name, subscriptions by topic string, attributes by selector."""

    def __init__(self, *queues: str) -> None:
        self.queues: dict[str, list[Stored]] = {queue: [] for queue in queues}
        self.topics: dict[str, list[str]] = {}
        self.attributes: dict[int, int | str] = {31: 943, 32: 3, 2: 819, 2015: "QM1", 2032: "QM1_ID", 3: 0}
        self.users: dict[str, str] = {"app": "passw0rd"}
        self.channels = {"APP.SVRCONN"}
        self.terms = Terms("QM1", "QM1_ID")
        self.counter = 0
        self.responders: list[Responder] = []

    def unique(self) -> bytes:
        self.counter += 1
        return self.counter.to_bytes(8, "big")

    def arrived(self) -> None:
        for responder in self.responders:
            responder.serve_waiters()


class Handle:
    def __init__(self, queue: str, topic: str, conversation_id: int) -> None:
        self.queue = queue
        self.topic = topic
        self.conversation_id = conversation_id
        self.cursor: Stored | None = None


class Waiter:
    def __init__(self, request: RequestMessages | Get, deadline: float) -> None:
        self.request = request
        self.deadline = deadline


class Unit:
    """What an application has done under syncpoint."""

    def __init__(self) -> None:
        self.puts: list[tuple[str, Stored]] = []
        self.gets: list[tuple[str, Stored]] = []


class Responder:
    """One connection: bytes in through receive, bytes out through the callback."""

    def __init__(self, queue_manager: ToyQueueManager, write: Callable[[bytes], None]) -> None:
        self.session = ServerSession()
        self.queue_manager = queue_manager
        self.write = write
        self.now = 0.0
        self.handles: dict[int, Handle] = {}
        self.units: dict[int, Unit] = {}
        self.credentials: dict[int, Credentials] = {}
        self.waiters: list[Waiter] = []
        self.report = StatusReport()
        self.failures: list[Failed] = []
        self.seen: list[Event] = []
        self.puts_before_quiescing = -1
        queue_manager.responders.append(self)

    @property
    def closed(self) -> bool:
        return self.session.state == CLOSED

    def receive(self, data: bytes) -> None:
        for event in self.session.receive(data):
            self.seen.append(event)
            self.answer(event)
        self.flush()

    def flush(self) -> None:
        data = self.session.take_output()
        if data:
            self.write(data)

    def send(self, event: Event) -> None:
        for data in self.session.send_segments(event):
            self.write(data)

    def tick(self, now: float) -> None:
        self.now = now
        for event in self.session.tick(now):
            self.answer(event)
        self.flush()
        for waiter in [waiter for waiter in self.waiters if waiter.deadline <= now]:
            self.waiters.remove(waiter)
            # A client that is sent messages watches the clock itself, and asks once more when its time is up.
            self.no_message(waiter.request, MQRC_NO_MSG_AVAILABLE)

    def lost(self) -> None:
        """The socket is gone: whatever was under syncpoint is backed out."""
        self.session.state = CLOSED
        self.waiters.clear()
        for conversation_id in list(self.units):
            self.back_out(conversation_id)
        if self in self.queue_manager.responders:
            self.queue_manager.responders.remove(self)

    def answer(self, event: Event) -> None:
        if isinstance(event, ChannelRequested):
            self.accept(event.offer)
        elif isinstance(event, Credentials):
            self.credentials[event.conversation_id] = event
        elif isinstance(event, mqapi.Connect):
            self.connect(event)
        elif isinstance(event, Put):
            self.put(event)
        elif isinstance(event, Put1):
            self.put1(event)
        elif isinstance(event, RequestMessages | Get):
            self.get(event)
        elif isinstance(event, ConversationEnded):
            self.waiters = [each for each in self.waiters if each.request.conversation_id != event.conversation_id]
            self.back_out(event.conversation_id)
        elif isinstance(event, ChannelEnded | TimedOut):
            self.lost()
        elif isinstance(event, Failed):
            self.failures.append(event)
            self.flush()
            self.lost()
        elif isinstance(event, Notification):
            if event.flags & CONFIRM_REQUEST:
                self.send(state_reply(event, 0))
        elif isinstance(event, Call):
            self.call(event)

    def accept(self, offer: InitialData) -> None:
        if name(offer.channel_name) not in self.queue_manager.channels:
            self.write(self.session.refuse(1))
            return
        data, _ = self.session.accept(self.queue_manager.terms)
        self.write(data)

    def connect(self, call: mqapi.Connect) -> None:
        given = self.credentials.get(call.conversation_id)
        users = self.queue_manager.users
        if users and (given is None or users.get(given.user.decode()) != given.password.decode()):
            self.send(mqapi.connect_refusal(call, MQRC_NOT_AUTHORIZED))
            return
        self.units[call.conversation_id] = Unit()
        connection_id = b"AMQC" + padded("QM1", 12) + self.queue_manager.unique()
        self.send(mqapi.connect_reply(call, connection_id, b""))

    def call(self, call: Call) -> None:
        if isinstance(call, mqapi.Open):
            self.open(call)
        elif isinstance(call, spi.SpiCall):
            self.spi(call)
        elif isinstance(call, mqapi.Close):
            found = self.handles.pop(call.handle, None)
            self.waiters = [each for each in self.waiters if each.request.handle != call.handle]
            reply = plain_reply(call) if found else plain_reply(call, FAILED, MQRC_HOBJ_ERROR)
            reply.handle = -1
            self.send(reply)
        elif isinstance(call, mqapi.Attributes):
            self.attributes(call)
        elif isinstance(call, mqapi.Stat):
            self.send(mqapi.stat_reply(call, self.report))
            self.report = StatusReport()
        elif isinstance(call, mqapi.Subscribe):
            self.subscribe(call)
        elif isinstance(call, mqapi.SubscriptionRequest):
            self.send(mqapi.subscription_request_reply(call, 0))
        elif isinstance(call, Plain):
            self.end_unit(call)

    def end_unit(self, call: Plain) -> None:
        unit = self.units[call.conversation_id]
        if call.kind == MQBACK:
            self.back_out(call.conversation_id)
            self.units[call.conversation_id] = Unit()
        elif call.kind in (MQCMIT, MQDISC):
            self.units[call.conversation_id] = Unit()
            for queue, stored in unit.puts:
                self.queue_manager.queues[queue].append(stored)
        self.send(plain_reply(call))
        self.queue_manager.arrived()

    def back_out(self, conversation_id: int) -> None:
        unit = self.units.pop(conversation_id, None)
        if unit is not None:
            for queue, stored in reversed(unit.gets):
                count = int.from_bytes(stored.descriptor[96:100], "little") + 1
                stored.descriptor = stored.descriptor[:96] + count.to_bytes(4, "little") + stored.descriptor[100:]
                self.queue_manager.queues[queue].insert(0, stored)

    def new_handle(self, call: Call, queue: str, topic: str = "") -> int:
        handle = 2
        while handle in self.handles:
            handle += 2
        self.handles[handle] = Handle(queue, topic, call.conversation_id)
        return handle

    def target(self, target: ObjectDescriptor) -> tuple[str, str] | None:
        """The queue and the topic string an object descriptor names; None for what does not exist."""
        if target.object_type == MQOT_Q_MGR:
            return "", ""
        if target.object_type == MQOT_TOPIC:
            return "", target.text_of(target.object_string).decode("utf-8", "replace")
        queue = name(target.object_name)
        if queue == "MODEL":
            queue = f"AMQ.{self.queue_manager.unique().hex().upper()}"
            target.object_name = padded(queue, 48)
            self.queue_manager.queues[queue] = []
        return (queue, "") if queue in self.queue_manager.queues else None

    def open(self, call: mqapi.Open) -> None:
        found = self.target(call.target)
        if found is None:
            self.send(mqapi.open_refusal(call, MQRC_UNKNOWN_OBJECT_NAME))
        else:
            self.send(mqapi.open_reply(call, self.new_handle(call, *found)))

    def spi(self, call: spi.SpiCall) -> None:
        assert call.dialect is not None
        if call.verb == spi.QUERY:
            self.send(spi.query_reply(call, spi.FULL_TABLE, call.dialect))
        elif isinstance(call.inside, spi.SpiOpen):
            inside = call.inside
            found = self.target(inside.target)
            if found is None:
                self.send(spi.open_refusal(call, MQRC_UNKNOWN_OBJECT_NAME, call.dialect))
                return
            inside.options.persistence, inside.options.put_response = 0, 1
            inside.options.read_ahead = inside.options.property_control = 0
            inside.policy = spi.no_policy(name(inside.target.object_name))
            self.send(spi.open_reply(call, inside, self.new_handle(call, *found), call.dialect))
        elif isinstance(call.inside, spi.SpiSubscribe):
            queue = self.new_subscription(call.inside.descriptor)
            handle, subscription = self.new_handle(call, queue), self.new_handle(call, queue)
            identifier = self.queue_manager.unique().rjust(24, b"S")
            reply = spi.subscribe_reply(call, call.inside, handle, subscription, identifier, "", call.dialect)
            self.send(reply)
        elif isinstance(call.inside, spi.SpiReserve):
            tag = b"AMQ " + padded("QM1", 12) + self.queue_manager.unique()[3:] + bytes(3)
            self.send(spi.reserve_reply(call, tag, call.inside.count, call.dialect))
        else:
            self.send(spi.refusal(call, MQRC_FUNCTION_NOT_SUPPORTED))

    def attributes(self, call: mqapi.Attributes) -> None:
        known = self.queue_manager.attributes
        if call.kind == MQSET:
            numbers = [selector for selector in call.selectors if selector < 2001]
            known.update(zip(numbers, call.integers, strict=False))
            self.send(plain_reply(call))
            return
        values = [known.get(selector) for selector in call.selectors]
        if None in values:
            self.send(plain_reply(call, FAILED, MQRC_SELECTOR_ERROR))
            return
        integers = [value for value in values if isinstance(value, int)]
        characters = b"".join([padded(value, 48) for value in values if isinstance(value, str)])
        self.send(mqapi.inquire_reply(call, integers, characters))

    def new_subscription(self, descriptor: SubscriptionDescriptor) -> str:
        topic = descriptor.text_of(descriptor.object_string).decode("utf-8", "replace")
        queue = f"SUB.{self.queue_manager.unique().hex()}"
        self.queue_manager.queues[queue] = []
        self.queue_manager.topics.setdefault(topic, []).append(queue)
        return queue

    def subscribe(self, call: mqapi.Subscribe) -> None:
        queue = self.new_subscription(call.descriptor)
        handle = self.new_handle(call, queue)
        self.send(mqapi.subscribe_reply(call, handle, self.new_handle(call, queue)))

    def store(self, call: Put | Put1, queue: str, topic: str, dialect: Dialect) -> None:
        descriptor = call.descriptor
        options = call.options.options
        message_id, correlation_id = descriptor[48:72], descriptor[72:96]
        if options & MQPMO_NEW_MSG_ID or message_id == bytes(24):
            message_id = b"AMQ " + padded("QM1", 12) + self.queue_manager.unique()
        if options & MQPMO_NEW_CORREL_ID:
            correlation_id = b"AMQ " + padded("QM1", 12) + self.queue_manager.unique()
        origin = Origin()
        origin.user = padded("app", 12)
        origin.date, origin.time = b"20260101", b"12000000"
        call.descriptor = completed(descriptor, dialect, message_id, correlation_id, 0, 0, origin)
        unit = self.units[call.conversation_id]
        for target in self.queue_manager.topics.get(topic, []) if topic else [queue]:
            stored = Stored(to_canonical(call.descriptor, dialect), call.payload)
            if options & MQPMO_SYNCPOINT:
                unit.puts.append((target, stored))
            else:
                self.queue_manager.queues[target].append(stored)
        call.options.known = 1
        call.options.resolved_queue = padded(queue, 48)
        call.options.resolved_queue_manager = padded("QM1", 48)

    def put(self, put: Put) -> None:
        handle = self.handles.get(put.handle)
        reason = MQRC_NONE
        if handle is None or not (handle.queue or handle.topic):
            reason = MQRC_HOBJ_ERROR
        else:
            assert put.dialect is not None
            self.store(put, handle.queue, handle.topic, put.dialect)
        if put.options.options & MQPMO_ASYNC_RESPONSE:
            if reason:
                self.report.put_failures += 1
                self.report.completion, self.report.reason = FAILED, reason
            else:
                self.report.put_successes += 1
        else:
            reply = put_reply(put)
            if reason:
                reply.fail(reason)
            self.send(reply)
        self.queue_manager.arrived()
        if self.puts_before_quiescing == 0:
            self.send(Notification(-1, QM_QUIESCING, 2161))
        self.puts_before_quiescing -= 1

    def put1(self, put: Put1) -> None:
        found = self.target(put.target)
        assert put.dialect is not None
        if found is None or not any(found):
            reply = put1_reply(put)
            reply.fail(MQRC_UNKNOWN_OBJECT_NAME)
        else:
            self.store(put, *found, put.dialect)
            reply = put1_reply(put)
        self.send(reply)
        self.queue_manager.arrived()

    def get(self, request: RequestMessages | Get) -> None:
        handle = self.handles.get(request.handle)
        if handle is None or not handle.queue:
            self.no_message(request, MQRC_HOBJ_ERROR)
            return
        if isinstance(request, RequestMessages) and request.confirm:
            self.waiters = [each for each in self.waiters if each.request.handle != request.handle]
            self.serve(request)
            self.send(queue_state_reply(request))
            return
        if self.streams(request):
            # With read-ahead a further request opens the window of the one that stands.
            self.waiters = [each for each in self.waiters if each.request.handle != request.handle]
        elif any(each.request.handle == request.handle for each in self.waiters):
            self.no_message(request, MQRC_CALL_IN_PROGRESS)
            return
        if self.serve(request):
            return
        options, wait = self.wanted(request)
        if isinstance(request, RequestMessages) and request.request_flags & CONSUMER:
            self.waiters.append(Waiter(request, float("inf")))
        elif options & MQGMO_WAIT:
            deadline = float("inf") if wait < 0 else self.now + wait / 1000
            self.waiters.append(Waiter(request, deadline))
        else:
            self.no_message(request, MQRC_NO_MSG_AVAILABLE)

    def streams(self, request: RequestMessages | Get) -> bool:
        once = isinstance(request, RequestMessages) and request.options & MQGMO_BROWSE_FIRST
        return isinstance(request, RequestMessages) and request.requested_bytes > 1 and not once

    def serve(self, request: RequestMessages | Get) -> bool:
        """Send what there is and the request has room for; whether the request is done with."""
        if not self.streams(request):
            return self.deliver(request)
        delivery = self.session.delivery(request.conversation_id, request.handle)
        while delivery is not None and delivery.open:
            if not self.deliver(request):
                return False
        return True

    def wanted(self, request: RequestMessages | Get) -> tuple[int, int]:
        if isinstance(request, Get):
            return request.options.options, request.options.wait_interval
        return request.options, request.wait_interval

    def serve_waiters(self) -> None:
        for waiter in list(self.waiters):
            if self.serve(waiter.request):
                self.waiters.remove(waiter)

    def matches(self, request: RequestMessages | Get, stored: Stored) -> bool:
        if isinstance(request, Get):
            assert request.dialect is not None
            wanted = Stored(to_canonical(request.descriptor, request.dialect), b"")
            match = request.options.match_options
            ids = (wanted.message_id, wanted.correlation_id)
        else:
            selection = request.selection or Selection()
            match = selection.match_options
            ids = (selection.message_id, selection.correlation_id)
        if match & MATCH_MESSAGE_ID and ids[0] not in (bytes(24), stored.message_id):
            return False
        return not match & MATCH_CORRELATION_ID or ids[1] in (bytes(24), stored.correlation_id)

    def deliver(self, request: RequestMessages | Get) -> bool:
        """Send the first message that fits; False when there is none."""
        handle = self.handles[request.handle]
        queue = self.queue_manager.queues[handle.queue]
        options, _ = self.wanted(request)
        candidates = queue
        browse = options & (MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT)
        if options & MQGMO_BROWSE_NEXT and handle.cursor in queue:
            candidates = queue[queue.index(handle.cursor) + 1 :]
        for stored in candidates:
            if self.matches(request, stored):
                break
        else:
            return False
        room = request.buffer_length if isinstance(request, Get) else request.max_length
        reason = MQRC_NONE
        if 0 <= room < len(stored.data):
            accept = options & MQGMO_ACCEPT_TRUNCATED_MSG
            reason = MQRC_TRUNCATED_MSG_ACCEPTED if accept else MQRC_TRUNCATED_MSG_FAILED
        if reason == MQRC_TRUNCATED_MSG_FAILED:
            pass  # neither is the message taken nor the cursor moved
        elif browse:
            handle.cursor = stored
        else:
            queue.remove(stored)
            if options & MQGMO_SYNCPOINT:
                self.units[request.conversation_id].gets.append((handle.queue, stored))
        self.send_message(request, handle, stored, reason, stored.data if room < 0 else stored.data[:room])
        return True

    def send_message(
        self, request: RequestMessages | Get, handle: Handle, stored: Stored, reason: int, data: bytes
    ) -> None:
        if isinstance(request, Get):
            assert request.dialect is not None
            version = 2 if len(request.descriptor) == 364 else 1
            request.descriptor = from_canonical(stored.descriptor, request.dialect, version)
            request.options.resolved_queue = padded(handle.queue, 48)
            reply = get_reply(request, len(stored.data), data)
            if reason:
                reply.fail(reason, WARNING)
            self.send(reply)
            return
        message = Message(request.handle, from_canonical(stored.descriptor, self.session.dialect), data)
        message.conversation_id = request.conversation_id
        message.total_length = len(stored.data)
        message.resolved_name = handle.queue.encode()
        message.reason = reason
        self.send(message)

    def no_message(self, request: RequestMessages | Get, reason: int) -> None:
        if isinstance(request, Get):
            reply = get_reply(request, 0, b"")
            reply.fail(reason)
            self.send(reply)
            return
        if reason != MQRC_NO_MSG_AVAILABLE:
            self.send(get_failure(request, reason))
        if request.confirm:
            self.send(queue_state_reply(request))
