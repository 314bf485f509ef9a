"""A queue manager in this process: the wiring of its parts in three phases, and their life from start to end.

`storageparts.py`, `engineparts.py` and `serviceparts.py` make the parts, each from the parts of the phase before. An
earlier part calls a later one by the methods of `Listeners`, which `Host` implements, so nothing is assigned to a part
after it is made.

The order of locks: administration, then one of checkpoint or page writing, then the engine lock; the log has a lock of
its own below them all. No thread waits while it holds the engine lock.
"""

import posixpath
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from kew.accounting.performance import watch_of
from kew.accounting.program import Program
from kew.accounting.tracetable import TraceTable
from kew.channels.control import ChannelControl, Initiator
from kew.codes.attributes import MQPSM_DISABLED, MQSVC_CONTROL_Q_MGR
from kew.codes.messages import Notices
from kew.codes.reasons import MQRC_CONNECTION_BROKEN, MQRC_Q_MGR_STOPPING
from kew.commands.actions.context import Services
from kew.commands.queued.interface import NAMELIST
from kew.mqi.connections.connection import Connection
from kew.mqi.engine import BROKEN, QUIESCING, STOPPING
from kew.mqi.local.connection import LocalConnection
from kew.objects.administration import key_of, new_record
from kew.objects.caller import Caller
from kew.objects.catalogue import AttributeValue, Change
from kew.objects.definition import Definition
from kew.objects.schema import object_type
from kew.qmgr.engineparts import assemble_engine
from kew.qmgr.files import Places
from kew.qmgr.listeners import Listeners
from kew.qmgr.loading import CATALOGUE_PAGE_SET, Loading
from kew.qmgr.serviceparts import assemble_services
from kew.qmgr.storageparts import EngineSettings, assemble_storage
from kew.qmgr.workers.housekeeper import Housekeeper
from kew.queues.administration import FAMILY
from kew.queues.listeners import DepthListener
from kew.queues.queue import Queue
from kew.security.identity import BadUser
from kew.storage.disk import Disk, DiskError
from kew.storage.fileheader import FileRefused
from kew.storage.log import Log, LogAddress
from kew.storage.log.notices import HEADER_REPAIRED
from kew.storage.message import MessageRef
from kew.storage.recovery.restart import Restart, RestartReport, repair_torn_pages
from kew.storage.unit import Unit

CONFIGURED: Final = ("PSID", "BUFFPOOL")  # families whose objects are defined by qm.ini


