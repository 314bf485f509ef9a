"""Ends queues and connections that a program no longer refers to.

Python may find such an object at any moment and in any thread, also in a thread that is inside the engine or a socket's
driver and holds its lock. So a destructor calls no verb itself: the reaper thread calls it later, or the next verb on
the connection closes the handle, if that comes first.
"""

import atexit
import contextlib
import os
import queue
import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import Final

from kew.codes.errors import MQError
from kew.codes.options import MQCO_NONE
from kew.faces.threadsharing import NonBlockingVerbs
from kew.faces.verbs import Verbs

# SimpleQueue.put may be called anywhere, even while another put of the same thread is under way.
_WORK: Final[queue.SimpleQueue[Callable[[], None]]] = queue.SimpleQueue()
_LOCK: Final = threading.Lock()
_THREADS: Final[list[threading.Thread]] = []


class Dropped:
    """The handles of one connection that the program no longer refers to."""

    def __init__(self, verbs: Verbs) -> None:
        self._verbs = verbs
        self.handles: deque[int] = deque()

    def add(self, handle: int) -> None:
        """Have a handle closed soon; called by destructors."""
        self.handles.append(handle)
        _WORK.put(self._sweep_if_idle)

    def _sweep_if_idle(self) -> None:
        if self._verbs.idle():
            self.sweep()

    def sweep_before(self, verbs: Verbs) -> None:
        """Close the handles before a verb of the program, unless a verb is under way that would refuse a second one."""
        if not isinstance(verbs, NonBlockingVerbs) or verbs.idle():
            self.sweep()

    def sweep(self) -> None:
        """Close the handles."""
        while self.handles:
            with contextlib.suppress(MQError, IndexError):
                self._verbs.close(self.handles.popleft(), MQCO_NONE)


def disconnect_later(verbs: Verbs) -> None:
    """Have a connection ended soon; called by destructors."""
    _WORK.put(lambda: _disconnect(verbs))


def _disconnect(verbs: Verbs) -> None:
    with contextlib.suppress(MQError):
        verbs.disconnect()


def _run() -> None:
    while True:
        _WORK.get()()


def begin() -> None:
    """Start the thread; called at connect, since a destructor must not start one."""
    with _LOCK:
        if not _THREADS or not _THREADS[0].is_alive():
            _THREADS[:] = [threading.Thread(target=_run, name="kew-faces-reaper", daemon=True)]
            _THREADS[0].start()


_AT_EXIT: Final[weakref.WeakSet[Verbs]] = weakref.WeakSet()


def disconnect_at_exit(verbs: Verbs) -> None:
    """Disconnect when the program ends, as MQ's packages do, if the connection is still open then."""
    _AT_EXIT.add(verbs)


def _leave() -> None:
    while not _WORK.empty():
        with contextlib.suppress(queue.Empty):
            _WORK.get_nowait()()
    for verbs in list(_AT_EXIT):
        if verbs.idle():
            _disconnect(verbs)


atexit.register(_leave)


def _begin_in_child() -> None:
    """Drop all work in a forked process: the connections belong to its parent."""
    _THREADS.clear()
    _AT_EXIT.clear()
    while not _WORK.empty():
        _WORK.get_nowait()
    _LOCK.release()


os.register_at_fork(before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_begin_in_child)
