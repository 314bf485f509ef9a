"""An alarm clock for the event loop: Linux's timerfd, which Python 3.11 does not pass on.

The loop's own timers wake it to the millisecond, as epoll does; this one is for less.
"""

import ctypes
import os
from collections.abc import Callable
from struct import Struct
from typing import Final

from kew.channels.transport.loop import READABLE, Handler, Loop

_MONOTONIC: Final = 1
_FLAGS: Final = os.O_NONBLOCK | os.O_CLOEXEC
_SETTING: Final = Struct("@llll")  # struct itimerspec: seconds and nanoseconds, when again and when first


class Alarm(Handler):
    """Calls somebody in the loop's thread after a time of less than a second; made and set in that thread only."""

    def __init__(self, loop: Loop, ring: Callable[[], None]) -> None:
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
        """Ring once, after so many seconds."""
        self._arm(max(1, min(int(seconds * 1e9), 999_999_999)))

    def cancel(self) -> None:
        """Do not ring, not even where the time is up and the loop has not looked yet."""
        self._arm(0)

    def _arm(self, nanoseconds: int) -> None:
        _SETTING.pack_into(self._setting, 0, 0, 0, 0, nanoseconds)
        self._set(self._descriptor, 0, self._setting, None)

    def ready(self, events: int) -> None:
        """Ring."""
        try:
            os.read(self._descriptor, 8)
        except BlockingIOError:  # it was set again or cancelled meanwhile
            return
        self._ring()

    def flush(self) -> None:
        """There is nothing to write."""

    def failed(self, problem: Exception) -> None:
        """Whoever rings has told of it; the alarm goes on."""

    def close(self) -> None:
        """Ring no more."""
        self._loop.remove(self._descriptor)
        os.close(self._descriptor)
