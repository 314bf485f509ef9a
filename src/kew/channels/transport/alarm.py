"""An alarm clock for the event loop: Linux's timerfd, which Python 3.11 does not offer.

The loop's own timers are exact to a millisecond, as epoll is; an alarm is for shorter times.
"""

import ctypes
import os
from collections.abc import Callable
from struct import Struct
from typing import Final

from kew.channels.transport.loop import READABLE, Handler, Loop

_MONOTONIC: Final = 1
_FLAGS: Final = os.O_NONBLOCK | os.O_CLOEXEC
# Struct itimerspec: seconds and nanoseconds, first of the interval, then of the first alarm.
_SETTING: Final = Struct("@llll")


class Alarm(Handler):
    """Calls a function in the loop's thread after less than a second; made and set in that thread only."""

    def __init__(self, loop: Loop, ring: Callable[[], None]) -> None:
        super().__init__()
        self._loop = loop
        self._ring = ring
        self._setting = ctypes.create_string_buffer(_SETTING.size)
        library = ctypes.CDLL(None, use_errno=True)
        self._set = library.timerfd_settime
        self._descriptor: int = library.timerfd_create(_MONOTONIC, _FLAGS)
        if self._descriptor < 0:
            raise OSError(ctypes.get_errno(), "timerfd_create")
        loop.add(self._descriptor, self, READABLE)

    def set(self, seconds: float) -> None:
        """Set the alarm to ring once, after so many seconds."""
        self._arm(max(1, min(int(seconds * 1e9), 999_999_999)))

    def cancel(self) -> None:
        """Cancel the alarm, even if its time is up and the loop has not yet served it."""
        self._arm(0)

    def _arm(self, nanoseconds: int) -> None:
        _SETTING.pack_into(self._setting, 0, 0, 0, 0, nanoseconds)
        self._set(self._descriptor, 0, self._setting, None)

    def ready(self, events: int) -> None:
        """Ring, unless the alarm was cancelled."""
        try:
            os.read(self._descriptor, 8)
        except BlockingIOError:  # the alarm was set again or cancelled meanwhile
            return
        self._ring()

    def flush(self) -> None:
        """Do nothing: there is nothing to write."""

    def failed(self, problem: Exception) -> None:
        """Do nothing: the function reports its own errors, and the alarm can still be set."""

    def close(self) -> None:
        """Cancel the alarm and close its descriptor."""
        self._loop.remove(self._descriptor)
        os.close(self._descriptor)
