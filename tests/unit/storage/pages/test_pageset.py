"""Page sets: how they are made, opened and refused, and how they grow."""

import errno
import threading

import pytest
from librt.threading import Lock
from tests.support.hosting import Notes, after_power_loss, create, lasting, opened, passing, queue_of, small
from tests.support.simdisk import Keep, PowerLoss, SimDisk

from kew.codes.errors import MQError
from kew.codes.reasons import MQRC_PAGESET_FULL
from kew.storage.buffers.pagefile import seal
from kew.storage.buffers.pool import BufferPool
from kew.storage.disk import RealDisk
from kew.storage.fileheader import FileRefused, Identity
from kew.storage.page import PAGE_SIZE
from kew.storage.pages.pageset import (
    EXPAND_NONE,
    EXPAND_SYSTEM,
    EXPAND_USER,
    MAXIMUM_PAGES,
    RETRY_SECONDS,
    PageSet,
    PageSetMustGrow,
)
from kew.storage.pages.spacemap import GROUP, ITEM
from kew.storage.stall import Damaged

PATH = "/sets/psid04"
QM1 = Identity("QM1", b"1" * 16)


def made(pages: int = 100, expand: int = EXPAND_NONE, secondary: int = 0, disk: SimDisk | None = None) -> SimDisk:
    disk = disk or SimDisk()
    disk.make_directory("/sets")
    PageSet.create(disk, PATH, 4, pages, expand, secondary, QM1, 0)
    return disk


def opened_set(disk: SimDisk, owner: Identity = QM1, number: int = 4) -> PageSet:
    page_set = PageSet(number, PATH, disk.open(PATH), BufferPool(1, 50, Lock()), owner)
    page_set.open_header()
    page_set.open_maps()
    return page_set


@pytest.mark.parametrize("pages", [16, GROUP, GROUP + 1, 3 * GROUP])
def test_a_new_page_set_is_all_free(pages: int) -> None:
    disk = made(pages, EXPAND_USER, 77)
    page_set = opened_set(disk)
    assert disk.files[PATH] == pages * PAGE_SIZE
    assert (page_set.created_pages, page_set.expand, page_set.secondary) == (pages, EXPAND_USER, 77)
    assert page_set.space.pages == pages
    assert page_set.space.free == pages - 1 - page_set.space.groups()
    assert len(page_set.maps) == page_set.space.groups()


def test_a_creation_cut_short_anywhere_leaves_a_whole_page_set_or_none() -> None:
    for stop in range(1, 100):
        disk = SimDisk()
        disk.make_directory("/sets")
        disk.stop_after(stop)
        try:
            made(2 * GROUP, disk=disk)
        except PowerLoss:
            left = disk.crash()
            if left.exists(PATH):
                assert opened_set(left).space.free == 2 * GROUP - 3
            else:
                assert opened_set(made(2 * GROUP, disk=left)).space.free == 2 * GROUP - 3
            continue
        assert opened_set(disk.crash(keep="none")).space.free == 2 * GROUP - 3
        return
    pytest.fail("it was never made")


def test_states_of_pages_come_back() -> None:
    disk = made(2 * GROUP)
    page_set = opened_set(disk)
    page_set.space.mark(GROUP + 10, 5, ITEM)
    for frame in page_set.maps:
        page_set.file.pwrite(seal(page_set.image(frame)), frame.number * PAGE_SIZE)
    again = opened_set(disk)
    assert again.space.states == page_set.space.states
    assert again.space.free == page_set.space.free


@pytest.mark.parametrize("place", [40, PAGE_SIZE + 100, GROUP * PAGE_SIZE + 50], ids=["header", "first map", "map"])
def test_damage_of_the_header_or_a_map_is_found(place: int) -> None:
    disk = made(2 * GROUP)
    disk.flip(PATH, place)
    with pytest.raises(Damaged, match="checksum does not match"):
        opened_set(disk)


