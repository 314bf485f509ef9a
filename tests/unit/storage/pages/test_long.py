"""Long messages: in page sets full of holes, through small pools, in bounded memory."""

import tracemalloc
from random import Random

import pytest
from tests.support.hosting import Notes, after_power_loss, create, lasting, opened, passing, queue_of, small
from tests.support.simdisk import SimDisk
from tests.support.threads import Background

from kew.codes.errors import BackedOut, MQError
from kew.codes.options import MQGMO_SYNCPOINT, MQMF_SEGMENTATION_ALLOWED, MQPMO_SYNCPOINT
from kew.codes.reasons import MQRC_PAGESET_FULL
from kew.formats.mqmd import LENGTH as DESCRIPTOR_LENGTH
from kew.formats.mqmd import MessageDescriptor
from kew.mqi.delivery.longput import LongPut
from kew.mqi.puts import put as putting
from kew.mqi.puts.request import PutRequest
from kew.qmgr.assemble import Host
from kew.storage.disk import RealDisk
from kew.storage.pages.blob import RUNS_IN_FIRST_PAGE, RUNS_IN_RUN_PAGE, SINGLE_PAGE
from kew.storage.pages.item import Item
from kew.storage.pages.longitem import read_on
from kew.storage.pages.pageset import EXPAND_NONE
from kew.version import is_compiled

LONGEST = 104_857_600


def free_pages(host: Host) -> int:
    host.log.force(host.log.next_address)
    space = host.store.page_sets[1].space
    space.release(host.log.durable)
    return space.free


def with_holes(pages: int, holes: int) -> tuple[Host, SimDisk]:
    """A page set whose only free pages are holes of one page each."""
    disk = SimDisk()
    host = create(disk, small(pool=100, pages=pages, expand=EXPAND_NONE, log_pages=512))
    space = host.store.page_sets[1].space
    with host.lock:
        for number in range(2, pages):
            if space.states[number] == 0 and (number % 2 or number > 2 * holes + 20):
                space.mark(number, 1, 3)
    return host, disk


@pytest.mark.parametrize("more", [-1, 0, 1, 2])
def test_an_item_around_the_size_of_a_page_is_read_whole_by_whoever_reads_it(more: int) -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    data = Random(more).randbytes(SINGLE_PAGE + more - DESCRIPTOR_LENGTH)
    connection.put(queue, passing(), data)
    item = host.queues.by_name["Q1"].next()
    assert isinstance(item, Item)
    assert item.length == SINGLE_PAGE + more
    assert host.engine.run(lambda: read_on(host.store, item))[DESCRIPTOR_LENGTH:] == data
    assert connection.get(queue).data == data


@pytest.mark.parametrize("make", [lasting, passing])
@pytest.mark.parametrize(
    "pages", [10, RUNS_IN_FIRST_PAGE + 1, RUNS_IN_FIRST_PAGE + 2, RUNS_IN_RUN_PAGE + 2, 2 * RUNS_IN_RUN_PAGE]
)
def test_a_message_in_pages_that_lie_apart(make: type, pages: int) -> None:
    host, _disk = with_holes(4 * pages + 100, pages + 10)
    connection, queue = queue_of(host)
    before = free_pages(host)
    data = Random(pages).randbytes((pages - 1) * 4064)
    connection.put(queue, make(), data)
    item = host.queues.by_name["Q1"].next()
    assert isinstance(item, Item)
    host.engine.run(lambda: host.store.load_runs(item))
    assert all(count == 1 for _first, count in item.runs)
    assert len(item.runs) >= pages
    assert connection.get(queue).data == data
    assert free_pages(host) >= before - 1


@pytest.mark.parametrize("pages", [50, RUNS_IN_FIRST_PAGE + 20, RUNS_IN_RUN_PAGE + 20])
@pytest.mark.parametrize("end", ["commit", "backout", "power loss"])
def test_a_message_in_pages_that_lie_apart_in_a_unit(pages: int, end: str) -> None:
    host, disk = with_holes(4 * pages + 100, pages + 10)
    settings = host.settings
    connection, queue = queue_of(host)
    data = Random(pages).randbytes(pages * 4064)
    connection.put(queue, lasting(), data)
    used = free_pages(host)
    connection.get(queue, MQGMO_SYNCPOINT)
    if end == "commit":
        connection.commit()
        assert host.queues.by_name["Q1"].depth == 0
        assert free_pages(host) >= used + pages
        return
    if end == "backout":
        connection.backout()
    else:
        host.log.force(host.log.next_address)
        host = after_power_loss(disk, settings)
    connection, queue = opened(host)
    got = connection.get(queue)
    assert got.data == data
    assert got.descriptor.backout_count == 1
    assert free_pages(host) >= used + pages


def test_a_put_that_is_undone_gives_back_pages_that_lie_apart() -> None:
    pages = RUNS_IN_RUN_PAGE + 20
    host, _disk = with_holes(4 * pages + 100, pages + 10)
    connection, queue = queue_of(host)
    before = free_pages(host)
    connection.put(queue, lasting(), bytes(pages * 4064), MQPMO_SYNCPOINT)
    assert free_pages(host) < before - pages
    connection.backout()
    assert free_pages(host) >= before - 1


@pytest.mark.parametrize("make", [lasting, passing])
@pytest.mark.parametrize("options", [0, MQPMO_SYNCPOINT])
def test_a_message_that_does_not_fit_leaves_nothing(make: type, options: int) -> None:
    host = create(SimDisk(), small(pages=100, expand=EXPAND_NONE))
    connection, queue = queue_of(host)
    before = free_pages(host)
    with pytest.raises(MQError) as error:
        connection.put(queue, make(), bytes(100 * 4064), options)
    assert error.value.reason == MQRC_PAGESET_FULL
    connection.backout()
    assert free_pages(host) == before
    assert host.queues.by_name["Q1"].depth == 0
    assert not host.units.active


