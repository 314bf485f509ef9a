"""Reading pages that are not in memory: ahead, once for all who want them, and never over a newer page."""

import threading

import pytest
from tests.support.paging import Paging

from kew.storage.buffers.pool import READ_AHEAD, PageMissing, PoolFull
from kew.storage.page import PAGE_SIZE
from kew.storage.stall import Damaged

PATH = "/pages/psid03"


def stored(size: int, pages: int) -> Paging:
    """A pool that is empty, over a file with pages."""
    paging = Paging(size)
    for number in range(pages):
        paging.make(number, b"page %03d" % number, 100 + number)
    paging.writer.flush()
    with paging.lock:
        for number in range(pages):
            paging.pool.discard(paging.file, number)
    return paging


class Gate:
    """Holds the first read of the disk until it is opened."""

    def __init__(self, paging: Paging) -> None:
        self.reached = threading.Event()
        self.opened = threading.Event()
        self.reads = 0
        paging.disk.delay = self._delay

    def _delay(self, operation: str, _path: str, _length: int) -> None:
        if operation == "read":
            self.reads += 1
            if self.reads == 1:
                self.reached.set()
                assert self.opened.wait(60)


def reader(paging: Paging, number: int) -> tuple[threading.Thread, list[BaseException]]:
    """Resolve the want of a page in a thread of its own."""
    raised: list[BaseException] = []

    def read() -> None:
        try:
            PageMissing(paging.pool, paging.file, number).resolve()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    return thread, raised


def test_a_missing_page_stalls_and_is_there_afterwards() -> None:
    paging = stored(10, 5)
    with pytest.raises(PageMissing, match="page 3 of page set 3") as stall:
        paging.pool.find(paging.file, 3)
    stall.value.resolve()
    assert paging.pool.find(paging.file, 3).number == 3
    assert (paging.pool.counters.reads, paging.pool.counters.read_requests) == (1, 1)


def test_a_large_pool_reads_sixteen_pages_ahead_with_one_request() -> None:
    paging = stored(200, 60)
    assert paging.text(20, 8) == b"page 020"
    assert paging.file.in_memory() == list(range(20, 20 + READ_AHEAD))
    assert paging.pool.counters.read_requests == 1
    assert paging.text(20 + READ_AHEAD - 1, 8) == b"page 035"
    assert paging.pool.counters.read_requests == 1


def test_a_small_pool_reads_what_is_wanted_only() -> None:
    paging = stored(100, 60)
    paging.text(20, 8)
    assert paging.file.in_memory() == [20]


def test_a_pool_with_few_clean_frames_reads_what_is_wanted_only() -> None:
    paging = stored(200, 60)
    for number in range(100, 172):
        paging.make(number, b"dirty", 900 + number)
    paging.text(20, 8)
    assert [number for number in paging.file.in_memory() if number < 100] == [20]


def test_reading_ahead_ends_where_pages_are_in_memory() -> None:
    paging = stored(200, 60)
    paging.make(25, b"newer 25", 500)
    paging.text(20, 8)
    assert paging.file.in_memory() == [20, 21, 22, 23, 24, 25]
    assert paging.text(25, 8) == b"newer 25"


def test_reading_ahead_ends_where_the_file_ends() -> None:
    paging = stored(200, 60)
    paging.text(55, 8)
    assert paging.file.in_memory() == [55, 56, 57, 58, 59]


def test_a_page_behind_the_end_is_damage() -> None:
    paging = stored(200, 60)
    with pytest.raises(Damaged, match="psid03: page 60: the file ends before it"):
        paging.text(60, 8)
    assert not paging.file.reading


def test_a_damaged_page_is_refused_when_wanted_and_passed_over_when_read_ahead() -> None:
    paging = stored(200, 60)
    paging.disk.flip(PATH, 22 * PAGE_SIZE + 1000)
    assert paging.text(20, 8) == b"page 020"
    assert 22 not in paging.file.in_memory()
    assert 23 in paging.file.in_memory()
    with pytest.raises(Damaged, match="page 22: checksum does not match"):
        paging.text(22, 8)
    assert not paging.file.reading, "whoever wants it next is told again, and waits for nobody"


def test_a_page_that_lies_in_another_pages_place_is_damage() -> None:
    paging = stored(10, 5)
    image = paging.disk.content(PATH)[2 * PAGE_SIZE : 3 * PAGE_SIZE]
    paging.disk.overwrite(PATH, image, 4 * PAGE_SIZE)
    with pytest.raises(Damaged, match="page 4: holds page 2 of page set 3"):
        paging.text(4, 8)


