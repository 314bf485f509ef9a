"""Queue managers for commands and programs: create, start, stop and delete them.

A crash in `create` leaves a whole queue manager or none: all files are made in a directory of another name, which is
renamed at the end. `start` takes the lock first, so two processes can never write the same files.
"""

import contextlib
import errno
import os
import posixpath
import time
from collections.abc import Callable
from typing import Final, Protocol

from kew.accounting.smffiles import SmfSettings, system_id
from kew.channels.channelrecords import ChannelRecords
from kew.codes.attributes import MQSVC_CONTROL_MANUAL
from kew.commands.actions.script import Script
from kew.formats.smf import parse_release
from kew.mqi.connections.connection import Connection
from kew.mqi.engine import BROKEN, STOPPED, STOPPING
from kew.mqi.local.connection import LocalConnection
from kew.mqi.messages.protecting import program_protection
from kew.objects import defaults
from kew.qmgr.assemble import Host
from kew.qmgr.config import (
    Configuration,
    Remark,
    SMFConfiguration,
    SystemConfiguration,
    format_configuration,
    load_configuration,
)
from kew.qmgr.control.server import ControlServer
from kew.qmgr.errorlog import ErrorLog, this_process
from kew.qmgr.existing import (
    ENDED_IMMEDIATELY,
    ENDED_NORMALLY,
    ENDING,
    RUNNING,
    STARTING,
    QueueManagerError,
    existing_directory,
    take_lock,
)
from kew.qmgr.existing import QUIESCING as QUIESCING_STATE
from kew.qmgr.files import Places, check_files
from kew.qmgr.firstfailure import FirstFailures
from kew.qmgr.ini import ConfigurationError
from kew.qmgr.initiator import ChannelInitiator
from kew.qmgr.network import Network
from kew.qmgr.pagesets import PageSetSettings
from kew.qmgr.parameters import SystemSettings
from kew.qmgr.services import Services
from kew.qmgr.storageparts import EngineSettings, create_engine
from kew.security.admission import Admission
from kew.security.identity import BadUser, Secret, User, UserFile
from kew.storage.clock import SystemClock
from kew.storage.directories import check_queue_manager_name, data_directory, directory_of
from kew.storage.disk import Disk, DiskError, Lock, RealDisk
from kew.storage.fileheader import CONFIGURATION, FileRefused, check_text, first_page
from kew.storage.log import Log, LogError
from kew.storage.pages.pageset import EXPAND_NAMES
from kew.storage.stall import Damaged
from kew.version import VERSION

_MOST_NAMED: Final = 10
_BY_HAND: Final = "Remove the directory by hand if nothing in it is wanted: it does not look like a queue manager's"


def _text(field: bytes) -> str:
    return field.decode(errors="replace").rstrip()


class CommandFailed(Exception):
    """The error of a failed MQSC command; the text has the replies to all commands of the call."""


def engine_settings(configuration: Configuration) -> EngineSettings:
    """Make the settings of an engine from the configuration."""
    return EngineSettings(
        log=configuration.log.settings(),
        pools={pool.id: pool.buffers for pool in configuration.buffer_pools},
        page_sets={
            each.id: PageSetSettings(each.pages, EXPAND_NAMES.index(each.expand), each.expand_pages, each.buffer_pool)
            for each in configuration.page_sets
        },
        storage_classes={},
        expiry_interval=configuration.tuning.expiry_interval,
        system=_system_settings(configuration.system),
        smf=_smf_settings(configuration.smf),
    )


def _system_settings(system: SystemConfiguration) -> SystemSettings:
    return SystemSettings(
        system.statistics_time,
        system.accounting_time,
        tuple([int(one) for one in system.statistics]),
        tuple([int(one) for one in system.accounting]),
        system.log_load,
    )


def _smf_settings(smf: SMFConfiguration) -> SmfSettings:
    return SmfSettings(
        parse_release(smf.level),
        system_id(smf.system),
        smf.file_size,
        smf.files,
        smf.compress,
        smf.separate,
        smf.backlog,
    )


def create(name: str, configuration: Configuration | None = None, data: str = "", disk: Disk | None = None) -> None:
    """Create a queue manager."""
    check_queue_manager_name(name)
    disk = disk or RealDisk()
    configuration = configuration or Configuration()
    root = directory_of(data or data_directory(), name)
    if disk.exists(root):
        raise QueueManagerError("AMQ8110E", (), (name, root))
    draft = root + ".new"
    if disk.exists(draft):
        _remove_tree(disk, draft)
    places = Places(draft, configuration)
    try:
        owner = create_engine(disk, name, places, engine_settings(configuration))
        disk.make_directory(places.errors)
        _write(disk, places.ini, format_configuration(configuration, owner))
        disk.sync_directory(draft)
        disk.rename(draft, root)
        disk.sync_directory(posixpath.dirname(root))
    except BaseException:
        with contextlib.suppress(DiskError):
            _remove_tree(disk, draft)
        raise


