"""Which handles read ahead, which gets they allow, and which puts are not waited for."""

from collections import deque

import pytest

from kew.channels.protocol.delivery import MATCH_CORRELATION_ID, MATCH_MESSAGE_ID, MATCH_TOKEN, Message, Selection
from kew.channels.protocol.options import PutOptions
from kew.channels.protocol.structures import ObjectDescriptor
from kew.client import readahead
from kew.client.asyncput import ReservedIds, is_asynchronous, tell_origin
from kew.client.openobject import OpenObject
from kew.client.readahead import ONE_MESSAGE, READ_AHEAD_WINDOW
from kew.codes.attributes import MQREADA_DISABLED, MQREADA_NO, MQREADA_YES
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
    MQGMO_FAIL_IF_QUIESCING,
    MQGMO_LOCK,
    MQGMO_LOGICAL_ORDER,
    MQGMO_MARK_BROWSE_HANDLE,
    MQGMO_MARK_SKIP_BACKOUT,
    MQGMO_MSG_UNDER_CURSOR,
    MQGMO_NO_PROPERTIES,
    MQGMO_NO_SYNCPOINT,
    MQGMO_SET_SIGNAL,
    MQGMO_SYNCPOINT,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
    MQGMO_UNLOCK,
    MQGMO_WAIT,
    MQOO_BROWSE,
    MQOO_INPUT_AS_Q_DEF,
    MQOO_INPUT_EXCLUSIVE,
    MQOO_INPUT_SHARED,
    MQOO_NO_READ_AHEAD,
    MQOO_OUTPUT,
    MQOO_READ_AHEAD,
    MQPMO_ASYNC_RESPONSE,
    MQPMO_LOGICAL_ORDER,
    MQPMO_SET_ALL_CONTEXT,
    MQPMO_SYNC_RESPONSE,
    MQPRT_ASYNC_RESPONSE,
    MQPRT_SYNC_RESPONSE,
)
from kew.codes.reasons import MQRC_OPTIONS_CHANGED, MQRC_OPTIONS_ERROR
from kew.formats.mqmd import MessageDescriptor

NOT_PERMITTED = [
    MQGMO_SET_SIGNAL,
    MQGMO_SYNCPOINT,
    MQGMO_MARK_SKIP_BACKOUT,
    MQGMO_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT | MQGMO_LOCK,
    MQGMO_UNLOCK,
    MQGMO_LOGICAL_ORDER,
    MQGMO_COMPLETE_MSG,
    MQGMO_ALL_MSGS_AVAILABLE,
    MQGMO_ALL_SEGMENTS_AVAILABLE,
    MQGMO_BROWSE_NEXT | MQGMO_MARK_BROWSE_HANDLE,
]


@pytest.mark.parametrize("access", [MQOO_INPUT_AS_Q_DEF, MQOO_INPUT_SHARED, MQOO_INPUT_EXCLUSIVE, MQOO_BROWSE])
@pytest.mark.parametrize(
    ("wish", "default", "reads_ahead"),
    [
        (0, -1, False),
        (0, MQREADA_NO, False),
        (0, MQREADA_YES, True),
        (0, MQREADA_DISABLED, False),
        (MQOO_READ_AHEAD, -1, True),
        (MQOO_READ_AHEAD, MQREADA_NO, True),
        (MQOO_READ_AHEAD, MQREADA_YES, True),
        (MQOO_READ_AHEAD, MQREADA_DISABLED, False),
        (MQOO_NO_READ_AHEAD, MQREADA_NO, False),
        (MQOO_NO_READ_AHEAD, MQREADA_YES, False),
    ],
)
def test_a_handle_reads_ahead_as_it_was_opened_and_the_queue_is_defined(
    access: int, wish: int, default: int, reads_ahead: bool
) -> None:
    window = READ_AHEAD_WINDOW if reads_ahead else ONE_MESSAGE
    assert readahead.window_of(access | MQOO_OUTPUT | wish, default) == window
    by_keyword = wish != MQOO_NO_READ_AHEAD and default != MQREADA_DISABLED
    assert (readahead.window_of(access | wish, default, wanted=True) > ONE_MESSAGE) == by_keyword


