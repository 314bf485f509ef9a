"""Compressed calls: the captured form, long messages a segment at a time, and nothing beyond the agreed length."""

import zlib

import pytest
from tests.support.vectors import vector

from kew.channels.protocol import mqapi
from kew.channels.protocol.client import ClientSession
from kew.channels.protocol.compression import MESSAGE_METHODS, NAMES, RLE, ZLIBFAST, ZLIBHIGH
from kew.channels.protocol.delivery import Message, RequestMessages
from kew.channels.protocol.events import Event
from kew.channels.protocol.identity import UserId
from kew.channels.protocol.lifecycle import Failed
from kew.channels.protocol.messages import Put
from kew.channels.protocol.negotiate import KEW_CLIENT, InitialData, Terms, compression_list
from kew.channels.protocol.options import PutOptions
from kew.channels.protocol.server import ServerSession

TEXT = b"hello compress " * 40
RUNS = (b"hello" + b"-" * 9) * 15_000
DESCRIPTOR = b"MD  \2\0\0\0" + bytes(356)


def pair(
    method: int, headers: bool = False, conversations: int = 10, trace: int = 0
) -> tuple[ClientSession, ServerSession]:
    offer = InitialData()
    offer.conversations = conversations
    offer.trace_id = trace
    offer.message_compression = compression_list([method, 0], 16)
    offer.header_compression = compression_list([8, 0] if headers else [0], 2)
    client, server = ClientSession(offer), ServerSession()
    terms = Terms("QM1", "QM1_ID")
    terms.message_compression = [method]
    terms.header_compression = [8] if headers else [0]
    server.receive(client.start())
    data, _ = server.accept(terms)
    client.receive(data)
    server.receive(client.take_output())
    client.receive(server.take_output())
    server.receive(client.send(UserId(b"app")))
    call = server.receive(client.send(mqapi.Connect()))[0]
    assert isinstance(call, mqapi.Connect)
    client.receive(server.send(mqapi.connect_reply(call, bytes(24), b"")))
    return client, server


def only(events: list[Event]) -> Event:
    assert len(events) == 1, events
    return events[0]


@pytest.mark.parametrize("conversations", [0, 10])
@pytest.mark.parametrize("headers", [False, True])
@pytest.mark.parametrize("method", [0, *MESSAGE_METHODS], ids=NAMES.__getitem__)
def test_puts_of_any_length(method: int, headers: bool, conversations: int) -> None:
    client, server = pair(method, headers, conversations)
    for data in (b"", b"x", TEXT, bytes(200_000), TEXT * 300 + b"?"):
        put = Put(DESCRIPTOR, PutOptions(), data)
        wire = client.send(put)
        received = only(server.receive(wire))
        assert isinstance(received, Put)
        assert received.payload == data
        assert received.room == 0
    if method and method != 1:
        assert client.packing is not None
        assert server.packing is not None
        assert client.packing.rate.percent == server.packing.rate.percent > 50


def test_the_captured_form() -> None:
    client, _ = pair(ZLIBFAST)
    put = Put(DESCRIPTOR, PutOptions(), TEXT)
    wire = client.send(put)
    assert wire[19] == 6
    assert wire[36:40] == (1172).to_bytes(4, "big")
    assert wire[52:56] == bytes.fromhex("02380002")
    assert wire[56:60] == b"MD  "
    assert zlib.decompress(wire[576:]) == TEXT


def test_a_long_message_is_compressed_a_segment_at_a_time() -> None:
    client, _ = pair(ZLIBFAST)
    segments = list(client.send_segments(Put(DESCRIPTOR, PutOptions(), TEXT * 201)))
    assert [segment[19] for segment in segments] == [6, 2, 2, 2]
    lengths = [len(zlib.decompress(segment[576 if segment[19] == 6 else 36 :])) for segment in segments]
    assert lengths == [32176, 32712, 32712, 23000]


def test_what_does_not_become_shorter_goes_as_it_is() -> None:
    client, server = pair(ZLIBFAST)
    noise = b"".join(zlib.adler32(number.to_bytes(4, "big")).to_bytes(4, "big")[2:] for number in range(40, 90))
    wire = client.send(Put(DESCRIPTOR, PutOptions(), noise[:60]))
    assert wire[19] == 0
    assert only(server.receive(wire)).payload == noise[:60]


@pytest.mark.parametrize("conversations", [1, 10])
@pytest.mark.parametrize("headers", [False, True])
@pytest.mark.parametrize("method", MESSAGE_METHODS, ids=NAMES.__getitem__)
@pytest.mark.parametrize("trace", [0, KEW_CLIENT], ids=["another", "Kew"])
def test_messages_of_any_length(trace: int, method: int, headers: bool, conversations: int) -> None:
    client, server = pair(method, headers, conversations, trace)
    client.send(RequestMessages(2))
    assert server.packing is not None
    replied = server.packing.header_rate.before
    for data in (b"", b"x", RUNS[:1000], RUNS[:32_701], bytes(200_000), RUNS + b"?"):
        message = Message(2, DESCRIPTOR, data)
        message.conversation_id = 1
        wire = server.send(message)
        assert len(wire) < max(len(data), 1100)
        received = only(client.receive(wire))
        assert isinstance(received, Message)
        assert received.payload == data
        assert received.descriptor == DESCRIPTOR
    assert server.packing.rate.percent > 50
    assert (server.packing.header_rate.before > replied) == (headers and trace == KEW_CLIENT)


