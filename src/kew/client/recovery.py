"""Automatic reconnection (MQCNO_RECONNECT): when it is tried, and what becomes of the verb that met the break.

- Under a unit of work the unit is gone: MQRC_BACKED_OUT, once.
- A commit, or a persistent put out of syncpoint, that was under way has an unknown outcome: MQRC_CALL_INTERRUPTED.
- Everything else is done again. A get out of syncpoint may have lost a message, as any such get may.

Attempts are made at once, then after 1, 2, 4, 8, 16 and then every 25 seconds, each a little more by chance so that
many clients do not come at the same moment; after half an hour it is given up with MQRC_RECONNECT_TIMED_OUT. What
another attempt would not help with, such as a password that is no longer right, is MQRC_RECONNECT_FAILED.
"""

import copy
import itertools
import random
import time
from collections.abc import Iterator, Sequence
from typing import Final

from kew.channels.protocol.structures import ObjectDescriptor
from kew.client import requests
from kew.client.link import Operation
from kew.client.opened import Opened
from kew.client.reach import PASSING
from kew.client.verbs import Verbs
from kew.codes.attributes import MQCA_Q_MGR_IDENTIFIER
from kew.codes.errors import BackedOut, Broken, MQError
from kew.codes.options import MQCNO_RECONNECT_Q_MGR, MQOO_INQUIRE, MQPER_NOT_PERSISTENT, MQPMO_SYNCPOINT
from kew.codes.reasons import (
    MQRC_CALL_INTERRUPTED,
    MQRC_RECONNECT_FAILED,
    MQRC_RECONNECT_QMID_MISMATCH,
    MQRC_RECONNECT_TIMED_OUT,
)

TIMEOUT: Final = 1800.0
DELAYS: Final = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 25.0)
_SPREAD: Final = 0.25  # of a delay, added by chance


def delays(timeout: float = TIMEOUT) -> Iterator[float]:
    """Seconds to wait before each attempt; raises when it is time to give up."""
    limit = time.monotonic() + timeout
    for delay in itertools.chain(DELAYS, itertools.repeat(DELAYS[-1])):
        yield delay * (1 + _SPREAD * random.random())
        if time.monotonic() >= limit:
            raise Broken(MQRC_RECONNECT_TIMED_OUT, seconds=timeout)


def go_on_after(error: MQError) -> None:
    """Raise what ends all attempts; return after a failure that may be over by the next."""
    if error.reason in PASSING:
        return
    known = error.reason == MQRC_RECONNECT_QMID_MISMATCH
    raise Broken(error.reason if known else MQRC_RECONNECT_FAILED, why=str(error)) from error


def in_doubt(persistence: int, put_options: int) -> bool:
    """Whether nobody could say after a break that a put was done, and doing it again might do it twice."""
    return not put_options & MQPMO_SYNCPOINT and persistence != MQPER_NOT_PERSISTENT


class Recovery:
    """What a connection that is made anew remembers."""

    def __init__(self, options: int, timeout: float = TIMEOUT) -> None:
        self.same_manager = bool(options & MQCNO_RECONNECT_Q_MGR)
        self.timeout = timeout
        self.unit = False  # something was done under syncpoint
        self.identity: object = None  # of the queue manager, where it must be the same

    def delays(self) -> Iterator[float]:
        """Seconds to wait before each attempt."""
        return delays(self.timeout)

    def recognise(self, identity: object) -> None:
        """Take note which queue manager it is; refuse another one where it must be the same."""
        if self.identity is not None and identity != self.identity:
            raise MQError(MQRC_RECONNECT_QMID_MISMATCH)
        self.identity = identity

    def come_back(self, doubtful: bool) -> None:
        """Say what becomes of the verb that met the break: raise, or return for it to be done again."""
        if self.unit:
            self.unit = False
            raise BackedOut(why="the connection was made anew")
        if doubtful:
            raise MQError(MQRC_CALL_INTERRUPTED)


def identify(verbs: Verbs) -> Operation[object]:
    """Which queue manager it is: its identifier, which no other has."""
    opened = yield from verbs.open(requests.queue_manager_object(), MQOO_INQUIRE)
    found = yield from verbs.inquire(opened, [MQCA_Q_MGR_IDENTIFIER])
    yield from verbs.close(opened)
    return found[MQCA_Q_MGR_IDENTIFIER]


def open_again(
    verbs: Verbs, recovery: Recovery, queues: Sequence[tuple[ObjectDescriptor, Opened]]
) -> Operation[list[Opened]]:
    """On a connection that was made anew, see that it is the right one, and open everything as it was open."""
    if recovery.same_manager:
        recovery.recognise((yield from identify(verbs)))
    opened: list[Opened] = []
    for asked, before in queues:
        again = yield from verbs.open(asked, before.options)
        again.window = before.window
        opened.append(again)
    return opened


def to_open_again(asked: ObjectDescriptor, opened: ObjectDescriptor) -> ObjectDescriptor:
    """The descriptor by which an object is opened again: a queue that was made is to have its name again."""
    again = copy.copy(asked)
    if opened.object_name.strip() != asked.object_name.strip():
        again.dynamic_name = opened.object_name
    return again
