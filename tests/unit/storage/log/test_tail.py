"""The end of the log after a crash: a torn tail is discarded and told, damage is repaired or named."""

from random import Random

import pytest
from tests.support.logs import HEADER, PLACES, LogLedger, Told, new_disk
from tests.support.simdisk import PowerLoss, SimDisk

from kew.storage.clock import SystemClock
from kew.storage.log import Log, LogDamaged, LogSettings
from kew.storage.log.bootstrap import open_bootstrap, read_bootstrap
from kew.storage.log.copies import LogCopy
from kew.storage.log.counters import LogCounters
from kew.storage.log.delay import SlowIo
from kew.storage.log.extents import ExtentTable
from kew.storage.log.tail import CHUNK_PAGES, TailScan

ONE = LogSettings(file_pages=64, primary=3, buffer_pages=18)
DUAL = LogSettings(file_pages=64, primary=3, buffer_pages=18, dual=True)
FILE1 = "log/copy1/S0000000.LOG"
FILE2 = "log/copy2/S0000000.LOG"


def written(settings: LogSettings, sizes: list[int]) -> LogLedger:
    """A log with one forced record per size."""
    ledger = LogLedger(new_disk(settings), settings)
    ledger.open()
    for size in sizes:
        ledger.append(size)
        ledger.force()
    return ledger


def scan(disk: SimDisk, settings: LogSettings) -> TailScan:
    """Only look for the end of the log, without starting it."""
    places = [PLACES.copy1, PLACES.copy2][: 2 if settings.dual else 1]
    told = Told()
    state, _ = read_bootstrap(disk, places, told)
    bootstrap = open_bootstrap(disk, places, state)
    clock = SystemClock()
    counters = LogCounters()
    slow = SlowIo(0, told)
    copies = [
        LogCopy(index + 1, place, disk, settings.extent_bytes, clock, slow, counters.copies[index])
        for index, place in enumerate(places)
    ]
    extents = ExtentTable(settings, bootstrap, copies, clock, told, counters)
    found = TailScan(state, extents, copies, settings.buffer_pages, told)
    found.run(0)
    return found


@pytest.mark.parametrize(
    ("settings", "torn"),
    [(ONE, (FILE1,)), (DUAL, (FILE1,)), (DUAL, (FILE2,)), (DUAL, (FILE1, FILE2))],
    ids=["one", "copy1", "copy2", "both"],
)
def test_the_last_page_torn_at_every_byte(settings: LogSettings, torn: tuple[str, ...]) -> None:
    files = [FILE1, FILE2] if settings.dual else [FILE1]
    ledger = written(settings, [10, 5000])
    disk = ledger.disk
    before = disk.content(FILE1)
    ledger.append(3900)
    ledger.force()
    page = 3 * 4096
    place = HEADER + page
    whole = disk.content(FILE1)[place : place + 4096]
    assert before[place : place + 4096] == bytes(4096)
    for cut in range(4096):
        left = whole[:cut] + bytes(4096 - cut)
        for path in files:
            disk.overwrite(path, left if path in torn else whole, place)
        survives = left == whole or any(path not in torn for path in files)
        assert scan(disk, settings).end == (page + 4096 if survives else page)
        # A copy that had the page gave it to the other.
        for path in files:
            assert disk.open(path).pread(4096, place) == (whole if survives else left)


def test_the_torn_tail_of_a_long_step_keeps_what_is_whole() -> None:
    ledger = written(ONE, [100])
    for _ in range(6):
        ledger.append(3000)
    ledger.disk.stop_after(2)
    with pytest.raises(PowerLoss):
        ledger.force()
    left = ledger.disk.crash(keep="all")
    left.overwrite(FILE1, b"torn" * 128, HEADER + 4 * 4096 + 1024)
    survivor = ledger.after(left)
    # Pages 1 to 3 hold four records and the beginning of a fifth, which is not there.
    assert len(survivor.entries) == 1 + 4
    assert ("CSQJ901W", (2 * 4096,), (f"{4 * 4096:#018x}",)) in survivor.told.messages
    # The next life writes over the torn page, and the record that was cut does not come back.
    survivor.append(7000)
    survivor.force()
    again = survivor.after(left.crash(keep="none"))
    assert again.entries == survivor.entries


def test_a_discarded_tail_never_comes_back() -> None:
    ledger = written(ONE, [100])
    for _ in range(8):
        ledger.append(4000)
    ledger.disk.stop_after(2)
    with pytest.raises(PowerLoss):
        ledger.force()
    left = ledger.disk.crash(keep="all")
    # The first page of the step is lost; the others, valid and in their places, are left.
    left.overwrite(FILE1, bytes(4096), HEADER + 4096)
    survivor = ledger.after(left)
    assert len(survivor.entries) == 1
    for _ in range(3):
        survivor.append(10)
        survivor.force()
        survivor = survivor.after(survivor.disk.crash(keep="none"))


