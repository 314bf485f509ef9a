"""The log manager: records appended by one engine, durable together, read back after anything."""

from kew.storage.log.errors import LogBroken, LogDamaged, LogError, LogFull, LogSettingsError
from kew.storage.log.log import Log
from kew.storage.log.notices import NoNotices, Notices
from kew.storage.log.record import RECORD_PAYLOAD_LIMIT, LogRecord
from kew.storage.log.settings import LogDirectories, LogSettings
from kew.storage.logaddress import NO_ADDRESS, LogAddress

__all__ = [
    "NO_ADDRESS",
    "RECORD_PAYLOAD_LIMIT",
    "Log",
    "LogAddress",
    "LogBroken",
    "LogDamaged",
    "LogDirectories",
    "LogError",
    "LogFull",
    "LogRecord",
    "LogSettings",
    "LogSettingsError",
    "NoNotices",
    "Notices",
]
