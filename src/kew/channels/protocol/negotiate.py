"""INITIAL_DATA: the offers of both sides for a channel, and the rules of negotiation.

A client makes an offer; the server answers with the values that it grants, and marks each value that it has changed;
the client offers exactly the granted values; the server accepts. A server always refuses MULTIPLEX_SYNCGET, so there
are always these two rounds. The structure grew with the protocol level (FAP):

      0 "ID  "            4 u1 level        5 u1 capabilities 1    6 u1 refused 1     7 u1 errors 1
      8 u2 0             10 u2 batch       12 u4 longest segment  16 u4 longest message
     20 u4 wrap          24 c20 channel    44: level 4 on
     44 u1 capabilities 2  45 u1 refused 2   46 u2 CCSID          48 c48 queue manager
     96 u4 heartbeat    100 u2 EFL length 102: level 8 on
    102 u1 errors 2     103 u1 0          104 b2 header compression  106 b16 message compression
    122 u2 0            124 u4 key reset  128: level 9 on
    128 i4 conversations  132 u1 capabilities 3  133 u1 refused 3  134 u2 0, between Kews their word
    136 u4 process      140 u4 thread     144 u4 trace  148 c12 product  160 c48 queue manager id
    208: level 13 on     208 u2 x 10 password algorithms  228 b12 nonce
"""

from typing import Final

from kew.channels.protocol.dialect import BIG, Dialect, Ranges, need, padded, pair
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.events import Event
from kew.channels.protocol.segments import CONFIRM_REQUEST, ERROR, INITIAL_DATA, WHOLE
from kew.channels.protocol.status import FAP_LEVEL_ERROR, INITIAL_DATA_ERROR, NEGOTIATION_FAILED

FAP_LEVEL: Final = 17
MAX_SEGMENT: Final = 32748
MIN_SEGMENT: Final = 1024
MAX_MESSAGE: Final = 104857600
NO_ALGORITHM: Final = 0xFFFF
MANY_CONVERSATIONS: Final = 999999999
# How Kew knows Kew: the client offers the one in the place of its trace number, the server answers with the other. To
# anybody else they are numbers like any. Between the two RESERVE and CONSUMED may be said (delivery.py).
KEW_CLIENT: Final = 0x4B455743
KEW_SERVER: Final = 0x4B455753
KEW_CHANNEL: Final = 0x4B45574D  # both ends of a message channel say it, and then mean the word of offset 134:
WINDOW: Final = 0x0F  # batches that may be unconfirmed
CONFIRMS_FAST: Final = 0x10  # a batch without persistent messages needs no confirmation
LARGE_SEGMENTS: Final = 0x20  # segments of up to 1 MiB
LARGE_SEGMENT: Final = 1 << 20

MSG_SEQ: Final = 0x01
CONVERSION_CAPABLE: Final = 0x02
SPLIT_MESSAGES: Final = 0x04
REQUEST_INITIATION: Final = 0x08
REQUEST_SECURITY: Final = 0x10
MQREQUEST: Final = 0x20
SVRCONN_SECURITY: Final = 0x40
RUNTIME: Final = 0x80
CLIENT_CAPABILITIES: Final = MQREQUEST | SPLIT_MESSAGES | CONVERSION_CAPABLE
SENDER_CAPABILITIES: Final = MSG_SEQ | CONVERSION_CAPABLE | SPLIT_MESSAGES

DIST_LIST: Final = 0x01
FAST_MESSAGES: Final = 0x02
RESPONDER_CONVERSION: Final = 0x04
DUAL_UOW: Final = 0x08
XAREQUEST: Final = 0x10
XARUNTIME_APP: Final = 0x20
SPIREQUEST: Final = 0x40
TRACE_ROUTE: Final = 0x80

MSG_PROP: Final = 0x01
MULTICAST: Final = 0x02
MSG_PROP_INT_SEPARATE: Final = 0x04
MULTIPLEX_SYNCGET: Final = 0x08
PROT_ALGORITHMS: Final = 0x10
CONNECTION_TAG: Final = 0x20

