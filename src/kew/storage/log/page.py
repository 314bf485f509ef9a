"""Log pages: 4096 bytes, the unit in which the log is written and checked.

     0       4       6   7   8      10     12            20            28      32      36      40          4096
     +-------+-------+---+---+------+------+-------------+-------------+-------+-------+-------+-------------+
     | crc   | magic |ver|flg| used | first| address     | durable     | chain | life  | log id| payload     |
     +-------+-------+---+---+------+------+-------------+-------------+-------+-------+-------+-------------+

Little-endian. `crc` runs over the 4092 bytes behind it. `used` counts the payload bytes; zeros fill the rest. `first`
is the offset in the page of the first record that starts in it, 0xFFFF where none does. `address` is the page's own
place in the stream. Everything before `durable` was on disk, on all copies, when the page was built. `chain` is the crc
of the page before this one. `life` counts the starts of the log. `log id` is drawn once, when the log is created.

A page belongs to the log when its crc, magic, address and log id are right, its chain names the page before it, and its
life is not less than that page's. So neither a page of an earlier use of the extent (other address), nor one of a tail
that an earlier restart discarded (other chain, earlier life) is ever taken for the next page of the log.

Flag FRESH marks the first page of a life: no record continues into it. A record that the page before left unfinished
was never acknowledged and is skipped by readers.
"""

import struct
from typing import Final

from kew.storage.checksum import crc32
from kew.storage.logaddress import PAGE_PAYLOAD, PAGE_SIZE

MAGIC: Final = 0x4B4C
VERSION: Final = 1
FRESH: Final = 1
NO_RECORD: Final = 0xFFFF

CRC: Final = struct.Struct("<I")
CHECKED_PART: Final = struct.Struct("<HBBHHQQIII")
WHOLE_HEADER: Final = struct.Struct("<IHBBHHQQIII")

PADDING: Final = bytes(PAGE_SIZE)
PIECES: Final = 4  # of a page: crc, rest of the header, payload, padding


class PageHeader:
    """The header of a page whose checksum is right."""

    def __init__(
        self,
        crc: int,
        flags: int,
        used: int,
        first: int,
        address: int,
        durable: int,
        chain: int,
        life: int,
        log_id: int,
    ) -> None:
        self.crc = crc
        self.flags = flags
        self.used = used
        self.first = first
        self.address = address
        self.durable = durable
        self.chain = chain
        self.life = life
        self.log_id = log_id


def build_page(
    pieces: list[bytes | memoryview],
    payload: bytes | memoryview,
    flags: int,
    first: int,
    address: int,
    durable: int,
    chain: int,
    life: int,
    log_id: int,
) -> int:
    """Append the pieces of a page, always four, to a list, and return its crc; the caller joins all pages at once."""
    used = len(payload)
    checked = CHECKED_PART.pack(MAGIC, VERSION, flags, used, first, address, durable, chain, life, log_id)
    crc = crc32(payload, crc32(checked))
    padding = b""
    if used < PAGE_PAYLOAD:
        padding = PADDING[: PAGE_PAYLOAD - used]
        crc = crc32(padding, crc)
    pieces.append(CRC.pack(crc))
    pieces.append(checked)
    pieces.append(payload)
    pieces.append(padding)
    return crc


def check_page(data: bytes, offset: int) -> PageHeader | None:
    """Return the header of the page at `offset` of `data`; None if it is not a valid page."""
    if offset + PAGE_SIZE > len(data):
        return None
    crc, magic, version, flags, used, first, address, durable, chain, life, log_id = WHOLE_HEADER.unpack_from(
        data, offset
    )
    if magic != MAGIC or version != VERSION or used > PAGE_PAYLOAD:
        return None
    if crc32(data[offset + 4 : offset + PAGE_SIZE]) != crc:
        return None
    return PageHeader(crc, flags, used, first, address, durable, chain, life, log_id)


def follows(page: PageHeader, address: int, log_id: int, previous: PageHeader | None) -> bool:
    """Return whether a valid page is the one at `address`, behind `previous` where that is known."""
    if page.address != address or page.log_id != log_id:
        return False
    return previous is None or (page.chain == previous.crc and page.life >= previous.life)


def is_blank(data: bytes, offset: int) -> bool:
    """Return whether the page at `offset` was never written since its extent was formatted."""
    return data[offset : offset + PAGE_SIZE] == PADDING
