"""A client channel: the conversations that share one socket, with their calls and messages.

`send` turns an event into bytes, behind any output of the session that waits. The part of a session that all kinds of
channel share is in `session.py`.

Memory is bounded whatever the other side sends: a socket holds one incomplete segment of at most the agreed length; a
connected conversation holds one incomplete call, of at most the agreed message length and a margin for its structures;
before MQCONN a call must fit one segment.
"""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Final

from kew.channels.protocol.bodies import carries_message, decode_call, decode_other_body, is_call
from kew.channels.protocol.delivery import ASYNCHRONOUS, Message, Selection, decode_message, decode_message_part
from kew.channels.protocol.dialect import Dialect
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.framing import cut, frame
from kew.channels.protocol.negotiate import InitialData
from kew.channels.protocol.packing import cut_padding
from kew.channels.protocol.segments import (
    ASYNC_MESSAGE,
    FIRST,
    FORM_MULTIPLEXED,
    FORM_PLAIN,
    LAST,
    REPLY,
    SOCKET_ACTION,
    WHOLE,
    Segment,
    u4,
)
from kew.channels.protocol.session import Session
from kew.channels.protocol.states import CLOSED, CONNECTED, STARTED
from kew.channels.protocol.status import (
    CONVERSATION_ID_ERROR,
    LENGTH_ERROR,
    MESSAGE_LENGTH_ERROR,
    SEGMENT_ERROR,
    SEGMENT_NUMBER_ERROR,
)

FIRST_CONVERSATION: Final = 1
STRUCTURE_MARGIN: Final = 65536
MAX_OTHER_CALL: Final = 1 << 20
_CONTINUED: Final[list[bytes]] = []


class MessageWindow:
    """The server's delivery state of a handle that asks for messages: selection in force, indexes, and window."""

    def __init__(self) -> None:
        self.request_id: int = ASYNCHRONOUS
        self.selection = Selection()
        self.message_index: int = 0
        self.named: bool = False  # the queue's name goes with a handle's first message only
        self.outstanding: int = 0  # bytes sent and not yet acknowledged
        self.window: int = 0  # bytes requested by the client

    @property
    def open(self) -> bool:
        """True if another message may be sent before the client asks again."""
        return self.outstanding < self.window


class Conversation:
    """One application's connection on a socket."""

    def __init__(self, conversation_id: int, epoch: int) -> None:
        self.conversation_id = conversation_id
        self.epoch = epoch  # a number may be used again: events of its former use must not reach the new one
        self.state: int = STARTED
        self.deliveries: dict[int, MessageWindow] = {}
        self.global_index: int = 0
        self.waiting_get: bool = False
        # A call whose first segment has come: that segment, the later pieces, the bytes so far.
        self.partial: Segment | None = None
        self.pieces: list[bytes] = []
        self.partial_size: int = 0
        self.wanted: int = 0  # bytes that the call is to have, as far as it says
        # A message whose first segment has come, and how long its data is to become.
        self.message: Message | None = None
        self.message_wanted: int = 0


