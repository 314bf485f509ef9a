"""Automatic reconnection (MQCNO_RECONNECT): verbs over connections that are made anew when they break.

A handle that the program has stays the same number; behind it the object is opened again, or the subscription made
again. What becomes of the verb that met the break is as in MQ (the rules are in `kew/client/recovery.py`).
"""

import copy
import itertools
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol, TypeVar

from kew.client.recovery import (
    SCHEDULE,
    TIMEOUT,
    check_subscription,
    delays,
    go_on_after,
    in_doubt,
    options_again,
)
from kew.codes.attributes import MQCA_Q_MGR_IDENTIFIER
from kew.codes.errors import BackedOut, Broken, MQError
from kew.codes.options import (
    MQCO_NONE,
    MQGMO_SYNCPOINT,
    MQGMO_SYNCPOINT_IF_PERSISTENT,
    MQOO_INQUIRE,
    MQPMO_SYNCPOINT,
)
from kew.codes.reasons import (
    MQRC_CALL_INTERRUPTED,
    MQRC_CONNECTION_BROKEN,
    MQRC_HOBJ_ERROR,
    MQRC_RECONNECT_QMID_MISMATCH,
)
from kew.codes.structures import MQHO_NONE
from kew.faces.verbs import Consumer, Delivery, Message, Verbs

_SYNCPOINT: Final = MQGMO_SYNCPOINT | MQGMO_SYNCPOINT_IF_PERSISTENT

T = TypeVar("T")


class Breakable(Verbs, Protocol):
    """Verbs over something that can break."""

    def broken(self) -> bool:
        """Say whether it is known to be broken, so that nothing would be sent any more."""


class Kept:
    """An open object: how it was opened, and its handle on the connection of the moment."""

    def __init__(self, asked: Any, options: int, handle: int) -> None:
        self.asked = asked  # None for a queue that came with a subscription
        self.options = options
        self.handle = handle


class KeptSubscription(Kept):
    """An open subscription: how it was made, and the queue for its publications."""

    def __init__(self, asked: Any, handle: int, queue: Kept) -> None:
        super().__init__(asked, 0, handle)
        self.queue = queue


