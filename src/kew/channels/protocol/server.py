"""The server's side of a client channel: offers, conversations, and each handle's delivery of messages.

The owner acts on events in this order: ChannelRequested: accept or refuse; ChannelStarted; UserId and Credentials: keep
both for MQCONN, which checks them (the session acknowledges Credentials at once, as queue managers do); Connect: send a
reply; then calls and replies, RequestMessages and Messages, until ConversationEnded or ChannelEnded.
"""

from typing import Final

from kew.channels.protocol.control import (
    ACCEPT_CONVERSATION,
    END_CONVERSATION,
    START_CONVERSATION,
    SocketAction,
    accepted,
    decode_socket_action,
)
from kew.channels.protocol.conversation import FIRST_CONVERSATION, ClientChannelSession, Conversation, MessageWindow
from kew.channels.protocol.delivery import DESCRIPTOR_CHARGE, Message, RequestMessages
from kew.channels.protocol.dialect import SERVER_DIALECT, Dialect
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import FAILED, Call, Event
from kew.channels.protocol.framing import frame
from kew.channels.protocol.identity import Credentials
from kew.channels.protocol.lifecycle import (
    ChannelEnded,
    ConversationEnded,
    ConversationStarted,
)
from kew.channels.protocol.mqapi import Close
from kew.channels.protocol.segments import (
    CLOSE_CHANNEL,
    FORM_MULTIPLEXED,
    FORM_PLAIN,
    MQCONN,
    MQGET,
    REPLY,
    Segment,
)
from kew.channels.protocol.session import HEARTBEAT_GRACE
from kew.channels.protocol.states import (
    CLOSED,
    CONNECTED,
    READY,
    REFUSING,
    after_client,
    after_server,
)
from kew.channels.protocol.status import CONVERSATION_ID_ERROR, INVALID_HANDLE, SOCKET_ACTION_ERROR

MAX_DELIVERIES: Final = 10000
MOST_UNCONNECTED: Final = 16  # conversations of a pending connection, whatever SHARECNV allows


