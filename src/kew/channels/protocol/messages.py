"""MQPUT, MQPUT1, MQGET and their replies: the calls that carry messages.

MQPUT    MQMD, MQPMO, i4 length, data        reply   MQMD, MQPMO, i4 length
MQPUT1   MQOD, then as MQPUT                 reply   MQOD, then as MQPUT's
MQGET    MQMD, MQGMO, i4 buffer length       reply   MQMD, MQGMO, i4 full length, data cut to the buffer
"""

from librt.strings import BytesWriter
from mypy_extensions import mypyc_attr

from kew.channels.protocol.descriptor import descriptor_size
from kew.channels.protocol.dialect import Dialect, read_i4
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Call, take_payload
from kew.channels.protocol.options import GetOptions, PutOptions, decode_get_options, decode_put_options
from kew.channels.protocol.segments import MQGET, MQPUT, MQPUT1, REPLY
from kew.channels.protocol.status import LENGTH_ERROR
from kew.channels.protocol.structures import ObjectDescriptor, decode_object_descriptor


@mypyc_attr(free_list_len=1)
class Put(Call):
    """MQPUT: a message for an open queue."""

    def __init__(self, descriptor: bytes, options: PutOptions, data: bytes) -> None:
        super().__init__(MQPUT)
        self.descriptor = descriptor
        self.options = options
        self.payload = data

    def encode(self, dialect: Dialect) -> bytes:
        """Encode MQMD, MQPMO and the length of the data."""
        return _put(self.descriptor, self.options, len(self.payload), dialect)

    def reply(self) -> "PutReply":
        """Make a reply that copies everything from this call."""
        return PutReply(self.descriptor, self.options, len(self.payload))


@mypyc_attr(free_list_len=1)
class PutReply(Call):
    """The reply to MQPUT: descriptor and options as the queue manager completed them."""

    def __init__(self, descriptor: bytes, options: PutOptions, length: int) -> None:
        super().__init__(MQPUT + REPLY)
        self.descriptor = descriptor
        self.options = options
        self.length = length

    def encode(self, dialect: Dialect) -> bytes:
        """Encode MQMD, MQPMO and the length of the data that was put."""
        return _put(self.descriptor, self.options, self.length, dialect)


class Put1(Call):
    """MQPUT1: open, put one message, close."""

    def __init__(self, target: ObjectDescriptor, descriptor: bytes, options: PutOptions, data: bytes) -> None:
        super().__init__(MQPUT1)
        self.target = target
        self.descriptor = descriptor
        self.options = options
        self.payload = data

    def encode(self, dialect: Dialect) -> bytes:
        """Encode MQOD, MQMD, MQPMO and the length of the data."""
        return self.target.encode(dialect) + _put(self.descriptor, self.options, len(self.payload), dialect)

    def reply(self) -> "Put1Reply":
        """Make a reply that copies everything from this call."""
        return Put1Reply(self.target, self.descriptor, self.options, len(self.payload))


class Put1Reply(Call):
    """The reply to MQPUT1."""

    def __init__(self, target: ObjectDescriptor, descriptor: bytes, options: PutOptions, length: int) -> None:
        super().__init__(MQPUT1 + REPLY)
        self.target = target
        self.descriptor = descriptor
        self.options = options
        self.length = length

    def encode(self, dialect: Dialect) -> bytes:
        """Encode MQOD, MQMD, MQPMO and the length of the data that was put."""
        return self.target.encode(dialect) + _put(self.descriptor, self.options, self.length, dialect)


class Get(Call):
    """MQGET, as clients without shared conversations send it."""

    def __init__(self, descriptor: bytes, options: GetOptions, buffer_length: int) -> None:
        super().__init__(MQGET)
        self.descriptor = descriptor
        self.options = options
        self.buffer_length = buffer_length

    def encode(self, dialect: Dialect) -> bytes:
        """Encode MQMD, MQGMO and the length of the caller's buffer."""
        return self.descriptor + self.options.encode(dialect) + dialect.word(self.buffer_length)

    def reply(self, full_length: int, data: bytes) -> "GetReply":
        """Make a reply that copies the structures from this call."""
        return GetReply(self.descriptor, self.options, full_length, data)


class GetReply(Call):
    """The reply to MQGET: as much of the message as fits the buffer, and its full length."""

    def __init__(self, descriptor: bytes, options: GetOptions, full_length: int, data: bytes) -> None:
        super().__init__(MQGET + REPLY)
        self.descriptor = descriptor
        self.options = options
        self.full_length = full_length
        self.payload = data

    def encode(self, dialect: Dialect) -> bytes:
        """Encode MQMD, MQGMO and the full length of the message."""
        return self.descriptor + self.options.encode(dialect) + dialect.word(self.full_length)


