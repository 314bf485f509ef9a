"""Queues are made, changed, cleared and deleted; definition and queue stay in step, also through a power loss."""

import threading

import pytest
from tests.support.hosting import Notes, after_power_loss, create, lasting, opened, passing, queue_of, small, start
from tests.support.simdisk import PowerLoss, SimDisk
from tests.support.stores import private

from kew.codes.errors import MQError, NoMessage
from kew.codes.options import MQGMO_SYNCPOINT, MQPMO_SYNCPOINT
from kew.codes.reasons import (
    MQRC_OBJECT_ALREADY_EXISTS,
    MQRC_OBJECT_IN_USE,
    MQRC_OBJECT_NAME_ERROR,
    MQRC_PAGESET_ERROR,
    MQRC_Q_NOT_EMPTY,
    MQRC_STORAGE_CLASS_ERROR,
    MQRC_UNKNOWN_OBJECT_NAME,
)
from kew.qmgr.assemble import Host
from kew.qmgr.pagesets import PageSetSettings
from kew.qmgr.storageparts import EngineSettings
from kew.storage.disk import RealDisk
from kew.storage.log import LogSettings


def reason_of(call: object) -> int:
    assert callable(call)
    with pytest.raises(MQError) as error:
        call()
    return error.value.reason


def free_pages(host: Host, number: int = 1) -> int:
    host.log.force(host.log.next_address)
    space = host.store.page_sets[number].space
    space.release(host.log.durable)
    return space.free


def two_page_sets() -> EngineSettings:
    return EngineSettings(
        log=LogSettings(file_pages=64, primary=3),
        pools={0: 60, 1: 100},
        page_sets={number: PageSetSettings(pages=256, pool=min(number, 1)) for number in range(3)},
        storage_classes={"DEFAULT": 1, "OTHER": 2, "BROKEN": 9},
    )


@pytest.mark.parametrize("name", ["", "A" * 49, "a b", "A*", "Ä", "A\0"])
def test_names_that_no_queue_may_have(name: str) -> None:
    host = create(SimDisk(), small())
    assert reason_of(lambda: host.administration.define("QLOCAL", name, {})) == MQRC_OBJECT_NAME_ERROR


@pytest.mark.parametrize("name", ["A", "a.b/c_d%E9", "A" * 48])
def test_names_that_a_queue_may_have(name: str) -> None:
    disk, settings = SimDisk(), small()
    create(disk, settings).administration.define("QLOCAL", name, {})
    assert name in after_power_loss(disk, settings).queues.by_name


def test_queues_of_all_types_share_their_names() -> None:
    host = create(SimDisk(), small())
    host.administration.define("QLOCAL", "Q1", {})
    for kind in ("QLOCAL", "QALIAS", "QMODEL"):
        assert reason_of(lambda kind=kind: host.administration.define(kind, "Q1", {})) == MQRC_OBJECT_ALREADY_EXISTS


def test_a_definition_is_replaced_by_one_of_its_type_only() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    connection.put(queue, lasting(), b"x")
    host.administration.define("QLOCAL", "Q1", {"MAXDEPTH": 5}, replace=True)
    assert host.queues.by_name["Q1"].max_depth == 5
    assert connection.get(queue).data == b"x", "its messages stay"
    again = reason_of(lambda: host.administration.define("QALIAS", "Q1", {}, replace=True))
    assert again == MQRC_OBJECT_ALREADY_EXISTS


def test_changes_take_effect_at_once_and_last() -> None:
    disk, settings = SimDisk(), small()
    host = create(disk, settings)
    connection, queue = queue_of(host)
    host.administration.alter("Q1", {"MAXDEPTH": 1, "DEFPRTY": 4, "DESCR": "changed"})
    connection.put(queue, lasting(), b"x")
    for each in (host, after_power_loss(disk, settings)):
        found = each.queues.by_name["Q1"]
        assert (found.max_depth, found.default_priority, found.depth) == (1, 4, 1)
        record = each.administration.find("Q1")
        assert record is not None
        assert record.values["DESCR"] == "changed"


