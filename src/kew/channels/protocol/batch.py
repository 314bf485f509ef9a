"""Message channels: a sender moves the messages of a transmission queue to a receiver, in batches, each exactly once.

    MESSAGE_DATA   0 "MSH "  4 i4 sequence number  8 i4 data bytes here  12 i4 0  16 i4 total length, then data;
                   every segment of a message has this head. The data begins with the transmission header, MQXQH.
    RESET_DATA     i4 8, i4 sequence number
    RESYNC_DATA    i4 24, i4 sequence number, b8 unit of work, i4 in doubt, i4 0: our own, the real body is not public

The rule of exactly once: both sides keep, durably and together with the messages, the number of the last message of the
last batch and that batch's unit of work. The sender does not forget a batch before the receiver has confirmed it; when
the channel breaks in between, the batch is in doubt. On the next start both say what they hold: if the receiver's unit
is the one in doubt, the batch has arrived and the sender commits, else it backs out and sends the messages again.
Messages sent at NPMSPEED(FAST) are outside all this and carry sequence number 0.
"""

from abc import abstractmethod
from typing import Final

from kew.channels.protocol.control import Heartbeat, Status, decode_status
from kew.channels.protocol.dialect import Dialect, need, pair
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.framing import frame
from kew.channels.protocol.lifecycle import ChannelEnded, ChannelStarted, Failed, TimedOut
from kew.channels.protocol.negotiate import InitialData, decode_initial_data
from kew.channels.protocol.segments import (
    CLOSE_CHANNEL,
    ERROR,
    FORM_PLAIN,
    HEARTBEAT,
    INITIAL_DATA,
    MESSAGE_DATA,
    NO_UNIT,
    REQUEST_ACCEPTED,
    RESET_DATA,
    RESYNC_DATA,
    STATUS_DATA,
    Segment,
    SegmentReader,
)
from kew.channels.protocol.states import CLOSED, NEW
from kew.channels.protocol.status import LENGTH_ERROR, SEGMENT_ERROR

HEAD_SIZE: Final = 20
FAST: Final = 0  # the sequence number of a message outside every batch
HANDSHAKE_SECONDS: Final = 10.0
RECEIVER_PATIENCE: Final = 5.0
EYE_NAMES: Final = ("TSH", "TSHM", "TSHC")

MESSAGE_HEAD: Final = pair("4siiii")
_RESYNC: Final = pair("ii8sii")
_RESET: Final = pair("ii")


class Resync(Event):
    """RESYNC_DATA: the sequence number and unit of work one side holds, and whether the sender's is in doubt."""

    def __init__(self, sequence: int, unit: bytes, in_doubt: bool) -> None:
        super().__init__(RESYNC_DATA)
        self.sequence = sequence
        self.unit = unit
        self.in_doubt = in_doubt

    def encode(self, dialect: Dialect) -> bytes:
        """The body."""
        return _RESYNC[dialect.order].pack(24, self.sequence, self.unit, 1 if self.in_doubt else 0, 0)


def decode_resync(data: bytes, offset: int, end: int, dialect: Dialect) -> Resync:
    """Read RESYNC_DATA."""
    need(offset, 24, end, "RESYNC_DATA")
    length, sequence, unit, in_doubt, _ = _RESYNC[dialect.order].unpack_from(data, offset)
    if length != 24 or end - offset != 24 or sequence < 0:
        raise ProtocolError(offset, "24 bytes of RESYNC_DATA", length, LENGTH_ERROR)
    return Resync(sequence, unit, in_doubt != 0)


class Reset(Event):
    """RESET_DATA: the sender's operator has set the sequence number."""

    def __init__(self, sequence: int) -> None:
        super().__init__(RESET_DATA)
        self.sequence = sequence

    def encode(self, dialect: Dialect) -> bytes:
        """The body."""
        return _RESET[dialect.order].pack(8, self.sequence)


def decode_reset(data: bytes, offset: int, end: int, dialect: Dialect) -> Reset:
    """Read RESET_DATA."""
    need(offset, 8, end, "RESET_DATA")
    length, sequence = _RESET[dialect.order].unpack_from(data, offset)
    if length != 8 or end - offset != 8 or sequence < 0:
        raise ProtocolError(offset, "8 bytes of RESET_DATA", length, LENGTH_ERROR)
    return Reset(sequence)


class Transfer(Event):
    """A message moved by a channel: its number, its batch's unit of work, and whether the batch ends with it."""

    def __init__(self, sequence: int, unit: bytes, data: bytes, confirm: bool) -> None:
        super().__init__(MESSAGE_DATA)
        self.sequence = sequence
        self.unit = unit
        self.payload = data
        self.confirm = confirm


class ConfirmRequested(Event):
    """The sender ends the batch after the message before: commit, then confirm."""

    def __init__(self, unit: bytes) -> None:
        super().__init__(0)
        self.unit = unit


class BatchConfirmed(Event):
    """The receiver has committed the batch; the sender may forget it."""

    def __init__(self, unit: bytes, dead_letters: bool) -> None:
        super().__init__(0)
        self.unit = unit
        self.dead_letters = dead_letters


