"""The receiving end of a message channel: RCVR, RQSTR, CLUSRCVR."""

from collections import deque

from kew.channels.protocol.batch import (
    HEAD_SIZE,
    HEADER_LENGTH,
    MESSAGE_HEAD,
    XQH_SIZE,
    ConfirmRequested,
    MessageChannel,
    Transfer,
    decode_reset,
    is_persistent,
    next_number,
)
from kew.channels.protocol.control import Ping, Status, decode_ping
from kew.channels.protocol.dialect import SERVER_DIALECT, Dialect, need
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.headers import is_own, own_headers
from kew.channels.protocol.negotiate import InitialData
from kew.channels.protocol.resync import NO_EPOCH, Batch, Kept, Resync, decode_resync
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
from kew.channels.protocol.session import HEARTBEAT_GRACE
from kew.channels.protocol.states import CLOSED, CONFIRM, OFFERED, READY, after_receiver, after_sender
from kew.channels.protocol.status import (
    BATCH_FAILURE,
    INVALID_DATA,
    LENGTH_ERROR,
    MESSAGE_HEADER_ERROR,
    MESSAGE_LENGTH_ERROR,
    SEGMENT_ERROR,
    SEGMENT_TYPE_ERROR,
    SEQUENCE_ERROR,
)

_NOTHING_KEPT = Kept(NO_EPOCH)


class CallbackPromised(Event):
    """The sender that a requester has called drops the socket, and calls back."""

    def __init__(self) -> None:
        super().__init__(0)


