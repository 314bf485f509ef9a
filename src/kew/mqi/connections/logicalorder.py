"""Logical order: the position of a handle in a message group and in a logical message.

With MQPMO_LOGICAL_ORDER and MQGMO_LOGICAL_ORDER the queue manager keeps group id, sequence number and offset for each
handle, separately for puts, gets and browses. A call that does not continue the group is refused. A call without
logical order in the middle of a group succeeds with a warning, and the queue manager forgets the group.
"""

from typing import Final

from kew.codes.completion import MQCC_WARNING
from kew.codes.errors import MQError
from kew.codes.options import (
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT,
    MQGMO_LOGICAL_ORDER,
    MQGMO_SYNCPOINT,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
    MQGS_LAST_MSG_IN_GROUP,
    MQGS_MSG_IN_GROUP,
    MQGS_NOT_IN_GROUP,
    MQMF_ACCEPT_UNSUP_MASK,
    MQMF_LAST_MSG_IN_GROUP,
    MQMF_LAST_SEGMENT,
    MQMF_MSG_IN_GROUP,
    MQMF_SEGMENT,
    MQMF_SEGMENTATION_ALLOWED,
    MQMT_REPORT,
    MQOL_UNDEFINED,
    MQPER_PERSISTENT,
    MQPMO_LOGICAL_ORDER,
    MQPMO_SYNCPOINT,
    MQSEG_ALLOWED,
    MQSEG_INHIBITED,
    MQSS_LAST_SEGMENT,
    MQSS_NOT_A_SEGMENT,
    MQSS_SEGMENT,
)
from kew.codes.reasons import (
    MQRC_INCOMPLETE_GROUP,
    MQRC_INCOMPLETE_MSG,
    MQRC_INCONSISTENT_PERSISTENCE,
    MQRC_INCONSISTENT_UOW,
    MQRC_MSG_FLAGS_ERROR,
    MQRC_MSG_SEQ_NUMBER_ERROR,
    MQRC_NONE,
    MQRC_OFFSET_ERROR,
    MQRC_ORIGINAL_LENGTH_ERROR,
    MQRC_SEGMENT_LENGTH_ZERO,
)
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.engine import IdGenerator
from kew.queues.cursor import Cursor
from kew.queues.match import NO_ID

HIGHEST: Final = 999999999  # sequence number, offset

_GROUPS: Final = MQMF_MSG_IN_GROUP | MQMF_LAST_MSG_IN_GROUP
_SEGMENTS: Final = MQMF_SEGMENT | MQMF_LAST_SEGMENT
_KNOWN: Final = _GROUPS | _SEGMENTS | MQMF_SEGMENTATION_ALLOWED
_ACCEPTED: Final = MQMF_ACCEPT_UNSUP_MASK - (1 << 32)  # the same bits, as the signed number that a descriptor holds
_BROWSES: Final = MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT | MQGMO_BROWSE_MSG_UNDER_CURSOR
_SYNCPOINTS: Final = MQGMO_SYNCPOINT | MQGMO_SYNCPOINT_IF_PERSISTENT


class Progress:
    """The position of a handle in a group; an instance is never changed, only replaced."""

    def __init__(
        self, group_id: bytes, sequence: int, offset: int, flags: int, in_unit: bool, persistent: bool
    ) -> None:
        self.group_id = group_id
        self.sequence = sequence  # of the logical message that the last physical one belongs to
        self.offset = offset  # of the next segment of this logical message
        self.flags = flags  # of the last physical message
        self.in_unit = in_unit
        self.persistent = persistent

    @property
    def in_message(self) -> bool:
        """Say whether further segments of the logical message follow."""
        return self.flags & _SEGMENTS == MQMF_SEGMENT

    @property
    def in_group(self) -> bool:
        """Say whether further messages of the group follow, or may follow the segments."""
        return self.flags & _GROUPS == MQMF_MSG_IN_GROUP

    @property
    def open(self) -> bool:
        """Say whether the group or the logical message is incomplete."""
        return self.in_message or self.in_group

    def left(self) -> int:
        """Give MQRC_INCOMPLETE_MSG for an incomplete message, MQRC_INCOMPLETE_GROUP for a group only, or MQRC_NONE."""
        if self.in_message:
            return MQRC_INCOMPLETE_MSG
        return MQRC_INCOMPLETE_GROUP if self.in_group else MQRC_NONE


