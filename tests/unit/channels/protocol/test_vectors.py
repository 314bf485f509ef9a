"""Every published vector decodes, says what its note says, and encodes to the same bytes again."""

import struct

import pytest
from tests.support.vectors import Vector, all_vectors, vector

from kew.channels.protocol import control, delivery, messages, mqapi, spi, xa
from kew.channels.protocol.bodies import decode_body
from kew.channels.protocol.dialect import BIG, ENC_ZOS, LITTLE, Dialect, name
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event, Plain
from kew.channels.protocol.framing import frame
from kew.channels.protocol.identity import Credentials, UserId
from kew.channels.protocol.negotiate import InitialData
from kew.channels.protocol.segments import (
    FORM_MULTIPLEXED,
    FORM_PLAIN,
    FORM_SOCKET,
    Segment,
    SegmentReader,
)


def parse(data: bytes) -> Segment:
    segments: list[Segment] = []
    SegmentReader().feed(data, segments)
    assert len(segments) == 1
    return segments[0]


def read(number: int) -> Event:
    return decode_body(parse(vector(number)))


def again(event: Event, form: int) -> bytes:
    assert event.dialect is not None
    return frame(event, form, event.dialect, 32748)


def test_there_are_forty() -> None:
    assert len(all_vectors()) == 40


@pytest.mark.parametrize("case", all_vectors(), ids=lambda case: case.name)
def test_decodes_and_encodes_to_the_same_bytes(case: Vector) -> None:
    segment = parse(case.data)
    assert again(decode_body(segment), segment.form) == case.data


@pytest.mark.parametrize("case", all_vectors(), ids=lambda case: case.name)
def test_arrives_whole_however_it_is_cut(case: Vector) -> None:
    reader = SegmentReader()
    segments: list[Segment] = []
    for position in range(len(case.data)):
        assert segments == []
        reader.feed(case.data[position : position + 1], segments)
    assert segments[0].data == case.data
    assert reader.waiting == 0


DIALECTS = [
    Dialect(BIG, 0x111, 819, False),
    Dialect(LITTLE, 0x222, 437, False),
    Dialect(BIG, ENC_ZOS, 500, True),
    Dialect(BIG, ENC_ZOS, 1047, True),
    Dialect(LITTLE, 0x222, 37, True),
]
# Bodies that hold structures as the peer wrote them are turned by their owner, not by the codec.
TURNED_BY_OWNER = (messages.Put, messages.PutReply, messages.Get, delivery.Message, spi.SpiCall)
TURNED_BY_CODEC = [case for case in all_vectors() if not isinstance(decode_body(parse(case.data)), TURNED_BY_OWNER)]


@pytest.mark.parametrize("dialect", DIALECTS, ids=["big", "pc", "zos-500", "zos-1047", "little-37"])
@pytest.mark.parametrize("case", TURNED_BY_CODEC, ids=lambda case: case.name)
def test_survives_another_dialect(case: Vector, dialect: Dialect) -> None:
    segment = parse(case.data)
    event = decode_body(segment)
    other = parse(frame(event, segment.form, dialect, 32748))
    assert other.dialect.ebcdic == dialect.ebcdic
    turned = decode_body(other)
    assert frame(turned, segment.form, segment.dialect, 32748) == case.data


def test_initial_data() -> None:
    offer = read(1)
    assert isinstance(offer, InitialData)
    assert (offer.fap_level, offer.capabilities1, offer.capabilities2, offer.capabilities3) == (17, 0x26, 0x51, 0x28)
    assert (offer.max_segment, offer.max_message, offer.heartbeat) == (32748, 104857600, 1)
    assert name(offer.channel_name) == "APP.SVRCONN"
    assert name(offer.queue_manager) == "QM1"
    assert offer.conversations == 999999999
    assert offer.algorithms[:3] == [1, 0, 0xFFFF]
    answer = read(2)
    assert isinstance(answer, InitialData)
    assert (answer.errors1, answer.refused3, answer.flags) == (0x90, 8, 2)
    assert (answer.heartbeat, answer.conversations, name(answer.product)) == (300, 10, "MQMM09040300")


def test_identity() -> None:
    user = read(5)
    assert isinstance(user, UserId)
    assert (name(user.user), name(user.long_user)) == ("APP", "app")
    for number, short in ((6, False), (33, True)):
        credentials = read(number)
        assert isinstance(credentials, Credentials)
        assert (credentials.user, credentials.password, credentials.short) == (b"app", b"passw0rd", short)


def test_connect() -> None:
    call = read(8)
    assert isinstance(call, mqapi.Connect)
    assert (call.options, call.connect_options, call.fcno_version, call.body_size) == (7, 0x200000, 4, 472)
    reply = read(9)
    assert isinstance(reply, mqapi.Connect)
    assert reply.tag[:24] == b"AMQCQM1         \1\2\3\4\5\6\7\x08"
    assert reply.returned_tag.startswith(b"MQCT0102030405060708QM1_2026-01-01_00.00.00VECTOR\0")
    refused = read(36)
    assert isinstance(refused, mqapi.Connect)
    assert (refused.completion, refused.reason) == (2, 2035)


