"""The puts of one conversation: MQPUT, MQPUT1, held messages, and the counts for MQSTAT.

Handing a put to a worker takes two changes of thread, which costs more than storing a message of a few pages: such a
put is done in the loop.
"""

from functools import partial
from typing import Final

from kew.channels.agents.callqueue import CallQueue
from kew.channels.agents.distributionlists import ListPut1, is_list, judge, set_records, tell_put
from kew.channels.agents.objects import check_target
from kew.channels.agents.put1call import OURS, PASSES, Put1Call, level_of_publication, tell_resolved
from kew.channels.protocol import mqapi, spi
from kew.channels.protocol.descriptor import MD2_SIZE, from_canonical, to_canonical
from kew.channels.protocol.dialect import Dialect, name, padded
from kew.channels.protocol.events import FAILED, WARNING, Call, plain_reply
from kew.channels.protocol.messages import Put, Put1, put1_reply, put_reply
from kew.channels.protocol.options import PutOptions
from kew.channels.protocol.spimessages import SpiPut1Call, SpiPutCall
from kew.channels.protocol.structures import StatusReport
from kew.codes.errors import MQError
from kew.codes.options import (
    MQOT_Q,
    MQOT_TOPIC,
    MQPMO_ASYNC_RESPONSE,
    MQPMO_RESOLVE_LOCAL_Q,
    MQPMO_SYNCPOINT,
    MQSTAT_TYPE_ASYNC_ERROR,
    MQSTAT_TYPE_RECONNECTION,
    MQSTAT_TYPE_RECONNECTION_ERROR,
)
from kew.codes.reasons import (
    MQRC_CONNECTION_BROKEN,
    MQRC_FUNCTION_NOT_SUPPORTED,
    MQRC_NONE,
    MQRC_OBJECT_TYPE_ERROR,
    MQRC_RECS_PRESENT_ERROR,
    MQRC_STAT_TYPE_ERROR,
)
from kew.formats.mqmd import MessageDescriptor, decode_stored, encode
from kew.mqi.connections.handles import Handle
from kew.mqi.delivery.longput import LongPut
from kew.mqi.local.connection import LocalConnection
from kew.mqi.messages.extension import absorb
from kew.mqi.objects.distribution import DistributionList
from kew.mqi.puts import put as putting
from kew.mqi.puts.remote import resolved
from kew.mqi.puts.request import PutRequest
from kew.mqi.transactions import deferredputs, units
from kew.storage.log import NO_ADDRESS, LogAddress, LogError
from kew.storage.stall import Stall

FEW_PAGES: Final = 1 << 16  # length up to which a message is stored in the loop
FEW_STEPS: Final = 8  # steps of a put in the loop; further ones are left to a worker


