"""MOVE QLOCAL: moves all messages of a queue to another in batches, each message once and in order.

A crash or an error between two batches leaves some messages moved and the rest not; the command can then be
given again with TYPE(ADD).
"""

from typing import Final

from kew.codes.attributes import MQIACF_MOVE_TYPE_MOVE
from kew.codes.errors import MQError, NoMessage
from kew.codes.options import (
    MQGMO_PROPERTIES_FORCE_MQRFH2,
    MQGMO_SYNCPOINT,
    MQOO_INPUT_EXCLUSIVE,
    MQOO_OUTPUT,
    MQOO_SET_ALL_CONTEXT,
    MQPMO_SET_ALL_CONTEXT,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import MQRC_OBJECT_IN_USE, MQRC_Q_NOT_EMPTY
from kew.commands.actions.context import Context
from kew.commands.actions.find import existing
from kew.commands.actions.outcome import NOT_FOUND, Outcome, Refusal
from kew.commands.mqsc import messages
from kew.commands.mqsc.parser import Command
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.mqi.objects import open as opening
from kew.queues.queue import Queue

BATCH: Final = 50  # messages of a unit of work
BATCH_BYTES: Final = 4 << 20


def move(context: Context, command: Command) -> Outcome:
    """Carry out MOVE QLOCAL."""
    source = _queue(context, existing(context, command).name)
    target = _queue(context, str(command.options["TOQLOCAL"]))
    if source is target:
        raise Refusal(messages.FAILED, "TOQLOCAL names the queue itself")
    to_empty = command.options.get("TYPE", MQIACF_MOVE_TYPE_MOVE) == MQIACF_MOVE_TYPE_MOVE
    engine = context.engine
    with engine.lock:
        connection = Connection(engine, "MOVE QLOCAL", engine.authority.owner)
        engine.connections[connection.number] = connection
    program = LocalConnection(engine, context.queues, connection)
    moved = 0
    try:
        handles = engine.run(lambda: _open(connection, source, target, to_empty))
        while True:
            count = _move_some(program, *handles)
            program.commit()
            moved += count
            if not count:
                break
    except MQError as error:
        program.abandon()
        if error.reason in (MQRC_OBJECT_IN_USE, MQRC_Q_NOT_EMPTY):
            raise
        raise Refusal(messages.FAILED, f"{error}; {moved} messages were moved") from error
    program.disconnect()
    outcome = Outcome(command.spec.done)
    outcome.lines.append(f"{messages.ADVICE}: {moved} messages moved.")
    return outcome


def _queue(context: Context, name: str) -> Queue:
    queue = context.engine.queues.by_name.get(name)
    if queue is None:
        raise Refusal(NOT_FOUND, "", name)
    return queue


def _open(connection: Connection, source: Queue, target: Queue, to_empty: bool) -> tuple[Handle, Handle]:
    """Open both queues in one hold of the engine lock; refuse a queue that is open or has uncommitted messages."""
    for queue in (source, target):
        if queue.handles or queue.uncommitted:
            raise MQError(MQRC_OBJECT_IN_USE, name=queue.name)
    if to_empty and target.depth:
        raise MQError(MQRC_Q_NOT_EMPTY, name=target.name, depth=target.depth)
    taken = opening.open_queue(connection, opening.Target(source, None), source.name, MQOO_INPUT_EXCLUSIVE)
    options = MQOO_OUTPUT | MQOO_SET_ALL_CONTEXT
    return taken, opening.open_queue(connection, opening.Target(target, None), target.name, options)


def _move_some(program: LocalConnection, source: Handle, target: Handle) -> int:
    most = max(1, min(BATCH, program.engine.max_uncommitted // 2))
    count = size = 0
    while count < most and size < BATCH_BYTES:
        try:
            got = program.get(source, MQGMO_SYNCPOINT | MQGMO_PROPERTIES_FORCE_MQRFH2)
        except NoMessage:
            break
        program.put(target, got.descriptor, got.data, MQPMO_SYNCPOINT | MQPMO_SET_ALL_CONTEXT)
        count += 1
        size += got.length
    return count
