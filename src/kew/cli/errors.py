"""Turns failures into one line on standard error and an exit code.

The modules that define a queue manager's errors are loaded only for an error of no other class, so that the report of
a misspelt word does not wait for them.
"""

import errno
from typing import Final

from kew.codes.errors import MQError
from kew.codes.messages import FormattedMessage, format_message
from kew.codes.remedies import REMEDIES
from kew.qmgr.existing import QueueManagerError
from kew.qmgr.ini import ConfigurationError
from kew.storage.disk import DiskError
from kew.storage.fileheader import FileRefused
from kew.storage.stall import Damaged
from kew.version import ADD_SPARK

# Exit codes of crtmqm, strmqm and the like.
_EXIT_CODES: Final = {"CSQY902E": 5, "AMQ8110E": 8, "AMQ8118E": 16}
_FAILED: Final = 20
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def _operator_message(problem: Exception) -> FormattedMessage | None:
    """Give the error log's message for a configuration, a log or a disk that cannot be used."""
    from kew.storage.log import LogDamaged, LogError

    if isinstance(problem, ConfigurationError):
        return format_message("AMQ9224E", *problem.inserts())
    if isinstance(problem, FileRefused):
        return format_message("CSQY909E", *problem.inserts())
    if isinstance(problem, LogDamaged):
        return format_message("CSQJ911E", (), (problem.path, f"{problem.address:016X}", problem.reason))
    if isinstance(problem, LogError):
        return format_message("AMQ7017S", (), (str(problem),))
    if isinstance(problem, Damaged):
        return format_message("CSQP905E", (problem.page,), (problem.path, problem.why))
    if isinstance(problem, DiskError):
        number = problem.errno or 0
        return format_message(
            "AMQ6708E" if problem.full else "AMQ6119S", (number,), (problem.path, problem.operation, problem.detail)
        )
    return None


def explain(problem: Exception) -> tuple[str, int] | None:
    """Give the line and exit code for an error of the user, a disk or a queue manager; None for a defect of Kew."""
    if isinstance(problem, QueueManagerError):
        return str(problem), _EXIT_CODES.get(problem.message_id, _FAILED)
    if isinstance(problem, MQError):
        remedy = REMEDIES.get(problem.name)
        if remedy is None:
            return str(problem), _FAILED
        known = {word: problem.facts.get(word, word.upper()) for word in ("queue", "qmgr")}
        return f"{problem} {remedy.format(**known)}.", _FAILED
    if isinstance(problem, ModuleNotFoundError) and not (problem.name or "kew").startswith("kew"):
        return f"{problem.name} is not installed: {ADD_SPARK}", 1
    if isinstance(problem, OSError) and not isinstance(problem, DiskError):
        if problem.filename is not None:  # a file that the user named
            return f"{problem.filename}: {problem.strerror}", 1
        if problem.errno in _NO_ROOM:
            return f"standard output cannot be written: {problem.strerror}", 1
        return None
    return _of_its_files(problem)


def _of_its_files(problem: Exception) -> tuple[str, int] | None:
    from kew.qmgr.backup import BackupError
    from kew.storage.log import LogSettingsError

    if isinstance(problem, (BackupError, LogSettingsError)):
        return str(problem), _FAILED
    told = _operator_message(problem)
    if told is not None:
        return f"{told.id}: {told.text} {told.action}", _FAILED
    return None
