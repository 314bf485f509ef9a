"""The options of each verb: which are accepted, and which exclude each other.

Each option is effective, or asks for behaviour that Kew always has (read-ahead, binding and asynchronous puts concern
clients and clusters), or is refused. Options for signals are refused. Conversion is done by the edges, which remove
MQGMO_CONVERT before the engine sees the options.
"""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQCO_DELETE,
    MQCO_DELETE_PURGE,
    MQCO_KEEP_SUB,
    MQCO_QUIESCE,
    MQCO_REMOVE_SUB,
    MQGMO_ACCEPT_TRUNCATED_MSG,
    MQGMO_ALL_MSGS_AVAILABLE,
    MQGMO_ALL_SEGMENTS_AVAILABLE,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT,
    MQGMO_COMPLETE_MSG,
    MQGMO_FAIL_IF_QUIESCING,
    MQGMO_LOCK,
    MQGMO_LOGICAL_ORDER,
    MQGMO_MARK_BROWSE_CO_OP,
    MQGMO_MARK_BROWSE_HANDLE,
    MQGMO_MSG_UNDER_CURSOR,
    MQGMO_NO_PROPERTIES,
    MQGMO_NO_SYNCPOINT,
    MQGMO_PROPERTIES_COMPATIBILITY,
    MQGMO_PROPERTIES_FORCE_MQRFH2,
    MQGMO_PROPERTIES_IN_HANDLE,
    MQGMO_SYNCPOINT,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
    MQGMO_UNLOCK,
    MQGMO_UNMARK_BROWSE_CO_OP,
    MQGMO_UNMARK_BROWSE_HANDLE,
    MQGMO_UNMARKED_BROWSE_MSG,
    MQGMO_WAIT,
    MQOO_ALTERNATE_USER_AUTHORITY,
    MQOO_BIND_NOT_FIXED,
    MQOO_BIND_ON_GROUP,
    MQOO_BIND_ON_OPEN,
    MQOO_BROWSE,
    MQOO_CO_OP,
    MQOO_FAIL_IF_QUIESCING,
    MQOO_INPUT_AS_Q_DEF,
    MQOO_INPUT_EXCLUSIVE,
    MQOO_INPUT_SHARED,
    MQOO_INQUIRE,
    MQOO_NO_MULTICAST,
    MQOO_NO_READ_AHEAD,
    MQOO_OUTPUT,
    MQOO_PASS_ALL_CONTEXT,
    MQOO_PASS_IDENTITY_CONTEXT,
    MQOO_READ_AHEAD,
    MQOO_RESOLVE_LOCAL_Q,
    MQOO_RESOLVE_NAMES,
    MQOO_SAVE_ALL_CONTEXT,
    MQOO_SET,
    MQOO_SET_ALL_CONTEXT,
    MQOO_SET_IDENTITY_CONTEXT,
    MQPMO_ALTERNATE_USER_AUTHORITY,
    MQPMO_ASYNC_RESPONSE,
    MQPMO_DEFAULT_CONTEXT,
    MQPMO_FAIL_IF_QUIESCING,
    MQPMO_LOGICAL_ORDER,
    MQPMO_NEW_CORREL_ID,
    MQPMO_NEW_MSG_ID,
    MQPMO_NO_CONTEXT,
    MQPMO_NO_SYNCPOINT,
    MQPMO_NOT_OWN_SUBS,
    MQPMO_PASS_ALL_CONTEXT,
    MQPMO_PASS_IDENTITY_CONTEXT,
    MQPMO_RESOLVE_LOCAL_Q,
    MQPMO_RETAIN,
    MQPMO_SCOPE_QMGR,
    MQPMO_SET_ALL_CONTEXT,
    MQPMO_SET_IDENTITY_CONTEXT,
    MQPMO_SUPPRESS_REPLYTO,
    MQPMO_SYNC_RESPONSE,
    MQPMO_SYNCPOINT,
    MQPMO_WARN_IF_NO_SUBS_MATCHED,
)
from kew.codes.reasons import MQRC_OPTION_NOT_VALID_FOR_TYPE, MQRC_OPTIONS_ERROR

