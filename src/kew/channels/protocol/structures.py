"""MQ's own structures as they travel: object descriptor, put and get options, subscription, status.

Pointers are 4 zero bytes on the wire. A variable string (MQCHARV) is 20 bytes in its structure, and its text lies
behind the structure at an offset from the structure's start; everything behind the fixed part is kept as `extra`, as it
came. Text fields stay as they came too, padding included, so that a copied structure is copied exactly.
"""

from typing import Final

from kew.channels.protocol.dialect import Dialect, eye_version, need, pair
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.status import LENGTH_ERROR

BLANK_48: Final = b" " * 48
MAX_RECORDS: Final = 4096
MAX_EXTRA: Final = 1 << 20

_OD_SIZES: Final = (0, 168, 200, 336, 400)
_OD_TEXT: Final = ((0, 4), (12, 168), (240, 336))
_OD_V1: Final = pair("4sii48s48s48s12s")
_OD_V2: Final = pair("iiiiii8s")
_OD_V3: Final = pair("40s48s48s")
_OD_V4: Final = pair("iiiiiiiiiiiiiiii")
_PMO_SIZES: Final = (0, 128, 152, 176)
_PMO_TEXT: Final = ((0, 4), (32, 128))
_PMO_V1: Final = pair("4siiiiiii48s48s")
_PMO_V2: Final = pair("iiii8s")
_PMO_V3: Final = pair("8s8sii")
_GMO_SIZES: Final = (0, 72, 80, 100, 112)
_GMO_TEXT: Final = ((0, 4), (24, 72))
_GMO_V1: Final = pair("4siiiii48s")
_GMO_V2: Final = pair("icccc")
_GMO_V3: Final = pair("16si")
_GMO_V4: Final = pair("i8s")
_SD_SIZE: Final = 312
_SD_TEXT: Final = ((0, 4), (12, 72), (236, 268))
_SD: Final = pair("4sii48s12s40siiiiiiiiiiiiiiii24si32s32siiiiiiiiiii")
_STS_SIZES: Final = (0, 224, 272)
_STS_TEXT: Final = ((0, 4), (32, 224))
_STS_V1: Final = pair("4siiiiiii48s48s48s48s")
_STS_V2: Final = pair("iiiiiiiiiiii")
_SRO: Final = pair("4siii")
_SRO_TEXT: Final = ((0, 4),)


class VariableString:
    """An MQCHARV: where its text lies behind the structure, how long it is, and its character set."""

    def __init__(self, offset: int = 0, buffer_size: int = 0, length: int = 0, ccsid: int = 1208) -> None:
        self.pointer: int = 0
        self.offset = offset
        self.buffer_size = buffer_size
        self.length = length
        self.ccsid = ccsid

    def fields(self) -> tuple[int, int, int, int, int]:
        """The five words of the structure."""
        return self.pointer, self.offset, self.buffer_size, self.length, self.ccsid


def _variable(pointer: int, offset: int, buffer_size: int, length: int, ccsid: int) -> VariableString:
    string = VariableString(offset, buffer_size, length, ccsid)
    string.pointer = pointer
    return string


def _strings_end(strings: tuple[VariableString, ...], fixed: int, at: int) -> int:
    """Where the last text ends, from the start of the structure; fixed when there is none."""
    extent = fixed
    for string in strings:
        if string.length > 0:
            if string.offset < fixed or string.length > MAX_EXTRA or string.offset > MAX_EXTRA:
                raise ProtocolError(at, "a string behind its structure", (string.offset, string.length), LENGTH_ERROR)
            extent = max(extent, string.offset + string.length)
    return (extent + 3) & ~3 if extent > fixed else fixed


def _string_text(string: VariableString, fixed: int, extra: bytes) -> bytes:
    start = string.offset - fixed
    if string.length <= 0 or start < 0 or start + string.length > len(extra):
        return b""
    return extra[start : start + string.length]


def _lay_out(strings: tuple[VariableString, ...], texts: tuple[bytes, ...], fixed: int) -> bytes:
    """Place texts behind a structure, each on a multiple of 4, and point their strings at them."""
    extra = bytearray()
    for string, text in zip(strings, texts, strict=True):
        string.offset = fixed + len(extra) if text else 0
        string.length = len(text)
        extra += text
        extra += bytes(-len(extra) & 3)
    return bytes(extra)


