"""The service provider interface: further calls by which IBM's clients open queues and query functions.

    i4 verb, i4 version, i4 reply size, then two structures, each: c4 id, i4 version, i4 length
    ids are "SP", a letter for the verb, and U (in and out), I (in) or O (out): SPOU, SPOI, SPOO for open

Verbs with unpublished structures (SYNCPOINT) are not decoded; `refusal` answers them. SUBSCRIBE and RESERVE, and the
replies to them, have the form that IBM's Java client uses (docs/protocol.md). PUT and GET become plain puts and gets in
`spimessages.py`.
"""

from struct import Struct
from typing import Final

from kew.channels.protocol.descriptor import descriptor_size
from kew.channels.protocol.dialect import Dialect, Ranges, eye_version, need, padded, pair
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import NO_HANDLE, Call
from kew.channels.protocol.options import GetOptions, PutOptions, decode_get_options, decode_put_options
from kew.channels.protocol.segments import REPLY, SPI
from kew.channels.protocol.status import LENGTH_ERROR
from kew.channels.protocol.structures import BLANK_48, ObjectDescriptor, decode_object_descriptor
from kew.channels.protocol.subscription import SubscriptionDescriptor, decode_subscription_descriptor

QUERY: Final = 1
PUT: Final = 2
GET: Final = 3
ACTIVATE: Final = 4
SYNCPOINT: Final = 5
RESERVE: Final = 6
SUBSCRIBE: Final = 7
VERB_8: Final = 8
NOTIFY: Final = 11
OPEN: Final = 12

BLANK_PADDED: Final = 1
IN_SYNCPOINT: Final = 2
DEFERRED: Final = 4

ENABLE: Final = 1  # ACTIVATE puts a held message, or with DISABLE drops it
DISABLE: Final = 2

SAVES_CONTEXT: Final = 3  # LpiOptions: the context of the message got is kept for a put that passes it on

# Options of LSD, as IBM's JMS client sets them.
JOINS: Final = 0x10  # others may have the subscription open too: CLONESUPP(ENABLED), and with SHARES
SHARES: Final = 0x40  # it is one that JMS 2.0 calls shared
ASSISTS: Final = 0x20000  # the queue is wanted of one that is open already, and is named by its identifier
AS_MADE: Final = 0x40000000  # a shared subscription is not resumed unshared, nor the other way round

# The verbs that queue managers 9.1 and 9.4 offer: verb, greatest versions of the three structures, flags.
FULL_TABLE: Final[tuple[tuple[int, int, int, int, int], ...]] = (
    (QUERY, 2, 2, 2, 1),
    (PUT, 1, 3, 1, 1),
    (GET, 2, 2, 3, 1),
    (ACTIVATE, 1, 1, 1, 1),
    (SYNCPOINT, 1, 1, 1, 1),
    (RESERVE, 1, 1, 1, 1),
    (SUBSCRIBE, 1, 1, 1, 1),
    (VERB_8, 1, 1, 1, 1),
    (0, 0, 0, 0, 0),
    (0, 0, 0, 0, 0),
    (NOTIFY, 1, 1, 1, 1),
    (OPEN, 1, 2, 2, 1),
)

_HEAD: Final = pair("iii")
_BASE: Final = pair("4sii")
_BASE_SIZE: Final = 12
_EYE: Final = ((0, 4),)
_SPPI_1: Final = 20  # with options and size
_SPPI_3: Final = 32  # with a word of unknown meaning, and the delay in two, the upper one first
_LPOO_SIZE: Final = 88
_LPOO: Final = pair("4siiiiiii48sii")
_LPOO_TEXT: Final[Ranges] = ((0, 4), (32, 80))
_ENTRY: Final = pair("iiiii")
_TWO: Final = pair("ii")
_THREE: Final = pair("iii")
_ACTIVATE: Final = pair("i48s48s24s")
_ACTIVATE_TEXT: Final[Ranges] = ((4, 100),)
_LSD_SIZE: Final = 196
_LSD_OPTIONS: Final = 8
_LSD_IDENTIFIER: Final = 32
_LSD_OPEN_OPTIONS: Final = 60
_LSD_QUEUE: Final = 112
_PCF: Final = Struct(">9i")
_PCF_INTEGER: Final = Struct(">4i")
_PCF_STRING: Final = Struct(">5i48s")


