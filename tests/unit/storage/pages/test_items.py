"""Items: one page each, or more; pages taken and given back; a page set that is full at the right message."""

import pytest
from tests.support.hosting import after_power_loss, create, lasting, opened, passing, queue_of, small, start
from tests.support.simdisk import SimDisk
from tests.support.stores import private

from kew.codes.errors import MQError
from kew.codes.options import MQGMO_SYNCPOINT, MQPMO_SYNCPOINT
from kew.codes.reasons import MQRC_PAGESET_FULL
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.qmgr.assemble import Host
from kew.storage.message import StoreFull
from kew.storage.pages.directory import ENTRIES, LIVE, Entry
from kew.storage.pages.items import LogBehind
from kew.storage.pages.pageset import EXPAND_NONE
from kew.storage.pages.spacemap import CATALOG, ITEM, VOLATILE

THE_PAGES = 20_157
THE_MESSAGES = 19_980


def settled_free(host: Host) -> int:
    """Count the free pages once the log is written."""
    host.log.force(host.log.next_address)
    space = host.store.page_sets[1].space
    space.release(host.log.durable)
    return space.free


def states(host: Host, state: int) -> int:
    return host.store.page_sets[1].space.states.count(state)


def fill(connection: LocalConnection, queue: Handle, persistent: bool, size: int, batch: int = 100) -> int:
    """Put until the page set is full; gives the number of messages that were acknowledged."""
    data = bytes(size)
    count = 0
    make = lasting if persistent else passing
    while True:
        try:
            connection.put(queue, make(), data, MQPMO_SYNCPOINT if batch > 1 else 0)
        except MQError as error:
            assert error.reason == MQRC_PAGESET_FULL
            connection.commit()
            return count
        count += 1
        if count % batch == 0:
            connection.commit()


def test_a_page_set_of_20157_pages_holds_19980_messages_of_1_kilobyte() -> None:
    host = create(SimDisk(), small(pool=3000, pages=THE_PAGES, expand=EXPAND_NONE))
    connection, queue = queue_of(host)
    count = fill(connection, queue, persistent=False, size=1024, batch=1)
    assert abs(count - THE_MESSAGES) <= THE_MESSAGES // 100
    assert host.queues.by_name["Q1"].depth == count
    with pytest.raises(MQError) as error:
        connection.put(queue, passing(), b"x")
    assert error.value.reason == MQRC_PAGESET_FULL
    connection.get(queue)
    connection.put(queue, passing(), b"one fits again")