def _write(disk: Disk, path: str, text: str) -> None:
    file = disk.open(path, create=True)
    try:
        file.pwrite(text.encode(), 0)
        file.sync()
    finally:
        file.close()


def _remove_tree(disk: Disk, path: str) -> None:
    for name in disk.list_directory(path):
        entry = posixpath.join(path, name)
        try:
            _remove_tree(disk, entry)
        except DiskError as failure:
            if failure.errno != errno.ENOTDIR:
                raise
            disk.remove(entry)
    disk.remove_directory(path)


def delete(name: str, data: str = "", disk: Disk | None = None) -> None:
    """Delete a queue manager that does not run, with all its messages."""
    disk = disk or RealDisk()
    root = existing_directory(name, data, disk)
    ini = Places(root).ini
    if not disk.exists(ini):
        raise FileRefused(ini, "no file", f"{CONFIGURATION}", _BY_HAND)
    check_text(ini, first_page(disk, ini), CONFIGURATION, name)
    lock = take_lock(disk, name, Places(root).lock)
    gone = root + ".deleted"
    disk.rename(root, gone)
    disk.sync_directory(posixpath.dirname(root))
    lock.release()
    _remove_tree(disk, gone)


class HostingProcess(Protocol):
    """The process that `kew start` made for a queue manager."""

    def broke(self) -> None:
        """End the process, since the log or a page set can no longer be written."""

    def ask(self, immediate: bool, grace: float | None) -> float:
        """Request the end, at once or after a grace period for programs; gives the seconds of that period."""


