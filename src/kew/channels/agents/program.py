"""One application's connection: its verbs, carried out on the engine.

A verb runs in the loop's thread, under the engine lock, for microseconds. One that stalls (a page is not in memory) or
takes many steps (a long message) goes to a worker, which runs it to its end as a program in this process would.
"""

from functools import partial
from typing import Final

from kew.channels.agents.callqueue import CallQueue
from kew.channels.agents.getcalls import GetCalls
from kew.channels.agents.objects import Objects
from kew.channels.agents.putcalls import PutCalls
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
from kew.channels.protocol.dialect import Dialect
from kew.channels.protocol.events import FAILED, WARNING, Call, Event, plain_reply
from kew.channels.protocol.messages import Get, Put, Put1
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
from kew.channels.protocol.xa import XaCall
from kew.codes.attributes import MQAS_INACTIVE, MQAS_NONE, MQAS_STARTED, MQAS_STOPPED
from kew.codes.errors import MQError
from kew.codes.reasons import (
    MQRC_BACKED_OUT,
    MQRC_CONNECTION_BROKEN,
    MQRC_FUNCTION_NOT_SUPPORTED,
    MQRC_HCONN_ERROR,
    MQRC_NONE,
    MQRC_Q_MGR_QUIESCING,
)
from kew.mqi import units
from kew.mqi.local import LocalConnection
from kew.mqi.reserving import release_all
from kew.storage.log import LogError
from kew.storage.stall import Stall

_STATES: Final = {2: MQAS_STARTED, 3: MQAS_STOPPED}  # what IBM's clients say with CONN_STATE
_LISTENS: Final = 16  # what they say with Q_STATE of a queue that has a listener