def test_what_is_not_there_cannot_be_changed_deleted_or_cleared() -> None:
    administration = create(SimDisk(), small()).administration
    assert reason_of(lambda: administration.alter("Q1", {})) == MQRC_UNKNOWN_OBJECT_NAME
    assert reason_of(lambda: administration.delete("Q1")) == MQRC_UNKNOWN_OBJECT_NAME
    assert reason_of(lambda: administration.clear("Q1")) == MQRC_UNKNOWN_OBJECT_NAME


# -- clearing and deleting ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [lasting, passing])
def test_clearing_removes_all_messages_and_their_pages(make: type) -> None:
    host = create(SimDisk(), small(pool=60))
    connection, queue = queue_of(host)
    free = free_pages(host)
    for number in range(200):
        connection.put(queue, make(priority=number % 3), bytes(number * 60))
    assert reason_of(lambda: host.administration.clear("Q1")) == MQRC_OBJECT_IN_USE
    connection.disconnect()
    assert host.administration.clear("Q1") == 200
    assert host.administration.clear("Q1") == 0
    assert free - free_pages(host) <= 3, "but for a directory of each priority"
    assert host.queues.by_name["Q1"].depth == 0


def test_a_queue_with_messages_is_deleted_only_when_it_is_purged() -> None:
    disk, settings = SimDisk(), small()
    host = create(disk, settings)
    free = free_pages(host)
    connection, queue = queue_of(host)
    for _ in range(100):
        connection.put(queue, lasting(), b"x")
    connection.disconnect()
    assert reason_of(lambda: host.administration.delete("Q1")) == MQRC_Q_NOT_EMPTY
    assert host.queues.by_name["Q1"].depth == 100
    host.administration.delete("Q1", purge=True)
    assert "Q1" not in host.queues.by_name
    assert free_pages(host) == free
    again = after_power_loss(disk, settings)
    assert "Q1" not in again.queues.by_name
    assert free_pages(again) == free


def test_a_queue_with_uncommitted_messages_is_not_deleted() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    connection.put(queue, lasting(), b"x", MQPMO_SYNCPOINT)
    connection.close(queue)
    assert reason_of(lambda: host.administration.delete("Q1", purge=True)) == MQRC_OBJECT_IN_USE
    connection.commit()
    host.administration.delete("Q1", purge=True)


def test_a_queue_made_again_is_empty_and_another_one() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    connection.put(queue, lasting(), b"old")
    number = host.queues.by_name["Q1"].id
    connection.disconnect()
    host.administration.delete("Q1", purge=True)
    connection, queue = queue_of(host)
    with pytest.raises(NoMessage):
        connection.get(queue)
    assert host.queues.by_name["Q1"].id > number


def test_numbers_of_queues_are_not_used_again_after_a_restart() -> None:
    disk, settings = SimDisk(), small()
    host = create(disk, settings)
    for number in range(5):
        host.administration.define("QLOCAL", f"Q{number}", {})
    highest = host.queues.by_name["Q4"].id
    host = after_power_loss(disk, settings)
    host.administration.define("QLOCAL", "NEW", {})
    assert host.queues.by_name["NEW"].id > highest


def test_a_delete_cut_short_anywhere_leaves_the_queue_or_no_queue_and_loses_no_page() -> None:
    settings = small(pages=256)
    made = SimDisk()
    host = create(made, settings)
    free = free_pages(host)
    connection, queue = queue_of(host)
    for number in range(20):
        connection.put(queue, lasting(), bytes(number * 500))
    connection.disconnect()
    host.stop()
    for stop in range(1, 60):
        disk = made.crash(keep="none")
        host = start(disk, settings)
        disk.stop_after(stop)
        try:
            host.administration.delete("Q1", purge=True)
        except PowerLoss:
            host = after_power_loss(disk, settings, "random", stop)
            if "Q1" in host.queues.by_name:
                host.administration.delete("Q1", purge=True)
            assert free_pages(host) == free
            continue
        assert free_pages(host) == free
        return
    pytest.fail("it was never deleted")


