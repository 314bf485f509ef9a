"""The sharing of a connection among threads of a program (MQCNO_HANDLE_SHARE_*).

A handle that is not shared is for the thread that made it. On a shared handle a call waits for the one under way, or is
refused if the program asked for that.
"""

import threading
from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import MQCNO_HANDLE_SHARE_BLOCK, MQCNO_HANDLE_SHARE_NO_BLOCK, MQCNO_HANDLE_SHARE_NONE
from kew.codes.reasons import MQRC_CALL_IN_PROGRESS, MQRC_HCONN_ERROR, MQRC_OPTIONS_ERROR

SHARED: Final = MQCNO_HANDLE_SHARE_BLOCK | MQCNO_HANDLE_SHARE_NO_BLOCK
SHARING: Final = SHARED | MQCNO_HANDLE_SHARE_NONE


def check_sharing(options: int) -> None:
    """Refuse options that ask for more than one kind of sharing."""
    if (options & SHARING).bit_count() > 1:
        raise MQError(MQRC_OPTIONS_ERROR, options=options, why="a handle is shared in one way")


class OneThread:
    """Admits calls of one thread only: the thread that makes this object."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()

    def __enter__(self) -> None:
        if threading.get_ident() != self._thread:
            raise MQError(MQRC_HCONN_ERROR, why="the handle is not shared, and another thread has made it")

    def __exit__(self, *_failure: object) -> None:
        """Do nothing: the thread may always call."""


class RefuseConcurrent:
    """Admits one call at a time, and refuses others meanwhile."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise MQError(MQRC_CALL_IN_PROGRESS)

    def __exit__(self, *_failure: object) -> None:
        self._lock.release()

    def free(self) -> bool:
        """Say whether no call is under way."""
        return not self._lock.locked()
