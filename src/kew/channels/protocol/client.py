"""The client's side of a client channel: it offers, agrees, and starts conversations.

The owner calls `start` and waits for ChannelStarted; sends UserId and any Credentials; after Acknowledged sends
Connect; after the reply to Connect makes calls. ChannelEnded may come at any time instead.
"""

from kew.channels.protocol.control import (
    ACCEPT_CONVERSATION,
    END_CONVERSATION,
    START_CONVERSATION,
    SocketAction,
    Status,
    decode_socket_action,
)
from kew.channels.protocol.conversation import FIRST_CONVERSATION, ClientChannelSession, Conversation
from kew.channels.protocol.dialect import BIG, ENC_NORMAL, Dialect
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import FAILED, Call, Event
from kew.channels.protocol.lifecycle import ConversationEnded, ConversationStarted
from kew.channels.protocol.negotiate import InitialData
from kew.channels.protocol.segments import (
    CLOSE_CHANNEL,
    FORM_MULTIPLEXED,
    FORM_PLAIN,
    FORM_SOCKET,
    MQCONN,
    REPLY,
    STATUS_DATA,
    WHOLE,
    Segment,
)
from kew.channels.protocol.states import (
    CLOSED,
    READY,
    REFUSING,
    after_client,
    after_server,
)
from kew.channels.protocol.status import CONVERSATION_ID_ERROR, SOCKET_ACTION_ERROR


class Acknowledged(Event):
    """The server has received the credentials, but has not yet checked them."""

    def __init__(self, conversation_id: int) -> None:
        super().__init__(STATUS_DATA)
        self.conversation_id = conversation_id


class ClientSession(ClientChannelSession):
    """One socket to a queue manager, seen from the client."""

    def __init__(self, offer: InitialData, dialect: Dialect | None = None) -> None:
        super().__init__(dialect if dialect is not None else Dialect(BIG, ENC_NORMAL, 819, False), 0.0, offer)
        self._next_conversation: int = 3
        self._starting: set[int] = set()

    def _adopt(self, dialect: Dialect) -> None:
        """Adopt the server's byte order and character set, except for the encoding."""
        self.dialect = Dialect(dialect.byte_order, self.dialect.encoding, dialect.ccsid, dialect.ebcdic)

    def _broken(self, error: ProtocolError, segment: Segment | None) -> None:
        """End the session without an answer: the client closes the socket."""

    # Conversations.

    @property
    def room(self) -> int:
        """The number of further conversations that the socket may carry."""
        agreed = self.agreed
        if agreed is None or self.state != READY or not self.multiplexed:
            return 0
        return max(agreed.conversations - len(self.conversations) - len(self._starting), 0)

    def start_conversation(self) -> tuple[bytes, int]:
        """Ask for another conversation; it exists once ConversationStarted comes."""
        if self.room < 1:
            raise ValueError("the socket carries no further conversation")
        number = self._next_conversation
        self._next_conversation += 2
        self._starting.add(number)
        offer = self.offer
        assert offer is not None
        action = SocketAction(START_CONVERSATION, number, offer.process_id, offer.trace_id)
        return self._act(action), number

    def end_conversation(self, conversation_id: int) -> bytes:
        """End a conversation; with the last one the channel ends, and the socket is to be closed after these bytes."""
        if self.conversations.pop(conversation_id, None) is None or self.state != READY:
            return self.take_output()
        last = not self.conversations and not self._starting
        if not self.multiplexed:
            self._say(Status(0, None, WHOLE | CLOSE_CHANNEL), FORM_PLAIN)
            self.state = CLOSED
            return self.take_output()
        action = SocketAction(END_CONVERSATION, conversation_id)
        action.flags = WHOLE | CLOSE_CHANNEL if last else WHOLE
        data = self._act(action)
        if last:
            self.state = CLOSED
        return data

    def _act(self, action: SocketAction) -> bytes:
        self._say(action, FORM_SOCKET)
        return self.take_output()

    def _socket_action(self, segment: Segment, events: list[Event]) -> None:
        action = decode_socket_action(segment.data, segment.body, segment.end, segment.dialect)
        number = action.conversation
        if action.action == ACCEPT_CONVERSATION:
            if number not in self._starting:
                raise ProtocolError(segment.body, "a conversation that was asked for", number, CONVERSATION_ID_ERROR)
            self._starting.discard(number)
            self._add_conversation(number)
            events.append(ConversationStarted(number))
        elif action.action == END_CONVERSATION:
            if self.conversations.pop(number, None) is None:
                raise ProtocolError(segment.body, "a conversation that exists", number, CONVERSATION_ID_ERROR)
            events.append(ConversationEnded(number))
        else:
            raise ProtocolError(segment.body + 8, "socket action 2 or 8", action.action, SOCKET_ACTION_ERROR)

    def _status_received(self, segment: Segment, events: list[Event]) -> None:
        number = segment.conversation_id if segment.form == FORM_MULTIPLEXED else FIRST_CONVERSATION
        events.append(Acknowledged(number))

    # Calls.

    def _after(self, state: int, kind: int) -> int:
        following = after_server(state, kind)
        # The reply to MQCONN decides the state by its outcome, which is not yet read.
        return state if kind == MQCONN + REPLY else following

    def _received(self, conversation: Conversation, event: Event) -> None:
        if event.kind == MQCONN + REPLY and isinstance(event, Call):
            kind = REFUSING if event.completion == FAILED else event.kind
            conversation.state = after_server(conversation.state, kind)
            if kind != REFUSING:
                self.established = True

    def _sending(self, conversation: Conversation, event: Event) -> None:
        conversation.state = after_client(conversation.state, event.kind)
