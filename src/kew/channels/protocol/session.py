"""A session: the protocol of one socket for any kind of channel, without sockets and clock.

A session handles segments, the negotiation, status, heartbeats, compression and protocol errors. `receive` takes bytes
and gives events. Answers that the protocol itself requires (negotiation, heartbeats, acknowledgements) wait in the
output until `take_output`, which is to be called after each `receive` and `tick`. `tick` takes the time.

The negotiation is here, for every channel: the caller offers (`start`), the responder answers (`accept`, `refuse`). The
traffic after it is in subclasses, which supply the methods without a body: the conversations of a client channel
(`conversation.py`, with its two sides `client.py` and `server.py`), and the batches of a message channel (`batch.py`,
`sending.py`, `receiving.py`).
"""

from abc import abstractmethod
from typing import Final

from kew.channels.protocol.control import Heartbeat, Status, decode_status
from kew.channels.protocol.dialect import Dialect
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.framing import frame
from kew.channels.protocol.lifecycle import ChannelEnded, ChannelRequested, ChannelStarted, Failed, TimedOut
from kew.channels.protocol.negotiate import (
    KEW_SERVER,
    MAX_MESSAGE,
    MAX_SEGMENT,
    MIN_SEGMENT,
    InitialData,
    Terms,
    acceptance,
    answer,
    check_second,
    decode_initial_data,
    second_offer,
)
from kew.channels.protocol.packing import COMPRESSED, Packing
from kew.channels.protocol.segments import (
    CLOSE_CHANNEL,
    ERROR,
    FORM_MULTIPLEXED,
    FORM_PLAIN,
    FORM_SOCKET,
    HEARTBEAT,
    INITIAL_DATA,
    MQCONN,
    REQUEST_ACCEPTED,
    STATUS_DATA,
    Segment,
    SegmentReader,
)
from kew.channels.protocol.states import (
    ACCEPTING,
    AGREED,
    CLOSED,
    COUNTERED,
    NEW,
    OFFERED,
    READY,
    after_caller,
    after_responder,
)
from kew.channels.protocol.status import NEGOTIATION_FAILED, SEGMENT_ERROR

HANDSHAKE_SECONDS: Final = 10.0
HEARTBEAT_GRACE: Final = 5.0  # seconds that the side not due to send the first heartbeat waits longer


