"""The match criteria of a get: any message, messages with given ids, or messages that a selector selects."""

from struct import Struct
from typing import Final

from kew.formats.mqmd import MessageDescriptor
from kew.queues.cursor import Cursor
from kew.selection.selector import Selector
from kew.storage.checksum import crc32
from kew.storage.message import MessageRef

# Where the ids are in the stored descriptor.
_MESSAGE_ID: Final = 48
_CORRELATION_ID: Final = 72
_GROUP_ID: Final = 324
_PLACE_OFFSET: Final = 348
_PLACE: Final = Struct("<ii")  # sequence number and offset

NO_ID: Final = bytes(24)


def hash_id(value: bytes) -> int:
    """Hash an id as directory entries hold it; no id hashes to 0."""
    return 0 if value == NO_ID else crc32(value)


class Searched:
    """The state of a search that had to wait, kept by the store of the queue."""


class Match:
    """The ids that a message must have (None for any), and the selector that must select it, if there is one."""

    def __init__(
        self, message_id: bytes | None = None, correlation_id: bytes | None = None, group_id: bytes | None = None
    ) -> None:
        self.message_id = message_id
        self.correlation_id = correlation_id
        self.group_id = group_id
        self.message_hash = 0 if message_id is None else hash_id(message_id)
        self.correlation_hash = 0 if correlation_id is None else hash_id(correlation_id)
        self.group_hash = 0 if group_id is None else hash_id(group_id)
        self.searched: Searched | None = None  # how far a search by ids has come that had to wait
        # Place in a group; -1 does not matter. A search for nothing but these goes through the queue with a cursor.
        self.sequence_number = -1
        self.offset = -1
        self.arrival = 0  # of the message that a token stands for; 0 does not matter
        self.selector: Selector | None = None
        self.skipped = 0  # messages that searches passed, until metering.py counts them
        self.scan: Searched | None = None  # of a search by selector that had to wait
        self.passed: Cursor | None = None  # how far a search by selector or place has come that had to wait
        self.reading: MessageRef | None = None  # the message whose headers are being read
        self.gathered: dict[int, MessageRef] | None = None  # where all that fit are wanted: they, by arrival
        self.lacking = ""  # the index that would have left out messages which a search has passed
        # The look-up in an index by property, computed once for the property of this name.
        self.indexed = ""
        self.lookup = False
        self.value_hash = 0

    def place(self, sequence_number: int, offset: int) -> None:
        """Require a sequence number and offset in a group too; -1 for any."""
        self.sequence_number = sequence_number
        self.offset = offset

    def is_selection(self) -> bool:
        """Say whether the selector is the only criterion."""
        return (
            self.message_id is None
            and self.correlation_id is None
            and self.group_id is None
            and self.sequence_number < 0
            and self.offset < 0
            and not self.arrival
        )

    def accepts(self, descriptor: MessageDescriptor) -> bool:
        """Say whether a message has the required ids."""
        return (
            (self.message_id is None or descriptor.message_id == self.message_id)
            and (self.correlation_id is None or descriptor.correlation_id == self.correlation_id)
            and (self.group_id is None or descriptor.group_id == self.group_id)
            and (self.sequence_number < 0 or descriptor.sequence_number == self.sequence_number)
            and (self.offset < 0 or descriptor.offset == self.offset)
            and not self.arrival
        )

    def gather(self, item: MessageRef) -> None:
        """Add a matching message to `gathered`, if the search is for all matches."""
        if self.gathered is not None:
            self.gathered[item.sequence] = item

    def accepts_stored(self, data: bytes | bytearray, offset: int) -> bool:
        """Say whether a message has the required ids; its descriptor is stored at an offset."""
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
