"""Whole dialogues: the server's answers are the captured ones, and both sides understand each other."""

import pytest
from tests.support.vectors import vector

from kew.channels.protocol import mqapi, spi
from kew.channels.protocol.client import Acknowledged, ClientSession
from kew.channels.protocol.conversation import STRUCTURE_MARGIN
from kew.channels.protocol.delivery import (
    CONN_STATE,
    Q_STATE_REPLY,
    Message,
    Notification,
    RequestMessages,
    get_failure,
    queue_state_reply,
    state_reply,
)
from kew.channels.protocol.descriptor import Origin, completed
from kew.channels.protocol.dialect import BIG, ENC_ZOS, Dialect, padded
from kew.channels.protocol.events import Call, Event, Plain, plain_reply
from kew.channels.protocol.identity import Credentials, UserId
from kew.channels.protocol.lifecycle import (
    ChannelEnded,
    ChannelRequested,
    ChannelStarted,
    ConversationEnded,
    ConversationStarted,
    Failed,
    TimedOut,
)
from kew.channels.protocol.messages import Put, PutReply, put_reply
from kew.channels.protocol.negotiate import KEW_CLIENT, KEW_SERVER, InitialData, Terms, answer
from kew.channels.protocol.options import PutOptions
from kew.channels.protocol.segments import CONFIRM_REQUEST, MQBACK, MQCMIT, MQDISC, SegmentReader
from kew.channels.protocol.server import ServerSession
from kew.channels.protocol.states import CLOSED, READY
from kew.channels.protocol.structures import ObjectDescriptor

QUEUE_MANAGER_ID = "QM1_2026-01-01_00.00.00"
CONNECTION_ID = b"AMQCQM1         \1\2\3\4\5\6\7\x08"


def captured_terms() -> Terms:
    terms = Terms("QM1", QUEUE_MANAGER_ID)
    terms.process_id, terms.thread_id, terms.trace_id = 1, 2, 3
    terms.algorithms = [1, 0]
    terms.nonce = bytes(range(0xB0, 0xBC))
    return terms


def only(events: list[Event]) -> Event:
    assert len(events) == 1, events
    return events[0]


def negotiated() -> ServerSession:
    server = ServerSession()
    assert isinstance(only(server.receive(vector(1))), ChannelRequested)
    data, events = server.accept(captured_terms())
    assert data == vector(2)
    assert events == []
    assert isinstance(only(server.receive(vector(3))), ChannelStarted)
    assert server.take_output() == vector(4)
    return server


def connected() -> ServerSession:
    server = negotiated()
    assert isinstance(only(server.receive(vector(5))), UserId)
    assert isinstance(only(server.receive(vector(6))), Credentials)
    assert server.take_output() == vector(7)
    call = only(server.receive(vector(8)))
    assert isinstance(call, mqapi.Connect)
    tag = mqapi.connection_tag(CONNECTION_ID, QUEUE_MANAGER_ID, "VECTOR")
    assert server.send(mqapi.connect_reply(call, CONNECTION_ID, tag)) == vector(9)
    return server


def test_the_captured_dialogue() -> None:
    server = connected()
    opening = only(server.receive(vector(10)))
    assert isinstance(opening, mqapi.Open)
    opening.target.known = 1
    assert server.send(mqapi.open_reply(opening, 2)) == vector(11)
    inquiry = only(server.receive(vector(12)))
    assert isinstance(inquiry, mqapi.Attributes)
    characters = padded("QM1", 48) + padded(QUEUE_MANAGER_ID, 48)
    assert server.send(mqapi.inquire_reply(inquiry, [943, 3, 819, 1], characters)) == vector(13)
    close = only(server.receive(vector(14)))
    assert isinstance(close, mqapi.Close)
    reply = plain_reply(close)
    reply.handle = -1
    assert server.send(reply) == vector(15)
    query = only(server.receive(vector(16)))
    assert isinstance(query, spi.SpiCall)
    assert query.dialect is not None
    assert server.send(spi.query_reply(query, spi.FULL_TABLE, query.dialect)) == vector(17)