def test_damage_in_the_middle_of_a_single_copy_is_named() -> None:
    ledger = written(ONE, [100, 9000, 100, 100])
    ledger.disk.flip(FILE1, HEADER + 2 * 4096 + 1000)
    content = ledger.disk.content(FILE1)
    with pytest.raises(LogDamaged) as damaged:
        Log.open(ledger.disk, ONE, PLACES, environment={})
    assert (damaged.value.path, damaged.value.address, damaged.value.offset) == (FILE1, 2 * 4096, 2 * 4096)
    assert FILE1 in str(damaged.value)
    assert ledger.disk.content(FILE1) == content


@pytest.mark.parametrize("file_pages", [1024, 128], ids=["one file", "several files"])
def test_damage_is_known_from_a_page_far_behind_it(file_pages: int) -> None:
    settings = LogSettings(file_pages=file_pages, primary=8, buffer_pages=600)
    ledger = written(settings, [100])
    for _ in range(2 * CHUNK_PAGES):  # in one step: these pages know of nothing durable behind the first
        ledger.append(4060)
    ledger.force()
    ledger.append(10)
    ledger.force()
    assert ledger.opened.next_address > (2 * CHUNK_PAGES + 1) * 4096
    ledger.disk.flip(FILE1, HEADER + 4096 + 100)
    with pytest.raises(LogDamaged, match="says the log was durable up to") as damaged:
        Log.open(ledger.disk, settings, PLACES, environment={})
    assert damaged.value.address == 4096


def test_damage_to_all_that_follows_a_checkpoint_is_known_from_the_bootstrap_file() -> None:
    ledger = written(ONE, [100])
    ledger.checkpoint()
    for page in range(1, 64):
        ledger.disk.overwrite(FILE1, bytes(4096), HEADER + page * 4096)
    with pytest.raises(LogDamaged, match="durable up to") as damaged:
        Log.open(ledger.disk, ONE, PLACES, environment={})
    assert damaged.value.address == 4096


@pytest.mark.parametrize(("bad", "good", "number"), [(FILE1, FILE2, 1), (FILE2, FILE1, 2)])
def test_damage_to_one_copy_is_repaired_from_the_other(bad: str, good: str, number: int) -> None:
    ledger = written(DUAL, [100, 9000, 100, 100])
    intact = ledger.disk.content(good)
    ledger.disk.flip(bad, HEADER + 1 * 4096 + 9)
    ledger.disk.overwrite(bad, b"?" * 4096, HEADER + 3 * 4096)
    survivor = ledger.after(ledger.disk)
    assert ("CSQJ902W", (number, 2), (bad, f"{4096:#018x}")) in survivor.told.messages
    assert ledger.disk.content(bad) == ledger.disk.content(good) == intact
    assert ledger.disk.crash(keep="none").content(bad) == intact


def test_both_copies_damaged_in_different_places_still_make_one_log() -> None:
    ledger = written(DUAL, [100, 9000, 100, 100])
    ledger.disk.flip(FILE1, HEADER + 1 * 4096 + 9)
    ledger.disk.flip(FILE2, HEADER + 2 * 4096 + 9)
    survivor = ledger.after(ledger.disk)
    assert len(survivor.entries) == 4
    assert survivor.told.ids().count("CSQJ902W") == 2


def test_both_copies_damaged_in_one_place_is_named() -> None:
    ledger = written(DUAL, [100, 9000, 100, 100])
    for path in (FILE1, FILE2):
        ledger.disk.flip(path, HEADER + 2 * 4096 + 9)
    with pytest.raises(LogDamaged) as damaged:
        Log.open(ledger.disk, DUAL, PLACES, environment={})
    assert damaged.value.address == 2 * 4096


def test_a_page_the_device_cannot_read_is_repaired_from_the_other_copy() -> None:
    ledger = written(DUAL, [100, 9000])
    ledger.disk.spoil(FILE1, HEADER + 2 * 4096)
    survivor = ledger.after(ledger.disk)
    assert len(survivor.entries) == 2
    assert ("CSQJ902W", (1, 1), (FILE1, f"{2 * 4096:#018x}")) in survivor.told.messages


@pytest.mark.parametrize("page", [2, 4])
def test_a_page_the_device_cannot_read_is_no_tail(page: int) -> None:
    ledger = written(ONE, [100, 9000, 100])
    ledger.disk.spoil(FILE1, HEADER + page * 4096)
    with pytest.raises(LogDamaged) as damaged:
        Log.open(ledger.disk, ONE, PLACES, environment={})
    assert (damaged.value.path, damaged.value.offset) == (FILE1, page * 4096)


