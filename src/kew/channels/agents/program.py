"""One application's connection: its verbs, carried out on the engine.

A verb runs in the loop's thread, under the engine lock, for microseconds. A verb that stalls (a page is not in memory)
or takes many steps (a long message) goes to a worker, which completes the verb as a program in this process would.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from kew.channels.agents.callqueue import CallQueue
from kew.channels.agents.getcalls import GetCalls
from kew.channels.agents.objects import Objects
from kew.channels.agents.putcalls import PutCalls
from kew.channels.agents.subscriptions import Subscriptions
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
    MQDISC,
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
    XA_COMPLETE,
    XA_START,
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
from kew.mqi.gets.reservations import release_all
from kew.mqi.local.connection import LocalConnection
from kew.mqi.transactions import units
from kew.storage.log import LogError
from kew.storage.stall import Stall

_STATES: Final = {2: MQAS_STARTED, 3: MQAS_STOPPED}  # sent by IBM's clients with CONN_STATE
_LISTENS: Final = 16  # sent with Q_STATE of a queue that has a listener


Handler = Callable[["ProgramConnection", Event], None]


class ProgramConnection:
    """A program's connection, from MQCONN to MQDISC or the end of the socket; HANDLERS has the method of each call."""

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

    def answer(self, call: Call, reason: int) -> None:
        """Answer a call with a reason code, 0 for success."""
        self.call_queue.say(plain_reply(call, FAILED, reason) if reason else plain_reply(call))

    # Units of work.

    def commit(self, call: Call) -> None:
        """Carry out MQCMIT."""
        try:
            with self._lock:
                address = units.commit(self.connection)
        except Stall as stall:
            then = partial(self._committed_slowly, call)
            self.call_queue.stalled(stall, partial(self.commit, call), self.local.commit, then)
            return
        except MQError as error:
            self._not_committed(plain_reply(call, error.completion, error.reason))
            return
        except LogError:
            self.answer(call, MQRC_CONNECTION_BROKEN)
            return
        self.call_queue.say(plain_reply(call), address)

    def _committed_slowly(self, call: Call, reason: int) -> None:
        if not reason:
            self.call_queue.say(plain_reply(call))
        else:
            self._not_committed(plain_reply(call, WARNING if reason == MQRC_BACKED_OUT else FAILED, reason))

    def _not_committed(self, reply: Call) -> None:
        """Answer an MQCMIT that failed; if the unit was backed out, first release the messages sent ahead."""
        if reply.reason == MQRC_BACKED_OUT and self.connection.reserves:
            self.gets.stop_reserving()
            let_go = partial(self._engine.run, partial(release_all, self.connection))
            self.call_queue.slowly(let_go, partial(self._let_go, reply))
        else:
            self.call_queue.say(reply)

    def _let_go(self, reply: Call, _reason: int) -> None:
        self.call_queue.say(reply)

    def back_out(self, call: Call) -> None:
        """Carry out MQBACK."""
        if self.connection.reserves:
            self.gets.stop_reserving()
        try:
            with self._lock:
                units.backout(self.connection)
        except Stall as stall:
            again = partial(self.back_out, call)
            self.call_queue.stalled(stall, again, self.local.backout, partial(self.answer, call))
            return
        except MQError as error:
            self.answer(call, error.reason)
            return
        except LogError:
            self.answer(call, MQRC_CONNECTION_BROKEN)
            return
        self.call_queue.say(plain_reply(call))

    # The rest.

    def notice(self, notification: Notification) -> None:
        """Apply the states of handles and of the connection that a client reports."""
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

    def perform_spi(self, call: spi.SpiCall) -> None:
        """Carry out a call of the SPI, by its verb."""
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
        """End the waits of this connection; notifications for other connections are ignored."""
        if int.from_bytes(inside.connection[-8:], "big") != self.connection.number:
            self.call_queue.say(spi.refusal(call, MQRC_HCONN_ERROR))
            return
        self.gets.cancel(inside.reason)
        self.call_queue.say(spi.notify_reply(call, dialect))

    # The end.

    def quiesce(self, reason: int, number: int) -> None:
        """Notify the program that the queue manager or its channel is about to end.

        IBM's client expects an unsolicited QM_QUIESCING for each handle that gets; then its gets with FAIL_IF_QUIESCING
        fail with 2161. After any other form (no handle, another request id), and after any notification on a socket
        without shared conversations, that client answers every later call with 2195 or 2009.
        """
        self.connection.quiescing = True
        if self.call_queue.session.extended:  # Kew's client is notified whichever handles are open
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
        """Carry out MQDISC: commit the unit of work and close all handles."""
        self.call_queue.disconnected()
        self.gets.end()
        connection = self.connection
        if connection.unit is None and not connection.handles and not connection.held:
            with self._lock:
                self._engine.leave(connection.number)
                connection.open = False
            self.answer(call, MQRC_NONE)
        else:
            self.call_queue.slowly(self.local.disconnect, partial(self._disconnected, call))

    def _disconnected(self, call: Call, reason: int) -> None:
        if reason == MQRC_BACKED_OUT:  # a warning: the program is disconnected all the same
            self.call_queue.say(plain_reply(call, WARNING, reason))
        else:
            self.answer(call, reason)

    def leave(self) -> None:
        """End as if the program had died: back its unit of work out."""
        self.gets.end()
        if self.connection.open:
            self.call_queue.resources.workers.submit(self._abandon)

    def _abandon(self) -> None:
        self.call_queue.resources.outcome(self.local.abandon)


