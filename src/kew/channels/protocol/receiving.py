"""The receiving end of a message channel."""

from kew.channels.protocol.batch import (
    FAST,
    HEAD_SIZE,
    MESSAGE_HEAD,
    ConfirmRequested,
    MessageChannel,
    Resync,
    Transfer,
    decode_reset,
    decode_resync,
    next_sequence,
)
from kew.channels.protocol.control import Ping, Status, decode_ping
from kew.channels.protocol.dialect import SERVER_DIALECT, Dialect, need
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.lifecycle import ChannelEnded
from kew.channels.protocol.negotiate import InitialData, Terms
from kew.channels.protocol.segments import (
    CONFIRM_REQUEST,
    DLQ_USED,
    FIRST,
    FORM_PLAIN,
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
)
from kew.channels.protocol.session import PATIENCE
from kew.channels.protocol.states import (
    CONFIRM,
    after_receiver,
    after_sender,
)
from kew.channels.protocol.status import (
    LENGTH_ERROR,
    MESSAGE_HEADER_ERROR,
    MESSAGE_LENGTH_ERROR,
    SEGMENT_ERROR,
    SEGMENT_TYPE_ERROR,
    SEQUENCE_ERROR,
)


class ReceiverChannel(MessageChannel):
    """The receiving end. Its owner commits messages together with the sequence number and unit, then confirms."""

    def __init__(self, dialect: Dialect = SERVER_DIALECT, offer: InitialData | None = None) -> None:
        super().__init__(dialect, PATIENCE, offer)
        self._parts: list[bytes] = []
        self._size: int = 0
        self._total: int = -1
        self._number: int = 0
        self._in_batch: int = 0

    def accept(self, terms: Terms, sequence: int = 0, unit: bytes = NO_UNIT) -> tuple[bytes, list[Event]]:
        """Answer the sender's offer; sequence and unit are those of the last batch committed for this sender."""
        self.sequence = sequence
        self.unit = unit
        return super().accept(terms)

    def _beats(self) -> bool:
        """Only the sender begins."""
        return False

    def request_close(self) -> bytes:
        """Ask the sender to end the channel after its batch."""
        self._say(Status(0, None, REQUEST_CLOSE | WHOLE), FORM_PLAIN)
        return self.take_output()

    def confirm(self, dead_letters: bool = False) -> bytes:
        """Say that the batch is committed; only after it is."""
        self.phase = after_receiver(self.phase, STATUS_DATA)
        self._in_batch = 0
        self._say(Status(0, None, REQUEST_ACCEPTED | DLQ_USED if dead_letters else REQUEST_ACCEPTED), FORM_PLAIN)
        return self.take_output()

    def _status_received(self, segment: Segment, events: list[Event]) -> None:
        if not segment.flags & CONFIRM_REQUEST:
            raise ProtocolError(segment.start + 10, "a request to confirm", segment.flags, SEGMENT_ERROR)
        self.phase = after_sender(self.phase, CONFIRM)
        events.append(ConfirmRequested(self.unit))

    def _body(self, segment: Segment, events: list[Event]) -> None:
        kind = segment.kind
        if kind == MESSAGE_DATA:
            self._message_data(segment, events)
        elif kind == PING_DATA:
            self.phase = after_sender(self.phase, kind)
            ping = decode_ping(segment.data, segment.body, segment.end, segment.dialect)
            self._say(Ping(ping.payload), FORM_PLAIN)
        elif kind == RESET_DATA:
            self.phase = after_sender(self.phase, kind)
            reset = decode_reset(segment.data, segment.body, segment.end, segment.dialect)
            self.sequence = max(reset.sequence - 1, 0)
            self.unit = NO_UNIT
            events.append(reset)
        elif kind == RESYNC_DATA:
            theirs = decode_resync(segment.data, segment.body, segment.end, segment.dialect)
            self.phase = after_sender(self.phase, kind)
            if not theirs.in_doubt and theirs.sequence != self.sequence:
                self._say(Status(SEQUENCE_ERROR, self._expected()), FORM_PLAIN)
                self._close()
                events.append(ChannelEnded(SEQUENCE_ERROR, self._expected()))
                return
            self._say(Resync(self.sequence, self.unit, False), FORM_PLAIN)
            self.phase = after_receiver(self.phase, kind)
            events.append(theirs)
        else:
            raise ProtocolError(segment.start, "a segment of a sender", f"type 0x{kind:02X}", SEGMENT_TYPE_ERROR)

    def _expected(self) -> int:
        agreed = self.agreed
        return next_sequence(self.sequence, agreed.sequence_wrap if agreed is not None else 999999999)

    def _message_data(self, segment: Segment, events: list[Event]) -> None:
        self.phase = after_sender(self.phase, MESSAGE_DATA)
        body = segment.body
        need(body, HEAD_SIZE, segment.end, "MSH")
        eye, number, here, _, total = MESSAGE_HEAD[segment.dialect.order].unpack_from(segment.data, body)
        if segment.dialect.text_in(eye) != b"MSH ":
            raise ProtocolError(body, "structure b'MSH '", eye, MESSAGE_HEADER_ERROR)
        data = segment.data[body + HEAD_SIZE : segment.end]
        if here != len(data):
            raise ProtocolError(body + 8, f"a segment length of {len(data)}", here, LENGTH_ERROR)
        if total < here or total > self.max_message + 428:
            limit = self.max_message + 428
            raise ProtocolError(body + 16, f"a total length of {here} to {limit}", total, MESSAGE_LENGTH_ERROR)
        if segment.flags & FIRST:
            if self._total >= 0:
                raise ProtocolError(segment.start, "the rest of a message", "another message", SEGMENT_ERROR)
            self._begin(number, total, segment)
        elif self._total != total or self._number != number:
            raise ProtocolError(segment.start, "the rest of the same message", (number, total), SEGMENT_ERROR)
        self._parts.append(data)
        self._size += len(data)
        if self._size > total:
            raise ProtocolError(body + 8, "no more data than announced", self._size, MESSAGE_LENGTH_ERROR)
        if segment.flags & LAST:
            self._finish(segment, events)

    def _begin(self, number: int, total: int, segment: Segment) -> None:
        if number != FAST:
            expected = self._expected()
            if number != expected:
                raise ProtocolError(segment.body + 4, f"sequence {expected}", number, SEQUENCE_ERROR)
            if self._in_batch and segment.unit != self.unit:
                raise ProtocolError(segment.start + 12, "the batch's unit of work", segment.unit, SEGMENT_ERROR)
            self.unit = segment.unit
        self._number = number
        self._total = total

    def _finish(self, segment: Segment, events: list[Event]) -> None:
        if self._size != self._total:
            raise ProtocolError(segment.body + 8, f"{self._total} bytes of message", self._size, MESSAGE_LENGTH_ERROR)
        data = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        confirm = segment.flags & CONFIRM_REQUEST != 0
        transfer = Transfer(self._number, segment.unit, data, confirm)
        if self._number != FAST:
            self.sequence = self._number
            self._in_batch += 1
        self._parts = []
        self._size = 0
        self._total = -1
        if confirm:
            self.phase = after_sender(self.phase, CONFIRM)
        events.append(transfer)
