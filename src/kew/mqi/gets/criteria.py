"""What a get asks for: the match options and the fields of the descriptor that they name."""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQMO_MATCH_CORREL_ID,
    MQMO_MATCH_GROUP_ID,
    MQMO_MATCH_MSG_ID,
    MQMO_MATCH_MSG_SEQ_NUMBER,
    MQMO_MATCH_OFFSET,
)
from kew.codes.reasons import MQRC_MATCH_OPTIONS_ERROR
from kew.formats.mqmd import MessageDescriptor
from kew.queues.match import NO_ID, Match

_PLACES: Final = MQMO_MATCH_MSG_SEQ_NUMBER | MQMO_MATCH_OFFSET
_MATCHES: Final = MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID | MQMO_MATCH_GROUP_ID | _PLACES


def match_of(options: int, wanted: MessageDescriptor | None) -> Match | None:
    """Give what a get is to match; None where any message will do."""
    if options & ~_MATCHES:
        raise MQError(MQRC_MATCH_OPTIONS_ERROR, match_options=options)
    if wanted is None:
        return None
    message_id = wanted.message_id if options & MQMO_MATCH_MSG_ID and wanted.message_id != NO_ID else None
    correlation_id = (
        wanted.correlation_id if options & MQMO_MATCH_CORREL_ID and wanted.correlation_id != NO_ID else None
    )
    group_id = wanted.group_id if options & MQMO_MATCH_GROUP_ID and wanted.group_id != NO_ID else None
    if not options & _PLACES:
        if message_id is None and correlation_id is None and group_id is None:
            return None
        return Match(message_id, correlation_id, group_id)
    match = Match(message_id, correlation_id, group_id)
    match.place(
        max(0, wanted.sequence_number) if options & MQMO_MATCH_MSG_SEQ_NUMBER else -1,
        max(0, wanted.offset) if options & MQMO_MATCH_OFFSET else -1,
    )
    return match