class ObjectDescriptor:
    """MQOD: the object that MQOPEN or MQPUT1 names."""

    def __init__(self) -> None:
        self.version: int = 1
        self.object_type: int = 1
        self.object_name: bytes = BLANK_48
        self.queue_manager: bytes = BLANK_48
        self.dynamic_name: bytes = b"AMQ.*".ljust(48)
        self.alternate_user: bytes = b" " * 12
        self.records_present: int = 0
        self.known: int = 0
        self.unknown: int = 0
        self.invalid: int = 0
        self.object_record_offset: int = 0
        self.response_record_offset: int = 0
        self.pointers: bytes = bytes(8)
        self.alternate_security: bytes = bytes(40)
        self.resolved_queue: bytes = BLANK_48
        self.resolved_queue_manager: bytes = BLANK_48
        self.object_string = VariableString()
        self.selection_string = VariableString()
        self.resolved_object_string = VariableString()
        self.resolved_type: int = 0
        self.extra: bytes = b""

    @property
    def fixed(self) -> int:
        """The length of the structure without what lies behind it."""
        size: int = _OD_SIZES[self.version]
        return size

    @property
    def size(self) -> int:
        """The length of the structure with its strings and records."""
        return self.fixed + len(self.extra)

    def text_of(self, string: VariableString) -> bytes:
        """The text of one of the three variable strings."""
        return _string_text(string, self.fixed, self.extra)

    def set_strings(self, object_string: bytes, selection_string: bytes, resolved: bytes = b"") -> None:
        """Give the descriptor version 4 and place the texts behind it."""
        self.version = 4
        self.extra = _lay_out(
            (self.object_string, self.selection_string, self.resolved_object_string),
            (object_string, selection_string, resolved),
            400,
        )

    def encode(self, dialect: Dialect) -> bytes:
        """The structure in a peer's dialect."""
        order = dialect.order
        out = _OD_V1[order].pack(
            b"OD  ",
            self.version,
            self.object_type,
            self.object_name,
            self.queue_manager,
            self.dynamic_name,
            self.alternate_user,
        )
        if self.version >= 2:
            out += _OD_V2[order].pack(
                self.records_present,
                self.known,
                self.unknown,
                self.invalid,
                self.object_record_offset,
                self.response_record_offset,
                self.pointers,
            )
        if self.version >= 3:
            out += _OD_V3[order].pack(self.alternate_security, self.resolved_queue, self.resolved_queue_manager)
        if self.version >= 4:
            out += _OD_V4[order].pack(
                *self.object_string.fields(),
                *self.selection_string.fields(),
                *self.resolved_object_string.fields(),
                self.resolved_type,
            )
        return dialect.native(out, _OD_TEXT) + self.extra


def decode_object_descriptor(data: bytes, offset: int, end: int, dialect: Dialect) -> ObjectDescriptor:
    """Read an MQOD of any version, with the strings and records behind it."""
    at = offset
    version = eye_version(data, offset, end, dialect, b"OD  ")
    if version < 1 or version > 4:
        raise ProtocolError(offset + 4, "an MQOD version of 1 to 4", version)
    fixed: int = _OD_SIZES[version]
    need(offset, fixed, end, "MQOD")
    source = data
    if dialect.ebcdic:
        source = dialect.latin(data, offset, fixed, _OD_TEXT)
        offset = 0
    order = dialect.order
    od = ObjectDescriptor()
    _, od.version, od.object_type, od.object_name, od.queue_manager, od.dynamic_name, od.alternate_user = _OD_V1[
        order
    ].unpack_from(source, offset)
    extent = fixed
    if version >= 2:
        (
            od.records_present,
            od.known,
            od.unknown,
            od.invalid,
            od.object_record_offset,
            od.response_record_offset,
            od.pointers,
        ) = _OD_V2[order].unpack_from(source, offset + 168)
        count = od.records_present
        if count != 0:
            if count < 0 or count > MAX_RECORDS:
                raise ProtocolError(at + 168, f"0 to {MAX_RECORDS} object records", count)
            extent = _records_end(extent, fixed, od.object_record_offset, count * 96, at + 184)
            extent = _records_end(extent, fixed, od.response_record_offset, count * 8, at + 188)
    if version >= 3:
        od.alternate_security, od.resolved_queue, od.resolved_queue_manager = _OD_V3[order].unpack_from(
            source, offset + 200
        )
    if version >= 4:
        words = _OD_V4[order].unpack_from(source, offset + 336)
        od.object_string = _variable(*words[0:5])
        od.selection_string = _variable(*words[5:10])
        od.resolved_object_string = _variable(*words[10:15])
        od.resolved_type = words[15]
        strings = (od.object_string, od.selection_string, od.resolved_object_string)
        extent = max(extent, _strings_end(strings, fixed, at + 336))
    need(at, extent, end, "MQOD with its strings and records")
    od.extra = data[at + fixed : at + extent]
    return od


