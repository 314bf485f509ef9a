"""The headers of a protected message.

Before the protected part, unencrypted, all numbers big-endian:

    offset 0 'KAMS'   4 u16 version 1   6 u8 quality: 1 integrity, 2 privacy, 3 confidentiality   7 u8 0
           8 u32 length of the data before they were protected   12 u32 length of the CMS structure, which follows at 16

The message's descriptor has the format KEWAMS and an encoding of big-endian numbers; its character set stays. Where the
message begins with MQRFH2 headers (message properties), these stay unencrypted before the header, and the last one has
the format KEWAMS: selection by properties still works, as in MQ.

Within the protected part, before the data, signed or encrypted with them:

    offset 0 'KAMC'   4 u16 version 1   6 u8 quality   7 u8 1 if there is a digest, else 0
           8 i32 encoding   12 i32 character set   16 format, 8 characters: of the data
          24 u32 length of the data   28 SHA-256 of the recipients' part of the CMS structure, or
           without recipients, of its certificates' part: each with tag and length; zeros where there is no digest

The fields in both must be equal, so that no byte before the protected part can be changed unnoticed. A writer that
cannot know the digest beforehand, such as `openssl cms`, leaves the digest out, with 0 at offset 7.
"""

from struct import Struct
from typing import Final

from kew.formats import mqrfh2
from kew.formats.binary import FormatError
from kew.protection.errors import HEADER, SIZE, Unprotectable
from kew.protection.policy import QUALITIES

FORMAT: Final = b"KEWAMS  "
RFH2_FORMAT: Final = b"MQHRF2  "
VERSION: Final = 1
OUTER_SIZE: Final = 16
INNER_SIZE: Final = 60
ENCODING: Final = 273  # big-endian integers and decimals, IEEE
BOUND: Final = 1
NOT_BOUND: Final = bytes(32)
MOST_HEADERS: Final = 16  # MQRFH2 before the protected part
LONGEST: Final = 104_857_600  # bytes of a message

_OUTER: Final = Struct(">4sHBBII")
_INNER: Final = Struct(">4sHBBii8sI32s")


class Outer:
    """The header before the protected part, and its offset in the message."""

    def __init__(self, offset: int, quality: int, length: int, size: int) -> None:
        self.offset = offset
        self.quality = quality
        self.length = length  # of the data before they were protected
        self.size = size  # of the CMS structure


class Inner:
    """The header within the protected part."""

    def __init__(self, quality: int, encoding: int, ccsid: int, text: bytes, length: int, digest: bytes) -> None:
        self.quality = quality
        self.encoding = encoding
        self.ccsid = ccsid
        self.format = text
        self.length = length
        self.digest = digest  # of the recipients or certificates; zeros for none


def encode_outer(quality: int, length: int, size: int) -> bytes:
    """Encode the header before the protected part."""
    return _OUTER.pack(b"KAMS", VERSION, quality, 0, length, size)


def encode_inner(inner: Inner) -> bytes:
    """Encode the header within the protected part."""
    bound = 0 if inner.digest == NOT_BOUND else BOUND
    return _INNER.pack(
        b"KAMC",
        VERSION,
        inner.quality,
        bound,
        inner.encoding,
        inner.ccsid,
        inner.format,
        inner.length,
        inner.digest,
    )


def read_outer(data: bytes, offset: int) -> Outer:
    """Read the header before the protected part; the message may be incomplete behind the header."""
    if len(data) - offset < OUTER_SIZE:
        raise Unprotectable(HEADER, f"{len(data) - offset} bytes are left where a header of {OUTER_SIZE} begins")
    eye, version, quality, zero, length, size = _OUTER.unpack_from(data, offset)
    if eye != b"KAMS":
        raise Unprotectable(HEADER, f"expected KAMS at offset {offset}, found {eye!r}")
    if version != VERSION:
        raise Unprotectable(HEADER, f"expected version {VERSION}, found {version}")
    if quality not in QUALITIES or zero:
        raise Unprotectable(HEADER, f"the quality {quality} is not known")
    if length > LONGEST:
        raise Unprotectable(SIZE, f"the header speaks of {length} bytes, the most are {LONGEST}")
    return Outer(offset, quality, length, size)


def read_whole(data: bytes, offset: int) -> Outer:
    """Read the header before the protected part of a complete message, and check the length of that part."""
    outer = read_outer(data, offset)
    if outer.size != len(data) - offset - OUTER_SIZE:
        found = len(data) - offset - OUTER_SIZE
        raise Unprotectable(SIZE, f"the header speaks of {outer.size} protected bytes, there are {found}")
    return outer


def read_inner(data: bytes, left: int, outer: Outer) -> Inner:
    """Read the header within the protected part, which must agree with the outer one; `left` bytes follow."""
    if len(data) != INNER_SIZE:
        raise Unprotectable(HEADER, f"what was protected has {len(data)} bytes, its header {INNER_SIZE}")
    eye, version, quality, bound, encoding, ccsid, text, length, digest = _INNER.unpack_from(data)
    if eye != b"KAMC" or version != VERSION:
        raise Unprotectable(HEADER, f"expected KAMC version {VERSION}, found {eye!r} version {version}")
    if quality != outer.quality or length != outer.length:
        raise Unprotectable(HEADER, "the headers within and before the protected part differ")
    if length != left:
        raise Unprotectable(SIZE, f"{length} bytes were protected, {left} came back")
    if bound != (0 if digest == NOT_BOUND else BOUND):
        raise Unprotectable(HEADER, "the digest and the word that there is one differ")
    return Inner(quality, encoding, ccsid, text, length, digest)


def find(message_format: bytes, data: bytes) -> int:
    """Give the offset of the header in a message, behind any MQRFH2; -1 for a message that is not protected."""
    offset = 0
    for _ in range(MOST_HEADERS):
        if message_format == FORMAT:
            return offset
        if message_format != RFH2_FORMAT:
            return -1
        try:
            length = mqrfh2.encoded_length(data, offset)
            message_format = mqrfh2.format_of(data, offset)
        except FormatError:
            return -1
        offset += length
    return -1


def clear_length(message_format: bytes, data: bytes) -> tuple[int, int]:
    """Give the length of the MQRFH2 headers that begin a message, and the offset of the last one, -1 for none."""
    offset, last = 0, -1
    for _ in range(MOST_HEADERS):
        if message_format != RFH2_FORMAT:
            break
        try:
            length = mqrfh2.encoded_length(data, offset)
            message_format = mqrfh2.format_of(data, offset)
        except FormatError:
            break
        last = offset
        offset += length
    return offset, last
