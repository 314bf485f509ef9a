"""The verbs of MQ's interface as a client speaks them: each a generator over a link, with no socket and no clock."""

import getpass
from typing import Final

from kew.channels.protocol import mqapi, spi
from kew.channels.protocol.delivery import (
    CLIENT_ASYNC_EMPTY,
    CONSUMED,
    DESCRIPTOR_CHARGE,
    FINAL_ATTEMPT,
    GET_INHIBITED,
    MATCH_CORRELATION_ID,
    MATCH_GROUP_ID,
    MATCH_MESSAGE_ID,
    MATCH_TOKEN,
    Q_STATE_REPLY,
    RELEASED,
    RESERVE,
    STREAMING_FAILURE,
    STREAMING_TXN_PAUSED,
    SYNCHRONOUS_GET,
    Message,
    Notification,
    RequestMessages,
    Selection,
)
from kew.channels.protocol.descriptor import from_canonical, to_canonical
from kew.channels.protocol.dialect import name, padded
from kew.channels.protocol.events import FAILED, OK, WARNING, Call, Event, Plain
from kew.channels.protocol.identity import Credentials, UserId
from kew.channels.protocol.messages import Get, GetReply, Put, Put1, Put1Reply, PutReply
from kew.channels.protocol.options import GetOptions, PutOptions
from kew.channels.protocol.segments import CONFIRM_REQUEST, MQBACK, MQCMIT, MQDISC
from kew.channels.protocol.structures import ObjectDescriptor, StatusReport
from kew.channels.protocol.subscription import SubscriptionDescriptor, SubscriptionRequestOptions
from kew.client import readahead
from kew.client.link import Inbox, Link, Operation, Step
from kew.client.opened import Opened
from kew.client.readahead import ONE_MESSAGE, READ_AHEAD_WINDOW
from kew.client.unanswered import MOST_IDS, NO_IDS, ReservedIds, is_asynchronous, tell_origin
from kew.codes.errors import BackedOut, Broken, MQError, NoMessage
from kew.codes.options import (
    MQCO_QUIESCE,
    MQGMO_ACCEPT_TRUNCATED_MSG,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT,
    MQGMO_SYNCPOINT,
    MQGMO_WAIT,
    MQMO_MATCH_MSG_SEQ_NUMBER,
    MQMO_MATCH_OFFSET,
    MQOT_Q,
    MQPMO_ASYNC_RESPONSE,
    MQPMO_NEW_CORREL_ID,
    MQPMO_NEW_MSG_ID,
    MQPMO_SYNC_RESPONSE,
    MQSO_READ_AHEAD,
)
from kew.codes.reasons import (
    MQRC_BACKED_OUT,
    MQRC_CONNECTION_BROKEN,
    MQRC_HCONN_ERROR,
    MQRC_HOBJ_QUIESCED,
    MQRC_HOBJ_QUIESCED_NO_MSGS,
    MQRC_MSG_TOO_BIG_FOR_CHANNEL,
    MQRC_NO_MSG_AVAILABLE,
    MQRC_NO_MSG_UNDER_CURSOR,
    MQRC_READ_AHEAD_MSGS,
    MQRC_TRUNCATED_MSG_ACCEPTED,
    MQRC_TRUNCATED_MSG_FAILED,
    MQRC_UNEXPECTED_ERROR,
)
from kew.codes.selectors import character_length, is_character
from kew.formats import mqmd
from kew.formats.mqmd import MessageDescriptor

HANDSHAKE_SECONDS: Final = 30.0
CONFIRMED_REQUEST: Final = 3  # the request id of a request that is confirmed
FIRST_BUFFER: Final = 65536
UNIX: Final = 6


class Received:
    """What a get brought: the message, its descriptor, and a warning where there is one."""

    def __init__(self, data: bytes, descriptor: MessageDescriptor, reason: int, full_length: int) -> None:
        self.data = data
        self.descriptor = descriptor
        self.reason = reason
        self.completion: int = WARNING if reason else OK
        self.full_length = full_length
        self.resolved_queue: str = ""
        self.token: bytes = bytes(16)

    def cut(self, length: int, reason: int) -> None:
        """Keep as much of the data as fits a program's buffer."""
        self.data = self.data[:length]
        self.reason, self.completion = reason, WARNING


