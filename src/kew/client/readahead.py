"""Reading ahead: messages that the server sends to a handle before the program gets them.

A handle reads ahead if it was opened for read-ahead (MQOO_READ_AHEAD, or MQOO_READ_AHEAD_AS_Q_DEF with DEFREADA(YES)),
to get or to browse but not both, on a channel that shares conversations. DEFREADA(DISABLED) of the queue forbids
read-ahead. Programs on the queue manager's own machine never read ahead, as with MQ's local bindings, unless they pass
`read_ahead` to kew.client.

MQ's table of options permitted with read-ahead applies to the gets of the handle:

1. The first get decides: with an option that is not permitted, the handle does not read ahead at all.
2. In later gets such an option is MQRC_OPTIONS_ERROR. A change of a fixed option (browsing or getting, conversion,
   truncation, the form of properties) is MQRC_OPTIONS_CHANGED.
3. Message and correlation id may change. A matching message read ahead is taken first; the others stay until a
   get matches them.
   In a browse the ids must not change: messages between the program's cursor and the server's would be left out.

The server sends whole messages, whatever the length of the program's buffer, and the client cuts them.

In a unit of work (MQGMO_SYNCPOINT) MQ reads nothing ahead. Kew does if both sides are Kew, for a handle whose first get
matches any message: the messages are only reserved, and before the unit of work ends the client reports which of them
the program has had. The first get with another match releases the rest, and from then on the handle does not read
ahead.
"""

from collections import deque
from typing import Final

from kew.channels.protocol.delivery import (
    MATCH_CORRELATION_ID,
    MATCH_GROUP_ID,
    MATCH_MESSAGE_ID,
    Message,
    Selection,
)
from kew.codes.attributes import MQREADA_DISABLED, MQREADA_YES
from kew.codes.errors import MQError
from kew.codes.options import (
    MQGMO_ACCEPT_TRUNCATED_MSG,
    MQGMO_ALL_MSGS_AVAILABLE,
    MQGMO_ALL_SEGMENTS_AVAILABLE,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT,
    MQGMO_COMPLETE_MSG,
    MQGMO_CONVERT,
    MQGMO_LOCK,
    MQGMO_LOGICAL_ORDER,
    MQGMO_MARK_BROWSE_CO_OP,
    MQGMO_MARK_BROWSE_HANDLE,
    MQGMO_MARK_SKIP_BACKOUT,
    MQGMO_MSG_UNDER_CURSOR,
    MQGMO_NO_PROPERTIES,
    MQGMO_PROPERTIES_COMPATIBILITY,
    MQGMO_PROPERTIES_FORCE_MQRFH2,
    MQGMO_PROPERTIES_IN_HANDLE,
    MQGMO_SET_SIGNAL,
    MQGMO_SYNCPOINT,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
    MQGMO_UNLOCK,
    MQGMO_UNMARK_BROWSE_CO_OP,
    MQGMO_UNMARK_BROWSE_HANDLE,
    MQGMO_UNMARKED_BROWSE_MSG,
    MQOO_BROWSE,
    MQOO_INPUT_AS_Q_DEF,
    MQOO_INPUT_EXCLUSIVE,
    MQOO_INPUT_SHARED,
    MQOO_NO_READ_AHEAD,
    MQOO_READ_AHEAD,
)
from kew.codes.reasons import MQRC_OPTIONS_ERROR

READ_AHEAD_WINDOW: Final = 1 << 20  # bytes of messages that may have come and not been taken
ONE_MESSAGE: Final = 1  # the window of a handle without read-ahead
UNSETTLED: Final = -1  # no get has yet decided what all gets of the handle must share

BROWSING: Final = MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT | MQGMO_BROWSE_MSG_UNDER_CURSOR
_INPUT: Final = MQOO_INPUT_AS_Q_DEF | MQOO_INPUT_SHARED | MQOO_INPUT_EXCLUSIVE
_WISHES: Final = MQOO_READ_AHEAD | MQOO_NO_READ_AHEAD
_NOT_PERMITTED: Final = (
    MQGMO_SET_SIGNAL
    | MQGMO_SYNCPOINT
    | MQGMO_MARK_SKIP_BACKOUT
    | MQGMO_MSG_UNDER_CURSOR
    | MQGMO_LOCK
    | MQGMO_UNLOCK
    | MQGMO_LOGICAL_ORDER
    | MQGMO_COMPLETE_MSG
    | MQGMO_ALL_MSGS_AVAILABLE
    | MQGMO_ALL_SEGMENTS_AVAILABLE
    | MQGMO_MARK_BROWSE_HANDLE
    | MQGMO_MARK_BROWSE_CO_OP
    | MQGMO_UNMARK_BROWSE_HANDLE
    | MQGMO_UNMARK_BROWSE_CO_OP
    | MQGMO_UNMARKED_BROWSE_MSG
)
_SAME_THROUGHOUT: Final = (
    MQGMO_SYNCPOINT_IF_PERSISTENT
    | MQGMO_ACCEPT_TRUNCATED_MSG
    | MQGMO_CONVERT
    | MQGMO_PROPERTIES_FORCE_MQRFH2
    | MQGMO_PROPERTIES_IN_HANDLE
    | MQGMO_PROPERTIES_COMPATIBILITY
    | MQGMO_NO_PROPERTIES
)
# A get in a unit of work, or a browse that begins at the first message, asks for one message.
_ONE_AT_A_TIME: Final = MQGMO_SYNCPOINT | MQGMO_SYNCPOINT_IF_PERSISTENT | MQGMO_BROWSE_FIRST
_IDS: Final = MATCH_MESSAGE_ID | MATCH_CORRELATION_ID | MATCH_GROUP_ID
_NOBODY: Final = b"\xff" * 24  # an id that no message has


