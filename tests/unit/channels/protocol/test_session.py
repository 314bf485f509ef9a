"""The session core: a client channel and a message channel are negotiated, watched and ended by the same code."""

from collections.abc import Callable

import pytest

from kew.channels.protocol.client import ClientSession
from kew.channels.protocol.control import Heartbeat
from kew.channels.protocol.dialect import BIG, ENC_ZOS, Dialect, padded
from kew.channels.protocol.events import Event
from kew.channels.protocol.framing import frame
from kew.channels.protocol.lifecycle import ChannelEnded, ChannelRequested, ChannelStarted, Failed, TimedOut
from kew.channels.protocol.mqapi import Connect, connect_reply
from kew.channels.protocol.negotiate import SENDER_CAPABILITIES, InitialData, Terms
from kew.channels.protocol.receiving import ReceiverChannel
from kew.channels.protocol.resync import Kept
from kew.channels.protocol.segments import FORM_PLAIN
from kew.channels.protocol.sending import Alive, SenderChannel
from kew.channels.protocol.server import ServerSession
from kew.channels.protocol.session import HANDSHAKE_SECONDS, HEARTBEAT_GRACE, Session
from kew.channels.protocol.states import CLOSED, READY
from kew.channels.protocol.status import (
    CHANNEL_UNAVAILABLE,
    INITIAL_DATA_ERROR,
    NEGOTIATION_FAILED,
    SEGMENT_ERROR,
    SEGMENT_TYPE_ERROR,
)

Pair = tuple[Session, Session]
HEARTBEAT = 60


def terms() -> Terms:
    granted = Terms("QM2", "QM2_2026-01-01_00.00.00")
    granted.heartbeat = HEARTBEAT
    granted.max_segment = 4096
    return granted


def offered(message_channel: bool) -> InitialData:
    offer = InitialData()
    offer.channel_name = padded("TO.QM2", 20)
    if message_channel:
        offer.capabilities1 = SENDER_CAPABILITIES
        offer.capabilities2 = 0x87
        offer.capabilities3 = 0x05
        offer.batch_size = 50
        offer.sequence_wrap = 999999999
        offer.conversations = 0
    return offer


def client() -> Pair:
    return ClientSession(offered(False)), ServerSession()


def receiving(offer: InitialData | None = None) -> ReceiverChannel:
    channel = ReceiverChannel(offer=offer)
    channel.keep(Kept(b"its own."))
    return channel


def sender() -> Pair:
    return SenderChannel(offered(True), Kept(b"epoch of")), receiving()


def sender_in_ebcdic() -> Pair:
    return SenderChannel(offered(True), Kept(b"epoch of"), Dialect(BIG, ENC_ZOS, 500, True)), receiving()


def requester() -> Pair:
    """The receiving end calls, and the sending end answers."""
    return receiving(offered(True)), SenderChannel(None, Kept(b"epoch of"))


KINDS = [client, sender, sender_in_ebcdic, requester]
each = pytest.mark.parametrize("make", KINDS, ids=lambda make: make.__name__)


def only(events: list[Event]) -> Event:
    assert len(events) == 1, events
    return events[0]


def carry(data: bytes, to: Session) -> list[Event]:
    """Let bytes arrive one by one."""
    found: list[Event] = []
    for position in range(len(data)):
        found += to.receive(data[position : position + 1])
    return found


def negotiated(make: Callable[[], Pair], granted: Terms | None = None) -> Pair:
    caller, responder = make()
    assert isinstance(only(carry(caller.start(), responder)), ChannelRequested)
    said, started = responder.accept(terms() if granted is None else granted)
    assert started == []  # something had to change
    assert carry(said, caller) == []
    assert isinstance(only(carry(caller.take_output(), responder)), ChannelStarted)
    assert isinstance(only(carry(responder.take_output(), caller)), ChannelStarted)
    return caller, responder


def established(make: Callable[[], Pair]) -> Pair:
    """A channel whose handshake is over: of a client channel once a program has connected."""
    caller, responder = negotiated(make)
    if isinstance(caller, ClientSession) and isinstance(responder, ServerSession):
        call = only(responder.receive(caller.send(Connect())))
        assert isinstance(call, Connect)
        caller.receive(responder.send(connect_reply(call, bytes(24), b"")))
    assert caller.established
    assert responder.established
    return caller, responder


@each
def test_both_ends_agree_on_the_same_values(make: Callable[[], Pair]) -> None:
    caller, responder = negotiated(make)
    for session in (caller, responder):
        assert session.state == READY
        assert (session.max_segment, session.max_message) == (4096, 4194304)
        assert session.reader.max_segment == 4096
        assert session.heartbeat == 300  # the larger of both
        assert session.agreed is not None
    assert caller.bytes_sent == responder.bytes_received
    assert responder.bytes_sent == caller.bytes_received


@each
def test_an_offer_that_needs_no_change_is_accepted_at_once(make: Callable[[], Pair]) -> None:
    _, responder = negotiated(make)
    agreed = responder.reply
    assert agreed is not None
    again, _ = make()
    assert again.offer is not None
    for name in ("fap_level", "max_segment", "max_message", "heartbeat", "batch_size", "conversations", "size"):
        setattr(again.offer, name, getattr(agreed, name))
    for name in ("capabilities1", "capabilities2", "capabilities3", "key_reset"):
        setattr(again.offer, name, getattr(agreed, name))
    _, answerer = make()
    answerer.receive(again.start())
    said, started = answerer.accept(terms())
    assert isinstance(only(started), ChannelStarted)
    assert isinstance(only(carry(said, again)), ChannelStarted)