class ClientChannelSession(Session):
    """The part that both sides of a client channel share; ServerSession and ClientSession add their own.

    The channel is established when a program has connected for the first time.
    """

    def __init__(self, dialect: Dialect, heartbeat_grace: float, offer: InitialData | None = None) -> None:
        super().__init__(dialect, heartbeat_grace, offer)
        self.conversations: dict[int, Conversation] = {}
        self.incoming: int = 0  # bytes that calls of several segments have or are to have, as they say
        self._epochs: int = 0

    def _started(self, agreed: InitialData) -> None:
        self._add_conversation(FIRST_CONVERSATION)

    def _close(self) -> None:
        self.state = CLOSED
        self.conversations.clear()

    # Bytes in.

    def _body(self, segment: Segment, events: list[Event]) -> None:
        kind = segment.kind
        if is_call(kind):
            self._call_segment(self._conversation_of(segment), segment, events)
        elif kind == ASYNC_MESSAGE:
            self._message_segment(self._conversation_of(segment), segment, events)
        elif kind == SOCKET_ACTION:
            self._socket_action(segment, events)
        else:
            conversation = self._conversation_of(segment)
            conversation.state = self._after(conversation.state, kind)
            event = decode_other_body(kind, segment.data, segment.body, segment.end, segment.dialect)
            self._deliver(conversation, segment, event, events)

    def _add_conversation(self, number: int) -> None:
        self._epochs += 1
        self.conversations[number] = Conversation(number, self._epochs)

    def _drop(self, number: int) -> Conversation | None:
        """Forget a conversation that is over, with its incomplete calls."""
        conversation = self.conversations.pop(number, None)
        if conversation is not None:
            self._expect(conversation, 0)
        return conversation

    @property
    def buffered(self) -> int:
        """Bytes held for segments, calls and messages that are not yet whole."""
        total = self.reader.waiting
        for conversation in self.conversations.values():
            total += conversation.partial_size
        return total

    def let_go(self) -> None:
        """Drop incomplete segments and calls: the socket is closed."""
        for conversation in self.conversations.values():
            conversation.partial = None
            conversation.message = None
            conversation.pieces = []
            conversation.partial_size = 0

    def _conversation_of(self, segment: Segment) -> Conversation:
        if self.multiplexed:
            if segment.form != FORM_MULTIPLEXED:
                raise ProtocolError(segment.start, "a header with a conversation id", "one without", SEGMENT_ERROR)
            number = segment.conversation_id
        else:
            number = FIRST_CONVERSATION
        conversation = self.conversations.get(number)
        if conversation is None:
            raise ProtocolError(segment.start + 8, "a conversation that exists", number, CONVERSATION_ID_ERROR)
        return conversation

    def _deliver(self, conversation: Conversation, segment: Segment, event: Event, events: list[Event]) -> None:
        event.conversation_id = conversation.conversation_id
        event.request_id = segment.request_id
        event.epoch = conversation.epoch
        event.dialect = segment.dialect
        event.flags = segment.flags
        self._received(conversation, event)
        events.append(event)

    def _call_segment(self, conversation: Conversation, segment: Segment, events: list[Event]) -> None:
        cut = segment.flags & WHOLE
        if cut == WHOLE:
            if conversation.partial is not None:
                raise ProtocolError(segment.start, "the rest of a call", "another call", SEGMENT_ERROR)
            self._whole_call(conversation, segment, _CONTINUED, segment.end - segment.start, events)
            return
        first = conversation.partial
        if cut & FIRST:
            if first is not None:
                raise ProtocolError(segment.start, "the rest of a call", "another call", SEGMENT_ERROR)
            if conversation.state != CONNECTED:
                raise ProtocolError(segment.start, "a call in one segment before connecting", "a part", LENGTH_ERROR)
            size = segment.end - segment.start
            # The copy lets go of the receive buffer, of which this segment may be a small part.
            copied = segment.data[segment.start : segment.end]
            segment.data = copied
            segment.body -= segment.start
            segment.start = 0
            segment.end = size
            conversation.partial = segment
            conversation.partial_size = size
            stated = u4(copied, segment.body) if size - segment.body >= 4 else 0
            self._expect(conversation, max(size, min(stated, self.max_message + STRUCTURE_MARGIN)))
            return
        if first is None or first.kind != segment.kind or first.request_id != segment.request_id:
            raise ProtocolError(segment.start, "the first segment of a call", "a later one", SEGMENT_ERROR)
        conversation.pieces.append(segment.data[segment.body : segment.end])
        conversation.partial_size += segment.end - segment.body
        limit = self.max_message + STRUCTURE_MARGIN if carries_message(first.kind) else MAX_OTHER_CALL
        if conversation.partial_size > limit:
            raise ProtocolError(segment.start, f"a call of at most {limit} bytes", "a longer one", MESSAGE_LENGTH_ERROR)
        if conversation.partial_size > conversation.wanted:
            self._expect(conversation, conversation.partial_size)
        if cut & LAST:
            pieces = conversation.pieces
            length = conversation.partial_size
            conversation.pieces = []
            conversation.partial = None
            conversation.partial_size = 0
            self._expect(conversation, 0)
            if not carries_message(first.kind):
                _join(first, pieces)
                pieces = _CONTINUED
            self._whole_call(conversation, first, pieces, length, events)

    def _expect(self, conversation: Conversation, size: int) -> None:
        """Note the expected length of a call that is not complete; 0 once it is."""
        self.incoming += size - conversation.wanted
        conversation.wanted = size

    def _whole_call(
        self, conversation: Conversation, segment: Segment, rest: list[bytes], length: int, events: list[Event]
    ) -> None:
        kind = segment.kind
        if self.packing is not None:
            length -= cut_padding(segment, rest, length)
        if kind & REPLY and segment.form == FORM_MULTIPLEXED:
            length -= 8
        conversation.state = self._after(conversation.state, kind)
        try:
            call = decode_call(kind, segment.data, segment.body, segment.end, segment.dialect, rest, length)
        except ProtocolError:
            if not rest:
                raise
            # The cut may have fallen inside a structure.
            _join(segment, rest)
            call = decode_call(kind, segment.data, segment.body, segment.end, segment.dialect, _CONTINUED, length)
        self._deliver(conversation, segment, call, events)

    def _message_segment(self, conversation: Conversation, segment: Segment, events: list[Event]) -> None:
        conversation.state = self._after(conversation.state, ASYNC_MESSAGE)
        message = conversation.message
        if message is None:
            message, wanted = decode_message(segment.data, segment.body, segment.end, segment.dialect)
            if wanted > self.max_message:
                raise ProtocolError(
                    segment.start, f"a message of at most {self.max_message}", wanted, MESSAGE_LENGTH_ERROR
                )
            conversation.message_wanted = wanted
            conversation.pieces = [message.payload]
            conversation.partial_size = len(message.payload)
        else:
            part = decode_message_part(segment.data, segment.body, segment.end, segment.dialect)
            if part.handle != message.handle or part.segment_index != len(conversation.pieces) & 0xFFFF:
                raise ProtocolError(
                    segment.body + 20,
                    f"segment {len(conversation.pieces)} of handle {message.handle}",
                    (part.segment_index, part.handle),
                    SEGMENT_NUMBER_ERROR,
                )
            conversation.pieces.append(part.data)
            conversation.partial_size += len(part.data)
        if conversation.partial_size > conversation.message_wanted:
            raise ProtocolError(segment.body + 16, "no more data than announced", None, MESSAGE_LENGTH_ERROR)
        if segment.flags & LAST:
            if conversation.partial_size != conversation.message_wanted:
                raise ProtocolError(segment.body + 16, "all of the message", None, MESSAGE_LENGTH_ERROR)
            if len(conversation.pieces) > 1:
                message.payload = b"".join(conversation.pieces)
            conversation.message = None
            conversation.pieces = []
            conversation.partial_size = 0
            self._deliver(conversation, segment, message, events)
        else:
            conversation.message = message

    # Supplied by each side.

    @abstractmethod
    def _after(self, state: int, kind: int) -> int:
        """Give the state of a conversation after a segment."""

    @abstractmethod
    def _socket_action(self, segment: Segment, events: list[Event]) -> None:
        """Begin or end a conversation on the socket."""

    @abstractmethod
    def _received(self, conversation: Conversation, event: Event) -> None:
        """Act on a complete call that was received."""

    @abstractmethod
    def _sending(self, conversation: Conversation, event: Event) -> None:
        """Note a call that is about to be sent."""

    # Bytes out.

    def send(self, event: Event) -> bytes:
        """Give the bytes of an event, after any waiting output; an event of an ended conversation has no bytes."""
        conversation = self._listening(event)
        if conversation is None:
            return self.take_output()
        self._sending(conversation, event)
        dialect = event.dialect
        if dialect is None:
            dialect = self.dialect
        form = FORM_MULTIPLEXED if self.multiplexed else FORM_PLAIN
        data = frame(event, form, dialect, self.max_segment, self.packing)
        self._spoke = True
        self.bytes_sent += len(data)
        if self._output:
            return self.take_output() + data
        return data

    def _listening(self, event: Event) -> Conversation | None:
        conversation = self.conversations.get(event.conversation_id)
        if conversation is None or self.state == CLOSED:
            return None
        return None if event.epoch and event.epoch != conversation.epoch else conversation

    def send_segments(self, event: Event) -> Iterator[bytes]:
        """Give the bytes of an event one segment at a time, for a long message to a slow reader."""
        waiting = self.take_output()
        if waiting:
            yield waiting
        conversation = self._listening(event)
        if conversation is None:
            return
        self._sending(conversation, event)
        dialect = event.dialect
        if dialect is None:
            dialect = self.dialect
        self._spoke = True
        form = FORM_MULTIPLEXED if self.multiplexed else FORM_PLAIN
        for data in cut(event, form, dialect, self.max_segment, self.packing):
            self.bytes_sent += len(data)
            yield data

    def _watches(self) -> bool:
        """Say whether the other side must send heartbeats; on a shared socket both sides always send them."""
        return self.multiplexed


def _join(segment: Segment, rest: list[bytes]) -> None:
    segment.data = b"".join([segment.data[segment.start : segment.end], *rest])
    segment.body -= segment.start
    segment.start = 0
    segment.end = len(segment.data)
