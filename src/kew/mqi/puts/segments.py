"""Cuts a message that is too long for its queue into segments (MQMF_SEGMENTATION_ALLOWED)."""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import MQMF_LAST_SEGMENT, MQMF_SEGMENT
from kew.codes.reasons import MQRC_OFFSET_ERROR
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.engine import IdGenerator
from kew.queues.match import NO_ID

LEAST_SEGMENT: Final = 16  # segments but the last are a multiple of this long, so that no number or character is cut
_HIGHEST: Final = 999999999


def split(
    descriptor: MessageDescriptor, data: bytes, most: int, ids: IdGenerator, new_ids: bool
) -> list[tuple[MessageDescriptor, bytes]]:
    """Give the segments of a message; the descriptor of the first is the one given.

    All have the message's id, unless new ones are asked for. One that is a segment itself is cut further.
    """
    size = most // LEAST_SEGMENT * LEAST_SEGMENT
    start = descriptor.offset
    ends = not descriptor.message_flags & MQMF_SEGMENT or descriptor.message_flags & MQMF_LAST_SEGMENT
    if start + len(data) > _HIGHEST:
        raise MQError(MQRC_OFFSET_ERROR, offset=start, length=len(data))
    if descriptor.group_id == NO_ID:
        descriptor.group_id = ids.next()
    descriptor.message_flags = descriptor.message_flags & ~MQMF_LAST_SEGMENT | MQMF_SEGMENT
    segments = [(descriptor, data[:size])]
    for offset in range(size, len(data), size):
        segment = descriptor.copy()
        segment.offset = start + offset
        if new_ids:
            segment.message_id = ids.next()
        if ends and offset + size >= len(data):
            segment.message_flags |= MQMF_LAST_SEGMENT
        segments.append((segment, data[offset : offset + size]))
    return segments
