"""Message groups and segments on a queue: their messages in order, and whether all of them are there.

A logical message is one physical message, or segments with the same group id and sequence number whose offsets are
contiguous. A group is logical messages with the same group id, numbered from 1. A directory entry has the hash of the
group id and says whether its message is in a group or a segment (GROUPED) and not the first of it (CONTINUES), so that
a queue without groups is searched without reading messages; the rest is in the descriptor on the first page.

A search may have to wait for pages. The results of the search are kept in a `GroupSearch`, so that the search continues
where it stopped and needs only few pages at once; before a result is used, the messages are checked once more.
"""

from struct import Struct
from typing import Final

from kew.codes.options import MQMF_LAST_MSG_IN_GROUP, MQMF_LAST_SEGMENT, MQMF_MSG_IN_GROUP, MQMF_SEGMENT
from kew.formats.mqmd import LENGTH
from kew.queues.match import Match
from kew.queues.queue import Queue
from kew.storage.message import HEADERS, MessageRef

IN_GROUP: Final = MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP
SEGMENTED: Final = MQMF_SEGMENT | MQMF_LAST_SEGMENT

_GROUP_FIELDS: Final = Struct("<24siii")  # of a stored descriptor: group id, sequence number, offset, flags
_GROUP_FIELDS_OFFSET: Final = 324


class Member:
    """The group fields of a message: group id, sequence number, offset and flags."""

    def __init__(self, item: MessageRef, group_id: bytes, sequence: int, offset: int, flags: int) -> None:
        self.item = item
        self.group_id = group_id
        self.sequence = sequence
        self.offset = offset
        self.flags = flags
        self.length = item.length - LENGTH


def member_of(queue: Queue, item: MessageRef) -> Member:
    """Read the group fields of a message; may stall."""
    content = queue.describe(item, HEADERS).content
    group_id, sequence, offset, flags = _GROUP_FIELDS.unpack_from(content, _GROUP_FIELDS_OFFSET)
    return Member(item, group_id, sequence, offset, flags)


class GroupSearch:
    """The groups that the search of a get has read so far."""

    def __init__(self) -> None:
        self._wanted: dict[bytes, Match] = {}  # by group id: with all that was gathered
        self._found: dict[bytes, dict[int, Member]] = {}  # by group id and arrival
        self.rejected: set[tuple[bytes, int]] = set()  # groups, and messages of groups, that are not complete

    def members(self, queue: Queue, group_id: bytes) -> dict[tuple[int, int], Member]:
        """Give the messages of a group that are there now, by sequence number and offset. May stall."""
        wanted = self._wanted.get(group_id)
        if wanted is None:
            wanted = self._wanted[group_id] = Match(None, None, group_id)
            wanted.gathered = {}
            self._found[group_id] = {}
        queue.find(wanted)
        gathered, found = wanted.gathered, self._found[group_id]
        assert gathered is not None
        for arrival, item in gathered.items():
            if arrival not in found:
                found[arrival] = member_of(queue, item)
        there: dict[tuple[int, int], Member] = {}
        for arrival in sorted(found):
            member = found[arrival]
            if queue.still_there(member.item):
                there.setdefault((member.sequence, member.offset), member)
        return there

    def message(self, queue: Queue, group_id: bytes, sequence: int) -> list[Member] | None:
        """Give the segments of a logical message in order, None unless all of them are there. May stall."""
        return segments_of(self.members(queue, group_id), sequence)

    def has_group(self, queue: Queue, group_id: bytes) -> bool:
        """Say whether all messages of a group are there. May stall."""
        members = self.members(queue, group_id)
        sequence = 1
        while True:
            segments = segments_of(members, sequence)
            if segments is None:
                return False
            if segments[0].flags & MQMF_LAST_MSG_IN_GROUP:
                return True
            sequence += 1


def segments_of(members: dict[tuple[int, int], Member], sequence: int) -> list[Member] | None:
    """Give the segments of a logical message in order, None unless all of them are there."""
    segments: list[Member] = []
    offset = 0
    while True:
        member = members.get((sequence, offset))
        if member is None:
            return None
        segments.append(member)
        if member.flags & MQMF_LAST_SEGMENT or not member.flags & MQMF_SEGMENT:
            return segments
        if not member.length:
            return None
        offset += member.length