CCSID_ERROR: Final = 0x01
ENCODING_ERROR: Final = 0x02
SEGMENT_SIZE_ERROR: Final = 0x04
LEVEL_ERROR: Final = 0x08
MESSAGE_SIZE_ERROR: Final = 0x10
BATCH_ERROR: Final = 0x20
WRAP_ERROR: Final = 0x40
HEARTBEAT_ERROR: Final = 0x80
HEADER_COMPRESSION_ERROR: Final = 0x01
MESSAGE_COMPRESSION_ERROR: Final = 0x02
KEY_RESET_ERROR: Final = 0x04

_SIZES: Final = (44, 102, 128, 208, 240)
_TEXT: Final[Ranges] = ((0, 4), (24, 44), (48, 96), (148, 208))
_BASE: Final = pair("4sBBBBHHIII20s")
_LEVEL4: Final = pair("BBH48sIH")
_LEVEL8: Final = pair("BB2s16sHI")
_LEVEL9: Final = pair("iBBHIII12s48s")
_LEVEL13: Final = pair("HHHHHHHHHH12s")


def initial_size(fap_level: int) -> int:
    """Give the length of the structure at a protocol level."""
    if fap_level >= 13:
        return 240
    if fap_level >= 9:
        return 208
    if fap_level >= 8:
        return 128
    return 102 if fap_level >= 4 else 44


def compression_list(methods: list[int], width: int) -> bytes:
    """Encode a list of compression methods for the structure."""
    return bytes(methods)[:width].ljust(width, b"\xff")