class SpiInside:
    """The decoded structures of a verb; each verb has a class of its own."""


class SpiCall(Call):
    """An SPI call or reply: verb, and its two structures as they were received, with the bytes behind them."""

    def __init__(self, verb: int, kind: int = SPI) -> None:
        super().__init__(kind)
        self.verb = verb
        self.verb_version: int = 1
        self.reply_size: int = 0
        self.in_out: bytes = b""
        self.structure: bytes = b""
        self.inside: SpiInside | None = None  # the structures of a known verb, decoded

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the three words and the two structures."""
        return _HEAD[dialect.order].pack(self.verb, self.verb_version, self.reply_size) + self.in_out + self.structure


def decode_spi(kind: int, data: bytes, offset: int, end: int, dialect: Dialect) -> SpiCall:
    """Read an SPI call or reply, cut where its second structure begins."""
    need(offset, 36, end, "an SPI call")
    call = SpiCall(0, kind)
    call.verb, call.verb_version, call.reply_size = _HEAD[dialect.order].unpack_from(data, offset)
    offset += 12
    eye, _, length = _BASE[dialect.order].unpack_from(data, offset)
    eye = dialect.text_in(eye)
    if not eye.startswith(b"SP") or eye[3:] != b"U":
        raise ProtocolError(offset, "an SPI structure SP?U", eye)
    if length < 12 or length > end - offset:
        raise ProtocolError(offset + 8, f"a length of 12 to {end - offset}", length, LENGTH_ERROR)
    after = offset + length
    if call.verb == PUT or call.verb == GET:
        # The length that is stated is that of the structure alone, or of all that it brings with it.
        brought = _skip_message_structures(call.verb, data, offset + _BASE_SIZE, end, dialect)
        if length > _BASE_SIZE and brought != after:
            raise ProtocolError(offset + 8, f"a length of {brought - offset}", length, LENGTH_ERROR)
        after = brought
    call.in_out = data[offset:after]
    call.structure = data[after:end]
    if after < end:
        need(after, 12, end, "the second SPI structure")
        second = dialect.text_in(data[after : after + 4])
        if second[:3] != eye[:3] or second[3:] not in (b"I", b"O"):
            raise ProtocolError(after, f"an SPI structure {eye[:3]!r} I or O", second)
        stated = _BASE[dialect.order].unpack_from(data, after)[2]
        if stated < 12:
            raise ProtocolError(after + 8, "a length of at least 12", stated, LENGTH_ERROR)
    if kind == SPI:
        try:
            call.inside = _read_inside(call, dialect)
        except ProtocolError as error:
            # Not augmented: the compiler knows no attributes of an exception there.
            error.offset = error.offset + (offset if call.verb in (PUT, GET) else after)
            raise
    return call


def _read_inside(call: SpiCall, dialect: Dialect) -> SpiInside | None:
    if call.verb == OPEN:
        return read_open(call, dialect)
    if call.verb == PUT:
        return read_put(call, dialect)
    if call.verb == GET:
        return read_get(call, dialect)
    if call.verb == SUBSCRIBE:
        return read_subscribe(call, dialect)
    if call.verb == NOTIFY:
        return read_notify(call, dialect)
    if call.verb == RESERVE:
        return read_reserve(call, dialect)
    return read_activate(call, dialect) if call.verb == ACTIVATE else None


def _skip_message_structures(verb: int, data: bytes, offset: int, end: int, dialect: Dialect) -> int:
    """Skip the descriptor and options that put and get carry between their two structures."""
    offset += descriptor_size(data, offset, end, dialect)
    if verb == PUT:
        offset += decode_put_options(data, offset, end, dialect).size
        if dialect.text_in(data[offset : offset + 4]) == b"OD  ":
            offset += decode_object_descriptor(data, offset, end, dialect).size
        return offset
    return offset + decode_get_options(data, offset, end, dialect).size


def _reply_to(call: SpiCall) -> SpiCall:
    reply = SpiCall(call.verb, SPI + REPLY)
    reply.answers(call)
    reply.verb_version = call.verb_version
    reply.reply_size = call.reply_size
    reply.in_out = call.in_out
    return reply


def refusal(call: SpiCall, reason: int) -> SpiCall:
    """Make the reply that refuses any SPI call: its structures echoed, the second one marked as output."""
    reply = _reply_to(call)
    reply.handle = NO_HANDLE
    reply.fail(reason)
    dialect = call.dialect
    if call.structure and dialect is not None:
        reply.structure = call.structure[:3] + dialect.text_out(b"O") + call.structure[4:]
    return reply


def _base(eye: bytes, version: int, length: int, dialect: Dialect) -> bytes:
    return dialect.native(_BASE[dialect.order].pack(eye, version, length), _EYE)


def query(dialect: Dialect) -> SpiCall:
    """Make the call that asks for the verbs offered."""
    call = SpiCall(QUERY)
    call.reply_size = 256
    call.room = 240
    call.in_out = _base(b"SPQU", 1, 12, dialect)
    call.structure = _base(b"SPQI", 1, 12, dialect)
    return call


def query_reply(call: SpiCall, table: tuple[tuple[int, int, int, int, int], ...], dialect: Dialect) -> SpiCall:
    """Make the reply that lists the verbs offered; an entry of zeros marks a verb that is not offered."""
    reply = _reply_to(call)
    entries = b"".join([_ENTRY[dialect.order].pack(*entry) for entry in table])
    count = _TWO[dialect.order].pack(len(table), 0)[:4]
    reply.structure = _base(b"SPQO", 1, 16 + len(entries), dialect) + count + entries
    return reply


def verbs_offered(reply: SpiCall, dialect: Dialect) -> list[tuple[int, int, int, int, int]]:
    """Give the table of verbs in the reply to a query."""
    structure = reply.structure
    need(12, 4, len(structure), "the number of verbs")
    count: int = _TWO[dialect.order].unpack_from(structure + bytes(4), 12)[0]
    if count < 0 or count > 256:
        raise ProtocolError(12, "0 to 256 verbs", count)
    need(16, 20 * count, len(structure), "the table of verbs")
    table: list[tuple[int, int, int, int, int]] = []
    for index in range(count):
        verb, in_out, structure_in, structure_out, flags = _ENTRY[dialect.order].unpack_from(structure, 16 + 20 * index)
        table.append((verb, in_out, structure_in, structure_out, flags))
    return table


class LpiOpen:
    """LPOO: open options, and in a reply the queue's defaults and the place of its policy."""

    def __init__(self) -> None:
        self.version: int = 3
        self.options: int = 0
        self.lpi_options: int = 0x20
        self.persistence: int = -1
        self.put_response: int = -1
        self.read_ahead: int = -1
        self.property_control: int = -1
        self.policy_error_queue: bytes = BLANK_48
        self.policy_offset: int = 0
        self.policy_length: int = 10240

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the structure in a peer's dialect."""
        out = _LPOO[dialect.order].pack(
            b"LPOO",
            self.version,
            self.options,
            self.lpi_options,
            self.persistence,
            self.put_response,
            self.read_ahead,
            self.property_control,
            self.policy_error_queue,
            self.policy_offset,
            self.policy_length,
        )
        return dialect.native(out, _LPOO_TEXT)


