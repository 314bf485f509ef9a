"""One application's connection: its verbs, carried out on the engine.

A verb runs in the loop's thread, under the engine lock, for microseconds. One that stalls (a page is not in memory) or
takes many steps (a long message) goes to a worker, which runs it to its end as a program in this process would. That
costs two changes of thread, which is more than a message of a few pages does: it is stored in the loop.
"""

from functools import partial
from typing import Final

from kew.channels.agents.dialogue import Dialogue
from kew.channels.agents.distributing import ListPut1, heed_records, is_list, judge, tell_put
from kew.channels.agents.getting import Gets
from kew.channels.agents.objects import Objects, check_target, topic_string_of
from kew.channels.agents.subscribing import Subscriptions
from kew.channels.agents.transactions import Transactions
from kew.channels.protocol import mqapi, spi
from kew.channels.protocol.delivery import (
    ASYNCHRONOUS,
    CONN_STATE,
    CONSUMED,
    CONSUMPTION,
    Q_STATE,
    QM_QUIESCING,
    RELEASED,
    TXN_REVOKE,
    Notification,
    RequestMessages,
    state_reply,
)
from kew.channels.protocol.descriptor import MD2_SIZE, from_canonical, to_canonical
from kew.channels.protocol.dialect import Dialect, name, padded
from kew.channels.protocol.events import FAILED, WARNING, Call, Event, plain_reply
from kew.channels.protocol.messages import Get, Put, Put1, put1_reply, put_reply
from kew.channels.protocol.options import PutOptions
from kew.channels.protocol.segments import (
    CONFIRM_REQUEST,
    MQBACK,
    MQCLOSE,
    MQCMIT,
    MQGET,
    MQINQ,
    MQOPEN,
    MQPUT,
    MQPUT1,
    MQSET,
    MQSTAT,
    MQSUB,
    MQSUBRQ,
    NOTIFICATION,
    REQUEST_MSGS,
    SPI,
)
from kew.channels.protocol.spimessages import SpiGetCall, SpiPut1Call, SpiPutCall, deferred
from kew.channels.protocol.structures import StatusReport
from kew.channels.protocol.xa import XaCall
from kew.codes.attributes import MQAS_INACTIVE, MQAS_NONE, MQAS_STARTED, MQAS_STOPPED
from kew.codes.errors import MQError
from kew.codes.options import (
    MQCO_NONE,
    MQOT_Q,
    MQOT_TOPIC,
    MQPMO_ALTERNATE_USER_AUTHORITY,
    MQPMO_ASYNC_RESPONSE,
    MQPMO_PASS_ALL_CONTEXT,
    MQPMO_PASS_IDENTITY_CONTEXT,
    MQPMO_RESOLVE_LOCAL_Q,
    MQPMO_SYNC_RESPONSE,
    MQPMO_SYNCPOINT,
    MQSTAT_TYPE_ASYNC_ERROR,
    MQSTAT_TYPE_RECONNECTION,
    MQSTAT_TYPE_RECONNECTION_ERROR,
)
from kew.codes.reasons import (
    MQRC_BACKED_OUT,
    MQRC_CONNECTION_BROKEN,
    MQRC_FUNCTION_NOT_SUPPORTED,
    MQRC_HCONN_ERROR,
    MQRC_NONE,
    MQRC_OBJECT_TYPE_ERROR,
    MQRC_Q_MGR_QUIESCING,
    MQRC_RECS_PRESENT_ERROR,
    MQRC_STAT_TYPE_ERROR,
)
from kew.formats.mqmd import LENGTH, MessageDescriptor, decode_stored, encode
from kew.mqi import open as opening
from kew.mqi import put as putting
from kew.mqi import topics, units
from kew.mqi.distribution import DistributionList
from kew.mqi.extension import absorb
from kew.mqi.handles import Handle
from kew.mqi.holding import hold, let_go
from kew.mqi.local import LocalConnection
from kew.mqi.longput import LongPut
from kew.mqi.options import open_for_put1
from kew.mqi.publish import HIGHEST_LEVEL, TopicOutlet
from kew.mqi.remote import Resolved, resolved
from kew.mqi.reserving import release_all
from kew.storage.log import NO_ADDRESS, LogAddress, LogError
from kew.storage.pages.blob import SINGLE_PAGE
from kew.storage.stall import Stall

