"""The counters of workers, in memory that the driver reads while they work.

The board is a file without a name, mapped by every process. It begins with the phase, which the driver alone writes;
then each thread has a slot that it alone writes: eight counters and a histogram of response times. So no lock is
needed, reading the board does not disturb the workers, and the difference of two readings is the work done between
them.
"""

import mmap
import os
from typing import Final

from kew.perf.histogram import BUCKETS, Histogram, bucket_of

# Phases: ready threads wait; all work; producers end after their current unit; consumers end when no message comes.
STARTING: Final = 0
WORKING: Final = 1
EMPTYING: Final = 2
ENDING: Final = 3

READY: Final = 0
UNITS: Final = 1
PUTS: Final = 2
GETS: Final = 3
COPIES: Final = 4
FAILURES: Final = 5  # gets that waited in vain, and verbs that failed
REASON: Final = 6  # of the last failure
DONE: Final = 7
COUNTERS: Final = 8
NAMES: Final = ("ready", "units", "puts", "gets", "copies", "failures", "reason", "done")

_HEAD: Final = 8
_WORDS: Final = COUNTERS + BUCKETS


class Board:
    """The counters of all threads."""

    def __init__(self, slots: int, descriptor: int = -1) -> None:
        size = (_HEAD + slots * _WORDS) * 8
        self.slots = slots
        self.descriptor = descriptor if descriptor >= 0 else os.memfd_create("kew-perf")
        if descriptor < 0:
            os.ftruncate(self.descriptor, size)
        self._map = mmap.mmap(self.descriptor, size)
        self.words = memoryview(self._map).cast("Q")

    @property
    def phase(self) -> int:
        """Give the phase of the run, which tells the workers what to do."""
        return self.words[0]

    @phase.setter
    def phase(self, value: int) -> None:
        self.words[0] = value

    def slot(self, number: int) -> "Slot":
        """Give the slot of a thread."""
        return Slot(self.words, _HEAD + number * _WORDS)

    def total(self, counter: int, slots: int) -> int:
        """Add up a counter over the first slots."""
        return sum(self.words[_HEAD + number * _WORDS + counter] for number in range(slots))

    def histogram(self, first: int, last: int) -> Histogram:
        """Add up the response times of some slots."""
        counts = [0] * BUCKETS
        for number in range(first, last):
            start = _HEAD + number * _WORDS + COUNTERS
            for at, count in enumerate(self.words[start : start + BUCKETS].tolist()):
                if count:
                    counts[at] += count
        return Histogram(counts)

    def clear(self, slots: int) -> None:
        """Clear the counters for the next point."""
        end = (_HEAD + slots * _WORDS) * 8
        self._map[0:end] = bytes(end)

    def close(self) -> None:
        """Release the memory."""
        self.words.release()
        self._map.close()
        os.close(self.descriptor)


class Slot:
    """The counters of one thread."""

    def __init__(self, words: memoryview, base: int) -> None:
        self._words = words
        self._base = base
        self._times = base + COUNTERS

    def add(self, counter: int, count: int = 1) -> None:
        """Add to a counter."""
        self._words[self._base + counter] += count

    def get(self, counter: int) -> int:
        """Give a counter."""
        value: int = self._words[self._base + counter]
        return value

    def timed(self, nanoseconds: int) -> None:
        """Count a unit of work with its duration."""
        words = self._words
        words[self._base + UNITS] += 1
        words[self._times + bucket_of(nanoseconds)] += 1

    def failed(self, reason: int) -> None:
        """Count a failure, and keep its reason code."""
        self.add(FAILURES)
        self._words[self._base + REASON] = reason