class ProgramConnection:
    """A connection to the queue manager, from MQCONN to MQDISC or the end of the socket."""

    def __init__(self, call_queue: CallQueue, local: LocalConnection) -> None:
        self.call_queue = call_queue
        self.local = local
        self.connection = local.connection
        self.gets = GetCalls(call_queue, local.connection)
        self.puts = PutCalls(call_queue, local)
        self.objects = Objects(call_queue, local, self.gets)
        self.subscriptions = Subscriptions(call_queue, local)
        self.transactions = Transactions(call_queue, local)
        self._engine = local.engine
        self._lock = local.engine.lock

    def perform(self, event: Event) -> None:
        """Carry out one call."""
        kind = event.kind
        if kind == MQPUT:
            assert isinstance(event, Put)
            self.puts.put(event)
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
            self.puts.put1(event)
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
            self.puts.tell_status(event)
        elif kind == SPI:
            assert isinstance(event, spi.SpiCall)
            self._spi(event)
        elif isinstance(event, XaCall):
            self.transactions.perform(event)
        elif isinstance(event, Call):
            self._answer(event, MQRC_FUNCTION_NOT_SUPPORTED)

    def _answer(self, call: Call, reason: int) -> None:
        self.call_queue.say(plain_reply(call, FAILED, reason) if reason else plain_reply(call))

    # Units of work.

    def _commit(self, call: Call) -> None:
        try:
            with self._lock:
                address = units.commit(self.connection)
        except Stall:
            self.call_queue.slowly(self.local.commit, partial(self._committed_slowly, call))
            return
        except MQError as error:
            self._not_committed(plain_reply(call, error.completion, error.reason))
            return
        except LogError:
            self._answer(call, MQRC_CONNECTION_BROKEN)
            return
        self.call_queue.say(plain_reply(call), address)

    def _committed_slowly(self, call: Call, reason: int) -> None:
        if not reason:
            self.call_queue.say(plain_reply(call))
        else:
            self._not_committed(plain_reply(call, WARNING if reason == MQRC_BACKED_OUT else FAILED, reason))

    def _not_committed(self, reply: Call) -> None:
        """Say why a unit is not committed; where it was backed out, what was sent ahead is let go first."""
        if reply.reason == MQRC_BACKED_OUT and self.connection.reserves:
            self.gets.stop_reserving()
            let_go = partial(self._engine.run, partial(release_all, self.connection))
            self.call_queue.slowly(let_go, partial(self._let_go, reply))
        else:
            self.call_queue.say(reply)

    def _let_go(self, reply: Call, _reason: int) -> None:
        self.call_queue.say(reply)

    def _back_out(self, call: Call) -> None:
        if self.connection.reserves:
            self.gets.stop_reserving()
        try:
            with self._lock:
                units.backout(self.connection)
        except Stall:
            self.call_queue.slowly(self.local.backout, partial(self._answer, call))
            return
        except MQError as error:
            self._answer(call, error.reason)
            return
        except LogError:
            self._answer(call, MQRC_CONNECTION_BROKEN)
            return
        self.call_queue.say(plain_reply(call))

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
                self.call_queue.say(state_reply(notification, 0))

    def _spi(self, call: spi.SpiCall) -> None:
        dialect = call.dialect
        assert dialect is not None
        inside = call.inside
        if call.verb == spi.QUERY:
            self.call_queue.say(spi.query_reply(call, spi.FULL_TABLE, dialect))
        elif isinstance(inside, spi.SpiOpen):
            self.objects.spi_open(call, inside)
        elif isinstance(inside, spi.SpiSubscribe):
            self.subscriptions.spi_subscribe(call, inside)
        elif isinstance(inside, spi.SpiReserve):
            tag = self._engine.ids.reserve()
            self.call_queue.say(spi.reserve_reply(call, tag, inside.count, dialect))
        elif isinstance(inside, spi.SpiPut) and deferred(call):
            self.puts.hold(call, inside)
        elif isinstance(inside, spi.SpiActivate):
            self.puts.activate(call, inside, dialect)
        elif isinstance(inside, spi.SpiPut):
            if inside.target is None and inside.delay > 0:
                self.puts.put(SpiPutCall(call, inside), inside.delay)
            elif inside.target is None:
                self.puts.put(SpiPutCall(call, inside))
            else:
                self.puts.put1(SpiPut1Call(call, inside))
        elif isinstance(inside, spi.SpiNotify):
            self._notify(call, inside, dialect)
        elif isinstance(inside, spi.SpiGet):
            self.gets.get(SpiGetCall(call, inside))
        else:
            self.call_queue.say(spi.refusal(call, MQRC_FUNCTION_NOT_SUPPORTED))

    def _notify(self, call: spi.SpiCall, inside: spi.SpiNotify, dialect: Dialect) -> None:
        """End the waits of this connection; those of another are not its business."""
        if int.from_bytes(inside.connection[-8:], "big") != self.connection.number:
            self.call_queue.say(spi.refusal(call, MQRC_HCONN_ERROR))
            return
        self.gets.cancel(inside.reason)
        self.call_queue.say(spi.notify_reply(call, dialect))

    # The end.

    def quiesce(self, reason: int, number: int) -> None:
        """Tell the application that the queue manager is about to end, or its channel.

        IBM's client wants QM_QUIESCING for each handle that gets, as something nobody asked for; its gets that are to
        fail then do, with 2161. Any other form of it (no handle, another request id), and any notification on a socket
        that is not shared, has it answer every later call with 2195 or 2009.
        """
        self.connection.quiescing = True
        if self.call_queue.session.extended:  # Kew's client wants to know whatever it has open
            notice = Notification(-1, QM_QUIESCING, reason)
            notice.conversation_id = number
            self.call_queue.say(notice)
        elif self.call_queue.session.multiplexed and reason == MQRC_Q_MGR_QUIESCING:
            for handle in list(self.connection.handles.values()):
                if handle.input or handle.browse:
                    notice = Notification(handle.number, QM_QUIESCING, reason)
                    notice.conversation_id = number
                    notice.request_id = ASYNCHRONOUS
                    self.call_queue.say(notice)
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
            self.call_queue.slowly(self.local.disconnect, partial(self._disconnected, call))

    def _disconnected(self, call: Call, reason: int) -> None:
        if reason == MQRC_BACKED_OUT:  # a warning: the program is disconnected all the same
            self.call_queue.say(plain_reply(call, WARNING, reason))
        else:
            self._answer(call, reason)

    def leave(self) -> None:
        """End as if the program had died: its unit of work is backed out."""
        self.gets.end()
        if self.connection.open:
            self.call_queue.resources.workers.submit(self._abandon)

    def _abandon(self) -> None:
        self.call_queue.resources.outcome(self.local.abandon)
