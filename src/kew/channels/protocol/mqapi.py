"""The MQI calls that carry no message: connect, open, close, inquire, set, status and subscriptions.

The bodies follow the API header (big-endian call length, completion, reason, handle). MQCB and MQCTL have no segment of
their own: they are the client's logic on top of REQUEST_MSGS and ASYNC_MESSAGE. The bodies of MQSTAT, MQSUB and MQSUBRQ
are as IBM's Java client sends them.
"""

from struct import Struct
from typing import Final

from kew.channels.protocol.dialect import Dialect, Ranges, eye_version, need, pair, read_i4
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import NO_HANDLE, Call
from kew.channels.protocol.segments import MQCLOSE, MQCONN, MQINQ, MQOPEN, MQSET, MQSTAT, MQSUB, MQSUBRQ, REPLY
from kew.channels.protocol.status import LENGTH_ERROR
from kew.channels.protocol.structures import (
    BLANK_48,
    ObjectDescriptor,
    StatusReport,
    decode_object_descriptor,
    decode_status_report,
)
from kew.channels.protocol.subscription import (
    SubscriptionDescriptor,
    SubscriptionRequestOptions,
    decode_subscription_descriptor,
    decode_subscription_request_options,
)

CONNX: Final = 3
RECONNECT_AWARE: Final = 0x04
TAG_SUPPLIED: Final = 0x08

CONNECT_BASIC: Final = 120  # no FCNO: up to level 6
CONNECT_TAG: Final = 260  # FCNO with a tag: 7 to 12
CONNECT_13: Final = 332  # and reconnection ids: 13
CONNECT_14: Final = 460  # and a returned tag: 14 to 16
CONNECT_17: Final = 472  # and rebalancing: 17
CONNECT_SIZES: Final = (CONNECT_BASIC, CONNECT_TAG, CONNECT_13, CONNECT_14, CONNECT_17)

MAX_SELECTORS: Final = 256
MAX_CHARACTERS: Final = 65536

_CONNECT: Final = pair("48s28si32sii")
_CONNECT_TEXT: Final[Ranges] = ((0, 76),)
_FCNO: Final = pair("4sii128s")
_FCNO_TEXT: Final[Ranges] = ((0, 4),)
_REBALANCING: Final = pair("iii")
_FOPA1: Final = pair("4siiiiii")
_FOPA2: Final = pair("48sii")
_FOPA_TEXT: Final[Ranges] = ((0, 4), (28, 76))
_COUNTS: Final = pair("iii")
_TWO: Final = pair("ii")


HAS_POLICIES: Final = 0x4000_0000  # in what Kew tells its own clients: policies of message protection