def test_a_page_that_was_never_written_is_damage() -> None:
    paging = stored(10, 5)
    paging.disk.overwrite(PATH, bytes(PAGE_SIZE), 3 * PAGE_SIZE)
    with pytest.raises(Damaged, match="page 3: page was never written"):
        paging.text(3, 8)


def test_two_readers_of_a_page_read_it_once() -> None:
    paging = stored(10, 5)
    gate = Gate(paging)
    first, _ = reader(paging, 3)
    assert gate.reached.wait(60)
    second, _ = reader(paging, 3)
    gate.opened.set()
    first.join()
    second.join()
    assert gate.reads == 1
    assert 3 in paging.file.in_memory()
    assert not paging.file.reading


def test_a_reader_of_a_page_that_another_reads_ahead_waits_for_him() -> None:
    paging = stored(200, 60)
    gate = Gate(paging)
    first, _ = reader(paging, 20)
    assert gate.reached.wait(60)
    second, _ = reader(paging, 30)
    gate.opened.set()
    first.join()
    second.join()
    assert gate.reads == 1


def test_who_waits_for_a_read_that_fails_reads_for_himself() -> None:
    paging = stored(10, 5)
    paging.disk.flip(PATH, 3 * PAGE_SIZE + 1000)
    gate = Gate(paging)
    first, first_raised = reader(paging, 3)
    assert gate.reached.wait(60)
    second, second_raised = reader(paging, 3)
    gate.opened.set()
    first.join()
    second.join()
    assert isinstance(first_raised[0], Damaged)
    assert not second_raised or isinstance(second_raised[0], Damaged)
    with pytest.raises(Damaged):
        paging.text(3, 8)


def test_a_page_made_anew_while_it_is_read_is_not_replaced_by_the_old_one() -> None:
    paging = stored(10, 5)
    gate = Gate(paging)
    thread, raised = reader(paging, 3)
    assert gate.reached.wait(60)
    paging.make(3, b"newer 03", 900)
    gate.opened.set()
    thread.join()
    assert not raised
    assert paging.text(3, 8) == b"newer 03"
    assert paging.pool.in_use() == 1


def test_a_page_freed_while_it_is_read_is_not_installed() -> None:
    paging = stored(10, 5)
    gate = Gate(paging)
    thread, raised = reader(paging, 3)
    assert gate.reached.wait(60)
    with paging.lock:
        paging.pool.discard(paging.file, 3)
    gate.opened.set()
    thread.join()
    assert not raised
    assert 3 not in paging.file.in_memory()


def test_a_page_freed_and_read_again_while_it_is_read_keeps_the_newer_reader() -> None:
    paging = stored(10, 5)
    gate = Gate(paging)
    slow, _ = reader(paging, 3)
    assert gate.reached.wait(60)
    paging.make(3, b"newer 03", 900)
    paging.writer.flush()
    with paging.lock:
        paging.pool.resize(0)
        paging.pool.resize(10)
    assert 3 not in paging.file.in_memory()
    assert paging.text(3, 8) == b"newer 03"
    gate.opened.set()
    slow.join()
    assert paging.text(3, 8) == b"newer 03"


def test_reading_into_a_pool_of_dirty_pages_makes_room_first() -> None:
    paging = stored(4, 10)
    paging.make(1, b"dirty 01", 900)
    paging.make(2, b"dirty 02", 901)
    with paging.lock:
        paging.pool.resize(2)
    with pytest.raises(PoolFull):
        PageMissing(paging.pool, paging.file, 9).resolve()
    assert not paging.file.reading
    assert paging.text(9, 8) == b"page 009"
    assert paging.text(1, 8) == b"dirty 01"


def test_a_reader_writes_too_when_95_percent_are_dirty() -> None:
    paging = stored(40, 60)
    for number in range(37):
        paging.make(number, b"dirty %02d" % number, 900 + number)
    before = paging.pool.counters.synchronous_writes
    assert paging.text(50, 8) == b"page 050"
    assert paging.pool.counters.synchronous_writes == before
    paging.change(50, b"dirty 50", 1000)
    assert paging.text(51, 8) == b"page 051"
    assert paging.pool.counters.synchronous_writes == before + 1
    assert paging.pool.in_use() == 0


def test_an_error_of_the_disk_leaves_no_ticket_behind() -> None:
    paging = stored(10, 5)

    def fail(operation: str, _path: str, _length: int) -> None:
        if operation == "read":
            raise OSError(5, "no answer")

    paging.disk.delay = fail
    with pytest.raises(OSError, match="no answer"):
        PageMissing(paging.pool, paging.file, 3).resolve()
    assert not paging.file.reading
    paging.disk.delay = None
    assert paging.text(3, 8) == b"page 003"
