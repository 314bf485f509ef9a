"""What is written when: behind the log, twice, oldest first, after two checkpoints; and what changes meanwhile do."""

import errno
import threading
from random import Random

import pytest
from tests.support.paging import Paging
from tests.support.simdisk import PowerLoss

from kew.storage.buffers.deferred import BATCH_PAGES, PAGES_A_BATCH
from kew.storage.disk import DiskError
from kew.storage.page import DATA, PAGE_SIZE

NOWHERE = 1 << 60  # what `redo_address` gives when nothing is unwritten


def test_a_page_is_written_only_after_the_log_up_to_its_newest_change() -> None:
    paging = Paging(100)
    paging.make(1, b"one", 700)
    paging.make(2, b"two", 900)
    paging.change(1, b"ONE", 800)
    at_force: list[int] = []
    paging.writer.force = lambda address: at_force.append(paging.file.file.size())
    paging.writer.flush()
    assert at_force == [0], "the log is forced once, before anything is in the file"
    assert (paging.on_disk(1, 3), paging.on_disk(2, 3)) == (b"ONE", b"two")


def test_the_log_is_forced_to_the_newest_change_of_the_batch() -> None:
    paging = Paging(100)
    paging.make(1, b"one", 700)
    paging.make(2, b"two", 900)
    paging.change(1, b"ONE", 950)
    paging.writer.flush()
    assert paging.forced == [950]


def test_pages_are_synced_in_the_double_write_file_before_they_are_written_home() -> None:
    paging = Paging(100)
    paging.make(5, b"five", 100)
    steps: list[tuple[str, str]] = []
    paging.disk.delay = lambda operation, path, _length: steps.append((operation, path))
    paging.writer.flush()
    assert steps == [
        ("write", "/pages/double"),
        ("sync", "/pages/double"),
        ("write", "/pages/psid03"),
        ("sync", "/pages/psid03"),
    ]


def test_pages_that_hold_messages_need_no_double_write() -> None:
    paging = Paging(100)
    paging.make(5, b"five", 100, kind=DATA)
    steps: list[tuple[str, str]] = []
    paging.disk.delay = lambda operation, path, _length: steps.append((operation, path))
    paging.writer.flush()
    assert paging.forced == [100]
    assert steps == [("write", "/pages/psid03"), ("sync", "/pages/psid03")]


def test_pages_of_passing_messages_are_written_without_log_double_write_or_sync() -> None:
    paging = Paging(100)
    paging.make(5, b"five", 0, volatile=True)
    steps: list[tuple[str, str]] = []
    paging.disk.delay = lambda operation, path, _length: steps.append((operation, path))
    paging.writer.flush()
    assert steps == [("write", "/pages/psid03")]
    assert paging.forced == []


