"""Automatic reconnection (MQCNO_RECONNECT): its times, and the outcome of the verb during which the connection broke.

- In a unit of work, the unit is backed out: MQRC_BACKED_OUT, once.
- A commit, or a persistent put out of syncpoint, that was under way has an unknown outcome: MQRC_CALL_INTERRUPTED.
- Every other verb is run again. A get out of syncpoint may have lost a message, as any such get may.

Objects are opened again as they were open. Subscriptions that ended with the connection are made again, and a managed
subscription has a new queue: publications on the old one, and those published meanwhile, are lost. A durable
subscription is resumed, which only the queue manager that has it can do (MQRC_RECONNECT_Q_MGR_REQD).

The client tries at once, then after 1, 2, 4, 8, 16 and then every 25 seconds, each plus a random part, so that many
clients do not reconnect at the same moment; after half an hour it ends with MQRC_RECONNECT_TIMED_OUT. A failure that
another attempt would meet too, such as a password that is no longer right, is MQRC_RECONNECT_FAILED.
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
_SPREAD: Final = 0.25  # the random part of a delay
SCHEDULE: Final = tuple([(delay, delay * _SPREAD) for delay in DELAYS])
T = TypeVar("T")

# Reason codes for objects that the broken connection still holds, until the queue manager notices that it is gone.
_STILL_HELD: Final = frozenset(
    {MQRC_OBJECT_ALREADY_EXISTS, MQRC_OBJECT_IN_USE, MQRC_SUB_ALREADY_EXISTS, MQRC_SUBSCRIPTION_IN_USE}
)


def delays(timeout: float = TIMEOUT, schedule: Sequence[tuple[float, float]] = SCHEDULE) -> Iterator[float]:
    """Give the seconds to wait before each attempt; raises when the time limit is reached.

    The schedule has the seconds and the random part of each attempt in turn; its last row is for all further attempts.
    """
    limit = time.monotonic() + timeout
    for delay, more in itertools.chain(schedule, itertools.repeat(schedule[-1])):
        yield delay + more * random.random()
        if time.monotonic() >= limit:
            raise Broken(MQRC_RECONNECT_TIMED_OUT, seconds=timeout)


def go_on_after(error: MQError) -> None:
    """Raise a failure that ends all attempts; return after a failure that the next attempt may not meet."""
    if error.reason in TRANSIENT or error.reason in _STILL_HELD:
        return
    known = error.reason == MQRC_RECONNECT_QMID_MISMATCH
    raise Broken(error.reason if known else MQRC_RECONNECT_FAILED, why=str(error)) from error


def in_doubt(persistence: int, put_options: int) -> bool:
    """Say whether a put has an unknown outcome after a break, so that repeating it might put the message twice."""
    return not put_options & MQPMO_SYNCPOINT and persistence != MQPER_NOT_PERSISTENT


class Call(NamedTuple, Generic[T]):
    """A verb that may have to be run more than once."""

    begin: Callable[[Verbs], Operation[T]]
    doubtful: bool = False  # its outcome is unknown after a break
    unit: bool = False  # part of a unit of work, which a break backs out
    ends: bool = False  # the verb ends the unit of work, whatever its outcome


class Recovery:
    """The data that a connection needs to reconnect."""

    def __init__(
        self, options: int, timeout: float = TIMEOUT, schedule: Sequence[tuple[float, float]] = SCHEDULE
    ) -> None:
        self.same_manager = bool(options & MQCNO_RECONNECT_Q_MGR)
        self.timeout = timeout
        self.schedule = schedule
        self.unit = False  # the unit of work has puts or gets
        self.identity: object = None  # identifier of the queue manager, where it must be the same

    def delays(self) -> Iterator[float]:
        """Give the seconds to wait before each attempt; raises when the time limit is reached."""
        return delays(self.timeout, self.schedule)

    def recognise(self, identity: object) -> None:
        """Record the queue manager's identifier; refuse another queue manager where it must be the same."""
        if self.identity is not None and identity != self.identity:
            raise MQError(MQRC_RECONNECT_QMID_MISMATCH)
        self.identity = identity

    def begin(self, call: Call[Any], standing: bool) -> bool:
        """Note that a verb begins; says whether to send the verb: not on a connection known to be broken."""
        if call.ends and standing:
            self.unit = False  # the unit of work is over, whatever the outcome of the verb
        return standing

    def come_back(self, call: Call[Any], sent: bool) -> None:
        """Decide the outcome of a verb during which the connection broke: raise an error, or return to run it again."""
        if self.unit:
            self.unit = False
            raise BackedOut(why="the connection was made anew")
        if call.doubtful and sent:
            raise MQError(MQRC_CALL_INTERRUPTED)