def test_neither_to_browse_and_get_nor_to_put_alone_is_read_ahead() -> None:
    for options in (MQOO_BROWSE | MQOO_INPUT_SHARED, MQOO_OUTPUT):
        assert readahead.window_of(options | MQOO_READ_AHEAD, MQREADA_YES, wanted=True) == ONE_MESSAGE
    with pytest.raises(MQError) as both:
        readahead.check_open(MQOO_INPUT_SHARED | MQOO_READ_AHEAD | MQOO_NO_READ_AHEAD)
    assert both.value.reason == MQRC_OPTIONS_ERROR


def handle() -> OpenObject:
    opened = OpenObject(1, ObjectDescriptor(), 0)
    opened.window = READ_AHEAD_WINDOW
    return opened


def settle(opened: OpenObject, options: int, selection: Selection | None = None, ahead: bool = True) -> int:
    """Try a get; the reason that it is refused with, 0 for none."""
    try:
        opened.settle(selection or Selection(), options, ahead)
    except MQError as error:
        return error.reason
    return 0


@pytest.mark.parametrize("options", [*NOT_PERMITTED, MQGMO_SYNCPOINT_IF_PERSISTENT])
def test_a_first_get_that_may_not_be_read_ahead_ends_it_for_the_handle(options: int) -> None:
    opened = handle()
    assert settle(opened, options) == 0
    assert opened.window == ONE_MESSAGE


@pytest.mark.parametrize("options", NOT_PERMITTED)
def test_later_gets_that_may_not_be_read_ahead_are_refused(options: int) -> None:
    opened = handle()
    assert settle(opened, MQGMO_NO_SYNCPOINT) == 0
    assert settle(opened, options) == MQRC_OPTIONS_ERROR
    assert opened.window == READ_AHEAD_WINDOW


@pytest.mark.parametrize(
    "options",
    [
        MQGMO_SYNCPOINT_IF_PERSISTENT,
        MQGMO_ACCEPT_TRUNCATED_MSG,
        MQGMO_CONVERT,
        MQGMO_NO_PROPERTIES,
        MQGMO_BROWSE_NEXT,
        MQGMO_BROWSE_FIRST,
        MQGMO_BROWSE_MSG_UNDER_CURSOR,
    ],
)
def test_what_must_stay_the_same(options: int) -> None:
    opened = handle()
    assert settle(opened, MQGMO_NO_SYNCPOINT | MQGMO_WAIT) == 0
    for unchanged in (0, MQGMO_NO_SYNCPOINT, MQGMO_WAIT, MQGMO_FAIL_IF_QUIESCING):
        assert settle(opened, unchanged) == 0
    assert settle(opened, options) == MQRC_OPTIONS_CHANGED


def test_a_browse_may_begin_anew_but_not_look_for_others_from_where_it_is() -> None:
    opened = handle()
    first, other = Selection(), Selection()
    other.match_options = MATCH_CORRELATION_ID
    assert settle(opened, MQGMO_BROWSE_FIRST, first) == 0
    assert settle(opened, MQGMO_BROWSE_NEXT, first) == 0
    assert settle(opened, MQGMO_BROWSE_NEXT, other) == MQRC_OPTIONS_CHANGED
    assert settle(opened, MQGMO_BROWSE_NEXT, other, ahead=False) == 0
    assert settle(opened, MQGMO_BROWSE_FIRST, other) == 0
    assert settle(opened, MQGMO_BROWSE_MSG_UNDER_CURSOR, other) == 0


def test_conversion_and_the_version_of_the_descriptor_stay_the_same() -> None:
    opened = handle()
    latin, version_1 = Selection(), Selection()
    latin.ccsid = 819
    version_1.descriptor_version = 1
    assert settle(opened, MQGMO_CONVERT) == 0
    assert settle(opened, MQGMO_CONVERT, latin) == MQRC_OPTIONS_CHANGED
    assert settle(opened, MQGMO_CONVERT, version_1) == MQRC_OPTIONS_CHANGED
    unconverted = handle()
    assert settle(unconverted, 0) == 0
    assert settle(unconverted, 0, latin) == 0


