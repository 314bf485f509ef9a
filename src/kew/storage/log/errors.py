"""Errors of the log.

LogError
  LogSettingsError     a setting is out of range, or differs from what the log was created with
  LogDamaged           bytes that were once durable cannot be read back: file, address, reason
  LogFull              no active log space is left for a record; nothing was appended
  LogBroken            a write or sync failed; the log takes and acknowledges nothing more until restart
"""

from kew.storage.logaddress import PAGE_SIZE


class LogError(Exception):
    """Something is wrong with the log."""


class LogSettingsError(LogError):
    """A log setting is not allowed: the key, the value, and the allowed values."""

    def __init__(self, key: str, value: object, allowed: str) -> None:
        super().__init__(f"{key}={value} is not allowed: {allowed}")
        self.key = key
        self.value = value
        self.allowed = allowed


class LogDamaged(LogError):
    """Bytes of the log that were once durable cannot be read back."""

    def __init__(self, path: str, address: int, reason: str, offset: int = -1) -> None:
        # The offset counts from the end of the file's header, which is a page.
        where = f" at offset {offset + PAGE_SIZE}" if offset >= 0 else ""
        super().__init__(f"log file {path} is damaged{where} (log address {address:#018x}): {reason}")
        self.path = path
        self.address = address
        self.offset = offset
        self.reason = reason


class LogFull(LogError):
    """No active log space is left for a record; nothing was appended."""


class LogBroken(LogError):
    """A log write or sync failed; nothing more is taken or acknowledged until restart."""
