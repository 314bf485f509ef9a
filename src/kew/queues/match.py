"""What a get asks for: any message, or one with given ids, or one that a selection string selects."""

from struct import Struct
from typing import Final, Literal

from kew.formats.mqmd import LENGTH, MessageDescriptor
from kew.formats.properties import RFH2_FORMAT
from kew.queues.cursor import Cursor
from kew.selection.selector import Selector
from kew.storage.checksum import crc32
from kew.storage.pages.blob import FIRST_ROOM, SINGLE_PAGE
from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import (
    CORRELATION_HASH,
    GROUP_HASH,
    MESSAGE_HASH,
    Directory,
    hash_at,
    sequence_at,
)
from kew.storage.pages.item import Item
from kew.storage.pages.items import CONTENT, FIRST_CONTENT, ItemStore
from kew.storage.pages.longitem import read_on

# Where the ids are in the stored descriptor.
_MESSAGE_ID: Final = 48
_CORRELATION_ID: Final = 72
_GROUP_ID: Final = 324
_PLACE_OFFSET: Final = 348
_PLACE: Final = Struct("<ii")  # sequence number and offset
_FORMAT: Final = 32

NO_ID: Final = bytes(24)


def hash_id(value: bytes) -> int:
    """Hash an id as directory entries hold it; no id hashes to 0."""
    return 0 if value == NO_ID else crc32(value)


class Match:
    """The ids a message must have, None where one does not matter, and the selector that it must suit, if any."""

    def __init__(
        self, message_id: bytes | None = None, correlation_id: bytes | None = None, group_id: bytes | None = None
    ) -> None:
        self.message_id = message_id
        self.correlation_id = correlation_id
        self.group_id = group_id
        self.message_hash = 0 if message_id is None else hash_id(message_id)
        self.correlation_hash = 0 if correlation_id is None else hash_id(correlation_id)
        self.group_hash = 0 if group_id is None else hash_id(group_id)
        # In each chain, the last directory that a search which had to wait for a page has already been through: the
        # search goes on behind it, else a queue with more directories than its pool has frames could not be searched.
        self.searched: dict[Chain, Directory] = {}
        # Place in a group; -1 does not matter. A search for nothing but these goes through the queue with a cursor.
        self.sequence_number = -1
        self.offset = -1
        self.arrival = 0  # of the message that a token stands for; 0 does not matter
        self.selector: Selector | None = None
        self.skipped = 0  # messages that searches passed, until somebody counts them (metering.py)
        self.passed: Cursor | None = None  # how far a search by selector or place has come that had to wait
        self.reading: Item | None = None  # being read, since its header does not end in its first page
        # What an index by property is asked for, worked out once for the property of this name.
        self.indexed = ""
        self.lookup = False
        self.value_hash = 0

    def place(self, sequence_number: int, offset: int) -> None:
        """Ask for a place in a group too; -1 does not matter."""
        self.sequence_number = sequence_number
        self.offset = offset

    def accepts(self, descriptor: MessageDescriptor) -> bool:
        """Say whether a message has the ids."""
        return (
            (self.message_id is None or descriptor.message_id == self.message_id)
            and (self.correlation_id is None or descriptor.correlation_id == self.correlation_id)
            and (self.group_id is None or descriptor.group_id == self.group_id)
            and (self.sequence_number < 0 or descriptor.sequence_number == self.sequence_number)
            and (self.offset < 0 or descriptor.offset == self.offset)
            and not self.arrival
        )

    def may_fit(self, data: bytes | bytearray, slot: int) -> bool:
        """Say whether a message may have the ids, from the hashes in the entry in a slot of its directory page."""
        if self.arrival and sequence_at(data, slot) != self.arrival:
            return False
        if self.message_id is not None and hash_at(data, slot, MESSAGE_HASH) != self.message_hash:
            return False
        if self.correlation_id is not None and hash_at(data, slot, CORRELATION_HASH) != self.correlation_hash:
            return False
        return self.group_id is None or hash_at(data, slot, GROUP_HASH) == self.group_hash

    def accepts_stored(self, data: bytearray, offset: int) -> bool:
        """Say whether a message whose descriptor is stored at an offset has the ids."""
        if self.message_id is not None:
            start = offset + _MESSAGE_ID
            if data[start : start + 24] != self.message_id:
                return False
        if self.correlation_id is not None:
            start = offset + _CORRELATION_ID
            if data[start : start + 24] != self.correlation_id:
                return False
        if self.group_id is not None:
            start = offset + _GROUP_ID
            if data[start : start + 24] != self.group_id:
                return False
        if self.sequence_number >= 0 or self.offset >= 0:
            sequence_number, where = _PLACE.unpack_from(data, offset + _PLACE_OFFSET)
            if self.sequence_number >= 0 and sequence_number != self.sequence_number:
                return False
            if self.offset >= 0 and where != self.offset:
                return False
        return True


def content_of(store: ItemStore, item: Item, match: Match | None) -> bytes:
    """Give a message as it is stored, at least as far as its first header goes. May stall, and is then called again.

    Of a long message the first page is enough, unless a header with properties does not end there.
    """
    data = store.first_page(item).data
    if item.length <= SINGLE_PAGE:
        return bytes(data[CONTENT : CONTENT + item.length])
    start = bytes(data[FIRST_CONTENT : FIRST_CONTENT + FIRST_ROOM])
    if start[_FORMAT : _FORMAT + 8] != RFH2_FORMAT:
        return start
    order: Literal["little", "big"] = "big" if start[LENGTH + 4] == 0 else "little"
    length = int.from_bytes(start[LENGTH + 8 : LENGTH + 12], order)
    following = LENGTH + length
    if following <= len(start) and start[LENGTH + 20 : LENGTH + 28] != RFH2_FORMAT:
        return start
    if match is None:
        return read_on(store, item)
    reading = match.reading
    if reading is None or reading.sequence != item.sequence or reading.directory is not item.directory:
        reading = match.reading = item
    content = read_on(store, reading)
    match.reading = None
    return content