def _records_end(extent: int, fixed: int, record_offset: int, length: int, at: int) -> int:
    if record_offset == 0:
        return extent
    if record_offset < fixed or record_offset > MAX_EXTRA:
        raise ProtocolError(at, "records behind their structure", record_offset)
    return max(extent, record_offset + length)


class PutOptions:
    """MQPMO: how a message is put."""

    def __init__(self) -> None:
        self.version: int = 2
        self.options: int = 0
        self.timeout: int = -1
        self.context: int = 0
        self.known: int = 0
        self.unknown: int = 0
        self.invalid: int = 0
        self.resolved_queue: bytes = BLANK_48
        self.resolved_queue_manager: bytes = BLANK_48
        self.records_present: int = 0
        self.record_fields: int = 0
        self.record_offset: int = 0
        self.response_offset: int = 0
        self.pointers: bytes = bytes(8)
        self.original_handle: bytes = bytes(8)
        self.new_handle: bytes = bytes(8)
        self.action: int = 0
        self.publish_level: int = 9
        self.extra: bytes = b""

    @property
    def size(self) -> int:
        """The length of the structure with its records."""
        fixed: int = _PMO_SIZES[self.version]
        return fixed + len(self.extra)

    def encode(self, dialect: Dialect) -> bytes:
        """The structure in a peer's dialect."""
        order = dialect.order
        out = _PMO_V1[order].pack(
            b"PMO ",
            self.version,
            self.options,
            self.timeout,
            self.context,
            self.known,
            self.unknown,
            self.invalid,
            self.resolved_queue,
            self.resolved_queue_manager,
        )
        if self.version >= 2:
            out += _PMO_V2[order].pack(
                self.records_present, self.record_fields, self.record_offset, self.response_offset, self.pointers
            )
        if self.version >= 3:
            out += _PMO_V3[order].pack(self.original_handle, self.new_handle, self.action, self.publish_level)
        if dialect.ebcdic:
            out = dialect.native(out, _PMO_TEXT)
        return out + self.extra if self.extra else out


def decode_put_options(data: bytes, offset: int, end: int, dialect: Dialect) -> PutOptions:
    """Read an MQPMO of any version, with the put and response records behind it."""
    at = offset
    version = eye_version(data, offset, end, dialect, b"PMO ")
    if version < 1 or version > 3:
        raise ProtocolError(offset + 4, "an MQPMO version of 1 to 3", version)
    fixed: int = _PMO_SIZES[version]
    need(offset, fixed, end, "MQPMO")
    source = data
    if dialect.ebcdic:
        source = dialect.latin(data, offset, fixed, _PMO_TEXT)
        offset = 0
    order = dialect.order
    pmo = PutOptions()
    (
        _,
        pmo.version,
        pmo.options,
        pmo.timeout,
        pmo.context,
        pmo.known,
        pmo.unknown,
        pmo.invalid,
        pmo.resolved_queue,
        pmo.resolved_queue_manager,
    ) = _PMO_V1[order].unpack_from(source, offset)
    if version >= 2:
        pmo.records_present, pmo.record_fields, pmo.record_offset, pmo.response_offset, pmo.pointers = _PMO_V2[
            order
        ].unpack_from(source, offset + 128)
        if pmo.records_present != 0:
            pmo.extra = _put_records(pmo, data, at, fixed, end)
    if version >= 3:
        pmo.original_handle, pmo.new_handle, pmo.action, pmo.publish_level = _PMO_V3[order].unpack_from(
            source, offset + 152
        )
    return pmo


