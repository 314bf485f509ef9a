"""MQPUT, MQPUT1 and MQGET of queues with a protection policy, over the calls for stored bodies.

A stored body is longer than the message that was put. If the body does not fit the buffer of a get, the header of the
message says whether the message itself would fit; if so, the client gets the message again by its ids, with room for
all of the body. Where the queue manager has reported that there are policies, MQPUT1 opens the queue first to learn its
policy.
"""

import copy
from typing import Final, Protocol

from kew.channels.protocol.options import GetOptions, PutOptions
from kew.channels.protocol.structures import ObjectDescriptor
from kew.client import requests
from kew.client.link import Operation
from kew.client.openobject import OpenObject
from kew.client.protection import ERROR_QUEUE, QueueProtection, Rejection, dead_letter
from kew.client.received import Received
from kew.codes.errors import Broken, MQError, NoMessage
from kew.codes.options import (
    MQGMO_ACCEPT_TRUNCATED_MSG,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT,
    MQGMO_CONVERT,
    MQGMO_SYNCPOINT,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
    MQMO_MATCH_CORREL_ID,
    MQMO_MATCH_MSG_ID,
    MQOO_ALTERNATE_USER_AUTHORITY,
    MQOO_OUTPUT,
    MQOT_Q,
    MQPER_PERSISTENT,
    MQPMO_ALTERNATE_USER_AUTHORITY,
)
from kew.codes.reasons import MQRC_NONE, MQRC_TRUNCATED_MSG_ACCEPTED, MQRC_TRUNCATED_MSG_FAILED
from kew.formats.dataconversion import convert
from kew.formats.mqmd import MessageDescriptor
from kew.protection import header

BROWSE: Final = MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT | MQGMO_BROWSE_MSG_UNDER_CURSOR


class StoredCalls(Protocol):
    """The calls that send and get messages as they are stored (`verbs.py`)."""

    @property
    def application(self) -> bytes:
        """The name of the program."""

    def open(self, target: ObjectDescriptor, options: int) -> Operation[OpenObject]:
        """Carry out MQOPEN."""

    def close(self, opened: OpenObject, options: int = 0) -> Operation[None]:
        """Carry out MQCLOSE."""

    def put_stored(
        self, opened: OpenObject, descriptor: MessageDescriptor, options: PutOptions, data: bytes
    ) -> Operation[None]:
        """Carry out MQPUT."""

    def put1_stored(
        self, target: ObjectDescriptor, descriptor: MessageDescriptor, options: PutOptions, data: bytes
    ) -> Operation[None]:
        """Carry out MQPUT1."""

    def get_stored(
        self, opened: OpenObject, descriptor: MessageDescriptor, options: GetOptions, max_length: int
    ) -> Operation[Received]:
        """Carry out MQGET."""


def put(
    verbs: StoredCalls,
    opened: OpenObject,
    protection: QueueProtection,
    descriptor: MessageDescriptor,
    options: PutOptions,
    data: bytes,
) -> Operation[None]:
    """Put the protected form of a message (MQPUT); the program's descriptor describes the message before protection."""
    sent = descriptor.copy()
    body = protection.protect(sent, data)
    yield from verbs.put_stored(opened, sent, options, body)
    descriptor.take_over(sent)


def put1(
    verbs: StoredCalls, target: ObjectDescriptor, descriptor: MessageDescriptor, options: PutOptions, data: bytes
) -> Operation[None]:
    """Put a message (MQPUT1) to a queue that may have a policy."""
    protection = None
    if target.object_type == MQOT_Q and not target.records_present:
        protection = yield from _asked(verbs, target, options)
    if protection is None:
        yield from verbs.put1_stored(target, descriptor, options, data)
        return
    sent = descriptor.copy()
    body = protection.protect(sent, data)
    yield from verbs.put1_stored(target, sent, options, body)
    descriptor.take_over(sent)


def _asked(verbs: StoredCalls, target: ObjectDescriptor, options: PutOptions) -> Operation[QueueProtection | None]:
    """Open the queue of an MQPUT1 to learn its policy."""
    how = MQOO_OUTPUT
    if options.options & MQPMO_ALTERNATE_USER_AUTHORITY:
        how |= MQOO_ALTERNATE_USER_AUTHORITY
    opened = yield from verbs.open(copy.copy(target), how)
    yield from verbs.close(opened)
    return opened.protection


