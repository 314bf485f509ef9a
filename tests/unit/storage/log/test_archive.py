"""Linear logs: full extents are archived, read back from the archive, and given up only then."""

import errno

import pytest
from tests.support.clock import FakeClock
from tests.support.logs import HEADER, PLACES, LogLedger, Told, entry_of, new_disk

from kew.storage.disk import DiskError
from kew.storage.log import Log, LogAddress, LogDamaged, LogError, LogSettings
from kew.storage.log.archive import TOLD_EVERY

EXTENT = 64 * 4096
LINEAR = LogSettings(file_pages=64, primary=2, secondary=1, buffer_pages=18, log_type="linear")
KEPT = LogSettings(file_pages=64, primary=2, secondary=1, buffer_pages=18, log_type="linear", archive=False)


def filled(ledger: LogLedger, extents: float) -> None:
    for _ in range(int(extents * 16)):
        ledger.append(4 * 4056 - 28)
        ledger.force()


def archives(ledger: LogLedger) -> list[str]:
    return [path for path in ledger.disk.files if "archive" in path]


def test_full_extents_are_archived_and_read_back_without_a_seam() -> None:
    ledger = LogLedger(new_disk(LINEAR), LINEAR)
    log = ledger.open()
    filled(ledger, 3.5)
    ledger.checkpoint()
    filled(ledger, 4)
    # The active files of the first extents hold others by now.
    assert archives(ledger) == [f"log/archive/A000000{number}.LOG" for number in range(7)]
    found = [entry_of(record) for record in log.read(LogAddress(0))]
    assert found == ledger.entries
    counters = log.counters
    assert counters.archive_writes == 7
    assert counters.pages_offloaded == 7 * 64
    assert counters.reads_archive >= 3
    assert counters.archive_reads >= 3
    assert counters.reads_active > 0
    assert log.record_at(LogAddress(40)).payload == ledger.entries[0][6]
    assert ("CSQJ908I", (), ("log/archive/A0000000.LOG", f"{0:#018x}", f"{EXTENT - 1:#018x}")) in ledger.told.messages
    for number in range(7):
        assert log.verify_archive(number)


def test_archives_survive_what_the_power_loss_takes() -> None:
    ledger = LogLedger(new_disk(LINEAR), LINEAR)
    ledger.open()
    filled(ledger, 3.5)
    ledger.checkpoint()
    filled(ledger, 3)
    survivor = LogLedger(ledger.disk.crash(keep="none"), LINEAR)
    log = survivor.open()
    assert [entry_of(record) for record in log.read(LogAddress(0))] == ledger.entries
    assert all(log.verify_archive(number) for number in range(6))


def test_what_is_archived_is_not_archived_again_after_a_crash() -> None:
    ledger = LogLedger(new_disk(LINEAR), LINEAR)
    ledger.open()
    filled(ledger, 1.2)
    assert ledger.told.ids().count("CSQJ908I") == 1
    survivor = ledger.after(ledger.disk.crash(keep="none"))
    assert "CSQJ908I" not in survivor.told.ids()


def test_an_extent_that_cannot_be_archived_stays_active_and_is_tried_again() -> None:
    ledger = LogLedger(new_disk(LINEAR), LINEAR)
    log = ledger.open()
    filled(ledger, 0.9)
    ledger.disk.capacity = ledger.disk.capacity - ledger.disk.free_bytes("") + EXTENT // 2
    filled(ledger, 0.8)
    ledger.checkpoint()
    assert log.counters.archive_failures >= 1
    failed = [message for message in ledger.told.messages if message[0] == "CSQJ909E"]
    assert failed[0][1] == (errno.ENOSPC,)
    assert archives(ledger) == []
    ledger.disk.capacity = 1 << 40
    log.maintain()
    assert archives(ledger) == ["log/archive/A0000000.LOG"]
    assert log.broken is None
    ledger.after(ledger.disk.crash(keep="none"))


