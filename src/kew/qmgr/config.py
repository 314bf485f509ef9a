"""The configuration of a queue manager: qm.ini as typed values.

Each key is declared once, as a field of its stanza's class below: its spelling in the file, its allowed values, its
default and its effect. Reading, checking, writing and the manual derive from that declaration. A key that is not
declared is an error, and so is a value out of range; the error names the file, the line and the allowed values.
"""

import difflib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from kew.accounting.traces import ACCOUNTING, CLASSES, DEFAULT_CLASSES, STATISTICS
from kew.objects.schema import object_type
from kew.qmgr.ini import MAX_BYTES, ConfigurationError, Stanza, parse_stanzas
from kew.qmgr.keys import YES_NO, Attribute, Choice, Classes, Key, MessageNumbers, Number, Text, key, keys_of, spell
from kew.storage.disk import Disk
from kew.storage.fileheader import CONFIGURATION, NOBODY, FileRefused, Identity, check_text, text_header
from kew.storage.log.settings import EXTENTS_LIMIT, PRIMARY_LIMIT, LogDirectories, LogSettings, LogType, WriteIntegrity


@dataclass(frozen=True)
class LogConfiguration:
    """Stanza Log: the recovery log."""

    STANZA: ClassVar[str] = "Log"

    primary_files: int = key("LogPrimaryFiles", Number(2, PRIMARY_LIMIT), 3, "log files that always exist")
    secondary_files: int = key(
        "LogSecondaryFiles", Number(1, EXTENTS_LIMIT - 2), 2, "log files that may be added when the others are needed"
    )
    file_pages: int = key(
        "LogFilePages", Number(64, 65535), 4096, "pages of 4 KB in a log file; fixed when the queue manager is created"
    )
    log_type: LogType = key(
        "LogType",
        Choice[LogType]({"CIRCULAR": "circular", "LINEAR": "linear"}),
        "circular",
        "whether log files are reused, or kept for media recovery; fixed when the queue manager is created",
    )
    buffer_pages: int = key("LogBufferPages", Number(18, 4096, 512), 512, "pages of 4 KB in the log buffer")
    path: str = key("LogPath", Text(), "", "directory of the log; by default under the queue manager's data")
    write_integrity: WriteIntegrity = key(
        "LogWriteIntegrity",
        Choice[WriteIntegrity]({"TripleWrite": "TripleWrite", "SingleWrite": "SingleWrite"}),
        "TripleWrite",
        "SingleWrite rewrites the last page in place, for devices that write a page whole or not at all",
    )
    copies: int = key("LogCopies", Choice({"1": 1, "2": 2}), 1, "2 keeps a second copy of the log")
    second_path: str = key("LogPath2", Text(), "", "directory of the second copy; put it on another device")
    archive: bool = key("LogArchive", YES_NO, True, "whether full files of a linear log are copied to the archive")
    archive_path: str = key("LogArchivePath", Text(), "", "directory of the archive")

    def settings(self) -> LogSettings:
        """Give the settings of the log manager."""
        return LogSettings(
            file_pages=self.file_pages,
            primary=self.primary_files,
            secondary=self.secondary_files,
            buffer_pages=self.buffer_pages,
            log_type=self.log_type,
            dual=self.copies == 2,
            write_integrity=self.write_integrity,
            archive=self.archive,
        )

    def directories(self, root: str) -> LogDirectories:
        """Give the directories of the log; `root` is the default."""
        places = LogDirectories.under(self.path or root)
        return LogDirectories(places.copy1, self.second_path or places.copy2, self.archive_path or places.archive)