def get(
    verbs: StoredCalls,
    opened: OpenObject,
    protection: QueueProtection,
    descriptor: MessageDescriptor,
    options: GetOptions,
    max_length: int,
) -> Operation[Received]:
    """Get a message (MQGET): unprotect it, then convert and cut it as the program has asked."""
    asked = options.options
    cuts = asked & MQGMO_ACCEPT_TRUNCATED_MSG != 0
    plain = options
    if asked & MQGMO_CONVERT:
        plain = copy.copy(options)
        plain.options = asked & ~MQGMO_CONVERT
    room = -1 if cuts or max_length < 0 else max_length
    if room >= 0 and not protection.policy.tolerates:
        room += header.OUTER_SIZE + header.INNER_SIZE  # the stored body is at least so many bytes longer
    while True:
        received = yield from verbs.get_stored(opened, descriptor, plain, room)
        if received.reason != MQRC_TRUNCATED_MSG_FAILED:
            break
        length = protection.length_of(received)
        if not 0 <= length <= max_length:
            received.tell_length(max(length, 0) or received.full_length)
            return received
        try:
            received = yield from verbs.get_stored(opened, *_again(received, plain, asked), received.full_length)
            break
        except NoMessage:
            continue  # another program has got it meanwhile
    try:
        protection.unprotect(received)
    except Rejection as rejection:
        moved = ""
        if not asked & BROWSE:
            moved = yield from _set_aside(verbs, opened, received, asked)
        raise protection.refusal(rejection, opened.name, moved) from rejection
    _present(received, descriptor, asked, max_length, cuts)
    return received


def _again(received: Received, plain: GetOptions, asked: int) -> tuple[MessageDescriptor, GetOptions]:
    """Give descriptor and options of the second get, for a message whose stored body did not fit at the first."""
    again = copy.copy(plain)
    if asked & BROWSE:
        return MessageDescriptor(), again  # the cursor stands where it stood
    again.version = max(plain.version, 2)
    again.match_options = MQMO_MATCH_MSG_ID | MQMO_MATCH_CORREL_ID
    came = received.descriptor
    return MessageDescriptor(message_id=came.message_id, correlation_id=came.correlation_id), again


def _set_aside(verbs: StoredCalls, opened: OpenObject, received: Received, asked: int) -> Operation[str]:
    """Put a rejected message to the error queue; gives the reason if that fails, else an empty text.

    Outside syncpoint the message is already off its queue: if the error queue does not accept the message, it is put
    back.
    """
    persistent = received.descriptor.persistence == MQPER_PERSISTENT
    in_unit = asked & MQGMO_SYNCPOINT != 0 or (asked & MQGMO_SYNCPOINT_IF_PERSISTENT != 0 and persistent)
    dead, data = dead_letter(received, opened.name, verbs.application)
    options = requests.put_options(in_unit, False)
    try:
        yield from verbs.put1_stored(requests.queue_object(ERROR_QUEUE), dead, options, data)
        return ""
    except Broken:
        raise
    except MQError as error:
        why = f"{ERROR_QUEUE}: {error}"
    if in_unit:
        return why
    try:
        back = requests.queue_object(opened.name)
        yield from verbs.put1_stored(back, received.descriptor.copy(), options, received.data)
    except Broken:
        raise
    except MQError as error:
        why += f"; nor does its own queue take it back: {error}"
    return why


def _present(received: Received, wanted: MessageDescriptor, asked: int, max_length: int, cuts: bool) -> None:
    """Convert a message and cut it to the program's buffer."""
    length = len(received.data)
    reason = MQRC_NONE
    if asked & MQGMO_CONVERT:
        descriptor = received.descriptor
        turned = convert(descriptor, received.data, wanted.ccsid, wanted.encoding, max_length, -1, cuts)
        received.replace(descriptor, turned.data)
        length, reason = turned.length, turned.reason
    if 0 <= max_length < len(received.data):
        received.cut(max_length, MQRC_TRUNCATED_MSG_ACCEPTED)
        received.full_length = length
        return
    received.full_length = length
    received.warn(reason)
