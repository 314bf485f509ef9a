"""The layout of a log: sizes, counts, copies and directories."""

import posixpath
from dataclasses import dataclass
from typing import Final, Literal

from kew.storage.log.errors import LogSettingsError
from kew.storage.logaddress import PAGE_SIZE

LogType = Literal["circular", "linear"]
WriteIntegrity = Literal["TripleWrite", "SingleWrite"]

PRIMARY_LIMIT: Final = 310
EXTENTS_LIMIT: Final = 511


@dataclass(frozen=True)
class LogSettings:
    """The settings of a log; `file_pages` and `log_type` are fixed when it is created."""

    file_pages: int = 4096
    primary: int = 3
    secondary: int = 2
    buffer_pages: int = 512
    log_type: LogType = "circular"
    dual: bool = False
    write_integrity: WriteIntegrity = "TripleWrite"
    # Whether full extents of a linear log are copied to the archive directory before they are given up.
    archive: bool = True

    def __post_init__(self) -> None:
        _check_range("file_pages", self.file_pages, 64, 65535)
        _check_range("primary", self.primary, 2, PRIMARY_LIMIT)
        _check_range("secondary", self.secondary, 1, EXTENTS_LIMIT - 2)
        if self.primary + self.secondary > EXTENTS_LIMIT:
            allowed = f"primary + secondary may be at most {EXTENTS_LIMIT}, and primary is {self.primary}"
            raise LogSettingsError("secondary", self.secondary, allowed)
        _check_range("buffer_pages", self.buffer_pages, 18, 4096)
        _check_choice("log_type", self.log_type, ("circular", "linear"))
        _check_choice("write_integrity", self.write_integrity, ("TripleWrite", "SingleWrite"))

    @property
    def extent_bytes(self) -> int:
        """The size of one log file."""
        return self.file_pages * PAGE_SIZE

    @property
    def linear(self) -> bool:
        """Whether the log is kept for media recovery."""
        return self.log_type == "linear"


def _check_range(key: str, value: int, low: int, high: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise LogSettingsError(key, value, f"a whole number from {low} to {high}")


def _check_choice(key: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise LogSettingsError(key, value, "one of " + ", ".join(choices))


@dataclass(frozen=True)
class LogDirectories:
    """The directories of the log's copies and archives; the copies belong on separate devices."""

    copy1: str
    copy2: str
    archive: str

    @staticmethod
    def under(root: str) -> "LogDirectories":
        """Return the default places below one directory."""
        return LogDirectories(
            posixpath.join(root, "copy1"), posixpath.join(root, "copy2"), posixpath.join(root, "archive")
        )