class Connect(Call):
    """MQCONN and MQCONNX, and with the same layout their reply."""

    def __init__(self, kind: int = MQCONN) -> None:
        super().__init__(kind)
        self.queue_manager: bytes = BLANK_48
        self.application_name: bytes = b" " * 28
        self.application_type: int = 28
        self.accounting_token: bytes = bytes(32)
        self.options: int = CONNX | RECONNECT_AWARE
        self.connect_options: int = 0  # MQCNO options
        self.body_size: int = CONNECT_17
        self.fcno_version: int = 4
        self.capability_flags: int = 0
        self.tag: bytes = bytes(128)  # in a reply the connection id, then zeros
        self.returned_tag: bytes = bytes(128)
        self.rebalancing_type: int = 0
        self.rebalancing_timeout: int = -1
        self.rebalancing_options: int = 0
        self.reconnection: bytes = bytes(72)

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the body, in the length of `body_size`."""
        order = dialect.order
        out = dialect.native(
            _CONNECT[order].pack(
                self.queue_manager,
                self.application_name,
                self.application_type,
                self.accounting_token,
                self.options,
                self.connect_options,
            ),
            _CONNECT_TEXT,
        )
        size = self.body_size
        if size > CONNECT_BASIC:
            fcno = _FCNO[order].pack(b"FCNO", self.fcno_version, self.capability_flags, self.tag)
            out += dialect.native(fcno, _FCNO_TEXT)
        if size >= CONNECT_14:
            out += self.returned_tag
        if size >= CONNECT_17:
            out += _REBALANCING[order].pack(self.rebalancing_type, self.rebalancing_timeout, self.rebalancing_options)
        if size >= CONNECT_13:
            out += self.reconnection
        return out


def decode_connect(kind: int, data: bytes, offset: int, end: int, dialect: Dialect) -> Connect:
    """Read MQCONN or its reply; the length of the body shows the protocol level."""
    size = end - offset
    if size not in CONNECT_SIZES:
        raise ProtocolError(offset, "a connect body of 120, 260, 332, 460 or 472 bytes", size, LENGTH_ERROR)
    order = dialect.order
    call = Connect(kind)
    call.body_size = size
    source = data
    at = offset
    if dialect.ebcdic:
        source = dialect.latin(data, offset, CONNECT_BASIC, _CONNECT_TEXT)
        at = 0
    (
        call.queue_manager,
        call.application_name,
        call.application_type,
        call.accounting_token,
        call.options,
        call.connect_options,
    ) = _CONNECT[order].unpack_from(source, at)
    if size > CONNECT_BASIC:
        offset += CONNECT_BASIC
        eye_version(data, offset, end, dialect, b"FCNO")
        _, call.fcno_version, call.capability_flags, call.tag = _FCNO[order].unpack_from(data, offset)
        offset += 140
        if size >= CONNECT_14:
            call.returned_tag = data[offset : offset + 128]
            offset += 128
        if size >= CONNECT_17:
            call.rebalancing_type, call.rebalancing_timeout, call.rebalancing_options = _REBALANCING[order].unpack_from(
                data, offset
            )
            offset += 12
        if size >= CONNECT_13:
            call.reconnection = data[offset : offset + 72]
    return call


def connect_size(fap_level: int) -> int:
    """Give the length of the body of MQCONN at a protocol level."""
    if fap_level >= 17:
        return CONNECT_17
    if fap_level >= 14:
        return CONNECT_14
    if fap_level >= 13:
        return CONNECT_13
    return CONNECT_TAG if fap_level >= 7 else CONNECT_BASIC


def connect_reply(call: Connect, connection_id: bytes, tag: bytes) -> Connect:
    """Make the reply that accepts a connection: its id of 24 bytes, and the tag in force (may be empty)."""
    reply = connect_refusal(call, 0)
    reply.completion = 0
    reply.fcno_version = min(call.fcno_version, 3)
    reply.capability_flags = call.capability_flags | 1
    reply.tag = connection_id[:24].ljust(128, b"\0")
    reply.returned_tag = tag[:128].ljust(128, b"\0")
    reply.rebalancing_timeout = 0
    return reply


def connect_refusal(call: Connect, reason: int) -> Connect:
    """Make the reply that refuses a connection, with everything else copied."""
    reply = Connect(MQCONN + REPLY)
    reply.answers(call)
    reply.fail(reason)
    reply.queue_manager = call.queue_manager
    reply.application_name = call.application_name
    reply.application_type = call.application_type
    reply.accounting_token = call.accounting_token
    reply.options = call.options
    reply.connect_options = call.connect_options
    reply.body_size = call.body_size
    reply.fcno_version = call.fcno_version
    reply.capability_flags = call.capability_flags
    reply.tag = call.tag
    reply.returned_tag = call.returned_tag
    reply.rebalancing_type = call.rebalancing_type
    reply.rebalancing_timeout = call.rebalancing_timeout
    reply.rebalancing_options = call.rebalancing_options
    reply.reconnection = call.reconnection
    return reply


def connection_tag(connection_id: bytes, queue_manager_id: str, application: str) -> bytes:
    """Make the connection tag for a client that asks for one."""
    text = f"MQCT{connection_id[16:24].hex().upper()}{queue_manager_id}{application}"
    return text.encode("latin-1", "replace")[:128]


class OpenDefaults:
    """FOPA: the queue's defaults that an open returns, and the place of policy data."""

    def __init__(self) -> None:
        self.version: int = 2
        self.length: int = 84
        self.persistence: int = -1
        self.put_response: int = -1
        self.read_ahead: int = 0
        self.property_control: int = 0
        self.policy_error_queue: bytes = BLANK_48
        self.policy_offset: int = 0
        self.policy_length: int = 10240

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the structure in a peer's dialect."""
        out = _FOPA1[dialect.order].pack(
            b"FOPA",
            self.version,
            self.length,
            self.persistence,
            self.put_response,
            self.read_ahead,
            self.property_control,
        )
        if self.version >= 2:
            out += _FOPA2[dialect.order].pack(self.policy_error_queue, self.policy_offset, self.policy_length)
        return dialect.native(out, _FOPA_TEXT)