@pytest.mark.parametrize("make", [lasting, passing])
def test_a_put_that_is_given_up_half_way_leaves_nothing(make: type) -> None:
    disk, settings = SimDisk(), small(pool=40, pages=2000)
    host = create(disk, settings)
    connection, queue = queue_of(host)
    before = free_pages(host)
    with host.lock:
        long_put = putting.put(PutRequest(connection.connection, queue, make(), bytes(1_000_000), 0))
    assert isinstance(long_put, LongPut)
    for _ in range(5):
        done, _address = host.engine.run(lambda: putting.continue_put(connection.connection, long_put))
        assert not done
    assert host.queues.by_name["Q1"].depth == 0, "it cannot be seen before it is complete"
    host.writer.flush()
    assert after_power_loss(disk, settings).store.page_sets[1].space.free == before
    for _ in range(2):
        host.engine.run(lambda: putting.abandon_put(connection.connection, long_put))
    assert free_pages(host) == before
    assert not host.units.active


@pytest.mark.parametrize("pool", [10, 33, 200])
@pytest.mark.parametrize("make", [lasting, passing])
def test_a_message_larger_than_the_pool(make: type, pool: int) -> None:
    host = create(SimDisk(), small(pool=pool, pages=4000, log_pages=512))
    connection, queue = queue_of(host)
    texts = [Random(number).randbytes(1_000_000 + number) for number in range(3)]
    for text in texts:
        connection.put(queue, make(), text)
    for text in texts:
        assert connection.get(queue).data == text
    assert len(host.pools[1].frames) <= pool


def test_long_messages_of_several_programs_at_once_come_whole(tmp_path_factory: pytest.TempPathFactory) -> None:
    root = str(tmp_path_factory.mktemp("qm"))
    settings = small(pool=100, pages=4000, log_pages=1024)
    host = create(RealDisk(), settings, Notes(), threads=True, root=root)
    queue_of(host)

    def put(number: int) -> None:
        connection, queue = opened(host)
        for round_ in range(4):
            make = lasting if number % 2 else passing
            connection.put(queue, make(), bytes([number * 16 + round_]) * (200_000 + number))

    for call in [Background(lambda number=number: put(number)) for number in range(4)]:  # type: ignore[misc]
        call.result()
    connection, queue = opened(host)
    seen = []
    for _ in range(16):
        data = connection.get(queue).data
        assert data == data[:1] * len(data)
        assert len(data) == 200_000 + data[0] // 16
        seen.append(data[0])
    assert sorted(seen) == [number * 16 + round_ for number in range(4) for round_ in range(4)]
    for number in range(4):
        assert [each for each in seen if each // 16 == number] == [number * 16 + round_ for round_ in range(4)]
    host.stop()


def test_the_longest_message_goes_through_a_pool_of_1000_frames(tmp_path_factory: pytest.TempPathFactory) -> None:
    size = LONGEST if is_compiled() else LONGEST // 8
    root = str(tmp_path_factory.mktemp("qm"))
    host = create(RealDisk(), small(pool=1000, pages=27_000, log_pages=64), Notes(), root=root)
    connection, queue = queue_of(host)
    data = Random(1).randbytes(1 << 20) * (size >> 20)
    connection.put(queue, passing(), data)
    assert len(host.pools[1].frames) <= 1000
    got = connection.get(queue)
    assert got.data == data
    assert len(host.pools[1].frames) <= 1000
    host.stop()


def test_a_long_message_is_in_memory_no_more_often_than_it_must(tmp_path_factory: pytest.TempPathFactory) -> None:
    size = 4 << 20
    pool = 200 * 5000  # a frame is a little more than its page
    root = str(tmp_path_factory.mktemp("qm"))
    host = create(RealDisk(), small(pool=200, pages=4000, log_pages=4096), Notes(), root=root)
    connection, queue = queue_of(host)
    data = bytes(size)
    for make in (passing, lasting):
        tracemalloc.start()
        connection.put(queue, make(), data)
        left, peak = tracemalloc.get_traced_memory()
        assert peak < 1.5 * size + pool
        assert left < pool + size // 8
        tracemalloc.reset_peak()
        connection.get(queue)
        left, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 2.5 * size + pool
        assert left < pool + size // 8
    host.stop()


def test_a_put_whose_unit_is_backed_out_half_way_keeps_nobody_from_its_queue() -> None:
    host = create(SimDisk(), small(pool=40, pages=2000))
    connection, queue = queue_of(host, MAXMSGL=100_000)
    before, opens = free_pages(host), host.queues.by_name["Q1"].handles
    in_pieces = MessageDescriptor(persistence=1, message_flags=MQMF_SEGMENTATION_ALLOWED)
    request = PutRequest(connection.connection, queue, in_pieces, bytes(1_000_000), MQPMO_SYNCPOINT)
    with host.lock:
        long_put = putting.put(request)
    assert isinstance(long_put, LongPut)
    assert not host.engine.run(lambda: putting.continue_put(connection.connection, long_put))[0]
    unit = connection.connection.unit
    assert unit is not None
    unit.forced_out = True
    host.engine.run(lambda: host.units.backout(unit))
    with pytest.raises(BackedOut):
        connection.finish_put(long_put)
    assert host.queues.by_name["Q1"].handles == opens
    assert free_pages(host) == before