def test_the_longer_copy_wins_and_the_shorter_is_completed() -> None:
    ledger = written(DUAL, [100, 100])
    ledger.append(9000)
    # The power goes after the first copy was written and synced, in the write of the second.
    ledger.disk.stop_after(3)
    with pytest.raises(PowerLoss):
        ledger.force()
    left = ledger.disk.crash(keep="none")
    survivor = ledger.after(left)
    assert len(survivor.entries) == 3
    assert left.content(FILE1) == left.content(FILE2)


@pytest.mark.parametrize("lost", ["log/copy1", "log/copy2", FILE1, FILE2])
def test_a_lost_copy_or_file_is_made_again(lost: str) -> None:
    ledger = written(DUAL, [100, 9000, 300_000, 100])
    ledger.disk.delete(lost)
    survivor = ledger.after(ledger.disk)
    assert "CSQJ903W" in survivor.told.ids()
    assert ledger.disk.content(FILE1) == ledger.disk.content(FILE2)
    durable = ledger.disk.crash(keep="none")
    assert durable.content(FILE1) == durable.content(FILE2)
    assert len(survivor.after(durable).entries) == 4


def test_a_lost_file_of_a_single_copy_is_named() -> None:
    ledger = written(ONE, [100])
    ledger.disk.delete(FILE1)
    with pytest.raises(LogDamaged, match="missing or cut short") as damaged:
        Log.open(ledger.disk, ONE, PLACES, environment={})
    assert damaged.value.path == FILE1


def test_a_lost_file_that_holds_nothing_is_made_again() -> None:
    ledger = written(ONE, [100])
    ledger.disk.delete("log/copy1/S0000002.LOG")
    survivor = ledger.after(ledger.disk)
    assert ("CSQJ903W", (1,), ("log/copy1/S0000002.LOG",)) in survivor.told.messages


def test_a_second_copy_switched_on_is_filled_and_one_left_behind_is_not_believed() -> None:
    ledger = written(ONE, [100, 100])
    ledger.settings = DUAL
    both = ledger.after(ledger.disk)
    assert ledger.disk.content(FILE1) == ledger.disk.content(FILE2)
    # A life with the first copy only leaves the second one behind...
    both.settings = ONE
    alone = both.after(ledger.disk)
    alone.append(200)
    alone.force()
    # ... and it does not stand in for a page that the first has lost.
    alone.settings = DUAL
    again = alone.after(ledger.disk)
    assert len(again.entries) == 3
    assert ("CSQJ903W", (2,), (FILE2,)) in again.told.messages


def test_a_clean_end_is_met_exactly() -> None:
    ledger = written(ONE, [100, 9000])
    ledger.opened.close()
    survivor = LogLedger(ledger.disk, ONE)
    log = survivor.open()
    assert log.next_address == 4 * 4096 + 40
    assert len(list(log.read(log.needed))) == 2
    assert survivor.told.ids() == ["AMQ7467I"]


def test_a_clean_end_that_is_not_met_is_damage() -> None:
    ledger = written(ONE, [100, 100])
    ledger.opened.close()
    ledger.disk.flip(FILE1, HEADER + 4096 + 50)
    with pytest.raises(LogDamaged, match="closed at") as damaged:
        Log.open(ledger.disk, ONE, PLACES, environment={})
    assert damaged.value.address == 4096


def test_a_log_that_goes_on_behind_its_clean_end_is_not_taken() -> None:
    ledger = written(ONE, [100])
    ledger.opened.close()
    old = ledger.disk.content("log/copy1/BOOTSTRAP")
    later = LogLedger(ledger.disk, ONE)
    later.open()
    later.append(5)
    later.force()
    later.disk.overwrite("log/copy1/BOOTSTRAP", old)
    with pytest.raises(LogDamaged, match="goes on behind the end"):
        Log.open(later.disk, ONE, PLACES, environment={})


def test_random_flips_of_a_single_copy_are_never_read_as_data() -> None:
    ledger = written(ONE, [300] * 20)
    random = Random(4)
    for _ in range(300):
        disk = ledger.disk.crash(keep="none")
        offset = random.randrange(20 * 4096)
        disk.flip(FILE1, HEADER + offset, random.randrange(8))
        survivor = LogLedger(disk, ONE)
        if offset // 4096 < 19:
            with pytest.raises(LogDamaged) as damaged:
                survivor.open()
            assert damaged.value.address == offset - offset % 4096
        else:
            # Nothing was written after the last page, so nothing says that it was whole.
            log = survivor.open()
            assert len(list(log.read(log.needed))) == 19
            assert "CSQJ901W" in survivor.told.ids()