class SpiOpen(SpiInside):
    """The decoded structures of an SPI OPEN: options, the object, and in a reply its policy."""

    def __init__(self, options: LpiOpen, target: ObjectDescriptor, policy: bytes) -> None:
        self.options = options
        self.target = target
        self.policy = policy

    def encode(self, eye: bytes, dialect: Dialect) -> bytes:
        """Encode the second structure of the call (SPOI) or of its reply (SPOO)."""
        target = self.target.encode(dialect)
        length = 12 + _LPOO_SIZE + len(target) + len(self.policy)
        return _base(eye, 2, length, dialect) + self.options.encode(dialect) + target + self.policy


def read_open(call: SpiCall, dialect: Dialect) -> SpiOpen:
    """Read the structures of an SPI OPEN call or reply."""
    structure = call.structure
    end = len(structure)
    need(0, 12 + _LPOO_SIZE, end, "SPOI with LPOO")
    source = dialect.latin(structure, 12, _LPOO_SIZE, _LPOO_TEXT) if dialect.ebcdic else structure[12:100]
    options = LpiOpen()
    (
        eye,
        options.version,
        options.options,
        options.lpi_options,
        options.persistence,
        options.put_response,
        options.read_ahead,
        options.property_control,
        options.policy_error_queue,
        options.policy_offset,
        options.policy_length,
    ) = _LPOO[dialect.order].unpack_from(source, 0)
    if eye != b"LPOO":
        raise ProtocolError(12, "structure b'LPOO'", eye)
    target = decode_object_descriptor(structure, 100, end, dialect)
    return SpiOpen(options, target, structure[100 + target.size :])