class InitialData(Event):
    """INITIAL_DATA: one side's offer or answer."""

    def __init__(self) -> None:
        super().__init__(INITIAL_DATA, CONFIRM_REQUEST | WHOLE)
        self.size: int = 240
        self.fap_level: int = FAP_LEVEL
        self.capabilities1: int = CLIENT_CAPABILITIES
        self.refused1: int = 0
        self.errors1: int = 0
        self.reserved1: int = 0
        self.batch_size: int = 0
        self.max_segment: int = MAX_SEGMENT
        self.max_message: int = MAX_MESSAGE
        self.sequence_wrap: int = 0
        self.channel_name: bytes = b" " * 20
        self.capabilities2: int = SPIREQUEST | XAREQUEST | DIST_LIST
        self.refused2: int = 0
        self.ccsid: int = 819
        self.queue_manager: bytes = b" " * 48
        self.heartbeat: int = 300
        self.efl_length: int = 138
        self.errors2: int = 0
        self.reserved2: int = 0
        self.header_compression: bytes = compression_list([0], 2)
        self.message_compression: bytes = compression_list([0], 16)
        self.reserved3: int = 0
        self.key_reset: int = 0
        self.conversations: int = 10
        self.capabilities3: int = CONNECTION_TAG | MULTIPLEX_SYNCGET
        self.refused3: int = 0
        self.reserved4: int = 0
        self.process_id: int = 0
        self.thread_id: int = 0
        self.trace_id: int = 0
        self.product: bytes = b" " * 12
        self.queue_manager_id: bytes = b" " * 48
        self.algorithms: list[int] = [0] + [NO_ALGORITHM] * 9
        self.nonce: bytes = bytes(12)

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the structure, in the length of `size`."""
        order = dialect.order
        out = _BASE[order].pack(
            b"ID  ",
            self.fap_level,
            self.capabilities1,
            self.refused1,
            self.errors1,
            self.reserved1,
            self.batch_size,
            self.max_segment,
            self.max_message,
            self.sequence_wrap,
            self.channel_name,
        )
        if self.size >= 102:
            out += _LEVEL4[order].pack(
                self.capabilities2,
                self.refused2,
                self.ccsid,
                self.queue_manager,
                self.heartbeat,
                self.efl_length,
            )
        if self.size >= 128:
            out += _LEVEL8[order].pack(
                self.errors2,
                self.reserved2,
                self.header_compression,
                self.message_compression,
                self.reserved3,
                self.key_reset,
            )
        if self.size >= 208:
            out += _LEVEL9[order].pack(
                self.conversations,
                self.capabilities3,
                self.refused3,
                self.reserved4,
                self.process_id,
                self.thread_id,
                self.trace_id,
                self.product,
                self.queue_manager_id,
            )
        if self.size >= 240:
            out += _LEVEL13[order].pack(*self.algorithms, self.nonce)
        return dialect.native(out, _TEXT)

    def copy(self) -> "InitialData":
        """Make a copy with the same values."""
        big = Dialect(BIG, 0, 819, False)
        data = self.encode(big)
        other = decode_initial_data(data, 0, len(data), big)
        other.flags = self.flags
        return other


def decode_initial_data(data: bytes, offset: int, end: int, dialect: Dialect) -> InitialData:
    """Read INITIAL_DATA of any level."""
    size = end - offset
    if size not in _SIZES:
        raise ProtocolError(offset, "44, 102, 128, 208 or 240 bytes of initial data", size, INITIAL_DATA_ERROR)
    need(offset, 44, end, "initial data")
    if dialect.ebcdic:
        data = dialect.latin(data, offset, size, _TEXT)
        offset = 0
    order = dialect.order
    initial = InitialData()
    initial.size = size
    (
        eye,
        initial.fap_level,
        initial.capabilities1,
        initial.refused1,
        initial.errors1,
        initial.reserved1,
        initial.batch_size,
        initial.max_segment,
        initial.max_message,
        initial.sequence_wrap,
        initial.channel_name,
    ) = _BASE[order].unpack_from(data, offset)
    if eye != b"ID  ":
        raise ProtocolError(offset, "structure b'ID  '", eye, INITIAL_DATA_ERROR)
    initial.conversations = 0
    initial.capabilities2 = 0
    initial.capabilities3 = 0
    initial.heartbeat = 0
    if size >= 102:
        (
            initial.capabilities2,
            initial.refused2,
            initial.ccsid,
            initial.queue_manager,
            initial.heartbeat,
            initial.efl_length,
        ) = _LEVEL4[order].unpack_from(data, offset + 44)
    if size >= 128:
        (
            initial.errors2,
            initial.reserved2,
            initial.header_compression,
            initial.message_compression,
            initial.reserved3,
            initial.key_reset,
        ) = _LEVEL8[order].unpack_from(data, offset + 102)
    if size >= 208:
        (
            initial.conversations,
            initial.capabilities3,
            initial.refused3,
            initial.reserved4,
            initial.process_id,
            initial.thread_id,
            initial.trace_id,
            initial.product,
            initial.queue_manager_id,
        ) = _LEVEL9[order].unpack_from(data, offset + 128)
    if size >= 240:
        words = _LEVEL13[order].unpack_from(data, offset + 208)
        initial.algorithms = list(words[:10])
        initial.nonce = words[10]
    return initial


class Terms:
    """The limits that a server grants on a channel, against a client's or a sender's offer."""

    def __init__(self, queue_manager: str, queue_manager_id: str) -> None:
        self.queue_manager = padded(queue_manager, 48)
        self.queue_manager_id = padded(queue_manager_id, 48)
        self.fap_level: int = FAP_LEVEL
        self.max_segment: int = MAX_SEGMENT
        self.max_message: int = 4194304
        self.heartbeat: int = 300
        self.conversations: int = 10
        self.capabilities1: int = CLIENT_CAPABILITIES | SENDER_CAPABILITIES
        self.capabilities2: int = SPIREQUEST | XAREQUEST | DIST_LIST
        self.capabilities3: int = CONNECTION_TAG
        self.refusable3: int = MULTIPLEX_SYNCGET | CONNECTION_TAG
        self.ccsid: int = 819
        self.batch_size: int = 50
        self.sequence_wrap: int = 999999999
        self.header_compression: list[int] = [0]
        self.message_compression: list[int] = [0]
        self.key_reset: int = 0
        self.process_id: int = 0
        self.thread_id: int = 0
        self.trace_id: int = 0
        self.kew_word: int = 0  # what a message channel grants to another Kew
        self.product: bytes = b"MQMM09040300"
        self.algorithms: list[int] = [0]
        self.nonce: bytes = bytes(12)


def agreed_heartbeat(one: int, other: int) -> int:
    """Give the agreed heartbeat interval: the larger, but none if either side wants none."""
    return 0 if one == 0 or other == 0 else max(one, other)


def common_word(one: int, other: int) -> int:
    """Give the capabilities that two Kews agree on: the smaller window, and the functions of both."""
    return max(min(one & WINDOW, other & WINDOW), 1) | (one & other & (CONFIRMS_FAST | LARGE_SEGMENTS))


def first_common(offered: bytes, granted: list[int]) -> int:
    """Give the first offered compression method that is also granted; 0 for none."""
    for method in offered:
        if method in granted:
            return method
    return 0


def answer(offer: InitialData, terms: Terms) -> InitialData:
    """Make the server's answer to an offer: the granted values, with a mark on each changed one."""
    if offer.fap_level < 1:
        raise ProtocolError(4, "a protocol level of 1 or more", offer.fap_level, FAP_LEVEL_ERROR)
    if offer.max_segment < MIN_SEGMENT:
        raise ProtocolError(12, f"segments of at least {MIN_SEGMENT} bytes", offer.max_segment, NEGOTIATION_FAILED)
    client = offer.capabilities1 & MQREQUEST != 0
    reply = InitialData()
    reply.fap_level = min(offer.fap_level, terms.fap_level)
    reply.size = initial_size(reply.fap_level)
    reply.capabilities1 = offer.capabilities1 & terms.capabilities1
    reply.refused1 = offer.capabilities1 & ~terms.capabilities1 & 0xFF
    reply.capabilities2 = offer.capabilities2 & terms.capabilities2
    reply.refused2 = offer.capabilities2 & ~terms.capabilities2 & 0xFF
    capabilities3 = terms.capabilities3 if reply.fap_level >= 14 else terms.capabilities3 & ~CONNECTION_TAG
    reply.capabilities3 = offer.capabilities3 & capabilities3
    reply.refused3 = offer.capabilities3 & ~capabilities3 & terms.refusable3
    reply.max_segment = min(offer.max_segment, terms.max_segment)
    reply.max_message = min(offer.max_message, terms.max_message)
    reply.heartbeat = agreed_heartbeat(offer.heartbeat, terms.heartbeat)
    reply.batch_size = 0 if client else min(offer.batch_size, terms.batch_size)
    reply.sequence_wrap = offer.sequence_wrap if client else terms.sequence_wrap
    reply.channel_name = offer.channel_name
    reply.ccsid = terms.ccsid
    reply.queue_manager = terms.queue_manager
    reply.queue_manager_id = terms.queue_manager_id
    reply.efl_length = 0
    reply.conversations = min(offer.conversations, terms.conversations) if client else 0
    reply.conversations = max(reply.conversations, 0)
    compresses = client or offer.trace_id == KEW_CHANNEL  # message channels between two Kews only
    header_method = first_common(offer.header_compression, terms.header_compression) if compresses else 0
    message_method = first_common(offer.message_compression, terms.message_compression) if compresses else 0
    reply.header_compression = compression_list([header_method], 2)
    reply.message_compression = compression_list([message_method], 16)
    reply.key_reset = min(offer.key_reset, terms.key_reset) if offer.key_reset and terms.key_reset else 0
    reply.process_id = terms.process_id
    reply.thread_id = terms.thread_id
    reply.trace_id = KEW_SERVER if offer.trace_id == KEW_CLIENT else terms.trace_id
    if not client and offer.trace_id == KEW_CHANNEL:
        reply.trace_id = KEW_CHANNEL
        reply.reserved4 = common_word(offer.reserved4, terms.kew_word)
    reply.product = terms.product
    reply.algorithms = (terms.algorithms + [NO_ALGORITHM] * 10)[:10]
    reply.nonce = terms.nonce
    reply.errors1 = _errors1(offer, reply)
    reply.errors2 = _errors2(offer, reply)
    changed = reply.errors1 | reply.errors2 | reply.refused1 | reply.refused2 | reply.refused3
    reply.flags = ERROR if changed else 0
    return reply


