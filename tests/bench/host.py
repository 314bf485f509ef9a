"""A queue manager in a directory of its own, for measurements."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator

from kew.cli.serve import settle
from kew.codes.options import MQOO_INPUT_SHARED, MQOO_OUTPUT
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.qmgr import manager
from kew.qmgr.config import BufferPoolConfiguration, Configuration, LogConfiguration, PageSetConfiguration
from kew.qmgr.manager import QueueManager

NAME = "BENCH"
QUEUE = "BENCH.Q"


def configuration(pool: int = 16384, log_files: int = 8) -> Configuration:
    """Give a configuration with one pool and one page set for messages."""
    return Configuration(
        log=LogConfiguration(primary_files=log_files, file_pages=8192, buffer_pages=2048),
        buffer_pools=(BufferPoolConfiguration(0, 1000), BufferPoolConfiguration(1, pool)),
        page_sets=(PageSetConfiguration(0, 1024), PageSetConfiguration(1, 4096, buffer_pool=1)),
    )


@contextlib.contextmanager
def running(pool: int = 16384, index: int = 0, log_files: int = 8) -> Iterator[QueueManager]:
    """Run a queue manager with one queue, on the disk of the current directory."""
    data = tempfile.mkdtemp(prefix="kew-bench-", dir=".")
    try:
        manager.create(NAME, configuration(pool, log_files), data)
        host = manager.start(NAME, data)
        host.host.administration.define("QLOCAL", QUEUE, {"MAXDEPTH": 999999999, "INDXTYPE": index})
        settle()  # as in a queue manager's own process
        try:
            yield host
        finally:
            if host.running:
                host.stop()
    finally:
        shutil.rmtree(data, ignore_errors=True)


def opened(host: QueueManager) -> tuple[LocalConnection, Handle]:
    """Give a connection with the queue open for putting and getting."""
    connection = host.connect("bench")
    return connection, connection.open(QUEUE, MQOO_OUTPUT | MQOO_INPUT_SHARED)
