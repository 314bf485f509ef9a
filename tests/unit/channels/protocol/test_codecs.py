"""Properties of the codecs: what is written is read back, and no bytes do worse than a ProtocolError."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.vectors import all_vectors, vector

from kew.channels.protocol import delivery, messages, mqapi, spi, xa
from kew.channels.protocol.bodies import decode_body
from kew.channels.protocol.control import Ping, SocketAction, Status
from kew.channels.protocol.descriptor import from_canonical, to_canonical
from kew.channels.protocol.dialect import BIG, ENC_ZOS, LITTLE, Dialect, name, padded
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.framing import frame
from kew.channels.protocol.identity import Credentials, UserId
from kew.channels.protocol.negotiate import InitialData, Terms, answer
from kew.channels.protocol.options import GetOptions, PutOptions, put_record_size
from kew.channels.protocol.segments import FORM_MULTIPLEXED, FORM_PLAIN, FORM_SOCKET, MQSET, Segment, SegmentReader
from kew.channels.protocol.spimessages import SpiPut1Call
from kew.channels.protocol.structures import ObjectDescriptor, StatusReport
from kew.channels.protocol.subscription import SubscriptionDescriptor, SubscriptionRequestOptions

i4 = st.integers(-(2**31), 2**31 - 1)
u4 = st.integers(0, 2**32 - 1)
u2 = st.integers(0, 0xFFFF)
u1 = st.integers(0, 0xFF)
dialects = st.sampled_from(
    [
        Dialect(BIG, 0x111, 819, False),
        Dialect(LITTLE, 0x222, 1208, False),
        Dialect(BIG, ENC_ZOS, 500, True),
        Dialect(BIG, ENC_ZOS, 37, True),
        Dialect(LITTLE, 0x222, 1047, True),
    ]
)
forms = st.sampled_from([FORM_PLAIN, FORM_MULTIPLEXED])
names = st.text(string.ascii_letters + string.digits + "._/%", max_size=48)


def raw(size: int) -> st.SearchStrategy[bytes]:
    return st.binary(min_size=size, max_size=size)


def parse(data: bytes) -> Segment:
    segments: list[Segment] = []
    reader = SegmentReader()
    reader.max_segment = 1 << 20
    reader.feed(data, segments)
    assert len(segments) == 1
    return segments[0]


def assert_round_trip(event: Event, form: int, dialect: Dialect) -> Event:
    data = frame(event, form, dialect, 1 << 20)
    back = decode_body(parse(data))
    assert type(back) is type(event)
    assert frame(back, form, dialect, 1 << 20) == data
    return back


@given(st.data(), forms, dialects)
def test_initial_data(data: st.DataObject, form: int, dialect: Dialect) -> None:
    initial = InitialData()
    initial.size = data.draw(st.sampled_from([44, 102, 128, 208, 240]))
    initial.fap_level = data.draw(u1)
    initial.capabilities1, initial.errors1 = data.draw(u1), data.draw(u1)
    initial.batch_size = data.draw(u2)
    initial.max_segment, initial.max_message, initial.sequence_wrap = data.draw(u4), data.draw(u4), data.draw(u4)
    initial.channel_name = padded(data.draw(names), 20)
    initial.conversations = data.draw(i4)
    initial.algorithms = data.draw(st.lists(u2, min_size=10, max_size=10))
    initial.nonce = data.draw(raw(12))
    back = assert_round_trip(initial, form, dialect)
    assert isinstance(back, InitialData)
    assert (back.channel_name, back.max_message) == (initial.channel_name, initial.max_message)


@given(st.data())
def test_an_answer_never_grants_more_than_was_offered(data: st.DataObject) -> None:
    offer = InitialData()
    offer.fap_level = data.draw(st.integers(1, 255))
    offer.capabilities1, offer.capabilities2, offer.capabilities3 = data.draw(u1), data.draw(u1), data.draw(u1)
    offer.max_segment = data.draw(st.integers(1024, 2**32 - 1))
    offer.max_message, offer.heartbeat = data.draw(u4), data.draw(u4)
    offer.conversations = data.draw(i4)
    offer.message_compression = data.draw(raw(16))
    terms = Terms("QM1", "QM1_ID")
    terms.conversations = data.draw(st.integers(0, 10))
    granted = answer(offer, terms)
    assert granted.fap_level <= min(offer.fap_level, 17)
    assert granted.max_segment <= min(offer.max_segment, terms.max_segment)
    assert granted.max_message <= min(offer.max_message, terms.max_message)
    assert 0 <= granted.conversations <= max(min(offer.conversations, terms.conversations), 0)
    for ours, theirs in (
        (granted.capabilities1, offer.capabilities1),
        (granted.capabilities2, offer.capabilities2),
        (granted.capabilities3, offer.capabilities3),
    ):
        assert ours & ~theirs == 0
    assert granted.message_compression[0] == 0


@given(raw(12), raw(64), raw(38), st.integers(0, 38), st.booleans(), dialects)
def test_user_id(user: bytes, long_user: bytes, sid: bytes, size: int, short: bool, dialect: Dialect) -> None:
    event = UserId(user, long_user)
    event.sid, event.sid_length, event.short = sid, size, short
    assert_round_trip(event, FORM_MULTIPLEXED, dialect)


@given(st.binary(max_size=64), st.binary(max_size=64), st.binary(max_size=2000), st.booleans(), dialects)
def test_credentials(user: bytes, password: bytes, token: bytes, short: bool, dialect: Dialect) -> None:
    event = Credentials(user, password, b"" if short else token)
    event.short = short
    back = assert_round_trip(event, FORM_MULTIPLEXED, dialect)
    assert isinstance(back, Credentials)
    assert (back.user, back.password, back.token) == (user, password, event.token)


@given(st.data(), forms, dialects)
def test_connect(data: st.DataObject, form: int, dialect: Dialect) -> None:
    call = mqapi.Connect()
    call.body_size = data.draw(st.sampled_from(mqapi.CONNECT_SIZES))
    call.queue_manager = padded(data.draw(names), 48)
    call.application_name = padded(data.draw(names), 28)
    call.options, call.connect_options, call.handle = data.draw(i4), data.draw(i4), data.draw(i4)
    call.tag, call.returned_tag, call.reconnection = data.draw(raw(128)), data.draw(raw(128)), data.draw(raw(72))
    assert_round_trip(call, form, dialect)
    reply = mqapi.connect_reply(call, data.draw(raw(24)), data.draw(st.binary(max_size=128)))
    assert_round_trip(reply, form, dialect)


def an_object(data: st.DataObject) -> ObjectDescriptor:
    od = ObjectDescriptor()
    od.version = data.draw(st.integers(1, 4))
    od.object_type = data.draw(i4)
    od.object_name = padded(data.draw(names), 48)
    od.queue_manager = padded(data.draw(names), 48)
    od.alternate_security = data.draw(raw(40))
    if data.draw(st.booleans()):
        od.set_strings(data.draw(st.binary(max_size=300)), data.draw(st.binary(max_size=300)))
    elif od.version >= 2 and data.draw(st.booleans()):
        od.records_present = data.draw(st.integers(1, 5))
        od.object_record_offset = od.fixed
        od.response_record_offset = od.fixed + 96 * od.records_present
        od.extra = data.draw(raw(104 * od.records_present))
    return od


def put_options(data: st.DataObject) -> PutOptions:
    pmo = PutOptions()
    pmo.version = data.draw(st.integers(1, 3))
    pmo.options, pmo.timeout, pmo.context = data.draw(i4), data.draw(i4), data.draw(i4)
    pmo.resolved_queue = padded(data.draw(names), 48)
    if pmo.version >= 2 and data.draw(st.booleans()):
        pmo.records_present = data.draw(st.integers(1, 5))
        pmo.record_fields = data.draw(st.integers(0, 31))
        size = put_record_size(pmo.record_fields) * pmo.records_present
        pmo.record_offset = pmo.size
        pmo.response_offset = pmo.size + size
        pmo.extra = data.draw(raw(size + 8 * pmo.records_present))
    return pmo


def get_options(data: st.DataObject) -> GetOptions:
    gmo = GetOptions()
    gmo.version = data.draw(st.integers(1, 4))
    gmo.options, gmo.wait_interval, gmo.match_options = data.draw(i4), data.draw(i4), data.draw(i4)
    gmo.message_token, gmo.message_handle = data.draw(raw(16)), data.draw(raw(8))
    return gmo


@given(st.data(), forms, dialects)
def test_open(data: st.DataObject, form: int, dialect: Dialect) -> None:
    call = mqapi.Open(an_object(data), data.draw(i4))
    kind = data.draw(st.sampled_from([0, 1, 2]))
    if kind == 0:
        call.defaults = None
    elif kind == 1 and call.defaults is not None:
        call.defaults.version = 1
    assert_round_trip(call, form, dialect)
    assert_round_trip(mqapi.open_reply(call, data.draw(i4)), form, dialect)
    assert_round_trip(mqapi.open_refusal(call, data.draw(i4)), form, dialect)


def words_of(size: int) -> st.SearchStrategy[bytes]:
    """A field of text that all character sets here have, in UTF-8."""
    return st.text("Aé ß", max_size=size // 2).map(lambda text: text.encode().ljust(size))


canonical = st.builds(
    lambda *fields: b"MD  \2\0\0\0" + b"".join(fields),
    *(raw(188), words_of(12), raw(32), words_of(32), raw(4), words_of(28), raw(16), words_of(4), raw(40)),
)


@given(canonical, st.integers(1, 2), dialects)
def test_descriptors_turn_both_ways(descriptor: bytes, version: int, dialect: Dialect) -> None:
    wire = from_canonical(descriptor, dialect, version)
    back = to_canonical(wire, dialect)
    assert back[8:324] == descriptor[8:324]
    if version == 2:
        assert back == descriptor


@given(raw(356), st.integers(1, 2), dialects)
def test_descriptors_keep_their_length_whatever_they_hold(fields: bytes, version: int, dialect: Dialect) -> None:
    descriptor = b"MD  \2\0\0\0" + fields
    wire = from_canonical(descriptor, dialect, version)
    assert len(wire) == (364 if version == 2 else 324)
    back = to_canonical(wire, dialect)
    assert len(back) == 364
    assert back[8:196] == descriptor[8:196]


@given(st.data(), canonical, st.binary(max_size=2000), forms, dialects)
def test_puts_and_gets(data: st.DataObject, descriptor: bytes, body: bytes, form: int, dialect: Dialect) -> None:
    wire = from_canonical(descriptor, dialect, data.draw(st.integers(1, 2)))
    put = messages.Put(wire, put_options(data), body)
    assert assert_round_trip(put, form, dialect).payload == body
    assert_round_trip(messages.put_reply(put), form, dialect)
    put1 = messages.Put1(an_object(data), wire, put_options(data), body)
    assert assert_round_trip(put1, form, dialect).payload == body
    assert_round_trip(messages.put1_reply(put1), form, dialect)
    get = messages.Get(wire, get_options(data), data.draw(st.integers(0, 3000)))
    assert_round_trip(get, form, dialect)
    reply = messages.get_reply(get, len(body), body)
    assert assert_round_trip(reply, form, dialect).payload == body[: get.buffer_length]


@given(st.lists(i4, max_size=20), st.lists(i4, max_size=20), st.binary(max_size=200), forms, dialects)
def test_attributes(selectors: list[int], integers: list[int], text: bytes, form: int, dialect: Dialect) -> None:
    inquiry = mqapi.inquire(2, selectors, len(integers), len(text))
    assert_round_trip(inquiry, form, dialect)
    back = assert_round_trip(mqapi.inquire_reply(inquiry, integers, text), form, dialect)
    assert isinstance(back, mqapi.Attributes)
    assert (back.integers, back.characters) == (integers, text)
    change = mqapi.set_attributes(2, selectors, integers, text)
    assert_round_trip(change, form, dialect)
    filled = change.encode(dialect) + bytes(-len(text) & 3)  # as IBM's Java client fills it up
    read = mqapi.decode_attributes(MQSET, filled, 0, len(filled), dialect)
    assert (read.integers, read.characters) == (integers, text)


@given(st.data(), forms, dialects)
def test_subscriptions_and_status(data: st.DataObject, form: int, dialect: Dialect) -> None:
    sd = SubscriptionDescriptor()
    texts = [data.draw(st.binary(max_size=100)) for _ in range(4)]
    sd.set_strings(*texts)
    call = mqapi.Subscribe(sd)
    back = assert_round_trip(call, form, dialect)
    assert isinstance(back, mqapi.Subscribe)
    found = back.descriptor
    assert [found.text_of(string) for string in found.strings[:4]] == texts
    assert_round_trip(mqapi.subscribe_reply(call, 4, 6), form, dialect)
    request = mqapi.SubscriptionRequest(data.draw(i4), SubscriptionRequestOptions())
    assert_round_trip(request, form, dialect)
    assert_round_trip(mqapi.subscription_request_reply(request, 3), form, dialect)
    report = StatusReport()
    report.version = data.draw(st.integers(1, 2))
    report.put_failures = data.draw(i4)
    stat = mqapi.Stat(data.draw(i4), report)
    assert_round_trip(stat, form, dialect)
    assert_round_trip(mqapi.stat_reply(stat, report), form, dialect)


@given(st.data(), dialects)
def test_delivery(data: st.DataObject, dialect: Dialect) -> None:
    request = delivery.RequestMessages(data.draw(i4))
    request.received_bytes, request.requested_bytes = data.draw(i4), data.draw(i4)
    if data.draw(st.booleans()):
        selection = delivery.Selection()
        selection.match_options = data.draw(st.integers(0, 63))
        if selection.match_options & 1:
            selection.message_id = data.draw(raw(24))
        request.selection = selection
    assert_round_trip(request, FORM_MULTIPLEXED, dialect)
    body = data.draw(st.binary(max_size=500))
    message = delivery.Message(data.draw(i4), from_canonical(data.draw(canonical), dialect), body)
    message.resolved_name = data.draw(names).encode()
    message.token = data.draw(raw(16))
    message.reason = data.draw(i4)
    back = assert_round_trip(message, FORM_MULTIPLEXED, dialect)
    assert isinstance(back, delivery.Message)
    assert (back.payload, back.resolved_name) == (body, message.resolved_name)
    assert_round_trip(delivery.Notification(data.draw(i4), data.draw(i4), data.draw(i4)), FORM_MULTIPLEXED, dialect)


@given(st.data(), dialects)
def test_xa(data: st.DataObject, dialect: Dialect) -> None:
    call = xa.XaCall(data.draw(st.sampled_from([0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA])))
    call.xa_flags, call.resource_manager = data.draw(i4), data.draw(i4)
    ids = st.builds(xa.Xid, i4, st.binary(max_size=64), st.binary(max_size=64))
    if call.kind in (0xA3, 0xA4):
        call.info = data.draw(st.binary(max_size=255))
    elif call.kind == 0xA9:
        call.count = 10
        assert_round_trip(xa.recover_reply(call, data.draw(st.lists(ids, max_size=10))), FORM_PLAIN, dialect)
    else:
        call.xids = [data.draw(ids)]
    assert_round_trip(call, FORM_PLAIN, dialect)
    assert_round_trip(xa.xa_reply(call, -4), FORM_PLAIN, dialect)


@given(st.data(), dialects)
def test_spi(data: st.DataObject, dialect: Dialect) -> None:
    assert_round_trip(spi.query(dialect), FORM_MULTIPLEXED, dialect)
    reply = spi.query_reply(spi.query(dialect), spi.FULL_TABLE, dialect)
    assert spi.verbs_offered(reply, dialect) == list(spi.FULL_TABLE)
    call = spi.open_call(an_object(data), data.draw(i4), dialect)
    back = assert_round_trip(call, FORM_MULTIPLEXED, dialect)
    assert isinstance(back, spi.SpiCall)
    inside = spi.read_open(back, dialect)
    inside.policy = spi.no_policy(name(inside.target.object_name))
    opened = assert_round_trip(spi.open_reply(back, inside, 2, dialect), FORM_MULTIPLEXED, dialect)
    assert isinstance(opened, spi.SpiCall)
    assert spi.read_open(opened, dialect).policy == inside.policy
    assert_round_trip(spi.open_refusal(back, 2085, dialect), FORM_MULTIPLEXED, dialect)
    assert_round_trip(spi.refusal(back, 2298), FORM_MULTIPLEXED, dialect)


@given(st.data(), canonical, st.binary(max_size=200), dialects)
def test_spi_messages(data: st.DataObject, descriptor: bytes, body: bytes, dialect: Dialect) -> None:
    wire = from_canonical(descriptor, dialect)
    order = "<" if dialect.order else ">"
    base = spi.query(dialect).in_out
    call = spi.SpiCall(spi.PUT)
    call.dialect = dialect
    eye = dialect.text_out(b"SPPU")
    target = an_object(data)
    call.in_out = eye + base[4:] + wire + put_options(data).encode(dialect) + target.encode(dialect)
    size = (20 + len(body)).to_bytes(4, "little" if order == "<" else "big")
    length = len(body).to_bytes(4, "little" if order == "<" else "big")
    call.structure = dialect.text_out(b"SPPI") + base[4:8] + size + bytes(4) + length + body
    back = assert_round_trip(call, FORM_MULTIPLEXED, dialect)
    assert isinstance(back, spi.SpiCall)
    put = spi.read_put(back, dialect)
    assert put.data == body
    assert put.target is not None
    assert put.target.object_name == target.object_name
    said = frame(SpiPut1Call(back, put).reply(), FORM_MULTIPLEXED, dialect, 1 << 20)
    reply = decode_body(parse(said))
    assert isinstance(reply, spi.SpiCall)
    assert frame(reply, FORM_MULTIPLEXED, dialect, 1 << 20) == said


@given(i4, st.none() | i4, i4, i4, i4, st.binary(max_size=100), dialects)
def test_control(
    code: int, value: int | None, action: int, conversation: int, parameter: int, data: bytes, dialect: Dialect
) -> None:
    assert_round_trip(Status(code, value), FORM_PLAIN, dialect)
    assert_round_trip(SocketAction(action, conversation, parameter, parameter), FORM_SOCKET, dialect)
    assert_round_trip(Ping(data), FORM_PLAIN, dialect)


REAL = [case.data for case in all_vectors()]


def decode_anything(data: bytes) -> None:
    """Decode as a session would, to the inside of SPI calls."""
    segments: list[Segment] = []
    SegmentReader().feed(data, segments)
    for segment in segments:
        event = decode_body(segment)
        if isinstance(event, spi.SpiCall):
            reader = {
                spi.QUERY: spi.verbs_offered,
                spi.OPEN: spi.read_open,
                spi.PUT: spi.read_put,
                spi.GET: spi.read_get,
                spi.ACTIVATE: spi.read_activate,
            }.get(event.verb)
            if reader is not None:
                reader(event, segment.dialect)


def refused_or_fine(data: bytes) -> None:
    try:
        decode_anything(data)
    except ProtocolError as error:
        assert error.offset >= 0
        assert error.expected
        assert str(error)


@settings(max_examples=600, deadline=None)
@given(st.data())
def test_no_mutation_does_worse_than_a_protocol_error(data: st.DataObject) -> None:
    wire = bytearray(data.draw(st.sampled_from(REAL)))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(wire) - 1))
        wire[at] = data.draw(u1)
    refused_or_fine(bytes(wire))


@settings(max_examples=500, deadline=None)
@given(st.sampled_from(REAL), st.integers(0, 600), u1)
def test_no_truncation_does_worse_than_a_protocol_error(wire: bytes, size: int, kind: int) -> None:
    head = 36 if wire[:4] == b"TSHM" else 28
    body = wire[head : head + size]
    cut = bytearray(wire[:head] + body)
    cut[4:8] = len(cut).to_bytes(4, "big")
    refused_or_fine(bytes(cut))
    cut[head - 19] = kind
    refused_or_fine(bytes(cut))


@settings(max_examples=500, deadline=None)
@given(st.binary(max_size=200), u1, st.sampled_from([b"TSH ", b"TSHC", b"\xe3\xe2\xc8\x40"]), st.sampled_from([1, 2]))
def test_no_body_does_worse_than_a_protocol_error(body: bytes, kind: int, eye: bytes, order: int) -> None:
    head = eye + (28 + len(body)).to_bytes(4, "big") + bytes([order, kind, 0x30]) + bytes(17)
    refused_or_fine(head + body)


@pytest.mark.parametrize("eye", [b"TSHX", b"GET ", b"\x16\x03\x01\x02", b"\0\0\0\0"])
def test_other_protocols_are_refused_at_their_first_bytes(eye: bytes) -> None:
    for size in (3, 4, 8):
        with pytest.raises(ProtocolError) as refused:
            SegmentReader().feed((eye + bytes(4))[:size] if eye != b"TSHX" else b"TSHX", [])
        assert refused.value.offset == 0


def test_an_error_says_where_and_what() -> None:
    wire = bytearray(vector(20))
    wire[52:56] = b"XX  "
    with pytest.raises(ProtocolError) as refused:
        decode_anything(bytes(wire))
    assert str(refused.value) == "at offset 52: expected structure b'MD  ', found b'XX  '"
