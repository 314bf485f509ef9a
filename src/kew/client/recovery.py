"""Automatic reconnection (MQCNO_RECONNECT): when it is tried, and what becomes of the verb that met the break.

- Under a unit of work the unit is gone: MQRC_BACKED_OUT, once.
- A commit, or a persistent put out of syncpoint, that was under way has an unknown outcome: MQRC_CALL_INTERRUPTED.
- Everything else is done again. A get out of syncpoint may have lost a message, as any such get may.

Objects are opened again as they were open. Subscriptions that ended with the connection are made again, and a managed
one has a new queue: what was on the old one is lost, and so is what was published meanwhile. A durable one is taken up
again, which only the queue manager that has it can do (MQRC_RECONNECT_Q_MGR_REQD).

Attempts are made at once, then after 1, 2, 4, 8, 16 and then every 25 seconds, each a little more by chance so that
many clients do not come at the same moment; after half an hour it is given up with MQRC_RECONNECT_TIMED_OUT. What
another attempt would not help with, such as a password that is no longer right, is MQRC_RECONNECT_FAILED.
"""

import copy
import itertools
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, Generic, NamedTuple, TypeVar

from kew.channels.protocol.structures import ObjectDescriptor
from kew.channels.protocol.subscription import SubscriptionDescriptor
from kew.client import requests
from kew.client.attempts import Making
from kew.client.connectsettings import TRANSIENT, ConnectSettings
from kew.client.effects import Close, Established, Pause, Run, Script
from kew.client.link import Operation
from kew.client.openobject import OpenObject
from kew.client.verbs import Verbs
from kew.codes.attributes import MQCA_Q_MGR_IDENTIFIER
from kew.codes.errors import BackedOut, Broken, MQError
from kew.codes.options import (
    MQCNO_RECONNECT_Q_MGR,
    MQOO_INQUIRE,
    MQPER_NOT_PERSISTENT,
    MQPMO_SYNCPOINT,
    MQSO_ALTER,
    MQSO_CREATE,
    MQSO_DURABLE,
    MQSO_RESUME,
    MQSO_SET_CORREL_ID,
)
from kew.codes.reasons import (
    MQRC_CALL_INTERRUPTED,
    MQRC_CONNECTION_BROKEN,
    MQRC_OBJECT_ALREADY_EXISTS,
    MQRC_OBJECT_IN_USE,
    MQRC_RECONNECT_FAILED,
    MQRC_RECONNECT_Q_MGR_REQD,
    MQRC_RECONNECT_QMID_MISMATCH,
    MQRC_RECONNECT_TIMED_OUT,
    MQRC_SUB_ALREADY_EXISTS,
    MQRC_SUBSCRIPTION_IN_USE,
)

TIMEOUT: Final = 1800.0
DELAYS: Final = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 25.0)
_SPREAD: Final = 0.25  # of a delay, added by chance
SCHEDULE: Final = tuple([(delay, delay * _SPREAD) for delay in DELAYS])
T = TypeVar("T")

# What is told of objects that the connection which broke still has, until the queue manager notices that it is gone.
_STILL_HELD: Final = frozenset(
    {MQRC_OBJECT_ALREADY_EXISTS, MQRC_OBJECT_IN_USE, MQRC_SUB_ALREADY_EXISTS, MQRC_SUBSCRIPTION_IN_USE}
)


def delays(timeout: float = TIMEOUT, schedule: Sequence[tuple[float, float]] = SCHEDULE) -> Iterator[float]:
    """Seconds to wait before each attempt; raises when it is time to give up.

    The schedule has seconds, and how many more by chance, for one attempt after the other; its last are for the rest.
    """
    limit = time.monotonic() + timeout
    for delay, more in itertools.chain(schedule, itertools.repeat(schedule[-1])):
        yield delay + more * random.random()
        if time.monotonic() >= limit:
            raise Broken(MQRC_RECONNECT_TIMED_OUT, seconds=timeout)


def go_on_after(error: MQError) -> None:
    """Raise what ends all attempts; return after a failure that may be over by the next."""
    if error.reason in TRANSIENT or error.reason in _STILL_HELD:
        return
    known = error.reason == MQRC_RECONNECT_QMID_MISMATCH
    raise Broken(error.reason if known else MQRC_RECONNECT_FAILED, why=str(error)) from error


def in_doubt(persistence: int, put_options: int) -> bool:
    """Whether nobody could say after a break that a put was done, and doing it again might do it twice."""
    return not put_options & MQPMO_SYNCPOINT and persistence != MQPER_NOT_PERSISTENT


class Call(NamedTuple, Generic[T]):
    """A verb that may have to be begun more than once."""

    begin: Callable[[Verbs], Operation[T]]
    doubtful: bool = False  # nobody could say after a break whether it was done
    unit: bool = False  # it belongs to a unit of work, which a break backs out
    ends: bool = False  # it ends the unit of work, whatever becomes of it


