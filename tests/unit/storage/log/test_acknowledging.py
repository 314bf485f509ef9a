"""What is on disk here and what may be acknowledged: two addresses, and a rule over the copies between them."""

import threading

import pytest
from tests.support.logs import PLACES, new_disk
from tests.support.simdisk import SimDisk

from kew.storage.log import NO_ADDRESS, Log, LogAddress, LogBroken, LogSettings
from kew.storage.log.copies import held_by_all

SMALL = LogSettings(file_pages=64, primary=3, buffer_pages=18)
DUAL = LogSettings(file_pages=64, primary=3, buffer_pages=18, dual=True)


class Elsewhere:
    """A copy on another machine, which holds what the test says."""

    def __init__(self) -> None:
        self.held = NO_ADDRESS

    def rule(self, held: list[LogAddress]) -> LogAddress:
        return min([*held, self.held])


def opened(disk: SimDisk, elsewhere: Elsewhere, settings: LogSettings = SMALL) -> Log:
    return Log.open(disk, settings, PLACES, environment={}, rule=elsewhere.rule)


def test_the_rule_of_today_is_that_every_copy_holds_it() -> None:
    assert held_by_all([LogAddress(30), LogAddress(10), LogAddress(20)]) == 10
    for settings in (SMALL, DUAL):
        log = Log.open(new_disk(settings), settings, PLACES, environment={})
        log.append(1, 0, 0, b"x")
        log.force(log.next_address)
        assert log.durable == log.on_disk == log.next_address


def test_nothing_is_acknowledged_before_the_rule_says_so() -> None:
    elsewhere = Elsewhere()
    log = opened(new_disk(SMALL), elsewhere)
    begun, told = log.durable, list[LogAddress]()
    log.on_durable.append(told.append)
    log.append(1, 0, 0, b"x")
    first = log.next_address
    assert not log.request_force(first)
    log.write_pending()
    assert log.on_disk == log.next_address
    assert log.durable == begun
    assert not log.request_force(first)
    elsewhere.held = log.on_disk
    log.acknowledge()
    assert log.durable == told[-1] == log.on_disk
    assert log.request_force(first)


def test_what_is_on_disk_is_read_and_names_a_checkpoint_before_it_is_acknowledged() -> None:
    log = opened(new_disk(SMALL), Elsewhere())
    address = log.append(1, 0, 0, b"x")
    log.force_to_disk(log.next_address)
    assert [record.payload for record in log.read(address)] == [b"x"]
    assert log.record_at(address).payload == b"x"
    log.set_checkpoint(address)
    log.append(1, 0, 0, b"y")
    assert len(list(log.read(address))) == 1


@pytest.mark.parametrize("writer", [False, True])
def test_who_waits_passes_when_the_last_copy_holds_it(writer: bool) -> None:
    elsewhere = Elsewhere()
    log = opened(new_disk(DUAL), elsewhere, DUAL)
    if writer:
        log.start_writer()
    ends, takes, passed = list[LogAddress](), list[LogAddress](), list[LogAddress]()
    for _ in range(3):
        log.append(1, 0, 0, b"x")
        ends.append(log.next_address)
        log.force_to_disk(ends[-1])
        takes.append(log.on_disk)

    def wait(end: LogAddress) -> None:
        log.force(end)
        assert log.durable >= end
        passed.append(end)

    threads = [threading.Thread(target=wait, args=(end,)) for end in ends]
    for place, thread in enumerate(threads):
        thread.start()
        assert passed == ends[:place]
        elsewhere.held = takes[place]
        log.acknowledge()
        thread.join(30)
        assert not thread.is_alive()
        assert passed == ends[: place + 1]
    if writer:
        log.stop_writer()


def test_a_log_that_breaks_lets_nobody_wait_for_another_copy() -> None:
    log = opened(new_disk(SMALL), Elsewhere())
    log.append(1, 0, 0, b"x")
    end = log.next_address
    log.write_pending()
    met = list[BaseException]()

    def wait() -> None:
        try:
            log.force(end)
        except LogBroken as broken:
            met.append(broken)

    thread = threading.Thread(target=wait)
    thread.start()
    log.fail(RuntimeError("gone"))
    thread.join(30)
    assert len(met) == 1
    with pytest.raises(LogBroken):
        log.force_to_disk(LogAddress(log.on_disk + 1))


def test_a_restart_finds_what_was_on_disk_acknowledged_or_not() -> None:
    disk = new_disk(SMALL)
    log = opened(disk, Elsewhere())
    address = log.append(1, 0, 0, b"x")
    log.force_to_disk(log.next_address)
    again = Log.open(disk.crash(keep="none"), SMALL, PLACES, environment={})
    assert [record.payload for record in again.read(address)] == [b"x"]