class Verbs:
    """One conversation: a connection of an application to a queue manager."""

    def __init__(self, link: Link, conversation_id: int = 1) -> None:
        self.link = link
        self.conversation_id = conversation_id
        self.inbox: Inbox = link.inboxes[conversation_id]
        self.connected: bool = False
        self.connection_id: bytes = b""
        self.queue_manager: str = ""
        self._application: bytes = b""
        self._application_type: int = UNIX
        self._ids = NO_IDS
        self._may_reserve: bool = True
        self._ahead: dict[int, Opened] = {}  # handles that read ahead in units of work

    # Connecting.

    def negotiate(self) -> Operation[None]:
        """Agree with the server on the channel; once for a socket."""
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
        """MQCONNX: give credentials where there are any, and connect."""
        session = self.link.session
        agreed = session.agreed
        level = agreed.fap_level if agreed is not None else 17
        if user is not None:
            credentials = Credentials(user.encode("utf-8"), (password or "").encode("utf-8"))
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
        self.queue_manager = queue_manager
        self.connected = True

    def disconnect(self) -> Operation[None]:
        """MQDISC, and the end of the conversation; commits, as MQ does."""
        if self.connected and self.link.ready:
            try:
                yield from self._call(Plain(MQDISC), self._settle())
            except Broken:
                self.connected = False
                return
        self.connected = False
        if self.link.ready:
            data = self.link.session.end_conversation(self.conversation_id)
            self.link.inboxes.pop(self.conversation_id, None)
            if data:
                yield Step(data, False)

    # Units of work.

    def commit(self) -> Operation[None]:
        """MQCMIT."""
        reply = yield from self._exchange(Plain(MQCMIT), self._settle())
        if reply.reason == MQRC_BACKED_OUT:
            self._forget()
            told = BackedOut()
            told.completion = reply.completion
            raise told
        _refuse(reply)
        _warn(reply)

    def back_out(self) -> Operation[None]:
        """MQBACK."""
        yield from self._call(Plain(MQBACK), self._settle())
        self._forget()

    def _settle(self) -> bytes:
        """What tells the server which of the messages it has sent ahead the program has had: they are in its unit."""
        data = b""
        for opened in self._ahead.values():
            data += self._settle_one(opened)
        return data

    def _settle_one(self, opened: Opened) -> bytes:
        count = opened.unsettled
        if not count:
            return b""
        opened.unsettled = 0
        return self._say(Notification(opened.handle, CONSUMED, count))

    def _forget(self) -> None:
        """Forget what was sent ahead: the unit was backed out, and messages come again in their old order."""
        for opened in self._ahead.values():
            self.inbox.messages.pop(opened.handle, None)
            opened.asking = False
            opened.received_bytes = 0

    def let_go(self, opened: Opened) -> Operation[None]:
        """Give back what was sent ahead and the program has not had; the handle reads ahead no more."""
        yield from self._halt(opened)
        self.inbox.messages.pop(opened.handle, None)
        opened.reserving = False
        opened.window = ONE_MESSAGE
        opened.received_bytes = 0
        data = self._settle_one(opened)
        del self._ahead[opened.handle]
        yield Step(data + self._say(Notification(opened.handle, RELEASED, 0)), False)

    # Objects.

    def open(self, target: ObjectDescriptor, options: int) -> Operation[Opened]:
        """MQOPEN; of a distribution list the target is told what became of each destination, also where all fail."""
        readahead.check_open(options)
        reply = yield from self._exchange(mqapi.Open(target, options))
        if isinstance(reply, mqapi.Open) and target.records_present:
            target.extra = reply.target.extra
        _refuse(reply)
        if not isinstance(reply, mqapi.Open):
            raise _unexpected(reply)
        opened = Opened(reply.handle, reply.target, options)
        if reply.defaults is not None:
            opened.property_control = reply.defaults.property_control
            opened.read_ahead = reply.defaults.read_ahead
            opened.put_response = reply.defaults.put_response
        if self.link.reads_ahead:
            opened.window = readahead.window_of(options, opened.read_ahead)
        return opened

    def close(self, opened: Opened, options: int = 0) -> Operation[None]:
        """MQCLOSE; tells the server how far the handle has read.

        With MQCO_QUIESCE a handle that has messages which were read ahead stays open, for them to be got.
        """
        if opened.closed:
            return
        if options & MQCO_QUIESCE and opened.window > ONE_MESSAGE and not opened.reserving:
            yield from self._halt(opened)
            if self.inbox.messages.get(opened.handle):
                opened.quiesced = True
                raise MQError(MQRC_READ_AHEAD_MSGS, completion=WARNING)
        call = mqapi.Close(opened.handle, options)
        call.completion = opened.message_index
        reply = yield from self._call(call, self._settle_one(opened))
        opened.closed = True
        self._ahead.pop(opened.handle, None)
        self.inbox.messages.pop(opened.handle, None)
        _warn(reply)

    def inquire(self, opened: Opened, selectors: list[int]) -> Operation[dict[int, int | str]]:
        """MQINQ: the value of each selector."""
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
        return {selector: values[selector] for selector in selectors if selector in values}

    def set_attributes(self, opened: Opened, values: dict[int, int | str]) -> Operation[None]:
        """MQSET."""
        integers: list[int] = []
        characters = b""
        for selector, value in values.items():
            if isinstance(value, int):
                integers.append(value)
            else:
                characters += padded(value, character_length(selector))
        yield from self._call(mqapi.set_attributes(opened.handle, list(values), integers, characters))

    def status(self, status_type: int) -> Operation[StatusReport]:
        """MQSTAT: what became of asynchronous puts."""
        reply = yield from self._call(mqapi.Stat(status_type, StatusReport()))
        if not isinstance(reply, mqapi.Stat):
            raise _unexpected(reply)
        return reply.report

    def subscribe(
        self, descriptor: SubscriptionDescriptor, queue: Opened | None
    ) -> Operation[tuple[Opened, Opened, SubscriptionDescriptor]]:
        """MQSUB: the handles of the queue for publications and of the subscription, and its descriptor completed."""
        call = mqapi.Subscribe(descriptor)
        call.handle = -1 if queue is None else queue.handle
        reply = yield from self._call(call)
        if not isinstance(reply, mqapi.Subscribe):
            raise _unexpected(reply)
        target = ObjectDescriptor()
        where = queue if queue is not None else Opened(reply.handle, target, 0)
        if queue is None and descriptor.options & MQSO_READ_AHEAD and self.link.reads_ahead:
            where.window = READ_AHEAD_WINDOW
        return where, Opened(reply.subscription, target, descriptor.options), reply.descriptor

    def request_publications(self, subscription: Opened, action: int) -> Operation[int]:
        """MQSUBRQ: have retained publications sent; answers how many."""
        call = mqapi.SubscriptionRequest(action, SubscriptionRequestOptions())
        call.handle = subscription.handle
        reply = yield from self._call(call)
        if not isinstance(reply, mqapi.SubscriptionRequest):
            raise _unexpected(reply)
        return reply.options.publications

    # Messages.

    def put(self, opened: Opened, descriptor: MessageDescriptor, options: PutOptions, data: bytes) -> Operation[None]:
        """MQPUT: descriptor and options come back completed; of an asynchronous put see unanswered.py."""
        self._check_size(data)
        if is_asynchronous(opened, options, not self.link.local):
            yield from self._put_unanswered(opened, descriptor, options, data)
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
        _refuse(reply)
        if isinstance(reply, PutReply):
            self._completed(descriptor, options, reply.descriptor, reply.options, reply)
            _warn(reply)

    def _put_unanswered(
        self, opened: Opened, descriptor: MessageDescriptor, options: PutOptions, data: bytes
    ) -> Operation[None]:
        self.link.check()
        asked = options.options
        said = asked | MQPMO_ASYNC_RESPONSE
        if not options.records_present and opened.target.object_type == MQOT_Q:
            if asked & MQPMO_NEW_MSG_ID or not descriptor.message_id.strip(b"\0"):
                if not self._ids.left and self._may_reserve:
                    yield from self._reserve_ids()
                if self._ids.left:
                    descriptor.message_id = self._ids.take()
                    said &= ~MQPMO_NEW_MSG_ID
            if asked & MQPMO_NEW_CORREL_ID:
                if not self._ids.left and self._may_reserve:
                    yield from self._reserve_ids()
                if self._ids.left:
                    descriptor.correlation_id = self._ids.take()
                    said &= ~MQPMO_NEW_CORREL_ID
        call = Put(self._outgoing(descriptor), options, data)
        call.handle = opened.handle
        options.options = said
        wire = self._say(call)
        options.options = asked
        tell_origin(descriptor, asked, self._application, self._application_type)
        yield Step(wire, False)

    def _reserve_ids(self) -> Operation[None]:
        """Have message ids set aside; not to be asked again of a queue manager that has none."""
        dialect = self.link.session.dialect
        reply = yield from self._exchange(spi.reserve(MOST_IDS, dialect))
        self._may_reserve = False
        if isinstance(reply, spi.SpiCall) and reply.completion != FAILED:
            self._ids = ReservedIds(*spi.ids_reserved(reply, reply.dialect if reply.dialect is not None else dialect))
            self._may_reserve = self._ids.left > 0

    def _check_size(self, data: bytes) -> None:
        """Refuse what is longer than was agreed on; the server would end the connection."""
        most = self.link.session.max_message
        if len(data) > most:
            raise MQError(MQRC_MSG_TOO_BIG_FOR_CHANNEL, length=len(data), most=most)

    def put1(
        self, target: ObjectDescriptor, descriptor: MessageDescriptor, options: PutOptions, data: bytes
    ) -> Operation[None]:
        """MQPUT1."""
        self._check_size(data)
        asked = options.options
        options.options = asked & ~MQPMO_ASYNC_RESPONSE | MQPMO_SYNC_RESPONSE
        try:
            reply = yield from self._exchange(Put1(target, self._outgoing(descriptor), options, data))
        finally:
            options.options = asked
        if isinstance(reply, Put1Reply) and target.records_present:
            target.extra = reply.target.extra
            options.extra = reply.options.extra
        _refuse(reply)
        if isinstance(reply, Put1Reply):
            self._completed(descriptor, options, reply.descriptor, reply.options, reply)
            _warn(reply)

    def get(
        self, opened: Opened, descriptor: MessageDescriptor, options: GetOptions, max_length: int = -1
    ) -> Operation[Received]:
        """MQGET: the message, or NoMessage; a truncated one comes with its reason."""
        self.link.check()
        if self.link.session.multiplexed:
            received = yield from self._get_delivered(opened, descriptor, options, max_length)
        else:
            received = yield from self._get_called(opened, descriptor, options, max_length)
        return received

    def _get_called(
        self, opened: Opened, descriptor: MessageDescriptor, options: GetOptions, max_length: int
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
            received = Received(reply.payload, self._incoming(reply.descriptor, reply), reply.reason, reply.full_length)
            received.resolved_queue = name(reply.options.resolved_queue)
            received.token = reply.options.message_token
            return received

    def _get_delivered(
        self, opened: Opened, descriptor: MessageDescriptor, options: GetOptions, max_length: int
    ) -> Operation[Received]:
        data = b""
        selection = selection_of(descriptor, options)
        asked = options.options
        if opened.window > ONE_MESSAGE:
            kept = yield from self._begin_ahead(opened, selection, asked)
            if kept is not None:
                return self._shown(opened, kept, asked, max_length)
        room = -1 if opened.window > ONE_MESSAGE else max_length  # what is read ahead comes whole
        waiting = self.inbox.messages.get(opened.handle)
        place = self.find(opened, selection, asked)
        opened.failure = 0
        wait = asked & MQGMO_WAIT != 0
        limit = None if options.wait_interval < 0 else options.wait_interval / 1000.0
        if place < 0:
            if opened.quiesced:
                raise MQError(MQRC_HOBJ_QUIESCED if waiting else MQRC_HOBJ_QUIESCED_NO_MSGS, queue=opened.name)
            if not (opened.asking and wait and self._asked_for(opened, selection, asked)):
                data = self.ask(opened, selection, options, room, final=not wait)
        final = not wait and place < 0
        timed = False
        while final or place < 0:
            came = yield Step(data, True, None if final else limit, same_limit=timed)
            timed = not final
            data = b""
            self.link.check()
            ended = self._notice(opened)
            waiting = self.inbox.messages.get(opened.handle)
            place = self.find(opened, selection, asked)
            if ended or (opened.failure and not final):
                break
            if waiting and place >= 0 and not waiting[place].descriptor:
                break
            if place < 0 and not opened.asking and not opened.failure:
                data = self.ask(opened, selection, options, room)  # sending ahead had paused
                continue
            if not came and place < 0:
                # The server says nothing when the time is up: ask it for a message or for the word that there is none.
                data = self.ask(opened, selection, options, room, final=True)
                final = True
                timed = False  # the answer to this one is waited for, however late it comes
        if opened.failure:
            raise MQError(opened.failure, queue=opened.name)
        if not waiting or place < 0:
            raise NoMessage(queue=opened.name)
        received = self.take(opened, place, asked, max_length)
        again = self.ask_again(opened, selection, options)
        if again:
            yield Step(again, False)
        return received

    # Reading ahead.

    def _begin_ahead(self, opened: Opened, selection: Selection, options: int) -> Operation[Message | None]:
        """Let a get of a handle that reads ahead begin; gives the message where a browse wants the last one again."""
        if self.link.session.extended and opened.reserves(selection, options):
            self._ahead[opened.handle] = opened
            return None
        if opened.reserving:
            yield from self.let_go(opened)
            return None
        ahead = self.has_ahead(opened)
        opened.settle(selection, options, ahead)
        if opened.window > ONE_MESSAGE and ahead:
            if options & MQGMO_BROWSE_FIRST:
                yield from self._halt(opened)
                for passed in self.inbox.messages.pop(opened.handle, ()):
                    self._acknowledge(opened, passed)
            elif options & MQGMO_BROWSE_MSG_UNDER_CURSOR:
                if opened.under_cursor is None:
                    raise MQError(MQRC_NO_MSG_UNDER_CURSOR, queue=opened.name)
                return opened.under_cursor
        return None

    def has_ahead(self, opened: Opened) -> bool:
        """Whether there are messages for a handle, or may be on their way."""
        return opened.asking or bool(self.inbox.messages.get(opened.handle))

    def _halt(self, opened: Opened) -> Operation[None]:
        """Have nothing further sent for a handle that reads ahead, and take in what is on its way."""
        if not opened.asking:
            return
        options = GetOptions()
        options.options = opened.constant & MQGMO_BROWSE_NEXT
        data = self.ask(opened, readahead.nobody(), options, -1, final=True)
        while opened.asking:
            yield Step(data, True)
            data = b""
            self.link.check()
            self._notice(opened)
            waiting = self.inbox.messages.get(opened.handle)
            if waiting and not waiting[-1].descriptor:
                waiting.pop()
                opened.asking = False
        opened.failure = 0

    def find(self, opened: Opened, selection: Selection, options: int) -> int:
        """The place of the first message that has come for a handle and that a get takes; -1 for none."""
        waiting = self.inbox.messages.get(opened.handle)
        if not waiting:
            return -1
        index = opened.selection_index if self._asked_for(opened, selection, options) else -1
        return readahead.find(waiting, selection, index)

    def _asked_for(self, opened: Opened, selection: Selection, options: int) -> bool:
        """Whether the server was asked last for what a get wants."""
        return opened.selection is not None and readahead.same(opened.selection, selection, options)

    def take(self, opened: Opened, place: int, options: int, max_length: int) -> Received:
        """Take a message that has come for a handle; of one read ahead that is too long for the program a part."""
        waiting = self.inbox.messages[opened.handle]
        message = waiting[place]
        if opened.window <= ONE_MESSAGE or not message.descriptor:
            del waiting[place]
            return self._taken(opened, message)
        if 0 <= max_length < len(message.payload) and not options & MQGMO_ACCEPT_TRUNCATED_MSG:
            return self._shown(opened, message, options, max_length)
        del waiting[place]
        self._acknowledge(opened, message)
        if opened.reserving:
            opened.unsettled += 1
        if not opened.streaming:
            opened.asking = False
        if options & readahead.BROWSING:
            opened.under_cursor = message
        return self._shown(opened, message, options, max_length)

    def _shown(self, opened: Opened, message: Message, options: int, max_length: int) -> Received:
        """A message that was read ahead, as far as it fits."""
        received = self._received(opened, message)
        if 0 <= max_length < len(received.data):
            cut = MQRC_TRUNCATED_MSG_ACCEPTED if options & MQGMO_ACCEPT_TRUNCATED_MSG else MQRC_TRUNCATED_MSG_FAILED
            received.cut(max_length, cut)
        return received

    def _notice(self, opened: Opened) -> bool:
        """Take notifications; whether one has said that no message is to be expected."""
        ended = False
        while self.inbox.notifications:
            notification = self.inbox.notifications.popleft()
            if notification.handle != opened.handle:
                continue
            if notification.code in (Q_STATE_REPLY, CLIENT_ASYNC_EMPTY):
                opened.asking = False
                ended = True
            elif notification.code == STREAMING_TXN_PAUSED:
                opened.asking = False
            elif notification.code in (GET_INHIBITED, STREAMING_FAILURE):
                opened.asking = False
                opened.failure = notification.value
        return ended

    def _taken(self, opened: Opened, message: Message) -> Received:
        """What a message that came for a handle is to its program."""
        if not message.descriptor:
            opened.asking = False
            if message.reason == MQRC_NO_MSG_AVAILABLE:
                raise NoMessage(queue=opened.name)
            raise MQError(message.reason or MQRC_UNEXPECTED_ERROR, queue=opened.name)
        self._acknowledge(opened, message)
        if not opened.streaming:
            opened.asking = False
        return self._received(opened, message)

    def _acknowledge(self, opened: Opened, message: Message) -> None:
        """Take note of a message that is taken, for the server to be told."""
        opened.received_bytes += DESCRIPTOR_CHARGE + len(message.payload)
        opened.message_index = message.message_index
        opened.global_index = message.global_index
        if message.resolved_name:
            opened.resolved_name = name(message.resolved_name)

    def _received(self, opened: Opened, message: Message) -> Received:
        received = Received(
            message.payload,
            self._incoming(message.descriptor, message),
            message.reason,
            max(message.total_length, len(message.payload)),
        )
        received.resolved_queue = opened.resolved_name
        received.token = message.token
        return received

    def ask(
        self,
        opened: Opened,
        selection: Selection,
        options: GetOptions,
        max_length: int,
        final: bool = False,
        one: bool = False,
    ) -> bytes:
        """What to send to have messages sent for a handle, or one; a final request is answered in any case."""
        return self._settle_one(opened) + self._say(self._request(opened, selection, options, max_length, final, one))

    def _request(
        self, opened: Opened, selection: Selection, options: GetOptions, max_length: int, final: bool, one: bool
    ) -> RequestMessages:
        reserving = opened.reserving and options.options & MQGMO_SYNCPOINT != 0
        window = ONE_MESSAGE if one else readahead.window_for(opened.window, options.options)
        if reserving:
            window = opened.window
        opened.asking = True
        opened.streaming = window > ONE_MESSAGE
        request = RequestMessages(opened.handle)
        request.options = options.options
        request.wait_interval = options.wait_interval
        request.max_length = max_length
        request.requested_bytes = window
        request.received_bytes = opened.received_bytes
        request.last_index = opened.global_index
        request.request_flags = 0 if opened.streaming else SYNCHRONOUS_GET
        if reserving:
            request.request_flags |= RESERVE
        if final:
            request.flags |= CONFIRM_REQUEST
            request.request_flags |= FINAL_ATTEMPT
            request.request_id = CONFIRMED_REQUEST
            request.wait_interval = 0
        opened.received_bytes = 0
        if not self._asked_for(opened, selection, options.options):
            opened.selection_index = (opened.selection_index + 1) & 0xFFFF
            selection.index = opened.selection_index
            opened.selection = selection
            request.selection = selection
        return request

    def ask_again(self, opened: Opened, selection: Selection, options: GetOptions) -> bytes:
        """What opens the window of a handle that reads ahead again, once half of it has been taken."""
        if not opened.asking or not opened.streaming or opened.received_bytes * 2 < opened.window:
            return b""
        return self.ask(opened, selection, options, -1)

    # The ways to and from the wire.

    def _outgoing(self, descriptor: MessageDescriptor, version: int = 2) -> bytes:
        return from_canonical(mqmd.encode(descriptor), self.link.session.dialect, version)

    def _incoming(self, descriptor: bytes, event: Event) -> MessageDescriptor:
        dialect = event.dialect if event.dialect is not None else self.link.session.dialect
        return mqmd.decode(to_canonical(descriptor, dialect))

    def _completed(
        self, descriptor: MessageDescriptor, options: PutOptions, wire: bytes, completed: PutOptions, event: Event
    ) -> None:
        filled = self._incoming(wire, event)
        descriptor.message_id = filled.message_id
        descriptor.correlation_id = filled.correlation_id
        descriptor.priority = filled.priority
        descriptor.persistence = filled.persistence
        descriptor.user_identifier = filled.user_identifier
        descriptor.accounting_token = filled.accounting_token
        descriptor.application_identity_data = filled.application_identity_data
        descriptor.put_application_type = filled.put_application_type
        descriptor.put_application_name = filled.put_application_name
        descriptor.put_date = filled.put_date
        descriptor.put_time = filled.put_time
        descriptor.application_origin_data = filled.application_origin_data
        descriptor.group_id = filled.group_id
        descriptor.sequence_number = filled.sequence_number
        descriptor.offset = filled.offset
        descriptor.message_flags = filled.message_flags
        descriptor.original_length = filled.original_length
        options.known = completed.known
        options.unknown = completed.unknown
        options.invalid = completed.invalid
        options.resolved_queue = completed.resolved_queue
        options.resolved_queue_manager = completed.resolved_queue_manager

    def _say(self, event: Event) -> bytes:
        event.conversation_id = self.conversation_id
        return self.link.session.send(event)

    def _call(self, call: Call, before: bytes = b"") -> Operation[Call]:
        """Send a call, after something else, and wait for its reply; a failed one is raised."""
        reply = yield from self._exchange(call, before)
        _refuse(reply)
        return reply

    def _exchange(self, call: Call, before: bytes = b"") -> Operation[Call]:
        """Send a call and wait for its reply, whatever it says."""
        self.link.check()
        if not self.connected and not isinstance(call, mqapi.Connect):
            raise MQError(MQRC_HCONN_ERROR)
        self.inbox.reply = None
        data = before + self._say(call)
        while True:
            yield Step(data, True, None)
            data = b""
            reply = self.inbox.reply
            if reply is not None:
                break
            self.link.check()
        self.inbox.reply = None
        if not isinstance(reply, Call):
            raise _unexpected(reply)
        return reply


def _refuse(reply: Call) -> None:
    """Raise what a call has failed with."""
    if reply.completion == FAILED:
        if reply.reason == MQRC_BACKED_OUT:
            raise BackedOut()
        if reply.reason == MQRC_NO_MSG_AVAILABLE:
            raise NoMessage()
        raise MQError(reply.reason)


def _warn(reply: Call) -> None:
    """Tell the program of a warning that a call has ended with which has done its work."""
    if reply.completion == WARNING:
        raise MQError(reply.reason, completion=WARNING)


def selection_of(descriptor: MessageDescriptor, options: GetOptions) -> Selection:
    """Which message a get wants."""
    selection = Selection()
    match = _criteria(descriptor, options)
    selection.match_options = match
    selection.ccsid = descriptor.ccsid
    selection.encoding = descriptor.encoding
    selection.descriptor_version = options.descriptor_version
    if match & MATCH_MESSAGE_ID:
        selection.message_id = descriptor.message_id.ljust(24, b"\0")
    if match & MATCH_CORRELATION_ID:
        selection.correlation_id = descriptor.correlation_id.ljust(24, b"\0")
    if match & MATCH_GROUP_ID:
        selection.group_id = descriptor.group_id.ljust(24, b"\0")
    if match & MATCH_TOKEN:
        selection.token = options.message_token
    if match & (MQMO_MATCH_MSG_SEQ_NUMBER | MQMO_MATCH_OFFSET):
        selection.sequence_number = descriptor.sequence_number
        selection.offset = descriptor.offset
    return selection


def _criteria(descriptor: MessageDescriptor, options: GetOptions) -> int:
    """The match options, less those whose id is empty and so matches anything."""
    match = options.match_options if options.version >= 2 else MATCH_MESSAGE_ID | MATCH_CORRELATION_ID
    if not descriptor.message_id.strip(b"\0"):
        match &= ~MATCH_MESSAGE_ID
    if not descriptor.correlation_id.strip(b"\0"):
        match &= ~MATCH_CORRELATION_ID
    if not descriptor.group_id.strip(b"\0"):
        match &= ~MATCH_GROUP_ID
    if not options.message_token.strip(b"\0"):
        match &= ~MATCH_TOKEN
    return match


def _unexpected(event: Event) -> Broken:
    return Broken(MQRC_CONNECTION_BROKEN, why=f"an answer of type 0x{event.kind:02X} was not expected")


def _operating_user() -> bytes:
    try:
        return getpass.getuser().encode("latin-1", "replace")
    except (KeyError, OSError):
        return b"unknown"
