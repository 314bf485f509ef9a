"""The sending end of a message channel: SDR, SVR, CLUSSDR."""

from collections import deque
from typing import Final

from kew.channels.protocol.batch import (
    HEAD_SIZE,
    MESSAGE_HEAD,
    XQH_SIZE,
    BatchConfirmed,
    CloseRequested,
    MessageChannel,
    Reset,
    is_persistent,
    next_number,
)
from kew.channels.protocol.control import Heartbeat, Ping, decode_ping
from kew.channels.protocol.dialect import SERVER_DIALECT, Dialect
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.negotiate import InitialData
from kew.channels.protocol.resync import (
    NO_EPOCH,
    NUMBERS_DIFFER,
    SETTLED,
    UNKNOWN_PARTNER,
    Batch,
    Kept,
    Resync,
    Verdict,
    decide,
    decode_resync,
)
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
from kew.channels.protocol.states import CONFIRM, READY, after_receiver, after_sender
from kew.channels.protocol.status import SEGMENT_ERROR, SEGMENT_TYPE_ERROR, SEQUENCE_ERROR

_HEADER_SIZE: Final = HEADER_SIZES[FORM_PLAIN]


class Resolved(Event):
    """Both ends have compared their records; the verdict decides on the batches in doubt."""

    def __init__(self, verdict: Verdict, partner: bytes) -> None:
        super().__init__(0)
        self.verdict = verdict
        self.partner = partner  # the epoch of the partner's record, to be kept before a confirmation is requested


class Alive(Event):
    """The receiving end has answered a heartbeat."""

    def __init__(self) -> None:
        super().__init__(0)


