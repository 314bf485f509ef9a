"""The match of a get: by message ids, by place in a group, or by the token of a message the client knows."""

from typing import Final

from kew.codes.options import (
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_NEXT,
    MQGMO_CONVERT,
    MQMO_MATCH_CORREL_ID,
    MQMO_MATCH_GROUP_ID,
    MQMO_MATCH_MSG_ID,
    MQMO_MATCH_MSG_SEQ_NUMBER,
    MQMO_MATCH_MSG_TOKEN,
    MQMO_MATCH_OFFSET,
)
from kew.codes.reasons import MQRC_TRUNCATED_MSG_FAILED
from kew.mqi.gets.browsemarks import match_token
from kew.mqi.gets.request import Got
from kew.queues.match import NO_ID, Match

PLACES: Final = MQMO_MATCH_MSG_SEQ_NUMBER | MQMO_MATCH_OFFSET
MATCHES: Final = MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID | MQMO_MATCH_GROUP_ID | PLACES | MQMO_MATCH_MSG_TOKEN


class Cut:
    """A message left on its queue because the client's buffer was too short, and its token."""

    def __init__(self, token: bytes, message_id: bytes, correlation_id: bytes) -> None:
        self.token = token
        self.message_id = message_id
        self.correlation_id = correlation_id


class Tokens:
    """The message tokens of a conversation and the messages that they name."""

    def __init__(self) -> None:
        self._cut: dict[int, Cut] = {}  # by handle, the last message that was too long for the client's buffer
        self._count = 0

    def selected(
        self, number: int, options: int, message_id: bytes, correlation_id: bytes, group_id: bytes, token: bytes
    ) -> Match | None:
        """Give the match of a get; after a truncated message the client asks for the whole message by its token."""
        if not options & MQMO_MATCH_MSG_TOKEN:
            return _match(options, message_id, correlation_id, group_id)
        cut = self._cut.get(number)
        if cut is None or cut.token != token:
            return match_token(_match(options, message_id, correlation_id, group_id), token)
        return Match(cut.message_id, cut.correlation_id, None)

    def of(self, number: int, taken: Got) -> bytes:
        """Give the token of a message, and remember the message if it was too long for the client's buffer."""
        if taken.reason != MQRC_TRUNCATED_MSG_FAILED:
            return taken.token or taken.position.to_bytes(16, "big")
        self._count += 1
        token = self._count.to_bytes(16, "big")
        descriptor = taken.canonical()
        self._cut[number] = Cut(token, descriptor[48:72], descriptor[72:96])
        return token

    def forget(self, number: int) -> None:
        """Forget the tokens of a handle that is closed."""
        self._cut.pop(number, None)


def has_token(taken: Got) -> bool:
    """Say whether the client may get a message again by its token."""
    return bool(taken.token) or taken.position > 0 or taken.reason == MQRC_TRUNCATED_MSG_FAILED


def placed(match: Match | None, options: int, sequence_number: int, offset: int) -> Match | None:
    """Add the place in a group to the match of a get, if the get asks for one."""
    if not options & PLACES:
        return match
    if match is None:
        match = Match()
    match.place(
        max(0, sequence_number) if options & MQMO_MATCH_MSG_SEQ_NUMBER else -1,
        max(0, offset) if options & MQMO_MATCH_OFFSET else -1,
    )
    return match


def plain(options: int) -> int:
    """Give the get options for the queue: without conversion, and with BROWSE_FIRST in place of both browse bits."""
    if options & MQGMO_BROWSE_FIRST:
        options &= ~MQGMO_BROWSE_NEXT
    return options & ~MQGMO_CONVERT


def _match(options: int, message_id: bytes, correlation_id: bytes, group_id: bytes) -> Match | None:
    wanted_message = message_id if options & MQMO_MATCH_MSG_ID and message_id != NO_ID else None
    wanted_correlation = correlation_id if options & MQMO_MATCH_CORREL_ID and correlation_id != NO_ID else None
    wanted_group = group_id if options & MQMO_MATCH_GROUP_ID and group_id != NO_ID else None
    if wanted_message is None and wanted_correlation is None and wanted_group is None:
        return None
    return Match(wanted_message, wanted_correlation, wanted_group)
