"""The verbs of the MQI as a client sends them: each a generator over a link, without a socket and a clock."""

import getpass
from typing import Final

from kew.channels.protocol import mqapi, spi
from kew.channels.protocol.delivery import CONSUMPTION, Notification
from kew.channels.protocol.descriptor import from_canonical, to_canonical
from kew.channels.protocol.dialect import name, padded
from kew.channels.protocol.events import FAILED, WARNING, Call, Event, Plain
from kew.channels.protocol.identity import Credentials, UserId
from kew.channels.protocol.messages import Get, GetReply, Put, Put1, Put1Reply, PutReply
from kew.channels.protocol.options import GetOptions, PutOptions
from kew.channels.protocol.segments import MQBACK, MQCMIT, MQDISC
from kew.channels.protocol.structures import ObjectDescriptor, StatusReport
from kew.channels.protocol.subscription import SubscriptionDescriptor, SubscriptionRequestOptions
from kew.client import protectedcalls, readahead
from kew.client.arguments import UNFIT, check_word, refusal, text_of
from kew.client.asyncput import MOST_IDS, NO_IDS, ReservedIds, is_asynchronous, tell_origin, wants_ids
from kew.client.get import ConversationGets
from kew.client.link import Inbox, Link, Operation, Step
from kew.client.openobject import OpenObject
from kew.client.protection import Protecting
from kew.client.readahead import ONE_MESSAGE, READ_AHEAD_WINDOW
from kew.client.received import Received, is_empty
from kew.codes.errors import BackedOut, Broken, MQError, NoMessage
from kew.codes.options import (
    MQCO_QUIESCE,
    MQOT_Q,
    MQOT_Q_MGR,
    MQOT_TOPIC,
    MQPMO_ASYNC_RESPONSE,
    MQPMO_NEW_CORREL_ID,
    MQPMO_NEW_MSG_ID,
    MQPMO_SYNC_RESPONSE,
    MQSO_READ_AHEAD,
)
from kew.codes.reasons import (
    MQRC_BACKED_OUT,
    MQRC_BUFFER_LENGTH_ERROR,
    MQRC_CONNECTION_BROKEN,
    MQRC_CSP_ERROR,
    MQRC_HCONN_ERROR,
    MQRC_INT_ATTRS_ARRAY_ERROR,
    MQRC_MD_ERROR,
    MQRC_MSG_TOO_BIG_FOR_CHANNEL,
    MQRC_NO_MSG_AVAILABLE,
    MQRC_NONE,
    MQRC_OPTIONS_ERROR,
    MQRC_READ_AHEAD_MSGS,
    MQRC_SECURITY_ERROR,
    MQRC_SELECTOR_ERROR,
    MQRC_SELECTOR_LIMIT_EXCEEDED,
    MQRC_TRUNCATED_MSG_FAILED,
    MQRC_WAIT_INTERVAL_ERROR,
)
from kew.codes.selectors import character_length, is_character
from kew.formats import mqmd
from kew.formats.mqmd import MessageDescriptor
from kew.protection.counters import Counters

HANDSHAKE_SECONDS: Final = 30.0
CONFIRMED_REQUEST: Final = 3  # the request id of a request that is confirmed
FIRST_BUFFER: Final = 65536
UNIX: Final = 6
UNSEEN: Final = "it had a message that came for a get which the program had broken off"


class Inquired(dict[int, int | str]):
    """Attribute values by selector; the reason code is MQ's warning if the queue lacks one of the attributes."""

    reason: int = MQRC_NONE


# The fact that names the object of a failure.
_KINDS: Final = {MQOT_Q: "queue", MQOT_TOPIC: "topic", MQOT_Q_MGR: "qmgr"}


