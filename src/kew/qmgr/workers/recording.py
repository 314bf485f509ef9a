"""The worker that cuts records of statistics and accounting when an interval or a program has ended."""

import time

from kew.accounting.recorder import Recorder
from kew.qmgr.workers.worker import Worker


class RecordingWorker(Worker):
    """The worker that calls the recorder when records are due."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__("kew-recorder", bell=recorder.due)
        self._recorder = recorder

    def start(self) -> None:
        """Start; traces that start with the queue manager count from its start, restart included."""
        self._recorder.start()
        super().start()

    def stop(self) -> None:
        """Record all collected data, and end."""
        super().stop()
        self._recorder.stop()

    def abandon(self) -> None:
        """End as a crash would."""
        super().stop()
        self._recorder.abandon()

    def attend(self, stopping: bool) -> float:
        """Make the records that are due; gives the seconds until the next records are due."""
        if not stopping:
            self._recorder.look(time.time())
        return self._recorder.next_due()
