"""The housekeeper: checkpoints while the queue manager runs."""

import contextlib

from kew.mqi.engine import QUIESCING, Engine
from kew.qmgr.workers.worker import Worker
from kew.storage.disk import DiskError
from kew.storage.log import Log, LogError
from kew.storage.recovery.checkpoint import Checkpointer


class Housekeeper(Worker):
    """A thread that takes checkpoints when enough was logged."""

    def __init__(self, log: Log, checkpointer: Checkpointer, engine: Engine) -> None:
        super().__init__("kew-housekeeper")
        self._checkpointer = checkpointer
        self._engine = engine
        log.on_durable.append(self._look)

    def _look(self, _durable: int) -> None:
        if self._checkpointer.due() and not self._bell.is_set():
            self._bell.set()

    def attend(self, stopping: bool) -> None:
        """Take a checkpoint if one is due.

        The check is needed: the log force of a checkpoint rings the bell before that checkpoint counts as taken.
        """
        if not stopping and self._engine.state <= QUIESCING and self._checkpointer.due():
            with contextlib.suppress(LogError, DiskError):  # a broken log is reported by its listeners
                self._checkpointer.take()
