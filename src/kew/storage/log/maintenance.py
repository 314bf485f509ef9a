"""The slow work beside the log writer: files prepared ahead, full extents archived, secondary files given back."""

import posixpath
import threading
from collections.abc import Callable

from kew.storage.log.active import ActivePages
from kew.storage.log.archive import ArchiveStore
from kew.storage.log.bootstrap import FREE, Bootstrap
from kew.storage.log.buffer import LogBuffer
from kew.storage.log.copies import file_name
from kew.storage.log.extents import ExtentTable
from kew.storage.log.notices import OLDEST_FOR_MEDIA, OLDEST_FOR_RESTART, Notices
from kew.storage.log.settings import LogSettings


class Maintenance:
    """Prepares log files ahead and gives up those that are not needed, in steps."""

    def __init__(
        self,
        settings: LogSettings,
        buffer: LogBuffer,
        extents: ExtentTable,
        bootstrap: Bootstrap,
        active: ActivePages,
        archive: ArchiveStore,
        notices: Notices,
    ) -> None:
        self._linear = settings.linear
        self._archives = settings.linear and settings.archive
        self._buffer = buffer
        self._extents = extents
        self._bootstrap = bootstrap
        self._active = active
        self._archive = archive
        self._notices = notices
        self._told_restart = ""
        self._told_media = ""
        self._told_files: tuple[str, str, str] | None = None
        self._on_files: Callable[[str, str, str], None] | None = None  # called with the files of a linear log in use
        self._step_lock = threading.Lock()
        self._condition = threading.Condition()
        self._wanted = False
        self._stopping = False
        self._runner: threading.Thread | None = None
        self._fail: Callable[[BaseException], None] | None = None
        self._looked_at = -1

    def watch_files(self, told: Callable[[str, str, str], None]) -> None:
        """Set the listener for the files of a linear log that are in use."""
        self._on_files = told

    def due(self) -> bool:
        """Return whether a maintenance step is due: files run short, or an extent was filled."""
        extents = self._extents
        full = self._buffer.on_disk // extents.extent_bytes
        if full != self._looked_at:
            self._looked_at = full
            return True
        return self._wanted_end() > extents.ready_end

    def _wanted_end(self) -> int:
        return self._buffer.next_address + self._buffer.capacity

    def step(self) -> None:
        """Do all that is due."""
        extents = self._extents
        with self._step_lock:
            extents.prepare(self._wanted_end())
            if self._archives:
                self._archive_full()
            extents.release(self._wanted_end())
            self._tell_oldest()
        self._buffer.set_limit(extents.limit())

    def _archive_full(self) -> None:
        """Archive every full extent that is not archived yet, oldest first, until one fails."""
        extents = self._extents
        on_disk = self._buffer.on_disk
        for number in extents.numbers():
            if (number + 1) * extents.extent_bytes > on_disk:
                return
            if number not in self._bootstrap.state.archives and not self._archive.offload(number, self._active):
                return

    def _tell_oldest(self) -> None:
        """Report the file with which restart and media recovery begin, when it has changed."""
        state = self._bootstrap.state
        slot = self._extents.slot_of(state.needed)
        if slot != FREE and file_name(slot) != self._told_restart:
            self._told_restart = file_name(slot)
            self._notices.tell(OLDEST_FOR_RESTART, (), (self._told_restart,))
        if self._linear:
            slot = self._extents.slot_of(state.media)
            name = file_name(slot) if slot != FREE else posixpath.basename(self._archive.path_of(state.media))
            if name != self._told_media:
                self._told_media = name
                self._notices.tell(OLDEST_FOR_MEDIA, (), (name,))

        self._tell_files()

    def _tell_files(self) -> None:
        """Report a change of the current file, or of the files with which restart and media recovery begin."""
        slot = self._extents.slot_of(self._buffer.on_disk)
        if not self._linear or self._on_files is None or slot == FREE:
            return
        files = (file_name(slot), self._told_restart, self._told_media)
        if files != self._told_files:
            self._told_files = files
            self._on_files(*files)

    # The thread.

    def start(self, fail: Callable[[BaseException], None]) -> None:
        """Run requested steps in a thread; `fail` is called with the error of a step."""
        self._fail = fail
        self._stopping = False
        self._runner = threading.Thread(target=self._run, name="kew-log-maintenance", daemon=True)
        self._runner.start()

    def ask(self) -> None:
        """Request a step from the thread, or run it here if there is no thread."""
        if self._runner is None:
            self.step()
            return
        with self._condition:
            self._wanted = True
            self._condition.notify()

    def stop(self) -> None:
        """End the thread after the step it is in."""
        thread = self._runner
        if thread is not None:
            with self._condition:
                self._stopping = True
                self._condition.notify()
            thread.join()
            self._runner = None

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
