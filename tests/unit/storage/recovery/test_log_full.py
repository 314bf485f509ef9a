"""A full log: old pages are written, then the oldest unit is backed out; its owner is told and the others go on."""

import threading

import pytest
from tests.support.hosting import NAME, Notes, after_power_loss, create, lasting, opened, queue_of, small
from tests.support.simdisk import SimDisk

from kew.codes.completion import MQCC_FAILED, MQCC_WARNING
from kew.codes.errors import BackedOut, MQError, NoMessage
from kew.codes.options import MQGMO_SYNCPOINT, MQPMO_SYNCPOINT
from kew.codes.reasons import MQRC_BACKED_OUT, MQRC_RESOURCE_PROBLEM
from kew.mqi.connections.handles import Handle
from kew.mqi.local.connection import LocalConnection
from kew.qmgr.assemble import Host
from kew.storage.disk import RealDisk

CAPACITY = 5 * 64 * 4096  # of the log of a small queue manager: three primary files and two secondary ones


def fill(connection: LocalConnection, queue: Handle, size: int) -> None:
    """Write so much log."""
    log = connection.engine.log
    end = log.next_address + size
    while log.next_address < end:
        connection.put(queue, lasting(), bytes(3000))
        connection.get(queue)


def two_queues(notes: Notes | None = None) -> Host:
    host = create(SimDisk(), small(pages=4000), notes)
    queue_of(host, "Q1")
    queue_of(host, "Q2")
    return host


def test_work_without_long_units_never_fills_the_log() -> None:
    host = two_queues()
    connection, queue = opened(host)
    fill(connection, queue, 4 * CAPACITY)
    assert host.units.counters.forced_out == 0


def test_a_unit_that_holds_the_log_is_backed_out_and_takes_no_more_work() -> None:
    notes = Notes()
    host = two_queues(notes)
    owner, owners_queue = opened(host)
    owner.put(owners_queue, lasting(), b"to be gone", MQPMO_SYNCPOINT)
    worker, workers_queue = opened(host, "Q2")
    fill(worker, workers_queue, 2 * CAPACITY)
    assert host.units.counters.forced_out == 1
    assert notes.about("AMQ7469W") == [((1,), (NAME,))]
    for _ in range(2):  # until the program ends it
        with pytest.raises(BackedOut) as error:
            owner.put(owners_queue, lasting(), b"more", MQPMO_SYNCPOINT)
        assert (error.value.completion, error.value.reason) == (MQCC_FAILED, MQRC_BACKED_OUT)
        with pytest.raises(BackedOut):
            owner.get(owners_queue, MQGMO_SYNCPOINT)
    with pytest.raises(NoMessage):
        owner.get(owners_queue)
    owner.put(owners_queue, lasting(), b"out of it")
    assert owner.get(owners_queue).data == b"out of it"
    owner.backout()
    owner.put(owners_queue, lasting(), b"a new unit", MQPMO_SYNCPOINT)
    owner.commit()
    assert owner.get(owners_queue).data == b"a new unit"


@pytest.mark.parametrize("verb", ["commit", "disconnect"])
def test_a_commit_warns_that_the_unit_was_backed_out(verb: str) -> None:
    host = two_queues()
    owner, owners_queue = opened(host)
    owner.put(owners_queue, lasting(), b"to be gone", MQPMO_SYNCPOINT)
    worker, workers_queue = opened(host, "Q2")
    fill(worker, workers_queue, 2 * CAPACITY)
    calls = {"commit": owner.commit, "disconnect": owner.disconnect}
    with pytest.raises(BackedOut) as error:
        calls[verb]()
    assert (error.value.completion, error.value.reason) == (MQCC_WARNING, MQRC_BACKED_OUT)
    if verb == "commit":
        owner.commit()


def test_a_backout_of_a_unit_that_is_backed_out_is_what_was_wanted() -> None:
    host = two_queues()
    owner, owners_queue = opened(host)
    owner.put(owners_queue, lasting(), b"to be gone", MQPMO_SYNCPOINT)
    worker, workers_queue = opened(host, "Q2")
    fill(worker, workers_queue, 2 * CAPACITY)
    owner.backout()
    owner.commit()
    with pytest.raises(NoMessage):
        owner.get(owners_queue)


