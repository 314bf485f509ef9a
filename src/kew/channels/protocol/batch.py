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

from typing import Final

from kew.channels.protocol.control import Status
from kew.channels.protocol.dialect import Dialect, need, pair
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.negotiate import InitialData, Terms
from kew.channels.protocol.segments import (
    CLOSE_CHANNEL,
    FORM_PLAIN,
    MESSAGE_DATA,
    NO_UNIT,
    RESET_DATA,
    RESYNC_DATA,
    Segment,
)
from kew.channels.protocol.session import Session
from kew.channels.protocol.states import CLOSED, NEW, READY
from kew.channels.protocol.status import LENGTH_ERROR, SEGMENT_ERROR, WRAP_VALUE_ERROR

HEAD_SIZE: Final = 20
FAST: Final = 0  # the sequence number of a message outside every batch
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


class MessageChannel(Session):
    """What both ends of a message channel do alike; either of them may be the caller, which has the offer."""

    def __init__(self, dialect: Dialect, patience: float, offer: InitialData | None = None) -> None:
        super().__init__(dialect, patience, offer)
        self.phase: int = NEW  # how far the batch is
        self.sequence: int = 0
        self.unit: bytes = NO_UNIT

    def _started(self, agreed: InitialData) -> None:
        self.established = True
        self.phase = READY

    def _check_offer(self, offer: InitialData, terms: Terms) -> None:
        self._check_wrap(offer.sequence_wrap, terms.sequence_wrap, 20)

    def _check_reply(self, reply: InitialData, segment: Segment) -> None:
        offer = self.offer
        assert offer is not None
        self._check_wrap(reply.sequence_wrap, offer.sequence_wrap, segment.body + 20)

    def _check_wrap(self, theirs: int, ours: int, offset: int) -> None:
        """Refuse another wrap value: it cannot be negotiated."""
        if theirs != ours:
            raise ProtocolError(offset, f"wrap value {ours}", theirs, WRAP_VALUE_ERROR)

    def _close(self) -> None:
        self.state = self.phase = CLOSED

    def _segment(self, segment: Segment, events: list[Event]) -> None:
        if segment.form != FORM_PLAIN:
            raise ProtocolError(segment.start, "a plain header", EYE_NAMES[segment.form], SEGMENT_ERROR)
        super()._segment(segment, events)

    def end(self, code: int = 0, value: int | None = None) -> bytes:
        """End the channel: with a status code, or in good order."""
        if self.state == CLOSED:
            return self.take_output()
        if code:
            return self.refuse(code, value)
        self._say(Status(0, None, CLOSE_CHANNEL), FORM_PLAIN)
        self._close()
        return self.take_output()