def put_reply(put: Put) -> PutReply:
    """Make the reply to a put, with everything copied from the put; the caller completes descriptor and options."""
    reply = put.reply()
    reply.answers(put)
    return reply


def put1_reply(put: Put1) -> Put1Reply:
    """Make the reply to a put1, with everything copied from the put1."""
    reply = put.reply()
    reply.answers(put)
    return reply


def get_reply(get: Get, full_length: int, data: bytes) -> GetReply:
    """Make the reply to a get, with its structures copied, and the message data cut to the caller's buffer."""
    if len(data) > get.buffer_length:
        data = data[: max(get.buffer_length, 0)]
    reply = get.reply(full_length, data)
    reply.answers(get)
    return reply


def decode_put(data: bytes, offset: int, end: int, dialect: Dialect, rest: list[bytes]) -> Put:
    """Read MQPUT; rest holds the later pieces of a long call."""
    start = offset
    offset += descriptor_size(data, offset, end, dialect)
    descriptor = data[start:offset]
    options = decode_put_options(data, offset, end, dialect)
    offset += options.size
    length = read_i4(data, offset, end, dialect, "the data length")
    return Put(descriptor, options, take_payload(data, offset + 4, end, rest, length, "message data"))


def decode_put_reply(data: bytes, offset: int, end: int, dialect: Dialect) -> PutReply:
    """Read the reply to MQPUT."""
    start = offset
    offset += descriptor_size(data, offset, end, dialect)
    descriptor = data[start:offset]
    options = decode_put_options(data, offset, end, dialect)
    offset += options.size
    length = read_i4(data, offset, end, dialect, "the data length")
    _at_end(offset + 4, end)
    return PutReply(descriptor, options, length)


def decode_put1(data: bytes, offset: int, end: int, dialect: Dialect, rest: list[bytes]) -> Put1:
    """Read MQPUT1; rest holds the later pieces of a long call."""
    target = decode_object_descriptor(data, offset, end, dialect)
    put = decode_put(data, offset + target.size, end, dialect, rest)
    return Put1(target, put.descriptor, put.options, put.payload)


def decode_put1_reply(data: bytes, offset: int, end: int, dialect: Dialect) -> Put1Reply:
    """Read the reply to MQPUT1."""
    target = decode_object_descriptor(data, offset, end, dialect)
    reply = decode_put_reply(data, offset + target.size, end, dialect)
    return Put1Reply(target, reply.descriptor, reply.options, reply.length)


def decode_get(data: bytes, offset: int, end: int, dialect: Dialect) -> Get:
    """Read MQGET."""
    start = offset
    offset += descriptor_size(data, offset, end, dialect)
    descriptor = data[start:offset]
    options = decode_get_options(data, offset, end, dialect)
    offset += options.size
    buffer_length = read_i4(data, offset, end, dialect, "the buffer length")
    if buffer_length < 0:
        raise ProtocolError(offset, "a buffer length", buffer_length, LENGTH_ERROR)
    _at_end(offset + 4, end)
    return Get(descriptor, options, buffer_length)


def decode_get_reply(data: bytes, offset: int, end: int, dialect: Dialect, rest: list[bytes]) -> GetReply:
    """Read the reply to MQGET; its data may be shorter than the message, never longer."""
    start = offset
    offset += descriptor_size(data, offset, end, dialect)
    descriptor = data[start:offset]
    options = decode_get_options(data, offset, end, dialect)
    offset += options.size
    full_length = read_i4(data, offset, end, dialect, "the message length")
    present = end - offset - 4
    for piece in rest:
        present += len(piece)
    if full_length < present:
        raise ProtocolError(offset, f"a message length of at least {present}", full_length, LENGTH_ERROR)
    return GetReply(
        descriptor, options, full_length, take_payload(data, offset + 4, end, rest, present, "message data")
    )


def _put(descriptor: bytes, options: PutOptions, length: int, dialect: Dialect) -> bytes:
    """Give the part that a put and its reply share."""
    out = BytesWriter()
    out.write(descriptor)
    options.write(out, dialect)
    dialect.put_i4(out, length)
    return out.getvalue()


def _at_end(offset: int, end: int) -> None:
    if offset != end:
        raise ProtocolError(offset, "the end of the call", f"{end - offset} more bytes", LENGTH_ERROR)
