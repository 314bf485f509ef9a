"""Message groups and segments on a queue: which messages belong together, and whether all of them are there.

A logical message is one physical message, or segments with the same group id and sequence number whose offsets follow
on one another. A group is logical messages with the same group id, numbered from 1. A directory entry has the hash of
the group id and says whether its message is in a group or a segment (GROUPED) and not the first of it (CONTINUES), so
that a queue without groups is searched without reading messages; the rest is in the descriptor on the first page.

A search may have to wait for pages. What it has learnt is kept in a `GroupSearch`, so that it goes on where it stopped
and needs only few pages at once; before anybody acts on the result, the messages are looked at once more.
"""

from struct import Struct
from typing import Final

from kew.codes.options import MQMF_LAST_MSG_IN_GROUP, MQMF_LAST_SEGMENT, MQMF_MSG_IN_GROUP, MQMF_SEGMENT
from kew.formats.mqmd import LENGTH
from kew.queues.match import hash_id
from kew.queues.queue import INDEX_GROUP_ID, Queue
from kew.storage.message import HEADERS, MessageRef
from kew.storage.pages.chain import Chain
from kew.storage.pages.directory import (
    GROUP_HASH,
    LIVE,
    Directory,
    find_hash,
    state_at,
)
from kew.storage.pages.item import Item
from kew.storage.pages.items import item_at

IN_GROUP: Final = MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP
SEGMENTED: Final = MQMF_SEGMENT | MQMF_LAST_SEGMENT

_GROUP_FIELDS: Final = Struct("<24siii")  # of a stored descriptor: group id, sequence number, offset, flags
_GROUP_FIELDS_OFFSET: Final = 324


class Member:
    """What a message says of its group."""

    def __init__(self, item: MessageRef, group_id: bytes, sequence: int, offset: int, flags: int) -> None:
        self.item = item
        self.group_id = group_id
        self.sequence = sequence
        self.offset = offset
        self.flags = flags
        self.length = item.length - LENGTH


def member_of(queue: Queue, item: MessageRef) -> Member:
    """Read what a message says of its group; may stall."""
    content = queue.describe(item, HEADERS).content
    group_id, sequence, offset, flags = _GROUP_FIELDS.unpack_from(content, _GROUP_FIELDS_OFFSET)
    return Member(item, group_id, sequence, offset, flags)


class GroupSearch:
    """What a get has learnt of groups while it looked for its message."""

    def __init__(self) -> None:
        self._found: dict[bytes, dict[int, Member]] = {}  # by group id and arrival
        self._scanned: dict[bytes, dict[Chain, Directory]] = {}  # how far each chain was looked through
        self.rejected: set[tuple[bytes, int]] = set()  # groups, and messages of groups, that are not complete

    def members(self, queue: Queue, group_id: bytes) -> dict[tuple[int, int], Member]:
        """Give the messages of a group that are there now, by sequence number and offset. May stall."""
        found = self._found.setdefault(group_id, {})
        wanted = hash_id(group_id)
        if queue.index is not None and queue.index_type == INDEX_GROUP_ID:
            self._take_indexed(queue, group_id, wanted, found)
        else:
            self._scan(queue, group_id, wanted, found)
        there: dict[tuple[int, int], Member] = {}
        for arrival in sorted(found):
            member = found[arrival]
            if queue.still_there(member.item):
                there.setdefault((member.sequence, member.offset), member)
        return there

    def _take_indexed(self, queue: Queue, group_id: bytes, wanted: int, found: dict[int, Member]) -> None:
        index = queue.index
        assert index is not None
        head = index.first(wanted)
        node = head
        while node:
            place = index.place(node)
            for chain in queue.chains:
                directory = chain.by_number.get(place >> 8)
                if directory is not None:
                    data = queue.store.frame_of(chain, directory).data
                    slot = place & 255
                    if state_at(data, slot) == LIVE:
                        self._add(queue, group_id, item_at(chain, directory, slot, data), found)
                    break
            node = index.following(node, head)

    def _scan(self, queue: Queue, group_id: bytes, wanted: int, found: dict[int, Member]) -> None:
        scanned = self._scanned.setdefault(group_id, {})
        pattern = wanted.to_bytes(4, "little")
        for chain in queue.chains:
            directory = chain.first
            last = scanned.get(chain)
            if last is not None and chain.by_number.get(last.number) is last:
                directory = last.after
            while directory is not None:
                if directory.available:
                    self._scan_directory(queue, chain, directory, group_id, pattern, found)
                if directory.after is not None:  # the last one may still get messages
                    scanned[chain] = directory
                directory = directory.after

    def _scan_directory(
        self,
        queue: Queue,
        chain: Chain,
        directory: Directory,
        group_id: bytes,
        pattern: bytes,
        found: dict[int, Member],
    ) -> None:
        data = queue.store.frame_of(chain, directory).data
        slot = find_hash(data, GROUP_HASH, pattern, 0, directory.count)
        while slot >= 0:
            if state_at(data, slot) == LIVE:
                self._add(queue, group_id, item_at(chain, directory, slot, data), found)
            slot = find_hash(data, GROUP_HASH, pattern, slot + 1, directory.count)

    def _add(self, queue: Queue, group_id: bytes, item: Item, found: dict[int, Member]) -> None:
        if item.sequence not in found:
            member = member_of(queue, item)
            if member.group_id == group_id:
                found[item.sequence] = member

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
