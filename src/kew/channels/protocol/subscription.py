"""MQSD and MQSRO: a subscription, and a request for its retained publications."""

from typing import Final

from kew.channels.protocol.dialect import Dialect, Ranges, eye_version, need, pair
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.structures import BLANK_48, VariableString, lay_out, string_text, strings_end, variable

_SD_SIZE: Final = 312
_SD_TEXT: Final[Ranges] = ((0, 4), (12, 72), (236, 268))
_SD: Final = pair("4sii48s12s40siiiiiiiiiiiiiiii24si32s32siiiiiiiiiii")
_SRO: Final = pair("4siii")
_SRO_TEXT: Final[Ranges] = ((0, 4),)


class SubscriptionDescriptor:
    """MQSD: the topic, options and strings of a subscription."""

    def __init__(self) -> None:
        self.version: int = 1
        self.options: int = 0
        self.object_name: bytes = BLANK_48
        self.alternate_user: bytes = b" " * 12
        self.alternate_security: bytes = bytes(40)
        self.expiry: int = -1
        self.object_string = VariableString()
        self.name = VariableString()
        self.user_data = VariableString()
        self.correlation_id: bytes = bytes(24)
        self.publish_priority: int = -3
        self.publish_accounting_token: bytes = bytes(32)
        self.publish_identity_data: bytes = b" " * 32
        self.selection_string = VariableString()
        self.level: int = 1
        self.resolved_object_string = VariableString()
        self.extra: bytes = b""

    @property
    def strings(self) -> tuple[VariableString, ...]:
        """The five variable strings, in the order of their texts."""
        return self.object_string, self.name, self.user_data, self.selection_string, self.resolved_object_string

    @property
    def size(self) -> int:
        """The length of the structure with its strings."""
        return _SD_SIZE + len(self.extra)

    def text_of(self, string: VariableString) -> bytes:
        """Give the text of one of the variable strings."""
        return string_text(string, _SD_SIZE, self.extra)

    def set_strings(
        self, object_string: bytes, name: bytes, user_data: bytes, selection: bytes, resolved: bytes = b""
    ) -> None:
        """Place the texts behind the structure."""
        self.extra = lay_out(self.strings, (object_string, name, user_data, selection, resolved), _SD_SIZE)

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the structure in a peer's dialect."""
        out = _SD[dialect.order].pack(
            b"SD  ",
            self.version,
            self.options,
            self.object_name,
            self.alternate_user,
            self.alternate_security,
            self.expiry,
            *self.object_string.fields(),
            *self.name.fields(),
            *self.user_data.fields(),
            self.correlation_id,
            self.publish_priority,
            self.publish_accounting_token,
            self.publish_identity_data,
            *self.selection_string.fields(),
            self.level,
            *self.resolved_object_string.fields(),
        )
        return dialect.native(out, _SD_TEXT) + self.extra


def decode_subscription_descriptor(data: bytes, offset: int, end: int, dialect: Dialect) -> SubscriptionDescriptor:
    """Read an MQSD with the strings behind it."""
    at = offset
    version = eye_version(data, offset, end, dialect, b"SD  ")
    if version != 1:
        raise ProtocolError(offset + 4, "MQSD version 1", version)
    need(offset, _SD_SIZE, end, "MQSD")
    source = data
    if dialect.ebcdic:
        source = dialect.latin(data, offset, _SD_SIZE, _SD_TEXT)
        offset = 0
    words = _SD[dialect.order].unpack_from(source, offset)
    sd = SubscriptionDescriptor()
    sd.options, sd.object_name, sd.alternate_user, sd.alternate_security, sd.expiry = words[2:7]
    sd.object_string = variable(*words[7:12])
    sd.name = variable(*words[12:17])
    sd.user_data = variable(*words[17:22])
    sd.correlation_id, sd.publish_priority, sd.publish_accounting_token, sd.publish_identity_data = words[22:26]
    sd.selection_string = variable(*words[26:31])
    sd.level = words[31]
    sd.resolved_object_string = variable(*words[32:37])
    extent = strings_end(sd.strings, _SD_SIZE, at + 116)
    need(at, extent, end, "MQSD with its strings")
    sd.extra = data[at + _SD_SIZE : at + extent]
    return sd


class SubscriptionRequestOptions:
    """MQSRO: the options and the answer of MQSUBRQ."""

    def __init__(self) -> None:
        self.version: int = 1
        self.options: int = 0
        self.publications: int = 0

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the structure in a peer's dialect."""
        return dialect.native(
            _SRO[dialect.order].pack(b"SRO ", self.version, self.options, self.publications), _SRO_TEXT
        )


def decode_subscription_request_options(
    data: bytes, offset: int, end: int, dialect: Dialect
) -> SubscriptionRequestOptions:
    """Read an MQSRO."""
    version = eye_version(data, offset, end, dialect, b"SRO ")
    if version != 1:
        raise ProtocolError(offset + 4, "MQSRO version 1", version)
    need(offset, 16, end, "MQSRO")
    sro = SubscriptionRequestOptions()
    _, sro.version, sro.options, sro.publications = _SRO[dialect.order].unpack_from(data, offset)
    return sro
