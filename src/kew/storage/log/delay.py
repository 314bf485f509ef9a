"""Slow log I/O: the three AMQ_IODELAY variables, and the message for I/O above their limits.

`AMQ_IODELAY` is the time above which a log read or write is reported, in seconds, or in microseconds where
`AMQ_IODELAY_INMS` is YES; 0 turns the reports off. `AMQ_IODELAY_FFST`, where YES, also requests a first-failure record
with each. Where AMQ_IODELAY is not set, the time is three seconds: long enough that no healthy device reaches it.
"""

from collections.abc import Callable, Mapping
from typing import Final

from kew.storage.log.errors import LogSettingsError
from kew.storage.log.notices import SLOW_IO, Notices

DEFAULT_MICROSECONDS: Final = 3_000_000
LONGEST_MICROSECONDS: Final = 3_600_000_000

FirstFailure = Callable[[str, str], None]


class SlowIo:
    """Watches how long log reads and writes take."""

    def __init__(self, threshold: int, notices: Notices, first_failure: FirstFailure | None = None) -> None:
        self.microseconds = threshold
        # In seconds, for the comparison on every write; infinite when off.
        self.threshold = threshold / 1e6 if threshold else float("inf")
        self.count = 0
        self._notices = notices
        self._first_failure = first_failure

    def report(self, direction: str, path: str, length: int, seconds: float) -> None:
        """Report a read ("R") or write ("W") that took longer than the threshold."""
        self.count += 1
        actual = str(round(seconds * 1e6))
        self._notices.tell(SLOW_IO, (length,), (direction, str(self.microseconds), actual))
        if self._first_failure is not None:
            text = (
                f"log I/O ({direction}) of {length} bytes on {path} took {actual} us, threshold {self.microseconds} us"
            )
            self._first_failure(SLOW_IO, text)


def slow_io(environment: Mapping[str, str], notices: Notices, first_failure: FirstFailure | None = None) -> SlowIo:
    """Return the limits in the environment variables; a bad value raises LogSettingsError."""
    in_microseconds = _yes_or_no(environment, "AMQ_IODELAY_INMS")
    with_record = _yes_or_no(environment, "AMQ_IODELAY_FFST")
    threshold = DEFAULT_MICROSECONDS
    text = environment.get("AMQ_IODELAY")
    if text is not None:
        unit = 1 if in_microseconds else 1_000_000
        limit = LONGEST_MICROSECONDS // unit
        if not text.isascii() or not text.isdecimal() or len(text) > 10 or int(text) > limit:
            name = "microseconds" if in_microseconds else "seconds"
            raise LogSettingsError("AMQ_IODELAY", text, f"a whole number of {name} from 0 to {limit}")
        threshold = int(text) * unit
    return SlowIo(threshold, notices, first_failure if with_record else None)


def _yes_or_no(environment: Mapping[str, str], key: str) -> bool:
    text = environment.get(key, "NO")
    if text.upper() not in ("YES", "NO"):
        raise LogSettingsError(key, text, "YES or NO")
    return text.upper() == "YES"
