"""Callbacks (MQCB, MQCTL): a thread gets messages for the functions a program has registered, and calls the functions.

While callbacks are started the connection belongs to that thread: calls of other threads are refused with
MQRC_HCONN_ASYNC_ACTIVE. Between two calls of a function no message is got, so that a unit of work holds only messages
that the program has seen.
"""

import copy
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from kew.codes.attributes import (
    MQAS_INACTIVE,
    MQAS_NONE,
    MQAS_START_WAIT,
    MQAS_STARTED,
    MQAS_STOPPED,
    MQAS_SUSPENDED,
)
from kew.codes.completion import MQCC_FAILED, MQCC_OK, MQCC_WARNING
from kew.codes.errors import Broken, MQError
from kew.codes.options import (
    MQCBCT_DEREGISTER_CALL,
    MQCBCT_EVENT_CALL,
    MQCBCT_MSG_NOT_REMOVED,
    MQCBCT_MSG_REMOVED,
    MQCBCT_REGISTER_CALL,
    MQCBCT_START_CALL,
    MQCBCT_STOP_CALL,
    MQCBDO_DEREGISTER_CALL,
    MQCBDO_REGISTER_CALL,
    MQCBDO_START_CALL,
    MQCBDO_STOP_CALL,
    MQCBT_EVENT_HANDLER,
    MQCBT_MESSAGE_CONSUMER,
    MQCS_NONE,
    MQCS_SUSPENDED,
    MQCS_SUSPENDED_TEMPORARY,
    MQGMO_BROWSE_FIRST,
    MQGMO_BROWSE_MSG_UNDER_CURSOR,
    MQGMO_BROWSE_NEXT,
    MQGMO_WAIT,
    MQOP_DEREGISTER,
    MQOP_REGISTER,
    MQOP_RESUME,
    MQOP_START,
    MQOP_START_WAIT,
    MQOP_STOP,
    MQOP_SUSPEND,
)
from kew.codes.reasons import (
    MQRC_CALLBACK_NOT_REGISTERED,
    MQRC_CALLBACK_ROUTINE_ERROR,
    MQRC_CALLBACK_TYPE_ERROR,
    MQRC_GET_ENABLED,
    MQRC_GET_INHIBITED,
    MQRC_HCONN_ASYNC_ACTIVE,
    MQRC_HOBJ_ERROR,
    MQRC_NO_CALLBACKS_ACTIVE,
    MQRC_NO_MSG_AVAILABLE,
    MQRC_NONE,
    MQRC_OPERATION_ERROR,
    MQRC_OPERATION_NOT_ALLOWED,
)
from kew.faces import messages
from kew.faces.verbs import ConsumedMessage, Consumer, Verbs
from kew.mqi.messages.messagehandles import MessageHandle

_BROWSE: Final = MQGMO_BROWSE_FIRST | MQGMO_BROWSE_NEXT | MQGMO_BROWSE_MSG_UNDER_CURSOR
_LOOK_AGAIN: Final = 0.5  # seconds until a queue with gets inhibited is tried again
_EVENTS: Final = 0  # the handle of the event handler of the connection


class Registration:
    """A function of the program, with the queue or connection it is registered for."""

    def __init__(self, subject: Any, cbd: Any, consumer: Consumer | None) -> None:
        self.subject = subject
        self.function: Callable[..., object] = cbd.CallbackFunction
        self.area = cbd.CallbackArea
        self.options: int = cbd.Options
        self.consumer = consumer
        self.into: MessageHandle | None = None  # message handle for properties
        self.suspended = False
        self.inhibited = False  # gets are inhibited, and the function was notified
        self.again = 0.0  # when to try its gets again
        self.heard = time.monotonic()  # time of its last message, or last call without one


class GuardedVerbs:
    """The verbs of a connection while callbacks are started: only the thread that runs the functions may use them."""

    def __init__(self, verbs: Verbs, owner: Callable[[], int]) -> None:
        self._verbs = verbs
        self._owner = owner

    def __getattr__(self, name: str) -> Any:
        if threading.get_ident() != self._owner():
            raise MQError(MQRC_HCONN_ASYNC_ACTIVE)
        return getattr(self._verbs, name)