@pytest.mark.parametrize("page", [0, 1, GROUP])
def test_an_empty_page_where_the_header_or_a_map_was_is_damage(page: int) -> None:
    disk = made(2 * GROUP)
    disk.overwrite(PATH, bytes(PAGE_SIZE), page * PAGE_SIZE)
    with pytest.raises(Damaged, match=f"page {page}: page was never written"):
        opened_set(disk)


def test_a_file_that_is_too_short_is_damage() -> None:
    disk = made(2 * GROUP)
    disk.open(PATH).truncate(GROUP * PAGE_SIZE)
    with pytest.raises(Damaged, match=f"page {GROUP}: the file ends before it"):
        opened_set(disk)


def test_somebody_elses_page_set_is_refused() -> None:
    disk = made()
    with pytest.raises(FileRefused, match="found a file of queue manager QM1"):
        opened_set(disk, owner=Identity("QM2", QM1.key))
    with pytest.raises(FileRefused, match="found a file of queue manager QM1"):
        opened_set(disk, owner=Identity("QM1", b"2" * 16))
    with pytest.raises(FileRefused, match="found 'Kew page set' number 4"):
        opened_set(disk, number=5)
    disk.overwrite(PATH, b"something else".ljust(PAGE_SIZE, b"."))
    with pytest.raises(FileRefused, match="unknown format that begins with b'something else"):
        opened_set(disk)


def test_a_file_that_grew_without_its_map_is_free_there() -> None:
    disk = made(100, EXPAND_SYSTEM)
    disk.open(PATH).allocate((GROUP + 50) * PAGE_SIZE)
    page_set = opened_set(disk)
    assert page_set.space.pages == GROUP + 50
    assert page_set.space.free == GROUP + 50 - 3


