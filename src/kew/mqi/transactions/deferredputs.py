"""Deferred messages: put when the connection of their program ends (SPI PUT deferred, and SPI ACTIVATE).

IBM's JMS client defers one message for each non-durable subscription: the command that ends it, for the queued
publish/subscribe interface. A program that ends the subscription itself withdraws the message. When the program dies,
or disconnects without ending the subscription, the message is put.

Deferred messages are in memory, with the connection. These messages are put by a new connection in the name of the
program, since the program's own connection may have been stopped.
"""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import (
    MQPMO_ASYNC_RESPONSE,
    MQPMO_FAIL_IF_QUIESCING,
    MQPMO_NEW_CORREL_ID,
    MQPMO_NEW_MSG_ID,
    MQPMO_PASS_ALL_CONTEXT,
    MQPMO_PASS_IDENTITY_CONTEXT,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import (
    MQRC_FUNCTION_NOT_SUPPORTED,
    MQRC_MSG_ID_ERROR,
    MQRC_MSG_TOO_BIG_FOR_Q_MGR,
    MQRC_NOT_OPEN_FOR_OUTPUT,
    MQRC_RESOURCE_PROBLEM,
)
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.connection import Connection
from kew.mqi.connections.handles import DeferredMessage, Handle

MAX_DEFERRED_MESSAGES: Final = 10_000  # messages of one connection
MAX_DEFERRED_BYTES: Final = 16_000_000  # of their data
# Options that concern the call; when the message is put, the queue manager may well be about to end.
_OF_CALL: Final = (
    MQPMO_SYNCPOINT | MQPMO_ASYNC_RESPONSE | MQPMO_NEW_MSG_ID | MQPMO_NEW_CORREL_ID | MQPMO_FAIL_IF_QUIESCING
)
_PASSING: Final = MQPMO_PASS_ALL_CONTEXT | MQPMO_PASS_IDENTITY_CONTEXT
_NO_ID: Final = bytes(24)


def defer(connection: Connection, handle: Handle, descriptor: MessageDescriptor, data: bytes, options: int) -> None:
    """Defer a message to the end of a connection, and set its message id. Called under the engine lock."""
    connection.check()
    if not handle.output:
        raise handle.refusal(MQRC_NOT_OPEN_FOR_OUTPUT)
    if handle.outlet is not None or options & _PASSING:
        raise MQError(MQRC_FUNCTION_NOT_SUPPORTED, queue=handle.name, why="only messages for a local queue are held")
    if len(data) > connection.engine.max_message_length:
        raise MQError(MQRC_MSG_TOO_BIG_FOR_Q_MGR, length=len(data))
    size = len(data) + sum([len(each.data) for each in connection.held.values()])
    if len(connection.held) >= MAX_DEFERRED_MESSAGES or size > MAX_DEFERRED_BYTES:
        raise MQError(MQRC_RESOURCE_PROBLEM, held=len(connection.held))
    if options & MQPMO_NEW_MSG_ID or descriptor.message_id == _NO_ID:
        descriptor.message_id = connection.engine.ids.next()
    if options & MQPMO_NEW_CORREL_ID:
        descriptor.correlation_id = connection.engine.ids.next()
    kept = DeferredMessage(handle.opened_name, descriptor.copy(), data, options & ~_OF_CALL)
    connection.held[descriptor.message_id] = kept


def take_deferred(connection: Connection, message_id: bytes) -> DeferredMessage:
    """Withdraw a deferred message, and give it. Called under the engine lock."""
    connection.check()
    held = connection.held.pop(message_id, None)
    if held is None:
        raise MQError(MQRC_MSG_ID_ERROR, message_id=message_id.hex())
    return held


def connection_for_deferred(connection: Connection) -> Connection:
    """Give a new connection in the name of the program of one that ends. Called under the engine lock."""
    engine = connection.engine
    own = Connection(engine, "", connection.principal)
    own.application = connection.application
    own.application_type = connection.application_type
    own.user = connection.user
    own.accounting_token = connection.accounting_token
    own.channel, own.conname = connection.channel, connection.conname
    engine.enter(own)
    return own