class Open(Call):
    """MQOPEN, and with the same layout its reply."""

    def __init__(self, target: ObjectDescriptor, options: int, kind: int = MQOPEN) -> None:
        super().__init__(kind)
        self.target = target
        self.options = options
        self.defaults: OpenDefaults | None = OpenDefaults()
        self.extra: bytes = b""  # policy data, or a structure that is known by name only
        self.room = 10240 if kind == MQOPEN else 0

    def encode(self, dialect: Dialect) -> bytes:
        """Encode MQOD, options, defaults and any policy data."""
        out = self.target.encode(dialect) + dialect.word(self.options)
        if self.defaults is not None:
            out += self.defaults.encode(dialect)
        return out + self.extra


def decode_open(kind: int, data: bytes, offset: int, end: int, dialect: Dialect) -> Open:
    """Read MQOPEN or its reply."""
    target = decode_object_descriptor(data, offset, end, dialect)
    offset += target.size
    options = read_i4(data, offset, end, dialect, "the open options")
    offset += 4
    call = Open(target, options, kind)
    call.defaults = None
    if end - offset >= 28 and dialect.text_in(data[offset : offset + 4]) == b"FOPA":
        version = eye_version(data, offset, end, dialect, b"FOPA")
        if version != 1 and version != 2:
            raise ProtocolError(offset + 4, "FOPA version 1 or 2", version)
        size = 28 if version == 1 else 84
        need(offset, size, end, "FOPA")
        source = dialect.latin(data, offset, size, _FOPA_TEXT) if dialect.ebcdic else data[offset : offset + size]
        fopa = OpenDefaults()
        (
            _,
            fopa.version,
            fopa.length,
            fopa.persistence,
            fopa.put_response,
            fopa.read_ahead,
            fopa.property_control,
        ) = _FOPA1[dialect.order].unpack_from(source, 0)
        if version == 2:
            fopa.policy_error_queue, fopa.policy_offset, fopa.policy_length = _FOPA2[dialect.order].unpack_from(
                source, 28
            )
        call.defaults = fopa
        offset += size
    call.extra = data[offset:end]
    return call


def open_reply(call: Open, handle: int) -> Open:
    """Make the reply that returns a handle, with everything else copied; the caller sets known defaults."""
    reply = Open(call.target, call.options, MQOPEN + REPLY)
    reply.answers(call)
    reply.handle = handle
    if not call.target.records_present and not call.target.unknown:
        reply.target.known = 1
    asked = call.defaults
    if asked is None:
        reply.defaults = None
        return reply
    fopa = OpenDefaults()
    fopa.version = asked.version
    fopa.length = asked.length
    fopa.read_ahead = -1
    fopa.property_control = -1
    fopa.policy_error_queue = asked.policy_error_queue
    fopa.policy_offset = 84
    fopa.policy_length = 0
    reply.defaults = fopa
    return reply


