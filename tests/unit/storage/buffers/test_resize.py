"""ALTER BUFFPOOL while running: a pool grows at once and shrinks as its pages become clean, with no page lost."""

import threading
from random import Random

import pytest
from tests.support.hosting import Notes, create, lasting, opened, passing, queue_of, small
from tests.support.paging import Paging
from tests.support.simdisk import SimDisk

from kew.codes.errors import NoMessage
from kew.storage.buffers.pool import BufferPool
from kew.storage.disk import RealDisk


def check(pool: BufferPool) -> None:
    """Every frame is where its slot says, and in the tables where its flags say."""
    assert [frame.slot for frame in pool.frames] == list(range(len(pool.frames)))
    for slot, frame in pool.writing.items():
        assert slot == frame.slot
        assert slot < 0 or pool.frames[slot] is frame
    for queue in (pool.dirty, pool.spilled):
        dirty = queue.oldest(queue.count + 1)
        assert len(dirty) == queue.count
        assert all(frame.dirty and (frame.slot < 0 or pool.frames[frame.slot] is frame) for frame in dirty)
    first_changes = [frame.first_change for frame in pool.dirty.oldest(pool.dirty.count)]
    assert first_changes == sorted(first_changes)


def test_a_pool_grows_at_once() -> None:
    paging = Paging(20)
    for number in range(17):
        paging.make(number, b"x", 100 + number)
    with paging.lock:
        paging.pool.resize(100)
    assert (paging.pool.deferred_limit, paging.pool.synchronous_limit) == (85, 95)
    for number in range(20, 80):
        paging.make(number, b"x", 200 + number)
    assert paging.pool.in_use() == 77
    assert paging.pool.counters.synchronous_writes == 0


def test_clean_frames_go_at_once() -> None:
    paging = Paging(100)
    for number in range(80):
        paging.make(number, b"page %d" % number, 100 + number)
    paging.writer.flush()
    with paging.lock:
        paging.pool.resize(30)
    assert len(paging.pool.frames) == 30
    assert paging.pool.retiring == 0
    check(paging.pool)
    for number in range(80):
        assert paging.text(number, 6) == (b"page %d" % number)[:6]


def test_dirty_frames_go_when_they_are_written() -> None:
    paging = Paging(100)
    for number in range(80):
        paging.make(number, b"page %d" % number, 100 + number)
    with paging.lock:
        paging.pool.resize(30)
    assert len(paging.pool.frames) == 80
    check(paging.pool)
    paging.writer.flush()
    assert len(paging.pool.frames) == 30
    check(paging.pool)
    for number in range(80):
        assert paging.on_disk(number, 6) == (b"page %d" % number)[:6]


def test_dirty_frames_go_when_their_page_is_freed() -> None:
    paging = Paging(100)
    for number in range(80):
        paging.make(number, b"x", 100 + number)
    with paging.lock:
        paging.pool.resize(30)
        for number in range(0, 80, 2):
            paging.pool.discard(paging.file, number)
    assert len(paging.pool.frames) == 40
    check(paging.pool)


def test_a_put_writes_until_the_smaller_pool_has_room() -> None:
    paging = Paging(400)
    for number in range(300):
        paging.make(number, b"x", 100 + number)
    with paging.lock:
        paging.pool.resize(50)
    paging.make(1000, b"x", 9000)
    assert paging.pool.in_use() <= 48
    assert len(paging.pool.frames) <= 50


def test_the_writer_is_woken_when_the_smaller_pool_is_above_its_threshold() -> None:
    paging = Paging(100)
    written = threading.Event()
    paging.writer.force = lambda _address: written.set()
    for number in range(80):
        paging.make(number, b"x", 100 + number)
    paging.writer.start()
    with paging.lock:
        paging.pool.resize(40)
    assert written.wait(60)
    paging.writer.stop()


def test_growing_again_before_the_pool_has_shrunk() -> None:
    paging = Paging(100)
    for number in range(80):
        paging.make(number, b"x", 100 + number)
    with paging.lock:
        paging.pool.resize(30)
        paging.pool.resize(90)
    assert paging.pool.retiring == 0
    paging.writer.flush()
    assert len(paging.pool.frames) == 80


@pytest.mark.parametrize("seed", range(5))
def test_resizing_at_random_loses_no_page_and_no_order(seed: int) -> None:
    random = Random(seed)
    paging = Paging(60)
    model: dict[int, bytes] = {}
    address = 1000
    for _step in range(1500):
        address += 20
        number = random.randrange(120)
        choice = random.random()
        if choice < 0.5:
            text = b"%08d" % random.randrange(10**8)
            if number in model:
                paging.change(number, text, address)
            else:
                paging.make(number, text, address, volatile=number % 3 == 0)
            model[number] = text
        elif choice < 0.6 and number in model:
            with paging.lock:
                paging.pool.discard(paging.file, number)
            del model[number]
        elif choice < 0.7:
            paging.writer.make_room(paging.pool)
        elif choice < 0.75:
            with paging.lock:
                paging.pool.resize(random.randrange(10, 120))
        elif number in model:
            assert paging.text(number, 8) == model[number]
        check(paging.pool)
    for number, text in model.items():
        assert paging.text(number, 8) == text


def test_a_running_queue_manager_shrinks_and_grows_under_load(tmp_path_factory: pytest.TempPathFactory) -> None:
    host = create(
        RealDisk(), small(pool=300, pages=3000), Notes(), threads=True, root=str(tmp_path_factory.mktemp("qm"))
    )
    queue_of(host)
    failures: list[BaseException] = []

    def work(kind: int) -> None:
        try:
            connection, queue = opened(host)
            descriptor = lasting if kind else passing
            for round_ in range(12):
                for number in range(25):
                    connection.put(queue, descriptor(bytes([kind]) * 24), b"%d" % (round_ * 100 + number) * 50)
                for _ in range(25 if round_ % 3 else 5):
                    connection.get(queue)
        except BaseException as failure:
            failures.append(failure)

    workers = [threading.Thread(target=work, args=(kind,)) for kind in (0, 1, 0, 1)]
    for worker in workers:
        worker.start()
    pool = host.pools[1]
    for size in (60, 300, 40, 500, 50):
        with host.lock:
            pool.resize(size)
        workers[0].join(0.1)
    for worker in workers:
        worker.join()
    assert not failures
    host.writer.flush()
    assert len(pool.frames) <= 50
    check(pool)
    connection, queue = opened(host)
    left = host.queues.by_name["Q1"].depth
    assert left == 4 * (12 * 25 - 8 * 25 - 4 * 5)
    for _ in range(left):
        connection.get(queue)
    with pytest.raises(NoMessage):
        connection.get(queue)
    host.stop()


def test_a_deep_queue_stays_readable_through_a_shrink() -> None:
    host = create(SimDisk(), small(pool=400, pages=3000))
    connection, queue = queue_of(host)
    for number in range(350):
        connection.put(queue, (lasting if number % 2 else passing)(), b"message %d" % number)
    with host.lock:
        host.pools[1].resize(25)
    for number in range(350):
        assert connection.get(queue).data == b"message %d" % number
    assert len(host.pools[1].frames) <= 25
