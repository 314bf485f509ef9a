"""Queue managers for tests: small ones, on a simulated disk or in a directory, with or without threads."""

from collections.abc import Sequence
from random import Random

from tests.support import memorystore
from tests.support.engines import open_engine
from tests.support.simdisk import Keep, SimDisk

from kew.codes.options import MQOO_BROWSE, MQOO_INPUT_SHARED, MQOO_INQUIRE, MQOO_OUTPUT
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.objects.catalogue import AttributeValue
from kew.qmgr.assemble import Host
from kew.qmgr.files import Places
from kew.qmgr.pagesets import PageSetSettings
from kew.qmgr.storageparts import EngineSettings, create_engine
from kew.storage.disk import Disk
from kew.storage.log import LogSettings
from kew.storage.pages.pageset import EXPAND_SYSTEM

NAME = "QM1"
ROOT = "/qm"
EVERYTHING = MQOO_OUTPUT | MQOO_INPUT_SHARED | MQOO_BROWSE | MQOO_INQUIRE
DEEP: dict[str, AttributeValue] = {"MAXDEPTH": 999_999_999, "MAXMSGL": 104_857_600}


class Notes:
    """Notices that are kept for the test to read."""

    def __init__(self) -> None:
        self.told: list[tuple[str, tuple[int, ...], tuple[str, ...]]] = []

    def tell(self, message_id: str, arith: Sequence[int] = (), comments: Sequence[str] = ()) -> None:
        self.told.append((message_id, tuple(arith), tuple(comments)))

    def about(self, message: str) -> list[tuple[tuple[int, ...], tuple[str, ...]]]:
        """Give the inserts of each notice of one kind."""
        return [(numbers, texts) for name, numbers, texts in self.told if name == message]


def small(
    pool: int = 200,
    pages: int = 1024,
    expand: int = EXPAND_SYSTEM,
    secondary: int = 0,
    log_pages: int = 64,
    log_files: int = 3,
    log_secondary: int = 2,
    buffer_pages: int = 512,
    catalogue: PageSetSettings | None = None,
) -> EngineSettings:
    """Settings of a queue manager that reaches its limits soon: page set 0 for definitions, 1 for messages."""
    return EngineSettings(
        log=LogSettings(file_pages=log_pages, primary=log_files, secondary=log_secondary, buffer_pages=buffer_pages),
        pools={0: 60, 1: pool},
        page_sets={
            0: catalogue or PageSetSettings(pages=64, pool=0),
            1: PageSetSettings(pages=pages, expand=expand, secondary=secondary, pool=1),
        },
    )


def create(
    disk: Disk, settings: EngineSettings, notes: Notes | None = None, threads: bool = False, root: str = ROOT
) -> Host:
    """Make a queue manager and start it."""
    memorystore.new()
    create_engine(disk, NAME, Places(root), settings)
    return start(disk, settings, notes, threads, root)


def start(
    disk: Disk, settings: EngineSettings, notes: Notes | None = None, threads: bool = False, root: str = ROOT
) -> Host:
    """Start a queue manager that exists."""
    return open_engine(disk, NAME, Places(root), settings, notes or Notes(), threads, memorystore.furnish())


def after_power_loss(disk: SimDisk, settings: EngineSettings, keep: Keep = "none", seed: int = 0) -> Host:
    """Start the queue manager again on what a power loss now would leave of its disk."""
    return start(disk.crash(Random(seed), keep), settings)


def queue_of(host: Host, name: str = "Q1", **values: AttributeValue) -> tuple[LocalConnection, Handle]:
    """Define a deep queue, connect, and open it for everything."""
    host.administration.define("QLOCAL", name, {**DEEP, **values})
    return opened(host, name)


def opened(host: Host, name: str = "Q1", options: int = EVERYTHING) -> tuple[LocalConnection, Handle]:
    """Connect and open a queue."""
    connection = host.connect()
    return connection, connection.open(name, options)


def lasting(message_id: bytes = bytes(24), correlation_id: bytes = bytes(24), priority: int = -1) -> MessageDescriptor:
    """A descriptor of a persistent message."""
    return MessageDescriptor(persistence=1, message_id=message_id, correlation_id=correlation_id, priority=priority)


def passing(message_id: bytes = bytes(24), correlation_id: bytes = bytes(24), priority: int = -1) -> MessageDescriptor:
    """A descriptor of a non-persistent message."""
    return MessageDescriptor(persistence=0, message_id=message_id, correlation_id=correlation_id, priority=priority)
