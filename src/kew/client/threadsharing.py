"""How the threads of a program share a connection (MQCNO_HANDLE_SHARE_*).

A handle that is not shared is for the thread that made it. Of a shared one, a call while another is under way waits for
it, or is refused where the program has asked for that.
"""

import threading
from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import MQCNO_HANDLE_SHARE_BLOCK, MQCNO_HANDLE_SHARE_NO_BLOCK, MQCNO_HANDLE_SHARE_NONE
from kew.codes.reasons import MQRC_CALL_IN_PROGRESS, MQRC_HCONN_ERROR, MQRC_OPTIONS_ERROR

SHARED: Final = MQCNO_HANDLE_SHARE_BLOCK | MQCNO_HANDLE_SHARE_NO_BLOCK
SHARING: Final = SHARED | MQCNO_HANDLE_SHARE_NONE


def check_sharing(options: int) -> None:
    """Refuse options that ask for more than one way to share."""
    if (options & SHARING).bit_count() > 1:
        raise MQError(MQRC_OPTIONS_ERROR, options=options, why="a handle is shared in one way")


class OneThread:
    """The turn of the one thread that may use a connection: the one that makes this."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()

    def __enter__(self) -> None:
        if threading.get_ident() != self._thread:
            raise MQError(MQRC_HCONN_ERROR, why="the handle is not shared, and another thread has made it")

    def __exit__(self, *_failure: object) -> None:
        """Nothing: it is always this thread's turn."""


class RefuseConcurrent:
    """The turn of whoever comes while nobody else has it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise MQError(MQRC_CALL_IN_PROGRESS)

    def __exit__(self, *_failure: object) -> None:
        self._lock.release()

    def free(self) -> bool:
        """Say whether nobody has it."""
        return not self._lock.locked()
