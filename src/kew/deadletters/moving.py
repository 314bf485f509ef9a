"""Browses a dead-letter queue, and removes or moves messages, each in a unit of work of its own.

A program that is killed at any moment leaves a message on the dead-letter queue or on its target, never on both or
neither.
"""

from collections.abc import Iterator

from kew.client import Connection, Queue, Received
from kew.client.requests import get_options, put_options, queue_object
from kew.codes.attributes import MQCA_DEAD_LETTER_Q_NAME
from kew.codes.errors import Broken, MQError, NoMessage
from kew.codes.options import (
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_NEXT,
    MQGMO_MSG_UNDER_CURSOR,
    MQOO_ALTERNATE_USER_AUTHORITY,
    MQOO_BROWSE,
    MQOO_INPUT_SHARED,
    MQOO_OUTPUT,
    MQOO_PASS_ALL_CONTEXT,
    MQOO_SAVE_ALL_CONTEXT,
    MQPMO_PASS_ALL_CONTEXT,
)
from kew.codes.reasons import MQRC_UNKNOWN_OBJECT_NAME
from kew.formats.mqmd import MessageDescriptor


def dead_letter_queue(connection: Connection) -> str:
    """Inquire the name of the queue manager's dead-letter queue."""
    name = str(connection.inquire([MQCA_DEAD_LETTER_Q_NAME])[MQCA_DEAD_LETTER_Q_NAME]).rstrip(" \0")
    if not name:
        raise MQError(MQRC_UNKNOWN_OBJECT_NAME, why="the queue manager has no dead-letter queue: ALTER QMGR DEADQ")
    return name


class DeadLetterQueue:
    """An open dead-letter queue with a cursor in it."""

    def __init__(self, connection: Connection, name: str) -> None:
        self.name = name or dead_letter_queue(connection)
        self._connection = connection
        options = MQOO_BROWSE | MQOO_INPUT_SHARED | MQOO_SAVE_ALL_CONTEXT
        self._queue: Queue = connection.open(self.name, options)

    def messages(self) -> Iterator[Received]:
        """Browse the queue from the first message; the cursor is at the message that was given last."""
        option = MQGMO_BROWSE_FIRST
        while True:
            try:
                yield self._queue.get(options=get_options(0.0, False, False, option))
            except NoMessage:
                return
            option = MQGMO_BROWSE_NEXT

    def wait(self, seconds: float) -> bool:
        """Wait for a message behind the browse cursor; say whether there is one."""
        try:
            self._queue.get(options=get_options(seconds, False, False, MQGMO_BROWSE_NEXT))
        except NoMessage:
            return False
        return True

    def discard(self) -> None:
        """Remove the message under the cursor."""
        self._take()
        self._connection.commit()

    def _take(self) -> None:
        self._queue.get(options=get_options(0.0, True, False, MQGMO_MSG_UNDER_CURSOR))

    def move(
        self, descriptor: MessageDescriptor, data: bytes, queue: str, manager: str = "", user: bytes = b""
    ) -> MQError | None:
        """Move the message under the cursor, with the given descriptor and data, to another queue.

        The message keeps its context. It is put under the authority of `user`, or of the connection if `user` is empty.
        If the move fails, gives the error, and the message stays on the dead-letter queue.
        """
        connection = self._connection
        try:
            self._take()
            self._put(descriptor, data, queue, manager, user)
            connection.commit()
        except Broken:
            raise
        except MQError as error:
            connection.back_out()
            return error
        return None

    def _put(self, descriptor: MessageDescriptor, data: bytes, queue: str, manager: str, user: bytes) -> None:
        target = queue_object(queue, manager)
        opened = MQOO_OUTPUT | MQOO_PASS_ALL_CONTEXT
        if user:
            target.alternate_user = user.ljust(12)[:12]
            opened |= MQOO_ALTERNATE_USER_AUTHORITY
        options = put_options(True, False, MQPMO_PASS_ALL_CONTEXT)
        options.context = self._queue.opened.handle
        with self._connection.open_object(target, opened) as destination:
            destination.put(data, descriptor, options=options)