# The dispatch table: the function that carries out each kind of call. A put needs one lookup from its queue to
# `PutCalls.put`.


def _put(program: ProgramConnection, event: Event) -> None:
    assert isinstance(event, Put)
    program.puts.put(event)


def _request_messages(program: ProgramConnection, event: Event) -> None:
    assert isinstance(event, RequestMessages)
    program.gets.ask(event)


def _commit(program: ProgramConnection, event: Event) -> None:
    assert isinstance(event, Call)
    program.commit(event)


def _get(program: ProgramConnection, event: Event) -> None:
    assert isinstance(event, Get)
    program.gets.get(event)


def _put1(program: ProgramConnection, event: Event) -> None:
    assert isinstance(event, Put1)
    program.puts.put1(event)


def _back_out(program: ProgramConnection, event: Event) -> None:
    assert isinstance(event, Call)
    program.back_out(event)


def _notice(program: ProgramConnection, event: Event) -> None:
    assert isinstance(event, Notification)
    program.notice(event)


def _open(program: ProgramConnection, event: Event) -> None:
    assert isinstance(event, mqapi.Open)
    program.objects.open(event)


def _close(program: ProgramConnection, event: Event) -> None:
    assert isinstance(event, mqapi.Close)
    program.objects.close(event)


def _inquire(program: ProgramConnection, event: Event) -> None:
    assert isinstance(event, mqapi.Attributes)
    program.objects.inquire(event)


def _set(program: ProgramConnection, event: Event) -> None:
    assert isinstance(event, mqapi.Attributes)
    program.objects.set(event)


def _subscribe(program: ProgramConnection, event: Event) -> None:
    assert isinstance(event, mqapi.Subscribe)
    program.subscriptions.subscribe(event)


def _request_publications(program: ProgramConnection, event: Event) -> None:
    assert isinstance(event, mqapi.SubscriptionRequest)
    program.subscriptions.request(event)


def _tell_status(program: ProgramConnection, event: Event) -> None:
    assert isinstance(event, mqapi.Stat)
    program.puts.tell_status(event)


def _disconnect(program: ProgramConnection, event: Event) -> None:
    assert isinstance(event, Call)
    program.disconnect(event)


def _perform_spi(program: ProgramConnection, event: Event) -> None:
    assert isinstance(event, spi.SpiCall)
    program.perform_spi(event)


def _perform_xa(program: ProgramConnection, event: Event) -> None:
    assert isinstance(event, XaCall)
    program.transactions.perform(event)


def _refuse(program: ProgramConnection, event: Event) -> None:
    """Refuse a call that this queue manager does not know; a segment that is not a call has no reply."""
    if isinstance(event, Call):
        program.answer(event, MQRC_FUNCTION_NOT_SUPPORTED)


_HANDLER_OF: Final[dict[int, Handler]] = {
    MQPUT: _put,
    REQUEST_MSGS: _request_messages,
    MQCMIT: _commit,
    MQGET: _get,
    MQPUT1: _put1,
    MQBACK: _back_out,
    NOTIFICATION: _notice,
    MQOPEN: _open,
    MQCLOSE: _close,
    MQINQ: _inquire,
    MQSET: _set,
    MQSUB: _subscribe,
    MQSUBRQ: _request_publications,
    MQSTAT: _tell_status,
    MQDISC: _disconnect,
    SPI: _perform_spi,
    **dict.fromkeys(range(XA_START, XA_COMPLETE + 1), _perform_xa),
}
HANDLERS: Final[list[Handler]] = [_HANDLER_OF.get(kind, _refuse) for kind in range(256)]
