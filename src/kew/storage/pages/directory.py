"""A directory page: the fixed-size entries of up to 84 items, in the order in which they arrived.

    offset  bytes  field
        32      4  owner: the number of the queue (also in the page header)
        36      4  unused
        40      8  position of this page in its chain: pages are read in this order
        48      1  chain (the priority whose messages it lists)
        49     15  unused
        64  84*48  entries

An entry:

    offset  bytes  field
         0      1  state: EMPTY, LIVE, or LIVE with a lock on it
         1      1  flags: 1 persistent, 2 in a group or a segment, 4 not the first of its group or logical message
         2      1  priority
         3      1  unused
         4      4  length of the item in bytes
         8      4  its first page
        12      4  number of its pages
        16      8  arrival sequence in the queue
        24      4  hash of the message id
        28      4  hash of the correlation id
        32      4  hash of the group id
        36      8  time at which it expires, milliseconds since 1970; 0 never
        44      2  backout count
        46      2  unused

All that a scan for the next message, a match by id, the expiry scanner and restart need is here; message bodies are not
read. Only the functions below know the offset of a field in an entry: `state_at`, `expiry_at` and the others take the
bytes of a directory page and a slot.

The lock states are hints of the running queue manager: restart takes every entry that is not EMPTY as LIVE and then
sets the locks of units in doubt.

Directory pages are not linked on disk. Restart finds them through the space map and puts each chain in order by
position.
"""

from struct import Struct
from typing import Final

from librt.strings import BytesWriter
from mypy_extensions import mypyc_attr

from kew.formats.binary import write_u32_le, write_u64_le
from kew.storage.buffers.frame import NO_PAGE, Frame
from kew.storage.page import PAGE_SIZE

EMPTY: Final = 0
LIVE: Final = 1
PUT_LOCKED: Final = 2  # put by a unit that has not committed
GET_LOCKED: Final = 3  # got by a unit that has not committed
BROWSE_LOCKED: Final = 4  # held by a browse cursor, or by a get between two of its steps

DIRECTORY_HEADER: Final = Struct("<I4xQB15x")
DIRECTORY_HEADER_OFFSET: Final = 32
ENTRY: Final = Struct("<BBBxIIIQIIIQH2x")
PLACE: Final = Struct("<4xII4xQ")  # only length, first page and sequence, which a search for a message needs
ENTRY_SIZE: Final = 48
FIRST_ENTRY: Final = 64
ENTRIES: Final = (PAGE_SIZE - FIRST_ENTRY) // ENTRY_SIZE

STATE_OFFSET: Final = 0
FLAGS_OFFSET: Final = 1
# Flags of an entry.
PERSISTENT: Final = 1
GROUPED: Final = 2
CONTINUES: Final = 4
EXPIRY_REPORTED: Final = 8  # its sender wants a report when it expires
SEQUENCE: Final = Struct("<Q")
SEQUENCE_OFFSET: Final = 16
HASH: Final = Struct("<I")
MESSAGE_HASH: Final = 24
CORRELATION_HASH: Final = 28
GROUP_HASH: Final = 32
EXPIRY: Final = Struct("<Q")
EXPIRY_OFFSET: Final = 36
BACKOUT: Final = Struct("<H")
BACKOUT_OFFSET: Final = 44

NO_FRAME: Final = Frame(NO_PAGE)


@mypyc_attr(free_list_len=1)
class Entry:
    """An entry, unpacked."""

    def __init__(
        self,
        state: int,
        flags: int,
        priority: int,
        length: int,
        page: int,
        pages: int,
        sequence: int,
        message_hash: int,
        correlation_hash: int,
        group_hash: int,
        expiry: int,
        backout: int,
    ) -> None:
        self.state = state
        self.flags = flags
        self.priority = priority
        self.length = length
        self.page = page
        self.pages = pages
        self.sequence = sequence
        self.message_hash = message_hash
        self.correlation_hash = correlation_hash
        self.group_hash = group_hash
        self.expiry = expiry
        self.backout = backout

    def pack(self) -> bytes:
        """Give the entry as bytes."""
        out = BytesWriter()
        out.append(self.state)
        out.append(self.flags)
        out.append(self.priority)
        out.append(0)
        write_u32_le(out, self.length)
        write_u32_le(out, self.page)
        write_u32_le(out, self.pages)
        write_u64_le(out, self.sequence)
        write_u32_le(out, self.message_hash)
        write_u32_le(out, self.correlation_hash)
        write_u32_le(out, self.group_hash)
        write_u64_le(out, self.expiry)
        write_u32_le(out, self.backout)  # and the two bytes behind it
        return out.getvalue()


