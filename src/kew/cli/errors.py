"""Turns what can go wrong into one line on standard error and an exit code."""

import errno
from typing import Final

from kew.codes.errors import MQError
from kew.codes.remedies import REMEDIES
from kew.qmgr.backup import BackupError
from kew.qmgr.ini import ConfigurationError
from kew.qmgr.manager import QueueManagerError
from kew.storage.disk import DiskError
from kew.storage.log import LogError
from kew.storage.stall import Damaged

# As crtmqm, strmqm and their like have them.
_EXIT_CODES: Final = {"CSQY902E": 5, "AMQ8110E": 8, "AMQ8118E": 16}
_FAILED: Final = 20
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def explain(problem: Exception) -> tuple[str, int] | None:
    """Give the line and the exit code for what a user, a disk or a queue manager did; None for a fault of Kew's own."""
    if isinstance(problem, QueueManagerError):
        return str(problem), _EXIT_CODES.get(problem.message_id, _FAILED)
    if isinstance(problem, MQError):
        remedy = REMEDIES.get(problem.name)
        if remedy is None:
            return str(problem), _FAILED
        known = {word: problem.facts.get(word, word.upper()) for word in ("queue", "qmgr")}
        return f"{problem} {remedy.format(**known)}.", _FAILED
    if isinstance(problem, DiskError) and problem.full:
        return f"{problem}. Make room there; KEW_DATA says where queue managers are kept.", _FAILED
    if isinstance(problem, (BackupError, ConfigurationError, LogError, Damaged, DiskError)):
        return str(problem), _FAILED
    if isinstance(problem, OSError) and problem.filename is not None:  # a file that the user named
        return f"{problem.filename}: {problem.strerror}", 1
    if isinstance(problem, OSError) and problem.errno in _NO_ROOM:
        return f"standard output cannot be written: {problem.strerror}", 1
    return None