def message(correlation: bytes, index: int = 1) -> Message:
    found = Message(1, bytes(72) + correlation.ljust(24, b"\0") + bytes(268), b"data")
    found.selection_index = index
    return found


def by_correlation(correlation: bytes) -> Selection:
    selection = Selection()
    selection.match_options = MATCH_CORRELATION_ID
    selection.correlation_id = correlation.ljust(24, b"\0")
    return selection


def test_messages_that_are_here_are_found_by_their_ids() -> None:
    waiting = deque([message(b"a"), message(b"b"), message(b"a", 2)])
    assert readahead.find(waiting, Selection(), 9) == 0
    assert readahead.find(waiting, by_correlation(b"b"), 9) == 1
    assert readahead.find(waiting, by_correlation(b"c"), 9) == -1
    assert readahead.find(waiting, by_correlation(b"c"), 2) == 2  # it came for this selection
    assert readahead.find(deque(), Selection(), 9) == -1
    by_token = Selection()
    by_token.match_options = MATCH_TOKEN | MATCH_MESSAGE_ID
    assert readahead.find(waiting, by_token, 9) == -1
    ended = Message(1, b"", b"")
    assert readahead.find(deque([ended]), by_correlation(b"c"), 9) == 0
    assert readahead.find(waiting, readahead.nobody(), 9) == -1


def test_one_message_is_asked_for_in_a_unit_of_work() -> None:
    for options in (MQGMO_SYNCPOINT, MQGMO_SYNCPOINT_IF_PERSISTENT, MQGMO_BROWSE_FIRST):
        assert readahead.window_for(READ_AHEAD_WINDOW, options) == ONE_MESSAGE
    assert readahead.window_for(READ_AHEAD_WINDOW, MQGMO_WAIT | MQGMO_BROWSE_NEXT) == READ_AHEAD_WINDOW


@pytest.mark.parametrize(
    ("options", "default", "asynchronous"),
    [
        (0, MQPRT_SYNC_RESPONSE, False),
        (0, -1, False),
        (0, MQPRT_ASYNC_RESPONSE, True),
        (MQPMO_SYNC_RESPONSE, MQPRT_ASYNC_RESPONSE, False),
        (MQPMO_LOGICAL_ORDER, MQPRT_ASYNC_RESPONSE, False),
        (MQPMO_ASYNC_RESPONSE, MQPRT_SYNC_RESPONSE, True),
    ],
)
def test_puts_that_are_not_waited_for(options: int, default: int, asynchronous: bool) -> None:
    opened = OpenObject(1, ObjectDescriptor(), 0)
    opened.put_response = default
    asked = PutOptions()
    asked.options = options
    assert is_asynchronous(opened, asked, by_default=True) == asynchronous
    assert is_asynchronous(opened, asked, by_default=False) == (options == MQPMO_ASYNC_RESPONSE)


def test_ids_are_counted_in_the_last_bytes_of_the_first() -> None:
    ids = ReservedIds(b"AMQ QM1".ljust(21) + b"\0\0\xfe", 21, 3)
    assert [ids.take()[21:] for _ in range(ids.left)] == [b"\0\0\xfe", b"\0\0\xff", b"\0\1\0"]
    assert ReservedIds(bytes(21) + b"\xff\xff\xfe", 21, 100).left == 2
    assert ReservedIds(bytes(24), 21, -1).left == 0


def test_the_origin_of_a_message_is_told_unless_the_program_says_it() -> None:
    told, own = MessageDescriptor(), MessageDescriptor()
    tell_origin(told, 0, b"program".ljust(28), 6)
    tell_origin(own, MQPMO_SET_ALL_CONTEXT, b"program".ljust(28), 6)
    assert (told.put_application_name.rstrip(), told.put_application_type) == (b"program", 6)
    assert (own.put_application_name.strip(), own.put_application_type) == (b"", 0)