def open_call(target: ObjectDescriptor, options: int, dialect: Dialect) -> SpiCall:
    """Make an SPI OPEN."""
    lpoo = LpiOpen()
    lpoo.options = options
    call = SpiCall(OPEN)
    call.handle = NO_HANDLE
    call.verb_version = 2
    call.in_out = _base(b"SPOU", 1, 12, dialect)
    call.structure = SpiOpen(lpoo, target, b"").encode(b"SPOI", dialect)
    call.reply_size = len(call.structure) - 4
    return call


def open_reply(call: SpiCall, inside: SpiOpen, handle: int, dialect: Dialect) -> SpiCall:
    """Make the reply that returns a handle; the caller has set defaults, names and policy in `inside`."""
    reply = _reply_to(call)
    reply.handle = handle
    if not inside.target.records_present and not inside.target.unknown:
        inside.target.known = 1
    inside.options.policy_offset = 12 + _LPOO_SIZE + inside.target.size
    inside.options.policy_length = len(inside.policy)
    reply.structure = inside.encode(b"SPOO", dialect)
    return reply


def open_refusal(call: SpiCall, reason: int, dialect: Dialect) -> SpiCall:
    """Make the reply that refuses an SPI OPEN: everything copied, no policy."""
    inside = read_open(call, dialect)
    inside.options.policy_error_queue = bytes(48)
    inside.options.policy_offset = 0
    inside.options.policy_length = 0
    reply = _reply_to(call)
    reply.handle = NO_HANDLE
    reply.fail(reason)
    reply.structure = inside.encode(b"SPOO", dialect)
    return reply


def no_policy(queue: str) -> bytes:
    """Make the PCF answer for a queue without protection policy; always big-endian."""
    out = _PCF.pack(8, 36, 3, 0, 1, 1, 0, 0, 8) + _PCF_INTEGER.pack(3, 16, 5, 1)
    out += _PCF_STRING.pack(4, 68, 6, 819, 48, padded(queue, 48))
    for parameter in (7, 8, 9, 14, 10, 12):
        out += _PCF_INTEGER.pack(3, 16, parameter, 0)
    return out


class SpiPut(SpiInside):
    """The decoded structures of an SPI PUT: descriptor, options, for a put1 the object, and the data."""

    def __init__(self, descriptor: bytes, options: PutOptions, target: ObjectDescriptor | None, data: bytes) -> None:
        self.descriptor = descriptor
        self.options = options
        self.target = target
        self.spi_options: int = 0
        self.delay: int = 0  # milliseconds of delivery delay
        self.data = data


def read_put(call: SpiCall, dialect: Dialect) -> SpiPut:
    """Read the structures of an SPI PUT."""
    raw = call.in_out
    end = len(raw)
    offset: int = _BASE_SIZE
    size = descriptor_size(raw, offset, end, dialect)
    descriptor = raw[offset : offset + size]
    offset += size
    options = decode_put_options(raw, offset, end, dialect)
    offset += options.size
    target = decode_object_descriptor(raw, offset, end, dialect) if offset < end else None
    structure = call.structure
    need(12, 8, len(structure), "SPPI with options and size")
    version, stated = _BASE[dialect.order].unpack_from(structure, 0)[1:]
    spi_options, length = _TWO[dialect.order].unpack_from(structure, 12)
    head = stated - length
    if length < 0 or head < _SPPI_1 or not stated <= len(structure) <= stated + 3:  # padded to a multiple of 4
        raise ProtocolError(16, f"a data size of {len(structure) - _SPPI_1}", length, LENGTH_ERROR)
    put = SpiPut(descriptor, options, target, structure[head:stated])
    put.spi_options = spi_options
    if version >= 3 and head >= _SPPI_3:
        high, low = _TWO[dialect.order].unpack_from(structure, _SPPI_3 - 8)
        put.delay = (high << 32) + (low & 0xFFFFFFFF)
    return put


