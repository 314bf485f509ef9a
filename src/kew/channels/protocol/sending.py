"""The sending end of a message channel."""

from kew.channels.protocol.batch import (
    FAST,
    HEAD_SIZE,
    MESSAGE_HEAD,
    BatchConfirmed,
    CloseRequested,
    MessageChannel,
    Reset,
    Resolved,
    Resync,
    decode_resync,
    next_sequence,
)
from kew.channels.protocol.control import Ping, decode_ping
from kew.channels.protocol.dialect import SERVER_DIALECT, Dialect
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.negotiate import InitialData
from kew.channels.protocol.segments import (
    CONFIRM_REQUEST,
    DLQ_USED,
    FIRST,
    FORM_PLAIN,
    HEADER_SIZES,
    LAST,
    MESSAGE_DATA,
    NO_UNIT,
    PING_DATA,
    REQUEST_ACCEPTED,
    REQUEST_CLOSE,
    RESET_DATA,
    RESYNC_DATA,
    STATUS_DATA,
    WHOLE,
    Segment,
    encode_header,
)
from kew.channels.protocol.states import CONFIRM, after_receiver, after_sender
from kew.channels.protocol.status import (
    SEGMENT_ERROR,
    SEGMENT_TYPE_ERROR,
    SEQUENCE_ERROR,
)


class SenderChannel(MessageChannel):
    """The sending end. `sequence` and `unit` are what its owner has kept; in_doubt says whether they are settled."""

    def __init__(
        self, offer: InitialData | None, sequence: int, unit: bytes, in_doubt: bool, dialect: Dialect = SERVER_DIALECT
    ) -> None:
        super().__init__(dialect, 0.0, offer)
        self.sequence = sequence
        self.unit = unit
        self.in_doubt = in_doubt

    def resynchronise(self) -> bytes:
        """Say where this end stands; Resolved comes back."""
        self.phase = after_sender(self.phase, RESYNC_DATA)
        self._say(Resync(self.sequence, self.unit, self.in_doubt), FORM_PLAIN)
        return self.take_output()

    def reset(self, sequence: int) -> bytes:
        """Set the number of the next message, as RESET CHANNEL does."""
        self.phase = after_sender(self.phase, RESET_DATA)
        self.sequence = sequence - 1
        self.unit = NO_UNIT
        self.in_doubt = False
        self._say(Reset(sequence), FORM_PLAIN)
        return self.take_output()

    def ping(self, data: bytes) -> bytes:
        """Bytes for the other end to echo."""
        self.phase = after_sender(self.phase, PING_DATA)
        self._say(Ping(data), FORM_PLAIN)
        return self.take_output()

    def begin_batch(self, unit: bytes) -> None:
        """The messages that follow belong to this unit of work of 8 bytes."""
        if len(unit) != 8 or unit == NO_UNIT:
            raise ValueError("a unit of work has 8 bytes and is not zero")
        self.unit = unit

    def move(self, data: bytes, confirm: bool = False, fast: bool = False) -> bytes:
        """One message, transmission header first; confirm ends the batch with it."""
        agreed = self.agreed
        if agreed is None or len(data) > agreed.max_message + 428:
            raise ValueError("a message longer than the channel allows")
        self.phase = after_sender(self.phase, MESSAGE_DATA)
        if fast and confirm:
            raise ValueError("a message outside the batch cannot end it")
        number = FAST
        if not fast:
            self.sequence = next_sequence(self.sequence, agreed.sequence_wrap)
            self.in_doubt = True
            number = self.sequence
        room = agreed.max_segment - HEADER_SIZES[FORM_PLAIN] - HEAD_SIZE
        position = 0
        end = len(data)
        while True:
            size = min(room, end - position)
            flags = FIRST if position == 0 else 0
            if position + size == end:
                flags |= LAST
                if confirm:
                    flags |= CONFIRM_REQUEST
            length = HEADER_SIZES[FORM_PLAIN] + HEAD_SIZE + size
            self._put_out(
                encode_header(FORM_PLAIN, length, 0, 0, MESSAGE_DATA, flags, self.dialect, 0, self.unit)
                + self.dialect.native(MESSAGE_HEAD[self.dialect.order].pack(b"MSH ", number, size, 0, end), ((0, 4),))
            )
            self._put_out(data[position : position + size])
            position += size
            if position >= end:
                break
        if confirm:
            self.phase = after_sender(self.phase, CONFIRM)
        return self.take_output()

    def end_batch(self) -> bytes:
        """Ask for a confirmation of what has been moved since the last one."""
        self.phase = after_sender(self.phase, CONFIRM)
        self._put_out(
            encode_header(FORM_PLAIN, 28, 0, 0, STATUS_DATA, CONFIRM_REQUEST | WHOLE, self.dialect, 0, self.unit)
        )
        return self.take_output()

    def _status_received(self, segment: Segment, events: list[Event]) -> None:
        if segment.flags & REQUEST_CLOSE:
            events.append(CloseRequested())
            return
        self.phase = after_receiver(self.phase, STATUS_DATA)
        if not segment.flags & REQUEST_ACCEPTED:
            raise ProtocolError(segment.start + 10, "a confirmation", segment.flags, SEGMENT_ERROR)
        self.in_doubt = False
        events.append(BatchConfirmed(self.unit, segment.flags & DLQ_USED != 0))

    def _body(self, segment: Segment, events: list[Event]) -> None:
        kind = segment.kind
        if kind == PING_DATA:
            self.phase = after_receiver(self.phase, kind)
            events.append(decode_ping(segment.data, segment.body, segment.end, segment.dialect))
        elif kind == RESYNC_DATA:
            theirs = decode_resync(segment.data, segment.body, segment.end, segment.dialect)
            self.phase = after_receiver(self.phase, kind)
            arrived = self.in_doubt and theirs.unit == self.unit and self.unit != NO_UNIT
            if not self.in_doubt and theirs.sequence != self.sequence:
                raise ProtocolError(segment.body + 4, f"sequence {self.sequence}", theirs.sequence, SEQUENCE_ERROR)
            self.sequence = theirs.sequence
            self.in_doubt = False
            events.append(Resolved(arrived, theirs.sequence))
        else:
            raise ProtocolError(segment.start, "a segment of a receiver", f"type 0x{kind:02X}", SEGMENT_TYPE_ERROR)