def _errors1(offer: InitialData, reply: InitialData) -> int:
    errors = 0
    if reply.max_segment != offer.max_segment:
        errors |= SEGMENT_SIZE_ERROR
    if reply.fap_level != offer.fap_level:
        errors |= LEVEL_ERROR
    if reply.max_message != offer.max_message:
        errors |= MESSAGE_SIZE_ERROR
    if reply.batch_size != offer.batch_size:
        errors |= BATCH_ERROR
    if reply.sequence_wrap != offer.sequence_wrap:
        errors |= WRAP_ERROR
    if reply.size >= 102 and reply.heartbeat != offer.heartbeat:
        errors |= HEARTBEAT_ERROR
    return errors


def _errors2(offer: InitialData, reply: InitialData) -> int:
    errors = 0
    if offer.size >= 128 and reply.size >= 128:
        if reply.header_compression[0] not in offer.header_compression:
            errors |= HEADER_COMPRESSION_ERROR
        if reply.message_compression[0] not in offer.message_compression:
            errors |= MESSAGE_COMPRESSION_ERROR
        if reply.key_reset != offer.key_reset:
            errors |= KEY_RESET_ERROR
    return errors


def second_offer(offer: InitialData, reply: InitialData) -> InitialData:
    """Make the client's second offer: negotiated values from the answer, the client's identity from its first."""
    second = reply.copy()
    second.flags = offer.flags
    second.refused1 = 0
    second.refused2 = 0
    second.refused3 = 0
    second.errors1 = 0
    second.errors2 = 0
    second.queue_manager = offer.queue_manager
    second.efl_length = offer.efl_length
    second.process_id = offer.process_id
    second.thread_id = offer.thread_id
    second.trace_id = offer.trace_id
    second.product = offer.product
    second.algorithms = offer.algorithms
    second.nonce = offer.nonce
    return second