def open_refusal(call: Open, reason: int) -> Open:
    """Make the reply that refuses an open, with the structures copied."""
    reply = Open(call.target, call.options, MQOPEN + REPLY)
    reply.answers(call)
    reply.handle = NO_HANDLE
    reply.fail(reason)
    reply.defaults = call.defaults
    reply.extra = call.extra
    return reply


class Close(Call):
    """MQCLOSE; its completion word holds the index of the last message a consuming handle received."""

    def __init__(self, handle: int, options: int) -> None:
        super().__init__(MQCLOSE)
        self.handle = handle
        self.options = options

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the close options."""
        return dialect.word(self.options)


def decode_close(data: bytes, offset: int, end: int, dialect: Dialect) -> Close:
    """Read MQCLOSE."""
    options = read_i4(data, offset, end, dialect, "the close options")
    _at_end(offset + 4, end)
    return Close(0, options)


class Attributes(Call):
    """MQINQ, MQSET and the reply to MQINQ: selectors, integers, characters; an MQINQ has only lengths of values."""

    def __init__(self, kind: int, selectors: list[int]) -> None:
        super().__init__(kind)
        self.selectors = selectors
        self.integer_count: int = 0
        self.character_length: int = 0
        self.integers: list[int] = []
        self.characters: bytes = b""

    def encode(self, dialect: Dialect) -> bytes:
        """Encode three counts, the selectors, and the values where there are any."""
        order = "<" if dialect.order else ">"
        values = self.selectors + self.integers
        return (
            _COUNTS[dialect.order].pack(len(self.selectors), self.integer_count, self.character_length)
            + Struct(f"{order}{len(values)}i").pack(*values)
            + dialect.text_out(self.characters)
        )


def inquire(handle: int, selectors: list[int], integer_count: int, character_length: int) -> Attributes:
    """Make an MQINQ with the lengths that its reply needs."""
    call = Attributes(MQINQ, selectors)
    call.handle = handle
    call.integer_count = integer_count
    call.character_length = character_length
    call.room = 4 * integer_count + character_length + 1
    return call


def inquire_reply(call: Attributes, integers: list[int], characters: bytes) -> Attributes:
    """Make the reply to MQINQ: integers, then characters, each in the order of their selectors."""
    reply = set_attributes(call.handle, call.selectors, integers, characters)
    reply.kind = MQINQ + REPLY
    reply.answers(call)
    return reply


def set_attributes(handle: int, selectors: list[int], integers: list[int], characters: bytes) -> Attributes:
    """Make an MQSET."""
    call = Attributes(MQSET, selectors)
    call.handle = handle
    call.integer_count = len(integers)
    call.character_length = len(characters)
    call.integers = integers
    call.characters = characters
    return call


def decode_attributes(kind: int, data: bytes, offset: int, end: int, dialect: Dialect) -> Attributes:
    """Read MQINQ, MQSET or the reply to MQINQ."""
    need(offset, 12, end, "the counts of selectors and values")
    selector_count, integer_count, character_length = _COUNTS[dialect.order].unpack_from(data, offset)
    if selector_count < 0 or selector_count > MAX_SELECTORS:
        raise ProtocolError(offset, f"0 to {MAX_SELECTORS} selectors", selector_count)
    if integer_count < 0 or integer_count > MAX_SELECTORS:
        raise ProtocolError(offset + 4, f"0 to {MAX_SELECTORS} integers", integer_count)
    if character_length < 0 or character_length > MAX_CHARACTERS:
        raise ProtocolError(offset + 8, f"0 to {MAX_CHARACTERS} characters", character_length)
    order = "<" if dialect.order else ">"
    offset += 12
    need(offset, 4 * selector_count, end, "the selectors")
    call = Attributes(kind, list(Struct(f"{order}{selector_count}i").unpack_from(data, offset)))
    call.integer_count = integer_count
    call.character_length = character_length
    offset += 4 * selector_count
    if kind != MQINQ and offset < end:
        need(offset, 4 * integer_count + character_length, end, "the values")
        call.integers = list(Struct(f"{order}{integer_count}i").unpack_from(data, offset))
        offset += 4 * integer_count
        call.characters = dialect.text_in(data[offset : offset + character_length])
        offset += character_length
        if offset < end <= offset + 3:  # IBM's Java client fills up to a multiple of 4
            offset = end
    _at_end(offset, end)
    return call


class Stat(Call):
    """MQSTAT, and with the same layout its reply."""

    def __init__(self, status_type: int, report: StatusReport, kind: int = MQSTAT) -> None:
        super().__init__(kind)
        self.status_type = status_type
        self.report = report

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the type asked for, then MQSTS."""
        return dialect.word(self.status_type) + self.report.encode(dialect)


