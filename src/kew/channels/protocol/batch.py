"""Message channels: a sending end moves the messages of a transmission queue to a receiving end, in batches.

    MESSAGE_DATA   0 "MSH "  4 i4 sequence number  8 i4 data bytes here  12 i4 0  16 i4 total length, then data;
                   every segment of a message has this head. The data begins with the transmission header, MQXQH.
    RESET_DATA     i4 8, i4 sequence number of the next message
    RESYNC_DATA    resync.py

Persistent messages, and others on a channel at NPMSPEED(NORMAL), arrive exactly once: both ends keep, durably and
together with the messages, the number of the last message of the last batch and the batch's LUWID. The sending end
forgets a batch only after the receiving end has confirmed it; when the connection breaks in between, the batch is in
doubt until both ends resynchronise. Fast messages are those that are not persistent on a channel where both ends agreed
to NPMSPEED(FAST). They are in no unit of work, are not counted, and carry the number of the message before.

Two Kews recognise each other by the trace number of INITIAL_DATA. They resynchronise before any message, may use
segments of up to 1 MiB and may have several unconfirmed batches on their way.
"""

from typing import Final

from kew.channels.protocol.control import Status
from kew.channels.protocol.dialect import Dialect, need, pair
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.negotiate import (
    CONFIRMS_FAST,
    FAST_MESSAGES,
    KEW_CHANNEL,
    LARGE_SEGMENT,
    LARGE_SEGMENTS,
    MAX_SEGMENT,
    MSG_SEQ,
    SPLIT_MESSAGES,
    WINDOW,
    InitialData,
    Terms,
)
from kew.channels.protocol.resync import Kept
from kew.channels.protocol.segments import (
    CLOSE_CHANNEL,
    FORM_PLAIN,
    INITIAL_DATA,
    MESSAGE_DATA,
    RESET_DATA,
    WHOLE,
    Segment,
)
from kew.channels.protocol.session import Session
from kew.channels.protocol.states import CLOSED, NEW, READY
from kew.channels.protocol.status import LENGTH_ERROR, NEGOTIATION_FAILED, SEGMENT_ERROR, WRAP_VALUE_ERROR

HEAD_SIZE: Final = 20
XQH_SIZE: Final = 428  # MQXQH with its MQMD of version 1
MDE_SIZE: Final = 72
# The longest header that MQ allows for in a message: MQ_MSG_HEADER_LENGTH.
HEADER_LENGTH: Final = 4000
EYE_NAMES: Final = ("TSH", "TSHM", "TSHC")

MESSAGE_HEAD: Final = pair("4siiii")
_PERSISTENCE: Final = 148  # MQXQH.MsgDesc.Persistence
_RESET: Final = pair("ii")


class Reset(Event):
    """RESET_DATA: an operator has set the number of the next message."""

    def __init__(self, number: int) -> None:
        super().__init__(RESET_DATA)
        self.number = number

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the body: its length, and the sequence number."""
        return _RESET[dialect.order].pack(8, self.number)


def decode_reset(data: bytes, offset: int, end: int, dialect: Dialect) -> Reset:
    """Read RESET_DATA."""
    need(offset, 8, end, "RESET_DATA")
    length, number = _RESET[dialect.order].unpack_from(data, offset)
    if length != 8 or end - offset != 8 or number < 0:
        raise ProtocolError(offset, "8 bytes of RESET_DATA", length, LENGTH_ERROR)
    return Reset(number)


class Transfer(Event):
    """A message moved by the channel: its number, its batch's LUWID, and whether the message is fast."""

    def __init__(self, number: int, luwid: bytes, data: bytes, fast: bool) -> None:
        super().__init__(MESSAGE_DATA)
        self.number = number
        self.luwid = luwid
        self.payload = data
        self.fast = fast


class ConfirmRequested(Event):
    """The sending end asks for a confirmation: commit the messages received since the last one, then confirm."""

    def __init__(self, luwid: bytes, number: int, count: int) -> None:
        super().__init__(0)
        self.luwid = luwid
        self.number = number  # of its last message
        self.count = count  # messages in its unit of work


class BatchConfirmed(Event):
    """The receiving end has committed the oldest unconfirmed batch; the sending end may forget it."""

    def __init__(self, luwid: bytes, dead_letters: bool) -> None:
        super().__init__(0)
        self.luwid = luwid
        self.dead_letters = dead_letters


class CloseRequested(Event):
    """The receiving end asks the sending end to end the channel after the current batch."""

    def __init__(self) -> None:
        super().__init__(0)