class Logical:
    """The position of a handle in message groups: one each for puts, gets and browses."""

    def __init__(self) -> None:
        self.put: Progress | None = None
        self.got: Progress | None = None
        self.browsed: Progress | None = None
        self.anchor: Cursor | None = None  # the position for browsing on after the group: its first message
        self.putting: Progress | None = None  # the value of `put` once the message is stored

    def was_put(self) -> None:
        """Move to the position after the message of the current put, once that message is stored."""
        self.put = self.putting

    def left(self) -> int:
        """Give the warning's reason for a handle that is closed with a group or message incomplete; else MQRC_NONE."""
        reason = MQRC_NONE
        for progress in (self.put, self.got):
            if progress is not None:
                left = progress.left()
                if left == MQRC_INCOMPLETE_MSG or not reason:
                    reason = left
        return reason


def warning(reason: int) -> MQError:
    """Make the warning with which the current call succeeds, from its reason."""
    return MQError(reason, completion=MQCC_WARNING)


def group_status(flags: int) -> int:
    """Give the GroupStatus of a message that was got."""
    if flags & MQMF_LAST_MSG_IN_GROUP:
        return MQGS_LAST_MSG_IN_GROUP
    return MQGS_MSG_IN_GROUP if flags & MQMF_MSG_IN_GROUP else MQGS_NOT_IN_GROUP


def segment_status(flags: int) -> int:
    """Give the SegmentStatus of a message that was got."""
    if flags & MQMF_LAST_SEGMENT:
        return MQSS_LAST_SEGMENT
    return MQSS_SEGMENT if flags & MQMF_SEGMENT else MQSS_NOT_A_SEGMENT


def segmentation(flags: int) -> int:
    """Give the Segmentation of a message that was got."""
    return MQSEG_ALLOWED if flags & MQMF_SEGMENTATION_ALLOWED else MQSEG_INHIBITED


# -- puts -------------------------------------------------------------------------------------------------------------


def place_put(logical: Logical, ids: IdGenerator, descriptor: MessageDescriptor, options: int, length: int) -> int:
    """Check the group fields of a message that is put, and complete them; `logical` keeps the new position.

    Gives the reason of a warning if the program has left a group incomplete.
    """
    flags = descriptor.message_flags
    if flags & ~(_KNOWN | _ACCEPTED):
        raise MQError(MQRC_MSG_FLAGS_ERROR, message_flags=flags)
    if flags & MQMF_LAST_MSG_IN_GROUP:
        flags |= MQMF_MSG_IN_GROUP
    if flags & MQMF_LAST_SEGMENT:
        flags |= MQMF_SEGMENT
    in_unit = options & MQPMO_SYNCPOINT != 0
    persistent = descriptor.persistence == MQPER_PERSISTENT
    before = logical.put if logical.put is not None and logical.put.open else None
    warned = MQRC_NONE
    if options & MQPMO_LOGICAL_ORDER:
        if before is not None:
            _check_next(before, flags, in_unit, persistent)
        _order(before, ids, descriptor, flags)
    else:
        if before is not None:
            warned = before.left()
        _check_own(descriptor, flags, ids)
    if flags & _SEGMENTS == MQMF_SEGMENT and not length:
        raise MQError(MQRC_SEGMENT_LENGTH_ZERO)
    if flags & MQMF_SEGMENT and descriptor.offset + length > HIGHEST:
        raise MQError(MQRC_OFFSET_ERROR, offset=descriptor.offset, length=length)
    _check_original_length(descriptor, flags, length)
    descriptor.message_flags = flags
    logical.putting = None
    if options & MQPMO_LOGICAL_ORDER and flags & (_GROUPS | _SEGMENTS):
        logical.putting = Progress(
            descriptor.group_id, descriptor.sequence_number, descriptor.offset + length, flags, in_unit, persistent
        )
    return warned


def _check_next(before: Progress, flags: int, in_unit: bool, persistent: bool) -> None:
    """Refuse a message that cannot continue the handle's current group or logical message."""
    if before.in_message:
        same_group = flags & _GROUPS == before.flags & _GROUPS
        if not flags & MQMF_SEGMENT or not same_group:
            raise MQError(MQRC_INCOMPLETE_MSG)
    elif not flags & MQMF_MSG_IN_GROUP:
        raise MQError(MQRC_INCOMPLETE_GROUP)
    if before.persistent != persistent:
        raise MQError(MQRC_INCONSISTENT_PERSISTENCE)
    if before.in_unit != in_unit:
        raise MQError(MQRC_INCONSISTENT_UOW)