def test_open_inquire_close() -> None:
    call = read(10)
    assert isinstance(call, mqapi.Open)
    assert (call.target.object_type, call.options, call.room) == (5, 0x2020, 10240)
    reply = read(11)
    assert isinstance(reply, mqapi.Open)
    assert reply.handle == 2
    assert reply.defaults is not None
    assert reply.defaults.policy_offset == 84
    inquiry = read(12)
    assert isinstance(inquiry, mqapi.Attributes)
    assert inquiry.selectors == [31, 32, 2, 2015, 2032, 273]
    values = read(13)
    assert isinstance(values, mqapi.Attributes)
    assert values.integers == [943, 3, 819, 1]
    assert values.characters.split() == [b"QM1", b"QM1_2026-01-01_00.00.00"]
    close = read(14)
    assert isinstance(close, mqapi.Close)
    assert (close.handle, close.options) == (2, 0)
    assert isinstance(read(15), Plain)


def test_spi() -> None:
    query = read(16)
    assert isinstance(query, spi.SpiCall)
    assert query.dialect is not None
    assert query.verb == spi.QUERY
    reply = read(17)
    assert isinstance(reply, spi.SpiCall)
    assert spi.verbs_offered(reply, query.dialect) == list(spi.FULL_TABLE)
    opening = read(18)
    assert isinstance(opening, spi.SpiCall)
    inside = spi.read_open(opening, query.dialect)
    assert name(inside.target.object_name) == "DEV.QUEUE.1"
    assert inside.options.options == 0x2010
    opened = read(19)
    assert isinstance(opened, spi.SpiCall)
    assert spi.read_open(opened, query.dialect).policy == spi.no_policy("DEV.QUEUE.1")
    refused = read(37)
    assert isinstance(refused, spi.SpiCall)
    assert (refused.reason, refused.handle) == (2085, -1)


def test_messages() -> None:
    put = read(20)
    assert isinstance(put, messages.Put)
    assert (put.payload, put.options.options, put.handle) == (b"hello MQ", 0x22044, 2)
    assert len(put.descriptor) == 324
    reply = read(21)
    assert isinstance(reply, messages.PutReply)
    assert (name(reply.options.resolved_queue), reply.length) == ("DEV.QUEUE.1", 8)
    get = read(32)
    assert isinstance(get, messages.Get)
    assert (get.buffer_length, get.options.wait_interval) == (4096, 30000)


def test_delivery() -> None:
    request = read(22)
    assert isinstance(request, delivery.RequestMessages)
    assert (request.handle, request.options, request.wait_interval) == (6, 0x02006005, 30000)
    assert request.selection is not None
    assert (request.selection.index, request.selection.ccsid) == (1, 1208)
    message = read(23)
    assert isinstance(message, delivery.Message)
    assert (message.payload, message.resolved_name, len(message.descriptor)) == (b"hello MQ", b"DEV.QUEUE.1  ", 364)
    ended = read(38)
    assert isinstance(ended, delivery.Message)
    assert (ended.reason, ended.descriptor, ended.payload) == (2033, b"", b"")


def test_control() -> None:
    for number, action, conversation in ((28, 1, 3), (29, 8, 3), (30, 2, 1)):
        event = read(number)
        assert isinstance(event, control.SocketAction)
        assert (event.action, event.conversation) == (action, conversation)
    refused = read(31)
    assert isinstance(refused, control.Status)
    assert (refused.code, refused.value) == (1, None)
    assert parse(vector(28)).form == FORM_SOCKET
    assert parse(vector(31)).form == FORM_PLAIN
    assert parse(vector(39)).form == FORM_MULTIPLEXED


def test_xa_has_no_vector_but_a_layout() -> None:
    call = xa.XaCall(0xA1)
    call.xa_flags = xa.TMJOIN
    call.xids = [xa.Xid(1, b"global", b"br")]
    dialect = DIALECTS[1]
    data = call.encode(dialect)
    assert data[:4] == len(data).to_bytes(4, "big")
    assert data[16:24] == b"\1\0\0\0\6\2gl"
    assert len(data) % 4 == 0


BIG_ENDS = Dialect(BIG, ENC_ZOS, 819, False)


def recover_call(length: int) -> bytes:
    """An xa_recover that asks for 15 XIDs, as IBM's client 9.4 sends it; its length is as given."""
    return struct.pack(">I4i", length, 0, xa.TMSTARTRSCAN, 4, 15)


@pytest.mark.parametrize("length", [20, 56, 56 + 15 * 136])
def test_a_recover_may_count_the_room_of_its_answers(length: int) -> None:
    call = xa.decode_xa(0xA9, recover_call(length), 0, 20, BIG_ENDS)
    assert (call.xa_flags, call.count) == (xa.TMSTARTRSCAN, 15)


@pytest.mark.parametrize("length", [15, 57 + 1024 * 136, 0xFFFFFFFF])
def test_a_recover_counts_no_more_than_that(length: int) -> None:
    with pytest.raises(ProtocolError, match="XA length"):
        xa.decode_xa(0xA9, recover_call(length), 0, 20, BIG_ENDS)


def test_other_xa_calls_have_no_room_to_count() -> None:
    with pytest.raises(ProtocolError, match="XA length"):
        xa.decode_xa(0xA5, recover_call(57), 0, 20, BIG_ENDS)
