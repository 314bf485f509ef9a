"""MQGET on a shared conversation: the server is asked for messages and sends one, or as many as are read ahead.

The rules of read-ahead are in readahead.py. Between Kew and Kew messages are sent ahead in a unit of work too: a
message belongs to the unit once the program has had the message, which the client reports before the unit ends and with
each request.
"""

from typing import Final

from kew.channels.protocol.delivery import (
    CLIENT_ASYNC_EMPTY,
    CONSUMED,
    DESCRIPTOR_CHARGE,
    FINAL_ATTEMPT,
    GET_INHIBITED,
    NEEDED,
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
from kew.channels.protocol.dialect import CLIENT_DIALECT, name
from kew.channels.protocol.events import Event
from kew.channels.protocol.options import GetOptions
from kew.channels.protocol.segments import CONFIRM_REQUEST
from kew.client import readahead
from kew.client.arguments import UNFIT, refusal
from kew.client.link import Inbox, Link, Operation, Step
from kew.client.openobject import Kept, OpenObject
from kew.client.readahead import ONE_MESSAGE
from kew.client.received import Received, selection_of
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQGMO_ACCEPT_TRUNCATED_MSG,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT,
    MQGMO_SYNCPOINT,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
    MQGMO_WAIT,
    MQPER_NOT_PERSISTENT,
)
from kew.codes.reasons import (
    MQRC_HOBJ_QUIESCED,
    MQRC_HOBJ_QUIESCED_NO_MSGS,
    MQRC_NO_MSG_AVAILABLE,
    MQRC_NO_MSG_UNDER_CURSOR,
    MQRC_TRUNCATED_MSG_ACCEPTED,
    MQRC_TRUNCATED_MSG_FAILED,
    MQRC_UNEXPECTED_ERROR,
)
from kew.formats.mqmd import MessageDescriptor

CONFIRMED_REQUEST: Final = 3  # the request id of a request that is confirmed