def test_an_archive_that_is_full_is_told_once_a_minute() -> None:
    clock = FakeClock()
    disk = new_disk(LINEAR)
    told = Told()
    log = Log.open(disk, LINEAR, PLACES, told, clock=clock, environment={})
    disk.delay = refuse
    while log.counters.archive_failures < 3:
        log.append(1, 0, 0, bytes(40_000))
        log.force(log.next_address)
        log.maintain()
    assert told.ids().count("CSQJ909E") == 1
    assert "log/archive takes no log file: No space left on device" in log.archive_trouble
    clock.advance(TOLD_EVERY)
    log.maintain()
    log.maintain()
    assert told.ids().count("CSQJ909E") == 2
    disk.delay = None
    log.maintain()
    assert log.archive_trouble == ""
    assert log.is_archived(0)


def refuse(operation: str, path: str, length: int) -> None:
    """Let the archive's device be full."""
    if "/archive" in path and operation in ("write", "allocate"):
        raise DiskError(path, operation, errno.ENOSPC)


def test_damage_to_an_archive_is_named() -> None:
    ledger = LogLedger(new_disk(LINEAR), LINEAR)
    log = ledger.open()
    filled(ledger, 2.5)
    ledger.checkpoint()
    filled(ledger, 2)
    ledger.disk.flip("log/archive/A0000000.LOG", HEADER + 5 * 4096 + 100)
    assert not log.verify_archive(0)
    with pytest.raises(LogDamaged) as damaged:
        list(log.read(LogAddress(0)))
    assert (damaged.value.path, damaged.value.offset) == ("log/archive/A0000000.LOG", 5 * 4096)
    ledger.disk.delete("log/archive/A0000001.LOG")
    with pytest.raises(LogDamaged) as lost:
        log.record_at(LogAddress(EXTENT + 40))
    assert lost.value.path == "log/archive/A0000001.LOG"


def test_an_archive_can_be_removed_and_is_then_gone() -> None:
    ledger = LogLedger(new_disk(LINEAR), LINEAR)
    log = ledger.open()
    filled(ledger, 2.5)
    ledger.checkpoint()
    filled(ledger, 2)
    assert log.oldest_address == 0
    log.remove_archive(0)
    assert "log/archive/A0000000.LOG" not in ledger.disk.files
    assert log.oldest_address == EXTENT
    with pytest.raises(LogError, match="in no log file and in no archive"):
        log.record_at(LogAddress(40))
    with pytest.raises(LogError, match="not archived"):
        log.remove_archive(0)
    survivor = LogLedger(ledger.disk.crash(keep="none"), LINEAR)
    assert survivor.open().oldest_address == EXTENT
    assert "log/archive/A0000000.LOG" not in survivor.disk.files  # nobody would ever remove it


def test_without_archiving_extents_are_kept_until_media_recovery_gives_them_up() -> None:
    ledger = LogLedger(new_disk(KEPT), KEPT)
    log = ledger.open()
    filled(ledger, 5)
    ledger.checkpoint()
    count = len(ledger.disk.files)
    log.maintain()
    assert len(ledger.disk.files) == count
    assert archives(ledger) == []
    log.set_needed(log.needed, media=log.needed)
    assert ledger.told.ids()[-1] == "AMQ7468I"
    log.maintain()
    assert len(ledger.disk.files) < count
    ledger.after(ledger.disk.crash(keep="none"))


def test_a_damaged_page_is_archived_from_the_other_copy() -> None:
    settings = LogSettings(file_pages=64, primary=2, secondary=1, buffer_pages=18, log_type="linear", dual=True)
    ledger = LogLedger(new_disk(settings), settings)
    log = ledger.open()
    filled(ledger, 0.9)
    ledger.disk.flip("log/copy1/S0000000.LOG", HEADER + 9 * 4096 + 9)
    filled(ledger, 0.5)
    assert log.verify_archive(0)
    assert ("CSQJ902W", (1, 1), ("log/copy1/S0000000.LOG", f"{9 * 4096:#018x}")) in ledger.told.messages
    archived, active = [ledger.disk.content(f"log/{path}") for path in ("archive/A0000000.LOG", "copy2/S0000000.LOG")]
    assert archived[HEADER:] == active[HEADER:]
