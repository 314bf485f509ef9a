"""Gets with options for groups and segments: in logical order, only complete messages or groups, reassembled.

This module finds the message; `get.py` gives it to the program like any other. A logical message of several segments
that is wanted whole (MQGMO_COMPLETE_MSG) is reassembled here, in steps: its segments are locked, read one by one, and
taken in one unit of work, the program's or one of the get itself.
"""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQGMO_ALL_MSGS_AVAILABLE,
    MQGMO_ALL_SEGMENTS_AVAILABLE,
    MQGMO_BROWSE_FIRST,
    MQGMO_COMPLETE_MSG,
    MQGMO_LOGICAL_ORDER,
    MQMF_MSG_IN_GROUP,
)
from kew.codes.reasons import (
    MQRC_INCONSISTENT_CCSIDS,
    MQRC_INCONSISTENT_ENCODINGS,
    MQRC_MATCH_OPTIONS_ERROR,
    MQRC_NONE,
)
from kew.formats.mqmd import LENGTH, MessageDescriptor, decode_stored
from kew.mqi.connections.logicalorder import Logical, Progress, progress_of
from kew.queues.cursor import Cursor
from kew.queues.groups import IN_GROUP, SEGMENTED, GroupSearch, Member, member_of
from kew.queues.match import NO_ID, Match
from kew.queues.queue import Queue
from kew.storage.message import WHOLE, MessageRef
from kew.storage.recovery.attempt import Attempt
from kew.storage.unit import Unit

GROUPING: Final = MQGMO_LOGICAL_ORDER | MQGMO_COMPLETE_MSG | MQGMO_ALL_MSGS_AVAILABLE | MQGMO_ALL_SEGMENTS_AVAILABLE
_WHOLE: Final = MQGMO_COMPLETE_MSG | MQGMO_ALL_MSGS_AVAILABLE | MQGMO_ALL_SEGMENTS_AVAILABLE


class GroupedSearch:
    """The state of a search for a message by group; after a search that found nothing, the next begins at the start."""

    def __init__(self, cursor: Cursor, match: Match | None) -> None:
        self.cursor = cursor
        self.match = match  # match criteria of the program
        self.groups = GroupSearch()
        self.next: Match | None = None  # the match criteria of the next message in the group

    def find(self, queue: Queue, options: int, logical: Logical | None) -> MessageRef | None:
        """Give the message for the get. May stall, and is then called again."""
        progress = progress_of(logical, options) if options & MQGMO_LOGICAL_ORDER else None
        if progress is not None and not options & MQGMO_BROWSE_FIRST:
            return self._following(queue, options, progress)
        return self._first(queue, options)

    def _following(self, queue: Queue, options: int, progress: Progress) -> MessageRef | None:
        """Give the next message of the handle's current group or logical message."""
        sequence = progress.sequence if progress.in_message else progress.sequence + 1
        offset = progress.offset if progress.in_message else 0
        wanted = self.match
        if self.next is None:
            self.next = Match(None, None, progress.group_id)
            self.next.place(sequence, offset)
            self.next.selector = None if wanted is None else wanted.selector
        if options & _WHOLE and not offset and self.groups.message(queue, progress.group_id, sequence) is None:
            return None
        item = queue.find(self.next)
        if item is not None and wanted is not None and not queue.matches(item, wanted):
            raise MQError(MQRC_MATCH_OPTIONS_ERROR, group_id=progress.group_id, sequence_number=sequence)
        return item

    def _first(self, queue: Queue, options: int) -> MessageRef | None:
        """Give the next message that begins a group or, without logical order, any message that the options allow."""
        cursor, match = self.cursor, self.match
        while True:
            item = queue.after(cursor)
            if item is None:
                return None
            found = queue.describe(item)
            fits = not (options & MQGMO_LOGICAL_ORDER and found.continues)
            if fits and match is not None:
                fits = queue.matches(item, match)
            if fits and (not found.grouped or self._is_there(queue, options, member_of(queue, item))):
                return item
            cursor.move(item)

    def _is_there(self, queue: Queue, options: int, member: Member) -> bool:
        """Say whether a message's group or logical message is as complete as the options require."""
        if options & MQGMO_COMPLETE_MSG and member.offset:
            return False
        if options & MQGMO_ALL_MSGS_AVAILABLE and member.flags & MQMF_MSG_IN_GROUP:
            return self._complete(queue, member.group_id, 0)
        if options & _WHOLE and member.flags & SEGMENTED:
            return self._complete(queue, member.group_id, member.sequence)
        return True

    def _complete(self, queue: Queue, group_id: bytes, sequence: int) -> bool:
        """Say whether a logical message is complete; with the sequence number 0, whether the group is."""
        if (group_id, sequence) in self.groups.rejected:
            return False
        if sequence:
            complete = self.groups.message(queue, group_id, sequence) is not None
        else:
            complete = self.groups.has_group(queue, group_id)
        if not complete:
            self.groups.rejected.add((group_id, sequence))
        return complete


class Assembly:
    """A logical message of several segments while it is reassembled."""

    def __init__(self, queue: Queue, segments: list[Member], browsing: bool) -> None:
        self.queue = queue
        self.segments = segments
        self.browsing = browsing
        self.locked = 0  # how many of them, from the first on
        self.taken = 0
        self.attempt: Attempt | None = None  # at taking them, once they are read; None when browsing
        self._parts: list[bytes] = []
        self._descriptors: list[MessageDescriptor] = []
        self.descriptor = MessageDescriptor()  # of the whole, once the segments are read

    def hold(self) -> bool:
        """Lock the segments, unless this is a browse; says whether they are still there. May stall."""
        queue = self.queue
        for segment in self.segments[self.locked :]:
            if not queue.still_there(segment.item):
                return False
            if not self.browsing:
                queue.hold(segment.item)
                self.locked += 1
        return True

    def release(self) -> None:
        """Unlock the segments that are locked and not taken."""
        for segment in self.segments[self.taken : self.locked]:
            self.queue.let_go(segment.item)
        self.locked = self.taken

    def read(self) -> None:
        """Read the segments, each once. May stall, and is then called again."""
        while len(self._descriptors) < len(self.segments):
            content = self.queue.describe(self.segments[len(self._descriptors)].item, WHOLE).content
            self._descriptors.append(decode_stored(content, 0))
            self._parts.append(content[LENGTH:])
            if len(self._descriptors) == len(self.segments):
                self.descriptor = self._of_the_whole()

    def data(self) -> bytes:
        """Give the data of the whole message."""
        if len(self._parts) > 1:
            self._parts = [b"".join(self._parts)]
        return self._parts[0]

    def _of_the_whole(self) -> MessageDescriptor:
        """Give the descriptor of the whole message: that of the first segment without its segment fields."""
        whole = self._descriptors[0].copy()
        whole.message_flags &= ~SEGMENTED
        whole.offset = 0
        if not whole.message_flags & IN_GROUP:
            whole.group_id = NO_ID
        return whole

    def reason(self) -> int:
        """Give the reason of the warning if the segments differ in character set or encoding."""
        first = self._descriptors[0]
        for other in self._descriptors:
            if other.ccsid != first.ccsid:
                return MQRC_INCONSISTENT_CCSIDS
            if other.encoding != first.encoding:
                return MQRC_INCONSISTENT_ENCODINGS
        return MQRC_NONE

    def take(self, unit: Unit) -> None:
        """Take the segments off the queue in a unit of work. May stall, and is then called again."""
        while self.taken < len(self.segments):
            self.queue.take(self.segments[self.taken].item, unit)
            self.taken += 1