class ConversationGets:
    """The gets of a conversation: requests, messages that have come, and read-ahead, by handle."""

    def __init__(self, link: Link, conversation_id: int) -> None:
        self._link = link
        self._conversation_id = conversation_id
        self.inbox: Inbox = link.inboxes[conversation_id]
        self._handles: dict[int, OpenObject] = {}  # handles with a request at the server
        self.disturbed: bool = False  # a get was broken off since the unit of work began
        self._unseen: bool = False  # the unit has a message that the program cannot get any more: its handle is closed
        self._reserving: dict[int, OpenObject] = {}  # handles with messages sent ahead that are got in the unit

    def get(
        self, opened: OpenObject, descriptor: MessageDescriptor, options: GetOptions, max_length: int
    ) -> Operation[Received]:
        """Get a message (MQGET), or raise NoMessage; a truncated message comes with its reason code."""
        self._link.check()
        data = b""
        selection = selection_of(descriptor, options)
        asked = options.options
        if opened.left:
            yield from self.come_to_rest(opened)
        if opened.kept:
            kept = self.take_kept(opened, selection, asked, max_length)
            if kept is not None:
                return kept
        if opened.window > ONE_MESSAGE and not self._reserves(opened, selection, asked):
            if opened.reserving:
                yield from self.let_go(opened)
            elif self.admit(opened, selection, asked) and asked & MQGMO_BROWSE_FIRST:
                yield from self._begin_anew(opened)
            elif asked & MQGMO_BROWSE_MSG_UNDER_CURSOR and self.has_ahead(opened):
                return self._under_cursor(opened, asked, max_length)
        room = -1 if opened.window > ONE_MESSAGE else max_length  # messages read ahead come whole
        place = self.find(opened, selection, asked)
        opened.failure = 0
        wait = asked & MQGMO_WAIT != 0
        limit = None if options.wait_interval < 0 else options.wait_interval / 1000.0
        if place < 0:
            if opened.quiesced:
                others = self.inbox.messages.get(opened.handle)
                raise MQError(MQRC_HOBJ_QUIESCED if others else MQRC_HOBJ_QUIESCED_NO_MSGS, queue=opened.name)
            if self.inbox.notifications:
                self._notice(opened)  # perhaps a pause: nothing more is sent before the next request
                opened.failure = 0
            if not (opened.asking and wait and _asked_for(opened, selection, asked)):
                data = self.ask(opened, selection, options, room, final=not wait)
        final = not wait and place < 0
        timed = False
        while final or place < 0:
            try:
                came = yield Step(data, True, None if final else limit, same_limit=timed)
            except GeneratorExit:
                self.leave(opened)
                raise
            timed = not final
            data = b""
            self._link.check()
            ended = self._notice(opened)
            place = self.find(opened, selection, asked)
            if ended or (opened.failure and not final):
                break
            if place >= 0 and (not opened.asking or not self.inbox.messages[opened.handle][place].descriptor):
                break
            if place < 0 and not opened.asking and not opened.failure:
                if opened.reserving:
                    yield from self._make_room(opened)
                data = self.ask(opened, selection, options, room, final=final)  # sending ahead had paused
            elif not came and place < 0:
                # The server sends nothing when the time is up: ask it for a message or for the status that there is
                # none.
                data = self.ask(opened, selection, options, room, final=True)
                final = True
                timed = False  # the reply to this one is waited for, however late it comes
        if opened.failure:
            raise MQError(opened.failure, queue=opened.name)
        if place < 0:
            raise NoMessage(queue=opened.name)
        received = self.take(opened, place, asked, max_length)
        again = self.ask_again(opened, selection, options)
        if again:
            yield Step(again, False)
        return received

    def at_hand(
        self, opened: OpenObject, descriptor: MessageDescriptor, options: GetOptions, max_length: int
    ) -> Received | None:
        """Give the message for a get that needs no exchange with the server; None if the get needs one."""
        waiting = self.inbox.messages.get(opened.handle)
        asked = options.options
        if not waiting or opened.window <= ONE_MESSAGE or asked & readahead.BROWSING:
            return None
        selection = selection_of(descriptor, options)
        self._link.check()
        if not self._reserves(opened, selection, asked):
            if opened.reserving:
                return None
            self.admit(opened, selection, asked)
        place = self.find(opened, selection, asked)
        if place < 0 or opened.window <= ONE_MESSAGE or _used_up(opened, waiting[place]):
            return None
        opened.failure = 0
        return self.take(opened, place, asked, max_length)

    def find(self, opened: OpenObject, selection: Selection, options: int) -> int:
        """Give the position of the first message of a handle that a get takes; -1 for none."""
        waiting = self.inbox.messages.get(opened.handle)
        if not waiting:
            return -1
        index = opened.selection_index if _asked_for(opened, selection, options) else -1
        return readahead.find(waiting, selection, index)

    def take(self, opened: OpenObject, place: int, options: int, max_length: int) -> Received:
        """Take a message of a handle; one read ahead and too long is cut, and stays if truncation is not accepted."""
        waiting = self.inbox.messages[opened.handle]
        message = waiting[place]
        if not message.descriptor:
            del waiting[place]
            opened.asking = False
            if message.reason == MQRC_NO_MSG_AVAILABLE:
                raise NoMessage(queue=opened.name)
            raise MQError(message.reason or MQRC_UNEXPECTED_ERROR, queue=opened.name)
        ahead = opened.window > ONE_MESSAGE
        if ahead and 0 <= max_length < len(message.payload) and not options & MQGMO_ACCEPT_TRUNCATED_MSG:
            return self._shown(opened, message, options, max_length)  # and the message stays
        del waiting[place]
        self._acknowledge(opened, message)
        if not opened.streaming:
            opened.asking = False
        if opened.reserving:
            opened.unsettled += 1
        if not ahead:
            return self._received(opened, message)
        if options & readahead.BROWSING:
            opened.under_cursor = message
        return self._shown(opened, message, options, max_length)

    def _notice(self, opened: OpenObject) -> bool:
        """Act on notifications; says whether one of them means that no message will come for the handle."""
        ended = False
        while self.inbox.notifications:
            notification = self.inbox.notifications.popleft()
            concerned = self._handles.get(notification.handle)
            if concerned is None:
                continue
            if notification.code in (Q_STATE_REPLY, CLIENT_ASYNC_EMPTY):
                concerned.asking = False
                concerned.left = False
                ended = ended or concerned is opened
            elif notification.code == STREAMING_TXN_PAUSED:
                concerned.asking = False
            elif notification.code in (GET_INHIBITED, STREAMING_FAILURE):
                concerned.asking = False
                concerned.failure = notification.value
        return ended

    def _acknowledge(self, opened: OpenObject, message: Message) -> None:
        """Count a message that is taken; the next request acknowledges it."""
        opened.received_bytes += DESCRIPTOR_CHARGE + len(message.payload)
        opened.message_index = message.message_index
        opened.global_index = message.global_index
        if message.resolved_name:
            opened.resolved_name = name(message.resolved_name)

    def _received(self, opened: OpenObject, message: Message) -> Received:
        dialect = message.dialect if message.dialect is not None else self._link.session.dialect
        length = max(message.total_length, len(message.payload))
        received = Received(message.payload, message.descriptor, dialect, message.reason, length)
        received.resolved_queue = opened.resolved_name
        received.token = message.token
        return received

    # Requests.

    def ask(
        self,
        opened: OpenObject,
        selection: Selection,
        options: GetOptions,
        max_length: int,
        final: bool = False,
        one: bool = False,
        needed: bool = True,
    ) -> bytes:
        """Make the request for messages for a handle, or for one; a final request is always answered.

        `needed` says that the program waits for the first message.
        """
        settled = self.settle_one(opened)
        self._handles[opened.handle] = opened
        asked = options.options
        reserving = opened.reserving and asked & MQGMO_SYNCPOINT != 0
        window = ONE_MESSAGE if one else readahead.window_for(opened.window, asked)
        if reserving:
            window = opened.window
        opened.asking = True
        opened.final = final
        opened.asked_options = asked
        opened.streaming = window > ONE_MESSAGE
        request = RequestMessages(opened.handle)
        request.options = asked
        request.wait_interval = options.wait_interval
        request.max_length = max_length
        request.requested_bytes = window
        request.received_bytes = opened.received_bytes
        request.last_index = opened.global_index
        request.request_flags = 0 if opened.streaming else SYNCHRONOUS_GET
        if reserving:
            request.request_flags |= RESERVE
        elif needed and opened.streaming and self._link.session.extended:
            request.request_flags |= NEEDED
        if final:
            request.flags |= CONFIRM_REQUEST
            request.request_flags |= FINAL_ATTEMPT
            request.request_id = CONFIRMED_REQUEST
            request.wait_interval = 0
        opened.received_bytes = 0
        if not _asked_for(opened, selection, asked):
            opened.selection_index = (opened.selection_index + 1) & 0xFFFF
            selection.index = opened.selection_index
            opened.selection = selection
            request.selection = selection
        return settled + self._say(request)

    def ask_again(self, opened: OpenObject, selection: Selection, options: GetOptions) -> bytes:
        """Make the request that opens the window of a handle with read-ahead again; empty until half of it is used."""
        if not opened.asking or not opened.streaming or opened.received_bytes * 2 < opened.window:
            return b""
        return self.ask(opened, selection, options, -1, needed=False)

    def _say(self, event: Event) -> bytes:
        event.conversation_id = self._conversation_id
        try:
            return self._link.session.send(event)
        except UNFIT as problem:
            raise refusal(event, problem) from problem

    # Broken-off gets.

    def leave(self, opened: OpenObject) -> None:
        """Withdraw a get that its program has broken off; messages read ahead, or on their way, wait for the next get.

        This is `halt` without waiting for the reply. A final request needs no withdrawal, since the server always
        answers it.
        """
        if not opened.asking or opened.streaming or self._link.failure is not None:
            return
        opened.left = True
        self.disturbed = True
        if not opened.final:
            asked = opened.asked_options
            options = GetOptions()
            options.options = MQGMO_BROWSE_NEXT if asked & readahead.BROWSING else 0
            self._link.say_later(self.ask(opened, readahead.nobody(), options, -1, final=True, one=True))
            opened.asked_options = asked

    def come_to_rest(self, opened: OpenObject) -> Operation[None]:
        """Wait until a broken-off get is over, and keep its message for later gets."""
        self._notice(opened)
        while opened.left and not self._says_none(opened):
            yield Step(b"", True)
            self._link.check()
            self._notice(opened)
        opened.left = False
        opened.asking = False
        opened.failure = 0
        asked = opened.asked_options
        for message in self.inbox.messages.pop(opened.handle, ()):
            self._acknowledge(opened, message)
            if message.descriptor and not asked & readahead.BROWSING and message.reason != MQRC_TRUNCATED_MSG_FAILED:
                opened.kept.append(Kept(message, _in_unit(message, asked)))

    def _says_none(self, opened: OpenObject) -> bool:
        """Say whether the last item received for a handle is a status that there is no message."""
        waiting = self.inbox.messages.get(opened.handle)
        return waiting is not None and len(waiting) > 0 and not waiting[-1].descriptor

    def settle_down(self) -> Operation[None]:
        """Wait until all broken-off gets are over."""
        for opened in list(self._handles.values()):
            if opened.left:
                yield from self.come_to_rest(opened)

    def unseen(self) -> Operation[bool]:
        """Say whether the unit of work has messages that were got and that the program has not had."""
        yield from self.settle_down()
        unseen = self._unseen
        for opened in self._handles.values():
            for each in opened.kept:
                unseen = unseen or each.in_unit
        self.disturbed = unseen
        return unseen

    def take_kept(self, opened: OpenObject, selection: Selection, options: int, max_length: int) -> Received | None:
        """Give the first message kept from a broken-off get that matches this get; None without one."""
        for place, each in enumerate(opened.kept):
            message = each.message
            if options & readahead.BROWSING or not readahead.fits(message, selection, -1):
                continue
            too_long = 0 <= max_length < len(message.payload)
            if not too_long or options & MQGMO_ACCEPT_TRUNCATED_MSG:
                del opened.kept[place]
            return self._shown(opened, message, options, max_length)
        return None

    # Reading ahead.

    def has_ahead(self, opened: OpenObject) -> bool:
        """Say whether messages for a handle have come, or may be on their way."""
        return opened.asking or bool(self.inbox.messages.get(opened.handle))

    def admit(self, opened: OpenObject, selection: Selection, options: int) -> bool:
        """Check that a get of a handle with read-ahead is permitted; says whether messages may have been read ahead."""
        ahead = self.has_ahead(opened)
        opened.settle(selection, options, ahead)
        return ahead and opened.window > ONE_MESSAGE

    def _begin_anew(self, opened: OpenObject) -> Operation[None]:
        """Have a browse with read-ahead begin at the first message: messages read ahead are dropped."""
        yield from self.halt(opened)
        for passed in self.inbox.messages.pop(opened.handle, ()):
            self._acknowledge(opened, passed)

    def _under_cursor(self, opened: OpenObject, options: int, max_length: int) -> Received:
        """Give the message that a browse with read-ahead took last, since the server's browse cursor is elsewhere."""
        if opened.under_cursor is None:
            raise MQError(MQRC_NO_MSG_UNDER_CURSOR, queue=opened.name)
        return self._shown(opened, opened.under_cursor, options, max_length)

    def halt(self, opened: OpenObject) -> Operation[bool]:
        """Stop read-ahead of a handle, and receive the messages on their way; says whether there are any.

        A request for an id that no message has replaces the outstanding request.
        """
        data = b""
        if opened.asking:
            options = GetOptions()
            options.options = opened.constant & MQGMO_BROWSE_NEXT
            data = self.ask(opened, readahead.nobody(), options, -1, final=True, one=True)
        while opened.asking:
            yield Step(data, True)
            data = b""
            self._link.check()
            self._notice(opened)
            waiting = self.inbox.messages.get(opened.handle)
            if waiting and not waiting[-1].descriptor:
                waiting.pop()
                opened.asking = False
        opened.failure = 0
        return bool(self.inbox.messages.get(opened.handle))

    def _shown(self, opened: OpenObject, message: Message, options: int, max_length: int) -> Received:
        """Give a message that was read ahead, as far as it fits the buffer."""
        received = self._received(opened, message)
        if 0 <= max_length < len(received.data):
            cut = MQRC_TRUNCATED_MSG_ACCEPTED if options & MQGMO_ACCEPT_TRUNCATED_MSG else MQRC_TRUNCATED_MSG_FAILED
            received.cut(max_length, cut)
        return received

    # Messages sent ahead in a unit of work.

    def settle(self) -> bytes:
        """Make the segments that report which reserved messages the program has had, and so are in its unit of work."""
        data = b""
        for opened in self._reserving.values():
            data += self.settle_one(opened)
        return data

    def settle_one(self, opened: OpenObject) -> bytes:
        """Make the segment that reports which reserved messages of one handle the program has had."""
        count = opened.unsettled
        if not count:
            return b""
        opened.unsettled = 0
        return self._say(Notification(opened.handle, CONSUMED, count))

    def _reserves(self, opened: OpenObject, selection: Selection, options: int) -> bool:
        """Say whether a get in a unit of work takes messages read ahead, which only Kew's own server sends."""
        if not options & MQGMO_SYNCPOINT or not self._link.session.extended:
            return False
        if not opened.reserves(selection, options):
            return False
        self._reserving[opened.handle] = opened
        return True

    def _make_room(self, opened: OpenObject) -> Operation[None]:
        """Release the reservations of other handles, so that the unit of work has room for this handle."""
        for other in list(self._reserving.values()):
            if other is not opened:
                yield from self.let_go(other)

    def let_go(self, opened: OpenObject) -> Operation[None]:
        """Release the messages sent ahead that the program has not had; the handle reads ahead no more."""
        yield from self.halt(opened)
        self.inbox.messages.pop(opened.handle, None)
        opened.reserving = False
        opened.window = ONE_MESSAGE
        opened.received_bytes = 0
        data = self.settle_one(opened)
        del self._reserving[opened.handle]
        yield Step(data + self._say(Notification(opened.handle, RELEASED, 0)), False)

    def backed_out(self) -> None:
        """Forget the messages sent ahead: the unit was backed out, and messages come again in their old order."""
        if self.disturbed:
            self.disturbed = False
            self._unseen = False
            for each in self._handles.values():
                each.kept = [kept for kept in each.kept if not kept.in_unit]
        for opened in self._reserving.values():
            self.inbox.messages.pop(opened.handle, None)
            opened.asking = False
            opened.received_bytes = 0

    def closed(self, opened: OpenObject) -> None:
        """Forget a handle that is closed."""
        for kept in opened.kept:
            self._unseen = self._unseen or kept.in_unit
        self._handles.pop(opened.handle, None)
        self._reserving.pop(opened.handle, None)
        self.inbox.messages.pop(opened.handle, None)


def _used_up(opened: OpenObject, message: Message) -> bool:
    """Say whether half of a handle's window is used once this message is taken."""
    return (opened.received_bytes + DESCRIPTOR_CHARGE + len(message.payload)) * 2 >= opened.window


def _asked_for(opened: OpenObject, selection: Selection, options: int) -> bool:
    """Say whether the last request to the server was for the messages that a get wants."""
    return opened.selection is not None and readahead.same(opened.selection, selection, options)


def _in_unit(message: Message, options: int) -> bool:
    """Say whether a get with such options takes a message in the unit of work."""
    if options & MQGMO_SYNCPOINT_IF_PERSISTENT:
        dialect = message.dialect if message.dialect is not None else CLIENT_DIALECT
        received = Received(message.payload, message.descriptor, dialect, message.reason, 0)
        return received.descriptor.persistence != MQPER_NOT_PERSISTENT
    return options & MQGMO_SYNCPOINT != 0