FEW_PAGES: Final = 1 << 16  # bytes of a message that is stored in the loop
FEW_STEPS: Final = 8  # that it takes; more are left to a worker
_OURS: Final = MQPMO_ASYNC_RESPONSE | MQPMO_SYNC_RESPONSE
_PASSES: Final = MQPMO_PASS_IDENTITY_CONTEXT | MQPMO_PASS_ALL_CONTEXT


_STATES: Final = {2: MQAS_STARTED, 3: MQAS_STOPPED}  # what IBM's clients say with CONN_STATE
_LISTENS: Final = 16  # what they say with Q_STATE of a queue that has a listener


class Conversation:
    """A connection to the queue manager, from MQCONN to MQDISC or the end of the socket."""

    def __init__(self, dialogue: Dialogue, local: LocalConnection) -> None:
        self.dialogue = dialogue
        self.local = local
        self.connection = local.connection
        self.gets = Gets(dialogue, local.connection)
        self.objects = Objects(dialogue, local, self.gets)
        self.subscriptions = Subscriptions(dialogue, local)
        self.transactions = Transactions(dialogue, local)
        self._engine = local.engine
        self._lock = local.engine.lock
        self._report = StatusReport()  # what became of puts that nobody answered
        self._queue_manager = padded(local.engine.name, 48)
        self._put_to = ""  # the queue that a message was last put to, and its name as replies say it
        self._queue = padded("", 48)

    def perform(self, event: Event) -> None:
        """Carry out one call."""
        kind = event.kind
        if kind == MQPUT:
            assert isinstance(event, Put)
            self._put(event)
        elif kind == REQUEST_MSGS:
            assert isinstance(event, RequestMessages)
            self.gets.ask(event)
        elif kind == MQCMIT:
            assert isinstance(event, Call)
            self._commit(event)
        elif kind == MQGET:
            assert isinstance(event, Get)
            self.gets.get(event)
        elif kind == MQPUT1:
            assert isinstance(event, Put1)
            self._put1(event)
        elif kind == MQBACK:
            assert isinstance(event, Call)
            self._back_out(event)
        elif kind == NOTIFICATION:
            assert isinstance(event, Notification)
            self._notice(event)
        else:
            self._perform_rare(event)

    def _perform_rare(self, event: Event) -> None:
        kind = event.kind
        if kind == MQOPEN:
            assert isinstance(event, mqapi.Open)
            self.objects.open(event)
        elif kind == MQCLOSE:
            assert isinstance(event, mqapi.Close)
            self.objects.close(event)
        elif kind == MQINQ:
            assert isinstance(event, mqapi.Attributes)
            self.objects.inquire(event)
        elif kind == MQSET:
            assert isinstance(event, mqapi.Attributes)
            self.objects.set(event)
        elif kind == MQSUB:
            assert isinstance(event, mqapi.Subscribe)
            self.subscriptions.subscribe(event)
        elif kind == MQSUBRQ:
            assert isinstance(event, mqapi.SubscriptionRequest)
            self.subscriptions.request(event)
        elif kind == MQSTAT:
            assert isinstance(event, mqapi.Stat)
            self._tell_status(event)
        elif kind == SPI:
            assert isinstance(event, spi.SpiCall)
            self._spi(event)
        elif isinstance(event, XaCall):
            self.transactions.perform(event)
        elif isinstance(event, Call):
            self._answer(event, MQRC_FUNCTION_NOT_SUPPORTED)

    def _answer(self, call: Call, reason: int) -> None:
        self.dialogue.say(plain_reply(call, FAILED, reason) if reason else plain_reply(call))

    # MQPUT and MQPUT1.

    def _put(self, call: Put, delay: int = 0) -> None:
        """MQPUT, of a message that is to be delivered after so many milliseconds."""
        dialect = call.dialect
        assert dialect is not None
        options = call.options.options
        descriptor = decode_stored(to_canonical(call.descriptor, dialect), 0)
        try:
            if len(call.descriptor) != MD2_SIZE:
                call.payload = absorb(descriptor, call.payload)
            handle = self.connection.handle(call.handle)
            context = self.connection.handles.get(call.options.context) if options & _PASSES else None
            if handle.queue is None or call.options.records_present:
                level_of_publication(handle, call.options)
                heed_records(handle, call.options, dialect)
            if delay:
                self.dialogue.slowly(
                    partial(self.local.put_later, handle, descriptor, call.payload, options & ~_OURS, context, delay),
                    partial(self._was_put, call, handle, descriptor, NO_ADDRESS),
                )
                return
            with self._lock:
                result = putting.put(self.connection, handle, descriptor, call.payload, options & ~_OURS, context)
        except Stall:
            self.dialogue.slowly(
                partial(self._put_slowly, handle, descriptor, call.payload, options & ~_OURS, context),
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
        """Do the rest of a put: here if it is short and nothing is to be waited for, else in a worker."""
        met: MQError | None = None
        if len(call.payload) <= FEW_PAGES:
            try:
                for _step in range(FEW_STEPS):
                    with self._lock:
                        done, address = putting.continue_put(self.connection, rest)
                    if done:
                        self._was_put(call, handle, descriptor, address, MQRC_NONE)
                        return
            except MQError as error:
                met = error
            except (Stall, LogError):
                pass  # the worker waits, or meets it too
        then = partial(self._was_put, call, handle, descriptor, NO_ADDRESS)
        self.dialogue.slowly(partial(self.local.finish_put, rest, met), then)

    def _put_slowly(
        self, handle: Handle, descriptor: MessageDescriptor, data: bytes, options: int, context: Handle | None
    ) -> None:
        """Put a message in a worker; a warning is told with the reply."""
        try:
            self.local.put(handle, descriptor, data, options, context)
        except MQError as error:
            if isinstance(handle.outlet, DistributionList) and handle.outlet.completion == error.completion:
                return  # the list tells it
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
                self.dialogue.site.acknowledgements.want(address)
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
        self.dialogue.say(reply, address)

    def _tell_status(self, call: mqapi.Stat) -> None:
        """MQSTAT. Reconnection is the client's own business: there is nothing to tell of it here."""
        report = StatusReport()
        if call.status_type == MQSTAT_TYPE_ASYNC_ERROR:
            report, self._report = self._report, report
        elif call.status_type not in (MQSTAT_TYPE_RECONNECTION, MQSTAT_TYPE_RECONNECTION_ERROR):
            self.dialogue.say(plain_reply(call, FAILED, MQRC_STAT_TYPE_ERROR))
            return
        report.version = call.report.version
        self.dialogue.say(mqapi.stat_reply(call, report))

    def _failed_at_list(self, call: Put, destinations: DistributionList) -> bool:
        """Whether a put that nobody answers has not reached all of a list; the report says it then."""
        if not _unanswered(call, call.options.options) or not destinations.reason:
            return False
        self._put_failed(call, destinations.reason, destinations.completion)
        return True

    def _put_failed(self, call: Put, reason: int, completion: int = FAILED) -> None:
        if _unanswered(call, call.options.options):
            if self._note_failure(call.options.options, reason, completion):
                report = self._report
                handle = self.connection.handles.get(call.handle)
                if handle is not None:
                    report.object_name = padded(handle.opened_name, 48)
                    found = resolved(handle, self._engine.name)
                    report.resolved_object = padded(found.queue, 48)
                    report.queue_manager = self._queue_manager
                    report.resolved_queue_manager = padded(found.manager, 48)
            return
        reply = put_reply(call)
        reply.fail(reason, completion)
        self.dialogue.say(reply)

    def _note_failure(self, options: int, reason: int, completion: int) -> bool:
        """Note that a put that nobody answers has failed; whether it is the first, of which more is told."""
        report = self._report
        if completion == WARNING:
            report.put_warnings += 1
        else:
            report.put_failures += 1
            if options & MQPMO_SYNCPOINT:
                with self._lock:
                    units.spoil(self.connection)
        if report.reason:
            return False
        report.completion, report.reason = completion, reason
        return True

    def _completed(self, descriptor: MessageDescriptor, size: int, dialect: Dialect) -> bytes:
        """A descriptor as the client reads it, in the version that it sent."""
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

    def _put1(self, call: Put1) -> None:
        try:
            if is_list(call.target):
                ListPut1(self.dialogue, self.local, call, partial(self._put_at_list, call)).begin()
                return
            if call.options.records_present and call.options.version >= 2:
                raise MQError(MQRC_RECS_PRESENT_ERROR, records=call.options.records_present)
            if call.target.object_type not in (MQOT_Q, MQOT_TOPIC):
                raise MQError(MQRC_OBJECT_TYPE_ERROR, type=call.target.object_type)
            one = PutOne(self.local, call, check_target(call.target, self._engine, 0))
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
        self.dialogue.slowly(one.put_slowly, partial(self._put_one, call, one))

    def _put_one(self, call: Put1, one: "PutOne", reason: int, completion: int = FAILED) -> None:
        if reason:
            self._put_one_failed(call, reason, completion, one.address)
            return
        if _unanswered(call, call.options.options):
            if one.warning:
                self._put_one_failed(call, one.warning, WARNING)
            else:
                self._report.put_successes += 1
            if one.address:
                self.dialogue.site.acknowledgements.want(one.address)
            return
        dialect = call.dialect
        assert dialect is not None
        reply = put1_reply(call)
        reply.descriptor = self._completed(one.descriptor, len(call.descriptor), dialect)
        tell_resolved(reply.options, one.resolved)
        if one.warning:
            reply.fail(one.warning, WARNING)
        self.dialogue.say(reply, one.address)

    def _put_one_failed(self, call: Put1, reason: int, completion: int, address: LogAddress = NO_ADDRESS) -> None:
        if _unanswered(call, call.options.options):
            if self._note_failure(call.options.options, reason, completion):
                self._report.object_name = padded(name(call.target.object_name), 48)
            return
        reply = put1_reply(call)
        reply.fail(reason, completion)
        self.dialogue.say(reply, address)

    def _put_at_list(self, call: Put1, reason: int, completion: int) -> bool:
        """Take note of what became of an MQPUT1 to a list; whether nobody answers it."""
        if not _unanswered(call, call.options.options):
            return False
        if reason:
            self._put_one_failed(call, reason, completion)
        else:
            self._report.put_successes += 1
        return True

    # Units of work.

    def _commit(self, call: Call) -> None:
        try:
            with self._lock:
                address = units.commit(self.connection)
        except Stall:
            self.dialogue.slowly(self.local.commit, partial(self._committed_slowly, call))
            return
        except MQError as error:
            self._not_committed(plain_reply(call, error.completion, error.reason))
            return
        except LogError:
            self._answer(call, MQRC_CONNECTION_BROKEN)
            return
        self.dialogue.say(plain_reply(call), address)

    def _committed_slowly(self, call: Call, reason: int) -> None:
        if not reason:
            self.dialogue.say(plain_reply(call))
        else:
            self._not_committed(plain_reply(call, WARNING if reason == MQRC_BACKED_OUT else FAILED, reason))

    def _not_committed(self, reply: Call) -> None:
        """Say why a unit is not committed; where it was backed out, what was sent ahead is let go first."""
        if reply.reason == MQRC_BACKED_OUT and self.connection.reserves:
            self.gets.stop_reserving()
            let_go = partial(self._engine.run, partial(release_all, self.connection))
            self.dialogue.slowly(let_go, partial(self._let_go, reply))
        else:
            self.dialogue.say(reply)

    def _let_go(self, reply: Call, _reason: int) -> None:
        self.dialogue.say(reply)

    def _back_out(self, call: Call) -> None:
        if self.connection.reserves:
            self.gets.stop_reserving()
        try:
            with self._lock:
                units.backout(self.connection)
        except Stall:
            self.dialogue.slowly(self.local.backout, partial(self._answer, call))
            return
        except MQError as error:
            self._answer(call, error.reason)
            return
        except LogError:
            self._answer(call, MQRC_CONNECTION_BROKEN)
            return
        self.dialogue.say(plain_reply(call))

    # The rest.

    def _notice(self, notification: Notification) -> None:
        if notification.code == CONSUMED:
            self.gets.consumed(notification.handle, notification.value)
        elif notification.code == RELEASED:
            self.gets.released(notification.handle)
        elif notification.code == CONSUMPTION:
            self.connection.note_consumption(notification.handle, notification.value)
        else:
            if notification.code == CONN_STATE:
                self.connection.consumption = _STATES.get(notification.value, MQAS_NONE)
            elif notification.code == Q_STATE and notification.value & _LISTENS:
                self.connection.note_consumption(notification.handle, MQAS_INACTIVE)
            if notification.flags & CONFIRM_REQUEST and notification.code in (CONN_STATE, Q_STATE, TXN_REVOKE):
                self.dialogue.say(state_reply(notification, 0))

    def _spi(self, call: spi.SpiCall) -> None:
        dialect = call.dialect
        assert dialect is not None
        inside = call.inside
        if call.verb == spi.QUERY:
            self.dialogue.say(spi.query_reply(call, spi.FULL_TABLE, dialect))
        elif isinstance(inside, spi.SpiOpen):
            self.objects.spi_open(call, inside)
        elif isinstance(inside, spi.SpiSubscribe):
            self.subscriptions.spi_subscribe(call, inside)
        elif isinstance(inside, spi.SpiReserve):
            tag = self._engine.ids.reserve()
            self.dialogue.say(spi.reserve_reply(call, tag, inside.count, dialect))
        elif isinstance(inside, spi.SpiPut) and deferred(call):
            self._hold(call, inside)
        elif isinstance(inside, spi.SpiActivate):
            self._activate(call, inside, dialect)
        elif isinstance(inside, spi.SpiPut):
            if inside.target is None and inside.delay > 0:
                self._put(SpiPutCall(call, inside), inside.delay)
            elif inside.target is None:
                self._put(SpiPutCall(call, inside))
            else:
                self._put1(SpiPut1Call(call, inside))
        elif isinstance(inside, spi.SpiNotify):
            self._notify(call, inside, dialect)
        elif isinstance(inside, spi.SpiGet):
            self.gets.get(SpiGetCall(call, inside))
        else:
            self.dialogue.say(spi.refusal(call, MQRC_FUNCTION_NOT_SUPPORTED))

    def _hold(self, call: spi.SpiCall, inside: spi.SpiPut) -> None:
        """Hold a message until the connection ends, or it is activated."""
        dialect = call.dialect
        assert dialect is not None
        if inside.target is not None:
            self.dialogue.say(spi.refusal(call, MQRC_FUNCTION_NOT_SUPPORTED))
            return
        put = SpiPutCall(call, inside)
        descriptor = decode_stored(to_canonical(put.descriptor, dialect), 0)
        try:
            if len(put.descriptor) != MD2_SIZE:
                put.payload = absorb(descriptor, put.payload)
            handle = self.connection.handle(call.handle)
            with self._lock:
                hold(self.connection, handle, descriptor, put.payload, put.options.options & ~_OURS)
        except MQError as error:
            self._put_failed(put, error.reason, error.completion)
            return
        self._was_put(put, handle, descriptor, NO_ADDRESS, MQRC_NONE)

    def _activate(self, call: spi.SpiCall, inside: spi.SpiActivate, dialect: Dialect) -> None:
        """Put a message that is held, or drop it."""
        answer = partial(self._activated, call, dialect)
        if inside.mode == spi.ENABLE:
            self.dialogue.slowly(partial(self.local.put_held, inside.message_id), answer)
            return
        try:
            with self._lock:
                let_go(self.connection, inside.message_id)
        except MQError as error:
            answer(error.reason)
        else:
            answer(MQRC_NONE)

    def _activated(self, call: spi.SpiCall, dialect: Dialect, reason: int) -> None:
        self.dialogue.say(spi.refusal(call, reason) if reason else spi.activate_reply(call, dialect))

    def _notify(self, call: spi.SpiCall, inside: spi.SpiNotify, dialect: Dialect) -> None:
        """End the waits of this connection; those of another are not its business."""
        if int.from_bytes(inside.connection[-8:], "big") != self.connection.number:
            self.dialogue.say(spi.refusal(call, MQRC_HCONN_ERROR))
            return
        self.gets.cancel(inside.reason)
        self.dialogue.say(spi.notify_reply(call, dialect))

    # The end.

    def quiesce(self, reason: int, number: int) -> None:
        """Tell the application that the queue manager is about to end, or its channel.

        IBM's client wants QM_QUIESCING for each handle that gets, as something nobody asked for; its gets that are to
        fail then do, with 2161. Any other form of it (no handle, another request id), and any notification on a socket
        that is not shared, has it answer every later call with 2195 or 2009.
        """
        self.connection.quiescing = True
        if self.dialogue.session.extended:  # Kew's client wants to know whatever it has open
            notice = Notification(-1, QM_QUIESCING, reason)
            notice.conversation_id = number
            self.dialogue.say(notice)
        elif self.dialogue.session.multiplexed and reason == MQRC_Q_MGR_QUIESCING:
            for handle in list(self.connection.handles.values()):
                if handle.input or handle.browse:
                    notice = Notification(handle.number, QM_QUIESCING, reason)
                    notice.conversation_id = number
                    notice.request_id = ASYNCHRONOUS
                    self.dialogue.say(notice)
        self.gets.quiesce(reason)

    def disconnect(self, call: Call) -> None:
        """MQDISC: commits the unit of work and closes all handles."""
        self.gets.end()
        connection = self.connection
        if connection.unit is None and not connection.handles and not connection.held:
            with self._lock:
                self._engine.leave(connection.number)
                connection.open = False
            self._answer(call, MQRC_NONE)
        else:
            self.dialogue.slowly(self.local.disconnect, partial(self._disconnected, call))

    def _disconnected(self, call: Call, reason: int) -> None:
        if reason == MQRC_BACKED_OUT:  # a warning: the program is disconnected all the same
            self.dialogue.say(plain_reply(call, WARNING, reason))
        else:
            self._answer(call, reason)

    def leave(self) -> None:
        """End as if the program had died: its unit of work is backed out."""
        self.gets.end()
        if self.connection.open:
            self.dialogue.site.workers.submit(self._abandon)

    def _abandon(self) -> None:
        self.dialogue.site.outcome(self.local.abandon)


def level_of_publication(handle: Handle, options: PutOptions) -> None:
    """Publish on the level that a program says."""
    if isinstance(handle.outlet, TopicOutlet):
        handle.outlet.level = options.publish_level if options.version >= 3 else HIGHEST_LEVEL


def tell_resolved(options: PutOptions, found: Resolved) -> None:
    """Write into put options where a message goes."""
    options.known, options.unknown, options.invalid = found.counts()
    options.resolved_queue = padded(found.queue, 48)
    options.resolved_queue_manager = padded(found.manager, 48)


def _unanswered(call: Call, options: int) -> bool:
    """Whether nobody waits for the answer to an MQPUT or MQPUT1; those that come by the SPI are always answered."""
    if not options & MQPMO_ASYNC_RESPONSE:
        return False
    return not isinstance(call, SpiPutCall) and not isinstance(call, SpiPut1Call)


class PutOne:
    """An MQPUT1: opens a queue, puts one message, closes the queue."""

    def __init__(self, local: LocalConnection, call: Put1, other: str) -> None:
        dialect = call.dialect
        assert dialect is not None
        self._local = local
        self._call = call
        self._other = other  # the queue manager that the queue is at, if that is another
        self._options = call.options.options & ~_OURS
        self._name = name(call.target.object_name)
        self._alternate_user = name(call.target.alternate_user)
        self.descriptor = decode_stored(to_canonical(call.descriptor, dialect), 0)
        if len(call.descriptor) != MD2_SIZE:
            call.payload = absorb(self.descriptor, call.payload)
        self._topic = topic_string_of(call.target) if call.target.object_type == MQOT_TOPIC else None
        self._delay = call.inside.delay if isinstance(call, SpiPut1Call) else 0
        self.address: LogAddress = NO_ADDRESS
        self.resolved = Resolved("", local.engine.name, False)
        self.warning = MQRC_NONE  # with which it succeeds
        self._rest: LongPut | None = None  # of a put that has begun

    def _context(self) -> Handle | None:
        return self._local.connection.handles.get(self._call.options.context) if self._options & _PASSES else None

    def put_now(self) -> bool:
        """Put the message if that takes no worker; whether it did."""
        local = self._local
        connection = local.connection
        data = self._call.payload
        if self._delay > 0 or len(data) + LENGTH > SINGLE_PAGE:
            return False
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
                of_put = self._options & ~MQPMO_ALTERNATE_USER_AUTHORITY  # which concerns the open
                result = putting.put(connection, handle, self.descriptor, data, of_put, context)
                self.warning = handle.take_warning()
            finally:
                opening.close(connection, handle, MQCO_NONE)
        if isinstance(result, LongPut):
            self._rest = result
            return False
        self.address = result
        return True

    def put_slowly(self) -> None:
        """Put the message, or what is left to be done, in a worker, which may wait."""
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