class Verbs:
    """One conversation: a connection of a program to a queue manager."""

    def __init__(self, link: Link, conversation_id: int = 1) -> None:
        self.link = link
        self.conversation_id = conversation_id
        self.inbox: Inbox = link.inboxes[conversation_id]
        self.deliveries = ConversationGets(link, conversation_id)
        self.connected: bool = False
        self.connection_id: bytes = b""
        self.queue_manager: str = ""
        self._application: bytes = b""
        self._application_type: int = UNIX
        self._awaited: int = 0  # index of the reply to the last call
        self._ids = NO_IDS
        self._may_reserve: bool = True
        self._protecting = Protecting()
        self.has_policies: bool = False  # the queue manager has policies of message protection

    @property
    def application(self) -> bytes:
        """The name of the program."""
        return self._application

    @property
    def protection_counters(self) -> Counters | None:
        """Counts of message protection; None while no queue with a policy was opened."""
        protector = self._protecting.protector
        return None if protector is None else protector.counters

    # Connecting.

    def negotiate(self) -> Operation[None]:
        """Negotiate the channel with the server; once for a socket."""
        data = self.link.session.start()
        while not self.inbox.started:
            came = yield Step(data, True, HANDSHAKE_SECONDS)
            data = b""
            self.link.check()
            if not came:
                raise Broken(MQRC_CONNECTION_BROKEN, why="no answer to the channel's offer")
        operating_user = _operating_user()
        yield Step(self._say(UserId(operating_user.upper(), operating_user)), False)

    def start_conversation(self) -> Operation[None]:
        """Wait until the server has accepted a further conversation on the socket."""
        while not self.inbox.started:
            came = yield Step(b"", True, HANDSHAKE_SECONDS)
            self.link.check()
            if not came:
                raise Broken(MQRC_CONNECTION_BROKEN, why="no answer to a further conversation")

    def connect(
        self,
        queue_manager: str,
        user: str | None,
        password: str | None,
        application: str,
        options: int = 0,
        application_type: int = UNIX,
    ) -> Operation[None]:
        """Connect (MQCONNX): send credentials if there are any, then the call."""
        session = self.link.session
        agreed = session.agreed
        level = agreed.fap_level if agreed is not None else 17
        if user is not None:
            given = text_of(user, MQRC_CSP_ERROR, "user"), text_of(password or "", MQRC_CSP_ERROR, "password")
            credentials = Credentials(*given)
            credentials.short = level < 17
            credentials.filled = session.multiplexed
            data = self._say(credentials)
            while not self.inbox.acknowledged:
                came = yield Step(data, True, HANDSHAKE_SECONDS)
                data = b""
                self.link.check()
                if not came:
                    raise Broken(MQRC_CONNECTION_BROKEN, why="no acknowledgement of the credentials")
        call = mqapi.Connect()
        call.queue_manager = padded(queue_manager, 48)
        self._application = padded(application, 28)
        self._application_type = application_type
        call.application_name = self._application
        call.application_type = application_type
        call.connect_options = options
        call.body_size = mqapi.connect_size(level)
        call.fcno_version = 4 if level >= 17 else 2
        reply = yield from self._call(call)
        if isinstance(reply, mqapi.Connect):
            self.connection_id = reply.tag[:24]
            extended = self.link.session.extended
            self.has_policies = extended and reply.capability_flags & mqapi.HAS_POLICIES != 0
        self.queue_manager = queue_manager
        self.connected = True

    def disconnect(self) -> Operation[None]:
        """Disconnect (MQDISC), which commits, and end the conversation. A failed commit ends it too."""
        reply: Call | None = None
        unseen = False
        if self.connected and self.link.ready:
            try:
                if self.deliveries.disturbed:
                    unseen = yield from self._unseen()
                reply = yield from self._exchange(Plain(MQDISC), self.deliveries.settle())
            except Broken:
                self.connected = False
                return
        self.connected = False
        if self.link.ready:
            data = self.link.session.end_conversation(self.conversation_id)
            self.link.inboxes.pop(self.conversation_id, None)
            if data:
                yield Step(data, False)
        if reply is not None:
            _tell_backed_out(reply)
            _refuse(reply)
        if unseen:
            raise BackedOut(why=UNSEEN)

    # Units of work.

    def commit(self) -> Operation[None]:
        """Commit the unit of work (MQCMIT)."""
        if self.deliveries.disturbed:
            unseen = yield from self._unseen()
            if unseen:
                raise BackedOut(why=UNSEEN)
        reply = yield from self._exchange(Plain(MQCMIT), self.deliveries.settle())
        if reply.reason == MQRC_BACKED_OUT:
            self.deliveries.backed_out()
        _tell_backed_out(reply)
        _refuse(reply)
        _warn(reply)

    def _unseen(self) -> Operation[bool]:
        """Back the unit of work out if it has a message got for a broken-off get; says whether it had."""
        unseen = yield from self.deliveries.unseen()
        if unseen:
            yield from self.back_out()
        return unseen

    def back_out(self) -> Operation[None]:
        """Back the unit of work out (MQBACK)."""
        if self.deliveries.disturbed:
            yield from self.deliveries.settle_down()
        yield from self._call(Plain(MQBACK), self.deliveries.settle())
        self.deliveries.backed_out()

    # Objects.

    def open(self, target: ObjectDescriptor, options: int) -> Operation[OpenObject]:
        """Open an object (MQOPEN); `target` has the outcome of each destination of a list, also if all fail."""
        check_word(options, MQRC_OPTIONS_ERROR, "options")
        readahead.check_open(options)
        reply = yield from self._exchange(mqapi.Open(target, options))
        if isinstance(reply, mqapi.Open) and target.records_present:
            target.extra = reply.target.extra
        _refuse(reply, target)
        if not isinstance(reply, mqapi.Open):
            raise _unexpected(reply)
        opened = OpenObject(reply.handle, reply.target, options)
        if reply.defaults is not None:
            opened.property_control = reply.defaults.property_control
            opened.read_ahead = reply.defaults.read_ahead
            opened.put_response = reply.defaults.put_response
        if self.link.session.extended and reply.extra and not target.records_present:
            try:
                opened.protection = self._protecting.protection(reply.extra)
            except MQError:
                yield from self.close(opened)
                raise
        elif self.link.reads_ahead:
            opened.window = readahead.window_of(options, opened.read_ahead)
        return opened

    def close(self, opened: OpenObject, options: int = 0) -> Operation[None]:
        """Close a handle (MQCLOSE), and report to the server how far the handle has read.

        With MQCO_QUIESCE a handle with messages read ahead stays open, so that they can be got.
        """
        if opened.closed:
            return
        check_word(options, MQRC_OPTIONS_ERROR, "options")
        if options & MQCO_QUIESCE and opened.window > ONE_MESSAGE and not opened.reserving:
            left = yield from self.deliveries.halt(opened)
            if left:
                opened.quiesced = True
                raise MQError(MQRC_READ_AHEAD_MSGS, completion=WARNING)
        if opened.left:
            yield from self.deliveries.come_to_rest(opened)
        call = mqapi.Close(opened.handle, options)
        call.completion = opened.message_index
        reply = yield from self._call(call, self.deliveries.settle_one(opened))
        opened.closed = True
        self.deliveries.closed(opened)
        _warn(reply)

    def inquire(self, opened: OpenObject, selectors: list[int]) -> Operation[Inquired]:
        """Inquire attributes (MQINQ): the value of each selector."""
        if len(selectors) > mqapi.MAX_SELECTORS:
            raise MQError(MQRC_SELECTOR_LIMIT_EXCEEDED, selectors=len(selectors), most=mqapi.MAX_SELECTORS)
        for selector in selectors:
            check_word(selector, MQRC_SELECTOR_ERROR, "selector")
        integers = [selector for selector in selectors if not is_character(selector)]
        characters = [selector for selector in selectors if is_character(selector)]
        room = sum([character_length(selector) for selector in characters])
        reply = yield from self._call(mqapi.inquire(opened.handle, selectors, len(integers), room))
        if not isinstance(reply, mqapi.Attributes):
            raise _unexpected(reply)
        values: dict[int, int | str] = dict(zip(integers, reply.integers, strict=False))
        position = 0
        for selector in characters:
            length = character_length(selector)
            values[selector] = name(reply.characters[position : position + length])
            position += length
        found = Inquired({selector: values[selector] for selector in selectors if selector in values})
        found.reason = reply.reason
        return found

    def set_attributes(self, opened: OpenObject, values: dict[int, int | str]) -> Operation[None]:
        """Set attributes (MQSET)."""
        integers: list[int] = []
        characters = b""
        for selector, value in values.items():
            check_word(selector, MQRC_SELECTOR_ERROR, "selector")
            if isinstance(value, int):
                check_word(value, MQRC_INT_ATTRS_ARRAY_ERROR, "value")
                integers.append(value)
            else:
                characters += padded(value, character_length(selector))
        yield from self._call(mqapi.set_attributes(opened.handle, list(values), integers, characters))

    def status(self, status_type: int) -> Operation[StatusReport]:
        """Inquire the outcome of asynchronous puts (MQSTAT)."""
        reply = yield from self._call(mqapi.Stat(status_type, StatusReport()))
        if not isinstance(reply, mqapi.Stat):
            raise _unexpected(reply)
        return reply.report

    def announce(self, handle: int, state: int) -> Operation[None]:
        """Report the state of asynchronous consumption to a queue manager of Kew; handle 0 is the connection."""
        if self.link.session.extended and self.link.session.multiplexed:
            yield Step(self._say(Notification(handle, CONSUMPTION, state)), False)

    def subscribe(
        self, descriptor: SubscriptionDescriptor, queue: OpenObject | None
    ) -> Operation[tuple[OpenObject, OpenObject, SubscriptionDescriptor]]:
        """Subscribe (MQSUB): gives the handles of the queue and of the subscription; completes the descriptor."""
        call = mqapi.Subscribe(descriptor)
        call.handle = -1 if queue is None else queue.handle
        reply = yield from self._call(call)
        if not isinstance(reply, mqapi.Subscribe):
            raise _unexpected(reply)
        target = ObjectDescriptor()
        where = queue if queue is not None else OpenObject(reply.handle, target, 0)
        if queue is None and descriptor.options & MQSO_READ_AHEAD and self.link.reads_ahead:
            where.window = READ_AHEAD_WINDOW
        return where, OpenObject(reply.subscription, target, descriptor.options), reply.descriptor

    def request_publications(self, subscription: OpenObject, action: int) -> Operation[int]:
        """Request retained publications (MQSUBRQ); gives their number."""
        call = mqapi.SubscriptionRequest(action, SubscriptionRequestOptions())
        call.handle = subscription.handle
        reply = yield from self._call(call)
        if not isinstance(reply, mqapi.SubscriptionRequest):
            raise _unexpected(reply)
        return reply.options.publications

    # Messages.

    def put(
        self, opened: OpenObject, descriptor: MessageDescriptor, options: PutOptions, data: bytes
    ) -> Operation[None]:
        """Put a message (MQPUT): completes descriptor and options; for an asynchronous put see asyncput.py."""
        if opened.protection is not None:
            return protectedcalls.put(self, opened, opened.protection, descriptor, options, data)
        return self.put_stored(opened, descriptor, options, data)

    def put_stored(
        self, opened: OpenObject, descriptor: MessageDescriptor, options: PutOptions, data: bytes
    ) -> Operation[None]:
        """Put a message (MQPUT) with the body that is to be stored."""
        self._check_put(options, data)
        if is_asynchronous(opened, options, not self.link.local):
            if self._lacks_ids(opened, descriptor, options):
                yield from self._reserve_ids()
            self.link.check()
            yield Step(self._put_unanswered(opened, descriptor, options, data), False)
            return
        asked = options.options
        options.options = asked | MQPMO_SYNC_RESPONSE
        try:
            call = Put(self._outgoing(descriptor), options, data)
            call.handle = opened.handle
            reply = yield from self._exchange(call)
        finally:
            options.options = asked
        if isinstance(reply, PutReply) and options.records_present:
            options.extra = reply.options.extra
        _refuse(reply, opened.target)
        if isinstance(reply, PutReply):
            self._completed(descriptor, options, reply.descriptor, reply.options, reply)
            _warn(reply)

    def put_at_once(self, opened: OpenObject, descriptor: MessageDescriptor, options: PutOptions, data: bytes) -> bytes:
        """Give the bytes of a put that needs no exchange with the server; empty if it needs one."""
        if opened.protection is not None:
            return b""
        if not is_asynchronous(opened, options, not self.link.local) or self._lacks_ids(opened, descriptor, options):
            return b""
        self._check_put(options, data)
        self.link.check()
        return self._put_unanswered(opened, descriptor, options, data)

    def _lacks_ids(self, opened: OpenObject, descriptor: MessageDescriptor, options: PutOptions) -> bool:
        """Say whether a put needs ids made by the client, too few are left, and the server may reserve more."""
        return self._ids.left < 2 and self._may_reserve and wants_ids(opened, descriptor, options)

    def _put_unanswered(
        self, opened: OpenObject, descriptor: MessageDescriptor, options: PutOptions, data: bytes
    ) -> bytes:
        """Give the bytes that put a message without waiting for a reply."""
        asked = options.options
        said = asked | MQPMO_ASYNC_RESPONSE
        ids = self._ids
        if ids.left >= 2 and wants_ids(opened, descriptor, options):
            if asked & MQPMO_NEW_MSG_ID or is_empty(descriptor.message_id):
                descriptor.message_id = ids.take()
            if asked & MQPMO_NEW_CORREL_ID:
                descriptor.correlation_id = ids.take()
            said &= ~(MQPMO_NEW_MSG_ID | MQPMO_NEW_CORREL_ID)
        call = Put(self._outgoing(descriptor), options, data)
        call.handle = opened.handle
        options.options = said
        wire = self._say(call)
        options.options = asked
        tell_origin(descriptor, asked, self._application, self._application_type)
        return wire

    def _reserve_ids(self) -> Operation[None]:
        """Have the server reserve message ids; a server that has none is not asked again."""
        dialect = self.link.session.dialect
        reply = yield from self._exchange(spi.reserve(MOST_IDS, dialect))
        self._may_reserve = False
        if isinstance(reply, spi.SpiCall) and reply.completion != FAILED:
            self._ids = ReservedIds(*spi.ids_reserved(reply, reply.dialect if reply.dialect is not None else dialect))
            self._may_reserve = self._ids.left > 0

    def _check_put(self, options: PutOptions, data: bytes) -> None:
        """Refuse invalid options, and data longer than was negotiated; the server would end the connection."""
        check_word(options.options, MQRC_OPTIONS_ERROR, "options")
        most = self.link.session.max_message
        if len(data) > most:
            raise MQError(MQRC_MSG_TOO_BIG_FOR_CHANNEL, length=len(data), most=most)

    def put1(
        self, target: ObjectDescriptor, descriptor: MessageDescriptor, options: PutOptions, data: bytes
    ) -> Operation[None]:
        """Put one message to an object that is not open (MQPUT1)."""
        if self.has_policies:
            return protectedcalls.put1(self, target, descriptor, options, data)
        return self._put1_without(target, descriptor, options, data)

    def _put1_without(
        self, target: ObjectDescriptor, descriptor: MessageDescriptor, options: PutOptions, data: bytes
    ) -> Operation[None]:
        """Put one message without protection (MQPUT1), or protected if the queue has had a policy since the connect."""
        try:
            yield from self.put1_stored(target, descriptor, options, data)
        except MQError as error:
            if error.reason != MQRC_SECURITY_ERROR or not self.link.session.extended:
                raise
            self.has_policies = True
            yield from protectedcalls.put1(self, target, descriptor, options, data)

    def put1_stored(
        self, target: ObjectDescriptor, descriptor: MessageDescriptor, options: PutOptions, data: bytes
    ) -> Operation[None]:
        """Put one message (MQPUT1) with the body that is to be stored."""
        self._check_put(options, data)
        asked = options.options
        options.options = asked & ~MQPMO_ASYNC_RESPONSE | MQPMO_SYNC_RESPONSE
        try:
            reply = yield from self._exchange(Put1(target, self._outgoing(descriptor), options, data))
        finally:
            options.options = asked
        if isinstance(reply, Put1Reply) and target.records_present:
            target.extra = reply.target.extra
            options.extra = reply.options.extra
        _refuse(reply, target)
        if isinstance(reply, Put1Reply):
            self._completed(descriptor, options, reply.descriptor, reply.options, reply)
            _warn(reply)

    def get(
        self, opened: OpenObject, descriptor: MessageDescriptor, options: GetOptions, max_length: int = -1
    ) -> Operation[Received]:
        """Get a message (MQGET), or raise NoMessage; a truncated message comes with its reason code."""
        check_word(options.options, MQRC_OPTIONS_ERROR, "options")
        check_word(options.wait_interval, MQRC_WAIT_INTERVAL_ERROR, "wait_interval")
        check_word(max_length, MQRC_BUFFER_LENGTH_ERROR, "max_length")
        protection = opened.protection
        if protection is not None and protection.unprotects:
            return protectedcalls.get(self, opened, protection, descriptor, options, max_length)
        return self.get_stored(opened, descriptor, options, max_length)

    def get_stored(
        self, opened: OpenObject, descriptor: MessageDescriptor, options: GetOptions, max_length: int
    ) -> Operation[Received]:
        """Get a message (MQGET) with the body as it is stored."""
        if self.link.session.multiplexed:
            return self.deliveries.get(opened, descriptor, options, max_length)
        return self._get_called(opened, descriptor, options, max_length)

    def _get_called(
        self, opened: OpenObject, descriptor: MessageDescriptor, options: GetOptions, max_length: int
    ) -> Operation[Received]:
        wanted = self._outgoing(descriptor, options.descriptor_version)
        room = FIRST_BUFFER if max_length < 0 else max_length
        while True:
            call = Get(wanted, options, room)
            call.handle = opened.handle
            reply = yield from self._call(call)
            if not isinstance(reply, GetReply):
                raise _unexpected(reply)
            if reply.reason == MQRC_TRUNCATED_MSG_FAILED and max_length < 0 and reply.full_length > room:
                room = reply.full_length
                continue
            dialect = reply.dialect if reply.dialect is not None else self.link.session.dialect
            received = Received(reply.payload, reply.descriptor, dialect, reply.reason, reply.full_length)
            received.resolved_queue = name(reply.options.resolved_queue)
            received.token = reply.options.message_token
            return received

    # Calls and replies.

    def _outgoing(self, descriptor: MessageDescriptor, version: int = 2) -> bytes:
        try:
            canonical = mqmd.encode(descriptor)
        except UNFIT as problem:
            raise MQError(MQRC_MD_ERROR, why=str(problem)) from problem
        return from_canonical(canonical, self.link.session.dialect, version)

    def _completed(
        self, descriptor: MessageDescriptor, options: PutOptions, wire: bytes, completed: PutOptions, event: Event
    ) -> None:
        dialect = event.dialect if event.dialect is not None else self.link.session.dialect
        mqmd.complete(descriptor, to_canonical(wire, dialect))
        options.known = completed.known
        options.unknown = completed.unknown
        options.invalid = completed.invalid
        options.resolved_queue = completed.resolved_queue
        options.resolved_queue_manager = completed.resolved_queue_manager

    def _say(self, event: Event) -> bytes:
        event.conversation_id = self.conversation_id
        try:
            return self.link.session.send(event)
        except UNFIT as problem:
            raise refusal(event, problem) from problem

    def _call(self, call: Call, before: bytes = b"") -> Operation[Call]:
        """Send a call, after `before`, and wait for its reply; raises the error of a failed call."""
        reply = yield from self._exchange(call, before)
        _refuse(reply)
        return reply

    def _exchange(self, call: Call, before: bytes = b"") -> Operation[Call]:
        """Send a call and wait for its reply, whatever its outcome."""
        self.link.check()
        if not self.connected and not isinstance(call, mqapi.Connect):
            raise MQError(MQRC_HCONN_ERROR)
        inbox = self.inbox
        inbox.take_reply()
        data = before + self._say(call)
        # Replies come in the order of the calls: the reply to a broken-off call comes before this one's.
        self._awaited = max(self._awaited, inbox.replies) + 1
        try:
            while True:
                yield Step(data, True, None)
                data = b""
                if inbox.replies >= self._awaited:
                    break
                self.link.check()
        except GeneratorExit:
            if not self.link.session.multiplexed:  # no other call can be sent until it is answered, perhaps never
                self.link.fail(MQRC_CONNECTION_BROKEN, "a call was broken off")
            raise
        reply = inbox.take_reply()
        if not isinstance(reply, Call):
            raise _unexpected(reply)
        return reply


