"""Puts a queue manager together from its parts: all wiring is here and nowhere else.

The order of locks: administration, then one of checkpoint or page writing, then the engine lock; the log has a lock of
its own below them all. Nothing that waits is done under the engine lock.
"""

import posixpath
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from librt.threading import Lock

from kew.accounting.events import Change
from kew.accounting.intervals import CollectionTimes
from kew.accounting.performance import watch_of
from kew.accounting.smffiles import SmfFiles, SmfSettings
from kew.accounting.tracetable import TraceTable
from kew.codes.attributes import MQPSM_DISABLED, MQSVC_CONTROL_Q_MGR
from kew.codes.errors import Broken
from kew.codes.messages import Notices
from kew.codes.reasons import MQRC_CONNECTION_BROKEN, MQRC_Q_MGR_STOPPING
from kew.commands.actions.context import Context, Paths
from kew.commands.queued.interface import NAMELIST, QueuedInterface
from kew.commands.server import CommandServer
from kew.mqi.connections.connection import Connection
from kew.mqi.delivery.expiryreports import ExpiryReporter
from kew.mqi.engine import BROKEN, QUIESCING, STOPPING, Engine
from kew.mqi.local.connection import LocalConnection
from kew.mqi.publishing.topicstream import Publishing
from kew.mqi.subscribing.unsubscribe import end_expired
from kew.objects.administration import ObjectAdministration, key_of, new_record
from kew.objects.catalogue import AttributeValue, Catalogue
from kew.objects.definition import Definition
from kew.objects.schema import object_type
from kew.qmgr.files import Places
from kew.qmgr.loading import CATALOGUE_PAGE_SET, Loading
from kew.qmgr.pagesets import PageSetFiles, PageSetSettings
from kew.qmgr.parameters import SystemParameters, SystemSettings
from kew.qmgr.recorder import Recorder
from kew.qmgr.securityevents import SecurityEvents
from kew.qmgr.workers.delays import DelayProcessor
from kew.qmgr.workers.eventwriter import EventWriter
from kew.qmgr.workers.housekeeper import Housekeeper
from kew.qmgr.workers.triggerwriter import TriggerWriter
from kew.queues.administration import FAMILY, QueueAdministration
from kew.queues.expiry import ExpiryScanner
from kew.queues.listeners import DepthListener
from kew.queues.queue import Queue
from kew.queues.registry import QueueRegistry
from kew.security.admissioncontrol import AdmissionControl
from kew.security.authority import Authority
from kew.security.identity import BadUser, Directory, UserFile, process_user
from kew.storage.buffers.deferred import DeferredWriter
from kew.storage.buffers.doublewrite import DoubleWrite
from kew.storage.buffers.pool import BufferPool
from kew.storage.disk import Disk, DiskError
from kew.storage.fileheader import FileRefused, Identity
from kew.storage.log import Log, LogAddress, LogSettings
from kew.storage.log.notices import HEADER_REPAIRED
from kew.storage.pages.items import ItemStore
from kew.storage.pages.pageset import PageSet
from kew.storage.recovery.checkpoint import Checkpointer
from kew.storage.recovery.media import Imager
from kew.storage.recovery.restart import Restart, RestartReport, repair_torn_pages
from kew.storage.recovery.units import Units
from kew.storage.unit import Unit


@dataclass(frozen=True)
class EngineSettings:
    """The settings of an engine."""

    log: LogSettings = field(default_factory=LogSettings)
    pools: Mapping[int, int] = field(default_factory=lambda: {0: 1000, 1: 20000})
    page_sets: Mapping[int, PageSetSettings] = field(
        default_factory=lambda: {0: PageSetSettings(pool=0), 1: PageSetSettings(pool=1)}
    )
    storage_classes: Mapping[str, int] = field(default_factory=lambda: {"DEFAULT": 1, "SYSTEM": 1})
    system: SystemSettings = field(default_factory=SystemSettings)
    smf: SmfSettings = field(default_factory=SmfSettings)
    expiry_interval: int = 0  # seconds between scans for expired messages; 0: as the queue manager's EXPRYINT says


