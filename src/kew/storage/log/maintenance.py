"""The slow work beside the log writer: files prepared ahead, full extents archived, secondary files given back."""

import threading
from collections.abc import Callable

from kew.storage.log.active import ActivePages
from kew.storage.log.archive import ArchiveStore
from kew.storage.log.bootstrap import Bootstrap
from kew.storage.log.buffer import LogBuffer
from kew.storage.log.extents import ExtentTable
from kew.storage.log.settings import LogSettings


class Maintenance:
    """Keeps enough log files ready and gives up what nobody needs; one step at a time."""

    def __init__(
        self,
        settings: LogSettings,
        buffer: LogBuffer,
        extents: ExtentTable,
        bootstrap: Bootstrap,
        active: ActivePages,
        archive: ArchiveStore,
    ) -> None:
        self._archives = settings.linear and settings.archive
        self._buffer = buffer
        self._extents = extents
        self._bootstrap = bootstrap
        self._active = active
        self._archive = archive
        self._condition = threading.Condition()
        self._wanted = False
        self._stopping = False
        self._thread: threading.Thread | None = None
        self._fail: Callable[[BaseException], None] | None = None
        self._looked_at = -1

    def due(self) -> bool:
        """Return whether the writer should ask for a step: files run short, or an extent was filled."""
        extents = self._extents
        full = self._buffer.durable // extents.extent_bytes
        if full != self._looked_at:
            self._looked_at = full
            return True
        return self._wanted_end() > extents.ready_end

    def _wanted_end(self) -> int:
        return self._buffer.next_address + self._buffer.capacity

    def step(self) -> None:
        """Do all there is to do now."""
        extents = self._extents
        with extents.lock:
            extents.prepare(self._wanted_end())
            if self._archives:
                self.archive_full()
            extents.release(self._wanted_end())
        self._buffer.set_limit(extents.limit())

    def archive_full(self) -> None:
        """Archive every full extent that is not archived yet, oldest first, until one fails."""
        extents = self._extents
        durable = self._buffer.durable
        for number in extents.numbers():
            if (number + 1) * extents.extent_bytes > durable:
                return
            if number not in self._bootstrap.state.archives and not self._archive.offload(number, self._active):
                return

    # The thread.

    def start(self, fail: Callable[[BaseException], None]) -> None:
        """Run steps in a thread when asked to; `fail` hears what one of them raised."""
        self._fail = fail
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="kew-log-maintenance", daemon=True)
        self._thread.start()

    def ask(self) -> None:
        """Ask the thread for a step, or do it here where none runs."""
        if self._thread is None:
            self.step()
            return
        with self._condition:
            self._wanted = True
            self._condition.notify()

    def stop(self) -> None:
        """End the thread after the step it is in."""
        thread = self._thread
        if thread is not None:
            with self._condition:
                self._stopping = True
                self._condition.notify()
            thread.join()
            self._thread = None

    def _run(self) -> None:
        while True:
            with self._condition:
                while not self._wanted and not self._stopping:
                    self._condition.wait()
                if self._stopping:
                    return
                self._wanted = False
            try:
                self.step()
            except BaseException as failure:
                if self._fail is not None:
                    self._fail(failure)
                return