def unpack_entry(data: bytes | bytearray, offset: int) -> Entry:
    """Read an entry."""
    (
        state,
        flags,
        priority,
        length,
        page,
        pages,
        sequence,
        message_hash,
        correlation_hash,
        group_hash,
        expiry,
        backout,
    ) = ENTRY.unpack_from(data, offset)
    return Entry(
        state,
        flags,
        priority,
        length,
        page,
        pages,
        sequence,
        message_hash,
        correlation_hash,
        group_hash,
        expiry,
        backout,
    )


def offset_of(slot: int) -> int:
    """Give the offset of a slot's entry in its directory page."""
    return FIRST_ENTRY + slot * ENTRY_SIZE


def entry_at(data: bytes | bytearray, slot: int) -> Entry:
    """Read the entry in a slot of a directory page."""
    return unpack_entry(data, FIRST_ENTRY + slot * ENTRY_SIZE)


def state_at(data: bytes | bytearray, slot: int) -> int:
    """Give the state of the entry in a slot."""
    return data[FIRST_ENTRY + slot * ENTRY_SIZE]


def flags_at(data: bytes | bytearray, slot: int) -> int:
    """Give the flags of the entry in a slot."""
    return data[FIRST_ENTRY + slot * ENTRY_SIZE + FLAGS_OFFSET]


def sequence_at(data: bytes | bytearray, slot: int) -> int:
    """Give the arrival sequence of the entry in a slot."""
    sequence: int = SEQUENCE.unpack_from(data, FIRST_ENTRY + slot * ENTRY_SIZE + SEQUENCE_OFFSET)[0]
    return sequence


def expiry_at(data: bytes | bytearray, slot: int) -> int:
    """Give the moment at which the entry in a slot expires, 0 for never."""
    moment: int = EXPIRY.unpack_from(data, FIRST_ENTRY + slot * ENTRY_SIZE + EXPIRY_OFFSET)[0]
    return moment


def backout_at(data: bytes | bytearray, slot: int) -> int:
    """Give the backout count of the entry in a slot."""
    start = FIRST_ENTRY + slot * ENTRY_SIZE + BACKOUT_OFFSET
    return data[start] | data[start + 1] << 8


def set_backout_at(data: bytearray, slot: int, count: int) -> None:
    """Write the backout count of the entry in a slot."""
    BACKOUT.pack_into(data, FIRST_ENTRY + slot * ENTRY_SIZE + BACKOUT_OFFSET, count)


def hash_at(data: bytes | bytearray, slot: int, which: int) -> int:
    """Give one of the three hashes of the entry in a slot: `which` is MESSAGE_HASH, CORRELATION_HASH or GROUP_HASH."""
    start = FIRST_ENTRY + slot * ENTRY_SIZE + which
    return int.from_bytes(data[start : start + 4], "little")


def find_hash(data: bytearray, which: int, wanted: bytes, slot: int, count: int) -> int:
    """Give the first slot with a hash, from `slot` on among the first `count` slots; -1 if there is none."""
    end = FIRST_ENTRY + count * ENTRY_SIZE
    at = data.find(wanted, FIRST_ENTRY + slot * ENTRY_SIZE + which, end)
    while at >= 0:
        place = at - which - FIRST_ENTRY
        if place % ENTRY_SIZE == 0:
            return place // ENTRY_SIZE
        at = data.find(wanted, at + 1, end)
    return -1


class Directory:
    """The state of a directory page in memory, about 1.5 bytes for each message."""

    def __init__(self, number: int, position: int) -> None:
        self.number = number
        self.position = position
        self.frame = NO_FRAME  # where the page was last seen; good only if it still holds this page
        self.count = 0  # entries written so far; the next item goes to this slot
        self.used = 0  # entries that are not EMPTY
        self.available = 0  # entries that are LIVE and not locked
        self.hint = 0  # no available entry has a lower slot
        self.expiring = 0  # entries with a time at which they expire
        self.soonest = 0  # none of them expires before this; 0 when there is none
        self.resets = 0  # how often its slots were begun anew; a reference to a slot keeps this too
        self.removed = False  # from its chain; a reference to it finds nothing there
        self.before: Directory | None = None
        self.after: Directory | None = None

    def will_expire(self, moment: int) -> None:
        """Count an entry that expires."""
        self.expiring += 1
        if not self.soonest or moment < self.soonest:
            self.soonest = moment

    def was_removed(self) -> None:
        """Count one entry with an expiry fewer."""
        self.expiring -= 1
        if not self.expiring:
            self.soonest = 0

    def reset(self) -> None:
        """Begin with the first slot again, in a directory that has no entries left."""
        self.count = 0
        self.hint = 0
        self.resets += 1