def put_record_size(fields: int) -> int:
    """The length of one put message record that carries the given fields (MQPMRF)."""
    size = 0
    for flag, width in ((1, 24), (2, 24), (4, 24), (8, 4), (16, 32)):
        if fields & flag:
            size += width
    return size


def _put_records(pmo: PutOptions, data: bytes, at: int, fixed: int, end: int) -> bytes:
    count = pmo.records_present
    if count < 0 or count > MAX_RECORDS:
        raise ProtocolError(at + 128, f"0 to {MAX_RECORDS} put message records", count)
    extent = _records_end(fixed, fixed, pmo.record_offset, count * put_record_size(pmo.record_fields), at + 136)
    extent = _records_end(extent, fixed, pmo.response_offset, count * 8, at + 140)
    need(at, extent, end, "MQPMO with its records")
    return data[at + fixed : at + extent]


class GetOptions:
    """MQGMO: how a message is got."""

    def __init__(self) -> None:
        self.version: int = 2
        self.options: int = 0
        self.wait_interval: int = 0
        self.signal1: int = 0
        self.signal2: int = 0
        self.resolved_queue: bytes = BLANK_48
        self.match_options: int = 3
        self.group_status: bytes = b" "
        self.segment_status: bytes = b" "
        self.segmentation: bytes = b" "
        self.reserved1: bytes = b" "
        self.message_token: bytes = bytes(16)
        self.returned_length: int = -1
        self.reserved2: int = 0
        self.message_handle: bytes = bytes(8)

    @property
    def size(self) -> int:
        """The length of the structure."""
        fixed: int = _GMO_SIZES[self.version]
        return fixed

    def encode(self, dialect: Dialect) -> bytes:
        """The structure in a peer's dialect."""
        order = dialect.order
        out = _GMO_V1[order].pack(
            b"GMO ",
            self.version,
            self.options,
            self.wait_interval,
            self.signal1,
            self.signal2,
            self.resolved_queue,
        )
        if self.version >= 2:
            out += _GMO_V2[order].pack(
                self.match_options, self.group_status, self.segment_status, self.segmentation, self.reserved1
            )
        if self.version >= 3:
            out += _GMO_V3[order].pack(self.message_token, self.returned_length)
        if self.version >= 4:
            out += _GMO_V4[order].pack(self.reserved2, self.message_handle)
        return dialect.native(out, _GMO_TEXT)


def decode_get_options(data: bytes, offset: int, end: int, dialect: Dialect) -> GetOptions:
    """Read an MQGMO of any version."""
    version = eye_version(data, offset, end, dialect, b"GMO ")
    if version < 1 or version > 4:
        raise ProtocolError(offset + 4, "an MQGMO version of 1 to 4", version)
    fixed: int = _GMO_SIZES[version]
    need(offset, fixed, end, "MQGMO")
    if dialect.ebcdic:
        data = dialect.latin(data, offset, fixed, _GMO_TEXT)
        offset = 0
    order = dialect.order
    gmo = GetOptions()
    _, gmo.version, gmo.options, gmo.wait_interval, gmo.signal1, gmo.signal2, gmo.resolved_queue = _GMO_V1[
        order
    ].unpack_from(data, offset)
    if version >= 2:
        gmo.match_options, gmo.group_status, gmo.segment_status, gmo.segmentation, gmo.reserved1 = _GMO_V2[
            order
        ].unpack_from(data, offset + 72)
    if version >= 3:
        gmo.message_token, gmo.returned_length = _GMO_V3[order].unpack_from(data, offset + 80)
    if version >= 4:
        gmo.reserved2, gmo.message_handle = _GMO_V4[order].unpack_from(data, offset + 100)
    return gmo


