"""A queue manager for tests of actions, and its answers to commands."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kew.commands.actions.script import Script
from kew.qmgr import manager
from kew.qmgr.config import BufferPoolConfiguration, Configuration, LogConfiguration
from kew.qmgr.existing import exists
from kew.qmgr.manager import QueueManager

POOLS = (BufferPoolConfiguration(0, 400), BufferPoolConfiguration(1, 400))
SMALL = Configuration(log=LogConfiguration(file_pages=64), buffer_pools=POOLS)
LINEAR = Configuration(log=LogConfiguration(file_pages=64, log_type="linear"), buffer_pools=POOLS)


@contextmanager
def queue_manager(path: Path, configuration: Configuration = SMALL) -> Iterator[QueueManager]:
    """A queue manager that runs, made if need be."""
    if not exists("QM1", str(path)):
        manager.create("QM1", configuration, str(path))
    with manager.start("QM1", str(path)) as running:
        yield running


def answer(running: QueueManager, *commands: str) -> str:
    """Carry commands out and give what is said, in one text."""
    return "\n".join([line for batch in Script(running.host.commands).run(commands) for line in batch])