INPUT: Final = MQOO_INPUT_AS_Q_DEF | MQOO_INPUT_SHARED | MQOO_INPUT_EXCLUSIVE
_ACCESS: Final = INPUT | MQOO_BROWSE | MQOO_OUTPUT | MQOO_INQUIRE | MQOO_SET
_BINDS: Final = MQOO_BIND_ON_OPEN | MQOO_BIND_NOT_FIXED | MQOO_BIND_ON_GROUP
_READ_AHEADS: Final = MQOO_READ_AHEAD | MQOO_NO_READ_AHEAD
_OPEN_CONTEXTS: Final = (
    MQOO_PASS_IDENTITY_CONTEXT | MQOO_PASS_ALL_CONTEXT | MQOO_SET_IDENTITY_CONTEXT | MQOO_SET_ALL_CONTEXT
)
_FOR_OUTPUT: Final = _OPEN_CONTEXTS | MQOO_NO_MULTICAST
# Options of an open for output only, of a topic or a distribution list too.
OUTPUT_OPTIONS: Final = MQOO_OUTPUT | _OPEN_CONTEXTS | MQOO_ALTERNATE_USER_AUTHORITY | MQOO_FAIL_IF_QUIESCING | _BINDS
OPEN: Final = (
    _ACCESS
    | _BINDS
    | _READ_AHEADS
    | _FOR_OUTPUT
    | MQOO_SAVE_ALL_CONTEXT
    | MQOO_ALTERNATE_USER_AUTHORITY
    | MQOO_FAIL_IF_QUIESCING
    | MQOO_RESOLVE_NAMES
    | MQOO_RESOLVE_LOCAL_Q
    | MQOO_CO_OP
)
_PUT_CONTEXTS: Final = (
    MQPMO_NO_CONTEXT
    | MQPMO_DEFAULT_CONTEXT
    | MQPMO_PASS_IDENTITY_CONTEXT
    | MQPMO_PASS_ALL_CONTEXT
    | MQPMO_SET_IDENTITY_CONTEXT
    | MQPMO_SET_ALL_CONTEXT
)
_PUT_SYNCPOINTS: Final = MQPMO_SYNCPOINT | MQPMO_NO_SYNCPOINT
_RESPONSES: Final = MQPMO_SYNC_RESPONSE | MQPMO_ASYNC_RESPONSE
PUT: Final = (
    _PUT_SYNCPOINTS
    | _PUT_CONTEXTS
    | _RESPONSES
    | MQPMO_NEW_MSG_ID
    | MQPMO_NEW_CORREL_ID
    | MQPMO_FAIL_IF_QUIESCING
    | MQPMO_RESOLVE_LOCAL_Q
    | MQPMO_LOGICAL_ORDER
)
PUBLISH: Final = (
    (PUT & ~MQPMO_LOGICAL_ORDER)
    | MQPMO_RETAIN
    | MQPMO_NOT_OWN_SUBS
    | MQPMO_SUPPRESS_REPLYTO
    | MQPMO_WARN_IF_NO_SUBS_MATCHED
    | MQPMO_SCOPE_QMGR
)
NOT_FOR_QUEUES: Final = ~PUT
NOT_FOR_TOPICS: Final = ~PUBLISH
_BROWSES: Final = MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT | MQGMO_BROWSE_MSG_UNDER_CURSOR
_MARKS: Final = MQGMO_MARK_BROWSE_HANDLE | MQGMO_MARK_BROWSE_CO_OP
_UNMARKS: Final = MQGMO_UNMARK_BROWSE_HANDLE | MQGMO_UNMARK_BROWSE_CO_OP
_MARKING: Final = _MARKS | _UNMARKS | MQGMO_UNMARKED_BROWSE_MSG
_NOT_MARKED: Final = (
    MQGMO_LOCK
    | MQGMO_UNLOCK
    | MQGMO_LOGICAL_ORDER
    | MQGMO_COMPLETE_MSG
    | MQGMO_ALL_MSGS_AVAILABLE
    | MQGMO_ALL_SEGMENTS_AVAILABLE
)
_SYNCPOINTS: Final = MQGMO_SYNCPOINT | MQGMO_NO_SYNCPOINT | MQGMO_SYNCPOINT_IF_PERSISTENT
_PROPERTIES: Final = (
    MQGMO_PROPERTIES_FORCE_MQRFH2 | MQGMO_NO_PROPERTIES | MQGMO_PROPERTIES_IN_HANDLE | MQGMO_PROPERTIES_COMPATIBILITY
)
GET: Final = (
    MQGMO_WAIT
    | MQGMO_ACCEPT_TRUNCATED_MSG
    | MQGMO_FAIL_IF_QUIESCING
    | MQGMO_LOCK
    | MQGMO_UNLOCK
    | MQGMO_MSG_UNDER_CURSOR
    | MQGMO_LOGICAL_ORDER
    | MQGMO_COMPLETE_MSG
    | MQGMO_ALL_MSGS_AVAILABLE
    | MQGMO_ALL_SEGMENTS_AVAILABLE
    | _MARKING
    | _BROWSES
    | _SYNCPOINTS
    | _PROPERTIES
)
_DELETES: Final = MQCO_DELETE | MQCO_DELETE_PURGE
_SUBSCRIPTION: Final = MQCO_KEEP_SUB | MQCO_REMOVE_SUB
CLOSE: Final = _DELETES | _SUBSCRIPTION | MQCO_QUIESCE
_OPEN_OF_PUT1: Final = (
    (MQPMO_PASS_IDENTITY_CONTEXT, MQOO_PASS_IDENTITY_CONTEXT),
    (MQPMO_PASS_ALL_CONTEXT, MQOO_PASS_ALL_CONTEXT),
    (MQPMO_SET_IDENTITY_CONTEXT, MQOO_SET_IDENTITY_CONTEXT),
    (MQPMO_SET_ALL_CONTEXT, MQOO_SET_ALL_CONTEXT),
    (MQPMO_ALTERNATE_USER_AUTHORITY, MQOO_ALTERNATE_USER_AUTHORITY),
)


