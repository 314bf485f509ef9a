"""The first phase of a queue manager: its files, the log, buffer pools and page sets, and the store of messages."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from librt.threading import Lock

from kew.accounting.smffiles import SmfSettings
from kew.codes.messages import Notices
from kew.qmgr.files import Places
from kew.qmgr.listeners import Listeners
from kew.qmgr.pagesets import PageSetFiles, PageSetSettings
from kew.qmgr.parameters import SystemSettings
from kew.storage.buffers.deferred import DeferredWriter
from kew.storage.buffers.doublewrite import DoubleWrite
from kew.storage.buffers.pool import BufferPool
from kew.storage.disk import Disk
from kew.storage.fileheader import Identity
from kew.storage.log import Log, LogSettings
from kew.storage.pages.items import ItemStore
from kew.storage.pages.pageset import PageSet


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


@dataclass(frozen=True)
class StorageParts:
    """The parts that store log records and pages."""

    disk: Disk
    places: Places
    settings: EngineSettings
    notices: Notices
    log: Log
    lock: Lock  # the engine lock
    pools: dict[int, BufferPool]
    double: DoubleWrite
    writer: DeferredWriter
    page_set_files: PageSetFiles
    store: ItemStore


def assemble_storage(
    disk: Disk, places: Places, settings: EngineSettings, notices: Notices, log: Log, listeners: Listeners
) -> StorageParts:
    """Make the parts that store log records and pages; the log is already open."""
    lock = Lock()
    double = DoubleWrite(disk, places.double_write, log.owner)
    writer = DeferredWriter(lock, log.force_to_disk, double, listeners.broken)
    pools = {number: BufferPool(number, size, lock) for number, size in settings.pools.items()}
    for pool in pools.values():
        writer.add_pool(pool)
    pool_of = {number: pools[wanted.pool] for number, wanted in settings.page_sets.items()}
    files = PageSetFiles(disk, log.owner, places, pool_of, settings.page_sets, notices)
    log.on_failure.append(listeners.broken)
    store = ItemStore(log, listeners.make_log_room)
    return StorageParts(disk, places, settings, notices, log, lock, pools, double, writer, files, store)
