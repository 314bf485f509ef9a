"""Missing records are found by their running numbers, and nothing else is taken for a loss."""

import numpy as np
import pytest

from kew.analytics.smf.numbering import SLACK, missing


def lost(*numbers: int) -> list[tuple[int, int]]:
    """What is missing of numbers that came one second after the other."""
    return missing(np.arange(len(numbers), dtype=np.int64), np.array(numbers, dtype=np.int64))


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ([], []),
        ([7], []),
        ([1, 2, 3], []),
        ([1, 2, 5, 6, 9], [(2, 2), (4, 2)]),
        ([1, 1, 2, 2, 3], []),  # the same file twice
        ([1, 3, 2, 4], []),  # out of order
        ([2, 1, 3], []),
        ([40, 41, 42, 1, 2, 3], []),  # began again
        ([*range(1, 3000), 1, 2, 5, 6], [(3001, 2)]),  # began again, and lost what the numbers before would hide
        ([2**32 - 2, 2**32 - 1, 0, 1], []),
    ],
)
def test_what_is_missing(numbers: list[int], expected: list[tuple[int, int]]) -> None:
    assert lost(*numbers) == expected


def test_who_falls_by_a_little_has_not_begun_again() -> None:
    assert lost(*range(10, SLACK), 1, SLACK) == []