class QueueManager:
    """A queue manager that runs in this process."""

    def __init__(
        self,
        name: str,
        host: Host,
        errors: ErrorLog,
        failures: FirstFailures,
        lock: Lock,
        places: Places,
        remarks: tuple[Remark, ...],
        grace: int,
    ) -> None:
        self.name = name
        self.grace = grace  # seconds that programs have to finish when it ends
        self.remarks = remarks  # keys of qm.ini without effect
        self.host = host
        self.errors = errors
        self.failures = failures
        self.places = places
        self._lock = lock
        self._control: ControlServer | None = None
        self._quiesced = False
        self._broken_off = False  # whether programs were disconnected after the grace period
        self.network: Network | None = None  # None on a disk that is only simulated
        self.initiator: ChannelInitiator | None = None  # likewise
        self.services: Services | None = None  # likewise
        self.on_broken: Callable[[], None] | None = None  # the process must end
        host.on_broken.append(self._broken)

    @property
    def running(self) -> bool:
        """Say whether the queue manager accepts verbs."""
        return self.host.engine.state < STOPPING

    def connect(self, application: str = "", user: str = "") -> LocalConnection:
        """Connect a program in this process."""
        return self._protecting(self.host.connect(application or "kew", user))

    def admit(self, application: str, credentials: tuple[str, str] | None) -> LocalConnection:
        """Connect a program in this process, with the authentication that CONNAUTH requires of local programs."""
        user = self.host.gate.admit_local(self.host.authority.owner, credentials)
        return self._protecting(self.host.connect(application, user))

    def _protecting(self, local: LocalConnection) -> LocalConnection:
        """Add message protection to a connection in this process."""
        local.connection.protect(program_protection(os.environ))
        return local

    def mqsc(self, *commands: str) -> str:
        """Carry out MQSC commands as `kew mqsc` does; gives the replies, or raises `CommandFailed` with them."""
        script = Script(self.host.commands)
        lines = [line for command in commands for line in command.splitlines()]
        said = "\n".join([line for some in script.run(lines) for line in some])
        if script.counts.failed or script.counts.syntax_errors:
            raise CommandFailed(said)
        return said

    def smf_records(self, after: int = 0, seconds: float = 0.0) -> tuple[int, list[bytes]]:
        """Give the newest SMF record's number, and the records after number `after`; waits up to `seconds` for one."""
        return self.host.recorder.files.ring.since(after, seconds)

    def __enter__(self) -> "QueueManager":
        return self

    def __exit__(self, *_failure: object) -> None:
        self.stop()

    def open_control_socket(self) -> None:
        """Accept commands of other processes of this user."""
        self._control = ControlServer(self.host.commands, self.places.root)
        self._control.open()

    def open_network(self, configuration: Configuration, doorkeeper: Admission) -> None:
        """Accept connections of other processes on this machine; listeners may follow."""
        own = self.host.objects.find("QMGR", self.name)
        identifier = str(own.values["QMID"]) if own is not None else self.name
        host = self.host
        self.network = Network(
            host.engine,
            host.administration,
            doorkeeper,
            configuration,
            identifier,
            self.errors,
            self._trouble,
            host.connect_own,
        )
        self.network.open(self.places.root)
        self.initiator = ChannelInitiator(self.network, host.objects, self.errors)
        host.serve_channels(self.network, self.initiator, self.network.configured())
        if own is None or own.values["SCHINIT"] != MQSVC_CONTROL_MANUAL:
            self.initiator.open()
        host.recorder.record_channels(ChannelRecords(self.network, self.name))

    def open_services(self) -> None:
        """Start the services that start with the queue manager, and let commands start and stop all services."""
        self.services = Services(self.name, self.places.root, self.errors)
        self.host.serve_programs(self.services)
        self.services.start_with_manager(self.host.catalogue.of_family("SERVICE"))

    def listen(self, port: int | None = None) -> None:
        """Start the listeners that start with the queue manager, that of --dev on the given port.

        With SCHINIT(MANUAL) the listeners start at START CHINIT, unless a port is given.
        """
        if self.initiator is None:
            return
        if port is not None and not self.initiator.running:
            self.initiator.open()
        if self.initiator.running:
            self.initiator.listen(port)

    def serve_in(self, process: HostingProcess) -> None:
        """Have the hosting process end when the queue manager breaks, and at commands such as STOP QMGR."""
        self.on_broken = process.broke
        self.host.serve_in_process(process.ask)

    def quiesce(self) -> None:
        """Refuse new connections and verbs with FAIL_IF_QUIESCING, and let other work finish."""
        self.host.command_server.stop()
        self.host.queued.stop()
        self._quiesced = True
        self._note(QUIESCING_STATE)
        self.host.quiesce()
        if self.network is not None:
            self.network.quiesce()
        self.errors.tell("CSQY901I", (), (self.name, "quiesce"))

    def tell_who_is_left(self) -> None:
        """Report the programs that are still connected after the grace period and will be disconnected."""
        self._broken_off = True
        with self.host.lock:
            left = [each for each in self.host.engine.connections.values() if isinstance(each, Connection)]
        named = [f"{_text(each.application)} ({_text(each.user)})" for each in left[:_MOST_NAMED]]
        more = f" and {len(left) - _MOST_NAMED} more" * (len(left) > _MOST_NAMED)
        self.errors.tell("CSQY907W", (len(left),), (self.name, ", ".join(named) + more))

    def reread(self) -> None:
        """Read the configuration that may change during a run again: error log settings and TLS keys."""
        try:
            configuration = load_configuration(self.host.disk, self.places.ini, self.name)
        except FileRefused as problem:
            self.errors.tell("CSQY909E", *problem.inserts())
            return
        except ConfigurationError as problem:
            self.errors.tell("AMQ9224E", *problem.inserts())
            return
        except DiskError as problem:
            self.errors.tell("AMQ6119S", (problem.errno or 0,), (problem.path, problem.operation, problem.detail))
            return
        self.errors.configure(configuration.error_log)
        if self.network is not None:
            self.network.refresh_keys()
        self.errors.tell("CSQY908I", (), (self.places.ini,))

    def stop(self) -> None:
        """End: back out units of work, and write everything to disk."""
        if self.host.engine.state == STOPPED:
            return
        if _RUNNING.get(self.name) is self:  # and not another of the same name in another directory
            del _RUNNING[self.name]
        self._note(ENDING)
        if self._control is not None:
            self._control.close()
        if self.services is not None:
            self.services.stop_with_manager(self.host.catalogue.of_family("SERVICE"))
        if self.network is not None:
            self.host.recorder.forget_channels()
            self.network.close()
        self.host.command_server.stop()
        self.host.queued.stop()
        self.host.events.stopping(self._quiesced)
        self.host.stop()
        broken = self.host.engine.state == BROKEN
        self.host.engine.change_state(STOPPED)
        if not broken:
            self.errors.tell("AMQ8004I", (), (self.name,))
        self.errors.stop()
        if not broken:
            self._note(ENDED_NORMALLY if self._quiesced and not self._broken_off else ENDED_IMMEDIATELY)
        self._lock.release()

    def _note(self, state: str) -> None:
        """Record the state for `kew list`; a disk error does not delay the end."""
        with contextlib.suppress(DiskError):
            self._lock.write_note(state)

    def _trouble(self, problem: Exception) -> None:
        """Record a defect of Kew in a first-failure file."""
        self.failures.record("CH000001", "channels", [str(problem)], error=problem)

    def _broken(self, failure: BaseException) -> None:
        if _RUNNING.get(self.name) is self:  # and not another of the same name in another directory
            del _RUNNING[self.name]
        self.errors.write_pending()
        if self.on_broken is not None:
            self.on_broken()


