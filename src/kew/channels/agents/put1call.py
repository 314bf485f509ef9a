"""One MQPUT1, and the parts it shares with MQPUT: the options that the agent handles, and the resolved names."""

from typing import Final

from kew.channels.agents.objects import topic_string_of
from kew.channels.protocol.descriptor import MD2_SIZE, to_canonical
from kew.channels.protocol.dialect import name, padded, words
from kew.channels.protocol.events import WARNING
from kew.channels.protocol.messages import Put1
from kew.channels.protocol.options import PutOptions
from kew.channels.protocol.spimessages import SpiPut1Call
from kew.codes.errors import MQError
from kew.codes.options import (
    MQCO_NONE,
    MQOT_TOPIC,
    MQPMO_ALTERNATE_USER_AUTHORITY,
    MQPMO_ASYNC_RESPONSE,
    MQPMO_PASS_ALL_CONTEXT,
    MQPMO_PASS_IDENTITY_CONTEXT,
    MQPMO_RESOLVE_LOCAL_Q,
    MQPMO_SYNC_RESPONSE,
)
from kew.codes.reasons import MQRC_NONE
from kew.formats.mqmd import LENGTH, decode_stored
from kew.mqi.connections.handles import Handle
from kew.mqi.delivery.longput import LongPut
from kew.mqi.local.connection import LocalConnection
from kew.mqi.messages.extension import absorb
from kew.mqi.objects import open as opening
from kew.mqi.objects.policies import policy_named
from kew.mqi.options import open_for_put1
from kew.mqi.publishing import topics
from kew.mqi.publishing.publish import HIGHEST_LEVEL, TopicOutlet
from kew.mqi.puts import put as putting
from kew.mqi.puts.remote import Resolved, resolved
from kew.mqi.puts.request import PutRequest
from kew.queues.store import AT_ONCE
from kew.storage.log import NO_ADDRESS, LogAddress

OURS: Final = MQPMO_ASYNC_RESPONSE | MQPMO_SYNC_RESPONSE
PASSES: Final = MQPMO_PASS_IDENTITY_CONTEXT | MQPMO_PASS_ALL_CONTEXT


def level_of_publication(handle: Handle, options: PutOptions) -> None:
    """Set the publication level that a program gives."""
    if isinstance(handle.outlet, TopicOutlet):
        handle.outlet.level = options.publish_level if options.version >= 3 else HIGHEST_LEVEL


def tell_resolved(options: PutOptions, found: Resolved) -> None:
    """Write the resolved queue and queue manager into put options."""
    options.known, options.unknown, options.invalid = found.counts()
    options.resolved_queue = padded(found.queue, 48)
    options.resolved_queue_manager = padded(found.manager, 48)


class Put1Call:
    """An MQPUT1: opens a queue, puts one message, closes the queue."""

    def __init__(self, local: LocalConnection, call: Put1, other: str) -> None:
        dialect = call.dialect
        assert dialect is not None
        self._local = local
        self._call = call
        self._other = other  # the queue manager of the queue, if it is another
        self._options = call.options.options & ~OURS
        self._name = name(call.target.object_name)
        self._alternate_user = words(call.target.alternate_user, call.dialect)
        self.descriptor = decode_stored(to_canonical(call.descriptor, dialect), 0)
        if len(call.descriptor) != MD2_SIZE:
            call.payload = absorb(self.descriptor, call.payload)
        self._topic = topic_string_of(call.target) if call.target.object_type == MQOT_TOPIC else None
        self._delay = call.inside.delay if isinstance(call, SpiPut1Call) else 0
        self.address: LogAddress = NO_ADDRESS
        self.resolved = Resolved("", local.engine.name, False)
        self.warning = MQRC_NONE  # the warning with which it succeeds
        self._rest: LongPut | None = None  # the state of a put that has begun

    def _context(self) -> Handle | None:
        return self._local.connection.handles.get(self._call.options.context) if self._options & PASSES else None

    def put_now(self) -> bool:
        """Put the message if that needs no worker; say whether it is done."""
        local = self._local
        connection = local.connection
        data = self._call.payload
        if self._delay > 0 or len(data) + LENGTH > AT_ONCE:
            return False
        if policy_named(local.engine.catalogue, self._name) is not None:
            return False  # the message is protected by a worker, or refused
        if not self._other and opening.find_model(local.administration, self._name) is not None:
            return False
        context = self._context()
        options = open_for_put1(self._options)
        with local.engine.lock:
            opening.check_request(connection, options)
            if self._topic is None:
                handle = opening.open_named(
                    connection, local.administration, self._name, options, self._alternate_user, self._other
                )
            else:
                handle = topics.open_topic(connection, self._name, self._topic, options, self._alternate_user)
            self.resolved = resolved(handle, local.engine.name, self._options & MQPMO_RESOLVE_LOCAL_Q != 0)
            level_of_publication(handle, self._call.options)
            handle.single = True
            try:
                of_put = self._options & ~MQPMO_ALTERNATE_USER_AUTHORITY  # an option of the open
                result = putting.put(PutRequest(connection, handle, self.descriptor, data, of_put, context))
                self.warning = handle.take_warning()
            finally:
                opening.close(connection, handle, MQCO_NONE)
        if isinstance(result, LongPut):
            self._rest = result
            return False
        self.address = result
        return True

    def put_slowly(self) -> None:
        """Put the message, or the rest of it, in a worker, which may wait."""
        if self._rest is not None:
            self._local.finish_put(self._rest)
            return
        try:
            self._put_whole()
        except MQError as error:
            if error.completion != WARNING:
                raise
            self.warning = error.reason

    def _put_whole(self) -> None:
        context, options, user = self._context(), self._options, self._alternate_user
        if self._topic is None:
            data, delay = self._call.payload, self._delay
            self.resolved = self._local.put1(
                self._name, self.descriptor, data, options, context, user, delay, self._other
            )
        else:
            data = self._call.payload
            self._local.publish(self._name, self._topic, self.descriptor, data, options, context, user, self._delay)
