"""The housekeeper: checkpoints while the queue manager runs."""

import threading

from kew.mqi.engine import QUIESCING, Engine
from kew.storage.disk import DiskError
from kew.storage.log import Log, LogError
from kew.storage.recovery.checkpoint import Checkpointer


class Housekeeper:
    """A thread that takes checkpoints when enough was logged."""

    def __init__(self, log: Log, checkpointer: Checkpointer, engine: Engine) -> None:
        self._checkpointer = checkpointer
        self._engine = engine
        self._wake = threading.Event()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="kew-housekeeper", daemon=True)
        log.on_durable.append(self._look)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread."""
        self._stopping = True
        self._wake.set()
        self._thread.join()

    def _look(self, _durable: int) -> None:
        if self._checkpointer.due() and not self._wake.is_set():
            self._wake.set()

    def _run(self) -> None:
        while True:
            self._wake.wait()
            if self._stopping:
                return
            self._wake.clear()
            # What a checkpoint itself forces is told here before it is done: it is not due again for that.
            if self._engine.state <= QUIESCING and self._checkpointer.due():
                try:
                    self._checkpointer.take()
                except (LogError, DiskError):
                    return  # whoever listens to the log has been told
