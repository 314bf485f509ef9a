"""Asynchronous puts: sent without waiting for a reply; MQSTAT reports their outcome.

A put is asynchronous by MQPMO_ASYNC_RESPONSE, or by MQPMO_RESPONSE_AS_Q_DEF (for topics AS_TOPIC_DEF) where the queue
has DEFPRESP(ASYNC). The program gets back the fields of the descriptor that MQ documents: name, type and data of the
application, and new message and correlation ids where the program asked for them. The client makes such ids itself,
from a range that the queue manager has reserved for it; a queue manager that reserves none makes the ids itself, and
the program does not see them.

A put in logical order is never asynchronous by default, since the queue manager decides its group id and number. MQPUT1
always waits.
"""

from typing import Final

from kew.channels.protocol.options import PutOptions
from kew.client.openobject import OpenObject
from kew.client.received import is_empty
from kew.codes.options import (
    MQOT_Q,
    MQPMO_ASYNC_RESPONSE,
    MQPMO_LOGICAL_ORDER,
    MQPMO_NEW_CORREL_ID,
    MQPMO_NEW_MSG_ID,
    MQPMO_NO_CONTEXT,
    MQPMO_PASS_ALL_CONTEXT,
    MQPMO_PASS_IDENTITY_CONTEXT,
    MQPMO_SET_ALL_CONTEXT,
    MQPMO_SET_IDENTITY_CONTEXT,
    MQPMO_SYNC_RESPONSE,
    MQPRT_ASYNC_RESPONSE,
)
from kew.formats.mqmd import MessageDescriptor

_NEW_IDS: Final = MQPMO_NEW_MSG_ID | MQPMO_NEW_CORREL_ID
MOST_IDS: Final = 0xFFFFFF  # ids asked for at once
_NOT_BY_DEFAULT: Final = MQPMO_SYNC_RESPONSE | MQPMO_LOGICAL_ORDER
_OWN_CONTEXT: Final = (
    MQPMO_NO_CONTEXT
    | MQPMO_PASS_IDENTITY_CONTEXT
    | MQPMO_PASS_ALL_CONTEXT
    | MQPMO_SET_IDENTITY_CONTEXT
    | MQPMO_SET_ALL_CONTEXT
)
_BLANK_4: Final = b" " * 4
_BLANK_32: Final = b" " * 32


class ReservedIds:
    """Message ids that the client may assign: counted up from the first one, in the last bytes."""

    def __init__(self, first: bytes, place: int, count: int) -> None:
        self._prefix = first[:place]
        self._width = 24 - place
        self._next = int.from_bytes(first[place:], "big")
        self.left = max(0, min(count, (1 << 8 * self._width) - self._next))

    def take(self) -> bytes:
        """Give the next id; there must be one left."""
        self.left -= 1
        number = self._next
        self._next = number + 1
        return self._prefix + number.to_bytes(self._width, "big")


NO_IDS: Final = ReservedIds(bytes(24), 21, 0)


def is_asynchronous(opened: OpenObject, options: PutOptions, by_default: bool) -> bool:
    """Say whether a put waits for no reply; `by_default` says whether DEFPRESP counts on this connection."""
    asked = options.options
    if asked & MQPMO_ASYNC_RESPONSE:
        return True
    return by_default and opened.put_response == MQPRT_ASYNC_RESPONSE and not asked & _NOT_BY_DEFAULT


def wants_ids(opened: OpenObject, descriptor: MessageDescriptor, options: PutOptions) -> bool:
    """Say whether an asynchronous put wants a new id; each copy for a list or a topic has an id of its own."""
    if options.records_present or opened.target.object_type != MQOT_Q:
        return False
    return options.options & _NEW_IDS != 0 or is_empty(descriptor.message_id)


def tell_origin(descriptor: MessageDescriptor, options: int, application: bytes, application_type: int) -> None:
    """Complete the origin context of a descriptor as the queue manager will, unless the program sets it."""
    if not options & _OWN_CONTEXT:
        descriptor.application_identity_data = _BLANK_32
        descriptor.put_application_type = application_type
        descriptor.put_application_name = application
        descriptor.application_origin_data = _BLANK_4
