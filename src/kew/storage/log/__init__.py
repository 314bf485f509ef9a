"""The log manager: appends records, makes them durable in groups, and reads them at restart and recovery."""

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
