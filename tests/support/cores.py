"""Runs many independent cases on all the cores there are."""

import gc
import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Case = TypeVar("Case")
Result = TypeVar("Result")


def spread(task: Callable[[Case], Result], cases: Iterable[Case], processes: int = 0) -> Iterator[Result]:
    """Give the result of each case, in whatever order they come; a task must be a function of a module."""
    processes = processes or len(os.sched_getaffinity(0))
    if processes == 1:
        yield from map(task, cases)
        return
    gc.freeze()  # what a whole suite has left behind is not looked through again by each child
    try:
        with multiprocessing.get_context("fork").Pool(processes) as pool:
            yield from pool.imap_unordered(task, cases)
    finally:
        gc.unfreeze()


def chunks(first: int, count: int, size: int) -> list[range]:
    """Cut a range of numbers into pieces."""
    end = first + count
    return [range(start, min(start + size, end)) for start in range(first, end, size)]
