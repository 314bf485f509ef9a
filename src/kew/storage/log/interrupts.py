"""Defers Ctrl-C to the end of a writer step.

Python runs signal handlers in the main thread, between any two of its instructions. The handler of Ctrl-C raises
KeyboardInterrupt, which in the middle of a writer step would leave pages written and not synced, locks held, or records
on disk without an acknowledgement. A program that commits in its main thread runs such steps itself, and may continue
after Ctrl-C. So during a step another handler only notes the signal; the program's own handler is called when the step
is over, with its locks released and its acknowledgements made.

Handlers of other signals are not deferred: one that raises within a step breaks the log, as a failed write does.
"""

import _signal  # what `signal` wraps: to give names to numbers takes it 20 microseconds, a tenth of a step
import threading
from collections.abc import Callable
from typing import Final

_set_handler: Final[Callable[[int, object], object]] = _signal.signal
_handler_of: Final[Callable[[int], object]] = _signal.getsignal
_SIGINT: Final[int] = _signal.SIGINT


class _Held:
    """The deferred handler and signal; there is one main thread, so there is one instance."""

    def __init__(self) -> None:
        self.handler: object = None
        self.came = False


_held: Final = _Held()


def _take_note(_number: int, _frame: object) -> None:
    _held.came = True


def hold() -> bool:
    """Defer Ctrl-C from now on; returns whether `release` is to follow."""
    if threading.get_ident() != threading.main_thread().ident:
        return False
    handler = _handler_of(_SIGINT)
    if not callable(handler) or handler is _take_note:
        return False  # nothing of Python's would run, or it is held back already
    _held.came = False
    _held.handler = handler
    _set_handler(_SIGINT, _take_note)
    return True


def release() -> None:
    """Restore the handler of Ctrl-C, and call it if the signal has come."""
    handler = _held.handler
    _held.handler = None
    _set_handler(_SIGINT, handler)
    if _held.came and callable(handler):
        handler(_SIGINT, None)