class ReconnectingVerbs:
    """Verbs that outlive their connection."""

    def __init__(
        self,
        connect: Callable[[], Breakable],
        manager_descriptor: Any,
        same_manager: bool = False,
        timeout: float = TIMEOUT,
        wait: Callable[[float], bool] | None = None,
        schedule: Sequence[tuple[float, float]] = SCHEDULE,
    ) -> None:
        self._connect = connect
        self._manager_descriptor = manager_descriptor  # the OD of a queue manager, to ask which it is
        self._timeout = timeout
        self._schedule = schedule
        self._ended = threading.Event()
        self._wait = wait or self._ended.wait  # says whether the program has disconnected meanwhile
        self._restoring = threading.Lock()
        self._numbers = itertools.count(1)
        self._objects: dict[int, Kept] = {}
        self._announced: dict[int, int] = {}  # states of asynchronous consumption
        self._unit: bool = False  # something was done under syncpoint
        self._inner = connect()
        self._same_manager = same_manager
        self._identity = self._identify(self._inner) if same_manager else None

    def _identify(self, verbs: Verbs) -> object:
        handle = verbs.open(copy.copy(self._manager_descriptor), MQOO_INQUIRE)
        try:
            return verbs.inquire(handle, [MQCA_Q_MGR_IDENTIFIER])[MQCA_Q_MGR_IDENTIFIER]
        finally:
            verbs.close(handle, MQCO_NONE)

    # Breaking and coming back.

    def _do(self, call: Callable[[Breakable], T], in_doubt: bool = False) -> T:
        while True:
            inner = self._inner
            if inner.broken():
                self._restore(inner)
                self._lose_unit()
                continue
            try:
                return call(inner)
            except Broken:
                self._restore(inner)
                self._lose_unit()
                if in_doubt:
                    raise MQError(MQRC_CALL_INTERRUPTED) from None

    def _lose_unit(self) -> None:
        if self._unit:
            self._unit = False
            raise BackedOut(why="the connection was made anew")

    def _restore(self, lost: Breakable) -> None:
        """Connect again and open everything again, unless another thread has done so."""
        with self._restoring:
            if self._inner is not lost:
                return
            for delay in delays(self._timeout, self._schedule):
                if self._wait(delay) or self._ended.is_set():
                    raise Broken(MQRC_CONNECTION_BROKEN, why="the program has disconnected")
                try:
                    self._inner = self._restored()
                    return
                except MQError as error:
                    go_on_after(error)

    def _restored(self) -> Breakable:
        verbs = self._connect()
        try:
            self._open_again(verbs)
        except MQError:
            with suppress(MQError):
                verbs.disconnect()  # it would keep from the next attempt what it has open
            raise
        return verbs

    def _open_again(self, verbs: Verbs) -> None:
        if self._identity is not None and self._identify(verbs) != self._identity:
            raise MQError(MQRC_RECONNECT_QMID_MISMATCH)
        fresh: dict[Kept, int] = {}
        for each in list(self._objects.values()):  # in the order of their numbers: a queue before its subscription
            if isinstance(each, KeptSubscription):
                fresh[each] = self._subscribed_again(verbs, each, fresh)
            elif each.asked is not None:
                fresh[each] = verbs.open(copy.copy(each.asked), each.options)
        for number, each in list(self._objects.items()):
            if each in fresh:
                each.handle = fresh[each]
            else:
                del self._objects[number]  # a queue whose subscription was closed: it is no more
        for number, state in self._announced.items():
            if not number or number in self._objects:
                verbs.announce(self._at(number) if number else 0, state)

    def _subscribed_again(self, verbs: Verbs, each: KeptSubscription, fresh: dict[Kept, int]) -> int:
        queue = each.queue
        provided = queue.asked is not None
        given = MQHO_NONE
        if provided:  # it is open again, unless the program has closed it since
            given = fresh[queue] if queue in fresh else verbs.open(copy.copy(queue.asked), queue.options)
        where, subscription = verbs.subscribe(copy.copy(each.asked), given)
        if queue not in self._objects.values():
            verbs.close(where, MQCO_NONE)
        elif not provided:
            fresh[queue] = where
        return subscription

    def _at(self, handle: int) -> int:
        kept = self._objects.get(handle)
        if kept is None:
            raise MQError(MQRC_HOBJ_ERROR, handle=handle)
        return kept.handle

    def _keep(self, kept: Kept) -> int:
        number = next(self._numbers)
        self._objects[number] = kept
        return number

    # Objects.

    def open(self, od: Any, options: int) -> int:
        """MQOPEN."""
        asked = copy.copy(od)
        handle = self._do(lambda verbs: verbs.open(od, options))
        if od.ObjectName.rstrip(b"\0 ") != asked.pack()[12:60].rstrip(b"\0 "):
            asked.DynamicQName = od.ObjectName  # the queue that was made is to have its name again
        return self._keep(Kept(asked, options, handle))

    def close(self, handle: int, options: int) -> None:
        """MQCLOSE."""
        self._at(handle)
        self._do(lambda verbs: verbs.close(self._at(handle), options))
        del self._objects[handle]
        self._announced.pop(handle, None)

    def property_control(self, handle: int) -> int:
        """PROPCTL of an open queue."""
        return self._do(lambda verbs: verbs.property_control(self._at(handle)))

    def inquire(self, handle: int, selectors: Sequence[int]) -> dict[int, int | bytes]:
        """MQINQ."""
        return self._do(lambda verbs: verbs.inquire(self._at(handle), selectors))

    def set(self, handle: int, values: dict[int, int | bytes]) -> None:
        """MQSET."""
        self._do(lambda verbs: verbs.set(self._at(handle), values))

    # Messages.

    def put(self, handle: int, md: Any, pmo: Any, data: bytes) -> None:
        """MQPUT."""
        self._do(lambda verbs: verbs.put(self._at(handle), md, pmo, data), in_doubt(md.Persistence, pmo.Options))
        self._unit = self._unit or bool(pmo.Options & MQPMO_SYNCPOINT)

    def put1(self, od: Any, md: Any, pmo: Any, data: bytes) -> None:
        """MQPUT1."""
        self._do(lambda verbs: verbs.put1(od, md, pmo, data), in_doubt(md.Persistence, pmo.Options))
        self._unit = self._unit or bool(pmo.Options & MQPMO_SYNCPOINT)

    def get(self, handle: int, md: Any, gmo: Any, length: int) -> Message:
        """MQGET."""
        message = self._do(lambda verbs: verbs.get(self._at(handle), md, gmo, length))
        self._unit = self._unit or bool(gmo.Options & _SYNCPOINT)
        return message

    def consume(self, consumers: Sequence[Consumer], stopped: Callable[[], bool]) -> Delivery | None:
        """Wait for a message for one of several consumers."""
        found = self._do(lambda verbs: self._consumed(verbs, consumers, stopped))
        if found is not None:
            self._unit = self._unit or bool(found.gmo.Options & _SYNCPOINT)
        return found

    def _consumed(self, verbs: Verbs, consumers: Sequence[Consumer], stopped: Callable[[], bool]) -> Delivery | None:
        here = [Consumer(self._at(each.handle), each.md, each.gmo, each.max_length) for each in consumers]
        try:
            found = verbs.consume(here, stopped)
        except MQError as error:
            for each, inner in zip(consumers, here, strict=True):
                if error.facts.get("consumer") == inner.handle:
                    error.facts["consumer"] = each.handle
                    break
            raise
        if found is not None:
            found.consumer = consumers[here.index(found.consumer)]
        return found

    def announce(self, handle: int, state: int) -> None:
        """Tell the state of asynchronous consumption, now and when the connection was made anew."""
        self._announced[handle] = state
        if handle and not state:
            del self._announced[handle]
        self._do(lambda verbs: verbs.announce(self._at(handle) if handle else 0, state))

    def wake(self) -> None:
        """Have a waiting `consume` look whether it is time to stop."""
        self._inner.wake()

    # Units of work, and the end.

    def begin(self) -> None:
        """MQBEGIN."""
        self._do(lambda verbs: verbs.begin())

    def commit(self) -> None:
        """MQCMIT."""
        inner, unit = self._inner, self._unit
        if not unit or inner.broken():
            self._do(lambda verbs: verbs.commit())
            return
        self._unit = False
        self._do(lambda verbs: verbs.commit(), in_doubt=True)

    def back_out(self) -> None:
        """MQBACK: a connection that broke has done it already."""
        self._unit = False
        self._do(lambda verbs: verbs.back_out())

    def status(self, kind: int, sts: Any) -> None:
        """MQSTAT."""
        self._do(lambda verbs: verbs.status(kind, sts))

    def idle(self) -> bool:
        """Say whether a verb could begin at once."""
        return not self._restoring.locked() and self._inner.idle()

    def disconnect(self) -> None:
        """MQDISC; nothing is made anew for it."""
        self._ended.set()
        self._inner.disconnect()

    # Publish and subscribe.

    def subscribe(self, sd: Any, handle: int) -> tuple[int, int]:
        """MQSUB."""
        check_subscription(sd.Options, self._same_manager)
        asked = copy.copy(sd)
        queue, subscription = self._do(lambda verbs: verbs.subscribe(sd, self._at(handle) if handle > 0 else handle))
        asked.Options = options_again(asked.Options)
        asked.SubCorrelId = sd.SubCorrelId
        number = handle if handle > 0 else self._keep(Kept(None, 0, queue))
        return number, self._keep(KeptSubscription(asked, subscription, self._objects[number]))

    def request(self, handle: int, action: int, sro: Any) -> None:
        """MQSUBRQ."""
        self._do(lambda verbs: verbs.request(self._at(handle), action, sro))
