"""A disk with a slower log: for measuring how a queue manager would run on another device.

Every sync of a log file takes a fixed time longer, plus the time of its bytes at a bandwidth. Other files are
unchanged.
"""

import time

from kew.storage.disk import File, RealDisk


class SlowFile:
    """A log file whose sync takes longer."""

    def __init__(self, file: File, delay: float, bandwidth: float) -> None:
        self.path = file.path
        self._file = file
        self._delay = delay
        self._bandwidth = bandwidth
        self._written = 0
        self.pread = file.pread
        self.size = file.size
        self.truncate = file.truncate
        self.allocate = file.allocate
        self.close = file.close

    def pwrite(self, data: bytes, offset: int) -> None:
        """Write, and add to the bytes that the next sync is charged for."""
        self._file.pwrite(data, offset)
        self._written += len(data)

    def sync(self) -> None:
        """Sync, then sleep for the delay of the simulated device and for the time of its writes."""
        seconds = self._delay
        if self._bandwidth:
            seconds += self._written / self._bandwidth
        self._written = 0
        self._file.sync()
        time.sleep(seconds)


class SlowDisk(RealDisk):
    """The disk of this machine with a slower log."""

    def __init__(self, delay: float, bandwidth: float) -> None:
        self._delay = delay
        self._bandwidth = bandwidth

    def open(self, path: str, create: bool = False) -> File:
        """Open a file; those of the log are slow."""
        file = super().open(path, create)
        if path.endswith(".LOG") and not path.endswith("AMQERR01.LOG") and "/errors/" not in path:
            return SlowFile(file, self._delay, self._bandwidth)
        return file
