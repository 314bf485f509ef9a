"""A plugin for pytest: a test that hangs fails, after so much processor time that a busy machine does not matter."""

import signal
from collections.abc import Generator
from types import FrameType

import pytest

LONGEST = 40.0  # seconds


class Hangs(Exception):
    """A test does not come to its end."""


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise Hangs(f"no end after {LONGEST:.0f} seconds of processor time")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, None, None]:
    """Set the alarm around a test."""
    signal.signal(signal.SIGPROF, _interrupt)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