# -- growing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", [1, GROUP - 100, GROUP - 99, 2 * GROUP - 100, 2 * GROUP])
def test_a_page_set_that_grows_has_a_map_page_for_each_group_and_no_more(more: int) -> None:
    page_set = opened_set(made(100))
    page_set.cover(99 + more)
    assert page_set.space.pages == 100 + more
    assert len(page_set.maps) == page_set.space.groups() == -(-(100 + more) // GROUP)


@pytest.mark.parametrize(
    ("expand", "secondary", "pages", "step"),
    [
        (EXPAND_USER, 50, 1000, 50),
        (EXPAND_USER, 0, 100, 256),
        (EXPAND_SYSTEM, 50, 100, 256),
        (EXPAND_SYSTEM, 0, 10000, 1000),
    ],
)
def test_how_much_a_page_set_grows(expand: int, secondary: int, pages: int, step: int) -> None:
    page_set = opened_set(made(pages, expand, secondary))
    assert page_set.may_expand()
    assert page_set.expansion() == step
    PageSetMustGrow(page_set, 1).resolve()
    assert page_set.space.pages == pages + step
    assert page_set.file.size() == (pages + step) * PAGE_SIZE
    assert page_set.expansions == 1


def test_a_long_message_makes_it_grow_by_what_it_needs() -> None:
    page_set = opened_set(made(100, EXPAND_USER, 10))
    PageSetMustGrow(page_set, 500).resolve()
    assert page_set.space.pages == 600


def test_two_who_meet_a_full_page_set_make_it_grow_once() -> None:
    page_set = opened_set(made(100, EXPAND_USER, 10))
    first, second = PageSetMustGrow(page_set, 1), PageSetMustGrow(page_set, 1)
    first.resolve()
    second.resolve()
    assert page_set.space.pages == 110
    assert page_set.expansions == 1


def test_no_page_set_is_larger_than_64_gigabytes() -> None:
    page_set = opened_set(made(100, EXPAND_SYSTEM))
    page_set.space.states = bytearray(MAXIMUM_PAGES - 5)
    assert page_set.expansion() == 5
    page_set.space.states = bytearray(MAXIMUM_PAGES)
    assert not page_set.may_expand()


def test_a_full_disk_makes_it_full_and_is_counted() -> None:
    disk = made(100, EXPAND_SYSTEM)
    page_set = opened_set(disk)
    disk.fail(1, errno.ENOSPC)
    PageSetMustGrow(page_set, 1).resolve()
    assert (page_set.space.pages, page_set.failed_expansions) == (100, 1)
    assert not page_set.may_expand()
    again = opened_set(disk)
    assert again.may_expand(), "the next start tries again"


def test_a_page_set_grows_again_by_itself_when_the_disk_has_room() -> None:
    disk = made(100, EXPAND_SYSTEM)
    page_set = opened_set(disk)
    now = 1000.0
    page_set.clock = lambda: now
    for failures in (1, 2):
        disk.fail(1, errno.ENOSPC)
        PageSetMustGrow(page_set, 1).resolve()
        assert (page_set.space.pages, page_set.failed_expansions, page_set.expand) == (100, failures, EXPAND_SYSTEM)
        assert not page_set.may_expand()
        now += RETRY_SECONDS - 0.1
        assert not page_set.may_expand()
        now += 0.2
        assert page_set.may_expand()
    PageSetMustGrow(page_set, 1).resolve()
    assert (page_set.space.pages, page_set.may_expand()) == (356, True)


def test_messages_are_put_again_after_room_was_made_on_the_disk() -> None:
    disk = SimDisk(capacity=12 << 20)
    host = create(disk, small(pages=64, pool=100))
    connection, queue = queue_of(host)
    now = 0.0
    host.store.page_sets[1].clock = lambda: now
    now = 1.0

    def put_many(count: int) -> None:
        for _ in range(count):
            connection.put(queue, passing(), bytes(3000))

    with pytest.raises(MQError) as error:
        put_many(10_000)
    assert error.value.reason == MQRC_PAGESET_FULL
    disk.capacity = 1 << 30
    with pytest.raises(MQError):
        put_many(1)
    now += RETRY_SECONDS
    put_many(500)


@pytest.mark.parametrize("make", [lasting, passing])
def test_messages_are_put_until_the_disk_is_full(make: type) -> None:
    disk = SimDisk(capacity=12 << 20)
    host = create(disk, small(pages=64, pool=100))
    connection, queue = queue_of(host)
    count = 0

    def put_many() -> None:
        nonlocal count
        while True:
            connection.put(queue, make(), b"%d" % count)
            count += 1

    with pytest.raises(MQError) as error:
        put_many()
    assert error.value.reason == MQRC_PAGESET_FULL
    assert count > 1000
    assert host.queues.by_name["Q1"].depth == count
    assert [connection.get(queue).data for _ in range(count)] == [b"%d" % number for number in range(count)]
    connection.put(queue, make(), b"room again")


def test_a_page_set_that_grew_is_there_after_a_power_loss() -> None:
    disk, settings = SimDisk(), small(pages=32, expand=EXPAND_USER, secondary=20)
    connection, queue = queue_of(create(disk, settings))
    for number in range(200):
        connection.put(queue, lasting(), b"%d" % number)
    keeps: list[Keep] = ["none", "all"]
    for keep in keeps:
        host = after_power_loss(disk, settings, keep)
        connection, queue = opened(host)
        assert [connection.get(queue).data for _ in range(200)] == [b"%d" % number for number in range(200)]


def test_many_threads_fill_and_grow_a_page_set(tmp_path_factory: pytest.TempPathFactory) -> None:
    root = str(tmp_path_factory.mktemp("qm"))
    settings = small(pages=32, pool=100, expand=EXPAND_USER, secondary=7)
    host = create(RealDisk(), settings, Notes(), threads=True, root=root)
    queue_of(host)
    failures: list[BaseException] = []

    def work(kind: int) -> None:
        try:
            connection, queue = opened(host)
            for number in range(100):
                connection.put(queue, (lasting if kind % 2 else passing)(), bytes(number * 60))
        except BaseException as failure:
            failures.append(failure)

    workers = [threading.Thread(target=work, args=(kind,)) for kind in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures
    assert host.queues.by_name["Q1"].depth == 600
    page_set = host.store.page_sets[1]
    assert page_set.file.size() == page_set.space.pages * PAGE_SIZE
    assert page_set.space.free == page_set.space.states.count(0)
    host.stop()
