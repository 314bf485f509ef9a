"""The directories of queue managers, and the names that queue managers may have."""

import os
import posixpath
from typing import Final

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_Q_MGR_NAME_ERROR

LOCK: Final = "lock"  # the file in its directory that a running queue manager holds
BINDINGS: Final = "bindings"  # the socket in a queue manager's directory by which programs on this machine connect
_CHARACTERS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./_%")
_LENGTH: Final = 48


def data_directory() -> str:
    """Give the directory of all queue managers: $KEW_DATA, else `kew` in the XDG data directory."""
    chosen = os.environ.get("KEW_DATA")
    if chosen:
        return os.path.abspath(chosen)
    home = os.environ.get("XDG_DATA_HOME") or posixpath.join(os.path.expanduser("~"), ".local", "share")
    return posixpath.join(home, "kew")


def is_queue_manager_name(name: str) -> bool:
    """Say whether a name is valid for a queue manager."""
    return 0 < len(name) <= _LENGTH and set(name) <= _CHARACTERS


def check_queue_manager_name(name: str) -> None:
    """Refuse a name that is not valid for a queue manager."""
    if not is_queue_manager_name(name):
        raise MQError(MQRC_Q_MGR_NAME_ERROR, name=name, expected="1 to 48 of A-Z a-z 0-9 . / _ %")


def directory_of(data: str, name: str) -> str:
    """Give the directory of a queue manager; characters that are not valid in file names are written out, as in MQ."""
    return posixpath.join(data, "qmgrs", name.replace("/", "&").replace(".", "!"))
