"""Which process hosts a queue manager."""

import os

from kew.qmgr.names import LOCK, data_directory, directory_of, is_queue_manager_name
from kew.storage.disk import LockedError, RealDisk


def running_process(name: str) -> int:
    """Give the process that hosts a queue manager, 0 when it does not run; AMQ8118E where there is none."""
    root = directory_of(data_directory(), name)
    if not is_queue_manager_name(name) or not os.path.exists(root):
        from kew.qmgr.manager import QueueManagerError

        raise QueueManagerError("AMQ8118E", (), (name, data_directory()))
    try:
        RealDisk().lock(os.path.join(root, LOCK)).release()
    except LockedError as held:
        return held.owner
    return 0
