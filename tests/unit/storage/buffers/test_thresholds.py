"""85 % starts the deferred writer, 95 % makes the put write itself, and never is more of a pool dirty than that."""

import pytest
from tests.support.paging import OWNER, Paging

from kew.storage.buffers.pool import BufferPool, PoolFull
from kew.storage.page import DATA


class Listener:
    """Counts what a pool asks of its writer, and writes nothing."""

    def __init__(self) -> None:
        self.woken = 0
        self.asked = 0

    def wake(self) -> None:
        self.woken += 1

    def make_room(self, pool: BufferPool) -> None:
        self.asked += 1

    def fail(self, failure: BaseException) -> None:
        raise AssertionError("nothing is written here") from failure


def test_the_writer_is_woken_when_85_percent_are_dirty_and_not_before() -> None:
    paging = Paging(100)
    listener = Listener()
    paging.pool.emptier = listener
    for number in range(84):
        paging.make(number, b"x", 100 + number)
    assert listener.woken == 0
    assert paging.pool.counters.deferred_threshold == 0
    paging.make(84, b"x", 300)
    assert listener.woken == 1
    assert paging.pool.counters.deferred_threshold == 1
    paging.make(85, b"x", 301)
    assert listener.woken == 2, "it is asked again as long as the pool is above the threshold"
    assert paging.pool.counters.deferred_threshold == 1, "the threshold was passed once"


def test_passing_the_threshold_again_counts_again() -> None:
    paging = Paging(100)
    for number in range(85):
        paging.make(number, b"x", 100 + number)
    paging.writer.write_due()
    assert paging.pool.in_use() == 0
    for number in range(100, 185):
        paging.make(number, b"x", 300 + number)
    assert paging.pool.counters.deferred_threshold == 2


def test_a_put_stalls_when_95_percent_are_dirty() -> None:
    paging = Paging(100)
    paging.pool.emptier = Listener()
    for number in range(95):
        paging.make(number, b"x", 100 + number)
    with pytest.raises(PoolFull, match="buffer pool 1"):
        paging.pool.ensure(1)
    assert paging.pool.counters.synchronous_threshold == 1


def test_several_frames_at_once_must_fit_below_95_percent() -> None:
    paging = Paging(100)
    paging.pool.emptier = Listener()
    for number in range(93):
        paging.make(number, b"x", 100 + number)
    paging.pool.ensure(2)
    with pytest.raises(PoolFull):
        paging.pool.ensure(3)


def test_the_stall_writes_in_the_thread_of_the_put() -> None:
    paging = Paging(100)
    for number in range(95):
        paging.make(number, b"page %d" % number, 100 + number)
    with pytest.raises(PoolFull) as stall:
        paging.pool.ensure(1)
    stall.value.resolve()
    assert paging.pool.counters.synchronous_writes == 1
    assert paging.pool.in_use() == 0
    assert paging.on_disk(94, 7) == b"page 94"
    paging.pool.ensure(1)


def test_a_pool_without_a_writer_says_so() -> None:
    paging = Paging(100)
    paging.pool.emptier = None
    with pytest.raises(RuntimeError, match="buffer pool 1 is full"):
        PoolFull(paging.pool).resolve()


def test_the_lowest_number_of_free_frames_is_kept() -> None:
    paging = Paging(100)
    for number in range(30):
        paging.make(number, b"x", 100 + number)
    paging.writer.flush()
    paging.make(31, b"x", 200)
    assert paging.pool.counters.lowest_free == 70


def test_a_page_that_is_written_and_a_page_that_waits_both_count_as_used() -> None:
    paging = Paging(100)
    seen: list[int] = []

    def look(_address: int) -> None:
        seen.append(paging.pool.in_use())
        paging.change(1, b"again", 500)
        seen.append(paging.pool.in_use())

    paging.writer.force = look
    paging.make(1, b"x", 100)
    paging.make(2, b"x", 101)
    paging.writer.make_room(paging.pool)
    assert seen == [2, 2]
    assert paging.pool.in_use() == 1


@pytest.mark.parametrize("size", [4, 20, 100, 1000])
def test_memory_is_what_the_pool_was_given(size: int) -> None:
    paging = Paging(size)
    for number in range(3 * size):
        paging.make(number, b"page %d" % number, 100 + number)
    assert len(paging.pool.frames) <= size
    for number in range(3 * size):
        assert paging.text(number, len(b"page %d" % number)) == b"page %d" % number
    assert len(paging.pool.frames) <= size


def test_a_new_page_takes_no_read() -> None:
    paging = Paging(10)
    with paging.lock:
        paging.pool.ensure(1)
        paging.pool.new_page(paging.file, 7, DATA, OWNER, False)
    assert paging.pool.counters.new_pages == 1
    assert paging.pool.counters.reads == 0
