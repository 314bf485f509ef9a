"""Which options the verbs take, and which of them exclude each other."""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQGMO_ACCEPT_TRUNCATED_MSG,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT,
    MQGMO_FAIL_IF_QUIESCING,
    MQGMO_LOCK,
    MQGMO_MSG_UNDER_CURSOR,
    MQGMO_NO_SYNCPOINT,
    MQGMO_SYNCPOINT,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
    MQGMO_UNLOCK,
    MQGMO_WAIT,
    MQOO_ALTERNATE_USER_AUTHORITY,
    MQOO_BIND_AS_Q_DEF,
    MQOO_BIND_NOT_FIXED,
    MQOO_BIND_ON_OPEN,
    MQOO_BROWSE,
    MQOO_FAIL_IF_QUIESCING,
    MQOO_INPUT_AS_Q_DEF,
    MQOO_INPUT_EXCLUSIVE,
    MQOO_INPUT_SHARED,
    MQOO_INQUIRE,
    MQOO_OUTPUT,
    MQOO_PASS_ALL_CONTEXT,
    MQOO_PASS_IDENTITY_CONTEXT,
    MQOO_SAVE_ALL_CONTEXT,
    MQOO_SET,
    MQOO_SET_ALL_CONTEXT,
    MQOO_SET_IDENTITY_CONTEXT,
    MQPMO_DEFAULT_CONTEXT,
    MQPMO_FAIL_IF_QUIESCING,
    MQPMO_NEW_CORREL_ID,
    MQPMO_NEW_MSG_ID,
    MQPMO_NO_CONTEXT,
    MQPMO_NO_SYNCPOINT,
    MQPMO_PASS_ALL_CONTEXT,
    MQPMO_PASS_IDENTITY_CONTEXT,
    MQPMO_SET_ALL_CONTEXT,
    MQPMO_SET_IDENTITY_CONTEXT,
    MQPMO_SYNC_RESPONSE,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import MQRC_OPTION_NOT_VALID_FOR_TYPE, MQRC_OPTIONS_ERROR

INPUT: Final = MQOO_INPUT_AS_Q_DEF | MQOO_INPUT_SHARED | MQOO_INPUT_EXCLUSIVE
OPEN: Final = (
    INPUT
    | MQOO_BROWSE
    | MQOO_OUTPUT
    | MQOO_INQUIRE
    | MQOO_SET
    | MQOO_SAVE_ALL_CONTEXT
    | MQOO_PASS_IDENTITY_CONTEXT
    | MQOO_PASS_ALL_CONTEXT
    | MQOO_SET_IDENTITY_CONTEXT
    | MQOO_SET_ALL_CONTEXT
    | MQOO_ALTERNATE_USER_AUTHORITY
    | MQOO_FAIL_IF_QUIESCING
    | MQOO_BIND_ON_OPEN
    | MQOO_BIND_NOT_FIXED
    | MQOO_BIND_AS_Q_DEF
)
_PUT_CONTEXTS: Final = (
    MQPMO_NO_CONTEXT
    | MQPMO_DEFAULT_CONTEXT
    | MQPMO_PASS_IDENTITY_CONTEXT
    | MQPMO_PASS_ALL_CONTEXT
    | MQPMO_SET_IDENTITY_CONTEXT
    | MQPMO_SET_ALL_CONTEXT
)
PUT: Final = (
    MQPMO_SYNCPOINT
    | MQPMO_NO_SYNCPOINT
    | MQPMO_NEW_MSG_ID
    | MQPMO_NEW_CORREL_ID
    | MQPMO_FAIL_IF_QUIESCING
    | MQPMO_SYNC_RESPONSE
    | _PUT_CONTEXTS
)
_BROWSES: Final = MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT | MQGMO_BROWSE_MSG_UNDER_CURSOR
_SYNCPOINTS: Final = MQGMO_SYNCPOINT | MQGMO_NO_SYNCPOINT | MQGMO_SYNCPOINT_IF_PERSISTENT
GET: Final = (
    MQGMO_WAIT
    | MQGMO_ACCEPT_TRUNCATED_MSG
    | MQGMO_FAIL_IF_QUIESCING
    | MQGMO_LOCK
    | MQGMO_UNLOCK
    | MQGMO_MSG_UNDER_CURSOR
    | _BROWSES
    | _SYNCPOINTS
)


def _more_than_one(options: int) -> bool:
    return options & (options - 1) != 0


def check_open(options: int) -> None:
    """Refuse open options that are unknown or exclude each other."""
    if options & ~OPEN or _more_than_one(options & INPUT):
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if not options & (INPUT | MQOO_BROWSE | MQOO_OUTPUT | MQOO_INQUIRE | MQOO_SET):
        raise MQError(MQRC_OPTIONS_ERROR, options=options, expected="an access option such as MQOO_OUTPUT")
    if options & MQOO_SAVE_ALL_CONTEXT and not options & INPUT:
        raise MQError(MQRC_OPTION_NOT_VALID_FOR_TYPE, options=options)


def check_put(options: int) -> None:
    """Refuse put options that are unknown or exclude each other."""
    if options & ~PUT or _more_than_one(options & _PUT_CONTEXTS):
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if options & MQPMO_SYNCPOINT and options & MQPMO_NO_SYNCPOINT:
        raise MQError(MQRC_OPTIONS_ERROR, options=options)


def check_get(options: int) -> None:
    """Refuse get options that are unknown or exclude each other."""
    if options & ~GET or _more_than_one(options & _SYNCPOINTS):
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if _more_than_one(options & (_BROWSES | MQGMO_MSG_UNDER_CURSOR)):
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if options & _BROWSES and options & (MQGMO_SYNCPOINT | MQGMO_SYNCPOINT_IF_PERSISTENT):
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if options & MQGMO_LOCK and not options & _BROWSES:
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
    if options & MQGMO_UNLOCK and options & ~(MQGMO_UNLOCK | MQGMO_NO_SYNCPOINT | MQGMO_FAIL_IF_QUIESCING):
        raise MQError(MQRC_OPTIONS_ERROR, options=options)