class SubscriptionDescriptor:
    """MQSD: what a subscription is to receive."""

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
        """The text of one of the variable strings."""
        return _string_text(string, _SD_SIZE, self.extra)

    def set_strings(
        self, object_string: bytes, name: bytes, user_data: bytes, selection: bytes, resolved: bytes = b""
    ) -> None:
        """Place the texts behind the structure."""
        self.extra = _lay_out(self.strings, (object_string, name, user_data, selection, resolved), _SD_SIZE)

    def encode(self, dialect: Dialect) -> bytes:
        """The structure in a peer's dialect."""
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
    sd.object_string = _variable(*words[7:12])
    sd.name = _variable(*words[12:17])
    sd.user_data = _variable(*words[17:22])
    sd.correlation_id, sd.publish_priority, sd.publish_accounting_token, sd.publish_identity_data = words[22:26]
    sd.selection_string = _variable(*words[26:31])
    sd.level = words[31]
    sd.resolved_object_string = _variable(*words[32:37])
    extent = _strings_end(sd.strings, _SD_SIZE, at + 116)
    need(at, extent, end, "MQSD with its strings")
    sd.extra = data[at + _SD_SIZE : at + extent]
    return sd


class StatusReport:
    """MQSTS: what became of asynchronous puts, or of a reconnection."""

    def __init__(self) -> None:
        self.version: int = 1
        self.completion: int = 0
        self.reason: int = 0
        self.put_successes: int = 0
        self.put_warnings: int = 0
        self.put_failures: int = 0
        self.object_type: int = 1
        self.object_name: bytes = BLANK_48
        self.queue_manager: bytes = BLANK_48
        self.resolved_object: bytes = BLANK_48
        self.resolved_queue_manager: bytes = BLANK_48
        self.object_string = VariableString()
        self.subscription_name = VariableString()
        self.open_options: int = 0
        self.subscription_options: int = 0
        self.extra: bytes = b""

    def encode(self, dialect: Dialect) -> bytes:
        """The structure in a peer's dialect."""
        out = _STS_V1[dialect.order].pack(
            b"STAT",
            self.version,
            self.completion,
            self.reason,
            self.put_successes,
            self.put_warnings,
            self.put_failures,
            self.object_type,
            self.object_name,
            self.queue_manager,
            self.resolved_object,
            self.resolved_queue_manager,
        )
        if self.version >= 2:
            out += _STS_V2[dialect.order].pack(
                *self.object_string.fields(),
                *self.subscription_name.fields(),
                self.open_options,
                self.subscription_options,
            )
        return dialect.native(out, _STS_TEXT) + self.extra


def decode_status_report(data: bytes, offset: int, end: int, dialect: Dialect) -> StatusReport:
    """Read an MQSTS of either version."""
    at = offset
    version = eye_version(data, offset, end, dialect, b"STAT")
    if version < 1 or version > 2:
        raise ProtocolError(offset + 4, "an MQSTS version of 1 or 2", version)
    fixed: int = _STS_SIZES[version]
    need(offset, fixed, end, "MQSTS")
    source = data
    if dialect.ebcdic:
        source = dialect.latin(data, offset, fixed, _STS_TEXT)
        offset = 0
    report = StatusReport()
    (
        _,
        report.version,
        report.completion,
        report.reason,
        report.put_successes,
        report.put_warnings,
        report.put_failures,
        report.object_type,
        report.object_name,
        report.queue_manager,
        report.resolved_object,
        report.resolved_queue_manager,
    ) = _STS_V1[dialect.order].unpack_from(source, offset)
    extent = fixed
    if version >= 2:
        words = _STS_V2[dialect.order].unpack_from(source, offset + 224)
        report.object_string = _variable(*words[0:5])
        report.subscription_name = _variable(*words[5:10])
        report.open_options, report.subscription_options = words[10:12]
        extent = _strings_end((report.object_string, report.subscription_name), fixed, at + 224)
        need(at, extent, end, "MQSTS with its strings")
    report.extra = data[at + fixed : at + extent]
    return report


class SubscriptionRequestOptions:
    """MQSRO: the options and the answer of MQSUBRQ."""

    def __init__(self) -> None:
        self.version: int = 1
        self.options: int = 0
        self.publications: int = 0

    def encode(self, dialect: Dialect) -> bytes:
        """The structure in a peer's dialect."""
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