class Session:
    """The part that both ends of every channel share."""

    def __init__(self, dialect: Dialect, heartbeat_grace: float, offer: InitialData | None = None) -> None:
        self.reader = SegmentReader()
        # State of the channel; once it is ready, conversations and batches have states of their own.
        self.state: int = NEW
        self.multiplexed: bool = False
        self.max_segment: int = MAX_SEGMENT
        self.max_message: int = MAX_MESSAGE
        self.heartbeat: int = 0
        self.silence: float = 0.0  # seconds after which a peer is given up, in place of the time by the heartbeat
        self.dialect = dialect
        self.offer = offer  # the caller's
        self.reply: InitialData | None = None  # the responder's answer to it
        self.agreed: InitialData | None = None
        self.extended: bool = False  # the other side is Kew too
        self.packing: Packing | None = None  # the compression, if there is any
        self.established: bool = False  # the time for shaking hands is over
        self.bytes_received: int = 0
        self.bytes_sent: int = 0
        self.heartbeats_sent: int = 0
        self._calls: bool = offer is not None
        self._offered_in: Dialect = dialect
        self._output: list[bytes] = []
        self._heartbeat_grace = heartbeat_grace
        self._heard: bool = False
        self._spoke: bool = False
        self._born: float = -1.0
        self._last_heard: float = 0.0
        self._last_spoke: float = 0.0

    # Supplied by each kind of channel.

    @abstractmethod
    def _body(self, segment: Segment, events: list[Event]) -> None:
        """Act on a segment of the traffic after the negotiation, other than status and heartbeats."""

    @abstractmethod
    def _status_received(self, segment: Segment, events: list[Event]) -> None:
        """Act on a STATUS_DATA that neither reports an error nor ends the channel."""

    @abstractmethod
    def _started(self, agreed: InitialData) -> None:
        """Begin the work of the channel: both sides agree."""

    def _check_offer(self, offer: InitialData, terms: Terms) -> None:
        """Refuse an offer that no answer can correct."""

    def _check_reply(self, reply: InitialData, segment: Segment) -> None:
        """Refuse an answer that the caller cannot accept."""

    def _adopt(self, dialect: Dialect) -> None:
        """Adopt the responder's byte order and character set, if the caller does so."""

    def _watches(self) -> bool:
        """Say whether heartbeats are in use, so that a silent peer can be given up."""
        return True

    def _beats(self) -> bool:
        """Say whether this side sends heartbeats."""
        return True

    def _heartbeat_answer(self) -> int:
        """Give the flags of this side's answers to heartbeats."""
        return REQUEST_ACCEPTED

    def _heartbeat_answered(self, segment: Segment, events: list[Event]) -> None:
        """Act on the other side's answer to a heartbeat."""

    def _close(self) -> None:
        """End the channel: nothing more is received or sent."""
        self.state = CLOSED

    # Bytes in.

    def receive(self, data: bytes) -> list[Event]:
        """Give the events of received bytes; after a Failed or ChannelEnded there are none."""
        events: list[Event] = []
        if self.state == CLOSED:
            return events
        self._heard = True
        self.bytes_received += len(data)
        segments: list[Segment] = []
        failure: ProtocolError | None = None
        try:
            self.reader.feed(data, segments)
        except ProtocolError as error:
            failure = error
        self._take(segments, events)
        if failure is not None and self.state != CLOSED:
            self._fail(failure, None, events)
        return events

    def _take(self, segments: list[Segment], events: list[Event]) -> None:
        """Act on complete segments, up to the first that ends the channel."""
        for segment in segments:
            try:
                self._segment(segment, events)
            except ProtocolError as error:
                error.offset = max(error.offset - segment.start, 0)
                self._fail(error, segment, events)
            if self.state == CLOSED:
                return

    def _segment(self, segment: Segment, events: list[Event]) -> None:
        if segment.more_flags & COMPRESSED:
            self._expand(segment)
        kind = segment.kind
        if kind >= MQCONN:
            self._body(segment, events)
        elif kind == HEARTBEAT:
            self._heartbeat(segment, events)
        elif kind == INITIAL_DATA:
            self._initial_data(segment, events)
        elif kind == STATUS_DATA:
            self._status(segment, events)
        else:
            self._body(segment, events)

    def _expand(self, segment: Segment) -> None:
        packing = self.packing
        if packing is None:
            raise ProtocolError(segment.start, "no compression that was not agreed", f"0x{segment.more_flags:02X}")
        packing.unpack(segment, self.max_segment)

    def _heartbeat(self, segment: Segment, events: list[Event]) -> None:
        if self.state != READY:
            raise ProtocolError(segment.start, "the channel's negotiation", "a heartbeat", SEGMENT_ERROR)
        if segment.flags & REQUEST_ACCEPTED:
            self._heartbeat_answered(segment, events)
        else:
            reply = Heartbeat(self._heartbeat_answer())
            reply.conversation_id = segment.conversation_id
            reply.request_id = segment.request_id
            self._say(reply, segment.form)

    def _status(self, segment: Segment, events: list[Event]) -> None:
        status = decode_status(segment.data, segment.body, segment.end, segment.dialect)
        if status.code or segment.body != segment.end or segment.flags & CLOSE_CHANNEL:
            self.state = CLOSED
            events.append(ChannelEnded(status.code, status.value or 0))
            return
        self._status_received(segment, events)

    def _fail(self, error: ProtocolError, segment: Segment | None, events: list[Event]) -> None:
        self._broken(error, segment)
        self._close()
        events.append(Failed(error))

    def _broken(self, error: ProtocolError, segment: Segment | None) -> None:
        """Answer the other side, which has broken the protocol."""
        self._put_out(self._end(error.status, None, segment.dialect if segment is not None else self.dialect))

    # Negotiation.

    def start(self) -> bytes:
        """Make the caller's first offer, to be sent once the socket is open."""
        offer = self.offer
        assert offer is not None
        self.state = after_caller(self.state, INITIAL_DATA)
        self._say(offer, FORM_PLAIN)
        return self.take_output()

    def _initial_data(self, segment: Segment, events: list[Event]) -> None:
        initial = decode_initial_data(segment.data, segment.body, segment.end, segment.dialect)
        initial.flags = segment.flags
        if self._calls:
            self._answered(initial, segment, events)
        else:
            self._offered(initial, segment, events)

    def _answered(self, reply: InitialData, segment: Segment, events: list[Event]) -> None:
        """Act on the responder's answer: an acceptance, or values to change."""
        offer = self.offer
        assert offer is not None
        self._check_limits(offer, reply, segment)
        self._check_reply(reply, segment)
        if segment.flags & ERROR:
            self.state = after_responder(self.state, INITIAL_DATA)
            if self.state != COUNTERED:
                raise ProtocolError(segment.start, "an answer to the first offer", None, NEGOTIATION_FAILED)
            self._adopt(segment.dialect)
            offer = self.offer = second_offer(offer, reply)
            self.max_segment = reply.max_segment
            self.multiplexed = reply.conversations > 0
            self.reader.max_segment = reply.max_segment
            self._say(offer, FORM_MULTIPLEXED if self.multiplexed else FORM_PLAIN)
            self.state = after_caller(self.state, INITIAL_DATA)
            return
        if self.state == OFFERED:
            self._adopt(segment.dialect)
        self.state = after_responder(self.state, ACCEPTING)
        self.multiplexed = reply.conversations > 0
        self._start(reply, events)

    def _check_limits(self, offer: InitialData, reply: InitialData, segment: Segment) -> None:
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

    def _offered(self, offer: InitialData, segment: Segment, events: list[Event]) -> None:
        """Act on the caller's first offer, which the owner answers, or on the second, which must match the answer."""
        self.state = after_caller(self.state, INITIAL_DATA)
        reply = self.reply
        if self.state == AGREED and reply is not None:
            check_second(offer, reply, segment.body)
            final = acceptance(offer, reply)
            self._say(final, FORM_MULTIPLEXED if self.multiplexed else FORM_PLAIN)
            self.state = after_responder(self.state, ACCEPTING)
            self._start(final, events)
            return
        self.offer = offer
        self._offered_in = segment.dialect
        events.append(ChannelRequested(offer))

    def accept(self, terms: Terms) -> tuple[bytes, list[Event]]:
        """Answer the caller's offer with these terms; when nothing had to change, the channel starts at once.

        An offer that no terms can meet is refused, with a Failed event; a session that has ended sends nothing.
        """
        offer = self.offer
        events: list[Event] = []
        if offer is None or self.state != OFFERED:
            return self.take_output(), events
        try:
            self._check_offer(offer, terms)
            reply = answer(offer, terms)
        except ProtocolError as error:
            events.append(Failed(error))
            return self._end(error.status, None, self._offered_in), events
        self.reply = reply
        self.state = after_responder(self.state, INITIAL_DATA if reply.flags else ACCEPTING)
        self.multiplexed = reply.conversations > 0
        self.reader.max_segment = reply.max_segment
        offered = self._offered_in
        # The first answer is the caller's header turned into the responder's byte order: its encoding word stays.
        dialect = Dialect(self.dialect.byte_order, offered.encoding, self.dialect.ccsid, self.dialect.ebcdic)
        self._put_out(frame(reply, FORM_PLAIN, dialect, self.max_segment))
        if self.state == READY:
            self._start(reply, events)
        return self.take_output(), events

    def refuse(self, code: int, value: int | None = None) -> bytes:
        """End the channel with a status code; send these bytes and close."""
        return self._end(code, value, self._offered_in if self.state < COUNTERED else self.dialect)

    def _end(self, code: int, value: int | None, dialect: Dialect) -> bytes:
        form = FORM_MULTIPLEXED if self.multiplexed and self.state == READY else FORM_PLAIN
        data = self.take_output() + frame(Status(code, value), form, dialect, self.max_segment)
        self._close()
        return data

    def _start(self, agreed: InitialData, events: list[Event]) -> None:
        self.agreed = agreed
        self.extended = agreed.trace_id == KEW_SERVER
        packing = Packing(agreed.header_compression[0], agreed.message_compression[0], self.extended)
        self.packing = packing if packing.active else None
        self.max_segment = agreed.max_segment
        self.max_message = agreed.max_message
        self.heartbeat = agreed.heartbeat
        self.reader.max_segment = agreed.max_segment
        self._started(agreed)
        events.append(ChannelStarted(agreed))

    # Bytes out.

    def take_output(self) -> bytes:
        """Give the bytes that the protocol sends by itself; empty if there are none."""
        if not self._output:
            return b""
        data = self._output[0] if len(self._output) == 1 else b"".join(self._output)
        self._output = []
        self._spoke = True
        self.bytes_sent += len(data)
        return data

    def _put_out(self, data: bytes) -> None:
        self._output.append(data)

    def _say(self, event: Event, form: int) -> None:
        """Add an event to the output."""
        self._output.append(frame(event, form, self.dialect, self.max_segment))

    # Time.

    def tick(self, now: float) -> list[Event]:
        """Check the time: send heartbeats that are due, and give up a silent or slow peer."""
        if self._born < 0.0:
            self._born = now
            self._last_heard = now
            self._last_spoke = now
        if self._heard:
            self._last_heard = now
            self._heard = False
        if self._spoke:
            self._last_spoke = now
            self._spoke = False
        if self.state == CLOSED:
            return []
        if not self.established:
            if now - self._born >= HANDSHAKE_SECONDS:
                self.state = CLOSED
                return [TimedOut("the handshake")]
            return []
        interval = float(self.heartbeat)
        if interval <= 0.0 or not self._watches():
            return []
        limit = self.silence or (interval + 60.0 if interval >= 60.0 else 2.0 * interval)
        if now - self._last_heard >= limit + self._heartbeat_grace:
            self.state = CLOSED
            return [TimedOut("a sign of life")]
        if now - max(self._last_heard, self._last_spoke) >= interval + self._heartbeat_grace and self._beats():
            self._say(Heartbeat(), FORM_SOCKET if self.multiplexed else FORM_PLAIN)
            self.heartbeats_sent += 1
            self._last_spoke = now
        return []
