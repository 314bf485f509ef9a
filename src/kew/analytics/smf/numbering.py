"""Running numbers of records, and where some of them are missing.

A queue manager numbers its records twice: over all of them, and over those of one kind. Only the second shows lost
records when the input holds some kinds and not others, as it does where types 115 and 116 go to files of their own. It
begins again with the queue manager, and records of the same moment may have been written slightly out of order.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]

SLACK: Final = 1000  # numbers by which records may be out of order; a larger fall is a restart of the queue manager


def missing(moments: Numbers, numbers: Numbers) -> list[tuple[int, int]]:
    """Give the gaps in the numbers of one kind: the first record after each, and its size; records are by time."""
    if not len(numbers):
        return []
    found: list[tuple[int, int]] = []
    begun = np.flatnonzero(np.diff(numbers) < -SLACK) + 1
    for run in np.split(np.arange(len(numbers)), begun):
        order = run[np.argsort(numbers[run], kind="stable")]
        before, after = order[:-1], order[1:]
        lost = numbers[after] - numbers[before] - 1
        # A higher number of an earlier moment is of the time before the queue manager began again.
        for at in np.flatnonzero((lost > 0) & (moments[after] >= moments[before])):
            found.append((int(after[at]), int(lost[at])))
    return sorted(found)
