"""Starts the engine of a queue manager in this process, on any disk."""

from collections.abc import Callable

from kew.codes.messages import Notices
from kew.qmgr.assemble import Host
from kew.qmgr.files import Places, check_files
from kew.qmgr.storageparts import EngineSettings
from kew.storage.disk import Disk
from kew.storage.log import Log


def open_engine(
    disk: Disk,
    name: str,
    places: Places,
    settings: EngineSettings,
    notices: Notices,
    threads: bool = True,
    furnish: Callable[[Host], None] | None = None,
) -> Host:
    """Start a queue manager without what surrounds it: no lock, no error log, no network.

    `furnish` may give its queues other stores before restart reads anything.
    """
    check_files(disk, name, places, settings.log.dual, settings.page_sets)
    log = Log.open(disk, settings.log, places.log, notices)
    host = Host(disk, name, places, settings, notices, log)
    if furnish is not None:
        furnish(host)
    host.restart()
    if threads:
        host.run_threads()
    return host
