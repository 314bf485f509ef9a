"""Checkpoints: how far back restart reads, in which order the steps come, and that units in doubt move along."""

import pytest
from tests.support.hosting import Notes, after_power_loss, create, lasting, opened, passing, queue_of, small
from tests.support.simdisk import PowerLoss, SimDisk
from tests.support.threads import until

from kew.codes.options import MQGMO_SYNCPOINT, MQPMO_SYNCPOINT
from kew.qmgr.assemble import Host
from kew.storage.disk import RealDisk
from kew.storage.recovery.checkpoint import CheckpointRecord, unpack_checkpoint


def newest(host: Host) -> CheckpointRecord:
    return unpack_checkpoint(host.log.record_at(host.log.checkpoint).payload)


@pytest.mark.parametrize("units", [[], [(7, 1000)], [(7, 1000), (9, 1 << 60)]])
def test_a_record_comes_back_as_it_was(units: list[tuple[int, int]]) -> None:
    record = unpack_checkpoint(CheckpointRecord(5000, 1000, 99, units).pack())
    assert (record.redo, record.restart, record.next_unit, record.units) == (5000, 1000, 99, units)


def test_restart_begins_at_the_checkpoint_when_all_is_written() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    connection.put(queue, lasting(), b"x")
    host.writer.flush()
    before = host.log.next_address
    host.checkpointer.take()
    assert (newest(host).redo, newest(host).restart) == (before, before)
    assert host.log.needed == host.log.checkpoint


def test_restart_begins_before_the_oldest_page_that_is_not_written() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    host.writer.flush()
    start = host.log.next_address
    connection.put(queue, lasting(), b"x")
    host.checkpointer.take()
    assert newest(host).redo == start
    connection.put(queue, lasting(), b"y")
    host.checkpointer.take()
    assert newest(host).redo == start, "the page is still not written"


def test_restart_begins_before_the_oldest_unit() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    start = host.log.next_address
    connection.put(queue, lasting(), b"x", MQPMO_SYNCPOINT)
    host.writer.flush()
    host.checkpointer.take()
    unit = connection.connection.unit
    assert unit is not None
    assert newest(host).restart == start
    assert newest(host).redo > start
    assert newest(host).units == [(unit.id, start)]
    connection.commit()
    host.writer.flush()
    host.checkpointer.take()
    assert newest(host).restart > start


def test_passing_messages_do_not_hold_restart_back() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    host.writer.flush()
    connection.put(queue, passing(), b"x", MQPMO_SYNCPOINT)
    host.checkpointer.take()
    assert newest(host).restart == host.log.checkpoint


def test_pages_are_written_after_the_second_checkpoint() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    host.writer.flush()
    connection.put(queue, lasting(), b"x")
    pool = host.pools[1]
    dirty = pool.in_use()
    assert dirty == 3, "the message, its directory and the space map"
    host.checkpointer.take()
    assert host.writer.write_due() == 0
    host.checkpointer.take()
    assert host.writer.write_due() == dirty
    assert pool.counters.aged_writes == dirty


def test_a_checkpoint_is_due_when_a_quarter_of_the_primary_files_is_filled() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    host.checkpointer.take()
    start = host.log.next_address
    while not host.checkpointer.due():
        connection.put(queue, lasting(), bytes(3000))
        connection.get(queue)
    written = host.log.next_address - start
    assert 0 <= written - 3 * 64 * 4096 // 4 <= 16384


def test_the_next_unit_number_is_never_an_old_one() -> None:
    disk, settings = SimDisk(), small()
    host = create(disk, settings)
    connection, queue = queue_of(host)
    for _ in range(5):
        connection.put(queue, lasting(), b"x", MQPMO_SYNCPOINT)
        connection.commit()
    host.checkpointer.take()
    highest = host.units.next_id
    assert after_power_loss(disk, settings).units.next_id >= highest
    connection.put(queue, lasting(), b"x", MQPMO_SYNCPOINT)
    connection.commit()
    assert after_power_loss(disk, settings).units.next_id > highest