@each
def test_a_refusal_ends_both(make: Callable[[], Pair]) -> None:
    caller, responder = make()
    responder.receive(caller.start())
    ended = only(carry(responder.refuse(CHANNEL_UNAVAILABLE, 7), caller))
    assert isinstance(ended, ChannelEnded)
    assert (ended.code, ended.value) == (CHANNEL_UNAVAILABLE, 7)
    assert caller.state == responder.state == CLOSED
    assert responder.accept(terms()) == (b"", [])


@each
def test_an_offer_that_no_answer_can_correct_is_refused(make: Callable[[], Pair]) -> None:
    caller, responder = make()
    assert caller.offer is not None
    caller.offer.max_segment = 100
    responder.receive(caller.start())
    said, events = responder.accept(terms())
    failed = only(events)
    assert isinstance(failed, Failed)
    assert failed.error.status == NEGOTIATION_FAILED
    ended = only(carry(said, caller))
    assert isinstance(ended, ChannelEnded)
    assert ended.code == NEGOTIATION_FAILED


@each
def test_an_answer_that_grants_more_than_was_offered_is_refused(make: Callable[[], Pair]) -> None:
    caller, _ = make()
    caller.start()
    greedy, responder = make()
    assert greedy.offer is not None
    greedy.offer.max_message = 1 << 26
    responder.receive(greedy.start())
    generous = terms()
    generous.max_message = 1 << 26
    assert caller.offer is not None
    caller.offer.max_message = 1 << 20
    said, _ = responder.accept(generous)
    failed = only(carry(said, caller))
    assert isinstance(failed, Failed)
    assert failed.error.status == NEGOTIATION_FAILED


@each
def test_initial_data_that_cannot_be_read(make: Callable[[], Pair]) -> None:
    caller, responder = make()
    data = caller.start()
    failed = only(responder.receive(data[:4] + (100).to_bytes(4, "big") + data[8:100]))
    assert isinstance(failed, Failed)
    assert failed.error.status == INITIAL_DATA_ERROR
    ended = only(carry(responder.take_output(), caller))
    assert isinstance(ended, ChannelEnded)
    assert ended.code == INITIAL_DATA_ERROR


@each
def test_a_heartbeat_is_answered_and_its_answer_is_not(make: Callable[[], Pair]) -> None:
    caller, responder = negotiated(make)
    for one, other in ((caller, responder), (responder, caller)):
        form = FORM_PLAIN
        assert other.receive(frame(Heartbeat(), form, one.dialect, 4096)) == []
        answered = other.take_output()
        assert len(answered) == 28
        assert all(isinstance(event, Alive) for event in one.receive(answered))
        assert one.take_output() == b""


@each
def test_a_heartbeat_before_the_channel_is_ready_is_an_error(make: Callable[[], Pair]) -> None:
    caller, responder = make()
    failed = only(responder.receive(frame(Heartbeat(), FORM_PLAIN, caller.dialect, 4096)))
    assert isinstance(failed, Failed)
    assert failed.error.status == SEGMENT_ERROR


@each
def test_who_has_nothing_to_say_is_asked_for_a_sign_of_life_and_given_up_without_one(
    make: Callable[[], Pair],
) -> None:
    caller, responder = established(make)
    beating = [each for each in (caller, responder) if not isinstance(each, ReceiverChannel)]
    for session in (caller, responder):
        session.tick(1000.0)
        assert session.tick(1000.0 + session.heartbeat + HEARTBEAT_GRACE + 1) == []
        assert session.heartbeats_sent == (1 if session in beating else 0)
        assert bool(session.take_output()) == (session in beating)
        lost = only(session.tick(1000.0 + session.heartbeat + 60 + HEARTBEAT_GRACE + 1))
        assert isinstance(lost, TimedOut)
        assert session.state == CLOSED


@each
def test_a_handshake_that_takes_too_long_is_given_up(make: Callable[[], Pair]) -> None:
    for session in make():
        session.tick(5.0)
        assert session.tick(5.0 + HANDSHAKE_SECONDS - 1) == []
        assert isinstance(only(session.tick(5.0 + HANDSHAKE_SECONDS)), TimedOut)


@each
def test_a_segment_that_is_unknown_ends_the_channel(make: Callable[[], Pair]) -> None:
    caller, responder = negotiated(make)
    form = 0 if not caller.multiplexed else 1
    data = bytearray(frame(Heartbeat(), form, caller.dialect, 4096))
    if caller.multiplexed:
        data[8:12] = (1).to_bytes(4, "big")
    data[17 if caller.multiplexed else 9] = 0x7F
    failed = only(responder.receive(bytes(data)))
    assert isinstance(failed, Failed)
    assert failed.error.status == SEGMENT_TYPE_ERROR
    assert responder.receive(b"more") == []
    ended = only(carry(responder.take_output(), caller))
    assert isinstance(ended, ChannelEnded)
    assert ended.code == SEGMENT_TYPE_ERROR