def _order(before: Progress | None, ids: IdGenerator, descriptor: MessageDescriptor, flags: int) -> None:
    """Set the sequence number and offset of a message in a group, so that it follows the message before it."""
    descriptor.offset = 0
    descriptor.sequence_number = 1
    if before is None:
        descriptor.group_id = ids.next() if flags & (_GROUPS | _SEGMENTS) else NO_ID
        return
    descriptor.group_id = before.group_id
    if before.in_message:
        descriptor.sequence_number = before.sequence
        descriptor.offset = before.offset
    else:
        descriptor.sequence_number = before.sequence + 1
        if descriptor.sequence_number > HIGHEST:
            raise MQError(MQRC_MSG_SEQ_NUMBER_ERROR, sequence_number=descriptor.sequence_number)


def _check_own(descriptor: MessageDescriptor, flags: int, ids: IdGenerator) -> None:
    """Check the group fields that a program sets itself; a message outside groups has no group id."""
    if not flags & MQMF_SEGMENT:
        descriptor.offset = 0
    if not flags & MQMF_MSG_IN_GROUP:
        descriptor.sequence_number = 1
    if not flags & (_GROUPS | _SEGMENTS):
        descriptor.group_id = NO_ID
        return
    if not (1 <= descriptor.sequence_number <= HIGHEST):
        raise MQError(MQRC_MSG_SEQ_NUMBER_ERROR, sequence_number=descriptor.sequence_number)
    if not (0 <= descriptor.offset <= HIGHEST):
        raise MQError(MQRC_OFFSET_ERROR, offset=descriptor.offset)
    if descriptor.group_id == NO_ID:
        descriptor.group_id = ids.next()


def _check_original_length(descriptor: MessageDescriptor, flags: int, length: int) -> None:
    """Check OriginalLength: only the report on a segment has one."""
    original = descriptor.original_length
    if descriptor.message_type != MQMT_REPORT or not flags & MQMF_SEGMENT:
        descriptor.original_length = MQOL_UNDEFINED
    elif original != MQOL_UNDEFINED and not length <= original <= HIGHEST:
        raise MQError(MQRC_ORIGINAL_LENGTH_ERROR, original_length=original)


# -- gets -------------------------------------------------------------------------------------------------------------


def progress_of(logical: Logical | None, options: int) -> Progress | None:
    """Give the position of a handle's gets, or browses, in a group or logical message; None if none is incomplete."""
    if logical is None:
        return None
    progress = logical.browsed if options & _BROWSES else logical.got
    return progress if progress is not None and progress.open else None


def check_get_order(logical: Logical, options: int) -> None:
    """Refuse a get in logical order in a unit of work if the get before it was in none, or the reverse."""
    progress = progress_of(logical, options)
    if progress is None or options & _BROWSES or not options & MQGMO_LOGICAL_ORDER:
        return
    if progress.in_unit != (options & _SYNCPOINTS != 0):
        raise MQError(MQRC_INCONSISTENT_UOW)


def was_got(logical: Logical, options: int, descriptor: MessageDescriptor, length: int, at: Cursor | None) -> int:
    """Note the position after a message that was got; gives the reason of a warning if a group was left incomplete."""
    before = progress_of(logical, options)
    after: Progress | None = None
    reason = MQRC_NONE
    flags = descriptor.message_flags
    if options & MQGMO_LOGICAL_ORDER:
        if flags & (_GROUPS | _SEGMENTS):
            in_unit = options & _SYNCPOINTS != 0
            persistent = descriptor.persistence == MQPER_PERSISTENT
            group_id, sequence = descriptor.group_id, descriptor.sequence_number
            after = Progress(group_id, sequence, descriptor.offset + length, flags, in_unit, persistent)
    elif before is not None:
        reason = before.left()
    if options & _BROWSES:
        logical.browsed = after
        if before is None or not options & MQGMO_LOGICAL_ORDER:
            logical.anchor = at.copy() if after is not None and at is not None else None
        return reason
    logical.got = after
    return reason
