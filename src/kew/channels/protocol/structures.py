"""MQ's structures on the wire: variable strings, the object descriptor, the status report.

Pointers are 4 zero bytes on the wire. A variable string (MQCHARV) is 20 bytes in its structure, and its text lies
behind the structure at an offset from the structure's start; everything behind the fixed part is kept as `extra`, as it
came. Text fields stay as they came too, padding included, so that a copied structure is copied exactly.
"""

from typing import Final

from kew.channels.protocol.dialect import Dialect, Ranges, eye_version, need, pair
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.status import LENGTH_ERROR

BLANK_48: Final = b" " * 48
MAX_RECORDS: Final = 4096
MAX_EXTRA: Final = 1 << 20

_OD_SIZES: Final[tuple[int, ...]] = (0, 168, 200, 336, 400)
_OD_TEXT: Final[Ranges] = ((0, 4), (12, 168), (240, 336))
_OD_V1: Final = pair("4sii48s48s48s12s")
_OD_V2: Final = pair("iiiiii8s")
_OD_V3: Final = pair("40s48s48s")
_OD_V4: Final = pair("iiiiiiiiiiiiiiii")
_STS_SIZES: Final[tuple[int, ...]] = (0, 224, 272)
_STS_TEXT: Final[Ranges] = ((0, 4), (32, 224))
_STS_V1: Final = pair("4siiiiiii48s48s48s48s")
_STS_V2: Final = pair("iiiiiiiiiiii")


class VariableString:
    """An MQCHARV: offset of its text behind the structure, length, and character set."""

    def __init__(self, offset: int = 0, buffer_size: int = 0, length: int = 0, ccsid: int = 1208) -> None:
        self.pointer: int = 0
        self.offset = offset
        self.buffer_size = buffer_size
        self.length = length
        self.ccsid = ccsid

    def fields(self) -> tuple[int, int, int, int, int]:
        """Give the five words of the structure."""
        return self.pointer, self.offset, self.buffer_size, self.length, self.ccsid


def variable(pointer: int, offset: int, buffer_size: int, length: int, ccsid: int) -> VariableString:
    """Make a variable string from its five words."""
    string = VariableString(offset, buffer_size, length, ccsid)
    string.pointer = pointer
    return string


def strings_end(strings: tuple[VariableString, ...], fixed: int, at: int) -> int:
    """Give the offset at which the last text ends, from the start of the structure; `fixed` if there is no text."""
    extent = fixed
    for string in strings:
        if string.length > 0:
            if string.offset < fixed or string.length > MAX_EXTRA or string.offset > MAX_EXTRA:
                raise ProtocolError(at, "a string behind its structure", (string.offset, string.length), LENGTH_ERROR)
            extent = max(extent, string.offset + string.length)
    return (extent + 3) & ~3 if extent > fixed else fixed


def string_text(string: VariableString, fixed: int, extra: bytes) -> bytes:
    """Give a string's text from `extra`, the bytes behind its structure, which is `fixed` bytes long."""
    start = string.offset - fixed
    if string.length <= 0 or start < 0 or start + string.length > len(extra):
        return b""
    return extra[start : start + string.length]


def lay_out(strings: tuple[VariableString, ...], texts: tuple[bytes, ...], fixed: int) -> bytes:
    """Place texts behind a structure, each on a multiple of 4, and set the offsets and lengths of their strings."""
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
        """The length of the structure without strings and records."""
        size: int = _OD_SIZES[self.version]
        return size

    @property
    def size(self) -> int:
        """The length of the structure with its strings and records."""
        return self.fixed + len(self.extra)

    def text_of(self, string: VariableString) -> bytes:
        """Give the text of one of the three variable strings."""
        return string_text(string, self.fixed, self.extra)

    def set_strings(self, object_string: bytes, selection_string: bytes, resolved: bytes = b"") -> None:
        """Set version 4 of the descriptor, and place the texts behind it."""
        self.version = 4
        self.extra = lay_out(
            (self.object_string, self.selection_string, self.resolved_object_string),
            (object_string, selection_string, resolved),
            400,
        )

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the structure in a peer's dialect."""
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
        if count > 0:
            if count > MAX_RECORDS:
                raise ProtocolError(at + 168, f"at most {MAX_RECORDS} object records", count)
            extent = records_end(extent, fixed, od.object_record_offset, count * 96, at + 184)
            extent = records_end(extent, fixed, od.response_record_offset, count * 8, at + 188)
    if version >= 3:
        od.alternate_security, od.resolved_queue, od.resolved_queue_manager = _OD_V3[order].unpack_from(
            source, offset + 200
        )
    if version >= 4:
        words = _OD_V4[order].unpack_from(source, offset + 336)
        od.object_string = variable(*words[0:5])
        od.selection_string = variable(*words[5:10])
        od.resolved_object_string = variable(*words[10:15])
        od.resolved_type = words[15]
        strings = (od.object_string, od.selection_string, od.resolved_object_string)
        extent = max(extent, strings_end(strings, fixed, at + 336))
    need(at, extent, end, "MQOD with its strings and records")
    od.extra = data[at + fixed : at + extent]
    return od


def records_end(extent: int, fixed: int, record_offset: int, length: int, at: int) -> int:
    """Give the offset at which the records behind a structure end, or `extent` if there are none."""
    if record_offset == 0:
        return extent
    if record_offset < fixed or record_offset > MAX_EXTRA:
        raise ProtocolError(at, "records behind their structure", record_offset)
    return max(extent, record_offset + length)


class StatusReport:
    """MQSTS: the outcome of asynchronous puts, or of a reconnection."""

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
        """Encode the structure in a peer's dialect."""
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
        report.object_string = variable(*words[0:5])
        report.subscription_name = variable(*words[5:10])
        report.open_options, report.subscription_options = words[10:12]
        extent = strings_end((report.object_string, report.subscription_name), fixed, at + 224)
        need(at, extent, end, "MQSTS with its strings")
    report.extra = data[at + fixed : at + extent]
    return report