@pytest.mark.parametrize("persistent", [True, False])
@pytest.mark.parametrize("batch", [1, 50])
def test_a_full_page_set_has_no_page_left_and_lost_none(persistent: bool, batch: int) -> None:
    pages = 600
    host = create(SimDisk(), small(pool=100, pages=pages, expand=EXPAND_NONE, log_pages=256))
    connection, queue = queue_of(host)
    count = fill(connection, queue, persistent, 1024, batch)
    assert host.queues.by_name["Q1"].depth == count
    directories = -(-count // ENTRIES)
    assert count + directories == pages - 2
    got = 0
    while host.queues.by_name["Q1"].depth:
        connection.get(queue)
        got += 1
    assert got == count


def test_the_depth_after_a_power_loss_is_what_was_acknowledged() -> None:
    disk, settings = SimDisk(), small(pool=100, pages=300, expand=EXPAND_NONE)
    host = create(disk, settings)
    connection, queue = queue_of(host)
    count = fill(connection, queue, persistent=True, size=500, batch=1)
    assert after_power_loss(disk, settings).queues.by_name["Q1"].depth == count


@pytest.mark.parametrize("size", [0, 1000, 3692, 3693, 20_000, 300_000])
@pytest.mark.parametrize("persistent", [True, False])
def test_every_page_is_given_back(persistent: bool, size: int) -> None:
    host = create(SimDisk(), small(pool=100, pages=2000))
    connection, queue = queue_of(host)
    make = lasting if persistent else passing
    free = settled_free(host)
    for number in range(5):
        connection.put(queue, make(), bytes(size), MQPMO_SYNCPOINT if number % 2 else 0)
    connection.backout()
    for _ in range(3):
        connection.get(queue, MQGMO_SYNCPOINT)
    connection.commit()
    assert host.queues.by_name["Q1"].depth == 0
    assert settled_free(host) >= free - 1, "but for one directory"
    connection.close(queue)
    host.administration.delete("Q1")
    assert settled_free(host) == free


def test_pages_are_of_the_kind_that_a_crash_must_see() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    connection.put(queue, lasting(), b"x")
    assert (states(host, ITEM), states(host, CATALOG), states(host, VOLATILE)) == (1, 1, 0)
    connection.put(queue, passing(), b"x")
    assert (states(host, ITEM), states(host, CATALOG), states(host, VOLATILE)) == (1, 1, 2)
    connection.put(queue, lasting(), bytes(10_000))
    assert (states(host, ITEM), states(host, CATALOG), states(host, VOLATILE)) == (4, 1, 2)


def test_directories_are_freed_as_they_empty() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    for number in range(5 * ENTRIES):
        connection.put(queue, lasting(), b"%d" % number)
    assert states(host, CATALOG) == 5
    for _ in range(2 * ENTRIES + 1):
        connection.get(queue)
    settled_free(host)
    assert states(host, CATALOG) == 3
    for _ in range(3 * ENTRIES - 1):
        connection.get(queue)
    settled_free(host)
    assert states(host, CATALOG) == 0


def test_a_directory_of_passing_messages_is_used_again() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    for number in range(10 * ENTRIES):
        connection.put(queue, passing(), b"%d" % number)
        connection.get(queue)
    assert host.store.counters.directories_made == 1 + 1, "and one of the definitions"
    assert states(host, VOLATILE) == 1


def test_pages_freed_by_a_record_that_is_not_on_disk_are_waited_for() -> None:
    host = create(SimDisk(), small(pages=20, expand=EXPAND_NONE))
    connection, queue = queue_of(host)
    count = fill(connection, queue, persistent=True, size=100)
    store, chain = host.store, private(host.queues.by_name["Q1"]).chains[0]
    item = host.queues.by_name["Q1"].next()
    assert item is not None
    with host.lock:
        host.queues.by_name["Q1"].take(item, None)
        entry = Entry(LIVE, 1, 0, 0, 0, 0, 999, 0, 0, 0, 0, 0)
        with pytest.raises(LogBehind) as stall:
            store.put(chain, entry, b"", b"x", None)
    stall.value.resolve()
    with host.lock:
        store.put(chain, entry, b"", b"x", None)
        with pytest.raises(StoreFull):
            store.put(chain, entry, b"", b"x", None)
    assert count == 17


def test_one_page_holds_what_fits_and_no_more() -> None:
    host = create(SimDisk(), small())
    queue_of(host)
    chain = private(host.queues.by_name["Q1"]).chain(0, False)
    entry = Entry(LIVE, 1, 0, 0, 0, 0, 999, 0, 0, 0, 0, 0)
    with host.lock, pytest.raises(ValueError, match="more than one page"):
        host.store.put(chain, entry, b"", bytes(4057), None)
    with host.lock:
        item = host.store.put(chain, entry, b"a" * 1000, b"b" * 3056, None)
        assert host.store.content(item) == b"a" * 1000 + b"b" * 3056


def test_what_the_data_manager_did_is_counted() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    counters = host.store.counters
    before = counters.items_put, counters.items_removed, counters.pages_taken, counters.pages_freed
    connection.put(queue, lasting(), bytes(10_000))
    connection.put(queue, passing(), b"x")
    connection.get(queue)
    after = counters.items_put, counters.items_removed, counters.pages_taken, counters.pages_freed
    assert [b - a for a, b in zip(before, after, strict=True)] == [2, 1, 4, 3]


def test_a_queue_far_deeper_than_its_pool_comes_back_in_order_after_a_restart() -> None:
    disk, settings = SimDisk(), small(pool=30, pages=4000, log_pages=256)
    host = create(disk, settings)
    connection, queue = queue_of(host)
    for number in range(1500):
        connection.put(queue, lasting(), b"%d" % number, MQPMO_SYNCPOINT)
        if number % 100 == 99:
            connection.commit()
    host = after_power_loss(disk, settings)
    assert len(host.pools[1].frames) <= 30
    connection, queue = opened(host)
    assert [connection.get(queue).data for _ in range(1500)] == [b"%d" % number for number in range(1500)]


def test_restart_does_not_read_message_bodies() -> None:
    disk, settings = SimDisk(), small(pool=50, pages=4000, log_pages=256)
    host = create(disk, settings)
    connection, queue = queue_of(host)
    for number in range(840):
        connection.put(queue, lasting(), b"%d" % number)
    host.stop()
    host = start(disk, settings)
    assert host.report.items == 841, "and one definition"
    assert host.pools[1].counters.reads == 0