def put_structures(call: SpiCall, put: SpiPut, dialect: Dialect) -> bytes:
    """Give the structures of the reply to an SPI PUT: descriptor, options and object as completed."""
    brought = put.descriptor + put.options.encode(dialect)
    if put.target is not None:
        brought += put.target.encode(dialect)
    return _bringing(call, brought, dialect) + _base(b"SPPO", 1, 12, dialect)


def _bringing(call: SpiCall, brought: bytes, dialect: Dialect) -> bytes:
    """Encode the first structure of a reply and the data behind it, which its length counts if the call's did so."""
    base = _BASE[dialect.order]
    eye, version, length = base.unpack_from(call.in_out, 0)
    if length > _BASE_SIZE:
        length = _BASE_SIZE + len(brought)
    head: bytes = base.pack(eye, version, length)
    return head + brought


class SpiGet(SpiInside):
    """The decoded structures of an SPI GET: descriptor, options, and the largest batch."""

    def __init__(self, descriptor: bytes, options: GetOptions) -> None:
        self.descriptor = descriptor
        self.options = options
        self.batch_size: int = 0
        self.batch_interval: int = 0
        self.max_size: int = 0


def read_get(call: SpiCall, dialect: Dialect) -> SpiGet:
    """Read the structures of an SPI GET."""
    raw = call.in_out
    end = len(raw)
    offset: int = _BASE_SIZE
    size = descriptor_size(raw, offset, end, dialect)
    get = SpiGet(raw[offset : offset + size], decode_get_options(raw, offset + size, end, dialect))
    need(12, 12, len(call.structure), "SPGI with its sizes")
    get.batch_size, get.batch_interval, get.max_size = _THREE[dialect.order].unpack_from(call.structure, 12)
    return get


def get_structures(call: SpiCall, get: SpiGet, options: int, size: int, dialect: Dialect) -> bytes:
    """Encode the structures of the reply to an SPI GET up to the data, whose size they state."""
    out = _bringing(call, get.descriptor + get.options.encode(dialect), dialect)
    return out + _base(b"SPGO", 1, 20 + size, dialect) + _TWO[dialect.order].pack(options, size)


class SpiActivate(SpiInside):
    """The decoded structures of an SPI ACTIVATE: enables or disables a held message."""

    def __init__(self, mode: int, queue: bytes, queue_manager: bytes, message_id: bytes) -> None:
        self.mode = mode
        self.queue = queue
        self.queue_manager = queue_manager
        self.message_id = message_id


def read_activate(call: SpiCall, dialect: Dialect) -> SpiActivate:
    """Read the structures of an SPI ACTIVATE."""
    need(0, 136, len(call.structure), "SPAI")
    source = call.structure[12:136]
    if dialect.ebcdic:
        source = dialect.latin(source, 0, 124, _ACTIVATE_TEXT)
    mode, queue, queue_manager, message_id = _ACTIVATE[dialect.order].unpack_from(source, 0)
    return SpiActivate(mode, queue, queue_manager, message_id)


def activate_reply(call: SpiCall, dialect: Dialect) -> SpiCall:
    """Make the reply to an SPI ACTIVATE."""
    reply = _reply_to(call)
    reply.structure = _base(b"SPAO", 1, _BASE_SIZE, dialect)
    return reply


class SpiSubscribe(SpiInside):
    """The decoded structures of an SPI SUBSCRIBE: a subscription's handle, a mostly unknown structure LSD, and MQSD."""

    def __init__(self, subscription: int, local: bytes, descriptor: SubscriptionDescriptor) -> None:
        self.subscription = subscription
        self.local = local
        self.descriptor = descriptor
        self.options: int = 0
        self.identifier: bytes = b""  # identifier of the subscription
        self.open_options: int = 0  # for the queue that a managed subscription is given