def test_a_unit_in_doubt_moves_along_with_the_second_checkpoint() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    connection.put(queue, lasting(), b"got")
    connection.start_branch(b"xid")
    connection.put(queue, lasting(), b"put", MQPMO_SYNCPOINT)
    connection.get(queue, MQGMO_SYNCPOINT)
    connection.end_branch()
    connection.prepare(b"xid")
    unit = host.units.in_doubt()[0]
    first = unit.first_address
    host.checkpointer.take()
    assert unit.first_address == first, "its records are not yet old"
    host.checkpointer.take()
    assert unit.first_address > first
    host.writer.flush()
    host.checkpointer.take()
    assert host.log.needed > first


@pytest.mark.parametrize("size", [10, 30000], ids=["one page", "several pages"])
@pytest.mark.parametrize("commit", [True, False], ids=["commit", "backout"])
def test_a_unit_that_has_moved_along_survives_and_is_resolved(size: int, commit: bool) -> None:
    disk, settings = SimDisk(), small()
    host = create(disk, settings)
    connection, queue = queue_of(host)
    connection.put(queue, lasting(), b"g" * size)
    connection.start_branch(b"xid")
    connection.put(queue, lasting(), b"p" * size, MQPMO_SYNCPOINT)
    connection.get(queue, MQGMO_SYNCPOINT)
    connection.end_branch()
    connection.prepare(b"xid")
    free = host.store.page_sets[1].space.free
    for _ in range(4):
        host.checkpointer.take()
        host = after_power_loss(disk, settings)
        assert isinstance(host.disk, SimDisk)
        disk = host.disk
        assert [unit.xid for unit in host.units.in_doubt()] == [b"xid"]
    assert host.store.page_sets[1].space.free == free
    connection, queue = opened(host)
    if commit:
        connection.commit_branch(b"xid")
        assert connection.get(queue).data == b"p" * size
    else:
        connection.back_out_branch(b"xid")
        got = connection.get(queue)
        assert (got.data, got.descriptor.backout_count) == (b"g" * size, 1)
    assert host.queues.by_name["Q1"].depth == 0
    assert host.queues.by_name["Q1"].uncommitted == 0


@pytest.mark.parametrize("seed", range(12))
def test_a_crash_while_a_unit_is_written_anew_leaves_it_whole(seed: int) -> None:
    disk, settings = SimDisk(), small(pages=2000)
    host = create(disk, settings)
    connection, queue = queue_of(host)
    for number in range(150):
        connection.put(queue, lasting(), b"%d" % number)
    connection.start_branch(b"xid")
    for _ in range(100):
        connection.get(queue, MQGMO_SYNCPOINT)
        connection.put(queue, lasting(), b"put", MQPMO_SYNCPOINT)
    connection.end_branch()
    connection.prepare(b"xid")
    host.checkpointer.take()
    disk.stop_after(1 + seed % 3)
    with pytest.raises(PowerLoss):
        host.checkpointer.take()
    host = after_power_loss(disk, settings, "random", seed)
    (unit,) = host.units.in_doubt()
    assert len(unit.operations) == 200
    connection, queue = opened(host)
    assert host.queues.by_name["Q1"].available() == 50
    connection.back_out_branch(b"xid")
    assert [connection.get(queue).data for _ in range(150)] == [b"%d" % number for number in range(150)]
    assert host.queues.by_name["Q1"].depth == 0


def test_the_order_of_the_steps() -> None:
    disk, settings = SimDisk(), small()
    host = create(disk, settings)
    connection, queue = queue_of(host)
    connection.put(queue, lasting(), b"x")
    host.writer.flush()
    steps: list[str] = []
    disk.delay = lambda operation, path, _length: steps.append(f"{operation} {path.rpartition('/')[2]}")
    host.checkpointer.take()
    log_sync = next(place for place, step in enumerate(steps) if step.startswith("sync S"))
    bootstrap = next(place for place, step in enumerate(steps) if "boot" in step.lower() or "BSDS" in step)
    assert log_sync < bootstrap, "the record is on disk before anything names it"


def test_the_housekeeper_takes_checkpoints_while_work_goes_on(tmp_path_factory: pytest.TempPathFactory) -> None:
    root = str(tmp_path_factory.mktemp("qm"))
    host = create(RealDisk(), small(), Notes(), threads=True, root=root)
    connection, queue = queue_of(host)
    before = host.checkpointer.last

    def work() -> bool:
        connection.put(queue, lasting(), bytes(3000))
        connection.get(queue)
        return host.checkpointer.last > before + 4 * 3 * 64 * 1024

    until(work)
    assert host.units.counters.forced_out == 0
    host.stop()
