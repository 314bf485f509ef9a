"""Messages of the log to the operator."""

from collections.abc import Sequence
from typing import Final, Protocol

# arith: bytes; comments: "W" or "R", threshold and actual time in microseconds.
SLOW_IO: Final = "AMQ6729W"
# comments: file name.
OLDEST_FOR_RESTART: Final = "AMQ7467I"
# comments: file name.
OLDEST_FOR_MEDIA: Final = "AMQ7468I"
# arith: bytes; comments: log address.
TAIL_DISCARDED: Final = "CSQJ901W"
# arith: copy, pages; comments: first file repaired, log address.
COPY_REPAIRED: Final = "CSQJ902W"
# arith: copy; comments: file.
COPY_RECREATED: Final = "CSQJ903W"
# comments: file.
BOOTSTRAP_REPAIRED: Final = "CSQJ904W"
# arith: number of log files; comments: file.
SECONDARY_FORMATTED: Final = "CSQJ905I"
# arith: number of log files; comments: file.
SECONDARY_RELEASED: Final = "CSQJ906I"
# arith: errno; comments: file, what failed.
CANNOT_EXTEND: Final = "CSQJ907E"
# comments: archive file, first and last log address in it.
ARCHIVED: Final = "CSQJ908I"
# arith: errno; comments: archive file, what failed.
CANNOT_ARCHIVE: Final = "CSQJ909E"
# arith: errno; comments: file, what failed.
BROKEN: Final = "CSQJ910E"

# comments: file.
HEADER_REPAIRED: Final = "CSQJ912W"


class Notices(Protocol):
    """The receiver of operator messages; the texts are in kew.codes.messages."""

    def tell(self, message_id: str, arith: Sequence[int] = (), comments: Sequence[str] = ()) -> None:
        """Give the operator a message with its numeric and its text inserts."""


class NoNotices:
    """A receiver that drops operator messages."""

    def tell(self, message_id: str, arith: Sequence[int] = (), comments: Sequence[str] = ()) -> None:
        """Drop the message."""