class Resolved(Event):
    """Both sides know where they stand: an in-doubt batch has arrived (commit it) or not (back it out)."""

    def __init__(self, arrived: bool, sequence: int) -> None:
        super().__init__(0)
        self.arrived = arrived
        self.sequence = sequence


class CloseRequested(Event):
    """The receiver asks the sender to end the channel after this batch."""

    def __init__(self) -> None:
        super().__init__(0)


def next_sequence(sequence: int, wrap: int) -> int:
    """The number after this one; after the wrap value comes 1."""
    return 1 if sequence >= wrap else sequence + 1


class MessageChannel:
    """What both ends of a message channel do alike."""

    def __init__(self, dialect: Dialect, patience: float) -> None:
        self.reader = SegmentReader()
        self.state: int = NEW
        self.dialect = dialect
        self.agreed: InitialData | None = None
        self.sequence: int = 0
        self.unit: bytes = NO_UNIT
        self._output: list[bytes] = []
        self._patience = patience
        self._heard: bool = False
        self._spoke: bool = False
        self._born: float = -1.0
        self._last_heard: float = 0.0
        self._last_spoke: float = 0.0

    def receive(self, data: bytes) -> list[Event]:
        """The events that these bytes bring."""
        events: list[Event] = []
        if self.state == CLOSED:
            return events
        self._heard = True
        segments: list[Segment] = []
        failure: ProtocolError | None = None
        try:
            self.reader.feed(data, segments)
        except ProtocolError as error:
            failure = error
        for segment in segments:
            try:
                self._segment(segment, events)
            except ProtocolError as error:
                error.offset = max(error.offset - segment.start, 0)
                failure = error
            if failure is not None or self.state == CLOSED:
                break
        if failure is not None and self.state != CLOSED:
            self._say(Status(failure.status))
            self.state = CLOSED
            events.append(Failed(failure))
        return events

    def _segment(self, segment: Segment, events: list[Event]) -> None:
        kind = segment.kind
        if segment.form != FORM_PLAIN:
            raise ProtocolError(segment.start, "a plain header", EYE_NAMES[segment.form], SEGMENT_ERROR)
        if kind == HEARTBEAT:
            if not segment.flags & REQUEST_ACCEPTED:
                self._say(Heartbeat(REQUEST_ACCEPTED))
        elif kind == STATUS_DATA:
            status = decode_status(segment.data, segment.body, segment.end, segment.dialect)
            if status.code or segment.flags & CLOSE_CHANNEL:
                self.state = CLOSED
                events.append(ChannelEnded(status.code, status.value or 0))
            else:
                self._status(segment, events)
        elif kind == INITIAL_DATA:
            initial = decode_initial_data(segment.data, segment.body, segment.end, segment.dialect)
            initial.flags = segment.flags
            self._initial_data(initial, segment, events)
        else:
            self._other(segment, events)

    @abstractmethod
    def _initial_data(self, initial: InitialData, segment: Segment, events: list[Event]) -> None:
        """The other side says what it wants of the channel, or what it agrees to."""

    @abstractmethod
    def _status(self, segment: Segment, events: list[Event]) -> None:
        """The other side reports its state or an error."""

    @abstractmethod
    def _other(self, segment: Segment, events: list[Event]) -> None:
        """Any other segment."""

    def _agree(self, agreed: InitialData, events: list[Event]) -> None:
        self.agreed = agreed
        self.reader.max_segment = agreed.max_segment
        events.append(ChannelStarted(agreed))

    def _say(self, event: Event) -> None:
        self._output.append(frame(event, FORM_PLAIN, self.dialect, 32768))

    def take_output(self) -> bytes:
        """What the protocol has to say by itself."""
        data = b"".join(self._output)
        self._output = []
        if data:
            self._spoke = True
        return data

    def end(self, code: int = 0, value: int | None = None) -> bytes:
        """End the channel: with a status code, or in good order."""
        if self.state == CLOSED:
            return self.take_output()
        flags = CLOSE_CHANNEL if code == 0 else ERROR | CLOSE_CHANNEL
        self._say(Status(code, value, flags))
        self.state = CLOSED
        return self.take_output()

    def tick(self, now: float) -> list[Event]:
        """Let time pass: the sender's heartbeat falls due, a silent partner is given up."""
        if self._born < 0.0:
            self._born = self._last_heard = self._last_spoke = now
        if self._heard:
            self._last_heard = now
            self._heard = False
        if self._spoke:
            self._last_spoke = now
            self._spoke = False
        agreed = self.agreed
        if self.state == CLOSED:
            return []
        if agreed is None:
            if now - self._born < HANDSHAKE_SECONDS:
                return []
            self.state = CLOSED
            return [TimedOut("the handshake")]
        interval = float(agreed.heartbeat)
        if interval <= 0.0:
            return []
        limit = interval + 60.0 if interval >= 60.0 else 2.0 * interval
        if now - self._last_heard >= limit + self._patience:
            self.state = CLOSED
            return [TimedOut("a sign of life")]
        if self._patience == 0.0 and now - self._last_spoke >= interval:
            self._say(Heartbeat())
            self._last_spoke = now
        return []
