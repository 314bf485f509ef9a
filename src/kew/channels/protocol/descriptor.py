"""The message descriptor on the wire: its bounds, and the few fields that the transport changes.

In the protocol a descriptor stays the bytes that were received, so that the reply to a put is the request's descriptor
with some fields replaced, and a message that is got has the stored descriptor unchanged. formats/mqmd.py decodes
descriptors.
"""

from struct import Struct
from typing import Final

from kew.channels.protocol.dialect import LITTLE, Dialect, Ranges, eye_version, from_peer, need, pair, to_peer
from kew.channels.protocol.errors import ProtocolError
from kew.formats.charset import UTF_8

MD1_SIZE: Final = 324
MD2_SIZE: Final = 364

_TEXT: Final[Ranges] = ((0, 4), (32, 40), (100, 208), (240, 272), (276, 324))
# Fields that may have letters beyond those of all character sets: user, identity data, application's name, origin.
_WORDS: Final[Ranges] = ((196, 208), (240, 272), (276, 304), (320, 324))
_FIRST_WORD: Final = 196
_MD1: Final = pair("4siiiiiii8sii24s24si48s48s12s32s32si28s8s8s4s")
_MD2: Final = pair("24siiii")
_VERSION_2: Final = b"MD  \2\0\0\0"
_VERSION_1: Final = b"MD  \1\0\0\0"
_NO_GROUP: Final = Struct("<24siiii").pack(bytes(24), 1, 0, 0, -1)
_FILLED: Final = pair("12s32s32si28s8s8s4s")
_PRIORITY: Final = pair("ii")


def descriptor_size(data: bytes, offset: int, end: int, dialect: Dialect) -> int:
    """Give the length of the MQMD that starts here, by its version."""
    version = eye_version(data, offset, end, dialect, b"MD  ")
    if version == 2:
        size = MD2_SIZE
    elif version == 1:
        size = MD1_SIZE
    else:
        raise ProtocolError(offset + 4, "an MQMD version of 1 or 2", version)
    need(offset, size, end, "MQMD")
    return size


def to_canonical(descriptor: bytes, dialect: Dialect) -> bytes:
    """Give a peer's descriptor as version 2, little-endian, in the queue manager's character set."""
    came = descriptor
    if dialect.ebcdic:
        descriptor = dialect.latin(descriptor, 0, len(descriptor), _TEXT)
    if dialect.page != UTF_8 and not descriptor[_FIRST_WORD:MD1_SIZE].isascii():
        turned = bytearray(descriptor)
        for start, end in _WORDS:
            if not descriptor[start:end].isascii():
                turned[start:end] = from_peer(came[start:end], dialect)
        descriptor = bytes(turned)
    if dialect.byte_order != LITTLE:
        descriptor = _swapped(descriptor, 0, 1)
    if len(descriptor) == MD2_SIZE:
        return descriptor
    return _VERSION_2 + descriptor[8:] + _NO_GROUP


def from_canonical(descriptor: bytes, dialect: Dialect, version: int = 2) -> bytes:
    """Give the queue manager's version 2, little-endian descriptor in a peer's form; no copy if that is equal."""
    stored = descriptor
    if version == 1:
        descriptor = _VERSION_1 + descriptor[8:MD1_SIZE]
    if dialect.byte_order != LITTLE:
        descriptor = _swapped(descriptor, 1, 0)
    descriptor = dialect.native(descriptor, _TEXT)
    if dialect.page == UTF_8 or stored[_FIRST_WORD:MD1_SIZE].isascii():
        return descriptor
    turned = bytearray(descriptor)
    for start, end in _WORDS:
        if not stored[start:end].isascii():
            turned[start:end] = to_peer(stored[start:end], dialect)
    return bytes(turned)


def _swapped(descriptor: bytes, source: int, target: int) -> bytes:
    out = _MD1[target].pack(*_MD1[source].unpack_from(descriptor, 0))
    if len(descriptor) == MD2_SIZE:
        out += _MD2[target].pack(*_MD2[source].unpack_from(descriptor, MD1_SIZE))
    return out


class Origin:
    """The origin of a message as a queue manager writes it into the descriptor: user, application, date and time."""

    def __init__(self) -> None:
        self.user: bytes = b" " * 12
        self.accounting_token: bytes = bytes(32)
        self.identity_data: bytes = b" " * 32
        self.application_type: int = 0
        self.application_name: bytes = b" " * 28
        self.date: bytes = b" " * 8
        self.time: bytes = b" " * 8
        self.origin_data: bytes = b" " * 4


def completed(
    descriptor: bytes,
    dialect: Dialect,
    message_id: bytes,
    correlation_id: bytes,
    priority: int,
    persistence: int,
    origin: Origin,
) -> bytes:
    """Give a put's descriptor with the fields that the queue manager fills in, and the peer's others."""
    out = bytearray(descriptor)
    order = dialect.order
    _PRIORITY[order].pack_into(out, 40, priority, persistence)
    out[48:72] = message_id
    out[72:96] = correlation_id
    _FILLED[order].pack_into(
        out,
        196,
        dialect.text_out(origin.user),
        origin.accounting_token,
        dialect.text_out(origin.identity_data),
        origin.application_type,
        dialect.text_out(origin.application_name),
        dialect.text_out(origin.date),
        dialect.text_out(origin.time),
        dialect.text_out(origin.origin_data),
    )
    return bytes(out)