def test_neighbouring_pages_go_in_one_write() -> None:
    paging = Paging(100)
    for number in (4, 9, 3, 5, 8):
        paging.make(number, b"x", 100 + number)
    writes: list[tuple[str, int]] = []
    paging.disk.delay = lambda operation, path, length: writes.append((operation, length))
    paging.writer.flush()
    assert [length // PAGE_SIZE for operation, length in writes if operation == "write"] == [6, 3, 2]
    assert paging.pool.counters.write_requests == 2
    assert paging.pool.counters.pages_written == 5


def test_a_batch_has_at_most_128_pages_and_takes_the_oldest() -> None:
    paging = Paging(400)
    for number in range(300):
        paging.make(number, b"x", 100 + number)
    paging.writer.make_room(paging.pool)
    assert paging.pool.in_use() == 300 - BATCH_PAGES
    assert min(frame.number for frame in paging.pool.dirty.oldest(paging.pool.dirty.count)) == BATCH_PAGES


def test_at_restart_many_batches_share_a_sync_and_later_a_put_writes_one() -> None:
    paging = Paging(4 * PAGES_A_BATCH)
    for number in range(2, 2 + 10 * BATCH_PAGES):
        paging.make(number, b"page", number, kind=DATA)
    syncs: list[str] = []
    paging.disk.delay = lambda operation, path, _length: syncs.append(path) if operation == "sync" else None
    paging.writer.make_room(paging.pool)
    assert (paging.pool.in_use(), len(syncs)) == (5 * BATCH_PAGES, 1), "a batch for each 1,024 frames, and one more"
    paging.writer.start()
    try:
        paging.writer.make_room(paging.pool)
    finally:
        paging.writer.stop()
    assert (paging.pool.in_use(), len(syncs)) == (4 * BATCH_PAGES, 2)


def test_pages_are_written_when_two_checkpoints_have_passed() -> None:
    paging = Paging(100)
    paging.make(1, b"old", 100)
    paging.pool.checkpoint += 1
    paging.make(2, b"young", 200)
    assert paging.writer.write_due() == 0
    paging.pool.checkpoint += 1
    assert paging.writer.write_due() == 1
    assert paging.pool.counters.aged_writes == 1
    assert [frame.number for frame in paging.pool.dirty.oldest(paging.pool.dirty.count)] == [2]


def test_a_page_that_is_changed_again_is_as_old_as_its_first_change() -> None:
    paging = Paging(100)
    paging.make(1, b"old", 100)
    paging.pool.checkpoint += 2
    paging.change(1, b"new", 200)
    assert paging.writer.write_due() == 1


def test_pages_of_passing_messages_age_too() -> None:
    paging = Paging(100)
    paging.make(1, b"old", 0, volatile=True)
    paging.pool.checkpoint += 2
    assert paging.writer.write_due() == 1


def test_restart_begins_at_the_oldest_change_that_is_not_on_disk() -> None:
    paging = Paging(100)
    assert paging.pool.redo_address(NOWHERE) == NOWHERE
    paging.make(1, b"x", 110)
    paging.make(2, b"x", 120)
    paging.change(1, b"y", 500)
    assert paging.pool.redo_address(NOWHERE) == 100
    paging.writer.flush_recoverable(105)
    assert paging.pool.redo_address(NOWHERE) == 110
    paging.writer.flush()
    assert paging.pool.redo_address(NOWHERE) == NOWHERE


def test_pages_of_passing_messages_do_not_hold_restart_back() -> None:
    paging = Paging(100)
    paging.make(1, b"x", 0, volatile=True)
    assert paging.pool.redo_address(NOWHERE) == NOWHERE
    during: list[int] = []
    paging.disk.delay = lambda *_: during.append(paging.pool.redo_address(NOWHERE))
    paging.writer.flush()
    assert during == [NOWHERE]


def test_a_change_during_the_write_leaves_the_page_dirty_from_that_change_on() -> None:
    paging = Paging(100)
    during: list[int] = []

    def change(_address: int) -> None:
        paging.change(1, b"new", 610)
        during.append(paging.pool.redo_address(NOWHERE))

    paging.make(1, b"old", 110)
    paging.writer.force = change
    paging.writer.make_room(paging.pool)
    assert during == [100], "until the copy is on disk, the old change is still needed"
    assert paging.on_disk(1, 3) == b"old"
    assert paging.pool.redo_address(NOWHERE) == 600
    paging.writer.force = paging.force
    paging.writer.flush()
    assert paging.on_disk(1, 3) == b"new"


def test_a_page_that_is_changed_all_the_time_does_not_keep_the_writer_busy() -> None:
    paging = Paging(100)
    address = 1000
    batches = 0

    def change(_address: int) -> None:
        nonlocal address, batches
        address += 100
        batches += 1
        paging.change(1, b"hot", address)

    paging.make(1, b"hot", 110)
    paging.writer.force = change
    for _ in range(5):
        paging.pool.checkpoint += 2
        paging.writer.write_due()
        paging.writer.flush_recoverable(address)
    assert batches == 10, "one batch for each call, though the page was never clean"
    assert paging.pool.redo_address(NOWHERE) == address - 10


def test_a_page_is_not_stolen_while_it_is_written() -> None:
    paging = Paging(4)
    paging.make(1, b"one", 110)

    def need_frames(_address: int) -> None:
        for number in (11, 12, 13):
            with paging.lock:
                paging.pool.ensure(1)
                paging.pool.new_page(paging.file, number, 4, 20, True)
        assert 1 in paging.file.in_memory()

    paging.writer.force = need_frames
    paging.writer.make_room(paging.pool)
    assert paging.on_disk(1, 3) == b"one"


def test_a_page_that_is_freed_during_the_write_is_forgotten() -> None:
    paging = Paging(4)
    paging.make(1, b"one", 110)

    def free(_address: int) -> None:
        with paging.lock:
            paging.pool.discard(paging.file, 1)
        assert paging.pool.in_use() == 0
        paging.make(2, b"two", 210)

    paging.writer.force = free
    paging.writer.make_room(paging.pool)
    assert paging.pool.in_use() == 1, "the frame that page 2 has got is still dirty"
    paging.writer.force = paging.force
    paging.writer.flush()
    assert paging.on_disk(2, 3) == b"two"


def test_a_write_that_fails_is_told_and_leaves_the_page_needed() -> None:
    paging = Paging(100)
    told: list[BaseException] = []
    paging.writer.on_failure = told.append
    paging.make(1, b"one", 110)
    paging.disk.fail(3, errno.EIO)
    with pytest.raises(DiskError, match="write of /pages/psid03"):
        paging.writer.flush()
    assert [type(each) for each in told] == [DiskError]
    assert paging.pool.redo_address(NOWHERE) == 100


def test_the_thread_writes_when_it_is_woken_and_ends_when_it_is_told() -> None:
    paging = Paging(100)
    done = threading.Event()
    paging.writer.force = lambda _address: done.set()
    paging.writer.start()
    for number in range(85):
        paging.make(number, b"x", 100 + number)
    assert done.wait(60)
    paging.writer.stop()
    assert paging.on_disk(0, 1) == b"x"


@pytest.mark.parametrize("seed", range(20))
def test_after_a_power_loss_every_page_is_whole_at_home_or_in_the_double_write_file(seed: int) -> None:
    paging = Paging(100)
    for number in range(10):
        paging.make(number, b"first %d" % number, 100 + number)
    paging.writer.flush()
    for number in range(10):
        paging.change(number, b"other %d" % number, 200 + number)
    paging.disk.stop_after(1 + seed % 4)
    with pytest.raises(PowerLoss):
        paging.writer.flush()
    left = paging.disk.crash(Random(seed))
    home = left.content("/pages/psid03")
    twice = left.content("/pages/double")
    for number in range(10):
        images = [home[number * PAGE_SIZE : (number + 1) * PAGE_SIZE]]
        images += [twice[start : start + PAGE_SIZE] for start in range(0, len(twice), PAGE_SIZE)]
        assert any(len(image) == PAGE_SIZE and not paging.file.check(number, image) for image in images)