def check_open(options: int) -> None:
    """Refuse to open with options that exclude each other."""
    if options & _WISHES == _WISHES:
        raise MQError(MQRC_OPTIONS_ERROR, options=options)


def window_of(open_options: int, default: int, wanted: bool = False) -> int:
    """Give the window of a handle by its open options; `default` is DEFREADA, -1 where the server does not send it."""
    if default == MQREADA_DISABLED or open_options & MQOO_NO_READ_AHEAD:
        return ONE_MESSAGE
    if not (wanted or open_options & MQOO_READ_AHEAD or default == MQREADA_YES):
        return ONE_MESSAGE
    gets, browses = open_options & _INPUT != 0, open_options & MQOO_BROWSE != 0
    return READ_AHEAD_WINDOW if gets != browses else ONE_MESSAGE


def window_for(window: int, options: int) -> int:
    """Give the number of bytes that a request asks for on a handle with such a window."""
    return ONE_MESSAGE if options & _ONE_AT_A_TIME else window


def same(one: Selection, other: Selection, options: int) -> bool:
    """Say whether two gets want the same messages in the same form."""
    match = one.match_options
    if match != other.match_options or one.descriptor_version != other.descriptor_version:
        return False
    if options & MQGMO_CONVERT and (one.ccsid != other.ccsid or one.encoding != other.encoding):
        return False
    return match == 0 or (
        one.message_id == other.message_id
        and one.correlation_id == other.correlation_id
        and one.group_id == other.group_id
        and one.token == other.token
        and one.sequence_number == other.sequence_number
        and one.offset == other.offset
    )


def differs_in_form(before: Selection, now: Selection, options: int) -> bool:
    """Say whether a get wants messages in another form than the get before it; a browse must match the same ids too."""
    if options & BROWSING:
        return not options & (MQGMO_BROWSE_FIRST | MQGMO_BROWSE_MSG_UNDER_CURSOR) and not same(before, now, options)
    converts = options & MQGMO_CONVERT != 0
    return before.descriptor_version != now.descriptor_version or (
        converts and (before.ccsid != now.ccsid or before.encoding != now.encoding)
    )


def fits(message: Message, selection: Selection, index: int) -> bool:
    """Say whether a received message matches a get; `index` is that of the selection in force."""
    match = selection.match_options
    if not match or not message.descriptor or message.selection_index == index:
        return True
    if match & ~_IDS:
        return False
    descriptor = message.descriptor
    return (
        (not match & MATCH_MESSAGE_ID or descriptor[48:72] == selection.message_id)
        and (not match & MATCH_CORRELATION_ID or descriptor[72:96] == selection.correlation_id)
        and (not match & MATCH_GROUP_ID or descriptor[324:348] == selection.group_id)
    )


def find(waiting: "deque[Message] | None", selection: Selection, index: int) -> int:
    """Give the position of the first message that matches a get; -1 for none."""
    if not waiting:
        return -1
    for place, message in enumerate(waiting):
        if fits(message, selection, index):
            return place
    return -1


def nobody() -> Selection:
    """Make a selection that matches no message."""
    selection = Selection()
    selection.match_options = MATCH_MESSAGE_ID
    selection.message_id = _NOBODY
    return selection


def constant_of(options: int) -> int:
    """Give the options that all gets of a handle with read-ahead must share."""
    return options & _SAME_THROUGHOUT | (MQGMO_BROWSE_NEXT if options & BROWSING else 0)


def permitted(options: int) -> bool:
    """Say whether a get with such options is permitted on a handle with read-ahead."""
    return not options & _NOT_PERMITTED


def may_reserve(selection: Selection, options: int) -> bool:
    """Say whether a get in a unit of work may be read ahead."""
    in_unit = options & MQGMO_SYNCPOINT != 0 and not options & (_NOT_PERMITTED & ~MQGMO_SYNCPOINT)
    return in_unit and not options & BROWSING and not selection.match_options


def may_begin(options: int) -> bool:
    """Say whether a handle reads ahead if its first get has such options."""
    return not options & (_NOT_PERMITTED | MQGMO_SYNCPOINT_IF_PERSISTENT)
