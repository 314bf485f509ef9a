"""Queues read by position: positions of messages, a browse from a position, and the removal of read messages.

A program that reads a queue in batches, and must be able to read a batch again, browses from position to position, and
trims the queue when a batch is safe elsewhere. Positions are arrival numbers. An uncommitted unit of work holds back
the end, so that no message appears later before the messages that were read.
"""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.positions import format_positions, whole
from kew.codes.reasons import (
    MQRC_HOBJ_ERROR,
    MQRC_NOT_OPEN_FOR_BROWSE,
    MQRC_NOT_OPEN_FOR_INPUT,
    MQRC_Q_DELETED,
    MQRC_SELECTOR_ERROR,
)
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.engine import Engine
from kew.queues.cursor import Cursor
from kew.queues.queue import Queue
from kew.storage.log import NO_ADDRESS, LogAddress
from kew.storage.unit import MessageOperation

TRIM_A_HOLD: Final = 100  # messages taken away in one hold of the engine lock


def positions_of(engine: Engine, handle: Handle, queue: Queue) -> str:
    """Give three positions as text: of the handle's next message, of the end, and of the last trim."""
    cursor = handle.cursor.copy()
    cursor.by_arrival = True
    end = stable_end(engine, queue)
    item = queue.after(cursor)
    following = end if item is None else min(item.sequence, end)
    return format_positions(following, end, queue.trimmed)


def stable_end(engine: Engine, queue: Queue) -> int:
    """Give the first position that a reader must not pass, because of uncommitted messages."""
    end = queue.store.next_sequence
    if queue.uncommitted:
        for unit in engine.units.active.values():
            for operation in unit.operations:
                if not isinstance(operation, MessageOperation):
                    continue
                item = operation.item
                if item.queue == queue.id and item.sequence < end:
                    end = item.sequence
    return end


def check(connection: Connection, handle: Handle, values: dict[int, int], pair: tuple[int, int]) -> int:
    """Refuse a call with invalid values; gives the position in the values."""
    connection.check()
    if handle.owner != connection.number:
        raise MQError(MQRC_HOBJ_ERROR, handle=handle.number)
    if set(values) != set(pair) or handle.alias_values is not None:
        raise MQError(MQRC_SELECTOR_ERROR, why="a position has two halves, and is of a queue that no alias names")
    return whole(values[pair[0]], values[pair[1]])


def browse_from(connection: Connection, handle: Handle, position: int) -> None:
    """Let a handle browse in order of arrival, from a position on."""
    if not handle.browse or handle.queue is None:
        raise handle.refusal(MQRC_NOT_OPEN_FOR_BROWSE)
    if handle.cursor.locked is not None:
        raise MQError(MQRC_SELECTOR_ERROR, why="the handle has locked a message")
    cursor = Cursor()
    cursor.by_arrival = True
    cursor.sequence = max(0, position - 1)
    handle.cursor = cursor


class Trim:
    """The removal of the messages before a position, some in each hold of the engine lock."""

    def __init__(self, handle: Handle, position: int) -> None:
        if not handle.input or handle.queue is None:
            raise handle.refusal(MQRC_NOT_OPEN_FOR_INPUT)
        self.queue = handle.queue
        self.position = position
        self.address: LogAddress = NO_ADDRESS
        self._cursor = Cursor()
        self._cursor.by_arrival = True

    def step(self) -> bool:
        """Remove some of the messages; says whether all are removed. May stall, and is then called again."""
        queue = self.queue
        if queue.deleted:
            raise MQError(MQRC_Q_DELETED, queue=queue.name)
        for _ in range(TRIM_A_HOLD):
            item = queue.after(self._cursor)
            if item is None or item.sequence >= self.position:
                queue.trimmed = max(queue.trimmed, self.position)
                return True
            address = queue.take(item, None)
            if address:
                self.address = address
        return False