def test_the_oldest_unit_goes_and_the_younger_stay() -> None:
    host = two_queues()
    units = [opened(host) for _ in range(3)]
    worker, workers_queue = opened(host, "Q2")
    for number, (connection, queue) in enumerate(units):
        connection.put(queue, lasting(), b"%d" % number, MQPMO_SYNCPOINT)
        fill(worker, workers_queue, CAPACITY // 4)
    while not host.units.counters.forced_out:
        fill(worker, workers_queue, 5000)
    with pytest.raises(BackedOut):
        units[0][0].commit()
    units[1][0].commit()
    units[2][0].commit()
    connection, queue = units[0]
    assert [connection.get(queue).data for _ in range(2)] == [b"1", b"2"]


def test_a_get_comes_back_with_its_backout_count() -> None:
    host = two_queues()
    owner, owners_queue = opened(host)
    owner.put(owners_queue, lasting(), b"x")
    owner.get(owners_queue, MQGMO_SYNCPOINT)
    worker, workers_queue = opened(host, "Q2")
    fill(worker, workers_queue, 2 * CAPACITY)
    with pytest.raises(BackedOut):
        owner.commit()
    got = owner.get(owners_queue)
    assert (got.data, got.descriptor.backout_count) == (b"x", 1)


def test_a_unit_that_fills_the_log_alone_is_told_in_the_verb_that_fills_it() -> None:
    host = two_queues()
    connection, queue = opened(host)

    def fill_alone() -> None:
        for _ in range(2 * CAPACITY // 3000):
            connection.put(queue, lasting(), bytes(3000), MQPMO_SYNCPOINT)

    with pytest.raises(BackedOut):
        fill_alone()
    assert host.queues.by_name["Q1"].depth == 0
    connection.put(queue, lasting(), b"x")


@pytest.mark.parametrize("options", [0, MQPMO_SYNCPOINT], ids=["its own unit", "a unit of the program"])
def test_a_message_longer_than_the_log_is_refused_and_leaves_nothing(options: int) -> None:
    host = two_queues()
    connection, queue = opened(host)
    free = host.store.page_sets[1].space.free
    with pytest.raises(BackedOut):
        connection.put(queue, lasting(), bytes(2 * CAPACITY), options)
    assert host.queues.by_name["Q1"].depth == 0
    host.log.force(host.log.next_address)
    host.store.page_sets[1].space.release(host.log.durable)
    assert host.store.page_sets[1].space.free >= free - 1, "but for a directory page"
    connection.put(queue, lasting(), b"x")
    assert connection.get(queue).data == b"x"


def test_large_records_find_their_room_too() -> None:
    host = create(SimDisk(), small(pool=400, pages=4000))
    owner, owners_queue = queue_of(host)
    worker, workers_queue = opened(host)
    owner.put(owners_queue, lasting(), b"to be gone", MQPMO_SYNCPOINT)
    for _ in range(20):
        worker.put(workers_queue, lasting(), bytes(250_000))
        worker.get(workers_queue)
    assert host.units.counters.forced_out == 1


def test_units_in_doubt_are_kept_and_do_not_hold_the_log() -> None:
    disk = SimDisk()
    settings = small(pages=4000)
    host = create(disk, settings)
    owner, owners_queue = queue_of(host)
    owner.put(owners_queue, lasting(), b"got")
    owner.start_branch(b"branch")
    owner.put(owners_queue, lasting(), b"put", MQPMO_SYNCPOINT)
    owner.get(owners_queue, MQGMO_SYNCPOINT)
    owner.end_branch()
    owner.prepare(b"branch")
    worker, workers_queue = queue_of(host, "Q2")
    fill(worker, workers_queue, 4 * CAPACITY)
    assert host.units.counters.forced_out == 0
    host = after_power_loss(disk, settings)
    connection, queue = opened(host)
    assert connection.recover() == [b"branch"]
    connection.commit_branch(b"branch")
    assert connection.get(queue).data == b"put"
    with pytest.raises(NoMessage):
        connection.get(queue)


def test_a_log_held_by_units_in_doubt_alone_is_told_and_does_not_hang() -> None:
    host = create(SimDisk(), small(pages=8000))
    connection, queue = queue_of(host)
    for number in range(4000):
        connection.put(queue, lasting(), b"%d" % number)

    def prepare_many() -> None:
        for branch in range(100):
            connection.start_branch(b"%d" % branch)
            for _ in range(100):
                connection.get(queue, MQGMO_SYNCPOINT)
            connection.end_branch()
            connection.prepare(b"%d" % branch)

    with pytest.raises(MQError) as error:
        prepare_many()
    assert error.value.reason in (MQRC_RESOURCE_PROBLEM, MQRC_BACKED_OUT)
    branches = connection.recover()
    assert branches
    for xid in branches:
        connection.back_out_branch(xid)
    other, others_queue = opened(host)
    other.put(others_queue, lasting(), b"x")


def test_many_threads_that_meet_a_full_log_back_out_one_unit_and_go_on(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    root = str(tmp_path_factory.mktemp("qm"))
    host = create(RealDisk(), small(pages=4000), Notes(), threads=True, root=root)
    owner, owners_queue = queue_of(host)
    owner.put(owners_queue, lasting(), b"to be gone", MQPMO_SYNCPOINT)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            connection, queue = queue_of(host, f"W{number}")
            fill(connection, queue, 2 * CAPACITY)
        except BaseException as failure:
            failures.append(failure)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures
    assert host.units.counters.forced_out == 1
    with pytest.raises(BackedOut):
        owner.commit()
    host.stop()
