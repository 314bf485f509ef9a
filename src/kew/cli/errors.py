"""Turns what can go wrong into one line on standard error and an exit code."""

from typing import Final

from kew.codes.errors import MQError
from kew.codes.reasons import (
    MQRC_GET_INHIBITED,
    MQRC_MSG_TOO_BIG_FOR_Q,
    MQRC_NOT_AUTHORIZED,
    MQRC_OBJECT_IN_USE,
    MQRC_PUT_INHIBITED,
    MQRC_Q_FULL,
    MQRC_SYNCPOINT_LIMIT_REACHED,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from kew.qmgr.backup import BackupError
from kew.qmgr.ini import ConfigurationError
from kew.qmgr.manager import QueueManagerError
from kew.storage.disk import DiskError
from kew.storage.log import LogError
from kew.storage.stall import Damaged

# As crtmqm, strmqm and their like have them.
_EXIT_CODES: Final = {"CSQY902E": 5, "AMQ8110E": 8, "AMQ8118E": 16}
_FAILED: Final = 20
_REMEDIES: Final = {
    MQRC_UNKNOWN_OBJECT_NAME: "kew mqsc QMGR -e 'DISPLAY QUEUE(*)' lists the queues there are",
    MQRC_NOT_AUTHORIZED: "SET AUTHREC gives authority",
    MQRC_OBJECT_IN_USE: "DISPLAY QSTATUS(QUEUE) TYPE(HANDLE) shows who has it open",
    MQRC_GET_INHIBITED: "ALTER QLOCAL(QUEUE) GET(ENABLED) allows gets",
    MQRC_PUT_INHIBITED: "ALTER QLOCAL(QUEUE) PUT(ENABLED) allows puts",
    MQRC_Q_FULL: "Get messages, or make MAXDEPTH larger",
    MQRC_MSG_TOO_BIG_FOR_Q: "Make MAXMSGL of the queue larger",
    MQRC_SYNCPOINT_LIMIT_REACHED: "Make the unit of work smaller, or MAXUMSGS of the queue manager larger",
}


def explain(problem: Exception) -> tuple[str, int] | None:
    """Give the line and the exit code for what a user, a disk or a queue manager did; None for a fault of Kew's own."""
    if isinstance(problem, QueueManagerError):
        return str(problem), _EXIT_CODES.get(problem.message_id, _FAILED)
    if isinstance(problem, MQError):
        remedy = _REMEDIES.get(problem.reason)
        return f"{problem} {remedy}." if remedy else str(problem), _FAILED
    if isinstance(problem, (BackupError, ConfigurationError, LogError, Damaged, DiskError)):
        return str(problem), _FAILED
    if isinstance(problem, OSError) and problem.filename is not None:  # a file that the user named
        return f"{problem.filename}: {problem.strerror}", 1
    return None
