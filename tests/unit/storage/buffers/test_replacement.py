"""Which page makes room for another: a clean one that was not used since the hand last passed."""

import pytest
from tests.support.paging import Paging

from kew.storage.buffers.frame import NO_PAGE
from kew.storage.buffers.pool import PoolFull


def filled(size: int, pages: int) -> Paging:
    """A pool whose frames all hold clean pages."""
    paging = Paging(size)
    for number in range(pages):
        paging.make(number, b"page %d" % number, 100 + number)
    paging.writer.flush()
    return paging


def test_frames_are_made_before_any_is_stolen() -> None:
    paging = filled(10, 5)
    assert paging.pool.counters.steals == 0
    assert len(paging.pool.frames) == 5


def test_a_clean_page_is_stolen_and_read_again_when_it_is_wanted() -> None:
    paging = filled(10, 10)
    paging.make(50, b"fifty", 500)
    assert paging.pool.counters.steals == 1
    missing = next(number for number in range(10) if number not in paging.file.in_memory())
    before = paging.pool.counters.reads
    assert paging.text(missing, 6) == b"page %d" % missing
    assert paging.pool.counters.reads == before + 1


def test_a_page_in_use_outlives_one_that_is_not() -> None:
    paging = filled(10, 10)
    paging.make(50, b"x", 500)
    kept = [number for number in range(10) if number in paging.file.in_memory()]
    for round_ in range(3):
        paging.text(kept[-1], 6)
        paging.make(51 + round_, b"x", 501 + round_)
    assert kept[-1] in paging.file.in_memory()


def test_dirty_pages_are_never_stolen() -> None:
    paging = Paging(10)
    for number in range(9):
        paging.make(number, b"x", 100 + number)
    with paging.lock:
        paging.pool._refill(1)
    with paging.lock, pytest.raises(PoolFull):
        paging.pool._refill(2)
    assert paging.pool.counters.no_frames == 1
    assert paging.file.in_memory() == list(range(9))


def test_a_discarded_page_leaves_its_frame_at_once() -> None:
    paging = Paging(10)
    frame = paging.make(1, b"x", 100)
    with paging.lock:
        paging.pool.discard(paging.file, 1)
    assert (frame.number, frame.file, frame.dirty) == (NO_PAGE, NO_PAGE, False)
    assert paging.pool.free == [frame]
    assert paging.pool.in_use() == 0
    with paging.lock:
        paging.pool.discard(paging.file, 1)
    assert paging.pool.free == [frame], "discarding what is not there does nothing"


def test_hits_are_counted() -> None:
    paging = filled(10, 3)
    before = paging.pool.counters.hits
    paging.text(1, 1)
    paging.text(2, 1)
    assert paging.pool.counters.hits == before + 2
