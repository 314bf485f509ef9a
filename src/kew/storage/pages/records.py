"""The payloads of log records.

PUT (an item is stored), followed by the entry (48 bytes) and the payload of the item's first page:

    owner u32 | page set u16 | chain u8 | flags u8 | directory u32 | slot u16 | - u16 | position u64 | undo next u64

DATA (further pages of an item, in one run), followed by their payloads:

    owner u32 | page set u16 | pages u16 | first page u32 | kind of page u8 | - u24

GET and REMOVE (an item is got by a unit; an item is gone), followed by its pages as (first u32, count u32):

    owner u32 | page set u16 | chain u8 | flags u8 | directory u32 | slot u16 | runs u16 | sequence u64 | undo next u64

UNGET (a get is undone):

    owner u32 | page set u16 | backout count u16 | directory u32 | slot u16 | - u16 | undo next u64

FREE_DIRECTORY: page set u16 | - u16 | directory u32

FREE_PAGES (the pages of an item that was not completed), followed by the runs:

    page set u16 | runs u16 | undo next u64

RELOG (an operation of a unit in doubt, written again so that its old records are no longer needed):

    kind u8 | - u24 | length u32 | first page u32, followed by the payload of GET

JOIN (the description, by a participant other than the pages, of its part in a unit that is to be prepared or decided):

    participant u16 | - u16, followed by the description

PREPARE: the xid. COMMIT, BACKOUT and END: nothing; END says that the unit is COMMITTED or BACKED OUT. A COMMIT with the
flag ENDS is both: a unit that has only put has nothing more to log once it is decided.

CHECKPOINT: see recovery/checkpoint.py. IMAGE: see recovery/media.py. FILLER: anything, see recovery/advance.py.

`undo next` is the unit's log record at which undoing continues after this one: in PUT it skips the DATA records of the
same item, and in a record that itself undoes (REMOVE, UNGET of a unit in backout) `undo next` says how far undoing has
come, so that a crash during backout does not undo twice.
"""

from struct import Struct
from typing import Final

from kew.storage.pages.directory import ENTRY_SIZE

PUT: Final = 1
DATA: Final = 2
GET: Final = 3
REMOVE: Final = 4
UNGET: Final = 5
FREE_DIRECTORY: Final = 6
PREPARE: Final = 7
COMMIT: Final = 8
BACKOUT: Final = 9
END: Final = 10
CHECKPOINT: Final = 11
IMAGE: Final = 12
FREE_PAGES: Final = 13
RELOG: Final = 14
FILLER: Final = 15
JOIN: Final = 16

KIND_NAMES: Final = (
    "",
    "PUT",
    "DATA",
    "GET",
    "REMOVE",
    "UNGET",
    "FREE_DIRECTORY",
    "PREPARE",
    "COMMIT",
    "BACKOUT",
    "END",
    "CHECKPOINT",
    "IMAGE",
    "FREE_PAGES",
    "RELOG",
    "FILLER",
    "JOIN",
)

ENDS: Final = 1  # flag of a COMMIT record
NEW_DIRECTORY: Final = 1  # in PUT: the directory page is made by this record

PUT_HEAD: Final = Struct("<IHBBIH2xQQ")
DATA_HEAD: Final = Struct("<IHHIB3x")
GET_HEAD: Final = Struct("<IHBBIHHQQ")
UNGET_HEAD: Final = Struct("<IHHIH2xQ")
FREE_DIRECTORY_HEAD: Final = Struct("<H2xI")
RELOG_HEAD: Final = Struct("<B3xII")
RUN: Final = Struct("<II")
JOIN_HEAD: Final = Struct("<H2x")
FREE_PAGES_HEAD: Final = Struct("<HHQ")  # page set, runs, undo next

PUT_ENTRY_OFFSET: Final = PUT_HEAD.size
PUT_PAGE_OFFSET: Final = PUT_HEAD.size + ENTRY_SIZE


def pack_runs(runs: list[tuple[int, int]]) -> bytes:
    """Give page runs as bytes."""
    return b"".join([RUN.pack(first, count) for first, count in runs])


def unpack_runs(data: bytes | bytearray, offset: int, count: int) -> list[tuple[int, int]]:
    """Read page runs."""
    runs: list[tuple[int, int]] = []
    for place in range(count):
        first, pages = RUN.unpack_from(data, offset + place * RUN.size)
        runs.append((first, pages))
    return runs
