"""Active log files: reuse, secondary files, space, and what a full device does."""

import errno

import pytest
from tests.support.logs import HEADER, PLACES, LogLedger, new_disk
from tests.support.simdisk import SimDisk

from kew.storage.disk import DiskError
from kew.storage.log import Log, LogAddress, LogDirectories, LogFull, LogSettings, LogSettingsError

EXTENT = 64 * 4096
CIRCULAR = LogSettings(file_pages=64, primary=3, secondary=2, buffer_pages=18)


def filled(ledger: LogLedger, pages: int) -> None:
    """Fill pages, a few at a time."""
    for _ in range(pages // 4):
        ledger.append(4 * 4056 - 28)
        ledger.force()


def names(ledger: LogLedger) -> list[str]:
    return [path.rsplit("/", 1)[1] for path in ledger.disk.files if path.endswith(".LOG") and "copy1" in path]


def test_the_primary_files_are_made_written_and_synced_at_creation() -> None:
    disk = new_disk(CIRCULAR).crash(keep="none")
    sizes = {path: size for path, size in disk.files.items() if path.endswith(".LOG")}
    assert sizes == {f"log/copy1/S000000{number}.LOG": HEADER + EXTENT for number in range(3)}
    assert Log.open(disk, CIRCULAR, PLACES, environment={}).next_address == 40


def test_a_circular_log_goes_round_for_ever_on_its_primary_files() -> None:
    ledger = LogLedger(new_disk(CIRCULAR), CIRCULAR)
    log = ledger.open()
    for _ in range(40):
        filled(ledger, 40)
        ledger.checkpoint()
    assert log.next_address > 8 * 3 * EXTENT
    assert names(ledger) == ["S0000000.LOG", "S0000001.LOG", "S0000002.LOG"]
    assert log.counters.secondary_formatted == 0
    assert log.counters.copies[0].new_files > 20
    assert ledger.told.ids().count("AMQ7467I") > 10
    survivor = ledger.after(ledger.disk.crash(keep="none"))
    assert survivor.opened.checkpoint == ledger.entries[-1][0]
    # What restart needs moved on after the bootstrap file was last written: it finds a little more.
    assert 1 < len(survivor.entries) < 15


def test_a_checkpoint_can_say_at_once_what_restart_needs() -> None:
    ledger = LogLedger(new_disk(CIRCULAR), CIRCULAR)
    log = ledger.open()
    filled(ledger, 40)
    address = ledger.append(40)
    ledger.force()
    log.set_checkpoint(address, needed=address)
    assert log.needed == address
    assert len(ledger.after(ledger.disk.crash(keep="none")).entries) == 1


def test_secondary_files_are_formatted_when_the_primary_ones_are_needed_and_given_back() -> None:
    ledger = LogLedger(new_disk(CIRCULAR), CIRCULAR)
    log = ledger.open()
    filled(ledger, 4 * 64)
    assert len(names(ledger)) == 5
    assert log.counters.secondary_formatted == 2
    assert ledger.told.messages[-1] == ("CSQJ905I", (5,), ("S0000004.LOG",))
    assert len(ledger.after(ledger.disk.crash(keep="none")).entries) == len(ledger.entries)
    ledger.checkpoint()
    assert len(names(ledger)) == 3
    assert ledger.told.ids().count("CSQJ906I") == 2
    assert sum(path.endswith(".LOG") for path in ledger.disk.crash(keep="none").files) == 3
    filled(ledger, 100)
    ledger.after(ledger.disk.crash(keep="none"))


def test_a_full_log_refuses_records_and_takes_them_again_once_space_is_given_up() -> None:
    ledger = LogLedger(new_disk(CIRCULAR), CIRCULAR)
    log = ledger.open()
    with pytest.raises(LogFull, match="no active log space"):
        filled(ledger, 6 * 64)
    assert log.next_address <= 5 * EXTENT + 40
    assert not log.room(4 * 4096)
    assert not log.space_room(0, 4 * 4096)
    assert log.broken is None
    entries = list(ledger.entries)
    assert len(ledger.after(ledger.disk.crash(keep="none")).entries) == len(entries)
    # Space for a checkpoint was not kept back here; what is needed moves to the last record.
    last = LogAddress(entries[-1][0])
    log.set_checkpoint(last)
    log.set_needed(last)
    assert log.space_left() > 3 * EXTENT
    assert log.space_room(9000, EXTENT)
    ledger.append(9000)
    ledger.force()
    ledger.after(ledger.disk.crash(keep="none"))


def test_space_left_is_what_can_still_be_appended() -> None:
    ledger = LogLedger(new_disk(CIRCULAR), CIRCULAR)
    log = ledger.open()
    total = log.space_left()
    assert total == 5 * EXTENT - 40
    size = 0
    while log.space_room(size, 3 * EXTENT):
        size += 4096
    assert 2 * EXTENT - 5 * 4096 < size * 4096 / 4056 < 2 * EXTENT
    count = 0
    while log.space_room(3000, 0):
        ledger.append(3000)
        ledger.force()
        count += 1
    assert count >= 5 * 64 - 4
    assert log.space_left() < 4 * 4096


def test_a_device_that_is_full_shows_as_a_full_log_and_breaks_nothing() -> None:
    ledger = LogLedger(new_disk(CIRCULAR, capacity=4 * EXTENT), CIRCULAR)
    log = ledger.open()
    with pytest.raises(LogFull):
        filled(ledger, 5 * 64)
    assert log.broken is None
    assert log.next_address > 3 * EXTENT - 5 * 4096
    told = [message for message in ledger.told.messages if message[0] == "CSQJ907E"]
    assert told
    assert told[0][1] == (errno.ENOSPC,)
    assert told[0][2][0] == "log/copy1/S0000003.LOG"
    assert "log/copy1/S0000003.LOG" not in ledger.disk.files
    # Giving up space makes it usable again, device full or not.
    last = LogAddress(ledger.entries[-1][0])
    log.set_checkpoint(last)
    log.set_needed(last)
    filled(ledger, 100)
    ledger.after(ledger.disk.crash(keep="none"))


def test_a_second_copy_that_is_full_leaves_no_half_of_a_file() -> None:
    settings = LogSettings(file_pages=64, primary=2, secondary=2, buffer_pages=18, dual=True)
    ledger = LogLedger(new_disk(settings, capacity=5 * EXTENT + 300_000), settings)
    ledger.open()
    with pytest.raises(LogFull):
        filled(ledger, 3 * 64)
    assert not [path for path in ledger.disk.files if path.endswith("S0000002.LOG")]


def test_more_primary_files_are_made_at_the_next_start() -> None:
    ledger = LogLedger(new_disk(CIRCULAR), CIRCULAR)
    ledger.open()
    filled(ledger, 20)
    ledger.settings = LogSettings(file_pages=64, primary=6, secondary=2, buffer_pages=18)
    survivor = ledger.after(ledger.disk)
    assert len(names(survivor)) == 6
    survivor.settings = CIRCULAR
    fewer = survivor.after(ledger.disk)
    assert len(names(fewer)) == 3


def test_three_hundred_and_ten_active_files_work() -> None:
    settings = LogSettings(file_pages=64, primary=310, secondary=1, buffer_pages=18)
    disk = new_disk(settings)
    log = Log.open(disk, settings, PLACES, environment={})
    assert log.space_left() == 311 * EXTENT - 40
    log.close()
    assert Log.open(disk, settings, PLACES, environment={}).space_left() == 311 * EXTENT - 40


def test_a_checkpoint_that_is_not_on_disk_is_refused() -> None:
    ledger = LogLedger(new_disk(CIRCULAR), CIRCULAR)
    log = ledger.open()
    address = ledger.append(10)
    with pytest.raises(Exception, match="not on disk"):
        log.set_checkpoint(address)
    ledger.force()
    log.set_checkpoint(address)
    assert log.checkpoint == address
    assert log.counters.checkpoints == 1


def test_what_restart_needs_never_moves_behind_the_checkpoint_or_back() -> None:
    ledger = LogLedger(new_disk(CIRCULAR), CIRCULAR)
    log = ledger.open()
    first = ledger.append(10)
    second = ledger.append(10)
    ledger.force()
    log.set_checkpoint(first)
    log.set_needed(second)
    assert log.needed == first
    log.set_checkpoint(second)
    log.set_needed(second)
    log.set_needed(first)
    assert log.needed == second


@pytest.mark.parametrize("dual", [False, True])
def test_a_creation_that_finds_no_space_leaves_nothing(dual: bool) -> None:
    settings = LogSettings(file_pages=64, primary=3, buffer_pages=18, dual=dual)
    disk = SimDisk(capacity=(5 if dual else 2) * EXTENT)
    with pytest.raises(DiskError) as failed:
        Log.create(disk, settings, PLACES)
    assert failed.value.full
    assert disk.files == {}
    assert disk.list_directory("log") == []


def test_both_copies_in_one_place_are_refused() -> None:
    settings = LogSettings(dual=True)
    with pytest.raises(LogSettingsError, match="copy2=a is not allowed"):
        Log.create(SimDisk(), settings, LogDirectories("a", "a", "b"))
