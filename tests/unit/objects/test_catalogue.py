"""Definitions: one item each, changed all or none, and there again after a restart."""

import pytest
from tests.support.hosting import after_power_loss, create, lasting, opened, queue_of, small, start
from tests.support.simdisk import PowerLoss, SimDisk

from kew.codes.errors import BackedOut, MQError
from kew.codes.options import MQPMO_SYNCPOINT
from kew.codes.reasons import MQRC_PAGESET_FULL
from kew.objects.catalogue import AttributeValue, Record, decode_record
from kew.qmgr.assemble import Host
from kew.qmgr.pagesets import PageSetSettings
from kew.qmgr.storageparts import EngineSettings
from kew.storage.pages.pageset import EXPAND_NONE


def record(name: str, **values: AttributeValue) -> Record:
    return Record("TEST", "THING", name, 7, values)


def change(host: Host, stored: list[Record], removed: list[str] | None = None) -> None:
    keys = [("TEST", name) for name in removed or []]
    host.catalogue.change(host.engine.run, stored, keys)


def things(host: Host) -> dict[str, dict[str, AttributeValue]]:
    return {name: each.values for (family, name), each in sorted(host.catalogue.records.items()) if family == "TEST"}


@pytest.mark.parametrize(
    "values",
    [{}, {"NUMBER": -5, "TEXT": "ünicode ⌘", "NAMES": ("A", "B"), "NUMBERS": (1, 2)}, {"LONG": "x" * 100_000}],
    ids=["nothing", "of all types", "long"],
)
def test_a_record_comes_back_as_it_was(values: dict[str, AttributeValue]) -> None:
    back = decode_record(Record("TEST", "THING", "NAME", 7, values).encode())
    assert (back.family, back.kind, back.name, back.number, back.values) == ("TEST", "THING", "NAME", 7, values)
    assert back.key == ("TEST", "NAME")


def test_definitions_survive_a_power_loss() -> None:
    disk, settings = SimDisk(), small()
    host = create(disk, settings)
    change(host, [record("A", X=1), record("B", X=2)])
    change(host, [record("A", X=3)])
    change(host, [record("C", X="long" * 5000)])
    change(host, [], ["B"])
    expected = {"A": {"X": 3}, "C": {"X": "long" * 5000}}
    assert things(host) == expected
    host = after_power_loss(disk, settings)
    assert things(host) == expected
    change(host, [record("C", X="short")])
    assert isinstance(host.disk, SimDisk)
    assert things(after_power_loss(host.disk, settings)) == {"A": {"X": 3}, "C": {"X": "short"}}


def test_definitions_survive_an_orderly_stop() -> None:
    disk, settings = SimDisk(), small()
    host = create(disk, settings)
    change(host, [record("A", X=1)])
    host.stop()
    assert things(start(disk, settings)) == {"A": {"X": 1}}


def test_many_definitions() -> None:
    disk, settings = SimDisk(), small()
    host = create(disk, settings)
    for number in range(300):
        change(host, [record(f"T{number:03}", X=number)])
    for number in range(0, 300, 2):
        change(host, [record(f"T{number:03}", X=-number)])
    expected = {f"T{number:03}": {"X": -number if number % 2 == 0 else number} for number in range(300)}
    assert things(host) == expected
    assert things(after_power_loss(disk, settings)) == expected


@pytest.mark.parametrize("long", [False, True], ids=["one page", "several pages"])
def test_a_change_cut_short_anywhere_is_there_whole_or_not_at_all(long: bool) -> None:
    settings = small()
    text = "x" * 20_000 if long else "x"
    made = SimDisk()
    change(create(made, settings), [record("A", X=1), record("B", X=1)])
    old = {"A": {"X": 1}, "B": {"X": 1}}
    new = {"A": {"X": text}, "C": {"X": text}}
    seen = []
    for stop in range(1, 40):
        disk = made.crash(keep="none")
        host = start(disk, settings)
        disk.stop_after(stop)
        try:
            change(host, [record("A", X=text), record("C", X=text)], ["B"])
        except PowerLoss:
            after = things(after_power_loss(disk, settings, "random", stop))
            assert after in (old, new)
            seen.append(after == new)
            continue
        assert things(after_power_loss(disk, settings)) == new
        break
    else:
        pytest.fail("the change was never finished")
    assert seen
    assert not seen[0]


def full(pages: int = 16) -> EngineSettings:
    return small(catalogue=PageSetSettings(pages=pages, expand=EXPAND_NONE, pool=0))


@pytest.mark.parametrize("size", [10, 20_000], ids=["one page", "several pages"])
def test_a_full_page_set_refuses_and_changes_nothing(size: int) -> None:
    disk, settings = SimDisk(), full()
    host = create(disk, settings)
    count = 0

    def define_many() -> None:
        nonlocal count
        while True:
            change(host, [record(f"T{count:03}", X="x" * size)])
            count += 1

    with pytest.raises(MQError) as error:
        define_many()
    assert error.value.reason == MQRC_PAGESET_FULL
    assert count > 0
    assert len(things(host)) == count
    assert not host.units.active
    assert host.store.reserved == 0
    change(host, [], ["T000"])
    change(host, [record("LAST", X="x" * size)])
    assert len(things(host)) == count
    assert things(after_power_loss(disk, settings)) == things(host)


def test_several_definitions_of_which_one_does_not_fit_are_all_refused() -> None:
    host = create(SimDisk(), full(pages=16))
    free = host.store.page_sets[0].space.free
    with pytest.raises(MQError):
        change(host, [record("SMALL", X=1), record("LARGE", X="x" * 100_000)])
    assert things(host) == {}
    host.log.force(host.log.next_address)
    host.store.page_sets[0].space.release(host.log.durable)
    assert host.store.page_sets[0].space.free >= free - 1, "but for the directory page"


def test_a_change_that_the_log_has_no_room_for_is_backed_out_and_said_so() -> None:
    host = create(SimDisk(), small(catalogue=PageSetSettings(pages=2000, pool=0)))
    with pytest.raises(BackedOut):
        change(host, [record("HUGE", X="x" * 3_000_000)])
    assert things(host) == {}
    change(host, [record("SMALL", X=1)])
    assert things(host) == {"SMALL": {"X": 1}}


def test_definitions_can_be_changed_while_a_unit_holds_the_log() -> None:
    host = create(SimDisk(), small())
    connection, queue = queue_of(host)
    connection.put(queue, lasting(), b"to be gone", MQPMO_SYNCPOINT)
    for number in range(500):
        change(host, [record("A", X=number)])
    assert things(host) == {"A": {"X": 499}}
    with pytest.raises(BackedOut):
        connection.commit()
    assert opened(host)