def test_the_captured_spi_open() -> None:
    server = connected()
    call = only(server.receive(vector(18)))
    assert isinstance(call, spi.SpiCall)
    assert call.dialect is not None
    assert server.send(spi.open_refusal(call, 2085, call.dialect)) == vector(37)
    inside = spi.read_open(call, call.dialect)
    inside.options.persistence, inside.options.put_response = 0, 1
    inside.options.read_ahead = inside.options.property_control = 0
    inside.options.policy_error_queue = padded("SYSTEM.PROTECTION.ERROR.QUEUE", 48)
    inside.policy = spi.no_policy("DEV.QUEUE.1")
    inside.target.known = 1
    assert server.send(spi.open_reply(call, inside, 2, call.dialect)) == vector(19)


def test_the_captured_put() -> None:
    server = connected()
    put = only(server.receive(vector(20)))
    assert isinstance(put, Put)
    assert put.dialect is not None
    origin = Origin()
    origin.user = padded("app", 12)
    origin.application_type = 28
    origin.application_name = padded("VECTOR", 28)
    origin.date, origin.time = b"20260101", b"12000000"
    reply = put_reply(put)
    message_id = b"AMQ QM1         \1\2\3\4\x09\0\0\x40"
    reply.descriptor = completed(put.descriptor, put.dialect, message_id, bytes(24), 4, 1, origin)
    reply.options.known = 1
    reply.options.resolved_queue = padded("DEV.QUEUE.1", 48)
    reply.options.resolved_queue_manager = padded("QM1", 48)
    assert server.send(reply) == vector(21)


def test_the_captured_get() -> None:
    server = connected()
    request = only(server.receive(vector(22)))
    assert isinstance(request, RequestMessages)
    message = Message(6, vector(23)[104:468], b"hello MQ")
    message.token = bytes.fromhex("01020304010000000000000000000000")
    message.resolved_name = padded("DEV.QUEUE.1", 48)
    assert server.send(message) == vector(23)
    second = Message(6, vector(23)[104:468], b"hello MQ")
    assert len(server.send(second)) == len(vector(23)) - 12
    assert (second.message_index, second.global_index) == (2, 2)


def test_a_message_without_a_descriptor_has_no_index() -> None:
    server = connected()
    server.receive(vector(22))
    message = Message(6, b"", b"")
    message.reason = 2033
    assert server.send(message) == vector(38)


def test_the_end_of_an_empty_get() -> None:
    client, server = pair()
    request = RequestMessages(6)
    request.flags |= CONFIRM_REQUEST
    request.request_id = 3
    asked = only(server.receive(client.send(request)))
    assert isinstance(asked, RequestMessages)
    assert asked.confirm
    message = Message(6, vector(23)[104:468], b"just in time")
    sent = server.send(message) + server.send(queue_state_reply(asked))
    late, reply = client.receive(sent)
    assert isinstance(late, Message)
    assert late.request_id == 1
    assert isinstance(reply, Notification)
    assert (reply.request_id, reply.code, reply.handle) == (3, Q_STATE_REPLY, 6)


@pytest.mark.parametrize(("reason", "code"), [(2016, 1), (2161, 14)])
def test_a_get_that_fails(reason: int, code: int) -> None:
    client, server = pair()
    asked = only(server.receive(client.send(RequestMessages(6))))
    assert isinstance(asked, RequestMessages)
    told = only(client.receive(server.send(get_failure(asked, reason))))
    assert isinstance(told, Notification)
    assert (told.code, told.value, told.request_id) == (code, reason, 1)


def test_states_are_confirmed() -> None:
    client, server = pair()
    stop = Notification(-1, CONN_STATE, 3)
    stop.flags |= CONFIRM_REQUEST
    stop.request_id = 3
    asked = only(server.receive(client.send(stop)))
    assert isinstance(asked, Notification)
    told = only(client.receive(server.send(state_reply(asked, 0))))
    assert isinstance(told, Notification)
    assert (told.code, told.request_id) == (CONN_STATE + 1, 3)


