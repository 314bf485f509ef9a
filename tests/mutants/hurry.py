"""A plugin for pytest: a test that hangs fails, and ends the run, since what hangs may hang again in its clean-up.

A test hangs that has used so much processor time that a busy machine does not matter, or that does nothing for minutes.
"""

import os
import signal
from collections.abc import Generator
from types import FrameType

import pytest

BUSY = 40.0  # seconds of processor time
IDLE = 240.0  # seconds by the clock


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Set the alarms around a test, its set-up and its clean-up."""

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        os.write(1, f"\nFAILED {item.nodeid} - does not come to its end\n".encode())
        os._exit(1)

    signal.signal(signal.SIGPROF, give_up)
    signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_PROF, BUSY)
    signal.setitimer(signal.ITIMER_REAL, IDLE)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