def recovery_of(settings: ConnectSettings, timeout: float) -> Recovery | None:
    """Make the recovery of a connection with such settings; None without reconnection."""
    return Recovery(settings.options, timeout) if settings.reconnects else None


def restoring(
    lost: Any, make: Making, recovery: Recovery, reopening: Callable[[Verbs], Operation[None]]
) -> Script[Established[Any]]:
    """Reconnect: try after each delay, until all objects are open again on a new connection."""
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
    """Connect once and open everything again; a connection on which that fails is disconnected."""
    fresh = yield from make()
    try:
        yield Run(fresh.driver, reopening(fresh.verbs))
    except BaseException as problem:
        if isinstance(problem, MQError):
            with suppress(MQError):  # its open objects would make the next attempt fail
                yield Run(fresh.driver, fresh.verbs.disconnect())
        yield Close(fresh.driver)
        raise
    return fresh


def identify(verbs: Verbs) -> Operation[object]:
    """Inquire the unique identifier of the queue manager."""
    opened = yield from verbs.open(requests.queue_manager_object(), MQOO_INQUIRE)
    found = yield from verbs.inquire(opened, [MQCA_Q_MGR_IDENTIFIER])
    yield from verbs.close(opened)
    return found[MQCA_Q_MGR_IDENTIFIER]


def look_who(verbs: Verbs, recovery: Recovery) -> Operation[None]:
    """Check that a new connection leads to the right queue manager."""
    if recovery.same_manager:
        recovery.recognise((yield from identify(verbs)))


def open_again(verbs: Verbs, asked: ObjectDescriptor, before: OpenObject) -> Operation[OpenObject]:
    """Open an object with the options and the read-ahead window that it had before."""
    again = yield from verbs.open(asked, before.options)
    again.window = before.window
    return again


def to_open_again(asked: ObjectDescriptor, opened: ObjectDescriptor) -> ObjectDescriptor:
    """Give the descriptor that opens an object again; a dynamic queue keeps its generated name."""
    again = copy.copy(asked)
    if opened.object_name.strip() != asked.object_name.strip():
        again.dynamic_name = opened.object_name
    return again


def check_subscription(options: int, same_manager: bool) -> None:
    """Refuse a durable subscription on a connection that may reconnect to another queue manager."""
    if not same_manager and (options & MQSO_DURABLE or not options & MQSO_CREATE):
        raise MQError(MQRC_RECONNECT_Q_MGR_REQD, options=options)


def options_again(options: int) -> int:
    """Give the options of MQSUB that make a subscription again, or resume it where it still exists.

    Its publications keep the same correlation id, which the program may be matching.
    """
    if options & MQSO_DURABLE or not options & MQSO_CREATE:
        return options & ~MQSO_ALTER | MQSO_RESUME
    return options | MQSO_SET_CORREL_ID


def to_subscribe_again(asked: SubscriptionDescriptor, made: SubscriptionDescriptor) -> SubscriptionDescriptor:
    """Give the descriptor that makes a subscription again."""
    again = copy.deepcopy(asked)
    again.options = options_again(asked.options)
    again.correlation_id = made.correlation_id
    return again
