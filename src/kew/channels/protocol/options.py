"""MQPMO and MQGMO: how a message is put, and how it is got."""

from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import mypyc_attr

from kew.channels.protocol.dialect import Dialect, Ranges, eye_version, need, pair
from kew.channels.protocol.errors import ProtocolError
from kew.channels.protocol.structures import BLANK_48, MAX_RECORDS, records_end

_PMO_SIZES: Final[tuple[int, ...]] = (0, 128, 152, 176)
_PMO_TEXT: Final[Ranges] = ((0, 4), (32, 128))
_PMO: Final = b"PMO "
_NO_POINTERS: Final = bytes(8)
_GMO_SIZES: Final[tuple[int, ...]] = (0, 72, 80, 100, 112)
_GMO_TEXT: Final[Ranges] = ((0, 4), (24, 72))
_GMO_V1: Final = pair("4siiiii48s")
_GMO_V2: Final = pair("icccc")
_GMO_V3: Final = pair("16si")
_GMO_V4: Final = pair("i8s")


@mypyc_attr(free_list_len=1)
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
        self.pointers: bytes = _NO_POINTERS
        self.original_handle: bytes = _NO_POINTERS
        self.new_handle: bytes = _NO_POINTERS
        self.action: int = 0
        self.publish_level: int = 9
        self.extra: bytes = b""

    @property
    def fixed(self) -> int:
        """The length of the structure without its records."""
        return _PMO_SIZES[self.version]

    @property
    def size(self) -> int:
        """The length of the structure with its records."""
        return self.fixed + len(self.extra)

    def encode(self, dialect: Dialect) -> bytes:
        """Encode the structure in a peer's dialect."""
        out = BytesWriter()
        self.write(out, dialect)
        return out.getvalue()

    def write(self, out: BytesWriter, dialect: Dialect) -> None:
        """Write the structure, with its records."""
        out.write(dialect.text_out(_PMO))
        dialect.put_i4(out, self.version)
        dialect.put_i4(out, self.options)
        dialect.put_i4(out, self.timeout)
        dialect.put_i4(out, self.context)
        dialect.put_i4(out, self.known)
        dialect.put_i4(out, self.unknown)
        dialect.put_i4(out, self.invalid)
        out.write(dialect.text_out(self.resolved_queue))
        out.write(dialect.text_out(self.resolved_queue_manager))
        if self.version >= 2:
            dialect.put_i4(out, self.records_present)
            dialect.put_i4(out, self.record_fields)
            dialect.put_i4(out, self.record_offset)
            dialect.put_i4(out, self.response_offset)
            out.write(self.pointers)
        if self.version >= 3:
            out.write(self.original_handle)
            out.write(self.new_handle)
            dialect.put_i4(out, self.action)
            dialect.put_i4(out, self.publish_level)
        out.write(self.extra)


def decode_put_options(data: bytes, offset: int, end: int, dialect: Dialect) -> PutOptions:
    """Read an MQPMO of any version, with the put and response records behind it."""
    at = offset
    version = eye_version(data, offset, end, dialect, _PMO)
    if version < 1 or version > 3:
        raise ProtocolError(offset + 4, "an MQPMO version of 1 to 3", version)
    fixed = _PMO_SIZES[version]
    need(offset, fixed, end, "MQPMO")
    source = data
    if dialect.ebcdic:
        source = dialect.latin(data, offset, fixed, _PMO_TEXT)
        offset = 0
    pmo = PutOptions()
    pmo.version = version
    pmo.options = dialect.i4(source, offset + 8)
    pmo.timeout = dialect.i4(source, offset + 12)
    pmo.context = dialect.i4(source, offset + 16)
    pmo.known = dialect.i4(source, offset + 20)
    pmo.unknown = dialect.i4(source, offset + 24)
    pmo.invalid = dialect.i4(source, offset + 28)
    pmo.resolved_queue = source[offset + 32 : offset + 80]
    pmo.resolved_queue_manager = source[offset + 80 : offset + 128]
    if version >= 2:
        pmo.records_present = dialect.i4(source, offset + 128)
        pmo.record_fields = dialect.i4(source, offset + 132)
        pmo.record_offset = dialect.i4(source, offset + 136)
        pmo.response_offset = dialect.i4(source, offset + 140)
        pmo.pointers = source[offset + 144 : offset + 152]
        if pmo.records_present > 0:
            pmo.extra = _put_records(pmo, data, at, fixed, end)
    if version >= 3:
        pmo.original_handle = source[offset + 152 : offset + 160]
        pmo.new_handle = source[offset + 160 : offset + 168]
        pmo.action = dialect.i4(source, offset + 168)
        pmo.publish_level = dialect.i4(source, offset + 172)
    return pmo


def put_record_size(fields: int) -> int:
    """Give the length of one put message record that has the given fields (MQPMRF)."""
    size = 0
    for flag, width in ((1, 24), (2, 24), (4, 24), (8, 4), (16, 32)):
        if fields & flag:
            size += width
    return size


def _put_records(pmo: PutOptions, data: bytes, at: int, fixed: int, end: int) -> bytes:
    count = pmo.records_present
    if count > MAX_RECORDS:
        raise ProtocolError(at + 128, f"at most {MAX_RECORDS} put message records", count)
    extent = records_end(fixed, fixed, pmo.record_offset, count * put_record_size(pmo.record_fields), at + 136)
    extent = records_end(extent, fixed, pmo.response_offset, count * 8, at + 140)
    need(at, extent, end, "MQPMO with its records")
    return data[at + fixed : at + extent]


class GetOptions:
    """MQGMO: how a message is got."""

    def __init__(self) -> None:
        self.descriptor_version: int = 2  # of the MQMD that goes with it; no part of the structure
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
        """Encode the structure in a peer's dialect."""
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