class PutCalls:
    """The puts of one conversation."""

    def __init__(self, call_queue: CallQueue, local: LocalConnection) -> None:
        self._call_queue = call_queue
        self._local = local
        self._connection = local.connection
        self._engine = local.engine
        self._lock = local.engine.lock
        self._report = StatusReport()  # the outcome of unanswered puts
        self._queue_manager = padded(local.engine.name, 48)
        self._put_to = ""  # the queue of the last put, and its name as replies have it
        self._queue = padded("", 48)

    def put(self, call: Put, delay: int = 0) -> None:
        """Carry out MQPUT; with a delay, the message is delivered after so many milliseconds."""
        dialect = call.dialect
        assert dialect is not None
        options = call.options.options
        descriptor = decode_stored(to_canonical(call.descriptor, dialect), 0)
        try:
            if len(call.descriptor) != MD2_SIZE:
                call.payload = absorb(descriptor, call.payload)
            handle = self._connection.handle(call.handle)
            context = self._connection.handles.get(call.options.context) if options & PASSES else None
            if handle.queue is None or call.options.records_present:
                level_of_publication(handle, call.options)
                set_records(handle, call.options, dialect)
            if delay:
                self._call_queue.slowly(
                    partial(self._local.put_later, handle, descriptor, call.payload, options & ~OURS, context, delay),
                    partial(self._was_put, call, handle, descriptor, NO_ADDRESS),
                )
                return
            request = PutRequest(self._connection, handle, descriptor, call.payload, options & ~OURS, context)
            with self._lock:
                result = putting.put(request)
        except Stall:
            self._call_queue.slowly(
                partial(self._put_slowly, handle, descriptor, call.payload, options & ~OURS, context),
                partial(self._was_put, call, handle, descriptor, NO_ADDRESS),
            )
            return
        except MQError as error:
            self._put_failed(call, error.reason, error.completion)
            return
        except LogError:
            self._put_failed(call, MQRC_CONNECTION_BROKEN)
            return
        if isinstance(result, LongPut):
            self._go_on(call, handle, descriptor, result)
        else:
            self._was_put(call, handle, descriptor, result, MQRC_NONE)

    def _go_on(self, call: Put, handle: Handle, descriptor: MessageDescriptor, rest: LongPut) -> None:
        """Finish a put: in the loop for one short message that need not wait, else in a worker."""
        met: MQError | None = None
        if len(call.payload) <= FEW_PAGES and not rest.is_for_many():
            try:
                for _step in range(FEW_STEPS):
                    with self._lock:
                        done, address = putting.continue_put(self._connection, rest)
                    if done:
                        self._was_put(call, handle, descriptor, address, MQRC_NONE)
                        return
            except MQError as error:
                met = error
            except Stall as stall:
                again = partial(self._go_on, call, handle, descriptor, rest)
                then = partial(self._was_put, call, handle, descriptor, NO_ADDRESS)
                self._call_queue.stalled(stall, again, partial(self._local.finish_put, rest, None), then)
                return
            except LogError:
                pass  # the worker meets the same failure
        then = partial(self._was_put, call, handle, descriptor, NO_ADDRESS)
        self._call_queue.slowly(partial(self._local.finish_put, rest, met), then)

    def _put_slowly(
        self, handle: Handle, descriptor: MessageDescriptor, data: bytes, options: int, context: Handle | None
    ) -> None:
        """Put a message in a worker; the reply has its warning."""
        try:
            self._local.put(handle, descriptor, data, options, context)
        except MQError as error:
            if isinstance(handle.outlet, DistributionList) and handle.outlet.completion == error.completion:
                return  # the list reports it
            if error.completion != WARNING:
                raise
            handle.warning = error.reason

    def _was_put(
        self, call: Put, handle: Handle, descriptor: MessageDescriptor, address: LogAddress, reason: int
    ) -> None:
        if reason:
            self._put_failed(call, reason)
            return
        destinations = handle.outlet if isinstance(handle.outlet, DistributionList) else None
        if destinations is not None and self._failed_at_list(call, destinations):
            return
        warned = handle.take_warning()
        if _unanswered(call, call.options.options):
            if warned:
                self._put_failed(call, warned, WARNING)
            else:
                self._report.put_successes += 1
            if address:
                self._call_queue.resources.acknowledgements.want(address)
            return
        dialect = call.dialect
        assert dialect is not None
        call.descriptor = self._completed(descriptor, len(call.descriptor), dialect)
        self._resolved(call.options, handle)
        reply = put_reply(call)
        if destinations is not None:
            tell_put(reply.options, destinations, dialect)
            judge(reply, destinations)
        if warned:
            reply.fail(warned, WARNING)
        self._call_queue.say(reply, address)

    def tell_status(self, call: mqapi.Stat) -> None:
        """Carry out MQSTAT. The reply has nothing about reconnection, which the client reports by itself."""
        report = StatusReport()
        if call.status_type == MQSTAT_TYPE_ASYNC_ERROR:
            report, self._report = self._report, report
        elif call.status_type not in (MQSTAT_TYPE_RECONNECTION, MQSTAT_TYPE_RECONNECTION_ERROR):
            self._call_queue.say(plain_reply(call, FAILED, MQRC_STAT_TYPE_ERROR))
            return
        report.version = call.report.version
        self._call_queue.say(mqapi.stat_reply(call, report))

    def _failed_at_list(self, call: Put, destinations: DistributionList) -> bool:
        """Note the failure of an unanswered put to a distribution list, for MQSTAT; say whether there was one."""
        if not _unanswered(call, call.options.options) or not destinations.reason:
            return False
        self._put_failed(call, destinations.reason, destinations.completion)
        return True

    def _put_failed(self, call: Put, reason: int, completion: int = FAILED) -> None:
        if _unanswered(call, call.options.options):
            if self._note_failure(call.options.options, reason, completion):
                report = self._report
                handle = self._connection.handles.get(call.handle)
                if handle is not None:
                    report.object_name = padded(handle.opened_name, 48)
                    found = resolved(handle, self._engine.name)
                    report.resolved_object = padded(found.queue, 48)
                    report.queue_manager = self._queue_manager
                    report.resolved_queue_manager = padded(found.manager, 48)
            return
        reply = put_reply(call)
        reply.fail(reason, completion)
        self._call_queue.say(reply)

    def _note_failure(self, options: int, reason: int, completion: int) -> bool:
        """Note that an unanswered put has failed; say whether it is the first, whose details MQSTAT reports."""
        report = self._report
        if completion == WARNING:
            report.put_warnings += 1
        else:
            report.put_failures += 1
            if options & MQPMO_SYNCPOINT:
                with self._lock:
                    units.spoil(self._connection)
        if report.reason:
            return False
        report.completion, report.reason = completion, reason
        return True

    def _completed(self, descriptor: MessageDescriptor, size: int, dialect: Dialect) -> bytes:
        """Give a completed descriptor in the client's form, and in the version that the client sent."""
        return from_canonical(descriptor.stored or encode(descriptor), dialect, 2 if size == MD2_SIZE else 1)

    def _resolved(self, options: PutOptions, handle: Handle) -> None:
        if handle.outlet is None:
            options.known = 1
            if handle.name != self._put_to:
                self._put_to = handle.name
                self._queue = padded(handle.name, 48)
            options.resolved_queue = self._queue
            options.resolved_queue_manager = self._queue_manager
        else:
            local = options.options & MQPMO_RESOLVE_LOCAL_Q != 0
            tell_resolved(options, resolved(handle, self._engine.name, local))

    def put1(self, call: Put1) -> None:
        """Carry out MQPUT1."""
        try:
            if is_list(call.target):
                ListPut1(self._call_queue, self._local, call, partial(self._put_at_list, call)).begin()
                return
            if call.options.records_present and call.options.version >= 2:
                raise MQError(MQRC_RECS_PRESENT_ERROR, records=call.options.records_present)
            if call.target.object_type not in (MQOT_Q, MQOT_TOPIC):
                raise MQError(MQRC_OBJECT_TYPE_ERROR, type=call.target.object_type)
            one = Put1Call(self._local, call, check_target(call.target, self._engine, 0))
        except MQError as error:
            self._put_one_failed(call, error.reason, FAILED)
            return
        try:
            if one.put_now():
                self._put_one(call, one, MQRC_NONE)
                return
        except Stall:
            pass
        except MQError as error:
            self._put_one(call, one, error.reason, error.completion)
            return
        except LogError:
            self._put_one(call, one, MQRC_CONNECTION_BROKEN)
            return
        self._call_queue.slowly(one.put_slowly, partial(self._put_one, call, one))

    def _put_one(self, call: Put1, one: Put1Call, reason: int, completion: int = FAILED) -> None:
        if reason:
            self._put_one_failed(call, reason, completion, one.address)
            return
        if _unanswered(call, call.options.options):
            if one.warning:
                self._put_one_failed(call, one.warning, WARNING)
            else:
                self._report.put_successes += 1
            if one.address:
                self._call_queue.resources.acknowledgements.want(one.address)
            return
        dialect = call.dialect
        assert dialect is not None
        reply = put1_reply(call)
        reply.descriptor = self._completed(one.descriptor, len(call.descriptor), dialect)
        tell_resolved(reply.options, one.resolved)
        if one.warning:
            reply.fail(one.warning, WARNING)
        self._call_queue.say(reply, one.address)

    def _put_one_failed(self, call: Put1, reason: int, completion: int, address: LogAddress = NO_ADDRESS) -> None:
        if _unanswered(call, call.options.options):
            if self._note_failure(call.options.options, reason, completion):
                self._report.object_name = padded(name(call.target.object_name), 48)
            return
        reply = put1_reply(call)
        reply.fail(reason, completion)
        self._call_queue.say(reply, address)

    def _put_at_list(self, call: Put1, reason: int, completion: int) -> bool:
        """Note the outcome of an MQPUT1 to a distribution list; say whether that put has no reply."""
        if not _unanswered(call, call.options.options):
            return False
        if reason:
            self._put_one_failed(call, reason, completion)
        else:
            self._report.put_successes += 1
        return True

    # Held messages.

    def hold(self, call: spi.SpiCall, inside: spi.SpiPut) -> None:
        """Hold a deferred message until it is activated or the connection ends."""
        dialect = call.dialect
        assert dialect is not None
        if inside.target is not None:
            self._call_queue.say(spi.refusal(call, MQRC_FUNCTION_NOT_SUPPORTED))
            return
        put = SpiPutCall(call, inside)
        descriptor = decode_stored(to_canonical(put.descriptor, dialect), 0)
        try:
            if len(put.descriptor) != MD2_SIZE:
                put.payload = absorb(descriptor, put.payload)
            handle = self._connection.handle(call.handle)
            with self._lock:
                deferredputs.defer(self._connection, handle, descriptor, put.payload, put.options.options & ~OURS)
        except MQError as error:
            self._put_failed(put, error.reason, error.completion)
            return
        self._was_put(put, handle, descriptor, NO_ADDRESS, MQRC_NONE)

    def activate(self, call: spi.SpiCall, inside: spi.SpiActivate, dialect: Dialect) -> None:
        """Put a deferred message, or drop it."""
        answer = partial(self._activated, call, dialect)
        if inside.mode == spi.ENABLE:
            self._call_queue.slowly(partial(self._local.put_held, inside.message_id), answer)
            return
        try:
            with self._lock:
                deferredputs.take_deferred(self._connection, inside.message_id)
        except MQError as error:
            answer(error.reason)
        else:
            answer(MQRC_NONE)

    def _activated(self, call: spi.SpiCall, dialect: Dialect, reason: int) -> None:
        self._call_queue.say(spi.refusal(call, reason) if reason else spi.activate_reply(call, dialect))


def _unanswered(call: Call, options: int) -> bool:
    """Say whether the client waits for no reply to an MQPUT or MQPUT1; a put of the SPI always has a reply."""
    if not options & MQPMO_ASYNC_RESPONSE:
        return False
    return not isinstance(call, SpiPutCall) and not isinstance(call, SpiPut1Call)