def read_subscribe(call: SpiCall, dialect: Dialect) -> SpiSubscribe:
    """Read the structures of an SPI SUBSCRIBE."""
    structure = call.structure
    need(0, 16 + _LSD_SIZE, len(structure), "SPBI with LSD")
    subscription = dialect.i4(structure, 12)
    eye_version(structure, 16, len(structure), dialect, b"LSD ")
    local = structure[16 : 16 + _LSD_SIZE]
    descriptor = decode_subscription_descriptor(structure, 16 + _LSD_SIZE, len(structure), dialect)
    inside = SpiSubscribe(subscription, local, descriptor)
    inside.options = dialect.i4(local, _LSD_OPTIONS)
    if inside.options & ASSISTS:
        inside.identifier = local[_LSD_IDENTIFIER : _LSD_IDENTIFIER + 24]
    inside.open_options = dialect.i4(local, _LSD_OPEN_OPTIONS)
    return inside


def subscribe_reply(
    call: SpiCall, inside: SpiSubscribe, handle: int, subscription: int, identifier: bytes, queue: str, dialect: Dialect
) -> SpiCall:
    """Make the reply to an SPI SUBSCRIBE: the API header has the queue's handle, the structure the subscription's."""
    reply = _reply_to(call)
    reply.handle = handle
    local = bytearray(inside.local)
    local[_LSD_IDENTIFIER : _LSD_IDENTIFIER + 24] = identifier
    local[_LSD_QUEUE : _LSD_QUEUE + 48] = dialect.text_out(padded(queue, 48))
    body = dialect.word(subscription) + bytes(local) + inside.descriptor.encode(dialect)
    reply.structure = _base(b"SPBO", 1, 12 + len(body), dialect) + body
    return reply


class SpiNotify(SpiInside):
    """The decoded structures of an SPI NOTIFY: a program closes a handle on which another of its threads waits."""

    def __init__(self, reason: int, connection: bytes) -> None:
        self.reason = reason  # reason code for the waits that end
        self.connection = connection  # connection of the waits


def read_notify(call: SpiCall, dialect: Dialect) -> SpiNotify:
    """Read the structures of an SPI NOTIFY."""
    need(12, 32, len(call.structure), "SPNI with a word, a reason and a connection")
    return SpiNotify(dialect.i4(call.structure, 16), call.structure[20:44])


def notify_reply(call: SpiCall, dialect: Dialect) -> SpiCall:
    """Make the reply to an SPI NOTIFY."""
    reply = _reply_to(call)
    reply.structure = _base(b"SPNO", 1, _BASE_SIZE, dialect)
    return reply


class SpiReserve(SpiInside):
    """The decoded structures of an SPI RESERVE: a client asks for a range of message ids, for asynchronous puts."""

    def __init__(self, tag_size: int, count: int) -> None:
        self.tag_size = tag_size
        self.count = count


def read_reserve(call: SpiCall, dialect: Dialect) -> SpiReserve:
    """Read the structures of an SPI RESERVE."""
    need(12, 8, len(call.structure), "SPRI with size and count")
    tag_size, count = _TWO[dialect.order].unpack_from(call.structure, 12)
    return SpiReserve(tag_size, count)


def reserve(count: int, dialect: Dialect) -> SpiCall:
    """Make the call that asks for message ids."""
    call = SpiCall(RESERVE)
    call.reply_size = 44
    call.room = 24
    call.in_out = _base(b"SPRU", 1, 12, dialect)
    call.structure = _base(b"SPRI", 1, 20, dialect) + _TWO[dialect.order].pack(24, count)
    return call


def ids_reserved(reply: SpiCall, dialect: Dialect) -> tuple[bytes, int, int]:
    """Give the first id of the reply to an SPI RESERVE, the place of its counter (from 0), and the number of ids."""
    structure = reply.structure
    need(0, 44, len(structure), "SPRO with count, place and tag")
    count, place = _TWO[dialect.order].unpack_from(structure, 12)
    if count < 0 or not 17 <= place <= 24:
        raise ProtocolError(12, "a count, and a place within the tag", (count, place))
    return structure[20:44], place - 1, count


def reserve_reply(call: SpiCall, tag: bytes, count: int, dialect: Dialect) -> SpiCall:
    """Make the reply to an SPI RESERVE: a first id, and the number of ids that the client may count up from it."""
    reply = _reply_to(call)
    body = _TWO[dialect.order].pack(min(count, 0xFFFFFF), 22) + tag
    reply.structure = _base(b"SPRO", 1, 12 + len(body), dialect) + body
    return reply