class Host(Listeners):
    """A queue manager that runs in this process: its parts, made in three phases, and their life together."""

    def __init__(
        self,
        disk: Disk,
        name: str,
        places: Places,
        settings: EngineSettings,
        notices: Notices,
        log: Log,
        exclude: Callable[[Iterable[str]], None] | None = None,
    ) -> None:
        self.disk = disk
        self.name = name
        self.places = places
        self.settings = settings
        self.notices = notices
        self.log = log
        storage = assemble_storage(disk, places, settings, notices, log, self)
        self.lock = storage.lock
        self.pools = storage.pools
        self.double = storage.double
        self.writer = storage.writer
        self.page_set_files = storage.page_set_files
        self.lost = storage.page_set_files.lost
        self.store = storage.store
        parts = assemble_engine(name, storage, self)
        self.units = parts.units
        self.queues = parts.queues
        self.catalogue = parts.catalogue
        self.directory = parts.directory
        self.authority = parts.authority
        self.gate = parts.gate
        self.events = parts.events
        self.security_events = parts.security_events
        self.engine = parts.engine
        self.administration = parts.administration
        self.objects = parts.objects
        self.checkpointer = parts.checkpointer
        self.imager = parts.imager
        self._imaging = threading.Lock()
        self.services: Services | None = None  # these four come when other processes are served
        self.channels: ChannelControl | None = None
        self.initiator: Initiator | None = None
        self.configured: Mapping[str, AttributeValue] = {}
        self._end_process: Callable[[bool, float | None], float] | None = None
        self._written_traces: list[str] = []  # files of trace tables, for the reply to STOP TRACE
        self.on_broken: list[
            Callable[[BaseException], None]
        ] = []  # called once when the log or a page set cannot be written
        made = assemble_services(storage, parts, self, exclude)
        self.event_writer = made.event_writer
        self.trigger_writer = made.trigger_writer
        self.delays = made.delays
        self.report_writer = made.expired
        self.expiry = made.expiry
        self.recorder = made.recorder
        self._recording = made.recording
        self.parameters = made.parameters
        self.commands = made.commands
        self.command_server = made.command_server
        self.queued = made.queued
        self.report = RestartReport()
        self._keeper: Housekeeper | None = None

    # -- start --------------------------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Restart: recover page sets, units of work, definitions and queues from the log."""
        files = self.page_set_files
        if self.double.mended:
            self.notices.tell(HEADER_REPAIRED, (), (self.places.double_write,))
        page_sets = files.open(new=self.log.checkpoint == 0)
        torn = repair_torn_pages(self.double, page_sets)
        files.open_maps(page_sets)
        self.notices.tell("CSQR001I", (), (self.name, f"{self.log.checkpoint:016X}"))
        restart = Restart(self.log, page_sets, files.lose)
        restart.run()
        restart.report.torn_pages = torn
        self.report = restart.report
        self._tell_restart(restart.report)
        self.store.open(page_sets)
        self.refresh_users()
        self.units.begin_at(restart.next_unit)
        loading = Loading(self.engine, self.administration, restart)
        loading.definitions(self.places.page_set(CATALOGUE_PAGE_SET), self.lost)
        loading.local_queues()
        loading.units()
        loading.topics()
        for page_set in page_sets.values():
            if page_set.recover_from:
                self.writer.flush()
                page_set.recovered(self.double)
        first = page_sets.get(CATALOGUE_PAGE_SET)
        if first is not None:
            first.note_used(sorted(page_sets), self.double)
        self.checkpointer.take()

    def process_of(self, name: str) -> Mapping[str, AttributeValue] | None:
        """Give the definition of a process."""
        record = self.catalogue.records.get(("PROCESS", name))
        return None if record is None else record.values

    def run_threads(self) -> None:
        """Start the threads that write the log and the pages and take checkpoints."""
        self.log.start_writer()
        self.writer.start()
        self._keeper = Housekeeper(self.log, self.checkpointer, self.engine)
        self._keeper.start()
        self.expiry.start()
        self.report_writer.start()
        self.event_writer.start()
        self.trigger_writer.start()
        self.delays.start()
        self._recording.start()

    def run_services(self) -> None:
        """Start the command server, if SCMDSERV is QMGR, and the queued publish/subscribe interface."""
        record = self.objects.find("QMGR", self.name)
        if record is not None and record.values["SCMDSERV"] == MQSVC_CONTROL_Q_MGR:
            self.command_server.start()
        self.queued.start()

    # -- what parts tell ----------------------------------------------------------------------------------------------

    def make_log_room(self, size: int) -> None:
        """Make space in the log for a record, by a checkpoint and by backing out old units."""
        self.checkpointer.make_room(size)

    def expired(self, queue: Queue, item: MessageRef) -> None:
        """Report the expiry of a message."""
        self.report_writer.expired(queue, item)

    def entered(self, program: Program) -> None:
        """Begin the accounting of a program, which has connected."""
        self.recorder.entered(program)

    def left(self, program: Program) -> None:
        """End the accounting of a program, which has disconnected."""
        self.recorder.left(program)

    def delayed(self) -> None:
        """Wake the worker that delivers delayed messages."""
        self.delays.wake()

    # -- other processes ----------------------------------------------------------------------------------------------

    def serve_channels(
        self, channels: ChannelControl, initiator: Initiator, configured: Mapping[str, AttributeValue]
    ) -> None:
        """Give commands the channels and the channel initiator, which exist only if other processes are served."""
        self.channels, self.initiator, self.configured = channels, initiator, configured

    def serve_programs(self, services: Services) -> None:
        """Give commands the programs of SERVICE objects."""
        self.services = services

    def serve_in_process(self, end: Callable[[bool, float | None], float]) -> None:
        """Give commands the function that ends the process, at once or after a grace period; it returns the seconds."""
        self._end_process = end

    def end_process(self, immediate: bool, grace: float | None) -> float | None:
        """End the queue manager's process; gives None within a program, which ends its own process."""
        return None if self._end_process is None else self._end_process(immediate, grace)

    def cut_statistics(self) -> None:
        """Cut statistics records now."""
        self.recorder.cut()

    def trace_files(self) -> list[str]:
        """Give the files to which trace tables were written since the last call."""
        found, self._written_traces = self._written_traces, []
        return found

    # -- life ---------------------------------------------------------------------------------------------------------

    def connect(self, application: str = "kew", user: str = "") -> LocalConnection:
        """Connect a program in this process; without a user, as the user of the process, who owns the queue manager."""
        return self._admit(application, user, own=False)

    def connect_own(self, application: str) -> LocalConnection:
        """Connect a part of the queue manager, also while the queue manager ends."""
        return self._admit(application, "", own=True)

    def _admit(self, application: str, user: str, own: bool) -> LocalConnection:
        user = user or self.authority.owner
        self.authority.groups_of(user)  # looked up here, so that no call waits for the system under the lock
        with self.lock:
            connection = Connection(self.engine, application, user, own)
            connection.check()
            if not own:
                connection.refuse_if_quiescing()
            self.engine.enter(connection)
        return LocalConnection(self.engine, self.administration, connection)

    def install(self, definitions: Iterable[Definition]) -> None:
        """Define the given objects that do not exist yet, all or none; they are durable when the method returns."""
        missing = [each for each in definitions if key_of(each) not in self.catalogue.records]
        queues = [(each.kind.name, each.name, each.values) for each in missing if each.kind.family == FAMILY]
        others = [new_record(each) for each in missing if each.kind.family not in (FAMILY, *CONFIGURED)]
        if queues or others:
            self.administration.install(queues, others)

    def refresh_users(self) -> None:
        """Read the file of users again; after the read of a damaged file there are no users."""
        try:
            self.directory.reload()
        except (BadUser, DiskError, FileRefused) as problem:
            self.notices.tell("CSQH901E", (), (self.places.users, str(problem)))
        self.authority.refresh()

    def apply_definition(self) -> None:
        """Apply the queue manager's own attributes to the engine."""
        record = self.objects.find("QMGR", self.name)
        if record is None:
            return
        own = Definition(object_type("QMGR"), self.name, record.values)
        with self.lock:
            limits = [own.integer(each) for each in ("MAXMSGL", "MAXPROPL", "MAXUMSGS", "MAXHANDS", "MARKINT")]
            self.engine.limit(*limits)
            self.queues.triggers.set_interval(own.integer("TRIGINT"))
            self.engine.topics.enable(own.integer("PSMODE") != MQPSM_DISABLED)
            watched = self.events.performance
            self.events.heed(own.values)
            self.security_events.heed()
            if watched != self.events.performance:
                self._watch_queues()
        self.administration.set_monitoring(own.integer("MONQ"))
        self.recorder.set_levels(own.integer("STATQ"), own.integer("ACCTQ"), own.integer("STATCHL"))
        self.expiry.set_interval(self.settings.expiry_interval or own.integer("EXPRYINT"))
        self.queued.follow_configuration()
        unusable = self.gate.unusable_checks()
        if unusable:
            self.notices.tell("CSQH903E", (), (unusable,))

    def keep_table(self, kind: str, table: TraceTable) -> None:
        """Write the table of a trace that was stopped to a file beside the error log."""
        path = posixpath.join(self.places.errors, f"TRACE.{kind}")
        text = "".join([f"{line}\n" for line in table.lines()])
        try:
            self.disk.make_directory(self.places.errors)
            file = self.disk.open(path, create=True)
            try:
                file.truncate(0)
                file.pwrite(text.encode(), 0)
            finally:
                file.close()
        except DiskError:
            self.notices.tell("CSQW133E", (table.taken,), (path,))
        else:
            self._written_traces.append(path)

    def definitions_changed(self, changes: list[Change], by: Caller) -> None:
        """Count changes of definitions for statistics, and make configuration events of them."""
        self.recorder.changed(changes)
        self.events.changed(changes, by)
        if [each for change in changes for each in change if each is not None and each.name == NAMELIST]:
            self.queued.follow_configuration()

    def watch_of(self, queue: Queue, values: Mapping[str, AttributeValue]) -> DepthListener | None:
        """Apply a queue's definition to its statistics and performance events; called under the engine lock."""
        self.recorder.follow(queue, values)
        return watch_of(self.events, queue, values)

    def _watch_queues(self) -> None:
        """Begin or end performance events of all queues, as PERFMEV says; called under the engine lock."""
        for queue in self.queues.by_name.values():
            record = self.administration.find(queue.name) or self.administration.temporary.get(queue.name)
            if record is not None:
                self.administration.watch(queue, record.values)

    def record_image(self, number: int) -> int:
        """Write a media image of a page set into the log; gives its number of pages. Only one is written at a time."""
        with self._imaging:
            pages = self.imager.record(self.store.page_sets[number])
            self.checkpointer.take()
        return pages

    def oldest_image(self) -> LogAddress | None:
        """Give the log address from which the log is needed for media recovery of a page set; None if there is none."""
        return self.imager.oldest_needed(self.store.page_sets)

    def _tell_restart(self, report: RestartReport) -> None:
        if report.finished or report.in_doubt or report.undone:
            self.notices.tell("CSQR004I", (report.finished, report.in_doubt, report.undone))
        self.notices.tell("CSQR002I", (int(report.seconds * 1000),), (f"{report.megabytes_a_second():.1f}",))

    def unindexed(self, queue: Queue, index_type: str) -> None:
        """Advise an index for a queue whose gets search for ids."""
        if index_type.startswith("PROPINDX"):
            self.notices.tell("CSQI902I", (queue.unindexed_gets,), (queue.name, index_type))
            return
        self.notices.tell("CSQI004I", (queue.unindexed_gets,), (queue.name, index_type, ""))

    def forced_backout(self, unit: Unit) -> None:
        """Report to the operator that a unit of work was backed out because the log was full."""
        self.notices.tell("AMQ7469W", (1,), (self.name,))

    def broken(self, failure: BaseException) -> None:
        """Break all connections after a failed write: no put or commit is acknowledged any more.

        Not called under the engine lock.
        """
        self.engine.change_state(BROKEN)
        self._fail_waiters(MQRC_CONNECTION_BROKEN)
        self.notices.tell("AMQ5008S", (), (f"the log or page writer ({failure})",))
        for callback in self.on_broken:
            callback(failure)

    def quiesce(self) -> None:
        """Refuse new connections and verbs with FAIL_IF_QUIESCING, and end the waits of gets with that option."""
        with self.lock:
            if self.engine.state >= QUIESCING:
                return
            self.engine.change_state(QUIESCING)
            for queue in self.queues.by_id.values():
                self.queues.look_again(queue)

    def _fail_waiters(self, reason: int) -> None:
        with self.lock:
            for queue in self.queues.by_id.values():
                for waiter in queue.waiters.all():
                    queue.waiters.remove(waiter)
                    waiter.fail(reason)

    # -- end ----------------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """End in order: back out units of work, write all pages, and record the end in the log.

        If the log or the pages can no longer be written, the end is that of a crash, and restart recovers.
        """
        if self.engine.state != BROKEN:
            self.event_writer.stop()
            self.trigger_writer.stop()
            self.delays.stop()
        with self.lock:
            broken = self.engine.state == BROKEN
            if not broken:
                self.engine.change_state(STOPPING)
        if broken:
            self.crash()
            return
        self._fail_waiters(MQRC_Q_MGR_STOPPING)
        for connection in list(self.engine.connections.values()):
            if isinstance(connection, Connection):
                LocalConnection(self.engine, self.administration, connection).abandon()
        if self._keeper is not None:
            self._keeper.stop()
            self.expiry.stop()
            self.report_writer.stop()
        self.report_writer.work()
        if self._keeper is not None:
            self._recording.stop()
        self.writer.flush()
        self.checkpointer.take()
        self.writer.stop()
        self.log.close()
        self._close_files()

    def crash(self) -> None:
        """Release all files and threads without writing, as a crash does; for tests of recovery in one process."""
        self.engine.change_state(BROKEN)
        self.event_writer.stop()
        self.trigger_writer.stop()
        self.delays.stop()
        if self._keeper is not None:
            self._keeper.stop()
            self.expiry.stop()
            self.report_writer.stop()
            self._recording.abandon()
        self.writer.stop()
        self.log.abandon()
        self._close_files()

    def _close_files(self) -> None:
        for page_set in self.store.page_sets.values():
            page_set.file.close()
        self.double.close()