def next_number(number: int, wrap: int) -> int:
    """Give the sequence number after this one; after the wrap value comes 1."""
    return 1 if number >= wrap else number + 1


def is_persistent(data: bytes, offset: int, end: int, dialect: Dialect) -> bool:
    """Read from the MQXQH that starts here whether the message is persistent; if the MQXQH is incomplete, it is."""
    return end - offset < _PERSISTENCE + 4 or dialect.i4(data, offset + _PERSISTENCE) != 0


class MessageChannel(Session):
    """The part that both ends of a message channel share; either end may be the caller, which makes the offer."""

    def __init__(self, dialect: Dialect, heartbeat_grace: float, offer: InitialData | None, kept: Kept) -> None:
        super().__init__(dialect, heartbeat_grace, offer)
        self.phase: int = NEW  # states.py
        self.kept = kept
        self.number: int = kept.last.number  # of the last message moved
        self.peer: Dialect = dialect  # how the partner writes
        # Agreed:
        self.kew: bool = False  # the partner is Kew
        self.window: int = 1
        self.confirms_fast: bool = True  # a batch of fast messages only needs a confirmation
        self.fast: bool = False
        self.batch_size: int = 1
        self.wrap: int = 999999999

    @property
    def longest(self) -> int:
        """The longest message the channel moves, with its MQXQH and an MQMDE."""
        return self.max_message + XQH_SIZE + MDE_SIZE

    def _started(self, agreed: InitialData) -> None:
        self.established = True
        self.phase = READY
        self.batch_size = max(agreed.batch_size, 1)
        self.wrap = agreed.sequence_wrap
        self.fast = agreed.capabilities2 & FAST_MESSAGES != 0
        if agreed.trace_id != KEW_CHANNEL:
            self.packing = None  # how others compress messages of message channels is not public
        else:
            self.kew = True
            self.window = max(agreed.reserved4 & WINDOW, 1)
            self.confirms_fast = agreed.reserved4 & CONFIRMS_FAST == 0
            if self.packing is not None:
                self.packing.packs_message_heads = True
            if agreed.reserved4 & LARGE_SEGMENTS and agreed.max_segment == MAX_SEGMENT:
                self.max_segment = self.reader.max_segment = LARGE_SEGMENT

    def _check_offer(self, offer: InitialData, terms: Terms) -> None:
        self._check_partner(offer, min(offer.max_segment, terms.max_segment), min(offer.max_message, terms.max_message))
        self._check_wrap(offer.sequence_wrap, terms.sequence_wrap, 20)

    def _check_reply(self, reply: InitialData, segment: Segment) -> None:
        offer = self.offer
        assert offer is not None
        self._check_partner(reply, reply.max_segment, reply.max_message, segment.body)
        self._check_wrap(reply.sequence_wrap, offer.sequence_wrap, segment.body + 20)

    def _check_partner(self, theirs: InitialData, max_segment: int, max_message: int, start: int = 0) -> None:
        """Refuse a partner that does not number messages, or cannot split the longest message where that is needed."""
        if not theirs.capabilities1 & MSG_SEQ:
            raise ProtocolError(start + 5, "message sequence numbers", theirs.capabilities1, NEGOTIATION_FAILED)
        if not theirs.capabilities1 & SPLIT_MESSAGES and max_segment < max_message + XQH_SIZE + 48:
            raise ProtocolError(start + 5, "messages that can be split", theirs.capabilities1, NEGOTIATION_FAILED)

    def _check_wrap(self, theirs: int, ours: int, offset: int) -> None:
        """Refuse a different wrap value, which cannot be negotiated."""
        if theirs != ours:
            raise ProtocolError(offset, f"wrap value {ours}", theirs, WRAP_VALUE_ERROR)

    def _close(self) -> None:
        self.state = self.phase = CLOSED

    def _segment(self, segment: Segment, events: list[Event]) -> None:
        if segment.form != FORM_PLAIN:
            raise ProtocolError(segment.start, "a plain header", EYE_NAMES[segment.form], SEGMENT_ERROR)
        if segment.kind == INITIAL_DATA:
            self.peer = segment.dialect
        super()._segment(segment, events)

    def end(self, code: int = 0, value: int | None = None) -> None:
        """Put the end of the channel into the output, with a status code or in good order."""
        if self.state == CLOSED:
            return
        if code:
            self._put_out(self.refuse(code, value))
            return
        self._say(Status(0, None, CLOSE_CHANNEL | WHOLE), FORM_PLAIN)
        self._close()