class Recovery:
    """What a connection that is made anew remembers."""

    def __init__(
        self, options: int, timeout: float = TIMEOUT, schedule: Sequence[tuple[float, float]] = SCHEDULE
    ) -> None:
        self.same_manager = bool(options & MQCNO_RECONNECT_Q_MGR)
        self.timeout = timeout
        self.schedule = schedule
        self.unit = False  # something was done under syncpoint
        self.identity: object = None  # of the queue manager, where it must be the same

    def delays(self) -> Iterator[float]:
        """Seconds to wait before each attempt."""
        return delays(self.timeout, self.schedule)

    def recognise(self, identity: object) -> None:
        """Take note which queue manager it is; refuse another one where it must be the same."""
        if self.identity is not None and identity != self.identity:
            raise MQError(MQRC_RECONNECT_QMID_MISMATCH)
        self.identity = identity

    def begin(self, call: Call[Any], standing: bool) -> bool:
        """Let a verb begin; whether it is sent, which it is not on a connection that is known to be broken."""
        if call.ends and standing:
            self.unit = False  # whatever becomes of the verb, the unit is over
        return standing

    def come_back(self, call: Call[Any], sent: bool) -> None:
        """Say what becomes of the verb that met the break: raise, or return for it to be done again."""
        if self.unit:
            self.unit = False
            raise BackedOut(why="the connection was made anew")
        if call.doubtful and sent:
            raise MQError(MQRC_CALL_INTERRUPTED)


def recovery_of(settings: ConnectSettings, timeout: float) -> Recovery | None:
    """What a connection remembers that is made anew as `settings` says; None where it is not."""
    return Recovery(settings.options, timeout) if settings.reconnects else None


def restoring(
    lost: Any, make: Making, recovery: Recovery, reopening: Callable[[Verbs], Operation[None]]
) -> Script[Established[Any]]:
    """The loop of reconnection: attempts after their delays, until everything is open again on a new connection."""
    yield Close(lost)
    for delay in recovery.delays():
        if (yield Pause(delay)):
            raise Broken(MQRC_CONNECTION_BROKEN, why="the program has disconnected")
        try:
            return (yield from _try_again(make, reopening))
        except MQError as error:
            go_on_after(error)
    raise AssertionError("delays end by raising")


def _try_again(make: Making, reopening: Callable[[Verbs], Operation[None]]) -> Script[Established[Any]]:
    """Connect once, and open everything again; a connection on which that fails is left."""
    fresh = yield from make()
    try:
        yield Run(fresh.driver, reopening(fresh.verbs))
    except BaseException as problem:
        if isinstance(problem, MQError):
            with suppress(MQError):  # what it has open would keep the next attempt from it
                yield Run(fresh.driver, fresh.verbs.disconnect())
        yield Close(fresh.driver)
        raise
    return fresh


def identify(verbs: Verbs) -> Operation[object]:
    """Which queue manager it is: its identifier, which no other has."""
    opened = yield from verbs.open(requests.queue_manager_object(), MQOO_INQUIRE)
    found = yield from verbs.inquire(opened, [MQCA_Q_MGR_IDENTIFIER])
    yield from verbs.close(opened)
    return found[MQCA_Q_MGR_IDENTIFIER]


def look_who(verbs: Verbs, recovery: Recovery) -> Operation[None]:
    """On a connection that was made anew, see that it is to the right queue manager."""
    if recovery.same_manager:
        recovery.recognise((yield from identify(verbs)))


def open_again(verbs: Verbs, asked: ObjectDescriptor, before: OpenObject) -> Operation[OpenObject]:
    """Open an object as it was open before."""
    again = yield from verbs.open(asked, before.options)
    again.window = before.window
    return again


def to_open_again(asked: ObjectDescriptor, opened: ObjectDescriptor) -> ObjectDescriptor:
    """The descriptor by which an object is opened again: a queue that was made is to have its name again."""
    again = copy.copy(asked)
    if opened.object_name.strip() != asked.object_name.strip():
        again.dynamic_name = opened.object_name
    return again


def check_subscription(options: int, same_manager: bool) -> None:
    """Refuse a durable subscription to a connection that may be made anew to a queue manager that does not have it."""
    if not same_manager and (options & MQSO_DURABLE or not options & MQSO_CREATE):
        raise MQError(MQRC_RECONNECT_Q_MGR_REQD, options=options)


def options_again(options: int) -> int:
    """The options of MQSUB by which a subscription is made again, or taken up again where it is still there.

    Its publications are to be known by the same correlation id, which the program may be matching.
    """
    if options & MQSO_DURABLE or not options & MQSO_CREATE:
        return options & ~MQSO_ALTER | MQSO_RESUME
    return options | MQSO_SET_CORREL_ID


def to_subscribe_again(asked: SubscriptionDescriptor, made: SubscriptionDescriptor) -> SubscriptionDescriptor:
    """The descriptor by which a subscription is made again."""
    again = copy.deepcopy(asked)
    again.options = options_again(asked.options)
    again.correlation_id = made.correlation_id
    return again
