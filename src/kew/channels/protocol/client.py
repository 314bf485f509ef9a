"""The client's side of a client channel: it offers, agrees, and starts conversations.

The owner's part, in order: `start`, ChannelStarted; send UserId, and Credentials where there are any; after that is
Acknowledged send Connect; its reply; then calls and replies. ChannelEnded may come at any time instead.
"""

from kew.channels.protocol.control import (
    ACCEPT_CONVERSATION,
    END_CONVERSATION,
    START_CONVERSATION,
    SocketAction,
    Status,
    decode_socket_action,
)
from kew.channels.protocol.conversation import FIRST_CONVERSATION, Conversation, Session
from kew.channels.protocol.dialect import BIG, ENC_NORMAL, Dialect
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import FAILED, Call, Event
from kew.channels.protocol.framing import frame
from kew.channels.protocol.lifecycle import ChannelStarted, ConversationEnded, ConversationStarted
from kew.channels.protocol.negotiate import KEW_SERVER, MIN_SEGMENT, InitialData, decode_initial_data, second_offer
from kew.channels.protocol.segments import (
    CLOSE_CHANNEL,
    ERROR,
    FORM_MULTIPLEXED,
    FORM_PLAIN,
    FORM_SOCKET,
    INITIAL_DATA,
    MQCONN,
    REPLY,
    STATUS_DATA,
    WHOLE,
    Segment,
)
from kew.channels.protocol.states import (
    ACCEPTING,
    CLOSED,
    COUNTERED,
    OFFERED,
    READY,
    REFUSING,
    after_client,
    after_server,
)
from kew.channels.protocol.status import CONVERSATION_ID_ERROR, NEGOTIATION_FAILED, SOCKET_ACTION_ERROR


class Acknowledged(Event):
    """The server has taken the credentials; it has not yet judged them."""

    def __init__(self, conversation_id: int) -> None:
        super().__init__(STATUS_DATA)
        self.conversation_id = conversation_id


class ClientSession(Session):
    """One socket to a queue manager, seen from the client."""

    def __init__(self, offer: InitialData, dialect: Dialect | None = None) -> None:
        super().__init__(dialect if dialect is not None else Dialect(BIG, ENC_NORMAL, 819, False), 0.0)
        self.offer = offer
        self._next_conversation: int = 3
        self._starting: set[int] = set()

    # Negotiation.

    def start(self) -> bytes:
        """The first offer, to be sent once the socket is open."""
        self.state = after_client(self.state, INITIAL_DATA)
        data = frame(self.offer, FORM_PLAIN, self.dialect, self.max_segment)
        self._spoke = True
        self.bytes_sent += len(data)
        return data

    def _initial_data(self, segment: Segment, events: list[Event]) -> None:
        reply = decode_initial_data(segment.data, segment.body, segment.end, segment.dialect)
        reply.flags = segment.flags
        self._check(reply, segment)
        if segment.flags & ERROR:
            self.state = after_server(self.state, INITIAL_DATA)
            if self.state != COUNTERED:
                raise ProtocolError(segment.start, "an answer to the first offer", None, NEGOTIATION_FAILED)
            theirs = segment.dialect
            # From here on this side writes as the server does.
            self.dialect = Dialect(theirs.byte_order, self.dialect.encoding, theirs.ccsid, theirs.ebcdic)
            self.offer = second_offer(self.offer, reply)
            self.max_segment = reply.max_segment
            self.multiplexed = reply.conversations > 0
            self.reader.max_segment = reply.max_segment
            form = FORM_MULTIPLEXED if self.multiplexed else FORM_PLAIN
            self._put_out(frame(self.offer, form, self.dialect, self.max_segment))
            self.state = after_client(self.state, INITIAL_DATA)
            return
        if self.state == OFFERED:
            theirs = segment.dialect
            self.dialect = Dialect(theirs.byte_order, self.dialect.encoding, theirs.ccsid, theirs.ebcdic)
        self.state = after_server(self.state, ACCEPTING)
        self.agreed = reply
        self.extended = reply.trace_id == KEW_SERVER
        self._agree_compression(reply)
        self.multiplexed = reply.conversations > 0
        self.max_segment = reply.max_segment
        self.max_message = reply.max_message
        self.heartbeat = reply.heartbeat
        self.reader.max_segment = reply.max_segment
        self._add_conversation(FIRST_CONVERSATION)
        events.append(ChannelStarted(reply))

    def _check(self, reply: InitialData, segment: Segment) -> None:
        offer = self.offer
        for offset, what, granted, limit in (
            (4, "protocol level", reply.fap_level, offer.fap_level),
            (12, "segment size", reply.max_segment, offer.max_segment),
            (16, "message size", reply.max_message, offer.max_message),
            (128, "number of conversations", reply.conversations, max(offer.conversations, 0)),
        ):
            if granted > limit or granted < 0:
                raise ProtocolError(segment.body + offset, f"a {what} of at most {limit}", granted, NEGOTIATION_FAILED)
        if reply.max_segment < MIN_SEGMENT:
            raise ProtocolError(
                segment.body + 12, f"segments of at least {MIN_SEGMENT}", reply.max_segment, NEGOTIATION_FAILED
            )

    def _broken(self, error: ProtocolError, segment: Segment | None) -> None:
        """A client just closes."""

    # Conversations.

    @property
    def room(self) -> int:
        """How many more conversations the socket may carry."""
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
        action = SocketAction(START_CONVERSATION, number, self.offer.process_id, self.offer.trace_id)
        return self._say(action), number

    def end_conversation(self, conversation_id: int) -> bytes:
        """End a conversation; with the last one the channel is closed, and so is the socket after these bytes."""
        if self.conversations.pop(conversation_id, None) is None or self.state != READY:
            return self.take_output()
        last = not self.conversations and not self._starting
        if not self.multiplexed:
            self._put_out(frame(Status(0, None, WHOLE | CLOSE_CHANNEL), FORM_PLAIN, self.dialect, self.max_segment))
            self.state = CLOSED
            return self.take_output()
        action = SocketAction(END_CONVERSATION, conversation_id)
        action.flags = WHOLE | CLOSE_CHANNEL if last else WHOLE
        data = self._say(action)
        if last:
            self.state = CLOSED
        return data

    def _say(self, action: SocketAction) -> bytes:
        data = frame(action, FORM_SOCKET, self.dialect, self.max_segment)
        self._spoke = True
        self.bytes_sent += len(data)
        return self.take_output() + data

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

    def _acknowledged(self, segment: Segment, events: list[Event]) -> None:
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
                self.connected_once = True

    def _sending(self, conversation: Conversation, event: Event) -> None:
        conversation.state = after_client(conversation.state, event.kind)