def _refuse(reply: Call, target: ObjectDescriptor | None = None) -> None:
    """Raise the error of a failed call, with its object, since a reply has only a reason code."""
    if reply.completion == FAILED:
        if reply.reason == MQRC_BACKED_OUT:
            raise BackedOut()
        if reply.reason == MQRC_NO_MSG_AVAILABLE:
            raise NoMessage()
        error = MQError(reply.reason)
        word = _KINDS.get(target.object_type) if target is not None else None
        if target is not None and word is not None:
            error.facts[word] = target.object_name.rstrip(b" \0").decode("ascii", "replace")
        raise error


def _tell_backed_out(reply: Call) -> None:
    """Warn the program that its unit of work was backed out and not committed."""
    if reply.reason == MQRC_BACKED_OUT:
        told = BackedOut()
        told.completion = reply.completion
        raise told


def _warn(reply: Call) -> None:
    """Raise the warning of a call that has done its work."""
    if reply.completion == WARNING:
        raise MQError(reply.reason, completion=WARNING)


def _unexpected(event: Event | None) -> Broken:
    kind = event.kind if event is not None else 0
    return Broken(MQRC_CONNECTION_BROKEN, why=f"an answer of type 0x{kind:02X} was not expected")


def _operating_user() -> bytes:
    try:
        return getpass.getuser().encode("latin-1", "replace")
    except (KeyError, OSError):
        return b"unknown"