class Callbacks:
    """The registered functions of one connection."""

    def __init__(self, manager: Any, context: type[Any], md: type[Any], gmo: type[Any]) -> None:
        self._manager = manager
        self._context = context
        self._md = md
        self._gmo = gmo
        self._registered: dict[int, Registration] = {}
        self._verbs: Verbs | None = None  # while started
        self._program: Verbs | None = None  # the verbs of the program's threads, replaced meanwhile
        self._thread: threading.Thread | None = None
        self._owner: int = 0
        self._stop = threading.Event()
        self._connection_area: Any = 0
        self._turn: int = 0
        self._asked: list[Consumer] = []
        self._state = MQOP_STOP  # or START, or SUSPEND

    @property
    def started(self) -> bool:
        """True while messages are delivered."""
        return self._verbs is not None

    # MQCB.

    def register(self, operation: int, subject: Any, handle: int | None, cbd: Any, md: Any, gmo: Any) -> None:
        """MQCB: register or deregister a function, or suspend or resume it."""
        if self.started and threading.get_ident() != self._owner:
            raise MQError(MQRC_HCONN_ASYNC_ACTIVE)
        key = _EVENTS if cbd.CallbackType == MQCBT_EVENT_HANDLER else handle
        if key is None or (key == _EVENTS) != (cbd.CallbackType == MQCBT_EVENT_HANDLER):
            raise MQError(MQRC_HOBJ_ERROR)
        if operation & MQOP_REGISTER:
            self._add(key, subject, cbd, md, gmo)
        elif operation & MQOP_DEREGISTER:
            self._remove(key)
        elif not operation & (MQOP_SUSPEND | MQOP_RESUME):
            raise MQError(MQRC_OPERATION_ERROR, operation=operation)
        if operation & (MQOP_SUSPEND | MQOP_RESUME):
            self._find(key).suspended = operation & MQOP_SUSPEND != 0
        if key != _EVENTS:
            each = self._registered.get(key)
            self._announce(key, MQAS_NONE if each is None else MQAS_SUSPENDED if each.suspended else MQAS_INACTIVE)

    def _announce(self, handle: int, state: int) -> None:
        verbs: Verbs = self._manager._connected() if self._verbs is None else self._verbs
        try:
            verbs.announce(handle, state)
        except Broken:
            pass  # no function is left; the next verb reports it

    def _add(self, key: int, subject: Any, cbd: Any, md: Any, gmo: Any) -> None:
        if cbd.CallbackType not in (MQCBT_MESSAGE_CONSUMER, MQCBT_EVENT_HANDLER):
            raise MQError(MQRC_CALLBACK_TYPE_ERROR, type=cbd.CallbackType)
        if not callable(cbd.CallbackFunction):
            raise MQError(MQRC_CALLBACK_ROUTINE_ERROR)
        consumer = None if key == _EVENTS else Consumer(key, md, gmo, cbd.MaxMsgLength)
        registration = Registration(subject, cbd, consumer)
        if consumer is not None:
            verbs: Verbs = self._manager._connected() if self._verbs is None else self._verbs
            registration.into = messages.handle_of(verbs, key, gmo)
            if registration.into is not None:
                consumer.gmo = copy.copy(gmo)
                consumer.gmo.Options = messages.in_header(gmo.Options)
        self._registered[key] = registration
        if registration.options & MQCBDO_REGISTER_CALL:
            self._call(registration, MQCBCT_REGISTER_CALL)

    def _find(self, key: int) -> Registration:
        found = self._registered.get(key)
        if found is None:
            raise MQError(MQRC_CALLBACK_NOT_REGISTERED, handle=key)
        return found

    def _remove(self, key: int) -> None:
        registration = self._find(key)
        del self._registered[key]
        if registration.options & MQCBDO_DEREGISTER_CALL:
            self._call(registration, MQCBCT_DEREGISTER_CALL)

    def forget(self, handle: int) -> None:
        """Deregister the function of a queue that was closed, if it has one."""
        if handle in self._registered:
            self._remove(handle)

    # MQCTL.

    def control(self, operation: int, area: Any) -> None:
        """MQCTL: start, stop, suspend or resume the delivery of messages."""
        wrong = {
            MQOP_START: MQOP_SUSPEND,
            MQOP_START_WAIT: MQOP_SUSPEND,
            MQOP_RESUME: MQOP_STOP,
            MQOP_SUSPEND: MQOP_STOP,
        }
        if wrong.get(operation) == self._state:
            raise MQError(MQRC_OPERATION_NOT_ALLOWED, operation=operation)
        self._connection_area = area
        if operation in (MQOP_START, MQOP_START_WAIT, MQOP_RESUME):
            self._state = MQOP_START
            try:
                if not self.started:
                    self._announce(0, MQAS_START_WAIT if operation == MQOP_START_WAIT else MQAS_STARTED)
                self._start(wait=operation == MQOP_START_WAIT)
            except MQError as error:
                if error.reason != MQRC_HCONN_ASYNC_ACTIVE:
                    self._state = MQOP_STOP
                raise
        elif operation in (MQOP_STOP, MQOP_SUSPEND):
            self._state = operation
            self.stop()
            self._announce(0, MQAS_STOPPED if operation == MQOP_STOP else MQAS_SUSPENDED)
        else:
            raise MQError(MQRC_OPERATION_ERROR, operation=operation)

    def _start(self, wait: bool) -> None:
        if self.started:
            raise MQError(MQRC_HCONN_ASYNC_ACTIVE)
        if not any(each.consumer is not None for each in self._registered.values()):
            raise MQError(MQRC_NO_CALLBACKS_ACTIVE)
        self._program = self._manager._connected()
        verbs: Verbs = self._manager._connection
        self._stop.clear()
        self._verbs = verbs
        self._manager._verbs = GuardedVerbs(verbs, lambda: self._owner)
        if wait:
            self._deliver()
            return
        self._thread = threading.Thread(target=self._deliver, name="kew-callbacks", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the delivery; when this returns no function is running, unless a function is the caller."""
        verbs, thread = self._verbs, self._thread
        self._stop.set()
        if verbs is not None:
            verbs.wake()
        if thread is not None and thread.ident != threading.get_ident():
            thread.join()

    def _deliver(self) -> None:
        verbs = self._verbs
        assert verbs is not None
        self._owner = threading.get_ident()
        try:
            self._call_all(MQCBDO_START_CALL, MQCBCT_START_CALL)
            delivery: ConsumedMessage | None = None
            while delivery is not None or not self._stop.is_set():
                try:
                    delivery = verbs.consume(self._consumers(), self._time_to_look)
                except MQError as error:
                    delivery = None
                    self._hold_up(error)
                if delivery is not None:
                    self._hand_over(delivery)
                self._tell_who_waits()
        except MQError as error:
            self._tell_of(error)
        finally:
            self._call_all(MQCBDO_STOP_CALL, MQCBCT_STOP_CALL)
            if self._manager._connection is verbs:  # and the program has not disconnected
                self._manager._verbs = self._program
            self._verbs = None
            self._thread = None
            self._owner = 0

    def _hold_up(self, error: MQError) -> None:
        """Suspend the one consumer that an error is about; the others continue, and no event handler is called."""
        handle = error.facts.get("consumer")
        each = self._registered.get(handle) if isinstance(handle, int) else None
        if each is None or each.consumer is None:
            raise error
        if error.reason != MQRC_GET_INHIBITED:
            each.suspended = True
            self._call(each, MQCBCT_EVENT_CALL, error.completion, error.reason, MQCS_SUSPENDED)
            return
        each.again = time.monotonic() + _LOOK_AGAIN
        if not each.inhibited:
            each.inhibited = True
            self._call(each, MQCBCT_EVENT_CALL, error.completion, error.reason, MQCS_SUSPENDED_TEMPORARY)

    def _consumers(self) -> list[Consumer]:
        """Give the consumers, beginning with another one each time, so that a full queue does not starve the others."""
        now = time.monotonic()
        found = [
            each.consumer
            for each in self._registered.values()
            if each.consumer and not each.suspended and (not each.inhibited or now >= each.again)
        ]
        self._turn += 1
        start = self._turn % len(found) if found else 0
        self._asked = found[start:] + found[:start]
        return self._asked

    def _time_to_look(self) -> bool:
        return self._stop.is_set() or any(
            self._overdue(each) or self._left_out(each) for each in self._registered.values()
        )

    def _left_out(self, each: Registration) -> bool:
        """Say whether to try again a consumer whose queue had gets inhibited."""
        return (
            each.inhibited
            and not each.suspended
            and each.consumer not in self._asked
            and time.monotonic() >= each.again
        )

    def _overdue(self, each: Registration) -> bool:
        if each.consumer is None or each.suspended:
            return False
        gmo = each.consumer.gmo
        if not gmo.Options & MQGMO_WAIT or gmo.WaitInterval < 0:
            return False
        due: float = each.heard + gmo.WaitInterval / 1000
        return time.monotonic() >= due

    def _tell_who_waits(self) -> None:
        for each in list(self._registered.values()):
            if self._overdue(each):
                each.heard = time.monotonic()
                self._call(each, MQCBCT_EVENT_CALL, MQCC_FAILED, MQRC_NO_MSG_AVAILABLE)

    def _hand_over(self, delivery: ConsumedMessage) -> None:
        each = self._registered.get(delivery.consumer.handle)
        if each is None:
            return
        each.heard = time.monotonic()
        if each.inhibited:
            each.inhibited = False
            self._call(each, MQCBCT_EVENT_CALL, MQCC_WARNING, MQRC_GET_ENABLED)
        message = delivery.message
        if each.into is not None:
            message = messages.without_properties(message, delivery.md, each.into)
        context = self._context_for(
            each, MQCBCT_MSG_NOT_REMOVED if delivery.gmo.Options & _BROWSE else MQCBCT_MSG_REMOVED
        )
        context.CompCode = MQCC_WARNING if message.reason else MQCC_OK
        context.Reason = message.reason
        context.DataLength = message.length
        context.BufferLength = len(message.data)
        self._run(each, context, delivery.md, delivery.gmo, message.data)

    def _tell_of(self, error: MQError) -> None:
        """Report a broken connection or queue to the functions registered for it, and end the delivery."""
        for each in list(self._registered.values()):
            self._call(each, MQCBCT_EVENT_CALL, error.completion, error.reason)

    def _call_all(self, option: int, call_type: int) -> None:
        for each in list(self._registered.values()):
            if each.options & option:
                self._call(each, call_type)

    def _call(
        self,
        each: Registration,
        call_type: int,
        completion: int = MQCC_OK,
        reason: int = MQRC_NONE,
        state: int = MQCS_NONE,
    ) -> None:
        context = self._context_for(each, call_type)
        context.State = state
        context.CompCode = completion
        context.Reason = reason
        self._run(each, context, self._md(), self._gmo(), None)

    def _context_for(self, each: Registration, call_type: int) -> Any:
        context = self._context()
        context.CallType = call_type
        context.Hobj = each.consumer.handle if each.consumer is not None else 0
        context.CallbackArea = each.area
        context.CallbackFunction = each.function
        context.ConnectionArea = self._connection_area
        context.State = MQCS_NONE
        return context

    def _run(self, each: Registration, context: Any, md: Any, gmo: Any, message: bytes | None) -> None:
        queue = None if each.consumer is None else each.subject
        try:
            each.function(queue_manager=self._manager, queue=queue, md=md, gmo=gmo, msg=message, cbc=context)
        except Exception:
            # As in MQ, an error of the function is reported and does not end the delivery.
            sys.excepthook(*sys.exc_info())