class SenderChannel(MessageChannel):
    """The sending end. `kept` is its synchronisation record, with the batches in doubt to resolve."""

    def __init__(
        self,
        offer: InitialData | None,
        kept: Kept,
        dialect: Dialect = SERVER_DIALECT,
        numbers_matter: bool = True,
    ) -> None:
        super().__init__(dialect, 0.0, offer, kept)
        self.numbers_matter = numbers_matter
        self.unconfirmed: deque[bytes] = deque()  # LUWIDs of batches whose confirmation has been requested
        self.luwid: bytes = NO_UNIT  # of the open batch
        self.in_batch: int = 0  # messages of the open batch that are in its unit of work
        self.moved: int = 0  # messages of the open batch, fast ones too
        self._reset_sent: bool = False

    def resynchronise(self) -> list[Event]:
        """Send this end's synchronisation record; another Kew answers with Resolved.

        A partner other than Kew does not resynchronise: if a batch is in doubt, the channel to it cannot continue.
        """
        if self.kew:
            self.phase = after_sender(self.phase, RESYNC_DATA)
            self._say(Resync(self.kept), FORM_PLAIN)
            return []
        doubt = len(self.kept.doubtful) > 0
        verdict = Verdict(UNKNOWN_PARTNER if doubt else SETTLED, not doubt, 0, self.number)
        return [Resolved(verdict, NO_EPOCH)]

    def reset(self, number: int) -> None:
        """Set the number of the next message, as RESET CHANNEL does; never within a batch."""
        if self.moved or self.unconfirmed or (self.phase == READY and self.kept.doubtful):
            raise ValueError("RESET_DATA while a batch is open, unconfirmed or in doubt")
        self.phase = after_sender(self.phase, RESET_DATA)
        self.number = max(number - 1, 0)
        self._reset_sent = True
        self._say(Reset(number), FORM_PLAIN)

    def ping(self, data: bytes) -> bytes:
        """Send bytes for the other end to echo; no message moves on this connection."""
        self.phase = after_sender(self.phase, PING_DATA)
        self._say(Ping(data), FORM_PLAIN)
        return self.take_output()

    def may_begin(self) -> bool:
        """Say whether the window has room for another batch."""
        return len(self.unconfirmed) < self.window

    def begin_batch(self, luwid: bytes) -> None:
        """Begin a batch: the messages that follow belong to the batch with this LUWID."""
        if len(luwid) != 8 or luwid == NO_UNIT:
            raise ValueError("an LUWID has 8 bytes and is not zero")
        if self.moved or not self.may_begin():
            raise ValueError("a batch is open, or the window is full")
        self.luwid = luwid
        self.in_batch = 0

    def move(self, data: bytes) -> None:
        """Put one message, MQXQH first, into the output."""
        if self.agreed is None or len(data) > self.longest:
            raise ValueError("a message longer than the channel allows")
        if self.luwid == NO_UNIT or self.moved >= self.batch_size:
            raise ValueError("no batch is open, or it is full")
        self.phase = after_sender(self.phase, MESSAGE_DATA)
        end = len(data)
        dialect = self.dialect
        if not self.fast or is_persistent(data, 0, end, dialect):
            self.number = next_number(self.number, self.wrap)
            self.in_batch += 1
        self.moved += 1
        number = self.number
        room = self.max_segment - _HEADER_SIZE - HEAD_SIZE
        head = MESSAGE_HEAD[dialect.order]
        position = 0
        while True:
            size = min(room, end - position)
            flags = FIRST if position == 0 else 0
            if position + size == end:
                flags |= LAST
            header = encode_header(
                FORM_PLAIN, _HEADER_SIZE + HEAD_SIZE + size, 0, 0, MESSAGE_DATA, flags, dialect, 0, self.luwid
            )
            self._put_out_segment(
                header + dialect.native(head.pack(b"MSH ", number, size, 0, end), ((0, 4),)),
                data if size == end else data[position : position + size],
                position == 0,
            )
            position += size
            if position >= end:
                break

    def _put_out_segment(self, heads: bytes, data: bytes, first: bool) -> None:
        """Put a segment of a message into the output, compressed where that makes it shorter."""
        packing = self.packing
        if packing is None:
            self._put_out(heads)
            self._put_out(data)
        elif first:
            self._put_out(packing.pack_first(heads + data, FORM_PLAIN, HEAD_SIZE, XQH_SIZE))
        else:
            self._put_out(packing.pack_later(heads + data, FORM_PLAIN, HEAD_SIZE))

    def close_batch(self) -> Batch:
        """End the open batch: no message is added to it. Gives the batch, to be prepared before its confirmation."""
        batch = Batch(self.number, self.luwid, self.in_batch)
        self.luwid = NO_UNIT
        self.moved = 0
        return batch

    def ask_to_confirm(self, luwid: bytes) -> None:
        """Request confirmation of a closed batch, by a segment of its own."""
        self.phase = after_sender(self.phase, CONFIRM)
        self._put_out(
            encode_header(FORM_PLAIN, _HEADER_SIZE, 0, 0, STATUS_DATA, CONFIRM_REQUEST | WHOLE, self.dialect, 0, luwid)
        )
        self.unconfirmed.append(luwid)

    def _status_received(self, segment: Segment, events: list[Event]) -> None:
        if segment.flags & REQUEST_ACCEPTED:
            self.phase = after_receiver(self.phase, STATUS_DATA)
            if not self.unconfirmed or segment.unit != self.unconfirmed[0]:
                expected = f"batch {self.unconfirmed[0].hex()}" if self.unconfirmed else "no confirmation"
                raise ProtocolError(segment.start + 12, expected, segment.unit.hex(), SEGMENT_ERROR)
            luwid = self.unconfirmed.popleft()
            events.append(BatchConfirmed(luwid, segment.flags & DLQ_USED != 0))
        elif not segment.flags & REQUEST_CLOSE:
            raise ProtocolError(segment.start + 10, "a confirmation", segment.flags, SEGMENT_ERROR)
        if segment.flags & REQUEST_CLOSE:
            events.append(CloseRequested())

    def ask_for_life(self) -> None:
        """Put a heartbeat into the output; the event Alive then shows that the partner is there."""
        self._say(Heartbeat(), FORM_PLAIN)
        self.heartbeats_sent += 1

    def _heartbeat_answered(self, segment: Segment, events: list[Event]) -> None:
        events.append(Alive())
        if segment.flags & REQUEST_CLOSE:
            events.append(CloseRequested())

    def _body(self, segment: Segment, events: list[Event]) -> None:
        kind = segment.kind
        if kind == PING_DATA:
            self.phase = after_receiver(self.phase, kind)
            events.append(decode_ping(segment.data, segment.body, segment.end, segment.dialect))
        elif kind == RESYNC_DATA:
            theirs = decode_resync(segment.data, segment.body, segment.end, segment.dialect).kept
            self.phase = after_receiver(self.phase, kind)
            if theirs.doubtful:
                raise ProtocolError(segment.body + 12, "no batch in doubt", len(theirs.doubtful))
            own = self.kept
            if self._reset_sent and not own.doubtful:
                verdict = Verdict(SETTLED, True, 0, theirs.last.number)
            else:
                verdict = decide(own, theirs, self.numbers_matter)
            if verdict.settled and verdict.arrived:
                self.number = own.doubtful[verdict.arrived - 1].number
            elif verdict.settled and not self._reset_sent:
                self.number = own.last.number
            if verdict.cause == SETTLED and not self.numbers_matter:
                self.number = theirs.last.number
            if verdict.cause == NUMBERS_DIFFER:
                self._put_out(self._end(SEQUENCE_ERROR, next_number(self.number, self.wrap), self.dialect))
            events.append(Resolved(verdict, theirs.epoch))
        else:
            raise ProtocolError(segment.start, "a segment of a receiving end", f"type 0x{kind:02X}", SEGMENT_TYPE_ERROR)