@pytest.mark.pages
def test_a_queue_with_a_damaged_page_is_deleted_and_the_page_keeps_nobody_from_starting() -> None:
    disk, settings = SimDisk(), small(pages=256)
    host = create(disk, settings)
    free = free_pages(host)
    connection, queue = queue_of(host)
    for _ in range(3):
        connection.put(queue, lasting(), bytes(9000))
    connection.disconnect()
    item = host.engine.run(lambda: host.store.first_available(private(host.queues.by_name["Q1"]).chains[0]))
    assert item is not None
    host.stop()
    host = start(disk, settings)
    path = host.store.page_sets[1].path
    disk.flip(path, item.page * 4096 + 100)
    host.administration.delete("Q1", purge=True)
    assert host.administration.find("Q1") is None
    again = after_power_loss(disk, settings)
    assert "Q1" not in again.queues.by_name
    assert free_pages(again) < free, "what cannot be read stays where it is"
    again.administration.define("QLOCAL", "Q1", {})
    assert again.queues.by_name["Q1"].depth == 0
    again.crash()
    disk.flip(path, item.page * 4096 + 100)
    assert free_pages(after_power_loss(disk, settings)) == free, "until it can"


# -- storage classes ---------------------------------------------------------------------------------------------------


@pytest.mark.pages
def test_a_storage_class_leads_to_a_page_set() -> None:
    host = create(SimDisk(), two_page_sets())
    before = free_pages(host, 1), free_pages(host, 2)
    connection, queue = queue_of(host, STGCLASS="OTHER")
    connection.put(queue, lasting(), b"x")
    assert free_pages(host, 1) == before[0]
    assert free_pages(host, 2) == before[1] - 2


def test_a_storage_class_that_leads_nowhere() -> None:
    administration = create(SimDisk(), two_page_sets()).administration
    unknown = reason_of(lambda: administration.define("QLOCAL", "Q1", {"STGCLASS": "NONE"}))
    assert unknown == MQRC_STORAGE_CLASS_ERROR
    assert reason_of(lambda: administration.define("QLOCAL", "Q1", {"STGCLASS": "BROKEN"})) == MQRC_PAGESET_ERROR
    assert administration.find("Q1") is None


def test_a_queue_moves_to_another_page_set_while_it_was_never_used() -> None:
    disk, settings = SimDisk(), two_page_sets()
    host = create(disk, settings)
    connection, queue = queue_of(host)
    host.administration.alter("Q1", {"STGCLASS": "OTHER"})
    assert host.queues.by_name["Q1"].store.page_set.id == 2
    connection.put(queue, lasting(), b"x")
    moved = reason_of(lambda: host.administration.alter("Q1", {"STGCLASS": "DEFAULT"}))
    assert moved == MQRC_OBJECT_IN_USE
    host = after_power_loss(disk, settings)
    assert host.queues.by_name["Q1"].store.page_set.id == 2
    connection, queue = opened(host)
    assert connection.get(queue).data == b"x"


# -- many at once ------------------------------------------------------------------------------------------------------


def test_definitions_may_be_changed_by_many_while_messages_flow(tmp_path_factory: pytest.TempPathFactory) -> None:
    root = str(tmp_path_factory.mktemp("qm"))
    settings = small(pages=2000)
    host = create(RealDisk(), settings, Notes(), threads=True, root=root)
    queue_of(host)
    failures: list[BaseException] = []

    def guarded(work: object) -> threading.Thread:
        def run() -> None:
            assert callable(work)
            try:
                work()
            except BaseException as failure:
                failures.append(failure)

        return threading.Thread(target=run)

    def define(number: int) -> None:
        for round_ in range(10):
            host.administration.define("QLOCAL", f"D{number}", {"MAXDEPTH": round_})
            host.administration.alter(f"D{number}", {"MAXDEPTH": round_ + 1})
            if round_ < 9:
                host.administration.delete(f"D{number}")

    def flow() -> None:
        connection, queue = opened(host)
        for number in range(100):
            connection.put(queue, lasting(), b"%d" % number, MQPMO_SYNCPOINT)
            connection.commit()
            connection.get(queue, MQGMO_SYNCPOINT)
            connection.commit()

    threads = [guarded(lambda number=number: define(number)) for number in range(3)]
    threads += [guarded(flow) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    host.stop()
    again = start(RealDisk(), settings, root=root)
    assert sorted(again.queues.by_name) == ["D0", "D1", "D2", "Q1"]
    assert again.queues.by_name["D1"].max_depth == 10
    assert again.queues.by_name["Q1"].depth == 0
    again.stop()