def test_a_put_filled_up_to_a_multiple_of_4() -> None:
    server = connected()
    data = bytearray(vector(20)[:-1])
    data[36:40] = (len(data)).to_bytes(4, "big")
    data[528:532] = (7).to_bytes(4, "little")
    data += b"?"
    put = only(server.receive(bytes(data)))
    assert isinstance(put, Put)
    assert put.payload == b"hello M"


def test_commit_and_the_clean_end() -> None:
    server = connected()
    commit = only(server.receive(vector(24)))
    assert isinstance(commit, Plain)
    assert commit.kind == MQCMIT
    assert server.send(plain_reply(commit)) == vector(25)
    disconnect = only(server.receive(vector(26)))
    assert isinstance(disconnect, Plain)
    assert server.send(plain_reply(disconnect)) == vector(27)
    events = server.receive(vector(30))
    assert [type(event) for event in events] == [ConversationEnded, ChannelEnded]
    assert server.state == CLOSED
    assert server.receive(vector(24)) == []


def test_a_refused_connection_may_try_again() -> None:
    server = negotiated()
    for _ in range(2):
        call = only(server.receive(vector(8)))
        assert isinstance(call, mqapi.Connect)
        assert server.send(mqapi.connect_refusal(call, 2035)) == vector(36)


def test_the_level_13_connect() -> None:
    server = negotiated()
    call = only(server.receive(vector(34)))
    assert isinstance(call, mqapi.Connect)
    assert server.send(mqapi.connect_reply(call, CONNECTION_ID, b"")) == vector(35)


def test_a_further_conversation() -> None:
    server = connected()
    assert server.agreed is not None
    server.agreed.thread_id, server.agreed.trace_id = 6, 20
    assert isinstance(only(server.receive(vector(28))), ConversationStarted)
    assert server.take_output() == vector(29)
    assert sorted(server.conversations) == [1, 3]
    failed = only(server.receive(vector(28)))
    assert isinstance(failed, Failed)
    assert failed.error.status == 0x1E


def test_refusal_of_a_channel() -> None:
    server = ServerSession()
    little = InitialData()
    client = ClientSession(little, Dialect(2, 0x111, 819, False))
    server.receive(client.start())
    refusal = server.refuse(1)
    assert refusal == vector(31)
    ended = only(client.receive(refusal))
    assert isinstance(ended, ChannelEnded)
    assert (ended.code, ended.text) == (1, "no such channel")


def test_heartbeats_are_answered_and_never_the_answers() -> None:
    server = connected()
    assert server.receive(vector(39)) == []
    assert server.take_output() == vector(40)
    assert server.receive(vector(40)) == []
    assert server.take_output() == b""


def test_level_13_is_granted_with_a_mark() -> None:
    offer = ServerSession()
    requested = only(offer.receive(vector(1)))
    assert isinstance(requested, ChannelRequested)
    terms = captured_terms()
    terms.fap_level = 13
    granted = answer(requested.offer, terms)
    assert (granted.fap_level, granted.errors1, granted.capabilities3, granted.refused3) == (13, 0x98, 0, 0x28)
    terms.fap_level = 12
    assert answer(requested.offer, terms).size == 208


def test_nothing_to_change_needs_one_round() -> None:
    offer = InitialData()
    offer.capabilities3 = 0x20
    client = ClientSession(offer)
    server = ServerSession()
    assert isinstance(only(server.receive(client.start())), ChannelRequested)
    terms = captured_terms()
    terms.max_message = offer.max_message
    data, events = server.accept(terms)
    assert isinstance(only(events), ChannelStarted)
    assert isinstance(only(client.receive(data)), ChannelStarted)
    assert client.state == server.state == READY