class ServerSession(ClientChannelSession):
    """One accepted socket, seen from the queue manager."""

    def __init__(self, dialect: Dialect = SERVER_DIALECT) -> None:
        super().__init__(dialect, HEARTBEAT_GRACE)

    # Conversations.

    def _socket_action(self, segment: Segment, events: list[Event]) -> None:
        action = decode_socket_action(segment.data, segment.body, segment.end, segment.dialect)
        if self.state != READY or not self.multiplexed:
            raise ProtocolError(segment.start, "a shared socket", "a socket action", SOCKET_ACTION_ERROR)
        number = action.conversation
        if action.action == START_CONVERSATION:
            self._start_conversation(number, segment, events)
        elif action.action == END_CONVERSATION:
            if number not in self.conversations:
                raise ProtocolError(segment.body, "a conversation that exists", number, CONVERSATION_ID_ERROR)
            self._drop(number)
            events.append(ConversationEnded(number))
            if segment.flags & CLOSE_CHANNEL or not self.conversations:
                for other in list(self.conversations):
                    events.append(ConversationEnded(other))
                self.conversations.clear()
                self.state = CLOSED
                events.append(ChannelEnded(0))
        else:
            raise ProtocolError(segment.body + 8, "socket action 1 or 2", action.action, SOCKET_ACTION_ERROR)

    def _start_conversation(self, number: int, segment: Segment, events: list[Event]) -> None:
        agreed = self.agreed
        limit = agreed.conversations if agreed is not None else 0
        if not self.established:
            limit = min(limit, MOST_UNCONNECTED)
        if number < 1 or number % 2 == 0 or number in self.conversations or len(self.conversations) >= limit:
            raise ProtocolError(
                segment.body, f"a new odd conversation id, at most {limit} in all", number, CONVERSATION_ID_ERROR
            )
        self._add_conversation(number)
        reply = SocketAction(ACCEPT_CONVERSATION, number)
        if agreed is not None:
            reply.parameter1 = agreed.thread_id
            reply.parameter2 = agreed.trace_id
        reply.flags = 0
        reply.conversation_id = number
        self._put_out(frame(reply, FORM_MULTIPLEXED, self.dialect, self.max_segment))
        events.append(ConversationStarted(number))

    def _status_received(self, segment: Segment, events: list[Event]) -> None:
        """Ignore a client's STATUS_DATA without a body."""

    def end_conversation(self, conversation_id: int) -> None:
        """Forget a conversation that the owner gives up, without a segment to the client."""
        self._drop(conversation_id)

    # Calls.

    def _after(self, state: int, kind: int) -> int:
        return after_client(state, kind)

    def _received(self, conversation: Conversation, event: Event) -> None:
        if isinstance(event, RequestMessages):
            self._requested(conversation, event)
        elif isinstance(event, Close):
            conversation.deliveries.pop(event.handle, None)
        elif isinstance(event, Credentials):
            status = accepted()
            status.conversation_id = conversation.conversation_id
            form = FORM_MULTIPLEXED if self.multiplexed else FORM_PLAIN
            self._put_out(frame(status, form, self.dialect, self.max_segment))
        elif event.kind == MQGET:
            conversation.waiting_get = True

    def _requested(self, conversation: Conversation, request: RequestMessages) -> None:
        delivery = conversation.deliveries.get(request.handle)
        if delivery is None:
            if len(conversation.deliveries) >= MAX_DELIVERIES:
                raise ProtocolError(0, f"at most {MAX_DELIVERIES} handles that ask for messages", None, INVALID_HANDLE)
            delivery = MessageWindow()
            conversation.deliveries[request.handle] = delivery
        # A request that wants to be confirmed has an id of its own, for the confirmation and not for the messages.
        if not request.confirm:
            delivery.request_id = request.request_id
        delivery.outstanding = max(delivery.outstanding - max(request.received_bytes, 0), 0)
        delivery.window = max(request.requested_bytes, 1)
        if request.requested_bytes <= 1:
            # A synchronous get asks for one message, whatever became of the last one.
            delivery.outstanding = 0
        if request.selection is not None:
            delivery.selection = request.selection
        else:
            request.selection = delivery.selection

    def delivery(self, conversation_id: int, handle: int) -> MessageWindow | None:
        """Give the window of a handle that has asked for messages."""
        conversation = self.conversations.get(conversation_id)
        return None if conversation is None else conversation.deliveries.get(handle)

    def reopen_delivery(self, conversation_id: int, handle: int) -> None:
        """Forget that messages of a handle are on their way, since its client discards them."""
        delivery = self.delivery(conversation_id, handle)
        if delivery is not None:
            delivery.outstanding = 0

    def forget_delivery(self, conversation_id: int, handle: int) -> None:
        """Forget the window of a handle that turned out not to exist."""
        conversation = self.conversations.get(conversation_id)
        if conversation is not None:
            conversation.deliveries.pop(handle, None)

    def _sending(self, conversation: Conversation, event: Event) -> None:
        if isinstance(event, Message):
            self._number(conversation, event)
            return
        kind = event.kind
        if kind == MQCONN + REPLY and isinstance(event, Call) and event.completion == FAILED:
            kind = REFUSING
        conversation.state = after_server(conversation.state, kind)
        if kind == MQCONN + REPLY:
            self.established = True
        elif kind == MQGET + REPLY:
            conversation.waiting_get = False

    def _number(self, conversation: Conversation, message: Message) -> None:
        conversation.state = after_server(conversation.state, message.kind)
        delivery = conversation.deliveries.get(message.handle)
        if delivery is None:
            delivery = MessageWindow()
        message.request_id = delivery.request_id
        message.selection_index = delivery.selection.index
        if not message.descriptor:
            return
        delivery.message_index += 1
        conversation.global_index += 1
        message.message_index = delivery.message_index
        message.global_index = conversation.global_index
        delivery.outstanding += DESCRIPTOR_CHARGE + len(message.payload)
        if delivery.named:
            message.resolved_name = b""
        else:
            delivery.named = True
            name = message.resolved_name.rstrip()
            message.resolved_name = name + b" " * (-(3 + len(name)) & 3) if name else b""

    def _watches(self) -> bool:
        """Say whether the client must send heartbeats: without shared conversations, only while a get waits."""
        if self.multiplexed:
            return True
        conversation = self.conversations.get(FIRST_CONVERSATION)
        return conversation is not None and conversation.waiting_get and conversation.state == CONNECTED
