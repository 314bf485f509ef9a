"""The verbs of a connection with the sharing among threads that MQCNO_HANDLE_SHARE_* asks for."""

from collections.abc import Callable
from typing import Any

from kew.client.threadsharing import OneThread, RefuseConcurrent
from kew.codes.errors import MQError
from kew.codes.options import MQCNO_HANDLE_SHARE_BLOCK, MQCNO_HANDLE_SHARE_NO_BLOCK
from kew.codes.reasons import MQRC_HCONN_ERROR
from kew.faces.verbs import Verbs


class OneThreadVerbs:
    """Verbs that only the thread that has connected may use."""

    def __init__(self, verbs: Verbs) -> None:
        self._verbs = verbs
        self._turn = OneThread()

    def __getattr__(self, name: str) -> Any:
        with self._turn:
            return getattr(self._verbs, name)


class NonBlockingVerbs:
    """Verbs that are refused while another is under way."""

    def __init__(self, verbs: Verbs) -> None:
        self._verbs = verbs
        self._turn = RefuseConcurrent()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        verb = getattr(self._verbs, name)

        def in_turn(*arguments: Any) -> Any:
            with self._turn:
                return verb(*arguments)

        return in_turn

    def idle(self) -> bool:
        """Say whether a verb could begin now."""
        return self._turn.free()


class ForkedVerbs:
    """Verbs of a connection that the parent of this process made: all are refused."""

    def __getattr__(self, name: str) -> Any:
        raise MQError(MQRC_HCONN_ERROR, why="the connection belongs to the process that has made it")


def shared(verbs: Verbs, options: int) -> Verbs:
    """Give the verbs of a connection with the sharing of its MQCNO options."""
    if options & MQCNO_HANDLE_SHARE_NO_BLOCK:
        return NonBlockingVerbs(verbs)
    if options & MQCNO_HANDLE_SHARE_BLOCK:
        return verbs  # callers wait for each other
    return OneThreadVerbs(verbs)