def pair(
    conversations: int = 10, max_message: int = 4194304, dialect: Dialect | None = None, trace: int = 0
) -> tuple[ClientSession, ServerSession]:
    offer = InitialData()
    offer.trace_id = trace
    offer.channel_name = padded("APP.SVRCONN", 20)
    client = ClientSession(offer, dialect)
    server = ServerSession()
    server.receive(client.start())
    terms = captured_terms()
    terms.conversations = conversations
    terms.max_message = max_message
    data, _ = server.accept(terms)
    client.receive(data)
    server.receive(client.take_output())
    assert isinstance(only(client.receive(server.take_output())), ChannelStarted)
    server.receive(client.send(UserId(b"app")))
    server.receive(client.send(Credentials(b"app", b"passw0rd")))
    assert isinstance(only(client.receive(server.take_output())), Acknowledged)
    call = only(server.receive(client.send(mqapi.Connect())))
    assert isinstance(call, mqapi.Connect)
    reply = only(client.receive(server.send(mqapi.connect_reply(call, CONNECTION_ID, b""))))
    assert isinstance(reply, Call)
    assert reply.completion == 0
    return client, server


ZOS = Dialect(BIG, ENC_ZOS, 500, True)


@pytest.mark.parametrize("conversations", [0, 1, 10])
@pytest.mark.parametrize("dialect", [None, ZOS], ids=["ascii", "ebcdic"])
def test_both_sides_understand_each_other(conversations: int, dialect: Dialect | None) -> None:
    client, server = pair(conversations, dialect=dialect)
    assert client.multiplexed == (conversations > 0)
    for kind in (MQCMIT, MQBACK, MQDISC):
        call = only(server.receive(client.send(Plain(kind))))
        assert isinstance(call, Plain)
        reply = only(client.receive(server.send(plain_reply(call, 2, 2012))))
        assert isinstance(reply, Plain)
        assert (reply.completion, reply.reason) == (2, 2012)
    ended = server.receive(client.end_conversation(1))
    assert isinstance(ended[-1], ChannelEnded)
    assert client.state == server.state == CLOSED


def test_kew_knows_kew_and_nobody_else() -> None:
    for trace in (0, 1, KEW_SERVER):
        client, server = pair(trace=trace)
        assert not client.extended
        assert not server.extended
    client, server = pair(trace=KEW_CLIENT)
    assert client.extended
    assert server.extended


