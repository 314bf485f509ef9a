"""Online monitoring of one instance of a message channel (MONCHL): times as averages over a short and a long run."""

from typing import Final

SHORT_RUN: Final = 16.0  # samples
LONG_RUN: Final = 4096.0
WINDOW: Final = 16  # confirmations of which the quickest counts: the others waited for the partner's disk
NONE_YET: Final = -1.0


class MovingTime:
    """Averages over a short and a long run of times in microseconds, and their extremes."""

    def __init__(self) -> None:
        self.short = NONE_YET
        self.long = NONE_YET
        self.least = NONE_YET
        self.most = NONE_YET
        self.count: int = 0

    def add(self, seconds: float) -> None:
        """Add a time."""
        time = max(seconds, 0.0) * 1e6
        self.count += 1
        if self.short < 0.0:
            self.short = self.long = self.least = self.most = time
            return
        self.short += (time - self.short) / SHORT_RUN
        self.long += (time - self.long) / LONG_RUN
        self.least = min(self.least, time)
        self.most = max(self.most, time)

    @property
    def pair(self) -> tuple[int, int]:
        """Both averages; -1 where there is no sample."""
        return int(self.short), int(self.long)


class ChannelMonitor:
    """The measured times and sizes of a sending channel."""

    def __init__(self) -> None:
        self.network = MovingTime()  # NETTIME
        self.queue = MovingTime()  # XQTIME
        self._least: float = NONE_YET
        self._seen: int = 0

    def confirmed(self, seconds: float) -> None:
        """Count the time from a request to its confirmation; the shortest of several in a row is a sample."""
        self._least = seconds if self._least < 0.0 else min(self._least, seconds)
        self._seen += 1
        if self._seen >= WINDOW or self.network.count == 0:
            self.network.add(self._least)
            self._least = NONE_YET
            self._seen = 0

    def left_queue(self, seconds: float) -> None:
        """Count the time that a message was on the transmission queue."""
        self.queue.add(seconds)
