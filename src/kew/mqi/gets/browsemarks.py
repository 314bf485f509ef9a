"""Marks of browsed messages: MQGMO_MARK_BROWSE_HANDLE and CO_OP, UNMARKED_BROWSE_MSG, and their removal.

A marked message has a token, with which a program can unmark it or get it (MQMO_MATCH_MSG_TOKEN):

    offset 0 number of the queue, 4 bytes   4 arrival of the message, 8 bytes   12 zeros
"""

from struct import Struct
from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQGMO_MARK_BROWSE_CO_OP,
    MQGMO_MARK_BROWSE_HANDLE,
    MQGMO_UNMARK_BROWSE_CO_OP,
    MQGMO_UNMARK_BROWSE_HANDLE,
    MQGMO_UNMARKED_BROWSE_MSG,
    MQOO_CO_OP,
)
from kew.codes.reasons import MQRC_MATCH_OPTIONS_ERROR, MQRC_NO_MSG_AVAILABLE, MQRC_OPTIONS_ERROR
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import Engine
from kew.queues.marks import BrowseMarks
from kew.queues.match import Match
from kew.queues.queue import Queue
from kew.storage.message import MessageRef

MARK: Final = MQGMO_MARK_BROWSE_HANDLE | MQGMO_MARK_BROWSE_CO_OP
UNMARK: Final = MQGMO_UNMARK_BROWSE_HANDLE | MQGMO_UNMARK_BROWSE_CO_OP
MARKING: Final = MARK | UNMARK | MQGMO_UNMARKED_BROWSE_MSG

_TOKEN: Final = Struct(">IQI")
_PER_CONNECTION: Final = 1 << 24  # more handles than a connection can have


def _key(handle: Handle) -> int:
    return handle.owner * _PER_CONNECTION + handle.number


def token_of(queue: Queue, item: MessageRef) -> bytes:
    """Give the token of a message."""
    return _TOKEN.pack(queue.id, item.sequence, 0)


def match_token(match: Match | None, token: bytes) -> Match:
    """Add the message of a token to the match criteria of a get."""
    match = Match() if match is None else match
    match.arrival = arrival_of(token)
    return match


def arrival_of(token: bytes) -> int:
    """Give the arrival number in a token; for an invalid token, a number that no message has."""
    if len(token) != _TOKEN.size:
        return -1
    queue, arrival, _zero = _TOKEN.unpack(token)
    return int(arrival) if queue and arrival else -1


def check_cooperation(handle: Handle, options: int) -> None:
    """Refuse a mark for cooperating handles on a handle that was opened without MQOO_CO_OP."""
    if options & (MQGMO_MARK_BROWSE_CO_OP | MQGMO_UNMARK_BROWSE_CO_OP) and not handle.options & MQOO_CO_OP:
        raise MQError(MQRC_OPTIONS_ERROR, options=options, expected="a queue opened with MQOO_CO_OP")


def passes_over(connection: Connection, handle: Handle, queue: Queue, item: MessageRef) -> bool:
    """Say whether a browse of unmarked messages skips a message."""
    marks = queue.marks
    if marks is None:
        return False
    engine = connection.engine
    cooperates = handle.options & MQOO_CO_OP != 0
    return marks.is_marked(_key(handle), cooperates, item.sequence, engine.clock.elapsed(), engine.mark_interval)


def mark(connection: Connection, handle: Handle, queue: Queue, item: MessageRef, options: int) -> bytes:
    """Mark a message that was browsed; gives its token."""
    marks = queue.marks
    if marks is None:
        marks = queue.marks = BrowseMarks()
    if options & MQGMO_MARK_BROWSE_CO_OP:
        marks.mark_shared(_key(handle), item.sequence, connection.engine.clock.elapsed())
    else:
        marks.mark(_key(handle), item.sequence)
    return token_of(queue, item)


def unmark(engine: Engine, handle: Handle, queue: Queue, match: Match | None, options: int) -> None:
    """Remove the mark of a message, so that other handles see it again. May stall, and is then called again."""
    if match is None or not match.arrival:
        raise MQError(MQRC_MATCH_OPTIONS_ERROR, expected="MQMO_MATCH_MSG_TOKEN")
    item = queue.find(match)
    if item is None:
        raise MQError(MQRC_NO_MSG_AVAILABLE, queue=queue.name)
    if queue.marks is None:
        return
    if options & MQGMO_UNMARK_BROWSE_CO_OP:
        queue.marks.unmark_shared(item.sequence)
        if queue.waiters.count:
            engine.queues.item_available(queue, item)
    else:
        queue.marks.unmark(_key(handle), item.sequence)


def seconds_hidden(engine: Engine, handle: Handle, queue: Queue, options: int) -> float:
    """Give the seconds until a mark expires and a waiting browse searches again; negative if no mark expires."""
    if not options & MQGMO_UNMARKED_BROWSE_MSG or not handle.options & MQOO_CO_OP or queue.marks is None:
        return -1.0
    return queue.marks.next_end(engine.clock.elapsed(), engine.mark_interval)


def closed(engine: Engine, handle: Handle, queue: Queue) -> None:
    """Remove the marks of a handle that is being closed, so that other handles see the messages again."""
    if queue.marks is not None:
        queue.marks.closed(_key(handle))
        if queue.marks.empty:
            queue.marks = None
        if queue.waiters.count:
            engine.queues.look_again(queue)