@pytest.mark.parametrize("conversations", [0, 10])
@pytest.mark.parametrize("size", [0, 1, 32216, 32217, 100000, 1000000])
def test_long_puts(conversations: int, size: int) -> None:
    client, server = pair(conversations)
    data = bytes(range(256)) * (size // 256) + bytes(size % 256)
    put = Put(vector(20)[52:376], PutOptions(), data)
    put.handle = 2
    wire = client.send(put)
    received = only(server.receive(wire))
    assert isinstance(received, Put)
    assert received.payload == data
    assert received.room == 0
    assert server.buffered == 0
    reply = only(client.receive(server.send(put_reply(received))))
    assert isinstance(reply, PutReply)
    assert reply.length == size


def test_the_worked_example_of_segmentation() -> None:
    client, _ = pair()
    put = Put(vector(20)[52:376], PutOptions(), bytes(100000))
    segments = list(client.send_segments(put))
    assert [len(segment) for segment in segments] == [32748, 32748, 32748, 2396]
    assert [segment[18] for segment in segments] == [0x10, 0, 0, 0x20]
    assert int.from_bytes(segments[0][36:40], "big") == 100532


def test_the_worked_example_of_a_long_message() -> None:
    client, server = pair()
    server.receive(client.send(RequestMessages(6)))
    message = Message(6, vector(23)[104:468], bytes(100000))
    message.resolved_name = padded("DEV.QUEUE.1", 48)
    segments = list(server.send_segments(message))
    assert [len(segment) for segment in segments] == [32748, 32748, 32748, 2404]
    assert [segment[18] for segment in segments] == [0x10, 0, 0, 0x20]
    lengths = [int.from_bytes(segment[52:56], "little") for segment in segments]
    assert lengths == [32280, 32688, 32688, 2344]
    events: list[Event] = []
    for segment in segments:
        events += client.receive(segment)
    received = only(events)
    assert isinstance(received, Message)
    assert received.payload == bytes(100000)
    assert received.total_length == 100000


@pytest.mark.parametrize("size", [*range(9), *range(32270, 32300), 100001])
def test_segments_of_messages_are_filled_up_on_a_shared_socket(size: int) -> None:
    client, server = pair()
    server.receive(client.send(RequestMessages(6)))
    message = Message(6, vector(23)[104:468], bytes(size))
    segments = list(server.send_segments(message)) if size > 1000 else [server.send(message)]
    events: list[Event] = []
    for segment in segments:
        assert len(segment) % 4 == 0
        assert len(segment) == int.from_bytes(segment[4:8], "big") <= server.max_segment
        events += client.receive(segment)
    received = only(events)
    assert isinstance(received, Message)
    assert received.payload == bytes(size)


def test_a_cut_inside_a_structure() -> None:
    client, server = pair()
    put = Put(vector(20)[52:376], PutOptions(), bytes(3000))
    client.max_segment = 200
    received = only(server.receive(client.send(put)))
    assert isinstance(received, Put)
    assert received.payload == bytes(3000)


def test_conversations_interleave() -> None:
    client, server = pair()
    data, number = client.start_conversation()
    server.receive(data)
    client.receive(server.take_output())
    call = mqapi.Connect()
    call.conversation_id = number
    connect = only(server.receive(client.send(call)))
    assert isinstance(connect, mqapi.Connect)
    client.receive(server.send(mqapi.connect_reply(connect, CONNECTION_ID, b"")))
    one = Put(vector(20)[52:376], PutOptions(), b"a" * 70000)
    other = Put(vector(20)[52:376], PutOptions(), b"b" * 90000)
    other.conversation_id = number
    ones = list(client.send_segments(one))
    others = list(client.send_segments(other))
    events: list[Event] = []
    for first, second in zip(ones, others, strict=True):
        events += server.receive(first)
        events += server.receive(second)
    assert [(event.conversation_id, event.payload) for event in events] == [
        (1, b"a" * 70000),
        (number, b"b" * 90000),
    ]
    assert number == 3


def test_a_message_longer_than_agreed_is_refused_before_it_is_held() -> None:
    client, server = pair(max_message=100000)
    put = Put(vector(20)[52:376], PutOptions(), bytes(100000 + STRUCTURE_MARGIN))
    most = 0
    for segment in client.send_segments(put):
        events = server.receive(segment)
        most = max(most, server.buffered)
        if events:
            failed = only(events)
            assert isinstance(failed, Failed)
            assert failed.error.status == 0x12
            break
    assert server.state == CLOSED
    assert most <= 100000 + STRUCTURE_MARGIN
    assert isinstance(only(client.receive(server.take_output())), ChannelEnded)


def test_before_connecting_a_call_fits_one_segment() -> None:
    server = negotiated()
    cut = bytearray(vector(8))
    cut[18] = 0x10
    failed = only(server.receive(bytes(cut)))
    assert isinstance(failed, Failed)
    assert server.buffered == 0


def test_a_call_out_of_turn() -> None:
    server = negotiated()
    failed = only(server.receive(vector(20)))
    assert isinstance(failed, Failed)
    assert failed.error.status == 0x0A
    assert "started" in str(failed.error)


def test_good_segments_before_a_bad_one_still_count() -> None:
    server = connected()
    events = server.receive(vector(24) + vector(24) + b"rubbish!")
    assert [type(event) for event in events] == [Plain, Plain, Failed]


def test_a_reply_to_a_conversation_that_is_gone() -> None:
    server = connected()
    commit = only(server.receive(vector(24)))
    assert isinstance(commit, Plain)
    server.receive(vector(30))
    assert server.send(plain_reply(commit)) == b""


def test_a_long_object_string() -> None:
    client, server = pair()
    target = ObjectDescriptor()
    target.object_type = 8
    target.set_strings("Price/Frühstück".encode() * 500, b"Colour = 'red'")
    opening = only(server.receive(client.send(mqapi.Open(target, 0x10))))
    assert isinstance(opening, mqapi.Open)
    assert opening.target.text_of(opening.target.object_string) == "Price/Frühstück".encode() * 500
    assert opening.target.text_of(opening.target.selection_string) == b"Colour = 'red'"
    assert opening.options == 0x10


class TestTime:
    def test_a_silent_handshake(self) -> None:
        server = ServerSession()
        assert server.tick(100.0) == []
        server.receive(vector(1)[:50])
        assert server.tick(109.0) == []
        assert isinstance(only(server.tick(110.0)), TimedOut)
        assert server.tick(111.0) == []

    def test_a_slow_handshake_gains_nothing_from_talking(self) -> None:
        server = ServerSession()
        server.tick(0.0)
        for position in range(10):
            server.receive(vector(1)[position : position + 1])
            events = server.tick(position + 1.0)
        assert isinstance(only(events), TimedOut)

    def test_heartbeats(self) -> None:
        client, server = pair()
        for session in (client, server):
            session.tick(0.0)
        client.tick(299.0)
        assert client.take_output() == b""
        client.tick(300.0)
        beat = client.take_output()
        assert beat[:4] == b"TSHC"
        assert (len(beat), beat[9], beat[10]) == (28, 9, 0x31)
        server.tick(300.0)
        assert server.take_output() == b""
        server.receive(beat)
        client.receive(server.take_output())
        client.tick(301.0)
        server.tick(301.0)
        client.tick(600.0)
        assert client.take_output() == b""
        server.tick(606.0)
        assert len(server.take_output()) == 28

    def test_a_partner_that_has_gone(self) -> None:
        _, server = pair()
        server.tick(0.0)
        server.tick(305.0)
        assert len(server.take_output()) == 28
        assert server.tick(364.0) == []
        assert isinstance(only(server.tick(365.0)), TimedOut)

    def test_without_sharing_only_a_waiting_get_is_watched(self) -> None:
        client, server = pair(conversations=0)
        server.tick(0.0)
        assert server.tick(1000.0) == []
        assert server.take_output() == b""
        get = bytearray(vector(32))
        server.receive(bytes(get))
        server.tick(2000.0)
        server.tick(2305.0)
        beat = server.take_output()
        assert len(beat) == 28
        assert client.receive(beat) == []
        assert len(client.take_output()) == 28


def test_read_ahead_window() -> None:
    client, server = pair()
    request = RequestMessages(6)
    request.requested_bytes = 1000
    server.receive(client.send(request))
    delivery = server.delivery(1, 6)
    assert delivery is not None
    sent = 0
    while delivery.open:
        server.send(Message(6, vector(23)[104:468], bytes(136)))
        sent += 1
    assert sent == 2
    again = RequestMessages(6)
    again.requested_bytes = 1000
    again.received_bytes = 500
    server.receive(client.send(again))
    assert delivery.outstanding == 500
    assert delivery.open


def test_the_selection_in_force_is_repeated() -> None:
    server = connected()
    first = only(server.receive(vector(22)))
    assert isinstance(first, RequestMessages)
    short = bytearray(vector(22)[:76])
    short[4:8] = len(short).to_bytes(4, "big")
    short[68:72] = (8).to_bytes(4, "little")
    second = only(server.receive(bytes(short)))
    assert isinstance(second, RequestMessages)
    assert second.selection is first.selection


def test_a_segment_longer_than_agreed() -> None:
    reader = SegmentReader()
    header = b"TSHM" + (32768 + 9).to_bytes(4, "big")
    server = ServerSession()
    failed = only(server.receive(header))
    assert isinstance(failed, Failed)
    assert failed.error.offset == 4
    assert reader.waiting == 0