class ReceiverChannel(MessageChannel):
    """The receiving end. Its owner commits the messages of a batch together with its record, then confirms.

    After the negotiation, segments wait until `keep` states the record of this end. All of the record must be on disk,
    since the sending end forgets a batch that the record says has arrived.
    """

    def __init__(self, dialect: Dialect = SERVER_DIALECT, offer: InitialData | None = None) -> None:
        super().__init__(dialect, HEARTBEAT_GRACE, offer, _NOTHING_KEPT)
        self.closing: bool = False  # this end wants the channel to end
        self._early: list[Segment] | None = []  # events that came before the record was known
        self._unconfirmed: deque[bytes] = deque()  # LUWIDs
        self._parts: list[bytes] = []
        self._size: int = 0
        self._total: int = -1  # of the message that comes in several segments
        self._fast_message: bool = False
        self._msh: int = 0  # its number
        self._luwid: bytes = NO_UNIT  # of the open batch
        self._latest: bytes = NO_UNIT  # of the last batch that was confirmed or waits for it
        self._moved: int = 0  # messages of the open batch
        self._in_batch: int = 0  # of those, the ones in its unit of work

    def keep(self, kept: Kept) -> list[Event]:
        """Adopt the synchronisation record, once the partner is known; gives the events that waited for the record."""
        self.kept = kept
        self.number = kept.last.number
        self._latest = kept.last.luwid
        early = self._early
        self._early = None
        events: list[Event] = []
        if early and self.state == READY:
            self._take(early, events)
        return events

    def _segment(self, segment: Segment, events: list[Event]) -> None:
        early = self._early
        if early is not None and self.state == READY:
            early.append(segment)
        else:
            super()._segment(segment, events)

    def _beats(self) -> bool:
        """Send no heartbeats: only the sending end begins them."""
        return False

    def request_close(self) -> None:
        """Ask the sending end, in the output, to end the channel; later confirmations repeat that."""
        self.closing = True
        self._say(Status(0, None, REQUEST_CLOSE | WHOLE), FORM_PLAIN)

    def _heartbeat_answer(self) -> int:
        return REQUEST_ACCEPTED | REQUEST_CLOSE if self.closing else REQUEST_ACCEPTED

    def confirm(self, dead_letters: bool = False) -> None:
        """Put the confirmation of the oldest unconfirmed batch into the output; the batch must be on disk."""
        if self.state == CLOSED:
            return  # it has ended while the log was written
        luwid = self._unconfirmed.popleft()
        self.phase = after_receiver(self.phase, STATUS_DATA)
        flags = REQUEST_ACCEPTED
        if dead_letters:
            flags |= DLQ_USED
        if self.closing:
            flags |= REQUEST_CLOSE
        self._put_out(
            encode_header(FORM_PLAIN, HEADER_SIZES[FORM_PLAIN], 0, 0, STATUS_DATA, flags, self.dialect, 0, luwid)
        )

    def _status_received(self, segment: Segment, events: list[Event]) -> None:
        if self.state == OFFERED and segment.flags & REQUEST_ACCEPTED:
            events.append(CallbackPromised())
            return
        if not segment.flags & CONFIRM_REQUEST:
            raise ProtocolError(segment.start + 10, "a request to confirm", segment.flags, SEGMENT_ERROR)
        if self._total >= 0:
            raise ProtocolError(segment.start, "the rest of a message", "a request to confirm", SEGMENT_ERROR)
        self._confirm_requested(segment, events)

    def _confirm_requested(self, segment: Segment, events: list[Event]) -> None:
        self.phase = after_sender(self.phase, CONFIRM)
        luwid = segment.unit
        if self._moved == 0 or luwid != self._luwid:
            raise ProtocolError(segment.start + 12, "the LUWID of the open batch", luwid.hex(), INVALID_DATA)
        self._unconfirmed.append(luwid)
        events.append(ConfirmRequested(luwid, self.number, self._in_batch))
        self._latest = luwid
        self._luwid = NO_UNIT
        self._moved = self._in_batch = 0

    def _body(self, segment: Segment, events: list[Event]) -> None:
        kind = segment.kind
        if kind == MESSAGE_DATA:
            self._message_data(segment, events)
        elif kind == PING_DATA:
            self.phase = after_sender(self.phase, kind)
            ping = decode_ping(segment.data, segment.body, segment.end, segment.dialect)
            self._say(Ping(ping.payload), FORM_PLAIN)
        elif kind == RESET_DATA:
            self._reset(segment, events)
        elif kind == RESYNC_DATA:
            theirs = decode_resync(segment.data, segment.body, segment.end, segment.dialect)
            self.phase = after_sender(self.phase, kind)
            kept = self.kept
            self._say(
                Resync(Kept(kept.epoch, Batch(self.number, kept.last.luwid), kept.partner, (), kept.new)), FORM_PLAIN
            )
            self.phase = after_receiver(self.phase, kind)
            events.append(theirs)
        else:
            raise ProtocolError(segment.start, "a segment of a sending end", f"type 0x{kind:02X}", SEGMENT_TYPE_ERROR)

    def _reset(self, segment: Segment, events: list[Event]) -> None:
        """Set the number that an operator has sent. The LUWID stays, so that a batch in doubt can still be resolved."""
        self.phase = after_sender(self.phase, RESET_DATA)
        reset = decode_reset(segment.data, segment.body, segment.end, segment.dialect)
        if self._moved or self._unconfirmed:
            raise ProtocolError(segment.start, "the end of the batch", "RESET_DATA", SEGMENT_ERROR)
        self.number = max(reset.number - 1, 0)
        events.append(reset)

    def _message_data(self, segment: Segment, events: list[Event]) -> None:
        if self.phase == READY and self.kew:
            raise ProtocolError(segment.start, "RESYNC_DATA, as both ends are Kew", "MESSAGE_DATA", SEGMENT_TYPE_ERROR)
        self.phase = after_sender(self.phase, MESSAGE_DATA)
        body = segment.body
        need(body, HEAD_SIZE, segment.end, "MSH")
        eye, number, here, _, total = MESSAGE_HEAD[segment.dialect.order].unpack_from(segment.data, body)
        if segment.dialect.text_in(eye) != b"MSH ":
            raise ProtocolError(body, "structure b'MSH '", eye, MESSAGE_HEADER_ERROR)
        at = body + HEAD_SIZE
        size = segment.end - at
        if here != size:
            raise ProtocolError(body + 8, f"a segment length of {size}", here, LENGTH_ERROR)
        if segment.flags & FIRST:
            if self._total >= 0:
                raise ProtocolError(segment.start, "the rest of a message", "another message", SEGMENT_ERROR)
            self._begin(number, total, segment)
        elif self._total != total or self._msh != number or segment.unit != self._luwid:
            raise ProtocolError(segment.start, "the rest of the same message", (number, total), SEGMENT_ERROR)
        self._size += size
        last = segment.flags & LAST != 0
        if self._size > total or (last and self._size != total):
            raise ProtocolError(body + 8, f"{total} bytes of message", self._size, MESSAGE_LENGTH_ERROR)
        if not last and size == 0:
            raise ProtocolError(body + 8, "data in a segment that is not the last", 0, LENGTH_ERROR)
        self._parts.append(segment.data[at : segment.end])
        if last:
            self._finish(segment, events)

    def _begin(self, number: int, total: int, segment: Segment) -> None:
        """Take the first segment of a message, which has its MQXQH."""
        dialect = segment.dialect
        at = segment.body + HEAD_SIZE
        limit = self.max_message + XQH_SIZE + HEADER_LENGTH
        if not segment.end - at <= total <= limit:
            raise ProtocolError(segment.body + 16, f"a total length of at most {limit}", total, MESSAGE_LENGTH_ERROR)
        if segment.end - at < XQH_SIZE or dialect.text_in(segment.data[at : at + 4]) != b"XQH ":
            raise ProtocolError(at, "structure b'XQH '", segment.data[at : at + 4], MESSAGE_HEADER_ERROR)
        luwid = segment.unit
        if not self.confirms_fast and self._in_batch == 0 and luwid != self._luwid:
            self._moved = 0  # the batch before had fast messages only, which need no confirmation
        if self._moved == 0:
            if luwid == NO_UNIT or luwid == self._latest:
                raise ProtocolError(segment.start + 12, "a new LUWID", luwid.hex(), INVALID_DATA)
            if len(self._unconfirmed) >= self.window:
                raise ProtocolError(segment.start, "no batch before the confirmation", "a message", BATCH_FAILURE)
            self._luwid = luwid
        elif luwid != self._luwid:
            raise ProtocolError(segment.start + 12, "the LUWID of the open batch", luwid.hex(), INVALID_DATA)
        if self._moved >= self.batch_size:
            raise ProtocolError(segment.start, f"at most {self.batch_size} messages a batch", None, BATCH_FAILURE)
        fast = self.fast and not is_persistent(segment.data, at, segment.end, dialect)
        if not fast:
            expected = next_number(self.number, self.wrap)
            if number != expected:
                raise ProtocolError(segment.body + 4, f"sequence {expected}", number, SEQUENCE_ERROR)
        self._fast_message = fast
        self._msh = number
        self._total = total

    def _finish(self, segment: Segment, events: list[Event]) -> None:
        data = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        if not is_own(segment.dialect, self.kew):
            data = own_headers(data, segment.dialect)
        self._moved += 1
        if not self._fast_message:
            self.number = self._msh
            self._in_batch += 1
        self._parts = []
        self._size = 0
        self._total = -1
        transfer = Transfer(self._msh, segment.unit, data, self._fast_message)
        transfer.dialect = segment.dialect
        events.append(transfer)
        if segment.flags & CONFIRM_REQUEST:
            self._confirm_requested(segment, events)

    def _broken(self, error: ProtocolError, segment: object) -> None:
        """Answer a protocol error; the answer to a wrong sequence number has the number expected."""
        if error.status == SEQUENCE_ERROR:
            self._put_out(self._end(SEQUENCE_ERROR, next_number(self.number, self.wrap), self.dialect))
        else:
            self._put_out(self._end(error.status, None, self.dialect))