_RUNNING: Final[dict[str, QueueManager]] = {}


def _begin_in_child() -> None:
    """Forget the hosted queue managers in a forked child: they run in its parent, and the child must write nothing."""
    for manager in _RUNNING.values():
        manager.host.engine.change_state(STOPPED)
    _RUNNING.clear()


os.register_at_fork(after_in_child=_begin_in_child)


def hosted(name: str) -> QueueManager | None:
    """Give the queue manager of a name that this process hosts."""
    return _RUNNING.get(name)


def hosted_names() -> list[str]:
    """Give the names of the queue managers that this process hosts."""
    return list(_RUNNING)


def _furnish(host: Host, developer: bool) -> None:
    """Define the default objects of a new queue manager, and those of developers if wanted.

    All are defined in one unit of work. A crash before its end leaves none of them, and the next start defines them.
    """
    own = defaults.queue_manager(host.name, developer)
    when = time.strftime("%Y-%m-%d_%H.%M.%S")
    wanted = [own.altered({"QMID": f"{host.name}_{when}"}), *defaults.system_objects()]
    if developer:
        wanted.extend(defaults.developer_objects())
    host.install(wanted)
    if developer:
        _add_developers(host)


def _add_developers(host: Host) -> None:
    """Add the well-known developer users that are missing."""
    users = UserFile(host.disk, host.places.users, host.log.owner)
    try:
        there = users.read()
    except BadUser:
        return  # reported when it was first read
    missing = [name for name in defaults.DEVELOPER_USERS if name not in there]
    if missing:
        new = [
            User(name, Secret.of(defaults.DEVELOPER_USERS[name]), defaults.DEVELOPER_GROUPS[name]) for name in missing
        ]
        users.write([*there.values(), *new])
        host.refresh_users()


def start(name: str, data: str = "", disk: Disk | None = None, developer: bool = False) -> QueueManager:
    """Start a queue manager inside the calling process; with `developer`, define the developer objects too."""
    disk = disk or RealDisk()
    root = existing_directory(name, data, disk)
    configuration = load_configuration(disk, posixpath.join(root, "qm.ini"), name)
    places = Places(root, configuration)
    lock = take_lock(disk, name, places.lock)
    try:
        numbers = [each.id for each in configuration.page_sets]
        check_files(disk, name, places, configuration.log.copies == 2, numbers)
    except (FileRefused, LogError, DiskError):
        lock.release()
        raise
    before = lock.note()
    lock.write_note(STARTING)
    clock = SystemClock()
    identity = this_process(name)
    errors = ErrorLog(disk, places.errors, identity, clock, configuration.error_log)
    failures = FirstFailures(disk, places.errors, identity, clock, errors)
    log: Log | None = None
    try:
        settings = engine_settings(configuration)

        def slow(component: str, what: str) -> None:
            failures.record("LG000106", component, [what])

        log = Log.open(disk, settings.log, places.log, errors, clock, os.environ, slow)
        host = Host(disk, name, places, settings, errors, log, errors.exclude)
        host.restart()
        if developer or host.objects.find("QMGR", name) is None:
            _furnish(host, developer)
        host.apply_definition()
    except (LogError, Damaged, DiskError, FileRefused):
        if log is not None:
            log.abandon()
        errors.write_pending()
        with contextlib.suppress(DiskError):
            lock.write_note(before)
        lock.release()
        raise
    host.run_threads()
    host.run_services()
    errors.start()
    errors.tell("AMQ8003I", (), (name, VERSION))
    host.events.started()
    manager = QueueManager(
        name, host, errors, failures, lock, places, configuration.remarks, configuration.tuning.quiesce_grace
    )
    if isinstance(disk, RealDisk):
        manager.open_control_socket()
        manager.open_network(configuration, host.gate)
        manager.open_services()
    lock.write_note(RUNNING)
    _RUNNING[name] = manager
    return manager
