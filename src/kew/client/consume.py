"""Consuming from several queues at once: the server is asked for a message on each, and the first to come is taken.

The client asks for one message at a time on each handle. When consuming stops, each open request is repeated as a final
one, which the server answers in any case, with a message or without: so no message that was got is lost. A handle with
read-ahead reads ahead here too; messages sent ahead when consuming stops wait for the next get.

Under syncpoint only one message may be on its way, since a commit includes every get. Several queues are then tried in
turn, without waiting.
"""

from collections.abc import Callable, Sequence
from typing import Final

from kew.channels.protocol.delivery import (
    CLIENT_ASYNC_EMPTY,
    GET_INHIBITED,
    Q_STATE_REPLY,
    STREAMING_FAILURE,
    STREAMING_TXN_PAUSED,
)
from kew.channels.protocol.options import GetOptions
from kew.client.link import Operation, Step
from kew.client.openobject import OpenObject
from kew.client.readahead import ONE_MESSAGE
from kew.client.received import Received, selection_of
from kew.client.verbs import Verbs
from kew.codes.errors import BackedOut, Broken, MQError, NoMessage
from kew.codes.options import MQGMO_SYNCPOINT, MQGMO_SYNCPOINT_IF_PERSISTENT, MQGMO_WAIT, MQWI_UNLIMITED
from kew.codes.reasons import MQRC_ENVIRONMENT_ERROR
from kew.formats.mqmd import MessageDescriptor

LOOK: Final = 0.1  # seconds between two checks whether to stop
_SYNCPOINT: Final = MQGMO_SYNCPOINT | MQGMO_SYNCPOINT_IF_PERSISTENT


class Wanted:
    """An open queue, and the get to be carried out on it."""

    def __init__(self, opened: OpenObject, descriptor: MessageDescriptor, options: GetOptions, max_length: int) -> None:
        self.opened = opened
        self.descriptor = descriptor
        self.options = options
        self.max_length = max_length


def consume(
    verbs: Verbs, wanted: Sequence[Wanted], stopped: Callable[[], bool]
) -> Operation[tuple[int, Received] | None]:
    """Wait until one of the queues has a message; None if consuming was stopped first.

    An error of one of the queues has its position in `wanted` among its facts, as `consumer`.
    """
    if not verbs.link.session.multiplexed:
        raise MQError(MQRC_ENVIRONMENT_ERROR, why="the channel shares no conversations")
    protected = any(each.opened.protection is not None for each in wanted)
    if protected or (len(wanted) > 1 and any(each.options.options & _SYNCPOINT for each in wanted)):
        return (yield from _in_turn(verbs, wanted, stopped))
    return (yield from _at_once(verbs, wanted, stopped))


def _in_turn(
    verbs: Verbs, wanted: Sequence[Wanted], stopped: Callable[[], bool]
) -> Operation[tuple[int, Received] | None]:
    while not stopped():
        for place, each in enumerate(wanted):
            options = each.options
            options.options &= ~MQGMO_WAIT
            if len(wanted) == 1:
                options.options |= MQGMO_WAIT
                options.wait_interval = int(LOOK * 1000)
            try:
                return place, (yield from verbs.get(each.opened, each.descriptor, options, each.max_length))
            except NoMessage:
                continue
            except MQError as error:
                if not isinstance(error, Broken | BackedOut):
                    error.facts["consumer"] = place
                raise
        if len(wanted) > 1:
            yield Step(b"", True, LOOK)
        verbs.link.check()
    return None


def _at_once(
    verbs: Verbs, wanted: Sequence[Wanted], stopped: Callable[[], bool]
) -> Operation[tuple[int, Received] | None]:
    if verbs.deliveries.disturbed:
        yield from verbs.deliveries.settle_down()
    selections = [selection_of(each.descriptor, each.options) for each in wanted]
    for place, each in enumerate(wanted):
        kept = verbs.deliveries.take_kept(each.opened, selections[place], each.options.options, each.max_length)
        if kept is not None:
            return place, kept
    for each, selection in zip(wanted, selections, strict=True):
        if each.opened.reserving:
            yield from verbs.deliveries.let_go(each.opened)
        elif each.opened.window > ONE_MESSAGE:
            verbs.deliveries.admit(each.opened, selection, each.options.options)
    stopping = False
    unanswered: set[int] = set()  # handles whose final request is unanswered
    while True:
        data = b""
        if not unanswered:
            for place, each in enumerate(wanted):
                at = verbs.deliveries.find(each.opened, selections[place], each.options.options)
                if at < 0 or (each.opened.window > ONE_MESSAGE and stopped()):
                    continue
                try:
                    received = verbs.deliveries.take(each.opened, at, each.options.options, each.max_length)
                except NoMessage:
                    continue
                again = verbs.deliveries.ask_again(each.opened, selections[place], each.options)
                if again:
                    yield Step(again, False)
                return place, received
            if not stopping and stopped():
                stopping = True
                asked = [each for each in wanted if each.opened.asking]
                unanswered = {each.opened.handle for each in asked}
                data = b"".join([_ask(verbs, each, last=True) for each in asked])
            elif not stopping:
                data = b"".join([_ask(verbs, each) for each in wanted if not each.opened.asking])
            if stopping and not unanswered:
                return None
        try:
            yield Step(data, True, LOOK)
        except GeneratorExit:
            for each in wanted:
                verbs.deliveries.leave(each.opened)
            raise
        verbs.link.check()
        unanswered -= _take_notifications(verbs, wanted)


def _ask(verbs: Verbs, each: Wanted, last: bool = False) -> bytes:
    options = each.options
    options.options |= MQGMO_WAIT
    options.wait_interval = MQWI_UNLIMITED
    selection = selection_of(each.descriptor, options)
    room = -1 if each.opened.window > ONE_MESSAGE else each.max_length
    return verbs.deliveries.ask(each.opened, selection, options, room, final=last, one=last)


def _take_notifications(verbs: Verbs, wanted: Sequence[Wanted]) -> set[int]:
    """Act on the notifications; gives the handles whose requests have ended without a message."""
    over: set[int] = set()
    while verbs.inbox.notifications:
        notification = verbs.inbox.notifications.popleft()
        for place, each in enumerate(wanted):
            if each.opened.handle != notification.handle:
                continue
            if notification.code in (Q_STATE_REPLY, CLIENT_ASYNC_EMPTY):
                each.opened.asking = False
                over.add(notification.handle)
            elif notification.code == STREAMING_TXN_PAUSED:
                each.opened.asking = False
            elif notification.code in (GET_INHIBITED, STREAMING_FAILURE):
                each.opened.asking = False
                raise MQError(notification.value, queue=each.opened.name, consumer=place)
    return over