CONFIGURED: Final = ("PSID", "BUFFPOOL")  # families whose objects are defined by qm.ini


def create_engine(disk: Disk, name: str, places: Places, settings: EngineSettings) -> Identity:
    """Create the files of a new queue manager; gives its identity."""
    disk.make_directory(places.root)
    disk.make_directory(places.page_sets)
    owner = Identity.new(name)
    Log.create(disk, settings.log, places.log, owner=owner)
    for number, wanted in sorted(settings.page_sets.items()):
        path = places.page_set(number)
        PageSet.create(disk, path, number, wanted.pages, wanted.expand, wanted.secondary, owner, 0)
    return owner


class Host:
    """A queue manager that runs in this process."""

    def __init__(
        self, disk: Disk, name: str, places: Places, settings: EngineSettings, notices: Notices, log: Log
    ) -> None:
        self.disk = disk
        self.name = name
        self.places = places
        self.settings = settings
        self.notices = notices
        self.log = log
        self.lock = Lock()
        self.store = ItemStore(log)
        self.queues = QueueRegistry(self.store)
        self.units = Units(self.store, self.queues)
        self.catalogue = Catalogue(self.units, log)
        self.directory = Directory(UserFile(disk, places.users, log.owner))
        self.authority = Authority(self.catalogue, self.directory, process_user(), notices)
        self.engine = Engine(
            name, self.lock, log, self.store, self.units, self.queues, self.catalogue, notices, self.authority
        )
        self.gate = AdmissionControl(name, self.catalogue, self.authority, self.directory, notices)
        self.double = DoubleWrite(disk, places.double_write, log.owner)
        self.writer = DeferredWriter(self.lock, log.force_to_disk, self.double)
        self.checkpointer = Checkpointer(self.lock, log, self.store, self.units, self.writer, self._tell_forced_backout)
        self._imaging = threading.Lock()
        self.imager = Imager(self.lock, log, self.store, self.engine.run)
        self.checkpointer.oldest_image = self._oldest_image
        self.store.make_log_room = self.checkpointer.make_room
        self.administration = QueueAdministration(
            self.engine.run, self.store, self.queues, self.catalogue, self._advise_index
        )
        self.administration.storage_classes = dict(settings.storage_classes)
        self.objects = ObjectAdministration(self.engine.run, self.catalogue)
        self.pools = {number: BufferPool(number, size, self.lock) for number, size in settings.pools.items()}
        for pool in self.pools.values():
            self.writer.add_pool(pool)
        self.events = self.engine.events
        self.event_writer = EventWriter(self.events, self.connect_own, notices)
        self.trigger_writer = TriggerWriter(self.queues.triggers, self.administration, self.connect_own, notices)
        self.queues.triggers.process_of = self._process
        self.delays = DelayProcessor(self.engine, self.connect_own, notices)
        self.catalogue.on_change = self._definitions_changed
        self.security_events = SecurityEvents(self.events, self.authority, self.gate)
        log.watch_files(partial(self.events.log_moved, places.log.copy1))
        self.administration.watch_of = self._attend
        pool_of = {number: self.pools[wanted.pool] for number, wanted in settings.page_sets.items()}
        self.page_set_files = PageSetFiles(disk, log.owner, places, pool_of, settings.page_sets, notices)
        self.lost = self.page_set_files.lost
        self.report = RestartReport()
        self.on_broken: Callable[[BaseException], None] | None = None
        self._keeper: Housekeeper | None = None
        self.engine.topic_streams = Publishing()
        self.expired = ExpiryReporter(self.engine)
        self.queues.on_expired = self.expired.expired
        self.expiry = ExpiryScanner(self.engine.run, self.queues, self._milliseconds, Broken)
        self.expiry.also = partial(end_expired, self.engine, self.administration)
        copies = (places.log.copy1, places.log.copy2) if settings.log.dual else (places.log.copy1,)
        self.commands = Context(
            self.engine,
            self.administration,
            self.objects,
            self.pools,
            self.lost,
            self.checkpointer,
            Paths(places.root, copies, places.log.archive),
            self.heed_definition,
            CollectionTimes(settings.system.statistics_time, settings.system.accounting_time, time.time()),
            self.gate,
            self.refresh_users,
        )
        self.recorder = Recorder(
            self.engine,
            self.pools,
            self.lost,
            self.commands.traces,
            self.commands.times,
            SmfFiles(disk, places.smf, settings.smf, notices),
        )
        self.parameters = SystemParameters(self.commands, settings.system, time.time)
        self.parameters.on_times = self.recorder.wake
        self.commands.cut = self.recorder.cut
        self.commands.record_image = self.record_image
        self.recorder.on_table = self._keep_table
        self.command_server = CommandServer(self.commands, self.connect, notices)
        self.commands.command_server = self.command_server
        self.queued = QueuedInterface(self.engine, self.connect, notices)
        log.on_failure.append(self._broken)
        self.writer.on_failure = self._broken

    # -- start --------------------------------------------------------------------------------------------------------

    def restart(self) -> None:
        """Restart: page sets, units of work, definitions and queues are brought back from the log."""
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
        self.store.page_sets = page_sets
        self.refresh_users()
        self.units.next_id = restart.next_unit
        loading = Loading(self.engine, self.administration, self._advise_index, restart)
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

    def _process(self, name: str) -> Mapping[str, AttributeValue] | None:
        record = self.catalogue.records.get(("PROCESS", name))
        return None if record is None else record.values

    def run_threads(self) -> None:
        """Start the threads that write the log and the pages and take checkpoints."""
        self.log.start_writer()
        self.writer.start()
        self._keeper = Housekeeper(self.log, self.checkpointer, self.engine)
        self._keeper.start()
        self.expiry.start()
        self.expired.start()
        self.event_writer.start()
        self.trigger_writer.start()
        self.delays.start()
        self.recorder.start()

    def run_services(self) -> None:
        """Start the parts that the queue manager's attributes start with it."""
        record = self.objects.find("QMGR", self.name)
        if record is not None and record.values["SCMDSERV"] == MQSVC_CONTROL_Q_MGR:
            self.command_server.start()
        self.queued.start()

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
            connection = Connection(self.engine, application, user)
            connection.own = own
            connection.check()
            if not own:
                connection.refuse_if_quiescing()
            self.engine.enter(connection.number, connection)
        return LocalConnection(self.engine, self.administration, connection)

    def install(self, definitions: Iterable[Definition]) -> None:
        """Define those of some objects that do not exist yet, all or none; durable when it returns."""
        missing = [each for each in definitions if key_of(each) not in self.catalogue.records]
        queues = [(each.kind.name, each.name, each.values) for each in missing if each.kind.family == FAMILY]
        others = [new_record(each) for each in missing if each.kind.family not in (FAMILY, *CONFIGURED)]
        if queues or others:
            self.administration.install(queues, others)

    def refresh_users(self) -> None:
        """Read the file of users again; a damaged file leaves no users of it."""
        try:
            self.directory.reload()
        except (BadUser, DiskError, FileRefused) as problem:
            self.notices.tell("CSQH901E", (), (self.places.users, str(problem)))
        self.authority.refresh()

    def heed_definition(self) -> None:
        """Apply the queue manager's own attributes to the engine."""
        record = self.objects.find("QMGR", self.name)
        if record is None:
            return
        own = Definition(object_type("QMGR"), self.name, record.values)
        with self.lock:
            self.engine.max_message_length = own.integer("MAXMSGL")
            self.engine.max_properties_length = own.integer("MAXPROPL")
            self.engine.max_uncommitted = own.integer("MAXUMSGS")
            self.engine.max_handles = own.integer("MAXHANDS")
            self.queues.triggers.interval = own.integer("TRIGINT")
            self.engine.mark_interval = own.integer("MARKINT")
            self.engine.topics.enabled = own.integer("PSMODE") != MQPSM_DISABLED
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

    def _keep_table(self, kind: str, table: TraceTable) -> None:
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
            self.commands.written_traces.append(path)

    def _definitions_changed(self, changes: list[Change]) -> None:
        self.recorder.changed(changes)
        self.events.changed(changes)
        if [each for change in changes for each in change if each is not None and each.name == NAMELIST]:
            self.queued.follow_configuration()

    def _attend(self, queue: Queue, values: Mapping[str, AttributeValue]) -> DepthListener | None:
        """Apply a queue's definition to its statistics and performance events; called under the lock."""
        self.recorder.follow(queue, values)
        return watch_of(self.events, queue, values)

    def _watch_queues(self) -> None:
        """Begin or end performance events of all queues, by their switch; called under the lock."""
        for queue in self.queues.by_name.values():
            record = self.administration.find(queue.name) or self.administration.temporary.get(queue.name)
            if record is not None:
                self.administration.watch(queue, record.values)

    def _milliseconds(self) -> int:
        with self.lock:
            return int(self.engine.clock.now() * 1000)

    def record_image(self, number: int) -> int:
        """Write a media image of a page set into the log; gives its number of pages. Only one is written at a time."""
        with self._imaging:
            pages = self.imager.record(self.store.page_sets[number])
            self.checkpointer.take()
        return pages

    def _oldest_image(self) -> LogAddress | None:
        return self.imager.oldest_needed(self.store.page_sets)

    def _tell_restart(self, report: RestartReport) -> None:
        if report.finished or report.in_doubt or report.undone:
            self.notices.tell("CSQR004I", (report.finished, report.in_doubt, report.undone))
        self.notices.tell("CSQR002I", (int(report.seconds * 1000),), (f"{report.megabytes_a_second():.1f}",))

    def _advise_index(self, queue: Queue, index_type: str) -> None:
        if index_type.startswith("PROPINDX"):
            self.notices.tell("CSQI902I", (queue.unindexed_gets,), (queue.name, index_type))
            return
        self.notices.tell("CSQI004I", (queue.unindexed_gets,), (queue.name, index_type, ""))

    def _tell_forced_backout(self, unit: Unit) -> None:
        self.notices.tell("AMQ7469W", (1,), (self.name,))

    def _broken(self, failure: BaseException) -> None:
        # Called by the writing thread, never under the engine lock: no more work is acknowledged.
        self.engine.state = BROKEN
        self._fail_waiters(MQRC_CONNECTION_BROKEN)
        self.notices.tell("AMQ5008S", (), (f"the log or page writer ({failure})",))
        if self.on_broken is not None:
            self.on_broken(failure)

    def quiesce(self) -> None:
        """Take no new connections; verbs with FAIL_IF_QUIESCING are refused, and waits of such gets end."""
        with self.lock:
            if self.engine.state >= QUIESCING:
                return
            self.engine.state = QUIESCING
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
        """End in order: units of work are backed out, everything is written, and the log records it.

        If the log or the pages could no longer be written, end as a crash would: restart recovers.
        """
        if self.engine.state != BROKEN:
            self.event_writer.stop()
            self.trigger_writer.stop()
            self.delays.stop()
        with self.lock:
            broken = self.engine.state == BROKEN
            if not broken:
                self.engine.state = STOPPING
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
            self.expired.stop()
        self.expired.work()
        if self._keeper is not None:
            self.recorder.stop()
        self.writer.flush()
        self.checkpointer.take()
        self.writer.stop()
        self.log.close()
        self._close_files()

    def crash(self) -> None:
        """Release everything as a crash would (for tests of recovery in one process)."""
        self.engine.state = BROKEN
        self.event_writer.stop()
        self.trigger_writer.stop()
        self.delays.stop()
        if self._keeper is not None:
            self._keeper.stop()
            self.expiry.stop()
            self.expired.stop()
            self.recorder.abandon()
        self.writer.stop()
        self.log.abandon()
        self._close_files()

    def _close_files(self) -> None:
        for page_set in self.store.page_sets.values():
            page_set.file.close()
        self.double.close()