@dataclass(frozen=True)
class ChannelsConfiguration:
    """Stanza Channels: limits and behaviour of channels."""

    STANZA: ClassVar[str] = "Channels"

    bind_type: str = key(
        "MQIBindType",
        Choice({"STANDARD": "STANDARD", "FASTPATH": "FASTPATH"}),
        "STANDARD",
        "channels always call the engine directly, in the queue manager's process",
        idle=True,
    )
    max_channels: int = key(
        "MaxChannels", Number(1, 65535), 100, "channels that may be current at once; who is not admitted yet has none"
    )
    max_active_channels: int = key(
        "MaxActiveChannels", Number(1, 65535), 65535, "channels that may be active at once; never above MaxChannels"
    )
    adopt_new_mca: str = key(
        "AdoptNewMCA",
        Choice({word: word for word in ("NO", "SVR", "SDR", "RCVR", "CLUSRCVR", "ALL", "FASTPATH")}),
        "NO",
        "the attributes ADOPTMCA and ADOPTCHK of the queue manager decide",
        idle=True,
    )
    adopt_new_mca_check: str = key(
        "AdoptNewMCACheck",
        Choice({word: word for word in ("QM", "ADDRESS", "NAME", "ALL")}),
        "ALL",
        "the attributes ADOPTMCA and ADOPTCHK of the queue manager decide",
        idle=True,
    )
    adopt_new_mca_timeout: int = key(
        "AdoptNewMCATimeout",
        Number(1, 3600),
        60,
        "the attributes ADOPTMCA and ADOPTCHK of the queue manager decide",
        idle=True,
    )
    pipeline_length: int = key(
        "PipeLineLength", Number(1, 65535), 1, "batches of a message channel that may wait for confirmation; 8 at most"
    )
    max_initiators: int = key("MaxInitiators", Number(1, 65535), 3, "there is one channel initiator", idle=True)

    most_delay: int = key(
        "MaxFailDelay",
        Number(0, 8),
        8,
        "seconds that a refusal with a password is told late at most, after the fifth of a user or address in a row; "
        "FAILDLAY where that is more",
    )

    max_message_memory: int = key(
        "MaxMessageMemory",
        Number(0, 1 << 39),
        0,
        "bytes that puts half sent and replies half read may hold, over all sockets; 0 for a quarter of memory, at "
        "most 1 GB",
    )
    stall_timeout: int = key(
        "StallTimeout",
        Number(5, 86400),
        300,
        "seconds that a socket may hold such memory and move nothing; 5 where others wait for memory",
    )

    @property
    def message_memory(self) -> int:
        """Give the limit on the memory of messages that are being received or sent on all sockets, in bytes."""
        physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        return self.max_message_memory or min(physical // 4, 1 << 30)

    @property
    def active_limit(self) -> int:
        """Give the limit on active channels."""
        return min(self.max_active_channels, self.max_channels)


@dataclass(frozen=True)
class TCPConfiguration:
    """Stanza TCP: the network."""

    STANZA: ClassVar[str] = "TCP"

    port: int = key("Port", Number(1, 65535), 1414, "port of a listener that names none")
    keep_alive: bool = key("KeepAlive", YES_NO, False, "whether connections are probed when idle")
    connect_timeout: int = key(
        "Connect_Timeout",
        Number(0, 3600),
        0,
        "seconds that a message channel waits for its partner to accept; 0 for 30",
    )
    send_buffer: int = key(
        "SndBuffSize", Number(0, 1 << 30), 0, "sockets of message channels have the sizes of the system", idle=True
    )
    receive_buffer: int = key(
        "RcvBuffSize",
        Number(0, 1 << 30),
        0,
        "sockets of message channels have the sizes of the system",
        idle=True,
    )
    server_send_buffer: int = key(
        "SvrSndBuffSize",
        Number(0, 1 << 30),
        0,
        "bytes of socket send buffer of client connections; 0 as the system has it",
    )
    server_receive_buffer: int = key(
        "SvrRcvBuffSize", Number(0, 1 << 30), 0, "bytes of socket receive buffer of client connections; 0 likewise"
    )


@dataclass(frozen=True)
class TuningConfiguration:
    """Stanza TuningParameters."""

    STANZA: ClassVar[str] = "TuningParameters"

    queue_buffer: int = key(
        "DefaultQBufferSize",
        Number(4096, 1 << 30),
        128 << 10,
        "all queues share the memory of the buffer pools (BufferPool Buffers)",
        idle=True,
    )
    persistent_queue_buffer: int = key(
        "DefaultPQBufferSize",
        Number(4096, 1 << 30),
        256 << 10,
        "all queues share the memory of the buffer pools (BufferPool Buffers)",
        idle=True,
    )
    expiry_interval: int = key(
        "ExpiryInterval",
        Number(0, 99999999),
        0,
        "seconds between scans for expired messages; 0 leaves it to the queue manager's EXPRYINT",
    )
    quiesce_grace: int = key(
        "QuiesceGrace",
        Number(0, 999999999),
        10,
        "seconds in which programs may finish when the queue manager is to end; then they are broken off",
    )


@dataclass(frozen=True)
class ErrorLogConfiguration:
    """Stanza QMErrorLog: the error log."""

    STANZA: ClassVar[str] = "QMErrorLog"

    size: int = key(
        "ErrorLogSize", Number(32 << 10, 1 << 31), 2 << 20, "bytes after which AMQERR01.LOG becomes AMQERR02.LOG"
    )
    excluded: tuple[str, ...] = key("ExcludeMessage", MessageNumbers(), (), "messages that are never written")
    suppressed: tuple[str, ...] = key(
        "SuppressMessage", MessageNumbers(), (), "messages written only once in SuppressInterval"
    )
    suppress_interval: int = key("SuppressInterval", Number(1, 86400), 30, "seconds for SuppressMessage")


_SYSTEM: Final = object_type("SYSTEM")


@dataclass(frozen=True)
class SystemConfiguration:
    """Stanza SystemParameters: the parameters of CSQ6SYSP on z/OS; SET SYSTEM changes them until the next start."""

    STANZA: ClassVar[str] = "SystemParameters"

    statistics_time: int = key(
        "STATIME", Attribute(_SYSTEM["STATIME"]), 1800, "minutes and seconds between statistics records, MMMM.SS"
    )
    accounting_time: int = key(
        "ACCTIME", Attribute(_SYSTEM["ACCTIME"]), -1, "minutes and seconds between accounting records; -1 as STATIME"
    )
    statistics: tuple[str, ...] = key(
        "SMFSTAT",
        Classes(CLASSES[STATISTICS], DEFAULT_CLASSES[STATISTICS]),
        (),
        "classes of the statistics trace that starts with the queue manager",
    )
    accounting: tuple[str, ...] = key(
        "SMFACCT",
        Classes(CLASSES[ACCOUNTING], DEFAULT_CLASSES[ACCOUNTING]),
        (),
        "classes of the accounting trace that starts with the queue manager",
    )
    log_load: int = key("LOGLOAD", Attribute(_SYSTEM["LOGLOAD"]), 500000, "log records between checkpoints at most")


LEVELS: Final = ("9.3.0", "9.3.1", "9.3.2", "9.3.3", "9.3.5", "9.4.0", "9.4.3", "9.4.5", "10.0.0")


@dataclass(frozen=True)
class SMFConfiguration:
    """Stanza SMF: the files of statistics and accounting records."""

    STANZA: ClassVar[str] = "SMF"

    level: str = key(
        "Level",
        Choice({word: word for word in LEVELS}),
        "9.3.0",
        "release of MQ whose layout the records have; from 9.3.3 on a queue's record tells what was done with it",
    )
    system: str = key("SystemId", Text(), "", "system id of four characters; by default the start of the host's name")
    directory: str = key("Directory", Text(), "", "directory of the files; by default under the queue manager's data")
    file_size: int = key("FileSize", Number(64 << 10, 1 << 40), 64 << 20, "bytes after which the next file is begun")
    files: int = key("Files", Number(0, 99999), 20, "files that are kept, the newest; 0 keeps all")
    compress: bool = key("Compress", YES_NO, False, "whether files are compressed, by gzip")
    separate: bool = key("Separate", YES_NO, False, "whether types 115 and 116 go to files of their own")
    backlog: int = key(
        "Backlog", Number(64 << 10, 1 << 30), 16 << 20, "bytes of records that may wait to be written; more are lost"
    )


@dataclass(frozen=True)
class TriggerMonitorConfiguration:
    """Stanza TriggerMonitor: the programs that `kew trigger` may start."""

    STANZA: ClassVar[str] = "TriggerMonitor"

    programs: str = key(
        "AllowedPrograms", Text(), "", "paths of programs, with commas between them; * and ? stand for others"
    )


@dataclass(frozen=True)
class ExitPathConfiguration:
    """Stanza ExitPath, which every qm.ini of MQ has."""

    STANZA: ClassVar[str] = "ExitPath"

    default_path: str = key("ExitsDefaultPath", Text(), "", "native exits cannot be loaded", idle=True)
    default_path_64: str = key("ExitsDefaultPath64", Text(), "", "native exits cannot be loaded", idle=True)


@dataclass(frozen=True)
class ServiceConfiguration:
    """Stanza Service, which names MQ's installable services."""

    STANZA: ClassVar[str] = "Service"

    name: str = key("Name", Text(), "", "authority is built in", idle=True)
    entry_points: int = key("EntryPoints", Number(0, 1000), 0, "authority is built in", idle=True)
    security_policy: str = key("SecurityPolicy", Text(), "", "authority is built in", idle=True)


@dataclass(frozen=True)
class ServiceComponentConfiguration:
    """Stanza ServiceComponent, which names the modules of MQ's installable services."""

    STANZA: ClassVar[str] = "ServiceComponent"

    service: str = key("Service", Text(), "", "authority is built in", idle=True)
    name: str = key("Name", Text(), "", "authority is built in", idle=True)
    module: str = key("Module", Text(), "", "authority is built in", idle=True)
    data_size: int = key("ComponentDataSize", Number(0, 1 << 30), 0, "authority is built in", idle=True)


@dataclass(frozen=True)
class BufferPoolConfiguration:
    """Stanza BufferPool, one for each pool: memory for pages."""

    STANZA: ClassVar[str] = "BufferPool"

    id: int = key("Id", Number(0, 99), 0, "number of the pool")
    buffers: int = key("Buffers", Number(100, 999999999), 1000, "pages of 4 KB that the pool holds")


@dataclass(frozen=True)
class PageSetConfiguration:
    """Stanza PageSet, one for each page set: the file that holds queues."""

    STANZA: ClassVar[str] = "PageSet"

    id: int = key("Id", Number(0, 99), 0, "number of the page set; 0 holds the object definitions")
    pages: int = key(
        "Pages",
        Number(16, 16 << 20),
        1024,
        "pages of 4 KB that the page set has at least: it is made with them, or grows to them at a start",
    )
    expand: str = key(
        "Expand",
        Choice({word: word for word in ("NONE", "USER", "SYSTEM")}),
        "SYSTEM",
        "how the page set grows: not at all, by ExpandPages, or by a tenth of its size",
    )
    expand_pages: int = key("ExpandPages", Number(1, 16 << 20), 1024, "pages to grow by with Expand=USER")
    buffer_pool: int = key("BufferPool", Number(0, 99), 0, "number of the pool that its pages use")
    path: str = key("Path", Text(), "", "file of the page set; by default under the queue manager's data")


DEFAULT_BUFFER_POOLS: Final = (BufferPoolConfiguration(0, 1024), BufferPoolConfiguration(1, 16384))
DEFAULT_PAGE_SETS: Final = (
    PageSetConfiguration(0, 1024, buffer_pool=0),
    PageSetConfiguration(1, 4096, buffer_pool=1),
)


@dataclass(frozen=True)
class Remark:
    """A key that was accepted without effect."""

    line: int
    stanza: str
    key: str
    why: str


@dataclass(frozen=True)
class Configuration:
    """The values of qm.ini, with defaults for missing keys."""

    log: LogConfiguration = LogConfiguration()
    channels: ChannelsConfiguration = ChannelsConfiguration()
    tcp: TCPConfiguration = TCPConfiguration()
    tuning: TuningConfiguration = TuningConfiguration()
    error_log: ErrorLogConfiguration = ErrorLogConfiguration()
    system: SystemConfiguration = SystemConfiguration()
    smf: SMFConfiguration = SMFConfiguration()
    trigger_monitor: TriggerMonitorConfiguration = TriggerMonitorConfiguration()
    buffer_pools: tuple[BufferPoolConfiguration, ...] = DEFAULT_BUFFER_POOLS
    page_sets: tuple[PageSetConfiguration, ...] = DEFAULT_PAGE_SETS
    remarks: tuple[Remark, ...] = field(default=(), compare=False)


ONCE: Final[tuple[type[Any], ...]] = (
    LogConfiguration,
    ChannelsConfiguration,
    TCPConfiguration,
    TuningConfiguration,
    ErrorLogConfiguration,
    SystemConfiguration,
    SMFConfiguration,
    TriggerMonitorConfiguration,
    ExitPathConfiguration,
)
NUMBERED: Final[tuple[type[Any], ...]] = (BufferPoolConfiguration, PageSetConfiguration)
REPEATED: Final[tuple[type[Any], ...]] = (
    *NUMBERED,
    ServiceConfiguration,
    ServiceComponentConfiguration,
)
_CLASSES: Final[dict[str, type[Any]]] = {stanza.STANZA.upper(): stanza for stanza in (*ONCE, *REPEATED)}
_NAMES: Final = [stanza.STANZA for stanza in (*ONCE, *REPEATED)]


def load_configuration(disk: Disk, path: str, name: str = "") -> Configuration:
    """Read the configuration from a file; if a name is given, the file must belong to that queue manager."""
    if not disk.exists(path):
        raise FileRefused(path, "no file", f"{CONFIGURATION}")
    file = disk.open(path)
    try:
        data = file.pread(MAX_BYTES + 1, 0)
    finally:
        file.close()
    check_text(path, data, CONFIGURATION, name)
    return parse_configuration(path, data)


def parse_configuration(file: str, data: bytes) -> Configuration:
    """Read the configuration from the bytes of a file; raises ConfigurationError if it is not valid."""
    reader = _Reader(file)
    for stanza in parse_stanzas(file, data):
        reader.add(stanza)
    return reader.finish()


def format_configuration(configuration: Configuration, owner: Identity = NOBODY) -> str:
    """Write the qm.ini of a configuration, every key with a comment on its effect."""
    stanzas: list[Any] = [
        configuration.log,
        configuration.channels,
        configuration.tcp,
        configuration.tuning,
        configuration.error_log,
        configuration.system,
        configuration.smf,
        configuration.trigger_monitor,
        *configuration.buffer_pools,
        *configuration.page_sets,
    ]
    lines = ["# Configuration of a queue manager. Changes take effect at the next start; SIGHUP rereads QMErrorLog."]
    explained: set[str] = set()
    for stanza in stanzas:
        lines += ["", f"{stanza.STANZA}:"]
        for row, declared in keys_of(type(stanza)):
            if row.idle:
                continue
            if stanza.STANZA not in explained:
                lines.append(f"# {row.effect} ({row.kind.allowed})")
            lines.append(f"   {row.name}={spell(row.kind, getattr(stanza, declared.name))}")
        explained.add(stanza.STANZA)
    return text_header(CONFIGURATION, owner) + "\n".join(lines) + "\n"


def configuration_keys() -> Iterator[tuple[str, Key, object]]:
    """Give every key that a file may hold: its stanza, its row, its default."""
    for stanza in (*ONCE, *REPEATED):
        for row, declared in keys_of(stanza):
            yield stanza.STANZA, row, declared.default


class _Reader:
    """The reader of the stanzas of one file, which keeps their line numbers for errors."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.single: dict[type[Any], Any] = {}
        self.pools = {pool.id: pool for pool in DEFAULT_BUFFER_POOLS}
        self.page_sets = {page_set.id: page_set for page_set in DEFAULT_PAGE_SETS}
        # Line of each key of a stanza that occurs once, and of each Id of one that repeats.
        self.lines: dict[tuple[str, str], int] = {}
        self.remarks: list[Remark] = []

    def fail(self, line: int, key: str, value: str, allowed: str) -> ConfigurationError:
        """Make the error for a line of this file."""
        return ConfigurationError(self.file, line, key, value, allowed)

    def add(self, stanza: Stanza) -> None:
        """Read a stanza into its class."""
        kind = _CLASSES.get(stanza.name.upper())
        if kind is None:
            raise self.fail(stanza.line, "the stanza", stanza.name, _known(stanza.name, _NAMES))
        if kind in self.single:
            raise self.fail(stanza.line, "the stanza", stanza.name, "given only once in the file")
        value = kind(**self._values(stanza, kind))
        if isinstance(value, BufferPoolConfiguration):
            self._once(stanza, value.id)
            self.pools[value.id] = value
        elif isinstance(value, PageSetConfiguration):
            self._once(stanza, value.id)
            self.page_sets[value.id] = value
        elif kind in ONCE:
            self.single[kind] = value

    def finish(self) -> Configuration:
        """Check the stanzas against each other, and give the configuration."""
        log = self.single.get(LogConfiguration, LogConfiguration())
        if log.primary_files + log.secondary_files > EXTENTS_LIMIT:
            line = self.lines.get(("Log", "LogSecondaryFiles"), self.lines.get(("Log", "LogPrimaryFiles"), 0))
            allowed = f"at most {EXTENTS_LIMIT} together with LogPrimaryFiles, which is {log.primary_files}"
            raise self.fail(line, "LogSecondaryFiles", str(log.secondary_files), allowed)
        for page_set in self.page_sets.values():
            if page_set.buffer_pool not in self.pools:
                line = self.lines["PageSet", str(page_set.id)]
                allowed = f"the Id of a buffer pool: {', '.join(map(str, sorted(self.pools)))}"
                raise self.fail(line, "BufferPool", str(page_set.buffer_pool), allowed)
        return Configuration(
            log,
            self.single.get(ChannelsConfiguration, ChannelsConfiguration()),
            self.single.get(TCPConfiguration, TCPConfiguration()),
            self.single.get(TuningConfiguration, TuningConfiguration()),
            self.single.get(ErrorLogConfiguration, ErrorLogConfiguration()),
            self.single.get(SystemConfiguration, SystemConfiguration()),
            self.single.get(SMFConfiguration, SMFConfiguration()),
            self.single.get(TriggerMonitorConfiguration, TriggerMonitorConfiguration()),
            tuple([self.pools[number] for number in sorted(self.pools)]),
            tuple([self.page_sets[number] for number in sorted(self.page_sets)]),
            tuple(self.remarks),
        )

    def _values(self, stanza: Stanza, kind: type[Any]) -> dict[str, object]:
        rows = {row.name.upper(): (row, declared.name) for row, declared in keys_of(kind)}
        values: dict[str, object] = {}
        for entry in stanza.entries:
            found = rows.get(entry.key.upper())
            if found is None:
                allowed = _known(entry.key, [row.name for row, _ in rows.values()])
                raise self.fail(entry.line, f"{stanza.name} key", entry.key, allowed)
            row, attribute = found
            if attribute in values:
                raise self.fail(entry.line, row.name, entry.value, "given only once in its stanza")
            try:
                values[attribute] = row.kind.parse(entry.value)
            except ValueError:
                raise self.fail(entry.line, row.name, entry.value, row.kind.allowed) from None
            if kind in ONCE:
                self.lines[kind.STANZA, row.name] = entry.line
            if row.idle:
                self.remarks.append(Remark(entry.line, kind.STANZA, row.name, row.effect))
        if kind in NUMBERED and "id" not in values:
            raise self.fail(stanza.line, f"{kind.STANZA} Id", "", "a number, which each such stanza needs")
        return values

    def _once(self, stanza: Stanza, number: int) -> None:
        place = (_CLASSES[stanza.name.upper()].STANZA, str(number))
        if place in self.lines:
            raise self.fail(
                stanza.line, f"{place[0]} Id", place[1], f"given once; it stands at line {self.lines[place]}"
            )
        self.lines[place] = stanza.line


def _known(word: str, names: list[str]) -> str:
    """Give the allowed names for the error of an unknown one, the nearest name first."""
    upper = {name.upper(): name for name in names}
    near = difflib.get_close_matches(word[:100].upper(), upper, n=1)
    hint = f"did you mean {upper[near[0]]}? " if near else ""
    return f"{hint}known are {', '.join(names)}"
