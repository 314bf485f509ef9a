"""Calls in threads of their own, with their results, and waiting for what they bring about."""

import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")

PATIENCE = 60.0  # seconds after which a test gives up hope


class Background(Generic[T]):
    """A call in a thread of its own."""

    def __init__(self, call: Callable[[], T]) -> None:
        self._call = call
        self._result: list[T] = []
        self._raised: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._result.append(self._call())
        except BaseException as raised:
            self._raised = raised

    def running(self) -> bool:
        return self._thread.is_alive()

    def result(self) -> T:
        """Give what the call gave, or raise what it raised."""
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the call hangs"
        if self._raised is not None:
            raise self._raised
        return self._result[0]


def until(happened: Callable[[], bool]) -> None:
    """Return once something is so that other threads bring about."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.0005)


def strike_when(happened: Callable[[], bool]) -> Background[None]:
    """Send Ctrl-C to the main thread once something is so and it sleeps: before that the system would not wake it."""
    main = threading.main_thread()
    state = Path(f"/proc/self/task/{main.native_id}/stat")

    def strike() -> None:
        until(lambda: happened() and state.read_text().rpartition(")")[2].split()[0] == "S")
        assert main.ident is not None
        signal.pthread_kill(main.ident, signal.SIGINT)

    return Background(strike)