def _more_than_one(options: int) -> bool:
    return options & (options - 1) != 0


def check_open(options: int) -> None:
    """Refuse open options that are unknown, exclude each other or lack another that they need."""
    if options & ~OPEN:
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if _more_than_one(options & INPUT) or _more_than_one(options & _BINDS) or _more_than_one(options & _READ_AHEADS):
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if not options & _ACCESS:
        raise MQError(MQRC_OPTIONS_ERROR, options=options, expected="an access option such as MQOO_OUTPUT")
    if options & MQOO_SAVE_ALL_CONTEXT and not options & INPUT:
        raise MQError(MQRC_OPTIONS_ERROR, options=options, expected="input, for MQOO_SAVE_ALL_CONTEXT")
    if options & MQOO_CO_OP and not options & MQOO_BROWSE:
        raise MQError(MQRC_OPTIONS_ERROR, options=options, expected="MQOO_BROWSE, for MQOO_CO_OP")
    if options & _FOR_OUTPUT and not options & MQOO_OUTPUT:
        raise MQError(MQRC_OPTIONS_ERROR, options=options, expected="MQOO_OUTPUT")


def check_put(options: int, not_allowed: int = NOT_FOR_QUEUES) -> None:
    """Refuse put options that are not allowed for a target or exclude each other.

    MQPMO_SCOPE_QMGR is allowed for a topic and changes nothing, since there are no clusters.
    """
    if options & not_allowed or _more_than_one(options & _PUT_CONTEXTS):
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if options & _PUT_SYNCPOINTS == _PUT_SYNCPOINTS or options & _RESPONSES == _RESPONSES:
        raise MQError(MQRC_OPTIONS_ERROR, options=options)


def check_get(options: int) -> None:
    """Refuse get options that are unknown or exclude each other."""
    if options & ~GET or _more_than_one(options & _SYNCPOINTS):
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if _more_than_one(options & (_BROWSES | MQGMO_MSG_UNDER_CURSOR)) or _more_than_one(options & _PROPERTIES):
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if options & _BROWSES and options & (MQGMO_SYNCPOINT | MQGMO_SYNCPOINT_IF_PERSISTENT):
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if options & MQGMO_SYNCPOINT_IF_PERSISTENT and options & MQGMO_COMPLETE_MSG:
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if options & MQGMO_LOCK and not options & _BROWSES:
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if options & MQGMO_UNLOCK and options & ~(MQGMO_UNLOCK | MQGMO_NO_SYNCPOINT):
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if options & _MARKING:
        _check_marks(options)


def _check_marks(options: int) -> None:
    """Refuse browse mark options that exclude each other, or that are given without a browse."""
    if _more_than_one(options & _MARKS) or options & _NOT_MARKED:
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if options & _UNMARKS:
        if _more_than_one(options & _UNMARKS) or options & ~(_UNMARKS | MQGMO_NO_SYNCPOINT | MQGMO_FAIL_IF_QUIESCING):
            raise MQError(MQRC_OPTIONS_ERROR, options=options)
    elif not options & _BROWSES:
        raise MQError(MQRC_OPTIONS_ERROR, options=options, expected="a browse option")


def check_close(options: int) -> None:
    """Refuse close options that are unknown, exclude each other or belong to subscriptions."""
    if options & ~CLOSE or _more_than_one(options & _DELETES) or _more_than_one(options & _SUBSCRIPTION):
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if options & _SUBSCRIPTION:
        raise MQError(MQRC_OPTION_NOT_VALID_FOR_TYPE, options=options)


def check_close_plain(options: int, name: str) -> None:
    """Refuse an MQCLOSE with options for an object that can only be closed."""
    if options & ~CLOSE:
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if options & ~MQCO_QUIESCE:
        raise MQError(MQRC_OPTION_NOT_VALID_FOR_TYPE, name=name, options=options)


def open_for_put1(options: int) -> int:
    """Give the MQOPEN options with which MQPUT1 opens its queue."""
    open_options = MQOO_OUTPUT
    for put_option, open_option in _OPEN_OF_PUT1:
        if options & put_option:
            open_options |= open_option
    return open_options