def decode_stat(kind: int, data: bytes, offset: int, end: int, dialect: Dialect) -> Stat:
    """Read MQSTAT or its reply."""
    status_type = read_i4(data, offset, end, dialect, "the status type")
    return Stat(status_type, decode_status_report(data, offset + 4, end, dialect), kind)


def stat_reply(call: Stat, report: StatusReport) -> Stat:
    """Make the reply to MQSTAT."""
    reply = Stat(call.status_type, report, MQSTAT + REPLY)
    reply.answers(call)
    return reply


class Subscribe(Call):
    """MQSUB and its reply: the API header's handle is the queue's, the subscription's comes before the descriptor."""

    def __init__(self, descriptor: SubscriptionDescriptor, kind: int = MQSUB) -> None:
        super().__init__(kind)
        self.descriptor = descriptor
        self.subscription: int = NO_HANDLE
        self.reserved: int = 0

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the subscription's handle, a word of unknown meaning, MQSD with its strings."""
        return _TWO[dialect.order].pack(self.subscription, self.reserved) + self.descriptor.encode(dialect)


def decode_subscribe(kind: int, data: bytes, offset: int, end: int, dialect: Dialect) -> Subscribe:
    """Read MQSUB or its reply."""
    need(offset, 8, end, "the subscription handle")
    subscription, reserved = _TWO[dialect.order].unpack_from(data, offset)
    call = Subscribe(decode_subscription_descriptor(data, offset + 8, end, dialect), kind)
    call.subscription = subscription
    call.reserved = reserved
    _at_end(offset + 8 + call.descriptor.size, end)
    return call


def subscribe_reply(call: Subscribe, handle: int, subscription: int) -> Subscribe:
    """Make the reply to MQSUB with both handles."""
    reply = Subscribe(call.descriptor, MQSUB + REPLY)
    reply.answers(call)
    reply.handle = handle
    reply.subscription = subscription
    return reply


class SubscriptionRequest(Call):
    """MQSUBRQ and its reply: the API header's handle is the subscription's."""

    def __init__(self, action: int, options: SubscriptionRequestOptions, kind: int = MQSUBRQ) -> None:
        super().__init__(kind)
        self.action = action
        self.options = options

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the action, then MQSRO."""
        return dialect.word(self.action) + self.options.encode(dialect)


def decode_subscription_request(kind: int, data: bytes, offset: int, end: int, dialect: Dialect) -> SubscriptionRequest:
    """Read MQSUBRQ or its reply."""
    action = read_i4(data, offset, end, dialect, "the subscription request's action")
    options = decode_subscription_request_options(data, offset + 4, end, dialect)
    _at_end(offset + 20, end)
    return SubscriptionRequest(action, options, kind)


def subscription_request_reply(call: SubscriptionRequest, publications: int) -> SubscriptionRequest:
    """Make the reply to MQSUBRQ, with the number of retained publications sent."""
    options = SubscriptionRequestOptions()
    options.options = call.options.options
    options.publications = publications
    reply = SubscriptionRequest(call.action, options, MQSUBRQ + REPLY)
    reply.answers(call)
    return reply


def _at_end(offset: int, end: int) -> None:
    if offset != end:
        raise ProtocolError(offset, "the end of the call", f"{end - offset} more bytes", LENGTH_ERROR)
