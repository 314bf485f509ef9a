"""The existing queue managers and their states, without the modules that run a queue manager.

`kew list`, a shell that completes a name, and checks whether a queue manager runs need no more than this.
"""

import posixpath
from dataclasses import dataclass
from typing import Final

from kew.codes.messages import format_message
from kew.storage.directories import LOCK, data_directory, directory_of, is_queue_manager_name
from kew.storage.disk import Disk, DiskError, Lock, LockedError, RealDisk

# The states of a queue manager, in the words of dspmq; the process that hosts one notes them in its lock file.
STARTING: Final = "Starting"
RUNNING: Final = "Running"
QUIESCING: Final = "Quiescing"
ENDING: Final = "Ending immediately"
ENDED_NORMALLY: Final = "Ended normally"
ENDED_IMMEDIATELY: Final = "Ended immediately"
ENDED_UNEXPECTEDLY: Final = "Ended unexpectedly"
NOT_AVAILABLE: Final = "Status not available"
_HOSTED: Final = (STARTING, RUNNING, QUIESCING, ENDING)


@dataclass(frozen=True)
class Condition:
    """The state of a queue manager, and the process that hosts it, 0 for none."""

    state: str
    process: int


class QueueManagerError(Exception):
    """The error of a queue manager that cannot be created, started or stopped; the text has the reason and a remedy."""

    def __init__(self, message_id: str, arith: tuple[int, ...] = (), comments: tuple[str, ...] = ()) -> None:
        message = format_message(message_id, arith, comments)
        super().__init__(f"{message_id}: {message.text} {message.action}".strip())
        self.message_id = message_id


def exists(name: str, data: str = "", disk: Disk | None = None) -> bool:
    """Say whether a queue manager exists."""
    # An impossible name never reaches the disk: an empty one would be the directory of all queue managers.
    return is_queue_manager_name(name) and (disk or RealDisk()).exists(directory_of(data or data_directory(), name))


def names(data: str = "", disk: Disk | None = None) -> list[str]:
    """Give the names of the existing queue managers."""
    disk = disk or RealDisk()
    directory = posixpath.join(data or data_directory(), "qmgrs")
    if not disk.exists(directory):
        return []
    found = [name for name in disk.list_directory(directory) if not name.endswith((".new", ".deleted"))]
    return sorted([name.replace("&", "/").replace("!", ".") for name in found])


def existing_directory(name: str, data: str = "", disk: Disk | None = None) -> str:
    """Give the directory of a queue manager; raises AMQ8118E if the queue manager does not exist."""
    data = data or data_directory()
    if not exists(name, data, disk):
        raise QueueManagerError("AMQ8118E", (), (name, data))
    return directory_of(data, name)


def running_process(name: str, data: str = "") -> int:
    """Give the process that hosts a queue manager, 0 if it does not run; raises AMQ8118E if it does not exist."""
    return RealDisk().look_at_lock(posixpath.join(existing_directory(name, data), LOCK)).owner


def condition(name: str, data: str = "") -> Condition:
    """Give the state of a queue manager from its lock file; raises AMQ8118E if the queue manager does not exist.

    If the process is gone and the lock file has no note of its end, the state is Ended unexpectedly. A queue manager
    that was never started is Ended immediately, as after crtmqm. Another command that has the lock, such as a restore,
    does not change the state.
    """
    path = posixpath.join(existing_directory(name, data), LOCK)
    try:
        found = RealDisk().look_at_lock(path)
    except DiskError:
        return Condition(NOT_AVAILABLE, 0)  # the process belongs to another user
    if found.note not in _HOSTED:
        return Condition(found.note or ENDED_IMMEDIATELY, 0)
    return Condition(found.note, found.owner) if found.owner else Condition(ENDED_UNEXPECTEDLY, 0)


def take_lock(disk: Disk, name: str, path: str) -> Lock:
    """Take a queue manager's lock; the error names the process that has the lock already."""
    try:
        return disk.lock(path)
    except LockedError as held:
        raise QueueManagerError("CSQY902E", (held.owner,), (name,)) from held