def test_the_form_that_clients_of_ibm_take() -> None:
    """Found by trying every place: behind the head, counted as in a call; the head counts the data as it was."""
    _, server = pair(ZLIBFAST, True)
    message = Message(2, DESCRIPTOR, TEXT)
    message.conversation_id = 1
    message.resolved_name = b"QUEUE"
    wire = server.send(message)
    assert wire[19] == 6
    assert len(wire) % 4 == 0
    assert wire[52:56] == len(TEXT).to_bytes(4, "little")
    begins, method = int.from_bytes(wire[60:62], "big") + 8, int.from_bytes(wire[62:64], "big")
    assert method == ZLIBFAST
    assert wire[begins - len(DESCRIPTOR) : begins] == DESCRIPTOR
    assert zlib.decompressobj().decompress(wire[begins:]) == TEXT


def test_compression_that_was_not_agreed() -> None:
    client, _ = pair(ZLIBFAST)
    _, server = pair(0)
    failed = only(server.receive(client.send(Put(DESCRIPTOR, PutOptions(), TEXT))))
    assert isinstance(failed, Failed)


def test_a_segment_that_expands_too_far() -> None:
    client, server = pair(ZLIBFAST)
    wire = bytearray(client.send(Put(DESCRIPTOR, PutOptions(), TEXT)))
    wire[576:] = zlib.compress(bytes(40_000))
    wire[4:8] = len(wire).to_bytes(4, "big")
    failed = only(server.receive(bytes(wire)))
    assert isinstance(failed, Failed)
    assert "32756 bytes once expanded" in str(failed.error)


@pytest.mark.parametrize(
    ("offset", "value"), [(52, b"\0\0"), (52, b"\xff\xff"), (54, b"\0\4"), (19, b"\3"), (576, b"rubbish")]
)
def test_a_malformed_segment(offset: int, value: bytes) -> None:
    client, server = pair(ZLIBFAST)
    wire = bytearray(client.send(Put(DESCRIPTOR, PutOptions(), TEXT)))
    wire[offset : offset + len(value)] = value
    failed = only(server.receive(bytes(wire)))
    assert isinstance(failed, Failed)
    assert failed.error.offset >= 0


def padded(wire: bytes) -> bytes:
    """Pad each compressed segment to a multiple of 4, as IBM's clients do from 9.4 on."""
    out = b""
    while wire:
        length = int.from_bytes(wire[4:8], "big")
        segment, wire = wire[:length], wire[length:]
        if segment[19]:
            segment += bytes(-len(segment) & 3)
        out += segment[:4] + len(segment).to_bytes(4, "big") + segment[8:]
    return out


@pytest.mark.parametrize("headers", [False, True])
@pytest.mark.parametrize("method", [RLE, ZLIBFAST, ZLIBHIGH], ids=NAMES.__getitem__)
def test_padding_to_a_multiple_of_four(method: int, headers: bool) -> None:
    client, server = pair(method, headers)
    for length in (0, 1, 2, 3, 64, 65, 66, 67, 600, 32_700, 32_701, 70_001, 200_002, 200_003):
        data = RUNS[:length]
        received = only(server.receive(padded(client.send(Put(DESCRIPTOR, PutOptions(), data)))))
        assert isinstance(received, Put)
        assert received.payload == data


def test_padding_behind_structures() -> None:
    """A connect of a client with COMPHDR(SYSTEM): 334 bytes for 332."""
    client, server = pair(RLE, True)
    for size in mqapi.CONNECT_SIZES:
        data, _ = client.start_conversation()
        server.receive(data)
        client.receive(server.take_output())
        number = max(client.conversations)
        user = UserId(b"app")
        user.conversation_id = number
        server.receive(client.send(user))
        connect = mqapi.Connect()
        connect.conversation_id = number
        connect.body_size = size
        received = only(server.receive(padded(client.send(connect))))
        assert isinstance(received, mqapi.Connect)
        assert received.body_size == size


@pytest.mark.parametrize("behind", [b"\0\0\0\0", b"\0\1", b"x"])
def test_what_is_not_padding(behind: bytes) -> None:
    client, server = pair(ZLIBFAST)
    wire = client.send(Put(DESCRIPTOR, PutOptions(), TEXT)) + behind
    failed = only(server.receive(wire[:4] + len(wire).to_bytes(4, "big") + wire[8:]))
    assert isinstance(failed, Failed)


def test_nothing_is_compressed_unless_agreed() -> None:
    server = ServerSession()
    server.receive(vector(1))
    server.accept(Terms("QM1", "QM1_ID"))
    server.receive(vector(3))
    assert server.packing is None