def check_second(second: InitialData, reply: InitialData, start: int = 0) -> None:
    """Check that a second offer asks for no more than the answer to the first one granted."""
    if second.fap_level != reply.fap_level:
        raise ProtocolError(start + 4, f"protocol level {reply.fap_level}", second.fap_level, FAP_LEVEL_ERROR)
    for offset, what, asked, granted in (
        (12, "segment size", second.max_segment, reply.max_segment),
        (16, "message size", second.max_message, reply.max_message),
        (10, "batch size", second.batch_size, reply.batch_size),
        (128, "number of conversations", second.conversations, reply.conversations),
    ):
        if asked > granted:
            raise ProtocolError(start + offset, f"a {what} of at most {granted}", asked, NEGOTIATION_FAILED)
    if second.max_segment < MIN_SEGMENT or (second.conversations > 0) != (reply.conversations > 0):
        raise ProtocolError(start + 12, "the values of the answer", second.max_segment, NEGOTIATION_FAILED)


def acceptance(second: InitialData, reply: InitialData) -> InitialData:
    """Make the server's acceptance of a second offer: the answer again, with no value marked."""
    accepted = reply.copy()
    accepted.flags = 0
    accepted.refused1 = 0
    accepted.refused2 = 0
    accepted.refused3 = 0
    accepted.errors1 = 0
    accepted.errors2 = 0
    accepted.max_segment = second.max_segment
    accepted.max_message = second.max_message
    accepted.batch_size = second.batch_size
    accepted.heartbeat = second.heartbeat
    accepted.conversations = second.conversations
    return accepted
