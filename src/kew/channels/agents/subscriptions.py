"""MQSUB and MQSUBRQ of one conversation, by call and by SPI.

Both calls may wait for the disk, so a worker carries them out.
"""

from functools import partial
from typing import Final

from kew.channels.agents.callqueue import CallQueue
from kew.channels.protocol import mqapi, spi
from kew.channels.protocol.dialect import name
from kew.channels.protocol.events import FAILED, WARNING, plain_reply
from kew.channels.protocol.structures import VariableString
from kew.channels.protocol.subscription import SubscriptionDescriptor
from kew.codes.errors import MQError
from kew.codes.options import MQOO_CO_OP
from kew.codes.reasons import (
    MQRC_NONE,
    MQRC_OBJECT_STRING_ERROR,
    MQRC_SELECTION_STRING_ERROR,
    MQRC_SUB_NAME_ERROR,
    MQRC_SUB_USER_DATA_ERROR,
)
from kew.formats import charset
from kew.formats.binary import FormatError
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.mqi.subscribing.subscribe import Subscribed, SubscriptionRequest, options_of

UTF_8: Final = 1208


def text_in(raw: bytes, string: VariableString, reason: int) -> str:
    """Decode a variable string, which has a character set of its own."""
    if not raw:
        return ""
    try:
        return charset.decode(raw, string.ccsid if string.ccsid > 0 else UTF_8).rstrip("\0")
    except FormatError as problem:
        raise MQError(reason, why=str(problem)) from problem


def text_out(text: str, string: VariableString) -> bytes:
    """Encode a text as a variable string asks, no longer than the program's buffer."""
    if string.buffer_size <= 0:
        return b""
    return charset.encode(text, string.ccsid if string.ccsid > 0 else UTF_8)[: string.buffer_size]


class SubscribeCall:
    """An MQSUB under way: its request, and the subscription made."""

    def __init__(self, descriptor: SubscriptionDescriptor, queue: Handle | None) -> None:
        self.descriptor = descriptor
        self.queue = queue
        self.joins = False
        self.shared: bool | None = False
        self.assisted = b""
        self.open_options = 0
        self.made: Subscribed | None = None

    def subscribe(self, local: LocalConnection) -> None:
        """Carry out the MQSUB, in a worker."""
        request = _request(self.descriptor)
        request.joins = self.joins
        request.shared = self.shared
        request.assisted = self.assisted
        request.open_options = self.open_options
        self.made = local.subscribe(request, self.queue)
        _complete(self.descriptor, self.made)


def _request(sd: SubscriptionDescriptor) -> SubscriptionRequest:
    request = SubscriptionRequest(
        sd.options,
        text_in(sd.text_of(sd.object_string), sd.object_string, MQRC_OBJECT_STRING_ERROR),
        name(sd.object_name),
        text_in(sd.text_of(sd.name), sd.name, MQRC_SUB_NAME_ERROR),
    )
    request.alternate_user = name(sd.alternate_user)
    request.expiry = sd.expiry
    request.user_data = text_in(sd.text_of(sd.user_data), sd.user_data, MQRC_SUB_USER_DATA_ERROR)
    request.correlation_id = sd.correlation_id
    request.priority = sd.publish_priority
    request.accounting_token = sd.publish_accounting_token
    request.identity_data = sd.publish_identity_data
    request.selector = text_in(sd.text_of(sd.selection_string), sd.selection_string, MQRC_SELECTION_STRING_ERROR)
    request.level = sd.level
    return request


def _complete(sd: SubscriptionDescriptor, made: Subscribed) -> None:
    """Write the attributes of the subscription into the descriptor."""
    subscription = made.subscription
    sd.options = options_of(subscription, sd.options)
    sd.correlation_id = subscription.correlation_id
    sd.publish_priority = subscription.priority
    sd.publish_accounting_token = subscription.accounting_token
    sd.publish_identity_data = subscription.identity_data
    sd.expiry = subscription.lifetime
    sd.level = subscription.level
    sd.set_strings(
        sd.text_of(sd.object_string),
        sd.text_of(sd.name),
        text_out(subscription.user_data, sd.user_data) or sd.text_of(sd.user_data),
        sd.text_of(sd.selection_string),
        text_out(subscription.topic, sd.resolved_object_string),
    )


class Subscriptions:
    """The subscriptions of a conversation."""

    def __init__(self, call_queue: CallQueue, local: LocalConnection) -> None:
        self._call_queue = call_queue
        self._local = local
        self._sent = 0

    def subscribe(self, call: mqapi.Subscribe) -> None:
        """Carry out MQSUB."""
        asked = SubscribeCall(call.descriptor, self._provided(call.handle))
        self._call_queue.slowly(partial(asked.subscribe, self._local), partial(self._subscribed, call, asked))

    def _provided(self, handle: int) -> Handle | None:
        return self._local.connection.handles.get(handle) if handle > 0 else None

    def _subscribed(self, call: mqapi.Subscribe, asked: SubscribeCall, reason: int) -> None:
        made = asked.made
        if made is None:
            self._call_queue.say(plain_reply(call, FAILED, reason))
            return
        reply = mqapi.subscribe_reply(call, made.queue.number, made.handle.number)
        if made.reason != MQRC_NONE:
            reply.fail(made.reason, WARNING)
        self._call_queue.say(reply)

    def spi_subscribe(self, call: spi.SpiCall, inside: spi.SpiSubscribe) -> None:
        """Carry out an SPI SUBSCRIBE, which IBM's clients send in place of MQSUB."""
        asked = SubscribeCall(inside.descriptor, self._provided(call.handle))
        asked.joins = inside.options & spi.JOINS != 0
        asked.shared = inside.options & spi.SHARES != 0 if inside.options & spi.AS_MADE else None
        asked.assisted = inside.identifier
        asked.open_options = inside.open_options & MQOO_CO_OP  # a managed queue has the other options anyway
        then = partial(self._spi_subscribed, call, inside, asked)
        self._call_queue.slowly(partial(asked.subscribe, self._local), then)

    def _spi_subscribed(self, call: spi.SpiCall, inside: spi.SpiSubscribe, asked: SubscribeCall, reason: int) -> None:
        dialect = call.dialect
        assert dialect is not None
        made = asked.made
        if made is None:
            self._call_queue.say(spi.refusal(call, reason))
            return
        queue, subscription = made.queue, made.subscription
        reply = spi.subscribe_reply(
            call, inside, queue.number, made.handle.number, subscription.id, queue.name, dialect
        )
        if made.reason != MQRC_NONE:
            reply.fail(made.reason, WARNING)
        self._call_queue.say(reply)

    def request(self, call: mqapi.SubscriptionRequest) -> None:
        """Carry out MQSUBRQ."""
        try:
            handle = self._local.connection.handle(call.handle)
        except MQError as error:
            self._call_queue.say(plain_reply(call, FAILED, error.reason))
            return
        self._sent = 0
        self._call_queue.slowly(partial(self._send, handle, call), partial(self._requested, call))

    def _send(self, handle: Handle, call: mqapi.SubscriptionRequest) -> None:
        self._sent = self._local.request_publications(handle, call.action, call.options.options)

    def _requested(self, call: mqapi.SubscriptionRequest, reason: int) -> None:
        reply = mqapi.subscription_request_reply(call, self._sent)
        if reason:
            reply.fail(reason)
        self._call_queue.say(reply)
